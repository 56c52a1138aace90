//! Checks that the parts of a book fit together.

mod names;

use std::collections::{BTreeMap, BTreeSet};

use crate::check::names::Names;
use crate::mistakes::Mistakes;
use crate::place::STATS;
use crate::section::{Choice, Passage, Play};
use crate::{
    Amount, Condition, Effect, Error, Fight, FightOrder, Goods, Manuscript, Section, Shop, Ware,
    WeightedEffects,
};

/// The deepest nesting of parts. The JSON and TOML parsers give up at some depth, each at its own.
/// This limit keeps every book writable and readable in both, and protects the stack from a
/// manuscript made in code.
const DEEPEST: usize = 30;
/// The most effects in a list, counting repetitions.
const MOST_EFFECTS: u64 = 10_000;
/// Items and flags are the bits of one word.
const MOST_BITS: usize = 128;
/// The most ways in which a fight may stand after a toll, each of which is a scene.
const MOST_STANDOFFS: u32 = 1_000;
const TOO_LONG: &str = "all STAMINA of the foes (times `escape.after` + 1 if there is an escape) must be 1,000 at most in a \
                        fight with a toll";
const NOTHING: &str = "it must name at least one stat";

/// Rejects a manuscript that is not a valid book, with all its mistakes.
pub(crate) fn check(manuscript: &Manuscript) -> Result<(), Error> {
    // A later version of the format may allow what would be a mistake here.
    manuscript.check_format()?;
    let mut mistakes = Mistakes::default();
    if manuscript.id.trim().is_empty() {
        mistakes.add(Error::Invalid {
            place: "the book".to_owned(),
            field: "id".to_owned(),
            problem: "it must not be blank",
        });
    }
    let names = Names::of(manuscript, &mut mistakes);
    let mut checker = Checker {
        names,
        numbers: manuscript.sections.iter().map(|s| s.number).collect(),
        manuscript,
        section: None,
        path: Vec::new(),
        raised: BTreeSet::new(),
        missed: BTreeSet::new(),
        mistakes,
    };
    checker.sheet();
    let mut seen = BTreeSet::new();
    for section in &manuscript.sections {
        let number = section.number;
        if !seen.insert(number) {
            let twice = Error::DuplicateSection { section: number };
            checker.mistakes.add(twice);
        }
        checker.section(section);
    }
    if manuscript.sections.is_empty() {
        checker.mistakes.add(Error::NoSections);
    } else if !checker.numbers.contains(&manuscript.start) {
        let start = manuscript.start;
        checker.mistakes.add(Error::MissingStart { start });
    }
    checker.fits();
    checker.mistakes.told()
}

struct Checker<'m> {
    names: Names<'m>,
    /// Of all sections.
    numbers: BTreeSet<u32>,
    manuscript: &'m Manuscript,
    section: Option<u32>,
    /// The path to the current field.
    path: Vec<String>,
    /// The stats whose caps some effect raises.
    raised: BTreeSet<String>,
    /// The rules whose stat is missing, which is one mistake however many fights and shops need it.
    missed: BTreeSet<&'static str>,
    mistakes: Mistakes,
}

impl<'m> Checker<'m> {
    fn at(&mut self, step: impl Into<String>, look: impl FnOnce(&mut Self)) {
        if self.path.len() >= DEEPEST {
            return self.invalid("passages, effects and conditions are nested more than 30 deep");
        }
        self.path.push(step.into());
        look(self);
        self.path.pop();
    }

    fn each<'t, T>(&mut self, field: &str, list: &'t [T], mut look: impl FnMut(&mut Self, &'t T)) {
        for (index, one) in list.iter().enumerate() {
            self.at(format!("{field}[{index}]"), |c| look(c, one));
        }
    }

    fn place(&self) -> String {
        match self.section {
            Some(section) => format!("section {section}"),
            None => "the sheet".to_owned(),
        }
    }

    fn known(&mut self, kind: &'static str, id: &str) {
        if !self.names.of_kind(kind).contains(id) {
            self.unknown(kind, id, self.path.join("."));
        }
    }

