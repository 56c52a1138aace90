//! A plain interpreter that rolls one die after another, and a tape that enumerates all rolls.

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_dice::Rounding;
use oddsmith_dice::notation::{
    Band, Change, Count, Die, Expression, FaceTest, Function, Keep, Node, Part, Reading, Roll,
    Sign, Source,
};
use std::collections::BTreeMap;

pub(crate) type Plain = BTreeMap<i64, BigRational>;

/// Why a roll has no result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stop {
    /// The expression cannot be rolled.
    Impossible,
    /// There are too many ways to roll it.
    TooMany,
}

pub(crate) type Rolled<T> = Result<T, Stop>;

/// The choices of one run.
#[derive(Default)]
pub(crate) struct Tape {
    choices: Vec<(usize, Vec<(i64, BigRational)>)>,
    at: usize,
}

impl Tape {
    fn choose(&mut self, options: Vec<(i64, BigRational)>) -> i64 {
        if self.at == self.choices.len() {
            self.choices.push((0, options));
        }
        let (index, options) = &self.choices[self.at];
        self.at += 1;
        options[*index].0
    }

    fn probability(&self) -> BigRational {
        self.choices
            .iter()
            .map(|(index, options)| options[*index].1.clone())
            .product()
    }

    /// The next run, if there is one.
    fn turn(&mut self) -> bool {
        self.at = 0;
        while let Some((index, options)) = self.choices.last_mut() {
            *index += 1;
            if *index < options.len() {
                return true;
            }
            self.choices.pop();
        }
        false
    }
}

/// Every run of `roll`, with its probability.
pub(crate) fn enumerate(roll: impl FnMut(&mut Tape) -> Rolled<i64>) -> Rolled<Plain> {
    enumerate_within(500, roll)
}

pub(crate) fn enumerate_within(
    most: u32,
    mut roll: impl FnMut(&mut Tape) -> Rolled<i64>,
) -> Rolled<Plain> {
    let mut tape = Tape::default();
    let mut law = Plain::new();
    for _ in 0..most {
        let outcome = roll(&mut tape)?;
        *law.entry(outcome).or_insert_with(BigRational::zero) += tape.probability();
        if !tape.turn() {
            return Ok(law);
        }
    }
    Err(Stop::TooMany)
}

pub(crate) fn evaluate(expression: &Expression, tape: &mut Tape) -> Rolled<i64> {
    match expression.node() {
        Node::Number(value) => Ok(*value),
        Node::Read { roll, reading } => read(roll, reading, tape),
        Node::Negate(value) => Ok(-evaluate(value, tape)?),
        Node::Sum(terms) => {
            let mut sum = 0;
            for term in terms {
                let value = evaluate(&term.value, tape)?;
                sum += if term.sign == Sign::Plus {
                    value
                } else {
                    -value
                };
            }
            Ok(sum)
        }
        Node::Product(left, right) => Ok(evaluate(left, tape)? * evaluate(right, tape)?),
        Node::Quotient {
            dividend,
            divisor,
            rounding,
        } => {
            let (x, k) = (evaluate(dividend, tape)?, evaluate(divisor, tape)?);
            if k == 0 {
                return Err(Stop::Impossible);
            }
            let exact = BigRational::new(x.into(), k.into());
            let half = BigRational::new(1.into(), 2.into());
            let rounded = match rounding {
                Rounding::Floor => exact.floor(),
                Rounding::Ceiling => exact.ceil(),
                Rounding::TowardsZero => exact.trunc(),
                Rounding::HalfUp => (exact + half).floor(),
                other => panic!("the notation does not know {other:?}"),
            };
            Ok(rounded.to_i64().unwrap())
        }
        Node::Compare(left, how, right) => {
            let (left, right) = (evaluate(left, tape)?, evaluate(right, tape)?);
            Ok(how.holds(left, right).into())
        }
        Node::Call(function, arguments) => {
            let mut argument = |i: usize| evaluate(&arguments[i], tape);
            match function {
                Function::Maximum => {
                    let values: Rolled<Vec<i64>> = (0..arguments.len()).map(argument).collect();
                    Ok(values?.into_iter().max().unwrap())
                }
                Function::Minimum => {
                    let values: Rolled<Vec<i64>> = (0..arguments.len()).map(argument).collect();
                    Ok(values?.into_iter().min().unwrap())
                }
                Function::Absolute => Ok(argument(0)?.abs()),
                Function::Clamp => Ok(argument(0)?.max(argument(1)?).min(argument(2)?)),
                Function::If => {
                    let branch = if argument(0)? != 0 { 1 } else { 2 };
                    argument(branch)
                }
                Function::Advantage => Ok(argument(0)?.max(argument(0)?)),
                Function::Disadvantage => Ok(argument(0)?.min(argument(0)?)),
                other => panic!("this test does not know {other}"),
            }
        }
        other => panic!("this test does not know {other:?}"),
    }
}

