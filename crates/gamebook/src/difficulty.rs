//! How hard a book is, as numbers.

use std::fmt;

use crate::plan::percent;
use crate::{Book, Character, Error, FollowLimits, Habit, Played, Probability};

/// The most places for a habit by default, see [`Book::difficulty_up_to`].
const MOST_PLACES: usize = 5_000_000;

/// The chance to win of readers with different habits, compared with best play.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Book, Habit};
///
/// let book = Book::builder()
///     .choice(1, [("the ogre", 2), ("the rope bridge", 3)])
///     .fight(2, Foe::new(7, 2)?, 4)
///     .luck(3, 4, 5)
///     .won(4)
///     .lost(5)
///     .build()?;
/// let hero = Hero::new(7, 2, 9)?;
/// let best = book.solve(&hero)?.value();
/// let difficulty = book.difficulty(&hero, best)?;
/// assert_eq!(difficulty.chance(Habit::AtRandom)?.to_string(), "2/3");
/// assert_eq!(difficulty.worth_of_play()?.to_string(), "1/6");
/// assert_eq!(difficulty.to_string(), "\
/// best play        83.33 %
/// at random        66.67 %
/// avoiding fights  83.33 %
/// first option     50.00 %
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Difficulty<V = f64> {
    best: V,
    habits: Vec<(Habit, Result<V, Error>)>,
    /// Of habits that could not be evaluated.
    played: Vec<(Habit, Played)>,
}

impl Book {
    /// Evaluates how hard the book is for a hero. `best` is the chance of best play, from
    /// [`Book::solve`] or from any other solver, in fractions or in floats.
    ///
    /// A habit that cannot be evaluated keeps its error, so a reader who reaches more than 5
    /// million places does not affect the others. In fractions, the same holds for a habit with
    /// more than 5,000 places that all lead back to each other, which is [`Error::RingTooLarge`];
    /// floats have no such limit. All other limits are those of [`FollowLimits::default`].
    /// [`difficulty_within`](Book::difficulty_within) sets other limits.
    ///
    /// # Errors
    /// The same as for [`BookGame::new`](crate::BookGame::new), and [`Error::NotAChance`] if `best`
    /// is not between 0 and 1.
    ///
    /// # Complexity
    /// Each habit is evaluated in all places that it reaches.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Habit};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).lost(2).won(3).build()?;
    /// let difficulty = book.difficulty(&Hero::new(7, 14, 7)?, 1.0)?;
    /// assert_eq!(difficulty.chance(Habit::AtRandom)?, &0.5);
    /// assert_eq!(difficulty.chance(Habit::FirstOption)?, &0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn difficulty<V: Probability>(
        &self,
        hero: impl Into<Character>,
        best: V,
    ) -> Result<Difficulty<V>, Error> {
        self.difficulty_up_to(hero, best, MOST_PLACES)
    }

    /// Does the same as [`difficulty`](Book::difficulty) with at most this many places for each
    /// habit. All other limits stay the same, including that of rings in fractions.
    ///
    /// # Errors
    /// The same as for [`difficulty`](Book::difficulty).
    ///
    /// # Complexity
    /// The same as for [`difficulty`](Book::difficulty).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Book, Habit};
    ///
    /// let book = Book::builder().fight(1, Foe::new(7, 12)?, 2).won(2).build()?;
    /// let hero = Hero::new(9, 20, 7)?;
    /// let best = book.solve(&hero)?.value_f64();
    /// let difficulty = book.difficulty_up_to(&hero, best, 5)?;
    /// assert!(difficulty.chance(Habit::AtRandom).is_err());
    /// assert!(difficulty.to_string().contains("at random        not known: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn difficulty_up_to<V: Probability>(
        &self,
        hero: impl Into<Character>,
        best: V,
        limit: usize,
    ) -> Result<Difficulty<V>, Error> {
        self.difficulty_within(hero, best, FollowLimits::default().max_places(limit))
    }

    /// Does the same as [`difficulty`](Book::difficulty) with these limits for each habit.
    /// [`FollowLimits::default`] allows more places than `difficulty` does.
    ///
    /// # Errors
    /// The same as for [`difficulty`](Book::difficulty).
    ///
    /// # Complexity
    /// The same as for [`difficulty`](Book::difficulty). For rings, see [`FollowLimits::max_ring`].
    ///
    /// # Examples
    /// Heads three times in a row win, and tails at the first toss lose one time in ten. All places
    /// but the endings are one ring:
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Error, FollowLimits, Habit};
    ///
    /// let book = Book::builder()
    ///     .chance(1, [(2, 1), (5, 1)])
    ///     .chance(2, [(3, 1), (1, 1)])
    ///     .chance(3, [(4, 1), (1, 1)])
    ///     .won(4)
    ///     .chance(5, [(1, 9), (6, 1)])
    ///     .lost(6)
    ///     .build()?;
    /// let hero = Hero::new(7, 14, 7)?;
    /// let difficulty = |limits| {
    ///     let best = BigRational::from_integer(1.into());
    ///     book.difficulty_within(&hero, best, limits)
    /// };
    /// let limits = FollowLimits::default();
    /// let known = difficulty(limits)?;
    /// assert_eq!(known.chance(Habit::AtRandom)?.to_string(), "5/7");
    /// let refused = difficulty(limits.max_ring(3))?;
    /// let error = refused.chance(Habit::AtRandom).unwrap_err();
    /// assert!(matches!(error, Error::RingTooLarge { ring: 4, limit: 3, .. }));
    /// assert_eq!(difficulty(limits.max_ring(4))?, known);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn difficulty_within<V: Probability>(
        &self,
        hero: impl Into<Character>,
        best: V,
        limits: FollowLimits,
    ) -> Result<Difficulty<V>, Error> {
        // Floats may be slightly out of range by rounding.
        let chance = best
            .to_f64()
            .filter(|best| (-1e-9..=1.0 + 1e-9).contains(best));
        if chance.is_none() {
            let given = best.to_string();
            return Err(Error::NotAChance { given });
        }
        let game = self.game(hero)?;
        let start = game.start();
        let habits = Habit::ALL.map(|habit| {
            let chance = game.evaluate_any(&*habit.policy(self), start, limits);
            (habit, chance.map(|found| found.value))
        });
        Ok(Difficulty::new(best, habits))
    }
}

