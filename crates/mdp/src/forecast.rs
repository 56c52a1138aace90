//! Looking ahead: where play leads, how often, and how long it takes.

mod passed;

use std::collections::{BTreeMap, VecDeque};

use num_bigint::BigUint;
use num_traits::{One, Zero};
use oddsmith_dice::{Dist, Weight};

use crate::ahead::{Ahead, Held};
use crate::explored::Explored;
use crate::forecast::passed::{Passed, passed};
use crate::model::{Model, Scratch};
use crate::number::{Mass, Store, at_most_one, cover};
use crate::odds::Odds;
use crate::{Error, Game, Number, Score, Solution};

/// The probabilities of everything that can happen when a game is played from its start, as the
/// solution decides or as the evaluated policy plays.
///
/// # Examples
/// A die is rolled up to three times, and the last roll counts:
/// ```
/// # use oddsmith_mdp::{Game, Node};
/// # struct KeepOrRoll;
/// # impl Game for KeepOrRoll {
/// #     type State = (u8, u8);
/// #     type Action = &'static str;
/// #     fn expand(&self, &(left, pips): &(u8, u8), node: &mut Node<Self>) {
/// #         if left == 0 { return node.end(pips); }
/// #         if pips > 0 { node.choice("keep").to((0, pips), 1); }
/// #         let mut roll = node.choice("roll");
/// #         for face in 1..=6 { roll.to((left - 1, face), 1); }
/// #     }
/// # }
/// use oddsmith_mdp::Solver;
///
/// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
/// let forecast = solution.forecast()?;
/// let pips = forecast.ends_by(|&(_, pips)| pips)?;
/// assert_eq!(pips.p(&6).to_string(), "1/3"); // 1/6 + 2/3·(1/6 + 1/2·1/6)
/// assert_eq!(forecast.chance(&(1, 4))?.to_string(), "1/9");
/// // Rolling and keeping at once takes two moves, everything else three.
/// let moves = forecast.count(|_| true)?;
/// assert_eq!(moves.p(&2).to_string(), "1/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Forecast<'s, 'g, G: Game + ?Sized, N: Number, M = Explored<G>> {
    solution: &'s Solution<'g, G, N, M>,
    /// The probability of ever being in each state, as a multiple of 1 / `whole`.
    masses: Vec<N::Mass>,
    whole: N::Mass,
    /// The number of roundings of the most often rounded of these probabilities.
    roundings: u64,
}

impl<'s, 'g, G: Game + ?Sized, N: Number, M: Model<G>> Forecast<'s, 'g, G, N, M> {
    pub(crate) fn new(solution: &'s Solution<'g, G, N, M>) -> Result<Self, Error> {
        if <N::Store as Store>::CYCLES {
            return Err(Error::ForecastOfCycles);
        }
        let whole = solution.store().whole();
        let Passed { masses, roundings } = passed(solution, &whole, |_| false)?;
        Ok(Forecast {
            solution,
            masses,
            whole,
            roundings,
        })
    }

