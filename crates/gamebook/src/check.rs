//! Checks that the parts of a book fit together.

mod names;

use std::collections::{BTreeMap, BTreeSet};

use crate::check::names::Names;
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
const TOO_LONG: &str = "the foes have too much STAMINA for that: all of it, times one more than `escape.after` if there \
                        is an escape, is 1,000 at most";
const NOTHING: &str = "there is nothing in it";

/// Rejects a manuscript that is not a valid book.
pub(crate) fn check(manuscript: &Manuscript) -> Result<(), Error> {
    manuscript.check_format()?;
    if manuscript.id.trim().is_empty() {
        return Err(Error::Invalid {
            place: "the book".to_owned(),
            field: "id".to_owned(),
            problem: "books and variants need names that can be read",
        });
    }
    let names = Names::of(manuscript)?;
    let numbers: BTreeSet<u32> = manuscript.sections.iter().map(|s| s.number).collect();
    let mut checker = Checker {
        names,
        numbers,
        manuscript,
        section: None,
        path: Vec::new(),
        raised: BTreeSet::new(),
    };
    checker.sheet()?;
    if manuscript.sections.is_empty() {
        return Err(Error::NoSections);
    }
    let mut seen = BTreeSet::new();
    for section in &manuscript.sections {
        let number = section.number;
        if !seen.insert(number) {
            return Err(Error::DuplicateSection { section: number });
        }
        checker.section(section)?;
    }
    if !checker.numbers.contains(&manuscript.start) {
        return Err(Error::MissingStart {
            start: manuscript.start,
        });
    }
    checker.fits()
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
}

type Checked = Result<(), Error>;

impl<'m> Checker<'m> {
    fn at(&mut self, step: impl Into<String>, look: impl FnOnce(&mut Self) -> Checked) -> Checked {
        if self.path.len() >= DEEPEST {
            return Err(
                self.invalid("passages, effects and conditions are nested more than 30 deep")
            );
        }
        self.path.push(step.into());
        let result = look(self);
        self.path.pop();
        result
    }

    fn each<T>(
        &mut self,
        field: &str,
        list: &[T],
        mut look: impl FnMut(&mut Self, &T) -> Checked,
    ) -> Checked {
        for (index, one) in list.iter().enumerate() {
            self.at(format!("{field}[{index}]"), |c| look(c, one))?;
        }
        Ok(())
    }

    fn place(&self) -> String {
        match self.section {
            Some(section) => format!("section {section}"),
            None => "the sheet".to_owned(),
        }
    }

    fn known(&self, kind: &'static str, id: &str) -> Checked {
        self.known_by(kind, id, |path| path)
    }

    /// The same as [`Checker::known`], but the field is derived from the path.
    fn known_by(
        &self,
        kind: &'static str,
        id: &str,
        field: impl FnOnce(String) -> String,
    ) -> Checked {
        if self.names.of_kind(kind).contains(id) {
            return Ok(());
        }
        Err(Error::Unknown {
            place: self.place(),
            field: field(self.path.join(".")),
            kind,
            id: id.to_owned(),
            hint: self.names.hint(kind, id),
        })
    }

    /// Checks a stat that the rules name and that is needed here.
    fn played_with(&self, rule: &str, stat: &str) -> Checked {
        self.known_by("stat", stat, |path| format!("{path} (by rules.{rule})"))
    }

    fn invalid(&self, problem: &'static str) -> Error {
        Error::Invalid {
            place: self.place(),
            field: self.path.join("."),
            problem,
        }
    }

    /// The path to a field of the current part.
    fn path_to(&self, field: &str) -> String {
        let path = self.path.iter().map(String::as_str);
        path.chain([field]).collect::<Vec<_>>().join(".")
    }

