//! Rolling until a sum is reached, compared with all sequences of rolls.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

use crate::exact::{Number, near, number};
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_dice::{Chain, Dist, Error, Step, Steps};
use quickcheck::{TestResult, quickcheck};
use std::collections::BTreeMap;

/// All sequences of rolls until the target, one by one.
fn enumerate(law: &Dist<i64>, target: i64) -> BTreeMap<(i64, i64), Number> {
    let mut ends = BTreeMap::new();
    let mut open = vec![(0, 0, Number::one())];
    while let Some((rolls, sum, p)) = open.pop() {
        if sum >= target {
            *ends.entry((rolls, sum)).or_insert_with(Number::zero) += p;
        } else {
            open.extend(law.outcomes().map(|x| (rolls + 1, sum + x, &p * law.p(x))));
        }
    }
    ends
}

quickcheck! {
    fn reaching_a_target_against_enumeration(faces: Vec<(u8, u8)>, target: u8) -> TestResult {
        let faces = faces.into_iter().take(4).map(|(x, w)| (i64::from(x % 9) + 2, w % 5));
        let Ok(law) = Dist::from_weights(faces) else {
            return TestResult::discard();
        };
        let target = i64::from(target % 15) - 1;
        let expected = enumerate(&law, target);
        let joint = law.rolls_and_sum_on_reaching(target).unwrap();
        assert!(joint.outcomes().map(|end| (*end, joint.p(end))).eq(expected));
        let rolls = law.rolls_to_reach(target).unwrap();
        assert_eq!(rolls, joint.map(|end| end.0));
        let sum = law.sum_on_reaching(target).unwrap();
        assert_eq!(sum, joint.map(|end| end.1));
        assert_eq!(law.expected_rolls_to_reach(target).unwrap(), rolls.mean());
        let followed = law.rolls_to_reach_by(target, 3).unwrap();
        for n in 0..=3 {
            assert_eq!(followed.p(&Steps::Exactly(n)), rolls.p(&(n as i64)));
        }
        assert_eq!(followed.p(&Steps::MoreThan(3)), rolls.more(&3));
        let float = law.to_f64();
        let float_joint = float.rolls_and_sum_on_reaching(target).unwrap();
        let bound = float_joint.relative_error();
        assert!(joint.outcomes().all(|end| near(&joint.p(end), float_joint.p(end), bound)));
        let float_rolls = float.rolls_to_reach(target).unwrap();
        let bound = float_rolls.relative_error();
        assert!(bound < 1e-13);
        assert!(rolls.outcomes().all(|n| near(&rolls.p(n), float_rolls.p(n), bound)));
        let float_sum = float.sum_on_reaching(target).unwrap();
        let bound = float_sum.relative_error();
        assert!(sum.outcomes().all(|n| near(&sum.p(n), float_sum.p(n), bound)));
        TestResult::passed()
    }
}

#[test]
fn a_d6_to_20() -> Result<(), Error> {
    let die = Dist::die(6)?;
    let rolls = die.rolls_to_reach(20)?;
    // Four rolls: 70 of 1296 sum to 20 or more by symmetry with sums of at most 8.
    assert_eq!(rolls.p(&4), Dist::ndice(4, 6)?.at_least(&20));
    assert_eq!(rolls.at_most(&5), Dist::ndice(5, 6)?.at_least(&20));
    assert_eq!(rolls.p(&20), number(6).pow(-19));
    let sum = die.sum_on_reaching(20)?;
    assert_eq!(sum.mean() / die.mean(), rolls.mean());
    assert!((sum.p(&20).to_f64().unwrap() - 2.0 / 7.0).abs() < 0.01);
    Ok(())
}

#[test]
fn targets_and_faces_at_their_ends() -> Result<(), Error> {
    let die = Dist::die(6)?;
    for target in [0, -1, i64::MIN] {
        assert_eq!(die.rolls_to_reach(target)?, Dist::certain(0));
        assert_eq!(die.sum_on_reaching(target)?, Dist::certain(0));
        assert_eq!(
            die.rolls_and_sum_on_reaching(target)?,
            Dist::certain((0, 0))
        );
        assert!(die.expected_rolls_to_reach(target)?.is_zero());
    }
    assert!(matches!(
        die.rolls_to_reach(i64::MAX),
        Err(Error::TooLarge { .. })
    ));
    assert!(matches!(
        die.sum_on_reaching(i64::MAX),
        Err(Error::TooLarge { .. })
    ));
    assert!(matches!(
        die.rolls_and_sum_on_reaching(i64::MAX),
        Err(Error::TooLarge { .. })
    ));
    assert!(matches!(
        die.rolls_to_reach_by(i64::MAX, u64::MAX),
        Err(Error::TooManyChainStates { .. } | Error::TooLarge { .. })
    ));
    // Large faces with a common divisor are small.
    let large = die.scale(1 << 40)?;
    assert_eq!(large.rolls_to_reach(20 << 40)?, die.rolls_to_reach(20)?);
    let edge = Dist::certain(i64::MAX);
    assert_eq!(edge.rolls_to_reach(i64::MAX)?, Dist::certain(1));
    let over = Dist::uniform([i64::MAX - 1, i64::MAX / 2 * 2])?;
    assert!(over.sum_on_reaching(i64::MAX).is_err());
    // A face of zero only costs time.
    let lazy = Dist::uniform([0, 1, 2])?;
    let message = "the distribution of the number of rolls to reach a target needs faces of at least 1, got 0; use `rolls_to_reach_by` with a horizon, or write a `Chain`";
    assert_eq!(lazy.rolls_to_reach(5).unwrap_err().to_string(), message);
    assert_eq!(
        lazy.sum_on_reaching(5)?,
        Dist::uniform([1, 2])?.sum_on_reaching(5)?
    );
    let chain = Chain::explore(0, |&sum| {
        Ok(match sum {
            5.. => Step::Stop(sum),
            _ => Step::Go(lazy.shift(sum)?),
        })
    })?;
    assert_eq!(chain.expected_steps()?, lazy.expected_rolls_to_reach(5)?);
    assert_eq!(chain.outcome()?, lazy.sum_on_reaching(5)?);
    let never = Dist::certain(0);
    assert!(matches!(
        never.sum_on_reaching(1),
        Err(Error::NeverStops { .. })
    ));
    assert!(matches!(
        die.negate()?.sum_on_reaching(1),
        Err(Error::FaceTooSmall { .. })
    ));
    assert!(
        die.negate()?
            .rolls_to_reach_by(1, 4)?
            .p(&Steps::MoreThan(4))
            .is_one()
    );
    Ok(())
}

