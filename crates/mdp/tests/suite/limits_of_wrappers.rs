//! Limits on outcomes in derived games, and for outcomes from iterators.

use oddsmith_mdp::{
    Error, Game, Horizon, Meeting, Node, Objective, Simultaneous, Solver, Staged, Table,
};

/// From each number up to 9 to any number above it, each with other odds.
struct Ladder;

impl Game for Ladder {
    type State = u64;
    type Action = u64;

    fn expand(&self, &rung: &u64, node: &mut Node<Self>) {
        if rung == 10 {
            return node.end(1);
        }
        for least in rung + 1..=10 {
            node.choice(least).to_all((least..=10).map(|to| (to, to)));
        }
    }
}

/// The smallest limit within which something succeeds.
fn least(mut done: impl FnMut(usize) -> bool) -> usize {
    let most = (0..20)
        .map(|bits| 1 << bits)
        .find(|limit| done(*limit))
        .unwrap();
    let mut limits = (most / 2 + 1..=most).collect::<Vec<usize>>();
    limits.reverse();
    limits
        .into_iter()
        .take_while(|limit| done(*limit))
        .last()
        .unwrap()
}

/// Regression test: the rows of few states with many outcomes were not measured at the end.
#[test]
fn the_rows_of_a_small_game_are_measured() {
    let solver = || Solver::float().max_bytes(200);
    let error = solver().solve(&Ladder, 0).err();
    let what = "their outcomes";
    let told = |error: &Option<Error>| {
        matches!(error, Some(Error::TooMuchMemory { what: told, states: 11, limit: 200, .. })
            if *told == what)
    };
    assert!(told(&error), "{error:?}");
    let cyclic = solver().allow_cycles().solve(&Ladder, 0).err();
    assert!(told(&cyclic), "{cyclic:?}");
    let roomy = Solver::float().max_bytes(10_000).solve(&Ladder, 0).unwrap();
    assert_eq!(roomy.value(), 1.0);
}

/// The rows of a table are not counted, only the values.
#[test]
fn values_have_a_limit_of_their_own() {
    let stair = Table::from_fn(21, |step, row| match step {
        0 => row.end(7),
        _ => {
            row.choice().to(step - 1, 3);
        }
    });
    let stair = stair.unwrap();
    let float = |bytes| {
        Solver::float()
            .max_bytes(bytes)
            .solve_table(&stair, 20)
            .err()
    };
    let exact = |bytes| {
        Solver::exact()
            .max_bytes(bytes)
            .solve_table(&stair, 20)
            .err()
    };
    let told = |error: Option<Error>, all| {
        matches!(error, Some(Error::TooMuchMemory { states: 21, needed, limit, .. })
            if needed == all && limit == all - 1)
    };
    assert!(told(float(251), 12 * 21) && told(exact(167), 8 * 21));
    assert_eq!((float(252), exact(168)), (None, None));
}

#[test]
fn several_objectives_and_steps_need_no_more_outcomes_than_one() {
    let needed = least(|limit| {
        Solver::exact()
            .max_outcomes(limit)
            .solve(&Ladder, 0)
            .is_ok()
    });
    // For each state with k numbers above it: k, k − 1, … 1.
    assert_eq!(needed, (1..=10).map(|k| k * (k + 1) / 2).sum::<usize>());
    let objectives = || [Objective::score(), Objective::fewest_steps()];
    let ranked = |limit| {
        Solver::exact()
            .max_outcomes(limit)
            .lexicographic(&Ladder, 0, objectives())
    };
    assert!(ranked(needed).is_ok());
    let error = ranked(needed - 1).err();
    assert!(matches!(error, Some(Error::OutcomesOutgrow { limit, .. }) if limit == needed - 1));

    // A game that ends without a step is examined in the inner game.
    let horizon = Horizon::new(&Ladder);
    let solver = |limit| Solver::exact().max_outcomes(limit);
    let alone = least(|limit| solver(limit).solve(&horizon, Staged::new(1, 0)).is_ok());
    assert_eq!(
        least(|limit| solver(limit).stages(&horizon, 0, 1).is_ok()),
        alone
    );
}

