//! The attackers, and the manner in which several foes fight.

use crate::{Damage, Foe};

/// A foe in a melee, with damage of its own if it differs from that of the rules.
///
/// Wherever attackers are expected, plain [`Foe`]s can be given.
///
/// # Examples
/// An ogre that takes 3 with every blow (2 if the hero is lucky, 4 if unlucky):
/// ```
/// use oddsmith_fightingfantasy::{Attacker, Damage, Foe, Hero, Melee};
///
/// let ogre = Attacker::new(Foe::new(8, 7)?).wound(Damage::new(3, 2, 4));
/// let goblin = Attacker::new(Foe::new(5, 4)?);
/// let melee = Melee::at_once(Hero::new(9, 18, 8)?, [ogre, goblin])?;
/// assert_eq!(format!("{:.4}", melee.best_f64()?.value()), "0.9535");
/// assert_eq!(ogre.foe().skill(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Attacker {
    foe: Foe,
    #[cfg_attr(feature = "serde", serde(default))]
    wound: Option<Damage>,
}

impl Attacker {
    /// Creates an attacker whose blows have the damage of the rules.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Attacker, Foe, Hero, Melee};
    /// let ogre = Foe::new(10, 2)?;
    /// assert_eq!(Attacker::new(ogre), Attacker::from(ogre));
    /// // One hit wins, and the hero survives one wound of 2.
    /// let melee = Melee::in_turn(Hero::new(10, 4, 0)?, [Attacker::new(ogre)])?;
    /// assert_eq!(melee.without_luck()?.to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(foe: Foe) -> Self {
        Attacker { foe, wound: None }
    }

    /// Sets the damage of this attacker's blows.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Attacker, Damage, Foe, Hero, Melee};
    /// // One hit wins, but this foe's first wound of 4 kills.
    /// let giant = Attacker::new(Foe::new(10, 2)?).wound(Damage::new(4, 3, 5));
    /// let melee = Melee::in_turn(Hero::new(10, 4, 0)?, [giant])?;
    /// assert_eq!(melee.without_luck()?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn wound(mut self, damage: Damage) -> Self {
        self.wound = Some(damage);
        self
    }

    /// Returns the foe.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Attacker, Foe};
    /// let ogre = Attacker::new(Foe::new(8, 7)?);
    /// assert_eq!((ogre.foe().skill(), ogre.foe().stamina()), (8, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn foe(&self) -> Foe {
        self.foe
    }

    /// Returns the damage of this attacker's blows, or `None` for that of the rules.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Attacker, Damage, Foe};
    /// let plain = Attacker::new(Foe::new(8, 7)?);
    /// assert_eq!(plain.own_wound(), None);
    /// assert_eq!(plain.wound(Damage::WOUND).own_wound(), Some(Damage::WOUND));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn own_wound(&self) -> Option<Damage> {
        self.wound
    }
}

impl From<Foe> for Attacker {
    fn from(foe: Foe) -> Self {
        Attacker::new(foe)
    }
}

/// The manner in which several foes fight.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{AtOnce, Foe, Hero, Manner, Melee};
///
/// let orcs = [Foe::new(6, 5)?, Foe::new(7, 6)?];
/// let melee = Melee::at_once(Hero::new(9, 12, 0)?, orcs)?;
/// assert_eq!(format!("{:.4}", melee.best_f64()?.value()), "0.9349");
/// assert_eq!(format!("{:.4}", melee.manner(Manner::InTurn).best_f64()?.value()), "0.9799");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Manner {
    /// One after the other, in the listed order. STAMINA and LUCK carry over.
    InTurn,
    /// All together.
    AtOnce(AtOnce),
}

impl From<AtOnce> for Manner {
    fn from(rule: AtOnce) -> Self {
        Manner::AtOnce(rule)
    }
}

