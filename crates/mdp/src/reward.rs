//! What choices pay at once, ready to be added up.

use crate::Score;
use crate::number::around;

/// A reward in the forms in which the kinds of numbers read it. Never zero.
#[derive(Clone, Debug)]
pub struct Reward {
    pub(crate) score: Score,
    /// The nearest float, or nearly; not finite if there is none.
    pub(crate) float: f64,
    /// Floats around it; no numbers if it is too large for them.
    pub(crate) ends: [f64; 2],
}

impl Reward {
    pub(crate) fn new(score: &Score) -> Self {
        Reward {
            float: score.to_f64(),
            ends: around(score).unwrap_or([f64::NAN; 2]),
            score: score.clone(),
        }
    }
}