    /// Checks a stat that the rules name and that is needed here.
    fn played_with(&mut self, rule: &'static str, stat: &str) {
        if !self.names.stats.contains(stat) && self.missed.insert(rule) {
            let field = format!("{} (by rules.{rule})", self.path.join("."));
            self.unknown("stat", stat, field);
        }
    }

    fn unknown(&mut self, kind: &'static str, id: &str, field: String) {
        // Looking for similar names takes long if there are many.
        let hint = match self.mistakes.is_full() {
            true => None,
            false => self.names.hint(kind, id),
        };
        let unknown = Error::Unknown {
            place: self.place(),
            field,
            kind,
            id: id.to_owned(),
            hint,
        };
        self.mistakes.add(unknown);
    }

    fn invalid(&mut self, problem: &'static str) {
        let invalid = Error::Invalid {
            place: self.place(),
            field: self.path.join("."),
            problem,
        };
        self.mistakes.add(invalid);
    }

    /// The path to a field of the current part.
    fn path_to(&self, field: &str) -> String {
        let path = self.path.iter().map(String::as_str);
        path.chain([field]).collect::<Vec<_>>().join(".")
    }

    fn within(&mut self, field: &str, given: impl Into<i64>, least: i64, most: i64) {
        let given = given.into();
        if !(least..=most).contains(&given) {
            let beyond = Error::OutOfRange {
                place: self.place(),
                field: self.path_to(field),
                given,
                least,
                most,
            };
            self.mistakes.add(beyond);
        }
    }

    fn small(&mut self, field: &str, number: i16) {
        let most = i64::from(crate::amount::MOST);
        self.within(field, number, -most, most);
    }

    /// Fixed amounts may be out of range if made in code; dice can only come from a checked text.
    fn amount(&mut self, field: &str, amount: Amount) {
        let most = i64::from(crate::amount::MOST);
        if amount.is_fixed() {
            self.within(field, amount.min(), -most, most);
        }
    }

    /// Checks that everything fits into the packed sheet, once all raised caps are known.
    fn fits(&mut self) {
        let stats = self.manuscript.sheet.stats.len() + self.raised.len();
        let stat = match self.raised.len() {
            0 => "stats",
            _ => "stats and raised caps",
        };
        let bits = self.names.items.len() + self.names.flags.len();
        let all = [(stat, stats, STATS), ("items and flags", bits, MOST_BITS)];
        for (what, given, limit) in all {
            if given > limit {
                let too_large = Error::SheetTooLarge { what, given, limit };
                self.mistakes.add(too_large);
            }
        }
    }

    fn sheet(&mut self) {
        let Manuscript { sheet, rules, .. } = self.manuscript;
        self.at("rules.stamina", |c| c.known("stat", &rules.stamina));
        let usual = crate::RuleSet::default();
        // Not every book has these stats, but another name than the default must be one.
        let luck = rules.luck_in_battle || rules.luck != usual.luck;
        let named = [
            ("rules.skill", &rules.skill, rules.skill != usual.skill),
            ("rules.luck", &rules.luck, luck),
            ("rules.money", &rules.money, rules.money != usual.money),
        ];
        for (field, stat, needed) in named {
            if needed {
                self.at(field, |c| c.known("stat", stat));
            }
        }
        // Otherwise a blow would change the attack in the middle of a fight.
        if rules.skill == rules.stamina {
            self.at("rules.skill", |c| {
                c.invalid("SKILL and STAMINA must be different stats");
            });
        }
        if rules.luck_in_battle && (rules.luck == rules.stamina || rules.luck == rules.skill) {
            self.at("rules.luck", |c| {
                c.invalid("with LUCK in battle, LUCK must be neither SKILL nor STAMINA");
            });
        }
        self.each("initial_items", &sheet.initial_items, |c, id| {
            c.known("item", id);
        });
        let mut chosen = BTreeSet::new();
        self.each("initial_choices", &sheet.initial_choices, |c, list| {
            if list.is_empty() {
                c.invalid("it must not be empty");
            }
            for id in list {
                match chosen.insert(id) {
                    true => c.known("item", id),
                    false => c.invalid("an item can be in one list only, and once"),
                }
            }
        });
        self.each("stats", &sheet.stats, |c, stat| {
            c.amount("initial", stat.initial);
            c.small("floor", stat.floor.unwrap_or(0));
            if let Some(crate::Cap::At(cap)) = stat.cap {
                c.small("cap", cap);
            }
        });
        let mut worn = BTreeSet::new();
        self.each("items", &sheet.items, |c, item| {
            c.small("attack", item.attack);
            c.small("hit", item.hit);
            c.at("modifiers", |c| c.numbers(&item.modifiers));
            c.at("after_fight", |c| c.numbers(&item.after_fight));
            if let Some(slot) = &item.slot {
                c.small("slot.priority", slot.priority);
                if !worn.insert((&slot.id, slot.priority)) {
                    c.invalid("another item in this slot has the same priority");
                }
            }
        });
        self.each("refreshments", &sheet.refreshments, |c, refreshment| {
            c.condition_at("if", refreshment.condition.as_ref());
            c.effects("effects", &refreshment.effects);
        });
    }

