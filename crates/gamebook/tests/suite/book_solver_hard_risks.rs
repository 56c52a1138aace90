//! Risks designed to mislead the solver by diagrams, or to exhaust its stack or time.

use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Branch, Character, Choice, Condition, Effect, Item, Manuscript,
    Passage, Play, RandomLoss, Refreshment, Section, Trial, Wager, WeightedEffects,
};
use oddsmith_mdp::Solver;

fn game(book: Manuscript) -> BookGame {
    let hero = Character::new()
        .stat("skill", 7)
        .stat("stamina", 5)
        .stat("luck", 7);
    Book::new(book).unwrap().game(hero).unwrap()
}

/// The chance to win, which must equal that of the state-by-state solver.
#[track_caller]
fn agreed(game: &BookGame) -> f64 {
    let solver = Solver::exact().allow_cycles();
    let direct = solver.solve(game, game.start()).unwrap().value();
    let direct = direct.to_f64().unwrap();
    for put_off in [true, false] {
        let solver = BookSolver::new(game).put_off(put_off);
        let valuation = solver.solve(game.start()).unwrap();
        let error = valuation.error().unwrap_or(1e-12) + f64::EPSILON;
        assert!(
            (valuation.win() - direct).abs() <= error,
            "{direct}: {valuation}"
        );
    }
    direct
}

fn after(effects: Vec<Effect>, to: u32) -> Passage {
    Passage {
        effects,
        ..Passage::to(to)
    }
}

fn lose(count: u16) -> Effect {
    Effect::LoseRandom(RandomLoss { count, tag: None })
}

fn has(item: &str) -> Condition {
    Condition::Has(item.into())
}

fn with_items(id: &str, items: u32) -> Manuscript {
    let mut book = Manuscript::new(id);
    book.sheet.items = (0..items).map(|n| Item::new(format!("i{n}"))).collect();
    book
}

/// Drinks that are used up lead back to the choice, but with less on the sheet.
#[test]
fn one_drink_after_the_other() {
    for risky in [false, true] {
        let mut book = with_items("drinks", 4);
        book.rules.refresh_options = 1;
        book.sheet.initial_items = vec!["i0".into(), "i1".into(), "i2".into()];
        for item in ["i0", "i1"] {
            let mut effects = vec![Effect::Lose(item.into()), Effect::change("luck", 2)];
            if risky {
                effects.push(lose(1));
            }
            book.sheet.refreshments.push(Refreshment {
                label: format!("drink {item}"),
                condition: Some(has(item)),
                effects,
            });
        }
        let test = |to: Passage| Play::Test(Box::new(Trial::new("luck", to, Passage::lost())));
        let options = vec![
            Choice::new("on", Passage::to(3)),
            Choice::new("safe", Passage::to(3)).when(has("i2")),
        ];
        book.sections = vec![
            Section::new(1, after(vec![Effect::change("luck", -5)], 2)),
            Section::new(2, Play::Choice(options).into()),
            Section::new(3, test(Passage::to(4)).into()),
            Section::new(4, test(Passage::won()).into()),
        ];
        assert!(agreed(&game(book)) > 0.0);
    }
}

/// Every second section may bring an item, each on a path of its own.
#[test]
fn many_roads_to_a_risk_are_not_walked_one_by_one() {
    const ITEMS: u32 = 30;
    let mut book = with_items("roads", ITEMS);
    let last = 3 * ITEMS + 1;
    for number in 0..ITEMS {
        let first = 3 * number + 1;
        let way = |passage| Branch { weight: 1, passage };
        let fork = Play::Random(vec![
            way(Passage::to(first + 1)),
            way(Passage::to(first + 2)),
        ]);
        book.sections.push(Section::new(first, fork.into()));
        let found = after(vec![Effect::Gain(format!("i{number}"))], first + 3);
        let test = Trial::new("luck", found, Passage::to(first + 3));
        let nothing = Trial::new("luck", Passage::to(first + 3), Passage::to(first + 3));
        for (number, test) in [(first + 1, test), (first + 2, nothing)] {
            book.sections
                .push(Section::new(number, Play::Test(Box::new(test)).into()));
        }
    }
    let won = Choice::new("on", Passage::won()).when(has("i0"));
    let lost = Choice::new("lost", Passage::lost());
    book.sections
        .push(Section::new(last, after(vec![lose(1)], last + 1)));
    book.sections
        .push(Section::new(last + 1, Play::First(vec![won, lost]).into()));
    let game = game(book);
    let valuation = BookSolver::new(&game).solve(game.start()).unwrap();
    assert!(
        valuation.win() > 0.0 && valuation.win() < 0.5,
        "{valuation}"
    );
}

/// Deferred regions may be thousands of sections ahead.
#[test]
fn long_roads_to_a_risk() {
    let mut book = with_items("long", 3);
    book.sheet.initial_items = vec!["i0".into(), "i1".into(), "i2".into()];
    const LAST: u32 = 5_000;
    for number in 1..LAST {
        let test = Trial::new("luck", Passage::to(number + 1), Passage::to(number + 1));
        book.sections
            .push(Section::new(number, Play::Test(Box::new(test)).into()));
    }
    let wager = Wager {
        rounds: 100,
        condition: None,
        free: false,
        round: vec![WeightedEffects {
            weight: 1,
            effects: vec![],
        }],
        after: after(vec![lose(1)], LAST + 1),
    };
    book.sections
        .push(Section::new(LAST, Play::Game(Box::new(wager)).into()));
    let won = Choice::new("on", Passage::won()).when(has("i0"));
    let lost = Choice::new("lost", Passage::lost());
    book.sections
        .push(Section::new(LAST + 1, Play::First(vec![won, lost]).into()));
    let game = game(book);
    let valuation = BookSolver::new(&game).solve(game.start()).unwrap();
    assert!((valuation.win() - 2.0 / 3.0).abs() < 1e-12, "{valuation}");
}
