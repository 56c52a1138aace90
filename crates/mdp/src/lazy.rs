//! Solving no more of a game than the answer needs.

mod bounds;
mod interval;
mod met;
mod pruned;
mod relaxation;
mod search;
mod sought;
mod worth;

use std::marker::PhantomData;
use std::ops::ControlFlow;

use num_traits::FromPrimitive;
use oddsmith_dice::Weight;

use crate::induction;
use crate::limits::Limits;
use crate::number::{Number, Store};
use crate::progress::Observer;
use crate::solution::Held;
use crate::threads::Threads;
use crate::{Certified, Error, Exact, Float, Game, Progress, Score, Solution, Solver, Tolerance};

pub use bounds::Bounds;
pub use pruned::Pruned;
pub use relaxation::{Relaxation, Relaxed};
pub use sought::{Effort, Sought};

use interval::{ANYTHING, Interval, around_score};
use search::Search;
use sought::Close;

/// Solves no more of a game than the answer needs.
///
/// An eager [`Solver`] computes the value of every state that can be reached. Much of that is of no
/// interest: once a choice is known to be worth 7/10, the exact value of another does not matter,
/// only that it is no more. The lazy solver therefore keeps a lower and an upper bound on the value
/// of every state, evaluates the most informative outcomes first, and stops when the decision is
/// proven.
///
/// The answer is that of the eager solver: the exact value of the start ([`exact`](Lazy::exact)),
/// and an action for every state that it leads to which is proven to be optimal. What the answer
/// does not need is unknown afterwards. The [`Solution`] contains only the states that optimal play
/// reaches, and it may contain only one of several actions that tie ([`all_ties`](Lazy::all_ties)
/// keeps the others).
///
/// # What can be concluded from a few outcomes
/// Suppose that outcomes of total probability p have been evaluated, and let s = Σ probability ·
/// score over these. Scores lie between 0 and m. Then the choice is worth at least s and at most
/// s + (1 − p)·m. With bounds lⱼ and uⱼ for each other outcome, it is worth at least s + Σ pⱼ·lⱼ
/// and at most s + Σ pⱼ·uⱼ. Nothing else follows. In particular *s / p*, the mean so far, is
/// neither a lower nor an upper bound: the other outcomes may all be better, or all worse. The
/// comparison published with the idea ("Solving a gamebook: a smarter solver", whose data type and
/// comparison this crate has as `PScore` and `score_compare`) takes s / p for both:
///
/// | a | b | it prefers | the best is |
/// |---|---|---|---|
/// | 1/100 for sure | 0 by 3/5, 1 by 2/5 | a, since 1/100 > 0 / (3/5) | b: 2/5 |
/// | 1 by 3/5, 0 by 2/5 | 9/10 by 3/5, 1 by 2/5 | a, since 1 > 9/10·3/5 + 2/5 | b: 47/50 |
///
/// About one decision in ten is wrong by it, and in games with a dozen moves nearly every value.
/// The lazy solver uses the sound bounds only.
///
/// # When it pays
///
/// - With bounds from a [`Relaxation`], a cheaper game that is never worse for the player. States
///   that even then are no better than what has already been found are never visited. This is where
///   effort is best invested. For gamebooks with provisions, charms or gold to spend, a third or a
///   tenth of the states remains.
/// - In trees with skewed dice, where a few outcomes have most of the probability, even
///   [`range`](Lazy::range) alone saves most of the states.
/// - Where many paths lead to the same states and nothing but the range is known, it saves nothing:
///   nearly every state is needed somewhere. Then [`Solver::certified`] and its
///   [`certify`](Solver::certify) do the same for less.
///
/// # How it searches
/// The search is depth first, on an explicit stack. In a state, it evaluates the choice with the
/// highest upper bound, outcome by outcome in the order of p·(upper − lower), until another choice
/// has a higher bound or the choice is beaten. A choice is beaten if its upper bound is no higher
/// than the lower bound of another (with [`all_ties`](Lazy::all_ties): if it is lower). A state is
/// solved when all choices that are not beaten are known completely. All bounds are stored,
/// tightened, and read again at each comparison, and a choice is never worth more than the upper
/// bound of its state. The bounds are floats that are moved outwards by the possible rounding error
/// ([`Certified`]). Choices that they cannot tell apart are evaluated completely, and at the end
/// the part of the game that may be optimal is solved in fractions. No decision depends on
/// rounding.
///
/// Where the opponent decides ([`Node::opponent`](crate::Node::opponent)), all of this is mirrored.
/// A state that leads to itself is handled exactly, as by [`Solver`]. Any other cycle that the
/// search finds is an [`Error::Cycle`]; a cycle in a part that the search does not need to visit is
/// not found. Choices that [pay](crate::Choice::reward) result in [`Error::RewardInLazy`], since
/// the bounds are on scores.
///
/// Best-first search of this kind goes back to B* (H. J. Berliner, "The B* tree
/// search algorithm", Artificial Intelligence 12, 1979) and AO* (N. J. Nilsson,
/// *Principles of Artificial Intelligence*, 1980).
///
/// # Examples
/// Five levels with two doors each. The left door is safe three times in four but costs provisions;
/// the right one is free and safe half the time.
/// ```
#[doc = include_str!("../docs/levels.txt")]
/// use oddsmith_mdp::Lazy;
///
/// let game = Levels { free: false };
/// let plenty = Plenty(Levels { free: true }); // unlimited provisions
/// let solution = Lazy::exact()
///     .range(0, 1) // won or not
///     .solve_relaxed(&game, &plenty, (0, 2))?;
/// assert_eq!(solution.value().to_string(), "9/128");
/// assert_eq!(solution.decision(&(0, 2))?, Some("left"));
///
/// assert_eq!(solution.eager_states(1_000)?, 16);
/// assert!(solution.effort().expanded < 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lazy<'o, N, B = ()> {
    range: [Option<Score>; 2],
    bounds: B,
    windows: bool,
    ties: bool,
    eager_below: f64,
    limits: Limits,
    observer: Observer<'o>,
    number: PhantomData<N>,
}

