//! The rules of throws and battles as data.

use crate::{Error, Side, Throw};

/// How dice are thrown and compared.
///
/// [`Rules::standard`] are those of the box; setters change one rule each.
///
/// # Examples
/// A fortress that counts as one point more on the defender's highest die:
/// ```
/// use oddsmith_risk::{Rules, Throw};
///
/// let fortress = Rules::standard().defence_bonus([1]);
/// let losses = Throw::new(3, 2)?.rules(fortress).expected_losses()?;
/// assert_eq!(losses.game_value().to_string(), "-55/486");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub(crate) max_attack: u32,
    pub(crate) max_defence: u32,
    pub(crate) defence_may_outnumber: bool,
    pub(crate) attack_sides: u32,
    pub(crate) defence_sides: u32,
    pub(crate) ties_to: Side,
    pub(crate) attack_bonus: Vec<i32>,
    pub(crate) defence_bonus: Vec<i32>,
}

impl Default for Rules {
    fn default() -> Self {
        Rules::standard()
    }
}

impl Rules {
    /// Six-sided dice, at most three for the attacker and two for the
    /// defender, ties to the defender, no bonus; the defender may throw two
    /// dice against one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Rules;
    ///
    /// let throw = Rules::standard().throw(1, 9)?; // one attacker against nine
    /// assert_eq!((throw.attack_dice(), throw.defence_dice()), (1, 2));
    /// assert_eq!(throw.law()?.p(&1).to_string(), "55/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standard() -> Self {
        Rules {
            max_attack: 3,
            max_defence: 2,
            defence_may_outnumber: true,
            attack_sides: 6,
            defence_sides: 6,
            ties_to: Side::Defender,
            attack_bonus: Vec::new(),
            defence_bonus: Vec::new(),
        }
    }

    /// The rules of H. Georgiou, "RISK Board Game - Battle Outcome Analysis"
    /// (revision 3, 2004), section 2: as standard, but the defender never
    /// throws more dice than the attacker.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Rules};
    ///
    /// let battle = Battle::new(1, 2)?;
    /// assert_eq!(battle.win()?.to_string(), "275/2592");
    /// assert_eq!(battle.rules(Rules::georgiou()).win()?.to_string(), "25/144"); // (5/12)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn georgiou() -> Self {
        Rules::standard().defence_may_outnumber(false)
    }

    /// At most so many dice a throw, for the attacker and the defender. They
    /// bound the throws of a battle; a [`Throw`] has the dice it is given.
    ///
    /// # Errors
    /// [`Error::NoDice`] for a zero.
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

    /// Whether the defender may throw more dice than the attacker, in battles.
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

    /// The sides of the attacker's and the defender's dice.
    ///
    /// # Errors
    /// [`Error::NoSides`] for a zero.
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

    /// Who wins a pair of equal dice.
    ///
    /// # Examples
    /// See [`Side`].
    #[must_use]
    pub fn ties_to(mut self, side: Side) -> Self {
        self.ties_to = side;
        self
    }

    /// Points added to the attacker's dice once they are sorted: to the
    /// highest, the second, and so on. Dice beyond the list get nothing;
    /// numbers beyond the dice are for throws of more dice.
    ///
    /// Nothing is clamped or sorted again: a 6 with a bonus is a 7, as in
    /// Georgiou's section 7. (Some editions clamp and sort again, which gives
    /// other numbers.)
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
    #[doc(alias = "hero")]
    pub fn attack_bonus(mut self, by_rank: impl Into<Vec<i32>>) -> Self {
        self.attack_bonus = by_rank.into();
        self
    }

    /// Points added to the defender's sorted dice; see
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
    #[doc(alias = "fortress")]
    pub fn defence_bonus(mut self, by_rank: impl Into<Vec<i32>>) -> Self {
        self.defence_bonus = by_rank.into();
        self
    }

    /// The throw when both sides use as many dice as they may.
    ///
    /// # Errors
    /// [`Error::NoDice`] if a side has no units.
    ///
    /// # Examples
    /// See [`Rules::standard`].
    pub fn throw(&self, attackers: u32, defenders: u32) -> Result<Throw, Error> {
        let (attack, defence) = self.dice(attackers, defenders);
        Ok(Throw::new(attack, defence)?.rules(self.clone()))
    }

    pub(crate) fn dice(&self, attackers: u32, defenders: u32) -> (u32, u32) {
        let attack = attackers.min(self.max_attack);
        let allowed = match self.defence_may_outnumber {
            true => self.max_defence,
            false => self.max_defence.min(attack),
        };
        (attack, defenders.min(allowed))
    }
}

pub(crate) fn check_dice(attack: u32, defence: u32) -> Result<(), Error> {
    let both = [(attack, Side::Attacker), (defence, Side::Defender)];
    match both.into_iter().find(|&(dice, _)| dice == 0) {
        Some((_, side)) => Err(Error::NoDice { side }),
        None => Ok(()),
    }
}
