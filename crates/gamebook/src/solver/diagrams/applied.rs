//! The maximum of diagrams, and other operations on their leaves, for possible sheets only. Most
//! combinations of leaves belong to no possible sheet.

use crate::solver::diagrams::gates::{Gate, NO, YES};
use crate::solver::diagrams::memo::Tuples;
use crate::solver::diagrams::{BEHIND, Diagram, Diagrams, LEAF, LOST};
use crate::solver::tables::{Leaf, Tables};

/// In place of a diagram for sheets that cannot occur.
const NOBODY: Diagram = Diagram::MAX;

/// An operation on leaves.
pub(crate) type Apply<'l> = &'l mut dyn FnMut(&mut Tables, &[Leaf]) -> Leaf;

/// A shortcut: the result for what the stack holds from a position on, where that is known at once.
pub(crate) type AtOnce = fn(&mut Diagrams, usize) -> Option<Diagram>;

impl Diagrams {
    /// The better of two diagrams.
    pub(crate) fn best(&mut self, a: Diagram, b: Diagram) -> Diagram {
        self.best_for(YES, a, b)
    }

    /// The better of two diagrams where `care` is open; arbitrary elsewhere.
    pub(crate) fn best_for(&mut self, care: Gate, a: Diagram, b: Diagram) -> Diagram {
        match self.bettered(care, a, b) {
            NOBODY => LOST,
            best => best,
        }
    }

    fn bettered(&mut self, mut care: Gate, a: Diagram, b: Diagram) -> Diagram {
        match (a, b) {
            _ if care == NO => return NOBODY,
            (LOST, other) | (other, LOST) => return other,
            _ if a == b => return a,
            _ => {}
        }
        if a & b & LEAF != 0 {
            return LEAF | self.tables.best(a & !LEAF, b & !LEAF);
        }
        let (level, width) = self.top(&[a, b]);
        self.narrow(&mut care, level);
        let key = [a.min(b), a.max(b), care];
        if let Some(known) = self.best.get(key) {
            return known;
        }
        if !self.room(0) {
            return LOST;
        }
        let from = self.stack.len();
        for value in 0..width {
            let (first, second) = (self.kid(a, level, value), self.kid(b, level, value));
            let care = self.gates.kid(care, level, value);
            let kid = self.bettered(care, first, second);
            self.stack.push(kid);
        }
        let best = self.cared(level, from);
        self.best.insert(key, best);
        best
    }

    /// The best of several diagrams where `care` is open; arbitrary elsewhere.
    pub(crate) fn best_of(&mut self, care: Gate, parts: &[Diagram]) -> Diagram {
        let leaf = &mut |tables: &mut Tables, leaves: &[Leaf]| tables.close(leaves);
        self.applied_to(care, parts, Self::best_of_few, leaf)
    }

    /// The result of `best_of` if at most two different parts remain. Removes duplicates from the
    /// parts on the stack and moves lost parts to the end. The order is kept, since numbers depend
    /// on earlier collections.
    fn best_of_few(&mut self, from: usize) -> Option<Diagram> {
        let parts = &mut self.stack[from + 1..];
        let mut count = 0;
        for place in 0..parts.len() {
            let part = parts[place];
            if part != LOST && !parts[..count].contains(&part) {
                parts[count] = part;
                count += 1;
            }
        }
        parts[count..].fill(LOST);
        match parts[..count] {
            [] => Some(LOST),
            [only] => Some(only),
            [one, other] => Some(self.bettered(self.stack[from], one, other)),
            _ => None,
        }
    }

    /// Removes from a gate the bits that it asks before a level.
    fn narrow(&mut self, care: &mut Gate, level: u8) {
        while let Some((bit, without, with)) = self.gates.parts(*care)
            && bit < level
        {
            *care = self.gates.or(without, with);
        }
    }

