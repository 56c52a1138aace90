//! Dice rolled together, as part of an expression.

use super::tree::{Comparison, Expression};

/// Dice rolled together: their kinds, the changes to each, which are kept, and the changes to each
/// kept one, in this order.
///
/// `4d6!2kh3` explodes every die and then keeps three: the explosion stands in
/// [`changes`](Self::changes). `4d6kh3!2` keeps three and then explodes those: it stands in
/// [`after`](Self::after).
///
/// # Examples
///
/// ```
/// use oddsmith_dice::notation::{Change, Keep, Roll};
///
/// let mut roll = Roll::dice(4, 6);
/// roll.keeps.push(Keep::Highest(3));
/// assert_eq!(roll.to_string(), "4d6kh3");
/// roll.after.push(Change::Explode { depth: 2, on: None });
/// assert_eq!(roll.to_string(), "4d6kh3!2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    /// The dice.
    pub source: Source,
    /// The changes to every die, in this order.
    pub changes: Vec<Change>,
    /// Which dice count, by successive selections.
    pub keeps: Vec<Keep>,
    /// The changes to every kept die, in this order. Empty if no dice were selected.
    pub after: Vec<Change>,
}

impl Roll {
    /// Creates fair dice, unchanged and all kept.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::notation::Roll;
    ///
    /// assert_eq!(Roll::dice(3, 6).to_string(), "3d6");
    /// ```
    #[must_use]
    pub fn dice(count: u32, sides: u32) -> Self {
        Roll {
            source: Source::Dice {
                count: Count::Number(count),
                die: Die::Sides(sides),
            },
            changes: Vec::new(),
            keeps: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Whether one of the dice can pass the test, as far as that is known without rolling them.
    pub(super) fn can_show(&self, test: FaceTest) -> bool {
        let explodes = |change: &Change| !matches!(change, Change::Reroll { .. });
        self.changes.iter().chain(&self.after).any(explodes)
            || match &self.source {
                Source::Dice { die, .. } => die.can_show(test),
                Source::Mixed(parts) => parts.iter().any(|part| match part {
                    Part::Dice { die, changes, .. } => {
                        changes.iter().any(explodes) || die.can_show(test)
                    }
                    Part::Value(_) => true,
                }),
            }
    }
}

/// The dice of a [`Roll`].
///
/// # Examples
///
/// ```
/// use oddsmith_dice::notation::{Count, Die, Roll, Source};
///
/// let fudge = Source::Dice { count: Count::Number(4), die: Die::Fudge };
/// assert_eq!(Roll { source: fudge, ..Roll::dice(1, 6) }.to_string(), "4dF");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// `4d6`: equal dice.
    Dice {
        /// The number of dice.
        count: Count,
        /// The kind of die.
        die: Die,
    },
    /// `{1d4, 2d6, 2d8 + 1}`: several kinds in one pool.
    Mixed(Vec<Part>),
}

/// A number of dice.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
///
/// // Roll a three-sided die, then so many six-sided ones.
/// let notation: Notation = "(1d3)d6".parse()?;
/// assert_eq!(notation.law()?.mean().to_string(), "7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// A known number.
    Number(u32),
    /// A number that is itself rolled, once.
    Rolled(Expression),
}

/// One kind of die.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
///
/// let average_die: Notation = "d{2, 3, 3, 4, 4, 5}".parse()?;
/// assert_eq!(average_die.law()?.p(&3).to_string(), "1/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Die {
    /// `d6`: 1 to 6.
    Sides(u32),
    /// `dF`: −1, 0 or 1.
    Fudge,
    /// `d{1, 1, 2..5}`: these faces, equally likely; a face listed twice is twice as
    /// likely. Ranges include both ends.
    Faces(Vec<(i64, i64)>),
    /// `d(2d6 + 1)`: every die is a roll of this expression.
    Rolled(Expression),
}

impl Die {
    fn can_show(&self, test: FaceTest) -> bool {
        let FaceTest::Compare(how, bound) = test else {
            return true;
        };
        // Only a comparison with a single face can hold between the ends of a range and at neither
        // of them.
        let shows = |low: i64, high: i64| {
            let inside = how == Comparison::Equal && (low..=high).contains(&bound);
            inside || how.holds(low, bound) || how.holds(high, bound)
        };
        match self {
            Die::Sides(sides) => shows(1, i64::from(*sides)),
            Die::Fudge => shows(-1, 1),
            Die::Faces(ranges) => ranges.iter().any(|&(low, high)| shows(low, high)),
            Die::Rolled(_) => true,
        }
    }
}

/// One entry of a mixed pool.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
///
/// // Three dice, and three numbers of which one is a sum.
/// let dice: Notation = "{2d6, 1d8}kh1".parse()?;
/// let sums: Notation = "{(2d6), 1d8}kh1".parse()?;
/// assert_eq!(dice.law()?.max(), &8);
/// assert_eq!(sums.law()?.max(), &12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// `2d6` or `2d6r1`: each die is a die of the pool.
    Dice {
        /// The number of dice.
        count: u32,
        /// The kind of die.
        die: Die,
        /// The changes to each of them before any change to the pool.
        changes: Vec<Change>,
    },
    /// `(2d6)` or `2d6 + 1`: a single number, which is a die of its own kind.
    Value(Expression),
}

