//! Several objectives, one after the other.

use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use crate::aimed::{Aimed, Allowed};
use crate::gathered::Gathered;
use crate::{
    Error, Exact, Game, Node, Number, Objective, Player, Policy, Readable, Solution, relay,
};

/// The solution for one objective, with the objectives before it as good as they can be.
pub(crate) type Pursued<'g, G, N> = Solution<'g, Gathered<Aimed<'g, G>>, N>;

/// The best play for a list of objectives. The first objective is as good as it can be; the second
/// is as good as it can be among all policies that achieve this; and so on.
///
/// Created by [`Solver::lexicographic`](crate::Solver::lexicographic). Every state that can be
/// reached from the start has a *vector* of values, one for each objective. Vectors are compared by
/// the first number in which they differ, in the direction of that objective. The opponent, too,
/// gives priority to the first objective: it wants the lowest vector.
///
/// # How
/// The game is solved for the first objective; then for the second, restricted in every state to
/// the actions that tie in the first; and so on. The decision is the first of the actions that are
/// left at the end.
///
/// *Why this is correct.* With this order, vectors are an ordered vector space over the rationals
/// (numbers a + b ε + c ε² + … with ε below every positive number), and expectations, which add
/// vectors with positive weights, preserve the order. Backward induction needs no more than that:
/// the value of a state is the best vector of its actions, whoever decides, and no play does
/// better. The best vector has the best first number of all actions, the best second number among
/// those with the best first one, and so on. Since the first numbers do not depend on the second
/// ones, they can be computed one after the other. A state that leads back to itself divides by its
/// probability of leaving, a positive number, which preserves the order, too. ∎ (P. C. Fishburn,
/// "Lexicographic orders, utilities and decision rules", Management Science 20, 1974.)
///
/// With cycles ([`Cyclic`](crate::Cyclic)), play must end. If only one player decides in each
/// component, the same holds: a policy under which play ends is optimal exactly if it takes only
/// actions that tie, and there is such a policy. Where play can stay for ever, that must be free,
/// or cost the player who decides. Steps may be counted there if they are to be minimized; [as many
/// as possible](Objective::most_steps) have no total ([`Error::RewardInCycle`]).
///
/// Ties must be recognized with certainty. Lists of objectives are therefore available in exact
/// numbers only: floats cannot tell a tie from a difference of one rounding.
///
/// # Examples
/// Two rooms with three doors each. Getting out comes first, the gold that is left second. The way
/// to the left keeps it even in a trap.
/// ```
/// use oddsmith_mdp::{Game, Node, Objective, Solver};
///
/// struct Doors;
/// impl Game for Doors {
///     type State = (u8, u8); // room, gold; room 2 is the exit, room 3 a trap
///     type Action = &'static str;
///     fn expand(&self, &(room, gold): &(u8, u8), node: &mut Node<Self>) {
///         if room >= 2 {
///             return node.end(room == 2);
///         }
///         node.choice("left").to((room + 1, gold), 3).to((3, gold), 1);
///         node.choice("right").to((room + 1, gold + 1), 3).to((3, 0), 1);
///         node.choice("far right").to((room + 1, gold + 9), 1).to((3, 0), 1);
///     }
/// }
/// let objectives = [
///     Objective::at_least(1).named("win"),
///     Objective::of(|&(_, gold): &(u8, u8)| gold).named("gold"),
/// ];
/// let solution = Solver::exact().lexicographic(&Doors, (0, 2), objectives)?;
/// let values: Vec<String> = solution.values()?.iter().map(|v| v.to_string()).collect();
/// assert_eq!(values, ["9/16", "9/4"]);
/// assert_eq!(solution.decision(&(0, 2))?, Some("right"));
/// assert_eq!(solution.explain(&(1, 2))?.to_string(), "\
/// (1, 2) is worth win 3/4 = 0.75, gold 9/4 = 2.25
/// - \"left\": win 3/4 = 0.75, gold 2; worse in gold by 1/4 = 0.25
/// + \"right\": win 3/4 = 0.75, gold 9/4 = 2.25; best
/// - \"far right\": win 1/2 = 0.5, gold 11/2 = 5.5; worse in win by 1/4 = 0.25
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Lexicographic<'g, G: Game + ?Sized, N: Number = Exact> {
    game: &'g G,
    start: G::State,
    objectives: Vec<Objective<'g, G::State>>,
    pursued: Vec<Pursued<'g, G, N>>,
    /// The choices among which the last objective was solved.
    allowed: Arc<Allowed<G::State>>,
}

