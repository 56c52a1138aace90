//! Checks whether what a section says is possible.

use rustc_hash::FxHashMap;

use crate::section::{Branch, Case, Condition, Decision, Effect, Outcome};
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

/// The number of mistakes that are kept. Nobody reads more, and a text of megabytes may have
/// millions.
const MISTAKES: usize = 100;

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

/// The mistakes found in a book, as far as they are kept.
#[derive(Default)]
pub(crate) struct Mistakes(Vec<Error>);

impl Mistakes {
    /// Adds a mistake, unless it has been told already or nobody will read it.
    pub(crate) fn add(&mut self, mistake: Error) {
        if !self.is_full() && !self.0.contains(&mistake) {
            self.0.push(mistake);
        }
    }

    fn is_full(&self) -> bool {
        self.0.len() == MISTAKES
    }

    /// One mistake is the error itself.
    pub(crate) fn told(mut self) -> Result<(), Error> {
        match self.0.len() {
            0 => Ok(()),
            1 => Err(self.0.remove(0)),
            _ => Err(Error::Mistakes { errors: self.0 }),
        }
    }
}

pub(crate) struct Check<'a> {
    section: u16,
    places: &'a FxHashMap<u16, usize>,
    /// The sections this one leads to.
    ways: Vec<u16>,
    /// Whether something was too deep, which is told once in a section.
    too_deep: bool,
    mistakes: &'a mut Mistakes,
}

impl<'a> Check<'a> {
    /// Checks a section, notes its mistakes and returns the sections it leads to.
    pub(crate) fn section(
        section: &Section,
        places: &'a FxHashMap<u16, usize>,
        mistakes: &'a mut Mistakes,
    ) -> Vec<u16> {
        let mut check = Check {
            section: section.number,
            places,
            ways: Vec::new(),
            too_deep: false,
            mistakes,
        };
        check.decision(&section.decision, Nest::default());
        check.ways
    }

    fn wrong(&mut self, message: impl Into<String>) {
        self.mistakes.add(Error::Section {
            section: self.section,
            message: message.into(),
        });
    }

    /// Returns whether something that has `brackets` nested JSON brackets of its own is not too
    /// deep. If it is, this is a mistake, and nothing within is looked at.
    fn fits(&mut self, nest: Nest, brackets: usize) -> bool {
        let needed = nest.brackets + brackets;
        let message = if nest.depth > DEPTH {
            format!("decisions are nested deeper than {DEPTH}")
        } else if needed > BRACKETS {
            format!(
                "its decision needs {needed} nested JSON brackets, which exceeds the limit of {BRACKETS}"
            )
        } else {
            return true;
        };
        if !self.too_deep {
            self.too_deep = true;
            self.wrong(message);
        }
        false
    }

    fn way(&mut self, to: u16) {
        match self.places.contains_key(&to) {
            true => self.ways.push(to),
            false => self.wrong(format!("there is no section {to}")),
        }
    }

    fn count(&mut self, verb: &str, item: Item, count: u8, most: u8) {
        if !(1..=most).contains(&count) {
            self.wrong(format!(
                "{verb} {}: the count must be between 1 and {most}, got {count}",
                item.name()
            ));
        }
    }

    fn decision(&mut self, decision: &Decision, nest: Nest) {
        let brackets = match decision {
            Decision::Choose(_) | Decision::Evade { .. } => 3,
            Decision::When { .. }
            | Decision::Take { .. }
            | Decision::Buy { .. }
            | Decision::Sell { .. }
            | Decision::Cartwheel { .. } => 2,
            Decision::Rest(_) | Decision::Then(_) => 1,
        };
        if !self.fits(nest, brackets) {
            return;
        }
        match decision {
            Decision::Choose(branches) => {
                if branches.is_empty() {
                    self.wrong("a choice needs at least one option");
                }
                for Branch { label, decision } in branches {
                    if label.as_ref().is_some_and(|label| label.trim().is_empty()) {
                        self.wrong("a label is blank; leave it out or fill it in");
                    }
                    self.decision(decision, nest.within(3));
                }
            }
            Decision::When {
                condition,
                decision,
            } => {
                self.condition(condition, nest.within(2));
                self.decision(decision, nest.within(2));
            }
            Decision::Take { item, count, next } => {
                let most = match item.slot() {
                    Slot::Pouch => PURSE,
                    _ => HEAP,
                };
                self.count("take", *item, *count, most);
                self.decision(next, nest.within(2));
            }
            Decision::Buy { item, price, next } => {
                if *price > PURSE {
                    let item = item.name();
                    self.wrong(format!(
                        "buy {item}: the price must be at most {PURSE}, the capacity of the belt pouch, got {price}"
                    ));
                }
                self.decision(next, nest.within(2));
            }
            Decision::Sell { item, next, .. } => {
                if *item == Item::Backpack {
                    self.wrong("sell backpack: the Backpack cannot be sold");
                }
                self.decision(next, nest.within(2));
            }
            Decision::Rest(next) => self.decision(next, nest.within(1)),
            Decision::Evade { to, foe, won, .. } => {
                self.way(*to);
                if foe.contest.is_some() {
                    self.wrong("a trial of strength cannot be evaded");
                }
                self.foe(foe);
                self.outcome(won, nest.within(2));
            }
            Decision::Cartwheel { fare, to, broke } => {
                if *fare > PURSE {
                    self.wrong(format!(
                        "the fare must be at most {PURSE}, the capacity of the belt pouch, got {fare}"
                    ));
                }
                self.way(*to);
                self.way(*broke);
            }
            Decision::Then(outcome) => self.outcome(outcome, nest.within(1)),
        }
    }

