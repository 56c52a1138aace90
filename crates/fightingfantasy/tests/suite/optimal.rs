//! Optimal use of LUCK: the vectors, the published rule, the kernel, the paper's numbers, theorems.

use crate::oracle;
use std::collections::HashMap;

use crate::oracle::{fraction, integer, ratio};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_fightingfantasy::{
    Advantage, Damage, Decision, Duel, DuelState, Extent, Foe, Hero, LuckMap, LuckTable, Objective,
    Phase, RoundOdds, Rules, Score, SuddenDeath, WithoutLuck,
};
use quickcheck::quickcheck;

fn duel(difference: i64, hero: u16, foe: u16, luck: u16) -> Duel {
    let skill = i32::try_from(difference).unwrap() + 12;
    let hero = Hero::new(skill, hero.into(), luck.into()).unwrap();
    Duel::new(hero, Foe::new(12, foe.into()).unwrap())
}

fn exact(difference: i64, advantage: Advantage) -> LuckMap<oddsmith_mdp::Exact> {
    LuckMap::exact(&Rules::standard(), difference, Extent::default(), advantage).unwrap()
}

/// The numbers at the start of a vector, by position.
fn state(vector: &serde_json::Value, places: [usize; 4]) -> (i64, u16, u16, u16) {
    let [difference, hero, foe, luck] = places.map(|place| &vector[place]);
    (
        integer(difference),
        integer(hero),
        integer(foe),
        integer(luck),
    )
}

// ---- Vectors ----

#[test]
fn optimal_values_and_policies_are_those_of_the_vectors() {
    let vectors = oracle::vectors("optimal");
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 84);
    let mut maps = HashMap::new();
    for vector in vectors {
        let (difference, hero, foe, luck) = state(vector, [0, 1, 2, 3]);
        let bits: u8 = integer(&vector[5]);
        let policy = Decision {
            after_win: bits & 1 != 0,
            after_loss: bits & 2 != 0,
        };
        let value = fraction(&vector[4]);
        let map = maps
            .entry(difference)
            .or_insert_with(|| exact(difference, Advantage::Strict));
        assert_eq!(map.win(hero, foe, luck).unwrap(), value, "{vector}");
        assert_eq!(map.decision(hero, foe, luck).unwrap(), policy, "{vector}");
        let plan = duel(difference, hero, foe, luck).best_luck().unwrap();
        assert_eq!((plan.value(), plan.decision()), (value, policy), "{vector}");
    }
}

#[test]
fn retention_values_are_those_of_the_vectors() {
    let vectors = oracle::vectors("retention");
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 13);
    for vector in vectors {
        let (difference, hero, foe, luck) = state(vector, [0, 2, 3, 4]);
        let objective = match vector[1].as_str().unwrap() {
            "stamina>=6" => Objective::stamina_at_least(6),
            "luck>=8" => Objective::luck_at_least(8),
            "E[stamina]" => Objective::stamina_kept(),
            "win+E[luck]/12" => Objective::of(|end| match end.is_success() {
                true => Score::from((12 + i64::from(end.luck), 12)),
                false => Score::from(0),
            }),
            other => panic!("no objective {other}"),
        };
        let best = duel(difference, hero, foe, luck)
            .objective(objective)
            .best_luck()
            .unwrap();
        assert_eq!(best.value(), fraction(&vector[5]), "{vector}");
    }
}

#[test]
fn a_lucky_hit_of_three_is_that_of_the_vector() {
    let vectors = oracle::vectors("amplify3");
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 1);
    let (difference, hero, foe, luck) = state(&vectors[0], [0, 1, 2, 3]);
    let rules = Rules::standard().hit(Damage::new(2, 3, 1));
    let best = duel(difference, hero, foe, luck)
        .rules(rules)
        .best_luck()
        .unwrap();
    assert_eq!(best.value(), fraction(&vectors[0][4]));
}

