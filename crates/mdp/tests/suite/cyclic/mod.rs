//! An oracle for small games with cycles: the values of all policies, each by one linear system in
//! fractions.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![allow(
    clippy::needless_range_loop,
    reason = "elimination reads better with indices"
)]

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use oddsmith_mdp::{Game, Indexed, Node, Player, Solver};

pub(crate) type Law = Vec<(usize, u64)>;

#[derive(Clone, Debug)]
pub(crate) enum Row {
    End(i64),
    Choices(Player, Vec<Law>),
}

/// A small game in which any state may lead to any state.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) rows: Vec<Row>,
    pub(crate) start: usize,
}

impl Game for Model {
    type State = usize;
    type Action = usize;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        match &self.rows[state] {
            Row::End(score) => node.end(*score),
            Row::Choices(player, laws) => {
                if *player == Player::Min {
                    node.opponent();
                }
                for (action, law) in laws.iter().enumerate() {
                    let mut choice = node.choice(action);
                    for &(to, weight) in law {
                        choice.to(to, weight);
                    }
                }
            }
        }
    }
}

impl Indexed for Model {
    fn size(&self) -> usize {
        self.rows.len()
    }

    fn index(&self, &state: &usize) -> usize {
        state
    }

    fn state(&self, index: usize) -> usize {
        index
    }
}

