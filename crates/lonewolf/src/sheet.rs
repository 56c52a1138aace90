//! An Action Chart in bytes, as the solvers use it.

use crate::{Discipline, Item, Knowledge, Slot};

/// The number of entries that can change.
pub(crate) const CHANGING: usize = DISCIPLINES;
/// The number of all entries.
pub(crate) const ENTRIES: usize = 48;

/// The entries: one for each item (in the order of [`Item`]), then these.
const KNOWLEDGE: usize = 30;
/// Whether a potion of strength is in effect.
pub(crate) const STRENGTH: usize = 34;
/// Whether a potent one is.
pub(crate) const POTENT: usize = 35;
/// The number of Backpack articles.
pub(crate) const ARTICLES: usize = 36;
/// The number of weapons.
pub(crate) const WEAPONS: usize = 37;
const DISCIPLINES: usize = 38;
/// 0 without Weaponskill; otherwise one more than the index of its weapon among the weapons.
pub(crate) const WEAPONSKILL: usize = 47;

/// The counts of everything except ENDURANCE, including the sums over the Backpack and over the
/// weapons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Sheet(pub(crate) [u8; ENTRIES]);

impl Sheet {
    pub(crate) fn empty() -> Self {
        Sheet([0; ENTRIES])
    }

    pub(crate) fn count(&self, item: Item) -> u8 {
        self.0[item.index()]
    }

    /// Adds items without checking any limit.
    pub(crate) fn put(&mut self, item: Item, count: u8) {
        self.0[item.index()] += count;
        if let Some(sum) = sum_of(item) {
            self.0[sum] += count;
        }
    }

    /// Removes all of an item.
    pub(crate) fn remove(&mut self, item: Item) {
        let held = std::mem::take(&mut self.0[item.index()]);
        if let Some(sum) = sum_of(item) {
            self.0[sum] -= held;
        }
    }

    pub(crate) fn learn_discipline(&mut self, discipline: Discipline) {
        match discipline {
            Discipline::Weaponskill(weapon) => {
                let place = Item::weapons().position(|other| other == weapon);
                self.0[WEAPONSKILL] = place.map_or(0, |place| place as u8 + 1);
            }
            _ => self.0[entry_of(discipline)] = 1,
        }
    }

    pub(crate) fn unlearn_discipline(&mut self, discipline: Discipline) {
        self.0[entry_of(discipline)] = 0;
    }

    pub(crate) fn has_discipline(&self, discipline: Discipline) -> bool {
        match discipline {
            Discipline::Weaponskill(weapon) => {
                let place = Item::weapons().position(|other| other == weapon);
                place.is_some_and(|place| self.0[WEAPONSKILL] == place as u8 + 1)
            }
            _ => self.0[entry_of(discipline)] > 0,
        }
    }
}

/// Returns the entry of a discipline. That of Weaponskill says in which weapon.
pub(crate) fn entry_of(discipline: Discipline) -> usize {
    discipline
        .place()
        .map_or(WEAPONSKILL, |place| DISCIPLINES + place)
}

pub(crate) fn entry_of_knowledge(knowledge: Knowledge) -> usize {
    KNOWLEDGE + knowledge as usize
}

/// Returns the entry that counts all items of its kind together.
pub(crate) fn sum_of(item: Item) -> Option<usize> {
    match item.slot() {
        Slot::Backpack => Some(ARTICLES),
        Slot::Weapons => Some(WEAPONS),
        Slot::Pouch | Slot::Special => None,
    }
}

/// Returns how many of an item can be carried.
pub(crate) fn cap(item: Item, several: bool) -> u8 {
    match item {
        Item::Gold => 50,
        Item::Meal | Item::Laumspur | Item::Sundry => 15,
        _ if several => match item.slot() {
            Slot::Backpack => 15,
            Slot::Weapons => 2,
            Slot::Pouch | Slot::Special => 1,
        },
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_do_not_overlap() {
        assert!(Item::ALL.len() <= KNOWLEDGE);
        assert!(entry_of_knowledge(Knowledge::Way) < STRENGTH);
        assert_eq!(DISCIPLINES + Discipline::PLAIN.len(), WEAPONSKILL);
        assert_eq!(WEAPONSKILL + 1, ENTRIES);
    }

    /// The largest possible numbers of all items fit the entry that counts them together.
    #[test]
    fn sums_fit_their_entry() {
        for slot in [Slot::Backpack, Slot::Weapons] {
            let items = Item::ALL.iter().filter(|item| item.slot() == slot);
            let most: u32 = items.map(|&item| u32::from(cap(item, true))).sum();
            assert!(most < u8::MAX.into(), "{most}");
        }
    }
}
