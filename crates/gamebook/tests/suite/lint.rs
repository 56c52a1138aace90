//! The linter: each finding, present and absent; whole books.

use crate::words::{choice, gain, go, has, hero, lost, manuscript, not, purse, with, won};
use oddsmith_gamebook::{
    Amount, Book, Choice, Condition, Effect, Enemy, Fight, FightCount, Finding, Goods, Holding,
    Lint, LintSearch, Passage, Play, Refreshment, Section, Shop, Toll, Trial,
};

fn lint(sections: Vec<Section>) -> Lint {
    Book::new(manuscript(sections)).unwrap().lint()
}

/// The texts of the findings of one kind.
#[track_caller]
fn check(sections: Vec<Section>, kind: &str, expected: &[&str]) {
    check_lint(&lint(sections), kind, expected);
}

#[track_caller]
fn check_lint(lint: &Lint, kind: &str, expected: &[&str]) {
    let findings = lint.findings().iter().filter(|f| f.kind() == kind);
    let found: Vec<String> = findings.map(ToString::to_string).collect();
    assert_eq!(found, expected, "{lint}");
}

#[test]
fn never_open_needs_what_cannot_be_had() {
    let door = || choice(2, vec![go(3).when(has("a")), go(4)]);
    let ends = || vec![won(3), lost(4)];
    let book = |first: Choice| [vec![choice(1, vec![first]), door()], ends()].concat();
    let closed =
        "section 2: choice[0] \"to 3\" is never open: nobody who gets there has the a it needs";
    check(book(go(2)), "never-open", &[closed]);
    check(
        book(go(2)),
        "unreachable",
        &["section 3 cannot be reached from the start"],
    );
    check(book(with(2, vec![gain("a")])), "never-open", &[]);
    check(
        book(with(2, vec![gain("a"), Effect::Lose("a".into())])),
        "never-open",
        &[closed],
    );
    let lint = lint(book(go(2)));
    let mut never = lint.findings().iter();
    let finding = never.find(|f| f.kind() == "never-open").unwrap();
    assert_eq!(
        (finding.sections(), finding.item(), finding.field()),
        (&[2][..], Some("a"), Some("choice[0]"))
    );
}

/// Of a, b and c, all of silver: the missing item is named if nothing else would do.
#[test]
fn never_open_names_the_first_thing_that_is_lacking() {
    let lacks = |silver: &[usize], count: u16, held: &[&str]| {
        let holding = Holding {
            tag: "silver".into(),
            count,
        };
        let open = go(2).when(Condition::Holds(holding));
        let mut book = manuscript(vec![choice(1, vec![open, go(3)]), won(2), lost(3)]);
        for &item in silver {
            book.sheet.items[item].tags.push("silver".into());
        }
        book.sheet.initial_items = held.iter().map(|&item| item.to_owned()).collect();
        let lint = Book::new(book).unwrap().lint();
        let mut never = lint.findings().iter();
        let finding = never.find(|f| f.kind() == "never-open").unwrap();
        finding.item().map(str::to_owned)
    };
    assert_eq!(lacks(&[0, 1], 1, &[]), None);
    assert_eq!(lacks(&[0, 1, 2], 2, &["c"]), None);
    // Regression test: nothing was named where both are needed.
    assert_eq!(lacks(&[0, 1], 2, &[]).as_deref(), Some("a"));
    assert_eq!(lacks(&[0, 1], 3, &["a"]), None);
    assert_eq!(lacks(&[0], 1, &[]).as_deref(), Some("a"));
    assert_eq!(lacks(&[0, 1, 2], 3, &["a", "c"]).as_deref(), Some("b"));
}

