//! The options of a hero with a given sheet in one step, by the rules for items.
//!
//! A resolved option does not depend on ENDURANCE. It describes changes of ENDURANCE in general
//! terms (lose two points, fight this combat), since nothing else depends on it. One resolution
//! therefore serves every ENDURANCE.

use rustc_hash::FxHashMap;

use crate::hand::{Asked, Hand};
use crate::program::{Leaf, Part, Program, StepId, What};
use crate::section::{Condition, Effect, Outcome, RuleName, Wilds};
use crate::sheet;
use crate::situation::Situation;
use crate::skirmish::Skirmish;
use crate::{Act, CombatTable, Discipline, Foe, Item, Rules, Slot};

/// Everything that can be done in a step.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) options: Vec<Choice>,
    pub(crate) exits: Vec<Exit>,
    /// A combat in which every round is a decision. If there is one, there is nothing else.
    pub(crate) skirmish: Option<Skirmish>,
}

impl Plan {
    /// Returns whether a situation amid a combat can be one of the combat here.
    pub(crate) fn has(&self, at: &Situation) -> bool {
        let skirmish = self.skirmish.as_ref();
        skirmish.is_some_and(|skirmish| skirmish.has(at))
    }
}

/// An exit from a step, with the sheet as it is then.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    pub(crate) step: StepId,
    pub(crate) hand: Hand,
}

#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) act: Act,
    /// The ENDURANCE that must be missing for the option to be allowed.
    pub(crate) missing: Option<Missing>,
    pub(crate) node: Node,
}

/// A range of missing ENDURANCE: at least one point and at most `most`, counted from `full`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missing {
    pub(crate) most: u8,
    pub(crate) full: u8,
}

impl Missing {
    pub(crate) fn allows(self, endurance: u8) -> bool {
        let missing = self.full.saturating_sub(endurance);
        missing >= 1 && missing <= self.most
    }
}

/// What follows a decision.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Lost,
    Won,
    Exit(usize),
    Chance(Vec<(u8, Node)>),
    Body(Vec<Op>, Box<Node>),
    Fight {
        bout: Bout,
        won: Box<Node>,
        fled: Option<Box<Node>>,
        /// Where losing a trial of strength leads; ENDURANCE then does not change.
        contest: Option<Box<Node>>,
    },
    /// Play at the Cartwheel from `gold` Crowns until there are none or `target`.
    Spin {
        gold: u8,
        target: u8,
        /// What follows with each of 0 to 50 Crowns.
        ends: Vec<Node>,
    },
    /// Play at the Cartwheel for as long as one likes.
    Gamble {
        gold: u8,
        ends: Vec<Node>,
    },
}

impl Node {
    /// Returns the exit it leads to, if no chance is involved.
    pub(crate) fn only_exit(&self) -> Option<usize> {
        match self {
            Node::Exit(exit) => Some(*exit),
            Node::Body(_, then) => then.only_exit(),
            _ => None,
        }
    }
}

/// What has happened in a section so far.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    /// Whether there was a combat. After one, a potion of strength is still effective only if
    /// another foe follows a victory.
    fought: bool,
    /// Whether Healing has no effect: after a combat, or because the book says so.
    tired: bool,
}

impl Past {
    const COMBAT: Past = Past {
        fought: true,
        tired: true,
    };
}

/// A change of ENDURANCE.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Damage(u8),
    Heal {
        by: u8,
        full: u8,
    },
    Full(u8),
    Half(u8),
    /// Reduces ENDURANCE to this maximum.
    Keep(u8),
}

impl Op {
    pub(crate) fn apply(self, endurance: u8) -> u8 {
        match self {
            // Effects come one after the other: a hero killed by one is not healed by the next.
            _ if endurance == 0 => 0,
            Op::Damage(by) => endurance.saturating_sub(by),
            Op::Heal { by, full } => endurance.saturating_add(by).min(full),
            Op::Full(full) => full,
            Op::Half(full) => ((u16::from(full) + u16::from(endurance)) / 2) as u8,
            Op::Keep(full) => endurance.min(full),
        }
    }
}

