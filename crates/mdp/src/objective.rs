//! What a game is played for.

use std::fmt;
use std::sync::Arc;

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::{Error, Score, Steps};

/// A score as a function of the state in which the game ends.
type Ends<'g, S> = Arc<dyn Fn(&S) -> Score + Send + Sync + 'g>;

/// A quantity whose expectation is to be as high as possible, or [as low](Objective::minimized).
///
/// Its expectation can be computed under several policies: under the best play for it by
/// [`Aimed`](crate::Aimed), which is a game; under the best play for several objectives one after
/// the other by [`Solver::lexicographic`](crate::Solver::lexicographic); and under a given policy
/// by [`Solver::evaluate_all`](crate::Solver::evaluate_all). An opponent wants the contrary.
///
/// # Examples
/// A die is rolled up to three times, and the last roll counts:
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// use oddsmith_mdp::{Aimed, Objective};
///
/// let value = |objective: Objective<'_, (u8, u8)>| {
///     let aimed = Aimed::new(&KeepOrRoll, objective);
///     Ok::<_, oddsmith_mdp::Error>(Solver::exact().solve(&aimed, (3, 0))?.value().to_string())
/// };
/// assert_eq!(value(Objective::score())?, "14/3");
/// assert_eq!(value(Objective::score().minimized())?, "7/3");
/// assert_eq!(value(Objective::at_least(5))?, "19/27");
/// assert_eq!(value(Objective::of(|end: &(u8, u8)| end.1 % 2 == 0))?, "7/8");
/// assert_eq!(value(Objective::fewest_steps())?, "2"); // a roll, and keep it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Objective<'g, S> {
    name: String,
    minimized: bool,
    terms: Vec<(BigRational, Term<'g, S>)>,
}

/// The definition of a quantity.
enum Term<'g, S> {
    /// The final score and all rewards.
    Score,
    End(Ends<'g, S>),
    /// Whether the final score is at least this high.
    AtLeast(Score),
    Steps(Steps),
}

/// The maximum number of terms of a weighted sum, and of objectives that are solved one after the
/// other.
pub(crate) const MOST_TERMS: usize = 1_000;
/// The maximum length of the name of a sum, in bytes. Further terms are only counted.
const LONG: usize = 400;

/// Builds the name of a sum. Without a limit, sums of sums would have ever longer names.
fn summed(names: &[String]) -> String {
    let mut name = String::new();
    for (number, next) in names.iter().enumerate() {
        if name.len() + next.len() > LONG {
            return match number {
                0 => format!("a sum of {}", names.len()),
                _ => format!("{name} + {} more", names.len() - number),
            };
        }
        name += if number == 0 { "" } else { " + " };
        name += next;
    }
    name
}

impl<S> Term<'_, S> {
    /// Returns whether both are the same.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Term::Score, Term::Score) => true,
            (Term::End(one), Term::End(other)) => Arc::ptr_eq(one, other),
            (Term::AtLeast(one), Term::AtLeast(other)) => one == other,
            (Term::Steps(one), Term::Steps(other)) => one == other,
            _ => false,
        }
    }
}

impl<S> Clone for Term<'_, S> {
    fn clone(&self) -> Self {
        match self {
            Term::Score => Term::Score,
            Term::End(ends) => Term::End(Arc::clone(ends)),
            Term::AtLeast(least) => Term::AtLeast(least.clone()),
            Term::Steps(steps) => Term::Steps(*steps),
        }
    }
}

impl<S> Clone for Objective<'_, S> {
    fn clone(&self) -> Self {
        Objective {
            name: self.name.clone(),
            minimized: self.minimized,
            terms: self.terms.clone(),
        }
    }
}

impl<'g, S> Objective<'g, S> {
    fn of_term(name: impl Into<String>, term: Term<'g, S>) -> Self {
        Objective {
            name: name.into(),
            minimized: false,
            terms: vec![(BigRational::one(), term)],
        }
    }

