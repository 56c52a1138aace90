//! A solved game and the queries on it.

mod appraisal;
mod decided;

use std::fmt;

use indexmap::IndexMap;
use num_bigint::BigUint;
use num_traits::{Signed, Zero};
use rustc_hash::FxBuildHasher;

pub use appraisal::Appraisal;
pub use decided::Decided;

use crate::explored::Explored;
use crate::induction::{Values, unheld};
use crate::model::{Model, Row, Scratch};
use crate::number::{Mass, Store};
use crate::{Error, Explanation, Forecast, Game, Node, Number, Outcome, Player, Prospect};

/// A game that the solution borrows or owns.
pub(crate) enum Held<'g, G: ?Sized> {
    Borrowed(&'g G),
    Owned(Box<G>),
}

impl<G: ?Sized> Held<'_, G> {
    pub(crate) fn get(&self) -> &G {
        match self {
            Held::Borrowed(game) => game,
            Held::Owned(game) => game,
        }
    }
}

/// The values of all states of a solved game.
///
/// `N` is the kind of [`Number`], such as [`Exact`](crate::Exact). `M` tells how the states were
/// found, such as [`Explored`] or [`Boxed`](crate::Boxed). Code that is generic over it accepts any
/// [`Model`].
///
/// # Examples
/// Roll a die up to three times and keep the last roll:
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
/// use oddsmith_mdp::Solver;
///
/// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
/// assert_eq!((solution.start(), solution.value().to_string()), ((3, 0), "14/3".into()));
/// // With two rolls left a 4 is rolled again, for 17/4 instead of 4:
/// assert_eq!(solution.decision(&(2, 4))?, Some("roll"));
/// assert_eq!(solution.value_of(&(2, 4))?.to_string(), "17/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solution<'g, G: Game + ?Sized, N: Number, M = Explored<G>> {
    game: Held<'g, G>,
    model: M,
    values: Values<N::Store>,
    start: usize,
    max_bytes: u128,
}

/// The actions of a state of a game `G`, appraised in numbers of kind `N`.
type Appraisals<G, N> = Vec<Appraisal<<G as Game>::Action, <N as Number>::Value>>;

/// The explanation of a state of a game `G`, in numbers of kind `N`.
type Explained<G, N> = Explanation<<G as Game>::State, <G as Game>::Action, <N as Number>::Value>;

/// The numbers of choices, and their values in numbers of kind `N`.
type Slots<N> = Vec<(usize, <<N as Number>::Store as Store>::Slot)>;

impl<'g, G: Game + ?Sized, N: Number, M: Model<G>> Solution<'g, G, N, M> {
    pub(crate) fn new(
        game: Held<'g, G>,
        model: M,
        values: Values<N::Store>,
        start: usize,
        max_bytes: u128,
    ) -> Self {
        Solution {
            game,
            model,
            values,
            start,
            max_bytes,
        }
    }

