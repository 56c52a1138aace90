//! The chi-square test: statistic, cells and p-value compared with textbook cases and a simple
//! computation in fractions.

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_dice::{Dist, Error};
use quickcheck::quickcheck;

fn ratio(n: u64) -> BigRational {
    BigRational::from_integer(n.into())
}

/// Mendel's peas (1866): 315, 108, 101, 32 against 9 : 3 : 3 : 1, a standard textbook case.
#[test]
fn mendels_peas_fit_well() {
    let law = Dist::from_weights([
        ("round yellow", 9),
        ("wrinkled yellow", 3),
        ("round green", 3),
        ("wrinkled green", 1),
    ])
    .unwrap();
    let counts = [
        ("round yellow", 315),
        ("round green", 108),
        ("wrinkled yellow", 101),
        ("wrinkled green", 32),
    ];
    let fit = law.goodness_of_fit(counts).unwrap();
    assert_eq!(fit.observations(), 556);
    assert_eq!(fit.degrees_of_freedom(), 3);
    // Printed as 0.47 with p between 0.90 and 0.95.
    assert_eq!(fit.exact_statistic().unwrap().to_string(), "196/417");
    assert_eq!(
        fit.statistic(),
        fit.exact_statistic().unwrap().to_f64().unwrap()
    );
    assert!((fit.p_value() - 0.925_426).abs() < 1e-6);
}

/// Weldon's dice: of 315,672 dice 106,602 showed a five or a six (K. Pearson, 1900).
#[test]
fn weldons_dice_were_loaded() {
    let law = Dist::bernoulli((1, 3)).unwrap();
    let fit = law
        .goodness_of_fit([(true, 106_602), (false, 315_672 - 106_602)])
        .unwrap();
    // (1378)² / n (1/3)(2/3)
    let expected = ratio(1378 * 1378) / (ratio(315_672 * 2) / ratio(9));
    assert_eq!(fit.exact_statistic().unwrap(), expected);
    // Two tails of the normal distribution beyond 5.2027 standard deviations.
    assert!(
        (fit.p_value() / 1.963_4e-7 - 1.0).abs() < 1e-3,
        "{}",
        fit.p_value()
    );
}

#[test]
fn counts_may_come_in_any_order_and_in_parts() {
    let die = Dist::die(3).unwrap();
    let once = die.goodness_of_fit([(1, 7), (2, 9), (3, 5)]).unwrap();
    let parts = die
        .goodness_of_fit([(3, 2), (1, 7), (2, 9), (9, 0), (3, 3)])
        .unwrap();
    assert_eq!(once, parts);
    let samples = [1_i64, 2, 3]
        .into_iter()
        .zip([7, 9, 5])
        .flat_map(|(x, n)| vec![x; n]);
    assert_eq!(die.goodness_of_fit_of(samples).unwrap(), once);
    // References work too.
    assert_eq!(
        die.goodness_of_fit([(&1, 7), (&2, 9), (&3, 5)]).unwrap(),
        once
    );
}

#[track_caller]
fn check_cells(law: &Dist<i64>, observations: u64, expected: &[(i64, i64)]) {
    let counts = [(*law.mode(), observations)];
    let fit = law.goodness_of_fit(counts).unwrap();
    let support = law.support();
    let cells: Vec<(i64, i64)> = fit
        .cells()
        .iter()
        .map(|cell| (support[cell.places.start], support[cell.places.end - 1]))
        .collect();
    assert_eq!(cells, expected);
}

#[test]
fn rare_outcomes_are_pooled_with_their_neighbours() {
    let roll = Dist::ndice(2, 6).unwrap();
    check_cells(&roll, 36, &[(2, 4), (5, 6), (7, 7), (8, 8), (9, 12)]);
    let each: Vec<(i64, i64)> = (2..=12).map(|x| (x, x)).collect();
    check_cells(&roll, 180, &each);
    // With one observation less, the ends have fewer than five.
    let pooled: Vec<(i64, i64)> = [(2, 3)]
        .into_iter()
        .chain((4..=10).map(|x| (x, x)))
        .chain([(11, 12)])
        .collect();
    check_cells(&roll, 179, &pooled);
    check_cells(&Dist::die(2).unwrap(), 10, &[(1, 1), (2, 2)]);
}

#[test]
fn exactly_five_expected_is_enough_whatever_the_denominator() {
    for sides in 2..200_u32 {
        let law = Dist::die(sides).unwrap();
        let fit = law.goodness_of_fit([(1, 5 * u64::from(sides))]).unwrap();
        assert_eq!(fit.cells().len(), sides as usize);
        let less = law.goodness_of_fit([(1, 5 * u64::from(sides) - 1)]).ok();
        assert!(less.is_none_or(|fit| fit.cells().len() <= sides as usize / 2));
    }
}

