//! Coarse tables for bounds: tables that hardly differ are merged, with the error on one side.
//!
//! Diagrams are large where many sheets have nearly, but not exactly, the same value. For a bound
//! from below, a known table may replace any table that it is nowhere above, and nowhere more than
//! a grain below; for a bound from above, it is the other way round. The value of a scene is
//! monotone in what follows it, so bounds lead to a bound of the scene, and usually to few tables
//! (St-Aubin, Hoey and Boutilier, "APRICODD", 2000; here with bounds in place of ranges).
//!
//! Rings are iterated. There, values are only rounded to a grid. This is monotone and depends on
//! nothing else, so the iteration ends, as it does without.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::{Diagrams, LEAF, LOST};
use crate::solver::induction::directed::Towards;
use crate::solver::tables::{FLAT, LANES, LIFE, Leaf, Tables, ZERO, flattened};

/// The direction of a bound, and how far a replacement may be from a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    pub(crate) towards: Towards,
    pub(crate) size: f64,
    /// Whether rings at a fixed point are solved sheet by sheet if possible, since floats stop
    /// changing far from the limit if a ring is hardly ever left.
    pub(crate) closely: bool,
}

/// The constant of one grain: the upper bound for everything that is worth less.
const SPECK: Leaf = 2;
/// Tables are looked up by this many of their values.
const PROBES: usize = 8;
/// This many samples are stored next to each other. They usually rule out a table that does not
/// fit, without reading its values.
const SAMPLES: usize = 16;
/// The most tables compared in full, latest first, so that searches do not take longer as tables
/// grow in number. Few of the others would fit.
const LOOKS: usize = 1024;
/// The width of a cell, in grains. Smaller cells mean more cells to search; larger cells mean more
/// tables in each.
const CELL: f64 = 3.0;
/// The number of grid steps per grain.
const STEPS: f64 = 8.0;
/// From below, a long book has one step per grain for this many regions in a row, since a region is
/// usually worth slightly less than the next one. From above, both are on the same step of the
/// grid; from below, each may be on the next one, and the sum of all steps must stay small.
const ROW: usize = 8;
/// With at most this many regions in a row, the bounds differ for other reasons, and finer steps
/// cost more than they gain.
const SHORT: usize = 400;

/// The tables that may replace others.
#[derive(Debug)]
pub(crate) struct Coarse {
    grain: f64,
    /// The distance between two values of the grid.
    step: f64,
    /// Whether values are only rounded to the grid.
    turning: bool,
    near: FxHashMap<Cell, Vec<Near>>,
    count: usize,
}

/// The lengths of the lanes, and the cells of some values.
type Cell = ([u16; LANES], [i64; PROBES]);

#[derive(Clone, Copy, Debug)]
struct Near {
    samples: [f32; SAMPLES],
    table: u32,
}

impl Coarse {
    pub(crate) fn bytes(&self) -> usize {
        // A list has room for at most twice its items.
        let cell = size_of::<(Cell, Vec<Near>)>() + 1;
        self.near.capacity() * 8 / 7 * cell + 2 * self.count * size_of::<Near>()
    }

    fn cell(&self, probe: f64) -> i64 {
        (probe / (CELL * self.grain)).floor() as i64
    }
}

/// Samples of a table, most of them with little life, where tables differ first.
fn spread<const COUNT: usize>(lens: [usize; LANES], values: &[f64]) -> [f64; COUNT] {
    let inner = values.len() / lens[LIFE];
    let columns = inner.min(2);
    let rows = COUNT / columns;
    std::array::from_fn(|number| {
        let (row, column) = (number / columns, number % columns);
        let row = row * row * lens[LIFE] / (rows * rows);
        values[row * inner + (2 * column + 1) * inner / (2 * columns)]
    })
}

impl Tables {
    /// From now on, computes a bound; `row` is the most regions in a row.
    pub(crate) fn coarsen(&mut self, grain: Grain, row: usize) {
        self.towards = grain.towards;
        let steps = match grain.towards {
            Towards::Down if row > SHORT => (row / ROW) as f64,
            _ => STEPS,
        };
        self.coarse = Some(Coarse {
            grain: grain.size,
            step: grain.size / steps,
            turning: false,
            near: FxHashMap::default(),
            count: 0,
        });
        let table = self.table([1; LANES], &[grain.size]);
        let speck = self.view(table, [FLAT; LANES]);
        debug_assert_eq!(speck, SPECK, "tables must be coarse from the start");
    }

    /// The leaves that are kept although nothing leads to them.
    pub(crate) fn fixed(&self) -> impl Iterator<Item = Leaf> + use<> {
        0..SPECK + Leaf::from(self.coarse.is_some())
    }

