//! The equations of an absorbing chain in integers.

use super::digits::product;
use super::eliminate::{Elimination, Refusal, Row};
use super::lift::Lift;
use super::limits::Limits;
use super::modulo::{Modulo, primes};
use super::{Direction, Hook, Solution, check_right_side, check_shape, of_states};
use crate::Error;
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};
use std::ops::ControlFlow;

/// The operations that one state or way takes for one digit.
const STEP: u128 = 4;

/// The equations of an absorbing chain in integers: see [the module](super).
///
/// Its rows are owned or borrowed: anything that is a slice of pairs of a state and a weight.
/// Common factors of a row and its exit should be divided out first, since the number of digits
/// computed is bounded by the product of all w(k).
///
/// # Examples
///
/// ```
/// use num_bigint::{BigInt, BigUint};
/// use oddsmith_dice::linear::{Direction, System};
///
/// // A step back in five of six cases, or on; each step costs 1: ten steps on.
/// let [one, five] = [1u32, 5].map(BigUint::from);
/// let row = |at: u32| {
///     let back = at.checked_sub(1).map(|back| (back, five.clone()));
///     let on = (at < 9).then(|| (at + 1, one.clone()));
///     back.into_iter().chain(on).collect()
/// };
/// let mut exits = vec![BigUint::ZERO; 10];
/// exits[9] = one.clone();
/// let system = System::new((0..10).map(row).collect::<Vec<Vec<_>>>(), exits)?;
/// let mut cost = vec![BigInt::from(-6); 10];
/// cost[0] = BigInt::from(-1); // one way out of 0, one step
/// let steps = system.solve(Direction::Backward, &cost)?;
/// assert_eq!(steps.numerators()[0].to_string(), "-6103500");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct System<R = Vec<(u32, BigUint)>> {
    rows: Vec<R>,
    exits: Vec<BigUint>,
    leaving: Vec<BigUint>,
    /// The product of all w(k).
    bound: BigUint,
}

impl<R: AsRef<[(u32, BigUint)]>> System<R> {
    /// Creates the system from the ways out of each state to others, in ascending order with their
    /// weights, and from the weight with which each state is left for good.
    ///
    /// # Errors
    ///
    /// [`Error::BadSystem`] for rows that do not ascend or that lead to states that do not exist,
    /// or if there are not as many exits as rows; [`Error::NeverStops`] if some state is never left
    /// for good, so that the equations have no solution or many.
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::BigUint;
    /// use oddsmith_dice::{Error, linear::System};
    ///
    /// let one = BigUint::from(1u32);
    /// let rows = [vec![], vec![(2, one.clone())], vec![(1, one.clone())]];
    /// let exits = vec![one, BigUint::ZERO, BigUint::ZERO];
    /// let trap = System::new(rows.to_vec(), exits).err();
    /// assert_eq!(trap, Some(Error::NeverStops { state: "1".to_owned() }));
    /// ```
    pub fn new(rows: Vec<R>, exits: Vec<BigUint>) -> Result<Self, Error> {
        check_shape(&rows, &exits)?;
        let sum =
            |(row, exit): (&R, &BigUint)| row.as_ref().iter().fold(exit.clone(), |s, w| s + &w.1);
        let leaving: Vec<BigUint> = rows.iter().zip(&exits).map(sum).collect();
        let system = System {
            bound: product(&leaving),
            rows,
            exits,
            leaving,
        };
        match system.trap() {
            Some(state) => Err(Error::NeverStops {
                state: state.to_string(),
            }),
            None => Ok(system),
        }
    }

    /// The first state that is never left for good.
    fn trap(&self) -> Option<usize> {
        let mut sources = vec![Vec::new(); self.rows.len()];
        for (state, row) in self.rows.iter().enumerate() {
            for (target, weight) in row.as_ref() {
                if !weight.is_zero() {
                    sources[*target as usize].push(state);
                }
            }
        }
        let mut ends: Vec<bool> = self.exits.iter().map(|exit| !exit.is_zero()).collect();
        let mut pending: Vec<usize> = (0..ends.len()).filter(|&state| ends[state]).collect();
        while let Some(state) = pending.pop() {
            for &source in &sources[state] {
                if !std::mem::replace(&mut ends[source], true) {
                    pending.push(source);
                }
            }
        }
        ends.iter().position(|ends| !ends)
    }

