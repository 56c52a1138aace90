//! The linter: stats that may fall below 0.

use crate::words::{choice, gain, go, has, manuscript, purse, with, won};
use oddsmith_gamebook::{
    Book, Branch, Cap, Choice, Condition, ConditionalEffects, Effect, Enemy, Fight, FightCount,
    Manuscript, Passage, Play, Refreshment, Section, Stat, Toll, Wager, WeightedEffects,
};

#[track_caller]
fn check(book: &Manuscript, expected: &[&str]) {
    let lint = Book::new(book.clone()).unwrap().lint();
    let findings = lint.findings().iter();
    let findings = findings.filter(|finding| finding.kind() == "may-fall-below-zero");
    let found: Vec<String> = findings.map(ToString::to_string).collect();
    assert_eq!(found, expected, "{lint}");
}

fn pay(gold: i16, to: u32) -> Choice {
    with(to, vec![Effect::change("gold", -gold)])
}

/// A game whose rounds bring this much gold each, at will or all of them.
fn game(rounds: u16, free: bool, gold: i16, after: Passage) -> Section {
    let round = WeightedEffects {
        weight: 1,
        effects: vec![Effect::change("gold", gold)],
    };
    let wager = Wager {
        rounds,
        condition: None,
        free,
        round: vec![round],
        after,
    };
    Section::new(1, Play::Game(Box::new(wager)).into())
}

#[test]
fn a_price_that_not_everybody_can_pay() {
    let toll_bridge = |option| purse(10, vec![choice(1, vec![option, go(2)]), won(2)]);
    check(&toll_bridge(pay(10, 2)), &[]);
    let too_dear = toll_bridge(pay(11, 2));
    check(&too_dear, &["section 1: choice[0] may take gold below 0"]);
    let enough = Condition::at_least("gold", 11);
    check(&toll_bridge(pay(11, 2).when(enough)), &[]);
    // A floor is the author's word for what happens then, even if it is below 0.
    for floor in [0, -5] {
        let mut floored = too_dear.clone();
        let gold = floored.sheet.stats.last_mut().unwrap();
        gold.floor = Some(floor);
        check(&floored, &[]);
    }
}

/// On arrival, in a section and in the first one.
#[test]
fn a_price_on_arrival() {
    let mut inn = Section::new(2, Passage::won());
    inn.passage.effects = vec![Effect::change("gold", -3)];
    let street = choice(1, vec![go(2), pay(1, 2), pay(3, 2)]);
    let book = purse(2, vec![street, inn.clone()]);
    check(
        &book,
        &[
            "section 1: choice[2] may take gold below 0",
            "section 2: effects may take gold below 0",
        ],
    );
    let first = Section { number: 1, ..inn };
    check(
        &purse(2, vec![first]),
        &["section 1: effects may take gold below 0"],
    );
}

/// Every lap costs a little. Only a step on which somebody falls is told, not those after it.
#[test]
fn a_lap_that_costs_a_little() {
    let sections = |last| {
        vec![
            choice(1, vec![go(2), go(3)]),
            choice(2, vec![pay(1, 1)]),
            choice(3, vec![last]),
            won(4),
        ]
    };
    let lap = "section 2: choice[0] may take gold below 0";
    check(&purse(7, sections(go(4))), &[lap]);
    // Who pays at the end may still have something, or nothing.
    let end = "section 3: choice[0] may take gold below 0";
    check(&purse(7, sections(pay(1, 4))), &[lap, end]);
    // Debts that everybody has are not made by the next step.
    let debts = vec![
        choice(1, vec![pay(5, 2)]),
        choice(2, vec![pay(1, 3)]),
        won(3),
    ];
    check(
        &purse(2, debts),
        &["section 1: choice[0] may take gold below 0"],
    );
}

/// The field leads into the section, also where a fight goes on after a toll.
#[test]
fn the_field_of_a_step() {
    let mut fight = Fight::new([Enemy::new(7, 8)], Passage::to(2));
    fight.toll = Some(Toll {
        count: FightCount::Rounds,
        effects: vec![Effect::change("gold", -1)],
    });
    let fight = Passage::from(Play::Fight(Box::new(fight)));
    let branches = vec![
        Branch {
            weight: 1,
            passage: Passage::won(),
        },
        Branch {
            weight: 1,
            passage: fight,
        },
    ];
    let sections = vec![Section::new(1, Play::Random(branches).into()), won(2)];
    // Three rounds can be paid, so that only a fight that has gone on falls below 0.
    check(
        &purse(3, sections),
        &["section 1: random[1].fight.toll may take gold below 0"],
    );
}

/// Regression: debts that are paid and made anew on one step.
#[test]
fn new_debts_after_old_ones_are_paid() {
    let change = |by: i16| Effect::change("gold", by);
    let deal = |paid: i16, price: i16| {
        let deal = with(2, vec![change(paid), change(-price)]);
        purse(-1, vec![choice(1, vec![deal]), won(2)])
    };
    check(&deal(1, 2), &["section 1: choice[0] may take gold below 0"]);
    check(&deal(1, 0), &[]);
    let after = Passage {
        effects: vec![change(-2)],
        ..Passage::to(2)
    };
    let sections = vec![game(1, false, 1, after), won(2)];
    check(
        &purse(-1, sections),
        &["section 1: game.after may take gold below 0"],
    );
    // Who has debts already is not told again.
    check(&deal(0, 5), &[]);
}

