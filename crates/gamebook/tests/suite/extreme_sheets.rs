//! Numbers at the limits of a sheet, a foe or a solver, and beyond.

use std::sync::Arc;

use crate::words::hero;
use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::{Foe, Hero};
use oddsmith_gamebook::{
    Amount, Book, BookGame, BookSolver, Bookmark, Branch, Cap, Character, Choice, Condition,
    Effect, Enemy, Error, Fight, FightingFantasy, Manuscript, Passage, Play, Section, Stat,
    WeightedEffects,
};
use oddsmith_mdp::Node;

fn stat(id: &str, initial: i16) -> Stat {
    Stat::new(id, initial)
}

fn after(effects: Vec<Effect>, to: u32) -> Passage {
    Passage {
        effects,
        ..Passage::to(to)
    }
}

/// Adds or subtracts each amount with the same probability, one after the other.
fn either_way(id: &str, by: &[i16]) -> Vec<Effect> {
    let one = |by| WeightedEffects {
        weight: 1,
        effects: vec![Effect::change(id, by)],
    };
    let each = by.iter();
    each.map(|by| Effect::Random(vec![one(*by), one(-*by)]))
        .collect()
}

/// A stat that may have any value from -32,768 + `low` to 32,767, and is tested in steps.
fn spread(id: &str, low: i16) -> Manuscript {
    let mut book = Manuscript::new("spread");
    if !["skill", "stamina", "luck"].contains(&id) {
        book.sheet.stats.push(stat(id, 0));
    }
    let mut set: Vec<Effect> = Vec::new();
    set.push(Effect::Set([(id.to_owned(), Amount::from(0))].into()));
    set.extend(either_way(id, &[10_000, 10_000, 10_000, 2_767]));
    // One branch leads down to the required value.
    let lowest = Effect::Random(vec![
        WeightedEffects {
            weight: 7,
            effects: vec![],
        },
        WeightedEffects {
            weight: 1,
            effects: vec![
                Effect::Set([(id.to_owned(), Amount::from(-10_000))].into()),
                Effect::change(id, -10_000),
                Effect::change(id, -10_000),
                Effect::change(id, -2_768 + low),
            ],
        },
    ]);
    set.push(lowest);
    let rich = Choice::new("rich", Passage::won()).when(Condition::at_least(id, 9_000));
    let poor = Choice::new("poor", Passage::to(4)).when(Condition::at_least(id, -9_999));
    let poorest = Choice::otherwise(Passage::lost());
    let spun = vec![
        Branch {
            weight: 1,
            passage: Passage::won(),
        },
        Branch {
            weight: 3,
            passage: Passage::lost(),
        },
    ];
    book.sections = vec![
        Section::new(1, after(set, 2)),
        Section::new(2, after(vec![], 3)),
        Section::new(3, Play::First(vec![rich, poor, poorest]).into()),
        Section::new(4, Play::Random(spun).into()),
    ];
    book
}

fn agrees(game: &BookGame, solver: &BookSolver<'_>) {
    let exact = oddsmith_mdp::Solver::exact().solve(game, game.start());
    let exact = exact.unwrap().value().to_f64().unwrap();
    for valuation in [
        solver.solve(game.start()).unwrap(),
        solver.policy(game.start()).unwrap().valuation().clone(),
    ] {
        let error = valuation.error().unwrap();
        assert!(error < 1e-11, "{error}");
        let off = (valuation.win() - exact).abs();
        assert!(off <= error, "{} is off by {off}", valuation.win());
    }
}

/// Regression: differences overflowed 16 bits, with a panic, as soon as a stat had more than 32,768
/// values: gold, and one that is not a lane.
#[test]
fn a_stat_may_have_65_535_values() {
    for id in ["gold", "fame"] {
        let game = Book::new(spread(id, 1)).unwrap().game(hero()).unwrap();
        for forget in [true, false] {
            let solver = BookSolver::new(&game)
                .max_values(100_000)
                .forget(forget)
                .sheet_by_sheet(0);
            agrees(&game, &solver);
        }
    }
}

