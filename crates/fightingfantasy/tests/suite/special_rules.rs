//! Rules as data compared with brute force, bad input, extremes.

use crate::oracle;
use std::collections::HashMap;

use crate::oracle::ratio;
use num_rational::BigRational;
use num_traits::One;
use oddsmith_fightingfantasy::{
    Advantage, Damage, Duel, DuelAction, DuelGame, DuelState, Error, Escape, Extent, Foe, Hero,
    LuckMap, LuckTable, Melee, Objective, RoundOdds, Rules, SuddenDeath,
};
use oddsmith_mdp::{Node, Solver};
use quickcheck::quickcheck;

fn duel(difference: i64, hero: u16, foe: u16, luck: u16) -> Duel {
    let skill = i32::try_from(difference).unwrap() + 12;
    let hero = Hero::new(skill, hero.into(), luck.into()).unwrap();
    Duel::new(hero, Foe::new(12, foe.into()).unwrap())
}

// ---- Rules as data, against brute force ----

/// Special rules by simple recursion; scores are those of the objective.
struct Brute<'r> {
    odds: [BigRational; 3],
    death: Option<(u8, bool)>,
    escape: Option<(u16, Damage, bool)>,
    rounds: Option<u16>,
    score: &'r dyn Fn(&str, u16) -> i64,
    known: HashMap<(u16, u16, u16, u16, u8), BigRational>,
}

impl Brute<'_> {
    fn test(
        &mut self,
        luck: u16,
        damage: Damage,
        after: &mut dyn FnMut(&mut Self, u16, u16) -> BigRational,
    ) -> BigRational {
        let plain = after(self, damage.plain, luck);
        if luck == 0 {
            return plain;
        }
        let q = oracle::lucky(luck.into());
        let (good, bad) = (
            after(self, damage.lucky, luck - 1),
            after(self, damage.unlucky, luck - 1),
        );
        plain.max(&q * good + (BigRational::one() - q) * bad)
    }

    /// The value before a round, after this many rounds, of which this many of the last were lost
    /// in succession.
    fn value(&mut self, h: u16, o: u16, l: u16, round: u16, streak: u8) -> BigRational {
        let of = |score: i64| BigRational::from_integer(score.into());
        if h == 0 {
            return of((self.score)("defeat", 0));
        } else if o == 0 {
            return of((self.score)("victory", h));
        } else if self.rounds.is_some_and(|last| round >= last) {
            return of((self.score)("held out", h));
        }
        if let Some(value) = self.known.get(&(h, o, l, round, streak)) {
            return value.clone();
        }
        // Rounds need not be counted once nothing depends on them.
        let horizon = self
            .rounds
            .unwrap_or(0)
            .max(self.escape.map_or(0, |escape| escape.0));
        let next = (round + 1).min(horizon);
        let [p_w, p_d, p_l] = self.odds.clone();
        let won = self.test(l, Damage::HIT, &mut |it, hit, l| {
            it.value(h, o.saturating_sub(hit), l, next, 0)
        });
        let fatal = self.death.is_some_and(|(losses, _)| streak + 1 >= losses);
        let longer = if self.death.is_some() { streak + 1 } else { 0 };
        let lost = if fatal {
            of((self.score)("defeat", 0))
        } else {
            self.test(l, Damage::WOUND, &mut |it, wound, l| {
                it.value(h.saturating_sub(wound), o, l, next, longer)
            })
        };
        let decisive = p_w * won + p_l * lost;
        let drawn = match self.death {
            Some((_, true)) => 0,
            _ => streak,
        };
        let mut value = if (next, drawn) == (round, streak) {
            decisive / (BigRational::one() - p_d)
        } else {
            decisive + p_d * self.value(h, o, l, next, drawn)
        };
        if let Some((after, wound, luck)) = self.escape
            && round >= after
        {
            let gone = &mut |it: &mut Self, wound: u16, _| match h.saturating_sub(wound) {
                0 => of((it.score)("defeat", 0)),
                left => of((it.score)("escaped", left)),
            };
            let run = if luck {
                self.test(l, wound, gone)
            } else {
                gone(self, wound.plain, l)
            };
            value = value.max(run);
        }
        self.known.insert((h, o, l, round, streak), value.clone());
        value
    }
}

