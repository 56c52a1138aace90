//! The rules of throws and battles as data.

mod display;
mod editions;
#[cfg(feature = "serde")]
mod parts;
mod reading;

pub use reading::Reading;

use crate::{Error, Side, Throw};

/// How dice are thrown and compared.
///
/// [`Rules::standard`] returns the rules in the box; other constructors return those of other
/// editions. Each setter changes one rule. `Display` writes the rules in one line. With the feature
/// `serde`, rules are a map in which every entry is optional. Unknown entries are rejected, and
/// values are checked as by the setters.
///
/// # Examples
/// A fortress that adds one point to the defender's highest die:
/// ```
/// use oddsmith_risk::{Rules, Throw};
///
/// let fortress = Rules::standard().defence_bonus([1]);
/// let losses = Throw::new(3, 2)?.rules(fortress).expected_losses()?;
/// assert_eq!(losses.game_value().to_string(), "-55/486");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "parts::RulesParts", into = "parts::RulesParts")
)]
pub struct Rules {
    pub(crate) max_attack: u32,
    pub(crate) max_defence: u32,
    pub(crate) defence_may_outnumber: bool,
    /// With fewer defenders, the defender throws one die; at least 1.
    pub(crate) second_defence_die_from: u32,
    pub(crate) attack_sides: u32,
    pub(crate) defence_sides: u32,
    pub(crate) ties_to: Side,
    /// A wider type than the setters take, so that a hero can always be added.
    pub(crate) attack_bonus: Vec<i64>,
    pub(crate) defence_bonus: Vec<i64>,
    pub(crate) reading: Reading,
}

impl Default for Rules {
    fn default() -> Self {
        Rules::standard()
    }
}

