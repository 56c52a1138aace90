//! The course of a fight, from its first round to all its ends.

#[cfg(test)]
mod trials;

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::battle::Struck;
use crate::battle_luck::Stage;
use crate::bout::{Bout, Standing};
use crate::compiled::{Arms, Standoff};
use crate::rules::weights;
use crate::running::{Counted, Running, Terms};
use crate::solver::induction::directed::{TINY, Towards};
use crate::solver::limits::Halt;
use crate::solver::reach::extent::Span;
use crate::solver::tables::ROUNDING;
use crate::solver::tables::best::larger;
use crate::solver::tables::columns::sums;
use crate::solver::walk::spending::Lucky;
use crate::spread::Spread;

/// Where a round may lead.
#[derive(Clone, Copy, Debug)]
enum To {
    Row(u32),
    /// To the end with this number: by remaining STAMINA from 1 on, then by LUCK.
    Won(u32),
    Lost,
}

/// The bytes of an outcome.
const OUTCOME: usize = size_of::<(f64, To)>();
/// The bytes of a key with its row.
const NUMBER: usize = size_of::<(Key, u32)>();

/// Only fights with at most this many ends are summed up.
const FEW_ENDS: usize = 32;

/// An alternative to going on.
#[derive(Clone, Debug)]
enum Else {
    /// Leaving the fight by the way with this number, to this end: running, by choice or by force,
    /// or paying a toll. Nothing follows otherwise.
    Leave(usize, u32),
    /// Testing LUCK.
    Test(Vec<(f64, To)>),
}

/// The state before a round, or before a blow takes effect.
#[derive(Clone, Debug)]
struct Row {
    outcomes: Vec<(f64, To)>,
    or: Option<Else>,
}

/// The distribution of a fight over its ends.
#[derive(Clone, Debug, Default)]
struct Sum(Vec<(u32, f64)>);

impl Sum {
    /// Appends its value, `width` numbers for each end.
    fn append(&self, ends: &[f64], width: usize, values: &mut Vec<f64>) {
        sums(width, values, |part, _| {
            for &(end, chance) in &self.0 {
                part.add(chance, &ends[end as usize * width..]);
            }
        });
    }
}

/// All rounds of a fight, later ones first.
#[derive(Debug)]
pub(crate) struct Course {
    rows: Vec<Row>,
    /// By the hero's STAMINA from 1 on, then by LUCK.
    first: Vec<u32>,
    /// The number of values of LUCK before the fight, and after it; 1 if it is not spent in battle.
    lucks: (usize, usize),
    /// By the state before a round, its row.
    numbers: FxHashMap<Key, u32>,
    /// In the order of `first`, as far as known.
    summed: Vec<Sum>,
    /// A bound on the relative rounding error of any value.
    pub(crate) error: f64,
    /// The probability of the least likely path to an end, since floats may underflow to 0.
    faintest: f64,
}

/// What distinguishes the course of a fight from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Against {
    pub(crate) fight: u32,
    /// The only foe, if one was drawn; otherwise all ones.
    pub(crate) only: u16,
    pub(crate) arms: Arms,
    pub(crate) luck: Option<Lucky>,
}

/// The state of a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) standing: Standing,
    /// As far as it matters for running.
    pub(crate) counted: Counted,
    /// 0 if it is not spent in battle.
    pub(crate) luck: i16,
    /// The blow on which LUCK may be tested.
    pub(crate) struck: Option<Struck>,
}

/// Called for each row with the value of going on and that of the alternative.
pub(crate) type EachRow<'e> = &'e mut dyn FnMut(usize, &[f64], &[f64]);