    fn within(&self, field: &str, given: impl Into<i64>, least: i64, most: i64) -> Checked {
        let given = given.into();
        if (least..=most).contains(&given) {
            return Ok(());
        }
        Err(Error::OutOfRange {
            place: self.place(),
            field: self.path_to(field),
            given,
            least,
            most,
        })
    }

    fn small(&self, field: &str, number: i16) -> Checked {
        let most = i64::from(crate::amount::MOST);
        self.within(field, number, -most, most)
    }

    /// Fixed amounts may be out of range if made in code; dice can only come from a checked text.
    fn amount(&self, field: &str, amount: Amount) -> Checked {
        let most = i64::from(crate::amount::MOST);
        match amount.is_fixed() {
            true => self.within(field, amount.min(), -most, most),
            false => Ok(()),
        }
    }

    /// Checks that everything fits into the packed sheet, once all raised caps are known.
    fn fits(&self) -> Checked {
        let stats = self.manuscript.sheet.stats.len() + self.raised.len();
        let stat = match self.raised.len() {
            0 => "stats",
            _ => "stats and raised caps",
        };
        let bits = self.names.items.len() + self.names.flags.len();
        let all = [(stat, stats, STATS), ("items and flags", bits, MOST_BITS)];
        match all.into_iter().find(|(_, given, limit)| given > limit) {
            Some((what, given, limit)) => Err(Error::SheetTooLarge { what, given, limit }),
            None => Ok(()),
        }
    }

    fn sheet(&mut self) -> Checked {
        let sheet = &self.manuscript.sheet;
        self.at("rules.stamina", |c| {
            c.known("stat", &c.manuscript.rules.stamina)
        })?;
        let rules = &self.manuscript.rules;
        let usual = crate::RuleSet::default();
        let named = [
            ("rules.skill", &rules.skill, usual.skill),
            ("rules.luck", &rules.luck, usual.luck),
            ("rules.money", &rules.money, usual.money),
        ];
        for (field, stat, usual) in named {
            // Not every book has these stats, but another name than the default must be one.
            if *stat != usual {
                self.at(field, |c| c.known("stat", stat))?;
            }
        }
        // Otherwise a blow would change the attack in the middle of a fight.
        if rules.skill == rules.stamina {
            return self.at("rules.skill", |c| {
                Err(c.invalid("SKILL and STAMINA must be two stats"))
            });
        }
        if rules.luck_in_battle {
            self.at("rules.luck", |c| {
                c.known("stat", &rules.luck)?;
                if rules.luck == rules.stamina || rules.luck == rules.skill {
                    return Err(c.invalid(
                        "LUCK that may be tested in battle can be neither SKILL nor STAMINA",
                    ));
                }
                Ok(())
            })?;
        }
        self.each("initial_items", &sheet.initial_items, |c, id| {
            c.known("item", id)
        })?;
        let mut chosen = BTreeSet::new();
        self.each("initial_choices", &sheet.initial_choices, |c, list| {
            if list.is_empty() {
                return Err(c.invalid("there is nothing to choose from"));
            }
            list.iter()
                .try_for_each(|id| match chosen.insert(id.clone()) {
                    true => c.known("item", id),
                    false => Err(c.invalid("an item can be chosen once, from one list")),
                })
        })?;
        self.each("stats", &sheet.stats, |c, stat| {
            c.amount("initial", stat.initial)?;
            c.small("floor", stat.floor.unwrap_or(0))?;
            match stat.cap {
                Some(crate::Cap::At(cap)) => c.small("cap", cap),
                _ => Ok(()),
            }
        })?;
        let mut worn = BTreeSet::new();
        self.each("items", &sheet.items, |c, item| {
            c.small("attack", item.attack)?;
            c.small("hit", item.hit)?;
            c.at("modifiers", |c| c.numbers(&item.modifiers))?;
            c.at("after_fight", |c| c.numbers(&item.after_fight))?;
            let Some(slot) = &item.slot else {
                return Ok(());
            };
            c.small("slot.priority", slot.priority)?;
            match worn.insert((slot.id.clone(), slot.priority)) {
                true => Ok(()),
                false => {
                    Err(c.invalid("another item of the slot has this priority: which is worn?"))
                }
            }
        })?;
        self.each("refreshments", &sheet.refreshments, |c, refreshment| {
            c.condition_at("if", refreshment.condition.as_ref())?;
            c.effects("effects", &refreshment.effects)
        })
    }

