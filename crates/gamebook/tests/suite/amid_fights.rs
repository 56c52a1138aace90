//! The middle of a fight: its value, and the decisions there, in long books.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Choice, Effect, Enemy, Error, Escape, Fight, Fights, Item, Journey,
    Manuscript, Move, Passage, Place, Play, RandomLoss, Section, Trial,
};
use oddsmith_mdp::{Node, Solver};
use quickcheck::TestResult;

use crate::generated::Generated;
use crate::pieces::rolled;
use crate::properties::drawn;

/// The highest number of states solved.
const LIMIT: usize = 5_000;
/// The number of rounds of a book that are checked.
const ASKED: usize = 5;
/// A relative difference below 10⁻¹³ counts as a tie, and some of them may add up.
const TIES: f64 = 1e-12;

/// A foe of SKILL 9, and a door with a second one behind it.
fn guarded(escape: Escape, victory: Passage) -> Manuscript {
    let fight = Fight {
        escape: Some(escape),
        ..Fight::new([Enemy::new(9, 4), Enemy::new(8, 2)], victory)
    };
    let mut book = Manuscript::new("guarded");
    book.sections = vec![
        Section::new(1, Play::Fight(Box::new(fight)).into()),
        Section::new(
            2,
            Play::Choice(vec![
                Choice::new("again", Passage::to(1)),
                Choice::new("give up", Passage::lost()),
            ])
            .into(),
        ),
    ];
    book
}

/// Regression test: the solver's own error was returned, which `solve` does not state.
#[test]
fn rounds_that_cannot_be_followed_are_told() {
    let theft = Effect::LoseRandom(RandomLoss {
        count: 3,
        tag: None,
    });
    let robbed = Passage {
        effects: vec![theft],
        ..Passage::won()
    };
    let mut book = guarded(Escape::new(1, Passage::to(2)), robbed);
    book.sheet.items = (0..100)
        .map(|item| Item::new(format!("thing{item}")))
        .collect();
    book.sheet.initial_items = (0..100).map(|item| format!("thing{item}")).collect();
    let game = Book::new(book).unwrap().game(rolled(9, 10, 7)).unwrap();
    let solver = BookSolver::new(&game);
    // The solver itself forgets what nothing reads.
    assert!(solver.solve(game.start()).unwrap().win() > 0.5);
    let start = Node::of(&game, &game.start()).unwrap();
    let (round, _) = start.wide_outcomes(0).next().unwrap();
    let told = Error::NotFollowed {
        section: 1,
        problem: "too many outcomes are possible at once".into(),
    };
    assert_eq!(solver.solve(*round), Err(told.clone()));
    assert_eq!(solver.policy(*round).err(), Some(told));
    // The rounds count.
    let little = solver.max_bytes(100).solve(*round);
    assert!(matches!(
        little,
        Err(Error::BookTooLarge {
            what: "bytes",
            limit: 100,
            ..
        })
    ));
}

/// Whether the solver by diagrams agrees with the state-by-state solver about a place, and its
/// policy from there has that value; `None` if it need not answer.
fn agrees(game: &BookGame, place: Place, exact: f64) -> Option<bool> {
    let solver = BookSolver::new(game);
    let policy = match solver.policy(place) {
        Ok(policy) => policy,
        Err(
            Error::NotFollowed { .. } | Error::BookTooLarge { .. } | Error::StatOverflows { .. },
        ) => return None,
        Err(error) => panic!("{error}"),
    };
    let error = |error: Option<f64>| error.unwrap_or(1e-9) + f64::EPSILON;
    let (solved, decided) = (solver.solve(place).unwrap(), policy.valuation());
    let near = (solved.win() - exact).abs() <= error(solved.error())
        && (decided.win() - exact).abs() <= error(decided.error());
    let (least, most) = solver.approximate(place, 0.01).unwrap().enclosure()?;
    let bounded = least <= exact && exact <= most;
    let journey: Journey<BigRational> = game.follow(&policy, place, LIMIT).unwrap();
    let value = journey.value().to_f64().unwrap();
    let kept = exact * (1.0 - TIES) - 2.0 * f64::EPSILON <= value;
    Some(near && bounded && kept && value <= exact + f64::EPSILON)
}

