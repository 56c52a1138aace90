use crate::power::check_size;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight};
use num_integer::Integer;
use std::collections::BTreeMap;
use std::ops::{Add, Neg, Sub};

/// Which of the two ways outcomes are put together.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Plus,
    Minus,
}

impl<W: Weight> Dist<i64, W> {
    /// The sum of two independent outcomes: the convolution of the two laws, called
    /// `matfold` in the literature on Dungeons & Dragons. Also written `a + b`.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a sum does not fit `i64`; [`Error::TooLarge`] if the
    /// result would need more than [`DEFAULT_LIMIT`] words.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let sum = Dist::die(4)?.matfold(&Dist::die(6)?)?;
    /// assert_eq!(sum.p(&10).to_string(), "1/24");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a·b) products for a and b outcomes in small or float laws; one product of big
    /// integers (Kronecker substitution) for large exact laws on a common grid;
    /// O(a·b·log(a·b)) where outcomes lie far apart. Memory is linear in the result, never
    /// in the distance of its outcomes.
    #[doc(alias = "convolve")]
    #[doc(alias = "convolution")]
    pub fn matfold(&self, other: &Self) -> Result<Self, Error> {
        self.matfold_within(other, DEFAULT_LIMIT)
    }

    /// [`matfold`](Self::matfold) with the size limit, in 64-bit words, as an argument.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] and [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let d100 = Dist::die(100)?;
    /// assert!(d100.matfold_within(&d100, 100).is_err());
    /// assert_eq!(d100.matfold_within(&d100, 2_000)?.p(&101).to_string(), "1/100");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matfold_within(&self, other: &Self, limit: u64) -> Result<Self, Error> {
        self.combine(other, Sign::Plus, limit)
    }

    /// The difference of two independent outcomes, also written `a - b`.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a difference does not fit `i64`; [`Error::TooLarge`]
    /// if the result would need more than [`DEFAULT_LIMIT`] words.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 6)?;
    /// assert_eq!(roll.difference(&roll)?.p(&0).to_string(), "73/648");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn difference(&self, other: &Self) -> Result<Self, Error> {
        self.combine(other, Sign::Minus, DEFAULT_LIMIT)
    }

    fn combine(&self, other: &Self, sign: Sign, limit: u64) -> Result<Self, Error> {
        let put = |left: i64, right: i64| {
            let (sum, operation) = match sign {
                Sign::Plus => (left.checked_add(right), "+"),
                Sign::Minus => (left.checked_sub(right), "-"),
            };
            sum.ok_or(Error::OutcomeOverflow {
                operation,
                left,
                right,
            })
        };
        let (near, far) = match sign {
            Sign::Plus => (*other.min(), *other.max()),
            Sign::Minus => (*other.max(), *other.min()),
        };
        let (first, last) = (put(*self.min(), near)?, put(*self.max(), far)?);

        // Both as ascending distances from an end, so that sums and differences are the
        // same from here and the negative of i64::MIN is never needed.
        let left = self.offsets(*self.min());
        let mut right = other.offsets(near);
        let mut right_weights: Vec<&W> = other.weights.iter().collect();
        if sign == Sign::Minus {
            right.reverse();
            right_weights.reverse();
        }
        let stride = left
            .iter()
            .chain(&right)
            .fold(0, |gcd: u64, x| gcd.gcd(x))
            .max(1);
        let grid = u128::from(last.abs_diff(first) / stride) + 1;
        let pairs = left.len() as u128 * right.len() as u128;
        let words = self.total.words(1).saturating_add(other.total.words(1));
        let operation = || format!("the sum over {} × {} outcomes", left.len(), right.len());
        check_size(operation, grid.min(pairs), words, limit)?;

        let mut law = Dist {
            outcomes: Vec::new(),
            weights: Vec::new(),
            total: self.total.times(&other.total),
            roundings: self
                .roundings
                .product(other.roundings, self.len().min(other.len())),
        };
        let mut push = |distance: u64, weight: W| {
            if !weight.vanishes() {
                law.outcomes.push(first.wrapping_add_unsigned(distance));
                law.weights.push(weight);
            }
        };
        if let (Some(dense), Some(dense_right)) = (
            polynomial(&left, self.weights.iter(), stride),
            polynomial(&right, right_weights.iter().copied(), stride),
        ) {
            for (step, weight) in (0u64..).zip(W::convolve(&dense, &dense_right)) {
                push(step * stride, weight);
            }
        } else {
            let mut sums: BTreeMap<u64, W> = BTreeMap::new();
            for (a, weight) in left.iter().zip(&self.weights) {
                for (b, factor) in right.iter().zip(&right_weights) {
                    let sum = sums.entry(a + b).or_insert_with(W::nothing);
                    sum.add(&weight.times(factor));
                }
            }
            sums.into_iter()
                .for_each(|(distance, weight)| push(distance, weight));
        }
        W::settle(&mut law.weights, &mut law.total);
        Ok(law.without_underflow())
    }

    fn offsets(&self, from: i64) -> Vec<u64> {
        self.outcomes.iter().map(|x| x.abs_diff(from)).collect()
    }
}

