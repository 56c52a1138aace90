//! A game that violates the only contract gets an error or a meaningless number, but never a
//! panic.

use std::cell::Cell;

use oddsmith_mdp::{AtRandom, Error, Game, Indexed, Node, Solver, Tolerance};

/// This many states, each of which is its own number.
macro_rules! impl_indexed {
    ($game:ty, $size:expr) => {
        impl Indexed for $game {
            fn size(&self) -> usize {
                $size
            }

            fn index(&self, &state: &usize) -> usize {
                state
            }

            fn state(&self, index: usize) -> usize {
                index
            }
        }
    };
}

/// A game that violates the contract: it answers differently every time.
struct Fickle {
    calls: Cell<u64>,
    from: u64,
}

impl Game for Fickle {
    type State = usize;
    type Action = u64;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        let calls = self.calls.get() + 1;
        self.calls.set(calls);
        let random = (calls + self.from)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23);
        if state == 0 || random.is_multiple_of(7) {
            let score = (random % 2_000_001) as i64 - 1_000_000;
            return node.end((score, 1 + (random >> 40) as i64 % 30));
        }
        for choice in 0..1 + random % 3 {
            let mut to = node.choice(choice);
            for outcome in 0..1 + (random >> 8) % 4 {
                let successor = (random >> (outcome * 5)) as usize % state;
                to.to(successor, 1 + (random >> (outcome * 7 + choice)) % 97);
            }
        }
    }
}

impl_indexed!(Fickle, 40);

/// Calls every method; the results are meaningless.
macro_rules! ask {
    ($solution:expr) => {
        if let Ok(solution) = $solution {
            let _ = format!("{solution:?}");
            for state in 0..41 {
                let _ = solution.value_of(&state);
                let _ = solution.choices(&state);
                let _ = solution.best(&state);
                let _ = solution.decision(&state);
                let _ = solution.explain(&state).map(|why| why.to_string());
            }
            if let Ok(forecast) = solution.forecast() {
                let _ = format!("{forecast:?}");
                let _ = forecast.ends();
                let _ = forecast.count(|_| true);
                let _ = forecast.lengths(3, |state| state % 2 == 0);
                let _ = forecast.expected_count(|_| true);
                let _ = forecast.chance(&0);
            }
        }
    };
}

#[test]
fn a_fickle_game_does_not_panic() {
    for from in 0..100 {
        let calls = Cell::new(0);
        let game = Fickle { calls, from };
        ask!(Solver::exact().solve(&game, 39));
        ask!(Solver::float().solve(&game, 39));
        ask!(Solver::exact().solve_indexed(&game, 39));
        ask!(Solver::float().solve_indexed(&game, 39));
        ask!(Solver::exact().evaluate(&game, AtRandom, 39));
        ask!(Solver::exact().evaluate_indexed(&game, AtRandom, 39));
        let absolute = Tolerance::absolute(1, 3).unwrap();
        ask!(Solver::exact().tolerance(absolute).solve_indexed(&game, 39));
    }
}

/// Every call returns other odds in state 2.
struct Drifting(Cell<u64>);

impl Game for Drifting {
    type State = usize;
    type Action = ();

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        if state != 2 {
            return node.end(1);
        }
        self.0.set(self.0.get() + 1);
        node.chance().to(0, 1).to(1, self.0.get());
    }
}

// Too many to be stored, so each is expanded several times.
impl_indexed!(Drifting, (1 << 22) + 1);

#[test]
fn odds_that_drift_are_noticed() {
    let error = Solver::exact()
        .solve_indexed(&Drifting(Cell::new(0)), 2)
        .err();
    let state = "2".to_owned();
    assert_eq!(error, Some(Error::Inconsistent { state }));
}

/// State 2 leads to 1 at first, and to 0 after this many calls.
struct Turning(Cell<u32>, u32);

impl Game for Turning {
    type State = usize;
    type Action = ();

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        let asked = self.0.replace(self.0.get() + 1);
        match state {
            2 => {
                node.chance().to(usize::from(asked < self.1), 1);
            }
            _ => node.end(state == 1),
        }
    }
}

impl_indexed!(Turning, 3);

#[test]
fn rows_that_change_while_they_are_narrowed() {
    let mut noticed = 0;
    for after in 0..10 {
        let game = Turning(Cell::new(0), after);
        match Solver::certified().certify_indexed(&game, 2) {
            Ok(_) => {}
            Err(Error::Inconsistent { state }) => {
                assert_eq!(state, "2");
                noticed += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(noticed > 0);
}
