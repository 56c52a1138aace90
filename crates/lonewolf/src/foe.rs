//! Who stands in the way.

/// A foe, as a book describes it.
///
/// # Examples
/// A Helghast, of which ordinary weapons and Mindblast are no match:
/// ```
/// use oddsmith_lonewolf::Foe;
///
/// let helghast = Foe {
///     undead: true,
///     immune_to_mindblast: true,
///     mindblast: true,
///     ..Foe::new("Helghast", 22, 30)
/// };
/// assert_eq!(helghast.endurance, 30);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Foe {
    /// What it is called: not blank.
    pub name: String,
    /// Its COMBAT SKILL.
    pub combat_skill: u8,
    /// Its ENDURANCE, 1 to 100.
    pub endurance: u8,
    /// The Sommerswerd does it twice the damage.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub undead: bool,
    /// Mindblast does nothing to it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub immune_to_mindblast: bool,
    /// It attacks with Mindblast: 2 ENDURANCE a round without Mindshield.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub mindblast: bool,
    /// No weapon can be used.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub bare_handed: bool,
    /// Every point counts twice, whatever the weapon.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub double_damage: bool,
    /// What is added to COMBAT SKILL in this combat.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "nothing"))]
    pub bonus: i8,
    /// For how many rounds: all, unless it says so.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub bonus_rounds: Option<u8>,
    /// In the first rounds, so many, Lone Wolf loses nothing.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "zero"))]
    pub unhurt_rounds: u8,
    /// Another foe follows at once, in the section to which a victory leads: a potion of
    /// strength goes on working there.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub continued: bool,
    /// A trial of strength: nobody dies, ENDURANCE is as before, and losing leads to
    /// this section.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub contest: Option<u16>,
}

impl Foe {
    /// A foe about which there is nothing special.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Foe;
    /// let giak = Foe::new("Giak", 15, 20);
    /// assert_eq!((giak.combat_skill, giak.endurance, giak.bonus), (15, 20, 0));
    /// assert!(!giak.undead && giak.contest.is_none());
    /// ```
    #[must_use]
    pub fn new(name: &str, combat_skill: u8, endurance: u8) -> Self {
        Foe {
            name: name.to_owned(),
            combat_skill,
            endurance,
            undead: false,
            immune_to_mindblast: false,
            mindblast: false,
            bare_handed: false,
            double_damage: false,
            bonus: 0,
            bonus_rounds: None,
            unhurt_rounds: 0,
            continued: false,
            contest: None,
        }
    }
}

#[cfg(feature = "serde")]
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
fn no(flag: &bool) -> bool {
    !flag
}

#[cfg(feature = "serde")]
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
fn zero(rounds: &u8) -> bool {
    *rounds == 0
}

#[cfg(feature = "serde")]
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
fn nothing(bonus: &i8) -> bool {
    *bonus == 0
}
