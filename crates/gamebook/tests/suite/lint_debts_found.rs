//! The linter's search for heroes who fall below 0, with the way there.

use crate::words::{choice, gain, go, has, hero, not, purse, with, won};
use oddsmith_gamebook::{
    Book, Branch, Cap, Choice, Condition, ConditionalEffects, Effect, Enemy, Escape, Fight,
    FightCount, Finding, FirstOption, Goods, Item, LintSearch, Manuscript, Passage, Play,
    Refreshment, Report, Section, Shop, Stat, Toll, Wager, WeightedEffects,
};

/// The findings about falls, after a complete search.
#[track_caller]
fn check(book: &Manuscript, expected: &[&str]) {
    let book = Book::new(book.clone()).unwrap();
    let lint = book.lint_up_to(hero(), 10_000).unwrap();
    let complete = matches!(lint.search(), Some(LintSearch::Complete { .. }));
    assert!(complete, "{lint}");
    let findings = lint.findings().iter();
    let findings = findings.filter(|finding| finding.kind().ends_with("below-zero"));
    let found: Vec<String> = findings.map(ToString::to_string).collect();
    assert_eq!(found, expected, "{lint}");
}

fn change(by: i16) -> Effect {
    Effect::change("gold", by)
}

fn pay(gold: i16, to: u32) -> Choice {
    with(to, vec![change(-gold)])
}

fn paid(gold: i16, to: u32) -> Passage {
    pay(gold, to).passage
}

/// What the bounds cannot tell, since gold and the flag go together.
#[test]
fn who_can_pay_is_told_by_the_search() {
    let street = |price| {
        let found = with(2, vec![change(5), gain("a")]);
        let buy = pay(price, 3).when(has("a"));
        purse(
            1,
            vec![
                choice(1, vec![found, go(2)]),
                choice(2, vec![buy, go(3)]),
                won(3),
            ],
        )
    };
    let dear = street(6);
    let lint = Book::new(dear.clone()).unwrap().lint();
    let may = Finding::MayFallBelowZero {
        section: 2,
        field: "choice[0]".into(),
        stat: "gold".into(),
    };
    assert!(lint.findings().contains(&may));
    check(&dear, &[]);
    let path =
        "section 2: choice[0] can take gold below 0; path: 1, to 2: turn to 2; 2, to 3: turn to 3";
    check(&street(7), &[path]);
    // Without an answer, the finding stays as it was.
    let book = Book::new(dear).unwrap();
    let lint = book.lint_up_to(hero(), 2).unwrap();
    assert!(lint.findings().contains(&may));
    assert_eq!(lint.search(), Some(LintSearch::Unknown { places: 2 }));
}

/// Regression: equal lists of effects are stored once, but are different steps.
#[test]
fn equal_prices_are_told_apart() {
    let enough = Condition::at_least("gold", 2);
    let options = vec![pay(2, 2).when(enough), pay(2, 2), pay(2, 3)];
    check(
        &purse(1, vec![choice(1, options), won(2), won(3)]),
        &[
            "section 1: choice[1] can take gold below 0; path: 1, to 2: turn to 2",
            "section 1: choice[2] can take gold below 0; path: 1, to 3: turn to 3",
        ],
    );
}

#[test]
fn the_way_ends_with_the_step_itself() {
    let mut inn = won(2);
    inn.passage.effects = vec![change(-3)];
    let first = Section {
        number: 1,
        ..inn.clone()
    };
    check(
        &purse(2, vec![choice(1, vec![pay(-1, 2), go(2)]), inn]),
        &["section 2: effects can take gold below 0; path: 1, to 2: turn to 2"],
    );
    // Nothing is done before the first section.
    check(
        &purse(2, vec![first]),
        &["section 1: effects can take gold below 0"],
    );
    let branch = |weight, price| Branch {
        weight,
        passage: paid(price, 2),
    };
    let random = Play::Random(vec![branch(1, 1), branch(1, 2), branch(0, 3)]);
    check(
        &purse(1, vec![Section::new(1, random.into()), won(2)]),
        &["section 1: random[1] can take gold below 0; path: 1, chance decides"],
    );
}

/// Regression: what follows a game was computed before the last round, too.
#[test]
fn a_game_that_goes_on() {
    let round = |gold| WeightedEffects {
        weight: 1,
        effects: vec![change(gold)],
    };
    let wager = Wager {
        rounds: 1,
        condition: None,
        free: false,
        round: vec![round(2)],
        after: paid(2, 2),
    };
    let mut book = purse(
        1,
        vec![Section::new(1, Play::Game(Box::new(wager)).into()), won(2)],
    );
    check(&book, &[]);
    let Play::Game(wager) = &mut book.sections[0].passage.play else {
        unreachable!()
    };
    wager.round = vec![round(0)];
    check(
        &book,
        &["section 1: game.after can take gold below 0; path: 1, play; 1, play"],
    );
}

