//! A book whose last digits never converge, however often it is iterated.

use crate::pieces::{after, choice, random};
use num_rational::BigRational;
use num_traits::Signed;
use oddsmith_gamebook::{
    Book, BookSolver, Cap, Character, Choice, Condition, Effect, Goods, Item, Manuscript, Passage,
    Play, RandomLoss, Refreshment, RepeatedEffects, Section, Shop, Stat, Trial,
};
use oddsmith_mdp::Solver;

/// Regression: sums of equal parts in changing order made the last digits of this book change
/// forever, and it was rejected.
#[test]
fn digits_that_never_come_to_rest() {
    let has = |item: &str| Condition::Has(item.into());
    let gain = |item: &str| Effect::Gain(item.into());
    let lose = |tag: Option<&str>| {
        let tag = tag.map(String::from);
        Effect::LoseRandom(RandomLoss { count: 1, tag })
    };
    let pay = || Effect::change("gold", -1);
    let shop = |leave: Passage| {
        let stamina = Goods::stat("stamina", 2);
        Play::Shop(Box::new(Shop {
            sells: vec![Goods::item("axe", 1), stamina],
            buys: vec![Goods::item("gem", 1)],
            leave,
        }))
    };
    let luck =
        |success: Passage| Play::Test(Box::new(Trial::new("luck", success, Passage::lost())));
    let two = Effect::Repeat(RepeatedEffects {
        times: 2,
        condition: Some(has("gem")),
        effects: vec![lose(None)],
    });
    let on = |condition: Condition, to: Passage| Choice::new("on", to).when(condition);
    let sections = vec![
        (
            10,
            random(&[
                (1, after(vec![gain("dirk")], 11)),
                (2, after(vec![pay()], 12)),
            ]),
        ),
        (11, shop(Passage::to(20))),
        (12, Play::Choice(vec![])),
        (
            20,
            Play::First(vec![
                on(Condition::Not(Box::new(has("axe"))), Passage::to(21)),
                Choice::new("on", after(vec![gain("gem"), two], 22)),
            ]),
        ),
        (21, luck(after(vec![lose(Some("bright"))], 30))),
        (22, shop(after(vec![gain("axe"), gain("egg")], 30))),
        (
            30,
            choice(vec![
                Passage::to(40),
                after(vec![Effect::change("stamina", -1)], 20),
            ]),
        ),
        (
            40,
            Play::First(vec![
                on(Condition::at_least("gold", 1), Passage::to(42)),
                on(has("gem"), Passage::to(42)),
                Choice::new("lost", Passage::lost()),
            ]),
        ),
        (42, luck(Passage::won())),
    ];
    let mut book = Manuscript::new("restless");
    book.sheet.stats.push(Stat {
        cap: Some(Cap::At(3)),
        floor: Some(0),
        ..Stat::new("gold", 1)
    });
    let sections = sections.into_iter();
    let sections = sections.map(|(number, play)| Section::new(number, play.into()));
    book.sections.extend(sections);
    book.sections[2].passage = after(vec![lose(Some("heavy")), pay()], 10);
    book.start = 10;
    book.rules.refresh_options = 1;
    let items = [
        ("axe", "bright", -2),
        ("bell", "heavy", -1),
        ("coin", "bright", 0),
        ("dirk", "bright", 0),
        ("egg", "heavy", 0),
        ("fife", "", 0),
        ("gem", "", 0),
    ];
    for (id, tag, luck) in items {
        let mut item = Item::new(id);
        if !tag.is_empty() {
            item.tags = vec![tag.into()];
        }
        if luck != 0 {
            item.modifiers = [("luck".into(), luck)].into();
        }
        book.sheet.items.push(item);
    }
    book.sheet.initial_items = vec!["bell".into(), "egg".into()];
    book.sheet.refreshments = vec![Refreshment {
        label: "eat".into(),
        condition: Some(Condition::at_least("gold", 1)),
        effects: vec![pay(), Effect::change("stamina", 2)],
    }];
    let hero = Character::new()
        .stat("skill", 8)
        .stat("stamina", 4)
        .stat("luck", 4);
    let game = Book::new(book).unwrap().game(hero).unwrap();
    let solver = Solver::exact().allow_cycles();
    let truth = solver.solve(&game, game.start()).unwrap().value().clone();
    let valuation = BookSolver::new(&game).solve(game.start()).unwrap();
    let exact = |float: f64| BigRational::from_float(float).unwrap();
    let off = (exact(valuation.win()) - &truth).abs();
    let error = valuation.error().unwrap();
    assert!(off <= exact(error) && error < 1e-11, "{truth}: {valuation}");
}
