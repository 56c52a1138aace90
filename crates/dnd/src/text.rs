//! Damage in the words of a stat block.

use num_bigint::BigInt;
use oddsmith_dice::notation::{Count, Die, Node, Reading, Roll, Sign, Source};
use oddsmith_dice::{Dist, Notation};

use crate::damage::Part;
use crate::weapon_dice::nonnegative;
use crate::{CriticalRule, Damage, DamageType, Error, GreatWeaponFighting};

/// The longest text of damage. It is the limit of the dice notation, which is parsed part by part.
const LONGEST: usize = 4_096;

/// Parses `2d6 + 3 slashing plus 1d6 fire`.
pub(crate) fn damage(text: &str) -> Result<Damage, Error> {
    if text.len() > LONGEST {
        return Err(refused(
            text,
            format!("its length exceeds the limit of {LONGEST} bytes"),
        ));
    }
    let mut parts = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace().chain(["plus"]) {
        if word.eq_ignore_ascii_case("plus") {
            // A sentence may end after the part, or go on.
            if let Some(last) = words.pop() {
                let last = last.strip_suffix(['.', ',']).unwrap_or(last);
                words.extend(Some(last).filter(|last| !last.is_empty()));
            }
            parts.push(part(text, &words)?);
            words.clear();
        } else {
            words.push(word);
        }
    }
    Ok(Damage { parts })
}

/// Parses dice, followed by words that name a type.
fn part(text: &str, words: &[&str]) -> Result<Part, Error> {
    let word = |word: &&&str| word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || c == '-');
    // `d` belongs to the dice, and damage dice never end in `dF`.
    let named = words.iter().rev().take_while(word).count();
    let (dice, name) = words.split_at(words.len() - named);
    let name = match name {
        [name @ .., last] if last.eq_ignore_ascii_case("damage") => name,
        name => name,
    };
    let name = name.join(" ");
    let dice = dice.join(" ");
    if dice.is_empty() {
        let reason = "dice or a number must come before a type or \"plus\"";
        return Err(refused(text, reason));
    }
    let (average, dice) = average_apart(&dice);
    let notation: Notation = dice.parse()?;
    let of: Option<DamageType> = match name.is_empty() {
        true => None,
        false => Some(name.parse()?),
    };
    let mut part = Part {
        of,
        ..Part::default()
    };
    let too_large = || refused(text, "the sum of its numbers does not fit 64 bits");
    let mut flat: i128 = 0;
    add(text, 1, notation.expression().node(), &mut part, &mut flat)?;
    part.flat = i64::try_from(flat).map_err(|_| too_large())?.into();
    // This rejects too many dice now, and not when they are rolled.
    let rolled = part.dice.law(1, None)?;
    if let Some(average) = average {
        check_average(average, dice, flat, &rolled, 0)?;
    }
    Ok(part)
}

/// Adds dice to a part, and numbers to its flat damage, whatever parentheses stand around sums of
/// them: a critical hit does not double numbers.
fn add(text: &str, sign: i128, node: &Node, to: &mut Part, flat: &mut i128) -> Result<(), Error> {
    match node {
        Node::Number(number) => *flat += sign * i128::from(*number),
        Node::Negate(value) => add(text, -sign, value.node(), to, flat)?,
        Node::Sum(terms) => {
            for term in terms {
                let sign = match term.sign {
                    Sign::Plus => sign,
                    Sign::Minus => -sign,
                };
                add(text, sign, term.value.node(), to, flat)?;
            }
        }
        node if is_number(node) => {
            let (_, number) = dice_of(node)?;
            *flat += sign * i128::from(*number.min());
        }
        _ if sign < 0 => {
            let reason = "dice cannot be subtracted, only numbers can";
            return Err(refused(text, reason));
        }
        node => {
            let (count, die) = dice_of(node)?;
            to.dice.groups.push((count, nonnegative(die)?));
        }
    }
    Ok(())
}

/// Whether it is computed from numbers alone, like `2 * 3`.
fn is_number(node: &Node) -> bool {
    match node {
        Node::Number(_) => true,
        Node::Negate(value) => is_number(value.node()),
        Node::Sum(terms) => terms.iter().all(|term| is_number(term.value.node())),
        Node::Product(left, right) => is_number(left.node()) && is_number(right.node()),
        Node::Quotient {
            dividend, divisor, ..
        } => is_number(dividend.node()) && is_number(divisor.node()),
        _ => false,
    }
}

/// Returns the average and the dice of `10 (2d6 + 3)`, or the whole text as dice if it has another
/// form.
pub(crate) fn average_apart(dice: &str) -> (Option<&str>, &str) {
    let Some((average, rest)) = dice.split_once('(') else {
        return (None, dice);
    };
    let average = average.trim();
    let number = !average.is_empty() && average.bytes().all(|byte| byte.is_ascii_digit());
    match rest.strip_suffix(')') {
        Some(inside) if number => (Some(average), inside),
        _ => (None, dice),
    }
}

