//! Constructors from outcomes and their weights.

use crate::power::{check_size, ending};
use crate::ratio::{nonnegative, over_common_denominator, probability};
use crate::reduce::reduce;
use crate::rounding::Roundings;
use crate::{DEFAULT_LIMIT, Dist, Error, IntoRatio};
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::One;

impl<T: Ord> Dist<T> {
    /// Creates the distribution of a single outcome.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::certain("rain").p(&"rain").to_string(), "1");
    /// ```
    #[must_use]
    #[doc(alias = "constant")]
    pub fn certain(outcome: T) -> Self {
        Dist::point(outcome)
    }

    /// Creates the distribution in which every item is equally likely. An item given twice is twice
    /// as likely.
    ///
    /// # Errors
    ///
    /// [`Error::EmptySupport`] without items, and [`Error::TooLarge`] for more than
    /// [`DEFAULT_LIMIT`] items, such as those of an endless iterator.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let average_die = Dist::uniform([2, 3, 3, 4, 4, 5])?;
    /// assert_eq!(average_die.p(&3).to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n log n) comparisons for n items, O(n) if they are in order.
    pub fn uniform(items: impl IntoIterator<Item = T>) -> Result<Self, Error> {
        // Collect the bare items first, so that an endless iterator is detected with little memory.
        let items = ending("items", items).collect::<Result<Vec<_>, _>>()?;
        let pairs: Vec<_> = items
            .into_iter()
            .map(|item| (item, BigUint::one()))
            .collect();
        let total = BigUint::from(pairs.len());
        Dist::gather(pairs, total, Roundings::default())
    }

    /// Creates a distribution from outcomes and their relative weights, which may have any positive
    /// sum. Weights of the same outcome add up; outcomes of weight zero are left out.
    ///
    /// # Errors
    ///
    /// [`Error::NegativeWeight`], [`Error::EmptySupport`] without outcomes, [`Error::ZeroTotal`] if
    /// all weights are zero, [`Error::TooLarge`] if the weights take more than [`DEFAULT_LIMIT`]
    /// words over one denominator (such as those of an endless iterator), and the errors of
    /// [`into_ratio`](IntoRatio::into_ratio).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let weather = Dist::from_weights([("rain", 3), ("sun", 1)])?;
    /// assert_eq!(weather.p(&"rain").to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n log n) comparisons for n outcomes, O(n) if they are in order.
    pub fn from_weights<V: IntoRatio>(
        weights: impl IntoIterator<Item = (T, V)>,
    ) -> Result<Self, Error> {
        let (outcomes, ratios) = read(weights)?;
        let (counts, _) = over_common_denominator(&ratios)?;
        let total = counts.iter().sum();
        Dist::gather(
            outcomes.into_iter().zip(counts).collect(),
            total,
            Roundings::default(),
        )
    }

