//! Solving rings of few sheets one by one.
//!
//! Iteration comes as close as wanted to the values of a ring, but slowly if the ring is seldom
//! left. Playing for one gold piece at a time from 250 up to 500 takes tens of thousands of rounds,
//! and each would be a sweep over all sums. If there are few sheets, each becomes a state of a
//! small [game with cycles](oddsmith_mdp::Cyclic), which computes and encloses all values at once.
//! The values of the exits are known by then.
//!
//! Both have the same meaning: going round for ever is worth nothing in a book, so it is never
//! better than any way to end there. A game that some hero cannot end is left to iteration.

use oddsmith_mdp::Node;
use rustc_hash::FxHashMap;

use crate::compiled::Scene;
use crate::place::Place;
use crate::solver::decisions::taken::Taken;
use crate::solver::diagrams::LOST;
use crate::solver::induction::Induction;
use crate::solver::induction::aim::Side;
use crate::solver::induction::directed::Towards;
use crate::solver::induction::enclose::WIDEST;
use crate::solver::induction::ring::FIRST_LOOK;
use crate::solver::induction::sheets::{Sheets, held};
use crate::solver::induction::small_game::{Enclosed, KEPT, Row, SmallGame, State, States};
use crate::solver::limits::Halt;
use crate::solver::reach::fork::Apart;
use crate::solver::reduction::seed;

/// A sweep takes about as long as this many sheets, since it often updates thousands at once.
const SHEETS_A_SWEEP: usize = 16;
/// A ring in which all sheets lead to all others takes the square of their number, and more time
/// than iteration. It is given up beyond this many bytes.
const MOST_BYTES: usize = 1 << 25;

/// The solution for all sheets of a ring.
#[derive(Default)]
struct Ring {
    /// Values, or bounds.
    worths: FxHashMap<Place, f64>,
    /// The greatest error.
    off: f64,
    decided: Vec<(Place, Taken)>,
}

