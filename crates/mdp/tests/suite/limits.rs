//! Games at the limits of memory, and limits that stop the work with an error that reports the
//! progress.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use crate::rules::{Expand, Rules, STAIR};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use oddsmith_dice::Dist;
use oddsmith_mdp::{
    AtRandom, Discounted, Error, Explicit, Game, Horizon, Law, Lazy, Node, Objective, Phase,
    Ranked, Solver, Totalled,
};
use quickcheck::quickcheck;

#[test]
fn the_largest_weights_are_fine() {
    // Ten states of total 2^64 - 1 each, then ten of 2^63.
    let game = Rules::new(22, |state, node| match state {
        0 | 1 => node.end(state),
        2..12 => {
            node.chance().to(state - 1, u64::MAX - 1).to(0, 1);
        }
        _ => {
            node.chance().to(state - 1, (1 << 63) - 1).to(1, 1);
        }
    });
    let p = |n: u64, d: u64, k: i32| BigRational::new(BigInt::from(n), BigInt::from(d)).pow(k);
    let ten = p(u64::MAX - 1, u64::MAX, 10);
    let one = BigRational::from_integer(1.into());
    let value = &one - p((1 << 63) - 1, 1 << 63, 10) * (&one - &ten);
    let solution = Solver::exact().solve(&game, 21).unwrap();
    assert_eq!(solution.value_of(&11).unwrap(), ten);
    assert_eq!(solution.value(), value);
}

#[test]
fn limits_on_states() {
    for limit in [0, 1, 10] {
        let few = Some(Error::TooManyStates { limit });
        let solver = || Solver::exact().max_states(limit);
        assert_eq!(solver().solve(&STAIR, 20).err(), few);
        assert_eq!(solver().solve_indexed(&STAIR, 20).err(), few);
    }
    assert!(Solver::exact().max_states(21).solve(&STAIR, 20).is_ok());
    let huge = Rules::new(usize::MAX, |_, node| node.end(0));
    let limit = u32::MAX as usize;
    let error = Solver::float()
        .max_states(usize::MAX)
        .solve_indexed(&huge, 0)
        .err();
    assert_eq!(error, Some(Error::TooManyStates { limit }));
}

#[test]
fn limits_on_memory() {
    // Values of a million digits each, for every limit.
    let deep = Rules::new(1 << 20, |state, node| match state {
        0 | 1 => node.end(state),
        _ => {
            node.chance().to(state - 1, u64::MAX - 1).to(state - 2, 1);
        }
    });
    let error = Solver::exact().solve(&deep, (1 << 20) - 1).err();
    assert!(matches!(
        error,
        Some(Error::TooMuchMemory {
            states: 0x10_0000,
            needed: 0x7_0000_0000..,
            ..
        })
    ));
    // The totals are pairwise coprime: the factors alone are too many.
    let strange = Rules::new(3_000, |state, node| match state {
        0 => node.end(1),
        _ => {
            let total = (1 << 61) + 2 * state + 1;
            node.chance().to(state - 1, total - 1).to(0, 1);
        }
    });
    let error = Solver::exact()
        .max_bytes(1 << 20)
        .solve_indexed(&strange, 2_999)
        .err();
    assert!(matches!(
        error,
        Some(Error::TooMuchMemory {
            what: "the common denominator",
            states: 3_000,
            needed: 0x10_0001..,
            ..
        })
    ));
    // A limit beyond any machine must not cause an abort.
    let wide = Rules::new(4_000_000_000, |_, node| node.end(0));
    for limit in [u128::MAX, 1 << 70] {
        let solver = Solver::float().max_bytes(limit).max_states(usize::MAX);
        let stopped = solver
            .observe(|_| ControlFlow::Break(()))
            .solve_indexed(&wide, 0)
            .err();
        assert!(matches!(
            stopped,
            Some(Error::TooMuchMemory { .. } | Error::Cancelled { .. })
        ));
    }
}

