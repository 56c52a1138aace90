//! Playing a game with random numbers.

mod interval;
mod simulation;

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;
use rand::Rng;

use crate::draw::{below, next, pick};
use crate::policy::lowest_terms;
use crate::{Error, Game, Node, Policy, Score};

pub use simulation::Simulation;

/// The default of [`Simulator::max_steps`], which takes some seconds.
const MAX_STEPS: u64 = 10_000_000;

/// Plays a game under a policy, with chance moves drawn by a random number generator.
///
/// The simulator asks [`Game::expand`] itself what can happen in a state, so whatever can be solved
/// can be played. A state that leads back to itself is rolled again, as at the table. Every outcome
/// is drawn by its integer weight without bias. In a game for two, the policy plays for both. The
/// same generator with the same seed plays the same games.
///
/// # Examples
/// A die is rolled up to three times, and the last roll counts. Best play is worth 14/3:
/// ```
/// # use oddsmith_mdp::{Game, Node};
/// # struct KeepOrRoll;
/// # impl Game for KeepOrRoll {
/// #     type State = (u8, u8);
/// #     type Action = &'static str;
/// #     fn expand(&self, &(left, pips): &(u8, u8), node: &mut Node<Self>) {
/// #         if left == 0 { return node.end(pips); }
/// #         if pips > 0 { node.choice("keep").to((0, pips), 1); }
/// #         let mut roll = node.choice("roll");
/// #         for face in 1..=6 { roll.to((left - 1, face), 1); }
/// #     }
/// # }
/// use oddsmith_mdp::{Simulator, Solver};
/// use rand::SeedableRng;
/// use rand_chacha::ChaCha8Rng;
///
/// let best = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
/// let mut rng = ChaCha8Rng::seed_from_u64(1);
/// let simulation = Simulator::new(&KeepOrRoll, &best).run(&(3, 0), 10_000, &mut rng)?;
/// assert!((simulation.mean() - 14.0 / 3.0).abs() < 0.05);
/// assert!(simulation.z_score(best.value()).abs() < 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Simulator<'g, G, P, C = fn(&<G as Game>::State) -> bool>
where
    G: Game + ?Sized,
{
    game: &'g G,
    policy: P,
    max_steps: u64,
    counts: C,
}

impl<'g, G: Game + ?Sized, P: Policy<G>> Simulator<'g, G, P> {
    /// Creates a simulator that plays `game` under `policy`. Every step counts towards the length
    /// of a game.
    ///
    /// # Examples
    /// A player who always rolls again takes three steps:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Simulator;
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let always = |_: &(u8, u8), actions: &[&str]| actions.len() - 1;
    /// let play = Simulator::new(&KeepOrRoll, always).play(&(3, 0), &mut rng)?;
    /// assert_eq!(play.length, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(game: &'g G, policy: P) -> Self {
        Simulator {
            game,
            policy,
            max_steps: MAX_STEPS,
            counts: |_| true,
        }
    }
}

impl<'g, G: Game + ?Sized, P: Policy<G>, C: Fn(&G::State) -> bool> Simulator<'g, G, P, C> {
    /// Limits the number of steps of one game. Beyond it, play ends with [`Error::TooManySteps`].
    /// The default is 10 million.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// use oddsmith_mdp::{Error, Simulator};
    /// use rand::SeedableRng;
    /// struct Endless;
    /// impl Game for Endless {
    ///     type State = u64;
    ///     type Action = ();
    ///     fn expand(&self, &n: &u64, node: &mut Node<Self>) {
    ///         node.chance().to(n + 1, 1);
    ///     }
    /// }
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let simulator = Simulator::new(&Endless, |_: &u64, _: &[()]| 0).max_steps(500);
    /// let error = simulator.run(&0, 10, &mut rng).err();
    /// assert_eq!(error, Some(Error::TooManySteps { limit: 500, games: 0, state: "500".into() }));
    /// ```
    #[must_use]
    pub fn max_steps(mut self, limit: u64) -> Self {
        self.max_steps = limit;
        self
    }

