//! placeholder

mod closed;
mod constant_luck;
mod criterion;
mod damage;
mod duel;
mod duel_game;
mod error;
mod fighter;
mod luck;
mod luck_table;
mod number;
mod objective;
mod rules;
mod scaled;
mod skill;

pub use closed::{
    WithoutLuck, histories, ln_victory_without_luck, victory_without_luck, victory_without_luck_f64,
};
pub use constant_luck::{ConstantLuck, PublishedEquation, Use};
pub use criterion::{defensive_threshold, expected_damage, lucky_chance, offensive_threshold};
pub use damage::Damage;
pub use duel::{Duel, LuckExplanation, LuckPlan};
pub use duel_game::{DuelAction, DuelGame, DuelState, Extent, Phase};
pub use error::Error;
pub use fighter::{Foe, Hero};
pub use luck::{Advantage, Decision, LuckMap};
pub use luck_table::LuckTable;
pub use objective::{End, Ending, Objective};
#[doc(no_inline)]
pub use oddsmith_mdp::Score;
pub use rules::{Escape, LuckTest, Rules, SuddenDeath};
pub use skill::RoundOdds;