#[test]
fn forecasts_too_far_ahead() {
    let game = Rules::new(2, |state, node| match state {
        0 => node.end(1),
        _ => {
            node.chance().to(1, 5).to(0, 1);
        }
    });
    let solution = Solver::exact()
        .max_bytes(1_000_000)
        .solve(&game, 1)
        .unwrap();
    let forecast = solution.forecast().unwrap();
    let far = forecast.lengths(u32::MAX, |_| true).err();
    assert!(matches!(
        far,
        Some(Error::TooMuchMemory {
            limit: 1_000_000,
            ..
        })
    ));
    let far = forecast.lengths(19_999_999, |_| true).err();
    assert!(matches!(far, Some(Error::TooMuchMemory { .. })));
    let float = Solver::float().solve(&game, 1).unwrap();
    let far = float.forecast().unwrap().lengths(u32::MAX, |_| true).err();
    assert!(matches!(far, Some(Error::TooMuchMemory { .. })));
    // Once play has ended for certain, the rest is zero.
    let short = Solver::float().solve(&STAIR, 3).unwrap();
    let lengths = short
        .forecast()
        .unwrap()
        .lengths(50_000_000, |_| true)
        .unwrap();
    assert_eq!(lengths.len(), 50_000_001);
    assert_eq!(
        (lengths[3], lengths[4], lengths[50_000_000]),
        (1.0, 0.0, 0.0)
    );
    let none = solution.forecast().unwrap().lengths(0, |_| false).unwrap();
    assert_eq!(none, [BigRational::from_integer(1.into())]);
}

