//! The paper's strategies 0 to 8 evaluated exactly: vectors, oracle, optimal play, the rule of
//! thumb.

use crate::oracle;
use crate::oracle::{fraction, integer, ratio};
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_fightingfantasy::{
    Advantage, Damage, Decision, Duel, DuelGame, DuelState, Error, Escape, Extent, Foe, Hero,
    Heuristic, HeuristicMap, LuckTable, Objective, Phase, PolicyLoss, RuleOfThumb, Rules, Strategy,
    SuddenDeath, Threshold, best_heuristics,
};
use oddsmith_mdp::Solver;
use quickcheck::quickcheck;

fn standard(difference: i64) -> HeuristicMap {
    HeuristicMap::new(&Rules::standard(), difference, Extent::default()).unwrap()
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
        let table = heuristic
            .table(&Rules::standard(), difference, Extent::default())
            .unwrap();
        let float = table.win(hero, foe, luck).unwrap();
        let error = (float / expected.to_f64().unwrap() - 1.0).abs();
        assert!(
            error <= table.relative_error() + f64::EPSILON,
            "{vector}: {float}"
        );
    }
}

#[test]
fn strategies_are_those_of_the_text() {
    // (s_h, s_o) and the labels of strategies 0 to 8 there, if LUCK is allowed.
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
    assert_eq!(
        Strategy::ALL.map(Strategy::number),
        [0, 1, 2, 3, 4, 5, 6, 7, 8]
    );
    assert_eq!(Strategy::from_number(9), None);
}

#[test]
fn thresholds_at_their_ends() {
    assert!(!Threshold::Above(u16::MAX).allows(u16::MAX));
    assert!(Threshold::AtLeast(u16::MAX).allows(u16::MAX));
    assert!(!Threshold::Above(0).allows(0) && !Threshold::AtLeast(0).allows(0));
    assert!(Threshold::Above(0).allows(1) && Threshold::AtLeast(0).allows(1));
}

/// Evaluates every heuristic by the general solver, state by state, and finds the best with
/// fractions.
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
        assert!(
            strategies.iter().eq(Strategy::ALL
                .iter()
                .filter(|s| best.iter().any(|h| h.strategy() == **s)))
        );
        for strategy in Strategy::ALL.into_iter().skip(1) {
            let own = |i: &usize| all[*i].0 == strategy && all[*i].1 < luck;
            let highest = (0..all.len())
                .filter(own)
                .map(value)
                .max()
                .unwrap_or_default()
                .max(value(0));
            let thresholds: Vec<_> = (0..all.len())
                .filter(own)
                .filter(|&i| value(i) == highest)
                .map(|i| Threshold::Above(all[i].1))
                .collect();
            assert_eq!(
                map.thresholds(strategy, hero, foe, luck).unwrap(),
                thresholds
            );
        }
    }
}

#[test]
fn the_map_is_what_the_general_solver_finds() {
    let small = Extent {
        hero: 8,
        foe: 9,
        luck: 5,
    };
    for difference in [-10, -9, -4, 0, 3, 9, 10, 11] {
        check_map(&Rules::standard(), difference, small);
    }
    check_map(
        &Rules::standard(),
        1,
        Extent {
            hero: 3,
            foe: 7,
            luck: 12,
        },
    );
    check_map(
        &Rules::standard(),
        1,
        Extent {
            hero: 1,
            foe: 1,
            luck: 0,
        },
    );
    let variant = Rules::standard().hit(Damage::new(2, 3, 1));
    check_map(&variant, -2, small);
    // LUCK that can undo a blow, or any deadly blow.
    let odd = Rules::standard()
        .hit(Damage::new(1, 9, 0))
        .wound(Damage::new(3, 0, 70))
        .luck_dice(1, 5);
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
    for (difference, hero, foe, luck) in [(-4, 2, 3, 12), (0, 9, 9, 7), (2, 6, 12, 9), (9, 7, 7, 4)]
    {
        let one = best_heuristics(&duel(difference, hero.into(), foe.into(), luck.into())).unwrap();
        assert_eq!(
            one,
            standard(difference.into()).best(hero, foe, luck).unwrap()
        );
    }
}

