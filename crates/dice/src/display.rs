use crate::{Dist, Weight};
use std::fmt;

/// Fractions longer than this say less than the percentage beside them.
const LONGEST_FRACTION: usize = 24;

/// The length of the longest bar, in characters.
const BAR: f64 = 24.0;

/// A table of outcomes with their probability as fraction and percentage and a bar, the
/// most likely outcome having the longest. Fractions are left out where one is longer
/// than 24 characters, and in float laws.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let table = Dist::ndice(2, 2)?.to_string();
/// assert_eq!(table.lines().nth(1), Some("3  1/2  50.00 %  ████████████████████████"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<T: fmt::Display, W: Weight> fmt::Display for Dist<T, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares: Vec<f64> = self.weights().map(|w| W::nearest(w, &self.total)).collect();
        let most = shares.iter().copied().fold(0.0, f64::max);
        let fractions: Option<Vec<String>> = self
            .weights()
            .map(|weight| {
                let fraction = W::fraction(weight, &self.total)?;
                (fraction.len() <= LONGEST_FRACTION).then_some(fraction)
            })
            .collect();
        let mut columns: Vec<Vec<String>> = vec![self.outcomes().map(T::to_string).collect()];
        columns.extend(fractions);
        columns.push(shares.iter().map(|&share| percentage(share)).collect());
        let widths: Vec<usize> = columns.iter().map(|column| width(column)).collect();
        for (row, share) in shares.iter().enumerate() {
            if row > 0 {
                writeln!(f)?;
            }
            for (column, width) in columns.iter().zip(&widths) {
                let cell = &column[row];
                let blanks = width - cell.chars().count();
                write!(f, "{:blanks$}{cell}  ", "")?;
            }
            f.write_str(&bar(share / most))?;
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

/// Two decimals, or two digits where those would show nothing.
fn percentage(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 {
        // Too rare for a double, and yet an outcome.
        return "≈ 0 %".to_owned();
    }
    if percent >= 0.01 {
        format!("{percent:.2} %")
    } else {
        format!("{percent:.1e} %")
    }
}

/// Full blocks and one of the eighths.
fn bar(length: f64) -> String {
    let eighths = (length * BAR * 8.0).round() as usize;
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
