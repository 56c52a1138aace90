//! How large a force has to be.

use std::ops::RangeInclusive;

use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_dice::{Dist, IntoRatio};

use crate::chain::{self, Chain};
use crate::rows::{self, Size};
use crate::stop_rule::{Frontier, checked};
use crate::{Battle, DEFAULT_WORK, Error, Rules, Side};

/// Returns the smallest number of attackers who win against this many defenders with at least this
/// chance.
///
/// Floats decide, except where they are too close to the chance; there fractions decide.
///
/// # Errors
/// [`Error::NoUnits`] if there are no defenders, [`Error::Chance`] for a chance outside 0 to 1.
/// [`Error::NoForce`] if no number is enough, because attackers cannot win, or for a chance of 1.
/// [`Error::OutOfReach`] if no number up to the limit on steps is enough. [`Error::TooClose`] if
/// the chance of a force is so near to the one wanted that only a fraction decides, and the
/// fraction takes too many steps.
///
/// # Complexity
/// O(A·D) for the answer A.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Rules, attackers_for};
///
/// let rules = Rules::standard();
/// assert_eq!(attackers_for(10, "0.8", &rules)?, 14);
/// assert_eq!(attackers_for(1000, "0.5", &rules)?, 855); // 0.8534 a defender in the long run
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn attackers_for(defenders: u32, chance: impl IntoRatio, rules: &Rules) -> Result<u32, Error> {
    attackers_for_within(defenders, chance, rules, DEFAULT_WORK)
}

/// Returns [`attackers_for`] with a given limit on the states.
///
/// # Errors
/// As for [`attackers_for`].
///
/// # Examples
/// ```
/// use oddsmith_risk::{Error, Rules, attackers_for_within};
///
/// // The rules give the attacker no way to win: all his dice are ones.
/// let doomed = Rules::standard().sides(1, 6)?;
/// let error = attackers_for_within(3, "0.5", &doomed, 4_000).unwrap_err();
/// assert!(matches!(error, Error::NoForce { opponents: 3, .. }));
/// // A few are enough, but not so few.
/// let error = attackers_for_within(3, "0.5", &Rules::standard(), 12).unwrap_err();
/// assert!(matches!(error, Error::OutOfReach { most: 2, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn attackers_for_within(
    defenders: u32,
    chance: impl IntoRatio,
    rules: &Rules,
    limit: u64,
) -> Result<u32, Error> {
    fewest(Side::Attacker, defenders, chance, rules, limit)
}

/// Returns the smallest number of defenders who hold against this many attackers with at least this
/// chance.
///
/// # Errors
/// As for [`attackers_for`], with the sides exchanged.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Rules, defenders_for};
///
/// assert_eq!(defenders_for(10, "0.8", &Rules::standard())?, 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn defenders_for(attackers: u32, chance: impl IntoRatio, rules: &Rules) -> Result<u32, Error> {
    defenders_for_within(attackers, chance, rules, DEFAULT_WORK)
}

/// Returns [`defenders_for`] with a given limit on the states.
///
/// # Errors
/// As for [`attackers_for`].
///
/// # Examples
/// ```
/// use oddsmith_risk::{Rules, defenders_for_within};
///
/// assert_eq!(defenders_for_within(1, (7, 12), &Rules::standard(), 100)?, 1);
/// assert!(defenders_for_within(10, "0.8", &Rules::standard(), 100).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn defenders_for_within(
    attackers: u32,
    chance: impl IntoRatio,
    rules: &Rules,
    limit: u64,
) -> Result<u32, Error> {
    fewest(Side::Defender, attackers, chance, rules, limit)
}

fn fewest(
    side: Side,
    opponents: u32,
    chance: impl IntoRatio,
    rules: &Rules,
    limit: u64,
) -> Result<u32, Error> {
    let chance = checked(chance)?;
    if opponents == 0 {
        let side = match side {
            Side::Attacker => Side::Defender,
            Side::Defender => Side::Attacker,
        };
        return Err(Error::NoUnits { side });
    }
    let most = limit / (u64::from(opponents) + 1);
    let most = u32::try_from(most.saturating_sub(1)).unwrap_or(u32::MAX);
    let out_of_reach = || Error::OutOfReach {
        side,
        opponents,
        chance: chance.clone(),
        most,
    };
    if most == 0 {
        return Err(out_of_reach());
    }
    // A small limit must not exclude the throws of the standard box.
    let throws = limit.max(DEFAULT_WORK);
    let chain = match side {
        Side::Attacker => Chain::within(most, opponents, rules, throws)?,
        Side::Defender => Chain::within(opponents, most, rules, throws)?.reversed(),
    };
    if let Some(opponents) = unbeaten(&chain, opponents..=opponents, &chance) {
        return Err(Error::NoForce {
            side,
            opponents,
            chance,
        });
    }
    let mut question = Question::new(side, &chance, limit)?;
    let end = question.ends();
    let (mut found, mut failed) = (None, None);
    let size = Size::new(most, opponents);
    let one = BigRational::from_integer(1.into());
    rows::sweep(
        &chain,
        &Frontier::default(),
        size,
        end,
        0.0,
        |units, row| {
            if units == 0 {
                return true;
            }
            let value = row.last().copied().unwrap_or(0.0);
            let win = |attackers, defenders, steps| {
                let battle = Battle::new(attackers, defenders)?.rules(rules.clone());
                battle.max_work(steps).win()
            };
            let enough = question.reached(value, units, opponents, |steps| match side {
                Side::Attacker => win(units, opponents, steps),
                Side::Defender => Ok(&one - win(opponents, units, steps)?),
            });
            match enough {
                Ok(true) => found = Some(units),
                Ok(false) => {}
                Err(error) => failed = Some(error),
            }
            found.is_none() && failed.is_none()
        },
    )
    .map_err(|error| match side {
        Side::Attacker => error,
        Side::Defender => error.exchanged(),
    })?;
    match (found, failed) {
        (Some(units), _) => Ok(units),
        (None, Some(error)) => Err(error),
        (None, None) => Err(out_of_reach()),
    }
}

