//! Boxes of stat values.

use crate::place::STATS;

/// The values that a stat may have, from the lowest to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub(crate) lo: i16,
    pub(crate) hi: i16,
}

impl Span {
    pub(crate) fn one(value: i16) -> Self {
        Span {
            lo: value,
            hi: value,
        }
    }

    pub(crate) fn len(self) -> usize {
        (i32::from(self.hi) - i32::from(self.lo) + 1) as usize
    }

    pub(crate) fn values(self) -> impl DoubleEndedIterator<Item = i16> + ExactSizeIterator {
        let lo = i32::from(self.lo);
        (0..self.len() as i32).map(move |step| (lo + step) as i16)
    }

    /// The offset of a value from the lowest one. The value must be in the span; the difference may
    /// need 17 bits.
    pub(crate) fn place(self, value: i16) -> usize {
        (i32::from(value) - i32::from(self.lo)) as usize
    }

    /// The smallest span that contains both.
    pub(crate) fn hull(self, other: Span) -> Span {
        Span {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    pub(crate) fn contains(self, other: Span) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }
}

/// A box: the values that every stat may have, independently of each other.
pub(crate) type Extent = [Span; STATS];

/// The smallest box that contains both.
pub(crate) fn hull(one: Extent, other: Extent) -> Extent {
    std::array::from_fn(|stat| one[stat].hull(other[stat]))
}
