//! Floats compared with fractions, by the documented bounds.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use oddsmith_fightingfantasy::{
    Advantage, AtOnce, Duel, DuelGame, DuelState, Escape, Extent, Foe, Hero, LuckMap, Melee,
    MeleeGame, MeleeState, Objective, Rules, SuddenDeath,
};
use oddsmith_mdp::{Policy, Solver};

/// 1.01·k·2⁻⁵³ of the exact value.
#[track_caller]
fn check(float: f64, exact: &BigRational, k: u64) {
    let off = (BigRational::from_float(float).unwrap() - exact).abs();
    let bound = 1.01 * k as f64 * (f64::EPSILON / 2.0);
    let bound = BigRational::from_float(bound).unwrap() * exact;
    assert!(off <= bound, "{float} is not {exact} by {k} roundings");
}

#[track_caller]
fn within(float: f64, exact: &BigRational, error: f64) {
    let off = (BigRational::from_float(float).unwrap() - exact).abs();
    assert!(
        off <= BigRational::from_float(error).unwrap(),
        "{float} is not {exact} within {error}"
    );
}

/// Leaves everything to chance, with long weights.
struct Mixed;

fn long(weights: &mut [u64]) {
    for (place, weight) in weights.iter_mut().enumerate() {
        *weight = (1 << 61) + 12_345 * place as u64 + 1;
    }
}

impl Policy<DuelGame> for Mixed {
    fn weigh(
        &self,
        _: &DuelState,
        _: &[oddsmith_fightingfantasy::DuelAction],
        weights: &mut [u64],
    ) {
        long(weights);
    }
}

impl Policy<MeleeGame> for Mixed {
    fn weigh(
        &self,
        _: &MeleeState,
        _: &[oddsmith_fightingfantasy::MeleeAction],
        weights: &mut [u64],
    ) {
        long(weights);
    }
}

/// Rules, and the number of rounds that they count.
fn rules() -> [(Rules, u64); 6] {
    let standard = Rules::standard();
    [
        (standard.clone(), 0),
        (standard.clone().attack_dice(5, 8).luck_dice(3, 7), 0),
        (
            standard
                .clone()
                .sudden_death(SuddenDeath::after(2).reset_by_draws()),
            0,
        ),
        (standard.clone().sudden_death(SuddenDeath::after(3)), 0),
        (standard.clone().last_rounds(9), 9),
        (standard.escape(Escape::after(4)), 4),
    ]
}

#[test]
fn duels() {
    for (rules, counted) in rules() {
        for difference in [-9, -2, 5] {
            for (own, other, luck) in [(1, 1, 0), (7, 2, 5), (13, 12, 0), (11, 9, 7), (3, 17, 4)] {
                let (hero, foe) = (Hero::new(9, own, luck), Foe::new(9 - difference, other));
                let duel = Duel::new(hero.unwrap(), foe.unwrap()).rules(rules.clone());
                for duel in [duel.clone(), duel.objective(Objective::stamina_kept())] {
                    let s = (own + other + luck) as u64;
                    let steps = 2 * s + counted + 1;
                    let exact = duel.best_luck().unwrap();
                    check(
                        duel.best_luck_f64().unwrap().value(),
                        &exact.value(),
                        11 * steps,
                    );
                    let plan = duel.best_luck_with(Solver::float()).unwrap();
                    within(plan.value(), &exact.value(), plan.error());
                    assert_eq!(exact.error(), 0.0);
                    // The documented bound is the looser one.
                    let most = 1.01 * 11.0 * steps as f64 * (f64::EPSILON / 2.0);
                    assert!(plan.error() <= most * plan.value() + f64::MIN_POSITIVE);
                    let mixed = duel.with_policy(Mixed).unwrap();
                    check(duel.with_policy_f64(Mixed).unwrap(), &mixed, 20 * steps);
                    let saves = |_: &DuelState, _: &[_]| 0;
                    let saved = duel.with_policy(saves).unwrap();
                    check(duel.with_policy_f64(saves).unwrap(), &saved, 20 * steps);
                }
            }
        }
    }
}

