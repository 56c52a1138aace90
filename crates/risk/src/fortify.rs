//! Where to put reinforcements.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use crate::campaign::nearest;
use crate::{Battle, Error, exact, rows};

/// A distribution of reinforcements, and the chances that it leaves an attacker: in fractions from
/// [`fortify`], or in floats from [`fortify_f64`].
///
/// # Examples
/// Two borders with one against one, and one more unit for each:
/// ```
/// use oddsmith_risk::{Battle, fortify};
///
/// let border = Battle::new(1, 1)?;
/// let fortified = fortify(&[border.clone(), border], 2)?;
/// assert_eq!((fortified.placed(), fortified.spare()), (&[1, 1][..], 0));
/// assert_eq!(fortified.greatest_chance().to_string(), "275/2592"); // one against two
/// assert_eq!(
///     fortified.to_string(),
///     "border 1: 1 more, taken with 10.61 %\nborder 2: 1 more, taken with 10.61 %\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: oddsmith_mdp::written::Written"))
)]
pub struct Fortification<V = BigRational> {
    placed: Vec<u32>,
    spare: u32,
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::values::serialize")
    )]
    chances: Vec<V>,
    relative_error: f64,
}

/// Distributes reinforcements over borders so that the greatest of the attacker's chances is as
/// small as possible. The attacker knows the borders and attacks the weakest.
///
/// Each border is the battle that the attacker can offer there, with the defenders who stand there
/// already. Every border may have its own rules and stop rule.
///
/// The next unit always goes to the weakest border, the first one among equals. This is optimal: to
/// lower the greatest chance, one has to reinforce the weakest border, and no border gets more than
/// it needs for the present greatest chance. There are rules by which one more unit alone does not
/// help; then as many units as help are placed at once, and the result is still optimal.
///
/// # Errors
/// [`Error::NoBorders`] if there are no borders; otherwise as for [`Battle::win`] with all
/// reinforcements at one border.
///
/// # Complexity
/// One exact pass for each border gives its chances with any number of reinforcements; then O(n·b)
/// comparisons for n units and b borders.
///
/// # Examples
/// Twelve, eight and eight attackers face four, three and one defenders; six more defenders come:
/// ```
/// use oddsmith_risk::{Battle, fortify};
///
/// let borders = [Battle::new(12, 4)?, Battle::new(8, 3)?, Battle::new(8, 1)?];
/// let fortified = fortify(&borders, 6)?;
/// assert_eq!(fortified.placed(), [2, 1, 3]);
/// assert_eq!(fortified.weakest(), 0);
/// let chance = num_traits::ToPrimitive::to_f64(fortified.greatest_chance());
/// assert_eq!(chance.map(|chance| format!("{chance:.4}")), Some("0.9335".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "reinforce")]
#[doc(alias = "minimax")]
pub fn fortify(borders: &[Battle], reinforcements: u32) -> Result<Fortification, Error> {
    if borders.is_empty() {
        return Err(Error::NoBorders);
    }
    let columns: Result<Vec<_>, Error> = (borders.iter())
        .map(|border| chances(border, reinforcements))
        .collect();
    let fortified = place(columns?, reinforcements, 0.0);
    Ok(Fortification {
        placed: fortified.placed,
        spare: fortified.spare,
        chances: fortified.chances.into_iter().map(|one| one.exact).collect(),
        relative_error: 0.0,
    })
}

