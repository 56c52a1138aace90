//! What the paper says about play without LUCK and with constant LUCK: Figs. 1 and 2, equations (16) and (17).
//!
//! Every test quotes its sentence and asserts what is true.

#![allow(clippy::unwrap_used, reason = "a failed check is a failed test")]

mod oracle;

use std::collections::BTreeMap;

use num_rational::BigRational;
use oddsmith_fightingfantasy::{RoundOdds, victory_without_luck};
use oracle::{lucky, ratio};

/// All (s_h, s_o).
fn staminas() -> impl Iterator<Item = (u16, u16)> {
    (1..=24).flat_map(|o| (1..=24).map(move |h| (h, o)))
}

// ---- Fig. 1 and the text around it ----

#[test]
fn fig_1_stamina_2n_is_equivalent_to_2n_minus_1_without_luck() {
    // "in the absence of LUCK, s = 2n is functionally equivalent to s = 2n − 1": true.
    for difference in -10..=10 {
        let odds = RoundOdds::standard(difference);
        let value = |h, o| victory_without_luck(&odds, h, o).unwrap();
        for (n, m) in staminas().filter(|&(n, m)| n <= 12 && m <= 12) {
            let (n, m) = (u32::from(n), u32::from(m));
            let four = [
                (2 * n, 2 * m),
                (2 * n - 1, 2 * m),
                (2 * n, 2 * m - 1),
                (2 * n - 1, 2 * m - 1),
            ];
            assert!(
                four.iter()
                    .all(|&(h, o)| value(h, o) == value(2 * n, 2 * m))
            );
        }
    }
}

#[test]
fn fig_1_favourable_skill_increases_victory() {
    // "more favourable Δk > 0 increase v_p and less favourable Δk < 0 decrease v_p for any given state": true,
    // strictly; at Δk = −10 victory is impossible, at 10 certain.
    for (h, o) in staminas() {
        let value = |difference| {
            victory_without_luck(&RoundOdds::standard(difference), h.into(), o.into()).unwrap()
        };
        assert!((-10..10).all(|difference| value(difference) < value(difference + 1)));
        assert_eq!((value(-10), value(10)), (ratio(0, 1), ratio(1, 1)));
    }
}

#[test]
fn fig_1_low_staminas_make_for_sharp_peaks() {
    // "For lower initial STAMINAS, v_p distributions become more sharply peaked with s values": the steepest step
    // of v_p along s_h (by 2, at Δk = 0) falls with s_o: true.
    let odds = RoundOdds::standard(0);
    let value = |h, o| victory_without_luck(&odds, h, o).unwrap();
    let steepest = |o| {
        (1..=12)
            .map(|n| value(2 * n + 1, o) - value(2 * n - 1, o))
            .max()
            .unwrap()
    };
    let steps: Vec<_> = (1..=12).map(|m| steepest(2 * m)).collect();
    assert!(steps.is_sorted_by(|a, b| a >= b) && steps[0] == ratio(1, 4));
    assert_eq!(steps[11], ratio(88_179, 1_048_576));
}

// ---- Constant LUCK, Fig. 2 and equations (16)–(17) ----

#[derive(Clone, Copy, PartialEq)]
enum Constant {
    Never,
    Offensive,
    ByExpectation,
    Optimal,
}

