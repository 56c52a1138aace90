//! Exact values of games with cycles.

use std::cmp::Ordering;
use std::convert::Infallible;

use indexmap::IndexSet;
use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use oddsmith_dice::linear::{Direction, Solution, System};
use rustc_hash::FxBuildHasher;

use super::Cycle;
use super::bounds::{Bounds, pulse};
use super::improve::{Improvement, gains};
use super::quotient::Quotient;
use crate::model::Model;
use crate::number::{Mass, Store, Unheld, Verdict, cover, fits, share};
use crate::odds::{Amount, Odds};
use crate::progress::Observer;
use crate::reward::Reward;
use crate::tolerance::Rule;
use crate::{Error, Game, Player, Score, Tolerance};

/// Numerators over denominators that many states share: those of one cycle have the determinant of
/// its equations in common.
#[derive(Debug)]
pub struct Fractions {
    numerators: Vec<BigInt>,
    /// The denominator of each numerator.
    denominator: Vec<u32>,
    denominators: IndexSet<BigUint, FxBuildHasher>,
    /// The size of the values and its limit, in bytes.
    bytes: u128,
    max_bytes: u128,
}

/// A value that is being computed.
#[derive(Clone, Debug)]
pub struct Fraction {
    numerator: BigInt,
    denominator: BigUint,
}

impl Fraction {
    /// Returns self − other, over the product of both denominators.
    fn over(&self, other: &Fraction) -> (BigInt, BigUint) {
        let gap = &self.numerator * signed(&other.denominator)
            - &other.numerator * signed(&self.denominator);
        (gap, &self.denominator * &other.denominator)
    }

    fn compare(&self, other: &Fraction) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        (&self.numerator * signed(&other.denominator))
            .cmp(&(&other.numerator * signed(&self.denominator)))
    }
}

fn signed(number: &BigUint) -> BigInt {
    BigInt::from_biguint(Sign::Plus, number.clone())
}

fn times(number: &BigInt, weight: Amount<'_>) -> BigInt {
    match weight {
        Amount::Small(weight) => number * weight,
        Amount::Big(weight) => number * signed(weight),
    }
}

/// Returns the size of a number, including its slot.
fn size(number: &BigInt) -> u128 {
    u128::from(number.bits()) / 8 + SLOT
}

/// What takes the memory.
const EXACT_VALUES: &str = "their exact values";

/// The size of a numerator in bytes without its digits.
const SLOT: u128 = 40;

impl Fractions {
    fn share(&self, number: u32) -> &BigUint {
        &self.denominators[self.denominator[number as usize] as usize]
    }

    fn set(&mut self, number: usize, numerator: BigInt, denominator: BigUint) {
        self.bytes += size(&numerator);
        let (id, new) = self.denominators.insert_full(denominator);
        if new {
            self.bytes += u128::from(self.denominators[id].bits()) / 8 + SLOT;
        }
        self.numerators[number] = numerator;
        self.denominator[number] = id as u32;
    }

    /// Returns an approximation by the nearest float or one close to it.
    fn float(&self, number: u32) -> f64 {
        let numerator = &self.numerators[number as usize];
        let size = <f64 as Mass>::quotient(numerator.magnitude(), self.share(number));
        if numerator.is_negative() { -size } else { size }
    }

    /// Returns the least common denominator of some states.
    fn common(&self, numbers: impl Iterator<Item = u32>) -> BigUint {
        let Ok(common) = self.common_within(numbers, |_| Ok::<(), Infallible>(()));
        common
    }

    /// Does the same, and has the result checked as it grows.
    fn common_within<E>(
        &self,
        numbers: impl Iterator<Item = u32>,
        mut check: impl FnMut(&BigUint) -> Result<(), E>,
    ) -> Result<BigUint, E> {
        let mut ids: Vec<u32> = numbers.map(|n| self.denominator[n as usize]).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut common = BigUint::one();
        for id in ids {
            let denominator = &self.denominators[id as usize];
            cover(&mut common, denominator);
            check(&common)?;
        }
        Ok(common)
    }
}

impl Store for Fractions {
    type Slot = Fraction;
    type Value = BigRational;
    type Mass = BigUint;
    const CYCLES: bool = true;

    fn prepare<G: Game + ?Sized, M: Model<G>>(
        _: &G,
        model: &M,
        max_bytes: u128,
        _: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        let bytes = model.len() as u128 * (SLOT + 8);
        if bytes > max_bytes || !fits(bytes) {
            return Err(Error::TooMuchMemory {
                what: EXACT_VALUES,
                states: model.len(),
                needed: bytes,
                limit: max_bytes,
            });
        }
        Ok(Fractions {
            numerators: vec![BigInt::zero(); model.len()],
            denominator: vec![0; model.len()],
            denominators: std::iter::once(BigUint::one()).collect(),
            bytes: 0,
            max_bytes,
        })
    }

