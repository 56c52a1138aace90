//! Mean damage by armour class.

use std::cmp::Ordering;
use std::fmt;
use std::ops::RangeInclusive;

use ndarray::Array2;
use num_rational::BigRational;

use crate::turn::{TurnMeans, nearest};
use crate::{Error, Target, Turn};

/// The limit on the rows of a table. More rows than this, requested by mistake, would fill the
/// memory.
const MOST_ROWS: u64 = 10_000;

/// Returns the mean damage of a turn, "damage per round" (DPR), of each build against each armour
/// class. Row i is the i-th armour class, column j the j-th build.
///
/// # Errors
/// [`Error::NoRows`] and [`Error::TooManyRows`] for no armour class or more than 10,000 of them;
/// otherwise as for [`Turn::law`].
///
/// # Complexity
/// The distribution of every attack once per build, whatever the armour classes, and then a few
/// products of integers for each cell.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, Turn, dpr_table};
///
/// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
/// let builds = [Turn::from(sword.clone()), sword.power_attack().into()];
/// let table = dpr_table(5..=30, &builds)?;
/// assert_eq!(table.dim(), (26, 2));
/// assert_eq!(table[[13 - 5, 0]].to_string(), "43/5");
/// assert_eq!(table[[13 - 5, 1]].to_string(), "217/20");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "damage per round")]
pub fn dpr_table(acs: RangeInclusive<i64>, builds: &[Turn]) -> Result<Array2<BigRational>, Error> {
    dpr_table_against(&Target::new(0), acs, builds)
}

/// Computes [`dpr_table`] against a target with more than an armour class: cover, resistances,
/// saving throws. Its own armour class is ignored.
///
/// # Errors
/// As for [`dpr_table`].
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, DamageType, Defenses, Target, dpr_table_against};
///
/// let sword = Attack::new("Flame tongue")?.to_hit(7).damage("2d6 + 4 slashing plus 2d6 fire".parse()?);
/// let devil = Target::new(0).defenses(Defenses::new().immune(DamageType::Fire));
/// let table = dpr_table_against(&devil, 13..=13, &[sword.into()])?;
/// assert_eq!(table[[0, 0]].to_string(), "43/5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dpr_table_against(
    target: &Target,
    acs: RangeInclusive<i64>,
    builds: &[Turn],
) -> Result<Array2<BigRational>, Error> {
    let rows = rows(&acs)?;
    let compiled = builds.iter().map(|turn| TurnMeans::new(turn, target));
    let compiled = compiled.collect::<Result<Vec<_>, _>>()?;
    let mut cells = Vec::with_capacity(rows * builds.len());
    for ac in acs {
        let target = target.clone().with_ac(ac);
        for means in &compiled {
            cells.push(means.mean(&target)?);
        }
    }
    let mut cells = cells.into_iter();
    // There are as many cells as were pushed.
    Ok(Array2::from_shape_simple_fn((rows, builds.len()), || {
        cells.next().unwrap_or_default()
    }))
}

/// Computes [`dpr_table`] in floats: the exact numbers, rounded once.
///
/// # Errors
/// As for [`dpr_table`].
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, Turn, dpr_table_f64};
///
/// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
/// let table = dpr_table_f64(13..=14, &[sword.into()])?;
/// assert_eq!(table[[0, 0]], 8.6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dpr_table_f64(acs: RangeInclusive<i64>, builds: &[Turn]) -> Result<Array2<f64>, Error> {
    Ok(dpr_table(acs, builds)?.map(nearest))
}

