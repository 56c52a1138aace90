//! Which moves of a game count as steps.

use crate::{Game, Node};

/// The moves that count as steps for a [`Horizon`](crate::Horizon), for a
/// [discount](crate::Discounted), and for an [objective](crate::Objective::steps) that counts them.
///
/// A move is a transition from a state to one of its outcomes, including the state itself. Where
/// the game has ended, there are no moves.
///
/// # Examples
/// A die is rolled by chance, then kept or rolled again:
/// ```
/// use oddsmith_mdp::{Game, Horizon, Node, Solver, Staged, Steps};
///
/// struct UntilSix;
/// impl Game for UntilSix {
///     type State = Option<u8>; // the pips that show
///     type Action = &'static str;
///     fn expand(&self, pips: &Option<u8>, node: &mut Node<Self>) {
///         match pips {
///             Some(6) => node.end(1),
///             Some(_) => {
///                 node.choice("again").to(None, 1);
///             }
///             None => {
///                 let mut roll = node.chance();
///                 for face in 1..=6 { roll.to(Some(face), 1); }
///             }
///         }
///     }
/// }
/// // Three moves: a roll, a decision, a roll.
/// let all = Horizon::new(&UntilSix);
/// let solution = Solver::exact().solve(&all, Staged::new(3, None))?;
/// assert_eq!(solution.value().to_string(), "11/36");
/// // Three decisions to roll again make four rolls.
/// let decisions = Horizon::new(&UntilSix).counting(Steps::Decisions);
/// let solution = Solver::exact().solve(&decisions, Staged::new(3, None))?;
/// assert_eq!(solution.value().to_string(), "671/1296"); // 1 − (5/6)⁴
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Steps {
    /// Every move of a player or of chance.
    #[default]
    All,
    /// Only the moves of the players.
    Decisions,
}

impl Steps {
    /// Returns whether the move out of this node counts.
    pub(crate) fn count<G: Game + ?Sized>(self, node: &Node<G>) -> bool {
        match self {
            Steps::All => true,
            Steps::Decisions => node.action(0).is_some(),
        }
    }
}