/// Returns [`fortify`] in floats, with a relative error of each chance of at most
/// [`Fortification::relative_error`].
///
/// If borders are equally weak up to rounding, another one than in fractions may get the next unit.
/// The greatest chance is still minimal up to about twice that error. If floats cannot tell chances
/// apart, such as 1 − 10⁻¹⁷ and 1, units that fractions would place may be [to
/// spare](Fortification::spare).
///
/// # Errors
/// [`Error::NoBorders`] if there are no borders; otherwise as for [`Battle::win_f64`] with all
/// reinforcements at one border.
///
/// # Complexity
/// O(A·D) time for each border, then as for [`fortify`].
///
/// # Examples
/// For armies of this size, fractions would take minutes if they were not rejected:
/// ```
/// use oddsmith_risk::{Battle, fortify_f64};
///
/// let borders = [Battle::new(2_000, 2_000)?, Battle::new(1_500, 1_600)?];
/// let fortified = fortify_f64(&borders, 600)?;
/// assert_eq!(fortified.placed(), [396, 204]);
/// assert_eq!(format!("{:.6}", fortified.greatest_chance()), "0.259088");
/// assert!(fortified.relative_error() < 1e-11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fortify_f64(borders: &[Battle], reinforcements: u32) -> Result<Fortification<f64>, Error> {
    if borders.is_empty() {
        return Err(Error::NoBorders);
    }
    let (mut columns, mut error) = (Vec::new(), 0.0_f64);
    for border in borders {
        let reinforced = border.reinforced(reinforcements)?;
        let (chain, frontier) = reinforced.chain_within("the chances at a border")?;
        let (size, mut chances) = (reinforced.size(), Vec::new());
        rows::sweep(&chain, &frontier, size, rows::won, 0.0, |row, values| {
            if row == size.attackers {
                chances.extend(values.iter().skip(border.forces().defenders as usize));
            }
            true
        })?;
        // The battle with the most reinforcements is the longest one, so its bound holds for all.
        error = error.max(reinforced.relative_error());
        columns.push(chances);
    }
    Ok(place(columns, reinforcements, error))
}

/// Places reinforcements, given the chances at each border with 0, 1, 2, … of them.
fn place<V: PartialOrd>(
    columns: Vec<Vec<V>>,
    reinforcements: u32,
    relative_error: f64,
) -> Fortification<V> {
    let mut placed = vec![0; columns.len()];
    let mut spare = reinforcements;
    while spare > 0 {
        let weakest = weakest(&columns, &placed);
        let (column, at) = (&columns[weakest], placed[weakest] as usize);
        // The smallest number that helps at all.
        let more = (1..=spare).find(|&more| column[at + more as usize] < column[at]);
        let Some(more) = more else { break };
        placed[weakest] += more;
        spare -= more;
    }
    let chances = columns.into_iter().zip(&placed);
    Fortification {
        chances: chances
            .filter_map(|(column, &at)| column.into_iter().nth(at as usize))
            .collect(),
        placed,
        spare,
        relative_error,
    }
}

/// A chance of thousands of digits, which is mostly distinguished from others by its first ones.
#[derive(Clone, Debug, PartialEq)]
struct Chance {
    exact: BigRational,
    /// Approximately its binary logarithm.
    log: f64,
}

impl Chance {
    fn new(exact: BigRational) -> Self {
        let log = log_of(exact.numer()) - log_of(exact.denom());
        Chance { exact, log }
    }
}

/// Returns approximately the binary logarithm of a non-negative number.
fn log_of(number: &BigInt) -> f64 {
    let shift = number.bits().saturating_sub(64);
    let first = (number >> shift).to_f64().unwrap_or(0.0);
    first.log2() + shift as f64
}

impl PartialOrd for Chance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // For numbers of a billion digits, the logarithms are off by no more than this.
        match (self.log - other.log).abs() > 1e-5 {
            true => self.log.partial_cmp(&other.log),
            false => {
                let one = self.exact.numer() * other.exact.denom();
                Some(one.cmp(&(other.exact.numer() * self.exact.denom())))
            }
        }
    }
}

/// Returns the attacker's chances with 0, 1, 2, … reinforcements.
fn chances(border: &Battle, reinforcements: u32) -> Result<Vec<Chance>, Error> {
    let reinforced = border.reinforced(reinforcements)?;
    let (chain, frontier, radix) = reinforced.in_fractions("the chances at a border")?;
    let size = reinforced.size();
    let mut chances = Vec::new();
    exact::sweep(
        &chain,
        &radix,
        &frontier,
        size,
        exact::won,
        false,
        |row, values| {
            if row == size.attackers {
                let values = values.iter().skip(border.forces().defenders as usize);
                let mut powers = Vec::new();
                let fractions = values.map(|value| radix.fraction_with(value, &mut powers));
                chances = fractions.map(Chance::new).collect();
            }
            true
        },
    )?;
    Ok(chances)
}

