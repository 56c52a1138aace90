//! Reading what was written about a state.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::Node;
use crate::choice::WideWeights;
use crate::{Game, Score};

impl<G: Game + ?Sized> Node<G> {
    /// Returns the score if the game ends here.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Score;
    /// assert_eq!(Node::of(&KeepOrRoll, &(0, 5))?.score(), Some(&Score::from(5)));
    /// assert_eq!(Node::of(&KeepOrRoll, &(1, 5))?.score(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn score(&self) -> Option<&Score> {
        self.end.as_ref()
    }

    /// Returns the number of choices. A chance node counts as one.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// struct Doors;
    /// impl Game for Doors {
    ///     type State = u8;
    ///     type Action = char;
    ///     fn expand(&self, _: &u8, node: &mut Node<Self>) {
    ///         node.choice('a').to(1, 1);
    ///         node.choice('b').to(2, 3).to(3, 0).to(1, 1);
    ///     }
    /// }
    /// let node = Node::of(&Doors, &0)?;
    /// assert_eq!(node.len(), 2);
    /// assert_eq!(node.action(1), Some(&'b'));
    /// assert_eq!(node.total(1), 4);
    /// assert_eq!(node.outcomes(1), [(2, 3), (1, 1)]); // weight zero is dropped
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Returns whether there is no choice because the game ends here.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// struct Over;
    /// impl Game for Over {
    ///     type State = ();
    ///     type Action = ();
    ///     fn expand(&self, _: &(), node: &mut Node<Self>) {
    ///         node.end(7);
    ///     }
    /// }
    /// assert!(Node::of(&Over, &())?.is_empty());
    /// assert_eq!(Node::of(&Over, &())?.len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Returns the action of a choice, or `None` for a chance node and beyond the last choice.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// let node = Node::of(&KeepOrRoll, &(1, 6))?;
    /// assert_eq!((node.action(0), node.action(1)), (Some(&"keep"), Some(&"roll")));
    /// assert_eq!(node.action(2), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn action(&self, choice: usize) -> Option<&G::Action> {
        self.choices.get(choice)?.action.as_ref()
    }

    /// Returns the reward that a choice pays at once, or `None` if none was written, and beyond the
    /// last choice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Node, Score, Table};
    /// let table = Table::from_fn(2, |state, row| match state {
    ///     0 => row.end(5),
    ///     _ => {
    ///         row.choice().to(0, 1).reward((1, 2));
    ///         row.choice().to(0, 1);
    ///     }
    /// })?;
    /// let node = Node::of(&table, &1)?;
    /// assert_eq!(node.reward(0), Some(&Score::from((1, 2))));
    /// assert_eq!(node.reward(1), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reward(&self, choice: usize) -> Option<&Score> {
        let place = self.rewards.binary_search_by_key(&choice, |paid| paid.0);
        Some(&self.rewards.get(place.ok()?)?.1)
    }

    /// Returns whether any choice pays a reward.
    pub(crate) fn pays(&self) -> bool {
        let mut rewards = self.rewards.iter();
        rewards.any(|(_, reward)| reward.sign() != Ordering::Equal)
    }

    /// Returns the outcomes of a choice with their weights, as written except that outcomes of
    /// weight zero are left out.
    ///
    /// Empty beyond the last choice, and for a choice whose weights are not machine words;
    /// [`wide_outcomes`](Node::wide_outcomes) reads those, too.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// let node = Node::of(&KeepOrRoll, &(1, 0))?; // a roll of the die
    /// assert_eq!(node.outcomes(0).len(), 6);
    /// assert_eq!(node.outcomes(0)[5], ((0, 6), 1));
    /// assert!(node.outcomes(1).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn outcomes(&self, choice: usize) -> &[(G::State, u64)] {
        match self.wide(choice) {
            None => self.written(choice),
            Some(_) => &[],
        }
    }

    /// Returns the outcomes of a choice with their weights, however large these are.
    ///
    /// # Examples
    /// ```
    /// use num_bigint::BigUint;
    /// use oddsmith_mdp::{Game, Node};
    ///
    /// struct Needle;
    /// impl Game for Needle {
    ///     type State = u8;
    ///     type Action = ();
    ///     fn expand(&self, _: &u8, node: &mut Node<Self>) {
    ///         node.chance().to(1, 1).to_wide(0, BigUint::from(10_u8).pow(30));
    ///     }
    /// }
    /// let node = Node::of(&Needle, &2)?;
    /// let hay: Vec<String> = node.wide_outcomes(0).map(|(_, w)| w.to_string()).collect();
    /// assert_eq!(hay, ["1", "1000000000000000000000000000000"]);
    /// assert_eq!(node.wide_total(0), BigUint::from(10_u8).pow(30) + 1_u8);
    /// assert!(node.outcomes(0).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wide_outcomes(&self, choice: usize) -> impl Iterator<Item = (&G::State, BigUint)> {
        let wide = self.wide(choice).map(WideWeights::weights);
        let outcomes = self.written(choice).iter().enumerate();
        outcomes.map(move |(place, (state, narrow))| {
            let weight = wide.and_then(|wide| wide.get(place).cloned());
            (state, weight.unwrap_or_else(|| BigUint::from(*narrow)))
        })
    }

    /// Returns the sum of the weights of a choice, however large they are.
    ///
    /// # Examples
    /// ```
    /// use num_bigint::BigUint;
    /// use oddsmith_mdp::{Node, Table};
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     2 => {
    ///         row.choice().to(0, 1).to_wide(1, BigUint::from(u64::MAX));
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// let node = Node::of(&table, &2)?;
    /// assert_eq!(node.wide_total(0), BigUint::from(1_u8) << 64);
    /// assert_eq!(node.total(0), 0); // no machine word
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn wide_total(&self, choice: usize) -> BigUint {
        match self.wide(choice) {
            Some(wide) => wide.weights().iter().sum(),
            None => BigUint::from(self.total(choice)),
        }
    }

    #[inline]
    pub(crate) fn wide(&self, choice: usize) -> Option<&WideWeights> {
        let mut wide = self.wide.iter();
        wide.find_map(|(of, weights)| (*of == choice).then_some(weights))
    }

    /// Returns the outcomes of a choice without their weights.
    pub(crate) fn states(&self, choice: usize) -> impl Iterator<Item = &G::State> {
        self.written(choice).iter().map(|outcome| &outcome.0)
    }

    /// Returns the outcomes of a choice as stored. Wide weights are stored elsewhere.
    #[inline]
    fn written(&self, choice: usize) -> &[(G::State, u64)] {
        let Some(written) = self.choices.get(choice) else {
            return &[];
        };
        let end = self
            .choices
            .get(choice + 1)
            .map_or(self.outcomes.len(), |next| next.start);
        &self.outcomes[written.start..end]
    }

    /// Returns the sum of the weights of a choice: its denominator. Zero beyond the last choice,
    /// and if the sum is not a machine word ([`wide_total`](Node::wide_total) reads any sum).
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// let node = Node::of(&KeepOrRoll, &(1, 6))?;
    /// assert_eq!((node.total(0), node.total(1)), (1, 6)); // keep, roll
    /// assert_eq!(node.total(2), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn total(&self, choice: usize) -> u64 {
        match (self.choices.get(choice), self.wide(choice)) {
            (Some(written), None) => written.total,
            _ => 0,
        }
    }
}
