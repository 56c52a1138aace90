//! The weights of choices, read in place and shared by all choices with the same weights.

use std::sync::Arc;

use indexmap::IndexSet;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxBuildHasher;

use crate::Score;
use crate::number::share;
use crate::reward::Reward;

/// The weights of the outcomes of one choice, without self-loops.
#[derive(Clone, Copy, Debug)]
pub enum Odds<'a> {
    /// Machine words. `leaving + staying` is a machine word, too.
    Narrow {
        weights: &'a [u64],
        /// The sum of the weights: the denominator, given that play leaves the state.
        leaving: u64,
        /// The weight of staying in the same state.
        staying: u64,
    },
    /// Longer weights.
    Wide(&'a Arc<Wide>),
}

/// A weight, or a sum of weights.
#[derive(Clone, Copy, Debug)]
pub enum Amount<'a> {
    Small(u64),
    Big(&'a BigUint),
}

impl<'a> Odds<'a> {
    /// Returns the weight of one outcome.
    pub(crate) fn weight(&self, outcome: usize) -> Amount<'a> {
        match *self {
            Odds::Narrow { weights, .. } => Amount::Small(weights[outcome]),
            Odds::Wide(wide) => Amount::Big(&wide.weights[outcome]),
        }
    }

    pub(crate) fn leaving(&self) -> Amount<'a> {
        match *self {
            Odds::Narrow { leaving, .. } => Amount::Small(leaving),
            Odds::Wide(wide) => Amount::Big(&wide.leaving),
        }
    }

    pub(crate) fn staying(&self) -> Amount<'a> {
        match *self {
            Odds::Narrow { staying, .. } => Amount::Small(staying),
            Odds::Wide(wide) => Amount::Big(&wide.staying),
        }
    }

    pub(crate) fn total(&self) -> Amount<'a> {
        match *self {
            Odds::Narrow {
                leaving, staying, ..
            } => Amount::Small(leaving + staying),
            Odds::Wide(wide) => Amount::Big(&wide.total),
        }
    }
}

impl Amount<'_> {
    pub(crate) fn to_big(self) -> BigUint {
        match self {
            Amount::Small(small) => BigUint::from(small),
            Amount::Big(big) => big.clone(),
        }
    }

    /// Returns the number divided by 2^`shift`, within two roundings, or `None` if it is too small
    /// for a float of full precision.
    pub(crate) fn to_f64(self, shift: u64) -> Option<f64> {
        match self {
            Amount::Small(small) if shift == 0 => Some(small as f64),
            Amount::Small(small) => scaled(&BigUint::from(small), shift),
            Amount::Big(big) => scaled(big, shift),
        }
    }
}

/// Weights of one choice that do not fit into a machine word, in the forms in which the kinds of
/// numbers read them.
#[derive(Debug)]
pub struct Wide {
    pub(crate) weights: Vec<BigUint>,
    pub(crate) leaving: BigUint,
    pub(crate) staying: BigUint,
    pub(crate) total: BigUint,
    /// The limbs of each weight, `width` of them, the lowest first.
    pub(crate) limbs: Vec<u64>,
    pub(crate) width: usize,
    /// All weights divided by the same power of two, such that their sum is about 2^63. Sums thus
    /// stay as small as those of narrow weights. Empty if any weight would vanish.
    pub(crate) floats: Vec<f64>,
    pub(crate) leaving_float: f64,
}

/// Equal weights are equal odds; the other fields are derived from them.
impl PartialEq for Wide {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || (self.leaving == other.leaving
                && self.staying == other.staying
                && self.weights == other.weights)
    }
}

impl Eq for Wide {}

impl std::hash::Hash for Wide {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Reading all of them would cost as much as a comparison.
        (self.weights.len(), &self.leaving, &self.staying).hash(state);
        self.weights.first().hash(state);
    }
}

impl Wide {
    /// Creates odds from positive weights, divided by their greatest common divisor with `staying`.
    pub(crate) fn new(mut weights: Vec<BigUint>, mut staying: BigUint) -> Self {
        // The last weight divides zero weight that stays, and keeps the divisor positive.
        let first = match staying.is_zero() {
            true => weights.last(),
            false => Some(&staying),
        };
        let mut divisor = first.cloned().unwrap_or_else(BigUint::one);
        for weight in &weights {
            if divisor.is_one() {
                break;
            }
            share(&mut divisor, weight);
        }
        if divisor > BigUint::one() {
            weights.iter_mut().for_each(|weight| *weight /= &divisor);
            staying /= &divisor;
        }
        let leaving: BigUint = weights.iter().sum();
        let total = &leaving + &staying;
        let longest = weights.iter().map(BigUint::bits).max().unwrap_or(0);
        let width = (longest.div_ceil(64) as usize).max(1);
        let mut limbs = Vec::with_capacity(width * weights.len());
        for weight in &weights {
            let end = limbs.len() + width;
            limbs.extend(weight.iter_u64_digits());
            limbs.resize(end, 0);
        }
        let shift = leaving.bits().saturating_sub(63);
        let floats: Option<Vec<f64>> = weights.iter().map(|w| scaled(w, shift)).collect();
        Wide {
            leaving_float: scaled(&leaving, shift).unwrap_or(f64::NAN),
            floats: floats.unwrap_or_default(),
            weights,
            leaving,
            staying,
            total,
            limbs,
            width,
        }
    }

