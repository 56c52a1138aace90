//! Games with cycles that number their own states: boxes in any order, and generated rows.

use num_rational::BigRational;
use num_traits::One;
use oddsmith_mdp::{Error, Game, Generated, Indexed, Node, Solver, TableRow};

/// A walk along a circle with an exit at 0 and places numbered in any order.
struct Circle;

impl Game for Circle {
    type State = usize;
    type Action = &'static str;

    fn expand(&self, &at: &usize, node: &mut Node<Self>) {
        if at == 0 {
            return node.end(1);
        }
        node.chance().to((at + 1) % 100, 1).to(at - 1, 1);
    }
}

impl Indexed for Circle {
    fn size(&self) -> usize {
        100
    }

    fn index(&self, &at: &usize) -> usize {
        at * 37 % 100
    }

    fn state(&self, index: usize) -> usize {
        index * 73 % 100
    }
}

#[test]
fn a_box_may_have_cycles_and_any_order() {
    let solver = || Solver::exact().allow_cycles();
    let solution = solver().solve_indexed(&Circle, 50).unwrap();
    assert_eq!(
        (solution.value(), solution.len()),
        (BigRational::one(), 100)
    );
    // From k of n a fair walk takes k (n − k) steps.
    let visits = solution.visits().unwrap();
    assert_eq!(
        visits.expected_count(|&at| at > 0).unwrap(),
        BigRational::from_integer((50 * 50).into())
    );
    let owned = solver().solve_indexed_owned(Circle, 50).unwrap();
    assert_eq!(owned.value(), BigRational::one());
    let float = Solver::float().allow_cycles().solve_indexed(&Circle, 7);
    assert!((float.unwrap().value() - 1.0).abs() < 1e-9);
    let error = Solver::exact().solve_indexed(&Circle, 50).err();
    assert!(matches!(error, Some(Error::NotBackward { .. })));
}

/// One state more than the box holds.
struct Beyond;

impl Game for Beyond {
    type State = usize;
    type Action = ();

    fn expand(&self, &at: &usize, node: &mut Node<Self>) {
        node.chance().to(at + 1, 1);
    }
}

impl Indexed for Beyond {
    fn size(&self) -> usize {
        3
    }

    fn index(&self, &at: &usize) -> usize {
        at
    }

    fn state(&self, index: usize) -> usize {
        index
    }
}

#[test]
fn what_lies_outside_the_box_is_named() {
    let error = Solver::exact()
        .allow_cycles()
        .solve_indexed(&Beyond, 0)
        .err();
    assert_eq!(
        error,
        Some(Error::OutsideBox {
            state: "2".into(),
            successor: "3".into(),
            successor_index: 3,
            size: 3
        })
    );
}

#[test]
fn a_generated_game_with_cycles_is_told_to_be_stored() {
    let generated = Generated::falling(4, |state, row: &mut TableRow<'_>| match state {
        0 => row.end(1),
        3 => {
            row.choice().to(2, 1);
        }
        _ => {
            row.choice().to(state - 1, 1).to(state + 1, 1);
        }
    })
    .unwrap();
    let solver = Solver::float().allow_cycles();
    let error = solver.solve_table(&generated, 3).err().unwrap();
    assert!(matches!(
        error,
        Error::OutOfOrder {
            state: 1,
            successor: 2,
            ..
        }
    ));
    assert!(error.to_string().contains("as a `Table`"), "{error}");
}

/// Rows that are generated anew are compared as well: a decision for one of two actions is none
/// where there are three.
#[test]
fn decisions_of_generated_rows_are_none_in_another_game() {
    let game = |least: usize| {
        Generated::falling(4, move |state, row: &mut TableRow<'_>| match state {
            3 => (least..3).for_each(|to| {
                row.choice().to(to, 1);
            }),
            score => row.end(score),
        })
        .unwrap()
    };
    let (two, three) = (game(1), game(0));
    let solution = Solver::exact().solve_table(&two, 3).unwrap();
    assert_eq!(solution.value().to_string(), "2");
    let same = Solver::exact().evaluate(&two, solution.policy(), 3);
    assert_eq!(same.unwrap().value().to_string(), "2");
    let other = Solver::exact().evaluate(&three, solution.policy(), 3);
    assert!(matches!(other, Err(Error::NoDecision { .. })));
}
