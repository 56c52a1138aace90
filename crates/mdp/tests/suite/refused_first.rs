//! Invalid settings are rejected before any work.

use crate::rules::STAIR;
use num_bigint::BigUint;
use oddsmith_mdp::{
    Error, Game, Indexed, Lazy, MatrixGame, Node, Objective, Ranked, Relaxation, Score, Side,
    Solver, Strategy, Table,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A stair that counts its calls.
struct Asked(AtomicUsize);

impl Asked {
    fn new() -> Self {
        Asked(AtomicUsize::new(0))
    }

    #[track_caller]
    fn never(&self) {
        assert_eq!(self.0.load(Ordering::Relaxed), 0);
    }
}

impl Game for Asked {
    type State = u64;
    type Action = &'static str;

    fn expand(&self, &state: &u64, node: &mut Node<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
        match state {
            0 => node.end(1),
            _ => {
                node.choice("down").to(state - 1, 1);
            }
        }
    }
}

impl Indexed for Asked {
    fn size(&self) -> usize {
        10
    }

    fn index(&self, &state: &u64) -> usize {
        state as usize
    }

    fn state(&self, index: usize) -> u64 {
        index as u64
    }
}

impl Ranked for Asked {
    fn rank(&self, &state: &u64) -> u64 {
        state
    }
}

#[cfg(feature = "rayon")]
#[test]
fn more_threads_than_there_are() {
    let game = Asked::new();
    let refused = |error: Option<Error>| {
        assert!(matches!(error, Some(Error::Threads { threads: 5_000, .. })));
        game.never();
    };
    let exact = || Solver::exact().threads(5_000);
    refused(exact().solve(&game, 9).err());
    refused(exact().solve_indexed(&game, 9).err());
    refused(exact().solve_ranked(&game, 9).err());
    refused(exact().evaluate(&game, |_: &u64, _: &[&str]| 0, 9).err());
    refused(exact().allow_cycles().solve(&game, 9).err());
    let certified = || Solver::certified().threads(5_000);
    refused(certified().certify(&game, 9).err());
    refused(certified().certify_indexed(&game, 9).err());
    refused(certified().certify_ranked(&game, 9).err());
    let table = Table::from_fn(1, |_, row| row.end(1)).unwrap();
    refused(exact().solve_table(&table, 0).err());
    refused(certified().certify_table(&table, 0).err());
}

/// The rows are not read, although the first one is invalid.
#[test]
fn a_start_that_is_no_state_of_the_table() {
    let rows = oddsmith_mdp::Generated::rising(3, |_, _| unreachable!("asked for a row")).unwrap();
    let refused = Solver::exact().solve_table(&rows, 3).err();
    assert_eq!(refused, Some(Error::UnknownState { state: "3".into() }));
}

/// An invalid range is reported before the relaxed game is solved.
#[test]
fn a_relaxed_search_of_no_range() {
    struct Itself(Asked);
    impl Relaxation<Asked> for Itself {
        type Relaxed = Asked;
        fn game(&self) -> &Asked {
            &self.0
        }
        fn relax(&self, &state: &u64) -> u64 {
            state
        }
    }
    let (game, easier) = (Asked::new(), Itself(Asked::new()));
    let nowhere = Lazy::exact().range(0, Score::from((1, 0)));
    let skipped = Lazy::exact().range(0, 1).eager_below(f64::NAN);
    for lazy in [nowhere, skipped] {
        let refused = lazy.solve_relaxed(&game, &easier, 9).err();
        assert!(matches!(refused, Some(Error::BadParameter { .. })));
        game.never();
        easier.0.never();
    }
}

#[test]
fn objectives_without_end() {
    let endless = || std::iter::repeat_with(Objective::score);
    let policy = |_: &u64, _: &[&str]| 0;
    let game = Asked::new();
    let refused = Solver::exact().evaluate_all(&game, policy, 9, endless());
    assert!(matches!(
        refused,
        Err(Error::BadParameter {
            parameter: "the number of objectives",
            ..
        })
    ));
    game.never();
    let none = Solver::exact().evaluate_all(&STAIR, policy, 3, []);
    assert_eq!(none, Ok(Vec::new()));
}

/// A game that cannot be solved within the limits, in calls that need no solution.
#[test]
fn corners_and_strategies_that_do_not_fit_a_matrix() {
    let one = BigUint::from(1_u8);
    let long = &one << 6_400_000_u32;
    let game = MatrixGame::new([[&long, &BigUint::ZERO], [&one, &long]]).unwrap();
    let unsolved = game.extreme_optimal(Side::Row, 2).err();
    assert!(matches!(
        unsolved,
        Some(Error::MatrixTooLarge { .. } | Error::TooManyPivots { .. })
    ));
    let refused = game.extreme_optimal(Side::Row, 1).err();
    assert_eq!(refused, Some(Error::TooManyCorners { limit: 1 }));
    let (two, three) = (Strategy::pure(0, 2).unwrap(), Strategy::pure(0, 3).unwrap());
    for (row, column) in [(&three, &two), (&two, &three)] {
        assert!(matches!(
            game.expected(row, column),
            Err(Error::BadStrategy { .. })
        ));
        assert!(matches!(
            game.is_equilibrium(row, column),
            Err(Error::BadStrategy { .. })
        ));
    }
}