/// Whether all answers about the checked rounds of a book are right; `None` if there are none, and
/// if the book cannot be solved state by state: some books have places that nobody ever leaves.
fn rounds(game: &BookGame) -> Option<bool> {
    let solver = Solver::exact().max_states(LIMIT).allow_cycles();
    let solution = solver.solve(game, game.start()).ok()?;
    let rounds = solution.states().filter(|(place, _)| place.is_inside());
    let answers = rounds
        .take(ASKED)
        .filter_map(|(place, value)| agrees(game, place, value.to_f64().unwrap()));
    answers.reduce(|all, right| all && right)
}

/// Running costs 1 STAMINA, and needs LUCK.
#[test]
fn to_run_or_to_fight_on() {
    let leap = Trial::new("luck", Passage::won(), Passage::lost());
    let leap = Play::Test(Box::new(leap));
    let escape = Escape {
        cost: 1,
        ..Escape::new(1, leap.into())
    };
    let book = Book::new(guarded(escape, Passage::won())).unwrap();
    let game = book.game(rolled(9, 6, 7)).unwrap();
    let solution = Solver::exact().solve(&game, game.start()).unwrap();
    let solver = BookSolver::new(&game);
    let mut advised = 0;
    for (place, value) in solution.states().filter(|(place, _)| place.is_inside()) {
        assert_eq!(agrees(&game, place, value.to_f64().unwrap()), Some(true));
        assert_eq!(solver.ways(place, 0.5), Ok(None));
        let Some(advice) = solver.advice(place).unwrap() else {
            continue;
        };
        assert_eq!(advice.place(), place);
        let options = advice.options().iter();
        let options: Vec<_> = options.map(|option| option.action.clone()).collect();
        assert_eq!(options, [Move::FightOn, Move::Run]);
        let run = advice.options().iter().position(|option| option.decided);
        let worth: Vec<f64> = advice.options().iter().map(|one| one.value).collect();
        let direct = solution.choices(&place).unwrap();
        for (mine, theirs) in worth.iter().zip(&direct) {
            assert!((mine - theirs.value.to_f64().unwrap()).abs() < 1e-14);
        }
        let policy = solver.policy(place).unwrap();
        let decided = policy.decision(&place).unwrap();
        assert_eq!(decided.as_ref(), run.map(|run| &options[run]));
        advised += 1;
    }
    assert!(advised > 5, "{advised}");
}

/// A hero who runs returns to the same fight with less STAMINA; the fight is evaluated from its
/// middle and from its start.
#[test]
fn a_fight_that_is_come_back_to() {
    let escape = Escape {
        cost: 1,
        ..Escape::new(2, Passage::to(2))
    };
    let mut manuscript = guarded(escape, Passage::won());
    manuscript.rules.luck_in_battle = true;
    let game = Book::new(manuscript)
        .unwrap()
        .game(rolled(10, 8, 9))
        .unwrap();
    let solver = Solver::exact().allow_cycles();
    let solution = solver.solve(&game, game.start()).unwrap();
    let rounds = solution.states().filter(|(place, _)| place.is_inside());
    let asked = rounds.step_by(7).map(|(place, value)| {
        let value = value.to_f64().unwrap();
        assert_eq!(
            agrees(&game, place, value),
            Some(true),
            "{}",
            game.describe(&place)
        );
    });
    assert!(asked.count() > 20);
}

