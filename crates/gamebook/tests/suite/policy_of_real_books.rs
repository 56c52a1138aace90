//! The decisions of the solver by diagrams in whole books, followed in fractions and floats.
#![cfg(feature = "toml")]
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::pieces::rolled;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Choice, Condition, ConditionalEffects, Effect, Enemy, Error,
    Escape, Fate, Fight, Item, Journey, Manuscript, Passage, Play, RandomLoss, Section, Trial,
};
use oddsmith_mdp::Solver;

/// From every section of a book, the fraction is the same, without rounding.
#[test]
fn the_salt_lantern_is_worth_the_same_fraction() {
    let book = Book::salt_lantern().unwrap();
    let mut compared = 0;
    for item in ["tonic", "tallow"] {
        let game = book.game(rolled(7, 14, 7).item(item)).unwrap();
        for (number, _) in book.sections() {
            let start = game.start_at(number).unwrap();
            let policy = BookSolver::new(&game).policy(start).unwrap();
            let solver = || Solver::exact().allow_cycles();
            let best = solver().solve(&game, start).unwrap().value();
            let played = solver().evaluate(&game, &policy, start).unwrap();
            assert_eq!(best, played.value(), "{number}");
            let valuation = policy.valuation();
            let off = valuation.win() - best.to_f64().unwrap();
            assert!(off.abs() <= valuation.error().unwrap(), "{number}");
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * book.len());
}

fn city() -> Book {
    Book::city_of_thieves().unwrap()
}

#[test]
fn late_sections_of_city_of_thieves_are_worth_their_value() {
    let book = city();
    let game = book
        .game(rolled(9, 16, 9).item("dexterity_potion"))
        .unwrap();
    for (section, least, most) in [(65, 100, 100_000), (20, 10_000, 1_500_000)] {
        let start = game.start_at(section).unwrap();
        let policy = BookSolver::new(&game).policy(start).unwrap();
        // A third of what they take where tables of option numbers are stored as they are.
        assert!(policy.bytes() < most, "{section}: {}", policy.bytes());
        let journey: Journey<f64> = game.follow(&policy, start, 1_000_000).unwrap();
        let (win, won) = (policy.valuation().win(), *journey.value());
        assert!((win - won).abs() < 1e-12, "{section}: {win} {won}");
        assert!(journey.places() > least, "{section}: {}", journey.places());
        let victories = journey.ends().filter(|(_, fate, _)| *fate == Fate::Won);
        let all: f64 = victories.map(|(_, _, chance)| chance).sum();
        assert!((win - all).abs() < 1e-12, "{section}: {win} {all}");
    }
}

/// Every section of City of Thieves from which few enough states can be reached for the
/// state-by-state solver.
#[test]
fn short_ways_through_city_of_thieves_are_worth_their_value() {
    let book = city();
    let hero = rolled(9, 8, 8).now("provisions", 3).item("luck_potion");
    let game = book.game(hero).unwrap();
    let (mut compared, mut doubtful) = (0, 0);
    for (number, _) in book.sections() {
        let start = game.start_at(number).unwrap();
        let solver = || Solver::float().max_states(3_000).allow_cycles();
        let Ok(direct) = solver().solve(&game, start) else {
            continue;
        };
        let policy = BookSolver::new(&game).policy(start).unwrap();
        let played = solver().evaluate(&game, &policy, start).unwrap();
        let (best, played) = (direct.value(), played.value());
        assert!((best - played).abs() < 1e-12, "{number}: {best} {played}");
        compared += 1;
        doubtful += usize::from(best > 0.0 && best < 1.0);
    }
    assert!(compared > 0 && doubtful > 0, "{compared} {doubtful}");
}

fn game(book: Manuscript) -> BookGame {
    let book = Book::new(book).unwrap();
    book.game(rolled(7, 5, 7)).unwrap()
}

/// Regression: a gem that every victory needs is lost on the only way on, so nothing reads it.
/// Heroes with the gem were not examined, and had no answer.
#[test]
fn what_is_needed_may_be_read_by_nothing() {
    let mut book = Manuscript::new("gem");
    book.sheet.items.push(Item::new("gem"));
    book.sheet.initial_items.push("gem".into());
    let has_gem = Condition::Has("gem".into());
    let mut lose = Passage::to(3);
    lose.effects.push(Effect::Lose("gem".into()));
    let luck = Trial::new("luck", Passage::won(), Passage::lost());
    let gate = vec![
        Choice::new("in", Play::Test(Box::new(luck)).into()).when(has_gem),
        Choice::new("out", Passage::lost()),
    ];
    let options = |to: &Passage| {
        vec![
            Choice::new("on", to.clone()),
            Choice::new("away", Passage::lost()),
        ]
    };
    book.sections = vec![
        Section::new(1, Play::Choice(options(&Passage::to(2))).into()),
        Section::new(2, Play::Choice(options(&lose)).into()),
        Section::new(3, Play::First(gate).into()),
    ];
    let game = game(book);
    let policy = BookSolver::new(&game).policy(game.start()).unwrap();
    let journey: Journey = game.follow(&policy, game.start(), 100).unwrap();
    assert_eq!(*journey.value(), 0.0);
    assert_eq!(journey.visits(2).unwrap(), 1.0);
}

/// Regression: a fallen foe sets a flag that the hero already has, and the region without the flag
/// is deferred. Heroes with the flag counted as lost in the middle of the fight.
#[test]
fn a_mark_may_be_held_before_the_fight() {
    let mut book = Manuscript::new("mark");
    book.sheet.flags.push("cursed".into());
    book.sheet.items.push(Item::new("shield"));
    let mut cursed = Passage::to(3);
    cursed.effects.push(Effect::SetFlag("cursed".into()));
    let fork = vec![Choice::new("a", cursed), Choice::new("b", Passage::to(3))];
    let foe = |skill| Enemy::new(skill, 2);
    let flee = Passage {
        effects: vec![Effect::When(ConditionalEffects {
            condition: Condition::Flag("cursed".into()),
            then: vec![Effect::LoseRandom(RandomLoss {
                count: 3,
                tag: None,
            })],
            otherwise: vec![],
        })],
        ..Passage::won()
    };
    let fight = Fight {
        escape: Some(Escape {
            cost: 1,
            ..Escape::new(3, flee)
        }),
        ..Fight::new(
            [
                Enemy {
                    mark: Some("cursed".into()),
                    ..foe(4)
                },
                foe(5),
            ],
            Passage::won(),
        )
    };
    book.sections = vec![
        Section::new(1, Play::Choice(fork).into()),
        Section::new(3, Play::Fight(Box::new(fight)).into()),
    ];
    let game = Book::new(book).unwrap().game(rolled(6, 2, 7)).unwrap();
    let policy = BookSolver::new(&game).policy(game.start()).unwrap();
    let best = Solver::exact().allow_cycles().solve(&game, game.start());
    let journey: Journey<num_rational::BigRational> =
        game.follow(&policy, game.start(), 10_000).unwrap();
    assert_eq!(*journey.value(), best.unwrap().value());
}

/// If everything is lost, nobody goes round a ring forever, which would have no expected length.
#[test]
fn a_lost_reader_comes_out_of_a_ring() {
    let book = Book::builder()
        .choice(1, [("in", 2), ("luck", 5)])
        .choice(2, [("round", 3), ("on", 4)])
        .choice(3, [("back", 2)])
        .choice(4, [("back", 3), ("out", 6)])
        .luck(5, 7, 2)
        .lost(6)
        .won(7)
        .build()
        .unwrap();
    let game = book.game(rolled(7, 5, 7)).unwrap();
    let policy = BookSolver::new(&game).policy(game.start()).unwrap();
    let journey: Journey = game.follow(&policy, game.start(), 100).unwrap();
    assert!((journey.value() - 21.0 / 36.0).abs() < 1e-15);
    assert!((journey.visits(6).unwrap() - 15.0 / 36.0).abs() < 1e-15);
}

/// Of equal options the first is taken; and places that nobody reaches have no answer.
#[test]
fn what_was_not_asked_is_not_answered() {
    let book = Book::builder()
        .choice(1, [("a", 2), ("b", 2)])
        .luck(2, 3, 4)
        .won(3)
        .lost(4)
        .choice(5, [("c", 2), ("d", 4)])
        .build()
        .unwrap();
    let game = book.game(rolled(7, 5, 7)).unwrap();
    let policy = BookSolver::new(&game).policy(game.start()).unwrap();
    let decided = policy.decision(&game.start()).unwrap().unwrap();
    assert_eq!(decided.label(), "a");
    let unknown = policy.decision(&game.start_at(5).unwrap());
    assert_eq!(unknown, Err(Error::NotReached { section: 5 }));
    let larger = city().game(rolled(9, 8, 8).item("luck_potion")).unwrap();
    assert!(policy.decision(&larger.start_at(65).unwrap()).is_err());
}