pub(crate) fn face(die: &Die, tape: &mut Tape) -> Rolled<i64> {
    let faces: Vec<i64> = match die {
        Die::Sides(sides) => (1..=i64::from(*sides)).collect(),
        Die::Fudge => vec![-1, 0, 1],
        Die::Faces(ranges) => ranges.iter().flat_map(|&(low, high)| low..=high).collect(),
        Die::Rolled(face) => return evaluate(face, tape),
        other => panic!("this test does not know {other:?}"),
    };
    let each = BigRational::new(1.into(), faces.len().into());
    Ok(tape.choose(faces.into_iter().map(|face| (face, each.clone())).collect()))
}

/// A way to roll a die anew.
pub(crate) type Fresh<'a> = &'a dyn Fn(&mut Tape) -> Rolled<i64>;

/// The result of a die that shows `face`, where `fresh` rolls it again.
pub(crate) fn change(face: i64, change: &Change, fresh: Fresh<'_>, tape: &mut Tape) -> Rolled<i64> {
    match change {
        Change::Explode { depth, on } => {
            let highest = match on {
                Some(_) => 0,
                None => *enumerate(fresh)?.last_key_value().unwrap().0,
            };
            let explodes = |face| on.as_ref().map_or(face == highest, |on| on.contains(face));
            let (mut total, mut last, mut left) = (face, face, *depth);
            while left > 0 && explodes(last) {
                last = fresh(tape)?;
                total += last;
                left -= 1;
            }
            Ok(total)
        }
        // Finite if the exploding faces add nothing: they are rerolled.
        Change::ExplodeForever { on } => {
            let mut law = enumerate(fresh)?;
            let highest = *law.last_key_value().unwrap().0;
            let explodes = |face| on.as_ref().map_or(face == highest, |on| on.contains(face));
            if law.keys().any(|&face| face != 0 && explodes(face)) || explodes(face) && face != 0 {
                return Err(Stop::Impossible);
            }
            if !explodes(face) {
                return Ok(face);
            }
            law.remove(&0);
            let whole: BigRational = law.values().sum();
            if whole.is_zero() {
                return Err(Stop::Impossible);
            }
            let rest = law.into_iter().map(|(face, p)| (face, p / &whole));
            Ok(tape.choose(rest.collect()))
        }
        Change::Reroll {
            times: Some(times),
            on,
        } => {
            let mut face = face;
            for _ in 0..*times {
                if on.contains(face) {
                    face = fresh(tape)?;
                }
            }
            Ok(face)
        }
        Change::Reroll { times: None, on } => {
            if !on.contains(face) {
                return Ok(face);
            }
            let mut law = enumerate(fresh)?;
            law.retain(|face, _| !on.contains(*face));
            let whole: BigRational = law.values().sum();
            if whole.is_zero() {
                return Err(Stop::Impossible);
            }
            Ok(tape.choose(
                law.into_iter()
                    .map(|(face, p)| (face, p / &whole))
                    .collect(),
            ))
        }
        other => panic!("this test does not know {other:?}"),
    }
}

pub(crate) fn changed(die: &Die, changes: &[Change], tape: &mut Tape) -> Rolled<i64> {
    let Some((last, before)) = changes.split_last() else {
        return face(die, tape);
    };
    let shown = changed(die, before, tape)?;
    change(shown, last, &|tape| changed(die, before, tape), tape)
}

