//! Common parts of games that are derived from other games: reading a node of one game and writing
//! it, changed, into a node of the other.

use crate::{Choice, Game, Node, Score};

impl<H: Game + ?Sized> Node<H> {
    /// Expands another game in a state, with as many outcomes as there is [room](Node::room) here.
    /// This is for games that are derived from other games. If that game is malformed, records the
    /// error in this node and returns `None`.
    ///
    /// # Examples
    /// At most three rolls of a die, the last of which counts, minus half a pip for every move:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    ///
    /// struct Counted;
    ///
    /// impl Game for Counted {
    ///     type State = ((u8, u8), i64); // of the other game, and how many moves it took
    ///     type Action = &'static str;
    ///
    ///     fn expand(&self, &(state, moves): &((u8, u8), i64), node: &mut Node<Self>) {
    ///         let Some(inner) = node.inner(&KeepOrRoll, &state) else { return };
    ///         match inner.score() {
    ///             Some(_) => node.end((2 * i64::from(state.1) - moves, 2)),
    ///             None => node.choices_of(&inner, |next| (*next, moves + 1)),
    ///         }
    ///     }
    /// }
    ///
    /// let solution = Solver::exact().solve(&Counted, ((3, 0), 0))?;
    /// assert_eq!(solution.value().to_string(), "27/8"); // and not 14/3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inner<G: Game + ?Sized>(&mut self, game: &G, state: &G::State) -> Option<Node<G>> {
        match Node::of_within(game, state, self.room()) {
            Ok(node) => Some(node),
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Expands another game like [`inner`](Node::inner). If it has ended, this node ends with the same
    /// score, and the result is `None`.
    pub(crate) fn inner_going_on<G>(&mut self, game: &G, state: &G::State) -> Option<Node<G>>
    where
        G: Game + ?Sized,
    {
        let inner = self.inner(game, state)?;
        match inner.score() {
            None => Some(inner),
            Some(score) => {
                self.end(score.clone());
                None
            }
        }
    }

    /// Copies all choices of a node of another game with their rewards and the player who decides.
    /// Outcomes are mapped to states of this game. See [`inner`](Node::inner).
    ///
    /// # Examples
    /// The same game with other names:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    ///
    /// struct Named;
    ///
    /// impl Game for Named {
    ///     type State = String;
    ///     type Action = &'static str;
    ///
    ///     fn expand(&self, state: &String, node: &mut Node<Self>) {
    ///         let (left, shown) = state.split_once(' ').unwrap_or(("0", "0"));
    ///         let number = |text: &str| text.parse().unwrap_or(0);
    ///         let Some(inner) = node.inner(&KeepOrRoll, &(number(left), number(shown))) else {
    ///             return;
    ///         };
    ///         match inner.score() {
    ///             Some(score) => node.end(score.clone()),
    ///             None => node.choices_of(&inner, |(left, shown)| format!("{left} {shown}")),
    ///         }
    ///     }
    /// }
    ///
    /// let solution = Solver::exact().solve(&Named, "3 0".to_owned())?;
    /// assert_eq!(solution.value().to_string(), "14/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choices_of<G>(&mut self, from: &Node<G>, mut name: impl FnMut(&G::State) -> H::State)
    where
        G: Game + ?Sized,
        H: Game<Action = G::Action>,
    {
        for choice in 0..from.len() {
            self.choice_of(from, choice, &mut name);
        }
    }

    /// Copies a single choice, like [`choices_of`](Node::choices_of), so that others can be left
    /// out. Nothing is copied for a choice that the other node does not have.
    ///
    /// # Examples
    /// The same game for somebody who never keeps less than a 4:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    ///
    /// struct Demanding;
    ///
    /// impl Game for Demanding {
    ///     type State = (u8, u8);
    ///     type Action = &'static str;
    ///
    ///     fn expand(&self, state: &(u8, u8), node: &mut Node<Self>) {
    ///         let Some(inner) = node.inner(&KeepOrRoll, state) else { return };
    ///         if let Some(score) = inner.score() {
    ///             return node.end(score.clone());
    ///         }
    ///         for choice in 0..inner.len() {
    ///             if inner.action(choice) != Some(&"keep") || state.1 >= 4 {
    ///                 node.choice_of(&inner, choice, |next| *next);
    ///             }
    ///         }
    ///     }
    /// }
    ///
    /// let solution = Solver::exact().solve(&Demanding, (3, 0))?;
    /// assert_eq!(solution.value().to_string(), "14/3"); // best play keeps no less anyway
    /// assert_eq!(solution.choices(&(2, 3))?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choice_of<G>(
        &mut self,
        from: &Node<G>,
        choice: usize,
        name: impl FnMut(&G::State) -> H::State,
    ) where
        G: Game + ?Sized,
        H: Game<Action = G::Action>,
    {
        if choice < from.len() {
            self.set_player(from.player());
            let mut written = begin(from, choice, self);
            outcomes(from, choice, &mut written, name);
            pay(&mut written, reward(from, choice));
        }
    }
}

/// Begins the choice with the same action, or the same chance move.
pub(crate) fn begin<'n, G, H>(from: &Node<G>, choice: usize, to: &'n mut Node<H>) -> Choice<'n, H>
where
    G: Game + ?Sized,
    H: Game<Action = G::Action> + ?Sized,
{
    match from.action(choice) {
        Some(action) => to.choice(action.clone()),
        None => to.chance(),
    }
}

/// Writes the outcomes of a choice with their weights, each mapped to a state of the other game.
pub(crate) fn outcomes<G, H>(
    from: &Node<G>,
    choice: usize,
    to: &mut Choice<'_, H>,
    mut name: impl FnMut(&G::State) -> H::State,
) where
    G: Game + ?Sized,
    H: Game + ?Sized,
{
    if from.wide(choice).is_some() {
        for (state, weight) in from.wide_outcomes(choice) {
            to.to_wide(name(state), weight);
        }
    } else {
        for (state, weight) in from.outcomes(choice) {
            to.to(name(state), *weight);
        }
    }
}

/// Adds the reward that a choice pays at once, if any.
pub(crate) fn reward<G: Game + ?Sized>(from: &Node<G>, choice: usize) -> Option<Score> {
    from.reward(choice).cloned()
}

/// Gives a choice the reward of another one.
pub(crate) fn pay<H: Game + ?Sized>(to: &mut Choice<'_, H>, reward: Option<Score>) {
    if let Some(reward) = reward {
        to.reward(reward);
    }
}
