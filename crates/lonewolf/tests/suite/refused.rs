//! Meaningless books are rejected, and valid ones can be written and read.

use oddsmith_lonewolf::{
    Act, ActionChart, Adventure, Book, BookSolver, Branch, Case, Condition, Decision, Discipline,
    Effect, Error, Foe, Item, Manuscript, Outcome, Rules, Section,
};
use oddsmith_mdp::Node;

fn manuscript(id: &str, numbers: [u16; 2], decision: Decision) -> Manuscript {
    let [first, last] = numbers;
    let section = |number, decision| Section { number, decision };
    let end = section(last, Decision::Then(Outcome::Won));
    Manuscript::new(id, first, last, vec![section(first, decision), end])
}

fn book(decision: Decision) -> Result<Book, Error> {
    Book::new(manuscript("case", [1, 2], decision))
}

fn goto() -> Decision {
    Decision::Then(Outcome::Goto(2))
}

#[track_caller]
fn refused(decision: Decision, says: &str) {
    assert_eq!(book(decision).unwrap_err().to_string(), says);
}

fn branch(label: &str) -> Branch {
    Branch {
        label: Some(label.into()),
        decision: goto(),
    }
}

#[test]
fn what_nobody_can_have_or_pay() {
    let next = || Box::new(goto());
    let take = |item, count| Decision::Take {
        item,
        count,
        next: next(),
    };
    refused(
        take(Item::Sundry, 16),
        "section 1: take sundry: the count must be between 1 and 15, got 16",
    );
    refused(
        take(Item::Gold, 51),
        "section 1: take gold: the count must be between 1 and 50, got 51",
    );
    assert!(book(take(Item::Sundry, 15)).is_ok() && book(take(Item::Gold, 50)).is_ok());
    let buy = |price| Decision::Buy {
        item: Item::Axe,
        price,
        next: next(),
    };
    refused(
        buy(51),
        "section 1: buy axe: the price must be at most 50, the capacity of the belt pouch, got 51",
    );
    assert!(book(buy(50)).is_ok());
    let sell = |item| Decision::Sell {
        item,
        price: 1,
        next: next(),
    };
    refused(
        sell(Item::Backpack),
        "section 1: sell backpack: the Backpack cannot be sold",
    );
    assert!(book(sell(Item::Shield)).is_ok());
    let effect = |effect| {
        Decision::Then(Outcome::Do {
            effects: vec![effect],
            then: Box::new(Outcome::Goto(2)),
        })
    };
    let (item, count) = (Item::Meal, 0);
    refused(
        effect(Effect::Gain { item, count }),
        "section 1: gain meal: the count must be between 1 and 100, got 0",
    );
    refused(
        effect(Effect::Lose { item, count }),
        "section 1: lose meal: the count must be between 1 and 100, got 0",
    );
}

/// Regression: conditions could ask for twice the Crowns that a pouch holds, or for none.
#[test]
fn counts_that_nobody_can_have_are_not_asked_for() {
    let asks = |item, count| {
        let within = Condition::Not(Box::new(Condition::Item { item, count }));
        Decision::When {
            condition: Condition::Any(vec![within, Condition::Always]),
            decision: Box::new(goto()),
        }
    };
    for (item, most) in [
        (Item::Gold, 50),
        (Item::Meal, 15),
        (Item::PotionOf6, 15),
        (Item::Sword, 2),
        (Item::Shield, 1),
    ] {
        for count in [0, most + 1, u8::MAX] {
            let name = item.name();
            refused(
                asks(item, count),
                &format!(
                    "section 1: ask for {name}: the count must be between 1 and {most}, got {count}"
                ),
            );
        }
        assert!(book(asks(item, 1)).is_ok() && book(asks(item, most)).is_ok());
    }
}

