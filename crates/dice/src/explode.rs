//! Exploding dice, which are rolled again and added.

use crate::geometric::share;
use crate::power::{check_size, multisets};
use crate::reroll::FEWEST;
use crate::rounding::Roundings;
use crate::runs::Runs;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight};
use num_integer::Integer;
use num_traits::Zero;

impl<W: Weight> Dist<i64, W> {
    /// Explodes: rolls again and adds while `event` holds, at most `depth` times. This is also
    /// called open-ended or acing. Only the latest roll decides whether another follows; the last
    /// one allowed is added whatever it shows.
    ///
    /// `die.explode(…)?.repeat(n)` explodes each die and then adds. `die.repeat(n)?.explode(…)`
    /// explodes a whole throw by its sum.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a sum does not fit into `i64`; [`Error::TooLarge`], before any
    /// work, as for [`explode_within`](Self::explode_within) with [`DEFAULT_LIMIT`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let ace = Dist::die(6)?.explode(3, |&face| face == 6)?;
    /// assert_eq!(ace.at_least(&19).to_string(), "1/216");
    /// // Ten of them, on the table.
    /// assert_eq!(ace.repeat(10)?.mean(), ace.mean() * num_bigint::BigInt::from(10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// For one exploding face: d blocks of n weights for depth d and n faces, with one product
    /// each. For several exploding faces: let ε be the distribution of the exploding faces, ν that
    /// of the others and X = ε + ν. The sum ν·(1 + ε + … + ε^(d−1)) + X·ε^d then takes O(log d)
    /// convolutions, as by [`matfold`](Self::matfold), the last of which has the size of the
    /// result.
    #[doc(alias = "open_ended")]
    #[doc(alias = "ace")]
    pub fn explode(&self, depth: u32, event: impl FnMut(&i64) -> bool) -> Result<Self, Error> {
        self.explode_within(depth, event, DEFAULT_LIMIT)
    }

