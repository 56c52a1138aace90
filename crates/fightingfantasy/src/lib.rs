//! Combat in the Fighting Fantasy gamebooks: the exact chance to win, and the best use of LUCK at
//! every moment of a fight.
//!
//! ```
//! use oddsmith_fightingfantasy::{Duel, Foe, Hero};
//!
//! let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(14, 12)?); // a Hell Demon
//! let plan = duel.best_luck()?;
//! assert_eq!(format!("{:.4}", duel.without_luck_f64()?), "0.2815");
//! assert_eq!(format!("{:.4}", plan.value_f64()), "0.7764"); // plan.value() is the fraction
//! assert_eq!(plan.decision().label(), '3'); // test LUCK after a won round
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In these books, both sides roll two dice and add SKILL. The side with the lower sum loses 2
//! STAMINA, and a side whose STAMINA reaches 0 is dead. After every blow the hero may test LUCK: a
//! lucky hit takes 4 and an unlucky one 1, a lucky wound takes 1 and an unlucky one 3. But every
//! test costs a point of LUCK, whether it succeeds or not, and the less LUCK is left, the less
//! likely it is to succeed. When to gamble is a Markov decision problem, stated and solved in
//! floats by I. G. Johnston, "Optimal strategies in the Fighting Fantasy gaming system: influencing
//! stochastic dynamics by gambling with limited resource". This crate reproduces the results of
//! that paper in fractions, corrects its misprints, and adds what its discussion proposes.
//! Equations and figures cited in this documentation are those of the paper.
//!
//! The best use of LUCK (the digits) and the chance to win (the colour), by the STAMINA of both
//! sides, for four cases:
//!
#![doc = include_str!("../docs/victory_map.svg")]
//!
//! # Overview
//!
//! - [`Duel`]: a [`Hero`] against a [`Foe`], under given [`Rules`] and for an [`Objective`]. Its
//!   [`LuckPlan`] has the value, the decision in every state, and the reasons.
//! - [`LuckMap`] and [`LuckTable`]: all duels at one SKILL difference at once, in fractions or in
//!   floats.
//! - [`Melee`]: several foes, in turn or at once.
//! - [`WithoutLuck`] and [`ConstantLuck`]: closed forms.
//! - [`Heuristic`], [`RuleOfThumb`]: simple ways to use LUCK, and what they lose.
//!
//! # Table of contents
//!
//! | To … | see |
//! |---|---|
//! | compute the odds of a round, (2)–(4) | [`RoundOdds`] |
//! | compute the chance to win without LUCK, (5)–(8) | [`win_without_luck`], [`WithoutLuck`], [`ln_win_without_luck`] |
//! | compute it with LUCK that does not run out, (9)–(15) | [`ConstantLuck`] |
//! | decide whether a test pays in STAMINA, (16)–(17) | [`expected_damage`], [`offensive_threshold`], [`defensive_threshold`] |
//! | use LUCK optimally, (20)–(24) | [`Duel::best_luck`], [`LuckMap`] |
//! | see the reasons for a decision, also in the middle of a fight | [`LuckPlan::explain`], [`LuckPlan::explain_at`], [`LuckMap::solution`] |
//! | play by a simple rule, Supplementary Figs. 7, 8 | [`Strategy`], [`Threshold`], [`best_heuristics`], [`HeuristicMap`], [`RuleOfThumb`] |
//! | compute what a rule loses | [`PolicyLoss`] |
//! | play by any rule | [`Duel::with_policy`], [`LuckTable::of_policy`] |
//! | change damage, dice, or how fights end | [`Rules`], [`Damage`], [`SuddenDeath`], [`Escape`] |
//! | keep STAMINA or LUCK for later | [`Objective`] |
//! | fight several foes | [`Melee`] |
//! | draw a map | [`HeatMap`]; feature `plot`: `VictoryMap`, `StaminaCurves` |
//! | roll dice | feature `rand`: `Duel::simulate`, `Melee::simulate` |
//!
//! # Cookbook
//!
//! How much STAMINA is left? The forecast of a plan is a distribution:
//! ```
//! use oddsmith_fightingfantasy::{Duel, Foe, Hero, Phase};
//!
//! let plan = Duel::new(Hero::new(10, 8, 7)?, Foe::new(9, 6)?).best_luck()?;
//! let forecast = plan.solution().forecast()?;
//! let end = forecast.ends_by(|end| (end.hero, end.luck))?;
//! assert_eq!(end.probability(|&(stamina, _)| stamina > 0), plan.value());
//! let rounds = forecast.expected_count(|state| state.phase == Phase::Round)?;
//! assert_eq!(rounds.to_integer(), 4.into()); // 4.93
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The whole of Supplementary Fig. 6 takes a millisecond or two in floats:
//! ```
//! use oddsmith_fightingfantasy::{Advantage, Extent, LuckTable, Rules};
//! let maps = (-10..=10)
//!     .map(|difference| {
//!         LuckTable::optimal(&Rules::standard(), difference, Extent::default(), Advantage::Published)
//!     })
//!     .collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(maps[8].decision(24, 12, 12)?.label(), '3'); // the Hell Demon's
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! All features are off by default. `plot` draws SVG. `rand` simulates duels with a generator that
//! you pass in. `serde` reads and writes heroes, foes, rules, heuristics, states and decisions, and
//! writes results, with fractions as text: [`RoundOdds`], [`LuckExplanation`], [`BestHeuristics`] and
//! [`PolicyLoss`].
//!
//! # Who should look elsewhere
//!
//! This crate covers fights, not books: items, provisions, paths and the tests between fights are
//! not part of it. Foes make no decisions.
//!
//! # Minimum supported Rust version
//!
//! 1.88; raising it is a minor release.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod chart;
mod closed;
mod constant_luck;
mod criterion;
mod damage;
mod duel;
mod duel_game;
mod error;
mod explorable;
mod fighter;
mod heuristic;
mod luck;
mod luck_table;
mod melee;
mod number;
mod objective;
mod pips;
#[cfg(feature = "plot")]
mod plot;
mod rules;
mod scaled;
#[cfg(feature = "rand")]
mod simulate;
mod skill;
mod thumb;

