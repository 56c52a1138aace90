//! The limit on games that are explored by hashing.

use oddsmith_mdp::Indexed;

use crate::Error;

/// Returns the game, or an error if its box is so large that exploring it may take hours. A
/// solver's own limit only takes effect after that many states have been hashed.
pub(crate) fn explorable<G: Indexed>(game: G) -> Result<G, Error> {
    let states = game.size();
    within(game, states)
}

/// Like [`explorable`], for a game whose box has a layer for each LUCK up to `luck`, but which
/// never leaves the highest layer, since LUCK is not used.
pub(crate) fn explorable_without_luck<G: Indexed>(game: G, luck: u16) -> Result<G, Error> {
    let states = game.size() / (usize::from(luck) + 1);
    within(game, states)
}

fn within<G>(game: G, states: usize) -> Result<G, Error> {
    const LIMIT: usize = 20_000_000;
    match states > LIMIT {
        true => Err(Error::TooManyStates {
            states,
            limit: LIMIT,
        }),
        false => Ok(game),
    }
}
