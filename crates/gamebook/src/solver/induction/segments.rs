//! What is kept for the way [onwards](super::onwards) if there is too little memory for the values
//! of all regions.
//!
//! The order of solving is cut into segments. Of all but the last one, only the values that later
//! segments read are kept. On the way onwards, when all regions of a segment have been left behind,
//! the segment before it is solved again, from what it reads. So everything is solved at most twice
//! or, if a segment is cut once more then, a few times.

use crate::solver::induction::aim::Aim;
use crate::solver::induction::{Induction, Worth};
use crate::solver::limits::Halt;

/// Cuts are made when the values that are kept take this share of the memory limit,
const FULL: f64 = 0.65;
/// after as few rings as possible, but so that the rest takes no more than this share.
const ENOUGH: f64 = 0.45;
/// The number of places in a segment where it may be cut.
const PLACES: usize = 8;

/// The segments of an order of solving. That is backwards through the book, so the last segment is
/// the first one on the way onwards.
#[derive(Debug, Default)]
pub(crate) struct Segments {
    /// Where each segment begins in the order.
    begins: Vec<usize>,
    /// Where the last one ends.
    end: usize,
    /// Whether there may be several.
    several: bool,
}

impl Segments {
    /// A single segment, which may be cut if `several` are allowed.
    pub(super) fn new(end: usize, several: bool) -> Self {
        Segments {
            begins: vec![0],
            end,
            several,
        }
    }

    /// Where the last segment begins.
    fn last(&self) -> usize {
        self.begins.last().copied().unwrap_or(0)
    }
}

impl Induction<'_> {
    /// Adds the regions whose values are kept for the way onwards, or are needed until then: all of
    /// the last segment, and whatever any segment reads of earlier ones.
    pub(super) fn kept_for_later(&self, kept: &mut Vec<usize>) {
        // On the way onwards, what lies behind is not read any more.
        let end = match self.is_onwards() {
            true => self.done,
            false => self.segments.end,
        };
        let last = self.segments.last();
        kept.extend(self.order[last..self.done].iter().flatten());
        // The regions of a ring that is being solved read each other, too.
        let reading = self.order[self.done.min(end)..end].iter().flatten();
        kept.extend(reading.flat_map(|number| self.explored.leads(*number)));
        let begins = &self.segments.begins;
        let ends = begins.iter().skip(1).chain([&end]);
        for (&begin, &end) in begins.iter().zip(ends) {
            let first = self.position(begin);
            for number in self.order[begin..end].iter().flatten() {
                let leads = self.explored.leads(*number);
                kept.extend(leads.filter(|to| self.place[*to] < first));
            }
        }
    }

    /// The number of regions in all earlier rings of the order.
    fn position(&self, ring: usize) -> usize {
        let first = self.order.get(ring).and_then(|ring| ring.first());
        first.map_or(self.place.len(), |number| self.place[*number])
    }

    fn may_be_cut(&self) -> bool {
        self.segments.several && self.picks.is_none() && self.segments.last() < self.done
    }

    /// Begins a new segment if what is kept takes much of the memory and there is more to solve.
    pub(super) fn cut_if_short(&mut self) {
        let limit = self.limits.bytes as f64;
        if self.taken() as f64 > FULL * limit && self.done < self.segments.end {
            self.cut_to((ENOUGH * limit) as usize);
        }
    }

    /// Begins a new segment so that, if possible, no more than this many bytes of values are kept.
    pub(super) fn cut_to(&mut self, bytes: usize) {
        if !self.may_be_cut() {
            return;
        }
        let (last, done) = (self.segments.last(), self.done);
        let all = self.live();
        let least = self.live_after_cut(done);
        if least >= all / 8 * 7 {
            return;
        }
        let cut = |part: usize| last + ((done - last) * part).div_ceil(PLACES);
        // The later the cut, the less is kept: enough is freed by this part, but not by the one
        // before.
        let (mut too_few, mut enough) = (0, PLACES);
        while least <= bytes && too_few + 1 < enough {
            let part = usize::midpoint(too_few, enough);
            match self.live_after_cut(cut(part)) <= bytes {
                true => enough = part,
                false => too_few = part,
            }
        }
        self.segments.begins.push(cut(enough));
        self.collect_now();
    }

    /// The bytes of values that would be kept after a cut.
    fn live_after_cut(&mut self, cut: usize) -> usize {
        self.segments.begins.push(cut);
        let live = self.live();
        self.segments.begins.pop();
        live
    }

    /// Keeps no more than this many bytes beyond the solution, if possible: by cuts or, if these do
    /// not achieve it, by folding.
    pub(super) fn make_room(&mut self, bytes: usize) {
        if self.taken() > bytes {
            self.cut_to(bytes);
        }
        if self.taken() > bytes {
            self.diagrams.tables.fold(bytes);
        }
    }

    /// Begins a new segment with the next ring.
    pub(super) fn cut(&mut self) {
        if self.may_be_cut() {
            self.segments.begins.push(self.done);
        }
    }

    /// Whether all regions of a segment have been left behind on the way onwards, and those of the
    /// segment before it are to be [solved again](Induction::solve_again).
    pub(super) fn is_cut(&self) -> bool {
        0 < self.done && self.segments.last() == self.done
    }

    /// Solves the segment before the last one, of which nothing is needed any more.
    pub(super) fn solve_again(&mut self, given: &[bool], aim: Aim) -> Result<(), Halt> {
        let made = self.record(None);
        let end = self.done;
        while self.segments.begins.len() > 1 && self.segments.last() == end {
            self.segments.begins.pop();
        }
        self.done = self.segments.last();
        self.segments.end = end;
        for number in self.order[self.done..end].iter().flatten() {
            self.worth[*number] = Worth::NOTHING;
        }
        self.collect_now();
        let (limits, known) = (self.limits, (self.rounding, self.shortfall));
        self.limit(limits.bytes.saturating_sub(made.bytes()));
        let solved = self.solve_up_to(end, given, aim);
        self.limit(limits.bytes);
        // The same values have the same error.
        (self.rounding, self.shortfall) = known;
        self.record(Some(made));
        solved
    }
}
