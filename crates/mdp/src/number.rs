//! The kinds of numbers in which a game can be solved.

mod denominator;
mod enclosure;
mod exact;
mod float;
mod limbs;
mod multiple;
mod score_range;
mod totals;

use std::cmp::Ordering;
use std::fmt::{Debug, Display};

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{FromPrimitive, NumAssign, One, ToPrimitive};
use oddsmith_dice::{Dist, Weight};

pub use enclosure::Certified;
pub(crate) use enclosure::{Enclosed, Enclosures, LARGEST, around};
pub use exact::Exact;
pub use float::Float;
pub(crate) use multiple::{cover, share};

use crate::cycle::{self, Cycle, Departures, Part};
use crate::model::Model;
use crate::odds::{Amount, Odds};
use crate::progress::Observer;
use crate::reward::Reward;
use crate::{Error, Game, Player, Score, Tolerance, score};

/// The kind of numbers in which a game is solved: [`Exact`], [`Float`] or [`Certified`], or one of
/// these with cycles allowed ([`Cyclic`](crate::Cyclic)).
///
/// The algorithms are written once, over this trait, so exact and float answers come from the same
/// code. The trait is sealed, and its internals may change.
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
    /// The public type of a value: [`BigRational`](num_rational::BigRational) or `f64`.
    type Value: Clone + Debug + Display + PartialOrd + NumAssign + FromPrimitive + ToPrimitive;
    /// The weight type of a [`Dist`](oddsmith_dice::Dist) in these numbers: [`BigUint`] or `f64`.
    type Mass: Mass + Weight<Ratio = Self::Value>;
    #[doc(hidden)]
    type Store: Store<Value = Self::Value, Mass = Self::Mass>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Certified {}
    impl Sealed for super::Exact {}
    impl Sealed for super::Float {}
    impl<N> Sealed for crate::Cyclic<N> {}
}

/// Returns whether this many bytes can be allocated at all, whatever limit was set. Checking first
/// turns an abort into an error.
pub(crate) fn fits(bytes: u128) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// A chance that was added up from rounded parts, which may exceed 1, as no chance does.
pub(crate) fn at_most_one<V: PartialOrd + One>(sum: V) -> V {
    match sum > V::one() {
        true => V::one(),
        false => sum,
    }
}

/// Why a choice cannot be appraised in some kind of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unheld {
    /// Its weights are too far apart for floats.
    Weights,
    /// Its rewards add up to more than floats can hold.
    Reward,
    /// It differs from what it was when the numbers were prepared.
    Changed,
    /// The values so far take more bytes than allowed.
    Full {
        what: &'static str,
        states: usize,
        needed: u128,
        limit: u128,
    },
}

/// Why a choice was decided on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the best choice.
    Best,
    /// A tolerance certainly requires it.
    Decided,
    /// A tolerance seems to require it, but this is not certain.
    Doubtful,
}

/// The values of all states in one kind of numbers, and the arithmetic of backward induction on
/// them.
pub trait Store: Sized + Sync {
    /// A value that is being computed.
    type Slot: Clone + Send;
    type Value;
    type Mass: Mass;
    /// Whether this store can compute values of states that lead to each other.
    const CYCLES: bool = false;

