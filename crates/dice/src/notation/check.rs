//! Checks of whether an expression is valid.

use super::dice::{Change, Count, Die, FaceTest, Keep, Part, Reading, Roll, Source};
use super::tree::{Expression, Function, Node, Sign, rounding_name};

impl Node {
    /// The expressions one level below.
    pub(super) fn each_part(&self, see: &mut impl FnMut(&Expression)) {
        match self {
            Node::Number(_) => {}
            Node::Read { roll, .. } => match &roll.source {
                Source::Dice { count, die } => {
                    if let Count::Rolled(count) = count {
                        see(count);
                    }
                    die.each_part(see);
                }
                Source::Mixed(parts) => {
                    for part in parts {
                        match part {
                            Part::Dice { die, .. } => die.each_part(see),
                            Part::Value(value) => see(value),
                        }
                    }
                }
            },
            Node::Negate(value) => see(value),
            Node::Sum(terms) => terms.iter().for_each(|term| see(&term.value)),
            Node::Product(left, right)
            | Node::Compare(left, _, right)
            | Node::Quotient {
                dividend: left,
                divisor: right,
                ..
            } => {
                see(left);
                see(right);
            }
            Node::Call(_, arguments) => arguments.iter().for_each(see),
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            Node::Read { roll, reading } => {
                roll.check()?;
                reading.check(roll)
            }
            Node::Sum(terms) => match terms.first() {
                Some(first) if terms.len() > 1 && first.sign == Sign::Plus => Ok(()),
                Some(first) if first.sign == Sign::Minus => Err(
                    "the first term of a sum must have a plus; negate the term instead".to_owned(),
                ),
                _ => Err(format!("a sum needs at least 2 terms, got {}", terms.len())),
            },
            Node::Quotient {
                divisor, rounding, ..
            } => {
                if *divisor.node() == Node::Number(0) {
                    return Err("it divides by 0".to_owned());
                }
                rounding_name(*rounding)
                    .map(|_| ())
                    .ok_or_else(|| "the notation has no name for this rounding".to_owned())
            }
            Node::Call(function, arguments) => {
                let (low, high) = function.arguments();
                if !(low..=high).contains(&arguments.len()) {
                    let needed = function.needs();
                    return Err(format!("{needed}, got {}", arguments.len()));
                }
                let bounds = arguments.iter().skip(1).map(Expression::node);
                match (function, bounds.collect::<Vec<_>>().as_slice()) {
                    (Function::Clamp, [Node::Number(low), Node::Number(high)]) if low > high => {
                        Err(format!(
                            "clamp(a, low, high) has no number from {low} up to {high}"
                        ))
                    }
                    _ => Ok(()),
                }
            }
            Node::Number(_) | Node::Negate(_) | Node::Product(..) | Node::Compare(..) => Ok(()),
        }
    }
}

impl Die {
    fn each_part(&self, see: &mut impl FnMut(&Expression)) {
        if let Die::Rolled(face) = self {
            see(face);
        }
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Die::Sides(0) => Err("a die needs at least 1 side, got 0".to_owned()),
            Die::Faces(ranges) if ranges.is_empty() => {
                Err("a die needs at least 1 face".to_owned())
            }
            Die::Faces(ranges) => ranges
                .iter()
                .try_for_each(|&(low, high)| ordered(low, high)),
            Die::Sides(_) | Die::Fudge | Die::Rolled(_) => Ok(()),
        }
    }
}

fn ordered(low: i64, high: i64) -> Result<(), String> {
    if low > high {
        return Err(format!(
            "a range must go from low to high, got {low}..{high}"
        ));
    }
    Ok(())
}

impl Roll {
    fn check(&self) -> Result<(), String> {
        match &self.source {
            Source::Dice { die, .. } => die.check()?,
            Source::Mixed(parts) if parts.is_empty() => {
                return Err("a pool needs at least 1 die".to_owned());
            }
            Source::Mixed(parts) => {
                for part in parts {
                    if let Part::Dice { die, changes, .. } = part {
                        die.check()?;
                        changes.iter().try_for_each(Change::check)?;
                    }
                }
            }
        }
        self.changes
            .iter()
            .chain(&self.after)
            .try_for_each(Change::check)?;
        if self.keeps.is_empty() && !self.after.is_empty() {
            return Err("changes in `after` need an entry in `keeps`".to_owned());
        }
        if self
            .keeps
            .iter()
            .any(|keep| *keep == Keep::Positions(Vec::new()))
        {
            return Err("k[…] needs a number for each die".to_owned());
        }
        let mut later = self.keeps.iter().skip(1);
        if later.any(|keep| matches!(keep, Keep::Positions(_))) {
            return Err(
                "k[…] needs a number for each die rolled, so it must come before other keeps and drops"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

impl Change {
    fn check(&self) -> Result<(), String> {
        match self {
            Change::Explode { on: None, .. } | Change::ExplodeForever { on: None } => Ok(()),
            Change::Explode { on: Some(on), .. }
            | Change::ExplodeForever { on: Some(on) }
            | Change::Reroll { on, .. } => {
                if on.0.is_empty() {
                    return Err("a set of faces needs at least 1 face".to_owned());
                }
                on.0.iter().try_for_each(|test| test.check())
            }
        }
    }
}

impl FaceTest {
    fn check(self) -> Result<(), String> {
        match self {
            FaceTest::Range(low, high) => ordered(low, high),
            FaceTest::Compare(..) => Ok(()),
        }
    }
}

impl Reading {
    fn check(&self, roll: &Roll) -> Result<(), String> {
        match self {
            Reading::Sum => Ok(()),
            Reading::Count(bands) if bands.is_empty() => {
                Err("a count needs at least 1 face".to_owned())
            }
            Reading::Count(bands) => bands.iter().try_for_each(|band| band.faces.check()),
            _ if !roll.after.is_empty() => {
                Err("sets and runs cannot be read from dice that change after keeping".to_owned())
            }
            Reading::Sets(0) | Reading::Straight(0) => {
                Err("the size must be at least 1, got 0".to_owned())
            }
            Reading::Distinct
            | Reading::LargestSet
            | Reading::LongestRun
            | Reading::Sets(_)
            | Reading::Straight(_) => Ok(()),
        }
    }
}
