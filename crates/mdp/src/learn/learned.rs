//! The results of learning, and how good they are.

use std::fmt;

use num_rational::BigRational;

use super::{Record, Table, estimate};
use crate::{Error, Game, Policy, Solver};

/// The watched estimates after one epoch.
///
/// # Examples
/// ```
#[doc = include_str!("../../docs/sure.txt")]
/// use oddsmith_mdp::{Estimates, Recording};
/// let learner = QLearning::new(&Sure).watch(0, 0).record(Recording::Every(3));
/// let learned = learner.learn(0, 3, &mut rng)?; // always lost: halved each time
/// let kept: &Estimates = &learned.history()[0];
/// assert_eq!((kept.epoch, &kept.estimates), (3, &vec![0.125]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Estimates {
    /// The number of the epoch, from 1.
    pub epoch: u64,
    /// The estimates in the order in which they were watched.
    pub estimates: Vec<f64>,
}

/// The result of [`QLearning`](crate::QLearning): estimates for every state met.
///
/// A reference to it is itself a policy. It takes the first of the actions with the best estimate
/// for the player to move; in a state that was never met, the first action.
///
/// # Examples
/// The second of two doors wins, and the learned policy takes it:
/// ```
/// # use oddsmith_mdp::{QLearning, Solver, Table};
/// # use rand::SeedableRng;
/// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// # let doors = Table::from_fn(3, |state, row| match state {
/// #     0 | 1 => row.end(state),
/// #     _ => { row.choice().to(0, 1); row.choice().to(1, 1); }
/// # })?;
/// let learned = QLearning::new(&doors).learn(2, 20, &mut rng)?;
/// let evaluation = Solver::exact().evaluate(&doors, &learned, 2)?;
/// assert_eq!(evaluation.value().to_string(), "1"); // 1/2 at random
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Learned<'g, G: Game + ?Sized> {
    pub(super) game: &'g G,
    pub(super) start: G::State,
    pub(super) initial: f64,
    pub(super) table: Table<G::State>,
    pub(super) history: Vec<Estimates>,
    pub(super) epochs: u64,
    pub(super) won: u64,
    pub(super) mastered: bool,
}

/// The exact value of the learned policy, compared with that of best play.
///
/// # Examples
/// If there is nothing to decide, nothing is lost:
/// ```
/// # use oddsmith_mdp::{QLearning, Regret, Table};
/// # use rand::SeedableRng;
/// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// # let coin = Table::from_fn(3, |state, row| match state {
/// #     0 | 1 => row.end(state),
/// #     _ => { row.choice().to(0, 2).to(1, 1); }
/// # })?;
/// let regret: Regret = QLearning::new(&coin).learn(2, 9, &mut rng)?.regret()?;
/// assert_eq!(regret.best.to_string(), "1/3"); // whatever the estimates are by then
/// assert_eq!(regret.learned.to_string(), "1/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Regret {
    /// The expected score of best play.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub best: BigRational,
    /// The expected score of the learned policy.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub learned: BigRational,
}

impl Regret {
    /// Returns what the learned policy loses compared with best play, which is 0 if it is optimal.
    ///
    /// # Examples
    /// A learner who halves the value of a win that is one move further away prefers 2/3 at once:
    /// ```
    /// # use oddsmith_mdp::{QLearning, Table};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// # let doors = Table::from_fn(4, |state, row| match state {
    /// #     0 => row.end((2, 3)),
    /// #     1 => row.end(1),
    /// #     2 => { row.choice().to(1, 1); }
    /// #     _ => { row.choice().to(0, 1); row.choice().to(2, 1); }
    /// # })?;
    /// let hasty = QLearning::new(&doors).discount(0.5).learn(3, 200, &mut rng)?;
    /// assert_eq!(hasty.regret()?.loss().to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn loss(&self) -> BigRational {
        &self.best - &self.learned
    }
}

