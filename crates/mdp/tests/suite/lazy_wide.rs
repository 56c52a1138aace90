//! Lazy search among very many choices, which are not all read again each time.

use oddsmith_mdp::{Game, Lazy, Node, Solver};
use quickcheck::{TestResult, quickcheck};

/// Layers of states; every state has this many choices of two outcomes in the next layers.
struct Wide {
    seed: u64,
    choices: u64,
    /// Every second state is the opponent's.
    opponent: bool,
}

impl Wide {
    fn any(&self, state: u64, choice: u64) -> u64 {
        let mut word = self.seed ^ (state << 32) ^ choice;
        for _ in 0..3 {
            word = (word ^ (word >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        word >> 16
    }
}

const ENDS: u64 = 40;
const INNER: u64 = 12;

impl Game for Wide {
    type State = u64;
    type Action = u64;

    fn expand(&self, &state: &u64, node: &mut Node<Self>) {
        if state < ENDS {
            return node.end(self.any(state, 1 << 31) % 101);
        }
        if self.opponent && state % 2 == 0 {
            node.opponent();
        }
        for choice in 0..self.choices {
            let target = |salt| self.any(state, 2 * choice + salt) % state;
            let weight = 1 + self.any(state, (1 << 30) + choice) % 9;
            let mut written = node.choice(choice);
            written.to(target(0), weight).to(target(1), 3);
        }
    }
}

quickcheck! {
    fn what_is_found_is_what_an_eager_solver_finds(seed: u64, choices: u16, opponent: bool) -> TestResult {
        let game = Wide { seed, choices: u64::from(choices % 700) + 1, opponent };
        let start = ENDS + INNER;
        let eager = Solver::exact().solve(&game, start).unwrap();
        for windows in [false, true] {
            let lazy = Lazy::exact().range(0, 100).windows(windows).eager_below(0.0);
            let lazy = lazy.solve(&game, start).unwrap();
            for (state, value) in lazy.states() {
                if value != eager.value_of(&state).unwrap() {
                    return TestResult::error(format!("{state}: {value}"));
                }
                let Some(decided) = lazy.decision(&state).unwrap() else {
                    continue;
                };
                if !eager.best(&state).unwrap().contains(&decided) {
                    return TestResult::error(format!("{state}: {decided} is not optimal"));
                }
            }
        }
        TestResult::passed()
    }
}

/// Regression test: each choice must be examined in turn, and all of them were read again each
/// time, which took two minutes for this many.
struct Fan;

impl Game for Fan {
    type State = u64;
    type Action = u64;

    fn expand(&self, &state: &u64, node: &mut Node<Self>) {
        if state <= 32_000 {
            return node.end((state * 7_919) % 1_000);
        }
        for choice in 0..32_000 {
            node.choice(choice)
                .to(choice, 1)
                .to((choice * 31 + 7) % 32_000, 2);
        }
    }
}

#[test]
fn choices_by_the_ten_thousand_are_not_all_read_again() {
    let eager = Solver::exact().solve(&Fan, 32_001).unwrap();
    let lazy = Lazy::exact().range(0, 1_000).eager_below(0.0);
    let lazy = lazy.solve(&Fan, 32_001).unwrap();
    assert_eq!(lazy.value(), eager.value());
    assert_eq!(
        lazy.decision(&32_001).unwrap(),
        eager.decision(&32_001).unwrap()
    );
    assert!(lazy.effort().expanded < 32_000);
}
