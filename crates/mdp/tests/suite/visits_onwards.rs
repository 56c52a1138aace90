//! Visits of games that never come back to a state, which a forecast tells in another way.

use crate::layered::{Layered, Standing};
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_mdp::{AtRandom, Exact, Game, Number, Solution, Solver, Table};

fn model() -> Layered {
    Layered::new(240, 8, 5)
}

/// A forecast adds up whole numbers over one denominator, and visits add up fractions.
#[test]
fn visits_are_what_the_forecast_tells() {
    fn check<G: Game<State = Standing>>(plain: &Solution<'_, G, Exact>) {
        let (forecast, visits) = (plain.forecast().unwrap(), plain.visits().unwrap());
        let mut occurring = 0;
        for (state, _) in plain.states() {
            let chance = forecast.chance(&state).unwrap();
            occurring += u32::from(!chance.is_zero());
            assert_eq!(visits.chance(&state).unwrap(), chance);
            assert_eq!(visits.visits(&state).unwrap(), chance);
        }
        assert!(occurring > 50, "{occurring}");
        let won = |end: &Standing| *end == Standing::Over { won: true };
        let ends = visits.ends_by(won).unwrap();
        assert_eq!(ends, forecast.ends_by(won).unwrap());
        assert_eq!(visits.scores().unwrap(), forecast.scores().unwrap());
        for every in [1, 3] {
            let counted = |state: &Standing| match state {
                Standing::At { place, .. } => place.is_multiple_of(every),
                Standing::Over { .. } => false,
            };
            assert_eq!(
                visits.expected_count(counted).unwrap(),
                forecast.expected_count(counted).unwrap()
            );
            assert_eq!(
                visits.lengths(8, counted).unwrap(),
                forecast.lengths(8, counted).unwrap()
            );
        }
    }
    let (model, start) = (model(), model().start());
    check(&Solver::exact().solve(&model, start).unwrap());
    check(&Solver::exact().evaluate(&model, AtRandom, start).unwrap());
}

/// The error bounds of floats hold, whether or not cycles were allowed.
#[test]
fn floats_are_within_their_bound() {
    fn check<N: Number<Value = f64>>(solver: Solver<'_, N>, table: &Table) {
        let exact = Solver::exact().solve_table(table, 0).unwrap();
        let exact = exact.visits().unwrap();
        let solution = solver.solve_table(table, 0).unwrap();
        let visits = solution.visits().unwrap();
        let bound = visits.relative_error();
        assert!(0.0 < bound && bound < 1e-12, "{bound}");
        let close = |found: f64, right: BigRational| {
            let right = right.to_f64().unwrap();
            assert!((found - right).abs() <= bound * right, "{found}, {right}");
        };
        for (state, _) in solution.states() {
            close(
                visits.chance(&state).unwrap(),
                exact.chance(&state).unwrap(),
            );
        }
        let moves = exact.expected_count(|_| true).unwrap();
        close(visits.expected_count(|_| true).unwrap(), moves);
        let won = exact.ends().unwrap().p(&241);
        close(visits.ends().unwrap().p(&241), won);
    }
    let table = model().table().unwrap();
    check(Solver::float(), &table);
    check(Solver::float().allow_cycles(), &table);
    check(Solver::certified(), &table);
    check(Solver::certified().allow_cycles(), &table);
}

/// Regression test: numbers beyond floats were answered as infinite, or not at all, with a small
/// bound on their error.
#[test]
fn numbers_beyond_floats_have_no_bound() {
    for (tosses, held) in [(1_000, true), (1_022, true), (1_023, false), (1_040, false)] {
        // All must succeed; it takes 2 · (2ⁿ − 1) of them.
        let chain = Table::from_fn(tosses + 1, |done, row| {
            if done == tosses {
                return row.end(1);
            }
            row.choice().to(done + 1, 1).to(0, 1);
        });
        let chain = chain.unwrap();
        let solution = Solver::float()
            .allow_cycles()
            .solve_table(&chain, 0)
            .unwrap();
        let visits = solution.visits().unwrap();
        let moves = visits.expected_count(|_| true).unwrap();
        assert_eq!(visits.relative_error() < 1e-8, held, "{tosses}");
        assert_eq!(visits.relative_error() == f64::INFINITY, !held, "{tosses}");
        if held {
            let wanted = 2.0 * 2.0_f64.powi(tosses as i32);
            assert!((moves / wanted - 1.0).abs() < 1e-8, "{moves}");
            assert!((visits.ends().unwrap().p(&tosses) - 1.0).abs() < 1e-8);
        } else {
            assert!(!moves.is_finite(), "{moves}");
        }
    }
}

/// Regression test: a state that floats take for unreachable, and in which play stays so long that
/// it is expected to be there 10⁻¹⁷⁵ times, was answered as 0 with a small bound on the error.
#[test]
fn products_below_floats_have_no_bound_if_they_matter() {
    let steps = 27;
    for (stay, held) in [(0_u32, true), (20, true), (500, false)] {
        for round in [false, true] {
            let deep = Table::from_fn(steps + 3, |state, row| match state {
                _ if state < steps => {
                    row.choice().to(state + 1, 1).to(steps + 2, (1 << 40) - 1);
                }
                _ if state == steps + 2 => row.end(0),
                _ => {
                    let most = (num_bigint::BigUint::from(1_u8) << stay) - 1_u8;
                    let other = if round { 2 * steps + 1 - state } else { state };
                    row.choice().to_wide(other, most).to(steps + 2, 1);
                }
            });
            let deep = deep.unwrap();
            let float = Solver::float().allow_cycles();
            let float = float.solve_table(&deep, 0).unwrap();
            let visits = float.visits().unwrap();
            assert_eq!(visits.relative_error() < 1e-8, held, "{stay} {round}");
            assert_eq!(visits.relative_error() == f64::INFINITY, !held);
            let exact = Solver::exact().allow_cycles();
            let exact = exact.solve_table(&deep, 0).unwrap();
            let right = exact.visits().unwrap().visits(&steps).unwrap();
            let right = right.to_f64().unwrap();
            // The answers that the bound holds for.
            assert_eq!(right >= 1e-200, !held, "{right}");
        }
    }
}
