//! The linter: tests that dice do not decide, and fights that nobody can win.

use crate::words::{choice, gain, go, lost, manuscript, with, won};
use oddsmith_fightingfantasy::{Hero, LuckTest};
use oddsmith_gamebook::{
    Book, Condition, Effect, Enemy, Fight, FightCount, FightOrder, Finding, Goods, Lint,
    Manuscript, Passage, Play, Section, Shop, Slot, Toll, Trial,
};

/// The texts of the findings of one kind.
#[track_caller]
fn check(lint: &Lint, kind: &str, expected: &[&str]) {
    let findings = lint.findings().iter().filter(|f| f.kind() == kind);
    let found: Vec<String> = findings.map(ToString::to_string).collect();
    assert_eq!(found, expected, "{lint}");
}

/// The reader may take a, b or nothing; a test of SKILL in section 2 leads to 3 or 4.
fn tested(dice: u8, add: i16) -> Manuscript {
    let trial = Trial {
        dice,
        add,
        ..Trial::new("skill", Passage::to(3), Passage::to(4))
    };
    manuscript(vec![
        choice(
            1,
            vec![with(2, vec![gain("a")]), with(2, vec![gain("b")]), go(2)],
        ),
        Section::new(2, Play::Test(Box::new(trial)).into()),
        won(3),
        lost(4),
    ])
}

fn lint(book: Manuscript) -> Lint {
    Book::new(book).unwrap().lint()
}

/// SKILL is 7 to 12 for rolled heroes.
#[test]
fn a_test_that_dice_do_not_decide() {
    let passed = "section 2: everybody who reaches the test passes it";
    let failed = "section 2: nobody who reaches the test passes it";
    for (dice, add, rule, expected) in [
        (1, 0, LuckTest::AtMost, vec![passed]),
        (1, 1, LuckTest::AtMost, vec![passed]),
        (1, 1, LuckTest::Below, vec![]),
        (1, 2, LuckTest::AtMost, vec![]),
        (2, 0, LuckTest::AtMost, vec![]),
        (2, 10, LuckTest::AtMost, vec![]),
        (2, 10, LuckTest::Below, vec![failed]),
        (2, 11, LuckTest::AtMost, vec![failed]),
    ] {
        let mut book = tested(dice, add);
        book.rules.test = rule;
        let lint = lint(book);
        check(&lint, "foregone", &expected);
        let nowhere = match expected.first() {
            Some(said) if *said == passed => vec!["section 4 cannot be reached from the start"],
            Some(_) => vec!["section 3 cannot be reached from the start"],
            None => vec![],
        };
        check(&lint, "unreachable", &nowhere);
        assert_eq!(lint.can_be_won(), !expected.contains(&failed));
    }
    let lint = lint(tested(1, 0));
    let finding = lint.findings().iter().find(|f| f.kind() == "foregone");
    let finding = finding.unwrap();
    assert_eq!(
        (finding.sections(), finding.field()),
        (&[2][..], Some("test"))
    );
    assert_eq!(finding.item(), None);
}

/// The first held item of a slot works, and an item that everybody holds works for everybody.
#[test]
fn what_items_add_to_a_test() {
    let said = ["section 2: everybody who reaches the test passes it"];
    let book = |added: [i16; 2], slots: bool, everybody: &[&str]| {
        let mut book = tested(1, 0);
        for (place, added) in (0..).zip(added) {
            let item = &mut book.sheet.items[usize::from(place as u8 != 0)];
            item.modifiers = [("skill".to_owned(), added)].into();
            item.slot = slots.then(|| Slot {
                id: "hand".into(),
                priority: place,
            });
        }
        book.sheet.initial_items = everybody.iter().map(|item| (*item).to_owned()).collect();
        lint(book)
    };
    check(&book([-1, 0], false, &[]), "foregone", &said); // 7 - 1 is enough for one die
    check(&book([-2, 0], false, &[]), "foregone", &[]);
    check(&book([-2, 1], false, &[]), "foregone", &[]); // one may take a alone
    check(&book([-2, 1], false, &["b"]), "foregone", &said);
    // a has priority over b.
    check(&book([1, -2], true, &[]), "foregone", &[]);
    check(&book([1, -2], true, &["a"]), "foregone", &said);
    check(&book([-2, 1], true, &["b"]), "foregone", &[]);
}

fn fought(fight: Fight) -> Manuscript {
    let mut book = tested(2, 0);
    book.sections[1] = Section::new(2, Play::Fight(Box::new(fight)).into());
    book
}

