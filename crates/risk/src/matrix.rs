//! All battles up to some size, as a table.

use ndarray::Array2;
use num_rational::BigRational;

use crate::chain::Chain;
use crate::radix::Radix;
use crate::rows::{self, Size};
use crate::stop_rule::Frontier;
use crate::{DEFAULT_WORK, Error, Rules, Side, exact};

/// The quantity that a table contains for each battle.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Measure, Rules, matrix_f64};
///
/// let left = matrix_f64(Measure::AttackersLeft, 10, 10, &Rules::standard())?;
/// assert_eq!(format!("{:.3}", left[[10, 8]]), "3.845"); // of ten against eight
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Measure {
    /// The chance that the attackers win.
    Win,
    /// The chance that they do not win, with all its digits where it is small.
    Lose,
    /// The expected number of attackers left, won or not.
    AttackersLeft,
    /// The expected number of defenders left, held or not.
    DefendersLeft,
    /// The expected number of throws.
    Throws,
}

impl Measure {
    /// Returns the value at the end of a battle.
    fn end(self, attackers: u32, defenders: u32) -> u32 {
        match self {
            Measure::Win => u32::from(defenders == 0),
            Measure::Lose => u32::from(defenders > 0),
            Measure::AttackersLeft => attackers,
            Measure::DefendersLeft => defenders,
            Measure::Throws => 0,
        }
    }

    fn step(self) -> u32 {
        u32::from(self == Measure::Throws)
    }
}

/// Returns the chances to win of all battles up to this many attackers and defenders. The entry
/// `[[attackers, defenders]]` belongs to that battle; row and column 0 are battles that are over.
///
/// This is [`matrix_f64`] with [`Measure::Win`].
///
/// # Errors
/// As for [`matrix_f64`].
///
/// # Examples
/// J. A. Osborne, "Markov chains for the RISK board game revisited" (2003),
/// Table 3:
/// ```
/// use oddsmith_risk::{Rules, win_matrix_f64};
///
/// let win = win_matrix_f64(10, 10, &Rules::standard())?;
/// assert_eq!(win.shape(), [11, 11]);
/// assert_eq!(format!("{:.3} {:.3}", win[[1, 1]], win[[10, 10]]), "0.417 0.568");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn win_matrix_f64(
    max_attackers: u32,
    max_defenders: u32,
    rules: &Rules,
) -> Result<Array2<f64>, Error> {
    matrix_f64(Measure::Win, max_attackers, max_defenders, rules)
}

/// Returns the chances to win of all battles up to a size, as fractions; see [`win_matrix_f64`].
///
/// # Errors
/// As for [`matrix`].
///
/// # Examples
/// ```
/// use oddsmith_risk::{Rules, win_matrix};
///
/// let win = win_matrix(3, 3, &Rules::standard())?;
/// assert_eq!(win[[3, 2]].to_string(), "6610505/10077696");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn win_matrix(
    max_attackers: u32,
    max_defenders: u32,
    rules: &Rules,
) -> Result<Array2<BigRational>, Error> {
    matrix(Measure::Win, max_attackers, max_defenders, rules)
}

/// Returns a measure of all battles up to this many attackers and defenders, each fought to the
/// end. The entry is `[[attackers, defenders]]`, from 0 on. Its relative error is at most that of
/// [`Battle::relative_error`](crate::Battle::relative_error). Chances below 10⁻²⁸⁰ may be replaced
/// by 0; for these, see [`Battle::ln_win`](crate::Battle::ln_win). An entry does not depend on the
/// size of the table.
///
/// # Errors
/// [`Error::NoUnits`] if either number is zero; [`Error::BattleTooLarge`] for more than
/// [`DEFAULT_WORK`] / 8 entries, a gigabyte; [`Error::ThrowsTooLarge`] for throws of too many dice.
///
/// # Complexity
/// O(A·D).
///
/// # Examples
/// ```
/// use oddsmith_risk::{Measure, Rules, matrix_f64};
///
/// let lose = matrix_f64(Measure::Lose, 3, 2, &Rules::standard())?;
/// assert_eq!(lose.shape(), [4, 3]);
/// assert_eq!(format!("{:.4}", lose[[1, 1]]), "0.5833"); // 7/12
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn matrix_f64(
    measure: Measure,
    max_attackers: u32,
    max_defenders: u32,
    rules: &Rules,
) -> Result<Array2<f64>, Error> {
    matrix_f64_within(
        measure,
        max_attackers,
        max_defenders,
        rules,
        DEFAULT_WORK / 8,
    )
}

