//! Common properties of duels and melees: limits and advantages.

use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::{
    Advantage, Decision, Duel, DuelGame, DuelState, Error, Escape, Extent, Foe, Hero, Melee,
    MeleeState, Objective, Phase, Rules, SuddenDeath,
};
use oddsmith_mdp::{Indexed, Solver};

/// Regression test: unused LUCK made the box too large to explore, although only one layer of it is
/// reached.
#[test]
fn luck_that_is_not_used_counts_towards_no_limit() {
    let value = |luck| {
        let hero = Hero::new(9, 10, luck).unwrap();
        let foe = Foe::new(8, 10).unwrap();
        let kept = Objective::stamina_kept();
        let duel = Duel::new(hero, foe).objective(kept.clone());
        let melee = Melee::at_once(hero, [foe, Foe::new(7, 4).unwrap()]).unwrap();
        let melee = melee.objective(kept);
        let duels = duel.without_luck().unwrap();
        assert!((duel.without_luck_f64().unwrap() - duels.to_f64().unwrap()).abs() < 1e-12);
        let melees = melee.without_luck().unwrap();
        assert!((melee.without_luck_f64().unwrap() - melees.to_f64().unwrap()).abs() < 1e-12);
        (duels, melees)
    };
    assert_eq!(value(65_535), value(0));
    // A game that is too large even without it reports the states it has without it.
    let hero = Hero::new(9, 5_000, 3).unwrap();
    let duel = Duel::new(hero, Foe::new(8, 5_000).unwrap()).objective(Objective::luck_kept());
    let refused = Error::TooManyStates {
        states: 3 * 5_001 * 5_001,
        limit: 20_000_000,
    };
    assert_eq!(duel.without_luck(), Err(refused.clone()));
    assert_eq!(duel.without_luck_f64(), Err(refused));
}

/// A melee with one foe is a duel, for every measure of the advantage.
#[test]
fn an_advantage_asked_for_in_a_melee_is_that_of_a_duel() {
    let (hero, foe) = (Hero::new(12, 14, 12).unwrap(), Foe::new(5, 4).unwrap());
    let duel = Duel::new(hero, foe);
    let melee = Melee::in_turn(hero, [foe]).unwrap();
    let values = [Advantage::Strict, Advantage::Published].map(|advantage| {
        let duels = duel.clone().advantage(advantage).best_luck().unwrap();
        let melees = melee.clone().advantage(advantage).best().unwrap();
        assert_eq!(duels.value(), melees.value());
        duels.value()
    });
    assert!(values[0] > values[1]);
}

/// Regression test: all six were expected to wait for a blow, even one after the other.
#[test]
fn six_even_foes_fit_64_bits_with_any_luck() {
    let foes = [Foe::new(9, 1).unwrap(); 6];
    for luck in [1, 2, 12] {
        let six = Melee::at_once(Hero::new(9, 6, luck).unwrap(), foes).unwrap();
        assert!(six.game().is_ok());
    }
    let foes = [Foe::new(9, 2).unwrap(); 6];
    let queue = Melee::in_turn(Hero::new(9, 8, 3).unwrap(), foes).unwrap();
    let queue = queue.rules(Rules::standard().attack_dice(3, 6));
    assert!(queue.best_f64().unwrap().value() > 0.0);
}

/// Regression test: the number of a state overflowed where the number of all states saturates.
#[test]
fn a_box_beyond_all_numbers_is_refused() {
    let rules = Rules::standard()
        .last_rounds(u16::MAX)
        .escape(Escape::after(1))
        .sudden_death(SuddenDeath::after(3));
    let all = Extent {
        hero: u16::MAX,
        foe: u16::MAX,
        luck: u16::MAX,
    };
    let game = DuelGame::new(&rules, 0, all, Objective::victory()).unwrap();
    assert_eq!(game.size(), usize::MAX);
    for state in [
        DuelState::new(u16::MAX, u16::MAX, u16::MAX),
        DuelState::new(u16::MAX, 1, u16::MAX).after(Phase::Lost),
    ] {
        let _ = game.index(&state);
        let refused = Solver::float().solve_indexed(&game, state).err();
        assert!(matches!(
            refused,
            Some(oddsmith_mdp::Error::TooManyStates { .. })
        ));
    }
    // A state outside the box has no number in it.
    let late = DuelState::new(1, 1, 1).after(Phase::Gone);
    let small = Extent {
        hero: 1,
        foe: 1,
        luck: 1,
    };
    let game = DuelGame::new(&Rules::standard(), 0, small, Objective::victory()).unwrap();
    assert!(game.index(&late) >= game.size());
}

/// A duel also has decisions for rounds that cannot be won, or not lost; the paper's maps have them,
/// too. A melee has no such states.
#[test]
fn decisions_of_a_melee_with_one_foe_are_those_of_a_duel() {
    let mut impossible = 0;
    for skill in [1, 9, 20, 24] {
        let (hero, foe) = (Hero::new(12, 6, 7).unwrap(), Foe::new(skill, 6).unwrap());
        let duel = Duel::new(hero, foe).best_luck().unwrap();
        let melee = Melee::in_turn(hero, [foe]).unwrap().best().unwrap();
        let (can_win, can_lose) = (skill < 22, skill > 2);
        for (own, other, luck) in duel.solution().game().extent().states() {
            let state = DuelState::new(own, other, luck);
            let same = MeleeState::new(own, &[other], luck).unwrap();
            let decision = duel.decision_at(&state).unwrap();
            let possible = Decision {
                after_win: decision.after_win && can_win,
                after_loss: decision.after_loss && can_lose,
            };
            assert_eq!(
                melee.decision_at(&same),
                Ok(Some(possible)),
                "{skill} {state:?}"
            );
            impossible += u32::from(decision != possible);
            assert_eq!(duel.value_at(&state), melee.value_at(&same));
            let why = duel.explain_at(&state).unwrap().to_string();
            let other = melee.explain_at(&same).unwrap().to_string();
            assert_eq!(why.lines().next(), other.lines().next());
        }
    }
    assert!(impossible > 0);
}
