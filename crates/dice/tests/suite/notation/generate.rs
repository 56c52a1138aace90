//! Random expressions and texts.

use oddsmith_dice::Rounding;
use oddsmith_dice::notation::{
    Band, Change, Comparison, Count, Die, Expression, FaceTest, Faces, Function, Keep, Node, Part,
    Reading, Roll, Sign, Source, Term,
};
use quickcheck::{Arbitrary, Gen};

/// A small expression with few enough dice to enumerate all rolls.
#[derive(Clone, Debug)]
pub(crate) struct Small(pub(crate) Expression);

/// An expression of any shape, to print and parse.
#[derive(Clone, Debug)]
pub(crate) struct Any(pub(crate) Expression);

pub(crate) struct Shape {
    numbers: i64,
    dice: u32,
    sides: u32,
}

const SMALL: Shape = Shape {
    numbers: 4,
    dice: 3,
    sides: 4,
};

const LARGE: Shape = Shape {
    numbers: i64::MAX,
    dice: u32::MAX,
    sides: u32::MAX,
};

pub(crate) fn below(g: &mut Gen, end: u64) -> u64 {
    u64::arbitrary(g) % end
}

impl Shape {
    fn integer(&self, g: &mut Gen) -> i64 {
        let small = i64::from(i8::arbitrary(g)) % 5;
        if self.numbers < 5 || bool::arbitrary(g) {
            small
        } else {
            i64::arbitrary(g)
        }
    }

    fn natural(&self, g: &mut Gen, most: u32) -> u32 {
        if most == u32::MAX && below(g, 8) == 0 {
            return u32::arbitrary(g);
        }
        below(g, u64::from(most.min(12)) + 1) as u32
    }

    fn comparison(g: &mut Gen) -> Comparison {
        *g.choose(&[
            Comparison::Less,
            Comparison::AtMost,
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::AtLeast,
            Comparison::More,
        ])
        .unwrap()
    }

    fn test(&self, g: &mut Gen) -> FaceTest {
        if bool::arbitrary(g) {
            return FaceTest::Compare(Shape::comparison(g), self.integer(g));
        }
        let (a, b) = (self.integer(g), self.integer(g));
        if bool::arbitrary(g) {
            FaceTest::Range(a, a)
        } else {
            FaceTest::Range(a.min(b), a.max(b))
        }
    }

    fn faces(&self, g: &mut Gen) -> Faces {
        Faces((0..1 + below(g, 2)).map(|_| self.test(g)).collect())
    }

    fn change(&self, g: &mut Gen) -> Change {
        if bool::arbitrary(g) {
            let on = bool::arbitrary(g).then(|| self.faces(g));
            if below(g, 4) == 0 {
                return Change::ExplodeForever { on };
            }
            let depth = self.natural(g, self.dice.min(2));
            return Change::Explode { depth, on };
        }
        let times = (below(g, 3) > 0).then(|| self.natural(g, self.dice.min(2)));
        let on = self.faces(g);
        Change::Reroll { times, on }
    }

    fn changes(&self, g: &mut Gen) -> Vec<Change> {
        (0..below(g, 5) / 3).map(|_| self.change(g)).collect()
    }

    fn die(&self, g: &mut Gen, depth: u32) -> Die {
        match below(g, 8) {
            0 => Die::Fudge,
            1 => {
                let range = |g: &mut Gen| {
                    let low = self.integer(g);
                    (low, low.saturating_add(below(g, 3) as i64))
                };
                Die::Faces((0..1 + below(g, 2)).map(|_| range(g)).collect())
            }
            2 if depth > 0 => Die::Rolled(self.expression(g, depth - 1)),
            _ => Die::Sides(1 + self.natural(g, self.sides - 1).min(self.sides - 1)),
        }
    }

    fn roll(&self, g: &mut Gen, depth: u32) -> Roll {
        let count = self.natural(g, self.dice);
        let mixed = below(g, 4) == 0;
        let source = if mixed {
            let part = |g: &mut Gen| {
                if depth > 0 && bool::arbitrary(g) {
                    return Part::Value(self.expression(g, depth - 1));
                }
                Part::Dice {
                    count: self.natural(g, self.dice.min(2)),
                    die: self.die(g, 0),
                    changes: self.changes(g),
                }
            };
            Source::Mixed((0..1 + below(g, 2)).map(|_| part(g)).collect())
        } else {
            let count = if depth > 0 && below(g, 6) == 0 {
                Count::Rolled(self.expression(g, depth - 1))
            } else {
                Count::Number(count)
            };
            let die = self.die(g, depth);
            Source::Dice { count, die }
        };
        let keeps = (0..below(g, 5) / 2).map(|at| {
            let k = self.natural(g, self.dice.min(2));
            // A number for each die rolled must come before other keeps.
            match below(g, if at == 0 { 6 } else { 5 }) {
                0 => Keep::Highest(k),
                1 => Keep::Lowest(k),
                2 => Keep::Middle(k),
                3 => Keep::DropHighest(k),
                4 => Keep::DropLowest(k),
                _ => Keep::Positions((0..count.clamp(1, 9)).map(|_| self.integer(g)).collect()),
            }
        });
        let keeps: Vec<Keep> = keeps.collect();
        let changes = self.changes(g);
        let after = if keeps.is_empty() || mixed {
            Vec::new()
        } else {
            self.changes(g)
        };
        Roll {
            source,
            changes,
            keeps,
            after,
        }
    }

