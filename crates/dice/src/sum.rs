//! Sums and differences of independent outcomes: convolution, also called `matfold`.

use crate::power::check_size;
use crate::runs::Runs;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight};
use num_integer::Integer;
use std::ops::{Add, Neg, Sub};

/// Whether outcomes are added or subtracted.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Plus,
    Minus,
}

impl<W: Weight> Dist<i64, W> {
    /// Returns the distribution of the sum of two independent outcomes: the convolution of the two
    /// distributions, called `matfold` in the literature on Dungeons & Dragons. Also written
    /// `a + b`.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a sum does not fit into `i64`; [`Error::TooLarge`] if the
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
    /// O(a·b) products for a and b outcomes in small or float distributions; one product of big
    /// integers (Kronecker substitution) for large exact distributions on a common grid. If
    /// outcomes lie far apart, runs of neighbours are multiplied pair by pair. Memory is linear in
    /// the size of the result, and does not depend on the distance of its outcomes. The limit is on
    /// memory and not on time: two exact distributions of 10,000 outcomes with numbers of hundreds
    /// of words, such as those of 2,000 dice each, take up to half a minute. In floats they take
    /// fractions of a second, and a [`Notation`](crate::Notation) refuses operations that would take
    /// long.
    ///
    /// Floats use the plain double loop even where a Fourier transform would be faster: the
    /// transform adds and subtracts, and its error is relative to the largest probability instead
    /// of to each. A sum adds min(a, b) roundings to the bound on the error, so n copies of an
    /// f-sided die added one by one take n·f of them.
    #[doc(alias = "convolve")]
    #[doc(alias = "convolution")]
    pub fn matfold(&self, other: &Self) -> Result<Self, Error> {
        self.matfold_within(other, DEFAULT_LIMIT)
    }

    /// Like [`matfold`](Self::matfold), with the size limit, in 64-bit words, as an argument.
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

    /// Returns the distribution of the difference of two independent outcomes, also written `a -
    /// b`.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a difference does not fit into `i64`; [`Error::TooLarge`] if
    /// the result would need more than [`DEFAULT_LIMIT`] words.
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

    /// Like [`difference`](Self::difference), with the limit as an argument.
    ///
    /// # Errors
    ///
    /// The same as for [`difference`](Self::difference), with `limit` words.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let d100 = Dist::die(100)?;
    /// assert!(d100.difference_within(&d100, 100).is_err());
    /// assert_eq!(d100.difference_within(&d100, 2_000)?.p(&0).to_string(), "1/100");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn difference_within(&self, other: &Self, limit: u64) -> Result<Self, Error> {
        self.combine(other, Sign::Minus, limit)
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

        // Both are expressed as ascending distances from an end, so that sums and differences are
        // the same from here on, and i64::MIN is never negated.
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
        let words = self.total.words(1).saturating_add(other.total.words(1));
        let operation = || format!("the sum over {} × {} outcomes", left.len(), right.len());
        let steps = |offsets: &[u64]| {
            let steps = offsets.iter().map(|offset| i128::from(offset / stride));
            Runs::of(steps, i128::from(DENSE))
        };
        let (mut left_runs, mut right_runs) = (steps(&left), steps(&right));
        let pairs = left_runs.count() as u128 * right_runs.count() as u128;
        if check_size(operation, pairs, words, limit).is_err() {
            // There are too many pairs of runs even to examine. Treat each law as one run, or
            // refuse.
            check_size(operation, grid.min(pairs), words, limit)?;
            left_runs = left_runs.whole();
            right_runs = right_runs.whole();
        }
        let meetings = meetings(&left_runs, &right_runs);
        let reach = groups(&meetings).map(|(group, last)| u128::from(last - group[0].first) + 1);
        check_size(operation, reach.sum(), words, limit)?;

        let left = polynomials(&left_runs, &left, self.weights.iter(), stride);
        let right = polynomials(&right_runs, &right, right_weights.iter().copied(), stride);
        let mut law = Dist {
            outcomes: Vec::new(),
            weights: Vec::new(),
            total: self.total.times(&other.total),
            roundings: self
                .roundings
                .product(other.roundings, self.len().min(other.len())),
        };
        // Runs of the result that do not overlap are computed one after another.
        for (group, end) in groups(&meetings) {
            let sums = products(&left, &right, group, end);
            // Not an open range of steps, which would end beyond the last possible step.
            for (place, weight) in (0_u64..).zip(sums) {
                if !weight.vanishes() {
                    let step = group[0].first + place;
                    law.outcomes
                        .push(first.wrapping_add_unsigned(step * stride));
                    law.weights.push(weight);
                }
            }
        }
        W::settle(&mut law.weights, &mut law.total);
        Ok(law.without_underflow())
    }

    fn offsets(&self, from: i64) -> Vec<u64> {
        self.outcomes.iter().map(|x| x.abs_diff(from)).collect()
    }
}

/// The largest distance in steps between outcomes of one run. At least one coefficient of a run in
/// this many is then not zero.
const DENSE: u64 = 4;

/// The number of coefficients in both factors from which the fast product pays off.
const LONG: usize = 4;

/// A run of the left distribution and one of the right, and the range of their sums in steps.
#[derive(Clone, Copy)]
struct Meeting {
    first: u64,
    last: u64,
    left: usize,
    right: usize,
}

