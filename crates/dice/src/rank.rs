//! The winner among several contestants: the chance of each, with ties shared, rolled again or
//! rolled off.

mod places;

use crate::rounding::Roundings;
use crate::tail::capped;
use crate::{Chain, DEFAULT_LIMIT, Dist, Error, Step, Ties, Weight, power};
use num_bigint::BigUint;
use std::collections::BTreeMap;

pub use places::places;

/// Which outcome comes first.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Best, Dist, Ranking};
///
/// let laws = [Dist::die(6)?, Dist::die(8)?];
/// assert_eq!(Ranking::new(&laws, Best::Lowest)?.win(0).to_string(), "9/16");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Best {
    /// The highest outcome.
    #[doc(alias = "HighWins")]
    Highest,
    /// The lowest outcome.
    #[doc(alias = "LowWins")]
    Lowest,
}

/// The distribution of first places among several independent contestants, and of the number who
/// share the first place. Contestants are numbered from 0 in the order given. Numbers beyond the
/// last have probability zero.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Best, Dist, Ranking, Ties};
///
/// let laws = [Dist::die(4)?, Dist::die(6)?, Dist::die(8)?];
/// let ranking = Ranking::new(&laws, Best::Highest)?;
/// assert_eq!(ranking.win(2).to_string(), "49/96");
/// assert_eq!(ranking.with_ties(Ties::Split)?.p(&2).to_string(), "41/72");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ranking<W = BigUint> {
    /// For each contestant, the weights of being first together with 0, 1, 2, … others.
    shared: Vec<Vec<W>>,
    /// The weights of being first while all others with the same outcome are listed later, or are
    /// listed earlier.
    earliest: Vec<W>,
    latest: Vec<W>,
    total: W,
    roundings: u64,
}

impl<W: Weight> Ranking<W> {
    /// Creates the ranking of one outcome of each distribution.
    ///
    /// # Errors
    ///
    /// [`Error::NoContestants`] without distributions; [`Error::TooLarge`], before any work, if m²
    /// x weights, for m contestants and x distinct outcomes, would take more than [`DEFAULT_LIMIT`]
    /// words.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking};
    ///
    /// let ranking = Ranking::new(&vec![Dist::die(6)?; 3], Best::Highest)?;
    /// assert_eq!(ranking.win(0).to_string(), "55/216");
    /// assert_eq!(ranking.win_with(0, 3).to_string(), "1/36");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(x·m² log m) products for m contestants and x distinct outcomes.
    pub fn new<T: Ord>(laws: &[Dist<T, W>], best: Best) -> Result<Self, Error> {
        Ranking::within(laws, best, DEFAULT_LIMIT)
    }

