//! The number types in which policies are followed: fractions and floats.

use std::fmt::{Debug, Display};

use num_rational::BigRational;
use num_traits::{FromPrimitive, NumAssign, One, ToPrimitive};
use oddsmith_mdp::{Error, Solver};

use super::limits::RING_IN_FRACTIONS;
use super::route::{Followed, Route};
use crate::Evaluation;

/// The number type of a [`Journey`](crate::Journey): fractions
/// ([`BigRational`]) or floats (`f64`).
///
/// The trait is sealed, since its internals may change.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Error, Probability};
/// use oddsmith_mdp::AtRandom;
///
/// fn lucky<V: Probability>(book: &Book) -> Result<V, Error> {
///     let journey = book.follow_up_to::<V>(&Hero::new(7, 14, 7)?, AtRandom, 1_000)?;
///     Ok(journey.value().clone())
/// }
/// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
/// assert_eq!(lucky::<num_rational::BigRational>(&book)?.to_string(), "7/12");
/// assert!((lucky::<f64>(&book)? - 7.0 / 12.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Probability:
    Clone
    + Debug
    + Display
    + PartialOrd
    + NumAssign
    + FromPrimitive
    + ToPrimitive
    + sealed::Sealed
    + 'static
{
}

impl Probability for f64 {}
impl Probability for BigRational {}

pub(crate) mod sealed {
    use super::{Error, Evaluation, Followed, Route};

    #[cfg(feature = "serde")]
    pub(crate) use oddsmith_mdp::written::Written;

    /// Without the feature `serde`, nothing is written.
    #[cfg(not(feature = "serde"))]
    pub trait Written {}
    #[cfg(not(feature = "serde"))]
    impl<V> Written for V {}

    pub trait Sealed: Sized + Written {
        #[doc(hidden)]
        fn follow(route: &Route<'_>) -> Result<Followed<Self>, Error>;

        #[doc(hidden)]
        fn evaluate(route: &Route<'_>) -> Result<Evaluation<Self>, Error>;
    }
}

/// A sum of rounded parts may exceed 1, which no chance does.
pub(crate) fn chance<V: PartialOrd + One>(sum: V) -> V {
    match sum > V::one() {
        true => V::one(),
        false => sum,
    }
}

impl sealed::Sealed for f64 {
    fn follow(route: &Route<'_>) -> Result<Followed<f64>, Error> {
        route.follow(Solver::float, usize::MAX)
    }

    fn evaluate(route: &Route<'_>) -> Result<Evaluation<f64>, Error> {
        route.evaluate(Solver::float, usize::MAX)
    }
}

impl sealed::Sealed for BigRational {
    fn follow(route: &Route<'_>) -> Result<Followed<BigRational>, Error> {
        route.follow(Solver::exact, RING_IN_FRACTIONS)
    }

    fn evaluate(route: &Route<'_>) -> Result<Evaluation<BigRational>, Error> {
        route.evaluate(Solver::exact, RING_IN_FRACTIONS)
    }
}