    /// Makes a node of what the stack holds from `from` on. What nobody can hold gets the value of
    /// the other child.
    fn cared(&mut self, level: u8, from: usize) -> Diagram {
        if let [without, with] = &mut self.stack[from..] {
            match (*without, *with) {
                (NOBODY, other) => *without = other,
                (other, NOBODY) => *with = other,
                _ => {}
            }
        }
        self.branch(level, from)
    }

    /// Applies an operation to the leaves of the same sheets where `care` is open; arbitrary
    /// elsewhere.
    pub(crate) fn apply_for(&mut self, care: Gate, parts: &[Diagram], leaf: Apply<'_>) -> Diagram {
        self.applied_to(care, parts, Self::all_lost, leaf)
    }

    /// Applies an operation to the leaves of the same sheets.
    pub(crate) fn apply(&mut self, parts: &[Diagram], leaf: Apply<'_>) -> Diagram {
        self.apply_for(YES, parts, leaf)
    }

    /// The result if all parts are lost.
    fn all_lost(&mut self, from: usize) -> Option<Diagram> {
        let mut parts = self.stack[from + 1..].iter();
        parts.all(|part| *part == LOST).then_some(LOST)
    }

    pub(crate) fn applied_to(
        &mut self,
        care: Gate,
        parts: &[Diagram],
        at_once: AtOnce,
        leaf: Apply<'_>,
    ) -> Diagram {
        let mut made = std::mem::take(&mut self.made);
        let from = self.stack.len();
        self.stack.push(care);
        self.stack.extend_from_slice(parts);
        let result = self.applied(from, &mut made, at_once, leaf);
        self.stack.truncate(from);
        made.clear(self.tables.idle());
        self.made = made;
        match result {
            NOBODY => LOST,
            result => result,
        }
    }

    /// From `from` on, the stack holds the care gate and the parts.
    fn applied(
        &mut self,
        from: usize,
        made: &mut Tuples,
        at_once: AtOnce,
        leaf: Apply<'_>,
    ) -> Diagram {
        if self.stack[from] == NO {
            return NOBODY;
        }
        let kids = self.stack.len();
        if let Some(result) = at_once(self, from) {
            return result;
        }
        let parts = &self.stack[from + 1..];
        let (level, width) = self.top(parts);
        let mut care = self.stack[from];
        self.narrow(&mut care, level);
        self.stack[from] = care;
        let parts = &self.stack[from..];
        let hash = Tuples::hash(parts);
        if let Some(known) = made.get(hash, parts) {
            return known;
        }
        if !self.room(made.bytes()) {
            return LOST;
        }
        let result = if level == BEHIND {
            for place in from + 1..kids {
                self.stack.push(self.stack[place] & !LEAF);
            }
            LEAF | leaf(&mut self.tables, &self.stack[kids..])
        } else {
            for value in 0..width {
                let open = self.gates.kid(care, level, value);
                let other = value == 0 || open != self.gates.kid(care, level, value - 1);
                self.stack.push(open);
                let kid = match self.advance((from + 1, kids - from - 1), level, value) || other {
                    true => self.applied(kids + value, made, at_once, leaf),
                    false => self.stack[kids + value - 1],
                };
                self.stack.truncate(kids + value);
                self.stack.push(kid);
            }
            self.cared(level, kids)
        };
        self.stack.truncate(kids);
        made.insert(hash, &self.stack[from..], result);
        result
    }

    /// Pushes the children of some parts for a value. Returns whether they differ from those for
    /// the previous value, since often a few more of something make no difference.
    pub(crate) fn advance(
        &mut self,
        (from, count): (usize, usize),
        level: u8,
        value: usize,
    ) -> bool {
        let mut other = value == 0;
        for place in from..from + count {
            let part = self.stack[place];
            let mut kid = part;
            if part & LEAF == 0 {
                let words = self.words(part);
                if words[0] as u8 == level {
                    kid = words[1 + value];
                    other |= kid != words[value];
                }
            }
            self.stack.push(kid);
        }
        other
    }
}
