//! Rewards on the way: every number type compared with simple recursion, and the theorems on
//! totals.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::paid::Paid;
use crate::plain::{Plain, Row};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use oddsmith_mdp::{
    AtRandom, Error, Game, Generated, Lazy, Node, Number, Played, Player, Policy, Score, Solver,
    Table, Tolerance,
};
use quickcheck::{TestResult, quickcheck};

fn exactly(float: f64) -> BigRational {
    BigRational::from_float(float).unwrap()
}

fn ratio(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

/// Values, decisions, ties and gaps of an exact solution.
macro_rules! check_exact {
    ($solution:expr, $model:expr, $values:expr) => {{
        let (solution, model, values) = ($solution, $model, $values);
        for (state, value) in solution.states() {
            assert_eq!(value, values[state], "value of {state}");
            let all = model.choices(state, values);
            for choice in solution.choices(&state).unwrap() {
                assert_eq!(Some(&choice.value), all[choice.action].as_ref());
                assert_eq!(choice.gap, (&value - &choice.value).abs());
                assert_eq!(choice.optimal, choice.value == value);
            }
            let first = all.iter().position(|worth| worth.as_ref() == Some(&value));
            assert_eq!(solution.decision(&state).unwrap(), first);
        }
    }};
}

/// Every value within its error bound.
macro_rules! check_float {
    ($solution:expr, $model:expr, $values:expr) => {{
        let (solution, model, values) = ($solution, $model, $values);
        for (state, value) in solution.states() {
            let error = (exactly(value) - &values[state]).abs();
            let bound = solution.error(&state).unwrap();
            assert!(
                bound.is_infinite() || error <= exactly(bound),
                "{state}: {value} ± {bound} instead of {}",
                values[state]
            );
            for choice in solution.choices(&state).unwrap() {
                let best =
                    model.choices(state, values)[choice.action] == Some(values[state].clone());
                assert!(choice.optimal || !best, "{choice:?} of {state} is best");
            }
        }
    }};
}

macro_rules! check_enclosed {
    ($solution:expr, $model:expr, $values:expr) => {{
        let (solution, model, values) = ($solution, $model, $values);
        for (state, _) in solution.states() {
            let (lower, upper) = solution.enclosure(&state).unwrap();
            let value = &values[state];
            assert!(exactly(lower) <= *value, "{state}: {lower} above {value}");
            assert!(exactly(upper) >= *value, "{state}: {upper} below {value}");
            if let Some(decision) = solution.decision(&state).unwrap()
                && solution.is_proven(&state).unwrap()
            {
                assert_eq!(model.choices(state, values)[decision].as_ref(), Some(value));
            }
        }
    }};
}

/// The reason why floats cannot hold the first state that is rejected on its own, if any.
fn first_refused<N: Number>(
    model: &Paid,
    solver: impl Fn() -> Solver<'static, N>,
) -> Option<Error> {
    (0..=model.start()).find_map(|state| solver().solve(model, state).err())
}

/// The results for all states, or none if one of them is rejected on its own: then all are, for the
/// same reason. Solved from its start, a model may contain more, since states that play never
/// reaches are not examined.
#[track_caller]
fn whole<T>(found: Result<T, Error>, refused: Option<&Error>) -> Option<T> {
    match (found, refused) {
        (Ok(found), None) => Some(found),
        (Ok(_), Some(refused)) => panic!("held, though {refused:?}"),
        (Err(error), refused) => {
            assert!(matches!(error, Error::RewardBeyondFloat { .. }), "{error}");
            assert_eq!(Some(&error), refused);
            None
        }
    }
}

quickcheck! {
    fn exact_totals(model: Paid) -> bool {
        let values = model.values();
        let start = model.start();
        check_exact!(Solver::exact().solve(&model, start).unwrap(), &model, &values);
        check_exact!(Solver::exact().solve_indexed(&model, start).unwrap(), &model, &values);
        let table = model.table();
        check_exact!(Solver::exact().solve_table(&table, start).unwrap(), &model, &values);
        check_exact!(Solver::exact().solve(&table, start).unwrap(), &model, &values);
        let rows = Generated::falling(start + 1, |state, row: &mut _| model.write(state, row)).unwrap();
        check_exact!(Solver::exact().solve_table(&rows, start).unwrap(), &model, &values);
        check_exact!(Solver::exact().solve(&rows, start).unwrap(), &model, &values);
        let cyclic = Solver::exact().allow_cycles();
        check_exact!(cyclic.solve(&model, start).unwrap(), &model, &values);
        true
    }

    fn float_totals(model: Paid) -> bool {
        let values = model.values();
        let start = model.start();
        if let Ok(solution) = Solver::float().solve(&model, start) {
            check_float!(solution, &model, &values);
            let cyclic = Solver::float().allow_cycles().solve(&model, start).unwrap();
            check_float!(cyclic, &model, &values);
        }
        let refused = first_refused(&model, Solver::float);
        let table = model.table();
        let found = Solver::float().solve_table(&table, start);
        if let Some(solution) = whole(found, refused.as_ref()) {
            check_float!(solution, &model, &values);
        }
        let found = Solver::float().solve_indexed(&model, start);
        if let Some(solution) = whole(found, refused.as_ref()) {
            check_float!(solution, &model, &values);
        }
        true
    }

    fn certified_totals(model: Paid) -> bool {
        let values = model.values();
        let start = model.start();
        if let Ok(solution) = Solver::certified().solve(&model, start) {
            check_enclosed!(solution, &model, &values);
            let solution = Solver::certified().allow_cycles().solve(&model, start).unwrap();
            check_enclosed!(solution, &model, &values);
            let certified = Solver::certified().certify(&model, start).unwrap();
            assert_eq!(certified.value(), values[start]);
            for (state, value) in certified.states() {
                assert_eq!(value, values[state]);
            }
            let played = Played::new(&model, &certified).by_both();
            assert_eq!(Solver::exact().solve(&played, start).unwrap().value(), values[start]);
        }
        let refused = first_refused(&model, Solver::certified);
        let table = model.table();
        let found = Solver::certified().solve_table(&table, start);
        if let Some(solution) = whole(found, refused.as_ref()) {
            check_enclosed!(solution, &model, &values);
        }
        let found = Solver::certified().certify_indexed(&model, start);
        if let Some(boxed) = whole(found, refused.as_ref()) {
            for (state, value) in boxed.states() {
                assert_eq!(value, values[state]);
            }
        }
        true
    }

    /// A mixed policy receives the mean reward.
    fn policies(model: Paid) -> bool {
        let start = model.start();
        let mut values: Vec<BigRational> = Vec::new();
        for (state, row) in model.plain.rows.iter().enumerate() {
            values.push(match row {
                Row::End(score) => score.clone(),
                Row::Choices(_, choices) => {
                    // All choices are equally likely, including those that stay.
                    let (mut sum, mut staying) = (BigRational::zero(), BigRational::zero());
                    let share = ratio(1, choices.len() as i64);
                    for (choice, reward) in choices.iter().zip(&model.rewards[state]) {
                        let total: BigInt = choice.iter().map(|o| BigInt::from(o.1.clone())).sum();
                        sum += reward * &share;
                        for (to, weight) in choice {
                            let p = BigRational::new(weight.clone().into(), total.clone()) * &share;
                            if *to == state {
                                staying += p;
                            } else {
                                sum += p * &values[*to];
                            }
                        }
                    }
                    sum / (ratio(1, 1) - staying)
                }
            });
        }
        let both = Played::new(&model, AtRandom).by_both();
        let solution = Solver::exact().solve(&both, start).unwrap();
        for (state, value) in solution.states() {
            assert_eq!(value, values[state]);
        }
        true
    }

    fn totals_are_linear_in_rewards(model: Paid, factor: u8) -> bool {
        // Scaling scores and rewards by a factor of either sign scales the values.
        let factor = ratio(i64::from(factor) + 1, 7);
        let rows = model.plain.rows.iter().map(|row| match row {
            Row::End(score) => Row::End(score * &factor),
            row => row.clone(),
        });
        let scaled = Paid {
            plain: Plain { rows: rows.collect() },
            rewards: model.map(|_, _, r| r * &factor).rewards,
        };
        let start = model.start();
        let solution = Solver::exact().solve(&scaled, start).unwrap();
        let before = Solver::exact().solve(&model, start).unwrap();
        for (state, value) in before.states() {
            assert_eq!(solution.value_of(&state).unwrap(), value * &factor);
            assert_eq!(solution.best(&state).unwrap(), before.best(&state).unwrap());
        }
        true
    }

    /// A. Y. Ng, D. Harada and S. Russell, "Policy invariance under reward
    /// transformations", ICML 1999: rewards F(s, s') = Φ(s') − Φ(s), here as their
    /// means, change no decision, and the value by Φ(end) − Φ(s).
    fn potentials_change_no_decision(model: Paid, potential: Vec<i8>) -> TestResult {
        let phi = |state: usize| match &model.plain.rows[state] {
            Row::End(_) => BigRational::zero(),
            Row::Choices(..) => ratio(
                potential.get(state).copied().unwrap_or(3).into(),
                1 + state as i64 % 3,
            ),
        };
        let shaped = model.map(|state, choice, reward| {
            let Row::Choices(_, choices) = &model.plain.rows[state] else {
                return reward.clone();
            };
            let total: BigInt = choices[choice].iter().map(|o| BigInt::from(o.1.clone())).sum();
            let next = choices[choice].iter().fold(BigRational::zero(), |sum, (to, weight)| {
                sum + phi(*to) * BigInt::from(weight.clone())
            });
            reward + next / total - phi(state)
        });
        let start = model.start();
        let before = Solver::exact().solve(&model, start).unwrap();
        let after = Solver::exact().solve(&shaped, start).unwrap();
        for (state, value) in before.states() {
            assert_eq!(after.value_of(&state).unwrap(), value - phi(state));
            assert_eq!(after.best(&state).unwrap(), before.best(&state).unwrap());
            assert_eq!(after.decision(&state).unwrap(), before.decision(&state).unwrap());
        }
        TestResult::passed()
    }

    fn tolerances(model: Paid, p: u8, relative: bool) -> bool {
        let rule = if relative {
            Tolerance::relative(p.into(), 100)
        } else {
            Tolerance::absolute(p.into(), 100)
        }.unwrap();
        let margin = ratio(p.into(), 100);
        let mut values: Vec<BigRational> = Vec::new();
        let mut decisions = Vec::new();
        for (state, row) in model.plain.rows.iter().enumerate() {
            let (value, decided) = match row {
                Row::End(score) => (score.clone(), None),
                Row::Choices(player, _) => {
                    let all = model.choices(state, &values);
                    let mut best: Option<(BigRational, usize)> = None;
                    for (choice, value) in all.into_iter().enumerate() {
                        let Some(value) = value else { continue };
                        let better = best.as_ref().is_none_or(|(best, _)| match player {
                            Player::Min => value < *best,
                            Player::Max if relative => &value - best > &margin * best.abs(),
                            Player::Max => &value - best > margin,
                        });
                        if better {
                            best = Some((value, choice));
                        }
                    }
                    let (value, choice) = best.unwrap();
                    (value, Some(choice))
                }
            };
            values.push(value);
            decisions.push(decided);
        }
        let solution = Solver::exact().tolerance(rule).solve(&model, model.start()).unwrap();
        for (state, value) in solution.states() {
            assert_eq!(value, values[state]);
            assert_eq!(solution.decision(&state).unwrap(), decisions[state]);
        }
        true
    }
}

/// A path of `n` steps, each paying `reward`, to an end of 7.
fn path(n: usize, reward: impl Into<Score> + Clone) -> Table {
    Table::from_fn(n + 1, |state, row| match state {
        0 => row.end(7),
        _ => {
            row.choice().to(state - 1, 1).reward(reward.clone());
        }
    })
    .unwrap()
}

#[test]
fn a_constant_over_exactly_n_steps() {
    for n in [1, 2, 1000] {
        for reward in [
            ratio(1, 1),
            ratio(-3, 1),
            ratio(5, 9),
            ratio(i64::MAX, 1),
            ratio(0, 1),
        ] {
            let table = path(n, &reward);
            let wanted = ratio(7, 1) + &reward * BigInt::from(n);
            assert_eq!(
                Solver::exact().solve_table(&table, n).unwrap().value(),
                wanted
            );
            let float = Solver::float().solve_table(&table, n).unwrap();
            let error = (exactly(float.value()) - &wanted).abs();
            assert!(error <= exactly(float.error(&n).unwrap()));
            let certified = Solver::certified().solve_table(&table, n).unwrap();
            let (lower, upper) = certified.enclosure(&n).unwrap();
            assert!(exactly(lower) <= wanted && wanted <= exactly(upper));
        }
    }
    // Also if chance decides the steps.
    let braid = Table::from_fn(21, |state, row| match state {
        0 => row.end(0),
        1 | 2 => {
            row.choice().to(0, 1).reward((1, 4));
        }
        _ => {
            let below = (state - 1) / 2 * 2;
            row.choice().to(below, 1).to(below - 1, 2).reward((1, 4));
        }
    })
    .unwrap();
    let value = Solver::exact().solve_table(&braid, 20).unwrap().value();
    assert_eq!(value, ratio(10, 4));
}

/// With a reward of 1 for each step, the value is the expected number of steps.
#[test]
fn the_expected_length() {
    struct Race;
    impl Game for Race {
        type State = u32;
        type Action = ();
        fn expand(&self, &square: &u32, node: &mut Node<Self>) {
            if square >= 30 {
                return node.end(0);
            }
            let mut roll = node.chance();
            roll.reward(1);
            for pips in 1..=6 {
                // The last square must be reached exactly.
                let next = square + pips;
                roll.to(if next > 30 { square } else { next }, 1);
            }
        }
    }
    let solution = Solver::exact().solve(&Race, 0).unwrap();
    let forecast = solution.forecast().unwrap();
    assert_eq!(solution.value(), forecast.expected_count(|_| true).unwrap());
    let float = Solver::float().solve(&Race, 0).unwrap();
    let error = (exactly(float.value()) - solution.value()).abs();
    assert!(error <= exactly(float.error(&0).unwrap()));
}

#[track_caller]
fn refused(write: impl Fn(&mut Node<Bad>) + 'static, wanted: &Error) {
    let bad = Bad(Box::new(write));
    assert_eq!(
        Node::of(&bad, &1)
            .err()
            .or_else(|| Solver::exact().solve(&bad, 1).err())
            .as_ref(),
        Some(wanted)
    );
    assert_eq!(Solver::float().solve(&bad, 1).err().as_ref(), Some(wanted));
    assert!(!wanted.to_string().is_empty());
}

type Write = Box<dyn Fn(&mut Node<Bad>)>;

struct Bad(Write);

impl Game for Bad {
    type State = u8;
    type Action = &'static str;
    fn expand(&self, &state: &u8, node: &mut Node<Self>) {
        match state {
            0 => node.end(0),
            _ => (self.0)(node),
        }
    }
}

#[test]
fn bad_rewards() {
    let bad = |action: &str| Error::BadReward {
        state: "1".into(),
        action: action.into(),
    };
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        refused(
            move |node| {
                node.choice("fine").to(0, 1).reward(1);
                node.choice("bad").to(0, 1).reward(number);
            },
            &bad("\"bad\""),
        );
        refused(
            move |node| {
                node.chance().reward(1).reward(number).to(0, 1);
            },
            &bad("chance"),
        );
    }
    refused(
        |node| {
            node.choice("bad").to(0, 1).reward((1, 0));
        },
        &bad("\"bad\""),
    );
    let table = Table::from_fn(2, |state, row| match state {
        0 => row.end(0),
        _ => {
            row.choice().to(0, 1).reward(f64::NAN);
        }
    });
    assert_eq!(table.err(), Some(bad("0")));
    let early = Table::from_fn(1, |_, row| {
        row.reward(1).end(3);
    });
    assert!(matches!(early.err(), Some(Error::Malformed { .. })));
}

