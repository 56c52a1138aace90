//! The values of the routes at a fork, each alone and without it, compared with books in which the
//! other routes are lost, solved state by state.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::pieces::{after, random, rolled};
use crate::properties::drawn;
use crate::risky::Risky;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Choice, Condition, Effect, Error, Fights, Fork, Manuscript, Move,
    Passage, Place, Play, Section, Way,
};
use oddsmith_mdp::Solver;
use quickcheck::TestResult;

/// The chance to win by the state-by-state solver, if there are few states and no rings.
fn direct(game: BookGame) -> Option<f64> {
    let game = game.fights(Fights::Folded);
    let solver = Solver::exact().max_states(20_000);
    solver.solve(&game, game.start()).ok()?.value().to_f64()
}

/// A book in which heroes who take some options of a section lose.
fn lost_by(mut book: Manuscript, section: u32, lost: &dyn Fn(&str) -> bool) -> Manuscript {
    let section = book.sections.iter_mut().find(|one| one.number == section);
    let Some(Play::Choice(options)) = section.map(|one| &mut one.passage.play) else {
        panic!("a fork is a choice");
    };
    for option in options
        .iter_mut()
        .filter(|option| lost(option.label.as_deref().unwrap_or_default()))
    {
        option.passage = Passage::lost();
    }
    book
}

/// Whether the values of all routes are right; `None` for books with too many states.
fn is_true(book: &Risky, fork: &Fork) -> Option<bool> {
    let is_way = |label: &str| fork.ways().iter().any(|way| way.label() == label);
    let between = |(least, most): (f64, f64), lost: &dyn Fn(&str) -> bool| {
        let changed = lost_by(book.manuscript(), fork.section(), lost);
        let chance = direct(book.game_of(changed))?;
        // Converting a fraction to a float rounds once.
        Some(least <= chance + f64::EPSILON && chance <= most + f64::EPSILON)
    };
    let one = |way: &Way| {
        let alone = between(way.alone(), &|label| is_way(label) && label != way.label());
        let without = between(way.without(), &|label| label == way.label());
        Some(alone? && without?)
    };
    fork.ways()
        .iter()
        .map(one)
        .try_fold(true, |all, one| Some(all && one?))
}

