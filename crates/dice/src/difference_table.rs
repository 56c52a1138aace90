//! Win, draw and loss of an opposed roll as a function of the advantage.

use crate::tail::capped;
use crate::{Dist, Error, Weight};
use num_bigint::BigUint;
use std::fmt;

/// The probabilities of win, draw and loss of one roll against another, for every advantage from
/// `i64::MIN` to `i64::MAX` that is added to the first: exact, or in floats if the rolls are.
///
/// Two dice against two dice is the attack round of Fighting Fantasy, where the advantage is the
/// difference in SKILL: equations (2)–(4) of I. G. Johnston, "Optimal strategies in the Fighting
/// Fantasy gaming system: influencing stochastic dynamics by gambling with limited resource".
///
/// # Examples
///
/// ```
/// use oddsmith_dice::DifferenceTable;
///
/// let round = DifferenceTable::new(2, 6)?;
/// assert_eq!(round.win(0).to_string(), "575/1296");
/// assert_eq!(round.draw(0).to_string(), "73/648");
/// assert_eq!(round.win(11).to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DifferenceTable<W: Weight = BigUint> {
    /// The first roll minus the second.
    difference: Dist<i64, W>,
    /// The weight of all differences below the i-th; there is one more entry than differences.
    below: Vec<W>,
    /// In floats, the weight of the i-th difference and of all above it, with as many entries as
    /// `below`. Subtracting from the total could lose all digits.
    above: Vec<W>,
}

impl Eq for DifferenceTable {}

impl DifferenceTable {
    /// Computes the table of `n` dice of `sides` sides against as many.
    ///
    /// # Errors
    ///
    /// [`Error::NoSides`] and [`Error::TooLarge`], as for [`Dist::ndice`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::DifferenceTable;
    ///
    /// assert_eq!(DifferenceTable::new(1, 6)?.win(1).to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(n: u32, sides: u32) -> Result<Self, Error> {
        let roll = Dist::ndice(n, sides)?;
        Self::between(&roll, &roll)
    }
}

impl<W: Weight> DifferenceTable<W> {
    /// Computes the table of one independent roll against another.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a difference does not fit into `i64`, and [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{DifferenceTable, Dist};
    ///
    /// let table = DifferenceTable::between(&Dist::ndice(3, 6)?, &Dist::ndice(2, 6)?)?;
    /// assert_eq!(table.win(0).to_string(), "1009/1296");
    ///
    /// let d6 = Dist::die(6)?.to_f64();
    /// let table = DifferenceTable::between(&d6, &d6)?;
    /// assert!((table.win(0) - 5.0 / 12.0).abs() <= table.relative_error() * 5.0 / 12.0);
    /// assert!(table.relative_error() < 3e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn between(first: &Dist<i64, W>, second: &Dist<i64, W>) -> Result<Self, Error> {
        let difference = first.difference(second)?;
        let below = cumulated(difference.weights());
        let mut above = Vec::new();
        if !W::EXACT {
            above = cumulated(difference.weights().rev());
            above.reverse();
        }
        Ok(DifferenceTable {
            difference,
            below,
            above,
        })
    }

    /// Returns an upper bound on the relative error of every probability of the table: |reported −
    /// true| ≤ bound × true. It is zero if the table is exact. The bound is that of the
    /// [difference](Dist::relative_error). Both tails are cumulated from their own end, so nothing
    /// is ever subtracted.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{DifferenceTable, Dist};
    ///
    /// assert_eq!(DifferenceTable::new(2, 6)?.relative_error(), 0.0);
    /// // All eighty show 6, and of the others each a 1: only its own digits are lost.
    /// let many = Dist::ndice(80, 6)?.to_f64();
    /// let table = DifferenceTable::between(&many, &many)?;
    /// let all = 6_f64.powi(-160);
    /// assert!((table.win(-399) / all - 1.0).abs() < 1e-12);
    /// assert!(table.relative_error() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        self.difference.relative_error()
    }

    /// Returns the weights of win, draw and loss with advantage `d`, over [`total`](Self::total).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::DifferenceTable;
    ///
    /// let round = DifferenceTable::new(2, 6)?;
    /// assert_eq!(round.counts(-10).map(|count| count.to_string()), ["0", "1", "1295"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(log n) for n possible differences.
    #[must_use]
    pub fn counts(&self, d: i64) -> [W; 3] {
        // The first roll wins if difference + d > 0. −i64::MIN only fits the wider type.
        let tie = -i128::from(d);
        let support = self.difference.support();
        let lost = support.partition_point(|&x| i128::from(x) < tie);
        let not_won = support.partition_point(|&x| i128::from(x) <= tie);
        let lose = self.below[lost].clone();
        let draw = match not_won > lost {
            true => self.difference.weights[lost].clone(),
            false => W::nothing(),
        };
        let win = match self.above.get(not_won) {
            Some(above) => above.clone(),
            None => self.total().distance(&self.below[not_won]),
        };
        [win, draw, lose]
    }

    /// Returns the probability that the first roll plus `d` is higher than the second.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::DifferenceTable;
    ///
    /// assert_eq!(DifferenceTable::new(2, 6)?.win(2).to_string(), "287/432");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win(&self, d: i64) -> W::Ratio {
        let [win, _, _] = self.counts(d);
        self.ratio(win)
    }

    /// Returns the probability that the first roll plus `d` equals the second.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::DifferenceTable;
    ///
    /// assert_eq!(DifferenceTable::new(2, 6)?.draw(2).to_string(), "125/1296");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn draw(&self, d: i64) -> W::Ratio {
        let [_, draw, _] = self.counts(d);
        self.ratio(draw)
    }

    /// Returns the probability that the first roll plus `d` is lower than the second.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::DifferenceTable;
    ///
    /// assert_eq!(DifferenceTable::new(2, 6)?.lose(2).to_string(), "155/648");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lose(&self, d: i64) -> W::Ratio {
        let [_, _, lose] = self.counts(d);
        self.ratio(lose)
    }

    fn ratio(&self, count: W) -> W::Ratio {
        W::ratio(capped(&count, self.total()), self.total())
    }

    /// Returns the common denominator of all entries.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::DifferenceTable;
    ///
    /// assert_eq!(DifferenceTable::new(2, 6)?.total(), &1296u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn total(&self) -> &W {
        self.difference.total()
    }

    /// Returns the distribution of the first roll minus the second, which determines all entries.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::DifferenceTable;
    ///
    /// assert_eq!(DifferenceTable::new(2, 6)?.difference().max(), &10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn difference(&self) -> &Dist<i64, W> {
        &self.difference
    }
}

