//! The cost of dice and of the readings of pools.

use super::estimate::{Estimate, Group, OVERHEAD};
use super::kept::{Kept, counted};
use super::shape::{Shape, big_product, multisets};
use crate::notation::SECOND_LIMIT;
use crate::notation::dice::{Change, Count, Die, Part, Reading, Roll, Source};
use crate::notation::tree::Expression;
use crate::pool::sum::size::{Highest, Size};
use crate::reroll::FEWEST;
use num_integer::Integer;

/// The number of transitions of a pool that are kept at a time.
const MOST_MOVES: f64 = (1 << 20) as f64;

impl Estimate {
    fn die(&mut self, die: &Die) -> Shape {
        let shape = match die {
            Die::Sides(sides) => {
                let sides = f64::from(*sides);
                let shape = Shape::new(1, sides as i128, 1, sides, sides.log2());
                Shape {
                    fair: true,
                    ..shape
                }
            }
            Die::Fudge => {
                let shape = Shape::new(-1, 1, 1, 3.0, 3f64.log2());
                Shape {
                    fair: true,
                    ..shape
                }
            }
            Die::Faces(ranges) => {
                let mut shape: Option<Shape> = None;
                let mut faces = 0.0;
                for &(low, high) in ranges {
                    let (low, high) = (i128::from(low), i128::from(high));
                    let size = (high - low) as f64 + 1.0;
                    faces += size;
                    let range = Shape::new(low, high, u64::from(low < high), size, 0.0);
                    shape = Some(match shape {
                        Some(shape) => shape.hull(range, faces, 0.0),
                        None => range,
                    });
                }
                self.words += faces * (1.0 + OVERHEAD);
                let shape = shape.unwrap_or(Shape::point(0));
                Shape {
                    bits: faces.log2(),
                    fair: ranges.len() == 1,
                    ..shape
                }
            }
            Die::Rolled(face) => self.law(face),
        };
        self.store(shape)
    }

    fn change(&mut self, die: Shape, change: &Change) -> Shape {
        match change {
            Change::Reroll { times, .. } => {
                let times = f64::from(times.unwrap_or(0));
                let bits = die.bits * (times + 1.0);
                self.high_power(die, times);
                self.operations += die.length * self.width(bits) * self.width(die.bits);
                self.operations += self.power_time(bits);
                let shape = Shape {
                    bits,
                    fair: false,
                    ..die
                };
                self.store(shape)
            }
            // If the result is finite, some faces are left out.
            Change::ExplodeForever { .. } => self.store(Shape { fair: false, ..die }),
            Change::Explode { depth, on } => {
                let depth = f64::from(*depth);
                let more = depth as i128;
                let low = die.low.saturating_add(die.low.min(0).saturating_mul(more));
                let high = die
                    .high
                    .saturating_add(die.high.max(0).saturating_mul(more));
                let bits = die.bits * (depth + 1.0);
                // Chains of one face, or of several faces in any order.
                let length = if on.is_none() {
                    die.length * (depth + 1.0)
                } else {
                    multisets(die.length, depth + 1.0) * (depth + 1.0)
                };
                let size = u64::try_from(die.low.unsigned_abs()).unwrap_or(1);
                let stride = die.stride.gcd(&size);
                let shape = Shape::new(low, high, stride, length, bits);
                let width = self.width(bits);
                self.operations += if on.is_none() {
                    shape.length * width * (width + 1.0) + depth * width
                } else {
                    let sparse = if shape.dense() { 1.0 } else { 10.0 };
                    shape.length * shape.length * width * width * sparse
                };
                self.words += 3.0 * (depth + shape.length) * (width + OVERHEAD);
                self.high_power(die, depth);
                self.store(shape)
            }
        }
    }

    /// The words that are checked where weights are high powers, see [`FEWEST`]. What is accepted
    /// in any case costs nothing more.
    fn high_power(&mut self, die: Shape, times: f64) {
        let words = if self.exact && times > 0.0 {
            self.width(die.bits) + power_words(die.bits, times + 1.0)
        } else {
            2.0
        };
        let checked = FEWEST as f64 * (words + OVERHEAD);
        if checked > SECOND_LIMIT as f64 {
            self.words += checked;
        }
    }

