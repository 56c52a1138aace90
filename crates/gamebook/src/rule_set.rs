//! The rules of a book, as data.

use oddsmith_fightingfantasy::LuckTest;

/// The rules of a book, and the roles of its stats.
///
/// The stat named by `stamina` must be on the sheet. Those for fights, shops and LUCK in battle are
/// needed only if the book has them. SKILL and STAMINA must be different stats, and if LUCK may be
/// tested in battle, LUCK must be a third one.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::LuckTest;
/// use oddsmith_gamebook::RuleSet;
/// let rules = RuleSet { test: LuckTest::Below, ..RuleSet::default() };
/// assert_eq!((rules.stamina.as_str(), rules.hit, rules.refresh_options), ("stamina", 2, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct RuleSet {
    /// The game system whose rules apply.
    pub system: System,
    /// The stat used to attack.
    pub skill: String,
    /// The stat whose holder is dead at 0 or less.
    pub stamina: String,
    /// The stat of which a test costs a point.
    pub luck: String,
    /// The stat used as money in shops.
    pub money: String,
    /// When a test succeeds: `"at_most"` or `"below"`.
    pub test: LuckTest,
    /// The STAMINA that the hero's hits take.
    pub hit: u16,
    /// Whether LUCK may be tested on the blows of a fight.
    ///
    /// A blow that takes n STAMINA from a foe takes n + 2 if the hero is lucky and n − 1 if not. A
    /// blow that takes n from the hero takes n − 1 if lucky and n + 1 if not. Each test costs a
    /// point of LUCK, and there must be one to spend: LUCK must be above 0 and above its floor.
    /// Blows that take nothing, hazards and the cost of running offer no test. With this rule,
    /// fights are played blow by blow; see [`Move::TestLuck`](crate::Move::TestLuck).
    pub luck_in_battle: bool,
    /// Where refreshments may be taken, unless a section says otherwise.
    pub refresh: RefreshAt,
    /// How many options of a choice must be open for refreshments. Even with 0, a reader without an
    /// open option is stuck.
    pub refresh_options: u16,
}

impl Default for RuleSet {
    fn default() -> Self {
        RuleSet {
            system: System::default(),
            skill: "skill".to_owned(),
            stamina: "stamina".to_owned(),
            luck: "luck".to_owned(),
            money: "gold".to_owned(),
            test: LuckTest::default(),
            hit: 2,
            luck_in_battle: false,
            refresh: RefreshAt::default(),
            refresh_options: 2,
        }
    }
}

impl RuleSet {
    /// Returns these rules with changes applied.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{RuleChanges, RuleSet};
    /// let rules = RuleSet::default().changed(RuleChanges { hit: Some(4), ..RuleChanges::default() });
    /// assert_eq!((rules.hit, rules.refresh_options), (4, 2));
    /// ```
    #[must_use]
    pub fn changed(self, changes: RuleChanges) -> Self {
        RuleSet {
            system: changes.system.unwrap_or(self.system),
            skill: changes.skill.unwrap_or(self.skill),
            stamina: changes.stamina.unwrap_or(self.stamina),
            luck: changes.luck.unwrap_or(self.luck),
            money: changes.money.unwrap_or(self.money),
            test: changes.test.unwrap_or(self.test),
            hit: changes.hit.unwrap_or(self.hit),
            luck_in_battle: changes.luck_in_battle.unwrap_or(self.luck_in_battle),
            refresh: changes.refresh.unwrap_or(self.refresh),
            refresh_options: changes.refresh_options.unwrap_or(self.refresh_options),
        }
    }
}

/// The changes of a [`Variant`](crate::Variant) to the rules of a book. What is not given stays the
/// same.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::LuckTest;
/// use oddsmith_gamebook::{RuleChanges, RuleSet};
///
/// let house = RuleSet { hit: 3, ..RuleSet::default() };
/// let strict = RuleChanges { test: Some(LuckTest::Below), ..RuleChanges::default() };
/// let rules = house.changed(strict);
/// assert_eq!((rules.test, rules.hit), (LuckTest::Below, 3));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct RuleChanges {
    /// [`RuleSet::system`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub system: Option<System>,
    /// [`RuleSet::skill`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub skill: Option<String>,
    /// [`RuleSet::stamina`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub stamina: Option<String>,
    /// [`RuleSet::luck`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub luck: Option<String>,
    /// [`RuleSet::money`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub money: Option<String>,
    /// [`RuleSet::test`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub test: Option<LuckTest>,
    /// [`RuleSet::hit`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub hit: Option<u16>,
    /// [`RuleSet::luck_in_battle`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub luck_in_battle: Option<bool>,
    /// [`RuleSet::refresh`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub refresh: Option<RefreshAt>,
    /// [`RuleSet::refresh_options`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub refresh_options: Option<u16>,
}

#[cfg(feature = "serde")]
impl RuleChanges {
    /// Whether nothing changes.
    pub(crate) fn is_empty(&self) -> bool {
        *self == RuleChanges::default()
    }
}

/// The game system whose rules a book is played by.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{RuleSet, System};
/// assert_eq!(RuleSet::default().system, System::FightingFantasy);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum System {
    /// Two dice and SKILL against two dice and SKILL.
    #[default]
    FightingFantasy,
}

/// Where refreshments may be taken: `"choices"` or `"marked"`.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{RefreshAt, RuleSet};
/// assert_eq!(RuleSet::default().refresh, RefreshAt::Choices);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum RefreshAt {
    /// In sections that are a choice, but not at a choice within an option, a test or a fight.
    #[default]
    Choices,
    /// Only in sections that are a choice and have `refresh = true`.
    Marked,
}
