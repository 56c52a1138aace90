//! What to do, as diagrams of numbers: written down while what the options are worth is in
//! memory, as that is forgotten on the way backwards. Decisions are far more alike than
//! what they are worth, so that these stay.

pub(crate) mod answers;
pub(crate) mod taken;

use rustc_hash::FxHashMap;

use crate::place::Place;
use crate::solver::decisions::taken::Taken;
use crate::solver::diagrams::arena::Tuples;
use crate::solver::diagrams::gates::NO;
use crate::solver::diagrams::{BEHIND, Diagram, Diagrams, LOST};
use crate::solver::induction::Induction;
use crate::solver::induction::aim::Side;
use crate::solver::limits::Halt;
use crate::solver::reach::extent::Extent;
use crate::solver::tables::course::Against;
use crate::solver::tables::shape::Shape;
use crate::solver::tables::{LANES, LIFE, LUCK, Leaf, PURSE, Tables, ZERO};
use crate::solver::walk::interpreter::At;

/// Options that differ by less, in relation to what they are worth, are as good as each
/// other: sums in another order round another way, and nobody should be sent round a ring
/// by that.
pub(crate) const SAME: f64 = 1.0 - 1e-13;

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Between the options of a choice, or of a shop.
    Option,
    /// Whether to eat first, and what.
    Refreshment,
    /// Whether to play another round of a game.
    Round,
    /// Whether to run from a fight, and whether to test LUCK in it.
    Fight(Against),
}

/// What is decided for a box of sheets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick {
    pub(crate) kind: Kind,
    pub(crate) extent: Extent,
    /// By sheet a number: 0 where all is lost, else one more than that of the option. For
    /// fights [`packed`](ROWS_IN_ONE) by row in place of life.
    pub(crate) what: Diagram,
}

/// So many rows of a fight are packed into one number: two bits each, as many as a float
/// holds exactly.
pub(crate) const ROWS_IN_ONE: usize = 26;

/// All that has been decided.
#[derive(Debug)]
pub(crate) struct Picks {
    /// Numbers of options in place of what sheets are worth.
    pub(crate) store: Diagrams,
    /// By region.
    pub(crate) of: Vec<Vec<Pick>>,
    /// In rings that were solved sheet by sheet.
    pub(crate) singly: FxHashMap<Place, Taken>,
    /// How many there is room for in these.
    room: usize,
    /// Of the region at work.
    now: Vec<Pick>,
    region: usize,
    stack: Vec<u32>,
    made: Tuples,
}

/// Nobody comes here.
const NOBODY: Diagram = Diagram::MAX;

/// What is decided by leaves of options and by what was decided before.
type Decide<'d> = &'d mut dyn FnMut(&Tables, &[Leaf], Before<'_>, &mut Vec<f64>) -> [usize; LANES];

/// What was decided before, in an earlier sweep through a ring.
#[derive(Clone, Copy)]
pub(crate) struct Before<'s> {
    store: &'s Tables,
    leaf: Leaf,
}

impl Before<'_> {
    /// How many places there are by lane, at least so many, and the numbers if there are
    /// any.
    fn read(self, least: [usize; LANES]) -> ([usize; LANES], Option<Vec<f64>>) {
        if self.leaf == ZERO {
            return (least, None);
        }
        let lens = self.store.full_shape(&[self.leaf]).lens;
        let lens = std::array::from_fn(|lane| lens[lane].max(least[lane]));
        let mut out = Vec::new();
        self.store.read(self.leaf, &Shape::full(lens), &mut out);
        (lens, Some(out))
    }
}

impl Picks {
    pub(crate) fn new(regions: usize, limit: usize) -> Self {
        Picks {
            store: Diagrams::new(limit),
            of: vec![Vec::new(); regions],
            singly: FxHashMap::default(),
            room: 0,
            now: Vec::new(),
            region: 0,
            stack: Vec::new(),
            made: Tuples::default(),
        }
    }

