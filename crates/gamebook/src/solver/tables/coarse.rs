//! Less than everything, told apart: tables that hardly differ are taken to be one, on one
//! side of what they are worth.
//!
//! Diagrams are large where many sheets are worth nearly, but not quite, the same. A bound
//! may take a table that is known already for any other that it is nowhere above, and nowhere
//! more than a grain below (or the other way round). The worth of a scene rises with what
//! follows it, so that bounds of that lead to a bound of the scene, and mostly to few tables
//! (St-Aubin, Hoey and Boutilier, "APRICODD", 2000; here with bounds in place of ranges).
//!
//! What leads back to itself is iterated. There values are only put on a grid: that rises
//! with them and depends on nothing else, so that iteration ends, as it does without.

use rustc_hash::FxHashMap;

use crate::solver::diagrams::{Diagrams, LEAF, LOST};
use crate::solver::induction::directed::Towards;
use crate::solver::tables::{FLAT, LANES, LIFE, Leaf, Tables, ZERO, flattened};

/// Which bound is looked for, and how far from a table another may be that is taken for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    pub(crate) towards: Towards,
    pub(crate) size: f64,
    /// Rings that nothing changes in are solved sheet by sheet if that can be done: where they
    /// are hardly ever left, floats stop changing far from what they are worth.
    pub(crate) closely: bool,
}

/// A grain everywhere: what is worth less is taken to be worth this, from above.
const SPECK: Leaf = 2;
/// Tables are looked for by so many of their values.
const PROBES: usize = 8;
/// So many are kept beside each other: a table that does not fit is mostly left out by these,
/// and where its values lie is not looked at.
const SAMPLES: usize = 16;
/// So many tables are looked at as a whole at most, the last ones first, so that no search
/// takes longer the more tables there are. Few of those that are left out would fit.
const LOOKS: usize = 1024;
/// Values from so many grains are looked for together. The fewer, the more places there are
/// to look in; the more, the more tables lie in each.
const CELL: f64 = 3.0;
/// The grid has so many steps to a grain.
const STEPS: f64 = 8.0;
/// From below a grain has as many steps as there are times so many regions in a row: what
/// leads to something is mostly worth a little less. From above both are on the same step of
/// the grid; from below each may be on the next one, and all steps together must not be far.
const ROW: usize = 8;
/// Where there are no more regions in a row, the bounds are apart for other reasons, and
/// finer steps take more than they bring.
const SHORT: usize = 400;

/// The tables that may be taken for others.
#[derive(Debug)]
pub(crate) struct Coarse {
    grain: f64,
    /// Between two values of the grid.
    step: f64,
    /// Values are put on a grid, and that is all.
    turning: bool,
    near: FxHashMap<Cell, Vec<Near>>,
    count: usize,
}

/// Lengths of the lanes, then some values in cells.
type Cell = ([u16; LANES], [i64; PROBES]);

#[derive(Clone, Copy, Debug)]
struct Near {
    samples: [f32; SAMPLES],
    table: u32,
}

impl Coarse {
    pub(crate) fn bytes(&self) -> usize {
        // Lists have room for twice what is in them at most.
        let cell = size_of::<(Cell, Vec<Near>)>() + 1;
        self.near.capacity() * 8 / 7 * cell + 2 * self.count * size_of::<Near>()
    }

    fn cell(&self, probe: f64) -> i64 {
        (probe / (CELL * self.grain)).floor() as i64
    }
}

/// Values spread over a table, most of them for those with little life: there tables differ
/// first.
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
    /// From now on a bound is looked for, by way of so many regions in a row at most.
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

    /// What is kept although nothing leads to it.
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
        // The more of these make a grain, the less is lost by it, and the fewer others this
        // table will be taken for.
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

    /// Of the tables that may be taken for these values, the one that is off least.
    fn nearby(&self, lens: [usize; LANES], values: &[f64]) -> Option<u32> {
        let coarse = self.coarse.as_ref()?;
        let up = self.towards == Towards::Up;
        let (below, above) = match up {
            true => (0.0, coarse.grain),
            false => (coarse.grain, 0.0),
        };
        // It only matters that these are about right: values are compared below.
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
                // Nor is any taken that is off by more than the best one.
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
                    // No difference of other floats rounds to 0.
                    (0.0..=worst).contains(&by)
                });
                if fits && (best.is_none() || off < worst) {
                    best = Some((off, near.table));
                }
            }
            // As an odometer.
            let Some(next) = (0..PROBES).find(|probe| cell.1[*probe] < to[*probe]) else {
                return best.map(|(_, table)| table);
            };
            cell.1[..next].copy_from_slice(&from[..next]);
            cell.1[next] += 1;
        }
    }

    /// From now on this table may be taken for others.
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

    /// Tables have new numbers: those that are left may be taken for others.
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
    /// Whether what is looked for leads back to itself.
    pub(crate) fn turning(&mut self, turning: bool) {
        if let Some(coarse) = &mut self.tables.coarse
            && coarse.turning != turning
        {
            coarse.turning = turning;
            self.forget();
        }
    }

    /// Where all of the kids that lie on the stack are lost or nearly so, from above: the
    /// difference is less than a grain.
    pub(crate) fn nearly_lost(&self, from: usize) -> Option<u32> {
        let coarse = self.tables.coarse.as_ref()?;
        let speck = LEAF | SPECK;
        let up = self.tables.towards == Towards::Up && !coarse.turning;
        let mut kids = self.stack[from..].iter();
        (up && kids.all(|kid| *kid == LOST || *kid == speck)).then_some(speck)
    }
}
