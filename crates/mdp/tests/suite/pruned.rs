//! Games without the actions that bounds prove to be worse than others.

use std::collections::HashMap;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use oddsmith_mdp::{Bounds, Error, Game, Lazy, Node, Number, Player, Pruned, Score, Solver};
use quickcheck::quickcheck;

use crate::small::{Law, Round, Row, Small, integer};

/// True bounds on the values of a game: exact ones, close ones, loose ones, or none.
#[derive(Clone, Debug)]
struct Near {
    values: HashMap<usize, BigRational>,
    slack: Vec<u8>,
}

impl Near {
    fn end(&self, state: usize, sign: i64) -> Option<Score> {
        let slack = match self.slack[(2 * state + usize::from(sign > 0)) % self.slack.len()] % 5 {
            0 => integer(0),
            1 => BigRational::new(BigInt::from(1), BigInt::from(1_u64 << 40)),
            2 => BigRational::new(BigInt::from(1), BigInt::from(3)),
            3 => integer(2),
            _ => return None,
        };
        let value = self.values.get(&state)?;
        Some(Score::from(value + slack * BigInt::from(sign)))
    }
}

impl Bounds<usize> for &Near {
    fn lower(&self, state: &usize) -> Option<Score> {
        self.end(*state, -1)
    }

    fn upper(&self, state: &usize) -> Option<Score> {
        self.end(*state, 1)
    }
}

/// What remains has the same values and the same best actions.
fn same_without_the_worse<G, N>(
    game: &G,
    (start, states): (usize, usize),
    solver: impl Fn() -> Solver<'static, N>,
    slack: &[u8],
) -> bool
where
    G: Game<State = usize, Action = usize>,
    N: Number<Value = BigRational>,
{
    // Some games have no value, since rewards can be collected for ever.
    let Ok(whole) = solver().solve(game, start) else {
        return true;
    };
    let known = |state| Some((state, whole.value_of(&state).ok()?));
    let near = Near {
        values: (0..states).filter_map(known).collect(),
        slack: if slack.is_empty() {
            vec![0]
        } else {
            slack.to_vec()
        },
    };
    let steps = slack.len() as u32 % 4;
    let pruned = Pruned::new(game, &near).look_ahead(steps, 0.5);
    let rest = solver().solve(&pruned, start).unwrap();
    let mut met = rest.states();
    rest.len() <= whole.len()
        && met.all(|(state, value)| {
            value == whole.value_of(&state).unwrap()
                && rest.best(&state).unwrap() == whole.best(&state).unwrap()
        })
}

quickcheck! {
    fn nothing_best_is_left_out(game: Small, slack: Vec<u8>) -> bool {
        let size = (game.start(), game.rows.len());
        same_without_the_worse(&game, size, Solver::exact, &slack)
    }

    fn nothing_best_is_left_out_where_play_comes_back(game: Round, slack: Vec<u8>) -> bool {
        let size = (game.0.start(), game.0.rows.len());
        let solver = || Solver::exact().allow_cycles();
        same_without_the_worse(&game.0.alone(), size, solver, &slack)
    }

    /// Apart from actions that stay, which solvers do not list.
    fn exact_bounds_leave_the_best_actions(game: Small) -> bool {
        let game = game.unpaid();
        let whole = Solver::exact().solve(&game, game.start()).unwrap();
        let known = |state: &usize| {
            let value = Score::from(whole.value_of(state).unwrap());
            (value.clone(), value)
        };
        let pruned = Pruned::new(&game, known);
        let rest = Solver::exact().solve(&pruned, game.start()).unwrap();
        let mut met = rest.states().map(|(state, _)| state);
        met.all(|state| {
            let best = whole.best(&state).unwrap();
            let left = rest.choices(&state).unwrap();
            left.iter().map(|choice| choice.action).eq(best)
        })
    }

    fn a_lazy_solver_takes_what_is_left(game: Small, slack: Vec<u8>) -> bool {
        let game = game.unpaid();
        let whole = Solver::exact().solve(&game, game.start()).unwrap();
        let near = Near {
            values: whole.states().collect(),
            slack: if slack.is_empty() { vec![3] } else { slack },
        };
        let pruned = Pruned::new(&game, &near);
        let rest = Lazy::exact().solve(&pruned, game.start()).unwrap();
        rest.value() == whole.value()
    }
}

