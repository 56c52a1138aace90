//! The binomial model compared with plain sums, with battles of one die each, and with its own
//! float version.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use oddsmith_risk::{Battle, BinomialModel, Error, Rules, Side};
use quickcheck::{QuickCheck, TestResult};

fn ratio(numerator: u32, denominator: u32) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// Model 2 as published: Prob{wins(A) ≥ N_D} of N_D + N_A − 1 pairs.
fn plain(share: &BigRational, attackers: u32, defenders: u32) -> BigRational {
    let pairs = attackers + defenders - 1;
    let other = BigRational::one() - share;
    let mut sum = BigRational::zero();
    for won in defenders..=pairs {
        let choose = (0..won).fold(BigInt::one(), |ways, k| ways * (pairs - k) / (k + 1));
        let term = num_traits::pow(share.clone(), won as usize)
            * num_traits::pow(other.clone(), (pairs - won) as usize);
        sum += term * choose;
    }
    sum
}

#[test]
fn equals_the_plain_sum() {
    fn property(numerator: u8, denominator: u8, attackers: u8, defenders: u8) -> TestResult {
        if denominator == 0 || numerator > denominator {
            return TestResult::discard();
        }
        let share = ratio(numerator.into(), denominator.into());
        let [attackers, defenders] = [attackers, defenders].map(|units| u32::from(units % 25) + 1);
        let model = BinomialModel::new(&share).unwrap();
        let expected = plain(&share, attackers, defenders);
        let float = model.win_f64(attackers, defenders).unwrap();
        let off = BigRational::from_float(float).unwrap() - &expected;
        let bound = &expected
            * BigRational::new(
                BigInt::from(16 * (attackers + defenders)),
                BigInt::from(1_u64 << 53),
            );
        let win = model.win(attackers, defenders).unwrap();
        TestResult::from_bool(win == expected && off.abs() <= bound)
    }
    QuickCheck::new()
        .tests(400)
        .quickcheck(property as fn(u8, u8, u8, u8) -> TestResult);
}

/// The error of the model is far below its bound for armies of some hundreds, too.
#[test]
fn floats_of_large_armies() {
    for (share, attackers, defenders) in [
        (ratio(2797, 5184), 300, 350),
        (ratio(1, 3), 500, 300),
        (ratio(7, 12), 1, 700),
        (ratio(1, 1000), 900, 20),
    ] {
        let model = BinomialModel::new(&share).unwrap();
        let exact = model.win(attackers, defenders).unwrap();
        let float = BigRational::from_float(model.win_f64(attackers, defenders).unwrap()).unwrap();
        let off = ((float - &exact) / exact).abs().to_f64().unwrap();
        assert!(
            off <= 16.0 * f64::from(attackers + defenders) / 9.0e15,
            "{off:e}"
        );
    }
}

/// Exchanging attackers and defenders replaces P by 1 − P.
#[test]
fn changing_places() {
    fn property(numerator: u8, attackers: u8, defenders: u8) -> bool {
        let [attackers, defenders] = [attackers, defenders].map(|units| u32::from(units % 40) + 1);
        let (one, other) = (
            ratio(numerator.into(), 255),
            ratio((255 - numerator).into(), 255),
        );
        let win = BinomialModel::new(one)
            .unwrap()
            .win(attackers, defenders)
            .unwrap();
        let lose = BinomialModel::new(other)
            .unwrap()
            .win(defenders, attackers)
            .unwrap();
        (win + lose).is_one()
    }
    QuickCheck::new()
        .tests(300)
        .quickcheck(property as fn(u8, u8, u8) -> bool);
}

/// Model 2 is exact for one die against one, whatever the bonus.
#[test]
fn one_die_each() {
    for rules in [
        Rules::standard(),
        Rules::standard().hero_attacks(),
        Rules::standard().hero_defends().fortress(),
        Rules::zombies().sides(6, 8).unwrap(),
    ] {
        let rules = rules.max_dice(1, 1).unwrap();
        let losses = rules.throw(1, 1).unwrap().expected_losses().unwrap();
        let model = BinomialModel::of(&losses);
        for attackers in 1..=12 {
            for defenders in 1..=12 {
                let battle = Battle::new(attackers, defenders)
                    .unwrap()
                    .rules(rules.clone());
                assert_eq!(
                    model.win(attackers, defenders).unwrap(),
                    battle.win().unwrap()
                );
            }
        }
        let error = model.error(&rules, 1..=12, 1..=12).unwrap();
        assert_eq!(error.cells, 144);
        assert!(error.greatest.abs() < 1e-14, "{error:?}");
    }
}

