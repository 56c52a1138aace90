//! The search for readers who get stuck or into debt.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use oddsmith_mdp::Node;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Analysis;
use super::below_zero::{Debt, Debts, Step, Steps};
use super::watch::Watched;
use crate::{BookGame, Error, Finding, Place};

/// How far the search got for readers who get stuck, or a stat of whom falls below 0.
///
/// # Examples
/// A hero who was hurt by the trap cannot climb. Three places suffice to find this, two do not:
/// ```
/// use oddsmith_gamebook::{Choice, Condition, Passage, LintSearch};
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
/// assert_eq!(search(2)?, Some(LintSearch::Unknown { places: 2 }));
/// assert_eq!(search(3)?, Some(LintSearch::Complete { places: 3 }));
/// # Ok::<(), oddsmith_gamebook::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum LintSearch {
    /// Nobody is ever stuck, and nobody makes debts in the sense of
    /// [`MayFallBelowZero`](Finding::MayFallBelowZero), except as the findings say. This is proven
    /// after visiting `places` places; 0 if the bounds alone show it.
    Complete {
        /// The number of places visited.
        places: usize,
    },
    /// The limit was reached, of places or of the deeds on all ways together. The findings are true,
    /// but there may be more.
    Unknown {
        /// The number of places visited.
        places: usize,
    },
    /// What happens in this section cannot be followed: a stat without a cap or a floor leaves the
    /// range of 16 bits, or too many outcomes are possible at once. The findings are true, but there
    /// may be more, and shorter ways.
    NotFollowed {
        /// The number of places visited.
        places: usize,
        /// The first such section that was found.
        section: u32,
    },
}

/// Sections, and what is done in each.
type Deeds = Vec<(u32, String)>;

/// The most deeds on all ways together, or the limit of places if that is more. Otherwise, long ways
/// to many findings would fill the memory.
const MOST_DEEDS: usize = 1_000_000;

/// What is searched for, and where.
pub(super) struct Search<'s> {
    pub(super) game: &'s BookGame,
    /// The choices at which readers may be stuck.
    pub(super) suspects: &'s [usize],
    pub(super) debts: &'s Debts,
    pub(super) steps: Steps<'s>,
    /// By scene, whether it, or a scene that may follow it, is a suspect or makes debts.
    pub(super) leads: &'s [bool],
}

/// What was found, each with a shortest way there.
#[derive(Default)]
pub(super) struct Found {
    /// By scene in which somebody is stuck.
    stuck: BTreeMap<usize, Deeds>,
    /// With the section of the step; the way includes the step itself.
    debts: BTreeMap<Debt, (u32, Deeds)>,
}

/// How the search came to a place.
#[derive(Clone, Copy, Default)]
struct Origin {
    /// The index of the place before.
    place: usize,
    choice: usize,
    /// The number of places before.
    depth: usize,
}

type Seen = IndexMap<Place, Origin, FxBuildHasher>;

