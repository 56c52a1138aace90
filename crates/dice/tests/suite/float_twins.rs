//! Operations of exact distributions on their float counterparts, within the stated bounds.

use num_traits::ToPrimitive;
use oddsmith_dice::{DifferenceTable, Dist, Error};

fn near(float: f64, exact: f64, bound: f64) -> bool {
    // One more rounding for the exact number as a double.
    (float - exact).abs() <= (bound + f64::EPSILON) * exact
}

#[test]
fn mixtures() {
    let parts = || (1..40).map(|n| (format!("{n}/7"), Dist::ndice(n % 7 + 1, n + 1).unwrap()));
    let exact = Dist::mixture(parts()).unwrap();
    let float = Dist::mixture(parts().map(|(weight, law)| (weight, law.to_f64()))).unwrap();
    assert_eq!(float.support(), exact.support());
    for (outcome, _) in &exact {
        let p = exact.p(outcome).to_f64().unwrap();
        assert!(near(float.p(outcome), p, float.relative_error()));
        let p = exact.at_least(outcome).to_f64().unwrap();
        assert!(near(float.at_least(outcome), p, float.relative_error()));
    }
    assert!(float.relative_error() < 1e-13);
}

#[test]
fn bad_mixtures_of_floats() {
    let die = Dist::die(6).unwrap().to_f64();
    let none: [(u8, Dist<i64, f64>); 0] = [];
    assert_eq!(Dist::mixture(none), Err(Error::EmptySupport));
    let never = Dist::mixture([(0, die.clone()), (0, die.clone())]);
    assert_eq!(never, Err(Error::ZeroTotal { outcomes: 2 }));
    let negative = Dist::mixture([(-1, die.clone())]);
    assert!(matches!(
        negative,
        Err(Error::NegativeWeight { position: 0, .. })
    ));
    let tiny = format!("1/1{}", "0".repeat(400));
    let seldom = Dist::mixture([(tiny, Dist::certain(7).to_f64()), ("1".into(), die)]);
    assert_eq!(seldom.unwrap().support(), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn independence_of_floats() {
    // Sums and products of probabilities that do not fit a double.
    let die = Dist::from_weights((1..=20).map(|n| (n, (1, n + 2)))).unwrap();
    let pair = die.to_f64().joint(&die.to_f64()).unwrap();
    assert!(pair.independent());
    let three = pair
        .joint(&pair)
        .unwrap()
        .map(|((a, b), (c, d))| (a + 21 * b, c + 21 * d));
    assert!(three.independent());
    assert!(!pair.readings(|(a, b)| a + b, |(a, _)| *a).independent());
    // A single pair is missing.
    let most = pair.given(|pair| *pair != (20, 20)).unwrap();
    assert!(!most.independent());
    // Independent except for a billionth.
    let (more, less) = (0.25 + 1e-9, 0.25 - 1e-9);
    let almost = [
        ((0, 0), more),
        ((0, 1), less),
        ((1, 0), less),
        ((1, 1), more),
    ];
    assert!(!Dist::from_float_weights(almost).unwrap().independent());
    assert!(Dist::certain((1, 2)).to_f64().independent());
}

/// Pairs less likely than any double are left out, which does not make the others dependent.
#[test]
fn independence_where_pairs_have_vanished() {
    let seldom = Dist::from_float_weights([(0, 1e-200), (1, 1.0)]).unwrap();
    let pair = seldom.joint(&seldom).unwrap();
    assert_eq!(pair.len(), 3);
    assert!(pair.independent());
}

#[test]
fn difference_tables_of_floats() {
    let (first, second) = (Dist::ndice(30, 6).unwrap(), Dist::ndice(20, 10).unwrap());
    let exact = DifferenceTable::between(&first, &second).unwrap();
    let float = DifferenceTable::between(&first.to_f64(), &second.to_f64()).unwrap();
    assert!(float.relative_error() < 1e-12);
    for d in -200..=200 {
        let pairs = [
            (float.win(d), exact.win(d)),
            (float.draw(d), exact.draw(d)),
            (float.lose(d), exact.lose(d)),
        ];
        for (float_chance, chance) in pairs {
            let chance = chance.to_f64().unwrap();
            assert!(near(float_chance, chance, float.relative_error()), "{d}");
        }
    }
    for d in [i64::MIN, i64::MAX] {
        assert_eq!(float.draw(d), 0.0);
        let (won, lost) = (float.win(d), float.lose(d));
        let (sure, never) = if d > 0 { (won, lost) } else { (lost, won) };
        assert!(near(sure, 1.0, float.relative_error()));
        assert_eq!(never, 0.0);
    }
    let half =
        DifferenceTable::between(&Dist::die(2).unwrap().to_f64(), &Dist::certain(1).to_f64());
    let text = "    win  draw  lose\n-1    0   0.5   0.5\n 0  0.5   0.5     0\nof 1";
    assert_eq!(half.unwrap().to_string(), text);
}
