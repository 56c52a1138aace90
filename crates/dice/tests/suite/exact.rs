//! Fractions shared by several test files.

use num_bigint::BigInt;
use num_rational::BigRational;

pub(crate) type Number = BigRational;

pub(crate) fn number(n: impl Into<BigInt>) -> Number {
    BigRational::from_integer(n.into())
}

/// |float − exact| ≤ bound · exact, in exact arithmetic.
#[track_caller]
pub(crate) fn near(exact: &Number, float: f64, bound: f64) -> bool {
    let float = BigRational::from_float(float).unwrap();
    let bound = BigRational::from_float(bound).unwrap();
    let distance = if float > *exact {
        &float - exact
    } else {
        exact - &float
    };
    distance <= bound * exact
}