/// Calls another game, with its own limit.
struct Asking(usize);

impl Game for Asking {
    type State = u64;
    type Action = u64;

    fn expand(&self, rung: &u64, node: &mut Node<Self>) {
        match Node::of_within(&Ladder, rung, self.0) {
            Ok(inner) => node.end(inner.len() as u64),
            Err(error) => node.fail(error),
        }
    }
}

#[test]
fn another_game_has_its_own_limit() {
    assert_eq!(
        Solver::exact()
            .solve(&Asking(55), 0)
            .unwrap()
            .value()
            .to_string(),
        "10"
    );
    for outcomes in [54, 1_000_000] {
        let error = Solver::exact()
            .max_outcomes(outcomes)
            .solve(&Asking(54), 0)
            .err();
        let state = "0".to_owned();
        assert_eq!(
            error,
            Some(Error::OutcomesOutgrow {
                state,
                done: 0,
                limit: 54
            })
        );
    }
}

/// Ends once, and must not be called again.
struct Once(Vec<(u64, u64)>);

impl Iterator for Once {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        assert!(self.0.last() != Some(&(7, 7)), "asked after the end");
        let next = self.0.pop();
        if next.is_none() {
            self.0.push((7, 7));
        }
        next
    }
}

struct Listed(fn() -> Once);

impl Game for Listed {
    type State = u64;
    type Action = ();

    fn expand(&self, _: &u64, node: &mut Node<Self>) {
        node.chance().to_all((self.0)());
    }
}

impl Simultaneous for Listed {
    type State = u64;
    type Row = ();
    type Column = ();

    fn expand(&self, _: &u64, meeting: &mut Meeting<Self>) {
        meeting.chance().to_all((self.0)());
    }
}

#[test]
fn weights_of_zero_take_no_room_and_no_end_is_asked_for_twice() {
    let list = || Once(vec![(3, 0), (2, 5), (2, 0), (1, 0), (1, 4), (1, 0)]);
    let page = Node::of_within(&Listed(list), &0, 2).unwrap();
    assert_eq!((page.total(0), page.room()), (9, 0));
    let page = Meeting::of_within(&Listed(list), &0, 2).unwrap();
    assert_eq!(
        (page.outcomes(0, 0), page.room()),
        (&[(1, 4), (2, 5)][..], 0)
    );
    assert!(Node::of_within(&Listed(list), &0, 1).is_err());
    assert!(Meeting::of_within(&Listed(list), &0, 1).is_err());
}

/// One outcome, followed by infinitely many others, each of this weight.
struct Endless(u64);

impl Game for Endless {
    type State = u64;
    type Action = ();

    fn expand(&self, _: &u64, node: &mut Node<Self>) {
        node.chance()
            .to(1, 1)
            .to_all((0..).map(|number| (number, self.0)));
    }
}

impl Simultaneous for Endless {
    type State = u64;
    type Row = ();
    type Column = ();

    fn expand(&self, _: &u64, meeting: &mut Meeting<Self>) {
        meeting
            .chance()
            .to(1, 1)
            .to_all((0..).map(|number| (number, self.0)));
    }
}

#[test]
fn an_endless_list_of_nothing_ends() {
    let wanted = Error::OutcomesOutgrow {
        state: "0".to_owned(),
        done: 0,
        limit: 10,
    };
    assert_eq!(
        Node::of_within(&Endless(0), &0, 10).err(),
        Some(wanted.clone())
    );
    assert_eq!(Meeting::of_within(&Endless(0), &0, 10).err(), Some(wanted));
}

/// Regression test: the sum of the weights overflows with the second outcome, and rejected outcomes
/// took no room, so that cells requested more of them for ever.
#[test]
fn an_endless_list_that_is_refused_ends() {
    assert!(Node::of_within(&Endless(u64::MAX), &0, 10).is_err());
    assert!(Meeting::of_within(&Endless(u64::MAX), &0, 10).is_err());
}
