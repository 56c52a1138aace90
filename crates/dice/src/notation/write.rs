//! Conversion of expressions to text that parses back to them.

use super::dice::{Band, Change, Count, Die, FaceTest, Faces, Keep, Part, Reading, Roll, Source};
use super::tree::{Comparison, Expression, Function, Node, Sign, rounding_name};
use std::fmt::{self, Display, Formatter};

/// The precedence of a node. An operand gets parentheses if it binds less tightly than its position
/// requires.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Comparison,
    Sum,
    Product,
    Sign,
    Atom,
}

/// Whether an operand stands after an operator, or before one and a number. In both places a
/// comparison would be ambiguous, so a count has to be written with its `c`.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    First,
    AfterOperator,
    BeforeNumber,
}

impl Place {
    /// The place of an operand here that is followed by an operator and `next`, which has
    /// parentheses if it binds less tightly than `least`.
    fn before(self, next: &Expression, least: Level) -> Self {
        match self {
            Place::First if starts_with_number(next, least) => Place::BeforeNumber,
            here => here,
        }
    }
}

fn starts_with_number(value: &Expression, least: Level) -> bool {
    level(value) >= least
        && match value.node() {
            Node::Number(_) => true,
            Node::Product(first, _) => starts_with_number(first, Level::Product),
            Node::Quotient { dividend, .. } => {
                level(value) == Level::Product && starts_with_number(dividend, Level::Product)
            }
            _ => false,
        }
}

/// The canonical text, with the fewest parentheses that parse back to the same tree.
impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        operand(f, self, Level::Comparison, Place::First)
    }
}

fn operand(f: &mut Formatter<'_>, value: &Expression, least: Level, place: Place) -> fmt::Result {
    if level(value) < least {
        return parenthesised(f, value);
    }
    match value.node() {
        Node::Number(number) => write!(f, "{number}"),
        Node::Read { roll, reading } => read(f, roll, reading, place),
        Node::Negate(inner) => {
            f.write_str("-")?;
            // `-3` would be read as the number.
            match inner.node() {
                Node::Number(_) => parenthesised(f, inner),
                _ => operand(f, inner, Level::Sign, Place::AfterOperator),
            }
        }
        Node::Sum(terms) => {
            for (position, term) in terms.iter().enumerate() {
                let here = match (position, term.sign) {
                    (0, _) => match terms.get(1) {
                        Some(next) => place.before(&next.value, Level::Product),
                        None => place,
                    },
                    (_, Sign::Plus) => {
                        f.write_str(" + ")?;
                        Place::AfterOperator
                    }
                    (_, Sign::Minus) => {
                        f.write_str(" - ")?;
                        Place::AfterOperator
                    }
                };
                operand(f, &term.value, Level::Product, here)?;
            }
            Ok(())
        }
        Node::Product(left, right) => {
            let here = place.before(right, Level::Sign);
            operand(f, left, Level::Product, here)?;
            f.write_str(" * ")?;
            operand(f, right, Level::Sign, Place::AfterOperator)
        }
        Node::Quotient {
            dividend,
            divisor,
            rounding,
        } => {
            // A plain `/` rounds down.
            let function = rounding_name(*rounding).filter(|name| *name != "floor");
            let first = if let Some(name) = function {
                write!(f, "{name}(")?;
                Place::First
            } else {
                place
            };
            let here = first.before(divisor, Level::Sign);
            operand(f, dividend, Level::Product, here)?;
            f.write_str(" / ")?;
            operand(f, divisor, Level::Sign, Place::AfterOperator)?;
            f.write_str(if function.is_some() { ")" } else { "" })
        }
        Node::Compare(left, comparison, right) => {
            // `2d6 >= 7` would be read as a count of dice.
            if ends_in_dice(left) {
                parenthesised(f, left)?;
            } else {
                operand(f, left, Level::Sum, place)?;
            }
            write!(f, " {comparison} ")?;
            operand(f, right, Level::Sum, Place::AfterOperator)
        }
        Node::Call(function, arguments) => {
            write!(f, "{function}(")?;
            for (position, argument) in arguments.iter().enumerate() {
                if position > 0 {
                    f.write_str(", ")?;
                }
                operand(f, argument, Level::Comparison, Place::First)?;
            }
            f.write_str(")")
        }
    }
}

fn parenthesised(f: &mut Formatter<'_>, value: &Expression) -> fmt::Result {
    f.write_str("(")?;
    operand(f, value, Level::Comparison, Place::First)?;
    f.write_str(")")
}

fn level(value: &Expression) -> Level {
    match value.node() {
        Node::Number(..0) | Node::Negate(_) => Level::Sign,
        Node::Number(_) | Node::Read { .. } | Node::Call(..) => Level::Atom,
        Node::Quotient { rounding, .. } if rounding_name(*rounding) != Some("floor") => Level::Atom,
        Node::Product(..) | Node::Quotient { .. } => Level::Product,
        Node::Sum(_) => Level::Sum,
        Node::Compare(..) => Level::Comparison,
    }
}

/// Whether the text ends in dice without a count, to which a comparison would apply.
fn ends_in_dice(value: &Expression) -> bool {
    let last = |value: &Expression, least| level(value) >= least && ends_in_dice(value);
    match value.node() {
        Node::Read { reading, .. } => *reading == Reading::Sum,
        Node::Negate(inner) => last(inner, Level::Sign),
        Node::Sum(terms) => terms
            .last()
            .is_some_and(|term| last(&term.value, Level::Product)),
        Node::Product(_, right) => last(right, Level::Sign),
        Node::Quotient { divisor, .. } => {
            level(value) == Level::Product && last(divisor, Level::Sign)
        }
        Node::Number(_) | Node::Compare(..) | Node::Call(..) => false,
    }
}

