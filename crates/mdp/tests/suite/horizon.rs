//! Games with a last step, and discounted games, compared with value iteration and linear
//! equations.

use crate::small::{Law, Round, Row, Small, integer};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use oddsmith_mdp::{
    Discounted, Error, Game, Horizon, Lazy, Node, Played, Player, Score, Solver, Staged, Steps,
    Table,
};
use quickcheck::quickcheck;

impl Round {
    /// The value of one choice from the values that follow, without solving for staying.
    fn backed_up(law: &Law, values: &[BigRational]) -> BigRational {
        let outcomes = law.outcomes.iter();
        let sum: BigRational = outcomes.map(|&(to, w)| &values[to] * BigInt::from(w)).sum();
        integer(law.reward) + sum / BigInt::from(law.total())
    }

    fn step(&self, values: &[BigRational], factor: &BigRational) -> Vec<BigRational> {
        let states = self.0.rows.iter().enumerate();
        states
            .map(|(state, row)| {
                let laws = self.0.laws(state).iter();
                let all = laws.map(|law| {
                    let whole = Round::backed_up(law, values) - integer(law.reward);
                    integer(law.reward) + whole * factor
                });
                match (row, self.0.player(state)) {
                    (Row::End(score), _) => integer(*score),
                    (_, Player::Max) => all.max().unwrap(),
                    (_, Player::Min) => all.min().unwrap(),
                }
            })
            .collect()
    }

    /// Values with 0, 1, …, `steps` steps left.
    fn iterate(&self, steps: u32, unfinished: impl Fn(usize) -> i64) -> Vec<Vec<BigRational>> {
        let last = self
            .0
            .rows
            .iter()
            .enumerate()
            .map(|(state, row)| match row {
                Row::End(score) => integer(*score),
                _ => integer(unfinished(state)),
            });
        let mut all = vec![Vec::from_iter(last)];
        for _ in 0..steps {
            let next = self.step(all.last().unwrap(), &BigRational::one());
            all.push(next);
        }
        all
    }
}

