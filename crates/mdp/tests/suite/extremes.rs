//! Extreme numbers: tiny and huge rewards, maximal weights, almost certain self-loops, long chains
//! and wide states, in every number type and in games with cycles.

use std::collections::HashSet;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use oddsmith_mdp::{
    Aimed, Bounds, Discounted, Error, Horizon, MatrixGame, Objective, Player, Score, Solver,
    Staged, Table, Tallied, Totalled,
};
use quickcheck::{Arbitrary, Gen, quickcheck};

type Ratio = BigRational;

fn exactly(float: f64) -> Ratio {
    BigRational::from_float(float).unwrap()
}

fn ratio(n: i64, d: i64) -> Ratio {
    BigRational::new(n.into(), d.into())
}

fn pick<T: Clone>(g: &mut Gen, from: &[T]) -> T {
    g.choose(from).unwrap().clone()
}

/// Consecutive Fibonacci numbers over each other: their quotients have as many parts as possible in
/// common.
fn golden(n: u32) -> (Ratio, Ratio) {
    let (mut a, mut b) = (BigInt::one(), BigInt::one());
    for _ in 0..n {
        (a, b) = (b.clone(), a + b);
    }
    let c = &a + &b;
    (Ratio::new_raw(a, b.clone()), Ratio::new_raw(b, c))
}

/// Regression tests: such fractions were compared and hashed quotient by quotient, one within the
/// other, until the stack overflowed, which ends the process.
#[test]
fn long_fractions_do_not_go_too_deep() {
    let (one, other) = golden(30_000);
    let table = Table::from_fn(4, |state, row| match state {
        0 => row.end(&one),
        1 => row.end(&other),
        2 => {
            row.choice().to(0, 1).reward(&one);
            row.choice().to(0, 1).reward(&other);
        }
        _ => {
            row.choice().to(0, 1).to(1, 1);
        }
    })
    .unwrap();
    let first = one.numer() * other.denom() > other.numer() * one.denom();
    let best = if first { &one } else { &other };
    let solution = Solver::exact().solve_table(&table, 2).unwrap();
    assert_eq!(
        solution.value_of(&2).unwrap().numer(),
        (&one + best).numer()
    );
    let reached = Aimed::new(&table, Objective::at_least(one.clone()));
    let reached = Solver::exact().solve(&reached, 3).unwrap();
    assert_eq!(
        reached.value(),
        if first { ratio(1, 2) } else { ratio(1, 1) }
    );
    let matrix = MatrixGame::new([[&one, &other], [&other, &one]]).unwrap();
    assert!(matrix.saddle_points().is_empty());
    assert_eq!(matrix.maximin().strategies, [0, 1]);
    let tallied = |total: &Ratio| Tallied {
        total: total.clone(),
        state: 0,
    };
    let both: HashSet<Tallied<u8>> = [&one, &other, &one].map(tallied).into();
    assert_eq!(both.len(), 2);
    assert_ne!(tallied(&one), tallied(&other));
    let halves = [Ratio::new_raw(2.into(), 4.into()), ratio(1, 2)];
    assert_eq!(HashSet::from(halves.map(|total| tallied(&total))).len(), 1);
}