#[test]
fn what_is_never_reached_or_has_no_name() {
    let case = |condition| Case {
        condition,
        then: Outcome::Goto(2),
    };
    let tracking = || Condition::Discipline(Discipline::Tracking);
    let cases =
        |conditions: [Condition; 2]| Decision::Then(Outcome::Branch(conditions.map(case).to_vec()));
    refused(
        cases([Condition::Always, tracking()]),
        "section 1: the cases of a branch after \"always\" are never reached",
    );
    refused(
        cases([Condition::Always, Condition::Always]),
        "section 1: the cases of a branch after \"always\" are never reached",
    );
    assert!(book(cases([tracking(), Condition::Always])).is_ok());
    let fight = Decision::Then(Outcome::Fight {
        foe: Foe::new(" ", 10, 10),
        won: Box::new(Outcome::Goto(2)),
    });
    refused(fight, "section 1: a foe has no name");
    refused(
        Decision::Choose(vec![branch("\t"), branch("go")]),
        "section 1: a label is blank; leave it out or fill it in",
    );
    let nameless = Book::new(manuscript("", [1, 2], goto())).unwrap_err();
    assert_eq!(nameless.to_string(), "the book: id must not be blank");
    // Section 0 is reserved: in a situation it means that the adventure is over.
    let zero = Book::new(manuscript("zero", [0, 2], goto())).unwrap_err();
    assert_eq!(
        zero.to_string(),
        "the book: section numbers must be 1 or more, got 0"
    );
}

fn acts(decision: Decision) -> Vec<Act> {
    let book = book(decision).unwrap();
    let hero = ActionChart::new(10, 10).unwrap();
    let mut solver = BookSolver::new(&book);
    let mut solved = solver.solve(&hero).unwrap();
    let start = solved.start();
    let advice = solved.advice(&start).unwrap();
    let acts: Vec<Act> = advice.into_iter().map(|advice| advice.act).collect();
    let game = Adventure::new(&book, &hero, Rules::printed());
    let node = Node::of(&game, &start).unwrap();
    assert_eq!(node.len(), acts.len());
    acts
}

/// Regression: two options with the same label were equal, so it was unclear which one was advised.
#[test]
fn options_of_one_label_are_told_apart() {
    let named = |label: &str| Act::Named(label.into());
    assert_eq!(
        acts(Decision::Choose(vec![
            branch("shout"),
            branch("run"),
            branch("shout")
        ])),
        [Act::Option(1), named("run"), Act::Option(3)]
    );
    // Two options may share a label if no hero has both.
    let either = |condition| Branch {
        label: Some("shout".into()),
        decision: Decision::When {
            condition,
            decision: Box::new(goto()),
        },
    };
    let tracking = || Condition::Discipline(Discipline::Tracking);
    let not = Condition::Not(Box::new(tracking()));
    assert_eq!(
        acts(Decision::Choose(vec![either(tracking()), either(not)])),
        [named("shout")]
    );
}

