//! The results of games played with random numbers.

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use oddsmith_dice::Weight;
use rustc_hash::FxBuildHasher;

use crate::Score;

/// The results of many games: how they ended, what they scored and how long they took.
///
/// Counts are stored, not running means, so nothing is rounded before it is queried.
///
/// # Examples
/// ```
/// # use oddsmith_mdp::{Game, Node};
/// # struct Coin;
/// # impl Game for Coin {
/// #     type State = u8;
/// #     type Action = ();
/// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
/// #         if state > 0 { return node.end(state - 1); }
/// #         node.chance().to(1, 2).to(2, 1);
/// #     }
/// # }
/// use oddsmith_mdp::{AtRandom, Simulator};
/// # use rand::SeedableRng;
/// // A coin that shows 1 two times in three and 2, worth 1, the third time.
/// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let simulation = Simulator::new(&Coin, AtRandom).run(&0, 900, &mut rng)?;
/// let twos = simulation.count(|&end| end == 2);
/// assert_eq!(simulation.count(|_| true), simulation.games());
/// assert_eq!(simulation.mean(), twos as f64 / 900.0);
/// assert!((simulation.standard_error() - (2.0 / 9.0 / 900.0_f64).sqrt()).abs() < 0.001);
/// assert!(simulation.z_score((1, 3)).abs() < 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation<S> {
    pub(super) games: u64,
    pub(super) ends: IndexMap<S, u64, FxBuildHasher>,
    /// Includes rewards paid on the way.
    pub(super) scores: IndexMap<Score, u64, FxBuildHasher>,
    pub(super) lengths: BTreeMap<u64, u64>,
}