/// The dice of a pool: each with its kind and all its changes.
pub(crate) fn dice(roll: &Roll, tape: &mut Tape) -> Rolled<Vec<(Die, Vec<Change>)>> {
    match &roll.source {
        Source::Dice { count, die } => {
            let count = match count {
                Count::Number(count) => i64::from(*count),
                Count::Rolled(count) => evaluate(count, tape)?,
            };
            let count = u32::try_from(count).map_err(|_| Stop::Impossible)?;
            Ok(vec![(die.clone(), roll.changes.clone()); count as usize])
        }
        Source::Mixed(parts) => {
            let mut dice = Vec::new();
            for part in parts {
                let (count, die, changes) = match part {
                    Part::Dice {
                        count,
                        die,
                        changes,
                    } => (*count, die.clone(), changes.clone()),
                    Part::Value(value) => (1, Die::Rolled(value.clone()), Vec::new()),
                };
                let changes: Vec<Change> =
                    changes.into_iter().chain(roll.changes.clone()).collect();
                dice.extend(vec![(die, changes); count as usize]);
            }
            Ok(dice)
        }
        other => panic!("this test does not know {other:?}"),
    }
}

pub(crate) fn read(roll: &Roll, reading: &Reading, tape: &mut Tape) -> Rolled<i64> {
    let dice = dice(roll, tape)?;
    let mut faces = Vec::new();
    for (die, changes) in &dice {
        faces.push((changed(die, changes, tape)?, 1_i64));
    }
    faces.sort_unstable();
    for keep in &roll.keeps {
        let kept: Vec<usize> = (0..faces.len()).filter(|&i| faces[i].1 != 0).collect();
        let dropped = |k: u32| kept.len().checked_sub(k as usize).ok_or(Stop::Impossible);
        let (low, high) = match keep {
            Keep::Highest(k) => (dropped(*k)?, 0),
            Keep::Lowest(k) => (0, dropped(*k)?),
            Keep::Middle(k) => (dropped(*k)?.div_ceil(2), dropped(*k)? / 2),
            Keep::DropLowest(k) => (*k as usize, 0),
            Keep::DropHighest(k) => (0, *k as usize),
            Keep::Positions(numbers) => {
                if numbers.len() != faces.len() {
                    return Err(Stop::Impossible);
                }
                faces
                    .iter_mut()
                    .zip(numbers)
                    .for_each(|(face, number)| face.1 = *number);
                continue;
            }
            other => panic!("this test does not know {other:?}"),
        };
        if low + high > kept.len() {
            return Err(Stop::Impossible);
        }
        for &i in kept[..low].iter().chain(&kept[kept.len() - high..]) {
            faces[i].1 = 0;
        }
    }
    faces.retain(|(_, times)| *times != 0);
    for (place, (shown, _)) in faces.iter_mut().enumerate() {
        for (done, after) in roll.after.iter().enumerate() {
            // All dice are equal where kept dice change.
            let (die, changes) = &dice[place];
            let all: Vec<Change> = changes.iter().chain(&roll.after[..done]).cloned().collect();
            *shown = change(*shown, after, &|tape| changed(die, &all, tape), tape)?;
        }
    }
    // Sets and runs see a die counted twice as two, and one that is subtracted takes another away.
    let mut sets: BTreeMap<i64, i64> = BTreeMap::new();
    for &(face, times) in &faces {
        *sets.entry(face).or_default() += times;
    }
    sets.retain(|_, times| *times > 0);
    let runs = || {
        let (mut longest, mut run, mut last) = (0, 0, None);
        for &face in sets.keys() {
            run = if last == Some(face - 1) { run + 1 } else { 1 };
            longest = longest.max(run);
            last = Some(face);
        }
        longest
    };
    Ok(match reading {
        Reading::Sum => faces.iter().map(|(face, times)| face * times).sum(),
        Reading::Count(bands) => faces
            .iter()
            .map(|(face, times)| worth(bands, *face) * times)
            .sum(),
        Reading::Distinct => sets.len() as i64,
        Reading::LargestSet => sets.values().copied().max().unwrap_or(0),
        Reading::LongestRun => runs(),
        Reading::Sets(size) => sets
            .values()
            .filter(|&&set| set >= i64::from(*size))
            .count() as i64,
        Reading::Straight(size) => i64::from(runs() >= i64::from(*size)),
        other => panic!("this test does not know {other:?}"),
    })
}

pub(crate) fn worth(bands: &[Band], face: i64) -> i64 {
    let hit = bands.iter().find(|band| match band.faces {
        FaceTest::Range(low, high) => low <= face && face <= high,
        FaceTest::Compare(how, bound) => how.holds(face, bound),
    });
    hit.map_or(0, |band| band.value)
}