/// Running away and returning costs nothing and does not lower the chance to win, but a hero who
/// always does it never fells a foe who takes two hits.
#[test]
fn nobody_runs_in_a_circle() {
    let foe = Enemy {
        damage: 0,
        ..Enemy::new(6, 4)
    };
    let fight = Fight {
        escape: Some(Escape::new(1, Passage::to(1))),
        ..Fight::new([foe], Passage::won())
    };
    let mut book = Manuscript::new("circle");
    book.sections = vec![
        Section::new(
            1,
            Play::Choice(vec![Choice::new("in", Passage::to(3))]).into(),
        ),
        Section::new(3, Play::Fight(Box::new(fight)).into()),
    ];
    let game = Book::new(book).unwrap().game(rolled(9, 9, 9)).unwrap();
    let solution = Solver::exact().allow_cycles();
    let solution = solution.solve(&game, game.start()).unwrap();
    let rounds = solution.states().filter(|(place, _)| place.is_inside());
    let rounds: Vec<Place> = rounds.map(|(place, _)| place).collect();
    assert_eq!(rounds.len(), 2);
    for place in rounds {
        let advice = BookSolver::new(&game).advice(place).unwrap().unwrap();
        assert_eq!(advice.label(), "fight on");
        assert_eq!(agrees(&game, place, 1.0), Some(true));
    }
}

/// Places of all kinds can be evaluated together, any number of times.
#[test]
fn among_other_places() {
    let escape = Escape::new(1, Passage::lost());
    let book = Book::new(guarded(escape, Passage::to(2))).unwrap();
    let game = book.game(rolled(12, 9, 9)).unwrap();
    let game = game.fights(Fights::Rounds);
    let solution = Solver::float().allow_cycles();
    let solution = solution.solve(&game, game.start()).unwrap();
    let inside = solution.states().find(|(place, _)| place.is_inside());
    let inside = inside.unwrap().0;
    let solver = BookSolver::new(&game);
    let places = [inside, game.start(), inside, game.start_at(2).unwrap()];
    let valuations = solver.solve_all(&places).unwrap();
    assert_eq!(valuations.len(), 4);
    assert_eq!(valuations[0], valuations[2]);
    for (place, valuation) in places.iter().zip(&valuations) {
        assert_eq!(solver.solve(*place).unwrap().win(), valuation.win());
    }
}

/// A fight in which nobody can be hurt never ends, and is lost.
#[test]
fn a_fight_without_end() {
    let foe = Enemy {
        damage: 0,
        ..Enemy::new(2_000, 4)
    };
    let mut book = Manuscript::new("walls");
    let fight = Fight::new([Enemy::new(7, 2), foe], Passage::won());
    book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
    let game = Book::new(book).unwrap().game(rolled(12, 9, 9)).unwrap();
    let game = game.fights(Fights::Rounds);
    let solution = Solver::exact().allow_cycles();
    let solution = solution.solve(&game, game.start()).unwrap();
    let mut asked = 0;
    for (place, _) in solution.states().filter(|(place, _)| place.is_inside()) {
        let valuation = BookSolver::new(&game).solve(place).unwrap();
        assert!(valuation.win() <= valuation.error().unwrap());
        asked += 1;
    }
    assert!(asked > 2);
}

/// Too many rounds are rejected in the same way as too many sections.
#[test]
fn more_rounds_than_wanted() {
    let mut book = Manuscript::new("giants");
    let fight = Fight {
        escape: Some(Escape::new(100, Passage::lost())),
        ..Fight::new([Enemy::new(12, 300)], Passage::won())
    };
    book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
    let game = Book::new(book).unwrap().game(rolled(12, 300, 9)).unwrap();
    let node = oddsmith_mdp::Node::of(&game, &game.start()).unwrap();
    let inside = *node.wide_outcomes(0).next().unwrap().0;
    assert!(inside.is_inside());
    let solver = BookSolver::new(&game);
    assert!(matches!(
        solver.clone().max_regions(1_000).solve(inside),
        Err(Error::BookTooLarge {
            what: "rounds of a fight",
            limit: 1_000,
            ..
        })
    ));
    assert!(solver.solve(inside).unwrap().win() < 1.0);
}

#[test]
fn rounds_of_generated_books() {
    fn same(mut generated: Generated, luck: bool, by_rounds: bool) -> TestResult {
        generated.manuscript.rules.luck_in_battle = luck;
        let mut game = generated.book().game(generated.hero()).unwrap();
        if by_rounds {
            game = game.fights(Fights::Rounds);
        }
        rounds(&game).map_or_else(TestResult::discard, TestResult::from_bool)
    }
    drawn(200).quickcheck(same as fn(Generated, bool, bool) -> TestResult);
}
