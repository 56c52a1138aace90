//! Compiling a checked book.

mod fights;

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use fights::Fights;

use crate::compiled::{
    Compiled, CompiledItem, CompiledOption, CompiledRefreshment, CompiledStat, CompiledWare, Op,
    Scene, Test, Way,
};
use crate::section::{Choice, Ending, Passage, Play, shown};
use crate::{Book, Condition, Effect, Goods, RefreshAt, Section, Shop, Ware, WeightedEffects};

impl Book {
    /// Compiles the book for play.
    ///
    /// # Complexity
    /// One pass over the book.
    ///
    /// # Examples
    /// A test, and the two sections that it leads to:
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// assert_eq!(book.compile().sections(), 3);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn compile(&self) -> Compiled {
        Compiler::new(self).compile()
    }
}

type Interned<T> = IndexSet<T, FxBuildHasher>;

fn intern<T: Hash + Eq>(set: &mut Interned<T>, value: T) -> u32 {
    // A book of 2³² of them takes hundreds of gigabytes before it comes here.
    set.insert_full(value).0 as u32
}

/// Where a passage is written.
#[derive(Clone, Copy)]
struct Within<'s> {
    section: &'s Section,
    /// Whether the hero has run from a fight of the section, so that its effects on leaving are
    /// skipped.
    fled: bool,
}

struct Compiler<'b> {
    book: &'b Book,
    stats: BTreeMap<&'b str, u8>,
    bits: BTreeMap<&'b str, u128>,
    tags: BTreeMap<&'b str, u128>,
    conditions: Interned<Test>,
    effects: Interned<Vec<Op>>,
    numbers: Vec<u32>,
    scenes: Vec<Option<Scene>>,
    fights: Fights,
}

impl<'b> Compiler<'b> {
    fn new(book: &'b Book) -> Self {
        let sheet = &book.manuscript().sheet;
        let names = sheet.items.iter().map(|item| item.id.as_str());
        let names = names.chain(sheet.flags.iter().map(String::as_str));
        let bits: BTreeMap<&str, u128> = names
            .enumerate()
            .map(|(bit, name)| (name, 1 << bit))
            .collect();
        let mut tags = BTreeMap::new();
        for (bit, item) in sheet.items.iter().enumerate() {
            for tag in &item.tags {
                *tags.entry(tag.as_str()).or_insert(0) |= 1_u128 << bit;
            }
        }
        let stats = sheet.stats.iter().map(|stat| stat.id.as_str());
        Compiler {
            stats: stats.zip(0_u8..).collect(),
            bits,
            tags,
            conditions: Interned::default(),
            effects: Interned::default(),
            numbers: book.sections().map(|(number, _)| number).collect(),
            scenes: vec![None; book.len()],
            fights: Fights::default(),
            book,
        }
    }

