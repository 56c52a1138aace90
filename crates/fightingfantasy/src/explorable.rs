//! The limit on games that are explored by hash.

use oddsmith_mdp::Indexed;

use crate::Error;

/// The game, unless its box is so large that exploring it may take hours: a
/// solver's own limit is met only after so many states have been hashed.
pub(crate) fn explorable<G: Indexed>(game: G) -> Result<G, Error> {
    const LIMIT: usize = 20_000_000;
    match game.size() {
        states if states > LIMIT => Err(Error::TooManyStates {
            states,
            limit: LIMIT,
        }),
        _ => Ok(game),
    }
}
