//! A reader with dice, compared with the game as the solver sees it, and policies played out.
#![cfg(all(feature = "rand", feature = "toml"))]

use std::collections::{BTreeMap, VecDeque};

use indexmap::IndexSet;
use num_traits::ToPrimitive;
use oddsmith_fightingfantasy::{Foe, Hero};
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Character, Choice, Effect, Fights, Manuscript, Move, Passage,
    Place, Play, Reader, Section,
};
use oddsmith_mdp::{AtRandom, Node, Policy, Simulator, Solver};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn salt_lantern() -> Book {
    Book::salt_lantern().unwrap()
}

fn city_of_thieves() -> Book {
    Book::city_of_thieves().unwrap()
}

fn thief() -> Character {
    let hero = Character::new().stat("skill", 9).stat("stamina", 12);
    hero.stat("luck", 12).item("luck_potion")
}

/// The possible outcomes of a choice, with their probabilities.
fn law(node: &Node<BookGame>, choice: usize) -> Vec<(Place, f64)> {
    let total = node.wide_total(choice).to_f64().unwrap();
    let outcomes = node.wide_outcomes(choice);
    outcomes
        .map(|(place, weight)| (*place, weight.to_f64().unwrap() / total))
        .collect()
}

/// For this many places, in breadth-first order from the start: the reader sees the options of the
/// solver, and moves to the solver's outcomes.
#[track_caller]
fn check(game: &BookGame, places: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut met: IndexSet<Place> = IndexSet::from([game.start()]);
    let mut waiting = VecDeque::from([game.start()]);
    let mut checked = 0;
    while let Some(place) = waiting.pop_front()
        && checked < places
    {
        checked += 1;
        let node = Node::of(game, &place).unwrap();
        let reader = Reader::at(game, place).unwrap();
        let won = node.score().map(|score| score.to_f64() > 0.0);
        assert_eq!(reader.outcome(), won, "{place:?}");
        let moves: Vec<Move> = (0..node.len())
            .filter_map(|n| node.action(n).cloned())
            .collect();
        assert_eq!(reader.moves(), moves, "{place:?}");
        for choice in 0..node.len() {
            let law = law(&node, choice);
            for _ in 0..3 {
                let mut reader = Reader::at(game, place).unwrap();
                reader.take(choice, &mut rng).unwrap();
                assert!(
                    law.iter().any(|(to, p)| to == reader.place() && *p > 0.0),
                    "{place:?}"
                );
            }
            for (to, _) in law {
                if met.insert(to) {
                    waiting.push_back(to);
                }
            }
        }
    }
    assert!(checked > 1);
}

#[test]
fn the_reader_finds_what_the_solver_finds() {
    let hero = Character::new()
        .stat("skill", 9)
        .stat("stamina", 16)
        .stat("luck", 9);
    let salt = salt_lantern();
    let salt = salt.game(&hero).or_else(|_| {
        let potion = salt.sheet().initial_choices[0][0].clone();
        salt.game(hero.clone().item(&potion))
    });
    let salt = salt.unwrap();
    check(&salt, 20_000);
    check(&salt.fights(Fights::Rounds), 5_000);
    let city = city_of_thieves().game(thief()).unwrap();
    check(&city, 20_000);
    check(&city.fights(Fights::Rounds), 5_000);
}

/// Regression: the reader folded fights in which LUCK may be tested, and offered no tests.
#[test]
fn luck_in_battle_is_decided_by_the_reader() {
    let book = Book::builder().fight(1, Foe::new(8, 6).unwrap(), 2);
    let mut manuscript = book.won(2).build().unwrap().manuscript().clone();
    manuscript.rules.luck_in_battle = true;
    let book = Book::new(manuscript).unwrap();
    let game = book.game(Hero::new(8, 6, 8).unwrap()).unwrap();
    check(&game, 2_000);
    let city = Book::city_of_thieves_luck_in_battle().unwrap();
    check(&city.game(thief()).unwrap(), 10_000);
}

/// Every outcome occurs with about the expected frequency, within five standard deviations.
#[track_caller]
fn check_law(game: &BookGame, place: Place, least: usize) {
    const TIMES: u32 = 40_000;
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut drawn: BTreeMap<Place, u32> = BTreeMap::new();
    for _ in 0..TIMES {
        let mut reader = Reader::at(game, place).unwrap();
        reader.take(0, &mut rng).unwrap();
        *drawn.entry(*reader.place()).or_default() += 1;
    }
    let law = law(&Node::of(game, &place).unwrap(), 0);
    assert!(law.len() >= least, "{law:?}");
    for (to, p) in law {
        let times = f64::from(drawn.remove(&to).unwrap_or(0));
        let (mean, times_all) = (p * f64::from(TIMES), f64::from(TIMES));
        let deviation = (times_all * p * (1.0 - p)).sqrt();
        assert!(
            (times - mean).abs() <= 5.0 * deviation + 1.0,
            "{to:?}: {times} for {mean}"
        );
    }
    assert!(drawn.is_empty(), "{drawn:?}");
}

#[test]
fn chances_are_those_of_the_solver() {
    let game = city_of_thieves().game(thief()).unwrap();
    let at = |section| game.start_at(section).unwrap();
    check_law(&game, at(137), 4); // arrows
    check_law(&game, at(18), 2); // a test of SKILL
    check_law(&game, at(431), 6); // a foe is drawn
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut reader = Reader::at(&game, at(431)).unwrap();
    reader.take(0, &mut rng).unwrap();
    check_law(&game, *reader.place(), 3); // and fought
    check_law(&game, at(326), 3); // two at once, round by round
    let fight = Book::builder()
        .fight(1, Foe::new(9, 12).unwrap(), 2)
        .won(2)
        .build();
    let game = fight.unwrap().game(Hero::new(9, 20, 9).unwrap()).unwrap();
    check_law(&game, game.start(), 10); // folded, in weights of hundreds of bits
}

