//! Two readings of one pool at once.

use crate::{Evaluator, Order};
use std::hash::Hash;

/// Two readings of one roll. The outcome is the pair of their results.
///
/// Pairs can be nested: `Both(a, Both(b, c))` reads three things. Marginal and conditional
/// distributions and covariances are then available as for any distribution of pairs.
///
/// A reading that needs its faces in ascending order can be combined with one that needs them in
/// descending order: the second then reads a stored list at the end. This is exact but slow, since
/// every different roll is a state.
///
/// # Examples
///
/// The sum of three dice and the highest of them:
///
/// ```
/// use oddsmith_dice::{Both, HighestAndLowest, Pool, SumOfFaces};
///
/// let law = Pool::dice(3, 6)?.evaluate(&Both(SumOfFaces, HighestAndLowest))?;
/// assert_eq!(law.p(&(10, Some((6, 1)))).to_string(), "1/36"); // 6 3 1
/// assert_eq!(law.p(&(10, Some((6, 2)))).to_string(), "1/72"); // 6 2 2
/// let ten = law.given(|(sum, _)| *sum == 10)?;
/// assert_eq!(ten.len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "joint")]
pub struct Both<A, B>(pub A, pub B);

impl<A, B> Both<A, B> {
    /// Whether the two need the faces in opposite orders.
    fn opposed<T>(&self) -> bool
    where
        A: Evaluator<T>,
        B: Evaluator<T>,
    {
        let (first, second) = (self.0.order(), self.1.order());
        first != second && first != Order::Any && second != Order::Any
    }
}

impl<T: Clone + Eq + Hash, A: Evaluator<T>, B: Evaluator<T>> Evaluator<T> for Both<A, B> {
    /// The states of both, and the faces with their counts for a reading of opposite order.
    type State = (A::State, B::State, Vec<(T, Vec<i64>)>);
    type Outcome = (A::Outcome, B::Outcome);

    fn start(&self) -> Self::State {
        (self.0.start(), self.1.start(), Vec::new())
    }

    fn next(&self, (first, second, seen): &Self::State, face: &T, counts: &[i64]) -> Self::State {
        let first = self.0.next(first, face, counts);
        if self.opposed::<T>() {
            let mut seen = seen.clone();
            seen.push((face.clone(), counts.to_vec()));
            return (first, second.clone(), seen);
        }
        (first, self.1.next(second, face, counts), Vec::new())
    }

    fn finish(&self, (first, second, seen): &Self::State) -> Self::Outcome {
        let back = seen.iter().rev();
        let second = back.fold(second.clone(), |state, (face, counts)| {
            self.1.next(&state, face, counts)
        });
        (self.0.finish(first), self.1.finish(&second))
    }

    fn order(&self) -> Order {
        match self.0.order() {
            Order::Any => self.1.order(),
            order => order,
        }
    }

    fn state_words(&self, dice: u64) -> u64 {
        let first = self.0.state_words(dice);
        first.saturating_add(self.1.state_words(dice))
    }
}
