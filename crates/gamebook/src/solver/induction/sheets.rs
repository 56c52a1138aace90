//! Enumerating the sheets of a region, and building diagrams from single values.

use rustc_hash::FxHashMap;

use crate::place::{Held, Place, STATS};
use crate::solver::diagrams::gates::{Gate, Gates, ones};
use crate::solver::diagrams::{self, Diagram, Diagrams};
use crate::solver::induction::Induction;
use crate::solver::reach::extent::{Extent, Span};
use crate::solver::tables::LANES;
use crate::solver::tables::shape::Shape;

/// With more free bits than these, sheets are not enumerated.
const MOST_BITS: u32 = 16;

/// All sheets of a region.
pub(crate) struct Sheets {
    /// The sheet with the least of everything.
    pub(crate) first: Place,
    /// Bits that some sheets hold and others do not.
    bits: Vec<u8>,
    care: Gate,
    /// Stats with several values.
    stats: Vec<(usize, Span)>,
}

/// What a diagram asks before its tables.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    Bit(u8),
    Stat(usize, Span),
}

impl Sheets {
    /// The number of sheets, if all combinations can occur.
    pub(crate) fn count(&self) -> usize {
        let values = self.stats.iter().map(|(_, span)| span.len());
        values.fold(1 << self.bits.len(), usize::saturating_mul)
    }

    pub(crate) fn all(&self, gates: &Gates) -> impl Iterator<Item = Place> {
        let mut places = Vec::new();
        for held in 0_u128..1 << self.bits.len() {
            let mut place = self.first;
            for (number, bit) in self.bits.iter().enumerate() {
                place.held.items |= (held >> number & 1) << bit;
            }
            if gates.opens(self.care, place.held.items) {
                places.push(place);
            }
        }
        for &(stat, span) in &self.stats {
            places = spread(&places, stat, span).collect();
        }
        places.into_iter()
    }

    /// The levels of the diagram, which are all bits and stats that are not lanes.
    pub(crate) fn levels(&self, lane: &[Option<usize>; STATS]) -> Vec<Level> {
        let bits = self.bits.iter().map(|bit| Level::Bit(*bit));
        let stats = self.stats.iter().filter(|(stat, _)| lane[*stat].is_none());
        bits.chain(stats.map(|&(stat, span)| Level::Stat(stat, span)))
            .collect()
    }
}

/// Each place with all values of a stat.
fn spread(places: &[Place], stat: usize, span: Span) -> impl Iterator<Item = Place> {
    places.iter().flat_map(move |place| {
        span.values().map(move |value| {
            let mut place = *place;
            place.held.stats[stat] = value;
            place
        })
    })
}

impl Induction<'_> {
    /// The sheets of a region; `None` if there are too many.
    pub(crate) fn sheets(&self, number: usize) -> Option<Sheets> {
        let (region, found) = self.explored.regions.get_index(number)?;
        let known = found.known;
        let several = found.extent.into_iter().enumerate();
        let free = known.may & !known.must;
        (free.count_ones() <= MOST_BITS).then(|| Sheets {
            first: Place {
                section: self.walk.game.compiled.numbers[region.scene as usize],
                scene: region.scene,
                step: region.step,
                held: held(known.must, &found.extent, &region.kept),
            },
            bits: ones(free).collect(),
            care: known.care,
            stats: several.filter(|(_, span)| span.len() > 1).collect(),
        })
    }

    /// The diagram with these values, from some levels on; `None` for sheets that cannot occur.
    pub(crate) fn written(
        &mut self,
        sheets: &Sheets,
        levels: &[Level],
        place: Place,
        worths: &FxHashMap<Place, f64>,
    ) -> Option<Diagram> {
        let Some((level, others)) = levels.split_first() else {
            return self.table(sheets, place, worths);
        };
        match *level {
            Level::Bit(bit) => {
                let kids = [0, 1].map(|held| {
                    let mut place = place;
                    place.held.items |= held << bit;
                    self.written(sheets, others, place, worths)
                });
                match kids {
                    [Some(without), Some(with)] => Some(self.diagrams.node(bit, &[without, with])),
                    [one, other] => one.or(other),
                }
            }
            Level::Stat(stat, span) => {
                let mut kids = Vec::new();
                for value in span.values() {
                    let mut place = place;
                    place.held.stats[stat] = value;
                    kids.push(self.written(sheets, others, place, worths)?);
                }
                Some(self.diagrams.node(diagrams::STATS + stat as u8, &kids))
            }
        }
    }

    /// The table with these values.
    fn table(
        &mut self,
        sheets: &Sheets,
        place: Place,
        worths: &FxHashMap<Place, f64>,
    ) -> Option<Diagram> {
        let mut lanes = [None; LANES];
        for &(stat, span) in &sheets.stats {
            if let Some(lane) = self.lane[stat] {
                lanes[lane] = Some((stat, span));
            }
        }
        let lens = lanes.map(|lane| lane.map_or(1, |(_, span)| span.len()));
        let mut places = vec![place];
        for (stat, span) in lanes.into_iter().flatten() {
            places = spread(&places, stat, span).collect();
        }
        let values = places.iter().map(|place| worths.get(place).copied());
        let mut values: Vec<f64> = values.collect::<Option<_>>()?;
        let leaf = self.diagrams.tables.leaf(&Shape::full(lens), &mut values);
        Some(Diagrams::leaf(leaf))
    }
}

/// The sheet with the least of every stat. If the box has a single sheet, it represents all sheets
/// of the same value.
pub(crate) fn held(items: u128, extent: &Extent, kept: &[i16; STATS]) -> Held {
    Held {
        items,
        // A number is either a stat, or the cap of another one, so one of the two is 0.
        stats: std::array::from_fn(|stat| extent[stat].lo + kept[stat]),
    }
}
