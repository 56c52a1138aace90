//! What is known of the value of a state before it is looked into.

use super::interval::{ANYTHING, Interval, around_score};
use crate::Score;

/// What is known of the values of states `S` without solving them.
///
/// The promise: the state is worth no less than [`lower`](Bounds::lower) and no
/// more than [`upper`](Bounds::upper), from there on, under best play of
/// everybody. Either may be left out. The [`Lazy`](crate::Lazy) solver trusts it
/// where it skips a state, and checks it wherever it does not.
///
/// A closure from a state to both bounds is one; two bounds as a pair are the
/// tighter one each time; [`Relaxed`](crate::Relaxed) is one that is computed.
///
/// # Examples
/// Up to three rolls of a die, and the last one counts. Six is the most that any
/// state can be worth, and what shows can be kept:
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
    /// The state is worth this or more; `None` if nothing is known.
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

    /// The state is worth this or less; `None` if nothing is known.
    ///
    /// # Examples
    /// Of a pair it is the lower one:
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

    /// Floats below and above; `None` if a bound is no number.
    #[doc(hidden)]
    fn interval(&self, state: &S) -> Option<[f64; 2]> {
        let end = |score: Option<Score>, end: usize| match score {
            Some(score) => around_score(&score).map(|around| around[end]),
            None => Some(ANYTHING[end]),
        };
        Some([end(self.lower(state), 0)?, end(self.upper(state), 1)?])
    }
}

/// Nothing is known.
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

/// The tighter of two, each way.
impl<S: ?Sized, A: Bounds<S>, B: Bounds<S>> Bounds<S> for (A, B) {
    fn lower(&self, state: &S) -> Option<Score> {
        tighter(self.0.lower(state), self.1.lower(state), |a, b| a >= b)
    }

    fn upper(&self, state: &S) -> Option<Score> {
        tighter(self.0.upper(state), self.1.upper(state), |a, b| a <= b)
    }

    #[inline]
    fn interval(&self, state: &S) -> Option<Interval> {
        let ([a, b], [c, d]) = (self.0.interval(state)?, self.1.interval(state)?);
        Some([a.max(c), b.min(d)])
    }
}

fn tighter(
    a: Option<Score>,
    b: Option<Score>,
    first: impl Fn(&num_rational::BigRational, &num_rational::BigRational) -> bool,
) -> Option<Score> {
    match (a, b) {
        (Some(a), Some(b)) => match (a.to_ratio(), b.to_ratio()) {
            // What is no number is kept, to be refused.
            (None, _) => Some(a),
            (_, None) => Some(b),
            (Some(x), Some(y)) => Some(if first(&x, &y) { a } else { b }),
        },
        (a, b) => a.or(b),
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
