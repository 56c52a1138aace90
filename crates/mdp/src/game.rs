//! The traits that a user implements: [`Game`], [`Indexed`] for states that fill a box, and
//! [`Ranked`] for states whose rank falls with every move.

use std::fmt::Debug;
use std::hash::Hash;

use crate::Node;

/// A finite game of chance for one player, who wants the highest expected score, or for two against
/// each other.
///
/// The rules are one function. [`expand`](Game::expand) looks at a state and tells the [`Node`]
/// either that the game [ends](Node::end) there with a score, or which [choices](Node::choice) the
/// player has. Each choice has the states that it may lead to, with integer weights, and a
/// [reward](crate::Choice::reward) paid at once, if any. The weights of a choice add up to its own
/// denominator, so probabilities sum to one by construction.
///
/// The game must be acyclic, except that a state may lead to itself (a drawn round that is rolled
/// again). Such self-loops are eliminated exactly.
/// [`Solver::allow_cycles`](crate::Solver::allow_cycles) lifts this restriction.
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
    /// Everything that the future depends on. Equal values are the same state.
    type State: Clone + Eq + Hash + Debug;

    /// What the player may do, in the form in which it is displayed.
    type Action: Clone + Debug;

    /// Writes on `node` what can happen in `state`.
    ///
    /// The result must depend on `self` and `state` alone: the function is called again when a
    /// solution is queried about a state.
    ///
    /// # Examples
    /// A coin that is tossed until it shows heads. The state may lead to itself:
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

    /// Describes a state in words, for errors, [explanations](crate::Explanation),
    /// [drawings](crate::Dot) and [files](crate::Explicit). The default is its `Debug` output.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Game, Node, Solver};
    ///
    /// struct Ladder;
    /// impl Game for Ladder {
    ///     type State = u8;
    ///     type Action = ();
    ///     fn expand(&self, &rung: &u8, node: &mut Node<Self>) {
    ///         if rung < 3 {
    ///             node.chance().to(rung + 1, 1);
    ///         }
    ///     }
    ///     fn describe(&self, rung: &u8) -> String {
    ///         format!("rung {rung}")
    ///     }
    /// }
    /// let error = Solver::exact().solve(&Ladder, 0).unwrap_err();
    /// assert_eq!(error.to_string(), "state rung 3 neither ends nor has a choice");
    /// ```
    fn describe(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }
}

