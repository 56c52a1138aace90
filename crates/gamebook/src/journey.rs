//! Journeys: a policy followed through a book, with where it arrives and how it ends.

mod ends;
mod limits;
pub(crate) mod marked;
mod probability;
pub(crate) mod route;
pub(crate) mod traps;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use num_rational::BigRational;
use oddsmith_mdp::Policy;

pub use limits::FollowLimits;
pub use probability::Probability;
pub(crate) use probability::chance;

use crate::compiled::Scene;
use crate::lint::components;
use crate::walk::WalkThrough;
use crate::{Book, BookGame, Character, Error, Place};
use route::Route;
use traps::Traps;

/// A policy followed through a book: the chance to win, the chances to arrive at each section and
/// to end in each way, what is held at the end, and the walk-through.
///
/// `V` is `f64` or [`BigRational`]. A reader who goes round for ever has lost, as for
/// [`BookSolver`](crate::BookSolver): the journey ends where that begins, as [`Fate::Endless`], and
/// the visits include the sections of the cycle.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Book, Fate, Move, Place};
///
/// let book = Book::builder()
///     .choice(1, [("bridge", 2), ("ford", 3)])
///     .fight(2, Foe::new(7, 2)?, 4)
///     .luck(3, 4, 5)
///     .won(4)
///     .lost(5)
///     .build()?;
/// // One blow decides the fight; LUCK 7 passes 21 times in 36. A coin is tossed at the river:
/// let hero = Hero::new(7, 2, 7)?;
/// let journey = book.follow_exact(&hero, oddsmith_mdp::AtRandom)?;
/// assert_eq!(journey.value().to_string(), "13/24"); // 1/2 · 1/2 + 1/2 · 21/36
/// assert_eq!(journey.visits(3)?.to_string(), "1/2");
/// let ends: Vec<_> = journey.endings().into_iter().map(|(at, fate, p)| (at, fate, p.to_string())).collect();
/// assert_eq!(ends, [
///     (2, Fate::Died, "1/4".into()),
///     (4, Fate::Won, "13/24".into()),
///     (5, Fate::Lost, "5/24".into()),
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Journey<V = f64> {
    game: BookGame,
    traps: Option<Arc<Traps>>,
    start: Place,
    value: V,
    error: f64,
    relative_error: f64,
    places: usize,
    visits: BTreeMap<u32, V>,
    ends: BTreeMap<Place, V>,
    walk: WalkThrough<V>,
}

/// How an adventure ends.
///
/// # Examples
/// ```
/// assert_eq!(oddsmith_gamebook::Fate::Died.to_string(), "died");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Fate {
    /// In victory.
    Won,
    /// In an ending that is a defeat.
    Lost,
    /// The hero died.
    Died,
    /// No option was open.
    Stuck,
    /// Play goes round for ever from here on.
    Endless,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fate::Won => "won",
            Fate::Lost => "lost",
            Fate::Died => "died",
            Fate::Stuck => "stuck",
            Fate::Endless => "endless",
        })
    }
}

