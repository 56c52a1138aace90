//! A section counts as visited by everybody who reaches it, once or more often, dead or alive.

use crate::generated::Generated;
use crate::pieces::{after, choice, random, rolled, with_gold};
use crate::properties::drawn;
use num_rational::BigRational;
use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{
    Amount, Book, Choice, Condition, Effect, Fate, Finding, Manuscript, Passage, Play, Section,
};
use oddsmith_mdp::{AtRandom, Solver};
use quickcheck::TestResult;

fn ratio(part: i32, whole: i32) -> BigRational {
    BigRational::new(part.into(), whole.into())
}

/// Effects on arrival at section 2; the other option leads to victory.
fn jump(on_the_way: Vec<Effect>, on_arrival: Vec<Effect>) -> Book {
    let mut book = Manuscript::new("jump");
    let jump = after(on_the_way, 2);
    let mut hole = Section::new(2, Play::Turn(3).into());
    hole.passage.effects = on_arrival;
    book.sections = vec![
        Section::new(1, random(&[(1, jump), (1, Passage::to(3))]).into()),
        hole,
        Section::new(3, Passage::won()),
    ];
    Book::new(book).unwrap()
}

fn loses(stamina: &str) -> Vec<Effect> {
    let by: Amount = stamina.parse().unwrap();
    vec![Effect::Change([("stamina".into(), by)].into())]
}

fn ends() -> Effect {
    Effect::Set([("stamina".into(), Amount::from(0))].into())
}

fn unreachable(book: &Book) -> Vec<Finding> {
    let lint = book.lint();
    let findings = lint.findings().iter();
    let unreachable = |one: &&Finding| matches!(one, Finding::Unreachable { .. });
    findings.filter(unreachable).cloned().collect()
}

#[test]
fn who_dies_on_arrival_has_come() {
    let fatal = jump(vec![], vec![ends()]);
    let soft = jump(vec![], loses("-3d6"));
    for (book, dead) in [(&fatal, ratio(1, 2)), (&soft, ratio(5, 16))] {
        let journey = book.follow_exact(rolled(7, 10, 7), AtRandom).unwrap();
        assert_eq!(journey.visits(2).unwrap(), ratio(1, 2));
        assert!(journey.endings().contains(&(2, Fate::Died, dead)));
        let plan = book.solve(rolled(7, 10, 7)).unwrap();
        assert_eq!(plan.visits(2).unwrap(), ratio(1, 2));
        assert_eq!(unreachable(book), []);
        assert!(book.lint().to_string().contains("3 of 3 sections"));
    }
    // If everybody dies on arrival, nobody goes on, which an author should know.
    let hopeless = Finding::Hopeless { section: 2 };
    assert!(fatal.lint().findings().contains(&hopeless));
    assert!(!soft.lint().findings().contains(&hopeless));
}

#[test]
fn who_dies_on_the_way_has_not() {
    let book = jump(vec![ends()], vec![]);
    let journey = book.follow_exact(rolled(7, 10, 7), AtRandom).unwrap();
    assert_eq!(journey.visits(2).unwrap(), ratio(0, 1));
    assert!(journey.endings().contains(&(1, Fate::Died, ratio(1, 2))));
    assert_eq!(unreachable(&book), [Finding::Unreachable { section: 2 }]);
}

#[test]
fn who_dies_at_the_start_was_there() {
    let mut start = Section::new(1, Play::Turn(2).into());
    start.passage.effects = loses("-1d6");
    for (stamina, won) in [(1, ratio(0, 1)), (4, ratio(1, 2))] {
        let mut book = Manuscript::new("start");
        book.sections = vec![start.clone(), Section::new(2, Passage::won())];
        let book = Book::new(book).unwrap();
        let plan = book.solve(rolled(7, stamina, 7)).unwrap();
        assert_eq!((plan.value(), plan.visits(1).unwrap()), (won, ratio(1, 1)));
        let journey = book.follow_exact(rolled(7, stamina, 7), AtRandom).unwrap();
        assert_eq!(journey.visits(1).unwrap(), ratio(1, 1));
        assert_eq!(unreachable(&book), []);
    }
}