fn ratio(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

quickcheck! {
    fn a_horizon_is_value_iteration(round: Round, steps: u8, worth: bool) -> bool {
        let steps = u32::from(steps % 6);
        let game = &round.0;
        let unfinished = |state: usize| if worth { state as i64 - 3 } else { 0 };
        let expected = round.iterate(steps, unfinished);
        let mut horizon = Horizon::new(game);
        if worth {
            horizon = horizon.unfinished(move |&state| unfinished(state));
        }
        let start = Staged::new(steps, game.start());
        let exact = Solver::exact().solve(&horizon, start).unwrap();
        let float = Solver::float().solve(&horizon, start).unwrap();
        let cyclic = Solver::exact().allow_cycles().solve(&horizon, start).unwrap();
        let certified = Solver::certified().certify(&horizon, start).unwrap();
        exact.value() == cyclic.value()
            && exact.value() == certified.value()
            && exact.states().all(|(staged, value)| {
                let close = BigRational::from_float(float.value_of(&staged).unwrap()).unwrap();
                let error = BigRational::from_float(float.error(&staged).unwrap()).unwrap();
                value == expected[staged.left as usize][staged.state]
                    && (close - value).abs() <= error
            })
    }

    fn all_stages_are_the_single_ones(round: Round, steps: u8) -> bool {
        let steps = u32::from(steps % 6);
        let game = &round.0;
        let horizon = Horizon::new(game);
        let stages = Solver::exact().stages(&horizon, game.start(), steps).unwrap();
        let expected = round.iterate(steps, |_| 0);
        let values: Vec<BigRational> =
            expected.iter().map(|values| values[game.start()].clone()).collect();
        let each = (0..=steps).all(|left| {
            (0..game.rows.len()).all(|state| match stages.value_of(left, &state) {
                Ok(value) => value == expected[left as usize][state],
                Err(error) => matches!(error, Error::UnknownState { .. }),
            })
        });
        each && stages.values().unwrap() == values
    }

    fn decisions_alone_may_count(round: Round, steps: u8) -> bool {
        // Chance alone must not go round for ever.
        let mut game = round.0.clone();
        for (state, row) in game.rows.iter_mut().enumerate() {
            if let Row::Chance(law) = row {
                law.outcomes.iter_mut().for_each(|outcome| outcome.0 %= state);
            }
        }
        let steps = u32::from(steps % 5);
        let horizon = Horizon::new(&game).counting(Steps::Decisions);
        let start = Staged::new(steps, game.start());
        let solution = Solver::exact().solve(&horizon, start).unwrap();
        solution.value() == by_decisions(&game, game.start(), steps)
    }

    fn a_discount_is_the_contraction_of_shapley(round: Round, p: u8, q: u8, paid: bool) -> bool {
        let round = if paid { round } else { Round(round.0.unpaid()) };
        let (p, q) = (i64::from(p % 9) + 1, i64::from(q % 9) + 1);
        let (p, q) = (p, p + q);
        let game = &round.0;
        let discounted = Discounted::new(game, (p, q)).unwrap();
        let start = Some(game.start());
        let solver = Solver::exact().allow_cycles();
        let exact = solver.solve(&discounted, start).unwrap();
        // A fixed point of the equation, which is unique.
        let values: Vec<BigRational> = (0..game.rows.len())
            .map(|state| exact.value_of(&Some(state)).unwrap_or_default())
            .collect();
        let again = round.step(&values, &ratio(p, q));
        (0..game.rows.len())
            .all(|state| exact.value_of(&Some(state)).is_err() || again[state] == values[state])
    }

    fn a_discount_in_all_numbers(game: Small, p: u8) -> bool {
        let p = i64::from(p % 9) + 1;
        let round = Round(game);
        let game = &round.0;
        // In this order one pass would be enough, except for self-loops.
        let mut expected = vec![BigRational::zero(); game.rows.len()];
        for (state, row) in game.rows.iter().enumerate() {
            if let Row::End(score) = row {
                expected[state] = integer(*score);
                continue;
            }
            let gamma = ratio(p, 10);
            let all = game.laws(state).iter().map(|law| {
                // v = r + γ (Σ p v' + stay v)
                let total = BigInt::from(law.total());
                let (mut sum, mut stay) = (BigRational::zero(), BigRational::zero());
                for &(to, weight) in &law.outcomes {
                    let p = BigRational::new(weight.into(), total.clone());
                    if to == state { stay += p } else { sum += p * &expected[to] }
                }
                (integer(law.reward) + &gamma * sum) / (BigRational::one() - &gamma * stay)
            });
            expected[state] = match game.player(state) {
                Player::Max => all.max().unwrap(),
                Player::Min => all.min().unwrap(),
            };
        }
        let discounted = Discounted::new(game, (p, 10)).unwrap();
        let start = Some(game.start());
        let exact = Solver::exact().solve(&discounted, start).unwrap();
        let certified = Solver::certified().certify(&discounted, start).unwrap();
        let float = Solver::float().solve(&discounted, start).unwrap();
        let close = BigRational::from_float(float.value()).unwrap();
        let error = BigRational::from_float(float.error(&start).unwrap()).unwrap();
        exact.value() == expected[game.start()]
            && certified.value() == exact.value()
            && (close - exact.value()).abs() <= error
    }
}

/// With this many decisions left, by recursion; self-loops are solved for.
fn by_decisions(game: &Small, state: usize, left: u32) -> BigRational {
    let follow = |law: &Law, left: u32| {
        let outcomes = law.outcomes.iter();
        let sum: BigRational = outcomes
            .map(|&(to, w)| by_decisions(game, to, left) * BigInt::from(w))
            .sum();
        integer(law.reward) + sum / BigInt::from(law.total())
    };
    match &game.rows[state] {
        Row::End(score) => integer(*score),
        Row::Chance(law) => follow(law, left),
        Row::Choices(_, _) if left == 0 => integer(0),
        Row::Choices(player, laws) => {
            let all = laws.iter().map(|law| follow(law, left - 1));
            match player {
                Player::Max => all.max().unwrap(),
                Player::Min => all.min().unwrap(),
            }
        }
    }
}

/// Endless tosses; each head pays 1.
struct ForEver;

impl Game for ForEver {
    type State = bool;
    type Action = ();

    fn expand(&self, &heads: &bool, node: &mut Node<Self>) {
        let mut toss = node.chance();
        toss.to(true, 1).to(false, 1);
        if heads {
            toss.reward(1);
        }
    }
}

#[test]
fn a_game_without_end_has_a_value_if_discounted() {
    assert!(matches!(
        Solver::exact().allow_cycles().solve(&ForEver, false).err(),
        Some(Error::EndlessCycle { .. } | Error::RewardInCycle { .. })
    ));
    // Twenty steps give ten heads, less the one that could be first.
    let horizon = Horizon::new(&ForEver);
    let solution = Solver::exact()
        .solve(&horizon, Staged::new(20, false))
        .unwrap();
    assert_eq!(solution.value(), ratio(19, 2));
}

#[test]
fn three_machines_for_ever() {
    // Repair or continue: the two states of a machine, discounted by 9/10, in an endless loop of
    // decisions; the score is paid on leaving for good.
    let machine = Table::from_fn(4, |state, row| match state {
        0 => row.end(0),
        1 => row.end(10),
        2 => {
            row.choice().to(1, 1); // sell it now
            row.choice().to(2, 1).to(3, 1); // wait
        }
        _ => {
            row.choice().to(0, 1);
            row.choice().to(2, 1); // repair it
        }
    })
    .unwrap();
    let discounted = Discounted::new(&machine, (9, 10)).unwrap();
    let solution = Solver::exact()
        .allow_cycles()
        .solve(&discounted, Some(3))
        .unwrap();
    assert_eq!(solution.value_of(&Some(2)).unwrap(), integer(9));
    assert_eq!(solution.value(), ratio(81, 10));
    let float = Solver::float()
        .allow_cycles()
        .solve(&discounted, Some(3))
        .unwrap();
    assert!((float.value() - 8.1).abs() < 1e-12);
}

#[test]
fn two_players_round_and_round() {
    // The player with the ball may keep it at the other's cost; without a discount this is
    // rejected.
    let ball = Table::from_fn(4, |state, row| match state {
        0 => row.end(-1),
        1 => row.end(1),
        2 => {
            row.choice().to(3, 1);
            row.choice().to(1, 1).to(0, 1);
        }
        _ => {
            row.opponent();
            row.choice().to(2, 1);
            row.choice().to(1, 1);
        }
    })
    .unwrap();
    let plain = Solver::exact().allow_cycles().solve_table(&ball, 2).err();
    assert!(matches!(plain, Some(Error::CycleOfBoth { .. })));
    let discounted = Discounted::new(&ball, (1, 2)).unwrap();
    let solution = Solver::exact()
        .allow_cycles()
        .solve(&discounted, Some(2))
        .unwrap();
    // Going on for ever is best.
    assert_eq!(solution.value(), integer(0));
}

#[test]
fn weights_that_no_longer_fit_become_wide() {
    let big = u64::MAX / 2;
    let table = Table::from_fn(3, |state, row| match state {
        0 | 1 => row.end(state),
        _ => {
            row.choice().to(0, big).to(1, big).to(2, 1);
        }
    })
    .unwrap();
    let gamma = ratio(i64::MAX - 1, i64::MAX);
    let discounted = Discounted::new(&table, gamma.clone()).unwrap();
    let solution = Solver::exact().solve(&discounted, Some(2)).unwrap();
    let (b, one) = (BigRational::from_integer(big.into()), BigRational::one());
    let total = &b + &b + &one;
    // v (1 − γ/total) = γ b/total
    assert_eq!(solution.value(), &gamma * b / (total - gamma));
    // A float is taken at its exact value.
    let tenth = Discounted::new(&table, 0.1).unwrap();
    let solution = Solver::exact().solve(&tenth, Some(2)).unwrap();
    assert!((Score::from(solution.value()).to_f64() - 0.05).abs() < 1e-12);
}

#[test]
fn factors_that_are_none() {
    for factor in [
        Score::from(0),
        Score::from(-1),
        Score::from((10, 9)),
        Score::from((1, 0)),
    ] {
        let error = Discounted::new(&ForEver, factor).err();
        assert!(matches!(error, Some(Error::BadParameter { .. })));
    }
    assert!(Discounted::new(&ForEver, f64::NAN).is_err());
    let one = Discounted::new(&ForEver, 1).unwrap();
    let node = Node::of(&one, &Some(true)).unwrap();
    assert_eq!(node.outcomes(0), [(Some(true), 1), (Some(false), 1)]);
    assert_eq!(node.reward(0), Some(&Score::from(1)));
}

#[test]
fn limits_and_strange_states() {
    let horizon = Horizon::new(&ForEver);
    let limited = Solver::exact()
        .max_states(10)
        .stages(&horizon, false, 10)
        .err();
    assert_eq!(limited, Some(Error::TooManyStates { limit: 10 }));
    let limited = Solver::exact()
        .max_states(10)
        .stages(&horizon, false, u32::MAX)
        .err();
    assert_eq!(limited, Some(Error::TooManyStates { limit: 10 }));
    let limited = Solver::exact()
        .max_states(8)
        .stages(&horizon, false, 5)
        .err();
    assert_eq!(limited, Some(Error::TooManyStates { limit: 8 }));
    let stages = Solver::exact()
        .max_states(11)
        .stages(&horizon, false, 5)
        .unwrap();
    assert_eq!(stages.len(), 11);
    assert!(matches!(
        stages.value_of(6, &false).err(),
        Some(Error::UnknownState { .. })
    ));
    assert!(matches!(
        stages.value_of(5, &true).err(),
        Some(Error::UnknownState { .. })
    ));

    // A horizon of 0 steps does not call the game.
    let broken = Table::from_fn(2, |state, row| match state {
        0 => row.end(7),
        _ => {
            row.choice().to(0, 1);
        }
    })
    .unwrap();
    let worthless = Horizon::new(&broken).unfinished(|_| f64::NAN);
    let error = Solver::exact().solve(&worthless, Staged::new(0, 1)).err();
    assert!(matches!(error, Some(Error::BadScore { .. })));
    assert_eq!(
        Solver::exact()
            .solve(&worthless, Staged::new(1, 1))
            .unwrap()
            .value(),
        integer(7)
    );
}

#[test]
fn a_horizon_is_a_game_like_any_other() {
    // Solved lazily, and played as a policy.
    let stair = Table::from_fn(9, |step, row| match step {
        0 | 1 => row.end(step),
        _ => {
            row.choice().to(step - 1, 1).to(step - 2, 1);
            row.choice().to(step - 2, 1);
        }
    })
    .unwrap();
    let horizon = Horizon::new(&stair).unfinished(|&step| (step as i64, 10));
    let eager = Solver::exact().solve(&horizon, Staged::new(3, 8)).unwrap();
    let lazy = Lazy::exact().solve(&horizon, Staged::new(3, 8)).unwrap();
    assert_eq!(lazy.value(), eager.value());
    let always = |_: &Staged<usize>, _: &[usize]| 1;
    let played = Played::new(&horizon, always);
    let solution = Solver::exact().solve(&played, Staged::new(3, 8)).unwrap();
    assert_eq!(solution.value(), ratio(2, 10));
}
