//! What an encounter supports.

use crate::{Combatant, Error, Turn};

/// The limit on creatures; more would have more states than any limit allows.
pub(super) const MOST_CREATURES: usize = 8;
/// More creatures than this have more than 720 orders of initiative, each a fight to be solved.
pub(super) const MOST_ROLLED: usize = 6;

/// Returns the turn of a creature that does the same in every turn.
pub(super) fn plain_turn(one: &Combatant) -> Result<Turn, Error> {
    let what = match () {
        () if one.regenerates() > 0 => "regenerates",
        () if one.recharge().is_some() => "has an action that recharges",
        () if one.legendary_resistances() > 0 => "has legendary resistance",
        () => return one.turn(),
    };
    Err(Error::NotInEncounter {
        name: one.name().to_owned(),
        what,
    })
}

/// Rejects more creatures than may roll initiative.
pub(super) fn rolled(given: usize) -> Result<(), Error> {
    let limit = MOST_ROLLED;
    match given > limit {
        true => Err(Error::TooManyToRoll { given, limit }),
        false => Ok(()),
    }
}

/// Rejects more creatures than can be followed.
pub(super) fn crowded(given: usize, limit: usize) -> Result<(), Error> {
    match given > limit {
        true => Err(Error::TooManyCreatures { given, limit }),
        false => Ok(()),
    }
}
