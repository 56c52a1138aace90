//! Bad input gives an error that names it, and extreme values do not overflow.

use oddsmith_lonewolf::{
    ActionChart, Adventure, Book, BookSolver, Chance, Combat, CombatTable, Decision, Discipline,
    Effect, Error, Exchange, Foe, Item, Loss, Manuscript, Outcome, Rules, Section, Slot,
};
use oddsmith_mdp::{Node, Solver};

#[track_caller]
fn check_endurance(hero: i64, foe: i64, who: &'static str, given: i64) {
    let error = Combat::new(15, hero, 15, foe).unwrap_err();
    assert_eq!(
        error,
        Error::Endurance {
            who,
            given,
            limit: 999
        }
    );
    assert!(error.to_string().contains(who) && error.to_string().contains(&given.to_string()));
}

#[test]
fn endurance_is_at_least_one_and_not_absurd() {
    check_endurance(0, 10, "Lone Wolf", 0);
    check_endurance(-3, 10, "Lone Wolf", -3);
    check_endurance(10, 0, "the foe", 0);
    check_endurance(10, i64::MAX, "the foe", i64::MAX);
    check_endurance(i64::MIN, 0, "Lone Wolf", i64::MIN);
    check_endurance(65_537, 1, "Lone Wolf", 65_537);
    check_endurance(1, 1_000, "the foe", 1_000);
}

#[test]
fn combat_skill_may_be_any_number() {
    let best = Combat::new(i32::MAX, 10, i32::MIN, 10).unwrap();
    let good = Combat::new(11, 10, 0, 10).unwrap();
    assert_eq!(best.ratio(), i64::from(u32::MAX));
    assert_eq!(best.win().unwrap(), good.win().unwrap());
    let worst = Combat::new(i32::MIN, 10, i32::MAX, 10).unwrap();
    let bad = Combat::new(0, 10, 11, 10).unwrap();
    assert_eq!(worst.win().unwrap(), bad.win().unwrap());
}

#[test]
fn a_mindblast_may_be_deadly() {
    // Dead after the first round in any case: the fight is lost even if the foe falls too.
    let combat = Combat::new(30, 999, 0, 1)
        .unwrap()
        .enemy_mindblast(u16::MAX);
    let odds = combat.odds().unwrap();
    assert_eq!(odds.win().to_string(), "0");
    assert_eq!(odds.law().unwrap().p(&(0, 0)).to_string(), "1");
    assert_eq!(odds.expected_rounds().unwrap().to_string(), "1");
}

/// Three exchanges in the last column kill unhurt, one deals 18 points unhurt;
/// doubled that is 36, and the others are deadly to a hero with 1 point.
#[test]
fn a_doubled_killing_blow_kills() {
    let check = |foe: i64, victory: &str| {
        let combat = Combat::new(30, 1, 0, foe).unwrap().double_damage();
        assert_eq!(combat.win().unwrap().to_string(), victory);
    };
    check(36, "2/5");
    check(37, "17/50"); // 3/10 + 1/10 · 4/10
    check(73, "167/500"); // 3/10 + 1/10 · 17/50
}

#[test]
fn large_combats_are_within_reach() {
    let odds = Combat::new(15, 300, 15, 300).unwrap().odds().unwrap();
    let law = odds.law().unwrap();
    assert_eq!(law.probability(|&(hero, _)| hero > 0), odds.win());
    let float = Combat::new(15, 999, 15, 999).unwrap().win_f64().unwrap();
    assert!(float > 0.999 && float <= 1.0, "{float}");
}

#[test]
fn limits_end_in_errors() {
    let combat = Combat::new(15, 30, 15, 30).unwrap();
    let error = combat
        .odds_with(Solver::exact().max_states(100))
        .unwrap_err();
    assert_eq!(
        error,
        Error::Solve(oddsmith_mdp::Error::TooManyStates { limit: 100 })
    );
}

#[test]
fn random_numbers_end_at_nine() {
    let table = CombatTable::standard();
    assert_eq!(
        table.exchange(0, 10),
        Err(Error::RandomNumber { given: 10 })
    );
    assert_eq!(
        table.exchange(0, u8::MAX),
        Err(Error::RandomNumber { given: 255 })
    );
}

