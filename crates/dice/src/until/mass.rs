//! Amounts that flow through a chain: probabilities and expected visits, exact or float.
//!
//! In exact chains, an amount is an integer over a product of *atoms*: totals of rows and
//! determinants of cyclic blocks. The product is stored as a list of exponents. To add two amounts,
//! each atom takes the larger of its two exponents, so no gcd is needed anywhere. A chain of d6 has
//! the single atom 6, and its denominators are 6, 36, 216, … One denominator for the whole chain
//! would grow with the number of states instead of the number of steps.

use crate::linear::{Direction, FloatSystem, Limits, System};
use crate::reduce::{gcd, reduce};
use crate::{Error, Weight};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// The operations for one term of a sum, in addition to its arithmetic.
const TERM: u128 = 48;

/// The states of a cycle and the transitions between them, without self-loops.
#[derive(Debug)]
pub struct Block<W> {
    /// For each state, the other states it leads to in ascending order, with the weights.
    pub(super) rows: Vec<Vec<(u32, W)>>,
    /// The weight with which each state leaves the block.
    pub(super) exits: Vec<W>,
    /// The roundings in each of these weights.
    pub(super) roundings: u64,
}

/// The operations that amounts in a chain need of a [`Weight`].
///
/// This is public only because [`Weight`] is. It is sealed with it, and not named outside the
/// crate.
pub trait Flow: Sized {
    /// An amount.
    type Mass: Clone + Debug;
    /// The shared data of amounts, and their total size so far.
    type Ledger: Debug;

    /// Creates a ledger that refuses more than `limit` words.
    fn ledger(limit: u64) -> Self::Ledger;
    /// The amount one.
    fn whole() -> Self::Mass;
    /// Σ amount · weight; the third component of a term counts the roundings of the weight.
    fn inflow(
        ledger: &mut Self::Ledger,
        terms: &[(&Self::Mass, &Self, u64)],
    ) -> Result<Self::Mass, Error>;
    /// amount / whole.
    fn share(
        ledger: &mut Self::Ledger,
        mass: &Self::Mass,
        whole: &Self,
        roundings: u64,
    ) -> Self::Mass;
    /// amount · whole, the inverse of [`share`](Self::share).
    fn unshare(
        ledger: &Self::Ledger,
        mass: &Self::Mass,
        whole: &Self,
        roundings: u64,
    ) -> Self::Mass;
    /// The visits to the states of a block, each over the state's total, given the inflow from
    /// outside.
    fn block(
        ledger: &mut Self::Ledger,
        block: Block<Self>,
        inflow: &[Self::Mass],
    ) -> Result<Vec<Self::Mass>, Error>;
    /// Divides weights by their common divisor and returns it.
    fn simplify(row: &mut [(u32, Self)], exit: &mut Self) -> Option<Self>;
    /// The sum of amounts.
    fn total(ledger: &Self::Ledger, masses: Vec<Self::Mass>) -> Self::Mass;
    /// The amounts as weights over one total, and the roundings in each weight.
    fn level(
        ledger: &mut Self::Ledger,
        masses: Vec<Self::Mass>,
    ) -> Result<(Vec<Self>, Self, u64), Error>;
    /// The amount as a number.
    fn number(ledger: &Self::Ledger, mass: &Self::Mass) -> <Self as Weight>::Ratio
    where
        Self: Weight;
    /// The number of roundings in the amount.
    fn roundings(mass: &Self::Mass) -> u64;
}

/// A whole number over a product of atoms.
#[derive(Clone, Debug)]
pub struct Fraction {
    numerator: BigUint,
    /// The atoms in ascending order, with their exponents.
    denominator: Denominator,
}

type Denominator = Vec<(u32, u32)>;

/// The atoms of denominators.
#[derive(Debug)]
pub struct Atoms {
    values: Vec<BigUint>,
    ids: FxHashMap<BigUint, u32>,
    words: u128,
    operations: u128,
    limit: u64,
}

impl Atoms {
    fn id(&mut self, value: &BigUint) -> u32 {
        if let Some(&id) = self.ids.get(value) {
            return id;
        }
        let id = self.values.len() as u32;
        self.values.push(value.clone());
        self.ids.insert(value.clone(), id);
        id
    }

    fn divided(&mut self, denominator: &Denominator, by: &BigUint) -> Denominator {
        let mut divided = denominator.clone();
        if !by.is_one() {
            let id = self.id(by);
            match divided.binary_search_by_key(&id, |factor| factor.0) {
                Ok(at) => divided[at].1 += 1,
                Err(at) => divided.insert(at, (id, 1)),
            }
        }
        divided
    }

