//! Solves finite games of chance (Markov decision processes) exactly, for one player or for two
//! against each other: the best decision in every state, its value, and where it leads.
//!
//! A state describes what is known, and one function tells what can happen next. The example is a
//! duel from the Fighting Fantasy books. Each round is won, drawn or lost. After a hit or a wound,
//! the hero may test LUCK with two dice. If lucky, a hit does more damage and a wound takes less;
//! if unlucky, it is the other way round. Either way the test costs a point of LUCK. When is it
//! worth it?
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
//! - [`Game`] is the one trait you write. A state either *ends* with a score or lists *choices* (or
//!   one chance move). Each choice has the states that it may lead to, with integer weights, and a
//!   [reward](Choice::reward) paid at once, if any. The weights of a choice add up to its own
//!   denominator, so probabilities sum to one by construction. A decision is made by the player or
//!   by [the opponent](Node::opponent), who wants the lowest score.
//! - [`Solver`] sets the number type, limits, tolerance and observer. It computes in
//!   [`exact`](Solver::exact) fractions, in [`float`](Solver::float)s with a stated error bound, or
//!   in [`certified`](Solver::certified) floats with a proof, from the same code.
//! - [`Table`] is a game that already exists as arrays, with numbers as states.
//! - [`Solution`] has for every state its value, its best actions (including ties), the gap of each
//!   action to the best, and an explanation.
//! - [`Forecast`] looks ahead under the decided play: how it ends, what it passes, and how long it
//!   takes.
//!
//! A state may lead back to itself (a round that is drawn and fought again). Such loops are
//! eliminated exactly. Any other cycle is an [`Error`] that shows the path, unless [cycles are
//! allowed](Solver::allow_cycles).
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | write the rules | [`Game`], [`Node`], [`Choice`], [`Score`] |
//! | number states that fill a box | [`Indexed`], [`Grid`], [`Solver::solve_indexed`] |
//! | pay rewards on the way | [`Choice::reward`], [`TableRow::reward`], [`Table::from_csr_with_rewards`], [`Node::reward`] |
//! | solve a game rank by rank | [`Ranked`], [`Solver::solve_ranked`], [`Solver::evaluate_ranked`], [`Solver::certify_ranked`] |
//! | roll a distribution of any denominator | [`Law`], [`Choice::roll`], [`Choice::law`], [`Choice::to_wide`] |
//! | let two play against each other | [`Player`], [`Node::opponent`], [`Played::by_opponent`] |
//! | give a model as arrays | [`Table`], [`Csr`], [`TableRow`], [`Solver::solve_table`] |
//! | generate rows instead of storing them | [`Generated`] |
//! | solve | [`Solver`], [`Exact`], [`Float`], [`Certified`], [`Number`] |
//! | prove the answer at little more than the cost of floats | [`Solver::certify`], [`Certified`], [`Enclosing`] |
//! | keep all actions that tie | [`Solver::all_ties`], [`Lazy::all_ties`] |
//! | query a state | [`Solution`], [`Appraisal`], [`Explanation`], [`Prospect`] |
//! | evaluate a policy | [`Policy`], [`AtRandom`], [`Decided`], [`Played`], [`Solver::evaluate`] |
//! | look ahead | [`Forecast`], [`Forecast::chance_of_any`], [`Visits`], [`Line`] |
//! | stop after a number of steps | [`Horizon`], [`Staged`], [`Stages`], [`Steps`] |
//! | discount later rewards | [`Discounted`] |
//! | play for another objective | [`Objective`], [`Aimed`], [`Rescored`] |
//! | play for several objectives in order | [`Lexicographic`], [`Solver::evaluate_all`] |
//! | find the distribution of the total | [`Totalled`], [`Tallied`], [`Forecast::scores`] |
//! | allow play to return to a state | [`Solver::allow_cycles`], [`Cyclic`], [`Visits`] |
//! | visit fewer states than there are | [`Lazy`], [`Bounds`], [`Relaxation`], [`Effort`] |
//! | leave out actions that are certainly worse | [`Pruned`], [`Bounds`] |
//! | decide at the same time as the other player | [`MatrixGame`], [`Equilibrium`], [`Strategy`], [`EnclosedEquilibrium`] |
//! | decide at the same time, state after state | [`Simultaneous`], [`Meeting`], [`Cell`], [`Solver::solve_simultaneous`], [`SimultaneousSolution`], [`Encounter`], [`SimultaneousNumber`] |
//! | see what a published lazy comparison does | [`PScore`], [`score_compare`], [`compare_by_bounds`] |
//! | learn instead of solve | `QLearning` (feature `rand`) |
//! | prefer simple play | [`Tolerance`] |
//! | use several cores | `Solver::threads` (feature `rayon`) |
//! | watch, stop and limit the work | [`Solver::observe`], [`Progress`], [`Phase`], [`Solver::max_states`], [`Solver::max_outcomes`], [`Solver::max_bytes`], [`Solver::max_cycle`] |
//! | draw a solution | [`Solution::dot`], [`Dot`] |
//! | store a solution | [`Record`] (files: feature `serde`) |
//! | check a game with PRISM or Storm, and read their models | [`Explicit`], [`ExplicitReader`] |
//! | find out what went wrong | [`Error`] |
//! | name the type of a solution | [`Explored`], [`Boxed`], [`ByRank`], [`Tabled`], [`Tabular`], [`Narrowed`] |
//!
//! # Cookbook
//!
//! All of these play [`KeepOrRoll`](Game#examples): a die is rolled up to three times, and the last
//! roll counts. A state is `(rolls left, pips showing)`.
//!
//! **What is this policy worth?** A closure that picks one of the actions is a [`Policy`]. Its
//! evaluation answers the same queries as a solution.
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
//! **How will the game end, and when?**
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
//! let forecast = solution.forecast()?;
//! assert_eq!(forecast.ends_by(|end| end.1)?.p(&6).to_string(), "1/3");
//! assert_eq!(forecast.expected_count(|state| state.1 > 0)?.to_string(), "5/3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Is the decision close?** Every action has a gap to the best one. If several gaps are zero, all
//! of these actions are best.
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
//! **Keep it simple.** With a [`Tolerance`], a later action is decided on only if it gains enough
//! over the earlier ones.
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
//! **States that fill a box** need no hashing. Number them so that play leads downwards ([`Grid`]
//! helps if there are several coordinates).
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
//! **Only two rolls left?** A [`Horizon`] ends any game after a given number of steps, so that even
//! a cyclic game has no cycles any more. One solution covers every number of steps.
//! ```
//! use oddsmith_mdp::{Horizon, Solver, Table};
//!
//! // Gambler's ruin, 3 of 10 in hand; whoever is not ruined is paid out.
//! let ruin = Table::from_fn(11, |hand, row| match hand {
//!     0 | 10 => row.end(hand),
//!     _ => {
//!         row.choice().to(hand - 1, 1).to(hand + 1, 1);
//!     }
//! })?;
//! let survive = Horizon::new(&ruin).unfinished(|_| 10);
//! let stages = Solver::exact().stages(&survive, 3, 5)?;
//! let values: Vec<String> = stages.values()?.iter().map(|v| v.to_string()).collect();
//! assert_eq!(values, ["10", "10", "10", "35/4", "35/4", "125/16"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Sooner is better.** A [`Discounted`] game need not even end.
//! ```
//! use oddsmith_mdp::{Discounted, Solver, Table};
//!
//! let ruin = Table::from_fn(11, |hand, row| match hand {
//!     0 | 10 => row.end(hand == 10),
//!     _ => {
//!         row.choice().to(hand - 1, 1).to(hand + 1, 1);
//!     }
//! })?;
//! let discounted = Discounted::new(&ruin, (4, 5))?; // a step later is worth 4/5
//! let solution = Solver::exact().allow_cycles().solve(&discounted, Some(3))?;
//! assert_eq!(solution.value().to_string(), "2688/349525");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **One objective first, then another.** Among all policies with the best chance of 5 or more,
//! which takes the fewest moves?
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! use oddsmith_mdp::Objective;
//!
//! let objectives = [Objective::at_least(5), Objective::fewest_steps()];
//! let plan = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), objectives)?;
//! let values: Vec<String> = plan.values()?.iter().map(|v| v.to_string()).collect();
//! assert_eq!(values, ["19/27", "8/3"]);
//! assert_eq!(plan.decision(&(1, 4))?, Some("roll"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **How will it most likely go?** The likeliest of all lines of play, and the explanation of a
//! decision on it.
//! ```
#![doc = include_str!("../docs/keep_or_roll.txt")]
//! let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
//! let line = solution.likeliest_line_to(|end| end.1 == 6)?.ok_or("no way")?;
//! assert_eq!(line.to_string(), "\
//! (3, 0): \"roll\"
//! (2, 6): \"keep\", reached with 1/6 = 0.16666666666666666
//! (0, 6): the end, reached with 1/6 = 0.16666666666666666
//! ");
//! assert_eq!(solution.explain(&(2, 6))?.prospects[0].outcomes[0].state, (0, 6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Is it proven?** Floats enclose every value and prove nearly every decision.
//! [`certify`](Solver::certify) resolves the rest exactly.
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
//! **Play that returns to a state** is solved if it is allowed. Gambler's ruin, 3 of 10 in hand:
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
//! **Rewards on the way.** A choice may [pay](Choice::reward) or cost something at once, and the
//! value is the expected total. Sell a car: one offer of 1 to 6 arrives per day, and a day of
//! waiting costs 1.
//! ```
//! use oddsmith_mdp::{Game, Node, Solver};
//!
//! struct Car;
//! impl Game for Car {
//!     type State = (u8, bool); // the offer, whether it is taken
//!     type Action = &'static str;
//!     fn expand(&self, &(offer, taken): &(u8, bool), node: &mut Node<Self>) {
//!         if taken {
//!             return node.end(offer);
//!         }
//!         node.choice("sell").to((offer, true), 1);
//!         let mut wait = node.choice("wait");
//!         wait.reward(-1);
//!         for offer in 1..=6 {
//!             wait.to((offer, false), 1);
//!         }
//!     }
//! }
//! let solution = Solver::exact().allow_cycles().solve(&Car, (3, false))?;
//! assert_eq!(solution.value().to_string(), "3");
//! assert_eq!(solution.value_of(&(2, false))?.to_string(), "3"); // too little
//! assert_eq!(solution.best(&(2, false))?, ["wait"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! With a reward of 1 for each step, the value is the highest expected number of steps. With a
//! reward of −1, it is minus the lowest expected number.
//!
//! **Both at once.** Each of two players shows a face of a coin without seeing the other's:
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
//! **Both at once, again and again.** In this version of RISK, attacker and defender choose their
//! dice without seeing the other's choice. Nobody needs to mix:
//! ```
//! use oddsmith_mdp::{Meeting, Simultaneous, Solver};
//!
//! struct Risk; // of how many throws the defender loses 0, 1, 2; by dice less one
//! const THROWS: [[[u64; 3]; 2]; 3] = [
//!     [[21, 15, 0], [161, 55, 0]],
//!     [[91, 125, 0], [581, 420, 295]],
//!     [[441, 855, 0], [2275, 2611, 2890]],
//! ];
//!
//! impl Simultaneous for Risk {
//!     type State = (usize, usize); // units of the attacker and of the defender
//!     type Row = usize;
//!     type Column = usize;
//!
//!     fn expand(&self, &(a, d): &(usize, usize), meeting: &mut Meeting<Self>) {
//!         if a == 0 || d == 0 {
//!             return meeting.end(d == 0);
//!         }
//!         for dice in 1..=a.min(3) {
//!             for against in 1..=d.min(2) {
//!                 let compared = dice.min(against);
//!                 let mut throw = meeting.cell(dice, against);
//!                 for lost in 0..=compared {
//!                     let weight = THROWS[dice - 1][against - 1][lost];
//!                     throw.to((a + lost - compared, d - lost), weight);
//!                 }
//!             }
//!         }
//!     }
//! }
//! let solution = Solver::exact().solve_simultaneous(&Risk, (3, 2))?;
//! assert_eq!(solution.value().to_string(), "6610505/10077696");
//! assert!(solution.pure_everywhere());
//! assert_eq!(solution.equilibrium(&(3, 2))?.row_support(), [&3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Watch, stop, limit.** The observer is called every 4,096 states. Whatever ends the work early
//! is an error that tells how far it got.
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
//! Yes, if one player faces chance, or if two play against each other, in turn or [at the same
//! time](Simultaneous), provided that the game is certain to end and its states can be enumerated:
//! dice and card solitaires, duels, gamebooks, optimal stopping, race games. Not, or not yet, if
//!
//! - the game is not zero-sum;
//! - both decide at the same time, and the game can return to such a state: its value may be
//!   irrational;
//! - both decide in turn, and both can help to go on for ever ([`Error::CycleOfBoth`]), as in a Pig
//!   for two in which a player may hold before the first roll of a turn. With a [`Horizon`] of some
//!   hundred turns, or with a slight discount ([`Discounted`]), it has an answer. (Pig by its usual
//!   rules is no such game. Each turn begins with a roll and ends at the target, so that one of two
//!   who never hold will win. [`allow_cycles`](Solver::allow_cycles) solves it.)
//! - a player has hidden information, such as cards;
//! - the game goes on for ever and an average counts ([`Discounted`] games may go on for ever);
//! - there are far more states than fit into memory, or states are continuous: approximate or
//!   simulate instead.
//!
//! The crate prints nothing and reads no files. It draws random numbers only with the feature
//! `rand`, from the generator passed in, and starts threads only with the feature `rayon`, as many
//! as requested. The same input gives the same output, bit for bit.
//!
//! # Features
//!
//! - `rand` (off by default): simulates games under any policy (`Simulator`), and tests the results
//!   against the exact value, or encloses an unknown value in a confidence interval
//!   (`Simulation::clopper_pearson`).
//! - `serde` (off by default): writes and reads [`Record`]s, [`Score`]s, [`MatrixGame`]s and
//!   [`Strategy`]s; writes [`Equilibrium`]s, [`Elimination`]s, `Simulation`s, and what solutions are
//!   asked for, such as [`Appraisal`]s, [`Explanation`]s and [`Line`]s. Module `written` for values
//!   in types of your own.
//! - `rayon` (off by default): solves large layers with several threads (`Solver::threads`), with
//!   the same results bit for bit.
//!
//! # Minimum supported Rust version
//!
//! 1.88.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ahead;
mod aimed;
mod boxed;
mod certify;
mod choice;
mod cycle;
mod discount;
mod dot;
#[cfg(feature = "rand")]
mod draw;
mod error;
mod explain;
mod explicit;
mod explored;
mod forecast;
mod game;
mod gathered;
mod grid;
mod horizon;
mod induction;
mod law;
mod layers;
mod lazy;
#[cfg(feature = "rand")]
mod learn;
mod lexicographic;
mod limits;
mod line;
mod listed;
mod matrix;
mod model;
mod node;
mod number;
mod objective;
mod odds;
mod order;
mod page;
mod player;
mod policy;
mod progress;
mod pscore;
mod rank;
mod record;
mod relay;
mod rescored;
mod reward;
mod rows;
mod score;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "rand")]
mod simulate;
mod simultaneous;
mod solution;
mod solver;
mod steps;
mod table;
mod table_row;
mod threads;
mod tolerance;
mod totalled;
#[cfg(feature = "serde")]
pub mod written;