/// Regression test: a d6 to 1,000 was rejected. The sums below the target are kept for one roll at
/// a time, and so count once.
#[test]
fn a_d6_to_1000() -> Result<(), Error> {
    let die = Dist::die(6)?;
    let rolls = die.rolls_to_reach(1_000)?;
    assert_eq!((rolls.min(), rolls.max()), (&167, &1_000));
    assert_eq!(rolls.at_most(&250), Dist::ndice(250, 6)?.at_least(&1_000));
    assert_eq!(rolls.mean(), die.expected_rolls_to_reach(1_000)?);
    Ok(())
}

/// Regression test: every pair of a sum and a last face was kept, and the time was not limited.
#[test]
fn many_faces_are_refused_or_fast() -> Result<(), Error> {
    let die = Dist::die(1_000)?;
    for refused in [die.rolls_to_reach(4_000), die.sum_on_reaching(1 << 40)] {
        assert!(matches!(
            refused,
            Err(Error::TooLarge { .. } | Error::TooSlow { .. })
        ));
    }
    assert!(die.rolls_and_sum_on_reaching(4_000).is_err());
    assert!(matches!(
        die.to_f64().rolls_to_reach(4_000),
        Err(Error::TooSlow { .. })
    ));
    // From 0, the first roll always reaches it.
    let sure = Dist::uniform(500..1_500)?;
    assert_eq!(sure.sum_on_reaching(500)?, sure);
    assert_eq!(sure.rolls_and_sum_on_reaching(500)?.map(|end| end.1), sure);
    Ok(())
}

/// Sums at the ends of the integers, and faces far apart.
#[test]
fn ends_far_apart() -> Result<(), Error> {
    let law = Dist::uniform([1, 1_000, i64::MAX - 2])?;
    let sums = law.sum_on_reaching(3)?;
    let expected = [3, 1_000, 1_001, 1_002, i64::MAX - 2, i64::MAX - 1, i64::MAX];
    assert_eq!(sums.support(), expected);
    assert_eq!(law.rolls_and_sum_on_reaching(3)?.map(|end| end.1), sums);
    assert_eq!(
        Dist::uniform([1, i64::MAX])?.sum_on_reaching(2),
        Err(Error::OutcomeOverflow {
            operation: "+",
            left: 1,
            right: i64::MAX
        })
    );
    Ok(())
}

/// Regression test: floats over a total other than one were divided by it twice for every roll, as
/// happens after removing a face of 0: 1.55 and 0.98 instead of 5/8 and 3/8.
#[test]
fn float_totals_other_than_one() -> Result<(), Error> {
    let lazy = Dist::uniform([0i64, 1, 2])?.to_f64();
    let sum = lazy.sum_on_reaching(3)?;
    assert_eq!(sum.support(), [3, 4]);
    assert!((sum.p(&3) - 0.625).abs() < 1e-14 && (sum.p(&4) - 0.375).abs() < 1e-14);
    assert!((lazy.expected_rolls_to_reach(3)? - 3.375).abs() < 1e-13);
    let coin = Dist::from_float_weights([(1i64, 1.0), (2, 1.0)])?;
    assert!((coin.expected_rolls_to_reach(3)? - 2.25).abs() < 1e-14);
    Ok(())
}

quickcheck! {
    /// Within the stated relative error, for any total and with faces of 0.
    fn float_weights_of_any_total(weights: Vec<u16>, scale: i8, target: u8) -> TestResult {
        let scale = 1.7f64.powi(scale.into());
        let faces = weights.into_iter().take(5).map(|w| f64::from(w % 999) * scale);
        let Ok(float) = Dist::from_float_weights((0i64..).zip(faces)) else {
            return TestResult::discard();
        };
        if float.support() == [0] {
            return TestResult::discard();
        }
        let target = i64::from(target % 30) + 1;
        let law = float.to_exact();
        let (exact, sum) = (
            law.sum_on_reaching(target).unwrap(),
            float.sum_on_reaching(target).unwrap(),
        );
        let bound = sum.relative_error();
        assert!(bound < 1e-12 && exact.support() == sum.support());
        assert!(exact.outcomes().all(|end| near(&exact.p(end), sum.p(end), bound)));
        // Wald's quotient: both distributions, and a few units in the last place.
        let bound = bound + float.relative_error() + 8.0 * f64::EPSILON;
        let rolls = law.expected_rolls_to_reach(target).unwrap();
        assert!(near(&rolls, float.expected_rolls_to_reach(target).unwrap(), bound));
        TestResult::passed()
    }
}
