//! Why an option is the best one: what it is worth is what it brings, in both solvers.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_gamebook::{BookSolver, Error, Explanation};
use oddsmith_mdp::Solver;
use quickcheck::{QuickCheck, TestResult};

use crate::generated::Acyclic;

/// More states than this are not solved.
const LIMIT: usize = 5_000;
/// So many choices of a book are explained by diagrams.
const ASKED: usize = 4;

/// Whether every option is worth what it brings, and that is all that it brings.
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

/// Whether floats say the same; floats list places that are alike once or several times.
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

#[test]
fn options_are_worth_what_they_bring() {
    fn explained(Acyclic(generated): Acyclic) -> TestResult {
        let (book, hero) = (generated.book(), generated.hero());
        let plan = match book.solve_with(&hero, Solver::exact().max_states(LIMIT)) {
            Ok(plan) => plan,
            Err(Error::Solve(oddsmith_mdp::Error::TooManyStates { .. })) => {
                return TestResult::discard();
            }
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
                    // Where diagrams do not answer, and may not.
                    Err(
                        Error::NotFollowed { .. }
                        | Error::NotReached { .. }
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
    QuickCheck::new()
        .tests(60)
        .quickcheck(explained as fn(Acyclic) -> TestResult);
}
