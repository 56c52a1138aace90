#![cfg_attr(feature = "fightingfantasy", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "fightingfantasy"),
    doc = "Exact odds and optimal play for games of dice and chance."
)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use oddsmith_dice as dice;
pub use oddsmith_mdp as mdp;

#[doc(no_inline)]
pub use oddsmith_dice::{BigInt, BigRational, BigUint, ToPrimitive};

#[cfg(feature = "dnd")]
pub use oddsmith_dnd as dnd;
#[cfg(feature = "fightingfantasy")]
pub use oddsmith_fightingfantasy as fightingfantasy;
#[cfg(feature = "gamebook")]
pub use oddsmith_gamebook as gamebook;
#[cfg(feature = "lonewolf")]
pub use oddsmith_lonewolf as lonewolf;
#[cfg(feature = "risk")]
pub use oddsmith_risk as risk;

/// The README of the repository, tested; it lies outside the package.
#[cfg(all(doctest, feature = "fightingfantasy"))]
#[doc = include_str!("../../../README.md")]
struct RootReadme;