    /// Returns a bound on the relative error of every [`chance`](Forecast::chance), of every
    /// [`chance_of_any`](Forecast::chance_of_any), and of every probability of
    /// [`ends`](Forecast::ends), [`ends_by`](Forecast::ends_by) and [`count`](Forecast::count). It
    /// is zero in exact numbers.
    ///
    /// The bound is γ = k·u / (1 − k·u) with u = 2⁻⁵³ and k = 2 (r + n) + 1. Here r is the number
    /// of roundings along the worst path, and n the number of states, which a distribution may add
    /// up; a probability is a quotient of two such sums. All terms are positive, so sums do not
    /// increase relative errors. Probabilities below the smallest normal number may lose more.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// # struct Coin;
    /// # impl Game for Coin {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state > 0 { return node.end(state - 1); }
    /// #         node.chance().to(1, 2).to(2, 1);
    /// #     }
    /// # }
    /// let exact = Solver::exact().solve(&Coin, 0)?;
    /// assert_eq!(exact.forecast()?.relative_error(), 0.0);
    /// let float = Solver::float().solve(&Coin, 0)?;
    /// let forecast = float.forecast()?;
    /// let error = (forecast.chance(&2)? * 3.0 - 1.0).abs();
    /// assert!(error <= forecast.relative_error() && forecast.relative_error() < 2e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        if N::Mass::EXACT {
            return 0.0;
        }
        // A probability is a quotient of two sums, each rounded this many times.
        let k = 2.0 * (self.roundings + self.masses.len() as u64) as f64 + 1.0;
        let part = k * (f64::EPSILON / 2.0);
        // Beyond 2⁵³ roundings there is no bound.
        if part < 1.0 {
            part / (1.0 - part) * (1.0 + 4.0 * f64::EPSILON)
        } else {
            f64::INFINITY
        }
    }

    /// Returns the probability that `state` ever occurs.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that the solution did not visit.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let forecast = solution.forecast()?;
    /// assert_eq!(forecast.chance(&(2, 6))?.to_string(), "1/6");
    /// assert_eq!(forecast.chance(&(0, 1))?.to_string(), "1/18"); // 4/6 · 3/6 · 1/6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chance(&self, state: &G::State) -> Result<N::Value, Error> {
        let number = self.solution.number(state)?;
        let mass = &self.masses[number];
        Ok(at_most_one(<N::Mass as Weight>::ratio(mass, &self.whole)))
    }

    /// Returns the probability that a state that satisfies `wanted` ever occurs.
    ///
    /// Several of them may occur one after another, so this is usually less than the sum of their
    /// [chances](Forecast::chance).
    ///
    /// # Errors
    /// [`Error::FractionsOutgrow`], or in floats [`Error::TooMuchMemory`], if the probabilities of
    /// all states, beside those of the forecast, take more than the
    /// [`max_bytes`](crate::Solver::max_bytes) of the solution.
    ///
    /// # Complexity
    /// One pass over the outcomes, without asking the game for them again.
    ///
    /// # Examples
    /// How likely is it that a 1 is rolled, at any time?
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let forecast = solution.forecast()?;
    /// let one = |&(_, pips): &(u8, u8)| pips == 1;
    /// // 1/6 + 3/6·1/6 + 3/6·2/6·1/6: a 1 is rolled again, so it may come up more than once.
    /// assert_eq!(forecast.chance_of_any(one)?.to_string(), "5/18");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chance_of_any(&self, wanted: impl Fn(&G::State) -> bool) -> Result<N::Value, Error> {
        let numbers = 0..self.masses.len();
        let wanted: Vec<bool> = numbers
            .map(|number| wanted(&self.solution.state(number)))
            .collect();
        // Nobody goes on from a wanted state, so every play comes to at most one of them.
        let passed = passed(self.solution, &self.whole, |number| wanted[number])?;
        let mut sum = N::Mass::start(&BigUint::ZERO);
        let masses = passed.masses.into_iter().zip(&wanted);
        for (mass, _) in masses.filter(|(_, wanted)| **wanted) {
            sum.gain(mass);
        }
        Ok(at_most_one(<N::Mass as Weight>::ratio(&sum, &self.whole)))
    }

    /// Returns the distribution over final states.
    ///
    /// # Errors
    /// Only if the game answers differently from when it was solved.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// # struct Coin;
    /// # impl Game for Coin {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state > 0 { return node.end(state - 1); }
    /// #         node.chance().to(1, 2).to(2, 1);
    /// #     }
    /// # }
    /// let solution = Solver::exact().solve(&Coin, 0)?;
    /// let ends = solution.forecast()?.ends()?;
    /// assert_eq!(ends.p(&2).to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ends(&self) -> Result<Dist<G::State, N::Mass>, Error>
    where
        G::State: Ord,
    {
        self.ends_by(Clone::clone)
    }

    /// Returns the distribution of a function of the final state.
    ///
    /// # Errors
    /// The same as for [`ends`](Forecast::ends).
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let high = solution.forecast()?.ends_by(|&(_, pips)| pips >= 5)?;
    /// assert_eq!(high.p(&true).to_string(), "2/3"); // 1/3 + 2/3·(1/3 + 1/2·1/3)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ends_by<K: Ord>(&self, key: impl Fn(&G::State) -> K) -> Result<Dist<K, N::Mass>, Error> {
        let mut weights: BTreeMap<K, N::Mass> = BTreeMap::new();
        let mut scratch = Scratch::new();
        for (number, mass) in self.masses.iter().enumerate() {
            if mass.is_nothing() || self.solution.row(number, &mut scratch)?.score.is_none() {
                continue;
            }
            let key = key(&self.solution.state(number));
            match weights.get_mut(&key) {
                Some(sum) => sum.gain(mass.clone()),
                None => {
                    weights.insert(key, mass.clone());
                }
            }
        }
        Ok(N::Mass::law(weights.into_iter().collect())?)
    }

    /// Returns the distribution of the final score, without rewards on the way
    /// ([`Totalled`](crate::Totalled) includes them).
    ///
    /// # Errors
    /// The same as for [`ends`](Forecast::ends).
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let scores = solution.forecast()?.scores()?;
    /// assert_eq!(scores.mean(), solution.value());
    /// assert_eq!(scores.p(&6.into()).to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scores(&self) -> Result<Dist<Score, N::Mass>, Error> {
        let mut weights: BTreeMap<Score, N::Mass> = BTreeMap::new();
        let mut scratch = Scratch::new();
        for (number, mass) in self.masses.iter().enumerate() {
            if mass.is_nothing() {
                continue;
            }
            let row = self.solution.row(number, &mut scratch)?;
            if let Some(score) = row.score {
                let sum = weights.entry(score.clone());
                sum.or_insert_with(|| N::Mass::start(&BigUint::ZERO))
                    .gain(mass.clone());
            }
        }
        Ok(N::Mass::law(weights.into_iter().collect())?)
    }

    /// Returns the distribution of the number of states passed that satisfy `counted`.
    ///
    /// The final state is not counted. A state that leads back to itself counts once, however often
    /// play stays there; see [`lengths`](Forecast::lengths) and
    /// [`expected_count`](Forecast::expected_count) for counts that include staying.
    ///
    /// # Errors
    /// [`Error::FractionsOutgrow`], or in floats [`Error::TooMuchMemory`], if the probabilities of
    /// all counts in all states take more than the [`max_bytes`](crate::Solver::max_bytes) of the
    /// solution. Otherwise the same as for [`ends`](Forecast::ends).
    ///
    /// # Complexity
    /// One pass over the outcomes for each count that occurs.
    ///
    /// # Examples
    /// How many ones are rolled again?
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let ones = solution.forecast()?.count(|&(_, pips)| pips == 1)?;
    /// assert_eq!(ones.p(&2).to_string(), "1/36");
    /// assert_eq!(ones.p(&3).to_string(), "0"); // the last counts
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count(&self, counted: impl Fn(&G::State) -> bool) -> Result<Dist<u64, N::Mass>, Error> {
        let solution = self.solution;
        // For every state, the probability of arriving there with each count.
        let mut arrivals: Vec<Counts<N::Mass>> = vec![Counts::default(); solution.len()];
        let mut held = Held::new("the chances of all", solution.len(), solution.max_bytes());
        arrivals[solution.start_number()].gain(0, self.whole.clone(), &mut held);
        let mut ended = Counts::default();
        let mut scratch = Scratch::new();
        for place in (0..solution.len()).rev() {
            let number = solution.model().at(place);
            let counts = std::mem::take(&mut arrivals[number]);
            if counts.masses.is_empty() {
                continue;
            }
            held.check::<N::Mass>(solution.len() - 1 - place)?;
            let row = solution.row(number, &mut scratch)?;
            let Some((targets, odds)) = row.choice(solution.decided_choice(number)) else {
                for (count, mass) in counts.iter() {
                    ended.gain(count, mass.clone(), &mut held);
                }
                held.release(counts.masses.iter());
                continue;
            };
            let step = u64::from(counted(&solution.state(number)));
            for (outcome, &successor) in targets.iter().enumerate() {
                let arrival = &mut arrivals[successor as usize];
                for (count, mass) in counts.iter() {
                    let share = mass.share(odds.weight(outcome), odds.leaving());
                    arrival.gain(count + step, share, &mut held);
                }
            }
            held.release(counts.masses.iter());
        }
        let law = ended.iter().filter(|(_, mass)| !mass.is_nothing());
        let law = law.map(|(count, mass)| (count, mass.clone()));
        Ok(N::Mass::law(law.collect())?)
    }

    /// Returns the probabilities that play takes exactly 0, 1, …, `horizon` moves out of states
    /// that satisfy `counted`, including moves that stay in the state.
    ///
    /// The difference between one and their sum is the probability that play takes longer.
    ///
    /// # Errors
    /// [`Error::TooMuchMemory`], before any work, if there is no room for this many probabilities,
    /// however short they are. [`Error::FractionsOutgrow`] if the fractions, which grow with every
    /// move, take more than the [`max_bytes`](crate::Solver::max_bytes) of the solution; it states
    /// how many moves were looked ahead.
    ///
    /// # Complexity
    /// One pass over the outcomes for each move of the horizon, until all play has ended. In
    /// fractions, the h-th move takes O(n·h) operations on words for n outcomes, and O(h²) to
    /// reduce its probability to lowest terms. The total time grows with the cube of the horizon (a
    /// tenth of a second for a thousand moves out of thirty states, half a second for two
    /// thousand), and memory with its square.
    ///
    /// # Examples
    /// A coin is tossed until it shows heads:
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// # struct UntilHeads;
    /// # impl Game for UntilHeads {
    /// #     type State = bool;
    /// #     type Action = ();
    /// #     fn expand(&self, &heads: &bool, node: &mut Node<Self>) {
    /// #         if heads { return node.end(1); }
    /// #         node.chance().to(true, 1).to(false, 1);
    /// #     }
    /// # }
    /// let solution = Solver::exact().solve(&UntilHeads, false)?;
    /// let lengths = solution.forecast()?.lengths(3, |_| true)?;
    /// let lengths: Vec<String> = lengths.iter().map(|p| p.to_string()).collect();
    /// assert_eq!(lengths, ["0", "1/2", "1/4", "1/8"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lengths(
        &self,
        horizon: u32,
        counted: impl Fn(&G::State) -> bool,
    ) -> Result<Vec<N::Value>, Error> {
        let solution = self.solution;
        let counts = |number: usize| counted(&solution.state(number));
        self.check_room(horizon)?;
        let common = self.common_total(&counts)?;
        // One more factor for each move that is counted, so that all shares are integers.
        let stretched = |mut mass: N::Mass| {
            if !common.is_one() {
                mass.stretch(&common);
            }
            mass
        };
        let mut ahead = Ahead::new(horizon, solution.max_bytes());
        let mut whole = self.whole.clone();
        let mut now = vec![N::Mass::start(&BigUint::ZERO); solution.len()];
        now[solution.start_number()] = whole.clone();
        let mut scratch = Scratch::new();
        let mut lengths = Vec::new();
        for length in 0..=horizon {
            if now.iter().all(Mass::is_nothing) {
                lengths.resize_with(horizon as usize + 1, N::Value::zero);
                break;
            }
            let mut next = vec![N::Mass::start(&BigUint::ZERO); solution.len()];
            let mut ended = N::Mass::start(&BigUint::ZERO);
            for place in (0..solution.len()).rev() {
                let number = solution.model().at(place);
                if now[number].is_nothing() {
                    continue;
                }
                let mass = now[number].clone();
                let row = solution.row(number, &mut scratch)?;
                let Some((targets, odds)) = row.choice(solution.decided_choice(number)) else {
                    ended.gain(mass);
                    continue;
                };
                if !counts(number) {
                    for (outcome, &successor) in targets.iter().enumerate() {
                        let share = mass.share(odds.weight(outcome), odds.leaving());
                        now[successor as usize].gain(share);
                    }
                } else if length < horizon {
                    let mass = stretched(mass);
                    for (outcome, &successor) in targets.iter().enumerate() {
                        let share = mass.share(odds.weight(outcome), odds.total());
                        next[successor as usize].gain(share);
                    }
                    next[number].gain(mass.share(odds.staying(), odds.total()));
                }
            }
            ahead.check(length, &ended, &whole, &next)?;
            lengths.push(<N::Mass as Weight>::ratio(&ended, &whole));
            whole = stretched(whole);
            now = next;
        }
        Ok(lengths)
    }

    /// Returns the expected number of moves out of states that satisfy `counted`, including moves
    /// that stay in the state.
    ///
    /// # Errors
    /// The same as for [`ends`](Forecast::ends).
    ///
    /// # Examples
    /// A coin that is tossed until it shows heads is tossed twice on average:
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// # struct UntilHeads;
    /// # impl Game for UntilHeads {
    /// #     type State = bool;
    /// #     type Action = ();
    /// #     fn expand(&self, &heads: &bool, node: &mut Node<Self>) {
    /// #         if heads { return node.end(1); }
    /// #         node.chance().to(true, 1).to(false, 1);
    /// #     }
    /// # }
    /// let solution = Solver::exact().solve(&UntilHeads, false)?;
    /// assert_eq!(solution.forecast()?.expected_count(|_| true)?.to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_count(&self, counted: impl Fn(&G::State) -> bool) -> Result<N::Value, Error> {
        // Moves with the same odds of staying are added up first, so that only a few fractions are
        // formed.
        let mut by_odds: BTreeMap<(BigUint, BigUint), N::Mass> = BTreeMap::new();
        self.each_decided(|number, odds, mass| {
            if counted(&self.solution.state(number)) {
                by_odds
                    .entry((odds.total().to_big(), odds.leaving().to_big()))
                    .or_insert_with(|| N::Mass::start(&BigUint::ZERO))
                    .gain(mass.clone());
            }
        })?;
        let mut sum = N::Value::zero();
        for ((total, leaving), mass) in by_odds {
            let visits = <N::Mass as Weight>::ratio(&mass, &self.whole);
            sum += visits * N::Mass::quotient(&total, &leaving);
        }
        Ok(sum)
    }

    /// Calls `visit` for every state that occurs and is not final, with the odds of its decided
    /// choice and its probability.
    fn each_decided(&self, mut visit: impl FnMut(usize, &Odds<'_>, &N::Mass)) -> Result<(), Error> {
        let mut scratch = Scratch::new();
        for (number, mass) in self.masses.iter().enumerate() {
            if mass.is_nothing() {
                continue;
            }
            let row = self.solution.row(number, &mut scratch)?;
            if let Some((_, odds)) = row.choice(self.solution.decided_choice(number)) {
                visit(number, &odds, mass);
            }
        }
        Ok(())
    }

    /// Returns an error if there is no room for this horizon, however short its probabilities are.
    fn check_room(&self, horizon: u32) -> Result<(), Error> {
        let limit = self.solution.max_bytes();
        let needed = (u128::from(horizon) + 1) * size_of::<N::Value>() as u128;
        if needed <= limit {
            return Ok(());
        }
        Err(Error::TooMuchMemory {
            what: "chances so far ahead",
            states: self.masses.len(),
            needed,
            limit,
        })
    }

    /// Returns the factor by which the whole is multiplied for each counted move. Counted moves
    /// divide by their totals; all others divide by the weight that leaves the state, which divides
    /// the whole. The factor is one in floats.
    fn common_total(&self, counts: &impl Fn(usize) -> bool) -> Result<BigUint, Error> {
        let mut common = BigUint::one();
        if N::Mass::EXACT {
            self.each_decided(|number, odds, _| {
                if counts(number) {
                    cover(&mut common, &odds.total().to_big());
                }
            })?;
        }
        Ok(common)
    }
}