    /// Like [`explode`](Self::explode), with the size limit, in 64-bit words, as an argument. The
    /// size is counted as for [`reroll_within`](Self::reroll_within).
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] and [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let d6 = Dist::die(6)?;
    /// assert!(d6.explode_within(1_000, |&face| face == 6, 200_000).is_err());
    /// let deep = d6.explode_within(1_000, |&face| face == 6, 300_000)?;
    /// assert_eq!(deep.len(), 5006);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explode_within(
        &self,
        depth: u32,
        mut event: impl FnMut(&i64) -> bool,
        limit: u64,
    ) -> Result<Self, Error> {
        let again: Vec<bool> = self.outcomes.iter().map(&mut event).collect();
        let (_, terms) = self.mass(&again);
        if depth == 0 || terms == 0 {
            return Ok(self.clone());
        }
        if terms == self.len() {
            return match depth.checked_add(1) {
                Some(rolls) => self.repeat_within(rolls, limit),
                None => self
                    .repeat_within(depth, limit)?
                    .matfold_within(self, limit),
            };
        }
        match again.iter().position(|&again| again) {
            // Exploding a face of 0 is rerolling it.
            Some(face) if terms == 1 && self.outcomes[face] == 0 => {
                self.reroll_within(depth, |&x| x == 0, limit)
            }
            Some(face) if terms == 1 => self.explode_face(depth, face, limit),
            _ => self.explode_faces(depth, &again, limit),
        }
    }

    /// Like [`explode`](Self::explode), with at most one more roll.
    ///
    /// # Errors
    ///
    /// The same as for [`explode`](Self::explode).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let law = Dist::die(6)?.explode_once(|&face| face == 6)?;
    /// assert_eq!(law.p(&12).to_string(), "1/36");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explode_once(&self, event: impl FnMut(&i64) -> bool) -> Result<Self, Error> {
        self.explode(1, event)
    }

    /// Like [`explode`](Self::explode) without limit, if the result has finitely many outcomes.
    /// This is so if no face explodes, or only 0, which adds nothing and is therefore
    /// [rerolled](Self::reroll_forever).
    ///
    /// # Errors
    ///
    /// [`Error::InfiniteSupport`] if there are infinitely many outcomes, and [`Error::Endless`] if
    /// every face explodes.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Error};
    ///
    /// let law = Dist::faces([0, 1, 2])?.explode_forever(|&face| face == 0)?;
    /// assert_eq!(law, Dist::die(2)?);
    /// let d6 = Dist::die(6)?;
    /// assert!(matches!(
    ///     d6.explode_forever(|&face| face == 6),
    ///     Err(Error::InfiniteSupport { .. })
    /// ));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explode_forever(&self, mut event: impl FnMut(&i64) -> bool) -> Result<Self, Error> {
        let again: Vec<bool> = self.outcomes.iter().map(&mut event).collect();
        if again.iter().all(|&again| again) {
            return Err(ENDLESS);
        }
        let mut exploding = self
            .outcomes
            .iter()
            .zip(&again)
            .filter(|(_, again)| **again);
        if exploding.any(|(&face, _)| face != 0) {
            return Err(Error::InfiniteSupport {
                operation: "exploding without limit",
            });
        }
        let mut marks = again.iter();
        self.given(|_| marks.next() == Some(&false))
    }

    /// Returns the mean of an [explosion](Self::explode) without limit: E(X) / (1 − p), where p is
    /// the probability of exploding (A. Wald's equation for the sum of the rolls made).
    ///
    /// # Errors
    ///
    /// [`Error::Endless`] if every face explodes.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let d6 = Dist::die(6)?;
    /// assert_eq!(d6.explode_mean(|&face| face == 6)?.to_string(), "21/5");
    /// assert_eq!(d6.explode_mean(|&face| face >= 5)?.to_string(), "21/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explode_mean(&self, mut event: impl FnMut(&i64) -> bool) -> Result<W::Ratio, Error> {
        let stops: Vec<bool> = self.outcomes.iter().map(|face| !event(face)).collect();
        let (stopping, terms) = self.mass(&stops);
        if terms == 0 {
            return Err(ENDLESS);
        }
        let terms = self.iter().map(|(&face, weight)| (face, weight));
        Ok(W::power_mean(terms, &stopping, &W::Ratio::zero(), 1))
    }

    /// One face explodes, which is not 0. Then i more rolls shift the others by i times the face,
    /// and multiply them by a power of the face's weight.
    fn explode_face(&self, depth: u32, face: usize, limit: u64) -> Result<Self, Error> {
        let (step, n) = (self.outcomes[face], i64::from(depth));
        let overflow = |operation, left, right| Error::OutcomeOverflow {
            operation,
            left,
            right,
        };
        let last = step.checked_mul(n).ok_or(overflow("×", step, n))?;
        for end in [*self.min(), *self.max()] {
            last.checked_add(end).ok_or(overflow("+", last, end))?;
        }
        let (part, whole, divided) = share(&self.weights[face], &self.total);
        let words = self
            .total
            .words(1)
            .saturating_add(whole.words(depth.into()));
        let blocks = u128::from(depth) * (self.len() as u128 - 1) + self.len() as u128;
        let operation = || format!("exploding up to {depth} times");
        check_size(operation, blocks.max(FEWEST as u128), words, limit)?;

        // eⁱ · s^(d − i); in floats (e/s)ⁱ.
        let powers = |base: &W| {
            let mut powers = Vec::with_capacity(depth as usize + 1);
            let mut power = W::unit();
            for _ in 0..depth {
                let next = power.times(base);
                powers.push(std::mem::replace(&mut power, next));
            }
            powers.push(power);
            powers
        };
        let (parts, wholes) = (powers(&part), powers(&whole));
        let mut pairs = Vec::with_capacity(blocks as usize);
        for (more, (power, rest)) in (0..=n).zip(parts.iter().zip(wholes.iter().rev())) {
            let factor = power.times(rest);
            for (at, (&outcome, weight)) in self.iter().enumerate() {
                if at != face || more == n {
                    pairs.push((step * more + outcome, weight.times(&factor)));
                }
            }
        }
        // Each power takes one more product, and e/s has the roundings of both and one of its own.
        // Then follow a product with one, which is exact, and one with the weight.
        let quotient = self
            .roundings
            .weights
            .saturating_add(self.roundings.total)
            .saturating_add(divided + 1);
        let grown = quotient.saturating_mul(u64::from(depth)).saturating_add(1);
        let roundings = Roundings {
            weights: self.roundings.weights.saturating_add(grown),
            total: self.roundings.total,
        };
        let total = wholes.last().map(|whole| self.total.times(whole));
        Ok(Dist::merge(pairs, total.unwrap_or_else(W::unit), roundings))
    }

    /// Several faces explode.
    fn explode_faces(&self, depth: u32, again: &[bool], limit: u64) -> Result<Self, Error> {
        let faces = again.iter().filter(|&&again| again).count();
        let words = self.total.words(u64::from(depth) + 1);
        let least = self.exploded_size(depth, again, faces);
        let operation = || format!("exploding up to {depth} times");
        check_size(operation, least.max(FEWEST as u128), words, limit)?;
        // These laws do not add up to their total; the rest is the weight of the faces left out.
        let part = |wanted: bool| {
            let pairs = self
                .iter()
                .zip(again)
                .filter(|(_, again)| **again == wanted);
            let (outcomes, weights) = pairs.map(|((&x, w), _)| (x, w.clone())).unzip();
            Dist {
                outcomes,
                weights,
                total: self.total.clone(),
                roundings: self.roundings,
            }
        };
        let (exploding, stopping) = (part(true), part(false));
        // εᵐ and 1 + ε + … + ε^(m−1), from the leading bit of the depth downwards: g(2m) =
        // g(m)·(1 + εᵐ), g(m + 1) = 1 + ε·g(m).
        let one = Dist::point(0);
        let (mut power, mut sum) = (exploding.clone(), one.clone());
        for bit in (0..depth.ilog2()).rev() {
            sum = fold(&sum, &plus(&one, &power), limit)?;
            power = fold(&power, &power, limit)?;
            if depth >> bit & 1 == 1 {
                sum = plus(&one, &fold(&exploding, &sum, limit)?);
                power = fold(&power, &exploding, limit)?;
            }
        }
        let stopped = fold(&sum, &stopping, limit)?;
        Ok(plus(&stopped, &fold(&power, self, limit)?))
    }

    /// An upper bound on the number of outcomes of the explosion.
    fn exploded_size(&self, depth: u32, again: &[bool], faces: usize) -> u128 {
        let stride = self
            .outcomes
            .iter()
            .fold(0, |gcd: u64, x| gcd.gcd(&x.unsigned_abs()))
            .max(1);
        let step = |x: &i64| i128::from(*x) / i128::from(stride);
        let all = Runs::of(self.outcomes.iter().map(step), 1).coarse();
        let marked = self.outcomes.iter().zip(again).filter(|(_, again)| **again);
        let exploding = Runs::of(marked.map(|(x, _)| step(x)), 1).coarse();
        let zero = Runs::of([0], 1);
        let (mut power, mut sum) = (exploding.clone(), zero.clone());
        for bit in (0..depth.ilog2()).rev() {
            sum = sum.sum(&zero.union(&power).coarse()).coarse();
            power = power.sum(&power).coarse();
            if depth >> bit & 1 == 1 {
                sum = zero.union(&exploding.sum(&sum)).coarse();
                power = power.sum(&exploding).coarse();
            }
        }
        let runs = sum.union(&power).coarse().sum(&all).size();
        runs.min(multisets(faces + 1, depth).saturating_mul(self.len() as u128))
    }
}