#[test]
fn special_rules_are_played() {
    // These strategies never run, and treat the parting wound like any other.
    let rules = Rules::standard()
        .sudden_death(SuddenDeath::after(2))
        .escape(Escape::after(0).with_luck());
    let special = duel(-1, 8, 6, 10).rules(rules.clone());
    let best = best_heuristics(&special).unwrap();
    assert!(best.value > best.without_luck && best.value <= best.optimal);
    assert_eq!(best.without_luck, special.without_luck().unwrap());
    // A kernel for plain rules rejects this.
    assert_eq!(
        HeuristicMap::new(&rules, 0, Extent::default()).err(),
        Some(Error::SpecialRules)
    );
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
    for huge in [
        extent(65_535, 65_535, 65_535),
        extent(65_535, 1, 12),
        extent(1, 1, 65_535),
        extent(65_535, 65_535, 0),
    ] {
        let error = error(0, huge);
        assert!(matches!(error, Error::TooManyHeuristics { .. }), "{error}");
    }
    let harmless = Rules::standard().hit(Damage::new(0, 4, 1));
    let error = HeuristicMap::new(&harmless, 0, extent(3, 3, 3)).err();
    assert_eq!(error, Some(Error::Harmless { who: "hero" }));
    let drawn = Rules::standard().attack_dice(1, 1);
    assert_eq!(
        HeuristicMap::new(&drawn, 0, extent(3, 3, 3)).err(),
        Some(Error::NeverEnding)
    );
    let map = standard(0);
    for (hero, foe, luck) in [(0, 1, 1), (1, 0, 1), (25, 1, 1), (1, 25, 1), (1, 1, 13)] {
        let outside = Error::OutsideTable { hero, foe, luck };
        assert_eq!(map.best(hero, foe, luck).err(), Some(outside.clone()));
        assert_eq!(map.strategies(hero, foe, luck).err(), Some(outside.clone()));
        assert_eq!(
            map.thresholds(Strategy::Always, hero, foe, luck).err(),
            Some(outside)
        );
    }
    let long = duel(0, 24, 24, 65_535);
    assert!(matches!(
        best_heuristics(&long),
        Err(Error::DuelTooLong { .. })
    ));
    let never = |_, _| |_, _, _| Decision::default();
    let error = PolicyLoss::measure(&rules, i64::MIN..=i64::MAX, Extent::default(), never);
    // Regression test: the error named 13 heuristics, but there are none here.
    let too_many = Error::TooManyStarts {
        states: 7_488 << 64,
        lucks: 13,
        limit: 100_000_000,
    };
    assert_eq!(error, Err(too_many));
    #[expect(
        clippy::reversed_empty_ranges,
        reason = "an empty range is what is tested"
    )]
    let nothing = PolicyLoss::measure(&rules, 3..=2, Extent::default(), never);
    assert_eq!(nothing, Err(Error::NoSkillDifference { first: 3, last: 2 }));
    let mut passed = 3..=3;
    passed.next();
    let nothing = PolicyLoss::measure(&rules, passed, Extent::default(), never);
    assert!(matches!(nothing, Err(Error::NoSkillDifference { .. })));
    let far = PolicyLoss::measure(&rules, i64::MAX..=i64::MAX, Extent::default(), never).unwrap();
    assert_eq!((far.states, far.worst.loss), (7_488, 0.0));
    // Regression test: where nothing was lost, this was at STAMINA 0.
    assert_eq!((far.worst.hero, far.worst.foe), (1, 1));
    assert_eq!(far.worst.skill_difference, i64::MAX);
}

// ---- Against optimal play ----

#[test]
fn optimal_play_beats_every_heuristic_everywhere() {
    // With the number of states in which a heuristic is equally good.
    let mut equal = Vec::new();
    for difference in [-9, -2, 0, 5] {
        let map = standard(difference);
        let mut count = 0;
        for (hero, foe, luck) in map.extent().states() {
            let best = map.best(hero, foe, luck).unwrap();
            assert!(best.without_luck <= best.value && best.value <= best.optimal);
            assert_eq!(best.gain().is_none(), best.value == best.without_luck);
            assert_eq!(best.labels().is_empty(), best.gain().is_none());
            count += usize::from(best.loss().is_zero());
        }
        equal.push(count);
    }
    assert_eq!(equal, [2_928, 2_761, 3_009, 3_176]);
}

#[test]
fn a_fixed_strategy_can_suffer_from_more_luck_and_stamina() {
    // Optimal play cannot (tests/optimal.rs). More SKILL helps every strategy; the rest is found
    // here, for strategies 1 to 8 with l > 0: [more STAMINA, more LUCK, a weaker foe, more SKILL]
    // makes victory less likely.
    let harms = |strategy| {
        let tables: Vec<LuckTable> = (-10..=10)
            .map(|difference| {
                let heuristic = Heuristic::new(strategy, Threshold::Above(0));
                heuristic
                    .table(&Rules::standard(), difference, Extent::default())
                    .unwrap()
            })
            .collect();
        let mut harms = [false; 4];
        for (i, table) in tables.iter().enumerate() {
            for (hero, foe, luck) in table.extent().states() {
                // By more than rounding.
                let value = table.win(hero, foe, luck).unwrap() * (1.0 - 1e-9);
                let worse = |table: &LuckTable, hero, foe, luck| {
                    table.win(hero, foe, luck).is_ok_and(|other| other < value)
                };
                harms[0] |= worse(table, hero + 1, foe, luck);
                harms[1] |= worse(table, hero, foe, luck + 1);
                harms[2] |= worse(table, hero, foe - 1, luck);
                harms[3] |= tables
                    .get(i + 1)
                    .is_some_and(|table| worse(table, hero, foe, luck));
            }
        }
        harms
    };
    for number in 1..=5 {
        assert_eq!(
            harms(strategy(number)),
            [false, true, false, false],
            "{number}"
        );
    }
    for number in 6..=7 {
        assert_eq!(
            harms(strategy(number)),
            [true, true, false, false],
            "{number}"
        );
    }
    assert_eq!(harms(strategy(8)), [true, true, true, false]);
    // Exactly: strategy 8 at Δk = −9 wins more often with STAMINA 2 than with 3, and against 4 than
    // against 3.
    let value = |hero, foe| {
        let behind = Heuristic::new(Strategy::IfBehind, Threshold::Above(0));
        duel(-9, hero, foe, 3).with_policy(behind).unwrap()
    };
    assert!(value(2, 3) > value(3, 3) && value(3, 4) > value(3, 3));
}

