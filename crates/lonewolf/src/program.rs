//! A book broken into steps, each with one decision.
//!
//! Items that can be found, goods for sale and potions to drink are decided one by one, so a
//! section that offers seven things is seven steps of two options and not one step of 128. What is
//! known about a step (see `ladder`) is shared by all paths into it. Steps are numbered in an order
//! in which the book can be read: every step leads to higher numbers only, except after drinking
//! and after a spin of the Cartwheel, when the same step is repeated.

use rustc_hash::FxHashMap;

use crate::check::{Check, Mistakes};
use crate::section::{Branch, Condition, Decision, Outcome};
use crate::{Error, Foe, Item, Manuscript};

/// The number of a step.
pub(crate) type StepId = u32;

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    entries: FxHashMap<u16, StepId>,
    pub(crate) start: StepId,
    pub(crate) won: u16,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) section: u16,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Take {
        item: Item,
        count: u8,
        next: StepId,
    },
    Buy {
        item: Item,
        price: u8,
        next: StepId,
    },
    Sell {
        item: Item,
        price: u8,
        next: StepId,
    },
    Rest {
        next: StepId,
    },
    /// A potion of strength may be drunk.
    Ready {
        evading: bool,
        next: StepId,
    },
    /// The Cartwheel. It is never a part of a step: after a spin its step is repeated, and a hero
    /// who has lost his Crowns must not find the other options of a choice there.
    Wheel {
        fare: u8,
        to: u16,
        broke: u16,
    },
    Part(Part),
}

/// What is decided in one step.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Choose(Vec<Part>),
    When(Condition, Box<Part>),
    Evade {
        after: u8,
        to: u16,
        foe: Foe,
        won: Outcome,
    },
    Then(Leaf, Outcome),
    Next(Leaf, StepId),
}

/// One of the options of a choice, at any depth, or the only way to go on.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// The number of the option, counted from 1; 0 where there is no choice.
    pub(crate) number: u16,
    pub(crate) label: Option<String>,
    /// The section that it leads to, if it leads to only one.
    pub(crate) to: Option<u16>,
}

impl Leaf {
    const ALONE: Leaf = Leaf {
        number: 0,
        label: None,
        to: None,
    };
}

/// The options of a choice while they are laid out.
#[derive(Clone, Copy, Default)]
struct Branching<'a> {
    /// The number of options before this one, if there is a choice.
    before: Option<u16>,
    label: Option<&'a str>,
}

impl Program {
    pub(crate) fn new(manuscript: &Manuscript) -> Result<Self, Error> {
        let mut mistakes = Mistakes::default();
        if manuscript.id.trim().is_empty() {
            mistakes.add(Error::book("id must not be blank"));
        }
        let mut places: FxHashMap<u16, usize> = FxHashMap::default();
        for (place, section) in manuscript.sections.iter().enumerate() {
            let number = section.number;
            let twice = places.insert(number, place).is_some();
            if number == 0 {
                mistakes.add(Error::book("section numbers must be 1 or more, got 0"));
            } else if twice {
                mistakes.add(Error::book(format!("section {number} is defined twice")));
            }
        }
        for (name, number) in [("start", manuscript.start), ("won", manuscript.won)] {
            if !places.contains_key(&number) {
                let message = format!("{name} is section {number}, which does not exist");
                mistakes.add(Error::book(message));
            }
        }
        let mut ways = Vec::with_capacity(manuscript.sections.len());
        for section in &manuscript.sections {
            let leads = Check::section(section, &places, &mut mistakes);
            ways.push(match section.number == manuscript.won {
                true => Vec::new(),
                false => leads,
            });
        }
        mistakes.told()?;
        let order = reading_order(manuscript, &places, &ways)?;
        let mut program = Program {
            steps: Vec::new(),
            entries: FxHashMap::default(),
            start: 0,
            won: manuscript.won,
        };
        for place in order {
            let section = &manuscript.sections[place];
            let entry = program.lay(section.number, &section.decision)?;
            program.entries.insert(section.number, entry);
        }
        program.start = program.entry(manuscript.start);
        Ok(program)
    }