/// A fight to be analysed.
#[derive(Clone, Copy)]
pub(crate) struct Duel<'d> {
    pub(crate) bout: &'d Bout,
    /// The number of foes of the fight that come before those of the bout.
    pub(crate) before: u16,
    pub(crate) first: Standoff,
    pub(crate) terms: Terms,
    /// How it may stand after a toll, in ascending order.
    pub(crate) tolled: &'d [Standoff],
    /// How LUCK is spent, if it is.
    pub(crate) luck: Option<Lucky>,
    /// In how many ways a test against a value passes and fails.
    pub(crate) odds: &'d dyn Fn(i32) -> (u64, u64),
}

/// Limits for a course.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// The most different rounds.
    pub(crate) rows: usize,
    /// The most bytes while it is being computed.
    pub(crate) bytes: usize,
}

/// The distribution of the next state; `None` if the fight never ends.
type Law = Vec<(f64, Option<Key>)>;
/// What follows, and what follows if LUCK is tested, where it may be.
type Laws = (Law, Option<Law>);

impl Course {
    /// Computes the course for a hero with up to `most` STAMINA, within the limits. With [`keep`],
    /// rows can be looked up by the state before a round.
    ///
    /// [`keep`]: Course::numbers
    pub(crate) fn new(duel: Duel<'_>, most: u16, room: Room, keep: bool) -> Result<Self, Halt> {
        let bout = duel.bout;
        let (before, after) = match &duel.luck {
            None => (Span::one(0), Span::one(0)),
            Some(lucky) => (lucky.span, lucky.after()),
        };
        let mut course = Course {
            rows: Vec::new(),
            first: Vec::new(),
            lucks: (before.len(), after.len()),
            numbers: FxHashMap::default(),
            summed: Vec::new(),
            error: 0.0,
            faintest: 1.0,
        };
        let end = |hero: u16, luck: i16| {
            let lucks = after.len() as u32;
            (u32::from(hero) - 1) * lucks + (i32::from(luck) - i32::from(after.lo)) as u32
        };
        let mut known: FxHashMap<Key, u32> = FxHashMap::default();
        let mut errors: Vec<f64> = Vec::new();
        let mut faintest: Vec<f64> = Vec::new();
        let mut bytes = 0;
        let (before_bout, first) = (duel.before, duel.first);
        let heroes = (1..=most).flat_map(|hero| before.values().map(move |luck| (hero, luck)));
        for (hero, luck) in heroes {
            let start = Key {
                standing: Standing {
                    foe: first.foe - before_bout,
                    stamina: first.stamina,
                    hero,
                },
                counted: Counted::so_far(first.so_far),
                luck,
                struck: None,
            };
            // With the distributions of states that wait for their successors.
            let mut stack: Vec<(Key, Option<Laws>)> = vec![(start, None)];
            while let Some((now, laws)) = stack.pop() {
                if known.contains_key(&now) {
                    continue;
                }
                let waited = laws.is_some();
                let (law, test) = match laws {
                    Some(laws) => laws,
                    None => duel.laws(now)?,
                };
                let waiting = waiting_bytes(&law, test.as_ref());
                if waited {
                    bytes -= waiting;
                }
                let ended = |to: &Key| {
                    to.standing.hero == 0 || usize::from(to.standing.foe) == bout.foes.len()
                };
                let next = law.iter().chain(test.iter().flatten());
                let open = next.filter_map(|(_, to)| *to).filter(|to| !ended(to));
                let open: Vec<Key> = open.filter(|to| !known.contains_key(to)).collect();
                if !open.is_empty() {
                    bytes += waiting;
                    stack.push((now, Some((law, test))));
                    stack.extend(open.into_iter().map(|to| (to, None)));
                    if bytes + size_of::<(Key, Option<Laws>)>() * stack.len() > room.bytes {
                        return Err(Halt::Bytes);
                    }
                    continue;
                }
                let outcomes = law.len() + test.as_ref().map_or(0, Vec::len);
                bytes += size_of::<Row>() + OUTCOME * outcomes + 2 * NUMBER;
                let (mut error, mut faint) = (0.0_f64, 1.0_f64);
                let mut to = |law: Law| {
                    let mut part = 0.0_f64;
                    let outcomes = law.into_iter().map(|(chance, to)| {
                        let to = match to {
                            None => To::Lost,
                            Some(to) if to.standing.hero == 0 => To::Lost,
                            Some(to) if ended(&to) => To::Won(end(to.standing.hero, to.luck)),
                            Some(to) => To::Row(known[&to]),
                        };
                        let farther = match to {
                            To::Row(row) => {
                                part = part.max(errors[row as usize]);
                                faintest[row as usize]
                            }
                            To::Won(_) | To::Lost => 1.0,
                        };
                        faint = faint.min(chance * farther);
                        (chance, to)
                    });
                    let outcomes: Vec<(f64, To)> = outcomes.collect();
                    error = error.max(part + ROUNDING * (outcomes.len() + 3) as f64);
                    outcomes
                };
                let outcomes = to(law);
                let leaves = duel.leaves(now);
                let leaves = leaves.map(|(way, left)| Else::Leave(way, end(left, now.luck)));
                let or = test.map_or(leaves, |test| Some(Else::Test(to(test))));
                errors.push(error);
                faintest.push(faint);
                known.insert(now, course.rows.len() as u32);
                course.rows.push(Row { outcomes, or });
                if course.rows.len() > room.rows {
                    return Err(Halt::Fight);
                }
                if bytes > room.bytes {
                    return Err(Halt::Bytes);
                }
            }
            course.first.push(known[&start]);
        }
        course.error = errors.into_iter().fold(0.0, f64::max);
        course.faintest = faintest.into_iter().fold(1.0, f64::min);
        match keep {
            true => course.numbers = known,
            false => drop(known),
        }
        course.sum(most, room)?;
        if !keep && course.summed.len() == course.first.len() {
            course.rest();
        }
        Ok(course)
    }

