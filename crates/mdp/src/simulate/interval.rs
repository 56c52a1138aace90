//! Confidence intervals for the results of simulated games.

use std::cmp::Ordering;
use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use num_traits::ToPrimitive;

use super::Simulation;
use crate::score::compare;
use crate::{Error, Score};

/// Confidence intervals for quantities estimated from a limited number of games.
impl<S> Simulation<S> {
    /// Returns Wilson's interval for the probability that the final state satisfies the predicate.
    ///
    /// In about `confidence` of many simulations, the interval contains the true probability.
    /// Averaged over probabilities, the coverage is very close to `confidence`; for a single
    /// probability it may be lower, above all near 0 and 1 (E. B. Wilson, "Probable inference, the
    /// distribution of succession, and statistical inference", 1927; L. D. Brown, T. T. Cai and A.
    /// DasGupta, "Interval estimation for a binomial proportion", 2001). The coverage of
    /// [`clopper_pearson`](Self::clopper_pearson) is never lower than stated, and its interval is
    /// wider.
    ///
    /// # Errors
    /// [`Error::BadParameter`] unless 0 < `confidence` < 1.
    ///
    /// # Examples
    /// A coin fell on the same side a hundred times. The chance of the other side may still be as
    /// high as four in a hundred:
    /// ```
    /// # use oddsmith_mdp::{AtRandom, Simulator, Table};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// # let coin = Table::from_fn(2, |state, row| match state {
    /// #     0 => row.end(1),
    /// #     _ => { row.choice().to(0, 1); }
    /// # })?;
    /// let tosses = Simulator::new(&coin, AtRandom).run(&1, 100, &mut rng)?;
    /// let chance = tosses.wilson(|&side| side == 0, 0.95)?;
    /// assert!((chance.start() - 0.963).abs() < 0.0005 && *chance.end() == 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wilson(
        &self,
        which: impl Fn(&S) -> bool,
        confidence: f64,
    ) -> Result<RangeInclusive<f64>, Error> {
        Ok(wilson(self.count(which), self.games(), missed(confidence)?))
    }

    /// Returns the interval of Clopper and Pearson for the probability that the final state
    /// satisfies the predicate.
    ///
    /// It consists of all probabilities for which a count at least this high and a count at least
    /// this low each have a probability of at least (1 − `confidence`) / 2.
    ///
    /// Whatever the true probability is, at least `confidence` of many simulations have it in their
    /// interval (C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits
    /// illustrated in the case of the binomial", 1934), up to the rounding of doubles: the ends are
    /// found to within 10⁻¹⁴.
    ///
    /// # Errors
    /// [`Error::BadParameter`] unless 0 < `confidence` < 1.
    ///
    /// # Complexity
    /// Some hundred evaluations of O(√n) each, for n games.
    ///
    /// # Examples
    /// An end that never occurred in a thousand games has a probability below 0.37 %, at 95 %
    /// confidence: 1 − 0.025^(1/1000).
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let rolls = Simulator::new(&KeepOrRoll, AtRandom).run(&(1, 0), 1_000, &mut rng)?;
    /// let seven = rolls.clopper_pearson(|&(_, pips)| pips == 7, 0.95)?;
    /// assert_eq!(*seven.start(), 0.0);
    /// assert!((seven.end() - 0.003682).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "exact_interval")]
    pub fn clopper_pearson(
        &self,
        which: impl Fn(&S) -> bool,
        confidence: f64,
    ) -> Result<RangeInclusive<f64>, Error> {
        let missed = missed(confidence)?;
        Ok(clopper_pearson(self.count(which), self.games(), missed))
    }

    /// Returns an interval for the expected score by the normal distribution: the
    /// [mean](Self::mean), plus and minus a multiple of the [standard error](Self::standard_error)
    /// that depends on `confidence`; it is 1.96 for 0.95.
    ///
    /// By the central limit theorem, its coverage approaches `confidence` only as the number of
    /// games grows. After a few games, or if a rare game scores much, the coverage is lower.
    /// [`hoeffding`](Self::hoeffding) is valid for any number of games. The interval is infinite
    /// after one game, and where scores are beyond the floats.
    ///
    /// # Errors
    /// [`Error::BadParameter`] unless 0 < `confidence` < 1.
    ///
    /// # Examples
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let rolls = Simulator::new(&KeepOrRoll, AtRandom).run(&(1, 0), 1_000, &mut rng)?;
    /// let mean = rolls.mean_interval(0.95)?;
    /// let to_both_sides = 1.959964 * rolls.standard_error();
    /// assert!((mean.end() - mean.start() - 2.0 * to_both_sides).abs() < 1e-6);
    /// assert!((to_both_sides - 0.106).abs() < 0.005); // 1.96 · √(35/12) / √1000
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean_interval(&self, confidence: f64) -> Result<RangeInclusive<f64>, Error> {
        let times = normal_quantile(missed(confidence)? / 2.0);
        if self.games() < 2 {
            return Ok(f64::NEG_INFINITY..=f64::INFINITY);
        }
        let to_both_sides = times * self.standard_error();
        let (low, high) = (self.mean() - to_both_sides, self.mean() + to_both_sides);
        // Scores beyond the floats: nothing is known on the side whose bound is not a number.
        let low = if low.is_nan() { f64::NEG_INFINITY } else { low };
        let high = if high.is_nan() { f64::INFINITY } else { high };
        Ok(low..=high)
    }

    /// Returns an interval for the expected score of a game that always scores between `low` and
    /// `high`, all rewards included.
    ///
    /// It is the [mean](Self::mean) plus and minus (high − low)·√(ln(2/α) / 2n), where α = 1 −
    /// `confidence` and n is the number of games, cut off at `low` and `high`.
    ///
    /// At least `confidence` of many simulations have the expected score in their interval, however
    /// few games they play (W. Hoeffding, "Probability inequalities for sums of bounded random
    /// variables", 1963, theorem 2). The interval is wider than that of
    /// [`mean_interval`](Self::mean_interval).
    ///
    /// # Errors
    /// [`Error::BadParameter`] unless 0 < `confidence` < 1, if `low` or `high` is not a number, or
    /// if a game scored less than `low` or more than `high`.
    ///
    /// # Examples
    /// Rolls of a die. The interval extends 5·√(ln 40 / 2000) = 0.215 to both sides:
    /// ```
    #[doc = include_str!("../../docs/keep_or_roll.txt")]
    /// # use oddsmith_mdp::{AtRandom, Simulator};
    /// # use rand::SeedableRng;
    /// # let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let rolls = Simulator::new(&KeepOrRoll, AtRandom).run(&(1, 0), 1_000, &mut rng)?;
    /// let mean = rolls.hoeffding(1, 6, 0.95)?;
    /// assert!((mean.end() - rolls.mean() - 0.21473).abs() < 1e-5);
    /// assert!(mean.contains(&3.5));
    /// assert!(rolls.hoeffding(1, 5, 0.95).is_err()); // a 6 was rolled
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hoeffding(
        &self,
        low: impl Into<Score>,
        high: impl Into<Score>,
        confidence: f64,
    ) -> Result<RangeInclusive<f64>, Error> {
        let missed = missed(confidence)?;
        let bound = |parameter, score: &Score, holds: fn(Ordering) -> bool| {
            let number = score.to_ratio();
            number
                .filter(|bound| {
                    self.scores()
                        .all(|(score, _)| holds(compare(bound, &score)))
                })
                .ok_or_else(|| Error::BadParameter {
                    parameter,
                    given: score.to_string(),
                    allowed: "a number such that all scores lie between both bounds",
                })
        };
        let low = bound("low", &low.into(), Ordering::is_le)?;
        let high = bound("high", &high.into(), Ordering::is_ge)?;
        let [least, most] = [&low, &high].map(|bound| bound.to_f64().unwrap_or(f64::NAN));
        let width = (high - low).to_f64().unwrap_or(f64::NAN);
        let games = self.games() as f64;
        let to_both_sides = width * ((2.0 / missed).ln() / (2.0 * games)).sqrt();
        let mean = self.mean();
        Ok((mean - to_both_sides).max(least)..=(mean + to_both_sides).min(most))
    }
}

