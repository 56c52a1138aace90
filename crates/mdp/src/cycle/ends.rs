//! Where play ends, whether or not it comes back to a state.

use std::collections::BTreeMap;

use num_traits::Zero;
use oddsmith_dice::Dist;

use super::visits::Visits;
use crate::model::{Model, Scratch};
use crate::number::Mass;
use crate::{Error, Game, Number, Score};

impl<G: Game + ?Sized, N: Number, M: Model<G>> Visits<'_, '_, G, N, M> {
    /// Returns the distribution over final states.
    ///
    /// # Errors
    /// In floats, [`Error::Dice`] if the expected number of moves is beyond their range. Otherwise,
    /// only if the game answers differently from when it was solved.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let ruin = Table::from_fn(11, |hand, row| match hand {
    ///     0 | 10 => row.end(hand == 10),
    ///     _ => {
    ///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::exact().allow_cycles().solve_table(&ruin, 3)?;
    /// let ends = solution.visits()?.ends()?;
    /// assert_eq!((ends.p(&0).to_string(), ends.p(&10).to_string()), ("7/10".into(), "3/10".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ends(&self) -> Result<Dist<G::State, N::Mass>, Error>
    where
        G::State: Ord,
    {
        self.ends_by(Clone::clone)
    }

    /// Returns the distribution of a function of the final state.
    ///
    /// # Errors
    /// The same as for [`ends`](Visits::ends).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let ruin = Table::from_fn(11, |hand, row| match hand {
    ///     0 | 10 => row.end(hand == 10),
    ///     _ => {
    ///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::exact().allow_cycles().solve_table(&ruin, 3)?;
    /// let won = solution.visits()?.ends_by(|&hand| hand > 0)?;
    /// assert_eq!(won.p(&true).to_string(), "3/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ends_by<K: Ord>(&self, key: impl Fn(&G::State) -> K) -> Result<Dist<K, N::Mass>, Error> {
        self.law(|number, _| key(&self.solution.state(number)))
    }

    /// Returns the distribution of the final score, without rewards on the way
    /// ([`Totalled`](crate::Totalled) includes them).
    ///
    /// # Errors
    /// The same as for [`ends`](Visits::ends).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let ruin = Table::from_fn(11, |hand, row| match hand {
    ///     0 | 10 => row.end((hand as i64, 2)),
    ///     _ => {
    ///         row.choice().to(hand - 1, 1).to(hand + 1, 1);
    ///     }
    /// })?;
    /// let solution = Solver::exact().allow_cycles().solve_table(&ruin, 3)?;
    /// let scores = solution.visits()?.scores()?;
    /// assert_eq!(scores.p(&5.into()).to_string(), "3/10");
    /// assert_eq!(scores.mean(), solution.value());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scores(&self) -> Result<Dist<Score, N::Mass>, Error> {
        self.law(|_, score| score.clone())
    }

    /// Returns the distribution of a function of the final state, by number, and of its score.
    fn law<K: Ord>(&self, key: impl Fn(usize, &Score) -> K) -> Result<Dist<K, N::Mass>, Error> {
        let mut chances: BTreeMap<K, N::Value> = BTreeMap::new();
        let mut scratch = Scratch::new();
        for (number, chance) in self.departures.iter().enumerate() {
            if chance.is_zero() {
                continue;
            }
            if let Some(score) = self.solution.row(number, &mut scratch)?.score {
                let sum = chances.entry(key(number, score));
                *sum.or_insert_with(N::Value::zero) += chance.clone();
            }
        }
        let (keys, chances): (Vec<K>, Vec<N::Value>) = chances.into_iter().unzip();
        let weights = keys.into_iter().zip(N::Mass::in_proportion(&chances));
        Ok(N::Mass::law(weights.collect())?)
    }
}