pub use aimed::Aimed;
pub use boxed::Boxed;
pub use certify::{Enclosing, Narrowed};
pub use choice::Choice;
pub use cycle::{Cyclic, Visits};
pub use discount::Discounted;
pub use dot::Dot;
pub use error::Error;
pub use explain::{Explanation, Outcome, Prospect, Readable};
pub use explicit::{Dialect, Explicit, ExplicitModel, ExplicitReader, Numerals};
pub use explored::Explored;
pub use forecast::Forecast;
pub use game::{Game, Indexed, Ranked};
pub use grid::Grid;
pub use horizon::{Horizon, Staged, Stages};
pub use law::Law;
pub use lazy::{Bounds, Effort, Lazy, Pruned, Relaxation, Relaxed, Sought};
#[cfg(feature = "rand")]
#[cfg_attr(docsrs, doc(cfg(feature = "rand")))]
pub use learn::{Estimates, Exploration, Learned, QLearning, Rate, Recording, Regret};
pub use lexicographic::{Lexicographic, VectorAppraisal, VectorExplanation};
pub use line::{Line, LineStep};
pub use matrix::{
    Dominance, Dominator, Elimination, EnclosedEquilibrium, Equilibrium, Guarantee, MatrixGame,
    Removal, Side, Strategy,
};
pub use model::Model;
pub use node::Node;
pub use number::{Certified, Exact, Float, Number};
pub use objective::Objective;
pub use player::Player;
pub use policy::{AtRandom, Played, Policy};
pub use progress::{Phase, Progress};
pub use pscore::{PScore, Thunk, compare_by_bounds, score_compare, score_compare_skipping};
pub use rank::ByRank;
pub use record::{Record, Recorded};
pub use rescored::Rescored;
pub use score::Score;
#[cfg(feature = "rand")]
#[cfg_attr(docsrs, doc(cfg(feature = "rand")))]
pub use simulate::{Playthrough, Simulation, Simulator};
pub use simultaneous::{
    Cell, Encounter, Meeting, Simultaneous, SimultaneousNumber, SimultaneousSolution,
};
pub use solution::{Appraisal, Decided, Solution};
pub use solver::Solver;
pub use steps::Steps;
pub use table::{Csr, Generated, Table, Tabled, Tabular};
pub use table_row::TableRow;
pub use tolerance::Tolerance;
pub use totalled::{Tallied, Totalled};

/// The fractions in answers, and the trait whose `to_f64` rounds them.
#[doc(no_inline)]
pub use num_rational::BigRational;
#[doc(no_inline)]
pub use num_traits::ToPrimitive;

/// The README's examples, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
