//! The sum of any sorted positions of any dice, counted any number of times, by polynomials in the
//! sum for each number of dice placed.
//!
//! Faces are processed in ascending order. The dice placed so far fill the lowest positions, so
//! their sum is determined. H(c) is its generating function over the rolls in which c = (c₁, c₂, …)
//! given dice of each kind show at most v. At face v, kind by kind,
//!
//! H(c) ← Σᵢ C(c_g, i) ways(v)ⁱ x^(v (S(|c|) − S(|c| − i))) H(c − i of kind g),
//!
//! where S(m) is the sum of the lowest m multiplicities: i of the dice take the next i positions,
//! all with the same face. This is the generic engine with its hash map of sums replaced by one
//! array per state, which makes it fast. A deck is the same with C(cards of v, i) as the factor.
//!
//! In floats, H(c) is divided by the probability that those dice show at most v. The factors are
//! then binomial probabilities, and nothing overflows, however many dice there are.

use super::words::{add_each_product, digits, width};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// A polynomial in x, from x^base on.
#[derive(Clone, Debug)]
pub(super) struct Laurent<D> {
    pub(super) base: i64,
    pub(super) digits: Vec<D>,
}

/// The arithmetic of the coefficients.
pub(super) trait Arithmetic {
    /// A word of a coefficient.
    type Digit: Copy + Default;
    /// The factor of a transition.
    type Factor;

    /// The number of words per coefficient.
    fn words(&self) -> usize;
    /// The coefficient one.
    fn one(&self) -> Vec<Self::Digit>;
    fn is_zero(factor: &Self::Factor) -> bool;
    /// sum += polynomial · factor, where `sum` is the longer one.
    fn add_product(
        &self,
        sum: &mut [Self::Digit],
        polynomial: &[Self::Digit],
        factor: &Self::Factor,
    );
}

/// Integers of a fixed number of words, compiled separately for small widths.
pub(super) struct Words<const WIDTH: usize>(pub(super) usize);

impl<const WIDTH: usize> Arithmetic for Words<WIDTH> {
    type Digit = u64;
    type Factor = Vec<u64>;

    #[inline(always)]
    fn words(&self) -> usize {
        width::<WIDTH>(self.0)
    }

    fn one(&self) -> Vec<u64> {
        let mut one = vec![0; self.words()];
        one[0] = 1;
        one
    }

    fn is_zero(factor: &Vec<u64>) -> bool {
        factor.iter().all(|&digit| digit == 0)
    }

    #[inline(always)]
    fn add_product(&self, sum: &mut [u64], polynomial: &[u64], factor: &Vec<u64>) {
        add_each_product(self.words(), sum, polynomial, factor);
    }
}

/// Doubles.
pub(super) struct Doubles;

impl Arithmetic for Doubles {
    type Digit = f64;
    type Factor = f64;

    fn words(&self) -> usize {
        1
    }

    fn one(&self) -> Vec<f64> {
        vec![1.0]
    }

    fn is_zero(factor: &f64) -> bool {
        *factor == 0.0
    }

    fn add_product(&self, sum: &mut [f64], polynomial: &[f64], factor: &f64) {
        for (sum, term) in sum.iter_mut().zip(polynomial) {
            *sum += term * factor;
        }
    }
}

/// For `c` dice of a distribution at or below a face, the factor for i of them showing it. A
/// missing one is zero.
pub(super) type Factors<F> = Vec<Vec<F>>;

/// The range of the sums of the lowest m positions, per step of a face: the least and the greatest
/// sum of multiplicities from some position below m up to m.
struct Reach {
    /// The sum of the lowest m multiplicities.
    sums: Vec<i64>,
    least: Vec<i64>,
    most: Vec<i64>,
}

impl Reach {
    fn new(multiplicities: &[i64]) -> Self {
        let (mut sums, mut least, mut most) = (vec![0], vec![0], vec![0]);
        let (mut sum, mut low, mut high) = (0, 0, 0);
        for &multiplicity in multiplicities {
            sum += multiplicity;
            low = (low + multiplicity).min(0);
            high = (high + multiplicity).max(0);
            sums.push(sum);
            least.push(low);
            most.push(high);
        }
        Reach { sums, least, most }
    }
}

