//! Refreshments that lead back to where they were taken: a prayer that changes nothing more, a
//! cloak put on and off. No scene leads back there, so that nothing else knows of it.

use indexmap::IndexSet;
use oddsmith_mdp::Node;

use crate::solver::reach::circle;
use crate::{BookGame, Error, Move, Place};

/// So many sheets of one scene are looked at.
const MOST: usize = 1_000;

/// The first of some options, each with where it leads to, that cannot come back to its place by
/// refreshments alone: of what is worth the same, whoever takes such a one goes on. `None` if there
/// is none, as far as that was looked for, and where scenes lead back, as going on is not enough there.
pub(crate) fn onwards(
    game: &BookGame,
    place: &Place,
    options: impl Iterator<Item = (usize, Vec<Place>)>,
) -> Result<Option<usize>, Error> {
    if circle(&game.compiled, place.scene).is_some() {
        return Ok(None);
    }
    for (number, to) in options {
        if !comes_back(game, place, to)? {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// Whether some places lead to another one of the same scene by refreshments alone; and if there is
/// none, where nothing leads away.
fn comes_back(game: &BookGame, place: &Place, to: Vec<Place>) -> Result<bool, Error> {
    if to.is_empty() {
        return Ok(true);
    }
    let here = |to: &Place| to.scene == place.scene;
    let mut found: IndexSet<Place> = to.into_iter().filter(here).collect();
    let mut looked = 0;
    while let Some(&at) = found.get_index(looked) {
        if at == *place || found.len() > MOST {
            return Ok(true);
        }
        looked += 1;
        let node = Node::of(game, &at)?;
        for choice in 0..node.len() {
            if matches!(node.action(choice), Some(Move::Refresh(_))) {
                let to = node.wide_outcomes(choice).map(|(to, _)| *to);
                found.extend(to.filter(here));
            }
        }
    }
    Ok(false)
}
