//! The search for stuck readers.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use oddsmith_mdp::Node;
use rustc_hash::FxBuildHasher;

use crate::{BookGame, Error, Place};

/// How far the search for stuck readers got.
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
    /// Nobody is ever stuck, except as the findings say. This is proven after visiting `places`
    /// places; 0 if the bounds alone show it.
    Complete {
        /// The number of places visited.
        places: usize,
    },
    /// The limit was reached. The findings are true, but there may be more.
    Unknown {
        /// The number of places visited.
        places: usize,
    },
}

/// By scene in which someone is stuck, a shortest way there.
pub(super) type Ways = BTreeMap<usize, Vec<(u32, String)>>;

/// Searches breadth first, so the first way found is a shortest one, and only through scenes that
/// lead to a suspect.
pub(super) fn search(
    game: &BookGame,
    suspects: &[usize],
    leads: &[bool],
    limit: usize,
) -> Result<(Ways, StuckSearch), Error> {
    let mut ways = Ways::new();
    // By place, the index of its predecessor and the choice that led here.
    let mut seen: IndexMap<Place, (usize, usize), FxBuildHasher> = IndexMap::default();
    if !suspects.is_empty() && limit > 0 {
        seen.insert(game.start(), (0, 0));
    }
    let mut complete = suspects.is_empty() || limit > 0;
    let mut next = 0;
    'search: while let Some((&place, _)) = seen.get_index(next) {
        let node = Node::of(game, &place)?;
        let scene = place.scene as usize;
        if node.is_empty() && suspects.contains(&scene) && !ways.contains_key(&scene) {
            ways.insert(scene, retrace(game, &seen, next)?);
            if ways.len() == suspects.len() {
                break;
            }
        }
        for choice in 0..node.len() {
            for (to, _) in node.wide_outcomes(choice) {
                if !leads[to.scene as usize] || seen.contains_key(to) {
                    continue;
                }
                if seen.len() == limit {
                    complete = false;
                    break 'search;
                }
                seen.insert(*to, (next, choice));
            }
        }
        next += 1;
    }
    let places = seen.len();
    let state = if complete {
        StuckSearch::Complete { places }
    } else {
        StuckSearch::Unknown { places }
    };
    Ok((ways, state))
}

fn retrace(
    game: &BookGame,
    seen: &IndexMap<Place, (usize, usize), FxBuildHasher>,
    mut at: usize,
) -> Result<Vec<(u32, String)>, Error> {
    let mut way = Vec::new();
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
