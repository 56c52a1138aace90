//! Views of tables through a map for each lane, so that what is known of a table holds for all its
//! views.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::solver::diagrams::arena;
use crate::solver::tables::best::compare;
use crate::solver::tables::folded::{Plane, Planes};
use crate::solver::tables::runs::Runs;
use crate::solver::tables::shape::{Places, Shape};
use crate::solver::tables::{FLAT, LANES, LIFE, LOST, Leaf, MapId, PURSE, Spare, Tables, ZERO};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) table: u32,
    look: u32,
}

/// How a table is viewed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) maps: [MapId; LANES],
    /// The number of values by lane.
    pub(crate) lens: [usize; LANES],
    /// By lane, whether the map is the identity.
    plain: [bool; LANES],
    /// Whether some positions are lost, whatever the table says.
    pub(crate) loses: bool,
}

/// The maps and looks before they were forgotten.
#[derive(Debug)]
pub(crate) struct Looks {
    maps: IndexSet<Box<[u16]>, FxBuildHasher>,
    looks: IndexMap<[MapId; LANES], Look, FxBuildHasher>,
}

impl Looks {
    fn map(&self, map: MapId) -> &[u16] {
        &self.maps[map as usize]
    }

    /// The maps of a view, as they were.
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

    /// Forgets all maps except those of refreshments, and returns the old ones.
    pub(crate) fn forget_maps(&mut self) -> Looks {
        let old = Looks {
            maps: std::mem::take(&mut self.maps),
            looks: std::mem::take(&mut self.looks),
        };
        self.map_bytes = 0;
        self.steps.clear();
        self.straight.clear();
        self.spare.looks = Default::default();
        self.begin_maps();
        for holes in std::mem::take(&mut self.backs) {
            let maps = |hole: &[MapId; LANES]| hole.map(|map| self.map(old.map(map).to_vec()));
            let holes: Box<[[MapId; LANES]]> = holes.iter().map(maps).collect();
            self.backs.insert(holes);
        }
        old
    }

    fn look(&mut self, maps: [MapId; LANES]) -> usize {
        let map = |map: &MapId| &self.maps[*map as usize];
        let lens = maps.map(|lane| match lane {
            FLAT => 1,
            lane => map(&lane).len(),
        });
        let plain = maps.map(|lane| {
            let mut places = map(&lane).iter().enumerate();
            places.all(|(at, place)| at == usize::from(*place))
        });
        let loses = maps.iter().any(|lane| map(lane).contains(&LOST));
        let look = Look {
            maps,
            lens,
            plain,
            loses,
        };
        self.looks.insert_full(maps, look).0
    }

    pub(crate) fn seen(&mut self, view: View) -> Leaf {
        let hash = arena::hash_of_words(&[view.table, view.look]);
        let same = |number: u32| self.views[number as usize] == view;
        if let Some(known) = self.by_view.find(hash, same) {
            return known;
        }
        let number = self.views.len() as Leaf;
        // Diagrams mark leaves by their highest bit.
        self.full |= number >= Leaf::MAX / 2;
        self.views.push(view);
        self.by_view.insert(hash, number);
        number
    }

    pub(crate) fn looked(&self, leaf: Leaf) -> &Look {
        &self.looks[self.views[leaf as usize].look as usize]
    }

    /// A view of a table by identity maps.
    pub(crate) fn whole(&mut self, table: u32) -> Leaf {
        let look = self.straight(self.tables[table as usize].lens);
        self.seen(View { table, look })
    }

    /// The look with identity maps for these lengths.
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

    /// A view of a table with a map for money; an empty map if it makes no difference.
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

    /// Where a map leads from a value of its lane; `None` is lost.
    pub(crate) fn place(&self, map: MapId, at: usize) -> Option<usize> {
        match map {
            FLAT => Some(0),
            map => match self.maps[map as usize][at] {
                LOST => None,
                place => Some(usize::from(place)),
            },
        }
    }

    /// The value at these positions of the lanes.
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

    /// Applies one more map to a lane; `None` is lost.
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

