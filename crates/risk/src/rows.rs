//! Battles in floats, row by row of attackers.
//!
//! A throw leads to only a few rows below, so only those are kept. This is an alternative to the
//! general solver of `oddsmith-mdp`, against which it is tested: it knows where every outcome lies,
//! and keeps one number per state.

use crate::Error;
use crate::chain::{Chain, Outcomes};
use crate::stop_rule::Frontier;

/// The forces of the largest battle of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) attackers: u32,
    pub(crate) defenders: u32,
}

impl Size {
    pub(crate) fn new(attackers: u32, defenders: u32) -> Self {
        Size {
            attackers,
            defenders,
        }
    }

    /// Returns the number of entries in a row: for no defenders, one, two, and so on.
    pub(crate) fn stride(self) -> usize {
        self.defenders as usize + 1
    }

    /// Returns the number of entries in all rows. [`check`](Size::check) must have found it to be
    /// small enough.
    pub(crate) fn cells(self) -> usize {
        (self.attackers as usize + 1).saturating_mul(self.stride())
    }

    /// Returns the number of states.
    pub(crate) fn work(self) -> u128 {
        (u128::from(self.attackers) + 1) * (u128::from(self.defenders) + 1)
    }

    /// # Errors
    /// [`Error::BattleTooLarge`] if there are more states than allowed.
    pub(crate) fn check(self, what: &'static str, limit: u64) -> Result<(), Error> {
        self.check_work(what, self.work(), limit)
    }

    /// Does the same check if each state takes this many steps.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] beyond the limit.
    pub(crate) fn check_times(
        self,
        what: &'static str,
        steps: u128,
        limit: u64,
    ) -> Result<(), Error> {
        self.check_work(what, self.work().saturating_mul(steps), limit)
    }

    /// # Errors
    /// [`Error::BattleTooLarge`] beyond the limit.
    pub(crate) fn check_work(
        self,
        what: &'static str,
        work: u128,
        limit: u64,
    ) -> Result<(), Error> {
        match work <= u128::from(limit) && usize::try_from(self.work()).is_ok() {
            true => Ok(()),
            false => Err(Error::BattleTooLarge {
                what,
                attackers: self.attackers,
                defenders: self.defenders,
                work,
                limit,
            }),
        }
    }
}

/// Allocates memory for this many numbers, if there is any.
///
/// # Errors
/// [`Error::NoMemory`] if there is not enough.
pub(crate) fn reserved<T>(numbers: usize) -> Result<Vec<T>, Error> {
    let mut room = Vec::new();
    room.try_reserve_exact(numbers)
        .map_err(|_| Error::NoMemory {
            bytes: numbers as u128 * size_of::<T>() as u128,
        })?;
    Ok(room)
}

/// Allocates this many equal numbers.
///
/// # Errors
/// [`Error::NoMemory`] if there is not enough memory.
pub(crate) fn filled<T: Clone>(numbers: usize, with: T) -> Result<Vec<T>, Error> {
    let mut room = reserved(numbers)?;
    room.resize(numbers, with);
    Ok(room)
}

/// The limit on the memory of the rows of a sweep, or of the units of a march: a gigabyte.
const MOST_BYTES: u64 = 1 << 30;

/// Returns how many rows are kept during a sweep: those that a throw reaches.
///
/// # Errors
/// As for [`rolling`], which allocates them.
pub(crate) fn room<T>(chain: &Chain, size: Size) -> Result<usize, Error> {
    let kept = chain.reach().min(size.attackers as usize) + 1;
    let numbers = kept as u128 * (u128::from(size.defenders) + 1);
    check_bytes(size, numbers * size_of::<T>() as u128)?;
    Ok(kept)
}

/// # Errors
/// [`Error::RowsTooLarge`] for more than a gigabyte.
pub(crate) fn check_bytes(size: Size, bytes: u128) -> Result<(), Error> {
    match bytes <= u128::from(MOST_BYTES) {
        true => Ok(()),
        false => Err(Error::RowsTooLarge {
            attackers: size.attackers,
            defenders: size.defenders,
            bytes,
            limit: MOST_BYTES,
        }),
    }
}

