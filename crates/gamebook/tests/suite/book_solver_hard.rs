//! Books designed to mislead the solver by diagrams, or to exhaust its stack or time.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use std::sync::Arc;

use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::RoundOdds;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Cap, Character, Choice, Condition, Effect, Error, Item, Manuscript,
    Passage, Play, Refreshment, RepeatedEffects, Rules, Section, Stat, Trial, WeightedEffects,
};
use oddsmith_mdp::Solver;

fn stat(id: &str, initial: i16, cap: Option<i16>) -> Stat {
    Stat {
        cap: cap.map(Cap::At),
        floor: Some(0),
        ..Stat::new(id, initial)
    }
}

fn hero() -> Character {
    Character::new()
        .stat("skill", 7)
        .stat("stamina", 5)
        .stat("luck", 7)
}

fn game(book: Manuscript) -> BookGame {
    Book::new(book).unwrap().game(hero()).unwrap()
}

/// The chance to win, which must equal that of the state-by-state solver.
#[track_caller]
fn agreed(game: &BookGame) -> f64 {
    let solver = Solver::exact().allow_cycles();
    let direct = solver.solve(game, game.start()).unwrap().value();
    let direct = direct.to_f64().unwrap();
    let valuation = BookSolver::new(game).solve(game.start()).unwrap();
    let error = valuation.error().unwrap_or(1e-12) + f64::EPSILON;
    assert!(
        (valuation.win() - direct).abs() <= error,
        "{direct}: {valuation}"
    );
    direct
}

fn on(to: Passage, condition: Condition) -> Choice {
    Choice::new("on", to).when(condition)
}

fn after(effects: Vec<Effect>, to: u32) -> Passage {
    Passage {
        effects,
        ..Passage::to(to)
    }
}

/// Tests with a bonus, and fights by double the difference.
#[derive(Debug)]
struct Wide;

impl Rules for Wide {
    fn test(&self, _dice: u8, value: i32) -> (u64, u64) {
        let pass = value.clamp(0, 100) as u64;
        (pass, 100 - pass)
    }

    fn round(&self, difference: i32) -> RoundOdds {
        let win = difference.clamp(-50, 50) + 50;
        RoundOdds::new(win as u64, 0, 100 - win as u64).unwrap()
    }
}

/// A value that is high enough for two dice is not high enough for all rules.
#[test]
fn other_rules_tell_more_values_apart() {
    let mut book = Manuscript::new("rules");
    book.sheet.stats.push(stat("gold", 40, None));
    let trial = Trial::new("gold", Passage::won(), Passage::lost());
    let fight = oddsmith_gamebook::Fight {
        toll: None,
        foes: vec![oddsmith_gamebook::Enemy::new(40, 2)],
        order: oddsmith_gamebook::FightOrder::InTurn,
        attack: 0,
        escape: None,
        victory: Passage::to(3),
    };
    book.sections = vec![
        Section::new(1, Passage::to(2)),
        Section::new(2, Play::Fight(Box::new(fight)).into()),
        Section::new(3, Play::Test(Box::new(trial)).into()),
    ];
    let game = game(book).with_rules(Arc::new(Wide));
    assert!(agreed(&game) > 0.0);
}

fn meal(condition: Condition) -> Refreshment {
    Refreshment {
        label: "eat".into(),
        condition: Some(condition),
        effects: vec![Effect::change("meals", -1), Effect::change("stamina", 2)],
    }
}

/// Regression: whether eating is allowed depends on STAMINA and on provisions, which caused a
/// panic.
#[test]
fn eating_may_depend_on_two_stats_at_once() {
    let mut book = Manuscript::new("meals");
    book.sheet.stats.push(stat("meals", 3, Some(3)));
    book.sheet
        .refreshments
        .push(meal(Condition::at_least("meals", 1)));
    book.rules.refresh_options = 1;
    let tired = Choice::new("tired", Passage::to(3)).when(Condition::at_least("meals", 2));
    let options = vec![on(Passage::to(2), Condition::at_least("stamina", 5)), tired];
    let hurt = after(
        vec![Effect::Change(
            [("stamina".into(), "-1*1d6".parse().unwrap())].into(),
        )],
        4,
    );
    book.sections = vec![
        Section::new(1, hurt),
        Section::new(2, Passage::won()),
        Section::new(
            3,
            Play::Random(vec![
                oddsmith_gamebook::Branch {
                    weight: 1,
                    passage: Passage::won(),
                },
                oddsmith_gamebook::Branch {
                    weight: 2,
                    passage: Passage::lost(),
                },
            ])
            .into(),
        ),
        Section::new(4, Play::Choice(options).into()),
    ];
    let stamina = |now| hero().now("stamina", now);
    for now in 1..=5 {
        for meals in 0..=3 {
            let book = Book::new(book.clone()).unwrap();
            agreed(&book.game(stamina(now).now("meals", meals)).unwrap());
        }
    }
}

