//! Outcomes that are numbers, of any width.

use crate::reduce::lacking;
use crate::{Dist, Weight};
use num_bigint::{BigInt, BigUint};
use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, Zero};

/// An outcome that is a number, so that distributions of it have a mean and other moments: integers
/// of every width, `bool` (0 and 1), [`BigInt`], [`BigUint`], [`BigRational`], `Ratio` of the
/// primitive integers, and any type of your own that defines which number it is.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{BigRational, Dist, Numeric};
///
/// let ids = Dist::uniform([u64::MAX, u64::MAX - 1])?;
/// assert_eq!(ids.mean().to_string(), "36893488147419103229/2");
/// assert_eq!(ids.variance().to_string(), "1/4");
///
/// #[derive(PartialEq, Eq, PartialOrd, Ord)]
/// struct Halves(i64);
/// impl Numeric for Halves {
///     fn as_fraction(&self) -> BigRational {
///         BigRational::new(self.0.into(), 2.into())
///     }
/// }
/// assert_eq!(Dist::uniform([Halves(1), Halves(2)])?.mean().to_string(), "3/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number, so a distribution of it has no mean",
    label = "expected an integer, `bool`, a fraction, or a type that implements `Numeric`",
    note = "`Dist::expectation` computes the mean of any function of an outcome"
)]
pub trait Numeric {
    /// Returns the exact number. A fraction with denominator zero, which is not a number, makes
    /// moments zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Numeric;
    ///
    /// assert_eq!(i128::MIN.as_fraction().to_string(), "-170141183460469231731687303715884105728");
    /// ```
    fn as_fraction(&self) -> BigRational;

    /// Returns the number as a 64-bit integer, or `None` if it does not fit or is not provided.
    /// Moments are computed faster if all outcomes have one. It must be equal to
    /// [`as_fraction`](Self::as_fraction).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Numeric;
    ///
    /// assert_eq!(true.as_integer(), Some(1));
    /// assert_eq!(u64::MAX.as_integer(), None);
    /// ```
    fn as_integer(&self) -> Option<i64> {
        None
    }
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl Numeric for $int {
            fn as_fraction(&self) -> BigRational {
                BigRational::from_integer(BigInt::from(*self))
            }

            fn as_integer(&self) -> Option<i64> {
                i64::try_from(*self).ok()
            }
        }

        impl Numeric for Ratio<$int> {
            fn as_fraction(&self) -> BigRational {
                positive(BigInt::from(*self.numer()), BigInt::from(*self.denom()))
            }
        }
    )*};
}
integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Numeric for bool {
    fn as_fraction(&self) -> BigRational {
        BigRational::from_integer(u8::from(*self).into())
    }

    fn as_integer(&self) -> Option<i64> {
        Some((*self).into())
    }
}

impl Numeric for BigInt {
    fn as_fraction(&self) -> BigRational {
        BigRational::from_integer(self.clone())
    }

    fn as_integer(&self) -> Option<i64> {
        i64::try_from(self).ok()
    }
}

impl Numeric for BigUint {
    fn as_fraction(&self) -> BigRational {
        BigRational::from_integer(self.clone().into())
    }

    fn as_integer(&self) -> Option<i64> {
        i64::try_from(self).ok()
    }
}

impl Numeric for BigRational {
    fn as_fraction(&self) -> BigRational {
        positive(self.numer().clone(), self.denom().clone())
    }
}

/// The fraction with its sign in the numerator. It is not reduced.
fn positive(numerator: BigInt, denominator: BigInt) -> BigRational {
    match denominator.is_negative() {
        true => BigRational::new_raw(-numerator, -denominator),
        false => BigRational::new_raw(numerator, denominator),
    }
}

/// Outcomes as integers over one denominator.
pub(crate) struct Scaled {
    pub(crate) numerators: Vec<BigInt>,
    pub(crate) denominator: BigUint,
}

