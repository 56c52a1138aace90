//! Nothing runs forever, and whatever would be too much work ends in an error.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use oddsmith_lonewolf::{
    ActionChart, Adventure, Book, BookSolver, Branch, Chance, Condition, Decision, Effect, Error,
    Foe, Item, Knowledge, Manuscript, Outcome, Rules, Section,
};
use oddsmith_mdp::{Node, Solver};

/// Sections from 1 on, the last of which wins.
fn book(decisions: Vec<Decision>) -> Book {
    let won = decisions.len() as u16 + 1;
    let end = Decision::Then(Outcome::Won);
    let sections = (1..).zip(decisions.into_iter().chain([end]));
    let sections = sections.map(|(number, decision)| Section { number, decision });
    Book::new(Manuscript::new("limits", 1, won, sections.collect())).unwrap()
}

fn goto(to: u16) -> Decision {
    Decision::Then(Outcome::Goto(to))
}

fn hero(endurance: i64) -> ActionChart {
    ActionChart::new(10, endurance).unwrap()
}

/// A heap with fifteen of each item.
fn heap(items: &[Item], then: Decision) -> Decision {
    items.iter().fold(then, |next, &item| Decision::Take {
        item,
        count: 15,
        next: Box::new(next),
    })
}

/// Regression: a large heap, with a door behind it that needs the password. Whether the door is
/// open was checked once for each way to take or leave items.
#[test]
fn a_heap_before_a_locked_door_is_no_labour() {
    let door = Decision::When {
        condition: Condition::Knows(Knowledge::Password),
        decision: Box::new(goto(2)),
    };
    let heap = heap(&[Item::Sundry, Item::Meal, Item::Laumspur], door);
    let book = book(vec![Decision::Choose(vec![
        Branch::to(goto(2)),
        Branch::to(heap),
    ])]);
    let mut solver = BookSolver::new(&book);
    let mut solved = solver.solve(&hero(10)).unwrap();
    let start = solved.start();
    // A hero who cannot pass the door is not offered the heap.
    assert_eq!(solved.advice(&start).unwrap().len(), 1);
    assert_eq!(solved.journey().unwrap().len(), 1);
    assert_eq!(solved.exact().unwrap().to_string(), "1");

    let game = Adventure::new(&book, &hero(10), Rules::printed());
    assert_eq!(Node::of(&game, &start).unwrap().len(), 1);
    let solution = Solver::exact().solve(&game, game.start()).unwrap();
    assert_eq!(solution.value().to_string(), "1");
}

/// A section with the maximum number of steps does not overflow the stack.
#[test]
fn a_long_section_is_gone_through() {
    let door = Decision::When {
        condition: Condition::Knows(Knowledge::Password),
        decision: Box::new(goto(2)),
    };
    let heap = heap(&[Item::Sundry; 58], door);
    let book = book(vec![Decision::Choose(vec![
        Branch::to(goto(2)),
        Branch::to(heap),
    ])]);
    let game = Adventure::new(&book, &hero(10), Rules::printed());
    assert_eq!(Node::of(&game, &game.start()).unwrap().len(), 1);
}

/// Regression: roundings were counted in 32 bits, which overflowed.
#[test]
fn more_roundings_than_32_bits_hold_are_counted() {
    const WHEELS: u16 = 15_500;
    // 278,358 roundings each; after each Cartwheel all Crowns are lost.
    let mut decisions = vec![Decision::Then(Outcome::Random(vec![
        Chance {
            numbers: 5,
            then: Outcome::Goto(2),
        },
        Chance {
            numbers: 5,
            then: Outcome::Lost,
        },
    ]))];
    for wheel in 0..WHEELS {
        let at = 2 * wheel + 2;
        decisions.push(Decision::Cartwheel {
            fare: 0,
            to: at + 1,
            broke: at + 1,
        });
        let lose = Effect::Lose {
            item: Item::Gold,
            count: 50,
        };
        decisions.push(Decision::Then(Outcome::Do {
            effects: vec![lose],
            then: Box::new(Outcome::Goto(at + 2)),
        }));
    }
    let book = book(decisions);
    let mut solver = BookSolver::new(&book).rules(Rules::printed());
    let solved = solver.solve(&hero(1)).unwrap();
    let roundings = 278_358.0 * f64::from(WHEELS);
    assert!(roundings > f64::from(u32::MAX));
    let least = 0.5 * roundings * f64::EPSILON / 2.0;
    assert!(solved.error() > least, "{} {least}", solved.error());
    assert!((solved.win() - 0.5).abs() <= solved.error());
}