/// Returns the difference between one and a confidence of less than one.
fn missed(confidence: f64) -> Result<f64, Error> {
    if confidence > 0.0 && confidence < 1.0 {
        return Ok(1.0 - confidence);
    }
    Err(Error::BadParameter {
        parameter: "confidence",
        given: confidence.to_string(),
        allowed: "above 0 and below 1",
    })
}

fn wilson(count: u64, games: u64, missed: f64) -> RangeInclusive<f64> {
    let (seen, n) = (count as f64 / games as f64, games as f64);
    let square = normal_quantile(missed / 2.0).powi(2);
    let scale = 1.0 + square / n;
    let centre = (seen + square / (2.0 * n)) / scale;
    let radius = (square * (seen * (1.0 - seen) / n + square / (4.0 * n * n))).sqrt() / scale;
    // Ends that are 0 or 1 by the formula are not left to rounding.
    let low = if count == 0 {
        0.0
    } else {
        (centre - radius).max(0.0)
    };
    let high = if count == games {
        1.0
    } else {
        (centre + radius).min(1.0)
    };
    low..=high
}

fn clopper_pearson(count: u64, games: u64, missed: f64) -> RangeInclusive<f64> {
    let low = lower_end(count, games, missed / 2.0);
    let high = 1.0 - lower_end(games - count, games, missed / 2.0);
    low..=high
}