    /// Returns the ways out of each state to others.
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::BigUint;
    /// use oddsmith_dice::linear::System;
    ///
    /// let [one, two] = [1u32, 2].map(BigUint::from);
    /// let system = System::new(vec![vec![(1, two.clone())], vec![]], vec![one.clone(), one])?;
    /// assert_eq!(system.rows(), [vec![(1, two)], vec![]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rows(&self) -> &[R] {
        &self.rows
    }

    /// Returns the weight e(k) with which each state is left for good.
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::BigUint;
    /// use oddsmith_dice::linear::System;
    ///
    /// let [none, two, three] = [0u32, 2, 3].map(BigUint::from);
    /// let exits = vec![none, three]; // out of 0 by way of 1 alone
    /// let system = System::new(vec![vec![(1, two)], vec![]], exits.clone())?;
    /// assert_eq!(system.exits(), exits);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn exits(&self) -> &[BigUint] {
        &self.exits
    }

    /// Returns the weight w(k) of all ways out of each state.
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::BigUint;
    /// use oddsmith_dice::linear::System;
    ///
    /// let big = |n: u32| BigUint::from(n);
    /// let system = System::new(vec![vec![(1, big(5))], vec![]], vec![big(2), big(3)])?;
    /// assert_eq!(system.leaving(), [big(7), big(3)]);
    /// assert_eq!(system.exits(), [big(2), big(3)]);
    /// assert_eq!(system.rows()[0], [(1, big(5))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn leaving(&self) -> &[BigUint] {
        &self.leaving
    }

    /// An upper bound on the size in words of the common denominator.
    pub(crate) fn denominator_words(&self) -> u128 {
        u128::from(self.bound.bits() / 64 + 1)
    }

    /// An upper bound on the time of lifting, in operations on words: a solution for each digit,
    /// and a long division for each state, which is quadratic in the digits.
    pub(crate) fn operations(&self) -> u128 {
        let states = self.rows.len() as u128;
        let ways = self.rows.iter().map(|row| row.as_ref().len() as u128);
        let bits: u64 = self.leaving.iter().map(BigUint::bits).sum();
        let digits = u128::from(bits / 32 + 1);
        states * digits * digits + digits * (states + ways.sum::<u128>()) * STEP
    }

    /// The size in words of all digits of the solution, and of its numerators.
    fn words(&self, b: &[BigInt]) -> u128 {
        let right = b.iter().map(BigInt::bits).max().unwrap_or(0) + 64;
        let bits = 3 * u128::from(self.bound.bits()) + 2 * u128::from(right);
        (bits / 60 + 4) * self.rows.len() as u128
    }

    /// Returns the solution for b, whose entries may be negative, within [`Limits::default`].
    ///
    /// # Errors
    ///
    /// The same as for [`solve_within`](Self::solve_within).
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::{BigInt, BigUint};
    /// use oddsmith_dice::linear::{Direction, System};
    ///
    /// // From 0 to 1 or out, by a coin; from 1 out.
    /// let one = BigUint::from(1u32);
    /// let system = System::new(vec![vec![(1, one.clone())], vec![]], vec![one.clone(), one])?;
    /// let steps = system.solve(Direction::Backward, &[2, 1].map(BigInt::from))?;
    /// let steps: Vec<String> = steps.iter().map(|x| x.to_string()).collect();
    /// assert_eq!(steps, ["3/2", "1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&self, direction: Direction, b: &[BigInt]) -> Result<Solution, Error> {
        let mut go_on = || ControlFlow::Continue(());
        self.solve_within(direction, b, Limits::default(), &mut go_on)
    }

    /// Like [`solve`](Self::solve), with limits, and with a hook that is asked from time to time
    /// whether to go on.
    ///
    /// # Errors
    ///
    /// [`Error::BadSystem`] if there are not as many b as states; [`Error::TooSlow`] and
    /// [`Error::TooLarge`], before any work, if the longest possible digits would pass a limit, or
    /// later, as soon as elimination does; [`Error::Stopped`] by the hook.
    ///
    /// # Complexity
    ///
    /// With m states, one elimination modulo a prime, of at most m³/3 products, and of about m for
    /// states along a line. Then, for each 61 bits of the answer, one solution with that
    /// elimination (at most m² products), and finally some long products for each state. Numerators
    /// and denominator of the answer have at most the bits of the product of all w(k) and of b. If
    /// they have fewer, this is detected.
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::{BigInt, BigUint};
    /// use oddsmith_dice::Error;
    /// use oddsmith_dice::linear::{Direction, Limits, System};
    /// use std::ops::ControlFlow;
    ///
    /// let system = System::new(vec![vec![]], vec![BigUint::from(4u32)])?;
    /// let mut solved = |go_on: ControlFlow<()>| {
    ///     let b = [BigInt::from(3)];
    ///     system.solve_within(Direction::Backward, &b, Limits::words(100), &mut || go_on)
    /// };
    /// assert_eq!(solved(ControlFlow::Continue(()))?.denominator(), &BigUint::from(4u32));
    /// assert!(matches!(solved(ControlFlow::Break(())), Err(Error::Stopped { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_within(
        &self,
        direction: Direction,
        b: &[BigInt],
        limits: Limits,
        hook: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Solution, Error> {
        let states = self.rows.len();
        check_right_side(states, b.len())?;
        limits.check_time(|| of_states(states), self.operations())?;
        limits.check_words(|| of_states(states), self.words(b))?;
        if b.iter().all(Zero::is_zero) {
            return Ok(Solution {
                numerators: b.to_vec(),
                denominator: BigUint::from(1u32),
            });
        }
        let lift = |prime| -> Result<Solution, Refusal> {
            let triangles = self.eliminated(prime, limits, hook)?.triangles(direction);
            let lift = Lift {
                rows: self.rows.iter().map(AsRef::as_ref).collect(),
                leaving: &self.leaving,
                bound: &self.bound,
                direction,
                triangles,
                prime,
                b,
            };
            Ok(lift.solve(hook)?)
        };
        match primes()
            .map(lift)
            .find(|found| *found != Err(Refusal::Singular))
        {
            Some(Ok(solution)) => Ok(solution),
            Some(Err(Refusal::Other(error))) => Err(error),
            // This is not reached for a determinant that fits into memory: the product of the
            // primes has 10⁹ digits.
            Some(Err(Refusal::Singular)) | None => Err(Error::NeverStops {
                state: "0".to_owned(),
            }),
        }
    }

    fn eliminated(
        &self,
        prime: u64,
        limits: Limits,
        hook: &mut Hook<'_>,
    ) -> Result<Elimination<Modulo>, Refusal> {
        let residue = |number: &BigUint| (number % prime).to_u64().unwrap_or(0);
        let rows = self.rows.iter().map(|row| {
            let ways = row.as_ref().iter();
            ways.map(|way| (way.0, residue(&way.1)))
                .collect::<Row<u64>>()
        });
        let exits = self.exits.iter().map(residue).collect();
        Elimination::new(Modulo(prime), rows.collect(), exits, limits, hook)
    }
}

