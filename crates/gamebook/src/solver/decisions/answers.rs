//! Looking up decisions, sheet by sheet.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::compiled::{Arms, Scene};
use crate::place::{Place, STATS};
use crate::solver::decisions::taken::Taken;
use crate::solver::decisions::{Kind, Pick, ROWS_IN_ONE};
use crate::solver::diagrams::Diagrams;
use crate::solver::diagrams::gates::{Gate, Gates, NO};
use crate::solver::induction::Induction;
use crate::solver::induction::sheets::held;
use crate::solver::reach::Found;
use crate::solver::reach::extent::Extent;
use crate::solver::tables::course::{Against, Course, Key};
use crate::solver::walk::interpreter::{At, Region};

/// The decisions in all regions that have any.
#[derive(Debug)]
pub(crate) struct Answers {
    regions: IndexMap<Region, Answered, FxBuildHasher>,
    /// All routes by which regions are told apart, in ascending order.
    ways: Vec<u32>,
    gates: Gates,
    /// Diagrams of option numbers.
    store: Diagrams,
    /// Replaces these in rings that were solved sheet by sheet.
    singly: FxHashMap<Place, Taken>,
    /// By stat, its lane.
    lane: [Option<usize>; STATS],
    life: usize,
    /// The stat that is spent in battle.
    luck: Option<usize>,
    /// Needed to find rows.
    courses: FxHashMap<Against, Course>,
}

/// A region that somebody may enter.
#[derive(Debug)]
pub(crate) struct Answered {
    extent: Extent,
    /// The sheets that may enter.
    care: Gate,
    /// The sheets for which it was decided.
    settled: Gate,
    picks: Vec<Pick>,
}

/// A round of a fight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) fight: u32,
    pub(crate) only: u16,
    pub(crate) arms: Arms,
    /// The bonus to LUCK, if LUCK is spent in battle.
    pub(crate) bonus: Option<i32>,
    pub(crate) key: Key,
}

impl Induction<'_> {
    /// Returns the decisions, if they were recorded. The regions in `left_out` get none.
    pub(crate) fn into_answers(self, left_out: Vec<(Region, Found)>) -> Option<Answers> {
        let mut picks = self.picks?;
        picks.collect();
        let book = &self.walk.game.compiled;
        let found = self.explored.regions.into_iter().zip(self.worth);
        let all = found.zip(picks.of);
        let decides = |region: &Region| match &book.scenes[region.scene as usize] {
            Scene::Choice(_) | Scene::Shop { .. } => true,
            Scene::Game { free, .. } => *free,
            Scene::Fight { fight, .. } => {
                let running = book.fights[*fight as usize].terms.running;
                running.is_some_and(|running| !running.forced) || book.battle_luck.is_some()
            }
            _ => false,
        };
        let all = all.filter(|((found, _), _)| decides(&found.0));
        let regions = all.map(|(((region, found), worth), picks)| {
            let answered = Answered {
                extent: found.extent,
                care: found.known.care,
                settled: worth.settled,
                picks,
            };
            (region, answered)
        });
        let left_out = left_out.into_iter().map(|(region, found)| {
            let answered = Answered {
                extent: found.extent,
                care: found.known.care,
                settled: NO,
                picks: Vec::new(),
            };
            (region, answered)
        });
        let mut courses = FxHashMap::default();
        for (key, (_, mut course)) in self.courses {
            course.rest();
            courses.insert(key, course);
        }
        let mut gates = self.diagrams.gates;
        let mut regions: IndexMap<Region, Answered, FxBuildHasher> =
            regions.chain(left_out).collect();
        let answered = regions.values_mut();
        gates.keep(answered.flat_map(|one| [&mut one.care, &mut one.settled]));
        let mut ways: Vec<u32> = regions.keys().map(|region| region.way).collect();
        ways.sort_unstable();
        ways.dedup();
        Some(Answers {
            regions,
            ways,
            gates,
            store: picks.store,
            singly: picks.singly,
            lane: self.lane,
            life: usize::from(book.life),
            luck: book.battle_luck.map(usize::from),
            courses,
        })
    }
}

