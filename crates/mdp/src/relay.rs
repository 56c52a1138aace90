//! What games made from other games have in common: reading a node of the one
//! and writing it, changed, into a node of the other.

use crate::{Choice, Game, Node, Score};

/// What `game` says of `state`, as far as there is room on `to`. If it is malformed, `to`
/// is told, and there is nothing to read.
pub(crate) fn read<G: Game + ?Sized, H: Game + ?Sized>(
    game: &G,
    state: &G::State,
    to: &mut Node<H>,
) -> Option<Node<G>> {
    match Node::of_within(game, state, to.room()) {
        Ok(node) => Some(node),
        Err(error) => {
            to.fail(error);
            None
        }
    }
}

/// Begins the choice of the same name, or the same move of chance.
pub(crate) fn begin<'n, G, H>(from: &Node<G>, choice: usize, to: &'n mut Node<H>) -> Choice<'n, H>
where
    G: Game + ?Sized,
    H: Game<Action = G::Action> + ?Sized,
{
    match from.action(choice) {
        Some(action) => to.choice(action.clone()),
        None => to.chance(),
    }
}

/// Writes the outcomes of a choice with their weights, each under the name that
/// it has in the other game.
pub(crate) fn outcomes<G, H>(
    from: &Node<G>,
    choice: usize,
    to: &mut Choice<'_, H>,
    mut name: impl FnMut(&G::State) -> H::State,
) where
    G: Game + ?Sized,
    H: Game + ?Sized,
{
    if from.wide(choice).is_some() {
        for (state, weight) in from.wide_outcomes(choice) {
            to.to_wide(name(state), weight);
        }
    } else {
        for (state, weight) in from.outcomes(choice) {
            to.to(name(state), *weight);
        }
    }
}

/// What a choice pays at once, if anything.
pub(crate) fn reward<G: Game + ?Sized>(from: &Node<G>, choice: usize) -> Option<Score> {
    from.reward(choice).cloned()
}

/// Lets a choice pay at once what another one does.
pub(crate) fn pay<H: Game + ?Sized>(to: &mut Choice<'_, H>, reward: Option<Score>) {
    if let Some(reward) = reward {
        to.reward(reward);
    }
}

/// Writes all choices with their rewards, the outcomes under the names that they
/// have in the other game.
pub(crate) fn choices<G, H>(
    from: &Node<G>,
    to: &mut Node<H>,
    mut name: impl FnMut(&G::State) -> H::State,
) where
    G: Game + ?Sized,
    H: Game<Action = G::Action> + ?Sized,
{
    to.set_player(from.player());
    for choice in 0..from.len() {
        let mut written = begin(from, choice, to);
        outcomes(from, choice, &mut written, &mut name);
        pay(&mut written, reward(from, choice));
    }
}
