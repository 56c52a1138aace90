//! The paper's strategies 0 to 8 evaluated exactly: vectors, Supplementary Figs. 7 and 8, the rule of thumb.

mod oracle;

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_fightingfantasy::{
    Advantage, Damage, Decision, Duel, DuelGame, DuelState, Error, Escape, Extent, Foe, Hero,
    Heuristic, HeuristicMap, LuckTable, Objective, Phase, PolicyLoss, RuleOfThumb, Rules, Strategy,
    SuddenDeath, Threshold, best_heuristics,
};
use oddsmith_mdp::Solver;
use oracle::{fraction, integer, ratio};
use quickcheck::quickcheck;

fn standard(skill_difference: i64) -> HeuristicMap {
    HeuristicMap::new(&Rules::standard(), skill_difference, Extent::default()).unwrap()
}

fn strategy(number: u8) -> Strategy {
    Strategy::from_number(number).unwrap()
}

/// A duel at a SKILL difference.
fn duel(difference: i32, hero: i64, foe: i64, luck: i64) -> Duel {
    let hero = Hero::new(12 + difference, hero, luck).unwrap();
    Duel::new(hero, Foe::new(12, foe).unwrap())
}

#[test]
fn every_vector_is_met_exactly() {
    let vectors = oracle::vectors("heuristics_strict_l_gt_tau");
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 389);
    for vector in vectors {
        let [difference, hero, foe, luck, number, tau] = [0, 1, 2, 3, 4, 5].map(|i| &vector[i]);
        let heuristic = Heuristic::new(strategy(integer(number)), Threshold::Above(integer(tau)));
        let expected = fraction(&vector[6]);
        let (hero, foe, luck): (u16, u16, u16) = (integer(hero), integer(foe), integer(luck));
        let duel = duel(integer(difference), hero.into(), foe.into(), luck.into());
        assert_eq!(duel.with_policy(heuristic).unwrap(), expected, "{vector}");
        // The other reading, one higher.
        let tau: u16 = integer(tau);
        let other = Heuristic::new(heuristic.strategy(), Threshold::AtLeast(tau + 1));
        assert_eq!(duel.with_policy(other).unwrap(), expected, "{vector}");
        let difference = duel.skill_difference();
        let table = heuristic.table(&Rules::standard(), difference, Extent::default()).unwrap();
        let float = table.victory(hero, foe, luck).unwrap();
        let error = (float / expected.to_f64().unwrap() - 1.0).abs();
        assert!(error <= table.relative_error() + f64::EPSILON, "{vector}: {float}");
    }
}

