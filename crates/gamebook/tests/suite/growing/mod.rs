//! Plausible books of any length, determined by length and seed.
//!
//! A book is a row of quarters. In each, the reader chooses one of two or three streets, which meet
//! again in the next quarter. In the streets there are fights, tests, shops, finds, and places
//! where a tool from the same quarter or the previous one helps. A dozen quarters later the same
//! tools are needed again; two kinds of books differ in whether they are still there. At the end
//! there is a gate that opens with four keys, each from another quarter, and a warden behind it.

use oddsmith_gamebook::{
    Amount, Branch, Cap, Character, Choice, Condition, Effect, Enemy, Escape, Fight, Goods, Item,
    Manuscript, Passage, Play, Refreshment, Section, Shop, Slot, Stat, Trial,
};

/// Keys, all of which are needed.
pub(crate) const KEYS: u32 = 4;
/// Tools, which are found again and again.
const TOOLS: u32 = 24;
/// The approximate number of sections of a quarter.
const QUARTER: u32 = 24;

/// What happens to tools when the reader leaves the quarter that they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tools {
    /// They are kept, and help again a dozen quarters later: all may be held at any time.
    Kept,
    /// They are left behind, as in most books: every item stops mattering sooner or later.
    Left,
}

/// Random numbers from a seed: a linear congruential generator with the constants of Knuth's MMIX,
/// its upper bits. No statistics depend on it.
struct Rolls(u64);

impl Rolls {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(end.max(1))) as u32
    }

    fn within(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }
}

/// A hero with a good chance to get through.
pub(crate) fn hero() -> Character {
    Character::new()
        .stat("skill", 11)
        .stat("stamina", 16)
        .stat("luck", 9)
}

/// A book with this many sections, at least 20, in which tools are kept.
pub(crate) fn growing(sections: u32, seed: u64) -> Manuscript {
    growing_with(sections, seed, Tools::Kept)
}

/// A book with this many sections, at least 20.
pub(crate) fn growing_with(sections: u32, seed: u64, tools: Tools) -> Manuscript {
    let sections = sections.max(20);
    let mut book = Manuscript::new("growing");
    sheet(&mut book);
    let gate = sections - 2;
    let mut rolls = Rolls(seed);
    let mut starts = vec![1];
    while let Some(&start) = starts.last()
        && start < gate
    {
        let left = gate - start;
        let size = rolls.within(QUARTER - 6, QUARTER + 6);
        starts.push(start + if left < size + 12 { left } else { size });
    }
    let quarters = starts.len() as u32 - 1;
    for quarter in 0..quarters {
        let keys = (0..KEYS).filter(|key| key * quarters / KEYS == quarter);
        let mut one = Quarter {
            rolls: &mut rolls,
            tools,
            quarter,
            start: starts[quarter as usize],
            end: starts[quarter as usize + 1],
            keys: keys.collect(),
        };
        one.write(&mut book.sections);
    }
    let keys = (0..KEYS).map(|key| Condition::Has(format!("key_{key}")));
    let warden = Play::Fight(Box::new(Fight::new(
        [Enemy::new(11, 12)],
        Passage::to(gate + 1),
    )));
    let opens = Choice::new("unlock the gate", warden.into()).when(Condition::All(keys.collect()));
    let turn_back = Choice::new("turn back", Passage::to(gate + 2));
    let choice = Play::Choice(vec![opens, turn_back]);
    book.sections.push(Section::new(gate, choice.into()));
    book.sections.push(Section::new(gate + 1, Passage::won()));
    book.sections.push(Section::new(gate + 2, Passage::lost()));
    book
}

fn sheet(book: &mut Manuscript) {
    let stat = |id: &str, initial: i16, cap: i16| Stat {
        cap: Some(Cap::At(cap)),
        floor: Some(0),
        ..Stat::new(id, initial)
    };
    let sheet = &mut book.sheet;
    sheet
        .stats
        .extend([stat("gold", 4, 12), stat("provisions", 2, 4)]);
    sheet.items = (0..KEYS)
        .map(|key| Item::new(format!("key_{key}")))
        .collect();
    for tool in 0..TOOLS {
        let mut item = Item::new(format!("tool_{tool}"));
        // Some of them are weapons.
        if tool % 8 == 3 {
            item.attack = 1;
            item.slot = Some(Slot {
                id: "hand".into(),
                priority: tool as i16,
            });
        }
        sheet.items.push(item);
    }
    sheet.flags = vec!["warned".into()];
    sheet.refreshments.push(Refreshment {
        label: "eat".into(),
        condition: Some(Condition::at_least("provisions", 1)),
        effects: vec![
            Effect::change("provisions", -1),
            Effect::change("stamina", 4),
        ],
    });
}

struct Quarter<'r> {
    rolls: &'r mut Rolls,
    tools: Tools,
    quarter: u32,
    /// Its first section, and the first one after it.
    start: u32,
    end: u32,
    keys: Vec<u32>,
}

