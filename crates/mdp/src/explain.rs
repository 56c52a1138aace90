//! Why a decision is what it is.

use std::fmt;

use num_traits::ToPrimitive;

use crate::{Appraisal, Player};

/// The value of a state and of each of its actions, as a short text.
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
///     solution.explain(&(2, 4))?.to_string(),
///     "(2, 4) is worth 17/4 = 4.25\n\
///      - \"keep\": 4; 1/4 = 0.25 less\n\
///      + \"roll\": 17/4 = 4.25; best\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation<S, A, V> {
    /// The state asked about.
    pub state: S,
    /// What it is worth.
    pub value: V,
    /// Whose decision it is; of no meaning where there is none.
    pub player: Player,
    /// Its actions in the order of `expand`.
    pub choices: Vec<Appraisal<A, V>>,
}

impl<S, A, V> Explanation<S, A, V> {
    pub(crate) fn new(state: S, value: V, player: Player, choices: Vec<Appraisal<A, V>>) -> Self {
        Explanation {
            state,
            value,
            player,
            choices,
        }
    }
}

/// A number as one reads it: a fraction with its decimals, but an integer or a
/// float alone, and of a fraction longer than 40 characters only the decimals.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{Readable, Score};
///
/// let quarter = Score::from((1, 4)).to_ratio();
/// assert_eq!(quarter.map(|q| Readable(&q).to_string()), Some("1/4 = 0.25".into()));
/// assert_eq!(Readable(&0.25).to_string(), "0.25");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Readable<'v, V>(pub &'v V);

impl<V: fmt::Display + ToPrimitive> fmt::Display for Readable<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        match (text.contains('/'), self.0.to_f64()) {
            (true, Some(float)) if text.len() > 40 => write!(f, "{float}"),
            (true, Some(float)) => write!(f, "{text} = {float}"),
            _ => f.write_str(&text),
        }
    }
}

impl<S, A, V> fmt::Display for Explanation<S, A, V>
where
    S: fmt::Debug,
    A: fmt::Debug,
    V: fmt::Display + ToPrimitive,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is worth {}", self.state, Readable(&self.value))?;
        let worse = match self.player {
            Player::Max => "less",
            Player::Min => "more",
        };
        if self.player == Player::Min && !self.choices.is_empty() {
            write!(f, "; the opponent decides")?;
        }
        writeln!(f)?;
        let ties = self.choices.iter().filter(|choice| choice.optimal).count();
        for choice in &self.choices {
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
        }
        Ok(())
    }
}