impl<G: Game + ?Sized> Learned<'_, G> {
    /// Returns the estimate of an action (by its number in the order of `expand`, from 0; a chance
    /// move is action 0), or the initial value if the state was never met.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/sure.txt")]
    /// let learned = QLearning::new(&Sure).learn(0, 3, &mut rng)?; // always lost
    /// assert_eq!(learned.estimate(&0, 0), 0.125);
    /// assert_eq!(learned.estimate(&1, 0), 1.0); // an end
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn estimate(&self, state: &G::State, action: usize) -> f64 {
        estimate(&self.table, state, action, self.initial)
    }

    /// Returns the estimates of all actions of a state, in the order of `expand`.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was never met, and for an end.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, QLearning};
    /// # use rand::SeedableRng;
    /// # struct Two;
    /// # impl Game for Two {
    /// #     type State = u8;
    /// #     type Action = char;
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state > 0 { return node.end(state - 1); }
    /// #         node.choice('a').to(1, 1);
    /// #         node.choice('b').to(2, 1);
    /// #     }
    /// # }
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// // 'a' scores 0, 'b' scores 1: once 'a' was tried, it is not tried again.
    /// let learned = QLearning::new(&Two).learn(0, 50, &mut rng)?;
    /// assert_eq!(learned.estimates(&0)?, [0.5, 1.0]);
    /// assert_eq!(learned.visits(&0)?, [1, 49]);
    /// assert_eq!((learned.epochs(), learned.won(), learned.len()), (50, 49, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimates(&self, state: &G::State) -> Result<&[f64], Error> {
        match self.table.get(state) {
            Some(record) => Ok(&record.estimates),
            None => Err(self.unknown(state)),
        }
    }

    fn unknown(&self, state: &G::State) -> Error {
        Error::UnknownState {
            state: self.game.describe(state),
        }
    }

    /// Returns how often each action of a state was taken.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was never met, and for an end.
    ///
    /// # Examples
    /// Chance moves in state 0, and the game ends in state 1:
    /// ```
    #[doc = include_str!("../../docs/sure.txt")]
    /// let learned = QLearning::new(&Sure).learn(0, 25, &mut rng)?;
    /// assert_eq!(learned.visits(&0)?, [25]);
    /// assert!(learned.visits(&1).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visits(&self, state: &G::State) -> Result<&[u64], Error> {
        match self.table.get(state) {
            Some(record) => Ok(&record.visits),
            None => Err(self.unknown(state)),
        }
    }

    /// Returns the best estimate of the start's actions: the highest, or the lowest if the opponent
    /// decides. With a discount of 1, it is the source's "chance to win the game". If the game ends
    /// where it starts, it is the initial value.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, QLearning};
    /// # use rand::SeedableRng;
    /// # struct Stair;
    /// # impl Game for Stair {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state == 0 { return node.end(1); }
    /// #         node.choice(()).to(state - 1, 1);
    /// #     }
    /// # }
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// // Three steps and a certain win, which discounting takes for 0.9².
    /// let learned = QLearning::new(&Stair).learn(3, 100, &mut rng)?;
    /// assert!((learned.value() - 0.81).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> f64 {
        let record = self.table.get(&self.start);
        record.map_or(self.initial, Record::best)
    }

    /// Returns the watched estimates, epoch by epoch, for plotting.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/sure.txt")]
    /// use oddsmith_mdp::Recording;
    /// let learner = QLearning::new(&Sure).watch(0, 0).record(Recording::Every(2));
    /// let learned = learner.learn(0, 100, &mut rng)?; // always lost: halved each time
    /// assert_eq!(learned.history().len(), 50);
    /// assert_eq!(learned.history()[1].estimates, [0.0625]); // after the fourth
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn history(&self) -> &[Estimates] {
        &self.history
    }

    /// Returns the mean of a watched estimate over the last tenth of the history, as the source
    /// measures it. `None` if nothing was recorded, or if there is no such watched estimate.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/sure.txt")]
    /// # use oddsmith_mdp::Recording;
    /// let learner = QLearning::new(&Sure).watch(0, 0).record(Recording::Every(1));
    /// let learned = learner.learn(0, 20, &mut rng)?; // always lost: halved each time
    /// assert_eq!(learned.late_mean(0), Some(1.5 * 0.5_f64.powi(20)));
    /// assert_eq!(learned.late_mean(1), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn late_mean(&self, watched: usize) -> Option<f64> {
        let late = self.history.len().div_ceil(10);
        let last = &self.history[self.history.len() - late..];
        let estimates = last.iter().map(|kept| kept.estimates.get(watched));
        let sum: f64 = estimates.sum::<Option<f64>>()?;
        (late > 0).then(|| sum / late as f64)
    }

    /// Returns the number of games played.
    ///
    /// # Examples
    /// As many as requested, unless the game was mastered earlier:
    /// ```
    #[doc = include_str!("../../docs/sure.txt")]
    /// assert_eq!(QLearning::new(&Sure).learn(0, 30, &mut rng)?.epochs(), 30);
    /// let learner = QLearning::new(&Sure).losing(0, 0);
    /// assert_eq!(learner.learn(0, 30, &mut rng)?.epochs(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn epochs(&self) -> u64 {
        self.epochs
    }

    /// Returns the number of games with a total (the score of the end and all rewards) above 0.
    ///
    /// # Examples
    /// A draw has a positive score, a defeat does not:
    /// ```
    #[doc = include_str!("../../docs/sure.txt")]
    /// # use oddsmith_mdp::Table;
    /// let draw = Table::from_fn(1, |_, row| row.end((1, 2)))?;
    /// assert_eq!(QLearning::new(&draw).learn(0, 30, &mut rng)?.won(), 30);
    /// assert_eq!(QLearning::new(&Sure).learn(0, 30, &mut rng)?.won(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn won(&self) -> u64 {
        self.won
    }

    /// Returns whether the stopping rule ended the work.
    ///
    /// # Examples
    /// Seven defeats are needed to fall below 1/100:
    /// ```
    #[doc = include_str!("../../docs/sure.txt")]
    /// let mut learn = |games| QLearning::new(&Sure).losing(0, 0).learn(0, games, &mut rng);
    /// assert!(!learn(6)?.mastered());
    /// assert!(learn(7)?.mastered());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mastered(&self) -> bool {
        self.mastered
    }

    /// Returns the number of non-final states that were met.
    ///
    /// # Examples
    /// Eight steps of a stair, the last of which is the end:
    /// ```
    /// # use oddsmith_mdp::{QLearning, Table};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// # let stair = Table::from_fn(8, |step, row| match step {
    /// #     0 => row.end(1),
    /// #     _ => { row.choice().to(step - 1, 1); }
    /// # })?;
    /// assert_eq!(QLearning::new(&stair).learn(7, 2, &mut rng)?.len(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns whether the game ended where it started.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, QLearning};
    /// # use rand::SeedableRng;
    /// # struct Over;
    /// # impl Game for Over {
    /// #     type State = ();
    /// #     type Action = ();
    /// #     fn expand(&self, _: &(), node: &mut Node<Self>) { node.end(7); }
    /// # }
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let learned = QLearning::new(&Over).learn((), 3, &mut rng)?;
    /// assert!(learned.is_empty() && learned.won() == 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Computes what the learned policy loses: the game is solved and the policy evaluated, both
    /// exactly.
    ///
    /// # Errors
    /// Those of [`Solver::solve`] and [`Solver::evaluate`].
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, QLearning};
    /// # use rand::SeedableRng;
    /// # struct Two;
    /// # impl Game for Two {
    /// #     type State = i64;
    /// #     type Action = char;
    /// #     fn expand(&self, &state: &i64, node: &mut Node<Self>) {
    /// #         if state > 1 { return node.end((state - 2, 4)); }
    /// #         if state == 1 { node.choice('c').to(6, 1); return; }
    /// #         node.choice('a').to(1, 1);
    /// #         node.choice('b').to(5, 1);
    /// #     }
    /// # }
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// // 'b' scores 3/4 at once, 'a' scores 1 a move later; discount 0.7 is impatient.
    /// let learned = QLearning::new(&Two).discount(0.7).learn(0, 200, &mut rng)?;
    /// let regret = learned.regret()?;
    /// assert_eq!((regret.best.to_string(), regret.learned.to_string()), ("1".into(), "3/4".into()));
    /// assert_eq!(regret.loss().to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn regret(&self) -> Result<Regret, Error> {
        // Learning plays the game, so it also works for games that can return to a state.
        let solver = || Solver::exact().allow_cycles();
        let best = solver().solve(self.game, self.start.clone())?;
        let learned = solver().evaluate(self.game, self, self.start.clone())?;
        Ok(Regret {
            best: best.value(),
            learned: learned.value(),
        })
    }
}

/// Plays the first of the actions with the best estimate for the player to move.
impl<G: Game + ?Sized> Policy<G> for &Learned<'_, G> {
    fn weigh(&self, state: &G::State, _: &[G::Action], weights: &mut [u64]) {
        let record = self.table.get(state);
        let place = record.map_or(Some(0), |record| {
            let best = record.best();
            record.estimates.iter().position(|&value| value == best)
        });
        if let Some(weight) = place.and_then(|place| weights.get_mut(place)) {
            *weight = 1;
        }
    }
}

impl<G: Game + ?Sized> fmt::Debug for Learned<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned")
            .field("states", &self.len())
            .field("epochs", &self.epochs)
            .field("won", &self.won)
            .field("mastered", &self.mastered)
            .field("value", &self.value())
            .finish()
    }
}
