//! Exact odds for RISK: the outcomes of a throw of dice, and the chance to win a battle.
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
//! Attacker and defender sort their dice and compare the highest, then the second highest. The
//! lower die of each pair costs its side a unit, and ties go to the defender. H. Georgiou, "RISK
//! Board Game - Battle Outcome Analysis" (revision 3, "Heroes and Fortresses", 2004) lists all
//! rolls of up to three dice against two, with bonuses for heroes and fortresses. This crate counts
//! the rolls of any dice without listing them and reproduces the output of his program. It also
//! corrects that output: the probabilities and game values for two pairs are halved there, because
//! the program divides by twice the number of rolls. In this documentation, "Georgiou" with a
//! section or table refers to that paper.
//!
//! # Overview
//!
//! - [`Throw`]: one throw of any dice; its [`law`](Throw::law) is the distribution of the pairs
//!   that the attacker wins.
//! - [`Losses`]: what a throw costs both sides on average, and the measures derived from that: game
//!   value, share, equilibrium ratio.
//! - [`Battle`]: throw after throw until one side is gone. Attackers are the units that *may*
//!   attack; [`Battle::on_board`] also counts the one that stays behind.
//! - [`Survivors`]: the joint distribution of what is left when a battle is over.
//! - [`StopRule`]: when the attacker breaks off; [`Stopping`]: when he should.
//! - [`DiceGame`]: how many dice to throw, if both sides choose.
//! - [`Campaign`]: one army through several territories; [`Assault`]: several armies into one;
//!   [`fortify`]: where reinforcements go.
//! - [`Rules`]: dice, sides, ties and bonuses as data, with editions by name.
//! - [`BattleConfiguration`]: Georgiou's outputs and tables, reproduced as printed, each beside the
//!   true values.
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | compute the outcomes of a throw | [`Throw::law`], [`Throw::counts`], [`Throw::losses_of`], [`Throw::law_within`] |
//! | see what it costs | [`Throw::expected_losses`], [`Losses`] |
//! | add heroes and fortresses (section 7) | [`Rules::hero_attacks`], [`Rules::hero_defends`], [`Rules::fortress`] |
//! | add any bonus, clamped or not | [`Rules::attack_bonus`], [`Rules::defence_bonus`], [`Reading`] |
//! | play by another edition | [`Rules::georgiou`], [`Rules::uk_1990`], [`Rules::capital`], [`Rules::zombies`] |
//! | change dice and ties | [`Rules::max_dice`], [`Rules::sides`], [`Rules::ties_to`], [`Side`] |
//! | find how many dice may be thrown | [`Rules::dice`], [`Rules::defence_dice_against`] |
//! | see the paper's outputs and tables as printed, and corrected | [`BattleConfiguration`] |
//! | … Outputs 1 to 6 | [`SimulationOutput`] |
//! | … Tables 2, 4, 6, 7, 9, 10 | [`OutcomeMatrix`] |
//! | … Tables 3, 5, 8, 11 | [`WinningMatrix`] |
//! | … Table 12 | [`BattleSummary`] |
//! | … the minimax argument on those (section 5.1) | [`OutcomeMatrix::minimax`], [`GameValue`] |
//! | … and its misprints, with those of others | [`MISPRINTS`], [`Misprint`] |
//! | use its binomial model, and measure its error | [`BinomialModel`], [`ModelError`] |
//! | balance a battle's outcomes as an official app does | [`Balance`] |
//! | compute the chance to win a battle | [`Battle::win`], [`Battle::win_f64`], [`Battle::lose_f64`] |
//! | compute extremely small chances | [`Battle::ln_win`], [`Battle::log10_win`], [`Battle::ln_lose`] |
//! | see what is left | [`Battle::survivors`], [`Battle::survivors_f64`], [`Survivors`] |
//! | see how long it takes | [`Battle::throws_needed`], [`Battle::expected_throws`] |
//! | break off | [`Battle::stop`], [`StopRule`] |
//! | decide when to break off | [`Stopping`], [`Stopping::action_map`], [`Attack`], [`critical_territory`] |
//! | tabulate all battles up to a size | [`win_matrix`], [`win_matrix_f64`], [`matrix`], [`matrix_f64`], [`Measure`] |
//! | find how many units it takes | [`attackers_for`], [`defenders_for`], [`force_line`], [`Rules::equilibrium_ratio`] |
//! | compute battles of tens of thousands | [`Battle::win_f64`], [`Battle::max_work`], [`win_estimate`], [`Estimate`] |
//! | choose how many dice to throw | [`DiceGame`], [`Timing`], [`DicePlan`], [`DiceAdvice`] |
//! | … find where the largest number is not best | [`DicePlan::where_max_is_not_optimal`] |
//! | … compute what a habit costs | [`DiceGame::price`], [`DiceGame::win_against`], [`DicePolicy`] |
//! | … and use other solvers | [`DiceGame::game`], [`DiceChoiceGame`], [`DiceState`] |
//! | go through several territories | [`Campaign`], [`Campaign::leaving`], [`Campaign::outlook_f64`], [`Campaign::best_order`], [`Outlook`] |
//! | attack from several territories | [`Assault`], [`Assault::outlook_f64`], [`Assault::best_order`], [`AssaultOutlook`] |
//! | place reinforcements | [`fortify`], [`fortify_f64`], [`Fortification`] |
//! | print a report | [`Battle::report`], [`Throw::report`], [`Rules::report`], [`Report`] |
//! | print a table, or make it Markdown or CSV | [`Table`] |
//! | solve all smaller battles with it | [`Battle::solve_with`], [`Forces`] |
//! | use your own solver | [`Battle::game`], [`BattleGame`] |
//! | handle errors | [`Error`] |
//!
//! # Cookbook
//!
//! **How much will be left?**
//! ```
//! # use oddsmith_risk::Battle;
//! let left = Battle::new(10, 8)?.survivors()?;
//! assert_eq!(format!("{:.4}", left.attackers().to_f64().at_least(&5)), "0.4441");
//! assert_eq!(left.losses_if_won()?.median(), &5); // what the conquest costs
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **How many throws will it take?**
//! ```
//! # use oddsmith_risk::Battle;
//! let battle = Battle::new(10, 8)?;
//! assert_eq!(format!("{:.2}", battle.expected_throws_f64()?), "7.08");
//! assert_eq!(battle.throws_needed()?.quantile("0.9")?, &9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **How many attackers does it take?**
//! ```
//! # use oddsmith_risk::{Rules, attackers_for};
//! let rules = Rules::standard();
//! assert_eq!(attackers_for(10, "0.5", &rules)?, 10);
//! assert_eq!(attackers_for(10, "0.8", &rules)?, 14);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Attack or not?** Three against two, for a territory worth two units:
//! ```
//! # use oddsmith_mdp::Solver;
//! # use oddsmith_risk::{Attack, Battle, Standing, Stopping};
//! let solution = Stopping::new(Battle::new(3, 2)?, 2)?.solve_with(Solver::exact())?;
//! assert_eq!(solution.decision(&Standing::fighting(3, 2))?, Some(Attack::Throw));
//! assert_eq!(solution.decision(&Standing::fighting(1, 2))?, Some(Attack::Stop));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **What is a fortress worth?** It adds a point to the defender's highest die:
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
//! **How many dice?** With a hero in a fortress the defender throws one:
//! ```
//! # use oddsmith_risk::{DiceGame, DicePolicy, Rules, Side};
//! let walled = DiceGame::new(10, 10)?.rules(Rules::standard().hero_defends().fortress());
//! assert_eq!(format!("{:.4}", walled.win_f64()?), "0.0435");
//! let two = walled.win_against_f64(Side::Defender, DicePolicy::Most)?;
//! assert_eq!(format!("{two:.4}"), "0.0824"); // twice as likely to fall
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Where do reinforcements go?** Three borders and six units:
//! ```
//! # use oddsmith_risk::{Battle, fortify};
//! let borders = [Battle::new(12, 4)?, Battle::new(8, 3)?, Battle::new(8, 1)?];
//! assert_eq!(fortify(&borders, 6)?.placed(), [2, 1, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **A table for the page**
//! ```
//! # use oddsmith_risk::{Rules, Table, win_matrix_f64};
//! let win = win_matrix_f64(2, 3, &Rules::standard())?;
//! assert_eq!(
//!     Table::percent(&win, 1).to_markdown(),
//!     "| A\\D | 1 | 2 | 3 |\n|---:|---:|---:|---:|\n| 1 | 41.7 | 10.6 | 2.7 |\n| 2 | 75.4 | 36.3 | 20.6 |\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Should I use this crate?
//!
//! Yes, for battles between two territories, for when to stop them and how many dice to throw, and
//! for armies that go through several territories or come from several. Cards and continents are
//! not covered. For other decisions, [`BattleGame`] provides the states and `oddsmith-mdp` the
//! solver.
//!
//! The crate prints nothing, reads no files, starts no threads and uses no random numbers. The same
//! input gives the same output, bit for bit.
//!
//! # Features
//!
//! - `plot` (off by default): `ContourPlot` and `SurfacePlot`, as SVG, and the charts of
//!   distributions of `oddsmith-dice`.
//! - `serde` (off by default): serializes [`Rules`], [`Side`], [`Reading`], [`Timing`],
//!   [`DicePolicy`], [`Battle`], [`StopRule`], [`Stopping`], [`DiceGame`], [`Campaign`],
//!   [`Assault`] and [`Balance`], and also states and decisions, so that solutions can be stored.
//!   Unknown fields and impossible values are rejected. Results are only written, with fractions as
//!   text: [`Survivors`], [`Outlook`], [`AssaultOutlook`], [`Fortification`], [`DicePlan`],
//!   [`Losses`], [`Estimate`] and [`ModelError`].
//!
//! # Minimum supported Rust version
//!
//! 1.88; raising it is a minor release.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod assault;
mod balanced;
mod battle;
mod binomial;
mod campaign;
mod chain;
mod critical;
mod dice_choice;
mod duration;
mod error;
mod estimate;
mod exact;
mod force;
mod fortify;
mod forward;
mod logarithm;
mod losses;
mod march;
mod matrix;
mod normal;
mod pairs;
#[cfg(feature = "plot")]
mod plot;
mod published;
mod radix;
mod report;
mod rows;
mod rules;
mod side;
mod stop_rule;
mod stopping;
mod survivors;
mod table;
mod throw;

