//! Best play from the beginning to the end.

use std::collections::BTreeMap;
use std::fmt;

use rustc_hash::FxHashMap;

use crate::situation::Situation;
use crate::{Act, Error, Solved};

/// Best play: how likely each section is visited, and the likeliest way to success.
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

/// One stop of the likeliest way to success.
///
/// # Examples
/// See [`Journey::line`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stop {
    /// Where Lone Wolf is.
    pub situation: Situation,
    /// What he does.
    pub act: Act,
    /// His chance to win.
    pub win: f64,
    /// How likely that leads to the next stop.
    pub chance: f64,
}

/// One situation of best play.
struct Scene {
    at: Situation,
    act: Act,
    win: f64,
    outcomes: Vec<(Situation, f64)>,
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
        for (place, scene) in scenes.iter().enumerate().rev() {
            for (to, p) in &scene.outcomes {
                let chance = chances[place] * p;
                if to.is_won() {
                    won += chance;
                }
                if let Some(&next) = places.get(to) {
                    chances[next] += chance;
                }
                if !to.is_over() && to.section != scene.at.section {
                    *visits.entry(to.section).or_insert(0.0) += chance;
                }
            }
        }
        Ok(Journey {
            visits,
            states: scenes.len(),
            // Sums of chances may be rounded beyond.
            won: won.min(1.0),
            line: line(&scenes, &places, &start),
        })
    }

    /// How likely each section is visited; those that never are, are left out.
    ///
    /// # Examples
    /// See [`Journey`].
    #[must_use]
    pub fn visits(&self) -> &BTreeMap<u16, f64> {
        &self.visits
    }

    /// How many situations best play can lead to.
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

    /// Whether the adventure was over before it began.
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

    /// The chance to win, by adding up the ends.
    ///
    /// # Examples
    /// See [`Journey`].
    #[must_use]
    pub fn won(&self) -> f64 {
        self.won
    }

    /// The likeliest way to success: of all ways that best play can take, the one
    /// whose chance is highest. Empty if there is none.
    ///
    /// # Examples
    /// See [`Journey`].
    #[must_use]
    pub fn line(&self) -> &[Stop] {
        &self.line
    }

    /// How likely everything happens just as in the [`line`](Journey::line).
    ///
    /// # Examples
    /// See [`Journey`].
    #[must_use]
    pub fn line_chance(&self) -> f64 {
        self.line.iter().map(|stop| stop.chance).product()
    }
}

/// The line, one stop a line: what is decided, with the chance to win.
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
/// assert!(text.starts_with("   1  13.18 %  turn to 273"), "{text}");
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
            write!(f, "{:>4}  {:>5.2} %  {act}", situation.section, 100.0 * win)?;
            if *chance < 1.0 {
                write!(f, "  ({:.1} %)", 100.0 * chance)?;
            }
        }
        Ok(())
    }
}

type Scenes = (Vec<Scene>, FxHashMap<Situation, usize>);

/// What best play can lead to, each scene after those it leads to itself.
fn scenes(solved: &mut Solved<'_, '_>, start: Situation) -> Result<Scenes, Error> {
    let mut begun: FxHashMap<Situation, Option<Scene>> = FxHashMap::default();
    let mut scenes = Vec::new();
    let mut places = FxHashMap::default();
    let mut stack = vec![(start, false)];
    while let Some((at, done)) = stack.pop() {
        if done {
            if let Some(scene) = begun.get_mut(&at).and_then(Option::take) {
                places.insert(at, scenes.len());
                scenes.push(scene);
            }
            continue;
        }
        if at.is_over() || begun.contains_key(&at) {
            continue;
        }
        let options = solved.weigh(&at)?.into_iter().map(|option| option.advice);
        // The first of equals.
        let best = options.reduce(|best, option| if option.win > best.win { option } else { best });
        let scene = best.map(|best| Scene {
            at,
            act: best.act,
            win: best.win,
            outcomes: best.outcomes,
        });
        stack.push((at, true));
        let outcomes = scene.iter().flat_map(|scene| &scene.outcomes);
        stack.extend(outcomes.map(|&(to, _)| (to, false)));
        begun.insert(at, scene);
    }
    Ok((scenes, places))
}

/// The first step of the likeliest way: to a scene, or to success.
#[derive(Clone, Copy)]
struct Way {
    next: Option<usize>,
    chance: f64,
}

fn line(scenes: &[Scene], places: &FxHashMap<Situation, usize>, start: &Situation) -> Vec<Stop> {
    // For each scene the chance of the likeliest way to success.
    let mut best: Vec<f64> = Vec::with_capacity(scenes.len());
    let mut ways: Vec<Option<Way>> = Vec::with_capacity(scenes.len());
    for scene in scenes {
        let mut highest = 0.0;
        let mut way = None;
        for (to, p) in &scene.outcomes {
            let next = places.get(to).copied();
            let on = match next {
                _ if to.is_won() => 1.0,
                Some(next) => best[next],
                None => 0.0,
            };
            if p * on > highest {
                highest = p * on;
                way = Some(Way { next, chance: *p });
            }
        }
        best.push(highest);
        ways.push(way);
    }
    let mut line = Vec::new();
    let mut at = places.get(start).copied();
    while let Some(place) = at {
        let Some(Way { next, chance }) = ways[place] else {
            break;
        };
        let Scene {
            at: here, act, win, ..
        } = &scenes[place];
        line.push(Stop {
            situation: *here,
            act: act.clone(),
            win: *win,
            chance,
        });
        at = next;
    }
    line
}
