//! Balanced outcomes: a distribution of survivors with its tails cut off.

#[cfg(feature = "serde")]
mod parts;

use oddsmith_dice::Dist;

use crate::{Error, Forces};

/// The change that an official RISK app makes to the outcomes of a battle ("balanced blitz"), as an
/// operator on the distribution of survivors.
///
/// It has four steps, each with a parameter:
/// 1. A side whose chance to win is below the *win chance cutoff* never wins.
/// 2. Both chances to win are raised to the *win chance power* and divided by their sum.
/// 3. With all outcomes ordered from the attacker's best to the defender's best, the *outcome
///    cutoff* is cut off at each end: outcomes that fit into it vanish, and one outcome loses a
///    part.
/// 4. The outcomes of either winner are raised to the *outcome power* and rescaled, so that the
///    chances to win stay as they are.
///
/// The makers publish the parameters and three probabilities (SMG Studio, `risk-dice`, README,
/// 2021), which these steps reproduce to all digits. What the app does with a chance of exactly the
/// cutoff is not published.
///
/// # Examples
/// The third example of the README: 30 attackers lose 12 to 15 units to the defenders of a capital,
/// with plain dice and balanced.
/// ```
/// use oddsmith_mdp::Solver;
/// use oddsmith_risk::{Balance, Battle, Forces, Rules};
///
/// let battle = Battle::new(30, 15)?.rules(Rules::capital());
/// let ends = battle.solve_with(Solver::float())?.forecast()?.ends()?;
/// let lost_12 = Forces { attackers: 18, defenders: 0 };
/// assert_eq!(format!("{:.12}", ends.p(&lost_12)), "0.022212800171");
/// let balanced = Balance::official().apply(&ends)?;
/// assert_eq!(format!("{:.12}", balanced.p(&lost_12)), "0.010028288871");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::BalanceParts", into = "parts::BalanceParts")
)]
#[doc(alias = "balanced blitz")]
pub struct Balance {
    win_chance_cutoff: f64,
    win_chance_power: f64,
    outcome_cutoff: f64,
    outcome_power: f64,
}

const CUTOFF: &str = "at least 0 and below 1/2";
const POWER: &str = "above 0 and at most 1000";

