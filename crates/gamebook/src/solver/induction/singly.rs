//! Rings of few sheets, looked at one by one.
//!
//! Going through a ring again and again comes as close as wanted to what it is worth, but
//! slowly if it is seldom left: who plays for a gold piece at a time from 250 up to 500 plays
//! tens of thousands of rounds, and so often all sums would have to be looked at. Where
//! there are few sheets, each is a state of a small [game that may come
//! back](oddsmith_mdp::Cyclic), and what all of them are worth is worked out, and enclosed,
//! at once. What the ring is left for is known by then.
//!
//! Both mean the same: going round for ever is worth nothing in a book, and so no more than
//! any way to end there. A game that somebody cannot end is left alone.

use indexmap::IndexSet;
use oddsmith_mdp::{Node, Solver, Table};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::book_game::ARRIVING;
use crate::compiled::Scene;
use crate::place::{Held, Place, STATS};
use crate::solver::diagrams::gates::{Gate, Gates, ones};
use crate::solver::diagrams::{self, Diagram, Diagrams, LOST};
use crate::solver::induction::directed::Towards;
use crate::solver::induction::{FIRST_LOOK, Induction, Side};
use crate::solver::limits::Halt;
use crate::solver::reach::extent::{Extent, Span};
use crate::solver::reach::fork::Apart;
use crate::solver::reduction::seed;
use crate::solver::tables::LANES;
use crate::solver::tables::shape::Shape;

/// A sweep takes about as long as so many of them: often it looks at thousands at once.
const SHEETS_A_SWEEP: usize = 16;
/// More bits than these are not counted out.
const MOST_BITS: u32 = 16;
/// A ring in which all lead to all takes the square of its sheets, and more time than going
/// round: it is given up when it takes more.
const MOST_BYTES: usize = 1 << 25;

/// A state of the small game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// A sheet in the ring, or a place on the way to one, such as in a fight.
    Inside(Place),
    /// What leads out of the ring, worth that: the bits of a float.
    Outside(u64),
}

type States = IndexSet<State, FxBuildHasher>;

/// What can happen in a state: by choice, other states by number, with weights.
type Row = Vec<Vec<(u32, u64)>>;

/// All sheets of a region.
struct Sheets {
    /// With the least of everything.
    first: Place,
    /// Bits that are not held by all or by nobody.
    bits: Vec<u8>,
    care: Gate,
    /// Stats with several values.
    stats: Vec<(usize, Span)>,
}