pub use chart::HeatMap;
pub use closed::{
    WithoutLuck, histories, ln_win_without_luck, win_without_luck, win_without_luck_f64,
};
pub use constant_luck::{ConstantLuck, PublishedEquation, Use};
pub use criterion::{defensive_threshold, expected_damage, lucky_chance, offensive_threshold};
pub use damage::Damage;
pub use duel::{Duel, LuckExplanation, LuckPlan};
pub use duel_game::{DuelAction, DuelGame, DuelState, Extent, Phase};
pub use error::Error;
pub use fighter::{Foe, Hero};
pub use heuristic::{
    BestHeuristics, Heuristic, HeuristicMap, LossAt, PolicyLoss, Strategy, Threshold,
    best_heuristics,
};
pub use luck::{Advantage, Decision, LuckMap};
pub use luck_table::LuckTable;
pub use melee::{
    AtOnce, Attacker, FirstBlow, FoeSet, Manner, Melee, MeleeAction, MeleeExplanation, MeleeGame,
    MeleePhase, MeleePlan, MeleeState,
};
pub use objective::{End, Ending, Objective};
#[doc(no_inline)]
pub use oddsmith_mdp::Score;
#[cfg(feature = "plot")]
#[cfg_attr(docsrs, doc(cfg(feature = "plot")))]
pub use plot::{StaminaCurves, VictoryMap};
pub use rules::{Escape, LuckTest, Rules, SuddenDeath};
pub use skill::RoundOdds;
pub use thumb::RuleOfThumb;

/// The fractions in results, and the trait whose `to_f64` rounds them.
#[doc(no_inline)]
pub use num_rational::BigRational;
#[doc(no_inline)]
pub use num_traits::ToPrimitive;

/// The README's example, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