impl Balance {
    /// Returns the published parameters: 0.05, 1.3, 0.1 and 1.8.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Balance;
    ///
    /// let official = Balance::none()
    ///     .win_chance_cutoff(0.05)?
    ///     .win_chance_power(1.3)?
    ///     .outcome_cutoff(0.1)?
    ///     .outcome_power(1.8)?;
    /// assert_eq!(Balance::official(), official);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn official() -> Self {
        Balance {
            win_chance_cutoff: 0.05,
            win_chance_power: 1.3,
            outcome_cutoff: 0.1,
            outcome_power: 1.8,
        }
    }

    /// Returns the parameters that change nothing: no cutoffs, and all powers 1.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(format!("{:.6}", oddsmith_risk::Balance::none().win(0.03)?), "0.030000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn none() -> Self {
        Balance {
            win_chance_cutoff: 0.0,
            win_chance_power: 1.0,
            outcome_cutoff: 0.0,
            outcome_power: 1.0,
        }
    }

    /// Sets the chance to win below which a side never wins, from 0 to less than 1/2.
    ///
    /// # Errors
    /// [`Error::BadBalance`] for a value out of this range.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Balance;
    ///
    /// let cut = Balance::none().win_chance_cutoff(0.05)?;
    /// assert_eq!((cut.win(0.04)?, cut.win(0.96)?), (0.0, 1.0));
    /// assert_eq!(format!("{:.6}", cut.win(0.06)?), "0.060000");
    /// assert!(Balance::none().win_chance_cutoff(0.5).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_chance_cutoff(mut self, cutoff: f64) -> Result<Self, Error> {
        self.win_chance_cutoff = checked("win_chance_cutoff", cutoff, CUTOFF, is_cutoff)?;
        Ok(self)
    }

    /// Sets the power of the chances to win, greater than 0 and at most 1000.
    ///
    /// # Errors
    /// [`Error::BadBalance`] for a value out of this range.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Balance;
    ///
    /// let squared = Balance::none().win_chance_power(2.0)?; // 9 : 1 of 3 : 1
    /// assert_eq!(format!("{:.6}", squared.win(0.75)?), "0.900000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_chance_power(mut self, power: f64) -> Result<Self, Error> {
        self.win_chance_power = checked("win_chance_power", power, POWER, is_power)?;
        Ok(self)
    }

    /// Sets the probability that is cut off at each end of the outcomes, from 0 to less than 1/2.
    ///
    /// # Errors
    /// [`Error::BadBalance`] for a value out of this range.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Balance;
    ///
    /// let cut = Balance::none().outcome_cutoff(0.25)?;
    /// assert_eq!((cut.win(0.25)?, cut.win(0.5)?), (0.0, 0.5));
    /// assert_eq!(format!("{:.6}", cut.win(0.375)?), "0.250000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome_cutoff(mut self, cutoff: f64) -> Result<Self, Error> {
        self.outcome_cutoff = checked("outcome_cutoff", cutoff, CUTOFF, is_cutoff)?;
        Ok(self)
    }

    /// Sets the power of the outcomes of either winner, greater than 0 and at most 1000.
    ///
    /// # Errors
    /// [`Error::BadBalance`] for a value out of this range.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_risk::{Balance, Forces};
    ///
    /// let left = |attackers| Forces { attackers, defenders: 0 };
    /// let ends = Dist::from_float_weights([(left(1), 0.25), (left(2), 0.75)])?;
    /// let squared = Balance::none().outcome_power(2.0)?.apply(&ends)?;
    /// assert_eq!(format!("{:.6}", squared.p(&left(2))), "0.900000");
    /// assert!(Balance::none().outcome_power(f64::NAN).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome_power(mut self, power: f64) -> Result<Self, Error> {
        self.outcome_power = checked("outcome_power", power, POWER, is_power)?;
        Ok(self)
    }

    /// Returns the attacker's balanced chance to win, given the chance with plain dice. It is
    /// determined by steps 1 to 3, without the distribution of survivors.
    ///
    /// # Errors
    /// [`Error::BadBalance`] for a chance that is not a number from 0 to 1.
    ///
    /// # Examples
    /// In the app, at least 49 attackers are needed for 80 % against 50 defenders:
    /// ```
    /// use oddsmith_risk::{Balance, Battle};
    ///
    /// let win = |attackers| Balance::official().win(Battle::new(attackers, 50)?.win_f64()?);
    /// assert_eq!(format!("{:.6} {:.6}", win(48)?, win(49)?), "0.770980 0.821470");
    /// # Ok::<(), oddsmith_risk::Error>(())
    /// ```
    pub fn win(&self, chance: f64) -> Result<f64, Error> {
        let is_chance = |chance: f64| (0.0..=1.0).contains(&chance);
        checked("chance", chance, "between 0 and 1", is_chance)?;
        let [attack, defence] = self.chances(chance, 1.0 - chance);
        let cut = self.outcome_cutoff;
        // If an end holds less than the cutoff, the rest of the cut is taken from the other side's
        // outcomes.
        if attack <= cut {
            return Ok(0.0);
        }
        Ok(if defence <= cut {
            1.0
        } else {
            (attack - cut) / (1.0 - 2.0 * cut)
        })
    }

    /// Performs steps 1 and 2; the two arguments may have any sum.
    fn chances(&self, attack: f64, defence: f64) -> [f64; 2] {
        let sum = attack + defence;
        if attack / sum < self.win_chance_cutoff {
            return [0.0, 1.0];
        }
        if defence / sum < self.win_chance_cutoff {
            return [1.0, 0.0];
        }
        // Relative to the larger one, so that no power makes both vanish.
        let larger = attack.max(defence);
        let [attack, defence] = [attack, defence].map(|p| (p / larger).powf(self.win_chance_power));
        [attack / (attack + defence), defence / (attack + defence)]
    }

    /// Returns the balanced distribution of survivors, given the distribution with plain dice.
    ///
    /// To pass an exact distribution, convert it with [`Dist::to_f64`], since non-integer powers
    /// leave the rational numbers. Each probability is accurate to some tens of units in its last
    /// place, as far as the platform's power function is. The exception is the outcome that a cut
    /// goes through: what is left of it is known to about 2⁻⁵⁰ of the whole, and a remainder that
    /// could be due to rounding is taken for nothing. [`Dist::relative_error`] of the result does
    /// not count the roundings made here.
    ///
    /// # Errors
    /// [`Error::Undecided`] if an outcome leaves both sides or neither.
    ///
    /// # Complexity
    /// O(n log n) for n outcomes.
    ///
    /// # Examples
    /// A quarter is cut off at each end of three outcomes. The best one vanishes, and the worst one
    /// loses half.
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_risk::{Balance, Forces};
    ///
    /// let [best, good, bad] = [(2, 0), (1, 0), (0, 1)]
    ///     .map(|(attackers, defenders)| Forces { attackers, defenders });
    /// let ends = Dist::from_float_weights([(best, 0.25), (good, 0.25), (bad, 0.5)])?;
    /// let cut = Balance::none().outcome_cutoff(0.25)?.apply(&ends)?;
    /// assert_eq!((cut.p(&best), cut.p(&good), cut.p(&bad)), (0.0, 0.5, 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&self, ends: &Dist<Forces, f64>) -> Result<Dist<Forces, f64>, Error> {
        let mut row: Vec<(Forces, f64)> = Vec::with_capacity(ends.len());
        for (&end, &weight) in ends {
            if (end.attackers == 0) == (end.defenders == 0) {
                let Forces {
                    attackers,
                    defenders,
                } = end;
                return Err(Error::Undecided {
                    attackers,
                    defenders,
                });
            }
            row.push((end, weight));
        }
        let best_first =
            |(end, _): &(Forces, f64)| (std::cmp::Reverse(end.attackers), end.defenders);
        row.sort_by_key(best_first);
        let wins = row.iter().take_while(|(end, _)| end.defenders == 0).count();
        let (won, lost) = row.split_at_mut(wins);
        let [attack, defence] = self.chances(sum(won), sum(lost));
        scale(won, attack);
        scale(lost, defence);
        cut(row.iter_mut(), self.outcome_cutoff);
        cut(row.iter_mut().rev(), self.outcome_cutoff);
        let (won, lost) = row.split_at_mut(wins);
        for side in [won, lost] {
            let chance = sum(side);
            let largest = side.iter().map(|&(_, p)| p).fold(0.0, f64::max);
            if largest > 0.0 {
                for (_, p) in side.iter_mut() {
                    *p = (*p / largest).powf(self.outcome_power);
                }
            }
            scale(side, chance);
        }
        Ok(Dist::from_float_weights(row)?)
    }
}

