//! Q-learning: estimates of the values of actions, from games played.

mod exploration;
mod learned;
mod rate;
mod recording;

use std::fmt;

use indexmap::IndexMap;
use rand::Rng;
use rustc_hash::FxBuildHasher;

use crate::draw::{below, next};
use crate::{Error, Game, Node, Player, Score};

pub use exploration::Exploration;
pub use learned::{Estimates, Learned, Regret};
pub use rate::Rate;
pub use recording::Recording;

/// The default of [`QLearning::max_steps`].
const MAX_STEPS: u64 = 1_000_000;

/// The default of [`QLearning::max_states`].
const MAX_STATES: usize = 20_000_000;

/// Tabular Q-learning. The game is played again and again, and each move corrects the estimate of
/// the move before.
///
/// After an action a that leads from s to s', Q(s, a) moves towards γ · max Q(s', ·), or towards
/// the score if the game ends in s' (C. Watkins, *Learning from Delayed Rewards*, 1989); the
/// [reward](crate::Choice::reward) of a is added to that. A chance move counts as a state with a
/// single action. Where the opponent decides, the lowest of the estimates counts as best, both for
/// its play and for γ · max (M. L. Littman, "Markov games as a framework for multi-agent
/// reinforcement learning", 1994, where the players alternate). The defaults are those of "City of
/// Thieves solved" (Table 1): learning rate 0.5, discount γ = 0.9, initial value 1.
///
/// Exact solvers do better whenever the states can be enumerated. Q-learning is provided for games
/// whose states cannot, and to show what the source's method achieves.
///
/// **Discount below 1.** The estimates do not converge to the chance of winning: an action whose
/// reward lies n moves ahead is worth γⁿ⁻¹ times the reward, so a long safe way may look worse than
/// a short risky one. With [`discount(1.0)`](QLearning::discount), a [decaying
/// rate](Rate::Decaying) and [random exploration](Exploration::Random), they converge to the
/// expected score.
///
/// **The source's stopping rule** cannot be reached with the source's own exploration rule. In the
/// final choice, the right action keeps its estimate of 1, so a wrong one that was tried once and
/// lowered to 0.5 is never tried again. Random exploration reaches it.
///
/// # Examples
/// One door wins half of the time. The other leads to a second door that wins three times in five:
/// ```
/// use oddsmith_mdp::{Exploration, Game, Node, QLearning, Rate};
/// use rand::SeedableRng;
///
/// struct Doors;
/// impl Game for Doors {
///     type State = &'static str;
///     type Action = &'static str;
///     fn expand(&self, state: &&'static str, node: &mut Node<Self>) {
///         match *state {
///             "won" => node.end(1),
///             "lost" => node.end(0),
///             "hall" => {
///                 node.choice("left").to("won", 1).to("lost", 1);
///                 node.choice("right").to("room", 1);
///             }
///             _ => { node.choice("on").to("won", 3).to("lost", 2); }
///         }
///     }
/// }
///
/// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let learned = QLearning::new(&Doors)
///     .discount(1.0)
///     .rate(Rate::Decaying(1))
///     .explore(Exploration::Random(0.2))
///     .learn("hall", 20_000, &mut rng)?;
/// assert!((learned.estimate(&"hall", 0) - 0.5).abs() < 0.02);
/// assert!((learned.estimate(&"hall", 1) - 0.6).abs() < 0.02);
/// assert_eq!(learned.regret()?.loss().to_string(), "0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct QLearning<'g, G: Game + ?Sized> {
    game: &'g G,
    rate: Rate,
    discount: f64,
    initial: f64,
    exploration: Exploration,
    recording: Recording,
    max_steps: u64,
    max_states: usize,
    watched: Vec<(G::State, usize)>,
    losing: Vec<(G::State, usize)>,
    threshold: f64,
}

/// The estimates of a state's actions, and how often each action was taken.
struct Record {
    estimates: Vec<f64>,
    visits: Vec<u64>,
    player: Player,
}

impl Record {
    /// Returns the estimate of the action that is best for the player to move.
    fn best(&self) -> f64 {
        let estimates = self.estimates.iter().copied();
        match self.player {
            Player::Max => estimates.fold(f64::NEG_INFINITY, f64::max),
            Player::Min => estimates.fold(f64::INFINITY, f64::min),
        }
    }
}