/// All pairs of runs, in the order of their first sum.
fn meetings(left: &Runs, right: &Runs) -> Vec<Meeting> {
    let mut meetings = Vec::with_capacity(left.count() * right.count());
    for (i, a) in left.iter().enumerate() {
        meetings.extend(right.iter().enumerate().map(|(j, b)| Meeting {
            first: (a.0 + b.0) as u64,
            last: (a.1 + b.1) as u64,
            left: i,
            right: j,
        }));
    }
    meetings.sort_unstable_by_key(|meeting| (meeting.first, meeting.left));
    meetings
}

/// Groups of meetings with overlapping ranges in ascending order, each with its last step.
fn groups(meetings: &[Meeting]) -> impl Iterator<Item = (&[Meeting], u64)> {
    let mut rest = meetings;
    std::iter::from_fn(move || {
        let mut last = rest.first()?.last;
        let next = rest.iter().position(|meeting| {
            let apart = meeting.first > last;
            last = last.max(if apart { last } else { meeting.last });
            apart
        });
        let (group, others) = rest.split_at(next.unwrap_or(rest.len()));
        rest = others;
        Some((group, last))
    })
}

/// The weights of each run as coefficients.
fn polynomials<'a, W: Weight + 'a>(
    runs: &Runs,
    offsets: &[u64],
    weights: impl Iterator<Item = &'a W>,
    stride: u64,
) -> Vec<Vec<W>> {
    let mut pairs = offsets
        .iter()
        .map(|offset| i128::from(offset / stride))
        .zip(weights)
        .peekable();
    let polynomial = |(first, last): (i128, i128)| {
        let mut coefficients = vec![W::nothing(); (last - first) as usize + 1];
        while let Some((step, weight)) = pairs.next_if(|(step, _)| *step <= last) {
            coefficients[(step - first) as usize] = weight.clone();
        }
        coefficients
    };
    runs.iter().map(polynomial).collect()
}

/// The sum of the products of a group that ends at step `last`.
fn products<W: Weight>(left: &[Vec<W>], right: &[Vec<W>], group: &[Meeting], last: u64) -> Vec<W> {
    if let [only] = group {
        return match (&left[only.left][..], &right[only.right][..]) {
            ([a], [b]) => vec![a.times(b)],
            (a, b) => W::convolve(a, b),
        };
    }
    let first = group[0].first;
    let mut sums = vec![W::nothing(); (last - first) as usize + 1];
    for meeting in group {
        let (a, b) = (&left[meeting.left], &right[meeting.right]);
        let sums = &mut sums[(meeting.first - first) as usize..];
        if a.len().min(b.len()) >= LONG {
            for (sum, product) in sums.iter_mut().zip(W::convolve(a, b)) {
                sum.add(&product);
            }
            continue;
        }
        for (i, weight) in a.iter().enumerate().filter(|(_, w)| !w.vanishes()) {
            for (sum, factor) in sums[i..].iter_mut().zip(b) {
                sum.add(&weight.times(factor));
            }
        }
    }
    sums
}

/// The right operand of `+` and `-` after a distribution: another distribution, owned or borrowed,
/// an `i64`, or the result of such a sum.
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

/// `3 + &d6`.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let d6 = Dist::die(6)?;
/// assert_eq!((3 + &d6)?.mean().to_string(), "13/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<W: Weight> Add<&Dist<i64, W>> for i64 {
    type Output = Result<Dist<i64, W>, Error>;

    fn add(self, right: &Dist<i64, W>) -> Self::Output {
        right.shift(self)
    }
}

impl<W: Weight> Add<Dist<i64, W>> for i64 {
    type Output = Result<Dist<i64, W>, Error>;

    fn add(self, right: Dist<i64, W>) -> Self::Output {
        right.shift(self)
    }
}

/// `7 - &d6`.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let d6 = Dist::die(6)?;
/// assert_eq!((7 - &d6)?, d6);
/// assert_eq!((3 - &d6)?.mean().to_string(), "-1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<W: Weight> Sub<&Dist<i64, W>> for i64 {
    type Output = Result<Dist<i64, W>, Error>;

    fn sub(self, right: &Dist<i64, W>) -> Self::Output {
        Dist::point(self).difference(right)
    }
}

impl<W: Weight> Sub<Dist<i64, W>> for i64 {
    type Output = Result<Dist<i64, W>, Error>;

    fn sub(self, right: Dist<i64, W>) -> Self::Output {
        self - &right
    }
}

// A sum may overflow, so it is a `Result`. These implementations allow `(a + b + c)?` without a
// question mark at each sign. `+ 3` after a `Result` would need an implementation for two foreign
// types, which the language does not allow.
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

    /// The last step is `u64::MAX`, and no step beyond it may be requested.
    #[test]
    fn sums_over_all_of_i64() -> Result<(), Error> {
        let low = Dist::uniform([i64::MIN, -1])?;
        let law = low.difference(&Dist::uniform([i64::MIN, 0])?)?;
        assert_eq!(law.support(), [i64::MIN, -1, 0, i64::MAX]);
        assert_eq!(law.p(&i64::MAX).to_string(), "1/4");
        Ok(())
    }

    /// Two weights, their product, and as many additions as the shorter distribution allows.
    #[test]
    fn roundings_of_a_sum_are_counted() -> Result<(), Error> {
        let (three, five) = (Dist::die(3)?.to_f64(), Dist::die(5)?.to_f64());
        for sum in [three.matfold(&five)?, five.difference(&three)?] {
            assert_eq!((sum.roundings.weights, sum.roundings.total), (5, 1));
        }
        Ok(())
    }
}
