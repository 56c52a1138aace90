//! The value of best play as a fraction: floats rule out what is certainly worse, and the rest is
//! solved exactly.

use std::cell::RefCell;

use num_rational::BigRational;
use oddsmith_mdp::{Bounds, Game, Pruned, Score, Solver};

use crate::book_odds::decided::Fought;
use crate::reduced_game::ReducedGame;
use crate::{BookOdds, BookSolver, Error, Move, Place};

/// Deferred risks are not known, but what follows them usually is, two or three moves later.
const AHEAD: u32 = 3;
/// The width of bounds that are none.
const VAGUE: f64 = 1e-3;
/// The most rounds of fights that are kept after they were looked up.
const MOST_FOUGHT: usize = 1 << 16;

impl BookSolver<'_> {
    /// Computes the value of best play from a place as a fraction.
    ///
    /// It visits single sheets, as few as possible. First, the [odds](BookSolver::odds) are
    /// computed in floats, with their errors. Options that these prove to be worse than others are
    /// [left out](BookSolver::prune), and what only they lead to is never visited. So are moves
    /// that only [use something up](BookSolver::leave_out_waste). Sheets are merged that differ
    /// only in what nothing reads any more, as in [`ReducedGame`]. What remains is solved in
    /// fractions. So the result is the exact maximum over all ways to play, not just the exact
    /// value of what floats decide.
    ///
    /// Best play is the best policy among those that come to an end.
    /// [Must-haves](BookSolver::must_haves) and [forgetting](BookSolver::forget) apply as in
    /// [`solve`](BookSolver::solve).
    ///
    /// # Errors
    /// If the odds cannot be computed, the remaining places are solved without them, and if there
    /// are too many, the error is that of [`odds`](BookSolver::odds). Otherwise
    /// [`Error::TooManyPlaces`] beyond [`max_places`](BookSolver::max_places). [`Error::Solve`] beyond
    /// [`max_bytes`](BookSolver::max_bytes), for any other error of the solver, and where nothing
    /// can ever end the adventure, since no fraction is known then. A place in such an error is a
    /// merged one: a stat that nothing reads any more has any value there.
    ///
    /// # Complexity
    /// That of [`odds`](BookSolver::odds), which may take three quarters of the memory, and the same
    /// as for [`Book::solve`](crate::Book::solve) on the remaining places. All of City of Thieves
    /// takes six seconds for a hero with STAMINA 2 (a fraction of two numbers of 570 digits), and
    /// two minutes and 6 GiB for the median hero (940 digits). The strongest heroes have too many
    /// options that are equally good, or nearly so.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let solver = BookSolver::new(&game);
    /// assert_eq!(solver.solve_exact(game.start())?.to_string(), "35/144"); // 21/36 · 15/36
    /// assert!((solver.solve(game.start())?.win() - 35.0 / 144.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_exact(&self, start: Place) -> Result<BigRational, Error> {
        let reduced = ReducedGame::new(self.game, self.settings.left_out);
        let place = reduced.place(start);
        if !self.settings.prune {
            return self.exactly(&reduced, place, 0);
        }
        // The rest is for the places.
        let solver = self.clone().max_bytes(self.bytes() / 4 * 3);
        let odds = match solver.odds(start) {
            Ok(odds) => odds,
            // There may be so few places that no odds are needed.
            Err(error) => {
                let plain = self.exactly(&reduced, place, 0);
                return plain.map_err(|_| self.with_own_limit(error));
            }
        };
        let known = Known {
            odds: &odds,
            fought: RefCell::default(),
        };
        let promising = Pruned::new(&reduced, known).look_ahead(AHEAD, VAGUE);
        self.exactly(&promising, place, odds.bytes())
    }

    /// An error of a solver with less memory, as an error of this one.
    fn with_own_limit(&self, mut error: Error) -> Error {
        if let Error::BookTooLarge {
            what: "bytes",
            limit,
            ..
        } = &mut error
        {
            *limit = self.bytes();
        }
        error
    }

    /// The value of a game with the places of a book. Some bytes are taken.
    fn exactly<G>(&self, game: &G, start: Place, taken: usize) -> Result<BigRational, Error>
    where
        G: Game<State = Place, Action = Move>,
    {
        let left = self.bytes().saturating_sub(taken) as u128;
        let solver = Solver::exact().allow_cycles().max_bytes(left);
        let solver = solver.max_states(self.settings.places);
        let solution = solver.solve(game, start).map_err(Error::of_places)?;
        Ok(solution.value())
    }
}

/// What floats prove of the places of a book.
struct Known<'o> {
    odds: &'o BookOdds,
    /// Rounds of fights that have been looked up. One fight is usually asked for at a time.
    fought: RefCell<Fought>,
}

impl Known<'_> {
    fn around(&self, place: &Place) -> (f64, f64) {
        let mut fought = self.fought.borrow_mut();
        if fought.len() > MOST_FOUGHT {
            fought.clear();
        }
        let known = self.odds.around(place, &mut fought);
        // Of a place that is not of the book, nothing is known.
        known.unwrap_or((0.0, 1.0))
    }
}

impl Bounds<Place> for Known<'_> {
    fn lower(&self, place: &Place) -> Option<Score> {
        Some(self.around(place).0.into())
    }

    fn upper(&self, place: &Place) -> Option<Score> {
        Some(self.around(place).1.into())
    }

    fn interval(&self, place: &Place) -> Option<[f64; 2]> {
        Some(self.around(place).into())
    }
}
