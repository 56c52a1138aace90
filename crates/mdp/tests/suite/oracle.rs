//! All results of the solver for small games, compared with a simple recursion in fractions that
//! shares no code with it.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::table::{Law, Plan, Row, Table, leaves};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use oddsmith_mdp::{Solver, Tolerance};
use quickcheck::{Arbitrary, Gen, quickcheck};

fn ratio(numerator: u64, denominator: u64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// Expectimax by recursion: a value is looked up or computed from the states below.
struct Oracle<'t, Better> {
    table: &'t Table,
    /// Whether a candidate displaces an incumbent.
    better: Better,
    known: HashMap<usize, BigRational>,
}

impl<'t> Oracle<'t, fn(&BigRational, &BigRational) -> bool> {
    fn strict(table: &'t Table) -> Self {
        Oracle::by(table, |c, i| c > i)
    }
}

impl<'t, Better: Fn(&BigRational, &BigRational) -> bool> Oracle<'t, Better> {
    fn by(table: &'t Table, better: Better) -> Self {
        Oracle {
            table,
            better,
            known: HashMap::new(),
        }
    }

    /// v = Σ_{s' ≠ s} P(s') v(s') / (1 − P(s)); `None` if the choice stays.
    fn choice(&mut self, state: usize, law: &Law) -> Option<BigRational> {
        if !leaves(law, state) {
            return None;
        }
        let total = law.iter().map(|o| BigRational::from_integer(o.1.into()));
        let total = total.fold(BigRational::zero(), |sum, w| sum + w);
        let (mut sum, mut stay) = (BigRational::zero(), BigRational::zero());
        for &(to, weight) in law {
            let p = BigRational::from_integer(weight.into()) / &total;
            if to == state {
                stay += p;
            } else {
                sum += p * self.value(to);
            }
        }
        Some(sum / (BigRational::one() - stay))
    }

    /// Every choice that leaves, with its value.
    fn choices(&mut self, state: usize) -> Vec<(usize, BigRational)> {
        let laws = self.table.laws(state).to_vec();
        let valued = laws.iter().enumerate();
        valued
            .filter_map(|(index, law)| Some((index, self.choice(state, law)?)))
            .collect()
    }

    fn decision(&mut self, state: usize) -> (usize, BigRational) {
        let choices = self.choices(state).into_iter();
        choices
            .reduce(|old, new| {
                if (self.better)(&new.1, &old.1) {
                    new
                } else {
                    old
                }
            })
            .expect("a state that does not end has a choice that leaves")
    }

    fn value(&mut self, state: usize) -> BigRational {
        if let Some(value) = self.known.get(&state) {
            return value.clone();
        }
        let value = match self.table.score(state) {
            Some(score) => score,
            None => self.decision(state).1,
        };
        self.known.insert(state, value.clone());
        value
    }
}

/// A table without decisions: one distribution for each state.
struct Chain {
    laws: Vec<Vec<(usize, BigRational)>>,
    stay: Vec<BigRational>,
}

impl Chain {
    fn new(table: &Table, weight: impl Fn(usize, usize) -> u64) -> Self {
        let (mut laws, mut stays) = (Vec::new(), Vec::new());
        for state in 0..table.rows.len() {
            let (mut law, mut stay) = (Vec::new(), BigRational::zero());
            let all: u64 = (0..table.laws(state).len())
                .map(|choice| weight(state, choice))
                .sum();
            for (choice, outcomes) in table.laws(state).iter().enumerate() {
                let total: u64 = outcomes.iter().map(|outcome| outcome.1).sum();
                for &(to, w) in outcomes {
                    let p = ratio(weight(state, choice), all) * ratio(w, total);
                    if to == state {
                        stay += p;
                    } else if !p.is_zero() {
                        law.push((to, p));
                    }
                }
            }
            laws.push(law);
            stays.push(stay);
        }
        Chain { laws, stay: stays }
    }

    fn sum(&self, state: usize, of: impl Fn(usize) -> BigRational) -> BigRational {
        let terms = self.laws[state].iter().map(|(to, p)| p * of(*to));
        terms.fold(BigRational::zero(), |sum, term| sum + term)
    }

    fn leave(&self, state: usize) -> BigRational {
        BigRational::one() - &self.stay[state]
    }

    /// The probability of ever reaching `goal`.
    fn visit(&self, from: usize, goal: usize) -> BigRational {
        if from == goal {
            return BigRational::one();
        }
        if from < goal || self.laws[from].is_empty() {
            return BigRational::zero();
        }
        self.sum(from, |to| self.visit(to, goal)) / self.leave(from)
    }

    /// The probability of ever reaching one of the wanted states.
    fn meet(&self, from: usize, wanted: fn(&usize) -> bool) -> BigRational {
        match () {
            () if wanted(&from) => BigRational::one(),
            () if self.laws[from].is_empty() => BigRational::zero(),
            () => self.sum(from, |to| self.meet(to, wanted)) / self.leave(from),
        }
    }

