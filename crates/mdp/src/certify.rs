//! Enclosures first, and exact arithmetic only where they overlap.

use std::ops::Range;

use num_rational::BigRational;

use crate::induction::{self, Values, unheld};
use crate::model::{Model, Row, Scratch};
use crate::number::{Enclosures, Store};
use crate::order::components_first;
use crate::page::{Full, Page};
use crate::progress::Observer;
use crate::rows::{Rows, RowsWriter};
use crate::threads::Threads;
use crate::{Certified, Cyclic, Error, Exact, Game, Number, Phase, Player, Solution, Tolerance};

/// The kinds of numbers that enclose every value, from which
/// [`Solver::certify`](crate::Solver::certify) continues to exact values.
///
/// # Examples
/// A function whose caller decides whether play may return to a state:
/// ```
/// use oddsmith_mdp::{Enclosing, Error, Solver, Table};
/// fn proven<N: Enclosing>(solver: Solver<'_, N>, table: &Table) -> Result<String, Error> {
///     Ok(solver.certify_table(table, 1)?.value().to_string())
/// }
/// let coin = Table::from_fn(3, |state, row| match state {
///     0 | 2 => row.end(state),
///     _ => {
///         row.choice().to(0, 1).to(2, 2);
///     }
/// })?;
/// assert_eq!(proven(Solver::certified(), &coin)?, "4/3");
/// assert_eq!(proven(Solver::certified().allow_cycles(), &coin)?, "4/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Enclosing: Number {
    /// The exact numbers for the same games.
    type Settled: Number<Value = BigRational>;
    #[doc(hidden)]
    fn enclosures(store: &Self::Store) -> &Enclosures;
}

impl Enclosing for Certified {
    type Settled = Exact;

    fn enclosures(store: &Enclosures) -> &Enclosures {
        store
    }
}

impl Enclosing for Cyclic<Certified> {
    type Settled = Cyclic<Exact>;

    fn enclosures(store: &Self::Store) -> &Enclosures {
        store.enclosures()
    }
}

/// The states that matter to a certified answer: those that optimal play can reach from the start,
/// each with the actions that may be optimal.
///
/// # Examples
/// One of two doors is a certain win, so what is behind the other is not needed:
/// ```
/// use oddsmith_mdp::{Exact, Narrowed, Solution, Solver, Table, Tabled};
/// # let doors = Table::from_fn(4, |state, row| match state {
/// #     0 | 1 => row.end(state),
/// #     2 => { row.choice().to(0, 1).to(1, 1); }
/// #     _ => { row.choice().to(1, 1); row.choice().to(2, 1); }
/// # })?;
/// let certified: Solution<'_, Table, Exact, Narrowed<Tabled>> =
///     Solver::certified().certify_table(&doors, 3)?;
/// assert_eq!((certified.value().to_string(), certified.len()), ("1".into(), 2));
/// assert!(certified.value_of(&2).is_err()); // behind the other
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Narrowed<M> {
    inner: M,
    rows: Rows,
    /// The number in `inner` of each state that is kept.
    outer: Vec<u32>,
    /// The number here of each state of `inner`; `u32::MAX` if it is not kept.
    own: Vec<u32>,
    /// The kept states in the order of play, if play may return to a state. Otherwise they are
    /// already stored in that order.
    order: Vec<u32>,
    /// The ranges of states that can still reach each other.
    cycles: Vec<Range<u32>>,
    /// The number of kept states in which floats could not decide.
    settled: usize,
}

/// Marks the absence of a number.
const NONE: u32 = u32::MAX;

/// What floats know about the states of a game.
struct Known<'a> {
    enclosures: &'a Enclosures,
    decisions: &'a [u16],
    /// Whether actions that may be as good as a proven one are kept as well.
    ties: bool,
}

