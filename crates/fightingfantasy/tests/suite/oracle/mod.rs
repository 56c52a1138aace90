//! Slow, simple answers in fractions that share no code with the crate.
//!
//! Round odds are counts (win, draw, lose).

#![allow(clippy::expect_used, reason = "a broken vector is a failed test")]

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use serde_json::Value;

/// The counts of won, drawn and lost rounds.
pub(crate) type Counts = (u64, u64, u64);

/// The test vectors, one table by its name.
#[track_caller]
pub(crate) fn vectors(table: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../../data/fightingfantasy.json")).unwrap();
    all.get(table).expect("no such table").clone()
}

/// A fraction written as "3/4".
#[track_caller]
pub(crate) fn fraction(text: &Value) -> BigRational {
    text.as_str()
        .expect("a fraction is a string")
        .parse()
        .expect("a fraction")
}

/// An integer of any width.
#[track_caller]
pub(crate) fn integer<T: TryFrom<i64>>(value: &Value) -> T {
    T::try_from(value.as_i64().expect("an integer"))
        .ok()
        .expect("an integer in range")
}

/// `a / b`.
pub(crate) fn ratio(a: impl Into<BigInt>, b: impl Into<BigInt>) -> BigRational {
    BigRational::new(a.into(), b.into())
}

/// P(2d6 ≤ `luck`), by listing the 36 rolls.
pub(crate) fn lucky(luck: u32) -> BigRational {
    let rolls = (1..=6)
        .flat_map(|a| (1..=6).map(move |b| a + b))
        .filter(|roll| *roll <= luck)
        .count();
    ratio(rolls, 36)
}

/// C(n, k) by Pascal's triangle.
pub(crate) fn binomial(n: u32, k: u32) -> BigRational {
    let mut row = vec![BigInt::from(1)];
    for _ in 0..n {
        let inner = row
            .windows(2)
            .map(|pair| &pair[0] + &pair[1])
            .collect::<Vec<_>>();
        row = [vec![1.into()], inner, vec![1.into()]].concat();
    }
    row.get(k as usize).cloned().unwrap_or_default().into()
}

/// `base` to the power `exponent`, one factor at a time.
pub(crate) fn power(base: &BigRational, exponent: u32) -> BigRational {
    (0..exponent).fold(ratio(1, 1), |value, _| value * base)
}

/// One result of a blow: its probability, given that the round is won or lost, and the STAMINA it
/// takes.
pub(crate) type Blow = (BigRational, u32);

/// P(victory), state by state: the probability of each pair of STAMINA from the lower ones.
///
/// `None` if a duel never ends.
pub(crate) fn duel(
    (win, draw, lose): Counts,
    s_h: u32,
    s_o: u32,
    hits: &[Blow],
    wounds: &[Blow],
) -> Option<BigRational> {
    let total = win + draw + lose;
    let mut values = BTreeMap::<(u32, u32), BigRational>::new();
    for h in 0..=s_h {
        for o in 0..=s_o {
            let value = if o == 0 {
                ratio(1, 1)
            } else if h == 0 {
                ratio(0, 1)
            } else {
                let mut nothing = ratio(draw, total);
                let mut value = ratio(0, 1);
                for (chance, damage) in hits {
                    let chance = chance * ratio(win, total);
                    match damage {
                        0 => nothing += chance,
                        _ => value += chance * &values[&(h, o.saturating_sub(*damage))],
                    }
                }
                for (chance, damage) in wounds {
                    let chance = chance * ratio(lose, total);
                    match damage {
                        0 => nothing += chance,
                        _ => value += chance * &values[&(h.saturating_sub(*damage), o)],
                    }
                }
                if nothing == ratio(1, 1) {
                    return None;
                }
                value / (ratio(1, 1) - nothing)
            };
            values.insert((h, o), value);
        }
    }
    values.remove(&(s_h, s_o))
}

