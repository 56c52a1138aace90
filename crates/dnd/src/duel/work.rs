//! How long a duel takes to its end. Memory has limits of its own.

use super::fighter::Fighter;
use super::number::Number;
use super::pursuit::grows;
use super::race::Race;
use super::rounds::OPERATIONS_A_WORD;
use crate::Error;

/// Rejects turns that are followed one by one if they take too many operations.
pub(super) fn opening<N: Number>(
    sides: [&Fighter<N>; 2],
    turns: u64,
    limit: u64,
) -> Result<(), Error> {
    if turns == 0 {
        return Ok(());
    }
    let [first, second] = sides;
    let bits = (grows(first, second) + grows(second, first)) as f64;
    let turns = turns as f64;
    let points = sides.map(|side| side.standing() as f64 + 1.0);
    // Numbers are half as long on average as in the end.
    let long = 1.0 + turns * bits / 128.0;
    let met = [0, 1].map(|side| {
        // Each turn is in one phase, which meets all hit points, and passes the others by.
        let phases = sides[side].phases();
        let outcomes = phases.iter().map(|p| p.damage().len() + p.next().len());
        let outcomes = outcomes.sum::<usize>() as f64;
        points[1 - side] * outcomes * product(1.0 + bits / 64.0, long) + turns * phases.len() as f64
    });
    // Who falls leaves the other with each number of hit points.
    let ends = turns * (points[0] + points[1]) * product(long, long);
    check(met[0] + met[1] + ends, sides.map(Fighter::standing), limit)
}

/// Rejects a race if it takes too many operations. `hits` is the damage of a turn of the first and
/// of the second side that hurts, and `starts` the hit points of the second side, then of the first.
pub(super) fn race<N: Number>(
    race: &Race<N>,
    hits: [&[(i64, N)]; 2],
    starts: &[Vec<N>; 2],
    limit: u64,
) -> Result<(), Error> {
    let words = |bits: u64| match N::EXACT {
        true => bits as f64 / 64.0,
        false => 0.0,
    };
    let longest = |all: &mut dyn Iterator<Item = &N>| words(all.map(N::length).max().unwrap_or(0));
    let points = [0, 1].map(|side| starts[side].len() as f64);
    let levels = [0, 1].map(|side| {
        let least = hits[side].first().map_or(points[side], |hit| hit.0 as f64);
        (points[side] / least).ceil().max(1.0)
    });
    let hit = [0, 1].map(|side| longest(&mut hits[side].iter().map(|(_, weight)| weight)));
    let start = [0, 1].map(|side| longest(&mut starts[side].iter()));
    // What the hits of each side do: half of the hit points are left on average, and half of the
    // outcomes leave any.
    let parts = [0, 1].map(|side| 1.0 + start[side] + levels[side] * hit[side] / 2.0);
    let damage = [0, 1].map(|side| {
        let met = levels[side] * points[side] * hits[side].len() as f64 / 4.0;
        met * product(parts[side], 1.0 + hit[side])
    });
    // How they interleave: three products with short numbers for each pair of hits, three times.
    let numbers = [&race.only_first, &race.only_second, &race.both];
    let short = 1.0 + longest(&mut numbers.into_iter().chain(&race.step));
    let most = parts[0] + parts[1] + (levels[0] + levels[1]) * (short - 1.0);
    let long = 1.0 + most / 2.0;
    let step = product(short, long);
    let pairs = 9.0 * levels[0] * levels[1] * step;
    // The distribution: a product of long numbers for each hit and hit point.
    let mixed = [0, 1].map(|side| {
        let each = step + product(parts[side], long) / 2.0;
        levels[side] * points[side] * each
    });
    // Common divisors of some numbers of full length, bit by bit.
    let reduced = if N::EXACT { 128.0 * most * most } else { 0.0 };
    let operations = damage[0] + damage[1] + pairs + mixed[0] + mixed[1] + reduced;
    check(operations, points.map(|points| points as i64 - 1), limit)
}

/// Returns the operations of a product of numbers of this many words, which is faster than word by
/// word where both are long.
fn product(one: f64, other: f64) -> f64 {
    const LONG: f64 = 32.0;
    let (less, more) = (one.min(other), one.max(other));
    match less > LONG {
        true => more * LONG * (less / LONG).powf(0.585),
        false => more * less,
    }
}

fn check(operations: f64, points: [i64; 2], limit: u64) -> Result<(), Error> {
    // Beyond the range of integers it saturates.
    let words = operations as u128 / OPERATIONS_A_WORD;
    match words > u128::from(limit) {
        true => Err(Error::DuelTooLarge {
            hit_points: points[0].max(points[1]),
            words,
            limit,
        }),
        false => Ok(()),
    }
}
