//! Pearson's chi-square test of whether observations fit a distribution.

mod chi_square;

use crate::{Dist, Error, Weight};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Zero;
use std::borrow::Borrow;
use std::fmt;

/// The smallest expected number of observations at which a cell of the test is complete.
const LEAST_EXPECTED: u32 = 5;

/// The size in words of the cells' weights together up to which the statistic is reported as a
/// fraction. Its denominator has about this size.
const LARGEST_FRACTION: u128 = 4096;

/// The result of a chi-square test of observations. Created by [`Dist::goodness_of_fit`].
///
/// # Examples
///
/// Is this die fair? (The counts of 120 rolls.)
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let counts = [(1, 25), (2, 17), (3, 15), (4, 23), (5, 24), (6, 16)];
/// let fit = Dist::die(6)?.goodness_of_fit(counts)?;
/// assert_eq!(fit.exact_statistic()?.to_string(), "5");
/// assert_eq!(fit.degrees_of_freedom(), 5);
/// assert!((fit.p_value() - 0.4159).abs() < 0.0001);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GoodnessOfFit<W: Weight = BigUint> {
    observations: u64,
    /// At least two.
    cells: Vec<Cell>,
    /// The contribution of each cell to the statistic, times `scale`: (observed · total −
    /// observations · weight)² over its weight.
    terms: Vec<(W, W)>,
    /// Observations times total.
    scale: W,
}

/// Successive outcomes that a test treats as one: part of a [`GoodnessOfFit`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let fit = Dist::die(4)?.goodness_of_fit([(1, 3), (2, 5), (3, 4), (4, 4)])?;
/// // Four are expected of each: they go in pairs.
/// assert_eq!(fit.cells()[0].places, 0..2);
/// assert_eq!((fit.cells()[0].observed, fit.cells()[0].expected), (8, 8.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cell {
    /// The indices of its outcomes in [`Dist::support`].
    pub places: std::ops::Range<usize>,
    /// The number of observations of these outcomes.
    pub observed: u64,
    /// The expected number of observations.
    pub expected: f64,
}

impl<T: Ord, W: Weight> Dist<T, W> {
    /// Tests whether observations fit this distribution. `counts` holds how often each outcome was
    /// observed, in any order. Counts of the same outcome add up, and outcomes left out count as 0.
    ///
    /// The statistic is K. Pearson's (1900): Σ (observed − expected)² / expected over the cells.
    /// Under the distribution it has approximately a chi-square distribution, with one degree of
    /// freedom less than there are cells, if enough observations are expected in every cell. So
    /// rare outcomes are pooled: starting from the smallest outcome, a cell takes outcomes until at
    /// least 5 observations are expected, and the rest at the upper end joins the last cell. As
    /// required, this depends only on the distribution and the number of observations. It is
    /// decided in exact arithmetic if the distribution is exact.
    ///
    /// # Errors
    ///
    /// [`Error::NoObservations`], [`Error::ImpossibleObservation`] if something was observed that
    /// has probability 0, [`Error::TooManyObservations`] if the counts do not sum to a `u64`, and
    /// [`Error::TooFewObservations`] if only one cell is left, because there
    /// are fewer than 10 observations, or because one cell has almost all of the probability.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Error};
    ///
    /// let roll = Dist::ndice(2, 6)?;
    /// let seven_only = roll.goodness_of_fit([(7, 180)])?;
    /// assert_eq!(seven_only.exact_statistic()?.to_string(), "900");
    /// assert!(seven_only.p_value() < 1e-180);
    /// let thirteen = roll.goodness_of_fit([(7, 30), (13, 2)]);
    /// assert_eq!(thirteen, Err(Error::ImpossibleObservation { position: 1, count: 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(log n) comparisons for each count, O(n) additions for n outcomes.
    #[doc(alias = "chi_square")]
    #[doc(alias = "chi_squared")]
    pub fn goodness_of_fit<K: Borrow<T>>(
        &self,
        counts: impl IntoIterator<Item = (K, u64)>,
    ) -> Result<GoodnessOfFit<W>, Error> {
        let mut observed = vec![0_u64; self.len()];
        let mut observations = 0_u64;
        for (position, (outcome, count)) in counts.into_iter().enumerate() {
            if count == 0 {
                continue;
            }
            let Ok(place) = self.outcomes.binary_search(outcome.borrow()) else {
                return Err(Error::ImpossibleObservation { position, count });
            };
            let too_many = Error::TooManyObservations {
                counted: observations,
                more: count,
            };
            observations = observations.checked_add(count).ok_or(too_many)?;
            observed[place] += count;
        }
        self.fit(&observed, observations)
    }