#[test]
fn crypt_of_the_sorcerer_is_that_of_the_vectors() {
    let vectors = oracle::vectors("crypt");
    let vectors = vectors.as_array().unwrap();
    assert_eq!(vectors.len(), 9);
    for vector in vectors {
        let (difference, hero, foe, luck) = state(vector, [0, 1, 2, 3]);
        let death = match vector[4].as_str().unwrap() {
            "draw_ignored" => SuddenDeath::after(2),
            "draw_resets" => SuddenDeath::after(2).reset_by_draws(),
            other => panic!("no rule {other}"),
        };
        let duel = duel(difference, hero, foe, luck).rules(Rules::standard().sudden_death(death));
        let value = match vector[5].as_str().unwrap() {
            "luck" => duel.best_luck().unwrap().value(),
            "no_luck" => duel.without_luck().unwrap(),
            other => panic!("no policy {other}"),
        };
        assert_eq!(value, fraction(&vector[6]), "{vector}");
    }
}

// ---- The strict and the published rule ----

#[test]
fn strict_and_published_maps_differ_in_8910_states() {
    // Bits: after a loss, after a win. None for Δk ≤ 0 and at 10.
    let counts = [0, 2, 6, 55, 365, 875, 1_349, 1_735, 2_101, 2_422, 0];
    let (mut total, mut states) = (0, 0);
    for difference in -10..=10 {
        let strict = exact(difference, Advantage::Strict);
        let published = exact(difference, Advantage::Published);
        let rounded = LuckMap::float(
            &Rules::standard(),
            difference,
            Extent::default(),
            Advantage::Published,
        )
        .unwrap();
        let table = LuckTable::optimal(
            &Rules::standard(),
            difference,
            Extent::default(),
            Advantage::Published,
        )
        .unwrap();
        let mut differ = 0;
        for (hero, foe, luck) in strict.states() {
            let decision = published.decision(hero, foe, luck).unwrap();
            // In floats the published rule decides as in exact numbers.
            assert_eq!(rounded.decision(hero, foe, luck).unwrap(), decision);
            assert_eq!(table.decision(hero, foe, luck).unwrap(), decision);
            differ += usize::from(strict.decision(hero, foe, luck).unwrap() != decision);
            states += 1;
        }
        let expected = usize::try_from(difference).map_or(0, |difference| counts[difference]);
        assert_eq!(differ, expected, "{difference}");
        total += differ;
    }
    assert_eq!((total, states), (8_910, 157_248));
}

#[test]
fn the_published_rule_costs_next_to_nothing() {
    // Relative loss of the published rule, whole map.
    let mut worst = BigRational::zero();
    for difference in 1..=9 {
        let (strict, published) = (
            exact(difference, Advantage::Strict),
            exact(difference, Advantage::Published),
        );
        for (hero, foe, luck) in strict.states().filter(|(hero, _, _)| *hero < 4) {
            let best = strict.win(hero, foe, luck).unwrap();
            let loss = (&best - published.win(hero, foe, luck).unwrap()) / best;
            worst = worst.max(loss);
        }
    }
    assert!(worst > BigRational::zero() && worst < ratio(1, 1_000_000_000_u64));
}

// ---- The kernel ----

/// The table of the kernel equals that of the general solver to the last bit, and is close to the
/// exact one.
fn check_table(
    rules: &Rules,
    difference: i64,
    extent: Extent,
    advantage: Advantage,
    against_exact: bool,
) {
    let table = LuckTable::optimal(rules, difference, extent, advantage).unwrap();
    let map = LuckMap::float(rules, difference, extent, advantage).unwrap();
    let exact = against_exact
        .then(|| LuckMap::exact(rules, difference, extent, Advantage::Strict).unwrap());
    for (hero, foe, luck) in extent.states() {
        let value = table.win(hero, foe, luck).unwrap();
        assert_eq!(
            value.to_bits(),
            map.win(hero, foe, luck).unwrap().to_bits(),
            "{hero} {foe} {luck}"
        );
        assert_eq!(
            table.decision(hero, foe, luck).unwrap(),
            map.decision(hero, foe, luck).unwrap()
        );
        if let Some(exact) = &exact {
            // The fraction as a float is off by half a unit in the last place, the quotient by
            // another.
            let exact = exact.win_f64(hero, foe, luck).unwrap();
            let error = if exact == 0.0 {
                value
            } else {
                (value / exact - 1.0).abs()
            };
            assert!(
                error <= table.relative_error() + f64::EPSILON,
                "{hero} {foe} {luck}: {error:e}"
            );
        }
    }
}

