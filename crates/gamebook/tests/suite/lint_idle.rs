//! The linter: items and fields that make no difference.

use crate::words::{choice, gain, go, has, manuscript, not, with, won};
use oddsmith_gamebook::{
    Book, Branch, Choice, ConditionalEffects, Effect, Enemy, Escape, Fight, Finding, Hazard,
    Manuscript, Passage, Play, Refreshment, Section, Slot, Trial, Wager, WeightedEffects,
};

/// A fight against one foe, then the section after it.
fn fight(number: u32) -> Section {
    let fight = Fight::new([Enemy::new(7, 6)], Passage::to(number + 1));
    Section::new(number, Play::Fight(Box::new(fight)).into())
}

/// The texts of the findings of one kind.
#[track_caller]
fn check(book: Manuscript, kind: &str, expected: &[&str]) {
    let lint = Book::new(book).unwrap().lint();
    let findings = lint.findings().iter().filter(|f| f.kind() == kind);
    let found: Vec<String> = findings.map(ToString::to_string).collect();
    assert_eq!(found, expected, "{lint}");
}

#[test]
fn an_item_that_works_is_read() {
    let mut book = manuscript(vec![
        choice(1, vec![with(2, vec![gain("a"), gain("b")])]),
        fight(2),
        won(3),
    ]);
    book.sheet.items[0].attack = 1;
    check(book, "unread", &["b makes no difference to anything"]);
}

/// A bonus works only where its stat is used.
#[test]
fn an_item_that_works_nowhere_is_unread() {
    let test = |stat: &str| {
        let test = Trial::new(stat, Passage::to(3), Passage::to(3));
        Section::new(2, Play::Test(Box::new(test)).into())
    };
    let unread = |second: Section, change: &dyn Fn(&mut Manuscript)| {
        let mut book = manuscript(vec![
            choice(1, vec![with(2, vec![gain("a"), gain("b"), gain("c")])]),
            second,
            won(3),
        ]);
        change(&mut book);
        let lint = Book::new(book).unwrap().lint();
        let findings = lint.findings().iter().filter(|f| f.kind() == "unread");
        let items = findings.filter_map(Finding::item);
        items.map(str::to_owned).collect::<String>()
    };
    // Gold, attack, and effects after fights.
    let things = |book: &mut Manuscript| {
        let items = &mut book.sheet.items;
        items[0].modifiers = [("gold".to_owned(), 3)].into();
        items[1].attack = 2;
        items[2].after_fight = [("stamina".to_owned(), 1)].into();
    };
    assert_eq!(unread(Section::new(2, Passage::to(3)), &things), "abc");
    assert_eq!(unread(test("luck"), &things), "abc");
    assert_eq!(unread(test("gold"), &things), "bc");
    assert_eq!(unread(fight(2), &things), "a");
    // SKILL is used in fights, and LUCK if it may be tested there.
    let stats = |book: &mut Manuscript| {
        let items = &mut book.sheet.items;
        for (item, (stat, by)) in items
            .iter_mut()
            .zip([("skill", 1), ("luck", 1), ("skill", 0)])
        {
            item.modifiers = [(stat.to_owned(), by)].into();
        }
    };
    assert_eq!(unread(fight(2), &stats), "bc");
    let battle = |book: &mut Manuscript| {
        stats(book);
        book.rules.luck_in_battle = true;
    };
    assert_eq!(unread(fight(2), &battle), "c");
    // Worn first, a only keeps b from working; c is worn last.
    let worn = |book: &mut Manuscript| {
        for (item, priority) in book.sheet.items.iter_mut().zip(1..) {
            let id = "head".to_owned();
            item.slot = Some(Slot { id, priority });
        }
        book.sheet.items[1].attack = 1;
    };
    assert_eq!(unread(fight(2), &worn), "c");
}

#[test]
fn what_is_said_where_it_cannot_count() {
    let says = |section: Section| Section {
        refresh: Some(false),
        leave: vec![gain("a")],
        ..section
    };
    let refresh = "section 1: refresh has no effect: the section is not a choice";
    let leave = "section 1: leave has no effect: nobody turns from it to another section";
    let found = |section: Section, expected: &[&str]| {
        let book = manuscript(vec![says(section), won(2)]);
        check(book, "no-effect", expected);
    };
    found(won(1), &[refresh, leave]);
    found(choice(1, vec![go(2)]), &[]);
    found(Section::new(1, Passage::to(2)), &[refresh]);
    let give_up = Choice::new("give up", Passage::lost());
    found(choice(1, vec![give_up.clone()]), &[leave]);
    found(choice(1, vec![give_up, go(2)]), &[]);
    // Regression test: a branch of weight 0 counted as a way on.
    let branch = |weight, passage| Branch { weight, passage };
    let random = |weight| {
        let branches = vec![branch(weight, Passage::to(2)), branch(1, Passage::lost())];
        Section::new(1, Play::Random(branches).into())
    };
    let never = "section 1: random[0] has no effect: its chance is 0";
    found(random(0), &[refresh, leave, never]);
    found(random(1), &[refresh]);
    // A hero who runs leaves without it.
    let mut runs = fight(1);
    found(runs.clone(), &[refresh]);
    if let Play::Fight(fight) = &mut runs.passage.play {
        fight.victory = Passage::won();
        fight.escape = Some(Escape::new(1, Passage::to(2)));
    }
    found(runs, &[refresh, leave]);
}