/// Regression tests: so were scores in a distribution, chances in a game with cycles, and the ends
/// of two bounds.
#[test]
fn long_fractions_are_sorted_as_results() {
    let (one, other) = golden(30_000);
    let low = if one.numer() * other.denom() < other.numer() * one.denom() {
        &one
    } else {
        &other
    };
    let table = Table::from_fn(4, |state, row| match state {
        0 => row.end(&one),
        1 => row.end(&other),
        2 => {
            row.choice().to(0, 1).to(1, 2);
        }
        _ => row.end(0),
    })
    .unwrap();
    let solution = Solver::exact().solve_table(&table, 2).unwrap();
    let scores = solution.forecast().unwrap().scores().unwrap();
    assert_eq!(scores.support()[0], Score::from(low));
    assert_eq!(scores.p(&Score::from(&other)), ratio(2, 3));
    assert_eq!(scores.mean().numer(), solution.value().numer());

    let weight = |number: &BigInt| number.magnitude().clone();
    let ways = Table::from_fn(5, |state, row| match state {
        0 | 1 => row.end(1),
        2 => {
            row.choice().to(3, 1).to(4, 1);
        }
        _ => {
            let chance = [&one, &other][state - 3];
            let rest = chance.denom() - chance.numer();
            row.choice()
                .to_wide(state - 3, weight(chance.numer()))
                .to_wide(2, weight(&rest));
        }
    })
    .unwrap();
    let cyclic = Solver::exact().allow_cycles();
    let cyclic = cyclic.solve_table(&ways, 2).unwrap();
    let line = cyclic.likeliest_line().unwrap();
    let best = usize::from(low.numer() == one.numer());
    assert_eq!(line.end, best);

    let given = |low: &Ratio| {
        let low = Score::from(low);
        move |_: &usize| (low.clone(), Score::from(1))
    };
    let both = (given(&one), given(&other));
    let tighter = Bounds::<usize>::lower(&both, &0);
    assert_eq!(tighter, Some(Score::from([&one, &other][best])));
}

/// A choice: its reward, and its outcomes with their weights.
type Way = (Ratio, Vec<(usize, BigUint)>);

/// A game of either player that may return; in every state the first choice sometimes ends at once.
/// State 0 is the end.
#[derive(Clone, Debug)]
struct Extreme {
    score: Ratio,
    player: Player,
    ways: Vec<Vec<Way>>,
}

impl Arbitrary for Extreme {
    fn arbitrary(g: &mut Gen) -> Self {
        let states = 1 + usize::arbitrary(g) % 6;
        let player = pick(g, &[Player::Max, Player::Min]);
        let sizes: &[Ratio] = match u8::arbitrary(g) % 4 {
            0 => &[exactly(5e-324), exactly(1e-310), Ratio::zero()],
            1 => &[exactly(1e250), ratio(1, 3), exactly(1e-300)],
            2 => &[ratio(i64::MAX, 1), ratio(1, i64::MAX), ratio(5, 7)],
            _ => &[ratio(1, 1), ratio(2, 3), Ratio::zero()],
        };
        let kind = u8::arbitrary(g) % 4;
        let mut weight = || -> BigUint {
            let small = BigUint::from(1 + u64::arbitrary(g) % 6);
            match kind {
                0 => small,
                1 => pick(g, &[BigUint::from(1_u8 << 3), BigUint::from(u64::MAX >> 4)]),
                2 => small << pick(g, &[0_u32, 20, 61]),
                _ => small << pick(g, &[0_u32, 64, 90]),
            }
        };
        let weights: Vec<BigUint> = (0..200).map(|_| weight()).collect();
        let mut next = weights.into_iter().cycle();
        let ways = (1..=states).map(|own| {
            let count = 1 + usize::arbitrary(g) % 3;
            let ways = (0..count).map(|way| {
                let mut outcomes: Vec<(usize, BigUint)> = (0..1 + usize::arbitrary(g) % 3)
                    .map(|_| (usize::arbitrary(g) % (states + 1), next.next().unwrap()))
                    .collect();
                if way == 0 {
                    outcomes.push((0, BigUint::one()));
                } else if outcomes.iter().all(|(to, _)| *to == own) {
                    outcomes.push((own - 1, BigUint::one()));
                }
                let size = pick(g, sizes);
                // The deciding player pays for going round.
                let pays = match player {
                    Player::Max => -size,
                    Player::Min => size,
                };
                (pays, outcomes)
            });
            ways.collect()
        });
        let ways = ways.collect();
        Extreme {
            score: pick(g, sizes) * pick(g, &[ratio(1, 1), ratio(-1, 1)]),
            player,
            ways,
        }
    }
}