type Special = (Option<(u8, bool)>, Option<(u8, u8, bool)>, Option<u8>);

fn check_brute(
    difference: i64,
    (death, escape, rounds): Special,
    objective: u8,
    (h, o, l): (u16, u16, u16),
) {
    let mut rules = Rules::standard();
    if let Some((losses, reset)) = death {
        let rule = SuddenDeath::after(losses);
        rules = rules.sudden_death(if reset { rule.reset_by_draws() } else { rule });
    }
    if let Some((after, cost, luck)) = escape {
        let rule = Escape::after(after.into()).cost(cost.into());
        rules = rules.escape(if luck { rule.with_luck() } else { rule });
    }
    if let Some(rounds) = rounds {
        rules = rules.last_rounds(rounds.into());
    }
    let score = move |ending: &str, stamina: u16| match (objective, ending) {
        (0, "victory" | "held out") | (1, "victory" | "held out" | "escaped") => 1,
        (2, "victory" | "held out" | "escaped") => stamina.into(),
        _ => 0,
    };
    let objective = match objective {
        0 => Objective::victory(),
        1 => Objective::survival(),
        _ => Objective::stamina_of_survivor(),
    };
    let odds = RoundOdds::standard(difference);
    let mut brute = Brute {
        odds: [odds.win(), odds.draw(), odds.lose()],
        death,
        // LUCK changes a wound by one in either direction, whatever its size.
        escape: escape.map(|(after, cost, luck)| {
            let cost = u16::from(cost);
            let wound = Damage::new(cost, cost.saturating_sub(1), cost + 1);
            (after.into(), wound, luck)
        }),
        rounds: rounds.map(u16::from),
        score: &score,
        known: HashMap::new(),
    };
    let duel = duel(difference, h, o, l)
        .rules(rules.clone())
        .objective(objective.clone());
    assert_eq!(
        duel.best_luck().unwrap().value(),
        brute.value(h, o, l, 0, 0),
        "{rules:?} {h} {o} {l}"
    );
    // A box and a search from the start agree.
    let game = duel.game().unwrap();
    let searched = Solver::exact()
        .solve(&game, DuelState::new(h, o, l))
        .unwrap();
    assert_eq!(searched.value(), duel.best_luck().unwrap().value());
    assert!(duel.without_luck().unwrap() <= searched.value());
}

#[test]
fn special_rules_against_brute_force() {
    let (crypt, twice) = (Some((2, true)), Some((2, false)));
    for difference in [-3, 0, 2] {
        for objective in 0..3 {
            for special in [
                (crypt, None, None),
                (twice, None, None),
                (Some((1, false)), None, None),
                (Some((3, true)), None, Some(5)),
                (None, Some((0, 2, false)), None),
                (None, Some((3, 2, true)), None),
                (None, Some((2, 0, false)), Some(4)),
                (None, None, Some(0)),
                (None, None, Some(1)),
                (None, None, Some(7)),
                (twice, Some((2, 4, true)), Some(6)),
                (crypt, Some((1, 1, true)), Some(3)),
            ] {
                check_brute(difference, special, objective, (7, 6, 5));
            }
        }
    }
}

quickcheck! {
    fn any_special_rules_against_brute_force(
        difference: i8, death: Option<(u8, bool)>, escape: Option<(u8, u8, bool)>, rounds: Option<u8>,
        objective: u8, state: (u8, u8, u8)
    ) -> bool {
        let special = (
            death.map(|(losses, reset)| (losses % 3 + 1, reset)),
            escape.map(|(after, cost, luck)| (after % 4, cost % 6, luck)),
            rounds.map(|rounds| rounds % 7),
        );
        let state = (u16::from(state.0 % 6) + 1, u16::from(state.1 % 6) + 1, u16::from(state.2 % 5));
        check_brute((difference % 10).into(), special, objective % 3, state);
        true
    }
}

