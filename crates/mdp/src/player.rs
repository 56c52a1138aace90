//! Who decides.

use std::fmt;

/// The player who decides in a state.
///
/// The game is zero-sum: what one player wins, the other loses. States belong to the maximizing
/// player unless [`Node::opponent`](crate::Node::opponent) is called.
///
/// # Examples
/// The first player chooses 0 or 1. The second sees it and answers 0 or 1. The first wins if the
/// answer differs, which the second will avoid:
/// ```
/// use oddsmith_mdp::{Game, Node, Player, Solver};
///
/// struct Match;
/// impl Game for Match {
///     type State = Vec<u8>;
///     type Action = u8;
///     fn expand(&self, moves: &Vec<u8>, node: &mut Node<Self>) {
///         if let [a, b] = moves[..] {
///             return node.end(a != b);
///         }
///         if moves.len() == 1 {
///             node.opponent();
///         }
///         for bit in 0..2 {
///             node.choice(bit).to([&moves[..], &[bit]].concat(), 1);
///         }
///     }
/// }
/// let solution = Solver::exact().solve(&Match, vec![])?;
/// assert_eq!(solution.value().to_string(), "0");
/// assert_eq!(solution.player(&vec![1])?, Player::Min);
/// assert_eq!(solution.decision(&vec![1])?, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Player {
    /// The player, who wants the highest expected score.
    #[default]
    Max,
    /// The opponent, who wants the lowest expected score.
    Min,
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Max => "the player",
            Player::Min => "the opponent",
        })
    }
}
