//! The states of a game that fill a box, by their index.

use std::ops::Range;

use crate::limits::Limits;
use crate::model::{Model, Row, Scratch};
use crate::order::components_first;
use crate::progress::Observer;
use crate::rows::{Rows, RowsWriter};
use crate::{Error, Indexed, Phase};

/// All states of an [`Indexed`] game. A solution stores none of them: a state's
/// row is made from `expand` whenever it is asked for.
///
/// # Examples
/// Six steps of a stair, of which the second leads to two others only:
/// ```
/// # use oddsmith_mdp::{Game, Indexed, Node};
/// # struct Stair;
/// # impl Game for Stair {
/// #     type State = usize;
/// #     type Action = ();
/// #     fn expand(&self, &step: &usize, node: &mut Node<Self>) {
/// #         if step < 2 { return node.end(step); }
/// #         node.chance().to(step - 1, 1).to(step - 2, 1);
/// #     }
/// # }
/// # impl Indexed for Stair {
/// #     fn size(&self) -> usize { 6 }
/// #     fn index(&self, &step: &usize) -> usize { step }
/// #     fn state(&self, index: usize) -> usize { index }
/// # }
/// use oddsmith_mdp::{Boxed, Exact, Solution, Solver};
/// let solution: Solution<'_, Stair, Exact, Boxed> = Solver::exact().solve_indexed(&Stair, 2)?;
/// assert_eq!(solution.value().to_string(), "1/2");
/// assert_eq!(solution.len(), 6); // the whole box
/// assert_eq!(solution.value_of(&3)?.to_string(), "3/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Boxed {
    len: usize,
    limits: Limits,
    /// Rows kept while a solver reads them several times.
    kept: Option<Rows>,
    /// Whether rows are tidied even if they are not kept: exact chances can be
    /// shared out only by the denominators that the values were made with.
    tidy: bool,
    /// Numbers in the order of play if they are not in it themselves: in a game
    /// that may have cycles.
    order: Option<Vec<u32>>,
    /// Places of states that can reach each other.
    cycles: Vec<Range<u32>>,
}

impl Boxed {
    pub(crate) fn new<G: Indexed + ?Sized>(game: &G, limits: Limits) -> Result<Self, Error> {
        let limit = limits.states.min(u32::MAX as usize);
        let len = game.size();
        if len > limit {
            return Err(Error::TooManyStates { limit });
        }
        Ok(Boxed {
            len,
            limits,
            kept: None,
            tidy: false,
            order: None,
            cycles: Vec::new(),
        })
    }

    /// Keeps all rows in memory until [`forget`](Boxed::forget), if there are
    /// not too many: an exact solver reads each of them four times.
    pub(crate) fn keep<G: Indexed + ?Sized>(
        &mut self,
        game: &G,
        observer: &mut Observer<'_>,
    ) -> Result<(), Error> {
        const MOST: usize = 1 << 22;
        self.tidy = true;
        if self.len > MOST {
            return Ok(());
        }
        match self.keep_all(game, observer) {
            // Making them anew takes longer, and no memory.
            Err(
                Error::TooMuchMemory { .. }
                | Error::OutcomesOutgrow { .. }
                | Error::NumbersExhausted { .. },
            ) => Ok(()),
            // Of one state, which takes as much whenever it is made anew.
            kept => kept,
        }
    }

    /// Keeps all rows until [`forget`](Boxed::forget), and finds the order of play
    /// from them: the numbers need not tell.
    pub(crate) fn keep_with_cycles<G: Indexed + ?Sized>(
        &mut self,
        game: &G,
        observer: &mut Observer<'_>,
    ) -> Result<(), Error> {
        self.tidy = true;
        self.order = Some(Vec::new());
        self.keep_all(game, observer)?;
        if let Some(rows) = &self.kept {
            let (order, cycles) = components_first(rows, 0..self.len as u32);
            (self.order, self.cycles) = (Some(order), cycles);
        }
        Ok(())
    }

    fn keep_all<G: Indexed + ?Sized>(
        &mut self,
        game: &G,
        observer: &mut Observer<'_>,
    ) -> Result<(), Error> {
        let mut rows = RowsWriter::default();
        let mut scratch = Scratch::new();
        for number in 0..self.len {
            rows.reserve();
            self.write(game, number, rows.outcomes(), &mut scratch)?;
            rows.put_page(number, &scratch.page, scratch.node.score())
                .map_err(|full| full.among(self.len))?;
            rows.check_room(number + 1, self.limits.bytes)?;
            observer.tick(Phase::Exploring, number + 1, Some(self.len))?;
        }
        self.kept = Some(rows.finish());
        Ok(())
    }

    /// Merges equal outcomes and reduces weights from now on.
    pub(crate) fn tidy(&mut self) {
        self.tidy = true;
    }

    /// Frees what [`keep`](Boxed::keep) has kept.
    pub(crate) fn forget(&mut self) {
        self.kept = None;
    }

    /// Writes the row of a state into `scratch`, checking the numbering, where so many
    /// outcomes are kept of others.
    #[inline]
    fn write<G: Indexed + ?Sized>(
        &self,
        game: &G,
        number: usize,
        outcomes: usize,
        scratch: &mut Scratch<G>,
    ) -> Result<(), Error> {
        let state = game.state(number);
        let back = game.index(&state);
        if back != number {
            return Err(Error::IndexMismatch {
                index: number,
                state: game.describe(&state),
                back,
            });
        }
        self.limits
            .fill(&mut scratch.node, game, &state, outcomes, number)?;
        let any_order = self.order.is_some();
        scratch.page.write(
            &scratch.node,
            number as u32,
            self.tidy,
            || game.describe(&state),
            |successor| {
                let index = game.index(successor);
                if any_order {
                    if index >= self.len {
                        return Err(Error::OutsideBox {
                            state: game.describe(&state),
                            successor: game.describe(successor),
                            successor_index: index,
                            size: self.len,
                        });
                    }
                } else if index > number {
                    return Err(Error::NotBackward {
                        state: game.describe(&state),
                        index: number,
                        successor: game.describe(successor),
                        successor_index: index,
                    });
                }
                // A state outside the box may share a number with one inside.
                if !game.stands_for(index, successor) {
                    return Err(Error::SharedIndex {
                        state: game.describe(&state),
                        successor: game.describe(successor),
                        index,
                        own: game.describe(&game.state(index)),
                    });
                }
                Ok(index as u32)
            },
        )
    }
}

impl<G: Indexed + ?Sized> Model<G> for Boxed {
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn at(&self, place: usize) -> usize {
        match &self.order {
            None => place,
            Some(order) => order[place] as usize,
        }
    }

    fn cycles(&self) -> &[Range<u32>] {
        &self.cycles
    }

    fn rows<'a>(&'a self, _: &'a G) -> Option<&'a Rows> {
        self.kept.as_ref()
    }

    fn number(&self, game: &G, state: &G::State) -> Option<usize> {
        let index = game.index(state);
        (index < self.len && game.stands_for(index, state)).then_some(index)
    }

    fn state(&self, game: &G, number: usize) -> G::State {
        game.state(number)
    }

    #[inline]
    fn row<'a>(
        &'a self,
        game: &'a G,
        number: usize,
        scratch: &'a mut Scratch<G>,
    ) -> Result<Row<'a>, Error> {
        if let Some(rows) = &self.kept {
            return Ok(rows.row(number));
        }
        self.write(game, number, 0, scratch)?;
        Ok(scratch.page.row(scratch.node.score()))
    }
}
