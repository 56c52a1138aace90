//! What a creature takes of the damage dealt to it.

use std::collections::{BTreeMap, BTreeSet};

use crate::DamageType;

/// Resistances, vulnerabilities, immunities and flat reductions of a creature, by type of
/// damage.
///
/// Of each type in one hit the order is: dice and flat bonuses, at least 0; half after a
/// successful saving throw, rounded down; the flat reduction, down to 0; half by
/// resistance, rounded down; twice by vulnerability (Player's Handbook 2014, chapter 9,
/// "Damage Resistance and Vulnerability"; Player's Handbook 2024, chapter 1, "Order of
/// Application"). Several resistances to a type count once. Immunity leaves nothing,
/// whatever else is said of the type. Damage without a type is taken whole.
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
    /// Whatever fits no 64 bits is all damage there can be.
    reductions: BTreeMap<DamageType, u64>,
    no_critical_hits: bool,
}

impl Defenses {
    /// None at all.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_dnd::Defenses::new().taken(None, 7), 7);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Defenses::default()
    }

    /// Half of this type, rounded down.
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

    /// Twice as much of this type.
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

    /// Nothing of this type, whatever else is said of it.
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

    /// Less of this type by so much a hit, before resistance: Heavy Armor Master. Said
    /// again of a type, it adds up.
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

    /// Critical hits count as hits: adamantine armour.
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

    /// What is left of so much damage of this type in one hit. Less than 0 counts as 0;
    /// what does not fit 64 bits stays at the largest number in this one function, and is
    /// an error in every law.
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
