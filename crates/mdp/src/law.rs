//! Probability distributions that many choices share.

use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use oddsmith_dice::Dist;

use crate::odds::Wide;

/// A distribution prepared for use as the outcomes of choices. See
/// [`Choice::roll`](crate::Choice::roll).
///
/// A distribution is created once from a [`Dist`] and rolled in any number of states. Its weights
/// may have any number of digits (a whole fight folded into one distribution has a denominator of
/// hundreds of bits). They are shared and never copied. If they fit into machine words, they are as
/// fast as any others.
///
/// # Examples
/// A fight folded into one distribution. In each of 60 rounds the odds are three to one for the
/// foe, and the result is the number of rounds that the hero wins:
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_mdp::{Game, Law, Node, Solver};
///
/// struct Fight(Law<i64>);
/// impl Game for Fight {
///     type State = Option<i64>;
///     type Action = ();
///     fn expand(&self, won: &Option<i64>, node: &mut Node<Self>) {
///         match *won {
///             Some(won) => node.end(won),
///             None => {
///                 node.chance().roll(&self.0, |&won| Some(won));
///             }
///         }
///     }
/// }
/// let round = Dist::from_weights([(0, 3_u8), (1, 1)])?;
/// let law = Law::new(&round.repeat(60)?);
/// assert_eq!(law.total().bits(), 121); // 4^60
/// let fight = Fight(law);
/// let solution = Solver::exact().solve(&fight, None)?;
/// assert_eq!(solution.value().to_string(), "15");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Law<T> {
    outcomes: Vec<T>,
    weights: Weights,
}

#[derive(Clone, Debug)]
pub(crate) enum Weights {
    Narrow(Vec<u64>),
    Wide(Arc<Wide>),
}

impl<T: Clone> Law<T> {
    /// Creates the distribution of `dist`, in lowest terms.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_mdp::Law;
    ///
    /// let law = Law::new(&Dist::ndice(2, 6)?);
    /// assert_eq!((law.outcomes().len(), law.total().to_string()), (11, "36".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(dist: &Dist<T>) -> Self {
        let wide = Wide::new(dist.weights().cloned().collect(), BigUint::ZERO);
        let small = wide.total.to_u64().is_some();
        let narrow: Option<Vec<u64>> = wide.weights.iter().map(ToPrimitive::to_u64).collect();
        Law {
            outcomes: dist.support().to_vec(),
            weights: match narrow {
                Some(narrow) if small => Weights::Narrow(narrow),
                _ => Weights::Wide(Arc::new(wide)),
            },
        }
    }
}

impl<T> Law<T> {
    /// Returns the outcomes in ascending order.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// let law = oddsmith_mdp::Law::new(&Dist::from_weights([(7, 1_u8), (-2, 3), (0, 4)])?);
    /// assert_eq!(law.outcomes(), [-2, 0, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcomes(&self) -> &[T] {
        &self.outcomes
    }

    /// Returns the sum of the weights: the denominator of every probability.
    ///
    /// # Examples
    /// The sum is in lowest terms:
    /// ```
    /// use oddsmith_dice::Dist;
    /// let law = oddsmith_mdp::Law::new(&Dist::from_weights([("won", 2_u8), ("lost", 4)])?);
    /// assert_eq!(law.total().to_string(), "3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn total(&self) -> BigUint {
        match &self.weights {
            Weights::Narrow(weights) => weights.iter().copied().map(BigUint::from).sum(),
            Weights::Wide(wide) => wide.total.clone(),
        }
    }

    pub(crate) fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl<T: Clone> From<&Dist<T>> for Law<T> {
    fn from(dist: &Dist<T>) -> Self {
        Law::new(dist)
    }
}
