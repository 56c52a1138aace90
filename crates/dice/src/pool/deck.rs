//! Pools drawn from a deck, without replacement.

use crate::pool::{Deck, Source};
use crate::power::ending;
use crate::{Error, Pool};

impl<T: Ord + Clone> Pool<T> {
    /// Creates a pool of cards drawn from a deck without replacement, given each face with the
    /// number of cards that show it. Faces given twice add up; faces on no card are left out.
    ///
    /// The draws of a hand are not ordered: the total is C(cards, drawn), the number of equally
    /// likely hands.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyDeck`] without cards, [`Error::OverdrawnDeck`] if more cards are drawn than
    /// there are, and [`Error::TooLarge`] for more than [`DEFAULT_LIMIT`](crate::DEFAULT_LIMIT)
    /// faces.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let hand = Pool::deck((2..=14).map(|rank| (rank, 4)), 5)?;
    /// assert_eq!(hand.size(), 5);
    /// assert!(Pool::deck([("ace", 4)], 5).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "hypergeometric")]
    pub fn deck(cards: impl IntoIterator<Item = (T, u32)>, drawn: u32) -> Result<Self, Error> {
        let mut all: Vec<(T, u64)> = Vec::new();
        let mut given: Vec<(T, u32)> = Vec::new();
        for card in ending("faces", cards) {
            let card = card?;
            if card.1 > 0 {
                given.push(card);
            }
        }
        given.sort_by(|a, b| a.0.cmp(&b.0));
        for (face, count) in given {
            match all.last_mut() {
                Some(last) if last.0 == face => last.1 += u64::from(count),
                _ => all.push((face, count.into())),
            }
        }
        let size: u64 = all.iter().map(|card| card.1).sum();
        if size == 0 {
            return Err(Error::EmptyDeck);
        }
        let drawn = u64::from(drawn);
        if drawn > size {
            return Err(Error::OverdrawnDeck { drawn, cards: size });
        }
        Ok(Pool {
            source: Source::Deck(Deck { cards: all, drawn }),
            runs: None,
        })
    }
}
