//! Liveness analysis: what is still read, scene by scene. Everything else on the sheet may be
//! forgotten.

use crate::apply::Caps;
use crate::compiled::{Compiled, CompiledWare, Op, Scene, Test, Way};
use crate::place::{Held, STATS};
use crate::solver::reach::rings_backwards;

/// What the rest of an adventure reads of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Items and flags that something may read before it overwrites them.
    pub(crate) bits: u128,
    /// By stat: all values from this one on are worth the same. [`DEAD`] if nothing reads the stat
    /// at all, [`ENDLESS`] if no value is known to suffice.
    pub(crate) enough: [i32; STATS],
    /// By stat: all values up to this one are worth the same. [`ENDLESS`] if nothing reads the
    /// stat, [`DEAD`] if no value is known to be low enough.
    pub(crate) little: [i32; STATS],
}

/// Nothing reads the stat.
pub(crate) const DEAD: i32 = i32::MIN;
/// However much there is, more may be better.
pub(crate) const ENDLESS: i32 = i32::MAX;
/// A bound beyond this counts as endless, since it grows in a cycle.
const MOST: i32 = 2_000;
/// Bounds that still move after this many passes through a ring are widened.
const PASSES: u32 = 40;

impl Needs {
    const NONE: Needs = Needs {
        bits: 0,
        enough: [DEAD; STATS],
        little: [ENDLESS; STATS],
    };

    fn join(&mut self, other: &Needs) {
        self.bits |= other.bits;
        for (mine, theirs) in self.enough.iter_mut().zip(other.enough) {
            *mine = (*mine).max(theirs);
        }
        for (mine, theirs) in self.little.iter_mut().zip(other.little) {
            *mine = (*mine).min(theirs);
        }
    }

    /// Widening: gives up bounds that still move.
    fn widen(&mut self, before: &Needs) {
        for stat in 0..STATS {
            if self.enough[stat] > before.enough[stat] && before.enough[stat] != DEAD {
                self.enough[stat] = ENDLESS;
            }
            if self.little[stat] < before.little[stat] && before.little[stat] != ENDLESS {
                self.little[stat] = DEAD;
            }
        }
    }

    /// Distinguishes all values of whatever is read.
    fn tell_all_apart(&mut self) {
        for (enough, little) in self.enough.iter_mut().zip(&mut self.little) {
            if *enough != DEAD {
                (*enough, *little) = (ENDLESS, DEAD);
            }
        }
    }

    /// Distinguishes the values from `low` to `high` from each other, and from those beyond.
    fn between(&mut self, stat: u8, low: i32, high: i32) {
        self.at_least(stat, high.saturating_add(1));
        let little = &mut self.little[usize::from(stat)];
        *little = (*little).min(low.saturating_sub(1));
        if *little < -MOST {
            *little = DEAD;
        }
    }

    /// Reads whether a stat is at least `value`.
    fn asks(&mut self, stat: u8, value: i32) {
        self.between(stat, value, value.saturating_sub(1));
    }

    fn at_least(&mut self, stat: u8, value: i32) {
        let enough = &mut self.enough[usize::from(stat)];
        *enough = (*enough).max(value);
        if *enough > MOST {
            *enough = ENDLESS;
        }
    }

    /// The representative of all values that are worth the same; 0 if nothing reads the stat.
    pub(crate) fn cut(&self, stat: usize, value: i16) -> i16 {
        let (enough, little) = (self.enough[stat], self.little[stat]);
        if enough == DEAD {
            return 0;
        }
        // Bounds beyond 16 bits have no effect; between them all values differ.
        let little = little.min(enough).min(i16::MAX.into());
        let value = i32::from(value).min(enough).max(little);
        value as i16
    }

    pub(crate) fn reads(&self, stat: u8) -> bool {
        self.enough[usize::from(stat)] != DEAD
    }

    /// The representative of all sheets that are worth the same: without dead items, flags and
    /// raised caps, and with every stat cut.
    pub(crate) fn essence(&self, book: &Compiled, held: &Held) -> Held {
        let stat = |number: usize| match book.is_raised_cap(number) {
            true if self.reads(number as u8) => held.stats[number],
            true => 0,
            false => self.cut(number, held.stats[number]),
        };
        Held {
            items: held.items & self.bits,
            stats: std::array::from_fn(stat),
        }
    }
}