    /// The factor by which `own` must be multiplied to reach `common`, which must be a multiple of
    /// it.
    fn missing(&self, common: &Denominator, own: &Denominator) -> Option<BigUint> {
        let mut own = own.iter().peekable();
        let mut product: Option<BigUint> = None;
        for &(id, exponent) in common {
            let has = own.next_if(|factor| factor.0 == id);
            let more = exponent - has.map_or(0, |factor| factor.1);
            if more > 0 {
                let factor = self.values[id as usize].pow(more);
                product = Some(match product {
                    Some(product) => product * factor,
                    None => factor,
                });
            }
        }
        product
    }

    fn raise(&self, common: &Denominator, mass: &Fraction) -> BigUint {
        match self.missing(common, &mass.denominator) {
            Some(factor) => &mass.numerator * factor,
            None => mass.numerator.clone(),
        }
    }

    fn value(&self, denominator: &Denominator) -> BigUint {
        self.missing(denominator, &Vec::new())
            .unwrap_or_else(BigUint::one)
    }

    /// Accounts for amounts over this denominator before they are computed, each as a sum of this
    /// many terms.
    fn charge(
        &mut self,
        denominator: &Denominator,
        amounts: usize,
        terms: usize,
    ) -> Result<(), Error> {
        let bits = |&(id, exponent): &(u32, u32)| {
            self.values[id as usize].bits() as u128 * u128::from(exponent)
        };
        let bits: u128 = denominator.iter().map(bits).sum();
        let words = bits / 64 + 1 + denominator.len() as u128;
        self.words += words * amounts as u128;
        // A term is raised to the common denominator, multiplied and added.
        self.operations += (4 * words + TERM) * amounts as u128 * terms as u128;
        within(self.words, self.limit)?;
        in_time(flowing, self.operations, self.limit)
    }
}

fn flowing() -> String {
    "the flow through the chain as far as it was followed".to_owned()
}

fn within(words: u128, limit: u64) -> Result<(), Error> {
    Limits::words(limit).check_words(flowing, words)
}

/// Refuses an operation that takes much longer than filling the allowed memory: a state with many
/// transitions into it stores one amount, but sums all of them.
pub(super) fn in_time(
    operation: impl FnOnce() -> String,
    operations: u128,
    limit: u64,
) -> Result<(), Error> {
    Limits::words(limit).check_time(operation, operations)
}

fn join(common: &mut Denominator, other: &Denominator) {
    if common == other {
        return;
    }
    let mut joined = Vec::with_capacity(common.len().max(other.len()));
    let (mut left, mut right) = (common.iter().peekable(), other.iter().peekable());
    loop {
        let next = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) => a.0.min(b.0),
            (Some(a), None) => a.0,
            (None, Some(b)) => b.0,
            (None, None) => break,
        };
        let a = left.next_if(|factor| factor.0 == next).map_or(0, |f| f.1);
        let b = right.next_if(|factor| factor.0 == next).map_or(0, |f| f.1);
        joined.push((next, a.max(b)));
    }
    *common = joined;
}

fn joined<'a>(masses: impl IntoIterator<Item = &'a Fraction>) -> Denominator {
    let mut common = Denominator::new();
    for mass in masses {
        join(&mut common, &mass.denominator);
    }
    common
}

impl Flow for BigUint {
    type Mass = Fraction;
    type Ledger = Atoms;

    fn ledger(limit: u64) -> Atoms {
        Atoms {
            values: Vec::new(),
            ids: FxHashMap::default(),
            words: 0,
            operations: 0,
            limit,
        }
    }

    fn whole() -> Fraction {
        Fraction {
            numerator: One::one(),
            denominator: Vec::new(),
        }
    }

