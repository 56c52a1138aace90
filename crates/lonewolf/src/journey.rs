//! Best play from the beginning to the end.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use rustc_hash::FxHashMap;

use crate::situation::Situation;
use crate::{Act, Advice, Error, Solved};

/// Best play from one situation: how likely each section is visited, and the likeliest path to
/// success.
///
/// # Examples
/// ```
/// # #[cfg(feature = "serde")] {
/// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Item, Rules};
///
/// let book = Book::fire_on_the_water()?;
/// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
/// let mut solved = solver.solve(&ActionChart::new(19, 29)?.item(Item::Axe)?)?;
/// let journey = solved.journey()?;
///
/// let visits = journey.visits();
/// assert_eq!(visits[&1], 1.0);
/// assert!((journey.won() - solved.win()).abs() < 1e-12);
/// // Whoever wins has held the Sommerswerd in 40.
/// assert!(visits[&40] > journey.won() - 1e-12);
///
/// let line = journey.line();
/// assert_eq!(line[0].situation.section(), 1);
/// assert!(journey.line_chance() > 0.0);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Journey {
    visits: BTreeMap<u16, f64>,
    states: usize,
    won: f64,
    line: Vec<Stop>,
}

/// A stop on the likeliest path to success.
///
/// # Examples
/// Seven of the ten random numbers lead over this bridge:
/// ```
/// use oddsmith_lonewolf::{Act, ActionChart, BookSolver};
/// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
/// # let chance = |numbers, then| Chance { numbers, then };
/// # let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
/// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
/// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
/// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
/// let mut solver = BookSolver::new(&book);
/// let journey = solver.solve(&ActionChart::new(10, 20)?)?.journey()?;
/// let stop = &journey.line()[0];
/// assert_eq!((stop.situation.section(), &stop.act), (1, &Act::Go));
/// assert_eq!((stop.win, stop.chance), (0.7, 0.7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stop {
    /// The situation.
    pub situation: Situation,
    /// What Lone Wolf does there.
    pub act: Act,
    /// His chance to win from there.
    pub win: f64,
    /// The probability that this leads to the next stop.
    pub chance: f64,
}

/// A situation of best play.
struct Scene {
    at: Situation,
    /// The best option, or `None` where nothing can be done.
    best: Option<Advice>,
}

impl Scene {
    fn outcomes(&self) -> &[(Situation, f64)] {
        self.best.as_ref().map_or(&[], |best| &best.outcomes)
    }
}

impl Journey {
    pub(crate) fn new(solved: &mut Solved<'_, '_>, start: Situation) -> Result<Self, Error> {
        let (scenes, places) = scenes(solved, start)?;
        // Scenes come after those they lead to.
        let mut chances = vec![0.0; scenes.len()];
        let mut visits = BTreeMap::new();
        let mut won = f64::from(u8::from(start.is_won()));
        if let Some(&place) = places.get(&start) {
            chances[place] = 1.0;
            visits.insert(start.section, 1.0);
        }
        let last = solved.last_section();
        if start.is_won() {
            visits.insert(last, 1.0);
        }
        for (place, scene) in scenes.iter().enumerate().rev() {
            for (to, p) in scene.outcomes() {
                // Rounding may take a sum of chances above 1.
                let chance = chances[place] * p.min(1.0);
                if to.is_won() {
                    won += chance;
                    *visits.entry(last).or_insert(0.0) += chance;
                }
                if let Some(&next) = places.get(to) {
                    chances[next] += chance;
                }
                if !to.is_over() && to.section != scene.at.section {
                    *visits.entry(to.section).or_insert(0.0) += chance;
                }
            }
        }
        // Rounding may take sums of chances above 1.
        for chance in visits.values_mut() {
            *chance = chance.min(1.0);
        }
        Ok(Journey {
            visits,
            states: scenes.len(),
            won: won.min(1.0),
            line: line(&scenes, &places, &start),
        })
    }

