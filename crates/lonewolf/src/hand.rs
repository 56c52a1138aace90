//! A sheet that changes within a step, with a record of the questions asked about it, in terms of
//! the sheet at the beginning of the step.

use crate::sheet::{self, CHANGING, ENTRIES, Sheet};
use crate::{Discipline, Item, Slot};

/// The questions that were asked about the sheet at the beginning of a step. Every question is
/// whether an entry is at least some threshold, and each next question depends only on the answers
/// so far. Two sheets that give the same answers therefore have the same value.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    low: [u8; ENTRIES],
    high: [u8; ENTRIES],
    /// Entry, threshold and answer, in the order asked, without those that follow from earlier
    /// answers.
    pub(crate) questions: Vec<(u8, u8, bool)>,
    /// Whether questions are recorded.
    listening: bool,
}

impl Asked {
    pub(crate) fn listening() -> Self {
        Asked {
            low: [0; ENTRIES],
            high: [u8::MAX; ENTRIES],
            questions: Vec::new(),
            listening: true,
        }
    }

    /// Creates an instance that records nothing.
    pub(crate) fn deaf() -> Self {
        Asked {
            listening: false,
            ..Asked::listening()
        }
    }

    /// Notes that `entry` of the sheet at the beginning is (or is not) at least `threshold`.
    fn note(&mut self, entry: usize, threshold: u8, answer: bool) {
        if !self.listening || threshold <= self.low[entry] || threshold > self.high[entry] {
            return; // known
        }
        match answer {
            true => self.low[entry] = threshold,
            false => self.high[entry] = threshold - 1,
        }
        self.questions.push((entry as u8, threshold, answer));
    }
}

/// How the changing entries derive from those at the beginning: each was shifted and clamped,
/// `clamp(before + shift, low, high)`. Such maps are closed under composition, so a question about
/// the result is either a question about the beginning or already answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    shift: [i16; CHANGING],
    low: [u8; CHANGING],
    high: [u8; CHANGING],
}

impl Way {
    pub(crate) fn start() -> Self {
        Way {
            shift: [0; CHANGING],
            low: [0; CHANGING],
            high: [u8::MAX; CHANGING],
        }
    }

    fn change(&mut self, entry: usize, shift: i16, low: u8, high: u8) {
        let bound = |value: u8| {
            let value = i16::from(value).saturating_add(shift);
            value.clamp(low.into(), high.into()) as u8
        };
        self.low[entry] = bound(self.low[entry]);
        // An entry without an upper bound so far has no bound to shift.
        self.high[entry] = match self.high[entry] {
            u8::MAX => high,
            before => bound(before),
        };
        // If a shift is beyond all bounds, the bounds answer every question about the entry.
        self.shift[entry] = self.shift[entry].saturating_add(shift);
    }

    /// Translates a question about the sheet at the end of this way into one about its beginning.
    #[inline]
    pub(crate) fn ask_back(&self, asked: &mut Asked, entry: u8, threshold: u8, answer: bool) {
        let entry = usize::from(entry);
        if entry >= CHANGING {
            return asked.note(entry, threshold, answer);
        }
        if threshold <= self.low[entry] || threshold > self.high[entry] {
            return; // the way itself answers
        }
        let before = i16::from(threshold).saturating_sub(self.shift[entry]);
        asked.note(entry, before.clamp(0, 255) as u8, answer);
    }
}

/// A sheet, and the changes that led to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hand {
    pub(crate) sheet: Sheet,
    pub(crate) way: Way,
}

impl Hand {
    pub(crate) fn new(sheet: Sheet) -> Self {
        Hand {
            sheet,
            way: Way::start(),
        }
    }

    /// Returns whether an entry is at least `threshold`.
    #[inline]
    pub(crate) fn at_least(&self, asked: &mut Asked, entry: usize, threshold: u8) -> bool {
        let answer = self.sheet.0[entry] >= threshold;
        self.way.ask_back(asked, entry as u8, threshold, answer);
        answer
    }

