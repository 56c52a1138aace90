//! The values of all reachable places, solved once: compared with the state-by-state solver, and
//! with a solver that is asked for one place after another.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{BookGame, BookOdds, BookSolver, Error, Journey, Move, Place};
use oddsmith_mdp::{Policy, Solver};
use quickcheck::{Arbitrary, Gen, TestResult};

use crate::generated::Generated;
use crate::properties::drawn;
use crate::risky::Risky;

/// The highest number of states solved.
const LIMIT: usize = 2_000;
/// A difference below the errors counts as a tie, and some of them may add up.
const TIES: f64 = 1e-9;

/// A policy that asks at each place, and takes the marked option.
struct Asking<'o>(&'o BookOdds);

impl Policy<BookGame> for Asking<'_> {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        let mut taken = 0;
        if moves.len() > 1 {
            let advice = self.0.advice(place).unwrap().unwrap();
            assert_eq!(advice.options().len(), moves.len());
            let decided = advice.options().iter().position(|option| option.decided);
            taken = decided.unwrap();
        }
        if let Some(weight) = weights.get_mut(taken) {
            *weight = 1;
        }
    }
}

/// `None` if the solver need not answer, and does not.
fn odds(game: &BookGame, apart: f64) -> Option<BookOdds> {
    match BookSolver::new(game).tell_apart(apart).odds(game.start()) {
        Ok(odds) => Some(odds),
        Err(
            Error::NotFollowed { .. } | Error::BookTooLarge { .. } | Error::StatOverflows { .. },
        ) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Places of a book.
#[derive(Clone, Copy, Default)]
struct Places {
    all: usize,
    known: usize,
    /// The other options, which are immediately known to be worse than the best.
    bounded: usize,
}

/// The places of a book, if all values are right and following the advice has the value of the
/// first place; `None` for books that are not solved.
fn asked(game: &BookGame, apart: f64) -> Option<Places> {
    let solver = Solver::exact().max_states(LIMIT).allow_cycles();
    let solution = solver.solve(game, game.start()).ok()?;
    let odds = odds(game, apart)?;
    let mut places = Places::default();
    for (place, value) in solution.states() {
        places.all += 1;
        match odds.bounds(&place) {
            Ok((least, most)) => {
                let [from, to] = [least, most].map(|end| BigRational::from_float(end).unwrap());
                assert!(
                    from <= value && value <= to,
                    "{}: {least} to {most} for {value}",
                    game.describe(&place)
                );
                let open = !odds.knows(&place).unwrap();
                places.bounded += usize::from(open && most < 1.0);
            }
            Err(Error::NotFollowed { .. } | Error::Solve(_)) => {}
            Err(error) => panic!("{error}"),
        }
        let found = match odds.knows(&place) {
            Ok(true) => odds.value_of(&place).unwrap(),
            Ok(false) => continue,
            // Rounds that change too much at once.
            Err(Error::NotFollowed { .. } | Error::Solve(_)) => continue,
            Err(error) => panic!("{error}"),
        };
        places.known += 1;
        let value = value.to_f64().unwrap();
        let off = (found.win() - value).abs();
        let error = found.error().unwrap_or(1e-9) + f64::EPSILON;
        assert!(
            off <= error,
            "{}: {found} for {value}",
            game.describe(&place)
        );
    }
    let asking: Journey<f64> = game.follow(Asking(&odds), game.start(), LIMIT).ok()?;
    let taking: Journey<f64> = game.follow(&odds, game.start(), LIMIT).ok()?;
    for journey in [asking, taking] {
        let off = (journey.value() - odds.valuation().win()).abs();
        assert!(off <= TIES, "{} for {}", journey.value(), odds.valuation());
    }
    Some(places)
}

#[test]
fn books_of_all_kinds_are_worth_what_all_states_say() {
    fn same(generated: Generated) -> TestResult {
        let game = generated.book().game(generated.hero()).unwrap();
        match asked(&game, 1.0) {
            Some(places) => TestResult::from_bool(places.known > 0),
            None => TestResult::discard(),
        }
    }
    drawn(200).quickcheck(same as fn(Generated) -> TestResult);
}

/// Few places are left to be solved: those behind risks that nobody takes.
#[test]
fn most_places_are_known() {
    let books = (0..300).map(|seed| Generated::arbitrary(&mut Gen::from_size_and_seed(30, seed)));
    let (mut known, mut all) = (0, 0);
    for generated in books {
        let game = generated.book().game(generated.hero()).unwrap();
        let places = asked(&game, 1.0).unwrap_or_default();
        (known, all) = (known + places.known, all + places.all);
    }
    assert!(all > 10_000 && 50 * known > 49 * all, "{known} of {all}");
}

#[test]
fn risky_books_are_worth_what_all_states_say() {
    fn same(book: Risky) -> TestResult {
        let game = book.game();
        let both = [1.0, 0.0].map(|apart| asked(&game, apart));
        TestResult::from_bool(match both {
            [Some(whole), Some(apart)] => whole.known > 0 && apart.known > 0,
            _ => return TestResult::discard(),
        })
    }
    drawn(100).quickcheck(same as fn(Risky) -> TestResult);
}

/// For streets that were left out, an upper bound is known immediately.
#[test]
fn streets_that_were_left_out_are_bounded() {
    let books = (0..300).map(|seed| Risky::arbitrary(&mut Gen::from_size_and_seed(30, seed)));
    let places = books.filter_map(|book| asked(&book.game(), 0.0));
    let bounded: usize = places.map(|places| places.bounded).sum();
    assert!(bounded > 100, "{bounded}");
}

fn book(text: &str) -> BookGame {
    let book = oddsmith_gamebook::Book::from_json(text, "book.json").unwrap();
    book.game(oddsmith_gamebook::Character::new()).unwrap()
}

/// Regression: a prayer, which can be repeated forever, is as good as a tonic, so a hero who took
/// the best option prayed forever.
#[test]
fn refreshments_that_lead_back_are_not_taken_for_ever() {
    let game = book(
        r#"{"format": "oddsmith-gamebook", "version": 1, "id": "pray", "start": 1,
        "sheet": {
            "stats": [{"id": "stamina", "initial": 4, "cap": 9, "floor": 0},
                {"id": "skill", "initial": 7}, {"id": "luck", "initial": 8, "floor": 0}],
            "items": [{"id": "tonic"}], "initial_items": ["tonic"], "flags": ["prayed"],
            "refreshments": [{"label": "pray", "effects": [{"set_flag": "prayed"}]},
                {"label": "drink", "if": {"has": "tonic"},
                    "effects": [{"lose": "tonic"}, {"change": {"stamina": 4}}]}]},
        "sections": [
            {"number": 1, "choice": [
                {"label": "jump", "effects": [{"change": {"stamina": -4}}], "to": 2},
                {"label": "go home", "ending": "lost"}]},
            {"number": 2, "test": {"stat": "luck",
                "success": {"ending": "won"}, "failure": {"ending": "lost"}}}]}"#,
    );
    let odds = BookSolver::new(&game).odds(game.start()).unwrap();
    let solver = BookSolver::new(&game);
    let (mut place, mut advised) = (game.start(), Vec::new());
    for _ in 0..3 {
        let decided = odds.decision(&place).unwrap().unwrap();
        let advice = solver.advice(place).unwrap().unwrap();
        let asked = advice.options().iter().find(|option| option.decided);
        assert_eq!(asked.map(|option| &option.action), Some(&decided));
        advised.push(decided.label().to_owned());
        let node = oddsmith_mdp::Node::of(&game, &place).unwrap();
        let taken = (0..node.len()).find(|choice| node.action(*choice) == Some(&decided));
        place = node.outcomes(taken.unwrap())[0].0;
    }
    assert_eq!(advised, ["pray", "drink", "jump"]);
    let followed: Journey<f64> = game.follow(&odds, game.start(), LIMIT).unwrap();
    assert!((followed.value() - 13.0 / 18.0).abs() < 1e-12);
}

/// Regression: if more than a thousand places lead to each other, the first option was taken, and
/// nobody got out.
#[test]
fn long_circles_are_left_or_nothing_is_decided() {
    let mut builder = oddsmith_gamebook::Book::builder();
    for section in 1..=1_100 {
        builder = builder.choice(section, [("back", 1), ("on", section + 1)]);
    }
    let book = builder.luck(1_101, 1_102, 1_103).won(1_102).lost(1_103);
    let game = book
        .build()
        .unwrap()
        .game(crate::pieces::rolled(7, 14, 8))
        .unwrap();
    let odds = BookSolver::new(&game).odds(game.start()).unwrap();
    let followed: Result<Journey<f64>, Error> = game.follow(&odds, game.start(), 10_000);
    assert!(matches!(followed, Err(Error::Solve(_))));
    let decided = odds.decision(&game.start()).unwrap().unwrap();
    assert_eq!(decided.to_string(), "on: turn to 2");
}
