//! Decisions on the way onwards through the book, once the values of all regions are known: only
//! for the sheets that best play brings along.
//!
//! Deciding while solving has to decide for every sheet that anybody may have, and best play has
//! few of these. The price is that the values of all regions are kept until then, or computed once more
//! in [segments](super::segments).

use rustc_hash::FxHashMap;

use crate::compiled::Scene;
use crate::solver::decisions::{Kind, Picks};
use crate::solver::diagrams::gates::{Coming, Gate, Gates, Known, NO, YES};
use crate::solver::diagrams::{BEHIND, Diagram, Diagrams, LOST, STATS};
use crate::solver::induction::aim::{Aim, Given};
use crate::solver::induction::{Induction, Worth};
use crate::solver::limits::Halt;
use crate::solver::reach::Explored;
use crate::solver::tables::course::{Against, Course};
use crate::solver::walk::interpreter::{At, Region};
use crate::solver::walk::visit::{Visit, Visitor};

impl Induction<'_> {
    /// Sets the memory limit of everything, in bytes.
    pub(crate) fn allow(&mut self, bytes: usize) {
        self.limit(bytes.saturating_sub(self.explored.bytes()));
    }

    /// Sets the memory limit of everything but what was explored, in bytes.
    pub(super) fn limit(&mut self, bytes: usize) {
        self.limits.bytes = bytes;
        self.diagrams.tables.limit = bytes;
    }

    /// Decides for all sheets that best play brings from the starts. The values of all regions must
    /// have been kept, except those of earlier [segments], and are freed on the way. Nothing is
    /// decided in regions that were `given`, all of which are lost.
    ///
    /// [segments]: super::segments
    pub(crate) fn decide(
        &mut self,
        starts: &[(Region, Known)],
        given: &[Given<'_>],
        aim: Aim,
    ) -> Result<(), Halt> {
        let picks = Picks::new(self.worth.len(), self.limits.bytes);
        // Courses have not kept what is needed to find a round again.
        self.record(Some(Made::from(picks)));
        self.unless_full(Ok(()))?;
        self.diagrams.gates.rest();
        let walk = self.walk;
        walk.chunks.lend(&mut self.diagrams.tables.values);
        let decided = self.onwards(starts, given, aim);
        walk.chunks.take_all(&mut self.diagrams.tables.values);
        decided
    }

    /// Goes on recording these decisions, or none. Returns those recorded so far.
    pub(super) fn record(&mut self, made: Option<Made>) -> Made {
        self.diagrams.forget();
        let made = made.unwrap_or_default();
        Made {
            picks: std::mem::replace(&mut self.picks, made.picks),
            courses: std::mem::replace(&mut self.courses, made.courses),
            fights: std::mem::replace(&mut self.fights, made.fights),
        }
    }

    /// Whether the values of all regions are known, and decisions are made.
    pub(super) fn is_onwards(&self) -> bool {
        self.keep && self.picks.is_some()
    }

    fn onwards(
        &mut self,
        starts: &[(Region, Known)],
        given: &[Given<'_>],
        aim: Aim,
    ) -> Result<(), Halt> {
        let number = |region: &Region| self.explored.regions.get_index_of(region);
        let mut lost = vec![false; self.worth.len()];
        let given = given.iter().filter_map(|one| number(&one.region));
        given.for_each(|number| lost[number] = true);
        let mut coming = Coming::default();
        self.join(&mut coming, self.numbered(starts));
        self.unless_full(Ok(()))?;
        while let Some(before) = self.done.checked_sub(1) {
            if self.is_cut() {
                self.solve_again(&lost, aim)?;
            }
            let ring = self.order[before].clone();
            let entering = ring.iter();
            let entering =
                entering.filter_map(|number| Some((*number, coming.swap_remove(number)?)));
            let entering: Vec<(usize, Known)> = entering.collect();
            let mut decided = Coming::default();
            if !entering.is_empty() && !ring.iter().any(|number| lost[*number]) {
                let mut done = self.decide_ring(&ring, &entering, aim);
                if matches!(done, Err(Halt::Bytes)) {
                    self.start_over();
                    done = self.decide_ring(&ring, &entering, aim);
                }
                let (inside, behind) = done?;
                self.join(&mut coming, behind);
                // After this, starting over would forget that conditions had arbitrary answers.
                self.unless_full(Ok(()))?;
                decided = inside;
            }
            self.done = before;
            for number in ring {
                self.worth[number] = Worth {
                    settled: decided.get(&number).map_or(NO, |known| known.care),
                    ..Worth::NOTHING
                };
            }
            self.collect();
        }
        Ok(())
    }

    /// Decides in a ring, or in a single region. Returns the sheets for which it was decided, and
    /// those that best play brings from there.
    fn decide_ring(
        &mut self,
        ring: &[usize],
        entering: &[(usize, Known)],
        aim: Aim,
    ) -> Result<(Coming, Coming), Halt> {
        let turns = self.turns(ring) && (self.returns(ring) || self.renews(ring));
        // Decisions in a ring depend on each other, for whatever anybody does there.
        let mut inside = self.brought(ring, entering, turns, &[])?;
        inside.retain(|number, _| ring.contains(number));
        let mut numbers: Vec<usize> = inside.keys().copied().collect();
        numbers.sort_unstable_by_key(|number| self.place[*number]);
        let climbs = match *numbers {
            [number] => self.rungs(number).is_some() && !self.open[number],
            _ => false,
        };
        let before = numbers.iter();
        let before = before.map(|number| self.explored.regions[*number].known);
        let before: Vec<Known> = before.collect();
        for number in &numbers {
            self.explored.regions[*number].known = inside[number];
            if !climbs {
                // If it leads back to itself, values rise from zero.
                self.worth[*number].exact = LOST;
            }
        }
        let solved = match *numbers {
            // Nothing need be weighed or deferred. This may be all that is left of a ring.
            [number] if !self.turns(&numbers) && !self.chooses(number) => self
                .ask(&numbers)
                .and_then(|()| self.region_worth(number, inside[&number]))
                .map(|_| ()),
            _ => self
                .worked_out(&numbers, aim)
                .and_then(|turned| match turned {
                    Some(turned) => {
                        self.collect_now();
                        self.enclose(&numbers, turned)
                    }
                    None => Ok(()),
                }),
        };
        for (number, known) in numbers.iter().zip(before) {
            self.explored.regions[*number].known = known;
        }
        solved?;
        let open = self.taken_options(ring);
        let mut behind = self.brought(ring, entering, turns, &open)?;
        behind.retain(|number, _| !ring.contains(number));
        self.unless_full(Ok((inside, behind)))
    }

    /// The sheets that come from some sheets in a ring to the regions in it and behind it, by open
    /// options. Without options, by any, and only to what is in it.
    fn brought(
        &mut self,
        ring: &[usize],
        entering: &[(usize, Known)],
        turns: bool,
        open: &[(Region, Vec<Gate>)],
    ) -> Result<Coming, Halt> {
        let mut coming = Coming::default();
        self.join(&mut coming, entering.iter().copied());
        if open.is_empty() && !turns {
            return Ok(coming);
        }
        let mut walked = Coming::default();
        while let Some((number, known)) = ring.iter().find_map(|number| {
            let known = coming.get(number)?;
            (walked.get(number) != Some(known)).then_some((*number, *known))
        }) {
            walked.insert(number, known);
            let Some((region, found)) = self.explored.regions.get_index(number) else {
                return Err(Halt::Unexplored);
            };
            let (region, extent) = (*region, found.extent);
            let walk = self.walk;
            let mut brought = Brought {
                gates: &mut self.diagrams.gates,
                explored: &self.explored,
                open,
                regions: Coming::default(),
            };
            let done = walk.scene(&region, known, extent, &mut Visitor(&mut brought));
            let regions = brought.regions;
            self.unless_full(done)?;
            self.join(&mut coming, regions);
        }
        Ok(coming)
    }

    fn join(&mut self, coming: &mut Coming, more: impl IntoIterator<Item = (usize, Known)>) {
        for (number, known) in more {
            self.diagrams.gates.come(coming, number, known);
        }
    }

    /// By region and option, where it is taken; nothing for a region where nothing is decided, or
    /// where it is decided sheet by sheet.
    fn taken_options(&mut self, ring: &[usize]) -> Vec<(Region, Vec<Gate>)> {
        let Some(picks) = &self.picks else {
            return Vec::new();
        };
        let mut open = Vec::new();
        for &number in ring {
            let Some((region, _)) = self.explored.regions.get_index(number) else {
                continue;
            };
            let options = match &self.walk.game.compiled.scenes[region.scene as usize] {
                Scene::Choice(options) => options.len(),
                Scene::Shop { sells, buys, .. } => 1 + sells.len() + buys.len(),
                _ => 0,
            };
            let made = picks.of[number].iter();
            let mut made = made.filter(|pick| pick.kind == Kind::Option).peekable();
            let gates = match made.peek() {
                None => Vec::new(),
                Some(_) => {
                    let mut all = vec![NO; options];
                    let mut codes = FxHashMap::default();
                    for pick in made {
                        for (option, gate) in all.iter_mut().enumerate() {
                            let gates = &mut self.diagrams.gates;
                            let code = (option + 1) as f64;
                            let memo = &mut FxHashMap::default();
                            let taken =
                                picks
                                    .store
                                    .where_any(pick.what, code, gates, (&mut codes, memo));
                            *gate = gates.or(*gate, taken);
                        }
                    }
                    all
                }
            };
            open.push((*region, gates));
        }
        open
    }
}

/// Decisions, with the courses of fights in which their rounds are found again.
#[derive(Default)]
pub(super) struct Made {
    picks: Option<Picks>,
    courses: FxHashMap<Against, (u32, Course)>,
    fights: usize,
}

impl From<Picks> for Made {
    fn from(picks: Picks) -> Self {
        Made {
            picks: Some(picks),
            ..Made::default()
        }
    }
}

impl Made {
    /// The memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.fights + self.picks.as_ref().map_or(0, Picks::bytes)
    }
}

