//! The files as text.

use std::fmt::{self, Write};

use num_bigint::{BigInt, BigUint};
use num_rational::{BigRational, Ratio};
use num_traits::{One, ToPrimitive, Zero};

use super::decimal::beyond_floats;
use super::{Choice, Dialect, Explicit, Numerals, State};
use crate::{Player, Score};

impl Explicit {
    /// Returns the states (`.sta`): one variable `s`, the number of the state.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Explicit, Solver, Table};
    /// let over = Table::from_fn(1, |_, row| row.end(7))?;
    /// let explicit = Explicit::of(&Solver::exact().solve_table(&over, 0)?)?;
    /// assert_eq!(explicit.states(), "(s)\n0:(0)\n1:(1)\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn states(&self) -> String {
        let mut text = "(s)\n".to_owned();
        for state in 0..self.len() {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{state}:({state})");
        }
        text
    }

    /// Returns the transitions (`.tra`) of a Markov decision process. A line has a state, its
    /// choice, a next state and its probability. For PRISM, it also has the action, reduced to
    /// letters, digits and underscores.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Dialect, Explicit, Numerals, Solver, Table};
    /// let third = Table::from_fn(3, |state, row| match state {
    ///     2 => {
    ///         row.choice().to(0, 2).to(1, 1);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// let explicit = Explicit::of(&Solver::exact().solve_table(&third, 2)?)?;
    /// let text = explicit.transitions(Dialect::Storm, Numerals::Fractions);
    /// assert_eq!(text, "mdp\n0 0 3 1\n1 0 3 1\n2 0 0 2/3\n2 0 1 1/3\n3 0 3 1\n"); // 3 is `over`
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn transitions(&self, dialect: Dialect, numerals: Numerals) -> String {
        let mut text = match dialect {
            Dialect::Prism => {
                let outcomes = self.states.iter().map(|state| state.outcomes().max(1));
                let outcomes = outcomes.sum::<usize>() + 1;
                format!("{} {} {outcomes}\n", self.len(), self.choices())
            }
            Dialect::Storm => "mdp\n".to_owned(),
        };
        let mut line = |state: usize, choice: usize, next: usize, chance: &str, action: &str| {
            let _ = write!(text, "{state} {choice} {next} {chance}");
            let _ = match dialect {
                Dialect::Prism => writeln!(text, " {action}"),
                Dialect::Storm => writeln!(text),
            };
        };
        for (number, state) in self.states.iter().enumerate() {
            if state.score.is_some() {
                line(number, 0, self.over(), "1", "end");
            }
            for (place, choice) in state.choices.iter().enumerate() {
                let action = identifier(&choice.label);
                for (next, weight) in &choice.outcomes {
                    let chance = numerals.write(weight, &choice.total);
                    line(number, place, *next, &chance, &action);
                }
            }
        }
        line(self.over(), 0, self.over(), "1", "over");
        text
    }

    /// Returns the labels (`.lab`): `init` for the start, `end` where the game ends, `won` where it
    /// ends with a score of 1, `over` for the added state, and `opponent` where the opponent
    /// decides. `deadlock` is present because PRISM requires it; no state has it.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Dialect, Explicit, Solver, Table};
    /// let won = Table::from_fn(1, |_, row| row.end(1))?;
    /// let explicit = Explicit::of(&Solver::exact().solve_table(&won, 0)?)?;
    /// assert_eq!(
    ///     explicit.labels(Dialect::Prism),
    ///     "0=\"init\" 1=\"deadlock\" 2=\"end\" 3=\"won\" 4=\"over\" 5=\"opponent\"\n\
    ///      0: 0 2 3\n1: 4\n"
    /// );
    /// assert_eq!(
    ///     explicit.labels(Dialect::Storm),
    ///     "#DECLARATION\ninit end won over opponent\n#END\n0 init end won\n1 over\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn labels(&self, dialect: Dialect) -> String {
        const NAMES: [&str; 6] = ["init", "deadlock", "end", "won", "over", "opponent"];
        let one = Score::from(1);
        let labels = |number: usize| {
            let state = self.states.get(number);
            let score = state.and_then(|state| state.score.as_ref());
            let decides = state.is_some_and(State::is_opponents);
            [
                (0, number == self.start),
                (2, score.is_some()),
                (3, score == Some(&one)),
                (4, number == self.over()),
                (5, decides),
            ]
            .into_iter()
            .filter_map(|(label, borne)| borne.then_some(label))
        };
        let mut text = match dialect {
            Dialect::Prism => {
                let names = NAMES.iter().enumerate();
                let named: Vec<String> = names.map(|(n, name)| format!("{n}=\"{name}\"")).collect();
                named.join(" ") + "\n"
            }
            Dialect::Storm => "#DECLARATION\ninit end won over opponent\n#END\n".to_owned(),
        };
        for number in 0..self.len() {
            let borne: Vec<String> = labels(number)
                .map(|label: usize| match dialect {
                    Dialect::Prism => label.to_string(),
                    Dialect::Storm => NAMES[label].to_owned(),
                })
                .collect();
            if !borne.is_empty() {
                let colon = if dialect == Dialect::Prism { ":" } else { "" };
                let _ = writeln!(text, "{number}{colon} {}", borne.join(" "));
            }
        }
        text
    }

    /// Returns the rewards of states (`.srew`, Storm: `.state.rew`): the score of every end, unless
    /// it is zero.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Dialect, Explicit, Numerals, Solver, Table};
    /// let thirds = Table::from_fn(2, |state, row| row.end((state as i64, 3)))?;
    /// let explicit = Explicit::of(&Solver::exact().solve_table(&thirds, 0)?)?;
    /// assert_eq!(
    ///     explicit.state_rewards(Dialect::Prism, Numerals::Decimals),
    ///     "# Reward structure \"score\"\n# State rewards\n3 1\n1 0.3333333333333333\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state_rewards(&self, dialect: Dialect, numerals: Numerals) -> String {
        let zero = Score::from(0);
        let scores = self.states.iter().enumerate();
        let scored = scores.filter_map(|(number, state)| {
            let score = state.score.as_ref().filter(|score| **score != zero)?;
            Some((number, score))
        });
        let mut text = match dialect {
            Dialect::Prism => format!(
                "# Reward structure \"score\"\n# State rewards\n{} {}\n",
                self.len(),
                scored.clone().count()
            ),
            Dialect::Storm => String::new(),
        };
        for (number, score) in scored {
            let _ = writeln!(text, "{number} {}", numerals.write_score(score));
        }
        text
    }

    /// Returns the rewards of transitions (`.trew`, Storm: `.trans.rew`): the
    /// [rewards](crate::Choice::reward) of choices, the same for each of their outcomes.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Dialect, Explicit, Numerals, Solver, Table};
    /// let toll = Table::from_fn(2, |state, row| match state {
    ///     0 => row.end(0),
    ///     _ => {
    ///         row.choice().to(0, 1).to(1, 1).reward(-2);
    ///     }
    /// })?;
    /// let explicit = Explicit::of(&Solver::exact().solve_table(&toll, 1)?)?;
    /// assert_eq!(
    ///     explicit.transition_rewards(Dialect::Prism, Numerals::Decimals),
    ///     "# Reward structure \"score\"\n# Transition rewards\n3 3 2\n1 0 0 -2\n1 0 1 -2\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn transition_rewards(&self, dialect: Dialect, numerals: Numerals) -> String {
        let mut lines = String::new();
        let mut count = 0;
        for (number, state) in self.states.iter().enumerate() {
            for (place, choice) in state.choices.iter().enumerate() {
                let Some(reward) = &choice.reward else {
                    continue;
                };
                let reward = numerals.write_score(reward);
                for (next, _) in &choice.outcomes {
                    count += 1;
                    let _ = writeln!(lines, "{number} {place} {next} {reward}");
                }
            }
        }
        match dialect {
            Dialect::Storm => lines,
            Dialect::Prism => {
                let states = self.len();
                let choices = self.choices();
                format!(
                    "# Reward structure \"score\"\n# Transition rewards\n{states} {choices} {count}\n{lines}"
                )
            }
        }
    }

    /// Returns the number of choices, including those of ends and of `over`.
    fn choices(&self) -> usize {
        let choices = self.states.iter().map(|state| state.choices.len().max(1));
        choices.sum::<usize>() + 1
    }
}

