//! Properties of every game, whatever its numbers.

use crate::table;
use std::collections::{BTreeMap, BTreeSet};

use crate::table::{Plan, Row, Table};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_mdp::{
    AtRandom, Boxed, Error, Exact, Explored, Float, Forecast, Game, Node, Solution, Solver,
    Tolerance,
};
use quickcheck::{TestResult, quickcheck};

fn whole(n: i64) -> BigRational {
    BigRational::from_integer(BigInt::from(n))
}

/// The same game with every score times `by` plus `plus`.
struct Rescaled<'t> {
    table: &'t Table,
    by: BigRational,
    plus: BigRational,
}

impl Game for Rescaled<'_> {
    type State = usize;
    type Action = usize;

    fn expand(&self, state: &usize, node: &mut Node<Self>) {
        if let Some(score) = self.table.score(*state) {
            return node.end(score * &self.by + &self.plus);
        }
        let page = Node::of(self.table, state).unwrap();
        for choice in 0..page.len() {
            let mut to = node.choice(choice);
            for &(state, weight) in page.outcomes(choice) {
                to.to(state, weight);
            }
        }
    }
}

/// The same game with renamed states and choices in reverse order.
struct Renamed<'t>(&'t Table);

impl Renamed<'_> {
    /// 7 is odd, so this is a bijection.
    fn name(state: usize) -> u64 {
        (state as u64).wrapping_mul(7).wrapping_add(u64::MAX - 20)
    }

    fn state(&self, name: u64) -> usize {
        let mut states = 0..self.0.rows.len();
        states.find(|&state| Self::name(state) == name).unwrap()
    }
}

impl Game for Renamed<'_> {
    type State = u64;
    type Action = usize;

    fn expand(&self, &name: &u64, node: &mut Node<Self>) {
        let state = self.state(name);
        if let Some(score) = self.0.score(state) {
            return node.end(score);
        }
        let chance = matches!(self.0.rows[state], Row::Chance(_));
        for (action, law) in self.0.laws(state).iter().enumerate().rev() {
            let mut to = if chance {
                node.chance()
            } else {
                node.choice(action)
            };
            for &(state, weight) in law.iter().rev() {
                to.to(Self::name(state), weight);
            }
        }
    }
}

/// Every weight times `factor`, then split in two where that is possible.
fn split(table: &Table, factor: u64) -> Option<Table> {
    let mut rows = table.rows.clone();
    for row in &mut rows {
        let laws = match row {
            Row::End(..) => continue,
            Row::Chance(law) => std::slice::from_mut(law),
            Row::Choices(laws) => laws.as_mut_slice(),
        };
        for law in laws {
            let total: u64 = law.iter().map(|outcome| outcome.1).sum();
            total.checked_mul(factor)?;
            *law = law
                .iter()
                .flat_map(|&(to, weight)| {
                    let weight = weight * factor;
                    [(to, weight / 3), (to, weight - weight / 3)]
                })
                .collect();
        }
    }
    let start = table.start;
    Some(Table { rows, start })
}

