//! What is known about the value of a state before it is evaluated.

use std::cmp::Ordering;

use super::interval::{ANYTHING, Interval, around_score};
use crate::{Error, Game, Score};

/// Known bounds on the values of states `S`, without solving them.
///
/// An implementation promises that, under best play by both players from there on, the state is
/// worth no less than [`lower`](Bounds::lower) and no more than [`upper`](Bounds::upper). Either
/// bound may be missing. The [`Lazy`](crate::Lazy) solver trusts the promise where it skips a
/// state, and checks it everywhere else, as far as floats can tell: a bound that is wrong by less
/// than a rounding changes no result, since bounds are rounded outwards, and is not noticed.
///
/// A closure from a state to both bounds implements this trait. So does a pair of bounds, of which
/// the tighter one applies each time. [`Relaxed`](crate::Relaxed) bounds are computed.
/// [`Pruned`](crate::Pruned) leaves out actions by bounds, for any solver.
///
/// # Examples
/// Up to three rolls of a die, and the last one counts. No state is worth more than 6, and the
/// number that shows can be kept:
/// ```
#[doc = include_str!("../../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{Bounds, Lazy, Score};
///
/// struct Pips;
/// impl Bounds<(u8, u8)> for Pips {
///     fn lower(&self, &(_, pips): &(u8, u8)) -> Option<Score> {
///         Some(pips.into())
///     }
///     fn upper(&self, &(left, pips): &(u8, u8)) -> Option<Score> {
///         Some(if left == 0 { pips } else { 6 }.into())
///     }
/// }
/// let solution = Lazy::exact().bounds(Pips).solve(&KeepOrRoll, (3, 0))?;
/// assert_eq!(solution.value().to_string(), "14/3");
///
/// // The same as a closure:
/// let pips = |&(left, pips): &(u8, u8)| {
///     (Score::from(pips), Score::from(if left == 0 { pips } else { 6 }))
/// };
/// let solution = Lazy::exact().bounds(pips).solve(&KeepOrRoll, (3, 0))?;
/// assert_eq!(solution.value().to_string(), "14/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Bounds<S: ?Sized> {
    /// Returns a lower bound on the value of the state, or `None` if nothing is known.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Bounds, Score};
    /// let half = |_: &u8| (Score::from(0), Score::from((1, 2)));
    /// assert_eq!(half.lower(&3), Some(Score::from(0)));
    /// assert_eq!(half.upper(&3), Some(Score::from((1, 2))));
    /// ```
    fn lower(&self, state: &S) -> Option<Score> {
        let _ = state;
        None
    }

    /// Returns an upper bound on the value of the state, or `None` if nothing is known.
    ///
    /// # Examples
    /// Of a pair, the lower one applies:
    /// ```
    /// use oddsmith_mdp::{Bounds, Score};
    /// let half = |_: &u8| (Score::from(0), Score::from((1, 2)));
    /// let third = |_: &u8| (Score::from(0), Score::from((1, 3)));
    /// assert_eq!((half, third).upper(&3), Some(Score::from((1, 3))));
    /// assert_eq!(().upper(&3), None);
    /// ```
    fn upper(&self, state: &S) -> Option<Score> {
        let _ = state;
        None
    }

    /// Returns both bounds as floats, the lower one rounded down and the upper one rounded up;
    /// infinite where nothing is known. `None` if a bound is not a number.
    ///
    /// Solvers read this. It is derived from [`lower`](Bounds::lower) and [`upper`](Bounds::upper);
    /// bounds that are floats anyway are read faster if they return them here as well.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Bounds, Score};
    /// let third = |_: &u8| (Score::from(0), Score::from((1, 3)));
    /// assert_eq!(third.interval(&3), Some([0.0, (1.0_f64 / 3.0).next_up()]));
    /// assert_eq!(().interval(&3), Some([f64::NEG_INFINITY, f64::INFINITY]));
    /// ```
    fn interval(&self, state: &S) -> Option<[f64; 2]> {
        let end = |score: Option<Score>, end: usize| match score {
            Some(score) => around_score(&score).map(|around| around[end]),
            None => Some(ANYTHING[end]),
        };
        Some([end(self.lower(state), 0)?, end(self.upper(state), 1)?])
    }
}