    /// Like [`new`](Self::new), with the limit as an argument.
    ///
    /// # Errors
    ///
    /// [`Error::NoContestants`] and [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking};
    ///
    /// let laws = vec![Dist::die(6)?; 10];
    /// assert!(Ranking::within(&laws, Best::Highest, 1_000).is_err());
    /// assert!(Ranking::within(&laws, Best::Highest, 10_000).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within<T: Ord>(laws: &[Dist<T, W>], best: Best, limit: u64) -> Result<Self, Error> {
        let levels = Levels::new(laws, best)?;
        let contestants = laws.len();
        let operation = || format!("a ranking of {contestants} contestants");
        let length = (contestants as u128)
            .pow(2)
            .saturating_mul(levels.count as u128);
        power::check_size(operation, length, levels.words, limit)?;
        let mut ranking = Ranking {
            shared: vec![vec![W::nothing(); contestants]; contestants],
            earliest: vec![W::nothing(); contestants],
            latest: vec![W::nothing(); contestants],
            total: levels.total.clone(),
            roundings: levels.roundings,
        };
        levels.each(|here, behind| ranking.add(here, behind));
        Ok(ranking)
    }

    /// Adds one outcome, given the weights of each contestant having it, and having a worse one.
    fn add(&mut self, here: &[W], behind: &[W]) {
        // A contestant without weight here or behind certainly has a better outcome.
        let mut all = here.iter().zip(behind);
        if all.any(|(here, behind)| here.vanishes() && behind.vanishes()) {
            return;
        }
        let mut visit = |contestant: usize, others: Vec<W>| {
            for (sum, weight) in self.shared[contestant].iter_mut().zip(&others) {
                sum.add(&weight.times(&here[contestant]));
            }
        };
        all_but_one(here, behind, vec![W::unit()], &mut visit, 0);
        either_side(here, behind, &mut self.earliest);
        let reversed = |weights: &[W]| weights.iter().rev().cloned().collect::<Vec<W>>();
        self.latest.reverse();
        either_side(&reversed(here), &reversed(behind), &mut self.latest);
        self.latest.reverse();
    }

    /// Returns the number of contestants, which is at least one.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking};
    ///
    /// let alone = Ranking::new(&[Dist::die(6)?], Best::Highest)?;
    /// assert_eq!(alone.contestants(), 1);
    /// assert_eq!(alone.win(0).to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contestants(&self) -> usize {
        self.shared.len()
    }

    /// Returns the probability that a contestant is first alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking};
    ///
    /// let laws = [Dist::die(6)?, Dist::die(8)?];
    /// let ranking = Ranking::new(&laws, Best::Highest)?;
    /// assert_eq!(ranking.win(1), laws[1].versus(&laws[0]).win());
    /// assert_eq!(ranking.win(0).to_string(), "5/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win(&self, contestant: usize) -> W::Ratio {
        self.win_with(contestant, 1)
    }

    /// Returns the probability that a contestant is among exactly `sharing` who are first, itself
    /// included.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking};
    ///
    /// let ranking = Ranking::new(&vec![Dist::die(2)?; 3], Best::Highest)?;
    /// assert_eq!(ranking.win_with(0, 1).to_string(), "1/8");
    /// assert_eq!(ranking.win_with(0, 2).to_string(), "1/4");
    /// assert_eq!(ranking.win_with(0, 3).to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win_with(&self, contestant: usize, sharing: usize) -> W::Ratio {
        let weights = self.shared.get(contestant);
        let weight = weights.and_then(|weights| weights.get(sharing.checked_sub(1)?));
        let nothing = W::nothing();
        W::ratio(capped(weight.unwrap_or(&nothing), &self.total), &self.total)
    }

    /// Returns the probability that a contestant is first, alone or not.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking};
    ///
    /// let ranking = Ranking::new(&vec![Dist::die(6)?; 2], Best::Highest)?;
    /// assert_eq!(ranking.win_or_share(0).to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win_or_share(&self, contestant: usize) -> W::Ratio {
        let mut sum = W::nothing();
        let weights = self.shared.get(contestant).into_iter().flatten();
        weights.for_each(|weight| sum.add(weight));
        W::ratio(capped(&sum, &self.total), &self.total)
    }

    /// Returns the mean part of a prize that a contestant gets if all who are first share it
    /// equally.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking};
    ///
    /// let laws = [Dist::die(6)?, Dist::die(6)?, Dist::certain(4)];
    /// let ranking = Ranking::new(&laws, Best::Highest)?;
    /// assert_eq!(ranking.expected_share(0).to_string(), "71/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn expected_share(&self, contestant: usize) -> W::Ratio {
        let (shares, total) = self.shares();
        W::ratio(shares.get(contestant).unwrap_or(&W::nothing()), &total)
    }

    /// Returns the distribution of the winner after ties for the first place are decided.
    ///
    /// [`Ties::Split`] lets each of those tied win equally often. [`Ties::Reroll`] lets all
    /// contestants roll again until one is first alone, including those who were behind.
    /// [`Ties::Win`] decides for the one listed first, and [`Ties::Lose`] for the one listed last.
    /// For two contestants these are the rules of [`Contest`](crate::Contest).
    ///
    /// If only those tied roll again, use [`roll_off`](Self::roll_off).
    ///
    /// # Errors
    ///
    /// [`Error::AlwaysTied`] for [`Ties::Reroll`] if nobody can be first alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking, Ties};
    ///
    /// let ranking = Ranking::new(&vec![Dist::die(6)?; 3], Best::Highest)?;
    /// assert_eq!(ranking.with_ties(Ties::Split)?.p(&0).to_string(), "1/3");
    /// assert_eq!(ranking.with_ties(Ties::Reroll)?.p(&0).to_string(), "1/3");
    /// assert_eq!(ranking.with_ties(Ties::Win)?.p(&0).to_string(), "91/216");
    /// assert_eq!(ranking.with_ties(Ties::Lose)?.p(&0).to_string(), "55/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_ties(&self, ties: Ties) -> Result<Dist<usize, W>, Error> {
        let mut roundings = Roundings {
            weights: self.roundings,
            total: 0,
        };
        let (weights, total) = match ties {
            Ties::Win => (self.earliest.clone(), self.total.clone()),
            Ties::Lose => (self.latest.clone(), self.total.clone()),
            Ties::Split => {
                roundings.weights = self.roundings.saturating_add(self.shared.len() as u64 + 2);
                self.shares()
            }
            Ties::Reroll => {
                let alone = self.shared.iter().map(|weights| weights[0].clone());
                let alone: Vec<W> = alone.collect();
                let mut total = W::nothing();
                alone.iter().for_each(|weight| total.add(weight));
                roundings.total = self.roundings.saturating_add(alone.len() as u64);
                if total.vanishes() {
                    return Err(Error::AlwaysTied);
                }
                (alone, total)
            }
        };
        Dist::gather(weights.into_iter().enumerate().collect(), total, roundings)
    }

    /// Returns the distribution of the winner if those tied for the first place roll again among
    /// themselves, until one is left.
    ///
    /// # Errors
    ///
    /// [`Error::NoContestants`] without distributions; [`Error::AlwaysTied`] if some tie can never
    /// be broken; [`Error::TooLarge`], before any work, if 3ᵐ x weights, for m contestants and x
    /// distinct outcomes, would take more than [`DEFAULT_LIMIT`] words.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking};
    ///
    /// let laws = [Dist::die(4)?, Dist::die(6)?, Dist::die(8)?];
    /// let winner = Ranking::roll_off(&laws, Best::Highest)?;
    /// assert_eq!(winner.p(&2).to_string(), "391/658");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(x·3ᵐ) products: a [`Chain`] over the sets of contestants still rolling.
    pub fn roll_off<T: Ord>(laws: &[Dist<T, W>], best: Best) -> Result<Dist<usize, W>, Error> {
        let levels = Levels::new(laws, best)?;
        let contestants = laws.len();
        let operation = || format!("the roll-off of {contestants} contestants");
        let sets = 3u128.saturating_pow(contestants.min(80) as u32);
        let length = sets.saturating_mul(levels.count as u128);
        power::check_size(operation, length, levels.words, DEFAULT_LIMIT)?;
        let mut outcomes = Vec::with_capacity(levels.count);
        levels.each(|here, behind| outcomes.push((here.to_vec(), behind.to_vec())));
        let totals = laws.iter().map(|law| W::harmonise(&[&law.total]).0);
        let totals: Vec<W> = totals.collect();
        let everyone: Vec<usize> = (0..contestants).collect();
        let chain = Chain::explore(everyone, |rolling: &Vec<usize>| {
            if let [winner] = rolling[..] {
                return Ok(Step::Stop(winner));
            }
            let mut first: BTreeMap<Vec<usize>, W> = BTreeMap::new();
            for (here, behind) in &outcomes {
                // The contestants who have this outcome, while all others are behind.
                let mut sets = vec![(Vec::new(), W::unit())];
                for &one in rolling {
                    let mut next = Vec::with_capacity(2 * sets.len());
                    for (set, weight) in sets {
                        if !here[one].vanishes() {
                            let mut larger: Vec<usize> = set.clone();
                            larger.push(one);
                            next.push((larger, weight.times(&here[one])));
                        }
                        if !behind[one].vanishes() {
                            next.push((set, weight.times(&behind[one])));
                        }
                    }
                    sets = next;
                }
                for (set, weight) in sets {
                    if !set.is_empty() {
                        first.entry(set).or_insert_with(W::nothing).add(&weight);
                    }
                }
            }
            let total = rolling
                .iter()
                .fold(W::unit(), |total, &one| total.times(&totals[one]));
            let roundings = Roundings {
                weights: levels.roundings,
                total: 0,
            };
            Dist::gather(first.into_iter().collect(), total, roundings).map(Step::Go)
        })?;
        chain.outcome().map_err(|error| match error {
            Error::NeverStops { .. } => Error::AlwaysTied,
            other => other,
        })
    }

    /// Returns an upper bound on the relative error of each probability here, as
    /// [`Dist::relative_error`] does. It is zero if exact.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Best, Dist, Ranking};
    ///
    /// let laws = vec![Dist::die(20)?.to_f64(); 4];
    /// let ranking = Ranking::new(&laws, Best::Highest)?;
    /// assert!((ranking.win(3) - 0.225625).abs() < ranking.relative_error());
    /// assert!(ranking.relative_error() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        if W::EXACT {
            return 0.0;
        }
        let roundings = Roundings {
            weights: self.roundings,
            total: 0,
        };
        // 1/m, a product and a sum for each number of contestants who share.
        roundings.relative_error(self.shared.len().saturating_add(3))
    }

    /// Each contestant's part of the prize, over one total.
    fn shares(&self) -> (Vec<W>, W) {
        let mut numbers: Vec<W> = Vec::with_capacity(self.shared.len());
        let mut number = W::nothing();
        for _ in &self.shared {
            number.add(&W::unit());
            numbers.push(number.clone());
        }
        // The part of one among m, out of the least common multiple of 1, 2, …
        let (whole, parts) = W::harmonise(&numbers.iter().collect::<Vec<_>>());
        let share = |weights: &Vec<W>| {
            let mut sum = W::nothing();
            for (weight, part) in weights.iter().zip(&parts) {
                sum.add(&weight.times(part));
            }
            sum
        };
        let shares = self.shared.iter().map(share).collect();
        (shares, self.total.times(&whole))
    }
}

