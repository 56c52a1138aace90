//! Hands of poker dice.

use super::sets::shown;
use crate::{Dist, Error, Evaluator, Pool, Weight};
use std::cmp::Ordering;
use std::fmt;

/// The value of a roll as a hand of poker dice: the sizes of its sets of equal faces, or a
/// straight. Better hands are greater.
///
/// Five dice rank as in the game of poker dice: five of a kind, four of a kind, full house,
/// straight, three of a kind, two pairs, one pair, nothing. There are no suits. A straight loses to
/// a full house, although it is rarer with six-sided dice (240 rolls against 300), because this is
/// the order of the game.
///
/// Any number of dice rank by their largest set, then by the next one, and so on. A straight
/// consists of at least three dice that are all different and consecutive. It ranks just above
/// three of a kind without a pair.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Hand, Pool};
///
/// let law = Pool::dice(5, 6)?.hand()?;
/// assert_eq!(law.p(&Hand::of([3, 2])).to_string(), "25/648");
/// assert_eq!(law.p(&Hand::straight(5)).to_string(), "5/162");
/// assert_eq!(law.more(&Hand::straight(5)).to_string(), "19/324"); // what beats a straight
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde`, a hand is serialized as the sizes of its sets, `{"sets": [3, 2]}`, or
/// as `{"straight": 5}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "Written", into = "Written")
)]
pub struct Hand {
    /// The sizes of the sets, largest first, none of them 0. Empty for a straight.
    sets: Vec<u64>,
    /// The number of dice in sequence.
    straight: Option<u32>,
}

/// A hand in its serialized form.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    /// In any order.
    Sets(Vec<u64>),
    Straight(u32),
}

#[cfg(feature = "serde")]
impl From<Written> for Hand {
    fn from(written: Written) -> Self {
        match written {
            Written::Sets(sizes) => Hand::of(sizes),
            Written::Straight(dice) => Hand::straight(dice),
        }
    }
}

#[cfg(feature = "serde")]
impl From<Hand> for Written {
    fn from(hand: Hand) -> Self {
        match hand.straight {
            Some(dice) => Written::Straight(dice),
            None => Written::Sets(hand.sets),
        }
    }
}

impl Hand {
    /// Creates a hand of sets with these sizes, in any order, which is not a straight. Single dice
    /// are sets of 1 and count: a pair among five dice is 2, 1, 1, 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Hand;
    ///
    /// assert!(Hand::of([3, 2]) > Hand::of([1, 3, 1]));
    /// assert_eq!(Hand::of([2, 1, 2]).to_string(), "two pairs");
    /// ```
    #[must_use]
    pub fn of(sets: impl Into<Vec<u64>>) -> Self {
        let mut sets = sets.into();
        sets.retain(|&size| size > 0);
        sets.sort_unstable_by(|a, b| b.cmp(a));
        Hand {
            sets,
            straight: None,
        }
    }

    /// Creates a hand of this many different dice in sequence. Fewer than three are single dice and
    /// not a straight, as they are when they are rolled.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Hand;
    ///
    /// assert!(Hand::straight(5) > Hand::of([3, 1, 1]));
    /// assert!(Hand::straight(5) < Hand::of([3, 2]));
    /// assert_eq!(Hand::straight(2), Hand::of([1, 1]));
    /// assert_eq!(Hand::straight(0), Hand::of([]));
    /// ```
    #[must_use]
    pub fn straight(dice: u32) -> Self {
        match dice {
            0..3 => Hand::of(vec![1; dice as usize]),
            _ => Hand {
                sets: Vec::new(),
                straight: Some(dice),
            },
        }
    }

    /// Returns the sizes of its sets, largest first. A straight, which has only single dice, has
    /// none.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Hand;
    ///
    /// assert_eq!(Hand::of([2, 3]).sets(), [3, 2]);
    /// ```
    #[must_use]
    pub fn sets(&self) -> &[u64] {
        &self.sets
    }

    /// Returns the number of dice in sequence if it is a straight.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Hand;
    ///
    /// assert_eq!(Hand::straight(5).in_sequence(), Some(5));
    /// assert_eq!(Hand::of([3, 2]).in_sequence(), None);
    /// ```
    #[must_use]
    pub fn in_sequence(&self) -> Option<u32> {
        self.straight
    }

    /// The sizes of its largest set and the next one. A straight lies between (3, 1) and (3, 2).
    fn strength(&self) -> (u64, u64, Option<u32>) {
        if self.straight.is_some() {
            return (3, 1, self.straight);
        }
        let size = |place: usize| self.sets.get(place).copied().unwrap_or(0);
        (size(0), size(1), None)
    }
}