/// Returns [`matrix_f64`] with a given limit on the entries.
///
/// # Errors
/// As for [`matrix_f64`].
///
/// # Examples
/// ```
/// use oddsmith_risk::{Error, Measure, Rules, matrix_f64_within};
///
/// let refused = matrix_f64_within(Measure::Win, 9, 9, &Rules::standard(), 99);
/// assert!(matches!(refused, Err(Error::BattleTooLarge { work: 100, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn matrix_f64_within(
    measure: Measure,
    max_attackers: u32,
    max_defenders: u32,
    rules: &Rules,
    limit: u64,
) -> Result<Array2<f64>, Error> {
    let size = sized(max_attackers, max_defenders)?;
    size.check("a table", limit)?;
    let chain = Chain::within(max_attackers, max_defenders, rules, limit.max(DEFAULT_WORK))?;
    let end = |attackers, defenders| f64::from(measure.end(attackers, defenders));
    let frontier = Frontier::default();
    let table = rows::table(&chain, &frontier, size, end, measure.step().into())?;
    shaped(size, table)
}

/// Returns a measure of all battles up to this many attackers and defenders, as fractions; see
/// [`matrix_f64`].
///
/// # Errors
/// As for [`matrix_f64`]; a number of several 64-bit words counts as that many entries.
///
/// # Complexity
/// O(A·D) numbers of O(A + D) digits. The denominators are products of known primes; lowest terms
/// are found by trial division.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Measure, Rules, matrix};
///
/// let throws = matrix(Measure::Throws, 2, 2, &Rules::standard())?;
/// assert_eq!(throws[[1, 2]].to_string(), "271/216");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn matrix(
    measure: Measure,
    max_attackers: u32,
    max_defenders: u32,
    rules: &Rules,
) -> Result<Array2<BigRational>, Error> {
    matrix_within(
        measure,
        max_attackers,
        max_defenders,
        rules,
        DEFAULT_WORK / 8,
    )
}

/// Returns [`matrix`] with a given limit on the words.
///
/// # Errors
/// As for [`matrix`].
///
/// # Examples
/// ```
/// use oddsmith_risk::{Measure, Rules, matrix_within};
///
/// let rules = Rules::standard();
/// assert!(matrix_within(Measure::Win, 30, 30, &rules, 1_000).is_err());
/// assert!(matrix_within(Measure::Win, 30, 30, &rules, 20_000).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn matrix_within(
    measure: Measure,
    max_attackers: u32,
    max_defenders: u32,
    rules: &Rules,
    limit: u64,
) -> Result<Array2<BigRational>, Error> {
    let size = sized(max_attackers, max_defenders)?;
    // This is checked before the throws are computed, which may itself take long.
    size.check("an exact table", limit)?;
    let chain = Chain::within(max_attackers, max_defenders, rules, limit.max(DEFAULT_WORK))?;
    let radix = Radix::new(&chain);
    exact::check(&chain, &radix, size, "an exact table", limit)?;
    let mut table = rows::reserved(size.cells())?;
    let frontier = Frontier::default();
    let end = |attackers, defenders| measure.end(attackers, defenders);
    let counted = measure.step() == 1;
    let mut powers = Vec::new();
    exact::sweep(&chain, &radix, &frontier, size, end, counted, |_, row| {
        let fractions = row
            .iter()
            .map(|value| radix.fraction_with(value, &mut powers));
        table.extend(fractions);
        true
    })?;
    shaped(size, table)
}

/// Returns the size of a table.
///
/// # Errors
/// [`Error::NoUnits`] if either number is zero.
pub(crate) fn sized(attackers: u32, defenders: u32) -> Result<Size, Error> {
    for (units, side) in [(attackers, Side::Attacker), (defenders, Side::Defender)] {
        if units == 0 {
            return Err(Error::NoUnits { side });
        }
    }
    Ok(Size::new(attackers, defenders))
}

pub(crate) fn shaped<T>(size: Size, table: Vec<T>) -> Result<Array2<T>, Error> {
    let bytes = (table.len() * size_of::<T>()) as u128;
    let shape = (size.cells() / size.stride(), size.stride());
    // Only a table larger than the address space has the wrong shape.
    Array2::from_shape_vec(shape, table).map_err(|_| Error::NoMemory { bytes })
}
