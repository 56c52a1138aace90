//! Which side is first to have enough hits, and how many hits it has taken by then.
//!
//! A turn either hurts or does not. Between two sides whose turns always have the same
//! distributions, only the turns that hurt matter, and their number is bounded: a target with h hit
//! points takes at most h. A duel therefore splits into two parts:
//!
//! - what i hits do: the distribution of their damage, one dimension per side
//!   ([`Hits`](super::hits::Hits));
//! - how the hits of both sides interleave: the chance V(i, j) that a round begins with i hits of
//!   the first side and j of the second, if nobody ever fell.
//!
//! Rounds in which both miss change nothing and are left out. With pₐ, p_b the chances to hurt, and
//! d = 1 − (1 − pₐ)(1 − p_b),
//!
//! ```text
//! V(i, j) = α V(i−1, j) + β V(i, j−1) + γ V(i−1, j−1)
//! α = pₐ(1 − p_b)/d     β = (1 − pₐ)p_b/d     γ = pₐp_b/d
//! ```
//!
//! or, with generating functions, V_i(y) = Σ_j V(i, j) yʲ = c(y) V_{i−1}(y) where c(y) = (α +
//! γy)/(1 − βy). A sum Σ_i f_i V_i(y) is computed by Horner's rule: every step multiplies a power
//! series by c, which costs three products with a *small* number per coefficient. Summing products
//! f_i V(i, j) would instead multiply long numbers by long numbers, and the plain recursion over
//! both hit points visits every pair of outcomes for every pair of hit points.
//!
//! In integers V(i, j) = pₐⁱ p_bʲ Y(i, j)/dⁱ⁺ʲ, with everything over the reduced totals of hit and
//! miss, and Y has α, β, γ = miss_b, missₐ, d.

use oddsmith_dice::Weight;

/// The numbers of a race; see the module.
#[derive(Clone, Debug)]
pub struct Race<N> {
    /// α: the weight of a round in which only the first side hurts.
    pub(super) only_first: N,
    /// β: the weight of a round in which only the second side hurts.
    pub(super) only_second: N,
    /// γ: the weight of a round in which both hurt.
    pub(super) both: N,
    /// The factor that a hit of either side adds to the denominator beyond its weights; 1 in
    /// floats.
    pub(super) step: [N; 2],
    /// The factor of the sums that say who has won, over the common total.
    pub(super) won: [N; 2],
    /// The same factor for the number of rounds.
    pub(super) round: N,
}

impl<N: Weight> Race<N> {
    /// Returns Σ_i f_i V_{i−1}(y), f from i = 1, below y^`terms`. Multiplied by the chance of a
    /// hit, its coefficients are the chances that the first side has taken j hits when it deals its
    /// fatal one.
    pub(super) fn fatal_first(&self, fatal: &[N], terms: usize) -> Vec<N> {
        let mut series = self.horner(0, fatal, terms);
        self.geometric(0, &mut series);
        series
    }

    /// Returns the same with the roles exchanged. The first side has had its turn in the round of
    /// the fatal hit: f_j (β + γx)V(·, j−1) = f_j (1 − αx) V_j.
    pub(super) fn fatal_second(&self, fatal: &[N], terms: usize) -> Vec<N> {
        let mut series = self.horner(1, fatal, terms);
        self.step_by_hit(1, &mut series);
        series
    }

    /// Returns Σ_i f_i c(y)ⁱ for coefficients from i = 0, scaled by `step` for each remaining i.
    fn horner(&self, side: usize, factors: &[N], terms: usize) -> Vec<N> {
        let mut series = vec![N::nothing(); terms];
        let mut scale = N::unit();
        for factor in factors.iter().rev() {
            self.step_by_hit(side, &mut series);
            if let Some(first) = series.first_mut() {
                first.add(&factor.times(&scale));
            }
            scale = scale.times(&self.step[side]);
        }
        series
    }

    /// Multiplies by c(y), the hit of one `side`.
    fn step_by_hit(&self, side: usize, series: &mut [N]) {
        let alone = [&self.only_first, &self.only_second][side];
        // Goes from the top, so that the coefficient below is still the old one.
        for at in (0..series.len()).rev() {
            let mut sum = series[at].times(alone);
            if at > 0 && !series[at - 1].vanishes() {
                sum.add(&series[at - 1].times(&self.both));
            }
            series[at] = sum;
        }
        self.geometric(side, series);
    }

    /// Divides by 1 − βy: any number of rounds in which only the other side hurts.
    fn geometric(&self, side: usize, series: &mut [N]) {
        let other = [&self.only_second, &self.only_first][side];
        for at in 1..series.len() {
            let before = series[at - 1].times(other);
            series[at].add(&before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::number::Number;
    use super::*;
    use num_bigint::BigUint;

    /// Computes V(i, j) by its recursion.
    fn visits(race: &Race<f64>, i: usize, j: usize) -> f64 {
        let mut sum = if i + j == 0 { 1.0 } else { 0.0 };
        if i > 0 {
            sum += race.only_first * visits(race, i - 1, j);
        }
        if j > 0 {
            sum += race.only_second * visits(race, i, j - 1);
        }
        if i > 0 && j > 0 {
            sum += race.both * visits(race, i - 1, j - 1);
        }
        sum
    }

    #[test]
    fn horner_sums_the_recursion() {
        let race = f64::race([0.6, 0.3], [0.4, 0.7]);
        let fatal = [0.1, 0.25, 0.5, 0.15];
        let first = race.fatal_first(&fatal, 6);
        let second = race.fatal_second(&fatal, 6);
        for at in 0..6 {
            let expected: f64 = (0..4).map(|i| fatal[i] * visits(&race, i, at)).sum();
            assert!((first[at] - expected).abs() < 1e-15, "{at}");
            let before = |j: usize| {
                let both = at.checked_sub(1).map_or(0.0, |i| visits(&race, i, j));
                race.only_second * visits(&race, at, j) + race.both * both
            };
            let expected: f64 = (0..4).map(|j| fatal[j] * before(j)).sum();
            assert!((second[at] - expected).abs() < 1e-15, "{at}");
        }
    }

    /// 2 of 6 against 3 of 12: thirds against quarters, common factors 2 and 3.
    #[test]
    fn integers_are_in_lowest_terms() {
        let number = |n: u32| BigUint::from(n);
        let race = BigUint::race([number(2), number(3)], [number(4), number(9)]);
        assert_eq!(race.only_first, number(3)); // miss of the second, of 4
        assert_eq!(race.only_second, number(2)); // miss of the first, of 3
        assert_eq!(race.both, number(6)); // 12 − 2 · 3: somebody hurts
        assert_eq!(race.step, [number(12), number(18)]);
    }

    /// Every race ends: hits of either side come sooner or later.
    #[test]
    fn visits_of_a_row_add_up_to_the_mean_number_between_hits() {
        let race = f64::race([0.5, 0.5], [0.5, 0.5]);
        let row = race.fatal_first(&[1.0], 80);
        // Rounds in which only the second hurts, before the first does: 1/(1 − β).
        assert!((row.iter().sum::<f64>() - 1.5).abs() < 1e-12);
    }
}
