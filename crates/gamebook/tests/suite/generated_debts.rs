//! Steps on which a stat falls below 0, in books that use the whole format, compared with books in
//! which whoever falls is marked.

use std::collections::BTreeSet;

use crate::generated::Generated;
use crate::properties::drawn;
use oddsmith_gamebook::{Book, Finding, LintSearch, Place};
use oddsmith_mdp::{Node, Solver};
use quickcheck::{Arbitrary, Gen, TestResult};
use serde_json::{Value, json};

const LIMIT: usize = 20_000;
/// The flag of those who have fallen on the step that is watched.
const FALLEN: &str = "fallen";

/// Marks whoever falls because of these effects.
fn mark(effects: &mut Value, stat: &str) {
    let Value::Array(list) = effects else { return };
    for effect in list {
        let changes = |word: &str| effect.get(word).and_then(|stats| stats.get(stat));
        if changes("change").or(changes("set")).is_some() {
            let solvent = json!({ "at_least": { stat: 0 } });
            let fallen = json!({ "when": {
                "if": { "not": solvent },
                "then": [{ "set_flag": FALLEN }],
            } });
            let then = json!([effect, fallen]);
            *effect = json!({ "when": { "if": solvent, "then": then, "else": [effect] } });
            continue;
        }
        for (word, lists) in [("when", vec!["then", "else"]), ("repeat", vec!["effects"])] {
            for list in lists {
                if let Some(effects) = effect.get_mut(word).and_then(|one| one.get_mut(list)) {
                    mark(effects, stat);
                }
            }
        }
        if let Some(Value::Array(branches)) = effect.get_mut("random") {
            for branch in branches {
                branch
                    .get_mut("effects")
                    .into_iter()
                    .for_each(|effects| mark(effects, stat));
            }
        }
    }
}

/// Follows a path such as `choice[2].test.success`.
fn follow<'v>(value: &'v mut Value, path: &str) -> Option<&'v mut Value> {
    let words = path.split(['.', '[', ']']);
    let mut words = words.filter(|word| !word.is_empty());
    words.try_fold(value, |value, word| match value {
        Value::Array(list) => list.get_mut(word.parse::<usize>().ok()?),
        value => value.get_mut(word),
    })
}

/// Whether a stat falls on this step for somebody, and for somebody who is not dead then; `None` if
/// this cannot be marked, or takes long.
fn falls(generated: &Generated, section: u32, field: &str, stat: &str) -> Option<[bool; 2]> {
    let mut book = serde_json::to_value(&generated.manuscript).unwrap();
    book["sheet"]["flags"].as_array_mut()?.push(FALLEN.into());
    if let Some(refreshment) = field.strip_prefix("sheet.") {
        mark(
            &mut follow(&mut book["sheet"], refreshment)?["effects"],
            stat,
        );
    } else {
        let sheet = format!("{}", book["sheet"]["items"]);
        let sections = book["sections"].as_array_mut()?;
        let here = sections.iter_mut().find(|one| one["number"] == section)?;
        let leaves = here.get("leave").is_some();
        if field == "effects" {
            mark(&mut here["effects"], stat);
        } else if field == "to" || field.ends_with("shop") || leaves {
            return None;
        } else if field.ends_with("game.round") {
            for one in follow(here, field)?.as_array_mut()? {
                mark(&mut one["effects"], stat);
            }
        } else if field.contains("fight") && sheet.contains("after_fight") {
            return None;
        } else {
            mark(follow(follow(here, field)?, "effects")?, stat);
        }
    }
    let book = Book::from_json(&book.to_string(), "marked").ok()?;
    let solver = Solver::exact().max_states(2 * LIMIT).allow_cycles();
    let plan = book.solve_with(generated.hero(), solver).ok()?;
    let game = plan.solution().game();
    let states = plan.solution().states().map(|(place, _)| place);
    let mut fallen = states.filter(|place| game.has(place, FALLEN));
    let life = &generated.manuscript.rules.stamina;
    let alive = |place: Place| game.stat(&place, life).unwrap() > 0;
    let first = fallen.next();
    Some([first.is_some(), first.into_iter().chain(fallen).any(alive)])
}

/// Whether somebody can do all this, one after the other.
fn possible(generated: &Generated, way: &[(u32, String)]) -> bool {
    let book = generated.book();
    let game = book.game(generated.hero()).unwrap();
    let chance = ["fight", "chance decides", "go on", "play"];
    let next = |place: &Place, deed: Option<&str>| {
        let node = Node::of(&game, place).unwrap();
        let done = (0..node.len()).filter(|choice| match node.action(*choice) {
            Some(action) => deed == Some(&*action.to_string()),
            None => deed.is_none_or(|deed| chance.contains(&deed) || deed.starts_with("test ")),
        });
        let places = done.flat_map(|choice| node.wide_outcomes(choice).map(|(to, _)| *to));
        places.collect::<BTreeSet<Place>>()
    };
    // The dice on arrival at the start are not part of the way.
    let mut places = next(&game.start(), None);
    places.insert(game.start());
    way.iter().all(|(section, deed)| {
        let here = places.iter().filter(|place| place.section() == *section);
        places = here.flat_map(|place| next(place, Some(deed))).collect();
        !places.is_empty()
    })
}

/// How many steps are settled as they should be, either way; `None` if some are not, or if a way is
/// impossible. A search that was broken off leaves some open, but what it found is true.
fn settled(generated: &Generated) -> Option<[u32; 2]> {
    let book = generated.book();
    let lint = book.lint_up_to(generated.hero(), LIMIT).unwrap();
    let complete = matches!(lint.search(), Some(LintSearch::Complete { .. }));
    let found = |at: u32, path: &str, id: &str| {
        lint.findings().iter().any(|finding| match finding {
            Finding::FallsBelowZero {
                section,
                field,
                stat,
                ..
            } => {
                // A refreshment may be taken in several sections.
                let here = *section == at || path.starts_with("sheet.");
                here && field == path && stat == id
            }
            Finding::MayFallBelowZero { .. } => {
                assert!(!complete, "{lint}");
                false
            }
            _ => false,
        })
    };
    for finding in lint.findings() {
        if let Finding::FallsBelowZero { way, .. } | Finding::Stuck { way, .. } = finding
            && !possible(generated, way)
        {
            eprintln!("{finding}");
            return None;
        }
    }
    let mut count = [0; 2];
    for finding in book.lint().findings() {
        if let Finding::MayFallBelowZero {
            section,
            field,
            stat,
        } = finding
            && let Some([falls, survives]) = falls(generated, *section, field, stat)
        {
            let found = found(*section, field, stat);
            if found && !falls || complete && survives && !found {
                eprintln!("{finding}: {falls}, {survives}\n{lint}");
                return None;
            }
            count[usize::from(survives)] += u32::from(complete && falls == survives);
        }
    }
    Some(count)
}

#[test]
fn the_search_tells_who_falls_below_zero() {
    fn agrees(generated: Generated) -> TestResult {
        TestResult::from_bool(settled(&generated).is_some())
    }
    drawn(3_000).quickcheck(agrees as fn(Generated) -> TestResult);
}

/// Both must occur.
#[test]
fn some_fall_and_some_do_not() {
    let mut generator = Gen::from_size_and_seed(30, 2);
    let mut count = [0; 2];
    for _ in 0..4_000 {
        let here = settled(&Generated::arbitrary(&mut generator)).unwrap();
        count = [count[0] + here[0], count[1] + here[1]];
    }
    assert!(count.iter().all(|count| *count >= 10), "{count:?}");
}
