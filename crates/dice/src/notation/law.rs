//! The distribution of an expression, computed part by part.

use super::after::{After, after};
use super::cost::shortened;
use super::dice::{Band, Change, Count, Die, Keep, Part, Reading, Roll, Source};
use super::mixture::mixture;
use super::tree::{Comparison, Expression, Function, Node, Sign, Term};
use crate::rounding::Roundings;
use crate::{
    DEFAULT_LIMIT, Dist, Distinct, Error, LargestSet, LongestRun, Pool, SetsAtLeast, Straight,
    Weight,
};

type Law<W> = Result<Dist<i64, W>, Error>;

/// The distribution of an expression whose cost was checked. `limit` is the second line of defence.
pub(super) fn law<W: Weight>(expression: &Expression, limit: u64) -> Law<W> {
    match expression.node() {
        Node::Number(value) => Ok(Dist::point(*value)),
        Node::Read { roll, reading } => read(roll, reading, limit).map_err(|error| match error {
            Error::InfiniteSupport { .. } => needs_depth(roll, reading),
            other => other,
        }),
        Node::Negate(value) => law::<W>(value, limit)?.negate(),
        Node::Sum(terms) => sum_terms(terms, limit),
        Node::Product(left, right) => {
            law::<W>(left, limit)?.product_within(&law(right, limit)?, limit)
        }
        Node::Quotient {
            dividend,
            divisor,
            rounding,
        } => {
            let dividend = law::<W>(dividend, limit)?;
            mixture(&law(divisor, limit)?, |k| dividend.divide(k, *rounding))
        }
        Node::Compare(left, how, right) => {
            Ok(compare(&law::<W>(left, limit)?, *how, &law(right, limit)?))
        }
        Node::Call(function, arguments) => call(*function, arguments, limit),
    }
}

fn sum_terms<W: Weight>(terms: &[Term], limit: u64) -> Law<W> {
    let (mut added, mut subtracted, mut constant) = (Vec::new(), Vec::new(), 0_i128);
    for term in terms {
        let number = match term.value.node() {
            Node::Number(number) => Some(i128::from(*number)),
            _ => None,
        };
        // What is far from 0 is added at the end: a sum that fits must not be refused for one on
        // the way to it.
        let (number, law) = match number {
            Some(number) => (number, None),
            None => {
                let law = law::<W>(&term.value, limit)?;
                let middle = (i128::from(*law.min()) + i128::from(*law.max())) / 2;
                match i64::try_from(4 * middle) {
                    Ok(_) => (0, Some(law)),
                    Err(_) => (middle, Some(law.moved(-middle)?)),
                }
            }
        };
        match term.sign {
            Sign::Plus => {
                constant += number;
                added.extend(law);
            }
            Sign::Minus => {
                constant -= number;
                subtracted.extend(law);
            }
        }
    }
    let added = total(added, limit)?;
    let sum = if subtracted.is_empty() {
        added
    } else {
        added.difference_within(&total(subtracted, limit)?, limit)?
    };
    sum.moved(constant)
}

/// The sum of distributions. A single one, which may fill all the memory allowed, is not copied.
fn total<W: Weight>(mut laws: Vec<Dist<i64, W>>, limit: u64) -> Law<W> {
    match laws.pop() {
        Some(only) if laws.is_empty() => Ok(only),
        Some(last) => {
            laws.push(last);
            Dist::sum_within(&laws, limit)
        }
        None => Ok(Dist::point(0)),
    }
}

fn call<W: Weight>(function: Function, arguments: &[Expression], limit: u64) -> Law<W> {
    let argument = |position: usize| -> Law<W> {
        match arguments.get(position) {
            Some(argument) => law(argument, limit),
            // The number of arguments was checked when the expression was made.
            None => Err(Error::BadExpression {
                reason: function.needs().to_owned(),
            }),
        }
    };
    let first = argument(0)?;
    match function {
        Function::Maximum => {
            let mut rest = 1..arguments.len();
            rest.try_fold(first, |best, i| Ok(best.maximum(&argument(i)?)))
        }
        Function::Minimum => {
            let mut rest = 1..arguments.len();
            rest.try_fold(first, |best, i| Ok(best.minimum(&argument(i)?)))
        }
        Function::Absolute => first.absolute(),
        Function::Clamp => Ok(first.maximum(&argument(1)?).minimum(&argument(2)?)),
        Function::If => first.map(|&x| x != 0).and_then_within(
            |&holds| argument(if holds { 1 } else { 2 }),
            limit.max(DEFAULT_LIMIT),
        ),
        Function::Advantage => Ok(first.maximum(&first)),
        Function::Disadvantage => Ok(first.minimum(&first)),
    }
}

