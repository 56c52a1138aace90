//! Walking one scene for whole boxes of sheets at once. The same walk finds what can be reached,
//! and reads off values.

pub(crate) mod asking;
pub(crate) mod combat;
pub(crate) mod interpreter;
pub(crate) mod spending;
pub(crate) mod steps;
pub(crate) mod thrown;
pub(crate) mod trade;
pub(crate) mod visit;

use crate::apply::Caps;
use crate::book_game::BookGame;
use crate::compiled::{CompiledOption, Op, Scene, Way};
use crate::place::STATS;
use crate::rules::weights;
use crate::solver::chunks::Chunks;
use crate::solver::diagrams::gates::{Known, NO, YES};
use crate::solver::effort::Effort;
use crate::solver::limits::{Halt, MOST_VALUES};
use crate::solver::reach::extent::{Extent, Span};
use crate::solver::reach::fork::Apart;
use crate::solver::reduction::live::Live;
use crate::solver::reduction::nested::Nested;
use crate::solver::walk::interpreter::{At, Interpreter, Region};
use crate::solver::walk::trade::Shop;

/// What follows one of several things that are drawn.
type Branches<'a, W, H> = &'a mut dyn FnMut(W, At, &mut H) -> Result<<H as Interpreter>::T, Halt>;

/// A walk through the book of one hero.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'b> {
    pub(crate) game: &'b BookGame,
    pub(crate) effort: &'b Effort,
    pub(crate) chunks: &'b Chunks,
    pub(crate) caps: &'b Caps,
    pub(crate) live: &'b Live<'b>,
    pub(crate) needed: &'b [u128],
    /// By scene, the bits that distinguish regions there.
    pub(crate) markers: &'b [u128],
    /// By scene, whether it is a shop whose deals are decided one after another.
    pub(crate) in_turn: &'b [bool],
    /// The dominated options, if they are left out.
    pub(crate) nested: Option<&'b Nested>,
    /// The stats of which more is never worse, if that is used.
    pub(crate) never_worse: [bool; STATS],
    /// The stats that are lanes.
    pub(crate) lanes: [bool; STATS],
    pub(crate) apart: Apart,
}

impl<'b> Walk<'b> {
    /// The value of a region.
    pub(crate) fn scene<H: Interpreter>(
        &self,
        region: &Region,
        known: Known,
        extent: Extent,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        let book = &self.game.compiled;
        self.effort.begin(region.scene);
        let kept = region.kept;
        let at = At {
            known,
            kept,
            way: region.way,
            extent,
        };
        match &book.scenes[region.scene as usize] {
            Scene::Ending(won) => Ok(h.end(*won)),
            Scene::Dead => Ok(h.end(false)),
            Scene::Turn(way) => self.go(*way, at, h),
            Scene::First(cases) => {
                let conditions: Vec<u32> = cases.iter().filter_map(|case| case.condition).collect();
                self.split(at, &conditions, h, &mut |at, h| self.first(cases, at, h))
            }
            Scene::Choice(options) => self.choice(region, options, at, h),
            Scene::Test {
                stat,
                dice,
                add,
                success,
                failure,
            } => self.test((*stat, *dice, *add), [*success, *failure], at, h),
            Scene::Random(branches) => {
                self.drawn(branches, at, h, &mut |way, at, h| self.go(way, at, h))
            }
            Scene::Game {
                rounds,
                condition,
                free,
                round,
                after,
            } => {
                let asked: Vec<u32> = condition.iter().copied().collect();
                self.split(at, &asked, h, &mut |at, h| {
                    let goes_on = match region.step < u32::from(*rounds) {
                        true => self.asked(*condition, &at, h),
                        false => NO,
                    };
                    self.either(
                        goes_on,
                        at,
                        h,
                        &mut |at, h| self.round(region, round, free.then_some(*after), at, h),
                        &mut |at, h| self.go(*after, at, h),
                    )
                })
            }
            Scene::Shop { sells, buys, leave } => self.shop(
                region,
                &Shop {
                    sells,
                    buys,
                    leave: *leave,
                },
                at,
                h,
            ),
            Scene::Fight {
                fight,
                victory,
                flee,
                tolls,
            } => self.bonuses(at, book.skill, true, h, &mut |(bonus, at), h| {
                let fight = *fight;
                self.spending(at, h, &mut |(luck, at), h| {
                    // Tests may leave LUCK far below the values before the fight.
                    if let (Some(stat), Some(lucky)) = (book.battle_luck, luck)
                        && lucky.after().len() > MOST_VALUES
                    {
                        return Err(Halt::Values {
                            stat: stat.into(),
                            scene: region.scene,
                            limit: MOST_VALUES,
                        });
                    }
                    self.fight((fight, bonus, luck), (*victory, *flee, tolls), at, h)
                })
            }),
        }
    }

