//! Coprime totals multiply, so the cost is checked first.

use num_bigint::BigInt;
use num_rational::BigRational;
use oddsmith_dice::{DEFAULT_LIMIT, Dist, Error};

fn too_large<T: std::fmt::Debug>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::TooLarge { limit: DEFAULT_LIMIT, words, .. })
        if words > u128::from(DEFAULT_LIMIT))
}

#[test]
fn a_die_as_large_as_another_shows() {
    let chain = |sides| Dist::die(sides)?.and_then(|&n| Dist::die(n as u32));
    assert_eq!(chain(100).unwrap().mean().to_string(), "103/4");
    // 3.1 million weights over lcm(1, ..., 2500).
    assert!(too_large(chain(2_500)));
    let parts = (1..=2_500).map(|n| (1, Dist::die(n).unwrap()));
    assert!(too_large(Dist::mixture(parts)));
}

#[test]
fn probabilities_over_unrelated_denominators() {
    let fractions =
        |count: u64| (0..count).map(|k| (k, format!("1/{}", (1_u64 << 61) + 2 * k + 1)));
    assert!(too_large(Dist::from_probabilities(fractions(12_000))));
    assert!(too_large(Dist::from_weights(fractions(12_000))));
    assert!(matches!(
        Dist::from_probabilities(fractions(10)),
        Err(Error::SumNotOne { .. })
    ));
}

/// Reducing this sum would take minutes, and a reader only needs its magnitude, so only the leading
/// digits are shown.
#[test]
fn a_long_sum_that_is_not_one_is_refused_without_reducing_it() {
    let one_in = |k: u32| BigInt::from(3).pow(40_000) + k;
    let fractions: Vec<_> = (0..40)
        .map(|k| (k, BigRational::new_raw(1.into(), one_in(k))))
        .collect();
    let refused = Dist::from_probabilities(fractions.clone()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "probabilities must sum to 1, got a sum of about 5.648e-19084"
    );
    let Error::SumNotOne { sum } = refused else {
        panic!("refused for another reason");
    };
    // Not in lowest terms, but exact.
    let [a, b] = [&fractions[0].1, &fractions[1].1];
    let two = Dist::from_probabilities(fractions[..2].to_vec()).unwrap_err();
    assert!(sum > *a);
    assert_eq!(two, Error::SumNotOne { sum: a + b });
}

#[test]
fn a_joint_law_beyond_all_machines() {
    let die = Dist::die(4_000_000).unwrap();
    let joint = die.joint_within(&die, u64::MAX);
    assert!(matches!(joint, Err(Error::TooLarge { .. })));
}

#[test]
fn weights_that_are_no_numbers() {
    use oddsmith_dice::linear::FloatSystem;
    let system = FloatSystem::new(vec![vec![(0, f64::NAN)]], vec![1.0]);
    assert!(matches!(system, Err(Error::BadSystem { .. })));
}

/// Solvers start with a guess in floats, whether or not floats can hold the numbers.
#[test]
fn right_hand_sides_that_are_no_numbers() {
    use oddsmith_dice::linear::{Direction, FloatSystem};
    let system = FloatSystem::new(vec![vec![], vec![]], vec![1.0, 2.0]).unwrap();
    let solved = system.solve(Direction::Forward, &[f64::NAN, 4.0]).unwrap();
    assert!(solved.numbers()[0].is_nan());
    assert_eq!(solved.numbers()[1], 2.0);
}

#[test]
fn long_fractions_are_told_in_a_line() {
    let tiny = BigRational::new(BigInt::from(1), BigInt::from(10).pow(300));
    let one = BigRational::from_integer(BigInt::from(1));
    let told = |weights: [BigRational; 2]| {
        let [a, b] = weights;
        let law = Dist::from_probabilities([(1, a), (2, b)]);
        law.err().map(|error| error.to_string()).unwrap()
    };
    let sum = |sum: &str| format!("probabilities must sum to 1, got a sum of {sum}");
    assert_eq!(told([one.clone(), tiny.clone()]), sum("1 + 1e-300"));
    let less = &one - &tiny * BigInt::from(3);
    assert_eq!(told([less, tiny.clone()]), sum("1 - 2e-300"));
    assert_eq!(told([tiny.clone(), tiny]), sum("about 2e-300"));
    // Below and above the range of doubles.
    let tinier = BigRational::new(BigInt::from(12_346), BigInt::from(10).pow(404));
    let twice = told([tinier.clone(), tinier.clone()]);
    assert_eq!(twice, sum("about 2.469e-400"));
    let nines = BigRational::new(BigInt::from(49_999_999), BigInt::from(10).pow(900));
    assert_eq!(told([nines.clone(), nines]), sum("about 1e-892"));
    assert_eq!(told([one.clone(), tinier.clone()]), sum("1 + 1.235e-400"));
    let less = &one - &tinier;
    assert_eq!(told([less.clone(), less]), sum("about 2e0"));
    let huge = tinier.recip();
    let both = told([huge.clone(), huge.clone()]);
    assert_eq!(both, sum("about 1.62e400"));
    let negative = Dist::from_weights([(1, -huge)])
        .err()
        .map(|error| error.to_string());
    assert!(
        negative.is_some_and(|text| text.ends_with("got about -8.1e399 at position 0 (from 0)"))
    );
}
