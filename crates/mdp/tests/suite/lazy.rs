//! The lazy solver compared with simple recursion, for all bounds and search settings, and its
//! savings.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use crate::plain;
use std::cell::Cell;
use std::ops::ControlFlow;

use crate::family::{Book, Tree, Waived};
use crate::plain::{Plain, Row, below};
use crate::rules::{Rules, STAIR};
use crate::ties::check_ties;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use oddsmith_mdp::{
    Bounds, Effort, Error, Exact, Game, Lazy, Node, Number, Phase, Player, Relaxed, Score,
    Solution, Solver, Sought,
};
use quickcheck::{Arbitrary, Gen, QuickCheck, quickcheck};

fn ratio(n: i64, d: i64) -> BigRational {
    BigRational::new(BigInt::from(n), BigInt::from(d))
}

/// A model, the bounds on its values, and the search settings.
#[derive(Clone, Debug)]
struct Case {
    plain: Plain,
    values: Vec<BigRational>,
    lower: Vec<Option<BigRational>>,
    upper: Vec<Option<BigRational>>,
    range: bool,
    windows: bool,
    eager_below: f64,
}

impl Case {
    fn lazy<N: Number>(&self, new: Lazy<'static, N>) -> Lazy<'static, N, &Self> {
        let lazy = new.windows(self.windows).eager_below(self.eager_below);
        let scores = self.plain.rows.iter().filter_map(|row| match row {
            Row::End(score) => Some(score),
            Row::Choices(..) => None,
        });
        let lazy = if self.range {
            lazy.range(scores.clone().min().unwrap(), scores.max().unwrap())
        } else {
            lazy
        };
        lazy.bounds(self)
    }
}

impl Bounds<usize> for &Case {
    fn lower(&self, &state: &usize) -> Option<Score> {
        self.lower[state].as_ref().map(Score::from)
    }

    fn upper(&self, &state: &usize) -> Option<Score> {
        self.upper[state].as_ref().map(Score::from)
    }
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let most = [6, 12, 20, 30][below(g, 4)];
        let size = 2 + below(g, most);
        let scores = plain::scores(g);
        let plain = Plain::random(g, size, &scores);
        let values = plain.values();
        // No bound, the exact value, or a value near it.
        let kind = below(g, 4);
        let slack = BigRational::new(BigInt::from(below(g, 1000)), BigInt::from(1000));
        let bound = |g: &mut Gen, value: &BigRational, sign: i64| {
            let wide = &slack * BigInt::from(sign * below(g, 3) as i64);
            match (kind, below(g, 3)) {
                (0, _) | (1, 0) => None,
                (1 | 2, 1) => Some(value.clone()),
                _ => Some(value + wide),
            }
        };
        Case {
            lower: values.iter().map(|value| bound(g, value, -1)).collect(),
            upper: values.iter().map(|value| bound(g, value, 1)).collect(),
            plain,
            values,
            range: bool::arbitrary(g),
            windows: bool::arbitrary(g),
            eager_below: [0.0, 0.0, 0.3, 1.0][below(g, 4)],
        }
    }
}

/// Every value of the solution is correct, and every decision optimal.
fn check_optimal(case: &Case, solution: &Solution<'_, Plain, Exact, Sought<Plain>>) {
    for (state, value) in solution.states() {
        assert_eq!(value, case.values[state], "value of {state}");
        let Some(decision) = solution.decision(&state).unwrap() else {
            continue;
        };
        let worth = case.plain.choices(state, &case.values)[decision].clone();
        assert_eq!(
            worth.as_ref(),
            Some(&case.values[state]),
            "decision in {state}"
        );
        // Every state that it leads to is known, too.
        let Row::Choices(_, choices) = &case.plain.rows[state] else {
            panic!("a decision at an end");
        };
        for (to, weight) in &choices[decision] {
            assert!(*weight == BigUint::ZERO || solution.value_of(to).is_ok());
        }
    }
}