    /// Counts only steps from these states towards the length of a game, as in
    /// [`Forecast::lengths`](crate::Forecast::lengths). Staying in a state counts each time.
    ///
    /// # Examples
    /// Toss a coin until it shows heads. The expected number of tails equals that of heads, which
    /// is one:
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// struct UntilHeads;
    /// impl Game for UntilHeads {
    ///     type State = &'static str;
    ///     type Action = ();
    ///     fn expand(&self, &state: &&'static str, node: &mut Node<Self>) {
    ///         match state {
    ///             "heads" => node.end(1),
    ///             _ => { node.chance().to("heads", 1).to("tails", 1); }
    ///         }
    ///     }
    /// }
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let tails = Simulator::new(&UntilHeads, AtRandom).counting(|&state| state == "tails");
    /// let simulation = tails.run(&"start", 10_000, &mut rng)?;
    /// assert_eq!(simulation.shortest(), 0);
    /// assert!((simulation.mean_length() - 1.0).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counting<D: Fn(&G::State) -> bool>(self, counts: D) -> Simulator<'g, G, P, D> {
        Simulator {
            game: self.game,
            policy: self.policy,
            max_steps: self.max_steps,
            counts,
        }
    }

    /// Plays one game from `start` to its end.
    ///
    /// # Errors
    /// Those of a malformed state; [`Error::NoDecision`] if the policy selects no action;
    /// [`Error::TooManySteps`]; and [`Error::BadGenerator`] for numbers that are not random.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// # struct Stair;
    /// # impl Game for Stair {
    /// #     type State = u32;
    /// #     type Action = ();
    /// #     fn expand(&self, &step: &u32, node: &mut Node<Self>) {
    /// #         match step {
    /// #             0 => node.end(7),
    /// #             _ => { node.chance().to(step - 1, 1); }
    /// #         }
    /// #     }
    /// # }
    /// use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// // Down a stair of five, one step at a time.
    /// let play = Simulator::new(&Stair, AtRandom).play(&5, &mut rng)?;
    /// assert_eq!((play.end, play.score.to_f64(), play.length), (0, 7.0, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play<R>(&self, start: &G::State, rng: &mut R) -> Result<Playthrough<G::State>, Error>
    where
        R: Rng + ?Sized,
    {
        self.follow(start, rng, &mut Scratch::new(), 0)
    }

    /// Plays `games` games from `start`.
    ///
    /// # Errors
    /// The same as for [`play`](Simulator::play), and [`Error::NoGames`] if `games` is zero.
    ///
    /// # Complexity
    /// One `expand` per step. Memory for each final state, each total and each length that occurred.
    ///
    /// # Examples
    /// Six thousand rolls of a die:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{AtRandom, Error, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let simulator = Simulator::new(&KeepOrRoll, AtRandom);
    /// let rolls = simulator.run(&(1, 0), 6_000, &mut rng)?;
    /// assert!((rolls.mean() - 3.5).abs() < 0.1);
    /// assert!((900..1_100).contains(&rolls.count(|end| end.1 == 6)));
    /// assert_eq!(simulator.run(&(1, 0), 0, &mut rng).err(), Some(Error::NoGames));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run<R>(
        &self,
        start: &G::State,
        games: u64,
        rng: &mut R,
    ) -> Result<Simulation<G::State>, Error>
    where
        R: Rng + ?Sized,
    {
        if games == 0 {
            return Err(Error::NoGames);
        }
        let mut simulation = Simulation {
            games,
            ends: IndexMap::default(),
            scores: IndexMap::default(),
            lengths: BTreeMap::new(),
        };
        let mut scratch = Scratch::new();
        for played in 0..games {
            let play = self.follow(start, rng, &mut scratch, played)?;
            *simulation.lengths.entry(play.length).or_insert(0) += 1;
            *simulation.ends.entry(play.end).or_insert(0) += 1;
            *simulation.scores.entry(play.score).or_insert(0) += 1;
        }
        Ok(simulation)
    }

    fn follow<R: Rng + ?Sized>(
        &self,
        start: &G::State,
        rng: &mut R,
        scratch: &mut Scratch<G>,
        played: u64,
    ) -> Result<Playthrough<G::State>, Error> {
        let mut state = start.clone();
        let mut length = 0;
        let mut paid: Option<Score> = None;
        let Scratch {
            node,
            actions,
            weights,
        } = scratch;
        for step in 0..=self.max_steps {
            node.fill(self.game, &state)?;
            if let Some(score) = node.score() {
                let score = match paid {
                    Some(paid) => score.plus(&paid),
                    None => score.clone(),
                };
                let end = state;
                return Ok(Playthrough { end, score, length });
            }
            if step == self.max_steps {
                break;
            }
            let choice = if node.action(0).is_none() {
                0
            } else {
                actions.clear();
                actions.extend((0..node.len()).filter_map(|choice| node.action(choice).cloned()));
                weights.clear();
                weights.resize(actions.len(), 0);
                self.policy.weigh(&state, actions, weights);
                let no_decision = || Error::NoDecision {
                    state: self.game.describe(&state),
                };
                let total = total(weights).ok_or_else(no_decision)?;
                let drawn = below(rng, total)?;
                pick(weights.iter().copied(), drawn).ok_or_else(no_decision)?
            };
            length += u64::from((self.counts)(&state));
            if let Some(reward) = node.reward(choice) {
                paid = Some(paid.map_or_else(|| reward.clone(), |paid| paid.plus(reward)));
            }
            // The weights add up to more than the number drawn, so there is such an outcome.
            if let Some(successor) = next(node, choice, rng)? {
                state = successor;
            }
        }
        Err(Error::TooManySteps {
            limit: self.max_steps,
            games: played,
            state: self.game.describe(&state),
        })
    }
}

