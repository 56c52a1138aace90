//! Arithmetic beyond sums: products, quotients, absolute values, maximum and minimum.

use crate::power::check_size;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The rounding of a quotient to a whole number.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Dist, Rounding};
///
/// let half = |rounding| Dist::certain(-5).divide(2, rounding);
/// assert_eq!(half(Rounding::Floor)?, Dist::certain(-3));
/// assert_eq!(half(Rounding::TowardsZero)?, Dist::certain(-2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rounding {
    /// Down, to the next whole number below: −5/2 is −3.
    ///
    /// ```
    /// # use oddsmith_dice::{Dist, Rounding};
    /// assert_eq!(Dist::certain(-5).divide(2, Rounding::Floor)?, Dist::certain(-3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Floor,
    /// Up, to the next whole number above: −5/2 is −2.
    ///
    /// ```
    /// # use oddsmith_dice::{Dist, Rounding};
    /// assert_eq!(Dist::certain(5).divide(2, Rounding::Ceiling)?, Dist::certain(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Ceiling,
    /// Towards zero, as by Rust's `/`: −5/2 is −2, 5/2 is 2.
    ///
    /// ```
    /// # use oddsmith_dice::{Dist, Rounding};
    /// assert_eq!(Dist::certain(5).divide(2, Rounding::TowardsZero)?, Dist::certain(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    TowardsZero,
    /// Away from zero: −5/2 is −3, 5/2 is 3.
    ///
    /// ```
    /// # use oddsmith_dice::{Dist, Rounding};
    /// assert_eq!(Dist::certain(7).divide(3, Rounding::AwayFromZero)?, Dist::certain(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    AwayFromZero,
    /// To the nearest; halves up: −5/2 is −2, 5/2 is 3.
    ///
    /// ```
    /// # use oddsmith_dice::{Dist, Rounding};
    /// assert_eq!(Dist::certain(-5).divide(2, Rounding::HalfUp)?, Dist::certain(-2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    HalfUp,
    /// To the nearest; halves to the even one: −5/2 is −2, 5/2 is 2, 7/2 is 4.
    ///
    /// ```
    /// # use oddsmith_dice::{Dist, Rounding};
    /// assert_eq!(Dist::certain(7).divide(2, Rounding::HalfEven)?, Dist::certain(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    HalfEven,
}

impl Rounding {
    /// `x / k` for `k` not zero. The wider type holds every intermediate result.
    fn quotient(self, x: i64, k: i64) -> i128 {
        let (x, k) = (i128::from(x), i128::from(k));
        let (x, k) = if k < 0 { (-x, -k) } else { (x, k) };
        let (floor, rest) = (x.div_euclid(k), x.rem_euclid(k));
        let up = match self {
            _ if rest == 0 => false,
            Rounding::Floor => false,
            Rounding::Ceiling => true,
            Rounding::TowardsZero => floor < 0,
            Rounding::AwayFromZero => floor >= 0,
            Rounding::HalfUp => 2 * rest >= k,
            Rounding::HalfEven => match (2 * rest).cmp(&k) {
                Ordering::Less => false,
                Ordering::Equal => floor % 2 != 0,
                Ordering::Greater => true,
            },
        };
        floor + i128::from(up)
    }
}

/// The size of a list of distributions to be added, which may be endless. The sum of two has as
/// many outcomes as both together, less one, so reading stops as soon as the sum is known to be too
/// large.
#[derive(Default)]
struct Read {
    laws: u128,
    /// Of all distributions except the longest. That one may be the sum, and exists already.
    outcomes: u128,
    longest: u128,
}

impl Read {
    /// Counts one more distribution. The limit of the result is checked when it is computed; here
    /// the default limit applies, if it is larger.
    fn admit(&mut self, len: usize, limit: u64) -> Result<(), Error> {
        let more = (len as u128).saturating_sub(1);
        self.laws += 1;
        self.outcomes += more.min(self.longest);
        self.longest = more.max(self.longest);
        let operation = || format!("the sum of {} distributions or more", self.laws);
        let least = self.laws + self.outcomes;
        check_size(operation, least, 1, limit.max(DEFAULT_LIMIT))
    }
}

