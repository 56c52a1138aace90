//! The cost of dice that are kept.

use super::shape::Shape;
use crate::notation::dice::{Band, Keep};
use num_integer::Integer;

/// A description of the dice that are kept.
pub(super) struct Kept {
    /// Their number, where a die counted twice counts as two.
    pub(super) dice: f64,
    added: i128,
    subtracted: i128,
    /// Whether they are the highest or the lowest ones.
    pub(super) one_end: bool,
    /// Whether all have the same multiplicity.
    pub(super) one_run: bool,
}

impl Kept {
    pub(super) fn of(keeps: &[Keep], dice: f64) -> Kept {
        let (mut low, mut high) = (0.0, 0.0);
        let mut kept = dice;
        let mut positions: Option<&[i64]> = None;
        for keep in keeps {
            let drop = |k: u32| (kept - f64::from(k)).max(0.0);
            match keep {
                Keep::Highest(k) => low += drop(*k),
                Keep::Lowest(k) => high += drop(*k),
                Keep::DropLowest(k) => low += f64::from(*k),
                Keep::DropHighest(k) => high += f64::from(*k),
                Keep::Middle(k) => {
                    low += drop(*k) / 2.0;
                    high += drop(*k) / 2.0;
                }
                Keep::Positions(numbers) => positions = Some(numbers),
            }
            kept = (dice - low - high).max(0.0);
        }
        if let Some(numbers) = positions {
            let (mut added, mut subtracted) = (0_i128, 0_i128);
            for &number in numbers {
                added = added.saturating_add(number.max(0).into());
                subtracted = subtracted.saturating_sub(number.min(0).into());
            }
            return Kept {
                dice: added.saturating_add(subtracted) as f64,
                added,
                subtracted,
                one_end: false,
                one_run: false,
            };
        }
        Kept {
            dice: kept,
            added: kept.ceil() as i128,
            subtracted: 0,
            one_end: low == 0.0 || high == 0.0,
            one_run: true,
        }
    }

    pub(super) fn ends(&self, value: Shape) -> (i128, i128) {
        let ends = |first: i128, second: i128| {
            let added = first.saturating_mul(self.added);
            added.saturating_sub(second.saturating_mul(self.subtracted))
        };
        (ends(value.low, value.high), ends(value.high, value.low))
    }
}

/// The value of a die in a count.
pub(super) fn counted(die: Shape, bands: &[Band]) -> Shape {
    // A face outside all bands has the value 0. A comparison may hold for all faces or for none.
    let values = || bands.iter().map(|band| i128::from(band.value));
    let low = values().fold(0, i128::min);
    let high = values().fold(0, i128::max);
    let stride = bands
        .iter()
        .fold(0, |gcd: u64, band| gcd.gcd(&band.value.unsigned_abs()));
    let kinds = (bands.len() as f64 + 1.0).min(die.length);
    Shape::new(low, high, stride, kinds, die.bits)
}
