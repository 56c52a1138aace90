//! Mixed strategies: a probability for each row, or for each column.

use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_dice::{Dist, IntoRatio};

use super::probabilities;
use crate::Error;

/// A mixed strategy: the probability of each row, or of each column.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Strategy;
///
/// let mixed = Strategy::new([(1, 3), (0, 1), (2, 3)])?;
/// assert_eq!(mixed.support(), [0, 2]);
/// assert_eq!(mixed.p(2).to_string(), "2/3");
/// assert_eq!(mixed.to_string(), "(1/3, 0, 2/3)");
/// assert!(Strategy::new(["0.5", "0.6"]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Nonnegative numbers without a common divisor that add up to `total`.
    weights: Vec<BigInt>,
    total: BigInt,
}

/// The maximum number of probabilities, since an iterator may be endless.
const MOST: usize = 1_000_000;

fn too_many() -> Error {
    Error::BadStrategy {
        what: format!("its probabilities exceed the limit of {MOST}"),
    }
}

impl Strategy {
    /// Creates a strategy from probabilities in the order of the rows or columns.
    ///
    /// # Errors
    /// [`Error::BadStrategy`] if a probability is negative, if they do not add up to 1, or if there
    /// are more than a million of them (or endlessly many); [`Error::Dice`] if one is not a number.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Strategy;
    /// assert_eq!(Strategy::new(["0.25", "0.75"])?.to_string(), "(1/4, 3/4)");
    /// assert!(Strategy::new([(3, 2), (-1, 2)]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<P: IntoRatio>(probabilities: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        let ratios: Result<Vec<BigRational>, _> = probabilities
            .into_iter()
            .take(MOST + 1)
            .map(IntoRatio::into_ratio)
            .collect();
        let ratios = ratios?;
        if ratios.len() > MOST {
            return Err(too_many());
        }
        let (weights, total) = self::probabilities(&ratios)?;
        Ok(Strategy { weights, total })
    }

    /// Creates the strategy that always plays `index`, one of `count`.
    ///
    /// # Errors
    /// [`Error::BadStrategy`] unless `index < count`, and if `count` is more than a million, as for
    /// [`new`](Strategy::new).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Strategy;
    /// assert_eq!(Strategy::pure(1, 3)?.to_string(), "(0, 1, 0)");
    /// assert!(Strategy::pure(3, 3).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pure(index: usize, count: usize) -> Result<Self, Error> {
        if index >= count {
            return Err(Error::BadStrategy {
                what: format!("{index} must be below {count}"),
            });
        }
        if count > MOST {
            return Err(too_many());
        }
        Ok(Self::certain(index, count))
    }

    /// Does the same as [`pure`](Strategy::pure) for an action of a matrix, which has its own
    /// limit.
    pub(super) fn certain(index: usize, count: usize) -> Self {
        let mut weights = vec![BigInt::zero(); count];
        weights[index] = BigInt::one();
        Strategy {
            weights,
            total: BigInt::one(),
        }
    }

    /// Creates a strategy from weights that are known to be nonnegative and not all zero.
    pub(super) fn from_weights(mut weights: Vec<BigInt>) -> Self {
        let divisor = weights.iter().fold(BigInt::zero(), |gcd, w| gcd.gcd(w));
        if !divisor.is_one() && !divisor.is_zero() {
            weights.iter_mut().for_each(|weight| *weight /= &divisor);
        }
        let total = weights.iter().sum();
        Strategy { weights, total }
    }

    /// Returns the number of pure strategies, including those that are not played.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_mdp::Strategy::pure(1, 3)?.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Always returns `false`: probabilities that add up to 1 are at least one.
    ///
    /// # Examples
    /// ```
    /// assert!(!oddsmith_mdp::Strategy::pure(0, 1)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Returns the probability of `index`, which is zero beyond the last.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Strategy;
    /// let mixed = Strategy::new([(1, 5), (4, 5)])?;
    /// assert_eq!((mixed.p(1).to_string(), mixed.p(2).to_string()), ("4/5".into(), "0".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn p(&self, index: usize) -> BigRational {
        match self.weights.get(index) {
            Some(weight) => BigRational::new(weight.clone(), self.total.clone()),
            None => BigRational::zero(),
        }
    }

    /// Iterates over all probabilities in order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Strategy;
    /// let texts: Vec<String> = Strategy::new([(1, 4), (3, 4)])?
    ///     .probabilities()
    ///     .map(|p| p.to_string())
    ///     .collect();
    /// assert_eq!(texts, ["1/4", "3/4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probabilities(&self) -> impl Iterator<Item = BigRational> + '_ {
        (0..self.len()).map(|index| self.p(index))
    }

    /// Returns the pure strategies that are played with positive probability, in ascending order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Strategy;
    /// assert_eq!(Strategy::new([(0, 1), (1, 2), (0, 1), (1, 2)])?.support(), [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn support(&self) -> Vec<usize> {
        let played = self.weights.iter().enumerate();
        played
            .filter(|(_, weight)| !weight.is_zero())
            .map(|(index, _)| index)
            .collect()
    }

    /// Returns the only pure strategy that is played, or `None` if several are.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Strategy;
    /// assert_eq!(Strategy::pure(1, 3)?.as_pure(), Some(1));
    /// assert_eq!(Strategy::new([(1, 2), (1, 2)])?.as_pure(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn as_pure(&self) -> Option<usize> {
        match *self.support() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the strategy as a distribution over the numbers of the rows or columns.
    ///
    /// # Errors
    /// Those of [`Dist::from_parts`]; none are known.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Strategy;
    /// let dist = Strategy::new([(1, 3), (0, 1), (2, 3)])?.dist()?;
    /// assert_eq!(dist.p(&2).to_string(), "2/3");
    /// assert_eq!(dist.support(), [0, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dist(&self) -> Result<Dist<usize>, Error> {
        let weights = self.support().into_iter();
        let weights = weights.map(|index| (index, self.weights[index].magnitude().clone()));
        Ok(Dist::from_parts(
            weights.collect::<Vec<_>>(),
            self.total.magnitude().clone(),
        )?)
    }

    pub(super) fn weights(&self) -> &[BigInt] {
        &self.weights
    }

    pub(super) fn total(&self) -> &BigInt {
        &self.total
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, p) in self.probabilities().enumerate() {
            let before = if index == 0 { "(" } else { ", " };
            write!(f, "{before}{p}")?;
        }
        f.write_str(")")
    }
}