impl Book {
    /// Follows a policy through the book, in floats.
    ///
    /// Only the places that the policy reaches are visited. It may come back to the same place with
    /// the same sheet.
    ///
    /// # Errors
    /// The same as for [`BookGame::new`](crate::BookGame::new); [`Error::Solve`] for a policy that
    /// makes no decision; and an error beyond 20 million places, a billion outcomes or 4 GiB
    /// ([`follow_within`](Book::follow_within) sets other limits).
    ///
    /// # Complexity
    /// Two passes over the outcomes of all places that the policy reaches, and another one for each
    /// section on a cycle of links among the sections reached.
    ///
    /// # Examples
    /// Best play, as decided by a [`BookPlan`](crate::BookPlan):
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::Solver;
    ///
    /// let book = Book::builder().choice(1, [("stairs", 2), ("well", 3)]).luck(2, 4, 5).skill(3, 4, 5).won(4).lost(5).build()?;
    /// let hero = Hero::new(9, 14, 7)?;
    /// let plan = book.solve_with(&hero, Solver::float())?;
    /// let journey = book.follow(&hero, plan.solution().policy())?;
    /// assert_eq!(journey.value(), &plan.value());
    /// assert_eq!((journey.visits(2)?, journey.visits(3)?), (0.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow(
        &self,
        hero: impl Into<Character>,
        policy: impl Policy<BookGame>,
    ) -> Result<Journey<f64>, Error> {
        self.follow_within(hero, policy, FollowLimits::default())
    }

    /// Follows a policy through the book, in fractions.
    ///
    /// # Errors
    /// The same as for [`follow`](Book::follow), and [`Error::RingTooLarge`] if more than 5,000
    /// places all lead back to each other ([`follow_within`](Book::follow_within) sets other
    /// limits).
    ///
    /// # Complexity
    /// The same as for [`follow`](Book::follow), with fractions whose digits grow with the length
    /// of the way. Places that lead back to each other form a system of equations, which is solved
    /// by elimination. Its time grows much faster than the number of places, since the digits grow
    /// with each step. A few hundred places are soon done, while many thousands are too much (see
    /// [`FollowLimits::max_ring`]); follow such policies in floats.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().choice(1, [("luck", 2), ("skill", 3)]).luck(2, 4, 5).skill(3, 4, 5);
    /// let book = book.won(4).lost(5).build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 14, 9)?, AtRandom)?;
    /// assert_eq!(journey.value().to_string(), "17/24"); // the mean of 30/36 and 21/36
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow_exact(
        &self,
        hero: impl Into<Character>,
        policy: impl Policy<BookGame>,
    ) -> Result<Journey<BigRational>, Error> {
        self.follow_within(hero, policy, FollowLimits::default())
    }

    /// Follows a policy through at most this many places, and otherwise within
    /// [`FollowLimits::default`].
    ///
    /// # Errors
    /// The same as for [`follow`](Book::follow) and [`follow_exact`](Book::follow_exact).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().fight(1, Foe::new(7, 12)?, 2).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let hero = Hero::new(9, 20, 7)?;
    /// let error = book.follow_up_to::<f64>(&hero, AtRandom, 10).unwrap_err();
    /// assert_eq!(error, oddsmith_gamebook::Error::JourneyTooLarge { limit: 10 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow_up_to<V: Probability>(
        &self,
        hero: impl Into<Character>,
        policy: impl Policy<BookGame>,
        limit: usize,
    ) -> Result<Journey<V>, Error> {
        self.follow_within(hero, policy, FollowLimits::default().max_places(limit))
    }

    /// Follows a policy through the book within limits.
    ///
    /// # Errors
    /// The same as for [`follow`](Book::follow) and [`follow_exact`](Book::follow_exact).
    ///
    /// # Complexity
    /// The same as for [`follow`](Book::follow) and [`follow_exact`](Book::follow_exact).
    ///
    /// # Examples
    /// Three places are enough for a test and its endings:
    /// ```
    /// use oddsmith_gamebook::{Book, FollowLimits};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().chance(1, [(2, 3), (3, 1)]).won(2).lost(3).build()?;
    /// let follow = |places| {
    ///     let limits = FollowLimits::default().max_places(places);
    ///     book.follow_within::<f64>(Hero::new(7, 14, 7)?, AtRandom, limits)
    /// };
    /// assert_eq!(follow(3)?.value(), &0.75);
    /// assert!(follow(2).is_err());
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    pub fn follow_within<V: Probability>(
        &self,
        hero: impl Into<Character>,
        policy: impl Policy<BookGame>,
        limits: FollowLimits,
    ) -> Result<Journey<V>, Error> {
        let game = self.game(hero)?;
        game.follow_within(policy, game.start(), limits)
    }
}