    /// Sums up the fight for heroes who have nothing to decide in it, if it has few ends: running
    /// through it each time takes longer, since it has far more rounds than ends. The sum for one
    /// hero depends neither on how much STAMINA others have nor on memory.
    fn sum(&mut self, most: u16, room: Room) -> Result<(), Halt> {
        let (before, after) = self.lucks;
        let decided = self.rows.iter().position(|row| row.or.is_some());
        let undecided = |hero: &u16| {
            let rows = self.rows_to(up_to(*hero));
            decided.is_none_or(|first| first >= rows)
        };
        let few = (FEW_ENDS / after).min(most.into()) as u16;
        let heroes = (1..=few).take_while(undecided).count();
        let life = up_to(heroes as u16);
        let rows = self.rows_to(life);
        let ends = heroes * after;
        let sums = size_of::<Sum>() + size_of::<(u32, f64)>() * ends;
        let bytes = self.bytes() + 8 * rows + sums * before * heroes;
        if bytes > room.bytes {
            return Err(Halt::Bytes);
        }
        // The probability of an end is the value of the fight if only this end is worth anything.
        let mut summed = vec![Sum::default(); heroes * before];
        let mut worths = vec![0.0; ends];
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        for end in 0..ends {
            worths[end] = 1.0;
            all.clear();
            let one = std::slice::from_ref(&worths);
            self.run((life, 1), one, (&mut rows, &mut all), &mut |_, _, _| {});
            worths[end] = 0.0;
            for (sum, chance) in summed.iter_mut().zip(&all) {
                if *chance != 0.0 {
                    sum.0.push((end as u32, *chance));
                }
            }
        }
        let terms = summed.iter().map(|sum| sum.0.len()).max();
        self.error += terms.map_or(0.0, |terms| ROUNDING * (terms + 2) as f64);
        self.summed = summed;
        Ok(())
    }

    /// The most STAMINA that it covers.
    pub(crate) fn most(&self) -> u16 {
        (self.first.len() / self.lucks.0) as u16
    }