#[test]
fn endless_gains() {
    let endless = |action: &str| Error::EndlessGain {
        state: "1".into(),
        action: action.into(),
    };
    refused(
        |node| {
            node.choice("go").to(0, 1);
            node.choice("stay").to(1, 5).reward((1, 1_000_000));
        },
        &endless("\"stay\""),
    );
    refused(
        |node| {
            node.opponent();
            node.choice("stay").to(1, 1).reward(-1);
            node.choice("go").to(0, 1);
        },
        &endless("\"stay\""),
    );
    let table = Table::from_fn(2, |state, row| match state {
        0 => row.end(0),
        _ => {
            row.choice().to(0, 1);
            row.choice().to(1, 1).reward(1);
        }
    });
    assert_eq!(table.err(), Some(endless("1")));
    // The player who pays for it leaves.
    for (player, reward) in [
        (Player::Max, -1),
        (Player::Min, 1),
        (Player::Max, 0),
        (Player::Min, 0),
    ] {
        let table = Table::from_fn(2, |state, row| match state {
            0 => row.end(5),
            _ => {
                if player == Player::Min {
                    row.opponent();
                }
                row.choice().to(1, 1).reward(reward);
                row.choice().to(0, 1).reward(reward);
            }
        })
        .unwrap();
        let solution = Solver::exact().solve_table(&table, 1).unwrap();
        assert_eq!(solution.value(), ratio(5 + reward, 1));
        assert_eq!(solution.decision(&1).unwrap(), Some(1));
    }
}