/// Refreshments that change money, LUCK and more stats than are stored side by side.
#[test]
fn several_refreshments_of_all_kinds() {
    let mut book = Manuscript::new("feast");
    for id in ["gold", "meals", "mead", "mana"] {
        book.sheet.stats.push(stat(id, 2, Some(3)));
    }
    book.rules.refresh_options = 0;
    let take = |label: &str, pays: &str, gets: &[(&str, i16)]| Refreshment {
        label: label.into(),
        condition: Some(Condition::at_least(pays, 1)),
        effects: std::iter::once(Effect::change(pays, -1))
            .chain(gets.iter().map(|(stat, by)| Effect::change(*stat, *by)))
            .collect(),
    };
    book.sheet.refreshments = vec![
        take("eat", "meals", &[("stamina", 2)]),
        take("drink", "mead", &[("luck", 1), ("stamina", -1)]),
        take("chant", "mana", &[("gold", 1), ("stamina", 1)]),
        take("pay", "gold", &[("mana", 1), ("mead", 1), ("stamina", -2)]),
    ];
    let trial = Trial::new("luck", Passage::to(3), Passage::lost());
    book.sections = vec![
        Section::new(
            1,
            Play::Choice(vec![
                on(
                    after(vec![Effect::change("stamina", -4)], 2),
                    Condition::at_least("mead", 1),
                ),
                on(
                    after(vec![Effect::change("stamina", -3)], 2),
                    Condition::at_least("gold", 3),
                ),
            ])
            .into(),
        ),
        Section::new(2, Play::Test(Box::new(trial)).into()),
        Section::new(
            3,
            Play::Choice(vec![
                on(Passage::won(), Condition::at_least("mana", 2)),
                Choice::new("x", Passage::lost()),
            ])
            .into(),
        ),
    ];
    let book = Book::new(book).unwrap();
    for luck in [3, 5] {
        for stamina in 1..=5 {
            let hero = hero().now("luck", luck).now("stamina", stamina);
            agreed(&book.game(hero).unwrap());
        }
    }
}

fn repeated(effects: Vec<Effect>, times: u16) -> Effect {
    Effect::Repeat(RepeatedEffects {
        times,
        condition: None,
        effects,
    })
}