/// An upper bound on the number of coefficients stored at once.
pub(super) fn size(counts: &[u32], multiplicities: &[i64], top: u64) -> u128 {
    let dice: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let reach = Reach::new(multiplicities);
    let span = |m: usize| reach.least[m].abs_diff(reach.most[m]);
    // The number of states with m dice placed, by convolution, and at most all.
    let states: u128 = counts.iter().fold(1, |states, &count| {
        states.saturating_mul(u128::from(count) + 1)
    });
    let longest = (0..=dice as usize).map(span).max().unwrap_or(0);
    if counts.len() == 1 {
        let spans = (0..=dice as usize).map(|m| u128::from(span(m)));
        let spans = spans.fold(0, u128::saturating_add);
        return spans.saturating_mul(top.into()).saturating_add(states);
    }
    states.saturating_mul(
        u128::from(longest)
            .saturating_mul(top.into())
            .saturating_add(1),
    )
}

/// The generating function of the sum. `counts` holds the dice of each distribution, in total as
/// many as there are multiplicities. `factors(v, g)` is called for each of the `steps` and each
/// distribution that shows it.
pub(super) fn sum<A: Arithmetic>(
    arithmetic: &A,
    counts: &[u32],
    multiplicities: &[i64],
    steps: &[i64],
    mut factors: impl FnMut(i64, usize) -> Option<Factors<A::Factor>>,
) -> Laurent<A::Digit> {
    let words = arithmetic.words();
    let reach = Reach::new(multiplicities);
    // States are numbered in mixed radix: digit g of the index is the number of dice of law g
    // placed.
    let mut strides = Vec::with_capacity(counts.len());
    let mut states = 1_usize;
    for &count in counts {
        strides.push(states);
        states *= count as usize + 1;
    }
    let nothing = Laurent {
        base: 0,
        digits: Vec::new(),
    };
    let mut table = vec![nothing; states];
    table[0].digits = arithmetic.one();
    let placed: Vec<usize> = (0..states)
        .map(|state| {
            let digits = counts.iter().zip(&strides);
            let of = |(&count, stride): (&u32, &usize)| state / stride % (count as usize + 1);
            digits.map(of).sum()
        })
        .collect();
    for &v in steps {
        for (law, (&count, &stride)) in counts.iter().zip(&strides).enumerate() {
            let Some(factors) = factors(v, law) else {
                continue;
            };
            // Downwards, since a state is computed from those with fewer dice placed.
            for state in (0..states).rev() {
                let m = placed[state];
                let dice = state / stride % (count as usize + 1);
                let base = v * reach.least[m];
                let length = (v * (reach.most[m] - reach.least[m]) + 1) as usize;
                let mut digits: Vec<A::Digit> = Vec::new();
                for (i, factor) in factors[dice].iter().enumerate().take(dice + 1) {
                    let from = &table[state - i * stride];
                    if from.digits.is_empty() || A::is_zero(factor) {
                        continue;
                    }
                    digits.resize(length * words, A::Digit::default());
                    let shift = v * (reach.sums[m] - reach.sums[m - i]);
                    let at = (from.base + shift - base) as usize * words;
                    arithmetic.add_product(&mut digits[at..], &from.digits, factor);
                }
                table[state] = Laurent { base, digits };
            }
        }
    }
    table.swap_remove(states - 1)
}

/// C(c, i) · wayⁱ for all c up to `count`.
pub(super) fn binomials(count: u32, way: &BigUint) -> Factors<Vec<u64>> {
    let mut row = vec![BigUint::one()];
    let mut rows = Vec::with_capacity(count as usize + 1);
    for _ in 0..=count {
        rows.push(row.iter().map(digits).collect());
        // (1 + way · y) · row
        row.push(BigUint::zero());
        for i in (1..row.len()).rev() {
            let more = &row[i - 1] * way;
            row[i] += more;
        }
    }
    rows
}

/// The same factors for a deck: C(cards, i), whatever was drawn before.
pub(super) fn of_cards(drawn: u32, cards: u64) -> Factors<Vec<u64>> {
    let mut number = BigUint::one();
    let mut row = Vec::new();
    for i in 0..=u64::from(drawn).min(cards) {
        row.push(digits(&number));
        number = number * (cards - i) / (i + 1);
    }
    vec![row; drawn as usize + 1]
}

/// C(c, i) pⁱ qᶜ⁻ⁱ for all c up to `count`, each with at most 2c + 2c roundings, apart from those
/// of p and q.
pub(super) fn binomial_probabilities(count: u32, p: f64, q: f64) -> Factors<f64> {
    let mut row = vec![1.0];
    let mut rows = Vec::with_capacity(count as usize + 1);
    for _ in 0..=count {
        rows.push(row.clone());
        row.push(0.0);
        for i in (1..row.len()).rev() {
            row[i] = row[i] * q + row[i - 1] * p;
        }
        row[0] *= q;
    }
    rows
}
