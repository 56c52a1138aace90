//! What an induction is for: a value or a bound of it, with decisions or without, and what is
//! taken as given.

use crate::solver::diagrams::{Diagram, Diagrams};
use crate::solver::reach::extent::Extent;
use crate::solver::tables::coarse::Grain;
use crate::solver::walk::interpreter::Region;

/// Which worth is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Exact,
    /// At least: losses at random are taken to lose everything.
    Least,
    /// At most: see [`Diagrams::lose_at_most`].
    Most,
}

/// What is to be found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// What follows a loss at random is worked out for those alone who may want it.
    pub(crate) put_off: bool,
    /// What to do is written down.
    pub(crate) decide: bool,
    /// What all regions are worth is [kept](super::kept).
    pub(crate) keep: bool,
    /// A bound is enough.
    pub(crate) bound: Option<Grain>,
    pub(crate) hope: Hope,
}

/// Whether what a book is worth at most is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hope {
    No,
    /// After losses at random only [what matters most](blurred) is told apart, and these bits.
    Sharp(u128),
    /// Only that is told apart anywhere.
    Blurred,
}

/// What a region is worth that is not worked out: it is lost, or known from elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'g> {
    pub(crate) region: Region,
    /// Where that is known.
    pub(crate) extent: Extent,
    pub(crate) worth: Option<(&'g Diagrams, Diagram)>,
}

impl Given<'_> {
    pub(crate) fn lost(region: Region, extent: Extent) -> Self {
        Given {
            region,
            extent,
            worth: None,
        }
    }
}
