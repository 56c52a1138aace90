//! Decisions, as diagrams of option numbers. They are recorded while the values of the options are
//! in memory, since values are freed when nothing reads them any more. Decisions are far more alike
//! than values, so they can be kept.

pub(crate) mod answers;
pub(crate) mod leaves;
pub(crate) mod taken;

use rustc_hash::FxHashMap;

use crate::place::Place;
use crate::solver::decisions::leaves::{Before, Desk, best, chosen, options, refreshments};
use crate::solver::decisions::taken::Taken;
use crate::solver::diagrams::gates::NO;
use crate::solver::diagrams::memo::Tuples;
use crate::solver::diagrams::{BEHIND, Diagram, Diagrams, LOST};
use crate::solver::induction::Induction;
use crate::solver::induction::aim::Side;
use crate::solver::limits::Halt;
use crate::solver::reach::extent::Extent;
use crate::solver::tables::course::Against;
use crate::solver::tables::shape::Shape;
use crate::solver::tables::{LANES, LIFE, LUCK, Leaf, PURSE, Tables, ZERO};
use crate::solver::walk::interpreter::At;

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Which option of a choice or a shop to take.
    Option,
    /// Whether to take a refreshment first, and which.
    Refreshment,
    /// Whether to play another round of a game.
    Round,
    /// Whether to run from a fight, and whether to test LUCK in it.
    Fight(Against),
}

/// The decisions for a box of sheets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick {
    pub(crate) kind: Kind,
    pub(crate) extent: Extent,
    /// By sheet, a number: 0 where all is lost, else the number of the option plus 1. For fights,
    /// [packed](ROWS_IN_ONE) by row, in place of life.
    pub(crate) what: Diagram,
}

/// The number of rows of a fight that are packed into one number, two bits each: as many as a float
/// holds exactly.
pub(crate) const ROWS_IN_ONE: usize = 26;

/// All decisions.
#[derive(Debug)]
pub(crate) struct Picks {
    /// Diagrams of option numbers in place of values.
    pub(crate) store: Diagrams,
    /// By region.
    pub(crate) of: Vec<Vec<Pick>>,
    /// In rings that were solved sheet by sheet.
    pub(crate) singly: FxHashMap<Place, Taken>,
    /// The total capacity of `of`.
    room: usize,
    /// Of the region at work.
    now: Vec<Pick>,
    region: usize,
    stack: Vec<u32>,
    made: Tuples,
    /// By value and option number, the diagram of an option that is best for all.
    only: FxHashMap<(Diagram, usize), Diagram>,
    /// By table, whether all its values are positive.
    alive: FxHashMap<u32, bool>,
    /// Buffers, kept for reuse.
    leaves: Vec<Leaf>,
    numbers: Vec<f64>,
}

/// Nobody comes here.
const NOBODY: Diagram = Diagram::MAX;

/// The value of the best option, where it has not been computed.
const UNKNOWN: Diagram = Diagram::MAX;

