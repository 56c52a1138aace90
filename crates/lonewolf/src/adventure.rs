//! A book as a game of the general solver, without any reduction.

use std::sync::{Mutex, PoisonError};

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};
use oddsmith_mdp::{Game, Node as Page};

use crate::fraction::Fraction;
use crate::hand::{Asked, Hand};
use crate::openings::Openings;
use crate::program::StepId;
use crate::resolve::{Choice, Exit, Node, Plan, Setting};
use crate::situation::Situation;
use crate::skirmish::Skirmish;
use crate::spread::{Laws, Spreader};
use crate::{Act, ActionChart, Book, Error, Rules, wheel};

/// A book played by one hero, as a [`Game`]. Every situation is a state; none are merged and none
/// are left out.
///
/// The general solver answers questions that [`BookSolver`](crate::BookSolver) does not: other
/// policies, other number types, lazy search. [`BookSolver`](crate::BookSolver) is also tested
/// against it. "Fire on the Water" has millions of situations; if only the chance to win is wanted,
/// [`BookSolver`](crate::BookSolver) is faster by an order of magnitude or more.
///
/// Under [`Rules::evade_in_combat`], every round of a combat that may be evaded is a state of its
/// own. Any other combat is a single chance move.
///
/// Under [`Rules::gamble_freely`], the number of Crowns goes up and down at the Cartwheel, so the
/// solver must be told to [allow cycles](oddsmith_mdp::Solver::allow_cycles).
///
/// # Examples
/// Three rounds of a fight against a single Giak, computed from the rules and by the solver:
/// ```
/// use oddsmith_lonewolf::{
///     ActionChart, Adventure, Book, Decision, Foe, Manuscript, Outcome, Rules, Section,
/// };
/// use oddsmith_mdp::{Node, Solver};
///
/// let fight = Outcome::Fight { foe: Foe::new("Giak", 10, 3), won: Box::new(Outcome::Goto(2)) };
/// let sections = vec![
///     Section { number: 1, decision: Decision::Then(fight) },
///     Section { number: 2, decision: Decision::Then(Outcome::Won) },
/// ];
/// let book = Book::new(Manuscript::new("ambush", 1, 2, sections))?;
/// let game = Adventure::new(&book, &ActionChart::new(14, 5)?, Rules::printed());
/// let start = game.start();
/// assert_eq!(start.to_string(), "section 1, ENDURANCE 5, backpack");
/// assert!(!start.is_won() && !start.is_lost() && start.step() == 0);
/// assert!(!start.knows(oddsmith_lonewolf::Knowledge::Password));
/// assert!(!start.has(oddsmith_lonewolf::Discipline::Healing));
///
/// // Without a weapon the ratio is 0, and only the number 1 takes five points.
/// let solution = Solver::exact().solve(&game, start)?;
/// assert_eq!(solution.value().to_string(), "9/10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Adventure<'b> {
    setting: Setting<'b>,
    start: Situation,
    laws: Mutex<Laws>,
    openings: Mutex<Openings>,
}