#[test]
fn a_table_must_let_every_combat_end() {
    let exchange = |foe, hero| Exchange {
        foe: Loss::Points(foe),
        hero: Loss::Points(hero),
    };
    let mut columns = [[exchange(1, 0); 10]; 13];
    assert!(CombatTable::new(columns).is_ok());
    columns[7][9] = exchange(0, 0);
    let error = CombatTable::new(columns).unwrap_err();
    assert_eq!(
        error,
        Error::IdleExchange {
            column: 1,
            number: 0
        }
    );
    columns[0][0] = exchange(0, 0);
    let error = CombatTable::new(columns).unwrap_err();
    assert_eq!(
        error,
        Error::IdleExchange {
            column: -6,
            number: 1
        }
    );
}

#[test]
fn a_chart_is_what_the_rules_allow() {
    #[track_caller]
    fn refused(chart: Result<ActionChart, Error>, error: &Error) {
        assert_eq!(chart.as_ref(), Err(error));
    }
    let chart = || ActionChart::new(15, 25);
    for given in [0, -1, 101, i64::MIN, i64::MAX, 256 + 20] {
        let who = "Lone Wolf";
        refused(
            ActionChart::new(15, given),
            &Error::Endurance {
                who,
                given,
                limit: 100,
            },
        );
    }
    for given in [-1, 101, i64::MAX] {
        refused(
            ActionChart::new(given, 20),
            &Error::CombatSkill { given, limit: 100 },
        );
    }
    let slot = Slot::Backpack;
    let eleven = chart().and_then(|chart| chart.items(Item::Meal, 11));
    refused(
        eleven,
        &Error::TooMany {
            slot,
            given: 11,
            limit: 8,
        },
    );
    let mixed = chart()
        .and_then(|chart| chart.items(Item::Meal, 5))
        .and_then(|chart| chart.items(Item::Laumspur, 4));
    refused(
        mixed,
        &Error::TooMany {
            slot,
            given: 9,
            limit: 8,
        },
    );
    let slot = Slot::Weapons;
    let armed = chart().and_then(|chart| chart.items(Item::Axe, 3));
    refused(
        armed,
        &Error::TooMany {
            slot,
            given: 3,
            limit: 2,
        },
    );
    // There is room for all Special Items, but only one of each.
    let shields = chart().and_then(|chart| chart.items(Item::Shield, 2));
    let item = Item::Shield;
    refused(shields, &Error::OnlyOne { item, given: 2 });
    let packs = chart().and_then(|chart| chart.items(Item::Backpack, 255));
    let item = Item::Backpack;
    refused(packs, &Error::OnlyOne { item, given: 256 });
    let slot = Slot::Pouch;
    let rich = chart().and_then(|chart| chart.gold(51));
    refused(
        rich,
        &Error::TooMany {
            slot,
            given: 51,
            limit: 50,
        },
    );

    let twice = [Discipline::Healing, Discipline::Healing];
    let given = Discipline::Healing;
    refused(
        chart().and_then(|chart| chart.disciplines(&twice)),
        &Error::DisciplineTwice { given },
    );
    let given = Discipline::Weaponskill(Item::Axe);
    let skills = [Discipline::Weaponskill(Item::Sword), given];
    refused(
        chart().and_then(|chart| chart.disciplines(&skills)),
        &Error::DisciplineTwice { given },
    );
    let meals = Discipline::Weaponskill(Item::Meal);
    let given = Item::Meal;
    refused(
        chart().and_then(|chart| chart.discipline(meals)),
        &Error::NoWeapon { given },
    );
    assert!(chart().unwrap().wounded(0).is_err() && chart().unwrap().wounded(26).is_err());
}

#[test]
fn unknown_words_are_named() {
    for word in ["", "Swimming", "meal", "weaponskill", "6s"] {
        let error = word.parse::<Discipline>().unwrap_err();
        assert!(error.to_string().contains(&format!("{word:?}")), "{error}");
    }
    let given = "Excalibur".to_owned();
    assert_eq!(
        "Excalibur".parse::<Item>(),
        Err(Error::UnknownItem { given })
    );
}

