//! Do two samples come from the same distribution? The two-sample Kolmogorov–Smirnov test.
//!
//! N. V. Smirnov, "Estimate of deviation between empirical distribution functions in two
//! independent samples" (1939). `statrs` has it too, but only in versions that need a later Rust
//! than this crate.

/// Up to this many pairs of observations, the distribution of the distance is computed exactly.
const EXACT_PAIRS: u128 = 4_000_000;

/// The greatest distance between the empirical distribution functions of two samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Smirnov {
    sizes: (usize, usize),
    /// The distance times both sizes.
    scaled: u128,
}

impl Smirnov {
    /// The distance between two samples in any order; `None` if one is empty or contains NaN.
    pub(crate) fn of(one: &[f64], other: &[f64]) -> Option<Self> {
        if one.is_empty() || other.is_empty() || one.iter().chain(other).any(|x| x.is_nan()) {
            return None;
        }
        let sorted = |sample: &[f64]| {
            let mut sorted = sample.to_vec();
            sorted.sort_by(f64::total_cmp);
            sorted
        };
        let (one, other) = (sorted(one), sorted(other));
        let (n, m) = (one.len(), other.len());
        let (mut i, mut j, mut scaled) = (0, 0, 0);
        while i < n && j < m {
            // Equal observations are passed together, since both functions step at once.
            let here = one[i].min(other[j]);
            i += one[i..].iter().take_while(|x| **x == here).count();
            j += other[j..].iter().take_while(|x| **x == here).count();
            scaled = scaled.max((i as u128 * m as u128).abs_diff(j as u128 * n as u128));
        }
        Some(Smirnov {
            sizes: (n, m),
            scaled,
        })
    }

    /// The distance D, between 0 and 1.
    pub(crate) fn distance(&self) -> f64 {
        self.scaled as f64 / (self.sizes.0 as f64 * self.sizes.1 as f64)
    }

    /// The probability of a distance as large or larger, if both samples are independent
    /// observations of the same continuous distribution.
    ///
    /// Exact (to about 10⁻¹²) for small samples, by counting the ways to interleave the two;
    /// otherwise by the limit distribution with λ = D √(nm / (n + m)). With ties, the true
    /// probability is smaller.
    pub(crate) fn p_value(&self) -> f64 {
        let (n, m) = self.sizes;
        if n as u128 * m as u128 <= EXACT_PAIRS {
            return self.mixtures();
        }
        let (n, m) = (n as f64, m as f64);
        kolmogorov(self.distance() * (n * m / (n + m)).sqrt())
    }

    /// One minus the share of the lattice paths from (0, 0) to (n, m) that stay closer to the
    /// diagonal than the distance. Row i is scaled by i! m! / (i + m)!, so that the last is a share
    /// of all paths and nothing overflows.
    fn mixtures(&self) -> f64 {
        let (n, m) = self.sizes;
        let near = |i: usize, j: usize| {
            (i as u128 * m as u128).abs_diff(j as u128 * n as u128) < self.scaled
        };
        let mut row: Vec<f64> = Vec::with_capacity(m + 1);
        for j in 0..=m {
            let open = near(0, j) && row.last().is_none_or(|&before| before > 0.0);
            row.push(f64::from(u8::from(open)));
        }
        for i in 1..=n {
            let scale = i as f64 / (i + m) as f64;
            let mut before = 0.0;
            for (j, paths) in row.iter_mut().enumerate() {
                before = if near(i, j) {
                    scale * *paths + before
                } else {
                    0.0
                };
                *paths = before;
            }
        }
        (1.0 - row[m]).clamp(0.0, 1.0)
    }
}