    /// Allocates the values of `model`, reading it as often as needed.
    fn prepare<G: Game + ?Sized, M: Model<G>>(
        game: &G,
        model: &M,
        max_bytes: u128,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error>;

    fn slot(&self) -> Self::Slot;
    /// Sets the slot to the mean of the values of `targets` by these odds: the value of a choice of
    /// the state `number`.
    fn appraise(
        &self,
        number: usize,
        targets: &[u32],
        odds: &Odds<'_>,
        slot: &mut Self::Slot,
    ) -> Result<(), Unheld>;
    /// Adds to the slot what the choice with these odds, which has just been appraised, pays until
    /// its state is left: reward · total / leaving.
    fn pay(&self, reward: &Reward, odds: &Odds<'_>, slot: &mut Self::Slot) -> Result<(), Unheld>;
    /// Sets the value of `number` to a score. Returns false if these numbers cannot hold it.
    #[must_use]
    fn put_score(&mut self, number: usize, score: &Score) -> bool;
    /// Sets the value of `number` to the slot that `player` has decided on.
    fn put(&mut self, number: usize, slot: &mut Self::Slot, player: Player, verdict: Verdict);
    /// Completes the operations on a slot that were deferred until its number is read.
    fn settle(&self, slot: &mut Self::Slot);
    /// Records that `best` was chosen over `rejected`. Rounding may have hidden that the latter is
    /// better.
    fn doubt(&self, best: &mut Self::Slot, rejected: &Self::Slot);
    /// Returns whether `player` prefers `candidate` to `incumbent`, and whether that is certain
    /// under a tolerance.
    fn prefers(
        &self,
        candidate: &mut Self::Slot,
        incumbent: &mut Self::Slot,
        player: Player,
        tolerance: &Tolerance,
    ) -> (bool, bool);
    /// Returns whether two settled slots are equal as far as these numbers can tell.
    fn ties(&self, a: &Self::Slot, b: &Self::Slot) -> bool;
    /// Returns the number in a settled slot.
    fn value(&self, slot: &Self::Slot) -> Self::Value;
    /// Returns the value of the state `number`.
    fn value_of(&self, number: usize) -> Self::Value;
    /// Returns a bound on the absolute error of the value of `number`.
    fn error(&self, number: usize) -> f64;
    /// Returns the probability one as a mass that can be divided along every path.
    fn whole(&self) -> Self::Mass;
    /// Computes values and decisions of states that lead to each other. Called only for numbers
    /// with [`CYCLES`](Store::CYCLES).
    fn solve_cycle<G: Game + ?Sized, M: Model<G>>(
        &mut self,
        _: &G,
        _: &M,
        _: Cycle<'_, '_>,
    ) -> Result<(), Error> {
        Ok(())
    }
}

/// A probability that is propagated forward through a game: an integer that stays an integer under
/// every division, or a float.
pub trait Mass: Weight + Clone {
    /// Returns `whole` itself; for a float, one unless `whole` is zero.
    #[doc(hidden)]
    #[must_use]
    fn start(whole: &BigUint) -> Self;
    /// Computes `self *= factor`. A float is left unchanged.
    #[doc(hidden)]
    fn stretch(&mut self, factor: &BigUint);
    /// Computes `self * weight / total`. This is exact, since `self` is a multiple of `total`.
    #[doc(hidden)]
    #[must_use]
    fn share(&self, weight: Amount<'_>, total: Amount<'_>) -> Self;
    /// Returns part / whole, for numbers of any size.
    #[doc(hidden)]
    fn quotient(part: &BigUint, whole: &BigUint) -> Self::Ratio;
    #[doc(hidden)]
    fn gain(&mut self, other: Self);
    #[doc(hidden)]
    fn is_nothing(&self) -> bool;
    #[doc(hidden)]
    fn law<T: Ord>(weights: Vec<(T, Self)>) -> Result<Dist<T, Self>, oddsmith_dice::Error>;
    /// Computes how often play leaves each state of a component, given the flow into each.
    #[doc(hidden)]
    fn departures(part: &Part, flow: &[Self::Ratio]) -> Result<Departures<Self::Ratio>, Error>;
    /// Compares two numbers, neither of which is `NaN`, without recursion.
    #[doc(hidden)]
    fn compare(a: &Self::Ratio, b: &Self::Ratio) -> Ordering;
    /// Returns weights in proportion to these numbers.
    #[doc(hidden)]
    fn in_proportion(values: &[Self::Ratio]) -> Vec<Self>;
}

/// Returns the expected number of times that a choice with these odds is taken until its state is
/// left, within three roundings (five for wide odds). Infinite if that exceeds the range of floats.
pub(crate) fn tries(odds: &Odds<'_>) -> f64 {
    match *odds {
        Odds::Narrow { staying: 0, .. } => 1.0,
        Odds::Narrow {
            leaving, staying, ..
        } => (leaving + staying) as f64 / leaving as f64,
        Odds::Wide(wide) if wide.staying == BigUint::ZERO => 1.0,
        Odds::Wide(wide) => <f64 as Mass>::quotient(&wide.total, &wide.leaving),
    }
}

impl Mass for BigUint {
    fn start(whole: &BigUint) -> Self {
        whole.clone()
    }

    fn stretch(&mut self, factor: &BigUint) {
        *self *= factor;
    }

    fn share(&self, weight: Amount<'_>, total: Amount<'_>) -> Self {
        let part = match total {
            Amount::Small(total) => self / total,
            Amount::Big(total) => self / total,
        };
        match weight {
            Amount::Small(weight) => part * weight,
            Amount::Big(weight) => part * weight,
        }
    }

    fn quotient(part: &BigUint, whole: &BigUint) -> BigRational {
        BigUint::ratio(part, whole)
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

    fn departures(part: &Part, flow: &[BigRational]) -> Result<Departures<BigRational>, Error> {
        part.departures_in_fractions(flow)
    }

    fn compare(a: &BigRational, b: &BigRational) -> Ordering {
        score::compare(a, b)
    }

    fn in_proportion(values: &[BigRational]) -> Vec<Self> {
        cycle::in_proportion(values)
    }
}

impl Mass for f64 {
    fn start(whole: &BigUint) -> Self {
        f64::from(u8::from(*whole != BigUint::ZERO))
    }

    fn stretch(&mut self, _: &BigUint) {}

    fn share(&self, weight: Amount<'_>, total: Amount<'_>) -> Self {
        let shift = match total {
            Amount::Small(_) => 0,
            Amount::Big(total) => total.bits().saturating_sub(63),
        };
        // Odds that are too far apart for a float have been refused earlier.
        let float = |amount: Amount<'_>| amount.to_f64(shift).unwrap_or(0.0);
        self * float(weight) / float(total)
    }

    fn quotient(part: &BigUint, whole: &BigUint) -> f64 {
        let shift = whole.bits().max(part.bits()).saturating_sub(63);
        // A quotient above the range of floats becomes infinite, one below it zero.
        let float = |number| Amount::Big(number).to_f64(shift).unwrap_or(0.0);
        float(part) / float(whole)
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

    fn departures(part: &Part, flow: &[f64]) -> Result<Departures<f64>, Error> {
        part.departures_in_floats(flow)
    }

    fn compare(a: &f64, b: &f64) -> Ordering {
        a.partial_cmp(b).unwrap_or(Ordering::Equal)
    }

    fn in_proportion(values: &[f64]) -> Vec<Self> {
        values.to_vec()
    }
}