/// The partial sums of the weights: of none, of the first, and so on.
fn cumulated<'a, W: Weight + 'a>(weights: impl Iterator<Item = &'a W>) -> Vec<W> {
    let mut sums = vec![W::nothing()];
    let mut sum = W::nothing();
    for weight in weights {
        sum.add(weight);
        sums.push(sum.clone());
    }
    sums
}

/// Displays one line for each advantage that leaves a draw possible: counts out of the total, or
/// probabilities if they are floats.
impl<W: Weight> fmt::Display for DifferenceTable<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = W::unit();
        let whole = if W::EXACT { &unit } else { self.total() };
        let of = |count: &W| W::ratio(count, whole).to_string();
        let advantages = self
            .difference
            .outcomes()
            .rev()
            .filter_map(|x| x.checked_neg());
        let rows: Vec<[String; 4]> = std::iter::once(["", "win", "draw", "lose"].map(Into::into))
            // No advantage balances a difference of i64::MIN.
            .chain(advantages.map(|d| {
                let sign = if d > 0 { "+" } else { "" };
                let [win, draw, lose] = self.counts(d).map(|count| of(&count));
                [format!("{sign}{d}"), win, draw, lose]
            }))
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths = [0, 1, 2, 3].map(width);
        for [d, win, draw, lose] in &rows {
            let [a, b, c, e] = widths;
            writeln!(f, "{d:>a$}  {win:>b$}  {draw:>c$}  {lose:>e$}")?;
        }
        write!(f, "of {}", of(self.total()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The advantage that would give a draw exceeds `i64::MAX` by one.
    #[test]
    fn the_lowest_difference_has_no_row() -> Result<(), Error> {
        let first = Dist::uniform([i64::MIN, 0])?;
        let table = DifferenceTable::between(&first, &Dist::certain(0))?;
        let lines: Vec<String> = table.to_string().lines().map(str::to_owned).collect();
        assert_eq!(lines, ["   win  draw  lose", "0    0     1     1", "of 2"]);
        Ok(())
    }
}
