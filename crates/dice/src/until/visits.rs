//! The number of visits of a chain to each of its states.

use crate::Weight;
use crate::rounding::Roundings;
use indexmap::IndexSet;
use num_bigint::BigUint;
use rustc_hash::FxBuildHasher;
use std::fmt::Debug;
use std::hash::Hash;

/// The mean number of visits of a [`Chain`](crate::Chain) to each of its states. Created by
/// [`Chain::visits`](crate::Chain::visits).
///
/// For a state where the chain stops, this is the probability of stopping there.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Chain, Dist, Step};
///
/// // How often a token that moves by a d6 stands on square 6.
/// let die = Dist::die(6)?;
/// let chain = Chain::explore(0, |&square| Ok(match square {
///     10.. => Step::Stop(square),
///     _ => Step::Go(die.shift(square)?),
/// }))?;
/// let visits = chain.visits()?;
/// assert_eq!(visits.of(&6).map(|p| p.to_string()), Some("16807/46656".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Visits<'a, S, W: Weight = BigUint> {
    states: &'a IndexSet<S, FxBuildHasher>,
    visits: Vec<W::Mass>,
    ledger: W::Ledger,
}

impl<'a, S: Eq + Hash + Debug, W: Weight> Visits<'a, S, W> {
    pub(super) fn new(
        states: &'a IndexSet<S, FxBuildHasher>,
        visits: Vec<W::Mass>,
        ledger: W::Ledger,
    ) -> Self {
        Visits {
            states,
            visits,
            ledger,
        }
    }

    /// Returns the mean number of visits to a state, where the start counts as one visit, or `None`
    /// if the chain has no such state.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let coin = Dist::bernoulli((1, 4))?;
    /// let chain = Chain::explore(false, |&heads| Ok(match heads {
    ///     true => Step::Stop(()),
    ///     false => Step::Go(coin.clone()),
    /// }))?;
    /// assert_eq!(chain.visits()?.of(&false).map(|n| n.to_string()), Some("4".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(&self, state: &S) -> Option<W::Ratio> {
        let mass = self.visits.get(self.states.get_index_of(state)?)?;
        Some(W::number(&self.ledger, mass))
    }

    /// Iterates over all states in the order found, with their mean number of visits.
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
    /// let visits = chain.visits()?;
    /// let all: Vec<String> = visits.iter().map(|(n, v)| format!("{n}: {v}")).collect();
    /// assert_eq!(all, ["3: 1", "0: 1", "1: 1/2", "2: 1/3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&'a S, W::Ratio)> {
        let visits = self.visits.iter();
        let numbers = visits.map(|mass| W::number(&self.ledger, mass));
        self.states.iter().zip(numbers)
    }

    /// Returns an upper bound on the relative error of every number here, as
    /// [`Dist::relative_error`](crate::Dist::relative_error) does. It is zero for exact chains. It
    /// also covers the sum of all numbers except those of the stops, which is the expected number
    /// of steps. Like that bound, it does not cover numbers below 2⁻¹⁰²².
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let die = Dist::die(6)?.to_f64();
    /// let chain = Chain::explore(0, |&sum| Ok(match sum {
    ///     20.. => Step::Stop(sum),
    ///     _ => Step::Go(die.shift(sum)?),
    /// }))?;
    /// let bound = chain.visits()?.relative_error();
    /// assert!(0.0 < bound && bound < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        if W::EXACT {
            return 0.0;
        }
        let counted = self.visits.iter().map(W::roundings).max().unwrap_or(0);
        let roundings = Roundings {
            weights: counted,
            total: 0,
        };
        roundings.relative_error(self.visits.len())
    }
}
