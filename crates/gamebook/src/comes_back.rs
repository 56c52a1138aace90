//! Refreshments that lead back to the place where they were taken: a prayer that has no further
//! effect, or a cloak put on and off. No link of the book leads back there, so cycles of scenes do
//! not show them.

use indexmap::IndexSet;
use oddsmith_mdp::Node;

use crate::solver::reach::circle;
use crate::{BookGame, Error, Move, Place};

/// The most sheets of one scene that are searched.
const MOST: usize = 1_000;

/// The first of some options, each with the places it leads to, that cannot come back to its place
/// by refreshments alone. Among options of equal value, taking such an option makes progress.
/// `None` if the search finds none, and if the scene lies on a cycle, where progress of this kind
/// is not enough.
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

/// Whether some places lead back to `place`, within its scene, by refreshments alone. True also if
/// there are no places, since nothing leads away then.
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