/// P(victory) if LUCK is tested after every won round until it is used up, by listing the
/// histories.
///
/// Equations (18) and (19): every string of A (lucky, 4 points), B (unlucky, 1 point) and, once
/// LUCK is 0, plain hits of 2 points which ends with the fall of the foe, each with the product of
/// its own chances; the lost rounds are put in as in (10). Draws do not matter and are left out.
pub(crate) fn always_offensive_depleting(
    (win, _, lose): Counts,
    s_h: u32,
    s_o: u32,
    luck: u32,
) -> BigRational {
    let (rho_w, rho_l) = (ratio(win, win + lose), ratio(lose, win + lose));
    let mut victory = ratio(0, 1);
    // Unfinished histories: the STAMINA of the foe, the LUCK left, the won rounds so far, the
    // product of (18).
    let mut open = vec![(s_o, luck, 0_u32, ratio(1, 1))];
    while let Some((left, luck, wins, chance)) = open.pop() {
        if left == 0 {
            let losses = (0..s_h.div_ceil(2)).map(|l| binomial(wins - 1 + l, l) * power(&rho_l, l));
            victory += chance * power(&rho_w, wins) * losses.sum::<BigRational>();
        } else if luck == 0 {
            open.push((left.saturating_sub(2), 0, wins + 1, chance));
        } else {
            let q = lucky(luck);
            open.push((
                left.saturating_sub(1),
                luck - 1,
                wins + 1,
                &chance * (ratio(1, 1) - &q),
            ));
            open.push((left.saturating_sub(4), luck - 1, wins + 1, chance * q));
        }
    }
    victory
}

/// The same as [`always_offensive_depleting`], round by round: every string of A, B, plain hits and
/// L, nothing summed up beforehand. For STAMINA of about 8.
pub(crate) fn always_offensive_round_by_round(
    (win, _, lose): Counts,
    s_h: u32,
    s_o: u32,
    luck: u32,
) -> BigRational {
    let (rho_w, rho_l) = (ratio(win, win + lose), ratio(lose, win + lose));
    let mut victory = ratio(0, 1);
    let mut open = vec![(s_h, s_o, luck, ratio(1, 1))];
    while let Some((h, o, luck, chance)) = open.pop() {
        if o == 0 {
            victory += chance;
        } else if h > 0 {
            open.push((h.saturating_sub(2), o, luck, &chance * &rho_l));
            if luck == 0 {
                open.push((h, o.saturating_sub(2), 0, chance * &rho_w));
            } else {
                let q = lucky(luck);
                open.push((
                    h,
                    o.saturating_sub(1),
                    luck - 1,
                    &chance * &rho_w * (ratio(1, 1) - &q),
                ));
                open.push((h, o.saturating_sub(4), luck - 1, chance * &rho_w * q));
            }
        }
    }
    victory
}

/// The natural logarithm of a positive fraction up to 1, right to 200 bits.
pub(crate) fn ln(p: &BigRational) -> BigRational {
    let one = ratio(1, 1);
    if *p > ratio(1, 2) {
        return ln_near_one(&(&one - p));
    }
    // p = mantissa · 2^exponent with a mantissa between 1/4 and 1.
    let exponent =
        i64::try_from(p.numer().bits()).unwrap() - i64::try_from(p.denom().bits()).unwrap() + 1;
    let scale = BigRational::from_integer(BigInt::from(1) << exponent.unsigned_abs());
    let mantissa = if exponent < 0 { p * scale } else { p / scale };
    ln_near_one(&(one - mantissa)) - ln_near_one(&ratio(1, 2)) * ratio(exponent, 1)
}

/// ln(1 − d) = −d · Σ d^(k − 1) / k, the sum in fixed point; d up to 3/4.
fn ln_near_one(d: &BigRational) -> BigRational {
    const BITS: u32 = 256;
    let fixed = (d.numer() << BITS) / d.denom();
    let mut power = BigInt::from(1) << BITS;
    let mut sum = BigInt::from(0);
    for k in 1..1_000 {
        sum += &power / k;
        power = (power * &fixed) >> BITS;
    }
    -d * ratio(sum, BigInt::from(1) << BITS)
}
