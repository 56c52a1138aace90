//! The decisions of a solution, as a policy.

use std::fmt;

use super::Solution;
use crate::explored::Explored;
use crate::model::Model;
use crate::{Game, Number, Policy};

impl<'g, G: Game + ?Sized, N: Number, M: Model<G>> Solution<'g, G, N, M> {
    /// The decisions of a solution, as a policy for other games with the same states and actions,
    /// such as a [`Rescored`](crate::Rescored) or an [`Aimed`](crate::Aimed) game.
    ///
    /// For the game itself, a reference to the solution is already a policy. Actions are told by
    /// their position, so a state where the other game has more or fewer of them, such as one of a
    /// [`Pruned`](crate::Pruned) game, gets no decision ([`Error::NoDecision`](crate::Error)).
    ///
    /// # Examples
    /// How many moves does it take to play for the most pips?
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Aimed, Objective, Steps};
    /// let pips = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let moves = Aimed::new(&KeepOrRoll, Objective::steps(Steps::All));
    /// let evaluation = Solver::exact().evaluate(&moves, pips.policy(), (3, 0))?;
    /// assert_eq!(evaluation.value().to_string(), "8/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn policy(&self) -> Decided<'_, 'g, G, N, M> {
        Decided { solution: self }
    }

    /// Gives all weight to the decided choice, or none if the state is unknown or had another
    /// number of choices.
    fn decide(&self, state: &G::State, weights: &mut [u64]) {
        if let Ok(number) = self.number(state)
            && let Ok(choices) = self.model().choices(self.game(), number, state)
            && choices == weights.len()
            && let Some(weight) = weights.get_mut(self.decided_choice(number))
        {
            *weight = 1;
        }
    }
}

/// A solution is itself a policy: it plays as decided.
///
/// # Examples
/// The policy of a float solution, evaluated exactly:
/// ```
/// # use oddsmith_mdp::{Game, Node, Solver};
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
/// let float = Solver::float().solve(&KeepOrRoll, (3, 0))?;
/// let exact = Solver::exact().evaluate(&KeepOrRoll, &float, (3, 0))?;
/// assert_eq!(exact.value().to_string(), "14/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<G: Game + ?Sized, N: Number, M: Model<G>> Policy<G> for &Solution<'_, G, N, M> {
    fn weigh(&self, state: &G::State, _: &[G::Action], weights: &mut [u64]) {
        self.decide(state, weights);
    }
}

/// Returns the decisions of this solution as a policy for any game with the same states and
/// actions. See [`Solution::policy`].
///
/// # Examples
/// A player who plays for pips ends with a 6 in a quarter of the games:
/// ```
#[doc = include_str!("../../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{Decided, Exact, Rescored};
/// let pips = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
/// let policy: Decided<'_, '_, KeepOrRoll, Exact> = pips.policy();
/// let six = Rescored::new(&KeepOrRoll, |end, _| end.1 == 6);
/// let evaluation = Solver::exact().evaluate(&six, policy, (2, 0))?;
/// assert_eq!(evaluation.value().to_string(), "1/4"); // best play for it: 11/36
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Decided<'s, 'g, G: Game + ?Sized, N: Number, M = Explored<G>> {
    solution: &'s Solution<'g, G, N, M>,
}

impl<G, H, N, M> Policy<H> for Decided<'_, '_, G, N, M>
where
    G: Game + ?Sized,
    H: Game<State = G::State, Action = G::Action> + ?Sized,
    N: Number,
    M: Model<G>,
{
    fn weigh(&self, state: &G::State, _: &[G::Action], weights: &mut [u64]) {
        self.solution.decide(state, weights);
    }
}

impl<G: Game + ?Sized, N: Number, M: Model<G>> fmt::Debug for Decided<'_, '_, G, N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decided by {:?}", self.solution)
    }
}