/// One more value than places can distinguish is an error, whatever the limit.
#[test]
fn a_stat_may_not_have_65_536_values() {
    for id in ["gold", "fame"] {
        let game = Book::new(spread(id, 0)).unwrap().game(hero()).unwrap();
        for most in [65_536, 100_000, usize::MAX] {
            let solver = BookSolver::new(&game).max_values(most).forget(false);
            for error in [
                solver.solve(game.start()).err(),
                solver.policy(game.start()).err(),
            ] {
                let said = error.as_ref().map(ToString::to_string).unwrap_or_default();
                assert!(
                    said.ends_with(&format!(
                        "; give {id} a cap and a floor with fewer values between them"
                    )),
                    "{said}"
                );
                let Some(Error::BookTooLarge {
                    what, limit, stat, ..
                }) = error
                else {
                    panic!("{id}, {most}: {error:?}");
                };
                assert_eq!((what, limit), ("values of a stat", 65_535));
                assert_eq!(stat.unwrap(), id);
            }
        }
    }
}

/// A cap at the minimum takes all LUCK in one test: a span of 65,536 values between one before the
/// fight and those after it, which no place on either side has.
#[test]
fn luck_may_not_fall_through_65_536_values_in_battle() {
    let sunk = |by: i16| Effect::RaiseCap([("luck".to_owned(), by)].into());
    let fight = |lowest: i16| {
        let mut book = Manuscript::new("fall");
        book.rules.luck_in_battle = true;
        let luck = book.sheet.stats.iter_mut().find(|stat| stat.id == "luck");
        let luck = luck.unwrap();
        (luck.cap, luck.floor) = (Some(Cap::At(-10_000)), None);
        let hurt = either_way("stamina", &[1]);
        let fight = Fight::new([Enemy::new(7, 3)], after(hurt, 3));
        let lucky = Choice::new("lucky", Passage::won()).when(Condition::at_least("luck", 0));
        let unlucky = Choice::otherwise(Passage::lost());
        let sinking = vec![sunk(-10_000), sunk(-10_000), sunk(lowest + 30_000)];
        book.sections = vec![
            Section::new(1, after(sinking, 2)),
            Section::new(2, Play::Fight(Box::new(fight)).into()),
            Section::new(3, Play::First(vec![lucky, unlucky]).into()),
        ];
        let hero = Character::new()
            .stat("skill", 7)
            .stat("stamina", 3)
            .stat("luck", i16::MAX);
        // Under custom rules, it is unknown how much LUCK is enough.
        let rules = Arc::new(FightingFantasy::default());
        Book::new(book)
            .unwrap()
            .game(hero)
            .unwrap()
            .with_rules(rules)
    };
    let game = fight(-32_767);
    agrees(&game, &BookSolver::new(&game).max_values(100_000));
    let game = fight(i16::MIN);
    let solved = BookSolver::new(&game)
        .max_values(100_000)
        .solve(game.start());
    assert!(
        matches!(&solved, Err(Error::BookTooLarge { limit: 65_535, stat: Some(stat), progress, .. })
            if stat == "luck" && progress.section == 2),
        "{solved:?}"
    );
}

/// Losing 10,000 four times does not kill a hero with 60,000, but no sheet holds that many.
#[test]
fn a_hero_beyond_every_sheet_is_refused() {
    let mut book = Manuscript::new("toll");
    let toll = || Effect::change("stamina", -10_000);
    book.sections = vec![
        Section::new(1, after(vec![toll(), toll(), toll(), toll()], 2)),
        Section::new(2, Passage::won()),
    ];
    let book = Book::new(book).unwrap();
    let refused = |hero: Hero| {
        let both = [hero.into(), Character::from(&hero)].map(|hero| book.game(hero).err());
        assert_eq!(both[0], both[1]);
        let solved = book.solve(hero).err();
        assert_eq!(both[0], solved);
        solved.map(|error| error.to_string())
    };
    let text = |stat: &str, given: i64| {
        Some(format!(
            "the hero: {stat} must be between -32768 and 32767, got {given}"
        ))
    };
    assert_eq!(
        refused(Hero::new(7, 60_000, 7).unwrap()),
        text("stamina", 60_000)
    );
    assert_eq!(
        refused(Hero::new(7, 14, 40_000).unwrap()),
        text("luck", 40_000)
    );
    assert_eq!(
        refused(Hero::new(-40_000, 14, 7).unwrap()),
        text("skill", -40_000)
    );
    assert_eq!(
        refused(Hero::new(i32::MAX, 14, 7).unwrap()),
        text("skill", i32::MAX.into())
    );
    assert_eq!(refused(Hero::new(32_767, 32_767, 32_767).unwrap()), None);
    let hero = Character::from(Hero::new(7, 60_000, 7).unwrap());
    assert_eq!(hero.initial("stamina"), Some(60_000));
}

