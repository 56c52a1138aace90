//! Expressions: trees that describe a number that is rolled.

use super::dice::{Reading, Roll};
use crate::{Error, Rounding};

/// The largest number of nodes from the root of an [`Expression`] to a leaf.
pub(super) const MAX_HEIGHT: u32 = 128;

/// A number that is rolled, as a checked tree of [`Node`]s.
///
/// Every expression is checked when it is made, so that it can be printed, costed and evaluated
/// without surprises. If the same expression occurs twice, it is rolled twice, independently.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
/// use oddsmith_dice::notation::{Expression, Node, Sign, Term};
///
/// let roll = Expression::dice(2, 6)?;
/// let bonus = Expression::number(3);
/// let sum = Expression::new(Node::Sum(vec![
///     Term { sign: Sign::Plus, value: roll },
///     Term { sign: Sign::Minus, value: bonus },
/// ]))?;
/// assert_eq!(sum.to_string(), "2d6 - 3");
/// assert_eq!(Notation::new(sum)?.law()?.mean().to_string(), "4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression {
    node: Box<Node>,
    height: u32,
}

/// The operation of an [`Expression`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
/// use oddsmith_dice::notation::{Node, Reading};
///
/// let notation: Notation = "4d6kh3".parse()?;
/// let Node::Read { roll, reading } = notation.expression().node() else {
///     return Err("not dice".into());
/// };
/// assert_eq!(reading, &Reading::Sum);
/// assert_eq!(roll.keeps.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Node {
    /// A constant.
    Number(i64),
    /// Dice, and the value computed from them.
    Read {
        /// The dice.
        roll: Roll,
        /// The value: their sum, a count, or a property of their sets.
        reading: Reading,
    },
    /// `-x`.
    Negate(Expression),
    /// `a + b - c`: at least two terms, the first with a plus.
    Sum(Vec<Term>),
    /// `a * b`.
    Product(Expression, Expression),
    /// `a / b`, rounded to a whole number.
    Quotient {
        /// The dividend.
        dividend: Expression,
        /// The divisor.
        divisor: Expression,
        /// The rounding; `/` alone rounds down.
        rounding: Rounding,
    },
    /// `a >= b`: 1 if it holds, 0 if not.
    Compare(Expression, Comparison, Expression),
    /// `max(a, b)`: a named function of numbers.
    Call(Function, Vec<Expression>),
}

/// A term of a [`Node::Sum`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::notation::{Expression, Sign, Term};
///
/// let term = Term { sign: Sign::Minus, value: Expression::number(5) };
/// assert_eq!(term.value.height(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// Whether the term is added or subtracted.
    pub sign: Sign,
    /// The value of the term.
    pub value: Expression,
}

/// Plus or minus.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
/// use oddsmith_dice::notation::{Node, Sign};
///
/// let notation: Notation = "2d6 - 1".parse()?;
/// let Node::Sum(terms) = notation.expression().node() else {
///     return Err("not a sum".into());
/// };
/// assert_eq!(terms[1].sign, Sign::Minus);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Added.
    Plus,
    /// Subtracted.
    Minus,
}

/// A comparison of two numbers, or of a face and a number.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::notation::Comparison;
///
/// assert!(Comparison::AtLeast.holds(5, 5));
/// assert_eq!(Comparison::NotEqual.to_string(), "!=");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    AtLeast,
    /// `>`
    More,
}

impl Comparison {
    /// Returns whether the comparison of `left` and `right` holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::notation::Comparison;
    ///
    /// assert_eq!(Comparison::Less.holds(4, 5), 4 < 5);
    /// ```
    #[must_use]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::AtLeast => left >= right,
            Comparison::More => left > right,
        }
    }
}

/// A function of numbers. Each argument is rolled independently.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::notation::{Expression, Function, Node};
/// use oddsmith_dice::Notation;
///
/// let arguments = vec![Expression::dice(1, 6)?, Expression::dice(1, 6)?];
/// let higher = Expression::new(Node::Call(Function::Maximum, arguments))?;
/// assert_eq!(Notation::new(higher)?.law()?.mean().to_string(), "161/36");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// `max(a, b, …)`, of at least two.
    Maximum,
    /// `min(a, b, …)`, of at least two.
    Minimum,
    /// `abs(a)`: the absolute value.
    Absolute,
    /// `clamp(a, low, high)`: at least low, at most high.
    Clamp,
    /// `if(a, b, c)`: b if a is not 0, else c.
    If,
    /// `adv(a)`: the higher of two rolls of a.
    Advantage,
    /// `dis(a)`: the lower of two rolls of a.
    Disadvantage,
}

