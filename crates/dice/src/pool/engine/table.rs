//! The number of ways in which c of the r dice left show a face.
//!
//! Integers count C(r, c)·wᶜ ways, and the others are left for later faces. Floats would overflow,
//! since C(1100, 550) is above 10³⁰⁸. They therefore use probabilities, given that the dice left
//! show this face or a later one: C(r, c)·pᶜ·qʳ⁻ᶜ with p = w/(w + v) and q = v/(w + v), where v is
//! the weight of all later faces. The product over all faces is the same up to the total.

use super::number::{Counted, Number, Whole};
use crate::rounding;
use num_bigint::BigUint;

/// The ways by the number d of dice of a group that showed earlier faces and the number c that show
/// this one; r = n − d of n dice are left.
#[derive(Clone, Debug)]
pub(crate) struct Table<V> {
    /// Row d, column c: the others are left for later faces. Zero if this is impossible.
    pub(crate) open: Rows<V>,
    /// Row d, column c: the same times the ways of the others. Only for a pool that is closed
    /// before all of its dice are taken.
    pub(crate) done: Rows<V>,
    /// Row d, column k: the sum of `done` over c ≥ k. Only for such a pool.
    pub(crate) at_least: Rows<V>,
}

/// A matrix in one allocation, since small pools would spend their time on allocations.
#[derive(Clone, Debug)]
pub(crate) struct Rows<V> {
    width: usize,
    entries: Vec<V>,
}

impl<V: Number> Rows<V> {
    /// Reserves space for rows of this width.
    fn new(width: usize, rows: usize) -> Self {
        Rows {
            width,
            entries: Vec::with_capacity(width * rows),
        }
    }

    /// Appends a row, padded with zeros.
    fn push(&mut self, row: impl IntoIterator<Item = V>) {
        let end = self.entries.len() + self.width;
        self.entries.extend(row.into_iter().take(self.width));
        self.entries.resize(end, V::zero());
    }

    pub(crate) fn row(&self, index: usize) -> &[V] {
        self.entries
            .get(index * self.width..(index + 1) * self.width)
            .unwrap_or(&[])
    }

    /// Reverses the order of the rows.
    fn reverse(&mut self) {
        let rows = self.entries.len() / self.width;
        for low in 0..rows / 2 {
            for column in 0..self.width {
                self.entries.swap(
                    low * self.width + column,
                    (rows - 1 - low) * self.width + column,
                );
            }
        }
    }
}

impl<V: Number> Table<V> {
    pub(crate) fn new() -> Self {
        Table::of(1, 0, false)
    }

    fn of(width: usize, rows: usize, closes: bool) -> Self {
        let closing = if closes { rows } else { 0 };
        Table {
            open: Rows::new(width, rows),
            done: Rows::new(width, closing),
            at_least: Rows::new(width, closing),
        }
    }
}

/// Equal dice at one face.
#[derive(Debug)]
pub(crate) struct DieFace<'a, V> {
    /// The number of dice of the group.
    pub(super) dice: u64,
    /// The number of positions of the pool up to the last that counts.
    pub(super) active: u64,
    /// Whether the pool is closed before all of its dice are taken.
    pub(super) closes: bool,
    /// C(r, c) by the number of dice taken and c, where it is needed.
    pub(super) binomials: &'a Rows<V>,
    /// The weight of this face.
    pub(super) here: &'a V,
    /// The weight of the later faces.
    pub(super) later: &'a V,
}

/// A deck at one face.
#[derive(Debug)]
pub(crate) struct CardFace {
    /// The number of cards drawn.
    pub(super) drawn: u64,
    /// The number of positions of the pool up to the last that counts.
    pub(super) active: u64,
    /// Whether the pool is closed before all of its cards are taken.
    pub(super) closes: bool,
    /// The number of cards that show this face.
    pub(super) here: u64,
    /// The number of cards that show later faces.
    pub(super) later: u64,
}

/// The largest c needed, for `active` positions and `left` dice, when `taken` dice showed earlier
/// faces.
fn most(active: u64, closes: bool, taken: u64, left: u64) -> usize {
    // More dice would close the pool, which is covered by one sum.
    let most = if closes {
        left.min(active - taken)
    } else {
        left
    };
    most as usize
}

/// xⁿ. No power of a face's weight that is needed exceeds the total.
pub(super) fn power<V: Number>(base: &V, mut exponent: u64) -> V {
    let (mut power, mut square) = (V::one(), base.clone());
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power.times(&square);
        }
        exponent >>= 1;
        if exponent > 0 {
            square = square.times(&square);
        }
    }
    power
}

/// x⁰, x¹, …, xⁿ.
fn powers<V: Number>(base: &V, n: usize) -> Vec<V> {
    let mut powers = Vec::with_capacity(n + 1);
    let mut power = V::one();
    for _ in 0..n {
        let next = power.times(base);
        powers.push(power);
        power = next;
    }
    powers.push(power);
    powers
}