    fn numbers(&self, stats: &BTreeMap<String, i16>) -> Checked {
        stats.iter().try_for_each(|(stat, by)| {
            self.known("stat", stat)?;
            self.small(stat, *by)
        })
    }

    fn section(&mut self, section: &Section) -> Checked {
        self.section = Some(section.number);
        self.effects("leave", &section.leave)?;
        self.passage(&section.passage)?;
        self.section = None;
        Ok(())
    }

    fn passage(&mut self, passage: &Passage) -> Checked {
        self.effects("effects", &passage.effects)?;
        match &passage.play {
            Play::Ending(_) => Ok(()),
            Play::Turn(to) => self.target(*to),
            Play::Choice(options) => self.options("choice", options),
            Play::First(cases) => {
                if let Some((last, rest)) = cases.split_last()
                    && last.condition.is_some()
                {
                    return self.at(format!("first[{}].if", rest.len()), |c| {
                        Err(c.invalid("the last of \"first\" must not have an \"if\""))
                    });
                }
                self.options("first", cases)
            }
            Play::Test(test) => self.at("test", |c| {
                c.at("stat", |c| c.known("stat", &test.stat))?;
                c.within("dice", test.dice, 1, 6)?;
                c.small("add", test.add)?;
                c.at("success", |c| c.passage(&test.success))?;
                c.at("failure", |c| c.passage(&test.failure))
            }),
            Play::Fight(fight) => self.at("fight", |c| c.fight(fight)),
            Play::Shop(shop) => self.at("shop", |c| c.shop(shop)),
            Play::Game(wager) => self.at("game", |c| {
                c.within("rounds", wager.rounds, 1, 100)?;
                c.condition_at("while", wager.condition.as_ref())?;
                c.weighted("round", &wager.round)?;
                c.at("after", |c| c.passage(&wager.after))
            }),
            Play::Random(branches) => {
                let weights = branches.iter().map(|branch| branch.weight);
                self.weights("random", weights)?;
                self.each("random", branches, |c, branch| c.passage(&branch.passage))
            }
        }
    }

    fn target(&self, target: u32) -> Checked {
        match self.section {
            Some(section) if !self.numbers.contains(&target) => Err(Error::MissingTarget {
                section,
                field: self.path_to("to"),
                target,
            }),
            _ => Ok(()),
        }
    }

    fn options(&mut self, field: &str, options: &[Choice]) -> Checked {
        if options.is_empty() {
            return self.at(field, |c| Err(c.invalid("there is nothing to choose from")));
        }
        self.each(field, options, |c, option| {
            c.condition_at("if", option.condition.as_ref())?;
            c.passage(&option.passage)
        })
    }