    fn reading(&self, g: &mut Gen, roll: &Roll) -> Reading {
        let subtracts = roll.keeps.iter().any(|keep| match keep {
            Keep::Positions(numbers) => numbers.iter().any(|&number| number < 0),
            _ => false,
        });
        let sets = roll.after.is_empty() && !(subtracts && self.numbers < 5);
        match below(g, if sets { 9 } else { 4 }) {
            0 | 1 => {
                let band = |g: &mut Gen| Band {
                    faces: self.test(g),
                    value: *g.choose(&[1, 1, 2, -1, 0]).unwrap(),
                };
                Reading::Count((0..1 + below(g, 2)).map(|_| band(g)).collect())
            }
            4 => Reading::Distinct,
            5 => Reading::LargestSet,
            6 => Reading::LongestRun,
            7 => Reading::Sets(1 + self.natural(g, 2)),
            8 => Reading::Straight(1 + self.natural(g, 2)),
            _ => Reading::Sum,
        }
    }

    fn expression(&self, g: &mut Gen, depth: u32) -> Expression {
        let part = |g: &mut Gen| self.expression(g, depth.saturating_sub(1));
        let node = match below(g, if depth == 0 { 5 } else { 14 }) {
            0 => Node::Number(self.integer(g)),
            1..=4 => {
                let roll = self.roll(g, depth);
                let reading = self.reading(g, &roll);
                Node::Read { roll, reading }
            }
            5 => Node::Negate(part(g)),
            6 | 7 => {
                let rest = (0..1 + below(g, 2)).map(|_| Term {
                    sign: if bool::arbitrary(g) {
                        Sign::Plus
                    } else {
                        Sign::Minus
                    },
                    value: self.expression(g, depth - 1),
                });
                let rest: Vec<Term> = rest.collect();
                let sign = Sign::Plus;
                let value = part(g);
                Node::Sum([Term { sign, value }].into_iter().chain(rest).collect())
            }
            8 => Node::Product(part(g), part(g)),
            9 => {
                let rounding = *g
                    .choose(&[
                        Rounding::Floor,
                        Rounding::Ceiling,
                        Rounding::HalfUp,
                        Rounding::TowardsZero,
                    ])
                    .unwrap();
                let mut divisor = part(g);
                if divisor.node() == &Node::Number(0) {
                    divisor = Expression::number(2);
                }
                Node::Quotient {
                    dividend: part(g),
                    divisor,
                    rounding,
                }
            }
            10 | 11 => Node::Compare(part(g), Shape::comparison(g), part(g)),
            _ => {
                let (function, arguments) = *g
                    .choose(&[
                        (Function::Maximum, 2),
                        (Function::Maximum, 3),
                        (Function::Minimum, 2),
                        (Function::Absolute, 1),
                        (Function::Clamp, 3),
                        (Function::If, 3),
                        (Function::Advantage, 1),
                        (Function::Disadvantage, 1),
                    ])
                    .unwrap();
                let mut arguments: Vec<Expression> = (0..arguments).map(|_| part(g)).collect();
                if let (Function::Clamp, [_, low, high]) = (function, arguments.as_mut_slice())
                    && let (Node::Number(least), Node::Number(most)) = (low.node(), high.node())
                    && least > most
                {
                    std::mem::swap(low, high);
                }
                Node::Call(function, arguments)
            }
        };
        Expression::new(node).unwrap()
    }
}

impl Arbitrary for Small {
    fn arbitrary(g: &mut Gen) -> Self {
        let depth = below(g, 3) as u32;
        Small(SMALL.expression(g, depth))
    }
}

impl Arbitrary for Any {
    fn arbitrary(g: &mut Gen) -> Self {
        let depth = below(g, 6) as u32;
        Any(LARGE.expression(g, depth))
    }
}

/// A text of grammar tokens in random order.
#[derive(Clone, Debug)]
pub(crate) struct Soup(pub(crate) String);

impl Arbitrary for Soup {
    fn arbitrary(g: &mut Gen) -> Self {
        const PIECES: [&str; 65] = [
            "d6",
            "4d6",
            "2d20",
            "d%",
            "dF",
            "d",
            "d{",
            "d[",
            "k",
            "kh",
            "kl",
            "kh3",
            "km1",
            "dl",
            "dh1",
            "k[",
            "!",
            "!2",
            "! ",
            "!>=",
            "!{6}",
            "!o",
            "!3{",
            "r",
            "r1",
            "rr",
            "r*2",
            "r2{",
            "c",
            "c{",
            "c>=",
            ">=",
            "<=",
            "!=",
            "=",
            "<",
            ">",
            "+",
            "-",
            "*",
            "/",
            "(",
            ")",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "..",
            "1",
            "2",
            "10",
            "0",
            "99999999999999999999",
            " ",
            "max(",
            "min(",
            "if(",
            "ceil(",
            "distinct(",
            "largest_set(",
            "run(",
            "é",
            "−",
        ];
        let pieces = below(g, 12);
        Soup((0..pieces).map(|_| *g.choose(&PIECES).unwrap()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let places: Vec<_> = text.char_indices().collect();
        Box::new(places.into_iter().map(move |(at, c)| {
            let mut shorter = text.clone();
            shorter.replace_range(at..at + c.len_utf8(), "");
            Soup(shorter)
        }))
    }
}