    /// Returns the first step of a section, which must exist.
    pub(crate) fn entry(&self, section: u16) -> StepId {
        self.entries.get(&section).copied().unwrap_or(StepId::MAX)
    }

    /// Returns whether there is nothing to do because the first section is the winning one.
    pub(crate) fn starts_won(&self) -> bool {
        self.entries.get(&self.won) == Some(&self.start)
    }

    /// Lays out a decision as steps and returns the first of them.
    fn lay(&mut self, section: u16, decision: &Decision) -> Result<StepId, Error> {
        let first = self.reserve(section)?;
        let what = match decision {
            Decision::Take { item, count, next } => {
                // Crowns are picked up all at once, other items one by one.
                let (each, times) = match item {
                    Item::Gold => (*count, 1),
                    _ => (1, *count),
                };
                let mut at = first;
                for _ in 1..times {
                    let then = self.reserve(section)?;
                    self.steps[at as usize].what = What::Take {
                        item: *item,
                        count: each,
                        next: then,
                    };
                    at = then;
                }
                let next = self.lay(section, next)?;
                self.steps[at as usize].what = What::Take {
                    item: *item,
                    count: each,
                    next,
                };
                return Ok(first);
            }
            Decision::Buy { item, price, next } => What::Buy {
                item: *item,
                price: *price,
                next: self.lay(section, next)?,
            },
            Decision::Sell { item, price, next } => What::Sell {
                item: *item,
                price: *price,
                next: self.lay(section, next)?,
            },
            Decision::Rest(next) => What::Rest {
                next: self.lay(section, next)?,
            },
            Decision::Then(outcome) if fights(outcome) => {
                let next = self.reserve(section)?;
                let then = Part::Then(Leaf::ALONE, outcome.clone());
                self.steps[next as usize].what = What::Part(then);
                What::Ready {
                    evading: false,
                    next,
                }
            }
            Decision::Evade {
                after,
                to,
                foe,
                won,
            } => {
                let next = self.reserve(section)?;
                self.steps[next as usize].what = What::Part(Part::Evade {
                    after: *after,
                    to: *to,
                    foe: foe.clone(),
                    won: won.clone(),
                });
                What::Ready {
                    evading: true,
                    next,
                }
            }
            Decision::Cartwheel { fare, to, broke } => What::Wheel {
                fare: *fare,
                to: *to,
                broke: *broke,
            },
            Decision::Choose(_) | Decision::When { .. } | Decision::Then(_) => {
                What::Part(self.part(section, decision, Branching::default())?.0)
            }
        };
        self.steps[first as usize].what = what;
        Ok(first)
    }

    /// Lays out a part of a choice, and returns the number of options up to its end.
    fn part(
        &mut self,
        section: u16,
        decision: &Decision,
        branching: Branching<'_>,
    ) -> Result<(Part, u16), Error> {
        match decision {
            Decision::Choose(branches) => {
                let mut before = branching.before.unwrap_or(0);
                let mut laid = Vec::with_capacity(branches.len());
                for Branch { label, decision } in branches {
                    let branching = Branching {
                        before: Some(before),
                        label: label.as_deref(),
                    };
                    let (part, after) = self.part(section, decision, branching)?;
                    laid.push(part);
                    before = after;
                }
                return Ok((Part::Choose(laid), before));
            }
            Decision::When {
                condition,
                decision,
            } => {
                let (part, after) = self.part(section, decision, branching)?;
                return Ok((Part::When(condition.clone(), Box::new(part)), after));
            }
            _ => {}
        }
        let number = branching
            .before
            .map_or(0, |before| before.saturating_add(1));
        let leaf = Leaf {
            number,
            label: branching.label.map(str::to_owned),
            to: sole_section(decision),
        };
        let part = match decision {
            Decision::Then(outcome) if !fights(outcome) => Part::Then(leaf, outcome.clone()),
            _ => Part::Next(leaf, self.lay(section, decision)?),
        };
        Ok((part, number))
    }