impl Induction<'_> {
    /// The number of sheets to try after this many sweeps, of at most `most`; `None` if it is too
    /// early.
    pub(crate) fn few(&self, sweeps: usize, most: usize) -> Option<usize> {
        let all = self.limits.sheets;
        match sweeps {
            _ if sweeps == most => Some(all),
            FIRST_LOOK.. if sweeps.is_power_of_two() => Some(all.min(SHEETS_A_SWEEP * sweeps)),
            _ => None,
        }
    }

    /// Solves a ring sheet by sheet, if it has at most `few` sheets. Returns whether that was done.
    /// `before` is the rounding error before the ring.
    pub(crate) fn singly(&mut self, ring: &[usize], few: usize, before: f64) -> Result<bool, Halt> {
        // With bounds on random losses, single sheets do not have these values.
        let lossy = self.vague != 0 || self.side != Side::Exact;
        if lossy || few == 0 {
            return Ok(false);
        }
        let regions: Option<Vec<Sheets>> = ring.iter().map(|one| self.sheets(*one)).collect();
        let solved = regions.and_then(|regions| {
            let solved = self.one_by_one(ring, &regions, few)?;
            Some((regions, solved))
        });
        let Some((regions, solved)) = solved else {
            return Ok(false);
        };
        self.diagrams.turning(false);
        for (&number, sheets) in ring.iter().zip(&regions) {
            let levels = sheets.levels(&self.lane);
            let written = self.written(sheets, &levels, sheets.first, &solved.worths);
            self.within()?;
            self.worth[number].exact = written.unwrap_or(LOST);
        }
        if let Some(picks) = &mut self.picks {
            picks.decide_singly(ring, solved.decided);
            self.within()?;
        }
        self.rounding = before + solved.off;
        if self.is_onwards() {
            self.shortfall += solved.off;
        }
        self.relative = false;
        Ok(true)
    }

    /// The values of all sheets of a ring, and the decisions if they are recorded; `None` if there
    /// are too many sheets, or if they cannot be solved this way.
    fn one_by_one(&self, ring: &[usize], regions: &[Sheets], few: usize) -> Option<Ring> {
        let mut game = SmallGame::default();
        for sheets in regions {
            if sheets.count() > few.saturating_sub(game.states.len()) {
                return None;
            }
            let all = sheets.all(&self.diagrams.gates);
            game.states.extend(all.map(State::Inside));
        }
        let sheets = game.states.len();
        while let Some(&state) = game.states.get_index(game.rows.len()) {
            game.rows.push(match state {
                State::Inside(place) => self.row(ring, &place, &mut game.states)?,
                State::Outside(_) => Row::new(),
            });
            if game.states.len() > few {
                return None;
            }
        }
        let taken = self.diagrams.bytes() + self.fights;
        let left = self.limits.bytes.saturating_sub(taken).min(MOST_BYTES);
        let best = game.enclosed(&[], left)?;
        let mut solved = Ring::default();
        let mut made = None;
        if self.picks.is_some() {
            let decisions = game.leading_out(&best);
            made = Some(game.enclosed(&decisions, left)?);
            solved.decided = self.decided(&game, &best, &decisions)?;
        }
        for (number, state) in game.states.iter().take(sheets).enumerate() {
            let State::Inside(place) = state else {
                continue;
            };
            let ends = best[number];
            let worth = match (self.bound, &made) {
                (None, None) => ends.worth,
                (None, Some(made)) => made[number].worth,
                (Some(Towards::Up), _) => ends.most,
                (Some(_), _) => ends.least,
            };
            if self.bound.is_none() && worth < ends.worth * KEPT {
                return None;
            }
            let off = (ends.most - worth).max(worth - ends.least);
            solved.off = solved.off.max(off);
            solved.worths.insert(*place, worth);
        }
        // The differences were rounded, too.
        solved.off *= 1.0 + f64::EPSILON;
        // If the error is too large, iteration may come closer.
        (self.bound.is_some() || solved.off <= WIDEST).then_some(solved)
    }

    /// The decisions by sheet; `None` if sheets that count as equal have different ones, or if a
    /// sheet of positive value has none.
    fn decided(
        &self,
        game: &SmallGame,
        worths: &[Enclosed],
        decisions: &[Option<usize>],
    ) -> Option<Vec<(Place, Taken)>> {
        let mut all = FxHashMap::default();
        let rows = game.states.iter().zip(&game.rows).zip(decisions);
        for (number, ((state, row), decision)) in rows.enumerate() {
            let (State::Inside(place), 2..) = (state, row.len()) else {
                continue;
            };
            let Some(choice) = *decision else {
                // A decision of positive value must lead out.
                if worths[number].worth > 0.0 {
                    return None;
                }
                continue;
            };
            let taken = Taken::of(&self.walk.game.compiled, place, choice)?;
            let alike = self.alike(place)?;
            if all.insert(alike, taken).is_some_and(|old| old != taken) {
                return None;
            }
        }
        Some(all.into_iter().collect())
    }

    /// The place that represents all places of the same value.
    fn alike(&self, place: &Place) -> Option<Place> {
        let walk = &self.walk;
        let (book, scene) = (&walk.game.compiled, place.scene as usize);
        let needs = &walk.live.scenes[scene];
        let (_, at) = seed(book, needs, walk.markers[scene], Apart::Nothing, place)?;
        let held = held(at.known.must, &at.extent, &at.kept);
        Some(Place { held, ..*place })
    }

    /// What can happen at a place within the ring, or on the way through it.
    fn row(&self, ring: &[usize], place: &Place, states: &mut States) -> Option<Row> {
        let node = Node::of(self.walk.game, place).ok()?;
        if let Some(score) = node.score() {
            // A stuck hero has lost.
            let outside = State::Outside(score.to_f64().to_bits());
            let (number, _) = states.insert_full(outside);
            return Some(vec![vec![(number as u32, 1)]]);
        }
        let choices = (0..node.len()).map(|choice| {
            let outcomes = node.outcomes(choice).iter();
            let outcomes = outcomes.map(|(to, weight)| {
                let state = self.state(ring, to)?;
                Some((states.insert_full(state).0 as u32, *weight))
            });
            outcomes.collect::<Option<Vec<_>>>()
        });
        let row: Row = choices.collect::<Option<_>>()?;
        // Outcomes are missing if weights exceed 64 bits.
        let written = row.iter().all(|outcomes| !outcomes.is_empty());
        written.then_some(row)
    }

    /// The state of a place; sheets of the same value share one.
    fn state(&self, ring: &[usize], place: &Place) -> Option<State> {
        let walk = &self.walk;
        let book = &walk.game.compiled;
        let scene = place.scene as usize;
        let worth = |worth: f64| Some(State::Outside(worth.to_bits()));
        match book.scenes.get(scene)? {
            Scene::Ending(won) => return worth(f64::from(u8::from(*won))),
            Scene::Dead => return worth(0.0),
            Scene::Game { .. } if !place.is_arriving() => {}
            _ if place.step == 0 => {}
            _ => return Some(State::Inside(*place)),
        }
        if walk.needed[scene] & !place.held.items != 0 {
            return worth(0.0);
        }
        let needs = &walk.live.scenes[scene];
        let (mut region, at) = seed(book, needs, walk.markers[scene], Apart::Nothing, place)?;
        // Routes do not part within a ring.
        region.way = self.explored.regions.get_index(*ring.first()?)?.0.way;
        let number = self.explored.regions.get_index_of(&region)?;
        if !ring.contains(&number) {
            return worth(self.value(&region, &at)?.0);
        }
        let held = held(at.known.must, &at.extent, &at.kept);
        let inside = self.comes(&self.explored.regions[number], &at);
        inside.then_some(State::Inside(Place { held, ..*place }))
    }
}