#[test]
fn gold_is_bounded_by_what_can_be_had() {
    let rich = |gold: i16| go(2).when(Condition::at_least("gold", gold));
    let closed =
        "section 1: choice[0] \"to 2\" is never open: nobody who gets there has the gold it needs";
    let book = |option: Choice| vec![choice(1, vec![option, go(3)]), won(2), lost(3)];
    check(book(rich(3)), "never-open", &[]);
    check(book(rich(4)), "never-open", &[closed]);
    // A hero who can go round for gold can have any amount of it.
    let mine = with(1, vec![Effect::change("gold", 1)]);
    let book = vec![choice(1, vec![rich(1_000), mine]), won(2)];
    check(book, "never-open", &[]);
}

#[test]
fn a_shop_sells_and_buys_within_the_money() {
    let shop = |price| Shop {
        sells: vec![Goods::item("a", price)],
        buys: vec![Goods::item("b", 2)],
        leave: Passage::to(2),
    };
    let book = |price, first: Vec<Effect>| {
        vec![
            Section::new(0, Play::Choice(vec![with(1, first)]).into()),
            Section::new(1, Play::Shop(Box::new(shop(price))).into()),
            choice(2, vec![go(3).when(has("a")), go(4)]),
            won(3),
            lost(4),
        ]
    };
    let lint = |price, first| {
        let mut book = manuscript(book(price, first));
        book.start = 0;
        Book::new(book).unwrap().lint()
    };
    check_lint(
        &lint(3, vec![]),
        "unobtainable",
        &["b cannot be obtained", "c cannot be obtained"],
    );
    check_lint(
        &lint(4, vec![]),
        "unobtainable",
        &[
            "a cannot be obtained",
            "b cannot be obtained",
            "c cannot be obtained",
        ],
    );
    check_lint(
        &lint(5, vec![gain("b")]),
        "must-have",
        &[
            "nobody can win without ever having had a",
            "nobody can win without ever having had b",
        ],
    );
    check_lint(
        &lint(6, vec![gain("b")]),
        "unobtainable",
        &["a cannot be obtained", "c cannot be obtained"],
    );
}

/// Any deal lifts a purse below its floor, and a floor above 0 pays.
#[test]
fn a_floor_is_money_in_a_shop() {
    let lint = |gold: i16, floor: i16, price| {
        let shop = Shop {
            sells: vec![Goods::item("a", price)],
            buys: vec![Goods::item("b", 0)],
            leave: Passage::to(3),
        };
        let mut book = manuscript(vec![
            choice(1, vec![with(2, vec![gain("b")])]),
            Section::new(2, Play::Shop(Box::new(shop)).into()),
            choice(3, vec![go(4).when(has("a")), go(5)]),
            won(4),
            lost(5),
        ]);
        let purse = &mut book.sheet.stats[3];
        (purse.initial, purse.floor) = (Amount::from(gold), Some(floor));
        Book::new(book).unwrap().lint()
    };
    check_lint(&lint(0, 3, 3), "unobtainable", &["c cannot be obtained"]);
    check_lint(&lint(-3, 0, 0), "unobtainable", &["c cannot be obtained"]);
    let none = ["a cannot be obtained", "c cannot be obtained"];
    check_lint(&lint(-3, 0, 1), "unobtainable", &none);
}

#[test]
fn dead_ends_lead_nowhere() {
    let book = |way: Choice| vec![choice(1, vec![go(2), go(3)]), choice(2, vec![way]), won(3)];
    check(
        book(go(2)),
        "dead-end",
        &["section 2 is a dead end but not an ending"],
    );
    check(book(go(1)), "dead-end", &[]);
    check(
        book(go(3).when(has("a"))),
        "dead-end",
        &["section 2 is a dead end but not an ending"],
    );
    check(book(Choice::new("die", Passage::lost())), "dead-end", &[]);
    check(
        book(Choice::new("die", Passage::lost())),
        "hopeless",
        &["section 2 is lost: no path from it leads to a victory"],
    );
}

