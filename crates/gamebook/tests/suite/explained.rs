//! Explanations: the value of an option is the mean of its outcomes, in both solvers.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_gamebook::{
    Book, BookSolver, Enemy, Error, Escape, Explanation, Fight, Manuscript, Passage, Play, Section,
};
use oddsmith_mdp::Solver;
use quickcheck::TestResult;

use crate::generated::Acyclic;
use crate::pieces::rolled;
use crate::properties::drawn;

/// The highest number of states solved.
const LIMIT: usize = 5_000;
/// The number of choices of a book that are explained by diagrams.
const ASKED: usize = 4;

/// Whether the value of every option is the mean of its outcomes, and their chances add up to 1.
fn adds_up(why: &Explanation<BigRational>) -> bool {
    let options = why.advice().options().iter().enumerate();
    let mut sums = options.map(|(number, option)| {
        let outcomes = why.outcomes(number);
        let chances: BigRational = outcomes.iter().map(|outcome| &outcome.chance).sum();
        let value = outcomes.iter().fold(BigRational::zero(), |sum, outcome| {
            sum + &outcome.chance * &outcome.value
        });
        let falling = outcomes.is_sorted_by(|one, next| one.chance >= next.chance);
        chances.is_one() && value == option.value && falling
    });
    sums.all(|right| right) && why.outcomes(why.advice().options().len()).is_empty()
}

/// Whether floats agree; floats list similar places once or several times.
fn same(exact: &Explanation<BigRational>, float: &Explanation<f64>) -> bool {
    let options = exact.advice().options().iter().enumerate();
    let mut options = options.zip(float.advice().options());
    options.all(|((number, exact_option), option)| {
        let near = |exact: &BigRational, float: f64| {
            exact
                .to_f64()
                .is_some_and(|exact| (exact - float).abs() < 1e-9)
        };
        let mut outcomes = exact.outcomes(number).iter();
        exact_option.action == option.action
            && near(&exact_option.value, option.value)
            && outcomes.all(|outcome| {
                let found = float.outcomes(number).iter();
                let found: Vec<_> = found.filter(|one| one.place == outcome.place).collect();
                let chance: f64 = found.iter().map(|one| one.chance).sum();
                let mut values = found.iter().map(|one| one.value);
                near(&outcome.chance, chance) && values.all(|value| near(&outcome.value, value))
            })
    })
}

/// Each outcome is listed below its own option, whatever its label.
#[test]
fn labels_of_several_lines() {
    let book = Book::builder()
        .choice(1, [("up\nand away", 2), ("down", 3)])
        .lost(2)
        .won(3);
    let plan = book.build().unwrap().solve(rolled(7, 7, 7)).unwrap();
    let why = plan.explain(&plan.start()).unwrap().unwrap();
    let text = why.to_string();
    let (_, below) = text.split_once("and away").unwrap();
    assert!(
        below.contains("section 2 ") && below.contains("worth 0.00 %"),
        "{text}"
    );
    assert!(!below.contains("section 3 "), "{text}");
}

/// Staying in the same place has no value of its own, in both solvers.
#[test]
fn options_that_lead_back() {
    let book = Book::builder()
        .choice(1, [("stay", 1), ("go", 2)])
        .luck(2, 3, 4);
    let game = book
        .won(3)
        .lost(4)
        .build()
        .unwrap()
        .game(rolled(7, 7, 7))
        .unwrap();
    let why = BookSolver::new(&game)
        .explain(game.start())
        .unwrap()
        .unwrap();
    assert!(why.outcomes(0).is_empty());
    assert_eq!(why.outcomes(1)[0].place.section(), 2);
    let options = why.advice().options();
    assert!((options[0].value - 7.0 / 12.0).abs() < 1e-12);
    assert_eq!(why.advice().label(), "go");
}

/// Regression: after a round without a hit that is not counted any more, the fight goes on
/// unchanged. Diagrams overvalued one more round compared with running, and ran after it.
#[test]
fn a_round_that_changes_nothing_is_fought_again() {
    let escape = Escape {
        cost: 2,
        ..Escape::new(1, Passage::won())
    };
    let fight = Fight {
        escape: Some(escape),
        ..Fight::new([Enemy::new(10, 2)], Passage::lost())
    };
    let mut book = Manuscript::new("flight");
    book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
    let plan = Book::new(book).unwrap().solve(rolled(10, 5, 7)).unwrap();
    let solver = BookSolver::new(plan.solution().game());
    let mut worth = Vec::new();
    for (place, _) in plan.solution().states() {
        let Some(why) = plan.explain(&place).unwrap() else {
            continue;
        };
        assert!(
            same(&why, &solver.explain(place).unwrap().unwrap()),
            "{why}"
        );
        let on = &why.advice().options()[0];
        let back = why
            .outcomes(0)
            .iter()
            .find(|outcome| outcome.place == place);
        assert_eq!(back.unwrap().value, on.value);
        worth.push(on.value.to_string());
    }
    // A hit and a wound are equally likely; a hero wounded twice cannot run any more.
    worth.sort();
    assert_eq!(worth, ["0", "1/2"]);
}

#[test]
fn options_are_worth_what_they_bring() {
    fn explained(Acyclic(generated): Acyclic) -> TestResult {
        let (book, hero) = (generated.book(), generated.hero());
        let plan = match book.solve_with(&hero, Solver::exact().max_states(LIMIT)) {
            Ok(plan) => plan,
            Err(Error::TooManyPlaces { .. }) => return TestResult::discard(),
            Err(error) => panic!("{error}"),
        };
        let game = plan.solution().game();
        let solver = BookSolver::new(game);
        let mut asked = 0;
        for (place, _) in plan.solution().states() {
            let why = plan.explain(&place).unwrap();
            let advice = plan.advice(&place).unwrap();
            if why.as_ref().map(Explanation::advice) != advice.as_ref() {
                return TestResult::failed();
            }
            let Some(why) = why else { continue };
            if !adds_up(&why) {
                return TestResult::failed();
            }
            asked += 1;
            if asked <= ASKED {
                match solver.explain(place) {
                    Ok(Some(float)) if same(&why, &float) => {}
                    // Where diagrams need not answer, and do not.
                    Err(
                        Error::NotFollowed { .. }
                        | Error::BookTooLarge { .. }
                        | Error::StatOverflows { .. },
                    ) => {}
                    Ok(_) => return TestResult::failed(),
                    Err(error) => panic!("{error}"),
                }
            }
        }
        match asked {
            0 => TestResult::discard(),
            _ => TestResult::passed(),
        }
    }
    drawn(60).quickcheck(explained as fn(Acyclic) -> TestResult);
}
