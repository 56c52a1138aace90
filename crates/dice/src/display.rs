//! Distributions as tables of text.

use crate::{Dist, Weight};
use num_bigint::BigUint;
use std::fmt;

/// The largest length of a fraction; the percentage beside a longer one is more informative.
const LONGEST_FRACTION: usize = 24;

/// Displays a table of outcomes with their probability as a fraction and a percentage, and a bar,
/// which is longest for the most likely outcome. Fractions are left out if one is longer than 24
/// characters, and in float distributions. `{:#}` uses plain ASCII. [`Dist::table`] gives other
/// columns.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let roll = Dist::ndice(2, 2)?;
/// let table = roll.to_string();
/// assert_eq!(table.lines().nth(1), Some("3  1/2  50.00 %  ████████████████████████"));
/// let plain = format!("{roll:#}");
/// assert_eq!(plain.lines().nth(1), Some("3  1/2  50.00 %  ########################"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<T: fmt::Display, W: Weight> fmt::Display for Dist<T, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}

impl<T, W: Weight> Dist<T, W> {
    /// Returns the table that `Display` shows, whose columns can be changed: see [`Table`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let roll = Dist::ndice(2, 6)?;
    /// let table = roll.table().fractions(false).bars(0).to_string();
    /// assert_eq!(table.lines().next(), Some(" 2   2.78 %"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn table(&self) -> Table<'_, T, W> {
        Table {
            law: self,
            bars: 24,
            decimals: 2,
            fractions: true,
            at_most: false,
            at_least: false,
            header: false,
            ascii: false,
        }
    }
}

/// A distribution as text, with a line for each outcome. Created by [`Dist::table`] and shown by
/// `Display`.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let table = "\
/// x  P(X = x)          P(X ≤ x)
/// 2       1/4  25.0 %    25.0 %  ████
/// 3       1/2  50.0 %    75.0 %  ████████
/// 4       1/4  25.0 %   100.0 %  ████";
/// let roll = Dist::ndice(2, 2)?;
/// assert_eq!(roll.table().header().at_most().decimals(1).bars(8).to_string(), table);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table<'a, T, W = BigUint> {
    law: &'a Dist<T, W>,
    bars: u16,
    decimals: u8,
    fractions: bool,
    at_most: bool,
    at_least: bool,
    header: bool,
    ascii: bool,
}

impl<T, W: Weight> Table<'_, T, W> {
    /// Sets the length of the longest bar in characters: 24 by default, 0 for none.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let coin = Dist::bernoulli((1, 4))?;
    /// assert_eq!(coin.table().bars(6).to_string(), "\
    /// false  3/4  75.00 %  ██████
    ///  true  1/4  25.00 %  ██");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bars(mut self, length: u16) -> Self {
        self.bars = length;
        self
    }

    /// Sets the number of decimals of a percentage, 2 by default. Percentages that would be
    /// displayed as zero are written with an exponent.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let rare = Dist::bernoulli((1, 999))?;
    /// assert_eq!(rare.table().decimals(0).bars(0).to_string(), "\
    /// false  998/999     100 %
    ///  true    1/999  1.0e-1 %");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decimals(mut self, decimals: u8) -> Self {
        self.decimals = decimals;
        self
    }

    /// Sets whether fractions are shown, which is the default. They are left out in any case if one
    /// of them is too long.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let table = Dist::die(20)?.table().fractions(false).bars(2).to_string();
    /// assert_eq!(table.lines().last(), Some("20  5.00 %  ██"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fractions(mut self, shown: bool) -> Self {
        self.fractions = shown;
        self
    }

    /// Adds a column of P(X ≤ x), the cumulative distribution function.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let table = Dist::ndice(2, 6)?.table().at_most().bars(0).to_string();
    /// assert_eq!(table.lines().nth(2), Some(" 4  1/12   8.33 %   16.67 %"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "cdf")]
    #[must_use]
    pub fn at_most(mut self) -> Self {
        self.at_most = true;
        self
    }

    /// Adds a column of P(X ≥ x).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let table = Dist::ndice(2, 6)?.table().at_least().bars(0).to_string();
    /// assert_eq!(table.lines().nth(8), Some("10  1/12   8.33 %   16.67 %"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "survival")]
    #[must_use]
    pub fn at_least(mut self) -> Self {
        self.at_least = true;
        self
    }

    /// Adds a header line with the names of the columns.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let table = Dist::die(2)?.table().header().bars(0).to_string();
    /// assert_eq!(table.lines().next(), Some("x  P(X = x)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn header(mut self) -> Self {
        self.header = true;
        self
    }

    /// Restricts the table to ASCII (except in outcomes): bars of `#`, as with `{:#}`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let coin = Dist::bernoulli((1, 4))?;
    /// assert_eq!(coin.table().ascii().bars(6).to_string(), "\
    /// false  3/4  75.00 %  ######
    ///  true  1/4  25.00 %  ##");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ascii(mut self) -> Self {
        self.ascii = true;
        self
    }

    /// The cells of the column of fractions, unless one is too long.
    fn fraction_column(&self) -> Option<Vec<String>> {
        let mut fractions = self.law.weights().map(|weight| {
            let fraction = W::fraction(weight, &self.law.total)?;
            (fraction.len() <= LONGEST_FRACTION).then_some(fraction)
        });
        self.fractions.then(|| fractions.by_ref().collect())?
    }

    /// The percentages of the running sums of these weights.
    fn cumulated<'w>(&self, weights: impl Iterator<Item = &'w W>, ascii: bool) -> Vec<String>
    where
        W: 'w,
    {
        let mut sum = W::nothing();
        weights
            .map(|weight| {
                sum.add(weight);
                let sum = self.law.capped(&sum);
                percentage(W::nearest(sum, &self.law.total), self.decimals, ascii)
            })
            .collect()
    }
}

