//! Forks that every victory passes, and the value of each route.

use std::fmt;
use std::sync::Arc;

use crate::amid_fight::is_round;
use crate::book_solver::BookSolver;
use crate::compiled::{Compiled, Scene};
use crate::plan::percent;
use crate::solver::induction::streets::parted::{Between, Parted};
use crate::solver::reach::fork::Apart;
use crate::sought::Sought;
use crate::{Error, Place};

/// A choice that every victory passes, such as which street of a city to take, with the value of
/// best play by each route alone, and without it.
///
/// [`BookSolver`] tells such routes apart in [long books](BookSolver::tell_apart) and solves no
/// more of them than it must. For the others, upper bounds are known.
///
/// # Examples
/// LUCK or SKILL is tested, or chance decides. 26 rolls in 36 are at most 8, and 33 at most 10:
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, BookSolver};
///
/// let book = Book::builder()
///     .choice(1, [("the old bridge", 2), ("the ford", 3), ("the ferry", 4)])
///     .luck(2, 5, 6)
///     .skill(3, 5, 6)
///     .chance(4, [(5, 1), (6, 3)])
///     .won(5)
///     .lost(6)
///     .build()?;
/// let game = book.game(&Hero::new(10, 14, 8)?)?;
/// // In a book this short, routes are told apart only on request.
/// let valuation = BookSolver::new(&game).tell_apart(0.0).solve(game.start())?;
/// let fork = valuation.fork().ok_or("three ways")?;
/// assert_eq!((fork.section(), fork.ways().len()), (1, 3));
/// let (least, _) = valuation.enclosure().ok_or("proven")?;
/// let needed: Vec<&str> = fork.needed(least).map(|way| way.label()).collect();
/// assert_eq!(needed, ["the ford"]);
/// // Without the ford, the bridge is best.
/// let ford = &fork.ways()[1];
/// let (least, most) = ford.alone();
/// assert!(least <= 33.0 / 36.0 && 33.0 / 36.0 <= most && most - least < 1e-13);
/// assert!((ford.without().1 - 26.0 / 36.0).abs() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fork {
    section: u32,
    ways: Vec<Way>,
}

impl Fork {
    /// Returns the section of the choice.
    ///
    /// # Examples
    /// The first test comes before the routes part:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().luck(1, 2, 6).choice(2, [("left", 3), ("right", 4)]);
    /// let book = book.luck(3, 5, 6).skill(4, 5, 6).won(5).lost(6).build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let valuation = BookSolver::new(&game).tell_apart(0.0).solve(game.start())?;
    /// assert_eq!(valuation.fork().map(|fork| fork.section()), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn section(&self) -> u32 {
        self.section
    }

    /// Returns the routes in the order of the book; at least two.
    ///
    /// An option that nobody can take is not a route, nor is one that ends the book at once.
    ///
    /// # Examples
    /// Giving up ends the book at once and is not a route:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("left", 2), ("give up", 5), ("right", 3)]);
    /// let book = book.luck(2, 4, 5).skill(3, 4, 5).won(4).lost(5).build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let valuation = BookSolver::new(&game).tell_apart(0.0).solve(game.start())?;
    /// let ways = valuation.fork().ok_or("two ways")?.ways();
    /// assert_eq!(ways.iter().map(|way| way.label()).collect::<Vec<_>>(), ["left", "right"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ways(&self) -> &[Way] {
        &self.ways
    }

    /// Returns the routes without which the chance to win is certainly less than `win`.
    ///
    /// If `win` is the least that best play wins, these are the routes it cannot do without: the
    /// best one, or several if chance decides before the fork which one is best. There are none if
    /// two routes are equally good, or if it is not known which one is better.
    ///
    /// # Examples
    /// The ford wins 26 times in 36, the bridge 21 times:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("bridge", 2), ("ford", 3)]).skill(2, 4, 5).luck(3, 4, 5);
    /// let game = book.won(4).lost(5).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// let valuation = BookSolver::new(&game).tell_apart(0.0).solve(game.start())?;
    /// let fork = valuation.fork().ok_or("two ways")?;
    /// let needed = |win| fork.needed(win).map(|way| way.label()).collect::<Vec<_>>();
    /// assert_eq!((needed(0.5), needed(0.7)), (vec![], vec!["ford"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn needed(&self, win: f64) -> impl Iterator<Item = &Way> {
        self.ways.iter().filter(move |way| way.without.1 < win)
    }

    /// Builds the fork of a start that chance leads to several places.
    pub(crate) fn of(compiled: &Compiled, apart: Apart, met: &[(f64, Met<'_>)]) -> Option<Self> {
        let Apart::Fork(scene) = apart else {
            return None;
        };
        let Scene::Choice(options) = &compiled.scenes[scene as usize] else {
            return None;
        };
        let starts = met.iter().filter_map(|one| match one.1 {
            Met::Start(parted) => Some(parted),
            Met::Ended(_) => None,
        });
        // Where they are known, the routes are the same for all places.
        let known = starts.max_by_key(|parted| parted.len())?;
        let ways = known.iter().filter_map(|parted| {
            // 0 stands for what comes before all routes.
            let option = options.get(parted.way.checked_sub(1)? as usize)?;
            Some(Way {
                label: option.label.clone(),
                target: compiled.numbers[option.way.to as usize],
                alone: by_chance(met, |start| {
                    (start.way == parted.way).then_some(start.alone)
                }),
                without: by_chance(met, |start| {
                    (start.way == parted.way).then_some(start.without)
                }),
            })
        });
        let ways: Vec<Way> = ways.collect();
        (!ways.is_empty()).then(|| Fork {
            section: compiled.numbers[scene as usize],
            ways,
        })
    }
}

/// Writes a line for every route, with the value of best play by it alone.
impl fmt::Display for Fork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "section {}", self.section)?;
        for way in &self.ways {
            let worth = between(way.alone);
            writeln!(f, "  {} ({}): {worth}", way.label, way.target)?;
        }
        Ok(())
    }
}