impl<'b> Adventure<'b> {
    /// Creates the adventure of this hero in this book.
    ///
    /// # Examples
    /// Three of the ten random numbers lead over this bridge:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Adventure, Rules};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(3, Outcome::Goto(2)), chance(7, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// use oddsmith_mdp::Solver;
    /// let game = Adventure::new(&book, &ActionChart::new(10, 20)?, Rules::printed());
    /// let solution = Solver::exact().solve(&game, game.start())?;
    /// assert_eq!(solution.value().to_string(), "3/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(book: &'b Book, hero: &ActionChart, rules: Rules) -> Self {
        let setting = Setting::new(book, hero, rules);
        Adventure {
            start: setting.start(hero),
            openings: Mutex::new(Openings::new(&setting)),
            setting,
            laws: Mutex::new(Laws::new(rules.table)),
        }
    }

    /// Returns the situation in which the adventure begins.
    ///
    /// # Examples
    /// A helmet adds 2 to ENDURANCE:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Adventure, Item, Rules};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let hero = ActionChart::new(10, 20)?.item(Item::Helmet)?;
    /// let start = Adventure::new(&book, &hero, Rules::printed()).start();
    /// assert_eq!(start.to_string(), "section 1, ENDURANCE 22, backpack, helmet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> Situation {
        self.start
    }

    /// Returns the situation of a hero who arrives at a section with what this chart says. He may
    /// have other possessions than at the start, but must have the same COMBAT SKILL and full
    /// ENDURANCE.
    ///
    /// # Errors
    /// [`Error::Situation`] if the section is not in the book, or if the hero has a different
    /// COMBAT SKILL or full ENDURANCE.
    ///
    /// # Examples
    /// Three of the ten random numbers lead over the bridge of section 2:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Adventure, Rules};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(3, Outcome::Goto(3)), chance(7, Outcome::Lost)]);
    /// # let fork = Outcome::Random(vec![chance(5, Outcome::Goto(2)), chance(5, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, fork), section(2, bridge), section(3, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 3, sections))?;
    /// use oddsmith_mdp::Solver;
    /// let hero = ActionChart::new(10, 20)?;
    /// let game = Adventure::new(&book, &hero, Rules::printed());
    /// let bridge = game.at(2, &hero.wounded(7)?)?;
    /// assert_eq!(bridge.to_string(), "section 2, ENDURANCE 7, backpack");
    /// assert_eq!(Solver::exact().solve(&game, bridge)?.value().to_string(), "3/10");
    /// assert!(game.at(9, &ActionChart::new(10, 20)?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, section: u16, hero: &ActionChart) -> Result<Situation, Error> {
        self.setting.at(section, hero)
    }

    fn leads_on(&self, step: StepId, choice: &Choice, plan: &Plan) -> bool {
        let mut openings = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        openings.leads_on(&self.setting, step, choice, plan)
    }

    fn write(&self, plan: &Plan, node: &Node, endurance: u8, act: Act, page: &mut Page<Self>) {
        let mut laws = self.laws.lock().unwrap_or_else(PoisonError::into_inner);
        let mut spreader = Spreader::new(&self.setting, &mut laws, plan, None);
        spreader.spread(node, endurance, &Fraction::one());
        Self::write_found(spreader.found, act, page);
    }

    /// Writes the options in a combat that may be evaded: fight one more round, or evade.
    fn write_rounds(
        &self,
        plan: &Plan,
        skirmish: &Skirmish,
        at: &Situation,
        page: &mut Page<Self>,
    ) {
        for act in [Act::FightOn, Act::Evade] {
            let evades = act == Act::Evade;
            if evades && !skirmish.may_evade(at) {
                continue;
            }
            let mut laws = self.laws.lock().unwrap_or_else(PoisonError::into_inner);
            let mut spreader = Spreader::new(&self.setting, &mut laws, plan, None);
            spreader.round(skirmish, evades, at, &Fraction::one());
            Self::write_found(spreader.found, act, page);
        }
    }

    fn write_found(found: Vec<(Situation, Fraction)>, act: Act, page: &mut Page<Self>) {
        let tens = found.iter().map(|(_, part)| part.parts().1).max();
        let over = found.iter().fold(BigUint::one(), |all, (_, part)| {
            num_integer::Integer::lcm(&all, part.parts().2)
        });
        let weights = found.iter().map(|(_, part)| {
            let (number, own, under) = part.parts();
            let more = BigUint::from(10u8).pow(tens.unwrap_or(0) - own);
            number * more * (&over / under)
        });
        let weights: Vec<BigUint> = weights.collect();
        // Uses machine words if the sum of all weights fits one.
        let small = weights.iter().sum::<BigUint>().to_u64().is_some();
        let mut choice = page.choice(act);
        for ((situation, _), weight) in found.into_iter().zip(weights) {
            match weight.to_u64().filter(|_| small) {
                Some(weight) => choice.to(situation, weight),
                None => choice.to_wide(situation, weight),
            };
        }
    }
}

impl<'b> Setting<'b> {
    pub(crate) fn new(book: &'b Book, hero: &ActionChart, rules: Rules) -> Self {
        Setting {
            program: &book.program,
            rules,
            combat_skill: hero.combat_skill(),
            endurance: hero.endurance(),
        }
    }

    pub(crate) fn start(&self, hero: &ActionChart) -> Situation {
        let step = self.program.start;
        if self.program.starts_won() {
            return Situation::won();
        }
        self.come_to(step, hero)
    }