    fn outcome(&mut self, outcome: &Outcome, nest: Nest) {
        let brackets = match outcome {
            Outcome::Lost | Outcome::Won => 0,
            Outcome::Goto(_) => 1,
            Outcome::Random(_)
            | Outcome::Branch(_)
            | Outcome::Do { .. }
            | Outcome::Fight { .. } => 3,
        };
        if !self.fits(nest, brackets) {
            return;
        }
        match outcome {
            Outcome::Goto(to) => self.way(*to),
            Outcome::Lost | Outcome::Won => {}
            Outcome::Random(chances) => {
                let numbers: u32 = chances.iter().map(|chance| u32::from(chance.numbers)).sum();
                if numbers != 10 || chances.iter().any(|chance| chance.numbers == 0) {
                    self.wrong(format!(
                        "its random table has {numbers} numbers; it needs ten, and at least one in each line"
                    ));
                }
                for chance in chances {
                    self.outcome(&chance.then, nest.within(3));
                }
            }
            Outcome::Branch(cases) => {
                self.cases(cases);
                for case in cases {
                    self.condition(&case.condition, nest.within(3));
                    self.outcome(&case.then, nest.within(3));
                }
            }
            Outcome::Do { effects, then } => {
                for effect in effects {
                    self.effect(effect, nest);
                }
                self.outcome(then, nest.within(2));
            }
            Outcome::Fight { foe, won } => {
                self.foe(foe);
                self.outcome(won, nest.within(2));
            }
        }
    }

    /// Checks that the last case of a branch always holds, and no other.
    fn cases(&mut self, cases: &[Case]) {
        let always = |case: &Case| case.condition == Condition::Always;
        match cases.iter().position(always) {
            Some(place) if place + 1 == cases.len() => {}
            Some(_) => self.wrong("the cases of a branch after \"always\" are never reached"),
            None => self.wrong("the last case of a branch must be \"always\""),
        }
    }

    fn effect(&mut self, effect: &Effect, nest: Nest) {
        // `do`, the list of effects, and the effect itself.
        let brackets = match effect {
            Effect::Gain { .. } | Effect::Lose { .. } | Effect::LoseAll(_) => 5,
            Effect::Damage(_) | Effect::Heal(_) | Effect::Eat(_) | Effect::Learn(_) => 4,
            Effect::FullHeal | Effect::HalfHeal | Effect::NoHealing => 3,
        };
        self.fits(nest, brackets);
        match effect {
            Effect::Gain { item, count } => self.count("gain", *item, *count, LIMIT),
            Effect::Lose { item, count } => self.count("lose", *item, *count, LIMIT),
            _ => {}
        }
    }

    fn condition(&mut self, condition: &Condition, nest: Nest) {
        let brackets = match condition {
            Condition::Always => 0,
            Condition::Any(_)
            | Condition::All(_)
            | Condition::Item { .. }
            | Condition::Discipline(Discipline::Weaponskill(_)) => 2,
            Condition::Not(_)
            | Condition::Discipline(_)
            | Condition::Knows(_)
            | Condition::Rule(_) => 1,
        };
        if !self.fits(nest, brackets) {
            return;
        }
        match condition {
            Condition::Not(inner) => self.condition(inner, nest.within(1)),
            Condition::Any(all) | Condition::All(all) => {
                for inner in all {
                    self.condition(inner, nest.within(2));
                }
            }
            Condition::Discipline(Discipline::Weaponskill(weapon)) => {
                if !weapon.can_be_trained() {
                    self.wrong(format!("Weaponskill cannot be learnt for {weapon}"));
                }
            }
            Condition::Item { item, count } => {
                // Under the rules with the highest limits.
                self.count("ask for", *item, *count, sheet::cap(*item, true));
            }
            Condition::Discipline(_)
            | Condition::Knows(_)
            | Condition::Rule(_)
            | Condition::Always => {}
        }
    }

    fn foe(&mut self, foe: &Foe) {
        let Foe {
            name,
            combat_skill,
            endurance,
            ..
        } = foe;
        if name.trim().is_empty() {
            self.wrong("a foe has no name");
        }
        if *endurance == 0 || *endurance > LIMIT || *combat_skill > LIMIT {
            self.wrong(format!(
                "{name}: COMBAT SKILL must be between 0 and {LIMIT}, got {combat_skill}, and ENDURANCE between 1 and {LIMIT}, got {endurance}"
            ));
        }
        if let Some(to) = foe.contest {
            self.way(to);
        }
    }
}
