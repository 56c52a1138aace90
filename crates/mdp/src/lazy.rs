//! Solving no more of a game than the answer needs.

mod bounds;
mod interval;
mod met;
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
pub use relaxation::{Relaxation, Relaxed};
pub use sought::{Effort, Sought};

use interval::{ANYTHING, Interval, around_score};
use search::Search;
use sought::Close;

/// Solves no more of a game than the answer needs.
///
/// An eager [`Solver`] values every state that can be reached. Much of that is of
/// no interest: whoever knows that a choice is worth 7/10 need not know what the
/// other one is worth, only that it is no more. So the lazy solver keeps two
/// numbers for every state, between which its value lies, looks into the outcomes
/// that say most, and stops when the decision is proven.
///
/// The answer is that of the eager solver: the exact value of the start
/// ([`exact`](Lazy::exact)) and an action for every state that it leads to which
/// is proven to be optimal. What is not needed for it is not known afterwards:
/// the [`Solution`] is one of the states that optimal play reaches, and of actions that tie
/// one may be all it knows ([`all_ties`](Lazy::all_ties) keeps the others).
///
/// # What can be concluded from a few outcomes
/// Say that outcomes of probability p together have been looked into, and that
/// s = Σ probability · score over these. Scores lie between 0 and m. Then the
/// choice is worth at least s, and at most s + (1 − p)·m; with bounds lⱼ and uⱼ for
/// each other outcome, at least s + Σ pⱼ·lⱼ and at most s + Σ pⱼ·uⱼ. Nothing else
/// follows. In particular *s / p*, the mean so far, is neither a lower nor an
/// upper bound: the outcomes not looked into may all be better, or all worse. The
/// comparison published with the idea ("Solving a gamebook: a smarter solver",
/// whose data type and comparison this crate has as `PScore` and `score_compare`)
/// takes s / p for both:
///
/// | a | b | it prefers | the best is |
/// |---|---|---|---|
/// | 1/100 for sure | 0 by 3/5, 1 by 2/5 | a, since 1/100 > 0 / (3/5) | b: 2/5 |
/// | 1 by 3/5, 0 by 2/5 | 9/10 by 3/5, 1 by 2/5 | a, since 1 > 9/10·3/5 + 2/5 | b: 47/50 |
///
/// One decision in ten or so is wrong by it, and in games with a dozen moves
/// nearly every value. The lazy solver uses the sound bounds only.
///
/// # When it pays
/// - With bounds from a [`Relaxation`], a cheaper game that is never worse for the
///   player: states that even then are no better than what is had already are
///   never visited. This is where to put one's effort. Gamebooks with provisions,
///   charms or gold to spend: a third of the states, or a tenth.
/// - In trees whose dice are skewed (a few outcomes have most of the chance) even
///   [`range`](Lazy::range) alone saves most of the states.
/// - Where many ways lead to the same states and nothing but the range is known it
///   saves nothing: nearly every state is needed by somebody. Then
///   [`Solver::certified`] and its [`certify`](Solver::certify) do the same for
///   less.
///
/// # How it searches
/// Depth first, on a stack of its own. In a state the choice with the highest
/// upper bound is looked into, outcome by outcome in the order of p·(upper −
/// lower), until another choice has a higher bound or the choice is beaten: its
/// upper bound is no higher than the lower bound of another (lower, if
/// [`all_ties`](Lazy::all_ties) are asked for). A state is solved
/// when all choices that are not beaten are known in full; all bounds are kept,
/// tightened, and read again at each comparison, and a choice is never worth more
/// than its state's own upper bound. The bounds are floats moved outwards by what
/// rounding can amount to ([`Certified`]). Choices that they cannot tell apart are
/// looked into in full, and at the end the part of the game that may be optimal is
/// solved in fractions. No decision rests on rounding.
///
/// Where the opponent decides ([`Node::opponent`](crate::Node::opponent)) all of
/// this is mirrored. A state that leads to itself is handled exactly, as by
/// [`Solver`]. Any other cycle that the search runs into is an
/// [`Error::Cycle`]; one in a part that it need not visit is not found. Choices that
/// [pay](crate::Choice::reward) are an [`Error::RewardInLazy`]: the bounds are on
/// scores.
///
/// Best-first search of this kind goes back to B* (H. J. Berliner, "The B* tree
/// search algorithm", Artificial Intelligence 12, 1979) and AO* (N. J. Nilsson,
/// *Principles of Artificial Intelligence*, 1980).
///
/// # Examples
/// Five levels with two doors each: the left one is safe three times in four but
/// costs provisions, the right one is free and safe half the time.
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

/// Defaults of [`Lazy::eager_below`]: there searching costs about what it saves, in
/// fractions and in floats.
const EAGER_BELOW: [f64; 2] = [0.3, 0.45];

/// What a lazy solver finds of a game `G` in numbers of kind `N`.
type Found<'g, G, N> = Solution<'g, G, N, Sought<G>>;