#[test]
fn the_answer_is_that_of_plain_recursion() {
    fn property(case: Case) -> bool {
        let start = case.plain.start();
        let solution = case.lazy(Lazy::exact()).solve(&case.plain, start).unwrap();
        assert_eq!(solution.value(), case.values[start]);
        check_optimal(&case, &solution);
        let all = case.lazy(Lazy::exact().all_ties(true));
        let all = all.solve(&case.plain, start).unwrap();
        check_ties(&case.plain, &case.values, &all);
        let effort = solution.effort();
        let eager = solution.eager_states(usize::MAX).unwrap();
        assert!(effort.expanded <= effort.met && effort.met <= eager);
        assert!(solution.len() <= effort.expanded);
        true
    }
    QuickCheck::new()
        .tests(if cfg!(debug_assertions) {
            1_000
        } else {
            20_000
        })
        .quickcheck(property as fn(Case) -> bool);
}

quickcheck! {
    fn floats_are_within_their_bounds(case: Case) -> bool {
        let start = case.plain.start();
        let exact = &case.values[start];
        let float = match case.lazy(Lazy::float()).solve(&case.plain, start) {
            Err(Error::WeightsBeyondFloat { .. }) => return true,
            solution => solution.unwrap(),
        };
        let error = float.error(&start).unwrap();
        let certified = case.lazy(Lazy::certified()).solve(&case.plain, start).unwrap();
        let (lower, upper) = certified.enclosure(&start).unwrap();
        let value = BigRational::from_float(float.value()).unwrap();
        let close = match BigRational::from_float(error) {
            Some(error) => &value - &error <= *exact && *exact <= value + error,
            None => true,
        };
        let ratio = |float| BigRational::from_float(float).unwrap();
        close && ratio(lower) <= *exact && *exact <= ratio(upper)
    }

    fn a_wrong_bound_is_found_or_does_no_harm(case: Case, at: usize, by: u8) -> bool {
        let mut case = Case { eager_below: 0.0, ..case };
        let (state, start) = (at % case.values.len(), case.plain.start());
        let wrong = &case.values[state] - ratio(i64::from(by) + 1, 1 << 40);
        case.lower[state] = None;
        case.upper[state] = Some(wrong.clone());
        match case.lazy(Lazy::exact()).solve(&case.plain, start) {
            Err(Error::BadBound { .. }) => true,
            Err(error) => panic!("{error}"),
            // Trusted, that is, never contradicted by computed values. The bound is widened to the
            // next float.
            Ok(solution) => match solution.value_of(&state) {
                Err(_) => true,
                Ok(value) => Score::from(value).to_f64() <= Score::from(wrong).to_f64().next_up(),
            },
        }
    }

    fn books_are_solved_by_any_relaxation(seed: u64, chapters: u8, toll: u8, windows: bool) -> bool {
        let book = Book::new(seed, 1 + chapters % 6, 1 + chapters / 6 % 5, 1 + u64::from(toll % 4));
        let (meals, gold) = (Waived::meals(book), Waived::gold(book));
        let start = book.start();
        let exact = Solver::exact().solve(&book, start).unwrap().value();
        let lazy = || Lazy::exact().windows(windows).eager_below(0.0);
        let both = (Relaxed::above(&meals, &start).unwrap(), Relaxed::above(&gold, &start).unwrap());
        lazy().solve(&book, start).unwrap().value() == exact
            && lazy().range(0, 1).solve(&book, start).unwrap().value() == exact
            && lazy().range(0, 1).solve_relaxed(&book, &meals, start).unwrap().value() == exact
            && lazy().solve_relaxed(&book, &gold, start).unwrap().value() == exact
            && lazy().range(0, 1).bounds(both).solve(&book, start).unwrap().value() == exact
    }
}

/// The generated cases cover what they are meant to.
#[test]
fn the_cases_are_hard_enough() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    let (mut cut, mut skipped, mut opponents) = (0, 0, 0);
    for _ in 0..600 {
        let case = Case::arbitrary(&mut g);
        let start = case.plain.start();
        let solution = case.lazy(Lazy::exact()).solve(&case.plain, start).unwrap();
        let effort = solution.effort();
        cut += u64::from(effort.cut > 0);
        skipped += u64::from(effort.expanded < effort.met);
        let states = solution.states().map(|(state, _)| state);
        let mut players = states.map(|state| solution.player(&state).unwrap());
        opponents += u64::from(players.any(|player| player == Player::Min));
    }
    assert!(cut > 5, "{cut} cut");
    assert!(skipped > 100, "{skipped} skipped");
    assert!(opponents > 100, "{opponents} with opponents");
}