/// The policy of Table 5 and the best one: errata of section 7.1 of the paper.
#[test]
fn one_die_with_a_hero_or_three() {
    let hero = Rules::standard().hero_attacks();
    let one = hero.clone().max_dice(1, 1).unwrap();
    let check = |defenders, expected: &str| {
        let win = |rules: &Rules| {
            let battle = Battle::new(10, defenders).unwrap().rules(rules.clone());
            100.0 * battle.win_f64().unwrap()
        };
        assert_eq!(format!("{:.1} {:.1}", win(&one), win(&hero)), expected);
    };
    check(10, "77.1 87.5");
    check(15, "42.3 65.0");
}

/// The pairs of a throw depend on each other: 0.3717 is not 0.5395².
#[test]
fn pairs_are_not_independent() {
    let throw = Rules::standard().throw(3, 2).unwrap();
    let share = throw.expected_losses().unwrap().attacker_share();
    let both = throw.law().unwrap().p(&2);
    let squared = &share * &share;
    assert_eq!(
        format!(
            "{:.4} {:.4}",
            both.to_f64().unwrap(),
            squared.to_f64().unwrap()
        ),
        "0.3717 0.2911"
    );
}

#[test]
fn extremes() {
    for (share, win) in [((0, 1), 0.0), ((1, 1), 1.0)] {
        let model = BinomialModel::new(share).unwrap();
        assert_eq!(model.win(3, 7).unwrap().to_f64(), Some(win));
        assert_eq!(model.win_f64(u32::MAX, u32::MAX).unwrap(), win);
    }
    let even = BinomialModel::new((1, 2)).unwrap();
    assert!((even.win_f64(u32::MAX, u32::MAX).unwrap() - 0.5).abs() < 1e-9);
    assert_eq!(even.win_f64(1, u32::MAX).unwrap(), 0.0);
    assert_eq!(even.win_f64(u32::MAX, 1).unwrap(), 1.0);
    let tiny = BinomialModel::new(ratio(1, u32::MAX)).unwrap();
    assert_eq!(tiny.win_f64(1, 1).unwrap(), 1.0 / f64::from(u32::MAX));
    let nothing = BigRational::new(1.into(), num_traits::pow(BigInt::from(10), 400));
    let almost = BigRational::one() - &nothing;
    assert_eq!(
        BinomialModel::new(nothing).unwrap().win_f64(5, 5).unwrap(),
        0.0
    );
    assert_eq!(
        BinomialModel::new(almost).unwrap().win_f64(5, 5).unwrap(),
        1.0
    );
}

#[test]
fn refused() {
    let model = BinomialModel::new((1, 2)).unwrap();
    let no_units = |side| Error::NoUnits { side };
    assert_eq!(model.win(0, 1).unwrap_err(), no_units(Side::Attacker));
    assert_eq!(model.win_f64(1, 0).unwrap_err(), no_units(Side::Defender));
    let error = model.win(u32::MAX, u32::MAX).unwrap_err();
    assert!(matches!(error, Error::BinomialTooLarge { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("raise it with `win_within`, or use `win_f64`")
    );
    for share in [(-1, 2), (3, 2)] {
        assert!(matches!(BinomialModel::new(share), Err(Error::Dice(_))));
    }
    assert!(matches!(BinomialModel::new("NaN"), Err(Error::Dice(_))));
    let rules = Rules::standard();
    assert_eq!(
        model.error(&rules, 0..=3, 1..=3).unwrap_err(),
        no_units(Side::Attacker)
    );
    #[allow(clippy::reversed_empty_ranges, reason = "that is the point")]
    let empty = model.error(&rules, 1..=3, 3..=1);
    assert_eq!(empty.unwrap_err(), Error::NoArmies);
}
