//! The linter's findings about books that use the whole format, compared with everything that can
//! happen in the game.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::generated::{Generated, simpler};
use crate::properties::drawn;
use num_traits::Zero;
use oddsmith_gamebook::{
    Book, BookPlan, Character, Ending, Finding, Lint, LintSearch, Passage, Place, Play,
};
use oddsmith_mdp::{Cyclic, Exact, Node, Solver};
use quickcheck::{Arbitrary, Gen, TestResult};
use serde_json::{Value, json};

type Plan = BookPlan<Cyclic<Exact>>;

/// `None` beyond this number of states, or if readers can be caught in a cycle forever.
const LIMIT: usize = 20_000;

fn plan(generated: &Generated, hero: Character) -> Option<Plan> {
    let solver = Solver::exact().max_states(LIMIT).allow_cycles();
    generated.book().solve_with(hero, solver).ok()
}

/// The places at which an option of this name is open, with its value there.
fn taken(plan: &Plan, section: u32, option: &str) -> Vec<bool> {
    let places = plan.solution().states();
    let places = places.filter(|(place, _)| place.section() == section);
    let choices = places.flat_map(|(place, _)| plan.solution().choices(&place).unwrap());
    let taken = choices.filter(|choice| choice.action.label() == option);
    taken.map(|choice| choice.value.is_zero()).collect()
}

/// Whether a finding is true for this hero; `None` if that is not tested here.
fn holds(generated: &Generated, plan: &Plan, finding: &Finding) -> Option<bool> {
    let game = plan.solution().game();
    let places = |section| plan.places(section).unwrap();
    Some(match finding {
        // A hero who dies on arrival at the start has visited nothing.
        Finding::Unreachable { section } => places(*section).is_empty(),
        Finding::Hopeless { section } => places(*section).iter().all(|(_, value)| value.is_zero()),
        Finding::DeadEnd { section } => places(*section).iter().all(|(place, _)| {
            let node = Node::of(game, place).unwrap();
            let mut outcomes = (0..node.len()).flat_map(|choice| node.wide_outcomes(choice));
            outcomes.all(|(to, _)| to.section() == *section)
        }),
        // Other options may have the same name if the book gives them none.
        Finding::NeverOpen {
            section,
            option,
            field,
            ..
        } if option.starts_with("way") && !field.contains("first") => {
            taken(plan, *section, option).is_empty()
        }
        Finding::SurelyLost {
            section, option, ..
        } if option.starts_with("way") => {
            taken(plan, *section, option).into_iter().all(|lost| lost)
        }
        Finding::MustPass { section } => {
            let mut deadly = generated.clone();
            let mut sections = deadly.manuscript.sections.iter_mut();
            let found = sections.find(|found| found.number == *section).unwrap();
            found.passage = Passage::lost();
            self::plan(&deadly, deadly.hero())?.value().is_zero()
        }
        Finding::Unobtainable { item } => {
            let mut states = plan.solution().states();
            !states.any(|(place, _)| game.has(&place, item))
        }
        // Nobody reaches the other outcome, even if it were the only victory.
        Finding::Foregone {
            section,
            field,
            passed,
        } if field == "test" => !generated.comes(*section, |play| match play {
            Play::Test(test) => Some(match passed {
                true => &mut test.failure,
                false => &mut test.success,
            }),
            _ => None,
        })?,
        Finding::Unwinnable { section, field } if field == "fight" => {
            !generated.comes(*section, |play| match play {
                Play::Fight(fight) => Some(&mut fight.victory),
                _ => None,
            })?
        }
        Finding::Unread { item, shields } => {
            // A hero who has it cannot buy it to get rid of money.
            let book = format!("{:?}", generated.manuscript);
            if *shields || book.contains(&format!("Item({item:?})")) {
                return None;
            }
            // It makes no difference if nobody ever gets it.
            let mut book = serde_json::to_value(&generated.manuscript).unwrap();
            never_gained(&mut book, item);
            let book = Book::from_json(&book.to_string(), "without").ok()?;
            let solver = Solver::exact().max_states(LIMIT).allow_cycles();
            let solved = book.solve_with(generated.hero(), solver).ok()?;
            solved.value() == plan.value()
        }
        Finding::MustHave { item } => {
            if game.has(&game.start(), item) {
                return None;
            }
            // A hero who has never had it does not win any more.
            let mut book = serde_json::to_value(&generated.manuscript).unwrap();
            lost_without(&mut book, item)?;
            book["sheet"]["flags"].as_array_mut()?.push(HAD.into());
            let book = Book::from_json(&book.to_string(), "watched").unwrap();
            let solver = Solver::exact().max_states(LIMIT).allow_cycles();
            let solved = book.solve_with(generated.hero(), solver);
            solved.ok()?.value().is_zero()
        }
        Finding::Cycle {
            sections,
            bounded_by,
        } if sections.len() > 1 && !bounded_by.is_empty() => !comes_back(plan, sections)?,
        _ => return None,
    })
}

