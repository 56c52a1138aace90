//! Sampling: every outcome has exactly its probability. This is shown by exhausting the words of
//! the generator where feasible, and by locating the borders between outcomes to 192 bits.
#![cfg(feature = "rand")]

use num_bigint::BigUint;
use num_integer::Integer;
use oddsmith_dice::{Dist, FloatDist};
use rand::distr::Distribution;
use rand::{Rng, RngExt, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;
use std::convert::Infallible;

/// Returns these words, and then repeats the last one.
struct Words<'w> {
    words: &'w [u64],
    read: usize,
}

impl<'w> Words<'w> {
    fn new(words: &'w [u64]) -> Self {
        Words { words, read: 0 }
    }
}

impl TryRng for Words<'_> {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.try_next_u64()? >> 32) as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let word = self.words.get(self.read).or(self.words.last());
        self.read += 1;
        Ok(*word.unwrap())
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(0);
        Ok(())
    }
}

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn laws() -> Vec<Dist<i64>> {
    vec![
        Dist::certain(7),
        Dist::die(2).unwrap(),
        Dist::die(6).unwrap(),
        Dist::die(100).unwrap(),
        Dist::ndice(2, 6).unwrap(),
        Dist::ndice(9, 6).unwrap(),
        Dist::from_weights([(-3, 1), (0, 255), (9, 4096), (10, 3)]).unwrap(),
    ]
}

/// The midpoints of as many equal parts of the unit interval as the total has ways: each outcome is
/// drawn for as many of them as it has ways.
#[test]
fn equally_spaced_words_are_shared_out_as_the_weights() {
    for law in laws() {
        let sampler = law.sampler();
        let total: u64 = law.total().try_into().unwrap();
        // Every way if there are few, every thousandth or so if there are many.
        let stride = (total / 100_000).max(1);
        let mut counts = vec![0_u64; law.len()];
        for way in 0..total {
            if stride > 1 && way % stride != 0 {
                continue;
            }
            let word = (((2 * u128::from(way) + 1) << 63) / u128::from(total)) as u64;
            let drawn = *sampler.draw(&mut Words::new(&[word]));
            let mut below = BigUint::ZERO;
            let expected = law.iter().find(|(_, weight)| {
                below += *weight;
                BigUint::from(way) < below
            });
            assert_eq!(Some(&drawn), expected.map(|pair| pair.0));
            counts[law.support().binary_search(&drawn).unwrap()] += 1;
        }
        if stride == 1 {
            assert!(law.weights().zip(&counts).all(|(w, &n)| *w == n.into()));
        }
    }
}

/// All strings of 16 bits before a word's end, for a total that divides 2¹⁶.
#[test]
fn all_short_bit_strings_are_shared_out_exactly() {
    let law = Dist::from_weights([(0, 1), (1, 100), (2, 4000), (3, 7), (4, 61_428)]).unwrap();
    assert_eq!(law.total(), &65_536_u32.into());
    let sampler = law.sampler();
    let mut counts = [0_u32; 5];
    for string in 0..1_u64 << 16 {
        for rest in [0, 1, u64::MAX >> 16] {
            counts[*sampler.draw(&mut Words::new(&[string << 48 | rest])) as usize] += 1;
        }
    }
    assert_eq!(counts, [3, 300, 12_000, 21, 3 * 61_428]);
}