impl Extreme {
    fn table(&self) -> Table {
        Table::from_fn(self.ways.len() + 1, |state, row| {
            if state == 0 {
                return row.end(&self.score);
            }
            if self.player == Player::Min {
                row.opponent();
            }
            for (pays, outcomes) in &self.ways[state - 1] {
                row.choice().reward(pays);
                for (to, weight) in outcomes {
                    match weight.to_u64().filter(|w| w >> 60 == 0) {
                        Some(weight) => row.to(*to, weight),
                        None => row.to_wide(*to, weight.clone()),
                    };
                }
            }
        })
        .unwrap()
    }

    /// r + Σ p v for every choice, the state itself among its outcomes.
    fn worth(&self, (pays, outcomes): &Way, values: &[Ratio]) -> Ratio {
        let total: BigUint = outcomes.iter().map(|(_, weight)| weight).sum();
        let parts = outcomes.iter();
        let parts = parts.map(|(to, w)| &values[*to] * BigInt::from(w.clone()));
        pays + parts.sum::<Ratio>() / BigInt::from(total)
    }

    /// Whether these are the values: the optimality equation has one solution, since going round
    /// for ever has a cost, and no free cycle lacks an exit by the first choice.
    fn solves(&self, values: &[Ratio]) -> bool {
        let fits = |(state, ways): (usize, &Vec<Way>)| {
            let all = ways.iter().map(|way| self.worth(way, values));
            let best = match self.player {
                Player::Max => all.max(),
                Player::Min => all.min(),
            };
            best.as_ref() == Some(&values[state + 1])
        };
        values[0] == self.score && self.ways.iter().enumerate().all(fits)
    }
}

quickcheck! {
    fn in_cycles(game: Extreme) -> bool {
        let table = game.table();
        let start = game.ways.len();
        let exact = Solver::exact().allow_cycles().solve_table(&table, start).unwrap();
        let values: Vec<Ratio> = (0..=start).map(|s| exact.value_of(&s).unwrap()).collect();
        assert!(game.solves(&values), "{values:?}");
        for state in 1..=start {
            let decided = exact.decision(&state).unwrap().unwrap();
            let worth = game.worth(&game.ways[state - 1][decided], &values);
            assert_eq!(worth, values[state]);
        }
        // Numbers beyond the range of floats are rejected.
        if let Ok(float) = Solver::float().allow_cycles().solve_table(&table, start) {
            for (state, value) in values.iter().enumerate() {
                let found = float.value_of(&state).unwrap();
                let error = (exactly(found) - value).abs();
                assert!(error <= exactly(float.error(&state).unwrap()), "{found} {value}");
                let (lower, upper) = float.enclosure(&state).unwrap();
                assert!(exactly(lower) <= *value && *value <= exactly(upper));
            }
            let certified = Solver::certified().allow_cycles().certify_table(&table, start);
            let certified = certified.unwrap();
            for (state, value) in certified.states() {
                assert_eq!(value, values[state], "of {state}");
                if let Some(decided) = certified.decision(&state).unwrap() {
                    let worth = game.worth(&game.ways[state - 1][decided], &values);
                    assert_eq!(worth, value);
                }
            }
            let length = |flow: Ratio| flow.is_positive();
            assert!(length(certified.visits().unwrap().expected_count(|_| true).unwrap()));
        }
        true
    }

    /// The same game with a discount has no cycle that play could stay in, so any reward is
    /// allowed.
    fn discounted(game: Extreme, gains: bool) -> bool {
        let mut game = game;
        if gains {
            for (pays, _) in game.ways.iter_mut().flatten() {
                *pays = -pays.clone();
            }
        }
        let table = game.table();
        let start = game.ways.len();
        let discounted = Discounted::new(&table, (99, 100)).unwrap();
        let exact = Solver::exact().allow_cycles().solve(&discounted, Some(start)).unwrap();
        let value = |state: usize| exact.value_of(&Some(state)).ok();
        let known: Vec<Option<Ratio>> = (0..=start).map(value).collect();
        let values: Vec<Ratio> = known.iter().map(|v| v.clone().unwrap_or_default()).collect();
        for (state, ways) in game.ways.iter().enumerate() {
            if known[state + 1].is_some() {
                let worth = |way: &Way| &way.0 + (game.worth(way, &values) - &way.0) * ratio(99, 100);
                let all = ways.iter().map(worth);
                let best = if game.player == Player::Max { all.max() } else { all.min() };
                assert_eq!(best.as_ref(), Some(&values[state + 1]));
            }
        }
        let certified = Solver::certified().allow_cycles();
        if let Ok(certified) = certified.certify(&discounted, Some(start)) {
            assert_eq!(certified.value(), values[start]);
        }
        true
    }
}

