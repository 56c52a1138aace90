//! Dice: the text after the `d`, and the suffixes.

use super::token::{
    Input, Parse, WHOLE, blank, comparison, digits, eat, expect, failure, integer, list, nested,
    next, next_is_digit,
};
use super::{Place, Value, build, expression, operand};
use crate::notation::dice::{
    Band, Change, Count, Die, FaceTest, Faces, Keep, Part, Reading, Roll, Source,
};
use crate::notation::tree::{Comparison, Node};
use winnow::Parser;
use winnow::ascii::digit0;
use winnow::stream::Stream;

const DEPTH: &str = "a depth of explosion up to 4294967295, as in \"!10\"";
const FACES: &str = "the faces, as in \"1\", \"<=2\" or \"{1, 3..4}\"";

pub(super) fn dice(input: &mut Input<'_>, count: Count, rest: usize, place: Place) -> Parse<Value> {
    const SIDES: &str = "a number of sides, %, F, {faces} or (an expression)";
    let die = match next(input) {
        Some('0'..='9') => {
            let expected = "a number of sides from 1 to 4294967295";
            let at = input.eof_offset();
            let sides = digits(input, expected)?;
            if sides == 0 {
                return Err(failure(at, expected));
            }
            Die::Sides(sides)
        }
        Some('%') => {
            expect(input, "%", SIDES)?;
            Die::Sides(100)
        }
        Some('f' | 'F') => {
            expect(input, "f", SIDES)?;
            Die::Fudge
        }
        Some('{') => {
            expect(input, "{", SIDES)?;
            Die::Faces(list(input, "}", "\"..\", \",\" or \"}\"", range)?)
        }
        Some('[') => {
            expect(input, "[", SIDES)?;
            Die::Faces(list(input, "]", "\"..\", \",\" or \"]\"", range)?)
        }
        Some('(') => nested(input, |input| {
            expect(input, "(", SIDES)?;
            let face = operand(input, expression)?;
            expect(input, ")", "an operator or \")\"")?;
            Ok(Die::Rolled(face))
        })?,
        _ => return Err(failure(input.eof_offset(), SIDES)),
    };
    suffixes(input, Source::Dice { count, die }, rest, place)
}

/// `3` or `1..6`.
fn range(input: &mut Input<'_>) -> Parse<(i64, i64)> {
    blank(input);
    let rest = input.eof_offset();
    let low = integer(input, "a face: a whole number of 64 bits")?;
    if !eat(input, "..") {
        return Ok((low, low));
    }
    eat(input, "=");
    let high = integer(input, "the last face of the range")?;
    if low > high {
        let expected = "a range from low to high";
        return Err(failure(rest, expected));
    }
    Ok((low, high))
}

fn face_test(input: &mut Input<'_>) -> Parse<FaceTest> {
    if let Some(how) = comparison(input) {
        return Ok(FaceTest::Compare(how, integer(input, WHOLE)?));
    }
    range(input).map(|(low, high)| FaceTest::Range(low, high))
}

fn face_set(input: &mut Input<'_>) -> Parse<Option<Faces>> {
    if !eat(input, "{") {
        return Ok(None);
    }
    let tests = list(input, "}", "\"..\", \",\" or \"}\"", face_test)?;
    Ok(Some(Faces(tests)))
}

pub(super) fn suffixes(
    input: &mut Input<'_>,
    source: Source,
    rest: usize,
    place: Place,
) -> Parse<Value> {
    let mut roll = Roll {
        source,
        changes: Vec::new(),
        keeps: Vec::new(),
        after: Vec::new(),
    };
    loop {
        blank(input);
        let at = input.eof_offset();
        if exclamation(input) {
            let change = explosion(input, &roll, place)?;
            changed(&mut roll, change);
            continue;
        }
        match next(input) {
            Some('r' | 'R') => {
                let change = reroll(input)?;
                changed(&mut roll, change);
            }
            Some('k' | 'K' | 'd' | 'D') => {
                let keep = keep(input, &roll)?;
                if !roll.after.is_empty() {
                    let expected = "keeping and dropping before changes to the kept dice";
                    return Err(failure(at, expected));
                }
                roll.keeps.push(keep);
            }
            Some('c' | 'C') => {
                eat(input, "c");
                // Counting successes is written `cs` in other systems.
                eat(input, "s");
                let bands = bands(input)?;
                let reading = Reading::Count(bands);
                return build(Node::Read { roll, reading }, rest).map(Value::Number);
            }
            Some(letter @ ('x' | 'X' | 'e' | 'E' | 'h' | 'H' | 'l' | 'L')) => {
                return Err(failure(at, meant_by(letter)));
            }
            _ => {
                let Some(how) = comparison(input) else {
                    return Ok(Value::Dice(roll));
                };
                if place == Place::AfterOperator {
                    return Err(failure(
                        at,
                        "parentheses before this comparison: (a + 2d6) >= 7 compares the sum, a + (2d6>=7) counts dice",
                    ));
                }
                let counted = band(input, how)?;
                number_added(input)?;
                if !roll.can_show(counted.faces) {
                    return Err(failure(
                        at,
                        "a comparison that a face of these dice can pass; to compare their sum write (2d6) >= 7",
                    ));
                }
                let bands = vec![counted];
                let reading = Reading::Count(bands);
                return build(Node::Read { roll, reading }, rest).map(Value::Number);
            }
        }
    }
}