    /// Like [`goodness_of_fit`](Self::goodness_of_fit), for a sequence of single observations.
    ///
    /// # Errors
    ///
    /// The same as for [`goodness_of_fit`](Self::goodness_of_fit).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let coin = Dist::bernoulli((1, 2))?;
    /// let fit = coin.goodness_of_fit_of([true, true, false, true, true, true, false, true, true, true])?;
    /// assert_eq!(fit.exact_statistic()?.to_string(), "18/5");
    /// assert!((fit.p_value() - 0.0578).abs() < 0.0001);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn goodness_of_fit_of<K: Borrow<T>>(
        &self,
        samples: impl IntoIterator<Item = K>,
    ) -> Result<GoodnessOfFit<W>, Error> {
        self.goodness_of_fit(samples.into_iter().map(|sample| (sample, 1)))
    }

    fn fit(&self, observed: &[u64], observations: u64) -> Result<GoodnessOfFit<W>, Error> {
        if observations == 0 {
            return Err(Error::NoObservations);
        }
        let least = BigRational::new(LEAST_EXPECTED.into(), observations.into());
        let least = W::threshold(&self.total, &least).lowered(self.relative_error());
        let mut pools: Vec<(usize, W)> = Vec::new();
        let mut pool = W::nothing();
        for (end, weight) in (1..).zip(&self.weights) {
            pool.add(weight);
            if pool >= least {
                pools.push((end, std::mem::replace(&mut pool, W::nothing())));
            }
        }
        if let Some((end, last)) = pools.last_mut() {
            *end = self.len();
            last.add(&pool);
        }
        if pools.len() < 2 {
            return Err(Error::TooFewObservations {
                observations,
                outcomes: self.len(),
            });
        }
        let n = number::<W>(observations);
        let mut fit = GoodnessOfFit {
            observations,
            cells: Vec::with_capacity(pools.len()),
            terms: Vec::with_capacity(pools.len()),
            scale: n.times(&self.total),
        };
        let mut start = 0;
        for (end, weight) in pools {
            let count: u64 = observed[start..end].iter().sum();
            let expected = n.times(&weight);
            let distance = number::<W>(count).times(&self.total).distance(&expected);
            fit.cells.push(Cell {
                places: start..end,
                observed: count,
                expected: W::nearest(&expected, &self.total),
            });
            fit.terms.push((distance.times(&distance), weight));
            start = end;
        }
        Ok(fit)
    }
}

/// A count as a weight over a total of one.
fn number<W: Weight>(count: u64) -> W {
    W::threshold(&W::unit(), &BigRational::from_integer(count.into()))
}

/// The sum of one or two fractions.
fn add<W: Weight>(fractions: &[(W, W)]) -> (W, W) {
    match fractions {
        [(a, b), (c, d)] => {
            let mut sum = a.times(d);
            sum.add(&c.times(b));
            (sum, b.times(d))
        }
        _ => fractions
            .first()
            .cloned()
            .unwrap_or((W::nothing(), W::unit())),
    }
}

