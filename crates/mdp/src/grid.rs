//! Numbering the points of a box.

use std::ops::RangeInclusive;

use crate::Error;

/// The points of an `N`-dimensional box of integers, numbered `0..len`. The first coordinate
/// changes slowest.
///
/// This is the arithmetic for [`Indexed`](crate::Indexed). Put the coordinate that every move
/// lowers first.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Grid;
///
/// let grid = Grid::new([0..=12, 1..=24])?;
/// assert_eq!(grid.len(), 13 * 24);
/// assert_eq!(grid.index([2, 5]), Some(2 * 24 + 4));
/// assert_eq!(grid.point(2 * 24 + 4), [2, 5]);
/// assert_eq!(grid.index([2, 25]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid<const N: usize> {
    low: [i64; N],
    size: [usize; N],
    len: usize,
}

impl<const N: usize> Grid<N> {
    /// Creates the box of all points whose coordinates lie in these ranges.
    ///
    /// # Errors
    /// [`Error::BadGrid`] if a range is empty, or if the number of points does not fit into
    /// `usize`.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Grid;
    /// assert_eq!(Grid::new([-10..=10])?.len(), 21);
    /// assert!(Grid::new([3..=2]).is_err());
    /// assert!(Grid::new([i64::MIN..=i64::MAX, 0..=1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(ranges: [RangeInclusive<i64>; N]) -> Result<Self, Error> {
        let (mut low, mut size, mut len) = ([0; N], [0; N], 1_usize);
        for (axis, range) in ranges.iter().enumerate() {
            let bad = || Error::BadGrid {
                axis,
                range: range.clone(),
            };
            let span = i128::from(*range.end()) - i128::from(*range.start()) + 1;
            let span = usize::try_from(span).ok().filter(|&s| s > 0);
            size[axis] = span.ok_or_else(bad)?;
            low[axis] = *range.start();
            len = len.checked_mul(size[axis]).ok_or_else(bad)?;
        }
        Ok(Grid { low, size, len })
    }

    /// Returns the number of points of the box.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_mdp::Grid::new([1..=8, 1..=8])?.len(), 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Always returns `false`: a box has at least one point.
    ///
    /// # Examples
    /// ```
    /// assert!(!oddsmith_mdp::Grid::new([0..=0])?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of a point, or `None` outside the box.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Grid;
    /// let digits = Grid::new([0..=9, 0..=9, 0..=9])?;
    /// assert_eq!(digits.index([3, 0, 7]), Some(307));
    /// assert_eq!(digits.index([3, 0, 10]), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn index(&self, point: [i64; N]) -> Option<usize> {
        let mut index = 0;
        for ((coordinate, low), &size) in point.iter().zip(&self.low).zip(&self.size) {
            // A coordinate below `low` wraps around to a number above every size.
            let offset = coordinate.wrapping_sub(*low) as u64;
            if offset >= size as u64 {
                return None;
            }
            index = index * size + offset as usize;
        }
        Some(index)
    }

    /// Returns the point with this number. Numbers from `len` up wrap around.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Grid;
    /// let digits = Grid::new([0..=9, 0..=9, 0..=9])?;
    /// assert_eq!(digits.point(42), [0, 4, 2]);
    /// assert_eq!(digits.point(1042), [0, 4, 2]); // round
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn point(&self, mut index: usize) -> [i64; N] {
        let mut point = self.low;
        for axis in (0..N).rev() {
            point[axis] = point[axis].wrapping_add((index % self.size[axis]) as i64);
            index /= self.size[axis];
        }
        point
    }
}
