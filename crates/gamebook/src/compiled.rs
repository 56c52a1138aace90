//! The compiled book: names are numbers, conditions and effects are interned.

use std::sync::Arc;

use crate::Amount;
use crate::running::Terms;

/// A book in the form in which it is played.
///
/// Sections are numbered densely, in ascending order of their own numbers, and parts of sections
/// follow them as scenes of their own. Items and flags are bits of one word, in the order of the
/// sheet. Equal conditions and equal lists of effects are stored once.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Book;
///
/// let book = Book::builder().choice(10, [("a", 20), ("b", 30)]).won(20).lost(30).build()?;
/// let compiled = book.compile();
/// assert_eq!((compiled.sections(), compiled.scenes()), (3, 3));
/// assert_eq!(compiled.effect_lists(), 1); // alive on arrival
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compiled {
    /// By scene, the number of its section.
    pub(crate) numbers: Vec<u32>,
    pub(crate) scenes: Vec<Scene>,
    /// By section, the effects on arrival.
    pub(crate) arrivals: Vec<u32>,
    /// By section, whether refreshments may be taken, if enough options are open.
    pub(crate) refresh: Vec<bool>,
    pub(crate) conditions: Vec<Test>,
    pub(crate) effects: Vec<Arc<[Op]>>,
    pub(crate) fights: Vec<CompiledFight>,
    pub(crate) stats: Vec<CompiledStat>,
    /// Names of items and flags, by bit.
    pub(crate) bits: Vec<Arc<str>>,
    /// Worn items by slot, in order of priority; then items without a slot, each by itself.
    pub(crate) slots: Vec<Vec<CompiledItem>>,
    pub(crate) refreshments: Vec<CompiledRefreshment>,
    /// The stats that the rules name: STAMINA, then the others if there are any.
    pub(crate) life: u8,
    pub(crate) skill: Option<u8>,
    pub(crate) luck: Option<u8>,
    /// LUCK, if it may be tested on blows.
    pub(crate) battle_luck: Option<u8>,
    pub(crate) money: Option<u8>,
    pub(crate) hit: u16,
    pub(crate) refresh_options: u16,
    pub(crate) start: u32,
}

impl Compiled {
    /// All bits that `of` finds in a list of effects, under whatever conditions.
    pub(crate) fn bits_by(&self, list: u32, of: fn(&Op) -> u128) -> u128 {
        let ops = self.effects[list as usize].iter();
        ops.fold(0, |bits, op| {
            bits | match op {
                Op::Random(branches) => branches
                    .iter()
                    .fold(0, |bits, (_, list)| bits | self.bits_by(*list, of)),
                Op::When(_, then, otherwise) => {
                    self.bits_by(*then, of) | self.bits_by(*otherwise, of)
                }
                Op::Repeat(_, _, list) => self.bits_by(*list, of),
                op => of(op),
            }
        })
    }

    /// Returns the number of a stat.
    pub(crate) fn stat_named(&self, id: &str) -> Option<usize> {
        self.stats.iter().position(|stat| *stat.id == *id)
    }

    /// Returns the bit of an item or a flag.
    pub(crate) fn bit_named(&self, name: &str) -> Option<u128> {
        let bit = self.bits.iter().position(|bit| **bit == *name);
        bit.map(|bit| 1 << bit)
    }

    /// Returns the names of the items that are held and the flags that are set.
    pub(crate) fn names_of(&self, items: u128) -> impl Iterator<Item = &str> {
        let bits = self.bits.iter().enumerate();
        bits.filter_map(move |(bit, name)| (items >> bit & 1 == 1).then_some(&**name))
    }

    /// Whether a scene is a fight that goes on after a toll.
    pub(crate) fn is_amid_a_fight(&self, scene: usize) -> bool {
        match &self.scenes[scene] {
            Scene::Fight { fight, .. } => self.fights[*fight as usize].begun.is_some(),
            _ => false,
        }
    }

