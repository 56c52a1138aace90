//! Finite games of chance, for one player or two against each other, solved
//! exactly: the best decision in every state, what it is worth, and where it
//! leads.
//!
//! The state says what is known, one function says what can happen next. Here
//! it is a duel from the Fighting Fantasy books. Each round is won, drawn or
//! lost; after a hit or a wound the hero may test his LUCK with two dice, which
//! does more damage (or takes less) if lucky, less (or more) if not, and costs
//! a point of luck either way. When is it worth it?
//!
//! ```
//! use Phase::{Lost, Round, Won};
//! use oddsmith_mdp::{Game, Node, Solver};
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
//! enum Phase { Round, Won, Lost }
//!
//! struct Duel; // the foe has 3 points of skill more: 206 : 104 : 986 of 1,296 rounds
//!
//! impl Game for Duel {
//!     type State = (i32, i32, i32, Phase); // stamina of hero and foe, luck, what next
//!     type Action = &'static str;
//!
//!     fn expand(&self, &(hero, foe, luck, phase): &Self::State, node: &mut Node<Self>) {
//!         if hero <= 0 || foe <= 0 {
//!             return node.end(foe <= 0);
//!         }
//!         let lucky = (2..=luck.min(12)).map(|roll| 6 - u64::from(roll.abs_diff(7))).sum();
//!         let mut test = |hit: [i32; 3], wound: [i32; 3]| {
//!             node.choice("plain").to((hero - wound[0], foe - hit[0], luck, Round), 1);
//!             if luck > 0 {
//!                 let mut test = node.choice("luck");
//!                 test.to((hero - wound[1], foe - hit[1], luck - 1, Round), lucky);
//!                 test.to((hero - wound[2], foe - hit[2], luck - 1, Round), 36 - lucky);
//!             }
//!         };
//!         match phase {
//!             Won => test([2, 4, 1], [0; 3]),
//!             Lost => test([0; 3], [2, 1, 3]),
//!             Round => {
//!                 let mut round = node.chance();
//!                 round.to((hero, foe, luck, Won), 206).to((hero, foe, luck, Lost), 986);
//!                 round.to((hero, foe, luck, Round), 104); // drawn: again
//!             }
//!         }
//!     }
//! }
//!
//! let weak = Solver::exact().solve(&Duel, (2, 3, 3, Round))?;
//! assert_eq!(weak.value().to_string(), "681981643/15243028992");
//! assert_eq!(weak.decision(&(2, 3, 3, Lost))?, Some("luck")); // a plain wound kills
//!
//! // The White Dragon, of skill 15 and stamina 22, against a hero of 12, 24, 12:
//! let dragon = Solver::float().solve(&Duel, (24, 22, 12, Round))?;
//! assert!((dragon.value() - 0.04639).abs() < 1e-5); // 0.00044 without luck
//! assert!(dragon.error(&(24, 22, 12, Round))? < 1e-14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! - [`Game`] is the one trait you write: a state either *ends* with a score or
//!   lists *choices* (or one move of chance), each with the states that it may
//!   lead to and integer weights. The weights of a choice add up to its own
//!   denominator, so probabilities sum to one by construction. A decision is the
//!   player's, or [the opponent's](Node::opponent), who wants the lowest score.
//! - [`Solver`] says how: in [`exact`](Solver::exact) fractions, in
//!   [`float`](Solver::float)s with a stated error bound, or
//!   [`certified`](Solver::certified), in floats with proof, from the same code;
//!   with which limits, tolerance and observer.
//! - [`Table`] is a game that exists as arrays already, with numbers for states.
//! - [`Solution`] answers for every state: its value, its best actions (ties
//!   are ties), the gap of each action to the best, and why.
//! - [`Forecast`] looks ahead under the decided play: how it ends, what it
//!   passes, how long it takes.
//!
//! A state may lead back to itself (a round that is drawn and fought again);
//! such loops are eliminated exactly. Any other cycle is an [`Error`] that
//! shows the path, unless [it is allowed](Solver::allow_cycles).
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | write the rules | [`Game`], [`Node`], [`Choice`], [`Score`] |
//! | number the states of a box | [`Indexed`], [`Grid`], [`Solver::solve_indexed`] |
//! | roll a law of any denominator | [`Law`], [`Choice::roll`], [`Choice::law`], [`Choice::to_wide`] |
//! | let two play against each other | [`Player`], [`Node::opponent`], [`Played::by_opponent`] |
//! | give a model as arrays | [`Table`], [`Csr`], [`TableRow`], [`Solver::solve_table`] |
//! | keep no rows at all | [`Generated`] |
//! | solve | [`Solver`], [`Exact`], [`Float`], [`Certified`], [`Number`] |
//! | prove it at the cost of floats | [`Solver::certify`], [`Certified`] |
//! | ask about a state | [`Solution`], [`Appraisal`], [`Explanation`] |
//! | ask about a way of playing | [`Policy`], [`AtRandom`], [`Played`], [`Solver::evaluate`] |
//! | look ahead | [`Forecast`] |
//! | let play come back to a state | [`Solver::allow_cycles`], [`Cyclic`], [`Visits`] |
//! | visit fewer states than there are | [`Lazy`], [`Bounds`], [`Relaxation`], [`Effort`] |
//! | decide at the same time as the other | [`MatrixGame`], [`Equilibrium`], [`Strategy`] |
//! | see what a published lazy comparison does | [`PScore`], [`score_compare`], [`compare_by_bounds`] |
//! | learn instead of solve | `QLearning` (feature `rand`) |
//! | prefer simple play | [`Tolerance`] |
//! | watch, stop and limit the work | [`Solver::observe`], [`Progress`], [`Phase`], [`Solver::max_states`], [`Solver::max_bytes`] |
//! | know what went wrong | [`Error`] |
//! | name the type of a solution | [`Explored`], [`Boxed`], [`Tabled`], [`Tabular`], [`Narrowed`] |
//!
//! # Cookbook
//!
//! All of these play [`KeepOrRoll`](Game#examples): roll a die up to three
//! times, the last roll counts; a state is `(rolls left, pips showing)`.
//!
//! **What is this habit worth?** A closure that picks one of the actions is a
//! [`Policy`]; its evaluation answers whatever a solution does.
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! let cautious = |&(_, pips): &(u8, u8), actions: &[&str]| {
//!     usize::from(pips < 3 && actions.len() > 1) // rolls 1 and 2 again
//! };
//! let evaluation = Solver::exact().evaluate(&KeepOrRoll, cautious, (3, 0))?;
//! assert_eq!(evaluation.value().to_string(), "79/18"); // best play: 84/18
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **How will it end, and when?**
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
//! let forecast = solution.forecast()?;
//! assert_eq!(forecast.ends_by(|end| end.1)?.p(&6).to_string(), "1/3");
//! assert_eq!(forecast.expected_count(|state| state.1 > 0)?.to_string(), "5/3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Is the choice close?** Every action has its gap to the best one; if
//! several gaps are zero, all of these actions are best.
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
//! let gaps: Vec<String> = solution
//!     .choices(&(2, 4))?
//!     .iter()
//!     .map(|choice| format!("{}: {}", choice.action, choice.gap))
//!     .collect();
//! assert_eq!(gaps, ["keep: 1/4", "roll: 0"]);
//! assert_eq!(solution.best(&(2, 4))?, ["roll"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Keep it simple.** With a [`Tolerance`] a later action is decided for only
//! if it gains enough over the earlier ones.
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! use oddsmith_mdp::Tolerance;
//! let lazy = Tolerance::absolute(1, 2)?; // a roll must gain more than 1/2
//! let solution = Solver::exact().tolerance(lazy).solve(&KeepOrRoll, (3, 0))?;
//! assert_eq!(solution.decision(&(2, 4))?, Some("keep"));
//! assert_eq!(solution.value().to_string(), "55/12"); // best play: 56/12
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **A box of states** needs no hashing: number them so that play leads
//! downwards ([`Grid`] helps if there are more coordinates).
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! use oddsmith_mdp::Indexed;
//!
//! impl Indexed for KeepOrRoll {
//!     fn size(&self) -> usize {
//!         4 * 7
//!     }
//!     fn index(&self, &(left, pips): &(u8, u8)) -> usize {
//!         usize::from(left) * 7 + usize::from(pips)
//!     }
//!     fn state(&self, index: usize) -> (u8, u8) {
//!         ((index / 7) as u8, (index % 7) as u8)
//!     }
//! }
//! let solution = Solver::exact().solve_indexed(&KeepOrRoll, (3, 0))?;
//! assert_eq!(solution.value().to_string(), "14/3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Is it proven?** Floats enclose every value and prove nearly every decision;
//! [`certify`](Solver::certify) settles the rest exactly.
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! let enclosed = Solver::certified().solve(&KeepOrRoll, (3, 0))?;
//! let (lower, upper) = enclosed.enclosure(&(3, 0))?;
//! assert!(lower <= 14.0 / 3.0 && 14.0 / 3.0 <= upper && upper - lower < 1e-13);
//! assert_eq!(enclosed.undecided(), 0);
//!
//! let certified = Solver::certified().certify(&KeepOrRoll, (3, 0))?;
//! assert_eq!(certified.value().to_string(), "14/3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Play that comes back** is solved if it is allowed. Gambler's ruin, 3 of 10
//! in hand:
//! ```
//! use oddsmith_mdp::{Solver, Table};
//!
//! let ruin = Table::from_fn(11, |hand, row| match hand {
//!     0 | 10 => row.end(hand == 10),
//!     _ => {
//!         row.choice().to(hand - 1, 1).to(hand + 1, 1);
//!     }
//! })?;
//! let solution = Solver::exact().allow_cycles().solve_table(&ruin, 3)?;
//! assert_eq!(solution.value().to_string(), "3/10");
//! assert_eq!(solution.visits()?.expected_count(|_| true)?.to_string(), "21");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Both at once.** Each of two shows a face of a coin without seeing the
//! other's:
//! ```
//! use oddsmith_mdp::MatrixGame;
//!
//! let pennies = MatrixGame::new([[3, -1], [-1, 1]])?;
//! let play = pennies.solve()?;
//! assert_eq!(play.value().to_string(), "1/3");
//! assert_eq!(play.row().p(0).to_string(), "1/3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Watch, stop, limit.** The observer hears every 4,096 states; whatever ends
//! the work early is an error that says how far it got.
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! use oddsmith_mdp::{Error, Phase};
//! use std::ops::ControlFlow;
//!
//! let solver = Solver::exact().observe(|progress| match progress.phase {
//!     Phase::Solving => ControlFlow::Break(()),
//!     _ => ControlFlow::Continue(()),
//! });
//! let stopped = solver.solve(&KeepOrRoll, (3, 0)).err();
//! assert_eq!(stopped, Some(Error::Cancelled { phase: Phase::Solving, done: 19 }));
//!
//! let limited = Solver::exact().max_states(10).solve(&KeepOrRoll, (3, 0)).err();
//! assert_eq!(limited, Some(Error::TooManyStates { limit: 10 }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Should I use this crate?
//!
//! Yes, if one player faces chance, or two take turns against each other, the
//! game is sure to end and its states can be listed: dice and card solitaires,
//! duels, gamebooks, optimal stopping, race games. Not, or not yet, if
//!
//! - the players want different things that do not add up to nothing;
//! - they decide at the same time in many states ([`MatrixGame`] solves one such
//!   decision);
//! - it goes on for ever, with discounting or averages;
//! - there are far more states than fit into memory, or states are continuous:
//!   approximate or simulate instead.
//!
//! The crate prints nothing, reads no files and spawns no threads; it draws
//! random numbers only with the feature `rand`, from the generator that it is
//! given. The same input gives the same output, bit for bit.
//!
//! # Features
//!
//! - `rand` (off by default): play games out with random numbers, by any policy
//!   (`Simulator`), and test what comes of it against the exact value.
//!
//! # Minimum supported Rust version
//!
//! 1.88.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod boxed;
mod certify;
mod choice;
mod cycle;
mod error;
mod explain;
mod explored;
mod forecast;
mod game;
mod grid;
mod induction;
mod law;
mod lazy;
#[cfg(feature = "rand")]
mod learn;
mod matrix;
mod model;
mod node;
mod number;
mod odds;
mod order;
mod page;
mod player;
mod policy;
mod progress;
mod pscore;
mod rows;
mod score;
#[cfg(feature = "rand")]
mod simulate;
mod solution;
mod solver;
mod table;
mod table_row;
mod tolerance;

pub use boxed::Boxed;
pub use certify::Narrowed;
pub use choice::Choice;
pub use cycle::{Cyclic, Visits};
pub use error::Error;
pub use explain::{Explanation, Readable};
pub use explored::Explored;
pub use forecast::Forecast;
pub use game::{Game, Indexed};
pub use grid::Grid;
pub use law::Law;
pub use lazy::{Bounds, Effort, Lazy, Relaxation, Relaxed, Sought};
#[cfg(feature = "rand")]
#[cfg_attr(docsrs, doc(cfg(feature = "rand")))]
pub use learn::{Estimates, Exploration, Learned, QLearning, Rate, Recording, Regret};
pub use matrix::{
    Dominance, Dominator, Elimination, Equilibrium, Guarantee, MatrixGame, Removal, Side, Strategy,
};
pub use node::Node;
pub use number::{Certified, Exact, Float, Number};
pub use player::Player;
pub use policy::{AtRandom, Played, Policy};
pub use progress::{Phase, Progress};
pub use pscore::{PScore, Thunk, compare_by_bounds, score_compare, score_compare_skipping};
pub use score::Score;
#[cfg(feature = "rand")]
#[cfg_attr(docsrs, doc(cfg(feature = "rand")))]
pub use simulate::{Playthrough, Simulation, Simulator};
pub use solution::{Appraisal, Solution};
pub use solver::Solver;
pub use table::{Csr, Generated, Table, Tabled, Tabular};
pub use table_row::TableRow;
pub use tolerance::Tolerance;

/// The README's examples, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