    /// About how much memory all of this takes.
    pub(crate) fn bytes(&self) -> usize {
        let own = size_of::<Vec<Pick>>() * self.of.len();
        let singly = size_of::<(Place, Taken)>() * self.singly.capacity();
        self.store.bytes() + size_of::<Pick>() * self.room + own + singly
    }

    /// A walk through a region begins.
    pub(crate) fn begin(&mut self, region: usize) {
        self.region = region;
        self.now.clear();
    }

    /// The walk is over, and what it has decided holds.
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

    /// Some regions are decided sheet by sheet, in place of what was decided on walks.
    pub(crate) fn decide_singly(&mut self, ring: &[usize], decided: Vec<(Place, Taken)>) {
        ring.iter().for_each(|region| self.of[*region].clear());
        self.singly.extend(decided);
    }

    /// Forgets all but what was decided.
    pub(crate) fn collect(&mut self) {
        let picks = self.of.iter_mut().flatten();
        self.store.collect(picks.map(|pick| &mut pick.what));
    }

    /// Decides for all sheets that may be here. What was decided in the sweep before is
    /// shown to `leaf`: who changes his mind only where that is worth more than before comes
    /// out of every ring (see [`chosen`]).
    fn decide(
        &mut self,
        values: &mut Diagrams,
        (kind, at): (Kind, &At),
        parts: &[Diagram],
        leaf: Decide<'_>,
    ) {
        let extent = at.extent;
        let before = self.of[self.region].iter();
        let mut before = before.filter(|pick| pick.kind == kind && pick.extent == extent);
        let before = before.next().map_or(LOST, |pick| pick.what);
        let from = self.stack.len();
        self.stack.push(at.known.care);
        self.stack.extend_from_slice(parts);
        self.stack.push(before);
        let mut made = std::mem::take(&mut self.made);
        let what = self.decided(values, from, &mut made, leaf);
        made.clear();
        self.made = made;
        self.stack.truncate(from);
        let what = if what == NOBODY { LOST } else { what };
        self.now.push(Pick { kind, extent, what });
    }

    /// On the stack from there on lie who may be here, the parts, and what was decided
    /// before.
    fn decided(
        &mut self,
        values: &mut Diagrams,
        from: usize,
        made: &mut Tuples,
        leaf: Decide<'_>,
    ) -> Diagram {
        let end = self.stack.len();
        let (care, before) = (self.stack[from], self.stack[end - 1]);
        if care == NO {
            return NOBODY;
        }
        let parts = &self.stack[from + 1..end - 1];
        if parts.iter().all(|part| *part == LOST) {
            return LOST;
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
            let leaves: Vec<Leaf> = parts
                .iter()
                .copied()
                .filter_map(Diagrams::as_leaf)
                .collect();
            let before = Before {
                store: &self.store.tables,
                leaf: Diagrams::as_leaf(before).unwrap_or(ZERO),
            };
            let mut numbers = Vec::new();
            let lens = leaf(&values.tables, &leaves, before, &mut numbers);
            Diagrams::leaf(self.store.tables.leaf(&Shape::full(lens), &mut numbers))
        } else {
            let kids = self.store.stack.len();
            for value in 0..width {
                let others = self.stack.len();
                self.stack.push(values.gates.kid(care, level, value));
                for place in from + 1..end - 1 {
                    let kid = values.kid(self.stack[place], level, value);
                    self.stack.push(kid);
                }
                self.stack.push(self.store.kid(before, level, value));
                let kid = self.decided(values, others, made, leaf);
                self.stack.truncate(others);
                self.store.stack.push(kid);
            }
            self.joined(level, kids)
        };
        made.insert(hash, &self.stack[from..end], result);
        result
    }

