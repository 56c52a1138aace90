//! RISK: what a throw of the dice does, and who wins a battle, exactly.
//!
//! ```
//! use oddsmith_risk::{Battle, Throw};
//!
//! let losses = Throw::new(3, 2)?.expected_losses()?; // three dice against two
//! assert_eq!(losses.defender().to_string(), "2797/2592");
//! assert_eq!(losses.attacker().to_string(), "2387/2592");
//!
//! let battle = Battle::new(10, 10)?; // ten that may attack against ten
//! assert_eq!(format!("{:.4}", battle.win_f64()?), "0.5676"); // battle.win() is the fraction
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Attacker and defender sort their dice and compare the highest, then the
//! second highest; the lower die of each pair costs its side a unit, and ties go
//! to the defender. H. Georgiou, "RISK Board Game - Battle Outcome Analysis"
//! (revision 3, "Heroes and Fortresses", 2004) lists all rolls of up to three
//! dice against two, with bonuses for heroes and fortresses. This crate counts
//! the rolls of any dice without listing them, reproduces what his program
//! prints, and corrects what it means: its probabilities and game values for two
//! pairs are halved, because it divides by twice the number of rolls. "Georgiou"
//! with a section or table means this paper in these pages.
//!
//! # Overview
//!
//! - [`Throw`]: one throw of any dice; its [`law`](Throw::law) is the
//!   distribution of the pairs that the attacker wins.
//! - [`Losses`]: what it costs both sides on average, and the measures made from
//!   that: game value, share, equilibrium ratio.
//! - [`Battle`]: throw after throw until one side is gone. Attackers are the
//!   units that *may* attack; [`Battle::on_board`] counts the one that stays
//!   behind.
//! - [`Rules`]: dice, sides, ties and bonuses as data.
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | know the outcomes of a throw (Outputs 1 to 6) | [`Throw::law`], [`Throw::law_within`] |
//! | know what it costs (Tables 2 to 12) | [`Throw::expected_losses`], [`Losses`] |
//! | add heroes, fortresses and other bonuses (section 7) | [`Rules::attack_bonus`], [`Rules::defence_bonus`] |
//! | change dice and ties | [`Rules::max_dice`], [`Rules::sides`], [`Rules::ties_to`], [`Side`] |
//! | forbid the defender to outnumber the attacker's dice (section 2) | [`Rules::georgiou`] |
//! | win a battle | [`Battle::win`], [`Battle::win_f64`] |
//! | know what is left, and after how long | [`Battle::solve`], [`Forces`] |
//! | use a solver of one's own | [`Battle::game`], [`BattleGame`] |
//! | know what went wrong | [`Error`] |
//!
//! # Cookbook
//!
//! **How much will be left?** The forecast of a solved battle is a distribution
//! over the forces at its end:
//! ```
//! use oddsmith_mdp::Solver;
//! use oddsmith_risk::Battle;
//!
//! let solution = Battle::new(10, 8)?.solve(Solver::exact())?;
//! let left = solution.forecast()?.ends_by(|end| end.attackers)?;
//! assert_eq!(format!("{:.4}", left.to_f64().at_least(&5)), "0.4441");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **How many throws will it take?**
//! ```
//! # use oddsmith_mdp::Solver;
//! # use oddsmith_risk::Battle;
//! let solution = Battle::new(10, 8)?.solve(Solver::float())?;
//! let fighting = |forces: &oddsmith_risk::Forces| forces.attackers > 0 && forces.defenders > 0;
//! let throws = solution.forecast()?.expected_count(fighting)?;
//! assert_eq!(format!("{throws:.2}"), "7.08");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **How many attackers does it take?** A solution knows all smaller battles:
//! ```
//! # use oddsmith_mdp::Solver;
//! # use oddsmith_risk::{Battle, Forces};
//! let solution = Battle::new(20, 10)?.solve(Solver::float())?;
//! let win = |attackers| solution.value_of(&Forces { attackers, defenders: 10 });
//! assert!(win(9)? < 0.5 && win(10)? > 0.5);
//! assert!(win(13)? < 0.8 && win(14)? > 0.8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **What is a fortress worth?** A point on the defender's highest die:
//! ```
//! # use oddsmith_risk::{Battle, Rules};
//! let fortress = Rules::standard().defence_bonus([1]);
//! let stormed = Battle::new(10, 10)?.rules(fortress);
//! assert_eq!(format!("{:.4}", stormed.win_f64()?), "0.2668");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Does the defender do better with one die?** Usually not:
//! ```
//! # use oddsmith_risk::{Battle, Rules};
//! let single = Rules::standard().max_dice(3, 1)?;
//! assert_eq!(format!("{:.4}", Battle::new(10, 10)?.rules(single).win_f64()?), "0.8889");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Should I use this crate?
//!
//! Yes, for one battle between two territories in which both sides throw all the
//! dice they may. Nobody decides anything here: who asks when to stop, or how
//! many dice to throw, finds the states in [`BattleGame`] and the means in
//! `oddsmith-mdp`. Bonuses are added to sorted dice; editions that clamp them at
//! six and sort again, cards, continents and campaigns are not here.
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

mod battle;
mod error;
mod losses;
mod pairs;
mod rules;
mod side;
mod throw;

pub use battle::{Battle, BattleGame, Forces};
pub use error::Error;
pub use losses::Losses;
pub use rules::Rules;
pub use side::Side;
pub use throw::{DEFAULT_WORK, Throw};

/// The README's example, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
