//! Games written out state by state, in the formats of model checkers.

mod decimal;
mod lines;
mod read;
mod write;

use num_bigint::BigUint;

use crate::limits::Limits;
use crate::model::{Model, Scratch};
use crate::{Error, Game, Node, Number, Player, Score, Solution};

pub(crate) use decimal::beyond_floats;
pub use read::{ExplicitModel, ExplicitReader};

/// The dialect of the explicit format.
///
/// # Examples
/// A state that ends the game, and `over`:
/// ```
/// use oddsmith_mdp::{Dialect, Explicit, Numerals, Solver, Table};
/// let won = Table::from_fn(1, |_, row| row.end(1))?;
/// let explicit = Explicit::of(&Solver::exact().solve_table(&won, 0)?)?;
/// let transitions = |dialect| explicit.transitions(dialect, Numerals::Decimals);
/// assert_eq!(transitions(Dialect::Prism), "2 2 2\n0 0 1 1 end\n1 0 1 1 over\n");
/// assert_eq!(transitions(Dialect::Storm), "mdp\n0 0 1 1\n1 0 1 1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// PRISM: counts in the first line, labels as numbers.
    #[default]
    Prism,
    /// Storm: the kind of model in the first line, labels by name.
    Storm,
}

/// How probabilities and scores are written.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{Dialect, Explicit, Numerals, Solver, Table};
/// let third = Table::from_fn(1, |_, row| row.end((1, 3)))?;
/// let explicit = Explicit::of(&Solver::exact().solve_table(&third, 0)?)?;
/// let rewards = |numerals| explicit.state_rewards(Dialect::Storm, numerals);
/// assert_eq!(rewards(Numerals::Fractions), "0 1/3\n");
/// assert_eq!(rewards(Numerals::Decimals), "0 0.3333333333333333\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Numerals {
    /// The shortest decimal that reads as the nearest `f64`: `0.3333333333333333`. A number outside
    /// the range of floats has 17 digits and an exponent: `1e400`. An [`ExplicitReader`] reads
    /// exponents of up to ±5,000.
    #[default]
    Decimals,
    /// A fraction in lowest terms: `1/3`. An [`ExplicitReader`] reads up to 5,000 characters each
    /// for numerator and denominator.
    Fractions,
}

/// A game as explicit files of a model checker, so that [PRISM] or [Storm] can check the results.
///
/// States keep their order. For an [`Explored`](crate::Explored) game, this is the order in which
/// they were found, with the start first, and not that of [`Solution::states`]. States of a table
/// or of a box have their own numbers. One additional state, `over`, is added at the end. Every end
/// leads there and leaves its score as the reward of its state. Rewards of choices become rewards
/// of their transitions. If all play ends, the value of the start is the answer to
/// `R{"score"}max=? [ F "over" ]`; model checkers answer infinity if the player can go on for ever.
/// If nothing is paid on the way and every score is 0 or 1, `Pmax=? [ F "won" ]` gives the same.
///
/// In these formats, a model with choices belongs to a single player. The states in which the
/// opponent decides have the label `opponent`. Actions that certainly lead back to their state are
/// left out, as in a [`Solution`]. A solution by [`certify`](crate::Solver::certify) or
/// [`Lazy`](crate::Lazy) has only the states and actions that may matter; to check the whole game,
/// solve it with [`exact`](crate::Solver::exact).
///
/// # Examples
/// Roll a die up to twice and keep the last roll:
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
/// #         for face in 1..=2 { roll.to((left - 1, face), 1); }
/// #     }
/// # }
/// use oddsmith_mdp::{Numerals, Dialect, Explicit, ExplicitReader, Solver};
///
/// let solution = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
/// let explicit = Explicit::of(&solution)?; // a die of two faces
/// assert_eq!(
///     explicit.transitions(Dialect::Prism, Numerals::Decimals),
///     "6 8 11\n\
///      0 0 1 0.5 roll\n0 0 2 0.5 roll\n\
///      1 0 3 1 keep\n1 1 3 0.5 roll\n1 1 4 0.5 roll\n\
///      2 0 4 1 keep\n2 1 3 0.5 roll\n2 1 4 0.5 roll\n\
///      3 0 5 1 end\n4 0 5 1 end\n5 0 5 1 over\n"
/// );
/// assert_eq!(explicit.state_rewards(Dialect::Storm, Numerals::Decimals), "3 1\n4 2\n");
///
/// // And back:
/// let text = explicit.transitions(Dialect::Storm, Numerals::Fractions);
/// let rewards = explicit.state_rewards(Dialect::Storm, Numerals::Fractions);
/// let read = ExplicitReader::new(&text).state_rewards(&rewards).read()?;
/// let value = Solver::exact().solve_table(&read.table, 0)?.value();
/// assert_eq!(value, solution.value()); // 7/4
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [PRISM]: https://www.prismmodelchecker.org/manual/Appendices/ExplicitModelFiles
/// [Storm]: https://www.stormchecker.org/documentation/background/languages.html
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explicit {
    start: usize,
    states: Vec<State>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    name: String,
    player: Player,
    /// `None` if the state is not final.
    score: Option<Score>,
    choices: Vec<Choice>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    label: String,
    /// The reward that is paid at once, unless it is zero.
    reward: Option<Score>,
    total: BigUint,
    outcomes: Vec<(usize, BigUint)>,
}

/// The default of [`Explicit::of_within`].
const MAX_OUTCOMES: usize = 100_000_000;

