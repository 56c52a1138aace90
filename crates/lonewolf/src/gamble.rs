//! Play at the Cartwheel for as long as one likes: where to stop, and the value of play.

use num_rational::BigRational;
use num_traits::{Num, One, Zero};

use crate::wheel::{PURSE, SPIN, after};

/// The number of possible numbers of Crowns.
const SIZE: usize = PURSE + 1;

/// Returns the value of playing on or stopping at will with 0 to 50 Crowns, given the value `stop`
/// of stopping with each, and whether to play on with each.
///
/// Policy iteration in floats would not do. The wheel favours the player, so someone who wants to
/// be rid of his Crowns needs about a million spins from 50 of them, and one spin is worth a
/// millionth of the total gain. That is too little to be distinguished from rounding errors, and a
/// tolerance for one spin would be exceeded a million times. Where to play is therefore not decided
/// by computed values but by `stop` alone, without any doubt.
pub(crate) fn gamble(stop: &[f64]) -> (Vec<f64>, Vec<bool>) {
    let plays = where_to_play(stop, f64::from, clearly).unwrap_or_else(|| exactly(stop));
    (play_value(stop, &plays), plays)
}

/// Returns [`where_to_play`] in fractions, which always decide.
fn exactly(stop: &[f64]) -> Vec<bool> {
    let stop = stop.iter().map(|&value| BigRational::from_float(value));
    let stop: Vec<BigRational> = stop.map(Option::unwrap_or_default).collect();
    let number = |numbers: u8| BigRational::from_integer(numbers.into());
    let plays = where_to_play(&stop, number, |gain, loss| Some(gain > loss));
    plays.unwrap_or_else(|| vec![false; SIZE])
}

/// Returns whether a gain outweighs a loss, if floats can decide it.
///
/// A weight has at most [`GAMBLE_ROUNDINGS`] roundings, and differences and their sum at most fifty
/// more, so gain and loss have relative errors of at most 3.2·10⁻¹¹. If all ends are better, or
/// none is, there is nothing to compare. That is nearly always so.
fn clearly(gain: &f64, loss: &f64) -> Option<bool> {
    const CLEAR: f64 = 1.0 + 1e-10;
    match () {
        () if *gain > loss * CLEAR => Some(true),
        () if *loss >= gain * CLEAR => Some(false),
        () => None,
    }
}

/// Returns where to play on, or nothing if `pays` could not decide whether a gain outweighs a loss.
///
/// Where playing until one has some other number of Crowns pays, nobody stops. Those numbers are
/// eliminated, which leaves a smaller game with the same value. When nothing is left to eliminate,
/// stopping is best wherever it is still possible (I. M. Sonin, "The elimination algorithm for the
/// problem of optimal stopping", Mathematical Methods of Operations Research 49, 1999).
fn where_to_play<N: Num + Clone + PartialOrd>(
    stop: &[N],
    number: impl Fn(u8) -> N,
    pays: impl Fn(&N, &N) -> Option<bool>,
) -> Option<Vec<bool>> {
    let mut ways = spins(number);
    let mut plays = vec![false; SIZE];
    loop {
        let mut settled = true;
        for crowns in 1..SIZE {
            if plays[crowns] {
                continue;
            }
            let (mut gain, mut loss) = (N::zero(), N::zero());
            let here = &stop[crowns];
            for (way, there) in ways[crowns].iter().zip(stop) {
                if way.is_zero() || here == there {
                    continue;
                }
                // Differences are used, since each has only one rounding.
                match there > here {
                    true => gain = gain + way.clone() * (there.clone() - here.clone()),
                    false => loss = loss + way.clone() * (here.clone() - there.clone()),
                }
            }
            if pays(&gain, &loss)? {
                plays[crowns] = true;
                settled = false;
                eliminate(&mut ways, crowns, |other| !plays[other]);
            }
        }
        if settled {
            return Some(plays);
        }
    }
}

/// Returns the weights of a spin from each number of Crowns to the others, leaving out those that
/// change nothing.
fn spins<N: Num + Clone>(number: impl Fn(u8) -> N) -> Vec<Vec<N>> {
    let mut ways = vec![vec![N::zero(); SIZE]; SIZE];
    for (crowns, ways) in ways.iter_mut().enumerate().skip(1) {
        for &(change, numbers) in &SPIN {
            let to = usize::from(after(crowns as u8, change));
            if to != crowns {
                ways[to] = ways[to].clone() + number(numbers);
            }
        }
    }
    ways
}

/// Eliminates a number of Crowns: play that arrives there from any number for which `staying` is
/// true now continues from there at once.
///
/// The elimination is that of W. K. Grassmann, M. I. Taksar and D. P. Heyman ("Regenerative
/// analysis and steady state distributions for Markov chains", Operations Research 33, 1985).
/// Nothing is ever subtracted, so no digits are lost.
fn eliminate<N: Num + Clone>(ways: &mut [Vec<N>], crowns: usize, staying: impl Fn(usize) -> bool) {
    let own = &mut ways[crowns];
    let leaving = own.iter().fold(N::zero(), |sum, way| sum + way.clone());
    for way in own.iter_mut().filter(|way| !way.is_zero()) {
        *way = way.clone() / leaving.clone();
    }
    let own = own.clone();
    for (other, ways) in ways.iter_mut().enumerate().skip(1) {
        if other == crowns || !staying(other) || ways[crowns].is_zero() {
            continue;
        }
        let there = std::mem::replace(&mut ways[crowns], N::zero());
        for (way, on) in ways.iter_mut().zip(&own) {
            if !on.is_zero() {
                *way = way.clone() + there.clone() * on.clone();
            }
        }
        ways[other] = N::zero();
    }
}

