//! Effects that happen repeatedly during a fight.

use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Choice, Condition, Effect, Enemy, Error, Escape, Fight, FightCount,
    FightOrder, Fights, Item, Journey, Manuscript, Passage, Play, Section, Stat, Toll,
    WeightedEffects,
};
use oddsmith_mdp::{Node, Solver};

use crate::by_rounds::{ByRounds, Carried, Seed, foes};
use crate::pieces::random;
use crate::properties::drawn;

const COUNTS: [FightCount; 3] = [FightCount::Rounds, FightCount::Wounds, FightCount::Hits];

fn toll(count: FightCount, effects: Vec<Effect>) -> Option<Toll> {
    Some(Toll { count, effects })
}

/// A fight in section 1; in 2, victory depends on the gold left; a hero who runs reaches 3.
fn manuscript(fight: Fight) -> Manuscript {
    let mut book = Manuscript::new("tolls");
    let skill = book.sheet.stats.iter_mut().find(|stat| stat.id == "skill");
    skill.unwrap().floor = Some(0);
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("gold", 2)
    });
    book.sheet.items.push(Item {
        attack: 1,
        hit: 1,
        ..Item::new("charm")
    });
    book.sheet.initial_items.push("charm".into());
    let rich = Choice::new("rich", Passage::won()).when(Condition::at_least("gold", 1));
    let half = random(&[(1, Passage::won()), (1, Passage::lost())]);
    let fled = random(&[(1, Passage::won()), (3, Passage::lost())]);
    let safe = Choice::new("safe", fled.into()).when(Condition::Has("charm".into()));
    book.sections = vec![
        Section::new(1, Play::Fight(Box::new(fight)).into()),
        Section::new(
            2,
            Play::First(vec![rich, Choice::new("poor", half.into())]).into(),
        ),
        Section::new(
            3,
            Play::First(vec![safe, Choice::new("else", Passage::lost())]).into(),
        ),
    ];
    book
}

fn won(carried: Carried) -> f64 {
    if carried.gold > 0 { 1.0 } else { 0.5 }
}

fn fled(carried: Carried) -> f64 {
    if carried.charm { 0.25 } else { 0.0 }
}

fn game(book: Manuscript, skill: u16, stamina: u16) -> BookGame {
    let hero = Hero::new(skill.into(), stamina.into(), 7).unwrap();
    Book::new(book).unwrap().game(hero).unwrap()
}

/// By single states, by diagrams, and by following the decisions of the latter.
#[track_caller]
fn worth(game: &BookGame) -> f64 {
    let exact = Solver::float().solve(game, game.start()).unwrap().value();
    let solved = BookSolver::new(game).solve(game.start()).unwrap();
    assert!(
        (solved.win() - exact).abs() < 1e-12,
        "{} {exact}",
        solved.win()
    );
    let policy = BookSolver::new(game).policy(game.start()).unwrap();
    let followed: Journey<f64> = game.follow(&policy, game.start(), 1 << 20).unwrap();
    assert!(
        (followed.value() - exact).abs() < 1e-12,
        "{} {exact}",
        followed.value()
    );
    exact
}

/// A hero with SKILL 9 against 9, with one point less after each wound; the charm adds one.
#[test]
fn each_wound_costs_skill() {
    let eaten = || toll(FightCount::Wounds, vec![Effect::change("skill", -1)]);
    let fight = Fight {
        toll: eaten(),
        ..Fight::new([Enemy::new(10, 5)], Passage::to(2))
    };
    let game = game(manuscript(fight), 9, 4);
    // Two hits of 3 come before two wounds: at odds of 575 to 575, and of 435 to 721 when wounded.
    let exact = Solver::exact().solve(&game, game.start()).unwrap();
    assert_eq!(exact.value().to_string(), "1108823/2672672");
    assert!((worth(&game) - 1108823.0 / 2672672.0).abs() < 1e-15);
}