impl Answers {
    /// The approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let picks: usize = self.regions.values().map(|found| found.picks.len()).sum();
        let courses: usize = self.courses.values().map(Course::bytes).sum();
        self.store.bytes()
            + self.gates.bytes()
            + size_of::<Pick>() * picks
            + size_of::<(Region, Answered)>() * self.regions.len()
            + size_of::<(Place, Taken)>() * self.singly.capacity()
            + courses
    }

    /// The decision where sheets were solved one by one, for all sheets of the same value.
    pub(crate) fn singly(&self, place: &Place, at: &At) -> Option<Taken> {
        let held = held(at.known.must, &at.extent, &at.kept);
        self.singly.get(&Place { held, ..*place }).copied()
    }

    /// Whether the rows of a fight distinguish a stat.
    fn in_rows(&self, stat: usize) -> bool {
        stat == self.life || Some(stat) == self.luck
    }

    /// A region that such a sheet may enter, by whatever route: the best decision does not depend
    /// on the route, if there is one. With `inside`, the sheet is in the middle of a fight and may
    /// have any life and LUCK.
    pub(crate) fn covered(
        &self,
        mut region: Region,
        at: &At,
        inside: bool,
        round: Option<Round>,
    ) -> Option<&Answered> {
        let mut covered = None;
        for way in &self.ways {
            region.way = *way;
            let Some(found) = self.regions.get(&region) else {
                continue;
            };
            let mut spans = at.extent.iter().zip(&found.extent).enumerate();
            let fits = spans
                .all(|(stat, (at, found))| (inside && self.in_rows(stat)) || found.contains(*at));
            let comes = self.gates.opens(found.care, at.known.must);
            if !fits || !comes {
                continue;
            }
            let settled = self.settled(found, at);
            // A hero on another route may have more life or LUCK than anybody on this one.
            let known = !inside || round.is_none_or(|round| self.turns(found, at, round).is_some());
            if settled && known {
                return Some(found);
            }
            if settled || covered.is_none() {
                covered = Some(found);
            }
        }
        covered
    }

    /// Whether it was decided for this sheet.
    pub(crate) fn settled(&self, found: &Answered, at: &At) -> bool {
        self.gates.opens(found.settled, at.known.must)
    }

    /// The number of the option decided for; `None` if there is no decision, or all is lost.
    pub(crate) fn option(&self, found: &Answered, at: &At, kind: Kind) -> Option<usize> {
        let pick = found.picks.iter().find(|pick| {
            let mut spans = pick.extent.iter().zip(&at.extent);
            pick.kind == kind && spans.all(|(pick, at)| pick.contains(*at))
        })?;
        let place = |stat: usize| pick.extent[stat].place(at.extent[stat].lo);
        self.number(pick, at, place).checked_sub(1)
    }

    /// Whether to run before a round, or to test LUCK; `None` if that is not known, or all is lost.
    pub(crate) fn turns(&self, found: &Answered, at: &At, round: Round) -> Option<bool> {
        let Round {
            fight,
            only,
            arms,
            bonus,
            key,
        } = round;
        let (pick, against) = found.picks.iter().find_map(|pick| {
            let Kind::Fight(against) = pick.kind else {
                return None;
            };
            let added = against.luck.map(|lucky| lucky.bonus);
            let told = (against.fight, against.only, against.arms, added);
            let mut spans = pick.extent.iter().zip(&at.extent).enumerate();
            let fits = told == (fight, only, arms, bonus)
                && spans.all(|(stat, (pick, at))| self.in_rows(stat) || pick.contains(*at));
            fits.then_some((pick, against))
        })?;
        let course = self.courses.get(&against)?;
        let row = course.row(&key)?;
        if row >= course.rows_to(pick.extent[self.life]) {
            return None;
        }
        let place = |stat: usize| match stat == self.life {
            true => row / ROWS_IN_ONE,
            false if Some(stat) == self.luck => 0,
            false => pick.extent[stat].place(at.extent[stat].lo),
        };
        let code = self.number(pick, at, place) as u64 >> (2 * (row % ROWS_IN_ONE)) & 3;
        code.checked_sub(1).map(|turns| turns == 1)
    }

    /// The number at a sheet.
    fn number(&self, pick: &Pick, at: &At, place: impl Fn(usize) -> usize) -> usize {
        let bits = at.known.must;
        self.store.value_at(pick.what, &self.lane, bits, place) as usize
    }
}