#[test]
fn strategies_are_those_of_the_text() {
    // (s_h, s_o) and the labels of strategies 0 to 8 there, LUCK being allowed.
    for (hero, foe, labels) in [
        (3, 4, " 1232 111"),
        (3, 3, " 1232 11 "),
        (4, 7, " 123231 1"),
        (5, 6, " 1232 1 1"),
        (5, 7, " 123231 1"),
        (6, 6, " 123     "),
        (6, 7, " 123 3  1"),
        (24, 24, " 123 3   "),
    ] {
        let decided: String = Strategy::ALL
            .map(|strategy| strategy.decides(Threshold::Above(5), hero, foe, 6).label())
            .iter()
            .collect();
        assert_eq!(decided, labels, "{hero} against {foe}");
        for strategy in Strategy::ALL {
            let never = strategy.decides(Threshold::Above(5), hero, foe, 5);
            assert_eq!(never, Decision::default());
        }
    }
    assert_eq!(Strategy::ALL.map(Strategy::number), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(Strategy::from_number(9), None);
}

#[test]
fn thresholds_at_their_ends() {
    assert!(!Threshold::Above(u16::MAX).allows(u16::MAX));
    assert!(Threshold::AtLeast(u16::MAX).allows(u16::MAX));
    assert!(!Threshold::Above(0).allows(0) && !Threshold::AtLeast(0).allows(0));
    assert!(Threshold::Above(0).allows(1) && Threshold::AtLeast(0).allows(1));
}

/// Evaluates every heuristic by the general solver, state by state, and finds the best with fractions.
fn check_map(rules: &Rules, difference: i64, extent: Extent) {
    let map = HeuristicMap::new(rules, difference, extent).unwrap();
    let game = DuelGame::new(rules, difference, extent, Objective::victory()).unwrap();
    let start = DuelState::new(extent.hero, extent.foe, extent.luck);
    let optimal = Solver::exact().solve_indexed(&game, start).unwrap();
    let mut all = vec![(strategy(0), 0)];
    for strategy in &Strategy::ALL[1..] {
        all.extend((0..extent.luck).map(|tau| (*strategy, tau)));
    }
    let values: Vec<_> = all
        .iter()
        .map(|&(strategy, tau)| Heuristic::new(strategy, Threshold::Above(tau)).evaluate(&game))
        .map(Result::unwrap)
        .collect();
    for (hero, foe, luck) in extent.states() {
        let state = DuelState::new(hero, foe, luck);
        let value = |i: usize| values[i].value_of(&state).unwrap();
        let usable = |i: &usize| all[*i].1 < luck || *i == 0;
        let candidates = || (0..all.len()).filter(usable);
        let highest = candidates().map(value).max().unwrap();
        let best: Vec<_> = candidates()
            .filter(|&i| value(i) == highest)
            .map(|i| Heuristic::new(all[i].0, Threshold::Above(all[i].1)))
            .collect();
        let found = map.best(hero, foe, luck).unwrap();
        assert_eq!(found.heuristics, best, "{state:?}");
        assert_eq!(found.value, highest);
        assert_eq!(found.without_luck, value(0));
        assert_eq!(found.optimal, optimal.value_of(&state).unwrap());
        assert!(found.loss() >= BigRational::zero());
        let strategies = map.strategies(hero, foe, luck).unwrap();
        assert!(strategies.iter().eq(Strategy::ALL.iter().filter(|s| best.iter().any(|h| h.strategy() == **s))));
        for strategy in Strategy::ALL.into_iter().skip(1) {
            let own = |i: &usize| all[*i].0 == strategy && all[*i].1 < luck;
            let highest = (0..all.len()).filter(own).map(value).max().unwrap_or_default().max(value(0));
            let thresholds: Vec<_> = (0..all.len())
                .filter(own)
                .filter(|&i| value(i) == highest)
                .map(|i| Threshold::Above(all[i].1))
                .collect();
            assert_eq!(map.thresholds(strategy, hero, foe, luck).unwrap(), thresholds);
        }
    }
}

#[test]
fn the_map_is_what_the_general_solver_finds() {
    let small = Extent { hero: 8, foe: 9, luck: 5 };
    for difference in [-10, -9, -4, 0, 3, 9, 10, 11] {
        check_map(&Rules::standard(), difference, small);
    }
    check_map(&Rules::standard(), 1, Extent { hero: 3, foe: 7, luck: 12 });
    check_map(&Rules::standard(), 1, Extent { hero: 1, foe: 1, luck: 0 });
    let variant = Rules::standard().hit(Damage::new(2, 3, 1));
    check_map(&variant, -2, small);
    // LUCK that can undo a blow, or any blow that kills.
    let odd = Rules::standard().hit(Damage::new(1, 9, 0)).wound(Damage::new(3, 0, 70)).luck_dice(1, 5);
    check_map(&odd, -2, small);
}

quickcheck! {
    fn the_map_is_right_for_any_damage(difference: i8, hit: (u8, u8, u8), wound: (u8, u8, u8)) -> bool {
        let damage = |(plain, lucky, unlucky): (u8, u8, u8)| {
            Damage::new(u16::from(plain % 4) + 1, (lucky % 6).into(), (unlucky % 6).into())
        };
        let rules = Rules::standard().hit(damage(hit)).wound(damage(wound));
        check_map(&rules, (difference % 11).into(), Extent { hero: 4, foe: 5, luck: 2 });
        true
    }
}

#[test]
fn one_duel_and_the_map_agree() {
    for (difference, hero, foe, luck) in [(-4, 2, 3, 12), (0, 9, 9, 7), (2, 6, 12, 9), (9, 7, 7, 4)] {
        let one = best_heuristics(&duel(difference, hero.into(), foe.into(), luck.into())).unwrap();
        assert_eq!(one, standard(difference.into()).best(hero, foe, luck).unwrap());
    }
}

#[test]
fn special_rules_are_played() {
    // Nobody runs by these strategies, and the parting wound is met as any.
    let rules = Rules::standard().sudden_death(SuddenDeath::after(2)).escape(Escape::after(0).with_luck());
    let special = duel(-1, 8, 6, 10).rules(rules.clone());
    let best = best_heuristics(&special).unwrap();
    assert!(best.value > best.without_luck && best.value <= best.optimal);
    assert_eq!(best.without_luck, special.without_luck().unwrap());
    // A kernel for plain rules says so.
    assert_eq!(HeuristicMap::new(&rules, 0, Extent::default()).err(), Some(Error::SpecialRules));
    // On a parting wound strategy 2 uses LUCK.
    let defensive = Heuristic::new(Strategy::Defensive, Threshold::Above(0));
    let game = DuelGame::new(&rules, 0, Extent::default(), Objective::survival()).unwrap();
    let values = defensive.evaluate(&game).unwrap();
    let running = DuelState::new(2, 2, 7).after(Phase::Running);
    assert_eq!(values.value_of(&running).unwrap(), ratio(7, 12));
}

#[test]
fn bad_input_ends_in_errors() {
    let rules = Rules::standard();
    let extent = |hero, foe, luck| Extent { hero, foe, luck };
    let error = |difference, extent| HeuristicMap::new(&rules, difference, extent).err().unwrap();
    assert_eq!(error(0, extent(0, 3, 3)), Error::NoStamina { who: "hero" });
    assert_eq!(error(0, extent(3, 0, 3)), Error::NoStamina { who: "foe" });
    for huge in [extent(65_535, 65_535, 65_535), extent(65_535, 1, 12), extent(1, 1, 65_535), extent(65_535, 65_535, 0)] {
        let error = error(0, huge);
        assert!(matches!(error, Error::TooManyHeuristics { .. }), "{error}");
    }
    let harmless = Rules::standard().hit(Damage::new(0, 4, 1));
    let error = HeuristicMap::new(&harmless, 0, extent(3, 3, 3)).err();
    assert_eq!(error, Some(Error::Harmless { who: "hero" }));
    let drawn = Rules::standard().attack_dice(1, 1);
    assert_eq!(HeuristicMap::new(&drawn, 0, extent(3, 3, 3)).err(), Some(Error::NeverEnding));
    let map = standard(0);
    for (hero, foe, luck) in [(0, 1, 1), (1, 0, 1), (25, 1, 1), (1, 25, 1), (1, 1, 13)] {
        let outside = Error::OutsideTable { hero, foe, luck };
        assert_eq!(map.best(hero, foe, luck).err(), Some(outside.clone()));
        assert_eq!(map.strategies(hero, foe, luck).err(), Some(outside.clone()));
        assert_eq!(map.thresholds(Strategy::Always, hero, foe, luck).err(), Some(outside));
    }
    let long = duel(0, 24, 24, 65_535);
    assert!(matches!(best_heuristics(&long), Err(Error::TooManyHeuristics { .. })));
    let never = |_, _| |_, _, _| Decision::default();
    let error = PolicyLoss::measure(&rules, i64::MIN..=i64::MAX, Extent::default(), never);
    assert!(matches!(error, Err(Error::TooManyHeuristics { .. })));
    #[expect(clippy::reversed_empty_ranges, reason = "an empty range is what is tested")]
    let nothing = PolicyLoss::measure(&rules, 3..=2, Extent::default(), never).unwrap();
    assert_eq!((nothing.states, nothing.mean), (0, 0.0));
    let far = PolicyLoss::measure(&rules, i64::MAX..=i64::MAX, Extent::default(), never).unwrap();
    assert_eq!((far.states, far.worst), (7_488, 0.0));
}