/// Fails if a number is added to the bound of a count, as in `1d20>=15 + 2`, where the bound may
/// be meant to be the sum.
fn number_added(input: &mut Input<'_>) -> Parse<()> {
    let start = input.checkpoint();
    blank(input);
    let at = input.eof_offset();
    let mut operators = 0;
    while ["+", "-", "−", "*", "×", "·", "//", "/", "÷"]
        .iter()
        .any(|operator| eat(input, operator))
    {
        operators += 1;
    }
    let number = next_is_digit(input);
    let _: Parse<&str> = digit0.parse_next(input);
    let dice = matches!(next(input), Some('d' | 'D'));
    input.reset(&start);
    if operators > 0 && number && !dice {
        return Err(failure(
            at,
            "parentheses before this operator: (1d20) >= 15 + 2 compares the sum, (8d10>=7) + 2 counts dice",
        ));
    }
    Ok(())
}

fn changed(roll: &mut Roll, change: Change) {
    if roll.keeps.is_empty() {
        roll.changes.push(change);
    } else {
        roll.after.push(change);
    }
}

/// `!`, but not the `!` of `!=`.
fn exclamation(input: &mut Input<'_>) -> bool {
    next(input) == Some('!') && !input.input.starts_with("!=") && eat(input, "!")
}

/// The text after the `!`.
fn explosion(input: &mut Input<'_>, roll: &Roll, place: Place) -> Parse<Change> {
    let rest = input.eof_offset();
    if input.input.starts_with('!') && !input.input.starts_with("!=") {
        let expected = "one \"!\": an exploding die always counts as one number here, as with \"!!\" elsewhere";
        return Err(failure(rest, expected));
    }
    if matches!(input.input.chars().next(), Some('p' | 'P')) {
        let expected = "a depth, {faces} or nothing after \"!\": dice that lose 1 at each explosion are not supported";
        return Err(failure(rest, expected));
    }
    if eat(input, "o") {
        let on = face_set(input)?;
        return Ok(Change::Explode { depth: 1, on });
    }
    if next_is_digit(input) {
        let depth = digits(input, DEPTH)?;
        let on = face_set(input)?;
        return Ok(Change::Explode { depth, on });
    }
    if let Some(on) = face_set(input)? {
        return Ok(Change::ExplodeForever { on: Some(on) });
    }
    let at = input.eof_offset();
    let Some(how) = comparison(input) else {
        return Ok(Change::ExplodeForever { on: None });
    };
    // `10d6!>=5`: as in other systems, these are the faces that explode, and not a count, as it
    // would be after a depth. If that reading makes no sense, the other may be meant.
    if place == Place::AfterOperator {
        let expected =
            "braces around the faces that explode, as in !{>=5}, or parentheses to compare the sum";
        return Err(failure(at, expected));
    }
    if how == Comparison::Equal {
        let expected = "braces around the faces that explode, as in !{5}; != is a comparison";
        return Err(failure(at, expected));
    }
    let test = FaceTest::Compare(how, integer(input, "a face to explode on, as in !>=5")?);
    if !roll.can_show(test) {
        let expected =
            "a face of these dice to explode on; to count exploded dice write c, as in 8d6!c>=7";
        return Err(failure(at, expected));
    }
    let on = Some(Faces(vec![test]));
    Ok(Change::ExplodeForever { on })
}