/// The weights as coefficients, if at least one in four is not zero.
fn polynomial<'a, W: Weight + 'a>(
    offsets: &[u64],
    weights: impl Iterator<Item = &'a W>,
    stride: u64,
) -> Option<Vec<W>> {
    let degree = offsets.last()? / stride;
    if degree / 4 > offsets.len() as u64 {
        return None;
    }
    let mut coefficients = vec![W::nothing(); degree as usize + 1];
    for (offset, weight) in offsets.iter().zip(weights) {
        coefficients[(offset / stride) as usize] = weight.clone();
    }
    Some(coefficients)
}

/// What may stand to the right of `+` and `-` after a distribution: another one, owned or
/// borrowed, an `i64`, or the result of such a sum.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let (d6, d8) = (Dist::die(6)?, Dist::die(8)?);
/// let sum = (&d6 + (&d8 - 1))?;
/// assert_eq!(sum.mean().to_string(), "7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Operand<W: Weight>: sealed::Sealed {
    #[doc(hidden)]
    fn add_to(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error>;
    #[doc(hidden)]
    fn subtract_from(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error>;
}

mod sealed {
    use super::*;

    pub trait Sealed {}
    impl<W: Weight> Sealed for Dist<i64, W> {}
    impl<W: Weight> Sealed for &Dist<i64, W> {}
    impl<W: Weight> Sealed for Result<Dist<i64, W>, Error> {}
    impl Sealed for i64 {}
}

impl<W: Weight> Operand<W> for &Dist<i64, W> {
    fn add_to(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error> {
        left.matfold(self)
    }

    fn subtract_from(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error> {
        left.difference(self)
    }
}

impl<W: Weight> Operand<W> for Dist<i64, W> {
    fn add_to(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error> {
        left.matfold(&self)
    }

    fn subtract_from(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error> {
        left.difference(&self)
    }
}

impl<W: Weight> Operand<W> for Result<Dist<i64, W>, Error> {
    fn add_to(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error> {
        left.matfold(&self?)
    }

    fn subtract_from(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error> {
        left.difference(&self?)
    }
}

impl<W: Weight> Operand<W> for i64 {
    fn add_to(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error> {
        left.shift(self)
    }

    fn subtract_from(self, left: &Dist<i64, W>) -> Result<Dist<i64, W>, Error> {
        left.difference(&Dist::point(self))
    }
}

impl<W: Weight, R: Operand<W>> Add<R> for Dist<i64, W> {
    type Output = Result<Dist<i64, W>, Error>;

    fn add(self, right: R) -> Self::Output {
        right.add_to(&self)
    }
}

impl<W: Weight, R: Operand<W>> Add<R> for &Dist<i64, W> {
    type Output = Result<Dist<i64, W>, Error>;

    fn add(self, right: R) -> Self::Output {
        right.add_to(self)
    }
}

impl<W: Weight, R: Operand<W>> Sub<R> for Dist<i64, W> {
    type Output = Result<Dist<i64, W>, Error>;

    fn sub(self, right: R) -> Self::Output {
        right.subtract_from(&self)
    }
}

impl<W: Weight, R: Operand<W>> Sub<R> for &Dist<i64, W> {
    type Output = Result<Dist<i64, W>, Error>;

    fn sub(self, right: R) -> Self::Output {
        right.subtract_from(self)
    }
}

// A sum may overflow, so it is a `Result`; these let `(a + b + c)?` go on without a
// question mark at each sign. `+ 3` after a `Result` would need an implementation for two
// foreign types, which the language does not allow.
impl<W: Weight> Add<Dist<i64, W>> for Result<Dist<i64, W>, Error> {
    type Output = Self;

    fn add(self, right: Dist<i64, W>) -> Self {
        self?.matfold(&right)
    }
}

impl<W: Weight> Add<&Dist<i64, W>> for Result<Dist<i64, W>, Error> {
    type Output = Self;

    fn add(self, right: &Dist<i64, W>) -> Self {
        self?.matfold(right)
    }
}

impl<W: Weight> Sub<Dist<i64, W>> for Result<Dist<i64, W>, Error> {
    type Output = Self;

    fn sub(self, right: Dist<i64, W>) -> Self {
        self?.difference(&right)
    }
}

impl<W: Weight> Sub<&Dist<i64, W>> for Result<Dist<i64, W>, Error> {
    type Output = Self;

    fn sub(self, right: &Dist<i64, W>) -> Self {
        self?.difference(right)
    }
}

impl<W: Weight> Neg for Dist<i64, W> {
    type Output = Result<Dist<i64, W>, Error>;

    fn neg(self) -> Self::Output {
        self.negate()
    }
}

impl<W: Weight> Neg for &Dist<i64, W> {
    type Output = Result<Dist<i64, W>, Error>;

    fn neg(self) -> Self::Output {
        self.negate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two weights, their product, and as many additions as the shorter law allows.
    #[test]
    fn roundings_of_a_sum_are_counted() -> Result<(), Error> {
        let (three, five) = (Dist::die(3)?.to_f64(), Dist::die(5)?.to_f64());
        for sum in [three.matfold(&five)?, five.difference(&three)?] {
            assert_eq!((sum.roundings.weights, sum.roundings.total), (5, 1));
        }
        Ok(())
    }
}