#[test]
fn float_laws_agree_with_exact_ones() {
    let law = Dist::ndice(4, 6).unwrap();
    let counts: Vec<(i64, u64)> = (4..=24)
        .zip([1, 3, 9, 14, 30, 50, 61, 85, 90, 120])
        .collect();
    let (exact, float) = (
        law.goodness_of_fit(counts.clone()).unwrap(),
        law.to_f64().goodness_of_fit(counts).unwrap(),
    );
    assert_eq!(exact.cells().len(), float.cells().len());
    assert!((exact.statistic() / float.statistic() - 1.0).abs() < 1e-12);
    assert!((exact.p_value() - float.p_value()).abs() < 1e-12);
    assert!((float.exact_statistic().unwrap() / float.statistic() - 1.0).abs() < 1e-14);
}

#[test]
fn what_cannot_be_tested_is_refused() {
    let die = Dist::die(6).unwrap();
    let none: [(i64, u64); 0] = [];
    assert_eq!(die.goodness_of_fit(none), Err(Error::NoObservations));
    assert_eq!(
        die.goodness_of_fit([(1, 0), (9, 0)]),
        Err(Error::NoObservations)
    );
    let impossible = Error::ImpossibleObservation {
        position: 2,
        count: 4,
    };
    assert_eq!(
        die.goodness_of_fit([(1, 90), (2, 3), (7, 4), (8, 1)]),
        Err(impossible)
    );
    let few = Error::TooFewObservations {
        observations: 9,
        outcomes: 6,
    };
    assert_eq!(die.goodness_of_fit([(1, 9)]), Err(few));
    let certain = Error::TooFewObservations {
        observations: 1000,
        outcomes: 1,
    };
    assert_eq!(Dist::certain(1).goodness_of_fit([(1, 1000)]), Err(certain));
    let all_but_certain = Dist::bernoulli((1, 1000))
        .unwrap()
        .goodness_of_fit([(false, 100)]);
    assert!(matches!(
        all_but_certain,
        Err(Error::TooFewObservations { .. })
    ));
    assert_eq!(
        die.goodness_of_fit([(1, u64::MAX), (2, 1)])
            .unwrap_err()
            .to_string(),
        "there may be at most 18446744073709551615 observations, but 18446744073709551615 and 1 were given"
    );
}

#[test]
fn the_largest_counts_are_no_trouble() {
    let fit = Dist::die(2)
        .unwrap()
        .goodness_of_fit([(1, u64::MAX)])
        .unwrap();
    assert_eq!(fit.exact_statistic().unwrap(), ratio(u64::MAX));
    assert_eq!(fit.p_value(), 0.0);
    let even = Dist::die(2)
        .unwrap()
        .goodness_of_fit([(1, u64::MAX / 2), (2, u64::MAX / 2)])
        .unwrap();
    assert_eq!((even.statistic(), even.p_value()), (0.0, 1.0));
}

#[test]
fn a_statistic_without_end_is_refused_and_its_double_is_not() {
    let law = Dist::ndice(3000, 6).unwrap();
    let counts = law
        .outcomes()
        .map(|&x| (x, u64::from(x.abs_diff(10_500) < 100) * 1000));
    let fit = law.goodness_of_fit(counts).unwrap();
    assert!(matches!(fit.exact_statistic(), Err(Error::TooLarge { .. })));
    assert!(fit.statistic() > 0.0 && fit.p_value() < 1e-9);
}

quickcheck! {
    /// Σ (observed − expected)² / expected with cells by the documented rule.
    fn the_statistic_is_the_plain_sum(weights: Vec<u8>, counts: Vec<u8>) -> bool {
        let weights: Vec<u64> = weights.iter().map(|&w| u64::from(w) + 1).collect();
        let observations: u64 = weights.iter().zip(&counts).map(|pair| u64::from(*pair.1)).sum();
        let total: u64 = weights.iter().sum();
        let Ok(law) = Dist::from_weights((0_i64..).zip(weights.iter().copied())) else {
            return weights.is_empty();
        };
        let counted = |place: usize| counts.get(place).map_or(0, |&n| u64::from(n));
        let mut cells: Vec<(BigRational, u64)> = Vec::new();
        let mut open = (BigRational::zero(), 0);
        for (place, &weight) in weights.iter().enumerate() {
            open.0 += ratio(weight * observations) / ratio(total);
            open.1 += counted(place);
            if open.0 >= ratio(5) {
                cells.push(std::mem::take(&mut open));
            }
        }
        if let Some(last) = cells.last_mut() {
            last.0 += open.0;
            last.1 += open.1;
        }
        let found = law.goodness_of_fit((0_i64..).zip(weights.iter().enumerate().map(|(place, _)| counted(place))));
        if cells.len() < 2 || observations == 0 {
            return found.is_err();
        }
        let plain: BigRational = cells.iter().map(|(expected, observed)| {
            let distance = ratio(*observed) - expected;
            &distance * &distance / expected
        }).sum();
        let found = found.unwrap();
        found.exact_statistic() == Ok(plain) && found.cells().len() == cells.len()
            && (0.0..=1.0).contains(&found.p_value())
    }
}
