//! What to do, leaf by leaf: which option goes first among those that are worth the most, and
//! where it is better to eat before.

use crate::solver::tables::best::larger;
use crate::solver::tables::refreshed::Hole;
use crate::solver::tables::shape::Shape;
use crate::solver::tables::{LANES, Leaf, PURSE, Tables, ZERO};

/// Options that differ by less, in relation to what they are worth, are as good as each
/// other: sums in another order round another way, and nobody should be sent round a ring
/// by that.
pub(crate) const SAME: f64 = 1.0 - 1e-13;

/// What was decided before, in an earlier sweep through a ring.
#[derive(Clone, Copy)]
pub(crate) struct Before<'s> {
    pub(crate) store: &'s Tables,
    pub(crate) leaf: Leaf,
}

impl Before<'_> {
    /// What is to be told apart with that, and the numbers if there are any: then every value
    /// of the purse is told apart.
    pub(crate) fn read(self, least: Shape) -> (Shape, Option<Vec<f64>>) {
        if self.leaf == ZERO {
            return (least, None);
        }
        let least = least.every_value().lens;
        let lens = self.store.shape(&[self.leaf]).every_value().lens;
        let shape = Shape::full(std::array::from_fn(|lane| lens[lane].max(least[lane])));
        let mut out = Vec::new();
        self.store.read(self.leaf, &shape, &mut out);
        (shape, Some(out))
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
pub(crate) fn chosen(
    options: &[(usize, &[f64])],
    best: &[f64],
    before: Option<&[f64]>,
    out: &mut Vec<f64>,
) {
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
pub(crate) fn best(parts: &[(usize, &[f64])], volume: usize, best: &mut Vec<f64>) {
    best.clear();
    best.resize(volume, 0.0);
    for (_, part) in parts {
        for (best, part) in best.iter_mut().zip(*part) {
            *best = larger(*best, *part);
        }
    }
}

/// Leaves, each with the number of its option.
type Numbered = Vec<(usize, Leaf)>;

/// Room for what is read and worked out, kept for the next leaves.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    rooms: Vec<Vec<f64>>,
    best: Vec<f64>,
    meals: Meals,
}

impl Desk {
    /// Reads leaves, works out the best of them, and decides.
    fn choose(
        &mut self,
        values: &Tables,
        leaves: &[(usize, Leaf)],
        shape: &Shape,
        before: Option<&[f64]>,
        out: &mut Vec<f64>,
    ) {
        if self.rooms.len() < leaves.len() {
            self.rooms.resize_with(leaves.len(), Vec::new);
        }
        let read = leaves.iter().zip(&mut self.rooms);
        let read: Vec<(usize, &[f64])> = read
            .map(|((number, leaf), room)| (*number, values.read(*leaf, shape, room)))
            .collect();
        best(&read, shape.volume(), &mut self.best);
        chosen(&read, &self.best, before, out);
    }
}

/// The best of several leaves, each with the number of its option, place by place.
pub(crate) fn options(
    values: &Tables,
    leaves: impl Iterator<Item = (usize, Leaf)>,
    before: Before<'_>,
    desk: &mut Desk,
    out: &mut Vec<f64>,
) -> Shape {
    let kept: Numbered = leaves.filter(|one| one.1 != ZERO).collect();
    let leaves: Vec<Leaf> = kept.iter().map(|one| one.1).collect();
    let (shape, before) = before.read(values.shape(&leaves));
    desk.choose(values, &kept, &shape, before.as_deref(), out);
    shape
}

/// From where to where refreshments lead in a plane of a table, and by which of them.
#[derive(Debug, Default)]
struct Meals {
    lens: [usize; LANES],
    holes: Vec<Hole>,
    ways: Vec<(usize, usize, usize)>,
}

impl Meals {
    /// All leaves of one region look back the same way.
    fn look(&mut self, values: &Tables, mut lens: [usize; LANES], holes: &[Hole]) {
        lens[PURSE] = 1;
        if self.lens != lens || self.holes != holes {
            values.looks_back(lens, holes, &mut self.ways);
            self.lens = lens;
            self.holes.clear();
            self.holes.extend_from_slice(holes);
        }
    }
}

/// As [`options`], with refreshments among them that look back: only where that is worth
/// more is anything eaten.
pub(crate) fn refreshments(
    values: &Tables,
    leaves: impl Iterator<Item = (usize, Leaf)>,
    before: Before<'_>,
    desk: &mut Desk,
    out: &mut Vec<f64>,
) -> Shape {
    let (backs, known): (Numbered, Numbered) = leaves.partition(|one| values.is_hole(one.1));
    if backs.is_empty() {
        return options(values, known.into_iter(), before, desk, out);
    }
    // Regions of rings look at what they were worth before, and have no holes: there is
    // nothing here that was decided before.
    let holes: Vec<Hole> = backs
        .iter()
        .map(|back| values.looked(back.1).maps)
        .collect();
    let leaf = |one: &(usize, Leaf)| one.1;
    let all: Vec<Leaf> = known.iter().chain(&backs).map(leaf).collect();
    let (shape, shut) = values.backwards(&all[..known.len()], &all, &holes);
    desk.choose(values, &known, &shape, None, out);
    // If money is eaten, the region is gone through as a ring, and decided again.
    let Some(shut) = shut else {
        return shape;
    };
    desk.meals.look(values, shape.lens, &holes);
    let (plane, count) = (shape.plane(), shape.lens[PURSE]);
    let best = desk.best.chunks_mut(plane).zip(out.chunks_mut(plane));
    for (class, (worth, out)) in best.enumerate() {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(hole, here, there) in &desk.meals.ways {
                // What is no more than the same is not counted either: sheets that gain by each
                // other what is not worth a decision would eat in a circle.
                let more = worth[there] * SAME > worth[here];
                if !more || (!shut.is_empty() && shut[hole * count + class]) {
                    continue;
                }
                worth[here] = worth[there];
                out[here] = (backs[hole].0 + 1) as f64;
                changed = true;
            }
        }
    }
    shape
}