pub(crate) fn ratio(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

/// A x = b, by elimination in fractions.
fn gauss(mut a: Vec<Vec<BigRational>>, mut b: Vec<BigRational>) -> Option<Vec<BigRational>> {
    let n = b.len();
    for column in 0..n {
        let pivot = (column..n).find(|&row| !a[row][column].is_zero())?;
        a.swap(column, pivot);
        b.swap(column, pivot);
        for row in 0..n {
            if row != column && !a[row][column].is_zero() {
                let factor = &a[row][column] / &a[column][column];
                for k in column..n {
                    let less = &factor * &a[column][k];
                    a[row][k] -= less;
                }
                let less = &factor * &b[column];
                b[row] -= less;
            }
        }
    }
    Some((0..n).map(|i| &b[i] / &a[i][i]).collect())
}

impl Model {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn laws(&self, state: usize) -> &[Law] {
        match &self.rows[state] {
            Row::End(_) => &[],
            Row::Choices(_, laws) => laws,
        }
    }

    pub(crate) fn player(&self, state: usize) -> Option<Player> {
        match &self.rows[state] {
            Row::Choices(player, laws) if laws.len() > 1 => Some(*player),
            _ => None,
        }
    }

    pub(crate) fn met(&self) -> Vec<usize> {
        let mut met = BTreeSet::from([self.start]);
        let mut open = vec![self.start];
        while let Some(state) = open.pop() {
            for &(to, weight) in self.laws(state).iter().flatten() {
                if weight > 0 && met.insert(to) {
                    open.push(to);
                }
            }
        }
        met.into_iter().collect()
    }

    /// Whether some policy leads from `state` to an end.
    pub(crate) fn can_end(&self, state: usize) -> bool {
        let part = Model {
            rows: self.rows.clone(),
            start: state,
        };
        part.met()
            .iter()
            .any(|&met| matches!(self.rows[met], Row::End(_)))
    }

    /// All policies from the start: a choice for each reached state.
    pub(crate) fn policies(&self) -> Vec<Vec<usize>> {
        let met = self.met();
        let mut all = vec![vec![0; self.len()]];
        for &state in &met {
            let choices = self.laws(state).len().max(1);
            all = all
                .into_iter()
                .flat_map(|policy| {
                    (0..choices).map(move |choice| {
                        let mut policy = policy.clone();
                        policy[state] = choice;
                        policy
                    })
                })
                .collect();
        }
        all
    }

    pub(crate) fn law(&self, state: usize, policy: &[usize]) -> &[(usize, u64)] {
        self.laws(state)
            .get(policy[state])
            .map_or(&[], Vec::as_slice)
    }

    /// Whether play ends with probability one from every reached state.
    pub(crate) fn ends(&self, policy: &[usize]) -> bool {
        let met = self.met();
        let mut ending: BTreeSet<usize> = BTreeSet::new();
        loop {
            let before = ending.len();
            for &state in &met {
                let law = self.law(state, policy);
                if law.is_empty() || law.iter().any(|&(to, w)| w > 0 && ending.contains(&to)) {
                    ending.insert(state);
                }
            }
            if ending.len() == before {
                return before == met.len();
            }
        }
    }

    /// Values of the reached states under a policy that ends.
    pub(crate) fn values(&self, policy: &[usize]) -> Vec<BigRational> {
        self.system(policy, |state| match self.rows[state] {
            Row::End(score) => ratio(score, 1),
            Row::Choices(..) => ratio(0, 1),
        })
    }

    /// The rewards on the way, `gain` in each state.
    pub(crate) fn system(
        &self,
        policy: &[usize],
        gain: impl Fn(usize) -> BigRational,
    ) -> Vec<BigRational> {
        let n = self.len();
        let met: BTreeSet<usize> = self.met().into_iter().collect();
        let mut a = vec![vec![ratio(0, 1); n]; n];
        let mut b = vec![ratio(0, 1); n];
        for state in 0..n {
            a[state][state] = ratio(1, 1);
            if met.contains(&state) {
                b[state] = gain(state);
                let law = self.law(state, policy);
                let total: u64 = law.iter().map(|way| way.1).sum();
                for &(to, weight) in law {
                    a[state][to] -= BigRational::new(weight.into(), total.into());
                }
            }
        }
        gauss(a, b).expect("play ends")
    }

    pub(crate) fn can_stay(&self) -> bool {
        self.policies().iter().any(|policy| !self.ends(policy))
    }

    pub(crate) fn both_decide(&self) -> bool {
        let met = self.met();
        [Player::Max, Player::Min]
            .iter()
            .all(|&player| met.iter().any(|&s| self.player(s) == Some(player)))
    }

    /// The best values among the policies that end, for a single player; or, if both decide and all
    /// play ends, the value of the game.
    pub(crate) fn oracle(&self) -> Vec<BigRational> {
        let policies = self.policies();
        let ending: Vec<_> = policies.iter().filter(|policy| self.ends(policy)).collect();
        let mut replies: BTreeMap<Vec<usize>, Vec<BigRational>> = BTreeMap::new();
        for policy in ending {
            let mut own = policy.clone();
            for state in 0..self.len() {
                if self.player(state) == Some(Player::Min) {
                    own[state] = 0;
                }
            }
            let values = self.values(policy);
            let worst = replies.entry(own).or_insert_with(|| values.clone());
            for (worst, value) in worst.iter_mut().zip(values) {
                *worst = worst.clone().min(value);
            }
        }
        let mut best: Option<Vec<BigRational>> = None;
        for values in replies.into_values() {
            let so_far = best.get_or_insert_with(|| values.clone());
            for (so_far, value) in so_far.iter_mut().zip(values) {
                *so_far = so_far.clone().max(value);
            }
        }
        best.expect("some policy ends")
    }
}

/// Values, decisions, enclosures and visits of a model in which play can end.
#[track_caller]
pub(crate) fn check_solution(model: &Model) {
    let oracle = model.oracle();
    let exact = Solver::exact().allow_cycles().solve(model, 0).unwrap();
    let float = Solver::float().allow_cycles().solve(model, 0).unwrap();
    let certified = Solver::certified().allow_cycles().solve(model, 0).unwrap();
    let mut policy = vec![0; model.len()];
    for state in model.met() {
        assert_eq!(
            exact.value_of(&state).unwrap(),
            oracle[state],
            "value of {state}"
        );
        if let Some(action) = exact.decision(&state).unwrap() {
            policy[state] = action;
            assert!(exact.best(&state).unwrap().contains(&action), "in {state}");
        }
        let value = BigRational::from_float(float.value_of(&state).unwrap()).unwrap();
        let error = float.error(&state).unwrap();
        assert!(error < 1e-9, "{error} in {state}");
        assert!((value - &oracle[state]).abs() <= BigRational::from_float(error).unwrap());
        let (low, high) = certified.enclosure(&state).unwrap();
        assert!(BigRational::from_float(low).unwrap() <= oracle[state]);
        assert!(BigRational::from_float(high).unwrap() >= oracle[state]);
        if certified.is_proven(&state).unwrap()
            && let Some(action) = certified.decision(&state).unwrap()
        {
            let optimal = exact.best(&state).unwrap();
            assert!(
                optimal.contains(&action),
                "{action} is proven in {state}, not {optimal:?}"
            );
        }
    }
    assert!(model.ends(&policy), "{policy:?} never ends");
    let values = model.values(&policy);
    assert!(
        model.met().iter().all(|&s| values[s] == oracle[s]),
        "{policy:?}"
    );
    check_box(model, &oracle);
    let settled = Solver::certified()
        .allow_cycles()
        .certify(model, 0)
        .unwrap();
    let certified_ties = Solver::certified().allow_cycles().all_ties(true);
    let ties = certified_ties.certify(model, 0).unwrap();
    for (state, value) in ties.states() {
        assert_eq!(value, oracle[state], "value of {state} with its ties");
        let [all, kept] = [exact.best(&state), ties.best(&state)];
        assert_eq!(kept.unwrap(), all.unwrap(), "ties in {state}");
    }
    let mut narrow = policy.clone();
    for (state, value) in settled.states() {
        assert_eq!(value, oracle[state], "certified value of {state}");
        narrow[state] = settled.decision(&state).unwrap().unwrap_or(0);
    }
    assert!(model.ends(&narrow), "{narrow:?} never ends");
    assert_eq!(model.values(&narrow)[0], oracle[0], "{narrow:?}");
    // The decisions in floats end, too.
    let decided = |state: usize| float.decision(&state).unwrap().unwrap_or(0);
    let met = model.met();
    let own: Vec<usize> = (0..model.len())
        .map(|s| if met.contains(&s) { decided(s) } else { 0 })
        .collect();
    assert!(model.ends(&own), "{own:?} never ends");

    let visits = exact.visits().unwrap();
    let nearly = float_visits(model, &policy);
    let moves = model.system(&policy, |state| {
        ratio(i64::from(!model.laws(state).is_empty()), 1)
    });
    assert_eq!(visits.expected_count(|_| true).unwrap(), moves[0]);
    let lengths = visits.lengths(6, |_| true).unwrap();
    for (n, p) in (0..).zip(&lengths) {
        assert_eq!(*p, takes(model, &policy, 0, n), "{n} moves");
    }
    let ends = visits.ends().unwrap();
    for &state in &met {
        let count = model.system(&policy, |s| ratio(i64::from(s == state), 1));
        assert_eq!(
            visits.visits(&state).unwrap(),
            count[0],
            "visits to {state}"
        );
        // From the state itself, the visits are one more than the returns.
        assert_eq!(visits.chance(&state).unwrap(), &count[0] / &count[state]);
        if model.laws(state).is_empty() {
            assert_eq!(ends.p(&state), count[0]);
        }
        let (value, error) = nearly[state];
        let gap = (BigRational::from_float(value).unwrap() - &count[0]).abs();
        assert!(
            gap <= &count[0] * BigRational::from_float(error).unwrap(),
            "{state}: {gap}"
        );
    }
}

/// The same for an indexed game, where all states are solved whether they are reached or not.
#[track_caller]
fn check_box(model: &Model, oracle: &[BigRational]) {
    let met = model.met();
    let exact = Solver::exact().allow_cycles().solve_indexed(model, 0);
    let Ok(exact) = exact else {
        assert!(met.len() < model.len(), "{exact:?}");
        return;
    };
    let enclosed = Solver::certified().allow_cycles();
    let enclosed = enclosed.solve_indexed(model, 0).unwrap();
    for &state in &met {
        assert_eq!(
            exact.value_of(&state).unwrap(),
            oracle[state],
            "boxed {state}"
        );
        let (low, high) = enclosed.enclosure(&state).unwrap();
        assert!(BigRational::from_float(low).unwrap() <= oracle[state]);
        assert!(BigRational::from_float(high).unwrap() >= oracle[state]);
    }
    let decided = |&state: &usize, _: &[usize]| exact.decision(&state).unwrap().unwrap_or(0);
    let evaluated = Solver::exact().allow_cycles();
    let evaluated = evaluated.evaluate_indexed(model, decided, 0).unwrap();
    for &state in &met {
        assert_eq!(evaluated.value_of(&state).unwrap(), oracle[state]);
    }
    let visits = exact.visits().unwrap();
    let ends = visits.ends().unwrap();
    let all: BigRational = (0..model.len()).map(|state| ends.p(&state)).sum();
    assert_eq!(all, ratio(1, 1));
}

/// Visits in floats under a policy, with the bound on their relative error.
fn float_visits(model: &Model, policy: &[usize]) -> Vec<(f64, f64)> {
    let mut played = model.clone();
    for (row, &choice) in played.rows.iter_mut().zip(policy) {
        if let Row::Choices(_, laws) = row {
            *laws = vec![laws[choice].clone()];
        }
    }
    let solution = Solver::float().allow_cycles().solve(&played, 0).unwrap();
    let visits = solution.visits().unwrap();
    let error = visits.relative_error();
    assert!(error < 1e-10);
    let visit = |state| (visits.visits(&state).unwrap_or(0.0), error);
    (0..model.len()).map(visit).collect()
}

/// The probability that play takes exactly `n` moves.
fn takes(model: &Model, policy: &[usize], from: usize, n: u32) -> BigRational {
    let law = model.law(from, policy);
    if law.is_empty() || n == 0 {
        return ratio(i64::from(law.is_empty() && n == 0), 1);
    }
    let total: u64 = law.iter().map(|way| way.1).sum();
    let ways = law.iter().filter(|way| way.1 > 0);
    ways.map(|&(to, weight)| {
        takes(model, policy, to, n - 1) * BigRational::new(weight.into(), total.into())
    })
    .sum()
}
