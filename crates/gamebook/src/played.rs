//! Results of games that were played with dice.

use std::fmt;

use crate::plan::percent;

/// How many games were played, and how many of them were won. It replaces an exact evaluation where
/// that takes too much, and shows what readers learn who play a book thirty times.
///
/// # Examples
/// Of thirty games, eleven were won. With 95 % confidence, the chance lies between 22 and 54 %:
/// ```
/// use oddsmith_gamebook::Played;
///
/// let played = Played::new(30, 11).ok_or("more were won than played")?;
/// assert!((played.share() - 11.0 / 30.0).abs() < 1e-15);
/// let (least, most) = played.within(1.96);
/// assert!((least - 0.2187).abs() < 1e-4 && (most - 0.5449).abs() < 1e-4);
/// assert_eq!(played.to_string(), "36.67 % of 30 games (21.87 % to 54.49 %)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Played {
    pub(crate) games: u64,
    pub(crate) won: u64,
    /// Games that were broken off before they ended.
    pub(crate) unended: u64,
}

impl Played {
    /// Creates the result of `games` games, of which `won` were won. Returns `None` if more games
    /// were won than played, or if none was played.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Played;
    /// assert_eq!(Played::new(30, 31), None);
    /// assert_eq!(Played::new(0, 0), None);
    /// assert_eq!(Played::new(30, 30).map(|all| all.share()), Some(1.0));
    /// ```
    #[must_use]
    pub fn new(games: u64, won: u64) -> Option<Self> {
        (games > 0 && won <= games).then_some(Played {
            games,
            won,
            unended: 0,
        })
    }

    /// Returns the number of games played.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Played;
    /// assert_eq!(Played::new(40, 10).map(|played| played.games()), Some(40));
    /// ```
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of games won.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Played;
    /// let played = Played::new(30, 11).ok_or("more were won than played")?;
    /// assert_eq!((played.games(), played.won(), played.unended()), (30, 11, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn won(&self) -> u64 {
        self.won
    }

    /// Returns the number of games that were broken off before they ended. They do not count as
    /// won.
    ///
    /// # Examples
    /// Nobody gets through two coins with a single throw:
    /// ```
    /// # #[cfg(feature = "rand")] {
    /// use oddsmith_gamebook::{Book, FirstOption};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use rand::SeedableRng;
    /// # let book = Book::builder().chance(1, [(2, 1), (2, 1)]).chance(2, [(3, 1), (4, 1)]).won(3).lost(4);
    /// # let game = book.build()?.game(&Hero::new(7, 14, 7)?)?;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let played = game.play(FirstOption, game.start(), 10, 1, &mut rng)?;
    /// assert_eq!((played.games(), played.won(), played.unended()), (10, 0, 10));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unended(&self) -> u64 {
        self.unended
    }

    /// Returns the share of games that were won.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Played;
    /// assert_eq!(Played::new(40, 10).map(|played| played.share()), Some(0.25));
    /// ```
    #[must_use]
    pub fn share(&self) -> f64 {
        self.won as f64 / self.games as f64
    }

    /// Returns a confidence interval for the chance to win, of `z` standard deviations to either
    /// side: 1.96 for 95 %, 3 for 99.7 %. It is the interval of Wilson (1927), which also makes
    /// sense if no games or all games were won. The upper bound counts games that were broken off
    /// as won.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Played;
    /// let played = Played::new(100_000, 0).ok_or("more were won than played")?;
    /// let (least, most) = played.within(1.96);
    /// assert!(least == 0.0 && (most - 3.84e-5).abs() < 1e-7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn within(&self, z: f64) -> (f64, f64) {
        let games = self.games as f64;
        let bound = |won: u64, sign: f64| {
            let share = won as f64 / games;
            let spread = share * (1.0 - share) / games + (z / (2.0 * games)).powi(2);
            let middle = share + z * z / (2.0 * games);
            (middle + sign * z.abs() * spread.sqrt()) / (1.0 + z * z / games)
        };
        // With no victories, or with nothing else, the interval ends at 0 or 1, except for
        // rounding.
        let least = if self.won == 0 {
            0.0
        } else {
            bound(self.won, -1.0)
        };
        let most = self.won + self.unended;
        let most = if most >= self.games {
            1.0
        } else {
            bound(most, 1.0)
        };
        (least.max(0.0), most.min(1.0))
    }
}

/// Writes the share of games won, with its 95 % confidence interval.
impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = self.within(1.96);
        let (share, least, most) = (percent(&self.share()), percent(&least), percent(&most));
        let games = if self.games == 1 { "game" } else { "games" };
        write!(f, "{share} of {} {games} ({least} to {most}", self.games)?;
        if self.unended > 0 {
            write!(f, "; {} broken off", self.unended)?;
        }
        f.write_str(")")
    }
}