    /// A test of a stat, and what follows success and failure.
    fn test<H: Interpreter>(
        &self,
        (stat, dice, add): (u8, u8, i16),
        ways: [Way; 2],
        at: At,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        let luck = self.game.compiled.luck == Some(stat);
        let number = usize::from(stat);
        let go = |way: Way, at: At, h: &mut H| match luck {
            true => self.add(at, stat, -1, h, &mut |h, at| self.go(way, at, h)),
            false => self.go(way, at, h),
        };
        self.bonuses(at, Some(stat), false, h, &mut |((bonus, _), at), h| {
            let whole = at.extent[number];
            let odds = whole.values().map(|own| {
                let value = i32::from(own) + bonus - i32::from(add);
                let odds = weights(self.game.rules.test(dice, value));
                odds.ok_or(Halt::NoRoll { dice, value })
            });
            let odds = odds.collect::<Result<Vec<_>, _>>()?;
            if self.lanes[number] {
                // What follows is evaluated once for all values.
                let totals: Vec<u64> = odds.iter().map(|(pass, fail)| pass + fail).collect();
                let (pass, fail): (Vec<u64>, Vec<u64>) = odds.into_iter().unzip();
                let mut parts = Vec::new();
                for (way, weights) in ways.into_iter().zip([pass, fail]) {
                    let likely = whole.values().zip(&weights);
                    let mut likely = likely.filter(|(_, weight)| **weight > 0);
                    let Some((lo, _)) = likely.next() else {
                        continue;
                    };
                    let hi = likely.next_back().map_or(lo, |(value, _)| value);
                    // Nobody else goes there, so the value for other sheets does not matter.
                    let mut slice = at;
                    slice.extent[number] = Span { lo, hi };
                    let worth = go(way, slice, h)?;
                    let within = &mut |value: i16| Some(value.clamp(lo, hi));
                    let worth = h.shift(worth, number, whole, slice.extent[number], within)?;
                    parts.push((weights, worth));
                }
                return h.mix_by_value(&at, number, parts, &totals);
            }
            let mut slices = Vec::new();
            for (own, (pass, fail)) in whole.values().zip(odds) {
                let mut slice = at;
                slice.extent[number] = Span::one(own);
                let mut parts = Vec::new();
                for (way, weight) in ways.into_iter().zip([pass, fail]) {
                    if weight > 0 {
                        parts.push((weight, go(way, slice, h)?));
                    }
                }
                let mixed = h.mix(&slice, parts, pass + fail)?;
                slices.push((Span::one(own), mixed));
            }
            h.patch(number, whole, slices)
        })
    }

    /// One of several things, by weight.
    pub(crate) fn drawn<H: Interpreter, W: Copy>(
        &self,
        weighted: &[(u32, W)],
        at: At,
        h: &mut H,
        worth: Branches<'_, W, H>,
    ) -> Result<H::T, Halt> {
        let mut parts = Vec::new();
        let mut total = 0;
        for &(weight, what) in weighted.iter().filter(|(weight, _)| *weight > 0) {
            total += u64::from(weight);
            parts.push((u64::from(weight), worth(what, at, h)?));
        }
        h.mix(&at, parts, total)
    }

    /// A round of a game, or the way out if the hero may stop before it.
    fn round<H: Interpreter>(
        &self,
        region: &Region,
        round: &[(u32, u32)],
        stop: Option<Way>,
        at: At,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        let played = self.drawn(round, at, h, &mut |list, at, h| {
            self.list(list, at, h, &mut |h, at| {
                self.reach(region.scene, region.step + 1, at, h)
            })
        })?;
        let Some(stop) = stop else {
            return Ok(played);
        };
        let stopped = self.go(stop, at, h)?;
        h.play(&at, played, stopped)
    }