/// A route of a [`Fork`].
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, BookSolver, Way};
/// # use oddsmith_fightingfantasy::Hero;
///
/// let book = Book::builder().choice(1, [("well", 2), ("stairs", 3)]).skill(2, 4, 5).luck(3, 4, 5);
/// let game = book.won(4).lost(5).build()?.game(&Hero::new(9, 14, 7)?)?;
/// let valuation = BookSolver::new(&game).tell_apart(0.0).solve(game.start())?;
/// let well: &Way = &valuation.fork().ok_or("two ways")?.ways()[0];
/// let (least, most) = well.alone(); // SKILL 9 passes 30 times in 36
/// assert_eq!((well.label(), well.target()), ("well", 2));
/// assert_eq!(format!("{least:.3} {most:.3}"), "0.833 0.833");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    label: Arc<str>,
    target: u32,
    alone: Between,
    without: Between,
}

impl Way {
    /// Returns the label of the option.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("Key Street", 2), ("Clock Street", 3)]);
    /// let book = book.luck(2, 4, 5).skill(3, 4, 5).won(4).lost(5).build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let valuation = BookSolver::new(&game).tell_apart(0.0).solve(game.start())?;
    /// assert_eq!(valuation.fork().ok_or("two ways")?.ways()[1].label(), "Clock Street");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the section that the option leads to.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).luck(2, 4, 5).skill(3, 4, 5);
    /// let game = book.won(4).lost(5).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// let valuation = BookSolver::new(&game).tell_apart(0.0).solve(game.start())?;
    /// let ways = valuation.fork().ok_or("two ways")?.ways();
    /// assert_eq!((ways[0].target(), ways[1].target()), (2, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn target(&self) -> u32 {
        self.target
    }

    /// Returns a proven lower and upper bound on the chance to win by best play that takes no other
    /// route of the fork. Options that end the book at once are not routes and stay open.
    ///
    /// The lower bound is 0 if the route was not solved.
    ///
    /// # Examples
    /// The best route is solved. The other one wins at most 15 times in 36:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("well", 2), ("stairs", 3)]).skill(2, 4, 5).luck(3, 4, 5);
    /// let game = book.won(4).lost(5).build()?.game(&Hero::new(9, 14, 6)?)?;
    /// let valuation = BookSolver::new(&game).tell_apart(0.0).solve(game.start())?;
    /// let stairs = &valuation.fork().ok_or("two ways")?.ways()[1];
    /// let (least, most) = stairs.alone();
    /// assert!(least == 0.0 && (most - 15.0 / 36.0).abs() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn alone(&self) -> (f64, f64) {
        self.alone
    }

    /// Returns a proven lower and upper bound on the chance to win by best play that may take any
    /// other route, but not this one.
    ///
    /// # Examples
    /// Without the stairs there is the well, which wins 30 times in 36 at SKILL 9:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("well", 2), ("stairs", 3)]).skill(2, 4, 5).luck(3, 4, 5);
    /// let game = book.won(4).lost(5).build()?.game(&Hero::new(9, 14, 6)?)?;
    /// let valuation = BookSolver::new(&game).tell_apart(0.0).solve(game.start())?;
    /// let stairs = &valuation.fork().ok_or("two ways")?.ways()[1];
    /// let (least, most) = stairs.without();
    /// assert!(least <= 30.0 / 36.0 && 30.0 / 36.0 <= most && most - least < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without(&self) -> (f64, f64) {
        self.without
    }
}

