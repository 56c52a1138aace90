//! Games on the natural numbers, defined by one function.

use oddsmith_mdp::{Game, Indexed, Node};

pub(crate) type Expand = fn(u64, &mut Node<Rules>);

/// A game on the numbers 0..`size`, given by a function.
pub(crate) struct Rules {
    pub(crate) size: usize,
    pub(crate) expand: Expand,
}

impl Rules {
    pub(crate) fn new(size: usize, expand: Expand) -> Self {
        Rules { size, expand }
    }
}

impl Game for Rules {
    type State = u64;
    type Action = &'static str;

    fn expand(&self, &state: &u64, node: &mut Node<Self>) {
        (self.expand)(state, node);
    }
}

impl Indexed for Rules {
    fn size(&self) -> usize {
        self.size
    }

    fn index(&self, &state: &u64) -> usize {
        state as usize
    }

    fn state(&self, index: usize) -> u64 {
        index as u64
    }
}

/// A million steps down.
pub(crate) static STAIR: Rules = Rules {
    size: 1_000_000,
    expand: |state, node| match state {
        0 => node.end(7),
        _ => {
            node.choice("down").to(state - 1, 3);
        }
    },
};