#[test]
fn the_kernel_is_the_general_solver_to_the_last_bit() {
    for difference in -11..=11 {
        for advantage in [Advantage::Strict, Advantage::Published] {
            let against_exact = advantage == Advantage::Strict;
            check_table(
                &Rules::standard(),
                difference,
                Extent::default(),
                advantage,
                against_exact,
            );
        }
    }
}

fn damage((plain, lucky, unlucky): (u8, u8, u8)) -> Damage {
    Damage::new(
        u16::from(plain % 5) + 1,
        (lucky % 7).into(),
        (unlucky % 7).into(),
    )
}

quickcheck! {
    fn the_kernel_is_the_general_solver_for_any_damage(
        difference: i8, hit: (u8, u8, u8), wound: (u8, u8, u8), extent: (u8, u8, u8)
    ) -> bool {
        let rules = Rules::standard().hit(damage(hit)).wound(damage(wound));
        let extent = Extent {
            hero: u16::from(extent.0 % 12) + 1,
            foe: u16::from(extent.1 % 12) + 1,
            luck: (extent.2 % 13).into(),
        };
        for advantage in [Advantage::Strict, Advantage::Published] {
            check_table(&rules, (difference % 11).into(), extent, advantage, advantage == Advantage::Strict);
        }
        true
    }
}

// ---- An independent oracle: equations (20)–(24) ----

/// v_p by the equations, as printed: v(s_h, s_o, l, O) is maximised for each outcome O of the
/// current round (0 lost, 1 won), and the round before it is the mean of both, draws left out.
struct Bellman {
    p_w: BigRational,
    p_l: BigRational,
    hit: [i64; 3],
    wound: [i64; 3],
    known: HashMap<(i64, i64, i64, u8), BigRational>,
}

impl Bellman {
    fn new(difference: i64, hit: Damage, wound: Damage) -> Self {
        // Two dice against two dice, roll by roll.
        let (mut win, mut lose) = (0, 0);
        for roll in 0..1296_i64 {
            let [a, b, c, d] = [roll % 6, roll / 6 % 6, roll / 36 % 6, roll / 216];
            let margin = a + b + difference - c - d;
            win += i64::from(margin > 0);
            lose += i64::from(margin < 0);
        }
        let list = |d: Damage| [d.plain, d.lucky, d.unlucky].map(i64::from);
        Bellman {
            p_w: ratio(win, win + lose),
            p_l: ratio(lose, win + lose),
            hit: list(hit),
            wound: list(wound),
            known: HashMap::new(),
        }
    }

    /// The mean over the outcomes of a round: p_l v(…, 0) + p_w v(…, 1).
    fn round(&mut self, h: i64, o: i64, l: i64) -> BigRational {
        match (h <= 0, o <= 0) {
            (true, _) => BigRational::zero(),
            (_, true) => BigRational::one(),
            _ => &self.p_l.clone() * self.v(h, o, l, 0) + &self.p_w.clone() * self.v(h, o, l, 1),
        }
    }