#[test]
fn surely_lost_options_lack_what_every_victory_needs() {
    let book = |price: Vec<Effect>| {
        vec![
            choice(
                1,
                vec![
                    with(2, vec![gain("a")]),
                    with(2, vec![gain("a"), gain("b")]),
                ],
            ),
            choice(2, vec![with(3, price), go(3)]),
            choice(3, vec![go(4).when(has("a")), go(5)]),
            won(4),
            lost(5),
        ]
    };
    let dies = "section 3: choice[1] \"to 5\" always loses";
    let sold = "section 2: choice[0] \"to 3\" always loses: every victory after it needs a";
    check(book(vec![Effect::Lose("b".into())]), "surely-lost", &[dies]);
    check(
        book(vec![Effect::Lose("a".into())]),
        "surely-lost",
        &[sold, dies],
    );
}

/// Another option wins without the key: only what comes after this one needs it.
#[test]
fn what_is_lacking_is_needed_after_the_option() {
    let book = vec![
        choice(1, vec![go(2), with(2, vec![gain("a")]), go(3)]),
        choice(2, vec![go(3).when(has("a")), go(4)]),
        won(3),
        lost(4),
    ];
    let words = [
        "section 1: choice[0] \"to 2\" always loses: every victory after it needs a",
        "section 2: choice[1] \"to 4\" always loses",
    ];
    check(book, "surely-lost", &words);
}

#[test]
fn must_pass_and_must_have() {
    let book = |second: Effect| {
        vec![
            choice(1, vec![go(2), go(3)]),
            choice(2, vec![with(4, vec![gain("a")])]),
            choice(3, vec![with(4, vec![second])]),
            choice(4, vec![go(5).when(has("a")), go(5).when(has("c"))]),
            choice(5, vec![go(6), go(7)]),
            won(6),
            won(7),
        ]
    };
    let both = [
        "every victory passes section 4",
        "every victory passes section 5",
    ];
    check(book(gain("c")), "must-pass", &both);
    check(book(gain("c")), "must-have", &[]);
    // With b no door opens, so the path through 3 leads nowhere.
    let four = ["every victory passes section 2", both[0], both[1]];
    check(book(gain("b")), "must-pass", &four);
    check(
        book(gain("b")),
        "must-have",
        &["nobody can win without ever having had a"],
    );
    check(
        book(gain("b")),
        "unread",
        &["b makes no difference to anything"],
    );
    check(book(gain("b")), "unobtainable", &["c cannot be obtained"]);
}

#[test]
fn somebody_may_be_stuck() {
    let book = |options: Vec<Choice>| {
        vec![
            choice(1, vec![go(2), with(2, vec![gain("a")])]),
            choice(2, options),
            won(3),
        ]
    };
    let open = |condition| go(3).when(condition);
    let stuck = ["section 2: a reader may find no option open"];
    check(book(vec![open(has("a"))]), "may-be-stuck", &stuck);
    check(
        book(vec![open(has("a")), open(not(has("a")))]),
        "may-be-stuck",
        &[],
    );
    check(book(vec![open(has("a")), go(1)]), "may-be-stuck", &[]);
    // Bounds of stats: 3 gold for certain.
    check(
        book(vec![open(Condition::at_least("gold", 3))]),
        "may-be-stuck",
        &[],
    );
    let both = || Condition::All(vec![has("a"), Condition::at_least("gold", 2)]);
    check(
        book(vec![open(both()), open(not(both()))]),
        "may-be-stuck",
        &[],
    );
}