    fn slot(&self) -> Fraction {
        Fraction {
            numerator: BigInt::zero(),
            denominator: BigUint::one(),
        }
    }

    fn appraise(
        &self,
        _: usize,
        targets: &[u32],
        odds: &Odds<'_>,
        slot: &mut Fraction,
    ) -> Result<(), Unheld> {
        if self.bytes > self.max_bytes {
            return Err(Unheld::Full {
                what: EXACT_VALUES,
                states: self.numerators.len(),
                needed: self.bytes,
                limit: self.max_bytes,
            });
        }
        let Some(&first) = targets.first() else {
            return Ok(());
        };
        if targets.len() == 1 {
            slot.numerator.clone_from(&self.numerators[first as usize]);
            slot.denominator.clone_from(self.share(first));
            return Ok(());
        }
        let id = self.denominator[first as usize];
        let alike = targets.iter().all(|&t| self.denominator[t as usize] == id);
        let mut sum = BigInt::zero();
        let common = if alike {
            for (outcome, &target) in targets.iter().enumerate() {
                sum += times(&self.numerators[target as usize], odds.weight(outcome));
            }
            self.share(first).clone()
        } else {
            let common = self.common(targets.iter().copied());
            for (outcome, &target) in targets.iter().enumerate() {
                let factor = signed(&(&common / self.share(target)));
                let raised = &self.numerators[target as usize] * factor;
                sum += times(&raised, odds.weight(outcome));
            }
            common
        };
        slot.numerator = sum;
        slot.denominator = match odds.leaving() {
            Amount::Small(leaving) => common * leaving,
            Amount::Big(leaving) => common * leaving,
        };
        Ok(())
    }

    fn pay(&self, reward: &Reward, odds: &Odds<'_>, slot: &mut Fraction) -> Result<(), Unheld> {
        let ratio = reward.score.to_ratio().ok_or(Unheld::Changed)?;
        let paid =
            ratio * BigRational::new(odds.total().to_big().into(), odds.leaving().to_big().into());
        let (numerator, denominator) = paid.into_raw();
        slot.numerator = &slot.numerator * &denominator + numerator * signed(&slot.denominator);
        slot.denominator *= denominator.magnitude();
        Ok(())
    }

    fn put_score(&mut self, number: usize, score: &Score) -> bool {
        let Some(ratio) = score.to_ratio() else {
            return false;
        };
        let (numerator, denominator) = ratio.into_raw();
        self.set(number, numerator, denominator.magnitude().clone());
        true
    }

    fn settle(&self, _: &mut Fraction) {}

    fn put(&mut self, number: usize, slot: &mut Fraction, _: Player, _: Verdict) {
        // The gcd of num-bigint takes a step for each bit.
        let size = <BigUint as oddsmith_dice::Weight>::ratio(
            slot.numerator.magnitude(),
            &slot.denominator,
        );
        let (numerator, denominator) = size.into_raw();
        let numerator = match slot.numerator.is_negative() {
            true => -numerator,
            false => numerator,
        };
        self.set(number, numerator, denominator.magnitude().clone());
    }

    fn doubt(&self, _: &mut Fraction, _: &Fraction) {}

    fn prefers(
        &self,
        candidate: &mut Fraction,
        incumbent: &mut Fraction,
        player: Player,
        tolerance: &Tolerance,
    ) -> (bool, bool) {
        let order = candidate.compare(incumbent);
        if player == Player::Min {
            return (order == Ordering::Less, true);
        }
        if order != Ordering::Greater {
            return (false, true);
        }
        let preferred = match tolerance.rule() {
            Rule::Strict => true,
            // c − i > (p/q) |i|
            Rule::Relative(p, q) => {
                let (gap, _) = candidate.over(incumbent);
                let size = incumbent.numerator.abs() * signed(&candidate.denominator);
                gap * q > size * p
            }
            // c − i > p/q
            Rule::Absolute(p, q) => {
                let (gap, common) = candidate.over(incumbent);
                gap * q > signed(&common) * p
            }
        };
        (preferred, true)
    }

    fn ties(&self, a: &Fraction, b: &Fraction) -> bool {
        a.compare(b) == Ordering::Equal
    }

    fn value(&self, slot: &Fraction) -> BigRational {
        BigRational::new(slot.numerator.clone(), signed(&slot.denominator))
    }

