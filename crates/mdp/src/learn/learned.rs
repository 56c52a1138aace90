//! What was learned, and how good it is.

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
#[non_exhaustive]
pub struct Estimates {
    /// After which epoch, from 1.
    pub epoch: u64,
    /// The estimates in the order in which they were watched.
    pub estimates: Vec<f64>,
}

/// What [`QLearning`](crate::QLearning) came to: estimates for every state met.
///
/// It is itself a policy (by reference): the first of the actions of the
/// highest estimate; in a state never met, the first action.
///
/// # Examples
/// The second of two doors wins, and whoever has learned it takes it:
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

/// What the learned policy is worth against the best there is, exactly.
///
/// # Examples
/// Where there is nothing to decide, nothing is given away:
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
#[non_exhaustive]
pub struct Regret {
    /// The expected score of best play.
    pub best: BigRational,
    /// The expected score of the learned policy.
    pub learned: BigRational,
}

impl Regret {
    /// What the learned policy gives away: 0 if it plays as well as can be.
    ///
    /// # Examples
    /// Whoever halves a win that is a move further away prefers 2/3 at once:
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
    /// The estimate of an action (by its number in the order of `expand`, from
    /// 0; a move of chance is action 0); the initial value if the state was
    /// never met.
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

    /// The estimates of all actions of a state, in the order of `expand`.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state never met and for an end.
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

    /// How often each action of a state was taken.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state never met and for an end.
    ///
    /// # Examples
    /// Chance moves in 0, and the game ends in 1:
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

    /// The best estimate of the start's actions, the highest (the lowest where the
    /// opponent decides): with a discount of 1 the
    /// source's "chance to win the game". The initial value if the game ends
    /// where it starts.
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

    /// The watched estimates, epoch by epoch, for plotting.
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

    /// The mean of a watched estimate over the last tenth of the history, as
    /// the source measures it; `None` if nothing was kept, or if there are not
    /// so many watched.
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

    /// How many games were played.
    ///
    /// # Examples
    /// As many as were asked for, unless the game was mastered before:
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

    /// How many of them ended with a score above 0.
    ///
    /// # Examples
    /// A draw is worth something, a defeat is not:
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

    /// Whether the stopping rule ended the work.
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

    /// How many states were met in which something can be done or happens.
    ///
    /// # Examples
    /// Eight steps of a stair, of which the last is the end:
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

    /// Whether the game ended where it started.
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

    /// What the learned policy gives away: the game is solved and the policy
    /// evaluated, both exactly.
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
        // What is learned of is played, and so it may come back to where it was.
        let solver = || Solver::exact().allow_cycles();
        let best = solver().solve(self.game, self.start.clone())?;
        let learned = solver().evaluate(self.game, self, self.start.clone())?;
        Ok(Regret {
            best: best.value(),
            learned: learned.value(),
        })
    }
}

/// Plays the first of the actions of the highest estimate.
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