#[test]
fn fights_and_games() {
    let toll = Toll {
        count: FightCount::Rounds,
        effects: vec![change(-1)],
    };
    let escape = Escape {
        count: FightCount::Rounds,
        after: 1,
        cost: 0,
        forced: false,
        flee: paid(2, 2),
    };
    let fight = Fight {
        toll: Some(toll),
        escape: Some(escape),
        ..Fight::new([Enemy::new(7, 4)], Passage::to(2))
    };
    let fight = Section::new(1, Play::Fight(Box::new(fight)).into());
    // Two rounds can be paid. Whoever runs after the first pays 2 as well.
    check(
        &purse(2, vec![fight, won(2)]),
        &[
            "section 1: fight.escape.flee can take gold below 0; path: 1, fight; 1, run",
            "section 1: fight.toll can take gold below 0; path: 1, fight; 1, fight on; 1, fight on",
        ],
    );
    let mut book = purse(1, vec![won(2)]);
    let ring = Item {
        after_fight: [("gold".to_owned(), -2)].into(),
        ..Item::new("ring")
    };
    book.sheet.items.push(ring);
    book.sheet.initial_items.push("ring".into());
    let fight = Fight::new([Enemy::new(7, 2)], Passage::to(2));
    book.sections
        .push(Section::new(1, Play::Fight(Box::new(fight)).into()));
    check(
        &book,
        &["section 1: fight.victory can take gold below 0; path: 1, fight"],
    );
    let throw = |weight, gold| WeightedEffects {
        weight,
        effects: vec![change(gold)],
    };
    let wager = Wager {
        rounds: 2,
        condition: None,
        free: true,
        round: vec![throw(1, 1), throw(1, -1)],
        after: paid(2, 2),
    };
    let game = Section::new(1, Play::Game(Box::new(wager)).into());
    check(
        &purse(1, vec![game, won(2)]),
        &[
            "section 1: game.round can take gold below 0; path: 1, play; 1, play",
            "section 1: game.after can take gold below 0; path: 1, stop",
        ],
    );
}

/// A search that comes to where a stat leaves its range goes on elsewhere, and says so.
#[test]
fn a_stat_without_bounds() {
    let street = vec![
        with(1, vec![Effect::change("honour", 10_000)]),
        with(2, vec![change(-1)]),
        with(2, vec![gain("a")]),
    ];
    // Nobody has spent the gold and has the item as well, but the bounds do not tell.
    let inn = vec![pay(1, 3).when(has("a")), go(3), pay(2, 3)];
    let mut book = purse(1, vec![choice(1, street), choice(2, inn), won(3)]);
    book.sheet.stats.push(Stat::new("honour", 0));
    let lint = Book::new(book).unwrap().lint_up_to(hero(), 1_000).unwrap();
    let search = LintSearch::NotFollowed {
        places: 10,
        section: 1,
    };
    assert_eq!(lint.search(), Some(search), "{lint}");
    let kinds = lint.findings().iter().map(Finding::kind);
    let kinds: Vec<&str> = kinds.filter(|kind| kind.ends_with("below-zero")).collect();
    assert_eq!(kinds, ["may-fall-below-zero", "falls-below-zero"]);
    let said = "in section 1, a stat leaves the range from -32768 to 32767";
    assert!(lint.to_string().contains(said), "{lint}");
}