impl Induction<'_> {
    /// How many sheets are few, after so many sweeps of so many at most; `None` if nothing is
    /// to be tried yet.
    pub(crate) fn few(&self, sweeps: usize, most: usize) -> Option<usize> {
        let all = self.limits.sheets;
        match sweeps {
            _ if sweeps == most => Some(all),
            FIRST_LOOK.. if sweeps.is_power_of_two() => Some(all.min(SHEETS_A_SWEEP * sweeps)),
            _ => None,
        }
    }

    /// Solves a ring sheet by sheet, if there are no more than `few` of them. Whether that
    /// was done, with values that were off by so much `before` the ring.
    pub(crate) fn singly(&mut self, ring: &[usize], few: usize, before: f64) -> Result<bool, Halt> {
        // Decisions are made on the way, and losses at random bounded.
        let lossy = self.vague != 0 || self.side != Side::Exact;
        if lossy || self.picks.is_some() || few == 0 {
            return Ok(false);
        }
        let regions: Option<Vec<Sheets>> = ring.iter().map(|one| self.sheets(*one)).collect();
        let solved = regions.and_then(|regions| {
            let (worths, off) = self.one_by_one(ring, &regions, few)?;
            Some((regions, worths, off))
        });
        let Some((regions, worths, off)) = solved else {
            return Ok(false);
        };
        self.diagrams.turning(false);
        for (&number, sheets) in ring.iter().zip(&regions) {
            let levels = sheets.levels(&self.lane);
            let written = self.written(sheets, &levels, sheets.first, &worths);
            self.within()?;
            self.worth[number].exact = written.unwrap_or(LOST);
        }
        self.rounding = before + off;
        Ok(true)
    }

    /// What all sheets of a ring are worth, or a bound of that, and how far it may be off;
    /// `None` if they are too many, or cannot be solved like that.
    fn one_by_one(
        &self,
        ring: &[usize],
        regions: &[Sheets],
        few: usize,
    ) -> Option<(FxHashMap<Place, f64>, f64)> {
        let mut states = States::default();
        for sheets in regions {
            if sheets.count() > few.saturating_sub(states.len()) {
                return None;
            }
            states.extend(sheets.all(&self.diagrams.gates).map(State::Inside));
        }
        let sheets = states.len();
        let mut rows: Vec<Row> = Vec::new();
        while let Some(&state) = states.get_index(rows.len()) {
            rows.push(match state {
                State::Inside(place) => self.row(ring, &place, &mut states)?,
                State::Outside(_) => Row::new(),
            });
            if states.len() > few {
                return None;
            }
        }
        let table = Table::from_fn(rows.len() + 1, |number, row| {
            let Some(choices) = rows.get(number) else {
                // One more leads to all of them.
                row.choice();
                for sheet in 0..sheets {
                    row.to(sheet, 1);
                }
                return;
            };
            if let Some(State::Outside(bits)) = states.get_index(number) {
                row.end(f64::from_bits(*bits));
            }
            for outcomes in choices {
                row.choice();
                for &(to, weight) in outcomes {
                    row.to(to as usize, weight);
                }
            }
        });
        let table = table.ok()?;
        let taken = self.diagrams.bytes() + self.fights;
        let left = self.limits.bytes.saturating_sub(taken).min(MOST_BYTES);
        let solver = Solver::float().allow_cycles().max_bytes(left as u128);
        let solution = solver.solve_table(&table, rows.len()).ok()?;
        let (mut worths, mut off) = (FxHashMap::default(), 0.0_f64);
        for (number, state) in states.iter().take(sheets).enumerate() {
            if let State::Inside(place) = state {
                let (least, most) = solution.enclosure(&number).ok()?;
                let worth = match self.bound {
                    None => solution.value_of(&number).ok()?.clamp(0.0, 1.0),
                    Some(Towards::Up) => most.min(1.0),
                    Some(_) => least.max(0.0),
                };
                off = off.max(most - worth).max(worth - least);
                worths.insert(*place, worth);
            }
        }
        // The differences were rounded, too.
        Some((worths, off * (1.0 + f64::EPSILON)))
    }

    /// What can happen at a place in the ring, or on the way.
    fn row(&self, ring: &[usize], place: &Place, states: &mut States) -> Option<Row> {
        let node = Node::of(self.walk.game, place).ok()?;
        if let Some(score) = node.score() {
            // Who is stuck has lost.
            let outside = State::Outside(score.to_f64().to_bits());
            let (number, _) = states.insert_full(outside);
            return Some(vec![vec![(number as u32, 1)]]);
        }
        let choices = (0..node.len()).map(|choice| {
            let outcomes = node.outcomes(choice).iter();
            let outcomes = outcomes.map(|(to, weight)| {
                let state = self.state(ring, to)?;
                Some((states.insert_full(state).0 as u32, *weight))
            });
            outcomes.collect::<Option<Vec<_>>>()
        });
        let row: Row = choices.collect::<Option<_>>()?;
        // Weights may be wider than words.
        let written = row.iter().all(|outcomes| !outcomes.is_empty());
        written.then_some(row)
    }

    /// The state that stands for a place: for sheets that are worth the same there is one.
    fn state(&self, ring: &[usize], place: &Place) -> Option<State> {
        let walk = &self.walk;
        let book = &walk.game.compiled;
        let scene = place.scene as usize;
        let worth = |worth: f64| Some(State::Outside(worth.to_bits()));
        match book.scenes.get(scene)? {
            Scene::Ending(won) => return worth(f64::from(u8::from(*won))),
            Scene::Dead => return worth(0.0),
            Scene::Game { .. } if place.step != ARRIVING => {}
            _ if place.step == 0 => {}
            _ => return Some(State::Inside(*place)),
        }
        if walk.needed[scene] & !place.held.items != 0 {
            return worth(0.0);
        }
        let needs = &walk.live.scenes[scene];
        let (mut region, at) = seed(book, needs, walk.markers[scene], Apart::Nothing, place)?;
        // No way is taken within a ring.
        region.way = self.explored.regions.get_index(*ring.first()?)?.0.way;
        let number = self.explored.regions.get_index_of(&region)?;
        if !ring.contains(&number) {
            return worth(self.value(&region, &at)?.0);
        }
        let held = held(at.known.must, &at.extent, &at.kept);
        let inside = self.comes(&self.explored.regions[number], &at);
        inside.then_some(State::Inside(Place { held, ..*place }))
    }

    /// The sheets of a region.
    fn sheets(&self, number: usize) -> Option<Sheets> {
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

    /// A diagram of what is worth that, from some levels on; `None` where nobody comes.
    fn written(
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

    /// A table of what is worth that.
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

/// What is asked in a diagram before its tables.
#[derive(Clone, Copy, Debug)]
enum Level {
    Bit(u8),
    Stat(usize, Span),
}

impl Sheets {
    /// So many, if they can all be there.
    fn count(&self) -> usize {
        let values = self.stats.iter().map(|(_, span)| span.len());
        values.fold(1 << self.bits.len(), usize::saturating_mul)
    }

    fn all(&self, gates: &Gates) -> impl Iterator<Item = Place> {
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

    /// All but what is in tables.
    fn levels(&self, lane: &[Option<usize>; STATS]) -> Vec<Level> {
        let bits = self.bits.iter().map(|bit| Level::Bit(*bit));
        let stats = self.stats.iter().filter(|(stat, _)| lane[*stat].is_none());
        bits.chain(stats.map(|&(stat, span)| Level::Stat(stat, span)))
            .collect()
    }
}

/// Each with all values of a stat.
fn spread(places: &[Place], stat: usize, span: Span) -> impl Iterator<Item = Place> {
    places.iter().flat_map(move |place| {
        span.values().map(move |value| {
            let mut place = *place;
            place.held.stats[stat] = value;
            place
        })
    })
}

/// The sheet with the least of every stat: if there is one of each, that which stands for all
/// that are worth the same.
fn held(items: u128, extent: &Extent, kept: &[i16; STATS]) -> Held {
    Held {
        items,
        // Of a stat, and of the cap of another one, there is one or the other.
        stats: std::array::from_fn(|stat| extent[stat].lo + kept[stat]),
    }
}
