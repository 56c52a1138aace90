//! The values of best play at all places of a book, solved once.

pub(crate) mod decided;

use std::sync::Arc;

use oddsmith_mdp::{Node, Policy};

use crate::amid_fight::is_round;
use crate::book_odds::decided::{Fought, WayOut};
use crate::book_solver::{BookSolver, Settings};
use crate::explanation::Explanation;
use crate::solver::induction::kept::Kept;
use crate::solver::reduction::Left;
use crate::sought::Sought;
use crate::valuation::Valuation;
use crate::{Advice, BookGame, Error, Move, Place};

/// The value of best play at every place that can be reached from a start. A long book is solved
/// once and then queried again and again, such as while it is played. Created by
/// [`BookSolver::odds`].
///
/// Most places are [known](BookOdds::knows) and are looked up without solving. The exceptions are
/// places that best play avoids whatever their value: those behind a
/// [deferred](BookSolver::put_off) risk, and those on [routes](BookSolver::tell_apart) that are
/// worse than another one. They are solved on request, as by [`BookSolver::solve`], and so is any
/// other place of the book. [`add`](BookOdds::add) keeps what follows from such a place, too.
///
/// It is also a [`Policy`]. It makes no decision where options are worth the same and more than a
/// thousand places lead to each other. In a book like City of Thieves, a decision takes some tenths
/// of a millisecond, or some milliseconds in the middle of a fight, whose rounds are solved each
/// time. To follow or simulate best play through a whole long book, a
/// [`BookPolicy`](crate::BookPolicy) is faster.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Book, BookSolver};
///
/// let book = Book::builder()
///     .choice(1, [("bridge", 2), ("ford", 3)])
///     .fight(2, Foe::new(7, 2)?, 4)
///     .luck(3, 4, 5)
///     .won(4)
///     .lost(5)
///     .build()?;
/// let game = book.game(&Hero::new(7, 2, 8)?)?;
/// let odds = BookSolver::new(&game).odds(game.start())?;
/// assert!((odds.valuation().win() - 13.0 / 18.0).abs() < 1e-12);
///
/// let bridge = game.start_at(2)?;
/// assert!(odds.knows(&bridge)?);
/// assert!((odds.value_of(&bridge)?.win() - 0.5).abs() < 1e-12);
/// let advice = odds.advice(&game.start())?.ok_or("a choice")?;
/// assert_eq!((advice.label(), advice.target()), ("ford", Some(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookOdds {
    game: BookGame,
    settings: Settings,
    valuation: Valuation,
    left: Arc<Left>,
    kept: Vec<Arc<Kept>>,
    /// Upper bounds on the values of what was left out.
    at_most: Vec<Arc<Kept>>,
}

impl BookSolver<'_> {
    /// Computes the values of best play at all places that can be reached from a place, for
    /// repeated queries. It keeps the values that [`solve`](BookSolver::solve) frees on its way.
    ///
    /// # Errors
    /// The same as for [`solve`](BookSolver::solve).
    ///
    /// # Complexity
    /// One and a half to three times that of [`solve`](BookSolver::solve), as measured, since deals
    /// in shops are distinguished. Memory holds all sections, not just two or three adjacent ones.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let odds = BookSolver::new(&game).odds(game.start())?;
    /// let lucky = game.start_at(2)?; // with all LUCK
    /// assert!((odds.value_of(&lucky)?.win() - 21.0 / 36.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn odds(&self, start: Place) -> Result<BookOdds, Error> {
        let solved = self.seek_anywhere(&[start], Sought::Odds)?.0;
        let valuation = solved.valuations.into_iter().next();
        let (valuation, reduced) = valuation.zip(solved.reduced).ok_or(Error::NotReached {
            section: start.section,
        })?;
        Ok(BookOdds {
            game: self.game.clone(),
            settings: self.settings,
            valuation,
            left: Arc::new(reduced.into()),
            kept: solved.kept.into_iter().map(Arc::new).collect(),
            at_most: solved.at_most.into_iter().map(Arc::new).collect(),
        })
    }
}

