//! Limits for following a policy.

use oddsmith_mdp::{Error as Unsolved, Number, Solver};

use crate::Error;

/// Limits for [`Book::follow_within`](crate::Book::follow_within), and for each habit in
/// [`Book::difficulty_within`](crate::Book::difficulty_within). Exceeding a limit is an error that
/// says how far it got.
///
/// # Examples
/// A gambler with 10 silver pieces stakes one at a time, until there are none or 20:
/// ```
/// use oddsmith_gamebook::{Book, BookGame, Branch, Cap, Choice, Condition, Effect, Error};
/// use oddsmith_gamebook::{FollowLimits, Journey, Manuscript, Passage, Play, Section, Stat};
/// use oddsmith_mdp::AtRandom;
///
/// # fn gambler() -> Result<BookGame, Error> {
/// let mut book = Manuscript::new("gambler");
/// book.sheet.stats.push(Stat {
///     cap: Some(Cap::At(20)),
///     floor: Some(0),
///     ..Stat::new("silver", 10)
/// });
/// let toss = |by| {
///     let effects = vec![Effect::change("silver", by)];
///     Branch { weight: 1, passage: Passage { effects, ..Passage::to(1) } }
/// };
/// let cases = vec![
///     Choice::new("rich", Passage::to(3)).when(Condition::at_least("silver", 20)),
///     Choice::new("some", Passage::to(2)).when(Condition::at_least("silver", 1)),
///     Choice::new("none", Passage::to(4)),
/// ];
/// book.sections = vec![
///     Section::new(1, Play::First(cases).into()),
///     Section::new(2, Play::Random(vec![toss(1), toss(-1)]).into()),
///     Section::new(3, Passage::won()),
///     Section::new(4, Passage::lost()),
/// ];
/// # let hero = oddsmith_fightingfantasy::Hero::new(7, 14, 7)?;
/// # Book::new(book)?.game(&hero)
/// # }
/// # let game = gambler()?;
/// let follow = |limits| -> Result<Journey<num_rational::BigRational>, Error> {
///     game.follow_within(AtRandom, game.start(), limits)
/// };
/// assert_eq!(follow(FollowLimits::default())?.value().to_string(), "1/2");
/// let error = follow(FollowLimits::default().max_ring(30)).err();
/// assert!(matches!(error, Some(Error::RingTooLarge { ring: 38, limit: 30, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowLimits {
    pub(super) places: usize,
    outcomes: usize,
    bytes: u128,
    ring: Option<usize>,
}

/// Returns the default limits: 20 million places, a billion outcomes, 4 GiB, and in fractions 5,000
/// places that lead back to each other.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::FollowLimits;
/// let limits = FollowLimits::default();
/// assert_eq!(limits, limits.max_places(20_000_000).max_outcomes(1_000_000_000));
/// ```
impl Default for FollowLimits {
    fn default() -> Self {
        FollowLimits {
            places: 20_000_000,
            outcomes: 1_000_000_000,
            bytes: 1 << 32,
            ring: None,
        }
    }
}

/// The default of [`FollowLimits::max_ring`] in fractions.
pub(super) const RING_IN_FRACTIONS: usize = 5_000;

impl FollowLimits {
    /// Limits the number of places. Beyond it, the error is [`Error::JourneyTooLarge`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Error, FollowLimits};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().choice(1, [("on", 2)]).choice(2, [("on", 3)]).won(3).build()?;
    /// let two = FollowLimits::default().max_places(2);
    /// let error = book.follow_within::<f64>(&Hero::new(7, 14, 7)?, AtRandom, two).err();
    /// assert_eq!(error, Some(Error::JourneyTooLarge { limit: 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_places(self, places: usize) -> Self {
        FollowLimits { places, ..self }
    }

    /// Limits the number of outcomes of all places reached, as counted by
    /// [`Solver::max_outcomes`](oddsmith_mdp::Solver::max_outcomes), since a few places may have
    /// very many. Beyond it, the error is [`oddsmith_mdp::Error::OutcomesOutgrow`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, FollowLimits};
    /// use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().chance(1, [(2, 1), (3, 2), (4, 3)]).won(2).lost(3).lost(4).build()?;
    /// let hero = Hero::new(7, 14, 7)?;
    /// let limits = FollowLimits::default();
    /// let journey = book.follow_within::<f64>(&hero, AtRandom, limits.max_outcomes(3))?;
    /// assert_eq!(format!("{:.4}", journey.value()), "0.1667");
    /// assert!(book.follow_within::<f64>(&hero, AtRandom, limits.max_outcomes(2)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_outcomes(self, outcomes: usize) -> Self {
        FollowLimits { outcomes, ..self }
    }

    /// Limits the memory in bytes, as counted by
    /// [`Solver::max_bytes`](oddsmith_mdp::Solver::max_bytes). Beyond it, the error is
    /// [`oddsmith_mdp::Error::TooMuchMemory`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, FollowLimits};
    /// use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let little = FollowLimits::default().max_bytes(10);
    /// let error = book.follow_within::<f64>(&Hero::new(7, 14, 7)?, AtRandom, little).unwrap_err();
    /// assert!(error.to_string().contains("solving 3 states needs 208 bytes"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_bytes(self, bytes: u128) -> Self {
        FollowLimits { bytes, ..self }
    }

    /// Limits the number of places that all lead back to each other. Beyond it, the error is
    /// [`Error::RingTooLarge`], before any of them is computed. The default is 5,000 in fractions;
    /// in floats there is no limit. A place counts twice if it is reached in two ways, as in
    /// [`Journey::places`](crate::Journey::places).
    ///
    /// # Complexity
    /// A ring of m places takes time up to m³, and more in fractions, whose digits grow with m as
    /// well. This is done twice, and once more for each section of the ring. A random walk over a
    /// square of 900, 1,900 and 3,400 places, in a ring of two sections, takes 0.4, 2.3 and 14 s in
    /// fractions.
    ///
    /// # Examples
    /// The reader wins at the first toss, at the third, at the fifth and so on; two places are a
    /// ring:
    /// ```
    /// use oddsmith_gamebook::{Book, Error, FollowLimits};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().chance(1, [(2, 1), (3, 1)]).chance(2, [(1, 1), (4, 1)]).won(3).lost(4).build()?;
    /// let follow = |ring| {
    ///     let limits = FollowLimits::default().max_ring(ring);
    ///     book.follow_within::<f64>(Hero::new(7, 14, 7)?, AtRandom, limits)
    /// };
    /// assert_eq!(format!("{:.4}", follow(2)?.value()), "0.6667");
    /// assert!(matches!(follow(1), Err(Error::RingTooLarge { ring: 2, limit: 1, .. })));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn max_ring(self, places: usize) -> Self {
        let ring = Some(places);
        FollowLimits { ring, ..self }
    }

    /// Sets the limits on a solver; `ring` is the default of the ring limit.
    pub(super) fn set_on<N: Number>(
        self,
        solver: Solver<'static, N>,
        ring: usize,
    ) -> Solver<'static, N> {
        solver
            .max_states(self.places)
            .max_outcomes(self.outcomes)
            .max_bytes(self.bytes)
            .max_cycle(self.ring.unwrap_or(ring))
    }
}

/// The error of a solver, in the terms of books.
pub(super) fn met(error: Unsolved) -> Error {
    match error {
        Unsolved::CycleTooLarge {
            state,
            cycle,
            found,
            limit,
        } => Error::RingTooLarge {
            place: state,
            ring: cycle,
            places: found,
            limit,
        },
        Unsolved::TooManyStates { limit } => Error::JourneyTooLarge { limit },
        error => Error::Solve(error),
    }
}
