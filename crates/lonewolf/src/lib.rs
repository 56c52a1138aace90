//! Combat in the Lone Wolf gamebooks: the exact law of a fight by the Combat
//! Results Table.
//!
//! ```
//! use oddsmith_lonewolf::Combat;
//!
//! // COMBAT SKILL 17 and ENDURANCE 25 against the Harbour Thugs' 16 and 25.
//! let combat = Combat::new(17, 25, 16, 25)?;
//! assert_eq!(format!("{:.5}", combat.victory_f64()?), "0.99952");
//! assert_eq!(combat.odds()?.endurance_left()?.p(&20).to_string(), "16/125");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In these books a round of combat is one random number from 0 to 9. The
//! difference of the two COMBAT SKILLs, the combat ratio, chooses a column of a
//! printed table, the random number a line in it, and the cell there says how
//! much ENDURANCE either side loses. The table below is the one of the books;
//! that both sides can fall in one round, and that Lone Wolf is then dead,
//! follows the reading of "Solving a gamebook: a smarter solver", whose table
//! of a first fight this crate reproduces in all 26 lines.
//!
//! # Overview
//!
//! - [`CombatTable`] is the table as data: thirteen columns of ten
//!   [`Exchange`]s.
//! - [`Combat`] is a fight: a ratio, the ENDURANCE of both sides, and what bends
//!   the rules (a foe's Mindblast, double damage).
//! - [`CombatOdds`] answers: the chance to win, the joint law of what is left of
//!   both sides, the number of rounds.
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | look up a round | [`CombatTable::round`], [`CombatTable::exchange`], [`CombatTable::column`] |
//! | change the table | [`CombatTable::new`] |
//! | know the chance to win | [`Combat::victory`], [`Combat::victory_f64`] |
//! | know what is left | [`CombatOdds::endurance_left`], [`CombatOdds::law`], [`CombatOdds::by_likelihood`] |
//! | know how long it takes | [`CombatOdds::rounds`], [`CombatOdds::expected_rounds`] |
//! | meet the undead or a Mindblast | [`Combat::double_damage`], [`Combat::enemy_mindblast`] |
//! | solve in floats, or with limits | [`Combat::odds_with`] |
//! | know what went wrong | [`Error`] |
//!
//! # Cookbook
//!
//! **One fight after the other.** What is left of the first is brought to the
//! second; who is dead stays dead:
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
//! let with = |bonus| -> Result<f64, Error> { Combat::new(15 + bonus, 25, 22, 30)?.victory_f64() };
//! assert_eq!(format!("{:.4} {:.4}", with(0)?, with(2)?), "0.1503 0.5041");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who should look elsewhere
//!
//! This crate knows one foe at a time and no decisions: evasion, action charts,
//! Kai disciplines, timed modifiers and books are not here. Add what weapons and
//! disciplines give to the COMBAT SKILL you pass. The extended table of the
//! later series is not here either; [`CombatTable::new`] takes any table of
//! thirteen columns.
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

mod combat;
mod error;
mod odds;
mod table;

pub use combat::Combat;
pub use error::Error;
pub use odds::{CombatOdds, Likelihood};
pub use table::{CombatTable, Exchange, Loss};

/// The README's example, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