// ---- Bad input and extremes ----

#[test]
fn fighters_out_of_range_are_refused() {
    assert_eq!(Hero::new(12, 0, 12), Err(Error::NoStamina { who: "hero" }));
    assert_eq!(
        Hero::new(12, -1, 12),
        Err(Error::Stamina {
            who: "hero",
            given: -1,
            limit: 65_535
        })
    );
    assert_eq!(
        Hero::new(12, 65_536, 12),
        Err(Error::Stamina {
            who: "hero",
            given: 65_536,
            limit: 65_535
        })
    );
    assert_eq!(
        Hero::new(12, 12, -1),
        Err(Error::Luck {
            given: -1,
            limit: 65_535
        })
    );
    assert_eq!(
        Hero::new(12, 12, i64::MAX),
        Err(Error::Luck {
            given: i64::MAX,
            limit: 65_535
        })
    );
    assert_eq!(Foe::new(12, 0), Err(Error::NoStamina { who: "foe" }));
    assert_eq!(
        Foe::new(12, i64::MIN),
        Err(Error::Stamina {
            who: "foe",
            given: i64::MIN,
            limit: 65_535
        })
    );
}

#[test]
fn huge_skill_gaps_are_certain_rounds() {
    for (hero, foe, value) in [
        (i32::MAX, i32::MIN, "1"),
        (i32::MIN, i32::MAX, "0"),
        (11, 0, "1"),
        (0, 11, "0"),
    ] {
        let duel = Duel::new(Hero::new(hero, 24, 12).unwrap(), Foe::new(foe, 24).unwrap());
        assert_eq!(duel.best_luck().unwrap().value().to_string(), value);
        assert_eq!(duel.without_luck().unwrap().to_string(), value);
        assert_eq!(duel.best_luck_f64().unwrap().value().to_string(), value);
    }
    // ±10: decided by SKILL except for draws.
    assert_eq!(
        duel(10, 1, 24, 0).best_luck().unwrap().value().to_string(),
        "1"
    );
    assert_eq!(
        duel(-10, 24, 1, 12)
            .best_luck()
            .unwrap()
            .value()
            .to_string(),
        "0"
    );
    for gap in [i64::MIN, -(1 << 40), 1 << 40, i64::MAX] {
        let table = LuckTable::optimal(
            &Rules::standard(),
            gap,
            Extent::default(),
            Advantage::Strict,
        )
        .unwrap();
        assert_eq!(table.win(24, 24, 12), Ok(if gap > 0 { 1.0 } else { 0.0 }));
    }
}

#[test]
fn duels_that_cannot_end_are_errors() {
    let drawn = Rules::standard().attack_dice(1, 1);
    let stuck = duel(0, 5, 5, 5).rules(drawn.clone());
    assert_eq!(stuck.best_luck().err(), Some(Error::NeverEnding));
    assert_eq!(stuck.without_luck().err(), Some(Error::NeverEnding));
    let small = Extent {
        hero: 5,
        foe: 5,
        luck: 5,
    };
    assert_eq!(
        LuckTable::optimal(&drawn, 0, small, Advantage::Strict),
        Err(Error::NeverEnding)
    );
    // Rules that end it make it a valid duel.
    let held = duel(0, 5, 5, 5).rules(drawn.last_rounds(3));
    assert_eq!(held.best_luck().unwrap().value(), ratio(1, 1));
    for (rules, who) in [
        (Rules::standard().hit(Damage::new(0, 4, 1)), "hero"),
        (Rules::standard().wound(Damage::new(0, 1, 3)), "foe"),
    ] {
        let error = Some(Error::Harmless { who });
        assert_eq!(
            duel(0, 5, 5, 5).rules(rules.clone()).best_luck().err(),
            error
        );
        assert_eq!(
            LuckTable::optimal(&rules, 0, small, Advantage::Strict).err(),
            error
        );
    }
    let at_once = Rules::standard().sudden_death(SuddenDeath::after(0));
    assert_eq!(
        duel(0, 5, 5, 5).rules(at_once).best_luck().err(),
        Some(Error::SuddenDeathAtOnce)
    );
    let special = Rules::standard().last_rounds(3);
    assert_eq!(
        LuckTable::optimal(&special, 0, small, Advantage::Strict).err(),
        Some(Error::SpecialRules)
    );
}

