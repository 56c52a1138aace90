//! Two readings of one roll: marginals, conditional distributions, covariance.

use crate::numeric::Numbers;
use crate::{Dist, Error, Weight};
use num_traits::{FromPrimitive, Zero};

impl<T, W: Weight> Dist<T, W> {
    /// Returns the joint distribution of two readings of one roll: `first` and `second` of the
    /// outcome. More than two readings are a [`map`](Self::map) to a tuple, which also gives the
    /// distribution of any part of them: `law.map(|&(a, _, c)| (a, c))`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let two = Dist::die(6)?.joint(&Dist::die(6)?)?;
    /// let law = two.readings(|(a, b)| a + b, |(a, b)| *a.max(b));
    /// assert_eq!(law.p(&(7, 5)).to_string(), "1/18");
    /// // The sum, where the higher die shows 3.
    /// assert_eq!(law.swap().conditional(&3)?.mean().to_string(), "24/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// The same as for [`map`](Self::map).
    #[must_use]
    pub fn readings<A: Ord, B: Ord>(
        &self,
        mut first: impl FnMut(&T) -> A,
        mut second: impl FnMut(&T) -> B,
    ) -> Dist<(A, B), W> {
        self.map(|outcome| (first(outcome), second(outcome)))
    }
}

/// Pairs of two numbers, or of two values of any types, from one roll.
impl<A: Ord + Clone, B: Ord + Clone, W: Weight> Dist<(A, B), W> {
    /// Returns the marginal distribution of the first of the two.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let law = Dist::die(6)?.readings(|x| x % 2, |x| x % 3);
    /// assert_eq!(law.first(), Dist::uniform([0, 1])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "marginal")]
    pub fn first(&self) -> Dist<A, W> {
        self.map(|(a, _)| a.clone())
    }

    /// Returns the marginal distribution of the second of the two.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let law = Dist::die(6)?.readings(|x| x % 2, |x| x % 3);
    /// assert_eq!(law.second(), Dist::uniform([0, 1, 2])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "marginal")]
    pub fn second(&self) -> Dist<B, W> {
        self.map(|(_, b)| b.clone())
    }

    /// Returns the pairs in reverse order.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let law = Dist::die(2)?.joint(&Dist::certain("heads"))?;
    /// assert_eq!(law.swap().p(&("heads", 2)).to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn swap(&self) -> Dist<(B, A), W> {
        self.map(|(a, b)| (b.clone(), a.clone()))
    }

    /// Returns the conditional distribution of the second, given the first. For the opposite
    /// direction use [`swap`](Self::swap)`().conditional(…)`.
    ///
    /// # Errors
    ///
    /// [`Error::ImpossibleCondition`] if the first never equals `first`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let two = Dist::die(6)?.joint(&Dist::die(6)?)?;
    /// let law = two.readings(|(a, b)| a + b, |(a, b)| *a.max(b));
    /// assert_eq!(law.conditional(&4)?, Dist::from_weights([(2, 1), (3, 2)])?);
    /// assert!(law.conditional(&13).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(log n) comparisons for n pairs, and one pass over those that begin with `first`.
    pub fn conditional(&self, first: &A) -> Result<Dist<B, W>, Error> {
        let start = self.outcomes.partition_point(|(a, _)| a < first);
        let end = self.outcomes.partition_point(|(a, _)| a <= first);
        let seconds = self.outcomes[start..end].iter().map(|(_, b)| b.clone());
        let pairs: Vec<_> = seconds
            .zip(self.weights[start..end].iter().cloned())
            .collect();
        let mut total = W::nothing();
        for (_, weight) in &pairs {
            total.add(weight);
        }
        let mut roundings = self.roundings;
        roundings.total = roundings.sum(pairs.len()).weights;
        Dist::gather(pairs, total, roundings).map_err(|_| Error::ImpossibleCondition {
            outcomes: self.len(),
        })
    }
}

/// Smaller differences may be due to the underflow of doubles.
const UNDERFLOW: f64 = 1e-290;

impl<A: Ord + Clone, B: Ord + Clone, W: Weight> Dist<(A, B), W> {
    /// Returns whether the two are independent, that is, whether each pair has the product of its
    /// [marginal](Self::first) probabilities.
    ///
    /// In floats, two probabilities count as equal if they differ by no more than twice the sum of
    /// the [relative errors](Self::relative_error) of the three distributions, or by 10⁻²⁹⁰, below
    /// which the error is unknown. So independent pairs are always recognised. Pairs that are not
    /// independent may be taken for independent if they come that close. If nothing is known about
    /// the errors (if their sum is a quarter or more), the doubles are taken as exact.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let parity_and_third = Dist::die(6)?.readings(|x| x % 2, |x| x % 3);
    /// assert!(parity_and_third.independent());
    /// assert!(parity_and_third.to_f64().independent());
    /// let parity_and_fourth = Dist::die(6)?.readings(|x| x % 2, |x| x % 4);
    /// assert!(!parity_and_fourth.independent());
    /// assert!(!parity_and_fourth.to_f64().independent());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// Two products and a comparison per pair. In floats, this applies to each combination of a
    /// first and a second, until one is found that differs.
    #[must_use]
    pub fn independent(&self) -> bool {
        let (first, second) = (self.first(), self.second());
        if !W::EXACT {
            return self.nearly_product(&first, &second);
        }
        // A product contains every pair. A law of the same length does, too, since pairs are
        // distinct.
        if first.len().checked_mul(second.len()) != Some(self.len()) {
            return false;
        }
        let products = first
            .weights()
            .flat_map(|a| second.weights().map(move |b| a.times(b)));
        products
            .zip(self.weights())
            .all(|(product, weight)| product == weight.times(&self.total))
    }