impl Rules {
    /// Sets the largest numbers of dice per throw, for the attacker and the defender. They limit
    /// the throws of a battle; a [`Throw`] has the dice it is given.
    ///
    /// # Errors
    /// [`Error::NoDice`] if either number is zero.
    ///
    /// # Examples
    /// A capital is defended with three dice:
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// let capital = Rules::standard().max_dice(3, 3)?;
    /// assert_eq!(capital.throw(8, 8)?.law()?.p(&3).to_string(), "535/3888");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn max_dice(mut self, attack: u32, defence: u32) -> Result<Self, Error> {
        check_dice(attack, defence)?;
        (self.max_attack, self.max_defence) = (attack, defence);
        Ok(self)
    }

    /// Sets whether the defender may throw more dice than the attacker, in battles.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    /// assert_eq!(Rules::standard().defence_may_outnumber(false), Rules::georgiou());
    /// ```
    #[must_use]
    pub fn defence_may_outnumber(mut self, allowed: bool) -> Self {
        self.defence_may_outnumber = allowed;
        self
    }

    /// Sets the number of sides of the attacker's and of the defender's dice.
    ///
    /// # Errors
    /// [`Error::NoSides`] if either number is zero.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, Throw};
    ///
    /// let veterans = Rules::standard().sides(6, 8)?;
    /// assert_eq!(Throw::new(1, 1)?.rules(veterans).law()?.p(&1).to_string(), "5/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sides(mut self, attack: u32, defence: u32) -> Result<Self, Error> {
        let both = [(attack, Side::Attacker), (defence, Side::Defender)];
        if let Some((_, side)) = both.into_iter().find(|&(sides, _)| sides == 0) {
            return Err(Error::NoSides { side });
        }
        (self.attack_sides, self.defence_sides) = (attack, defence);
        Ok(self)
    }

    /// Sets the number of defenders needed for a second die, which is 2 by the standard rules.
    /// Fewer defenders throw one die. Like [`max_dice`](Rules::max_dice), this applies to battles.
    ///
    /// # Errors
    /// [`Error::NoDefenders`] if the number is zero.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// let late = Rules::standard().second_defence_die_from(4)?;
    /// assert_eq!((late.dice(3, 3), late.dice(3, 4)), ((3, 1), (3, 2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn second_defence_die_from(mut self, defenders: u32) -> Result<Self, Error> {
        if defenders == 0 {
            return Err(Error::NoDefenders);
        }
        self.second_defence_die_from = defenders;
        Ok(self)
    }

    /// Sets which side wins ties.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, Side, Throw};
    ///
    /// let zombies = Rules::standard().ties_to(Side::Attacker);
    /// let won = Throw::new(2, 1)?.rules(zombies).law()?.p(&1);
    /// assert_eq!(won.to_string(), "161/216"); // 125 of 216 if ties go to the defender
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ties_to(mut self, side: Side) -> Self {
        self.ties_to = side;
        self
    }

    /// Sets the points added to the attacker's dice after sorting: to the highest die, the second,
    /// and so on. Dice beyond the list get no bonus; numbers beyond the dice are for throws of more
    /// dice.
    ///
    /// By default, nothing is clamped or sorted again: a 6 with a bonus is a 7, as in Georgiou's
    /// section 7. For other editions, see [`reading`](Rules::reading).
    ///
    /// # Examples
    /// A hero in the attack:
    /// ```
    /// use oddsmith_risk::{Rules, Throw};
    ///
    /// let hero = Rules::standard().attack_bonus([1]);
    /// assert_eq!(Throw::new(1, 1)?.rules(hero).law()?.p(&1).to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attack_bonus(mut self, by_rank: impl Into<Vec<i32>>) -> Self {
        self.attack_bonus = by_rank.into().into_iter().map(i64::from).collect();
        self
    }

    /// Sets the points added to the defender's sorted dice; see
    /// [`attack_bonus`](Rules::attack_bonus).
    ///
    /// # Examples
    /// A hero in a fortress:
    /// ```
    /// use oddsmith_risk::{Rules, Throw};
    ///
    /// let both = Rules::standard().defence_bonus([2]);
    /// assert_eq!(Throw::new(3, 1)?.rules(both).law()?.p(&1).to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn defence_bonus(mut self, by_rank: impl Into<Vec<i32>>) -> Self {
        self.defence_bonus = by_rank.into().into_iter().map(i64::from).collect();
        self
    }

    /// Sets what a bonus does to a die: whether it may exceed the die's sides, and whether the dice
    /// are sorted again. The default is [`Reading::Unclamped`].
    ///
    /// # Examples
    /// One point less on the highest die and one more on the second, by two readings:
    /// ```
    /// use oddsmith_risk::{Reading, Rules, Throw};
    ///
    /// let rules = Rules::standard().defence_bonus([-1, 1]);
    /// let both_won = |rules| Throw::new(3, 2)?.rules(rules).law().map(|law| law.p(&2).to_string());
    /// assert_eq!(both_won(rules.clone())?, "1415/3888");
    /// assert_eq!(both_won(rules.reading(Reading::ClampedAndSorted))?, "1679/3888");
    /// # Ok::<(), oddsmith_risk::Error>(())
    /// ```
    #[must_use]
    pub fn reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// Returns the throw when both sides use as many dice as they may.
    ///
    /// # Errors
    /// [`Error::NoDice`] if a side has no units.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// let throw = Rules::standard().throw(2, 9)?; // two dice each
    /// assert_eq!(throw.law()?.p(&2).to_string(), "295/1296");
    /// assert!(Rules::standard().throw(0, 9).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn throw(&self, attackers: u32, defenders: u32) -> Result<Throw, Error> {
        let (attack, defence) = self.dice(attackers, defenders);
        Ok(Throw::new(attack, defence)?.rules(self.clone()))
    }

    /// Returns the largest number of dice that this many attackers may throw, and the largest
    /// number that this many defenders may throw against them; 0 for a side without units. If the
    /// attacker throws fewer dice, use [`defence_dice_against`](Rules::defence_dice_against).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// assert_eq!(Rules::standard().dice(8, 5), (3, 2));
    /// assert_eq!(Rules::standard().dice(1, 5), (1, 2));
    /// assert_eq!(Rules::georgiou().dice(1, 5), (1, 1));
    /// assert_eq!(Rules::uk_1990().dice(8, 2), (3, 1));
    /// ```
    #[must_use]
    pub fn dice(&self, attackers: u32, defenders: u32) -> (u32, u32) {
        let attack = attackers.min(self.max_attack);
        (attack, self.defence_dice_against(attack, defenders))
    }

    /// Returns the largest number of dice that this many defenders may throw against this many
    /// attacking dice; 0 without defenders.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// assert_eq!(Rules::standard().defence_dice_against(1, 5), 2);
    /// assert_eq!(Rules::georgiou().defence_dice_against(1, 5), 1);
    /// ```
    #[must_use]
    pub fn defence_dice_against(&self, attack_dice: u32, defenders: u32) -> u32 {
        let mut most = self.max_defence;
        if !self.defence_may_outnumber {
            most = most.min(attack_dice);
        }
        if defenders < self.second_defence_die_from {
            most = most.min(1);
        }
        defenders.min(most)
    }
}

pub(crate) fn check_dice(attack: u32, defence: u32) -> Result<(), Error> {
    let both = [(attack, Side::Attacker), (defence, Side::Defender)];
    match both.into_iter().find(|&(dice, _)| dice == 0) {
        Some((_, side)) => Err(Error::NoDice { side }),
        None => Ok(()),
    }
}