#[test]
fn maps_know_their_bounds() {
    let all = Extent::default();
    let map = LuckMap::exact(&Rules::standard(), 0, all, Advantage::Strict).unwrap();
    assert_eq!(
        map.win(0, 1, 1).err(),
        Some(Error::NoStamina { who: "hero" })
    );
    assert_eq!(
        map.decision(1, 0, 1).err(),
        Some(Error::NoStamina { who: "foe" })
    );
    assert!(matches!(map.win(25, 1, 1), Err(Error::Solve(_))));
    assert!(matches!(map.after_loss(1, 1, 13), Err(Error::Solve(_))));
    let table =
        LuckTable::optimal(&Rules::standard(), 0, Extent::default(), Advantage::Strict).unwrap();
    for (hero, foe, luck) in [(0, 1, 1), (1, 0, 1), (25, 1, 1), (1, 25, 1), (1, 1, 13)] {
        assert_eq!(
            table.win(hero, foe, luck),
            Err(Error::OutsideTable { hero, foe, luck })
        );
    }
    let nobody = Extent {
        hero: 0,
        foe: 5,
        luck: 5,
    };
    let error = LuckTable::optimal(&Rules::standard(), 0, nobody, Advantage::Strict).err();
    assert_eq!(error, Some(Error::NoStamina { who: "hero" }));
    // Regression test: these were maps without states.
    let map = LuckMap::exact(&Rules::standard(), 0, nobody, Advantage::Strict);
    assert_eq!(map.err(), error);
    let nothing = Extent {
        hero: 5,
        foe: 0,
        luck: 0,
    };
    let map = LuckMap::float(&Rules::standard(), 0, nothing, Advantage::Strict);
    assert_eq!(map.err(), Some(Error::NoStamina { who: "foe" }));
}

#[test]
fn huge_staminas_end_in_a_limit() {
    // All of these take less than a second and no memory.
    for (hero, foe, luck) in [
        (65_535, 65_535, 65_535),
        (65_535, 65_535, 0),
        // With 1 instead of 9 the values of all states just fit the default limit.
        (65_535, 9, 0),
        (9, 65_535, 0),
    ] {
        let error = duel(0, hero, foe, luck).best_luck().err();
        assert!(matches!(error, Some(Error::Solve(_))), "{error:?}");
    }
    assert!(matches!(
        duel(0, 65_535, 65_535, 12).best_luck_f64(),
        Err(Error::Solve(_))
    ));
    let endless = Extent {
        hero: 65_535,
        foe: 65_535,
        luck: 12,
    };
    let table = LuckTable::optimal(&Rules::standard(), 0, endless, Advantage::Strict);
    assert!(matches!(table, Err(Error::TooManyStates { .. })));
    // One huge fighter alone is no problem for floats.
    assert_eq!(duel(0, 65_535, 1, 12).best_luck_f64().unwrap().value(), 1.0);
    let long = duel(0, 24, 24, 12).rules(Rules::standard().last_rounds(65_535));
    assert!(matches!(long.best_luck_f64(), Err(Error::Solve(_))));
    let none = duel(0, 5, 5, 5).rules(Rules::standard().attack_dice(2, 0));
    assert!(matches!(none.best_luck(), Err(Error::Dice(_))));
}