/// Returns for 1, 2, … up to this many defenders the smallest number of attackers who win with at
/// least this chance. For 1/2 this is the 50 % line.
///
/// # Errors
/// As for [`attackers_for`].
///
/// # Complexity
/// O(A·D) for D defenders and the answer A for them, all lines together.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Rules, force_line};
///
/// let even = force_line(10, "0.5", &Rules::standard())?;
/// assert_eq!(even, [2, 3, 4, 5, 5, 6, 7, 8, 9, 10]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn force_line(
    max_defenders: u32,
    chance: impl IntoRatio,
    rules: &Rules,
) -> Result<Vec<u32>, Error> {
    force_line_within(max_defenders, chance, rules, DEFAULT_WORK)
}

/// Returns [`force_line`] with a given limit on the states.
///
/// # Errors
/// As for [`attackers_for`].
///
/// # Examples
/// With one die each and an even game, it takes as many attackers as defenders, which only
/// fractions can decide:
/// ```
/// use oddsmith_risk::{Error, Rules, force_line_within};
///
/// let fair = Rules::standard().max_dice(1, 1)?.sides(7, 6)?;
/// assert_eq!(force_line_within(5, "0.5", &fair, 3_000)?, [1, 2, 3, 4, 5]);
/// let error = force_line_within(5, "0.5", &fair, 30).unwrap_err();
/// assert!(matches!(error, Error::TooClose { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn force_line_within(
    max_defenders: u32,
    chance: impl IntoRatio,
    rules: &Rules,
    limit: u64,
) -> Result<Vec<u32>, Error> {
    let chance = checked(chance)?;
    if max_defenders == 0 {
        return Err(Error::NoUnits {
            side: Side::Defender,
        });
    }
    let most = limit / (u64::from(max_defenders) + 1);
    let most = u32::try_from(most.saturating_sub(1)).unwrap_or(u32::MAX);
    let out_of_reach = |opponents| Error::OutOfReach {
        side: Side::Attacker,
        opponents,
        chance: chance.clone(),
        most,
    };
    if most == 0 {
        return Err(out_of_reach(max_defenders));
    }
    let chain = Chain::within(most, max_defenders, rules, limit.max(DEFAULT_WORK))?;
    if let Some(opponents) = unbeaten(&chain, 1..=max_defenders, &chance) {
        return Err(Error::NoForce {
            side: Side::Attacker,
            opponents,
            chance,
        });
    }
    // This comes before the lists of all defenders, which are as long as the rows.
    rows::room::<f64>(&chain, Size::new(most, max_defenders))?;
    let mut question = Question::new(Side::Attacker, &chance, limit)?;
    let end = question.ends();
    let mut line = rows::filled(max_defenders as usize, 0_u32)?;
    let mut open: Vec<u32> = (1..=max_defenders).collect();
    let mut failed = None;
    let size = Size::new(most, max_defenders);
    rows::sweep(
        &chain,
        &Frontier::default(),
        size,
        end,
        0.0,
        |units, row| {
            if units == 0 {
                return true;
            }
            open.retain(|&defenders| {
                let value = row[defenders as usize];
                let enough = question.reached(value, units, defenders, |steps| {
                    let battle = Battle::new(units, defenders)?.rules(rules.clone());
                    battle.max_work(steps).win()
                });
                match enough {
                    Ok(true) => line[defenders as usize - 1] = units,
                    Ok(false) => {}
                    Err(error) => failed = Some(error),
                }
                line[defenders as usize - 1] == 0
            });
            !open.is_empty() && failed.is_none()
        },
    )?;
    match (failed, open.first()) {
        (Some(error), _) => Err(error),
        (None, Some(&defenders)) => Err(out_of_reach(defenders)),
        (None, None) => Ok(line),
    }
}