#[test]
fn open_loop_strategies_lose_little() {
    // "there is little performance loss when these heuristics are 'open-loop' … 'Feedback'
    // strategies … did not provide a substantial advantage": with the best strategy and threshold
    // of each state, strategies 1 to 3 lose that much on average against optimal play over the
    // whole map, strategies 1 to 8 that much, and strategy 0 that much.
    let mut losses = [0.0; 3];
    for difference in -10..=10 {
        let rules = Rules::standard();
        let optimal =
            LuckTable::optimal(&rules, difference, Extent::default(), Advantage::Strict).unwrap();
        let tables: Vec<Vec<LuckTable>> = Strategy::ALL
            .into_iter()
            .map(|strategy| {
                let table = |tau| {
                    Heuristic::new(strategy, Threshold::Above(tau))
                        .table(&rules, difference, Extent::default())
                        .unwrap()
                };
                (0..=12).map(table).collect()
            })
            .collect();
        for (hero, foe, luck) in optimal.extent().states() {
            let best = optimal.win(hero, foe, luck).unwrap();
            for (loss, strategies) in losses.iter_mut().zip([1..4, 1..9, 0..1]) {
                let values = tables[strategies].iter().flatten();
                let highest = values
                    .map(|table| table.win(hero, foe, luck).unwrap())
                    .fold(0.0, f64::max);
                *loss += (best - highest).max(0.0) / 157_248.0;
            }
        }
    }
    assert_eq!(
        losses.map(|loss| format!("{loss:.6}")),
        ["0.002657", "0.002567", "0.022156"]
    );
}

// ---- The rule of thumb ----

fn loss(rule: RuleOfThumb) -> PolicyLoss {
    rule.loss(&Rules::standard(), -10..=10, Extent::default())
        .unwrap()
}

#[test]
fn rule_of_thumb_is_the_sentence() {
    let rule = RuleOfThumb::default().high_luck(10).low_foe(1);
    for (difference, luck, foe, number) in [
        (0, 9, 24, 3),
        (-5, 9, 24, 3),
        (-5, 10, 24, 1), // (i), LUCK
        (-5, 9, 1, 1),   // (i), foe
        (1, 9, 24, 2),   // (ii)
        (1, 9, 2, 2),
        (1, 10, 24, 1), // (ii) but (i)
        (-1, 9, 2, 2),  // (iii)
        (0, 9, 2, 3),
        (-1, 9, 3, 3),
        (-1, 10, 2, 1), // (iii) but (i)
    ] {
        assert_eq!(
            rule.strategy(difference, luck, foe).number(),
            number,
            "{difference} {luck} {foe}"
        );
    }
}