/// Regression test: a table of all sums was computed for minutes and in vain: 1,000 six-sided dice
/// have more rolls than the counts can hold, and one with millions of sides as many sums.
#[test]
fn huge_dice_are_counted_or_refused_at_once() {
    for (count, sides) in [
        (13, 6),
        (1_000, 6),
        (1_000_000, 6),
        (u32::MAX, u32::MAX),
        (32, 2),
    ] {
        let rules = Rules::standard().attack_dice(count, sides);
        let refused = Error::TooManyAttackDice { count, sides };
        for difference in [-1_000_000, 0, 5] {
            assert_eq!(rules.round(difference), Err(refused.clone()));
        }
        let dice = duel(0, 5, 5, 5).rules(rules);
        assert!(matches!(
            dice.best_luck(),
            Err(Error::TooManyAttackDice { .. })
        ));
        let rules = Rules::standard().luck_dice(2 * count.min(1 << 30), sides);
        let refused = duel(0, 5, 5, 5).rules(rules).best_luck().err();
        assert!(matches!(refused, Some(Error::TooManyLuckDice { .. })));
    }
    assert_eq!(
        Error::TooManyAttackDice {
            count: 1_000,
            sides: 6
        }
        .to_string(),
        "an attack round with 1000 dice of 6 sides for each side has more than 2^64 rolls; use fewer dice"
    );
    // By the triangle of differences of two dice.
    let sides = 4_000_000_000_u64;
    let huge = Rules::standard().attack_dice(1, sides as u32);
    let less = |by: u64| (sides - by) * (sides - by + 1) / 2;
    let odds = huge.round(7).unwrap();
    assert_eq!(odds.counts(), (sides * sides - less(7), sides - 7, less(8)));
    assert_eq!(huge.round(-7).unwrap().counts().2, odds.counts().0);
    assert_eq!(
        huge.round(i64::MIN).unwrap().counts(),
        (0, 0, sides * sides)
    );
    assert_eq!(
        huge.round(i64::MAX).unwrap().counts(),
        (sides * sides, 0, 0)
    );
    let tested = Rules::standard().luck_dice(1, u32::MAX).luck_counts(65_535);
    assert_eq!(tested, Ok((65_535, u64::from(u32::MAX) - 65_535)));
    // All of them, and none.
    for dice in [(u32::MAX, 1), (0, 6)] {
        let even = Rules::standard().attack_dice(dice.0, dice.1);
        let counts = [-1, 0, 1].map(|difference| even.round(difference).unwrap().counts());
        assert_eq!(counts, [(0, 0, 1), (0, 1, 0), (1, 0, 0)]);
    }
}

/// The counts of the table of differences, for all dice for which it is the shorter way.
#[test]
fn rounds_of_any_dice_are_those_of_the_table() {
    use oddsmith_dice::DifferenceTable;
    use oddsmith_fightingfantasy::RoundOdds;
    for (count, sides) in [
        (0, 4),
        (1, 1),
        (1, 20),
        (2, 6),
        (3, 7),
        (5, 4),
        (12, 6),
        (31, 2),
    ] {
        let table = DifferenceTable::new(count, sides).unwrap();
        let rules = Rules::standard().attack_dice(count, sides);
        let most = i64::from(count * sides) + 2;
        for difference in -most..=most {
            let expected = RoundOdds::from_table(&table, difference);
            assert_eq!(
                rules.round(difference),
                expected,
                "{count}d{sides} {difference}"
            );
        }
    }
}

#[test]
fn luck_beyond_twelve_always_succeeds() {
    // Above 12 every test is lucky: offence with LUCK 40 takes 4 for each hit.
    let value = duel(0, 1, 8, 40).best_luck().unwrap().value();
    assert_eq!(value, ratio(1, 4));
    let game = DuelGame::new(
        &Rules::standard(),
        0,
        Extent {
            hero: 2,
            foe: 2,
            luck: 200,
        },
        Objective::victory(),
    )
    .unwrap();
    let solution = Solver::exact()
        .solve_indexed(&game, DuelState::new(2, 2, 200))
        .unwrap();
    assert_eq!(solution.value(), ratio(3, 4));
}

