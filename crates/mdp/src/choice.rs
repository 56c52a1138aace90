//! One choice while it is being written: its outcomes and their weights.

use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use oddsmith_dice::Dist;

use crate::law::Weights;
use crate::limits::draw;
use crate::node::Fault;
use crate::odds::Wide;
use crate::{Game, Law, Node, Score};

/// Weights of any size, one for each outcome of the choice.
#[derive(Clone, Debug, Default)]
pub(crate) struct WideWeights {
    /// The weights of a distribution, if nothing was added to them.
    shared: Option<Arc<Wide>>,
    own: Vec<BigUint>,
}

impl WideWeights {
    pub(crate) fn weights(&self) -> &[BigUint] {
        match &self.shared {
            Some(wide) => &wide.weights,
            None => &self.own,
        }
    }

    /// The weights in the form in which they are read, including those of self-loops.
    pub(crate) fn shared(&self) -> Arc<Wide> {
        match &self.shared {
            Some(wide) => Arc::clone(wide),
            None => Arc::new(Wide::new(self.own.clone(), BigUint::ZERO)),
        }
    }

    fn own(&mut self) -> &mut Vec<BigUint> {
        if let Some(wide) = self.shared.take() {
            self.own.clone_from(&wide.weights);
        }
        &mut self.own
    }
}

/// A choice while it is being written. Created by [`Node::choice`] and [`Node::chance`].
///
/// # Examples
/// A way across a river that is safe this many times in six:
/// ```
/// use oddsmith_mdp::{Choice, Game, Node, Solver};
///
/// fn risk(mut choice: Choice<'_, River>, safe: u64) {
///     choice.to("over", safe).to("drowned", 6 - safe);
/// }
/// # struct River;
/// # impl Game for River {
/// #     type State = &'static str;
/// #     type Action = &'static str;
/// #     fn expand(&self, &place: &&'static str, node: &mut Node<Self>) {
/// #         if place != "bank" { return node.end(place == "over"); }
/// // In `expand`:
/// risk(node.choice("swim"), 3);
/// risk(node.choice("wade"), 5);
/// #     }
/// # }
/// let solution = Solver::exact().solve(&River, "bank")?;
/// assert_eq!(solution.value().to_string(), "5/6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Choice<'n, G: Game + ?Sized> {
    node: &'n mut Node<G>,
}

impl<'n, G: Game + ?Sized> Choice<'n, G> {
    /// The choice that was begun last on this page.
    #[inline]
    pub(crate) fn new(node: &'n mut Node<G>) -> Self {
        Choice { node }
    }
}