/// Everything about a combat except Lone Wolf's ENDURANCE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bout {
    /// The column of the Combat Results Table.
    pub(crate) column: i8,
    /// The column in the first rounds, if it differs, and the number of these rounds.
    pub(crate) early: Option<(i8, u8)>,
    pub(crate) foe: u8,
    /// The points that Mindblast costs every round.
    pub(crate) blast: u8,
    pub(crate) doubled: bool,
    pub(crate) unhurt: u8,
    /// The number of rounds after which Lone Wolf evades, if he does.
    pub(crate) flee: Option<u8>,
}

/// A book under given rules, for heroes with one COMBAT SKILL and ENDURANCE.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'b> {
    pub(crate) program: &'b Program,
    pub(crate) rules: Rules,
    pub(crate) combat_skill: u8,
    pub(crate) endurance: u8,
}

impl Setting<'_> {
    /// Returns the highest ENDURANCE that is possible here.
    pub(crate) fn lanes(&self) -> usize {
        usize::from(self.endurance) + 6
    }

    pub(crate) fn resolve(&self, step: StepId, hand: Hand, asked: &mut Asked) -> Plan {
        let mut resolver = Resolver {
            setting: self,
            asked,
            exits: Vec::new(),
            options: Vec::new(),
            skirmish: None,
        };
        resolver.step(step, &hand);
        Plan {
            options: resolver.options,
            exits: resolver.exits,
            skirmish: resolver.skirmish,
        }
    }

    /// Returns full ENDURANCE, including what is worn.
    pub(crate) fn full(&self, hand: &Hand, asked: &mut Asked) -> u8 {
        let mut full = self.endurance;
        if hand.has(asked, Item::BodyArmor) {
            full += 4;
        }
        if hand.has(asked, Item::Helmet) {
            full += 2;
        }
        full
    }
}

pub(crate) struct Resolver<'a, 'b> {
    pub(crate) setting: &'a Setting<'b>,
    pub(crate) asked: &'a mut Asked,
    exits: Vec<Exit>,
    options: Vec<Choice>,
    skirmish: Option<Skirmish>,
}

impl Resolver<'_, '_> {
    fn exit(&mut self, step: StepId, hand: Hand) -> Node {
        self.exits.push(Exit { step, hand });
        Node::Exit(self.exits.len() - 1)
    }

    fn option(&mut self, act: Act, node: Node) {
        self.options.push(Choice {
            act,
            missing: None,
            node,
        });
    }

    pub(crate) fn go(&mut self, act: Act, step: StepId, hand: Hand) {
        let node = self.exit(step, hand);
        self.option(act, node);
    }

    /// Continues after an item was sold. A hero who sells his armour has no more ENDURANCE than he
    /// can have without it.
    pub(crate) fn sold(&mut self, item: Item, step: StepId, hand: Hand) {
        let mut node = self.exit(step, hand);
        if item.is_worn() {
            let keep = Op::Keep(self.setting.full(&hand, self.asked));
            node = Node::Body(vec![keep], Box::new(node));
        }
        self.option(Act::Sell(item), node);
    }

    pub(crate) fn gain(&mut self, hand: &mut Hand, item: Item, count: u8) {
        hand.gain(self.asked, item, count, self.setting.rules.several);
    }

    fn step(&mut self, step: StepId, hand: &Hand) {
        match &self.setting.program.steps[step as usize].what {
            What::Take { item, count, next } => self.take(*item, *count, *next, hand),
            What::Buy { item, price, next } => self.buy(*item, *price, *next, hand),
            What::Sell { item, price, next } => self.sell(*item, *price, *next, hand),
            What::Rest { next } => self.rest(step, *next, hand),
            What::Ready { evading, next } => self.ready(*evading, *next, hand),
            What::Wheel { fare, to, broke } => self.wheel(*fare, *to, *broke, hand),
            What::Part(part) => {
                let mut shown = Vec::new();
                self.part(part, hand, &mut shown);
                self.tell_apart(&shown);
            }
        }
    }

    fn rest(&mut self, step: StepId, next: StepId, hand: &Hand) {
        self.go(Act::Abstain, next, *hand);
        let mut held = Vec::new();
        for item in Item::articles() {
            if let Some(heals) = item.heals()
                && hand.has(self.asked, item)
            {
                held.push((item, heals));
            }
        }
        let Some(weakest) = held.iter().map(|&(_, heals)| heals).min() else {
            return;
        };
        let full = self.setting.full(hand, self.asked);
        for (item, heals) in held {
            let mut drunk = *hand;
            drunk.lose(self.asked, item, 1);
            let again = self.exit(step, drunk);
            let any = self.setting.rules.all_potions || heals == weakest;
            self.options.push(Choice {
                act: Act::Drink(item),
                missing: Some(Missing {
                    most: if any { u8::MAX } else { heals },
                    full,
                }),
                node: Node::Body(vec![Op::Heal { by: heals, full }], Box::new(again)),
            });
        }
    }

