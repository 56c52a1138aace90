//! Numbers of steps, counted up to a horizon.

use super::chain::{Chain, law};
use crate::{Dist, Error, Weight, power};
use std::fmt::{self, Debug};
use std::hash::Hash;

/// A number of steps or rolls that is counted up to a horizon.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Dist, Steps};
///
/// let sixes = Dist::die(6)?.until(|&face| face == 6)?;
/// let rolls = sixes.rolls(4)?;
/// assert_eq!(rolls.p(&Steps::Exactly(2)).to_string(), "5/36");
/// assert_eq!(rolls.p(&Steps::MoreThan(4)).to_string(), "625/1296");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Steps {
    /// Exactly this number.
    Exactly(u64),
    /// More than this number, which is the horizon.
    MoreThan(u64),
}

/// Displays the number, or `> ` and the horizon.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Steps;
///
/// assert_eq!(Steps::Exactly(3).to_string(), "3");
/// assert_eq!(Steps::MoreThan(10).to_string(), "> 10");
/// ```
impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Steps::Exactly(steps) => write!(f, "{steps}"),
            Steps::MoreThan(horizon) => write!(f, "> {horizon}"),
        }
    }
}

impl<S, T, W> Chain<S, T, W>
where
    S: Clone + Eq + Hash + Ord + Debug,
    T: Ord + Clone,
    W: Weight,
{
    /// Returns the distribution of the number of steps until the chain stops, followed for
    /// `horizon` steps. The rest is [`Steps::MoreThan`].
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] beyond [`ChainBuilder::max_words`](crate::ChainBuilder), where
    /// each step counts six words, and [`Error::TooSlow`].
    ///
    /// # Examples
    ///
    /// Coin flips until two heads in a row:
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step, Steps};
    ///
    /// let chain = Chain::explore(0, |&heads| Ok(match heads {
    ///     2 => Step::Stop(()),
    ///     _ => Step::Go(Dist::uniform([0, heads + 1])?),
    /// }))?;
    /// let flips = chain.steps(4)?;
    /// assert_eq!(flips.p(&Steps::Exactly(4)).to_string(), "1/8");
    /// assert_eq!(flips.p(&Steps::MoreThan(4)).to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One pass per step over the states that can be occupied.
    pub fn steps(&self, horizon: u64) -> Result<Dist<Steps, W>, Error> {
        // A path without a cycle has fewer steps than there are states.
        let length = match self.cyclic_state() {
            Some(_) => horizon,
            None => horizon.min(self.len() as u64),
        };
        let operation = || format!("following a chain for {horizon} steps");
        power::check_size(operation, u128::from(length) + 1, 0, self.max_words)?;
        let (mut ledger, stopped) = self.follow(horizon)?;
        law(&mut ledger, stopped)
    }

    /// Returns the distribution of the number of steps until the chain stops, if it has a largest
    /// value, that is, if the chain has no cycle.
    ///
    /// # Errors
    ///
    /// [`Error::Unbounded`] if a state leads back to itself,
    /// [`Error::TooLarge`] beyond [`ChainBuilder::max_words`](crate::ChainBuilder).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let chain = Chain::explore(3, |&n| Ok(match n {
    ///     0 => Step::Stop(()),
    ///     _ => Step::Go(Dist::uniform(0..n)?),
    /// }))?;
    /// assert_eq!(chain.all_steps()?.p(&2).to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_steps(&self) -> Result<Dist<i64, W>, Error> {
        if let Some(state) = self.cyclic_state() {
            return Err(Error::Unbounded {
                state: format!("{state:?}"),
            });
        }
        let (mut ledger, stopped) = self.follow(u64::MAX)?;
        let number = |(steps, mass)| match steps {
            Steps::Exactly(steps) => (steps as i64, mass),
            // Paths without a cycle have fewer steps than there are states.
            Steps::MoreThan(_) => (i64::MAX, mass),
        };
        law(&mut ledger, stopped.into_iter().map(number).collect())
    }

    /// The amounts that stop at each step, and the amount that has not stopped by the horizon.
    #[expect(clippy::type_complexity, reason = "a pair, used twice")]
    fn follow(&self, horizon: u64) -> Result<(W::Ledger, Vec<(Steps, W::Mass)>), Error> {
        let mut ledger = W::ledger(self.max_words);
        let mut stopped = Vec::new();
        let mut occupied: Vec<(u32, W::Mass)> = vec![(0, W::whole())];
        let mut places = vec![0; self.len()];
        for step in 0..=horizon {
            let mut leaving = Vec::with_capacity(occupied.len());
            let mut ending = Vec::new();
            for (state, mass) in occupied {
                let at = state as usize;
                if self.ends[at].is_some() {
                    ending.push(mass);
                } else if step == horizon {
                    leaving.push((at, mass));
                } else {
                    let counted = self.roundings[at].total;
                    let share = W::share(&mut ledger, &mass, &self.totals[at], counted);
                    leaving.push((at, share));
                }
            }
            if !ending.is_empty() {
                stopped.push((Steps::Exactly(step), W::total(&ledger, ending)));
            }
            if step == horizon && !leaving.is_empty() {
                let rest = leaving.into_iter().map(|(_, mass)| mass).collect();
                stopped.push((Steps::MoreThan(horizon), W::total(&ledger, rest)));
                break;
            }
            if leaving.is_empty() {
                break;
            }
            let (arriving, ways) = self.arriving(&leaving, &mut places);
            occupied = Vec::with_capacity(arriving.len());
            let mut start = 0;
            for target in arriving {
                let end = std::mem::take(&mut places[target as usize]);
                let term = |&(origin, way): &(usize, usize)| {
                    let (at, mass) = &leaving[origin];
                    (mass, &self.weights[way], self.roundings[*at].weights)
                };
                let terms: Vec<_> = ways[start..end].iter().map(term).collect();
                occupied.push((target, W::inflow(&mut ledger, &terms)?));
                start = end;
            }
        }
        Ok((ledger, stopped))
    }

    /// The states that can follow in ascending order, and all transitions to them in this order,
    /// each with the index of its origin. The order of summation is thus always the same. `places`
    /// must be zero; afterwards it holds the end of the transitions to each state.
    fn arriving(
        &self,
        leaving: &[(usize, W::Mass)],
        places: &mut [usize],
    ) -> (Vec<u32>, Vec<(usize, usize)>) {
        let origins = leaving.iter().enumerate();
        let ways = origins.flat_map(|(origin, &(at, _))| {
            let ways = self.graph.ways(at);
            ways.map(move |way| (origin, way, self.graph.targets[way]))
        });
        // A counting sort: count first, then place.
        let (mut arriving, mut count) = (Vec::new(), 0);
        for (_, _, target) in ways.clone() {
            if places[target as usize] == 0 {
                arriving.push(target);
            }
            places[target as usize] += 1;
            count += 1;
        }
        arriving.sort_unstable();
        let mut start = 0;
        for &target in &arriving {
            start += std::mem::replace(&mut places[target as usize], start);
        }
        let mut sorted = vec![(0, 0); count];
        for (origin, way, target) in ways {
            let place = &mut places[target as usize];
            sorted[*place] = (origin, way);
            *place += 1;
        }
        (arriving, sorted)
    }
}
