#![doc = include_str!("../docs/notation.md")]

mod after;
mod check;
mod cost;
mod dice;
mod grammar;
mod law;
mod mixture;
mod parse_error;
mod tree;
mod write;

pub use cost::Cost;
pub use dice::{Band, Change, Count, Die, FaceTest, Faces, Keep, Part, Reading, Roll, Source};
pub use parse_error::ParseError;
pub use tree::{Comparison, Expression, Function, Node, Sign, Term};

use crate::{DEFAULT_LIMIT, Dist, Error};
use std::fmt;
use std::str::FromStr;

/// Dice as players write them: `4d6kh3 + 2`.
///
/// A notation is read from text by [`parse`](str::parse), or built by a program from an
/// [`Expression`]. [`Display`](fmt::Display) writes the canonical form, which reads back as the
/// same notation. The language is described in [`notation`](crate::notation).
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
///
/// let strength: Notation = "4d6kh3".parse()?;
/// assert_eq!(strength.law()?.mean().to_string(), "15869/1296");
/// assert_eq!("4D6 k3+D4".parse::<Notation>()?.to_string(), "4d6kh3 + 1d4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Notation {
    expression: Expression,
}

impl Notation {
    /// Creates the notation of an expression.
    ///
    /// # Errors
    ///
    /// [`Error::Notation`] if its text would be longer than 4,096 bytes or nested deeper than 32
    /// levels, so that it could not be read back.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    /// use oddsmith_dice::notation::Expression;
    ///
    /// let roll = Notation::new(Expression::dice(3, 6)?)?;
    /// assert_eq!(roll.law()?.mean().to_string(), "21/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(expression: Expression) -> Result<Self, Error> {
        grammar::parse(&expression.to_string()).map_err(unread)?;
        Ok(Notation { expression })
    }

    /// Returns the expression tree.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    /// use oddsmith_dice::notation::Node;
    ///
    /// let notation: Notation = "-7".parse()?;
    /// assert_eq!(notation.expression().node(), &Node::Number(-7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Returns the expression tree, consuming the notation.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    ///
    /// let tree = "2d6 + 1".parse::<Notation>()?.into_expression();
    /// assert_eq!(tree.height(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn into_expression(self) -> Expression {
        self.expression
    }

    /// Returns an upper bound on the cost of [`law`](Self::law), estimated without computing
    /// anything.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{DEFAULT_LIMIT, Notation};
    ///
    /// let polite: Notation = "(1d1000)d1000".parse()?;
    /// assert!(polite.cost().words() > 1 << 25);
    /// assert!(!polite.cost().fits(DEFAULT_LIMIT));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// Linear in the length of the text.
    #[must_use]
    pub fn cost(&self) -> Cost {
        cost::cost(&self.expression, true)
    }

    /// Returns an upper bound on the cost of [`law_f64`](Self::law_f64), estimated without computing
    /// anything.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{DEFAULT_LIMIT, Notation};
    ///
    /// let many: Notation = "20000d6".parse()?;
    /// assert!(!many.cost().fits(DEFAULT_LIMIT));
    /// assert!(many.cost_f64().fits(DEFAULT_LIMIT));
    /// assert!((many.law_f64()?.mean() - 70_000.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// Linear in the length of the text.
    #[must_use]
    pub fn cost_f64(&self) -> Cost {
        cost::cost(&self.expression, false)
    }

    /// Returns the distribution of the number rolled.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] and [`Error::TooSlow`], before any work, if the [`cost`](Self::cost)
    /// does not [fit](Cost::fits) the [`DEFAULT_LIMIT`]. [`Error::NeedsDepth`] for an explosion
    /// without limit, unless its distribution is finite. [`Error::OutcomeOverflow`],
    /// [`Error::TooFewDice`], [`Error::DivisionByZero`], [`Error::DiceCount`] and others if the
    /// dice as written cannot be rolled.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    ///
    /// let hits = "8d10>=7".parse::<Notation>()?.law()?;
    /// assert_eq!(hits.mean().to_string(), "16/5");
    /// assert!("1000000d1000000".parse::<Notation>()?.law().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "dist")]
    pub fn law(&self) -> Result<Dist<i64>, Error> {
        self.law_within(DEFAULT_LIMIT)
    }

    /// Like [`law`](Self::law), within `limit` 64-bit words, and 256 operations on words for each
    /// of them.
    ///
    /// # Errors
    ///
    /// The same as for [`law`](Self::law).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    ///
    /// let roll: Notation = "100d6".parse()?;
    /// assert!(roll.law_within(1_000).is_err());
    /// assert_eq!(roll.law_within(100_000)?.mean().to_string(), "350");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law_within(&self, limit: u64) -> Result<Dist<i64>, Error> {
        self.cost().check(&self.expression, limit)?;
        law::law(&self.expression, limit.max(SECOND_LIMIT))
    }

    /// Returns the distribution in floats, computed in floats from the first die on: faster, with a
    /// stated [error](Dist::relative_error), and for larger numbers of dice.
    ///
    /// # Errors
    ///
    /// The same as for [`law`](Self::law), with [`cost_f64`](Self::cost_f64) as the cost.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    ///
    /// let law = "4d6kh3".parse::<Notation>()?.law_f64()?;
    /// assert!((law.p(&18) - 21.0 / 1296.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law_f64(&self) -> Result<Dist<i64, f64>, Error> {
        self.law_f64_within(DEFAULT_LIMIT)
    }

    /// Like [`law_f64`](Self::law_f64), within `limit` 64-bit words, and 256 operations for each of
    /// them.
    ///
    /// # Errors
    ///
    /// The same as for [`law_f64`](Self::law_f64).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    ///
    /// let roll: Notation = "100d6".parse()?;
    /// assert!(roll.law_f64_within(1_000).is_err());
    /// assert!((roll.law_f64_within(50_000)?.mean() - 350.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn law_f64_within(&self, limit: u64) -> Result<Dist<i64, f64>, Error> {
        self.cost_f64().check(&self.expression, limit)?;
        law::law(&self.expression, limit.max(SECOND_LIMIT))
    }
}