/// The finding also occurs where everybody dies on arrival, but not where nobody comes.
#[test]
fn what_is_said_where_all_die() {
    let mut deadly = Section::new(2, Passage::to(3));
    deadly.refresh = Some(true);
    deadly.leave = vec![Effect::change("gold", 1)];
    deadly.passage.effects = vec![Effect::change("stamina", -50)];
    let said = ["section 2: refresh has no effect: the section is not a choice"];
    for (first, expected) in [(2, &said[..]), (3, &[])] {
        let start = Section::new(1, Passage::to(first));
        let book = manuscript(vec![start, deadly.clone(), won(3)]);
        check(book, "no-effect", expected);
    }
}

/// Regression test: what keeps a refreshment closed for ever was said to make no difference.
#[test]
fn what_keeps_a_refreshment_closed() {
    let mut book = manuscript(vec![choice(1, vec![go(2), go(2)]), won(2)]);
    book.sheet.initial_items = vec!["a".into()];
    book.sheet.refreshments = vec![Refreshment {
        label: "swear".into(),
        condition: Some(not(has("a"))),
        effects: vec![Effect::change("stamina", -1)],
    }];
    check(book, "unread", &[]);
}

/// Refreshments use nothing where readers never have a choice.
#[test]
fn what_only_a_refreshment_asks_for_that_nobody_takes() {
    let drink = Refreshment {
        label: "drink".into(),
        condition: Some(has("a")),
        effects: vec![Effect::Lose("a".into())],
    };
    let unread = |first: Section, expected: &[&str]| {
        let mut book = manuscript(vec![first, won(2)]);
        book.sheet.initial_items = vec!["a".into()];
        book.sheet.refreshments = vec![drink.clone()];
        check(book, "unread", expected);
    };
    let idle = ["a makes no difference to anything"];
    unread(Section::new(1, Passage::to(2)), &idle);
    // Nothing is on offer beside a single option.
    unread(choice(1, vec![go(2)]), &idle);
    unread(choice(1, vec![go(2), go(2)]), &[]);
    let refused = Section {
        refresh: Some(false),
        ..choice(1, vec![go(2), go(2)])
    };
    unread(refused, &idle);
}

/// Weights and hazards of 0 are found at any depth.
#[test]
fn what_has_no_chance() {
    let outcomes = |weights: [u32; 2]| {
        let effects = vec![gain("a")];
        Vec::from(weights.map(|weight| WeightedEffects {
            weight,
            effects: effects.clone(),
        }))
    };
    let branch = |weight, passage| Branch { weight, passage };
    let nested = Effect::When(ConditionalEffects {
        condition: has("a"),
        then: vec![gain("a")],
        otherwise: vec![Effect::Random(outcomes([0, 1]))],
    });
    let game = Wager {
        rounds: 2,
        condition: None,
        free: true,
        round: outcomes([1, 0]),
        after: Passage::to(2),
    };
    let mut fight = Fight::new([Enemy::new(7, 6), Enemy::new(7, 6)], Passage::to(2));
    fight.foes[1].hazard = Some(Hazard {
        chance: 0,
        of: 6,
        damage: 1,
    });
    let mut doomed = Passage::to(2);
    doomed.effects = vec![gain("a"), nested.clone()];
    let section = Section {
        leave: vec![nested],
        ..Section::new(
            1,
            Play::Random(vec![
                branch(1, Play::Game(Box::new(game)).into()),
                branch(0, Passage::won()),
                branch(1, Play::Fight(Box::new(fight)).into()),
                branch(1, doomed),
            ])
            .into(),
        )
    };
    let book = manuscript(vec![section, won(2)]);
    check(
        book,
        "no-effect",
        &[
            "section 1: leave[0].when.else[0].random[0] has no effect: its chance is 0",
            "section 1: random[1] has no effect: its chance is 0",
            "section 1: random[0].game.round[1] has no effect: its chance is 0",
            "section 1: random[2].fight.foes[1].hazard has no effect: its chance is 0",
            "section 1: random[3].effects[1].when.else[0].random[0] has no effect: its chance is 0",
        ],
    );
}