    fn ready(&mut self, evading: bool, next: StepId, hand: &Hand) {
        let mut held = Vec::new();
        if !evading || self.setting.rules.strength_before_evasion {
            for (item, entry) in [
                (Item::PotentStrengthPotion, sheet::POTENT),
                (Item::StrengthPotion, sheet::STRENGTH),
            ] {
                if hand.has(self.asked, item) {
                    held.push((item, entry));
                }
            }
        }
        let act = match held.is_empty() {
            true => Act::Go,
            false => Act::Abstain,
        };
        self.go(act, next, *hand);
        for (item, entry) in held {
            let mut drunk = *hand;
            drunk.lose(self.asked, item, 1);
            drunk.set(entry, 1);
            self.go(Act::Drink(item), next, drunk);
        }
    }

    /// Resolves the options of a part. `shown` lists their places, and their numbers in the book.
    fn part(&mut self, part: &Part, hand: &Hand, shown: &mut Vec<(usize, u16)>) {
        match part {
            Part::Choose(parts) => {
                for part in parts {
                    self.part(part, hand, shown);
                }
            }
            Part::When(condition, part) => {
                if self.holds(condition, hand) {
                    self.part(part, hand, shown);
                }
            }
            Part::Evade {
                after,
                to,
                foe,
                won,
            } => {
                if self.setting.rules.evasion_in_combat {
                    self.skirmish = Some(self.skirmish(foe, won, (*after, *to), hand));
                    return;
                }
                let stand = self.fight(foe, won, None, hand);
                self.option(Act::Fight, stand);
                let flee = self.fight(foe, won, Some((*after, *to)), hand);
                self.option(Act::Evade, flee);
            }
            Part::Then(leaf, outcome) => {
                shown.push((self.options.len(), leaf.number));
                let node = self.outcome(outcome, *hand, Past::default());
                self.option(named(leaf), node);
            }
            Part::Next(leaf, step) => {
                shown.push((self.options.len(), leaf.number));
                self.go(named(leaf), *step, *hand);
            }
        }
    }

    /// Options that turn to the same section may differ in what comes before, and an author may
    /// give two options the same name. Such options are told apart by their numbers.
    fn tell_apart(&mut self, shown: &[(usize, u16)]) {
        if shown.len() < 2 {
            return;
        }
        let mut times: FxHashMap<Act, u32> = FxHashMap::default();
        for &(place, _) in shown {
            *times.entry(self.options[place].act.clone()).or_insert(0) += 1;
        }
        for &(place, number) in shown {
            let act = &mut self.options[place].act;
            if times.get(act).is_some_and(|&times| times > 1) {
                *act = Act::Option(number);
            }
        }
    }

    fn wheel(&mut self, fare: u8, to: u16, broke: u16, hand: &Hand) {
        let gold = hand.exactly(self.asked, Item::Gold.index(), 50);
        let free = self.setting.rules.free_wheel;
        let leave = |this: &mut Self, gold: u8| {
            let mut after = *hand;
            after.set(Item::Gold.index(), gold);
            let to = match gold < fare && this.setting.rules.fares {
                true => broke,
                false => to,
            };
            this.turn(to, after, Past::default())
        };
        if gold >= 30 && !free {
            let node = leave(self, gold);
            return self.option(Act::Go, node);
        }
        if free {
            let ends = (0..=50).map(|gold| leave(self, gold)).collect();
            return self.option(Act::Gamble, Node::Gamble { gold, ends });
        }
        let ends: Vec<Node> = (0..=50).map(|gold| leave(self, gold)).collect();
        for target in gold.max(20)..=30 {
            let ends = ends.clone();
            self.option(Act::Aim(target), Node::Spin { gold, target, ends });
        }
    }

