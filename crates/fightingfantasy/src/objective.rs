//! Objectives: what the hero fights for.

use std::fmt;
use std::sync::Arc;

use oddsmith_mdp::Score;

/// The ways a fight can end.
///
/// # Examples
/// A hero who runs has survived, but has not won:
/// ```
/// use oddsmith_fightingfantasy::{End, Ending, Objective};
/// let ran = End::new(Ending::Escaped, 4, 9);
/// assert_eq!(Objective::survival().score_of(ran), 1.into());
/// assert_eq!(Objective::victory().score_of(ran), 0.into());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Ending {
    /// The hero is dead.
    Defeat,
    /// The hero ran.
    Escaped,
    /// The hero held out for the required number of rounds.
    HeldOut,
    /// All foes are dead.
    Victory,
}

/// The end of a fight: how it ended, and the hero's STAMINA and LUCK after it.
///
/// # Examples
/// An objective maps an end to its worth:
/// ```
/// use oddsmith_fightingfantasy::{End, Ending, Objective};
/// let left = Objective::of(|end| end.stamina + end.luck);
/// assert_eq!(left.score_of(End::new(Ending::Victory, 5, 12)), 17.into());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct End {
    /// How the fight ended.
    pub ending: Ending,
    /// The hero's STAMINA; 0 after a defeat.
    pub stamina: u16,
    /// The hero's LUCK.
    pub luck: u16,
}

impl End {
    /// Returns whether the fight was won or held out to its end.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending};
    /// assert!(End::new(Ending::Victory, 3, 0).is_success());
    /// assert!(!End::new(Ending::Escaped, 3, 0).is_success());
    /// ```
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(self.ending, Ending::Victory | Ending::HeldOut)
    }

    /// Creates an end from these values.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending};
    /// let end = End::new(Ending::HeldOut, 3, 7);
    /// assert_eq!((end.ending, end.stamina, end.luck), (Ending::HeldOut, 3, 7));
    /// ```
    #[must_use]
    pub fn new(ending: Ending, stamina: u16, luck: u16) -> Self {
        End {
            ending,
            stamina,
            luck,
        }
    }
}

/// What a value measures: its name, and whether it is a probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measure {
    pub(crate) name: &'static str,
    pub(crate) chance: bool,
}

impl Measure {
    pub(crate) const VICTORY: Measure = Measure::chance("victory");
    /// The worth by any score.
    pub(crate) const WORTH: Measure = Measure::mean("worth");

    const fn chance(name: &'static str) -> Self {
        Measure { name, chance: true }
    }

    const fn mean(name: &'static str) -> Self {
        Measure {
            name,
            chance: false,
        }
    }
}

type Scoring = Arc<dyn Fn(End) -> Score + Send + Sync>;

/// The worth of each possible end of a fight. The solvers maximise its expectation.
///
/// The paper maximises the chance of [`victory`](Objective::victory). In its Discussion, it
/// proposes to preserve some STAMINA or LUCK "for the rest of the adventure"; the other objectives
/// serve this purpose.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Objective};
///
/// let duel = Duel::new(Hero::new(10, 12, 12)?, Foe::new(12, 12)?);
/// let alive = duel.clone().best_luck_f64()?.value();
/// let well = duel.objective(Objective::stamina_at_least(6)).best_luck_f64()?.value();
/// assert_eq!((format!("{alive:.4}"), format!("{well:.4}")), ("0.4141".into(), "0.2203".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Objective {
    measure: Measure,
    score: Scoring,
}

impl Objective {
    /// Scores 1 for a success and 0 for anything else. The value is the chance of victory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending, Objective};
    /// assert_eq!(Objective::victory().score_of(End::new(Ending::Victory, 1, 0)), 1.into());
    /// ```
    #[must_use]
    pub fn victory() -> Self {
        Self::named(Measure::VICTORY, |end| end.is_success().into())
    }

    /// Scores 1 unless the hero dies.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending, Objective};
    /// assert_eq!(Objective::survival().score_of(End::new(Ending::Escaped, 1, 0)), 1.into());
    /// ```
    #[must_use]
    pub fn survival() -> Self {
        Self::named(Measure::chance("survival"), |end| {
            (end.ending != Ending::Defeat).into()
        })
    }