/// Regression: what happened at a place that cannot be followed counted for the next one, and a
/// search that had found everything was said to be unfinished.
#[test]
fn falls_where_a_stat_leaves_its_range() {
    let with_honour = |sections| {
        let mut book = purse(1, sections);
        book.sheet.stats.push(Stat::new("honour", 0));
        book
    };
    let grow = with(4, vec![Effect::change("honour", 10_000)]);
    let book = with_honour(vec![
        choice(1, vec![go(2), go(3)]),
        choice(2, vec![pay(2, 4), grow.clone()]),
        choice(3, vec![pay(1, 4), go(4)]),
        choice(4, vec![pay(1, 5)]),
        won(5),
    ]);
    let hero = hero().now("honour", 30_000);
    let lint = Book::new(book)
        .unwrap()
        .lint_up_to(hero.clone(), 100)
        .unwrap();
    let proven = lint.findings().iter();
    let proven = proven.filter(|finding| finding.kind() == "falls-below-zero");
    let proven: Vec<String> = proven.map(ToString::to_string).collect();
    // What can be done in section 2 is not known as a whole.
    let path = "path: 1, to 3: turn to 3; 3, to 4: turn to 4; 4, to 5: turn to 5";
    let fourth = format!("section 4: choice[0] can take gold below 0; {path}");
    assert_eq!(proven, [fourth], "{lint}");
    let found = with_honour(vec![
        choice(1, vec![go(2), go(4)]),
        choice(2, vec![grow]),
        choice(4, vec![pay(7, 3)]),
        won(3),
    ]);
    let lint = Book::new(found).unwrap().lint_up_to(hero, 100).unwrap();
    let search = LintSearch::Complete { places: 3 };
    assert_eq!(lint.search(), Some(search), "{lint}");
}

/// Regression: ways ended with moves that nobody is offered.
#[test]
fn the_last_deed_is_possible() {
    let escape = Escape {
        count: FightCount::Wounds,
        after: 1,
        cost: 0,
        forced: true,
        flee: paid(2, 2),
    };
    let fight = Fight {
        escape: Some(escape),
        ..Fight::new([Enemy::new(9, 4)], Passage::to(2))
    };
    let fight = Section::new(1, Play::Fight(Box::new(fight)).into());
    check(
        &purse(1, vec![fight, won(2)]),
        &["section 1: fight.escape.flee can take gold below 0; path: 1, fight"],
    );
    let wager = Wager {
        rounds: 2,
        condition: Some(Condition::at_least("gold", 5)),
        free: true,
        round: vec![WeightedEffects {
            weight: 1,
            effects: vec![change(1)],
        }],
        after: paid(2, 2),
    };
    let game = Section::new(1, Play::Game(Box::new(wager)).into());
    check(
        &purse(1, vec![game, won(2)]),
        &["section 1: game.after can take gold below 0; path: 1, play"],
    );
    let fight = Fight::new([Enemy::new(1, 2)], paid(2, 2));
    let fight = Section::new(1, Play::Fight(Box::new(fight)).into());
    let mut book = purse(1, vec![fight, won(2)]);
    book.rules.luck_in_battle = true;
    check(
        &book,
        &["section 1: fight.victory can take gold below 0; path: 1, fight; 1, save LUCK"],
    );
}

/// A deal is told like any other move. Many laps are counted in the text.
#[test]
fn deals_and_laps_on_the_way() {
    let shop = Shop {
        sells: vec![Goods::item("a", 1), Goods::stat("honour", 1)],
        buys: Vec::new(),
        leave: Passage::to(2),
    };
    let mut lower = Section::new(1, Passage::to(3));
    lower.leave = vec![Effect::RaiseCap([("honour".to_owned(), -10)].into())];
    let town = Section::new(3, Play::Shop(Box::new(shop)).into());
    let mut book = purse(3, vec![lower, town, won(2)]);
    book.sheet.stats.push(Stat {
        cap: Some(Cap::At(5)),
        ..Stat::new("honour", 5)
    });
    check(
        &book,
        &["section 3: shop can take honour below 0; path: 1, go on; 3, buy honour"],
    );
    let lap = pay(1, 1).when(Condition::at_least("gold", 1));
    let dear = pay(4, 2).when(not(Condition::at_least("gold", 1)));
    let laps = "1, to 1: turn to 1 (3 times); 1, to 2: turn to 2";
    check(
        &purse(3, vec![choice(1, vec![lap, dear]), won(2)]),
        &[&format!(
            "section 1: choice[1] can take gold below 0; path: {laps}"
        )],
    );
}

/// A book with wine that costs 2 gold of whoever has found the item, and of others nothing in the
/// end. It may be found in section 2, and is drunk in section 3.
fn inn(first: Vec<Choice>, second: Choice) -> Manuscript {
    let when = ConditionalEffects {
        condition: has("a"),
        then: vec![change(-2)],
        otherwise: vec![change(-1), change(1)],
    };
    let sections = vec![
        choice(1, first),
        choice(2, vec![with(3, vec![gain("a")]), second]),
        choice(3, vec![go(4), pay(0, 4)]),
        won(4),
    ];
    let mut book = purse(1, sections);
    book.sheet.refreshments = vec![Refreshment {
        label: "wine".to_owned(),
        condition: None,
        effects: vec![Effect::When(when)],
    }];
    book
}