    fn inflow(ledger: &mut Atoms, terms: &[(&Fraction, &Self, u64)]) -> Result<Fraction, Error> {
        let denominator = joined(terms.iter().map(|term| term.0));
        ledger.charge(&denominator, 1, terms.len())?;
        let mut numerator = BigUint::zero();
        if let [(atom, _)] = denominator[..] {
            // By Horner's rule, since raising each term separately would take a power for each.
            let exponent = |mass: &Fraction| mass.denominator.first().map_or(0, |f| f.1);
            let mut sorted: Vec<_> = terms.iter().map(|t| (exponent(t.0), t.0, t.1)).collect();
            sorted.sort_by_key(|term| term.0);
            let mut reached = 0;
            for (exponent, mass, weight) in sorted {
                if exponent > reached && !numerator.is_zero() {
                    numerator *= ledger.values[atom as usize].pow(exponent - reached);
                }
                reached = exponent;
                if weight.is_one() {
                    numerator += &mass.numerator;
                } else {
                    numerator += &mass.numerator * weight;
                }
            }
            return Ok(Fraction {
                numerator,
                denominator,
            });
        }
        for (mass, weight, _) in terms {
            match ledger.missing(&denominator, &mass.denominator) {
                // The two short factors first, so that there is one pass over the long one.
                Some(factor) => numerator += &mass.numerator * (factor * *weight),
                None if weight.is_one() => numerator += &mass.numerator,
                None => numerator += &mass.numerator * *weight,
            }
        }
        Ok(Fraction {
            numerator,
            denominator,
        })
    }

    fn share(ledger: &mut Atoms, mass: &Fraction, whole: &Self, _: u64) -> Fraction {
        Fraction {
            numerator: mass.numerator.clone(),
            denominator: ledger.divided(&mass.denominator, whole),
        }
    }

    fn unshare(ledger: &Atoms, mass: &Fraction, whole: &Self, _: u64) -> Fraction {
        let mut mass = mass.clone();
        let id = ledger.ids.get(whole);
        let known = id.map(|id| mass.denominator.binary_search_by_key(id, |f| f.0));
        if let Some(Ok(at)) = known {
            mass.denominator[at].1 -= 1;
            mass.denominator.retain(|factor| factor.1 > 0);
        } else {
            mass.numerator *= whole;
        }
        mass
    }

    fn block(
        ledger: &mut Atoms,
        block: Block<Self>,
        inflow: &[Fraction],
    ) -> Result<Vec<Fraction>, Error> {
        let system = System::new(block.rows, block.exits)?;
        let common = joined(inflow);
        ledger.words += system.denominator_words() * inflow.len() as u128;
        ledger.charge(&common, inflow.len(), 1)?;
        ledger.operations += system.operations();
        let cycle = || format!("the visits to a cycle of {} states", inflow.len());
        in_time(cycle, ledger.operations, ledger.limit)?;
        let raise = |mass| BigInt::from(ledger.raise(&common, mass));
        let source: Vec<BigInt> = inflow.iter().map(raise).collect();
        let limits = Limits::words(ledger.limit);
        let mut go_on = || ControlFlow::Continue(());
        let solved = system.solve_within(Direction::Forward, &source, limits, &mut go_on)?;
        let (numerators, determinant) = solved.into_parts();
        let denominator = ledger.divided(&common, &determinant);
        let fraction = |numerator: BigInt| Fraction {
            // No inflow is negative.
            numerator: numerator.into_parts().1,
            denominator: denominator.clone(),
        };
        Ok(numerators.into_iter().map(fraction).collect())
    }

    fn simplify(row: &mut [(u32, Self)], exit: &mut Self) -> Option<Self> {
        // Smaller pivots leave fewer digits to compute.
        let mut common = exit.clone();
        for (_, weight) in row.iter() {
            if common.is_one() {
                return None;
            }
            common = gcd(&common, weight);
        }
        if common.is_one() || common.is_zero() {
            return None;
        }
        row.iter_mut().for_each(|way| way.1 /= &common);
        *exit /= &common;
        Some(common)
    }

    fn total(ledger: &Atoms, mut masses: Vec<Fraction>) -> Fraction {
        // Neighbours first, since their denominators are similar, and long factors then come last.
        while masses.len() > 1 {
            masses = masses
                .chunks(2)
                .map(|pair| {
                    let denominator = joined(pair);
                    let raised = pair.iter().map(|mass| ledger.raise(&denominator, mass));
                    Fraction {
                        numerator: raised.sum(),
                        denominator,
                    }
                })
                .collect();
        }
        masses.pop().unwrap_or(Fraction {
            numerator: Zero::zero(),
            denominator: Vec::new(),
        })
    }

    fn level(ledger: &mut Atoms, masses: Vec<Fraction>) -> Result<(Vec<Self>, Self, u64), Error> {
        let common = joined(&masses);
        // Outcomes that are reached early in a deep chain are short until they are brought over the
        // denominator of the last.
        ledger.charge(&common, masses.len(), 1)?;
        let weights = masses.iter().map(|mass| ledger.raise(&common, mass));
        Ok((weights.collect(), ledger.value(&common), 0))
    }