    /// The expected score: that of the end plus all rewards on the way.
    ///
    /// # Examples
    /// Rewards on the way count:
    /// ```
    /// use oddsmith_mdp::{Aimed, Objective, Solver, Table};
    /// let bet = Table::from_fn(2, |state, row| match state {
    ///     0 => row.end(5),
    ///     _ => {
    ///         row.choice().to(0, 1).reward(-2);
    ///     }
    /// })?;
    /// let net = Aimed::new(&bet, Objective::score());
    /// assert_eq!(Solver::exact().solve(&net, 1)?.value().to_string(), "3"); // 5 − 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn score() -> Self {
        Objective::of_term("score", Term::Score)
    }

    /// The expectation of a function of the final state. Rewards do not count.
    ///
    /// # Examples
    /// The square of a single roll:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Aimed, Objective};
    /// let square = Objective::of(|&(_, pips): &(u8, u8)| u32::from(pips).pow(2));
    /// let squared = Aimed::new(&KeepOrRoll, square);
    /// let solution = Solver::exact().solve(&squared, (1, 0))?;
    /// assert_eq!(solution.value().to_string(), "91/6"); // (1 + 4 + 9 + 16 + 25 + 36) / 6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of<T: Into<Score>>(end: impl Fn(&S) -> T + Send + Sync + 'g) -> Self {
        let ends = Arc::new(move |state: &S| end(state).into());
        Objective::of_term("score of the end", Term::End(ends))
    }

    /// The chance that the score is at least `least`.
    ///
    /// This is about the final score. A game that pays rewards on the way is
    /// [refused](Error::RewardOnTheWay), since the total is not known from the end alone. Use
    /// [`Totalled`](crate::Totalled) for such a game.
    ///
    /// # Examples
    /// A 5 or 6 with two rolls:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Aimed, Objective};
    /// let high = Aimed::new(&KeepOrRoll, Objective::at_least(5));
    /// let solution = Solver::exact().solve(&high, (2, 0))?;
    /// assert_eq!(solution.value().to_string(), "5/9"); // 1 − (2/3)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at_least(least: impl Into<Score>) -> Self {
        let least = least.into();
        Objective::of_term(format!("P(score >= {least})"), Term::AtLeast(least))
    }

    /// The expected number of moves, or of decisions. A move that stays in the same state counts
    /// each time.
    ///
    /// # Examples
    /// A coin is tossed until it shows heads:
    /// ```
    /// use oddsmith_mdp::{Aimed, Objective, Solver, Steps, Table};
    /// let coin = Table::from_fn(2, |state, row| match state {
    ///     0 => row.end(1),
    ///     _ => {
    ///         row.choice().to(0, 1).to(1, 1);
    ///     }
    /// })?;
    /// let tosses = Aimed::new(&coin, Objective::steps(Steps::All));
    /// assert_eq!(Solver::exact().solve(&tosses, 1)?.value().to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn steps(steps: Steps) -> Self {
        let name = match steps {
            Steps::All => "steps",
            Steps::Decisions => "decisions",
        };
        Objective::of_term(name, Term::Steps(steps))
    }

    /// The expected number of moves, to be minimized.
    ///
    /// # Examples
    /// A player in a hurry keeps a 1:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Aimed, Objective};
    /// let hasty = Aimed::new(&KeepOrRoll, Objective::fewest_steps());
    /// let solution = Solver::exact().solve(&hasty, (2, 1))?;
    /// assert_eq!(solution.value().to_string(), "1");
    /// assert_eq!(solution.decision(&(2, 1))?, Some("keep"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fewest_steps() -> Self {
        Objective::steps(Steps::All).minimized()
    }

    /// The expected number of moves, to be maximized.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Aimed, Objective};
    /// let slow = Aimed::new(&KeepOrRoll, Objective::most_steps());
    /// assert_eq!(Solver::exact().solve(&slow, (3, 0))?.value().to_string(), "3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn most_steps() -> Self {
        Objective::steps(Steps::All)
    }

    /// Returns the same quantity, to be minimized (or maximized again if it was minimized). Its
    /// values remain those of the quantity and do not change their sign.
    ///
    /// # Examples
    /// A player who wants few pips rolls a 6 again:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Aimed, Objective};
    /// let low = Aimed::new(&KeepOrRoll, Objective::score().minimized());
    /// let solution = Solver::exact().solve(&low, (1, 6))?;
    /// assert_eq!(solution.value().to_string(), "7/2");
    /// assert_eq!(solution.decision(&(1, 6))?, Some("roll"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn minimized(self) -> Self {
        Objective {
            minimized: !self.minimized,
            ..self
        }
    }

    /// Returns a weighted sum, to be maximized. A term that is to be minimized counts as its
    /// negative.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a weight that is not a number, and for more than a thousand
    /// terms, so that an endless list is detected.
    ///
    /// # Examples
    /// Each move costs a pip, including the move that keeps the roll:
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// use oddsmith_mdp::{Aimed, Objective};
    /// let terms = [(1, Objective::score()), (1, Objective::fewest_steps())];
    /// let costly = Aimed::new(&KeepOrRoll, Objective::weighted(terms)?);
    /// let solution = Solver::exact().solve(&costly, (3, 0))?;
    /// assert_eq!(solution.value().to_string(), "17/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weighted<W: Into<Score>>(
        objectives: impl IntoIterator<Item = (W, Objective<'g, S>)>,
    ) -> Result<Self, Error> {
        let mut terms: Vec<(BigRational, Term<'g, S>)> = Vec::new();
        let mut names = Vec::new();
        for (weight, objective) in objectives.into_iter().take(MOST_TERMS + 1) {
            let weight = weight.into();
            let bad = || Error::BadParameter {
                parameter: "a weight of an objective",
                given: weight.to_string(),
                allowed: "a finite rational number",
            };
            let mut ratio = weight.to_ratio().ok_or_else(bad)?;
            if objective.minimized {
                ratio = -ratio;
            }
            names.push(format!("({ratio}) {}", objective.name));
            for (of, term) in objective.terms {
                let scaled = of * &ratio;
                match terms.iter_mut().find(|(_, known)| known.is(&term)) {
                    Some((known, _)) => *known += scaled,
                    None => terms.push((scaled, term)),
                }
            }
            if names.len() > MOST_TERMS || terms.len() > MOST_TERMS {
                return Err(Error::BadParameter {
                    parameter: "the number of terms of a weighted sum",
                    given: format!("more than {MOST_TERMS}"),
                    allowed: "at most 1,000",
                });
            }
        }
        terms.retain(|(weight, _)| !weight.is_zero());
        Ok(Objective {
            name: summed(&names),
            minimized: false,
            terms,
        })
    }

    /// Returns the same objective under another name, which is used in texts.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Objective;
    /// let win = Objective::<u8>::at_least(1).named("win");
    /// assert_eq!(win.name(), "win");
    /// assert_eq!(Objective::<u8>::at_least(1).name(), "P(score >= 1)");
    /// ```
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Objective {
            name: name.into(),
            ..self
        }
    }

    /// Returns the name.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Objective, Steps};
    /// assert_eq!(Objective::<u8>::score().name(), "score");
    /// assert_eq!(Objective::<u8>::steps(Steps::Decisions).name(), "decisions");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the quantity is to be minimized.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Objective;
    /// assert!(Objective::<u8>::fewest_steps().is_minimized());
    /// assert!(!Objective::<u8>::fewest_steps().minimized().is_minimized());
    /// ```
    #[must_use]
    pub fn is_minimized(&self) -> bool {
        self.minimized
    }

    /// Returns the value of an end that has this score in the game.
    pub(crate) fn end(&self, state: &S, score: &Score) -> Score {
        let worth = |term: &Term<'g, S>| match term {
            Term::Score => score.clone(),
            Term::End(ends) => ends(state),
            Term::AtLeast(least) => at_least(score, least),
            Term::Steps(_) => Score::from(0),
        };
        match &self.terms[..] {
            [(weight, term)] if weight.is_one() => worth(term),
            terms => added(terms.iter().map(|(weight, term)| (weight, worth(term)))),
        }
    }

    /// Returns the reward of a move that has this reward in the game; `decided` if it is a player's
    /// decision. `None` if it pays nothing.
    pub(crate) fn reward(&self, own: Option<&Score>, decided: bool) -> Option<Score> {
        let worth = |term: &Term<'g, S>| match term {
            Term::Score => own.cloned(),
            Term::Steps(Steps::All) => Some(Score::from(1)),
            Term::Steps(Steps::Decisions) => decided.then(|| Score::from(1)),
            Term::End(_) | Term::AtLeast(_) => None,
        };
        match &self.terms[..] {
            [(weight, term)] if weight.is_one() => worth(term),
            terms => {
                let paying = terms.iter();
                let mut paying = paying
                    .filter_map(|(weight, term)| Some((weight, worth(term)?)))
                    .peekable();
                paying.peek()?;
                Some(added(paying))
            }
        }
    }

    /// Returns an error if the objective is invalid for every game.
    pub(crate) fn invalid(&self) -> Option<Error> {
        let bad = |(_, term): &(BigRational, Term<'_, S>)| match term {
            Term::AtLeast(least) if !least.is_valid() => Some(Error::BadParameter {
                parameter: "the least score of an objective",
                given: least.to_string(),
                allowed: "a finite rational number",
            }),
            _ => None,
        };
        self.terms.iter().find_map(bad)
    }

    /// Returns whether the objective depends on the total but cannot see rewards on the way.
    pub(crate) fn reads_score_of_end(&self) -> bool {
        let mut terms = self.terms.iter();
        terms.any(|(_, term)| matches!(term, Term::AtLeast(_)))
    }
}

/// Returns 1 if `score` is at least `least`, otherwise 0. The result is not a number if either of
/// them is not.
fn at_least(score: &Score, least: &Score) -> Score {
    match score.is_valid() && least.is_valid() {
        true => Score::from(score >= least),
        false => Score::from(f64::NAN),
    }
}

/// Returns Σ weight · score, which is not a number if a score is not.
fn added<'w>(terms: impl Iterator<Item = (&'w BigRational, Score)>) -> Score {
    let mut sum = BigRational::zero();
    for (weight, score) in terms {
        match score.to_ratio() {
            Some(ratio) => sum += weight * ratio,
            None => return score,
        }
    }
    Score::from(sum)
}

impl<S> fmt::Debug for Objective<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sense = if self.minimized { "low" } else { "high" };
        write!(f, "Objective({sense} {})", self.name)
    }
}
