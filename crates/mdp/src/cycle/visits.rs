//! Where play leads, whether or not it comes back to a state: visits, lengths and ends.

use std::ops::Range;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_dice::Weight;
use oddsmith_dice::linear::{Direction, FloatSolution, FloatSystem, System};

use super::bounds::Bounds;
use super::underflow::Underflow;
use crate::explored::Explored;
use crate::model::{Model, Scratch};
use crate::number::{Mass, Number, at_most_one, cover, tries};
use crate::odds::Odds;
use crate::{Error, Game, Solution};

/// The flow through a component: how often play leaves each of its states for another, and the
/// number of roundings of that.
pub(crate) type Departures<V> = (Vec<V>, u64);

/// A component under the decided play.
#[derive(Debug)]
pub struct Part {
    system: System,
    bounds: Bounds,
}

impl Part {
    pub(crate) fn departures_in_fractions(
        &self,
        flow: &[BigRational],
    ) -> Result<Departures<BigRational>, Error> {
        let common = common_denominator(flow);
        let whole = |f: &BigRational| f.numer() * (&common / f.denom());
        let flow: Vec<BigInt> = flow.iter().map(whole).collect();
        let solved = self.bounds.within(&mut || Ok(()), |limits, hook| {
            self.system
                .solve_within(Direction::Forward, &flow, limits, hook)
        })?;
        let (numerators, denominator) = solved.into_parts();
        let denominator = BigInt::from(denominator) * common;
        let departures = numerators.into_iter().zip(self.system.leaving());
        let departures = departures.map(|(x, leaving)| {
            BigRational::new(x * BigInt::from(leaving.clone()), denominator.clone())
        });
        Ok((departures.collect(), 0))
    }

    pub(crate) fn departures_in_floats(&self, flow: &[f64]) -> Result<Departures<f64>, Error> {
        let nodes = flow.len() as u64;
        match self.solved_in_floats(Direction::Forward, flow) {
            // Two numbers, each converted in two roundings, and a quotient.
            Ok(solved) => {
                let roundings = solved.roundings().saturating_add(10 * nodes);
                Ok((solved.into_numbers(), roundings))
            }
            // Choices that leave are too unlikely for floats.
            Err(Error::Dice(oddsmith_dice::Error::FloatOverflow { .. })) => {
                Ok((vec![f64::NAN; flow.len()], u64::MAX))
            }
            Err(error) => Err(error),
        }
    }

    fn solved_in_floats(&self, direction: Direction, b: &[f64]) -> Result<FloatSolution, Error> {
        let system = &self.system;
        let (mut rows, mut exits) = (Vec::new(), Vec::new());
        for ((row, exit), leaving) in system
            .rows()
            .iter()
            .zip(system.exits())
            .zip(system.leaving())
        {
            let share = |weight| <f64 as Mass>::quotient(weight, leaving);
            rows.push(row.iter().map(|way| (way.0, share(&way.1))).collect());
            exits.push(share(exit));
        }
        let floats = FloatSystem::new(rows, exits)?;
        self.bounds.within(&mut || Ok(()), |limits, hook| {
            floats.solve_within(direction, b, limits, hook)
        })
    }

    /// Returns the base-2 logarithm of a lower bound on all sums of weights that occur in an
    /// elimination, for weights that add up to 1 in each state. Such a sum is at least the chance to
    /// get from one state to another, or out, by way of others, and so at least that of a path that
    /// passes no state twice.
    pub(super) fn least_weight(&self) -> f64 {
        let system = &self.system;
        let ways = system.rows().iter().zip(system.exits());
        let least = ways.zip(system.leaving()).map(|((row, exit), leaving)| {
            let weights = row.iter().map(|way| &way.1).chain([exit]);
            let shares = weights.filter(|weight| !weight.is_zero());
            let shares = shares.map(|weight| <f64 as Mass>::quotient(weight, leaving));
            shares.fold(1.0, f64::min).log2()
        });
        least.sum()
    }

    /// Returns about the highest expected number of moves to other states before play leaves the
    /// component; infinite if it is beyond floats.
    pub(super) fn longest(&self) -> Result<f64, Error> {
        let ones = vec![1.0; self.system.exits().len()];
        match self.solved_in_floats(Direction::Backward, &ones) {
            Ok(moves) => Ok(moves.numbers().iter().fold(1.0, |most, &moves| {
                let moves = if moves.is_nan() { f64::INFINITY } else { moves };
                most.max(moves)
            })),
            Err(Error::Dice(oddsmith_dice::Error::FloatOverflow { .. })) => Ok(f64::INFINITY),
            Err(error) => Err(error),
        }
    }
}

