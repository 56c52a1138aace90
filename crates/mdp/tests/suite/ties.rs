//! Actions that tie with the best: which of them are kept, and that none is lost if all are
//! requested.

use crate::paid::Paid;
use crate::plain::Plain;
use crate::rules::Rules;
use num_rational::BigRational;
use oddsmith_mdp::{Lazy, Model, Number, Solution, Solver};
use quickcheck::quickcheck;

/// The best actions of every stored state are exactly those of a simple recursion.
pub(crate) fn check_ties<N: Number<Value = BigRational>, M: Model<Plain>>(
    model: &Plain,
    values: &[BigRational],
    solution: &Solution<'_, Plain, N, M>,
) {
    for (state, value) in solution.states() {
        assert_eq!(value, values[state], "value of {state}");
        let all = model.choices(state, values).into_iter().enumerate();
        let optimal = all.filter(|(_, worth)| worth.as_ref() == Some(&value));
        let optimal: Vec<usize> = optimal.map(|(action, _)| action).collect();
        assert_eq!(solution.best(&state).unwrap(), optimal, "in {state}");
    }
}

quickcheck! {
    fn certify_keeps_all_ties(model: Plain) -> bool {
        let (values, start) = (model.values(), model.start());
        let certified = || Solver::certified().all_ties(true);
        // Weights too far apart are rejected in all ways of solving.
        if let Ok(solution) = certified().certify(&model, start) {
            check_ties(&model, &values, &solution);
        }
        if let Ok(solution) = certified().certify_indexed(&model, start) {
            check_ties(&model, &values, &solution);
        }
        if let Ok(solution) = certified().allow_cycles().certify(&model, start) {
            check_ties(&model, &values, &solution);
        }
        true
    }

    fn certify_keeps_all_ties_of_what_is_paid(model: Paid) -> bool {
        let start = model.plain.start();
        let exact = Solver::exact().solve(&model, start).unwrap();
        if let Ok(solution) = Solver::certified().all_ties(true).certify(&model, start) {
            for (state, value) in solution.states() {
                assert_eq!(exact.value_of(&state), Ok(value));
                assert_eq!(exact.best(&state), solution.best(&state), "in {state}");
                assert_eq!(exact.decision(&state), solution.decision(&state));
            }
        }
        true
    }
}

/// Two ways to win for certain, the second one a move later, and one way to lose.
fn doors() -> Rules {
    Rules::new(5, |state, node| match state {
        0 => node.end(0),
        1 | 2 => node.end(1),
        3 => {
            node.choice("on").to(2, 1);
        }
        _ => {
            node.choice("win").to(1, 1);
            node.choice("walk").to(3, 1);
            node.choice("lose").to(0, 1);
        }
    })
}

/// Point enclosures prove that nothing is better, as requested.
#[test]
fn one_of_two_sure_wins_is_enough_unless_all_are_asked_for() {
    let game = doors();
    let exact = Solver::exact().solve(&game, 4).unwrap();
    assert_eq!(exact.best(&4).unwrap(), ["win", "walk"]);
    let best = |all: bool| {
        let certified = Solver::certified().all_ties(all).certify(&game, 4).unwrap();
        let lazy = Lazy::exact().range(0, 1).all_ties(all);
        let lazy = lazy.solve(&game, 4).unwrap();
        let best = certified.best(&4).unwrap();
        assert_eq!(lazy.best(&4).unwrap(), best);
        assert_eq!(certified.decision(&4), lazy.decision(&4));
        (best, certified.len(), certified.settled(), lazy.len())
    };
    assert_eq!(best(false), (vec!["win"], 2, 0, 2));
    assert_eq!(best(true), (vec!["win", "walk"], 4, 1, 4));
}

/// More choices than are read again each time; every third wins for certain.
#[test]
fn ties_of_wide_states_are_kept() {
    let game = Rules::new(400, |state, node| match state {
        399 => {
            for to in 0..300 {
                node.choice("to").to(to, 1).to(to + 3, 2);
            }
        }
        _ => node.end(state % 3 % 2),
    });
    let exact = Solver::exact().solve(&game, 399).unwrap();
    let optimal = exact.best(&399).unwrap().len();
    assert_eq!(optimal, 100);
    for windows in [false, true] {
        let lazy = || Lazy::exact().windows(windows).eager_below(0.0);
        let ranged = lazy().range(0, 1).all_ties(true).solve(&game, 399).unwrap();
        let open = lazy().all_ties(true).solve(&game, 399).unwrap();
        for solution in [ranged, open] {
            assert_eq!(solution.best(&399).unwrap().len(), optimal);
            assert_eq!(solution.value(), exact.value());
        }
    }
}
