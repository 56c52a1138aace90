//! Sampling of outcomes with exactly their probabilities.
//!
//! A generator of random words is read as a real number R in [0, 1), 64 bits at a time. The outcome
//! drawn is the one whose part of the unit interval contains R (the inverse transform). Parts are
//! compared as integers over the total and never rounded. If the words read so far leave two
//! outcomes possible, another word is read.
//!
//! The alias method (A. J. Walker, 1977) was considered and rejected. Its columns have to be chosen
//! by a number below n times the total, which fits a word for small totals only, and some words
//! have to be discarded. This method needs one word and one look-up in a table for any total (H. C.
//! Chen and Y. Asau, "On generating random variates from an empirical distribution", 1974), and
//! discards none. It also keeps the order: the larger R, the larger the outcome, so that two
//! distributions drawn from the same seed move together.

use crate::Dist;
use num_bigint::BigUint;
use rand::Rng;
use rand::distr::Distribution;

/// The limit on the number of words read for one outcome. A random word hits the border between two
/// outcomes about once in 2⁶⁴ draws, and stays there for 64 words with probability below 2⁻⁴⁰⁰⁰. If
/// this happens, the generator is broken, and the loop must still end.
const MAX_WORDS: u32 = 64;

/// The largest number of slots of the table, which then takes half a megabyte.
const MAX_SLOTS: usize = 1 << 16;

/// A sampler that draws outcomes of a distribution with a generator of random numbers, each exactly
/// with its probability. Needs feature `rand`.
///
/// Nothing is rounded, however large the total: the probability of an outcome is exactly its weight
/// over the total, if the generator's bits are fair. (If a generator stays on the border between
/// two outcomes for 64 words in a row, which happens to a fair one with probability below 2⁻⁴⁰⁰⁰,
/// the lower outcome is drawn.) A float distribution is drawn as the exact distribution of its
/// doubles, that of [`to_exact`](Dist::to_exact).
///
/// The same generator with the same seed draws the same outcomes on every platform. One word of 64
/// bits is read for each outcome, and more with probability at most n/2⁶⁴.
///
/// Created by [`Dist::sampler`]. Implements [`rand::distr::Distribution`], so that
/// `rng.sample(&sampler)` and `sampler.sample_iter(rng)` work.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::Dist;
/// use rand::{RngExt, SeedableRng, distr::Distribution};
///
/// let sampler = Dist::ndice(3, 6)?.sampler();
/// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
/// let roll: i64 = rng.sample(&sampler);
/// assert!((3..=18).contains(&roll));
/// let sum: i64 = sampler.sample_iter(rng).take(10_000).sum();
/// // The mean is 10.5, the standard error 0.03.
/// assert!((sum - 105_000).abs() < 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler<T> {
    outcomes: Vec<T>,
    /// The weight of all smaller outcomes.
    below: Vec<BigUint>,
    total: BigUint,
    /// The first word of `below / total` in binary: ⌊2⁶⁴ below / total⌋.
    starts: Vec<u64>,
    /// The number of `starts` smaller than slot · 2^shift, by slot.
    guide: Vec<usize>,
    shift: u32,
}

impl<T> Sampler<T> {
    fn new(outcomes: Vec<T>, weights: &[BigUint], total: BigUint) -> Self {
        let below = running_sums(weights);
        let starts: Vec<u64> = below
            .iter()
            .map(|below| first_word(below, &total))
            .collect();
        let slots = starts.len().next_power_of_two().clamp(2, MAX_SLOTS);
        let shift = 64 - slots.trailing_zeros();
        let guide = (0..=slots as u128)
            .map(|slot| starts.partition_point(|&start| u128::from(start) < slot << shift))
            .collect();
        Sampler {
            outcomes,
            below,
            total,
            starts,
            guide,
            shift,
        }
    }

    /// Draws an outcome and returns a reference to it.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    /// use rand::SeedableRng;
    ///
    /// let weather = Dist::from_weights([("rain", 3), ("sun", 1)])?;
    /// let sampler = weather.sampler();
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let rain = (0..1000).filter(|_| *sampler.draw(&mut rng) == "rain").count();
    /// assert!(rain.abs_diff(750) < 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One random word and, on average, O(1) comparisons; O(log n) for a distribution most of whose
    /// n outcomes are very unlikely.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> &T {
        let word = rng.next_u64();
        let slot = (word >> self.shift) as usize;
        let (low, high) = (self.guide[slot], self.guide[slot + 1]);
        let starts = &self.starts[low..high];
        // The first outcome starts at zero, so at least one start is at or below any word.
        let last = low + starts.partition_point(|&start| start <= word) - 1;
        if self.starts[last] < word || last == 0 {
            return &self.outcomes[last];
        }
        // R is in the same interval of length 2⁻⁶⁴ as the border of one or more outcomes.
        let first = self.starts.partition_point(|&start| start < word);
        let first = first.saturating_sub(1);
        &self.outcomes[resolve(&self.below, &self.total, (first, last), word, rng)]
    }

    /// Returns the outcomes that can be drawn, in ascending order.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(3)?.sampler().support(), [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn support(&self) -> &[T] {
        &self.outcomes
    }
}

impl<T: Clone> Distribution<T> for Sampler<T> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> T {
        self.draw(rng).clone()
    }
}