/// The least 192-bit number for which an outcome at or above each one is drawn is the share of the
/// smaller ones, rounded up.
#[track_caller]
fn check_borders<T: Ord + Clone + std::fmt::Debug>(
    law: &Dist<T>,
    draw: impl Fn(&mut Words<'_>) -> T,
) {
    let words = |number: &BigUint| {
        let mut digits = number.to_u64_digits();
        digits.resize(3, 0);
        digits.reverse();
        // Zeros follow.
        digits.push(0);
        digits
    };
    let mut below = BigUint::ZERO;
    for (outcome, weight) in law {
        let (mut low, mut high) = (BigUint::ZERO, BigUint::from(1_u32) << 192);
        while low < high {
            let middle = (&low + &high) >> 1;
            if draw(&mut Words::new(&words(&middle))) >= *outcome {
                high = middle;
            } else {
                low = middle + 1_u32;
            }
        }
        let share: BigUint = &below << 192;
        assert_eq!(low, share.div_ceil(law.total()), "{outcome:?}");
        below += weight;
    }
}

#[test]
fn borders_between_outcomes_are_right_to_192_bits() {
    for law in laws() {
        let sampler = law.sampler();
        check_borders(&law, |words| *sampler.draw(words));
        check_borders(&law, |words| *law.sample(words));
    }
    // Hundreds of outcomes begin within the first word, others within the last.
    let law = Dist::ndice(150, 6).unwrap();
    let sampler = law.sampler();
    check_borders(&law, |words| sampler.sample(words));
}

#[test]
fn float_laws_are_drawn_as_their_very_doubles() {
    let law = Dist::from_float_weights([(0, 0.1), (1, 0.2), (2, 1e-40), (3, 0.7)]).unwrap();
    let sampler = law.sampler();
    check_borders(&law.to_exact(), |words| *sampler.draw(words));
    check_borders(&law.to_exact(), |words| *law.sample(words));
    let tiny: FloatDist<u8> = Dist::from_float_weights([(0, 5e-324), (1, 1.5e-323)]).unwrap();
    check_borders(&tiny.to_exact(), |words| tiny.sampler().sample(words));
}

#[test]
fn one_word_is_read_unless_it_is_a_border() {
    let sampler = Dist::die(3).unwrap().sampler();
    let count = |words: &[u64]| {
        let mut rng = Words::new(words);
        let face = *sampler.draw(&mut rng);
        (face, rng.read)
    };
    // 1/3 is 0.5555… in hexadecimal.
    let third = u64::MAX / 3;
    assert_eq!(count(&[0]), (1, 1));
    assert_eq!(count(&[third - 1]), (1, 1));
    assert_eq!(count(&[third + 1]), (2, 1));
    assert_eq!(count(&[u64::MAX]), (3, 1));
    assert_eq!(count(&[third, third - 1]), (1, 2));
    assert_eq!(count(&[third, third, third + 1]), (2, 3));
    // Halves end with a word, so no further word is needed.
    let coin = Dist::die(2).unwrap().sampler();
    let half = [1 << 63];
    let mut rng = Words::new(&half);
    assert_eq!((*coin.draw(&mut rng), rng.read), (2, 1));
}

#[test]
fn a_generator_that_stays_on_a_border_does_not_keep_us() {
    let third = [u64::MAX / 3];
    let law = Dist::die(3).unwrap();
    let mut rng = Words::new(&third);
    assert_eq!(*law.sampler().draw(&mut rng), 1);
    assert!(rng.read <= 65, "{}", rng.read);
    assert_eq!(*law.sample(&mut Words::new(&third)), 1);
}

#[test]
fn the_same_seed_draws_the_same_outcomes_everywhere() {
    let sampler = Dist::ndice(2, 6).unwrap().sampler();
    let drawn: Vec<i64> = sampler.clone().sample_iter(rng(1)).take(20).collect();
    // The words of ChaCha8 do not depend on the platform, nor do the samples.
    let expected: Vec<i64> = rng(1)
        .random_iter::<u64>()
        .take(20)
        .map(|word| {
            let mut way = (u128::from(word) * 36) >> 64;
            let ways = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];
            let place = ways.iter().position(|&count| {
                let inside = way < count;
                way = way.saturating_sub(count);
                inside
            });
            2 + place.unwrap() as i64
        })
        .collect();
    assert_eq!(drawn, expected);
    assert_eq!(drawn[..8], PINNED);
    let mut generator = rng(1);
    let one_by_one: Vec<i64> = (0..20).map(|_| generator.sample(&sampler)).collect();
    assert_eq!(drawn, one_by_one);
}

const PINNED: [i64; 8] = [6, 3, 8, 5, 6, 8, 7, 4];

#[test]
fn a_law_and_its_sampler_draw_the_same() {
    for law in laws() {
        let (mut a, mut b) = (rng(5), rng(5));
        let sampler = law.sampler();
        for _ in 0..300 {
            assert_eq!(law.sample(&mut a), sampler.draw(&mut b));
        }
        assert_eq!(a.next_u64(), b.next_u64());
    }
}

#[test]
fn samples_fit_the_law_and_not_another() {
    let fit = |law: &Dist<i64>, seed: u64, other: &Dist<i64>| {
        let samples = law.sampler().sample_iter(rng(seed)).take(50_000);
        other.goodness_of_fit_of(samples).unwrap().p_value()
    };
    let loaded = Dist::from_weights((1..=6).map(|x| (x, 100 + 5 * x))).unwrap();
    let laws = [
        Dist::die(6).unwrap(),
        Dist::ndice(3, 6).unwrap(),
        Dist::ndice(100, 6).unwrap(),
        Dist::ndice(1000, 6).unwrap(),
        Dist::uniform(0..5000).unwrap(),
        loaded.clone(),
    ];
    for (law, seed) in laws.iter().zip(1..) {
        let p = fit(law, seed, law);
        assert!((0.001..0.999).contains(&p), "{p}");
    }
    assert!(fit(&loaded, 1, &laws[0]) < 1e-6);
    assert!(fit(&laws[0], 1, &loaded) < 1e-6);
}

#[test]
fn any_outcome_type_can_be_drawn() {
    let weather = Dist::from_weights([("rain", 3), ("sun", 1)]).unwrap();
    let sampler = weather.sampler();
    assert_eq!(sampler.support(), ["rain", "sun"]);
    assert_eq!(sampler.sample(&mut Words::new(&[3 << 62])), "sun");
    assert_eq!(sampler.sample(&mut Words::new(&[(3 << 62) - 1])), "rain");
}
