//! The inside of [`BookSolver`](crate::BookSolver): a book played for boxes of sheets.
//!
//! One walk ([`walk`]) knows what happens in a scene. Forwards ([`explore`]) it finds the
//! regions that can be reached, with boxes around all stats and with all sets of bits that
//! can be held together ([`gates`]). Backwards ([`reap`]) it reads off what they are worth,
//! as diagrams ([`diagram`]) with tables at their leaves ([`table`]), of money by classes
//! ([`shape`]), and for those alone who can be there ([`applied`]). What leads back to
//! itself by chance is enclosed from both sides ([`enclose`]). Ways through a book that are
//! told apart ([`fork`]) are solved one by one ([`streets`]), if a look with few bits
//! ([`blurred`]) does not leave them out.

pub(crate) mod answers;
mod applied;
pub(crate) mod arena;
pub(crate) mod asking;
pub(crate) mod begin;
mod blurred;
mod climb;
pub(crate) mod closed;
pub(crate) mod coarse;
pub(crate) mod collect;
pub(crate) mod combat;
pub(crate) mod course;
pub(crate) mod deferred;
pub(crate) mod diagram;
pub(crate) mod directed;
mod eating;
pub(crate) mod effort;
pub(crate) mod enclose;
pub(crate) mod explore;
pub(crate) mod extent;
pub(crate) mod fitted;
pub(crate) mod fork;
pub(crate) mod gates;
pub(crate) mod harvest;
pub(crate) mod limits;
pub(crate) mod live;
mod look;
pub(crate) mod losses;
pub(crate) mod must;
pub(crate) mod picks;
#[cfg(test)]
mod purse_trials;
pub(crate) mod reading;
pub(crate) mod reap;
mod refreshed;
pub(crate) mod rings;
mod shape;
pub(crate) mod spending;
pub(crate) mod steps;
pub(crate) mod streets;
pub(crate) mod table;
#[cfg(test)]
mod trials;
pub(crate) mod visit;
pub(crate) mod walk;
