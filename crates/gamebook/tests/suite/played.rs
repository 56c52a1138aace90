//! Games played with dice, compared with their exact values.
#![cfg(all(feature = "rand", feature = "toml"))]

use num_rational::BigRational;
use oddsmith_gamebook::{
    Book, BookGame, Choice, Difficulty, Effect, Error, Evaluation, FollowLimits, Habit, Manuscript,
    Move, Passage, Place, Play, Played, Section, Stat,
};
use oddsmith_mdp::{AtRandom, Error as Unsolved, Policy};
use quickcheck::TestResult;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::pieces::rolled;
use crate::properties::drawn;

fn rng() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(11)
}

/// Five standard deviations: one failure in a million.
#[test]
fn habits_win_as_often_as_is_evaluated() {
    let book = Book::salt_lantern().unwrap();
    let hero = rolled(9, 14, 9).item("tonic");
    let known = book.difficulty(&hero, 1.0).unwrap();
    let unknown = Habit::ALL.map(|habit| (habit, Err(Error::NotEvaluated { habit })));
    let mut played = Difficulty::new(1.0, unknown);
    played
        .play(&book, &hero, 4_000, 10_000, &mut rng())
        .unwrap();
    for habit in Habit::ALL {
        let exact = *known.chance(habit).unwrap();
        let games = played.played(habit).unwrap();
        assert_eq!((games.games(), games.unended()), (4_000, 0));
        let (least, most) = games.within(5.0);
        assert!(least <= exact && exact <= most, "{habit}: {games}, {exact}");
        // Nothing is played if the value is known.
        let mut known = known.clone();
        known.play(&book, &hero, 1, 1, &mut rng()).unwrap();
        assert_eq!(known.played(habit), None);
    }
    let mut again = Difficulty::new(1.0, [(Habit::AtRandom, Err(Error::NoSections))]);
    again.play(&book, &hero, 4_000, 10_000, &mut rng()).unwrap();
    assert_eq!(
        again.played(Habit::AtRandom),
        played.played(Habit::AtRandom)
    );
    let none = again
        .clone()
        .play(&book, &hero, 0, 1, &mut rng())
        .unwrap_err();
    assert!(matches!(none, Error::Solve(Unsolved::NoGames)), "{none}");
    let words = again.to_string();
    assert!(words.contains("% of 4000 games ("), "{words}");
    let written = serde_json::to_value(&again).unwrap();
    let games = &written["habits"][0]["played"];
    assert_eq!(
        (&games["games"], &games["unended"]),
        (&4_000.into(), &0.into())
    );
}

/// The sum of weights does not fit into 64 bits.
struct Heavy;

impl Policy<BookGame> for Heavy {
    fn weigh(&self, _: &Place, moves: &[Move], weights: &mut [u64]) {
        weights.fill(u64::MAX);
        if moves.len() > 2 {
            weights[0] = 0;
        }
    }
}

struct Undecided;

impl Policy<BookGame> for Undecided {
    fn weigh(&self, _: &Place, _: &[Move], _: &mut [u64]) {}
}

#[test]
fn moves_are_made_by_their_weights() {
    let book = Book::builder()
        .choice(1, [("a", 2), ("b", 3), ("c", 2), ("d", 2), ("e", 3)])
        .won(2)
        .lost(3);
    let game = book.build().unwrap().game(rolled(7, 7, 7)).unwrap();
    let start = game.start();
    for (policy, chance) in [(&Heavy as &dyn Policy<BookGame>, 0.5), (&AtRandom, 0.6)] {
        let policy = |place: &Place, moves: &[Move], weights: &mut [u64]| {
            policy.weigh(place, moves, weights);
        };
        let played = game
            .play(Weighed(policy), start, 20_000, 10, &mut rng())
            .unwrap();
        let (least, most) = played.within(5.0);
        assert!(least <= chance && chance <= most, "{played}");
    }
    let undecided = game.play(Undecided, start, 1, 10, &mut rng()).unwrap_err();
    assert!(
        matches!(undecided, Error::Solve(Unsolved::NoDecision { .. })),
        "{undecided}"
    );
    let none = game.play(AtRandom, start, 0, 10, &mut rng()).unwrap_err();
    assert!(matches!(none, Error::Solve(Unsolved::NoGames)), "{none}");
    // No move is allowed, and none is needed at an end.
    let ended = game.start_at(2).unwrap();
    assert_eq!(
        game.play(Undecided, ended, 3, 0, &mut rng()),
        Ok(Played::new(3, 3).unwrap())
    );
}

