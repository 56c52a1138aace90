//! Drawings of solved games, in the format of Graphviz.

use std::collections::VecDeque;
use std::fmt::{self, Write};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::explored::Explored;
use crate::model::{Model, Scratch};
use crate::number::Number;
use crate::{Error, Game, Node, Numerals, Player, Readable, Solution};

/// The default of [`Dot::max_states`].
const MAX_STATES: usize = 200;

/// The name of a state in the drawing.
type Label<'s, G> = Box<dyn Fn(&<G as Game>::State) -> String + 's>;

/// A solved game as a directed graph for [Graphviz]. Created by [`Solution::dot`].
///
/// The player's states are boxes, those of the opponent are boxes with cut corners, those of chance
/// are diamonds, and ends have a double border. Each shows its value. Decided actions are drawn
/// bold, other actions dashed. A solution by [`certify`](crate::Solver::certify) or
/// [`Lazy`](crate::Lazy) has only the states and actions that may matter.
///
/// # Examples
/// Stay on a sum of 2, or toss a coin for 1 or 4:
/// ```
/// use oddsmith_mdp::{Game, Node, Solver};
///
/// struct Toss;
/// impl Game for Toss {
///     type State = u8;
///     type Action = &'static str;
///     fn expand(&self, &state: &u8, node: &mut Node<Self>) {
///         if state > 0 {
///             return node.end(state);
///         }
///         node.choice("stay").to(2, 1);
///         node.choice("toss").to(1, 1).to(4, 1);
///     }
/// }
/// let solution = Solver::exact().solve(&Toss, 0)?;
/// assert_eq!(
///     solution.dot().decided().to_text()?,
///     r#"digraph {
///   s0 [label="0\n5/2 = 2.5" shape=box];
///   s0 -> a0_1 [label="toss" style=bold arrowhead=none];
///   a0_1 [shape=point];
///   a0_1 -> s1 [label="0.5" style=bold];
///   a0_1 -> s2 [label="0.5" style=bold];
///   s1 [label="1\n1" shape=box peripheries=2];
///   s2 [label="4\n4" shape=box peripheries=2];
/// }
/// "#
/// );
/// assert_eq!(solution.dot().to_text()?.matches("style=dashed").count(), 2); // to stay, and where
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [Graphviz]: https://graphviz.org/doc/info/lang.html
pub struct Dot<'s, 'g, G: Game + ?Sized, N: Number, M = Explored<G>> {
    solution: &'s Solution<'g, G, N, M>,
    max_states: usize,
    decided: bool,
    numerals: Numerals,
    label: Label<'s, G>,
}

impl<'g, G: Game + ?Sized, N: Number, M: Model<G>> Solution<'g, G, N, M> {
    /// Creates a drawing of the game from its start.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let text = solution.dot().to_text()?;
    /// assert_eq!(text.matches("shape=box").count(), 19); // states
    /// assert_eq!(text.matches("peripheries=2").count(), 6); // ends
    /// assert_eq!(text.matches("label=\"keep\"").count(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dot(&self) -> Dot<'_, 'g, G, N, M> {
        let game = self.game();
        Dot {
            solution: self,
            max_states: MAX_STATES,
            decided: false,
            numerals: Numerals::Decimals,
            label: Box::new(|state| game.describe(state)),
        }
    }
}

