//! Options without effect: all are listed, and none is taken.

use num_rational::BigRational;
use num_traits::Zero;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{
    Book, BookSolver, Deed, Effect, Goods, Item, Manuscript, Move, Passage, Play, Section, Shop,
    Stat, Wager, WeightedEffects,
};

fn hero() -> Hero {
    Hero::new(7, 14, 7).unwrap()
}

/// The solver drops moves that change nothing, but readers see them.
#[test]
fn who_waits_is_advised_as_well() {
    let waits = Book::builder().choice(1, [("wait", 1), ("go", 2), ("run", 3)]);
    let book = waits.won(2).lost(3).build().unwrap();
    let plan = book.solve(hero()).unwrap();
    let advice = plan.first_choice().unwrap().unwrap();
    let labels: Vec<&str> = advice
        .options()
        .iter()
        .map(|one| one.action.label())
        .collect();
    assert_eq!((labels, advice.label()), (vec!["wait", "go", "run"], "go"));
    assert!(advice.lead().is_zero());
    assert_eq!(
        advice
            .compare("wait", "run")
            .unwrap()
            .difference()
            .to_string(),
        "1"
    );
    let game = book.game(hero()).unwrap();
    let float = BookSolver::new(&game)
        .advice(game.start())
        .unwrap()
        .unwrap();
    assert_eq!(float.options().len(), 3);
    assert_eq!(float.label(), "go");

    let book = Book::builder()
        .choice(1, [("wait", 1), ("go", 2)])
        .won(2)
        .build()
        .unwrap();
    let plan = book.solve(hero()).unwrap();
    assert_eq!(plan.first_choice().unwrap().unwrap().label(), "go");
}

/// Leaving comes first in a shop, so that it is chosen in a tie.
#[test]
fn nothing_is_bought_that_brings_nothing() {
    let mut book = Manuscript::new("junk");
    book.sheet.items = vec![Item::new("junk")];
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("gold", 3)
    });
    let luck = Goods::stat("luck", 1);
    let shop = Shop {
        sells: vec![Goods::item("junk", 1), luck],
        buys: vec![],
        leave: Passage::to(9),
    };
    book.sections = vec![
        Section::new(1, Play::Shop(Box::new(shop)).into()),
        Section::new(9, Passage::won()),
    ];
    let book = Book::new(book).unwrap();
    let plan = book.solve(hero()).unwrap();
    let walk = plan.walkthrough().unwrap();
    let deeds: Vec<&Deed> = walk.steps().iter().map(|step| &step.deed).collect();
    assert_eq!(deeds, [&Deed::Decide(Move::Leave), &Deed::Won]);
    let journey = book.follow_exact(hero(), plan.solution().policy()).unwrap();
    assert_eq!(journey.holds_at_end("junk").unwrap(), BigRational::zero());
}

/// Regression: a game without stakes was played to its last round, since playing came before
/// stopping.
#[test]
fn nothing_is_played_for_nothing() {
    let game = Wager {
        rounds: 3,
        condition: None,
        free: true,
        round: vec![WeightedEffects {
            weight: 1,
            effects: vec![Effect::change("luck", 1)],
        }],
        after: Passage::to(9),
    };
    let mut book = Manuscript::new("patience");
    book.sections = vec![
        Section::new(1, Play::Game(Box::new(game)).into()),
        Section::new(9, Passage::won()),
    ];
    let book = Book::new(book).unwrap();
    let plan = book.solve(hero()).unwrap();
    let stop = Move::Stop;
    let advice = plan.first_choice().unwrap().unwrap();
    assert_eq!(advice.options()[0].action, stop);
    assert_eq!(advice.label(), "stop");
    let game = book.game(hero()).unwrap();
    let policy = BookSolver::new(&game).policy(game.start()).unwrap();
    assert_eq!(policy.decision(&game.start()).unwrap(), Some(stop));
}