impl BookGame {
    /// Follows a policy from a place through at most this many places, and otherwise within
    /// [`FollowLimits::default`].
    ///
    /// # Errors
    /// The same as for [`Book::follow`] and [`Book::follow_exact`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Journey};
    /// use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let journey: Journey<f64> = game.follow(AtRandom, game.start_at(2)?, 100)?;
    /// assert!((journey.value() - 7.0 / 12.0).abs() <= journey.error());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow<V: Probability>(
        &self,
        policy: impl Policy<BookGame>,
        start: Place,
        limit: usize,
    ) -> Result<Journey<V>, Error> {
        self.follow_within(policy, start, FollowLimits::default().max_places(limit))
    }

    /// Follows a policy from a place within limits.
    ///
    /// # Errors
    /// The same as for [`Book::follow`] and [`Book::follow_exact`].
    ///
    /// # Complexity
    /// The same as for [`Book::follow`] and [`Book::follow_exact`].
    ///
    /// # Examples
    /// From the last test on, in fractions:
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_gamebook::{Book, FirstOption, FollowLimits};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().luck(1, 2, 4).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let limits = FollowLimits::default().max_places(3);
    /// let journey = game.follow_within::<BigRational>(FirstOption, game.start_at(2)?, limits)?;
    /// assert_eq!(journey.value().to_string(), "13/18"); // 26/36
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow_within<V: Probability>(
        &self,
        policy: impl Policy<BookGame>,
        start: Place,
        limits: FollowLimits,
    ) -> Result<Journey<V>, Error> {
        let route = Route {
            game: self,
            policy: &policy,
            start,
            limits,
        };
        let (followed, traps) = route.trapped(V::follow)?;
        Ok(Journey {
            game: self.clone(),
            traps,
            start,
            value: followed.value,
            error: followed.error,
            relative_error: followed.relative_error,
            places: followed.places,
            visits: followed.visits,
            ends: followed.ends,
            walk: WalkThrough::new(followed.steps),
        })
    }

    /// Those of the sections that are on a cycle of links among them. A reader visits any other
    /// section at most once.
    pub(crate) fn sections_on_cycles(&self, among: &BTreeSet<u32>) -> BTreeSet<u32> {
        let numbers: Vec<u32> = among.iter().copied().collect();
        let links = |number: &u32| {
            let targets = self.book().section(*number).map(crate::Section::targets);
            let targets = targets.unwrap_or_default().into_iter();
            targets
                .filter_map(|to| numbers.binary_search(&to).ok())
                .collect()
        };
        let next: Vec<Vec<usize>> = numbers.iter().map(links).collect();
        let cycles = components(&next).into_iter().filter(|all| all.len() > 1);
        cycles.flatten().map(|section| numbers[section]).collect()
    }

    /// How an adventure ends at this place.
    fn fate(&self, end: &Place) -> Fate {
        match self.compiled.scenes.get(end.scene as usize) {
            Some(Scene::Ending(true)) => Fate::Won,
            Some(Scene::Ending(false)) => Fate::Lost,
            Some(Scene::Dead) => Fate::Died,
            // By a bookmark.
            _ if self.compiled.is_dead(&end.held) => Fate::Died,
            _ => Fate::Stuck,
        }
    }
}

impl<V: Probability> Journey<V> {
    /// How the journey ends at this place.
    fn fate(&self, end: &Place) -> Fate {
        match &self.traps {
            Some(traps) if traps.contains(end) => Fate::Endless,
            _ => self.game.fate(end),
        }
    }

