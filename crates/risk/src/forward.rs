//! Where a battle leads: probability pushed from the start to the ends.

use num_bigint::BigUint;
use num_traits::Zero;
use oddsmith_dice::{Dist, Weight};

use crate::chain::Chain;
use crate::radix::{Exact, Radix};
use crate::rows::{Size, gamma, rolling};
use crate::stop_rule::Frontier;
use crate::{Error, Forces};

/// The amounts that are pushed: probabilities, in floats or in fractions.
pub(crate) trait Amounts {
    type Amount: Clone + Default;

    fn one(&self) -> Self::Amount;

    fn is_zero(&self, amount: &Self::Amount) -> bool;

    fn add(&self, sum: &mut Self::Amount, amount: &Self::Amount);

    /// `sum += P(outcome of throw) × amount`.
    fn add_product(
        &self,
        sum: &mut Self::Amount,
        throw: usize,
        outcome: usize,
        amount: &Self::Amount,
    );
}

/// Amounts that make up a distribution.
pub(crate) trait Probabilities: Amounts {
    type Weight: Weight;

    fn law<T: Ord>(&self, parts: Vec<(T, Self::Amount)>) -> Result<Dist<T, Self::Weight>, Error>;
}

/// Floats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floats<'a>(pub(crate) &'a Chain);

impl Amounts for Floats<'_> {
    type Amount = f64;

    fn one(&self) -> f64 {
        1.0
    }

    #[inline]
    fn is_zero(&self, &amount: &f64) -> bool {
        amount == 0.0
    }

    fn add(&self, sum: &mut f64, amount: &f64) {
        *sum += amount;
    }

    #[inline]
    fn add_product(&self, sum: &mut f64, throw: usize, outcome: usize, amount: &f64) {
        *sum += self.0.throws()[throw].list[outcome].chance * amount;
    }
}

impl Probabilities for Floats<'_> {
    type Weight = f64;

    fn law<T: Ord>(&self, parts: Vec<(T, f64)>) -> Result<Dist<T, f64>, Error> {
        Ok(Dist::from_float_weights(parts)?)
    }
}

impl Amounts for Radix {
    type Amount = Exact;

    fn one(&self) -> Exact {
        Exact {
            count: 1_u8.into(),
            ..Exact::default()
        }
    }

    fn is_zero(&self, amount: &Exact) -> bool {
        amount.count.is_zero()
    }

    fn add(&self, sum: &mut Exact, amount: &Exact) {
        Radix::add(self, sum, amount);
    }

    fn add_product(&self, sum: &mut Exact, throw: usize, outcome: usize, amount: &Exact) {
        Radix::add_product(self, sum, throw, outcome, amount);
    }
}

impl Probabilities for Radix {
    type Weight = BigUint;

    fn law<T: Ord>(&self, parts: Vec<(T, Exact)>) -> Result<Dist<T>, Error> {
        let (over, total) = self.common(parts.iter().map(|(_, amount)| amount));
        let parts = parts.into_iter().map(|(outcome, amount)| {
            let count = self.count_over(&amount, over);
            (outcome, count)
        });
        Ok(Dist::from_parts(parts, total)?.lowest_terms())
    }
}

/// Amounts by the number of throws so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted<'a, P>(pub(crate) &'a P);

/// From `first` throws on.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByThrows<A> {
    pub(crate) first: usize,
    pub(crate) amounts: Vec<A>,
}

impl<P: Amounts> Amounts for Counted<'_, P> {
    type Amount = ByThrows<P::Amount>;

    fn one(&self) -> Self::Amount {
        ByThrows {
            first: 0,
            amounts: vec![self.0.one()],
        }
    }

    fn is_zero(&self, amount: &Self::Amount) -> bool {
        amount.amounts.is_empty()
    }

    fn add(&self, sum: &mut Self::Amount, amount: &Self::Amount) {
        let sums = sum.reserve(amount.first, amount.amounts.len());
        for (sum, amount) in sums.iter_mut().zip(&amount.amounts) {
            self.0.add(sum, amount);
        }
    }

    fn add_product(
        &self,
        sum: &mut Self::Amount,
        throw: usize,
        outcome: usize,
        amount: &Self::Amount,
    ) {
        // One more throw.
        let sums = sum.reserve(amount.first + 1, amount.amounts.len());
        for (sum, amount) in sums.iter_mut().zip(&amount.amounts) {
            self.0.add_product(sum, throw, outcome, amount);
        }
    }
}