/// Allocates these rows.
///
/// # Errors
/// [`Error::RowsTooLarge`] for more than a gigabyte. The limit on steps does not bound this: one
/// attacker against very many defenders takes few steps, but long rows. [`Error::NoMemory`] if
/// there is not enough memory.
pub(crate) fn rolling<T: Clone>(chain: &Chain, size: Size, with: T) -> Result<Vec<Vec<T>>, Error> {
    (0..room::<T>(chain, size)?)
        .map(|_| filled(size.stride(), with.clone()))
        .collect()
}

/// Returns the value at the end of a battle if only victory counts.
pub(crate) fn won(_: u32, defenders: u32) -> f64 {
    f64::from(u8::from(defenders == 0))
}

/// Returns a bound on the relative error of a number of [`sweep`].
///
/// A throw of m pairs takes m + 1 products of a rounded chance and a number, and m additions: m + 2
/// ≤ 3m roundings, one more if throws are counted. All throws of a battle together compare fewer
/// pairs than there are units. By counting roundings (N. J. Higham, "Accuracy and Stability of
/// Numerical Algorithms", 2nd ed., lemma 3.1) the factor is 1 ± ku/(1 − ku), u = 2⁻⁵³, for k of
/// them.
pub(crate) fn relative_error(size: Size, roundings_a_unit: u32) -> f64 {
    let units = f64::from(size.attackers) + f64::from(size.defenders);
    gamma(units * f64::from(roundings_a_unit))
}

/// Returns ku/(1 − ku), rounded up; infinite if no bound is known.
pub(crate) fn gamma(roundings: f64) -> f64 {
    let ku = roundings * (f64::EPSILON / 2.0);
    match ku < 0.5 {
        true => ku / (1.0 - ku) * (1.0 + 4.0 * f64::EPSILON),
        false => f64::INFINITY,
    }
}

/// Passes each row of numbers to `each`, from zero attackers upwards, until it has seen enough. A
/// number is the value of a battle if its end is worth `end` and each throw before the end `step`.
pub(crate) fn sweep(
    chain: &Chain,
    frontier: &Frontier,
    size: Size,
    end: impl Fn(u32, u32) -> f64 + Copy,
    step: f64,
    mut each: impl FnMut(u32, &[f64]) -> bool,
) -> Result<(), Error> {
    let mut rows = rolling(chain, size, 0.0)?;
    for attackers in 0..=size.attackers {
        rows.rotate_right(1);
        let Some((row, below)) = rows.split_first_mut() else {
            break;
        };
        let below = |lost: usize| below[lost - 1].as_slice();
        Row {
            chain,
            frontier,
            end,
            step,
        }
        .fill(attackers, below, row);
        if !each(attackers, row) {
            break;
        }
    }
    Ok(())
}

/// Returns the number of the whole battle, which is the last one.
pub(crate) fn last(
    chain: &Chain,
    frontier: &Frontier,
    size: Size,
    end: impl Fn(u32, u32) -> f64 + Copy,
    step: f64,
) -> Result<f64, Error> {
    let mut last = 0.0;
    sweep(chain, frontier, size, end, step, |_, row| {
        last = row.last().copied().unwrap_or(0.0);
        true
    })?;
    Ok(last)
}

/// Returns all rows one after another, in one allocation.
pub(crate) fn table(
    chain: &Chain,
    frontier: &Frontier,
    size: Size,
    end: impl Fn(u32, u32) -> f64 + Copy,
    step: f64,
) -> Result<Vec<f64>, Error> {
    let stride = size.stride();
    let mut table = filled(size.cells(), 0.0)?;
    for attackers in 0..=size.attackers {
        let (done, rest) = table.split_at_mut(attackers as usize * stride);
        let below = |lost: usize| &done[(attackers as usize - lost) * stride..][..stride];
        Row {
            chain,
            frontier,
            end,
            step,
        }
        .fill(attackers, below, &mut rest[..stride]);
    }
    Ok(table)
}

/// Probabilities below 10⁻²⁸⁰ may be replaced by 0.
pub(crate) const NOTHING: f64 = 1e-280;

/// A block that begins below this is searched for such probabilities.
const HARDLY: f64 = 1e-200;

