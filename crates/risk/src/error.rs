//! What can go wrong, and what to do about it.

use crate::Side;

/// Every error of this crate.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Error, Side, Throw};
///
/// let error = Throw::new(0, 2).unwrap_err();
/// assert_eq!(error, Error::NoDice { side: Side::Attacker });
/// assert_eq!(error.to_string(), "the attacker throws 0 dice: a throw takes at least 1 on both sides");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A side without dice.
    #[error("the {side} throws 0 dice: a throw takes at least 1 on both sides")]
    NoDice {
        /// Whose dice.
        side: Side,
    },
    /// A die without sides.
    #[error("the {side}'s dice have 0 sides: a die has at least 1")]
    NoSides {
        /// Whose dice.
        side: Side,
    },
    /// A side without units.
    #[error("the {side} has 0 units: a battle starts with at least 1 on both sides")]
    NoUnits {
        /// Whose units.
        side: Side,
    },
    /// Too few troops in a territory to attack from it.
    #[error(
        "a territory that holds {troops} cannot attack: one unit has to stay behind, so it takes at least 2"
    )]
    Garrison {
        /// The troops given.
        troops: u32,
    },
    /// A throw that would take longer than allowed; refused before any work.
    #[error(
        "{attack} dice against {defence} take about {work} steps, more than the {limit} allowed: throw fewer dice or \
         of fewer sides, or raise the limit"
    )]
    TooLarge {
        /// The attacker's dice.
        attack: u32,
        /// The defender's dice.
        defence: u32,
        /// An estimate of the steps.
        work: u128,
        /// The limit in force.
        limit: u64,
    },
    /// A throw of a battle whose counts do not fit into 64 bits.
    #[error(
        "a throw of {attack} dice against {defence} has more than 2^64 rolls, too many for the steps of a battle: \
         lower the rules' `max_dice` or the sides"
    )]
    TooManyRolls {
        /// The attacker's dice.
        attack: u32,
        /// The defender's dice.
        defence: u32,
    },
    /// The battle could not be solved.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),
    /// A law could not be formed.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}

impl Error {
    /// The same where so many steps were taken before, under one limit.
    pub(crate) fn after(self, steps: u128) -> Self {
        match self {
            Error::TooLarge {
                attack,
                defence,
                work,
                limit,
            } => Error::TooLarge {
                attack,
                defence,
                work: work.saturating_add(steps),
                limit: limit.saturating_add(u64::try_from(steps).unwrap_or(u64::MAX)),
            },
            other => other,
        }
    }
}