#[test]
fn totals_beyond_floats() {
    let huge = 1e280;
    let near = path(1, huge);
    assert_eq!(
        Solver::float().solve_table(&near, 1).unwrap().value(),
        1e280
    );
    let beyond = |table: &Table, start: usize| {
        let wanted = |error: Option<Error>| matches!(error, Some(Error::RewardBeyondFloat { .. }));
        wanted(Solver::float().solve_table(table, start).err())
            && wanted(Solver::certified().solve_table(table, start).err())
            && Solver::exact().solve_table(table, start).is_ok()
    };
    assert!(beyond(&path(1, 1e300), 1));
    let enormous = BigRational::from_integer(BigInt::from(10).pow(400));
    assert!(beyond(&path(1, enormous), 1));
    // 10²⁸⁰ tried 2⁶³ times.
    let again = Table::from_fn(2, |state, row| match state {
        0 => row.end(0),
        _ => {
            row.choice().to(0, 1).to(1, (1 << 63) - 1).reward(huge);
        }
    })
    .unwrap();
    assert!(beyond(&again, 1));
    let value = Solver::exact().solve_table(&again, 1).unwrap().value();
    assert_eq!(value, exactly(huge) * BigInt::from(1_u64 << 63));
}

/// A table is solved for all of its states, a game only for reachable ones.
#[test]
fn a_total_beyond_floats_that_play_never_comes_to() {
    let table = Table::from_fn(4, |state, row| match state {
        0 => row.end(7),
        2 => {
            row.choice().to(1, 1);
            row.choice().to(0, 1).reward(1e300);
        }
        _ => {
            row.choice().to(0, 1).reward(1);
        }
    })
    .unwrap();
    let wanted = Some(Error::RewardBeyondFloat {
        state: "2".into(),
        action: "1".into(),
    });
    assert_eq!(Solver::float().solve_table(&table, 3).err(), wanted);
    assert_eq!(Solver::certified().solve_table(&table, 3).err(), wanted);
    assert_eq!(Solver::certified().certify_table(&table, 3).err(), wanted);
    assert_eq!(Solver::float().solve(&table, 3).unwrap().value(), 8.0);
    let certified = Solver::certified().certify(&table, 3).unwrap();
    assert_eq!(certified.value(), ratio(8, 1));
    let exact = Solver::exact().solve_table(&table, 3).unwrap();
    assert_eq!(exact.value_of(&2).unwrap(), exactly(1e300) + ratio(7, 1));
}

