//! The flow of readers through the book: the steps that are possible, and what is held on them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::graph;
use super::known::{FARTHEST, HIGHEST, Known, Sheets};
use crate::compiled::{CompiledWare, Scene, Way};
use crate::place::STATS;

/// A step that the static bounds allow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The index of the way within its scene, from 0; [`STAY`] for a refreshment.
    pub(super) slot: usize,
    /// The bounds before the step and after it.
    pub(super) before: Known,
    pub(super) after: Known,
}

pub(super) const STAY: usize = usize::MAX;

/// How often the bounds at the head of a cycle may grow before they are widened.
const PATIENCE: u32 = 20;

/// The bounds at each scene; `None` where nobody can arrive.
pub(super) struct Flow {
    pub(super) scenes: Vec<Option<Known>>,
    pub(super) won: bool,
}

impl Sheets<'_> {
    /// Whether refreshments are on offer in a choice of which this many options are open.
    fn offers(&self, scene: usize, open: usize) -> bool {
        let enough = open >= usize::from(self.book.refresh_options);
        enough && self.book.refresh.get(scene) == Some(&true)
    }

    /// Whether refreshments may be on offer in a scene, be they open or not.
    pub(super) fn may_offer(&self, scene: usize, known: &Known) -> bool {
        let Scene::Choice(options) = &self.book.scenes[scene] else {
            return false;
        };
        let options = options.iter();
        let open = options.filter(|option| self.open(option.condition, *known).is_some());
        self.offers(scene, open.count())
    }

    /// Propagates the bounds from the start to a fixed point, without the ways in `closed`. If
    /// `hasty`, stops at the first victory.
    pub(super) fn flow(
        &self,
        start: Option<Known>,
        order: &[usize],
        closed: &BTreeSet<(usize, usize)>,
        hasty: bool,
    ) -> Flow {
        let count = self.book.scenes.len();
        let mut flow = Flow {
            scenes: vec![None; count],
            won: false,
        };
        let mut grown = vec![0_u32; count];
        let mut waiting = BinaryHeap::new();
        let mut queued = vec![false; count];
        let first = self.book.start as usize;
        if let Some(start) = start {
            flow.scenes[first] = Some(start.anew());
            waiting.push(Reverse((order[first], first)));
        }
        while let Some(Reverse((_, scene))) = waiting.pop() {
            queued[scene] = false;
            let Some(known) = flow.scenes[scene] else {
                continue;
            };
            if matches!(self.book.scenes[scene], Scene::Ending(true)) {
                flow.won = true;
                if hasty {
                    break;
                }
            }
            self.edges(scene, &known, &mut BTreeSet::new(), |edge| {
                if closed.contains(&(scene, edge.slot)) {
                    return;
                }
                let arriving = edge.after.anew();
                let merged = match &flow.scenes[edge.to] {
                    None => arriving,
                    Some(there) => {
                        let merged = there.or(&arriving);
                        if merged == *there {
                            return;
                        }
                        // Every cycle has a back edge, so growth is counted only there.
                        if order[edge.to] <= order[scene] {
                            grown[edge.to] += 1;
                        }
                        if grown[edge.to] > PATIENCE {
                            merged.widen(there)
                        } else {
                            merged
                        }
                    }
                };
                flow.scenes[edge.to] = Some(merged);
                if !std::mem::replace(&mut queued[edge.to], true) {
                    waiting.push(Reverse((order[edge.to], edge.to)));
                }
            });
        }
        flow
    }

    /// The position of each scene in an order in which most come after the scenes that lead to
    /// them.
    pub(super) fn order(&self) -> Vec<usize> {
        let links = |scene: usize| self.book.scenes[scene].targets();
        let visited =
            graph::reverse_postorder(self.book.scenes.len(), self.book.start as usize, links);
        let mut order = vec![usize::MAX; self.book.scenes.len()];
        for (place, scene) in visited.into_iter().enumerate() {
            order[scene] = place;
        }
        order
    }

    /// Passes on the steps out of a scene, given its bounds, and collects in `fatal` those
    /// (from, to) on which everybody dies on arrival.
    pub(super) fn edges(
        &self,
        scene: usize,
        known: &Known,
        fatal: &mut BTreeSet<(usize, usize)>,
        mut found: impl FnMut(Edge),
    ) {
        let known = known.anew();
        let mut go = |slot: usize, before: Known, mut known: Known, way: Way| {
            let to = way.to as usize;
            known.arriving = self.book.only_arrives(way);
            match self.run(way.effects, known) {
                Some(after) => found(Edge {
                    from: scene,
                    to,
                    slot,
                    before,
                    after,
                }),
                None if self.departs(way.effects, known) => {
                    fatal.insert((scene, to));
                }
                None => {}
            }
        };
        match &self.book.scenes[scene] {
            Scene::Turn(way) => go(0, known, known, *way),
            Scene::Choice(options) => {
                let mut count = 0;
                for (slot, option) in options.iter().enumerate() {
                    if let Some(known) = self.open(option.condition, known) {
                        go(slot, known, known, option.way);
                        count += 1;
                    }
                }
                if self.offers(scene, count) {
                    for refreshment in &self.book.refreshments {
                        if let Some(known) = self.open(refreshment.condition, known) {
                            let way = Way {
                                effects: refreshment.effects,
                                to: scene as u32,
                            };
                            go(STAY, known, known, way);
                        }
                    }
                }
            }
            Scene::First(cases) => {
                let mut left = Some(known);
                for (slot, case) in cases.iter().enumerate() {
                    let Some(here) = left else { break };
                    if let Some(known) = self.open(case.condition, here) {
                        go(slot, known, known, case.way);
                    }
                    left = case
                        .condition
                        .and_then(|condition| self.assume(condition, false, here));
                }
            }
            Scene::Test {
                stat,
                dice,
                add,
                success,
                failure,
            } => {
                let (may_pass, may_fail) = self.tested(*stat, *dice, *add, &known);
                let mut after = known;
                if self.book.luck == Some(*stat) {
                    self.add(&mut after, *stat, -1, -1);
                }
                if may_pass {
                    go(0, known, after, *success);
                }
                if may_fail {
                    go(1, known, after, *failure);
                }
            }
            Scene::Fight {
                fight,
                victory,
                flee,
                tolls,
            } => {
                let (won, fled, within) = self.fought(*fight, known);
                if self.may_win(*fight, &known) {
                    go(0, known, won, *victory);
                }
                if let Some(flee) = flee {
                    go(1, known, fled, *flee);
                }
                let slots = 1 + usize::from(flee.is_some())..;
                for (slot, way) in slots.zip(tolls) {
                    go(slot, known, within, *way);
                }
            }
            Scene::Shop { leave: way, .. } | Scene::Game { after: way, .. } => {
                // What falls inside does not fall on the way out.
                let fallen = [false; STATS];
                let inside = self.inside(scene, &known);
                go(0, known, Known { fallen, ..inside }, *way);
            }
            Scene::Random(branches) => {
                for (slot, (weight, way)) in branches.iter().enumerate() {
                    if *weight > 0 {
                        go(slot, known, known, *way);
                    }
                }
            }
            Scene::Ending(_) | Scene::Dead => {}
        }
    }

    /// The bounds after winning a fight, after fleeing from it, and while still in it.
    fn fought(&self, fight: u32, known: Known) -> (Known, Known, Known) {
        let fight = &self.book.fights[fight as usize];
        let marks = fight.marks.get(fight.first().foe.into()..).unwrap_or(&[]);
        let marks = match fight.draws() || !fight.drawn() {
            true => marks,
            false => &marks[..marks.len().min(1)],
        };
        let mut won = known;
        won.low[usize::from(self.book.life)] = 1;
        if let Some(luck) = self.book.battle_luck {
            // LUCK that is used up is not tested, and without a test a value above its cap stays.
            let low = won.low[usize::from(luck)];
            let mut tested = won;
            self.add(&mut tested, luck, low.min(0) - low, 0);
            won = won.or(&tested);
        }
        let marked = marks.iter().fold(0, |all, mark| all | mark) & !self.barred;
        let mut fled = won;
        fled.perhaps_gain(marked);
        if fight.draws() {
            won.perhaps_gain(marked);
        } else {
            won.gain(marked);
        }
        (self.after_fight(won), self.after_fight(fled), fled)
    }

    /// The bounds within a shop after any trades, within a game after any rounds, and within a
    /// fight after any falls, for readers who are still there. Not all of them come out alive.
    pub(super) fn inside(&self, scene: usize, known: &Known) -> Known {
        let mut known = *known;
        match &self.book.scenes[scene] {
            Scene::Fight { fight, .. } => {
                let marks = &self.book.fights[*fight as usize].marks;
                let marks = marks.iter().fold(0, |all, mark| all | mark);
                known.perhaps_gain(marks & !self.barred);
                known
            }
            Scene::Shop { sells, buys, .. } => self.trade(sells, buys, known),
            Scene::Game {
                rounds,
                condition,
                round,
                ..
            } => {
                let mut played = known;
                for _ in 0..*rounds {
                    let Some(here) = self.open(*condition, played) else {
                        break;
                    };
                    let lists = round.iter().filter(|(weight, _)| *weight > 0);
                    let ways = lists.filter_map(|(_, list)| self.run(*list, here));
                    let next = ways
                        .filter_map(|mut way| self.survive(&mut way).then_some(way))
                        .fold(played, |all, way| all.or(&way));
                    if next == played {
                        break;
                    }
                    played = next;
                }
                played
            }
            _ => known,
        }
    }

    /// The bounds after the effects of items after a fight, whether or not they are worn.
    fn after_fight(&self, mut known: Known) -> Known {
        for item in &self.worn.after_fight {
            if known.may & item.bit != 0 {
                let mut worn = known;
                for &(stat, by) in &item.after_fight {
                    let by = i32::from(by);
                    self.add(&mut worn, stat, by.min(0), by.max(0));
                }
                // An item that is not worn does not even cut a value above its cap.
                known = known.or(&worn);
            }
        }
        known
    }

    /// A visit to a shop as one step. A shop never pays more for an item than it asks, so each item
    /// brings money at most once.
    fn trade(
        &self,
        sells: &[(CompiledWare, i16, std::sync::Arc<str>)],
        buys: &[(u128, i16, std::sync::Arc<str>)],
        mut known: Known,
    ) -> Known {
        let Some(money) = self.book.money else {
            return known;
        };
        let purse = usize::from(money);
        let brought = buys.iter().filter(|(bit, ..)| known.may & bit != 0);
        let brought = brought.map(|(_, price, _)| i32::from(*price)).sum::<i32>();
        // A deal lifts a stat that is below its floor, and a floor above 0 pays for what the hero
        // cannot, any number of times.
        let pays = self.book.stats[purse].floor.is_some_and(|floor| floor > 0);
        let lift = match pays {
            true => FARTHEST,
            false => self.below_floor(money, &known),
        };
        let brought = brought + lift;
        let all = (known.high[purse] + brought).min(HIGHEST);
        for (ware, price, _) in sells {
            let price = i32::from(*price);
            match ware {
                _ if price > all => {}
                CompiledWare::Bit(bit) => known.perhaps_gain(bit & !self.barred),
                CompiledWare::Stat(stat) => {
                    let most = if pays { FARTHEST } else { all / price.max(1) };
                    // The first purchase lifts a stat that is below its floor.
                    let most = most + (self.below_floor(*stat, &known) - 1).max(0);
                    let mut bought = known;
                    self.add(&mut bought, *stat, 0, most);
                    // Without a purchase, a value above its cap stays.
                    known = known.or(&bought);
                }
            }
        }
        // After the sales by the shop, since what is bought may be sold back.
        for (bit, ..) in buys {
            known.perhaps_lose(*bit);
        }
        let spent = if sells.is_empty() {
            0
        } else {
            known.high[purse].max(0)
        };
        let least = (known.low[purse] - spent).max(known.low[purse].min(0)) - known.low[purse];
        let mut traded = known;
        self.add(&mut traded, money, least, brought);
        known.or(&traded)
    }
}