    /// Scores 1 for a success with at least this much STAMINA.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending, Objective};
    /// let six = Objective::stamina_at_least(6);
    /// assert_eq!(six.score_of(End::new(Ending::Victory, 5, 12)), 0.into());
    /// ```
    #[must_use]
    pub fn stamina_at_least(floor: u16) -> Self {
        Self::named(
            Measure::chance("victory with STAMINA to spare"),
            move |end| (end.is_success() && end.stamina >= floor).into(),
        )
    }

    /// Scores 1 for a success with at least this much LUCK.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending, Objective};
    /// let eight = Objective::luck_at_least(8);
    /// assert_eq!(eight.score_of(End::new(Ending::Victory, 1, 8)), 1.into());
    /// ```
    #[must_use]
    pub fn luck_at_least(floor: u16) -> Self {
        Self::named(Measure::chance("victory with LUCK to spare"), move |end| {
            (end.is_success() && end.luck >= floor).into()
        })
    }

    /// Scores the STAMINA left after a success, and 0 otherwise.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending, Objective};
    /// assert_eq!(Objective::stamina_kept().score_of(End::new(Ending::Victory, 5, 12)), 5.into());
    /// ```
    #[must_use]
    pub fn stamina_kept() -> Self {
        Self::named(Measure::mean("STAMINA kept in victory"), |end| {
            if end.is_success() { end.stamina } else { 0 }.into()
        })
    }

    /// Scores the STAMINA left, which is 0 only for a dead hero.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending, Objective};
    /// assert_eq!(Objective::stamina_of_survivor().score_of(End::new(Ending::Escaped, 5, 1)), 5.into());
    /// ```
    #[must_use]
    pub fn stamina_of_survivor() -> Self {
        Self::named(Measure::mean("STAMINA of a survivor"), |end| {
            end.stamina.into()
        })
    }

    /// Scores the LUCK left after a success, and 0 otherwise.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending, Objective};
    /// assert_eq!(Objective::luck_kept().score_of(End::new(Ending::Victory, 5, 12)), 12.into());
    /// ```
    #[must_use]
    pub fn luck_kept() -> Self {
        Self::named(Measure::mean("LUCK kept in victory"), |end| {
            if end.is_success() { end.luck } else { 0 }.into()
        })
    }

    /// Scores the end by a function with rational values.
    ///
    /// # Examples
    /// A victory is worth 1, plus a twelfth for each point of LUCK kept:
    /// ```
    /// use oddsmith_fightingfantasy::{Duel, Foe, Hero, Objective, Score};
    ///
    /// let both = Objective::of(|end| match end.is_success() {
    ///     true => Score::from((12 + i64::from(end.luck), 12)),
    ///     false => Score::from(0),
    /// });
    /// let duel = Duel::new(Hero::new(10, 12, 12)?, Foe::new(12, 12)?).objective(both);
    /// assert_eq!(format!("{:.5}", duel.best_luck_f64()?.value()), "0.70923");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of<T: Into<Score>>(end: impl Fn(End) -> T + Send + Sync + 'static) -> Self {
        Self::named(Measure::WORTH, move |ended| end(ended).into())
    }

    /// Whether this is [`victory`](Objective::victory), for which there are closed forms.
    pub(crate) fn is_victory(&self) -> bool {
        self.measure == Measure::VICTORY
    }

    /// What the expectation of the score measures.
    pub(crate) fn measure(&self) -> Measure {
        self.measure
    }

    /// Returns the worth of this end.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{End, Ending, Objective};
    /// let kept = Objective::stamina_kept();
    /// assert_eq!(kept.score_of(End::new(Ending::HeldOut, 7, 3)), 7.into());
    /// assert_eq!(kept.score_of(End::new(Ending::Escaped, 7, 3)), 0.into());
    /// ```
    #[must_use]
    pub fn score_of(&self, end: End) -> Score {
        (self.score)(end)
    }

    fn named(measure: Measure, score: impl Fn(End) -> Score + Send + Sync + 'static) -> Self {
        Objective {
            measure,
            score: Arc::new(score),
        }
    }
}

impl Default for Objective {
    fn default() -> Self {
        Objective::victory()
    }
}

impl fmt::Debug for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Objective({})", self.measure.name)
    }
}