/// Cancels at the `nth` call, and reports the phase and the count.
#[track_caller]
fn cancelled_at(nth: usize) -> Option<Error> {
    let calls = Cell::new(0);
    Solver::exact()
        .observe(|progress| {
            calls.set(calls.get() + 1);
            assert!(progress.total.is_none_or(|total| progress.done <= total));
            match calls.get() > nth {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
        .solve(&STAIR, 9_999)
        .err()
}

#[test]
fn cancelling_in_every_phase() {
    let seen: Vec<(Phase, usize)> = (0..)
        .map_while(|nth| match cancelled_at(nth) {
            Some(Error::Cancelled { phase, done }) => Some((phase, done)),
            None => None,
            Some(error) => panic!("{error}"),
        })
        .collect();
    for phase in [Phase::Exploring, Phase::Measuring, Phase::Solving] {
        for done in [4_096, 8_192, 10_000] {
            assert!(seen.contains(&(phase, done)), "{phase} {done}: {seen:?}");
        }
    }
    let text = Error::Cancelled {
        phase: Phase::Solving,
        done: 4_096,
    }
    .to_string();
    assert_eq!(text, "cancelled while solving, after 4096 states");
}

/// Exploration goes down before it returns, so in an endless game it never returns.
#[test]
fn an_endless_game_can_be_cancelled_on_the_way_down() {
    struct Endless;
    impl Game for Endless {
        type State = u64;
        type Action = ();
        fn expand(&self, &n: &u64, node: &mut Node<Self>) {
            node.chance().to(n + 1, 1);
        }
    }
    let stop = Solver::float().observe(|_| ControlFlow::Break(()));
    let cancelled = Error::Cancelled {
        phase: Phase::Exploring,
        done: 4_096,
    };
    assert_eq!(stop.solve(&Endless, 0).err(), Some(cancelled));
}

/// Scores over 3,000 unrelated denominators: the error comes in seconds, not in hours.
#[test]
fn many_unrelated_score_denominators() {
    struct Fan;
    impl Game for Fan {
        type State = u32;
        type Action = ();
        fn expand(&self, &n: &u32, node: &mut Node<Self>) {
            if n > 0 {
                return node.end((1, i64::MAX - i64::from(n)));
            }
            let mut chance = node.chance();
            for end in 1..=3_000 {
                chance.to(end, 1);
            }
        }
    }
    let solution = Solver::exact().solve(&Fan, 0).unwrap();
    let last = solution.value_of(&3_000).unwrap();
    assert_eq!(last, BigRational::new(1.into(), (i64::MAX - 3_000).into()));
    let refused = Solver::exact().max_bytes(1_000_000).solve(&Fan, 0).err();
    assert!(matches!(refused, Some(Error::TooMuchMemory { .. })));
}

#[test]
fn a_million_states_in_a_row() {
    let last = 999_999;
    let exact = Solver::exact().solve(&STAIR, last).unwrap();
    assert_eq!(
        (exact.len(), exact.value().to_string()),
        (1_000_000, "7".to_owned())
    );
    let forecast = exact.forecast().unwrap();
    assert_eq!(forecast.chance(&0).unwrap().to_string(), "1");
    let count = forecast.count(|_| true).unwrap();
    assert_eq!(count.p(&last).to_string(), "1");
    drop(forecast);
    let boxed = Solver::float().solve_indexed(&STAIR, last).unwrap();
    assert_eq!(boxed.value(), 7.0);
    let played = Solver::float().evaluate(&STAIR, &boxed, last).unwrap();
    assert_eq!(played.value(), 7.0);
}

#[test]
fn many_choices() {
    fn node(choices: u64) -> impl Fn(&mut Node<Rules>) {
        move |node| {
            for n in 1..=choices {
                node.choice("some").to(n % 9 + 1, 1);
            }
        }
    }
    let most: Expand = |state, page| match state {
        0 => node(65_535)(page),
        _ => page.end(state),
    };
    let game = Rules::new(0, most);
    let solution = Solver::exact().solve(&game, 0).unwrap();
    assert_eq!(solution.value().to_string(), "9");
    assert_eq!(solution.choices(&0).unwrap().len(), 65_535);
    let more: Expand = |state, page| match state {
        0 => node(65_536)(page),
        _ => page.end(state),
    };
    let error = Solver::exact().solve(&Rules::new(0, more), 0).err();
    let state = "0".to_owned();
    assert_eq!(
        error,
        Some(Error::TooManyChoices {
            state,
            choices: 65_536
        })
    );
}

#[test]
fn many_outcomes() {
    let game = Rules::new(0, |state, node| match state {
        0 => {
            let mut chance = node.chance();
            for n in 0..1_000_000 {
                chance.to(n % 1_000 + 1, 1 + n % 2);
            }
        }
        _ => node.end(state),
    });
    let solution = Solver::exact().solve(&game, 0).unwrap();
    // Odd n weigh 2 and lead to even states: (2 * 501 + 500) / 3.
    assert_eq!(solution.value().to_string(), "1502/3");
}

/// Both passes between the two solves of `certify` report their progress.
#[test]
fn certify_is_heard_while_it_narrows() {
    let mut told = Vec::new();
    let solver = Solver::certified().observe(|progress| {
        if progress.phase == Phase::Narrowing {
            assert_eq!(progress.total, Some(10_001));
            told.push(progress.done);
        }
        ControlFlow::Continue(())
    });
    assert!(solver.certify(&STAIR, 10_000).is_ok());
    let once = [4096, 8192, 10_001];
    assert_eq!(told, [once, once].concat());
    let solver = Solver::certified().observe(|progress| match progress.phase {
        Phase::Narrowing => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(
        solver.certify_indexed(&STAIR, 10_000).err(),
        Some(Error::Cancelled {
            phase: Phase::Narrowing,
            done: 4096
        })
    );
}

/// Play leads downwards, by choices and outcomes derived from a seed; some outcomes are repeated,
/// some lead back to the state.
#[derive(Clone, Copy, Debug)]
struct Downwards(u64);

impl Downwards {
    fn choices(self, state: u64) -> Vec<Vec<u64>> {
        let mut seed = self
            .0
            .wrapping_add(state.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            | 1;
        let mut below = |most: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % most
        };
        let choices = (0..1 + below(3)).map(|_| {
            let first = below(state);
            let rest = (0..below(5)).map(|_| below(state + 1));
            std::iter::once(first).chain(rest).collect()
        });
        choices.collect()
    }

    /// The smallest sufficient limit, and the number of states, by counting.
    fn needed(self, start: u64) -> (usize, usize) {
        let (mut states, mut kept, mut needed, mut next) = (vec![start], 0, 0, 0);
        let mut seen: HashSet<u64> = [start].into();
        while next < states.len() {
            let state = states[next];
            next += 1;
            if state == 0 {
                continue;
            }
            let choices = self.choices(state);
            needed = needed.max(kept + choices.iter().map(Vec::len).sum::<usize>());
            for outcomes in choices {
                states.extend(outcomes.iter().filter(|&&to| seen.insert(to)));
                let distinct: BTreeSet<u64> = outcomes.into_iter().collect();
                kept += distinct.iter().filter(|&&to| to != state).count();
            }
        }
        (needed, states.len())
    }
}

impl Game for Downwards {
    type State = u64;
    type Action = usize;

    fn expand(&self, &state: &u64, node: &mut Node<Self>) {
        if state == 0 {
            return node.end(1);
        }
        for (action, outcomes) in self.choices(state).into_iter().enumerate() {
            let outcomes = outcomes.into_iter().map(|to| (to, 1));
            node.choice(action).to_all(outcomes);
        }
    }
}

impl Ranked for Downwards {
    fn rank(&self, &state: &u64) -> u64 {
        state
    }
}

#[test]
fn outcomes_are_counted() {
    fn counted(seed: u64, start: u8) -> bool {
        let (game, start) = (Downwards(seed), u64::from(start % 40));
        let (needed, states) = game.needed(start);
        let exact = || Solver::exact().max_outcomes(needed);
        assert_eq!(exact().solve(&game, start).unwrap().len(), states);
        if needed == 0 {
            return true;
        }
        let passed = |error: Option<Error>, most: usize| match error {
            Some(Error::OutcomesOutgrow { done, limit, .. }) => limit == most && done < states,
            _ => false,
        };
        let most = needed - 1;
        let exact = || Solver::exact().max_outcomes(most);
        let certified = || Solver::certified().max_outcomes(most);
        passed(exact().solve(&game, start).err(), most)
            && passed(exact().allow_cycles().solve(&game, start).err(), most)
            && passed(certified().certify(&game, start).err(), most)
            // In another order the maximum is reached at another time.
            && passed(exact().max_outcomes(0).solve_ranked(&game, start).err(), 0)
            // Equal outcomes of several choices are merged if these are mixed.
            && passed(exact().max_outcomes(0).evaluate(&game, AtRandom, start).err(), 0)
    }
    quickcheck(counted as fn(u64, u8) -> bool);
}

/// As many outcomes, or choices, as can be numbered.
struct Boundless(fn(&mut Node<Boundless>));

impl Game for Boundless {
    type State = u64;
    type Action = u64;

    fn expand(&self, &state: &u64, node: &mut Node<Self>) {
        match state {
            0 => (self.0)(node),
            _ => node.end(state),
        }
    }
}

#[track_caller]
fn check_boundless(write: fn(&mut Node<Boundless>)) {
    let game = Boundless(write);
    let full = Error::OutcomesOutgrow {
        state: "0".to_owned(),
        done: 0,
        limit: 100,
    };
    let exact = || Solver::exact().max_outcomes(100);
    let float = || Solver::float().max_outcomes(100);
    assert_eq!(exact().solve(&game, 0).err(), Some(full.clone()));
    assert_eq!(
        exact().allow_cycles().solve(&game, 0).err(),
        Some(full.clone())
    );
    let certified = Solver::certified().max_outcomes(100);
    assert_eq!(certified.certify(&game, 0).err(), Some(full.clone()));
    for lazy in [Lazy::float(), Lazy::float().range(0, u64::MAX)] {
        let error = lazy.max_outcomes(100).solve(&game, 0).err();
        assert_eq!(error, Some(full.clone()));
    }
    assert_eq!(Node::of_within(&game, &0, 100).err(), Some(full.clone()));
    // Derived games call it with their own limit.
    let passed = |error: Option<Error>| {
        let told = matches!(&error, Some(Error::OutcomesOutgrow { state, limit: 100, .. }) if state == "0");
        assert!(told, "{error:?}");
    };
    let horizon = Horizon::new(&game).unfinished(|_| 0);
    passed(exact().stages(&horizon, 0, 5).err());
    let discounted = Discounted::new(&game, (1, 2)).unwrap();
    passed(float().solve(&discounted, Some(0)).err());
    let totalled = Totalled::new(&game);
    passed(
        float()
            .solve(&totalled, oddsmith_mdp::Tallied::new(0))
            .err(),
    );
    passed(exact().lexicographic(&game, 0, [Objective::score()]).err());
    passed(float().evaluate(&game, AtRandom, 0).err());
}

#[test]
fn a_state_without_end_is_an_error() {
    check_boundless(|node| {
        node.chance().to_all((1..).map(|to| (to, 1)));
    });
    check_boundless(|node| {
        node.choice(7).to(1, 1);
        node.choice(8).to_all(std::iter::repeat((1, 1)));
    });
    // Impossible outcomes are drawn, too.
    check_boundless(|node| {
        node.choice(7).to(1, 1).to_all(std::iter::repeat((1, 0)));
    });
    check_boundless(|node| {
        for action in 0..100_000 {
            node.choice(action).to(1, 1);
        }
    });
    check_boundless(|node| {
        for action in 0..100_000 {
            node.choice(action);
        }
    });
    check_boundless(|node| {
        let mut chance = node.chance();
        for to in 1..100_000 {
            chance.to_wide(to, BigUint::from(to));
        }
    });
    check_boundless(|node| {
        let many = Dist::uniform(1..=1_000_u64).unwrap();
        node.chance().law(&many).reward(1);
    });
    check_boundless(|node| {
        let many = Law::new(&Dist::uniform(1..=1_000_u64).unwrap());
        node.choice(0).to(1, 1);
        node.choice(1).roll(&many, |&to| to).to(2, 1);
    });
    // Nor is more written by a caller who checks the remaining room.
    check_boundless(|node| {
        while node.room() > 0 {
            node.choice(1).to(1, 1);
        }
        node.choice(2).to(2, 1);
    });
}

/// Regression test: a limit on states alone let a game of two states fill the memory.
#[test]
fn few_states_of_many_outcomes() {
    let to_one = Boundless(|node| {
        node.chance().to_all(std::iter::repeat_n((1, 1), 1 << 20));
    });
    let solver = || Solver::float().max_states(2);
    assert_eq!(solver().solve(&to_one, 0).unwrap().value(), 1.0);
    assert!(solver().max_outcomes(1 << 20).solve(&to_one, 0).is_ok());
    let error = solver().max_outcomes((1 << 20) - 1).solve(&to_one, 0).err();
    assert!(matches!(error, Some(Error::OutcomesOutgrow { .. })));
    // A page of them uses memory, too.
    let error = solver().max_bytes(1 << 20).solve(&to_one, 0).err();
    let wanted = Error::InState {
        state: "0".to_owned(),
        source: Box::new(Error::TooMuchMemory {
            what: "its outcomes",
            states: 1,
            needed: (1 << 20) + 16,
            limit: 1 << 20,
        }),
    };
    assert_eq!(error, Some(wanted));
    // So do the stored ones of some hundred states.
    let wide = Rules::new(300, |state, node| match state {
        0 => node.end(1),
        _ => {
            for action in ["a", "b", "c", "d"] {
                node.choice(action)
                    .to_all((0..state).map(|to| (to, to + 1)));
            }
        }
    });
    let error = Solver::float().max_bytes(500_000).solve(&wide, 299).err();
    assert!(matches!(
        error,
        Some(Error::TooMuchMemory {
            states: 1..299,
            needed: 500_001..,
            ..
        })
    ));
    // A box need not store them: its limit applies to each state separately.
    let kept = Solver::exact().max_outcomes(4 * 299);
    assert_eq!(kept.solve_indexed(&wide, 299).unwrap().len(), 300);
    let error = Solver::exact().max_outcomes(4 * 299 - 1);
    let error = error.solve_indexed(&wide, 299).err();
    assert!(matches!(
        error,
        Some(Error::OutcomesOutgrow {
            done: 299,
            limit: 1_195,
            ..
        })
    ));
    let error = Solver::exact().max_outcomes(4 * 299).allow_cycles();
    let error = error.solve_indexed(&wide, 299).err();
    assert!(matches!(
        error,
        Some(Error::OutcomesOutgrow {
            done: 24..,
            limit: 1_196,
            ..
        })
    ));
}

#[test]
fn no_outcomes_at_all() {
    let none = || Solver::exact().max_outcomes(0).max_bytes(1_000);
    assert_eq!(none().solve(&STAIR, 0).unwrap().len(), 1);
    let error = none().solve(&STAIR, 5).err().map(|error| error.to_string());
    let wanted = "after 0 states, the outcomes of state 5 exceed the limit of 0; raise it with \
                  `max_outcomes` or a `_within` function";
    assert_eq!(error.as_deref(), Some(wanted));
    let error = Node::of_within(&STAIR, &5, 0).err();
    assert!(matches!(
        error,
        Some(Error::OutcomesOutgrow { limit: 0, .. })
    ));
    let solution = Solver::exact().solve(&STAIR, 5).unwrap();
    let error = Explicit::of_within(&solution, 0).err();
    assert!(matches!(
        error,
        Some(Error::OutcomesOutgrow {
            done: 0,
            limit: 0,
            ..
        })
    ));
    let outcomes = 5; // of 1 to 5
    assert!(Explicit::of_within(&solution, outcomes).is_ok());
    let error = Explicit::of_within(&solution, outcomes - 1).err();
    assert!(matches!(
        error,
        Some(Error::OutcomesOutgrow {
            done: 3..,
            limit: 4,
            ..
        })
    ));
}