/// What is read from the beginning of each scene on.
pub(crate) struct Live<'c> {
    book: &'c Compiled,
    caps: &'c Caps,
    /// Whether the odds are the usual ones; other rules may distinguish any values.
    own_rules: bool,
    pub(crate) scenes: Vec<Needs>,
}

impl<'c> Live<'c> {
    /// Runs the analysis. With `apart`, all values of what is read are distinguished, also before
    /// they change, even if any value is sure to suffice by then.
    pub(crate) fn new(book: &'c Compiled, caps: &'c Caps, own_rules: bool, apart: bool) -> Self {
        let mut live = Live {
            book,
            caps,
            own_rules,
            scenes: vec![Needs::NONE; book.scenes.len()],
        };
        for ring in rings_backwards(book) {
            for pass in 0.. {
                let mut changed = false;
                for &number in &ring {
                    let mut needs = live.scene(number);
                    needs.join(&live.scenes[number]);
                    if apart {
                        needs.tell_all_apart();
                    }
                    if pass > PASSES {
                        needs.widen(&live.scenes[number]);
                    }
                    changed |= needs != live.scenes[number];
                    live.scenes[number] = needs;
                }
                if !changed {
                    break;
                }
            }
        }
        live
    }

    /// Everything is read everywhere.
    pub(crate) fn all(book: &'c Compiled, caps: &'c Caps) -> Self {
        let all = Needs {
            bits: u128::MAX,
            enough: [ENDLESS; STATS],
            little: [DEAD; STATS],
        };
        let scenes = vec![all; book.scenes.len()];
        Live {
            book,
            caps,
            own_rules: false,
            scenes,
        }
    }

    fn scene(&self, number: usize) -> Needs {
        let mut needs = Needs::NONE;
        needs.asks(self.book.life, 1);
        match &self.book.scenes[number] {
            Scene::Ending(_) | Scene::Dead => return Needs::NONE,
            Scene::Turn(way) => needs.join(&self.way(*way)),
            Scene::Choice(options) | Scene::First(options) => {
                for option in options {
                    needs.join(&self.way(option.way));
                    self.condition(option.condition, &mut needs);
                }
                let choice = matches!(self.book.scenes[number], Scene::Choice(_));
                if choice && self.book.refresh.get(number) == Some(&true) {
                    for refreshment in &self.book.refreshments {
                        let after = self.scenes[number];
                        needs.join(&self.list(refreshment.effects, after));
                        self.condition(refreshment.condition, &mut needs);
                    }
                }
            }
            Scene::Test {
                stat,
                dice,
                add,
                success,
                failure,
            } => {
                needs.join(&self.way(*success));
                needs.join(&self.way(*failure));
                if self.book.luck == Some(*stat) {
                    self.add(*stat, -1, -1, &mut needs);
                }
                // Beyond these values, every roll passes or none does.
                let dice = i32::from(*dice);
                let add = i32::from(*add);
                self.effective(
                    *stat,
                    false,
                    (dice - 1 + add, 6 * dice + 2 + add),
                    &mut needs,
                );
            }
            Scene::Random(branches) => {
                for (_, way) in branches {
                    needs.join(&self.way(*way));
                }
            }
            Scene::Game {
                condition,
                round,
                after,
                ..
            } => {
                needs.join(&self.way(*after));
                self.condition(*condition, &mut needs);
                for (_, list) in round {
                    needs.join(&self.list(*list, self.scenes[number]));
                }
            }
            Scene::Shop { sells, buys, leave } => {
                needs.join(&self.way(*leave));
                self.shop(sells, buys, number, &mut needs);
            }
            Scene::Fight {
                fight,
                victory,
                flee,
                tolls,
            } => {
                needs.join(&self.way(*victory));
                for way in flee.iter().chain(tolls) {
                    needs.join(&self.way(*way));
                }
                // Marks are set only as far as foes fall, so they overwrite nothing. Backwards, the
                // last item comes first.
                for slot in self.book.slots.iter().rev() {
                    for item in slot {
                        for (stat, by) in &item.after_fight {
                            if needs.reads(*stat) {
                                let mut before = needs;
                                self.add(*stat, (*by).into(), (*by).into(), &mut before);
                                needs.join(&before);
                            }
                        }
                    }
                    if slot
                        .iter()
                        .any(|item| !item.after_fight.is_empty() || item.arms != (0, 0))
                    {
                        needs.bits |= slot.iter().fold(0, |all, item| all | item.bit);
                    }
                }
                needs.between(self.book.life, 1, ENDLESS);
                if let Some(skill) = self.book.skill {
                    let foes = self.book.fights[*fight as usize].foes.iter();
                    let skills = foes.map(|foe| i32::from(foe.skill));
                    let (low, high) = (skills.clone().min(), skills.max());
                    let attack = i32::from(self.book.fights[*fight as usize].attack);
                    let told = (
                        low.unwrap_or(0) - 12 - attack,
                        high.unwrap_or(0) + 12 - attack,
                    );
                    self.effective(skill, true, told, &mut needs);
                }
                if let Some(luck) = self.book.battle_luck {
                    self.effective(luck, false, (DEAD, ENDLESS), &mut needs);
                    // A test costs a point, and is cut like any other change.
                    self.cut(luck, &mut needs);
                }
            }
        }
        needs
    }

