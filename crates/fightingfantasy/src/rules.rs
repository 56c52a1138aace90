//! The rules of combat as data.

use oddsmith_dice::Dist;

use crate::pips::Pips;
use crate::{Damage, Error, RoundOdds};

/// The rules of a fight: dice, damage, and the special rules that some books add.
///
/// [`Rules::standard`] is Algorithm 1 of the paper; each setter changes one rule.
///
/// # Examples
/// "Crypt of the Sorcerer": two rounds lost in succession are fatal. LUCK does not help enough
/// then:
/// ```
/// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Rules, SuddenDeath};
///
/// let duel = Duel::new(Hero::new(12, 18, 9)?, Foe::new(12, 20)?);
/// assert_eq!(format!("{:.3}", duel.clone().best_luck_f64()?.value()), "0.606");
/// let crypt = Rules::standard().sudden_death(SuddenDeath::after(2).reset_by_draws());
/// assert_eq!(format!("{:.3}", duel.rules(crypt).best_luck_f64()?.value()), "0.117");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Rules {
    pub(crate) attack: Dice,
    pub(crate) test: Dice,
    pub(crate) test_rule: LuckTest,
    pub(crate) hit: Damage,
    pub(crate) wound: Damage,
    pub(crate) sudden_death: Option<SuddenDeath>,
    pub(crate) escape: Option<Escape>,
    pub(crate) rounds: Option<u16>,
}

/// A number of equal dice and their number of sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Dice {
    pub(crate) count: u32,
    pub(crate) sides: u32,
}

impl Dice {
    /// Rejects dice without sides, with the same error as the dice themselves.
    fn checked(self) -> Result<Self, Error> {
        if self.sides == 0 {
            Dist::die(self.sides)?;
        }
        Ok(self)
    }
}

const TWO_DICE: Dice = Dice { count: 2, sides: 6 };

/// When a test of LUCK succeeds.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{LuckTest, Rules};
///
/// // The computer game of "City of Thieves" asks for less than LUCK.
/// let strict = Rules::standard().luck_test(LuckTest::Below);
/// assert_eq!(Rules::standard().luck_counts(7)?, (21, 15));
/// assert_eq!(strict.luck_counts(7)?, (15, 21));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum LuckTest {
    /// If the roll is at most the current LUCK: the rule of the books.
    #[default]
    AtMost,
    /// If the roll is below the current LUCK.
    Below,
}

/// The special rule that a number of rounds lost in succession kills the hero, whatever STAMINA is
/// left.
///
/// The paper does not say whether a draw interrupts the succession, so both readings are available.
///
/// # Examples
/// One lost round is death, and two rounds must be won:
/// ```
/// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Rules, SuddenDeath};
/// let rules = Rules::standard().sudden_death(SuddenDeath::after(1));
/// let duel = Duel::new(Hero::new(10, 24, 0)?, Foe::new(10, 4)?).rules(rules);
/// assert_eq!(duel.without_luck()?.to_string(), "1/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SuddenDeath {
    pub(crate) losses: u8,
    pub(crate) draws_reset: bool,
}

impl SuddenDeath {
    /// Creates the rule of death after this many lost rounds in succession. Draws are ignored.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Rules, SuddenDeath};
    ///
    /// // Even odds without LUCK: ten rounds must be won, no two lost between.
    /// let rules = Rules::standard().sudden_death(SuddenDeath::after(2));
    /// let duel = Duel::new(Hero::new(10, 24, 0)?, Foe::new(10, 20)?).rules(rules);
    /// assert_eq!(duel.without_luck()?.to_string(), "59049/1048576"); // (3/4)^10
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn after(losses: u8) -> Self {
        SuddenDeath {
            losses,
            draws_reset: false,
        }
    }

    /// Lets a drawn round interrupt the succession.
    ///
    /// # Examples
    /// One round must be won before two are lost in succession. In the first case draws between the
    /// two lost rounds are ignored, and in the second they interrupt the succession:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Rules, SuddenDeath};
    /// let (ignored, reset) = (SuddenDeath::after(2), SuddenDeath::after(2).reset_by_draws());
    /// let duel = Duel::new(Hero::new(10, 24, 0)?, Foe::new(10, 2)?);
    /// let victory = |rule| {
    ///     let rules = Rules::standard().sudden_death(rule);
    ///     duel.clone().rules(rules).without_luck_f64()
    /// };
    /// assert_eq!(format!("{:.4}", victory(ignored)?), "0.7500");
    /// assert_eq!(format!("{:.4}", victory(reset)?), "0.7649");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reset_by_draws(mut self) -> Self {
        self.draws_reset = true;
        self
    }
}