/// A comparison of two builds at one armour class.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, Turn, crossover};
///
/// let dagger = Turn::from(Attack::new("Dagger")?.to_hit(5).damage("2".parse()?));
/// let maul = Turn::from(Attack::new("Maul")?.damage("3".parse()?));
/// let row = &crossover(12..=12, &dagger, &maul)?[0];
/// assert_eq!(row.ac, 12);
/// assert_eq!(row.first.to_string(), "7/5"); // 14 in 20 hit for 2
/// assert_eq!(row.second.to_string(), "27/20"); // 9 in 20 hit for 3
/// assert_eq!(row.to_string(), "AC 12: 1.40 against 1.35");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Crossover {
    /// The armour class.
    pub ac: i64,
    /// Mean damage of the first build.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    pub first: BigRational,
    /// Mean damage of the second build.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    pub second: BigRational,
}

impl fmt::Display for Crossover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = [&self.first, &self.second].map(nearest);
        write!(f, "AC {}: {first:.2} against {second:.2}", self.ac)
    }
}

impl Crossover {
    /// Returns which build does more damage: `Greater` if the first one does.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Turn, crossover};
    /// use std::cmp::Ordering::{Equal, Greater, Less};
    ///
    /// let dagger = Turn::from(Attack::new("Dagger")?.to_hit(5).damage("2".parse()?));
    /// let maul = Turn::from(Attack::new("Maul")?.damage("3".parse()?));
    /// let rows = crossover(10..=12, &dagger, &maul)?; // 3/2 each at AC 11
    /// assert_eq!([0, 1, 2].map(|row: usize| rows[row].better()), [Less, Equal, Greater]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn better(&self) -> Ordering {
        self.first.cmp(&self.second)
    }
}

/// Compares two builds for each armour class.
///
/// # Errors
/// As for [`dpr_table`].
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, Turn, crossover};
/// use std::cmp::Ordering;
///
/// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
/// let power = Turn::from(sword.clone().power_attack());
/// let rows = crossover(10..=25, &power, &sword.into())?;
/// assert_eq!((rows[7].ac, rows[7].better()), (17, Ordering::Greater));
/// assert_eq!((rows[8].ac, rows[8].better()), (18, Ordering::Less));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn crossover(
    acs: RangeInclusive<i64>,
    first: &Turn,
    second: &Turn,
) -> Result<Vec<Crossover>, Error> {
    rows(&acs)?;
    let target = Target::new(0);
    let (first, second) = (
        TurnMeans::new(first, &target)?,
        TurnMeans::new(second, &target)?,
    );
    let row = |ac| {
        let target = Target::new(ac);
        Ok(Crossover {
            ac,
            first: first.mean(&target)?,
            second: second.mean(&target)?,
        })
    };
    acs.map(row).collect()
}

/// Returns the armour classes in this range from which on another build is better than at the
/// armour class below. This is where a break-even point is reached or passed, computed exactly.
///
/// A power attack pays below its break-even AC, and often again where both builds hit on a natural
/// 20 only, so there may be several.
///
/// # Errors
/// As for [`dpr_table`].
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Attack, Turn, break_even};
///
/// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
/// let power = Turn::from(sword.clone().power_attack());
/// // Better with −5/+10 up to AC 17, without from 18 on, and with it again from 27 on,
/// // where either way only a natural 20 hits.
/// assert_eq!(break_even(5..=30, &power, &sword.into())?, [18, 27]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn break_even(
    acs: RangeInclusive<i64>,
    first: &Turn,
    second: &Turn,
) -> Result<Vec<i64>, Error> {
    let rows = crossover(acs, first, second)?;
    let changes = rows
        .windows(2)
        .filter(|pair| pair[0].better() != pair[1].better());
    Ok(changes.map(|pair| pair[1].ac).collect())
}

pub(crate) fn rows(acs: &RangeInclusive<i64>) -> Result<usize, Error> {
    let (low, high) = (*acs.start(), *acs.end());
    if acs.is_empty() {
        return Err(Error::NoRows { low, high });
    }
    match high.abs_diff(low) {
        // Never more than fits.
        rows if rows < MOST_ROWS => Ok(rows as usize + 1),
        rows => Err(Error::TooManyRows {
            given: u128::from(rows) + 1,
            limit: MOST_ROWS,
        }),
    }
}