#[test]
fn books_that_do_not_fit_together_are_refused() {
    #[track_caller]
    fn refused(decisions: Vec<Decision>, says: &str) {
        let numbered = (1..).zip(decisions);
        let sections = numbered.map(|(number, decision)| Section { number, decision });
        let book = Book::new(Manuscript::new("bad", 1, 1, sections.collect()));
        let error = book.unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let goto = |number| Decision::Then(Outcome::Goto(number));
    refused(vec![goto(9)], "section 1: there is no section 9");
    refused(
        vec![goto(2), goto(3), goto(2)],
        "section 2: it leads back to itself through 2, 3",
    );
    refused(
        vec![Decision::Choose(vec![])],
        "section 1: a choice needs at least one option",
    );
    let chance = |numbers| Chance {
        numbers,
        then: Outcome::Lost,
    };
    let random = |numbers: &[u8]| {
        Decision::Then(Outcome::Random(
            numbers.iter().map(|&n| chance(n)).collect(),
        ))
    };
    refused(vec![random(&[5, 4])], "9 numbers");
    refused(vec![random(&[10, 0])], "at least one in each line");
    refused(vec![random(&[])], "0 numbers");
    refused(vec![random(&[255, 255, 10])], "520 numbers");
    let branch = Outcome::Branch(vec![]);
    refused(vec![Decision::Then(branch)], "must be \"always\"");
    let fight = |foe| {
        Decision::Then(Outcome::Fight {
            foe,
            won: Box::new(Outcome::Won),
        })
    };
    refused(vec![fight(Foe::new("ghost", 10, 0))], "ghost");
    refused(vec![fight(Foe::new("giant", 10, 101))], "giant");
    let contest = Foe {
        contest: Some(8),
        ..Foe::new("sailor", 10, 10)
    };
    refused(vec![fight(contest)], "no section 8");
    let next = Box::new(goto(1));
    refused(
        vec![Decision::Take {
            item: Item::Meal,
            count: 0,
            next,
        }],
        "section 1: take meal: the count must be between 1 and 15, got 0",
    );
    let mut deep = Decision::Then(Outcome::Won);
    for _ in 0..100 {
        deep = Decision::Rest(Box::new(deep));
    }
    refused(vec![deep], "deeper than 64");
    refused(vec![], "section 1, which does not exist");
}

/// A book of ten thousand sections does not overflow the stack.
#[test]
fn long_books_are_solved() {
    let sections = (1..=10_000).map(|number| {
        let outcome = match number {
            10_000 => Outcome::Won,
            _ => Outcome::Goto(number + 1),
        };
        Section {
            number,
            decision: Decision::Then(outcome),
        }
    });
    let book = Book::new(Manuscript::new("long", 1, 10_000, sections.collect())).unwrap();
    let mut solver = BookSolver::new(&book);
    let mut solved = solver.solve(&ActionChart::new(10, 1).unwrap()).unwrap();
    assert_eq!(solved.win(), 1.0);
    assert_eq!(solved.exact().unwrap().to_string(), "1");
    assert_eq!(solved.journey().unwrap().line().len(), 9_999);
}

/// Extreme values do not overflow, and chances stay between 0 and 1.
#[test]
fn extremes_are_solved() {
    let foe = Foe {
        bonus: i8::MIN,
        mindblast: true,
        unhurt_rounds: u8::MAX,
        bonus_rounds: Some(u8::MAX),
        ..Foe::new("wall", 100, 100)
    };
    let hurt = |by| Outcome::Do {
        effects: vec![Effect::Damage(by), Effect::Heal(255)],
        then: Box::new(Outcome::Goto(3)),
    };
    let fight = Outcome::Fight {
        foe,
        won: Box::new(hurt(255)),
    };
    let sections = vec![
        Section {
            number: 1,
            decision: Decision::Then(fight),
        },
        Section {
            number: 3,
            decision: Decision::Then(Outcome::Won),
        },
    ];
    let book = Book::new(Manuscript::new("hard", 1, 3, sections)).unwrap();
    for (skill, endurance) in [(0, 1), (0, 100), (100, 1), (100, 100)] {
        let hero = ActionChart::new(skill, endurance).unwrap();
        let win = BookSolver::new(&book).win(&hero).unwrap();
        assert!((0.0..=1.0 + 1e-9).contains(&win), "{win}");
    }
}

/// A book that begins with a combat that can be evaded.
fn ambush(foe: Foe, after: u8) -> Book {
    let sections = vec![
        Section {
            number: 1,
            decision: Decision::Evade {
                after,
                to: 2,
                foe,
                won: Outcome::Goto(2),
            },
        },
        Section {
            number: 2,
            decision: Decision::Then(Outcome::Won),
        },
    ];
    Book::new(Manuscript::new("ambush", 1, 2, sections)).unwrap()
}

#[test]
fn a_combat_under_way_belongs_to_its_book_and_rules() {
    let book = ambush(Foe::new("Giak", 10, 14), 2);
    let hero = ActionChart::new(14, 8).unwrap();
    let mut solver = BookSolver::new(&book);
    let mut solved = solver.solve(&hero).unwrap();
    let start = solved.start();
    let first = solved.advice(&start).unwrap()[0].outcomes[0].0;
    let later = solved.advice(&first).unwrap()[0].outcomes[0].0;
    assert_eq!(later.foe(), Some(11));
    assert!(solved.win_from(&later).is_ok());
    // Situations that these books and rules do not have: a weaker foe, no rounds to count, no
    // decision during the combat.
    let weak = ambush(Foe::new("Giak", 10, 5), 2);
    let soon = ambush(Foe::new("Giak", 10, 14), 0);
    for (book, rules) in [
        (&weak, Rules::printed()),
        (&soon, Rules::printed()),
        (&book, Rules::yardstick()),
    ] {
        let mut solver = BookSolver::new(book).rules(rules);
        let error = solver.solve(&hero).unwrap().win_from(&later).unwrap_err();
        assert!(matches!(error, Error::Situation { .. }), "{error}");
    }
}

/// Regression test: a book as a game went on with combats that it does not have.
#[test]
fn a_game_has_no_combats_but_its_own() {
    let book = ambush(Foe::new("Giak", 10, 14), 2);
    let hero = ActionChart::new(14, 8).unwrap();
    let game = Adventure::new(&book, &hero, Rules::printed());
    let first = Node::of(&game, &game.start()).unwrap().outcomes(0)[0].0;
    let later = Node::of(&game, &first).unwrap().outcomes(0)[0].0;
    assert_eq!(later.foe(), Some(11));
    assert!(Solver::exact().solve(&game, later).is_ok());
    let weak = ambush(Foe::new("Giak", 10, 5), 2);
    let soon = ambush(Foe::new("Giak", 10, 14), 0);
    for (book, rules) in [
        (&weak, Rules::printed()),
        (&soon, Rules::printed()),
        (&book, Rules::yardstick()),
    ] {
        let game = Adventure::new(book, &hero, rules);
        let error = Solver::exact().solve(&game, later).err();
        assert!(matches!(error, Some(oddsmith_mdp::Error::DeadEnd { .. })));
    }
}

#[test]
fn the_longest_evasion_does_not_overflow() {
    let foe = Foe {
        mindblast: true,
        unhurt_rounds: u8::MAX,
        bonus: i8::MIN,
        bonus_rounds: Some(u8::MAX),
        ..Foe::new("wall", 100, 100)
    };
    for after in [0, 1, u8::MAX] {
        let book = ambush(foe.clone(), after);
        for (skill, endurance) in [(0, 1), (0, 100), (100, 1)] {
            let hero = ActionChart::new(skill, endurance).unwrap();
            let win = BookSolver::new(&book).win(&hero).unwrap();
            assert!((0.0..=1.0 + 1e-9).contains(&win), "{win}");
            // A hero who evades unhurt has escaped.
            assert!(after > 0 || win > 1.0 - 1e-9, "{win}");
        }
    }
}

#[test]
fn a_worth_is_a_number() {
    let evasion = Combat::new(16, 5, 16, 5).unwrap().evade_after(0);
    for worth in [f64::NAN, f64::INFINITY] {
        let odds = evasion.clone().worth(|_| 1, |_| worth).odds_f64();
        assert!(matches!(odds, Err(Error::Solve(_))));
    }
}