/// Regression test: it was explored by hash for minutes before the error.
#[test]
fn huge_duels_without_luck_are_answered_or_refused_at_once() {
    let hero = Hero::new(10, 65_535, 12).unwrap();
    let duel = Duel::new(hero, Foe::new(10, 65_535).unwrap());
    // Equal sides: a half, by the closed form.
    assert_eq!(duel.without_luck().unwrap().to_string(), "1/2");
    let never = |_: &DuelState, _: &[DuelAction]| 0;
    assert!(matches!(
        duel.with_policy(never),
        Err(Error::TooManyStates { .. })
    ));
    let long = Duel::new(Hero::new(10, 24, 12).unwrap(), Foe::new(10, 24).unwrap())
        .rules(Rules::standard().last_rounds(65_535));
    assert!(matches!(
        long.without_luck(),
        Err(Error::TooManyStates { .. })
    ));
}

/// Regression test: counters overflowed at the end of their types.
#[test]
fn counters_at_their_ends_are_counted_no_further() {
    let (hero, foe) = (Hero::new(10, 1, 0).unwrap(), Foe::new(10, 1).unwrap());
    for rules in [
        Rules::standard().last_rounds(u16::MAX),
        Rules::standard().escape(Escape::after(u16::MAX)),
        Rules::standard().sudden_death(SuddenDeath::after(u8::MAX)),
    ] {
        let duel = Duel::new(hero, foe).rules(rules);
        let value = duel.best_luck_f64().unwrap().value();
        // One decisive round settles it, or the draws last for ever.
        assert!((value - 0.5).abs() < 1e-12, "{value}");
        let mut last = DuelState::new(1, 1, 0);
        (last.round, last.streak) = (u16::MAX, u8::MAX);
        Node::of(&duel.game().unwrap(), &last).unwrap();
    }
}

/// Regression test: this was an index beyond the table of tests.
#[test]
fn luck_beyond_the_extent_is_tested_all_the_same() {
    let duel = Duel::new(Hero::new(12, 24, 3).unwrap(), Foe::new(14, 12).unwrap());
    let game = duel.game().unwrap();
    let beyond = DuelState::new(24, 12, 40);
    let lucky = Solver::exact().solve(&game, beyond).unwrap();
    let right = Duel::new(Hero::new(12, 24, 40).unwrap(), Foe::new(14, 12).unwrap());
    assert_eq!(lucky.value(), right.best_luck().unwrap().value());
}

/// A gain from running is not a gain from LUCK.
#[test]
fn without_luck_the_hero_may_still_run() {
    let (hero, foe) = (Hero::new(6, 3, 6).unwrap(), Foe::new(12, 12).unwrap());
    let rules = Rules::standard().escape(Escape::after(0));
    let duel = Duel::new(hero, foe)
        .rules(rules.clone())
        .objective(Objective::survival());
    let melee = Melee::in_turn(hero, [foe])
        .unwrap()
        .rules(rules)
        .objective(Objective::survival());
    assert_eq!(duel.without_luck().unwrap(), melee.without_luck().unwrap());
    assert_eq!(duel.without_luck_f64().unwrap(), 1.0);
    let told = duel.best_luck().unwrap().explain().unwrap().to_string();
    assert!(told.contains("before the round:\n  run 1, best"), "{told}");
}

/// Regression test: a hero who was sure to be unlucky ran for 3 instead of 5.
#[test]
fn bad_luck_makes_no_flight_cheaper() {
    for (luck, kept) in [(1, "1"), (12, "2")] {
        let rules = Rules::standard().escape(Escape::after(0).cost(5).with_luck());
        let duel = Duel::new(Hero::new(2, 6, luck).unwrap(), Foe::new(14, 20).unwrap());
        let duel = duel
            .rules(rules)
            .objective(Objective::stamina_of_survivor());
        assert_eq!(duel.best_luck().unwrap().value().to_string(), kept);
    }
}