    pub(crate) fn first<H: Interpreter>(
        &self,
        cases: &[CompiledOption],
        at: At,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        let Some((case, others)) = cases.split_first() else {
            return Ok(h.end(false));
        };
        let _deeper = self.effort.deeper()?;
        let gate = self.asked(case.condition, &at, h);
        self.either(
            gate,
            at,
            h,
            &mut |at, h| self.go(case.way, at, h),
            &mut |at, h| self.first(others, at, h),
        )
    }

    pub(crate) fn choice<H: Interpreter>(
        &self,
        region: &Region,
        options: &[CompiledOption],
        at: At,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        let mut parts = Vec::new();
        for (number, option) in options.iter().enumerate() {
            // Each option is split by its own condition. If all were split by all conditions, the
            // best of them would have to be found in each part, and then joined.
            let condition: Vec<u32> = option.condition.iter().copied().collect();
            let part = self.split(at, &condition, h, &mut |at, h| {
                let gate = self.asked(option.condition, &at, h);
                let open = h.open(region, number);
                let gate = h.gates().and(gate, open);
                // Without an option the hero has lost, and a closed option is worth no more than
                // that.
                self.either(
                    gate,
                    at,
                    h,
                    &mut |mut at, h| {
                        at.way = self.apart.option(region.scene, number, at.way);
                        self.go(option.way, at, h)
                    },
                    &mut |_, h| Ok(h.end(false)),
                )
            })?;
            parts.push((number, part));
        }
        let eats = self.game.compiled.refresh.get(region.scene as usize) == Some(&true);
        let refreshed = match eats {
            true => self.refreshed(region, options, at, h)?,
            false => Vec::new(),
        };
        match refreshed.is_empty() {
            true => h.choose(&at, parts),
            false => h.choose_or_refresh(&at, parts, refreshed),
        }
    }

    /// What follows each of the refreshments.
    fn refreshed<H: Interpreter>(
        &self,
        region: &Region,
        options: &[CompiledOption],
        at: At,
        h: &mut H,
    ) -> Result<Vec<H::T>, Halt> {
        let book = &self.game.compiled;
        // A stuck hero cannot take refreshments.
        let wanted = usize::from(book.refresh_options).max(1);
        let mut conditions: Vec<u32> = options.iter().filter_map(|one| one.condition).collect();
        if options.len() - conditions.len() >= wanted {
            // Enough options are open to everybody.
            conditions.clear();
        }
        let mut refreshed = Vec::new();
        for refreshment in &book.refreshments {
            conditions.extend(refreshment.condition);
            let plain = self.is_plain(refreshment.effects);
            refreshed.push(self.split(at, &conditions, h, &mut |at, h| {
                let mut open = vec![NO; wanted + 1];
                open[0] = YES;
                for option in options {
                    let gate = self.asked(option.condition, &at, h);
                    for count in (1..=wanted).rev() {
                        let more = h.gates().and(open[count - 1], gate);
                        open[count] = h.gates().or(open[count], more);
                    }
                }
                let gate = self.asked(refreshment.condition, &at, h);
                let gate = h.gates().and(gate, open[wanted]);
                self.either(
                    gate,
                    at,
                    h,
                    &mut |at, h| {
                        self.list(refreshment.effects, at, h, &mut |h, at| {
                            self.arrive(region.scene, 0, plain, at, h)
                        })
                    },
                    &mut |_, h| Ok(h.end(false)),
                )
            })?);
            conditions.truncate(conditions.len() - usize::from(refreshment.condition.is_some()));
        }
        Ok(refreshed)
    }

    /// Whether effects change nothing but positions on lanes.
    pub(crate) fn is_plain(&self, list: u32) -> bool {
        let ops = &self.game.compiled.effects[list as usize];
        ops.iter().all(|op| match op {
            Op::Add(stat, _) => self.lanes[usize::from(*stat)],
            Op::Survive | Op::Depart => true,
            _ => false,
        })
    }
}