/// One action of a state and its value for each objective.
///
/// # Examples
/// A five or a six wins. A four does not, so there is no use in keeping it:
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::Objective;
/// let objectives = [Objective::at_least(5), Objective::fewest_steps()];
/// let plan = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), objectives)?;
/// let keep = &plan.choices(&(1, 4))?[0];
/// assert_eq!((keep.values[0].to_string(), keep.values[1].to_string()), ("0".into(), "1".into()));
/// assert_eq!((keep.gaps[0].to_string(), keep.gaps[1].to_string()), ("1/3".into(), "0".into()));
/// assert_eq!((keep.action, keep.optimal, keep.decided), ("keep", false, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(bound(serialize = "A: serde::Serialize")))]
#[non_exhaustive]
pub struct VectorAppraisal<A> {
    /// The action.
    pub action: A,
    /// The expectation of each objective if this action is taken and play continues as decided.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::values::serialize")
    )]
    pub values: Vec<BigRational>,
    /// How much worse each objective is than under the best action. The first one that is not zero
    /// is positive; later ones may be negative.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::values::serialize")
    )]
    pub gaps: Vec<BigRational>,
    /// Whether no action is better: all gaps are zero.
    pub optimal: bool,
    /// Whether this action is decided on: the first of the optimal ones.
    pub decided: bool,
}

