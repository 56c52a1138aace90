//! Limits on the exploration of a chain.

use super::chain::{Chain, Step};
use super::component::Graph;
use crate::rounding::Roundings;
use crate::{DEFAULT_LIMIT, Error, Weight};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::fmt::Debug;
use std::hash::Hash;

/// The size in words that a transition counts in addition to its weight.
const WAY: u128 = 4;

/// Limits for exploring a [`Chain`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Chain, Dist, Error, Step};
///
/// // A walk without end in both directions.
/// let coin = Dist::uniform([-1, 1])?;
/// let walk = Chain::builder()
///     .max_states(1_000)
///     .explore(0, |&at| Ok(Step::<_, ()>::Go(coin.shift(at)?)));
/// assert!(matches!(walk, Err(Error::TooManyChainStates { limit: 1_000, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ChainBuilder {
    max_states: usize,
    max_words: u64,
}

impl Default for ChainBuilder {
    fn default() -> Self {
        ChainBuilder {
            max_states: 1_000_000,
            max_words: DEFAULT_LIMIT,
        }
    }
}

impl ChainBuilder {
    /// Sets the limit on the number of states. The default is a million.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let chain = Chain::builder().max_states(2).explore(1, |&n| Ok(match n {
    ///     0 => Step::Stop(n),
    ///     _ => Step::Go(Dist::certain(n - 1)),
    /// }))?;
    /// assert_eq!(chain.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_states(mut self, limit: usize) -> Self {
        self.max_states = limit;
        self
    }

    /// Sets the limit on the number of 64-bit words of the transitions, each of which counts as
    /// four words plus its weight, and also of all amounts that are computed for one answer. The
    /// default is [`DEFAULT_LIMIT`]. Both are checked as they grow. Each word also allows 256
    /// operations on words.
    ///
    /// An amount deep in an exact chain is as long as the path to it: a token that moves by a d6
    /// needs one more word every 25 squares, so 40,000 squares use up the default limit, and
    /// 100,000 need six times as much. Float chains take one word per state.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Error, Step};
    ///
    /// let die = Dist::die(6)?;
    /// let chain = Chain::builder().max_words(3_500).explore(0, |&square| Ok(match square {
    ///     100.. => Step::Stop(square),
    ///     _ => Step::Go(die.shift(square)?),
    /// }))?;
    /// assert!(chain.outcome().is_ok());
    /// let chain = Chain::builder().max_words(2_500).explore(0, |&square| Ok(match square {
    ///     100.. => Step::Stop(square),
    ///     _ => Step::Go(die.shift(square)?),
    /// }));
    /// assert!(matches!(chain, Err(Error::TooLarge { limit: 2_500, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_words(mut self, limit: u64) -> Self {
        self.max_words = limit;
        self
    }

    /// Explores a chain within these limits, like [`Chain::explore`].
    ///
    /// # Errors
    ///
    /// [`Error::TooManyChainStates`], [`Error::TooLarge`] if the transitions take more than
    /// [`max_words`](Self::max_words), and the first error that `step` returns.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Chain, Dist, Step};
    ///
    /// let chain = Chain::builder().explore(3, |&n| Ok(match n {
    ///     0 => Step::Stop("zero"),
    ///     _ => Step::Go(Dist::uniform(0..n)?),
    /// }))?;
    /// assert_eq!(chain.expected_steps()?.to_string(), "11/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explore<S, T, W>(
        self,
        start: S,
        mut step: impl FnMut(&S) -> Result<Step<S, T, W>, Error>,
    ) -> Result<Chain<S, T, W>, Error>
    where
        S: Clone + Eq + Hash + Ord + Debug,
        T: Ord + Clone,
        W: Weight,
    {
        // States are numbered by 32 bits, and one number is reserved.
        let limit = self.max_states.min(u32::MAX as usize - 1);
        let mut states = IndexSet::with_hasher(FxBuildHasher);
        let too_many = |state: &S| Error::TooManyChainStates {
            limit,
            state: format!("{state:?}"),
        };
        if limit == 0 {
            return Err(too_many(&start));
        }
        states.insert(start);
        let (mut starts, mut targets) = (vec![0], Vec::new());
        let (mut ends, mut weights) = (Vec::new(), Vec::new());
        let (mut totals, mut roundings) = (Vec::new(), Vec::new());
        let mut words = 0u128;
        while ends.len() < states.len() {
            match step(&states[ends.len()])? {
                Step::Stop(outcome) => {
                    ends.push(Some(outcome));
                    totals.push(W::unit());
                    roundings.push(Roundings::default());
                }
                Step::Go(law) => {
                    ends.push(None);
                    roundings.push(law.roundings);
                    let (pairs, total) = law.into_parts();
                    words += (WAY + total.words(1)) * pairs.len() as u128;
                    if words > u128::from(self.max_words) {
                        return Err(Error::TooLarge {
                            operation: format!("listing the transitions of {} states", ends.len()),
                            words,
                            limit: self.max_words,
                        });
                    }
                    totals.push(total);
                    for (state, weight) in pairs {
                        let known = states.get_index_of(&state);
                        if known.is_none() && states.len() == limit {
                            return Err(too_many(&state));
                        }
                        let index = known.unwrap_or_else(|| states.insert_full(state).0);
                        targets.push(index as u32);
                        weights.push(weight);
                    }
                }
            }
            starts.push(targets.len());
        }
        let graph = Graph { starts, targets };
        let stops = ends.iter().enumerate();
        let can_stop = graph.reaching(stops.filter_map(|(at, end)| end.is_some().then_some(at)));
        Ok(Chain {
            components: graph.components(),
            ways_in: graph.reversed(),
            states,
            ends,
            graph,
            weights,
            totals,
            roundings,
            can_stop,
            max_words: self.max_words,
        })
    }
}