    /// Returns the chance to win.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    /// let book = Book::builder().choice(1, [("a", 2), ("b", 3), ("c", 3)]).won(2).lost(3).build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.value().to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self) -> &V {
        &self.value
    }

    /// Returns [`value`](Journey::value) as a float.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().chance(1, [(2, 3), (3, 1)]).won(2).lost(3).build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.value_f64(), 0.75);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value_f64(&self) -> f64 {
        self.value.to_f64().unwrap_or(f64::NAN)
    }

    /// Returns a bound on the absolute error of [`value`](Journey::value); 0 in fractions.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    /// let (book, hero) = (Book::builder().luck(1, 2, 3).won(2).lost(3).build()?, Hero::new(7, 14, 7)?);
    /// let float = book.follow(&hero, oddsmith_mdp::AtRandom)?;
    /// assert!((float.value() - 7.0 / 12.0).abs() <= float.error() && float.error() < 1e-14);
    /// assert_eq!(book.follow_exact(&hero, oddsmith_mdp::AtRandom)?.error(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Returns a bound on the relative error of all other probabilities; 0 in fractions.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// let off = (journey.visits(2)? * 12.0 / 7.0 - 1.0).abs();
    /// assert!(off <= journey.relative_error() && journey.relative_error() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }

    /// Returns the number of places that the policy reaches. A place counts twice if it can be
    /// reached in two ways: by turning to its section, and by doing something in it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.places(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn places(&self) -> usize {
        self.places
    }

    /// Returns the game: the book and the hero.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().won(1).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.game().start(), journey.start());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn game(&self) -> &BookGame {
        &self.game
    }

    /// Returns the place where the journey starts.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Journey};
    /// # use oddsmith_fightingfantasy::Hero;
    /// let game = Book::builder().choice(1, [("on", 2)]).won(2).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let journey: Journey = game.follow(oddsmith_mdp::AtRandom, game.start_at(2)?, 10)?;
    /// assert_eq!(journey.start().section(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> Place {
        self.start
    }

    /// Returns the probability of visiting a section at least once.
    ///
    /// Meals, rounds of a fight, trades, and turning from a section to itself do not count as new
    /// visits.
    ///
    /// # Errors
    /// [`Error::NoSuchSection`] if the book has no such section.
    ///
    /// # Examples
    /// A section that can be visited again counts once:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("go in", 2), ("go away", 3)])
    ///     .luck(2, 4, 1) // out again, with less LUCK
    ///     .lost(3)
    ///     .won(4)
    ///     .build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.visits(1)?.to_string(), "1");
    /// assert_eq!(journey.visits(2)?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visits(&self, section: u32) -> Result<V, Error> {
        self.game.book().section(section)?;
        Ok(self.visits.get(&section).cloned().unwrap_or_else(V::zero))
    }

    /// Iterates over the sections that are visited, in ascending order, with the probability of
    /// each.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Move, Place};
    /// let book = Book::builder().choice(1, [("a", 3), ("b", 2)]).won(2).lost(3).build()?;
    /// let second = |_: &Place, _: &[Move]| 1;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, second)?;
    /// assert_eq!(journey.visited().collect::<Vec<_>>(), [(1, &1.0), (2, &1.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visited(&self) -> impl Iterator<Item = (u32, &V)> {
        let visits = self.visits.iter().filter(|(_, chance)| !chance.is_zero());
        visits.map(|(section, chance)| (*section, chance))
    }

    /// Returns the [`WalkThrough`]. Where the policy mixes moves, they are weighted like chance. No
    /// place occurs twice, and the last step is an ending.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().choice(1, [("stairs", 2), ("well", 3)]).luck(2, 4, 5).skill(3, 4, 5).won(4).lost(5).build()?;
    /// let journey = book.follow_exact(&Hero::new(9, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.walkthrough().to_string(), "\
    /// section 1 (skill 9, stamina 14, luck 7): well [this line 100.00 %, reached 100.00 %, won from here 70.83 %]
    /// section 3 (skill 9, stamina 14, luck 7): test skill [this line 50.00 %, reached 50.00 %, won from here 83.33 %]
    /// section 4 (skill 9, stamina 14, luck 7): victory [this line 41.67 %, reached 41.67 %, won from here 100.00 %]
    /// ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn walkthrough(&self) -> &WalkThrough<V> {
        &self.walk
    }
}