    fn compile(mut self) -> Compiled {
        let manuscript = self.book.manuscript();
        let (rules, sheet) = (&manuscript.rules, &manuscript.sheet);
        let mut arrivals = Vec::new();
        let mut refresh = Vec::new();
        for (place, (_, section)) in self.book.sections().enumerate() {
            let mut arrival = self.ops(&section.passage.effects);
            arrival.push(Op::Survive);
            arrivals.push(intern(&mut self.effects, arrival));
            let rule = rules.refresh == RefreshAt::Choices;
            refresh.push(section.refresh.unwrap_or(rule));
            let within = Within {
                section,
                fled: false,
            };
            let scene = self.scene(&section.passage.play, within);
            self.scenes[place] = Some(scene);
        }
        let refreshments = sheet
            .refreshments
            .iter()
            .zip(1..)
            .map(|(refreshment, number)| {
                let mut effects = self.ops(&refreshment.effects);
                effects.push(Op::Survive);
                let label = shown(Some(&refreshment.label));
                CompiledRefreshment {
                    label: label.map_or_else(|| format!("refreshment {number}").into(), Into::into),
                    condition: refreshment.condition.as_ref().map(|c| self.condition(c)),
                    effects: intern(&mut self.effects, effects),
                }
            });
        let refreshments = refreshments.collect();
        self.go_on();
        self.numbers.push(manuscript.start);
        self.scenes.push(Some(Scene::Dead));
        let stats = self.stats();
        let luck = self.stats.get(rules.luck.as_str()).copied();
        let bits = sheet.items.iter().map(|item| item.id.as_str());
        let bits = bits.chain(sheet.flags.iter().map(String::as_str));
        let scenes: Option<Vec<Scene>> = std::mem::take(&mut self.scenes).into_iter().collect();
        let fights = self.compiled_fights();
        Compiled {
            bits: bits.map(Into::into).collect(),
            slots: self.slots(),
            arrivals,
            refresh,
            refreshments,
            stats,
            scenes: scenes.unwrap_or_default(),
            life: self.stat(&rules.stamina),
            skill: self.stats.get(rules.skill.as_str()).copied(),
            luck,
            battle_luck: luck.filter(|_| rules.luck_in_battle),
            money: self.stats.get(rules.money.as_str()).copied(),
            hit: rules.hit,
            refresh_options: rules.refresh_options,
            start: self.target(manuscript.start),
            numbers: self.numbers,
            conditions: self.conditions.into_iter().collect(),
            effects: self.effects.into_iter().map(Into::into).collect(),
            fights,
        }
    }

    fn stats(&self) -> Vec<CompiledStat> {
        let all = &self.book.manuscript().sheet.stats;
        let raises = |stat: u8| {
            let mut ops = self.effects.iter().flatten();
            ops.any(|op| matches!(op, Op::RaiseCap(raised, _) if *raised == stat))
        };
        let mut next = all.len();
        let stats = all.iter().zip(0_u8..).map(|(stat, number)| {
            let raised = raises(number).then(|| {
                next += 1;
                (next - 1) as u8
            });
            CompiledStat {
                id: stat.id.as_str().into(),
                initial: stat.initial,
                cap: stat.cap,
                raised,
                floor: stat.floor,
            }
        });
        stats.collect()
    }

    fn slots(&self) -> Vec<Vec<CompiledItem>> {
        let mut worn: BTreeMap<&str, Vec<(i16, CompiledItem)>> = BTreeMap::new();
        let mut free = Vec::new();
        for item in &self.book.manuscript().sheet.items {
            let changes = |map: &BTreeMap<String, i16>| {
                map.iter()
                    .map(|(stat, by)| (self.stat(stat), *by))
                    .collect()
            };
            let compiled = CompiledItem {
                bit: self.bit(&item.id),
                modifiers: changes(&item.modifiers),
                arms: (item.attack, item.hit),
                after_fight: changes(&item.after_fight),
            };
            match &item.slot {
                Some(slot) => {
                    let slot_items = worn.entry(&slot.id).or_default();
                    slot_items.push((slot.priority, compiled));
                }
                None => free.push(vec![compiled]),
            }
        }
        let worn = worn.into_values().map(|mut slot| {
            slot.sort_by_key(|(priority, _)| *priority);
            slot.into_iter().map(|(_, item)| item).collect()
        });
        worn.chain(free).collect()
    }

    // `check` has verified the names, so look-ups succeed.
    fn stat(&self, stat: &str) -> u8 {
        self.stats.get(stat).copied().unwrap_or_default()
    }

    fn bit(&self, name: &str) -> u128 {
        self.bits.get(name).copied().unwrap_or_default()
    }

    fn tag(&self, tag: &str) -> u128 {
        self.tags.get(tag).copied().unwrap_or_default()
    }

    fn target(&self, section: u32) -> u32 {
        let numbers = &self.numbers[..self.book.len()];
        numbers.binary_search(&section).unwrap_or_default() as u32
    }