    /// The time of computing a power with this many bits.
    fn power_time(&self, bits: f64) -> f64 {
        if self.exact {
            big_product(self.width(bits))
        } else {
            64.0
        }
    }

    fn changed(&mut self, die: Shape, changes: &[Change]) -> Shape {
        changes
            .iter()
            .fold(die, |die, change| self.change(die, change))
    }

    /// The changes of kept dice, which are made for each face.
    fn changed_after(&mut self, face: Shape, changes: &[Change]) -> Shape {
        let mut law = face;
        // The number of distributions that later changes are made to: a face that is rolled again
        // is forgotten, and one that explodes is not.
        let mut laws = 0.0;
        for change in changes {
            let before = law;
            law = self.change(before, change);
            let mut one = Estimate {
                words: 0.0,
                operations: 0.0,
                ..*self
            };
            let replaced = matches!(change, Change::Reroll { .. });
            let time = one.product_time(before, law);
            if replaced {
                one.operations += (before.length + law.length) * time;
            } else {
                one.add(before, law);
            }
            // What stays and what is rolled on, their sum, and the result that is kept.
            for _ in 0..4 {
                one.store(law);
            }
            self.words += one.words;
            self.passing = self.passing.max(one.passing);
            self.operations += laws * one.operations + face.length * law.length * time;
            laws = if replaced { laws + 1.0 } else { face.length };
        }
        law
    }

    pub(super) fn read(&mut self, roll: &Roll, reading: &Reading) -> Shape {
        match &roll.source {
            Source::Dice { count, die } => {
                let die = self.die(die);
                let die = self.changed(die, &roll.changes);
                match count {
                    Count::Number(count) => {
                        let count = f64::from(*count);
                        self.pool(&[Group { count, die }], roll, reading)
                    }
                    Count::Rolled(count) => self.rolled_pool(count, die, roll, reading),
                }
            }
            Source::Mixed(parts) => {
                let mut groups = Vec::with_capacity(parts.len());
                for part in parts {
                    let (count, die) = match part {
                        Part::Dice {
                            count,
                            die,
                            changes,
                        } => {
                            let die = self.die(die);
                            (f64::from(*count), self.changed(die, changes))
                        }
                        Part::Value(value) => (1.0, self.law(value)),
                    };
                    let die = self.changed(die, &roll.changes);
                    groups.push(Group { count, die });
                }
                self.pool(&groups, roll, reading)
            }
        }
    }

    /// The cost of a pool for each number of dice, one after the other.
    fn rolled_pool(
        &mut self,
        count: &Expression,
        die: Shape,
        roll: &Roll,
        reading: &Reading,
    ) -> Shape {
        /// The number of dice counts for which pools are priced, each price applying to all counts
        /// below it.
        const PRICES: u32 = 16;
        let count = self.law(count);
        let (least, most) = (count.low.max(0), count.high.clamp(0, u32::MAX.into()));
        let (least, most) = (least.min(most) as f64, most as f64);
        // If there are gaps between the numbers, most may be at the upper end.
        let even = count.length >= count.steps();
        let prices = if even { PRICES } else { 1 };
        let pools = count.length.min(most + 1.0) / f64::from(prices);
        let mut largest = Shape::point(0);
        let (mut held, mut written) = (0.0f64, 0.0);
        for price in 1..=prices {
            let part = f64::from(price) / f64::from(prices);
            let dice = (least + (most - least) * part).ceil();
            let mut one = Estimate {
                words: 0.0,
                operations: 0.0,
                ..*self
            };
            largest = one.pool(&[Group { count: dice, die }], roll, reading);
            held = held.max(one.words);
            self.passing = self.passing.max(one.passing);
            let width = self.width(count.bits + dice.max(1.0) * die.bits);
            written += pools * largest.length * width;
            self.operations += pools * one.operations;
        }
        // With fewer dice the sum may have any value in between, down to that of none.
        let (low, high) = (largest.low.min(0), largest.high.max(0));
        let bits = count.bits + (most.max(1.0) * die.bits).max(largest.bits);
        let length = pools * f64::from(prices) * largest.length;
        let shape = Shape::new(low, high, 1, length, bits);
        self.words += held;
        self.mix(shape, written)
    }