/// Returns the value of playing wherever `plays` says so.
///
/// Nothing is subtracted here either, so every value is right to within [`GAMBLE_ROUNDINGS`]
/// roundings.
fn play_value(stop: &[f64], plays: &[bool]) -> Vec<f64> {
    let mut ways = spins(f64::from);
    let playing: Vec<usize> = (1..SIZE).filter(|&crowns| plays[crowns]).collect();
    for &crowns in &playing {
        eliminate(&mut ways, crowns, |other| other > crowns && plays[other]);
    }
    let mut values = stop.to_vec();
    for &crowns in playing.iter().rev() {
        let parts = ways[crowns].iter().zip(&values);
        values[crowns] = parts.map(|(way, value)| way * value).sum();
    }
    values
}

/// The largest number of roundings in a value of [`gamble`].
///
/// Computed in floats, the elimination of one of n states is exact for weights that are each
/// changed by at most n + 2 roundings. Changing all weights by one rounding changes the chances of
/// ends by at most 2·n (C. A. O'Cinneide, "Entrywise perturbation theory and error analysis for
/// Markov chains", Numerische Mathematik 65, 1993). There are n eliminations, and at last each
/// state takes a sum of n products.
pub(crate) const GAMBLE_ROUNDINGS: u32 = 2 * 51 * 51 * 53 + 51 * 52;