pub use assault::{Assault, AssaultOutlook};
pub use balanced::Balance;
pub use battle::{Battle, BattleGame, Forces};
pub use binomial::{BinomialModel, ModelError};
pub use campaign::{Campaign, Outlook};
pub use critical::critical_territory;
pub use dice_choice::{
    DiceAdvice, DiceChoiceGame, DiceGame, DicePlan, DicePolicy, DiceState, Reply, Timing,
};
pub use error::Error;
pub use estimate::{Estimate, win_estimate};
pub use force::{
    attackers_for, attackers_for_within, defenders_for, defenders_for_within, force_line,
    force_line_within,
};
pub use fortify::{Fortification, fortify, fortify_f64};
pub use losses::Losses;
pub use matrix::{
    Measure, matrix, matrix_f64, matrix_f64_within, matrix_within, win_matrix, win_matrix_f64,
};
#[doc(no_inline)]
pub use ndarray;
#[cfg(feature = "plot")]
#[cfg_attr(docsrs, doc(cfg(feature = "plot")))]
pub use plot::{ContourPlot, SurfacePlot};
pub use published::{
    BattleConfiguration, BattleSummary, GameValue, MISPRINTS, Misprint, OutcomeCell, OutcomeMatrix,
    OutputEntry, OutputLine, SimulationOutput, SummaryRow, WinningMatrix,
};
pub use report::Report;
pub use rules::{Reading, Rules};
pub use side::Side;
pub use stop_rule::StopRule;
pub use stopping::{Attack, Standing, Stopping, StoppingGame};
pub use survivors::Survivors;
pub use table::Table;
pub use throw::{DEFAULT_WORK, Throw};

/// The fractions in answers, and the trait whose `to_f64` rounds them.
#[doc(no_inline)]
pub use num_rational::BigRational;
#[doc(no_inline)]
pub use num_traits::ToPrimitive;

/// The README's example, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
