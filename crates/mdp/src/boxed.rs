//! The states of a game that fill a box, by their index.

use crate::model::{Model, Row, Scratch, write_spans};
use crate::{Error, Indexed};

/// All states of an [`Indexed`] game. Nothing is stored: a state's row is made
/// from `expand` whenever it is asked for, which for a box is cheaper than
/// remembering it.
///
/// # Examples
/// See [`Indexed`] and [`Solver::solve_indexed`](crate::Solver::solve_indexed).
#[derive(Clone, Copy, Debug)]
pub struct Boxed {
    len: usize,
}

impl Boxed {
    pub(crate) fn new<G: Indexed + ?Sized>(game: &G, max_states: usize) -> Result<Self, Error> {
        let limit = max_states.min(u32::MAX as usize);
        let len = game.size();
        if len > limit {
            return Err(Error::TooManyStates { limit });
        }
        Ok(Boxed { len })
    }
}

impl<G: Indexed + ?Sized> Model<G> for Boxed {
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn at(&self, place: usize) -> usize {
        place
    }

    fn number(&self, game: &G, state: &G::State) -> Option<usize> {
        Some(game.index(state)).filter(|&index| index < self.len)
    }

    fn state(&self, game: &G, number: usize) -> G::State {
        game.state(number)
    }

    #[inline]
    fn row<'a>(
        &'a self,
        game: &G,
        number: usize,
        scratch: &'a mut Scratch<G>,
    ) -> Result<Row<'a>, Error> {
        let state = game.state(number);
        let back = game.index(&state);
        if back != number {
            return Err(Error::IndexMismatch {
                index: number,
                state: format!("{state:?}"),
                back,
            });
        }
        scratch.node.fill(game, &state)?;
        scratch.spans.clear();
        scratch.outcomes.clear();
        write_spans(
            &scratch.node,
            number as u32,
            &mut scratch.spans,
            &mut scratch.outcomes,
            || format!("{state:?}"),
            |successor| {
                let index = game.index(successor);
                if index > number {
                    return Err(Error::NotBackward {
                        state: format!("{state:?}"),
                        index: number,
                        successor: format!("{successor:?}"),
                        successor_index: index,
                    });
                }
                Ok(index as u32)
            },
        )?;
        Ok(Row::new(
            scratch.node.score(),
            &scratch.spans,
            &scratch.outcomes,
        ))
    }
}
