//! The traits a user writes: [`Game`], [`Indexed`] for boxes, and [`Ranked`] for
//! games that go down a scale.

use std::fmt::Debug;
use std::hash::Hash;

use crate::Node;

/// A finite game of chance for one player who wants the highest expected
/// score.
///
/// The rules are one function: [`expand`](Game::expand) looks at a state and
/// tells the [`Node`] either that the game [ends](Node::end) there with a
/// score, or which [choices](Node::choice) the player has and where each of
/// them may lead, with integer weights, and what it [pays](crate::Choice::reward)
/// at once, if anything. The weights of a choice add up to its
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

    /// A state in words, for errors, [explanations](crate::Explanation), [pictures](crate::Dot) and
    /// [files](crate::Explicit): as it is debugged unless said otherwise.
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
/// The three functions number the states from `0` to [`size`](Indexed::size)
/// in an order in which every outcome of a state has a *lower* number than the
/// state itself (or is the state itself), unless
/// [cycles are allowed](crate::Solver::allow_cycles): then any order will do.
/// [`Grid`](crate::Grid) does the arithmetic. Broken promises are found while solving and end in an
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

    /// The state with this number: the inverse of [`index`](Indexed::index).
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

    /// Whether `index`, which [`index`](Indexed::index) gave for `state` and which is
    /// below [`size`](Indexed::size), stands for it: asked of every outcome, as a state
    /// outside the box may share the number of one inside.
    ///
    /// Where `index` gives no number below `size` to any state outside, the answer is
    /// always yes, and saying so saves the way back.
    ///
    /// # Examples
    /// Three columns; a step right from the last one leaves the box.
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

/// A game whose states have a rank that falls with every move: rounds left, points
/// missing, stamina of both.
///
/// Play from a state of some rank leads to lower ranks only (or stays where it is),
/// so all states of one rank are met before any of them is expanded. They are
/// looked up among states of their own rank, no order has to be found, and each
/// rank is a layer for several threads. A broken promise ends in
/// [`Error::RankNotLower`](crate::Error::RankNotLower).
///
/// # Examples
/// Of the throws that are left one goes with every move:
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
    /// The rank of `state`: any scale will do, also one with gaps, on which every
    /// other state that it may lead to ranks lower.
    ///
    /// # Examples
    /// A race to thirty is the nearer to its end the fewer points are missing:
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