/// 1 if the comparison of two independent numbers holds, else 0.
fn compare<W: Weight>(left: &Dist<i64, W>, how: Comparison, right: &Dist<i64, W>) -> Dist<i64, W> {
    if let [bound] = right.support() {
        return left.map(|&x| i64::from(how.holds(x, *bound)));
    }
    let contest = left.versus(right);
    let orders = [how.holds(1, 0), how.holds(0, 0), how.holds(0, 1)];
    let pairs = orders.into_iter().zip(contest.weights());
    let pairs = pairs
        .map(|(holds, weight)| (i64::from(holds), weight.clone()))
        .collect();
    // The roundings of the contest, and two of its three weights may be added.
    let terms = left.len().saturating_add(right.len());
    let roundings = left.roundings.product(right.roundings, terms);
    Dist::merge(pairs, contest.total().clone(), roundings)
}

fn read<W: Weight>(roll: &Roll, reading: &Reading, limit: u64) -> Law<W> {
    // A die that is not rolled cannot fail: zero of them give 0.
    let groups = |count: u32, die: &Die, changes: &[Change]| -> Result<Groups<W>, Error> {
        if count == 0 {
            return Ok(Vec::new());
        }
        Ok(vec![(
            count,
            changed(die_law(die, limit)?, changes, limit)?,
        )])
    };
    match &roll.source {
        Source::Dice {
            count: Count::Number(count),
            die,
        } => pool(groups(*count, die, &roll.changes)?, roll, reading, limit),
        Source::Dice {
            count: Count::Rolled(count),
            die,
        } => {
            let counts = law::<W>(count, limit)?;
            let dice = groups(u32::from(*counts.max() > 0), die, &roll.changes)?;
            let part = |count| {
                let count = u32::try_from(count).map_err(|_| Error::DiceCount { count })?;
                let mut dice = dice.clone();
                dice.iter_mut().for_each(|group| group.0 = count);
                pool(dice, roll, reading, limit)
            };
            mixture(&counts, part)
        }
        Source::Mixed(parts) => {
            let mut all = Vec::with_capacity(parts.len());
            for part in parts {
                let dice = match part {
                    Part::Dice {
                        count,
                        die,
                        changes,
                    } => groups(*count, die, changes)?,
                    Part::Value(value) => vec![(1, law(value, limit)?)],
                };
                for (count, die) in dice {
                    all.push((count, changed(die, &roll.changes, limit)?));
                }
            }
            pool(all, roll, reading, limit)
        }
    }
}

fn die_law<W: Weight>(die: &Die, limit: u64) -> Law<W> {
    match die {
        Die::Sides(sides) => fair(&[(1, i64::from(*sides))]),
        Die::Fudge => fair(&[(-1, 1)]),
        Die::Faces(ranges) => fair(ranges),
        Die::Rolled(face) => law(face, limit),
    }
}

/// The faces of all ranges, equally likely.
fn fair<W: Weight>(ranges: &[(i64, i64)]) -> Law<W> {
    let faces = ranges.iter().flat_map(|&(low, high)| low..=high);
    let pairs: Vec<_> = faces.map(|face| (face, W::unit())).collect();
    // Integers this small are exact in doubles, too.
    let mut total = W::nothing();
    pairs.iter().for_each(|(_, weight)| total.add(weight));
    Dist::gather(pairs, total, Roundings::default())
}

/// An explosion without limit, if the result is finite.
pub(super) fn explode_forever<W: Weight>(
    die: &Dist<i64, W>,
    explodes: impl Fn(i64) -> bool,
) -> Law<W> {
    die.explode_forever(|&face| explodes(face))
        .map_err(|error| match error {
            // A die of zeros alone never gets further, and with a depth it is 0.
            Error::Endless { .. } if die.support() == [0] => error,
            _ => Error::InfiniteSupport {
                operation: "exploding without limit",
            },
        })
}

/// The error that proposes a replacement for an explosion without limit.
fn needs_depth(roll: &Roll, reading: &Reading) -> Error {
    let text = |roll: Roll| {
        let reading = reading.clone();
        let node = Expression::new(Node::Read { roll, reading });
        // This expression was valid before, and differs only in a depth.
        node.map(|node| shortened(&node)).unwrap_or_default()
    };
    let mut deep = roll.clone();
    let mut changes: Vec<&mut Change> = deep.changes.iter_mut().chain(&mut deep.after).collect();
    if let Source::Mixed(parts) = &mut deep.source {
        for part in parts {
            if let Part::Dice { changes: own, .. } = part {
                changes.extend(own);
            }
        }
    }
    for change in changes {
        if let Change::ExplodeForever { on } = change {
            let on = on.take();
            *change = Change::Explode { depth: 10, on };
        }
    }
    Error::NeedsDepth {
        written: text(roll.clone()),
        instead: text(deep),
    }
}

pub(super) fn changed<W: Weight>(die: Dist<i64, W>, changes: &[Change], limit: u64) -> Law<W> {
    changes.iter().try_fold(die, |die, change| match change {
        Change::Explode { depth, on } => {
            let highest = *die.max();
            let explodes = |&face: &i64| match on {
                Some(faces) => faces.contains(face),
                None => face == highest,
            };
            die.explode_within(*depth, explodes, limit)
        }
        Change::ExplodeForever { on } => {
            let highest = *die.max();
            explode_forever(&die, |face| match on {
                Some(faces) => faces.contains(face),
                None => face == highest,
            })
        }
        Change::Reroll { times, on } => {
            let again = |&face: &i64| on.contains(face);
            match times {
                Some(times) => die.reroll_within(*times, again, limit),
                None => die.reroll_forever(again),
            }
        }
    })
}

