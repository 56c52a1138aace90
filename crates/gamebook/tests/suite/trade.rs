//! Deals that cost more than money, and what the linter finds there.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookSolver, Character, Choice, Condition, Effect, Finding, Goods, Item, Manuscript,
    Passage, Play, Section, Shop, Stat,
};
use oddsmith_mdp::Solver;

fn hero() -> Character {
    Character::new()
        .stat("skill", 7)
        .stat("stamina", 3)
        .stat("luck", 7)
}

/// A shop in section 1, after effects; the way out leads to victory.
fn book(effects: Vec<Effect>, sells: Vec<Goods>, leave: Passage) -> Manuscript {
    let mut book = Manuscript::new("trade");
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("gold", 4)
    });
    book.sheet.items.push(Item::new("charm"));
    let shop = Shop {
        sells,
        buys: vec![],
        leave,
    };
    book.sections = vec![
        Section::new(
            1,
            Passage {
                effects,
                play: Play::Shop(Box::new(shop)),
            },
        ),
        Section::new(2, Passage::won()),
    ];
    book
}

#[track_caller]
fn check(book: Manuscript, value: &str, kinds: &[&str]) {
    let book = Book::new(book).unwrap();
    assert_eq!(book.solve(hero()).unwrap().value().to_string(), value);
    let lint = book.lint_up_to(hero(), 1_000).unwrap();
    let found: Vec<&str> = lint.findings().iter().map(Finding::kind).collect();
    assert_eq!(found, kinds);
}

fn meal() -> Goods {
    Goods::stat("stamina", 1)
}

/// A hero who pays the last point of STAMINA is dead immediately: the balm behind the door is too
/// late, and the charm, which opens it, is out of reach.
#[test]
fn paid_in_blood() {
    let balm = Passage {
        effects: vec![Effect::change("stamina", 3)],
        play: Play::First(vec![
            Choice::new("", Passage::to(2)).when(Condition::Has("charm".into())),
            Choice::otherwise(Passage::lost()),
        ]),
    };
    let with = |price| {
        let mut book = book(vec![], vec![Goods::item("charm", price)], balm.clone());
        book.rules.money = "stamina".into();
        book
    };
    check(with(2), "1", &["must-have"]);
    // The bounds do not see that the two exclude each other.
    check(with(3), "0", &["must-have"]);
}

/// The cap has sunk to 0. A hero who buys a meal now is cut down to it and dies; one who does not
/// goes on.
#[test]
fn meals_cut_at_a_cap_that_has_sunk() {
    let sunk = Effect::RaiseCap(BTreeMap::from([("stamina".into(), -3)]));
    check(
        book(vec![sunk], vec![meal()], Passage::to(2)),
        "1",
        &["unobtainable"],
    );
}

/// A charm can be bought, although nobody leaves the shop alive; and one that the first section
/// takes away was held before.
#[test]
fn had_for_a_while() {
    let deadly = Passage {
        effects: vec![Effect::change("stamina", -3)],
        ..Passage::to(2)
    };
    let bought = book(vec![], vec![Goods::item("charm", 1)], deadly);
    let found = Book::new(bought).unwrap().lint_up_to(hero(), 10).unwrap();
    let gone = Finding::Unobtainable {
        item: "charm".into(),
    };
    assert!(!found.findings().contains(&gone));
    let mut taken = book(vec![Effect::Lose("charm".into())], vec![], Passage::to(2));
    let none = Book::new(taken.clone()).unwrap().lint();
    assert!(none.findings().contains(&gone));
    taken.sheet.initial_items.push("charm".into());
    let some = Book::new(taken).unwrap().lint();
    assert!(!some.findings().contains(&gone));
}

