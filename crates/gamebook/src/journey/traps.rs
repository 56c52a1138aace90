//! Traps of a policy: places from which it never reaches an ending.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use oddsmith_mdp::{Error, Node, Policy};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::lint::components;
use crate::walk::weights;
use crate::{BookGame, Place};

/// Sets of places that lead to each other and to nothing else.
#[derive(Debug)]
pub(crate) struct Traps {
    /// By place, the number of its trap.
    of: FxHashMap<Place, usize>,
    /// By trap, its sections; a reader who is caught visits all of them.
    sections: Vec<BTreeSet<u32>>,
}

impl Traps {
    /// The traps that a policy reaches from a place; `None` if there are none, or if there are more
    /// places than `limit`.
    pub(crate) fn of(
        game: &BookGame,
        policy: &dyn Policy<BookGame>,
        start: Place,
        limit: usize,
    ) -> Result<Option<Traps>, Error> {
        let mut places: IndexSet<Place, FxBuildHasher> = IndexSet::default();
        places.insert(start);
        let mut next: Vec<Vec<usize>> = Vec::new();
        while let Some(here) = places.get_index(next.len()) {
            let to = led_to(game, policy, here)?;
            next.push(to.into_iter().map(|to| places.insert_full(to).0).collect());
            if places.len() > limit {
                return Ok(None);
            }
        }
        let mut traps = Traps {
            of: FxHashMap::default(),
            sections: Vec::new(),
        };
        for ring in components(&next) {
            // A place that leads nowhere is an ending.
            let leads = |place: &usize| !next[*place].is_empty();
            let stays = |to: &usize| ring.binary_search(to).is_ok();
            let is_trap = |place: &usize| leads(place) && next[*place].iter().all(stays);
            if ring.iter().all(is_trap) {
                let caught = ring.iter().map(|place| places[*place]);
                let number = traps.sections.len();
                traps
                    .sections
                    .push(caught.clone().map(|place| place.section).collect());
                traps.of.extend(caught.map(|place| (place, number)));
            }
        }
        Ok((!traps.sections.is_empty()).then_some(traps))
    }

    pub(crate) fn contains(&self, place: &Place) -> bool {
        self.of.contains_key(place)
    }

    /// The sections that a reader caught at this place visits; `None` if the place is not in a
    /// trap.
    pub(crate) fn sections(&self, place: &Place) -> Option<&BTreeSet<u32>> {
        self.of.get(place).map(|number| &self.sections[*number])
    }

    /// The sections of all traps.
    pub(crate) fn all_sections(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.sections.iter().flatten().copied()
    }
}

/// Where play may go next, by chance or by the policy's decision.
fn led_to(
    game: &BookGame,
    policy: &dyn Policy<BookGame>,
    here: &Place,
) -> Result<Vec<Place>, Error> {
    let node = Node::of(game, here)?;
    let weights = weights(&node, policy, here);
    let taken = (0..node.len()).filter(|choice| weights[*choice] > 0);
    let outcomes = taken.flat_map(|choice| node.wide_outcomes(choice));
    let possible = outcomes.filter(|(_, weight)| weight.bits() > 0);
    Ok(possible.map(|(to, _)| *to).collect())
}