    fn value_of(&self, number: usize) -> BigRational {
        let denominator = signed(self.share(number as u32));
        BigRational::new(self.numerators[number].clone(), denominator)
    }

    fn error(&self, _: usize) -> f64 {
        0.0
    }

    fn whole(&self) -> BigUint {
        BigUint::one()
    }

    fn solve_cycle<G: Game + ?Sized, M: Model<G>>(
        &mut self,
        game: &G,
        model: &M,
        cycle: Cycle<'_, '_>,
    ) -> Result<(), Error> {
        let bounds = cycle.bounds(self.bytes);
        let quotient = Quotient::new(game, model, cycle.places.clone(), cycle.place_of)?;
        let mut pulse = pulse(cycle.observer, cycle.places.start, model.len());
        let solved = ExactCycle::new(self, &quotient, bounds)?.solve(self, bounds, &mut pulse)?;
        // States of one node have the same value, and each keeps a copy of it.
        let nodes = quotient.node.iter();
        let numerators = nodes.map(|&node| size(&solved.numerators[node as usize]));
        let denominator = u128::from(solved.denominator.bits()) / 8 + SLOT;
        let needed = self.bytes + denominator + numerators.sum::<u128>();
        if needed > self.max_bytes {
            return Err(Error::TooMuchMemory {
                what: EXACT_VALUES,
                states: model.len(),
                needed,
                limit: self.max_bytes,
            });
        }
        quotient.decide(|choice| solved.optimal[choice], cycle.decisions);
        for (place, &number) in quotient.states.iter().enumerate() {
            let numerator = solved.numerators[quotient.node[place] as usize].clone();
            self.set(number as usize, numerator, solved.denominator.clone());
        }
        Ok(())
    }
}

/// A cycle with its surroundings over one denominator, with the lowest value raised to zero.
struct ExactCycle<'q> {
    quotient: &'q Quotient<BigUint>,
    /// The common denominator of everything outside.
    common: BigUint,
    /// The lowest value outside, over this denominator.
    low: BigInt,
    /// What each choice gains from outside, relative to the lowest value, including its reward.
    gains: Vec<BigInt>,
}

struct Solved {
    numerators: Vec<BigInt>,
    denominator: BigUint,
    /// For each choice of the quotient, whether it is optimal.
    optimal: Vec<bool>,
}

impl<'q> ExactCycle<'q> {
    fn new(
        store: &Fractions,
        quotient: &'q Quotient<BigUint>,
        bounds: Bounds,
    ) -> Result<Self, Error> {
        let outer = || quotient.choices.iter().flat_map(|choice| &choice.outer);
        // Unrelated denominators multiply, so the product is checked before it is complete.
        let check = |common: &BigUint| {
            let needed = u128::from(common.bits()) / 8 * quotient.choices.len() as u128;
            bounds.check("what a cycle leads to", needed)
        };
        let mut common = store.common_within(outer().map(|way| way.0), check)?;
        let paid = quotient.choices.iter();
        let paid: Vec<Option<BigRational>> = paid
            .map(|choice| choice.paid.as_deref()?.0.score.to_ratio())
            .collect();
        for ratio in paid.iter().flatten() {
            let denominator = ratio.denom().magnitude();
            cover(&mut common, denominator);
            check(&common)?;
        }
        let raised = |number: u32| {
            let factor = &common / store.share(number);
            &store.numerators[number as usize] * signed(&factor)
        };
        let low = outer().map(|way| raised(way.0)).min().unwrap_or_default();
        let gains = quotient.choices.iter().zip(&paid).map(|(choice, paid)| {
            let ways = choice.outer.iter();
            let sum: BigInt = ways
                .map(|(number, weight)| signed(weight) * (raised(*number) - &low))
                .sum();
            match (&choice.paid, paid) {
                (Some(made), Some(ratio)) => {
                    let whole = ratio.numer() * (signed(&common) / ratio.denom());
                    sum + whole * signed(&made.1)
                }
                _ => sum,
            }
        });
        Ok(ExactCycle {
            gains: gains.collect(),
            quotient,
            common,
            low,
        })
    }

