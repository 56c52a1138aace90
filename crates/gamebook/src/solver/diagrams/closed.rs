//! Closed options: those that nobody need take, since another option is worth at least as much as
//! their upper bound.

use crate::solver::diagrams::gates::{Gate, NO, YES};
use crate::solver::diagrams::memo::Memo;
use crate::solver::diagrams::{Diagram, Diagrams, LOST, STATS};
use crate::solver::tables::best::exceeds;
use crate::solver::tables::{Leaf, PURSE, Tables, ZERO};
use crate::solver::walk::interpreter::Region;

/// For the region weighed last, by option: the gate of the sheets for which it may be worth taking.
/// The regions before it have been solved by then.
#[derive(Debug, Default)]
pub(crate) struct Closed {
    region: Option<Region>,
    open: Vec<Gate>,
    /// What a first look left open, if there was one.
    before: Option<Vec<Gate>>,
}

/// Bounds on the value of an option.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    pub(crate) option: usize,
    pub(crate) least: Diagram,
    pub(crate) most: Diagram,
}

impl Closed {
    /// Where an option may be worth taking. In other regions, all options are open.
    pub(crate) fn gate(&self, region: &Region, option: usize) -> Gate {
        match self.region == Some(*region) {
            true => self.open.get(option).copied().unwrap_or(NO),
            false => YES,
        }
    }

    /// Begins a region: its options are closed except for what [`Closed::weigh`] opens.
    pub(crate) fn begin(&mut self, region: Region) {
        self.region = Some(region);
        self.open.clear();
        self.before = None;
    }

    /// Weighs the same region once more, only for the sheets for which an option was open. Among
    /// options of equal value, another one may come first now, and the first one must not be closed
    /// in favour of one that was closed before.
    pub(crate) fn again(&mut self) {
        self.before = Some(std::mem::take(&mut self.open));
    }

    /// Opens the options that may be best for some of the sheets.
    ///
    /// The first of the options with the greatest lower bound always stays open: no other is
    /// certainly worth more, nor as much and before it. Taking it everywhere loses nothing that is
    /// known. None of the options may lead back here; otherwise one could be as good as another
    /// just because it leads to where that one is taken.
    pub(crate) fn weigh(&mut self, mut options: Vec<Between>, diagrams: &mut Diagrams) {
        if let Some(before) = &self.before {
            for between in &mut options {
                let open = before.get(between.option).copied().unwrap_or(NO);
                between.least = diagrams.gate(open, between.least, LOST);
                between.most = diagrams.gate(open, between.most, LOST);
            }
        }
        // Options with exact values come first, so that they close those with mere bounds.
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
    /// The gate of the sheets for which, at some of their stats, `most` is positive, exceeds
    /// `before` and is at least `behind`.
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
    /// Whether some entry of `most` is positive, exceeds `before` and is at least `behind`.
    fn exceeds(&mut self, most: Leaf, before: Leaf, behind: Leaf) -> bool {
        let leaves = [most, before, behind];
        if leaves.iter().any(|leaf| self.is_hole(*leaf)) {
            return true;
        }
        // If `behind` is zero, the question is whether the maximum of the other two is `before`,
        // which may be memoized.
        let pair = (behind == ZERO).then(|| [most.min(before), most.max(before)]);
        let known = pair.and_then(|pair| self.best.get(pair));
        if known == Some(before) {
            return false;
        }
        let shape = self.shape(&leaves);
        let mut spare = std::mem::take(&mut self.spare);
        let (first, second, third) = (&mut spare.values, &mut spare.part, &mut spare.other);
        let [most, before, behind] = leaves.map(|leaf| self.blocks(leaf, &shape));
        // An entry that exceeds another is positive.
        let exceeds = (0..shape.lens[PURSE]).any(|class| {
            let most = most.block(class, first);
            let before = before.block(class, second);
            exceeds(most, before, behind.block(class, third))
        });
        self.spare = spare;
        // An equal leaf may be memoized as the maximum.
        if let (false, Some(pair), None) = (exceeds, pair, known) {
            self.best.insert(pair, leaves[1]);
        }
        exceeds
    }
}