impl<W: Weight> Dist<i64, W> {
    /// Returns the distribution of the sum of independent outcomes, one from each distribution.
    /// Without distributions, it is certainly 0.
    ///
    /// Equal distributions are grouped and summed by [`repeat`](Self::repeat), which is much faster
    /// than one by one. Of the remaining distributions, the two shortest are added repeatedly:
    /// products of big integers are cheapest if both factors have the same size, and a running
    /// total would multiply a long distribution by a short one each time.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a sum does not fit into `i64`; [`Error::TooLarge`] if a result
    /// would need more than [`DEFAULT_LIMIT`] words, or if the distributions do not end: some five
    /// million are read, fewer if they have more than one outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let (d6, d8) = (Dist::die(6)?, Dist::die(8)?);
    /// let sum = Dist::sum([&d6, &d8, &d6])?;
    /// assert_eq!(sum.p(&20).to_string(), "1/288");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// That of [`repeat`](Self::repeat) for each group of equal distributions, and of one
    /// [`matfold`](Self::matfold) less than there are groups. Grouping into k groups takes O(k)
    /// comparisons per distribution, nearly all of which end at the first number.
    pub fn sum<'a>(laws: impl IntoIterator<Item = &'a Self>) -> Result<Self, Error>
    where
        W: 'a,
    {
        Dist::sum_within(laws, DEFAULT_LIMIT)
    }

    /// Like [`sum`](Self::sum), with the size limit, in 64-bit words, as an argument.
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
    /// let (d10, d100) = (Dist::die(10)?, Dist::die(100)?);
    /// assert!(Dist::sum_within([&d10, &d100], 100).is_err());
    /// assert_eq!(Dist::sum_within([&d10, &d100], 1_000)?.len(), 109);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum_within<'a>(
        laws: impl IntoIterator<Item = &'a Self>,
        limit: u64,
    ) -> Result<Self, Error>
    where
        W: 'a,
    {
        let mut kinds: Vec<(&Self, u32)> = Vec::new();
        let mut read = Read::default();
        for law in laws {
            read.admit(law.len(), limit)?;
            let same = |kind: &&mut (&Self, u32)| {
                kind.1 < u32::MAX && (std::ptr::eq(kind.0, law) || kind.0 == law)
            };
            match kinds.iter_mut().find(same) {
                Some((_, count)) => *count += 1,
                None => kinds.push((law, 1)),
            }
        }
        // A sum that fits must not be refused for one on the way to it. Less their middles, the laws
        // lie around 0, and so do all sums of them.
        let all = |end: fn(&Self) -> i128| -> i128 {
            let ends = kinds
                .iter()
                .map(|(law, count)| end(law) * i128::from(*count));
            ends.sum()
        };
        let low = |law: &Self| i128::from(*law.min());
        let high = |law: &Self| i128::from(*law.max());
        let farthest = |law: &Self| {
            i128::from(*law.min())
                .abs()
                .max(i128::from(*law.max()).abs())
        };
        let fits = |end: i128| i64::try_from(end).is_ok();
        if !fits(all(farthest)) && fits(all(low)) && fits(all(high)) {
            let middle = |law: &Self| (i128::from(*law.min()) + i128::from(*law.max())) / 2;
            let centred = kinds.iter().map(|(law, count)| {
                let law = (*law).clone().moved(-middle(law))?;
                Ok((law, *count))
            });
            let centred: Vec<(Self, u32)> = centred.collect::<Result<_, Error>>()?;
            let centred = centred.iter().map(|(law, count)| (law, *count));
            if let Ok(sum) = Dist::added(centred.collect(), limit) {
                return sum.moved(all(middle));
            }
        }
        Dist::added(kinds, limit)
    }

    /// The sum of so many of each.
    fn added(kinds: Vec<(&Self, u32)>, limit: u64) -> Result<Self, Error> {
        // Ordered by length and then by age, so that every run is the same.
        let mut shortest = BTreeMap::new();
        let mut age = 0;
        for (law, count) in kinds {
            let part = law.repeat_within(count, limit)?;
            shortest.insert((part.len(), age), part);
            age += 1;
        }
        while let Some((_, law)) = shortest.pop_first() {
            let Some((_, other)) = shortest.pop_first() else {
                return Ok(law);
            };
            let both = law.matfold_within(&other, limit)?;
            shortest.insert((both.len(), age), both);
            age += 1;
        }
        Ok(Dist::point(0))
    }

    /// Returns the distribution of the weighted sum Σ cᵢ Xᵢ of independent outcomes, from pairs of
    /// a coefficient and a distribution. Without pairs, it is certainly 0. A coefficient multiplies
    /// one roll: 2 doubles a die and does not roll it twice. Negative coefficients subtract, and 0
    /// leaves a distribution out.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a product or a sum does not fit into `i64`;
    /// [`Error::TooLarge`] if a result would need more than [`DEFAULT_LIMIT`] words, or if the
    /// terms do not end, as for [`sum`](Self::sum).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let (d6, d10) = (Dist::die(6)?, Dist::die(10)?);
    /// // Percentile dice from two d10, and a penalty.
    /// let law = Dist::weighted_sum([(10, &d10), (1, &d10), (-2, &d6)])?;
    /// assert_eq!(law.mean().to_string(), "107/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// The same as for [`sum`](Self::sum).
    pub fn weighted_sum<'a>(terms: impl IntoIterator<Item = (i64, &'a Self)>) -> Result<Self, Error>
    where
        W: 'a,
    {
        Dist::weighted_sum_within(terms, DEFAULT_LIMIT)
    }

    /// Like [`weighted_sum`](Self::weighted_sum), with the size limit, in 64-bit words, as an
    /// argument.
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
    /// let d10 = Dist::die(10)?;
    /// assert!(Dist::weighted_sum_within([(10, &d10), (1, &d10)], 500).is_err());
    /// assert_eq!(Dist::weighted_sum_within([(10, &d10), (1, &d10)], 1_000)?.len(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weighted_sum_within<'a>(
        terms: impl IntoIterator<Item = (i64, &'a Self)>,
        limit: u64,
    ) -> Result<Self, Error>
    where
        W: 'a,
    {
        let mut read = Read::default();
        let scaled = terms.into_iter().map(|(coefficient, law)| {
            let scaled = law.scale(coefficient)?;
            read.admit(scaled.len(), limit)?;
            Ok(scaled)
        });
        let scaled: Vec<Self> = scaled.collect::<Result<_, _>>()?;
        Dist::sum_within(&scaled, limit)
    }

    /// Returns the distribution of the product of two independent outcomes.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a product does not fit into `i64`; [`Error::TooLarge`], before
    /// any work, if all pairs together would need more than [`DEFAULT_LIMIT`] words.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let area = Dist::die(6)?.product(&Dist::die(6)?)?;
    /// assert_eq!(area.p(&12).to_string(), "1/9");
    /// assert_eq!(area.mean().to_string(), "49/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a·b·log(a·b)) for a and b outcomes: products do not lie on a grid that a convolution could
    /// use.
    pub fn product(&self, other: &Self) -> Result<Self, Error> {
        self.product_within(other, DEFAULT_LIMIT)
    }

    /// Like [`product`](Self::product), with the size limit, in 64-bit words, as an argument.
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
    /// let d100 = Dist::die(100)?;
    /// assert!(d100.product_within(&d100, 10_000).is_err());
    /// assert_eq!(d100.product_within(&d100, 100_000)?.len(), 2906);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn product_within(&self, other: &Self, limit: u64) -> Result<Self, Error> {
        let multiply = |left: i64, right: i64| {
            left.checked_mul(right).ok_or(Error::OutcomeOverflow {
                operation: "×",
                left,
                right,
            })
        };
        // The extreme products are those of the extreme outcomes.
        for left in [*self.min(), *self.max()] {
            for right in [*other.min(), *other.max()] {
                multiply(left, right)?;
            }
        }
        let pairs = self.len() as u128 * other.len() as u128;
        let words = self.total.words(1).saturating_add(other.total.words(1));
        let operation = || format!("the product over {} × {} outcomes", self.len(), other.len());
        check_size(operation, pairs, words, limit)?;
        // It fits the address space, since it fits the limit.
        let mut products = Vec::with_capacity(self.len() * other.len());
        for (&x, a) in self {
            for (&y, b) in other {
                products.push((multiply(x, y)?, a.times(b)));
            }
        }
        let roundings = self.roundings.product(other.roundings, 1);
        Ok(Dist::merge(
            products,
            self.total.times(&other.total),
            roundings,
        ))
    }

    /// Divides every outcome by `k` and rounds to a whole number.
    ///
    /// # Errors
    ///
    /// [`Error::DivisionByZero`] for `k` = 0; [`Error::OutcomeOverflow`] for `i64::MIN`
    /// divided by −1.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Rounding};
    ///
    /// let half = Dist::ndice(3, 6)?.divide(2, Rounding::Floor)?;
    /// assert_eq!(half.mean().to_string(), "5");
    /// let half = Dist::ndice(3, 6)?.divide(2, Rounding::Ceiling)?;
    /// assert_eq!(half.mean().to_string(), "11/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n) for n outcomes.
    #[doc(alias = "floor_div")]
    pub fn divide(&self, k: i64, rounding: Rounding) -> Result<Self, Error> {
        if k == 0 {
            return Err(Error::DivisionByZero);
        }
        if k == -1 && *self.min() == i64::MIN {
            return Err(Error::OutcomeOverflow {
                operation: "÷",
                left: i64::MIN,
                right: k,
            });
        }
        // All other quotients fit, since dividing never increases the absolute value.
        Ok(self.map(|&x| rounding.quotient(x, k) as i64))
    }

    /// Returns the distribution of the absolute value of the outcome.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if `i64::MIN` is an outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let d6 = Dist::die(6)?;
    /// let apart = d6.difference(&d6)?.absolute()?;
    /// assert_eq!(apart.mean().to_string(), "35/18");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "abs")]
    pub fn absolute(&self) -> Result<Self, Error> {
        if *self.min() == i64::MIN {
            return Err(Error::OutcomeOverflow {
                operation: "×",
                left: i64::MIN,
                right: -1,
            });
        }
        Ok(self.map(|x| x.abs()))
    }

    /// Limits every outcome to at least `low` and at most `high`: what lies outside counts as the
    /// nearer end. `clamp(0, i64::MAX)` has a lower limit only.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyRange`] if `low` is greater than `high`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let damage = Dist::ndice(2, 6)?.shift(-5)?.clamp(0, i64::MAX)?;
    /// assert_eq!(damage.p(&0).to_string(), "5/18");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n) for n outcomes.
    #[doc(alias = "clip")]
    pub fn clamp(&self, low: i64, high: i64) -> Result<Self, Error> {
        if low > high {
            return Err(Error::EmptyRange { low, high });
        }
        Ok(self.map(|&x| x.clamp(low, high)))
    }
}