fn worth(bands: &[Band], face: i64) -> i64 {
    let band = bands.iter().find(|band| band.faces.holds(face));
    band.map_or(0, |band| band.value)
}

type Groups<W> = Vec<(u32, Dist<i64, W>)>;

fn pool<W: Weight>(groups: Groups<W>, roll: &Roll, reading: &Reading, limit: u64) -> Law<W> {
    if roll.keeps.is_empty() {
        match reading {
            Reading::Sum => return sum(groups, limit),
            Reading::Count(bands) => {
                let worth = |(count, die): (u32, Dist<i64, W>)| {
                    (count, die.map(|&face| worth(bands, face)))
                };
                return sum(groups.into_iter().map(worth).collect(), limit);
            }
            _ => {}
        }
    }
    let mut dice = Pool::mixed([]);
    for (count, die) in &groups {
        dice = dice.with(*count, die)?;
    }
    for keep in &roll.keeps {
        dice = match keep {
            Keep::Highest(k) => dice.highest(*k),
            Keep::Lowest(k) => dice.lowest(*k),
            Keep::Middle(k) => dice.middle(*k),
            Keep::DropHighest(k) => dice.drop_highest(*k),
            Keep::DropLowest(k) => dice.drop_lowest(*k),
            Keep::Positions(multiplicities) => dice.positions(multiplicities),
        }?;
    }
    let nothing = dice.runs().iter().all(|run| run.multiplicity == 0);
    if nothing && matches!(reading, Reading::Sum | Reading::Count(_)) {
        return Ok(Dist::point(0));
    }
    match reading {
        Reading::Sum if roll.after.is_empty() => dice.sum_within(limit),
        Reading::Sum => {
            let mut changes = After::all(&one_kind(&groups)?, &roll.after, limit)?;
            dice.sum_with_within(|&face| after(face, &mut changes, limit), limit)
        }
        Reading::Count(bands) if roll.after.is_empty() => {
            dice.count_within(|&face| worth(bands, face), limit)
        }
        Reading::Count(bands) => {
            let mut changes = After::all(&one_kind(&groups)?, &roll.after, limit)?;
            let worth = |&face: &i64| {
                let law = after(face, &mut changes, limit)?;
                Ok(law.map(|&face| worth(bands, face)))
            };
            dice.sum_with_within(worth, limit)
        }
        Reading::Distinct => dice.evaluate_within(&Distinct, limit),
        Reading::LargestSet => dice.evaluate_within(&LargestSet, limit),
        Reading::LongestRun => dice.evaluate_within(&LongestRun, limit),
        Reading::Sets(size) => dice.evaluate_within(&SetsAtLeast(*size), limit),
        Reading::Straight(size) => {
            let holds = dice.evaluate_within(&Straight(*size), limit)?;
            Ok(holds.map(|&holds| i64::from(holds)))
        }
    }
}

fn sum<W: Weight>(groups: Groups<W>, limit: u64) -> Law<W> {
    let mut parts = Vec::with_capacity(groups.len());
    for (count, die) in groups {
        parts.push(die.repeat_within(count, limit)?);
    }
    total(parts, limit)
}

/// The distribution of all dice, if they have the same one: a kept face does not tell which die
/// shows it.
fn one_kind<W: Weight>(groups: &Groups<W>) -> Law<W> {
    let (_, first) = groups.first().ok_or(Error::EmptySupport)?;
    let mut die = first.clone();
    for (_, other) in groups {
        let (ours, theirs) = (&mut die.roundings, other.roundings);
        if first != other {
            if W::EXACT || !agree(first, other) {
                return Err(Error::BadExpression {
                    reason: "kept dice of different kinds cannot be rolled again, since a face does not identify its die; change the dice before keeping"
                        .to_owned(),
                });
            }
            // They differ by at most two errors, and each may be one more from the truth.
            let error = |law: &Dist<i64, W>| {
                let roundings = law.roundings;
                roundings
                    .weights
                    .saturating_add(roundings.total)
                    .saturating_add(1)
            };
            let apart = error(first).max(error(other)).saturating_mul(3);
            ours.weights = ours.weights.max(apart);
        }
        ours.weights = ours.weights.max(theirs.weights);
        ours.total = ours.total.max(theirs.total);
    }
    Ok(die)
}

/// Whether float distributions may be the same, as far as their errors tell.
fn agree<W: Weight>(left: &Dist<i64, W>, right: &Dist<i64, W>) -> bool {
    let error = |law: &Dist<i64, W>| law.roundings.relative_error(1);
    let error = error(left).max(error(right));
    let same = |(a, b): (&W, &W)| {
        let (a, b) = (a.times(&right.total), b.times(&left.total));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        high.lowered(error) <= low
    };
    left.outcomes == right.outcomes && left.weights.iter().zip(&right.weights).all(same)
}
