//! What a combination of tables distinguishes: positions by lane, and of money only what makes a
//! difference.
//!
//! Money matters in steps, such as prices; usually a few more gold pieces are worth nothing. So
//! this lane is kept as classes of adjacent values. A table holds one position for each of its own
//! classes. Where several tables are combined, every distinction of any of them is made.

use crate::solver::tables::{LANES, LOST, Leaf, MapId, PURSE, Tables, volume};

/// The number of positions, by lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// For money, the number of classes.
    pub(crate) lens: [usize; LANES],
    /// The number of values of money.
    values: usize,
    /// By class, its first value.
    first: Vec<u16>,
}

/// The positions of money in a table, by class.
#[derive(Debug)]
pub(crate) enum Places {
    /// One for all classes.
    One(usize),
    /// The class itself.
    Same,
    /// Some may be [`LOST`].
    Others(Vec<u16>),
}

impl Places {
    /// The position of a class; `None` is lost.
    pub(crate) fn at(&self, class: usize) -> Option<usize> {
        match self {
            Places::One(place) => Some(*place),
            Places::Same => Some(class),
            Places::Others(places) => {
                let place = places[class];
                (place != LOST).then_some(place.into())
            }
        }
    }
}

impl Shape {
    /// With every value of money a class.
    pub(crate) fn full(lens: [usize; LANES]) -> Self {
        let values = lens[PURSE];
        let first = if values > 1 { values as u16 } else { 0 };
        Shape {
            lens,
            values,
            first: (0..first).collect(),
        }
    }

    /// The same, with every value of money a class.
    pub(crate) fn every_value(&self) -> Self {
        let mut lens = self.lens;
        lens[PURSE] = self.values.max(1);
        Shape::full(lens)
    }

    pub(crate) fn volume(&self) -> usize {
        volume(self.lens)
    }

    /// The number of positions for each class of money.
    pub(crate) fn plane(&self) -> usize {
        self.volume() / self.lens[PURSE]
    }

    /// The first value of a class.
    pub(crate) fn value(&self, class: usize) -> usize {
        self.first.get(class).copied().unwrap_or(0).into()
    }

    /// The classes that any of some maps distinguishes, by their [`steps`].
    fn by_steps(mut lens: [usize; LANES], values: usize, steps: &[&[u64]]) -> Self {
        let mut first = Vec::with_capacity(values);
        for word in 0..values.div_ceil(64) {
            let words = steps.iter().filter_map(|steps| steps.get(word));
            let mut all = words.fold(0, |all, steps| all | steps);
            while all != 0 {
                first.push((64 * word) as u16 + all.trailing_zeros() as u16);
                all &= all - 1;
            }
        }
        lens[PURSE] = first.len().max(1);
        Shape {
            lens,
            values,
            first,
        }
    }

    /// Merges classes that `data` does not distinguish. Returns the new lengths and the class of
    /// each value of money, or nothing if it makes no difference.
    pub(crate) fn merged(&self, data: &mut Vec<f64>) -> ([usize; LANES], Vec<u16>) {
        let (mut lens, count) = (self.lens, self.lens[PURSE]);
        if count == 1 {
            return (lens, Vec::new());
        }
        let plane = data.len() / count;
        let (mut left, mut merged) = (0, vec![0_u16; count]);
        for (class, merged) in merged.iter_mut().enumerate().skip(1) {
            let (kept, rest) = data.split_at_mut(class * plane);
            if kept[left * plane..][..plane] != rest[..plane] {
                left += 1;
                if left < class {
                    kept[left * plane..][..plane].copy_from_slice(&rest[..plane]);
                }
            }
            *merged = left as u16;
        }
        left += 1;
        data.truncate(left * plane);
        lens[PURSE] = left;
        if left == 1 {
            return (lens, Vec::new());
        }
        let mut purse = Vec::with_capacity(self.values);
        for (class, place) in merged.into_iter().enumerate() {
            let next = self
                .first
                .get(class + 1)
                .map_or(self.values, |next| usize::from(*next));
            purse.resize(next, place);
        }
        (lens, purse)
    }
}

/// The values of money at which a map changes, as bits, 64 per word. All non-empty maps of money
/// have the same length.
pub(crate) fn steps(map: &[u16]) -> Box<[u64]> {
    let mut steps = vec![0; map.len().div_ceil(64)];
    for value in 0..map.len() {
        let step = value == 0 || map[value] != map[value - 1];
        steps[value / 64] |= u64::from(step) << (value % 64);
    }
    steps.into()
}

impl Tables {
    /// What leaves distinguish.
    pub(crate) fn shape(&self, leaves: &[Leaf]) -> Shape {
        self.shape_with(leaves, &[])
    }

    /// What leaves distinguish, and `others` except for money.
    pub(crate) fn shape_with(&self, leaves: &[Leaf], others: &[Leaf]) -> Shape {
        let lens = self.lens(leaves.iter().chain(others));
        let purse = |leaf: &Leaf| self.looked(*leaf).maps[PURSE];
        let mut known: Vec<MapId> = leaves.iter().map(purse).collect();
        known.sort_unstable();
        known.dedup();
        let maps = known.iter().map(|map| *map as usize);
        let values = maps.clone().map(|map| self.maps[map].len()).max();
        let steps: Vec<&[u64]> = maps.map(|map| &self.steps[map][..]).collect();
        Shape::by_steps(lens, values.unwrap_or(0), &steps)
    }

    /// The number of values by lane.
    fn lens<'l>(&self, leaves: impl Iterator<Item = &'l Leaf>) -> [usize; LANES] {
        leaves.fold([1; LANES], |lens, leaf| {
            let looked = self.looked(*leaf).lens;
            std::array::from_fn(|lane| lens[lane].max(looked[lane]))
        })
    }

    /// Where a map of money leads, by class, in a table with this many positions.
    pub(crate) fn purse(&self, map: MapId, shape: &Shape, count: usize) -> Places {
        let map = &self.maps[map as usize];
        if map.is_empty() {
            return Places::One(0);
        }
        let classes = shape.lens[PURSE];
        let place = |class: usize| map[shape.value(class)];
        if classes == 1 && place(0) != LOST {
            return Places::One(place(0).into());
        }
        if classes == count && (0..classes).all(|class| usize::from(place(class)) == class) {
            return Places::Same;
        }
        Places::Others((0..classes).map(place).collect())
    }
}
