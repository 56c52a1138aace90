//! Reduced games, in which places of equal value are merged: their value is that of the book, to
//! the last digit.

use crate::generated::Generated;
use crate::pieces::{after, choice, random, rolled, with_gold};
use crate::properties::drawn;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookSolver, Choice, Condition, Effect, Ending, Enemy, Error, Fight, FightCount, Item,
    Manuscript, Passage, Play, ReducedGame, Section, Toll,
};
use oddsmith_mdp::{Game, Policy, Solver};
use quickcheck::TestResult;

/// The highest number of places solved.
const LIMIT: usize = 30_000;

/// The chance to win and the number of places; `None` beyond the limit, or if some readers can
/// never leave a cycle.
fn value<G: Game>(game: &G, start: G::State) -> Option<(BigRational, usize)> {
    let solver = Solver::exact().max_states(LIMIT).allow_cycles();
    let solution = solver.solve(game, start).ok()?;
    Some((solution.value(), solution.len()))
}

#[test]
fn generated_books_are_worth_the_same_reduced() {
    fn same(generated: Generated) -> TestResult {
        let game = generated.book().game(generated.hero()).unwrap();
        let reduced = game.reduced();
        let start = reduced.place(game.start());
        let Some((plain, all)) = value(&game, game.start()) else {
            return TestResult::discard();
        };
        let (fewer, places) = value(&reduced, start).unwrap();
        // A representative place represents itself.
        let settled = reduced.place(start) == start;
        let solver = BookSolver::new(&game);
        let near = match solver.solve(game.start()) {
            Ok(known) => {
                let off = (known.win() - plain.to_f64().unwrap()).abs();
                off <= known.error().unwrap() + 1e-15
            }
            // A stat without bounds may be gained by buying and selling.
            Err(Error::BookTooLarge { stat: Some(_), .. }) => true,
            Err(_) => false,
        };
        let frugal = reduced.clone().leave_out_waste(true);
        let (frugal, left) = value(&frugal, frugal.place(game.start())).unwrap();
        // Each switch in both positions with each other one in both.
        let rows = [0, 0b11_1111, 0b00_0111, 0b01_1001, 0b10_1010, 0b11_0100_u8];
        let mut switched = rows.into_iter().map(|switches| {
            let on = |switch: u8| switches >> switch & 1 == 1;
            let solver = solver.clone().forget(on(0)).cap_stats(on(1));
            let solver = solver.must_haves(on(2)).contract(on(3));
            let solver = solver.leave_out_waste(on(4)).prune(on(5));
            solver.solve_exact(game.start()).unwrap()
        });
        TestResult::from_bool(
            fewer == plain
                && frugal == plain
                && left <= places
                && places <= all
                && settled
                && near
                && switched.all(|value| value == plain),
        )
    }
    drawn(300).quickcheck(same as fn(Generated) -> TestResult);
}

/// Regression: a hero with the ring was merged with one who might win, and the representative,
/// without the ring, counted as lost.
#[test]
fn what_is_needed_and_taken_away_first() {
    let mut book = Manuscript::new("ring");
    book.sheet.items = vec![Item::new("ring")];
    let open = Choice::new("open", Passage::won()).when(Condition::Has("ring".into()));
    book.sections = vec![
        Section::new(
            1,
            choice(vec![after(vec![Effect::Lose("ring".into())], 2)]).into(),
        ),
        Section::new(2, Play::Choice(vec![open]).into()),
    ];
    let book = Book::new(book).unwrap();
    for hero in [rolled(7, 7, 7), rolled(7, 7, 7).item("ring")] {
        let game = book.game(hero).unwrap();
        let reduced = game.reduced();
        let start = reduced.place(game.start());
        assert_eq!(reduced.place(start), start);
        assert_eq!(value(&reduced, start).unwrap().0.to_string(), "0");
    }
}

/// A reader who always takes the first option takes the same ones.
#[test]
fn a_policy_of_the_reduced_game_is_worth_the_same() {
    fn same(generated: Generated) -> TestResult {
        let game = generated.book().game(generated.hero()).unwrap();
        let reduced = game.reduced();
        let first = |_: &_, _: &[_]| 0;
        let plain = evaluated(&game, game.start(), first);
        let fewer = evaluated(&reduced, reduced.place(game.start()), first);
        let both = plain.zip(fewer);
        both.map_or_else(TestResult::discard, |(plain, fewer)| {
            TestResult::from_bool(plain == fewer)
        })
    }
    drawn(200).quickcheck(same as fn(Generated) -> TestResult);
}