type Table<S> = IndexMap<S, Record, FxBuildHasher>;

impl<'g, G: Game + ?Sized> QLearning<'g, G> {
    /// Creates a learner of `game` with the source's parameters.
    ///
    /// # Examples
    /// One lost game moves the estimate halfway from 1 to 0:
    /// ```
    #[doc = include_str!("../docs/sure.txt")]
    /// let learned = QLearning::new(&Sure).learn(0, 1, &mut rng)?; // to lose
    /// assert_eq!(learned.estimate(&0, 0), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(game: &'g G) -> Self {
        QLearning {
            game,
            rate: Rate::default(),
            discount: 0.9,
            initial: 1.0,
            exploration: Exploration::default(),
            recording: Recording::default(),
            max_steps: MAX_STEPS,
            max_states: MAX_STATES,
            watched: Vec::new(),
            losing: Vec::new(),
            threshold: 0.01,
        }
    }

    /// Sets how much a new experience counts. The default is 0.5.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/sure.txt")]
    /// use oddsmith_mdp::Rate;
    /// let slow = QLearning::new(&Sure).rate(Rate::Constant(0.25)); // to lose
    /// assert_eq!(slow.learn(0, 1, &mut rng)?.estimate(&0, 0), 0.75);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rate(mut self, rate: Rate) -> Self {
        self.rate = rate;
        self
    }

    /// Sets the discount factor γ, from 0 to 1. The default is 0.9.
    ///
    /// # Examples
    /// A certain win, but only after the next move:
    /// ```
    /// # use oddsmith_mdp::{QLearning, Rate, Table};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// # let stair = Table::from_fn(3, |step, row| match step {
    /// #     0 => row.end(1),
    /// #     _ => { row.choice().to(step - 1, 1); }
    /// # })?;
    /// let learner = QLearning::new(&stair).rate(Rate::Decaying(1)).discount(0.75);
    /// assert_eq!(learner.learn(2, 1, &mut rng)?.value(), 0.75);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn discount(mut self, discount: f64) -> Self {
        self.discount = discount;
        self
    }

    /// Sets the estimate of an action that was never taken. The default is 1; a high value
    /// encourages exploration.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, QLearning};
    /// # use rand::SeedableRng;
    /// # struct Coin;
    /// # impl Game for Coin {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state > 0 { return node.end(state - 1); }
    /// #         node.chance().to(1, 2).to(2, 1);
    /// #     }
    /// # }
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let learned = QLearning::new(&Coin).initial(0.25).learn(0, 1, &mut rng)?;
    /// assert_eq!(learned.estimate(&7, 0), 0.25); // a state never met
    /// assert_eq!(learned.estimate(&0, 0), 0.125); // one game, lost: half way to 0
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn initial(mut self, initial: f64) -> Self {
        self.initial = initial;
        self
    }

    /// Sets how actions are selected. The default is greedily.
    ///
    /// # Examples
    /// Greedy play opens the wrong one of two doors once. With random exploration, both are tried
    /// for ever:
    /// ```
    /// # use oddsmith_mdp::{Exploration, QLearning, Table};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// # let doors = Table::from_fn(3, |state, row| match state {
    /// #     0 | 1 => row.end(state),
    /// #     _ => { row.choice().to(0, 1); row.choice().to(1, 1); }
    /// # })?;
    /// let curious = QLearning::new(&doors).explore(Exploration::Random(1.0));
    /// let learned = curious.learn(2, 100, &mut rng)?;
    /// assert!(learned.visits(&2)?.iter().all(|&taken| taken > 30));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn explore(mut self, exploration: Exploration) -> Self {
        self.exploration = exploration;
        self
    }

    /// Sets after which epochs the watched estimates are recorded. The default is after those won.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/sure.txt")]
    /// use oddsmith_mdp::Recording;
    /// let learner = QLearning::new(&Sure).watch(0, 0).record(Recording::Every(2));
    /// let learned = learner.learn(0, 7, &mut rng)?;
    /// let epochs: Vec<u64> = learned.history().iter().map(|kept| kept.epoch).collect();
    /// assert_eq!(epochs, [2, 4, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn record(mut self, recording: Recording) -> Self {
        self.recording = recording;
        self
    }

    /// Records the estimate of this action (by its number in the order of `expand`, from 0) for
    /// [`Learned::history`].
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/sure.txt")]
    /// # use oddsmith_mdp::Recording;
    /// let learned = QLearning::new(&Sure) // to lose
    ///     .watch(0, 0)
    ///     .record(Recording::Every(1))
    ///     .learn(0, 3, &mut rng)?;
    /// let estimates: Vec<f64> = learned.history().iter().map(|kept| kept.estimates[0]).collect();
    /// assert_eq!(estimates, [0.5, 0.25, 0.125]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn watch(mut self, state: G::State, action: usize) -> Self {
        self.watched.push((state, action));
        self
    }

    /// Adds a losing action to the source's stopping rule: the game is mastered when the estimates
    /// of all actions added like this, which are known to lose, are below the
    /// [threshold](QLearning::threshold).
    ///
    /// # Examples
    /// Halved by each defeat, the estimate of 1 falls below 0.01 with the seventh:
    /// ```
    #[doc = include_str!("../docs/sure.txt")]
    /// let learned = QLearning::new(&Sure).losing(0, 0).learn(0, 100, &mut rng)?;
    /// assert_eq!((learned.mastered(), learned.epochs()), (true, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn losing(mut self, state: G::State, action: usize) -> Self {
        self.losing.push((state, action));
        self
    }

    /// Sets the estimate below which a losing action counts as known to lose. The default is 0.01.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/sure.txt")]
    /// let learner = QLearning::new(&Sure).losing(0, 0).threshold(0.3);
    /// assert_eq!(learner.learn(0, 100, &mut rng)?.epochs(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// Limits the number of steps of one game. Beyond it, learning ends with
    /// [`Error::TooManySteps`]. The default is 1 million.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// use oddsmith_mdp::{Error, QLearning};
    /// # use rand::SeedableRng;
    /// struct Endless;
    /// impl Game for Endless {
    ///     type State = u64;
    ///     type Action = ();
    ///     fn expand(&self, &n: &u64, node: &mut Node<Self>) {
    ///         node.chance().to(n + 1, 1);
    ///     }
    /// }
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let error = QLearning::new(&Endless).max_steps(500).learn(0, 9, &mut rng).err();
    /// assert_eq!(error, Some(Error::TooManySteps { limit: 500, games: 0, state: "500".into() }));
    /// ```
    #[must_use]
    pub fn max_steps(mut self, limit: u64) -> Self {
        self.max_steps = limit;
        self
    }

    /// Limits the number of states. Beyond it, learning ends with [`Error::TooManyStates`]. The
    /// default is 20 million.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// # use oddsmith_mdp::{Error, QLearning};
    /// # use rand::SeedableRng;
    /// # struct Endless;
    /// # impl Game for Endless {
    /// #     type State = u64;
    /// #     type Action = ();
    /// #     fn expand(&self, &n: &u64, node: &mut Node<Self>) {
    /// #         node.chance().to(n + 1, 1);
    /// #     }
    /// # }
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let error = QLearning::new(&Endless).max_states(200).learn(0, 9, &mut rng).err();
    /// assert_eq!(error, Some(Error::TooManyStates { limit: 200 }));
    /// ```
    #[must_use]
    pub fn max_states(mut self, limit: usize) -> Self {
        self.max_states = limit;
        self
    }

    /// Plays `epochs` games from `start`, or fewer if the game is [mastered](QLearning::losing)
    /// earlier.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a parameter outside its range or zero epochs,
    /// [`Error::NoSuchAction`] for a watched or losing action that does not exist,
    /// [`Error::TooManySteps`], [`Error::TooManyStates`], [`Error::ScoreBeyondFloat`],
    /// [`Error::RewardBeyondFloat`], [`Error::BadGenerator`], and those of a malformed state.
    ///
    /// # Complexity
    /// One `expand` per move. Memory for each state met and each epoch recorded.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/sure.txt")]
    /// let learned = QLearning::new(&Sure).learn(0, 10, &mut rng)?; // to lose
    /// assert_eq!(learned.estimate(&0, 0), 0.5_f64.powi(10)); // halved by each game
    /// assert!(QLearning::new(&Sure).learn(0, 0, &mut rng).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn<R>(
        self,
        start: G::State,
        epochs: u64,
        rng: &mut R,
    ) -> Result<Learned<'g, G>, Error>
    where
        R: Rng + ?Sized,
    {
        self.check(epochs)?;
        let mut table: Table<G::State> = IndexMap::default();
        let mut history = Vec::new();
        let (mut won, mut played, mut mastered) = (0, 0, false);
        let mut node = Node::new();
        while played < epochs && !mastered {
            let is_won = self.play(&start, &mut table, &mut node, rng, played)?;
            played += 1;
            won += u64::from(is_won);
            let kept = match self.recording {
                Recording::Won => is_won,
                Recording::Every(epochs) => played.is_multiple_of(epochs),
            };
            let estimates = |watched: &[(G::State, usize)]| -> Vec<f64> {
                let watched = watched.iter();
                watched
                    .map(|(state, action)| estimate(&table, state, *action, self.initial))
                    .collect()
            };
            if kept && !self.watched.is_empty() {
                history.push(Estimates {
                    epoch: played,
                    estimates: estimates(&self.watched),
                });
            }
            let losing = estimates(&self.losing);
            mastered = !losing.is_empty() && losing.iter().all(|&value| value < self.threshold);
        }
        Ok(Learned {
            game: self.game,
            start,
            initial: self.initial,
            table,
            history,
            epochs: played,
            won,
            mastered,
        })
    }

    /// Plays one game, learns from each of its moves, and returns whether its total is above 0. The
    /// total is exact: a sum of floats that should be 0 may be a little more.
    fn play<R: Rng + ?Sized>(
        &self,
        start: &G::State,
        table: &mut Table<G::State>,
        node: &mut Node<G>,
        rng: &mut R,
        played: u64,
    ) -> Result<bool, Error> {
        node.fill(self.game, start)?;
        let mut state = start.clone();
        if self.score(node, &state)?.is_some() {
            return Ok(node.score().is_some_and(|score| score.sign().is_gt()));
        }
        let (mut total, mut about) = (Score::from(0), 0.0);
        for _ in 0..self.max_steps {
            let number = self.meet(table, &state, node.len(), node.player())?;
            let action = self.pick(&table[number], rng)?;
            let reward = self.paid(node, action, &state)?;
            if let Some(reward) = node.reward(action) {
                total = total.plus(reward);
            }
            about += reward;
            let next = next(node, action, rng)?.unwrap_or_else(|| state.clone());
            node.fill(self.game, &next)?;
            let score = self.score(node, &next)?;
            let target = reward
                + match score {
                    Some(score) => score,
                    None => {
                        let next = table.get(&next).map(Record::best);
                        self.discount * next.unwrap_or(self.initial)
                    }
                };
            if !target.is_finite() || !about.is_finite() {
                node.fill(self.game, &state)?;
                return Err(Error::RewardBeyondFloat {
                    state: self.game.describe(&state),
                    action: node.label(action),
                });
            }
            let record = &mut table[number];
            record.visits[action] += 1;
            let rate = self.rate.at(record.visits[action]);
            // Not Q + α · (target − Q): at α = 1 this is the target itself.
            let old = record.estimates[action];
            record.estimates[action] = (1.0 - rate) * old + rate * target;
            if let Some(score) = node.score() {
                return Ok(total.plus(score).sign().is_gt());
            }
            state = next;
        }
        Err(Error::TooManySteps {
            limit: self.max_steps,
            games: played,
            state: self.game.describe(&state),
        })
    }

    /// Returns the score of a final state.
    fn score(&self, node: &Node<G>, state: &G::State) -> Result<Option<f64>, Error> {
        let Some(score) = node.score() else {
            return Ok(None);
        };
        let float = score.to_f64();
        if !float.is_finite() {
            return Err(Error::ScoreBeyondFloat {
                state: self.game.describe(state),
            });
        }
        Ok(Some(float))
    }

    /// Returns the reward that an action pays at once.
    fn paid(&self, node: &Node<G>, action: usize, state: &G::State) -> Result<f64, Error> {
        let reward = node.reward(action).map_or(0.0, Score::to_f64);
        if !reward.is_finite() {
            return Err(Error::RewardBeyondFloat {
                state: self.game.describe(state),
                action: node.label(action),
            });
        }
        Ok(reward)
    }

    /// Returns the number of a state in the table, adding the state if it is new.
    fn meet(
        &self,
        table: &mut Table<G::State>,
        state: &G::State,
        actions: usize,
        player: Player,
    ) -> Result<usize, Error> {
        if let Some(number) = table.get_index_of(state) {
            let record = &table[number];
            if record.estimates.len() != actions || record.player != player {
                return Err(Error::Inconsistent {
                    state: self.game.describe(state),
                });
            }
            return Ok(number);
        }
        if table.len() >= self.max_states {
            return Err(Error::TooManyStates {
                limit: self.max_states,
            });
        }
        let record = Record {
            estimates: vec![self.initial; actions],
            visits: vec![0; actions],
            player,
        };
        Ok(table.insert_full(state.clone(), record).0)
    }

    /// Selects the action to be taken.
    fn pick<R: Rng + ?Sized>(&self, record: &Record, rng: &mut R) -> Result<usize, Error> {
        let estimates = &record.estimates;
        if let Exploration::Random(share) = self.exploration {
            // A multiple of 2⁻⁵³, compared without rounding.
            let drawn = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            if drawn < share {
                return Ok(below(rng, estimates.len() as u64)? as usize);
            }
        }
        let best = record.best();
        let ties = estimates.iter().filter(|&&value| value == best).count();
        let drawn = below(rng, ties as u64)? as usize;
        let places = estimates.iter().enumerate();
        let mut tied = places.filter(|&(_, &value)| value == best);
        Ok(tied.nth(drawn).map_or(0, |(place, _)| place))
    }

    fn check(&self, epochs: u64) -> Result<(), Error> {
        let bad = |parameter, given: &dyn fmt::Display, allowed| {
            Err(Error::BadParameter {
                parameter,
                given: given.to_string(),
                allowed,
            })
        };
        match self.rate {
            Rate::Constant(rate) if !(rate > 0.0 && rate <= 1.0) => {
                return bad("the learning rate", &rate, "above 0 and at most 1");
            }
            Rate::Decaying(0) => return bad("the weight of a decaying rate", &0, "1 or more"),
            _ => {}
        }
        if !(0.0..=1.0).contains(&self.discount) {
            return bad("the discount", &self.discount, "between 0 and 1");
        }
        if !self.initial.is_finite() {
            return bad("the initial value", &self.initial, "a finite number");
        }
        if let Exploration::Random(share) = self.exploration
            && !(0.0..=1.0).contains(&share)
        {
            return bad("the share of random actions", &share, "between 0 and 1");
        }
        if self.recording == Recording::Every(0) {
            return bad("the distance of recorded epochs", &0, "1 or more");
        }
        if !self.threshold.is_finite() {
            return bad("the threshold", &self.threshold, "a finite number");
        }
        if epochs == 0 {
            return bad("the number of epochs", &0, "1 or more");
        }
        for (state, action) in self.watched.iter().chain(&self.losing) {
            let actions = Node::of(self.game, state)?.len();
            if *action >= actions {
                return Err(Error::NoSuchAction {
                    state: self.game.describe(state),
                    action: *action,
                    actions,
                });
            }
        }
        Ok(())
    }
}

impl<G: Game + ?Sized> fmt::Debug for QLearning<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QLearning")
            .field("rate", &self.rate)
            .field("discount", &self.discount)
            .field("initial", &self.initial)
            .field("exploration", &self.exploration)
            .field("recording", &self.recording)
            .finish_non_exhaustive()
    }
}

/// Returns the estimate of an action, or the initial value for a state that was never met.
fn estimate<S: std::hash::Hash + Eq>(
    table: &Table<S>,
    state: &S,
    action: usize,
    initial: f64,
) -> f64 {
    let record = table.get(state);
    let known = record.and_then(|record| record.estimates.get(action));
    known.copied().unwrap_or(initial)
}