/// Regression: tables being computed did not count, so all sections of a long book were opened
/// first.
#[test]
fn what_is_under_way_counts_towards_the_limit() {
    let long = book((2..=20_000).map(goto).collect());
    let mut solver = BookSolver::new(&long).max_tables(1_000);
    let error = solver.win(&hero(10)).unwrap_err();
    assert_eq!(error, Error::Limit { limit: 1_000 });
    // The last table is the first to be finished, so none was.
    assert_eq!(solver.effort().evaluated, 0);
    // A limit that is just high enough suffices.
    let few = book((2..=1_001).map(goto).collect());
    assert_eq!(
        BookSolver::new(&few).max_tables(1_000).win(&hero(10)),
        Ok(1.0)
    );
    let error = BookSolver::new(&few).max_tables(999).win(&hero(10));
    assert_eq!(error, Err(Error::Limit { limit: 999 }));
}

/// Regression: the items found make no difference, so there are few tables; but a journey had no
/// limit, and it has one situation for each set of items found.
#[test]
fn a_journey_has_the_limit_of_its_solver() {
    const FOUND: [Item; 8] = [
        Item::Gold,
        Item::Meal,
        Item::Laumspur,
        Item::Sundry,
        Item::PotionOf2,
        Item::PotionOf4,
        Item::PotionOf5,
        Item::PotionOf6,
    ];
    let decisions = (1..=40).map(|at| {
        let gain = |item| Outcome::Do {
            effects: vec![Effect::Gain { item, count: 1 }],
            then: Box::new(Outcome::Goto(at + 1)),
        };
        let half = |then| Chance { numbers: 5, then };
        Decision::Then(Outcome::Random(vec![
            half(gain(FOUND[usize::from(at) % 8])),
            half(Outcome::Goto(at + 1)),
        ]))
    });
    let book = book(decisions.collect());
    let mut solver = BookSolver::new(&book).max_tables(5_000);
    let mut solved = solver.solve(&hero(10)).unwrap();
    assert_eq!(solved.win(), 1.0);
    let error = solved.journey().unwrap_err();
    assert_eq!(error, Error::Limit { limit: 5_000 });
    assert!(error.to_string().contains("situations of a journey"));
}

/// Regression: the changes of a list of effects add up, and the sum exceeded 16 bits.
#[test]
fn effects_without_end_are_no_overflow() {
    let (item, count) = (Item::Gold, 100);
    for effect in [Effect::Gain { item, count }, Effect::Lose { item, count }] {
        let effects = vec![effect; 400];
        let all = Outcome::Do {
            effects,
            then: Box::new(Outcome::Goto(2)),
        };
        let book = book(vec![Decision::Then(all)]);
        assert_eq!(BookSolver::new(&book).win(&hero(20)).unwrap(), 1.0);
    }
}

/// Fights one after the other in one outcome, the last of which leads on.
fn fights(count: usize, foe: &Foe, last: Outcome) -> Decision {
    let all = (0..count).fold(last, |won, _| Outcome::Fight {
        foe: foe.clone(),
        won: Box::new(won),
    });
    Decision::Then(all)
}

/// Regression test: each ENDURANCE left after a fight was followed by itself through all others, so
/// that these would have taken years.
#[test]
fn twenty_fights_in_a_row_are_no_labour() {
    let foe = Foe::new("Giak", 1, 3);
    let book = book(vec![fights(20, &foe, Outcome::Goto(2))]);
    let mut solver = BookSolver::new(&book);
    let mut solved = solver.solve(&hero(25)).unwrap();
    let start = solved.start();
    let exact = solved.exact().unwrap();
    assert!((exact.to_f64().unwrap() - solved.win()).abs() <= solved.error());
    let advice = solved.advice(&start).unwrap();
    assert!(advice[0].outcomes.len() <= 26);
    let all: f64 = advice[0].outcomes.iter().map(|(_, p)| p).sum();
    assert!((all - 1.0).abs() < 1e-12);
    let game = Adventure::new(&book, &hero(25), Rules::printed());
    let solution = Solver::exact().solve(&game, game.start()).unwrap();
    assert_eq!(solution.value(), exact);
}