/// The same number from a file is rejected with the same message.
#[cfg(feature = "serde")]
#[test]
fn a_hero_in_a_file_beyond_every_sheet_is_refused() {
    let book = Book::builder().won(1).build().unwrap();
    let text = r#"{"stats":{"luck":7,"skill":7,"stamina":-40000}}"#;
    let hero: Character = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&hero).unwrap(), text);
    assert_eq!(
        book.game(hero).unwrap_err().to_string(),
        "the hero: stamina must be between -32768 and 32767, got -40000"
    );
    let endless = text.replace("-40000", "3000000000");
    assert!(serde_json::from_str::<Character>(&endless).is_err());
}

/// The error shows the number as written, whether or not it fits into 16 bits.
#[test]
fn a_foe_beyond_every_sheet_is_refused_with_its_number() {
    for skill in [10_001, 20_000, 40_000, -40_000, i32::MAX, i32::MIN] {
        let foe = Foe::new(skill, 5).unwrap();
        let built = Book::builder().won(3).fight(2, foe, 3).build();
        assert_eq!(
            built.unwrap_err().to_string(),
            format!("section 2: fight.foes[0].skill must be between -10000 and 10000, got {skill}")
        );
    }
    let foe = Foe::new(-10_000, 1_000).unwrap();
    assert!(Book::builder().fight(1, foe, 2).won(2).build().is_ok());
}

/// Two foes who take 500 blows each, for any hero with up to 2,000 STAMINA.
#[test]
fn a_fight_of_two_million_rounds_is_refused() {
    let fight = Fight::new([Enemy::new(7, 1_000), Enemy::new(7, 1_000)], Passage::won());
    let mut book = Manuscript::new("war");
    book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
    let strong = Character::new()
        .stat("skill", 7)
        .stat("stamina", 2_000)
        .stat("luck", 7);
    let game = Book::new(book).unwrap().game(strong).unwrap();
    let solver = BookSolver::new(&game);
    let error = solver.solve(game.start()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "from section 1 on, a fight has more than 1703910 different rounds; solve the book state by state with `Book::solve_with` and a higher limit (`max_states`)"
    );
}

/// Regression test: after a hero with too much STAMINA had been there, nobody's fight was folded, so
/// that what can happen at a place depended on what had been asked before.
#[test]
fn fights_are_folded_whoever_came_before() {
    let mut book = Manuscript::new("fountain");
    for stat in &mut book.sheet.stats {
        stat.cap = None;
    }
    let fight = Fight::new([Enemy::new(9, 10)], Passage::won());
    book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
    let book = Book::new(book).unwrap();
    let game = || book.game(hero()).unwrap();
    let next = |game: &BookGame, stamina: i16| {
        let place = game.open(&Bookmark::at(1).stat("stamina", stamina));
        format!("{:?}", Node::of(game, &place.unwrap()).unwrap())
    };
    let heroes = [20, 320, 8, 251, 250, 319];
    let alone = heroes.map(|stamina| next(&game(), stamina));
    let one = game();
    assert_eq!(heroes.map(|stamina| next(&one, stamina)), alone);
    // From the first blow to the last at once, or a single round.
    assert!(alone[0].len() > alone[1].len());
}

/// Regression test: each sum of dice was listed by itself, though all were worth the same.
#[test]
fn nothing_times_dice_is_one_value() {
    let none: Amount = "0*2d6".parse().unwrap();
    assert_eq!(none.counts(), [(0, 36)]);
}

/// Values below 0 act as 0; NaN requests nothing, as infinity does.
#[test]
fn ways_are_told_apart_by_numbers_that_are_none() {
    let book = Book::builder()
        .choice(1, [("left", 2), ("right", 3)])
        .luck(2, 4, 5)
        .choice(3, [("on", 4)])
        .luck(4, 6, 5)
        .lost(5)
        .won(6)
        .build()
        .unwrap();
    let game = book.game(hero()).unwrap();
    let told = |gain: f64| {
        let solver = BookSolver::new(&game).tell_apart(gain);
        let valuation = solver.solve(game.start()).unwrap();
        assert_eq!(valuation.win(), 21.0 / 36.0);
        valuation.regions()
    };
    let (all, none) = (told(0.0), told(f64::INFINITY));
    assert!(none < all, "{none} regions, {all} if told apart");
    assert_eq!([told(-1.0), told(-0.0), told(f64::NEG_INFINITY)], [all; 3]);
    assert_eq!([told(f64::NAN), told(-f64::NAN)], [none; 2]);
}
