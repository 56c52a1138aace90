//! Enclosures contain the exact values, proofs are correct, and certified decisions are optimal.

use crate::plain;
use crate::plain::Plain;
use num_rational::BigRational;
use num_traits::Zero;
use oddsmith_mdp::{Error, Game, Node, Played, Player, Policy, Solver, Table, Tolerance};
use quickcheck::{Gen, quickcheck};

fn exactly(float: f64) -> BigRational {
    BigRational::from_float(float).unwrap()
}

/// All enclosures and proofs of one solution.
macro_rules! check {
    ($solution:expr, $model:expr, $values:expr) => {{
        let (solution, model, values) = (&$solution, $model, $values);
        let mut undecided = 0;
        for (state, middle) in solution.states() {
            let (lower, upper) = solution.enclosure(&state).unwrap();
            let value = &values[state];
            assert!(exactly(lower) <= *value, "{state}: {lower} above {value}");
            assert!(exactly(upper) >= *value, "{state}: {upper} below {value}");
            assert!(lower <= middle && middle <= upper);
            let error = solution.error(&state).unwrap();
            assert!(middle - error <= lower && upper <= middle + error);
            let proven = solution.is_proven(&state).unwrap();
            undecided += usize::from(!proven);
            let all = model.choices(state, values);
            if let Some(decision) = solution.decision(&state).unwrap() {
                let best = all[decision].as_ref() == Some(value);
                assert!(best || !proven, "wrong proof in {state}");
            }
            // The exactly best actions are among the possibly best ones.
            let best = solution.best(&state).unwrap();
            for (action, worth) in all.iter().enumerate() {
                assert!(worth.as_ref() != Some(value) || best.contains(&action));
            }
        }
        assert_eq!(undecided, solution.undecided());
    }};
}

/// Every state that optimal play can reach is present and correct.
macro_rules! check_certified {
    ($solution:expr, $model:expr, $values:expr) => {{
        let (solution, model, values) = ($solution, $model, $values);
        assert_eq!(solution.value(), values[model.start()]);
        for (state, value) in solution.states() {
            assert_eq!(value, values[state], "value of {state}");
            if let Some(decision) = solution.decision(&state).unwrap() {
                assert_eq!(
                    model.choices(state, values)[decision].as_ref(),
                    Some(&value)
                );
            }
        }
        // The policy is complete and has the stated value.
        let played = Played::new(solution.game(), &solution).by_both();
        let played = Solver::exact()
            .solve(&played, model.start())
            .unwrap()
            .value();
        assert_eq!(played, solution.value());
        assert!(solution.forecast().is_ok());
    }};
}

quickcheck! {
    fn enclosures_enclose(model: Plain) -> bool {
        let values = model.values();
        let start = model.start();
        // Weights too far apart are rejected in all ways of solving.
        if let Ok(solution) = Solver::certified().solve(&model, start) {
            check!(solution, &model, &values);
            check_certified!(Solver::certified().certify(&model, start).unwrap(), &model, &values);
        }
        if let Ok(solution) = Solver::certified().solve_indexed(&model, start) {
            check!(solution, &model, &values);
            let table = model.plain_table();
            check!(Solver::certified().solve_table(&table, start).unwrap(), &model, &values);
            check_certified!(Solver::certified().certify_indexed(&model, start).unwrap(), &model, &values);
            check_certified!(Solver::certified().certify_table(&table, start).unwrap(), &model, &values);
        }
        true
    }

    /// Under a tolerance the value is that of the chosen action; if the enclosures cannot identify
    /// it, they cover all candidates.
    fn tolerances_are_enclosed(model: Plain, p: u8, q: u8, relative: bool) -> bool {
        let rule = match relative {
            true => Tolerance::relative(p.into(), u64::from(q) + 1),
            false => Tolerance::absolute(p.into(), u64::from(q) + 1),
        }
        .unwrap();
        let start = model.start();
        let exact = Solver::exact().tolerance(rule).solve(&model, start).unwrap();
        if let Ok(solution) = Solver::certified().tolerance(rule).solve(&model, start) {
            for (state, value) in exact.states() {
                let (lower, upper) = solution.enclosure(&state).unwrap();
                // States below may have other decisions: their values are still enclosed.
                assert!(exactly(lower) <= value && value <= exactly(upper), "{state}");
            }
        }
        true
    }
}

/// Long paths: rounding errors accumulate, and the slack must too.
#[test]
fn long_models_are_enclosed() {
    let mut g = Gen::new(100);
    for _ in 0..6 {
        let scores = plain::scores(&mut g);
        let model = Plain::random(&mut g, 120, &scores);
        let values = model.values();
        if let Ok(solution) = Solver::certified().solve_indexed(&model, model.start()) {
            check!(solution, &model, &values);
        }
    }
}

/// Many outcomes in one choice, one more than a power of two.
#[test]
fn choices_of_a_hundred_thousand_outcomes() {
    for shift in [0, 3] {
        let count = 100_000;
        let table = Table::from_fn(count + 1, |state, row| {
            if state < count {
                return row.end((state as i64 * 7919 % 10_007 - shift, 9_973));
            }
            row.choice();
            for target in 0..count {
                row.to(target, 1 + (target as u64 * 31) % 1_000_003);
            }
        })
        .unwrap();
        let exact = Solver::exact().solve_table(&table, count).unwrap().value();
        let solution = Solver::certified().solve_table(&table, count).unwrap();
        let (lower, upper) = solution.enclosure(&count).unwrap();
        assert!(exactly(lower) < exact && exact < exactly(upper));
        assert!(upper - lower < 1e-10 * upper);
    }
}