    pub(crate) fn has(&self, asked: &mut Asked, item: Item) -> bool {
        self.at_least(asked, item.index(), 1)
    }

    pub(crate) fn knows(&self, asked: &mut Asked, discipline: Discipline) -> bool {
        match discipline {
            Discipline::Weaponskill(weapon) => self.weaponskill(asked) == Some(weapon),
            _ => self.at_least(asked, sheet::entry_of(discipline), 1),
        }
    }

    /// Returns the weapon of Weaponskill.
    pub(crate) fn weaponskill(&self, asked: &mut Asked) -> Option<Item> {
        let place = self.exactly(asked, sheet::WEAPONSKILL, 11);
        match place {
            0 => None,
            _ => Item::weapons().nth(usize::from(place) - 1),
        }
    }

    /// Returns the value of an entry that is at most `most`. It is found by bisection, so that the
    /// questions depend only on the answers.
    pub(crate) fn exactly(&self, asked: &mut Asked, entry: usize, most: u8) -> u8 {
        let (mut low, mut high) = (0, most);
        while low < high {
            let middle = high - (high - low) / 2;
            match self.at_least(asked, entry, middle) {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        low
    }

    fn change(&mut self, entry: usize, shift: i16, low: u8, high: u8) {
        let value = i16::from(self.sheet.0[entry]).saturating_add(shift);
        self.sheet.0[entry] = value.clamp(low.into(), high.into()) as u8;
        self.way.change(entry, shift, low, high);
    }

    pub(crate) fn set(&mut self, entry: usize, value: u8) {
        self.change(entry, 0, value, value);
    }

    /// Adds one or more of an item, up to the number of it that can be carried.
    pub(crate) fn gain(&mut self, asked: &mut Asked, item: Item, count: u8, several: bool) {
        let cap = sheet::cap(item, several);
        let Some(sum) = sheet::sum_of(item) else {
            return self.change(item.index(), count.into(), 0, cap);
        };
        for _ in 0..count {
            // The sum over the Backpack grows only if this entry does.
            if !self.at_least(asked, item.index(), cap) {
                self.change(item.index(), 1, 0, cap);
                self.change(sum, 1, 0, u8::MAX - 1);
            }
        }
    }

    /// Removes up to `count` of an item.
    pub(crate) fn lose(&mut self, asked: &mut Asked, item: Item, count: u8) {
        let down = -i16::from(count);
        let Some(sum) = sheet::sum_of(item) else {
            return self.change(item.index(), down, 0, u8::MAX - 1);
        };
        for _ in 0..count {
            if !self.has(asked, item) {
                return;
            }
            self.change(item.index(), -1, 0, u8::MAX - 1);
            self.change(sum, -1, 0, u8::MAX - 1);
        }
    }

    pub(crate) fn lose_all(&mut self, slot: Slot) {
        for item in Item::ALL.iter().filter(|item| item.slot() == slot) {
            self.set(item.index(), 0);
            if let Some(sum) = sheet::sum_of(*item) {
                self.set(sum, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        /// A question at the end of a way has the same answer as the translated question at its
        /// beginning.
        fn questions_go_back(gold: u8, steps: Vec<(bool, u8)>, threshold: u8) -> bool {
            let threshold = threshold % 60;
            let mut sheet = Sheet::empty();
            sheet.0[0] = gold % 51;
            let mut hand = Hand::new(sheet);
            let mut asked = Asked::listening();
            for (up, count) in steps.into_iter().take(8) {
                let count = count % 30;
                match up {
                    true => hand.gain(&mut asked, Item::Gold, count, false),
                    false => hand.lose(&mut asked, Item::Gold, count),
                }
            }
            let answer = hand.at_least(&mut asked, 0, threshold);
            asked.questions.iter().all(|&(entry, before, said)| {
                said == answer && (sheet.0[usize::from(entry)] >= before) == said
            })
        }
    }
}