/// Nothing is known about the scores, so nothing can be skipped.
#[test]
fn searching_is_given_up_where_it_does_not_pay() {
    let book = Book::new(3, 6, 4, 3);
    let eager = Solver::exact().solve(&book, book.start()).unwrap();
    let solution = Lazy::exact().solve(&book, book.start()).unwrap();
    let effort = solution.effort();
    assert!(effort.eager && effort.forced < 300);
    assert_eq!(
        (effort.expanded, solution.len()),
        (eager.len(), eager.len())
    );
    for (state, value) in solution.states() {
        assert_eq!(value, eager.value_of(&state).unwrap());
        assert_eq!(solution.decision(&state), eager.decision(&state));
    }
    let never = Lazy::exact().eager_below(0.0);
    let solution = never.solve(&book, book.start()).unwrap();
    assert!(!solution.effort().eager);
    assert_eq!(solution.value(), eager.value());
}

/// Two choices, a and b, as outcomes (numerator, denominator, weight).
struct Pair([Vec<(i64, i64, u64)>; 2]);

impl Game for Pair {
    type State = Option<(i64, i64, usize)>;
    type Action = &'static str;

    fn expand(&self, state: &Self::State, node: &mut Node<Self>) {
        if let Some((n, d, _)) = *state {
            return node.end((n, d));
        }
        for (name, outcomes) in ["a", "b"].into_iter().zip(&self.0) {
            let mut choice = node.choice(name);
            for (place, &(n, d, weight)) in outcomes.iter().enumerate() {
                choice.to(Some((n, d, place)), weight);
            }
        }
    }
}

#[track_caller]
fn check_pair(a: &[(i64, i64, u64)], b: &[(i64, i64, u64)], value: (i64, i64)) {
    for windows in [false, true] {
        let pair = Pair([a.to_vec(), b.to_vec()]);
        let lazy = Lazy::exact().range(0, 1).windows(windows);
        let solution = lazy.solve(&pair, None).unwrap();
        assert_eq!(solution.decision(&None).unwrap(), Some("b"));
        assert_eq!(solution.value(), ratio(value.0, value.1));
    }
}

/// Cases in which the published comparison is wrong.
#[test]
fn counterexamples_to_the_mean_so_far() {
    check_pair(&[(1, 100, 1)], &[(0, 1, 3), (1, 1, 2)], (2, 5));
    check_pair(&[(1, 1, 3), (0, 1, 2)], &[(9, 10, 3), (1, 1, 2)], (47, 50));
    let mut a = vec![(0, 1, 1); 10];
    let mut b = vec![(1, 1, 1); 10];
    (a[0], b[0]) = ((1, 1, 1), (99, 100, 1));
    check_pair(&a, &b, (999, 1000));
}

#[test]
fn one_outcome_can_be_enough() {
    // b is worth at least 0.99 after its first outcome, a at most 0.9.
    let a: Vec<_> = (0..10).map(|_| (9, 10, 1)).collect();
    let mut b = vec![(1, 1, 99)];
    b.extend((0..9).map(|_| (1, 2, 1)));
    let pair = Pair([a, b]);
    let known = |state: &Option<(i64, i64, usize)>| match state {
        Some((9, ..)) => (Score::from(0), Score::from((9, 10))),
        _ => (Score::from(0), Score::from(1)),
    };
    let solution = Lazy::exact().bounds(known).solve(&pair, None).unwrap();
    assert_eq!(solution.value(), ratio(207, 216));
    // The start and the outcomes of b, with equal ones counted once.
    assert_eq!(solution.effort().expanded, 11);
    assert_eq!(solution.effort().met, 21);
    assert_eq!(solution.eager_states(100).unwrap(), 21);
    assert_eq!(
        solution.eager_states(20),
        Err(Error::TooManyStates { limit: 20 })
    );
}