    /// Returns the approximate probability of an outcome, given that play leaves the state; 0 if it
    /// is too small for a float.
    pub(crate) fn share(&self, outcome: usize) -> f64 {
        let shift = self.leaving.bits().saturating_sub(63);
        let leaving = scaled(&self.leaving, shift).unwrap_or(f64::INFINITY);
        scaled(&self.weights[outcome], shift).unwrap_or(0.0) / leaving
    }

    /// Returns the limbs of one weight.
    #[inline]
    pub(crate) fn digits(&self, outcome: usize) -> &[u64] {
        &self.limbs[outcome * self.width..(outcome + 1) * self.width]
    }
}

/// Returns number / 2^shift, within two roundings (bits below the highest 64 are cut off); `None`
/// below 2⁻⁹⁰⁰, which is not far from where floats lose digits.
fn scaled(number: &BigUint, shift: u64) -> Option<f64> {
    if number.is_zero() {
        return Some(0.0);
    }
    let bits = number.bits();
    let cut = bits.saturating_sub(64);
    let top = (number >> cut).iter_u64_digits().next().unwrap_or(0);
    let exponent = i64::try_from(cut).ok()? - i64::try_from(shift).ok()?;
    if !(-900..=900).contains(&exponent) {
        return None;
    }
    // Exact: a power of two, far from the ends of the range.
    Some(top as f64 * f64::from_bits(((1023 + exponent) as u64) << 52))
}

/// Set in the key of wide odds and of odds with a reward, so that one test recognizes plain odds.
const WIDE: u32 = 1 << 31;
/// Also set in the key of odds with a reward.
const PAID: u32 = 1 << 30;

/// The odds of many choices. Narrow odds are stored one after another in one list: leaving,
/// staying, then the weights.
#[derive(Debug, Default)]
pub(crate) struct OddsPool {
    words: Vec<u64>,
    wide: Vec<Arc<Wide>>,
    /// Keys of odds, with the indices of the rewards that belong to them.
    paid: Vec<(u32, u32)>,
    rewards: Vec<Reward>,
}

