//! Rewards in games with cycles: random games compared with an enumeration of all policies.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use crate::cyclic::{Law, Model, Row, ratio};
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use oddsmith_mdp::{Error, Game, Node, Player, Score, Solver, Table};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// A small game and the rewards of its choices.
#[derive(Clone, Debug)]
struct Paid {
    model: Model,
    rewards: Vec<Vec<BigRational>>,
}

impl Game for Paid {
    type State = usize;
    type Action = usize;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        match &self.model.rows[state] {
            Row::End(score) => node.end(*score),
            Row::Choices(player, laws) => {
                if *player == Player::Min {
                    node.opponent();
                }
                for (action, (law, reward)) in laws.iter().zip(&self.rewards[state]).enumerate() {
                    let mut choice = node.choice(action);
                    choice.reward(reward);
                    for &(to, weight) in law {
                        choice.to(to, weight);
                    }
                }
            }
        }
    }
}

/// The states among which play stays for ever under a policy.
fn endless(model: &Model, policy: &[usize]) -> Vec<BTreeSet<usize>> {
    let reach = |from: usize| {
        let mut met = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            for &(to, weight) in model.law(state, policy) {
                if weight > 0 && met.insert(to) {
                    open.push(to);
                }
            }
        }
        met
    };
    let reached: BTreeMap<usize, BTreeSet<usize>> =
        model.met().into_iter().map(|s| (s, reach(s))).collect();
    let recurrent = reached.iter().filter(|(state, all)| {
        all.iter()
            .all(|to| !model.laws(*to).is_empty() && reached[to].contains(state))
    });
    recurrent.map(|(_, all)| all.clone()).collect()
}

/// The expected result of the solver.
#[derive(Debug, PartialEq)]
enum Verdict {
    Values(Vec<BigRational>),
    Stuck,
    /// Both players may stay.
    Both,
    /// Staying may pay the player who can stay.
    Gain,
}

impl Paid {
    fn values(&self, policy: &[usize]) -> Vec<BigRational> {
        self.model
            .system(policy, |state| match self.model.rows[state] {
                Row::End(score) => ratio(score, 1),
                Row::Choices(..) => self.rewards[state][policy[state]].clone(),
            })
    }

    /// The deciding player in a set of states.
    fn decides(&self, set: &BTreeSet<usize>, player: Player) -> bool {
        // A choice that only stays does not count, except for staying itself.
        let choices = |s: usize| {
            let leads = |law: &&Law| law.iter().any(|&(to, w)| to != s && w > 0);
            match set.len() {
                1 => self.model.laws(s).len(),
                _ => self.model.laws(s).iter().filter(leads).count(),
            }
        };
        set.iter()
            .any(|&s| self.model.player(s) == Some(player) && choices(s) > 1)
    }

    /// The maximum over policies of the minimum over replies, without policies by which a player is
    /// to blame for endless play.
    fn oracle(&self) -> Verdict {
        let model = &self.model;
        if model.met().iter().any(|&s| !model.can_end(s)) {
            return Verdict::Stuck;
        }
        let policies = model.policies();
        let mut replies: BTreeMap<Vec<usize>, Option<Vec<BigRational>>> = BTreeMap::new();
        let mut faulty: BTreeSet<Vec<usize>> = BTreeSet::new();
        let mut gain = false;
        for policy in &policies {
            let classes = endless(model, policy);
            let mut own = policy.clone();
            for (state, own) in own.iter_mut().enumerate() {
                if model.player(state) == Some(Player::Min) {
                    *own = 0;
                }
            }
            let (mut by_max, mut by_min) = (false, false);
            for class in &classes {
                let (max, min) = (
                    self.decides(class, Player::Max),
                    self.decides(class, Player::Min),
                );
                if max && min {
                    return Verdict::Both;
                }
                by_max |= max;
                by_min |= min;
                for &state in class {
                    let reward = &self.rewards[state][policy[state]];
                    gain |= if min {
                        reward.is_negative()
                    } else {
                        reward.is_positive()
                    };
                }
            }
            if by_max {
                faulty.insert(own);
            } else if !by_min {
                let values = self.values(policy);
                let worst = replies.entry(own).or_default();
                match worst {
                    None => *worst = Some(values),
                    Some(worst) => {
                        for (worst, value) in worst.iter_mut().zip(values) {
                            *worst = worst.clone().min(value);
                        }
                    }
                }
            }
        }
        if gain {
            return Verdict::Gain;
        }
        let mut best: Option<Vec<BigRational>> = None;
        for (policy, values) in replies {
            let Some(values) = values.filter(|_| !faulty.contains(&policy)) else {
                continue;
            };
            let so_far = best.get_or_insert_with(|| values.clone());
            for (so_far, value) in so_far.iter_mut().zip(values) {
                *so_far = so_far.clone().max(value);
            }
        }
        Verdict::Values(best.unwrap())
    }
}

