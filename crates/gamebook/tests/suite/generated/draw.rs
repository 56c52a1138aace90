//! Random sections and everything in them.

use std::collections::BTreeMap;

use oddsmith_fightingfantasy::LuckTest;
use oddsmith_gamebook::{
    Amount, Branch, Choice, Condition, ConditionalEffects, Effect, Ending, Enemy, Escape, Fight,
    FightCount, FightOrder, Goods, Hazard, Holding, Manuscript, Passage, Play, RandomLoss,
    RefreshAt, RepeatedEffects, Section, Sheet, Shop, Toll, Trial, Wager, Ware, WeightedEffects,
};
use quickcheck::{Arbitrary, Gen};

use super::sheet::{FLAGS, ITEMS, RAISED, STATS, TAGS};

pub(crate) fn below(g: &mut Gen, end: u32) -> u32 {
    u32::arbitrary(g) % end
}

pub(crate) fn sometimes(g: &mut Gen, times: u32, of: u32) -> bool {
    below(g, of) < times
}

pub(crate) fn one_of<T: Copy>(g: &mut Gen, all: &[T]) -> T {
    all[below(g, all.len() as u32) as usize]
}

pub(super) fn manuscript(g: &mut Gen, sheet: Sheet, cyclic: bool) -> Manuscript {
    let mut book = Manuscript::new("generated");
    let rules = &mut book.rules;
    if sometimes(g, 1, 3) {
        rules.test = LuckTest::Below;
    }
    if sometimes(g, 1, 5) {
        rules.hit = one_of(g, &[1, 3]);
    }
    if sometimes(g, 1, 4) {
        rules.refresh = RefreshAt::Marked;
    }
    rules.refresh_options = one_of(g, &[0, 1, 1, 2]);
    // With LUCK in battle, every state of a fight is a state of the book.
    rules.luck_in_battle = sometimes(g, 1, 10);
    book.sheet = sheet;
    let last = 6 + below(g, 9);
    let mut back = if cyclic { 1 + below(g, 2) } else { 0 };
    for number in 1..=last {
        let mut draw = Draw {
            g,
            number,
            last,
            cyclic,
            labels: 0,
        };
        let mut section = match last - number {
            0 => Section::new(number, Passage::won()),
            1 => Section::new(number, Passage::lost()),
            _ => draw.section(),
        };
        // The link back is one of several options, and usually costs something.
        if back > 0
            && number > 2
            && let Play::Choice(options) = &mut section.passage.play
        {
            back -= 1;
            let mut passage = Passage::to(1 + below(g, number));
            let mut option = Choice::new("back", passage.clone());
            match below(g, 4) {
                0 => {
                    option.condition = Some(Condition::at_least("gold", 1));
                    passage.effects.push(Effect::change("gold", -1));
                }
                1 => {
                    option.condition =
                        Some(Condition::Not(Box::new(Condition::Flag("seen".into()))));
                    passage.effects.push(Effect::SetFlag("seen".into()));
                }
                2 => passage.effects.push(Effect::change("stamina", -1)),
                _ => {}
            }
            options.push(Choice { passage, ..option });
        }
        book.sections.push(section);
    }
    book
}

struct Draw<'g> {
    g: &'g mut Gen,
    number: u32,
    last: u32,
    /// If so, caps must not grow forever; if not, sold items must not cost the same.
    cyclic: bool,
    /// Labels of options so far: all in a book are different.
    labels: u32,
}

