//! The search for readers who get stuck or into debt.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use oddsmith_mdp::Node;
use rustc_hash::FxBuildHasher;

use super::Analysis;
use super::below_zero::{Debt, Step};
use super::watch::Watched;
use crate::{BookGame, Error, Finding, Place};

/// How far the search got for readers who get stuck, or a stat of whom falls below 0.
///
/// # Examples
/// A hero who was hurt by the trap cannot climb. Three places suffice to find this, two do not:
/// ```
/// use oddsmith_gamebook::{Choice, Condition, Passage, StuckSearch};
/// # use oddsmith_fightingfantasy::Hero;
/// # use oddsmith_gamebook::{Book, Effect, Manuscript, Play, Section, Branch};
///
/// let climb = Choice::new("climb", Passage::won()).when(Condition::at_least("stamina", 5));
/// # let trap = Passage { effects: vec![Effect::change("stamina", -2)], ..Passage::to(2) };
/// # let trap = vec![Branch { weight: 1, passage: trap }, Branch { weight: 1, passage: Passage::to(2) }];
/// # let mut book = Manuscript::new("ladder");
/// # book.sections = vec![Section::new(1, Play::Random(trap).into()), Section::new(2, Play::Choice(vec![climb]).into())];
/// # let book = Book::new(book)?;
/// let search = |limit| book.lint_up_to(Hero::new(7, 6, 7)?, limit).map(|lint| lint.search());
/// assert_eq!(search(2)?, Some(StuckSearch::Unknown { places: 2 }));
/// assert_eq!(search(3)?, Some(StuckSearch::Complete { places: 3 }));
/// # Ok::<(), oddsmith_gamebook::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum StuckSearch {
    /// Nobody is ever stuck, and no stat falls below 0, except as the findings say. This is proven
    /// after visiting `places` places; 0 if the bounds alone show it.
    Complete {
        /// The number of places visited.
        places: usize,
    },
    /// The limit was reached. The findings are true, but there may be more.
    Unknown {
        /// The number of places visited.
        places: usize,
    },
    /// What happens in this section cannot be followed: a stat without a cap or a floor leaves the
    /// range of 16 bits, or one effect leads to more than 100,000 sheets. The findings are true, but
    /// there may be more.
    NotFollowed {
        /// The number of places visited.
        places: usize,
        /// The first such section that was found.
        section: u32,
    },
}

/// Sections, and what is done in each.
pub(super) type Way = Vec<(u32, String)>;

/// What is searched for, and where.
pub(super) struct Search<'s> {
    pub(super) game: &'s BookGame,
    /// The choices at which readers may be stuck.
    pub(super) suspects: &'s [usize],
    pub(super) watched: &'s Watched<'s>,
    /// By scene, whether any of these may come after it.
    pub(super) leads: &'s [bool],
}

/// What was found, each with a shortest way there.
#[derive(Default)]
pub(super) struct Found {
    /// By scene in which somebody is stuck.
    pub(super) stuck: BTreeMap<usize, Way>,
    /// With the section of the step; the way includes the step itself.
    pub(super) debts: BTreeMap<Debt, (u32, Way)>,
}

/// By place, the index of its predecessor and the choice that led here.
type Seen = IndexMap<Place, (usize, usize), FxBuildHasher>;