fn evaluated<G: Game>(game: &G, start: G::State, policy: impl Policy<G>) -> Option<BigRational> {
    let solver = Solver::exact().max_states(LIMIT).allow_cycles();
    Some(solver.evaluate(game, policy, start).ok()?.value())
}

/// The last part of a real book, for its weakest hero except for LUCK.
#[test]
#[cfg(feature = "serde")]
fn the_end_of_city_of_thieves_in_fractions() {
    let book = Book::city_of_thieves().unwrap();
    let hero = rolled(6, 2, 9).item("dexterity_potion");
    let game = book.game(hero).unwrap();
    let start = game.start_at(65).unwrap();
    let reduced = game.reduced();
    let (plain, all) = value(&game, start).unwrap();
    let (fewer, places) = value(&reduced, reduced.place(start)).unwrap();
    assert_eq!(plain, fewer);
    assert_eq!((all, places), (11_418, 5_928));
    assert_eq!(BookSolver::new(&game).solve_exact(start).unwrap(), plain);
    let float = BookSolver::new(&game).solve(start).unwrap();
    assert!((float.win() - plain.to_f64().unwrap()).abs() <= float.error().unwrap());
}

/// Turns that lead round forever reach no place and no end. Nobody wins, which is known without
/// going round.
#[test]
fn a_ring_of_turns_comes_to_no_place() {
    let turn = |from, to| (from, Play::Turn(to));
    let sections = vec![turn(1, 2), turn(2, 3), turn(3, 1)];
    let book = Book::new(with_gold("round and round", (0, 9), sections)).unwrap();
    let game = book.game(rolled(7, 14, 7)).unwrap();
    let solver = BookSolver::new(&game);
    let lost = solver.solve_exact(game.start()).unwrap();
    assert_eq!(
        (lost.to_string(), solver.solve(game.start()).unwrap().win()),
        ("0".into(), 0.0)
    );
    let endless = solver.must_haves(false).solve_exact(game.start());
    assert!(matches!(endless, Err(Error::Solve(_))), "{endless:?}");
}

/// Regression: each lap costs a gold piece. The representative of the first place was somewhere in
/// the cycle, and had another representative itself.
#[test]
fn a_road_of_many_laps_has_one_place_for_each() {
    let sections = vec![
        (1, choice(vec![after(vec![Effect::change("gold", -1)], 2)])),
        (
            2,
            Play::First(vec![
                Choice::new("again", after(vec![], 1)).when(Condition::at_least("gold", 1)),
                Choice::otherwise(after(vec![], 3)),
            ]),
        ),
        (3, random(&[(2, Passage::won()), (1, Passage::lost())])),
    ];
    let book = Book::new(with_gold("carousel", (9, 9), sections)).unwrap();
    let game = book.game(rolled(7, 14, 7)).unwrap();
    let reduced = game.reduced();
    let start = reduced.place(game.start());
    assert_eq!(reduced.place(start), start);
    // 9 laps, the last throw, and two ends; or each section by itself.
    let places = |game: &ReducedGame| value(game, game.place(game.game().start()));
    let (chance, few) = places(&reduced).unwrap();
    let (same, all) = places(&reduced.contract(false)).unwrap();
    assert_eq!((chance.to_string(), few), ("2/3".into(), 12));
    assert_eq!((same.to_string(), all), ("2/3".into(), 21));
}

/// One gold piece is found per lap, and three are required: higher amounts count as three, unless
/// all amounts are distinguished.
#[test]
fn gold_that_may_grow_for_ever_is_capped() {
    let round = after(vec![Effect::change("gold", 1)], 1);
    let pay = Choice::new("pay", Passage::to(2)).when(Condition::at_least("gold", 3));
    let again = Choice::new("again", Passage::to(3));
    let sections = vec![
        (1, Play::Choice(vec![pay, again])),
        (2, random(&[(2, Passage::won()), (1, Passage::lost())])),
        (3, random(&[(1, round), (1, Passage::lost())])),
    ];
    let book = Book::new(with_gold("round and round", (0, 9_000), sections)).unwrap();
    let game = book.game(rolled(7, 14, 7)).unwrap();
    let solver = BookSolver::new(&game);
    assert_eq!(
        solver.solve_exact(game.start()).unwrap().to_string(),
        "1/12"
    );
    let off = solver.solve(game.start()).unwrap().win() - 1.0 / 12.0;
    assert!(off.abs() < 1e-15);
    let all = solver.cap_stats(false).solve(game.start());
    let Err(Error::BookTooLarge { what, stat, .. }) = all else {
        panic!("{all:?}");
    };
    assert_eq!((what, stat.unwrap()), ("values of a stat", "gold".into()));
}

