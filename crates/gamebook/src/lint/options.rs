//! Findings about single options.

use rustc_hash::FxHashSet;

use super::Analysis;
use super::flow::Edge;
use super::known::Known;
use crate::compiled::{CompiledOption, Scene, Test};
use crate::section::{Passage, Play};
use crate::{Book, Finding};

impl Analysis<'_> {
    /// Options that never open or always lose. `paths` are the paths of the scenes within their
    /// sections.
    pub(super) fn option_findings(&self, paths: &[String]) -> Vec<Finding> {
        let compiled = self.sheets.book;
        let mut findings = Vec::new();
        // The edges are sorted by scene, then by slot.
        let mut edges = self.edges.iter().zip(&self.needs.lost).peekable();
        for (scene, known) in self.flow.scenes.iter().enumerate() {
            let mut here = Vec::new();
            while let Some(next) = edges.next_if(|(edge, _)| edge.from == scene) {
                here.push(next);
            }
            let (Some(known), Some(path)) = (known, paths.get(scene)) else {
                continue;
            };
            let (options, word) = match &compiled.scenes[scene] {
                Scene::Choice(options) => (options, "choice"),
                Scene::First(cases) => (cases, "first"),
                _ => continue,
            };
            // The bounds of those for whom no earlier case applies.
            let mut past = Some(*known);
            let mut here = here.into_iter().peekable();
            for (slot, option) in options.iter().enumerate() {
                let section = compiled.numbers[scene];
                let field = format!("{path}{word}[{slot}]");
                let label = option.label.to_string();
                let taken = here.next_if(|(edge, _)| edge.slot == slot);
                let comes = past.is_some_and(|past| self.holds(option, past));
                past = past.and_then(|past| self.sheets.assume(option.condition?, false, past));
                if !self.holds(option, *known) {
                    findings.push(Finding::NeverOpen {
                        section,
                        field,
                        option: label,
                        lacks: option.condition.and_then(|c| self.lacks(c, known)),
                    });
                } else if word == "first" && !comes {
                    findings.push(Finding::Shadowed {
                        section,
                        field,
                        option: label,
                    });
                } else if word == "choice"
                    && self.needs.scenes[scene].is_some()
                    && taken.is_none_or(|(_, lost)| *lost)
                {
                    findings.push(Finding::SurelyLost {
                        section,
                        field,
                        option: label,
                        lacks: taken.and_then(|(edge, _)| self.lacking(edge)),
                    });
                }
            }
        }
        findings
    }

    /// Whether the condition of an option may hold.
    fn holds(&self, option: &CompiledOption, known: Known) -> bool {
        self.sheets.open(option.condition, known).is_some()
    }

    /// What nobody has and a condition needs.
    fn lacks(&self, condition: u32, known: &Known) -> Option<String> {
        let compiled = self.sheets.book;
        match &compiled.conditions[condition as usize] {
            Test::Has(mask) => self.name(mask & !known.may),
            Test::Holds(mask, count) => {
                // None of them is needed by itself if others would do.
                let all = mask.count_ones() == u32::from(*count);
                all.then(|| self.name(mask & !known.may)).flatten()
            }
            Test::AtLeast(stat, _) => Some(compiled.stats[usize::from(*stat)].id.to_string()),
            Test::All(parts) => parts
                .iter()
                .filter(|part| self.sheets.assume(**part, true, *known).is_none())
                .find_map(|part| self.lacks(*part, known)),
            Test::Any(_) | Test::Not(_) => None,
        }
    }

    /// What every victory after a step needs and nobody has then.
    fn lacking(&self, edge: &Edge) -> Option<String> {
        self.name(self.needs.scenes[edge.to]? & !edge.after.may)
    }

    /// The first of these items and flags.
    pub(super) fn name(&self, mask: u128) -> Option<String> {
        let name = self.sheets.book.bits.get(mask.trailing_zeros() as usize)?;
        (mask != 0).then(|| name.to_string())
    }

    /// The choices at which it cannot be proven that an option is always open.
    pub(super) fn suspects(&self) -> Vec<usize> {
        let scenes = self.flow.scenes.iter().enumerate();
        let suspects = scenes.filter_map(|(scene, known)| match &self.sheets.book.scenes[scene] {
            Scene::Choice(options) => known
                .is_some_and(|known| self.may_close(options, known))
                .then_some(scene),
            _ => None,
        });
        suspects.collect()
    }

    fn may_close(&self, options: &[CompiledOption], known: Known) -> bool {
        let conditions = &self.sheets.book.conditions;
        let asked: FxHashSet<Option<u32>> = options.iter().map(|one| one.condition).collect();
        // One option is always open, or one of two whose conditions are opposites.
        let opposite = |condition: u32| match conditions[condition as usize] {
            Test::Not(not) => asked.contains(&Some(not)),
            _ => false,
        };
        if asked.iter().any(|asked| asked.is_none_or(opposite)) {
            return false;
        }
        let closed = options.iter().filter_map(|option| option.condition);
        let mut closed = closed.into_iter();
        closed
            .try_fold(known, |known, condition| {
                self.sheets.assume(condition, false, known)
            })
            .is_some()
    }
}

/// By scene, its path within its section, with a trailing dot, in the order in which the compiler
/// numbers the scenes.
pub(super) fn paths(book: &Book) -> Vec<String> {
    let mut paths = vec![String::new(); book.len()];
    for (_, section) in book.sections() {
        within(&section.passage.play, "", &mut paths);
    }
    paths
}

/// The passages that may follow directly, with their fields.
pub(super) fn inner(play: &Play) -> Vec<(String, &Passage)> {
    match play {
        Play::Turn(_) | Play::Ending(_) => Vec::new(),
        Play::Choice(options) | Play::First(options) => {
            let word = if matches!(play, Play::Choice(_)) {
                "choice"
            } else {
                "first"
            };
            let options = options.iter().enumerate();
            let named = options.map(|(n, option)| (format!("{word}[{n}]"), &option.passage));
            named.collect()
        }
        Play::Test(test) => vec![
            ("test.success".into(), &test.success),
            ("test.failure".into(), &test.failure),
        ],
        Play::Fight(fight) => {
            let flee = fight.escape.as_ref();
            let flee = flee.map(|escape| ("fight.escape.flee".into(), &escape.flee));
            std::iter::once(("fight.victory".into(), &fight.victory))
                .chain(flee)
                .collect()
        }
        Play::Shop(shop) => vec![("shop.leave".into(), &shop.leave)],
        Play::Game(wager) => vec![("game.after".into(), &wager.after)],
        Play::Random(branches) => {
            let branches = branches.iter().enumerate();
            let named = branches.map(|(n, branch)| (format!("random[{n}]"), &branch.passage));
            named.collect()
        }
    }
}

fn within(play: &Play, path: &str, paths: &mut Vec<String>) {
    for (field, passage) in inner(play) {
        if !matches!(passage.play, Play::Turn(_)) {
            let path = format!("{path}{field}.");
            within(&passage.play, &path, paths);
            paths.push(path);
        }
    }
}