    /// Returns the probability that each section is visited. The winning section counts as visited
    /// at every victory, also at one that ends elsewhere. Sections that are never visited are left
    /// out.
    ///
    /// # Examples
    /// Six of the ten random numbers lead over this bridge to section 2:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(6, Outcome::Goto(2)), chance(4, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let journey = solver.solve(&ActionChart::new(10, 20)?)?.journey()?;
    /// assert_eq!((journey.visits()[&1], journey.visits()[&2]), (1.0, 0.6));
    /// assert_eq!(journey.visits().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn visits(&self) -> &BTreeMap<u16, f64> {
        &self.visits
    }

    /// Returns the number of situations to which best play can lead.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Item, Rules};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    /// let mut solved = solver.solve(&ActionChart::new(19, 29)?.item(Item::Axe)?)?;
    /// assert!(solved.journey()?.len() < 100_000); // of ten million
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.states
    }

    /// Returns whether the adventure was over before it began.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{
    ///     ActionChart, Book, BookSolver, Decision, Manuscript, Outcome, Section,
    /// };
    /// let end = Section { number: 1, decision: Decision::Then(Outcome::Won) };
    /// let book = Book::new(Manuscript::new("end", 1, 1, vec![end]))?;
    /// let mut solver = BookSolver::new(&book);
    /// assert!(solver.solve(&ActionChart::new(10, 20)?)?.journey()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// Returns the chance to win, as the sum over the ends.
    ///
    /// # Examples
    /// Four of the ten random numbers lead over this bridge:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = Outcome::Random(vec![chance(4, Outcome::Goto(2)), chance(6, Outcome::Lost)]);
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let sections = vec![section(1, bridge), section(2, Outcome::Won)];
    /// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let journey = solver.solve(&ActionChart::new(10, 20)?)?.journey()?;
    /// assert_eq!(format!("{:.4}", journey.won()), "0.4000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn won(&self) -> f64 {
        self.won
    }

    /// Returns the likeliest path to success: of all paths that best play can take, the one with
    /// the highest probability. It is empty if there is none.
    ///
    /// # Examples
    /// Six of the ten numbers lead to the second section, four to the third, and both sections lead
    /// to the fourth, which wins:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, section| Chance { numbers, then: Outcome::Goto(section) };
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let mut sections = vec![section(1, Outcome::Random(vec![chance(6, 2), chance(4, 3)]))];
    /// # sections.extend([2, 3].map(|number| section(number, Outcome::Goto(4))));
    /// # sections.push(section(4, Outcome::Won));
    /// # let book = Book::new(Manuscript::new("fork", 1, 4, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let journey = solver.solve(&ActionChart::new(10, 20)?)?.journey()?;
    /// let sections: Vec<u16> = journey.line().iter().map(|stop| stop.situation.section()).collect();
    /// assert_eq!(sections, [1, 2]);
    /// assert_eq!(format!("{:.4}", journey.line_chance()), "0.6000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn line(&self) -> &[Stop] {
        &self.line
    }

    /// Returns the probability that everything happens exactly as in the [`line`](Journey::line).
    /// It is 0 if there is no such line, or if the probability is too small for a float. It is 1 if
    /// the adventure was won before it began.
    ///
    /// # Examples
    /// Nobody comes out of this forest:
    /// ```
    /// use oddsmith_lonewolf::{
    ///     ActionChart, Book, BookSolver, Decision, Manuscript, Outcome, Section,
    /// };
    /// let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// let sections = vec![section(1, Outcome::Lost), section(2, Outcome::Won)];
    /// let book = Book::new(Manuscript::new("forest", 1, 2, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let journey = solver.solve(&ActionChart::new(10, 20)?)?.journey()?;
    /// assert!(journey.line().is_empty());
    /// assert_eq!(journey.line_chance(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn line_chance(&self) -> f64 {
        match self.line.is_empty() && !self.is_empty() {
            true => 0.0,
            false => self.line.iter().map(|stop| stop.chance).product(),
        }
    }
}

/// Writes the line with one stop per line: the section, the chance to win, the decision, and the
/// probability that it leads to the next stop, unless that is certain.
///
/// # Examples
/// ```
/// # #[cfg(feature = "serde")] {
/// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Item, Rules};
///
/// let book = Book::fire_on_the_water()?;
/// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
/// let mut solved = solver.solve(&ActionChart::new(19, 29)?.item(Item::Axe)?)?;
/// let text = solved.journey()?.to_string();
/// assert!(text.starts_with("   1  wins 13.18 %  turn to 273\n"), "{text}");
/// assert!(text.contains("  go on  (next stop "), "{text}");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Journey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, stop) in self.line.iter().enumerate() {
            if place > 0 {
                writeln!(f)?;
            }
            let Stop {
                situation,
                act,
                win,
                chance,
            } = stop;
            let section = situation.section;
            write!(f, "{section:>4}  wins {:>5.2} %  {act}", 100.0 * win)?;
            if *chance < 1.0 {
                write!(f, "  (next stop {:.1} %)", 100.0 * chance)?;
            }
        }
        Ok(())
    }
}