/// Regression test: the decision for the only action that was left was played as the first action
/// of the whole game.
#[test]
fn decisions_of_what_is_left_are_none_of_the_whole() {
    struct Doors;
    impl Game for Doors {
        type State = u8;
        type Action = &'static str;
        fn expand(&self, state: &u8, node: &mut Node<Self>) {
            match state {
                0 => {
                    node.choice("left").to(1, 1);
                    node.choice("right").to(2, 1);
                }
                score => node.end(*score),
            }
        }
    }
    let sure = |state: &u8| {
        let worth = if *state == 0 { 2 } else { *state };
        (Score::from(worth), Score::from(worth))
    };
    let pruned = Pruned::new(&Doors, sure);
    let rest = Solver::exact().solve(&pruned, 0).unwrap();
    assert_eq!(rest.decision(&0).unwrap(), Some("right"));
    // As a policy for the game that it solved, it decides.
    let same = Solver::exact().evaluate(&pruned, &rest, 0).unwrap();
    assert_eq!(same.value(), integer(2));
    let whole = Solver::exact().evaluate(&Doors, rest.policy(), 0);
    let state = "0".to_owned();
    assert_eq!(whole.err(), Some(Error::NoDecision { state }));
}

/// One of two ways from 0; outcomes have weights beyond machine words.
struct Weighty;

impl Game for Weighty {
    type State = u8;
    type Action = char;

    fn expand(&self, state: &u8, node: &mut Node<Self>) {
        if *state > 0 {
            return node.end(*state);
        }
        let huge: BigUint = BigUint::from(1_u8) << 100_u32;
        let mut even = node.choice('a');
        even.to_wide(1, huge.clone());
        even.to_wide(3, huge.clone());
        let mut odd = node.choice('b');
        odd.to_wide(1, huge.clone());
        odd.to_wide(3, huge + 1_u8);
    }
}

#[test]
fn weights_beyond_machine_words() {
    let sure = |state: &u8| (Score::from(*state), Score::from(*state));
    let both = Pruned::new(&Weighty, sure);
    // Floats cannot tell them apart.
    assert_eq!(Node::of(&both, &0).unwrap().len(), 2);
    let value = Solver::exact().solve(&both, 0).unwrap().value();
    assert!(
        value > integer(2) && value < BigRational::new(BigInt::from(2_001), BigInt::from(1_000))
    );
}

#[test]
fn the_opponent_wants_the_least() {
    struct Two;
    impl Game for Two {
        type State = u8;
        type Action = char;
        fn expand(&self, state: &u8, node: &mut Node<Self>) {
            match state {
                0 => {
                    node.opponent();
                    node.choice('a').to(1, 1);
                    node.choice('b').to(2, 1);
                    node.choice('c').to(3, 1).reward(-3);
                }
                score => node.end(*score),
            }
        }
    }
    let near = |state: &u8| (Score::from((i64::from(*state), 2)), Score::from(*state));
    let pruned = Pruned::new(&Two, near);
    let node = Node::of(&pruned, &0).unwrap();
    // Between 1/2 and 1, between 1 and 2, and from -3/2 to 0.
    assert_eq!((node.len(), node.action(0)), (1, Some(&'c')));
    assert_eq!(
        Solver::exact().solve(&pruned, 0).unwrap().value(),
        integer(0)
    );
}

#[test]
fn bounds_that_contradict_each_other() {
    let game = Small {
        rows: vec![
            Row::End(0),
            Row::End(1),
            Row::Choices(
                Player::Max,
                [0, 1]
                    .map(|to| Law {
                        outcomes: vec![(to, 1)],
                        reward: 0,
                    })
                    .into(),
            ),
        ],
    };
    let refused = |lower: f64, upper: f64| {
        let bounds = move |_: &usize| (Score::from(lower), Score::from(upper));
        let pruned = Pruned::new(&game, bounds);
        let solved = Solver::exact().solve(&pruned, 2);
        solved.map(|solution| solution.value())
    };
    let Err(Error::BadBound {
        state,
        lower,
        upper,
    }) = refused(0.75, 0.25)
    else {
        panic!("they exclude everything");
    };
    assert_eq!(
        (state.as_str(), lower.as_str(), upper.as_str()),
        ("0", "0.75", "0.25")
    );
    assert!(matches!(
        refused(f64::NAN, 1.0),
        Err(Error::BadBound { .. })
    ));
    assert_eq!(refused(0.0, 1.0).unwrap(), integer(1));
}

/// A road without end, of which nothing is known.
#[test]
fn looking_ahead_has_an_end() {
    struct Line;
    impl Game for Line {
        type State = u32;
        type Action = char;
        fn expand(&self, state: &u32, node: &mut Node<Self>) {
            node.choice('a').to(state + 1, 1);
            if *state == 0 {
                node.choice('b').to(7, 1);
            }
        }
    }
    let pruned = Pruned::new(&Line, ()).look_ahead(u32::MAX, 0.0);
    assert_eq!(Node::of(&pruned, &0).unwrap().len(), 2);
}