/// Returns the smallest number of these opponents against which no number of units is enough, as
/// far as this follows from the throws alone: they never cost the opponent his last unit, or the
/// chance wanted is 1 and each throw may go entirely wrong. Other cases end at the limit.
fn unbeaten(chain: &Chain, opponents: RangeInclusive<u32>, chance: &BigRational) -> Option<u32> {
    if chance.is_zero() {
        return None;
    }
    let (fewest, most) = opponents.into_inner();
    if chance.is_one() && chain.never_sure() {
        return Some(fewest);
    }
    let beatable = chain.beatable(most);
    // With more of them, throws lead to any of these.
    let more = beatable[1..].contains(&true);
    let alike = most.min(fewest.max(beatable.len() as u32));
    (fewest..=alike).find(|units| !beatable.get(*units as usize).copied().unwrap_or(more))
}

/// The question whether a chance to win is reached.
struct Question<'a> {
    side: Side,
    chance: &'a BigRational,
    /// Whether a chance above one half is asked from the other side, where floats have more digits:
    /// whether the chance to lose is small enough.
    losing: bool,
    /// The chance, or one minus it.
    float: f64,
    /// The number of steps left for fractions.
    left: u64,
}

impl<'a> Question<'a> {
    fn new(side: Side, chance: &'a BigRational, limit: u64) -> Result<Self, Error> {
        let law = Dist::bernoulli(chance.clone())?.to_f64();
        let losing = law.p(&true) > 0.5;
        Ok(Question {
            side,
            chance,
            losing,
            float: law.p(&!losing),
            left: limit,
        })
    }

    /// Returns the value at the end of a battle.
    fn ends(&self) -> impl Fn(u32, u32) -> f64 + Copy + use<> {
        let losing = self.losing;
        move |attackers, defenders| {
            let win = rows::won(attackers, defenders);
            if losing { 1.0 - win } else { win }
        }
    }

    /// Returns whether the chance is reached, by the float, or if that is too close by the
    /// fraction.
    ///
    /// # Errors
    /// [`Error::TooClose`] if fewer steps are left than that takes.
    fn reached(
        &mut self,
        value: f64,
        units: u32,
        opponents: u32,
        exact: impl FnOnce(u64) -> Result<BigRational, Error>,
    ) -> Result<bool, Error> {
        let size = Size::new(units, opponents);
        let error = rows::relative_error(size, 4) + f64::EPSILON;
        let nothing = rows::NOTHING * (f64::from(size.attackers) + f64::from(size.defenders));
        if (value - self.float).abs() > error * (value + self.float) + nothing {
            return Ok((value > self.float) != self.losing);
        }
        let states = u64::from(units).saturating_mul(opponents.into());
        let steps = states.saturating_mul(1 + (u64::from(units) + u64::from(opponents)) / 8);
        match exact(self.left) {
            Ok(win) => {
                self.left = self.left.saturating_sub(steps);
                Ok(&win >= self.chance)
            }
            Err(Error::BattleTooLarge { .. }) => Err(Error::TooClose {
                side: self.side,
                units,
                opponents,
                chance: self.chance.clone(),
            }),
            Err(error) => Err(error),
        }
    }
}

impl Rules {
    /// Returns R_e, the number of attackers per defender at which large armies wear each other down
    /// evenly; `None` if the defender never loses a unit.
    ///
    /// With fewer attackers per defender the attackers nearly always lose, and with more they
    /// nearly always win, the more surely the larger the armies. Proof: while both armies are
    /// large, the throws are independent and alike, with m pairs and with expected losses λ of the
    /// attacker and ω of the defender. By the law of large numbers n throws cost λn + o(n) and ωn +
    /// o(n) units. D defenders last D/ω + o(D) throws, and r·D attackers rD/λ + o(D). So if r ≠
    /// λ/ω, the side that lasts fewer throws falls first, with a number of units proportional to D
    /// in hand on the other side; the few units at which the dice change cannot make up for that.
    /// At r = λ/ω the difference is of the order of √D, and the chance tends to 1/2 if a throw is
    /// not certain. ∎
    ///
    /// # Errors
    /// As for [`Throw::law`](crate::Throw::law).
    ///
    /// # Examples
    /// Georgiou's Table 12 has 0.924; see [`Losses`](crate::Losses).
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// let ratio = Rules::standard().equilibrium_ratio()?;
    /// assert_eq!(ratio.map(|r| r.to_string()), Some("2387/2797".into())); // 0.8534
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "R_e")]
    pub fn equilibrium_ratio(&self) -> Result<Option<BigRational>, Error> {
        let (attackers, defenders) = chain::settled(self, u32::MAX, u32::MAX);
        let throw = self.throw(attackers, defenders)?;
        Ok(throw.expected_losses()?.equilibrium_ratio())
    }
}