/// Mean losses of the rule for every (high LUCK, low foe) of 0..=13 × 0..=24, s_o being the foe's
/// current STAMINA or the initial one.
fn scan(initial_foe: bool) -> Vec<((u16, u16), f64)> {
    let rules = Rules::standard();
    let all = Extent::default();
    // By initial LUCK: the loss if it is high, and if it is not, for every low foe.
    let mut high = [0.0; 13];
    let mut low = [[0.0; 25]; 13];
    for difference in -10..=10 {
        let optimal = LuckTable::optimal(&rules, difference, all, Advantage::Strict).unwrap();
        let tables = [
            (Strategy::Always, 6),
            (Strategy::Defensive, 6),
            (Strategy::Offensive, 5),
        ]
        .map(|(strategy, tau)| {
            Heuristic::new(strategy, Threshold::Above(tau))
                .table(&rules, difference, all)
                .unwrap()
        });
        for foe_low in 0..=24 {
            let rule = RuleOfThumb::default().low_foe(foe_low);
            let played = LuckTable::of_policy(&rules, difference, all, |_, foe, luck| {
                rule.decides(difference, 0, foe, luck)
            })
            .unwrap();
            for (hero, foe, luck) in all.states() {
                let lost = |table: &LuckTable| {
                    let best = optimal.win(hero, foe, luck).unwrap();
                    (best - table.win(hero, foe, luck).unwrap()).max(0.0) / 157_248.0
                };
                let place = usize::from(luck);
                if foe_low == 0 {
                    high[place] += lost(&tables[0]);
                }
                let number = rule.strategy(difference, 0, foe).number();
                let table = if initial_foe {
                    &tables[usize::from(number) - 1]
                } else {
                    &played
                };
                low[place][usize::from(foe_low)] += lost(table);
            }
        }
    }
    let mut losses = Vec::new();
    for high_luck in 0..=13_u16 {
        for low_foe in 0..=24_u16 {
            let mean = (0..=12).map(|luck| {
                if luck >= usize::from(high_luck) {
                    high[luck]
                } else {
                    low[luck][usize::from(low_foe)]
                }
            });
            losses.push(((high_luck, low_foe), mean.sum::<f64>()));
        }
    }
    losses.sort_by(|a, b| a.1.total_cmp(&b.1));
    losses
}

#[test]
fn defaults_of_the_rule_of_thumb_lose_least() {
    assert_eq!(
        RuleOfThumb::default(),
        RuleOfThumb::default().high_luck(13).low_foe(1)
    );
    let losses = scan(false);
    assert_eq!(losses.len(), 350);
    assert_eq!(
        [losses[0].0, losses[1].0, losses[2].0, losses[3].0],
        [(13, 1), (13, 0), (12, 1), (12, 0)]
    );
    for ((high_luck, low_foe), expected) in losses.iter().step_by(37) {
        let rule = RuleOfThumb::default()
            .high_luck(*high_luck)
            .low_foe(*low_foe);
        assert!((loss(rule).mean - expected).abs() < 1e-12);
    }
    let default = loss(RuleOfThumb::default());
    assert_eq!(default.states, 157_248);
    assert_eq!(
        format!("{:.6} {:.6}", default.mean, default.worst.loss),
        "0.006285 0.286325"
    );
    assert_eq!(
        format!(
            "{:.4} {:.4}",
            default.mean_relative, default.worst_relative.loss
        ),
        "0.1374 1.0000"
    );
    let twelve = loss(RuleOfThumb::default().high_luck(12));
    assert_eq!(format!("{:.6}", twelve.mean), "0.006540");
    // If s_o is the foe's initial STAMINA, the same values are the best, and lose more.
    let initial = scan(true);
    assert_eq!(
        (initial[0].0, format!("{:.6}", initial[0].1)),
        ((13, 1), "0.006976".into())
    );
    // One strategy for all states, the best of them, and none.
    let single = |strategy, tau| {
        let heuristic = Heuristic::new(strategy, Threshold::Above(tau));
        PolicyLoss::measure(&Rules::standard(), -10..=10, Extent::default(), |_, _| {
            move |hero, foe, luck| heuristic.decides(hero, foe, luck)
        })
        .unwrap()
        .mean
    };
    let means = (single(Strategy::Offensive, 5), single(Strategy::Never, 0));
    assert_eq!(
        format!("{:.6} {:.6}", means.0, means.1),
        "0.007249 0.022156"
    );
}

#[test]
fn rule_of_thumb_as_a_policy_is_its_table() {
    let rule = RuleOfThumb::default().high_luck(9).low_foe(4);
    for (difference, hero, foe, luck) in [
        (-3, 24, 22, 12),
        (-3, 24, 22, 8),
        (0, 9, 9, 8),
        (4, 7, 20, 8),
        (4, 7, 20, 9),
    ] {
        let value = duel(difference, hero, foe, luck)
            .with_policy(rule.policy(difference.into(), luck as u16))
            .unwrap();
        let extent = Extent {
            hero: hero as u16,
            foe: foe as u16,
            luck: luck as u16,
        };
        let table = LuckTable::of_policy(
            &Rules::standard(),
            difference.into(),
            extent,
            |_, foe, now| rule.decides(difference.into(), luck as u16, foe, now),
        );
        let float = table
            .unwrap()
            .win(extent.hero, extent.foe, extent.luck)
            .unwrap();
        assert!((float / value.to_f64().unwrap() - 1.0).abs() < 1e-13);
    }
}

#[test]
fn no_heuristic_beats_the_best_use_by_a_published_tolerance() {
    for luck in [3, 6] {
        let duel = Duel::new(Hero::new(8, 7, luck).unwrap(), Foe::new(0, 3).unwrap());
        let duel = duel.advantage(Advantage::Published);
        assert!(best_heuristics(&duel).unwrap().loss() >= BigRational::zero());
    }
}