/// `None` if the solver need not answer, and does not.
fn answer<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(answer) => Some(answer),
        Err(Error::NotFollowed { .. } | Error::BookTooLarge { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The same if routes are only bounded, not solved.
#[test]
fn ways_are_worth_what_books_without_the_others_are() {
    fn same(book: Risky) -> TestResult {
        if book.rings() {
            return TestResult::discard();
        }
        let game = book.game();
        let solver = BookSolver::new(&game).tell_apart(0.0);
        let Some(valuation) = answer(solver.solve(game.start())) else {
            return TestResult::discard();
        };
        let (Some(fork), Some((least, most))) = (valuation.fork(), valuation.enclosure()) else {
            return TestResult::discard();
        };
        let mut all = fork.ways().iter().all(|way| way.alone().0 <= most);
        for wanted in [0.0, least, 1.0] {
            let Some(Some(looked)) = answer(solver.ways(game.start(), wanted)) else {
                return TestResult::discard();
            };
            // A route that bounds show to be needed is needed.
            let same = |way: &Way| fork.ways().iter().any(|one| one.target() == way.target());
            all &= looked.ways().iter().all(same);
            match is_true(&book, &looked) {
                Some(right) => all &= right,
                None => return TestResult::discard(),
            }
        }
        match is_true(&book, fork) {
            Some(right) => TestResult::from_bool(all && right),
            None => TestResult::discard(),
        }
    }
    drawn(200).quickcheck(same as fn(Risky) -> TestResult);
}

fn by_chance(of_ten: u32) -> Play {
    let won = (of_ten, Passage::won());
    random(&[won, (10 - of_ten, Passage::lost())])
}

/// A hero who is hurt on the way should take another street, so best play needs both.
#[test]
fn two_ways_may_be_needed() {
    let hurt =
        |by: i16| crate::pieces::after(vec![oddsmith_gamebook::Effect::change("stamina", -by)], 2);
    let streets = [("steep", 3), ("level", 4), ("long", 5)];
    let streets = streets.map(|(label, to)| Choice::new(label, Passage::to(to)));
    let strong = oddsmith_gamebook::Condition::at_least("stamina", 4);
    let mut book = Manuscript::new("streets");
    book.sections = vec![
        Section::new(1, random(&[(1, hurt(0)), (1, hurt(3))]).into()),
        Section::new(2, Play::Choice(streets.into()).into()),
        Section::new(
            3,
            Play::First(vec![
                Choice::new("up", Passage::to(6)).when(strong),
                Choice::new("down", Passage::lost()),
            ])
            .into(),
        ),
        Section::new(4, by_chance(5).into()),
        Section::new(5, by_chance(4).into()),
        Section::new(6, by_chance(8).into()),
    ];
    let game = Book::new(book).unwrap().game(rolled(7, 5, 7)).unwrap();
    let solver = BookSolver::new(&game).tell_apart(0.0);
    let valuation = solver.solve(game.start()).unwrap();
    assert!((valuation.win() - 0.65).abs() < 1e-15);
    let fork = valuation.fork().unwrap();
    let needed: Vec<u32> = fork.needed(0.649).map(Way::target).collect();
    assert_eq!(needed, [3, 4]);
    // Hurt, by the long route: 0.4 + 0.2.
    let near = |(least, most): (f64, f64), chance: f64| {
        assert!(
            least <= chance && chance <= most && most - least < 1e-13,
            "{least} {most}"
        );
    };
    let [steep, level, long] = fork.ways() else {
        panic!("three streets");
    };
    near(steep.alone(), 0.4);
    near(level.alone(), 0.5);
    // It cannot have a higher value than the others, and was not solved.
    let (least, most) = long.alone();
    assert!(least == 0.0 && (0.4..0.4 + 1e-13).contains(&most), "{most}");
    assert!((level.without().1 - 0.6).abs() < 1e-13);
    near(steep.without(), 0.5);
    near(long.without(), 0.65);
    // If no chance is required, no route is needed.
    assert_eq!(fork.needed(0.0).count(), 0);
    assert_eq!(
        fork.to_string(),
        "\
section 2
  steep (3): 40.00 %
  level (4): 50.00 %
  long (5): at most 40.00 %
"
    );
}

#[test]
fn no_ways_are_told_apart_where_none_part() {
    let book = Book::builder()
        .luck(1, 2, 3)
        .won(2)
        .lost(3)
        .build()
        .unwrap();
    let game = book.game(rolled(7, 14, 7)).unwrap();
    let solver = BookSolver::new(&game).tell_apart(0.0);
    assert_eq!(solver.solve(game.start()).unwrap().fork(), None);
    assert_eq!(solver.ways(game.start(), 0.5), Ok(None));
    // Nor unless the solver is asked to distinguish routes.
    let fork = Book::builder()
        .choice(1, [("a", 2), ("b", 3)])
        .luck(2, 4, 5)
        .skill(3, 4, 5);
    let game = fork
        .won(4)
        .lost(5)
        .build()
        .unwrap()
        .game(rolled(7, 14, 7))
        .unwrap();
    let solver = BookSolver::new(&game);
    assert!(
        solver
            .clone()
            .tell_apart(0.0)
            .ways(game.start(), 0.5)
            .unwrap()
            .is_some()
    );
    assert_eq!(
        solver.tell_apart(f64::INFINITY).ways(game.start(), 0.5),
        Ok(None)
    );
}

/// Regression test: nine times a ninth was more than 1, which `ways` refused.
#[test]
fn no_chance_exceeds_one() {
    let mut book = Manuscript::new("sure");
    let ways: Vec<Choice> = (0..9)
        .map(|harm| {
            let hurt = vec![Effect::change("stamina", -harm)];
            Choice::new(format!("hurt {harm}"), after(hurt, 2))
        })
        .collect();
    let back = Choice::new("wait", Passage::to(60));
    let ninths: Vec<(u32, Passage)> = (11..20).map(|to| (1, Passage::to(to))).collect();
    book.sections = vec![
        Section::new(1, Play::Choice([vec![back], ways].concat()).into()),
        Section::new(2, random(&ninths).into()),
        Section::new(50, Passage::won()),
        Section::new(60, Passage::to(1)),
    ];
    for number in 11..20_i16 {
        let enough = Condition::at_least("stamina", number + 11);
        let cases = vec![
            Choice::new("strong", Passage::to(50)).when(enough),
            Choice::new("weak", Passage::lost()),
        ];
        book.sections
            .push(Section::new(number as u32, Play::First(cases).into()));
    }
    let game = Book::new(book).unwrap().game(rolled(7, 30, 7)).unwrap();
    let solver = BookSolver::new(&game);
    let valuation = solver.solve(game.start()).unwrap();
    assert_eq!(valuation.win(), 1.0);
    assert_eq!(solver.ways(game.start(), valuation.win()), Ok(None));
    let odds = solver.odds(game.start()).unwrap();
    assert_eq!(odds.value_of(&game.start()).unwrap().win(), 1.0);
    // Regression tests: with two dice, the value of an option and the chance of a visit did, too.
    let run = vec![Effect::Change(
        [("stamina".to_owned(), "-2d6".parse().unwrap())].into(),
    )];
    let ways = vec![
        Choice::new("walk", Passage::to(2)),
        Choice::new("run", after(run.clone(), 2)),
    ];
    let mut book = Manuscript::new("race");
    book.sections = vec![
        Section::new(1, Play::Choice(ways).into()),
        Section::new(2, Passage::won()),
    ];
    let game = Book::new(book).unwrap().game(rolled(7, 30, 7)).unwrap();
    let advice = BookSolver::new(&game)
        .advice(game.start())
        .unwrap()
        .unwrap();
    assert_eq!(advice.lead(), 0.0);
    assert!(advice.options().iter().all(|option| option.value == 1.0));
    let last = |_: &Place, moves: &[Move]| moves.len() - 1;
    let journey = game.follow::<f64>(last, game.start(), 100).unwrap();
    assert_eq!(journey.visits(2), Ok(1.0));
}

#[test]
fn what_is_wanted_is_a_chance() {
    let book = Book::builder().won(1).build().unwrap();
    let game = book.game(rolled(7, 14, 7)).unwrap();
    for wanted in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        let refused = BookSolver::new(&game).ways(game.start(), wanted);
        assert_eq!(
            refused,
            Err(Error::NotAChance {
                given: wanted.to_string()
            })
        );
    }
}