    /// Turns to a section. Healing works if there was no combat. A potion of strength that was
    /// drunk before a combat that did not take place is wasted.
    fn turn(&mut self, section: u16, mut hand: Hand, past: Past) -> Node {
        if section == self.setting.program.won {
            return Node::Won;
        }
        if !past.fought {
            hand = without_strength(hand);
        }
        let step = self.setting.program.entry(section);
        let exit = self.exit(step, hand);
        if past.tired || !hand.knows(self.asked, Discipline::Healing) {
            return exit;
        }
        let full = self.setting.full(&hand, self.asked);
        Node::Body(vec![Op::Heal { by: 1, full }], Box::new(exit))
    }

    fn outcome(&mut self, outcome: &Outcome, mut hand: Hand, mut past: Past) -> Node {
        match outcome {
            Outcome::Lost => Node::Lost,
            Outcome::Won => Node::Won,
            Outcome::Goto(section) => self.turn(*section, hand, past),
            Outcome::Random(chances) => {
                let lines = chances.iter();
                let lines =
                    lines.map(|chance| (chance.numbers, self.outcome(&chance.then, hand, past)));
                Node::Chance(lines.collect())
            }
            Outcome::Branch(cases) => {
                for case in cases {
                    if self.holds(&case.condition, &hand) {
                        return self.outcome(&case.then, hand, past);
                    }
                }
                Node::Lost // not in a checked book: the last case always holds
            }
            Outcome::Do { effects, then } => {
                let mut ops = Vec::new();
                for effect in effects {
                    self.effect(effect, &mut hand, &mut past, &mut ops);
                }
                let then = self.outcome(then, hand, past);
                match ops.is_empty() {
                    true => then,
                    false => Node::Body(ops, Box::new(then)),
                }
            }
            Outcome::Fight { foe, won } => self.fight(foe, won, None, &hand),
        }
    }

    fn effect(&mut self, effect: &Effect, hand: &mut Hand, past: &mut Past, ops: &mut Vec<Op>) {
        match effect {
            Effect::Damage(by) => ops.push(Op::Damage(*by)),
            Effect::Heal(by) => {
                let full = self.setting.full(hand, self.asked);
                ops.push(Op::Heal { by: *by, full });
            }
            Effect::FullHeal => ops.push(Op::Full(self.setting.full(hand, self.asked))),
            Effect::HalfHeal => ops.push(Op::Half(self.setting.full(hand, self.asked))),
            Effect::Gain { item, count } => self.gain(hand, *item, *count),
            Effect::Lose { item, count } => {
                let worn = item.is_worn() && hand.has(self.asked, *item);
                hand.lose(self.asked, *item, *count);
                if worn {
                    ops.push(Op::Keep(self.setting.full(hand, self.asked)));
                }
            }
            Effect::LoseAll(slots) => {
                let worn = slots.contains(&Slot::Special)
                    && (hand.has(self.asked, Item::BodyArmor)
                        || hand.has(self.asked, Item::Helmet));
                for slot in slots {
                    hand.lose_all(*slot);
                }
                if worn {
                    ops.push(Op::Keep(self.setting.full(hand, self.asked)));
                }
            }
            Effect::Eat(wilds) => {
                let hunts = *wilds == Wilds::MayHunt && hand.knows(self.asked, Discipline::Hunting);
                if hunts {
                    return;
                }
                match hand.has(self.asked, Item::Meal) {
                    true => hand.lose(self.asked, Item::Meal, 1),
                    false => ops.push(Op::Damage(3)),
                }
            }
            Effect::Learn(knowledge) => hand.set(sheet::entry_of_knowledge(*knowledge), 1),
            Effect::NoHealing => past.tired = true,
        }
    }

    fn fight(&mut self, foe: &Foe, won: &Outcome, flee: Option<(u8, u16)>, hand: &Hand) -> Node {
        let bout = self.bout(foe, flee.map(|(after, _)| after), hand);
        let won = self.outcome(won, after_victory(foe, hand), Past::COMBAT);
        let away = without_strength(*hand);
        let fled = flee.map(|(_, to)| Box::new(self.turn(to, away, Past::COMBAT)));
        let contest = foe
            .contest
            .map(|to| Box::new(self.turn(to, away, Past::COMBAT)));
        Node::Fight {
            bout,
            won: Box::new(won),
            fled,
            contest,
        }
    }