fn sum(outcomes: &[(Forces, f64)]) -> f64 {
    outcomes.iter().map(|&(_, p)| p).sum()
}

/// Scales outcomes to another sum. If their sum is 0, they stay unchanged.
fn scale(outcomes: &mut [(Forces, f64)], wanted: f64) {
    let sum = sum(outcomes);
    if sum > 0.0 {
        for (_, p) in outcomes {
            *p *= wanted / sum;
        }
    }
}

/// Cuts this much probability off the front.
///
/// If the cut comes to the very end of an outcome, rounding can leave 10⁻¹⁷ of it, which a power of
/// 1/3 would make 10⁻⁶, and a power of 1/10 some percent. A remainder no larger than the possible
/// roundings is therefore cut too. These are the roundings of the powers and of scaling, some units
/// in the last place of a sum of at most 1, and one for each outcome on the way. (But no more than
/// a quarter of what both cuts are to leave is ever taken: that much is never lost.)
fn cut<'a>(outcomes: impl Iterator<Item = &'a mut (Forces, f64)>, mut cutoff: f64) {
    let quarter = 0.25 - 0.5 * cutoff;
    let mut roundings = 8.0 * f64::EPSILON;
    for (_, p) in outcomes {
        if cutoff <= 0.0 {
            return;
        }
        let taken = p.min(cutoff);
        *p -= taken;
        cutoff -= taken;
        roundings += f64::EPSILON;
        if *p <= roundings.min(quarter) {
            *p = 0.0;
        }
    }
}

fn is_cutoff(value: f64) -> bool {
    (0.0..0.5).contains(&value)
}

fn is_power(value: f64) -> bool {
    value > 0.0 && value <= 1000.0
}

fn checked(
    name: &'static str,
    value: f64,
    allowed: &'static str,
    is_allowed: impl Fn(f64) -> bool,
) -> Result<f64, Error> {
    if is_allowed(value) {
        Ok(value)
    } else {
        Err(Error::BadBalance {
            name,
            value,
            allowed,
        })
    }
}
