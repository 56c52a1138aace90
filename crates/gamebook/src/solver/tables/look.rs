//! How tables are looked at: lane by lane through maps, so that what is known of a table is
//! known of all its views.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::solver::diagrams::arena;
use crate::solver::tables::folded::{Plane, Planes};
use crate::solver::tables::shape::{Places, Shape};
use crate::solver::tables::{
    FLAT, LANES, LIFE, LOST, Leaf, MapId, PURSE, Spare, Tables, ZERO, compare,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) table: u32,
    look: u32,
}

/// How a table is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) maps: [MapId; LANES],
    /// How many places it tells apart, by lane.
    pub(crate) lens: [usize; LANES],
    /// By lane: all places are seen where they are.
    plain: [bool; LANES],
}

/// How tables were looked at before that was forgotten.
#[derive(Debug)]
pub(crate) struct Looks {
    maps: IndexSet<Box<[u16]>, FxBuildHasher>,
    looks: IndexMap<[MapId; LANES], Look, FxBuildHasher>,
}

impl Looks {
    fn map(&self, map: MapId) -> &[u16] {
        &self.maps[map as usize]
    }

    /// The maps of a view of that time.
    pub(crate) fn maps(&self, view: &View) -> [&[u16]; LANES] {
        let look = &self.looks[view.look as usize];
        look.maps.map(|map| self.map(map))
    }
}

impl Tables {
    pub(crate) fn view(&mut self, table: u32, maps: [MapId; LANES]) -> Leaf {
        let look = match self.looks.get_index_of(&maps) {
            Some(known) => known,
            None => self.look(maps),
        };
        self.seen(View {
            table,
            look: look as u32,
        })
    }

    /// Forgets all maps but those of refreshments. What there was.
    pub(crate) fn forget_maps(&mut self) -> Looks {
        let old = Looks {
            maps: std::mem::take(&mut self.maps),
            looks: std::mem::take(&mut self.looks),
        };
        self.map_bytes = 0;
        self.straight.clear();
        self.spare.looks = Default::default();
        // A map that nothing else is equal to.
        self.maps.insert(Box::new([]));
        for holes in std::mem::take(&mut self.backs) {
            let maps = |hole: &[MapId; LANES]| hole.map(|map| self.map(old.map(map).to_vec()));
            let holes: Box<[[MapId; LANES]]> = holes.iter().map(maps).collect();
            self.backs.insert(holes);
        }
        old
    }

    fn look(&mut self, maps: [MapId; LANES]) -> usize {
        let map = |map: MapId| &self.maps[map as usize];
        let lens = maps.map(|lane| match lane {
            FLAT => 1,
            lane => map(lane).len(),
        });
        let plain = maps.map(|lane| {
            let mut places = map(lane).iter().enumerate();
            places.all(|(at, place)| at == usize::from(*place))
        });
        let look = Look { maps, lens, plain };
        self.looks.insert_full(maps, look).0
    }

    pub(crate) fn seen(&mut self, view: View) -> Leaf {
        let hash = arena::hash(&[view.table, view.look], u64::from);
        let same = |number: u32| self.views[number as usize] == view;
        if let Some(known) = self.by_view.find(hash, same) {
            return known;
        }
        let number = self.views.len() as Leaf;
        self.views.push(view);
        self.by_view.insert(hash, number);
        number
    }

    pub(crate) fn looked(&self, leaf: Leaf) -> &Look {
        &self.looks[self.views[leaf as usize].look as usize]
    }

    /// A table, seen where it is.
    pub(crate) fn whole(&mut self, table: u32) -> Leaf {
        let look = self.straight(self.tables[table as usize].lens);
        self.seen(View { table, look })
    }

    /// How all places are seen where they are.
    fn straight(&mut self, lens: [u16; LANES]) -> u32 {
        if let Some(known) = self.straight.get(&lens) {
            return *known;
        }
        let maps = lens.map(|len| match len {
            1 => FLAT,
            len => self.map((0..len).collect()),
        });
        let look = self.look(maps) as u32;
        self.straight.insert(lens, look);
        look
    }

