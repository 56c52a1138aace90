//! Gamebooks solved exactly: the chance to win, the best choice in every
//! section, and the walk-through.
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
//! In a gamebook the reader is the hero. Every section ends with what to do
//! next: choose where to go, test LUCK or SKILL with two dice, fight to the
//! death, and turn to the section named. Which way wins most often? The
//! question and the adventure above are from "City of Thieves solved", which
//! leaves the answer open.
//!
//! # Overview
//!
//! - [`Book`] holds numbered [`Section`]s; [`BookBuilder`] writes and checks
//!   them.
//! - [`BookPlan`] is a book solved for a hero: what it is worth, [`Advice`] at
//!   every [`Place`], the [`WalkThrough`].
//! - [`BookGame`] is the book as a game for a solver, to be asked anything else.
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | write a book | [`Book::builder`], [`BookBuilder`], [`Section`] |
//! | find its mistakes | [`BookBuilder::build`], [`Book::findings`], [`Error`] |
//! | solve it | [`Book::solve`], [`Book::solve_with`] |
//! | know what to do, and how clear it is | [`BookPlan::first_choice`], [`BookPlan::advice`], [`BookPlan::places`] |
//! | read the way of best play | [`BookPlan::walkthrough`], [`BookPlan::visits`] |
//! | know what any other habit is worth | [`Book::evaluate`] |
//!
//! # Cookbook
//!
//! **How hard is a book?** Best play, a reader without a plan, and one who
//! avoids a fight wherever there is another way:
//! ```
//! use num_traits::ToPrimitive;
//! use oddsmith_fightingfantasy::{Foe, Hero};
//! use oddsmith_gamebook::{Book, Place, Section, Turn};
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
//! let coward = |_: &Place, options: &[Turn]| {
//!     let fights = |turn: &Turn| matches!(book.section(turn.target()), Ok(Section::Fight { .. }));
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
//! # Should I use this crate?
//!
//! Yes, for books whose sections lead forwards and in which nothing is carried
//! but SKILL, STAMINA and LUCK. Not, or not yet, for items, gold, provisions
//! and conditions (give sections with and without an item two numbers, as
//! above), LUCK in battle, several foes at once, or ways that run in a circle.
//! For fights alone see `oddsmith-fightingfantasy`, for games that are no
//! books `oddsmith-mdp`.
//!
//! The crate prints nothing, reads no files, draws no random numbers, and gives
//! the same output for the same input, bit for bit.
//!
//! # Features
//!
//! None.
//!
//! # Minimum supported Rust version
//!
//! 1.88; raising it is a minor release.

mod book;
mod book_game;
mod builder;
mod error;
mod fight;
mod finding;
mod order;
mod plan;
mod section;
mod walk;

pub use book::Book;
pub use book_game::{BookGame, Place};
pub use builder::BookBuilder;
pub use error::Error;
pub use finding::Finding;
pub use plan::{Advice, BookPlan};
pub use section::{Section, Turn};
pub use walk::{Deed, Step, WalkThrough};

/// The README's example, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