impl<M> Narrowed<M> {
    /// Follows best play from `start` forward, as far as the enclosures determine it.
    ///
    /// If play may return to a state, the part that is kept still contains an optimal policy under
    /// which play ends. Proven decisions are part of such a policy: among states that have the same
    /// value because play can stay among them, they lead to the one that leaves. Where no decision
    /// is proven, only actions that no optimal play takes are dropped. With `ties`, this is the
    /// case everywhere. Without `values`, floats know nothing, and nothing is dropped.
    pub(crate) fn new<G: Game + ?Sized, N: Enclosing>(
        game: &G,
        inner: M,
        start: usize,
        values: Option<&Values<N::Store>>,
        ties: bool,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error>
    where
        M: Model<G>,
    {
        let known = values.map(|values| Known {
            enclosures: N::enclosures(&values.store),
            decisions: &values.decisions,
            ties,
        });
        let cyclic = !inner.cycles().is_empty();
        let mut own = if cyclic {
            follow(game, &inner, start, known.as_ref(), observer)?
        } else {
            pass(game, &inner, start, known.as_ref(), observer)?
        };
        let mut outer = Vec::new();
        for place in 0..inner.len() {
            let number = inner.at(place);
            if own[number] != NONE {
                own[number] = outer.len() as u32;
                outer.push(number as u32);
            }
        }
        let mut rows = RowsWriter::default();
        let mut scratch = Scratch::new();
        let mut candidates = Vec::new();
        let mut page = Page::default();
        let mut settled = 0;
        for (kept, &number) in outer.iter().enumerate() {
            let row = inner.row(game, number as usize, &mut scratch)?;
            may_be_best(
                known.as_ref(),
                game,
                &inner,
                number as usize,
                &row,
                &mut candidates,
            )?;
            let mut targets = candidates.iter().flat_map(|&choice| row.targets(choice));
            if targets.any(|&target| own[target as usize] == NONE) {
                // When this row was read before, play was not yet followed there.
                return Err(Error::Inconsistent {
                    state: game.describe(&inner.state(game, number as usize)),
                });
            }
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
            .map_err(|full| full.among(inner.len()))?;
            observer.tick(Phase::Narrowing, kept + 1, Some(outer.len()))?;
        }
        let rows = rows.finish();
        let (order, cycles) = if cyclic {
            components_first(&rows, [own[start]])
        } else {
            (Vec::new(), Vec::new())
        };
        Ok(Narrowed {
            inner,
            rows,
            outer,
            own,
            order,
            cycles,
            settled,
        })
    }

    /// Returns exact values of what is kept.
    pub(crate) fn solve<G: Game + ?Sized, S: Store>(
        &self,
        game: &G,
        max_bytes: u128,
        threads: Threads,
        observer: &mut Observer<'_>,
    ) -> Result<Values<S>, Error>
    where
        M: Model<G>,
    {
        let strict = Tolerance::strict();
        induction::solve(game, self, &strict, max_bytes, threads, observer)
    }

    pub(crate) fn inner_mut(&mut self) -> &mut M {
        &mut self.inner
    }

    pub(crate) fn number_of(&self, outer: usize) -> usize {
        self.own[outer] as usize
    }
}

/// Marks the states that optimal play may reach with a value other than `NONE`, in one pass over a
/// model whose states come before those that they lead to.
fn pass<G: Game + ?Sized, M: Model<G>>(
    game: &G,
    inner: &M,
    start: usize,
    known: Option<&Known<'_>>,
    observer: &mut Observer<'_>,
) -> Result<Vec<u32>, Error> {
    let mut own = vec![NONE; inner.len()];
    own[start] = 0;
    let mut scratch = Scratch::new();
    let mut candidates = Vec::new();
    let total = Some(inner.len());
    for place in (0..inner.len()).rev() {
        observer.tick(Phase::Narrowing, inner.len() - place, total)?;
        let number = inner.at(place);
        if own[number] == NONE {
            continue;
        }
        let row = inner.row(game, number, &mut scratch)?;
        may_be_best(known, game, inner, number, &row, &mut candidates)?;
        for &choice in &candidates {
            for &target in row.targets(choice) {
                own[target as usize] = 0;
            }
        }
    }
    Ok(own)
}

/// Does the same as [`pass`], for a model in any order.
fn follow<G: Game + ?Sized, M: Model<G>>(
    game: &G,
    inner: &M,
    start: usize,
    known: Option<&Known<'_>>,
    observer: &mut Observer<'_>,
) -> Result<Vec<u32>, Error> {
    let mut own = vec![NONE; inner.len()];
    own[start] = 0;
    let mut scratch = Scratch::new();
    let mut candidates = Vec::new();
    let mut open = vec![start];
    let mut done = 0;
    while let Some(number) = open.pop() {
        let row = inner.row(game, number, &mut scratch)?;
        may_be_best(known, game, inner, number, &row, &mut candidates)?;
        for &choice in &candidates {
            for &target in row.targets(choice) {
                if std::mem::replace(&mut own[target as usize], 0) == NONE {
                    open.push(target as usize);
                }
            }
        }
        done += 1;
        observer.tick(Phase::Narrowing, done, None)?;
    }
    Ok(own)
}

/// Copies the choices that may be best, with the numbers of their outcomes converted. The others
/// keep their places.
fn narrow(page: &mut Page, row: &Row<'_>, candidates: &[usize], own: &[u32]) -> Result<(), Full> {
    for choice in 0..row.len() {
        // They ascend.
        let kept = candidates.binary_search(&choice).is_ok();
        match row.choice(choice).filter(|_| kept) {
            Some((targets, odds)) => {
                let targets = targets.iter().map(|&t| own[t as usize]);
                page.copy(targets, odds, row.reward(choice))?;
            }
            None => page.nothing()?,
        }
    }
    page.close();
    Ok(())
}

/// Returns the choices of a state that no other choice is proven to beat. If the decision is
/// proven, it is the only one, unless ties are to be kept.
fn may_be_best<G: Game + ?Sized, M: Model<G>>(
    known: Option<&Known<'_>>,
    game: &G,
    inner: &M,
    number: usize,
    row: &Row<'_>,
    candidates: &mut Vec<usize>,
) -> Result<(), Error> {
    candidates.clear();
    if row.score.is_some() {
        return Ok(());
    }
    let Some(known) = known else {
        candidates.extend(row.choices().map(|(choice, ..)| choice));
        return Ok(());
    };
    let store = known.enclosures;
    if store.is_proven(number) && !known.ties {
        candidates.push(usize::from(known.decisions[number]));
        return Ok(());
    }
    let mut slot = store.slot();
    let [lower, upper] = store.enclosure(number);
    for (choice, targets, odds) in row.choices() {
        store
            .appraise(number, targets, &odds, &mut slot)
            .and_then(|()| match row.reward(choice) {
                Some(reward) => store.pay(reward, &odds, &mut slot),
                None => Ok(()),
            })
            .map_err(|why| unheld(why, game, &inner.state(game, number), choice))?;
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
        match self.order.get(place) {
            Some(&number) => number as usize,
            None => place,
        }
    }

    fn cycles(&self) -> &[Range<u32>] {
        &self.cycles
    }

    fn rows<'a>(&'a self, _: &'a G) -> Option<&'a Rows> {
        Some(&self.rows)
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

impl<G: Game + ?Sized, N: Number, M: Model<G>> Solution<'_, G, N, Narrowed<M>> {
    /// Returns the number of kept states in which floats alone could not tell which action is best,
    /// so that exact values were needed; mostly these are ties.
    ///
    /// With [`all_ties`](crate::Solver::all_ties), counts the states in which several actions are
    /// kept. If nothing could be enclosed, counts all states with several actions.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     0 | 1 => row.end(state),
    ///     _ => {
    ///         row.choice().to(0, 2).to(1, 1);
    ///         row.choice().to(1, 3).to(0, 6); // the same in other words
    ///     }
    /// })?;
    /// assert_eq!(Solver::certified().certify_table(&table, 2)?.settled(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn settled(&self) -> usize {
        self.model().settled
    }
}

impl<G: Game + ?Sized, M: Model<G>> Solution<'_, G, Certified, M> {
    /// Returns two floats between which the exact value of `state` lies.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Solver, Table};
    /// let third = Table::from_fn(3, |state, row| match state {
    ///     0 | 1 => row.end(state),
    ///     _ => {
    ///         row.choice().to(0, 2).to(1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::certified().solve_table(&third, 2)?;
    /// let (lower, upper) = solution.enclosure(&2)?;
    /// assert!(lower <= 1.0 / 3.0 && 1.0 / 3.0 <= upper && upper - lower < 1e-15);
    /// assert_eq!(solution.enclosure(&1)?, (1.0, 1.0)); // as an end says
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn enclosure(&self, state: &G::State) -> Result<(f64, f64), Error> {
        let [lower, upper] = self.store().enclosure(self.number(state)?);
        Ok((lower, upper))
    }

    /// Returns whether the decision in `state` is proven to be optimal, provided that play
    /// continues optimally. Also true if there is nothing to decide.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::certified().solve(&KeepOrRoll, (3, 0))?;
    /// assert!(solution.is_proven(&(2, 4))?); // 17/4 by rolling, 4 by keeping
    /// assert_eq!(solution.decision(&(2, 4))?, Some("roll"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_proven(&self, state: &G::State) -> Result<bool, Error> {
        Ok(self.store().is_proven(self.number(state)?))
    }

    /// Returns the number of states in which the decision is not proven.
    ///
    /// # Examples
    /// Two ways with the same chance: a tie, which floats cannot prove.
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     0 | 1 => row.end(state),
    ///     _ => {
    ///         row.choice().to(0, 2).to(1, 1);
    ///         row.choice().to(1, 3).to(0, 6);
    ///     }
    /// })?;
    /// assert_eq!(Solver::certified().solve_table(&table, 2)?.undecided(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn undecided(&self) -> usize {
        self.store().undecided()
    }
}