    /// The hero as he comes to a step of the book.
    fn come_to(&self, step: StepId, hero: &ActionChart) -> Situation {
        Situation {
            step,
            section: self.program.steps[step as usize].section,
            endurance: hero.current(),
            sheet: hero.sheet(),
            foe: 0,
            rounds: 0,
        }
    }

    /// Returns the situation of a hero on arrival at a section.
    pub(crate) fn at(&self, section: u16, hero: &ActionChart) -> Result<Situation, Error> {
        let wrong = |message: String| Err(Error::Situation { message });
        if (hero.combat_skill(), hero.endurance()) != (self.combat_skill, self.endurance) {
            return wrong(format!(
                "the hero must have COMBAT SKILL {} and ENDURANCE {}, got {} and {}",
                self.combat_skill,
                self.endurance,
                hero.combat_skill(),
                hero.endurance()
            ));
        }
        if section == self.program.won {
            return Ok(Situation::won());
        }
        match self.program.entry(section) {
            StepId::MAX => wrong(format!("there is no section {section}")),
            step => Ok(self.come_to(step, hero)),
        }
    }

    /// Returns whether a situation that is not over may belong to this book.
    pub(crate) fn knows(&self, situation: &Situation) -> bool {
        let step = self.program.steps.get(situation.step as usize);
        step.is_some_and(|step| step.section == situation.section)
    }

    /// Returns where an option leads, if it stays in its section and involves no chance.
    pub(crate) fn exit_within<'p>(
        &self,
        step: StepId,
        choice: &Choice,
        plan: &'p Plan,
    ) -> Option<&'p Exit> {
        let exit = &plan.exits[choice.node.only_exit()?];
        let section = |step: StepId| self.program.steps[step as usize].section;
        (section(exit.step) == section(step)).then_some(exit)
    }
}

/// The score is 1 for success and 0 for anything else; a hero who can do nothing has failed.
///
/// # Examples
/// Seven of the ten numbers lead over this bridge, and the other side wins:
/// ```
/// use oddsmith_lonewolf::{ActionChart, Adventure, Rules};
/// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
/// # let chance = |numbers, then| Chance { numbers, then };
/// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
/// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
/// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
/// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
/// use oddsmith_mdp::Node;
/// let game = Adventure::new(&book, &ActionChart::new(10, 20)?, Rules::printed());
/// let random = Node::of(&game, &game.start())?;
/// let ends = random.outcomes(0).iter().map(|(end, numbers)| format!("{end} {numbers}"));
/// assert_eq!(ends.collect::<Vec<_>>(), ["won 7", "lost 3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Game for Adventure<'_> {
    type State = Situation;
    type Action = Act;

    fn expand(&self, situation: &Situation, page: &mut Page<Self>) {
        if situation.is_over() {
            return page.end(u8::from(situation.is_won()));
        }
        if !self.setting.knows(situation) {
            return; // of another book: nothing can be done there
        }
        let hand = Hand::new(situation.sheet);
        if situation.endurance > self.setting.full(&hand, &mut Asked::deaf()) {
            return; // no hero has so much
        }
        let plan = self
            .setting
            .resolve(situation.step, hand, &mut Asked::deaf());
        if situation.is_amid_combat() && !plan.has(situation) {
            return; // there is no such combat at this place
        }
        if let Some(skirmish) = &plan.skirmish {
            return self.write_rounds(&plan, skirmish, situation, page);
        }
        let endurance = situation.endurance;
        let mut open = false;
        for choice in &plan.options {
            let missing = choice.missing;
            if missing.is_some_and(|missing| !missing.allows(endurance))
                || !self.leads_on(situation.step, choice, &plan)
            {
                continue;
            }
            open = true;
            let Node::Gamble { gold, ends } = &choice.node else {
                self.write(&plan, &choice.node, endurance, choice.act.clone(), page);
                continue;
            };
            self.write(&plan, &ends[usize::from(*gold)], endurance, Act::Stop, page);
            if *gold > 0 {
                let mut spin = page.choice(Act::Spin);
                for (change, numbers) in wheel::SPIN {
                    let mut next = *situation;
                    next.sheet.0[crate::Item::Gold.index()] = wheel::after(*gold, change);
                    spin.to(next, numbers.into());
                }
            }
        }
        if !open {
            page.end(0);
        }
    }
}
