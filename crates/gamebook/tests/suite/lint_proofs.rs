//! The linter's findings are proofs: random books, compared with exact play of the game.

use crate::properties::drawn;
use crate::words::{gain, has, hero, lost, not, won};
use num_traits::Zero;
use oddsmith_gamebook::{
    Book, BookPlan, Cap, Choice, Condition, Effect, Finding, Item, Lint, Manuscript, Passage,
    Place, Play, Section, Stat,
};
use oddsmith_mdp::{Cyclic, Exact, Solver};
use quickcheck::{Arbitrary, Gen, TestResult};

/// A book with gold (3 at the start) and the items a, b and c.
fn manuscript(sections: Vec<Section>) -> Manuscript {
    let mut book = Manuscript::new("test");
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("gold", 3)
    });
    book.sheet.items = ["a", "b", "c"].map(Item::new).into();
    book.sections = sections;
    book
}

fn choice(number: u32, options: Vec<Choice>) -> Section {
    Section::new(number, Play::Choice(options).into())
}

/// A random book: choices with conditions, gains, losses and payments; also cycles.
#[derive(Clone, Debug)]
struct Random(Manuscript);

impl Arbitrary for Random {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, n: u32| u32::arbitrary(g) % n;
        let item = |g: &mut Gen| ["a", "b", "c"][below(g, 3) as usize].to_owned();
        let effect = |g: &mut Gen| match below(g, 6) {
            0..=2 => Effect::Gain(item(g)),
            3 => Effect::Lose(item(g)),
            4 => Effect::change("gold", 1),
            _ => Effect::change("gold", -1 - below(g, 2) as i16),
        };
        let condition = |g: &mut Gen| match below(g, 6) {
            0..=2 => has(&item(g)),
            3 => not(has(&item(g))),
            4 => Condition::at_least("gold", 1 + below(g, 5) as i16),
            _ => not(Condition::All(vec![
                has(&item(g)),
                Condition::at_least("gold", 2),
            ])),
        };
        let size = 4 + below(g, 6);
        let mut sections = vec![won(size), lost(size + 1)];
        for number in 1..size {
            let options = (0..=below(g, 3)).map(|option| {
                let label = Some(format!("option {option}"));
                let effects = (0..below(g, 3)).map(|_| effect(g)).collect();
                let asks = below(g, 6) < if option == 0 { 1 } else { 4 };
                let condition = asks.then(|| condition(g));
                let back = option > 0 && below(g, 4) == 0;
                let (to, condition, effects) = match below(g, 3) {
                    // Mostly onwards, so that there is something to find.
                    _ if !back => {
                        let step = below(g, 4.min(size + 1 - number));
                        (number + 1 + step, condition, effects)
                    }
                    0 => {
                        let paid = vec![Effect::change("gold", -1)];
                        let toll = Condition::at_least("gold", 1);
                        (1 + below(g, number), Some(toll), paid)
                    }
                    1 => {
                        let once = not(has("c"));
                        (1 + below(g, number), Some(once), vec![gain("c")])
                    }
                    _ => (1 + below(g, number), condition, effects),
                };
                let passage = Passage {
                    effects,
                    ..Passage::to(to)
                };
                Choice {
                    label,
                    condition,
                    passage,
                }
            });
            sections.push(choice(number, options.collect()));
        }
        let mut book = manuscript(sections);
        book.sheet.stats[3].cap = Some(Cap::At(4));
        Random(book)
    }
}

impl Random {
    fn book(&self) -> Book {
        Book::new(self.0.clone()).unwrap()
    }

    fn hopeless(book: Manuscript) -> bool {
        let book = Book::new(book).unwrap();
        match book.solve_with(hero(), Solver::exact().allow_cycles()) {
            Ok(plan) => plan.value().is_zero(),
            // A hero who cannot leave a cycle does not win, but others may: this proves nothing.
            Err(_) => true,
        }
    }
}

/// Checks every finding against everything that can happen in the game.
fn proven(random: Random) -> TestResult {
    let book = random.book();
    // A cycle that nobody can leave has no value.
    let Ok(plan) = book.solve_with(hero(), Solver::exact().allow_cycles()) else {
        return TestResult::discard();
    };
    TestResult::from_bool(agrees(&random, &book, &plan))
}