/// Decides at leaves, given the leaves of the options and the earlier decisions. Returns the shape
/// of the decisions.
type Decide<'d> = &'d mut dyn FnMut(&Tables, &[Leaf], Before<'_>, &mut Vec<f64>) -> Shape;

impl Picks {
    pub(crate) fn new(regions: usize, limit: usize) -> Self {
        let mut store = Diagrams::new(limit);
        store.tables.folds = true;
        Picks {
            store,
            of: vec![Vec::new(); regions],
            singly: FxHashMap::default(),
            room: 0,
            now: Vec::new(),
            region: 0,
            stack: Vec::new(),
            made: Tuples::default(),
            only: FxHashMap::default(),
            alive: FxHashMap::default(),
            leaves: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// The approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let own = size_of::<Vec<Pick>>() * self.of.len();
        let singly = size_of::<(Place, Taken)>() * self.singly.capacity();
        self.store.bytes() + size_of::<Pick>() * self.room + own + singly
    }

    /// Begins a walk through a region.
    pub(crate) fn begin(&mut self, region: usize) {
        self.region = region;
        self.now.clear();
    }

    /// Ends the walk; its decisions now hold.
    pub(crate) fn end(&mut self) {
        let of = &mut self.of[self.region];
        self.room -= of.capacity();
        of.clear();
        of.extend_from_slice(&self.now);
        self.room += of.capacity();
        self.now.clear();
        if self.store.due() {
            self.collect();
        }
    }

    /// Replaces the decisions of walks by decisions for single sheets, for some regions.
    pub(crate) fn decide_singly(&mut self, ring: &[usize], decided: Vec<(Place, Taken)>) {
        ring.iter().for_each(|region| self.of[*region].clear());
        self.singly.extend(decided);
    }

    /// Frees everything but the decisions.
    pub(crate) fn collect(&mut self) {
        let picks = self.of.iter_mut().flatten();
        self.store.collect(picks.map(|pick| &mut pick.what));
    }

    /// Decides for all sheets that may be here between numbered options. `best` is the value of the
    /// best option, if known. `leaf` sees the decisions of the previous sweep: changing a decision
    /// only where that gains something leads out of every ring (see [`chosen`]).
    fn decide(
        &mut self,
        values: &mut Diagrams,
        (kind, at): (Kind, &At),
        (options, best): (&[(usize, Diagram)], Diagram),
        leaf: Decide<'_>,
    ) {
        let extent = at.extent;
        let before = self.of[self.region].iter();
        let mut before = before.filter(|pick| pick.kind == kind && pick.extent == extent);
        let before = before.next().map_or(LOST, |pick| pick.what);
        let from = self.stack.len();
        self.stack.push(at.known.care);
        self.stack.extend(options.iter().map(|option| option.1));
        self.stack.extend([before, best]);
        let mut made = std::mem::take(&mut self.made);
        let what = self.decided(values, options, from, &mut made, leaf);
        made.clear(values.tables.idle());
        self.made = made;
        self.only.clear();
        self.alive.clear();
        self.stack.truncate(from);
        let what = if what == NOBODY { LOST } else { what };
        self.now.push(Pick { kind, extent, what });
    }

    /// From `from` on, the stack holds the care gate, the values of the options, the earlier
    /// decisions, and the value of the best option.
    fn decided(
        &mut self,
        values: &mut Diagrams,
        options: &[(usize, Diagram)],
        from: usize,
        made: &mut Tuples,
        leaf: Decide<'_>,
    ) -> Diagram {
        let (end, behind) = (self.stack.len(), from + 1 + options.len());
        let (care, before, best) = (self.stack[from], self.stack[behind], self.stack[behind + 1]);
        if care == NO {
            return NOBODY;
        }
        let parts = &self.stack[from + 1..behind];
        let Some(first) = parts.iter().position(|part| *part != LOST) else {
            return LOST;
        };
        // If the first option is as good as the best everywhere, no other is taken.
        if before == LOST && best != UNKNOWN && parts[first] == best {
            return self.only(values, best, options[first].0);
        }
        let hash = Tuples::hash(&self.stack[from..end]);
        if let Some(known) = made.get(hash, &self.stack[from..end]) {
            return known;
        }
        if !self.store.room(made.bytes()) {
            return LOST;
        }
        let (mut level, mut width) = values.top(parts);
        let old = self.store.top(&[before]);
        if old.0 < level {
            (level, width) = old;
        }
        if let Some((bit, ..)) = values.gates.parts(care)
            && bit < level
        {
            (level, width) = (bit, 2);
        }
        let result = if level == BEHIND {
            // An option after one that equals the best is never taken.
            let last = parts
                .iter()
                .position(|part| *part == best && before == LOST);
            let parts = &parts[..last.map_or(parts.len(), |last| last + 1)];
            let mut leaves = std::mem::take(&mut self.leaves);
            leaves.clear();
            leaves.extend(parts.iter().copied().filter_map(Diagrams::as_leaf));
            let before = Before {
                store: &self.store.tables,
                leaf: Diagrams::as_leaf(before).unwrap_or(ZERO),
                best: match best {
                    UNKNOWN => None,
                    best => Diagrams::as_leaf(best),
                },
            };
            let mut numbers = std::mem::take(&mut self.numbers);
            numbers.clear();
            let shape = leaf(&values.tables, &leaves, before, &mut numbers);
            let decided = self.store.tables.leaf(&shape, &mut numbers);
            (self.leaves, self.numbers) = (leaves, numbers);
            Diagrams::leaf(decided)
        } else {
            let kids = self.store.stack.len();
            for value in 0..width {
                let others = self.stack.len();
                self.stack.push(values.gates.kid(care, level, value));
                for place in from + 1..behind {
                    let kid = values.kid(self.stack[place], level, value);
                    self.stack.push(kid);
                }
                let best = match best {
                    UNKNOWN => UNKNOWN,
                    best => values.kid(best, level, value),
                };
                self.stack
                    .extend([self.store.kid(before, level, value), best]);
                // Often a few more of something make no difference.
                let (last, here) = self.stack[end..].split_at(others - end);
                let kid = match (last == here, self.store.stack.last()) {
                    (true, Some(kid)) => *kid,
                    _ => self.decided(values, options, others, made, leaf),
                };
                self.store.stack.push(kid);
                // The next value is compared with these.
                self.stack.drain(end..others);
            }
            self.stack.truncate(end);
            self.joined(level, kids)
        };
        made.insert(hash, &self.stack[from..end], result);
        result
    }

    /// Takes one option wherever it is worth anything.
    fn only(&mut self, values: &Diagrams, worth: Diagram, number: usize) -> Diagram {
        if worth == LOST {
            return LOST;
        }
        if let Some(known) = self.only.get(&(worth, number)) {
            return *known;
        }
        if !self.store.room(32 * self.only.len()) {
            return LOST;
        }
        let code = (number + 1) as f64;
        let only = if let Some(leaf) = Diagrams::as_leaf(worth) {
            let tables = &values.tables;
            let table = tables.table_of(leaf);
            let alive = self
                .alive
                .entry(table)
                .or_insert_with(|| tables.is_alive(table));
            let mut numbers = std::mem::take(&mut self.numbers);
            let shape = if *alive && !tables.looked(leaf).loses {
                numbers.clear();
                numbers.push(code);
                Shape::full([1; LANES])
            } else {
                let shape = tables.shape(&[leaf]);
                tables.read(leaf, &shape, &mut numbers);
                for number in &mut numbers {
                    *number = if *number > 0.0 { code } else { 0.0 };
                }
                shape
            };
            let only = self.store.tables.leaf(&shape, &mut numbers);
            self.numbers = numbers;
            Diagrams::leaf(only)
        } else {
            let (level, kids) = (values.level(worth), self.store.stack.len());
            for value in 0..values.width(worth) {
                let kid = self.only(values, values.kid(worth, level, value), number);
                self.store.stack.push(kid);
            }
            self.store.branch(level, kids)
        };
        self.only.insert((worth, number), only);
        only
    }

    /// Makes a node of what the store's stack holds from `kids` on. What nobody can hold gets the
    /// decision of the others.
    fn joined(&mut self, level: u8, kids: usize) -> Diagram {
        let known = self.store.stack[kids..].iter();
        let known = known.copied().find(|kid| *kid != NOBODY);
        for kid in &mut self.store.stack[kids..] {
            if *kid == NOBODY {
                *kid = known.unwrap_or(NOBODY);
            }
        }
        self.store.branch(level, kids)
    }
}

impl Induction<'_> {
    /// Records which of some numbered options to take. `best` is the value of the best one.
    pub(crate) fn pick(&mut self, kind: Kind, at: &At, parts: &[(usize, Diagram)], best: Diagram) {
        if self.side != Side::Exact {
            return;
        }
        let Some(picks) = &mut self.picks else {
            return;
        };
        // An option that is lost everywhere is never taken.
        let wanted = parts.iter().filter(|part| part.1 != LOST);
        let wanted: Vec<(usize, Diagram)> = wanted.copied().collect();
        let mut desk = Desk::default();
        picks.decide(
            &mut self.diagrams,
            (kind, at),
            (&wanted, best),
            &mut |values, leaves, before, out| {
                let numbers = wanted.iter().map(|one| one.0);
                let leaves = numbers.zip(leaves.iter().copied());
                match kind {
                    Kind::Refreshment => refreshments(values, leaves, before, &mut desk, out),
                    _ => options(values, leaves, before, &mut desk, out),
                }
            },
        );
    }

    /// Records when to run from a fight, and when to test LUCK in it. `ends` are the values after
    /// victory and after fleeing from each foe.
    pub(crate) fn pick_rounds(&mut self, fight: Against, at: &At, ends: &[Diagram]) {
        if self.side != Side::Exact {
            return;
        }
        let Some(picks) = &mut self.picks else {
            return;
        };
        let Some((_, course)) = self.courses.get(&fight) else {
            return;
        };
        let life = at.extent[usize::from(self.walk.game.compiled.life)];
        let kind = Kind::Fight(fight);
        let ends: Vec<(usize, Diagram)> = ends.iter().copied().enumerate().collect();
        picks.decide(
            &mut self.diagrams,
            (kind, at),
            (&ends, UNKNOWN),
            &mut |values, leaves, before, out| {
                let mut least = values.shape(leaves);
                let blocks = course.rows_to(life).div_ceil(ROWS_IN_ONE);
                let lucks = course.lucks().1;
                least.lens[LIFE] = blocks.max(1);
                // Rows already distinguish LUCK.
                if lucks > 1 {
                    least.lens[LUCK] = 1;
                }
                let (packed, before) = before.read(least);
                let lens = packed.lens;
                let blocks: usize = lens[LIFE..].iter().product();
                let width = blocks / lens[LIFE];
                let mut shape = packed.clone();
                shape.lens[LIFE] = life.hi.max(1) as usize;
                if lucks > 1 {
                    shape.lens[LUCK] = lucks;
                }
                let plane = shape.plane();
                let read = |leaf: &Leaf| values.read(*leaf, &shape, &mut Vec::new()).to_vec();
                let all: Vec<Vec<f64>> = leaves.iter().map(read).collect();
                let (mut codes, mut most) = (Vec::new(), Vec::new());
                let (mut rows, mut fought) = (Vec::new(), Vec::new());
                for value in 0..lens[PURSE] {
                    let end = |end: &Vec<f64>| end[value * plane..][..plane].to_vec();
                    let ends: Vec<Vec<f64>> = all.iter().map(end).collect();
                    let before = before.as_ref().map(|bits| &bits[value * blocks..]);
                    let mut bits = vec![0_u64; blocks];
                    fought.clear();
                    let room = (&mut rows, &mut fought);
                    course.run((life, width), &ends, room, &mut |row, on, or| {
                        let shift = 2 * (row % ROWS_IN_ONE);
                        let old = |column: usize| {
                            let bits = before?[row / ROWS_IN_ONE * width + column];
                            Some((bits as u64 >> shift & 3) as f64)
                        };
                        let old: Option<Vec<f64>> = (0..width).map(old).collect();
                        let parts = [(0, on), (1, or)];
                        codes.clear();
                        best(&parts, width, &mut most);
                        chosen(&parts, &most, old.as_deref(), &mut codes);
                        let bits = &mut bits[row / ROWS_IN_ONE * width..];
                        for (bits, code) in bits.iter_mut().zip(&codes) {
                            *bits |= (*code as u64) << shift;
                        }
                    });
                    out.extend(bits.into_iter().map(|bits| bits as f64));
                }
                packed
            },
        );
    }

    /// Ends the walk through a region, whose decisions now hold.
    pub(crate) fn picked(&mut self) -> Result<(), Halt> {
        if self.side == Side::Exact
            && let Some(picks) = &mut self.picks
        {
            picks.end();
            let bytes = picks.bytes();
            self.diagrams.tables.limit = self.limits.bytes.saturating_sub(bytes);
            if picks.store.tables.full {
                return Err(Halt::Bytes);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::STATS;
    use crate::solver::diagrams::gates::Known;
    use crate::solver::diagrams::trials::{Sheets, Worths, check};
    use crate::solver::reach::extent::Span;

    /// Decisions made from tables as a whole agree with those made entry by entry.
    #[test]
    fn the_first_of_the_best_is_taken() {
        fn property(given: Vec<(Worths, Worths)>, sheets: Sheets, known: bool) -> bool {
            let mut values = Diagrams::new(1 << 30);
            let care = sheets.gate(&mut values.gates);
            let worths = given.iter().take(5);
            let worths = worths.map(|(one, other)| one.by_life(other, &mut values));
            let parts: Vec<(usize, Diagram)> = worths.enumerate().collect();
            let all: Vec<Diagram> = parts.iter().map(|part| part.1).collect();
            let best = if known {
                values.best_of(care, &all)
            } else {
                UNKNOWN
            };
            let mut picks = Picks::new(1, 1 << 30);
            let known = Known {
                must: 0,
                may: u128::MAX,
                care,
            };
            let extent = [Span::one(0); STATS];
            let at = At {
                known,
                kept: [0; STATS],
                way: 0,
                extent,
            };
            let mut desk = Desk::default();
            let mut leaf =
                |values: &Tables, leaves: &[Leaf], before: Before<'_>, out: &mut Vec<f64>| {
                    options(
                        values,
                        leaves.iter().copied().enumerate(),
                        before,
                        &mut desk,
                        out,
                    )
                };
            picks.decide(&mut values, (Kind::Option, &at), (&parts, best), &mut leaf);
            let what = picks.now[0].what;
            let mut everybody = sheets.all().flat_map(|sheet| [(sheet, 0), (sheet, 1)]);
            everybody.all(|(sheet, life)| {
                let worth = |(one, other): &(Worths, Worths)| [one, other][life].at(sheet);
                let worths: Vec<f64> = given.iter().take(5).map(worth).collect();
                let most = worths.iter().copied().fold(0.0, f64::max);
                let first = worths.iter().position(|worth| *worth == most && most > 0.0);
                let lanes = [0, life, 0, 0];
                let taken = picks.store.value(what, |bit| sheet >> bit & 1, lanes);
                taken as usize == first.map_or(0, |first| first + 1)
            })
        }
        check(property as fn(Vec<(Worths, Worths)>, Sheets, bool) -> bool);
    }
}