/// A hero who would have to give everything to run pays the toll first.
#[test]
fn a_toll_comes_before_running_and_not_after_the_end() {
    let robbed = || toll(FightCount::Rounds, vec![Effect::change("gold", -1)]);
    let run = |forced| Escape {
        forced,
        ..Escape::new(2, Passage::to(2))
    };
    // Nobody can be hurt: run, or lose.
    let fight = |forced| Fight {
        toll: robbed(),
        escape: Some(run(forced)),
        ..Fight::new(
            [Enemy {
                damage: 0,
                ..Enemy::new(30, 4)
            }],
            Passage::lost(),
        )
    };
    // After two rounds both gold pieces are gone.
    assert_eq!(worth(&game(manuscript(fight(false)), 7, 4)), 0.5);
    // A hero who must run after the second round does not pay for it.
    assert_eq!(worth(&game(manuscript(fight(true)), 7, 4)), 1.0);
    // Nobody pays for the blow that fells the last foe.
    let fight = Fight {
        toll: robbed(),
        ..Fight::new([Enemy::new(-20, 4)], Passage::to(2))
    };
    assert_eq!(worth(&game(manuscript(fight), 7, 4)), 1.0);
    let fight = Fight {
        toll: robbed(),
        ..Fight::new([Enemy::new(-20, 4), Enemy::new(-20, 2)], Passage::to(2))
    };
    assert_eq!(worth(&game(manuscript(fight), 7, 4)), 0.5);
}

/// A hero who heals as fast as the foe hurts.
#[test]
fn tolls_may_go_round() {
    let healed = toll(FightCount::Rounds, vec![Effect::change("stamina", 1)]);
    let fight = Fight {
        toll: healed,
        ..Fight::new([Enemy::new(8, 6)], Passage::to(2))
    };
    let game = game(manuscript(fight), 7, 6);
    let exact = Solver::exact()
        .allow_cycles()
        .solve(&game, game.start())
        .unwrap();
    let exact = exact.value().to_f64().unwrap();
    let solved = BookSolver::new(&game).solve(game.start()).unwrap();
    let error = solved.error().unwrap();
    assert!((solved.win() - exact).abs() <= error + 1e-15);
    assert!(error < 1e-9);
    // Value iteration, by hand: STAMINA of both, from 1 to 6. Hits take 3, and wounds 2.
    let mut worth = [[0.0_f64; 7]; 7];
    for _ in 0..2_000 {
        for foe in 1..=6_usize {
            for hero in 1..=6_usize {
                let next = |hero: usize| (hero + 1).min(6);
                let won = match foe > 3 {
                    true => worth[foe - 3][next(hero)],
                    false => 1.0,
                };
                let lost = match hero > 2 {
                    true => worth[foe][next(hero - 2)],
                    false => 0.0,
                };
                let drawn = worth[foe][next(hero)];
                worth[foe][hero] = (575.0 * won + 146.0 * drawn + 575.0 * lost) / 1296.0;
            }
        }
    }
    assert!(
        (worth[6][6] - exact).abs() < 1e-12,
        "{} {exact}",
        worth[6][6]
    );
}

/// The description of a place shows the state of the fight, and play can start there.
#[test]
fn places_after_a_toll_tell_how_the_fight_stands() {
    let eaten = toll(FightCount::Wounds, vec![Effect::change("skill", -1)]);
    let fight = Fight {
        toll: eaten,
        ..Fight::new([Enemy::new(7, 2), Enemy::new(7, 9)], Passage::to(2))
    };
    let game = game(manuscript(fight), 7, 9).fights(Fights::Folded);
    let node = Node::of(&game, &game.start()).unwrap();
    let places = node.outcomes(0).iter().map(|(place, _)| *place);
    let told: Vec<String> = places.clone().map(|place| game.describe(&place)).collect();
    assert!(
        told.contains(
            &"section 1 (skill 6, stamina 7, luck 7, gold 2; charm; foe 1 of 2, stamina 2)"
                .to_owned()
        ),
        "{told:?}"
    );
    let exact = Solver::exact().solve(&game, game.start()).unwrap();
    let wounded = places.filter(|place| game.stat(place, "skill") == Some(6));
    for place in wounded {
        let value = exact.value_of(&place).unwrap().to_f64().unwrap();
        let solved = BookSolver::new(&game).solve(place).unwrap();
        assert!((solved.win() - value).abs() < 1e-13);
    }
    // The walk-through shows it as one fight.
    let policy = BookSolver::new(&game).policy(game.start()).unwrap();
    let followed: Journey<f64> = game.follow(&policy, game.start(), 1 << 20).unwrap();
    let steps = followed.walkthrough().steps().iter();
    let sections: Vec<u32> = steps.map(|step| step.place.section()).collect();
    assert_eq!(sections, [1, 2, 2]);
}