/// Subnormal numbers eventually lose all their digits.
#[test]
fn values_fade_away_within_their_enclosures() {
    let (steps, score) = (600, 5e-300);
    let table = Table::from_fn(steps + 2, |state, row| match state {
        0 => row.end(0),
        1 => row.end(score),
        _ => {
            row.choice_of(&[state as u32 - 1, 0], &[1, 2]);
        }
    })
    .unwrap();
    let solution = Solver::certified().solve_table(&table, steps + 1).unwrap();
    let mut value = exactly(score);
    for state in 1..steps + 2 {
        let (lower, upper) = solution.enclosure(&state).unwrap();
        assert!(
            exactly(lower) <= value && value <= exactly(upper),
            "{state}"
        );
        assert!(upper - lower < 1e-13 * upper + 1e-320);
        value /= num_bigint::BigInt::from(3);
    }
    assert!(value > BigRational::zero());
}

#[test]
fn proofs_are_not_rare() {
    // Two actions whose values differ by 2⁻⁴⁰, and two with equal values.
    let table = Table::from_fn(4, |state, row| match state {
        0 | 1 => row.end(state),
        2 => {
            row.choice_of(&[0, 1], &[1 << 40, (1 << 40) - 1]);
            row.choice_of(&[0, 1], &[1, 1]);
        }
        _ => {
            row.choice_of(&[0, 1], &[1, 2]);
            row.choice_of(&[1, 0], &[4, 2]);
        }
    })
    .unwrap();
    let solution = Solver::certified().solve_table(&table, 3).unwrap();
    assert!(solution.is_proven(&2).unwrap());
    assert_eq!(solution.decision(&2).unwrap(), Some(1));
    assert!(!solution.is_proven(&3).unwrap());
    assert_eq!(solution.undecided(), 1);
    let text = solution.explain(&3).unwrap().to_string();
    assert!(text.contains("tied"), "{text}");
}

/// If it is certain whether a tolerance is exceeded, the decision is a proof and the value is that
/// of the chosen action.
#[test]
fn tolerances_are_proven() {
    let table = Table::from_fn(5, |state, row| match state {
        0..3 => row.end(state),
        _ => {
            row.choice_of(&[0, 1], &[1, 2]);
            row.choice_of(&[1, 2], &[5, [1, 3][state - 3]]);
        }
    })
    .unwrap();
    // 2/3 against 7/6, within 11/20, and against 11/8.
    let rule = Tolerance::absolute(11, 20).unwrap();
    let solution = Solver::certified()
        .tolerance(rule)
        .solve_table(&table, 4)
        .unwrap();
    assert_eq!(solution.undecided(), 0);
    for (state, decision, value) in [(3, 0, 2.0 / 3.0), (4, 1, 11.0 / 8.0)] {
        let (lower, upper) = solution.enclosure(&state).unwrap();
        assert_eq!(solution.decision(&state).unwrap(), Some(decision));
        assert!(lower <= value && value <= upper && upper - lower < 1e-14);
    }
}

/// Only the states reached by optimal play remain, for both players.
#[test]
fn certified_games_are_narrow() {
    struct Tree;
    impl Game for Tree {
        type State = (u32, u64);
        type Action = u64;
        fn expand(&self, &(depth, path): &(u32, u64), node: &mut Node<Self>) {
            if depth == 12 {
                return node.end((path.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as i64);
            }
            if depth % 2 == 1 {
                node.opponent();
            }
            for branch in 0..2 {
                node.choice(branch).to((depth + 1, 2 * path + branch), 1);
            }
        }
    }
    let all = Solver::exact().solve(&Tree, (0, 0)).unwrap();
    let certified = Solver::certified().certify(&Tree, (0, 0)).unwrap();
    assert_eq!(certified.value(), all.value());
    assert_eq!((all.len(), certified.len()), (8_191, 13));
    assert_eq!(certified.settled(), 0);
    assert_eq!(
        certified
            .player(&(1, certified.decision(&(0, 0)).unwrap().unwrap()))
            .unwrap(),
        Player::Min
    );
    let mut weights = [0, 0];
    Policy::<Tree>::weigh(&&certified, &(0, 0), &[0, 1], &mut weights);
    assert_eq!(weights.iter().sum::<u64>(), 1);
    // A state that optimal play avoids is unknown.
    let avoided = 1 - certified.decision(&(0, 0)).unwrap().unwrap();
    let unknown = certified.value_of(&(1, avoided)).err();
    assert_eq!(
        unknown,
        Some(Error::UnknownState {
            state: format!("(1, {avoided})")
        })
    );
}

/// If staying is far more likely than leaving, the loss of tiny subnormal scores must not be
/// magnified.
#[test]
fn tiny_scores_where_staying_is_by_far_likelier() {
    let ages = num_bigint::BigUint::from(1_u8) << 400_u32;
    let model = Table::from_fn(3, |state, row| match state {
        0 => {
            row.choice().to_wide(0, ages.clone()).to(1, 1).to(2, 1);
        }
        1 => row.end(1e-310),
        _ => row.end(0),
    })
    .unwrap();
    let solution = Solver::certified().solve_table(&model, 0).unwrap();
    let (lower, upper) = solution.enclosure(&0).unwrap();
    let value = Solver::exact().solve_table(&model, 0).unwrap().value();
    assert_eq!(value, exactly(1e-310) / exactly(2.0));
    assert!(exactly(lower) <= value && value <= exactly(upper));
    assert!(lower > 4e-311 && upper < 6e-311);
}