#[test]
fn memory_for_totals_is_counted() {
    let table = path(1000, 1);
    let float = |bytes: u128| {
        let solver = Solver::float().max_bytes(bytes * 1001);
        solver.solve_table(&table, 1000).err()
    };
    // The values themselves fit into 15 bytes each, but not what they add up to.
    for bytes in [12, 15] {
        let error = float(bytes);
        let what = "their values";
        assert!(
            matches!(&error, Some(Error::TooMuchMemory { what: told, .. }) if *told == what),
            "{error:?}"
        );
    }
    assert_eq!(float(20), None);
    let error = Solver::exact()
        .max_bytes(30 * 1001)
        .solve_table(&table, 1000)
        .err();
    assert!(
        matches!(error, Some(Error::TooMuchMemory { .. })),
        "{error:?}"
    );
}

#[test]
fn lazy_solvers_refuse_rewards() {
    let paying = Bad(Box::new(|node| {
        node.choice("go").to(0, 1).reward(1);
    }));
    let error = Lazy::exact().solve(&paying, 1).err();
    assert_eq!(error, Some(Error::RewardInLazy { state: "1".into() }));
    // No rewards give 0.
    let free = Bad(Box::new(|node| {
        node.choice("go").to(0, 1).reward(1).reward(-1);
    }));
    assert_eq!(Lazy::exact().solve(&free, 1).unwrap().value(), ratio(0, 1));
}