/// Gold that nothing asks for any more: without it, the path is a cycle.
#[test]
fn a_road_that_becomes_a_circle_has_an_end() {
    let pay = |to| after(vec![Effect::change("gold", -1)], to);
    let sections = vec![
        (1, choice(vec![pay(2), after(vec![], 3)])),
        (2, choice(vec![pay(1), after(vec![], 3)])),
        (3, random(&[(1, after(vec![], 4)), (2, after(vec![], 5))])),
        (4, Play::Ending(Ending::Won)),
        (5, Play::Ending(Ending::Lost)),
    ];
    let book = Book::new(with_gold("to and fro", (9, 9), sections)).unwrap();
    let game = book.game(rolled(7, 14, 7)).unwrap();
    let third = BookSolver::new(&game).solve_exact(game.start()).unwrap();
    assert_eq!(third.to_string(), "1/3");
    let reduced = game.reduced();
    let (value, places) = value(&reduced, reduced.place(game.start())).unwrap();
    assert_eq!((value, places), (third, 5));
    // A hero without gold stays in the cycle.
    assert_eq!(self::value(&game, game.start()).unwrap().1, 41);
}

/// Regression: gold above its cap is cut by the first item after a fight, which matters to the
/// effect of the second one. With the effects in the wrong order, 15 seemed to be enough, and 16
/// was cut to it.
#[test]
fn what_items_do_after_fights_is_asked_for_backwards() {
    for (initial, now) in [(16, 16), (5, 16), (5, 5)] {
        let mut book = with_gold("after fights", (0, 10), Vec::new());
        let mut stats = book.sheet.stats.iter_mut();
        stats.find(|stat| stat.id == "gold").unwrap().floor = None;
        for (id, by) in [("a", -10), ("b", -1)] {
            let after_fight = [("gold".to_owned(), by)].into();
            book.sheet.items.push(Item {
                after_fight,
                ..Item::new(id)
            });
            book.sheet.initial_items.push(id.to_owned());
        }
        let harmless = Enemy {
            damage: 0,
            ..Enemy::new(1, 2)
        };
        let fight = Fight::new([harmless], Passage::to(2));
        let rich = Choice::new("rich", Passage::won()).when(Condition::at_least("gold", 5));
        book.sections = vec![
            Section::new(1, Play::Fight(Box::new(fight)).into()),
            Section::new(
                2,
                Play::First(vec![rich, Choice::new("poor", Passage::lost())]).into(),
            ),
        ];
        let hero = rolled(9, 9, 9).stat("gold", initial).now("gold", now);
        let game = Book::new(book).unwrap().game(hero).unwrap();
        let worth = if now == 16 { 1.0 } else { 0.0 };
        let solver = BookSolver::new(&game);
        assert_eq!(
            solver.solve_exact(game.start()).unwrap().to_f64(),
            Some(worth)
        );
        let solved = solver.solve(game.start()).unwrap();
        assert!(
            (solved.win() - worth).abs() < 1e-12,
            "{initial} {now}: {solved}"
        );
        let (all, _) = value(&game, game.start()).unwrap();
        let reduced = game.reduced();
        let (reduced, _) = value(&reduced, reduced.place(game.start())).unwrap();
        assert_eq!(all.to_f64(), Some(worth));
        assert_eq!(reduced, all);
    }
}

/// Regression: a foe who is never hit wounds a hero, who recovers after every wound and gains
/// something that nothing reads, once. Without it the fight never ended, and had no value.
#[test]
fn a_fight_for_ever_is_lost() {
    let mut book = Manuscript::new("for ever");
    book.sheet.items = vec![Item::new("sword")];
    let recovers = vec![
        Effect::change("stamina", 2),
        Effect::Gain("sword".to_owned()),
    ];
    let fight = Fight {
        toll: Some(Toll {
            count: FightCount::Wounds,
            effects: recovers,
        }),
        ..Fight::new([Enemy::new(19, 3)], Passage::won())
    };
    book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
    let game = Book::new(book).unwrap().game(rolled(6, 3, 5)).unwrap();
    let reduced = game.reduced();
    let lost = |solved: Option<(BigRational, usize)>| solved.unwrap().0.to_string();
    assert_eq!(lost(value(&game, game.start())), "0");
    assert_eq!(lost(value(&reduced, reduced.place(game.start()))), "0");
    for prune in [true, false] {
        let solver = BookSolver::new(&game).prune(prune);
        let exact = solver.solve_exact(game.start()).unwrap();
        assert_eq!(exact.to_string(), "0");
    }
}