impl<'g, G, N> Lexicographic<'g, G, N>
where
    G: Game + ?Sized,
    N: Number<Value = BigRational>,
{
    /// Solves for one objective after the other, with each game solved by `solve`.
    pub(crate) fn new(
        game: &'g G,
        start: G::State,
        objectives: Vec<Objective<'g, G::State>>,
        mut solve: impl FnMut(Gathered<Aimed<'g, G>>) -> Result<Pursued<'g, G, N>, Error>,
    ) -> Result<Self, Error> {
        let mut allowed = Arc::new(Allowed::new());
        let mut pursued: Vec<Pursued<'g, G, N>> = Vec::with_capacity(objectives.len());
        let mut starts = vec![start.clone()];
        for (rank, objective) in objectives.iter().enumerate() {
            if let Some(last) = pursued.last() {
                allowed = Arc::new(tying(last, &allowed)?);
            }
            if rank == 1 {
                // All states, whether or not optimal play leads to them.
                let met = pursued.iter().flat_map(Solution::states);
                starts = met.filter_map(|(state, _)| state).collect();
            }
            let aimed = Aimed::new(game, objective.clone()).among(Arc::clone(&allowed));
            pursued.push(solve(Gathered::new(aimed, starts.clone()))?);
        }
        Ok(Lexicographic {
            game,
            start,
            objectives,
            pursued,
            allowed,
        })
    }

    /// Returns the value of the start for each objective.
    ///
    /// # Errors
    /// Only if the game answers differently from when it was solved.
    ///
    /// # Examples
    /// To make all three allowed moves comes first, so the first roll is not kept:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Objective;
    /// let objectives = [Objective::most_steps(), Objective::score()];
    /// let plan = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), objectives)?;
    /// let values: Vec<String> = plan.values()?.iter().map(|v| v.to_string()).collect();
    /// assert_eq!(values, ["3", "17/4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values(&self) -> Result<Vec<BigRational>, Error> {
        self.value_of(&self.start)
    }

    /// Returns the start state.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Objective;
    /// let plan = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), [Objective::score()])?;
    /// assert_eq!(plan.value_of(plan.start())?, plan.values()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> &G::State {
        &self.start
    }

    /// Returns the value of `state` for each objective.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Objective;
    /// let objectives = [Objective::at_least(6), Objective::score()];
    /// let plan = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), objectives)?;
    /// let values: Vec<String> = plan.value_of(&(1, 5))?.iter().map(|v| v.to_string()).collect();
    /// assert_eq!(values, ["1/6", "7/2"]); // a five is rolled again
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_of(&self, state: &G::State) -> Result<Vec<BigRational>, Error> {
        let state = Some(state.clone());
        let values = self
            .pursued
            .iter()
            .map(|solution| solution.value_of(&state));
        values.collect()
    }

    /// Returns the objectives, the most important first.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Objective;
    /// let objectives = [Objective::score(), Objective::fewest_steps()];
    /// let solution = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), objectives)?;
    /// assert_eq!(solution.objectives()[1].name(), "steps");
    /// assert_eq!(solution.values()?[1].to_string(), "8/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn objectives(&self) -> &[Objective<'g, G::State>] {
        &self.objectives
    }

    /// Returns the action decided on, or `None` where the game ends or chance moves.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Objective;
    /// let objectives = [Objective::fewest_steps(), Objective::score()];
    /// let plan = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), objectives)?;
    /// assert_eq!(plan.decision(&(2, 1))?, Some("keep")); // to roll takes a move more
    /// assert_eq!(plan.decision(&(1, 1))?, Some("roll")); // takes none
    /// assert_eq!(plan.decision(&(0, 1))?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision(&self, state: &G::State) -> Result<Option<G::Action>, Error> {
        let choice = self.decided_choice(state)?;
        Ok(Node::solved(self.game, state)?.action(choice).cloned())
    }

    fn decided_choice(&self, state: &G::State) -> Result<usize, Error> {
        let Some(last) = self.pursued.last() else {
            return Ok(0);
        };
        let number = last.number(&Some(state.clone()))?;
        Ok(self.allowed.choice(state, last.decided_choice(number)))
    }

    /// Returns all actions of a state in the order of `expand`, with a value and a gap for each
    /// objective. Empty where the game ends and where chance moves. Actions that certainly lead
    /// back to the state are left out.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Objective, Solver, Table};
    /// // Two ways to an even chance of 1, and one that is certain to be slower.
    /// let table = Table::from_fn(4, |state, row| match state {
    ///     0 | 1 => row.end(state),
    ///     2 => {
    ///         row.choice().to(0, 1).to(1, 1);
    ///     }
    ///     _ => {
    ///         row.choice().to(2, 1);
    ///         row.choice().to(0, 1).to(1, 1);
    ///         row.choice().to(0, 1);
    ///     }
    /// })?;
    /// let objectives = [Objective::score(), Objective::fewest_steps()];
    /// let solution = Solver::exact().lexicographic(&table, 3, objectives)?;
    /// let choices = solution.choices(&3)?;
    /// let gaps: Vec<String> = choices
    ///     .iter()
    ///     .map(|choice| format!("{} {}", choice.gaps[0], choice.gaps[1]))
    ///     .collect();
    /// assert_eq!(gaps, ["0 1", "0 0", "1/2 0"]);
    /// assert!(choices[1].optimal && choices[1].decided && !choices[0].optimal);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choices(&self, state: &G::State) -> Result<Vec<VectorAppraisal<G::Action>>, Error> {
        let decision = self.decided_choice(state)?;
        let best = self.value_of(state)?;
        let node = Node::solved(self.game, state)?;
        let mut appraisals = Vec::new();
        for choice in 0..node.len() {
            let Some(action) = node.action(choice) else {
                continue;
            };
            let Some(values) = self.choice_values(state, &node, choice)? else {
                continue;
            };
            let compared = self.objectives.iter().zip(best.iter().zip(&values));
            let gaps: Vec<BigRational> = compared
                .map(|(objective, (best, value))| {
                    // Higher is better, except for the opponent and where the objective is to be
                    // minimized.
                    match (node.player() == Player::Max) != objective.is_minimized() {
                        true => best - value,
                        false => value - best,
                    }
                })
                .collect();
            appraisals.push(VectorAppraisal {
                action: action.clone(),
                values,
                optimal: gaps.iter().all(Zero::is_zero),
                gaps,
                decided: choice == decision,
            });
        }
        Ok(appraisals)
    }

    /// Returns the value of a choice for each objective, or `None` if it only stays in its state.
    fn choice_values(
        &self,
        state: &G::State,
        node: &Node<G>,
        choice: usize,
    ) -> Result<Option<Vec<BigRational>>, Error> {
        let decided = node.action(choice).is_some();
        let own = relay::reward(node, choice);
        let mut leaving = BigInt::zero();
        let mut sums = vec![BigRational::zero(); self.objectives.len()];
        for (outcome, weight) in node.wide_outcomes(choice) {
            if outcome == state {
                continue;
            }
            let weight = BigInt::from(weight);
            for (sum, value) in sums.iter_mut().zip(self.value_of(outcome)?) {
                *sum += value * &weight;
            }
            leaving += weight;
        }
        if leaving.is_zero() {
            return Ok(None);
        }
        // A reward is paid at each try, and there are total/leaving tries on average.
        let total = BigInt::from(node.wide_total(choice));
        for (sum, objective) in sums.iter_mut().zip(&self.objectives) {
            let reward = objective.reward(own.as_ref(), decided);
            if let Some(reward) = reward.and_then(|reward| reward.to_ratio()) {
                *sum += reward * &total;
            }
            *sum /= &leaving;
        }
        Ok(Some(sums))
    }

    /// Explains the decision in a state, also as a text of a few lines.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Objective;
    /// let objectives = [Objective::at_least(5).named("win"), Objective::fewest_steps()];
    /// let plan = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), objectives)?;
    /// assert_eq!(plan.explain(&(1, 5))?.to_string(), "\
    /// (1, 5) is worth win 1, steps 1
    /// + \"keep\": win 1, steps 1; best
    /// - \"roll\": win 1/3 = 0.3333333333333333, steps 1; worse in win by 2/3 = 0.6666666666666666
    /// ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(
        &self,
        state: &G::State,
    ) -> Result<VectorExplanation<G::State, G::Action>, Error> {
        let names = self.objectives.iter().map(|objective| objective.name());
        Ok(VectorExplanation {
            state: state.clone(),
            words: self.game.describe(state),
            objectives: names.map(str::to_owned).collect(),
            values: self.value_of(state)?,
            player: Node::solved(self.game, state)?.player(),
            choices: self.choices(state)?,
        })
    }

    /// Returns the number of states that were visited.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Objective;
    /// let solution = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), [Objective::score()])?;
    /// assert_eq!((solution.len(), solution.is_empty()), (19, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.pursued.first().map_or(1, |first| first.len() - 1)
    }

    /// Always returns `false`: there is at least the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Objective, Solver, Table};
    /// let over = Table::from_fn(1, |_, row| row.end(7))?;
    /// let plan = Solver::exact().lexicographic(&over, 0, [Objective::score()])?;
    /// assert!(!plan.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// For each state where some choices do not tie, returns those that tie in `last` and in all