/// The defaults of [`Lazy::eager_below`], at which searching costs about as much as it saves: in
/// fractions and in floats.
const EAGER_BELOW: [f64; 2] = [0.3, 0.45];

/// The result of a lazy solver for a game `G` in numbers of kind `N`.
type Found<'g, G, N> = Solution<'g, G, N, Sought<G>>;

impl Lazy<'_, Exact> {
    /// Creates a lazy solver for the exact value of the start and optimal decisions.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::Lazy;
    /// let solution = Lazy::exact().range(0, 1).solve(&Levels { free: false }, (3, 1))?;
    /// assert_eq!(solution.value().to_string(), "3/8"); // 3/4 · 1/2, in either order
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn exact() -> Self {
        Lazy::new()
    }
}

impl Lazy<'_, Float> {
    /// Does the same as [`exact`](Lazy::exact), except that the values are floats with an error
    /// bound ([`Solution::error`]). Where two actions are closer than rounding can tell, either may
    /// be decided on.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::Lazy;
    /// let solution = Lazy::float().range(0, 1).solve(&Levels { free: false }, (0, 2))?;
    /// assert_eq!(solution.value(), 9.0 / 128.0);
    /// assert!(solution.error(&(0, 2))? < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn float() -> Self {
        Lazy::new()
    }
}

impl Lazy<'_, Certified> {
    /// Does the same as [`float`](Lazy::float), with two floats that enclose each value, and with
    /// each decision either proven or reported as undecided.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::Lazy;
    /// let solution = Lazy::certified().range(0, 1).solve(&Levels { free: false }, (0, 2))?;
    /// let (lower, upper) = solution.enclosure(&(0, 2))?;
    /// assert!(lower <= 9.0 / 128.0 && 9.0 / 128.0 <= upper && upper - lower < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn certified() -> Self {
        Lazy::new()
    }
}

impl<N: Number> Lazy<'_, N> {
    fn new() -> Self {
        Lazy {
            range: [None, None],
            bounds: (),
            windows: false,
            ties: false,
            eager_below: EAGER_BELOW[usize::from(!N::Mass::EXACT)],
            limits: Limits::default(),
            observer: Observer::default(),
            number: PhantomData,
        }
    }
}