/// The operations check their own size again, some of them with a minimum that small limits do not
/// reach. What an estimate has accepted need not be refused for that.
const SECOND_LIMIT: u64 = 1 << 17;

fn unread(error: ParseError) -> Error {
    Error::Notation(Box::new(error))
}

impl FromStr for Notation {
    type Err = Error;

    /// Reads a text of at most 4,096 bytes, both as given and in the form in which
    /// [`Display`](fmt::Display) writes it: `d6` becomes `1d6`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let expression = grammar::parse(text).map_err(unread)?;
        let (bytes, most) = (expression.to_string().len(), grammar::MAX_LENGTH);
        if bytes > most {
            let expected =
                format!("a text of at most {most} bytes when written in full, not {bytes}");
            return Err(unread(ParseError::new(text, text.len(), expected)));
        }
        Notation::new(expression)
    }
}

impl TryFrom<&str> for Notation {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self, Error> {
        text.parse()
    }
}

impl TryFrom<Expression> for Notation {
    type Error = Error;

    fn try_from(expression: Expression) -> Result<Self, Error> {
        Notation::new(expression)
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}

impl Dist<i64> {
    /// Returns the distribution of dice as players write them: `"4d6kh3 + 2"`. The language is
    /// described in [`notation`](crate::notation).
    ///
    /// # Errors
    ///
    /// [`Error::Notation`] with the column for text that is not notation, and those of
    /// [`Notation::law`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::parse("4d6kh3 + 2")?.max(), &20);
    /// assert_eq!(Dist::parse("(1d20 + 5) >= 15")?.p(&1).to_string(), "11/20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, Error> {
        text.parse::<Notation>()?.law()
    }
}

/// The same as [`Dist::parse`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
///
/// let strength: Dist<i64> = "4d6kh3".parse()?;
/// assert_eq!(strength.p(&18).to_string(), "7/432");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl FromStr for Dist<i64> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Dist::parse(text)
    }
}