impl Search<'_> {
    /// Searches breadth first, so the first way found is a shortest one, and only through scenes
    /// that lead to what is searched for.
    pub(super) fn run(&self, limit: usize) -> Result<(Found, LintSearch), Error> {
        let wanted = (self.suspects.len(), self.debts.all.len());
        if wanted == (0, 0) {
            return Ok((Found::default(), LintSearch::Complete { places: 0 }));
        }
        if limit == 0 {
            return Ok((Found::default(), LintSearch::Unknown { places: 0 }));
        }
        let watched = Watched::new(self.game, self.debts, &self.steps);
        let mut seen = Seen::default();
        seen.insert(self.game.start(), Origin::default());
        // By what was found, the index of the place, and the choice by which a debt is made.
        let (mut stuck, mut debts) = (BTreeMap::new(), BTreeMap::new());
        let (mut next, mut deeds) = (0, 0);
        let (mut all_found, mut broken, mut full) = (false, None, false);
        'search: while let Some((&place, &origin)) = seen.get_index(next) {
            let here = next;
            next += 1;
            let Some((node, made)) = watched.expand(&place) else {
                broken = broken.or(Some(place.section()));
                continue;
            };
            let scene = place.scene as usize;
            // Whether there is room for one more way to this place.
            let mut room = || {
                deeds += origin.depth + 1;
                full |= deeds > MOST_DEEDS.max(limit);
                !full
            };
            if node.is_empty()
                && self.suspects.contains(&scene)
                && let Entry::Vacant(entry) = stuck.entry(scene)
                && room()
            {
                entry.insert(here);
            }
            for (debt, choice) in made {
                if let Entry::Vacant(entry) = debts.entry(debt)
                    && room()
                {
                    entry.insert((here, choice));
                }
            }
            all_found = (stuck.len(), debts.len()) == wanted;
            if all_found || full {
                break;
            }
            for choice in 0..node.len() {
                for (to, _) in node.wide_outcomes(choice) {
                    if !self.leads[to.scene as usize] || seen.contains_key(to) {
                        continue;
                    }
                    full = seen.len() == limit;
                    if full {
                        break 'search;
                    }
                    let origin = Origin {
                        place: here,
                        choice,
                        depth: origin.depth + 1,
                    };
                    seen.insert(*to, origin);
                }
            }
        }
        let places = seen.len();
        let state = match broken {
            _ if all_found => LintSearch::Complete { places },
            _ if full => LintSearch::Unknown { places },
            Some(section) => LintSearch::NotFollowed { places, section },
            None => LintSearch::Complete { places },
        };
        let mut retrace = Retrace {
            game: self.game,
            seen: &seen,
            deeds: FxHashMap::default(),
        };
        let mut found = Found::default();
        for (scene, at) in stuck {
            found.stuck.insert(scene, retrace.way(at)?);
        }
        for (debt, (at, choice)) in debts {
            let mut way = retrace.way(at)?;
            way.extend(retrace.deed(at, choice)?);
            let section = match (debt.step, seen.get_index(at)) {
                (Step::Refreshment(_), Some((place, _))) => place.section(),
                _ => self.game.compiled.numbers[debt.scene],
            };
            found.debts.insert(debt, (section, way));
        }
        Ok((found, state))
    }
}

/// The ways that the search has taken.
struct Retrace<'s> {
    game: &'s BookGame,
    seen: &'s Seen,
    /// Those known by now, by place and choice.
    deeds: FxHashMap<(usize, usize), (u32, String)>,
}

impl Retrace<'_> {
    /// The way to a place.
    fn way(&mut self, mut at: usize) -> Result<Deeds, Error> {
        let mut way = Deeds::new();
        while at > 0
            && let Some((_, origin)) = self.seen.get_index(at)
        {
            way.extend(self.deed(origin.place, origin.choice)?);
            at = origin.place;
        }
        way.reverse();
        Ok(way)
    }

    /// What is done at a place. Dice on arrival are not a deed of their own: they belong to what led
    /// there. Only the start has nothing before it.
    fn deed(&mut self, at: usize, choice: usize) -> Result<Option<(u32, String)>, Error> {
        let Some((place, _)) = self
            .seen
            .get_index(at)
            .filter(|(one, _)| !one.is_arriving())
        else {
            return Ok(None);
        };
        if let Some(known) = self.deeds.get(&(at, choice)) {
            return Ok(Some(known.clone()));
        }
        let node = Node::of(self.game, place)?;
        let deed = match node.action(choice) {
            Some(decided) => decided.to_string(),
            None => self.game.deed(place, None).to_string(),
        };
        let deed = (place.section(), deed);
        self.deeds.insert((at, choice), deed.clone());
        Ok(Some(deed))
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
        let mut debts: BTreeMap<Finding, (u32, Deeds)> = debts.collect();
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
        let mut others: Vec<Finding> = others.collect();
        // A refreshment may be told for another section than before. Debts come last within a
        // section, and items and cycles after all sections.
        others.sort_by_key(|finding| match finding {
            Finding::Cycle { .. } => (2, 0, false),
            finding => match finding.sections().first() {
                Some(section) => {
                    let debt = matches!(
                        finding,
                        Finding::FallsBelowZero { .. } | Finding::MayFallBelowZero { .. }
                    );
                    (0, *section, debt)
                }
                None => (1, 0, false),
            },
        });
        settled.extend(others);
        settled
    }
}
