//! The same game with other scores.

use std::fmt;
use std::sync::Arc;

use crate::{Game, Node, Score, relay};

/// A score as a function of the final state and its old score.
type Ends<'g, S> = Arc<dyn Fn(&S, &Score) -> Score + Send + Sync + 'g>;

/// A reward as a function of the state, the action (`None` for chance) and the old reward.
type Pays<'g, S, A> = Arc<dyn Fn(&S, Option<&A>, &Score) -> Score + Send + Sync + 'g>;

/// A game with the same moves, but other scores.
///
/// The score of every end is replaced by the result of a closure of the final state and its old
/// score. Rewards stay the same unless [they are replaced](Rescored::rewards), too. States and
/// actions are those of the original game, so a policy for one is a policy for the other.
///
/// # Examples
/// A die is rolled up to three times, and the last roll counts. How likely is a 5 or more, if that
/// is all that matters, and if it is not?
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::Rescored;
///
/// let high = Rescored::new(&KeepOrRoll, |&(_, pips), _| pips >= 5);
/// let solution = Solver::exact().solve(&high, (3, 0))?;
/// assert_eq!(solution.value().to_string(), "19/27");
/// // The policy for the most pips keeps a 4 of the second roll:
/// let most = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
/// let evaluation = Solver::exact().evaluate(&high, most.policy(), (3, 0))?;
/// assert_eq!(evaluation.value().to_string(), "2/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Rescored<'g, G: Game + ?Sized> {
    game: &'g G,
    ends: Ends<'g, G::State>,
    pays: Option<Pays<'g, G::State, G::Action>>,
}

impl<'g, G: Game + ?Sized> Rescored<'g, G> {
    /// Creates `game` with other scores.
    ///
    /// # Examples
    /// A 6 counts twice:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Rescored, Score};
    /// let double = Rescored::new(&KeepOrRoll, |&(_, pips), old| match pips {
    ///     6 => Score::from(12),
    ///     _ => old.clone(),
    /// });
    /// let solution = Solver::exact().solve(&double, (1, 0))?;
    /// assert_eq!(solution.value().to_string(), "9/2"); // (1 + 2 + 3 + 4 + 5 + 12) / 6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new<T: Into<Score>>(
        game: &'g G,
        ends: impl Fn(&G::State, &Score) -> T + Send + Sync + 'g,
    ) -> Self {
        Rescored {
            game,
            ends: Arc::new(move |state, old| ends(state, old).into()),
            pays: None,
        }
    }

    /// Replaces the rewards, too: by a function of the state, the action (`None` where chance
    /// moves) and the old reward, which is 0 if there was none.
    ///
    /// # Examples
    /// Each roll costs a pip:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Rescored;
    ///
    /// let costly = Rescored::new(&KeepOrRoll, |_, old| old.clone())
    ///     .rewards(|_, action, _| if action == Some(&"roll") { -1 } else { 0 });
    /// let solution = Solver::exact().solve(&costly, (3, 0))?;
    /// assert_eq!(solution.value().to_string(), "53/18");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rewards<T: Into<Score>>(
        self,
        pays: impl Fn(&G::State, Option<&G::Action>, &Score) -> T + Send + Sync + 'g,
    ) -> Self {
        Rescored {
            pays: Some(Arc::new(move |state, action, old| {
                pays(state, action, old).into()
            })),
            ..self
        }
    }
}

impl<G: Game + ?Sized> Game for Rescored<'_, G> {
    type State = G::State;
    type Action = G::Action;

    fn describe(&self, state: &G::State) -> String {
        self.game.describe(state)
    }

    fn expand(&self, state: &G::State, node: &mut Node<Self>) {
        let Some(inner) = node.inner(self.game, state) else {
            return;
        };
        if let Some(score) = inner.score() {
            return node.end((self.ends)(state, score));
        }
        let Some(pays) = &self.pays else {
            return node.choices_of(&inner, Clone::clone);
        };
        node.set_player(inner.player());
        for choice in 0..inner.len() {
            let old = relay::reward(&inner, choice).unwrap_or_else(|| Score::from(0));
            let reward = pays(state, inner.action(choice), &old);
            let mut written = relay::begin(&inner, choice, node);
            relay::outcomes(&inner, choice, &mut written, Clone::clone);
            relay::pay(&mut written, Some(reward));
        }
    }
}

impl<G: Game + ?Sized> Clone for Rescored<'_, G> {
    fn clone(&self) -> Self {
        Rescored {
            game: self.game,
            ends: Arc::clone(&self.ends),
            pays: self.pays.clone(),
        }
    }
}

impl<G: Game + ?Sized> fmt::Debug for Rescored<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rewards = self.pays.is_some();
        write!(f, "Rescored(rewards replaced: {rewards})")
    }
}
