//! A game as numbers: what backward induction and everything after it reads.

use crate::{Error, Game, Node, Score};

/// One choice of a state, in numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Where its outcomes begin and end in the row's list.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Which choice on the node this is: choices that only stay are left out.
    pub(crate) choice: u16,
    /// Sum of the outcomes' weights: the denominator once the player leaves.
    pub(crate) leaving: u64,
    /// Weight of staying in the same state.
    pub(crate) staying: u64,
}

/// Everything that can happen in one state. Self-loops are already taken out
/// of `outcomes`; their weight is in [`Span::staying`].
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub(crate) score: Option<&'a Score>,
    pub(crate) spans: &'a [Span],
    outcomes: &'a [(u32, u64)],
}

impl<'a> Row<'a> {
    #[inline]
    pub(crate) fn outcomes(&self, span: &Span) -> &'a [(u32, u64)] {
        &self.outcomes[span.start as usize..span.end as usize]
    }

    pub(crate) fn new(
        score: Option<&'a Score>,
        spans: &'a [Span],
        outcomes: &'a [(u32, u64)],
    ) -> Self {
        Row {
            score,
            spans,
            outcomes,
        }
    }
}

/// Buffers for a row that is made anew each time it is asked for.
pub struct Scratch<G: Game + ?Sized> {
    pub(crate) node: Node<G>,
    pub(crate) spans: Vec<Span>,
    pub(crate) outcomes: Vec<(u32, u64)>,
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
            spans: Vec::new(),
            outcomes: Vec::new(),
        }
    }
}

/// The states of a game under numbers, in an order in which every outcome
/// comes before the state it follows from.
///
/// Sealed, since only this crate can name it: users meet it as the last
/// parameter of a [`Solution`](crate::Solution).
pub trait Model<G: Game + ?Sized> {
    /// How many states there are; numbers are below this.
    fn len(&self) -> usize;

    /// The number of the state at this place of the order.
    fn at(&self, place: usize) -> usize;

    /// The number of a state.
    fn number(&self, game: &G, state: &G::State) -> Option<usize>;

    /// The state with this number.
    fn state(&self, game: &G, number: usize) -> G::State;

    /// What can happen in the state with this number.
    fn row<'a>(
        &'a self,
        game: &G,
        number: usize,
        scratch: &'a mut Scratch<G>,
    ) -> Result<Row<'a>, Error>;
}

/// Writes the choices of `node` as spans, `number` giving the number of each
/// outcome. Both lists are empty at first.
///
/// Choices that stay for certain are left out: taking one changes nothing, and
/// taking it for ever never ends. If no other is left, that is an error.
#[inline]
pub(crate) fn write_spans<G: Game + ?Sized>(
    node: &Node<G>,
    own: u32,
    spans: &mut Vec<Span>,
    outcomes: &mut Vec<(u32, u64)>,
    state: impl Fn() -> String,
    mut number: impl FnMut(&G::State) -> Result<u32, Error>,
) -> Result<(), Error> {
    let first = spans.len();
    if node.len() > usize::from(u16::MAX) {
        return Err(Error::TooManyChoices {
            state: state(),
            choices: node.len(),
        });
    }
    for choice in 0..node.len() {
        let start = outcomes.len();
        let mut staying = 0;
        for (successor, weight) in node.outcomes(choice) {
            let successor = number(successor)?;
            if successor == own {
                staying += weight;
            } else {
                outcomes.push((successor, *weight));
            }
        }
        if outcomes.len() == start {
            continue;
        }
        spans.push(Span {
            start: start as u32,
            end: outcomes.len() as u32,
            choice: choice as u16,
            leaving: node.total(choice) - staying,
            staying,
        });
    }
    if spans.len() == first && !node.is_empty() {
        return Err(Error::NeverEnds { state: state() });
    }
    Ok(())
}