#[cfg(test)]
mod tests {
    use super::super::modulo::MERSENNE;
    use super::*;

    #[track_caller]
    fn check(weights: [u64; 2], exits: [u64; 2], b: [i128; 2]) {
        let big = |n: u64| BigUint::from(n);
        let rows = vec![vec![(1, big(weights[0]))], vec![(0, big(weights[1]))]];
        let system = System::new(rows, exits.map(big).to_vec());
        let sums = [0, 1].map(|i| BigInt::from(weights[i]) + exits[i]);
        let product = BigInt::from(weights[0]) * weights[1];
        let determinant = &sums[0] * &sums[1] - product;
        let b = b.map(BigInt::from);
        for (direction, across) in [(Direction::Backward, [0, 1]), (Direction::Forward, [1, 0])] {
            let x = system.as_ref().map(|system| system.solve(direction, &b));
            let Ok(Ok(x)) = x else {
                assert!(x.is_err(), "{x:?}");
                return;
            };
            let wanted = [
                &sums[1] * &b[0] + weights[across[0]] * &b[1],
                &sums[0] * &b[1] + weights[across[1]] * &b[0],
            ];
            for (x, wanted) in x.iter().zip(wanted) {
                assert_eq!(x * &determinant, wanted.into());
            }
        }
    }

    #[test]
    fn two_states() {
        check([1, 1], [1, 1], [1, 0]);
        check([5, 3], [0, 1], [7, 9]);
        check([5, 3], [0, 1], [0, 0]);
        check([5, 3], [0, 1], [7, -9]);
        check([5, 3], [2, 1], [-7, -9]);
        check([u64::MAX, u64::MAX - 1], [u64::MAX, 0], [1, 0]);
        check(
            [u64::MAX, u64::MAX - 1],
            [u64::MAX, 0],
            [3, u64::MAX.into()],
        );
        check([u64::MAX, u64::MAX - 1], [u64::MAX, 0], [-i128::MAX, 3]);
        check([1 << 60, 1 << 60], [1 << 60, 1], [-1, i128::MIN]);
        check([1 << 60, 1 << 60], [1 << 60, 1], [1, 1]);
    }

    /// Determinants such as 1 · 2⁶¹ − 1 · 1 = 2⁶¹ − 1, for which the first prime fails.
    #[test]
    fn a_determinant_divisible_by_the_first_prime() {
        check([1, 1], [0, MERSENNE - 1], [1, 0]);
        check([1, 1], [0, MERSENNE], [1, 2]);
        check([MERSENNE, MERSENNE], [0, MERSENNE], [0, 1]);
    }
}