fn never_gained(book: &mut Value, bit: &str) {
    match book {
        Value::Array(list) => {
            list.retain(|one| one.get("gain").or(one.get("set_flag")) != Some(&bit.into()));
            list.iter_mut().for_each(|one| never_gained(one, bit));
        }
        Value::Object(fields) => fields.values_mut().for_each(|one| never_gained(one, bit)),
        _ => {}
    }
}

/// Whether something was held, in a book that records it.
const HAD: &str = "had";

/// Turns all winners who have had an item or a flag into losers. `None` if it can also be obtained
/// unnoticed.
fn lost_without(book: &mut Value, bit: &str) -> Option<()> {
    match book {
        Value::Array(list) => {
            let mut watched = Vec::new();
            for mut one in std::mem::take(list) {
                lost_without(&mut one, bit)?;
                let brings = one.get("gain").or(one.get("set_flag")) == Some(&bit.into());
                watched.push(one);
                if brings {
                    watched.push(json!({ "set_flag": HAD }));
                }
            }
            *list = watched;
        }
        Value::Object(fields) => {
            let sold = fields.get("sells").and_then(Value::as_array);
            let mut sold = sold.into_iter().flatten();
            if fields.get("mark") == Some(&bit.into())
                || sold.any(|ware| ware["ware"]["item"] == bit)
            {
                return None;
            }
            for field in fields.values_mut() {
                lost_without(field, bit)?;
            }
            if fields.get("ending") == Some(&"won".into()) {
                fields.remove("ending");
                let had = json!({ "if": { "flag": HAD }, "ending": "lost" });
                fields.insert("first".into(), json!([had, { "ending": "won" }]));
            }
        }
        _ => {}
    }
    Some(())
}

/// Whether somebody can go from one of some sections through another one back to the very same
/// place; `None` if finding out would take long.
fn comes_back(plan: &Plan, sections: &[u32]) -> Option<bool> {
    let game = plan.solution().game();
    let places = plan.solution().states().map(|(place, _)| place);
    let places: Vec<Place> = places
        .filter(|place| sections.contains(&place.section()))
        .collect();
    if places.len() > 300 {
        return None;
    }
    let number: HashMap<Place, usize> = places.iter().copied().zip(0..).collect();
    let next: Vec<Vec<usize>> = places
        .iter()
        .map(|place| {
            let node = Node::of(game, place).unwrap();
            let outcomes = (0..node.len()).flat_map(|choice| node.wide_outcomes(choice));
            let ends = outcomes.filter_map(|(to, _)| number.get(to).copied());
            ends.collect()
        })
        .collect();
    let reach = |from: usize| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            open.extend(next[at].iter().filter(|to| seen.insert(**to)));
        }
        seen
    };
    let reach: Vec<BTreeSet<usize>> = (0..places.len()).map(reach).collect();
    let together = |one: usize, other: &usize| {
        places[one].section() != places[*other].section() && reach[*other].contains(&one)
    };
    Some((0..places.len()).any(|one| reach[one].iter().any(|other| together(one, other))))
}

impl Generated {
    /// Whether a hero may reach some passage of a section.
    fn comes(
        &self,
        section: u32,
        passage: impl FnOnce(&mut Play) -> Option<&mut Passage>,
    ) -> Option<bool> {
        let mut only = self.clone();
        for section in &mut only.manuscript.sections {
            all_lost(&mut section.passage);
        }
        let mut sections = only.manuscript.sections.iter_mut();
        let found = sections.find(|found| found.number == section)?;
        *passage(&mut found.passage.play)? = Passage::won();
        Some(!plan(&only, only.hero())?.value().is_zero())
    }
}

fn all_lost(passage: &mut Passage) {
    match &mut passage.play {
        Play::Ending(ending) => *ending = Ending::Lost,
        play => simpler::inner(play).into_iter().for_each(all_lost),
    }
}

fn stuck_at(generated: &Generated, plan: &Plan, place: &Place) -> bool {
    let book = generated.book();
    let section = book.section(place.section()).unwrap();
    let choice = matches!(section.passage.play, Play::Choice(_));
    choice && plan.solution().choices(place).unwrap().is_empty()
}