impl Draw<'_> {
    fn label(&mut self) -> String {
        self.labels += 1;
        format!("way {}.{}", self.number, self.labels)
    }

    fn below(&mut self, end: u32) -> u32 {
        below(self.g, end)
    }

    fn sometimes(&mut self, times: u32, of: u32) -> bool {
        sometimes(self.g, times, of)
    }

    fn some(&mut self, all: &[&str]) -> String {
        one_of(self.g, all).to_owned()
    }

    fn list<T>(&mut self, length: u32, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..length).map(|_| one(self)).collect()
    }

    fn section(&mut self) -> Section {
        let play = match self.below(3) {
            0 => self.choice(0),
            _ => self.play(0),
        };
        let effects = if self.sometimes(1, 4) {
            self.effects(2)
        } else {
            Vec::new()
        };
        let mut section = Section::new(self.number, Passage { effects, play });
        if self.sometimes(1, 4) {
            section.refresh = Some(self.sometimes(1, 2));
        }
        if self.sometimes(1, 6) {
            section.leave = self.effects(2);
        }
        section
    }

    fn passage(&mut self, depth: u32) -> Passage {
        let play = match self.below(20) {
            0 if depth > 0 => Play::Ending(if self.sometimes(1, 3) {
                Ending::Won
            } else {
                Ending::Lost
            }),
            1..=4 if depth < 2 => self.play(depth),
            _ => {
                // The next to last section is lost, so links rarely lead there directly.
                let left = self.last - self.number;
                let step = 1 + self.below(left.min(4));
                let step = if step + 1 == left && self.sometimes(1, 2) {
                    left
                } else {
                    step
                };
                Play::Turn(self.number + step)
            }
        };
        let effects = if self.sometimes(1, 4) {
            self.effects(2)
        } else {
            Vec::new()
        };
        Passage { effects, play }
    }

    fn play(&mut self, depth: u32) -> Play {
        match self.below(16) {
            0 => self.passage(2).play,
            1..=3 => self.choice(depth),
            4..=5 => self.first(depth),
            6..=8 => self.test(depth),
            9..=11 => self.fight(depth),
            12 => self.shop(depth),
            13 => self.game(depth),
            _ => {
                let length = 1 + self.below(3);
                let mut branches = self.list(length, |d| Branch {
                    weight: d.below(4),
                    passage: d.passage(depth + 1),
                });
                branches[0].weight += 1;
                Play::Random(branches)
            }
        }
    }

    fn option(&mut self, depth: u32, asks: (u32, u32)) -> Choice {
        let passage = self.passage(depth + 1);
        let label = self.sometimes(1, 2).then(|| self.label());
        let condition = self.sometimes(asks.0, asks.1).then(|| self.condition(2));
        Choice {
            label,
            condition,
            passage,
        }
    }

    fn choice(&mut self, depth: u32) -> Play {
        let length = 1 + self.below(3);
        let mut options = self.list(length, |d| d.option(depth, (1, 2)));
        // Usually nobody is stuck.
        if self.sometimes(5, 6) {
            options[0].condition = None;
        }
        Play::Choice(options)
    }

    fn first(&mut self, depth: u32) -> Play {
        let length = 1 + self.below(2);
        let mut cases = self.list(length, |d| d.option(depth, (3, 4)));
        let last = self.option(depth, (0, 1));
        cases.push(last);
        Play::First(cases)
    }

    fn test(&mut self, depth: u32) -> Play {
        let stat = match self.below(4) {
            0 => "skill".to_owned(),
            1..=2 => "luck".to_owned(),
            _ => self.some(&STATS),
        };
        let trial = Trial::new(&stat, self.passage(depth + 1), self.passage(depth + 1));
        Play::Test(Box::new(Trial {
            dice: one_of(self.g, &[1, 2, 2, 3]),
            add: one_of(self.g, &[0, 0, -2, 1]),
            ..trial
        }))
    }

    fn foe(&mut self) -> Enemy {
        // Some foes are too strong for a hero who has not found much.
        let skill = if self.sometimes(1, 16) { 18 } else { 4 };
        let foe = Enemy::new(skill + self.below(6) as i16, 1 + self.below(4) as u16);
        Enemy {
            damage: one_of(self.g, &[2, 2, 2, 1, 3, 0]),
            hazard: self.sometimes(1, 6).then(|| Hazard {
                chance: self.below(4) as u16,
                of: 3 + self.below(4) as u16,
                damage: 1 + self.below(2) as u16,
            }),
            mark: self.sometimes(1, 4).then(|| self.some(&FLAGS)),
            ..foe
        }
    }

    fn fight(&mut self, depth: u32) -> Play {
        let order = one_of(
            self.g,
            &[FightOrder::InTurn, FightOrder::AtOnce, FightOrder::OneOf],
        );
        let length = one_of(self.g, &[1, 1, 2, 2, 3]);
        let foes = self.list(length, Self::foe);
        let count = one_of(
            self.g,
            &[FightCount::Rounds, FightCount::Wounds, FightCount::Hits],
        );
        let escape = self.sometimes(1, 3).then(|| Escape {
            count,
            after: 1 + self.below(3) as u16,
            forced: self.sometimes(1, 2),
            cost: self.below(3) as u16,
            flee: self.passage(depth + 1),
        });
        Play::Fight(Box::new(Fight {
            foes,
            order,
            attack: one_of(self.g, &[0, 0, -1, 2]),
            escape,
            toll: self.sometimes(1, 4).then(|| self.toll(count)),
            victory: self.passage(depth + 1),
        }))
    }

    /// Without cycles, repeated effects must not go on forever.
    fn toll(&mut self, other: FightCount) -> Toll {
        let count = match self.below(3) {
            0 => other,
            1 => FightCount::Wounds,
            _ => FightCount::Hits,
        };
        let effects = match (self.cyclic, self.below(6)) {
            (true, 0..=2) => self.effects(2),
            (true, 3) => vec![Effect::change(self.some(&STATS), -1)],
            (false, 0..=1) if count == FightCount::Hits => {
                vec![Effect::change(self.some(&STATS), -1)]
            }
            // If there are more wounds than boxes of sheets distinguish, the cost has a floor.
            (false, 0..=1) if count == FightCount::Wounds => {
                vec![Effect::change(self.some(&["luck", "meals"]), -1)]
            }
            (_, 0..=2) => vec![Effect::Lose(self.some(&ITEMS))],
            (_, 3..=4) => vec![
                Effect::SetFlag(self.some(&FLAGS)),
                Effect::LoseRandom(RandomLoss {
                    count: 1,
                    tag: None,
                }),
            ],
            _ => vec![Effect::Random(vec![
                WeightedEffects {
                    weight: 1,
                    effects: vec![Effect::Lose(self.some(&ITEMS))],
                },
                WeightedEffects {
                    weight: 2,
                    effects: Vec::new(),
                },
            ])],
        };
        Toll { count, effects }
    }

    fn shop(&mut self, depth: u32) -> Play {
        let length = self.below(3);
        let mut sells = self.list(length, |d| Goods::item(d.some(&ITEMS), d.below(4) as u16));
        if self.sometimes(1, 2) {
            sells.push(Goods {
                // With neither cap nor price, an item could be bought forever.
                price: 1 + self.below(2) as u16,
                ware: Ware::Stat(self.some(&["meals", "stamina", "honour"])),
            });
        }
        once(&mut sells);
        let length = self.below(3);
        let mut buys = self.list(length, |d| Goods::item(d.some(&ITEMS), d.below(3) as u16));
        let profit = u16::from(!self.cyclic);
        buys.retain_mut(|goods| {
            let same = sells.iter().filter(|sold| sold.ware == goods.ware);
            let Some(least) = same.map(|sold| sold.price).min() else {
                return true;
            };
            goods.price = goods.price.min(least.saturating_sub(profit));
            goods.price + profit <= least
        });
        once(&mut buys);
        Play::Shop(Box::new(Shop {
            sells,
            buys,
            leave: self.passage(depth + 1),
        }))
    }

    fn game(&mut self, depth: u32) -> Play {
        Play::Game(Box::new(Wager {
            rounds: 1 + self.below(3) as u16,
            condition: self.sometimes(1, 2).then(|| self.condition(1)),
            free: self.sometimes(1, 2),
            round: self.weighted(1),
            after: self.passage(depth + 1),
        }))
    }

    fn condition(&mut self, depth: u32) -> Condition {
        let kinds = if depth == 0 { 5 } else { 8 };
        match self.below(kinds) {
            0..=1 => Condition::Has(self.some(&ITEMS)),
            2 => Condition::Flag(self.some(&FLAGS)),
            3 => {
                let length = 1 + self.below(2);
                let stats = self.list(length, |d| (d.some(&STATS), d.below(7) as i16 - 1));
                Condition::AtLeast(stats.into_iter().collect())
            }
            4 => Condition::Holds(Holding {
                tag: self.some(&TAGS),
                count: self.below(4) as u16,
            }),
            5 => Condition::Not(Box::new(self.condition(depth - 1))),
            kind => {
                // Empty lists, too.
                let length = one_of(self.g, &[0, 1, 2, 2, 3]);
                let parts = self.list(length, |d| d.condition(depth - 1));
                if kind == 6 {
                    Condition::All(parts)
                } else {
                    Condition::Any(parts)
                }
            }
        }
    }

    fn effects(&mut self, depth: u32) -> Vec<Effect> {
        let length = 1 + self.below(2);
        self.list(length, |d| d.effect(depth))
    }

    fn amount(&mut self) -> Amount {
        if self.sometimes(1, 6) {
            let dice = one_of(self.g, &["1d2", "-1*1d2", "1d3-2", "2d2-3"]);
            return dice.parse().unwrap();
        }
        Amount::from(one_of(self.g, &[-2, -1, -1, 1, 1, 2]))
    }

    fn weighted(&mut self, depth: u32) -> Vec<WeightedEffects> {
        let length = 1 + self.below(3);
        let mut all = self.list(length, |d| WeightedEffects {
            weight: d.below(4),
            effects: if d.sometimes(3, 4) {
                d.effects(depth)
            } else {
                Vec::new()
            },
        });
        all[0].weight += 1;
        all
    }

    fn effect(&mut self, depth: u32) -> Effect {
        let kinds = if depth == 0 { 16 } else { 20 };
        match self.below(kinds) {
            0..=3 => {
                let length = 1 + self.below(2);
                let stats = self.list(length, |d| (d.some(&STATS), d.amount()));
                Effect::Change(stats.into_iter().collect())
            }
            4 => {
                let to = one_of(self.g, &["0", "1", "4", "1d3", "7"]);
                let stat = self.some(&STATS[1..]);
                Effect::Set(BTreeMap::from([(stat, to.parse().unwrap())]))
            }
            5 => Effect::Restore(self.some(&STATS)),
            6 if !self.cyclic => {
                let by = one_of(self.g, &[-2, -1, 1, 2]);
                Effect::RaiseCap(BTreeMap::from([(self.some(&RAISED), by)]))
            }
            7..=9 => Effect::Gain(self.some(&ITEMS)),
            10 => Effect::Lose(self.some(&ITEMS)),
            11 => Effect::LoseTagged(self.some(&TAGS)),
            12 => Effect::SetFlag(self.some(&FLAGS)),
            13 => Effect::ClearFlag(self.some(&FLAGS)),
            14 => Effect::LoseRandom(RandomLoss {
                count: 1 + self.below(3) as u16,
                tag: self.sometimes(1, 2).then(|| self.some(&TAGS)),
            }),
            6 | 15 => Effect::change("stamina", one_of(self.g, &[-2, -1, 2])),
            16..=17 => Effect::Random(self.weighted(depth - 1)),
            18 => Effect::When(ConditionalEffects {
                condition: self.condition(2),
                then: self.effects(depth - 1),
                otherwise: if self.sometimes(1, 2) {
                    self.effects(depth - 1)
                } else {
                    Vec::new()
                },
            }),
            _ => Effect::Repeat(RepeatedEffects {
                times: 1 + self.below(3) as u16,
                condition: self.sometimes(1, 2).then(|| self.condition(1)),
                effects: self.effects(depth - 1),
            }),
        }
    }
}

/// A shop has one price for each ware.
fn once(all: &mut Vec<Goods>) {
    let mut known = Vec::new();
    all.retain(|goods| {
        let new = !known.contains(&goods.ware);
        known.push(goods.ware.clone());
        new
    });
}
