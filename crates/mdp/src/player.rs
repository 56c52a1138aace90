//! Who decides.

use std::fmt;

/// Whose decision a state is.
///
/// The game is zero-sum: what one wins, the other loses. States belong to the
/// maximiser unless [`Node::opponent`](crate::Node::opponent) says otherwise.
///
/// # Examples
/// The first player moves 0 or 1, the second sees it and answers 0 or 1; the
/// first wins if the answer differs, which the second will not do:
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
    /// Wants the highest expected score: the player.
    #[default]
    Max,
    /// Wants the lowest: the opponent.
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