    fn shop(
        &self,
        sells: &[(CompiledWare, i16, std::sync::Arc<str>)],
        buys: &[(u128, i16, std::sync::Arc<str>)],
        number: usize,
        needs: &mut Needs,
    ) {
        let Some(money) = self.book.money else { return };
        let purse = usize::from(money);
        let enough = needs.enough[purse].max(0);
        // Trading leads back to the shop.
        needs.join(&self.scenes[number]);
        let bought = buys.iter().fold(0, |all, ware| all | ware.0);
        needs.bits |= bought;
        let (mut spent, mut endless) = (0, false);
        for (ware, price, _) in sells {
            match ware {
                CompiledWare::Bit(bit) => {
                    needs.bits |= bit;
                    spent += i32::from(*price);
                    // What can be sold again can be bought again.
                    endless |= bought & bit != 0;
                }
                CompiledWare::Stat(stat) => {
                    // It may be bought without end, to get rid of money if nothing else reads it.
                    endless = true;
                    let mut before = *needs;
                    self.add(*stat, 1, 1, &mut before);
                    needs.join(&before);
                }
            }
            needs.asks(money, (*price).into());
        }
        if !needs.reads(money) {
            return;
        }
        self.cut(money, needs);
        needs.at_least(
            money,
            if endless {
                ENDLESS
            } else {
                enough.saturating_add(spent)
            },
        );
        if !buys.is_empty() {
            let little = &mut needs.little[purse];
            // However little there is, sales add to it.
            *little = DEAD;
        }
    }

    /// Reads a stat with everything that items add; values within `told` are distinguished.
    fn effective(&self, stat: u8, attack: bool, told: (i32, i32), needs: &mut Needs) {
        let (mut least, mut most) = (0, 0);
        for slot in &self.book.slots {
            let adds = slot.iter().map(|item| {
                let modifiers = item.modifiers.iter();
                let modifiers = modifiers.filter(|(modified, _)| *modified == stat);
                let sum: i32 = modifiers.map(|(_, by)| i32::from(*by)).sum();
                sum + if attack { i32::from(item.arms.0) } else { 0 }
            });
            let (low, high) = (adds.clone().min(), adds.max());
            let (low, high) = (low.unwrap_or(0).min(0), high.unwrap_or(0).max(0));
            if (low, high) != (0, 0) {
                needs.bits |= slot.iter().fold(0, |all, item| all | item.bit);
            }
            least += low;
            most += high;
        }
        let (low, high) = match self.own_rules {
            true => told,
            false => (DEAD, ENDLESS),
        };
        needs.between(stat, low.saturating_sub(most), high.saturating_sub(least));
    }

