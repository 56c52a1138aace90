//! The STAMINA a blow takes.

/// The STAMINA a blow takes, without LUCK and with it.
///
/// A `Damage` describes the blows of one side. [`Damage::HIT`] is what the hero does to the foe
/// after a won round, and [`Damage::WOUND`] what the foe does to the hero after a lost one. "Lucky"
/// is always from the point of view of the hero, who alone tests LUCK (paper, Algorithm 1, steps 4
/// and 5).
///
/// ```
/// use oddsmith_fightingfantasy::Damage;
///
/// assert_eq!((Damage::HIT.plain, Damage::HIT.lucky, Damage::HIT.unlucky), (2, 4, 1));
/// assert_eq!((Damage::WOUND.plain, Damage::WOUND.lucky, Damage::WOUND.unlucky), (2, 1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Damage {
    /// The STAMINA taken when LUCK is not tested.
    pub plain: u16,
    /// The STAMINA taken after a successful test of LUCK.
    pub lucky: u16,
    /// The STAMINA taken after a failed test of LUCK.
    pub unlucky: u16,
}

impl Damage {
    /// The hero's blow by the standard rules: 2, or 4 or 1 with LUCK.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::Damage;
    ///
    /// assert_eq!(Damage::HIT, Damage::new(2, 4, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const HIT: Self = Self::new(2, 4, 1);

    /// The foe's blow by the standard rules: 2, or 1 or 3 with LUCK.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::Damage;
    ///
    /// assert_eq!(Damage::WOUND, Damage::new(2, 1, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const WOUND: Self = Self::new(2, 1, 3);

    /// Creates the damage of a blow without LUCK, and with a lucky or unlucky test of it.
    ///
    /// Any numbers are allowed here, and the lucky and the unlucky blow may be 0: it takes nothing,
    /// as in a drawn round. Duels and melees refuse a plain blow of 0
    /// ([`Error::Harmless`](crate::Error::Harmless)), with which saving LUCK could change nothing for
    /// ever.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::Damage;
    ///
    /// // The variant in which a lucky hit takes 3.
    /// let hit = Damage::new(2, 3, 1);
    /// assert_eq!(hit.lucky, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn new(plain: u16, lucky: u16, unlucky: u16) -> Self {
        Self {
            plain,
            lucky,
            unlucky,
        }
    }
}