/// The value and the decision of a solution agree with the evaluation of its policies.
#[test]
fn solutions_are_policies() {
    struct Always(usize);
    impl Policy<Paid> for Always {
        fn weigh(&self, _: &usize, _: &[usize], weights: &mut [u64]) {
            let choice = self.0.min(weights.len() - 1);
            weights[choice] = 1;
        }
    }
    let model = Paid {
        plain: Plain {
            rows: vec![
                Row::End(ratio(0, 1)),
                Row::End(ratio(10, 1)),
                Row::Choices(
                    Player::Max,
                    vec![
                        vec![(0, 1_u8.into()), (1, 1_u8.into())],
                        vec![(0, 1_u8.into()), (1, 4_u8.into()), (2, 5_u8.into())],
                    ],
                ),
            ],
        },
        rewards: vec![vec![], vec![], vec![ratio(0, 1), ratio(-1, 1)]],
    };
    let values = [0, 1].map(|choice| {
        let evaluated = Solver::exact().evaluate(&model, Always(choice), 2);
        evaluated.unwrap().value()
    });
    // 8 for two tries.
    assert_eq!(values, [ratio(5, 1), ratio(6, 1)]);
    let solution = Solver::exact().solve(&model, 2).unwrap();
    assert_eq!(
        (solution.value(), solution.decision(&2).unwrap()),
        (ratio(6, 1), Some(1))
    );
    let text = solution.explain(&2).unwrap().to_string();
    assert!(text.contains('6') && text.contains('5'), "{text}");
}