fn read(f: &mut Formatter<'_>, roll: &Roll, reading: &Reading, place: Place) -> fmt::Result {
    match reading {
        Reading::Sum => write!(f, "{roll}"),
        Reading::Count(bands) => {
            write!(f, "{roll}")?;
            if let [
                Band {
                    faces: FaceTest::Compare(comparison, bound),
                    value: 1,
                },
            ] = bands[..]
            {
                let changes = roll.changes.last().filter(|_| roll.keeps.is_empty());
                // After a bare `!`, a comparison would be read as the faces that explode.
                let bare = matches!(
                    roll.after.last().or(changes),
                    Some(Change::ExplodeForever { on: None })
                );
                // A count that no die can pass would be refused as a mistake.
                let bare = bare || !roll.can_show(bands[0].faces);
                let letter = match place {
                    Place::First if !bare => "",
                    _ => "c",
                };
                return write!(f, "{letter}{comparison}{bound}");
            }
            f.write_str("c{")?;
            list(f, bands.iter())?;
            f.write_str("}")
        }
        Reading::Distinct => write!(f, "distinct({roll})"),
        Reading::LargestSet => write!(f, "largest_set({roll})"),
        Reading::LongestRun => write!(f, "run({roll})"),
        Reading::Sets(size) => write!(f, "sets({roll}, {size})"),
        Reading::Straight(size) => write!(f, "straight({roll}, {size})"),
    }
}

fn list<T: Display>(f: &mut Formatter<'_>, items: impl Iterator<Item = T>) -> fmt::Result {
    for (position, item) in items.enumerate() {
        if position > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

impl Display for Roll {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Dice { count, die } => {
                match count {
                    Count::Number(count) => write!(f, "{count}")?,
                    Count::Rolled(count) => parenthesised(f, count)?,
                }
                write!(f, "{die}")?;
            }
            Source::Mixed(parts) => {
                f.write_str("{")?;
                list(f, parts.iter())?;
                f.write_str("}")?;
            }
        }
        chain(f, &self.changes)?;
        self.keeps.iter().try_for_each(|keep| write!(f, "{keep}"))?;
        chain(f, &self.after)
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Part::Dice {
                count,
                die,
                changes,
            } => {
                write!(f, "{count}{die}")?;
                chain(f, changes)
            }
            // Without parentheses, the dice of a sum would be dice of the pool.
            Part::Value(value)
                if matches!(
                    value.node(),
                    Node::Read {
                        reading: Reading::Sum,
                        ..
                    }
                ) =>
            {
                parenthesised(f, value)
            }
            Part::Value(value) => write!(f, "{value}"),
        }
    }
}

impl Display for Die {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Die::Sides(sides) => write!(f, "d{sides}"),
            Die::Fudge => f.write_str("dF"),
            Die::Faces(ranges) => {
                f.write_str("d{")?;
                list(
                    f,
                    ranges.iter().map(|&(low, high)| FaceTest::Range(low, high)),
                )?;
                f.write_str("}")
            }
            Die::Rolled(face) => {
                f.write_str("d")?;
                parenthesised(f, face)
            }
        }
    }
}

/// Writes one change after the other; `!!` would be read in the sense of other systems.
fn chain(f: &mut Formatter<'_>, changes: &[Change]) -> fmt::Result {
    let explodes = |change: &Change| !matches!(change, Change::Reroll { .. });
    let mut bare = false;
    for change in changes {
        let blank = if bare && explodes(change) { " " } else { "" };
        write!(f, "{blank}{change}")?;
        bare = *change == Change::ExplodeForever { on: None };
    }
    Ok(())
}

impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Change::Explode { depth, on: None } => write!(f, "!{depth}"),
            Change::Explode {
                depth,
                on: Some(on),
            } => write!(f, "!{depth}{on}"),
            Change::ExplodeForever { on: None } => f.write_str("!"),
            Change::ExplodeForever { on: Some(on) } => write!(f, "!{on}"),
            Change::Reroll { times, on } => {
                let short = match on.0[..] {
                    [FaceTest::Range(low, high)] => low == high,
                    [FaceTest::Compare(..)] => true,
                    _ => false,
                };
                match times {
                    Some(1) => f.write_str("r")?,
                    None => f.write_str("rr")?,
                    Some(times) => return write!(f, "r{times}{on}"),
                }
                if short {
                    list(f, on.0.iter())
                } else {
                    write!(f, "{on}")
                }
            }
        }
    }
}

impl Display for Faces {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        list(f, self.0.iter())?;
        f.write_str("}")
    }
}

impl Display for FaceTest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            FaceTest::Range(low, high) if low == high => write!(f, "{low}"),
            FaceTest::Range(low, high) => write!(f, "{low}..{high}"),
            FaceTest::Compare(comparison, bound) => write!(f, "{comparison}{bound}"),
        }
    }
}

impl Display for Band {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.faces, self.value)
    }
}

impl Display for Keep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Keep::Highest(dice) => write!(f, "kh{dice}"),
            Keep::Lowest(dice) => write!(f, "kl{dice}"),
            Keep::Middle(dice) => write!(f, "km{dice}"),
            Keep::DropHighest(dice) => write!(f, "dh{dice}"),
            Keep::DropLowest(dice) => write!(f, "dl{dice}"),
            Keep::Positions(multiplicities) => {
                f.write_str("k[")?;
                list(f, multiplicities.iter())?;
                f.write_str("]")
            }
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::AtLeast => ">=",
            Comparison::More => ">",
        })
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Function::Maximum => "max",
            Function::Minimum => "min",
            Function::Absolute => "abs",
            Function::Clamp => "clamp",
            Function::If => "if",
            Function::Advantage => "adv",
            Function::Disadvantage => "dis",
        })
    }
}
