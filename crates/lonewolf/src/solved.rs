//! The solution of a book for one hero.

mod exact;

use crate::hand::{Asked, Hand};
use crate::program::StepId;
use crate::resolve::{Choice, Node, Plan, Setting};
use crate::situation::Situation;
use crate::skirmish::Skirmish;
use crate::spread::Spreader;
use crate::{Act, ActionChart, Advice, BookSolver, Error, Journey, gamble};

/// A book solved for one hero.
///
/// # Examples
/// The exact chance of a hero who never needs the Cartwheel, and the first decision:
/// ```
/// # #[cfg(feature = "serde")] {
/// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Discipline, Item, Rules};
///
/// let book = Book::fire_on_the_water()?;
/// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
/// let hero = ActionChart::new(10, 20)?
///     .disciplines(&[
///         Discipline::Weaponskill(Item::Sword),
///         Discipline::Tracking,
///         Discipline::Healing,
///         Discipline::Mindblast,
///         Discipline::AnimalKinship,
///         Discipline::MindOverMatter,
///     ])?
///     .item(Item::Sword)?
///     .item(Item::Shield)?
///     .gold(27)?;
/// let mut solved = solver.solve(&hero)?;
/// assert!((solved.win() - 0.848_087_635_021_2).abs() < 1e-14);
/// assert!(solved.error() < 1e-11);
/// assert_eq!(solved.exact()?.to_string(), "2120219087553/2500000000000");
///
/// let start = solved.start();
/// let advice = solved.advice(&start)?;
/// assert_eq!(advice[0].act.to_string(), "turn to 273"); // with the Seal
/// assert_eq!(advice[0].win, advice[1].win);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solved<'s, 'b> {
    solver: &'s mut BookSolver<'b>,
    setting: Setting<'b>,
    start: Situation,
    win: f64,
    roundings: u64,
}

/// An option with its value: its place in the plan (none for a round of a combat that may be
/// evaded), and where one plays on at the Cartwheel.
pub(crate) struct Weighed {
    place: Option<usize>,
    plays: Option<Vec<bool>>,
    pub(crate) advice: Advice,
}

/// Result, ENDURANCE, and in the middle of a combat the foe's ENDURANCE and the rounds fought.
type Key = (u32, u8, u8, u8);

impl<'s, 'b> Solved<'s, 'b> {
    pub(crate) fn new(
        solver: &'s mut BookSolver<'b>,
        setting: Setting<'b>,
        start: Situation,
        win: f64,
        roundings: u64,
    ) -> Self {
        Solved {
            solver,
            setting,
            start,
            win,
            roundings,
        }
    }

