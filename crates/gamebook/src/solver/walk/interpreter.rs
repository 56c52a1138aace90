//! The interface of a walk to its several interpretations.

use crate::compiled::Arms;
use crate::place::STATS;
use crate::solver::diagrams::gates::{Gate, Gates, Known};
use crate::solver::limits::Halt;
use crate::solver::reach::extent::{Extent, Span};
use crate::solver::walk::spending::Lucky;

/// A scene, with what distinguishes sheets besides bits and stats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Region {
    pub(crate) scene: u32,
    /// The rounds of a game that have been played, or the deals of a shop that have been decided.
    pub(crate) step: u32,
    /// The markers held, which distinguish the laps of a ring.
    pub(crate) marks: u128,
    /// The caps that have been raised; 0 for all other stats.
    pub(crate) kept: [i16; STATS],
    /// The route, where [routes are told apart](crate::solver::reach::fork); 0 elsewhere.
    pub(crate) way: u32,
}

/// Sheets in the middle of a scene: raised caps are known, stats are within a box, bits are partly
/// known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct At {
    pub(crate) known: Known,
    pub(crate) kept: [i16; STATS],
    pub(crate) way: u32,
    pub(crate) extent: Extent,
}

/// An interpretation of walks. `T` stands for the values of sheets, by their bits and by their
/// position in a box.
pub(crate) trait Interpreter {
    type T: Clone;

    fn gates(&mut self) -> &mut Gates;

    /// The value of an ending.
    fn end(&mut self, won: bool) -> Self::T;

    /// The value of a region for these sheets.
    fn region(&mut self, region: Region, at: &At) -> Result<Self::T, Halt>;

    /// The value of the current region itself, which is not yet known, for these sheets.
    fn itself(&mut self, region: Region, at: &At) -> Result<Self::T, Halt>;

    /// The value before bits are gained or lost.
    fn hold(&mut self, after: Self::T, bits: u128, held: bool) -> Result<Self::T, Halt>;

    /// The value where a gate decides.
    fn gate(&mut self, gate: Gate, then: Self::T, otherwise: Self::T) -> Result<Self::T, Halt>;

    /// The value before losing one of the held bits of `mask`, each with the same probability.
    fn lose_one(&mut self, after: Self::T, mask: u128, known: Known) -> Result<Self::T, Halt>;

    /// The value before a change of a stat: `after` is over the span `into`, the result over
    /// `from`, and `to` maps values; `None` is lost.
    fn shift(
        &mut self,
        after: Self::T,
        stat: usize,
        from: Span,
        into: Span,
        to: &mut dyn FnMut(i16) -> Option<i16>,
    ) -> Result<Self::T, Halt>;

    /// A mixture with weights that sum to `total`.
    fn mix(&mut self, at: &At, parts: Vec<(u64, Self::T)>, total: u64) -> Result<Self::T, Halt>;

    /// The value of a test of a stat that is a lane. Each part has a weight for each value of the
    /// span; `totals` are the sums by value.
    fn mix_by_value(
        &mut self,
        at: &At,
        stat: usize,
        parts: Vec<(Vec<u64>, Self::T)>,
        totals: &[u64],
    ) -> Result<Self::T, Halt>;

    /// Where an option of a region may be worth taking.
    fn open(&mut self, region: &Region, option: usize) -> Gate;

    /// The best of the numbered options of a region; at least one.
    fn choose(&mut self, at: &At, parts: Vec<(usize, Self::T)>) -> Result<Self::T, Halt>;

    /// The better of playing another round of a game and stopping.
    fn play(&mut self, at: &At, played: Self::T, stopped: Self::T) -> Result<Self::T, Halt>;

    /// Joins parts of a span; gaps are lost.
    fn patch(
        &mut self,
        stat: usize,
        whole: Span,
        parts: Vec<(Span, Self::T)>,
    ) -> Result<Self::T, Halt>;

    /// A fight with a certain SKILL: one bout against all foes, or one against each who may be
    /// drawn.
    fn fight(
        &mut self,
        fight: &Fought,
        at: &At,
        bouts: Vec<Ends<Self::T>>,
    ) -> Result<Self::T, Halt>;

    /// The best of the options of a region and of refreshments, which may be repeated.
    fn choose_or_refresh(
        &mut self,
        at: &At,
        parts: Vec<(usize, Self::T)>,
        refreshed: Vec<Self::T>,
    ) -> Result<Self::T, Halt>;
}

/// A fight with the arms of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fought {
    pub(crate) number: u32,
    pub(crate) arms: Arms,
    /// How LUCK is spent in it, if it is.
    pub(crate) luck: Option<Lucky>,
}

/// The values of the ends of a bout.
#[derive(Clone, Debug)]
pub(crate) struct Ends<T> {
    /// The only foe, if one is drawn.
    pub(crate) only: Option<u16>,
    /// First victory; then, if running is possible, fleeing from each foe from the first on; then
    /// each way of going on after a toll, as it [stands](crate::compiled::CompiledFight::tolled).
    pub(crate) all: Vec<T>,
}

/// A continuation.
pub(crate) type Each<'e, A, H> =
    &'e mut dyn FnMut(A, &mut H) -> Result<<H as Interpreter>::T, Halt>;