/// The probabilities of counts `first`, `first + 1`, …. In a long game, every state has few
/// possible counts, but large ones.
#[derive(Clone)]
struct Counts<W> {
    first: u64,
    masses: VecDeque<W>,
}

impl<W> Default for Counts<W> {
    fn default() -> Self {
        Counts {
            first: 0,
            masses: VecDeque::new(),
        }
    }
}

impl<W: Mass> Counts<W> {
    fn iter(&self) -> impl Iterator<Item = (u64, &W)> {
        (self.first..).zip(&self.masses)
    }

    fn gain(&mut self, count: u64, mass: W, held: &mut Held) {
        if self.masses.is_empty() {
            self.first = count;
        }
        let before = self.masses.len();
        while count < self.first {
            self.first -= 1;
            self.masses.push_front(W::start(&BigUint::ZERO));
        }
        let index = (count - self.first) as usize;
        while self.masses.len() <= index {
            self.masses.push_back(W::start(&BigUint::ZERO));
        }
        held.slots::<W>(self.masses.len() - before);
        held.gain(&mut self.masses[index], mass);
    }
}

impl<G: Game + ?Sized, N: Number, M> std::fmt::Debug for Forecast<'_, '_, G, N, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let occurring = self.masses.iter().filter(|mass| !mass.is_nothing());
        write!(f, "Forecast({} states occur)", occurring.count())
    }
}
