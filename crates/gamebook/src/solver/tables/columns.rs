//! Sums of many rows, several columns at a time.

/// How many columns are summed at a time, so that their sums stay in registers.
const COLUMNS: usize = 16;

/// The columns that are being summed.
pub(crate) struct Part {
    sums: [f64; COLUMNS],
    from: usize,
    count: usize,
}

impl Part {
    /// Adds a multiple of a row.
    pub(crate) fn add(&mut self, chance: f64, row: &[f64]) {
        let row = &row[self.from..];
        match row.first_chunk::<COLUMNS>() {
            Some(all) if self.count == COLUMNS => {
                for (sum, value) in self.sums.iter_mut().zip(all) {
                    *sum += chance * value;
                }
            }
            _ => {
                for (sum, value) in self.sums.iter_mut().zip(&row[..self.count]) {
                    *sum += chance * value;
                }
            }
        }
    }
}

/// Appends `width` sums. `add` adds their terms, and gets the earlier values.
pub(crate) fn sums(width: usize, values: &mut Vec<f64>, mut add: impl FnMut(&mut Part, &[f64])) {
    let begin = values.len();
    for from in (0..width).step_by(COLUMNS) {
        let mut part = Part {
            sums: [0.0; COLUMNS],
            from,
            count: COLUMNS.min(width - from),
        };
        add(&mut part, &values[..begin]);
        values.extend_from_slice(&part.sums[..part.count]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::QuickCheck;

    #[test]
    fn sums_are_the_same_as_row_by_row() {
        fn property(width: u8, chances: Vec<u8>, before: Vec<u8>) -> bool {
            let width = usize::from(width % 70);
            let value = |at: usize| f64::from((at * at % 251) as u32) / 7.0;
            let rows: Vec<f64> = (0..width * chances.len()).map(value).collect();
            let mut values: Vec<f64> = before.iter().map(|value| f64::from(*value)).collect();
            let mut slowly = values.clone();
            slowly.resize(before.len() + width, 0.0);
            for (row, chance) in chances.iter().enumerate() {
                for column in 0..width {
                    slowly[before.len() + column] +=
                        f64::from(*chance) * rows[row * width + column];
                }
            }
            let mut same = true;
            let known = values.clone();
            sums(width, &mut values, |part, there| {
                same &= there == known;
                for (row, chance) in chances.iter().enumerate() {
                    part.add(f64::from(*chance), &rows[row * width..]);
                }
            });
            same && values == slowly
        }
        QuickCheck::new()
            .tests(500)
            .quickcheck(property as fn(u8, Vec<u8>, Vec<u8>) -> bool);
    }
}
