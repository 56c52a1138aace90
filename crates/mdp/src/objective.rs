//! What a game is played for.

use std::fmt;
use std::sync::Arc;

use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::{Error, Score, Steps};

/// A score from the state in which the game ends.
type Ends<'g, S> = Arc<dyn Fn(&S) -> Score + Send + Sync + 'g>;

/// A quantity of which the expectation is to be as high as possible, or
/// [as low](Objective::minimized).
///
/// What its expectation is under the best play for it tells
/// [`Aimed`](crate::Aimed), a game; under the best play for several objectives one
/// after the other, [`Solver::lexicographic`](crate::Solver::lexicographic); under a
/// policy, [`Solver::evaluate_all`](crate::Solver::evaluate_all). An opponent wants
/// the contrary.
///
/// # Examples
/// A die is rolled up to three times, the last roll counts:
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

/// What a quantity is made of.
enum Term<'g, S> {
    /// The score of the end, and all rewards.
    Score,
    End(Ends<'g, S>),
    /// Whether the score of the end is so high.
    AtLeast(Score),
    Steps(Steps),
}

/// A weighted sum has no more terms than that, and no more objectives are solved one after the other.
pub(crate) const MOST_TERMS: usize = 1_000;
/// So long may the name of a sum be, in bytes, before the rest of its terms is only counted.
const LONG: usize = 400;

/// The name of a sum: sums of sums would be called by ever longer ones.
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
    /// Whether both are the same.
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

    /// The expected score: of the end, and all rewards on the way.
    ///
    /// # Examples
    /// What is paid on the way counts:
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

    /// The expectation of something read off the end; rewards do not count.
    ///
    /// # Examples
    /// The square of what a single roll shows:
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
    /// That is the score of the end. A game that pays rewards on the way is
    /// [refused](Error::RewardOnTheWay), since the total is not known from the end
    /// alone: give it as [`Totalled`](crate::Totalled).
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

    /// The expected number of moves, or of decisions. Each time that play stays in
    /// a state is a move, too.
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

    /// The expected number of moves, which is to be low.
    ///
    /// # Examples
    /// Who is in a hurry keeps a 1:
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

    /// The expected number of moves, which is to be high.
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

    /// The same quantity, to be as low as possible (or high again). Its values are
    /// those of the quantity all the same, not negative ones.
    ///
    /// # Examples
    /// Who wants few pips rolls a 6 again:
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

    /// A weighted sum, to be as high as possible; what is to be low counts as its
    /// negative.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a weight that is no number, and for more than a thousand terms, so
    /// that a list without end is told.
    ///
    /// # Examples
    /// Each move, keeping included, costs a pip:
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
                    allowed: "at most a thousand",
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

    /// The same under another name, by which texts call it.
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

    /// What it is called.
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

    /// Whether it is to be low.
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

    /// What an end is worth that the game gives this score.
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

    /// What a move pays that the game itself rewards like this; `decided` if it is
    /// a player's. `None` if it pays nothing.
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

    /// What is wrong with it, whatever the game.
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

    /// Whether it cannot see what is paid on the way, but should.
    pub(crate) fn reads_score_of_end(&self) -> bool {
        let mut terms = self.terms.iter();
        terms.any(|(_, term)| matches!(term, Term::AtLeast(_)))
    }
}

/// 1 if `score` is at least `least`, otherwise 0; no number if one is none.
fn at_least(score: &Score, least: &Score) -> Score {
    match (score.to_ratio(), least.to_ratio()) {
        (Some(score), Some(least)) => Score::from(score >= least),
        _ => Score::from(f64::NAN),
    }
}

/// Σ weight · score; no number if a score is none.
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
