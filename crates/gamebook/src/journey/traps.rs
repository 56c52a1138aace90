//! Where a way of playing goes round for ever: who comes there comes to no ending any more.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use oddsmith_mdp::{Error, Node, Policy};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::lint::components;
use crate::walk::weights;
use crate::{BookGame, Place};

/// Places that lead to each other, and to nothing else.
#[derive(Debug)]
pub(crate) struct Traps {
    /// By place, the number of its trap.
    of: FxHashMap<Place, usize>,
    /// By trap, its sections: who is caught comes to all of them.
    sections: Vec<BTreeSet<u32>>,
}

impl Traps {
    /// Those that a policy comes to from a place; `None` if there are none, or more than so many
    /// places to look at.
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
            // What leads nowhere is an ending.
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

    /// The sections that who is caught at a place comes to; `None` if nobody is.
    pub(crate) fn sections(&self, place: &Place) -> Option<&BTreeSet<u32>> {
        self.of.get(place).map(|number| &self.sections[*number])
    }

    /// The sections of all traps.
    pub(crate) fn all_sections(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.sections.iter().flatten().copied()
    }
}

/// Where play may go next, by chance or by what a policy does.
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
