//! The internals of [`BookSolver`](crate::BookSolver): backward induction over decision diagrams,
//! for boxes of sheets at once.
//!
//! Terms: a *region* is a scene with a box of the sheets that can occur there. A *bit* is an item
//! or a flag. A *gate* is a Boolean decision diagram over bits, and `care` is the gate of the
//! sheets that can occur. A *lane* is a dimension of the tables at the leaves of a diagram. A
//! *ring* is a set of regions that lead back to each other.
//!
//! The modules, in the order in which a book is solved:
//!
//! - [`reduction`] finds what can make a difference at all, in the book and on a sheet.
//! - [`walk`] plays one scene for whole boxes of sheets at once. It is written once and
//!   [interpreted](walk::interpreter) in several ways.
//! - [`reach`] explores forwards: the reachable regions, with boxes around all stats and all sets
//!   of [bits](diagrams::gates) that can be held together. It also decides which routes are [kept
//!   separate](reach::fork).
//! - [`induction`] computes the value of every region, backwards. Routes that are kept separate
//!   (*streets*) are solved [one by one](induction::streets). What follows random losses is
//!   [deferred](induction::deferred), if need be in [slices](induction::slices). Rings are
//!   [iterated](induction::ring) to a fixed point, and [enclosed](induction::enclose) from both
//!   sides where they are left by chance.
//! - [`diagrams`] holds the values of sheets, by bits and stats, with [`tables`] over the other
//!   stats at the leaves. Money is kept by [classes](tables::shape), and tables are seen through
//!   [maps](tables::look).
//! - [`decisions`] records what to do along the way.
//! - [`chunks`] passes memory on from one induction to the next.

pub(crate) mod chunks;
pub(crate) mod decisions;
pub(crate) mod diagrams;
pub(crate) mod effort;
pub(crate) mod induction;
pub(crate) mod limits;
pub(crate) mod reach;
pub(crate) mod reduction;
pub(crate) mod tables;
pub(crate) mod walk;
