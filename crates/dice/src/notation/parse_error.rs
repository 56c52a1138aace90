//! The position at which a text is not dice notation, and what is expected there.

use std::fmt;

/// The number of characters of a line that are shown on either side of an error.
const SHOWN: usize = 30;

/// An error in dice notation: the column, what stands there, and what is expected there.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Error, Notation};
///
/// let Err(Error::Notation(error)) = "2d6 + )".parse::<Notation>() else {
///     return Err("this should not have been read".into());
/// };
/// assert_eq!(error.column(), 7);
/// assert_eq!(error.found(), "\")\"");
/// assert_eq!(
///     error.to_string(),
///     "column 7: expected a number, dice such as 2d6, a function or \"(\", but found \")\"\n\
///      \x20 2d6 + )\n\
///      \x20       ^"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    column: usize,
    found: String,
    expected: String,
    excerpt: String,
    caret: usize,
}

impl ParseError {
    /// Creates the error at a byte of a text.
    pub(super) fn new(text: &str, at: usize, expected: String) -> Self {
        let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
        let left: Vec<char> = before.chars().collect();
        let shown = &left[left.len().saturating_sub(SHOWN)..];
        let mark = if shown.len() < left.len() { "…" } else { "" };
        let mut excerpt: String = mark.chars().chain(shown.iter().copied()).collect();
        let caret = excerpt.chars().count();
        excerpt.extend(rest.chars().take(SHOWN));
        if rest.chars().nth(SHOWN).is_some() {
            excerpt.push('…');
        }
        // The caret counts characters, and line breaks and tabs would shift it.
        let excerpt = excerpt.replace(|c: char| c.is_control() || c.is_whitespace(), " ");
        ParseError {
            column: left.len() + 1,
            found: found(rest),
            expected,
            excerpt,
            caret,
        }
    }

    /// Returns the column in characters, from 1. It is one past the last at the end of the text.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Error, Notation};
    ///
    /// let Err(Error::Notation(error)) = "4d6kx3".parse::<Notation>() else {
    ///     return Err("this should not have been read".into());
    /// };
    /// assert_eq!(error.column(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// Returns what stands there: a quoted word, number or sign, or `the end`.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Error, Notation};
    ///
    /// let Err(Error::Notation(error)) = "2d6 +".parse::<Notation>() else {
    ///     return Err("this should not have been read".into());
    /// };
    /// assert_eq!((error.column(), error.found()), (6, "the end"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }

    /// Returns what is expected there.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Error, Notation};
    ///
    /// let Err(Error::Notation(error)) = "1d0".parse::<Notation>() else {
    ///     return Err("this should not have been read".into());
    /// };
    /// assert_eq!((error.column(), error.expected()), (3, "a number of sides from 1 to 4294967295"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }
}

fn found(rest: &str) -> String {
    let Some(first) = rest.chars().next() else {
        return "the end".to_owned();
    };
    let same: fn(char) -> bool = if first.is_ascii_digit() {
        |c| c.is_ascii_digit()
    } else if first.is_alphabetic() {
        |c| c.is_alphabetic() || c == '_'
    } else {
        |_| false
    };
    let mut word: String = rest.chars().take_while(|&c| same(c)).take(SHOWN).collect();
    if word.is_empty() {
        word.push(first);
    }
    format!("{word:?}")
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError {
            column,
            found,
            expected,
            excerpt,
            caret,
        } = self;
        writeln!(f, "column {column}: expected {expected}, but found {found}")?;
        writeln!(f, "  {}", excerpt.trim_end())?;
        write!(f, "  {:caret$}^", "")
    }
}

impl std::error::Error for ParseError {}
