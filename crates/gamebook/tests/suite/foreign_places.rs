//! Places of one book asked for in another: whatever comes of it, nobody panics.

use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Enemy, Fight, Manuscript, Passage, Place, Play, Section,
};
use oddsmith_mdp::{Node, Solver};
use quickcheck::TestResult;

use crate::generated::Generated;
use crate::pieces::rolled;
use crate::properties::drawn;

/// More states than this are not asked for.
const LIMIT: usize = 1_000;
/// So many places of a book are asked for by solvers.
const SOLVED: usize = 20;

fn game(generated: &Generated, luck: bool) -> BookGame {
    let mut generated = generated.clone();
    generated.manuscript.rules.luck_in_battle = luck;
    generated.book().game(generated.hero()).unwrap()
}

fn places(game: &BookGame) -> Option<Vec<Place>> {
    let solver = Solver::float().max_states(LIMIT).allow_cycles();
    let solution = solver.solve(game, game.start()).ok()?;
    Some(solution.states().map(|(place, _)| place).collect())
}

/// The fifth of five foes, where there is one.
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