/// Whole numbers in proportion to these fractions.
pub(crate) fn in_proportion(values: &[BigRational]) -> Vec<BigUint> {
    let common = common_denominator(values);
    let whole = |v: &BigRational| (v.numer() * (&common / v.denom())).magnitude().clone();
    values.iter().map(whole).collect()
}

fn common_denominator(values: &[BigRational]) -> BigInt {
    let mut common = BigUint::one();
    for value in values {
        cover(&mut common, value.denom().magnitude());
    }
    common.into()
}

/// Where play leads from the start, as the solution of a game decides or as the evaluated policy
/// plays, whether or not it may come back to a state. A solution of a solver that did not allow
/// cycles also has a [`Forecast`](crate::Forecast), which knows the distributions of counts and
/// scores, and takes less time in fractions.
///
/// Every answer is exact in exact numbers. Under the decisions of a solution, play ends with
/// probability one, so every expected number is finite. A policy under which play does not end has
/// no solution, but results in an [`Error::EndlessCycle`], or in an [`Error::NeverEnds`] if a single
/// state only leads back to itself.
///
/// In floats, the expected number of moves may be beyond 10³⁰⁸, which no float can hold. Then
/// [`relative_error`](Visits::relative_error) is infinite: expected numbers and probabilities may be
/// infinite or not a number, or a distribution an [`Error::Dice`].
///
/// # Examples
/// Gambler's ruin with a fair coin, 3 of 10 in hand. It takes 3 · 7 tosses, and six of ten players
/// ever have 5.
/// ```
/// use oddsmith_mdp::{Solver, Table};
///
/// let ruin = Table::from_fn(11, |hand, row| match hand {
///     0 | 10 => row.end(hand == 10),
///     _ => {
///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
///     }
/// })?;
/// let solution = Solver::exact().allow_cycles().solve_table(&ruin, 3)?;
/// let visits = solution.visits()?;
/// assert_eq!(visits.expected_count(|_| true)?.to_string(), "21");
/// assert_eq!(visits.chance(&5)?.to_string(), "3/5");
/// assert_eq!(visits.visits(&5)?.to_string(), "3");
/// assert_eq!(visits.ends()?.p(&10).to_string(), "3/10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Visits<'s, 'g, G: Game + ?Sized, N: Number, M = Explored<G>> {
    pub(super) solution: &'s Solution<'g, G, N, M>,
    /// How often play leaves each state for another; for a final state, how often play arrives
    /// there.
    pub(super) departures: Vec<N::Value>,
    /// For each state, by number, the cycle to which it belongs, or [`ON_NONE`]. Empty if there is
    /// no cycle.
    cycle_of: Vec<u32>,
    roundings: u64,
    /// The expected number of moves, in floats only. If it is no finite number, answers are wrong
    /// whatever the roundings.
    moves: f64,
    underflow: Underflow,
}

const ON_NONE: u32 = u32::MAX;

fn cycle_of<G: Game + ?Sized>(model: &impl Model<G>) -> Vec<u32> {
    let cycles = model.cycles();
    if cycles.is_empty() {
        return Vec::new();
    }
    let mut cycle_of = vec![ON_NONE; model.len()];
    for (on, cycle) in (0..).zip(cycles) {
        for place in cycle.clone() {
            cycle_of[model.at(place as usize)] = on;
        }
    }
    cycle_of
}

