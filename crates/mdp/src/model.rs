//! A game in numbers, as it is read by backward induction and by everything after it.

use std::ops::Range;

use crate::odds::{Odds, OddsPool};
use crate::reward::Reward;
use crate::rows::Rows;
use crate::{Error, Game, Node, Player, Score};

/// Where one choice of a state begins. Its outcomes run to where those of the next choice begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u32,
    /// The key of its odds.
    pub(crate) odds: u32,
}

/// Everything that can happen in one state. Self-loops are not among the outcomes; their weight is
/// part of the [`Odds`].
///
/// A choice without outcomes is not a choice: either it only stays (taking it changes nothing, and
/// taking it for ever never ends), or it is known not to be worth taking. It keeps its place, so
/// that a choice has the same number everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub(crate) score: Option<&'a Score>,
    pub(crate) player: Player,
    /// One more entry than there are choices, unless there are none.
    spans: &'a [Span],
    targets: &'a [u32],
    odds: &'a OddsPool,
}

impl<'a> Row<'a> {
    /// Returns the number of choices.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.spans.len().saturating_sub(1)
    }

    /// Returns the numbers of the states that a choice can lead to.
    #[inline]
    pub(crate) fn targets(&self, choice: usize) -> &'a [u32] {
        match self.spans.get(choice..choice + 2) {
            Some([span, next]) => &self.targets[span.start as usize..next.start as usize],
            _ => &[],
        }
    }

    /// Returns the targets and odds of a choice, or `None` if it leads nowhere.
    #[inline]
    pub(crate) fn choice(&self, choice: usize) -> Option<(&'a [u32], Odds<'a>)> {
        let targets = self.targets(choice);
        if targets.is_empty() {
            return None;
        }
        Some((targets, self.odds(choice, targets.len())))
    }

    /// Returns the odds of a choice with this many outcomes, which must not be zero.
    #[inline]
    pub(crate) fn odds(&self, choice: usize, outcomes: usize) -> Odds<'a> {
        self.odds.get(self.spans[choice].odds, outcomes)
    }

    /// Returns the reward that a choice pays at once.
    #[inline]
    pub(crate) fn reward(&self, choice: usize) -> Option<&'a Reward> {
        self.odds.reward(self.spans.get(choice)?.odds)
    }

    /// Iterates over all choices that lead somewhere, with their numbers.
    #[inline]
    pub(crate) fn choices(&self) -> impl Iterator<Item = (usize, &'a [u32], Odds<'a>)> + use<'a> {
        let row = *self;
        (0..row.len()).filter_map(move |choice| {
            let (targets, odds) = row.choice(choice)?;
            Some((choice, targets, odds))
        })
    }

    /// Returns the leaving weight, the staying weight, and the weights of a choice with narrow
    /// odds.
    #[inline]
    pub(crate) fn words(&self, choice: usize, outcomes: usize) -> Option<&'a [u64]> {
        self.odds.narrow(self.spans[choice].odds, outcomes)
    }

    #[inline]
    pub(crate) fn ended(score: &'a Score, odds: &'a OddsPool) -> Self {
        Row {
            score: Some(score),
            player: Player::Max,
            spans: &[],
            targets: &[],
            odds,
        }
    }

    #[inline]
    pub(crate) fn going_on(
        player: Player,
        spans: &'a [Span],
        targets: &'a [u32],
        odds: &'a OddsPool,
    ) -> Self {
        Row {
            score: None,
            player,
            spans,
            targets,
            odds,
        }
    }
}

/// Buffers for a row that is generated whenever it is requested.
pub struct Scratch<G: Game + ?Sized> {
    pub(crate) node: Node<G>,
    pub(crate) page: crate::page::Page,
}

impl<G: Game + ?Sized> std::fmt::Debug for Scratch<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.node.fmt(f)
    }
}

impl<G: Game + ?Sized> Scratch<G> {
    pub(crate) fn new() -> Self {
        Scratch {
            node: Node::new(),
            page: crate::page::Page::default(),
        }
    }
}

/// How the states of a solved game were found and are numbered. This is the last parameter of a
/// [`Solution`](crate::Solution), for functions that accept any solution.
///
/// This trait is sealed. It has no public methods, and only this crate can implement it.
///
/// # Examples
/// ```
/// # use oddsmith_mdp::{Game, Indexed, Node};
/// use oddsmith_mdp::{Model, Number, Solution, Solver};
///
/// /// How many states are worth nothing.
/// fn lost<G: Game, N: Number, M: Model<G>>(solution: &Solution<'_, G, N, M>) -> usize {
///     let nothing = |value: &N::Value| value.to_string() == "0";
///     solution.states().filter(|(_, value)| nothing(value)).count()
/// }
///
/// # struct Stair;
/// # impl Game for Stair {
/// #     type State = i64;
/// #     type Action = ();
/// #     fn expand(&self, &steps: &i64, node: &mut Node<Self>) {
/// #         if steps <= 0 { return node.end(steps == 0); }
/// #         node.chance().to(steps - 1, 1).to(steps - 2, 1);
/// #     }
/// # }
/// # impl Indexed for Stair {
/// #     fn size(&self) -> usize { 7 }
/// #     fn index(&self, &steps: &i64) -> usize { (steps + 1) as usize }
/// #     fn state(&self, index: usize) -> i64 { index as i64 - 1 }
/// # }
/// // One and two steps down a stair of five: missed by one.
/// assert_eq!(lost(&Solver::exact().solve(&Stair, 5)?), 1);
/// assert_eq!(lost(&Solver::float().solve_indexed(&Stair, 5)?), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// In this order, every outcome comes before the state that leads to it. The type of the rows cannot
// be named outside this crate, so nobody else can implement this trait.
#[expect(
    clippy::len_without_is_empty,
    reason = "nobody outside can call it, and there is at least the start"
)]
pub trait Model<G: Game + ?Sized> {
    /// Returns the number of states. Their numbers are below it.
    #[doc(hidden)]
    fn len(&self) -> usize;

    /// Returns the number of the state at this place of the order.
    #[doc(hidden)]
    fn at(&self, place: usize) -> usize;

    /// Returns the ranges of states that can reach each other, in ascending order. Empty unless the
    /// model was created for numbers that allow them.
    #[doc(hidden)]
    fn cycles(&self) -> &[Range<u32>] {
        &[]
    }

    /// Returns all rows if they are in memory.
    #[doc(hidden)]
    fn rows<'a>(&'a self, _: &'a G) -> Option<&'a Rows> {
        None
    }

    /// Returns where each layer of the order ends, if it is an order by layers. States of one layer
    /// do not lead to each other.
    #[doc(hidden)]
    fn layers(&self) -> Option<&[u32]> {
        None
    }

    /// Returns the number of a state.
    #[doc(hidden)]
    fn number(&self, game: &G, state: &G::State) -> Option<usize>;

    /// Returns the state with this number.
    #[doc(hidden)]
    fn state(&self, game: &G, number: usize) -> G::State;

    /// Returns what can happen in the state with this number.
    #[doc(hidden)]
    fn row<'a>(
        &'a self,
        game: &'a G,
        number: usize,
        scratch: &'a mut Scratch<G>,
    ) -> Result<Row<'a>, Error>;

    /// Returns the number of choices in a state, which has this number.
    #[doc(hidden)]
    fn choices(&self, game: &G, number: usize, _: &G::State) -> Result<usize, Error> {
        Ok(self.row(game, number, &mut Scratch::new())?.len())
    }
}
