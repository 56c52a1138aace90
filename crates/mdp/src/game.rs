//! The two traits a user writes: [`Game`], and [`Indexed`] for boxes.

use std::fmt::Debug;
use std::hash::Hash;

use crate::Node;

/// A finite game of chance for one player who wants the highest expected
/// score.
///
/// The rules are one function: [`expand`](Game::expand) looks at a state and
/// tells the [`Node`] either that the game [ends](Node::end) there with a
/// score, or which [choices](Node::choice) the player has and where each of
/// them may lead, with integer weights. The weights of a choice add up to its
/// own denominator, so probabilities sum to one by construction.
///
/// The game must be acyclic except that a state may lead to itself (a drawn
/// round that is rolled again): such self-loops are eliminated exactly.
///
/// # Examples
/// Up to three rolls of a die, and the last one counts:
/// ```
/// use oddsmith_mdp::{Game, Node, Solver};
///
/// struct KeepOrRoll;
///
/// impl Game for KeepOrRoll {
///     type State = (u8, u8); // rolls left, pips showing
///     type Action = &'static str;
///
///     fn expand(&self, &(left, pips): &(u8, u8), node: &mut Node<Self>) {
///         if left == 0 {
///             return node.end(pips);
///         }
///         if pips > 0 {
///             node.choice("keep").to((0, pips), 1);
///         }
///         let mut roll = node.choice("roll");
///         for face in 1..=6 {
///             roll.to((left - 1, face), 1);
///         }
///     }
/// }
///
/// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
/// assert_eq!(solution.value().to_string(), "14/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game {
    /// Everything that the future depends on. Two equal states are one state.
    type State: Clone + Eq + Hash + Debug;

    /// What the player may do, as it should be shown.
    type Action: Clone + Debug;

    /// Tells `node` what can happen in `state`.
    ///
    /// Must be a function of `self` and `state` alone: it is called again when
    /// a solution is asked about a state.
    ///
    /// # Examples
    /// A coin that is tossed until it shows heads: staying is allowed.
    /// ```
    /// use oddsmith_mdp::{Game, Node, Solver};
    ///
    /// struct UntilHeads;
    /// impl Game for UntilHeads {
    ///     type State = bool;
    ///     type Action = ();
    ///     fn expand(&self, &heads: &bool, node: &mut Node<Self>) {
    ///         if heads {
    ///             return node.end(1);
    ///         }
    ///         node.chance().to(true, 1).to(false, 1);
    ///     }
    /// }
    /// assert_eq!(Solver::exact().solve(&UntilHeads, false)?.value().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn expand(&self, state: &Self::State, node: &mut Node<Self>);
}

/// A game whose states fill a box, so that no hashing is needed.
///
/// The three functions number the states from `0` to [`size`](Indexed::size)
/// in an order in which every outcome of a state has a *lower* number than the
/// state itself (or is the state itself). [`Grid`](crate::Grid) does the
/// arithmetic. Broken promises are found while solving and end in an
/// [`Error`](crate::Error), never in a wrong number.
///
/// # Examples
/// Steps down a stair of five, one or two at a time by the toss of a coin;
/// falling on the last step exactly wins:
/// ```
/// use oddsmith_mdp::{Game, Indexed, Node, Solver};
///
/// struct Stair;
/// impl Game for Stair {
///     type State = i64;
///     type Action = ();
///     fn expand(&self, &step: &i64, node: &mut Node<Self>) {
///         match step {
///             0 => node.end(0),
///             1 => node.end(1),
///             _ => {
///                 node.chance().to(step - 1, 1).to(step - 2, 1);
///             }
///         }
///     }
/// }
/// impl Indexed for Stair {
///     fn size(&self) -> usize {
///         6
///     }
///     fn index(&self, &step: &i64) -> usize {
///         step as usize
///     }
///     fn state(&self, index: usize) -> i64 {
///         index as i64
///     }
/// }
///
/// let solution = Solver::exact().solve_indexed(&Stair, 5)?;
/// assert_eq!(solution.value().to_string(), "11/16");
/// assert_eq!(solution.value_of(&3)?.to_string(), "3/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Indexed: Game {
    /// How many numbers there are; each of them must be a state.
    ///
    /// # Examples
    /// Two coordinates make a box by multiplication:
    /// ```
    /// # use oddsmith_mdp::{Game, Indexed, Node, Solver};
    /// # struct Race;
    /// # impl Game for Race {
    /// #     type State = (usize, usize);
    /// #     type Action = ();
    /// #     fn expand(&self, &(ours, theirs): &(usize, usize), node: &mut Node<Self>) {
    /// #         if ours == 0 || theirs == 0 { return node.end(ours == 0); }
    /// #         node.chance().to((ours - 1, theirs), 2).to((ours, theirs - 1), 1);
    /// #     }
    /// # }
    /// // First to win 3 rounds, each won with probability 2/3.
    /// impl Indexed for Race {
    ///     fn size(&self) -> usize {
    ///         4 * 4
    ///     }
    ///     fn index(&self, &(ours, theirs): &(usize, usize)) -> usize {
    ///         4 * ours + theirs
    ///     }
    ///     fn state(&self, index: usize) -> (usize, usize) {
    ///         (index / 4, index % 4)
    ///     }
    /// }
    /// let solution = Solver::exact().solve_indexed(&Race, (3, 3))?;
    /// assert_eq!(solution.value().to_string(), "64/81");
    /// assert_eq!(solution.len(), Race.size());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn size(&self) -> usize;

    /// The number of `state`; any number from `size` up says that it lies
    /// outside the box.
    ///
    /// # Examples
    /// See [`size`](Indexed::size).
    fn index(&self, state: &Self::State) -> usize;

    /// The state with this number: the inverse of [`index`](Indexed::index).
    ///
    /// # Examples
    /// See [`size`](Indexed::size).
    fn state(&self, index: usize) -> Self::State;
}