    /// (p_y, p_n): using LUCK, and not. LUCK 0 has no p_y.
    fn both(&mut self, h: i64, o: i64, l: i64, outcome: u8) -> (Option<BigRational>, BigRational) {
        let q = oracle::lucky(u32::try_from(l).unwrap());
        let [plain, good, bad] = if outcome == 0 { self.wound } else { self.hit };
        let mut after = |damage, l| match outcome {
            0 => self.round(h - damage, o, l),
            _ => self.round(h, o - damage, l),
        };
        let p_n = after(plain, l);
        let p_y = (l > 0)
            .then(|| &q * after(good, l - 1) + (BigRational::one() - &q) * after(bad, l - 1));
        (p_y, p_n)
    }

    fn v(&mut self, h: i64, o: i64, l: i64, outcome: u8) -> BigRational {
        if let Some(value) = self.known.get(&(h, o, l, outcome)) {
            return value.clone();
        }
        let (p_y, p_n) = self.both(h, o, l, outcome);
        let value = match p_y {
            Some(p_y) if p_y > p_n => p_y,
            _ => p_n,
        };
        self.known.insert((h, o, l, outcome), value.clone());
        value
    }
}

fn check_bellman(difference: i64, hit: Damage, wound: Damage, extent: Extent) {
    let rules = Rules::standard().hit(hit).wound(wound);
    let map = LuckMap::exact(&rules, difference, extent, Advantage::Strict).unwrap();
    let mut oracle = Bellman::new(difference, hit, wound);
    for (hero, foe, luck) in extent.states() {
        let (h, o, l) = (hero.into(), foe.into(), luck.into());
        assert_eq!(map.win(hero, foe, luck).unwrap(), oracle.round(h, o, l));
        assert_eq!(
            map.after_loss(hero, foe, luck).unwrap(),
            oracle.v(h, o, l, 0)
        );
        assert_eq!(
            map.after_win(hero, foe, luck).unwrap(),
            oracle.v(h, o, l, 1)
        );
        let uses = [0, 1].map(|outcome| {
            let (p_y, p_n) = oracle.both(h, o, l, outcome);
            p_y.is_some_and(|p_y| p_y > p_n)
        });
        let decision = map.decision(hero, foe, luck).unwrap();
        assert_eq!(
            [decision.after_loss, decision.after_win],
            uses,
            "{hero} {foe} {luck}"
        );
        // Ties are reported as ties.
        for (outcome, phase) in [Phase::Lost, Phase::Won].into_iter().enumerate() {
            let (p_y, p_n) = oracle.both(h, o, l, outcome as u8);
            let best = map
                .solution()
                .best(&DuelState::new(hero, foe, luck).after(phase))
                .unwrap();
            assert_eq!(best.len() == 2, p_y == Some(p_n));
        }
    }
}

#[test]
fn equations_20_to_24_as_printed() {
    let extent = Extent {
        hero: 9,
        foe: 10,
        luck: 12,
    };
    for difference in [-9, -4, 0, 2, 9] {
        check_bellman(
            difference,
            Damage::new(2, 4, 1),
            Damage::new(2, 1, 3),
            extent,
        );
    }
}

quickcheck! {
    fn equations_20_to_24_for_any_damage(difference: i8, hit: (u8, u8, u8), wound: (u8, u8, u8)) -> bool {
        let extent = Extent { hero: 6, foe: 7, luck: 4 };
        check_bellman((difference % 10).into(), damage(hit), damage(wound), extent);
        true
    }
}

// ---- The paper's numbers ----

/// (without LUCK, with its best use) as printed, and the number of printed digits.
#[track_caller]
fn check_published(difference: i64, hero: u16, foe: u16, luck: u16, without: &str, best: &str) {
    let duel = duel(difference, hero, foe, luck);
    let print = |value: f64, like: &str| match like.split_once('e') {
        Some((mantissa, _)) => format!("{value:.*e}", mantissa.len() - 2),
        None => format!("{value:.*}", like.len() - 2),
    };
    let values = (
        duel.without_luck_f64().unwrap(),
        duel.best_luck_f64().unwrap().value(),
    );
    assert_eq!(
        (print(values.0, without), print(values.1, best)),
        (without.into(), best.into())
    );
}