/// 12 and two sixes are 24, and 23 and two ones 25.
#[test]
fn a_fight_that_nobody_can_win() {
    let said = ["section 2: nobody who reaches the fight wins it"];
    let against = |foes: &[i16]| Fight::new(foes.iter().map(|s| Enemy::new(*s, 2)), Passage::to(3));
    let hopeless = lint(fought(against(&[22])));
    check(&hopeless, "unwinnable", &said);
    assert!(!hopeless.can_be_won());
    check(&lint(fought(against(&[21]))), "unwinnable", &[]);
    check(&lint(fought(against(&[7, 22, 7]))), "unwinnable", &said);
    // It may be the weaker one.
    let one_of = |foes: &[i16]| Fight {
        order: FightOrder::OneOf,
        ..against(foes)
    };
    check(&lint(fought(one_of(&[22, 7]))), "unwinnable", &[]);
    check(&lint(fought(one_of(&[22, 30]))), "unwinnable", &said);
    // The items that are held for certain, and those that may be held.
    let held = |attack: i16, hit: i16, everybody: bool| {
        let mut book = fought(against(&[22]));
        (book.sheet.items[0].attack, book.sheet.items[0].hit) = (attack, hit);
        if everybody {
            book.sheet.initial_items = vec!["a".into()];
        }
        lint(book)
    };
    check(&held(1, 0, false), "unwinnable", &[]);
    check(&held(1, -1, true), "unwinnable", &[]);
    check(&held(1, -2, true), "unwinnable", &said);
}

/// A hero who gets stronger in the fight may win it.
#[test]
fn a_fight_that_is_won_after_a_toll() {
    let fight = |effect| Fight {
        toll: Some(Toll {
            count: FightCount::Rounds,
            effects: vec![effect],
        }),
        ..Fight::new([Enemy::new(22, 2)], Passage::to(3))
    };
    let grown = fight(Effect::RaiseCap([("skill".to_owned(), 1)].into()));
    let said = ["section 2: nobody who reaches the fight wins it"];
    check(&lint(fought(grown)), "unwinnable", &said);
    let armed = lint(fought(fight(gain("a"))));
    check(&armed, "unwinnable", &said);
    let mut book = fought(fight(gain("a")));
    book.sheet.items[0].attack = 1;
    book.sections[0] = choice(1, vec![go(2)]);
    let armed = lint(book);
    check(&armed, "unwinnable", &[]);
    assert!(armed.can_be_won());
}

/// More is certain for one hero than for all.
#[test]
fn one_hero_alone() {
    let book = |rule| {
        let mut book = tested(2, 0);
        book.rules.test = rule;
        Book::new(book).unwrap()
    };
    let best = Hero::new(12, 24, 12).unwrap();
    let weaker = Hero::new(11, 24, 12).unwrap();
    let foregone = |rule, hero: &Hero| {
        let lint = book(rule).lint_up_to(hero, 100).unwrap();
        let kinds = lint.findings().iter().map(Finding::kind);
        kinds.filter(|kind| *kind == "foregone").count()
    };
    assert_eq!(foregone(LuckTest::AtMost, &best), 1);
    assert_eq!(foregone(LuckTest::AtMost, &weaker), 0);
    assert_eq!(foregone(LuckTest::Below, &best), 0);
}

/// No condition asks for a: it is sold, or it is useful where nobody wins without it.
#[test]
fn what_is_needed_for_what_it_does() {
    let take_or_pass = || choice(1, vec![with(2, vec![gain("a")]), go(2)]);
    let needed = |book: Manuscript, expected: &[&str]| {
        let book = Book::new(book).unwrap();
        let hero = Hero::new(7, 14, 7).unwrap();
        check(&book.lint_up_to(hero, 0).unwrap(), "must-have", expected);
        book.lint()
    };
    let a = ["nobody can win without ever having had a"];
    // There are three gold pieces, and five are required.
    let selling = |price: u16| {
        let shop = Shop {
            sells: Vec::new(),
            buys: vec![Goods::item("a", price)],
            leave: Passage::to(3),
        };
        let pay = go(4).when(Condition::at_least("gold", 5));
        manuscript(vec![
            take_or_pass(),
            Section::new(2, Play::Shop(Box::new(shop)).into()),
            choice(3, vec![pay, go(5)]),
            won(4),
            lost(5),
        ])
    };
    check(&needed(selling(5), &a), "must-have", &a);
    let mut rich = selling(5);
    rich.sheet.stats[3].initial = 5.into();
    check(&needed(rich, &[]), "must-have", &[]);
    // A hero with SKILL 7 cannot hit this foe without it; one with SKILL 12 can.
    let foe = Fight::new([Enemy::new(20, 2)], Passage::to(3));
    let mut duel = manuscript(vec![
        take_or_pass(),
        Section::new(2, Play::Fight(Box::new(foe)).into()),
        won(3),
    ]);
    duel.sheet.items[0].attack = 9;
    check(&needed(duel, &a), "must-have", &[]);
    // Nor pass this test.
    let mut test = tested(2, 6);
    test.sheet.items[0].modifiers = [("skill".to_owned(), 3)].into();
    check(&needed(test.clone(), &a), "must-have", &[]);
    // b would do as well.
    test.sheet.items[1].modifiers = [("skill".to_owned(), 3)].into();
    needed(test, &[]);
}
