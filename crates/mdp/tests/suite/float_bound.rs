//! Difficult cases for the error bound of floats: long paths, near ties, subnormal numbers,
//! cancelling signs.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use oddsmith_mdp::{Game, Node, Score, Solver, Table};
use quickcheck::{TestResult, quickcheck};

/// Steps down, one or two at a time with repeating odds, from a number of steps to two ends;
/// optionally with an alternative end.
struct Ladder {
    odds: Vec<(u64, u64)>,
    ends: [Score; 2],
    instead: Option<Score>,
    /// The steps on which it is available: the multiples of this.
    every: usize,
}

impl Game for Ladder {
    type State = Option<usize>;
    type Action = &'static str;

    fn expand(&self, state: &Option<usize>, node: &mut Node<Self>) {
        let Some(step) = *state else {
            return node.end(self.instead.clone().unwrap());
        };
        if step < 2 {
            return node.end(self.ends[step].clone());
        }
        if self.instead.is_some() && step.is_multiple_of(self.every) {
            node.choice("leave").to(None, 1);
        }
        let (one, two) = self.odds[step % self.odds.len()];
        node.choice("down")
            .to(Some(step - 1), one)
            .to(Some(step - 2), two);
    }
}

/// The error of the float of a start as a share of its bound, which must be less than 1; both are
/// zero if nothing is rounded.
#[track_caller]
fn used<G: Game>(game: &G, start: G::State) -> f64 {
    let exact = Solver::exact()
        .max_bytes(1 << 40)
        .solve(game, start.clone())
        .unwrap();
    let float = Solver::float().solve(game, start).unwrap();
    let mut most: f64 = 0.0;
    for (state, value) in exact.states() {
        let found = BigRational::from_float(float.value_of(&state).unwrap()).unwrap();
        let bound = BigRational::from_float(float.error(&state).unwrap()).unwrap();
        let error = (found - &value).abs();
        assert!(
            error <= bound,
            "{state:?}: {value} missed by {error:?}, not {bound:?}"
        );
        if !bound.is_zero() {
            most = most.max((error / bound).to_f64().unwrap());
        }
    }
    most
}

fn ladder(odds: &[(u64, u64)], ends: [Score; 2]) -> Ladder {
    let (odds, instead, every) = (odds.to_vec(), None, 5);
    Ladder {
        odds,
        ends,
        instead,
        every,
    }
}

quickcheck! {
    fn long_paths(odds: Vec<(u64, u64)>, low: f64, high: f64, instead: Option<f64>) -> TestResult {
        let odds: Vec<_> = odds.into_iter().take(6).map(|(a, b)| (a / 2, b / 2 + 1)).collect();
        let fair = |score: f64| score.is_finite() && score.abs() < 1e280;
        if odds.is_empty() || !fair(low) || !fair(high) || !instead.is_none_or(fair) {
            return TestResult::discard();
        }
        let ends = [Score::from(low), Score::from(high)];
        used(&Ladder { odds, ends, instead: instead.map(Score::from), every: 5 }, Some(40));
        TestResult::passed()
    }

    fn small_odds(odds: Vec<(u8, u8)>, n: i32, d: i32, m: i32) -> TestResult {
        let odds: Vec<_> = odds.into_iter().map(|(a, b)| (a.into(), u64::from(b) + 1)).collect();
        if odds.is_empty() || d == 0 {
            return TestResult::discard();
        }
        let (n, d, m) = (i64::from(n), i64::from(d), i64::from(m));
        let ends = [Score::from((n, d)), Score::from((m, d))];
        used(&Ladder { odds, ends, instead: Some(Score::from((n + m, 2 * d))), every: 5 }, Some(90));
        TestResult::passed()
    }
}

/// Below 2⁻¹⁰²² digits are lost, and below 2⁻¹⁰⁷⁵ all of them.
#[test]
fn numbers_too_small_for_floats() {
    for odds in [
        [(0, 1), (1, 999_999)],
        [(1, 3), (1, 1_000_003)],
        [(3, 5), (7, 1 << 40)],
    ] {
        for score in [Score::from(1), Score::from(1e-300), Score::from(5e-324)] {
            // Only the rare way has a value.
            let ends = [Score::from(0), score];
            used(&ladder(&odds, ends.clone()), Some(200));
            let [zero, score] = ends;
            used(&ladder(&odds, [score, zero]), Some(200));
        }
    }
    let tiny = BigRational::new(BigInt::from(1), BigInt::from(10).pow(400));
    used(
        &ladder(&[(1, 2)], [Score::from(&tiny), Score::from(-tiny)]),
        Some(40),
    );
}