impl<S> Simulation<S> {
    /// Returns the number of games that were played, which is at least one.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let simulation = Simulator::new(&KeepOrRoll, AtRandom).run(&(3, 0), 250, &mut rng)?;
    /// assert_eq!(simulation.games(), 250);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the mean score, including rewards paid on the way.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{AtRandom, Simulator, Table};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let bet = Table::from_fn(2, |state, row| match state {
    ///     0 => row.end(5),
    ///     _ => {
    ///         row.choice().to(0, 1).reward(-2);
    ///     }
    /// })?;
    /// let simulation = Simulator::new(&bet, AtRandom).run(&1, 10, &mut rng)?;
    /// assert_eq!(simulation.mean(), 3.0); // 5 − 2 each time
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.exact_mean().to_f64().unwrap_or(f64::NAN)
    }

    /// Returns the standard error of the mean: the standard deviation of the scores (with divisor
    /// games − 1) divided by √games.
    ///
    /// It is infinite after a single game, which says nothing about how scores vary, and zero if
    /// all scores were the same.
    ///
    /// # Examples
    /// A hundred tosses of a coin for 0 or 1, each 1/2 away from the mean:
    /// ```
    /// # use oddsmith_mdp::{AtRandom, Simulator, Table};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// # let coin = Table::from_fn(3, |state, row| match state {
    /// #     0 | 1 => row.end(state),
    /// #     _ => { row.choice().to(0, 1).to(1, 1); }
    /// # })?;
    /// let simulator = Simulator::new(&coin, AtRandom);
    /// let tosses = simulator.run(&2, 100, &mut rng)?;
    /// assert!((tosses.standard_error() - 0.05).abs() < 0.005); // 1/2 / √100
    /// assert_eq!(simulator.run(&2, 1, &mut rng)?.standard_error(), f64::INFINITY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        match self.games {
            0 | 1 => f64::INFINITY,
            _ => BigUint::root(&self.variance()),
        }
    }

    /// Returns the square of the standard error, for two games or more.
    fn variance(&self) -> BigRational {
        // In fractions, since the difference of two large numbers would lose digits.
        let mean = self.exact_mean();
        let squares = self.scores().map(|(score, count)| {
            let deviation = score - &mean;
            &deviation * &deviation * BigInt::from(count)
        });
        let games = BigInt::from(self.games);
        squares.sum::<BigRational>() / (&games * (&games - 1_u8))
    }

    /// Returns how many standard errors the mean lies above `exact`. It is beyond ±4 once in 16,000
    /// simulations, if there are enough games for the normal distribution.
    ///
    /// Zero if the mean is `exact`, and after a single game. Infinite if the mean is not `exact`
    /// and all scores were the same (such as if a rare victory never occurred). `NaN` if `exact` is
    /// not a number.
    ///
    /// # Examples
    /// Ten tosses of a coin with a 7 on both sides:
    /// ```
    /// # use oddsmith_mdp::{AtRandom, Simulator, Table};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// # let coin = Table::from_fn(2, |state, row| match state {
    /// #     0 => row.end(7),
    /// #     _ => { row.choice().to(0, 1); }
    /// # })?;
    /// let tosses = Simulator::new(&coin, AtRandom).run(&1, 10, &mut rng)?;
    /// assert_eq!(tosses.z_score(7), 0.0);
    /// assert_eq!((tosses.z_score(6), tosses.z_score(8)), (f64::INFINITY, f64::NEG_INFINITY));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn z_score(&self, exact: impl Into<Score>) -> f64 {
        let Some(exact) = exact.into().to_ratio() else {
            return f64::NAN;
        };
        let difference = self.exact_mean() - exact;
        if difference.is_zero() || self.games < 2 {
            return 0.0;
        }
        let sign = if difference.is_negative() { -1.0 } else { 1.0 };
        let variance = self.variance();
        match variance.is_zero() {
            true => sign * f64::INFINITY,
            false => sign * BigUint::root(&(&difference * &difference / variance)),
        }
    }

    /// Returns the final states that occurred, in the order of their first occurrence, each with
    /// the number of games that ended there.
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
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let simulation = Simulator::new(&Stair, AtRandom).run(&5, 10, &mut rng)?;
    /// assert!(simulation.ends().eq([(&0, 10)]));
    /// assert!(simulation.lengths().eq([(5, 10)]));
    /// assert_eq!((simulation.shortest(), simulation.longest()), (5, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ends(&self) -> impl Iterator<Item = (&S, u64)> {
        self.ends.iter().map(|(end, &count)| (end, count))
    }

    /// Returns the number of games whose final state satisfies the predicate.
    ///
    /// # Examples
    /// Six hundred rolls of a die:
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let rolls = Simulator::new(&KeepOrRoll, AtRandom).run(&(1, 0), 600, &mut rng)?;
    /// assert!((70..130).contains(&rolls.count(|&(_, pips)| pips == 6)));
    /// assert_eq!(rolls.count(|&(_, pips)| pips > 6), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn count(&self, which: impl Fn(&S) -> bool) -> u64 {
        let these = self.ends().filter(|&(end, _)| which(end));
        these.map(|(_, count)| count).sum()
    }

    /// Returns the lengths that occurred, in ascending order, each with the number of games of that
    /// length.
    ///
    /// # Examples
    /// A player who tosses a coin to decide whether to keep the first of three rolls takes two or
    /// three steps:
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let simulation = Simulator::new(&KeepOrRoll, AtRandom).run(&(3, 0), 100, &mut rng)?;
    /// let (lengths, counts): (Vec<u64>, Vec<u64>) = simulation.lengths().unzip();
    /// assert_eq!(lengths, [2, 3]);
    /// assert_eq!(counts.iter().sum::<u64>(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lengths(&self) -> impl Iterator<Item = (u64, u64)> {
        self.lengths.iter().map(|(&length, &count)| (length, count))
    }

    /// Returns the length of the shortest game.
    ///
    /// # Examples
    /// A roll that is kept at once takes two steps:
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let simulation = Simulator::new(&KeepOrRoll, AtRandom).run(&(3, 0), 100, &mut rng)?;
    /// assert_eq!(simulation.shortest(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shortest(&self) -> u64 {
        self.lengths.keys().next().copied().unwrap_or(0)
    }

    /// Returns the length of the longest game.
    ///
    /// # Examples
    /// After three rolls there is nothing left to decide:
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let simulation = Simulator::new(&KeepOrRoll, AtRandom).run(&(3, 0), 100, &mut rng)?;
    /// assert_eq!(simulation.longest(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn longest(&self) -> u64 {
        self.lengths.keys().next_back().copied().unwrap_or(0)
    }

    /// Returns the mean length.
    ///
    /// # Examples
    /// A player who tosses a coin to decide whether to keep the first of three rolls takes two or
    /// three steps:
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let simulation = Simulator::new(&KeepOrRoll, AtRandom).run(&(3, 0), 1_000, &mut rng)?;
    /// assert!((simulation.mean_length() - 2.5).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        let sum: u128 = self
            .lengths()
            .map(|(length, count)| u128::from(length) * u128::from(count))
            .sum();
        sum as f64 / self.games as f64
    }

    fn exact_mean(&self) -> BigRational {
        let sum: BigRational = self
            .scores()
            .map(|(score, count)| score * BigInt::from(count))
            .sum();
        sum / BigInt::from(self.games)
    }

    /// Returns the scores that occurred and their counts. A node whose score is not a number has
    /// been refused earlier.
    pub(super) fn scores(&self) -> impl Iterator<Item = (BigRational, u64)> {
        self.scores
            .iter()
            .filter_map(|(score, count)| Some((score.to_ratio()?, *count)))
    }
}

/// Displays one line: how many games were played, what they scored and how long they took.
///
/// # Examples
/// ```
/// # use oddsmith_mdp::{AtRandom, Simulator, Table};
/// # use rand::SeedableRng;
/// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let bet = Table::from_fn(2, |state, row| match state {
///     0 => row.end(5),
///     _ => {
///         row.choice().to(0, 1).reward(-2);
///     }
/// })?;
/// let simulation = Simulator::new(&bet, AtRandom).run(&1, 10, &mut rng)?;
/// let told = "10 games: mean score 3, standard error 0; 1 to 1 moves";
/// assert_eq!(simulation.to_string(), told);
///
/// let one = Simulator::new(&bet, AtRandom).run(&1, 1, &mut rng)?;
/// assert!(one.to_string().starts_with("1 game: mean score 3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<S> fmt::Display for Simulation<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}: mean score {}, standard error {}; {} to {} moves",
            self.games,
            if self.games == 1 { "game" } else { "games" },
            self.mean(),
            self.standard_error(),
            self.shortest(),
            self.longest()
        )
    }
}