    /// The probability of passing exactly `n` different counted states.
    fn passes(&self, from: usize, n: u64, counted: fn(&usize) -> bool) -> BigRational {
        if self.laws[from].is_empty() {
            return if n == 0 {
                BigRational::one()
            } else {
                BigRational::zero()
            };
        }
        let step = u64::from(counted(&from));
        match n.checked_sub(step) {
            Some(left) => self.sum(from, |to| self.passes(to, left, counted)) / self.leave(from),
            None => BigRational::zero(),
        }
    }

    /// The probability of exactly `n` moves out of counted states, including self-loops.
    fn takes(&self, from: usize, n: u32, counted: fn(&usize) -> bool) -> BigRational {
        if self.laws[from].is_empty() {
            return if n == 0 {
                BigRational::one()
            } else {
                BigRational::zero()
            };
        }
        if !counted(&from) {
            return self.sum(from, |to| self.takes(to, n, counted)) / self.leave(from);
        }
        let Some(left) = n.checked_sub(1) else {
            return BigRational::zero();
        };
        self.sum(from, |to| self.takes(to, left, counted))
            + &self.stay[from] * self.takes(from, left, counted)
    }

    /// The expected number of moves out of counted states.
    fn moves(&self, from: usize, counted: fn(&usize) -> bool) -> BigRational {
        if self.laws[from].is_empty() {
            return BigRational::zero();
        }
        let own = BigRational::from_integer(i32::from(counted(&from)).into());
        (own + self.sum(from, |to| self.moves(to, counted))) / self.leave(from)
    }

    fn value(&self, table: &Table, from: usize) -> BigRational {
        match table.score(from) {
            Some(score) => score,
            None => self.sum(from, |to| self.value(table, to)) / self.leave(from),
        }
    }
}

const EVEN: fn(&usize) -> bool = |state| state % 2 == 0;
const THIRD: fn(&usize) -> bool = |state| state % 3 == 1;
const ALL: fn(&usize) -> bool = |_| true;

/// Compares a forecast with the chain that it describes.
macro_rules! check_forecast {
    ($solution:expr, $chain:expr, $table:expr) => {{
        let (solution, chain, table) = ($solution, $chain, $table);
        let forecast = solution.forecast().unwrap();
        let ends = forecast.ends().unwrap();
        let mut occurring = 0;
        for state in 0..table.rows.len() {
            let visit = chain.visit(table.start, state);
            if let Ok(chance) = forecast.chance(&state) {
                assert_eq!(chance, visit, "visiting {state}");
            } else {
                assert!(visit.is_zero(), "{state} occurs but was not met");
            }
            if table.score(state).is_some() {
                assert_eq!(ends.p(&state), visit, "ending in {state}");
                occurring += usize::from(!visit.is_zero());
            }
        }
        assert_eq!(ends.len(), occurring);
        for wanted in [ALL, EVEN, THIRD, |_: &usize| false] {
            let any = forecast.chance_of_any(wanted).unwrap();
            assert_eq!(any, chain.meet(table.start, wanted));
        }
        for counted in [ALL, EVEN] {
            let count = forecast.count(counted).unwrap();
            for n in 0..=table.rows.len() as u64 {
                assert_eq!(
                    count.p(&n),
                    chain.passes(table.start, n, counted),
                    "{n} passed"
                );
            }
            let lengths = forecast.lengths(5, counted).unwrap();
            assert_eq!(lengths.len(), 6);
            for (n, p) in (0..).zip(&lengths) {
                assert_eq!(*p, chain.takes(table.start, n, counted), "{n} moves");
            }
            assert_eq!(
                forecast.expected_count(counted).unwrap(),
                chain.moves(table.start, counted)
            );
        }
    }};
}

/// Each state's value, appraisals, best actions and decision.
macro_rules! check_solution {
    ($solution:expr, $oracle:expr) => {{
        let (solution, mut oracle) = (&$solution, $oracle);
        let mut met = 0;
        for (state, value) in solution.states() {
            met += 1;
            assert_eq!(value, oracle.value(state), "value of {state}");
            assert_eq!(solution.value_of(&state).unwrap(), value);
            assert_eq!(solution.error(&state).unwrap(), 0.0);
            let Row::Choices(_) = oracle.table.rows[state] else {
                assert!(solution.choices(&state).unwrap().is_empty());
                assert_eq!(solution.decision(&state).unwrap(), None);
                continue;
            };
            let expected = oracle.choices(state);
            let highest = expected
                .iter()
                .map(|choice| choice.1.clone())
                .max()
                .unwrap();
            let (decided, _) = oracle.decision(state);
            let found: Vec<_> = solution.choices(&state).unwrap();
            assert_eq!(found.len(), expected.len());
            for (found, (action, value)) in found.iter().zip(&expected) {
                assert_eq!((&found.action, &found.value), (action, value), "in {state}");
                assert_eq!(found.gap, &highest - value);
                assert_eq!(found.optimal, *value == highest);
                assert_eq!(found.decided, *action == decided, "decision in {state}");
            }
            let best: Vec<usize> = expected
                .iter()
                .filter(|choice| choice.1 == highest)
                .map(|choice| choice.0)
                .collect();
            assert_eq!(solution.best(&state).unwrap(), best, "ties in {state}");
            assert_eq!(solution.decision(&state).unwrap(), Some(decided));
        }
        assert_eq!(met, solution.len());
        assert_eq!(solution.value(), oracle.value(oracle.table.start));
    }};
}