fn of(error: Option<Error>) -> Verdict {
    match error {
        Some(Error::EndlessCycle { .. }) => Verdict::Stuck,
        Some(Error::CycleOfBoth { .. }) => Verdict::Both,
        Some(Error::RewardInCycle { .. }) => Verdict::Gain,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn check(paid: &Paid) -> bool {
    let model = &paid.model;
    let start = model.start;
    let wanted = paid.oracle();
    let exact = Solver::exact().allow_cycles().solve(paid, start);
    let float = Solver::float().allow_cycles().solve(paid, start);
    let certified = Solver::certified().allow_cycles().solve(paid, start);
    let Verdict::Values(values) = wanted else {
        // A component may be stuck before another is examined, so any of the reasons is valid.
        for found in [exact.err(), float.err(), certified.err()] {
            assert!(found.is_some(), "{wanted:?}");
            of(found);
        }
        return true;
    };
    let (exact, float, certified) = match (exact, float, certified) {
        (Ok(exact), Ok(float), Ok(certified)) => (exact, float, certified),
        (exact, float, certified) => {
            // Sets in which both could stay although no pair of policies does.
            for found in [exact.err(), float.err(), certified.err()] {
                assert!(found.is_some(), "only some refuse {paid:?}");
                assert_eq!(of(found), Verdict::Both);
            }
            return true;
        }
    };
    let mut policy = vec![0; model.len()];
    for state in model.met() {
        assert_eq!(
            exact.value_of(&state).unwrap(),
            values[state],
            "value of {state}"
        );
        if let Some(action) = exact.decision(&state).unwrap() {
            policy[state] = action;
            let choices = exact.choices(&state).unwrap();
            let decided = choices.iter().find(|choice| choice.decided).unwrap();
            assert_eq!(decided.value, values[state]);
            assert!(decided.optimal);
        }
        let value = BigRational::from_float(float.value_of(&state).unwrap()).unwrap();
        let error = float.error(&state).unwrap();
        assert!(error < 1e-9, "{error} in {state}");
        assert!((value - &values[state]).abs() <= BigRational::from_float(error).unwrap());
        let (low, high) = certified.enclosure(&state).unwrap();
        assert!(BigRational::from_float(low).unwrap() <= values[state]);
        assert!(BigRational::from_float(high).unwrap() >= values[state]);
        if certified.is_proven(&state).unwrap()
            && let Some(action) = certified.decision(&state).unwrap()
        {
            assert!(exact.best(&state).unwrap().contains(&action));
        }
    }
    let settled = Solver::certified().allow_cycles().certify(paid, start);
    let settled = settled.unwrap();
    let certified_ties = Solver::certified().allow_cycles().all_ties(true);
    let ties = certified_ties.certify(paid, start).unwrap();
    for (state, value) in ties.states() {
        assert_eq!(value, values[state], "value of {state} with its ties");
        let [all, kept] = [exact.best(&state), ties.best(&state)];
        assert_eq!(kept.unwrap(), all.unwrap(), "ties in {state}");
    }
    let mut narrow = policy.clone();
    for (state, value) in settled.states() {
        assert_eq!(value, values[state], "certified value of {state}");
        narrow[state] = settled.decision(&state).unwrap().unwrap_or(0);
    }
    assert!(model.ends(&narrow), "{narrow:?} never ends");
    assert_eq!(paid.values(&narrow)[start], values[start], "{narrow:?}");
    assert!(model.ends(&policy), "{policy:?} never ends");
    let played = paid.values(&policy);
    for state in model.met() {
        assert_eq!(played[state], values[state], "{policy:?}");
    }
    true
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Decisions cost the player who makes them.
    Costs,
    /// Some choices do, most pay nothing.
    FewCosts,
    /// Any rewards.
    Any,
}

fn drawn(g: &mut Gen, players: &[Player], kind: Kind) -> Paid {
    let n = 3 + usize::arbitrary(g) % 4;
    let (mut rows, mut rewards) = (Vec::new(), Vec::new());
    for state in 0..n {
        let rest = n - 1 - state;
        if rest == 0 || (rest == 1 && bool::arbitrary(g)) {
            rows.push(Row::End(i64::from(i8::arbitrary(g) % 4)));
            rewards.push(Vec::new());
            continue;
        }
        let player = *g.choose(players).unwrap();
        let mut laws: Vec<Law> = (0..1 + usize::arbitrary(g) % 3)
            .map(|_| {
                let mut law: Law = (0..1 + usize::arbitrary(g) % 3)
                    .map(|_| (usize::arbitrary(g) % n, u64::arbitrary(g) % 4))
                    .collect();
                law[0].1 = law[0].1.max(1);
                law
            })
            .collect();
        let stays = |law: &Law| law.iter().all(|&(to, w)| to == state || w == 0);
        if laws.iter().all(stays) {
            laws[0].push(((state + 1) % n, 1 + u64::arbitrary(g) % 3));
        }
        let own = laws.iter().map(|law| {
            let (n, d) = (
                i64::from(u8::arbitrary(g) % 6),
                i64::from(u8::arbitrary(g) % 3) + 1,
            );
            let cost = match player {
                Player::Max => ratio(-n, d),
                Player::Min => ratio(n, d),
            };
            match kind {
                Kind::FewCosts if u8::arbitrary(g) % 3 > 0 => ratio(0, 1),
                Kind::Any if !stays(law) && bool::arbitrary(g) => -cost,
                _ => cost,
            }
        });
        rewards.push(own.collect());
        rows.push(Row::Choices(player, laws));
    }
    Paid {
        model: Model { rows, start: 0 },
        rewards,
    }
}

macro_rules! drawn {
    ($name:ident, $players:expr) => {
        #[derive(Clone, Debug)]
        struct $name(Paid);
        impl Arbitrary for $name {
            fn arbitrary(g: &mut Gen) -> Self {
                let kind = [Kind::Costs, Kind::FewCosts, Kind::Any][usize::arbitrary(g) % 3];
                $name(drawn(g, $players, kind))
            }
        }
    };
}
drawn!(Single, &[Player::Max]);
drawn!(Opponent, &[Player::Min]);
drawn!(Both, &[Player::Max, Player::Min]);

quickcheck! {
    fn the_player_alone(paid: Single) -> bool {
        check(&paid.0)
    }

    fn the_opponent_alone(paid: Opponent) -> bool {
        check(&paid.0)
    }

    fn both(paid: Both) -> bool {
        check(&paid.0)
    }
}

/// The states are worth the least of all outside values, and going there directly is as good as by
/// way of the cycle.
#[test]
fn all_worth_the_least_outside() {
    let min = |laws: &[&[(usize, u64)]]| {
        let laws = laws.iter().map(|law| law.to_vec());
        Row::Choices(Player::Min, laws.collect())
    };
    let zero = || ratio(0, 1);
    let paid = Paid {
        model: Model {
            rows: vec![
                min(&[&[(1, 1)], &[(2, 3), (0, 1)], &[(1, 4), (2, 2)]]),
                min(&[&[(0, 1), (1, 2)], &[(3, 3)], &[(0, 1)]]),
                min(&[&[(2, 3), (3, 2)]]),
                Row::End(-3),
            ],
            start: 0,
        },
        rewards: vec![
            vec![ratio(5, 2), zero(), zero()],
            vec![ratio(5, 1), zero(), zero()],
            vec![ratio(-1, 1)],
            vec![],
        ],
    };
    assert!(check(&paid));
    let exact = Solver::exact().allow_cycles().solve(&paid, 0).unwrap();
    assert_eq!(exact.best(&0).unwrap(), [1, 2]);
    assert_eq!(exact.value(), ratio(-11, 2));
}

/// Equally good, but one of the two is known to far fewer digits, since it is reached after a long
/// walk.
#[test]
fn a_tie_with_what_is_hardly_known() {
    let walk = 20_000;
    let table = Table::from_fn(walk + 4, |state, row| match state {
        0 => row.end(0),
        1 => row.end(1),
        // A third, directly and exactly; and after many moves.
        2 | 3 => {
            row.choice().to(0, 2).to(1, 1);
        }
        _ if state < walk + 2 => {
            row.choice().to(state - 1, 5).to(state - 2, 6);
        }
        // Going round has a cost.
        _ if state == walk + 2 => {
            row.choice().to(2, 1);
            row.choice().to(walk + 3, 1).to(walk + 1, 1);
            row.choice().to(walk + 3, 1).reward(-1);
        }
        _ => {
            row.choice().to(walk + 2, 1);
            row.choice().to(walk + 1, 1).to(walk + 2, 1);
        }
    })
    .unwrap();
    let start = walk + 3;
    let third = ratio(1, 3);
    let exact = Solver::exact().allow_cycles();
    let exact = exact.solve_table(&table, start).unwrap();
    assert_eq!(exact.value(), third);
    let certified = Solver::certified().allow_cycles();
    let certified = certified.solve_table(&table, start).unwrap();
    for state in [walk + 1, walk + 2, start] {
        let (low, high) = certified.enclosure(&state).unwrap();
        assert!(
            BigRational::from_float(low).unwrap() <= third
                && third <= BigRational::from_float(high).unwrap()
        );
        assert!(high - low < 1e-9, "{low} {high}");
    }
    let (low, high) = certified.enclosure(&(walk + 1)).unwrap();
    assert!(high - low > 1e-12);
}

#[test]
fn the_models_drawn_reach_the_hard_cases() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    for _ in 0..1000 {
        let Single(paid) = Single::arbitrary(&mut g);
        let mut note = |what, is: bool| *seen.entry(what).or_default() += usize::from(is);
        match paid.oracle() {
            Verdict::Gain => note("a gain without end", true),
            Verdict::Values(values) => {
                let classes = paid.model.policies();
                let costs = classes.iter().any(|policy| {
                    let mut classes = endless(&paid.model, policy).into_iter().flatten();
                    classes.any(|s| !paid.rewards[s][policy[s]].is_zero())
                });
                note("a way to lose without end", costs);
                let free = classes.iter().any(|policy| {
                    endless(&paid.model, policy).iter().any(|class| {
                        class.len() > 1
                            && class.iter().all(|&s| paid.rewards[s][policy[s]].is_zero())
                    })
                });
                note("a free way round", free);
                note("both", free && costs);
                note("a fraction", !values[0].is_integer());
            }
            _ => {}
        }
        let Both(paid) = Both::arbitrary(&mut g);
        if let Verdict::Values(_) = paid.oracle() {
            let lasts = paid
                .model
                .policies()
                .iter()
                .any(|policy| !paid.model.ends(policy));
            note(
                "two players and a way round",
                lasts && paid.model.both_decide(),
            );
        }
    }
    assert_eq!(seen.len(), 6);
    for (what, times) in seen {
        assert!(times >= 10, "{what}: only {times} times in 1000");
    }
}

/// Two states that lead to each other, with an exit in the second.
fn round(there: impl Into<Score> + Clone, back: impl Into<Score> + Clone, opponent: bool) -> Table {
    Table::from_fn(3, |state, row| {
        if opponent {
            row.opponent();
        }
        match state {
            0 => {
                row.choice().to(1, 1).reward(there.clone());
            }
            1 => {
                row.choice().to(0, 1).reward(back.clone());
                row.choice().to(2, 1);
            }
            _ => row.end(10),
        }
    })
    .unwrap()
}

#[test]
fn going_round_for_a_reward() {
    let gain = |table: &Table| {
        let states = vec!["0".to_owned(), "1".to_owned()];
        let wanted = Some(Error::RewardInCycle { states, count: 2 });
        Solver::exact().allow_cycles().solve_table(table, 0).err() == wanted
            && Solver::float().allow_cycles().solve_table(table, 0).err() == wanted
            && Solver::certified()
                .allow_cycles()
                .solve_table(table, 0)
                .err()
                == wanted
    };
    assert!(gain(&round(1, 0, false)));
    assert!(gain(&round(-1, 0, true)));
    // No total either: −1, 0, −1, 0, … or rewards that would sum to 0.
    assert!(gain(&round(1, -1, false)));
    assert!(gain(&round(-2, 1, false)));
    for (there, back, opponent) in [(-1, 0, false), (-3, -2, false), (2, 0, true), (0, 1, true)] {
        let table = round(there, back, opponent);
        let exact = Solver::exact()
            .allow_cycles()
            .solve_table(&table, 0)
            .unwrap();
        assert_eq!(exact.value(), ratio(10 + there, 1));
        assert_eq!(exact.decision(&1).unwrap(), Some(1));
        let float = Solver::float()
            .allow_cycles()
            .solve_table(&table, 0)
            .unwrap();
        assert!((float.value() - 10.0 - there as f64).abs() < 1e-12);
    }
    // A cost too small to matter in floats next to the values is still a cost.
    let tiny = BigRational::new((-1).into(), num_bigint::BigInt::from(10).pow(60));
    let table = round(&tiny, &tiny, false);
    let exact = Solver::exact()
        .allow_cycles()
        .solve_table(&table, 0)
        .unwrap();
    assert_eq!(exact.value(), ratio(10, 1) + tiny);
    assert_eq!(exact.decision(&1).unwrap(), Some(1));
}

#[test]
fn rewards_beyond_floats_in_a_cycle() {
    let enormous = BigRational::from_integer((-num_bigint::BigInt::from(10)).pow(401));
    let table = round(&enormous, &enormous, false);
    let exact = Solver::exact()
        .allow_cycles()
        .solve_table(&table, 0)
        .unwrap();
    assert_eq!(exact.value(), ratio(10, 1) + enormous);
    let error = Solver::float().allow_cycles().solve_table(&table, 0).err();
    assert!(
        matches!(error, Some(Error::NotEnclosed { count: 2, .. })),
        "{error:?}"
    );
}

/// Fractions give an answer where floats enclose nothing, and so do solvers that use both.
#[test]
fn certify_answers_where_floats_enclose_nothing() {
    let enormous = BigRational::from_integer((-num_bigint::BigInt::from(10)).pow(401));
    let table = round(&enormous, &enormous, false);
    let exact = Solver::exact().allow_cycles().solve_table(&table, 0);
    let exact = exact.unwrap();
    for all in [false, true] {
        let certified = Solver::certified().allow_cycles().all_ties(all);
        let certified = certified.certify_table(&table, 0).unwrap();
        assert_eq!(certified.len(), exact.len());
        for (state, value) in exact.states() {
            assert_eq!(certified.value_of(&state), Ok(value));
            assert_eq!(certified.decision(&state), exact.decision(&state));
            assert_eq!(certified.best(&state), exact.best(&state));
        }
    }
    // A limit on the solution still applies.
    let certified = Solver::certified().allow_cycles().max_cycle(1);
    assert_eq!(
        certified.certify_table(&table, 0).err(),
        Solver::exact()
            .allow_cycles()
            .max_cycle(1)
            .solve_table(&table, 0)
            .err()
    );
}

/// Regression test: play ends in one move if 5 is paid, and in about 2^`k` moves otherwise: all
/// choices were counted to prove that play ends, although the long way is never chosen.
#[test]
fn the_longest_play_may_be_far_longer_than_the_best() {
    for k in [10_u32, 45, 53, 60] {
        let stay = (num_bigint::BigUint::from(1_u8) << k) - 1_u8;
        let table = Table::from_fn(3, |state, row| match state {
            0 => row.end(0),
            1 => {
                row.choice().to(2, 1).reward(-1);
                row.choice().to(0, 1).reward(-5);
            }
            _ => {
                row.choice().to_wide(1, stay.clone()).to(0, 1);
            }
        })
        .unwrap();
        let exact = Solver::exact().allow_cycles().solve_table(&table, 1);
        assert_eq!(exact.unwrap().value(), ratio(-5, 1));
        let float = Solver::float().allow_cycles().solve_table(&table, 1);
        let float = float.unwrap();
        assert!((float.value() + 5.0).abs() <= float.error(&1).unwrap());
        assert!(float.error(&1).unwrap() < 1e-9, "{k}");
    }
}
