//! Common properties of duels and melees: limits and advantages.

use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::{Advantage, Duel, Error, Foe, Hero, Melee, Objective, Rules};

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