type Scenes = (Vec<Scene>, FxHashMap<Situation, usize>);

/// Returns all scenes to which best play can lead, each after those it leads to.
fn scenes(solved: &mut Solved<'_, '_>, start: Situation) -> Result<Scenes, Error> {
    /// A task on the stack.
    enum Todo {
        Begin(Situation),
        End(Scene),
    }
    let limit = solved.limit();
    let mut scenes = Vec::new();
    // While a scene is begun but not finished, its place has no meaning yet.
    let mut places = FxHashMap::default();
    let mut stack = vec![Todo::Begin(start)];
    while let Some(todo) = stack.pop() {
        let at = match todo {
            Todo::End(scene) => {
                places.insert(scene.at, scenes.len());
                scenes.push(scene);
                continue;
            }
            Todo::Begin(at) => at,
        };
        if at.is_over() || places.contains_key(&at) {
            continue;
        }
        if places.len() >= limit {
            return Err(Error::Limit { limit });
        }
        places.insert(at, usize::MAX);
        let options = solved.weigh(&at)?.into_iter().map(|option| option.advice);
        // The first one among equals.
        let best = options.reduce(|best, option| if option.win > best.win { option } else { best });
        let outcomes = best.iter().flat_map(|best| &best.outcomes);
        let next: Vec<Todo> = outcomes.map(|&(to, _)| Todo::Begin(to)).collect();
        stack.push(Todo::End(Scene { at, best }));
        stack.extend(next);
    }
    Ok((scenes, places))
}

/// A chance that may be too small for a float: 0, or a number above 2⁻²⁵⁶ and at most 1, times a
/// power of 2⁻²⁵⁶.
#[derive(Clone, Copy, PartialEq)]
struct Chance {
    digits: f64,
    powers: u32,
}

impl Chance {
    const NEVER: Chance = Chance {
        digits: 0.0,
        powers: u32::MAX,
    };
    const SURE: Chance = Chance::of(1.0);

    const fn of(chance: f64) -> Self {
        Chance {
            digits: chance,
            powers: 0,
        }
        .scaled()
    }

    const fn scaled(mut self) -> Self {
        // Scales by powers of two, so that nothing is rounded.
        let power = f64::from_bits((1023 - 256) << 52);
        if self.digits <= 0.0 {
            return Chance::NEVER;
        }
        while self.digits <= power {
            self.digits /= power;
            self.powers = self.powers.saturating_add(1);
        }
        self
    }

    fn times(self, other: Chance) -> Self {
        Chance {
            digits: self.digits * other.digits,
            powers: self.powers.saturating_add(other.powers),
        }
        .scaled()
    }

    fn is_above(self, other: Chance) -> bool {
        match self.powers.cmp(&other.powers) {
            Ordering::Less => true,
            Ordering::Equal => self.digits > other.digits,
            Ordering::Greater => false,
        }
    }
}

/// The first step of the likeliest path: to a scene, or to success.
#[derive(Clone, Copy)]
struct Way {
    next: Option<usize>,
    chance: f64,
}

fn line(scenes: &[Scene], places: &FxHashMap<Situation, usize>, start: &Situation) -> Vec<Stop> {
    // For each scene, the probability of the likeliest path to success.
    let mut best: Vec<Chance> = Vec::with_capacity(scenes.len());
    let mut ways: Vec<Option<Way>> = Vec::with_capacity(scenes.len());
    for scene in scenes {
        let mut highest = Chance::NEVER;
        let mut way = None;
        for (to, p) in scene.outcomes() {
            let next = places.get(to).copied();
            let on = match next {
                _ if to.is_won() => Chance::SURE,
                Some(next) => best[next],
                None => Chance::NEVER,
            };
            let chance = Chance::of(*p).times(on);
            if chance.is_above(highest) {
                highest = chance;
                way = Some(Way { next, chance: *p });
            }
        }
        best.push(highest);
        ways.push(way);
    }
    let mut line = Vec::new();
    let mut at = places.get(start).copied();
    while let Some(place) = at {
        let scene = &scenes[place];
        let (Some(Way { next, chance }), Some(decided)) = (ways[place], &scene.best) else {
            break;
        };
        line.push(Stop {
            situation: scene.at,
            act: decided.act.clone(),
            win: decided.win,
            chance,
        });
        at = next;
    }
    line
}
