//! Reductions: what can make a difference in a book, and on a sheet in it.

pub(crate) mod deals;
pub(crate) mod live;
pub(crate) mod must;
pub(crate) mod nested;
pub(crate) mod rings;
pub(crate) mod supplies;

use crate::BookGame;
use crate::compiled::{Compiled, Op, Scene};
use crate::place::{Place, STATS};
use crate::solver::diagrams::gates::{Known, YES};
use crate::solver::reach::Explored;
use crate::solver::reach::extent::{Extent, Span};
use crate::solver::reach::fork::Apart;
use crate::solver::reduction::live::{Live, Needs};
use crate::solver::reduction::must::must_haves;
use crate::solver::reduction::rings::markers;
use crate::solver::tables::LANES;
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Region};

/// Which reductions are enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeftOut {
    /// Forgets what nothing reads any more.
    pub(crate) forget: bool,
    /// Caps stats where more, or less, is worth the same.
    pub(crate) cap_stats: bool,
    /// Counts heroes as lost who lack what every victory needs.
    pub(crate) must_haves: bool,
    /// Contracts forced moves, in games of places only.
    pub(crate) contract: bool,
    /// Leaves out moves that only use something up, in games of places only.
    pub(crate) waste: bool,
}

impl LeftOut {
    pub(crate) const ALL: LeftOut = LeftOut {
        forget: true,
        cap_stats: true,
        must_haves: true,
        contract: true,
        waste: true,
    };
}

/// What can make a difference in a book.
pub(crate) struct Reduced<'b> {
    pub(crate) live: Live<'b>,
    pub(crate) needed: Vec<u128>,
    pub(crate) markers: Vec<u128>,
}

impl<'b> Reduced<'b> {
    pub(crate) fn new(game: &'b BookGame, left_out: LeftOut) -> Self {
        let book = &game.compiled;
        Reduced {
            live: match left_out.forget {
                true => Live::new(book, &game.caps, game.own_rules, !left_out.cap_stats),
                false => Live::all(book, &game.caps),
            },
            needed: match left_out.must_haves {
                true => must_haves(book),
                false => vec![0; book.scenes.len()],
            },
            markers: markers(book),
        }
    }
}

/// What is needed of the reductions to look up places after solving.
#[derive(Debug)]
pub(crate) struct Left {
    /// By scene.
    pub(crate) needs: Vec<Needs>,
    needed: Vec<u128>,
    markers: Vec<u128>,
}

impl From<Reduced<'_>> for Left {
    fn from(reduced: Reduced<'_>) -> Self {
        Left {
            needs: reduced.live.scenes,
            needed: reduced.needed,
            markers: reduced.markers,
        }
    }
}

impl Left {
    /// Whether all is lost at a place. A hero who lacks what every victory needs was not examined
    /// any further, and neither was one who holds it where nothing reads it, since it makes no
    /// difference there.
    pub(crate) fn is_lost(&self, place: &Place) -> bool {
        let scene = place.scene as usize;
        let held = place.held.items & self.needs[scene].bits;
        self.needed[scene] & !held != 0
    }

    /// The region of a place, without a route, and its sheet; `None` for endings.
    pub(crate) fn seed(&self, book: &Compiled, place: &Place) -> Option<(Region, At)> {
        let scene = place.scene as usize;
        let (needs, markers) = (&self.needs[scene], self.markers[scene]);
        seed(book, needs, markers, Apart::Nothing, place)
    }
}

/// LUCK is a lane if the other lanes have at most this many positions, and LUCK at most `MOST_LUCK`
/// values. Then the work per table outweighs the work per position.
const MOST_BESIDE_LUCK: usize = 128;
const MOST_LUCK: usize = 32;

/// The lanes: life, LUCK if it is spent in battle, and as many as fit of the stats that
/// refreshments change, and of LUCK if its values are kept together.
pub(crate) fn lanes(book: &Compiled, together: bool) -> [bool; STATS] {
    let mut lanes = [false; STATS];
    lanes[usize::from(book.life)] = true;
    if let Some(luck) = book.battle_luck {
        lanes[usize::from(luck)] = true;
    }
    let room = |lanes: &[bool; STATS]| lanes.iter().filter(|lane| **lane).count() < LANES - 1;
    for refreshment in &book.refreshments {
        for op in book.effects[refreshment.effects as usize].iter() {
            if let Op::Add(stat, _) = op {
                let special = [book.skill, book.luck, book.money].contains(&Some(*stat));
                lanes[usize::from(*stat)] |= !special && room(&lanes);
            }
        }
    }
    // It is tested again and again, each time for all of its values.
    if let Some(luck) = book.luck {
        lanes[usize::from(luck)] |= together && room(&lanes);
    }
    lanes
}

/// The lanes of a walk without LUCK, unless it is spent in battle.
pub(crate) fn without_luck(walk: &Walk<'_>) -> [bool; STATS] {
    let (book, mut lanes) = (&walk.game.compiled, walk.lanes);
    if let Some(luck) = book.luck
        && luck != book.life
    {
        lanes[usize::from(luck)] = book.battle_luck == Some(luck);
    }
    lanes
}

/// The lanes of a walk, without LUCK if it makes tables too large.
pub(crate) fn lanes_left(walk: &Walk<'_>, explored: &Explored) -> [bool; STATS] {
    let lanes = without_luck(walk);
    let beside = |extent: &Extent| {
        let spans = extent.iter().zip(lanes).filter(|(_, lane)| *lane);
        spans.fold(1, |all: usize, (span, _)| all.saturating_mul(span.len()))
    };
    let small = |extent: &Extent| {
        let luck = walk.game.compiled.luck.map(usize::from);
        beside(extent) <= MOST_BESIDE_LUCK
            && luck.is_none_or(|luck| extent[luck].len() <= MOST_LUCK)
    };
    match explored.regions.values().all(|found| small(&found.extent)) {
        true => walk.lanes,
        false => lanes,
    }
}

/// The region of a place, and its sheet; `None` for endings.
pub(crate) fn seed(
    book: &Compiled,
    needs: &Needs,
    markers: u128,
    apart: Apart,
    place: &Place,
) -> Option<(Region, At)> {
    let step = match book.scenes[place.scene as usize] {
        Scene::Ending(_) | Scene::Dead => return None,
        Scene::Game { .. } => place.step,
        _ => 0,
    };
    if book.is_dead(&place.held) {
        return None;
    }
    let held = needs.essence(book, &place.held);
    let mut kept = [0; STATS];
    let mut extent = [Span::one(0); STATS];
    for (stat, value) in held.stats.into_iter().enumerate() {
        match book.is_raised_cap(stat) {
            true => kept[stat] = value,
            false => extent[stat] = Span::one(value),
        }
    }
    let bits = held.items;
    let region = Region {
        scene: place.scene,
        step,
        marks: bits & markers,
        kept,
        way: apart.start(place.scene),
    };
    let known = Known {
        must: bits,
        may: bits,
        care: YES,
    };
    Some((
        region,
        At {
            known,
            kept,
            way: region.way,
            extent,
        },
    ))
}