#[test]
fn chances_of_the_text() {
    // "increased victory probability by a factor of 10^18, albeit to a mere 2.3 × 10⁻¹⁹": the value
    // is 2.36 × 10⁻¹⁹, cut off rather than rounded.
    check_published(-9, 2, 23, 12, "4.6e-38", "2.36e-19");
    // "1159-fold, from 9.8 × 10⁻⁶ to 0.011", "21-fold, from 0.010 to 0.22".
    check_published(-4, 22, 19, 12, "9.8e-6", "0.011");
    check_published(-4, 22, 19, 12, "9.8e-6", "0.01141");
    check_published(-2, 22, 21, 12, "0.010", "0.22");
    check_published(-2, 22, 21, 12, "0.01016", "0.2212");
    // White Dragon: "0.046 rather than 4.4 × 10⁻⁴". Hell Demon: "0.78 rather than 0.28".
    check_published(-3, 24, 22, 12, "4.4e-4", "0.046");
    check_published(-3, 24, 22, 12, "4.4e-4", "0.04639");
    check_published(-2, 24, 12, 12, "0.28", "0.78");
    check_published(-2, 24, 12, 12, "0.2815", "0.7764");
    let fold = |difference, hero, foe| {
        let plan = duel(difference, hero, foe, 12).best_luck().unwrap();
        plan.fold_increase().unwrap().unwrap()
    };
    assert_eq!(format!("{:.1e}", fold(-9, 2, 23)), "5.1e18");
    assert_eq!(
        (fold(-4, 22, 19) as u32, fold(-2, 22, 21) as u32),
        (1_159, 21)
    );
}

#[test]
fn highest_fold_increases_of_the_whole_map() {
    // "the highest fold increase with the final probability greater than 0.01" and "… with the
    // initial probability greater than 0.01": true, among all 157,248 states.
    let floor = ratio(1, 100);
    let mut highest = [
        (BigRational::zero(), (0, 0, 0, 0)),
        (BigRational::zero(), (0, 0, 0, 0)),
    ];
    for difference in -10..=10 {
        let map = exact(difference, Advantage::Strict);
        let floats = LuckTable::optimal(
            &Rules::standard(),
            difference,
            Extent::default(),
            Advantage::Strict,
        )
        .unwrap();
        let without = WithoutLuck::new(RoundOdds::standard(difference));
        let mut plain = HashMap::new();
        for (hero, foe, luck) in map.states() {
            let initial = plain
                .entry((hero, foe))
                .or_insert_with(|| without.win(hero.into(), foe.into()).unwrap());
            // A float is enough to leave out what is far too small.
            if initial.is_zero() || floats.win(hero, foe, luck).unwrap() < 0.009 {
                continue;
            }
            let last = map.win(hero, foe, luck).unwrap();
            let fold = &last / &*initial;
            for (record, above) in highest.iter_mut().zip([last > floor, *initial > floor]) {
                if above && fold > record.0 {
                    *record = (fold.clone(), (difference, hero, foe, luck));
                }
            }
        }
    }
    let found = highest.map(|(fold, at)| (fold.to_f64().unwrap() as u32, at));
    assert_eq!(found, [(1_159, (-4, 22, 19, 12)), (21, (-2, 22, 21, 12))]);
}

// ---- Theorems ----

/// All values of the general solver at some SKILL differences, by (Δk, s_h, s_o, l).
fn values(rules: &Rules, extent: Extent) -> HashMap<(i64, u16, u16, u16), BigRational> {
    let mut values = HashMap::new();
    for difference in -10..=10 {
        let map = LuckMap::exact(rules, difference, extent, Advantage::Strict).unwrap();
        for (hero, foe, luck) in extent.states() {
            let value = map.win(hero, foe, luck).unwrap();
            values.insert((difference, hero, foe, luck), value);
        }
    }
    values
}

