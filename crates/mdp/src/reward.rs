//! Rewards of choices, prepared for adding up.

use crate::Score;
use crate::number::around;

/// A reward in the forms in which the kinds of numbers read it. It is never zero.
#[derive(Clone, Debug)]
pub struct Reward {
    pub(crate) score: Score,
    /// The nearest float or one close to it. Not finite if there is none.
    pub(crate) float: f64,
    /// Floats that enclose the reward. They are not numbers if it is too large.
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
