//! Visits of games that never come back to a state, which a forecast tells in another way.

use crate::layered::Layered;
use num_traits::{ToPrimitive, Zero};
use oddsmith_mdp::{Solver, Table};

fn table() -> Table {
    Layered::new(240, 8, 5).table().unwrap()
}

/// A forecast adds up whole numbers over one denominator, and visits add up fractions.
#[test]
fn visits_are_what_the_forecast_tells() {
    let table = table();
    let plain = Solver::exact().solve_table(&table, 0).unwrap();
    let cyclic = Solver::exact().allow_cycles();
    let cyclic = cyclic.solve_table(&table, 0).unwrap();
    let (forecast, visits) = (plain.forecast().unwrap(), plain.visits().unwrap());
    let allowed = cyclic.visits().unwrap();
    let (mut passed, mut occurring) = (0, 0);
    for (state, _) in plain.states() {
        let chance = forecast.chance(&state).unwrap();
        occurring += u32::from(!chance.is_zero());
        assert_eq!(visits.chance(&state).unwrap(), chance);
        assert_eq!(visits.visits(&state).unwrap(), chance);
        assert_eq!(allowed.chance(&state).unwrap(), chance);
        passed += 1;
    }
    assert!(passed > 200 && occurring > 50, "{passed}, {occurring}");
    assert_eq!(visits.ends().unwrap(), forecast.ends().unwrap());
    assert_eq!(
        visits.expected_count(|_| true).unwrap(),
        forecast.expected_count(|_| true).unwrap()
    );
    let lengths = visits.lengths(8, |_| true).unwrap();
    assert_eq!(lengths, forecast.lengths(8, |_| true).unwrap());
}

/// The error bound of floats holds, whether or not cycles were allowed.
#[test]
fn floats_are_within_their_bound() {
    let table = table();
    let exact = Solver::exact().solve_table(&table, 0).unwrap();
    let exact = exact.visits().unwrap();
    let plain = Solver::float().solve_table(&table, 0).unwrap();
    let cyclic = Solver::float().allow_cycles();
    let cyclic = cyclic.solve_table(&table, 0).unwrap();
    let bound = plain.visits().unwrap().relative_error();
    assert!(0.0 < bound && bound < 1e-12, "{bound}");
    for (state, _) in plain.states() {
        let right = exact.chance(&state).unwrap().to_f64().unwrap();
        for found in [
            plain.visits().unwrap().chance(&state).unwrap(),
            cyclic.visits().unwrap().chance(&state).unwrap(),
        ] {
            assert!(
                (found - right).abs() <= bound * right,
                "{state}: {found}, {right}"
            );
        }
    }
}