impl<T: Ord + Clone, W: Weight> Dist<T, W> {
    /// Returns the distribution of the larger of two independent outcomes. (The largest outcome of
    /// one distribution is [`max`](Self::max).)
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let best = Dist::ndice(2, 6)?.maximum(&Dist::die(12)?);
    /// assert_eq!(best.p(&12).to_string(), "47/432");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a + b) for a and b outcomes: the probability that the maximum is z is p(z) Q(≤ z) + P(< z)
    /// q(z), two products with cumulative weights. Nothing is subtracted, so the float twin keeps
    /// its bound on the error.
    #[must_use]
    #[doc(alias = "max")]
    pub fn maximum(&self, other: &Self) -> Self {
        self.extreme(other, Ordering::Less)
    }

    /// Returns the distribution of the smaller of two independent outcomes. (The smallest outcome
    /// of one distribution is [`min`](Self::min).)
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let d20 = Dist::die(20)?;
    /// let disadvantage = d20.minimum(&d20);
    /// assert_eq!(disadvantage.mean().to_string(), "287/40");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a + b) for a and b outcomes, as for [`maximum`](Self::maximum).
    #[must_use]
    #[doc(alias = "min")]
    pub fn minimum(&self, other: &Self) -> Self {
        self.extreme(other, Ordering::Greater)
    }

