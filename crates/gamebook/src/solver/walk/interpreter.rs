//! What a walk is made for.

use crate::compiled::Arms;
use crate::place::STATS;
use crate::solver::diagrams::gates::{Gate, Gates, Known};
use crate::solver::limits::Halt;
use crate::solver::reach::extent::{Extent, Span};
use crate::solver::walk::spending::Lucky;

/// A scene, with what is told apart about the sheet besides bits and stats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Region {
    pub(crate) scene: u32,
    /// Rounds of a game that have been played, or deals of a shop that have been weighed.
    pub(crate) step: u32,
    /// Bits held of those that tell the rounds of a ring apart.
    pub(crate) marks: u128,
    /// Caps that have been raised; 0 for all other stats.
    pub(crate) kept: [i16; STATS],
    /// By which way, where [ways are told apart](crate::solver::reach::fork); 0 elsewhere.
    pub(crate) way: u32,
}

/// Sheets in the middle of something: raised caps known, stats within a box, bits partly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct At {
    pub(crate) known: Known,
    pub(crate) kept: [i16; STATS],
    pub(crate) way: u32,
    pub(crate) extent: Extent,
}

/// What a walk makes of what it finds. `T` stands for what sheets are worth, by their bits
/// and by their place in a box.
pub(crate) trait Interpreter {
    type T: Clone;

    fn gates(&mut self) -> &mut Gates;

    /// What every sheet is worth that has lost, or won.
    fn end(&mut self, won: bool) -> Self::T;

    /// What these sheets are worth in a region.
    fn region(&mut self, region: Region, at: &At) -> Result<Self::T, Halt>;

    /// What these sheets are worth in the region that is being looked at, to be found.
    fn itself(&mut self, region: Region, at: &At) -> Result<Self::T, Halt>;

    /// After bits were gained or lost.
    fn hold(&mut self, after: Self::T, bits: u128, held: bool) -> Result<Self::T, Halt>;

    /// One or the other, as the bits say.
    fn gate(&mut self, gate: Gate, then: Self::T, otherwise: Self::T) -> Result<Self::T, Halt>;

    /// After one of the bits of `mask` that are held was lost, each with the same chance.
    fn lose_one(&mut self, after: Self::T, mask: u128, known: Known) -> Result<Self::T, Halt>;

    /// `after` is for the span that `to` makes of another; what is it for that? `None` is
    /// lost.
    fn shift(
        &mut self,
        after: Self::T,
        stat: usize,
        from: Span,
        into: Span,
        to: &mut dyn FnMut(i16) -> Option<i16>,
    ) -> Result<Self::T, Halt>;

    /// By weights that sum to `total`.
    fn mix(&mut self, at: &At, parts: Vec<(u64, Self::T)>, total: u64) -> Result<Self::T, Halt>;

    /// What follows a test of a stat that is a lane: by part, its weights for each value of
    /// the span, and for each value their total.
    fn mix_by_value(
        &mut self,
        at: &At,
        stat: usize,
        parts: Vec<(Vec<u64>, Self::T)>,
        totals: &[u64],
    ) -> Result<Self::T, Halt>;

    /// Where an option of a region may be worth taking.
    fn open(&mut self, region: &Region, option: usize) -> Gate;

    /// The best of the options of a region, each with its number; at least one.
    fn choose(&mut self, at: &At, parts: Vec<(usize, Self::T)>) -> Result<Self::T, Halt>;

    /// The better of another round of a game, and none.
    fn play(&mut self, at: &At, played: Self::T, stopped: Self::T) -> Result<Self::T, Halt>;

    /// Parts of a span, put together; lost in between.
    fn patch(
        &mut self,
        stat: usize,
        whole: Span,
        parts: Vec<(Span, Self::T)>,
    ) -> Result<Self::T, Halt>;

    /// A fight, for one SKILL: against all foes, or against each who may be drawn.
    fn fight(
        &mut self,
        fight: &Fought,
        at: &At,
        bouts: Vec<Ends<Self::T>>,
    ) -> Result<Self::T, Halt>;

    /// The best of the options of a region and of refreshments, as often as wanted: as
    /// [`choose`](Interpreter::choose) and [`refresh`](Interpreter::refresh), at once.
    fn choose_or_refresh(
        &mut self,
        at: &At,
        parts: Vec<(usize, Self::T)>,
        refreshed: Vec<Self::T>,
    ) -> Result<Self::T, Halt>;

    /// The best of `best` and of refreshments, as often as wanted.
    fn refresh(&mut self, at: &At, best: Self::T, refreshed: Vec<Self::T>)
    -> Result<Self::T, Halt>;
}

/// A fight as a region has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fought {
    pub(crate) number: u32,
    pub(crate) arms: Arms,
    /// How LUCK is spent in it, if it is.
    pub(crate) luck: Option<Lucky>,
}

/// Where a fight may lead.
#[derive(Clone, Debug)]
pub(crate) struct Ends<T> {
    /// The only foe, if one is drawn.
    pub(crate) only: Option<u16>,
    /// First victory; then, if one may run, flight from each foe from the first on; then how it goes
    /// on after a toll, as it [stands](crate::compiled::CompiledFight::tolled) then.
    pub(crate) all: Vec<T>,
}

/// What is done for each of some things.
pub(crate) type Each<'e, A, H> =
    &'e mut dyn FnMut(A, &mut H) -> Result<<H as Interpreter>::T, Halt>;