impl<'g, G: Game + ?Sized, N: Number, M: Model<G>> Solution<'g, G, N, M> {
    /// Returns where the decided play leads from the start: visits, lengths and ends.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`] if a component needs more than the
    /// [`max_bytes`](crate::Solver::max_bytes) of the solution. (The fractions kept for each state
    /// are not measured.) Otherwise, only if the game answers differently from when it was solved.
    ///
    /// # Complexity
    /// One pass over the outcomes, and one elimination of transposed equations for each component.
    ///
    /// # Examples
    /// Two players take turns at rolling a die, and the first six wins. That takes six rolls on
    /// average:
    /// ```
    /// # use oddsmith_mdp::{Solver, Table};
    /// let race = Table::from_fn(4, |state, row| match state {
    ///     0 | 1 => row.end(state),
    ///     turn => {
    ///         row.choice().to(3 - turn, 1).to(5 - turn, 5); // 2 begins and wins in 1
    ///     }
    /// })?;
    /// let solution = Solver::exact().allow_cycles().solve_table(&race, 2)?;
    /// assert_eq!(solution.value().to_string(), "6/11");
    /// let visits = solution.visits()?;
    /// assert_eq!(visits.expected_count(|_| true)?.to_string(), "6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    /// One function for solvers that allow cycles and those that do not, in any numbers:
    /// ```
    /// use oddsmith_mdp::{Error, Number, Solver, Table};
    ///
    /// /// How many moves play is expected to take.
    /// fn moves<N: Number>(solver: Solver<'_, N>, table: &Table) -> Result<N::Value, Error> {
    ///     solver.solve_table(table, 2)?.visits()?.expected_count(|_| true)
    /// }
    /// // Two tosses at most, until the first heads.
    /// let tosses = Table::from_fn(3, |left, row| match left {
    ///     0 => row.end(0),
    ///     left => {
    ///         row.choice().to(0, 1).to(left - 1, 1);
    ///     }
    /// })?;
    /// assert_eq!(moves(Solver::exact(), &tosses)?.to_string(), "3/2");
    /// assert_eq!(moves(Solver::float().allow_cycles(), &tosses)?, 1.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visits(&self) -> Result<Visits<'_, 'g, G, N, M>, Error> {
        Visits::new(self)
    }
}

impl<'s, 'g, G: Game + ?Sized, N: Number, M: Model<G>> Visits<'s, 'g, G, N, M> {
    fn new(solution: &'s Solution<'g, G, N, M>) -> Result<Self, Error> {
        let mut visits = Visits {
            solution,
            departures: vec![N::Value::zero(); solution.len()],
            cycle_of: cycle_of(solution.model()),
            roundings: 0,
            moves: 0.0,
            underflow: Underflow::NONE,
        };
        visits.departures[solution.start_number()] = N::Value::one();
        let mut rounded = vec![0_u64; solution.len()];
        let mut scratch = Scratch::new();
        let mut cycles = solution.model().cycles().iter().rev().peekable();
        let mut place = solution.len();
        while place > 0 {
            if let Some(cycle) = cycles.next_if(|cycle| cycle.end as usize == place) {
                let places = cycle.start as usize..cycle.end as usize;
                place = places.start;
                visits.pass(places, &mut rounded)?;
                continue;
            }
            place -= 1;
            let number = solution.model().at(place);
            let flow = visits.departures[number].clone();
            if flow.is_zero() && !visits.underflow.occurs() {
                continue;
            }
            let row = solution.row(number, &mut scratch)?;
            if let Some((targets, odds)) = row.choice(solution.decided_choice(number)) {
                visits.spread(number, flow, targets, &odds, |_| true, &mut rounded);
            }
        }
        visits.roundings = rounded.into_iter().max().unwrap_or(0);
        Ok(visits)
    }

    /// Passes what leaves a state to those outcomes that are `wanted`.
    fn spread(
        &mut self,
        number: usize,
        flow: N::Value,
        targets: &[u32],
        odds: &Odds<'_>,
        wanted: impl Fn(u32) -> bool,
        rounded: &mut [u64],
    ) {
        let leaving = odds.leaving().to_big();
        if !<N::Mass as Weight>::EXACT {
            let (flow, tries) = (flow.to_f64().unwrap_or(f64::NAN), tries(odds));
            if flow != 0.0 {
                self.moves += flow * tries;
            }
            self.underflow.leaves(flow, tries);
        }
        for (outcome, &target) in targets.iter().enumerate() {
            if wanted(target) {
                let weight = odds.weight(outcome).to_big();
                let part = N::Mass::quotient(&weight, &leaving);
                let share = flow.clone() * part;
                if !<N::Mass as Weight>::EXACT && !flow.is_zero() {
                    self.underflow.passes(share.to_f64().unwrap_or(0.0));
                }
                self.departures[target as usize] += share;
                // A quotient of converted numbers, a product and a sum.
                let worst = rounded[number].max(rounded[target as usize]);
                rounded[target as usize] = worst.saturating_add(7);
            }
        }
    }