/// Writes an interval as percent, rounded outwards unless both ends are the same.
pub(crate) fn between((least, most): Between) -> String {
    let (under, over) = (percent(&least), percent(&most));
    if under == over {
        return over;
    }
    // A millionth of the last digit is left to the bounds themselves, which are not round.
    let under = rounded(least, |digits| (digits + 1e-6).floor());
    let over = rounded(most, |digits| (digits - 1e-6).ceil());
    match least {
        0.0 => format!("at most {over}"),
        _ => format!("{under} to {over}"),
    }
}

/// Writes a chance as percent, with the last digit rounded this way.
fn rounded(chance: f64, round: impl Fn(f64) -> f64) -> String {
    match percent(&chance) {
        near if near.starts_with(['<', '>']) => near,
        _ => format!("{:.2} %", round(1e4 * chance) / 1e2),
    }
}

/// A place that chance leads the start to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Met<'s> {
    /// The book has ended, with this score.
    Ended(f64),
    /// A place that is solved, with the values of its routes if known.
    Start(&'s [Parted]),
}

/// Bounds on the value of a start, from those of the places it leads to.
fn by_chance(met: &[(f64, Met<'_>)], of: impl Fn(&Parted) -> Option<Between>) -> Between {
    let (mut least, mut most) = (0.0, 0.0);
    for &(chance, met) in met {
        let worth = match met {
            Met::Ended(worth) => (worth, worth),
            Met::Start(parted) => parted.iter().find_map(&of).unwrap_or((0.0, 1.0)),
        };
        least += chance * worth.0;
        most += chance * worth.1;
    }
    // Each product and each sum may round.
    let rounding = (met.len() + 4) as f64 * f64::EPSILON;
    ((least - rounding).max(0.0), (most + rounding).min(1.0))
}

impl BookSolver<'_> {
    /// Finds the routes of a fork by which best play may win `wanted` or more. In a long book, this
    /// usually takes a fraction of the time of [`solve`](BookSolver::solve).
    ///
    /// Returns `None` if no routes are [told apart](BookSolver::tell_apart), and in the middle of a
    /// fight.
    ///
    /// It starts from a rough upper bound for each route. A route gets a closer look, at most two,
    /// as long as both it and a route that promises more may win `wanted`; if `wanted` is 0, all
    /// routes but one do. Given the known value of best play, [`Fork::needed`] usually tells which
    /// route it takes. A closer look solves the route if nothing can be lost at random on it, or if
    /// the look does not converge on a cycle.
    ///
    /// # Errors
    /// [`Error::NotAChance`] if `wanted` is not between 0 and 1; otherwise the same as for
    /// [`solve`](BookSolver::solve).
    ///
    /// # Examples
    /// City of Thieves, from its first section: the weakest hero with SKILL 9 wins 42 games in a
    /// hundred, and cannot do so without Key Street (section 95).
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_gamebook::{Book, BookSolver, Character};
    ///
    /// let hero = Character::new().stat("skill", 9).stat("stamina", 2).stat("luck", 7);
    /// let game = Book::city_of_thieves()?.game(hero.item("dexterity_potion"))?;
    /// let streets = BookSolver::new(&game).ways(game.start(), 0.42)?.ok_or("streets")?;
    /// assert_eq!((streets.section(), streets.ways().len()), (74, 3));
    /// let needed: Vec<u32> = streets.needed(0.42).map(|way| way.target()).collect();
    /// assert_eq!(needed, [95]);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ways(&self, start: Place, wanted: f64) -> Result<Option<Fork>, Error> {
        if !(0.0..=1.0).contains(&wanted) {
            let given = wanted.to_string();
            return Err(Error::NotAChance { given });
        }
        if is_round(self.game, &start) {
            return Ok(None);
        }
        let found = self.seek(&[start], Sought::Looks { wanted })?.valuations;
        Ok(found.into_iter().next().and_then(|found| found.fork))
    }
}
