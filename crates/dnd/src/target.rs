//! Targets of attacks and effects.

use std::collections::BTreeMap;

use oddsmith_dice::Dist;

use crate::{Ability, Cover, D20, Defenses, Error, SavingThrow};

/// The properties of a target: armour class, cover, defences and saving throws.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, Cover, Target};
///
/// let bow = Attack::new("Longbow")?.to_hit(9).damage("1d8 + 4 piercing".parse()?);
/// let target = Target::new(15);
/// assert_eq!(bow.law(&target)?.mean().to_string(), "33/5");
/// assert_eq!(bow.law(&target.cover(Cover::Half))?.mean().to_string(), "23/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Target {
    ac: i64,
    #[cfg_attr(feature = "serde", serde(default))]
    cover: Cover,
    #[cfg_attr(feature = "serde", serde(default))]
    defenses: Defenses,
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::serde::each_once")
    )]
    saves: BTreeMap<Ability, i64>,
    #[cfg_attr(feature = "serde", serde(default))]
    save_die: D20,
    #[cfg_attr(feature = "serde", serde(default))]
    save_dice: Option<Dist<i64>>,
    #[cfg_attr(feature = "serde", serde(default))]
    halfling_luck: bool,
    #[cfg_attr(feature = "serde", serde(default))]
    evasion: bool,
}

impl Target {
    /// Creates a target with this armour class, without cover, that takes all damage and adds
    /// nothing to saving throws.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::Target::new(15).ac(), 15);
    /// ```
    #[must_use]
    pub fn new(ac: i64) -> Self {
        Target {
            ac,
            cover: Cover::None,
            defenses: Defenses::default(),
            saves: BTreeMap::new(),
            save_die: D20::Plain,
            save_dice: None,
            halfling_luck: false,
            evasion: false,
        }
    }

    /// Sets the armour class.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Target;
    ///
    /// assert_eq!(Target::new(15).with_ac(18), Target::new(18));
    /// ```
    #[must_use]
    pub fn with_ac(mut self, ac: i64) -> Self {
        self.ac = ac;
        self
    }

    /// Puts it behind cover, which counts for attacks and for Dexterity saving throws.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Cover, Target};
    ///
    /// let hidden = Target::new(15).cover(Cover::ThreeQuarters);
    /// let save = hidden.saving_throw(Ability::Dexterity, 15)?;
    /// assert_eq!(save.success().to_string(), "11/20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cover(mut self, cover: Cover) -> Self {
        self.cover = cover;
        self
    }

    /// Sets its resistances, immunities and the like.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, DamageType, Defenses, Target};
    ///
    /// let sword = Attack::new("Sword")?.damage("9 slashing".parse()?);
    /// let golem = Target::new(11).defenses(Defenses::new().resistant(DamageType::Slashing));
    /// assert_eq!(sword.law(&golem)?.support(), [0, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn defenses(mut self, defenses: Defenses) -> Self {
        self.defenses = defenses;
        self
    }

    /// Sets its bonus to saving throws of an ability. The default is 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Target};
    ///
    /// let priest = Target::new(13).save(Ability::Wisdom, 5);
    /// assert_eq!(priest.saving_throw(Ability::Wisdom, 16)?.success().to_string(), "1/2");
    /// assert_eq!(priest.saving_throw(Ability::Strength, 16)?.success().to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(mut self, ability: Ability, bonus: i64) -> Self {
        self.saves.insert(ability, bonus);
        self
    }

    /// Sets advantage or disadvantage on saving throws, such as by Magic Resistance.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, D20, Target};
    ///
    /// let demon = Target::new(15).save_die(D20::Advantage);
    /// assert_eq!(demon.saving_throw(Ability::Wisdom, 11)?.success().to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "magic resistance")]
    pub fn save_die(mut self, die: D20) -> Self {
        self.save_die = die;
        self
    }

    /// Sets bonus dice on saving throws, such as those of bless or bane.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Ability, Target};
    ///
    /// let cursed = Target::new(15).save_dice(Dist::parse("-1d4")?);
    /// assert_eq!(cursed.saving_throw(Ability::Wisdom, 11)?.success().to_string(), "3/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save_dice(mut self, dice: Dist<i64>) -> Self {
        self.save_dice = Some(dice);
        self
    }

    /// Makes it a lucky halfling for saving throws; see [`D20::halfling_luck`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Target};
    ///
    /// let frodo = Target::new(15).halfling_luck();
    /// assert_eq!(frodo.saving_throw(Ability::Wisdom, 11)?.success().to_string(), "21/40");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn halfling_luck(mut self) -> Self {
        self.halfling_luck = true;
        self
    }

    /// Gives it Evasion: if a Dexterity saving throw halves the damage, a success leaves none of it
    /// and a failure half.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, SaveEffect, Target};
    ///
    /// let fireball = SaveEffect::new("Fireball", Ability::Dexterity, 11)?
    ///     .damage("8d6 fire".parse()?);
    /// let rogue = Target::new(15);
    /// assert_eq!(fireball.law(&rogue)?.max(), &48);
    /// assert_eq!(fireball.law(&rogue.evasion())?.max(), &24);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn evasion(mut self) -> Self {
        self.evasion = true;
        self
    }

    /// Returns the armour class, without cover.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Cover, Target};
    ///
    /// assert_eq!(Target::new(15).cover(Cover::Half).ac(), 15); // attacks meet 17
    /// ```
    #[must_use]
    pub fn ac(&self) -> i64 {
        self.ac
    }

    /// Returns its saving throw of this ability against this DC.
    ///
    /// # Errors
    /// [`Error::TotalCover`] if no effect gets through; [`Error::Dice`] if the dice do not fit 64
    /// bits.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Cover, SavingThrow, Target};
    ///
    /// let dwarf = Target::new(13).save(Ability::Constitution, 3);
    /// let throw = dwarf.saving_throw(Ability::Constitution, 12)?;
    /// assert_eq!(throw, SavingThrow::new(12, 3));
    /// assert_eq!(throw.failure().to_string(), "2/5"); // 1 to 8
    /// assert!(dwarf.cover(Cover::Total).saving_throw(Ability::Constitution, 12).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn saving_throw(&self, ability: Ability, dc: i64) -> Result<SavingThrow, Error> {
        let bonus = self.saves.get(&ability).copied().unwrap_or(0);
        let mut save = SavingThrow::new(dc, bonus).die(self.save_die);
        if self.halfling_luck {
            save = save.halfling_luck();
        }
        if let Some(dice) = &self.save_dice {
            save = save.bonus_dice(dice)?;
        }
        save.cover(match (ability, self.cover) {
            (Ability::Dexterity, cover) => cover,
            (_, Cover::Total) => Cover::Total,
            _ => Cover::None,
        })
    }

    pub(crate) fn covered(&self) -> Cover {
        self.cover
    }

    pub(crate) fn taking(&self) -> &Defenses {
        &self.defenses
    }

    pub(crate) fn evades(&self) -> bool {
        self.evasion
    }
}
