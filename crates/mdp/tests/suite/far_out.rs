//! Results at the limits of floats, and distributions that are not in lowest terms.

use oddsmith_dice::Dist;
use oddsmith_mdp::{Game, Node, Solver, Table};

/// A distribution with 2 and 4 parts in 6, and another one with a single part.
struct Beside(Dist<u8>);

impl Game for Beside {
    type State = u8;
    type Action = ();

    fn expand(&self, &state: &u8, node: &mut Node<Self>) {
        match state {
            0 => {
                node.chance().law(&self.0).to(3, 1);
            }
            _ => node.end(state == 3),
        }
    }
}

#[test]
fn a_law_has_its_own_weights() {
    let parts = vec![(1, 2_u32.into()), (2, 4_u32.into())];
    let law = Dist::from_parts(parts, 6_u32.into()).unwrap();
    let value = Solver::exact().solve(&Beside(law), 0).unwrap().value();
    assert_eq!(value.to_string(), "1/7");
}

#[test]
fn a_chance_below_normal_floats() {
    let tosses = 1_074;
    let chain = Table::from_fn(tosses + 2, |state, row| {
        if state >= tosses {
            return row.end(state == tosses);
        }
        row.choice().to(state + 1, 1).to(tosses + 1, 1);
    })
    .unwrap();
    let solution = Solver::float().solve_table(&chain, 0).unwrap();
    let line = solution.likeliest_line_to(|&state| state == tosses);
    let line = line.unwrap().unwrap();
    assert_eq!(line.probability, 5e-324);
}

#[test]
fn gaps_are_never_negative() {
    let table = Table::from_fn(4, |state, row| match state {
        0 => {
            row.choice().to(1, 1).to(2, 3).to(3, 3);
            row.choice().to(1, 2).to(2, 6).to(3, 6);
            row.choice().to(2, 3).to(3, 3).to(1, 1);
        }
        _ => row.end((state as i64, 7)),
    })
    .unwrap();
    let solution = Solver::certified().solve_table(&table, 0).unwrap();
    for choice in solution.choices(&0).unwrap() {
        assert!(choice.gap >= 0.0 && choice.gap < 1e-15);
    }
}

/// A fair coin for this score or its negative.
#[cfg(feature = "rand")]
struct Stake(f64);

#[cfg(feature = "rand")]
impl Game for Stake {
    type State = u8;
    type Action = ();

    fn expand(&self, &state: &u8, node: &mut Node<Self>) {
        match state {
            0 => {
                node.chance().to(1, 1).to(2, 1);
            }
            1 => node.end(self.0),
            _ => node.end(-self.0),
        }
    }
}

#[cfg(feature = "rand")]
#[test]
fn standard_errors_of_huge_and_of_tiny_scores() {
    use oddsmith_mdp::{AtRandom, Simulator};
    use rand::SeedableRng;

    let run = |score: f64| {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let stake = Stake(score);
        let simulator = Simulator::new(&stake, AtRandom);
        let simulation = simulator.run(&0, 1_000, &mut rng).unwrap();
        (simulation.standard_error() / score, simulation.z_score(0))
    };
    let (error, z) = run(1.0);
    assert!((error - 0.0316).abs() < 0.001 && z != 0.0);
    for score in [1e-200, 1e160, 1e200, 1e305] {
        let found = run(score);
        assert!((found.0 / error - 1.0).abs() < 1e-12, "{score}: {found:?}");
        assert!((found.1 / z - 1.0).abs() < 1e-12, "{score}: {found:?}");
    }
}