    /// The number of values of LUCK before the fight, and after it.
    pub(crate) fn lucks(&self) -> (usize, usize) {
        self.lucks
    }

    /// The number of different rounds.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The number of rows for heroes with at most the greatest STAMINA in `life`; those for more
    /// STAMINA come later.
    pub(crate) fn rows_to(&self, life: Span) -> usize {
        let heroes = life.hi.max(0) as usize * self.lucks.0;
        let firsts = self.first.get(..heroes).unwrap_or(&[]);
        firsts.last().map_or(0, |last| *last as usize + 1)
    }

    /// The row of a state before a round, if rows were kept.
    pub(crate) fn row(&self, key: &Key) -> Option<usize> {
        self.numbers.get(key).map(|row| *row as usize)
    }

    /// Forgets where rounds lead.
    pub(crate) fn rest(&mut self) {
        self.rows = Vec::new();
    }

    /// The approximate memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let outcomes = self.rows.iter().map(|row| match &row.or {
            Some(Else::Test(test)) => row.outcomes.len() + test.len(),
            _ => row.outcomes.len(),
        });
        let outcomes: usize = outcomes.sum();
        let numbers = NUMBER * self.numbers.capacity();
        let summed: usize = self.summed.iter().map(|sum| sum.0.len()).sum();
        let summed = size_of::<(u32, f64)>() * summed + size_of::<Sum>() * self.summed.len();
        size_of::<Row>() * self.rows.len()
            + OUTCOME * outcomes
            + 4 * self.first.len()
            + numbers
            + summed
    }

    /// Appends the value of the fight for each STAMINA in `life` and each LUCK. `ends` are the
    /// values after victory, after fleeing from each foe, and after each toll, by STAMINA from 1 on
    /// and by LUCK, `width` numbers each. `each` is called for every row with something to decide.
    /// `rows` is a buffer for the values of rows.
    pub(crate) fn run(
        &self,
        (life, width): (Span, usize),
        ends: &[Vec<f64>],
        (rows, values): (&mut Vec<f64>, &mut Vec<f64>),
        each: EachRow<'_>,
    ) {
        // The greatest STAMINA needs rounds if it exceeds what has been summed up.
        let summed = self.summed.len() / self.lucks.0;
        let count = match life.hi.max(0) as usize > summed {
            true => self.rows_to(life),
            false => 0,
        };
        rows.clear();
        rows.reserve((count + 1) * width);
        for (number, row) in self.rows[..count].iter().enumerate() {
            let add = |outcomes: &[(f64, To)], rows: &mut Vec<f64>| {
                sums(width, rows, |part, rows| {
                    for &(chance, to) in outcomes {
                        match to {
                            To::Lost => {}
                            To::Won(end) => part.add(chance, &ends[0][end as usize * width..]),
                            To::Row(row) => part.add(chance, &rows[row as usize * width..]),
                        }
                    }
                });
            };
            add(&row.outcomes, rows);
            if let Some(Else::Test(outcomes)) = &row.or {
                add(outcomes, rows);
            }
            let (out, tested) = rows[number * width..].split_at_mut(width);
            let or = match &row.or {
                None => continue,
                Some(Else::Leave(way, end)) => &ends[*way][*end as usize * width..][..width],
                Some(Else::Test(_)) => &*tested,
            };
            each(number, out, or);
            for (out, or) in out.iter_mut().zip(or) {
                *out = larger(*out, *or);
            }
            rows.truncate((number + 1) * width);
        }
        let lucks = self.lucks.0;
        values.reserve(life.len() * lucks * width);
        for hero in life.values() {
            let firsts = (hero.max(0) as usize)
                .checked_sub(1)
                .and_then(|hero| self.first.get(hero * lucks..(hero + 1) * lucks));
            let Some(firsts) = firsts else {
                values.resize(values.len() + lucks * width, 0.0);
                continue;
            };
            let first = (hero as usize - 1) * lucks;
            if let Some(sums) = self.summed.get(first..first + lucks) {
                sums.iter()
                    .for_each(|sum| sum.append(&ends[0], width, values));
                continue;
            }
            for row in firsts {
                values.extend_from_slice(&rows[*row as usize * width..][..width]);
            }
        }
    }

    /// Rounds the results of a run in one direction. Nobody leaves a fight with more STAMINA than
    /// before, so it is worth at most the best end with as much. Zeros stay, unless they may come
    /// from underflow.
    pub(crate) fn rounded(
        &self,
        values: &mut [f64],
        (life, width): (Span, usize),
        ends: &[Vec<f64>],
        towards: Towards,
    ) {
        if towards == Towards::Nearest {
            return;
        }
        // Each round has a relative error. Together these are bounded by the sum and a little more.
        let off = 2.0 * self.error;
        let least = ends.iter().flatten().filter(|end| **end > 0.0);
        let least = least.fold(1.0, |least: f64, end| least.min(*end));
        let seen = self.faintest * least >= TINY;
        let mut most = vec![0.0_f64; width];
        let mut left = 0;
        let (before, after) = self.lucks;
        for (hero, row) in life.values().zip(values.chunks_mut(before * width)) {
            let worth = after * hero.max(0) as usize;
            for end in ends {
                for end in end[left * width..worth.max(left) * width].chunks(width) {
                    for (most, end) in most.iter_mut().zip(end) {
                        *most = most.max(*end);
                    }
                }
            }
            left = left.max(worth);
            let most = row.iter_mut().zip(most.iter().cycle());
            for (value, most) in most.filter(|(value, _)| **value > 0.0 || !seen) {
                *value = towards.round(*value, off, 0.0, *most);
            }
        }
    }
}