/// C(n − d, c) for d = 0 ..= taken and every c that is needed.
pub(super) fn binomials<V: Number>(n: u64, active: u64, closes: bool) -> Rows<V> {
    let taken = n.min(active);
    let width = most(active, closes, 0, n) + 1;
    let mut rows = Rows::new(width, taken as usize + 1);
    let mut row: Vec<V> = Vec::with_capacity(width);
    for r in 0..=n {
        for c in (1..row.len()).rev() {
            let left = row[c - 1].clone();
            row[c].add(&left);
        }
        if row.len() < width {
            row.push(V::one());
        }
        if r + taken >= n {
            rows.push(row.iter().cloned());
        }
    }
    rows.reverse();
    rows
}

/// The table of dice in integers.
pub(super) fn whole_dice<V: Whole>(face: &DieFace<'_, V>) -> Table<V> {
    let taken = face.dice.min(face.active);
    let widest = most(face.active, face.closes, 0, face.dice);
    let mut table = Table::of(widest + 1, taken as usize + 1, face.closes);
    let plain = face.here.is_one();
    let up = if plain {
        Vec::new()
    } else {
        powers(face.here, widest)
    };
    let mut both = face.here.clone();
    both.add(face.later);
    for d in 0..=taken {
        let left = face.dice - d;
        let most = most(face.active, face.closes, d, left);
        let binomials = face.binomials.row(d as usize);
        // Without later faces, all dice left show this one.
        let ways = |c: usize| match (face.later.is_zero(), up.get(c)) {
            (true, _) if c as u64 != left => V::zero(),
            (true, up) => up.cloned().unwrap_or_else(V::one),
            (false, Some(up)) => binomials[c].times(up),
            (false, None) => binomials[c].clone(),
        };
        table.open.push((0..=most).map(ways));
        if face.closes {
            // later^(left − c), from the lowest power upwards.
            let mut down = power(face.later, left - most as u64);
            let mut done = vec![V::zero(); most + 1];
            for (ways, open) in done.iter_mut().zip(table.open.row(d as usize)).rev() {
                *ways = open.times(&down);
                down = down.times(face.later);
            }
            table
                .at_least
                .push(sums_from_all(power(&both, left), &done));
            table.done.push(done);
        }
    }
    table
}

/// Σ over c ≥ k for each k, given the sum over all c.
fn sums_from_all<V: Whole>(all: V, done: &[V]) -> Vec<V> {
    let mut sums = Vec::with_capacity(done.len());
    let mut rest = all;
    for ways in done {
        let next = rest.minus(ways);
        sums.push(rest);
        rest = next;
    }
    sums
}

/// C(n, 0), …, C(n, k).
pub(super) fn binomial_row(n: u64, k: u64) -> Vec<BigUint> {
    let mut row = vec![BigUint::from(1_u32)];
    for c in 0..k {
        let next = if c < n {
            &row[c as usize] * (n - c) / (c + 1)
        } else {
            BigUint::ZERO
        };
        row.push(next);
    }
    row
}

/// The table of cards in integers.
pub(super) fn whole_cards<V: Whole>(face: &CardFace) -> Table<V> {
    let widest = most(face.active, face.closes, 0, face.drawn);
    let taken = face.drawn.min(face.active);
    let mut table = Table::of(widest + 1, taken as usize + 1, face.closes);
    let up = binomial_row(face.here, face.drawn);
    let (mut down, mut all) = (Vec::new(), Vec::new());
    if face.closes {
        down = binomial_row(face.later, face.drawn);
        all = binomial_row(face.here + face.later, face.drawn);
    }
    for d in 0..=taken {
        let left = face.drawn - d;
        let most = most(face.active, face.closes, d, left);
        let possible = |c: usize| left - c as u64 <= face.later && c as u64 <= face.here;
        let ways = |c: usize| {
            if possible(c) {
                V::from_big(&up[c])
            } else {
                V::zero()
            }
        };
        let open: Vec<V> = (0..=most).map(ways).collect();
        if face.closes {
            let both = |c: usize| {
                let others = &down[(left - c as u64) as usize];
                if possible(c) {
                    open[c].times(&V::from_big(others))
                } else {
                    V::zero()
                }
            };
            let done: Vec<V> = (0..=most).map(both).collect();
            // Zero where fewer cards are left than must be drawn; no path leads there.
            let all = &all[left as usize];
            let all = if left <= face.here + face.later {
                V::from_big(all)
            } else {
                V::zero()
            };
            table.at_least.push(sums_from_all(all, &done));
            table.done.push(done);
        }
        table.open.push(open);
    }
    table
}