/// The upper tail of Kolmogorov's distribution, 2 Σ (−1)ᵏ⁻¹ exp(−2 k² λ²).
pub(crate) fn kolmogorov(lambda: f64) -> f64 {
    // The other form of the theta function converges where this one does not.
    if lambda < 1.0 {
        let factor = -std::f64::consts::PI.powi(2) / (8.0 * lambda * lambda);
        let terms = (0..20).map(|k| (f64::from((2 * k + 1) * (2 * k + 1)) * factor).exp());
        let below = (2.0 * std::f64::consts::PI).sqrt() / lambda * terms.sum::<f64>();
        return if lambda > 0.0 { 1.0 - below } else { 1.0 };
    }
    let term = |k: i32| (-2.0 * f64::from(k * k) * lambda * lambda).exp();
    2.0 * (1..20)
        .map(|k| if k % 2 == 1 { term(k) } else { -term(k) })
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &[f64], other: &[f64], distance: f64, p: f64) {
        for (one, other) in [(one, other), (other, one)] {
            let test = Smirnov::of(one, other).unwrap();
            assert!((test.distance() - distance).abs() < 1e-12, "{test:?}");
            assert!((test.p_value() - p).abs() < 1e-11, "{} {p}", test.p_value());
        }
    }

    fn upto(n: i32) -> Vec<f64> {
        (1..=n).map(f64::from).collect()
    }

    /// Of the C(6, 3) = 20 ways to interleave three and three, two keep them apart.
    #[test]
    fn small_samples_by_hand() {
        check(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 1.0, 2.0 / 20.0);
        check(&[1.0, 3.0], &[2.0, 4.0], 0.5, 1.0);
        // One against two: the single one is first, in the middle or last.
        check(&[1.0], &[2.0, 3.0], 1.0, 2.0 / 3.0);
        check(&[2.0], &[1.0, 3.0], 0.5, 1.0);
        // With ties only, the distance is 0.
        check(&[1.0, 1.0, 2.0], &[1.0, 1.0, 2.0], 0.0, 1.0);
        check(&[0.0, 0.0], &[0.0, 1.0], 0.5, 1.0);
    }

    /// B. V. Gnedenko and V. S. Korolyuk (1951): for samples of one size n,
    /// P(D ≥ k/n) = 2 Σ (−1)ⁱ⁻¹ C(2n, n − ik) / C(2n, n). For n = 10 that is 0.0123 at 0.7,
    /// as in every table.
    #[test]
    fn equal_sizes_are_the_closed_form() {
        let binomial = |n: u32, k: u32| -> f64 {
            (1..=k)
                .map(|i| f64::from(n - k + i) / f64::from(i))
                .product()
        };
        for n in [5_u32, 10, 30] {
            for k in 1..=n {
                let terms = (1..=n / k).map(|i| {
                    let sign = if i % 2 == 1 { 2.0 } else { -2.0 };
                    sign * binomial(2 * n, n - i * k) / binomial(2 * n, n)
                });
                let closed: f64 = terms.sum();
                // The second sample is the first, shifted by k places.
                let shifted: Vec<f64> = upto(n as i32)
                    .iter()
                    .map(|x| x + f64::from(k) - 0.5)
                    .collect();
                check(
                    &upto(n as i32),
                    &shifted,
                    f64::from(k) / f64::from(n),
                    closed,
                );
            }
        }
        let ten = Smirnov {
            sizes: (10, 10),
            scaled: 70,
        };
        assert_eq!(format!("{:.6}", ten.p_value()), "0.012341"); // 2280 / 184756
    }

    /// Critical values of Kolmogorov's distribution, as printed everywhere.
    #[test]
    fn the_limit_law() {
        for (lambda, p) in [
            (1.2238, 0.10),
            (1.3581, 0.05),
            (1.6276, 0.01),
            (1.9495, 0.001),
        ] {
            assert!((kolmogorov(lambda) / p - 1.0).abs() < 1e-3, "{lambda}");
        }
        assert_eq!(kolmogorov(0.0), 1.0);
        // Both series agree here.
        assert!((kolmogorov(1.0 - 1e-12) - kolmogorov(1.0)).abs() < 1e-11);
        assert!((kolmogorov(0.5) - 0.963_945_243_664_875).abs() < 1e-12);
        // Large samples come close to the limit.
        let large = Smirnov {
            sizes: (2_000, 2_000),
            scaled: 2_000 * 80,
        };
        let limit = kolmogorov(0.04 * 1_000_f64.sqrt());
        assert!((large.p_value() / limit - 1.0).abs() < 0.05, "{large:?}");
    }

    #[test]
    fn what_is_no_sample_is_refused() {
        assert_eq!(Smirnov::of(&[], &[1.0]), None);
        assert_eq!(Smirnov::of(&[1.0], &[f64::NAN]), None);
    }

    /// (0.01 / 396) / 3, which the source prints as 0.000008418.
    #[test]
    fn the_corrected_level() {
        assert_eq!(format!("{:.9}", 0.01 / 396.0 / 3.0), "0.000008418");
    }
}
