//! The result for a start.

use super::parted::Parted;
use crate::solver::induction::Induction;
use crate::solver::limits::Halt;
use crate::solver::walk::interpreter::{At, Region};

/// The value of a start.
#[derive(Clone, Debug)]
pub(crate) struct Started {
    pub(crate) value: f64,
    /// The error; `None` if a ring that only converges in the limit was not enclosed.
    pub(crate) error: Option<f64>,
    /// By street, if that is known.
    pub(crate) parted: Vec<Parted>,
}

impl Started {
    /// Allows for decisions that may be worth less than the value.
    pub(super) fn short_of(self, shortfall: f64) -> Self {
        let error = self.error.map(|error| error + shortfall);
        Started { error, ..self }
    }

    /// Takes over a value that was computed again, without the proof that no other street is
    /// better.
    pub(super) fn is_worth(&mut self, again: &Started) {
        let most = self.error.map(|error| self.value + error);
        self.value = again.value;
        let both = most.zip(again.error);
        self.error = both.map(|(most, error)| error.max(most - self.value));
    }
}

/// The results for the starts, in order, given that they are at most `over`. `parted` is by start,
/// or empty.
pub(super) fn started(
    starts: &[(Region, At)],
    best: &Induction<'_>,
    over: Option<&Induction<'_>>,
    parted: Vec<Vec<Parted>>,
) -> Result<Vec<Started>, Halt> {
    let proven = best.proven() && over.is_none_or(Induction::proven);
    let mut parted = parted.into_iter();
    let started = |(region, at): &(Region, At)| {
        let (value, mut error) = best.value(region, at).ok_or(Halt::Unexplored)?;
        if let Some(over) = over {
            let (most, off) = over.value(region, at).ok_or(Halt::Unexplored)?;
            error = error.max(most + off - value);
        }
        Ok(Started {
            value,
            error: proven.then_some(error),
            parted: parted.next().unwrap_or_default(),
        })
    };
    starts.iter().map(started).collect()
}
