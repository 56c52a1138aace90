//! How much of the damage dealt to it a creature takes.

use std::collections::{BTreeMap, BTreeSet};

use crate::DamageType;

/// The resistances, vulnerabilities, immunities and flat reductions of a creature, by type of
/// damage.
///
/// For each type in one hit, the order is: dice and flat bonuses, at least 0; half after a
/// successful saving throw, rounded down; the flat reduction, down to 0; half by resistance,
/// rounded down; twice by vulnerability (Player's Handbook 2014, chapter 9, "Damage Resistance and
/// Vulnerability"; Player's Handbook 2024, chapter 1, "Order of Application"). Several resistances
/// to a type count once. Immunity leaves nothing, whatever else applies to the type. Damage without
/// a type is taken in full.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{DamageType, Defenses};
///
/// let troll = Defenses::new()
///     .resistant(DamageType::Cold)
///     .vulnerable(DamageType::Cold)
///     .reduced(DamageType::Cold, 5);
/// assert_eq!(troll.taken(Some(&DamageType::Cold), 30), 24); // 30 − 5, halved down, doubled
/// assert_eq!(troll.taken(Some(&DamageType::Fire), 30), 30);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Defenses {
    resistances: BTreeSet<DamageType>,
    vulnerabilities: BTreeSet<DamageType>,
    immunities: BTreeSet<DamageType>,
    /// A reduction that overflows 64 bits removes all possible damage.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serde::each_once"))]
    reductions: BTreeMap<DamageType, u64>,
    no_critical_hits: bool,
}

impl Defenses {
    /// Creates defences that change nothing.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::Defenses::new().taken(None, 7), 7);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Defenses::default()
    }

    /// Adds a resistance: half of this type, rounded down.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{DamageType, Defenses};
    ///
    /// let imp = Defenses::new().resistant(DamageType::Cold);
    /// assert_eq!(imp.taken(Some(&DamageType::Cold), 7), 3);
    /// ```
    #[must_use]
    pub fn resistant(mut self, to: DamageType) -> Self {
        self.resistances.insert(to);
        self
    }

    /// Adds a vulnerability: twice as much of this type.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{DamageType, Defenses};
    ///
    /// let mummy = Defenses::new().vulnerable(DamageType::Fire);
    /// assert_eq!(mummy.taken(Some(&DamageType::Fire), 7), 14);
    /// ```
    #[must_use]
    pub fn vulnerable(mut self, to: DamageType) -> Self {
        self.vulnerabilities.insert(to);
        self
    }

    /// Adds an immunity: nothing of this type, whatever else applies to it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{DamageType, Defenses};
    ///
    /// let golem = Defenses::new()
    ///     .immune(DamageType::Poison)
    ///     .resistant(DamageType::Poison);
    /// assert_eq!(golem.taken(Some(&DamageType::Poison), 7), 0);
    /// ```
    #[must_use]
    pub fn immune(mut self, to: DamageType) -> Self {
        self.immunities.insert(to);
        self
    }

    /// Adds a reduction of this type by a fixed number per hit, before resistance, such as Heavy
    /// Armor Master. Several reductions of a type add up.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{DamageType, Defenses};
    ///
    /// let master = Defenses::new().reduced(DamageType::Slashing, 3);
    /// assert_eq!(master.taken(Some(&DamageType::Slashing), 7), 4);
    /// assert_eq!(master.taken(Some(&DamageType::Slashing), 2), 0);
    /// ```
    #[must_use]
    pub fn reduced(mut self, of: DamageType, by: u32) -> Self {
        let reduction = self.reductions.entry(of).or_default();
        *reduction = reduction.saturating_add(by.into());
        self
    }

    /// Makes critical hits count as normal hits, as adamantine armour does.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Defenses, Target};
    ///
    /// let axe = Attack::new("Axe")?.to_hit(5).damage("1d12".parse()?);
    /// let knight = Target::new(15).defenses(Defenses::new().without_critical_hits());
    /// assert_eq!(axe.law(&knight)?.max(), &12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "adamantine")]
    pub fn without_critical_hits(mut self) -> Self {
        self.no_critical_hits = true;
        self
    }

    /// Returns how much is taken when this much damage of this type is dealt in one hit. Negative
    /// damage counts as 0. In this function alone, a result that does not fit 64 bits is the
    /// largest number; everywhere else it is an error.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{DamageType, Defenses};
    ///
    /// let salamander = Defenses::new().resistant(DamageType::Fire);
    /// assert_eq!(salamander.taken(Some(&DamageType::Fire), 9), 4);
    /// assert_eq!(salamander.taken(None, 9), 9);
    /// assert_eq!(salamander.taken(None, -3), 0);
    /// ```
    #[must_use]
    pub fn taken(&self, of: Option<&DamageType>, dealt: i64) -> i64 {
        let taken = self.of(of).taken(dealt.into());
        i64::try_from(taken).unwrap_or(i64::MAX)
    }

    pub(crate) fn of(&self, of: Option<&DamageType>) -> Taking {
        let Some(of) = of else {
            return Taking::default();
        };
        Taking {
            reduction: self.reductions.get(of).copied().unwrap_or(0).into(),
            resistant: self.resistances.contains(of),
            vulnerable: self.vulnerabilities.contains(of),
            immune: self.immunities.contains(of),
        }
    }

    pub(crate) fn allow_critical_hits(&self) -> bool {
        !self.no_critical_hits
    }
}

/// What becomes of one type of damage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taking {
    reduction: i128,
    resistant: bool,
    vulnerable: bool,
    immune: bool,
}

impl Taking {
    pub(crate) fn taken(self, dealt: i128) -> i128 {
        if self.immune {
            return 0;
        }
        let mut damage = (dealt - self.reduction).max(0);
        if self.resistant {
            damage /= 2;
        }
        if self.vulnerable {
            damage *= 2;
        }
        damage
    }
}