/// A chain of this many states, each left with odds of 1 : `stay` and paying for each try.
fn chain(n: usize, stay: u64, reward: Ratio) -> Table {
    Table::from_fn(n + 1, |state, row| match state {
        0 => row.end(1),
        _ => {
            row.choice()
                .reward(&reward)
                .to(state - 1, 1)
                .to(state, stay);
        }
    })
    .unwrap()
}

#[test]
fn staying_all_but_certainly_is_paid_in_full() {
    let stay = u64::MAX >> 6;
    for reward in [ratio(1, 3), ratio(-7, 1), exactly(-1e-300), exactly(1e200)] {
        let table = chain(40, stay, reward.clone());
        let tries = BigInt::from(stay) + 1;
        let wanted = ratio(1, 1) + &reward * tries * BigInt::from(40);
        let exact = Solver::exact().solve_table(&table, 40).unwrap();
        assert_eq!(exact.value(), wanted);
        let cyclic = Solver::exact()
            .allow_cycles()
            .solve_table(&table, 40)
            .unwrap();
        assert_eq!(cyclic.value(), wanted);
        let float = Solver::float().solve_table(&table, 40).unwrap();
        let error = (exactly(float.value()) - &wanted).abs();
        assert!(error <= exactly(float.error(&40).unwrap()));
        let certified = Solver::certified().solve_table(&table, 40).unwrap();
        let (lower, upper) = certified.enclosure(&40).unwrap();
        assert!(exactly(lower) <= wanted && wanted <= exactly(upper));
        assert!(exactly(upper - lower) <= wanted.abs() * ratio(1, 1_000_000_000));
    }
}

#[test]
fn chains_of_a_hundred_thousand_moves() {
    let n = 100_000;
    let table = chain(n, 1, ratio(1, 2));
    let wanted = BigInt::from(n + 1);
    let exact = Solver::exact().solve_table(&table, n).unwrap();
    assert_eq!(exact.value().to_integer(), wanted);
    let cyclic = Solver::exact()
        .allow_cycles()
        .solve_table(&table, n)
        .unwrap();
    assert_eq!(cyclic.value().to_integer(), wanted);
    assert_eq!(exact.likeliest_line().unwrap().steps.len(), n);
    let certified = Solver::certified()
        .allow_cycles()
        .certify_table(&table, n)
        .unwrap();
    assert_eq!(certified.value().to_integer(), wanted);
    let aims = [Objective::score(), Objective::fewest_steps()];
    let plan = Solver::exact().lexicographic(&table, n, aims).unwrap();
    let values = plan.values().unwrap();
    assert_eq!(values[1].to_integer(), BigInt::from(2 * n));
}

#[test]
fn as_many_choices_as_there_may_be() {
    let most = usize::from(u16::MAX);
    let table = |choices: usize| {
        Table::from_fn(2, |state, row| match state {
            0 => row.end(0),
            _ => {
                for choice in 0..choices {
                    row.choice().reward(choice as u64 % 1000).to(0, 1);
                }
            }
        })
    };
    let wide = table(most).unwrap();
    let exact = Solver::exact().solve_table(&wide, 1).unwrap();
    assert_eq!(exact.value(), ratio(999, 1));
    assert_eq!(exact.best(&1).unwrap().len(), 65);
    let certified = Solver::certified().certify_table(&wide, 1).unwrap();
    assert_eq!(certified.value(), ratio(999, 1));
    let plan = Solver::exact()
        .lexicographic(&wide, 1, [Objective::score(), Objective::most_steps()])
        .unwrap();
    assert_eq!(plan.decision(&1).unwrap(), Some(999));
    assert!(table(most + 1).is_err());
}

