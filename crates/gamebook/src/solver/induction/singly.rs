//! Rings of few sheets, looked at one by one.
//!
//! Going through a ring again and again comes as close as wanted to what it is worth, but
//! slowly if it is seldom left: who plays for a gold piece at a time from 250 up to 500 plays
//! tens of thousands of rounds, and so often all sums would have to be looked at. Where
//! there are few sheets, each is a state of a small [game that may come
//! back](oddsmith_mdp::Cyclic), and what all of them are worth is worked out, and enclosed,
//! at once. What the ring is left for is known by then.
//!
//! Both mean the same: going round for ever is worth nothing in a book, and so no more than
//! any way to end there. A game that somebody cannot end is left alone.

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

/// A sweep takes about as long as so many of them: often it looks at thousands at once.
const SHEETS_A_SWEEP: usize = 16;
/// A ring in which all lead to all takes the square of its sheets, and more time than going
/// round: it is given up when it takes more.
const MOST_BYTES: usize = 1 << 25;

/// What is known of all sheets of a ring.
#[derive(Default)]
struct Ring {
    /// Or a bound of that.
    worths: FxHashMap<Place, f64>,
    /// How far any of them may be off.
    off: f64,
    decided: Vec<(Place, Taken)>,
}

impl Induction<'_> {
    /// How many sheets are few, after so many sweeps of so many at most; `None` if nothing is
    /// to be tried yet.
    pub(crate) fn few(&self, sweeps: usize, most: usize) -> Option<usize> {
        let all = self.limits.sheets;
        match sweeps {
            _ if sweeps == most => Some(all),
            FIRST_LOOK.. if sweeps.is_power_of_two() => Some(all.min(SHEETS_A_SWEEP * sweeps)),
            _ => None,
        }
    }

    /// Solves a ring sheet by sheet, if there are no more than `few` of them. Whether that
    /// was done, with values that were off by so much `before` the ring.
    pub(crate) fn singly(&mut self, ring: &[usize], few: usize, before: f64) -> Result<bool, Halt> {
        // Losses at random are bounded.
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
        Ok(true)
    }

    /// What all sheets of a ring are worth, and what to do if anybody wants to know; `None` if
    /// they are too many, or cannot be solved like that.
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
        // What is no closer is no answer: going round may come closer.
        (self.bound.is_some() || solved.off <= WIDEST).then_some(solved)
    }

    /// What was decided, by sheet; `None` if sheets that count as the same are told apart, or
    /// one is worth something and nothing was decided.
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
                // What is worth something must lead out.
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

    /// The place that stands for all that are worth the same.
    fn alike(&self, place: &Place) -> Option<Place> {
        let walk = &self.walk;
        let (book, scene) = (&walk.game.compiled, place.scene as usize);
        let needs = &walk.live.scenes[scene];
        let (_, at) = seed(book, needs, walk.markers[scene], Apart::Nothing, place)?;
        let held = held(at.known.must, &at.extent, &at.kept);
        Some(Place { held, ..*place })
    }

    /// What can happen at a place in the ring, or on the way.
    fn row(&self, ring: &[usize], place: &Place, states: &mut States) -> Option<Row> {
        let node = Node::of(self.walk.game, place).ok()?;
        if let Some(score) = node.score() {
            // Who is stuck has lost.
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
        // Weights may be wider than words.
        let written = row.iter().all(|outcomes| !outcomes.is_empty());
        written.then_some(row)
    }

    /// The state that stands for a place: for sheets that are worth the same there is one.
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
        // No way is taken within a ring.
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