/// The special rule that the hero may run after some rounds, for a price in STAMINA.
///
/// # Examples
/// The hero cannot win a round against SKILL 30. Running at once costs 2 of 10 STAMINA:
/// ```
/// use oddsmith_fightingfantasy::{Duel, DuelAction, Escape, Foe, Hero, Objective, Rules};
/// let plan = Duel::new(Hero::new(10, 10, 0)?, Foe::new(30, 12)?)
///     .rules(Rules::standard().escape(Escape::after(0)))
///     .objective(Objective::stamina_of_survivor())
///     .best_luck()?;
/// assert_eq!(plan.action(), Some(DuelAction::Run));
/// assert_eq!(plan.value().to_string(), "8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Escape {
    pub(crate) after: u16,
    pub(crate) wound: Damage,
    pub(crate) luck: bool,
}

impl Escape {
    /// Creates the rule that running is allowed once this many rounds have been fought (0: at
    /// once), and costs 2 STAMINA.
    ///
    /// # Examples
    /// Three rounds are lost for certain, and running costs 2 STAMINA more:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Escape, Foe, Hero, Objective, Rules};
    /// let duel = Duel::new(Hero::new(10, 10, 0)?, Foe::new(30, 12)?)
    ///     .rules(Rules::standard().escape(Escape::after(3)))
    ///     .objective(Objective::stamina_of_survivor());
    /// assert_eq!(duel.best_luck()?.value().to_string(), "2"); // 10 - 3 · 2 - 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn after(rounds: u16) -> Self {
        Escape {
            after: rounds,
            wound: Damage::WOUND,
            luck: false,
        }
    }

    /// Sets the STAMINA that running costs, instead of 2. A test of LUCK makes it one less or one
    /// more, as for a wound of 2.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Escape, Foe, Hero, Objective, Rules};
    ///
    /// let rules = Rules::standard().escape(Escape::after(0).cost(5));
    /// let duel = Duel::new(Hero::new(5, 6, 0)?, Foe::new(12, 20)?).rules(rules);
    /// // Best run at once, with 1 STAMINA left:
    /// let kept = duel.objective(Objective::stamina_of_survivor()).best_luck()?;
    /// assert_eq!(kept.value().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cost(mut self, stamina: u16) -> Self {
        self.wound = Damage::new(
            stamina,
            stamina.saturating_sub(1),
            stamina.saturating_add(1),
        );
        self
    }

    /// Lets the hero test LUCK on the parting wound, as on any wound.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Escape, Foe, Hero, Objective, Rules};
    ///
    /// // With STAMINA 2 running costs 2 and kills, unless the hero is lucky.
    /// let run = Escape::after(0);
    /// let hopeless = Duel::new(Hero::new(2, 2, 7)?, Foe::new(14, 20)?)
    ///     .objective(Objective::survival());
    /// let without = hopeless.clone().rules(Rules::standard().escape(run));
    /// let with = hopeless.rules(Rules::standard().escape(run.with_luck()));
    /// assert_eq!(without.best_luck()?.value().to_string(), "0");
    /// assert_eq!(with.best_luck()?.value().to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_luck(mut self) -> Self {
        self.luck = true;
        self
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules::standard()
    }
}