    fn reserve(&mut self, section: u16) -> Result<StepId, Error> {
        // The two highest numbers stand for the ends of an adventure.
        let step = StepId::try_from(self.steps.len()).ok();
        let step = step.filter(|&step| step < StepId::MAX - 2);
        let step = step.ok_or_else(|| Error::book("it has more decisions than can be numbered"))?;
        self.steps.push(Step {
            section,
            what: What::Part(Part::Then(Leaf::ALONE, Outcome::Lost)),
        });
        Ok(step)
    }
}

/// Returns whether an outcome contains a combat.
fn fights(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Fight { .. } => true,
        Outcome::Random(chances) => chances.iter().any(|chance| fights(&chance.then)),
        Outcome::Branch(cases) => cases.iter().any(|case| fights(&case.then)),
        Outcome::Do { then, .. } => fights(then),
        Outcome::Goto(_) | Outcome::Lost | Outcome::Won => false,
    }
}

/// Returns the section that a decision leads to, whatever is decided, if there is only one.
fn sole_section(decision: &Decision) -> Option<u16> {
    match decision {
        Decision::Choose(branches) => {
            the_same(branches.iter().map(|branch| sole_section(&branch.decision)))
        }
        Decision::When { decision, .. } => sole_section(decision),
        Decision::Take { next, .. }
        | Decision::Buy { next, .. }
        | Decision::Sell { next, .. }
        | Decision::Rest(next) => sole_section(next),
        Decision::Then(outcome) => destination(outcome),
        Decision::Evade { .. } | Decision::Cartwheel { .. } => None,
    }
}

/// Returns the section that an outcome leads to, if there is only one.
fn destination(outcome: &Outcome) -> Option<u16> {
    match outcome {
        Outcome::Goto(to) => Some(*to),
        Outcome::Do { then, .. } => destination(then),
        Outcome::Branch(cases) => the_same(cases.iter().map(|case| destination(&case.then))),
        Outcome::Lost | Outcome::Won | Outcome::Random(_) | Outcome::Fight { .. } => None,
    }
}

fn the_same(mut sections: impl Iterator<Item = Option<u16>>) -> Option<u16> {
    let first = sections.next()??;
    sections
        .all(|section| section == Some(first))
        .then_some(first)
}

/// Returns the places of the sections, in an order in which each comes before those it leads to.
fn reading_order(
    manuscript: &Manuscript,
    places: &FxHashMap<u16, usize>,
    ways: &[Vec<u16>],
) -> Result<Vec<usize>, Error> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; ways.len()];
    let mut last_first = Vec::with_capacity(ways.len());
    for root in 0..ways.len() {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        let mut path = vec![(root, 0)];
        while let Some(&(place, next)) = path.last() {
            let Some(to) = ways[place].get(next) else {
                marks[place] = Mark::Done;
                last_first.push(place);
                path.pop();
                continue;
            };
            if let Some(top) = path.last_mut() {
                top.1 += 1;
            }
            let Some(&to) = places.get(to) else { continue };
            match marks[to] {
                Mark::New => {
                    marks[to] = Mark::Open;
                    path.push((to, 0));
                }
                Mark::Open => {
                    let number = |place: usize| manuscript.sections[place].number;
                    let begin = path.iter().position(|&(place, _)| place == to);
                    let circle = path.iter().skip(begin.unwrap_or(0));
                    let circle: Vec<String> = circle
                        .map(|&(place, _)| number(place).to_string())
                        .collect();
                    return Err(Error::Section {
                        section: number(to),
                        message: format!(
                            "it leads back to itself through {}; only books without cycles can be solved",
                            circle.join(", ")
                        ),
                    });
                }
                Mark::Done => {}
            }
        }
    }
    last_first.reverse();
    Ok(last_first)
}
