//! Games that remember what has been paid so far.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use num_rational::BigRational;
use num_traits::Zero;

use crate::score::compare;
use crate::{Game, Node, Score, relay};

/// A game whose state carries the rewards paid so far, and which pays them at its end: the score of
/// an end is the whole total.
///
/// The expected total is that of the game itself. This type is meant for everything that is not an
/// expectation: the distribution of the total ([`Forecast::scores`](crate::Forecast::scores)), the
/// best chance of a total of at least a given size
/// ([`Objective::at_least`](crate::Objective::at_least) of this game), or any utility function of
/// it ([`Rescored`](crate::Rescored)).
///
/// Totals are exact fractions. Each total with which a state can be reached makes a separate state,
/// so a game that pays often has many more states. A game that can pay on a cycle has infinitely
/// many, which results in [`Error::TooManyStates`](crate::Error::TooManyStates).
///
/// # Examples
/// Three tosses of a coin, each of which pays its number if it is won:
/// ```
/// use oddsmith_mdp::{Game, Node, Solver, Tallied, Totalled};
///
/// struct Tosses;
/// impl Game for Tosses {
///     type State = (u8, bool); // tosses left, whether the last was won
///     type Action = ();
///     fn expand(&self, &(left, won): &(u8, bool), node: &mut Node<Self>) {
///         let pay = if won { left + 1 } else { 0 }; // 3, then 2, then 1
///         if left == 0 {
///             return node.end(pay);
///         }
///         node.chance().reward(pay).to((left - 1, true), 1).to((left - 1, false), 1);
///     }
/// }
/// let totalled = Totalled::new(&Tosses);
/// let solution = Solver::exact().solve(&totalled, Tallied::new((3, false)))?;
/// let totals = solution.forecast()?.scores()?;
/// assert_eq!(totals.mean().to_string(), "3"); // (3 + 2 + 1)/2
/// assert_eq!(totals.p(&3.into()).to_string(), "1/4"); // 3 or 2 + 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Totalled<'g, G: ?Sized> {
    game: &'g G,
}

impl<G: ?Sized> Copy for Totalled<'_, G> {}

impl<G: ?Sized> Clone for Totalled<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

/// A state and the rewards paid on the way to it: a state of [`Totalled`].
///
/// # Examples
/// ```
/// use oddsmith_mdp::Tallied;
/// let start = Tallied::new("start");
/// assert_eq!((start.state, start.total.to_string()), ("start", "0".into()));
/// ```
#[derive(Clone, Debug)]
pub struct Tallied<S> {
    /// The sum of the rewards so far, without the score of an end.
    pub total: BigRational,
    /// The state of the game itself.
    pub state: S,
}

// `Ratio` compares and hashes quotients recursively, which goes too deep for long numbers.

impl<S: PartialEq> PartialEq for Tallied<S> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && compare(&self.total, &other.total).is_eq()
    }
}

impl<S: Eq> Eq for Tallied<S> {}

/// By the total, then by the state.
impl<S: Ord> Ord for Tallied<S> {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.total, &other.total).then_with(|| self.state.cmp(&other.state))
    }
}

impl<S: Ord> PartialOrd for Tallied<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S: Hash> Hash for Tallied<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal totals need not be written in the same terms.
        Score::from(&self.total).hash(state);
        self.state.hash(state);
    }
}

impl<S> Tallied<S> {
    /// Combines `state` with a sum of zero.
    ///
    /// # Examples
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_mdp::Tallied;
    /// let nothing = BigRational::from_integer(0.into());
    /// assert_eq!(Tallied::new(3), Tallied { total: nothing, state: 3 });
    /// ```
    pub fn new(state: S) -> Self {
        Tallied {
            total: BigRational::zero(),
            state,
        }
    }
}

impl<'g, G: Game + ?Sized> Totalled<'g, G> {
    /// Creates `game` with its rewards paid at the end.
    ///
    /// # Examples
    /// A reward of 2 is paid on the way to an end that is worth 5. Now it is paid at the end:
    /// ```
    /// use oddsmith_mdp::{Node, Solver, Table, Tallied, Totalled};
    /// let table = Table::from_fn(2, |state, row| match state {
    ///     0 => row.end(5),
    ///     _ => {
    ///         row.choice().to(0, 1).reward(2);
    ///     }
    /// })?;
    /// let totalled = Totalled::new(&table);
    /// let start = Tallied::new(1);
    /// assert_eq!(Node::of(&totalled, &start)?.reward(0), None);
    /// assert_eq!(Solver::exact().solve(&totalled, start)?.value().to_string(), "7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: &'g G) -> Self {
        Totalled { game }
    }
}

impl<G: Game + ?Sized> Game for Totalled<'_, G> {
    type State = Tallied<G::State>;
    type Action = G::Action;

    fn describe(&self, tallied: &Tallied<G::State>) -> String {
        let state = self.game.describe(&tallied.state);
        format!("{state} with a total of {}", tallied.total)
    }

    fn expand(&self, tallied: &Tallied<G::State>, node: &mut Node<Self>) {
        let Some(inner) = node.inner(self.game, &tallied.state) else {
            return;
        };
        if let Some(score) = inner.score() {
            return node.end(score.plus(&Score::from(&tallied.total)));
        }
        node.set_player(inner.player());
        for choice in 0..inner.len() {
            let paid = relay::reward(&inner, choice).and_then(|reward| reward.to_ratio());
            let total = paid.map_or_else(|| tallied.total.clone(), |paid| &tallied.total + paid);
            let mut written = relay::begin(&inner, choice, node);
            relay::outcomes(&inner, choice, &mut written, |state| Tallied {
                total: total.clone(),
                state: state.clone(),
            });
        }
    }
}
