//! Long books solved as closely as wanted: between two bounds.

use crate::solver::induction::directed::Towards;
use crate::solver::tables::coarse::Grain;
use crate::sought::Sought;
use crate::{BookSolver, Error, Place, Valuation};

/// Bounds are so many grains off what a book is worth, more or less.
const APART: f64 = 3.0;
/// Bounds are not looked for any closer.
const FINEST: f64 = 1e-13;

impl BookSolver<'_> {
    /// What best play from a place is worth, to within `error` or less.
    ///
    /// Try [`solve`](BookSolver::solve) first: it is mostly faster, and its error is smaller. A
    /// bound pays where it may be coarse and the hero is weak, and where many losses at random,
    /// or many things held for long, make a book too large for the memory that there is.
    ///
    /// The book is solved twice, once for a bound from below and once for one from above.
    /// Sheets that are worth nearly the same are not told apart ("APRICODD", St-Aubin, Hoey
    /// and Boutilier, 2000), and all that is lost by that is on one side; what a bound then
    /// comes to is proven, whatever was lost. If the bounds are too far apart it is tried
    /// again, with a finer grain. [`Valuation::win`] lies in the middle between them,
    /// [`Valuation::error`] is half of what they are apart, and
    /// [`enclosure`](Valuation::enclosure) tells the bounds.
    ///
    /// With less memory other sheets are put together, so that the bounds may be others.
    ///
    /// # Errors
    /// [`Error::ErrorNotPositive`] for an error that is not above 0, as
    /// [`solve`](BookSolver::solve) otherwise. No book is solved closer than floats round,
    /// which is mostly less than 10⁻¹⁰: who wants less gets that. It is more where sections lead back to
    /// themselves, are hardly ever left, and are too many to be solved
    /// [sheet by sheet](BookSolver::sheet_by_sheet): look at the error of what is returned.
    ///
    /// # Complexity
    /// Less error is more to tell apart: ten times less takes up to some five times longer, until
    /// nothing is left that is nearly the same.
    ///
    /// # Examples
    /// City of Thieves from its first section to its last:
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_gamebook::{Book, BookSolver, Character};
    ///
    /// let book = Book::city_of_thieves()?;
    /// let weakest = Character::new().stat("skill", 4).stat("stamina", 2).stat("luck", 7);
    /// let game = book.game(weakest.item("dexterity_potion"))?;
    /// let valuation = BookSolver::new(&game).solve_within(game.start(), 0.01)?;
    /// let (least, most) = valuation.enclosure().ok_or("two bounds")?;
    /// assert!(least < 0.001 && 0.0001 < most && most < 0.02);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_within(&self, start: Place, error: f64) -> Result<Valuation, Error> {
        let all = self.solve_all_within(&[start], error)?;
        all.into_iter().next().ok_or(Error::NotReached {
            section: start.section,
        })
    }

    /// What best play from each of some places is worth, to within `error` or less: what they
    /// have in common is worked out once.
    ///
    /// # Errors
    /// As [`solve_within`](BookSolver::solve_within).
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
    ///     .solve_all_within(&places, 0.001)?
    ///     .iter()
    ///     .zip([21.0 / 36.0 * 15.0 / 36.0, 21.0 / 36.0])
    /// {
    ///     assert!((valuation.win() - exact).abs() < 0.001);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_all_within(&self, starts: &[Place], error: f64) -> Result<Vec<Valuation>, Error> {
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

/// The middle of two bounds, and how far they are from it at most.
fn between(below: &Valuation, above: &Valuation) -> Valuation {
    // Weights of where the start leads to have rounded.
    let [least, most] = [below, above].map(|bound| bound.error.unwrap_or(1.0));
    let (least, most) = ((below.win - least).max(0.0), (above.win + most).min(1.0));
    debug_assert!(least <= most, "{least} is no bound, or {most} is none");
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
