//! Tokens, each of which may be preceded by blanks.

use crate::notation::tree::Comparison;
use winnow::Parser;
use winnow::ascii::{Caseless, digit1};
use winnow::combinator::{alt, opt};
use winnow::error::ParserError;
use winnow::stream::{Stateful, Stream};
use winnow::token::take_while;

/// The largest nesting depth of parentheses, braces, arguments and signs.
const MAX_NESTING: u32 = 32;

/// The rest of the text, and the current nesting depth.
pub(super) type Input<'a> = Stateful<&'a str, u32>;
pub(super) type Parse<T> = Result<T, Failure>;

/// The position at which reading stopped, and the reason.
#[derive(Debug)]
pub(super) struct Failure {
    /// The number of bytes from here to the end.
    pub(super) rest: usize,
    /// Empty for a token that did not match, where another may be tried.
    pub(super) expected: String,
}

impl<'a> ParserError<Input<'a>> for Failure {
    type Inner = Self;

    fn from_input(input: &Input<'a>) -> Self {
        failure(input.eof_offset(), "")
    }

    fn is_backtrack(&self) -> bool {
        self.expected.is_empty()
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}

pub(super) fn failure(rest: usize, expected: impl Into<String>) -> Failure {
    let expected = expected.into();
    Failure { rest, expected }
}

pub(super) fn blank(input: &mut Input<'_>) {
    let mut blanks = take_while::<_, _, Failure>(0.., char::is_whitespace);
    // Zero blanks are a match, too.
    let _: Parse<&str> = blanks.parse_next(input);
}

pub(super) fn eat(input: &mut Input<'_>, word: &'static str) -> bool {
    blank(input);
    let found: Parse<Option<&str>> = opt(Caseless(word)).parse_next(input);
    matches!(found, Ok(Some(_)))
}

pub(super) fn expect(input: &mut Input<'_>, word: &'static str, expected: &str) -> Parse<()> {
    if eat(input, word) {
        return Ok(());
    }
    Err(failure(input.eof_offset(), expected))
}

pub(super) fn next(input: &mut Input<'_>) -> Option<char> {
    blank(input);
    input.input.chars().next()
}

pub(super) fn next_is_digit(input: &mut Input<'_>) -> bool {
    next(input).is_some_and(|c| c.is_ascii_digit())
}

/// An integer in digits, of any type.
pub(super) fn digits<N: std::str::FromStr>(input: &mut Input<'_>, expected: &str) -> Parse<N> {
    blank(input);
    let rest = input.eof_offset();
    let read: Parse<&str> = digit1.parse_next(input);
    let number = read.ok().and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| failure(rest, expected))
}

pub(super) fn minus(input: &mut Input<'_>) -> bool {
    eat(input, "-") || eat(input, "−")
}

pub(super) const WHOLE: &str = "a whole number of 64 bits";

/// An integer in digits, after its minus sign if there was one.
pub(super) fn signed_digits(input: &mut Input<'_>, negative: bool, expected: &str) -> Parse<i64> {
    blank(input);
    let rest = input.eof_offset();
    let magnitude: u64 = digits(input, expected)?;
    let value = if negative {
        0i64.checked_sub_unsigned(magnitude)
    } else {
        i64::try_from(magnitude).ok()
    };
    value.ok_or_else(|| failure(rest, expected))
}

pub(super) fn integer(input: &mut Input<'_>, expected: &str) -> Parse<i64> {
    let negative = minus(input);
    signed_digits(input, negative, expected)
}

pub(super) fn comparison(input: &mut Input<'_>) -> Option<Comparison> {
    blank(input);
    let read: Parse<Comparison> = alt((
        alt((">=", "≥")).value(Comparison::AtLeast),
        alt(("<=", "≤")).value(Comparison::AtMost),
        alt(("!=", "<>", "≠")).value(Comparison::NotEqual),
        alt(("==", "=")).value(Comparison::Equal),
        ">".value(Comparison::More),
        "<".value(Comparison::Less),
    ))
    .parse_next(input);
    read.ok()
}

/// Reads one level deeper, unless that is too deep.
pub(super) fn nested<T>(
    input: &mut Input<'_>,
    inner: impl FnOnce(&mut Input<'_>) -> Parse<T>,
) -> Parse<T> {
    if input.state >= MAX_NESTING {
        let expected = format!("at most {MAX_NESTING} levels of nesting");
        return Err(failure(input.eof_offset(), expected));
    }
    input.state += 1;
    let value = inner(input)?;
    input.state -= 1;
    Ok(value)
}

/// One or more items, separated by commas, up to and including `close`.
pub(super) fn list<T>(
    input: &mut Input<'_>,
    close: &'static str,
    expected: &str,
    mut item: impl FnMut(&mut Input<'_>) -> Parse<T>,
) -> Parse<Vec<T>> {
    let mut items = Vec::new();
    loop {
        items.push(item(input)?);
        if eat(input, close) {
            return Ok(items);
        }
        expect(input, ",", expected)?;
    }
}
