//! Runs of consecutive faces.

use super::sets::shown;
use crate::{Dist, Error, Evaluator, Pool, Weight};

/// The number of different faces in the longest run of consecutive integers, or 0 without dice.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{LongestRun, Pool};
///
/// let law = Pool::dice(5, 6)?.evaluate(&LongestRun)?;
/// assert_eq!(law.p(&5).to_string(), "5/162");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LongestRun;

/// A run that may still grow: its last face, or `None` if it has ended, and its length.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Evaluator, LongestRun};
///
/// let (longest, _run) = LongestRun.next(&LongestRun.start(), &4, &[2]);
/// assert_eq!(longest, 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunSoFar {
    last: i64,
    length: i64,
}

impl RunSoFar {
    /// Updates the run after a face that is shown or not. The last face of a run that has ended is
    /// forgotten, so that all such states are one.
    fn next(self, face: i64, shows: bool) -> Self {
        if !shows {
            return RunSoFar::default();
        }
        let follows = self.length > 0 && face.abs_diff(self.last) == 1;
        RunSoFar {
            last: face,
            length: if follows { self.length + 1 } else { 1 },
        }
    }
}

impl Evaluator<i64> for LongestRun {
    type State = (i64, RunSoFar);
    type Outcome = i64;

    fn start(&self) -> Self::State {
        (0, RunSoFar::default())
    }

    fn next(&self, (longest, run): &Self::State, face: &i64, counts: &[i64]) -> Self::State {
        let run = run.next(*face, shown(counts) > 0);
        (run.length.max(*longest), run)
    }

    fn finish(&self, (longest, _): &Self::State) -> i64 {
        *longest
    }
}

/// Whether this many consecutive faces are shown, on any of the dice. Zero consecutive faces always
/// are.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Pool, Straight};
///
/// let small = Pool::dice(5, 6)?.evaluate(&Straight(4))?;
/// assert_eq!(small.p(&true).to_string(), "25/162");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Straight(pub u32);

impl Evaluator<i64> for Straight {
    /// `None` as soon as the straight is complete, since later faces make no difference.
    type State = Option<RunSoFar>;
    type Outcome = bool;

    fn start(&self) -> Self::State {
        (self.0 > 0).then(RunSoFar::default)
    }

    fn next(&self, run: &Self::State, face: &i64, counts: &[i64]) -> Self::State {
        let run = (*run)?.next(*face, shown(counts) > 0);
        (run.length < i64::from(self.0)).then_some(run)
    }

    fn finish(&self, run: &Self::State) -> bool {
        run.is_none()
    }
}

impl<W: Weight> Pool<i64, W> {
    /// Returns the distribution of the number of different faces in the longest run of consecutive
    /// integers: [`LongestRun`]. 2, 3, 3 and 4 are a run of three.
    ///
    /// Multiplicities count as for [`distinct`](Pool::distinct).
    ///
    /// # Errors
    ///
    /// The errors of [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let law = Pool::dice(3, 6)?.longest_run()?;
    /// assert_eq!(law.p(&3).to_string(), "1/9");
    /// assert_eq!(law.p(&2).to_string(), "17/36");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn longest_run(&self) -> Result<Dist<i64, W>, Error> {
        self.evaluate(&LongestRun)
    }

    /// Returns the distribution of whether the kept dice show `k` consecutive faces: [`Straight`].
    /// In Yahtzee, a small straight has four and a large one five.
    ///
    /// Multiplicities count as for [`distinct`](Pool::distinct).
    ///
    /// # Errors
    ///
    /// The errors of [`evaluate`](Pool::evaluate).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let dice = Pool::dice(5, 6)?;
    /// assert_eq!(dice.has_straight(4)?.p(&true).to_string(), "25/162");
    /// assert_eq!(dice.has_straight(5)?.p(&true).to_string(), "5/162");
    /// assert_eq!(dice.has_straight(6)?.p(&true).to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "yahtzee")]
    pub fn has_straight(&self, k: u32) -> Result<Dist<bool, W>, Error> {
        self.evaluate(&Straight(k))
    }
}