    fn pool(&mut self, groups: &[Group], roll: &Roll, reading: &Reading) -> Shape {
        let dice: f64 = groups.iter().map(|group| group.count).sum();
        let bits: f64 = groups
            .iter()
            .map(|group| of_dice(group.count, group.die.bits))
            .sum();
        let set = |estimate: &mut Self, states: f64, most: f64| {
            estimate.scan(groups, states, bits);
            estimate.store(Shape::new(0, most as i128, 1, most + 1.0, bits))
        };
        let faces: f64 = groups.iter().map(|group| group.die.length).sum();
        match reading {
            Reading::Sum if roll.keeps.is_empty() => self.sum(groups),
            Reading::Count(bands) if roll.keeps.is_empty() => {
                let counted: Vec<Group> = groups
                    .iter()
                    .map(|group| Group {
                        count: group.count,
                        die: counted(group.die, bands),
                    })
                    .collect();
                self.sum(&counted)
            }
            Reading::Sum => {
                let die = groups
                    .iter()
                    .map(|group| group.die)
                    .reduce(|a, b| a.hull(b, a.length + b.length, a.bits.max(b.bits)));
                let face = die.unwrap_or(Shape::point(0));
                let after = self.changed_after(face, &roll.after);
                self.kept(groups, roll, face, after, bits)
            }
            Reading::Count(bands) => {
                let die = groups
                    .iter()
                    .map(|group| group.die)
                    .reduce(|a, b| a.hull(b, a.length + b.length, a.bits.max(b.bits)));
                let face = die.unwrap_or(Shape::point(0));
                let after = self.changed_after(face, &roll.after);
                let value = counted(after, bands);
                self.kept(groups, roll, face, value, bits)
            }
            Reading::Distinct => set(self, faces.min(dice) + 1.0, faces.min(dice)),
            Reading::LargestSet => set(self, dice + 1.0, dice),
            Reading::LongestRun => {
                let longest = faces.min(dice) + 1.0;
                set(self, longest * longest, faces.min(dice))
            }
            Reading::Sets(size) => {
                let most = (dice / f64::from(*size).max(1.0)).min(faces);
                set(self, most + 1.0, most)
            }
            Reading::Straight(size) => set(self, f64::from(*size).min(faces) + 2.0, 1.0),
        }
    }

    fn sum(&mut self, groups: &[Group]) -> Shape {
        let mut sum = Shape::point(0);
        for group in groups {
            let part = self.repeat(group.count, group.die);
            sum = if sum.length <= 1.0 && sum.low == 0 && sum.high == 0 {
                part
            } else {
                self.add(sum, part)
            };
        }
        sum
    }

    /// The engine: cells of a state and the dice seen, each with all its transitions.
    fn scan(&mut self, groups: &[Group], states: f64, bits: f64) {
        let faces: f64 = groups.iter().map(|group| group.die.length).sum();
        let places: f64 = groups.iter().map(|group| group.count + 1.0).product();
        let width = self.width(bits);
        let tables: f64 = groups.iter().map(|group| group.count * group.count).sum();
        // Four matrices, and moves from one place to all others.
        let moves = (places * places).min(MOST_MOVES);
        self.words += 2.0 * places * states * (width + 8.0)
            + (4.0 * tables + moves) * (4.0 / 3.0 * width + 3.0);
        self.operations += faces * (places * places * states * (width + 8.0) * width)
            + faces * tables * width * width;
    }