    fn fight(&mut self, fight: &Fight) -> Checked {
        let skill = &self.manuscript.rules.skill;
        self.played_with("skill", skill)?;
        self.small("attack", fight.attack)?;
        let most = match fight.order {
            FightOrder::AtOnce => 5,
            FightOrder::InTurn | FightOrder::OneOf => 100,
        };
        self.within("foes", fight.foes.len() as i64, 1, most)?;
        // The weights of a round in which all foes attack must fit into 64 bits.
        let mut rolls: Option<u64> = Some(1);
        self.each("foes", &fight.foes, |c, foe| {
            c.small("skill", foe.skill)?;
            c.within("stamina", foe.stamina, 1, 1_000)?;
            c.within("damage", foe.damage, 0, 1_000)?;
            rolls = rolls.and_then(|rolls| rolls.checked_mul(1_296));
            if let Some(hazard) = &foe.hazard {
                c.within("hazard.of", hazard.of, 1, 1_000)?;
                c.within("hazard.chance", hazard.chance, 0, hazard.of.into())?;
                c.within("hazard.damage", hazard.damage, 0, 1_000)?;
                rolls = rolls.and_then(|rolls| rolls.checked_mul(hazard.of.into()));
            }
            match &foe.mark {
                Some(mark) => c.at("mark", |c| c.known("flag", mark)),
                None => Ok(()),
            }
        })?;
        if fight.order == FightOrder::AtOnce && rolls.is_none() {
            return Err(self.invalid("too many foes with too fine hazards attack at once"));
        }
        if let Some(escape) = &fight.escape {
            self.at("escape", |c| {
                c.within("after", escape.after, 1, 100)?;
                c.within("cost", escape.cost, 0, 1_000)?;
                c.at("flee", |c| c.passage(&escape.flee))
            })?;
        }
        if let Some(toll) = &fight.toll {
            let foes = fight.foes.iter().map(|foe| u32::from(foe.stamina));
            let after = fight.escape.as_ref().map_or(0, |escape| escape.after);
            let ways = foes.sum::<u32>() * u32::from(1 + after);
            self.at("toll", |c| {
                c.effects("effects", &toll.effects)?;
                match ways > MOST_STANDOFFS {
                    true => Err(c.invalid(TOO_LONG)),
                    false => Ok(()),
                }
            })?;
        }
        self.at("victory", |c| c.passage(&fight.victory))
    }

    fn shop(&mut self, shop: &Shop) -> Checked {
        let money = self.manuscript.rules.money.clone();
        self.played_with("money", &money)?;
        let ware = |c: &mut Self, goods: &Goods| {
            c.within("price", goods.price, 0, crate::amount::MOST.into())?;
            match &goods.ware {
                Ware::Item(item) => c.at("ware", |c| c.known("item", item)),
                Ware::Stat(stat) if *stat == money => Err(c.invalid("money is not for sale")),
                Ware::Stat(stat) => {
                    c.within("price", goods.price, 1, crate::amount::MOST.into())?;
                    c.at("ware", |c| c.known("stat", stat))
                }
            }
        };
        let mut sold = Vec::new();
        self.each("sells", &shop.sells, |c, goods| {
            ware(c, goods)?;
            c.once(&mut sold, &goods.ware)
        })?;
        let mut bought = Vec::new();
        self.each("buys", &shop.buys, |c, goods| {
            ware(c, goods)?;
            c.once(&mut bought, &goods.ware)?;
            if matches!(goods.ware, Ware::Stat(_)) {
                return Err(c.invalid("only items can be sold"));
            }
            let mut sold = shop.sells.iter();
            if sold.any(|sold| sold.ware == goods.ware && sold.price < goods.price) {
                return Err(c.invalid("the shop pays more for it than it asks: endless money"));
            }
            Ok(())
        })?;
        self.at("leave", |c| c.passage(&shop.leave))
    }

    /// A ware has a single price.
    fn once(&self, known: &mut Vec<Ware>, ware: &Ware) -> Checked {
        if known.contains(ware) {
            return Err(self.invalid("the same is there already, and has one price"));
        }
        known.push(ware.clone());
        Ok(())
    }

    fn condition_at(&mut self, field: &str, condition: Option<&Condition>) -> Checked {
        match condition {
            Some(condition) => self.at(field, |c| c.condition(condition)),
            None => Ok(()),
        }
    }

