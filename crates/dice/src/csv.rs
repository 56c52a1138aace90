//! Distributions as comma-separated values (RFC 4180), for spreadsheets.

use crate::{Dist, Weight};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};

/// The line ending of RFC 4180.
const END: &str = "\r\n";

impl<T: Display, W: Weight> Dist<T, W> {
    /// Returns the distribution as comma-separated values, with a line for each outcome below the
    /// header `outcome,weight,fraction,probability,cdf`.
    ///
    /// `weight` is the number of ways, and `fraction` the probability in lowest terms (empty in
    /// float distributions). `probability` and `cdf` (the probability of this outcome or a smaller
    /// one) are the nearest doubles, written with as many digits as distinguish them from others.
    /// Lines end with CR and LF. An outcome that contains a comma, a quotation mark or a line break
    /// is put in quotation marks (RFC 4180).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let csv = Dist::ndice(2, 2)?.to_csv();
    /// let lines: Vec<&str> = csv.lines().collect();
    /// assert_eq!(lines[0], "outcome,weight,fraction,probability,cdf");
    /// assert_eq!(lines[2], "3,2,1/2,0.5,0.75");
    /// let hand = Dist::certain("ace, king").to_csv();
    /// assert_eq!(hand.lines().nth(1), Some("\"ace, king\",1,1,1,1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// For an exact distribution, one gcd per outcome, and three numbers as long as the total. For
    /// sums of thousands of dice, [`csv_of`](Self::csv_of) or [`to_f64`](Self::to_f64) gives the
    /// same information in a thousandth of the text.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail; a failing `Display` of an outcome ends the text.
        let _ = self.write_csv(&mut text);
        text
    }

    /// Like [`to_csv`](Self::to_csv), but writes piece by piece.
    ///
    /// # Errors
    ///
    /// The error of the writer.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let mut text = String::from("a coin:\r\n");
    /// Dist::bernoulli((1, 4))?.write_csv(&mut text)?;
    /// assert!(text.ends_with("\r\nfalse,3,3/4,0.75,0.75\r\ntrue,1,1/4,0.25,1\r\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_csv(&self, out: &mut impl Write) -> fmt::Result {
        write!(out, "outcome,weight,fraction,probability,cdf{END}")?;
        let mut sum = W::nothing();
        for (outcome, weight) in self {
            sum.add(weight);
            let parts = [weight, self.capped(&sum)];
            let [p, cdf] = parts.map(|part| decimal(W::nearest(part, &self.total)));
            let weight_alone = if W::EXACT {
                W::ratio(weight, &W::unit()).to_string()
            } else {
                decimal(W::nearest(weight, &W::unit()))
            };
            write!(
                out,
                "{},{},{},{p},{cdf}{END}",
                quoted(&outcome.to_string()),
                weight_alone,
                W::fraction(weight, &self.total).unwrap_or_default(),
            )?;
        }
        Ok(())
    }
}

impl<T: Ord + Display, W: Weight> Dist<T, W> {
    /// Returns several distributions side by side as comma-separated values, with a line for each
    /// outcome of any of them, in ascending order, below the header of `outcome` and their names.
    /// The probabilities are the nearest doubles, and 0 for an outcome that a distribution does not
    /// have. Otherwise as for [`to_csv`](Self::to_csv).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let (two, one) = (Dist::ndice(2, 2)?, Dist::die(4)?);
    /// let csv = Dist::csv_of([("2d2", &two), ("d4", &one)]);
    /// let lines: Vec<&str> = csv.lines().collect();
    /// assert_eq!(lines, ["outcome,2d2,d4", "1,0,0.25", "2,0.25,0.25", "3,0.5,0.25", "4,0.25,0.25"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n log n) comparisons for n outcomes in total.
    #[must_use]
    pub fn csv_of<'a, N: AsRef<str>>(laws: impl Into<Vec<(N, &'a Self)>>) -> String
    where
        Self: 'a,
    {
        let mut text = String::from("outcome");
        let mut rows: BTreeMap<&T, Vec<(usize, f64)>> = BTreeMap::new();
        let mut columns = 0;
        for (name, law) in laws.into() {
            text.push(',');
            text.push_str(&quoted(name.as_ref()));
            for (outcome, weight) in law {
                let p = W::nearest(weight, &law.total);
                rows.entry(outcome).or_default().push((columns, p));
            }
            columns += 1;
        }
        text.push_str(END);
        for (outcome, row) in rows {
            text.push_str(&quoted(&outcome.to_string()));
            let mut row = row.into_iter().peekable();
            for column in 0..columns {
                let p = row.next_if(|cell| cell.0 == column);
                text.push(',');
                text.push_str(&decimal(p.map_or(0.0, |cell| cell.1)));
            }
            text.push_str(END);
        }
        text
    }
}

/// The shortest decimal number that is read back as this double.
fn decimal(x: f64) -> String {
    if x == 0.0 || (1e-4..1e15).contains(&x) {
        x.to_string()
    } else {
        format!("{x:e}")
    }
}

/// Quotes where RFC 4180 requires it, and also around leading or trailing blanks, which some
/// readers would remove.
fn quoted(text: &str) -> String {
    let plain = !text.contains([',', '"', '\r', '\n']) && text.trim() == text;
    if plain {
        text.to_owned()
    } else {
        format!("\"{}\"", text.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(quoted(text), expected);
    }

    #[test]
    fn text_is_quoted_as_the_rfc_says() {
        check("plain", "plain");
        check("", "");
        check("a,b", "\"a,b\"");
        check("6\" nails", "\"6\"\" nails\"");
        check("two\nlines", "\"two\nlines\"");
        check("cr\r", "\"cr\r\"");
        check(" blank", "\" blank\"");
        check("-3", "-3");
    }

    #[test]
    fn decimals_are_short_and_read_back() {
        for x in [0.0, 1.0, 0.5, 1.0 / 3.0, 1e-4, 9e-5, 1e-300, 5e-324, 1e300] {
            let text = decimal(x);
            assert!(text.len() < 24, "{text}");
            assert_eq!(text.parse(), Ok(x));
        }
    }
}