/// By leaf, the different numbers in it.
type Codes = FxHashMap<Diagram, Vec<f64>>;

impl Diagrams {
    /// Where some entry has this number.
    fn where_any(
        &self,
        what: Diagram,
        code: f64,
        gates: &mut Gates,
        (codes, memo): (&mut Codes, &mut FxHashMap<Diagram, Gate>),
    ) -> Gate {
        if let Some(known) = memo.get(&what) {
            return *known;
        }
        let level = self.level(what);
        let gate = if level == BEHIND {
            let all = codes.entry(what).or_insert_with(|| {
                let Some(leaf) = Diagrams::as_leaf(what) else {
                    return Vec::new();
                };
                let shape = self.tables.shape(&[leaf]);
                let mut all = Vec::new();
                let mut room = Vec::new();
                for number in self.tables.read(leaf, &shape, &mut room) {
                    if !all.contains(number) {
                        all.push(*number);
                    }
                }
                all
            });
            if all.contains(&code) { YES } else { NO }
        } else {
            let kids = 0..self.width(what);
            let mut kids = kids.map(|value| {
                let kid = self.kid(what, level, value);
                self.where_any(kid, code, gates, (codes, memo))
            });
            if level < STATS {
                let (without, with) = (kids.next().unwrap_or(NO), kids.next().unwrap_or(NO));
                gates.node(level, without, with)
            } else {
                let all: Vec<Gate> = kids.collect();
                all.into_iter().fold(NO, |any, gate| gates.or(any, gate))
            }
        };
        memo.insert(what, gate);
        gate
    }
}

/// A walk that finds which sheets come where by some of the options.
struct Brought<'r> {
    gates: &'r mut Gates,
    explored: &'r Explored,
    /// By region, where each option is taken; empty if any may be.
    open: &'r [(Region, Vec<Gate>)],
    regions: Coming,
}

impl Visit for Brought<'_> {
    fn gates(&mut self) -> &mut Gates {
        self.gates
    }

    fn come(&mut self, region: Region, at: &At) -> Result<(), Halt> {
        let number = self.explored.number(&region)?;
        self.gates.come(&mut self.regions, number, at.known);
        Ok(())
    }

    fn open(&mut self, region: &Region, option: usize) -> Gate {
        let known = self.open.iter().find(|(one, _)| one == region);
        let known = known.filter(|(_, open)| !open.is_empty());
        known.map_or(YES, |(_, open)| open.get(option).copied().unwrap_or(NO))
    }
}