/// A game whose states fill a box, so that no hashing is needed.
///
/// The three functions number the states from `0` up to, but not including,
/// [`size`](Indexed::size). Every outcome of a state must have a *lower* number than the state
/// itself, or be the state itself, unless [cycles are allowed](crate::Solver::allow_cycles); then
/// any order will do. [`Grid`](crate::Grid) does the arithmetic. The solver detects a numbering
/// that violates this and returns an [`Error`](crate::Error), never a wrong number.
///
/// # Examples
/// Steps down a stair of five, one or two at a time, as a coin decides. Landing exactly on the last
/// step wins:
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
    /// Returns the number of states. Each number below it must be that of a state.
    ///
    /// # Examples
    /// The size of a box of two coordinates is a product:
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

    /// Returns the number of `state`. Any number from `size` up means that the state lies outside
    /// the box.
    ///
    /// # Examples
    /// The numbers of a chessboard:
    /// ```
    /// # use oddsmith_mdp::{Game, Indexed, Node};
    /// # struct Board;
    /// # impl Game for Board {
    /// #     type State = (usize, usize);
    /// #     type Action = ();
    /// #     fn expand(&self, _: &(usize, usize), node: &mut Node<Self>) { node.end(0); }
    /// # }
    /// impl Indexed for Board {
    /// #     fn size(&self) -> usize { 64 }
    /// #     fn state(&self, index: usize) -> (usize, usize) { (index / 8, index % 8) }
    ///     fn index(&self, &(row, column): &(usize, usize)) -> usize {
    ///         8 * row + column
    ///     }
    /// }
    /// assert_eq!(Board.index(&(7, 3)), 59);
    /// assert!(Board.index(&(8, 0)) >= Board.size());
    /// ```
    fn index(&self, state: &Self::State) -> usize;

    /// Returns the state with this number: the inverse of [`index`](Indexed::index).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Indexed, Node};
    /// # struct Board;
    /// # impl Game for Board {
    /// #     type State = (usize, usize);
    /// #     type Action = ();
    /// #     fn expand(&self, _: &(usize, usize), node: &mut Node<Self>) { node.end(0); }
    /// # }
    /// impl Indexed for Board {
    /// #     fn size(&self) -> usize { 64 }
    /// #     fn index(&self, &(row, column): &(usize, usize)) -> usize { 8 * row + column }
    ///     fn state(&self, index: usize) -> (usize, usize) {
    ///         (index / 8, index % 8)
    ///     }
    /// }
    /// assert_eq!(Board.state(59), (7, 3));
    /// assert!((0..64).all(|index| Board.index(&Board.state(index)) == index));
    /// ```
    fn state(&self, index: usize) -> Self::State;

    /// Returns whether `index` stands for `state`. Here `index` is the result of
    /// [`index`](Indexed::index) for `state`, and it is below [`size`](Indexed::size). The solver
    /// asks this about every outcome, since a state outside the box may have the same number as one
    /// inside.
    ///
    /// If `index` returns no number below `size` for any state outside the box, the answer is
    /// always yes. Returning `true` then saves the conversion back to a state.
    ///
    /// # Examples
    /// Three columns. A step to the right from the last one leaves the box.
    /// ```
    /// # use oddsmith_mdp::{Game, Indexed, Node};
    /// # struct Field;
    /// # impl Game for Field {
    /// #     type State = (usize, usize);
    /// #     type Action = ();
    /// #     fn expand(&self, &(row, column): &(usize, usize), node: &mut Node<Self>) {
    /// #         if row == 0 { return node.end(0); }
    /// #         node.chance().to((row - 1, column + 1), 1);
    /// #     }
    /// # }
    /// use oddsmith_mdp::{Error, Solver};
    /// impl Indexed for Field {
    ///     fn size(&self) -> usize {
    ///         9
    ///     }
    ///     fn index(&self, &(row, column): &(usize, usize)) -> usize {
    ///         3 * row + column
    ///     }
    ///     fn state(&self, index: usize) -> (usize, usize) {
    ///         (index / 3, index % 3)
    ///     }
    /// }
    /// assert!(Field.stands_for(3, &(1, 0)) && !Field.stands_for(3, &(0, 3)));
    /// let error = Solver::exact().solve_indexed(&Field, (2, 0)).err();
    /// assert!(matches!(error, Some(Error::SharedIndex { index: 3, .. })));
    /// ```
    #[inline]
    fn stands_for(&self, index: usize, state: &Self::State) -> bool {
        self.state(index) == *state
    }
}

/// A game whose states have a rank that falls with every move, such as the rounds left, the points
/// missing, or the sum of both fighters' stamina.
///
/// Play from a state leads to states of lower rank only, or stays where it is. All states of one
/// rank are therefore found before any of them is expanded. States are looked up among those of
/// their own rank, no order needs to be found, and each rank is a layer for several threads. If an
/// outcome violates this, the result is [`Error::RankNotLower`](crate::Error::RankNotLower).
///
/// # Examples
/// Every move uses up one of the throws that are left:
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
/// use oddsmith_mdp::Ranked;
///
/// impl Ranked for KeepOrRoll {
///     fn rank(&self, &(left, _): &(u8, u8)) -> u64 {
///         left.into()
///     }
/// }
/// let solution = Solver::exact().solve_ranked(&KeepOrRoll, (3, 0))?;
/// assert_eq!(solution.value().to_string(), "14/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Ranked: Game {
    /// Returns the rank of `state`. Any scale will do, even one with gaps, as long as every other
    /// state that `state` may lead to has a lower rank.
    ///
    /// # Examples
    /// In a race to thirty, the rank is the number of points missing:
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Ranked, Solver};
    /// # struct Race;
    /// # impl Game for Race {
    /// #     type State = (u64, u64); // points missing
    /// #     type Action = ();
    /// #     fn expand(&self, &(ours, theirs): &(u64, u64), node: &mut Node<Self>) {
    /// #         if ours == 0 || theirs == 0 { return node.end(ours == 0); }
    /// #         node.chance().to((ours - 1, theirs), 1).to((ours, theirs - 1), 1);
    /// #     }
    /// # }
    /// impl Ranked for Race {
    ///     fn rank(&self, &(ours, theirs): &(u64, u64)) -> u64 {
    ///         ours + theirs
    ///     }
    /// }
    /// assert_eq!((Race.rank(&(30, 30)), Race.rank(&(30, 29))), (60, 59));
    /// assert_eq!(Solver::exact().solve_ranked(&Race, (30, 30))?.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn rank(&self, state: &Self::State) -> u64;
}
