//! Solving long books between two bounds, to a given precision.

use crate::solver::induction::directed::Towards;
use crate::solver::tables::coarse::Grain;
use crate::sought::Sought;
use crate::{BookSolver, Error, Place, Valuation};

/// The distance of the bounds from the value, roughly, in grains.
const APART: f64 = 3.0;
/// The smallest grain.
const FINEST: f64 = 1e-13;

impl BookSolver<'_> {
    /// Computes the value of best play from a place, with an error of at most `error`.
    ///
    /// Try [`solve`](BookSolver::solve) first: it is usually faster, and its error is smaller.
    /// Bounds pay off if a large error is acceptable and the hero is weak, and if many random
    /// losses, or many things held for a long time, make a book too large for memory.
    ///
    /// The book is solved twice, for a lower bound and for an upper one. Sheets of nearly the same
    /// value are merged ("APRICODD", St-Aubin, Hoey and Boutilier, 2000) in such a way that the
    /// whole error falls on one side, so each bound is proven. If the bounds are too far apart, the
    /// solver tries again with a finer grain. [`Valuation::win`] is the midpoint of the bounds,
    /// [`Valuation::error`] is half their distance, and [`enclosure`](Valuation::enclosure) returns
    /// the bounds themselves.
    ///
    /// With less memory, other sheets are merged, so the bounds may differ.
    ///
    /// # Errors
    /// [`Error::ErrorNotPositive`] if `error` is not above 0; otherwise the same as for
    /// [`solve`](BookSolver::solve).
    ///
    /// The precision is limited by the rounding of floats, usually to less than 10⁻¹⁰. If a smaller
    /// error is requested, the result has this one. It is larger if a cycle is hardly ever left and
    /// has too many sheets to be solved [sheet by sheet](BookSolver::sheet_by_sheet), so check the
    /// error of the result.
    ///
    /// # Complexity
    /// A smaller error means more sheets to distinguish. A tenth of the error takes up to about
    /// five times as long, until no two sheets are nearly the same.
    ///
    /// # Examples
    /// City of Thieves, from its first section to its last:
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_gamebook::{Book, BookSolver, Character};
    ///
    /// let book = Book::city_of_thieves()?;
    /// let weakest = Character::new().stat("skill", 4).stat("stamina", 2).stat("luck", 7);
    /// let game = book.game(weakest.item("dexterity_potion"))?;
    /// let valuation = BookSolver::new(&game).approximate(game.start(), 0.01)?;
    /// let (least, most) = valuation.enclosure().ok_or("two bounds")?;
    /// assert!(least < 0.001 && 0.0001 < most && most < 0.02);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn approximate(&self, start: Place, error: f64) -> Result<Valuation, Error> {
        let all = self.approximate_all(&[start], error)?;
        all.into_iter().next().ok_or(Error::NotReached {
            section: start.section,
        })
    }

    /// Computes the values of best play from several places, each with an error of at most `error`.
    /// Shared parts are computed once.
    ///
    /// # Errors
    /// The same as for [`approximate`](BookSolver::approximate).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let places = [game.start(), game.start_at(2)?];
    /// for (valuation, exact) in BookSolver::new(&game)
    ///     .approximate_all(&places, 0.001)?
    ///     .iter()
    ///     .zip([21.0 / 36.0 * 15.0 / 36.0, 21.0 / 36.0])
    /// {
    ///     assert!((valuation.win() - exact).abs() < 0.001);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn approximate_all(&self, starts: &[Place], error: f64) -> Result<Vec<Valuation>, Error> {
        if error.is_nan() || error <= 0.0 {
            return Err(Error::ErrorNotPositive { error });
        }
        let mut grain = (error / APART).clamp(FINEST, 0.5);
        let mut closely = false;
        loop {
            let bound = |towards| {
                let grain = Grain {
                    towards,
                    size: grain,
                    closely,
                };
                let solved = self.seek_anywhere(starts, Sought::Bound(grain))?.0;
                Ok::<_, Error>(solved.valuations)
            };
            let (below, above) = (bound(Towards::Down)?, bound(Towards::Up)?);
            let both = below.iter().zip(&above);
            let found: Vec<Valuation> = both.map(|(below, above)| between(below, above)).collect();
            let reached = found.iter().filter_map(|one| one.error).fold(0.0, f64::max);
            if reached <= error || grain <= FINEST {
                return Ok(found);
            }
            closely = true;
            grain *= (0.8 * error / reached).clamp(0.1, 0.7);
        }
    }
}

/// The midpoint of two bounds, and their distance from it.
fn between(below: &Valuation, above: &Valuation) -> Valuation {
    // The weights of the places that the start leads to have been rounded.
    let [least, most] = [below, above].map(|bound| bound.error.unwrap_or(1.0));
    let (least, most) = ((below.win - least).max(0.0), (above.win + most).min(1.0));
    debug_assert!(
        least <= most,
        "the lower bound {least} exceeds the upper bound {most}"
    );
    let win = least + (most - least) / 2.0;
    let error = (most - win).max(win - least).next_up();
    let mut size = above.size;
    size.nodes += below.size.nodes;
    size.tables += below.size.tables;
    size.bytes = size.bytes.max(below.size.bytes);
    Valuation {
        win,
        error: Some(error),
        size,
        fork: None,
    }
}