impl Function {
    /// The smallest and the largest number of arguments.
    pub(super) fn arguments(self) -> (usize, usize) {
        match self {
            Function::Maximum | Function::Minimum => (2, usize::MAX),
            Function::Absolute | Function::Advantage | Function::Disadvantage => (1, 1),
            Function::Clamp | Function::If => (3, 3),
        }
    }

    /// The arguments required, for messages.
    pub(super) fn needs(self) -> &'static str {
        match self {
            Function::Maximum => "max(a, b, …) takes 2 or more arguments",
            Function::Minimum => "min(a, b, …) takes 2 or more arguments",
            Function::Absolute => "abs(a) takes 1 argument",
            Function::Clamp => "clamp(a, low, high) takes 3 arguments",
            Function::If => "if(condition, then, else) takes 3 arguments",
            Function::Advantage => "adv(a) takes 1 argument",
            Function::Disadvantage => "dis(a) takes 1 argument",
        }
    }
}

impl Expression {
    /// Checks a node and makes it an expression. If the first term of a sum is a sum, they become
    /// one sum.
    ///
    /// # Errors
    ///
    /// [`Error::BadExpression`] if the node is not valid: a die without sides, a sum of one term,
    /// too few arguments, a keep after a change of kept dice, more than 128 levels.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::notation::{Expression, Node};
    ///
    /// assert_eq!(Expression::new(Node::Number(5))?.height(), 1);
    /// assert!(Expression::new(Node::Sum(Vec::new())).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(mut node: Node) -> Result<Self, Error> {
        node.check()
            .map_err(|reason| Error::BadExpression { reason })?;
        if let Node::Sum(terms) = &mut node
            && matches!(*terms[0].value.node, Node::Sum(_))
        {
            let rest = terms.split_off(1);
            if let Some(Term { value, .. }) = terms.pop()
                && let Node::Sum(inner) = *value.node
            {
                *terms = inner;
            }
            terms.extend(rest);
        }
        let mut below = 0;
        node.each_part(&mut |part| below = below.max(part.height));
        if below >= MAX_HEIGHT {
            let reason = format!("its nesting exceeds the limit of {MAX_HEIGHT} levels");
            return Err(Error::BadExpression { reason });
        }
        Ok(Expression {
            node: Box::new(node),
            height: below + 1,
        })
    }

    /// Creates a constant.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::notation::Expression;
    ///
    /// assert_eq!(Expression::number(-3).to_string(), "-3");
    /// ```
    #[must_use]
    pub fn number(value: i64) -> Self {
        Expression {
            node: Box::new(Node::Number(value)),
            height: 1,
        }
    }

    /// Creates the sum of fair dice.
    ///
    /// # Errors
    ///
    /// [`Error::BadExpression`] for dice without sides.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::notation::Expression;
    ///
    /// assert_eq!(Expression::dice(4, 6)?.to_string(), "4d6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dice(count: u32, sides: u32) -> Result<Self, Error> {
        Expression::new(Node::Read {
            roll: Roll::dice(count, sides),
            reading: Reading::Sum,
        })
    }

    /// Returns the node of the expression.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::notation::{Expression, Node};
    ///
    /// assert_eq!(Expression::number(7).node(), &Node::Number(7));
    /// ```
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// Returns the node, consuming the expression.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::notation::{Expression, Node};
    ///
    /// assert_eq!(Expression::number(7).into_node(), Node::Number(7));
    /// ```
    #[must_use]
    pub fn into_node(self) -> Node {
        *self.node
    }

    /// Returns the number of levels: 1 for a constant and for plain dice, at most 128.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Notation;
    ///
    /// assert_eq!("max(2d6, 1) + 3".parse::<Notation>()?.expression().height(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }
}

/// The function for this rounding, if the notation has one.
pub(super) fn rounding_name(rounding: Rounding) -> Option<&'static str> {
    match rounding {
        Rounding::Floor => Some("floor"),
        Rounding::Ceiling => Some("ceil"),
        Rounding::HalfUp => Some("round"),
        Rounding::TowardsZero => Some("trunc"),
        Rounding::AwayFromZero | Rounding::HalfEven => None,
    }
}