/// The table of dice in probabilities, by Pascal's triangle with one die per row: all terms are
/// positive.
pub(super) fn float_dice(face: &DieFace<'_, Counted>) -> Table<Counted> {
    let mut all = *face.here;
    all.add(face.later);
    let (p, q) = (face.here.over(all), face.later.over(all));
    let taken = face.dice.min(face.active);
    let width = most(face.active, face.closes, 0, face.dice);
    let mut table = Table::of(width + 1, taken as usize + 1, face.closes);
    let mut row = vec![Counted::one()];
    // The probability that at least k of the dice show the face, split by the die that is the k-th
    // to show it.
    let mut tail = vec![Counted::zero(); width + 1];
    tail[0] = Counted::one();
    for r in 0..=face.dice {
        if r > 0 {
            for k in 1..=width.min(row.len()) {
                tail[k].add_product(&row[k - 1], &p);
            }
            let mut next = Vec::with_capacity(row.len() + 1);
            next.push(row[0].times(&q));
            for pair in row.windows(2) {
                let mut sum = pair[1].times(&q);
                sum.add_product(&pair[0], &p);
                next.push(sum);
            }
            if next.len() <= width {
                next.push(row[row.len() - 1].times(&p));
            }
            row = next;
        }
        if r + taken >= face.dice {
            let most = most(face.active, face.closes, face.dice - r, r);
            table.open.push(row[..=most].iter().copied());
            if face.closes {
                table.at_least.push(tail[..=most].iter().copied());
            }
        }
    }
    table.open.reverse();
    table.at_least.reverse();
    if face.closes {
        table.done = table.open.clone();
    }
    table
}

/// The table of cards in probabilities: that of the most likely number of cards is computed
/// exactly, and the others follow by their quotients.
pub(super) fn float_cards(face: &CardFace) -> Table<Counted> {
    let widest = most(face.active, face.closes, 0, face.drawn);
    let taken = face.drawn.min(face.active);
    let mut table = Table::of(widest + 1, taken as usize + 1, face.closes);
    let rows = binomial_rows(face.here, face.later, face.drawn);
    for d in 0..=taken {
        let left = face.drawn - d;
        let row = hypergeometric(&rows, face.here, face.later, left);
        let most = most(face.active, face.closes, d, left);
        if face.closes {
            let mut sums = row.clone();
            for k in (0..left as usize).rev() {
                let above = sums[k + 1];
                sums[k].add(&above);
            }
            sums.truncate(most + 1);
            table.at_least.push(sums);
            table.done.push(row[..=most].iter().copied());
        }
        table.open.push(row[..=most].iter().copied());
    }
    table
}

/// Binomial coefficients of the cards here, later, and both.
fn binomial_rows(here: u64, later: u64, drawn: u64) -> [Vec<BigUint>; 3] {
    [here, later, here + later].map(|cards| binomial_row(cards, drawn))
}

/// The distribution of the number of cards among `here`, and not among `later`, if `left` cards are
/// drawn.
fn hypergeometric(
    [of_here, of_later, of_all]: &[Vec<BigUint>; 3],
    here: u64,
    later: u64,
    left: u64,
) -> Vec<Counted> {
    let mut row = vec![Counted::zero(); left as usize + 1];
    let (least, most) = (left.saturating_sub(later), left.min(here));
    if least > most {
        return row;
    }
    let wide = |a: u64, b: u64| u128::from(a + 1) * u128::from(b + 1);
    let mode = (wide(left, here) / u128::from(here + later + 2)) as u64;
    let mode = mode.clamp(least, most);
    let ways = &of_here[mode as usize] * &of_later[(left - mode) as usize];
    let p = rounding::nearest(&ways, &of_all[left as usize]);
    row[mode as usize] = Counted::new(p, 1);
    // h(c + 1)/h(c) = (here − c)(left − c) / ((c + 1)(later − left + c + 1)). The factors are below
    // 2⁵³ and therefore exact.
    let product = |a: u64, b: u64| Counted::new(a as f64, 0).times(&Counted::new(b as f64, 0));
    let ratio = |c: u64| {
        [
            product(here - c, left - c),
            product(c + 1, later + c + 1 - left),
        ]
    };
    for c in mode..most {
        let [up, down] = ratio(c);
        row[c as usize + 1] = row[c as usize].times(&up).over(down);
    }
    for c in (least..mode).rev() {
        let [up, down] = ratio(c);
        row[c as usize] = row[c as usize + 1].times(&down).over(up);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_where_they_are_asked_for() {
        let all = binomials::<u64>(4, 4, false);
        assert_eq!(all.row(0), [1, 4, 6, 4, 1]);
        assert_eq!(all.row(4), [1, 0, 0, 0, 0]);
        // Two positions of ten: no row below eight, no column past two.
        let few = binomials::<u64>(10, 2, true);
        assert_eq!(few.entries, [1, 10, 45, 1, 9, 36, 1, 8, 28]);
    }

    #[test]
    fn hypergeometric_rows_sum_to_one() {
        for (here, later, left) in [(4, 48, 5), (0, 3, 2), (3, 0, 2), (500, 700, 900), (1, 1, 0)] {
            let row = hypergeometric(&binomial_rows(here, later, left), here, later, left);
            let sum: f64 = row.iter().map(|p| p.into_weight()).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{here} {later} {left}: {sum}");
        }
    }

    #[test]
    fn closing_counts_what_is_left() {
        let binomials = binomials::<u64>(3, 1, true);
        let face = DieFace {
            dice: 3,
            active: 1,
            closes: true,
            binomials: &binomials,
            here: &1,
            later: &5,
        };
        // Some six among three dice, and none.
        let table = whole_dice(&face);
        assert_eq!(table.at_least.row(0), [216, 91]);
        assert_eq!(table.done.row(0), [125, 75]);
        assert_eq!(table.open.row(0), [1, 3]);
    }
}