#[test]
fn a_million_steps_end_in_an_error_or_an_answer() {
    let walk = Table::from_fn(64, |at, row| match at {
        0 | 63 => row.end(at),
        _ => {
            row.choice().to(at - 1, 1).to(at + 1, 1);
        }
    })
    .unwrap();
    let horizon = Horizon::new(&walk);
    let solver = || Solver::exact().max_states(200_000);
    let error = solver().stages(&horizon, 30, 1_000_000).err();
    assert_eq!(error, Some(Error::TooManyStates { limit: 200_000 }));
    let error = solver().solve(&horizon, Staged::new(1_000_000, 30)).err();
    assert_eq!(error, Some(Error::TooManyStates { limit: 200_000 }));
    // The denominators are as long as the number of steps.
    let error = Solver::exact()
        .max_bytes(1 << 20)
        .stages(&horizon, 30, 2_000)
        .err();
    assert!(
        matches!(error, Some(Error::TooMuchMemory { .. })),
        "{error:?}"
    );
}

#[test]
fn no_time_is_left_at_once() {
    let coin = chain(1, 1, ratio(5, 1));
    let none = Horizon::new(&coin).unfinished(|&at| at + 7);
    let solution = Solver::exact().solve(&none, Staged::new(0, 1)).unwrap();
    assert_eq!((solution.value(), solution.len()), (ratio(8, 1), 1));
    let ended = Solver::exact().solve(&none, Staged::new(0, 0)).unwrap();
    assert_eq!(ended.value(), ratio(1, 1));
    let stages = Solver::exact().stages(&none, 1, 0).unwrap();
    assert_eq!(stages.values().unwrap(), [ratio(8, 1)]);
    let bad = Horizon::new(&coin).unfinished(|_| f64::NAN);
    assert!(Solver::exact().solve(&bad, Staged::new(3, 1)).is_err());
}

#[test]
fn totals_of_unlike_fractions() {
    let payments = [(1, 3), (-1, 7), (5, 11), (i64::MAX, 1), (1, i64::MAX)];
    let table = Table::from_fn(payments.len() + 1, |state, row| match state {
        0 => row.end((1, 2)),
        _ => {
            row.choice().reward(payments[state - 1]).to(state - 1, 1);
            row.choice().to(state - 1, 1);
        }
    })
    .unwrap();
    let game = Totalled::new(&table);
    let n = payments.len();
    let solution = Solver::exact().solve(&game, Tallied::new(n)).unwrap();
    let paid = payments.iter().filter(|(n, _)| *n > 0);
    let wanted = ratio(1, 2) + paid.map(|&(n, d)| ratio(n, d)).sum::<Ratio>();
    assert_eq!(solution.value(), wanted);
    assert_eq!(
        Solver::exact().solve_table(&table, n).unwrap().value(),
        wanted
    );
}

#[test]
fn a_total_on_a_cycle_is_refused() {
    let table = chain(1, 1, ratio(1, 1));
    let game = Totalled::new(&table);
    let solver = Solver::exact().max_states(1_000);
    let error = solver.solve(&game, Tallied::new(1)).err();
    assert_eq!(error, Some(Error::TooManyStates { limit: 1_000 }));
}

