//! What is known about a step, found by the questions that matter there.
//!
//! Each step has a decision tree: a rung asks whether an entry of the sheet is at least a
//! threshold, and a leaf holds the number of a result. A sheet descends the tree by its answers.
//! Where it ends, some sheet with the same answers has been before. Since nothing else was asked
//! then, the result is the same.

use crate::program::StepId;
use crate::sheet::Sheet;

#[derive(Clone, Copy, Debug)]
struct Rung {
    entry: u8,
    threshold: u8,
    /// Where to continue if the answer is no, and if it is yes.
    ways: [Way; 2],
}

/// Nothing yet, a rung, or a leaf, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way(u32);

const LEAF: u32 = 1 << 31;
const NOWHERE: Way = Way(0);

#[derive(Clone, Debug)]
pub(crate) struct Ladders {
    rungs: Vec<Rung>,
    roots: Vec<Way>,
}

impl Ladders {
    pub(crate) fn new(steps: usize) -> Self {
        let unused = Rung {
            entry: 0,
            threshold: 0,
            ways: [NOWHERE; 2],
        };
        Ladders {
            // Way 0 is nowhere, so rung 0 is never used.
            rungs: vec![unused],
            roots: vec![NOWHERE; steps],
        }
    }

    /// Returns the result for this sheet, if it is known.
    #[inline]
    pub(crate) fn find(&self, step: StepId, sheet: &Sheet) -> Option<u32> {
        let mut way = self.roots[step as usize];
        loop {
            match way {
                NOWHERE => return None,
                Way(leaf) if leaf & LEAF != 0 => return Some(leaf & !LEAF),
                Way(rung) => {
                    let rung = &self.rungs[rung as usize];
                    let answer = sheet.0[usize::from(rung.entry)] >= rung.threshold;
                    way = rung.ways[usize::from(answer)];
                }
            }
        }
    }

    /// Reports the questions asked about this sheet, which must have been found.
    pub(crate) fn questions(
        &self,
        step: StepId,
        sheet: &Sheet,
        mut tell: impl FnMut(u8, u8, bool),
    ) {
        let mut way = self.roots[step as usize];
        while way != NOWHERE && way.0 & LEAF == 0 {
            let rung = &self.rungs[way.0 as usize];
            let answer = sheet.0[usize::from(rung.entry)] >= rung.threshold;
            tell(rung.entry, rung.threshold, answer);
            way = rung.ways[usize::from(answer)];
        }
    }

    /// Stores a result for all sheets that answer these questions in the same way. Returns `false`
    /// if the questions are not those asked of earlier sheets, or if there is no more room; neither
    /// happens in practice.
    #[must_use]
    pub(crate) fn insert(
        &mut self,
        step: StepId,
        questions: &[(u8, u8, bool)],
        result: u32,
    ) -> bool {
        let mut at: Option<(usize, usize)> = None;
        for &(entry, threshold, answer) in questions {
            let way = self.way(step, at);
            let rung = match way {
                NOWHERE => {
                    let rung = self.rungs.len();
                    if rung >= LEAF as usize {
                        return false;
                    }
                    self.rungs.push(Rung {
                        entry,
                        threshold,
                        ways: [NOWHERE; 2],
                    });
                    self.set(step, at, Way(rung as u32));
                    rung
                }
                Way(leaf) if leaf & LEAF != 0 => return false,
                Way(rung) => {
                    let known = &self.rungs[rung as usize];
                    if (known.entry, known.threshold) != (entry, threshold) {
                        return false;
                    }
                    rung as usize
                }
            };
            at = Some((rung, usize::from(answer)));
        }
        if self.way(step, at) != NOWHERE || result >= LEAF {
            return false;
        }
        self.set(step, at, Way(result | LEAF));
        true
    }

    fn way(&self, step: StepId, at: Option<(usize, usize)>) -> Way {
        match at {
            None => self.roots[step as usize],
            Some((rung, answer)) => self.rungs[rung].ways[answer],
        }
    }

    fn set(&mut self, step: StepId, at: Option<(usize, usize)>, way: Way) {
        match at {
            None => self.roots[step as usize] = way,
            Some((rung, answer)) => self.rungs[rung].ways[answer] = way,
        }
    }

    pub(crate) fn rungs(&self) -> usize {
        self.rungs.len() - 1
    }
}