/// objectives before.
fn tying<G: Game + ?Sized, N: Number>(
    last: &Pursued<'_, G, N>,
    allowed: &Allowed<G::State>,
) -> Result<Allowed<G::State>, Error> {
    let mut left = Allowed::new();
    for number in 0..last.len() {
        let (Some(state), (tied, of)) = (last.state(number), last.optimal_choices(number)?) else {
            continue;
        };
        if tied.len() < of || allowed.of(&state).is_some() {
            let tied = tied.iter().map(|&kept| allowed.choice(&state, kept) as u16);
            let tied = tied.collect();
            left.insert(state, tied);
        }
    }
    Ok(left)
}

/// The solution is a policy that plays as decided, in the game itself or in one with the same
/// states and actions.
///
/// # Examples
/// How good is play for two objectives, one after the other, in terms of a third?
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::Objective;
/// let objectives = [Objective::at_least(5), Objective::fewest_steps()];
/// let plan = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), objectives)?;
/// let pips = Solver::exact().evaluate(&KeepOrRoll, &plan, (3, 0))?.value();
/// assert_eq!(pips.to_string(), "83/18"); // 84/18 if played for the pips
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<G, H, N> Policy<H> for &Lexicographic<'_, G, N>
where
    G: Game + ?Sized,
    H: Game<State = G::State, Action = G::Action> + ?Sized,
    N: Number<Value = BigRational>,
{
    fn weigh(&self, state: &G::State, _: &[G::Action], weights: &mut [u64]) {
        if let Ok(choice) = self.decided_choice(state)
            && let Some(weight) = weights.get_mut(choice)
        {
            *weight = 1;
        }
    }
}