impl<A: Clone + Default> ByThrows<A> {
    /// Returns the amounts of these numbers of throws.
    fn reserve(&mut self, first: usize, count: usize) -> &mut [A] {
        if self.amounts.is_empty() {
            self.first = first;
        }
        if first < self.first {
            let missing = std::iter::repeat_with(A::default).take(self.first - first);
            self.amounts.splice(0..0, missing);
            self.first = first;
        }
        let end = first + count - self.first;
        if end > self.amounts.len() {
            self.amounts.resize(end, A::default());
        }
        &mut self.amounts[first - self.first..end]
    }
}

/// Passes every end that is reached to `end`, with its amount.
///
/// It goes through one row of attackers after another, downwards, and keeps the rows that a throw
/// may reach.
pub(crate) fn push<P: Amounts>(
    amounts: &P,
    chain: &Chain,
    frontier: &Frontier,
    size: Size,
    end: impl FnMut(Forces, P::Amount),
) -> Result<(), Error> {
    let mut start = Some(amounts.one());
    let start = |attackers| match attackers == size.attackers {
        true => start.take().unwrap_or_default(),
        false => P::Amount::default(),
    };
    push_from(amounts, chain, frontier, size, start, end)
}

/// Does the same as [`push`] from several forces at once: all defenders, and every number of
/// attackers for which `start` has an amount. These are requested from the largest downwards.
pub(crate) fn push_from<P: Amounts>(
    amounts: &P,
    chain: &Chain,
    frontier: &Frontier,
    size: Size,
    mut start: impl FnMut(u32) -> P::Amount,
    mut end: impl FnMut(Forces, P::Amount),
) -> Result<(), Error> {
    let mut rows = rolling(chain, size, P::Amount::default())?;
    for attackers in (0..=size.attackers).rev() {
        let begins = start(attackers);
        if !amounts.is_zero(&begins) {
            amounts.add(&mut rows[0][size.defenders as usize], &begins);
        }
        for cell in (0..size.stride()).rev() {
            let amount = std::mem::take(&mut rows[0][cell]);
            if amounts.is_zero(&amount) {
                continue;
            }
            let defenders = cell as u32;
            if attackers == 0 || defenders == 0 || frontier.stops(attackers, defenders) {
                let forces = Forces {
                    attackers,
                    defenders,
                };
                end(forces, amount);
                continue;
            }
            let throw = chain.number(attackers, defenders);
            for (number, outcome) in chain.throws()[throw].list.iter().enumerate() {
                let (lost, won) = (outcome.attackers as usize, outcome.defenders as usize);
                amounts.add_product(&mut rows[lost][cell - won], throw, number, &amount);
            }
        }
        rows.rotate_left(1);
    }
    Ok(())
}

/// Returns a bound on the relative error of an amount pushed in floats.
pub(crate) fn relative_error(chain: &Chain, size: Size) -> f64 {
    gamma(roundings(chain, size))
}

/// Returns a bound on the number of roundings behind an amount pushed in floats.
///
/// The amount of a state is a sum over all outcomes of all kinds of throws that may lead there,
/// with at most that many additions, and each term is rounded twice. Each throw costs at least one
/// unit.
pub(crate) fn roundings(chain: &Chain, size: Size) -> f64 {
    let pairs = chain.throws().iter().map(|throw| throw.pairs());
    let mut kinds: Vec<u32> = pairs.collect();
    kinds.sort_unstable();
    kinds.dedup();
    let terms: f64 = kinds.iter().map(|&pairs| f64::from(pairs) + 1.0).sum();
    let units = f64::from(size.attackers) + f64::from(size.defenders);
    units * (terms + 2.0)
}
