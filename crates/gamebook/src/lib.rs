//! Solves gamebooks exactly: the chance to win, the best choice in every section, and a
//! walk-through.
//!
//! ```
//! use oddsmith_fightingfantasy::Hero;
//! use oddsmith_gamebook::Book;
//!
//! // Fight a monster, won nine times in ten, for a reward that raises the
//! // chance in the last fight from 8 in 10 to 9 in 10?
//! let book = Book::builder()
//!     .choice(1, [("avoid the monster", 2), ("fight it", 3)])
//!     .chance(2, [(5, 8), (6, 2)])
//!     .chance(3, [(4, 9), (6, 1)])
//!     .chance(4, [(5, 9), (6, 1)])
//!     .won(5)
//!     .lost(6)
//!     .build()?;
//! let plan = book.solve(&Hero::new(7, 14, 7)?)?;
//! assert_eq!(plan.value().to_string(), "81/100");
//! assert_eq!(plan.first_choice()?.ok_or("a choice")?.label(), "fight it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In a gamebook the reader plays a hero. Every section ends by saying what to do next: choose an
//! option, test LUCK or SKILL with two dice, fight to the death, and turn to the section named.
//! Which options win most often? The question and the adventure above come from "City of Thieves
//! solved", which leaves the answer open.
//!
//! # Overview
//!
//! - [`Manuscript`] is a book as data, in the format `oddsmith-gamebook` 1. [`Book`] is a
//!   manuscript that has been checked. [`BookBuilder`] writes small books in code.
//! - [`Character`] is a hero as rolled.
//! - [`BookPlan`] is a book solved for one hero: its value, the [`Advice`] for every [`Place`], and
//!   the [`WalkThrough`].
//! - [`BookGame`] is the book as a game, which any solver of `oddsmith-mdp` takes.
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | write a book | [`Manuscript`], [`Section`], [`Passage`], [`Play`], [`Effect`], [`Condition`] |
//! | define what a hero consists of | [`Sheet`], [`Stat`], [`Item`], [`Refreshment`], [`RuleSet`] |
//! | add fights, tests, shops and games | [`Fight`], [`Trial`], [`Shop`], [`Wager`], [`Branch`] |
//! | write a book as a file | [the format on one page](mod@format) |
//! | read and write books (features `serde` and `toml`) | `Book::from_json`, `Book::from_toml`, `Book::variant_from_json` |
//! | export results to other programs (feature `serde`) | [`Advice`], [`Journey`], [`Lint`], [`Valuation`] are `Serialize` |
//! | write a small book in code | [`Book::builder`], [`BookBuilder`] |
//! | change a book | [`Variant`], [`RuleChanges`] |
//! | find errors in a book | [`Book::new`], [`Book::findings`], [`Error`] |
//! | lint a book: options that never open or always lose, must-haves, cycles, stuck readers, prices too high for some | [`Book::lint`], [`Book::lint_up_to`], [`Finding`] |
//! | play by other rules | [`Rules`], [`BookGame::with_rules`] |
//! | play fights round by round | [`Fights`] |
//! | use LUCK in battle | [`RuleSet::luck_in_battle`], [`BookBuilder::luck_in_battle`], [`Move::TestLuck`] |
//! | count what a book consists of | [`Compiled`] |
//! | solve a short book | [`Book::solve`], [`Book::solve_with`] |
//! | solve a long book, or the rest of one | [`BookSolver`], [`Valuation`] |
//! | solve a long book in fractions | [`BookSolver::solve_exact`], [`ReducedGame`] |
//! | compare the routes through a long book | [`Valuation::fork`], [`BookSolver::ways`] |
//! | bound the value of a very long book to a given precision | [`BookSolver::approximate`] |
//! | play and follow a long book | [`BookSolver::policy`], [`BookPolicy`] |
//! | solve a long book once and query any place | [`BookSolver::odds`], [`BookOdds`] |
//! | keep the place of a reader in a file | [`Bookmark`], [`BookGame::bookmark`], [`BookGame::open`] |
//! | get advice: what to do, by what margin, and why | [`BookPlan::first_choice`], [`BookPlan::advice`], [`BookPlan::explain`], [`BookPlan::places`] |
//! | get advice in a long book | [`BookSolver::advice`], [`BookSolver::explain`] |
//! | read the likeliest line of best play | [`BookPlan::walkthrough`], [`BookPlan::visits`] |
//! | evaluate any other policy | [`Book::evaluate`], [`BookGame::evaluate`] |
//! | follow any policy: visits, endings, deaths, what is held at the end | [`Book::follow`], [`Journey`], [`FollowLimits`] |
//! | measure how hard a book is, and for whom | [`Book::difficulty`], [`Habit`], [`Comparison`] |
//! | read a book move by move, with dice (feature `rand`) | `Reader` |
//! | simulate a book that is too long to evaluate (feature `rand`) | `BookGame::play`, `Difficulty::play`, [`Played`] |
//! | write a report or draw a graph | [`Report`], [`Book::graph`], [`BookGraph`] |
//!
//! # Cookbook
//!
//! **How hard is a book?** Compares best play, a reader who chooses at random, and one who avoids a
//! fight wherever there is another way:
//! ```
//! use num_traits::ToPrimitive;
//! use oddsmith_fightingfantasy::{Foe, Hero};
//! use oddsmith_gamebook::{Book, Move, Place, Play};
//! use oddsmith_mdp::AtRandom;
//!
//! let book = Book::builder()
//!     .choice(1, [("the ogre", 2), ("the rope bridge", 3)])
//!     .fight(2, Foe::new(8, 10)?, 4)
//!     .luck(3, 4, 6)
//!     .fight(4, Foe::new(9, 8)?, 5)
//!     .won(5)
//!     .lost(6)
//!     .build()?;
//! let hero = Hero::new(10, 18, 9)?;
//! let coward = |_: &Place, options: &[Move]| {
//!     let fights = |turn: &Move| {
//!         let to = turn.target().and_then(|to| book.section(to).ok());
//!         to.is_some_and(|to| matches!(to.passage.play, Play::Fight(_)))
//!     };
//!     options.iter().position(|turn| !fights(turn)).unwrap_or(0)
//! };
//! let best = book.solve(&hero)?.value();
//! let random = book.evaluate(&hero, AtRandom)?;
//! let avoiding = book.evaluate(&hero, coward)?;
//! let shown = [best, random, avoiding].map(|p| format!("{:.3}", p.to_f64().unwrap_or(0.0)));
//! assert_eq!(shown, ["0.940", "0.883", "0.825"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **What is LUCK in battle worth?** Compares the same book with and without the rule:
//! ```
//! use oddsmith_fightingfantasy::{Foe, Hero};
//! use oddsmith_gamebook::Book;
//!
//! let book = Book::builder().fight(1, Foe::new(9, 8)?, 2).fight(2, Foe::new(7, 6)?, 3).won(3);
//! let hero = Hero::new(9, 12, 9)?;
//! let without = book.clone().build()?.solve(&hero)?.value_f64();
//! let with = book.luck_in_battle().build()?.solve(&hero)?.value_f64();
//! assert_eq!(format!("{without:.3} {with:.3}"), "0.613 0.822");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Should I use this crate?
//!
//! Yes, for books that follow the rules of Fighting Fantasy, and for whatever the same format can
//! express. [`Book::solve`] visits every state. It is exact and fine for short books, but a book of
//! 400 sections with sixty items has more states than any memory holds. [`BookSolver`] solves large
//! parts of such a book in milliseconds, and all of it in seconds or minutes, in floats with a
//! proven error bound. [`BookSolver::approximate`] computes two bounds, as close as requested. For
//! fights alone see `oddsmith-fightingfantasy`; for games that are not books see `oddsmith-mdp`.
//!
//! The crate prints nothing and reads no files. It draws random numbers only with the feature
//! `rand`, from the generator passed in. The same input gives the same output, bit for bit.
//!
//! # Features
//!
//! All features are off by default. `serde` reads and writes books and heroes as JSON and
//! serializes results (advice, journeys, findings and so on). `toml` also reads and writes books as
//! TOML. `plot` draws the graph of a book as SVG. `rand` plays books with dice, move by move.
//!
//! # Minimum supported Rust version
//!
//! 1.88. Raising it is a minor release.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod advised;
mod amid_fight;
mod amount;
mod apply;
mod battle;
mod battle_luck;
mod book;
mod book_game;
mod book_odds;
mod book_policy;
mod book_solver;
mod bookmark;
mod bout;
mod bracket;
mod builder;
mod character;
mod check;
mod comes_back;
mod comparison;
mod compile;
mod compiled;
mod condition;
#[cfg(feature = "serde")]
mod defaults;
mod difficulty;
mod effect;
mod error;
mod evaluation;
mod explanation;
mod falls;
mod fight;
mod finding;
mod fork;
mod fraction;
mod graph;
mod habit;
mod journey;
mod left_out;
mod lint;
mod manuscript;
mod mistakes;
mod moves;
mod outset;
mod place;
mod plan;
mod play;
mod played;
mod progress;
#[cfg(feature = "serde")]
mod read;
mod reduced_game;
mod report;
mod rule_set;
mod rules;
mod running;
mod section;
#[cfg(feature = "serde")]
mod serde;
mod sheet;
#[cfg(feature = "serde")]
mod shelf;
mod shop;
mod solver;
mod sought;
mod spread;
mod trial;
mod valuation;
mod wager;
mod walk;
#[cfg(feature = "serde")]
mod wire;