/// Regression: a refreshment that is told for a later section stayed among earlier ones.
#[test]
fn findings_stay_in_order() {
    let lint = Book::new(inn(vec![go(2), pay(3, 3)], pay(4, 3))).unwrap();
    let lint = lint.lint_up_to(hero(), 10_000).unwrap();
    let findings = lint.findings().iter();
    let sections: Vec<&u32> = findings.filter_map(|one| one.sections().first()).collect();
    assert!(sections.is_sorted(), "{lint}");
    let text = lint.to_string();
    assert!(
        text.contains("section 3: sheet.refreshments[0] can"),
        "{text}"
    );
}

/// Regression: every way was retraced anew, with all options at every place on it. The deeds on all
/// ways together are limited.
#[test]
fn many_options_and_long_ways() {
    let lap = pay(1, 1).when(Condition::at_least("gold", 2));
    let mut options = vec![lap];
    let broke = not(Condition::at_least("gold", 3));
    options.extend((0..600).map(|_| pay(4, 2).when(broke.clone())));
    let book = purse(4_000, vec![choice(1, options), won(2)]);
    let book = Book::new(book).unwrap();
    let lint = book.lint_up_to(hero(), 20_000).unwrap();
    let mut lengths = Vec::new();
    let mut open = 0;
    for finding in lint.findings() {
        match finding {
            Finding::FallsBelowZero { way, .. } => lengths.push(way.len()),
            Finding::MayFallBelowZero { .. } => open += 1,
            _ => {}
        }
    }
    // 3,998 laps and the step itself.
    assert_eq!(lengths, vec![3_999; 250]);
    assert_eq!(open, 350);
    let search = LintSearch::Unknown { places: 3_999 };
    assert_eq!(lint.search(), Some(search));
}

/// A report says so, too, if the search has not settled everything.
#[test]
fn reports_of_an_unfinished_search() {
    let told = |cap: Option<Cap>, limit| {
        let grow = with(1, vec![Effect::change("honour", 10_000)]);
        let start = vec![with(2, vec![gain("a")]), with(2, vec![change(-1)]), grow];
        let price = pay(1, 3).when(has("a"));
        let sections = vec![choice(1, start), choice(2, vec![price, go(3)]), won(3)];
        let mut book = purse(1, sections);
        book.sheet.stats.push(Stat {
            cap,
            ..Stat::new("honour", 0)
        });
        let book = Book::new(book).unwrap();
        let lint = book.lint_up_to(hero(), limit).unwrap();
        let journey = book.follow(hero(), FirstOption).unwrap();
        Report::new(&journey).lint(&lint).to_markdown()
    };
    let search = "The search for readers who get stuck, or into debt,";
    let stopped = format!("{search} stopped after 2 places.");
    assert!(told(Some(Cap::At(0)), 2).contains(&stopped));
    let lost = format!("{search} could not follow section 1.");
    assert!(told(None, 100).contains(&lost));
    assert!(!told(Some(Cap::At(0)), 100).contains(search));
}

/// A refreshment is one finding, for the section where somebody falls first.
#[test]
fn a_refreshment_on_the_way() {
    let path = "path: 1, to 2: turn to 2; 2, to 3: turn to 3; 3, wine";
    check(
        &inn(vec![go(2), go(3)], go(3)),
        &[&format!(
            "section 3: sheet.refreshments[0] can take gold below 0; {path}"
        )],
    );
}

/// Debts that are paid on the same step are debts, and so are those of a hero who dies on a step
/// that others survive.
#[test]
fn debts_within_a_step() {
    let short = with(2, vec![change(-2), change(5)]);
    check(
        &purse(1, vec![choice(1, vec![short, go(2)]), won(2)]),
        &["section 1: choice[0] can take gold below 0; path: 1, to 2: turn to 2"],
    );
    let die = Effect::change("stamina", -14);
    let robbed = ConditionalEffects {
        condition: Condition::at_least("gold", 2),
        then: vec![change(-2)],
        otherwise: vec![change(-2), die.clone()],
    };
    let bridge = choice(2, vec![with(3, vec![Effect::When(robbed)]), go(3)]);
    check(
        &purse(1, vec![choice(1, vec![pay(-1, 2), go(2)]), bridge, won(3)]),
        &[
            "section 2: choice[0] can take gold below 0; path: 1, to 2: turn to 2; 2, to 3: turn to 3",
        ],
    );
    // If nobody lives, it does not matter.
    let deadly = with(2, vec![change(-2), die]);
    check(&purse(1, vec![choice(1, vec![deadly, go(2)]), won(2)]), &[]);
}
