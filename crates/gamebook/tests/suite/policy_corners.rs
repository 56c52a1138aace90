//! Regressions: decisions of the solver by diagrams that did not have the stated value.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Branch, Cap, Character, Choice, Condition, Effect, Enemy, Escape,
    Fight, Journey, Manuscript, Passage, Play, Refreshment, Section, Stat,
};

#[track_caller]
fn kept(game: &BookGame) {
    let policy = BookSolver::new(game).policy(game.start()).unwrap();
    let journey: Journey<BigRational> = game.follow(&policy, game.start(), 10_000).unwrap();
    let (said, value) = (policy.valuation(), journey.value().to_f64().unwrap());
    assert!((said.win() - value).abs() < 1e-9, "{said}: {value}");
}

fn runner(skill: i16, foe: i16) -> BookGame {
    let mut book = Manuscript::new("runner");
    let fight = Play::Fight(Box::new(Fight {
        escape: Some(Escape {
            cost: 2,
            ..Escape::new(1, Passage::won())
        }),
        ..Fight::new([Enemy::new(foe, 5)], Passage::lost())
    }));
    book.sections = vec![Section::new(1, fight.into())];
    book.start = 1;
    let hero = Character::new()
        .stat("skill", skill)
        .stat("stamina", 10)
        .stat("luck", 7);
    Book::new(book).unwrap().game(hero).unwrap()
}

/// SKILL is cut where it makes no difference to the fight; rounds were looked up by the SKILL that
/// is held, and not found.
#[test]
fn hopeless_and_mighty_fighters_run_too() {
    for (skill, foe) in [(7, 8), (2, 16), (2, 20), (20, 2), (30, 7)] {
        kept(&runner(skill, foe));
    }
}

/// The option that leads round comes first, and was within 1e-13 of the best at the moment when
/// another one overtook the decision: it was taken forever.
#[test]
fn nobody_goes_round_for_ever_when_another_option_overtakes() {
    for laps in [9, 19, 49, 99, 499] {
        let book = Book::builder()
            .choice(1, [("look", 2), ("now", 3), ("slowly", 4)])
            .choice(2, [("back", 1)])
            .chance(3, [(5, 499_999), (6, 500_000)])
            .chance(4, [(5, 500_000), (6, 500_001), (1, laps * 1_000_001)])
            .won(5)
            .lost(6)
            .build()
            .unwrap();
        kept(&book.game(Hero::new(7, 14, 7).unwrap()).unwrap());
    }
}

/// A refreshment that changed nothing, or nothing that matters, was as good as the necessary meal,
/// and was taken forever.
#[test]
fn nobody_refreshes_for_ever_without_need() {
    let book = |idle: Refreshment, first: bool| {
        let mut book = Manuscript::new("beggar");
        book.rules.refresh_options = 1;
        let bounded = |id: &str, initial: i16| Stat {
            cap: Some(Cap::At(9)),
            floor: Some(0),
            ..Stat::new(id, initial)
        };
        book.sheet.stats = ["stamina", "luck", "gold", "meals"]
            .map(|id| bounded(id, 2))
            .into();
        let meal = Refreshment {
            label: "eat".into(),
            condition: Some(Condition::at_least("meals", 1)),
            effects: vec![Effect::change("meals", -1), Effect::change("stamina", 4)],
        };
        book.sheet.refreshments = vec![idle, meal];
        if !first {
            book.sheet.refreshments.reverse();
        }
        let hurt = |by| Passage {
            effects: vec![Effect::change("stamina", by)],
            ..Passage::to(2)
        };
        let ways = vec![
            Choice::new("short", hurt(-2)),
            Choice::new("long", hurt(-3)),
        ];
        let chance = |weight, passage| Branch { weight, passage };
        let lucky = Passage::from(Play::Random(vec![
            chance(5, Passage::won()),
            chance(1, Passage::lost()),
        ]));
        book.sections = vec![
            Section::new(1, Play::Choice(ways).into()),
            Section::new(2, lucky),
        ];
        let hero = Character::new().stat("stamina", 2).stat("luck", 2);
        let hero = hero.stat("gold", 0).stat("meals", 2);
        Book::new(book).unwrap().game(hero).unwrap()
    };
    let idle = |effect| Refreshment {
        label: "beg".into(),
        condition: None,
        effects: vec![effect],
    };
    for effect in [
        Effect::change("gold", -1),
        Effect::change("gold", 0),
        Effect::Restore("luck".into()),
    ] {
        for first in [true, false] {
            let game = book(idle(effect.clone()), first);
            let valuation = BookSolver::new(&game).solve(game.start()).unwrap();
            assert!((valuation.win() - 5.0 / 6.0).abs() < 1e-12, "{effect:?}");
            kept(&game);
        }
    }
}