quickcheck! {
    fn values_ties_and_decisions(table: Table) -> bool {
        let explored = Solver::exact().solve(&table, table.start).unwrap();
        check_solution!(explored, Oracle::strict(&table));
        let boxed = Solver::exact().solve_indexed(&table, table.start).unwrap();
        check_solution!(boxed, Oracle::strict(&table));
        assert_eq!(boxed.len(), table.rows.len());
        true
    }

    fn relative_tolerance(table: Table, p: u8, q: u8) -> bool {
        let (p, q) = (u64::from(p), u64::from(q) + 1);
        let rule = Tolerance::relative(p, q).unwrap();
        let part = ratio(p, q);
        let better = |c: &BigRational, i: &BigRational| c - i > &part * i.abs();
        let solver = Solver::exact().tolerance(rule);
        check_solution!(solver.solve(&table, table.start).unwrap(), Oracle::by(&table, better));
        let solver = Solver::exact().tolerance(rule);
        check_solution!(solver.solve_indexed(&table, table.start).unwrap(), Oracle::by(&table, better));
        true
    }

    fn absolute_tolerance(table: Table, p: u8, q: u8) -> bool {
        let (p, q) = (u64::from(p), u64::from(q) + 1);
        let rule = Tolerance::absolute(p, q).unwrap();
        let part = ratio(p, q);
        let better = |c: &BigRational, i: &BigRational| c - i > part;
        let solver = Solver::exact().tolerance(rule);
        check_solution!(solver.solve(&table, table.start).unwrap(), Oracle::by(&table, better));
        true
    }

    fn forecasts_of_best_play(table: Table) -> bool {
        let decided: Vec<Option<usize>> = {
            let mut oracle = Oracle::strict(&table);
            (0..table.rows.len())
                .map(|state| (!table.laws(state).is_empty()).then(|| oracle.decision(state).0))
                .collect()
        };
        let chain = Chain::new(&table, |state, choice| u64::from(decided[state] == Some(choice)));
        check_forecast!(Solver::exact().solve(&table, table.start).unwrap(), &chain, &table);
        check_forecast!(Solver::exact().solve_indexed(&table, table.start).unwrap(), &chain, &table);
        true
    }

    fn policies(plan: Plan) -> bool {
        let table = &plan.table;
        // Chance states are not asked.
        let weight = |state: usize, choice: usize| match table.rows[state] {
            Row::Chance(_) => 1,
            _ => plan.weights[state][choice],
        };
        let chain = Chain::new(table, weight);
        let reached: BTreeSet<usize> = (0..=table.start)
            .filter(|&state| !chain.visit(table.start, state).is_zero())
            .collect();
        let solution = Solver::exact().evaluate(table, &plan, table.start).unwrap();
        assert_eq!(solution.len(), reached.len());
        for (state, value) in solution.states() {
            assert_eq!(value, chain.value(table, state), "value of {state}");
            assert!(solution.choices(&state).unwrap().is_empty());
        }
        check_forecast!(solution, &chain, table);
        true
    }

    fn floats_within_their_bounds(table: Table) -> bool {
        let exact = Solver::exact().solve(&table, table.start).unwrap();
        let explored = Solver::float().solve(&table, table.start).unwrap();
        let boxed = Solver::float().solve_indexed(&table, table.start).unwrap();
        for (state, value) in exact.states() {
            for (float, bound) in [
                (explored.value_of(&state).unwrap(), explored.error(&state).unwrap()),
                (boxed.value_of(&state).unwrap(), boxed.error(&state).unwrap()),
            ] {
                let error = (BigRational::from_float(float).unwrap() - &value).abs();
                assert!(error <= BigRational::from_float(bound).unwrap(), "{state}: {error} > {bound}");
            }
            // The exactly best action is never reported as worse.
            let float: BTreeSet<usize> = explored.best(&state).unwrap().into_iter().collect();
            for action in exact.best(&state).unwrap() {
                assert!(float.contains(&action), "{action} in {state}");
            }
        }
        true
    }
}