    fn number(ledger: &Atoms, mass: &Fraction) -> <Self as Weight>::Ratio {
        reduce(
            mass.numerator.clone().into(),
            &ledger.value(&mass.denominator),
        )
    }

    fn roundings(_: &Fraction) -> u64 {
        0
    }
}

/// A double and the number of its roundings.
#[derive(Clone, Copy, Debug)]
pub struct Rounded {
    value: f64,
    roundings: u64,
}

/// The number of doubles that a float chain has used.
#[derive(Debug)]
pub struct Meter {
    words: u128,
    operations: u128,
    limit: u64,
}

impl Flow for f64 {
    type Mass = Rounded;
    type Ledger = Meter;

    fn ledger(limit: u64) -> Meter {
        Meter {
            words: 0,
            operations: 0,
            limit,
        }
    }

    fn whole() -> Rounded {
        Rounded {
            value: 1.0,
            roundings: 0,
        }
    }

    fn inflow(ledger: &mut Meter, terms: &[(&Rounded, &Self, u64)]) -> Result<Rounded, Error> {
        ledger.words += 1;
        ledger.operations += TERM * terms.len() as u128;
        within(ledger.words, ledger.limit)?;
        in_time(flowing, ledger.operations, ledger.limit)?;
        let (mut value, mut roundings) = (0.0, 0u64);
        for (mass, weight, counted) in terms {
            value += mass.value * *weight;
            roundings = roundings.max(mass.roundings.saturating_add(*counted).saturating_add(1));
        }
        Ok(Rounded {
            value,
            roundings: roundings.saturating_add(terms.len().saturating_sub(1) as u64),
        })
    }

    fn share(_: &mut Meter, mass: &Rounded, whole: &Self, roundings: u64) -> Rounded {
        Rounded {
            value: mass.value / whole,
            roundings: mass.roundings.saturating_add(roundings).saturating_add(1),
        }
    }

    fn unshare(_: &Meter, mass: &Rounded, whole: &Self, roundings: u64) -> Rounded {
        Rounded {
            value: mass.value * whole,
            roundings: mass.roundings.saturating_add(roundings).saturating_add(1),
        }
    }

    fn block(
        ledger: &mut Meter,
        block: Block<Self>,
        inflow: &[Rounded],
    ) -> Result<Vec<Rounded>, Error> {
        let states = inflow.len();
        let source: Vec<f64> = inflow.iter().map(|mass| mass.value).collect();
        let limits = Limits::words(ledger.limit);
        let mut go_on = || ControlFlow::Continue(());
        let solved = FloatSystem::new(block.rows, block.exits)?.solve_within(
            Direction::Forward,
            &source,
            limits,
            &mut go_on,
        )?;
        ledger.words += solved.words;
        ledger.operations += solved.operations;
        within(ledger.words, ledger.limit)?;
        in_time(flowing, ledger.operations, ledger.limit)?;
        let most = inflow.iter().map(|mass| mass.roundings).max().unwrap_or(0);
        // One rounding in every weight changes each visit by at most 2m roundings, for m states.
        let given = block.roundings.saturating_mul(2 * states as u64);
        let roundings = most
            .saturating_add(given)
            .saturating_add(solved.roundings());
        let visits = solved.into_numbers().into_iter();
        Ok(visits.map(|value| Rounded { value, roundings }).collect())
    }

    fn simplify(_: &mut [(u32, Self)], _: &mut Self) -> Option<Self> {
        None
    }

    fn total(_: &Meter, masses: Vec<Rounded>) -> Rounded {
        let most = masses.iter().map(|mass| mass.roundings).max().unwrap_or(0);
        Rounded {
            value: masses.iter().map(|mass| mass.value).sum(),
            roundings: most.saturating_add(masses.len() as u64),
        }
    }

    fn level(_: &mut Meter, masses: Vec<Rounded>) -> Result<(Vec<Self>, Self, u64), Error> {
        let most = masses.iter().map(|mass| mass.roundings).max().unwrap_or(0);
        let weights = masses.into_iter().map(|mass| mass.value);
        Ok((weights.collect(), 1.0, most))
    }

    fn number(_: &Meter, mass: &Rounded) -> f64 {
        mass.value
    }

    fn roundings(mass: &Rounded) -> u64 {
        mass.roundings
    }
}
