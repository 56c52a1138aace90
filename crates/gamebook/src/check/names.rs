//! The names on the sheet, and which of them may have been meant.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::mistakes::Mistakes;
use crate::{Error, Manuscript};

/// The names on the sheet, by kind.
pub(super) struct Names<'m> {
    pub(super) stats: BTreeSet<&'m str>,
    /// The stats without a cap.
    pub(super) capless: BTreeSet<&'m str>,
    pub(super) items: BTreeSet<&'m str>,
    pub(super) flags: BTreeSet<&'m str>,
    pub(super) tags: BTreeSet<&'m str>,
    /// The pairs of letters that may still be compared for hints.
    patience: Cell<usize>,
}

/// The pairs of letters compared for all hints of a book: a tenth of a second's worth. A book with
/// a few slips takes a thousandth of that; one with hundreds of unknown names gets hints for the
/// first of them.
const PATIENCE: usize = 20_000_000;

impl<'m> Names<'m> {
    pub(super) fn of(manuscript: &'m Manuscript, mistakes: &mut Mistakes) -> Self {
        let sheet = &manuscript.sheet;
        let stats = sheet.stats.iter().map(|stat| stat.id.as_str());
        let items = sheet.items.iter().map(|item| item.id.as_str());
        let flags = sheet.flags.iter().map(String::as_str);
        let mut all = BTreeSet::new();
        for id in stats.clone().chain(items.clone()).chain(flags.clone()) {
            if id.trim().is_empty() {
                mistakes.add(Error::Invalid {
                    place: "the sheet".to_owned(),
                    field: "id".to_owned(),
                    problem: "the ids of stats, items and flags must not be blank",
                });
            } else if !all.insert(id) {
                mistakes.add(Error::DuplicateName { id: id.to_owned() });
            }
        }
        let tags = sheet.items.iter().flat_map(|item| &item.tags);
        let capless = sheet.stats.iter().filter(|stat| stat.cap.is_none());
        Names {
            stats: stats.collect(),
            capless: capless.map(|stat| stat.id.as_str()).collect(),
            items: items.collect(),
            flags: flags.collect(),
            tags: tags.map(String::as_str).collect(),
            patience: Cell::new(PATIENCE),
        }
    }

    /// Returns the names of a kind: of stats, items or flags, or else of tags.
    pub(super) fn of_kind(&self, kind: &str) -> &BTreeSet<&'m str> {
        match kind {
            "stat" => &self.stats,
            "item" => &self.items,
            "flag" => &self.flags,
            _ => &self.tags,
        }
    }

    /// Returns what may have been meant by a name that is not one of this kind: the same name of
    /// another kind, or a similar one of this kind.
    pub(super) fn hint(&self, kind: &str, id: &str) -> Option<String> {
        let kinds = ["stat", "item", "flag", "tag"];
        if let Some(other) = kinds.iter().find(|other| self.of_kind(other).contains(id)) {
            let article = if *other == "item" { "an" } else { "a" };
            return Some(format!("it is the name of {article} {other}"));
        }
        let similar = self.of_kind(kind).iter();
        let similar = similar.filter_map(|name| Some((self.slips(id, name)?, name)));
        let (_, nearest) = similar.min()?;
        Some(format!("did you mean \"{nearest}\"?"))
    }

    /// Returns how many letters to add, drop, change or swap to turn one name into the other; `None`
    /// if there are more than a slip makes: a third of the letters, but one of three at least.
    fn slips(&self, given: &str, name: &str) -> Option<usize> {
        // Nobody mistypes longer names, which take long to compare.
        let length = name.chars().take(LONGEST + 1).count();
        if !(3..=LONGEST).contains(&length) {
            return None;
        }
        let most = (length / 3).clamp(1, 3);
        // A name may be as long as a text, and need not be compared to its end then.
        let given: String = given.chars().take(length + most + 1).collect();
        let letters = given.chars().count();
        if letters.abs_diff(length) > most {
            return None;
        }
        self.patience
            .set(self.patience.get().checked_sub(letters * length)?);
        let slips = strsim::osa_distance(&given, name);
        (slips <= most).then_some(slips)
    }
}

/// The longest name that is compared with others.
const LONGEST: usize = 100;
