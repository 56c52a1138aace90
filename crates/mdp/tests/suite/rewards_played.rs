//! Rewards are part of the score of a simulated game.
#![cfg(feature = "rand")]

use oddsmith_mdp::{AtRandom, Error, Exploration, Game, Node, QLearning, Rate, Simulator, Solver};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Each roll of a die costs 1, until one stops; the best roll counts.
struct Booth;

impl Game for Booth {
    type State = (u8, bool);
    type Action = &'static str;

    fn expand(&self, &(pips, end): &(u8, bool), node: &mut Node<Self>) {
        if end {
            return node.end(pips);
        }
        node.choice("stop").to((pips, true), 1);
        let mut roll = node.choice("roll");
        roll.reward(-1);
        for face in 1..=6 {
            roll.to((face.max(pips), false), 1);
        }
    }
}

#[test]
fn played_games_score_their_totals() {
    let exact = Solver::exact().solve(&Booth, (0, false)).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let simulator = Simulator::new(&Booth, &exact);
    let simulation = simulator.run(&(0, false), 20_000, &mut rng).unwrap();
    assert!(simulation.z_score(exact.value()).abs() < 4.0);
    assert!((simulation.mean() - 3.0).abs() < 0.1);
    // Each roll costs 1, and stopping is a step that costs nothing.
    let play = simulator.play(&(0, false), &mut rng).unwrap();
    let paid = i64::from(play.end.0) - (play.length as i64 - 1);
    assert_eq!(play.score, paid.into());

    let random = Solver::exact()
        .evaluate(&Booth, AtRandom, (0, false))
        .unwrap();
    let simulation = Simulator::new(&Booth, AtRandom)
        .run(&(0, false), 20_000, &mut rng)
        .unwrap();
    assert!(simulation.z_score(random.value()).abs() < 4.0);
}

#[test]
fn estimates_learn_rewards() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let learned = QLearning::new(&Booth)
        .discount(1.0)
        .explore(Exploration::Random(0.5))
        .rate(Rate::Decaying(2))
        .learn((0, false), 20_000, &mut rng)
        .unwrap();
    let estimates = learned.estimates(&(0, false)).unwrap();
    let roll = estimates[1];
    assert!((roll - 3.0).abs() < 0.2, "{roll}");
}

struct Enormous;

impl Game for Enormous {
    type State = u8;
    type Action = ();

    fn expand(&self, &state: &u8, node: &mut Node<Self>) {
        if state == 0 {
            return node.end(0);
        }
        let mut choice = node.choice(());
        choice.to(0, 1);
        for _ in 0..2 {
            choice.reward(f64::MAX);
        }
    }
}

#[test]
fn a_reward_beyond_floats_cannot_be_learnt() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let error = QLearning::new(&Enormous).learn(1, 1, &mut rng).err();
    assert!(matches!(error, Some(Error::RewardBeyondFloat { .. })));
    let play = Simulator::new(&Enormous, AtRandom)
        .play(&1, &mut rng)
        .unwrap();
    assert_eq!(play.score.to_ratio().unwrap(), {
        let most = num_rational::BigRational::from_float(f64::MAX).unwrap();
        &most + &most
    });
}

/// The mean of scores beyond the floats is infinite, and bounds on it were no numbers.
#[test]
fn scores_beyond_floats_are_bounded_by_infinity() {
    let huge = num_bigint::BigInt::from(10).pow(400);
    for score in [huge.clone(), -huge] {
        let table = oddsmith_mdp::Table::from_fn(3, |state, row| match state {
            0 => row.end(score.clone()),
            1 => row.end(0),
            _ => {
                row.choice().to(0, 1).to(1, 1);
            }
        })
        .unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let games = Simulator::new(&table, AtRandom)
            .run(&2, 100, &mut rng)
            .unwrap();
        let bounds = games.mean_interval(0.95).unwrap();
        assert_eq!(bounds, f64::NEG_INFINITY..=f64::INFINITY);
    }
}
