//! The progress of a solver that was stopped.

use std::fmt;

/// How far [`BookSolver`](crate::BookSolver) had got when it reached a limit.
///
/// The solver first finds the reachable regions of a book, which are scenes, distinguished by
/// little else. It then solves them backwards, from the ends of the book to its start. If the book
/// forks into routes that are solved one by one, the counts are those of one route at a time.
///
/// # Examples
/// ```
/// # use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, BookSolver, Error};
///
/// let book = Book::builder().luck(1, 2, 4).luck(2, 3, 4).won(3).lost(4).build()?;
/// let game = book.game(&Hero::new(7, 14, 7)?)?;
/// let stopped = |solver: BookSolver<'_>| match solver.solve(game.start()) {
///     Err(Error::BookTooLarge { progress, .. }) => Some(progress),
///     _ => None,
/// };
/// let progress = stopped(BookSolver::new(&game).max_regions(1)).ok_or("one is not enough")?;
/// assert_eq!((progress.section, progress.found, progress.solved), (1, 1, 0));
/// assert_eq!(progress.to_string(), "at section 1, with 1 region found");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The section that the solver was at.
    pub section: u32,
    /// How many regions had been found.
    pub found: usize,
    /// How many of these had been solved; 0 while there are more to be found.
    pub solved: usize,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress {
            section,
            found,
            solved,
        } = self;
        let regions = if *found == 1 { "region" } else { "regions" };
        write!(f, "at section {section}, with ")?;
        match solved {
            0 => write!(f, "{found} {regions} found"),
            _ => write!(f, "{solved} of {found} {regions} solved"),
        }
    }
}
