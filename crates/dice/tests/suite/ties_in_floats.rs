//! Exact ties in fractions are ties in floats, too: quantiles, modes, cells of a goodness-of-fit
//! test. Regression test: a sum of rounded weights fell short of the tie, so the next outcome was
//! chosen.

use num_rational::BigRational;
use oddsmith_dice::Dist;
use quickcheck::QuickCheck;

#[test]
fn every_quantile_of_a_die() {
    for sides in 1..=100_u32 {
        let die = Dist::die(sides).unwrap();
        let float = die.to_f64();
        for part in 0..=sides {
            let exact = die.quantile((part, sides)).unwrap();
            let same = float.quantile((part, sides)).unwrap();
            assert_eq!(same, exact, "{part} of {sides}");
        }
        assert_eq!(float.median(), die.median());
        assert_eq!(float.modes(), die.modes());
        assert_eq!(float.interquartile_range(), die.interquartile_range());
    }
}

#[test]
fn medians_and_modes_of_many_dice() {
    for sides in 2..=12 {
        for count in 1..=30 {
            let exact = Dist::ndice(count, sides).unwrap();
            let die = Dist::die(sides).unwrap().to_f64();
            for float in [die.repeat(count).unwrap(), exact.to_f64()] {
                assert_eq!(float.median(), exact.median(), "{count}d{sides}");
                assert_eq!(float.modes(), exact.modes(), "{count}d{sides}");
                assert_eq!(float.mode(), exact.mode(), "{count}d{sides}");
            }
        }
    }
}

/// Every cumulative probability of a random distribution is a quantile at a tie; slightly more
/// gives the next outcome.
#[test]
fn edges_of_any_law() {
    fn same(weights: Vec<u16>) -> bool {
        let pairs = (0_i64..).zip(weights.iter().map(|weight| u64::from(*weight) + 1));
        let Ok(exact) = Dist::from_weights(pairs) else {
            return true;
        };
        let float = exact.to_f64();
        let little = BigRational::new(1.into(), 1_000_000_000_000_u64.into());
        exact.cdf().all(|(outcome, chance)| {
            let more = (chance.clone() + &little).min(BigRational::from_integer(1.into()));
            let beyond = exact.quantile(more.clone()).unwrap();
            float.quantile(chance).unwrap() == outcome && float.quantile(more).unwrap() == beyond
        })
    }
    QuickCheck::new()
        .tests(300)
        .quickcheck(same as fn(Vec<u16>) -> bool);
}

#[test]
fn rolls_that_are_just_enough() {
    let six = |face: &i64| *face == 6;
    let exact = Dist::die(6).unwrap().until(six).unwrap();
    let float = Dist::die(6).unwrap().to_f64().until(six).unwrap();
    for rolls in 1..=12_u64 {
        let enough = exact.at_most(rolls).unwrap();
        assert_eq!(float.quantile(enough.clone()).unwrap(), rolls);
        assert_eq!(exact.quantile(enough).unwrap(), rolls);
    }
}

/// Five of each are expected, just enough for separate cells.
#[test]
fn cells_of_five() {
    for sides in 2..=40_u32 {
        let die = Dist::die(sides).unwrap();
        let counts = (1..=i64::from(sides)).map(|face| (face, 5));
        let exact = die.goodness_of_fit(counts.clone()).unwrap();
        let float = die.to_f64().goodness_of_fit(counts).unwrap();
        assert_eq!(exact.cells().len(), sides as usize);
        assert_eq!(float.cells().len(), sides as usize, "{sides}");
    }
}