/// Rejects an average that these dice do not have, since it is unclear which of the two is wrong.
/// Stat blocks round the mean down. If dice can show less than the minimum that counts, two means
/// are in use: that before and that after the minimum is applied.
pub(crate) fn check_average(
    given: &str,
    dice: &str,
    flat: i128,
    rolled: &Dist<i64>,
    least: i64,
) -> Result<(), Error> {
    let floor = BigInt::from(least);
    let before = (rolled.mean() + BigInt::from(flat)).floor().to_integer();
    let average = before.max(floor);
    let counted = rolled.map(|&rolled| flat.saturating_add(rolled.into()).max(least.into()));
    let after = counted.narrow()?.mean().floor().to_integer();
    match given.parse::<BigInt>() {
        Ok(number) if number == average || number == after => Ok(()),
        _ => Err(Error::Average {
            dice: shortened(dice),
            given: shortened(given),
            average: shortened(&average.to_string()),
        }),
    }
}

/// Returns plain dice one by one, since some rules look at each of them; everything else as one
/// die.
fn dice_of(node: &Node) -> Result<(u32, Dist<i64>), Error> {
    if let Node::Read {
        roll:
            Roll {
                source:
                    Source::Dice {
                        count: Count::Number(count),
                        die: Die::Sides(sides),
                    },
                changes,
                keeps,
                after,
            },
        reading: Reading::Sum,
    } = node
        && changes.is_empty()
        && keeps.is_empty()
        && after.is_empty()
    {
        return Ok((*count, Dist::die(*sides)?));
    }
    let whole = oddsmith_dice::notation::Expression::new(node.clone())?;
    Ok((1, Notation::new(whole)?.law()?))
}

fn shortened(text: &str) -> String {
    text.trim().chars().take(64).collect()
}

fn refused(text: &str, reason: impl Into<String>) -> Error {
    Error::DamageText {
        text: text.chars().take(64).collect(),
        reason: reason.into(),
    }
}

/// Returns the damage in the words of a stat block, with everything that these cannot express in
/// brackets.
pub(crate) fn words(damage: &Damage) -> String {
    let mut text = String::new();
    for part in &damage.parts {
        let groups = part.dice.groups.iter();
        let terms: Vec<String> = groups.map(|(count, die)| dice_words(*count, die)).collect();
        let sign = if part.flat < 0 { "-" } else { "+" };
        let dice = match (terms.is_empty(), part.flat) {
            (true, flat) => flat.to_string(),
            (false, 0) => terms.join(" + "),
            (false, flat) => format!("{} {sign} {}", terms.join(" + "), flat.unsigned_abs()),
        };
        let plus = if text.is_empty() { "" } else { " plus " };
        let name = part
            .of
            .as_ref()
            .map_or(String::new(), |of| format!(" {of}"));
        text.extend([plus, &dice, &name]);
        let rules = rules(part);
        if !rules.is_empty() {
            text.extend([" [", &rules.join(", "), "]"]);
        }
    }
    text
}

/// Returns dice as `2d6`, or the range of other ones.
fn dice_words(count: u32, die: &Dist<i64>) -> String {
    let sides = u32::try_from(*die.max()).ok();
    let plain = sides.filter(|&sides| {
        // Dice with as many faces are compared with it, others need not be.
        die.len() as u64 == u64::from(sides) && Dist::die(sides).as_ref() == Ok(die)
    });
    match (plain, count) {
        (Some(sides), _) => format!("{count}d{sides}"),
        (None, 1) => format!("({})", range(die)),
        (None, _) => format!("{count} × ({})", range(die)),
    }
}

fn range(law: &Dist<i64>) -> String {
    match (law.min(), law.max()) {
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

/// Returns what the words of a stat block do not say about a part.
fn rules(part: &Part) -> Vec<String> {
    let mut rules = Vec::new();
    if let Some(style) = part.style {
        rules.push(match style {
            GreatWeaponFighting::Rules2014 => "Great Weapon Fighting of 2014".to_owned(),
            GreatWeaponFighting::Rules2024 => "Great Weapon Fighting of 2024".to_owned(),
        });
    }
    if let Some(dice) = &part.undoubled {
        rules.push(format!("{} more on any hit", range(dice)));
    }
    match part.critical {
        CriticalRule::Doubled => {}
        CriticalRule::Normal => rules.push("no more on a critical hit".to_owned()),
        CriticalRule::MaximumPlusRoll => {
            rules.push("the maximum and a roll on a critical hit".to_owned());
        }
    }
    if let Some(dice) = &part.on_critical {
        rules.push(format!("{} more on a critical hit", range(dice)));
    }
    if part.brutal > 0 {
        rules.push(format!("brutal {}", part.brutal));
    }
    if let Some(dice) = &part.on_miss {
        rules.push(format!("{} on a miss", range(dice)));
    }
    if part.graze > 0 {
        rules.push(format!("graze {}", part.graze));
    }
    rules
}

/// Returns text that is parsed as the same damage, if there is any.
#[cfg(feature = "serde")]
pub(crate) fn written(damage: &Damage) -> Option<String> {
    let text = words(damage);
    // What words cannot express would be lost when the text is parsed.
    (self::damage(&text).as_ref() == Ok(damage)).then_some(text)
}
