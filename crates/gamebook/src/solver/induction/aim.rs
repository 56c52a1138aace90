//! The aim of an induction: values or a bound, with or without decisions, and what is taken as
//! given.

use crate::solver::diagrams::{Diagram, Diagrams};
use crate::solver::reach::extent::Extent;
use crate::solver::tables::coarse::Grain;
use crate::solver::walk::interpreter::Region;

/// Which value is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Exact,
    /// A lower bound: a random loss counts as defeat.
    Least,
    /// An upper bound: see [`Diagrams::lose_at_most`].
    Most,
}

/// What an induction computes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// What follows a random loss is computed only for those who may want to risk it.
    pub(crate) put_off: bool,
    /// Decisions are made: at once, or if values are kept, on the way [onwards](super::onwards).
    pub(crate) decide: bool,
    /// They are made on the way onwards if there is enough memory.
    pub(crate) onwards: bool,
    /// The values of all regions are [kept](super::kept).
    pub(crate) keep: bool,
    /// A bound is enough.
    pub(crate) bound: Option<Grain>,
    pub(crate) hope: Hope,
}

impl Aim {
    /// Whether decisions are recorded while solving.
    pub(crate) fn at_once(self) -> bool {
        self.decide && !self.keep
    }
}

/// Whether an upper bound is enough, and which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hope {
    No,
    /// After random losses, all bits are blurred except [those that matter most](super::blurred)
    /// and these.
    Sharp(u128),
    /// All bits are blurred everywhere except those that matter most.
    Blurred,
}

/// The value of a region that is not computed: it is lost, or known from elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'g> {
    pub(crate) region: Region,
    /// The box for which that is known.
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
