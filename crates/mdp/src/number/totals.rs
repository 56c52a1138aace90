//! The range of the totals of a game: scores plus rewards paid before.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{CheckedAdd, CheckedMul};

use super::denominator::too_long;
use super::fits;
use crate::model::{Model, Scratch};
use crate::odds::Odds;
use crate::progress::Observer;
use crate::{Error, Game, Phase, Score};

/// Integers in which totals are added up.
trait Whole: Integer + Clone + CheckedAdd + CheckedMul {
    fn of(number: BigInt) -> Option<Self>;
    fn of_small(number: i64) -> Self;
    /// The bytes that it takes in addition to its slot.
    fn digits(&self) -> u128;
}

impl Whole for i128 {
    fn of(number: BigInt) -> Option<i128> {
        i128::try_from(number).ok()
    }

    fn of_small(number: i64) -> i128 {
        number.into()
    }

    fn digits(&self) -> u128 {
        0
    }
}

impl Whole for BigInt {
    fn of(number: BigInt) -> Option<BigInt> {
        Some(number)
    }

    fn of_small(number: i64) -> BigInt {
        number.into()
    }

    fn digits(&self) -> u128 {
        u128::from(self.bits()) / 8
    }
}

/// Returns two numbers, over this denominator of all scores and rewards, between which the value of
/// every choice of every state lies, with zero included.
///
/// A value lies between the least and the most that any path from its state adds up to, where the
/// reward of a choice that may stay in its state is multiplied by its expected number of tries.
///
/// # Complexity
/// One pass over all outcomes, in 128-bit words unless they overflow.
pub(super) fn totals<G: Game + ?Sized, M: Model<G>>(
    game: &G,
    model: &M,
    denominator: &BigUint,
    max_bytes: u128,
    observer: &mut Observer<'_>,
) -> Result<(BigInt, BigInt), Error> {
    let needed = model.len() as u128 * 32;
    if needed > max_bytes || !fits(needed) {
        return Err(too_long(model.len(), needed, max_bytes));
    }
    if let Some([low, high]) = range::<G, M, i128>(game, model, denominator, max_bytes, observer)? {
        return Ok((low.into(), high.into()));
    }
    let found = range::<G, M, BigInt>(game, model, denominator, max_bytes, observer)?;
    let [low, high] = found.unwrap_or_default();
    Ok((low, high))
}

/// Returns `None` if a sum does not fit.
fn range<G: Game + ?Sized, M: Model<G>, T: Whole>(
    game: &G,
    model: &M,
    denominator: &BigUint,
    max_bytes: u128,
    observer: &mut Observer<'_>,
) -> Result<Option<[T; 2]>, Error> {
    let one = *denominator == BigUint::from(1_u8);
    let raised = |score: &Score| match score.as_integer() {
        Some(integer) if one => Some(T::of_small(integer)),
        _ => {
            let scaled = score.to_ratio()? * BigInt::from(denominator.clone());
            T::of(scaled.to_integer())
        }
    };
    let mut scratch = Scratch::new();
    let mut ranges = vec![[T::zero(), T::zero()]; model.len()];
    let mut all = [T::zero(), T::zero()];
    let mut stored = 0;
    for place in 0..model.len() {
        let number = model.at(place);
        let row = model.row(game, number, &mut scratch)?;
        let mut own: Option<[T; 2]> = None;
        if let Some(score) = row.score {
            let Some(value) = raised(score) else {
                return Ok(None);
            };
            own = Some([value.clone(), value]);
        }
        for (choice, targets, odds) in row.choices() {
            let mut paid = [T::zero(), T::zero()];
            if let Some(reward) = row.reward(choice) {
                let Some(found) = raised(&reward.score).and_then(|r| tried(&r, &odds)) else {
                    return Ok(None);
                };
                paid = found;
            }
            let mut range: Option<[T; 2]> = None;
            for &target in targets {
                widen(&mut range, &ranges[target as usize]);
            }
            let Some([low, high]) = range else { continue };
            let (Some(low), Some(high)) = (low.checked_add(&paid[0]), high.checked_add(&paid[1]))
            else {
                return Ok(None);
            };
            widen(&mut own, &[low, high]);
        }
        if let Some(own) = own {
            let mut both = Some(all);
            widen(&mut both, &own);
            all = both.unwrap_or([T::zero(), T::zero()]);
            stored += own[0].digits() + own[1].digits();
            if stored > max_bytes {
                return Err(too_long(model.len(), stored, max_bytes));
            }
            ranges[number] = own;
        }
        observer.tick(Phase::Measuring, place + 1, Some(model.len()))?;
    }
    Ok(Some(all))
}

fn widen<T: Ord + Clone>(range: &mut Option<[T; 2]>, by: &[T; 2]) {
    match range {
        None => *range = Some(by.clone()),
        Some([low, high]) => {
            if by[0] < *low {
                low.clone_from(&by[0]);
            }
            if by[1] > *high {
                high.clone_from(&by[1]);
            }
        }
    }
}

/// Returns reward · total / leaving, rounded down and up.
fn tried<T: Whole>(reward: &T, odds: &Odds<'_>) -> Option<[T; 2]> {
    if let Odds::Narrow { staying: 0, .. } = odds {
        return Some([reward.clone(), reward.clone()]);
    }
    let total = T::of(odds.total().to_big().into())?;
    let leaving = T::of(odds.leaving().to_big().into())?;
    let product = reward.checked_mul(&total)?;
    Some([product.div_floor(&leaving), product.div_ceil(&leaving)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odds::Wide;

    #[test]
    fn tries_round_outwards() {
        let weights = [3];
        let odds = Odds::Narrow {
            weights: &weights,
            leaving: 3,
            staying: 4,
        };
        assert_eq!(tried(&5_i128, &odds), Some([11, 12]));
        assert_eq!(tried(&-5_i128, &odds), Some([-12, -11]));
        assert_eq!(tried(&i128::MAX, &odds), None);
        let wide = std::sync::Arc::new(Wide::new(vec![BigUint::from(1_u8)], BigUint::from(6_u8)));
        assert_eq!(
            tried(&BigInt::from(-2), &Odds::Wide(&wide)),
            Some([(-14).into(), (-14).into()])
        );
    }
}
