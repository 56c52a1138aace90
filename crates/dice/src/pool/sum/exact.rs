//! Exact results from the kernels over fixed-width words.

use super::positions::{self, Words};
use super::size::few_dropped;
use super::words::{for_width, numbers, words_of};
use super::{Answer, Grid, Kept, Lot, Request, dropped, equal, mixed};
use crate::reduce::gcd;
use crate::rounding::Roundings;
use num_bigint::BigUint;
use num_traits::One;

/// Answers a request with exact weights.
pub(crate) fn answer(request: &Request<BigUint>) -> Answer<BigUint> {
    let lots = match &request.grid {
        Grid::Deck { cards, drawn } => return deck(cards, *drawn, request),
        Grid::Dice(lots) => lots,
    };
    let lots: Vec<Lot<BigUint>> = lots.iter().map(reduced).collect();
    let total = lots.iter().map(|lot| lot.total.pow(lot.count)).product();
    let (first, weights) = match (&request.kept, lots.as_slice()) {
        (&Kept::Highest(k), [lot]) if few_dropped(k, lot.count) => {
            let dropped = lot.count - k;
            (0, dropped::drop_lowest(&lot.weights, lot.count, dropped))
        }
        (&Kept::Highest(k), [lot]) => (0, equal::keep_highest(&lot.weights, lot.count, k)),
        (&Kept::Highest(k), lots) => {
            let dice = lots.iter().map(|lot| (lot.weights.clone(), lot.count));
            (0, mixed::keep_highest(&dice.collect::<Vec<_>>(), k))
        }
        (Kept::Positions(multiplicities), lots) => dice(lots, multiplicities, &total),
    };
    Answer {
        first,
        weights,
        total,
        roundings: Roundings::default(),
    }
}

/// Weights of 2 per face slow down no distribution except for the sliding windows, which need
/// weights of 1.
fn reduced(lot: &Lot<BigUint>) -> Lot<BigUint> {
    let mut common = lot.total.clone();
    for weight in lot.weights.iter().filter(|weight| weight.bits() > 0) {
        if common.is_one() {
            break;
        }
        common = gcd(&common, weight);
    }
    if common.is_one() {
        return lot.clone();
    }
    Lot {
        weights: lot.weights.iter().map(|weight| weight / &common).collect(),
        total: &lot.total / &common,
        ..lot.clone()
    }
}

fn dice(lots: &[Lot<BigUint>], multiplicities: &[i64], total: &BigUint) -> (i64, Vec<BigUint>) {
    let counts: Vec<u32> = lots.iter().map(|lot| lot.count).collect();
    let faces = lots.iter().map(|lot| lot.weights.len()).max().unwrap_or(0);
    let steps: Vec<i64> = (0..faces as i64).collect();
    let mut fair: Vec<Option<positions::Factors<Vec<u64>>>> = vec![None; lots.len()];
    let factors = |v: i64, law: usize| {
        let way = lots[law].weights.get(v as usize)?;
        if way.bits() == 0 {
            return None;
        }
        if !way.is_one() {
            return Some(positions::binomials(counts[law], way));
        }
        let table = fair[law].get_or_insert_with(|| positions::binomials(counts[law], way));
        Some(table.clone())
    };
    let words = words_of(total);
    for_width!(
        words,
        evaluated(words, &counts, multiplicities, &steps, factors)
    )
}

fn deck(cards: &[u64], drawn: u32, request: &Request<BigUint>) -> Answer<BigUint> {
    let multiplicities = request.kept.multiplicities(drawn);
    let size: u64 = cards.iter().sum();
    let mut total = BigUint::one();
    for i in 0..u64::from(drawn) {
        total = total * (size - i) / (i + 1);
    }
    let steps: Vec<i64> = (0..cards.len() as i64)
        .filter(|&v| cards[v as usize] > 0)
        .collect();
    let factors = |v: i64, _: usize| Some(positions::of_cards(drawn, cards[v as usize]));
    let words = words_of(&total);
    let counts = [drawn];
    let (first, weights) = for_width!(
        words,
        evaluated(words, &counts, &multiplicities, &steps, factors)
    );
    Answer {
        first,
        weights,
        total,
        roundings: Roundings::default(),
    }
}

fn evaluated<const WIDTH: usize>(
    words: usize,
    counts: &[u32],
    multiplicities: &[i64],
    steps: &[i64],
    factors: impl FnMut(i64, usize) -> Option<positions::Factors<Vec<u64>>>,
) -> (i64, Vec<BigUint>) {
    let law = positions::sum(
        &Words::<WIDTH>(words),
        counts,
        multiplicities,
        steps,
        factors,
    );
    (law.base, numbers(words, &law.digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_are_reduced_to_the_smallest_counts() {
        let lot = |weights: &[u32], total: u32| Lot {
            weights: weights.iter().map(|&w| w.into()).collect(),
            total: total.into(),
            count: 1,
            roundings: 0,
        };
        assert_eq!(reduced(&lot(&[4, 0, 6], 10)), lot(&[2, 0, 3], 5));
        assert_eq!(reduced(&lot(&[1, 1], 2)), lot(&[1, 1], 2));
        assert_eq!(reduced(&lot(&[7], 7)), lot(&[1], 1));
    }
}
