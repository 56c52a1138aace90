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

/// One objective's solution, the objectives before it being as good as they can be.
pub(crate) type Pursued<'g, G, N> = Solution<'g, Gathered<Aimed<'g, G>>, N>;

/// The best play for a list of objectives: the first is as good as it can be; among
/// all ways of playing for which it is, the second is; and so on.
///
/// Made by [`Solver::lexicographic`](crate::Solver::lexicographic). Every state that
/// the start can lead to has a *vector* of values, one for each objective, and all
/// vectors compare by the first number in which they differ, in the sense of that
/// objective. The opponent, too, minds the first objective most: he wants the lowest
/// vector.
///
/// # How
/// The game is solved for the first objective; then, restricted in every state to
/// the actions that tie in it, for the second; and so on. A decision is the first of
/// the actions left at last.
///
/// *Why that is right.* Vectors compared like this are an ordered vector space over
/// the rationals (numbers a + b ε + c ε² + … with ε below every positive number), and
/// an expectation, adding vectors with positive weights, keeps their order. Backward
/// induction needs no more than that: a state is worth the best vector of its actions,
/// whoever decides, and no play does better. The best vector has the best first
/// number of all actions, among those with it the best second one, and so on; and as
/// the first numbers do not depend on the second ones, they can be found in turn.
/// A state that leads back to itself divides by its chance to leave, a positive
/// number, which keeps the order, too. ∎ (P. C. Fishburn, "Lexicographic orders,
/// utilities and decision rules", Management Science 20, 1974.)
///
/// With cycles ([`Cyclic`](crate::Cyclic)) play must end; for one player in each
/// component the same holds: a way of playing that ends is optimal exactly if it uses
/// tying actions only, and some way that ends does. Where play can stay for ever it
/// must be free to, or cost whoever decides: steps may be counted there if they are to
/// be few, but [as many as possible](Objective::most_steps) have no total
/// ([`Error::RewardInCycle`]).
///
/// Ties must be told for certain, so there are lists of objectives in exact numbers
/// only: floats cannot tell a tie from a difference of a rounding.
///
/// # Examples
/// Two rooms with three doors each: to get out comes first, the gold that is left
/// second. The way to the left keeps it even in a trap.
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
    /// What the last objective was solved among.
    allowed: Arc<Allowed<G::State>>,
}

/// One action of a state and what it is worth for each objective.
///
/// # Examples
/// A five or a six wins; a four does not, so that it is no use to keep it:
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
#[non_exhaustive]
pub struct VectorAppraisal<A> {
    /// What may be done.
    pub action: A,
    /// The expectation of each objective, if this is done and play goes on as
    /// decided.
    pub values: Vec<BigRational>,
    /// How much worse each is than by the best action. The first that is not zero is
    /// positive; those after it may be negative, a comfort.
    pub gaps: Vec<BigRational>,
    /// Whether no action is better: all gaps are zero.
    pub optimal: bool,
    /// Whether this is decided for: the first of the optimal ones.
    pub decided: bool,
}

impl<'g, G, N> Lexicographic<'g, G, N>
where
    G: Game + ?Sized,
    N: Number<Value = BigRational>,
{
    /// Solves for one objective after the other, each game by `solve`.
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

    /// What the start is worth for each objective.
    ///
    /// # Errors
    /// Only those of a game that answers differently from when it was solved.
    ///
    /// # Examples
    /// To make the three moves that are allowed comes first, so that the first roll is not kept:
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

    /// The state that was solved from.
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

    /// What `state` is worth for each objective.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not met.
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

    /// The objectives, the most important first.
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

    /// The action decided for; `None` where the game ends or chance moves.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not met.
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

    /// All actions of a state in the order of `expand`, with a value and a gap for
    /// each objective. Empty where the game ends and where chance moves; actions that
    /// lead back to the state for certain are left out.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not met.
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
                    // Better is higher: but not for the opponent, nor where the
                    // objective is to be low.
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

    /// What a choice is worth for each objective; `None` if it only stays.
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
        // A reward is paid each time, which is total/leaving times.
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

    /// Why the decision is what it is, as a text of a few lines.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not met.
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

    /// How many states were met.
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

    /// Always false: there is at least the start.
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

/// In each state where some do not, the choices that tie in `last` and all before.
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

/// It plays as it decided, the game itself or one with the same states and actions.
///
/// # Examples
/// How play for one thing after the other does in a third:
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

/// The values of a state and of each of its actions, as a short text.
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
#[non_exhaustive]
pub struct VectorExplanation<S, A> {
    /// The state asked about.
    pub state: S,
    /// The state in words, as the game [describes](crate::Game::describe) it.
    pub words: String,
    /// What the objectives are called.
    pub objectives: Vec<String>,
    /// What it is worth for each of them.
    pub values: Vec<BigRational>,
    /// Whose decision it is; of no meaning where there is none.
    pub player: Player,
    /// Its actions in the order of `expand`.
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