    /// A table whose purse is seen through a map; nothing if it does not matter.
    pub(crate) fn with_purse(&mut self, table: u32, purse: Vec<u16>) -> Leaf {
        let lens = self.tables[table as usize].lens;
        if purse.is_empty() || purse.len() == usize::from(lens[PURSE]) {
            return self.whole(table);
        }
        let look = self.straight(lens);
        let mut maps = self.looks[look as usize].maps;
        maps[PURSE] = self.map(purse);
        self.view(table, maps)
    }

    /// Where a map leads to from a place of its lane; `None` is lost.
    pub(crate) fn place(&self, map: MapId, at: usize) -> Option<usize> {
        match map {
            FLAT => Some(0),
            map => match self.maps[map as usize][at] {
                LOST => None,
                place => Some(usize::from(place)),
            },
        }
    }

    /// The value at places of the lanes.
    pub(crate) fn at(&self, leaf: Leaf, places: [usize; LANES]) -> f64 {
        let table = &self.tables[self.views[leaf as usize].table as usize];
        let maps = self.looked(leaf).maps;
        let (mut plane, mut index) = (0, 0);
        for (lane, at) in places.into_iter().enumerate() {
            let Some(place) = self.place(maps[lane], at) else {
                return 0.0;
            };
            match lane {
                PURSE => plane = place,
                _ => index = index * usize::from(table.lens[lane]) + place,
            }
        }
        self.planes(table).plane(plane).at(index)
    }

    /// A lane seen through one more map; `None` is lost.
    pub(crate) fn shift(&mut self, leaf: Leaf, lane: usize, to: &[Option<u16>]) -> Leaf {
        if leaf == ZERO {
            return ZERO;
        }
        let mut maps = self.looked(leaf).maps;
        let old = &self.maps[maps[lane] as usize];
        let flat = maps[lane] == FLAT;
        let place = |to: &Option<u16>| match to {
            None => LOST,
            Some(_) if flat => 0,
            Some(to) => old[usize::from(*to)],
        };
        let map: Vec<u16> = to.iter().map(place).collect();
        if map.iter().all(|place| *place == LOST) {
            return ZERO;
        }
        maps[lane] = self.map(map);
        self.view(self.views[leaf as usize].table, maps)
    }

    /// What a leaf is worth, place by place.
    pub(crate) fn read<'o>(&self, leaf: Leaf, shape: &Shape, out: &'o mut Vec<f64>) -> &'o [f64] {
        let blocks = self.blocks(leaf, shape);
        out.clear();
        for class in 0..shape.lens[PURSE] {
            blocks.append(class, out);
        }
        out
    }

    /// What a leaf is worth, class by class of the purse.
    pub(crate) fn blocks(&self, leaf: Leaf, shape: &Shape) -> Blocks<'_> {
        let view = self.views[leaf as usize];
        let table = &self.tables[view.table as usize];
        let look = &self.looks[view.look as usize];
        let (wide, lens) = (table.lens.map(usize::from), shape.lens);
        let mut inner = LIFE..LANES;
        let plain = inner.all(|lane| {
            look.plain[lane] && look.lens[lane] == lens[lane] && wide[lane] == lens[lane]
        });
        Blocks {
            planes: self.planes(table),
            purse: self.purse(look.maps[PURSE], shape, wide[PURSE]),
            plain,
            maps: look.maps.map(|map| &self.maps[map as usize][..]),
            straight: look.plain,
            wide,
            lens,
        }
    }
}

/// A leaf, class by class of the purse.
#[derive(Debug)]
pub(crate) struct Blocks<'t> {
    planes: Planes<'t>,
    purse: Places,
    /// But for the purse all is seen where it is.
    plain: bool,
    maps: [&'t [u16]; LANES],
    straight: [bool; LANES],
    wide: [usize; LANES],
    lens: [usize; LANES],
}