/// A float that is rounded often may look worse than one that is not, although it is better: the
/// error of the maximum is then that of the loser.
#[test]
fn the_loser_of_a_near_tie_counts() {
    let mut attacks = 0;
    for a in 1..20 {
        for b in 1..20 {
            let ends = [Score::from((1, 3)), Score::from((5, 7))];
            let mut game = ladder(&[(a, b), (b + 3, a)], ends);
            let exact = Solver::exact().solve(&game, Some(200)).unwrap().value();
            let float = Solver::float().solve(&game, Some(200)).unwrap().value();
            // Just above the float of the ladder, so that floats wrongly prefer it.
            let instead = BigRational::from_float(float.next_up()).unwrap();
            // More than the single rounding of this score accounts for.
            if &exact - &instead > BigRational::from_float(f64::EPSILON).unwrap() {
                attacks += 1;
                (game.instead, game.every) = (Some(Score::from(instead)), 200);
                used(&game, Some(200));
            }
        }
    }
    assert!(attacks >= 10, "{attacks}");
}

/// Large scores of both signs that cancel: the bound depends on the scores, not on the value.
#[test]
fn signs_that_cancel() {
    let ends = [Score::from(1_000_000_007), Score::from(-1_000_000_009)];
    used(&ladder(&[(1, 1), (2, 3), (3, 2)], ends), Some(120));
    let ends = [
        Score::from((10_i64.pow(18), 7)),
        Score::from((-(10_i64.pow(18)), 7)),
    ];
    let spread = used(&ladder(&[(1, 1)], ends), Some(80));
    assert!(spread > 0.0);
}

/// The bound is correct and useful: it grows with the length of a path, not with the number of
/// paths.
#[test]
fn bounds_are_not_wasteful() {
    for steps in [10_u32, 100, 1_000] {
        let ladder = ladder(&[(5, 1), (2, 9)], [Score::from(1), Score::from(2)]);
        let float = Solver::float()
            .solve(&ladder, Some(steps as usize))
            .unwrap();
        let error = float.error(&Some(steps as usize)).unwrap();
        // Five roundings for each step of two outcomes, and one for the score, which is at most 2.
        let roundings = f64::from(5 * steps + 1);
        assert!(error < roundings * f64::EPSILON, "{steps}: {error}");
    }
}

quickcheck! {
    /// Forward probabilities, compared with the exact ones.
    fn forecasts(odds: Vec<(u32, u32)>, length: u8) -> TestResult {
        let odds: Vec<_> = odds
            .into_iter()
            .take(6)
            .map(|(a, b)| (u64::from(a), u64::from(b) + 1))
            .collect();
        if odds.is_empty() {
            return TestResult::discard();
        }
        let game = ladder(&odds, [0.into(), 1.into()]);
        let start = Some(usize::from(length) + 2);
        let exact = Solver::exact().solve(&game, start).unwrap();
        let float = Solver::float().solve(&game, start).unwrap();
        let (exact, float) = (exact.forecast().unwrap(), float.forecast().unwrap());
        let bound = BigRational::from_float(float.relative_error()).unwrap();
        let ends = float.ends().unwrap();
        for step in 0..usize::from(length) + 2 {
            let right = exact.chance(&Some(step)).unwrap_or_else(|_| BigRational::zero());
            let near = |found: f64, right: &BigRational| {
                let found = BigRational::from_float(found).unwrap();
                let subnormal = BigRational::from_float(f64::MIN_POSITIVE).unwrap();
                assert!((found - right).abs() <= &bound * right + subnormal, "{step}");
            };
            near(float.chance(&Some(step)).unwrap_or(0.0), &right);
            if step < 2 {
                near(ends.p(&Some(step)), &right);
            }
            let below = |state: &Option<usize>| state.is_some_and(|at| at <= step && at % 2 == 1);
            let right = exact.chance_of_any(below).unwrap();
            near(float.chance_of_any(below).unwrap(), &right);
        }
        TestResult::passed()
    }
}

/// Regression: nine ninths, added up, exceed 1.
#[test]
fn no_chance_exceeds_1() {
    for sides in 1..60 {
        let roll = Table::from_fn(sides + 2, |state, row| match state {
            0 => row.end(1),
            _ if state == sides + 1 => {
                row.choice();
                (1..=sides).for_each(|face| {
                    row.to(face, 1);
                });
            }
            _ => {
                row.choice().to(0, 1);
            }
        });
        let roll = roll.unwrap();
        let solution = Solver::float().solve_table(&roll, sides + 1).unwrap();
        let (forecast, visits) = (solution.forecast().unwrap(), solution.visits().unwrap());
        let over = |state: &usize| *state == 0;
        for chance in [
            forecast.chance(&0).unwrap(),
            forecast.chance_of_any(over).unwrap(),
            visits.chance(&0).unwrap(),
            visits.visits(&0).unwrap(),
        ] {
            assert!(chance <= 1.0 && 1.0 - chance <= forecast.relative_error());
        }
    }
}
