//! Games that can return to a state: values, decisions and forecasts by strongly connected
//! components.

mod bounds;
mod component;
mod enclose;
mod end_component;
mod ends;
mod fractions;
mod improve;
mod intervals;
mod lengths;
mod local;
mod merge;
mod quotient;
mod underflow;
mod visits;

use std::marker::PhantomData;
use std::ops::Range;

pub(crate) use component::components;
pub use visits::Visits;
pub(crate) use visits::{Departures, Part, in_proportion};

use crate::model::Model;
use crate::number::Number;
use crate::progress::Observer;
use crate::{Certified, Error, Exact, Float, Game, Solution, Solver};

/// The kind of numbers `N` for games that may return to a state. [`Solver::allow_cycles`] solves in
/// these numbers.
///
/// # What is solved
/// The states that can reach each other form a strongly connected *component*. Components are
/// solved one after the other, those that play leads to first. A state that is a component by
/// itself is solved as in a game without cycles.
///
/// - **Play must end.** The value is the highest expected score (for the opponent, the lowest)
///   among all policies under which play ends with probability one. Such a policy attains it, so a
///   decision never goes on for ever at the same value: in a tie it makes progress. A player who
///   would rather go on for ever than lose may not do so. The state is worth as much as the best
///   policy under which play *ends*.
/// - A state from which play cannot end, whatever is decided, makes the game an
///   [`Error::EndlessCycle`] that lists the states, or an [`Error::NeverEnds`] if there is only one.
/// - **Rewards on the way** ([`Choice::reward`](crate::Choice::reward)) may have any size where all
///   play ends. Where play can go on for ever, that must be free, as above, or cost the player who
///   decides to do so. The best play then ends by itself (a *stochastic shortest path*; with a cost
///   of 1 for each step, the value is the least expected number of steps). If going on may pay the
///   player who decides, or costs at one step and pays at another, there is no well-defined total,
///   and the result is an [`Error::RewardInCycle`] with the states.
/// - Both players may decide within a component, as long as neither can help to stay for ever in a
///   part of it where the other could, too ([`Error::CycleOfBoth`] otherwise).
/// - A [`Tolerance`](crate::Tolerance) applies to states that are components by themselves. Within
///   a larger component it would depend on itself, so it is an [`Error::ToleranceInCycle`].
///
/// # How
/// Sets of states in which play can stay for ever (*end components*) are merged. What is left ends
/// under every policy, so its optimality equation has exactly one solution (D. P. Bertsekas and J.
/// N. Tsitsiklis, "An analysis of stochastic shortest path problems", Mathematics of Operations
/// Research 16, 1991).
///
/// - `Cyclic<Exact>`: policy iteration in floats proposes decisions. Their equations are solved
///   exactly by p-adic lifting, and the decisions are compared with all others in integers. If
///   another decision is better, it is taken, and the equations are solved again.
/// - `Cyclic<Float>` and `Cyclic<Certified>`: two guesses are proven to lie below and above the
///   value, all rounding included. Totals that cannot be enclosed are an [`Error::NotEnclosed`]
///   (see below). [`Solution::error`] is half the width. Play of m expected moves costs about m
///   roundings: relative to the value itself if no value is below 0, otherwise relative to the
///   largest value. This m is that of the longest play, whatever is decided. If that costs more
///   than 10⁻⁶, only actions that are worth about as much as the decided one count and, for the
///   lower end of what a player gets, only the decided ones of that player. Then all costs are
///   relative to the largest value. Values between 0 and about 10⁻²⁰⁰ are an exception: their
///   enclosures hold, but may be far wider than the value.
///
/// # What floats cannot enclose
/// Only a component in which choices pay can result in [`Error::NotEnclosed`]: without rewards, no
/// value lies outside the range of those around it. Floats fail there if
///
/// - a total lies beyond 2⁹⁵⁹, or
/// - play takes so many moves that one rounding per move adds up to as much as a move: some 10¹⁴
///   expected moves or more. In a component that best play leaves sooner, other actions with the
///   same value, up to roundings, count as well.
///
/// [`Solver::exact`] finds the answer, and so does [`certify`](Solver::certify), which then solves
/// the whole game in fractions.
/// ```
/// use oddsmith_mdp::{Error, Solver, Table};
/// // A move costs 1, and one in 2⁶⁰ is the last.
/// let long = Table::from_fn(3, |state, row| match state {
///     0 => row.end(0),
///     1 => {
///         row.choice().to(2, 1).reward(-1);
///     }
///     _ => {
///         row.choice().to(1, (1 << 60) - 1).to(0, 1);
///     }
/// })?;
/// let floats = Solver::certified().allow_cycles().solve_table(&long, 1).err();
/// assert!(matches!(floats, Some(Error::NotEnclosed { count: 2, .. })));
/// let exact = Solver::certified().allow_cycles().certify_table(&long, 1)?;
/// assert_eq!(exact.value().to_string(), "-1152921504606846976");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
/// A component of m states takes one elimination modulo a prime, of at most m³/3 products (about m
/// if the component is like a line). Then it takes one product with its weights for each 61 bits of
/// the answer. The number of bits grows with m.
///
/// # Examples
/// Gambler's ruin: a fair coin, 3 of 10 in hand.
/// ```
/// use oddsmith_mdp::{Cyclic, Exact, Game, Node, Solution, Solver};
///
/// struct Ruin;
/// impl Game for Ruin {
///     type State = u32;
///     type Action = ();
///     fn expand(&self, &hand: &u32, node: &mut Node<Self>) {
///         match hand {
///             0 | 10 => node.end(hand == 10),
///             _ => {
///                 node.chance().to(hand - 1, 1).to(hand + 1, 1);
///             }
///         }
///     }
/// }
/// let solution: Solution<'_, Ruin, Cyclic<Exact>> =
///     Solver::exact().allow_cycles().solve(&Ruin, 3)?;
/// assert_eq!(solution.value().to_string(), "3/10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cyclic<N>(PhantomData<N>);