impl<W: Weight> GoodnessOfFit<W> {
    /// Returns Pearson's statistic as a double. It is 0 if everything was observed as often as
    /// expected, and about as large as the degrees of freedom if the distribution is true.
    ///
    /// For an exact distribution, each term of the k cells is rounded once and all are nonnegative,
    /// so the relative error is at most k · 2⁻⁵³.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let fit = Dist::die(2)?.goodness_of_fit([(1, 60), (2, 40)])?;
    /// assert_eq!(fit.statistic(), 4.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn statistic(&self) -> f64 {
        let term = |(square, weight): &(W, W)| W::nearest(square, &weight.times(&self.scale));
        self.terms.iter().map(term).sum()
    }

    /// Returns Pearson's statistic, without any rounding if the distribution is exact.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the denominator, about the product of the cells' weights,
    /// could take more than 4,096 words.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let fit = Dist::die(3)?.goodness_of_fit([(1, 6), (2, 7), (3, 4)])?;
    /// assert_eq!(fit.exact_statistic()?.to_string(), "14/17");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact_statistic(&self) -> Result<W::Ratio, Error> {
        if !W::EXACT {
            let term = |(square, weight): &(W, W)| W::ratio(square, &weight.times(&self.scale));
            return Ok(self
                .terms
                .iter()
                .map(term)
                .fold(W::Ratio::zero(), |a, b| a + b));
        }
        let words = self.terms.iter().map(|(_, weight)| weight.words(1)).sum();
        if words > LARGEST_FRACTION {
            return Err(Error::TooLarge {
                operation: format!("the chi-square statistic of {} cells", self.cells.len()),
                words,
                limit: LARGEST_FRACTION as u64,
            });
        }
        // By halves, so that most additions have short operands, and reduced once.
        let mut terms = self.terms.clone();
        while terms.len() > 1 {
            terms = terms.chunks(2).map(add::<W>).collect();
        }
        let zero = W::Ratio::zero();
        let ratio = |(part, whole): (W, W)| W::ratio(&part, &whole.times(&self.scale));
        Ok(terms.pop().map_or(zero, ratio))
    }

    /// Returns the degrees of freedom: the number of cells minus one, at least 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let fit = Dist::die(6)?.goodness_of_fit([(1, 7), (2, 5), (4, 3), (5, 6)])?;
    /// // 21 observations, 3.5 of each face: three cells.
    /// assert_eq!(fit.degrees_of_freedom(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        self.cells.len() - 1
    }

    /// Returns the p-value: the probability that a chi-square variable with these degrees of
    /// freedom is at least as large as the statistic. It is small if the observations hardly fit
    /// the distribution.
    ///
    /// For a statistic x and k degrees of freedom, this is the regularised upper incomplete gamma
    /// function Q(k/2, x/2), computed as a finite sum of positive terms, with an added error
    /// function if k is odd (M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions",
    /// 26.4.4 and 26.4.5). The relative error of Q is at most (2k + x/50 + 100) · 2⁻⁵³ if the value
    /// is above 10⁻³⁰⁰. Below that, the absolute error is less than 10⁻³⁰⁰, and the result may
    /// be 0. The chi-square distribution of the statistic of finitely many observations is itself
    /// an approximation, and a much coarser one.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // With two degrees of freedom, e^(−x/2).
    /// let fit = Dist::die(3)?.goodness_of_fit([(1, 12), (2, 10), (3, 8)])?;
    /// assert_eq!(fit.statistic(), 0.8);
    /// assert!((fit.p_value() - (-0.4_f64).exp()).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// k/2 multiplications.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        chi_square::upper_tail(self.statistic(), self.degrees_of_freedom() as u64)
    }

    /// Returns the number of observations.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let fit = Dist::die(2)?.goodness_of_fit([(1, 60), (2, 40)])?;
    /// assert_eq!(fit.observations(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn observations(&self) -> u64 {
        self.observations
    }

    /// Returns the cells in ascending order, which together contain every outcome once.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let fit = Dist::ndice(2, 6)?.goodness_of_fit([(7, 36)])?;
    /// // 2 to 4, 5 and 6, 7, 8 to 12: 6, 9, 6 and 15 are expected.
    /// let expected: Vec<f64> = fit.cells().iter().map(|cell| cell.expected).collect();
    /// assert_eq!(expected, [6.0, 9.0, 6.0, 5.0, 10.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

/// Displays one line with the statistic, its degrees of freedom, the p-value and the numbers it is
/// based on.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let counts = [(1, 25), (2, 17), (3, 15), (4, 23), (5, 24), (6, 16)];
/// let fit = Dist::die(6)?.goodness_of_fit(counts)?;
/// let told = "χ² = 5.0000 with 5 degrees of freedom, p = 0.4159 (120 observations in 6 cells)";
/// assert_eq!(fit.to_string(), told);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<W: Weight> fmt::Display for GoodnessOfFit<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "χ² = {:.4} with {} degrees of freedom, p = {:.4} ({} observations in {} cells)",
            self.statistic(),
            self.degrees_of_freedom(),
            self.p_value(),
            self.observations,
            self.cells.len()
        )
    }
}