/// The number of states in which one more STAMINA of the hero, one less of the foe, one more SKILL
/// or one more LUCK makes victory less likely.
fn decreases(rules: &Rules, extent: Extent) -> [usize; 4] {
    let values = values(rules, extent);
    let mut counts = [0; 4];
    for (&(difference, hero, foe, luck), value) in &values {
        let better = [
            (difference, hero + 1, foe, luck),
            (difference, hero, foe - 1, luck),
            (difference + 1, hero, foe, luck),
            (difference, hero, foe, luck + 1),
        ];
        for (count, better) in counts.iter_mut().zip(better) {
            *count += usize::from(values.get(&better).is_some_and(|better| better < value));
        }
    }
    counts
}

#[test]
fn more_of_anything_is_never_worse() {
    assert_eq!(
        decreases(
            &Rules::standard(),
            Extent {
                hero: 13,
                foe: 12,
                luck: 12
            }
        ),
        [0; 4]
    );
}

#[test]
fn more_luck_is_worse_where_unlucky_tests_are_better() {
    // STAMINA and SKILL help under any damage; LUCK does not if an unlucky hit takes 4 and a lucky
    // one 1.
    let rules = Rules::standard()
        .hit(Damage::new(1, 1, 4))
        .wound(Damage::new(2, 4, 0));
    let small = Extent {
        hero: 4,
        foe: 4,
        luck: 5,
    };
    let counts = decreases(&rules, small);
    assert_eq!(counts[..3], [0; 3]);
    assert!(counts[3] > 0);
    let value = |luck| {
        duel(-1, 1, 1, luck)
            .rules(rules.clone())
            .best_luck()
            .unwrap()
            .value()
    };
    assert!(value(4) < value(3));
}

quickcheck! {
    fn stamina_and_skill_help_under_any_damage(hit: (u8, u8, u8), wound: (u8, u8, u8)) -> bool {
        let rules = Rules::standard().hit(damage(hit)).wound(damage(wound));
        decreases(&rules, Extent { hero: 4, foe: 4, luck: 2 })[..3] == [0; 3]
    }
}

#[test]
fn optimal_play_beats_every_policy_there_is() {
    // All 2^16 policies of a small duel: the best of them is the optimum.
    let extent = Extent {
        hero: 3,
        foe: 3,
        luck: 3,
    };
    for difference in [-4, 0, 3] {
        let best = duel(difference, 3, 3, 3)
            .best_luck()
            .unwrap()
            .value()
            .to_f64()
            .unwrap();
        let mut highest = 0.0_f64;
        for policy in 0..1_u32 << 16 {
            // Bits for (s_h, s_o) in {2, 3}², LUCK 2 and 3, both outcomes: elsewhere, and with LUCK
            // 1, which never succeeds, the best is fixed.
            let bit = |hero: u16, foe: u16, luck: u16, won: u16| {
                let place = ((hero - 2) * 2 + foe - 2) * 4 + (luck - 2) * 2 + won;
                policy >> place & 1 == 1
            };
            let table =
                LuckTable::of_policy(&Rules::standard(), difference, extent, |hero, foe, luck| {
                    if luck < 2 {
                        Decision::default()
                    } else if hero < 2 || foe < 2 {
                        Decision {
                            after_win: hero < 2 && foe > 2,
                            after_loss: hero == 2,
                        }
                    } else {
                        Decision {
                            after_win: bit(hero, foe, luck, 1),
                            after_loss: bit(hero, foe, luck, 0),
                        }
                    }
                });
            highest = highest.max(table.unwrap().win(3, 3, 3).unwrap());
        }
        assert!(
            (highest - best).abs() < 1e-14,
            "{difference}: {highest} {best}"
        );
    }
}

#[test]
fn a_table_with_all_the_luck_there_can_be() {
    let extent = Extent {
        hero: 2,
        foe: 2,
        luck: u16::MAX,
    };
    let table = LuckTable::optimal(&Rules::standard(), 0, extent, Advantage::Strict).unwrap();
    assert_eq!(table.win(2, 2, u16::MAX).unwrap(), 0.75);
}