impl State {
    fn outcomes(&self) -> usize {
        let choices = self.choices.iter();
        choices.map(|choice: &Choice| choice.outcomes.len()).sum()
    }

    /// Returns whether the opponent decides here and has more than one choice.
    fn is_opponents(&self) -> bool {
        self.player == Player::Min && !self.choices.is_empty()
    }
}

impl Numerals {
    pub(crate) fn write(self, weight: &BigUint, total: &BigUint) -> String {
        if weight == total {
            return "1".to_owned();
        }
        match self {
            Numerals::Decimals => {
                let whole = |number: &BigUint| BigInt::from(number.clone());
                shortest(&BigRational::new(whole(weight), whole(total)))
            }
            Numerals::Fractions => {
                let chance = Ratio::new(weight.clone(), total.clone());
                debug_assert!(!chance.denom().is_one());
                chance.to_string()
            }
        }
    }
}

impl Numerals {
    fn write_score(self, score: &Score) -> String {
        match self {
            Numerals::Decimals => match score.to_ratio() {
                Some(ratio) => shortest(&ratio),
                // Does not happen for a score of a solved game.
                None => Shortest(f64::NAN).to_string(),
            },
            Numerals::Fractions => score.to_string(),
        }
    }
}

/// Returns the shortest decimal that reads as the nearest float. If that is infinite or zero,
/// returns a decimal of the number itself.
fn shortest(number: &BigRational) -> String {
    match number.to_f64() {
        Some(float) if float.is_finite() && (float != 0.0 || number.is_zero()) => {
            Shortest(float).to_string()
        }
        _ => beyond_floats(number),
    }
}

/// Returns the shortest decimal of a float, with an exponent if it is very small or large.
struct Shortest(f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

/// Converts a text to a name that model checkers accept.
fn identifier(text: &str) -> String {
    let inner = text.trim_matches('"');
    let letters = inner.chars().map(|letter| match letter {
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    });
    let name: String = letters.collect();
    match name.chars().next() {
        None => "_".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{name}"),
        Some(_) => name,
    }
}
