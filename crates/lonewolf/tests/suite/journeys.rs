//! Journeys of best play: unlikely, hopeless, and already over.

use oddsmith_lonewolf::{
    Act, ActionChart, Book, BookSolver, Branch, Chance, Condition, Decision, Foe, Item, Journey,
    Knowledge, Manuscript, Outcome, Section,
};

/// Sections from 1 on, the last of which wins.
fn journey(decisions: Vec<Decision>) -> Journey {
    journey_of(&ActionChart::new(10, 10).unwrap(), decisions)
}

/// A hero whom no foe holds up for long.
fn strong() -> ActionChart {
    let hero = ActionChart::new(40, 10).unwrap();
    hero.item(Item::Sword).unwrap()
}

fn journey_of(hero: &ActionChart, decisions: Vec<Decision>) -> Journey {
    let won = decisions.len() as u16 + 1;
    let end = Decision::Then(Outcome::Won);
    let sections = (1..).zip(decisions.into_iter().chain([end]));
    let sections = sections.map(|(number, decision)| Section { number, decision });
    let book = Book::new(Manuscript::new("ways", 1, won, sections.collect())).unwrap();
    let mut solver = BookSolver::new(&book);
    let mut solved = solver.solve(hero).unwrap();
    solved.journey().unwrap()
}

fn goto(to: u16) -> Decision {
    Decision::Then(Outcome::Goto(to))
}

fn draw(lines: &[(u8, Outcome)]) -> Decision {
    let lines = lines.iter().map(|(numbers, then)| Chance {
        numbers: *numbers,
        then: then.clone(),
    });
    Decision::Then(Outcome::Random(lines.collect()))
}

/// An option that is open to nobody.
fn locked() -> Decision {
    Decision::When {
        condition: Condition::Knows(Knowledge::Password),
        decision: Box::new(goto(2)),
    }
}

/// Regression: there was no line if its chance was too small for a float, even if nobody can lose.
#[test]
fn the_likeliest_of_unlikely_ways_is_found() {
    const FORKS: u16 = 1_080;
    let mut decisions = Vec::new();
    for fork in 0..FORKS {
        let at = 3 * fork + 1;
        decisions.push(draw(&[
            (4, Outcome::Goto(at + 1)),
            (6, Outcome::Goto(at + 2)),
        ]));
        decisions.extend([goto(at + 3), goto(at + 3)]);
    }
    let journey = journey(decisions);
    assert!((journey.won() - 1.0).abs() < 1e-12);
    // At every fork, the likelier path is taken.
    let line = journey.line();
    assert_eq!(line.len(), 2 * usize::from(FORKS));
    assert!(line.iter().all(|stop| stop.situation.section() % 3 != 2));
    // 0.6 to the power of 1080.
    let logarithm: f64 = line.iter().map(|stop| stop.chance.log10()).sum();
    assert!((logarithm - 1_080.0 * 0.6f64.log10()).abs() < 1e-9);
    assert!(journey.line_chance() < 1e-200);
}

/// Regression: a line that does not exist was reported as certain.
#[test]
fn a_line_that_is_none_has_no_chance() {
    let hopeless = journey(vec![Decision::Then(Outcome::Lost)]);
    assert!(hopeless.line().is_empty());
    assert_eq!((hopeless.won(), hopeless.line_chance()), (0.0, 0.0));
    let over = journey(vec![]);
    assert!(over.is_empty() && over.line().is_empty());
    assert_eq!((over.won(), over.line_chance()), (1.0, 1.0));
    assert_eq!(over.visits().values().sum::<f64>(), 1.0);
}

/// Regression: the outcomes of a fight that is certainly won added up to slightly more than 1.
#[test]
fn nobody_visits_a_section_more_than_surely() {
    for foe in 10..24 {
        let fight = Decision::Then(Outcome::Fight {
            foe: Foe::new("Giak", 10, foe),
            won: Box::new(Outcome::Goto(2)),
        });
        let journey = journey_of(&strong(), vec![fight, goto(3)]);
        let after = journey.visits()[&2];
        assert!((1.0 - 1e-12..=1.0).contains(&after), "{foe}: {after}");
    }
}

/// Regression: a situation without options was not visited, or visited but not counted.
#[test]
fn dead_ends_are_visited_and_counted() {
    let stuck = journey(vec![locked()]);
    assert_eq!((stuck.len(), stuck.is_empty()), (1, false));
    assert_eq!(stuck.visits().iter().collect::<Vec<_>>(), [(&1, &1.0)]);
    assert_eq!((stuck.line().len(), stuck.line_chance()), (0, 0.0));

    let later = journey(vec![
        draw(&[(5, Outcome::Goto(2)), (5, Outcome::Goto(3))]),
        Decision::When {
            condition: Condition::Knows(Knowledge::Password),
            decision: Box::new(goto(3)),
        },
    ]);
    assert_eq!((later.len(), later.won()), (2, 0.5));
    assert_eq!(later.visits()[&2], 0.5);
    // Regression: the winning section was left out of the visits.
    assert_eq!(later.visits()[&3], 0.5);
    assert_eq!((later.line().len(), later.line_chance()), (1, 0.5));
}

/// Regression: each line had two percentages without saying what they were.
#[test]
fn percentages_say_of_what_they_are() {
    let ways = Decision::Choose(vec![Branch::to(goto(2)), Branch::to(goto(3))]);
    let half = draw(&[(5, Outcome::Goto(3)), (5, Outcome::Lost)]);
    let journey = journey(vec![
        ways,
        half,
        draw(&[(6, Outcome::Goto(4)), (4, Outcome::Lost)]),
    ]);
    assert_eq!(journey.line()[0].act, Act::Turn(3));
    assert_eq!(
        journey.to_string(),
        "   1  wins 60.00 %  turn to 3\n   3  wins 60.00 %  go on  (next stop 60.0 %)"
    );
}