impl<G: Game + ?Sized> Choice<'_, G> {
    /// Adds `state` as an outcome of this choice, with this weight.
    ///
    /// The probability is the weight divided by the sum of the choice's weights. A weight of zero
    /// means that the outcome is impossible; it is dropped. The same state may be named several
    /// times.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// # struct Spinner;
    /// # impl Game for Spinner {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &shown: &u8, node: &mut Node<Self>) {
    /// #         if shown > 0 { return node.end(shown); }
    /// // In `expand`: 1 in three of six cases, 2 in one and two more, 9 in none.
    /// node.chance().to(1, 3).to(2, 1).to(2, 2).to(9, 0);
    /// #     }
    /// # }
    /// let solution = Solver::exact().solve(&Spinner, 0)?;
    /// assert_eq!(solution.value().to_string(), "3/2");
    /// assert!(solution.value_of(&9).is_err()); // not met
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn to(&mut self, state: G::State, weight: u64) -> &mut Self {
        if weight == 0 || !self.node.fits(1) {
            return self;
        }
        let choice = self.node.choices.len() - 1;
        let written = &mut self.node.choices[choice];
        match written.total.checked_add(weight) {
            Some(total) => written.total = total,
            None => self.overflow(weight),
        }
        self.node.outcomes.push((state, weight));
        self
    }

    /// Adds `state` as an outcome of this choice, with a weight of any number of digits.
    ///
    /// It may be mixed with [`to`](Choice::to); the sum of the weights then has no limit. A
    /// distribution that is rolled in many states is better made a [`Law`].
    ///
    /// # Examples
    /// One chance in 10³⁰, which does not fit into 64 bits:
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// # struct Lottery;
    /// # impl Game for Lottery {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state < 2 { return node.end(state); }
    /// // In `expand`:
    /// node.chance().to(1, 1).to_wide(0, 10_u128.pow(30) - 1);
    /// #     }
    /// # }
    /// let solution = Solver::exact().solve(&Lottery, 2)?;
    /// assert_eq!(solution.value().to_string(), "1/1000000000000000000000000000000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_wide(&mut self, state: G::State, weight: impl Into<BigUint>) -> &mut Self {
        let weight = weight.into();
        if weight == BigUint::ZERO || !self.node.fits(1) {
            return self;
        }
        self.widen().push(weight);
        self.node.outcomes.push((state, 0));
        self
    }

    /// Adds all of these states with their weights as outcomes, like [`to`](Choice::to).
    ///
    /// At most one more outcome is drawn from the iterator than there is [room](Node::room) for, so
    /// an endless iterator results in [`Error::OutcomesOutgrow`](crate::Error::OutcomesOutgrow).
    /// The same goes for an iterator that yields more weights of zero than that, and more than
    /// 4,096.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Error, Game, Node, Solver};
    ///
    /// /// A number n with chances 1 : 2ⁿ⁺¹, of which there are infinitely many.
    /// struct Petersburg { most: Option<usize> }
    /// impl Game for Petersburg {
    ///     type State = i64;
    ///     type Action = ();
    ///     fn expand(&self, &state: &i64, node: &mut Node<Self>) {
    ///         if state >= 0 {
    ///             return node.end(state);
    ///         }
    ///         let chances = (0..).map(|n| (n, 1 << (40_i64 - n).max(0)));
    ///         node.chance().to_all(chances.take(self.most.unwrap_or(usize::MAX)));
    ///     }
    /// }
    /// let short = Petersburg { most: Some(3) }; // 4 : 2 : 1
    /// assert_eq!(Solver::exact().solve(&short, -1)?.value().to_string(), "4/7");
    /// let error = Solver::exact().max_outcomes(1_000).solve(&Petersburg { most: None }, -1).err();
    /// assert!(matches!(error, Some(Error::OutcomesOutgrow { done: 0, limit: 1_000, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_all(&mut self, outcomes: impl IntoIterator<Item = (G::State, u64)>) -> &mut Self {
        let room = self.node.room();
        let more = draw(outcomes, room, |state, weight| {
            self.to(state, weight);
        });
        if more {
            self.node.overflow();
        }
        self
    }

    /// Adds the outcomes of `dist` to this choice, with their weights unchanged. Outcomes added by
    /// [`to`](Choice::to) are weighed against `dist.total()`.
    ///
    /// The weights are copied. A distribution that is rolled in many states is better converted to
    /// a [`Law`] once.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_mdp::{Game, Node, Solver};
    ///
    /// /// The sum of two dice is the score.
    /// struct Two(Dist<i64>);
    /// impl Game for Two {
    ///     type State = i64;
    ///     type Action = ();
    ///     fn expand(&self, &sum: &i64, node: &mut Node<Self>) {
    ///         match sum {
    ///             0 => {
    ///                 node.chance().law(&self.0);
    ///             }
    ///             _ => node.end(sum),
    ///         }
    ///     }
    /// }
    /// let two = Two(Dist::ndice(2, 6)?);
    /// let solution = Solver::exact().solve(&two, 0)?;
    /// assert_eq!(solution.value().to_string(), "7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law(&mut self, dist: &Dist<G::State>) -> &mut Self {
        if !self.node.fits(dist.support().len()) {
            return self;
        }
        for (outcome, weight) in dist.support().iter().zip(dist.weights()) {
            match weight.to_u64() {
                Some(weight) => self.to(outcome.clone(), weight),
                None => self.to_wide(outcome.clone(), weight.clone()),
            };
        }
        self
    }

    /// Lets chance move by `law`, where `state` maps each of its outcomes to the state that it
    /// leads to. The weights of a distribution are in lowest terms, and their sum is
    /// [`Law::total`].
    ///
    /// # Examples
    /// The higher of two dice, with one distribution that is rolled in every state:
    /// ```
    /// use oddsmith_dice::Dist;
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// use oddsmith_mdp::Law;
    /// # struct Highest(Law<i64>);
    /// # impl Game for Highest {
    /// #     type State = (u8, i64); // dice left, the highest so far
    /// #     type Action = ();
    /// #     fn expand(&self, &(left, high): &(u8, i64), node: &mut Node<Self>) {
    /// #         if left == 0 { return node.end(high); }
    /// // In `expand`, with so many dice left, and the highest so far:
    /// node.chance().roll(&self.0, |&pips| (left - 1, high.max(pips)));
    /// #     }
    /// # }
    /// let game = Highest(Law::new(&Dist::ndice(1, 6)?));
    /// assert_eq!(Solver::exact().solve(&game, (2, 0))?.value().to_string(), "161/36");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn roll<T>(&mut self, law: &Law<T>, mut state: impl FnMut(&T) -> G::State) -> &mut Self {
        if !self.node.fits(law.outcomes().len()) {
            return self;
        }
        match law.weights() {
            Weights::Narrow(weights) => {
                for (outcome, &weight) in law.outcomes().iter().zip(weights) {
                    self.to(state(outcome), weight);
                }
            }
            Weights::Wide(wide) => {
                self.share(wide);
                let states = law.outcomes().iter().map(|outcome| (state(outcome), 0));
                self.node.outcomes.extend(states);
            }
        }
        self
    }

    /// Adds a reward that is paid at once when this choice is taken, on top of what follows.
    ///
    /// The value of a state is the expected *total*: the rewards of all choices taken on the way,
    /// chance moves included, plus the final score. A reward is any rational number and may be
    /// negative. Several rewards of one choice add up. A choice that leads back to its state pays
    /// again at each try.
    ///
    /// A reward that is not a number (`NaN`, a fraction with denominator zero) results in
    /// [`Error::BadReward`](crate::Error::BadReward).
    ///
    /// # Examples
    /// Roll a die as often as you like for 1 a roll, and receive the number it shows last:
    /// ```
    /// use oddsmith_mdp::{Game, Node, Solver};
    ///
    /// struct Booth;
    /// impl Game for Booth {
    ///     type State = (u8, bool); // the pips, whether this is the end
    ///     type Action = &'static str;
    ///     fn expand(&self, &(pips, end): &(u8, bool), node: &mut Node<Self>) {
    ///         if end {
    ///             return node.end(pips);
    ///         }
    ///         node.choice("stop").to((pips, true), 1);
    ///         let mut roll = node.choice("roll");
    ///         roll.reward(-1);
    ///         for face in 1..=6 {
    ///             // A roll that is no better is rolled again.
    ///             roll.to((face.max(pips), false), 1);
    ///         }
    ///     }
    /// }
    /// assert_eq!(Node::of(&Booth, &(0, false))?.reward(1), Some(&(-1).into()));
    /// let solution = Solver::exact().solve(&Booth, (0, false))?;
    /// assert_eq!(solution.value().to_string(), "3");
    /// assert_eq!(solution.best(&(3, false))?, ["stop", "roll"]); // 5 for 2 rolls
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reward(&mut self, reward: impl Into<Score>) -> &mut Self {
        let choice = self.node.choices.len() - 1;
        let reward = reward.into();
        if !reward.is_valid() {
            self.node.fault.get_or_insert(Fault::Reward(choice));
        }
        match self.node.rewards.last_mut() {
            Some((of, sum)) if *of == choice => *sum = sum.plus(&reward),
            _ => self.node.rewards.push((choice, reward)),
        }
        self
    }

    /// Handles a weight that does not fit: either the choice has wide weights, or the sum
    /// overflows.
    #[cold]
    fn overflow(&mut self, weight: u64) {
        let choice = self.node.choices.len() - 1;
        match self.node.wide.last_mut() {
            Some((of, wide)) if *of == choice => wide.own().push(BigUint::from(weight)),
            _ => {
                self.node.fault.get_or_insert(Fault::Overflow(choice));
            }
        }
    }

    /// Adopts wide weights, without copying them if they are the first of this choice.
    fn share(&mut self, wide: &Arc<Wide>) {
        let choice = self.node.choices.len() - 1;
        let written = &mut self.node.choices[choice];
        if written.start == self.node.outcomes.len() {
            written.total = u64::MAX;
            let shared = Some(Arc::clone(wide));
            let own = Vec::new();
            self.node.wide.push((choice, WideWeights { shared, own }));
        } else {
            self.widen().extend_from_slice(&wide.weights);
        }
    }

    /// Returns the weights of this choice as wide weights, from now on of any size.
    fn widen(&mut self) -> &mut Vec<BigUint> {
        let choice = self.node.choices.len() - 1;
        let written = &mut self.node.choices[choice];
        written.total = u64::MAX;
        let wide = &mut self.node.wide;
        if wide.last().is_none_or(|(of, _)| *of != choice) {
            let so_far = &self.node.outcomes[written.start..];
            let weights = so_far.iter().map(|&(_, weight)| BigUint::from(weight));
            let (shared, own) = (None, weights.collect());
            wide.push((choice, WideWeights { shared, own }));
        }
        let last = wide.len() - 1;
        wide[last].1.own()
    }
}

impl<G: Game + ?Sized> fmt::Debug for Choice<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt(f)
    }
}