/// P(victory) for all (s_h, s_o) up to 24 with a LUCK that tests do not deplete; and in how many of the states, and
/// on which side, testing by expected damage alone is wrong: (tests but should not, does not but should).
fn constant_luck(
    difference: i64,
    q: &BigRational,
    plan: Constant,
) -> (BTreeMap<(i32, i32), BigRational>, [usize; 4]) {
    let (win, lose) = RoundOdds::standard(difference).decisive_counts().unwrap();
    let (win, lose) = (ratio(win, win + lose), ratio(lose, win + lose));
    let p = ratio(1, 1) - q;
    let mut values = BTreeMap::new();
    let mut wrong = [0; 4];
    for o in 1..=24 {
        for h in 1..=24 {
            let at = |h: i32, o: i32| match (h <= 0, o <= 0) {
                (true, _) => ratio(0, 1),
                (_, true) => ratio(1, 1),
                _ => BigRational::clone(&values[&(h, o)]),
            };
            let hit = (at(h, o - 2), q * at(h, o - 4) + &p * at(h, o - 1));
            let wound = (at(h - 2, o), q * at(h - 1, o) + &p * at(h - 3, o));
            // <d> = 1 + 3q > 2 and <d> = 3 − 2q < 2.
            let criteria = [*q > ratio(1, 3), *q > ratio(1, 2)];
            for (i, ((plain, tested), criterion)) in
                [&hit, &wound].into_iter().zip(criteria).enumerate()
            {
                wrong[2 * i] += usize::from(criterion && tested < plain);
                wrong[2 * i + 1] += usize::from(!criterion && tested > plain);
            }
            let choose = |(plain, tested): (BigRational, BigRational), side: usize| match plan {
                Constant::Never => plain,
                Constant::Offensive if side == 0 => tested,
                Constant::Offensive => plain,
                Constant::ByExpectation => {
                    if criteria[side] {
                        tested
                    } else {
                        plain
                    }
                }
                Constant::Optimal => plain.max(tested),
            };
            let value = &win * choose(hit, 0) + &lose * choose(wound, 1);
            values.insert((h, o), value);
        }
    }
    (values, wrong)
}

#[test]
fn fig_2_constant_luck_can_dramatically_increase_victory() {
    // "use of LUCK can dramatically increase victory probability in a range of circumstances": at Δk = −4, 12
    // against 12, q = 5/6 (LUCK 9 or 10 are near it), offensive use: true, 75-fold. Eqn. (15) itself is verified
    // elsewhere.
    let q = ratio(5, 6);
    let value = |plan| constant_luck(-4, &q, plan).0.remove(&(12, 12)).unwrap();
    let fold = value(Constant::Offensive) / value(Constant::Never);
    assert_eq!(fold.round(), ratio(75, 1));
}

#[test]
fn constant_luck_is_not_always_used_by_expected_damage() {
    // "Clearly, for constant LUCK, the optimal strategy is to always use LUCK when the expected outcome is
    // positive, and never when it is negative": false. What counts is the number of hits still needed.
    // At s_o = 2 a plain hit kills, so testing with q = 5/6 > 1/3 only risks it; at s_o = 3 a test with
    // q = 1/36 costs nothing, for one more hit is needed whether 1 or 2 STAMINA are left; and at s_h = 2 any
    // chance is better than death.
    let [high, low] = [ratio(5, 6), ratio(1, 36)];
    let at = |q: &BigRational, plan, h, o| constant_luck(0, q, plan).0.remove(&(h, o)).unwrap();
    assert!(at(&high, Constant::ByExpectation, 1, 2) < at(&high, Constant::Optimal, 1, 2));
    assert!(at(&low, Constant::ByExpectation, 1, 3) < at(&low, Constant::Optimal, 1, 3));
    assert!(at(&low, Constant::ByExpectation, 2, 1) < at(&low, Constant::Optimal, 2, 1));
    // Wrong decisions in the 576 states at Δk = 0: [offensive use that hurts, omitted that would help, the same
    // for defensive use], for q(l) of LUCK 2 to 12.
    let wrong: Vec<_> = (2..=12)
        .map(|l| constant_luck(0, &lucky(l), Constant::Optimal).1)
        .collect();
    let expected = [
        [0, 144, 0, 24],
        [0, 144, 0, 24],
        [0, 144, 0, 24],
        [0, 314, 0, 73],
        [83, 0, 0, 128],
        [35, 0, 26, 0],
        [24, 0, 2, 0],
        [24, 0, 0, 0],
        [24, 0, 0, 0],
        [24, 0, 0, 0],
        [0, 0, 0, 0],
    ];
    assert_eq!(wrong, expected);
}

#[test]
fn criteria_and_the_chances_they_are_compared_with() {
    // "q(6) = 0.417", "q(5) = 0.278", "q(7) = 0.583": true. So by expectation offensive use pays from LUCK 6 on
    // and defensive use from 7 on; see tests/heuristics.rs for the thresholds found best.
    assert_eq!(
        [5, 6, 7].map(lucky),
        [ratio(5, 18), ratio(5, 12), ratio(7, 12)]
    );
    assert!(lucky(5) < ratio(1, 3) && ratio(1, 3) < lucky(6));
    assert!(lucky(6) < ratio(1, 2) && ratio(1, 2) < lucky(7));
}