/// The features in a sample of random tables.
#[test]
fn the_tables_drawn_reach_the_hard_cases() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut note = |what: &'static str, is: bool| *seen.entry(what).or_default() += usize::from(is);
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    for _ in 0..500 {
        let table = Table::arbitrary(&mut g);
        let mut oracle = Oracle::strict(&table);
        let states = 0..table.rows.len();
        let laws: Vec<(usize, Law)> = states
            .clone()
            .flat_map(|s| table.laws(s).iter().map(move |law| (s, law.clone())))
            .collect();
        let totals: Vec<u64> = laws
            .iter()
            .map(|(_, law)| law.iter().map(|o| o.1).sum())
            .collect();
        let met = Solver::exact().solve(&table, table.start).unwrap().len();
        note(
            "a tie",
            states.clone().any(|s| {
                let choices = oracle.choices(s);
                let best = choices.iter().map(|choice| &choice.1).max();
                choices
                    .iter()
                    .filter(|choice| Some(&choice.1) == best)
                    .count()
                    > 1
            }),
        );
        note(
            "a self-loop",
            laws.iter()
                .any(|(s, law)| leaves(law, *s) && law.iter().any(|o| o.0 == *s && o.1 > 0)),
        );
        note(
            "a choice that only stays",
            laws.iter().any(|(s, law)| !leaves(law, *s)),
        );
        note(
            "a weight of zero",
            laws.iter().any(|(_, law)| law.iter().any(|o| o.1 == 0)),
        );
        note(
            "a repeated outcome",
            laws.iter().any(|(_, law)| {
                let distinct: BTreeSet<usize> = law.iter().map(|o| o.0).collect();
                distinct.len() < law.len()
            }),
        );
        note(
            "chance",
            table.rows.iter().any(|row| matches!(row, Row::Chance(_))),
        );
        note("a negative value", oracle.value(table.start).is_negative());
        note("a fraction", !oracle.value(table.start).is_integer());
        note("a total of 2^64 - 1", totals.contains(&u64::MAX));
        note(
            "a total above 2^60",
            totals.iter().any(|&total| total > 1 << 60),
        );
        note("an unreachable state", met < table.rows.len());
        note("a start that ends", table.score(table.start).is_some());
        note(
            "a single choice",
            states
                .clone()
                .any(|s| matches!(&table.rows[s], Row::Choices(laws) if laws.len() == 1)),
        );
        note("a huge score", table.rows.contains(&Row::End(i64::MAX, 1)));
        note(
            "a decision that is not the first",
            states
                .clone()
                .any(|s| matches!(table.rows[s], Row::Choices(_)) && oracle.decision(s).0 > 0),
        );
    }
    for (what, times) in seen {
        assert!(times >= 5, "{what}: only {times} times in 500");
    }
}

/// A box is read again for a forecast: its weights, 1 + 1 against 2, must then have the same
/// denominator as when it was solved.
#[test]
fn repeated_outcomes_in_a_box() {
    let table = Table {
        rows: vec![
            Row::End(0, 1),
            Row::End(1, 1),
            Row::Chance(vec![(0, 1), (0, 1), (1, 2)]),
            Row::Choices(vec![vec![(2, 3), (2, 3), (3, 6)]]),
        ],
        start: 3,
    };
    let chain = Chain::new(&table, |_, _| 1);
    check_forecast!(
        Solver::exact().solve_indexed(&table, 3).unwrap(),
        &chain,
        &table
    );
}

/// The oracle itself, by hand: 3 is drawn again with probability 1/2.
#[test]
fn the_oracle_is_right_where_it_can_be_checked_by_hand() {
    let table = Table {
        rows: vec![
            Row::End(0, 1),
            Row::End(1, 1),
            Row::Choices(vec![vec![(0, 1), (1, 2)], vec![(1, 1), (2, 3)]]),
            Row::Chance(vec![(2, 1), (0, 1), (3, 2)]),
        ],
        start: 3,
    };
    let mut oracle = Oracle::strict(&table);
    assert_eq!(oracle.choices(2), [(0, ratio(2, 3)), (1, ratio(1, 1))]);
    assert_eq!(oracle.value(3), ratio(1, 2));
    let chain = Chain::new(&table, |state, choice| u64::from(state == 3 || choice == 1));
    assert_eq!(chain.visit(3, 2), ratio(1, 2));
    assert_eq!(chain.passes(3, 1, ALL), ratio(1, 2));
    assert_eq!(chain.takes(3, 1, ALL), ratio(1, 4));
    assert_eq!(chain.takes(3, 2, ALL), ratio(1, 8) + ratio(1, 16));
    // 2 moves out of 3, and four out of 2 half of the time.
    assert_eq!(chain.moves(3, ALL), ratio(4, 1));
    assert_eq!(chain.value(&table, 3), ratio(1, 2));
}