const ENDLESS: Error = Error::Endless {
    operation: "exploding without limit",
    limited: "explode(depth, …)",
};

/// [`Dist::matfold_within`] for parts of distributions. In floats, the least likely part may have
/// underflowed and lost all its outcomes.
fn fold<W: Weight>(
    left: &Dist<i64, W>,
    right: &Dist<i64, W>,
    limit: u64,
) -> Result<Dist<i64, W>, Error> {
    for law in [left, right] {
        if law.outcomes.is_empty() {
            return Ok(law.clone());
        }
    }
    left.matfold_within(right, limit)
}

/// The sum of two distributions that are parts of one distribution, over the larger of their
/// totals, which is a multiple of the other.
fn plus<W: Weight>(left: &Dist<i64, W>, right: &Dist<i64, W>) -> Dist<i64, W> {
    let (large, small) = if left.total >= right.total {
        (left, right)
    } else {
        (right, left)
    };
    let (total, factors) = W::harmonise(&[&large.total, &small.total]);
    let pairs = [large, small]
        .into_iter()
        .zip(&factors)
        .flat_map(|(law, factor)| {
            law.iter()
                .map(move |(&x, weight)| (x, weight.times(factor)))
        });
    // In floats, each weight is divided by its total, which takes a quotient and a product.
    let count = |law: &Dist<i64, W>| law.roundings.weights.saturating_add(law.roundings.total);
    let roundings = Roundings {
        weights: count(left).max(count(right)).saturating_add(2),
        total: 0,
    };
    Dist::merge(pairs.collect(), total, roundings)
}
