//! Enclosures first, exact arithmetic only where they overlap.

use crate::induction::{self, Values, unheld};
use crate::model::{Model, Row, Scratch};
use crate::number::{Enclosures, Store};
use crate::page::{Full, Page};
use crate::progress::Observer;
use crate::rows::{Rows, RowsWriter};
use crate::{Certified, Error, Exact, Game, Player, Solution, Tolerance};

/// The states that matter to a certified answer: those that optimal play can
/// lead to from the start, each with the actions that may be optimal.
///
/// # Examples
/// See [`Solver::certify`](crate::Solver::certify).
#[derive(Debug)]
pub struct Narrowed<M> {
    inner: M,
    rows: Rows,
    /// The number that each kept state has in `inner`.
    outer: Vec<u32>,
    /// The number that each state of `inner` has here; `u32::MAX` for none.
    own: Vec<u32>,
    /// In how many kept states floats could not decide.
    settled: usize,
}

/// No number.
const NONE: u32 = u32::MAX;

impl<M> Narrowed<M> {
    /// Follows best play from `start` forward, as far as the enclosures know it.
    pub(crate) fn new<G: Game + ?Sized>(
        game: &G,
        inner: M,
        start: usize,
        values: &Values<Enclosures>,
    ) -> Result<Self, Error>
    where
        M: Model<G>,
    {
        let mut own = vec![NONE; inner.len()];
        own[start] = 0;
        let mut scratch = Scratch::new();
        let mut candidates = Vec::new();
        for place in (0..inner.len()).rev() {
            let number = inner.at(place);
            if own[number] == NONE {
                continue;
            }
            let row = inner.row(game, number, &mut scratch)?;
            may_be_best(values, number, &row, &mut candidates)
                .map_err(|(choice, why)| unheld(why, game, &inner.state(game, number), choice))?;
            for &choice in &candidates {
                for &target in row.targets(choice) {
                    own[target as usize] = 0;
                }
            }
        }
        let mut rows = RowsWriter::default();
        let mut outer = Vec::new();
        let mut page = Page::default();
        let mut settled = 0;
        for place in 0..inner.len() {
            let number = inner.at(place);
            if own[number] == NONE {
                continue;
            }
            let kept = outer.len();
            let row = inner.row(game, number, &mut scratch)?;
            may_be_best(values, number, &row, &mut candidates)
                .map_err(|(choice, why)| unheld(why, game, &inner.state(game, number), choice))?;
            settled += usize::from(candidates.len() > 1);
            rows.reserve();
            if row.score.is_some() {
                rows.put_page(kept, &page, row.score)
            } else {
                page.clear();
                page.player = row.player;
                narrow(&mut page, &row, &candidates, &own)
                    .and_then(|()| rows.put(kept, &page.row(None)))
            }
            .map_err(|Full| Error::TooMuchMemory {
                what: "their outcomes",
                states: inner.len(),
                needed: 4 << 32,
                limit: 4 << 32,
            })?;
            own[number] = kept as u32;
            outer.push(number as u32);
        }
        Ok(Narrowed {
            inner,
            rows: rows.finish(),
            outer,
            own,
            settled,
        })
    }

    /// Exact values of what is kept.
    pub(crate) fn solve<G: Game + ?Sized>(
        &self,
        game: &G,
        max_bytes: u128,
        observer: &mut Observer<'_>,
    ) -> Result<Values<<Exact as crate::Number>::Store>, Error>
    where
        M: Model<G>,
    {
        induction::solve(game, self, &Tolerance::strict(), max_bytes, observer)
    }

    pub(crate) fn number_of(&self, outer: usize) -> usize {
        self.own[outer] as usize
    }
}

/// Copies the choices that may be best, the numbers of their outcomes changed;
/// the others keep their places.
fn narrow(page: &mut Page, row: &Row<'_>, candidates: &[usize], own: &[u32]) -> Result<(), Full> {
    for choice in 0..row.len() {
        match row.choice(choice).filter(|_| candidates.contains(&choice)) {
            Some((targets, odds)) => page.copy(targets.iter().map(|&t| own[t as usize]), odds)?,
            None => page.nothing()?,
        }
    }
    page.close();
    Ok(())
}

/// The choices of a state that no other is proven to beat. If the decision is
/// proven it is the only one.
fn may_be_best(
    values: &Values<Enclosures>,
    number: usize,
    row: &Row<'_>,
    candidates: &mut Vec<usize>,
) -> Result<(), (usize, crate::number::Unheld)> {
    candidates.clear();
    if row.score.is_some() {
        return Ok(());
    }
    let store = &values.store;
    if store.is_proven(number) {
        candidates.push(usize::from(values.decisions[number]));
        return Ok(());
    }
    let mut slot = store.slot();
    let [lower, upper] = store.enclosure(number);
    for (choice, targets, odds) in row.choices() {
        store
            .appraise(number, targets, &odds, &mut slot)
            .map_err(|why| (choice, why))?;
        // The enclosure of the state is that of the maximum (or minimum).
        let [low, high] = slot.enclosure();
        let possible = match row.player {
            Player::Max => high >= lower,
            Player::Min => low <= upper,
        };
        if possible {
            candidates.push(choice);
        }
    }
    Ok(())
}

impl<G: Game + ?Sized, M: Model<G>> Model<G> for Narrowed<M> {
    fn len(&self) -> usize {
        self.outer.len()
    }

    #[inline]
    fn at(&self, place: usize) -> usize {
        place
    }

    fn number(&self, game: &G, state: &G::State) -> Option<usize> {
        let number = self.own[self.inner.number(game, state)?];
        (number != NONE).then_some(number as usize)
    }

    fn state(&self, game: &G, number: usize) -> G::State {
        self.inner.state(game, self.outer[number] as usize)
    }

    #[inline]
    fn row<'a>(&'a self, _: &'a G, number: usize, _: &'a mut Scratch<G>) -> Result<Row<'a>, Error> {
        Ok(self.rows.row(number))
    }
}

impl<G: Game + ?Sized, M: Model<G>> Solution<'_, G, Exact, Narrowed<M>> {
    /// In how many of the states kept floats alone could not tell which action is
    /// best, so that exact values had to: ties, mostly.
    ///
    /// # Examples
    /// See [`Solver::certify`](crate::Solver::certify).
    #[must_use]
    pub fn settled(&self) -> usize {
        self.model().settled
    }
}

impl<G: Game + ?Sized, M: Model<G>> Solution<'_, G, Certified, M> {
    /// Two floats between which the exact value of `state` lies.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not met.
    ///
    /// # Examples
    /// See [`Solver::certified`](crate::Solver::certified).
    pub fn enclosure(&self, state: &G::State) -> Result<(f64, f64), Error> {
        let [lower, upper] = self.store().enclosure(self.number(state)?);
        Ok((lower, upper))
    }

    /// Whether the decision in `state` is proven to be optimal (given that play
    /// goes on optimally); also where there is nothing to decide.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not met.
    ///
    /// # Examples
    /// See [`Solver::certified`](crate::Solver::certified).
    pub fn is_proven(&self, state: &G::State) -> Result<bool, Error> {
        Ok(self.store().is_proven(self.number(state)?))
    }

    /// In how many states the decision is not proven.
    ///
    /// # Examples
    /// See [`Solver::certified`](crate::Solver::certified).
    #[must_use]
    pub fn undecided(&self) -> usize {
        self.store().undecided()
    }
}
