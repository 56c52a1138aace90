//! Small books with many random losses: risks that may be worth taking but usually are not.

use std::collections::BTreeMap;

use oddsmith_gamebook::{
    Book, BookGame, Branch, Cap, Character, Choice, Condition, ConditionalEffects, Effect, Enemy,
    Escape, Fight, Goods, Holding, Item, Manuscript, Passage, Play, RandomLoss, Refreshment,
    RepeatedEffects, Section, Shop, Stat, Trial, Wager, WeightedEffects,
};
use quickcheck::{Arbitrary, Gen};

const ITEMS: [&str; 7] = ["axe", "bell", "coin", "dirk", "egg", "fife", "gem"];
const TAGS: [&str; 2] = ["bright", "heavy"];

/// A path from one stage of a book to the next.
#[derive(Clone, Debug)]
struct Road {
    condition: Option<Condition>,
    effects: Vec<Effect>,
    /// The encounter on the road, and its reward.
    met: Met,
    then: Vec<Effect>,
    /// Whether it leads back instead, and how far.
    back: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Met {
    Nothing,
    Section,
    Test(&'static str),
    Fight { flee: bool },
    Shop,
    Game { free: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fork {
    Choice,
    First,
    Random,
}

/// A book of stages, each of which forks into roads to the next.
#[derive(Clone, Debug)]
pub(crate) struct Risky {
    items: Vec<Item>,
    held: Vec<String>,
    meals: Vec<Effect>,
    stages: Vec<(Fork, Vec<Road>)>,
    end: Vec<(Condition, bool)>,
    stats: [i16; 3],
    /// The memory limit.
    pub(crate) bytes: u8,
}

fn below(g: &mut Gen, end: u32) -> u32 {
    u32::arbitrary(g) % end
}

fn one_of<T: Clone>(g: &mut Gen, all: &[T]) -> T {
    all[below(g, all.len() as u32) as usize].clone()
}

fn some_item(g: &mut Gen) -> String {
    one_of(g, &ITEMS).into()
}

fn list<T>(g: &mut Gen, length: u32, one: impl Fn(&mut Gen) -> T) -> Vec<T> {
    (0..length).map(|_| one(g)).collect()
}

fn condition(g: &mut Gen) -> Condition {
    let tag = one_of(g, &TAGS).into();
    let count = below(g, 3) as u16;
    match below(g, 6) {
        0..=2 => Condition::Has(some_item(g)),
        3 => Condition::Not(Box::new(Condition::Has(some_item(g)))),
        4 => Condition::Holds(Holding { tag, count }),
        _ => Condition::at_least("gold", 1),
    }
}

fn loss(g: &mut Gen) -> Effect {
    let count = one_of(g, &[1, 1, 1, 2, 3]);
    let tag = (below(g, 3) == 0).then(|| one_of(g, &TAGS).into());
    Effect::LoseRandom(RandomLoss { count, tag })
}

fn effect(g: &mut Gen) -> Effect {
    match below(g, 16) {
        0..=4 => loss(g),
        5..=8 => Effect::Gain(some_item(g)),
        9 => Effect::Lose(some_item(g)),
        10 => Effect::change("gold", one_of(g, &[-1, 1, 2])),
        11 => Effect::change("stamina", one_of(g, &[-2, -1, 1])),
        12 => Effect::change("luck", one_of(g, &[-1, 1])),
        13 => Effect::Random(vec![outcome(g), outcome(g)]),
        14 => Effect::When(ConditionalEffects {
            condition: condition(g),
            then: vec![loss(g)],
            otherwise: list(g, 1, |g| Effect::Gain(some_item(g))),
        }),
        _ => Effect::Repeat(RepeatedEffects {
            times: 2,
            condition: (below(g, 2) == 0).then(|| condition(g)),
            effects: vec![loss(g)],
        }),
    }
}

fn outcome(g: &mut Gen) -> WeightedEffects {
    let length = below(g, 2);
    WeightedEffects {
        weight: 1 + below(g, 3),
        effects: list(g, length, |g| match below(g, 2) {
            0 => loss(g),
            _ => Effect::Gain(some_item(g)),
        }),
    }
}

impl Road {
    fn draw(g: &mut Gen, rings: bool) -> Self {
        let met = match below(g, 12) {
            0..=4 => Met::Nothing,
            5..=6 => Met::Section,
            7..=8 => Met::Test(one_of(g, &["luck", "skill"])),
            9 => Met::Fight {
                flee: bool::arbitrary(g),
            },
            10 => Met::Shop,
            _ => Met::Game {
                free: bool::arbitrary(g),
            },
        };
        let mut effects = list_of_effects(g);
        let back = (rings && below(g, 6) == 0).then(|| below(g, 2));
        if back.is_some() {
            // Usually nobody can go back forever.
            effects.push(Effect::change(one_of(g, &["stamina", "gold"]), -1));
        }
        Road {
            condition: (below(g, 4) == 0).then(|| condition(g)),
            effects,
            met,
            then: list_of_effects(g),
            back,
        }
    }
}

fn list_of_effects(g: &mut Gen) -> Vec<Effect> {
    let length = one_of(g, &[0, 0, 1, 1, 2]);
    list(g, length, effect)
}

impl Arbitrary for Risky {
    fn arbitrary(g: &mut Gen) -> Self {
        let rings = below(g, 4) == 0;
        let mut stages = Vec::new();
        for _ in 0..3 + below(g, 6) {
            let fork = one_of(
                g,
                &[
                    Fork::Choice,
                    Fork::Choice,
                    Fork::Choice,
                    Fork::First,
                    Fork::Random,
                ],
            );
            let length = 1 + below(g, 3);
            let mut roads = list(g, length, |g| Road::draw(g, rings));
            if fork == Fork::Choice && below(g, 4) == 0 {
                // Equally good, except for what can be done with the reward.
                let mut same = one_of(g, &roads);
                if below(g, 2) == 0 {
                    same.then.push(Effect::change("gold", 1));
                }
                roads.push(same);
            }
            if let Some(road) = roads.last_mut()
                && below(g, 6) > 0
            {
                road.condition = None;
            }
            stages.push((fork, roads));
        }
        let items = ITEMS.iter().enumerate().map(|(number, id)| {
            let mut item = Item::new(*id);
            // Every tag is used somewhere, since conditions may ask for it.
            item.tags.extend(TAGS.get(number).map(ToString::to_string));
            if item.tags.is_empty() && below(g, 2) == 0 {
                item.tags.push(one_of(g, &TAGS).into());
            }
            if below(g, 3) == 0 {
                let by = one_of(g, &[-3, -2, -1, 1, 2]);
                item.modifiers = BTreeMap::from([(one_of(g, &["luck", "skill"]).into(), by)]);
            }
            item
        });
        let items = items.collect();
        let mut held = list(g, 4, some_item);
        held.sort();
        held.dedup();
        let mut meals = vec![Effect::change("gold", -1), Effect::change("stamina", 2)];
        if below(g, 4) == 0 {
            meals.push(effect(g));
        }
        let length = 1 + below(g, 2);
        let end = list(g, length, |g| (condition(g), bool::arbitrary(g)));
        let stat = |g: &mut Gen, least, width| least + below(g, width) as i16;
        let stats = [stat(g, 5, 5), stat(g, 2, 5), stat(g, 4, 6)];
        Risky {
            items,
            held,
            meals,
            stages,
            end,
            stats,
            bytes: u8::arbitrary(g),
        }
    }

    /// Shrinks by removing a stage, a road or an event on a road.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let mut all = Vec::new();
        let mut with = |change: &mut dyn FnMut(&mut Risky)| {
            let mut other = self.clone();
            change(&mut other);
            all.push(other);
        };
        for stage in 0..self.stages.len() {
            if self.stages.len() > 1 {
                with(&mut |book| drop(book.stages.remove(stage)));
            }
        }
        for (stage, (_, roads)) in self.stages.iter().enumerate() {
            for road in 0..roads.len() {
                if roads.len() > 1 {
                    with(&mut |book| drop(book.stages[stage].1.remove(road)));
                }
                let old = &roads[road];
                let mut change = |change: &mut dyn FnMut(&mut Road)| {
                    with(&mut |book| change(&mut book.stages[stage].1[road]));
                };
                if old.met != Met::Nothing {
                    change(&mut |road| road.met = Met::Nothing);
                    change(&mut |road| road.then.clear());
                }
                if old.condition.is_some() {
                    change(&mut |road| road.condition = None);
                }
                if old.back.is_some() {
                    change(&mut |road| road.back = None);
                }
                for effect in 0..old.effects.len() {
                    change(&mut |road| drop(road.effects.remove(effect)));
                }
            }
        }
        for item in 0..self.held.len() {
            with(&mut |book| drop(book.held.remove(item)));
        }
        if self.meals.len() > 2 {
            with(&mut |book| drop(book.meals.pop()));
        }
        Box::new(all.into_iter())
    }
}

fn to(section: u32, effects: &[Effect]) -> Passage {
    Passage {
        effects: effects.to_vec(),
        ..Passage::to(section)
    }
}

fn risks(effect: &Effect) -> bool {
    !matches!(
        effect,
        Effect::Gain(_) | Effect::Lose(_) | Effect::Change(_)
    )
}

impl Road {
    /// Whether something may be lost at random on it.
    fn risks(&self) -> bool {
        let mut effects = self.effects.iter().chain(&self.then);
        effects.any(risks)
    }

    /// The encounter on this road, which is a section of its own.
    fn play(&self, next: u32, lost: u32) -> Passage {
        let then = to(next, &self.then);
        let play = match self.met {
            Met::Nothing | Met::Section => return then,
            Met::Test(stat) => Play::Test(Box::new(Trial::new(stat, then, to(lost, &[])))),
            Met::Fight { flee } => Play::Fight(Box::new(Fight {
                escape: flee.then(|| Escape {
                    cost: 1,
                    ..Escape::new(1, then.clone())
                }),
                ..Fight::new([Enemy::new(6, 3)], if flee { to(next, &[]) } else { then })
            })),
            Met::Shop => Play::Shop(Box::new(Shop {
                sells: vec![Goods::item("axe", 1), Goods::stat("stamina", 2)],
                buys: vec![Goods::item("gem", 1)],
                leave: then,
            })),
            Met::Game { free } => Play::Game(Box::new(Wager {
                rounds: 2,
                condition: None,
                free,
                round: vec![
                    WeightedEffects {
                        weight: 1,
                        effects: self.then.clone(),
                    },
                    WeightedEffects {
                        weight: 2,
                        effects: vec![Effect::change("gold", 1)],
                    },
                ],
                after: to(next, &[]),
            })),
        };
        play.into()
    }
}

impl Risky {
    /// The same without the roads on which something may be lost at random.
    pub(crate) fn cautious(&self) -> Self {
        let mut book = self.clone();
        for (_, roads) in &mut book.stages {
            if roads.iter().any(|road| !road.risks()) {
                roads.retain(|road| !road.risks());
            }
        }
        book
    }

    pub(crate) fn rings(&self) -> bool {
        let mut roads = self.stages.iter().flat_map(|stage| &stage.1);
        roads.any(|road| road.back.is_some())
    }

    pub(crate) fn game(&self) -> BookGame {
        self.played(false)
    }

    /// With LUCK in battle.
    pub(crate) fn with_luck(&self) -> BookGame {
        self.played(true)
    }

    fn played(&self, luck_in_battle: bool) -> BookGame {
        let mut book = self.manuscript();
        book.rules.luck_in_battle = luck_in_battle;
        self.game_of(book)
    }

    /// With the hero of this book.
    pub(crate) fn game_of(&self, book: Manuscript) -> BookGame {
        Book::new(book).unwrap().game(self.hero()).unwrap()
    }

    pub(crate) fn hero(&self) -> Character {
        let [skill, stamina, luck] = self.stats;
        crate::pieces::rolled(skill, stamina, luck)
    }

    pub(crate) fn manuscript(&self) -> Manuscript {
        let mut book = Manuscript::new("risky");
        book.rules.refresh_options = 1;
        book.sheet.stats.push(Stat {
            cap: Some(Cap::At(3)),
            floor: Some(0),
            ..Stat::new("gold", 1)
        });
        book.sheet.items = self.items.clone();
        book.sheet.initial_items = self.held.clone();
        book.sheet.refreshments = vec![Refreshment {
            label: "eat".into(),
            condition: Some(Condition::at_least("gold", 1)),
            effects: self.meals.clone(),
        }];
        let end = 10 * self.stages.len() as u32 + 10;
        for (stage, (fork, roads)) in (1..).zip(&self.stages) {
            let here = 10 * stage;
            let mut options = Vec::new();
            for (number, road) in (1..).zip(roads) {
                let back = road
                    .back
                    .map(|back| (10 * (stage - stage.min(back))).max(10));
                let next = back.unwrap_or(here + 10);
                let passage = match road.met {
                    Met::Nothing => to(next, &road.effects),
                    _ => {
                        let met = Section::new(here + number, road.play(next, end + 1));
                        book.sections.push(met);
                        to(here + number, &road.effects)
                    }
                };
                let option = Choice::new(format!("{here}.{number}"), passage);
                options.push(Choice {
                    condition: road.condition.clone(),
                    ..option
                });
            }
            let play = match fork {
                Fork::Choice => Play::Choice(options),
                Fork::First => {
                    options.push(Choice::new("else", to(here + 10, &[])));
                    Play::First(options)
                }
                Fork::Random => {
                    let branches = (1..).zip(options);
                    let branches = branches.map(|(weight, option)| Branch {
                        weight,
                        passage: option.passage,
                    });
                    Play::Random(branches.collect())
                }
            };
            book.sections.push(Section::new(here, play.into()));
        }
        let mut ends = Vec::new();
        for (condition, test) in &self.end {
            let passage = match test {
                true => Passage::to(end + 2),
                false => Passage::won(),
            };
            ends.push(Choice::new("end", passage).when(condition.clone()));
        }
        ends.push(Choice::new("lost", Passage::lost()));
        let luck = Trial::new("luck", Passage::won(), Passage::lost());
        book.sections.extend([
            Section::new(end, Play::First(ends).into()),
            Section::new(end + 1, Passage::lost()),
            Section::new(end + 2, Play::Test(Box::new(luck)).into()),
        ]);
        book.start = 10;
        book
    }
}
