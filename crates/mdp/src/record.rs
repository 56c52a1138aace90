//! Solutions to be stored: values and decisions without the game.

use std::fmt;
use std::hash::Hash;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::model::Model;
use crate::{Error, Game, Node, Number, Player, Policy, Solution};

/// What a solution says about every state, without the game and its memory. A record can be written
/// to a file with the feature `serde`, read back, queried, and used as a policy.
///
/// In a file, values are texts like `"14/3"`, or numbers if they are floats. `serde_json` reads
/// floats back bit for bit with its feature `float_roundtrip`. A fraction of more than 65,536
/// characters is written but not read, since that takes time in the square of its length.
///
/// # Examples
/// ```
/// # use oddsmith_mdp::{Game, Node};
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
/// use oddsmith_mdp::{Record, Solver};
/// use num_rational::BigRational;
///
/// let record: Record<(u8, u8), &str, BigRational> =
///     Solver::exact().solve(&KeepOrRoll, (3, 0))?.record()?;
/// let four = record.get(&(2, 4)).ok_or("a state")?;
/// assert_eq!((four.value.to_string(), four.decision), ("17/4".into(), Some("roll")));
/// assert_eq!(record.len(), 19);
///
/// // It is a policy:
/// let evaluated = Solver::exact().evaluate(&KeepOrRoll, &record, *record.start())?;
/// assert_eq!(evaluated.value().to_string(), "14/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Record<S: Eq + Hash, A, V> {
    pub(crate) start: S,
    pub(crate) states: IndexMap<S, Recorded<A, V>, FxBuildHasher>,
}

/// What is known about one state.
///
/// # Examples
/// A 3 with a roll left is rolled again:
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::Player;
/// let record = Solver::exact().solve(&KeepOrRoll, (2, 0))?.record()?;
/// let three = record.get(&(1, 3)).ok_or("a state")?;
/// assert_eq!((three.value.to_string(), three.player), ("7/2".into(), Player::Max));
/// assert_eq!((three.decision, three.choice), (Some("roll"), 1)); // after "keep", 0
/// assert_eq!(three.optimal, ["roll"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "A: serde::Serialize, V: crate::written::Written",
        deserialize = "A: serde::Deserialize<'de>, V: crate::written::Written"
    ))
)]
pub struct Recorded<A, V> {
    /// The expected score.
    #[cfg_attr(feature = "serde", serde(with = "crate::written::value"))]
    pub value: V,
    /// Who decides. It has no meaning where there is no decision.
    pub player: Player,
    /// The action decided on, or `None` where the game ends or chance moves.
    pub decision: Option<A>,
    /// All actions that are best.
    pub optimal: Vec<A>,
    /// The number of the action decided on, counted from 0 in the order of
    /// [`expand`](Game::expand).
    pub choice: usize,
}

/// A record of the solution of a game `G` in numbers of kind `N`.
type RecordOf<G, N> = Record<<G as Game>::State, <G as Game>::Action, <N as Number>::Value>;

impl<G: Game + ?Sized, N: Number, M: Model<G>> Solution<'_, G, N, M> {
    /// Returns the values and decisions of all states, to be stored.
    ///
    /// # Errors
    /// Only if the game answers differently from when it was solved.
    ///
    /// # Complexity
    /// One `expand` per state and, in exact numbers, one fraction per state.
    ///
    /// # Examples
    /// In floats, values are floats:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let record = Solver::float().solve(&KeepOrRoll, (1, 0))?.record()?;
    /// assert_eq!(record.get(&(0, 6)).map(|end| end.value), Some(6.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(&self) -> Result<RecordOf<G, N>, Error> {
        let mut states = IndexMap::with_capacity_and_hasher(self.len(), FxBuildHasher);
        for (state, value) in self.states() {
            let node = Node::solved(self.game(), &state)?;
            let choice = self.decided_choice(self.number(&state)?);
            let recorded = Recorded {
                value,
                player: node.player(),
                decision: node.action(choice).cloned(),
                optimal: self.best(&state)?,
                choice,
            };
            states.insert(state, recorded);
        }
        Ok(Record {
            start: self.start(),
            states,
        })
    }
}

impl<S: Eq + Hash, A, V> Record<S, A, V> {
    /// Returns the start state.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let record = Solver::float().solve(&KeepOrRoll, (2, 0))?.record()?;
    /// assert_eq!(record.start(), &(2, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> &S {
        &self.start
    }

    /// Returns what is known about a state, or `None` if it is unknown.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let record = Solver::exact().solve(&KeepOrRoll, (2, 0))?.record()?;
    /// let values = [(1, 1), (1, 6)].map(|state| record.get(&state).map(|r| r.value.to_string()));
    /// assert_eq!(values, [Some("7/2".into()), Some("6".into())]);
    /// assert!(record.get(&(3, 0)).is_none()); // play from (2, 0) never comes there
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, state: &S) -> Option<&Recorded<A, V>> {
        self.states.get(state)
    }

    /// Returns the number of states.
    ///
    /// # Examples
    /// The start, plus six states each with 1 and with 0 rolls left:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let record = Solver::float().solve(&KeepOrRoll, (2, 0))?.record()?;
    /// assert_eq!(record.len(), 13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns whether there are no states, which never happens for a record of a solution.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Solver, Table};
    /// let over = Table::from_fn(1, |_, row| row.end(7))?;
    /// let record = Solver::float().solve_table(&over, 0)?.record()?;
    /// assert_eq!((record.len(), record.is_empty()), (1, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Iterates over all states with what is known about them, in the order of
    /// [`Solution::states`].
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Solver, Table};
    /// let stair = Table::from_fn(3, |step, row| match step {
    ///     0 => row.end(5),
    ///     _ => {
    ///         row.choice().to(step - 1, 1);
    ///     }
    /// })?;
    /// let record = Solver::float().solve_table(&stair, 2)?.record()?;
    /// let steps: Vec<usize> = record.iter().map(|(&step, _)| step).collect();
    /// assert_eq!(steps, [0, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&S, &Recorded<A, V>)> {
        self.states.iter()
    }
}

/// A record is a policy that plays as decided. It makes no decision for states that it does not
/// know, nor where a state has fewer actions than recorded.
///
/// # Examples
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::Error;
/// let record = Solver::float().solve(&KeepOrRoll, (2, 0))?.record()?;
/// let evaluation = Solver::exact().evaluate(&KeepOrRoll, &record, (2, 0))?;
/// assert_eq!(evaluation.value().to_string(), "17/4");
/// // Of three rolls it knows nothing:
/// let error = Solver::exact().evaluate(&KeepOrRoll, &record, (3, 0)).err();
/// assert_eq!(error, Some(Error::NoDecision { state: "(3, 0)".into() }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<G: Game + ?Sized, A, V> Policy<G> for &Record<G::State, A, V> {
    fn weigh(&self, state: &G::State, _: &[G::Action], weights: &mut [u64]) {
        if let Some(recorded) = self.states.get(state)
            && let Some(weight) = weights.get_mut(recorded.choice)
        {
            *weight = 1;
        }
    }
}

impl<S: Eq + Hash + fmt::Debug, A: fmt::Debug, V: fmt::Debug> fmt::Debug for Record<S, A, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("start", &self.start)
            .field("states", &self.states.len())
            .finish_non_exhaustive()
    }
}
