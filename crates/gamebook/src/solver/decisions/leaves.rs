//! Decisions at leaves: which of the best options comes first, and where taking a refreshment first
//! is better.

use crate::solver::tables::best::larger;
use crate::solver::tables::refreshed::Hole;
use crate::solver::tables::shape::Shape;
use crate::solver::tables::{LANES, Leaf, PURSE, Tables, ZERO};

/// Options whose values differ by less than this factor count as equally good. Sums in another
/// order round differently, and that must not send anybody round a ring.
pub(crate) const SAME: f64 = 1.0 - 1e-13;

/// What is known before a decision.
#[derive(Clone, Copy)]
pub(crate) struct Before<'s> {
    /// Holds the decisions of an earlier sweep through a ring.
    pub(crate) store: &'s Tables,
    pub(crate) leaf: Leaf,
    /// The maximum of the options, if it has been computed.
    pub(crate) best: Option<Leaf>,
}

impl Before<'_> {
    /// The shape to decide in, and the earlier decisions if there are any. With these, all values
    /// of money are distinguished.
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

/// Chooses the first of the best options, or the earlier choice if it is still among them; 0 where
/// all is lost.
///
/// This never leads round a ring. Values rise from zero, and each is at most the value of its
/// option under the values of that moment. Suppose that the chosen options led round and round
/// among places of positive value. Consider the places of the greatest value among these. All that
/// follows them has that value, too; and the one whose current decision was made first had that
/// value before anything that follows it did. So the options lead out. (This holds for exact
/// values. Where options on a ring differ by less than [`SAME`], they may lead round.)
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
            // Without branches, so that several entries are decided at a time.
            let taken = (*part > 0.0) & (*part >= best * SAME);
            *out = if taken { code(option) } else { *out };
        }
    }
    let Some(before) = before else {
        return;
    };
    // What is overtaken is replaced only by the very best: an option that leads round has the
    // earlier value of its target, which may be only slightly less.
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

/// The maximum of some parts, entry by entry.
pub(crate) fn best(parts: &[(usize, &[f64])], volume: usize, best: &mut Vec<f64>) {
    best.clear();
    best.resize(volume, 0.0);
    for (_, part) in parts {
        for (best, part) in best.iter_mut().zip(*part) {
            *best = larger(*best, *part);
        }
    }
}

/// Leaves with the numbers of their options.
type Numbered = Vec<(usize, Leaf)>;

/// Buffers, kept for the next leaves.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    rooms: Vec<Vec<f64>>,
    best: Vec<f64>,
    meals: Meals,
}

impl Desk {
    /// Reads leaves, computes their maximum, and decides.
    fn choose(
        &mut self,
        values: &Tables,
        leaves: &[(usize, Leaf)],
        shape: &Shape,
        before: Option<&[f64]>,
        out: &mut Vec<f64>,
    ) {
        if let ([(option, only)], None) = (leaves, before) {
            let code = (option + 1) as f64;
            let worth = values.read(*only, shape, &mut self.best).iter();
            out.extend(worth.map(|worth| if *worth > 0.0 { code } else { 0.0 }));
            return;
        }
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

    /// The same without earlier decisions, where the maximum is known. Leaves are read only until
    /// one of them is as good at every place, which the first ones usually are.
    fn choose_up_to(
        &mut self,
        values: &Tables,
        leaves: &[(usize, Leaf)],
        (shape, best): (&Shape, Leaf),
        out: &mut Vec<f64>,
    ) {
        if self.rooms.is_empty() {
            self.rooms.push(Vec::new());
        }
        let best = values.read(best, shape, &mut self.best);
        out.resize(best.len(), 0.0);
        for &(option, leaf) in leaves {
            let part = values.read(leaf, shape, &mut self.rooms[0]);
            let code = (option + 1) as f64;
            let mut open = 0;
            for ((out, part), best) in out.iter_mut().zip(part).zip(best) {
                let taken = (*out == 0.0) & (*part > 0.0) & (*part >= best * SAME);
                *out = if taken { code } else { *out };
                open |= u64::from((*out == 0.0) & (*best > 0.0));
            }
            if open == 0 {
                break;
            }
        }
    }
}

/// Decides between numbered leaves, entry by entry.
pub(crate) fn options(
    values: &Tables,
    leaves: impl Iterator<Item = (usize, Leaf)>,
    before: Before<'_>,
    desk: &mut Desk,
    out: &mut Vec<f64>,
) -> Shape {
    let kept: Numbered = leaves.filter(|one| one.1 != ZERO).collect();
    let leaves: Vec<Leaf> = kept.iter().map(|one| one.1).collect();
    let best = before.best;
    let (shape, before) = before.read(values.shape(&leaves));
    match (best, before) {
        (Some(best), None) => desk.choose_up_to(values, &kept, (&shape, best), out),
        (_, before) => desk.choose(values, &kept, &shape, before.as_deref(), out),
    }
    shape
}

/// Where refreshments lead within a plane of a table, and which of them does.
#[derive(Debug, Default)]
struct Meals {
    lens: [usize; LANES],
    holes: Vec<Hole>,
    ways: Vec<(usize, usize, usize)>,
}

impl Meals {
    /// All leaves of one region look back in the same way.
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

/// Does the same as [`options`], where some of the options are refreshments that look back. A
/// refreshment is taken only where that is worth more.
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
    // Regions of rings look at their earlier values and have no holes, so there are no earlier
    // decisions here.
    let holes: Vec<Hole> = backs
        .iter()
        .map(|back| values.looked(back.1).maps)
        .collect();
    let leaf = |one: &(usize, Leaf)| one.1;
    let all: Vec<Leaf> = known.iter().chain(&backs).map(leaf).collect();
    let (shape, shut) = values.backwards(&all[..known.len()], &all, &holes);
    desk.choose(values, &known, &shape, None, out);
    // If refreshments cost money, the region is iterated as a ring, and decided again.
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
                // A gain below rounding does not count either. Otherwise sheets with such a gain
                // from each other would take refreshments in a cycle.
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