/// No bounds.
impl<S: ?Sized> Bounds<S> for () {
    #[inline]
    fn interval(&self, _: &S) -> Option<Interval> {
        Some(ANYTHING)
    }
}

impl<S: ?Sized, F: Fn(&S) -> (Score, Score)> Bounds<S> for F {
    fn lower(&self, state: &S) -> Option<Score> {
        Some(self(state).0)
    }

    fn upper(&self, state: &S) -> Option<Score> {
        Some(self(state).1)
    }

    fn interval(&self, state: &S) -> Option<Interval> {
        let (lower, upper) = self(state);
        Some([around_score(&lower)?[0], around_score(&upper)?[1]])
    }
}

/// Returns the tighter of two bounds, in each direction.
impl<S: ?Sized, A: Bounds<S>, B: Bounds<S>> Bounds<S> for (A, B) {
    fn lower(&self, state: &S) -> Option<Score> {
        tighter(self.0.lower(state), self.1.lower(state), Ordering::is_ge)
    }

    fn upper(&self, state: &S) -> Option<Score> {
        tighter(self.0.upper(state), self.1.upper(state), Ordering::is_le)
    }

    #[inline]
    fn interval(&self, state: &S) -> Option<Interval> {
        let ([a, b], [c, d]) = (self.0.interval(state)?, self.1.interval(state)?);
        Some([a.max(c), b.min(d)])
    }
}

fn tighter(a: Option<Score>, b: Option<Score>, first: impl Fn(Ordering) -> bool) -> Option<Score> {
    match (a, b) {
        // A bound that is not a number is kept, to be refused later.
        (Some(a), Some(_)) if !a.is_valid() => Some(a),
        (Some(_), Some(b)) if !b.is_valid() => Some(b),
        (Some(a), Some(b)) => Some(if first(a.cmp(&b)) { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// The interval given for a state.
pub(super) fn given<G, B>(game: &G, bounds: &B, state: &G::State) -> Result<Interval, Error>
where
    G: Game + ?Sized,
    B: Bounds<G::State>,
{
    bounds.interval(state).ok_or_else(|| {
        // The other bound may be a number.
        let told = |bound: Option<Score>, none: f64| match bound {
            Some(bound) => bound.to_string(),
            None => none.to_string(),
        };
        Error::BadBound {
            state: game.describe(state),
            lower: told(bounds.lower(state), ANYTHING[0]),
            upper: told(bounds.upper(state), ANYTHING[1]),
        }
    })
}

/// An interval of a state, unless it is empty.
pub(super) fn checked<G>(game: &G, state: &G::State, value: Interval) -> Result<Interval, Error>
where
    G: Game + ?Sized,
{
    match value {
        [lower, upper] if lower > upper => Err(Error::BadBound {
            state: game.describe(state),
            lower: lower.to_string(),
            upper: upper.to_string(),
        }),
        value => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tighter_of_two() {
        let both = (
            |_: &u8| (Score::from(0), Score::from((1, 2))),
            |_: &u8| (Score::from((-1, 3)), Score::from((1, 3))),
        );
        assert_eq!(both.lower(&0), Some(Score::from(0)));
        assert_eq!(both.upper(&0), Some(Score::from((1, 3))));
        assert_eq!(both.interval(&0).map(|ends| ends[0]), Some(0.0));
        let one = (both, ());
        assert_eq!(one.upper(&0), Some(Score::from((1, 3))));
        let no = (|_: &u8| (Score::from(f64::NAN), Score::from(1)), one);
        assert_eq!(no.lower(&0), Some(Score::from(f64::NAN)));
        assert_eq!(no.interval(&0), None);
    }
}