    /// Computes the flow through a component, in which everything that enters also leaves.
    fn pass(&mut self, places: Range<usize>, rounded: &mut [u64]) -> Result<(), Error> {
        let numbers: Vec<usize> = places
            .clone()
            .map(|p| self.solution.model().at(p))
            .collect();
        let flow: Vec<N::Value> = numbers
            .iter()
            .map(|&n| self.departures[n].clone())
            .collect();
        if flow.iter().all(N::Value::is_zero) && !self.underflow.occurs() {
            return Ok(());
        }
        let part = self.part(&numbers)?;
        let (departures, mut more) = N::Mass::departures(&part, &flow)?;
        if !<N::Mass as Weight>::EXACT {
            let flow = flow.iter().map(|flow| flow.to_f64().unwrap_or(0.0));
            more = more.saturating_mul(self.underflow.eliminates(&part, flow)?);
        }
        let before = numbers.iter().map(|&n| rounded[n]).max().unwrap_or(0);
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        let own = |number: u32| sorted.binary_search(&(number as usize)).is_ok();
        let mut scratch = Scratch::new();
        for (&number, departed) in numbers.iter().zip(departures) {
            rounded[number] = before.saturating_add(more);
            let solution = self.solution;
            let row = solution.row(number, &mut scratch)?;
            if let Some((targets, odds)) = row.choice(solution.decided_choice(number)) {
                let outside = |target| !own(target);
                self.spread(number, departed.clone(), targets, &odds, outside, rounded);
            }
            self.departures[number] = departed;
        }
        Ok(())
    }

    /// Returns how often play leaves each of these states, which are part of a component, for
    /// others, if this much flows into them and nothing returns from outside them.
    pub(super) fn depart(
        &self,
        numbers: &[usize],
        flow: Vec<N::Value>,
    ) -> Result<Departures<N::Value>, Error> {
        N::Mass::departures(&self.part(numbers)?, &flow)
    }

    fn part(&self, numbers: &[usize]) -> Result<Part, Error> {
        let mut by_number: Vec<(usize, u32)> = numbers.iter().copied().zip(0..).collect();
        by_number.sort_unstable();
        let mut scratch = Scratch::new();
        let (mut rows, mut exits) = (Vec::new(), Vec::new());
        for &number in numbers {
            let row = self.solution.row(number, &mut scratch)?;
            let mut ways: Vec<(u32, BigUint)> = Vec::new();
            let mut exit = BigUint::ZERO;
            if let Some((targets, odds)) = row.choice(self.solution.decided_choice(number)) {
                for (outcome, &target) in targets.iter().enumerate() {
                    let weight = odds.weight(outcome).to_big();
                    let found = by_number.binary_search_by_key(&(target as usize), |own| own.0);
                    match found {
                        Ok(found) => ways.push((by_number[found].1, weight)),
                        Err(_) => exit += weight,
                    }
                }
            }
            ways.sort_unstable();
            rows.push(ways);
            exits.push(exit);
        }
        Ok(Part {
            system: System::new(rows, exits)?,
            bounds: Bounds {
                max_bytes: self.solution.max_bytes(),
                states: numbers.len(),
            },
        })
    }