/// Solved, or rejected as too large: in time, and without overflowing the stack.
#[track_caller]
fn answered(book: Manuscript) {
    let game = game(book);
    match BookSolver::new(&game).solve(game.start()) {
        Ok(_) | Err(Error::NotFollowed { .. } | Error::BookTooLarge { .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

fn effects(effects: Vec<Effect>) -> Manuscript {
    let mut book = Manuscript::new("effects");
    for id in ["gold", "meals"] {
        book.sheet.stats.push(stat(id, 2, Some(300)));
    }
    let gate = Play::Choice(vec![on(Passage::won(), Condition::at_least("gold", 9))]);
    book.sections = vec![
        Section::new(1, Passage::to(2)),
        Section::new(2, after(effects, 3)),
        Section::new(3, gate.into()),
    ];
    book
}

#[test]
fn thousands_of_effects_leave_the_stack_alone() {
    let ups = |count| (0..count).map(|_| Effect::change("gold", 1)).collect();
    answered(effects(ups(10_000)));
    answered(effects(vec![repeated(vec![repeated(ups(5), 20)], 20)]));
}

#[test]
fn dice_upon_dice_end() {
    let roll = || Effect::Change([("gold".into(), "6d100".parse().unwrap())].into());
    answered(effects(vec![roll(), roll(), roll(), roll()]));
    let branch = |by| WeightedEffects {
        weight: 1,
        effects: vec![Effect::change("gold", by)],
    };
    let random = Effect::Random(vec![branch(0), branch(1), branch(2)]);
    answered(effects(vec![repeated(
        vec![repeated(vec![random], 20)],
        20,
    )]));
}

/// Chances on arrival whose weights exceed a machine word.
#[test]
fn a_start_with_many_dice() {
    let mut book = effects(vec![]);
    let roll = Effect::Change([("gold".into(), "1d6-3".parse().unwrap())].into());
    book.sections[0].passage.effects = vec![repeated(vec![repeated(vec![roll], 20)], 2)];
    agreed(&game(book));
}

#[test]
fn thousands_of_cases_leave_the_stack_alone() {
    let mut book = effects(vec![]);
    let mut cases: Vec<Choice> = (0..3_000)
        .map(|gold| {
            let unlike = Condition::Not(Box::new(Condition::at_least("gold", gold + 1)));
            on(Passage::won(), unlike)
        })
        .collect();
    book.sections[2].passage.play = Play::Choice(cases.clone());
    answered(book.clone());
    cases.push(Choice::new("else", Passage::lost()));
    book.sections[2].passage.play = Play::First(cases);
    answered(book);
}

/// Every item heals after fights, so there are as many sums as sets of items.
#[test]
fn fights_with_many_amulets_end() {
    let mut book = effects(vec![]);
    let mut options = Vec::new();
    for number in 0..60 {
        let id = format!("amulet {number}");
        let mut item = Item::new(&id);
        item.after_fight = [("stamina".into(), 1)].into();
        item.modifiers = [("skill".into(), 1 << (number % 12))].into();
        book.sheet.items.push(item);
        let gain = Effect::When(oddsmith_gamebook::ConditionalEffects {
            condition: Condition::at_least("gold", number),
            then: vec![Effect::Gain(id)],
            otherwise: vec![],
        });
        options.push(gain);
    }
    let roll = Effect::Change([("gold".into(), "6d10".parse().unwrap())].into());
    options.insert(0, roll);
    book.sections[1].passage.effects = options;
    let fight = oddsmith_gamebook::Fight {
        toll: None,
        foes: vec![oddsmith_gamebook::Enemy::new(8, 4)],
        order: oddsmith_gamebook::FightOrder::InTurn,
        attack: 0,
        escape: None,
        victory: Passage::won(),
    };
    book.sections[2].passage.play = Play::Fight(Box::new(fight));
    answered(book);
}

/// A place of another, larger book is not a place of this one.
#[test]
fn a_place_of_another_book_is_not_reached() {
    let large = game(effects(vec![]));
    let small = Book::builder()
        .won(1)
        .build()
        .unwrap()
        .game(hero())
        .unwrap();
    let place = large.start_at(3).unwrap();
    let solved = BookSolver::new(&small).solve(place);
    assert_eq!(solved, Err(Error::NotReached { section: 3 }));
}

/// Tables over three stats with thousands of values each.
#[test]
fn tables_beyond_all_memory_are_refused() {
    let mut book = effects(vec![]);
    book.sheet.refreshments = vec![
        meal(Condition::at_least("meals", 1)),
        Refreshment {
            label: "drink".into(),
            condition: None,
            effects: vec![Effect::change("mead", -1), Effect::change("stamina", 1)],
        },
    ];
    book.sheet.stats[1].cap = Some(Cap::At(4_000));
    let far = |stat: &str| Effect::Set([(stat.into(), "4000*1d2-4000".parse().unwrap())].into());
    for id in ["mead", "beer"] {
        book.sheet.stats.push(stat(id, 0, None));
    }
    book.sheet.stats[4].cap = None;
    book.sections[1].passage.effects = vec![
        far("meals"),
        far("mead"),
        Effect::Set([("stamina".into(), "3000*1d2-2999".parse().unwrap())].into()),
    ];
    let three = |stat: &str| Condition::at_least(stat, 1_500);
    let branches = ["meals", "mead", "stamina"]
        .map(|stat| oddsmith_gamebook::Branch {
            weight: 1,
            passage: Play::Choice(vec![
                on(Passage::won(), three(stat)),
                Choice::new("x", Passage::lost()),
            ])
            .into(),
        })
        .into();
    book.sections[2].passage.play =
        Play::Choice(vec![Choice::new("x", Play::Random(branches).into())]);
    let game = game(book);
    let refused = BookSolver::new(&game).forget(false).max_bytes(1 << 24);
    let refused = refused.solve(game.start());
    assert!(
        matches!(refused, Err(Error::BookTooLarge { what: "bytes", .. })),
        "{refused:?}"
    );
    let solver = BookSolver::new(&game);
    let all = solver.solve(game.start()).unwrap();
    for limit in (6..24).map(|bits| 1 << bits) {
        match solver.clone().max_bytes(limit).solve(game.start()) {
            // With less memory, more is discarded along the way.
            Ok(valuation) => {
                let values = (valuation.win(), valuation.error());
                assert_eq!(values, (all.win(), all.error()), "{limit}");
            }
            Err(Error::BookTooLarge { what: "bytes", .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}
