//! Leaving out the actions that bounds prove to be worse than others.

use std::fmt;

use super::bounds::{checked, given};
use super::interval::{ANYTHING, Interval, around_score, mean, seen_by};
use crate::odds::Odds;
use crate::{Bounds, Error, Game, Node};

/// The most moves that are looked ahead, since each takes room on the stack.
const MOST_AHEAD: u32 = 100;

/// A game without the actions that bounds prove to be worse than another one (*action
/// elimination*).
///
/// An action is left out if its outcomes are worth less, by their upper bounds, than those of
/// another action by their lower bounds; for the opponent, it is the other way round. Every
/// remaining state has the same value as before, and the same best actions. What only a worse
/// action leads to is never visited.
///
/// So an approximate solution of a large game makes an exact one affordable: floats with a proven
/// error settle most decisions, and fractions are only needed for what is left. In contrast to
/// [`Lazy`](crate::Lazy), any solver can take the remaining game. Cycles are allowed, and so are
/// rewards.
///
/// The bounds are trusted: wrong ones may leave out the best action. They are looked up for each
/// outcome of every action of the remaining states, and not stored. The remaining actions of a state
/// are numbered anew, so decisions in this game are no [policy](crate::Solution::policy) for the
/// whole one.
///
/// # Examples
/// A die is rolled up to three times, and the last roll counts. No state is worth more than 6, and
/// what shows can be kept. By these bounds a 6 is kept if a single roll is left:
/// ```
#[doc = include_str!("../../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{Pruned, Score};
///
/// let bounds = |&(left, pips): &(u8, u8)| {
///     (Score::from(pips), Score::from(if left == 0 { pips } else { 6 }))
/// };
/// let pruned = Pruned::new(&KeepOrRoll, bounds);
/// assert_eq!(Node::of(&KeepOrRoll, &(1, 6))?.len(), 2);
/// assert_eq!(Node::of(&pruned, &(1, 6))?.len(), 1);
///
/// // An approximate solution decides nearly everything:
/// let floats = Solver::float().solve(&KeepOrRoll, (3, 0))?;
/// let near = |state: &(u8, u8)| {
///     let value = floats.value_of(state).unwrap_or(3.0);
///     (Score::from(value - 1e-9), Score::from(value + 1e-9))
/// };
/// let pruned = Pruned::new(&KeepOrRoll, near);
/// let solution = Solver::exact().solve(&pruned, (3, 0))?;
/// assert_eq!(solution.value().to_string(), "14/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pruned<'g, G: Game + ?Sized, B> {
    game: &'g G,
    bounds: B,
    /// Bounds further apart than this are replaced by those of the next states.
    vague: f64,
    ahead: u32,
}