    fn condition(&mut self, condition: &Condition) -> u32 {
        let test = match condition {
            Condition::Has(name) | Condition::Flag(name) => Test::Has(self.bit(name)),
            Condition::AtLeast(stats) => {
                let tests = stats
                    .iter()
                    .map(|(stat, value)| Test::AtLeast(self.stat(stat), *value));
                let mut tests: Vec<Test> = tests.collect();
                match tests.pop() {
                    Some(only) if tests.is_empty() => only,
                    last => {
                        let all = tests.into_iter().chain(last);
                        Test::All(all.map(|test| intern(&mut self.conditions, test)).collect())
                    }
                }
            }
            Condition::Holds(holding) => Test::Holds(self.tag(&holding.tag), holding.count),
            Condition::Not(not) => Test::Not(self.condition(not)),
            Condition::All(all) => Test::All(all.iter().map(|c| self.condition(c)).collect()),
            Condition::Any(any) => Test::Any(any.iter().map(|c| self.condition(c)).collect()),
        };
        intern(&mut self.conditions, test)
    }

    fn list(&mut self, effects: &[Effect]) -> u32 {
        let ops = self.ops(effects);
        intern(&mut self.effects, ops)
    }

    fn ops(&mut self, effects: &[Effect]) -> Vec<Op> {
        let mut ops = Vec::new();
        for effect in effects {
            match effect {
                Effect::Change(stats) => ops.extend(stats.iter().map(|(stat, by)| {
                    let stat = self.stat(stat);
                    match i16::try_from(by.min()) {
                        Ok(by_fixed) if by.is_fixed() => Op::Add(stat, by_fixed),
                        _ => Op::Roll(stat, *by),
                    }
                })),
                Effect::Set(stats) => {
                    ops.extend(stats.iter().map(|(stat, to)| Op::Set(self.stat(stat), *to)));
                }
                Effect::Restore(stat) => ops.push(Op::Restore(self.stat(stat))),
                Effect::RaiseCap(stats) => {
                    let raise = |(stat, by): (&String, &i16)| Op::RaiseCap(self.stat(stat), *by);
                    ops.extend(stats.iter().map(raise));
                }
                Effect::Gain(name) | Effect::SetFlag(name) => ops.push(Op::Gain(self.bit(name))),
                Effect::Lose(name) | Effect::ClearFlag(name) => ops.push(Op::Lose(self.bit(name))),
                Effect::LoseTagged(tag) => ops.push(Op::Lose(self.tag(tag))),
                Effect::LoseRandom(loss) => {
                    let items = self.book.manuscript().sheet.items.len();
                    let any = 1_u128
                        .checked_shl(items as u32)
                        .map_or(u128::MAX, |bit| bit - 1);
                    let mask = loss.tag.as_ref().map_or(any, |tag| self.tag(tag));
                    ops.push(Op::LoseRandom(mask, loss.count));
                }
                Effect::Random(branches) => {
                    let weighted = self.weighted(branches);
                    ops.push(Op::Random(weighted));
                }
                Effect::When(when) => {
                    let condition = self.condition(&when.condition);
                    let then = self.list(&when.then);
                    let otherwise = self.list(&when.otherwise);
                    ops.push(Op::When(condition, then, otherwise));
                }
                Effect::Repeat(repeat) => {
                    let condition = repeat.condition.as_ref().map(|c| self.condition(c));
                    let effects = self.list(&repeat.effects);
                    ops.push(Op::Repeat(repeat.times, condition, effects));
                }
            }
        }
        ops
    }

    fn weighted(&mut self, branches: &[WeightedEffects]) -> Vec<(u32, u32)> {
        let branches = branches.iter().map(|b| (b.weight, self.list(&b.effects)));
        branches.collect()
    }