    fn nearly_product(&self, first: &Dist<A, W>, second: &Dist<B, W>) -> bool {
        let errors = self.relative_error() + first.relative_error() + second.relative_error();
        // Once for the errors themselves, and as much again for their products and for the
        // roundings below.
        let apart = if errors < 0.25 { 2.0 * errors } else { 0.0 };
        let mut pairs = self.iter().peekable();
        for (a, weight) in first {
            let first = W::nearest(weight, &first.total);
            for (b, weight) in second {
                let product = first * W::nearest(weight, &second.total);
                // Pairs may be missing whose probability is below all doubles.
                let pair = pairs.next_if(|((x, y), _)| x == a && y == b);
                let pair = pair.map_or(0.0, |(_, weight)| W::nearest(weight, &self.total));
                if (pair - product).abs() > apart * pair.max(product) + UNDERFLOW {
                    return false;
                }
            }
        }
        true
    }
}

/// Pairs of whole numbers from one roll, of any types that fit into `i64`.
impl<A: Copy + Into<i64>, B: Copy + Into<i64>, W: Weight> Dist<(A, B), W> {
    /// Returns the covariance: the mean of the product of the deviations of both from their means.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let two = Dist::die(6)?.joint(&Dist::die(6)?)?;
    /// let sum_and_difference = two.readings(|(a, b)| a + b, |(a, b)| a - b);
    /// assert_eq!(sum_and_difference.covariance().to_string(), "0");
    /// let high_and_low = two.readings(|(a, b)| *a.max(b), |(a, b)| *a.min(b));
    /// assert_eq!(high_and_low.covariance().to_string(), "1225/1296");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// Two products per pair.
    #[must_use]
    pub fn covariance(&self) -> W::Ratio {
        let number = |x: i128| W::Ratio::from_i128(x).unwrap_or_else(W::Ratio::zero);
        if W::EXACT {
            // Whole numbers share a denominator, and deviations from a mean do not.
            let [first, second] = [Self::left, Self::right].map(|side| self.side_mean(side));
            let product = |pair: &(A, B)| {
                number(i128::from(Self::left(pair)) * i128::from(Self::right(pair)))
            };
            return self.expectation(product) - first * second;
        }
        // In floats, the difference of two means could lose all digits.
        let [first, second] = [Self::left, Self::right].map(|side| self.deviations(side));
        let products = first.into_iter().zip(second).map(|(x, y)| x * y);
        W::average(self.weights.iter().zip(products), &self.total)
    }

    /// Returns the square of the correlation coefficient, from 0 to 1: covariance² over the product
    /// of the variances. Unlike the coefficient itself, it is rational.
    ///
    /// # Errors
    ///
    /// [`Error::NoVariance`] if one of the two never varies.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let two = Dist::die(6)?.joint(&Dist::die(6)?)?;
    /// let first_and_sum = two.readings(|(a, _)| *a, |(a, b)| a + b);
    /// assert_eq!(first_and_sum.squared_correlation()?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn squared_correlation(&self) -> Result<W::Ratio, Error> {
        let covariance = self.covariance();
        let [first, second] = self.variances()?;
        // Divided one after the other, since the product of small floats may be zero.
        Ok((covariance.clone() / first) * (covariance / second))
    }

    /// Returns the correlation coefficient, from −1 to 1, as a double, since it is seldom rational.
    /// (In exact distributions its square is computed exactly, followed by one square root.)
    ///
    /// # Errors
    ///
    /// [`Error::NoVariance`] if one of the two never varies.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let opposite = Dist::die(6)?.readings(|x| *x, |x| 7 - x);
    /// assert_eq!(opposite.correlation()?, -1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "pearson")]
    pub fn correlation(&self) -> Result<f64, Error> {
        let negative = self.covariance() < W::Ratio::zero();
        let size = W::root(&self.squared_correlation()?).min(1.0);
        Ok(if negative { -size } else { size })
    }

    fn left(pair: &(A, B)) -> i64 {
        pair.0.into()
    }

    fn right(pair: &(A, B)) -> i64 {
        pair.1.into()
    }

    fn side_mean(&self, side: fn(&(A, B)) -> i64) -> W::Ratio {
        let terms = self.iter().map(|(pair, weight)| (side(pair), weight));
        W::power_mean(terms, &self.total, &W::Ratio::zero(), 1)
    }

    /// The distances from the mean, for floats: computed from a median, like a variance.
    fn deviations(&self, side: fn(&(A, B)) -> i64) -> Vec<W::Ratio> {
        let numbers = Numbers::Whole(self.outcomes.iter().map(side).collect());
        let numbers = numbers.less_a_median(&self.weights, &self.total);
        let numbers = numbers.ratios::<W>();
        let terms = self.weights.iter().zip(numbers.iter().cloned());
        let mean = W::average(terms, &self.total);
        numbers.into_iter().map(|x| x - mean.clone()).collect()
    }

    fn variances(&self) -> Result<[W::Ratio; 2], Error> {
        let variance = |side: fn(&(A, B)) -> i64, which| {
            let first = side(&self.outcomes[0]);
            // Not checked by the variance, since in floats its mean is rounded.
            if self.outcomes.iter().all(|pair| side(pair) == first) {
                return Err(Error::NoVariance { which });
            }
            if W::EXACT {
                let terms = self.iter().map(|(pair, weight)| (side(pair), weight));
                return Ok(W::power_mean(terms, &self.total, &self.side_mean(side), 2));
            }
            let squares = self.deviations(side).into_iter();
            let squares = squares.map(|x| x.clone() * x);
            Ok(W::average(self.weights.iter().zip(squares), &self.total))
        };
        Ok([
            variance(Self::left, "first")?,
            variance(Self::right, "second")?,
        ])
    }
}