/// The weights of outcomes of several distributions, side by side.
struct Levels<W> {
    /// For each distribution, its outcomes by number, ascending or descending, so that the best
    /// comes last.
    laws: Vec<Vec<(usize, W)>>,
    count: usize,
    total: W,
    words: u128,
    roundings: u64,
}

impl<W: Weight> Levels<W> {
    fn new<T: Ord>(laws: &[Dist<T, W>], best: Best) -> Result<Self, Error> {
        if laws.is_empty() {
            return Err(Error::NoContestants);
        }
        let mut outcomes: Vec<&T> = laws.iter().flat_map(Dist::outcomes).collect();
        outcomes.sort_unstable();
        outcomes.dedup();
        let count = outcomes.len();
        let (mut total, mut words) = (W::unit(), 0u128);
        let mut roundings = 0u64;
        let mut levels = Vec::with_capacity(laws.len());
        for law in laws {
            words = words.saturating_add(law.total.words(1));
            let (whole, factors) = W::harmonise(&[&law.total]);
            let scale = factors.into_iter().next().unwrap_or_else(W::unit);
            let mut places = law.outcomes().map(|outcome| {
                let place = outcomes.partition_point(|other| *other < outcome);
                match best {
                    Best::Highest => place,
                    Best::Lowest => count - 1 - place,
                }
            });
            let weights = law.weights().map(|weight| weight.times(&scale));
            let mut level: Vec<(usize, W)> = places.by_ref().zip(weights).collect();
            level.sort_unstable_by_key(|pair| pair.0);
            levels.push(level);
            total = total.times(&whole);
            // The weights are cumulated, brought over a total of one, multiplied, and added to
            // other such products.
            let each = law.roundings.sum(law.len());
            roundings = roundings
                .saturating_add(each.weights)
                .saturating_add(each.total)
                .saturating_add(5);
        }
        Ok(Levels {
            laws: levels,
            count,
            total,
            words,
            roundings: roundings.saturating_add(count as u64),
        })
    }