    /// Returns the number of sections.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().choice(1, [("left", 20), ("right", 300)]).won(20).lost(300).build()?;
    /// assert_eq!(book.compile().sections(), 3);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn sections(&self) -> usize {
        self.arrivals.len()
    }

    /// Returns the number of scenes: sections, and parts of sections that are played by themselves.
    ///
    /// # Examples
    /// Three sections, and a test to which an option of the first leads:
    /// ```
    /// use oddsmith_gamebook::{Choice, Passage, Play, Section, Trial};
    /// # use oddsmith_gamebook::{Book, Manuscript};
    ///
    /// let test = Play::Test(Box::new(Trial::new("luck", Passage::to(2), Passage::to(3))));
    /// let options = vec![Choice::new("jump", test.into()), Choice::new("go", Passage::to(3))];
    /// let gap = Section::new(1, Play::Choice(options).into());
    /// # let mut book = Manuscript::new("gap");
    /// # book.sections = vec![gap, Section::new(2, Passage::won()), Section::new(3, Passage::lost())];
    /// let compiled = Book::new(book)?.compile();
    /// assert_eq!((compiled.sections(), compiled.scenes()), (3, 4));
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn scenes(&self) -> usize {
        // The last scene is death.
        self.scenes.len() - 1
    }

    /// Returns the number of distinct lists of effects.
    ///
    /// # Examples
    /// Both options cost the same, which is one list; the check for life on arrival is another:
    /// ```
    /// use oddsmith_gamebook::{Effect, Passage};
    /// # use oddsmith_gamebook::{Book, Choice, Manuscript, Play, Section};
    ///
    /// let paid = |to| Passage { effects: vec![Effect::change("stamina", -2)], ..Passage::to(to) };
    /// # let options = vec![Choice::new("climb", paid(2)), Choice::new("swim", paid(3))];
    /// # let mut book = Manuscript::new("river");
    /// # book.sections = vec![Section::new(1, Play::Choice(options).into())];
    /// # book.sections.extend([Section::new(2, Passage::won()), Section::new(3, Passage::lost())]);
    /// # let book = Book::new(book)?;
    /// assert_eq!(book.compile().effect_lists(), 2);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn effect_lists(&self) -> usize {
        self.effects.len()
    }

    /// Returns the number of distinct conditions, parts included.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// assert_eq!(Book::builder().won(1).build()?.compile().conditions(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn conditions(&self) -> usize {
        self.conditions.len()
    }

    /// Whether all effects of a way are those on arrival at a section: nothing happens before the
    /// hero has left.
    pub(crate) fn only_arrives(&self, way: Way) -> bool {
        let departs = self.effects[way.effects as usize].contains(&Op::Depart);
        (way.to as usize) < self.sections() && !departs
    }

    /// Whether a stat of the packed sheet holds the cap of another stat.
    pub(crate) fn is_raised_cap(&self, number: usize) -> bool {
        let mut stats = self.stats.iter();
        stats.any(|stat| stat.raised == Some(number as u8))
    }

    /// The refreshments that may be taken at a choice with this many open options.
    pub(crate) fn refreshing(
        &self,
        scene: u32,
        held: &crate::place::Held,
        options: usize,
    ) -> impl Iterator<Item = &CompiledRefreshment> {
        let allowed = self.refresh.get(scene as usize) == Some(&true);
        let enough = options >= usize::from(self.refresh_options);
        let all = self.refreshments.iter().filter(move |_| allowed && enough);
        all.filter(|one| self.open(one.condition, held))
    }

    /// Whether a hero with this sheet is dead.
    pub(crate) fn is_dead(&self, held: &crate::place::Held) -> bool {
        held.stats[usize::from(self.life)] <= 0
    }

    /// Whether a condition holds, or there is none.
    pub(crate) fn open(&self, condition: Option<u32>, held: &crate::place::Held) -> bool {
        condition.is_none_or(|condition| self.holds(condition, held))
    }

    pub(crate) fn holds(&self, condition: u32, held: &crate::place::Held) -> bool {
        match &self.conditions[condition as usize] {
            Test::Has(mask) => held.items & mask != 0,
            Test::AtLeast(stat, value) => held.stats[usize::from(*stat)] >= *value,
            Test::Holds(mask, count) => (held.items & mask).count_ones() >= u32::from(*count),
            Test::Not(not) => !self.holds(*not, held),
            Test::All(all) => all.iter().all(|one| self.holds(*one, held)),
            Test::Any(any) => any.iter().any(|one| self.holds(*one, held)),
        }
    }

    /// The deals that are open in a shop, by number: first the wares it sells, then those it buys.
    pub(crate) fn deals(
        &self,
        sells: &[(CompiledWare, i16, Arc<str>)],
        buys: &[(u128, i16, Arc<str>)],
        held: &crate::place::Held,
    ) -> Vec<usize> {
        let Some(money) = self.money else {
            return Vec::new();
        };
        let purse = held.stats[usize::from(money)];
        let sold = sells.iter().map(|(ware, price, _)| match ware {
            CompiledWare::Bit(bit) => *price <= purse && held.items & bit == 0,
            CompiledWare::Stat(_) => *price <= purse,
        });
        let bought = buys.iter().map(|(bit, ..)| held.items & bit != 0);
        let open = sold.chain(bought).enumerate();
        open.filter_map(|(deal, open)| open.then_some(deal))
            .collect()
    }

    /// The value of a stat, with what working items add.
    pub(crate) fn effective(&self, stat: u8, held: &crate::place::Held) -> i32 {
        let added = self.working(held.items).flat_map(|item| &item.modifiers);
        let added = added.filter(|(modified, _)| *modified == stat);
        i32::from(held.stats[usize::from(stat)]) + added.map(|(_, by)| i32::from(*by)).sum::<i32>()
    }

    /// What a hero brings to a fight.
    pub(crate) fn arms(&self, fight: &CompiledFight, held: &crate::place::Held) -> Arms {
        let skill = self.skill.map_or(0, |skill| self.effective(skill, held));
        let added = self.working(held.items).map(|item| item.arms);
        let added = added.fold((0, 0), |all, item| {
            (all.0 + i32::from(item.0), all.1 + i32::from(item.1))
        });
        self.armed(fight, (skill + added.0, added.1))
    }

    /// The same, given the totals added to attack and hits.
    pub(crate) fn armed(&self, fight: &CompiledFight, (attack, hit): (i32, i32)) -> Arms {
        Arms {
            attack: attack + i32::from(fight.attack),
            hit: with_arms(self.hit, hit),
        }
    }

    /// The held items that work: the first of each slot.
    pub(crate) fn working(&self, items: u128) -> impl Iterator<Item = &CompiledItem> {
        let slots = self.slots.iter();
        slots.filter_map(move |slot| slot.iter().find(|item| items & item.bit != 0))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    /// At least one of these bits.
    Has(u128),
    AtLeast(u8, i16),
    /// At least this many of these bits.
    Holds(u128, u16),
    Not(u32),
    All(Vec<u32>),
    Any(Vec<u32>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Add(u8, i16),
    Roll(u8, Amount),
    Set(u8, Amount),
    Restore(u8),
    RaiseCap(u8, i16),
    Gain(u128),
    Lose(u128),
    LoseRandom(u128, u16),
    Random(Vec<(u32, u32)>),
    When(u32, u32, u32),
    Repeat(u16, Option<u32>, u32),
    /// A hero whose life is 0 or less is dead.
    Survive,
    /// The same, but before the section is left, so a hero who dies here does not arrive at the
    /// next one.
    Depart,
}

impl Op {
    /// Whether dice or weights decide what becomes of a sheet.
    pub(crate) fn is_thrown(&self) -> bool {
        match self {
            Op::Roll(_, by) | Op::Set(_, by) => !by.is_fixed(),
            Op::Random(branches) => branches.len() > 1,
            _ => false,
        }
    }
}

/// Effects, and the scene that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Way {
    pub(crate) effects: u32,
    pub(crate) to: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Scene {
    Turn(Way),
    Choice(Vec<CompiledOption>),
    First(Vec<CompiledOption>),
    Test {
        stat: u8,
        dice: u8,
        add: i16,
        success: Way,
        failure: Way,
    },
    Fight {
        fight: u32,
        victory: Way,
        /// The way after running.
        flee: Option<Way>,
        /// The ways on after a toll, by how the fight [stands](CompiledFight::tolled) then.
        tolls: Vec<Way>,
    },
    Shop {
        /// Ware or item, price, name.
        sells: Vec<(CompiledWare, i16, Arc<str>)>,
        buys: Vec<(u128, i16, Arc<str>)>,
        leave: Way,
    },
    Game {
        rounds: u16,
        condition: Option<u32>,
        free: bool,
        round: Vec<(u32, u32)>,
        after: Way,
    },
    Random(Vec<(u32, Way)>),
    Ending(bool),
    /// The scene of the dead.
    Dead,
}

impl Scene {
    /// Its ways, in the same order as their [targets](Scene::targets).
    pub(crate) fn ways_mut(&mut self) -> Vec<&mut Way> {
        match self {
            Scene::Turn(way) | Scene::Shop { leave: way, .. } | Scene::Game { after: way, .. } => {
                vec![way]
            }
            Scene::Choice(options) | Scene::First(options) => {
                options.iter_mut().map(|option| &mut option.way).collect()
            }
            Scene::Test {
                success, failure, ..
            } => vec![success, failure],
            Scene::Fight {
                victory,
                flee,
                tolls,
                ..
            } => std::iter::once(victory).chain(flee).chain(tolls).collect(),
            Scene::Random(branches) => branches.iter_mut().map(|(_, way)| way).collect(),
            Scene::Ending(_) | Scene::Dead => Vec::new(),
        }
    }

    /// The scenes its ways lead to, in the order in which lints and solvers count them.
    pub(crate) fn targets(&self) -> Vec<usize> {
        let to = |way: &Way| way.to as usize;
        match self {
            Scene::Turn(way) | Scene::Shop { leave: way, .. } | Scene::Game { after: way, .. } => {
                vec![to(way)]
            }
            Scene::Choice(options) | Scene::First(options) => {
                options.iter().map(|option| to(&option.way)).collect()
            }
            Scene::Test {
                success, failure, ..
            } => vec![to(success), to(failure)],
            Scene::Fight {
                victory,
                flee,
                tolls,
                ..
            } => {
                let ways = std::iter::once(victory).chain(flee).chain(tolls);
                ways.map(to).collect()
            }
            Scene::Random(branches) => branches.iter().map(|(_, way)| to(way)).collect(),
            Scene::Ending(_) | Scene::Dead => Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CompiledWare {
    Bit(u128),
    Stat(u8),
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledOption {
    pub(crate) label: Arc<str>,
    pub(crate) condition: Option<u32>,
    pub(crate) way: Way,
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledRefreshment {
    pub(crate) label: Arc<str>,
    pub(crate) condition: Option<u32>,
    pub(crate) effects: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompiledFight {
    pub(crate) foes: Vec<crate::Enemy>,
    /// By foe, the flag that is set when it falls.
    pub(crate) marks: Vec<u128>,
    pub(crate) order: crate::FightOrder,
    pub(crate) attack: i16,
    pub(crate) terms: Terms,
    /// How the fight stands at its beginning, if it goes on after a toll. Otherwise it begins with
    /// the first foe, or with a drawn one.
    pub(crate) begun: Option<Standoff>,
    /// How it may stand after a toll, in ascending order.
    pub(crate) tolled: Vec<Standoff>,
}

/// What hits take with this bonus, within 16 bits, as for the STAMINA of a foe.
pub(crate) fn with_arms(hit: u16, added: i32) -> u16 {
    (i32::from(hit) + added).clamp(0, u16::MAX.into()) as u16
}

/// What a hero brings to a fight: SKILL with all bonuses, and what hits take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arms {
    pub(crate) attack: i32,
    pub(crate) hit: u16,
}

/// How an interrupted fight goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Standoff {
    /// The first foe who stands, or the one who was drawn.
    pub(crate) foe: u16,
    pub(crate) stamina: u16,
    /// The count towards running.
    pub(crate) so_far: u16,
}

impl CompiledFight {
    /// Whether one of several foes is drawn before the first round.
    pub(crate) fn draws(&self) -> bool {
        self.drawn() && self.begun.is_none() && self.foes.len() > 1
    }

    /// Whether it is against a single foe, who is drawn.
    pub(crate) fn drawn(&self) -> bool {
        self.order == crate::FightOrder::OneOf
    }

    /// The bouts: one against all foes, or one against each foe who may be drawn.
    pub(crate) fn bouts(&self) -> Vec<Option<u16>> {
        match (self.drawn(), self.begun) {
            (false, _) => vec![None],
            (true, Some(begun)) => vec![Some(begun.foe)],
            (true, None) => (0..self.foes.len() as u16).map(Some).collect(),
        }
    }

    /// How it stands before the first round, if no foe is drawn.
    pub(crate) fn first(&self) -> Standoff {
        self.begun.unwrap_or_else(|| self.against(0))
    }

    /// How it stands when this foe comes.
    pub(crate) fn against(&self, foe: u16) -> Standoff {
        Standoff {
            foe,
            stamina: self.foes.get(usize::from(foe)).map_or(0, |foe| foe.stamina),
            so_far: 0,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledStat {
    pub(crate) id: Arc<str>,
    pub(crate) initial: Amount,
    pub(crate) cap: Option<crate::Cap>,
    /// The stat that holds its cap, if some effect raises it.
    pub(crate) raised: Option<u8>,
    pub(crate) floor: Option<i16>,
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledItem {
    pub(crate) bit: u128,
    pub(crate) modifiers: Vec<(u8, i16)>,
    /// Bonuses to the attack and to what hits take.
    pub(crate) arms: (i16, i16),
    pub(crate) after_fight: Vec<(u8, i16)>,
}

impl CompiledItem {
    /// Whether it has any effect by being held.
    pub(crate) fn works(&self) -> bool {
        !self.modifiers.is_empty() || self.arms != (0, 0) || !self.after_fight.is_empty()
    }
}