impl<'g, G: Game + ?Sized, B: Bounds<G::State>> Pruned<'g, G, B> {
    /// Creates `game` without the actions that are worse than others by these bounds.
    ///
    /// # Examples
    /// Nothing is known, so nothing is left out:
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Pruned;
    ///
    /// assert_eq!(Node::of(&Pruned::new(&KeepOrRoll, ()), &(2, 6))?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(game: &'g G, bounds: B) -> Self {
        Pruned {
            game,
            bounds,
            vague: f64::INFINITY,
            ahead: 0,
        }
    }

    /// Sets how far to look ahead where little is known: if the bounds of a state are more than
    /// `vague` apart, they are derived from those of the states that it leads to, and so on, up to
    /// `steps` moves ahead. The default is 0 steps, and the most is 100. Each step multiplies the
    /// work by the number of outcomes. If `vague` is infinite or not a number, only those states
    /// count of which nothing at all is known.
    ///
    /// # Examples
    /// Only the ends are known. A 5 with two rolls left is kept: the next roll is worth the greater
    /// of what shows and 7/2, which is 17/4 on average. One step ahead, this is seen:
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Pruned, Score};
    ///
    /// let ends = |&(left, pips): &(u8, u8)| match left {
    ///     0 => (Score::from(pips), Score::from(pips)),
    ///     _ => (Score::from(1), Score::from(6)),
    /// };
    /// let choices = |steps| {
    ///     let pruned = Pruned::new(&KeepOrRoll, ends).look_ahead(steps, 0.5);
    ///     Ok::<_, oddsmith_mdp::Error>(Node::of(&pruned, &(2, 5))?.len())
    /// };
    /// assert_eq!((choices(0)?, choices(1)?), (2, 1));
    /// # Ok::<(), oddsmith_mdp::Error>(())
    /// ```
    #[must_use]
    pub fn look_ahead(self, steps: u32, vague: f64) -> Self {
        Pruned {
            vague,
            ahead: steps.min(MOST_AHEAD),
            ..self
        }
    }

    /// What a state is worth, looking this many moves further, and at no more than `room` outcomes
    /// at once.
    fn around(&self, state: &G::State, (ahead, room): (u32, usize)) -> Result<Interval, Error> {
        let known = given(self.game, &self.bounds, state)?;
        let [lower, upper] = checked(self.game, state, known)?;
        // If both are infinite, their difference is not a number, or infinite.
        let vague = upper - lower > self.vague || lower.is_infinite() && upper.is_infinite();
        if ahead == 0 || !vague {
            return Ok([lower, upper]);
        }
        // If the state is malformed, that matters only if play gets there.
        let Ok(node) = Node::of_within(self.game, state, room) else {
            return Ok([lower, upper]);
        };
        let [least, most] = match node.score() {
            Some(score) => around_score(score).unwrap_or(ANYTHING),
            None => {
                let further = (ahead - 1, room);
                let worths = (0..node.len()).map(|choice| self.worth(&node, choice, further));
                let best = worths.reduce(|best, next| {
                    let ([a, b], [c, d]) = (best?, next?);
                    Ok([a.max(c), b.max(d)])
                });
                match best {
                    None => ANYTHING,
                    Some(best) => seen_by(node.player(), best?),
                }
            }
        };
        checked(self.game, state, [lower.max(least), upper.min(most)])
    }

    /// What a choice is worth, from the point of view of the player who decides.
    fn worth(
        &self,
        node: &Node<G>,
        choice: usize,
        further: (u32, usize),
    ) -> Result<Interval, Error> {
        let outcomes = node.states(choice).map(|state| self.around(state, further));
        let outcomes = outcomes.collect::<Result<Vec<Interval>, Error>>()?;
        let [lower, upper] = match node.wide(choice) {
            Some(wide) => mean(outcomes.iter(), &Odds::Wide(&wide.shared())),
            None => {
                let weights = node.outcomes(choice).iter().map(|(_, weight)| *weight);
                let odds = Odds::Narrow {
                    weights: &weights.collect::<Vec<u64>>(),
                    leaving: node.total(choice),
                    staying: 0,
                };
                mean(outcomes.iter(), &odds)
            }
        };
        let value = match node.reward(choice) {
            None => [lower, upper],
            Some(reward) => {
                let [less, more] = around_score(reward).unwrap_or(ANYTHING);
                [(lower + less).next_down(), (upper + more).next_up()]
            }
        };
        Ok(seen_by(node.player(), value))
    }
}

impl<G: Game + ?Sized, B: Bounds<G::State>> Game for Pruned<'_, G, B> {
    type State = G::State;
    type Action = G::Action;

    fn describe(&self, state: &G::State) -> String {
        self.game.describe(state)
    }

    fn expand(&self, state: &G::State, node: &mut Node<Self>) {
        let Some(inner) = node.inner_going_on(self.game, state) else {
            return;
        };
        if inner.len() < 2 {
            return node.choices_of(&inner, Clone::clone);
        }
        let further = (self.ahead, node.room());
        let worths = (0..inner.len()).map(|choice| self.worth(&inner, choice, further));
        let worths: Vec<Interval> = match worths.collect() {
            Ok(worths) => worths,
            Err(error) => return node.fail(error),
        };
        let lowest = worths.iter().map(|[lower, _]| *lower);
        let lowest = lowest.fold(f64::NEG_INFINITY, f64::max);
        for (choice, [_, upper]) in worths.iter().enumerate() {
            if *upper >= lowest {
                node.choice_of(&inner, choice, Clone::clone);
            }
        }
    }
}

impl<G: Game + ?Sized, B: Clone> Clone for Pruned<'_, G, B> {
    fn clone(&self) -> Self {
        Pruned {
            game: self.game,
            bounds: self.bounds.clone(),
            ..*self
        }
    }
}

impl<G: Game + ?Sized, B> fmt::Debug for Pruned<'_, G, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pruned")
    }
}