    /// The sum of the kept dice, where `value` is the value of a kept die.
    fn kept(
        &mut self,
        groups: &[Group],
        roll: &Roll,
        face: Shape,
        value: Shape,
        bits: f64,
    ) -> Shape {
        let dice: f64 = groups.iter().map(|group| group.count).sum();
        let keep = Kept::of(&roll.keeps, dice);
        let (low, high) = keep.ends(value);
        // A kept die that is changed contributes the total of a new one.
        let changing = !roll.after.is_empty();
        let bits = if changing {
            bits + of_dice(keep.dice, value.bits)
        } else {
            bits
        };
        let length = if keep.one_run {
            multisets(value.length, keep.dice)
        } else {
            f64::INFINITY
        };
        let shape = Shape::new(low, high, value.stride, length, bits);
        let width = self.width(bits);
        let steps = face.steps().min(f64::MAX);
        let plain = roll.after.is_empty() && value.high == face.high && value.low == face.low;
        if plain && steps <= 1.0 {
            // A constant, which is not computed.
            return self.store(shape);
        }
        let grid = shape.steps();
        let sparse = steps > 16.0 * face.length;
        if plain && keep.one_end && !sparse {
            // A power with the number of dice kept for each face, the first of which is no product.
            // What more dice take that are not fair is checked for, below.
            let products = match groups {
                [_] => keep.dice * (keep.dice - 1.0).max(0.0),
                _ => keep.dice * keep.dice * dice,
            };
            let operations = 2.0 * steps * steps * products * width
                + 16.0 * steps * (keep.dice + 1.0) * width * width;
            // One polynomial and its coefficients, or one for each number of dice kept.
            let polynomials = if groups.len() == 1 {
                4.0
            } else {
                keep.dice + 4.0
            };
            let words = (polynomials * grid + 2.0 * steps * keep.dice) * width;
            // What fits must not be refused for its size during the computation.
            let (held, passing) = self.checked_for(groups, keep.dice, steps);
            self.words += words.max(held);
            self.operations += operations.max(passing);
        } else {
            let places: f64 = groups.iter().map(|group| group.count + 1.0).product();
            let moves: f64 = groups.iter().map(|group| group.count + 1.0).sum();
            let cells = places * shape.length.min(grid);
            // The laws of changed dice are multiplied as polynomials, which was measured at no more
            // than a twentieth of the time one by one.
            let each = if changing {
                (shape.length / 16.0).max(1.0) * width
            } else {
                width
            };
            let slow = if sparse { 10.0 } else { 1.0 };
            self.operations += face.length * cells * moves * each * width * slow;
            // The draws for dice that count differently often are held for each first of them.
            let draws = if changing && !keep.one_run {
                cells * dice * (width + OVERHEAD)
            } else {
                0.0
            };
            self.words += 2.0 * cells * (width + 8.0) + moves * moves * (width + 3.0) + draws;
        }
        self.store(shape)
    }

    /// The words stored and processed that are checked before the computation of the sum of the `k`
    /// highest dice, see [`Highest`].
    fn checked_for(&self, groups: &[Group], k: f64, steps: f64) -> (f64, f64) {
        let rolled = || groups.iter().filter(|group| group.count >= 1.0);
        let dice: f64 = rolled().map(|group| group.count).sum();
        if k < 1.0 || k >= dice {
            // Nothing, or a plain sum.
            return (0.0, 0.0);
        }
        let words: f64 = rolled()
            .map(|group| power_words(group.die.bits, group.count))
            .sum();
        let counts: Vec<u32> = rolled().map(|group| group.count as u32).collect();
        let faces: f64 = rolled().map(|group| group.die.length).sum();
        let highest = Highest {
            counts: &counts,
            k: k as u128,
            top: (steps - 1.0) as u128,
            faces: faces as u128,
        };
        let fair = rolled().all(|group| group.die.fair);
        let size = if self.exact {
            highest.in_integers(fair, words as u128)
        } else {
            let floats = highest.in_floats();
            let integers = highest.in_integers(true, words as u128);
            // Fair dice are counted where that is faster, and dice may turn out to be fair.
            match integers.processed < floats.processed {
                true => Size {
                    held: integers.held.max(floats.held),
                    processed: if fair { integers } else { floats }.processed,
                },
                false => floats,
            }
        };
        (size.held as f64, size.processed as f64)
    }
}

/// The bits of so many dice: none if there are none, even if those of one are infinite.
fn of_dice(count: f64, bits: f64) -> f64 {
    if count == 0.0 { 0.0 } else { count * bits }
}

/// An upper bound on the words that are counted for the power of a total: in blocks of 64, each
/// rounded up to a bit.
fn power_words(bits: f64, count: f64) -> f64 {
    let power = if bits < 64.0 {
        count * bits + count / 64.0 + 2.0
    } else {
        count * (bits.floor() + 1.0)
    };
    (power / 64.0).ceil()
}
