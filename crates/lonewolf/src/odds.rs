//! Answers about a combat.

use num_traits::One;
use oddsmith_dice::Dist;
use oddsmith_mdp::{Boxed, Exact, Number, Solution};

use crate::{Combat, Error};

/// The solution of a [`Combat`]: who wins, what is left of both sides, and how long it takes.
///
/// `N` is [`Exact`] or [`Float`](oddsmith_mdp::Float).
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::Combat;
///
/// let odds = Combat::new(16, 4, 16, 11)?.odds()?;
/// assert_eq!(odds.win().to_string(), "11/25");
/// // Unhurt, 4 and 11 points:
/// assert_eq!(odds.law()?.p(&(4, 0)).to_string(), "23/100");
/// assert_eq!(odds.endurance_left()?.p(&0).to_string(), "14/25");
/// assert_eq!(odds.expected_rounds()?.to_string(), "3/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CombatOdds<N: Number = Exact> {
    solution: Solution<'static, Combat, N, Boxed>,
}

/// A line of [`CombatOdds::by_likelihood`].
///
/// # Examples
/// One round, which costs 5, 4, 4, 3, 2, 2, 1, 0, 0 or 0 points:
/// ```
/// use oddsmith_lonewolf::Combat;
///
/// let lines = Combat::new(16, 99, 16, 3)?.odds()?.by_likelihood()?;
/// assert_eq!((lines[0].endurance, lines[0].probability.to_string()), (99, "3/10".into()));
/// assert_eq!((lines[1].endurance, lines[1].probability.to_string()), (95, "1/5".into()));
/// assert_eq!(lines[1].cumulated.to_string(), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: oddsmith_mdp::written::Written"))
)]
#[non_exhaustive]
pub struct Likelihood<V> {
    /// The ENDURANCE that Lone Wolf has left; 0 if he is dead.
    pub endurance: i64,
    /// Its probability.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    pub probability: V,
    /// The probability of this line and all lines before it.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    pub cumulated: V,
}

impl<N: Number> CombatOdds<N> {
    pub(crate) fn new(solution: Solution<'static, Combat, N, Boxed>) -> Self {
        CombatOdds { solution }
    }

