//! Solves Lone Wolf gamebooks: the chance to win of any hero with best play, the best choice in
//! every situation, and the exact distribution of every combat.
//!
//! ```
//! use oddsmith_lonewolf::Combat;
//!
//! // COMBAT SKILL 17 and ENDURANCE 25 against the Harbour Thugs' 16 and 25.
//! let combat = Combat::new(17, 25, 16, 25)?;
//! assert_eq!(format!("{:.5}", combat.win_f64()?), "0.99952");
//! assert_eq!(combat.odds()?.endurance_left()?.p(&20).to_string(), "16/125");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A whole book, with the feature `serde`:
//! ```
//! # #[cfg(feature = "serde")] {
//! use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Discipline, Item, Rules};
//!
//! let book = Book::fire_on_the_water()?;
//! let hero = ActionChart::new(15, 25)?
//!     .disciplines(&[
//!         Discipline::Hunting,
//!         Discipline::Weaponskill(Item::ShortSword),
//!         Discipline::Mindblast,
//!         Discipline::SixthSense,
//!         Discipline::Mindshield,
//!     ])?
//!     .item(Item::ShortSword)?
//!     .items(Item::Meal, 2)?
//!     .gold(15)?;
//! let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
//! let solved = solver.solve(&hero)?;
//! assert!((solved.win() - 0.277_973_289_004_5).abs() < 1e-12);
//! assert!(solved.error() < 1e-12);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In these books, a round of combat is one random number from 0 to 9. The combat ratio, which is
//! the difference of the two COMBAT SKILLs, selects a column of a printed table, and the random
//! number selects a row. The cell says how much ENDURANCE each side loses. Between combats,
//! sections offer choices and conditions, and things to find, buy and lose. "Solving a gamebook: a
//! smarter solver" tried to find the best way through the second of these books and reached its
//! section 150, in 47 minutes. This crate solves the whole book in a fraction of a second by the
//! same rules ([`Rules::yardstick`]), and in a second or more by the printed rules.
//!
//! # Overview
//!
//! - [`CombatTable`] is the Combat Results Table as data, [`Combat`] is a combat with one foe, and
//!   [`CombatOdds`] is its solution.
//! - [`ActionChart`] is a hero: COMBAT SKILL, ENDURANCE, [`Discipline`]s, [`Item`]s.
//! - [`Book`] is a checked book; [`Rules`] selects the printed rules or simplifications of them.
//! - [`BookSolver`] solves a book for one hero after another; [`Solved`] holds the answers, and
//!   [`Journey`] describes best play from the beginning to the end.
//! - [`Adventure`] is the same book as a game of `oddsmith-mdp`, without any reduction.
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | look up a round | [`CombatTable::round`], [`CombatTable::exchange`], [`CombatTable::column`] |
//! | use the printed table, or your own | [`CombatTable::printed`], [`CombatTable::new`], [`Rules::fight_by`] |
//! | compute the chance to win a combat | [`Combat::win`], [`Combat::win_f64`] |
//! | see what is left | [`CombatOdds::endurance_left`], [`CombatOdds::law`], [`CombatOdds::by_likelihood`] |
//! | see how long it takes | [`CombatOdds::rounds`], [`CombatOdds::expected_rounds`] |
//! | fight the undead or a foe with Mindblast | [`Combat::double_damage`], [`Combat::enemy_mindblast`] |
//! | solve a combat in floats, or with limits | [`Combat::odds_with`] |
//! | decide when to evade a combat | [`Combat::evade_after`], [`Evasion::worth`], [`EvasionOdds::evades`] |
//! | compare policies of evasion | [`Evasion::stance`], [`EvasionOdds::fates`] |
//! | describe a hero | [`ActionChart::new`], [`ActionChart::discipline`], [`ActionChart::items`] |
//! | write a book | [`Manuscript`], [`Section`], [`Decision`], [`Outcome`], [`Effect`], [`Condition`], [`Foe`] |
//! | read a book | `Book::from_json`, `Book::fire_on_the_water` (feature `serde`) |
//! | compute the chance to win a book | [`BookSolver::win`], [`Solved::win`], [`Solved::error`] |
//! | compute it as a fraction | [`Solved::exact`] |
//! | compute it from the middle of a book | [`Solved::at`], [`Solved::win_from`] |
//! | find the best decisions | [`Solved::advice`], [`Solved::win_from`], [`Solved::stopping_set`] |
//! | find what an item or a discipline is worth | [`BookSolver::worth`], [`ActionChart::without`] |
//! | see where best play leads | [`Solved::journey`], [`Journey::visits`], [`Journey::line`] |
//! | keep to the printed rules, or not | [`Rules::printed`], [`Rules::yardstick`] |
//! | use a general solver | [`Adventure`] |
//! | handle errors | [`Error`] |
//!
//! # Cookbook
//!
//! **Two combats in a row.** The hero enters the second combat with the ENDURANCE left by the
//! first; a dead hero stays dead:
//! ```
//! use oddsmith_dice::Dist;
//! use oddsmith_lonewolf::{Combat, Error};
//!
//! let guard = |endurance| -> Result<Dist<i64>, Error> {
//!     Combat::new(16, endurance, 16, 12)?.odds()?.endurance_left()
//! };
//! let after_first = guard(20)?;
//! let mut laws = Vec::new();
//! for (&endurance, weight) in after_first.iter() {
//!     let law = match endurance {
//!         0 => Dist::certain(0),
//!         _ => guard(endurance)?,
//!     };
//!     laws.push((weight.clone(), law));
//! }
//! let after_both = Dist::mixture(laws)?;
//! assert_eq!(after_first.p(&0).to_string(), "1/10000");
//! assert_eq!(after_both.p(&0).to_string(), "72753/2500000"); // 2.9 %
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Is a shield worth it?** Two points of COMBAT SKILL against a Helghast:
//! ```
//! use oddsmith_lonewolf::{Combat, Error};
//!
//! let with = |bonus| -> Result<f64, Error> { Combat::new(15 + bonus, 25, 22, 30)?.win_f64() };
//! assert_eq!(format!("{:.4} {:.4}", with(0)?, with(2)?), "0.1503 0.5041");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Is a discipline worth it?** One solver solves the book for a hero with it and without it, and
//! computes only what is new:
//! ```
//! # #[cfg(feature = "serde")] {
//! use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Discipline, Item, Rules};
//!
//! let book = Book::fire_on_the_water()?;
//! let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
//! let hero = ActionChart::new(10, 20)?.item(Item::Sword)?.item(Item::Shield)?.gold(15)?;
//! let kin = hero.clone().discipline(Discipline::AnimalKinship)?;
//! // Who speaks to horses need not fight at all where most adventures end.
//! assert!(solver.win(&kin)? > 10_000.0 * solver.win(&hero)?);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Which items matter?** The value of the hero without each of his items, the greatest loss
//! first:
//! ```
//! # #[cfg(feature = "serde")] {
//! use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Discipline, Item, Rules};
//!
//! let book = Book::fire_on_the_water()?;
//! let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
//! let hero = ActionChart::new(10, 20)?
//!     .discipline(Discipline::AnimalKinship)?
//!     .item(Item::Sword)?
//!     .item(Item::Shield)?
//!     .gold(15)?;
//! let worth = solver.worth(&hero)?;
//! assert_eq!(worth[0].possession, Discipline::AnimalKinship.into());
//! assert!(worth[0].with > 10_000.0 * worth[0].without);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who should look elsewhere
//!
//! The rules are those of the first books of the series, as far as "Fire on the Water" needs them.
//! Books with cycles, equipment that is stored and found again, poison that lasts from section to
//! section, the extended Combat Results Table of the later series ([`CombatTable::new`] takes any
//! table of thirteen columns), and the loss of the Backpack itself are not covered. [`Combat`] has
//! one foe and no decision except [to evade](Combat::evade_after); a book has more.
//!
//! The crate prints nothing, reads no files and uses no random numbers. The same input gives the
//! same output, bit for bit.
//!
//! # Features
//!
//! - `serde`: reads and writes books as JSON, "Fire on the Water" among them. Heroes, rules,
//!   decisions, situations and exchanges can be serialized and deserialized; advice, journeys, the
//!   lines of [`by_likelihood`](CombatOdds::by_likelihood) and [`Effort`] can be serialized.
//!
//! # Minimum supported Rust version
//!
//! 1.88; raising it is a minor release.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod act;
mod adventure;
mod advice;
mod bag;
mod book;
mod chart;
mod check;
mod combat;
#[cfg(feature = "serde")]
mod counts;
mod discipline;
mod error;
mod evasion;
mod foe;
mod fraction;
mod gamble;
mod hand;
mod item;
mod journey;
mod ladder;
mod melee;
mod memo;
mod odds;
mod openings;
mod program;
#[cfg(feature = "serde")]
mod read;
mod resolve;
mod rules;
mod section;
mod sheet;
mod situation;
mod skirmish;
mod solved;
mod solver;
mod spread;
mod table;
mod wheel;
mod worth;

pub use act::Act;
pub use adventure::Adventure;
pub use advice::Advice;
pub use book::{Book, Manuscript};
pub use chart::ActionChart;
pub use combat::Combat;
pub use discipline::Discipline;
pub use error::Error;
pub use evasion::{Clash, Evasion, EvasionOdds, Fate, Stance};
pub use foe::Foe;
pub use item::{Item, Slot};
pub use journey::{Journey, Stop};
pub use odds::{CombatOdds, Likelihood};
pub use rules::Rules;
pub use section::{
    Branch, Case, Chance, Condition, Decision, Effect, Knowledge, Outcome, RuleName, Section, Wilds,
};
pub use situation::Situation;
pub use solved::Solved;
pub use solver::{BookSolver, Effort};
pub use table::{CombatTable, Exchange, Loss};
pub use worth::{Possession, Worth};

/// The fractions in answers, and the trait whose `to_f64` rounds them.
#[doc(no_inline)]
pub use num_rational::BigRational;
#[doc(no_inline)]
pub use num_traits::ToPrimitive;

/// The README's example, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