impl Number for Cyclic<Exact> {
    type Value = <Exact as Number>::Value;
    type Mass = <Exact as Number>::Mass;
    type Store = fractions::Fractions;
}

impl Number for Cyclic<Float> {
    type Value = f64;
    type Mass = f64;
    type Store = intervals::Intervals;
}

impl Number for Cyclic<Certified> {
    type Value = f64;
    type Mass = f64;
    type Store = intervals::Intervals;
}

/// A component to be solved, and where its decisions are written.
#[derive(Debug)]
pub struct Cycle<'a, 'o> {
    /// Its range in the order of the model.
    pub(crate) places: Range<usize>,
    /// A buffer as long as the model, with `u32::MAX` everywhere.
    pub(crate) place_of: &'a mut [u32],
    pub(crate) decisions: &'a mut [u16],
    pub(crate) max_bytes: u128,
    pub(crate) observer: &'a mut Observer<'o>,
}

impl<'o, N> Solver<'o, N>
where
    Cyclic<N>: Number,
{
    /// Also solves games that can return to a state by way of others. See [`Cyclic`] for what this
    /// means and costs.
    ///
    /// Works for [`solve`](Solver::solve), [`evaluate`](Solver::evaluate), and
    /// [`solve_table`](Solver::solve_table) of a [`Table`](crate::Table). Also works for
    /// [`solve_indexed`](Solver::solve_indexed) and [`evaluate_indexed`](Solver::evaluate_indexed):
    /// the numbers of an [`Indexed`](crate::Indexed) game then need not be in the order of play,
    /// and play must be able to end from every state of the box. A [`Generated`](crate::Generated)
    /// game has no cycles, by its order.
    ///
    /// # Examples
    /// How many games of craps, each won 244 times in 495, does it take to win three in succession?
    /// A lost game leads back to the beginning.
    /// ```
    /// use oddsmith_mdp::{Error, Game, Node, Solver};
    ///
    /// struct ThreeInSuccession;
    /// impl Game for ThreeInSuccession {
    ///     type State = u8; // games won in succession
    ///     type Action = ();
    ///     fn expand(&self, &won: &u8, node: &mut Node<Self>) {
    ///         match won {
    ///             3 => node.end(1),
    ///             _ => {
    ///                 node.chance().to(won + 1, 244).to(0, 251); // of 495
    ///             }
    ///         }
    ///     }
    /// }
    /// let error = Solver::exact().solve(&ThreeInSuccession, 0).err();
    /// assert!(matches!(error, Some(Error::Cycle { .. })));
    ///
    /// let solution = Solver::exact().allow_cycles().solve(&ThreeInSuccession, 0)?;
    /// assert_eq!(solution.value().to_string(), "1");
    /// let games = solution.visits()?.expected_count(|_| true)?;
    /// assert_eq!(games.to_string(), "210543795/14526784"); // some 14.5
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "policy_iteration")]
    #[doc(alias = "value_iteration")]
    pub fn allow_cycles(self) -> Solver<'o, Cyclic<N>> {
        self.recast()
    }
}