#[test]
fn stuck_readers_are_found_by_a_shortest_way() {
    let pay = |to, gold: i16| with(to, vec![Effect::change("gold", -gold)]);
    let toll = go(5).when(Condition::at_least("gold", 2));
    let book = manuscript(vec![
        choice(1, vec![go(2), go(3)]),
        choice(2, vec![go(3), go(5)]),
        choice(3, vec![pay(4, 1), pay(2, 1)]),
        choice(4, vec![toll]),
        won(5),
    ]);
    let book = Book::new(book).unwrap();
    let lint = book.lint_up_to(hero(), 100).unwrap();
    let way = [(1, 3), (3, 2), (2, 3), (3, 4)];
    let way = way.map(|(from, to)| (from, format!("to {to}: turn to {to}")));
    let expected = Finding::Stuck {
        section: 4,
        way: way.into(),
    };
    assert_eq!(lint.findings()[0], expected);
    assert!(matches!(lint.search(), Some(LintSearch::Complete { .. })));
    // A limit that is too small for an answer leaves the question open.
    let lint = book.lint_up_to(hero(), 3).unwrap();
    assert_eq!(lint.search(), Some(LintSearch::Unknown { places: 3 }));
    check_lint(
        &lint,
        "may-be-stuck",
        &["section 4: a reader may find no option open"],
    );
    check_lint(&lint, "stuck", &[]);
    let said = "stopped after 3 places: more readers may get stuck or into debt; raise the limit of `Book::lint_up_to`";
    assert!(lint.to_string().contains(said));
    assert_eq!(
        book.lint_up_to(hero(), 0).unwrap().search(),
        Some(LintSearch::Unknown { places: 0 })
    );
}

/// The dice on arrival are thrown before the test, and are not a second one.
#[test]
fn an_arrival_is_no_deed_on_the_way() {
    for effect in ["1d2", "1"] {
        let arrival = Effect::Change([("gold".to_owned(), effect.parse().unwrap())].into());
        let test = Trial::new("luck", Passage::to(2), Passage::to(3));
        let test = Passage {
            effects: vec![arrival],
            play: Play::Test(Box::new(test)),
        };
        let pay = Choice::new("pay", Passage::won()).when(Condition::at_least("gold", 6));
        let sections = vec![Section::new(1, test), choice(2, vec![pay]), lost(3)];
        let lint = Book::new(manuscript(sections)).unwrap();
        let lint = lint.lint_up_to(hero(), 100).unwrap();
        let way = ["section 2: a reader can get stuck; path: 1, test luck"];
        check_lint(&lint, "stuck", &way);
    }
}

/// A cycle of 1 and 2.
fn lap(option: Choice) -> Vec<Section> {
    vec![
        choice(1, vec![option, go(3)]),
        choice(2, vec![go(1)]),
        won(3),
    ]
}

#[test]
fn cycles_and_what_bounds_them() {
    let lap = |effects, condition| lap(with(2, effects).when(condition));
    let any = || Condition::All(vec![]);
    let bounded = |what: &str| format!("sections 1 and 2 form a cycle, bounded by {what}");
    let free = "sections 1 and 2 form a cycle; no bound was found";
    let toll = || vec![Effect::change("gold", -1)];
    check(
        lap(toll(), Condition::at_least("gold", 1)),
        "cycle",
        &[&bounded("gold")],
    );
    // A hero without gold pays nothing.
    check(lap(toll(), any()), "cycle", &[free]);
    check(
        lap(vec![], Condition::at_least("gold", 1)),
        "cycle",
        &[free],
    );
    check(
        lap(vec![gain("a")], not(has("a"))),
        "cycle",
        &[&bounded("a")],
    );
    check(lap(vec![gain("a")], any()), "cycle", &[free]);
    check(
        lap(vec![Effect::change("stamina", -1)], any()),
        "cycle",
        &[&bounded("stamina")],
    );
    check(
        vec![choice(1, vec![go(1), go(2)]), won(2)],
        "cycle",
        &["section 1 leads back to itself; no bound was found"],
    );
    check(vec![choice(1, vec![go(2)]), won(2)], "cycle", &[]);
}

/// The rounds of a fight on the way are not a lap of their own.
/// Regression: after a price without end, what is found again looked like a bound.
#[test]
fn debts_without_end_bound_no_cycle() {
    let change = |by: i16| Effect::change("gold", by);
    let sections = vec![
        choice(1, vec![with(2, vec![change(-5), change(4)]), go(3)]),
        choice(2, vec![with(1, vec![change(-1)])]),
        won(3),
    ];
    let lint = Book::new(purse(3, sections)).unwrap().lint();
    check_lint(
        &lint,
        "cycle",
        &["sections 1 and 2 form a cycle; no bound was found"],
    );
}

