//! Opponents in combat.

/// A foe, as a book describes it.
///
/// # Examples
/// A Helghast, against which ordinary weapons and Mindblast have no effect:
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
    /// The name; not blank.
    pub name: String,
    /// COMBAT SKILL.
    pub combat_skill: u8,
    /// ENDURANCE, 1 to 100.
    pub endurance: u8,
    /// Whether the Sommerswerd does double damage.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub undead: bool,
    /// Whether Mindblast has no effect.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub immune_to_mindblast: bool,
    /// Whether it attacks with Mindblast, which costs 2 ENDURANCE a round without Mindshield.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub mindblast: bool,
    /// Whether no weapon can be used against it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub bare_handed: bool,
    /// Whether every point it loses counts twice, whatever the weapon.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub double_damage: bool,
    /// A modifier of Lone Wolf's COMBAT SKILL in this combat.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "nothing"))]
    pub bonus: i8,
    /// The number of rounds for which the modifier holds; all rounds by default.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub bonus_rounds: Option<u8>,
    /// The number of rounds at the beginning in which Lone Wolf loses nothing.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "zero"))]
    pub unhurt_rounds: u8,
    /// Whether another foe follows at once, in the section to which a victory leads. A potion of
    /// strength stays effective there.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "no"))]
    pub continued: bool,
    /// The section to which a loss leads, if this is a trial of strength. Nobody dies in a trial of
    /// strength, and ENDURANCE is not changed by it.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub contest: Option<u16>,
}

impl Foe {
    /// Creates a foe without special rules.
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