/// Regression test: what floats could not hold was left out of the fraction.
#[test]
fn chances_below_all_floats_count() {
    let weak = ActionChart::new(0, 1).unwrap();
    let foe = Foe::new("giant", 100, 100);
    let sections = vec![fights(20, &foe, Outcome::Goto(2)), goto(3)];
    let book = book(sections);
    let mut solver = BookSolver::new(&book);
    let mut solved = solver.solve(&weak).unwrap();
    assert_eq!(solved.win(), 0.0);
    let exact = solved.exact().unwrap();
    assert!(exact.numer() == &1.into() && exact.denom() > &BigInt::from(10).pow(323));
    let game = Adventure::new(&book, &weak, Rules::printed());
    let solution = Solver::exact().solve(&game, game.start()).unwrap();
    assert_eq!(solution.value(), exact);
}

/// Regression test: with 254 or 255, this panicked, and other numbers had a value.
#[test]
fn nobody_has_more_endurance_than_a_hero_can() {
    let book = book(vec![fights(1, &Foe::new("Giak", 10, 10), Outcome::Goto(2))]);
    let game = Adventure::new(&book, &hero(25), Rules::printed());
    for endurance in [26, 253, 254, 255] {
        let start = game.start().with_endurance(endurance);
        let error = Solver::exact().solve(&game, start).err();
        assert!(matches!(error, Some(oddsmith_mdp::Error::DeadEnd { .. })));
    }
    assert!(
        Solver::exact()
            .solve(&game, game.start().with_endurance(25))
            .is_ok()
    );
}

/// Regression: the step number did not exist in this book, which caused a panic.
#[test]
fn a_situation_of_another_book_leads_nowhere() {
    let long = book((2..40).map(goto).collect());
    let long = Adventure::new(&long, &hero(20), Rules::printed());
    let short = book(vec![goto(2)]);
    let short = Adventure::new(&short, &hero(20), Rules::printed());
    let mut at = long.start();
    while at.section() < 30 {
        let node = Node::of(&long, &at).unwrap();
        at = *node.wide_outcomes(0).next().unwrap().0;
        if at.section() > 2 {
            let error = Solver::exact().solve(&short, at).err();
            assert!(
                matches!(error, Some(oddsmith_mdp::Error::DeadEnd { .. })),
                "{at}"
            );
        }
    }
}

/// Regression test: a fraction had no limit, and it has a value for each ENDURANCE.
#[test]
fn a_fraction_has_the_limit_of_its_solver() {
    let thorns = (1..=40).map(|at| {
        let hurt = |by| Outcome::Do {
            effects: vec![Effect::Damage(by)],
            then: Box::new(Outcome::Goto(at + 1)),
        };
        let half = |then| Chance { numbers: 5, then };
        Decision::Then(Outcome::Random(vec![
            half(hurt(1)),
            half(Outcome::Goto(at + 1)),
        ]))
    });
    let book = book(thorns.collect());
    let exact = |limit| {
        let mut solver = BookSolver::new(&book).max_tables(limit);
        let mut solved = solver.solve(&hero(25)).unwrap();
        solved.exact().map(|exact| (exact, solved.win()))
    };
    assert_eq!(exact(100).err(), Some(Error::Limit { limit: 100 }));
    let (exact, win) = exact(1_000).unwrap();
    assert!((exact.to_f64().unwrap() - win).abs() < 1e-12);
}

/// Regression test: a combat that may be evaded counted as one table, whatever memory it takes.
#[test]
fn combats_that_may_be_evaded_count_by_their_size() {
    let combat = |foe| Decision::Evade {
        after: u8::MAX,
        to: 2,
        foe: Foe::new("wall", 10, foe),
        won: Outcome::Goto(2),
    };
    let solve = |foe, limit| {
        let book = book(vec![combat(foe)]);
        let win = BookSolver::new(&book).max_tables(limit).win(&hero(25));
        win.map(|win| win > 0.0)
    };
    // 256 rounds for each of 31 times 100 ENDURANCEs; two items may add six.
    let tables = 256 * 31 * 100 / 12;
    assert_eq!(solve(100, tables), Err(Error::Limit { limit: tables }));
    assert_eq!(solve(100, tables + 10), Ok(true));
    assert_eq!(solve(1, 1_000), Ok(true));
}