impl<V: Probability> Difficulty<V> {
    /// Creates it from known results: the chance of best play, and what is known of the habits. If
    /// a habit occurs twice, the last result counts.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Difficulty, Habit};
    /// let difficulty = Difficulty::new(0.75, [(Habit::AtRandom, Ok(0.25))]);
    /// assert_eq!(difficulty.worth_of_play()?, 0.5);
    /// assert_eq!(difficulty.to_string(), "best play        75.00 %\nat random        25.00 %\n");
    /// assert!(difficulty.chance(Habit::Avoiding).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(best: V, habits: impl IntoIterator<Item = (Habit, Result<V, Error>)>) -> Self {
        let mut all: Vec<(Habit, Result<V, Error>)> = Vec::new();
        for (habit, chance) in habits {
            match all.iter_mut().find(|(known, _)| *known == habit) {
                Some(known) => known.1 = chance,
                None => all.push((habit, chance)),
            }
        }
        Difficulty {
            best,
            habits: all,
            played: Vec::new(),
        }
    }

    /// Plays a number of games with every habit that could not be evaluated, such as one that
    /// reaches too many places. A game is broken off after `longest` moves and throws. A habit that
    /// cannot be played either, since a stat may leave its range, is skipped.
    ///
    /// Needs the feature `rand`.
    ///
    /// # Errors
    /// The same as for [`BookGame::new`](crate::BookGame::new), and [`Error::Solve`] if `games`
    /// is 0.
    ///
    /// # Examples
    /// City of Thieves, for the hero 9/12/12 with the luck potion, who nearly always wins:
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_gamebook::{Book, Character, Habit};
    /// use rand::SeedableRng;
    ///
    /// let book = Book::city_of_thieves()?;
    /// let hero = Character::new().stat("skill", 9).stat("stamina", 12).stat("luck", 12);
    /// let hero = hero.item("luck_potion");
    /// let mut difficulty = book.difficulty_up_to(&hero, 0.99969, 1_000)?;
    /// assert!(difficulty.chance(Habit::AtRandom).is_err());
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// difficulty.play(&book, &hero, 200, 1_000, &mut rng)?;
    /// let played = difficulty.played(Habit::AtRandom).ok_or("200 games")?;
    /// assert_eq!((played.games(), played.won()), (200, 0));
    /// assert!(played.within(3.0).1 < 0.05);
    /// assert!(difficulty.to_string().contains("0.00 % of 200 games (0.00 % to 1.88 %)"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "rand")]
    pub fn play<R: rand::Rng + ?Sized>(
        &mut self,
        book: &Book,
        hero: impl Into<Character>,
        games: u64,
        longest: u64,
        rng: &mut R,
    ) -> Result<(), Error> {
        let game = book.game(hero)?;
        if games == 0 {
            return Err(Error::Solve(oddsmith_mdp::Error::NoGames));
        }
        self.played.clear();
        for (habit, chance) in &self.habits {
            if chance.is_ok() {
                continue;
            }
            let policy = &*habit.policy(book);
            // A habit that cannot be played either keeps its own error.
            if let Ok(played) = game.play_any(policy, game.start(), (games, longest), rng) {
                self.played.push((*habit, played));
            }
        }
        Ok(())
    }

    /// Returns the result of the games that were played with a habit, if any.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Difficulty, Habit};
    /// let difficulty = Difficulty::new(0.75, [(Habit::AtRandom, Ok(0.25))]);
    /// assert_eq!(difficulty.played(Habit::AtRandom), None);
    /// ```
    #[must_use]
    pub fn played(&self, habit: Habit) -> Option<&Played> {
        let played = self.played.iter().find(|(played, _)| *played == habit);
        played.map(|(_, played)| played)
    }

    /// Returns the chance of best play, as given.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// assert_eq!(book.difficulty(&Hero::new(7, 14, 7)?, 0.583)?.best(), &0.583);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn best(&self) -> &V {
        &self.best
    }

    /// Returns the chance to win of a reader with this habit.
    ///
    /// # Errors
    /// The error that occurred in its evaluation, or [`Error::NotEvaluated`] if there was no
    /// evaluation.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Difficulty, Error, Habit};
    /// let known = Difficulty::new(0.75, [(Habit::FirstOption, Ok(0.25))]);
    /// assert_eq!(known.chance(Habit::FirstOption), Ok(&0.25));
    /// assert_eq!(known.chance(Habit::Avoiding), Err(Error::NotEvaluated { habit: Habit::Avoiding }));
    /// ```
    pub fn chance(&self, habit: Habit) -> Result<&V, Error> {
        let known = self.habits.iter().find(|(known, _)| *known == habit);
        match known {
            Some((_, chance)) => chance.as_ref().map_err(Clone::clone),
            None => Err(Error::NotEvaluated { habit }),
        }
    }

    /// Iterates over all habits, with their chances or errors.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().won(1).build()?;
    /// let difficulty = book.difficulty(&Hero::new(7, 14, 7)?, 1.0)?;
    /// assert!(difficulty.habits().all(|(_, chance)| chance == &Ok(1.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn habits(&self) -> impl Iterator<Item = (Habit, &Result<V, Error>)> {
        self.habits.iter().map(|(habit, chance)| (*habit, chance))
    }

    /// Returns what playing well is worth: the chance of best play minus that of random play.
    ///
    /// # Errors
    /// The same as for [`chance`](Difficulty::chance).
    ///
    /// # Examples
    /// Three doors, one of which leads out:
    /// ```
    /// use num_rational::BigRational;
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("red", 2), ("green", 3), ("blue", 2)]).lost(2).won(3).build()?;
    /// let best = BigRational::from_integer(1.into());
    /// let difficulty = book.difficulty(&Hero::new(7, 14, 7)?, best)?;
    /// assert_eq!(difficulty.worth_of_play()?.to_string(), "2/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn worth_of_play(&self) -> Result<V, Error> {
        Ok(self.best.clone() - self.chance(Habit::AtRandom)?.clone())
    }

    /// Names and chances in words, for tables.
    pub(crate) fn rows(&self) -> Vec<(String, String)> {
        let best = ("best play".to_owned(), percent(&self.best));
        let habits = self.habits().map(|(habit, chance)| {
            let chance = match (chance, self.played(habit)) {
                (Err(_), Some(played)) => return (habit.to_string(), played.to_string()),
                (chance, _) => chance,
            };
            let chance = match chance {
                Ok(chance) => percent(chance),
                Err(error) => format!("not known: {}", why(error)),
            };
            (habit.to_string(), chance)
        });
        std::iter::once(best).chain(habits).collect()
    }
}

/// Why a habit was not evaluated, with the limits that a difficulty has.
pub(crate) fn why(error: &Error) -> String {
    match error {
        Error::JourneyTooLarge { limit } => format!(
            "the number of places that this reader can reach exceeds the limit of {limit}; \
             raise it with `Book::difficulty_up_to`"
        ),
        Error::RingTooLarge {
            place, ring, limit, ..
        } => format!(
            "{ring} places that this reader can reach lead back to each other, one of them {place}, \
             which exceeds the limit of {limit}; raise it with `Book::difficulty_within`"
        ),
        error => error.to_string(),
    }
}

/// Writes one line per reader, with probabilities as percent.
impl<V: Probability> fmt::Display for Difficulty<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, chance) in self.rows() {
            writeln!(f, "{name:<15}  {chance}")?;
        }
        Ok(())
    }
}