#[test]
fn a_cycle_through_a_fight_with_a_toll_is_bounded_all_the_same() {
    let paid = with(2, vec![Effect::change("gold", -1)]);
    let mut book = lap(paid.when(Condition::at_least("gold", 1)));
    let toll = |effects| Fight {
        toll: Some(Toll {
            count: FightCount::Rounds,
            effects,
        }),
        ..Fight::new([Enemy::new(6, 4)], Passage::to(1))
    };
    for effects in [vec![Effect::Lose("a".into())], vec![gain("a")]] {
        book[1] = Section::new(2, Play::Fight(Box::new(toll(effects))).into());
        check(
            book.clone(),
            "cycle",
            &["sections 1 and 2 form a cycle, bounded by gold"],
        );
    }
}

#[test]
fn meals_bound_a_cycle_that_costs_stamina() {
    let mut book = manuscript(lap(with(2, vec![Effect::change("stamina", -1)])));
    let mut eat = Refreshment {
        label: "eat".into(),
        condition: Some(Condition::at_least("gold", 1)),
        effects: vec![Effect::change("gold", -1), Effect::change("stamina", 4)],
    };
    book.sheet.refreshments.push(eat.clone());
    let lint = Book::new(book.clone()).unwrap().lint();
    check_lint(
        &lint,
        "cycle",
        &["sections 1 and 2 form a cycle, bounded by gold and stamina"],
    );
    eat.effects.remove(0);
    book.sheet.refreshments = vec![eat];
    let lint = Book::new(book).unwrap().lint();
    check_lint(
        &lint,
        "cycle",
        &["sections 1 and 2 form a cycle; no bound was found"],
    );
}

#[test]
fn a_book_as_long_as_they_come() {
    let n = 20_000;
    let builder = (1..n).fold(Book::builder(), |b, i| b.choice(i, [("on", i + 1)]));
    let lint = builder.won(n).build().unwrap().lint();
    assert_eq!((lint.reachable(), lint.findings().len()), (20_000, 19_998));
}

#[cfg(feature = "serde")]
#[test]
fn city_of_thieves() {
    let lint = Book::city_of_thieves().unwrap().lint();
    assert_eq!(lint.reachable(), 421);
    let of = |kind: &str| -> Vec<&Finding> {
        lint.findings()
            .iter()
            .filter(|f| f.kind() == kind)
            .collect()
    };
    let sections = |kind: &str| -> Vec<u32> {
        of(kind)
            .iter()
            .flat_map(|f| f.sections().to_vec())
            .collect()
    };
    assert_eq!(sections("unreachable"), [130, 277, 402]);
    let mut laps: Vec<usize> = of("cycle").iter().map(|f| f.sections().len()).collect();
    laps.sort_unstable();
    assert_eq!(laps, [2, 2, 5, 10, 15, 23]);
    let last: Vec<Option<&str>> = of("surely-lost")
        .iter()
        .filter(|f| f.sections() == [244])
        .map(|f| f.field())
        .collect();
    assert_eq!(last, [Some("choice[0]"), Some("choice[1]")]);
    let must: Vec<Option<&str>> = of("must-have").iter().map(|f| f.item()).collect();
    let needed = [
        "black_pearls",
        "hags_hair",
        "lotus_flower",
        "ring_of_the_golden_eye",
        "silver_arrow",
        "tattoo",
    ];
    assert_eq!(must, needed.map(Some));
    assert!([74, 244].iter().all(|s| sections("must-pass").contains(s)));
    assert_eq!(sections("may-be-stuck"), [0; 0]);
    // Nobody is stuck, as the bounds alone show.
    let hero = hero().item("dexterity_potion");
    let lint = Book::city_of_thieves_corrected()
        .unwrap()
        .lint_up_to(hero, 1_000)
        .unwrap();
    assert_eq!(lint.search(), Some(LintSearch::Complete { places: 0 }));
}