impl<'t> Blocks<'t> {
    /// Whether this is nowhere less than another leaf, and whether the other is: see
    /// [`compare`].
    pub(crate) fn compare(
        &self,
        other: &Blocks<'_>,
        shape: &Shape,
        spare: &mut Spare,
    ) -> (bool, bool) {
        let mut better = (true, true);
        for class in 0..shape.lens[PURSE] {
            if let Some((one, other)) = self.plane(class).zip(other.plane(class))
                && let Some((one, other)) = one.alike(other)
            {
                compare(one, other, &mut better);
            } else {
                let one = self.block(class, &mut spare.part);
                let other = other.block(class, &mut spare.other);
                compare(one, other, &mut better);
            }
            if better == (false, false) {
                break;
            }
        }
        better
    }

    /// The plane that is seen where it is.
    fn plane(&self, class: usize) -> Option<Plane<'t>> {
        let place = self.purse.at(class).filter(|_| self.plain)?;
        Some(self.planes.plane(place))
    }

    /// The values of a class.
    pub(crate) fn block<'b>(&self, class: usize, out: &'b mut Vec<f64>) -> &'b [f64]
    where
        't: 'b,
    {
        match self.plane(class) {
            Some(plane) => plane.unfolded(out),
            None => {
                out.clear();
                self.append(class, out);
                out
            }
        }
    }

    fn append(&self, class: usize, out: &mut Vec<f64>) {
        let lens = self.lens;
        let Some(class) = self.purse.at(class) else {
            let plane = lens[LIFE..].iter().product::<usize>();
            out.resize(out.len() + plane, 0.0);
            return;
        };
        match self.planes.plane(class) {
            plane if self.plain => plane.append(out),
            Plane::Whole(values) => self.seen(values, |value| *value, out),
            Plane::Short(fold) => match fold.any() {
                Some(values) => self.seen(fold.places, |place| values[usize::from(*place)], out),
                None => self.seen(fold.places, |place| fold.at(*place), out),
            },
            Plane::Long(fold) => self.seen(fold.places, |place| fold.at(*place), out),
            plane => {
                let mut whole = Vec::new();
                plane.append(&mut whole);
                self.seen(&whole, |value| *value, out);
            }
        }
    }

    /// Appends a plane that is not seen where it is. What lies in it tells its values.
    fn seen<T>(&self, plane: &[T], value: impl Fn(&T) -> f64, out: &mut Vec<f64>) {
        let (lens, wide) = (self.lens, self.wide);
        let strides = [0, wide[2] * wide[3], wide[3], 1];
        // Nothing is told apart where there is no map.
        let place = |lane: usize, at: usize| match self.maps[lane] {
            [] => Some(0),
            map => match map[at] {
                LOST => None,
                place => Some(usize::from(place) * strides[lane]),
            },
        };
        // Row by row: the last lane that is told apart, which most looks see as it is.
        let row = (LIFE..LANES).rev().find(|lane| lens[*lane] > 1);
        let row = row.unwrap_or(LIFE);
        let behind: Option<usize> = (row + 1..LANES).map(|lane| place(lane, 0)).sum();
        let rows = |lane: usize| if lane < row { lens[lane] } else { 1 };
        let plus = |base: Option<usize>, lane: usize, at: usize| match lane < row {
            true => base.zip(place(lane, at)).map(|(base, place)| base + place),
            false => base,
        };
        for first in 0..rows(1) {
            let first = plus(behind, 1, first);
            for second in 0..rows(2) {
                let Some(base) = plus(first, 2, second) else {
                    out.resize(out.len() + lens[row], 0.0);
                    continue;
                };
                let from = &plane[base..];
                match self.maps[row] {
                    [] => out.resize(out.len() + lens[row], value(&from[0])),
                    _ if self.straight[row] && strides[row] == 1 => {
                        out.extend(from[..lens[row]].iter().map(&value));
                    }
                    map => out.extend(map.iter().map(|place| match *place {
                        LOST => 0.0,
                        place => value(&from[usize::from(place) * strides[row]]),
                    })),
                }
            }
        }
    }
}
