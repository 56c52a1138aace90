//! Evaluation of a policy: its chance to win and nothing else.

use std::fmt;

use oddsmith_mdp::Policy;

use crate::journey::route::Route;
use crate::plan::percent;
use crate::{BookGame, Error, FollowLimits, Place, Probability};

/// The chance to win of a policy, in fractions or in floats.
///
/// # Examples
/// A reader who goes round for ever has lost:
/// ```
/// use num_rational::BigRational;
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Evaluation, FollowLimits, Move, Place};
///
/// let book = Book::builder()
///     .luck(1, 2, 4)
///     .choice(2, [("round the well", 3), ("home", 5)])
///     .choice(3, [("on", 2)])
///     .choice(4, [("home", 5)])
///     .won(5)
///     .build()?;
/// let game = book.game(&Hero::new(7, 14, 8)?)?;
/// let first = |_: &Place, _: &[Move]| 0;
/// let exact: Evaluation<BigRational> = game.evaluate(first, game.start(), FollowLimits::default())?;
/// assert_eq!(exact.value().to_string(), "5/18"); // 10 rolls in 36 are more than 8
/// let float: Evaluation = game.evaluate(first, game.start(), FollowLimits::default())?;
/// assert!((float.value() - 5.0 / 18.0).abs() <= float.error() && float.error() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation<V = f64> {
    pub(crate) value: V,
    pub(crate) error: f64,
    pub(crate) places: usize,
}

impl<V> Evaluation<V> {
    /// Returns the chance to win.
    ///
    /// # Examples
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_gamebook::{Book, Evaluation, FollowLimits};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let all: Evaluation<BigRational> = game.evaluate(AtRandom, game.start(), FollowLimits::default())?;
    /// assert_eq!(all.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> &V {
        &self.value
    }

    /// Returns a bound on the absolute error of the value; 0 for fractions.
    ///
    /// # Examples
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_gamebook::{Book, Evaluation, FollowLimits};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_mdp::AtRandom;
    ///
    /// let game = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let exact: Evaluation<BigRational> = game.evaluate(AtRandom, game.start(), FollowLimits::default())?;
    /// let float: Evaluation = game.evaluate(AtRandom, game.start(), FollowLimits::default())?;
    /// assert!(exact.error() == 0.0 && 0.0 < float.error() && float.error() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Returns the number of places reached, endings included. Of places in which a reader is
    /// caught for ever, only the first one counts.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Evaluation, FollowLimits};
    /// use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let all: Evaluation = game.evaluate(AtRandom, game.start(), FollowLimits::default())?;
    /// assert_eq!(all.places(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn places(&self) -> usize {
        self.places
    }
}

/// Writes the chance as percent.
impl<V: Probability> fmt::Display for Evaluation<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&percent(&self.value))
    }
}

impl BookGame {
    /// Computes the chance to win of a policy from a place, within limits.
    ///
    /// # Errors
    /// The same as for [`Book::follow`](crate::Book::follow) and
    /// [`Book::follow_exact`](crate::Book::follow_exact).
    ///
    /// # Complexity
    /// One walk through all places that are reached. [`follow_within`](BookGame::follow_within)
    /// takes several, plus one for each section that can be revisited.
    ///
    /// # Examples
    /// From the second test on, before the first has cost LUCK:
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_gamebook::{Book, Evaluation, FirstOption, FollowLimits};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().luck(1, 2, 4).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 9)?)?;
    /// let limits = FollowLimits::default();
    /// let rest: Evaluation<BigRational> = game.evaluate(FirstOption, game.start_at(2)?, limits)?;
    /// assert_eq!(rest.value().to_string(), "5/6"); // 30 in 36
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate<V: Probability>(
        &self,
        policy: impl Policy<BookGame>,
        start: Place,
        limits: FollowLimits,
    ) -> Result<Evaluation<V>, Error> {
        self.evaluate_any(&policy, start, limits)
    }

    pub(crate) fn evaluate_any<V: Probability>(
        &self,
        policy: &dyn Policy<BookGame>,
        start: Place,
        limits: FollowLimits,
    ) -> Result<Evaluation<V>, Error> {
        let route = Route {
            game: self,
            policy,
            start,
            limits,
        };
        Ok(route.trapped(V::evaluate)?.0)
    }
}
