//! The parser: precedence climbing over numbers, a chain of suffixes over dice.
//!
//! Every choice is made by looking at the next token, so nothing is read twice. The first error is
//! therefore the error to report, and it knows what is expected in its place.

mod dice;
mod token;

use super::dice::{Count, Part, Reading, Roll, Source};
use super::parse_error::ParseError;
use super::tree::{Expression, Function, Node, Sign, Term};
use crate::{Error, Rounding};
use dice::{dice, suffixes};
use token::{
    Input, Parse, WHOLE, blank, comparison, digits, eat, expect, failure, list, minus, nested,
    next, next_is_digit, signed_digits,
};
use winnow::Parser;
use winnow::stream::Stream;
use winnow::token::take_while;

/// The largest number of bytes of a text.
pub(super) const MAX_LENGTH: usize = 4096;

const OPERAND: &str = "a number, dice such as 2d6, a function or \"(\"";

/// Dice that may still be changed, kept or counted, or a number.
enum Value {
    Dice(Roll),
    Number(Expression),
}

/// The position with respect to operators.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    First,
    AfterOperator,
}

pub(super) fn parse(text: &str) -> Result<Expression, ParseError> {
    if text.len() > MAX_LENGTH {
        let places = text.char_indices().map(|(at, _)| at);
        let at = places.take_while(|&at| at <= MAX_LENGTH).last();
        let expected = format!("a text of at most {MAX_LENGTH} bytes");
        return Err(ParseError::new(text, at.unwrap_or(0), expected));
    }
    let mut input = Input {
        input: text,
        state: 0,
    };
    whole(&mut input).map_err(|failure| {
        let at = text.len().saturating_sub(failure.rest);
        ParseError::new(text, at, failure.expected)
    })
}

fn whole(input: &mut Input<'_>) -> Parse<Expression> {
    let value = expression(input)?;
    let more = match value {
        Value::Dice(_) => "an operator, a suffix of dice such as kh3, or the end",
        Value::Number(_) => "an operator or the end",
    };
    let value = number(value, input)?;
    let rest = input.eof_offset();
    match next(input) {
        None => Ok(value),
        Some('.') => Err(failure(
            rest,
            "whole numbers: for half of 2d6 write 2d6 / 2",
        )),
        Some('(') => Err(failure(rest, "an operator, such as *, before \"(\"")),
        Some(_) => Err(failure(rest, more)),
    }
}

/// Converts dice to their sum.
fn number(value: Value, input: &Input<'_>) -> Parse<Expression> {
    match value {
        Value::Number(value) => Ok(value),
        Value::Dice(roll) => {
            let reading = Reading::Sum;
            build(Node::Read { roll, reading }, input.eof_offset())
        }
    }
}

fn build(node: Node, rest: usize) -> Parse<Expression> {
    Expression::new(node).map_err(|error| match error {
        Error::BadExpression { reason } => failure(rest, format!("a valid expression: {reason}")),
        other => failure(rest, other.to_string()),
    })
}

fn expression(input: &mut Input<'_>) -> Parse<Value> {
    let left = sum(input)?;
    blank(input);
    let rest = input.eof_offset();
    let Some(how) = comparison(input) else {
        return Ok(left);
    };
    let left = number(left, input)?;
    let right = operand(input, sum_after_operator)?;
    let compared = build(Node::Compare(left, how, right), rest)?;
    blank(input);
    let again = input.eof_offset();
    if comparison(input).is_some() {
        let expected = "one comparison at a time; put the first in parentheses";
        return Err(failure(again, expected));
    }
    Ok(Value::Number(compared))
}