/// Lost immediately, endless, dead on the way or on arrival, and without what is needed.
#[test]
fn books_that_nobody_wins() {
    let deadly = || vec![Effect::change("stamina", -100)];
    let door = || go(2).when(has("a"));
    let killed = Passage {
        effects: deadly(),
        ..Passage::to(2)
    };
    let books = [
        (Section::new(1, Passage::lost()), false),
        (Section::new(1, Passage::to(1)), false),
        (choice(1, vec![go(1), with(2, deadly())]), false),
        (Section::new(1, killed), false),
        (choice(1, vec![go(1), door()]), false),
        (choice(1, vec![with(1, vec![gain("a")]), door()]), true),
        (Section::new(1, Passage::won()), true),
    ];
    for (first, won) in books {
        let lint = lint(vec![first, Section::new(2, Passage::won())]);
        assert_eq!(lint.can_be_won(), won, "{lint}");
        let said = lint.to_string().contains("\nnobody can win\n");
        assert_eq!(said, !won, "{lint}");
    }
}

#[cfg(feature = "toml")]
#[test]
fn the_salt_lantern_is_clean() {
    let lint = Book::salt_lantern().unwrap().lint();
    assert_eq!(
        lint.to_string(),
        "\
44 of 44 sections can be reached; findings: 8
must-pass: every victory passes section 14
must-pass: every victory passes section 22
must-pass: every victory passes section 24
must-pass: every victory passes section 26
must-pass: every victory passes section 30
surely-lost: section 30: choice[2] \"run\" always loses
unread: oilskin makes no difference, except that it may be lost at random instead of another item
unread: tallow makes no difference, except that it may be lost at random instead of another item
"
    );
}

/// Regression: the previous case was the reason, but the hero was said to lack an item that is
/// held.
#[test]
fn cases_behind_one_that_always_holds_are_shadowed() {
    let case = |at_least: i16| {
        let case = go(2).when(Condition::at_least("stamina", at_least));
        Choice {
            label: None,
            ..case
        }
    };
    let other = Choice {
        label: Some("else".into()),
        ..Choice::otherwise(Passage::lost())
    };
    let book = |cases: Vec<Choice>| vec![Section::new(1, Play::First(cases).into()), won(2)];
    let all = vec![case(1), case(2), case(9_999), other.clone()];
    let shadowed = [
        "section 1: first[1] \"turn to 2\" is never reached: one of the cases before it always holds",
        "section 1: first[3] \"else\" is never reached: one of the cases before it always holds",
    ];
    check(book(all.clone()), "shadowed", &shadowed);
    let lacks = "section 1: first[2] \"turn to 2\" is never open: nobody who gets there has the stamina it needs";
    check(book(all), "never-open", &[lacks]);
    // A hero who falls through the first case may meet the second.
    check(book(vec![case(20), case(15), other]), "shadowed", &[]);
}

/// A hero who dies on arrival in the next section has left this one, and holds the items gained
/// here.
#[test]
fn a_way_to_death_is_a_way() {
    let deadly = Effect::change("stamina", -99);
    let mut next = Section::new(2, Passage::won());
    next.passage.effects = vec![deadly];
    let book = vec![choice(1, vec![with(2, vec![gain("a")])]), next];
    check(book.clone(), "dead-end", &[]);
    check(
        book.clone(),
        "hopeless",
        &["section 1 is lost: no path from it leads to a victory"],
    );
    let mut manuscript = manuscript(book);
    manuscript.sheet.items.retain(|item| item.id == "a");
    let lint = Book::new(manuscript).unwrap().lint();
    check_lint(&lint, "unobtainable", &[]);
    assert_eq!((lint.reachable(), lint.can_be_won()), (2, false));
}