impl<G: Game + ?Sized, N: Number> fmt::Debug for Lexicographic<'_, G, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lexicographic")
            .field("start", &self.start)
            .field("objectives", &self.objectives)
            .finish_non_exhaustive()
    }
}

/// The values of a state and of each of its actions. It is displayed as a short text.
///
/// # Examples
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{Objective, Player};
/// let objectives = [Objective::at_least(6).named("six"), Objective::score()];
/// let plan = Solver::exact().lexicographic(&KeepOrRoll, (3, 0), objectives)?;
/// let explanation = plan.explain(&(1, 6))?;
/// assert_eq!((explanation.state, explanation.words.as_str()), ((1, 6), "(1, 6)"));
/// assert_eq!(explanation.objectives, ["six", "score"]);
/// assert_eq!(explanation.values[1].to_string(), "6");
/// assert_eq!((explanation.player, explanation.choices.len()), (Player::Max, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "S: serde::Serialize, A: serde::Serialize"))
)]
#[non_exhaustive]
pub struct VectorExplanation<S, A> {
    /// The state that was queried.
    pub state: S,
    /// The state in words, as the game [describes](crate::Game::describe) it.
    pub words: String,
    /// The names of the objectives.
    pub objectives: Vec<String>,
    /// The value for each objective.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::values::serialize")
    )]
    pub values: Vec<BigRational>,
    /// Who decides. It has no meaning where there is no decision.
    pub player: Player,
    /// The actions in the order of `expand`.
    pub choices: Vec<VectorAppraisal<A>>,
}

impl<S, A: fmt::Debug> fmt::Display for VectorExplanation<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is worth {}", self.words, self.list(&self.values))?;
        if self.player == Player::Min && !self.choices.is_empty() {
            write!(f, "; the opponent decides")?;
        }
        writeln!(f)?;
        let ties = self.choices.iter().filter(|choice| choice.optimal).count();
        for choice in &self.choices {
            let mark = if choice.decided { '+' } else { '-' };
            let values = self.list(&choice.values);
            write!(f, "{mark} {:?}: {values}; ", choice.action)?;
            let gaps = self.objectives.iter().zip(&choice.gaps);
            let gap = gaps.into_iter().find(|(_, gap)| !gap.is_zero());
            match (gap, ties) {
                (Some((name, gap)), _) => writeln!(f, "worse in {name} by {}", Readable(gap))?,
                (None, 1) => writeln!(f, "best")?,
                (None, 2) => writeln!(f, "best, tied with 1 other")?,
                (None, _) => writeln!(f, "best, tied with {} others", ties - 1)?,
            }
        }
        Ok(())
    }
}

impl<S, A> VectorExplanation<S, A> {
    fn list(&self, values: &[BigRational]) -> String {
        let named = self.objectives.iter().zip(values);
        let named = named.map(|(name, value)| format!("{name} {}", Readable(value)));
        named.collect::<Vec<_>>().join(", ")
    }
}