/// Returns the success probability with which `count` or more of `games` have probability `tail`,
/// which is at most a half.
fn lower_end(count: u64, games: u64, tail: f64) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let n = games as f64;
    if count == games {
        return (tail.ln() / n).exp();
    }
    // Below the observed proportion, where the tail is at most about a half.
    let (mut low, mut high) = (0.0, count as f64 / n);
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if upper_tail(count as f64, n, middle) < tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns the probability of k or more successes in n trials, each with probability p, for 0 < k <
/// n and p ≤ k/n: the incomplete beta function I(p; k, n − k + 1) by its continued fraction (W. H.
/// Press et al., "Numerical Recipes", 3rd ed., 6.4).
fn upper_tail(k: f64, n: f64, p: f64) -> f64 {
    // Far below every relevant quantity.
    const TINY: f64 = 1e-300;
    let (a, b) = (k, n - k + 1.0);
    let away_from_zero = |x: f64| if x.abs() < TINY { TINY } else { x };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * p / (a + 1.0));
    let mut fraction = d;
    // The number of terms needed grows with the square root of n.
    let most = 1_000 + 10 * n.sqrt() as u64;
    for m in 1..=most {
        let m = m as f64;
        let even = m * (b - m) * p / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * p / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut last = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            last = c * d;
            fraction *= last;
        }
        if (last - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    exactly(k, n, p) * (1.0 - p) * fraction
}

/// Returns the probability of k successes in n trials, 0 < k < n, by the expansion around the most
/// likely number (C. Loader, "Fast and accurate computation of binomial probabilities", 2000). No
/// large logarithms are subtracted from each other.
fn exactly(k: f64, n: f64, p: f64) -> f64 {
    let rest = n - k;
    let exponent = stirling_error(n)
        - stirling_error(k)
        - stirling_error(rest)
        - deviance(k, n * p)
        - deviance(rest, n * (1.0 - p));
    exponent.exp() * (n / (TAU * k * rest)).sqrt()
}

/// Returns ln n! minus Stirling's formula, for an integer n ≥ 1.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        let factorial: f64 = (1..=n as u64).map(|i| (i as f64).ln()).sum();
        return factorial - (n + 0.5) * n.ln() + n - 0.5 * TAU.ln();
    }
    let square = n * n;
    (1.0 / 12.0
        - (1.0 / 360.0
            - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square) / square)
            / square)
        / n
}