impl BookOdds {
    /// Returns the value of best play from the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let odds = BookSolver::new(&game).odds(game.start())?;
    /// assert_eq!(odds.valuation().win(), 21.0 / 36.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn valuation(&self) -> &Valuation {
        &self.valuation
    }

    /// Returns the value of best play from a place: looked up if the place is
    /// [known](BookOdds::knows), solved otherwise.
    ///
    /// # Errors
    /// The same as for [`BookSolver::solve`].
    ///
    /// # Complexity
    /// A look-up takes a few steps per item of the book. In the middle of a fight, all places that
    /// the fight may lead to are looked up, and its rounds are solved.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    /// use oddsmith_mdp::{Node, Policy};
    ///
    /// let book = Book::builder().luck(1, 2, 2).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let odds = BookSolver::new(&game).odds(game.start())?;
    /// for (place, _) in Node::of(&game, &game.start())?.outcomes(0) {
    ///     // One point of LUCK was spent.
    ///     assert!((odds.value_of(place)?.win() - 21.0 / 36.0).abs() < 1e-12);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_of(&self, place: &Place) -> Result<Valuation, Error> {
        let found = self.values(&[*place])?.into_iter().next();
        found.ok_or(Error::NotReached {
            section: place.section,
        })
    }

    /// Returns whether the value of a place is known, so that it need not be solved.
    ///
    /// # Errors
    /// The same as for [`BookSolver::solve`], for places that are not of this book.
    ///
    /// # Examples
    /// Nobody gets from the ford to the bridge:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("bridge", 2), ("ford", 3)])
    ///     .skill(2, 4, 5)
    ///     .luck(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let odds = BookSolver::new(&game).odds(game.start_at(3)?)?;
    /// let bridge = game.start_at(2)?;
    /// assert!(!odds.knows(&bridge)?);
    /// assert!((odds.value_of(&bridge)?.win() - 21.0 / 36.0).abs() < 1e-12); // all the same
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn knows(&self, place: &Place) -> Result<bool, Error> {
        if !is_round(&self.game, place) {
            return Ok(self.known(place)?.is_some());
        }
        for after in self.solver().rounds(&[*place])?.1 {
            if self.known(&after)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns a lower and an upper bound on the value of best play at a place, without solving
    /// anything.
    ///
    /// - At a [known](BookOdds::knows) place, they are its value minus and plus its error.
    /// - Before a fork into [routes](BookSolver::tell_apart), and at the first section of each
    ///   route, the upper bound takes into account how much the routes that were left out may be
    ///   worth at most.
    /// - Where nothing is known, they are 0 and 1.
    ///
    /// In a book like City of Thieves this tells at once what another street can be worth, which
    /// takes as long to [solve](BookOdds::value_of) as the first street.
    ///
    /// # Errors
    /// The same as for [`BookSolver::solve`], for places that are not of this book.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("bridge", 2), ("ford", 3)])
    ///     .skill(2, 4, 5)
    ///     .luck(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let odds = BookSolver::new(&game).odds(game.start_at(3)?)?;
    /// let (least, most) = odds.bounds(&game.start_at(3)?)?;
    /// assert!(least <= 13.0 / 18.0 && 13.0 / 18.0 <= most && most - least < 1e-9);
    /// // Nobody comes from the ford to the bridge.
    /// assert_eq!(odds.bounds(&game.start_at(2)?)?, (0.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds(&self, place: &Place) -> Result<(f64, f64), Error> {
        self.around(place, &mut Fought::default())
    }

    /// Lower and upper bounds on the value of a place. Rounds of fights that were looked up before
    /// are in `fought`.
    pub(crate) fn around(&self, place: &Place, fought: &mut Fought) -> Result<(f64, f64), Error> {
        if is_round(&self.game, place) {
            let known = self.looked_up(place, fought)?;
            let known = known.and_then(|known| known.enclosure());
            return Ok(known.unwrap_or((0.0, 1.0)));
        }
        self.is_of_the_book(place)?;
        let arrived = self.solver().arrivals(*place)?;
        if let [(place, _)] = arrived[..] {
            return Ok(self.between(&place));
        }
        let (mut least, mut most) = (0.0, 0.0);
        for (place, chance) in &arrived {
            let (from, to) = self.between(place);
            least += chance * from;
            most += chance * to;
        }
        let off = Valuation::rounding(arrived.len());
        Ok((least * (1.0 - off), (most * (1.0 + off)).min(1.0)))
    }

    /// Solves what may follow a place, unless it is [known](BookOdds::knows), and keeps the result.
    /// This alone may take as much memory as [allowed](BookSolver::max_bytes).
    ///
    /// # Errors
    /// The same as for [`BookSolver::solve`]. What was known stays known.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("bridge", 2), ("ford", 3)])
    ///     .skill(2, 4, 5)
    ///     .luck(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let (ford, bridge) = (game.start_at(3)?, game.start_at(2)?);
    /// let mut odds = BookSolver::new(&game).odds(ford)?;
    /// assert!(!odds.knows(&bridge)?);
    /// odds.add(&bridge)?;
    /// assert!(odds.knows(&bridge)? && odds.knows(&ford)?);
    /// assert!((odds.value_of(&bridge)?.win() - 21.0 / 36.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, place: &Place) -> Result<(), Error> {
        if !self.knows(place)? {
            let more = self.solver().odds(*place)?;
            self.kept.extend(more.kept);
            self.at_most.extend(more.at_most);
        }
        Ok(())
    }

    /// Returns what to do at a place, or `None` if there is nothing to decide.
    ///
    /// The best options are looked up. Of several, the first is taken; in a cycle, the one that
    /// leaves it soonest, as in [`advice`](BookOdds::advice).
    ///
    /// # Errors
    /// The same as for [`BookSolver::solve`], for places that are not known and have to be solved.
    ///
    /// # Examples
    /// The odds are a [`Policy`], which can be followed and simulated:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("bridge", 2), ("ford", 3)])
    ///     .fight(2, Foe::new(7, 2)?, 4)
    ///     .luck(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let hero = Hero::new(7, 2, 8)?;
    /// let game = book.game(&hero)?;
    /// let odds = BookSolver::new(&game).odds(game.start())?;
    /// let ford = odds.decision(&game.start())?.ok_or("a choice")?;
    /// assert_eq!(ford.to_string(), "ford: turn to 3");
    /// assert_eq!(book.follow_exact(&hero, &odds)?.value().to_string(), "13/18");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision(&self, place: &Place) -> Result<Option<Move>, Error> {
        let node = Node::of(&self.game, place)?;
        let number = match node.len() {
            0 => return Ok(None),
            1 => Some(0),
            _ => match self.number(place, &node)? {
                None => return self.solver().way_out(*place),
                number => number,
            },
        };
        Ok(number.and_then(|number| node.action(number).cloned()))
    }

    /// Returns what to do at a place, like [`BookSolver::advice`].
    ///
    /// If several options are worth the same and lie on a cycle, the decision is the one that can
    /// leave the cycle soonest by best options; of several, the first. A reader who asks at each
    /// place therefore never goes round for ever. If more than a thousand places lead to each
    /// other, a [policy](BookSolver::policy) is computed instead.
    ///
    /// # Errors
    /// The same as for [`BookSolver::solve`].
    ///
    /// # Examples
    /// A second lap gains nothing:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("look around", 2), ("cross", 3)])
    ///     .choice(2, [("back", 1)])
    ///     .luck(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let odds = BookSolver::new(&game).odds(game.start())?;
    /// let advice = odds.advice(&game.start())?.ok_or("a choice")?;
    /// assert_eq!((advice.label(), advice.lead()), ("cross", 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advice(&self, place: &Place) -> Result<Option<Advice<f64>>, Error> {
        let explained = self.explain(place)?;
        Ok(explained.map(|explained| explained.advice))
    }

    /// Returns what to do at a place, and what every option may lead to, like
    /// [`BookSolver::explain`]. Ties are broken as in [`advice`](BookOdds::advice).
    ///
    /// # Errors
    /// The same as for [`BookSolver::solve`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("the bridge", 2), ("the ford", 3)])
    ///     .luck(2, 4, 5)
    ///     .skill(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let odds = BookSolver::new(&game).odds(game.start())?;
    /// let why = odds.explain(&game.start())?.ok_or("a choice")?;
    /// assert!((why.outcomes(0)[0].value - 13.0 / 18.0).abs() < 1e-12);
    /// assert!((why.outcomes(1)[0].value - 7.0 / 12.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, place: &Place) -> Result<Option<Explanation<f64>>, Error> {
        let decided = |advice: &Advice<f64>, place| match self.way_out(place)? {
            WayOut::By(out) => Ok(Some(out)),
            WayOut::None | WayOut::TooFar => {
                let decided = self.solver().way_out(place)?;
                Ok(decided.and_then(|decided| advice.number(&decided)))
            }
        };
        self.solver()
            .explained(*place, |places| self.values(places), decided)
    }

    /// Returns the approximate memory of all kept values, in bytes.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// assert!(BookSolver::new(&game).odds(game.start())?.bytes() < 100_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        let all = self.kept.iter().chain(&self.at_most);
        all.map(|kept| kept.bytes()).sum()
    }

    /// The solver for whatever is not known.
    fn solver(&self) -> BookSolver<'_> {
        BookSolver {
            game: &self.game,
            settings: self.settings,
        }
    }

    /// The values of places. Those that are not known are solved, all at once.
    fn values(&self, places: &[Place]) -> Result<Vec<Valuation>, Error> {
        let (found, _) = self.solver().worth_anywhere(places, false, |outside| {
            let known = outside.iter().map(|place| self.known(place));
            let known: Vec<Option<Valuation>> = known.collect::<Result<_, _>>()?;
            let unknown = outside.iter().zip(&known).filter(|one| one.1.is_none());
            let unknown: Vec<Place> = unknown.map(|one| *one.0).collect();
            let mut solved = self.solver().solve_all(&unknown)?.into_iter();
            let all = known.into_iter().zip(outside).map(|(known, place)| {
                let found = known.or_else(|| solved.next());
                found.ok_or(Error::NotReached {
                    section: place.section,
                })
            });
            all.collect()
        })?;
        Ok(found)
    }

    /// What is known of a place that is not in the middle of a fight.
    fn known(&self, place: &Place) -> Result<Option<Valuation>, Error> {
        self.is_of_the_book(place)?;
        let arrived = self.solver().arrivals(*place)?;
        let parts = arrived.iter().map(|(place, chance)| {
            let (value, error) = self.arrived(place)?;
            Some((*chance, value, error))
        });
        let parts: Option<Vec<(f64, f64, Option<f64>)>> = parts.collect();
        Ok(parts.map(|parts| Valuation::mixed(&parts, self.valuation.size)))
    }

    fn is_of_the_book(&self, place: &Place) -> Result<(), Error> {
        match (place.scene as usize) < self.left.needs.len() {
            true => Ok(()),
            false => Err(Error::NotReached {
                section: place.section,
            }),
        }
    }

    /// Bounds on the chance at a place whose arrival is done.
    fn between(&self, place: &Place) -> (f64, f64) {
        match self.arrived(place) {
            Some((value, Some(0.0))) => return (value, value),
            Some((value, Some(error))) => return Valuation::around(value, error),
            _ => {}
        }
        let Some((region, at)) = self.left.seed(&self.game.compiled, place) else {
            return (0.0, 1.0);
        };
        let (mut least, mut most) = (0.0_f64, 1.0_f64);
        for (from, to) in self.kept.iter().filter_map(|kept| kept.bounds(region, &at)) {
            (least, most) = (least.max(from), most.min(to));
        }
        let at_most = self.at_most.iter();
        for to in at_most.filter_map(|kept| kept.bound(region, &at)) {
            most = most.min(to);
        }
        (least, most)
    }

    /// The known value of a place whose arrival is done, with its error if one is proven.
    fn arrived(&self, place: &Place) -> Option<(f64, Option<f64>)> {
        let Some((region, at)) = self.left.seed(&self.game.compiled, place) else {
            let won = self.game.is_won(place);
            return Some((f64::from(u8::from(won)), Some(0.0)));
        };
        if self.left.is_lost(place) {
            return Some((0.0, Some(0.0)));
        }
        self.kept.iter().find_map(|kept| kept.value(region, &at))
    }
}

impl Policy<BookGame> for BookOdds {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        if let [weight] = weights {
            *weight = 1;
            return;
        }
        let Ok(node) = Node::of(&self.game, place) else {
            return;
        };
        if weights.is_empty() || node.len() != weights.len() || moves.len() != weights.len() {
            return;
        }
        if let Ok(Some(number)) = self.number(place, &node)
            && let Some(weight) = weights.get_mut(number)
        {
            *weight = 1;
        }
    }
}

impl Policy<BookGame> for &BookOdds {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        (**self).weigh(place, moves, weights);
    }
}