impl Rules {
    /// Returns the rules of the books (paper, Algorithm 1). Each side rolls two dice and adds
    /// SKILL. A hit takes 2 (with LUCK 4 or 1), and a wound 2 (with LUCK 1 or 3). A test of LUCK
    /// succeeds if two dice show at most LUCK, and lowers LUCK by one whether it succeeds or not.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Damage, Rules};
    /// let rules = Rules::standard();
    /// assert_eq!(rules.hit_damage(), Damage::new(2, 4, 1));
    /// assert_eq!(rules.round(-3)?.counts(), (206, 104, 986));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standard() -> Self {
        Rules {
            attack: TWO_DICE,
            test: TWO_DICE,
            test_rule: LuckTest::AtMost,
            hit: Damage::HIT,
            wound: Damage::WOUND,
            sudden_death: None,
            escape: None,
            rounds: None,
        }
    }

    /// Sets the dice that each side rolls for its attack strength.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Rules;
    /// let rules = Rules::standard().attack_dice(1, 6);
    /// assert_eq!(rules.round(0)?.counts(), (15, 6, 15));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attack_dice(mut self, count: u32, sides: u32) -> Self {
        self.attack = Dice { count, sides };
        self
    }

    /// Sets the dice for a test of LUCK.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Rules;
    /// let rules = Rules::standard().luck_dice(1, 20);
    /// assert_eq!(rules.luck_counts(12)?, (12, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn luck_dice(mut self, count: u32, sides: u32) -> Self {
        self.test = Dice { count, sides };
        self
    }

    /// Sets when a test of LUCK succeeds.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{LuckTest, Rules};
    /// // By this rule even LUCK 12 can fail, by a double six.
    /// let rules = Rules::standard().luck_test(LuckTest::Below);
    /// assert_eq!(rules.luck_counts(12)?, (35, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn luck_test(mut self, rule: LuckTest) -> Self {
        self.test_rule = rule;
        self
    }

    /// Sets the STAMINA that the hero's hits take.
    ///
    /// # Examples
    /// The variant in which a lucky hit takes 3:
    /// ```
    /// use oddsmith_fightingfantasy::{Damage, Duel, Foe, Hero, Rules};
    /// let rules = Rules::standard().hit(Damage::new(2, 3, 1));
    /// let duel = Duel::new(Hero::new(8, 22, 12)?, Foe::new(12, 19)?).rules(rules);
    /// assert_eq!(format!("{:.7}", duel.best_luck_f64()?.value()), "0.0008378");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hit(mut self, damage: Damage) -> Self {
        self.hit = damage;
        self
    }

    /// Sets the STAMINA that the foe's hits take.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Damage, Duel, Foe, Hero, Rules};
    /// // A foe whose every blow kills: the first decisive round decides.
    /// let rules = Rules::standard().wound(Damage::new(99, 99, 99));
    /// let duel = Duel::new(Hero::new(10, 24, 0)?, Foe::new(10, 2)?).rules(rules);
    /// assert_eq!(duel.without_luck()?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn wound(mut self, damage: Damage) -> Self {
        self.wound = damage;
        self
    }

    /// Makes lost rounds in succession fatal.
    ///
    /// # Examples
    /// One round must be won before three are lost:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Rules, SuddenDeath};
    /// let rules = Rules::standard().sudden_death(SuddenDeath::after(3));
    /// let duel = Duel::new(Hero::new(10, 24, 0)?, Foe::new(10, 2)?).rules(rules);
    /// assert_eq!(duel.without_luck()?.to_string(), "7/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sudden_death(mut self, rule: SuddenDeath) -> Self {
        self.sudden_death = Some(rule);
        self
    }

    /// Allows the hero to run.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Escape, Foe, Hero, Objective, Rules};
    /// // Two wounds, and 2 STAMINA for running, leave the hero alive: 7 - 2 · 2 - 2.
    /// let rules = Rules::standard().escape(Escape::after(2));
    /// let duel = Duel::new(Hero::new(8, 7, 0)?, Foe::new(12, 12)?)
    ///     .rules(rules)
    ///     .objective(Objective::survival());
    /// assert_eq!(duel.best_luck()?.value().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn escape(mut self, rule: Escape) -> Self {
        self.escape = Some(rule);
        self
    }

    /// Ends the fight, with the hero safe, after this many rounds.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Rules};
    /// // Hold out for one round with STAMINA 2: do not lose it.
    /// let rules = Rules::standard().last_rounds(1);
    /// let duel = Duel::new(Hero::new(9, 2, 0)?, Foe::new(12, 12)?).rules(rules);
    /// assert_eq!(duel.without_luck()?.to_string(), "155/648"); // (206 + 104) / 1296
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn last_rounds(mut self, rounds: u16) -> Self {
        self.rounds = Some(rounds);
        self
    }

    /// Returns the STAMINA that the hero's hits take.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Damage, Rules};
    /// let rules = Rules::standard().hit(Damage::new(3, 6, 1));
    /// assert_eq!((rules.hit_damage().plain, rules.hit_damage().lucky), (3, 6));
    /// ```
    #[must_use]
    pub fn hit_damage(&self) -> Damage {
        self.hit
    }

    /// Returns the STAMINA that the foe's hits take.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Damage, Rules};
    /// assert_eq!(Rules::standard().wound_damage(), Damage::new(2, 1, 3));
    /// ```
    #[must_use]
    pub fn wound_damage(&self) -> Damage {
        self.wound
    }

    /// Returns the odds of an attack round at this difference of SKILL, the hero's minus the foe's:
    /// equations (2)–(4) of the paper, for any dice.
    ///
    /// # Errors
    /// An error for dice without sides; [`Error::TooManyAttackDice`] if the number of rolls of both
    /// sides does not fit into 64 bits.
    ///
    /// # Complexity
    /// A sum of at most twice as many terms as each side has dice, whatever their number of sides.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Rules;
    /// let odds = Rules::standard().round(0)?;
    /// assert_eq!(odds.win().to_string(), "575/1296");
    /// // From a difference of 11 on the hero wins every round.
    /// assert_eq!(Rules::standard().round(11)?.counts(), (1296, 0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn round(&self, skill_difference: i64) -> Result<RoundOdds, Error> {
        if self.attack == TWO_DICE {
            return Ok(RoundOdds::standard(skill_difference));
        }
        let Dice { count, sides } = self.attack.checked()?;
        // One-sided dice make no difference, however many there are.
        let count = if sides == 1 { 0 } else { count };
        // Replacing what each of the foe's dice shows by sides + 1 minus it, which is as likely,
        // turns the difference of the two rolls into the sum of all dice minus its middle.
        let both = count.checked_mul(2).and_then(|both| Pips::new(both, sides));
        let both = both.ok_or(Error::TooManyAttackDice { count, sides })?;
        let middle = i128::from(count) * (i128::from(sides) + 1);
        let lose = both.at_most(middle - i128::from(skill_difference) - 1);
        let not_won = both.at_most(middle - i128::from(skill_difference));
        RoundOdds::new(both.rolls() - not_won, not_won - lose, lose)
    }

    /// Returns how many rolls of a test of LUCK succeed, and how many fail.
    ///
    /// # Errors
    /// An error for dice without sides; [`Error::TooManyLuckDice`] if the number of rolls does not
    /// fit into 64 bits.
    ///
    /// # Examples
    /// See [`LuckTest`]; q(6) of the paper is 15/36:
    /// ```
    /// use oddsmith_fightingfantasy::Rules;
    /// assert_eq!(Rules::standard().luck_counts(6)?, (15, 21));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn luck_counts(&self, luck: u16) -> Result<(u64, u64), Error> {
        let test = self.luck_pips()?;
        Ok(self.tested(test, luck))
    }

    /// Whether the rules only change the numbers of Algorithm 1, so that the state of a duel is
    /// given by the STAMINAs and LUCK alone.
    pub(crate) fn is_plain(&self) -> bool {
        self.sudden_death.is_none() && self.escape.is_none() && self.rounds.is_none()
    }

    /// Checks what every model of LUCK requires of the rules.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for (who, damage) in [("hero", self.hit), ("foe", self.wound)] {
            if damage.plain == 0 {
                return Err(Error::Harmless { who });
            }
        }
        match self.sudden_death {
            Some(SuddenDeath { losses: 0, .. }) => Err(Error::SuddenDeathAtOnce),
            _ => Ok(()),
        }
    }

    /// A LUCK at which a test cannot fail, or the highest LUCK if that is less.
    pub(crate) fn certain_luck(&self) -> u16 {
        let highest = self.test.count.saturating_mul(self.test.sides);
        u16::try_from(highest.saturating_add(1)).unwrap_or(u16::MAX)
    }

    /// The counts of [`luck_counts`](Rules::luck_counts) for LUCK 0 to `most`.
    pub(crate) fn luck_table(&self, most: u16) -> Result<Vec<(u64, u64)>, Error> {
        let test = self.luck_pips()?;
        Ok((0..=most).map(|luck| self.tested(test, luck)).collect())
    }

    fn luck_pips(&self) -> Result<Pips, Error> {
        let Dice { count, sides } = self.test.checked()?;
        Pips::new(count, sides).ok_or(Error::TooManyLuckDice { count, sides })
    }

    fn tested(&self, test: Pips, luck: u16) -> (u64, u64) {
        let highest = match self.test_rule {
            LuckTest::AtMost => i128::from(luck),
            LuckTest::Below => i128::from(luck) - 1,
        };
        let lucky = test.at_most(highest);
        (lucky, test.rolls() - lucky)
    }
}