    /// Returns the chance to win: the foe is dead and Lone Wolf is not.
    ///
    /// # Examples
    /// The foe falls in the first round; only the number 1 costs Lone Wolf five points:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// assert_eq!(Combat::new(16, 5, 16, 3)?.odds()?.win().to_string(), "9/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win(&self) -> N::Value {
        self.solution.value()
    }

    /// Returns an upper bound on the absolute error of [`win`](CombatOdds::win), counted from the
    /// roundings; 0 for fractions.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// let combat = Combat::new(16, 5, 16, 3)?;
    /// let odds = combat.odds_f64()?;
    /// assert!((odds.win() - 0.9).abs() <= odds.error() && odds.error() < 1e-14);
    /// assert_eq!(combat.odds()?.error(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> f64 {
        // The start always has an index.
        let start = self.solution.start();
        self.solution.error(&start).unwrap_or(f64::INFINITY)
    }

    /// Returns the joint distribution of the ENDURANCE left of Lone Wolf and of the foe, where 0 is
    /// death.
    ///
    /// # Errors
    /// Only those of a solver that fails.
    ///
    /// # Complexity
    /// One pass over the outcomes.
    ///
    /// # Examples
    /// The foe falls in the first round; with three of the ten numbers both do:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let law = Combat::new(16, 4, 16, 3)?.odds()?.law()?;
    /// assert_eq!(law.p(&(0, 0)).to_string(), "3/10");
    /// assert_eq!(law.p(&(2, 0)).to_string(), "1/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&self) -> Result<Dist<(u16, u16), N::Mass>, Error> {
        Ok(self.solution.forecast()?.ends()?)
    }

    /// Returns the distribution of Lone Wolf's ENDURANCE after the combat, where 0 is death.
    ///
    /// # Errors
    /// As for [`law`](CombatOdds::law).
    ///
    /// # Examples
    /// The mean ENDURANCE of a survivor:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let left = Combat::new(16, 4, 16, 11)?.odds()?.endurance_left()?;
    /// assert_eq!(left.given(|&left| left > 0)?.mean().to_string(), "65/22");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn endurance_left(&self) -> Result<Dist<i64, N::Mass>, Error> {
        Ok(self
            .solution
            .forecast()?
            .ends_by(|&(hero, _)| i64::from(hero))?)
    }

    /// Returns the outcomes of [`endurance_left`](CombatOdds::endurance_left), likeliest first,
    /// with cumulated probabilities. They show how few outcomes make up most of a combat. Equally
    /// likely outcomes are in ascending order.
    ///
    /// # Errors
    /// As for [`law`](CombatOdds::law).
    ///
    /// # Examples
    /// Six of the 26 outcomes make up more than half of the first fight of "Solving a gamebook: a
    /// smarter solver":
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let lines = Combat::new(17, 25, 16, 25)?.odds()?.by_likelihood()?;
    /// assert_eq!(lines.len(), 26);
    /// assert_eq!((lines[0].endurance, lines[0].probability.to_string()), (20, "16/125".into()));
    /// let six = &lines[5];
    /// assert_eq!((six.endurance, six.cumulated.to_string()), (15, "5431/10000".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_likelihood(&self) -> Result<Vec<Likelihood<N::Value>>, Error> {
        let left = self.endurance_left()?;
        let mut lines: Vec<_> = left
            .outcomes()
            .map(|&endurance| Likelihood {
                endurance,
                probability: left.p(&endurance),
                cumulated: left.p(&endurance),
            })
            .collect();
        lines.sort_by(|a, b| {
            let order = b.probability.partial_cmp(&a.probability);
            // Probabilities are never NaN.
            order.unwrap_or(std::cmp::Ordering::Equal)
        });
        for line in 1..lines.len() {
            let so_far = lines[line - 1].cumulated.clone();
            let sum = &mut lines[line].cumulated;
            *sum += so_far;
            // Floats may round a certain event to more than that.
            if *sum > N::Value::one() {
                *sum = N::Value::one();
            }
        }
        Ok(lines)
    }

    /// Returns the distribution of the number of rounds.
    ///
    /// # Errors
    /// As for [`law`](CombatOdds::law).
    ///
    /// # Complexity
    /// One pass over the outcomes for each possible number of rounds.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let rounds = Combat::new(16, 4, 16, 11)?.odds()?.rounds()?;
    /// assert_eq!(rounds.p(&1).to_string(), "1/2");
    /// assert_eq!(rounds.max(), &2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rounds(&self) -> Result<Dist<u64, N::Mass>, Error> {
        Ok(self.solution.forecast()?.count(|_| true)?)
    }

    /// Returns the expected number of rounds.
    ///
    /// # Errors
    /// As for [`law`](CombatOdds::law).
    ///
    /// # Examples
    /// The number 1 costs the foe three points, and every other number more:
    /// ```
    /// use oddsmith_lonewolf::Combat;
    /// let odds = Combat::new(16, 99, 16, 4)?.odds()?;
    /// assert_eq!(odds.expected_rounds()?.to_string(), "11/10"); // a second round after a 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_rounds(&self) -> Result<N::Value, Error> {
        Ok(self.solution.forecast()?.expected_count(|_| true)?)
    }

    /// Returns the underlying solution, which has the chance to win from any ENDURANCEs up to those
    /// at the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Combat;
    ///
    /// let odds = Combat::new(16, 4, 16, 11)?.odds()?;
    /// assert_eq!(odds.solution().value_of(&(1, 1))?.to_string(), "3/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn solution(&self) -> &Solution<'static, Combat, N, Boxed> {
        &self.solution
    }
}