#[test]
fn a_sure_win_needs_no_comparison() {
    let sure = |windows| {
        let pair = Pair([vec![(1, 2, 1), (1, 1, 5)], vec![(1, 1, 7), (1, 1, 3)]]);
        let known = |state: &Option<(i64, i64, usize)>| match state {
            Some((n, d, _)) => (Score::from((*n, *d)), Score::from(1)),
            None => (Score::from(0), Score::from(1)),
        };
        let lazy = Lazy::exact().bounds(known).windows(windows);
        lazy.solve(&pair, None).unwrap().effort()
    };
    assert_eq!(sure(false).expanded, 3);
    assert_eq!(sure(true).expanded, 3);
}

#[track_caller]
fn check_bad_bound<B: Bounds<u64>>(game: &Rules, lazy: Lazy<'_, Exact, B>, named: &str) {
    match lazy.solve(game, 9).err() {
        Some(Error::BadBound { state, .. }) => assert_eq!(state, named),
        other => panic!("{other:?}"),
    }
}

#[test]
fn wrong_bounds_are_named() {
    let game = Rules::new(10, |state, node| match state {
        0 | 1 => node.end(state),
        5 => {
            node.opponent();
            node.choice("a").to(0, 1).to(1, 1);
        }
        _ => {
            node.choice("b").to(5, 1).to(0, 1);
            node.choice("c").to(1, 1).to(0, 7);
        }
    });
    let lazy = Lazy::exact;
    assert_eq!(
        lazy().range(0, 1).solve(&game, 9).unwrap().value(),
        ratio(1, 4)
    );
    // Bounds of an end, of the start, of a state between, and of a chance move.
    check_bad_bound(&game, lazy().range(0, (1, 2)), "1");
    check_bad_bound(&game, lazy().range((1, 2), 1), "0");
    check_bad_bound(&game, lazy().range(2, 1), "9");
    let at = |wrong: u64, lower: (i64, i64), upper: (i64, i64)| {
        move |&state: &u64| match state == wrong {
            true => (Score::from(lower), Score::from(upper)),
            false => (Score::from(0), Score::from(1)),
        }
    };
    check_bad_bound(&game, lazy().bounds(at(5, (0, 1), (1, 3))), "5");
    check_bad_bound(&game, lazy().bounds(at(5, (2, 3), (1, 1))), "5");
    check_bad_bound(&game, lazy().bounds(at(9, (0, 1), (1, 5))), "9");
    check_bad_bound(&game, lazy().bounds(at(9, (1, 3), (1, 1))), "9");
    // Too small for floats to distinguish: the next one below.
    let hair = 0.25_f64.next_down();
    let hair = move |&state: &u64| match state {
        9 => (Score::from(0), Score::from(hair)),
        _ => (Score::from(0), Score::from(1)),
    };
    check_bad_bound(&game, lazy().bounds(hair), "9");
    // Not a number.
    let bad = |_: &u64| (Score::from(f64::NAN), Score::from(1));
    check_bad_bound(&game, lazy().bounds(bad), "9");
    // The range is wrong, not a state.
    for end in [f64::INFINITY, f64::NAN] {
        let error = lazy().range(0, end).solve(&game, 9).err();
        assert!(
            matches!(error, Some(Error::BadParameter { .. })),
            "{error:?}"
        );
    }
}

#[test]
fn cycles_are_shown_where_they_are_met() {
    let game = Rules::new(5, |state, node| match state {
        0 | 4 => node.end(state == 4),
        1 => {
            node.choice("win").to(4, 1);
            node.choice("round").to(2, 1);
        }
        2 => {
            node.choice("on").to(3, 1).to(0, 5);
        }
        _ => {
            node.choice("back").to(2, 1).to(0, 1);
        }
    });
    let path = ["2", "3", "2"].map(String::from).to_vec();
    for eager_below in [0.0, 1.0] {
        let lazy = Lazy::exact().eager_below(eager_below);
        assert_eq!(
            lazy.solve(&game, 2).err(),
            Some(Error::Cycle { path: path.clone() })
        );
    }
    // A certain win is the best possible, whatever the other choice leads to.
    let known = |&state: &u64| match state {
        4 => (Score::from(1), Score::from(1)),
        _ => (Score::from(0), Score::from(1)),
    };
    let solution = Lazy::exact().bounds(known).solve(&game, 1).unwrap();
    assert_eq!(solution.value(), ratio(1, 1));
}

