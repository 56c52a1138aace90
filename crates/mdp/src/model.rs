//! A game as numbers: what backward induction and everything after it reads.

use std::ops::Range;

use crate::odds::{Odds, OddsPool};
use crate::reward::Reward;
use crate::rows::Rows;
use crate::{Error, Game, Node, Player, Score};

/// Where one choice of a state begins: its outcomes run to where the next
/// choice's begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u32,
    /// Key of its odds.
    pub(crate) odds: u32,
}

/// Everything that can happen in one state. Self-loops are already taken out of
/// the outcomes; their weight is part of the [`Odds`].
///
/// A choice without outcomes is none: it only stays (taking it changes nothing,
/// and taking it for ever never ends), or it is known not to be worth taking.
/// It keeps its place, so that a choice has one number everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub(crate) score: Option<&'a Score>,
    pub(crate) player: Player,
    /// One more than there are choices, unless there is none.
    spans: &'a [Span],
    targets: &'a [u32],
    odds: &'a OddsPool,
}

impl<'a> Row<'a> {
    /// How many choices there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.spans.len().saturating_sub(1)
    }

    /// The numbers of the states that a choice can lead to.
    #[inline]
    pub(crate) fn targets(&self, choice: usize) -> &'a [u32] {
        match self.spans.get(choice..choice + 2) {
            Some([span, next]) => &self.targets[span.start as usize..next.start as usize],
            _ => &[],
        }
    }

    /// Targets and odds of a choice; `None` if it leads nowhere.
    #[inline]
    pub(crate) fn choice(&self, choice: usize) -> Option<(&'a [u32], Odds<'a>)> {
        let targets = self.targets(choice);
        if targets.is_empty() {
            return None;
        }
        Some((targets, self.odds(choice, targets.len())))
    }

    /// The odds of a choice with so many outcomes, which are not zero.
    #[inline]
    pub(crate) fn odds(&self, choice: usize, outcomes: usize) -> Odds<'a> {
        self.odds.get(self.spans[choice].odds, outcomes)
    }

    /// What a choice pays at once.
    #[inline]
    pub(crate) fn reward(&self, choice: usize) -> Option<&'a Reward> {
        self.odds.reward(self.spans.get(choice)?.odds)
    }

    /// All choices that lead somewhere, with their numbers.
    #[inline]
    pub(crate) fn choices(&self) -> impl Iterator<Item = (usize, &'a [u32], Odds<'a>)> + use<'a> {
        let row = *self;
        (0..row.len()).filter_map(move |choice| {
            let (targets, odds) = row.choice(choice)?;
            Some((choice, targets, odds))
        })
    }

    /// Leaving, staying and weights of a choice with narrow odds.
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

/// Buffers for a row that is made anew each time it is asked for.
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

/// How the states of a solved game were found and are numbered: the last parameter of a
/// [`Solution`](crate::Solution), for functions that take any solution.
///
/// Sealed: there is nothing to call, and only this crate can implement it.
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
// The order is one in which every outcome comes before the state it follows from. Its rows
// cannot be named outside, and so nobody else can implement this.
#[expect(
    clippy::len_without_is_empty,
    reason = "nobody outside can call it, and there is at least the start"
)]
pub trait Model<G: Game + ?Sized> {
    /// How many states there are; numbers are below this.
    #[doc(hidden)]
    fn len(&self) -> usize;

    /// The number of the state at this place of the order.
    #[doc(hidden)]
    fn at(&self, place: usize) -> usize;

    /// The places of states that can reach each other, ascending; none unless the
    /// model was made for numbers that allow them.
    #[doc(hidden)]
    fn cycles(&self) -> &[Range<u32>] {
        &[]
    }

    /// All rows, if they are in memory.
    #[doc(hidden)]
    fn rows<'a>(&'a self, _: &'a G) -> Option<&'a Rows> {
        None
    }

    /// Where each layer of the order ends, if it is one by layers: states of one
    /// layer do not lead to each other.
    #[doc(hidden)]
    fn layers(&self) -> Option<&[u32]> {
        None
    }

    /// The number of a state.
    #[doc(hidden)]
    fn number(&self, game: &G, state: &G::State) -> Option<usize>;

    /// The state with this number.
    #[doc(hidden)]
    fn state(&self, game: &G, number: usize) -> G::State;

    /// What can happen in the state with this number.
    #[doc(hidden)]
    fn row<'a>(
        &'a self,
        game: &'a G,
        number: usize,
        scratch: &'a mut Scratch<G>,
    ) -> Result<Row<'a>, Error>;
}