    /// The values of a leaf.
    pub(crate) fn read<'o>(&self, leaf: Leaf, shape: &Shape, out: &'o mut Vec<f64>) -> &'o [f64] {
        let blocks = self.blocks(leaf, shape);
        out.clear();
        blocks.append_up_to(shape.lens[PURSE], out);
        out
    }

    /// The values of a leaf, by class of money.
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
            runs: (!plain).then(|| {
                let maps = look.maps.map(|map| &self.maps[map as usize][..]);
                Runs::new(maps, look.plain, wide, lens)
            }),
            places: shape.plane(),
        }
    }
}

/// A leaf, by class of money.
#[derive(Debug)]
pub(crate) struct Blocks<'t> {
    planes: Planes<'t>,
    purse: Places,
    /// How a plane is viewed, unless all maps are identities.
    runs: Option<Runs>,
    /// The positions of a plane.
    places: usize,
}

impl<'t> Blocks<'t> {
    /// Whether this leaf is nowhere smaller than another one in a class, and vice versa; see
    /// [`compare`].
    pub(crate) fn compare(
        &self,
        other: &Blocks<'t>,
        class: usize,
        spare: &mut Spare,
    ) -> (bool, bool) {
        // Options that not everybody can pay for are lost in some classes, and nothing is negative.
        match (self.is_absent(class), other.is_absent(class)) {
            (true, _) => return (other.is_lost(class, &mut spare.part), true),
            (_, true) => return (true, self.is_lost(class, &mut spare.part)),
            _ => {}
        }
        let mut better = (true, true);
        let same = self.runs == other.runs;
        let planes = self.plane(class).zip(other.plane(class)).filter(|_| same);
        let whole = planes.and_then(|(one, other)| one.whole().zip(other.whole()));
        match (planes, &self.runs, whole) {
            (_, Some(runs), Some((one, other))) => {
                for (from, to) in runs.spans() {
                    compare(&one[from..to], &other[from..to], &mut better);
                }
            }
            (Some((one, other)), None, _) => one.compare(other, spare, &mut better),
            _ => {
                let one = self.block(class, &mut spare.part);
                let other = other.block(class, &mut spare.other);
                compare(one, other, &mut better);
            }
        }
        better
    }

    /// Whether a class is lost, whatever the table says.
    pub(crate) fn is_absent(&self, class: usize) -> bool {
        self.purse.at(class).is_none()
    }

    /// Whether all values of a class are 0.
    fn is_lost<'b>(&self, class: usize, out: &'b mut Vec<f64>) -> bool
    where
        't: 'b,
    {
        self.is_absent(class) || self.block(class, out).iter().all(|value| *value == 0.0)
    }

    fn plane(&self, class: usize) -> Option<Plane<'t>> {
        self.purse.at(class).map(|place| self.planes.plane(place))
    }

    /// The values of a class.
    pub(crate) fn block<'b>(&self, class: usize, out: &'b mut Vec<f64>) -> &'b [f64]
    where
        't: 'b,
    {
        if self.runs.is_none()
            && let Some(plane) = self.plane(class)
        {
            return plane.unfolded(out);
        }
        out.clear();
        self.append(class, out);
        out
    }

    /// Appends the values of all classes before `class`.
    pub(crate) fn append_up_to(&self, class: usize, out: &mut Vec<f64>) {
        (0..class).for_each(|class| self.append(class, out));
    }

    /// Appends the values of a class.
    pub(crate) fn append(&self, class: usize, out: &mut Vec<f64>) {
        let Some(plane) = self.plane(class) else {
            out.resize(out.len() + self.places, 0.0);
            return;
        };
        let Some(runs) = &self.runs else {
            return plane.append(out);
        };
        match plane {
            Plane::Whole(values) => runs.append(values, |value| *value, out),
            Plane::Short(fold) => match fold.any() {
                Some(values) => runs.append(fold.places, |place| values[usize::from(*place)], out),
                None => runs.append(fold.places, |place| fold.at(*place), out),
            },
            Plane::Long(fold) => runs.append(fold.places, |place| fold.at(*place), out),
            Plane::Parted(..) => {
                let from = out.len();
                plane.append(out);
                let to = out.len();
                runs.append_from(from, out);
                out.copy_within(to.., from);
                out.truncate(out.len() + from - to);
            }
        }
    }
}