    fn skirmish(
        &mut self,
        foe: &Foe,
        won: &Outcome,
        (after, to): (u8, u16),
        hand: &Hand,
    ) -> Skirmish {
        let bout = self.bout(foe, None, hand);
        Skirmish {
            bout,
            after,
            won: Box::new(self.outcome(won, after_victory(foe, hand), Past::COMBAT)),
            fled: Box::new(self.turn(to, without_strength(*hand), Past::COMBAT)),
        }
    }

    fn bout(&mut self, foe: &Foe, flee: Option<u8>, hand: &Hand) -> Bout {
        let sommerswerd = hand.has(self.asked, Item::Sommerswerd);
        let mut ratio = i64::from(self.setting.combat_skill) - i64::from(foe.combat_skill);
        if foe.bare_handed || !hand.at_least(self.asked, sheet::WEAPONS, 1) {
            ratio -= 4;
        } else {
            ratio += match hand.weaponskill(self.asked) {
                Some(Item::Sword | Item::ShortSword | Item::BroadSword) if sommerswerd => 10,
                _ if sommerswerd => 8,
                Some(skill)
                    if hand.has(self.asked, skill)
                        || skill == Item::Spear && hand.has(self.asked, Item::MagicSpear) =>
                {
                    2
                }
                _ => 0,
            };
        }
        let blasts = !foe.immune_to_mindblast && hand.knows(self.asked, Discipline::Mindblast);
        for (holds, bonus) in [
            (blasts, 2),
            (hand.has(self.asked, Item::Shield), 2),
            (hand.has(self.asked, Item::SilverHelmet), 2),
            (hand.at_least(self.asked, sheet::STRENGTH, 1), 2),
            (hand.at_least(self.asked, sheet::POTENT, 1), 4),
        ] {
            if holds {
                ratio += bonus;
            }
        }
        let early = match foe.bonus_rounds {
            Some(rounds) if rounds > 0 && foe.bonus != 0 => {
                Some((CombatTable::column(ratio + i64::from(foe.bonus)), rounds))
            }
            _ => None,
        };
        if foe.bonus_rounds.is_none() {
            ratio += i64::from(foe.bonus);
        }
        let column = CombatTable::column(ratio);
        Bout {
            column,
            early: early.filter(|&(other, _)| other != column),
            foe: foe.endurance,
            blast: match foe.mindblast && !hand.knows(self.asked, Discipline::Mindshield) {
                true => 2,
                false => 0,
            },
            doubled: foe.double_damage || foe.undead && sommerswerd && !foe.bare_handed,
            unhurt: foe.unhurt_rounds,
            flee,
        }
    }

    fn holds(&mut self, condition: &Condition, hand: &Hand) -> bool {
        match condition {
            Condition::Always => true,
            Condition::Discipline(discipline) => hand.knows(self.asked, *discipline),
            Condition::Item { item, count } => hand.at_least(self.asked, item.index(), *count),
            Condition::Knows(knowledge) => {
                hand.at_least(self.asked, sheet::entry_of_knowledge(*knowledge), 1)
            }
            Condition::Rule(RuleName::Fares) => self.setting.rules.fares,
            Condition::Rule(RuleName::PurseCut) => self.setting.rules.purse_cut,
            Condition::Not(inner) => !self.holds(inner, hand),
            Condition::Any(all) => all.iter().any(|inner| self.holds(inner, hand)),
            Condition::All(all) => all.iter().all(|inner| self.holds(inner, hand)),
        }
    }
}

/// Returns the hero after a victory: the effect of potions of strength ends with the combat, unless
/// another foe follows.
fn after_victory(foe: &Foe, hand: &Hand) -> Hand {
    match foe.continued {
        true => *hand,
        false => without_strength(*hand),
    }
}

fn without_strength(mut hand: Hand) -> Hand {
    hand.set(sheet::STRENGTH, 0);
    hand.set(sheet::POTENT, 0);
    hand
}

/// Returns the name of an option by itself.
fn named(leaf: &Leaf) -> Act {
    match (&leaf.label, leaf.to, leaf.number) {
        (_, _, 0) => Act::Go,
        (Some(label), ..) => Act::Named(label.clone()),
        (None, Some(to), _) => Act::Turn(to),
        (None, None, number) => Act::Option(number),
    }
}
