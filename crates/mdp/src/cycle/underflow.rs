//! What products below the smallest normal float do to visits.

use super::visits::Part;
use crate::Error;

/// Bounds the effect of products below the smallest normal float.
///
/// Such a product is wrong by no more than half of 2⁻¹⁰⁷⁴, and so is the flow that it is added to,
/// or, in an elimination, the weight of a way, which is passed as often as the state is left where
/// it begins. What flows in addition, or is missing, passes a state no more often than play that
/// starts there comes back to it. The absolute error of any answer is therefore at most the product
/// of the four numbers below, times 2⁻¹⁰⁷¹.
#[derive(Debug)]
pub(super) struct Underflow {
    /// The number of such products, or more.
    products: f64,
    /// How often all states are expected to be left for others.
    departures: f64,
    /// The maximum expected number of departures before a component is left, for components that
    /// may be affected.
    longest: f64,
    /// The maximum expected number of moves out of a state before it is left.
    tries: f64,
}

/// Below this, answers may be less precise than [`Visits::relative_error`](super::Visits) says.
const LEAST_ANSWER: f64 = 1e-200;

impl Underflow {
    pub(super) const NONE: Underflow = Underflow {
        products: 0.0,
        departures: 1.0,
        longest: 1.0,
        tries: 1.0,
    };

    /// Accounts for departures from a state, each after this many moves.
    pub(super) fn leaves(&mut self, departures: f64, tries: f64) {
        self.departures += departures;
        self.tries = self.tries.max(tries);
    }

    /// Accounts for a product of positive numbers.
    pub(super) fn passes(&mut self, product: f64) {
        if product < f64::MIN_POSITIVE {
            self.products += 1.0;
        }
    }

    /// Accounts for an elimination, with this flow into each state. Returns the number of roundings
    /// that its products may have, as a multiple of those that are counted.
    ///
    /// A path in a product may pass a state twice, and the product be smaller than the least weight.
    /// But the sum to which it is added is not: if the sum is a normal number, what a product below
    /// all of these loses is at most another rounding of the sum.
    pub(super) fn eliminates(
        &mut self,
        part: &Part,
        flow: impl ExactSizeIterator<Item = f64>,
    ) -> Result<u64, Error> {
        let states = flow.len() as f64;
        let flow = flow.filter(|&flow| flow > 0.0).fold(1.0, f64::min);
        let (least, normal) = (part.least_weight() + flow.log2(), f64::MIN_POSITIVE.log2());
        if least < normal {
            // Each state that is eliminated changes one way at most between two others, and from
            // each to the exit, in two products.
            self.products += 8.0 * (states + 1.0).powi(2);
        }
        // Otherwise there is nothing to be amplified.
        if self.occurs() {
            self.longest = self.longest.max(part.longest()?);
        }
        // Far above, it is a small fraction of a rounding.
        Ok(if least < normal + 30.0 { 2 } else { 1 })
    }

    /// Returns whether there may be any such product. A flow of 0 may then be one that is too small.
    pub(super) fn occurs(&self) -> bool {
        self.products > 0.0
    }

    /// Returns whether no answer from [`LEAST_ANSWER`] on is changed by more than a fraction of a
    /// rounding.
    pub(super) fn is_negligible(&self) -> bool {
        // 2⁻¹⁰⁷¹ of this is to be below 2⁻⁶⁰ of the least answer.
        let unit = f64::from_bits((1023 + 60 - 1071) << 52);
        let amplified = self.products * self.departures * self.longest * self.tries;
        !self.occurs() || amplified * unit <= LEAST_ANSWER
    }
}
