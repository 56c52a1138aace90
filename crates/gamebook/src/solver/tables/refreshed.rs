//! Refreshments within tables. A refreshment leads back to its own region, with less of one lane
//! and more of another. This is closed at once, without iterating a ring.

use crate::solver::tables::eating::Eating;
use crate::solver::tables::shape::Shape;
use crate::solver::tables::{LANES, Leaf, MapId, PURSE, Spare, Tables, ZERO, volume};

/// From each value of each lane to where a hole looks back.
pub(crate) type Hole = [MapId; LANES];

impl Tables {
    /// The maximum of all parts, including those that look back at the result.
    pub(crate) fn close(&mut self, parts: &[Leaf]) -> Leaf {
        let holes = parts.iter().filter(|part| self.is_hole(**part));
        let holes: Vec<Hole> = holes.map(|part| self.looked(*part).maps).collect();
        let best = self.candidates(parts);
        match best[..] {
            [] => return ZERO,
            [only] if holes.is_empty() => return only,
            [one, other] if holes.is_empty() => return self.best(one, other),
            _ => {}
        }
        let backs = match self.backs.get_index_of(&holes[..]) {
            Some(known) => known as u32,
            None => self.backs.insert_full(holes.as_slice().into()).0 as u32,
        };
        if let [only] = best[..]
            && let Some(known) = self.closed.get(&(only, backs))
        {
            return *known;
        }
        let (shape, shut) = self.backwards(&best, parts, &holes);
        // Besides the values, this counts where all of them look back.
        if !self.room((24 + 32 * holes.len()) * shape.volume()) {
            return ZERO;
        }
        let Some(shut) = shut else {
            self.unclosed = true;
            return ZERO;
        };
        let mut spare = std::mem::take(&mut self.spare);
        let only = self.best_of(&best, &shape, &mut spare);
        if let (Some(only), [one, other]) = (only, &best[..]) {
            self.best.insert([*one.min(other), *one.max(other)], only);
        }
        let known = only.and_then(|only| self.closed.get(&(only, backs)).copied());
        if let Some(known) = known {
            self.spare = spare;
            return known;
        }
        let eaten = !holes.is_empty() && self.eat(only, (&shape, &holes), &shut, &mut spare);
        let closed = match only {
            Some(only) if !eaten => only,
            _ => self.leaf(&shape, &mut spare.values),
        };
        self.spare = spare;
        if holes.is_empty() {
            return closed;
        }
        if let Some(only) = only {
            self.closed.insert((only, backs), closed);
        }
        if self.coarse.is_none() {
            self.closed.insert((closed, backs), closed);
        }
        closed
    }

    /// Leaves whose maximum is that of all parts that do not look back.
    fn candidates(&mut self, parts: &[Leaf]) -> Vec<Leaf> {
        let mut best: Vec<Leaf> = Vec::new();
        for &part in parts {
            if part == ZERO || self.is_hole(part) {
                continue;
            }
            let mut part = part;
            best.retain(|other| match self.known_best(*other, part) {
                Some(better) => {
                    part = better;
                    false
                }
                None => true,
            });
            best.push(part);
        }
        best
    }

    /// Applies refreshments as often as they gain something, and returns whether any does. If none
    /// does, values that equal a leaf and were not written before are not written now.
    fn eat(
        &self,
        only: Option<Leaf>,
        (shape, holes): (&Shape, &[Hole]),
        shut: &[bool],
        spare: &mut Spare,
    ) -> bool {
        let mut lens = shape.lens;
        let count = std::mem::replace(&mut lens[PURSE], 1);
        // All leaves of one region look back in the same way.
        if spare.looks.0 != lens || spare.looks.1 != holes {
            let mut ways = Vec::new();
            self.looks_back(lens, holes, &mut ways);
            spare.eating = Eating::new(&ways, volume(lens));
            spare.looks = (lens, holes.to_vec());
        }
        let mut ever = false;
        let shut = |hole: usize, class: usize| !shut.is_empty() && shut[hole * count + class];
        let unwritten = only.filter(|_| spare.values.is_empty());
        let Some(blocks) = unwritten.map(|only| self.blocks(only, shape)) else {
            for (class, values) in spare.values.chunks_mut(shape.plane()).enumerate() {
                ever |= spare.eating.eat(values, |hole| shut(hole, class));
            }
            return ever;
        };
        for class in 0..count {
            let (eating, other) = (&spare.eating, &mut spare.other);
            let shut = |hole| shut(hole, class);
            if !ever {
                if !eating.is_wanted(blocks.block(class, other), shut) {
                    continue;
                }
                blocks.append_up_to(class, &mut spare.values);
                ever = true;
            }
            let from = spare.values.len();
            blocks.append(class, &mut spare.values);
            eating.eat(&mut spare.values[from..], shut);
        }
        ever
    }

    /// Whether a hole looks back for some sums of money only. If money is not spent, it looks back
    /// at the same sum, if at all.
    fn is_shut(&self, hole: &Hole) -> bool {
        let mut places = self.maps[hole[PURSE] as usize].iter().enumerate();
        places.any(|(at, place)| usize::from(*place) != at)
    }

    /// The shape of `leaves` and holes, which together are `parts`, and by hole and class of money,
    /// whether it does not look back, or nothing if all do; `None` if money is spent.
    pub(crate) fn backwards(
        &self,
        leaves: &[Leaf],
        parts: &[Leaf],
        holes: &[Hole],
    ) -> (Shape, Option<Vec<bool>>) {
        if holes.iter().any(|hole| self.is_shut(hole)) {
            let shape = self.shape(parts);
            let shut = self.shut(&shape, holes);
            return (shape, shut);
        }
        (self.shape_with(leaves, parts), Some(Vec::new()))
    }

    fn shut(&self, shape: &Shape, holes: &[Hole]) -> Option<Vec<bool>> {
        let classes = 0..shape.lens[PURSE];
        let pairs = holes
            .iter()
            .flat_map(|hole| classes.clone().map(move |at| (hole, at)));
        let shut = |(hole, class): (&Hole, usize)| {
            let value = shape.value(class);
            match self.place(hole[PURSE], value) {
                None => Some(true),
                Some(place) => (place == value).then_some(false),
            }
        };
        pairs.map(shut).collect()
    }

    /// The maximum of two, if it is known.
    fn known_best(&mut self, a: Leaf, b: Leaf) -> Option<Leaf> {
        if a == b {
            return Some(a);
        }
        let known = self.best.get([a.min(b), a.max(b)]);
        known.or_else(|| self.side_by_side(a, b))
    }

    /// The number of each hole, the position, and where it looks back, apart from money.
    pub(crate) fn looks_back(
        &self,
        lens: [usize; LANES],
        holes: &[Hole],
        from: &mut Vec<(usize, usize, usize)>,
    ) {
        let place = |map: MapId, at: usize| self.place(map, at);
        from.clear();
        for (number, maps) in holes.iter().enumerate() {
            for first in 0..lens[1] {
                for second in 0..lens[2] {
                    for third in 0..lens[3] {
                        let places = place(maps[1], first).zip(place(maps[2], second));
                        let places = places.zip(place(maps[3], third));
                        if let Some(((a, b), c)) = places {
                            let here = (first * lens[2] + second) * lens[3] + third;
                            from.push((number, here, (a * lens[2] + b) * lens[3] + c));
                        }
                    }
                }
            }
        }
    }
}