impl<G: Game + ?Sized, P: fmt::Debug, C> fmt::Debug for Simulator<'_, G, P, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulator")
            .field("policy", &self.policy)
            .field("max_steps", &self.max_steps)
            .finish_non_exhaustive()
    }
}

/// Buffers that every step overwrites.
struct Scratch<G: Game + ?Sized> {
    node: Node<G>,
    actions: Vec<G::Action>,
    weights: Vec<u64>,
}

impl<G: Game + ?Sized> Scratch<G> {
    fn new() -> Self {
        Scratch {
            node: Node::new(),
            actions: Vec::new(),
            weights: Vec::new(),
        }
    }
}

/// One game, played to its end.
///
/// # Examples
/// A reward of 2 is paid on the way to an end that is worth 5:
/// ```
/// use oddsmith_mdp::{AtRandom, Score, Simulator, Table};
/// # use rand::SeedableRng;
/// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let table = Table::from_fn(2, |state, row| match state {
///     0 => row.end(5),
///     _ => {
///         row.choice().to(0, 1).reward(2);
///     }
/// })?;
/// let play = Simulator::new(&table, AtRandom).play(&1, &mut rng)?;
/// assert_eq!((play.end, play.score, play.length), (0, Score::from(7), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Playthrough<S> {
    /// The final state.
    pub end: S,
    /// The total score, including all [rewards](crate::Choice::reward) paid on the way.
    pub score: Score,
    /// The number of steps, counted as set by [`Simulator::counting`].
    pub length: u64,
}

/// Adds up the weights. If the sum overflows, they are divided by their greatest common divisor.
/// Returns `None` if they are all zero, or if the sum still overflows.
fn total(weights: &mut [u64]) -> Option<u64> {
    let sum = weights.iter().try_fold(0_u64, |sum, &w| sum.checked_add(w));
    if let Some(sum) = sum {
        return Some(sum).filter(|sum| *sum > 0);
    }
    let (divisor, sum) = lowest_terms(weights)?;
    weights.iter_mut().for_each(|weight| *weight /= divisor);
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// A fork into an end without a score, into a dead end, and into an end.
    struct Fork;

    impl Game for Fork {
        type State = u8;
        type Action = u8;
        fn expand(&self, &state: &u8, node: &mut Node<Self>) {
            match state {
                0 => (1..=3).for_each(|way| {
                    node.choice(way).to(way, 1);
                }),
                1 => node.end(f64::NAN),
                2 => {}
                _ => node.end((1, 3)),
            }
        }
    }

    struct Weights([u64; 3]);

    impl Policy<Fork> for Weights {
        fn weigh(&self, _: &u8, _: &[u8], weights: &mut [u64]) {
            weights.copy_from_slice(&self.0);
        }
    }

    #[track_caller]
    fn check_fork(weights: [u64; 3], expected: Result<&str, Error>) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mean = Simulator::new(&Fork, Weights(weights))
            .run(&0, 7, &mut rng)
            .map(|simulation| simulation.mean().to_string());
        assert_eq!(mean, expected.map(String::from));
    }

    #[test]
    fn whatever_is_wrong_is_told_with_its_state() {
        let state = |state: &str| state.to_owned();
        check_fork([0, 0, 9], Ok("0.3333333333333333"));
        check_fork([1, 0, 0], Err(Error::BadScore { state: state("1") }));
        check_fork([0, 1, 0], Err(Error::DeadEnd { state: state("2") }));
        let undecided = || Err(Error::NoDecision { state: state("0") });
        check_fork([0, 0, 0], undecided());
        check_fork([0, 1, u64::MAX], undecided());
        // A half each, however large the numbers are.
        check_fork(
            [0, 1 << 63, 1 << 63],
            Err(Error::DeadEnd { state: state("2") }),
        );
    }
}