    /// The way for a passage.
    fn way(&mut self, passage: &Passage, within: Within<'_>) -> Way {
        let mut ops = self.ops(&passage.effects);
        let to = match &passage.play {
            Play::Turn(number) => {
                if !within.fled {
                    ops.extend(self.ops(&within.section.leave));
                }
                let to = self.target(*number);
                let next = self.book.get(*number).unwrap_or(within.section);
                // A test of LUCK may have cost life itself, if the two are one stat.
                let rules = self.book.rules();
                if !ops.is_empty() || rules.luck == rules.stamina {
                    ops.push(Op::Depart);
                }
                ops.extend(self.ops(&next.passage.effects));
                to
            }
            play => {
                let scene = self.scene(play, within);
                self.numbers.push(within.section.number);
                self.scenes.push(Some(scene));
                (self.scenes.len() - 1) as u32
            }
        };
        ops.push(Op::Survive);
        Way {
            effects: intern(&mut self.effects, ops),
            to,
        }
    }

    fn scene(&mut self, play: &Play, within: Within<'_>) -> Scene {
        match play {
            // The effects on arrival are already part of the way here.
            Play::Turn(_) => {
                let only = Passage {
                    effects: Vec::new(),
                    play: play.clone(),
                };
                Scene::Turn(self.way(&only, within))
            }
            Play::Ending(ending) => Scene::Ending(*ending == Ending::Won),
            Play::Choice(options) => Scene::Choice(self.options(options, within)),
            Play::First(cases) => Scene::First(self.options(cases, within)),
            Play::Test(test) => Scene::Test {
                stat: self.stat(&test.stat),
                dice: test.dice,
                add: test.add,
                success: self.way(&test.success, within),
                failure: self.way(&test.failure, within),
            },
            Play::Fight(fight) => self.fight(fight, within),
            Play::Shop(shop) => self.shop(shop, within),
            Play::Game(wager) => Scene::Game {
                rounds: wager.rounds,
                condition: wager.condition.as_ref().map(|c| self.condition(c)),
                free: wager.free,
                round: self.weighted(&wager.round),
                after: self.way(&wager.after, within),
            },
            Play::Random(branches) => {
                let ways = branches.iter();
                Scene::Random(
                    ways.map(|branch| (branch.weight, self.way(&branch.passage, within)))
                        .collect(),
                )
            }
        }
    }

    fn options(&mut self, options: &[Choice], within: Within<'_>) -> Vec<CompiledOption> {
        let options = options.iter().zip(1..).map(|(option, number)| {
            let label = match (shown(option.label.as_deref()), &option.passage.play) {
                (Some(label), _) => label.to_owned(),
                (None, Play::Turn(to)) => format!("turn to {to}"),
                (None, _) => format!("option {number}"),
            };
            CompiledOption {
                label: label.into(),
                condition: option.condition.as_ref().map(|c| self.condition(c)),
                way: self.way(&option.passage, within),
            }
        });
        options.collect()
    }

    fn shop(&mut self, shop: &Shop, within: Within<'_>) -> Scene {
        // `check` rejects prices above 10,000, so these fit.
        let price = |goods: &Goods| goods.price as i16;
        let name = |goods: &Goods| -> Arc<str> {
            match &goods.ware {
                Ware::Item(name) | Ware::Stat(name) => name.as_str().into(),
            }
        };
        let sells = shop.sells.iter().map(|goods| {
            let ware = match &goods.ware {
                Ware::Item(item) => CompiledWare::Bit(self.bit(item)),
                Ware::Stat(stat) => CompiledWare::Stat(self.stat(stat)),
            };
            (ware, price(goods), name(goods))
        });
        let sells = sells.collect();
        let buys = shop.buys.iter().map(|goods| match &goods.ware {
            Ware::Item(item) | Ware::Stat(item) => (self.bit(item), price(goods), name(goods)),
        });
        let buys = buys.collect();
        Scene::Shop {
            sells,
            buys,
            leave: self.way(&shop.leave, within),
        }
    }
}
