//! The two kinds of numbers a game can be solved in.

mod denominator;
mod exact;
mod float;
mod limbs;

use std::fmt::{Debug, Display};

use num_bigint::BigUint;
use num_traits::{FromPrimitive, NumAssign, ToPrimitive};
use oddsmith_dice::{Dist, Weight};

pub use exact::Exact;
pub use float::Float;

use crate::model::Model;
use crate::progress::Observer;
use crate::{Error, Game, Score, Tolerance};

/// The kind of numbers a game is solved in: [`Exact`] or [`Float`].
///
/// The algorithms are written once over this trait, so an exact answer and its
/// float twin come from the same code. It is sealed: its machinery may change.
///
/// # Examples
/// A function that leaves the choice to its caller:
/// ```
/// # use oddsmith_mdp::{Game, Node};
/// # struct Coin;
/// # impl Game for Coin {
/// #     type State = u8;
/// #     type Action = ();
/// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
/// #         if state > 0 { return node.end(state - 1); }
/// #         node.chance().to(1, 2).to(2, 1);
/// #     }
/// # }
/// use oddsmith_mdp::{Error, Exact, Float, Number, Solver};
///
/// fn value<N: Number>(solver: Solver<'_, N>) -> Result<N::Value, Error> {
///     Ok(solver.solve(&Coin, 0)?.value())
/// }
/// assert_eq!(value(Solver::exact())?.to_string(), "1/3");
/// assert!((value(Solver::float())? - 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Number: sealed::Sealed + Sized {
    /// What a value is outside: [`BigRational`](num_rational::BigRational) or
    /// `f64`.
    type Value: Clone + Debug + Display + PartialOrd + NumAssign + FromPrimitive + ToPrimitive;
    /// The weight of a [`Dist`](oddsmith_dice::Dist) of these numbers:
    /// [`BigUint`] or `f64`.
    type Mass: Mass + Weight<Ratio = Self::Value>;
    #[doc(hidden)]
    type Store: Store<Value = Self::Value, Mass = Self::Mass>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Exact {}
    impl Sealed for super::Float {}
}

/// Whether so many bytes can be had at all, whatever limit was set: asking
/// first turns an abort into an error.
pub(crate) fn fits(bytes: u128) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// The values of all states in one kind of numbers, and the arithmetic of
/// backward induction on them.
pub trait Store: Sized {
    /// A value being computed.
    type Slot: Clone;
    type Value;
    type Mass: Mass;

    /// Makes room for the values of `model`, reading it as often as needed.
    fn prepare<G: Game + ?Sized, M: Model<G>>(
        game: &G,
        model: &M,
        max_bytes: u128,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error>;

    fn slot(&self) -> Self::Slot;
    /// slot = 0
    fn clear(&self, slot: &mut Self::Slot);
    /// slot += weight * value of `number`
    fn add(&self, slot: &mut Self::Slot, number: usize, weight: u64);
    /// slot /= total
    fn divide(&self, slot: &mut Self::Slot, total: u64);
    /// value of `number` = score; false if these numbers cannot hold it
    #[must_use]
    fn put_score(&mut self, number: usize, score: &Score) -> bool;
    /// value of `number` = slot
    fn put(&mut self, number: usize, slot: &Self::Slot);
    /// slot = value of `number`
    fn load(&self, slot: &mut Self::Slot, number: usize);
    /// `best` was chosen although `rejected` was there: if rounding hid that the
    /// latter is better, the error of the former's value is the latter's.
    fn doubt(&self, best: &mut Self::Slot, rejected: &Self::Slot);
    /// Whether `candidate` displaces `incumbent`.
    fn prefers(
        &self,
        candidate: &Self::Slot,
        incumbent: &Self::Slot,
        tolerance: &Tolerance,
    ) -> bool;
    /// Whether both are equal as far as these numbers can tell.
    fn ties(&self, a: &Self::Slot, b: &Self::Slot) -> bool;
    fn value(&self, slot: &Self::Slot) -> Self::Value;
    /// A bound on the absolute error of the value of `number`.
    fn error(&self, number: usize) -> f64;
    /// The probability one, as a mass that can be shared out along every path.
    fn whole(&self) -> Self::Mass;
}

/// A probability on its way forward through a game: an integer that stays one
/// at every division, or a float.
pub trait Mass: Weight + Clone {
    /// `whole` itself, or one for a float unless `whole` is zero.
    #[doc(hidden)]
    #[must_use]
    fn start(whole: &BigUint) -> Self;
    /// `self *= factor`; a float stays as it is.
    #[doc(hidden)]
    fn stretch(&mut self, factor: &BigUint);
    /// `self * weight / total`; exact, since `self` is a multiple of `total`.
    #[doc(hidden)]
    #[must_use]
    fn share(&self, weight: u64, total: u64) -> Self;
    #[doc(hidden)]
    fn gain(&mut self, other: Self);
    #[doc(hidden)]
    fn is_nothing(&self) -> bool;
    #[doc(hidden)]
    fn law<T: Ord>(weights: Vec<(T, Self)>) -> Result<Dist<T, Self>, oddsmith_dice::Error>;
}

impl Mass for BigUint {
    fn start(whole: &BigUint) -> Self {
        whole.clone()
    }

    fn stretch(&mut self, factor: &BigUint) {
        *self *= factor;
    }

    fn share(&self, weight: u64, total: u64) -> Self {
        self / total * weight
    }

    fn gain(&mut self, other: Self) {
        *self += other;
    }

    fn is_nothing(&self) -> bool {
        *self == BigUint::ZERO
    }

    fn law<T: Ord>(weights: Vec<(T, Self)>) -> Result<Dist<T>, oddsmith_dice::Error> {
        let total = weights.iter().map(|(_, weight)| weight).sum();
        Dist::from_parts(weights, total)
    }
}

impl Mass for f64 {
    fn start(whole: &BigUint) -> Self {
        f64::from(u8::from(*whole != BigUint::ZERO))
    }

    fn stretch(&mut self, _: &BigUint) {}

    fn share(&self, weight: u64, total: u64) -> Self {
        self * weight as f64 / total as f64
    }

    fn gain(&mut self, other: Self) {
        *self += other;
    }

    fn is_nothing(&self) -> bool {
        *self == 0.0
    }

    fn law<T: Ord>(weights: Vec<(T, Self)>) -> Result<Dist<T, f64>, oddsmith_dice::Error> {
        Dist::from_float_weights(weights)
    }
}
