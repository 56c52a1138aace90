//! Options that nobody need take, for what they are worth at most is had elsewhere.

use crate::solver::diagrams::gates::{Gate, NO, YES};
use crate::solver::diagrams::memo::Memo;
use crate::solver::diagrams::{Diagram, Diagrams, LOST, STATS};
use crate::solver::tables::best::exceeds;
use crate::solver::tables::{Leaf, PURSE, Tables, ZERO};
use crate::solver::walk::interpreter::Region;

/// Of the region that was weighed last, by option: the bits with which it may be worth
/// taking. The regions before it have been worked out by then.
#[derive(Debug, Default)]
pub(crate) struct Closed {
    region: Option<Region>,
    open: Vec<Gate>,
    /// What was open by a first look, if there was one.
    before: Option<Vec<Gate>>,
}

/// What the sheets are worth that take an option.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    pub(crate) option: usize,
    pub(crate) least: Diagram,
    pub(crate) most: Diagram,
}

impl Closed {
    /// Where an option may be worth taking; other regions are open.
    pub(crate) fn gate(&self, region: &Region, option: usize) -> Gate {
        match self.region == Some(*region) {
            true => self.open.get(option).copied().unwrap_or(NO),
            false => YES,
        }
    }

    /// A region is looked at: its options are closed but for what [`Closed::weigh`] opens.
    pub(crate) fn begin(&mut self, region: Region) {
        self.region = Some(region);
        self.open.clear();
        self.before = None;
    }

    /// The same region is weighed once more, for those sheets alone for which an option was
    /// open: of options that are worth as much another one may come first now, and the first
    /// one must not be closed for one that was closed before.
    pub(crate) fn again(&mut self) {
        self.before = Some(std::mem::take(&mut self.open));
    }

    /// Opens the options that may be the best for some of the sheets.
    ///
    /// The first of the options with the highest lower bound always stays open, since no
    /// other is worth more for certain, nor as much and before it: who takes that one
    /// everywhere loses nothing that is known. None of the options may lead back here: then
    /// one could be worth as much as another because it leads to where that is taken.
    pub(crate) fn weigh(&mut self, mut options: Vec<Between>, diagrams: &mut Diagrams) {
        if let Some(before) = &self.before {
            for between in &mut options {
                let open = before.get(between.option).copied().unwrap_or(NO);
                between.least = diagrams.gate(open, between.least, LOST);
                between.most = diagrams.gate(open, between.most, LOST);
            }
        }
        // What is known for certain comes first, so that it closes what is not.
        options.sort_by_key(|option| (option.least != option.most, option.option));
        let mut before = LOST;
        for (place, option) in options.iter().enumerate() {
            let mut behind = LOST;
            for other in &options[place + 1..] {
                behind = diagrams.best(behind, other.least);
            }
            let gate = diagrams.exceeds(option.most, before, behind);
            let gates = &mut self.open;
            if gates.len() <= option.option {
                gates.resize(option.option + 1, NO);
            }
            gates[option.option] = diagrams.gates.or(gates[option.option], gate);
            before = diagrams.best(before, option.least);
        }
    }
}

impl Diagrams {
    /// The bits with which a sheet is worth something by `most`, more than by `before`, and
    /// at least as much as by `behind`, for some of its stats.
    pub(crate) fn exceeds(&mut self, most: Diagram, before: Diagram, behind: Diagram) -> Gate {
        self.remember(
            |memos| &mut memos.three,
            |diagrams, memo| diagrams.exceeding(most, before, behind, memo),
        )
    }

    fn exceeding(
        &mut self,
        most: Diagram,
        before: Diagram,
        behind: Diagram,
        memo: &mut Memo<3>,
    ) -> Gate {
        if most == LOST || most == before {
            return NO;
        }
        let parts = [most, before, behind];
        let (level, width) = self.top(&parts);
        if let Some(known) = memo.get(parts) {
            return known;
        }
        if !self.room(memo.bytes()) {
            return YES;
        }
        let leaves = parts.map(Diagrams::as_leaf);
        let gate = if let [Some(most), Some(before), Some(behind)] = leaves {
            match self.tables.exceeds(most, before, behind) {
                true => YES,
                false => NO,
            }
        } else if level < STATS {
            let [most, before, behind] = parts.map(|part| self.kids(part, level));
            let without = self.exceeding(most[0], before[0], behind[0], memo);
            let with = self.exceeding(most[1], before[1], behind[1], memo);
            self.gates.node(level, without, with)
        } else {
            let mut any = NO;
            for value in 0..width {
                let [a, b, c] = parts.map(|part| self.kid(part, level, value));
                any = self.exceeding(a, b, c, memo);
                if any == YES {
                    break;
                }
            }
            any
        };
        memo.insert(parts, gate);
        gate
    }
}

impl Tables {
    /// Whether some place is worth anything by `most`, more than by `before`, and at least
    /// as much as by `behind`.
    fn exceeds(&mut self, most: Leaf, before: Leaf, behind: Leaf) -> bool {
        let leaves = [most, before, behind];
        if leaves.iter().any(|leaf| self.is_hole(*leaf)) {
            return true;
        }
        // Nothing is less than what is behind: then it is asked whether the best of the two
        // is the one before, which may be known already.
        let pair = (behind == ZERO).then(|| [most.min(before), most.max(before)]);
        let known = pair.and_then(|pair| self.best.get(pair));
        if known == Some(before) {
            return false;
        }
        let shape = self.shape(&leaves);
        let mut spare = std::mem::take(&mut self.spare);
        let (first, second, third) = (&mut spare.values, &mut spare.part, &mut spare.other);
        let [most, before, behind] = leaves.map(|leaf| self.blocks(leaf, &shape));
        // What is more than something is worth more than nothing.
        let exceeds = (0..shape.lens[PURSE]).any(|class| {
            let most = most.block(class, first);
            let before = before.block(class, second);
            exceeds(most, before, behind.block(class, third))
        });
        self.spare = spare;
        // Another leaf that is worth the same may be known as the best.
        if let (false, Some(pair), None) = (exceeds, pair, known) {
            self.best.insert(pair, leaves[1]);
        }
        exceeds
    }
}
