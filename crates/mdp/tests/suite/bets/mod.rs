//! Small games with simultaneous decisions, and checks of their values.

use num_rational::BigRational;
use oddsmith_mdp::{Meeting, Simultaneous};

pub(crate) fn ratio(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// Checks that a proven enclosure holds and is narrow.
pub(crate) fn encloses((low, high): (f64, f64), value: &BigRational) -> bool {
    let float = |x| BigRational::from_float(x).unwrap();
    float(low) <= *value && *value <= float(high) && high - low < 1e-12
}

/// Matching pennies until one player has won this many rounds; heads on heads counts double.
pub(crate) struct Pennies;

impl Simultaneous for Pennies {
    type State = (u32, u32);
    type Row = u8;
    type Column = u8;

    fn expand(&self, &(a, b): &(u32, u32), meeting: &mut Meeting<Self>) {
        if a == 0 || b == 0 {
            return meeting.end(a == 0);
        }
        meeting.cell(0, 0).to((a.saturating_sub(2), b), 1);
        meeting.cell(0, 1).to((a, b - 1), 1);
        meeting.cell(1, 0).to((a, b - 1), 1);
        meeting.cell(1, 1).to((a - 1, b), 1);
    }
}

/// One card, high or low: a bet of 1 on top of a pot of 2, bluffing or not,
/// called or not.
pub(crate) struct Bluff;

impl Simultaneous for Bluff {
    type State = Option<i32>;
    type Row = &'static str;
    type Column = &'static str;

    fn expand(&self, state: &Option<i32>, meeting: &mut Meeting<Self>) {
        if let Some(gain) = *state {
            return meeting.end(gain);
        }
        let mut cell = |row, column, high, low| {
            meeting.cell(row, column).to(Some(high), 1).to(Some(low), 1);
        };
        cell("honest", "call", 2, -1);
        cell("honest", "fold", 1, -1);
        cell("bluff", "call", 2, -2);
        cell("bluff", "fold", 1, 1);
    }
}