    /// A leaf for values on one side of these.
    pub(crate) fn coarsely(&mut self, lens: [usize; LANES], values: &mut Vec<f64>) -> Leaf {
        let Some(coarse) = &self.coarse else {
            return self.exactly(lens, Vec::new(), values);
        };
        if self.towards == Towards::Nearest {
            return self.exactly(lens, Vec::new(), values);
        }
        let (grain, step, turning) = (coarse.grain, coarse.step, coarse.turning);
        if !turning {
            if values.iter().all(|value| *value <= grain) {
                return match self.towards {
                    Towards::Up => SPECK,
                    _ => ZERO,
                };
            }
            let known = self.known(lens, values);
            if let Some(table) = known.or_else(|| self.nearby(lens, values)) {
                return self.whole(table);
            }
        }
        // With more steps per grain, less is lost here, but this table replaces fewer others.
        for value in values.iter_mut().filter(|value| **value > 0.0) {
            *value = match self.towards {
                Towards::Up => ((*value / step).ceil() * step).min(1.0).max(*value),
                _ => ((*value / step).floor() * step).min(*value),
            };
        }
        let lens = flattened(lens, values);
        let leaf = self.exactly(lens, Vec::new(), values);
        if !turning {
            self.offer(self.table_of(leaf));
        }
        leaf
    }

    /// Of the tables that may replace these values, the closest.
    fn nearby(&self, lens: [usize; LANES], values: &[f64]) -> Option<u32> {
        let coarse = self.coarse.as_ref()?;
        let up = self.towards == Towards::Up;
        let (below, above) = match up {
            true => (0.0, coarse.grain),
            false => (coarse.grain, 0.0),
        };
        // These need only be approximately right, since values are compared below.
        let slack = f32::EPSILON;
        let mut looks = 0;
        let samples: [f64; SAMPLES] = spread(lens, values);
        let samples = samples.map(|sample| sample as f32);
        let probes: [f64; PROBES] = spread(lens, values);
        let from = probes.map(|probe| coarse.cell(probe - below));
        let to = probes.map(|probe| coarse.cell(probe + above));
        let mut cell = (lens.map(|len| len as u16), from);
        let mut best: Option<(f64, u32)> = None;
        loop {
            for near in coarse.near.get(&cell).into_iter().flatten().rev() {
                // Nor is a table of use that is off by more than the best one.
                let worst = best.map_or(coarse.grain, |(worst, _)| worst);
                let most = worst as f32 + slack;
                let pairs = near.samples.iter().zip(&samples);
                let outside = pairs.fold(false, |outside, (near, value)| {
                    let by = if up { near - value } else { value - near };
                    outside | !(-slack..=most).contains(&by)
                });
                if outside {
                    continue;
                }
                looks += 1;
                if looks > LOOKS {
                    return best.map(|(_, table)| table);
                }
                let mut known = self.values(&self.tables[near.table as usize]);
                let mut off = 0.0_f64;
                let fits = values.iter().all(|value| {
                    let near = known.next().unwrap_or(f64::NAN);
                    let by = if up { near - value } else { value - near };
                    off = off.max(by);
                    // The difference of different floats never rounds to 0.
                    (0.0..=worst).contains(&by)
                });
                if fits && (best.is_none() || off < worst) {
                    best = Some((off, near.table));
                }
            }
            // The next cell, like an odometer.
            let Some(next) = (0..PROBES).find(|probe| cell.1[*probe] < to[*probe]) else {
                return best.map(|(_, table)| table);
            };
            cell.1[..next].copy_from_slice(&from[..next]);
            cell.1[next] += 1;
        }
    }

    /// From now on, this table may replace others.
    fn offer(&mut self, number: u32) {
        if self.coarse.is_none() {
            return;
        }
        let table = &self.tables[number as usize];
        let lens = table.lens.map(usize::from);
        let values: Vec<f64> = self.values(table).collect();
        let Some(coarse) = &mut self.coarse else {
            return;
        };
        let probes: [f64; PROBES] = spread(lens, &values);
        let cell = (table.lens, probes.map(|probe| coarse.cell(probe)));
        let near = coarse.near.entry(cell).or_default();
        if near.iter().all(|near| near.table != number) {
            let samples: [f64; SAMPLES] = spread(lens, &values);
            near.push(Near {
                samples: samples.map(|sample| sample as f32),
                table: number,
            });
            coarse.count += 1;
        }
    }

    /// After renumbering, offers all remaining tables again.
    pub(crate) fn offer_again(&mut self) {
        if let Some(coarse) = &mut self.coarse {
            coarse.near = FxHashMap::default();
            coarse.count = 0;
            for number in 0..self.tables.len() as u32 {
                self.offer(number);
            }
        }
    }
}

impl Diagrams {
    /// Sets whether a ring is being iterated.
    pub(crate) fn turning(&mut self, turning: bool) {
        if let Some(coarse) = &mut self.tables.coarse
            && coarse.turning != turning
        {
            coarse.turning = turning;
            self.forget();
        }
    }

    /// From above, if all children on the stack are lost or nearly so, the constant of one grain,
    /// which differs from them by less than a grain.
    pub(crate) fn nearly_lost(&self, from: usize) -> Option<u32> {
        let coarse = self.tables.coarse.as_ref()?;
        let speck = LEAF | SPECK;
        let up = self.tables.towards == Towards::Up && !coarse.turning;
        let mut kids = self.stack[from..].iter();
        (up && kids.all(|kid| *kid == LOST || *kid == speck)).then_some(speck)
    }
}