/// Steps may be the second objective even if play could stay for ever: going round costs a step.
#[test]
fn fewest_steps_after_the_score_where_play_can_stay() {
    // 2 and 3 lead to each other, or to the end; 4 is farther.
    let table = Table::from_fn(5, |state, row| match state {
        0 => row.end(1),
        1 => row.end(0),
        2 => {
            row.choice().to(3, 1);
            row.choice().to(0, 1).to(2, 3);
        }
        3 => {
            row.choice().to(2, 1);
            row.choice().to(0, 1).to(1, 1);
            row.choice().to(4, 1);
        }
        _ => {
            row.choice().to(0, 1).to(3, 1);
        }
    })
    .unwrap();
    let aims = [Objective::score(), Objective::fewest_steps()];
    let solver = Solver::exact().allow_cycles();
    let plan = solver.lexicographic(&table, 2, aims).unwrap();
    assert_eq!(plan.values().unwrap(), [ratio(1, 1), ratio(4, 1)]);
    assert_eq!(plan.value_of(&3).unwrap(), [ratio(1, 1), ratio(4, 1)]);
    assert_eq!(plan.decision(&3).unwrap(), Some(2));
    assert_eq!(plan.decision(&2).unwrap(), Some(1));
    // More of them are better, without limit.
    let aims = [Objective::score(), Objective::most_steps()];
    let error = Solver::exact()
        .allow_cycles()
        .lexicographic(&table, 2, aims)
        .err();
    assert!(
        matches!(error, Some(Error::RewardInCycle { .. })),
        "{error:?}"
    );
}

#[test]
fn lengths_that_do_not_count_every_move() {
    // A walk on 0..=5 from 2; moves out of odd states count.
    let walk = Table::from_fn(6, |at, row| match at {
        0 | 5 => row.end(at),
        _ => {
            row.choice().to(at - 1, 2).to(at + 1, 1).to(at, 3);
        }
    })
    .unwrap();
    let solution = Solver::exact()
        .allow_cycles()
        .solve_table(&walk, 2)
        .unwrap();
    let visits = solution.visits().unwrap();
    for odd in [0, 1] {
        let counted = |at: &usize| at % 2 == odd;
        let lengths = visits.lengths(400, counted).unwrap();
        let all: Ratio = lengths.iter().sum();
        let weighted = (0_i64..).zip(&lengths).map(|(n, p)| p * BigInt::from(n));
        let mean = weighted.sum::<Ratio>();
        let wanted = visits.expected_count(counted).unwrap();
        assert!(all < ratio(1, 1) && ratio(1, 1) - all < exactly(1e-15));
        assert!(mean < wanted && &wanted - mean < exactly(1e-12));
    }
    // Nothing counts, so play is over at once.
    assert_eq!(
        visits.lengths(1, |_| false).unwrap(),
        [ratio(1, 1), ratio(0, 1)]
    );
    let floats = Solver::float()
        .allow_cycles()
        .solve_table(&walk, 2)
        .unwrap();
    let floats = floats
        .visits()
        .unwrap()
        .lengths(9, |at| at % 2 == 1)
        .unwrap();
    let exact = visits.lengths(9, |at| at % 2 == 1).unwrap();
    for (float, exact) in floats.into_iter().zip(exact) {
        assert!((float - exact.to_f64().unwrap()).abs() < 1e-14);
    }
}

/// If almost no weight leaves a set of states, its products with tiny scores are below the range of
/// floats, but the quotients are not.
#[test]
fn a_way_out_so_unlikely_that_its_products_vanish() {
    let power = |exponent: i32| exactly(2.0_f64.powi(exponent));
    let table = Table::from_fn(4, |state, row| match state {
        0 => row.end(power(-400)),
        1 => row.end(power(-399)),
        2 => {
            row.choice().to(3, 1);
        }
        _ => {
            row.choice().to(2, 1);
            let most = BigUint::one() << 860_u32;
            row.choice().to_wide(2, most).to(0, 1).to(1, 1);
        }
    })
    .unwrap();
    let value = power(-400) * ratio(3, 2);
    let exact = Solver::exact()
        .allow_cycles()
        .solve_table(&table, 2)
        .unwrap();
    assert_eq!(exact.value(), value);
    if let Ok(float) = Solver::float().allow_cycles().solve_table(&table, 2) {
        let (lower, upper) = float.enclosure(&2).unwrap();
        assert!(exactly(lower) <= value && value <= exactly(upper));
    }
}