fn agrees(random: &Random, book: &Book, plan: &BookPlan<Cyclic<Exact>>) -> bool {
    let game = plan.solution().game();
    let places = |section| plan.places(section).unwrap();
    let held = |item: &str| {
        plan.solution()
            .states()
            .any(|(place, _)| game.has(&place, item))
    };
    let stuck_at = |place: &Place| {
        let choice = matches!(
            book.section(place.section()).unwrap().passage.play,
            Play::Choice(_)
        );
        choice && plan.solution().choices(place).unwrap().is_empty()
    };
    let all = book.lint();
    let mut bounded = true;
    for finding in all.findings() {
        let holds = match finding {
            Finding::Unreachable { section } => places(*section).is_empty(),
            Finding::Hopeless { section } | Finding::DeadEnd { section } => {
                places(*section).iter().all(|(_, value)| value.is_zero())
            }
            Finding::NeverOpen {
                section, option, ..
            } => places(*section).iter().all(|(place, _)| {
                let choices = plan.solution().choices(place).unwrap();
                choices.iter().all(|choice| choice.action.label() != option)
            }),
            Finding::SurelyLost {
                section, option, ..
            } => places(*section).iter().all(|(place, _)| {
                let choices = plan.solution().choices(place).unwrap();
                let mut taken = choices
                    .iter()
                    .filter(|choice| choice.action.label() == option);
                taken.all(|choice| choice.value.is_zero())
            }),
            Finding::MustPass { section } => {
                // Every winner passes it: if it kills, nobody wins.
                let mut deadly = random.0.clone();
                let place = deadly
                    .sections
                    .iter()
                    .position(|s| s.number == *section)
                    .unwrap();
                deadly.sections[place] = lost(*section);
                Random::hopeless(deadly)
            }
            Finding::MustHave { item } => {
                let mut deadly = random.0.clone();
                for section in &mut deadly.sections {
                    let Play::Choice(options) = &mut section.passage.play else {
                        continue;
                    };
                    for option in options {
                        if option.passage.effects.contains(&Effect::Gain(item.clone())) {
                            option.passage = Passage::lost();
                        }
                    }
                }
                Random::hopeless(deadly)
            }
            Finding::Unobtainable { item } => !held(item),
            Finding::Unread { item, .. } => {
                let lucky = book.solve_with(hero().item(item), Solver::exact().allow_cycles());
                lucky.unwrap().value() == plan.value()
            }
            Finding::Cycle { bounded_by, .. } => {
                bounded &= !bounded_by.is_empty();
                true
            }
            _ => true,
        };
        if !holds {
            eprintln!("{finding}");
            return false;
        }
    }
    // If everything is bounded, nobody returns to the same place.
    if bounded && book.solve(hero()).is_err() {
        return false;
    }
    // The stuck readers found are exactly those that exist.
    let mut stuck: Vec<u32> = plan
        .solution()
        .states()
        .map(|(place, _)| place)
        .filter(stuck_at)
        .map(|place| place.section())
        .collect();
    stuck.sort_unstable();
    stuck.dedup();
    let mine = book.lint_up_to(hero(), 100_000).unwrap();
    let found = |lint: &Lint, kind: &str| -> Vec<u32> {
        let findings = lint.findings().iter().filter(|f| f.kind() == kind);
        findings.flat_map(|f| f.sections().to_vec()).collect()
    };
    let suspected = found(&all, "may-be-stuck");
    found(&mine, "stuck") == stuck
        && found(&mine, "may-be-stuck").is_empty()
        && stuck.iter().all(|section| suspected.contains(section))
}

#[test]
fn findings_are_true_of_the_game() {
    drawn(2_000).quickcheck(proven as fn(Random) -> TestResult);
}

/// The generator must cover what the test is about.
#[test]
fn random_books_have_findings() {
    // Fixed cases, so that rare ones do not fail by chance.
    let mut generator = Gen::from_size_and_seed(30, 1);
    let mut count = std::collections::BTreeMap::new();
    for _ in 0..5_000 {
        let random = Random::arbitrary(&mut generator);
        for finding in random.book().lint().findings() {
            *count.entry(finding.kind()).or_insert(0) += 1;
            if let Finding::SurelyLost { lacks: Some(_), .. } = finding {
                *count.entry("lacks").or_insert(0) += 1;
            }
            if let Finding::Cycle { bounded_by, .. } = finding
                && !bounded_by.is_empty()
            {
                *count.entry("bounded").or_insert(0) += 1;
            }
        }
    }
    for kind in [
        "unreachable",
        "hopeless",
        "dead-end",
        "never-open",
        "surely-lost",
        "may-be-stuck",
        "must-pass",
        "must-have",
        "unobtainable",
        "unread",
        "cycle",
        "lacks",
        "bounded",
    ] {
        assert!(
            count.get(kind).is_some_and(|count| *count >= 10),
            "{kind}: {count:?}"
        );
    }
}
