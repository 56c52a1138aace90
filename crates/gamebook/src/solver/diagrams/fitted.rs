//! Restricting diagrams to the sheets that can occur.

use crate::solver::diagrams::gates::{Gate, NO, YES};
use crate::solver::diagrams::memo::Memo;
use crate::solver::diagrams::{BEHIND, Diagram, Diagrams, STATS};

impl Diagrams {
    /// A diagram that is the same where `care` is open and arbitrary elsewhere, without the
    /// questions that only distinguish impossible sheets (Coudert and Madre, 1990).
    pub(crate) fn fit(&mut self, diagram: Diagram, care: Gate) -> Diagram {
        self.remember(
            |memos| &mut memos.two,
            |diagrams, memo| diagrams.fitted(diagram, care, memo),
        )
    }

    fn fitted(&mut self, diagram: Diagram, care: Gate, memo: &mut Memo<2>) -> Diagram {
        let level = self.level(diagram);
        if level >= STATS || care == NO || care == YES {
            return diagram;
        }
        if let Some(known) = memo.get([diagram, care]) {
            return known;
        }
        if !self.room(memo.bytes()) {
            return diagram;
        }
        let asked = self.gates.parts(care).map_or(BEHIND, |parts| parts.0);
        let cares = self.gates.kids(care, asked.min(level));
        let result = if asked < level {
            let care = self.gates.or(cares[0], cares[1]);
            self.fitted(diagram, care, memo)
        } else {
            let kids = self.kids(diagram, level);
            match cares {
                [NO, care] => self.fitted(kids[1], care, memo),
                [care, NO] => self.fitted(kids[0], care, memo),
                cares => {
                    let without = self.fitted(kids[0], cares[0], memo);
                    let with = self.fitted(kids[1], cares[1], memo);
                    self.node(level, &[without, with])
                }
            }
        };
        memo.insert([diagram, care], result);
        result
    }
}