    /// A node of what lies on the stack of the store from there on; what nobody can hold is
    /// decided as for the others.
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

/// The first of the best: what was chosen before, if it still is among them; 0 where all is
/// lost.
///
/// Values rise from nothing, and at every moment each is at most what its option is worth
/// by the values of that moment. Say that options, followed from places that are worth
/// something, led round and round among some of these. Of the places in it that are worth
/// most, all that follows is worth the same; the one of them that was first decided as it
/// is was worth that much before anything that follows was. So options lead out. (That is so
/// for values as they are. Where options of a ring differ, but by less than [`SAME`], they
/// may lead round.)
fn chosen(options: &[(usize, &[f64])], best: &[f64], before: Option<&[f64]>, out: &mut Vec<f64>) {
    out.resize(best.len(), 0.0);
    let code = |option: usize| (option + 1) as f64;
    for &(option, part) in options.iter().rev() {
        for ((out, part), best) in out.iter_mut().zip(part).zip(best) {
            if *part > 0.0 && *part >= best * SAME {
                *out = code(option);
            }
        }
    }
    let Some(before) = before else {
        return;
    };
    // What is overtaken is left for the very best alone: a way round is worth what it leads
    // to was worth before, which may be hardly less.
    for &(option, part) in options.iter().rev() {
        let worth = part.iter().zip(best);
        for ((out, before), (part, best)) in out.iter_mut().zip(before).zip(worth) {
            if *before > 0.0 && *part > 0.0 && part >= best {
                *out = code(option);
            }
        }
    }
    for &(option, part) in options {
        let worth = part.iter().zip(best);
        for ((out, before), (part, best)) in out.iter_mut().zip(before).zip(worth) {
            if *before == code(option) && *part > 0.0 && *part >= best * SAME {
                *out = *before;
            }
        }
    }
}

/// Place by place the best of some parts.
fn best(parts: &[(usize, &[f64])], volume: usize) -> Vec<f64> {
    let mut best = vec![0.0_f64; volume];
    for (_, part) in parts {
        for (best, part) in best.iter_mut().zip(*part) {
            *best = best.max(*part);
        }
    }
    best
}

/// The best of several leaves, each with the number of its option, place by place.
fn options(
    values: &Tables,
    (leaves, numbers): (&[Leaf], &[usize]),
    before: Before<'_>,
    out: &mut Vec<f64>,
) -> [usize; LANES] {
    let (lens, before) = before.read(values.full_shape(leaves).lens);
    let shape = Shape::full(lens);
    let mut rooms = vec![Vec::new(); leaves.len()];
    let read = numbers.iter().zip(leaves).zip(&mut rooms);
    let read: Vec<(usize, &[f64])> = read
        .map(|((number, leaf), room)| (*number, values.read(*leaf, &shape, room)))
        .collect();
    let best = best(&read, lens.iter().product());
    chosen(&read, &best, before.as_deref(), out);
    lens
}

/// From where to where refreshments lead in a table, and with which number.
#[derive(Debug, Default)]
struct Meals {
    lens: [usize; LANES],
    holes: Vec<(Leaf, usize)>,
    ways: Vec<(usize, usize, f64)>,
}

impl Meals {
    /// All leaves of one region look back the same way.
    fn look(&mut self, values: &Tables, lens: [usize; LANES], holes: Vec<(Leaf, usize)>) {
        if self.lens == lens && self.holes == holes {
            return;
        }
        self.ways.clear();
        for &(hole, number) in &holes {
            let ways = values.way_back(lens, hole).into_iter();
            let code = (number + 1) as f64;
            self.ways
                .extend(ways.map(|(here, there)| (here, there, code)));
        }
        (self.lens, self.holes) = (lens, holes);
    }
}

/// As [`options`], with refreshments among them that look back: only where that is worth
/// more is anything eaten.
fn refreshments(
    values: &Tables,
    (leaves, numbers): (&[Leaf], &[usize]),
    before: Before<'_>,
    meals: &mut Meals,
    out: &mut Vec<f64>,
) -> [usize; LANES] {
    let all = leaves.iter().copied().zip(numbers.iter().copied());
    let (holes, known): (Vec<_>, Vec<_>) = all.partition(|(leaf, _)| values.is_hole(*leaf));
    if holes.is_empty() {
        return options(values, (leaves, numbers), before, out);
    }
    // Regions of rings look at what they were worth before, and have no holes: there is
    // nothing here that was decided before.
    let shape = values.full_shape(leaves);
    let lens = shape.lens;
    let mut rooms = vec![Vec::new(); known.len()];
    let read = known.iter().zip(&mut rooms);
    let read: Vec<(usize, &[f64])> = read
        .map(|((leaf, number), room)| (*number, values.read(*leaf, &shape, room)))
        .collect();
    let mut worth = best(&read, lens.iter().product());
    chosen(&read, &worth, None, out);
    // What the decision was worth when it was made.
    let mut decided = worth.clone();
    meals.look(values, lens, holes);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &(here, there, code) in &meals.ways {
            if worth[there] > worth[here] {
                worth[here] = worth[there];
                changed = true;
                if worth[there] * SAME > decided[here] {
                    decided[here] = worth[there];
                    out[here] = code;
                }
            }
        }
    }
    lens
}