pub use amount::Amount;
pub use book::Book;
pub use book_game::{BookGame, Fights};
pub use book_odds::BookOdds;
pub use book_policy::BookPolicy;
pub use book_solver::BookSolver;
pub use bookmark::Bookmark;
pub use builder::BookBuilder;
pub use character::Character;
pub use comparison::{Comparison, Pick};
pub use compiled::Compiled;
pub use condition::{Condition, Holding};
pub use difficulty::Difficulty;
pub use effect::{ConditionalEffects, Effect, RandomLoss, RepeatedEffects, WeightedEffects};
pub use error::Error;
pub use evaluation::Evaluation;
pub use explanation::{Explanation, Outcome};
pub use fight::{Enemy, Escape, Fight, FightCount, FightOrder, Hazard, Toll};
pub use finding::Finding;
pub use fork::{Fork, Way};
pub use graph::{BookGraph, SectionKind};
pub use habit::{Avoiding, FirstOption, Habit};
pub use journey::{Fate, FollowLimits, Journey, Probability};
pub use lint::{Lint, LintSearch};
pub use manuscript::{Manuscript, Variant};
pub use moves::{Move, Turn};
pub use place::Place;
pub use plan::{Advice, BookPlan};
#[cfg(feature = "rand")]
pub use play::reader::Reader;
pub use played::Played;
pub use progress::Progress;
pub use reduced_game::ReducedGame;
pub use report::Report;
pub use rule_set::{RefreshAt, RuleChanges, RuleSet, System};
pub use rules::{FightingFantasy, Rules};
pub use section::{Branch, Choice, Ending, Passage, Play, Section};
pub use sheet::{Cap, Item, Refreshment, Sheet, Slot, Stat};
pub use shop::{Goods, Shop, Ware};
pub use trial::Trial;
pub use valuation::Valuation;
pub use wager::Wager;
pub use walk::{Deed, Step, WalkThrough};

/// The fractions in answers, and the trait whose `to_f64` rounds them.
#[doc(no_inline)]
pub use num_rational::BigRational;
#[doc(no_inline)]
pub use num_traits::ToPrimitive;

#[cfg(doc)]
#[doc = include_str!("../FORMAT.md")]
pub mod format {}

/// Tests the README's examples, two of which need features.
#[cfg(all(doctest, feature = "toml"))]
#[doc = include_str!("../README.md")]
struct Readme;