fn operand(
    input: &mut Input<'_>,
    read: impl FnOnce(&mut Input<'_>) -> Parse<Value>,
) -> Parse<Expression> {
    let value = read(input)?;
    number(value, input)
}

fn sum(input: &mut Input<'_>) -> Parse<Value> {
    sum_at(input, Place::First)
}

fn sum_after_operator(input: &mut Input<'_>) -> Parse<Value> {
    sum_at(input, Place::AfterOperator)
}

fn sum_at(input: &mut Input<'_>, place: Place) -> Parse<Value> {
    let first = product(input, place)?;
    blank(input);
    let rest = input.eof_offset();
    let mut terms = Vec::new();
    loop {
        let sign = if eat(input, "+") {
            Sign::Plus
        } else if minus(input) {
            Sign::Minus
        } else {
            break;
        };
        let value = operand(input, |input| product(input, Place::AfterOperator))?;
        terms.push(Term { sign, value });
    }
    if terms.is_empty() {
        return Ok(first);
    }
    let sign = Sign::Plus;
    let value = number(first, input)?;
    terms.insert(0, Term { sign, value });
    build(Node::Sum(terms), rest).map(Value::Number)
}

fn product(input: &mut Input<'_>, place: Place) -> Parse<Value> {
    factors(input, place).map(|(value, _)| value)
}

/// A product, and whether it ends with a division whose rounding a function around it may set: `/`,
/// but not `//`.
fn factors(input: &mut Input<'_>, place: Place) -> Parse<(Value, bool)> {
    let (mut left, mut divided) = (signed(input, place)?, false);
    loop {
        blank(input);
        let rest = input.eof_offset();
        let times = eat(input, "*") || eat(input, "×") || eat(input, "·");
        let floored = !times && eat(input, "//");
        if !times && !floored && !eat(input, "/") && !eat(input, "÷") {
            return Ok((left, divided));
        }
        divided = !times && !floored;
        let first = number(left, input)?;
        blank(input);
        let divisor = input.eof_offset();
        let second = operand(input, |input| signed(input, Place::AfterOperator))?;
        let node = if times {
            Node::Product(first, second)
        } else {
            if *second.node() == Node::Number(0) {
                return Err(failure(divisor, "a divisor that is not 0"));
            }
            Node::Quotient {
                dividend: first,
                divisor: second,
                rounding: Rounding::Floor,
            }
        };
        left = Value::Number(build(node, rest)?);
    }
}

fn signed(input: &mut Input<'_>, place: Place) -> Parse<Value> {
    blank(input);
    let rest = input.eof_offset();
    // Modifiers often come with their own sign: `1d20 + +5`.
    let mut place = place;
    while eat(input, "+") {
        place = Place::AfterOperator;
    }
    if !minus(input) {
        return atom(input, place);
    }
    if next_is_digit(input) {
        let start = input.checkpoint();
        let literal = signed_digits(input, true, WHOLE);
        if !matches!(next(input), Some('d' | 'D')) {
            let literal = Expression::number(literal?);
            return Ok(Value::Number(literal));
        }
        input.reset(&start);
    }
    let value = nested(input, |input| {
        operand(input, |input| signed(input, Place::AfterOperator))
    })?;
    build(Node::Negate(value), rest).map(Value::Number)
}

fn atom(input: &mut Input<'_>, place: Place) -> Parse<Value> {
    match next(input) {
        Some('0'..='9') => {
            let start = input.checkpoint();
            let rest = input.eof_offset();
            let literal = signed_digits(input, false, WHOLE);
            if !eat(input, "d") {
                return literal.map(|value| Value::Number(Expression::number(value)));
            }
            input.reset(&start);
            let count = digits(input, "a number of dice up to 4294967295")?;
            expect(input, "d", "\"d\"")?;
            dice(input, Count::Number(count), rest, place)
        }
        Some('(') => {
            let rest = input.eof_offset();
            let value = nested(input, |input| {
                expect(input, "(", "\"(\"")?;
                let value = operand(input, expression)?;
                expect(input, ")", "an operator or \")\"")?;
                Ok(value)
            })?;
            if eat(input, "d") {
                dice(input, Count::Rolled(value), rest, place)
            } else {
                Ok(Value::Number(value))
            }
        }
        Some('{') => {
            let rest = input.eof_offset();
            let parts = nested(input, |input| {
                expect(input, "{", "\"{\"")?;
                list(input, "}", "an operator, \",\" or \"}\"", part)
            })?;
            suffixes(input, Source::Mixed(parts), rest, place)
        }
        Some('a'..='z' | 'A'..='Z') => word(input, place),
        _ => Err(failure(input.eof_offset(), OPERAND)),
    }
}

fn part(input: &mut Input<'_>) -> Parse<Part> {
    blank(input);
    let rest = input.eof_offset();
    match expression(input)? {
        Value::Number(value) => Ok(Part::Value(value)),
        Value::Dice(Roll {
            source:
                Source::Dice {
                    count: Count::Number(count),
                    die,
                },
            changes,
            keeps,
            ..
        }) if keeps.is_empty() => Ok(Part::Dice {
            count,
            die,
            changes,
        }),
        Value::Dice(_) => Err(failure(
            rest,
            "a fixed number of dice, all kept; put these in parentheses to add their sum to the pool as one number",
        )),
    }
}

// Functions, and dice without a number before them.

fn word(input: &mut Input<'_>, place: Place) -> Parse<Value> {
    let rest = input.eof_offset();
    let start = input.checkpoint();
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let read: Parse<&str> = take_while(1.., letter).parse_next(input);
    let name = read?.to_ascii_lowercase();
    if next(input) == Some('(') && name != "d" {
        return nested(input, |input| call(input, &name, rest));
    }
    input.reset(&start);
    if eat(input, "d") {
        return dice(input, Count::Number(1), rest, place);
    }
    Err(failure(rest, OPERAND))
}

const FUNCTIONS: &str = "a function: max, min, abs, floor, ceil, round, trunc, clamp, if, adv, dis, distinct, largest_set, run, sets or straight";

fn call(input: &mut Input<'_>, name: &str, rest: usize) -> Parse<Value> {
    let function = match name {
        "max" => Function::Maximum,
        "min" => Function::Minimum,
        "abs" => Function::Absolute,
        "clamp" => Function::Clamp,
        "if" => Function::If,
        "adv" | "advantage" => Function::Advantage,
        "dis" | "disadvantage" => Function::Disadvantage,
        "floor" => return rounded(input, Rounding::Floor),
        "ceil" | "ceiling" => return rounded(input, Rounding::Ceiling),
        "round" => return rounded(input, Rounding::HalfUp),
        "trunc" => return rounded(input, Rounding::TowardsZero),
        "distinct" | "largest_set" | "run" | "longest_run" | "sets" | "straight" => {
            return reading(input, name, rest);
        }
        _ => return Err(failure(rest, FUNCTIONS)),
    };
    expect(input, "(", "\"(\"")?;
    let argument = |input: &mut Input<'_>| operand(input, expression);
    let arguments = list(input, ")", "an operator, \",\" or \")\"", argument)?;
    let (low, high) = function.arguments();
    if !(low..=high).contains(&arguments.len()) {
        let expected = format!("other arguments: {}", function.needs());
        return Err(failure(rest, expected));
    }
    build(Node::Call(function, arguments), rest).map(Value::Number)
}

/// `ceil(a / b)` sets the rounding of one division, so there must be a division that is not rounded
/// yet, as it is in parentheses or by another function.
fn rounded(input: &mut Input<'_>, how: Rounding) -> Parse<Value> {
    expect(input, "(", "\"(\"")?;
    blank(input);
    let rest = input.eof_offset();
    let (value, divided) = factors(input, Place::First)?;
    let value = number(value, input)?;
    let (
        true,
        Node::Quotient {
            dividend, divisor, ..
        },
    ) = (divided, value.into_node())
    else {
        let expected = "a division to round, such as 3d6 / 2";
        return Err(failure(rest, expected));
    };
    expect(input, ")", "\"*\", \"/\" or \")\"")?;
    let node = Node::Quotient {
        dividend,
        divisor,
        rounding: how,
    };
    build(node, rest).map(Value::Number)
}

fn reading(input: &mut Input<'_>, name: &str, rest: usize) -> Parse<Value> {
    expect(input, "(", "\"(\"")?;
    blank(input);
    let at = input.eof_offset();
    let Value::Dice(roll) = expression(input)? else {
        return Err(failure(at, "plain dice, such as 6d6"));
    };
    let size = |input: &mut Input<'_>| {
        const SIZE: &str = "a number of dice, at least 1";
        expect(input, ",", "\",\" and a number of dice")?;
        blank(input);
        let at = input.eof_offset();
        match digits(input, SIZE)? {
            0 => Err(failure(at, SIZE)),
            size => Ok(size),
        }
    };
    let reading = match name {
        "distinct" => Reading::Distinct,
        "largest_set" => Reading::LargestSet,
        "sets" => Reading::Sets(size(input)?),
        "straight" => Reading::Straight(size(input)?),
        _ => Reading::LongestRun,
    };
    expect(input, ")", "a suffix of dice such as kh3, or \")\"")?;
    build(Node::Read { roll, reading }, rest).map(Value::Number)
}