impl<'s, G: Game + ?Sized, N: Number, M: Model<G>> Dot<'s, '_, G, N, M> {
    /// Draws at most this many states, those that the fewest moves lead to. The default is 200. The
    /// others that can be reached, by decided actions alone if [so chosen](Dot::decided), are
    /// represented by one dotted node that counts them.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Solver, Table};
    /// let stair = Table::from_fn(1000, |step, row| match step {
    ///     0 => row.end(1),
    ///     _ => {
    ///         row.choice().to(step - 1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::float().solve_table(&stair, 999)?;
    /// let drawing = || solution.dot().max_states(3);
    /// for text in [drawing().to_text()?, drawing().decided().to_text()?] {
    ///     assert!(text.contains("s3 [label=\"997 more states\" style=dotted];"));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_states(mut self, limit: usize) -> Self {
        self.max_states = limit;
        self
    }

    /// Leaves out actions that are not decided on, and states that only they lead to.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../docs/keep_or_roll.txt")]
    /// let solution = Solver::exact().solve(&KeepOrRoll, (3, 0))?;
    /// let text = solution.dot().decided().to_text()?;
    /// assert_eq!(text.matches("label=\"keep\"").count(), 5); // 5 and 6; at last 4, 5, 6
    /// assert_eq!(text.matches("dashed").count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decided(mut self) -> Self {
        self.decided = true;
        self
    }

    /// Sets how probabilities of outcomes are written. The default is as decimals.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Numerals, Solver, Table};
    /// let die = Table::from_fn(3, |state, row| match state {
    ///     2 => {
    ///         row.choice().to(0, 5).to(1, 1);
    ///     }
    ///     _ => row.end(state as i64),
    /// })?;
    /// let solution = Solver::exact().solve_table(&die, 2)?;
    /// let text = solution.dot().numerals(Numerals::Fractions).to_text()?;
    /// assert!(text.contains("label=\"1/6\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn numerals(mut self, numerals: Numerals) -> Self {
        self.numerals = numerals;
        self
    }

    /// Names the states, instead of [describing](Game::describe) them as the game does.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Solver, Table};
    /// let over = Table::from_fn(1, |_, row| row.end(7))?;
    /// let solution = Solver::exact().solve_table(&over, 0)?;
    /// let text = solution.dot().label(|_| "the \"end\"".into()).to_text()?;
    /// assert!(text.contains(r#"label="the \"end\"\n7""#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn label(mut self, label: impl Fn(&G::State) -> String + 's) -> Self {
        self.label = Box::new(label);
        self
    }

    /// Returns the drawing as text in the DOT language.
    ///
    /// # Errors
    /// Only if the game answers differently from when it was solved.
    ///
    /// # Complexity
    /// One `expand` for each state drawn, and one pass over the outcomes of the others.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_mdp::{Solver, Table};
    /// let over = Table::from_fn(1, |_, row| row.end(7))?;
    /// let solution = Solver::exact().solve_table(&over, 0)?;
    /// let text = "digraph {\n  s0 [label=\"0\\n7\" shape=box peripheries=2];\n}\n";
    /// assert_eq!(solution.dot().to_text()?, text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_text(&self) -> Result<String, Error> {
        // States are numbered in the order in which they are met.
        let mut met = IndexSet::<usize, FxBuildHasher>::default();
        let mut waiting = VecDeque::new();
        let start = self.solution.start_number();
        met.insert(start);
        waiting.push_back(start);
        let mut text = "digraph {\n".to_owned();
        let mut scratch = Scratch::new();
        let mut drawn = 0;
        while drawn < self.max_states
            && let Some(number) = waiting.pop_front()
        {
            let mut meet = |state: &G::State| {
                let number = self.solution.number(state)?;
                let (place, new) = met.insert_full(number);
                if new {
                    waiting.push_back(number);
                }
                // States beyond the limit are drawn as one node.
                Ok::<usize, Error>(place.min(self.max_states))
            };
            let kept: Vec<usize> = match self.decided {
                true => vec![self.solution.decided_choice(number)],
                false => {
                    let row = self.solution.row(number, &mut scratch)?;
                    row.choices().map(|(choice, ..)| choice).collect()
                }
            };
            self.draw(&mut text, drawn, number, &kept, &mut meet)?;
            drawn += 1;
        }
        // The others are only counted.
        while let Some(number) = waiting.pop_front() {
            let row = self.solution.row(number, &mut scratch)?;
            let decided = self.solution.decided_choice(number);
            let kept = row
                .choices()
                .filter(|(choice, ..)| !self.decided || *choice == decided);
            for (_, targets, _) in kept {
                let new = |target: &&u32| met.insert(**target as usize);
                waiting.extend(targets.iter().filter(new).map(|target| *target as usize));
            }
        }
        let left = met.len() - drawn;
        if left > 0 {
            line(
                &mut text,
                format_args!("s{drawn} [label=\"{left} more states\" style=dotted];"),
            );
        }
        text.push_str("}\n");
        Ok(text)
    }

    /// Draws a state and its choices.
    fn draw(
        &self,
        text: &mut String,
        place: usize,
        number: usize,
        kept: &[usize],
        meet: &mut impl FnMut(&G::State) -> Result<usize, Error>,
    ) -> Result<(), Error> {
        let state = self.solution.state(number);
        let node = Node::solved(self.solution.game(), &state)?;
        let value = self.solution.value_of(&state)?;
        let chance = !node.is_empty() && node.action(0).is_none();
        let shape = match (chance, node.player()) {
            (true, _) => "shape=diamond",
            (false, _) if node.is_empty() => "shape=box peripheries=2",
            (false, Player::Max) => "shape=box",
            (false, Player::Min) => "shape=octagon",
        };
        let (label, value) = (escaped(&(self.label)(&state)), Readable(&value));
        line(
            text,
            format_args!("s{place} [label=\"{label}\\n{value}\" {shape}];"),
        );
        if node.is_empty() {
            return Ok(());
        }
        let decision = self.solution.decided_choice(number);
        for &choice in kept {
            let style = if choice == decision { "bold" } else { "dashed" };
            let total = node.wide_total(choice);
            let from = match node.action(choice) {
                None => format!("s{place}"),
                Some(action) => {
                    let (point, name) = (format!("a{place}_{choice}"), unquoted(action));
                    line(
                        text,
                        format_args!(
                            "s{place} -> {point} [label=\"{name}\" style={style} arrowhead=none];"
                        ),
                    );
                    line(text, format_args!("{point} [shape=point];"));
                    point
                }
            };
            for (next, weight) in node.wide_outcomes(choice) {
                let (next, chance) = (meet(next)?, self.numerals.write(&weight, &total));
                line(
                    text,
                    format_args!("{from} -> s{next} [label=\"{chance}\" style={style}];"),
                );
            }
        }
        Ok(())
    }
}

