//! Checks whether what a section says is possible.

use rustc_hash::FxHashMap;

use crate::section::{Case, Condition, Decision, Effect, Outcome};
use crate::{Discipline, Error, Foe, Item, Section, Slot, sheet};

/// The nesting limit of decisions and outcomes, which are traversed by recursion.
const DEPTH: usize = 64;
/// The limit on nested JSON brackets in a decision. Readers allow 127, of which the book, the list
/// of its sections and the section use three.
const BRACKETS: usize = 124;
/// The limit on COMBAT SKILL and ENDURANCE of a foe, and on the number of an item gained or lost.
const LIMIT: u8 = 100;
/// The limit on the number of an item that can be found at once, except Gold Crowns.
const HEAP: u8 = 15;
/// The largest number of Gold Crowns that anybody can hold.
const PURSE: u8 = 50;

/// The nesting depth of something.
#[derive(Clone, Copy, Default)]
struct Nest {
    depth: usize,
    /// The number of JSON brackets around it.
    brackets: usize,
}

impl Nest {
    /// Returns the nesting of what is inside, this many brackets deeper.
    fn within(self, brackets: usize) -> Self {
        Nest {
            depth: self.depth + 1,
            brackets: self.brackets + brackets,
        }
    }
}

pub(crate) struct Check<'a> {
    section: u16,
    places: &'a FxHashMap<u16, usize>,
    /// The sections this one leads to.
    ways: Vec<u16>,
}

impl<'a> Check<'a> {
    /// Checks a section and returns the sections it leads to.
    pub(crate) fn section(
        section: &Section,
        places: &'a FxHashMap<u16, usize>,
    ) -> Result<Vec<u16>, Error> {
        let mut check = Check {
            section: section.number,
            places,
            ways: Vec::new(),
        };
        check.decision(&section.decision, Nest::default())?;
        Ok(check.ways)
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(Error::Section {
            section: self.section,
            message: message.into(),
        })
    }

    /// Checks the depth of something that has `brackets` nested JSON brackets of its own.
    fn deep(&self, nest: Nest, brackets: usize) -> Result<(), Error> {
        if nest.depth > DEPTH {
            return self.wrong(format!("decisions are nested deeper than {DEPTH}"));
        }
        let needed = nest.brackets + brackets;
        if needed > BRACKETS {
            return self.wrong(format!(
                "its decision needs {needed} nested JSON brackets, which exceeds the limit of {BRACKETS}"
            ));
        }
        Ok(())
    }

    fn way(&mut self, to: u16) -> Result<(), Error> {
        if !self.places.contains_key(&to) {
            return self.wrong(format!("there is no section {to}"));
        }
        self.ways.push(to);
        Ok(())
    }

    fn count(&self, verb: &str, item: Item, count: u8, most: u8) -> Result<(), Error> {
        match (1..=most).contains(&count) {
            true => Ok(()),
            false => self.wrong(format!(
                "{verb} {}: the count must be between 1 and {most}, got {count}",
                item.name()
            )),
        }
    }

    fn decision(&mut self, decision: &Decision, nest: Nest) -> Result<(), Error> {
        match decision {
            Decision::Choose(branches) => {
                self.deep(nest, 3)?;
                if branches.is_empty() {
                    return self.wrong("a choice needs at least one option");
                }
                for branch in branches {
                    let label = branch.label.as_deref();
                    if label.is_some_and(|label| label.trim().is_empty()) {
                        return self.wrong("a label is blank; leave it out or fill it in");
                    }
                    self.decision(&branch.decision, nest.within(3))?;
                }
                Ok(())
            }
            Decision::When {
                condition,
                decision,
            } => {
                self.deep(nest, 2)?;
                self.condition(condition, nest.within(2))?;
                self.decision(decision, nest.within(2))
            }
            Decision::Take { item, count, next } => {
                self.deep(nest, 2)?;
                let most = match item.slot() {
                    Slot::Pouch => PURSE,
                    _ => HEAP,
                };
                self.count("take", *item, *count, most)?;
                self.decision(next, nest.within(2))
            }
            Decision::Buy { item, price, next } => {
                self.deep(nest, 2)?;
                if *price > PURSE {
                    let item = item.name();
                    return self.wrong(format!(
                        "buy {item}: the price must be at most {PURSE}, the capacity of the belt pouch, got {price}"
                    ));
                }
                self.decision(next, nest.within(2))
            }
            Decision::Sell { item, next, .. } => {
                self.deep(nest, 2)?;
                if *item == Item::Backpack {
                    return self.wrong("sell backpack: the Backpack cannot be sold");
                }
                self.decision(next, nest.within(2))
            }
            Decision::Rest(next) => {
                self.deep(nest, 1)?;
                self.decision(next, nest.within(1))
            }
            Decision::Evade { to, foe, won, .. } => {
                self.deep(nest, 3)?;
                self.way(*to)?;
                if foe.contest.is_some() {
                    return self.wrong("a trial of strength cannot be evaded");
                }
                self.foe(foe)?;
                self.outcome(won, nest.within(2))
            }
            Decision::Cartwheel { fare, to, broke } => {
                self.deep(nest, 2)?;
                if *fare > PURSE {
                    return self.wrong(format!(
                        "the fare must be at most {PURSE}, the capacity of the belt pouch, got {fare}"
                    ));
                }
                self.way(*to)?;
                self.way(*broke)
            }
            Decision::Then(outcome) => {
                self.deep(nest, 1)?;
                self.outcome(outcome, nest.within(1))
            }
        }
    }