    /// Returns a bound on the relative error of every answer except [`lengths`](Visits::lengths).
    /// It is zero in exact numbers.
    ///
    /// The bound is γ = k·u / (1 − k·u) with u = 2⁻⁵³ and k = 2 (r + n) + 8. Here r is the number
    /// of roundings along the worst path, and n the number of states that an answer may add up. All
    /// terms are positive, so sums do not increase relative errors, and elimination subtracts
    /// nothing. Answers below 10⁻²⁰⁰ may lose more, since products behind them may be too small for
    /// floats. The bound is infinite if such products may matter for larger answers, too, where play
    /// takes very many moves (some 10³⁰ at least), and if the expected number of moves is beyond the
    /// range of floats.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let ruin = Table::from_fn(11, |hand, row| match hand {
    ///     0 | 10 => row.end(hand == 10),
    ///     _ => {
    ///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::float().allow_cycles().solve_table(&ruin, 3)?;
    /// let visits = solution.visits()?;
    /// let error = (visits.expected_count(|_| true)? / 21.0 - 1.0).abs();
    /// assert!(error <= visits.relative_error() && visits.relative_error() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        if <N::Mass as Weight>::EXACT {
            return 0.0;
        }
        if !self.moves.is_finite() || !self.underflow.is_negligible() {
            return f64::INFINITY;
        }
        let k = 2.0 * (self.roundings as f64 + self.departures.len() as f64) + 8.0;
        let part = k * (f64::EPSILON / 2.0);
        if part < 1.0 {
            part / (1.0 - part) * (1.0 + 4.0 * f64::EPSILON)
        } else {
            f64::INFINITY
        }
    }

    /// Returns the odds of the decided choice of a state: the total weight divided by the weight
    /// that leaves; `None` where the game ends.
    fn stays(&self, number: usize) -> Result<Option<N::Value>, Error> {
        let mut scratch = Scratch::new();
        let row = self.solution.row(number, &mut scratch)?;
        Ok(row
            .choice(self.solution.decided_choice(number))
            .map(|(_, odds)| N::Mass::quotient(&odds.total().to_big(), &odds.leaving().to_big())))
    }

    /// Returns how often play is expected to be in `state`, including staying there; for a final
    /// state, the probability of ending there.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that the solution did not visit.
    ///
    /// # Examples
    /// A coin is tossed until it shows heads twice in succession. How often is the first toss of a
    /// try made?
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let twice = Table::from_fn(3, |heads, row| match heads {
    ///     2 => row.end(1),
    ///     _ => {
    ///         row.choice().to(heads + 1, 1).to(0, 1);
    ///     }
    /// })?;
    /// let solution = Solver::exact().allow_cycles().solve_table(&twice, 0)?;
    /// let visits = solution.visits()?;
    /// assert_eq!(visits.visits(&0)?.to_string(), "4");
    /// assert_eq!(visits.visits(&1)?.to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visits(&self, state: &G::State) -> Result<N::Value, Error> {
        let number = self.solution.number(state)?;
        let departures = self.departures[number].clone();
        Ok(match self.stays(number)? {
            Some(stays) => departures * stays,
            None => at_most_one(departures),
        })
    }

    /// Returns the probability that `state` ever occurs.
    ///
    /// # Errors
    /// The same as for [`visits`](Visits::visits).
    ///
    /// # Complexity
    /// O(1). Within a component, one more elimination: the expected visits are divided by those of
    /// play that starts in the state.
    ///
    /// # Examples
    /// Gambler's ruin with a fair coin, 3 of 10 in hand. Half of the players ever have 6.
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let ruin = Table::from_fn(11, |hand, row| match hand {
    ///     0 | 10 => row.end(hand == 10),
    ///     _ => {
    ///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::exact().allow_cycles().solve_table(&ruin, 3)?;
    /// assert_eq!(solution.visits()?.chance(&6)?.to_string(), "1/2");
    /// assert_eq!(solution.visits()?.chance(&3)?.to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chance(&self, state: &G::State) -> Result<N::Value, Error> {
        let number = self.solution.number(state)?;
        let departures = self.departures[number].clone();
        let model = self.solution.model();
        let on = self.cycle_of.get(number).copied().unwrap_or(ON_NONE);
        let Some(cycle) = model.cycles().get(on as usize).cloned() else {
            return Ok(at_most_one(departures));
        };
        let numbers = cycle.map(|place| model.at(place as usize));
        let numbers: Vec<usize> = numbers.collect();
        let flow = numbers.iter().map(|&other| {
            if other == number {
                N::Value::one()
            } else {
                N::Value::zero()
            }
        });
        let (alone, _) = self.depart(&numbers, flow.collect())?;
        let again = numbers
            .iter()
            .zip(alone)
            .find(|(other, _)| **other == number);
        let ever = again.map_or_else(N::Value::zero, |(_, again)| departures / again);
        Ok(at_most_one(ever))
    }

    /// Returns the expected number of moves out of states that satisfy `counted`, including moves
    /// that stay in the state.
    ///
    /// # Errors
    /// Only if the game answers differently from when it was solved.
    ///
    /// # Examples
    /// Gambler's ruin with a fair coin, 3 of 10 in hand: 21 tosses. How many of them are made with
    /// 5 or more?
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let ruin = Table::from_fn(11, |hand, row| match hand {
    ///     0 | 10 => row.end(hand == 10),
    ///     _ => {
    ///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::exact().allow_cycles().solve_table(&ruin, 3)?;
    /// let visits = solution.visits()?;
    /// assert_eq!(visits.expected_count(|_| true)?.to_string(), "21");
    /// assert_eq!(visits.expected_count(|&hand| hand >= 5)?.to_string(), "9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_count(&self, counted: impl Fn(&G::State) -> bool) -> Result<N::Value, Error> {
        let mut sum = N::Value::zero();
        for (number, departures) in self.departures.iter().enumerate() {
            if !departures.is_zero()
                && counted(&self.solution.state(number))
                && let Some(stays) = self.stays(number)?
            {
                sum += departures.clone() * stays;
            }
        }
        Ok(sum)
    }
}

impl<G: Game + ?Sized, N: Number, M> std::fmt::Debug for Visits<'_, '_, G, N, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let occurring = self.departures.iter().filter(|flow| !flow.is_zero());
        write!(f, "Visits({} states occur)", occurring.count())
    }
}
