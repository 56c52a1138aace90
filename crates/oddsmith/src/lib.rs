#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use oddsmith_dice as dice;
pub use oddsmith_mdp as mdp;

#[cfg(feature = "fightingfantasy")]
pub use oddsmith_fightingfantasy as fightingfantasy;