/// Regression test: what was left of a fight was fought again from its beginning.
#[test]
fn what_is_left_of_a_fight_is_not_fought_again() {
    let book = Book::builder()
        .fight(1, Foe::new(7, 4).unwrap(), 2)
        .won(2)
        .build()
        .unwrap();
    let folded = book.game(Hero::new(7, 4, 9).unwrap()).unwrap();
    let rounds = folded.clone().fights(Fights::Rounds);
    let exact = Solver::exact().solve(&rounds, rounds.start()).unwrap();
    let amid = exact.states().map(|(place, _)| place);
    let amid: Vec<Place> = amid
        .filter(|place| place.is_inside() && folded.stat(place, "stamina") > Some(0))
        .collect();
    assert!(amid.len() > 2);
    for place in amid {
        check_law(&folded, place, 2);
    }
}

/// Regression test: at a bookmark with STAMINA 0 after an arrival, the reader played on.
#[test]
fn the_dead_do_not_play_on() {
    let mut book = Manuscript::new("chasm");
    let jump = Play::Choice(vec![Choice::new("on", Passage::to(2))]);
    let fallen = Passage {
        effects: vec![Effect::change("luck", -1)],
        ..Passage::from(jump)
    };
    book.sections = vec![Section::new(1, fallen), Section::new(2, Passage::won())];
    let hero = Hero::new(7, 14, 7).unwrap();
    let game = Book::new(book).unwrap().game(hero).unwrap();
    let mut reader = Reader::new(&game).unwrap();
    assert_eq!(reader.moves().len(), 0);
    // Arrive.
    reader.take(0, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
    assert_eq!(reader.moves().len(), 1);
    let mark = game.bookmark(reader.place()).unwrap().stat("stamina", 0);
    let place = game.open(&mark).unwrap();
    let reader = Reader::at(&game, place).unwrap();
    assert_eq!((reader.outcome(), reader.moves().len()), (Some(false), 0));
    assert_eq!(BookSolver::new(&game).solve(place).unwrap().win(), 0.0);
}

/// Plays a policy with dice and the real rules, with fights round by round, and checks that the
/// share of victories is within four standard errors of the computed chance.
#[track_caller]
fn agrees_with_simulation(
    game: &BookGame,
    policy: impl Policy<BookGame>,
    computed: f64,
    games: u64,
) {
    let rounds = game.clone().fights(Fights::Rounds);
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let simulator = Simulator::new(&rounds, policy);
    let simulation = simulator.run(&rounds.start(), games, &mut rng).unwrap();
    // The standard error of the computed chance: that of a sample without victories would be 0.
    let error = (computed * (1.0 - computed) / games as f64).sqrt();
    let mean = simulation.mean();
    assert!(
        (mean - computed).abs() <= 4.0 * error,
        "{mean} for {computed}"
    );
}

fn short_book() -> Book {
    let builder = Book::builder()
        .choice(1, [("the ogre", 2), ("the rope bridge", 3)])
        .fight(2, Foe::new(8, 10).unwrap(), 4)
        .luck(3, 4, 6);
    let builder = builder.fight(4, Foe::new(9, 8).unwrap(), 5);
    builder.won(5).lost(6).build().unwrap()
}

#[test]
fn policies_played_out_by_the_real_rules() {
    let book = short_book();
    let hero = Hero::new(10, 18, 9).unwrap();
    let game = book.game(hero).unwrap();
    let best = Solver::float().solve(&game, game.start()).unwrap();
    agrees_with_simulation(&game, &best, best.value(), 20_000);
    let first = |_: &Place, _: &[Move]| 0;
    let last = |_: &Place, moves: &[Move]| moves.len() - 1;
    let value = |policy: &dyn Fn(&Place, &[Move]) -> usize| {
        book.evaluate(hero, policy).unwrap().to_f64().unwrap()
    };
    agrees_with_simulation(&game, first, value(&first), 20_000);
    agrees_with_simulation(&game, last, value(&last), 20_000);
    let random = book.evaluate(hero, AtRandom).unwrap().to_f64().unwrap();
    agrees_with_simulation(&game, AtRandom, random, 20_000);
}

/// Regression: after a move to a place that nobody can play on from, the reader stood there without
/// any moves, as if chance were to move.
#[test]
fn a_reader_stays_where_a_move_fails() {
    let more = Passage {
        effects: vec![Effect::change("luck", 10_000); 3],
        ..Passage::won()
    };
    let drawn = Play::Random(vec![oddsmith_gamebook::Branch {
        weight: 1,
        passage: more,
    }]);
    let mut book = Manuscript::new("lucky");
    book.sheet.stats.iter_mut().for_each(|stat| stat.cap = None);
    let found = Passage {
        effects: vec![Effect::change("luck", 10_000)],
        ..Passage::to(2)
    };
    let options = vec![
        Choice::new("risk it", found),
        Choice::new("go", Passage::won()),
    ];
    book.sections = vec![
        Section::new(1, Play::Choice(options).into()),
        Section::new(2, drawn.into()),
    ];
    let game = Book::new(book).unwrap().game(Hero::new(7, 8, 9).unwrap());
    let game = game.unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut reader = Reader::new(&game).unwrap();
    let error = reader.take(0, &mut rng).unwrap_err().to_string();
    assert!(error.contains("luck leaves the range"), "{error}");
    assert_eq!((reader.place(), reader.outcome()), (&game.start(), None));
    assert_eq!(reader.moves().len(), 2);
    reader.take(1, &mut rng).unwrap();
    assert_eq!(reader.outcome(), Some(true));
}