    /// Calls `visit` with the weights at each outcome and behind it, from the last place upwards.
    fn each(&self, mut visit: impl FnMut(&[W], &[W])) {
        let mut behind = vec![W::nothing(); self.laws.len()];
        let mut next: Vec<_> = self.laws.iter().map(|law| law.iter().peekable()).collect();
        for place in 0..self.count {
            let here: Vec<W> = next
                .iter_mut()
                .map(|law| match law.next_if(|(at, _)| *at == place) {
                    Some((_, weight)) => weight.clone(),
                    None => W::nothing(),
                })
                .collect();
            visit(&here, &behind);
            for (behind, here) in behind.iter_mut().zip(&here) {
                behind.add(here);
            }
        }
    }
}

/// For each contestant, computes Π (behind + here z) over all others, by powers of z. The product
/// is computed by halves, since dividing one factor out of the whole product would subtract.
fn all_but_one<W: Weight>(
    here: &[W],
    behind: &[W],
    others: Vec<W>,
    visit: &mut impl FnMut(usize, Vec<W>),
    first: usize,
) {
    if here.len() == 1 {
        visit(first, others);
        return;
    }
    let middle = here.len() / 2;
    let times = |mut product: Vec<W>, range: std::ops::Range<usize>| {
        for (here, behind) in here[range.clone()].iter().zip(&behind[range]) {
            times_factor(&mut product, here, behind);
        }
        product
    };
    let low = times(others.clone(), middle..here.len());
    all_but_one(&here[..middle], &behind[..middle], low, visit, first);
    let high = times(others, 0..middle);
    all_but_one(
        &here[middle..],
        &behind[middle..],
        high,
        visit,
        first + middle,
    );
}