    fn condition(&mut self, condition: &Condition) -> Checked {
        match condition {
            Condition::Has(item) => self.at("has", |c| c.known("item", item)),
            Condition::Flag(flag) => self.at("flag", |c| c.known("flag", flag)),
            Condition::AtLeast(stats) => self.at("at_least", |c| c.numbers(stats)),
            Condition::Holds(holding) => self.at("holds", |c| {
                c.known("tag", &holding.tag)?;
                c.within("count", holding.count, 0, crate::amount::MOST.into())
            }),
            Condition::Not(not) => self.at("not", |c| c.condition(not)),
            Condition::All(all) => self.each("all", all, |c, one| c.condition(one)),
            Condition::Any(any) => self.each("any", any, |c, one| c.condition(one)),
        }
    }

    fn effects(&mut self, field: &str, effects: &[Effect]) -> Checked {
        self.each(field, effects, |c, effect| c.effect(effect))?;
        if steps(effects) > MOST_EFFECTS {
            return self.at(field, |c| {
                Err(c.invalid("more than 10,000 effects, counted as often as they are repeated"))
            });
        }
        Ok(())
    }

    fn effect(&mut self, effect: &Effect) -> Checked {
        match effect {
            Effect::Change(stats) => self.at("change", |c| c.amounts(stats)),
            Effect::Set(stats) => self.at("set", |c| c.amounts(stats)),
            Effect::Restore(stat) => self.at("restore", |c| c.known("stat", stat)),
            Effect::RaiseCap(stats) => self.at("raise_cap", |c| {
                if stats.is_empty() {
                    return Err(c.invalid(NOTHING));
                }
                stats.iter().try_for_each(|(stat, by)| {
                    c.known("stat", stat)?;
                    c.small(stat, *by)?;
                    c.raised.insert(stat.clone());
                    let mut all = c.manuscript.sheet.stats.iter();
                    if all.any(|known| known.id == *stat && known.cap.is_none()) {
                        return Err(c.invalid("the stat has no cap to raise"));
                    }
                    Ok(())
                })
            }),
            Effect::Gain(item) => self.at("gain", |c| c.known("item", item)),
            Effect::Lose(item) => self.at("lose", |c| c.known("item", item)),
            Effect::LoseTagged(tag) => self.at("lose_tagged", |c| c.known("tag", tag)),
            Effect::SetFlag(flag) => self.at("set_flag", |c| c.known("flag", flag)),
            Effect::ClearFlag(flag) => self.at("clear_flag", |c| c.known("flag", flag)),
            Effect::LoseRandom(loss) => self.at("lose_random", |c| {
                c.within("count", loss.count, 1, 3)?;
                match &loss.tag {
                    Some(tag) => c.at("tag", |c| c.known("tag", tag)),
                    None => Ok(()),
                }
            }),
            Effect::Random(branches) => self.weighted("random", branches),
            Effect::When(when) => self.at("when", |c| {
                c.condition_at("if", Some(&when.condition))?;
                c.effects("then", &when.then)?;
                c.effects("else", &when.otherwise)
            }),
            Effect::Repeat(repeat) => self.at("repeat", |c| {
                c.within("times", repeat.times, 1, 20)?;
                c.condition_at("while", repeat.condition.as_ref())?;
                c.effects("effects", &repeat.effects)
            }),
        }
    }

    fn amounts(&mut self, stats: &BTreeMap<String, Amount>) -> Checked {
        if stats.is_empty() {
            return Err(self.invalid(NOTHING));
        }
        stats.iter().try_for_each(|(stat, amount)| {
            self.known("stat", stat)?;
            self.amount(stat, *amount)
        })
    }

    fn weighted(&mut self, field: &str, branches: &[WeightedEffects]) -> Checked {
        self.weights(field, branches.iter().map(|branch| branch.weight))?;
        self.each(field, branches, |c, branch| {
            c.effects("effects", &branch.effects)
        })
    }

    fn weights(&mut self, field: &str, mut weights: impl Iterator<Item = u32>) -> Checked {
        if weights.any(|weight| weight > 0) {
            return Ok(());
        }
        self.at(field, |c| Err(c.invalid("some weight must be positive")))
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
