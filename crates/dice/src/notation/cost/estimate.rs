//! The cost of each operation on numbers.

use super::shape::{Shape, big_product, multisets};
use crate::notation::tree::{Expression, Function, Node, Sign};
use num_integer::Integer;

/// The size of an outcome, of the header of a big integer and of its allocation, as in
/// [`DEFAULT_LIMIT`](crate::DEFAULT_LIMIT).
pub(super) const OVERHEAD: f64 = 6.0;

/// Equal dice of a pool.
pub(super) struct Group {
    pub(super) count: f64,
    pub(super) die: Shape,
}

pub(super) struct Estimate {
    pub(super) exact: bool,
    pub(super) words: f64,
    pub(super) operations: f64,
    /// The most words that one operation needs until its end.
    pub(super) passing: f64,
}

impl Estimate {
    /// The size of a weight in words.
    pub(super) fn width(&self, bits: f64) -> f64 {
        if self.exact {
            (bits / 64.0).floor() + 1.0
        } else {
            1.0
        }
    }

    /// Adds the cost of a distribution and of writing it to memory.
    pub(super) fn store(&mut self, shape: Shape) -> Shape {
        let words = shape.length * (self.width(shape.bits) + OVERHEAD);
        self.words += words;
        self.operations += words;
        shape
    }

    pub(super) fn law(&mut self, expression: &Expression) -> Shape {
        let shape = match expression.node() {
            Node::Number(value) => Shape::point(*value),
            // This case adds the cost of its parts itself, as do sums, products and quotients.
            Node::Read { roll, reading } => return self.read(roll, reading),
            Node::Negate(value) => {
                let shape = self.law(value);
                let (low, high) = (shape.high.saturating_neg(), shape.low.saturating_neg());
                Shape { low, high, ..shape }
            }
            Node::Sum(terms) => {
                let mut sum = Shape::point(0);
                for term in terms {
                    let mut part = self.law(&term.value);
                    if term.sign == Sign::Minus {
                        let ends = (part.high.saturating_neg(), part.low.saturating_neg());
                        (part.low, part.high) = ends;
                    }
                    sum = self.add(sum, part);
                }
                return sum;
            }
            Node::Product(left, right) => {
                let (left, right) = (self.law(left), self.law(right));
                return self.pairs(left, right, |x, y| x.saturating_mul(y));
            }
            Node::Quotient {
                dividend, divisor, ..
            } => {
                let (left, right) = (self.law(dividend), self.law(divisor));
                return self.quotient(left, right);
            }
            Node::Compare(left, _, right) => {
                let (left, right) = (self.law(left), self.law(right));
                let bits = left.bits + right.bits;
                self.operations += (left.length + right.length) * self.product_time(left, right);
                Shape::truth(bits)
            }
            Node::Call(function, arguments) => {
                let shapes: Vec<Shape> = arguments.iter().map(|part| self.law(part)).collect();
                self.call(*function, &shapes)
            }
        };
        self.store(shape)
    }

    pub(super) fn call(&mut self, function: Function, shapes: &[Shape]) -> Shape {
        let Some(&first) = shapes.first() else {
            return Shape::point(0);
        };
        match function {
            Function::Absolute => {
                let high = first.largest();
                Shape::new(0, high, 1, first.length, first.bits)
            }
            Function::Advantage | Function::Disadvantage => self.extreme(first, first),
            Function::Maximum | Function::Minimum | Function::Clamp => {
                let rest = &shapes[1..];
                rest.iter()
                    .fold(first, |sum, part| self.extreme(sum, *part))
            }
            Function::If => {
                let mut hull = first;
                if let [_, left, right] = shapes {
                    let bits = first.bits + left.bits + right.bits;
                    hull = left.hull(*right, left.length + right.length, bits);
                    let words = (left.length + right.length) * (self.width(bits) + OVERHEAD);
                    self.words += words;
                    self.operations += words * self.width(bits);
                }
                hull
            }
        }
    }

    /// The maximum or the minimum of two.
    pub(super) fn extreme(&mut self, left: Shape, right: Shape) -> Shape {
        let length = left.length + right.length;
        let shape = left.hull(right, length, left.bits + right.bits);
        self.operations += length * self.product_time(left, right);
        self.store(shape)
    }

    pub(super) fn product_time(&self, left: Shape, right: Shape) -> f64 {
        self.width(left.bits) * self.width(right.bits) + 2.0
    }

    /// All pairs of outcomes, merged.
    pub(super) fn pairs(&mut self, left: Shape, right: Shape, f: fn(i128, i128) -> i128) -> Shape {
        let corners = [
            f(left.low, right.low),
            f(left.low, right.high),
            f(left.high, right.low),
            f(left.high, right.high),
        ];
        let low = corners.iter().copied().fold(i128::MAX, i128::min);
        let high = corners.iter().copied().fold(i128::MIN, i128::max);
        let pairs = left.length * right.length;
        let bits = left.bits + right.bits;
        self.words += pairs * (self.width(bits) + OVERHEAD);
        self.operations += pairs * (self.product_time(left, right) + pairs.log2().max(1.0));
        Shape::new(low, high, 1, pairs, bits)
    }