/// A polynomial times (constant + slope z).
fn times_factor<W: Weight>(product: &mut Vec<W>, slope: &W, constant: &W) {
    if !slope.vanishes() {
        product.push(W::nothing());
    }
    for at in (0..product.len()).rev() {
        let mut sum = product[at].times(constant);
        if at > 0 && !slope.vanishes() {
            sum.add(&product[at - 1].times(slope));
        }
        product[at] = sum;
    }
}

/// Adds for each contestant the weight of being here while all earlier ones are behind and all
/// later ones are here or behind.
fn either_side<W: Weight>(here: &[W], behind: &[W], sums: &mut [W]) {
    let mut later = vec![W::unit()];
    for (here, behind) in here.iter().zip(behind).rev() {
        let mut both = here.clone();
        both.add(behind);
        later.push(later[later.len() - 1].times(&both));
    }
    let mut earlier = W::unit();
    let later = later.iter().rev().skip(1);
    for (((here, behind), sum), later) in here.iter().zip(behind).zip(sums).zip(later) {
        sum.add(&earlier.times(here).times(later));
        earlier = earlier.times(behind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_without_one() {
        let (here, behind) = (
            [1u32, 2, 3].map(BigUint::from),
            [4u32, 5, 6].map(BigUint::from),
        );
        let mut found = Vec::new();
        let mut visit = |at: usize, others: Vec<BigUint>| found.push((at, others));
        all_but_one(&here, &behind, vec![BigUint::unit()], &mut visit, 0);
        let big = |numbers: [u32; 3]| numbers.map(BigUint::from).to_vec();
        let expected = vec![
            (0, big([30, 27, 6])),
            (1, big([24, 18, 3])),
            (2, big([20, 13, 2])),
        ];
        assert_eq!(found, expected);
    }
}
