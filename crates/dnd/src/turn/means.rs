//! The mean damage of a turn, for one armour class or for many.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::One;

use super::Turn;
use super::plan::{Plan, Strike};
use crate::{Error, Target};

/// Everything that does not depend on the armour class: the mean damage of every outcome, as
/// integers over one denominator.
#[derive(Debug)]
pub(crate) struct TurnMeans<'a> {
    plan: Plan<'a>,
    means: Vec<BigInt>,
    denominator: BigInt,
}

impl<'a> TurnMeans<'a> {
    pub(crate) fn new(turn: &'a Turn, target: &Target) -> Result<Self, Error> {
        let plan = Plan::new(turn)?;
        let strikes: Vec<Strike> = match plan.nodes.is_empty() {
            true => plan.runs.iter().flat_map(|run| Plan::bare(run.1)).collect(),
            false => plan.strikes.clone(),
        };
        let mut means: Vec<BigRational> = Vec::with_capacity(strikes.len());
        for strike in strikes {
            means.push(plan.damage(strike, target)?.mean());
        }
        let one: BigInt = One::one();
        let denominator = means
            .iter()
            .fold(one, |common, mean| common.lcm(mean.denom()));
        let means = means
            .iter()
            .map(|mean| mean.numer() * (&denominator / mean.denom()));
        Ok(TurnMeans {
            means: means.collect(),
            denominator,
            plan,
        })
    }

    /// Returns the mean against a target that differs from the first one only in its armour class.
    pub(crate) fn mean(&self, target: &Target) -> Result<BigRational, Error> {
        let mut chances = Vec::with_capacity(self.plan.runs.len());
        for &(_, action) in &self.plan.runs {
            let (counts, rolls) = self.plan.chances(action, target)?;
            chances.push((counts.map(BigInt::from), BigInt::from(rolls)));
        }
        let one: BigInt = One::one();
        if self.plan.nodes.is_empty() {
            // Means add up, regardless of dependence. Fractions are reduced once.
            let (mut sum, mut whole) = (BigInt::ZERO, one);
            let runs = self.plan.runs.iter().zip(self.means.chunks_exact(3));
            for ((&(times, _), means), (counts, rolls)) in runs.zip(&chances) {
                let terms = counts.iter().zip(means).map(|(count, mean)| count * mean);
                let mean = terms.sum::<BigInt>() * times;
                if *rolls == whole {
                    sum += mean;
                } else {
                    sum = sum * rolls + mean * &whole;
                    whole *= rolls;
                }
            }
            return Ok(BigRational::new(sum, whole * &self.denominator));
        }
        // The denominator of each node's mean is the product of the rolls from it to the end. It is
        // the same for all nodes of one attack, and for all of their children.
        let mut values: Vec<(BigInt, BigInt)> = Vec::with_capacity(self.plan.nodes.len());
        for node in &self.plan.nodes {
            let (counts, rolls) = &chances[node.action];
            let after = node.branches[0].1.map_or(&one, |next| &values[next].1);
            let mut sum = BigInt::ZERO;
            for (count, (strike, next)) in counts.iter().zip(&node.branches) {
                let mut value = &self.means[*strike] * after;
                if let Some(next) = next {
                    value += &values[*next].0;
                }
                sum += count * value;
            }
            let whole = rolls * after;
            values.push((sum, whole));
        }
        Ok(match values.pop() {
            Some((sum, whole)) => BigRational::new(sum, whole * &self.denominator),
            None => BigRational::from_integer(BigInt::ZERO),
        })
    }
}
