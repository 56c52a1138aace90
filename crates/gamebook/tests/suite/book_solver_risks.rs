//! Risks that may be worth taking but usually are not, evaluated by the solver by diagrams and by
//! the state-by-state solver.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use num_traits::ToPrimitive;
use oddsmith_gamebook::{Book, BookGame, BookSolver, Error, Fights, Valuation};
use oddsmith_mdp::Solver;
use quickcheck::{Arbitrary, Gen, TestResult};

use crate::properties::drawn;
use crate::risky::Risky;

/// The highest number of states solved.
const LIMIT: usize = 20_000;

/// The chance to win by the state-by-state solver, with its error bound.
fn direct(game: &BookGame, rings: bool) -> Option<(f64, f64)> {
    match rings {
        true => {
            let solver = Solver::float().max_states(LIMIT).allow_cycles();
            let plan = solver.solve(game, game.start()).ok()?;
            // Where a ring is left rarely, bounds in floats are wide.
            Some((plan.value(), plan.error(&game.start()).ok()? + 1e-9))
        }
        false => {
            let solver = Solver::exact().max_states(LIMIT);
            let plan = solver.solve(game, game.start()).ok()?;
            Some((plan.value().to_f64()?, 0.0))
        }
    }
}

/// `None` if the solver need not answer, and does not.
fn solve(solver: &BookSolver<'_>, game: &BookGame) -> Option<Valuation> {
    match solver.solve(game.start()) {
        Ok(valuation) => Some(valuation),
        Err(Error::NotFollowed { .. } | Error::BookTooLarge { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The error allowed for a value.
fn error(valuation: &Valuation) -> f64 {
    // Converting the exact value to a float also rounds once.
    valuation.error().unwrap_or(1e-9) + f64::EPSILON
}

#[test]
fn risks_are_worth_what_single_states_say() {
    fn same(book: Risky) -> TestResult {
        let game = book.game();
        let folded = game.clone().fights(Fights::Folded);
        let solved = solve(&BookSolver::new(&game), &game);
        let direct = direct(&folded, book.rings());
        let Some((solved, (direct, off))) = solved.zip(direct) else {
            return TestResult::discard();
        };
        TestResult::from_bool((solved.win() - direct).abs() <= error(&solved) + off)
    }
    drawn(300).quickcheck(same as fn(Risky) -> TestResult);
}

/// The same for books with too many states for the state-by-state solver.
#[test]
fn nothing_changes_if_nothing_is_put_off() {
    fn same(book: Risky) -> TestResult {
        let game = book.game();
        let solver = BookSolver::new(&game);
        let put_off = solve(&solver, &game);
        let all = solve(&solver.put_off(false), &game);
        let Some((put_off, all)) = put_off.zip(all) else {
            return TestResult::discard();
        };
        let error = error(&put_off) + error(&all);
        TestResult::from_bool((put_off.win() - all.win()).abs() <= error)
    }
    drawn(300).quickcheck(same as fn(Risky) -> TestResult);
}

/// The same for several starts at once, each in its own section.
#[test]
fn nothing_changes_if_ways_are_told_apart() {
    fn same(book: Risky) -> TestResult {
        let game = book.game();
        let starts = (1..100).filter_map(|section| game.start_at(section).ok());
        let starts: Vec<_> = starts.take(6).collect();
        let solver = BookSolver::new(&game);
        let by = |tolerance| solver.clone().tell_apart(tolerance);
        let solved = by(0.0).solve_all(&starts).ok();
        let Some((apart, blurred)) = solved.zip(by(f64::INFINITY).solve_all(&starts).ok()) else {
            return TestResult::discard();
        };
        let alone = solve(&by(0.0), &game).zip(solve(&by(f64::INFINITY), &game));
        let pairs = starts.into_iter().zip(apart.into_iter().zip(blurred));
        let all = pairs.chain(alone.map(|both| (game.start(), both)));
        for (start, (apart, blurred)) in all {
            // The error bound is no larger either, but for the roundings of some more regions. Where
            // several starts share a ring, each has the roundings of all, so it is not compared with
            // that of one start.
            let mut same = error(&apart) <= 1.001 * error(&blurred).max(1e-9);
            if let Ok(one) = by(f64::INFINITY).solve(start) {
                same &= (apart.win() - one.win()).abs() <= error(&apart) + error(&one);
            }
            if !same {
                return TestResult::failed();
            }
        }
        TestResult::passed()
    }
    drawn(200).quickcheck(same as fn(Risky) -> TestResult);
}

/// The same for several heroes in one section, with different items, life, LUCK and gold: a route
/// is solved for some of them.
#[test]
fn nothing_changes_if_heroes_are_solved_together() {
    fn same(book: Risky, heroes: Vec<(u8, u8, u8, u8)>) -> TestResult {
        let game = book.game();
        let manuscript = book.manuscript();
        let items = &manuscript.sheet.items;
        let now = |stat: &str, less: u8| {
            let most = game.stat(&game.start(), stat).unwrap_or(1).max(1);
            1 + i16::from(less) % most
        };
        let hero = |&(held, gold, stamina, luck): &(u8, u8, u8, u8)| {
            let hero = book.hero().now("gold", i16::from(gold % 4));
            let hero = hero
                .now("stamina", now("stamina", stamina))
                .now("luck", now("luck", luck));
            let held = (0..8)
                .filter(|bit| held >> bit & 1 == 1)
                .filter_map(|bit| items.get(bit));
            held.fold(hero, |hero, item| hero.item(&item.id))
        };
        let book = Book::new(manuscript.clone()).unwrap();
        let games = heroes
            .iter()
            .take(5)
            .map(|one| book.game(hero(one)).unwrap());
        let games: Vec<BookGame> = games.collect();
        let starts: Vec<_> = games.iter().map(BookGame::start).collect();
        // Rings that are almost never left are iterated before every street, again and again.
        let solver = BookSolver::new(&game).tell_apart(0.0).max_sweeps(100);
        // Five heroes who differ in everything take up to fifty times as long as one.
        let large = |one: Valuation| one.nodes() > 20_000;
        if solver.solve(game.start()).map_or(true, large) {
            return TestResult::discard();
        }
        let Ok(together) = solver.solve_all(&starts) else {
            return TestResult::discard();
        };
        TestResult::from_bool(games.iter().zip(together).all(|(game, together)| {
            solve(&BookSolver::new(game), game).is_none_or(|alone| {
                let error = error(&together) + error(&alone);
                (together.win() - alone.win()).abs() <= error && error < 1e-3
            })
        }))
    }
    drawn(200).quickcheck(same as fn(Risky, Vec<(u8, u8, u8, u8)>) -> TestResult);
}

/// With less memory, values that are not needed any more are discarded all the time.
#[test]
fn little_memory_is_enough_or_not() {
    drawn(300).quickcheck(same_in_little_memory as fn(Risky) -> TestResult);
}

/// Regression: the values after losses were summed in the order of diagram numbers, which depend on
/// what was discarded, so the last bits of the value depended on it too.
#[test]
fn losses_are_summed_in_one_order() {
    let book = Risky::arbitrary(&mut Gen::from_size_and_seed(100, 16_922));
    assert!(!same_in_little_memory(book).is_failure());
}

/// Regression: once conditions had no room left, a walk took so many steps that the book was said
/// to branch too widely, when it was memory that was short.
#[test]
fn short_memory_is_told_as_such() {
    for seed in [577, 1_277, 2_074] {
        let book = Risky::arbitrary(&mut Gen::from_size_and_seed(100, seed));
        let game = book.game();
        let plenty = BookSolver::new(&game).solve(game.start()).unwrap();
        let bytes = little(&book, &plenty);
        let short = BookSolver::new(&game).max_bytes(bytes).solve(game.start());
        let Err(Error::BookTooLarge { what, limit, .. }) = short else {
            panic!("{seed}: {short:?}")
        };
        assert_eq!((what, limit), ("bytes", bytes));
    }
}

/// From a quarter to twice the memory that was used.
fn little(book: &Risky, plenty: &Valuation) -> usize {
    plenty.bytes() / 128 * (32 + usize::from(book.bytes) * 7 / 8)
}

/// The last digits of a ring of this book cycle and never converge.
#[test]
fn what_comes_again_is_enclosed() {
    let book = Risky::arbitrary(&mut Gen::from_size_and_seed(100, 109_432));
    let game = book.game();
    let valuation = BookSolver::new(&game).solve(game.start()).unwrap();
    assert!(valuation.error().is_some_and(|error| error < 1e-9));
    assert!(!same_in_little_memory(book).is_failure());
}

fn same_in_little_memory(book: Risky) -> TestResult {
    let game = book.game();
    let solver = BookSolver::new(&game);
    let Some(plenty) = solve(&solver, &game) else {
        return TestResult::discard();
    };
    let bytes = little(&book, &plenty);
    let little = match solver.max_bytes(bytes).solve(game.start()) {
        Ok(little) => little,
        Err(Error::BookTooLarge { limit, .. }) => {
            return TestResult::from_bool(limit == bytes);
        }
        Err(error) => panic!("{error}"),
    };
    TestResult::from_bool(plenty.win().to_bits() == little.win().to_bits())
}

/// The books above have the intended properties.
#[test]
fn some_risks_are_worth_it_and_some_are_not() {
    let mut g = Gen::from_size_and_seed(30, 7);
    let (mut solved, mut doubtful, mut worth_it, mut rings) = (0, 0, 0, 0);
    let (mut closed, mut collected) = (0, 0);
    for _ in 0..400 {
        let book = Risky::arbitrary(&mut g);
        let game = book.game();
        let solver = BookSolver::new(&game);
        let Some(valuation) = solve(&solver, &game) else {
            continue;
        };
        let cautious = book.cautious().game();
        let Some(without) = solve(&BookSolver::new(&cautious), &cautious) else {
            continue;
        };
        let (win, safe) = (valuation.win(), without.win());
        solved += 1;
        rings += usize::from(book.rings());
        doubtful += usize::from(win > 0.0 && win < 1.0);
        worth_it += usize::from(win > safe + 1e-9);
        // Values that are not computed need no nodes and tables.
        let all = solver.clone().put_off(false).solve(game.start()).unwrap();
        let size = |valuation: &Valuation| valuation.nodes() + valuation.tables();
        closed += usize::from(size(&valuation) != size(&all));
        let little = solver.max_bytes(valuation.bytes() * 3 / 2);
        let little = solve(&little, &game);
        collected += usize::from(little.is_some_and(|little| size(&little) > size(&valuation)));
    }
    let counts = (solved, doubtful, worth_it, rings, closed, collected);
    assert!(solved > 350, "{counts:?}");
    assert!(doubtful > 100 && rings > 40, "{counts:?}");
    assert!(worth_it > 40 && worth_it < doubtful, "{counts:?}");
    assert!(closed > 100 && collected > 20, "{counts:?}");
}
