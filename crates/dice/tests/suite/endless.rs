//! Infinite iterators give an error instead of looping or using up all memory.

use std::iter::repeat;

use oddsmith_dice::{DEFAULT_LIMIT, Dist, Error, Pairing, Pool};

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Error>, expected: &str) {
    assert!(
        matches!(
            &result,
            Err(Error::TooLarge { operation, words, limit })
                if operation == expected && *words > (*limit).into()
        ),
        "{result:?}"
    );
}

#[test]
fn uniform_of_endless_items() -> Result<(), Error> {
    let refusal = "a list of 33554433 items or more";
    refused(Dist::uniform(repeat(1_u8)), refusal);
    refused(Dist::faces(0..), refusal);
    // This many are no problem if they are a few distinct ones.
    let coin = Dist::uniform((0..6_000_000).map(|toss| toss % 2 == 0))?;
    assert_eq!(coin.p(&true).to_string(), "1/2");
    Ok(())
}

#[test]
fn weights_without_end() {
    // 33,554,432 words, of which a weight takes seven.
    let most = DEFAULT_LIMIT / 7 + 1;
    let refusal = format!("a distribution of {most} weights or more");
    refused(Dist::from_weights(repeat((1_u8, 1))), &refusal);
    refused(Dist::from_weights(repeat((1_u8, 0))), &refusal);
    refused(Dist::from_probabilities(repeat((1_u8, 0))), &refusal);
    refused(Dist::loaded(repeat("1")), &refusal);
    let floats = Dist::from_float_weights(repeat(((), 0.0)));
    refused(floats, "a list of 33554433 outcomes or more");
    // The first invalid one is reported before that.
    let bad = Dist::from_float_weights(repeat((1_u8, f64::NAN))).err();
    assert!(
        matches!(bad, Some(Error::BadFloatWeight { position: 0, .. })),
        "{bad:?}"
    );
}

#[test]
fn cards_without_end() {
    let refusal = "a list of 33554433 faces or more";
    refused(Pool::deck(repeat((1_u8, 0)), 1), refusal);
}

#[test]
fn mixtures_of_endless_parts() -> Result<(), Error> {
    // 47,935 distributions of a hundred outcomes take 33,554,500 words.
    let d100 = Dist::die(100)?;
    let refusal = "a mixture of 47935 distributions or more";
    refused(Dist::mixture(repeat((1, d100.clone()))), refusal);
    // Distributions of weight 0 count once, however long.
    let refusal = format!(
        "a mixture of {} distributions or more",
        DEFAULT_LIMIT / 7 + 1
    );
    refused(Dist::mixture(repeat((0, Dist::certain(1)))), &refusal);
    let never = std::iter::repeat_n((0, d100), 50_000);
    let d6 = Dist::mixture(never.chain([(1, Dist::die(6)?)]))?;
    assert_eq!(d6, Dist::die(6)?);
    Ok(())
}

#[test]
fn sums_of_endless_laws() -> Result<(), Error> {
    let (d6, one) = (Dist::die(6)?, Dist::certain(1));
    // Each die but one adds five outcomes, and counts one itself.
    let refusal = "the sum of 798916 distributions or more";
    refused(Dist::sum(repeat(&d6)), refusal);
    refused(Dist::sum_within(repeat(&d6), 100), refusal);
    refused(Dist::weighted_sum(repeat((-1, &d6))), refusal);
    refused(Dist::sum(repeat(&d6.to_f64())), refusal);
    let certain = format!("the sum of {} distributions or more", DEFAULT_LIMIT / 7 + 1);
    refused(Dist::sum(repeat(&one)), &certain);
    // The given limit applies to the result, as before: more distributions than words are fine.
    let many = Dist::sum_within(std::iter::repeat_n(&one, 1_000), 10)?;
    assert_eq!(many.support(), [1_000]);
    Ok(())
}

/// A bonus for every die, however many: all of them were requested.
#[test]
fn bonuses_for_all_dice() -> Result<(), Error> {
    let all = Pairing::new().attack_bonus(repeat(1));
    let pair = Pairing::new().attack_bonus([1, 1]);
    let two = Pool::dice(2, 6)?;
    assert_eq!(two.pairwise(&two, &all)?, two.pairwise(&two, &pair)?);
    let ones = Pool::dice(1 << 21, 1)?;
    let defending = Pairing::new().defence_bonus(repeat(1));
    refused(
        ones.pairwise(&ones, &defending),
        "a bonus for each of 2097152 pairs of dice",
    );
    Ok(())
}
