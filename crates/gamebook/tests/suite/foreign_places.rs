//! Places of one book passed to another: nothing panics.

use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Enemy, Fight, Manuscript, Passage, Place, Play, Section,
};
use oddsmith_mdp::{Node, Solver};
use quickcheck::TestResult;

use crate::generated::Generated;
use crate::pieces::rolled;
use crate::properties::drawn;

/// The highest number of states checked.
pub(crate) const LIMIT: usize = 1_000;
/// The number of places of a book that solvers evaluate.
const SOLVED: usize = 20;

pub(crate) fn game(generated: &Generated, luck: bool) -> BookGame {
    let mut generated = generated.clone();
    generated.manuscript.rules.luck_in_battle = luck;
    generated.book().game(generated.hero()).unwrap()
}

pub(crate) fn places(game: &BookGame) -> Option<Vec<Place>> {
    let solver = Solver::float().max_states(LIMIT).allow_cycles();
    let solution = solver.solve(game, game.start()).ok()?;
    Some(solution.states().map(|(place, _)| place).collect())
}

/// The fifth of five foes, if there is one.
#[test]
fn a_foe_that_is_not_there() {
    let book = |foes: usize| {
        let mut book = Manuscript::new("foes");
        let foes = vec![Enemy::new(7, 4); foes];
        let fight = Fight::new(foes, Passage::won());
        book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
        let game = Book::new(book).unwrap().game(rolled(9, 12, 9)).unwrap();
        game.fights(oddsmith_gamebook::Fights::Rounds)
    };
    let (many, one) = (book(5), book(1));
    let mut refused = 0;
    for place in places(&many).unwrap() {
        let here = Node::of(&one, &place).is_ok();
        assert_eq!(here, BookSolver::new(&one).solve(place).is_ok());
        refused += usize::from(!here);
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn of_generated_books() {
    fn answers(here: Generated, there: Generated, luck: (bool, bool)) -> TestResult {
        let (here, there) = (game(&here, luck.0), game(&there, luck.1));
        let Some(places) = places(&there) else {
            return TestResult::discard();
        };
        let solver = BookSolver::new(&here);
        let policy = solver.policy(here.start());
        let mut inside = 0;
        for place in places {
            let _ = Node::of(&here, &place);
            let _ = (here.describe(&place), here.stat(&place, "gold"));
            if let Ok(policy) = &policy {
                let _ = policy.decision(&place);
            }
            if place.is_inside() && inside < SOLVED {
                inside += 1;
                let _ = (
                    solver.solve(place),
                    solver.explain(place),
                    solver.solve_exact(place),
                );
            }
        }
        TestResult::passed()
    }
    drawn(100).quickcheck(answers as fn(Generated, Generated, (bool, bool)) -> TestResult);
}

/// Regression: the rest of a fight, as reached by a game that plays round by round, was taken for
/// the whole fight by one that does not.
#[test]
fn what_is_left_of_a_fight_is_no_whole_one() {
    let mut book = Manuscript::new("fight");
    let fight = Fight::new([Enemy::new(7, 4)], Passage::won());
    book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
    let folded = Book::new(book).unwrap().game(rolled(7, 4, 9)).unwrap();
    let rounds = folded.clone().fights(oddsmith_gamebook::Fights::Rounds);
    let exact = Solver::exact().solve(&rounds, rounds.start()).unwrap();
    let odds = BookSolver::new(&folded).odds(folded.start()).unwrap();
    assert!(folded.shares_places(&rounds));
    let mut inside = 0;
    for (place, value) in exact.states().filter(|(place, _)| place.is_inside()) {
        let value = num_traits::ToPrimitive::to_f64(&value).unwrap();
        for game in [&folded, &rounds] {
            let found = BookSolver::new(game).solve(place).unwrap();
            assert!((found.win() - value).abs() < 1e-12, "{found} for {value}");
        }
        assert!((odds.value_of(&place).unwrap().win() - value).abs() < 1e-12);
        inside += 1;
    }
    assert!(inside > 2, "{inside}");
}

/// A hero whose life is a stat of another book, with a value of 0, has lost.
#[test]
fn the_dead_of_another_book_have_lost() {
    let game = |stats: [&str; 3]| {
        let mut book = Manuscript::new("fight");
        let stat = |id: &&str| oddsmith_gamebook::Stat::new(*id, 3 * i16::from(*id != "gold"));
        book.sheet.stats = stats.iter().map(stat).collect();
        let fight = Fight::new([Enemy::new(7, 4)], Passage::to(2));
        let fight = Play::Fight(Box::new(fight));
        book.sections = vec![
            Section::new(1, fight.into()),
            Section::new(2, Passage::won()),
        ];
        let book = Book::new(book).unwrap();
        book.game(oddsmith_gamebook::Character::new()).unwrap()
    };
    let here = game(["stamina", "skill", "gold"]);
    let there = game(["gold", "skill", "stamina"]).start();
    assert_eq!(here.stat(&there, "stamina"), Some(0));
    let solver = BookSolver::new(&here);
    assert_eq!(solver.solve(there).unwrap().win(), 0.0);
    let odds = solver.odds(here.start()).unwrap();
    assert_eq!(odds.value_of(&there).unwrap().win(), 0.0);
    let plain = Solver::exact().solve(&here, there).unwrap();
    assert_eq!(plain.value().to_string(), "0");
}

/// Regression test: where all is lost, a policy weighed the moves of its own book, and panicked if
/// the other one had fewer.
#[test]
fn a_policy_followed_through_another_book() {
    let book = |ways: &[(&str, u32)]| {
        let fork = Book::builder().choice(1, [("out", 4), ("in", 2)]);
        let ring = fork.choice(2, ways.iter().copied());
        let ring = ring.choice(3, [("back", 2), ("again", 2)]);
        ring.won(4).build().unwrap().game(rolled(7, 14, 7)).unwrap()
    };
    let three = book(&[("x", 3), ("y", 3), ("z", 3)]);
    let two = book(&[("x", 3), ("y", 3)]);
    let policy = BookSolver::new(&three).policy(three.start()).unwrap();
    for start in [1, 2, 3] {
        let start = two.start_at(start).unwrap();
        let followed = two.follow::<f64>(&policy, start, 100);
        let won = followed.map_or(0.0, |journey| *journey.value());
        assert_eq!(won, f64::from(u8::from(start == two.start())));
    }
}
