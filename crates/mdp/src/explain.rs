//! Explanations of decisions.

use std::fmt;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use crate::explicit::beyond_floats;
use crate::{Appraisal, Player};

/// The value of a state and of each of its actions, with the probability and the value of each
/// outcome. It is displayed as a short text.
///
/// The text has one line for each action, with `+` before the one decided on. Below it, there is
/// one line for each outcome, the likeliest first; if there are more than seven, only six are
/// listed. Where chance moves, there are only outcomes. Whoever wants the lower value is called the
/// opponent, even in a game [aimed](crate::Aimed) at as little as possible of a quantity.
///
/// # Examples
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
/// assert_eq!(
///     solution.explain(&(1, 3))?.to_string(),
///     "(1, 3) is worth 7/2 = 3.5\n\
///      - \"keep\": 3; 1/2 = 0.5 less\n    \
///          1 to (0, 3), worth 3\n\
///      + \"roll\": 7/2 = 3.5; best\n    \
///          1/6 = 0.16666666666666666 to (0, 1), worth 1\n    \
///          1/6 = 0.16666666666666666 to (0, 2), worth 2\n    \
///          1/6 = 0.16666666666666666 to (0, 3), worth 3\n    \
///          1/6 = 0.16666666666666666 to (0, 4), worth 4\n    \
///          1/6 = 0.16666666666666666 to (0, 5), worth 5\n    \
///          1/6 = 0.16666666666666666 to (0, 6), worth 6\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "S: serde::Serialize, A: serde::Serialize, V: crate::written::Written"
    ))
)]
#[non_exhaustive]
pub struct Explanation<S, A, V> {
    /// The state that was queried.
    pub state: S,
    /// The state in words, as the game [describes](crate::Game::describe) it.
    pub words: String,
    /// The value of the state.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub value: V,
    /// Who decides. It has no meaning where there is no decision.
    pub player: Player,
    /// The actions in the order of `expand`.
    pub choices: Vec<Appraisal<A, V>>,
    /// The outcomes of each action: a single entry where chance moves, and none where the game
    /// ends.
    pub prospects: Vec<Prospect<S, V>>,
}

/// The outcomes of an action or of a chance move.
///
/// The value of an action is its reward plus the values of its outcomes, weighted by their
/// probabilities.
///
/// # Examples
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
/// let explanation = solution.explain(&(2, 4))?;
/// let roll = &explanation.prospects[1]; // of explanation.choices[1]
/// assert_eq!(roll.outcomes.len(), 6);
/// assert_eq!(roll.outcomes[5].state, (1, 6));
/// assert_eq!(roll.outcomes[5].chance.to_string(), "1/6");
/// assert_eq!(roll.outcomes[0].value.to_string(), "7/2"); // a 1 is rolled again
/// assert_eq!(roll.reward.to_string(), "0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "S: serde::Serialize, V: crate::written::Written"))
)]
#[non_exhaustive]
pub struct Prospect<S, V> {
    /// The reward that is paid at once.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub reward: V,
    /// The outcomes, the likeliest first. Equally likely ones are always in the same order, with
    /// the state itself after them.
    pub outcomes: Vec<Outcome<S, V>>,
}

/// One outcome of an action, or of a move of chance.
///
/// # Examples
/// ```
#[doc = include_str!("../docs/keep_or_roll.txt")]
/// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
/// let explanation = solution.explain(&(1, 6))?;
/// let kept = &explanation.prospects[0].outcomes[0];
/// assert_eq!((kept.state, kept.words.as_str()), ((0, 6), "(0, 6)"));
/// assert_eq!((kept.chance.to_string(), kept.value.to_string()), ("1".into(), "6".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "S: serde::Serialize, V: crate::written::Written"))
)]
#[non_exhaustive]
pub struct Outcome<S, V> {
    /// The state.
    pub state: S,
    /// The state in words, as the game [describes](crate::Game::describe) it.
    pub words: String,
    /// The probability of the outcome.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub chance: V,
    /// The value of the outcome. If the action leads back to its state, this is the value of the
    /// action, since it will be taken again.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "crate::written::value::serialize")
    )]
    pub value: V,
}