/// Returns x ln(x/m) + m − x, by its series if x and m are close.
fn deviance(x: f64, m: f64) -> f64 {
    if (x - m).abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() + m - x;
    }
    let v = (x - m) / (x + m);
    let mut sum = (x - m) * v;
    let mut term = 2.0 * x * v;
    for j in 1..1_000 {
        term *= v * v;
        let next = sum + term / f64::from(2 * j + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Returns how many standard deviations above its mean the normal distribution has an upper tail of
/// `tail`, which is at most a half. By M. J. Wichura, "Algorithm AS 241: the percentage points of
/// the normal distribution", 1988, to sixteen digits.
fn normal_quantile(tail: f64) -> f64 {
    let centred = 0.5 - tail;
    if centred <= 0.425 {
        let r = 0.180625 - centred * centred;
        return centred * ratio(&CENTRE, r);
    }
    let r = (-tail.ln()).sqrt();
    if r <= 5.0 {
        ratio(&NEAR, r - 1.6)
    } else {
        ratio(&FAR, r - 5.0)
    }
}

/// A quotient of polynomials, highest powers first.
fn ratio([top, bottom]: &[[f64; 8]; 2], x: f64) -> f64 {
    let value = |polynomial: &[f64; 8]| polynomial.iter().fold(0.0, |sum, c| sum * x + c);
    value(top) / value(bottom)
}

const CENTRE: [[f64; 8]; 2] = [
    [
        2509.0809287301227,
        33430.57558358813,
        67265.7709270087,
        45921.95393154987,
        13731.69376550946,
        1971.5909503065513,
        133.14166789178438,
        3.3871328727963665,
    ],
    [
        5226.495278852854,
        28729.085735721943,
        39307.89580009271,
        21213.794301586597,
        5394.196021424751,
        687.1870074920579,
        42.31333070160091,
        1.0,
    ],
];

const NEAR: [[f64; 8]; 2] = [
    [
        0.0007745450142783414,
        0.022723844989269184,
        0.2417807251774506,
        1.2704582524523684,
        3.6478483247632045,
        5.769497221460691,
        4.630337846156546,
        1.4234371107496835,
    ],
    [
        1.0507500716444169e-09,
        0.0005475938084995345,
        0.015198666563616457,
        0.14810397642748008,
        0.6897673349851,
        1.6763848301838038,
        2.053191626637759,
        1.0,
    ],
];

const FAR: [[f64; 8]; 2] = [
    [
        2.0103343992922881e-07,
        2.7115555687434876e-05,
        0.0012426609473880784,
        0.026532189526576124,
        0.29656057182850487,
        1.7848265399172913,
        5.463784911164114,
        6.657904643501103,
    ],
    [
        2.0442631033899397e-15,
        1.421511758316446e-07,
        1.8463183175100548e-05,
        0.0007868691311456133,
        0.014875361290850615,
        0.1369298809227358,
        0.599832206555888,
        1.0,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        let apart = (found - expected).abs();
        assert!(apart <= 1e-11 * expected.abs(), "{found} is not {expected}");
    }

    #[test]
    fn quantiles_of_the_normal_law() {
        for (confidence, expected) in [
            (0.5, 0.674_489_750_196_081_7),
            (0.9, 1.644_853_626_951_471_5),
            (0.95, 1.959_963_984_540_053_6),
            (0.99, 2.575_829_303_548_9),
            (0.999, 3.290_526_731_491_925_5),
        ] {
            near(normal_quantile((1.0 - confidence) / 2.0), expected);
        }
        // Far out: 1 − Φ(9) and 1 − Φ(20).
        near(normal_quantile(1.128_588_405_953_840_6e-19), 9.0);
        near(normal_quantile(2.753_624_118_606_233_7e-89), 20.0);
    }

    /// Computed with sixty decimal digits from sums of binomials. The last two are from R. G.
    /// Newcombe, "Two-sided confidence intervals for the single proportion", 1998, who gives 0.2553
    /// to 0.3662 and 0.2527 to 0.3676, 0.0624 to 0.1605 and 0.0578 to 0.1617.
    #[test]
    fn intervals_of_shares() {
        for (count, games, missed, by_wilson, exact) in [
            (
                8,
                10,
                0.05,
                [0.490_162_471_536_641_83, 0.943_317_848_545_624_7],
                [0.443_904_537_692_358_44, 0.974_789_273_673_166_6],
            ),
            (
                0,
                30,
                0.05,
                [0.0, 0.113_513_393_173_968_73],
                [0.0, 0.115_703_308_222_027_82],
            ),
            (
                30,
                30,
                0.05,
                [0.886_486_606_826_031_4, 1.0],
                [0.884_296_691_777_972_2, 1.0],
            ),
            (
                1,
                10,
                0.01,
                [0.011_851_503_411_032_915, 0.507_231_771_232_893_4],
                [0.000_501_128_575_464_633_8, 0.544_287_056_899_686_8],
            ),
            (
                500,
                1_000,
                0.001,
                [0.448_251_604_452_460_93, 0.551_748_395_547_539_1],
                [0.447_629_419_858_604_2, 0.552_370_580_141_395_7],
            ),
            (
                81,
                263,
                0.05,
                [0.255_288_519_878_274_3, 0.366_209_576_982_800_1],
                [0.252_736_745_585_271_15, 0.367_621_922_601_351_35],
            ),
            (
                15,
                148,
                0.05,
                [0.062_386_399_530_736_29, 0.160_487_241_723_308],
                [0.057_844_010_083_448_56, 0.161_650_490_349_479],
            ),
        ] {
            for (found, expected) in [
                (wilson(count, games, missed), by_wilson),
                (clopper_pearson(count, games, missed), exact),
            ] {
                near(*found.start(), expected[0]);
                near(*found.end(), expected[1]);
            }
        }
    }

    /// For many games, both methods come close to the requested confidence.
    #[test]
    fn many_games() {
        for (count, games) in [
            (1, 1_000_000_000),
            (3_141_592, 10_000_000),
            (999_999, 1_000_000),
        ] {
            let exact = clopper_pearson(count, games, 0.05);
            let nearly = wilson(count, games, 0.05);
            assert!(exact.start() < exact.end() && *exact.start() > 0.0);
            assert!(exact.contains(&(count as f64 / games as f64)));
            let width = |range: &RangeInclusive<f64>| range.end() - range.start();
            assert!((width(&exact) / width(&nearly) - 1.0).abs() < 0.2);
        }
        // −ln 0.975 and 5.5716, from the Poisson distribution for a single event.
        let once = clopper_pearson(1, 1_000_000_000, 0.05);
        assert!((once.start() * 1e9 - 0.025_317_808).abs() < 1e-7);
        assert!((once.end() * 1e9 - 5.571_643_4).abs() < 1e-6);
    }

    /// For a range of probabilities, over all counts that a few games can have.
    #[test]
    fn clopper_and_pearson_never_cover_less_than_they_say() {
        let games = 20;
        let ends: Vec<_> = (0..=games)
            .map(|k| clopper_pearson(k, games, 0.1))
            .collect();
        for p in (1..200).map(|i| f64::from(i) / 200.0) {
            let mut chance = (1.0 - p).powi(20);
            let mut covered = 0.0;
            for (k, range) in ends.iter().enumerate() {
                if range.contains(&p) {
                    covered += chance;
                }
                chance *= p / (1.0 - p) * (20 - k) as f64 / (k + 1) as f64;
            }
            assert!(covered >= 0.9 - 1e-12, "{covered} at {p}");
        }
    }

    #[test]
    fn confidence_is_between_nothing_and_all() {
        for confidence in [0.0, 1.0, -0.5, 95.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(
                missed(confidence),
                Err(Error::BadParameter {
                    parameter: "confidence",
                    ..
                })
            ));
        }
        for confidence in [1e-9, 1.0 - 1e-9] {
            let range = clopper_pearson(3, 7, missed(confidence).unwrap_or(0.5));
            assert!(range.contains(&(3.0 / 7.0)));
        }
    }
}