/// The number of columns between two such searches. Blocks begin at multiples of it, wherever the
/// row ends and the dice change, and whether one is searched depends on where it begins. So no
/// number depends on the size of a table.
const BLOCK: usize = 64;

/// How a row follows from those below.
struct Row<'a, E> {
    chain: &'a Chain,
    frontier: &'a Frontier,
    end: E,
    step: f64,
}

impl<E: Fn(u32, u32) -> f64> Row<'_, E> {
    /// `below` returns the rows of one attacker fewer, two fewer, and so on.
    fn fill<'b>(&self, attackers: u32, below: impl Fn(usize) -> &'b [f64], row: &mut [f64]) {
        row[0] = (self.end)(attackers, 0);
        if attackers == 0 || self.frontier.units_only() && self.frontier.stops(attackers, 0) {
            for (defenders, value) in (0..).zip(row).skip(1) {
                *value = (self.end)(attackers, defenders);
            }
            return;
        }
        // One by one while the throws change, and where odds have to be checked.
        let uneven = match self.frontier.units_only() {
            true => (self.chain.settled().1 as usize).min(row.len()),
            false => row.len(),
        };
        // From there on, the throw is always the same.
        let throw = self.chain.at(attackers, u32::MAX);
        for first in (0..row.len()).step_by(BLOCK) {
            let end = (first + BLOCK).min(row.len());
            let (first, even) = (first.max(1), uneven.clamp(first.max(1), end));
            self.uneven(attackers, first..even, &below, row);
            self.block(throw, even..end, &below, row);
            // Numbers below the normal range take a hundred times as long, and to look for the
            // smallest one of every block half as long again.
            if row[first..end].first().is_some_and(|&value| value < HARDLY) {
                for value in &mut row[first..end] {
                    *value = if *value < NOTHING { 0.0 } else { *value };
                }
            }
        }
    }

    /// Computes numbers one by one.
    fn uneven<'b>(
        &self,
        attackers: u32,
        columns: std::ops::Range<usize>,
        below: &impl Fn(usize) -> &'b [f64],
        row: &mut [f64],
    ) {
        for defenders in columns {
            row[defenders] = match self.frontier.stops(attackers, defenders as u32) {
                true => (self.end)(attackers, defenders as u32),
                false => {
                    let throw = self.chain.at(attackers, defenders as u32);
                    self.one(throw, defenders, below, row)
                }
            };
        }
    }

    /// Computes numbers that all follow from the same throw.
    fn block<'b>(
        &self,
        throw: &Outcomes,
        columns: std::ops::Range<usize>,
        below: &impl Fn(usize) -> &'b [f64],
        row: &mut [f64],
    ) {
        let (first, end) = (columns.start, columns.end);
        if columns.is_empty() {
            return;
        }
        if let Some([lost, won]) = throw.chances() {
            let below = &below(1)[columns.clone()];
            let mut left = row[first - 1];
            for (value, &fewer) in row[columns].iter_mut().zip(below) {
                left = self.step + (lost * fewer + won * left);
                *value = left;
            }
        } else if let Some([lost, even, won]) = throw.chances() {
            // A throw of two pairs occurs from two defenders on.
            let below_two = &below(2)[columns.clone()];
            let below_one = &below(1)[first - 1..end - 1];
            let (mut older, mut old) = (row[first - 2], row[first - 1]);
            for ((value, &two), &one) in row[columns].iter_mut().zip(below_two).zip(below_one) {
                let new = self.step + (lost * two + even * one + won * older);
                (older, old) = (old, new);
                *value = new;
            }
        } else {
            for defenders in columns {
                row[defenders] = self.one(throw, defenders, below, row);
            }
        }
    }

    fn one<'b>(
        &self,
        throw: &Outcomes,
        defenders: usize,
        below: &impl Fn(usize) -> &'b [f64],
        row: &[f64],
    ) -> f64 {
        let mut sum = 0.0;
        for outcome in &throw.list {
            let left = defenders - outcome.defenders as usize;
            let value = match outcome.attackers as usize {
                0 => row[left],
                lost => below(lost)[left],
            };
            sum += outcome.chance * value;
        }
        self.step + sum
    }
}