impl<T: fmt::Display, W: Weight> fmt::Display for Table<'_, T, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ascii = self.ascii || f.alternate();
        let law = self.law;
        let shares: Vec<f64> = law.weights().map(|w| W::nearest(w, &law.total)).collect();
        let most = shares.iter().copied().fold(0.0, f64::max);
        let mut columns = vec![("x", law.outcomes().map(T::to_string).collect())];
        let mut name = "P(X = x)";
        if let Some(fractions) = self.fraction_column() {
            columns.push((std::mem::take(&mut name), fractions));
        }
        let percentages = shares
            .iter()
            .map(|&share| percentage(share, self.decimals, ascii));
        columns.push((name, percentages.collect()));
        if self.at_most {
            let name = if ascii { "P(X <= x)" } else { "P(X ≤ x)" };
            columns.push((name, self.cumulated(law.weights(), ascii)));
        }
        if self.at_least {
            let name = if ascii { "P(X >= x)" } else { "P(X ≥ x)" };
            let mut cells = self.cumulated(law.weights().rev(), ascii);
            cells.reverse();
            columns.push((name, cells));
        }
        let mut lines = Vec::with_capacity(law.len() + 1);
        if self.header {
            for (name, cells) in &mut columns {
                cells.insert(0, (*name).to_owned());
            }
            lines.push(None);
        }
        lines.extend(shares.iter().map(|&share| Some(share / most)));
        let widths: Vec<usize> = columns.iter().map(|(_, cells)| width(cells)).collect();
        for (row, length) in lines.into_iter().enumerate() {
            let mut line = String::new();
            for ((_, cells), width) in columns.iter().zip(&widths) {
                let cell = &cells[row];
                let blanks = width - cell.chars().count();
                line.extend([&" ".repeat(blanks), cell, "  "]);
            }
            if let Some(length) = length {
                line.push_str(&bar(length, self.bars, ascii));
            }
            let end = if row > 0 { "\n" } else { "" };
            write!(f, "{end}{}", line.trim_end_matches(' '))?;
        }
        Ok(())
    }
}

fn width(column: &[String]) -> usize {
    column
        .iter()
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or(0)
}

/// This many decimals, or two significant digits in exponential notation where those would be zero.
fn percentage(share: f64, decimals: u8, ascii: bool) -> String {
    let percent = share * 100.0;
    if percent == 0.0 {
        // Too unlikely for a double, but still an outcome.
        return if ascii { "~ 0 %" } else { "≈ 0 %" }.to_owned();
    }
    if percent >= 1.0 / 10_f64.powi(decimals.into()) {
        format!("{percent:.*} %", usize::from(decimals))
    } else {
        format!("{percent:.1e} %")
    }
}

/// Full blocks and one of the eighths, or at least one sign.
fn bar(length: f64, longest: u16, ascii: bool) -> String {
    if longest == 0 {
        return String::new();
    }
    let length = length * f64::from(longest);
    if ascii {
        return "#".repeat((length.round() as usize).max(1));
    }
    let eighths = (length * 8.0).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    bar.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]);
    if bar.is_empty() {
        bar.push('▏');
    }
    bar
}

#[cfg(test)]
mod tests {
    use crate::{Dist, Error};

    #[track_caller]
    fn check(table: impl ToString, expected: &[&str]) {
        assert_eq!(table.to_string().lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn columns_are_aligned() -> Result<(), Error> {
        let law = Dist::from_weights([(-5, 1), (10, 9_990), (200, 9)])?;
        let expected = [
            " -5   1/10000   0.01 %  ▏",
            " 10  999/1000  99.90 %  ████████████████████████",
            "200   9/10000   0.09 %  ▏",
        ];
        check(law, &expected);
        Ok(())
    }

    #[test]
    fn floats_and_long_fractions_show_the_percentage_only() -> Result<(), Error> {
        check(
            Dist::die(2)?.to_f64().map(|x| x - 1),
            &[
                "0  50.00 %  ████████████████████████",
                "1  50.00 %  ████████████████████████",
            ],
        );
        let coins = Dist::uniform([0, 1])?.repeat(100)?.to_string();
        assert!(coins.starts_with("  0  7.9e-29 %  ▏\n"), "{coins}");
        let rare = Dist::uniform([0, 1])?.repeat(2000)?.to_string();
        assert!(rare.starts_with("   0       ≈ 0 %  ▏\n"), "{rare}");
        Ok(())
    }
}
