//! The maximum of tables, class by class of money, so that each is read once. Usually one of them
//! is the best everywhere, and nothing has to be written.

use crate::solver::tables::look::Blocks;
use crate::solver::tables::shape::Shape;
use crate::solver::tables::{Leaf, PURSE, Spare, Tables, ZERO};

/// How many entries are compared before the result is checked.
const AT_ONCE: usize = 64;

impl Tables {
    /// The maximum of two leaves.
    pub(crate) fn best(&mut self, a: Leaf, b: Leaf) -> Leaf {
        match (a, b) {
            (ZERO, other) | (other, ZERO) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let key = [a.min(b), a.max(b)];
        if let Some(known) = self.best.get(key) {
            return known;
        }
        if let Some(both) = self.side_by_side(a, b) {
            self.best.insert(key, both);
            return both;
        }
        if [a, b].iter().any(|leaf| self.is_hole(*leaf)) {
            self.unclosed = true;
            return ZERO;
        }
        let shape = self.shape(&[a, b]);
        if !self.room(16 * shape.volume()) {
            return ZERO;
        }
        let mut spare = std::mem::take(&mut self.spare);
        let best = match self.best_of(&[a, b], &shape, &mut spare) {
            Some(only) => only,
            None => self.leaf(&shape, &mut spare.values),
        };
        self.spare = spare;
        self.best.insert(key, best);
        best
    }

    /// The first of some leaves that is the best everywhere, if there is one. Leaves the maximum in
    /// [`Spare::values`], or nothing if it was not written.
    pub(crate) fn best_of(
        &self,
        leaves: &[Leaf],
        shape: &Shape,
        spare: &mut Spare,
    ) -> Option<Leaf> {
        if leaves.is_empty() {
            spare.values.clear();
            return Some(ZERO);
        }
        let blocks: Vec<Blocks<'_>> = leaves
            .iter()
            .map(|leaf| self.blocks(*leaf, shape))
            .collect();
        let mut race = Race {
            first: 0,
            level: vec![true; leaves.len()],
        };
        let classes = shape.lens[PURSE];
        let over = (0..classes).find(|class| !race.goes_on(&blocks, *class, spare));
        spare.values.clear();
        let Some(over) = over else {
            return Some(leaves[race.first]);
        };
        blocks[race.first].append_up_to(over, &mut spare.values);
        for class in over..classes {
            let from = spare.values.len();
            blocks[0].append(class, &mut spare.values);
            let best = &mut spare.values[from..];
            for (number, block) in blocks.iter().enumerate().skip(1) {
                let (above, under) = match block.is_absent(class) {
                    true => (false, best.iter().any(|value| *value != 0.0)),
                    false => raise(best, block.block(class, &mut spare.part)),
                };
                // Some entry of the maximum so far is smaller.
                if above {
                    race.level[..number].fill(false);
                }
                race.level[number] &= !under;
            }
        }
        let only = race.level.iter().position(|level| *level);
        only.map(|only| leaves[only])
    }
}

/// Which of some tables is the best everywhere, as far as they have been compared.
struct Race {
    first: usize,
    /// By table, whether it may equal the maximum everywhere.
    level: Vec<bool>,
}

impl Race {
    /// Whether one of them is the best in one more class, too.
    fn goes_on(&mut self, blocks: &[Blocks<'_>], class: usize, spare: &mut Spare) -> bool {
        for number in 0..blocks.len() {
            if number == self.first {
                continue;
            }
            match blocks[self.first].compare(&blocks[number], class, spare) {
                (true, same) => self.level[number] &= same,
                (_, true) if self.level[number] => {
                    // Every table compared in this class so far is below it somewhere.
                    self.level[..number].fill(false);
                    self.level[self.first] = false;
                    self.first = number;
                }
                _ => return false,
            }
        }
        true
    }
}

/// Clears the first flag if the first operand is smaller somewhere, and the second flag if the
/// second one is.
pub(crate) fn compare(first: &[f64], second: &[f64], better: &mut (bool, bool)) {
    for (first, second) in first.chunks(AT_ONCE).zip(second.chunks(AT_ONCE)) {
        if *better == (false, false) {
            break;
        }
        let pairs = first.iter().zip(second);
        let less = pairs.fold((0, 0), |less, (first, second)| {
            let (one, other) = (below(*first, *second), below(*second, *first));
            (less.0 | one, less.1 | other)
        });
        better.0 &= !is_set(less.0);
        better.1 &= !is_set(less.1);
    }
}

/// Writes the maximum into `best`. Returns whether the others are greater anywhere, and whether
/// they are smaller anywhere.
fn raise(best: &mut [f64], others: &[f64]) -> (bool, bool) {
    let pairs = best.iter_mut().zip(others);
    let (more, less) = pairs.fold((0, 0), |(more, less), (best, other)| {
        let bits = (more | below(*best, *other), less | below(*other, *best));
        *best = larger(*best, *other);
        bits
    });
    (is_set(more), is_set(less))
}

/// Whether the first is somewhere greater than the second and no smaller than the third.
pub(crate) fn exceeds(first: &[f64], second: &[f64], third: &[f64]) -> bool {
    let parts = first.chunks(AT_ONCE).zip(second.chunks(AT_ONCE));
    let mut parts = parts.zip(third.chunks(AT_ONCE));
    parts.any(|((first, second), third)| {
        let places = first.iter().zip(second).zip(third);
        is_set(places.fold(0, |more, ((first, second), third)| {
            more | below(*second, *first) & !below(*first, *third)
        }))
    })
}

/// Bits of which the highest is set if one value is less than another; the other bits are
/// arbitrary. They are combined without branches, several entries at a time. Tables hold finite
/// numbers, whose difference is zero only if they are equal.
pub(crate) fn below(one: f64, other: f64) -> u64 {
    (one - other).to_bits()
}

/// Whether the highest bit is set.
pub(crate) fn is_set(bits: u64) -> bool {
    bits >> 63 == 1
}

/// The larger of two values. Tables hold no NaN, so this takes one instruction in place of the
/// several of [`f64::max`].
pub(crate) fn larger(one: f64, other: f64) -> f64 {
    if other > one { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::tables::{LANES, LIFE};
    use quickcheck::QuickCheck;

    const LENS: [usize; 4] = [5, 3, 2, 2];

    /// Few different values, so that there are ties, and tables that are the maximum of all.
    fn table(seeds: &[u8]) -> Vec<f64> {
        let seed = |at: usize| seeds.get(at % seeds.len().max(1)).copied().unwrap_or(3);
        let value = |at: usize| f64::from(seed(at) % 4 + seed(at / 12) % 3) / 8.0;
        (0..LENS.iter().product()).map(value).collect()
    }

    #[test]
    fn what_is_best_is_the_best_at_every_place() {
        fn property(all: Vec<(Vec<u8>, bool)>) -> bool {
            let mut tables = Tables::new(1 << 24);
            let mut data: Vec<Vec<f64>> = Vec::new();
            for (seeds, over) in all.iter().take(6) {
                let mut values = table(seeds);
                if let (true, Some(last)) = (over, data.last()) {
                    let both = values.iter_mut().zip(last);
                    both.for_each(|(value, last)| *value = value.max(*last));
                }
                data.push(values);
            }
            let shape = Shape::full(LENS);
            let mut leaves: Vec<Leaf> = Vec::new();
            for values in &data {
                leaves.push(tables.leaf(&shape, &mut values.clone()));
            }
            let most = |at: usize| data.iter().fold(0.0, |most, one| f64::max(most, one[at]));
            let most: Vec<f64> = (0..LENS.iter().product()).map(most).collect();
            let mut spare = Spare::default();
            let only = tables.best_of(&leaves, &shape, &mut spare);
            let first = data.iter().position(|values| *values == most);
            let written = spare.values.is_empty() || spare.values == most;
            let same = only == first.map(|first| leaves[first]);
            let mut together = ZERO;
            for &leaf in &leaves {
                together = tables.best(together, leaf);
            }
            let mut values = Vec::new();
            tables.read(together, &shape, &mut values);
            let unwritten = only.is_some() || !spare.values.is_empty();
            written && unwritten && (same || data.is_empty()) && values == most
        }
        QuickCheck::new()
            .tests(3_000)
            .quickcheck(property as fn(Vec<(Vec<u8>, bool)>) -> bool);
    }

    /// Views of one table need not be read if values never fall along the lanes where they differ.
    #[test]
    fn of_two_views_the_farther_one_is_the_best() {
        let mut tables = Tables::new(1 << 24);
        let lens = [3, 4, 2, 1];
        let mut values: Vec<f64> = (0..24)
            .map(|at| f64::from(at % 8 + at / 8) / 16.0)
            .collect();
        let all = tables.leaf(&Shape::full(lens), &mut values);
        let shift = |by: usize, len: usize| -> Vec<Option<u16>> {
            let place = |at: usize| Some((at + by).min(len - 1) as u16);
            (0..len).map(place).collect()
        };
        let stronger = tables.shift(all, LIFE, &shift(1, 4));
        let richer = tables.shift(all, PURSE, &shift(2, 3));
        let both = tables.shift(stronger, PURSE, &shift(1, 3));
        let paid = tables.shift(stronger, PURSE, &[None, Some(0), Some(1)]);
        for rises in [false, true] {
            tables.rises[PURSE] = rises;
            tables.rises[LIFE] = rises;
            let known = |tables: &mut Tables, one, other| tables.side_by_side(one, other);
            let only = |leaf: Leaf| rises.then_some(leaf);
            assert_eq!(known(&mut tables, all, stronger), only(stronger));
            assert_eq!(known(&mut tables, richer, all), only(richer));
            assert_eq!(known(&mut tables, all, both), only(both));
            assert_eq!(known(&mut tables, both, all), only(both));
            // One is richer, the other stronger; or has paid for it.
            assert_eq!(known(&mut tables, richer, both), None);
            assert_eq!(known(&mut tables, all, paid), None);
        }
        // One lane only: by position the farther one, and whichever is not lost.
        let rich = tables.shift(all, PURSE, &[None, Some(0), Some(2)]);
        let poor = tables.shift(all, PURSE, &[Some(0), Some(1), Some(1)]);
        let merged = tables.shift(all, PURSE, &[Some(0), Some(1), Some(2)]);
        assert_eq!(tables.side_by_side(rich, poor), Some(merged));
        tables.rises = [false; LANES];
        assert_eq!(tables.side_by_side(rich, poor), None);
    }

    /// Who cannot pay for an option has lost there, whatever it is worth to others.
    #[test]
    fn classes_that_are_lost_count_as_zeros() {
        let mut tables = Tables::new(1 << 24);
        let shape = Shape::full([3, 4, 1, 1]);
        let mut leaf = |values: [u8; 3]| {
            let all = values.into_iter();
            let mut data: Vec<f64> = all.flat_map(|one| [f64::from(one) / 8.0; 4]).collect();
            data[4..8]
                .iter_mut()
                .skip(1)
                .for_each(|value| *value /= 2.0);
            tables.leaf(&shape, &mut data)
        };
        let (free, dear, poor) = (leaf([1, 2, 3]), leaf([0, 2, 5]), leaf([0, 1, 4]));
        let paid = tables.shift(dear, PURSE, &[None, None, Some(2)]);
        let best = tables.best(free, paid);
        let at = |tables: &Tables, leaf, gold| tables.at(leaf, [gold, 0, 0, 0]);
        assert_eq!(
            [0, 1, 2].map(|gold| at(&tables, best, gold)),
            [0.125, 0.25, 0.625]
        );
        // It is nowhere better than this one, whose first class is zero, too.
        let paid = tables.shift(poor, PURSE, &[None, Some(1), Some(2)]);
        assert_eq!(tables.best(dear, paid), dear);
        let cheap = tables.shift(dear, PURSE, &[None, Some(1), Some(2)]);
        assert_eq!(tables.best(cheap, poor), cheap);
    }

    #[test]
    fn more_than_one_and_no_less_than_another() {
        fn property(places: Vec<(u8, u8, u8)>) -> bool {
            let part = |of: fn(&(u8, u8, u8)) -> u8| -> Vec<f64> {
                places
                    .iter()
                    .map(|place| f64::from(of(place) % 9))
                    .collect()
            };
            let (first, second, third) = (part(|one| one.0), part(|one| one.1), part(|one| one.2));
            let mut better = (true, true);
            compare(&first, &second, &mut better);
            let pairs = || first.iter().zip(&second);
            let over = (0..places.len()).any(|at| first[at] > second[at] && first[at] >= third[at]);
            let both = (pairs().all(|(a, b)| a >= b), pairs().all(|(a, b)| a <= b));
            let most: Vec<f64> = pairs().map(|(a, b)| a.max(*b)).collect();
            let mut best = first.clone();
            let raised = raise(&mut best, &second);
            better == both
                && raised == (!both.0, !both.1)
                && best == most
                && exceeds(&first, &second, &third) == over
        }
        QuickCheck::new()
            .tests(3_000)
            .quickcheck(property as fn(Vec<(u8, u8, u8)>) -> bool);
    }
}
