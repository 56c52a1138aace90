//! The distribution of lengths, whether or not play comes back to a state.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use oddsmith_dice::Weight;

use super::bounds::Bounds;
use super::visits::Visits;
use crate::ahead::Ahead;
use crate::model::{Model, Scratch};
use crate::number::{Mass, cover};
use crate::odds::Amount;
use crate::{Error, Game, Number};

const WHAT: &str = "chances so far ahead";

impl<G: Game + ?Sized, N: Number, M: Model<G>> Visits<'_, '_, G, N, M> {
    /// Returns the probabilities that play takes exactly 0, 1, …, `horizon` moves out of states
    /// that satisfy `counted`, including moves that stay in the state.
    ///
    /// The difference between one and their sum is the probability that play takes longer.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`], before any work, if there is no room for this many probabilities,
    /// however short they are. [`Error::FractionsOutgrow`] if the fractions, which grow with every
    /// move, take more than the [`max_bytes`](crate::Solver::max_bytes) of the solution; it states
    /// how many moves were looked ahead. (Fractions that pass through states that are not counted
    /// are not measured.)
    ///
    /// # Complexity
    /// One pass over the outcomes for each move. In fractions, the numbers grow with each move, and
    /// each move takes a greatest common divisor, so the total time grows with the cube of the
    /// horizon. If some states that occur are not counted, each component and move also takes one
    /// elimination of these states.
    ///
    /// # Examples
    /// Gambler's ruin with a fair coin, 1 of 3 in hand. The hand alternates between 1 and 2, so
    /// play that leaves 1 three times has left 2 two or three times.
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let ruin = Table::from_fn(4, |hand, row| match hand {
    ///     0 | 3 => row.end(hand == 3),
    ///     _ => {
    ///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::exact().allow_cycles().solve_table(&ruin, 1)?;
    /// let visits = solution.visits()?;
    /// let lengths = visits.lengths(3, |_| true)?;
    /// let lengths: Vec<String> = lengths.iter().map(|p| p.to_string()).collect();
    /// assert_eq!(lengths, ["0", "1/2", "1/4", "1/8"]);
    ///
    /// let from_one = visits.lengths(3, |&hand| hand == 1)?;
    /// let from_one: Vec<String> = from_one.iter().map(|p| p.to_string()).collect();
    /// assert_eq!(from_one, ["0", "3/4", "3/16", "3/64"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lengths(
        &self,
        horizon: u32,
        counted: impl Fn(&G::State) -> bool,
    ) -> Result<Vec<N::Value>, Error> {
        let bounds = Bounds {
            max_bytes: self.solution.max_bytes(),
            states: self.solution.len(),
        };
        let needed = (u128::from(horizon) + 1) * size_of::<N::Value>() as u128;
        bounds.check(WHAT, needed)?;
        let occurs = self.departures.iter().enumerate();
        let counts: Vec<bool> = occurs
            .map(|(number, flow)| flow.is_zero() || counted(&self.solution.state(number)))
            .collect();
        // States that are not counted may be passed any number of times, which requires a division
        // by the probability of leaving. Without such states, probabilities can be divided as
        // integers.
        let mut scratch = Scratch::new();
        let mut all = true;
        for number in (0..counts.len()).filter(|&number| !counts[number]) {
            all &= self.solution.row(number, &mut scratch)?.score.is_some();
        }
        match all {
            true => self.lengths_of_all(horizon, bounds),
            false => self.lengths_of_some(horizon, &counts),
        }
    }

    /// Every move is counted.
    fn lengths_of_all(&self, horizon: u32, bounds: Bounds) -> Result<Vec<N::Value>, Error> {
        let solution = self.solution;
        let mut scratch = Scratch::new();
        let mut whole = BigUint::one();
        if <N::Mass as Weight>::EXACT {
            for (number, departures) in self.departures.iter().enumerate() {
                let row = solution.row(number, &mut scratch)?;
                if !departures.is_zero()
                    && let Some((_, odds)) = row.choice(solution.decided_choice(number))
                {
                    cover(&mut whole, &odds.total().to_big());
                }
            }
        }
        let nothing = || N::Mass::start(&BigUint::ZERO);
        // One more factor for each move, so that all shares are integers.
        let common = whole;
        let mut ahead = Ahead::new(horizon, bounds.max_bytes);
        let mut whole = N::Mass::start(&BigUint::one());
        let mut now = vec![nothing(); solution.len()];
        now[solution.start_number()] = whole.clone();
        let mut lengths = Vec::new();
        for length in 0..=horizon {
            if now.iter().all(Mass::is_nothing) {
                lengths.resize_with(horizon as usize + 1, N::Value::zero);
                break;
            }
            let mut next = vec![nothing(); solution.len()];
            let mut ended = nothing();
            for (number, mut mass) in now.into_iter().enumerate() {
                if mass.is_nothing() {
                    continue;
                }
                let row = solution.row(number, &mut scratch)?;
                let Some((targets, odds)) = row.choice(solution.decided_choice(number)) else {
                    ended.gain(mass);
                    continue;
                };
                if length == horizon {
                    continue;
                }
                mass.stretch(&common);
                for (outcome, &target) in targets.iter().enumerate() {
                    let share = mass.share(odds.weight(outcome), odds.total());
                    next[target as usize].gain(share);
                }
                if !matches!(odds.staying(), Amount::Small(0)) {
                    next[number].gain(mass.share(odds.staying(), odds.total()));
                }
            }
            ahead.check(length, &ended, &whole, &next)?;
            lengths.push(<N::Mass as Weight>::ratio(&ended, &whole));
            whole.stretch(&common);
            now = next;
        }
        Ok(lengths)
    }

    /// Only moves out of counted states are counted. Between two of them, play passes through
    /// others until it reaches one that is counted, or ends.
    fn lengths_of_some(&self, horizon: u32, counts: &[bool]) -> Result<Vec<N::Value>, Error> {
        let solution = self.solution;
        let mut scratch = Scratch::new();
        let mut flow = vec![N::Value::zero(); solution.len()];
        flow[solution.start_number()] = N::Value::one();
        let mut lengths = Vec::new();
        for length in 0..=horizon {
            if flow.iter().all(N::Value::is_zero) {
                lengths.resize_with(horizon as usize + 1, N::Value::zero);
                break;
            }
            self.pass_uncounted(&mut flow, counts)?;
            let mut next = vec![N::Value::zero(); solution.len()];
            let mut ended = N::Value::zero();
            for (number, part) in flow.into_iter().enumerate() {
                if part.is_zero() {
                    continue;
                }
                let row = solution.row(number, &mut scratch)?;
                let Some((targets, odds)) = row.choice(solution.decided_choice(number)) else {
                    ended += part;
                    continue;
                };
                if length == horizon {
                    continue;
                }
                let total = odds.total().to_big();
                let chance = |weight: Amount<'_>| N::Mass::quotient(&weight.to_big(), &total);
                for (outcome, &target) in targets.iter().enumerate() {
                    next[target as usize] += part.clone() * chance(odds.weight(outcome));
                }
                if !matches!(odds.staying(), Amount::Small(0)) {
                    next[number] += part * chance(odds.staying());
                }
            }
            lengths.push(ended);
            flow = next;
        }
        Ok(lengths)
    }

    /// Moves the probability in states that are not counted on to others.
    fn pass_uncounted(&self, flow: &mut [N::Value], counts: &[bool]) -> Result<(), Error> {
        let solution = self.solution;
        let model = solution.model();
        let mut scratch = Scratch::new();
        let mut cycles = model.cycles().iter().rev().peekable();
        let mut place = solution.len();
        while place > 0 {
            let start = match cycles.next_if(|cycle| cycle.end as usize == place) {
                Some(cycle) => cycle.start as usize,
                None => place - 1,
            };
            let mut numbers: Vec<usize> = (start..place).map(|place| model.at(place)).collect();
            place = start;
            numbers.retain(|&number| !counts[number]);
            if numbers.iter().all(|&number| flow[number].is_zero()) {
                continue;
            }
            let own = numbers.iter().map(|&number| flow[number].clone());
            let departures = match numbers.len() {
                1 => own.collect(),
                _ => self.depart(&numbers, own.collect())?.0,
            };
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            for (number, departed) in numbers.into_iter().zip(departures) {
                let row = solution.row(number, &mut scratch)?;
                let Some((targets, odds)) = row.choice(solution.decided_choice(number)) else {
                    continue;
                };
                flow[number] = N::Value::zero();
                let leaving = odds.leaving().to_big();
                for (outcome, &target) in targets.iter().enumerate() {
                    if sorted.binary_search(&(target as usize)).is_err() {
                        let part = N::Mass::quotient(&odds.weight(outcome).to_big(), &leaving);
                        flow[target as usize] += departed.clone() * part;
                    }
                }
            }
        }
        Ok(())
    }
}