    fn outcome(&mut self, outcome: &Outcome, nest: Nest) -> Result<(), Error> {
        match outcome {
            Outcome::Goto(to) => {
                self.deep(nest, 1)?;
                self.way(*to)
            }
            Outcome::Lost | Outcome::Won => self.deep(nest, 0),
            Outcome::Random(chances) => {
                self.deep(nest, 3)?;
                let numbers: u32 = chances.iter().map(|chance| u32::from(chance.numbers)).sum();
                if numbers != 10 || chances.iter().any(|chance| chance.numbers == 0) {
                    return self.wrong(format!(
                        "its random table has {numbers} numbers; it needs ten, and at least one in each line"
                    ));
                }
                for chance in chances {
                    self.outcome(&chance.then, nest.within(3))?;
                }
                Ok(())
            }
            Outcome::Branch(cases) => {
                self.deep(nest, 3)?;
                self.cases(cases)?;
                for case in cases {
                    self.condition(&case.condition, nest.within(3))?;
                    self.outcome(&case.then, nest.within(3))?;
                }
                Ok(())
            }
            Outcome::Do { effects, then } => {
                self.deep(nest, 3)?;
                for effect in effects {
                    self.effect(effect, nest)?;
                }
                self.outcome(then, nest.within(2))
            }
            Outcome::Fight { foe, won } => {
                self.deep(nest, 3)?;
                self.foe(foe)?;
                self.outcome(won, nest.within(2))
            }
        }
    }

    /// Checks that the last case of a branch always holds, and no other.
    fn cases(&self, cases: &[Case]) -> Result<(), Error> {
        let always = |case: &Case| case.condition == Condition::Always;
        match cases.iter().position(always) {
            Some(place) if place + 1 == cases.len() => Ok(()),
            Some(_) => self.wrong("the cases of a branch after \"always\" are never reached"),
            None => self.wrong("the last case of a branch must be \"always\""),
        }
    }

    fn effect(&self, effect: &Effect, nest: Nest) -> Result<(), Error> {
        // `do`, the list of effects, and the effect itself.
        let brackets = match effect {
            Effect::Gain { item, count } => {
                self.count("gain", *item, *count, LIMIT)?;
                5
            }
            Effect::Lose { item, count } => {
                self.count("lose", *item, *count, LIMIT)?;
                5
            }
            Effect::LoseAll(_) => 5,
            Effect::Damage(_) | Effect::Heal(_) | Effect::Eat(_) | Effect::Learn(_) => 4,
            Effect::FullHeal | Effect::HalfHeal | Effect::NoHealing => 3,
        };
        self.deep(nest, brackets)
    }

    fn condition(&mut self, condition: &Condition, nest: Nest) -> Result<(), Error> {
        match condition {
            Condition::Not(inner) => {
                self.deep(nest, 1)?;
                self.condition(inner, nest.within(1))
            }
            Condition::Any(all) | Condition::All(all) => {
                self.deep(nest, 2)?;
                all.iter()
                    .try_for_each(|inner| self.condition(inner, nest.within(2)))
            }
            Condition::Discipline(Discipline::Weaponskill(weapon)) => {
                self.deep(nest, 2)?;
                match weapon.can_be_trained() {
                    true => Ok(()),
                    false => self.wrong(format!("Weaponskill cannot be learnt for {weapon}")),
                }
            }
            Condition::Item { item, count } => {
                self.deep(nest, 2)?;
                // Under the rules with the highest limits.
                self.count("ask for", *item, *count, sheet::cap(*item, true))
            }
            Condition::Discipline(_) | Condition::Knows(_) | Condition::Rule(_) => {
                self.deep(nest, 1)
            }
            Condition::Always => self.deep(nest, 0),
        }
    }

    fn foe(&mut self, foe: &Foe) -> Result<(), Error> {
        let Foe {
            name,
            combat_skill,
            endurance,
            ..
        } = foe;
        if name.trim().is_empty() {
            return self.wrong("a foe has no name");
        }
        if *endurance == 0 || *endurance > LIMIT || *combat_skill > LIMIT {
            return self.wrong(format!(
                "{name}: COMBAT SKILL must be between 0 and {LIMIT}, got {combat_skill}, and ENDURANCE between 1 and {LIMIT}, got {endurance}"
            ));
        }
        match foe.contest {
            Some(to) => self.way(to),
            None => Ok(()),
        }
    }
}