/// A change to a die after it was rolled.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
///
/// let notation: Notation = "1d6!1".parse()?;
/// assert_eq!(notation.law()?.mean().to_string(), "49/12");
/// // Without limit it is read, but has no finite law.
/// let endless: Notation = "1d6!".parse()?;
/// let Err(error) = endless.law() else {
///     return Err("this should not have a law".into());
/// };
/// assert!(error.to_string().ends_with("give a depth, as in 1d6!10"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// `!3`: on its highest face, the die is rolled again and added, up to `depth` times.
    Explode {
        /// The largest number of times.
        depth: u32,
        /// The faces that explode, or `None` for the highest face.
        on: Option<Faces>,
    },
    /// `!`: on its highest face, the die is rolled again and added, without limit. Its distribution
    /// is finite only if no face explodes, or only 0, which adds nothing.
    ExplodeForever {
        /// The faces that explode, or `None` for the highest face.
        on: Option<Faces>,
    },
    /// `r1`: on these faces, the die is rolled again.
    Reroll {
        /// The largest number of times, or `None` for no limit.
        times: Option<u32>,
        /// The faces that are rolled again.
        on: Faces,
    },
}

/// A set of faces: those that pass at least one of the tests.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::notation::{Comparison, FaceTest, Faces};
///
/// let faces = Faces(vec![FaceTest::Range(1, 2), FaceTest::Compare(Comparison::AtLeast, 9)]);
/// assert!(faces.contains(2) && !faces.contains(3) && faces.contains(10));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Faces(pub Vec<FaceTest>);

impl Faces {
    /// Returns whether `face` is in the set.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::notation::{FaceTest, Faces};
    ///
    /// assert!(Faces(vec![FaceTest::Range(6, 6)]).contains(6));
    /// ```
    #[must_use]
    pub fn contains(&self, face: i64) -> bool {
        self.0.iter().any(|test| test.holds(face))
    }
}

/// A test that a face passes or not.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::notation::FaceTest;
///
/// assert!(FaceTest::Range(7, 9).holds(9));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaceTest {
    /// `7..9`, both ends included; `7` alone is `Range(7, 7)`.
    Range(i64, i64),
    /// `>=7`
    Compare(Comparison, i64),
}

impl FaceTest {
    /// Returns whether `face` passes.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::notation::{Comparison, FaceTest};
    ///
    /// assert!(!FaceTest::Compare(Comparison::More, 6).holds(6));
    /// ```
    #[must_use]
    pub fn holds(self, face: i64) -> bool {
        match self {
            FaceTest::Range(low, high) => (low..=high).contains(&face),
            FaceTest::Compare(comparison, bound) => comparison.holds(face, bound),
        }
    }
}

/// A selection of the dice of a pool that count, sorted by what they show.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
///
/// let best_and_worst: Notation = "4d6k[1, 0, 0, 1]".parse()?;
/// assert_eq!(best_and_worst.law()?.mean().to_string(), "7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Keep {
    /// `kh3`
    Highest(u32),
    /// `kl3`
    Lowest(u32),
    /// `km3`: the middle dice; as many are dropped below as above.
    Middle(u32),
    /// `dh1`
    DropHighest(u32),
    /// `dl1`
    DropLowest(u32),
    /// `k[0, 1, 2]`: how often each die counts, lowest first. There is one number for each die
    /// rolled, so there can be no keep or drop before it.
    Positions(Vec<i64>),
}

/// The value that is computed from the kept dice.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
///
/// let notation: Notation = "distinct(6d6)".parse()?;
/// assert_eq!(notation.law()?.mean().to_string(), "31031/7776");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// `4d6`: their sum.
    Sum,
    /// `8d10>=7` or `8d10c{10:2, >=7:1, 1:-1}`: each die counts the value of the first band that
    /// contains its face, or 0.
    Count(Vec<Band>),
    /// `distinct(6d6)`: the number of different faces.
    Distinct,
    /// `largest_set(10d10)`: the number of dice that show the most frequent face.
    LargestSet,
    /// `run(20d6)`: the length of the longest run of consecutive faces.
    LongestRun,
    /// `sets(10d10, 2)`: the number of faces shown by at least this many dice.
    Sets(u32),
    /// `straight(5d6, 4)`: 1 if this many consecutive faces are shown, else 0.
    Straight(u32),
}

/// Faces with a value in a count.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Notation;
///
/// // Tens count twice, ones subtract.
/// let notation: Notation = "8d10c{10:2, 7..9:1, 1:-1}".parse()?;
/// assert_eq!(notation.law()?.mean().to_string(), "16/5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Band {
    /// The faces.
    pub faces: FaceTest,
    /// The value of a die that shows one of them.
    pub value: i64,
}