impl<'o, N: Number, B> Lazy<'o, N, B> {
    /// Promises that no score of the game is below `lower` or above `upper`.
    ///
    /// Where nothing else is known, this bounds every state. Without a range, only
    /// [`bounds`](Lazy::bounds) allow anything to be skipped.
    ///
    /// # Examples
    /// A certain win needs no comparison once it is known that nothing is better:
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::{Error, Lazy};
    ///
    /// let game = Levels { free: false };
    /// let one = Lazy::exact().range(0, 1).solve(&game, (4, 1))?;
    /// assert_eq!(one.value().to_string(), "3/4");
    ///
    /// // A range that is too narrow is found out:
    /// let wrong = Lazy::exact().range(0, (1, 2)).solve(&game, (4, 1));
    /// assert!(matches!(wrong.err(), Some(Error::BadBound { state, .. }) if state == "(5, 0)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn range(mut self, lower: impl Into<Score>, upper: impl Into<Score>) -> Self {
        self.range = [Some(lower.into()), Some(upper.into())];
        self
    }

    /// Sets what is known about each state. See [`Bounds`]. This replaces earlier bounds; for a
    /// pair of bounds, the tighter one applies.
    ///
    /// # Examples
    /// A certain win, and a door that is known to be no better than even:
    /// ```
    /// use oddsmith_mdp::{Lazy, Score, Table};
    /// # let doors = Table::from_fn(4, |state, row| match state {
    /// #     0 | 1 => row.end(state),
    /// #     2 => { row.choice().to(0, 1).to(1, 1); }
    /// #     _ => { row.choice().to(2, 1); row.choice().to(1, 1); }
    /// # })?;
    /// let even = |&state: &usize| match state {
    ///     2 => (Score::from(0), Score::from((1, 2))),
    ///     _ => (Score::from(0), Score::from(1)),
    /// };
    /// let solution = Lazy::exact().bounds(even).solve(&doors, 3)?;
    /// assert_eq!(solution.value().to_string(), "1");
    /// assert_eq!(solution.effort().expanded, 2); // the start and the win
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bounds<C>(self, bounds: C) -> Lazy<'o, N, C> {
        Lazy {
            range: self.range,
            bounds,
            windows: self.windows,
            ties: self.ties,
            eager_below: self.eager_below,
            limits: self.limits,
            observer: self.observer,
            number: PhantomData,
        }
    }

    /// Sets whether a state is left as soon as its value is known to be too low (or too high) to
    /// matter to the state that asked for it: alpha-beta pruning for games of chance, with the
    /// windows of Star1. Off by default.
    ///
    /// This saves states in trees. A state that is shared may be evaluated several times (at most
    /// three), since the next state that asks for it may need to know more.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::Lazy;
    /// let game = Levels { free: false };
    /// let solution = Lazy::exact().range(0, 1).windows(true).solve(&game, (0, 2))?;
    /// assert_eq!(solution.value().to_string(), "9/128");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn windows(mut self, windows: bool) -> Self {
        self.windows = windows;
        self
    }

    /// Sets whether every action that may be optimal is evaluated. Off by default: an action that
    /// is proven to be no *better* than another is beaten, even if it is equally good, and is
    /// unknown afterwards.
    ///
    /// If set, the [best](Solution::best) actions of every state that is kept are those of
    /// [`Solver::exact`]. The cost is that a certain win is no longer a reason to stop: unless
    /// bounds alone show that an action is worse, it is followed to its end. A cycle there is then
    /// found, too.
    ///
    /// # Examples
    /// Both doors are certain wins, and one suffices to know that:
    /// ```
    /// use oddsmith_mdp::{Lazy, Table};
    /// let doors = Table::from_fn(3, |state, row| match state {
    ///     0 | 1 => row.end(1),
    ///     _ => {
    ///         row.choice().to(0, 1);
    ///         row.choice().to(1, 1);
    ///     }
    /// })?;
    /// let one = Lazy::exact().range(0, 1).solve(&doors, 2)?;
    /// assert_eq!((one.best(&2)?, one.effort().expanded), (vec![0], 2));
    /// let all = Lazy::exact().range(0, 1).all_ties(true).solve(&doors, 2)?;
    /// assert_eq!((all.best(&2)?, all.effort().expanded), (vec![0, 1], 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn all_ties(mut self, all: bool) -> Self {
        self.ties = all;
        self
    }

    /// Sets when the search gives up because it does not pay.
    ///
    /// If less than this fraction of all outcomes could be skipped in the states solved so far (if
    /// any), all states are visited and solved eagerly. The search checks this after 256 visited
    /// states, 512, and so on up to 8,192. The default is 0.3 for exact values and 0.45 for floats,
    /// which are cheaper. With 0 or less, it never gives up, which is right if the whole game is
    /// too large to be visited; above 1, it does so as soon as a check finds a solved state. `NaN`
    /// results in [`Error::BadParameter`] when the game is solved.
    ///
    /// What has been visited by then is not lost (except for at most a thousand states, which are
    /// visited anew), so it takes little longer than an eager solver. [`Effort::eager`] tells
    /// whether the search gave up.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Game, Node};
    /// # struct Race;
    /// # impl Game for Race {
    /// #     type State = (u8, u8);
    /// #     type Action = ();
    /// #     fn expand(&self, &(a, b): &(u8, u8), node: &mut Node<Self>) {
    /// #         if a == 0 || b == 0 { return node.end(a == 0); }
    /// #         node.chance().to((a - 1, b), 1).to((a, b - 1), 1);
    /// #     }
    /// # }
    /// use oddsmith_mdp::Lazy;
    /// // A race to thirty points, nothing to decide: nothing can be skipped.
    /// let solution = Lazy::exact().range(0, 1).solve(&Race, (30, 30))?;
    /// assert!(solution.effort().eager);
    /// let solution = Lazy::exact().range(0, 1).eager_below(0.0).solve(&Race, (30, 30))?;
    /// assert!(!solution.effort().eager);
    /// assert_eq!(solution.value().to_string(), "1/2");
    /// let error = Lazy::exact().eager_below(f64::NAN).solve(&Race, (30, 30)).unwrap_err();
    /// let wanted = "the share of outcomes to skip (`eager_below`) must be a number, got NaN";
    /// assert_eq!(error.to_string(), wanted);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn eager_below(mut self, part: f64) -> Self {
        self.eager_below = part;
        self
    }

    /// Limits the number of states met, including those seen only as outcomes. Beyond it, solving
    /// ends with [`Error::TooManyStates`]. The default is 20 million.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::{Error, Lazy};
    /// let error = Lazy::exact().max_states(5).solve(&Levels { free: false }, (0, 2)).err();
    /// assert_eq!(error, Some(Error::TooManyStates { limit: 5 }));
    /// ```
    #[must_use]
    pub fn max_states(mut self, limit: usize) -> Self {
        self.limits.states = limit;
        self
    }

    /// Limits the number of outcomes of the states visited, counted as by [`Solver::max_outcomes`].
    /// Beyond it, solving ends with [`Error::OutcomesOutgrow`]. The default is a billion.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::{Error, Lazy};
    /// let lazy = Lazy::exact().max_outcomes(3);
    /// let error = lazy.solve(&Levels { free: false }, (0, 2)).err();
    /// assert!(matches!(error, Some(Error::OutcomesOutgrow { done: 0, limit: 3, .. })));
    /// ```
    #[must_use]
    pub fn max_outcomes(mut self, limit: usize) -> Self {
        self.limits.outcomes = limit;
        self
    }

    /// Limits the memory, in bytes. Beyond it, solving ends with [`Error::TooMuchMemory`]. The
    /// default is 4 GiB.
    ///
    /// The limit applies to the bounds of the states met, to the values of the states kept, and to
    /// the outcomes of one state while they are written (reported within [`Error::InState`]; 4,096
    /// outcomes are always allowed). States and outcomes that are stored are not counted.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::{Error, Lazy};
    /// let error = Lazy::exact().max_bytes(100).solve(&Levels { free: false }, (0, 2)).err();
    /// assert!(matches!(error, Some(Error::TooMuchMemory { states: 3, .. })));
    /// ```
    #[must_use]
    pub fn max_bytes(mut self, limit: u128) -> Self {
        self.limits.bytes = limit;
        self
    }

    /// Calls `observer` every 4,096 visited states and at the end of each phase. If it breaks, the
    /// work ends with [`Error::Cancelled`].
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::{Error, Lazy, Phase};
    /// use std::ops::ControlFlow;
    /// let lazy = Lazy::float().observe(|_| ControlFlow::Break(()));
    /// let stopped = lazy.solve(&Levels { free: false }, (4, 0)).err();
    /// assert_eq!(stopped, Some(Error::Cancelled { phase: Phase::Exploring, done: 3 }));
    /// ```
    #[must_use]
    pub fn observe(mut self, observer: impl FnMut(Progress) -> ControlFlow<()> + 'o) -> Self {
        self.observer = Observer::new(observer);
        self
    }

    /// Finds the value of `start` and optimal play from there.
    ///
    /// # Errors
    /// The same as for [`Solver::solve`]. [`Error::BadParameter`] if the range, or the [fraction to
    /// be skipped](Lazy::eager_below), is not a number. [`Error::BadBound`] if bounds or range
    /// contradict each other or any value computed by the search; it names the state. A wrong bound
    /// on a state that was skipped because of it is not detected, nor is one on a state that was
    /// solved eagerly after the search had [given up](Lazy::eager_below), nor one on a final state,
    /// or a wrong range, that is off by less than floats can tell.
    ///
    /// # Complexity
    /// Every state met is hashed and bounded once. A visited state compares its choices, which
    /// reads all their outcomes, up to 16 times per choice, but mostly once. What may be optimal is
    /// then solved as by [`Solver`].
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::Lazy;
    /// let solution = Lazy::exact().range(1, 6).solve(&KeepOrRoll, (2, 4))?;
    /// assert_eq!(solution.value().to_string(), "17/4");
    /// assert_eq!(solution.decision(&(2, 4))?, Some("roll"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve<'g, G: Game + ?Sized>(
        mut self,
        game: &'g G,
        start: G::State,
    ) -> Result<Found<'g, G, N>, Error>
    where
        B: Bounds<G::State>,
    {
        let range = self.interval()?;
        let mut search = Search::new(
            game,
            &self.bounds,
            range,
            [self.windows, self.ties],
            self.eager_below,
            self.limits,
        );
        search.run(start, &mut self.observer)?;
        let (model, close) = Sought::new(search)?;
        let strict = Tolerance::strict();
        let values = induction::solve(
            game,
            &model,
            &strict,
            self.limits.bytes,
            Threads::default(),
            &mut self.observer,
        )?;
        if N::Mass::EXACT {
            check::<G, N>(game, &model, &values.store, &close)?;
        }
        let start = model.number_of(0);
        let game = Held::Borrowed(game);
        Ok(Solution::new(game, model, values, start, self.limits.bytes))
    }

    /// Solves a cheaper game first, to obtain upper bounds. See [`Relaxation`]. They are used
    /// together with the bounds given.
    ///
    /// # Errors
    /// The same as for [`solve`](Lazy::solve), for either game.
    ///
    /// # Examples
    /// Two levels are left, with provisions for both. The bounds from plenty of provisions are
    /// exact here.
    /// ```
    #[doc = include_str!("../docs/levels.txt")]
    /// use oddsmith_mdp::Lazy;
    /// let plenty = Plenty(Levels { free: true });
    /// let lazy = Lazy::exact().range(0, 1);
    /// let solution = lazy.solve_relaxed(&Levels { free: false }, &plenty, (3, 2))?;
    /// assert_eq!(solution.value().to_string(), "9/16");
    /// assert_eq!(solution.effort().expanded, 4); // never the door to the right
    /// assert_eq!(solution.eager_states(100)?, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_relaxed<'g, G: Game + ?Sized, R: Relaxation<G>>(
        mut self,
        game: &'g G,
        relaxation: &R,
        start: G::State,
    ) -> Result<Found<'g, G, N>, Error>
    where
        B: Bounds<G::State>,
    {
        // Checked before the other game is solved.
        self.interval()?;
        let solver = Solver::certified()
            .max_states(self.limits.states)
            .max_outcomes(self.limits.outcomes)
            .max_bytes(self.limits.bytes);
        let observer = &mut self.observer;
        let relaxed = Relaxed::above_by(
            solver.observe(|progress| observer.pass_on(progress)),
            relaxation,
            &start,
        )?;
        Lazy {
            range: self.range,
            bounds: (self.bounds, relaxed),
            windows: self.windows,
            ties: self.ties,
            eager_below: self.eager_below,
            limits: self.limits,
            observer: self.observer,
            number: PhantomData::<N>,
        }
        .solve(game, start)
    }

    /// Returns the range as enclosing floats, after checking it and all other settings.
    fn interval(&self) -> Result<Interval, Error> {
        if self.eager_below.is_nan() {
            return Err(Error::BadParameter {
                parameter: "the share of outcomes to skip (`eager_below`)",
                given: "NaN".to_owned(),
                allowed: "a number",
            });
        }
        let end = |end: usize| match &self.range[end] {
            None => Some(ANYTHING[end]),
            Some(score) => around_score(score).map(|around| around[end]),
        };
        let bad = || Error::BadParameter {
            parameter: "an end of the range",
            given: "no number".to_owned(),
            allowed: "a finite rational number",
        };
        Ok([end(0).ok_or_else(bad)?, end(1).ok_or_else(bad)?])
    }
}

/// Compares exact values with the given bounds, where floats could not.
fn check<G: Game + ?Sized, N: Number>(
    game: &G,
    model: &Sought<G>,
    store: &N::Store,
    close: &[Close],
) -> Result<(), Error> {
    for &Close { number, given } in close {
        let value = store.value_of(number);
        let [lower, upper] = given.map(N::Value::from_f64);
        let below = lower.is_some_and(|lower| value < lower);
        if below || upper.is_some_and(|upper| value > upper) {
            let value = value.to_string();
            let (lower, upper) = match below {
                true => (given[0].to_string(), value),
                false => (value, given[1].to_string()),
            };
            return Err(Error::BadBound {
                state: model.name(game, number),
                lower,
                upper,
            });
        }
    }
    Ok(())
}