impl OddsPool {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        // Most rows have none, and even dropping nothing takes a call.
        if !self.wide.is_empty() {
            self.wide.clear();
        }
        if self.pays() {
            self.paid.clear();
            self.rewards.clear();
        }
    }

    /// Returns the size in bytes of the narrow weights and of the rewards.
    pub(crate) fn bytes(&self) -> u128 {
        let words = size_of::<u64>() * (self.words.len() + self.paid.len());
        (words + size_of::<Reward>() * self.rewards.len()) as u128
    }

    /// Returns the odds with this key and this many outcomes.
    #[inline]
    pub(crate) fn get(&self, key: u32, outcomes: usize) -> Odds<'_> {
        if key & WIDE == 0 {
            let start = key as usize;
            let words = &self.words[start..start + 2 + outcomes];
            Odds::Narrow {
                leaving: words[0],
                staying: words[1],
                weights: &words[2..],
            }
        } else if key & PAID == 0 {
            Odds::Wide(&self.wide[(key & !WIDE) as usize])
        } else {
            self.get(self.plain(key), outcomes)
        }
    }

    /// Returns the key of the same odds without a reward.
    #[inline]
    pub(crate) fn plain(&self, key: u32) -> u32 {
        if key & (WIDE | PAID) == WIDE | PAID {
            self.paid[(key & !(WIDE | PAID)) as usize].0
        } else {
            key
        }
    }

    /// Returns the reward that a choice with odds of this key pays at once.
    #[inline]
    pub(crate) fn reward(&self, key: u32) -> Option<&Reward> {
        if key & (WIDE | PAID) != WIDE | PAID {
            return None;
        }
        let (_, reward) = self.paid[(key & !(WIDE | PAID)) as usize];
        Some(&self.rewards[reward as usize])
    }

    /// Returns whether any choice pays.
    #[inline]
    pub(crate) fn pays(&self) -> bool {
        !self.paid.is_empty()
    }

    /// Returns a key for the odds of this key with a reward, or `None` if there is no key left.
    pub(crate) fn pay(&mut self, key: u32, reward: Reward) -> Option<u32> {
        self.rewards.push(reward);
        let reward = u32::try_from(self.rewards.len() - 1).ok()?;
        self.push_paid(key, reward)
    }

    fn push_paid(&mut self, key: u32, reward: u32) -> Option<u32> {
        let place = u32::try_from(self.paid.len()).ok();
        self.paid.push((key, reward));
        let place = place.filter(|place| place & (WIDE | PAID) == 0);
        place.map(|place| place | WIDE | PAID)
    }

    /// Begins narrow odds without any weight. Returns `None` if there is no key left.
    #[inline(always)]
    pub(crate) fn begin(&mut self) -> Option<u32> {
        let key = u32::try_from(self.words.len()).ok();
        self.words.extend_from_slice(&[0, 0]);
        key.filter(|key| key & WIDE == 0)
    }

    /// Adds a weight to the odds begun last.
    #[inline]
    pub(crate) fn push(&mut self, weight: u64) {
        self.words.push(weight);
    }

    /// Adds weights to the odds begun last.
    #[inline(always)]
    pub(crate) fn extend(&mut self, weights: &[u64]) {
        self.words.extend_from_slice(weights);
    }

    /// Changes the odds begun last.
    #[inline]
    pub(crate) fn last(&mut self, key: u32) -> &mut [u64] {
        &mut self.words[key as usize..]
    }

    /// Removes the odds begun last.
    pub(crate) fn truncate(&mut self, key: u32, outcomes: usize) {
        self.words.truncate(key as usize + 2 + outcomes);
    }

    /// Removes the odds begun last.
    pub(crate) fn withdraw(&mut self, key: u32) {
        self.words.truncate(key as usize);
    }

    pub(crate) fn push_wide(&mut self, wide: Arc<Wide>) -> Option<u32> {
        let place = u32::try_from(self.wide.len()).ok();
        self.wide.push(wide);
        let place = place.filter(|place| place & (WIDE | PAID) == 0);
        place.map(|place| place | WIDE)
    }

    /// Returns the leaving weight, the staying weight, and the weights of narrow odds.
    #[inline]
    pub(crate) fn narrow(&self, key: u32, outcomes: usize) -> Option<&[u64]> {
        let start = self.plain(key) as usize;
        self.words.get(start..start + 2 + outcomes)
    }
}

/// Finds odds that are already in a pool. In games of dice, nearly all choices share a few odds.
/// These then take no additional memory, stay in the first-level cache, and show that two
/// denominators are the same.
#[derive(Debug, Default)]
pub(crate) struct OddsIndex {
    /// A hash table with open addressing. Empty slots hold `u32::MAX`.
    slots: Vec<u32>,
    used: usize,
    wide: IndexSet<Arc<Wide>, FxBuildHasher>,
    paid: IndexSet<(u32, u32), FxBuildHasher>,
    rewards: IndexSet<Score, FxBuildHasher>,
}

/// The maximum number of odds that are indexed. A game with more odds hardly repeats them.
const MOST_INDEXED: usize = 1 << 18;

impl OddsIndex {
    /// Returns the key of these odds in `pool`, adding them if they are new.
    #[inline]
    pub(crate) fn narrow(&mut self, pool: &mut OddsPool, words: &[u64]) -> Option<u32> {
        if self.used * 2 >= self.slots.len() {
            self.grow(pool);
        }
        let mask = self.slots.len() - 1;
        let mut place = hash(words) as usize & mask;
        loop {
            let key = self.slots[place];
            if key == u32::MAX {
                break;
            }
            // Leaving is the sum of the weights, which are positive, so odds that begin with the
            // same words are equal. There are few words, so no function is called to compare them.
            let known = pool.narrow(key, words.len() - 2);
            if known.is_some_and(|known| known.iter().zip(words).all(|(a, b)| a == b)) {
                return Some(key);
            }
            place = (place + 1) & mask;
        }
        let key = u32::try_from(pool.words.len()).ok();
        pool.words.extend_from_slice(words);
        let key = key.filter(|key| key & WIDE == 0)?;
        if self.used < MOST_INDEXED {
            self.slots[place] = key;
            self.used += 1;
        }
        Some(key)
    }

    pub(crate) fn wide(&mut self, pool: &mut OddsPool, wide: &Arc<Wide>) -> Option<u32> {
        let (place, new) = self.wide.insert_full(Arc::clone(wide));
        if new {
            return pool.push_wide(Arc::clone(wide));
        }
        u32::try_from(place).ok().map(|key| key | WIDE)
    }