impl<G: Game + ?Sized, N, M: Model<G>> Solution<'_, G, Cyclic<N>, M>
where
    Cyclic<N>: Number<Store = intervals::Intervals>,
{
    /// Returns two floats between which the exact value of `state` lies.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// Gambler's ruin by a fair coin, 3 of 10 in hand:
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let ruin = Table::from_fn(11, |hand, row| match hand {
    ///     0 | 10 => row.end(hand == 10),
    ///     _ => {
    ///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::certified().allow_cycles().solve_table(&ruin, 3)?;
    /// let (lower, upper) = solution.enclosure(&3)?;
    /// assert!(lower <= 0.3 && 0.3 <= upper && upper - lower < 1e-13);
    /// assert_eq!((solution.is_proven(&3)?, solution.undecided()), (true, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn enclosure(&self, state: &G::State) -> Result<(f64, f64), Error> {
        let [lower, upper] = self.store().enclosures().enclosure(self.number(state)?);
        Ok((lower, upper))
    }

    /// Returns whether the decision in `state` is proven to be optimal. Also true if there is
    /// nothing to decide.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// Bold or careful play from 1 to 4, where a coin is won 2 times in 5. Bold play stakes
    /// everything with 2 in hand; with 1 or 3, both are the same.
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let bets = Table::from_fn(5, |hand, row| match hand {
    ///     0 | 4 => row.end(hand == 4),
    ///     _ => {
    ///         row.choice().to(hand - 1, 3).to(hand + 1, 2);
    ///         let bold = hand.min(4 - hand);
    ///         row.choice().to(hand - bold, 3).to(hand + bold, 2);
    ///     }
    /// })?;
    /// let solution = Solver::certified().allow_cycles().solve_table(&bets, 1)?;
    /// assert_eq!((solution.decision(&2)?, solution.is_proven(&2)?), (Some(1), true));
    /// assert!(!solution.is_proven(&1)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_proven(&self, state: &G::State) -> Result<bool, Error> {
        Ok(self.store().enclosures().is_proven(self.number(state)?))
    }

    /// Returns the number of states in which the decision is not proven.
    ///
    /// # Examples
    /// Going left and going right are equally good: a tie in each of three states, which floats
    /// cannot prove.
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let walk = Table::from_fn(5, |at, row| match at {
    ///     0 | 4 => row.end((1, 3)),
    ///     _ => {
    ///         row.choice().to(at - 1, 2).to(at + 1, 1);
    ///         row.choice().to(at - 1, 1).to(at + 1, 2);
    ///     }
    /// })?;
    /// let solution = Solver::float().allow_cycles().solve_table(&walk, 2)?;
    /// assert_eq!(solution.undecided(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn undecided(&self) -> usize {
        self.store().enclosures().undecided()
    }
}