    fn condition(&self, condition: Option<u32>, needs: &mut Needs) {
        let Some(condition) = condition else { return };
        match &self.book.conditions[condition as usize] {
            Test::Has(mask) | Test::Holds(mask, _) => needs.bits |= mask,
            Test::AtLeast(stat, value) => needs.asks(*stat, (*value).into()),
            Test::Not(not) => self.condition(Some(*not), needs),
            Test::All(all) => all.iter().for_each(|one| self.condition(Some(*one), needs)),
            Test::Any(any) => any.iter().for_each(|one| self.condition(Some(*one), needs)),
        }
    }

    pub(crate) fn way(&self, way: Way) -> Needs {
        self.list(way.effects, self.scenes[way.to as usize])
    }

    /// What is read before these effects, if `needs` is read after them.
    pub(crate) fn list(&self, list: u32, mut needs: Needs) -> Needs {
        // Death is checked at the end, whatever the effects.
        needs.asks(self.book.life, 1);
        for op in self.book.effects[list as usize].iter().rev() {
            match op {
                Op::Add(stat, by) => self.add(*stat, (*by).into(), (*by).into(), &mut needs),
                Op::Roll(stat, by) => self.add(*stat, by.min(), by.max(), &mut needs),
                Op::Set(stat, _) => {
                    self.cut(*stat, &mut needs);
                    needs.enough[usize::from(*stat)] = DEAD;
                    needs.little[usize::from(*stat)] = ENDLESS;
                }
                Op::Restore(stat) => self.cut(*stat, &mut needs),
                Op::RaiseCap(..) => {}
                Op::Gain(mask) | Op::Lose(mask) => needs.bits &= !mask,
                Op::LoseRandom(mask, _) => {
                    if needs.bits & mask != 0 {
                        needs.bits |= mask;
                    }
                }
                Op::Random(branches) => {
                    let after = needs;
                    needs = Needs::NONE;
                    for (weight, list) in branches {
                        if *weight > 0 {
                            needs.join(&self.list(*list, after));
                        }
                    }
                }
                Op::When(condition, then, otherwise) => {
                    let after = needs;
                    needs = self.list(*then, after);
                    needs.join(&self.list(*otherwise, after));
                    self.condition(Some(*condition), &mut needs);
                }
                Op::Repeat(times, condition, list) => {
                    for _ in 0..*times {
                        let mut before = self.list(*list, needs);
                        self.condition(*condition, &mut before);
                        before.join(&needs);
                        if before == needs {
                            break;
                        }
                        needs = before;
                    }
                }
                Op::Survive | Op::Depart => needs.asks(self.book.life, 1),
            }
        }
        needs
    }

    /// Where a stat is cut at its cap, a cap that may be raised is read.
    fn cut(&self, stat: u8, needs: &mut Needs) {
        if needs.reads(stat)
            && let Some(raised) = self.book.stats[usize::from(stat)].raised
        {
            needs.enough[usize::from(raised)] = ENDLESS;
            needs.little[usize::from(raised)] = DEAD;
        }
    }

    /// A stat rises by an amount from `least` to `most`.
    fn add(&self, stat: u8, least: i32, most: i32, needs: &mut Needs) {
        if !needs.reads(stat) {
            return;
        }
        self.cut(stat, needs);
        let compiled = &self.book.stats[usize::from(stat)];
        let little = &mut needs.little[usize::from(stat)];
        if *little != DEAD {
            *little = little.saturating_sub(most);
            if *little < -MOST {
                *little = DEAD;
            }
        }
        let enough = &mut needs.enough[usize::from(stat)];
        if *enough == ENDLESS {
            return;
        }
        if compiled.raised.is_none()
            && let Some(cap) = self.caps[usize::from(stat)]
        {
            *enough = (*enough).min(cap.into());
        }
        if compiled.floor.is_some_and(|floor| *enough <= floor.into()) {
            *enough = DEAD;
            needs.little[usize::from(stat)] = ENDLESS;
            return;
        }
        *enough = enough.saturating_sub(least);
        if *enough > MOST {
            *enough = ENDLESS;
        }
        *enough = (*enough).max(-MOST);
    }
}
