//! The distance of two distributions, and which is better: distances and stochastic dominance.

use crate::{Dist, Weight};
use std::cmp::Ordering;

impl<T: Ord, W: Weight> Dist<T, W> {
    /// Returns the Kolmogorov distance: the largest difference of the two cumulative distribution
    /// functions, sup |P(X ≤ t) − P(Y ≤ t)|. It is at most the
    /// [`total_variation`](Self::total_variation).
    ///
    /// In floats, differences cancel: the absolute error is at most the sum of the two
    /// [`relative_error`](Self::relative_error)s.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let (two, flat) = (Dist::ndice(2, 6)?, Dist::uniform(2..=12)?);
    /// assert_eq!(two.kolmogorov(&flat).to_string(), "7/66");
    /// assert_eq!(two.kolmogorov(&two).to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a + b) for a and b outcomes: one ordered pass over both.
    #[must_use]
    #[doc(alias = "kolmogorov_smirnov")]
    pub fn kolmogorov(&self, other: &Dist<T, W>) -> W::Ratio {
        let mut most = W::nothing();
        sweep(self, other, |_, mine, theirs| {
            let distance = mine
                .times(&other.total)
                .distance(&theirs.times(&self.total));
            if distance > most {
                most = distance;
            }
            true
        });
        W::ratio(&most, &self.total.times(&other.total))
    }
}

impl<W: Weight> Dist<i64, W> {
    /// Returns whether this distribution has second-order stochastic dominance over the other, in
    /// its weak form: with X the outcome of this distribution and Y that of the other, the area
    /// under P(X ≤ t) up to any point is at most that under P(Y ≤ t). Everyone who prefers more to
    /// less and is averse to risk prefers X (J. Hadar and W. R. Russell, "Rules for ordering
    /// uncertain prospects", American Economic Review 59, 1969). First-order dominance,
    /// [`dominates`](Self::dominates), implies it.
    ///
    /// In floats, the answer is that of the doubles: distributions that differ by less than their
    /// [`relative_error`](Self::relative_error) may give either result.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// // Two dice of three sides vary less than one of five with the same mean.
    /// let (two, one) = (Dist::ndice(2, 3)?, Dist::die(5)?.shift(1)?);
    /// assert!(two.dominates_second_order(&one) && !one.dominates_second_order(&two));
    /// assert!(!two.dominates(&one));
    /// assert_eq!(two.mean(), one.mean());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a + b) for a and b outcomes.
    #[must_use]
    pub fn dominates_second_order(&self, other: &Dist<i64, W>) -> bool {
        let (mut area, mut other_area) = (W::nothing(), W::nothing());
        let (mut height, mut other_height) = (W::nothing(), W::nothing());
        let mut last: Option<i64> = None;
        let mut dominates = true;
        // The slope of the areas changes only at outcomes, and both are zero before the first one.
        sweep(self, other, |&x, mine, theirs| {
            let width = multiple::<W>(last.map_or(0, |last| x.abs_diff(last)));
            last = Some(x);
            area.add(&height.times(&width));
            other_area.add(&other_height.times(&width));
            height = mine.times(&other.total);
            other_height = theirs.times(&self.total);
            dominates = area <= other_area;
            dominates
        });
        dominates
    }
}

/// The natural number n as a weight.
fn multiple<W: Weight>(n: u64) -> W {
    let mut number = W::nothing();
    for bit in (0..u64::BITS - n.leading_zeros()).rev() {
        number.add(&number.clone());
        if n >> bit & 1 == 1 {
            number.add(&W::unit());
        }
    }
    number
}

/// Visits each outcome of either distribution in ascending order with the cumulative weights of
/// both, as long as `visit` returns true.
fn sweep<T: Ord, W: Weight>(
    left: &Dist<T, W>,
    right: &Dist<T, W>,
    mut visit: impl FnMut(&T, &W, &W) -> bool,
) {
    let (mut below, mut other_below) = (W::nothing(), W::nothing());
    let (mut mine, mut theirs) = (left.iter().peekable(), right.iter().peekable());
    loop {
        let (order, at) = match (mine.peek(), theirs.peek()) {
            (Some((x, _)), Some((y, _))) => (x.cmp(y), *x.min(y)),
            (Some((x, _)), None) => (Ordering::Less, *x),
            (None, Some((y, _))) => (Ordering::Greater, *y),
            (None, None) => return,
        };
        if let Some((_, weight)) = mine.next_if(|_| order.is_le()) {
            below.add(weight);
        }
        if let Some((_, weight)) = theirs.next_if(|_| order.is_ge()) {
            other_below.add(weight);
        }
        if !visit(at, &below, &other_below) {
            return;
        }
    }
}