quickcheck! {
    fn no_policy_beats_the_solution(plan: Plan) -> TestResult {
        let table = &plan.table;
        let best = Solver::exact().solve_indexed(table, table.start).unwrap();
        let played = match Solver::exact().evaluate_indexed(table, &plan, table.start) {
            Err(Error::NoDecision { .. }) => return TestResult::discard(),
            played => played.unwrap(),
        };
        for (state, value) in played.states() {
            assert!(value <= best.value_of(&state).unwrap(), "{state}");
        }
        TestResult::passed()
    }

    fn scores_may_be_scaled_and_shifted(table: Table, by: u8, plus: i8, over: u8) -> bool {
        let by = whole(i64::from(by) + 1) / whole(i64::from(over) + 1);
        let plus = whole(i64::from(plus)) / whole(i64::from(over) + 1);
        let scaled = Rescaled { table: &table, by: by.clone(), plus: plus.clone() };
        let before = Solver::exact().solve(&table, table.start).unwrap();
        let after = Solver::exact().solve(&scaled, table.start).unwrap();
        for (state, value) in before.states() {
            assert_eq!(after.value_of(&state).unwrap(), value * &by + &plus);
            if matches!(table.rows[state], Row::Choices(_)) {
                assert_eq!(before.best(&state).unwrap(), after.best(&state).unwrap());
                assert_eq!(before.decision(&state).unwrap(), after.decision(&state).unwrap());
            }
        }
        true
    }

    fn names_and_order_do_not_matter(table: Table) -> bool {
        let renamed = Renamed(&table);
        let before = Solver::exact().solve(&table, table.start).unwrap();
        let after = Solver::exact().solve(&renamed, Renamed::name(table.start)).unwrap();
        assert_eq!(before.len(), after.len());
        for (state, value) in before.states() {
            let name = Renamed::name(state);
            assert_eq!(after.value_of(&name).unwrap(), value);
            let ties: BTreeSet<usize> = before.best(&state).unwrap().into_iter().collect();
            let mirrored: BTreeSet<usize> = after.best(&name).unwrap().into_iter().collect();
            assert_eq!(ties, mirrored);
            // The first of the ties is chosen, which is now the last.
            assert_eq!(before.decision(&state).unwrap().as_ref(), ties.first());
            assert_eq!(after.decision(&name).unwrap().as_ref(), ties.last());
        }
        true
    }

    fn only_the_odds_of_weights_matter(table: Table, factor: u8) -> TestResult {
        let Some(other) = split(&table, u64::from(factor) + 1) else {
            return TestResult::discard();
        };
        let before = Solver::exact().solve(&table, table.start).unwrap();
        let after = Solver::exact().solve(&other, other.start).unwrap();
        assert!(before.states().eq(after.states()));
        let boxed = Solver::exact().solve_indexed(&other, other.start).unwrap();
        for (state, value) in before.states() {
            assert_eq!(boxed.value_of(&state).unwrap(), value);
        }
        TestResult::passed()
    }

    fn a_solution_is_worth_what_its_own_policy_is(table: Table, p: u8) -> bool {
        for rule in [Tolerance::strict(), Tolerance::absolute(p.into(), 100).unwrap()] {
            let solution = Solver::exact().tolerance(rule).solve(&table, table.start).unwrap();
            let played = Solver::exact().evaluate(&table, &solution, table.start).unwrap();
            for (state, value) in played.states() {
                assert_eq!(value, solution.value_of(&state).unwrap());
            }
            // The same for floats, within the bound.
            let float = Solver::float().tolerance(rule).solve(&table, table.start).unwrap();
            let played = Solver::exact().evaluate(&table, &float, table.start).unwrap();
            for (state, value) in played.states() {
                let found = BigRational::from_float(float.value_of(&state).unwrap()).unwrap();
                let bound = BigRational::from_float(float.error(&state).unwrap()).unwrap();
                assert!(&found - &bound <= value && value <= found + bound, "{state}");
            }
        }
        true
    }

    fn ends_are_certain_and_average_to_the_value(table: Table) -> bool {
        let solution = Solver::exact().solve(&table, table.start).unwrap();
        let ends = solution.forecast().unwrap().ends().unwrap();
        let (mut sum, mut mean) = (BigRational::zero(), BigRational::zero());
        for &state in ends.outcomes() {
            mean += ends.p(&state) * table.score(state).unwrap();
            sum += ends.p(&state);
        }
        assert!(sum.is_one());
        assert_eq!(mean, solution.value());
        true
    }

    fn lengths_grow_to_one_and_to_their_mean(table: Table) -> bool {
        let solution = Solver::exact().solve(&table, table.start).unwrap();
        let forecast = solution.forecast().unwrap();
        let expected = forecast.expected_count(|_| true).unwrap();
        let (mut sum, mut mean) = (BigRational::zero(), BigRational::zero());
        for (n, p) in (0..).zip(forecast.lengths(25, |_| true).unwrap()) {
            assert!(p >= BigRational::zero());
            mean += &p * whole(n);
            sum += p;
        }
        let longer = BigRational::one() - sum;
        assert!(longer >= BigRational::zero());
        // Markov's inequality, in the form that is an equality at the limit.
        assert!(&mean + &longer * whole(26) <= expected);
        // Passing each state once remains if self-loops cost nothing.
        let count = forecast.count(|_| true).unwrap();
        let mut passed = BigRational::zero();
        for &n in count.outcomes() {
            passed += count.p(&n) * whole(n as i64);
        }
        assert!(passed <= expected);
        if longer.is_zero() {
            assert_eq!((&passed, &mean), (&expected, &expected));
        }
        // The same for the sum of the probabilities of being anywhere but at an end.
        let mut anywhere = BigRational::zero();
        for (state, _) in solution.states() {
            if table.score(state).is_none() {
                anywhere += forecast.chance(&state).unwrap();
            }
        }
        assert_eq!(anywhere, passed);
        true
    }

    fn counting_nothing_counts_zero(table: Table) -> bool {
        let solution = Solver::exact().solve(&table, table.start).unwrap();
        let forecast = solution.forecast().unwrap();
        let count = forecast.count(|_| false).unwrap();
        assert!(count.p(&0).is_one() && count.len() == 1);
        assert!(forecast.expected_count(|_| false).unwrap().is_zero());
        let lengths = forecast.lengths(2, |_| false).unwrap();
        assert!(lengths[0].is_one() && lengths[1].is_zero() && lengths[2].is_zero());
        true
    }

    fn another_action_never_hurts(table: Table, fewer: u8) -> TestResult {
        let mut poorer = table.clone();
        let state = usize::from(fewer) % table.rows.len();
        let Row::Choices(laws) = &mut poorer.rows[state] else {
            return TestResult::discard();
        };
        let _ = laws.pop();
        if !laws.iter().any(|law| table::leaves(law, state)) {
            return TestResult::discard();
        }
        let less = Solver::exact().solve_indexed(&poorer, poorer.start).unwrap();
        let more = Solver::exact().solve_indexed(&table, table.start).unwrap();
        for (state, value) in less.states() {
            assert!(value <= more.value_of(&state).unwrap());
        }
        TestResult::passed()
    }

    fn a_better_score_never_hurts(table: Table, better: u8) -> TestResult {
        let mut richer = table.clone();
        let state = usize::from(better) % table.rows.len();
        let Row::End(n, d) = &mut richer.rows[state] else {
            return TestResult::discard();
        };
        *n = n.saturating_add(*d);
        let before = Solver::exact().solve_indexed(&table, table.start).unwrap();
        let after = Solver::exact().solve_indexed(&richer, richer.start).unwrap();
        for (state, value) in before.states() {
            assert!(value <= after.value_of(&state).unwrap());
        }
        TestResult::passed()
    }

    fn tolerance_costs_but_never_gains(table: Table, p: u8) -> bool {
        let strict = Solver::exact().solve(&table, table.start).unwrap();
        let rule = Tolerance::absolute(u64::from(p), 10).unwrap();
        let loose = Solver::exact().tolerance(rule).solve(&table, table.start).unwrap();
        for (state, value) in loose.states() {
            assert!(value <= strict.value_of(&state).unwrap());
        }
        // Without any of them nothing changes.
        let none = Tolerance::relative(0, 1).unwrap();
        let same = Solver::exact().tolerance(none).solve(&table, table.start).unwrap();
        assert!(strict.states().eq(same.states()));
        true
    }

    fn chance_lies_between_the_choices(table: Table) -> TestResult {
        let solution = Solver::exact().solve(&table, table.start).unwrap();
        let random = match Solver::exact().evaluate(&table, AtRandom, table.start) {
            Err(Error::NoDecision { .. }) => return TestResult::discard(),
            random => random.unwrap(),
        };
        let lowest = (0..table.rows.len()).filter_map(|state| table.score(state)).min();
        assert!(random.value() <= solution.value());
        assert!(Some(random.value()) >= lowest);
        TestResult::passed()
    }

    fn two_runs_are_equal_bit_for_bit(plan: Plan) -> bool {
        let table = &plan.table;
        let text = || {
            let exact = Solver::exact().solve(table, table.start).unwrap();
            let float = Solver::float().solve(table, table.start).unwrap();
            let boxed = Solver::float().solve_indexed(table, table.start).unwrap();
            let bits: BTreeMap<usize, u64> = float.states().map(|(s, v)| (s, v.to_bits())).collect();
            let why: Vec<String> = exact
                .states()
                .map(|(state, _)| exact.explain(&state).unwrap().to_string())
                .collect();
            let forecast = float.forecast().unwrap();
            let lengths = forecast.lengths(4, |_| true).unwrap();
            let states: Vec<_> = exact.states().collect();
            format!(
                "{exact:?} {float:?} {boxed:?} {bits:?} {why:?} {lengths:?} {states:?} {:?}",
                forecast.ends().unwrap(),
            )
        };
        assert_eq!(text(), text());
        true
    }
}

#[test]
fn solutions_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Solution<'_, Table, Exact, Explored<Table>>>();
    shared::<Solution<'_, Table, Float, Boxed>>();
    shared::<Forecast<'_, '_, Table, Exact>>();
    shared::<Error>();
    shared::<Node<Table>>();
}
