//! The operations that a duel needs of a number beyond addition and multiplication.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};
use oddsmith_dice::{Dist, Weight};

use super::race::Race;

/// The number type in which a duel is computed: [`BigUint`], exact, or `f64`.
///
/// The trait is sealed, as [`Weight`] is. A duel with exact distributions has exact answers; a duel
/// of [`FloatDist`](oddsmith_dice::FloatDist)s has answers in floats.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Duel, Error, Fighter, Number, Winner};
///
/// fn first_wins<W: Number>(duel: &Duel<W>) -> Result<W::Ratio, Error> {
///     Ok(duel.ending()?.chance(Winner::First))
/// }
/// let sword = Dist::from_weights([(0, 1), (1, 1)])?; // half of all turns
/// let duel = Duel::new(Fighter::new(1, sword.clone())?, Fighter::new(1, sword)?);
/// assert_eq!(first_wins(&duel)?.to_string(), "2/3");
/// assert!((first_wins(&duel.to_f64())? - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Number: Weight + sealed::Sealed {
    /// Returns the weights of a distribution and their denominator. Floats are divided by it, so
    /// that their powers stay in range; integers are left as they are.
    #[doc(hidden)]
    fn over_total<T: Ord + Clone>(law: &Dist<T, Self>) -> (Vec<(T, Self)>, Self);

    /// Creates the race between hits; see [`Race`]. `hit` and `miss` are those of the first and the
    /// second side; floats are probabilities.
    #[doc(hidden)]
    fn race(hit: [Self; 2], miss: [Self; 2]) -> Race<Self>;

    /// Turns weights of damage into those given that there is any; floats are divided by the sum.
    #[doc(hidden)]
    fn given_a_hit(weights: &mut [(i64, Self)], hit: &Self);

    /// Creates a distribution from non-negative weights that add up to `total`.
    #[doc(hidden)]
    fn law<T: Ord + Clone>(
        pairs: Vec<(T, Self)>,
        total: Self,
    ) -> Result<Dist<T, Self>, oddsmith_dice::Error>;

    /// Returns the length in bits; 64 for a float.
    #[doc(hidden)]
    fn length(&self) -> u64;

    /// Multiplies floats whose sum is small by a power of two, and returns the exponent. Integers
    /// are left as they are.
    #[doc(hidden)]
    fn lift(weights: &mut [Vec<Self>], sum: &mut Self) -> u64;

    /// Divides a number by a power of two, if it is a float.
    #[doc(hidden)]
    fn unlifted(self, exponent: u64) -> Self;

    /// Converts an exact distribution to this number type.
    #[doc(hidden)]
    fn twin<T: Ord + Clone>(law: Dist<T>) -> Dist<T, Self>;
}

/// Sums of floats below this are lifted.
const LOW: f64 = f64::from_bits((1023 - LOW_EXPONENT) << 52);
const LOW_EXPONENT: u64 = 200;

mod sealed {
    pub trait Sealed {}
    impl Sealed for num_bigint::BigUint {}
    impl Sealed for f64 {}
}

impl Number for BigUint {
    fn over_total<T: Ord + Clone>(law: &Dist<T, Self>) -> (Vec<(T, Self)>, Self) {
        let pairs = law.iter().map(|(x, weight)| (x.clone(), weight.clone()));
        (pairs.collect(), law.total().clone())
    }

    fn race(hit: [Self; 2], miss: [Self; 2]) -> Race<Self> {
        let common = [0, 1].map(|side| hit[side].gcd(&miss[side]));
        let one = |side: usize, part: &[BigUint; 2]| &part[side] / &common[side];
        let (hits, misses) = ([one(0, &hit), one(1, &hit)], [one(0, &miss), one(1, &miss)]);
        let total = [0, 1].map(|side| &hits[side] + &misses[side]);
        // 1 − P(both miss), times both totals, without a subtraction.
        let someone = &hits[0] * &total[1] + &misses[0] * &hits[1];
        let step = [&common[0] * &someone, &common[1] * &someone];
        let [first, second] = misses;
        Race {
            only_first: second,
            only_second: first,
            both: someone.clone(),
            won: [&total[1] * &step[1], step[0].clone()],
            round: &total[0] * &total[1] * &common[0] * &step[1],
            step,
        }
    }

    fn given_a_hit(_: &mut [(i64, Self)], _: &Self) {}

    fn law<T: Ord + Clone>(
        pairs: Vec<(T, Self)>,
        total: Self,
    ) -> Result<Dist<T, Self>, oddsmith_dice::Error> {
        let pairs = pairs.into_iter().filter(|(_, weight)| !weight.is_zero());
        Dist::from_parts(pairs, total)
    }

    fn length(&self) -> u64 {
        self.bits()
    }

    fn lift(_: &mut [Vec<Self>], _: &mut Self) -> u64 {
        0
    }

    fn unlifted(self, _: u64) -> Self {
        self
    }

    fn twin<T: Ord + Clone>(law: Dist<T>) -> Dist<T> {
        law
    }
}

impl Number for f64 {
    fn over_total<T: Ord + Clone>(law: &Dist<T, Self>) -> (Vec<(T, Self)>, Self) {
        let total = *law.total();
        let pairs = law.iter().map(|(x, weight)| (x.clone(), weight / total));
        (pairs.collect(), f64::one())
    }

    fn race(hit: [Self; 2], miss: [Self; 2]) -> Race<Self> {
        let someone = hit[0] + miss[0] * hit[1];
        Race {
            only_first: hit[0] * miss[1] / someone,
            only_second: miss[0] * hit[1] / someone,
            both: hit[0] * hit[1] / someone,
            won: [hit[0] / someone, 1.0],
            round: 1.0 / someone,
            step: [1.0, 1.0],
        }
    }

    fn given_a_hit(weights: &mut [(i64, Self)], hit: &Self) {
        for (_, weight) in weights {
            *weight /= hit;
        }
    }

    fn law<T: Ord + Clone>(
        pairs: Vec<(T, Self)>,
        _: Self,
    ) -> Result<Dist<T, Self>, oddsmith_dice::Error> {
        Dist::from_float_weights(pairs)
    }

    fn length(&self) -> u64 {
        64
    }

    fn lift(weights: &mut [Vec<Self>], sum: &mut Self) -> u64 {
        // Nothing is lost as long as no weight is below the smallest normal number.
        if *sum == 0.0 || *sum > LOW {
            return 0;
        }
        for weight in weights.iter_mut().flatten().chain([sum]) {
            *weight /= LOW;
        }
        LOW_EXPONENT
    }

    fn unlifted(self, exponent: u64) -> Self {
        // Beyond a few of these factors nothing is left of a number up to one.
        (0..(exponent / LOW_EXPONENT).min(8)).fold(self, |number, _| number * LOW)
    }

    fn twin<T: Ord + Clone>(law: Dist<T>) -> Dist<T, f64> {
        law.to_f64()
    }
}
