//! The best heuristics for one fight, and what they lose.

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use oddsmith_mdp::Indexed;

use super::{Heuristic, Strategy, Threshold};
use crate::{Advantage, Duel, Error};

/// The best of the paper's strategies in one state, including ties, and their value.
///
/// # Examples
/// Against the White Dragon, the best heuristic wins eighty times as often as a hero without LUCK,
/// but still loses a quarter of the value of the best use:
/// ```
/// use num_traits::ToPrimitive;
/// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules};
///
/// let map = HeuristicMap::new(&Rules::standard(), -3, Extent::default())?;
/// let best = map.best(24, 22, 12)?;
/// assert_eq!(best.heuristics[0].to_string(), "3: offensive, l > 7");
/// let (gain, loss) = (best.gain(), best.relative_loss());
/// assert_eq!(format!("{:.5}", gain.and_then(|gain| gain.to_f64()).unwrap_or(0.0)), "0.03506");
/// assert_eq!(format!("{:.5}", loss.and_then(|loss| loss.to_f64()).unwrap_or(0.0)), "0.23469");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BestHeuristics {
    /// All heuristics that reach the highest value, by strategy and threshold. Strategy 0 is among
    /// them only if no other does better.
    pub heuristics: Vec<Heuristic>,
    /// The value of these heuristics.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    pub value: BigRational,
    /// The value of strategy 0.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    pub without_luck: BigRational,
    /// The value of the best use of LUCK.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    pub optimal: BigRational,
}

impl BestHeuristics {
    /// Returns the value of the best heuristics minus that of strategy 0, or `None` if no strategy
    /// helps (blank in Supplementary Fig. 7).
    ///
    /// # Examples
    /// LUCK 12, which cannot fail, raises an even chance to 3/4. LUCK 1 does not help:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, best_heuristics};
    /// let gain = |luck| {
    ///     let duel = Duel::new(Hero::new(10, 2, luck)?, Foe::new(10, 2)?);
    ///     best_heuristics(&duel).map(|best| best.gain())
    /// };
    /// assert_eq!(gain(12)?.map(|gain| gain.to_string()).as_deref(), Some("1/4"));
    /// assert_eq!(gain(1)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn gain(&self) -> Option<BigRational> {
        let gain = &self.value - &self.without_luck;
        (!gain.is_zero()).then_some(gain)
    }

    /// Returns the value of the best use of LUCK minus that of the best heuristics.
    ///
    /// # Examples
    /// A single point of LUCK is never lucky, so there is nothing to lose:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, best_heuristics};
    /// let best = best_heuristics(&Duel::new(Hero::new(9, 5, 1)?, Foe::new(9, 5)?))?;
    /// assert_eq!(best.loss().to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn loss(&self) -> BigRational {
        &self.optimal - &self.value
    }

    /// Returns [`loss`](BestHeuristics::loss) as a share of the value of the best use of LUCK, or
    /// `None` if that value is zero.
    ///
    /// # Examples
    /// Against the Hell Demon:
    /// ```
    /// use num_traits::ToPrimitive;
    /// use oddsmith_fightingfantasy::{Extent, HeuristicMap, Rules};
    /// let map = HeuristicMap::new(&Rules::standard(), -2, Extent::default())?;
    /// let loss = map.best(24, 12, 12)?.relative_loss();
    /// assert_eq!(format!("{:.4}", loss.and_then(|loss| loss.to_f64()).unwrap_or(0.0)), "0.0501");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_loss(&self) -> Option<BigRational> {
        (!self.optimal.is_zero()).then(|| self.loss() / self.optimal.abs())
    }

    /// Returns the numbers of the best strategies as one string, such as `"167"` for 1, 6 and 7. It
    /// is empty if no strategy helps.
    ///
    /// # Examples
    /// While STAMINA is below 6, strategy 4 is the same as strategy 2. LUCK 1 never helps:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, best_heuristics};
    /// let labels = |luck| {
    ///     let duel = Duel::new(Hero::new(10, 2, luck)?, Foe::new(10, 2)?);
    ///     best_heuristics(&duel).map(|best| best.labels())
    /// };
    /// assert_eq!(labels(7)?, "24");
    /// assert_eq!(labels(1)?, "");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn labels(&self) -> String {
        if self.gain().is_none() {
            return String::new();
        }
        let mut numbers: Vec<u8> = self
            .heuristics
            .iter()
            .map(|h| h.strategy().number())
            .collect();
        numbers.dedup();
        numbers.iter().map(u8::to_string).collect()
    }
}

/// The limit on states times heuristics, which take about ten seconds.
const MAX_EVALUATIONS: u128 = 100_000_000;

/// Finds the best of the paper's strategies for one duel, by any rules and for any objective.
///
/// [`HeuristicMap`](crate::HeuristicMap) answers for all states at once, for
/// victory by plain rules.
///
/// # Errors
/// [`Error::DuelTooLong`] for more than 10⁸ states times heuristics, and those of
/// [`Duel::best_luck`].
///
/// # Complexity
/// One evaluation for each strategy and threshold: 8 · luck + 1.
///
/// # Examples
/// The best way to keep STAMINA is not the best way to win:
/// ```
/// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Objective, best_heuristics};
///
/// let duel = Duel::new(Hero::new(10, 12, 12)?, Foe::new(9, 12)?);
/// let victory = best_heuristics(&duel)?;
/// assert_eq!(victory.labels(), "3");
/// assert_eq!(victory.heuristics[0].to_string(), "3: offensive, l > 8");
/// let kept = best_heuristics(&duel.objective(Objective::stamina_kept()))?;
/// assert_eq!(kept.labels(), "1");
/// assert_eq!(kept.heuristics[0].to_string(), "1: always, l > 5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_heuristics(duel: &Duel) -> Result<BestHeuristics, Error> {
    let game = duel.game()?;
    let luck = game.extent().luck;
    let heuristics = u64::from(luck) * 8 + 1;
    let states = game.size() as u128;
    if states.saturating_mul(u128::from(heuristics)) > MAX_EVALUATIONS {
        return Err(Error::DuelTooLong {
            heuristics,
            states,
            limit: MAX_EVALUATIONS as u64,
        });
    }
    let never = Heuristic::new(Strategy::Never, Threshold::Above(0));
    let without_luck = duel.with_policy(never)?;
    let mut best = BestHeuristics {
        heuristics: vec![never],
        value: without_luck.clone(),
        without_luck,
        optimal: duel
            .clone()
            .advantage(Advantage::Strict)
            .best_luck()?
            .value(),
    };
    for strategy in Strategy::ALL.into_iter().skip(1) {
        for tau in 0..luck {
            let heuristic = Heuristic::new(strategy, Threshold::Above(tau));
            let value = duel.with_policy(heuristic)?;
            if value > best.value {
                best.heuristics.clear();
                best.value = value;
                best.heuristics.push(heuristic);
            } else if value == best.value {
                best.heuristics.push(heuristic);
            }
        }
    }
    Ok(best)
}
