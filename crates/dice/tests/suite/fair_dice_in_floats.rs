//! Sums of fair dice in floats: each weight is the exact weight, rounded once.

use num_traits::ToPrimitive;
use oddsmith_dice::{Dist, Notation};
use quickcheck::QuickCheck;

/// Less likely outcomes may lose digits.
const FAINT: f64 = 1e-290;

/// Whether a float distribution equals the exact one within its own bound, which is at most this
/// many roundings for a single outcome.
fn says(float: &Dist<i64, f64>, exact: &Dist<i64>) -> bool {
    let bound = float.relative_error();
    let twin = exact.to_f64();
    let mut all = exact.iter().map(|(outcome, _)| outcome);
    all.all(|outcome| {
        let (near, p) = (float.p(outcome), twin.p(outcome));
        match p < FAINT {
            true => near < 2.0 * FAINT,
            false => (near - p).abs() <= bound * p,
        }
    })
}

#[test]
fn any_dice_however_the_faces_are_weighted() {
    fn same(count: u8, sides: u8, weight: u8, low: i8, stride: u8) -> bool {
        let (count, sides) = (u32::from(count % 70), i64::from(sides % 40) + 1);
        let face = |step: i64| i64::from(low) + step * (i64::from(stride) + 1);
        let die = Dist::uniform((0..sides).map(face)).unwrap();
        let weight = f64::from(weight) / 7.0 + 0.1;
        let pairs = (0..sides).map(|step| (face(step), weight));
        let weighted = Dist::from_float_weights(pairs).unwrap();
        let exact = die.repeat(count).unwrap();
        [die.to_f64(), weighted]
            .iter()
            .all(|die| says(&die.repeat(count).unwrap(), &exact))
    }
    QuickCheck::new()
        .tests(200)
        .quickcheck(same as fn(u8, u8, u8, i8, u8) -> bool);
}

/// Regression test: computed by repeated squaring, a thousand dice were off by up to 10⁻¹², and the
/// least likely sums were lost.
#[test]
fn many_dice() {
    for text in ["1000d6", "3d1000", "60d100", "400d2", "30d[5..60]", "200dF"] {
        let roll: Notation = text.parse().unwrap();
        let (float, exact) = (roll.law_f64().unwrap(), roll.law().unwrap());
        assert!(says(&float, &exact), "{text}");
        for (outcome, p) in exact.pmf() {
            let (near, p) = (float.p(outcome), p.to_f64().unwrap());
            // The weight, the total, and their quotient.
            let off = 3.0 * f64::EPSILON * p;
            assert!(p < FAINT || (near - p).abs() <= off, "{text}: {outcome}");
        }
    }
}

/// Dice beyond the memory of exact distributions, for which squaring took too long as well.
#[test]
fn more_dice_than_exact_laws_hold() {
    let roll: Notation = "20000d6".parse().unwrap();
    assert!(roll.law().is_err());
    let law = roll.law_f64().unwrap();
    assert!((law.mean() - 70_000.0).abs() < 1e-6);
    assert!((law.variance() / (20_000.0 * 35.0 / 12.0) - 1.0).abs() < 1e-9);
    // Nearly normal: 1/√(2πσ²), less a fraction 3/20n of it.
    let normal = 1.0 / (2.0 * std::f64::consts::PI * law.variance()).sqrt();
    assert!((law.p(&70_000) / normal - 1.0).abs() < 1e-4);
    assert!((law.at_least(&70_000) - 0.5 - law.p(&70_000) / 2.0).abs() < 1e-9);
}