    /// Returns the key of odds in `pool` with a reward.
    pub(crate) fn paid(&mut self, pool: &mut OddsPool, key: u32, reward: &Reward) -> Option<u32> {
        let (place, new) = match self.rewards.get_index_of(&reward.score) {
            Some(place) => (place, false),
            None => self.rewards.insert_full(reward.score.clone()),
        };
        if new {
            pool.rewards.push(reward.clone());
        }
        let reward = u32::try_from(place).ok()?;
        let (place, new) = self.paid.insert_full((key, reward));
        if new {
            return pool.push_paid(key, reward);
        }
        u32::try_from(place).ok().map(|key| key | WIDE | PAID)
    }

    /// Doubles the number of slots, or creates the first ones.
    #[cold]
    fn grow(&mut self, pool: &OddsPool) {
        if self.used >= MOST_INDEXED {
            return;
        }
        let size = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![u32::MAX; size]);
        for key in old.into_iter().filter(|&key| key != u32::MAX) {
            let mut place = hash(narrow_words(pool, key)) as usize & (size - 1);
            while self.slots[place] != u32::MAX {
                place = (place + 1) & (size - 1);
            }
            self.slots[place] = key;
        }
    }
}

/// Returns the words of odds in a pool; their number is found by adding up the weights.
fn narrow_words(pool: &OddsPool, key: u32) -> &[u64] {
    let words = &pool.words[key as usize..];
    let mut left = words[0];
    let outcomes = words[2..].iter().take_while(|&&weight| {
        let more = left > 0;
        left = left.saturating_sub(weight);
        more
    });
    let end = 2 + outcomes.count();
    &words[..end]
}

#[inline]
fn hash(words: &[u64]) -> u64 {
    const K: u64 = 0xF135_7AEA_2E62_A9C5;
    let mixed = words
        .iter()
        .fold(0_u64, |hash, &word| hash.wrapping_add(word).wrapping_mul(K));
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn put(index: &mut OddsIndex, pool: &mut OddsPool, weights: &[u64]) -> u32 {
        let mut words = vec![weights.iter().sum(), 0];
        words.extend_from_slice(weights);
        index.narrow(pool, &words).unwrap()
    }

    quickcheck! {
        fn equal_odds_share_a_key(laws: Vec<Vec<u8>>) -> bool {
            let (mut index, mut pool) = (OddsIndex::default(), OddsPool::default());
            let laws: Vec<Vec<u64>> = laws
                .iter()
                .map(|law| law.iter().map(|&w| u64::from(w) % 3 + 1).collect())
                .collect();
            let keys: Vec<u32> = laws.iter().map(|law| put(&mut index, &mut pool, law)).collect();
            let alike = keys.iter().zip(&laws).all(|(a, x)| {
                keys.iter().zip(&laws).all(|(b, y)| (a == b) == (x == y))
            });
            alike && keys.iter().zip(&laws).all(|(&key, law)| {
                matches!(pool.get(key, law.len()), Odds::Narrow { weights, .. } if weights == law)
            })
        }
    }

    #[test]
    fn more_odds_than_are_indexed() {
        let (mut index, mut pool) = (OddsIndex::default(), OddsPool::default());
        for first in 1..=(MOST_INDEXED as u64 + 10) {
            put(&mut index, &mut pool, &[first, 1]);
        }
        let words = pool.words.len();
        // An early one is still indexed; a late one is added again.
        assert_eq!(put(&mut index, &mut pool, &[1, 1]), 0);
        assert_eq!(pool.words.len(), words);
        put(&mut index, &mut pool, &[MOST_INDEXED as u64 + 9, 1]);
        assert_eq!(pool.words.len(), words + 4);
    }

    #[test]
    fn wide_odds_are_reduced_and_scaled() {
        let big = BigUint::from(1_u8) << 300_u32;
        let wide = Wide::new(vec![&big * 3_u8, &big * 5_u8], BigUint::ZERO);
        assert_eq!(wide.weights, [BigUint::from(3_u8), BigUint::from(5_u8)]);
        assert_eq!((wide.width, wide.leaving_float), (1, 8.0));
        let wide = Wide::new(vec![big.clone(), &big + 1_u8], BigUint::ZERO);
        assert_eq!(wide.width, 5);
        assert_eq!(wide.floats[0] / wide.leaving_float, 0.5);
        let lost = Wide::new(
            vec![BigUint::from(1_u8), BigUint::from(1_u8) << 2_000_u32],
            BigUint::ZERO,
        );
        assert!(lost.floats.is_empty());
    }
}