#[test]
fn self_loops_are_exact() {
    let game = Rules::new(4, |state, node| match state {
        0 | 1 => node.end(state),
        2 => {
            node.choice("never").to(2, 5);
            node.choice("again").to(2, 3).to(1, 1).to(0, 2);
        }
        _ => {
            node.choice("wait").to(3, 97).to(2, 3);
        }
    });
    for windows in [false, true] {
        let lazy = Lazy::exact().range(0, 1).windows(windows);
        assert_eq!(lazy.solve(&game, 3).unwrap().value(), ratio(1, 3));
    }
    let stuck = Rules::new(1, |_, node| {
        node.choice("stay").to(0, 1);
    });
    let error = Lazy::exact().solve(&stuck, 0).err();
    assert_eq!(error, Some(Error::NeverEnds { state: "0".into() }));
}

#[test]
fn games_of_a_million_moves_need_no_stack() {
    for (windows, eager_below) in [(false, 0.0), (true, 0.0), (false, 0.3)] {
        let lazy = Lazy::exact().windows(windows).eager_below(eager_below);
        let solution = lazy.solve(&STAIR, 999_999).unwrap();
        assert_eq!((solution.value(), solution.len()), (ratio(7, 1), 1_000_000));
    }
}

/// Three choices of many outcomes each: reading all of them after each one would take minutes.
#[test]
fn long_laws_are_not_read_at_each_outcome() {
    struct Long;
    impl Game for Long {
        type State = Option<u64>;
        type Action = u64;
        fn expand(&self, state: &Option<u64>, node: &mut Node<Self>) {
            if let Some(n) = *state {
                return node.end(((n.wrapping_mul(7_919) % 1_000) as i64, 1_000));
            }
            for action in 0..3 {
                let mut choice = node.choice(action);
                for outcome in 0..20_000 {
                    choice.to(Some(outcome * 3 + action), 1 + outcome % 7);
                }
            }
        }
    }
    let exact = Solver::exact().solve(&Long, None).unwrap().value();
    for windows in [false, true] {
        let lazy = Lazy::exact().range(0, 1).windows(windows).eager_below(0.0);
        let solution = lazy.solve(&Long, None).unwrap();
        assert_eq!(solution.value(), exact);
        assert!(solution.effort().appraised < 60_000 + 100);
    }
}

#[test]
fn weights_and_scores_beyond_floats() {
    struct Vast(u32);
    impl Game for Vast {
        type State = i32;
        type Action = &'static str;
        fn expand(&self, &state: &i32, node: &mut Node<Self>) {
            let vast = BigUint::from(1_u8) << self.0;
            match state {
                0 => {
                    node.choice("a").to_wide(1, vast).to_wide(3, 1_u8);
                    node.choice("b")
                        .to_wide(1, vast_and(self.0))
                        .to_wide(2, 1_u8);
                }
                _ => node.end(BigRational::from_integer(BigInt::from(state) << self.0)),
            }
        }
    }
    fn vast_and(bits: u32) -> BigUint {
        (BigUint::from(1_u8) << bits) + 1_u8
    }
    for bits in [100, 950, 2_000, 5_000] {
        let vast = Vast(bits);
        let exact = Solver::exact().solve(&vast, 0).unwrap();
        let lazy = Lazy::exact().solve(&vast, 0).unwrap();
        assert_eq!(lazy.value(), exact.value());
        assert_eq!(lazy.decision(&0).unwrap(), Some("a"));
        assert_eq!(exact.decision(&0).unwrap(), Some("a"));
    }
}