    fn numbers(&mut self, stats: &BTreeMap<String, i16>) {
        for (stat, by) in stats {
            self.known("stat", stat);
            self.small(stat, *by);
        }
    }

    fn section(&mut self, section: &Section) {
        self.section = Some(section.number);
        self.effects("leave", &section.leave);
        self.passage(&section.passage);
        self.section = None;
    }

    fn passage(&mut self, passage: &Passage) {
        self.effects("effects", &passage.effects);
        match &passage.play {
            Play::Ending(_) => (),
            Play::Turn(to) => self.target(*to),
            Play::Choice(options) => self.options("choice", options),
            Play::First(cases) => {
                if let Some((last, rest)) = cases.split_last()
                    && last.condition.is_some()
                {
                    self.at(format!("first[{}].if", rest.len()), |c| {
                        c.invalid("the last of \"first\" must not have an \"if\"");
                    });
                }
                self.options("first", cases);
            }
            Play::Test(test) => self.at("test", |c| {
                c.at("stat", |c| c.known("stat", &test.stat));
                c.within("dice", test.dice, 1, 6);
                c.small("add", test.add);
                c.at("success", |c| c.passage(&test.success));
                c.at("failure", |c| c.passage(&test.failure));
            }),
            Play::Fight(fight) => self.at("fight", |c| c.fight(fight)),
            Play::Shop(shop) => self.at("shop", |c| c.shop(shop)),
            Play::Game(wager) => self.at("game", |c| {
                c.within("rounds", wager.rounds, 1, 100);
                c.condition_at("while", wager.condition.as_ref());
                c.weighted("round", &wager.round);
                c.at("after", |c| c.passage(&wager.after));
            }),
            Play::Random(branches) => {
                let weights = branches.iter().map(|branch| branch.weight);
                self.weights("random", weights);
                self.each("random", branches, |c, branch| c.passage(&branch.passage));
            }
        }
    }

    fn target(&mut self, target: u32) {
        if let Some(section) = self.section
            && !self.numbers.contains(&target)
        {
            let missing = Error::MissingTarget {
                section,
                field: self.path_to("to"),
                target,
            };
            self.mistakes.add(missing);
        }
    }

    fn options(&mut self, field: &str, options: &[Choice]) {
        if options.is_empty() {
            self.at(field, |c| c.invalid("it must not be empty"));
        }
        self.each(field, options, |c, option| {
            c.condition_at("if", option.condition.as_ref());
            c.passage(&option.passage);
        });
    }