impl<G: Game + ?Sized, N: Number, M> fmt::Debug for Dot<'_, '_, G, N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dot")
            .field("max_states", &self.max_states)
            .field("decided", &self.decided)
            .field("numerals", &self.numerals)
            .finish_non_exhaustive()
    }
}

/// Writes a line of the text. Writing to a `String` cannot fail.
fn line(text: &mut String, line: fmt::Arguments<'_>) {
    let _ = writeln!(text, "  {line}");
}

/// Writes a text within quotation marks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            '\n' => escaped.push_str("\\n"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Returns the `Debug` text of an action, without the quotation marks of a string.
fn unquoted(action: &impl fmt::Debug) -> String {
    let text = format!("{action:?}");
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    match inner {
        // Its escapes are already those of a string.
        Some(inner) if is_within_marks(inner) => inner.to_owned(),
        _ => escaped(&text),
    }
}

/// Returns whether a text can stand between quotation marks: it has no control characters, each
/// quotation mark in it is escaped, and it does not end in an unescaped backslash.
fn is_within_marks(text: &str) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return false,
            '\\' if letters.next().is_none() => return false,
            letter if letter.is_control() => return false,
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that is displayed.
    struct Shown(&'static str);

    impl fmt::Debug for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    #[track_caller]
    fn check(shown: &'static str, expected: &str) {
        assert_eq!(unquoted(&Shown(shown)), expected);
    }

    #[test]
    fn names_cannot_leave_their_quotation_marks() {
        check(r#""stay""#, "stay");
        check(r#""say \"no\"""#, r#"say \"no\""#);
        check("Go(3)", "Go(3)");
        check(r#"Go("b")"#, r#"Go(\"b\")"#);
        // Not a single string, although it has quotation marks at both ends.
        check(r#""a" "b""#, r#"\"a\" \"b\""#);
        check(r#""a\""#, r#"\"a\\\""#);
        check("\"", r#"\""#);
        check("\"\n\"", r#"\"\n\""#);
    }
}