impl Search<'_> {
    /// Searches breadth first, so the first way found is a shortest one, and only through scenes
    /// that lead to what is searched for.
    pub(super) fn run(&self, limit: usize) -> Result<(Found, StuckSearch), Error> {
        let (suspects, debts) = (self.suspects.len(), self.watched.debts().len());
        let (mut found, mut seen) = (Found::default(), Seen::default());
        let nothing = suspects + debts == 0;
        if !nothing && limit > 0 {
            seen.insert(self.game.start(), (0, 0));
        }
        let (mut complete, mut broken) = (nothing || limit > 0, None);
        let mut next = 0;
        'search: while let Some((&place, _)) = seen.get_index(next) {
            next += 1;
            let Ok(node) = Node::of(&self.watched.game, &place) else {
                broken = broken.or(Some(place.section()));
                continue;
            };
            let scene = place.scene as usize;
            let stuck = node.is_empty() && self.suspects.contains(&scene);
            if stuck && !found.stuck.contains_key(&scene) {
                found
                    .stuck
                    .insert(scene, retrace(self.game, &seen, next - 1)?);
            }
            for (debt, fall) in self.watched.made(&place) {
                if let Entry::Vacant(entry) = found.debts.entry(debt) {
                    let mut way = retrace(self.game, &seen, next - 1)?;
                    if !place.is_arriving() {
                        way.push((place.section(), self.watched.deed(&place, &node, fall)));
                    }
                    let section = match debt.step {
                        Step::Refreshment(_) => place.section(),
                        _ => self.game.compiled.numbers[debt.scene],
                    };
                    entry.insert((section, way));
                }
            }
            if (found.stuck.len(), found.debts.len()) == (suspects, debts) {
                break;
            }
            for choice in 0..node.len() {
                for (to, _) in node.wide_outcomes(choice) {
                    if !self.leads[to.scene as usize] || seen.contains_key(to) {
                        continue;
                    }
                    if seen.len() == limit {
                        complete = false;
                        break 'search;
                    }
                    seen.insert(*to, (next - 1, choice));
                }
            }
        }
        let places = seen.len();
        let state = match broken {
            _ if !complete => StuckSearch::Unknown { places },
            Some(section) => StuckSearch::NotFollowed { places, section },
            None => StuckSearch::Complete { places },
        };
        Ok((found, state))
    }
}

impl Analysis<'_> {
    /// The findings with what was found: first who gets stuck, then all others in their order. If
    /// the search is complete, what was not found does not happen. `paths` are the paths of the
    /// scenes within their sections.
    pub(super) fn settle(
        &self,
        findings: Vec<Finding>,
        found: Found,
        complete: bool,
        paths: &[String],
    ) -> Vec<Finding> {
        let stuck = found.stuck.into_iter().map(|(scene, way)| Finding::Stuck {
            section: self.sheets.book.numbers[scene],
            way,
        });
        let mut settled: Vec<Finding> = stuck.collect();
        settled.sort();
        let debts = found.debts.into_iter();
        let debts = debts.map(|(debt, way)| (self.may_fall(&debt, paths), way));
        let mut debts: BTreeMap<Finding, (u32, Way)> = debts.collect();
        let stuck: BTreeSet<u32> = settled
            .iter()
            .flat_map(Finding::sections)
            .copied()
            .collect();
        let others = findings.into_iter().filter_map(|finding| {
            let fallen = debts.remove(&finding);
            match (finding, fallen) {
                (Finding::MayFallBelowZero { field, stat, .. }, Some((section, way))) => {
                    Some(Finding::FallsBelowZero {
                        section,
                        field,
                        stat,
                        way,
                    })
                }
                (Finding::MayFallBelowZero { .. }, None) if complete => None,
                (Finding::MayBeStuck { section }, _) if complete || stuck.contains(&section) => {
                    None
                }
                (finding, _) => Some(finding),
            }
        });
        settled.extend(others);
        settled
    }
}

fn retrace(game: &BookGame, seen: &Seen, mut at: usize) -> Result<Way, Error> {
    let mut way = Way::new();
    while at > 0
        && let Some((_, &(from, choice))) = seen.get_index(at)
        && let Some((place, _)) = seen.get_index(from)
    {
        at = from;
        // Dice on arrival are not a deed of their own: they belong to what led there. Only the
        // start has nothing before it.
        if place.is_arriving() {
            continue;
        }
        let node = Node::of(game, place)?;
        let deed = match node.action(choice) {
            Some(decided) => decided.to_string(),
            None => game.deed(place, None).to_string(),
        };
        way.push((place.section(), deed));
    }
    way.reverse();
    Ok(way)
}
