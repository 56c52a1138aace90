//! How tables are looked at: lane by lane through maps, so that what is known of a table is
//! known of all its views.

use super::arena;
use super::table::{FLAT, LANES, LOST, Leaf, MapId, Tables, ZERO, volume};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) table: u32,
    look: u32,
}

/// How a table is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) maps: [MapId; LANES],
    /// How many places it tells apart, by lane.
    pub(super) lens: [usize; LANES],
    /// By lane: all places are seen where they are.
    plain: [bool; LANES],
}

impl Tables {
    pub(super) fn view(&mut self, table: u32, maps: [MapId; LANES]) -> Leaf {
        let look = match self.looks.get_index_of(&maps) {
            Some(known) => known,
            None => self.look(maps),
        };
        self.seen(View {
            table,
            look: look as u32,
        })
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

    pub(super) fn seen(&mut self, view: View) -> Leaf {
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

    pub(super) fn looked(&self, leaf: Leaf) -> &Look {
        &self.looks[self.views[leaf as usize].look as usize]
    }

    /// A table, seen where it is.
    pub(super) fn whole(&mut self, table: u32) -> Leaf {
        let lens = self.tables[table as usize].lens.map(usize::from);
        let look = match self.straight.get(&lens) {
            Some(known) => *known,
            None => {
                let maps = lens.map(|len| match len {
                    1 => FLAT,
                    len => self.map((0..len as u16).collect()),
                });
                let look = self.look(maps) as u32;
                self.straight.insert(lens, look);
                look
            }
        };
        self.seen(View { table, look })
    }

    /// Where a map leads to from a place of its lane; `None` is lost.
    pub(super) fn place(&self, map: MapId, at: usize) -> Option<usize> {
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
        let mut index = 0;
        for (lane, at) in places.into_iter().enumerate() {
            let Some(place) = self.place(maps[lane], at) else {
                return 0.0;
            };
            index = index * usize::from(table.lens[lane]) + place;
        }
        self.values.from(table.at)[index]
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

    /// How many places a combination of leaves tells apart, by lane.
    pub(super) fn shape(&self, leaves: &[Leaf]) -> [usize; LANES] {
        let mut lens = [1; LANES];
        for leaf in leaves {
            let looked = self.looked(*leaf).lens;
            lens = std::array::from_fn(|lane| lens[lane].max(looked[lane]));
        }
        lens
    }

    /// What a leaf is worth, place by place: mostly that is there already.
    pub(super) fn read<'t>(
        &'t self,
        leaf: Leaf,
        lens: [usize; LANES],
        out: &'t mut Vec<f64>,
    ) -> &'t [f64] {
        let view = self.views[leaf as usize];
        let table = &self.tables[view.table as usize];
        let look = &self.looks[view.look as usize];
        let values = self.values.from(table.at);
        let wide = table.lens.map(usize::from);
        if look.plain == [true; LANES] && look.lens == lens && wide == lens {
            return &values[..volume(lens)];
        }
        let mut strides = [1; LANES];
        for lane in (0..LANES - 1).rev() {
            strides[lane] = strides[lane + 1] * wide[lane + 1];
        }
        let place = |lane: usize, at: usize| {
            let place = self.place(look.maps[lane], at)?;
            Some(place * strides[lane])
        };
        // Row by row: the last lane that is told apart, which most looks see as it is.
        let row = (0..LANES).rev().find(|lane| lens[*lane] > 1).unwrap_or(0);
        let behind = (row + 1..LANES).map(|lane| place(lane, 0));
        let behind: Option<usize> = behind.sum();
        let before = |lane: usize, at: usize| if lane < row { place(lane, at) } else { Some(0) };
        let rows = |lane: usize| if lane < row { lens[lane] } else { 1 };
        out.clear();
        for first in 0..rows(0) {
            let first = before(0, first).zip(behind).map(|(a, b)| a + b);
            for second in 0..rows(1) {
                let base = first.zip(before(1, second)).map(|(a, b)| a + b);
                let Some(base) = base else {
                    out.resize(out.len() + lens[row], 0.0);
                    continue;
                };
                match look.maps[row] {
                    FLAT => out.resize(out.len() + lens[row], values[base]),
                    _ if look.plain[row] && strides[row] == 1 => {
                        out.extend_from_slice(&values[base..base + lens[row]]);
                    }
                    map => out.extend(self.maps[map as usize].iter().map(|place| match *place {
                        LOST => 0.0,
                        place => values[base + usize::from(place) * strides[row]],
                    })),
                }
            }
        }
        out
    }
}