fn reroll(input: &mut Input<'_>) -> Parse<Change> {
    eat(input, "r");
    let limitless = eat(input, "r") || eat(input, "*");
    let once_only = !limitless && eat(input, "o");
    let once = if limitless { None } else { Some(1) };
    if let Some(on) = face_set(input)? {
        return Ok(Change::Reroll { times: once, on });
    }
    let at = input.eof_offset();
    let start = input.checkpoint();
    let test = match comparison(input) {
        Some(how) => FaceTest::Compare(how, integer(input, WHOLE)?),
        None => {
            let face = integer(input, FACES)?;
            FaceTest::Range(face, face)
        }
    };
    // `r3{1, 2}`: a number of times, followed by the faces.
    if next(input) == Some('{') && !limitless && !once_only {
        input.reset(&start);
        let times = digits(input, "a number of times up to 4294967295")?;
        if let Some(on) = face_set(input)? {
            let times = Some(times);
            return Ok(Change::Reroll { times, on });
        }
        return Err(failure(at, FACES));
    }
    let on = Faces(vec![test]);
    Ok(Change::Reroll { times: once, on })
}

/// The proposal for a suffix of other systems that may mean several things.
fn meant_by(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        'x' => "\"*\" to multiply, or \"!\" to explode",
        'e' => "\"!\" to explode, as in 5d6!10{6}",
        'h' => "kh to keep or dh to drop the highest",
        _ => "kl to keep or dl to drop the lowest",
    }
}

fn keep(input: &mut Input<'_>, roll: &Roll) -> Parse<Keep> {
    let start = input.eof_offset();
    let choice: fn(u32) -> Keep = if eat(input, "k") {
        if eat(input, "h") {
            Keep::Highest
        } else if eat(input, "l") {
            Keep::Lowest
        } else if eat(input, "m") {
            Keep::Middle
        } else if eat(input, "[") {
            // It would include again what was dropped.
            if !roll.keeps.is_empty() {
                let expected = "no k[…] after keeping or dropping dice: it needs a number for each die rolled, 0 to drop the die";
                return Err(failure(start, expected));
            }
            let one = |input: &mut Input<'_>| {
                integer(input, "how often a die counts, as in k[0, 1, 1, 1]")
            };
            return list(input, "]", "\",\" or \"]\"", one).map(Keep::Positions);
        } else if next_is_digit(input) {
            Keep::Highest
        } else {
            let expected = "h, l, m, a number or [ after k: highest, lowest, middle, positions";
            return Err(failure(input.eof_offset(), expected));
        }
    } else {
        eat(input, "d");
        if eat(input, "h") {
            Keep::DropHighest
        } else if eat(input, "l") {
            Keep::DropLowest
        } else {
            // `4d6d1` drops the lowest; `2d6d6` could only mean dice whose number is rolled.
            let at = input.eof_offset();
            let drop = if next_is_digit(input) {
                digits(input, "a number of dice up to 4294967295")?
            } else {
                u32::MAX
            };
            let dice = match &roll.source {
                Source::Dice {
                    count: Count::Number(count),
                    ..
                } => *count,
                Source::Dice { .. } => 0,
                Source::Mixed(parts) => parts.iter().fold(0, |all: u32, part| {
                    all.saturating_add(match part {
                        Part::Dice { count, .. } => *count,
                        Part::Value(_) => 1,
                    })
                }),
            };
            return match drop < dice {
                true => Ok(Keep::DropLowest(drop)),
                false => Err(failure(
                    at,
                    "h, l or a smaller number of dice after d, to drop the highest or the lowest; for a rolled number of dice write (4d6)d6",
                )),
            };
        }
    };
    if next_is_digit(input) {
        return digits(input, "a number of dice up to 4294967295").map(choice);
    }
    Ok(choice(1))
}

/// The text after the `c`.
fn bands(input: &mut Input<'_>) -> Parse<Vec<Band>> {
    const BANDS: &str = "what counts, as in \"c>=7\" or \"c{10:2, 7..9:1, 1:-1}\"";
    if let Some(how) = comparison(input) {
        return Ok(vec![band(input, how)?]);
    }
    expect(input, "{", BANDS)?;
    list(input, "}", "\"..\", \":\", \",\" or \"}\"", |input| {
        let faces = face_test(input)?;
        let value = if eat(input, ":") {
            integer(input, "the value of such a die: a whole number")?
        } else {
            1
        };
        Ok(Band { faces, value })
    })
}

/// A count after its comparison, whose bound is a known number.
fn band(input: &mut Input<'_>, how: Comparison) -> Parse<Band> {
    const BOUND: &str = "a face to count, as in 8d10>=7; to compare sums write (2d6) >= 1d6";
    blank(input);
    let rest = input.eof_offset();
    let bound = integer(input, BOUND)?;
    if matches!(next(input), Some('d' | 'D')) {
        return Err(failure(rest, BOUND));
    }
    Ok(Band {
        faces: FaceTest::Compare(how, bound),
        value: 1,
    })
}