    fn fight(&mut self, fight: &Fight) {
        self.played_with("skill", &self.manuscript.rules.skill);
        self.small("attack", fight.attack);
        let (most, too_many) = match fight.order {
            FightOrder::AtOnce => (5, "at most 5 foes can attack at once"),
            FightOrder::InTurn | FightOrder::OneOf => (100, "a fight has at most 100 foes"),
        };
        let counted = fight.foes.len() <= most;
        if fight.foes.is_empty() {
            self.at("foes", |c| c.invalid("a fight needs at least one foe"));
        } else if !counted {
            self.at("foes", |c| c.invalid(too_many));
        }
        // The weights of a round in which all foes attack must fit into 64 bits.
        let mut rolls: Option<u64> = Some(1);
        self.each("foes", &fight.foes, |c, foe| {
            c.small("skill", foe.skill);
            c.within("stamina", foe.stamina, 1, 1_000);
            c.within("damage", foe.damage, 0, 1_000);
            rolls = rolls.and_then(|rolls| rolls.checked_mul(1_296));
            if let Some(hazard) = &foe.hazard {
                c.within("hazard.of", hazard.of, 1, 1_000);
                c.within("hazard.chance", hazard.chance, 0, hazard.of.into());
                c.within("hazard.damage", hazard.damage, 0, 1_000);
                rolls = rolls.and_then(|rolls| rolls.checked_mul(hazard.of.into()));
            }
            if let Some(mark) = &foe.mark {
                c.at("mark", |c| c.known("flag", mark));
            }
        });
        // That there are more foes than can attack at once is a mistake already.
        if fight.order == FightOrder::AtOnce && counted && rolls.is_none() {
            self.invalid("the hazards of foes who attack at once have too many combinations");
        }
        if let Some(escape) = &fight.escape {
            self.at("escape", |c| {
                c.within("after", escape.after, 1, 100);
                c.within("cost", escape.cost, 0, 1_000);
                c.at("flee", |c| c.passage(&escape.flee));
            });
        }
        if let Some(toll) = &fight.toll {
            let foes = fight.foes.iter().map(|foe| u32::from(foe.stamina));
            let after = fight.escape.as_ref().map_or(0, |escape| escape.after);
            // Neither a foe's STAMINA nor the round need be in its range here.
            let ways = foes.fold(0, u32::saturating_add);
            let ways = ways.saturating_mul(1 + u32::from(after));
            self.at("toll", |c| {
                c.effects("effects", &toll.effects);
                if ways > MOST_STANDOFFS {
                    c.invalid(TOO_LONG);
                }
            });
        }
        self.at("victory", |c| c.passage(&fight.victory));
    }

    fn shop(&mut self, shop: &Shop) {
        let money = &self.manuscript.rules.money;
        self.played_with("money", money);
        let most = i64::from(crate::amount::MOST);
        let ware = |c: &mut Self, goods: &Goods| match &goods.ware {
            Ware::Item(item) => {
                c.within("price", goods.price, 0, most);
                c.at("ware", |c| c.known("item", item));
            }
            Ware::Stat(stat) if stat == money => c.invalid("money is not for sale"),
            Ware::Stat(stat) => {
                c.within("price", goods.price, 1, most);
                c.at("ware", |c| c.known("stat", stat));
            }
        };
        // A ware has a single price.
        let twice = "it is in the list already";
        let mut sold = BTreeMap::new();
        self.each("sells", &shop.sells, |c, goods| {
            ware(c, goods);
            if sold.insert(&goods.ware, goods.price).is_some() {
                c.invalid(twice);
            }
        });
        let mut bought = BTreeSet::new();
        self.each("buys", &shop.buys, |c, goods| {
            ware(c, goods);
            if !bought.insert(&goods.ware) {
                c.invalid(twice);
            }
            if matches!(goods.ware, Ware::Stat(_)) {
                c.invalid("only items can be sold");
            }
            if sold
                .get(&goods.ware)
                .is_some_and(|sold| *sold < goods.price)
            {
                c.invalid("the shop buys it for more than it sells it, which is endless money");
            }
        });
        self.at("leave", |c| c.passage(&shop.leave));
    }

    fn condition_at(&mut self, field: &str, condition: Option<&Condition>) {
        if let Some(condition) = condition {
            self.at(field, |c| c.condition(condition));
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Has(item) => self.at("has", |c| c.known("item", item)),
            Condition::Flag(flag) => self.at("flag", |c| c.known("flag", flag)),
            Condition::AtLeast(stats) => self.at("at_least", |c| c.numbers(stats)),
            Condition::Holds(holding) => self.at("holds", |c| {
                c.known("tag", &holding.tag);
                c.within("count", holding.count, 0, crate::amount::MOST.into());
            }),
            Condition::Not(not) => self.at("not", |c| c.condition(not)),
            Condition::All(all) => self.each("all", all, |c, one| c.condition(one)),
            Condition::Any(any) => self.each("any", any, |c, one| c.condition(one)),
        }
    }

