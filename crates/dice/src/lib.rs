//! Exact probability distributions of dice, and of anything else with finitely many
//! outcomes.
//!
//! ```
//! use oddsmith_dice::Dist;
//!
//! let roll = Dist::ndice(2, 6)?;
//! assert_eq!(roll.p(&7).to_string(), "1/6");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! * [`Dist<T>`](Dist) is a law: outcomes in ascending order, a whole number of ways for
//!   each, and their total. Fractions appear only when you ask for one, as a
//!   [`BigRational`](num_rational::BigRational) in lowest terms; nothing is ever rounded.
//! * [`FloatDist<T>`](FloatDist), which is `Dist<T, f64>`, is its float twin with the same
//!   methods. It counts its own roundings and states a bound on its error,
//!   [`relative_error`](Dist::relative_error).
//! * [`Contest`] compares two laws: win, draw, lose, and what becomes of ties.
//!   [`DifferenceTable`] does so for every advantage at once.
//! * [`IntoRatio`] is whatever is read as a rational number: `3`, `(1, 3)`, `"1/3"`,
//!   `"0.25"`.
//!
//! # Table of contents
//!
//! | Question | Answer |
//! |---|---|
//! | Where does a law come from? | [`die`](Dist::die), [`ndice`](Dist::ndice), [`certain`](Dist::certain), [`uniform`](Dist::uniform), [`bernoulli`](Dist::bernoulli), [`from_weights`](Dist::from_weights), [`from_probabilities`](Dist::from_probabilities), [`mixture`](Dist::mixture), [`from_parts`](Dist::from_parts) |
//! | Sums | [`matfold`](Dist::matfold) (`+`), [`difference`](Dist::difference) (`-`), [`repeat`](Dist::repeat) |
//! | One roll, changed | [`shift`](Dist::shift), [`scale`](Dist::scale), [`negate`](Dist::negate), [`map`](Dist::map) |
//! | Rolls that depend on rolls | [`and_then`](Dist::and_then), [`joint`](Dist::joint), [`given`](Dist::given) |
//! | How likely? | [`p`](Dist::p), [`at_least`](Dist::at_least), [`at_most`](Dist::at_most), [`less`](Dist::less), [`more`](Dist::more), [`probability`](Dist::probability), [`cdf`](Dist::cdf) |
//! | How much? | [`mean`](Dist::mean), [`variance`](Dist::variance), [`standard_deviation`](Dist::standard_deviation), [`moment`](Dist::moment), [`central_moment`](Dist::central_moment), [`expectation`](Dist::expectation), [`median`](Dist::median), [`quantile`](Dist::quantile), [`mode`](Dist::mode), [`modes`](Dist::modes) |
//! | Who wins? | [`versus`](Dist::versus), [`dominates`](Dist::dominates), [`total_variation`](Dist::total_variation), [`DifferenceTable`] |
//! | The numbers inside | [`support`](Dist::support), [`iter`](Dist::iter), [`total`](Dist::total), [`into_parts`](Dist::into_parts), [`lowest_terms`](Dist::lowest_terms) |
//! | Exact or float | [`to_f64`](Dist::to_f64), [`to_exact`](Dist::to_exact), [`from_float_weights`](Dist::from_float_weights), [`Weight`] |
//!
//! # Cookbook
//!
//! Four dice, the lowest one dropped:
//!
//! ```
//! use oddsmith_dice::Dist;
//!
//! let die = Dist::die(6)?;
//! let pair = die.joint(&die)?;
//! let four = pair.joint(&pair)?;
//! let strength = four.map(|((a, b), (c, d))| a + b + c + d - a.min(b).min(c).min(d));
//! assert_eq!(strength.mean().to_string(), "15869/1296");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A die that is rolled again and added on a six, at most three times:
//!
//! ```
//! use oddsmith_dice::{Dist, Error};
//!
//! fn exploding(more: u32) -> Result<Dist<i64>, Error> {
//!     Dist::die(6)?.and_then(|&face| match face {
//!         6 if more > 0 => exploding(more - 1)?.shift(6),
//!         _ => Ok(Dist::certain(face)),
//!     })
//! }
//! assert_eq!(exploding(3)?.at_least(&19).to_string(), "1/216");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sums of unlike dice. A sum can overflow, so it is a `Result`; one question mark at the
//! end is enough:
//!
//! ```
//! use oddsmith_dice::Dist;
//!
//! let (d6, d8, d12) = (Dist::die(6)?, Dist::die(8)?, Dist::die(12)?);
//! let damage = (&d6 + 3 + &d8 + &d12)?;
//! assert_eq!(damage.mean().to_string(), "35/2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An attack that hits on 8 or more of a twenty-sided die, 20 counting double:
//!
//! ```
//! use oddsmith_dice::Dist;
//!
//! let damage = Dist::ndice(2, 6)?;
//! let attack = Dist::die(20)?.and_then(|&roll| match roll {
//!     20 => damage.repeat(2),
//!     8.. => Ok(damage.clone()),
//!     _ => Ok(Dist::certain(0)),
//! })?;
//! assert_eq!(attack.mean().to_string(), "49/10");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The attack round of Fighting Fantasy, a point of SKILL ahead:
//!
//! ```
//! use oddsmith_dice::DifferenceTable;
//!
//! let round = DifferenceTable::new(2, 6)?;
//! assert_eq!(round.counts(1).map(|count| count.to_string()), ["721", "140", "435"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A table to look at:
//!
//! ```
//! use oddsmith_dice::Dist;
//!
//! let table = "\
//! 2  1/9  11.11 %  ████████
//! 3  2/9  22.22 %  ████████████████
//! 4  1/3  33.33 %  ████████████████████████
//! 5  2/9  22.22 %  ████████████████
//! 6  1/9  11.11 %  ████████";
//! assert_eq!(Dist::ndice(2, 3)?.to_string(), table);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! * `serde`: a law is written as a list of pairs, `[[2, "1/36"], [3, "1/18"], …]`, and
//!   checked when read: probabilities of at least zero that sum to one, distinct
//!   outcomes. Off by default.
//!
//! # Minimum Rust version
//!
//! 1.88.
//!
//! # Should I be using this crate?
//!
//! Not for continuous distributions, statistics of data, or random numbers: it computes
//! laws and draws nothing. Not where laws have many millions of outcomes: all of them are
//! kept in memory. And not for decisions, where a player chooses after seeing a roll:
//! that is what `oddsmith-mdp` is for.
//!
//! It reads no files, prints nothing, starts no threads, and the same input gives the same
//! output, bit for bit. Whatever could take more memory than a stated limit is refused
//! with an [`Error`] before any work.

mod change;
mod condition;
mod construct;
mod contest;
mod die;
mod difference_table;
mod display;
mod dist;
mod error;
mod float;
mod joint;
mod kronecker;
mod mixture;
mod moment;
mod power;
mod ratio;
mod recurrence;
mod reduce;
mod rounding;
mod sum;
mod tail;
mod third_party;
mod weight;

pub use contest::{Contest, Ties};
pub use difference_table::DifferenceTable;
pub use dist::{Dist, Iter};
pub use error::Error;
pub use float::FloatDist;
pub use power::DEFAULT_LIMIT;
pub use ratio::IntoRatio;
pub use sum::Operand;
pub use weight::Weight;

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