    /// The outcome that compares to the other as the opposite of `beaten`, or equal.
    fn extreme(&self, other: &Self, beaten: Ordering) -> Self {
        // The indices, starting with the outcome that loses to all others.
        let order = |law: &Self| -> Vec<usize> {
            match beaten {
                Ordering::Greater => (0..law.len()).rev().collect(),
                _ => (0..law.len()).collect(),
            }
        };
        let (left, right) = (order(self), order(other));
        let (mut below, mut below_other) = (W::nothing(), W::nothing());
        let (mut i, mut j) = (0, 0);
        let mut pairs = Vec::with_capacity(self.len() + other.len());
        while i < left.len() || j < right.len() {
            let (a, b) = (left.get(i), right.get(j));
            let compared = match (a, b) {
                (Some(&a), Some(&b)) => self.outcomes[a].cmp(&other.outcomes[b]),
                (Some(_), None) => beaten,
                _ => beaten.reverse(),
            };
            // The losing outcome comes first; equal outcomes come together.
            let (takes, takes_other) = (compared != beaten.reverse(), compared != beaten);
            let mut weight = W::nothing();
            let mut outcome = None;
            if takes_other && let Some(&b) = b {
                weight.add(&below.times(&other.weights[b]));
                below_other.add(&other.weights[b]);
                outcome = Some(&other.outcomes[b]);
                j += 1;
            }
            if takes && let Some(&a) = a {
                weight.add(&self.weights[a].times(&below_other));
                below.add(&self.weights[a]);
                outcome = Some(&self.outcomes[a]);
                i += 1;
            }
            if let Some(outcome) = outcome {
                pairs.push((outcome.clone(), weight));
            }
        }
        if beaten == Ordering::Greater {
            pairs.reverse();
        }
        // A cumulative weight is a sum of up to all weights; a product and a sum follow.
        let terms = self.len().max(other.len()).saturating_add(1);
        let roundings = self.roundings.product(other.roundings, terms);
        Dist::merge(pairs, self.total.times(&other.total), roundings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(x: i64, k: i64, expected: [i128; 6]) {
        let all = [
            Rounding::Floor,
            Rounding::Ceiling,
            Rounding::TowardsZero,
            Rounding::AwayFromZero,
            Rounding::HalfUp,
            Rounding::HalfEven,
        ];
        assert_eq!(
            all.map(|rounding| rounding.quotient(x, k)),
            expected,
            "{x}/{k}"
        );
    }

    #[test]
    fn every_rounding() {
        check(5, 2, [2, 3, 2, 3, 3, 2]);
        check(7, 2, [3, 4, 3, 4, 4, 4]);
        check(-5, 2, [-3, -2, -2, -3, -2, -2]);
        check(-7, 2, [-4, -3, -3, -4, -3, -4]);
        check(5, -2, [-3, -2, -2, -3, -2, -2]);
        check(1, 3, [0, 1, 0, 1, 0, 0]);
        check(2, 3, [0, 1, 0, 1, 1, 1]);
        check(-1, 3, [-1, 0, 0, -1, 0, 0]);
        check(-2, 3, [-1, 0, 0, -1, -1, -1]);
        check(6, -3, [-2; 6]);
        check(0, 7, [0; 6]);
        let most = i128::from(i64::MAX);
        check(i64::MIN, 1, [-most - 1; 6]);
        check(i64::MIN, -1, [most + 1; 6]);
        check(i64::MAX, i64::MIN, [-1, 0, 0, -1, -1, -1]);
        check(i64::MIN, i64::MAX, [-2, -1, -1, -2, -1, -1]);
        check(i64::MIN, i64::MIN, [1; 6]);
    }

    /// Two weights, cumulated over at most three, a product and a sum.
    #[test]
    fn roundings_of_an_extreme_are_counted() -> Result<(), Error> {
        let (two, three) = (Dist::die(2)?.to_f64(), Dist::die(3)?.to_f64());
        let best = two.maximum(&three);
        assert_eq!((best.roundings.weights, best.roundings.total), (6, 1));
        Ok(())
    }
}
