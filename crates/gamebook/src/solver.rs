//! The inside of [`BookSolver`](crate::BookSolver): a book played for boxes of sheets, by
//! backward induction over decision diagrams.
//!
//! In the order in which a book is solved:
//!
//! - [`reduction`]: what of the book and of a sheet makes a difference at all.
//! - [`walk`]: what happens in one scene, to whole boxes of sheets at once. It is written once,
//!   and [interpreted](walk::interpreter) in several ways.
//! - [`reach`]: forwards, the regions that can be reached, with boxes around all stats and all
//!   sets of [bits](diagrams::gates) that can be held together; ways that are told
//!   [apart](reach::fork).
//! - [`induction`]: backwards, what every region is worth. Ways that are told apart are solved
//!   [one by one](induction::streets), what follows losses at random is [put
//!   off](induction::deferred), if need be in [slices](induction::slices), and what leads back
//!   to itself is [gone through](induction::ring) until nothing changes and, where that is by
//!   chance, [enclosed](induction::enclose) from both sides.
//! - [`diagrams`]: what sheets are worth, by bits and stats, with [`tables`] over the other
//!   stats at their leaves: money by [classes](tables::shape), seen through
//!   [maps](tables::look).
//! - [`decisions`]: what to do, written down on the way.

pub(crate) mod decisions;
pub(crate) mod diagrams;
pub(crate) mod effort;
pub(crate) mod induction;
pub(crate) mod limits;
pub(crate) mod reach;
pub(crate) mod reduction;
pub(crate) mod tables;
pub(crate) mod walk;
