//! Cheaper games that bound a game.

use std::fmt;
use std::marker::PhantomData;

use super::interval::{ANYTHING, Interval};
use crate::explored::Explored;
use crate::model::Model;
use crate::{Bounds, Certified, Error, Game, Score, Solution, Solver};

/// A cheaper game that is never worse for the player and thus gives upper bounds.
///
/// Leave out a cost, make a resource unlimited, or let the player know the dice beforehand. The
/// game that remains has fewer states, and its values are upper bounds on the true ones. An
/// implementation promises that, for every state `s` of the game `G`, the value of
/// [`relax(s)`](Relaxation::relax) in [`game`](Relaxation::game) is no less than that of `s`. This
/// holds if each choice at `s` has a counterpart at `relax(s)` that leads to the relaxed outcomes
/// with the same probabilities, and if no relaxed end is worth less than the original one. More
/// choices do no harm. Where an opponent decides, it is the other way round: each choice of the
/// relaxed game needs a counterpart in the original one.
///
/// A cheaper game that is never *better* for the player gives lower bounds in the same way. See
/// [`Relaxed::below`].
///
/// # Examples
/// Five levels with two doors each. The left door is safe three times in four but costs provisions;
/// the right one is free and safe half the time. With unlimited provisions, the level alone is the
/// state.
/// ```
/// use oddsmith_mdp::{Game, Lazy, Node, Relaxation};
///
/// #[derive(Clone, Copy, Debug)]
/// struct Levels { free: bool }
///
/// impl Game for Levels {
///     type State = (u8, u8); // level, provisions; level 6 is death
///     type Action = &'static str;
///     fn expand(&self, &(level, food): &(u8, u8), node: &mut Node<Self>) {
///         if level >= 5 {
///             return node.end(level == 5);
///         }
///         let cost = u8::from(!self.free);
///         if food >= cost {
///             node.choice("left").to((level + 1, food - cost), 3).to((6, 0), 1);
///         }
///         node.choice("right").to((level + 1, food), 1).to((6, 0), 1);
///     }
/// }
///
/// struct Plenty(Levels);
/// impl Relaxation<Levels> for Plenty {
///     type Relaxed = Levels;
///     fn game(&self) -> &Levels {
///         &self.0
///     }
///     fn relax(&self, &(level, _): &(u8, u8)) -> (u8, u8) {
///         (level, 0)
///     }
/// }
///
/// let plenty = Plenty(Levels { free: true });
/// let solution = Lazy::exact()
///     .range(0, 1)
///     .solve_relaxed(&Levels { free: false }, &plenty, (0, 2))?;
/// assert_eq!(solution.value().to_string(), "9/128");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Relaxation<G: Game + ?Sized> {
    /// The type of the cheaper game.
    type Relaxed: Game;

    /// Returns the cheaper game.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/levels.txt")]
    /// use oddsmith_mdp::{Relaxation, Solver};
    /// let plenty = Plenty(Levels { free: true });
    /// let solution = Solver::exact().solve(plenty.game(), (4, 0))?;
    /// assert_eq!(solution.value().to_string(), "3/4"); // 1/2 if food is needed
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn game(&self) -> &Self::Relaxed;

    /// Returns a state of the cheaper game that is at least as good as `state`.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/levels.txt")]
    /// use oddsmith_mdp::Relaxation;
    /// let plenty = Plenty(Levels { free: true }); // the level alone matters
    /// assert_eq!(plenty.relax(&(3, 2)), (3, 0));
    /// ```
    fn relax(&self, state: &G::State) -> <Self::Relaxed as Game>::State;
}

/// The values of a cheaper game, solved eagerly, as [`Bounds`] on the original game.
///
/// The cheaper game is solved in certified floats, and the outer ends of their enclosures are the
/// bounds, so rounding loses no more than a part in 10¹³. A state whose relaxed state was not
/// visited has no bound.
///
/// # Examples
/// ```
#[doc = include_str!("../../docs/levels.txt")]
/// use oddsmith_mdp::{Bounds, Lazy, Relaxed};
///
/// let plenty = Plenty(Levels { free: true });
/// let relaxed = Relaxed::above(&plenty, &(0, 2))?;
/// assert_eq!(relaxed.len(), 7); // six levels and death
/// let bound = relaxed.upper(&(2, 1)).map(|score| score.to_f64());
/// assert!(bound.is_some_and(|bound| (bound - 27.0 / 64.0).abs() < 1e-14));
///
/// let game = Levels { free: false };
/// let solution = Lazy::exact().range(0, 1).bounds(relaxed).solve(&game, (0, 2))?;
/// assert_eq!(solution.value().to_string(), "9/128");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Relaxed<'r, G: Game + ?Sized, R: Relaxation<G>> {
    relaxation: &'r R,
    solution: Solution<'r, R::Relaxed, Certified, Explored<R::Relaxed>>,
    side: Side,
    of: PhantomData<fn(&G)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