/// Regression: a book nested 62 takings or 41 choices deep could be written, but not read again.
#[cfg(feature = "serde")]
#[test]
fn what_is_a_book_can_be_read_again() {
    let won = || Box::new(Outcome::Goto(2));
    type Wrap = fn(Decision) -> Decision;
    let decisions: [Wrap; 6] = [
        |next| Decision::Rest(Box::new(next)),
        |next| Decision::Take {
            item: Item::Meal,
            count: 1,
            next: Box::new(next),
        },
        |next| Decision::Buy {
            item: Item::Meal,
            price: 1,
            next: Box::new(next),
        },
        |next| Decision::Choose(vec![Branch::to(next)]),
        |next| Decision::When {
            condition: Condition::Item {
                item: Item::Meal,
                count: 1,
            },
            decision: Box::new(next),
        },
        |next| {
            Decision::Choose(vec![Branch::to(Decision::Take {
                item: Item::Meal,
                count: 1,
                next: Box::new(next),
            })])
        },
    ];
    type Around = fn(Outcome) -> Outcome;
    let outcomes: [Around; 6] = [
        |then| Outcome::Do {
            effects: vec![],
            then: Box::new(then),
        },
        |then| Outcome::Do {
            effects: vec![Effect::Gain {
                item: Item::Meal,
                count: 1,
            }],
            then: Box::new(then),
        },
        |then| Outcome::Do {
            effects: vec![Effect::LoseAll(vec![])],
            then: Box::new(then),
        },
        |then| Outcome::Fight {
            foe: Foe::new("Giak", 10, 10),
            won: Box::new(then),
        },
        |then| Outcome::Random(vec![oddsmith_lonewolf::Chance { numbers: 10, then }]),
        |then| {
            Outcome::Branch(vec![Case {
                condition: Condition::Always,
                then,
            }])
        },
    ];
    type Asked = fn(Condition) -> Condition;
    let conditions: [Asked; 3] = [
        |inner| Condition::Not(Box::new(inner)),
        |inner| Condition::All(vec![inner]),
        |inner| Condition::Any(vec![Condition::Not(Box::new(inner))]),
    ];
    let ends: [fn() -> Condition; 3] = [
        || Condition::Always,
        || Condition::Discipline(Discipline::Weaponskill(Item::Axe)),
        || Condition::Item {
            item: Item::Axe,
            count: 1,
        },
    ];
    // Finds how deep each can be nested, and checks that such a book can be read.
    let deepest = |of: &dyn Fn(usize) -> Decision| {
        (1..=65)
            .take_while(|&depth| match book(of(depth)) {
                Ok(book) => {
                    let text = book.to_json().unwrap();
                    assert_eq!(Book::from_json(&text, "again").unwrap(), book);
                    true
                }
                Err(Error::Section { section: 1, .. }) => false,
                Err(other) => panic!("{other}"),
            })
            .count()
    };
    let found = decisions.map(|wrap| {
        deepest(&|depth| (0..depth).fold(Decision::Then(*won()), |next, _| wrap(next)))
    });
    assert_eq!(found, [63, 61, 61, 40, 61, 24]);
    let found = outcomes.map(|around| {
        deepest(&|depth| Decision::Then((0..depth).fold(*won(), |then, _| around(then))))
    });
    assert_eq!(found, [61, 60, 60, 61, 40, 40]);
    for end in ends {
        for asked in conditions {
            let depth = deepest(&|depth| Decision::When {
                condition: (0..depth).fold(end(), |inner, _| asked(inner)),
                decision: Box::new(goto()),
            });
            assert!((20..=63).contains(&depth), "{depth}");
        }
    }
}

/// Regression: display names could not be parsed, and format widths were ignored.
#[test]
fn items_and_disciplines_read_what_they_write() {
    for &item in Item::ALL {
        assert_eq!(item.to_string().parse(), Ok(item));
        assert_eq!(item.name().parse(), Ok(item));
    }
    for discipline in Discipline::PLAIN {
        assert_eq!(discipline.to_string().parse(), Ok(discipline));
    }
    let skill = Discipline::Weaponskill(Item::ShortSword);
    assert_eq!(skill.to_string().parse(), Ok(skill));
    assert_eq!(format!("{:<12}|", Item::ShortSword), "short sword |");
    assert_eq!(format!("{:>12}", Discipline::SixthSense), " sixth sense");
    assert_eq!(format!("{skill:>27}"), " weaponskill in short sword");
}

/// Regression: ENDURANCE that is only possible with a helmet was accepted without one.
#[test]
fn nobody_has_more_endurance_than_he_can_have() {
    let book = book(goto()).unwrap();
    let hero = ActionChart::new(10, 20).unwrap();
    let mut solver = BookSolver::new(&book);
    for (hero, full) in [
        (hero.clone(), 20),
        (hero.clone().item(Item::Helmet).unwrap(), 22),
        (hero.item(Item::BodyArmor).unwrap(), 24),
    ] {
        let mut solved = solver.solve(&hero).unwrap();
        let start = solved.start();
        assert_eq!(solved.win_from(&start.with_endurance(full)), Ok(1.0));
        for endurance in [0, full + 1, 26, 27] {
            let error = solved.win_from(&start.with_endurance(endurance));
            assert!(matches!(error, Err(Error::Situation { .. })));
        }
    }
}
