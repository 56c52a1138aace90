//! Tests that lead back to themselves: for some values they always fail, or always pass, and nobody
//! goes to the other outcome.

use crate::pieces::{after, choice, random};
use num_rational::BigRational;
use num_traits::Signed;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Character, Effect, Manuscript, Passage, Play, Section, Trial,
};
use oddsmith_mdp::Solver;

fn test(stat: &str, success: Passage, failure: Passage) -> Play {
    Play::Test(Box::new(Trial::new(stat, success, failure)))
}

fn game(change: impl FnOnce(&mut Manuscript), stamina: i16, plays: Vec<Play>) -> BookGame {
    let mut book = Manuscript::new("ring");
    let sections = (1..).zip(plays);
    book.sections = sections
        .map(|(number, play)| Section::new(number, play.into()))
        .collect();
    change(&mut book);
    let hero = Character::new().stat("skill", 7).stat("stamina", stamina);
    Book::new(book).unwrap().game(hero.stat("luck", 7)).unwrap()
}

fn exact(float: f64) -> BigRational {
    BigRational::from_float(float).unwrap()
}

fn by_states(game: &BookGame) -> BigRational {
    let solved = Solver::exact().allow_cycles().solve(game, game.start());
    solved.unwrap().value().clone()
}

/// By iteration or sheet by sheet, with LUCK values merged or not: the true value is known within a
/// proven error.
#[track_caller]
fn enclosed(game: &BookGame, truth: &BigRational) {
    for (sheets, together) in [(50_000, true), (0, true), (50_000, false), (0, false)] {
        let solver = BookSolver::new(game).sheet_by_sheet(sheets);
        let solver = solver.luck_together(together);
        let valuation = solver.solve(game.start()).unwrap();
        let error = valuation.error().unwrap();
        let off = (exact(valuation.win()) - truth).abs();
        assert!(off <= exact(error), "{sheets} {together}: {valuation}");
        assert!(error < 1e-11, "{sheets} {together}: {valuation}");
        let bounds = solver.approximate(game.start(), 1e-6).unwrap();
        assert!(bounds.error().unwrap() <= 1e-6, "{bounds}");
        let off = (exact(bounds.win()) - truth).abs();
        assert!(off <= exact(bounds.error().unwrap()), "{bounds}");
    }
}

#[test]
fn nobody_is_lucky_for_ever() {
    let try_again = || test("luck", Passage::won(), Passage::to(1));
    // The number of rolls that fail, of 36, from LUCK 7 on; with less than 2 all do.
    let failures =
        [15, 21, 26, 30, 33, 35].map(|of_36: i32| BigRational::new(of_36.into(), 36.into()));
    let all_fail: BigRational = failures.into_iter().product();
    let truth = BigRational::from_integer(1.into()) - all_fail;
    enclosed(&game(|_| (), 6, vec![try_again()]), &truth);
    // Or leaving is better.
    let or_leave = vec![
        choice(vec![Passage::to(2), Passage::to(3)]),
        test("luck", Passage::won(), Passage::to(1)),
        random(&[(1, Passage::won()), (9, Passage::lost())]),
    ];
    let leave = game(|_| (), 6, or_leave);
    enclosed(&leave, &by_states(&leave));
    let in_battle = |book: &mut Manuscript| book.rules.luck_in_battle = true;
    enclosed(&game(in_battle, 6, vec![try_again()]), &truth);
}

#[test]
fn who_cannot_fail_goes_round_for_ever() {
    let weaker = |by: i16| after(vec![Effect::change("stamina", -by)], 2);
    let plays = vec![
        random(&[(1, weaker(0)), (1, weaker(5)), (1, weaker(7))]),
        test("stamina", Passage::to(2), Passage::won()),
    ];
    // All others fail in the end.
    let truth = BigRational::new(2.into(), 3.into());
    enclosed(&game(|_| (), 12, plays), &truth);
}

/// A hero with LUCK 12 does not fail, and gains nothing by it, so no stat rises forever.
#[test]
fn what_only_those_gain_who_fail_has_an_end() {
    for stat in ["luck", "stamina"] {
        let gain = vec![Effect::change(stat, 2)];
        let mut plays = vec![
            test(stat, Passage::to(2), after(gain, 1)),
            random(&[(1, Passage::won()), (1, Passage::to(1))]),
        ];
        if stat == "stamina" {
            // LUCK is reduced by its test alone.
            let tired = after(vec![Effect::change(stat, -1)], 1);
            plays[1] = random(&[(1, Passage::won()), (1, tired)]);
        }
        let uncapped = |book: &mut Manuscript| {
            for known in &mut book.sheet.stats {
                if known.id == stat {
                    known.cap = None;
                }
            }
        };
        let game = game(uncapped, 6, plays);
        enclosed(&game, &by_states(&game));
    }
}