/// Whether every step on which a stat without a floor falls below 0 is among the findings.
fn debts_are_told(generated: &Generated, plan: &Plan, lint: &Lint) -> bool {
    let game = plan.solution().game();
    let rules = &generated.manuscript.rules;
    let life = &rules.stamina;
    let used = [life, &rules.skill, &rules.luck];
    let stats = generated.manuscript.sheet.stats.iter();
    let stats = stats.filter(|stat| stat.floor.is_none() && !used.contains(&&stat.id));
    let book = generated.book();
    let leads = |from: u32, to: u32| book.section(from).unwrap().targets().contains(&to);
    let told = |place: &Place, id: &str| {
        let here = place.section();
        lint.findings().iter().any(|finding| match finding {
            Finding::MayFallBelowZero {
                section,
                field,
                stat,
            }
            | Finding::FallsBelowZero {
                section,
                field,
                stat,
                ..
            } => {
                // On arrival there, or by dice on arrival here; refreshments are told once.
                let near = *section == here || leads(here, *section) || leads(*section, here);
                stat == id && (near || field.starts_with("sheet."))
            }
            _ => false,
        })
    };
    let falls = |place: &Place, id: &str| {
        let below = |place: &Place| game.stat(place, id).unwrap() < 0;
        let node = Node::of(game, place).unwrap();
        let mut ends = (0..node.len()).flat_map(|choice| node.wide_outcomes(choice));
        let alive = |to: &Place| game.stat(to, life).unwrap() > 0;
        !below(place) && ends.any(|(to, _)| alive(to) && below(to))
    };
    let ids: Vec<&str> = stats.map(|stat| &*stat.id).collect();
    plan.solution().states().all(|(place, _)| {
        let mut ids = ids.iter();
        ids.all(|id| !falls(&place, id) || told(&place, id))
    })
}

fn agrees(generated: Generated) -> TestResult {
    let Some(plan) = plan(&generated, generated.hero()) else {
        return TestResult::discard();
    };
    let book = generated.book();
    let lint = book.lint_up_to(generated.hero(), 2 * LIMIT).unwrap();
    for finding in lint.findings() {
        if holds(&generated, &plan, finding) == Some(false) {
            eprintln!("{finding}");
            return TestResult::failed();
        }
    }
    if !debts_are_told(&generated, &plan, &lint) {
        return TestResult::failed();
    }
    // A hero stuck in a section that is a choice is found. (So is one stuck in a part of another
    // section.)
    if !matches!(lint.search(), Some(LintSearch::Complete { .. })) {
        return TestResult::discard();
    }
    let found: BTreeSet<u32> = lint
        .findings()
        .iter()
        .filter(|finding| finding.kind() == "stuck")
        .flat_map(|finding| finding.sections().to_vec())
        .collect();
    let sections = book.sections().map(|(number, _)| number);
    let mut stuck = sections.filter(|&section| {
        let places = plan.places(section).unwrap();
        let mut places = places.iter();
        places.any(|(place, _)| stuck_at(&generated, &plan, place))
    });
    TestResult::from_bool(stuck.all(|section| found.contains(&section)))
}

#[test]
fn findings_are_true_of_books_of_every_construct() {
    drawn(1_000).quickcheck(agrees as fn(Generated) -> TestResult);
}

/// Findings of every tested kind must occur.
#[test]
fn generated_books_have_findings() {
    // Fixed cases, so that rare ones do not fail by chance.
    let mut generator = Gen::from_size_and_seed(30, 1);
    let mut count = BTreeMap::new();
    for _ in 0..2_000 {
        let generated = Generated::arbitrary(&mut generator);
        let Some(plan) = plan(&generated, generated.hero()) else {
            continue;
        };
        let lint = generated
            .book()
            .lint_up_to(generated.hero(), 2 * LIMIT)
            .unwrap();
        for finding in lint.findings() {
            let tested = holds(&generated, &plan, finding).is_some() || finding.kind() == "stuck";
            *count.entry(finding.kind()).or_insert(0) += u32::from(tested);
        }
    }
    for kind in [
        "unreachable",
        "hopeless",
        "never-open",
        "surely-lost",
        "must-pass",
        "must-have",
        "cycle",
        "unobtainable",
        "unread",
        "foregone",
        "unwinnable",
        "stuck",
    ] {
        assert!(
            count.get(kind).is_some_and(|count| *count >= 10),
            "{kind}: {count:?}"
        );
    }
}
