//! The best decisions, for queries and as text.

use std::fmt;
use std::ops::RangeInclusive;

use num_traits::ToPrimitive;
use oddsmith_mdp::{Cyclic, Exact, Number, Solution};

use super::contest::Contest;
use super::{Act, Situation, Stage, Tactics};
use crate::{Error, Outcome};

/// The best decisions of a [`TacticalDuel`](crate::TacticalDuel), in fractions or in floats.
///
/// `Display` writes what is decided, by the foe's hit points, for the uses at the start and for
/// some numbers of the player's hit points. Situations that cannot occur are left out.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
///
/// let jab = Attack::new("Jab")?.to_hit(9).damage("1".parse()?);
/// let swing = Attack::new("Swing")?.to_hit(-1).damage("2".parse()?);
/// let tactics = Tactics::new().attacks(1, [jab, swing]);
/// let foe = Fighter::new(2, Dist::certain(1))?;
/// let plan = TacticalDuel::new(1, tactics, foe, Target::new(10))?.best()?;
/// // One attack is all there is time for: 1 in 2 to hit for 2.
/// assert_eq!(plan.value().to_string(), "1/2");
/// assert_eq!(plan.to_string(), "wins with 1/2 = 0.5\nat 1 of 1 hit points\n  attack 1: 2 Swing\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BattlePlan<N = Exact>
where
    Cyclic<N>: Number,
{
    solution: Solution<'static, Contest, Cyclic<N>>,
    tactics: Tactics,
    start: Situation,
    most: i64,
}