/// There is a scene for each possible state: a fight with too many is rejected.
#[test]
fn long_fights_have_no_toll() {
    let fight = |foes: usize, after: u16| Fight {
        toll: toll(FightCount::Hits, Vec::new()),
        escape: (after > 0).then(|| Escape::new(after, Passage::to(3))),
        ..Fight::new(vec![Enemy::new(7, 10); foes], Passage::to(2))
    };
    for (foes, after) in [(100, 0), (50, 1), (10, 9), (1, 99)] {
        assert!(Book::new(manuscript(fight(foes, after))).is_ok());
    }
    for (foes, after) in [(100, 1), (51, 1), (11, 9), (1, 100)] {
        let error = Book::new(manuscript(fight(foes, after))).unwrap_err();
        let Error::Invalid { place, field, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!((&place[..], &field[..]), ("section 1", "fight.toll"));
    }
}

/// Held items may add to the damage of hits, or remove it completely.
#[test]
fn hits_take_what_is_held() {
    let won = |hit: i16, foe: u16| {
        let mut book = manuscript(Fight::new([Enemy::new(8, foe)], Passage::to(2)));
        book.sheet.items[0].hit = hit;
        worth(&game(book, 7, 2))
    };
    // An even fight to the first wound: this many hits come before it.
    for (hit, foe, hits) in [
        (0, 4, 2),
        (1, 4, 2),
        (1, 3, 1),
        (2, 4, 1),
        (-1, 4, 4),
        (98, 100, 1),
    ] {
        assert!(
            (won(hit, foe) - 0.5_f64.powi(hits)).abs() < 1e-15,
            "{hit} {foe}"
        );
    }
    assert_eq!(
        [won(-2, 4), won(-10_000, 4), won(10_000, 1_000)],
        [0.0, 0.0, 0.5]
    );
}

#[test]
fn rounds_by_the_words_of_the_book_come_to_the_same() {
    type Terms = (u8, u8, u8, bool);
    fn agrees(hero: (u8, u8), seeds: Vec<Seed>, terms: Terms, kinds: (u8, u8, u8)) -> bool {
        let (order, count, effect) = kinds;
        let order =
            [FightOrder::InTurn, FightOrder::AtOnce, FightOrder::OneOf][usize::from(order % 3)];
        let losing = || Effect::Lose("charm".into());
        let effects = match effect % 6 {
            0 => vec![Effect::change("skill", -1)],
            1 => vec![Effect::change("gold", -1), losing()],
            2 => vec![Effect::change("stamina", -1)],
            3 => vec![losing()],
            4 => Vec::new(),
            _ => vec![Effect::Random(vec![
                WeightedEffects {
                    weight: 2,
                    effects: vec![Effect::change("skill", -2)],
                },
                WeightedEffects {
                    weight: 1,
                    effects: vec![losing(), Effect::change("stamina", -1)],
                },
                WeightedEffects {
                    weight: 3,
                    effects: Vec::new(),
                },
            ])],
        };
        let (counts, after, cost, forced) = terms;
        let escape = Escape {
            count: COUNTS[usize::from(counts % 3)],
            forced,
            cost: (cost % 4).into(),
            ..Escape::new(1 + u16::from(after % 4), Passage::to(3))
        };
        let fight = Fight {
            order,
            escape: (counts % 2 == 0).then_some(escape),
            toll: toll(COUNTS[usize::from(count % 3)], effects),
            ..Fight::new(foes(&seeds), Passage::to(2))
        };
        let (skill, stamina) = (4 + hero.0 % 7, 1 + hero.1 % 12);
        let carried = Carried {
            skill: skill.into(),
            gold: 2,
            charm: true,
        };
        let mut rounds = ByRounds::new(&fight, won, fled);
        let all = match order {
            FightOrder::OneOf => fight.foes.len(),
            _ => 1,
        };
        let worths = (0..all).map(|foe| rounds.against(foe, stamina.into(), carried));
        let expected = worths.sum::<f64>() / all as f64;
        let game = game(manuscript(fight), skill.into(), stamina.into());
        (worth(&game) - expected).abs() < 1e-11
    }
    drawn(300).quickcheck(agrees as fn((u8, u8), Vec<Seed>, Terms, (u8, u8, u8)) -> bool);
}