#[test]
fn maps() {
    for (rules, counted) in rules() {
        let extent = Extent {
            hero: 12,
            foe: 12,
            luck: 12,
        };
        let exact = LuckMap::exact(&rules, -3, extent, Advantage::Strict).unwrap();
        let float = LuckMap::float(&rules, -3, extent, Advantage::Strict).unwrap();
        for (hero, foe, luck) in exact.states() {
            let value = exact.win(hero, foe, luck).unwrap();
            let s = u64::from(hero) + u64::from(foe) + u64::from(luck);
            let steps = 2 * s + counted + 1;
            check(float.win_f64(hero, foe, luck).unwrap(), &value, 11 * steps);
            check(exact.win_f64(hero, foe, luck).unwrap(), &value, 1);
            let state = DuelState::new(hero, foe, luck);
            let error = float.solution().error(&state).unwrap();
            within(float.win(hero, foe, luck).unwrap(), &value, error);
        }
    }
}

#[test]
fn melees() {
    let foes = [
        Foe::new(7, 4).unwrap(),
        Foe::new(9, 3).unwrap(),
        Foe::new(5, 2).unwrap(),
    ];
    let hero = Hero::new(9, 8, 4).unwrap();
    let s = 8 + 4 + 4 + 3 + 2;
    let at_once = |manner: AtOnce| Melee::at_once(hero, foes).unwrap().manner(manner);
    let counted = Rules::standard().last_rounds(5);
    for (melee, counted) in [
        (at_once(AtOnce::standard()), 0),
        (at_once(AtOnce::standard().one_roll()), 0),
        (at_once(AtOnce::standard()).rules(counted), 5),
        (Melee::in_turn(hero, foes).unwrap(), 0),
        (
            Melee::in_turn(hero, foes)
                .unwrap()
                .rules(Rules::standard().sudden_death(SuddenDeath::after(2).reset_by_draws())),
            0,
        ),
    ] {
        let steps = 2 * s + counted + 1;
        let exact = melee.best().unwrap().value();
        assert!(!exact.is_zero() && exact.to_f64() < Some(1.0));
        check(melee.best_f64().unwrap().value(), &exact, 400 * steps);
        let plan = melee.best_with(Solver::float()).unwrap();
        within(plan.value(), &exact, plan.error());
        let most = 1.01 * 400.0 * steps as f64 * (f64::EPSILON / 2.0);
        assert!(plan.error() <= most * plan.value());
        let exact = melee.without_luck().unwrap();
        check(melee.without_luck_f64().unwrap(), &exact, 400 * steps);
        let exact = melee.with_policy(Mixed).unwrap();
        check(melee.with_policy_f64(Mixed).unwrap(), &exact, 800 * steps);
    }
}

/// The documented bound counts the rounds that the rules count, and is absolute where scores are
/// below 0.
#[test]
fn melees_that_are_counted_or_lost() {
    let foes = [Foe::new(20, 9).unwrap(), Foe::new(20, 2).unwrap()];
    let hero = Hero::new(9, 8, 2).unwrap();
    let feeble = [Foe::new(9, 3).unwrap(), Foe::new(9, 2).unwrap()];
    let draws = Rules::standard().attack_dice(1, 2);
    for (melee, s, counted) in [
        (
            Melee::at_once(hero, foes)
                .unwrap()
                .rules(Rules::standard().last_rounds(300)),
            21,
            300,
        ),
        (
            Melee::in_turn(hero, feeble)
                .unwrap()
                .rules(draws.clone().escape(Escape::after(60))),
            15,
            2 * 60,
        ),
    ] {
        let steps = (2 * s + counted + 1) as f64;
        let unit = 1.01 * 400.0 * steps * (f64::EPSILON / 2.0);
        let mourned = Objective::of(|end| if end.is_success() { 5 } else { -7 });
        let melee = melee.objective(mourned);
        let exact = melee.best().unwrap().value();
        let plan = melee.best_f64().unwrap();
        within(plan.value(), &exact, plan.error());
        assert!(
            plan.error() <= unit * 7.0,
            "{} {}",
            plan.error(),
            unit * 7.0
        );
    }
}