impl<'r, G: Game + ?Sized, R: Relaxation<G>> Relaxed<'r, G, R> {
    /// Computes upper bounds: the cheaper game is never worse for the player.
    ///
    /// # Errors
    /// Those of solving the cheaper game. See [`Solver::solve`].
    ///
    /// # Complexity
    /// That of [`Solver::certified`] for the cheaper game, from the relaxed `start`.
    ///
    /// # Examples
    /// Two levels with provisions for one, and with unlimited provisions:
    /// ```
    #[doc = include_str!("../../docs/levels.txt")]
    /// use oddsmith_mdp::{Bounds, Relaxed, Solver};
    /// let plenty = Plenty(Levels { free: true });
    /// let relaxed = Relaxed::above(&plenty, &(3, 1))?;
    /// let bound = relaxed.upper(&(3, 1)).map(|score| score.to_f64());
    /// assert!(bound.is_some_and(|bound| bound >= 9.0 / 16.0 && bound < 0.5626));
    /// let solution = Solver::exact().solve(&Levels { free: false }, (3, 1))?;
    /// assert_eq!(solution.value().to_string(), "3/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn above(relaxation: &'r R, start: &G::State) -> Result<Self, Error> {
        Relaxed::solve(Solver::certified(), relaxation, start, Side::Above)
    }

    /// Computes lower bounds: the cheaper game is never better for the player.
    ///
    /// # Errors
    /// The same as for [`above`](Relaxed::above).
    ///
    /// # Examples
    /// Without any provisions:
    /// ```
    #[doc = include_str!("../../docs/levels.txt")]
    /// use oddsmith_mdp::{Bounds, Lazy, Relaxation, Relaxed};
    ///
    /// struct Starving(Levels);
    /// impl Relaxation<Levels> for Starving {
    ///     type Relaxed = Levels;
    ///     fn game(&self) -> &Levels { &self.0 }
    ///     fn relax(&self, &(level, _): &(u8, u8)) -> (u8, u8) { (level, 0) }
    /// }
    /// let game = Levels { free: false };
    /// let starving = Starving(game);
    /// let below = Relaxed::below(&starving, &(0, 2))?;
    /// let bound = below.lower(&(2, 1)).map(|score| score.to_f64());
    /// assert!(bound.is_some_and(|bound| bound <= 0.125 && bound > 0.1249)); // 1/2 cubed
    ///
    /// let plenty = Plenty(Levels { free: true });
    /// let both = (Relaxed::above(&plenty, &(0, 2))?, below);
    /// let solution = Lazy::exact().range(0, 1).bounds(both).solve(&game, (0, 2))?;
    /// assert_eq!(solution.value().to_string(), "9/128");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn below(relaxation: &'r R, start: &G::State) -> Result<Self, Error> {
        Relaxed::solve(Solver::certified(), relaxation, start, Side::Below)
    }

    pub(super) fn above_by(
        solver: Solver<'_, Certified>,
        relaxation: &'r R,
        start: &G::State,
    ) -> Result<Self, Error> {
        Relaxed::solve(solver, relaxation, start, Side::Above)
    }

    fn solve(
        solver: Solver<'_, Certified>,
        relaxation: &'r R,
        start: &G::State,
        side: Side,
    ) -> Result<Self, Error> {
        Ok(Relaxed {
            relaxation,
            solution: solver.solve(relaxation.game(), relaxation.relax(start))?,
            side,
            of: PhantomData,
        })
    }

    /// Returns the number of states of the cheaper game.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/levels.txt")]
    /// use oddsmith_mdp::Relaxed;
    /// let plenty = Plenty(Levels { free: true });
    /// assert_eq!(Relaxed::above(&plenty, &(1, 9))?.len(), 6); // levels 1 to 5, and death
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.solution.len()
    }

    /// Always returns `false`: there is at least the start.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/levels.txt")]
    /// use oddsmith_mdp::Relaxed;
    /// let plenty = Plenty(Levels { free: true });
    /// let relaxed = Relaxed::above(&plenty, &(4, 0))?;
    /// assert_eq!((relaxed.len(), relaxed.is_empty()), (3, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.solution.is_empty()
    }

    fn enclosure(&self, state: &G::State) -> Option<Interval> {
        let relaxed = self.relaxation.relax(state);
        let model = self.solution.model();
        let number = model.number(self.solution.game(), &relaxed)?;
        Some(self.solution.store().enclosure(number))
    }
}

impl<G: Game + ?Sized, R: Relaxation<G>> Bounds<G::State> for Relaxed<'_, G, R> {
    fn lower(&self, state: &G::State) -> Option<Score> {
        let [lower, _] = self.enclosure(state).filter(|_| self.side == Side::Below)?;
        Some(Score::from(lower))
    }

    fn upper(&self, state: &G::State) -> Option<Score> {
        let [_, upper] = self.enclosure(state).filter(|_| self.side == Side::Above)?;
        Some(Score::from(upper))
    }

    #[inline]
    fn interval(&self, state: &G::State) -> Option<Interval> {
        Some(match (self.enclosure(state), self.side) {
            (None, _) => ANYTHING,
            (Some([_, upper]), Side::Above) => [f64::NEG_INFINITY, upper],
            (Some([lower, _]), Side::Below) => [lower, f64::INFINITY],
        })
    }
}

impl<G: Game + ?Sized, R: Relaxation<G>> fmt::Debug for Relaxed<'_, G, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Relaxed({:?}, {} states)", self.side, self.len())
    }
}