struct Weighed<F>(F);

impl<F: Fn(&Place, &[Move], &mut [u64])> Policy<BookGame> for Weighed<F> {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        self.0(place, moves, weights);
    }
}

/// At both ends of the interval, the score test just fails to reject the observation.
#[test]
fn intervals_are_those_of_the_score_test() {
    fn solves(games: u32, won: u32, z: u8) -> TestResult {
        let (games, z) = (u64::from(games).max(1), f64::from(z) / 32.0);
        let Some(played) = Played::new(games, u64::from(won) % (games + 1)) else {
            return TestResult::failed();
        };
        let (least, most) = played.within(z);
        let share = played.share();
        let off = |chance: f64| {
            let deviation = (chance * (1.0 - chance) / games as f64).sqrt();
            ((share - chance).abs() - z * deviation).abs()
        };
        let inside = 0.0 <= least && least <= share && share <= most && most <= 1.0;
        let near = |chance: f64| off(chance) < 1e-9 || chance == share;
        TestResult::from_bool(inside && near(least) && near(most))
    }
    drawn(2_000).quickcheck(solves as fn(u32, u32, u8) -> TestResult);
    // A game that was broken off may have been won.
    let round = Book::builder().choice(1, [("round", 1), ("out", 2)]).won(2);
    let game = round.build().unwrap().game(rolled(7, 7, 7)).unwrap();
    let played = game
        .play(AtRandom, game.start(), 1_000, 1, &mut rng())
        .unwrap();
    assert_eq!(played.won() + played.unended(), 1_000);
    assert_eq!(played.within(2.0).1, 1.0);
    assert!(played.within(2.0).0 < 0.5);
    let broken_off = format!("; {} broken off)", played.unended());
    assert!(played.to_string().ends_with(&broken_off), "{played}");
}

/// A ring in which gold grows without end: the first option can be neither evaluated nor played.
#[test]
fn a_habit_that_cannot_be_played_spoils_no_other() {
    let mut book = Manuscript::new("gold");
    book.sheet.stats.push(Stat::new("gold", 0));
    let dig = crate::pieces::after(vec![Effect::change("gold", 1_000)], 1);
    let options = vec![Choice::new("dig", dig), Choice::new("go", Passage::won())];
    book.sections = vec![Section::new(1, Play::Choice(options).into())];
    let book = Book::new(book).unwrap();
    let hero = rolled(7, 7, 7);
    let unknown = Habit::ALL.map(|habit| (habit, Err(Error::NotEvaluated { habit })));
    let mut difficulty = Difficulty::new(1.0, unknown);
    difficulty
        .play(&book, &hero, 10, 1_000, &mut rng())
        .unwrap();
    assert_eq!(
        difficulty.played(Habit::AtRandom),
        Played::new(10, 10).as_ref()
    );
    assert_eq!(difficulty.played(Habit::FirstOption), None);
    assert!(
        difficulty
            .to_string()
            .contains("first option     not known")
    );
}

/// From any place, and with both number types.
#[test]
fn ways_of_playing_are_evaluated_from_any_place() {
    let book = Book::builder()
        .choice(1, [("a", 2), ("b", 3)])
        .luck(2, 4, 3)
        .chance(3, [(4, 1), (1, 2)])
        .won(4);
    let game = book.build().unwrap().game(rolled(7, 7, 7)).unwrap();
    let limits = FollowLimits::default();
    let second = |_: &Place, _: &[Move]| 1;
    for section in 1..5 {
        let start = game.start_at(section).unwrap();
        let exact: Evaluation<BigRational> = game.evaluate(second, start, limits).unwrap();
        let float: Evaluation = game.evaluate(second, start, limits).unwrap();
        assert_eq!(
            (exact.value().to_string().as_str(), exact.error()),
            ("1", 0.0)
        );
        assert!((float.value() - 1.0).abs() <= float.error());
        assert_eq!(exact.places(), float.places());
    }
    let few: Result<Evaluation, Error> = game.evaluate(second, game.start(), limits.max_places(2));
    assert!(
        matches!(few, Err(Error::JourneyTooLarge { limit: 2 })),
        "{few:?}"
    );
}