/// The span from 1 to `most`.
fn up_to(most: u16) -> Span {
    Span {
        lo: 1,
        hi: most as i16,
    }
}

impl Duel<'_> {
    /// Whether a round is about to begin, and no blow is pending.
    fn begins(now: Key) -> bool {
        now.struck.is_none()
    }

    /// The terms on which the hero may or must run before a round.
    fn due(&self, now: Key) -> Option<Running> {
        let due = |running: &Running| Self::begins(now) && running.is_due(now.counted);
        self.terms.running.filter(due)
    }

    /// Whether a toll is due before a round.
    fn tolls(&self, now: Key) -> bool {
        Self::begins(now) && now.counted.toll
    }

    /// The end by which the fight may or must be left before a round, and the remaining STAMINA, if
    /// there is any.
    fn leaves(&self, now: Key) -> Option<(usize, u16)> {
        let Standing { foe, stamina, hero } = now.standing;
        let foe = foe + self.before;
        let must = self.terms.ends(now.counted).is_some();
        if self.tolls(now) && !must {
            let standoff = Standoff {
                foe,
                stamina,
                so_far: now.counted.so_far,
            };
            let toll = self.tolled.binary_search(&standoff).ok()?;
            let flights = match self.terms.running {
                Some(_) => self.bout.foes.len() - usize::from(self.first.foe - self.before),
                None => 0,
            };
            return Some((1 + flights + toll, hero));
        }
        let left = hero.checked_sub(self.due(now)?.cost);
        let left = left.filter(|left| *left > 0)?;
        Some((1 + usize::from(foe - self.first.foe), left))
    }

    fn laws(&self, now: Key) -> Result<Laws, Halt> {
        let forced = self.due(now).is_some_and(|running| running.forced);
        if forced || self.tolls(now) {
            return Ok((Law::new(), None));
        }
        let Some(lucky) = self.luck else {
            return Ok((self.round(now), None));
        };
        let felt = |taken: u16, struck: Struck, luck: i16| {
            let left = lucky.may_test(luck);
            let law = self.bout.felt(now.standing, struck, taken, left);
            self.staged(law, now, luck)
        };
        match now.struck {
            None => Ok((self.round_with_luck(now, lucky), None)),
            Some(struck) => {
                let damage = self.bout.damage(now.standing.foe, struck);
                let value = i32::from(now.luck) + lucky.bonus;
                let odds = weights((self.odds)(value));
                let (pass, fail) = odds.ok_or(Halt::NoRoll { dice: 2, value })?;
                let total = (pass + fail) as f64;
                let mut tested = Vec::new();
                for (taken, weight) in [(damage.lucky, pass), (damage.unlucky, fail)] {
                    if weight > 0 {
                        let law = felt(taken, struck, lucky.less(now.luck));
                        let chance = weight as f64 / total;
                        tested.extend(law.into_iter().map(|(part, to)| (chance * part, to)));
                    }
                }
                Ok((felt(damage.plain, struck, now.luck), Some(tested)))
            }
        }
    }

    /// The distribution after a round, with probabilities that sum to 1. Draws that change nothing
    /// are fought again. If nothing can change any more, the hero has lost, or runs.
    fn round(&self, now: Key) -> Law {
        let law = match self.bout.round(now.standing) {
            law if self.tells_draws(now, law.is_some()) => self.bout.round_or_draw(now.standing),
            law => law,
        };
        match law {
            None => vec![(1.0, None)],
            Some(law) => self.staged(over(law), now, now.luck),
        }
    }

    /// The same as [`round`](Duel::round), up to the first blow on which LUCK may be tested.
    fn round_with_luck(&self, now: Key, lucky: Lucky) -> Law {
        if !self.tells_draws(now, false) && self.bout.round(now.standing).is_none() {
            return vec![(1.0, None)];
        }
        let law = self.bout.begun(now.standing, lucky.may_test(now.luck));
        self.staged(law, now, now.luck)
    }

    fn tells_draws(&self, now: Key, changes: bool) -> bool {
        self.terms.tells_draws(now.counted, changes)
    }

    /// The distribution after a part of a round, without outcomes that change nothing.
    fn staged(&self, law: Spread<Stage>, now: Key, luck: i16) -> Law {
        let counted = |to: Standing, over: bool| match over {
            true => self
                .terms
                .over(now.counted, (now.standing, to), self.bout.at_once),
            false => self.terms.within(now.counted, now.standing, to),
        };
        let next = law.outcomes.into_iter().map(|(stage, weight)| {
            let to = match stage {
                Stage::Struck(standing, struck) => Key {
                    standing,
                    counted: counted(standing, false),
                    luck,
                    struck: Some(struck),
                },
                Stage::Over(standing) => Key {
                    standing,
                    counted: counted(standing, true),
                    luck,
                    struck: None,
                },
            };
            (to, weight)
        });
        let next: Vec<_> = next.filter(|(to, _)| *to != now).collect();
        let total: f64 = next
            .iter()
            .map(|(_, weight)| weight.to_f64().unwrap_or(0.0))
            .sum();
        let chance = |weight: &num_bigint::BigUint| weight.to_f64().unwrap_or(0.0) / total;
        let law: Law = next
            .iter()
            .map(|(to, weight)| (chance(weight), Some(*to)))
            .collect();
        match law.is_empty() {
            true => vec![(1.0, None)],
            false => law,
        }
    }
}

/// The approximate memory of distributions, in bytes.
fn waiting_bytes(law: &Law, test: Option<&Law>) -> usize {
    let outcomes = law.len() + test.map_or(0, Vec::len);
    size_of::<(f64, Option<Key>)>() * outcomes
}

/// The outcomes of rounds, as stages.
fn over(law: Spread<Standing>) -> Spread<Stage> {
    let outcomes = law.outcomes.into_iter();
    Spread {
        outcomes: outcomes
            .map(|(to, weight)| (Stage::Over(to), weight))
            .collect(),
        total: law.total,
    }
}
