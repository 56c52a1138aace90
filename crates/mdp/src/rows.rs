//! Rows kept in memory, one behind the other.

use num_integer::Integer;

use crate::Score;
use crate::model::{Row, Span};

/// The rows of many states in four long lists, so that a pass over all of them
/// reads memory in order and nothing is allocated a state.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    places: Vec<Place>,
    spans: Vec<Span>,
    outcomes: Vec<(u32, u64)>,
    scores: Vec<Score>,
}

/// Where a state's row lies. An ended state has no span; `outcome` is then the
/// number of its score.
#[derive(Clone, Copy, Debug)]
struct Place {
    span: usize,
    spans: u32,
    outcome: usize,
    outcomes: u32,
}

impl Rows {
    /// Makes room for one more state, whose row follows later.
    pub(crate) fn reserve(&mut self) {
        self.places.push(Place {
            span: 0,
            spans: 0,
            outcome: 0,
            outcomes: 0,
        });
    }

    /// The row of a state in which the game ends.
    pub(crate) fn put_score(&mut self, number: usize, score: Score) {
        self.places[number].outcome = self.scores.len();
        self.scores.push(score);
    }

    /// The row of a state that goes on: equal outcomes are merged and weights
    /// lose their common divisor. `outcomes` is used up.
    pub(crate) fn put(&mut self, number: usize, spans: &[Span], outcomes: &mut [(u32, u64)]) {
        let (span, outcome) = (self.spans.len(), self.outcomes.len());
        for old in spans {
            let written = &mut outcomes[old.start as usize..old.end as usize];
            let start = self.outcomes.len();
            let (merged, divisor) = merge(written, old.staying);
            self.outcomes.extend_from_slice(&written[..merged]);
            self.spans.push(Span {
                start: (start - outcome) as u32,
                end: (self.outcomes.len() - outcome) as u32,
                choice: old.choice,
                leaving: old.leaving / divisor,
                staying: old.staying / divisor,
            });
        }
        self.places[number] = Place {
            span,
            spans: spans.len() as u32,
            outcome,
            outcomes: (self.outcomes.len() - outcome) as u32,
        };
    }

    /// The row of a state.
    #[inline]
    pub(crate) fn row(&self, number: usize) -> Row<'_> {
        let place = &self.places[number];
        if place.spans == 0 {
            return Row::new(self.scores.get(place.outcome), &[], &[]);
        }
        Row::new(
            None,
            &self.spans[place.span..place.span + place.spans as usize],
            &self.outcomes[place.outcome..place.outcome + place.outcomes as usize],
        )
    }

    /// How many outcomes the row of a state has, over all choices.
    #[inline]
    pub(crate) fn successors(&self, number: usize) -> usize {
        self.places[number].outcomes as usize
    }

    /// One of these outcomes.
    #[inline]
    pub(crate) fn successor(&self, number: usize, index: usize) -> u32 {
        self.outcomes[self.places[number].outcome + index].0
    }

    /// (choices, outcomes) of all states together.
    pub(crate) fn totals(&self) -> (usize, usize) {
        (self.spans.len(), self.outcomes.len())
    }
}

/// What [`Rows::put`] does to a row, in place: whoever reads it meets the same
/// denominators, kept or not.
pub(crate) fn tidy(spans: &mut [Span], outcomes: &mut [(u32, u64)]) {
    for span in spans {
        let written = &mut outcomes[span.start as usize..span.end as usize];
        let (merged, divisor) = merge(written, span.staying);
        span.end = span.start + merged as u32;
        span.leaving /= divisor;
        span.staying /= divisor;
    }
}

/// Moves the outcomes of one choice to the front, equal ones merged and the
/// weights (staying included) divided by their common divisor: smaller
/// denominators make every later number shorter. Returns how many are left,
/// and the divisor.
fn merge(written: &mut [(u32, u64)], staying: u64) -> (usize, u64) {
    let mut merged = 0;
    // For a handful of outcomes looking back beats sorting.
    let sorted = written.len() > 16;
    if sorted {
        written.sort_unstable_by_key(|outcome| outcome.0);
    }
    for index in 0..written.len() {
        let (number, weight) = written[index];
        let back = if sorted { merged.max(1) - 1 } else { 0 };
        match written[back..merged].iter_mut().find(|o| o.0 == number) {
            Some(seen) => seen.1 += weight,
            None => {
                written[merged] = (number, weight);
                merged += 1;
            }
        }
    }
    let mut divisor = staying;
    for outcome in &written[..merged] {
        divisor = divisor.gcd(&outcome.1);
        if divisor == 1 {
            return (merged, 1);
        }
    }
    for outcome in &mut written[..merged] {
        outcome.1 /= divisor;
    }
    (merged, divisor)
}
