//! Effects in a walk, in order, and where they lead.

use std::cell::RefCell;

use crate::compiled::{Op, Scene, Way};
use crate::place::STATS;
use crate::solver::diagrams::gates::{NO, YES};
use crate::solver::limits::Halt;
use crate::solver::reach::extent::Span;
use crate::solver::walk::Walk;
use crate::solver::walk::interpreter::{At, Each, Interpreter, Region};
use crate::solver::walk::thrown::{Before, Rest, Thrown};

/// What follows the effects.
pub(crate) type Goal<'g, H> = &'g mut dyn FnMut(&mut H, At) -> Result<<H as Interpreter>::T, Halt>;

impl Walk<'_> {
    /// Follows a way.
    pub(crate) fn go<H: Interpreter>(&self, way: Way, at: At, h: &mut H) -> Result<H::T, Halt> {
        self.list(way.effects, at, h, &mut |h, at| {
            self.reach(way.to, 0, at, h)
        })
    }

    /// Follows a list of effects, if the hero lives.
    pub(crate) fn list<H: Interpreter>(
        &self,
        list: u32,
        at: At,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        let rest = Rest {
            ops: &self.game.compiled.effects[list as usize],
            then: None,
        };
        let thrown = Thrown::default();
        self.run(&rest, at, &thrown, h, &mut |h, at| {
            self.alive(at, h, &mut *goal)
        })
    }

    /// Follows only those who live.
    pub(crate) fn alive<H: Interpreter>(
        &self,
        at: At,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        let life = usize::from(self.game.compiled.life);
        let span = at.extent[life];
        if span.lo > 0 {
            return goal(h, at);
        }
        if span.hi <= 0 {
            return Ok(h.end(false));
        }
        let mut living = at;
        living.extent[life].lo = 1;
        let after = goal(h, living)?;
        h.shift(after, life, span, living.extent[life], &mut |value| {
            (value > 0).then_some(value)
        })
    }

    /// Arrives at a scene.
    pub(crate) fn reach<H: Interpreter>(
        &self,
        scene: u32,
        step: u32,
        at: At,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        self.arrive(scene, step, false, at, h)
    }

    pub(crate) fn arrive<H: Interpreter>(
        &self,
        scene: u32,
        step: u32,
        itself: bool,
        at: At,
        h: &mut H,
    ) -> Result<H::T, Halt> {
        match &self.game.compiled.scenes[scene as usize] {
            Scene::Ending(won) => return Ok(h.end(*won)),
            Scene::Dead => return Ok(h.end(false)),
            _ => {}
        }
        let needed = self.needed[scene as usize];
        if needed & !at.known.may != 0 {
            return Ok(h.end(false));
        }
        let needs = &self.live.scenes[scene as usize];
        let markers = self.markers[scene as usize] & needs.bits;
        let open = markers & at.known.may & !at.known.must;
        if open != 0 {
            let bit = open & open.wrapping_neg();
            let gate = h.gates().any(bit, at.known);
            return self.either(
                gate,
                at,
                h,
                &mut |at, h| self.arrive(scene, step, itself, at, h),
                &mut |at, h| self.arrive(scene, step, itself, at, h),
            );
        }
        let mut there = at;
        // A hero without what is needed has lost, and need not arrive.
        there.known.must |= needed;
        there.known.must &= needs.bits;
        there.known.may &= needs.bits;
        let enough = h.gates().at_least(needed, needed.count_ones(), at.known);
        let care = h.gates().and(at.known.care, enough);
        if care == NO {
            return Ok(h.end(false));
        }
        there.known.care = h.gates().forget(care, !needs.bits);
        for stat in 0..STATS {
            if !needs.reads(stat as u8) {
                there.kept[stat] = 0;
            }
            let span = &mut there.extent[stat];
            *span = Span {
                lo: needs.cut(stat, span.lo),
                hi: needs.cut(stat, span.hi),
            };
        }
        let region = Region {
            scene,
            step,
            marks: markers & at.known.must,
            kept: there.kept,
            way: there.way,
        };
        let mut worth = match itself {
            true => h.itself(region, &there)?,
            false => h.region(region, &there)?,
        };
        for stat in 0..STATS {
            let (from, into) = (at.extent[stat], there.extent[stat]);
            if from != into {
                worth = h.shift(worth, stat, from, into, &mut |value| {
                    Some(needs.cut(stat, value))
                })?;
            }
        }
        if enough == YES {
            return Ok(worth);
        }
        let lost = h.end(false);
        h.gate(enough, worth, lost)
    }

    pub(crate) fn run<H: Interpreter>(
        &self,
        rest: &Rest<'_>,
        at: At,
        thrown: &Thrown<H::T>,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        let Some((op, ops)) = rest.ops.split_first() else {
            return match rest.then {
                Some(then) => self.run(then, at, thrown, h, goal),
                None => goal(h, at),
            };
        };
        let _deeper = self.effort.deeper()?;
        let behind = Rest {
            ops,
            then: rest.then,
        };
        if !op.is_thrown() {
            return self.carried_out(op, &behind, at, thrown, h, goal);
        }
        let before = Before::new(rest, at);
        if let Some(known) = thrown.known(&before) {
            return Ok(known);
        }
        let worth = self.carried_out(op, &behind, at, thrown, h, goal)?;
        thrown.remember(before, &worth);
        Ok(worth)
    }

    /// Follows one effect and those after it.
    fn carried_out<H: Interpreter>(
        &self,
        op: &Op,
        rest: &Rest<'_>,
        at: At,
        thrown: &Thrown<H::T>,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        let first = |list: u32| &self.game.compiled.effects[list as usize][..];
        match op {
            Op::Add(stat, by) => self.add(at, *stat, (*by).into(), h, &mut |h, at| {
                self.run(rest, at, thrown, h, &mut *goal)
            }),
            Op::Set(stat, to) => self.rolled(to, &at, h, &mut |to, h| {
                self.change(at, *stat, &|_| to, h, &mut |h, at| {
                    self.run(rest, at, thrown, h, &mut *goal)
                })
            }),
            Op::Roll(stat, by) => self.rolled(by, &at, h, &mut |by, h| {
                self.add(at, *stat, by, h, &mut |h, at| {
                    self.run(rest, at, thrown, h, &mut *goal)
                })
            }),
            Op::Restore(stat) => {
                let stat = usize::from(*stat);
                let cap = self.cap(stat, &at);
                self.shifted(
                    at,
                    stat,
                    &|value| cap.map_or(value, |cap| cap.max(value)).into(),
                    h,
                    &mut |h, at| self.run(rest, at, thrown, h, &mut *goal),
                )
            }
            Op::RaiseCap(stat, by) => {
                let mut at = at;
                if let Some(raised) = self.game.compiled.stats[usize::from(*stat)].raised {
                    let cap = &mut at.kept[usize::from(raised)];
                    *cap = cap.checked_add(*by).ok_or(Halt::Range {
                        stat: usize::from(*stat),
                    })?;
                }
                self.run(rest, at, thrown, h, goal)
            }
            Op::Gain(mask) | Op::Lose(mask) => {
                let held = matches!(op, Op::Gain(_));
                let mut after = at;
                after.known = h.gates().set(at.known, *mask, held);
                let worth = self.run(rest, after, thrown, h, goal)?;
                h.hold(worth, *mask, held)
            }
            Op::LoseRandom(mask, count) => {
                if *count == 0 || at.known.may & mask == 0 {
                    return self.run(rest, at, thrown, h, goal);
                }
                let again = [Op::LoseRandom(*mask, count - 1)];
                let rest = Rest {
                    ops: &again,
                    then: Some(rest),
                };
                let mut after = at;
                after.known = h.gates().lose_one(at.known, *mask);
                let worth = self.run(&rest, after, thrown, h, goal)?;
                h.lose_one(worth, *mask, at.known)
            }
            Op::Random(branches) => self.drawn(branches, at, h, &mut |list, at, h| {
                let branch = Rest {
                    ops: first(list),
                    then: Some(rest),
                };
                self.run(&branch, at, thrown, h, &mut *goal)
            }),
            Op::When(condition, then, otherwise) => {
                let goal = RefCell::new(goal);
                self.split(at, &[*condition], h, &mut |at, h| {
                    let gate = self.asked(Some(*condition), &at, h);
                    let branch = |list: u32, at: At, h: &mut H| {
                        let branch = Rest {
                            ops: first(list),
                            then: Some(rest),
                        };
                        self.run(&branch, at, thrown, h, &mut **goal.borrow_mut())
                    };
                    self.either(
                        gate,
                        at,
                        h,
                        &mut |at, h| branch(*then, at, h),
                        &mut |at, h| branch(*otherwise, at, h),
                    )
                })
            }
            Op::Repeat(times, condition, list) => {
                let asked: Vec<u32> = condition.iter().copied().collect();
                let goal = RefCell::new(goal);
                self.split(at, &asked, h, &mut |at, h| {
                    let gate = match *times {
                        0 => NO,
                        _ => self.asked(*condition, &at, h),
                    };
                    self.either(
                        gate,
                        at,
                        h,
                        &mut |at, h| {
                            let again = [Op::Repeat(times - 1, *condition, *list)];
                            let again = Rest {
                                ops: &again,
                                then: Some(rest),
                            };
                            let once = Rest {
                                ops: first(*list),
                                then: Some(&again),
                            };
                            self.run(&once, at, thrown, h, &mut **goal.borrow_mut())
                        },
                        &mut |at, h| self.run(rest, at, thrown, h, &mut **goal.borrow_mut()),
                    )
                })
            }
            Op::Survive | Op::Depart => self.alive(at, h, &mut |h, at| {
                self.run(rest, at, thrown, h, &mut *goal)
            }),
        }
    }

    pub(crate) fn rolled<H: Interpreter>(
        &self,
        amount: &crate::Amount,
        at: &At,
        h: &mut H,
        each: Each<'_, i32, H>,
    ) -> Result<H::T, Halt> {
        if amount.is_fixed() {
            return each(amount.min(), h);
        }
        let mut parts = Vec::new();
        let mut total = 0;
        for (roll, ways) in amount.counts() {
            total += ways;
            parts.push((ways, each(roll, h)?));
        }
        h.mix(at, parts, total)
    }

    /// The current cap of a stat.
    pub(crate) fn cap(&self, stat: usize, at: &At) -> Option<i16> {
        match self.game.compiled.stats[stat].raised {
            Some(raised) => Some(at.kept[usize::from(raised)]),
            None => self.caps[stat],
        }
    }

    pub(crate) fn add<H: Interpreter>(
        &self,
        at: At,
        stat: u8,
        by: i32,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        self.change(
            at,
            stat,
            &|value| i32::from(value).saturating_add(by),
            h,
            goal,
        )
    }

    /// A new value, cut at the cap, then at the floor.
    pub(crate) fn change<H: Interpreter>(
        &self,
        at: At,
        stat: u8,
        to: &dyn Fn(i16) -> i32,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        let stat = usize::from(stat);
        let cap = self.cap(stat, &at);
        let floor = self.game.compiled.stats[stat].floor;
        let cut = |value: i16| {
            let value = to(value);
            let value = cap.map_or(value, |cap| value.min(cap.into()));
            floor.map_or(value, |floor| value.max(floor.into()))
        };
        self.shifted(at, stat, &cut, h, goal)
    }

    pub(crate) fn shifted<H: Interpreter>(
        &self,
        at: At,
        stat: usize,
        to: &dyn Fn(i16) -> i32,
        h: &mut H,
        goal: Goal<'_, H>,
    ) -> Result<H::T, Halt> {
        let from = at.extent[stat];
        self.effort.shift(from.len())?;
        // All such maps are monotone, or constant.
        let end = |value: i16| i16::try_from(to(value)).map_err(|_| Halt::Range { stat });
        let into = Span {
            lo: end(from.lo)?,
            hi: end(from.hi)?,
        };
        let mut after = at;
        after.extent[stat] = into;
        let worth = goal(h, after)?;
        h.shift(worth, stat, from, into, &mut |value| Some(to(value) as i16))
    }
}