/// Sampling, with feature `rand`.
impl<T> Dist<T> {
    /// Creates a sampler of this distribution: see [`Sampler`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    /// use rand::{RngExt, SeedableRng};
    ///
    /// // Totals of 2,585 bits are drawn from a word each, without bias.
    /// let sampler = Dist::ndice(1000, 6)?.sampler();
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let sum: i64 = rng.sample(&sampler);
    /// assert!((3200..3800).contains(&sum));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One division of a weight by the total for each outcome.
    #[must_use]
    pub fn sampler(&self) -> Sampler<T>
    where
        T: Clone,
    {
        Sampler::new(self.outcomes.clone(), &self.weights, self.total.clone())
    }

    /// Draws one outcome, the same that [`sampler`](Self::sampler) would draw from the same words.
    /// To draw more than a few, create a sampler once.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    /// use rand::SeedableRng;
    ///
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// assert!((1..=20).contains(Dist::die(20)?.sample(&mut rng)));
    /// assert_eq!(Dist::certain("rain").sample(&mut rng), &"rain");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n) additions for n outcomes.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> &T {
        &self.outcomes[place(&self.weights, &self.total, rng)]
    }
}

/// Sampling, with feature `rand`.
impl<T: Ord + Clone> Dist<T, f64> {
    /// Creates a sampler of this distribution, as the exact distribution whose weights are these
    /// doubles: see [`Sampler`].
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    /// use rand::SeedableRng;
    ///
    /// let sampler = Dist::from_float_weights([(0, 0.1), (1, 0.9)])?.sampler();
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let ones: u32 = (0..1000).map(|_| *sampler.draw(&mut rng)).sum();
    /// assert!(ones.abs_diff(900) < 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// One division of integers of up to 2,100 bits for each outcome.
    #[must_use]
    pub fn sampler(&self) -> Sampler<T> {
        self.to_exact().sampler()
    }

    /// Draws one outcome, the same that [`sampler`](Self::sampler) would draw from the same words.
    /// To draw more than a few, create a sampler once.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    /// use rand::SeedableRng;
    ///
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let roll = Dist::ndice(2, 6)?.to_f64();
    /// assert!((2..=12).contains(roll.sample(&mut rng)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(n) for n outcomes.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> &T {
        let exact = self.to_exact();
        &self.outcomes[place(&exact.weights, &exact.total, rng)]
    }
}

fn place<R: Rng + ?Sized>(weights: &[BigUint], total: &BigUint, rng: &mut R) -> usize {
    let below = running_sums(weights);
    let all = (0, below.len() - 1);
    resolve(&below, total, all, rng.next_u64(), rng)
}

/// The sum of all weights before each one.
fn running_sums(weights: &[BigUint]) -> Vec<BigUint> {
    let mut sum = BigUint::ZERO;
    weights
        .iter()
        .map(|weight| {
            let below = sum.clone();
            sum += weight;
            below
        })
        .collect()
}

/// ⌊2⁶⁴ part / whole⌋, for a part smaller than the whole.
fn first_word(part: &BigUint, whole: &BigUint) -> u64 {
    let quotient = (part << 64u32) / whole;
    quotient.iter_u64_digits().next().unwrap_or(0)
}

/// The index, from `first` to `last`, of R = 0.`word`… in binary: the last one whose part of the
/// unit interval starts at or below R. More words are read until only one is possible.
fn resolve<R: Rng + ?Sized>(
    below: &[BigUint],
    total: &BigUint,
    (mut first, mut last): (usize, usize),
    word: u64,
    rng: &mut R,
) -> usize {
    let mut digits = BigUint::from(word);
    for words in 1..=MAX_WORDS {
        // R · total lies in [low, high) / 2^shift.
        let low = &digits * total;
        let high = &low + total;
        let shift = 64 * words;
        let candidates = &below[first..=last];
        let certain = candidates.partition_point(|start| (start << shift) <= low);
        let possible = candidates.partition_point(|start| (start << shift) < high);
        last = first + possible.saturating_sub(1);
        first += certain.saturating_sub(1);
        if first == last {
            break;
        }
        digits = (digits << 64u32) + rng.next_u64();
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All values of a word's first bits, for all distributions whose parts end on them: the table
    /// and the plain search agree.
    #[test]
    fn the_guide_leads_to_the_right_place() {
        let weights: Vec<BigUint> = [1_u32, 0, 5, 300, 1, 1, 1, 900]
            .into_iter()
            .filter(|&w| w > 0)
            .map(BigUint::from)
            .collect();
        let total: BigUint = weights.iter().sum();
        let sampler = Sampler::new((0..weights.len()).collect(), &weights, total.clone());
        assert_eq!(sampler.starts[0], 0);
        assert!(sampler.starts.is_sorted());
        for step in 0..=u64::from(u16::MAX) {
            let word = step << 48 | 1;
            let slot = (word >> sampler.shift) as usize;
            let starts = &sampler.starts[..sampler.guide[slot + 1]];
            assert!(starts.iter().all(|&s| s >> sampler.shift <= slot as u64));
            let before = sampler.starts.iter().filter(|&&s| s <= word).count();
            let low = sampler.guide[slot];
            let inside = sampler.starts[low..sampler.guide[slot + 1]]
                .iter()
                .filter(|&&s| s <= word)
                .count();
            assert_eq!(before, low + inside);
        }
    }
}