/// Regression: a hero lives in debt for a while, but nobody leaves the game and lives on.
#[test]
fn a_game_that_nobody_survives() {
    let mut grave = won(2);
    grave.passage.effects = vec![Effect::change("stamina", -100)];
    let sections = vec![game(2, false, -3, Passage::to(2)), grave];
    check(
        &purse(2, sections),
        &["section 1: game.round may take gold below 0"],
    );
}

/// Everybody pays on leaving, whatever the section is.
#[test]
fn a_price_on_leaving() {
    let mut section = Section::new(1, Passage::to(2));
    section.leave = vec![Effect::change("gold", -5)];
    check(
        &purse(2, vec![section, won(2)]),
        &["section 1: to may take gold below 0"],
    );
}

/// Refreshments are on offer with two options and more, and told once.
#[test]
fn a_refreshment_that_costs_too_much() {
    let mut book = purse(
        2,
        vec![
            choice(1, vec![go(2)]),
            choice(2, vec![go(3), go(4)]),
            choice(3, vec![go(4), go(5)]),
            won(4),
            won(5),
        ],
    );
    let dear = |condition| Refreshment {
        label: "wine".to_owned(),
        condition,
        effects: vec![Effect::change("gold", -2)],
    };
    book.sheet.refreshments = vec![dear(Some(Condition::at_least("gold", 2))), dear(None)];
    check(
        &book,
        &["section 2: sheet.refreshments[1] may take gold below 0"],
    );
}

/// A condition tells that everybody can pay, as long as the bounds in the cycle are not given up.
#[test]
fn a_price_in_a_cycle_that_everybody_can_pay() {
    let buy = pay(1, 1).when(Condition::at_least("gold", 11));
    for gold in [12, 30] {
        check(
            &purse(gold, vec![choice(1, vec![buy.clone(), pay(5, 2)]), won(2)]),
            &[],
        );
    }
}

/// On more laps than the linter follows, what a condition keeps from falling stays at 0 or more.
#[test]
fn a_price_after_many_laps_that_everybody_can_pay() {
    let laps = |condition| {
        let lap = Choice {
            condition,
            ..pay(1, 1)
        };
        let street = choice(1, vec![lap, pay(-10, 2)]);
        purse(1_000, vec![street, choice(2, vec![pay(10, 3)]), won(3)])
    };
    check(&laps(Some(Condition::at_least("gold", 1))), &[]);
    check(
        &laps(None),
        &[
            "section 1: choice[0] may take gold below 0",
            "section 2: choice[0] may take gold below 0",
        ],
    );
}

/// Regression: the first section at which a refreshment takes anything hid those after it.
#[test]
fn a_refreshment_that_costs_more_later() {
    let when = ConditionalEffects {
        condition: has("a"),
        then: vec![Effect::change("gold", -2)],
        otherwise: Vec::new(),
    };
    let mut book = purse(
        0,
        vec![
            choice(1, vec![go(3), with(2, vec![gain("a")])]),
            choice(2, vec![go(3), go(4)]),
            won(3),
            won(4),
        ],
    );
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("honour", 0)
    });
    book.sheet.refreshments = vec![Refreshment {
        label: "wine".to_owned(),
        condition: None,
        effects: vec![Effect::change("honour", -1), Effect::When(when)],
    }];
    check(
        &book,
        &["section 2: sheet.refreshments[0] may take gold below 0"],
    );
}

/// Rounds that cannot be paid do not hide a price after them.
#[test]
fn a_price_after_a_game() {
    let after = Passage {
        effects: vec![Effect::change("gold", -5)],
        play: Play::Choice(vec![go(2)]),
    };
    let sections = vec![game(3, true, -1, after), won(2)];
    check(
        &purse(2, sections),
        &[
            "section 1: game.round may take gold below 0",
            "section 1: game.after may take gold below 0",
        ],
    );
}

/// A hero who is not below 0 at the start has a cap of 0 or more.
#[test]
fn a_cap_that_some_heroes_have_below_zero() {
    let mut book = purse(0, vec![choice(1, vec![pay(-1, 2)]), won(2)]);
    let gold = book.sheet.stats.last_mut().unwrap();
    gold.initial = "1d6-3".parse().unwrap();
    gold.cap = Some(Cap::Initial);
    check(&book, &[]);
    // But a cap that is lowered below 0 takes everybody there.
    let gold = book.sheet.stats.last_mut().unwrap();
    gold.cap = Some(Cap::At(-1));
    check(&book, &["section 1: choice[0] may take gold below 0"]);
}

/// A hero without STAMINA is dead, and with little SKILL or LUCK everything fails.
#[test]
fn what_kills_or_fails_is_not_counted() {
    let stats = ["skill", "stamina", "luck"];
    let curse = stats.map(|stat| Effect::change(stat, -50));
    let mut book = manuscript(vec![
        choice(
            1,
            vec![
                with(2, curse[..1].to_vec()),
                with(2, curse[1..].to_vec()),
                go(2),
            ],
        ),
        won(2),
    ]);
    for stat in &mut book.sheet.stats {
        stat.floor = None;
    }
    check(&book, &[]);
}