    fn solve(
        &self,
        store: &Fractions,
        bounds: Bounds,
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Solved, Error> {
        let mut policy = self.likely_policy(store, bounds, pulse)?;
        loop {
            let values = self.evaluate(&policy, bounds, pulse)?;
            let replied = self.improve(&mut policy, &values, Player::Min);
            if replied || self.improve(&mut policy, &values, Player::Max) {
                continue;
            }
            let mut optimal = vec![true; self.quotient.choices.len()];
            for node in 0..self.quotient.len() {
                let span = self.quotient.span(node);
                if span.len() > 1 {
                    for choice in span {
                        let (worth, own) = self.against(choice, node, &values);
                        optimal[choice] = worth == own;
                    }
                }
            }
            return Ok(self.finish(values, optimal));
        }
    }

    /// Returns decisions that are optimal unless rounding errors mislead the floats.
    fn likely_policy(
        &self,
        store: &Fractions,
        bounds: Bounds,
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Vec<u32>, Error> {
        let mut policy = self.quotient.ending_policy();
        if policy.len() == self.quotient.choices.len() {
            return Ok(policy);
        }
        let quotient = self.quotient.map(<f64 as Mass>::quotient, 1.0);
        let outer = quotient.choices.iter().flat_map(|choice| &choice.outer);
        let low = outer.fold(f64::INFINITY, |low, way| low.min(store.float(way.0)));
        let gains = gains(&quotient, |number| store.float(number) - low);
        let improvement = Improvement {
            quotient: &quotient,
            gains: &gains,
            player: &quotient.player,
            bounds,
        };
        improvement.run(&mut policy, true, pulse)?;
        // Floats may have rounded a small cost to zero.
        if !self.quotient.ends(&policy) {
            policy = self.quotient.ending_policy();
        }
        Ok(policy)
    }

    fn evaluate(
        &self,
        policy: &[u32],
        bounds: Bounds,
        pulse: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Solution, Error> {
        let made = |&choice: &u32| &self.quotient.choices[choice as usize];
        let rows = policy.iter().map(|c| made(c).inner.as_slice());
        let exits = policy
            .iter()
            .map(|c| made(c).outer.iter().map(|way| &way.1).sum());
        let system = System::new(rows.collect(), exits.collect())?;
        let gains = policy.iter().map(|&c| self.gains[c as usize].clone());
        let gains: Vec<BigInt> = gains.collect();
        bounds.within(pulse, |limits, hook| {
            system.solve_within(Direction::Backward, &gains, limits, hook)
        })
    }

    /// Returns the value of a choice and the value of its node, over one denominator.
    fn against(&self, choice: usize, node: usize, x: &Solution) -> (BigInt, BigInt) {
        let made = &self.quotient.choices[choice];
        let inner = made.inner.iter();
        let gain = &self.gains[choice] * signed(x.denominator());
        let worth = inner.fold(gain, |sum, (t, weight)| {
            sum + signed(weight) * &x.numerators()[*t as usize]
        });
        (worth, signed(&made.leaving) * &x.numerators()[node])
    }

    fn improve(&self, policy: &mut [u32], x: &Solution, player: Player) -> bool {
        let mut improved = false;
        for (node, decided) in policy.iter_mut().enumerate() {
            let span = self.quotient.span(node);
            if self.quotient.player[node] != player || span.len() < 2 {
                continue;
            }
            // The best choice so far: its value, over its own weights.
            let mut best: Option<(BigInt, usize)> = None;
            for choice in span {
                let (worth, own) = self.against(choice, node, x);
                let better = match player {
                    Player::Max => worth > own,
                    Player::Min => worth < own,
                };
                if !better {
                    continue;
                }
                let leaving = |choice: usize| signed(&self.quotient.choices[choice].leaving);
                let beats = best.as_ref().is_none_or(|(most, held)| {
                    let order = (&worth * leaving(*held)).cmp(&(most * leaving(choice)));
                    order
                        == if player == Player::Max {
                            Ordering::Greater
                        } else {
                            Ordering::Less
                        }
                });
                if beats {
                    best = Some((worth, choice));
                }
            }
            if let Some((_, choice)) = best {
                *decided = choice as u32;
                improved = true;
            }
        }
        improved
    }

    /// Returns the values in the form in which they are stored: not raised, and reduced to lowest
    /// terms together.
    fn finish(&self, solution: Solution, optimal: Vec<bool>) -> Solved {
        let (numerators, denominator) = solution.into_parts();
        let low = &self.low * signed(&denominator);
        let mut denominator = denominator * &self.common;
        let numerators = numerators.into_iter();
        let mut numerators: Vec<BigInt> = numerators.map(|x| x + &low).collect();
        let mut shared = denominator.clone();
        for numerator in &numerators {
            if shared.is_one() {
                break;
            }
            share(&mut shared, numerator.magnitude());
        }
        if !shared.is_one() {
            denominator /= &shared;
            let shared = signed(&shared);
            numerators.iter_mut().for_each(|x| *x /= &shared);
        }
        Solved {
            numerators,
            denominator,
            optimal,
        }
    }
}