impl Quarter<'_> {
    fn tool(&mut self) -> String {
        // Three tools per quarter; those of the previous quarter still work.
        let tool = (self.quarter * 2 + self.rolls.below(3)) % TOOLS;
        format!("tool_{tool}")
    }

    fn write(&mut self, sections: &mut Vec<Section>) {
        let inner = self.end - self.start - 1;
        let streets = match inner {
            0..6 => 1,
            6..15 => 2,
            _ => 2 + self.rolls.below(2),
        };
        let begin = |street: u32| self.start + 1 + street * inner / streets;
        let starts: Vec<u32> = (0..=streets).map(begin).collect();
        let options = (0..streets).map(|street| {
            let to = starts[street as usize];
            Choice::new(format!("street {street}"), Passage::to(to))
        });
        let options: Vec<Choice> = options.collect();
        let mut entry = Section::new(self.start, Play::Choice(options).into());
        entry.passage.effects = vec![
            Effect::change("stamina", 3),
            Effect::change("luck", 1),
            // The items found here were not carried along.
            Effect::Lose(format!("tool_{}", (self.quarter * 2 + 2) % TOOLS)),
            Effect::ClearFlag("warned".into()),
        ];
        if self.tools == Tools::Left && self.quarter > 0 {
            // One of the three tools of the previous quarter is needed here, too.
            let left = [0, 1].map(|tool| self.quarter * 2 - 2 + tool);
            let left = left.map(|tool| Effect::Lose(format!("tool_{}", tool % TOOLS)));
            entry.passage.effects.extend(left);
        }
        sections.push(entry);
        for street in 0..streets as usize {
            // The first street has no keys: a reader who always takes it is stopped at the gate.
            let last_street = street as u32 == streets - 1;
            for number in starts[street]..starts[street + 1] {
                let last = number + 1 == starts[street + 1];
                let next = if last { self.end } else { number + 1 };
                let ahead = (number + 3).min(starts[street + 1] - 1);
                let ahead = if ahead > number { ahead } else { next };
                let mut passage = self.event(next, ahead);
                if last && last_street {
                    let keys = self.keys.iter();
                    let keys = keys.map(|key| Effect::Gain(format!("key_{key}")));
                    passage.effects.extend(keys);
                }
                sections.push(Section::new(number, passage));
            }
        }
    }

    fn event(&mut self, next: u32, ahead: u32) -> Passage {
        let to = |effects: Vec<Effect>| Passage {
            effects,
            ..Passage::to(next)
        };
        match self.rolls.below(12) {
            0..=2 => self.fight(next).into(),
            3..=4 => {
                let stat = ["luck", "skill"][self.rolls.below(2) as usize];
                let hurt = -(self.rolls.within(1, 3) as i16);
                let trial = Trial::new(stat, to(vec![]), to(vec![Effect::change("stamina", hurt)]));
                Play::Test(Box::new(trial)).into()
            }
            5 => to(vec![Effect::Gain(self.tool())]),
            6 => to(vec![Effect::Change(
                [(
                    "gold".to_owned(),
                    "1d6-1".parse().unwrap_or(Amount::from(2)),
                )]
                .into(),
            )]),
            7 => {
                let sells = vec![
                    Goods::item(self.tool(), self.rolls.within(2, 5) as u16),
                    Goods::stat("provisions", 2),
                ];
                let shop = Shop {
                    sells,
                    buys: Vec::new(),
                    leave: to(vec![]),
                };
                Play::Shop(Box::new(shop)).into()
            }
            8..=9 => {
                let tool = self.tool();
                let used =
                    Choice::new("use the tool", Passage::to(ahead)).when(Condition::Has(tool));
                let paid = Choice::new("pay", to(vec![Effect::change("gold", -2)]))
                    .when(Condition::at_least("gold", 2));
                let force = Choice::new("go on", to(vec![Effect::change("stamina", -2)]));
                Play::Choice(vec![used, paid, force]).into()
            }
            10 => {
                let warned = Choice::new("", to(vec![])).when(Condition::Flag("warned".into()));
                let else_hurt = Choice::new("", to(vec![Effect::change("stamina", -1)]));
                Play::First(vec![warned, else_hurt]).into()
            }
            _ => {
                let robbed = to(vec![Effect::change("gold", -3)]);
                let told = to(vec![Effect::SetFlag("warned".into())]);
                let branch = |weight, passage| Branch { weight, passage };
                Play::Random(vec![
                    branch(2, to(vec![])),
                    branch(1, robbed),
                    branch(1, told),
                ])
                .into()
            }
        }
    }

    fn fight(&mut self, next: u32) -> Play {
        let count = if self.rolls.below(4) == 0 { 2 } else { 1 };
        let foes = (0..count).map(|_| {
            let (skill, stamina) = (self.rolls.within(5, 9), self.rolls.within(4, 8));
            Enemy::new(skill as i16, stamina as u16)
        });
        let foes: Vec<Enemy> = foes.collect();
        let escape = (self.rolls.below(5) == 0).then(|| Escape {
            cost: 2,
            ..Escape::new(2, Passage::to(next))
        });
        Play::Fight(Box::new(Fight {
            escape,
            ..Fight::new(foes, Passage::to(next))
        }))
    }
}