    /// One division after the other. The larger the divisor, the fewer the outcomes.
    fn quotient(&mut self, left: Shape, right: Shape) -> Shape {
        let bits = left.bits + right.bits;
        let span = left.steps() * left.stride.max(1) as f64;
        let step = right.stride.max(1) as f64;
        let divisors = right.length;
        let (ends, least) = if right.low > 0 {
            let toward = |end: i128, out: bool| end / if out { right.low } else { right.high };
            let low = toward(left.low, left.low < 0).saturating_sub(1);
            let high = toward(left.high, left.high > 0).saturating_add(1);
            ((low, high), right.low as f64)
        } else {
            let size = left.largest();
            let least = if right.high < 0 {
                right.high.unsigned_abs() as f64
            } else {
                1.0
            };
            ((size.saturating_neg(), size), least)
        };
        // Σ 1/(least + i·step), twice for divisors on both sides of 0.
        let harmonic = 1.0 / least + (1.0 + divisors * step / least).ln() / step;
        let quotients = (2.0 * span * harmonic + 2.0 * divisors).min(left.length * divisors);
        let shape = Shape::new(ends.0, ends.1, 1, quotients, bits);
        let width = self.width(bits);
        self.operations += left.length * divisors * (self.width(left.bits) + 16.0);
        // What is divided is copied once before outcomes with the same quotient are merged.
        self.words += left.length * (width + OVERHEAD);
        self.mix(shape, quotients * width)
    }

    /// Distributions that are added as they are computed: `words` of weights in total, of which
    /// some are written several times. In addition to the last part, whose cost is added
    /// separately, the sum is stored twice, and in part a third time while it grows.
    pub(super) fn mix(&mut self, sum: Shape, words: f64) -> Shape {
        let width = self.width(sum.bits);
        if self.exact {
            self.operations += 16.0 * words;
            self.words += 1.25 * sum.length * (width + OVERHEAD);
        } else {
            // Outcomes are sorted whenever their number has doubled, which counts them twice.
            self.operations += 8.0 * words * words.max(2.0).log2();
            self.words += 1.5 * sum.length * (width + OVERHEAD);
        }
        self.store(sum)
    }

    /// The space that a product takes in addition, where all weights are multiplied as one big
    /// integer. It was measured at up to five times the length of the product: the factors, the
    /// product, its digits, and what the multiplication itself needs.
    fn multiply(&mut self, product: Shape) {
        if self.exact && product.bits > 64.0 {
            let steps = product.steps().min(16.0 * product.length);
            let words = 5.0 * steps * self.width(product.bits);
            self.passing = self.passing.max(words);
        }
    }

    /// The sum of two independent distributions.
    pub(super) fn add(&mut self, left: Shape, right: Shape) -> Shape {
        let pairs = left.length * right.length;
        let shape = Shape::new(
            left.low.saturating_add(right.low),
            left.high.saturating_add(right.high),
            left.stride.gcd(&right.stride),
            pairs,
            left.bits + right.bits,
        );
        if pairs <= left.length.max(right.length) {
            // One of them is a constant, so the other is shifted.
            self.operations += shape.length;
            return shape;
        }
        let dense = left.dense() && right.dense();
        let width = self.width(shape.bits);
        self.multiply(shape);
        // Big integers of a single word are also read and written.
        let each = self.product_time(left, right) + if self.exact { 6.0 } else { 0.0 };
        let plain = pairs * each * if dense { 1.0 } else { 10.0 };
        let packed = big_product((left.steps() + right.steps()) * width);
        self.operations += if !self.exact || !dense || pairs < 65_536.0 {
            plain
        } else {
            plain.min(packed).max(shape.length * width)
        };
        self.store(shape)
    }

    /// The sum of `n` equal dice.
    pub(super) fn repeat(&mut self, n: f64, die: Shape) -> Shape {
        if n < 1.0 {
            return Shape::point(0);
        }
        if n < 2.0 {
            return die;
        }
        let times = |end: i128| end.saturating_mul(n as i128);
        let (low, high) = (times(die.low), times(die.high));
        let length = multisets(die.length, n);
        let shape = Shape::new(low, high, die.stride, length, n * die.bits);
        let width = self.width(shape.bits);
        self.operations += if die.length < 2.0 {
            0.0
        } else if (self.exact || die.fair) && die.dense() && shape.length >= shape.steps() {
            if die.fair {
                // Floats are also computed as integers first.
                4.0 * shape.length * ((shape.bits / 64.0).floor() + 1.0)
            } else {
                let recurrence = shape.length * die.steps() * width * self.width(die.bits);
                self.multiply(shape);
                if n < 10.0 && die.steps() > 6.0 {
                    recurrence.max(big_product(shape.length * width))
                } else {
                    recurrence
                }
            }
        } else {
            self.multiply(shape);
            let half = multisets(die.length, (n / 2.0).ceil()).min(shape.length);
            2.0 * half * half * width * width * if die.dense() { 1.0 } else { 10.0 }
        };
        self.store(shape)
    }
}