/// Regression: a plan counted every visit, and showed chances above 1.
#[test]
fn who_comes_twice_counts_once() {
    let book = Book::builder().luck(1, 1, 2).won(2).build().unwrap();
    let plan = book.solve(Hero::new(7, 14, 2).unwrap()).unwrap();
    assert_eq!(plan.visits(1).unwrap(), ratio(1, 1));
    assert_eq!(plan.visits(2).unwrap(), ratio(1, 1));

    let rich = Choice::new("pay", Passage::to(1));
    let rich = rich.when(Condition::at_least("gold", 1));
    let poor = Choice::new("poor", Passage::to(3));
    let sections = vec![
        (1, random(&[(1, Passage::to(3)), (1, Passage::to(2))])),
        (2, Play::First(vec![rich, poor])),
        (3, choice(vec![Passage::won()])),
    ];
    let mut book = with_gold("toll", (3, 9), sections);
    book.sections[1].passage.effects = vec![Effect::change("gold", -1)];
    let book = Book::new(book).unwrap();
    let game = book.game(rolled(7, 10, 7)).unwrap();
    let plan = book.solve(rolled(7, 10, 7)).unwrap();
    let visits = [1, 2, 3].map(|section| plan.visits(section).unwrap());
    assert_eq!(visits, [ratio(1, 1), ratio(1, 2), ratio(1, 1)]);
    let solution = Solver::exact().solve(&game, game.start()).unwrap();
    let journey = book
        .follow_exact(rolled(7, 10, 7), solution.policy())
        .unwrap();
    for section in [1, 2, 3] {
        assert_eq!(
            journey.visits(section).unwrap(),
            plan.visits(section).unwrap()
        );
    }
}

/// Regression: if there was a ring anywhere, a hero who stayed in a section was counted repeatedly.
#[test]
fn who_stays_has_come_once() {
    let book = Book::builder()
        .chance(1, [(1, 9), (2, 1)])
        .chance(2, [(3, 1), (4, 1)])
        .chance(3, [(2, 1), (4, 1)])
        .won(4)
        .build()
        .unwrap();
    let hero = || Hero::new(7, 14, 7).unwrap();
    let journey = book.follow_exact(hero(), AtRandom).unwrap();
    let visits = [1, 2, 3, 4].map(|section| journey.visits(section).unwrap());
    assert_eq!(visits, [ratio(1, 1), ratio(1, 1), ratio(1, 2), ratio(1, 1)]);
    let solver = Solver::exact().allow_cycles();
    let plan = book.solve_with(hero(), solver).unwrap();
    assert_eq!(
        [1, 2, 3, 4].map(|section| plan.visits(section).unwrap()),
        visits
    );
    let float = book.follow(hero(), AtRandom).unwrap();
    let off = (float.visits(3).unwrap() - 0.5).abs();
    assert!(off <= float.relative_error() && float.relative_error() < 1e-12);
}

/// The walk-through of a plan with cycles allowed agrees with expected visits, which are computed
/// from equations and not by playing up to a place.
#[test]
fn a_walk_with_cycles_agrees_with_expected_visits() {
    fn same(generated: Generated) -> TestResult {
        let solver = || Solver::exact().max_states(3_000).allow_cycles();
        let Ok(plan) = generated.book().solve_with(generated.hero(), solver()) else {
            return TestResult::discard();
        };
        let (game, policy) = (plan.solution().game(), plan.solution().policy());
        let evaluation = solver().evaluate(game, policy, plan.start()).unwrap();
        let visits = evaluation.visits().unwrap();
        let walk = plan.walkthrough().unwrap();
        let mut steps = walk.steps().iter();
        let agree = steps.all(|step| step.reached == visits.chance(&step.place).unwrap());
        TestResult::from_bool(agree && !walk.steps().is_empty())
    }
    drawn(200).quickcheck(same as fn(Generated) -> TestResult);
}

/// From sections 2 and 3 some readers come back to the start. How likely is each place ever reached?
#[test]
fn a_place_passed_repeatedly_is_reached_once() {
    let book = Book::builder()
        .chance(1, [(2, 1), (3, 1)])
        .chance(2, [(1, 1), (4, 1)])
        .chance(3, [(1, 1), (5, 2)])
        .won(4)
        .lost(5)
        .build()
        .unwrap();
    let solver = Solver::exact().allow_cycles();
    let plan = book
        .solve_with(Hero::new(7, 14, 7).unwrap(), solver)
        .unwrap();
    let walk = plan.walkthrough().unwrap();
    let steps = walk.steps().iter();
    let steps: Vec<_> = steps
        .map(|step| (step.place.section(), step.reached.clone()))
        .collect();
    // Section 2: a = 1/2 + 1/2 · 1/3 · a. Section 4: b = 1/4 + (1/4 + 1/6) · b.
    assert_eq!(
        steps,
        [(1, ratio(1, 1)), (2, ratio(3, 5)), (4, ratio(3, 7))]
    );
    assert_eq!(plan.value(), ratio(3, 7));
}