    /// Returns the expected score from the start, under best play or under the policy that was
    /// evaluated.
    ///
    /// # Examples
    /// A single roll, and two:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// assert_eq!(Solver::exact().solve(&KeepOrRoll, (1, 0))?.value().to_string(), "7/2");
    /// assert_eq!(Solver::exact().solve(&KeepOrRoll, (2, 0))?.value().to_string(), "17/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> N::Value {
        self.value_at(self.start)
    }

    /// Returns the start state.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// assert_eq!(Solver::float().solve(&KeepOrRoll, (2, 0))?.start(), (2, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> G::State {
        self.state(self.start)
    }

    /// Returns the expected score from `state`.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// A 1 is rolled again; a 6 is kept:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
    /// assert_eq!(solution.value_of(&(1, 1))?.to_string(), "7/2");
    /// assert_eq!(solution.value_of(&(1, 6))?.to_string(), "6");
    /// assert!(solution.value_of(&(3, 0)).is_err()); // not met
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_of(&self, state: &G::State) -> Result<N::Value, Error> {
        Ok(self.value_at(self.number(state)?))
    }

    /// Returns a bound on the absolute error of [`value_of`](Solution::value_of), which is zero in
    /// exact numbers. See [`Float`](crate::Float) for its derivation.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let float = Solver::float().solve(&KeepOrRoll, (3, 0))?;
    /// let error = float.error(&(3, 0))?;
    /// assert!((float.value() - 14.0 / 3.0).abs() <= error && error < 1e-13);
    /// assert_eq!(Solver::exact().solve(&KeepOrRoll, (3, 0))?.error(&(3, 0))?, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn error(&self, state: &G::State) -> Result<f64, Error> {
        Ok(self.values.store.error(self.number(state)?))
    }

    /// Returns all actions of a state in the order of `expand`, with their values, their gaps to
    /// the best action, and whether they are optimal.
    ///
    /// Empty where the game ends and where chance moves. Actions that certainly lead back to the
    /// state are left out.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
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
    /// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let choices = solution.choices(&(1, 3))?;
    /// assert_eq!((choices[0].action, choices[0].gap.to_string()), ("keep", "1/2".into()));
    /// assert_eq!((choices[1].action, choices[1].value.to_string()), ("roll", "7/2".into()));
    /// assert!(choices[1].optimal && choices[1].decided);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choices(&self, state: &G::State) -> Result<Appraisals<G, N>, Error> {
        let number = self.number(state)?;
        let node = Node::solved(self.game.get(), state)?;
        let store = &self.values.store;
        let mut scratch = Scratch::new();
        let row = self.row(number, &mut scratch)?;
        let slots = self.appraised(number, &row)?;
        let best = self.best_of(&slots, row.player);
        let decision = self.decided_choice(number);
        let appraised = slots.iter().filter_map(|(choice, slot)| {
            let action = node.action(*choice)?.clone();
            let value = store.value(slot);
            let best = &slots[best].1;
            let gap = match row.player {
                Player::Max => store.value(best) - value.clone(),
                Player::Min => value.clone() - store.value(best),
            };
            Some(Appraisal {
                action,
                // The best action is best by its bounds; another one's midpoint may lie higher.
                gap: match gap < N::Value::zero() {
                    true => N::Value::zero(),
                    false => gap,
                },
                value,
                optimal: store.ties(best, slot),
                decided: *choice == decision,
            })
        });
        Ok(appraised.collect())
    }

    /// Returns the choices of a state that lead to another state or end, with their values.
    fn appraised(&self, number: usize, row: &Row<'_>) -> Result<Slots<N>, Error> {
        let store = &self.values.store;
        let mut slots = Vec::with_capacity(row.len());
        for (choice, targets, odds) in row.choices() {
            let mut slot = store.slot();
            store
                .appraise(number, targets, &odds, &mut slot)
                .and_then(|()| match row.reward(choice) {
                    Some(reward) => store.pay(reward, &odds, &mut slot),
                    None => Ok(()),
                })
                .map_err(|why| unheld(why, self.game.get(), &self.state(number), choice))?;
            store.settle(&mut slot);
            slots.push((choice, slot));
        }
        Ok(slots)
    }

    /// Returns the index of the first choice that no other is better than.
    fn best_of(&self, slots: &Slots<N>, player: Player) -> usize {
        let strict = crate::Tolerance::strict();
        (1..slots.len()).fold(0, |best, next| {
            let (mut candidate, mut incumbent) = (slots[next].1.clone(), slots[best].1.clone());
            let store = &self.values.store;
            let (better, _) = store.prefers(&mut candidate, &mut incumbent, player, &strict);
            if better { next } else { best }
        })
    }

    /// Returns the numbers of the optimal choices of a state and the total number of its choices;
    /// no choices where it ends.
    pub(crate) fn optimal_choices(&self, number: usize) -> Result<(Vec<usize>, usize), Error> {
        let mut scratch = Scratch::new();
        let row = self.row(number, &mut scratch)?;
        if row.len() == 1 {
            return Ok((vec![0], 1));
        }
        let slots = self.appraised(number, &row)?;
        let best = self.best_of(&slots, row.player);
        let tied = slots.iter().filter_map(|(choice, slot)| {
            let ties = self.values.store.ties(&slots[best].1, slot);
            ties.then_some(*choice)
        });
        Ok((tied.collect(), row.len()))
    }

    /// Returns the optimal actions of a state; more than one if they tie.
    ///
    /// After [`certify`](crate::Solver::certify) and [`Lazy`](crate::Lazy), an action that is
    /// proven to be no better than another may be missing, unless
    /// [`all_ties`](crate::Lazy::all_ties) are kept.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// struct Fork;
    /// impl Game for Fork {
    ///     type State = u8;
    ///     type Action = char;
    ///     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    ///         if state > 0 { return node.end(state); }
    ///         node.choice('a').to(2, 1);
    ///         node.choice('b').to(1, 1).to(3, 1);
    ///         node.choice('c').to(1, 1);
    ///     }
    /// }
    /// let solution = Solver::exact().solve(&Fork, 0)?;
    /// assert_eq!(solution.best(&0)?, ['a', 'b']);
    /// assert_eq!(solution.decision(&0)?, Some('a'));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best(&self, state: &G::State) -> Result<Vec<G::Action>, Error> {
        let choices = self.choices(state)?;
        let optimal = choices.into_iter().filter(|choice| choice.optimal);
        Ok(optimal.map(|choice| choice.action).collect())
    }

    /// Returns the action that was decided on, or `None` where the game ends or chance moves.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// With one more roll left, which is worth 7/2:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
    /// assert_eq!(solution.decision(&(1, 3))?, Some("roll"));
    /// assert_eq!(solution.decision(&(1, 4))?, Some("keep"));
    /// assert_eq!(solution.decision(&(0, 4))?, None); // the end
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision(&self, state: &G::State) -> Result<Option<G::Action>, Error> {
        let number = self.number(state)?;
        let node = Node::solved(self.game.get(), state)?;
        Ok(node.action(self.decided_choice(number)).cloned())
    }

    /// Returns who decides in a state. It has no meaning where there is no decision.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Player, Solver, Table};
    /// let table = Table::from_fn(4, |state, row| match state {
    ///     2 => {
    ///         row.opponent().choice().to(0, 1);
    ///         row.choice().to(1, 1);
    ///     }
    ///     3 => {
    ///         row.choice().to(2, 1);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// let solution = Solver::exact().solve_table(&table, 3)?;
    /// assert_eq!((solution.player(&3)?, solution.player(&2)?), (Player::Max, Player::Min));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn player(&self, state: &G::State) -> Result<Player, Error> {
        let number = self.number(state)?;
        Ok(self.row(number, &mut Scratch::new())?.player)
    }

    /// Explains the decision in a state: each action with its value and its gap, and each of its
    /// outcomes with its probability and its value. The explanation can also be displayed as text.
    ///
    /// # Errors
    /// [`Error::UnknownState`] for a state that was not visited.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
    /// let text = solution.explain(&(1, 5))?.to_string();
    /// let lines: Vec<&str> = text.lines().take(3).collect();
    /// let keep = ["(1, 5) is worth 5", "+ \"keep\": 5; best", "    1 to (0, 5), worth 5"];
    /// assert_eq!(lines, keep);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, state: &G::State) -> Result<Explained<G, N>, Error> {
        let number = self.number(state)?;
        let value = self.value_at(number);
        let choices = self.choices(state)?;
        let mut scratch = Scratch::new();
        let row = self.row(number, &mut scratch)?;
        let mut prospects = Vec::with_capacity(row.len());
        for (choice, targets, odds) in row.choices() {
            let taken = choices.get(prospects.len());
            let mut outcomes: IndexMap<u32, BigUint, FxBuildHasher> = IndexMap::default();
            for (outcome, &target) in targets.iter().enumerate() {
                *outcomes.entry(target).or_default() += odds.weight(outcome).to_big();
            }
            let staying = odds.staying().to_big();
            if !staying.is_zero() {
                outcomes.insert(number as u32, staying);
            }
            outcomes.sort_by(|_, a, _, b| b.cmp(a));
            let total = odds.total().to_big();
            let outcomes = outcomes.iter().map(|(&target, weight)| {
                let state = self.state(target as usize);
                Outcome {
                    words: self.game.get().describe(&state),
                    state,
                    chance: N::Mass::quotient(weight, &total),
                    value: match taken {
                        Some(taken) if target as usize == number => taken.value.clone(),
                        _ => self.value_at(target as usize),
                    },
                }
            });
            prospects.push(Prospect {
                reward: Self::reward(&row, choice),
                outcomes: outcomes.collect(),
            });
        }
        Ok(Explanation {
            state: state.clone(),
            words: self.game.get().describe(state),
            value,
            player: row.player,
            choices,
            prospects,
        })
    }

    /// Returns the reward that a choice pays at once.
    fn reward(row: &Row<'_>, choice: usize) -> N::Value {
        let reward = row
            .reward(choice)
            .and_then(|reward| reward.score.to_ratio());
        let Some(reward) = reward else {
            return N::Value::zero();
        };
        let (part, whole) = (reward.numer().magnitude(), reward.denom().magnitude());
        let size = N::Mass::quotient(part, whole);
        match reward.is_negative() {
            true => N::Value::zero() - size,
            false => size,
        }
    }

    /// Returns where the decided play leads from the start: ends, lengths and visits.
    ///
    /// # Errors
    /// [`Error::ForecastOfCycles`] if the solver allowed cycles, even if there are none; see
    /// [`visits`](Solution::visits). [`Error::FractionsOutgrow`], or in floats
    /// [`Error::TooMuchMemory`], if the probabilities of all states take more than the
    /// [`max_bytes`](crate::Solver::max_bytes) of the solution. Otherwise, only if the game answers
    /// differently from when it was solved.
    ///
    /// # Complexity
    /// One pass over the outcomes of the decided actions.
    ///
    /// # Examples
    /// How likely is a 6 with two rolls, if a 4 or more is kept?
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (2, 0))?;
    /// let ends = solution.forecast()?.ends_by(|end| end.1)?;
    /// assert_eq!(ends.p(&6).to_string(), "1/4"); // 1/6 + 1/2 · 1/6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forecast(&self) -> Result<Forecast<'_, 'g, G, N, M>, Error> {
        Forecast::new(self)
    }

    /// Returns the number of states that were visited.
    ///
    /// # Examples
    /// The start, plus six states each with 1 and with 0 rolls left:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// assert_eq!(Solver::float().solve(&KeepOrRoll, (2, 0))?.len(), 13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.model.len()
    }

    /// Always returns `false`: there is at least the start.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// # struct Over;
    /// # impl Game for Over {
    /// #     type State = ();
    /// #     type Action = ();
    /// #     fn expand(&self, _: &(), node: &mut Node<Self>) { node.end(7); }
    /// # }
    /// let solution = Solver::exact().solve(&Over, ())?;
    /// assert_eq!((solution.len(), solution.is_empty()), (1, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.model.len() == 0
    }

    /// Iterates over all states with their values. Every state comes after its outcomes.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// # struct Coin;
    /// # impl Game for Coin {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
    /// #         if state > 0 { return node.end(state - 1); }
    /// #         node.chance().to(1, 2).to(2, 1);
    /// #     }
    /// # }
    /// let solution = Solver::float().solve(&Coin, 0)?;
    /// let sum: f64 = solution.states().map(|(_, value)| value).sum();
    /// assert!((sum - 4.0 / 3.0).abs() < 1e-15); // 0, 1 and 1/3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn states(&self) -> impl Iterator<Item = (G::State, N::Value)> + '_ {
        (0..self.len()).map(|place| {
            let number = self.model.at(place);
            (self.state(number), self.value_at(number))
        })
    }

    /// Returns the game that was solved.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node, Solver};
    /// struct Prize(u8);
    /// impl Game for Prize {
    ///     type State = ();
    ///     type Action = ();
    ///     fn expand(&self, _: &(), node: &mut Node<Self>) { node.end(self.0); }
    /// }
    /// assert_eq!(Solver::exact().solve(&Prize(7), ())?.game().0, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn game(&self) -> &G {
        self.game.get()
    }

    /// Returns the memory limit of the solver, in bytes.
    pub(crate) fn max_bytes(&self) -> u128 {
        self.max_bytes
    }

    pub(crate) fn start_number(&self) -> usize {
        self.start
    }

    pub(crate) fn model(&self) -> &M {
        &self.model
    }

    pub(crate) fn model_mut(&mut self) -> &mut M {
        &mut self.model
    }

    pub(crate) fn store(&self) -> &N::Store {
        &self.values.store
    }

    pub(crate) fn row<'a>(
        &'a self,
        number: usize,
        scratch: &'a mut Scratch<G>,
    ) -> Result<Row<'a>, Error> {
        self.model.row(self.game.get(), number, scratch)
    }

    /// Returns the number of the choice that was decided on; 0 where the game ends.
    pub(crate) fn decided_choice(&self, number: usize) -> usize {
        usize::from(self.values.decisions[number])
    }

    pub(crate) fn state(&self, number: usize) -> G::State {
        self.model.state(self.game.get(), number)
    }

    pub(crate) fn number(&self, state: &G::State) -> Result<usize, Error> {
        let number = self.model.number(self.game.get(), state);
        number.ok_or_else(|| Error::UnknownState {
            state: self.game.get().describe(state),
        })
    }

    fn value_at(&self, number: usize) -> N::Value {
        self.values.store.value_of(number)
    }
}

impl<G: Game + ?Sized, N: Number, M: Model<G>> fmt::Debug for Solution<'_, G, N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution")
            .field("states", &self.len())
            .field("start", &self.state(self.start))
            .field("value", &self.value())
            .finish()
    }
}