    fn effects(&mut self, field: &str, effects: &[Effect]) {
        let before = self.mistakes.count;
        self.each(field, effects, |c, effect| c.effect(effect));
        // Effects with a mistake may be nested too deep to be counted.
        if self.mistakes.count == before && steps(effects) > MOST_EFFECTS {
            self.at(field, |c| {
                c.invalid("there are more than 10,000 effects, counting repetitions");
            });
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Change(stats) => self.at("change", |c| c.amounts(stats)),
            Effect::Set(stats) => self.at("set", |c| c.amounts(stats)),
            Effect::Restore(stat) => self.at("restore", |c| c.known("stat", stat)),
            Effect::RaiseCap(stats) => self.at("raise_cap", |c| {
                if stats.is_empty() {
                    c.invalid(NOTHING);
                }
                for (stat, by) in stats {
                    c.known("stat", stat);
                    c.small(stat, *by);
                    if c.names.capless.contains(&**stat) {
                        c.invalid("the stat has no cap to raise");
                    } else if c.names.stats.contains(&**stat) {
                        c.raised.insert(stat.clone());
                    }
                }
            }),
            Effect::Gain(item) => self.at("gain", |c| c.known("item", item)),
            Effect::Lose(item) => self.at("lose", |c| c.known("item", item)),
            Effect::LoseTagged(tag) => self.at("lose_tagged", |c| c.known("tag", tag)),
            Effect::SetFlag(flag) => self.at("set_flag", |c| c.known("flag", flag)),
            Effect::ClearFlag(flag) => self.at("clear_flag", |c| c.known("flag", flag)),
            Effect::LoseRandom(loss) => self.at("lose_random", |c| {
                c.within("count", loss.count, 1, 3);
                if let Some(tag) = &loss.tag {
                    c.at("tag", |c| c.known("tag", tag));
                }
            }),
            Effect::Random(branches) => self.weighted("random", branches),
            Effect::When(when) => self.at("when", |c| {
                c.condition_at("if", Some(&when.condition));
                c.effects("then", &when.then);
                c.effects("else", &when.otherwise);
            }),
            Effect::Repeat(repeat) => self.at("repeat", |c| {
                c.within("times", repeat.times, 1, 20);
                c.condition_at("while", repeat.condition.as_ref());
                c.effects("effects", &repeat.effects);
            }),
        }
    }

    fn amounts(&mut self, stats: &BTreeMap<String, Amount>) {
        if stats.is_empty() {
            self.invalid(NOTHING);
        }
        for (stat, amount) in stats {
            self.known("stat", stat);
            self.amount(stat, *amount);
        }
    }

    fn weighted(&mut self, field: &str, branches: &[WeightedEffects]) {
        self.weights(field, branches.iter().map(|branch| branch.weight));
        self.each(field, branches, |c, branch| {
            c.effects("effects", &branch.effects);
        });
    }

    fn weights(&mut self, field: &str, mut weights: impl Iterator<Item = u32>) {
        if !weights.any(|weight| weight > 0) {
            self.at(field, |c| c.invalid("at least one weight must be positive"));
        }
    }
}

/// The most effects that a list may apply, counting every branch.
fn steps(effects: &[Effect]) -> u64 {
    let count = |effect: &Effect| match effect {
        Effect::Random(branches) => {
            let branches = branches.iter().map(|branch| steps(&branch.effects));
            branches.fold(1, u64::saturating_add)
        }
        Effect::When(when) => {
            let both = steps(&when.then).saturating_add(steps(&when.otherwise));
            both.saturating_add(1)
        }
        Effect::Repeat(repeat) => {
            let once = steps(&repeat.effects).saturating_add(1);
            once.saturating_mul(repeat.times.into())
        }
        Effect::Change(stats) | Effect::Set(stats) => stats.len() as u64,
        _ => 1,
    };
    effects.iter().map(count).fold(0, u64::saturating_add)
}