#[test]
fn limits_and_cancellation() {
    let tree = Tree {
        seed: 1,
        moves: 3,
        weights: [60, 20, 10, 5, 3, 2],
    };
    let lazy = || Lazy::exact().range(0, 1).eager_below(0.0);
    let met = lazy().solve(&tree, (0, 0)).unwrap().effort().met;
    assert!(lazy().max_states(met).solve(&tree, (0, 0)).is_ok());
    let error = lazy().max_states(met - 1).solve(&tree, (0, 0)).err();
    assert_eq!(error, Some(Error::TooManyStates { limit: met - 1 }));
    let error = lazy().max_states(0).solve(&tree, (0, 0)).err();
    assert_eq!(error, Some(Error::TooManyStates { limit: 0 }));
    let error = lazy().max_bytes(1_000).solve(&tree, (0, 0)).err();
    assert!(matches!(
        error,
        Some(Error::TooMuchMemory {
            states: 2..100,
            limit: 1_000,
            ..
        })
    ));

    let seen = Cell::new(Vec::new());
    let watched = Lazy::exact().observe(|progress| {
        let mut phases = seen.take();
        phases.push((progress.phase, progress.done));
        seen.set(phases);
        ControlFlow::Continue(())
    });
    watched.eager_below(0.0).solve(&STAIR, 9_999).unwrap();
    let seen = seen.into_inner();
    assert_eq!(
        seen[..3],
        [4_096, 8_192, 10_000].map(|done| (Phase::Exploring, done))
    );
    assert_eq!(seen.last(), Some(&(Phase::Solving, 10_000)));
    for (eager_below, wanted) in [(0.0, 4_096), (1.0, 4_096)] {
        let stopped = Lazy::exact().observe(|_| ControlFlow::Break(()));
        let error = stopped.eager_below(eager_below).solve(&STAIR, 99_999).err();
        let phase = Phase::Exploring;
        assert_eq!(
            error,
            Some(Error::Cancelled {
                phase,
                done: wanted
            })
        );
    }
    // A relaxation has the same limits.
    let book = Book::new(1, 5, 3, 3);
    let relaxed =
        Lazy::exact()
            .max_states(50)
            .solve_relaxed(&book, &Waived::gold(book), book.start());
    assert_eq!(relaxed.err(), Some(Error::TooManyStates { limit: 50 }));
}

#[test]
fn malformed_states_are_named() {
    let game = Rules::new(3, |state, node| match state {
        0 => node.end((1, 0)),
        1 => {}
        2 => {
            node.choice("a").to(1, 1);
        }
        _ => {
            node.choice("b").to(0, 1);
        }
    });
    assert_eq!(
        Lazy::exact().solve(&game, 2).err(),
        Some(Error::DeadEnd { state: "1".into() })
    );
    assert_eq!(
        Lazy::exact().solve(&game, 3).err(),
        Some(Error::BadScore { state: "0".into() })
    );
}

#[test]
fn the_same_every_time() {
    let book = Book::new(7, 8, 4, 3);
    let effort = || {
        let lazy = Lazy::exact().range(0, 1).windows(true);
        lazy.solve(&book, book.start()).unwrap().effort()
    };
    assert_eq!(effort(), effort());
}

/// States visited, in percent of those that an eager solver visits.
fn percent(effort: Effort, states: usize) -> f64 {
    100.0 * effort.expanded as f64 / states as f64
}

#[test]
fn trees_with_skewed_dice_take_a_quarter_of_the_states() {
    for weights in [
        [60, 20, 10, 5, 3, 2],
        [27, 9, 3, 1, 1, 1],
        [90, 4, 3, 1, 1, 1],
    ] {
        for seed in 1..=3 {
            let tree = Tree {
                seed,
                moves: 4,
                weights,
            };
            let eager = Solver::certified().certify(&tree, (0, 0)).unwrap();
            for windows in [false, true] {
                let lazy = Lazy::exact().range(0, 1).windows(windows);
                let solution = lazy.solve(&tree, (0, 0)).unwrap();
                assert_eq!(solution.value(), eager.value());
                let percent = percent(solution.effort(), 1 + 18 + 324 + 5_832 + 104_976);
                assert!(percent <= 25.0, "{percent} % of {tree:?}");
            }
        }
    }
}

#[test]
fn books_take_half_of_the_states() {
    let mut few = 0;
    for book in Book::instances() {
        let start = book.start();
        let eager = Solver::certified().certify(&book, start).unwrap();
        let lazy = Lazy::exact().range(0, 1);
        let solution = lazy
            .solve_relaxed(&book, &Waived::gold(book), start)
            .unwrap();
        assert_eq!(solution.value(), eager.value());
        let states = solution.eager_states(usize::MAX).unwrap();
        few += usize::from(percent(solution.effort(), states) <= 50.0);
    }
    assert!(few >= 4, "{few} of 6");
}