impl Induction<'_> {
    /// Writes down which of some options to take, each with its number.
    pub(crate) fn pick(&mut self, kind: Kind, at: &At, parts: &[(usize, Diagram)]) {
        if self.side != Side::Exact {
            return;
        }
        let Some(picks) = &mut self.picks else {
            return;
        };
        // What is lost everywhere is never taken.
        let wanted = parts.iter().filter(|part| part.1 != LOST);
        let (numbers, parts): (Vec<usize>, Vec<Diagram>) = wanted.copied().unzip();
        let mut meals = Meals::default();
        picks.decide(
            &mut self.diagrams,
            (kind, at),
            &parts,
            &mut |values, leaves, before, out| {
                let leaves = (leaves, &numbers[..]);
                match kind {
                    Kind::Refreshment => refreshments(values, leaves, before, &mut meals, out),
                    _ => options(values, leaves, before, out),
                }
            },
        );
    }

    /// Writes down when to run from a fight, and when to test LUCK in it: what follows
    /// victory, and flight from each foe.
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
        picks.decide(
            &mut self.diagrams,
            (kind, at),
            ends,
            &mut |values, leaves, before, out| {
                let mut lens = values.full_shape(leaves).lens;
                let blocks = course.rows_to(life).div_ceil(ROWS_IN_ONE);
                let lucks = course.lucks().1;
                lens[LIFE] = blocks.max(1);
                // Rows tell LUCK apart.
                if lucks > 1 {
                    lens[LUCK] = 1;
                }
                let (lens, before) = before.read(lens);
                let blocks: usize = lens[LIFE..].iter().product();
                let width = blocks / lens[LIFE];
                let mut shape = Shape::full(lens);
                shape.lens[LIFE] = life.hi.max(1) as usize;
                if lucks > 1 {
                    shape.lens[LUCK] = lucks;
                }
                let plane = shape.volume() / lens[PURSE];
                let read = |leaf: &Leaf| values.read(*leaf, &shape, &mut Vec::new()).to_vec();
                let all: Vec<Vec<f64>> = leaves.iter().map(read).collect();
                let mut codes = Vec::new();
                for value in 0..lens[PURSE] {
                    let end = |end: &Vec<f64>| end[value * plane..][..plane].to_vec();
                    let ends: Vec<Vec<f64>> = all.iter().map(end).collect();
                    let before = before.as_ref().map(|bits| &bits[value * blocks..]);
                    let mut bits = vec![0_u64; blocks];
                    course.run(life, width, &ends, &mut |row, on, or| {
                        let shift = 2 * (row % ROWS_IN_ONE);
                        let old = |column: usize| {
                            let bits = before?[row / ROWS_IN_ONE * width + column];
                            Some((bits as u64 >> shift & 3) as f64)
                        };
                        let old: Option<Vec<f64>> = (0..width).map(old).collect();
                        let parts = [(0, on), (1, or)];
                        codes.clear();
                        chosen(&parts, &best(&parts, width), old.as_deref(), &mut codes);
                        let bits = &mut bits[row / ROWS_IN_ONE * width..];
                        for (bits, code) in bits.iter_mut().zip(&codes) {
                            *bits |= (*code as u64) << shift;
                        }
                    });
                    out.extend(bits.into_iter().map(|bits| bits as f64));
                }
                lens
            },
        );
    }

    /// What was decided in the walk through a region holds.
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