impl<N> BattlePlan<N>
where
    Cyclic<N>: Number,
{
    pub(super) fn new(
        solution: Solution<'static, Contest, Cyclic<N>>,
        tactics: Tactics,
        start: Situation,
        most: i64,
    ) -> Self {
        BattlePlan {
            solution,
            tactics,
            start,
            most,
        }
    }

    /// Returns the chance to win from the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(2, [Attack::new("Slap")?.damage("1".parse()?)]);
    /// let foe = Fighter::new(1, Dist::certain(1))?; // leaves time for two attacks
    /// let plan = TacticalDuel::new(1, tactics, foe, Target::new(11))?.best()?;
    /// assert_eq!(plan.value().to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "win")]
    pub fn value(&self) -> <Cyclic<N> as Number>::Value {
        self.solution.value()
    }

    /// Returns [`value`](BattlePlan::value) as a float.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let jab = Attack::new("Jab")?.to_hit(-1).damage("2".parse()?);
    /// let foe = Fighter::new(2, Dist::certain(1))?;
    /// let plan = TacticalDuel::new(1, Tactics::new().attacks(1, [jab]), foe, Target::new(10))?.best()?;
    /// assert_eq!((plan.value().to_string(), plan.value_f64()), ("1/2".into(), 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value_f64(&self) -> f64 {
        self.value().to_f64().unwrap_or(f64::NAN)
    }

    /// Returns the chance to win from a situation.
    ///
    /// # Errors
    /// [`Error::Solve`] for a situation that cannot occur.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Situation, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Slap")?.damage("1".parse()?)]);
    /// let foe = Fighter::new(1, Dist::certain(1))?; // 1 hit point a turn
    /// let plan = TacticalDuel::new(3, tactics, foe, Target::new(11))?.best()?;
    /// assert_eq!(plan.value_of(&Situation::new(1, 1, []))?.to_string(), "1/2"); // the last turn
    /// assert!(plan.value_of(&Situation::new(4, 1, [])).is_err()); // there were 3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_of(&self, now: &Situation) -> Result<<Cyclic<N> as Number>::Value, Error> {
        Ok(self.solution.value_of(now)?)
    }

    /// Returns a bound on the absolute error of the chance to win; 0 in fractions.
    ///
    /// # Errors
    /// None in practice, since the start is always known.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Slap")?.damage("1".parse()?)]);
    /// let duel = TacticalDuel::new(5, tactics, Fighter::new(7, Dist::die(4)?)?, Target::new(9))?;
    /// assert_eq!(duel.best()?.error()?, 0.0);
    /// assert!(duel.best_f64()?.error()? < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn error(&self) -> Result<f64, Error> {
        Ok(self.solution.error(&self.start)?)
    }

    /// Returns the best decision, or `None` where nothing is to be decided.
    ///
    /// # Errors
    /// [`Error::Solve`] for a situation that cannot occur.
    ///
    /// # Examples
    /// A potion at the right time:
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Act, Attack, Fighter, Healing, Situation, TacticalDuel, Tactics, Target};
    ///
    /// let sword = Attack::new("Sword")?.to_hit(4).damage("1d6".parse()?);
    /// let potion = Healing::new("Potion", 1, Dist::parse("2d4 + 2")?)?;
    /// let tactics = Tactics::new().attacks(1, [sword]).healing(potion);
    /// let foe = Fighter::new(12, Dist::from_weights([(0, 1), (2, 1)])?)?;
    /// let plan = TacticalDuel::new(10, tactics, foe, Target::new(14))?.best()?;
    /// let weak = Situation::new(2, 12, [1]);
    /// assert_eq!(plan.decision(&weak)?, Some(Act::Heal(0)));
    /// assert_eq!(plan.label(Act::Heal(0)), "Potion");
    /// assert_eq!(plan.decision(&Situation { own: 10, ..weak })?, Some(Act::Attack(0)));
    /// assert!(plan.value_of(&weak)? < plan.value());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision(&self, now: &Situation) -> Result<Option<Act>, Error> {
        Ok(self.solution.decision(now)?)
    }

    /// Returns the name of an act.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Act, Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Axe")?.power_attack()]);
    /// # let foe = Fighter::new(1, Dist::certain(1))?;
    /// let plan = TacticalDuel::new(1, tactics, foe, Target::new(11))?.best()?;
    /// assert_eq!(plan.label(Act::Attack(0)), "Axe −5/+10");
    /// assert_eq!(plan.label(Act::Hold), "hold");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn label(&self, act: Act) -> String {
        let known = match act {
            Act::Attack(option) => self.tactics.options.get(option).map(|o| o.label()),
            Act::Smite(smite) => self.tactics.smites.get(smite).map(|s| s.name.clone()),
            Act::Heal(at) => self.tactics.healing.get(at).map(|h| h.name.clone()),
            Act::Hold => None,
        };
        known.unwrap_or_else(|| "hold".to_owned())
    }

    /// Returns the decisions in a situation by the foe's hit points, from 1 to the maximum, as
    /// ranges with the same decision. Situations that cannot occur are left out.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Act, Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let jab = Attack::new("Jab")?.to_hit(9).damage("1".parse()?);
    /// let swing = Attack::new("Swing")?.to_hit(4).damage("4".parse()?);
    /// let tactics = Tactics::new().attacks(1, [jab, swing]);
    /// let foe = Fighter::new(9, Dist::certain(1))?;
    /// let duel = TacticalDuel::new(20, tactics, foe, Target::new(10))?;
    /// let late = oddsmith_dnd::Situation { own: 10, ..duel.start() };
    /// let (jab, swing) = (Act::Attack(0), Act::Attack(1));
    /// let ranges = duel.best()?.ranges(&late);
    /// assert_eq!(ranges, [(1..=5, jab), (6..=8, swing), (9..=9, jab)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ranges(&self, at: &Situation) -> Vec<(RangeInclusive<i64>, Act)> {
        let mut ranges: Vec<(RangeInclusive<i64>, Act)> = Vec::new();
        for foe in 1..=self.most {
            let Ok(Some(act)) = self.decision(&Situation { foe, ..*at }) else {
                continue;
            };
            match ranges.last_mut() {
                Some((range, last)) if *last == act => *range = *range.start()..=foe,
                _ => ranges.push((foe..=foe, act)),
            }
        }
        ranges
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, when: &str, at: &Situation) -> fmt::Result {
        let ranges = self.ranges(at);
        if ranges.is_empty() {
            return Ok(());
        }
        let words = ranges.iter().map(|(range, act)| {
            let (from, to) = (range.start(), range.end());
            let label = self.label(*act);
            match from == to {
                true => format!("{from} {label}"),
                false => format!("{from}–{to} {label}"),
            }
        });
        writeln!(f, "  {when}: {}", words.collect::<Vec<_>>().join(", "))
    }
}

impl<N> fmt::Display for BattlePlan<N>
where
    Cyclic<N>: Number,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value();
        match value.to_f64() {
            Some(float) if value.to_string().len() > 40 => writeln!(f, "wins with {float}")?,
            _ => writeln!(f, "wins with {}", oddsmith_mdp::Readable(&value))?,
        }
        let full = self.start.own;
        let mut levels = vec![full, full / 2, full / 4];
        levels.retain(|own| *own > 0);
        levels.dedup();
        for own in levels {
            let here = Situation {
                own,
                stage: Stage::Attack(0),
                ..self.start
            };
            writeln!(f, "at {own} of {full} hit points")?;
            for attack in 0..self.tactics.number as usize {
                let stage = Stage::Attack(attack);
                self.line(
                    f,
                    &format!("attack {}", attack + 1),
                    &Situation { stage, ..here },
                )?;
                if self.tactics.smites.is_empty() {
                    continue;
                }
                for (option, name) in self.tactics.names().iter().enumerate() {
                    for (outcome, word) in
                        [(Outcome::Hit, "hit"), (Outcome::Critical, "critical hit")]
                    {
                        let stage = Stage::Rolled {
                            attack,
                            option,
                            outcome,
                        };
                        self.line(f, &format!("{name}, {word}"), &Situation { stage, ..here })?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl<N> fmt::Debug for BattlePlan<N>
where
    Cyclic<N>: Number,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BattlePlan")
            .field("solution", &self.solution)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}
