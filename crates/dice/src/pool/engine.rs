//! The engine behind the readings of pools: one pass over the faces.
//!
//! A *place* says how many dice of each group have already shown a face. A *cell* is a place
//! together with a state of the evaluator; it holds the number of rolls that lead there. At a face,
//! c of the r dice of a group that are left show it in C(r, c)·wᶜ ways, where w is the weight of
//! the face, and the others are left for later faces. Of r cards that are still to be drawn, c show
//! it in C(m, c) ways, where m is the number of cards with the face.
//!
//! Dice are sorted, so those at a face take the next positions in the order of the scan. Once all
//! remaining positions have multiplicity 0, the pool is *closed*: whatever its other dice show, the
//! evaluator gets a count of 0, and one number counts all their ways.
//!
//! The pass itself is written once for all evaluators and faces, which it knows by index. It is the
//! engine of icepool (A. J. Liu, "Icepool: Efficient Computation of Dice Pool Probabilities", AIIDE
//! 2022), with iteration instead of memoised recursion: every number is kept for one face only.

mod cells;
mod number;
mod opposed;
mod plan;
mod scan;
mod side;
mod table;

pub(crate) use plan::Plan;
pub(crate) use scan::Reading;

use crate::power::check_words;
use crate::rounding::Roundings;
use crate::{Dist, Error, Evaluator, Order, Pool, TieTo, Weight};
use indexmap::IndexSet;
use num_bigint::BigUint;
use number::{Counted, Number, Words};
use rustc_hash::FxBuildHasher;

/// The question to answer about the pools of a plan.
pub enum Task<'a> {
    /// The last states of an evaluator.
    Read(&'a mut dyn Reading),
    /// The pairs won and drawn of two pools, rank by rank.
    Oppose(TieTo),
}

impl std::fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Task::Read(_) => "Read",
            Task::Oppose(_) => "Oppose",
        })
    }
}

/// The result, in weights over one total.
#[derive(Debug)]
pub struct Tally<W> {
    /// The final state, or the pairs won and drawn, with its weight.
    pub(crate) found: Vec<([u32; 2], W)>,
    pub(crate) total: W,
    pub(crate) roundings: Roundings,
    /// The products so far, those of earlier passes included.
    products: u128,
}

/// Answers in the narrowest integers that can hold the total.
///
/// Like [`float`], this is not generic over the evaluator, so that it is compiled with this crate
/// and not with each evaluator.
pub(crate) fn exact(plan: &Plan<BigUint>, task: Task<'_>) -> Result<Tally<BigUint>, Error> {
    let total = plan.rolls();
    match total.bits() {
        0..=64 => tally::<u64>(plan, task, total),
        65..=128 => tally::<u128>(plan, task, total),
        129..=256 => tally::<Words<4>>(plan, task, total),
        257..=384 => tally::<Words<6>>(plan, task, total),
        385..=576 => tally::<Words<9>>(plan, task, total),
        577..=768 => tally::<Words<12>>(plan, task, total),
        769..=1024 => tally::<Words<16>>(plan, task, total),
        _ => tally::<BigUint>(plan, task, total),
    }
}

/// Answers in probabilities.
pub(crate) fn float(plan: &Plan<f64>, task: Task<'_>) -> Result<Tally<f64>, Error> {
    tally::<Counted>(plan, task, 1.0)
}

fn tally<V: Number>(
    plan: &Plan<V::Weight>,
    task: Task<'_>,
    total: V::Weight,
) -> Result<Tally<V::Weight>, Error> {
    let (counted, products) = match task {
        Task::Read(reading) => scan::read::<V>(plan, reading, total.words(1))?,
        Task::Oppose(ties) => (opposed::oppose::<V>(plan, ties, total.words(1))?, 0),
    };
    let mut roundings = Roundings::default();
    let weigh = |(state, ways): ([u32; 2], V)| {
        roundings.weights = roundings.weights.max(ways.roundings());
        (state, ways.into_weight())
    };
    Ok(Tally {
        found: counted.into_iter().map(weigh).collect(),
        total,
        roundings,
        products,
    })
}

/// Reads pools by an evaluator. Several passes share one limit on their work by sharing `products`,
/// the work so far.
pub(crate) fn evaluate<T: Ord + Clone, W: Weight, E: Evaluator<T>>(
    pools: &[&Pool<T, W>],
    evaluator: &E,
    limit: u64,
    products: &mut u128,
) -> Result<Dist<E::Outcome, W>, Error> {
    let faces = plan::faces(pools);
    let plan = Plan::new(pools, &faces, evaluator.order(), limit, *products)?;
    let held = evaluator.state_words(counted(pools));
    check_words(|| "a single roll as a state".to_owned(), held.into(), limit)?;
    let mut reader = Reader {
        state_words: size_of::<E::State>().div_ceil(8) as u128 + u128::from(held),
        evaluator,
        faces: &faces,
        face: 0,
        before: IndexSet::default(),
        after: IndexSet::from_iter([evaluator.start()]),
    };
    let tally = W::tally(&plan, Task::Read(&mut reader))?;
    *products = tally.products;
    let outcome = |([state, _], weight): ([u32; 2], W)| {
        (evaluator.finish(&reader.after[state as usize]), weight)
    };
    let pairs = tally.found.into_iter().map(outcome).collect();
    Dist::gather(pairs, tally.total, tally.roundings)
}

/// The absolute values of all multiplicities together, which fit where a plan was made.
fn counted<T: Ord + Clone, W: Weight>(pools: &[&Pool<T, W>]) -> u64 {
    let runs = pools.iter().flat_map(|pool| pool.runs());
    runs.map(|run| run.dice.saturating_mul(run.multiplicity.unsigned_abs()))
        .fold(0, u64::saturating_add)
}

/// Compares two pools rank by rank, highest first. Each must have equal dice or be a deck, and its
/// positions must count once from the highest down or not at all. `None` for other pools.
pub(crate) fn oppose<T: Ord + Clone, W: Weight>(
    attack: &Pool<T, W>,
    defence: &Pool<T, W>,
    ties: TieTo,
    limit: u64,
) -> Result<Option<Tally<W>>, Error> {
    let pools = [attack, defence];
    let faces = plan::faces(&pools);
    let plan = Plan::new(&pools, &faces, Order::Descending, limit, 0)?;
    if !opposed::fits(&plan) {
        return Ok(None);
    }
    W::tally(&plan, Task::Oppose(ties)).map(Some)
}

/// The states of an evaluator, numbered.
struct Reader<'a, T, E: Evaluator<T>> {
    evaluator: &'a E,
    state_words: u128,
    faces: &'a [&'a T],
    face: usize,
    /// The states before the current face, and after it.
    before: IndexSet<E::State, FxBuildHasher>,
    after: IndexSet<E::State, FxBuildHasher>,
}

impl<T, E: Evaluator<T>> Reading for Reader<'_, T, E> {
    fn turn(&mut self, face: usize) {
        self.face = face;
        std::mem::swap(&mut self.before, &mut self.after);
        self.after.clear();
    }

    fn next(&mut self, state: u32, counts: &[i64]) -> u32 {
        let state = &self.before[state as usize];
        let next = self.evaluator.next(state, self.faces[self.face], counts);
        self.after.insert_full(next).0 as u32
    }

    fn states(&self) -> usize {
        self.after.len()
    }

    fn state_words(&self) -> u128 {
        self.state_words
    }
}