    /// Creates a distribution from outcomes and their probabilities, which must sum to one.
    /// Probabilities of the same outcome add up; outcomes of probability zero are left out.
    ///
    /// # Errors
    ///
    /// [`Error::SumNotOne`], and otherwise the same as for [`from_weights`](Dist::from_weights).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let attack = Dist::from_probabilities([("hit", "0.55"), ("miss", "2/5"), ("critical", "1/20")])?;
    /// assert_eq!(attack.p(&"hit").to_string(), "11/20");
    /// assert!(Dist::from_probabilities([(1, "1/2"), (2, "1/3")]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_probabilities<V: IntoRatio>(
        probabilities: impl IntoIterator<Item = (T, V)>,
    ) -> Result<Self, Error> {
        let (outcomes, ratios) = read(probabilities)?;
        let (counts, denominator) = over_common_denominator(&ratios)?;
        let sum: BigUint = counts.iter().sum();
        if !outcomes.is_empty() && sum != denominator {
            // Unrelated denominators multiply, and reducing the product would take longer than
            // reading all the input. A fraction too long to be displayed is therefore reported
            // unreduced.
            let sum = match denominator.bits() {
                ..=LONGEST_REDUCED => reduce(sum.into(), &denominator),
                _ => BigRational::new_raw(sum.into(), denominator.into()),
            };
            return Err(Error::SumNotOne { sum });
        }
        Dist::gather(
            outcomes.into_iter().zip(counts).collect(),
            sum,
            Roundings::default(),
        )
    }

    /// Creates a distribution from outcomes, distinct or repeated, with integer counts and their
    /// stated total. This is the inverse of [`into_parts`](Dist::into_parts).
    ///
    /// # Errors
    ///
    /// [`Error::WrongTotal`] if the counts do not sum to `total`, [`Error::EmptySupport`],
    /// [`Error::ZeroTotal`], and [`Error::TooLarge`] for more than [`DEFAULT_LIMIT`] pairs.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let (pairs, total) = Dist::ndice(2, 6)?.into_parts();
    /// assert_eq!(total, 36u32.into());
    /// assert_eq!(Dist::from_parts(pairs, total)?, Dist::ndice(2, 6)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_parts(
        pairs: impl IntoIterator<Item = (T, BigUint)>,
        total: BigUint,
    ) -> Result<Self, Error> {
        let pairs = ending("pairs", pairs).collect::<Result<Vec<_>, _>>()?;
        let sum: BigUint = pairs.iter().map(|(_, count)| count).sum();
        if !pairs.is_empty() && sum != total {
            return Err(Error::WrongTotal { stated: total, sum });
        }
        Dist::gather(pairs, total, Roundings::default())
    }

    /// Returns the same distribution with weights divided by their greatest common divisor.
    ///
    /// Operations never do this on their own: a gcd per operation would cost more than it saves,
    /// and totals such as 36 for two dice are worth keeping.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let even = Dist::die(6)?.map(|pips| pips % 2 == 0);
    /// assert_eq!(even.total(), &6u32.into());
    /// assert_eq!(even.lowest_terms().total(), &2u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lowest_terms(mut self) -> Self {
        let common = self.common_factor();
        if common.is_one() {
            return self;
        }
        for weight in &mut self.weights {
            *weight /= &common;
        }
        self.total /= common;
        self
    }
}

impl Dist<bool> {
    /// Creates the distribution of `true` with probability `p`, and `false` otherwise.
    ///
    /// # Errors
    ///
    /// [`Error::NotAProbability`] outside 0 ..= 1, and the errors of
    /// [`into_ratio`](IntoRatio::into_ratio).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let six = Dist::bernoulli("1/6")?;
    /// assert_eq!(six.p(&false).to_string(), "5/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bernoulli(p: impl IntoRatio) -> Result<Self, Error> {
        let p = probability(p)?;
        let (success, total) = (p.numer().magnitude(), p.denom().magnitude());
        let failure = total - success;
        let pairs = vec![(false, failure), (true, success.clone())];
        Dist::gather(pairs, total.clone(), Roundings::default())
    }
}

/// The largest number of bits of a denominator for which a refused sum is reduced to lowest terms,
/// which takes a millisecond at most.
const LONGEST_REDUCED: u64 = 1 << 16;

type Columns<T> = (Vec<T>, Vec<BigRational>);

fn read<T, V: IntoRatio>(pairs: impl IntoIterator<Item = (T, V)>) -> Result<Columns<T>, Error> {
    let (mut outcomes, mut ratios) = (Vec::new(), Vec::new());
    for (position, (outcome, number)) in pairs.into_iter().enumerate() {
        let count = outcomes.len() + 1;
        let operation = || format!("a distribution of {count} weights or more");
        check_size(operation, count as u128, 1, DEFAULT_LIMIT)?;
        outcomes.push(outcome);
        ratios.push(nonnegative(position, number)?);
    }
    Ok((outcomes, ratios))
}