    /// Returns the chance to win with best play.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Item, Rules};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    /// let solved = solver.solve(&ActionChart::new(19, 29)?.item(Item::Axe)?)?;
    /// assert_eq!(format!("{:.4}", solved.win()), "0.1318");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win(&self) -> f64 {
        self.win
    }

    /// Returns a bound on the absolute error of [`win`](Solved::win), counted from the roundings.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let solved = solver.solve(&ActionChart::new(10, 20)?)?;
    /// assert!((solved.win() - 0.7).abs() <= solved.error()); // the truth is 7/10
    /// assert!(solved.error() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> f64 {
        self.win * relative(self.roundings) + underflow(self.roundings)
    }

    /// Returns the situation in which the adventure begins.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Decision, Manuscript, Outcome, Section};
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(5, Outcome::Goto(2)), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("short", 5, 2, sections))?;
    /// // A book that begins with section 5.
    /// let mut solver = BookSolver::new(&book);
    /// let start = solver.solve(&ActionChart::new(10, 20)?)?.start();
    /// assert_eq!((start.section(), start.step(), start.endurance()), (5, 0, 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> Situation {
        self.start
    }

    /// Returns the situation of a hero who arrives at a section with this chart. He must have the
    /// same COMBAT SKILL and full ENDURANCE as at the start. A companion app, whose reader tells it
    /// where they are, asks for this.
    ///
    /// # Errors
    /// [`Error::Situation`] if the section is not in the book, or for another COMBAT SKILL or full
    /// ENDURANCE.
    ///
    /// # Examples
    /// The hero is wounded and has the Seal:
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Item, Rules};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let hero = ActionChart::new(19, 29)?.item(Item::Axe)?.gold(10)?;
    /// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    /// let mut solved = solver.solve(&hero)?;
    /// let [well, hurt] = [29, 9].map(|left| hero.clone().wounded(left));
    /// let [well, hurt] = [solved.at(273, &well?)?, solved.at(273, &hurt?)?];
    /// assert!(solved.win_from(&well)? > solved.win_from(&hurt)?);
    /// assert_eq!(solved.at(1, &hero)?, solved.start());
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, section: u16, hero: &ActionChart) -> Result<Situation, Error> {
        self.setting.at(section, hero)
    }

    /// Returns the chance to win from a situation of this hero, or of another one with the same
    /// COMBAT SKILL and full ENDURANCE.
    ///
    /// # Errors
    /// [`Error::Situation`] for a situation that this book does not have, and [`Error::Limit`].
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(19, 29)?)?;
    /// let start = solved.start();
    /// assert_eq!(solved.win_from(&start)?, solved.win());
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_from(&mut self, situation: &Situation) -> Result<f64, Error> {
        self.check(situation)?;
        Ok(self.solver.value(&self.setting, situation)?.0)
    }

    fn check(&self, situation: &Situation) -> Result<(), Error> {
        let wrong = |message: &str| {
            Err(Error::Situation {
                message: message.to_owned(),
            })
        };
        if situation.is_over() {
            return Ok(());
        }
        if !self.setting.knows(situation) {
            return wrong("it belongs to another book");
        }
        let hand = Hand::new(situation.sheet);
        let full = self.setting.full(&hand, &mut Asked::deaf());
        if situation.endurance == 0 || situation.endurance > full {
            return Err(Error::Situation {
                message: format!(
                    "with the items worn, ENDURANCE must be between 1 and {full}, got {}",
                    situation.endurance
                ),
            });
        }
        if situation.is_amid_combat() && !self.plan(situation).has(situation) {
            return wrong("there is no such combat at this place");
        }
        Ok(())
    }

    /// Returns the options in a situation, best first. There are none if it is over, or if nothing
    /// can be done there.
    ///
    /// # Errors
    /// As for [`win_from`](Solved::win_from).
    ///
    /// # Examples
    /// Best play, with the likeliest outcome each time, leads to 32, and before that neither to the
    /// thief of 298 nor to the Cartwheel of 186:
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Item, Rules};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    /// let mut solved = solver.solve(&ActionChart::new(19, 29)?.item(Item::Axe)?)?;
    /// let mut now = solved.start();
    /// while now.section() != 298 && now.section() != 186 && now.section() != 32 {
    ///     // The best decision, and the likeliest outcome.
    ///     let advice = solved.advice(&now)?.swap_remove(0);
    ///     let by_chance = |a: &&(_, f64), b: &&(_, f64)| a.1.total_cmp(&b.1);
    ///     now = advice.outcomes.iter().max_by(by_chance).ok_or("an outcome")?.0;
    /// }
    /// assert_eq!(now.section(), 32);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advice(&mut self, situation: &Situation) -> Result<Vec<Advice>, Error> {
        self.check(situation)?;
        let weighed = self.weigh(situation)?;
        let mut advice: Vec<Advice> = weighed.into_iter().map(|option| option.advice).collect();
        // The sort is stable, so equal options stay in the order of the book.
        advice.sort_by(|a, b| b.win.total_cmp(&a.win));
        Ok(advice)
    }

    /// Returns the numbers of Crowns, 0 to 50, with which to leave the Cartwheel, in ascending
    /// order: the stopping set of [`Act::Gamble`]. It is empty where there is no Cartwheel, or
    /// where the rules do not allow to [leave at will](crate::Rules::gamble_freely).
    ///
    /// If another spin and leaving are worth the same, he leaves. With 0 Crowns he always does.
    ///
    /// # Errors
    /// As for [`win_from`](Solved::win_from).
    ///
    /// # Examples
    /// Two Crowns are asked for at the door, and more are of no use:
    /// ```
    /// use oddsmith_lonewolf::{
    ///     ActionChart, Book, BookSolver, Decision, Manuscript, Outcome, Section,
    /// };
    ///
    /// let section = |number, decision| Section { number, decision };
    /// let book = Book::new(Manuscript::new("gaming house", 1, 3, vec![
    ///     section(1, Decision::Cartwheel { fare: 2, to: 3, broke: 2 }),
    ///     section(2, Decision::Then(Outcome::Lost)),
    ///     section(3, Decision::Then(Outcome::Won)),
    /// ]))?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(15, 20)?.gold(1)?)?;
    /// let start = solved.start();
    /// let stop = solved.stopping_set(&start)?;
    /// assert_eq!(stop.len(), 50); // all but 1
    /// assert_eq!(stop[..3], [0, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stopping_set(&mut self, situation: &Situation) -> Result<Vec<u8>, Error> {
        self.check(situation)?;
        let weighed = self.weigh(situation)?;
        let plays = weighed.into_iter().find_map(|option| option.plays);
        let plays = (0..).zip(plays.unwrap_or_default());
        Ok(plays
            .filter(|(_, plays)| !plays)
            .map(|(gold, _)| gold)
            .collect())
    }

    /// Returns best play from the beginning: the probability that each section is visited, and the
    /// likeliest path to success.
    ///
    /// # Errors
    /// [`Error::Limit`], also if best play can lead to more situations than tables are
    /// [allowed](BookSolver::max_tables).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let journey = solver.solve(&ActionChart::new(10, 20)?)?.journey()?;
    /// // Seven numbers of ten lead over a bridge.
    /// assert_eq!(journey.to_string(), "   1  wins 70.00 %  go on  (next stop 70.0 %)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn journey(&mut self) -> Result<Journey, Error> {
        let start = self.start;
        Journey::new(self, start)
    }

    /// Returns the number of the winning section.
    pub(crate) fn last_section(&self) -> u16 {
        self.setting.program.won
    }

    /// Returns the limit on what may be computed.
    pub(crate) fn limit(&self) -> usize {
        self.solver.limit
    }

    /// Returns the plan of a situation that is not over.
    fn plan(&self, situation: &Situation) -> Plan {
        let hand = Hand::new(situation.sheet);
        self.setting
            .resolve(situation.step, hand, &mut Asked::deaf())
    }

    /// Returns the options of a situation with their values.
    pub(crate) fn weigh(&mut self, situation: &Situation) -> Result<Vec<Weighed>, Error> {
        if situation.is_over() {
            return Ok(Vec::new());
        }
        let plan = self.plan(situation);
        if let Some(skirmish) = &plan.skirmish {
            return self.weigh_round(&plan, skirmish, situation);
        }
        let mut all = Vec::new();
        for (place, choice) in plan.options.iter().enumerate() {
            let missing = choice.missing;
            if missing.is_some_and(|missing| !missing.allows(situation.endurance))
                || !self.leads_on(situation.step, choice, &plan)?
            {
                continue;
            }
            let plays = match &choice.node {
                Node::Gamble { ends, .. } => {
                    let mut stop = Vec::with_capacity(ends.len());
                    for end in ends {
                        stop.push(self.outcomes(&plan, end, situation.endurance, None)?.0);
                    }
                    Some(gamble::gamble(&stop).1)
                }
                _ => None,
            };
            let (win, outcomes) =
                self.outcomes(&plan, &choice.node, situation.endurance, plays.as_deref())?;
            all.push(Weighed {
                place: Some(place),
                plays,
                advice: Advice {
                    act: choice.act.clone(),
                    win,
                    outcomes,
                },
            });
        }
        Ok(all)
    }

    /// Returns whether an option does not end, within its section, where nothing can be done, as
    /// the tables know.
    fn leads_on(&mut self, step: StepId, choice: &Choice, plan: &Plan) -> Result<bool, Error> {
        let Some(exit) = self.setting.exit_within(step, choice, plan) else {
            return Ok(true);
        };
        let sheet = &exit.hand.sheet;
        let (_, known) = self.solver.result(&self.setting, exit.step, sheet)?;
        Ok(!known.is_nothing())
    }

    /// Evaluates the options in a combat: one more round, or evading.
    fn weigh_round(
        &mut self,
        plan: &Plan,
        skirmish: &Skirmish,
        situation: &Situation,
    ) -> Result<Vec<Weighed>, Error> {
        let mut all = Vec::new();
        for act in [Act::FightOn, Act::Evade] {
            let evades = act == Act::Evade;
            if evades && !skirmish.may_evade(situation) {
                continue;
            }
            let laws = &mut self.solver.laws;
            let mut spreader = Spreader::new(&self.setting, laws, plan, None);
            spreader.round(skirmish, evades, situation, &1.0);
            let found = spreader.found;
            let (win, outcomes) = self.worth(found)?;
            all.push(Weighed {
                place: None,
                plays: None,
                advice: Advice { act, win, outcomes },
            });
        }
        Ok(all)
    }

    /// Returns the value of what follows a decision, and where it leads.
    fn outcomes(
        &mut self,
        plan: &Plan,
        node: &Node,
        endurance: u8,
        plays: Option<&[bool]>,
    ) -> Result<(f64, Vec<(Situation, f64)>), Error> {
        let laws = &mut self.solver.laws;
        let mut spreader = Spreader::new(&self.setting, laws, plan, plays);
        spreader.spread(node, endurance, &1.0);
        let found = spreader.found;
        self.worth(found)
    }

    fn worth(
        &mut self,
        mut outcomes: Vec<(Situation, f64)>,
    ) -> Result<(f64, Vec<(Situation, f64)>), Error> {
        let mut win = 0.0;
        for (situation, p) in &mut outcomes {
            // Rounding may take a sum of chances above 1.
            *p = p.min(1.0);
            win += *p * self.solver.value(&self.setting, situation)?.0;
        }
        Ok((win.min(1.0), outcomes))
    }
}

/// Returns the relative error after this many roundings to nearest.
fn relative(roundings: u64) -> f64 {
    let unit = f64::EPSILON / 2.0;
    let all = roundings as f64 * unit;
    // γ_k = k u / (1 − k u), and a little for computing it.
    match all < 0.49 {
        true => all / (1.0 - all) * 1.000_001,
        false => 1.0,
    }
}

/// Returns the additional error from numbers too small for all of their digits: for each rounding
/// at most the least of these numbers, as all weights are at most 1.
fn underflow(roundings: u64) -> f64 {
    roundings as f64 * f64::from_bits(1)
}