impl Lazy<'_, Exact> {
    /// The exact value of the start, and optimal decisions.
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
    /// As [`exact`](Lazy::exact), but the values are floats with an error bound
    /// ([`Solution::error`]); where two actions are closer than rounding can tell,
    /// either may be decided for.
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
    /// As [`float`](Lazy::float), with two floats around each value and each
    /// decision proven or said to be undecided.
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
    /// No score of the game is below `lower` or above `upper`.
    ///
    /// Where nothing else is known, this bounds every state. Without it, nothing
    /// is skipped but by [`bounds`](Lazy::bounds).
    ///
    /// # Examples
    /// A sure win needs no comparison, once it is known that there is nothing
    /// better:
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

    /// What is known of each state: see [`Bounds`]. Replaces what was given
    /// before; a pair of bounds is the tighter of both.
    ///
    /// # Examples
    /// A win for certain, and a door that is known to be no better than even:
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

    /// Whether a state is left as soon as its value is known to be too low (or too
    /// high) to matter to the state that asked for it: alpha-beta for games of
    /// chance, the windows of Star1. Off by default.
    ///
    /// It saves states in trees. Where states are shared it may look into them
    /// several times (no more than three), since the next one to ask may need to
    /// know more.
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

    /// Whether every action that may be optimal is looked into. Off by default: one that is
    /// proven to be no *better* than another is beaten, be it as good, and is not known
    /// afterwards.
    ///
    /// With it, the [best](Solution::best) actions of every state kept are those of
    /// [`Solver::exact`]. The price is that a sure win is a reason to stop no more: wherever
    /// bounds alone do not show that an action is worse, it is followed to its end. So
    /// a cycle there is found, too.
    ///
    /// # Examples
    /// Both doors win for certain; one suffices to know it.
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

    /// Gives up searching where it does not pay: if in the states solved so far,
    /// if any, less than this part of all outcomes could be skipped (asked after 256 states
    /// visited, 512, and so on to 8,192), all states are visited and solved eagerly.
    /// 0.3 for exact values and 0.45 for floats, which are cheaper, unless said
    /// otherwise; 0, or less, never gives up, which is right where the whole game is too
    /// large to be visited; above 1 it always does. `NaN` is an [`Error::BadParameter`]
    /// when the game is solved.
    ///
    /// What was visited by then is not lost (but for a thousand states at most, that
    /// are visited anew), so the answer takes little longer than an eager solver's;
    /// [`Effort::eager`] tells.
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
    /// let wanted = "the part of outcomes to be skipped (`eager_below`) must be a number, not NaN";
    /// assert_eq!(error.to_string(), wanted);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn eager_below(mut self, part: f64) -> Self {
        self.eager_below = part;
        self
    }

    /// Gives up with [`Error::TooManyStates`] if more states are met (20 million
    /// unless said otherwise); those seen as outcomes only count, too.
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

    /// Gives up with [`Error::OutcomesOutgrow`] beyond so many outcomes of the states
    /// visited (a billion unless said otherwise), as [`Solver::max_outcomes`] counts them.
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

    /// Gives up with [`Error::TooMuchMemory`] if the bounds of the states met, or
    /// the values of those kept, would need more than so many bytes (4 GiB unless
    /// said otherwise), or, within [`Error::InState`], the outcomes of one state while
    /// they are written (4,096 are in any case). States and outcomes that are kept are not counted.
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

    /// Calls `observer` every 4,096 states visited and at the end of each phase;
    /// breaking off cancels the work with [`Error::Cancelled`].
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

    /// The value of `start`, and optimal play from there.
    ///
    /// # Errors
    /// As for [`Solver::solve`]; [`Error::BadParameter`] for a range or a part to be
    /// [skipped](Lazy::eager_below) that is no number; [`Error::BadBound`] if bounds or range
    /// contradict each other or any value that was computed by searching, with the
    /// state in which they do. A wrong bound of a state that was skipped because of
    /// it is not found, nor one of a state that was solved eagerly, once the search
    /// had [given up](Lazy::eager_below).
    ///
    /// # Complexity
    /// Every state met is hashed and bounded once. A state visited compares its
    /// choices, reading all their outcomes, up to 16 times a choice; mostly once a
    /// choice. What may be optimal is then solved as by [`Solver`].
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

    /// Solves a cheaper game first, for upper bounds: see [`Relaxation`]. They are
    /// used together with those given.
    ///
    /// # Errors
    /// As for [`solve`](Lazy::solve), for either game.
    ///
    /// # Examples
    /// Two levels left, and provisions for both: bounds from plenty of them are exact.
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
        // Before the other game is solved.
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

    /// The range as floats around it, if that and all else that was set makes sense.
    fn interval(&self) -> Result<Interval, Error> {
        if self.eager_below.is_nan() {
            return Err(Error::BadParameter {
                parameter: "the part of outcomes to be skipped (`eager_below`)",
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

/// Compares exact values with the bounds given, where floats could not.
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