/// The manner in which foes attack all at once.
///
/// By the [`standard`](AtOnce::standard) rule, each round begins with the hero's choice of a
/// target. The exchange with the target is an ordinary attack round. Then every other living foe,
/// in the listed order, rolls against a new roll of the hero: if the foe wins, it wounds the hero;
/// otherwise its blow is parried, and it cannot be hurt. LUCK may be tested on every wound and hit
/// at once, before the later foes roll.
///
/// The listed order of attacks makes no difference with two foes (the target comes first anyway) or
/// without LUCK, and little otherwise, since it only affects what is known when LUCK is at stake.
/// SKILL 10, STAMINA 4, LUCK 9 against 6/2, 8/1 and 10/2 wins with 0.61225, and against the same
/// foes in reverse order with 0.61194.
///
/// Books and programs differ, so each setter changes one point.
///
/// # Examples
/// The value of choosing the target:
/// ```
/// use oddsmith_fightingfantasy::{AtOnce, Foe, Hero, Melee};
///
/// let foes = [Foe::new(8, 10)?, Foe::new(9, 4)?];
/// let melee = Melee::at_once(Hero::new(10, 12, 6)?, foes)?;
/// assert_eq!(format!("{:.4}", melee.best_f64()?.value()), "0.8102");
/// let listed = AtOnce::standard().targets_in_order();
/// assert_eq!(format!("{:.4}", melee.manner(listed).best_f64()?.value()), "0.6005");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct AtOnce {
    pub(super) in_order: bool,
    pub(super) fall_ends_round: bool,
    pub(super) one_roll: bool,
}

impl AtOnce {
    /// Returns the usual rule of the books, as described at [`AtOnce`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{AtOnce, Foe, Hero, Melee};
    /// let pair = [Foe::new(8, 2)?, Foe::new(8, 2)?];
    /// let melee = Melee::at_once(Hero::new(8, 2, 0)?, pair)?;
    /// // With w a won, d a drawn, l a lost round out of 1296: first hit one of
    /// // the two unhurt by either, then win the duel that is left.
    /// let (w, d, l) = (575_f64, 146_f64, 575_f64);
    /// let first = w * (w + d) / (1296.0 * 1296.0 - d * (w + d));
    /// assert!((melee.best_f64()?.value() - first * w / (w + l)).abs() < 1e-12);
    /// let in_turn = Melee::in_turn(Hero::new(8, 2, 0)?, pair)?;
    /// assert_eq!(in_turn.manner(AtOnce::standard()).best_f64()?.value(), melee.best_f64()?.value());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standard() -> Self {
        AtOnce::default()
    }

    /// Makes the hero always attack the first foe that lives.
    ///
    /// # Examples
    /// The first foe is harmless and is certain to be hit. Meanwhile the second attacks:
    /// ```
    /// use oddsmith_fightingfantasy::{AtOnce, Foe, Hero, Melee};
    /// let pair = [Foe::new(-10, 2)?, Foe::new(10, 2)?];
    /// let melee = Melee::at_once(Hero::new(10, 2, 0)?, pair)?;
    /// assert_eq!(melee.without_luck()?.to_string(), "1/2");
    /// let listed = melee.manner(AtOnce::standard().targets_in_order());
    /// assert_eq!(listed.without_luck()?.to_string(), "721/2592"); // 721/1296 · 1/2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn targets_in_order(mut self) -> Self {
        self.in_order = true;
        self
    }

    /// Ends the round when the target falls, so that the others do not attack in it any more.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{AtOnce, Foe, Hero, Melee};
    /// let pair = [Foe::new(8, 2)?, Foe::new(8, 2)?];
    /// let melee = Melee::at_once(Hero::new(8, 2, 0)?, pair)?
    ///     .manner(AtOnce::standard().fall_ends_round());
    /// let (w, d, l) = (575_f64, 146_f64, 575_f64);
    /// let first = w * 1296.0 / (1296.0 * 1296.0 - d * (w + d));
    /// assert!((melee.best_f64()?.value() - first * w / (w + l)).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fall_ends_round(mut self) -> Self {
        self.fall_ends_round = true;
        self
    }

    /// Compares every foe with a single roll of the hero per round. The hero sees the roll before
    /// the first blow falls, and so knows how dangerous the foes still to roll are when deciding on
    /// LUCK.
    ///
    /// This is supported for two six-sided dice only.
    ///
    /// # Examples
    /// A good roll is then good against all foes, and a bad one bad against all:
    /// ```
    /// use oddsmith_fightingfantasy::{AtOnce, Foe, Hero, Melee};
    /// let orcs = [Foe::new(6, 5)?, Foe::new(7, 6)?];
    /// let melee = Melee::at_once(Hero::new(9, 12, 8)?, orcs)?;
    /// assert_eq!(format!("{:.4}", melee.best_f64()?.value()), "0.9703");
    /// let one = AtOnce::standard().one_roll();
    /// assert_eq!(format!("{:.4}", melee.manner(one).best_f64()?.value()), "0.9624");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn one_roll(mut self) -> Self {
        self.one_roll = true;
        self
    }
}
