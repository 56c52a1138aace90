//! The shape of a distribution, which determines its cost.

use num_integer::Integer;

/// The properties of a distribution that are known without computing it.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) low: i128,
    pub(super) high: i128,
    /// A divisor of all differences of outcomes; 0 for a single outcome.
    pub(super) stride: u64,
    /// An upper bound on the number of outcomes.
    pub(super) length: f64,
    /// The binary logarithm of the total.
    pub(super) bits: f64,
    /// Whether all weights are known to be equal.
    pub(super) fair: bool,
}

impl Shape {
    pub(super) fn new(low: i128, high: i128, stride: u64, length: f64, bits: f64) -> Self {
        let mut shape = Shape {
            low,
            high,
            stride,
            length,
            bits,
            fair: false,
        };
        shape.length = length.min(shape.steps()).max(1.0);
        shape
    }

    pub(super) fn point(value: i64) -> Self {
        Shape::new(value.into(), value.into(), 0, 1.0, 0.0)
    }

    /// 0 and 1.
    pub(super) fn truth(bits: f64) -> Self {
        Shape::new(0, 1, 1, 2.0, bits)
    }

    /// The number of grid points from the lowest to the highest outcome.
    pub(super) fn steps(&self) -> f64 {
        self.high.saturating_sub(self.low) as f64 / (self.stride.max(1)) as f64 + 1.0
    }

    /// Whether the kernels treat it as a polynomial.
    pub(super) fn dense(&self) -> bool {
        self.steps() <= 16.0 * self.length
    }

    /// The union of two shapes, with the weights of neither known.
    pub(super) fn hull(self, other: Shape, length: f64, bits: f64) -> Shape {
        let gap = self.low.abs_diff(other.low);
        let gap = u64::try_from(gap).unwrap_or(1);
        let stride = self.stride.gcd(&other.stride).gcd(&gap);
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        Shape::new(low, high, stride, length, bits)
    }

    pub(super) fn largest(&self) -> i128 {
        let size = self.low.unsigned_abs().max(self.high.unsigned_abs());
        i128::try_from(size).unwrap_or(i128::MAX)
    }
}

/// An upper bound on the number of sums of `n` dice with `kinds` faces: the number of multisets,
/// C(kinds − 1 + n, n).
pub(super) fn multisets(kinds: f64, n: f64) -> f64 {
    let (short, long) = ((kinds - 1.0).min(n), (kinds - 1.0).max(n));
    if short > 64.0 {
        return f64::INFINITY;
    }
    let mut count = 1.0;
    let mut i = 1.0;
    while i <= short {
        count = count * (long + i) / i;
        i += 1.0;
    }
    count
}

/// The time of a product of big integers of this many words: quadratic for short ones, and
/// otherwise growing as for Karatsuba and Toom–Cook.
pub(super) fn big_product(words: f64) -> f64 {
    if words < 32.0 {
        words * words
    } else {
        8.0 * words.powf(1.585)
    }
}