impl Scaled {
    /// The largest absolute value of a numerator.
    pub(crate) fn extreme(&self) -> BigUint {
        let sizes = self.numerators.iter().map(BigInt::magnitude);
        sizes.max().cloned().unwrap_or_default()
    }
}

/// Outcomes as integers, over a denominator if not all fit into 64 bits.
pub(crate) enum Numbers {
    Whole(Vec<i64>),
    Scaled(Scaled),
}

impl Numbers {
    /// Subtracts a median from each.
    pub(crate) fn less_a_median<W: Weight>(self, weights: &[W], total: &W) -> Self {
        match self {
            Numbers::Whole(numbers) => {
                let middle = numbers[median(&numbers, weights, total)];
                let less = numbers.iter().map(|x| x.checked_sub(middle));
                match less.collect() {
                    Some(less) => Numbers::Whole(less),
                    None => Numbers::Scaled(Scaled {
                        numerators: numbers
                            .iter()
                            .map(|&x| BigInt::from(i128::from(x) - i128::from(middle)))
                            .collect(),
                        denominator: BigUint::one(),
                    }),
                }
            }
            Numbers::Scaled(mut scaled) => {
                let at = median(&scaled.numerators, weights, total);
                let middle = scaled.numerators[at].clone();
                for numerator in &mut scaled.numerators {
                    *numerator -= &middle;
                }
                Numbers::Scaled(scaled)
            }
        }
    }

    /// Each as a number in which moments are computed.
    pub(crate) fn ratios<W: Weight>(&self) -> Vec<W::Ratio> {
        let closest = |number| W::closest(&number);
        match self {
            Numbers::Whole(numbers) => numbers
                .iter()
                .map(|&x| BigRational::from_integer(x.into()))
                .map(closest)
                .collect(),
            Numbers::Scaled(scaled) => {
                let whole = BigInt::from(scaled.denominator.clone());
                let numerators = scaled.numerators.iter().cloned();
                numerators
                    .map(|x| BigRational::new_raw(x, whole.clone()))
                    .map(closest)
                    .collect()
            }
        }
    }
}

/// The position of a median of numbers in any order.
pub(crate) fn median<N: Ord, W: Weight>(numbers: &[N], weights: &[W], total: &W) -> usize {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&a, &b| numbers[a].cmp(&numbers[b]));
    let mut below = W::nothing();
    let reached = order.iter().find(|&&at| {
        below.add(&weights[at]);
        let mut twice = below.clone();
        twice.add(&below);
        twice >= *total
    });
    reached.or(order.last()).copied().unwrap_or(0)
}

impl<T: Numeric, W> Dist<T, W> {
    /// All outcomes, as 64-bit integers if all fit.
    pub(crate) fn numbers(&self) -> Numbers {
        match self.integers() {
            Some(integers) => Numbers::Whole(integers),
            None => Numbers::Scaled(self.scaled()),
        }
    }

    /// All outcomes as 64-bit integers, if all fit.
    pub(crate) fn integers(&self) -> Option<Vec<i64>> {
        self.outcomes.iter().map(T::as_integer).collect()
    }

    /// All outcomes over their least common denominator.
    pub(crate) fn scaled(&self) -> Scaled {
        let fractions: Vec<BigRational> = self.outcomes.iter().map(T::as_fraction).collect();
        let mut common = BigUint::one();
        let mut last = BigInt::one();
        for fraction in &fractions {
            // In most laws, this is the same denominator as before.
            if *fraction.denom() != last {
                common *= lacking(&common, fraction.denom().magnitude());
                last = fraction.denom().clone();
            }
        }
        let whole = BigInt::from(common.clone());
        let numerators = fractions.into_iter().map(|fraction| {
            let (numerator, denominator) = fraction.into_raw();
            match whole.checked_div(&denominator) {
                Some(factor) if factor.is_one() => numerator,
                Some(factor) => numerator * factor,
                None => BigInt::zero(),
            }
        });
        Scaled {
            numerators: numerators.collect(),
            denominator: common,
        }
    }
}