impl Ord for Hand {
    fn cmp(&self, other: &Self) -> Ordering {
        self.strength()
            .cmp(&other.strength())
            .then_with(|| self.sets.cmp(&other.sets))
    }
}

impl PartialOrd for Hand {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sets: Vec<u64> = self.sets.iter().copied().filter(|&size| size > 1).collect();
        match sets.as_slice() {
            _ if self.straight.is_some() => f.pad("straight"),
            [] => f.pad("nothing"),
            [2] => f.pad("one pair"),
            [2, 2] => f.pad("two pairs"),
            [3, 2] => f.pad("full house"),
            [3] => f.pad("three of a kind"),
            [4] => f.pad("four of a kind"),
            [5] => f.pad("five of a kind"),
            sizes => {
                let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                f.pad(&format!("{} of a kind", sizes.join(" + ")))
            }
        }
    }
}

/// The reading of a roll as a hand of poker dice, see [`Hand`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Both, Hand, HandOfDice, Pool, SumOfFaces};
///
/// // A full house of 5 5 5 6 6 or 6 6 6 5 5 or 6 6 6 4 4.
/// let law = Pool::dice(5, 6)?.evaluate(&Both(HandOfDice, SumOfFaces))?;
/// let good = law.probability(|(hand, sum)| *hand == Hand::of([3, 2]) && *sum > 25);
/// assert_eq!(good.to_string(), "5/1296");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandOfDice;

/// The progress of a straight among the faces seen so far.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Evaluator, HandOfDice, Sequence};
///
/// let (sets, sequence) = HandOfDice.next(&HandOfDice.start(), &3, &[1]);
/// assert_eq!((sets, sequence), (vec![1], Sequence::Open(3)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// No die has shown a face yet.
    Empty,
    /// Single dice in sequence, up to this face.
    Open(i64),
    /// A sequence, followed by a face that no die shows.
    Closed,
    /// Equal faces, or a gap.
    Broken,
}

impl Evaluator<i64> for HandOfDice {
    type State = (Vec<u64>, Sequence);
    type Outcome = Hand;

    fn start(&self) -> Self::State {
        (Vec::new(), Sequence::Empty)
    }

    fn next(&self, (sets, sequence): &Self::State, face: &i64, counts: &[i64]) -> Self::State {
        let size = u64::try_from(shown(counts)).unwrap_or(0);
        let sequence = match (*sequence, size) {
            (Sequence::Open(_), 0) => Sequence::Closed,
            (other, 0) => other,
            (Sequence::Empty, 1) => Sequence::Open(*face),
            (Sequence::Open(last), 1) if face.abs_diff(last) == 1 => Sequence::Open(*face),
            _ => Sequence::Broken,
        };
        let mut sets = sets.clone();
        if size > 0 {
            sets.insert(sets.partition_point(|&set| set >= size), size);
        }
        (sets, sequence)
    }

    fn finish(&self, (sets, sequence): &Self::State) -> Hand {
        let unbroken = matches!(sequence, Sequence::Open(_) | Sequence::Closed);
        match u32::try_from(sets.len()) {
            Ok(dice) if unbroken => Hand::straight(dice),
            _ => Hand {
                sets: sets.clone(),
                straight: None,
            },
        }
    }
}

impl<W: Weight> Pool<i64, W> {
    /// Returns the distribution of the hand of poker dice that the kept dice make. See [`Hand`] for
    /// the ranks.
    ///
    /// Multiplicities count as for [`distinct`](Pool::distinct). A deck without suits makes
    /// hands of cards.
    ///
    /// # Errors
    ///
    /// The errors of [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Hand, Pool};
    ///
    /// let law = Pool::dice(5, 6)?.hand()?;
    /// let table: Vec<String> = law.iter().map(|(hand, ways)| format!("{hand}: {ways}")).collect();
    /// assert_eq!(
    ///     table,
    ///     [
    ///         "nothing: 480",
    ///         "one pair: 3600",
    ///         "two pairs: 1800",
    ///         "three of a kind: 1200",
    ///         "straight: 240",
    ///         "full house: 300",
    ///         "four of a kind: 150",
    ///         "five of a kind: 6",
    ///     ]
    /// );
    ///
    /// let cards = Pool::deck((2..=14).map(|rank| (rank, 4)), 5)?.hand()?;
    /// assert_eq!(cards.p(&Hand::of([3, 2])).to_string(), "6/4165");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "poker")]
    pub fn hand(&self) -> Result<Dist<Hand, W>, Error> {
        self.evaluate(&HandOfDice)
    }
}