fn weakest<V: PartialOrd>(columns: &[Vec<V>], placed: &[u32]) -> usize {
    let chance = |border: usize| &columns[border][placed[border] as usize];
    let mut weakest = 0;
    for border in 1..columns.len() {
        if chance(border) > chance(weakest) {
            weakest = border;
        }
    }
    weakest
}

impl<V: PartialOrd> Fortification<V> {
    /// Returns the reinforcements of each border.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, fortify};
    ///
    /// let borders = [Battle::new(1, 1)?, Battle::new(3, 1)?];
    /// assert_eq!(fortify(&borders, 1)?.placed(), [0, 1]); // where three may attack
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn placed(&self) -> &[u32] {
        &self.placed
    }

    /// Returns the number of reinforcements that can no longer lower the greatest chance and are
    /// free for other use. There are some only if the weakest border cannot be helped (in floats,
    /// by more than rounding).
    ///
    /// # Examples
    /// An attacker whose dice have no faces to win with needs no defence:
    /// ```
    /// use oddsmith_risk::{Battle, Rules, fortify};
    ///
    /// let blank = Rules::standard().sides(1, 6)?;
    /// assert_eq!(fortify(&[Battle::new(3, 1)?.rules(blank)], 5)?.spare(), 5);
    /// assert_eq!(fortify(&[Battle::new(3, 1)?], 5)?.spare(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn spare(&self) -> u32 {
        self.spare
    }

    /// Returns the attacker's chances at each border, with its reinforcements.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, fortify};
    ///
    /// let fortified = fortify(&[Battle::new(3, 1)?, Battle::new(3, 1)?], 2)?;
    /// assert_eq!(fortified.chances()[1], Battle::new(3, 2)?.win()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chances(&self) -> &[V] {
        &self.chances
    }

    /// Returns the border that is taken most easily, counted from 0; the first one among equals.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, fortify};
    ///
    /// let borders = [Battle::new(1, 2)?, Battle::new(1, 1)?];
    /// assert_eq!(fortify(&borders, 0)?.weakest(), 1); // with one defender
    /// assert_eq!(fortify(&borders, 1)?.weakest(), 0); // with two, as the other
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn weakest(&self) -> usize {
        let mut weakest = 0;
        for (border, chance) in self.chances.iter().enumerate() {
            if *chance > self.chances[weakest] {
                weakest = border;
            }
        }
        weakest
    }

    /// Returns the attacker's chance there. No other distribution makes it smaller.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, fortify};
    ///
    /// let borders = [Battle::new(1, 2)?, Battle::new(1, 1)?];
    /// assert_eq!(fortify(&borders, 0)?.greatest_chance().to_string(), "5/12");
    /// assert_eq!(fortify(&borders, 1)?.greatest_chance().to_string(), "275/2592");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn greatest_chance(&self) -> &V {
        &self.chances[self.weakest()]
    }

    /// Returns a bound on the relative error of each chance; 0 for fractions.
    ///
    /// It is the [bound](Battle::relative_error) of the longest possible battle. As there, chances
    /// below 10⁻²⁸⁰ are taken for 0 on the way, which adds an absolute error of (A + D)·10⁻²⁸⁰.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, fortify, fortify_f64};
    ///
    /// let borders = [Battle::new(12, 4)?, Battle::new(8, 3)?];
    /// assert_eq!(fortify(&borders, 3)?.relative_error(), 0.0);
    /// assert!(fortify_f64(&borders, 3)?.relative_error() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }
}

impl<V: ToPrimitive> fmt::Display for Fortification<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (border, (more, chance)) in self.placed.iter().zip(&self.chances).enumerate() {
            let percent = 100.0 * nearest(chance);
            let border = border + 1;
            writeln!(f, "border {border}: {more} more, taken with {percent:.2} %")?;
        }
        match self.spare {
            0 => Ok(()),
            spare => writeln!(f, "to spare: {spare}"),
        }
    }
}
