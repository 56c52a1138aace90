//! Attacks in fifth-edition Dungeons & Dragons: the exact law of what one does.
//!
//! ```
//! use oddsmith_dnd::{AttackRoll, Damage, attack_damage};
//!
//! let greatsword = Damage::dice(2, 6)?.flat(5); // 2d6 + 5
//! let damage = attack_damage(&AttackRoll::new(18, 7), &greatsword)?; // +7 against AC 18
//! assert_eq!(damage.p(&0).to_string(), "1/2");
//! assert_eq!(damage.p(&12).to_string(), "491/6480");
//! assert_eq!(damage.mean().to_string(), "127/20");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An attack is a d20 plus a bonus against an armour class; a hit rolls damage
//! dice and adds a flat number, and a critical hit rolls the dice twice. The
//! functions follow F. M. Jørgensen, "How the probability code works" (2019),
//! whose `activate` is here by name, and go on to advantage, critical ranges and
//! dice that do not double.
//!
//! # Overview
//!
//! - [`AttackRoll`]: miss, hit or critical hit; a [`D20`] with its bonus against
//!   an AC.
//! - [`Damage`]: dice, flat damage, and what a critical hit makes of them.
//! - [`attack_damage`]: the law of the damage of one attack, a
//!   [`Dist<i64>`](oddsmith_dice::Dist).
//! - [`activate`]: the same in the words of the source.
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | know the chance to hit | [`AttackRoll::miss`], [`AttackRoll::hit`], [`AttackRoll::critical`], [`AttackRoll::law`], [`Outcome`] |
//! | roll with advantage or disadvantage | [`D20`], [`AttackRoll::die`] |
//! | hit critically on less than 20 | [`AttackRoll::critical_from`] |
//! | describe a weapon | [`Damage::dice`], [`Damage::new`], [`Damage::flat`] |
//! | add what is not doubled | [`Damage::undoubled`], [`Damage::on_critical`] |
//! | know the damage of an attack | [`attack_damage`], [`activate`] |
//! | add dice and attacks (`Ndice`, `shift`, `matfold`) | [`ndice`](oddsmith_dice::Dist::ndice), [`shift`](oddsmith_dice::Dist::shift), [`matfold`](oddsmith_dice::Dist::matfold) |
//! | know what went wrong | [`Error`] |
//!
//! # Cookbook
//!
//! **A turn of two attacks** is the sum of both. A fighter against an ogre, who
//! has 59 hit points: is it down after four turns?
//! ```
//! use oddsmith_dnd::{AttackRoll, Damage, attack_damage};
//!
//! let longsword = attack_damage(&AttackRoll::new(11, 7), &Damage::dice(1, 8)?.flat(6))?;
//! let turn = longsword.repeat(2)?;
//! assert_eq!(turn.mean().to_string(), "183/10");
//! let four = turn.repeat(4)?;
//! assert_eq!(format!("{:.4}", four.to_f64().at_least(&59)), "0.8704"); // four.at_least(&59) exactly
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Is −5 to hit for +10 damage worth it?** Against little armour:
//! ```
//! use oddsmith_dnd::{AttackRoll, Damage, attack_damage};
//!
//! let greatsword = Damage::dice(2, 6)?;
//! let gain = |ac| {
//!     let plain = attack_damage(&AttackRoll::new(ac, 7), &greatsword.clone().flat(4))?;
//!     let power = attack_damage(&AttackRoll::new(ac, 2), &greatsword.clone().flat(14))?;
//!     Ok::<_, oddsmith_dnd::Error>(power.mean() - plain.mean())
//! };
//! assert_eq!(gain(13)?.to_string(), "9/4");
//! assert_eq!(gain(18)?.to_string(), "-1/4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Two dice with disadvantage for the archer who is prone**, or any other
//! change of the d20:
//! ```
//! use oddsmith_dnd::{AttackRoll, D20};
//!
//! let shot = AttackRoll::new(15, 7);
//! assert_eq!(shot.miss().to_string(), "7/20");
//! assert_eq!(shot.die(D20::Disadvantage).miss().to_string(), "231/400");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Should I use this crate?
//!
//! Yes, for single attacks and sums of attacks that do not depend on each other.
//! Duels, hit points, saving throws, resistances, effects that happen once a
//! turn and decisions are not here. For rolls of other shapes, such as dice that
//! are rolled again, build the law with `oddsmith-dice` and give it to
//! [`Damage::new`].
//!
//! The crate prints nothing, reads no files, starts no threads and draws no
//! random numbers. The same input gives the same output, bit for bit.
//!
//! # Features
//!
//! None.
//!
//! # Minimum supported Rust version
//!
//! 1.88; raising it is a minor release.

mod attack;
mod d20;
mod damage;
mod error;
mod roll;

pub use attack::{activate, attack_damage};
pub use d20::D20;
pub use damage::Damage;
pub use error::Error;
pub use roll::{AttackRoll, Outcome};

/// The README's example, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
