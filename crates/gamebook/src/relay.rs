//! What games made from a book have in common: reading what may be done at a place, and writing
//! it under the names that places have in the other game.

use oddsmith_mdp::{Game, Node};

use crate::{BookGame, Move, Place};

/// What the book says of a place, as far as there is room on `to`. If it is malformed, `to` is
/// told, and there is nothing to read.
pub(crate) fn read<H: Game>(
    game: &BookGame,
    place: &Place,
    to: &mut Node<H>,
) -> Option<Node<BookGame>> {
    match Node::of_within(game, place, to.room()) {
        Ok(node) => Some(node),
        Err(error) => {
            to.fail(error);
            None
        }
    }
}

/// Writes all choices.
pub(crate) fn choices<H: Game<Action = Move>>(
    from: &Node<BookGame>,
    to: &mut Node<H>,
    name: impl Fn(&Place) -> H::State,
) {
    for number in 0..from.len() {
        let mut choice = match from.action(number) {
            Some(action) => to.choice(action.clone()),
            None => to.chance(),
        };
        match from.outcomes(number) {
            [] => {
                for (place, weight) in from.wide_outcomes(number) {
                    choice.to_wide(name(place), weight);
                }
            }
            narrow => {
                for (place, weight) in narrow {
                    choice.to(name(place), *weight);
                }
            }
        }
    }
}