/// Returns the distribution of the final number of Crowns if one plays wherever `plays` says so.
pub(crate) fn law_of(gold: u8, plays: &[bool]) -> Vec<BigRational> {
    let size = PURSE + 1;
    let mut rows = vec![vec![BigRational::zero(); size]; size];
    // Forwards: the expected numbers of visits n satisfy n = start + n P.
    for crowns in 0..size {
        rows[crowns][crowns] += BigRational::one();
        if plays[crowns] {
            for &(change, numbers) in &SPIN {
                let to = usize::from(after(crowns as u8, change));
                rows[to][crowns] -= BigRational::new(numbers.into(), 10.into());
            }
        }
    }
    let mut visits = vec![BigRational::zero(); size];
    visits[usize::from(gold)] = BigRational::one();
    for pivot in (0..size).rev() {
        for row in 0..pivot {
            if rows[row][pivot].is_zero() {
                continue;
            }
            let factor = &rows[row][pivot] / &rows[pivot][pivot];
            let own = rows[pivot].clone();
            for (entry, over) in rows[row].iter_mut().zip(&own).take(pivot + 1) {
                if !over.is_zero() {
                    *entry -= &factor * over;
                }
            }
            let less = &factor * &visits[pivot];
            visits[row] -= less;
        }
    }
    for row in 0..size {
        let mut sum = visits[row].clone();
        for column in 0..row {
            sum -= &rows[row][column] * &visits[column];
        }
        visits[row] = sum / &rows[row][row];
    }
    for (visits, plays) in visits.iter_mut().zip(plays) {
        if *plays {
            *visits = BigRational::zero();
        }
    }
    visits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wheel::Laws;
    use num_traits::ToPrimitive;
    use quickcheck::QuickCheck;

    /// The probability of an end.
    fn p(laws: &Laws, gold: u8, end: u8) -> BigRational {
        let law = laws.from(gold).into_iter();
        law.filter(|&(other, _)| other == end)
            .map(|(_, p)| p.reduced())
            .sum()
    }

    /// A player who values nothing but a target plays for it, with the chances of the distribution.
    #[test]
    fn gambling_for_a_target_is_playing_for_it() {
        let stop: Vec<f64> = (0..=PURSE)
            .map(|gold| f64::from(u8::from(gold >= 20)))
            .collect();
        let (values, plays) = gamble(&stop);
        assert!((1..20).all(|gold| plays[gold]) && (20..=PURSE).all(|gold| !plays[gold]));
        let laws = Laws::new(20);
        let reached: f64 = laws.floats(7)[1..].iter().map(|(_, p)| p).sum();
        assert!((values[7] - reached).abs() < 1e-14);
        let law = law_of(7, &plays);
        assert!((0..=50).all(|end| law[usize::from(end)] == p(&laws, 7, end)));
    }

    /// Stopping may have any values: play goes on from a dip, and stops at a peak.
    #[test]
    fn nothing_is_better_than_the_best_policy() {
        let stop: Vec<f64> = (0..=PURSE)
            .map(|gold| f64::from((gold * 37 % 11) as u8) / 11.0)
            .collect();
        let (values, plays) = gamble(&stop);
        for gold in 1..=PURSE {
            let on: f64 = SPIN
                .iter()
                .map(|&(change, n)| {
                    f64::from(n) / 10.0 * values[usize::from(after(gold as u8, change))]
                })
                .sum();
            let best = if plays[gold] { on } else { stop[gold] };
            assert!((values[gold] - best).abs() < 1e-12);
            assert!(values[gold] > on - 1e-11 && values[gold] > stop[gold] - 1e-11);
        }
    }

    /// The values of stopping where `plays` says so are those of the best policy if none is less
    /// than the value of stopping or of a spin. This is checked in fractions, so without any
    /// tolerance.
    fn check_best(stop: &[f64]) -> bool {
        let (values, plays) = gamble(stop);
        let exact = |value: f64| BigRational::from_float(value).unwrap_or_default();
        // Rows of 10 v(g) = 7 v(g − 1) + 2 v(g + 4) + v(g + 7), solved from above.
        let mut rows = vec![vec![BigRational::zero(); SIZE + 1]; SIZE];
        for (gold, row) in rows.iter_mut().enumerate() {
            row[gold] += BigRational::from_integer(10.into());
            match plays[gold] {
                true => SPIN.iter().for_each(|&(change, numbers)| {
                    let to = usize::from(after(gold as u8, change));
                    row[to] -= BigRational::from_integer(numbers.into());
                }),
                false => row[SIZE] = exact(stop[gold]) * BigRational::from_integer(10.into()),
            }
        }
        for gold in 0..SIZE {
            let pivot = rows[gold].clone();
            for row in &mut rows[gold + 1..] {
                if row[gold].is_zero() {
                    continue;
                }
                let factor = &row[gold] / &pivot[gold];
                for (entry, over) in row.iter_mut().zip(&pivot) {
                    if !over.is_zero() {
                        *entry -= &factor * over;
                    }
                }
            }
        }
        let mut best = vec![BigRational::zero(); SIZE];
        for gold in (0..SIZE).rev() {
            let mut sum = rows[gold][SIZE].clone();
            for to in gold + 1..SIZE {
                sum -= &rows[gold][to] * &best[to];
            }
            best[gold] = sum / &rows[gold][gold];
        }
        (0..SIZE).all(|gold| {
            let spins = SPIN.iter().map(|&(change, numbers)| {
                BigRational::new(numbers.into(), 10.into())
                    * &best[usize::from(after(gold as u8, change))]
            });
            let on: BigRational = spins.sum();
            let float = best[gold].to_f64().unwrap_or(f64::NAN);
            let error = f64::from(GAMBLE_ROUNDINGS) * f64::EPSILON * float;
            best[gold] >= exact(stop[gold])
                && (gold == 0 || best[gold] >= on)
                && (values[gold] - float).abs() <= error
        })
    }

    /// A player who gains a little more by losing all his Crowns than by keeping them plays on even
    /// from 50, although a spin gains only a millionth of it there.
    #[test]
    fn a_million_spins_are_not_too_many() {
        for little in [1e-2, 1e-7, 1e-9, 1e-11, 1e-15] {
            let mut stop = vec![1.0 - little; SIZE];
            stop[0] = 1.0;
            let (values, plays) = gamble(&stop);
            assert!((1..SIZE).all(|crowns| plays[crowns]), "{little}");
            assert!(values.iter().all(|value| (value - 1.0).abs() < 1e-14));
            assert!(check_best(&stop), "{little}");
        }
    }

    /// If there is neither gain nor loss, fractions decide, and nobody plays.
    #[test]
    fn even_chances_are_in_doubt_for_floats_only() {
        // From one crown: seven numbers lose 3/16, three win 7/16.
        let mut stop = vec![10.0 / 16.0; SIZE];
        (stop[0], stop[1]) = (0.0, 3.0 / 16.0);
        assert_eq!(where_to_play(&stop, f64::from, clearly), None);
        assert!(!gamble(&stop).1[1] && check_best(&stop));
        // With one Crown, a trillionth is now a reason to play; with more there is none.
        (2..SIZE).for_each(|crowns| stop[crowns] += 1.0 / 1_099_511_627_776.0);
        assert_eq!(where_to_play(&stop, f64::from, clearly), None);
        let plays = gamble(&stop).1;
        assert!((0..SIZE).all(|crowns| plays[crowns] == (crowns == 1)));
        assert!(check_best(&stop));
    }

    /// Random values, many of them nearly equal.
    #[test]
    fn no_policy_is_better() {
        fn property(levels: Vec<u8>, near: Vec<u8>, digits: u8) -> bool {
            let of = |list: &[u8], gold: usize, most: u8| match list.len() {
                0 => 0.0,
                len => f64::from(list[gold % len] % most),
            };
            let unit = 10.0_f64.powi(-i32::from(digits % 16));
            let stop = |gold| (of(&levels, gold, 3) + unit * of(&near, gold, 4)) / 8.0;
            check_best(&(0..SIZE).map(stop).collect::<Vec<f64>>())
        }
        QuickCheck::new()
            .tests(100)
            .quickcheck(property as fn(Vec<u8>, Vec<u8>, u8) -> bool);
    }
}
