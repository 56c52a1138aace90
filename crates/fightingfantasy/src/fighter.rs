//! The fighters: the hero and the foe.

use std::fmt;

use crate::Error;

/// The adventurer: SKILL, STAMINA and LUCK.
///
/// SKILL may be any integer, since weapons and curses change it. STAMINA is at least 1 and LUCK at
/// least 0. In the books, heroes start with at most 12/24/12.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Error, Hero};
///
/// let hero = Hero::new(12, 24, 12)?;
/// assert_eq!((hero.skill(), hero.stamina(), hero.luck()), (12, 24, 12));
/// assert_eq!(Hero::new(12, 24, -1), Err(Error::Luck { given: -1, limit: 65_535 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "HeroParts", into = "HeroParts"))]
pub struct Hero {
    skill: i32,
    stamina: u16,
    luck: u16,
}

/// A monster: SKILL and STAMINA.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Foe;
///
/// let white_dragon = Foe::new(15, 22)?;
/// assert_eq!((white_dragon.skill(), white_dragon.stamina()), (15, 22));
/// assert!(Foe::new(15, 0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "FoeParts", into = "FoeParts"))]
pub struct Foe {
    skill: i32,
    stamina: u16,
}

/// A deserialized hero, not yet validated.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct HeroParts {
    skill: i32,
    stamina: i64,
    luck: i64,
}

/// A deserialized foe, not yet validated.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct FoeParts {
    skill: i32,
    stamina: i64,
}

#[cfg(feature = "serde")]
impl TryFrom<HeroParts> for Hero {
    type Error = Error;

    fn try_from(parts: HeroParts) -> Result<Self, Error> {
        Hero::new(parts.skill, parts.stamina, parts.luck)
    }
}

#[cfg(feature = "serde")]
impl From<Hero> for HeroParts {
    fn from(hero: Hero) -> Self {
        HeroParts {
            skill: hero.skill,
            stamina: hero.stamina.into(),
            luck: hero.luck.into(),
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<FoeParts> for Foe {
    type Error = Error;

    fn try_from(parts: FoeParts) -> Result<Self, Error> {
        Foe::new(parts.skill, parts.stamina)
    }
}

#[cfg(feature = "serde")]
impl From<Foe> for FoeParts {
    fn from(foe: Foe) -> Self {
        FoeParts {
            skill: foe.skill,
            stamina: foe.stamina.into(),
        }
    }
}

impl Hero {
    /// Creates a hero with this SKILL, STAMINA and LUCK.
    ///
    /// # Errors
    /// [`Error::NoStamina`] for STAMINA 0; [`Error::Stamina`] and [`Error::Luck`] for values below
    /// 0 or above 65,535.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Error, Hero};
    /// assert_eq!(Hero::new(10, 18, 9)?.to_string(), "SKILL 10, STAMINA 18, LUCK 9");
    /// assert_eq!(Hero::new(10, 0, 9), Err(Error::NoStamina { who: "hero" }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(skill: i32, stamina: i64, luck: i64) -> Result<Self, Error> {
        Ok(Hero {
            skill,
            stamina: stamina_of("hero", stamina)?,
            luck: u16::try_from(luck).map_err(|_| Error::Luck {
                given: luck,
                limit: u16::MAX,
            })?,
        })
    }

    /// Returns the hero's SKILL.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// let cursed = Hero::new(-1, 18, 9)?;
    /// assert_eq!(cursed.skill(), -1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skill(&self) -> i32 {
        self.skill
    }

    /// Returns the hero's STAMINA, at least 1.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// assert_eq!(Hero::new(10, 18, 9)?.stamina(), 18);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stamina(&self) -> u16 {
        self.stamina
    }

    /// Returns the hero's LUCK.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// assert_eq!(Hero::new(10, 18, 9)?.luck(), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn luck(&self) -> u16 {
        self.luck
    }
}

impl Foe {
    /// Creates a foe with this SKILL and STAMINA.
    ///
    /// # Errors
    /// [`Error::NoStamina`] for STAMINA 0; [`Error::Stamina`] for values below 0 or above 65,535.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Error, Foe};
    /// assert_eq!(Foe::new(14, 12)?.to_string(), "SKILL 14, STAMINA 12");
    /// let error = Foe::new(14, -3).err();
    /// assert_eq!(error, Some(Error::Stamina { who: "foe", given: -3, limit: 65_535 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(skill: i32, stamina: i64) -> Result<Self, Error> {
        Ok(Foe {
            skill,
            stamina: stamina_of("foe", stamina)?,
        })
    }

    /// Returns the foe's SKILL.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Foe;
    /// assert_eq!(Foe::new(14, 12)?.skill(), 14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skill(&self) -> i32 {
        self.skill
    }

    /// Returns the foe's STAMINA, at least 1.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Foe;
    /// assert_eq!(Foe::new(14, 12)?.stamina(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stamina(&self) -> u16 {
        self.stamina
    }
}

/// ```
/// use oddsmith_fightingfantasy::Hero;
///
/// assert_eq!(Hero::new(10, 18, 9)?.to_string(), "SKILL 10, STAMINA 18, LUCK 9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Hero {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Hero {
            skill,
            stamina,
            luck,
        } = self;
        write!(f, "SKILL {skill}, STAMINA {stamina}, LUCK {luck}")
    }
}

/// ```
/// use oddsmith_fightingfantasy::Foe;
///
/// assert_eq!(Foe::new(14, 12)?.to_string(), "SKILL 14, STAMINA 12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Foe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Foe { skill, stamina } = self;
        write!(f, "SKILL {skill}, STAMINA {stamina}")
    }
}

fn stamina_of(who: &'static str, given: i64) -> Result<u16, Error> {
    match u16::try_from(given) {
        Ok(0) => Err(Error::NoStamina { who }),
        Ok(stamina) => Ok(stamina),
        Err(_) => Err(Error::Stamina {
            who,
            given,
            limit: u16::MAX,
        }),
    }
}
