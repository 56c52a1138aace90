//! Solutions of systems, as integers over one denominator.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;

/// The solution of a [`System`](super::System): integers over their least common denominator.
///
/// # Examples
///
/// ```
/// use num_bigint::{BigInt, BigUint};
/// use oddsmith_dice::linear::{Direction, System};
///
/// // From 0 to 1 or out, 2 : 1; from 1 to 0 or out, 1 : 1.
/// let big = |n: u32| BigUint::from(n);
/// let rows = vec![vec![(1, big(2))], vec![(0, big(1))]];
/// let system = System::new(rows, vec![big(1), big(1)])?;
/// let solution = system.solve(Direction::Backward, &[BigInt::from(3), BigInt::from(-2)])?;
/// let numerators: Vec<String> = solution.numerators().iter().map(|n| n.to_string()).collect();
/// assert_eq!(numerators, ["2", "-3"]);
/// assert_eq!(solution.denominator().to_string(), "4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub(super) numerators: Vec<BigInt>,
    pub(super) denominator: BigUint,
}

impl Solution {
    /// Returns the numerator of each x, by state.
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::{BigInt, BigUint};
    /// use oddsmith_dice::linear::{Direction, System};
    ///
    /// let system = System::new(vec![vec![], vec![]], [2u32, 3].map(BigUint::from).to_vec())?;
    /// let solution = system.solve(Direction::Backward, &[1, 1].map(BigInt::from))?;
    /// assert_eq!(solution.numerators(), [3, 2].map(BigInt::from)); // 3/6 and 2/6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn numerators(&self) -> &[BigInt] {
        &self.numerators
    }

    /// Returns the common denominator.
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::{BigInt, BigUint};
    /// use oddsmith_dice::linear::{Direction, System};
    ///
    /// let system = System::new(vec![vec![], vec![]], [4u32, 6].map(BigUint::from).to_vec())?;
    /// let solution = system.solve(Direction::Backward, &[1, 1].map(BigInt::from))?;
    /// assert_eq!(solution.denominator(), &BigUint::from(12u32)); // of 1/4 and 1/6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// Returns the numerators and the denominator.
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::{BigInt, BigUint};
    /// use oddsmith_dice::linear::{Direction, System};
    ///
    /// let system = System::new(vec![vec![]], vec![BigUint::from(6u32)])?;
    /// let (x, d) = system.solve(Direction::Forward, &[BigInt::from(4)])?.into_parts();
    /// assert_eq!((x, d), (vec![BigInt::from(2)], BigUint::from(3u32)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (Vec<BigInt>, BigUint) {
        (self.numerators, self.denominator)
    }

    /// Returns each x in lowest terms, by state.
    ///
    /// # Complexity
    ///
    /// One greatest common divisor for each x.
    ///
    /// # Examples
    ///
    /// ```
    /// use num_bigint::{BigInt, BigUint};
    /// use oddsmith_dice::linear::{Direction, System};
    ///
    /// let system = System::new(vec![vec![], vec![]], [4u32, 6].map(BigUint::from).to_vec())?;
    /// let solution = system.solve(Direction::Backward, &[2, -2].map(BigInt::from))?;
    /// let x: Vec<String> = solution.iter().map(|x| x.to_string()).collect();
    /// assert_eq!(x, ["1/2", "-1/3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = BigRational> {
        let denominator = BigInt::from(self.denominator.clone());
        let numerators = self.numerators.iter();
        numerators.map(move |x| BigRational::new(x.clone(), denominator.clone()))
    }
}