/// In a shop that both sells and buys a charm, money is bounded: a charm that is sold is gone.
#[test]
fn what_is_sold_may_be_bought_back() {
    let win = |gold: i16, bought_for: u16| {
        let pays = Choice::new("pay", Passage::won()).when(Condition::All(vec![
            Condition::Has("charm".into()),
            Condition::at_least("gold", 3),
        ]));
        let leave = Passage {
            effects: vec![],
            play: Play::Choice(vec![pays, Choice::new("leave", Passage::lost())]),
        };
        let mut book = book(vec![], vec![Goods::item("charm", 2)], leave);
        for section in &mut book.sections {
            if let Play::Shop(shop) = &mut section.passage.play {
                shop.buys = vec![Goods::item("charm", bought_for)];
            }
        }
        let hero = hero().now("gold", gold);
        let game = Book::new(book).unwrap().game(hero).unwrap();
        BookSolver::new(&game).solve(game.start()).unwrap().win()
    };
    // Of 4 gold pieces 2 remain with a charm, whatever is sold in between.
    assert_eq!((win(4, 1), win(4, 2)), (0.0, 0.0));
    assert_eq!((win(5, 1), win(5, 2)), (1.0, 1.0));
}

/// Meals that nothing reads may be bought to get rid of money: three gold pieces can become one,
/// but not none, so they are worth less than two.
#[test]
fn who_must_be_poor_buys_what_nobody_needs() {
    let rich = Choice {
        label: None,
        condition: Some(Condition::at_least("gold", 1)),
        passage: Passage::lost(),
    };
    let poor = Choice::otherwise(Passage::won());
    let leave = Play::First(vec![rich, poor]).into();
    let mut book = book(vec![], vec![Goods::stat("meals", 2)], leave);
    book.sheet.stats.push(Stat::new("meals", 0));
    let book = Book::new(book).unwrap();
    for gold in 0..=9 {
        let game = book.game(hero().now("gold", gold)).unwrap();
        let solver = BookSolver::new(&game);
        let value = BigRational::from_integer((1 - gold % 2).into());
        assert_eq!(solver.solve_exact(game.start()).unwrap(), value, "{gold}");
        let win = solver.solve(game.start()).unwrap().win();
        assert_eq!(win, value.to_f64().unwrap(), "{gold}");
        let reduced = game.reduced();
        let start = reduced.place(game.start());
        let solution = Solver::exact().allow_cycles().solve(&reduced, start);
        assert_eq!(solution.unwrap().value(), value, "{gold}");
    }
}

/// Purchases are distinguished from sales, and a single way on from chance.
#[test]
fn a_walk_through_a_shop() {
    let held = Choice {
        label: None,
        condition: Some(Condition::Has("charm".into())),
        passage: Passage::to(2),
    };
    let otherwise = Choice::otherwise(Passage::lost());
    let leave = Play::First(vec![held, otherwise]).into();
    let mut book = book(vec![], vec![Goods::item("charm", 2)], leave);
    book.sections.push(Section::new(3, Passage::to(1)));
    book.start = 3;
    let plan = Book::new(book).unwrap().solve(hero()).unwrap();
    let walk = plan.walkthrough().unwrap();
    let deeds: Vec<String> = walk
        .steps()
        .iter()
        .map(|one| one.deed.to_string())
        .collect();
    assert_eq!(deeds, ["go on", "buy charm", "leave", "go on", "victory"]);
}

/// Nothing reads the charm, as the linter says; but a hero who has it cannot buy it, and is left
/// with the money that loses.
#[test]
fn an_unread_ware_may_be_had_too_soon() {
    let rich = Choice::new("rich", Passage::lost()).when(Condition::at_least("gold", 3));
    let poor = Choice::otherwise(Passage::won());
    let leave = Play::First(vec![rich, poor]).into();
    let book = Book::new(book(vec![], vec![Goods::item("charm", 2)], leave)).unwrap();
    assert_eq!(book.solve(hero()).unwrap().value().to_string(), "1");
    assert_eq!(
        book.solve(hero().item("charm"))
            .unwrap()
            .value()
            .to_string(),
        "0"
    );
    let unread = Finding::Unread {
        item: "charm".into(),
        shields: false,
    };
    assert!(book.lint().findings().contains(&unread));
}