impl Explicit {
    /// Writes out the states that a solution contains.
    ///
    /// # Errors
    /// Those of a malformed state; [`Error::UnknownState`] for a game that answers differently from
    /// when it was solved; [`Error::OutcomesOutgrow`] for more than 100 million outcomes
    /// ([`of_within`](Explicit::of_within) sets another limit).
    ///
    /// # Complexity
    /// Memory of some hundred bytes for every outcome. This is meant for models of up to a few
    /// million outcomes.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Explicit;
    /// let explicit = Explicit::of(&Solver::exact().solve(&KeepOrRoll, (3, 0))?)?;
    /// assert_eq!(explicit.len(), 20); // 19 states, and `over`
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<G: Game + ?Sized, N: Number, M: Model<G>>(
        solution: &Solution<'_, G, N, M>,
    ) -> Result<Self, Error> {
        Explicit::of_within(solution, MAX_OUTCOMES)
    }

    /// Does the same as [`of`](Explicit::of), with at most this many outcomes: those written out
    /// for all states plus those read for the next one.
    ///
    /// # Errors
    /// The same as for [`of`](Explicit::of), with this limit.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Error, Explicit, Solver, Table};
    /// let die = Table::from_fn(7, |state, row| match state {
    ///     0 => {
    ///         row.choice();
    ///         (1..7).for_each(|face| { row.to(face, 1); });
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// let solution = Solver::exact().solve_table(&die, 0)?;
    /// assert_eq!(Explicit::of_within(&solution, 6)?.len(), 8);
    /// let error = Explicit::of_within(&solution, 5).err();
    /// let state = "0".to_owned();
    /// assert_eq!(error, Some(Error::OutcomesOutgrow { state, done: 0, limit: 5 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_within<G: Game + ?Sized, N: Number, M: Model<G>>(
        solution: &Solution<'_, G, N, M>,
        max_outcomes: usize,
    ) -> Result<Self, Error> {
        let game = solution.game();
        let mut scratch = Scratch::new();
        let nothing = Score::from(0);
        let limits = Limits {
            states: usize::MAX,
            outcomes: max_outcomes,
            bytes: u128::MAX,
        };
        let mut node = Node::new();
        let mut written = 0;
        let states = (0..solution.len()).map(|number| {
            let state = solution.state(number);
            limits.fill(&mut node, game, &state, written, number)?;
            // Actions that the solver left out are left out here.
            let row = solution.row(number, &mut scratch)?;
            let kept: Vec<usize> = row.choices().map(|(choice, ..)| choice).collect();
            let choices = kept.into_iter().map(|choice| {
                let mut outcomes: Vec<(usize, BigUint)> = Vec::new();
                for (next, weight) in node.wide_outcomes(choice) {
                    outcomes.push((solution.number(next)?, weight));
                }
                outcomes.sort_by_key(|outcome| outcome.0);
                outcomes.dedup_by(|from, into| {
                    let same = from.0 == into.0;
                    if same {
                        into.1 += &from.1;
                    }
                    same
                });
                written += outcomes.len();
                Ok(Choice {
                    label: node.label(choice),
                    reward: node
                        .reward(choice)
                        .filter(|paid| **paid != nothing)
                        .cloned(),
                    total: node.wide_total(choice),
                    outcomes,
                })
            });
            Ok(State {
                name: game.describe(&state),
                player: node.player(),
                score: node.score().cloned(),
                choices: choices.collect::<Result<_, Error>>()?,
            })
        });
        Ok(Explicit {
            start: solution.start_number(),
            states: states.collect::<Result<_, Error>>()?,
        })
    }

    /// Returns the number of states, including `over`.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Explicit, Solver, Table};
    /// let coin = Table::from_fn(3, |state, row| match state {
    ///     0 => {
    ///         row.choice().to(1, 1).to(2, 1);
    ///     }
    ///     _ => row.end(state == 1),
    /// })?;
    /// let explicit = Explicit::of(&Solver::exact().solve_table(&coin, 0)?)?;
    /// assert_eq!(explicit.len(), 4);
    /// assert_eq!((explicit.start(), explicit.over()), (0, 3));
    /// assert_eq!(explicit.name(2), Some("2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len() + 1
    }

    /// Always returns `false`: there is at least `over`.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Explicit, Solver, Table};
    /// let over = Table::from_fn(1, |_, row| row.end(7))?;
    /// let explicit = Explicit::of(&Solver::exact().solve_table(&over, 0)?)?;
    /// assert_eq!((explicit.len(), explicit.is_empty()), (2, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the number of the start.
    ///
    /// # Examples
    /// States of a table keep their numbers. Those of other games begin with the start:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{Explicit, Table};
    /// let ends = Table::from_fn(3, |state, row| row.end(state))?;
    /// let explicit = Explicit::of(&Solver::exact().solve_table(&ends, 2)?)?;
    /// assert_eq!(explicit.start(), 2);
    /// let explicit = Explicit::of(&Solver::exact().solve(&KeepOrRoll, (3, 0))?)?;
    /// assert_eq!(explicit.start(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns the number of the state to which every end leads.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Explicit, Solver, Table};
    /// let ends = Table::from_fn(5, |state, row| row.end(state))?;
    /// let explicit = Explicit::of(&Solver::exact().solve_table(&ends, 0)?)?;
    /// assert_eq!(explicit.over(), 5); // the last of six
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn over(&self) -> usize {
        self.states.len()
    }

    /// Returns a state [in words](Game::describe), or `None` for `over` and beyond.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Explicit;
    /// let explicit = Explicit::of(&Solver::exact().solve(&KeepOrRoll, (3, 0))?)?;
    /// assert_eq!(explicit.name(0), Some("(3, 0)"));
    /// assert_eq!(explicit.name(explicit.over()), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn name(&self, state: usize) -> Option<&str> {
        self.states.get(state).map(|state| state.name.as_str())
    }
}
