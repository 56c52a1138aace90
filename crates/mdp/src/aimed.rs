//! A game played for an objective.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{Error, Game, Node, Objective, Player, Score, relay};

/// A game played for an [`Objective`] instead of its score.
///
/// States, actions and probabilities are those of the game; the values of ends and moves are given
/// by the objective. The values of the solution are those of the quantity. If the quantity is to be
/// minimized, the players change sides: [`Solution::player`](crate::Solution::player) then returns
/// [`Player::Min`] for the player's own decisions, and the text of an
/// [`Explanation`](crate::Explanation) calls whoever wants the lower value the opponent.
///
/// # Examples
/// A player who wants to finish soon keeps even a 1. A quantity to be minimized is decided as by
/// the other player:
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{Aimed, Objective, Player};
/// let quick = Aimed::new(&KeepOrRoll, Objective::fewest_steps());
/// let solution = Solver::exact().solve(&quick, (3, 0))?;
/// assert_eq!(solution.value_of(&(2, 1))?.to_string(), "1");
/// assert_eq!(solution.decision(&(2, 1))?, Some("keep"));
/// assert_eq!(solution.player(&(2, 1))?, Player::Min);
/// let told = solution.explain(&(2, 1))?.to_string();
/// assert!(told.starts_with("(2, 1) is worth 1; the opponent decides\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Aimed<'g, G: Game + ?Sized> {
    game: &'g G,
    objective: Objective<'g, G::State>,
    allowed: Option<Arc<Allowed<G::State>>>,
}

/// The choices that are left, if some are not.
#[derive(Debug)]
pub(crate) struct Allowed<S> {
    choices: FxHashMap<S, Vec<u16>>,
}

impl<S: Eq + Hash> Allowed<S> {
    pub(crate) fn new() -> Self {
        Allowed {
            choices: FxHashMap::default(),
        }
    }

    /// Returns the numbers of the choices left in `state`, or `None` for all.
    pub(crate) fn of(&self, state: &S) -> Option<&[u16]> {
        self.choices.get(state).map(Vec::as_slice)
    }

    /// Returns the number of the choice in the game itself.
    pub(crate) fn choice(&self, state: &S, kept: usize) -> usize {
        let choice = self.of(state).and_then(|left| left.get(kept));
        choice.map_or(kept, |&choice| usize::from(choice))
    }

    pub(crate) fn insert(&mut self, state: S, choices: Vec<u16>) {
        self.choices.insert(state, choices);
    }
}

impl<'g, G: Game + ?Sized> Aimed<'g, G> {
    /// Creates `game` as played for `objective`.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Aimed, Objective};
    /// let six = Aimed::new(&KeepOrRoll, Objective::at_least(6));
    /// let solution = Solver::exact().solve(&six, (3, 0))?;
    /// assert_eq!(solution.value().to_string(), "91/216"); // 1 − (5/6)³
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: &'g G, objective: Objective<'g, G::State>) -> Self {
        Aimed {
            game,
            objective,
            allowed: None,
        }
    }

    /// The same game, restricted to the choices in `allowed`.
    pub(crate) fn among(self, allowed: Arc<Allowed<G::State>>) -> Self {
        Aimed {
            allowed: Some(allowed),
            ..self
        }
    }

    /// Returns the objective that the game is played for.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Aimed, Objective};
    /// let aimed = Aimed::new(&KeepOrRoll, Objective::fewest_steps());
    /// assert_eq!(aimed.objective().name(), "steps");
    /// ```
    #[must_use]
    pub fn objective(&self) -> &Objective<'g, G::State> {
        &self.objective
    }
}

impl<G: Game + ?Sized> Game for Aimed<'_, G> {
    type State = G::State;
    type Action = G::Action;

    fn describe(&self, state: &G::State) -> String {
        self.game.describe(state)
    }

    fn expand(&self, state: &G::State, node: &mut Node<Self>) {
        if let Some(error) = self.objective.invalid() {
            return node.fail(error);
        }
        let Some(inner) = node.inner(self.game, state) else {
            return;
        };
        if let Some(score) = inner.score() {
            return node.end(self.objective.end(state, score));
        }
        node.set_player(match (inner.player(), self.objective.is_minimized()) {
            (player, false) => player,
            (Player::Max, true) => Player::Min,
            (Player::Min, true) => Player::Max,
        });
        let left = self.allowed.as_ref().and_then(|allowed| allowed.of(state));
        let blind = self.objective.reads_score_of_end();
        for choice in 0..inner.len() {
            if left.is_some_and(|left| !left.contains(&(choice as u16))) {
                continue;
            }
            let own = relay::reward(&inner, choice);
            if blind && own.as_ref().is_some_and(|own| *own != Score::from(0)) {
                return node.fail(Error::RewardOnTheWay {
                    state: self.describe(state),
                });
            }
            let decided = inner.action(choice).is_some();
            let reward = self.objective.reward(own.as_ref(), decided);
            let mut written = relay::begin(&inner, choice, node);
            relay::outcomes(&inner, choice, &mut written, Clone::clone);
            relay::pay(&mut written, reward);
        }
    }
}

impl<G: Game + ?Sized> Clone for Aimed<'_, G> {
    fn clone(&self) -> Self {
        Aimed {
            game: self.game,
            objective: self.objective.clone(),
            allowed: self.allowed.clone(),
        }
    }
}

impl<G: Game + ?Sized> fmt::Debug for Aimed<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Aimed({:?})", self.objective)
    }
}