/// Displays a number for human readers: a fraction with its decimals, an integer or a float alone,
/// and only the decimals of a fraction longer than 40 characters. If that fraction is outside the
/// range of floats, they are 17 digits and an exponent.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{Readable, Score};
///
/// let quarter = Score::from((1, 4)).to_ratio();
/// assert_eq!(quarter.map(|q| Readable(&q).to_string()), Some("1/4 = 0.25".into()));
/// assert_eq!(Readable(&0.25).to_string(), "0.25");
///
/// let tiny = Score::from((1, 3)).to_ratio().map(|third| third.pow(800));
/// assert_eq!(tiny.map(|t| Readable(&t).to_string()), Some("2.0090753457532981e-382".into()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Readable<'v, V>(pub &'v V);

impl<V: fmt::Display + ToPrimitive> fmt::Display for Readable<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let (true, Some(float)) = (text.contains('/'), self.0.to_f64()) else {
            return f.write_str(&text);
        };
        if text.len() <= 40 {
            return write!(f, "{text} = {float}");
        }
        // Only a long fraction can be too large or too small for a float.
        let beyond = !float.is_finite() || float == 0.0;
        let number = beyond.then(|| text.parse::<BigRational>().ok()).flatten();
        match number.filter(|number| !number.is_zero()) {
            Some(number) => f.write_str(&beyond_floats(&number)),
            None => write!(f, "{float}"),
        }
    }
}

impl<S, A, V> fmt::Display for Explanation<S, A, V>
where
    A: fmt::Debug,
    V: fmt::Display + ToPrimitive + Zero,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is worth {}", self.words, Readable(&self.value))?;
        let worse = match self.player {
            Player::Max => "less",
            Player::Min => "more",
        };
        if self.player == Player::Min && !self.choices.is_empty() {
            write!(f, "; the opponent decides")?;
        }
        if self.choices.is_empty() && !self.prospects.is_empty() {
            write!(f, "; chance moves")?;
        }
        writeln!(f)?;
        let ties = self.choices.iter().filter(|choice| choice.optimal).count();
        if self.choices.is_empty() {
            self.prospects
                .iter()
                .try_for_each(|chance| chance.list(f))?;
        }
        for (choice, prospect) in self.choices.iter().zip(&self.prospects) {
            let mark = if choice.decided { '+' } else { '-' };
            write!(
                f,
                "{mark} {:?}: {}; ",
                choice.action,
                Readable(&choice.value)
            )?;
            match (choice.optimal, ties) {
                (true, 1) => writeln!(f, "best")?,
                (true, 2) => writeln!(f, "best, tied with 1 other")?,
                (true, _) => writeln!(f, "best, tied with {} others", ties - 1)?,
                _ => writeln!(f, "{} {worse}", Readable(&choice.gap))?,
            }
            prospect.list(f)?;
        }
        Ok(())
    }
}

/// The maximum number of outcomes listed, unless there is only one more.
const LISTED: usize = 6;

impl<S, V: fmt::Display + ToPrimitive + Zero> Prospect<S, V> {
    fn list(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.reward.is_zero() {
            writeln!(f, "    pays {}", Readable(&self.reward))?;
        }
        let listed = match self.outcomes.len() {
            few if few <= LISTED + 1 => few,
            _ => LISTED,
        };
        for outcome in &self.outcomes[..listed] {
            let (chance, value) = (Readable(&outcome.chance), Readable(&outcome.value));
            writeln!(f, "    {chance} to {}, worth {value}", outcome.words)?;
        }
        match self.outcomes.len() - listed {
            0 => Ok(()),
            more => writeln!(f, "    … and {more} more"),
        }
    }
}
