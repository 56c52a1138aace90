//! Enclosed values of games with cycles.

use super::Cycle;
use super::bounds::pulse;
use super::enclose::enclose;
use super::quotient::{LISTED, Quotient};
use crate::model::Model;
use crate::number::{Enclosed, Enclosures, LARGEST, Store, Unheld, Verdict};
use crate::odds::Odds;
use crate::progress::Observer;
use crate::reward::Reward;
use crate::{Error, Game, Player, Score, Tolerance};

/// [`Enclosures`] that can also be computed for cycles.
#[derive(Debug)]
pub struct Intervals(Enclosures);

impl Intervals {
    pub(crate) fn enclosures(&self) -> &Enclosures {
        &self.0
    }
}

impl Store for Intervals {
    type Slot = Enclosed;
    type Value = f64;
    type Mass = f64;
    const CYCLES: bool = true;

    fn prepare<G: Game + ?Sized, M: Model<G>>(
        game: &G,
        model: &M,
        max_bytes: u128,
        observer: &mut Observer<'_>,
    ) -> Result<Self, Error> {
        Enclosures::prepare(game, model, max_bytes, observer).map(Intervals)
    }

    fn slot(&self) -> Enclosed {
        self.0.slot()
    }

    fn appraise(
        &self,
        number: usize,
        targets: &[u32],
        odds: &Odds<'_>,
        slot: &mut Enclosed,
    ) -> Result<(), Unheld> {
        self.0.appraise(number, targets, odds, slot)
    }

    fn pay(&self, reward: &Reward, odds: &Odds<'_>, slot: &mut Enclosed) -> Result<(), Unheld> {
        self.0.pay(reward, odds, slot)
    }

    fn put_score(&mut self, number: usize, score: &Score) -> bool {
        self.0.put_score(number, score)
    }

    fn settle(&self, slot: &mut Enclosed) {
        self.0.settle(slot);
    }

    fn put(&mut self, number: usize, slot: &mut Enclosed, player: Player, verdict: Verdict) {
        self.0.put(number, slot, player, verdict);
    }

    fn doubt(&self, best: &mut Enclosed, rejected: &Enclosed) {
        self.0.doubt(best, rejected);
    }

    fn prefers(
        &self,
        candidate: &mut Enclosed,
        incumbent: &mut Enclosed,
        player: Player,
        tolerance: &Tolerance,
    ) -> (bool, bool) {
        self.0.prefers(candidate, incumbent, player, tolerance)
    }

    fn ties(&self, a: &Enclosed, b: &Enclosed) -> bool {
        self.0.ties(a, b)
    }

    fn value(&self, slot: &Enclosed) -> f64 {
        self.0.value(slot)
    }

    fn value_of(&self, number: usize) -> f64 {
        self.0.value_of(number)
    }

    fn error(&self, number: usize) -> f64 {
        self.0.error(number)
    }

    fn whole(&self) -> f64 {
        self.0.whole()
    }

    fn solve_cycle<G: Game + ?Sized, M: Model<G>>(
        &mut self,
        game: &G,
        model: &M,
        cycle: Cycle<'_, '_>,
    ) -> Result<(), Error> {
        let bounds = cycle.bounds(0);
        let quotient = Quotient::<f64>::new(game, model, cycle.places.clone(), cycle.place_of)?;
        let mut pulse = pulse(cycle.observer, cycle.places.start, model.len());
        let outside = |number: u32| self.0.enclosure(number as usize);
        let found = enclose(&quotient, outside, bounds, &mut pulse)?;
        let open = |ends: &[f64; 2]| !ends.iter().all(|end| end.abs() <= LARGEST);
        if found.ends.iter().any(open) {
            let states = quotient.states.iter().take(LISTED);
            let state = |&number: &u32| game.describe(&model.state(game, number as usize));
            return Err(Error::NotEnclosed {
                states: states.map(state).collect(),
                count: quotient.states.len(),
            });
        }
        let decided = |choice: usize| {
            let state = quotient.choices[choice].state as usize;
            found.policy[quotient.node[state] as usize] as usize == choice
        };
        quotient.decide(decided, cycle.decisions);
        for (place, &number) in quotient.states.iter().enumerate() {
            let node = quotient.node[place] as usize;
            self.0
                .set(number as usize, found.ends[node], found.proven[node]);
        }
        Ok(())
    }
}
