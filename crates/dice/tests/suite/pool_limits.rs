//! Regression tests: pools that took more memory or time than the limit allows, or overflowed. They
//! are rejected before the work.

use num_bigint::BigUint;
use num_rational::BigRational;
use oddsmith_dice::{
    Best, Both, DifferenceTable, Dist, Error, LargestSet, LongestRun, Pairing, Pool, Pools,
    Ranking, Rolls, Straight, SumOfFaces, Weight,
};
use std::fmt::Debug;

#[track_caller]
fn refused<T: Debug + Ord, W: Weight>(result: Result<Dist<T, W>, Error>) {
    let limited = matches!(
        result,
        Err(Error::TooLarge { .. } | Error::TooManyStates { .. })
    );
    assert!(limited, "{:?}", result.map(|law| law.len()));
}

/// This many groups of this many dice, all with different distributions.
fn groups(groups: u32, dice: u32) -> Result<Pool, Error> {
    let mut pool = Pool::dice(0, 6)?;
    for group in 0..groups {
        pool = pool.with(dice, &Dist::die(6 + group)?)?;
    }
    Ok(pool)
}

/// Regression test: all continuations of a single roll were listed before anything was counted.
#[test]
fn mixed_pools_of_many_places() -> Result<(), Error> {
    refused(groups(4, 200)?.largest_set());
    refused(groups(4, 200)?.to_f64().largest_set());
    refused(groups(20, 2)?.largest_set());
    refused(groups(31, 1)?.longest_run());
    // One die that counts gives one way, however many dice there are.
    assert_eq!(groups(31, 1)?.highest(1)?.largest_set()?.len(), 1);
    Ok(())
}

/// Regression test: the results of a face were checked against the limit only when complete.
#[test]
fn many_pools_at_once() -> Result<(), Error> {
    let pool = Pool::dice(1, 6)?;
    let pools = Pools::new(vec![&pool; 30]);
    refused(pools.evaluate_within(&LargestSet, 1_000_000));
    Ok(())
}

/// Regression test: a row of Pascal's triangle for all drawn cards was not counted.
#[test]
fn a_card_of_very_many_drawn() -> Result<(), Error> {
    let cards = [(1, u32::MAX), (2, u32::MAX), (3, u32::MAX)];
    let hand = Pool::deck(cards, 1_000_000)?;
    refused(hand.clone().highest(1)?.largest_set());
    refused(hand.clone().highest(0)?.largest_set());
    refused(hand.to_f64().at(0));
    let few = Pool::deck(cards, 100)?.to_f64();
    assert_eq!(few.at(0)?.len(), 3);
    Ok(())
}

/// Floats add a term for each dropped die, integers use powers of all dice.
#[test]
fn few_kept_of_very_many() -> Result<(), Error> {
    let many = |dice| Pool::dice(dice, 6);
    refused(many(u32::MAX)?.to_f64().highest(1)?.sum());
    refused(many(u32::MAX)?.to_f64().lowest(1)?.sum());
    refused(many(10_000_000)?.to_f64().highest(3)?.sum());
    refused(many(10_000_000)?.to_f64().at(0));
    refused(many(10_000_000)?.highest(1)?.sum());
    // Fewer than three sixes have probability 0 to a thousand digits.
    let law = many(100_000)?.to_f64().highest(3)?.sum()?;
    let error = (law.p(&18) - 1.0).abs();
    assert!(error <= law.relative_error() && law.relative_error() < 1e-8);
    assert_eq!(many(10_000)?.highest(1)?.sum()?.len(), 6);
    Ok(())
}

/// Regression test: counts of several pools were added with saturation at `i64::MAX`.
#[test]
fn multiplicities_of_several_pools_must_fit() -> Result<(), Error> {
    let heavy = Pool::dice(2, 6)?.positions(&[i64::MAX, 0])?;
    let one = heavy.largest_set()?;
    assert_eq!(one.p(&i64::MAX).to_string(), "1");
    let both = Pools::new([&heavy, &heavy]);
    assert_eq!(both.evaluate(&LargestSet), Err(Error::MultiplicityOverflow));
    assert_eq!(
        both.evaluate(&Both(SumOfFaces, LongestRun)),
        Err(Error::MultiplicityOverflow)
    );
    let half = Pool::dice(1, 6)?.positions(&[i64::MAX / 2])?;
    let sum = Pools::new([&half, &half]).evaluate(&LargestSet)?;
    assert_eq!(sum.p(&(i64::MAX - 1)).to_string(), "1/6");
    Ok(())
}

/// Regression test: a subtracted face was left out, although sets of at least 0 include all faces.
#[test]
fn sets_of_at_least_none_are_all_faces() -> Result<(), Error> {
    let pool = Pool::dice(3, 6)?.positions(&[-1, 0, 1])?;
    assert_eq!(pool.sets_at_least(0)?, Dist::certain(6));
    assert_eq!(pool.sets_at_least(1)?.p(&1).to_string(), "35/36");
    Ok(())
}

/// Regression test: each of 41 passes was within the limit, and all together took two minutes.
#[test]
fn the_lowest_dice_of_large_pools_are_rerolled_within_the_limit() -> Result<(), Error> {
    let bad = |face: &i64| *face <= 10;
    refused(Pool::dice(40, 20)?.reroll_lowest(20, bad, &SumOfFaces));
    let (pool, limit) = (Pool::dice(10, 6)?, 30_000);
    refused(pool.reroll_lowest_within(5, |&face| face < 4, &SumOfFaces, limit));
    let sum = pool.reroll_lowest_within(5, |&face| face < 4, &SumOfFaces, 4 * limit)?;
    assert_eq!(sum, pool.reroll_lowest(5, |&face| face < 4, &SumOfFaces)?);
    Ok(())
}

/// The limits on pool changes are arguments.
#[test]
fn changes_of_pools_within_limits() -> Result<(), Error> {
    let pool = Pool::dice(4, 6)?;
    let bad = |face: &i64| *face < 3;
    let six = |face: &i64| *face == 6;
    let sum = |pool: Pool| pool.sum();
    for limit in [0, 1, 20] {
        refused(pool.reroll_all_within(2, &Straight(2), &SumOfFaces, limit));
        refused(pool.reroll_all_forever_within(&Straight(2), &SumOfFaces, limit));
        refused(pool.reroll_lowest_within(2, bad, &SumOfFaces, limit));
        refused(pool.explode_into_pool_within(2, six, sum, limit));
    }
    let limit = u64::MAX;
    assert_eq!(
        pool.reroll_all_within(2, &Straight(2), &SumOfFaces, limit),
        pool.reroll_all(2, &Straight(2), &SumOfFaces)
    );
    assert_eq!(
        pool.reroll_all_forever_within(&Straight(2), &SumOfFaces, limit),
        pool.reroll_all_forever(&Straight(2), &SumOfFaces)
    );
    assert_eq!(
        pool.reroll_lowest_within(2, bad, &SumOfFaces, limit),
        pool.reroll_lowest(2, bad, &SumOfFaces)
    );
    assert_eq!(
        pool.explode_into_pool_within(2, six, sum, limit),
        pool.explode_into_pool(2, six, sum)
    );
    refused(Pool::dice(u32::MAX, 6)?.explode_into_pool_within(u32::MAX, six, sum, limit));
    Ok(())
}

/// Regression test: lists of dice ignored the limit, and a count beyond all memory panicked.
#[test]
fn lists_of_dice() -> Result<(), Error> {
    let many = |times| Pool::dice(2, 6)?.positions(&[times, 0]);
    refused(many(i64::MAX)?.rolls());
    refused(many(50_000_000)?.rolls());
    assert_eq!(many(1_000)?.rolls()?.len(), 6);
    refused(Pool::dice(20, 20)?.rolls());
    assert_eq!(Pool::dice(5, 6)?.rolls()?.len(), 252);

    let army = Pool::dice(40, 20)?;
    let unsorted = Pairing::new().attack_bonus([0, 3]).sorted_again();
    refused(army.pairwise(&army, &unsorted));
    Ok(())
}

/// Binomial coefficients are computed once per face, not once for each number of cards.
#[test]
fn a_float_hand_of_many_cards() -> Result<(), Error> {
    let hand = Pool::deck([(1, 20_000), (2, 10_000), (3, 10_000)], 300)?;
    let (exact, float) = (
        hand.clone().highest(100)?.distinct()?,
        hand.to_f64().highest(100)?.distinct()?,
    );
    for (faces, p) in exact.to_f64().iter() {
        let error = (float.p(faces) - p).abs();
        assert!(error <= (float.relative_error() + 1e-15) * p, "{faces}");
    }
    Ok(())
}

/// Regression test: the total of replaced dice was multiplied by the number of faces up to each
/// face: 59,104 bits and ten seconds for nine dice of 800 sides.
#[test]
fn replaced_dice_keep_the_total_of_the_pool() -> Result<(), Error> {
    let power = |base: u32, n: u32| BigUint::from(base).pow(n);
    let die = Dist::die(60)?;
    let explode = |&face: &i64| match face {
        60 => die.shift(60),
        _ => Ok(Dist::certain(face)),
    };
    let pool = Pool::dice(9, 60)?.highest(6)?;
    let plain = pool.sum_with(|&face| Ok(Dist::certain(face)))?;
    assert_eq!((plain.total(), &plain), (&power(60, 9), &pool.sum()?));
    let sum = pool.sum_with(explode)?;
    assert_eq!(sum.total(), &power(60, 9 + 6));
    // At least six 60s, and six more added to them.
    let sixties = Dist::bernoulli((1, 60))?
        .map(|&hit| i64::from(hit))
        .repeat(9)?;
    let again = BigRational::from_integer(power(60, 6).into());
    assert_eq!(sum.p(&720), sixties.at_least(&6) / again);
    // Dice with several distributions, and cards, of which half have the most ways.
    let mixed = Pool::dice(2, 6)?.with(3, &Dist::die(10)?)?.highest(2)?;
    let law = mixed.sum_with(|&face| Ok(Dist::certain(face)))?;
    assert_eq!(
        (law.total(), &law),
        (&(power(6, 2) * power(10, 3)), &mixed.sum()?)
    );
    let deck = Pool::deck((1..=6i64).map(|face| (face, 2)), 10)?.highest(3)?;
    let law = deck.sum_with(|&face| Ok(Dist::certain(face)))?;
    assert_eq!((law.total(), &law), (&66u32.into(), &deck.sum()?));
    Ok(())
}

/// Regression test: the chain of a die was built anew for each die added to it.
#[test]
fn a_die_that_explodes_for_very_long() -> Result<(), Error> {
    let chain = |depth| {
        let die = Pool::dice(1, 10)?.to_f64();
        die.explode_into_pool(
            depth,
            |&face| face > 1,
            |pool| Ok(Dist::certain(pool.size() as i64).to_f64()),
        )
    };
    let long = chain(5_000)?;
    // 1 + 9/10 + (9/10)² + …
    assert!((long.mean() - 10.0).abs() < 1e-12);
    assert_eq!(chain(0)?, Dist::certain(1).to_f64());
    let two = chain(1)?;
    assert!((two.p(&1) - 0.1).abs() < 1e-15 && (two.p(&2) - 0.9).abs() < 1e-15);
    Ok(())
}

/// Regression tests: the factors to a common total, each as long as the total, filled the memory
/// before it was measured, and so did parts that were far too many.
#[test]
fn unlike_totals_of_many_parts_are_refused_before_the_work() -> Result<(), Error> {
    let many = Dist::uniform(1..=60_000_u32)?;
    refused(many.and_then(|&n| Dist::bernoulli((1, n))));
    refused(many.posterior(|&n| Dist::bernoulli((1, n)), &true));
    refused(many.posterior_given(|&n| Dist::bernoulli((1, n)), |&hit| hit));
    let mut asked = 0;
    let large = Dist::uniform(1..=1_000_000_u32)?.and_then(|_| {
        asked += 1;
        Dist::die(100_000)
    });
    refused(large);
    assert!(asked < 100, "{asked}");
    let few = Dist::uniform(1..=100_u32)?;
    assert_eq!(few.and_then(|&n| Dist::bernoulli((1, n)))?.len(), 2);
    Ok(())
}

/// Regression tests: nine ninths were more than 1, and zero times infinity was no number.
#[test]
fn floats_of_certain_events() -> Result<(), Error> {
    let (ninths, zero) = (Dist::die(9)?.to_f64(), Dist::certain(0).to_f64());
    assert_eq!(ninths.map(|_| 0).p(&0), 1.0);
    assert!(ninths.map(|_| 0).pmf().all(|(_, p)| p == 1.0));
    assert_eq!(ninths.versus(&zero).win(), 1.0);
    assert_eq!(zero.versus(&ninths).lose(), 1.0);
    let ranking = Ranking::new(&[ninths.clone(), zero.clone()], Best::Highest)?;
    assert_eq!((ranking.win(0), ranking.win_or_share(0)), (1.0, 1.0));
    assert_eq!(DifferenceTable::between(&ninths, &zero)?.win(0), 1.0);
    assert_eq!(Dist::die(6)?.to_f64().factorial_moment(400)?, 0.0);
    Ok(())
}

/// C(66, 24) · W(42) counts no rolls for the highest face, and exceeded 128 bits where the total of
/// all rolls does not.
#[test]
fn nothing_is_rolled_above_the_highest_face() {
    let pool = Pool::dice(66, 3).unwrap().highest(25).unwrap();
    let law = pool.sum().unwrap();
    let read = pool.evaluate(&SumOfFaces).unwrap();
    assert_eq!(law.total(), &BigUint::from(3_u32).pow(66));
    assert_eq!(law.min(), &25);
    // At most 24 dice show a 3: the mean, counted in another way.
    assert_eq!(law.mean(), read.narrow().unwrap().mean());
}

/// The ratio of two faces overflowed, and the law was no number.
#[test]
fn a_face_may_be_as_unlikely_as_floats_allow() {
    let die = Dist::from_float_weights([(1, 1.0), (2, 1e-310), (3, 1.0)]).unwrap();
    let law = Pool::of(3, &die).highest(2).unwrap().sum().unwrap();
    assert!((law.p(&4) - 0.375).abs() < 1e-15);
    assert!((law.p(&5) / 7.5e-311 - 1.0).abs() < 1e-10);
    assert!((law.mean() - 4.75).abs() < 1e-14);
}

/// A die of this many sides, of which the even ones are twice as likely.
fn loaded(sides: i64) -> Result<Dist<i64>, Error> {
    Dist::from_weights((1..=sides).map(|face| (face, 1 + u64::from(face % 2 == 0))))
}

/// Regression test: a product with a loaded die, and with any die in floats, takes a step for each
/// of its faces. Only fair dice were counted right: 8 seconds instead of a few tenths.
#[test]
fn loaded_dice_of_many_sides() -> Result<(), Error> {
    let kept = |die: &Dist<i64>| Pool::of(10, die).highest(5);
    refused(kept(&loaded(1_000)?)?.sum());
    refused(kept(&loaded(3_000)?)?.to_f64().sum());
    refused(
        kept(&loaded(3_000)?)?
            .to_f64()
            .positions(&[0, 0, 0, 0, 0, 1, 1, 1, 1, 1])?
            .sum(),
    );
    // The states of unequal dice have two dimensions.
    let unequal = |sides: i64| Pool::of(20, &loaded(sides)?).with(20, &loaded(sides + 1)?);
    refused(unequal(100)?.highest(20)?.to_f64().sum());
    refused(unequal(300)?.highest(20)?.sum());
    assert_eq!(kept(&loaded(50)?)?.sum()?.len(), 246);
    // Above two kept dice there is one at most, and nothing to multiply.
    let two = Pool::of(3, &loaded(2_000)?).highest(2)?;
    assert_eq!(
        (two.sum()?.len(), two.to_f64().sum()?.len()),
        (3_999, 3_999)
    );
    Ok(())
}

/// In floats, fair dice of many sides are counted: each chance is rounded once.
#[test]
fn fair_dice_of_many_sides_kept_in_floats() -> Result<(), Error> {
    let unequal = Pool::dice(2, 60)?
        .with(1, &Dist::die(90)?)?
        .with(2, &Dist::faces(31..=70)?)?;
    for pool in [
        Pool::dice(4, 600)?.highest(3)?,
        Pool::dice(5, 300)?.lowest(4)?,
        unequal.clone().highest(3)?,
        unequal.lowest(4)?,
    ] {
        let (exact, float) = (pool.sum()?.to_f64(), pool.to_f64().sum()?);
        assert_eq!(exact.support(), float.support());
        assert!(exact.iter().eq(float.iter()));
        assert!(float.relative_error() < 1e-12);
    }
    Ok(())
}

/// Regression test: a list of all faces for each kind of dice was written before it was measured.
#[test]
fn kinds_of_dice_far_apart_in_one_pool() -> Result<(), Error> {
    let mut pool = Pool::dice(1, 2)?;
    for kind in 2..3_000 {
        pool = pool.with(1, &Dist::faces([1, 8 * kind])?)?;
    }
    let asked = pool.highest(1)?.sum_within(50_000_000);
    assert!(
        matches!(&asked, Err(Error::TooLarge { words, .. }) if *words == 6 * 23_991 * 2_999),
        "{asked:?}"
    );
    Ok(())
}

/// Regression test: only `Pool::rolls` measured the list of a roll; read otherwise, a die that
/// counts very often filled the memory or panicked.
#[test]
fn lists_of_rolls_read_in_any_way() -> Result<(), Error> {
    for times in [i64::MAX / 2, 1 << 40] {
        let pool = Pool::dice(2, 6)?.positions(&[times, 0])?;
        refused(pool.evaluate(&Rolls));
        refused(pool.evaluate(&Both(LargestSet, Rolls)));
        refused(Pools::new([&pool, &pool]).evaluate(&Rolls));
        refused(pool.reroll_lowest(1, |&face| face == 1, &Rolls));
        refused(pool.reroll_all(1, &Straight(2), &Rolls));
    }
    let few = Pool::dice(2, 6)?.positions(&[1_000, 0])?;
    assert_eq!(few.evaluate(&Rolls)?, few.rolls()?);
    refused(few.evaluate_within(&Rolls, 900));
    Ok(())
}

/// Regression test: of a table with three matrices and the binomials behind them, one was counted.
#[test]
fn tables_of_pools_that_are_closed_early() -> Result<(), Error> {
    refused(Pool::dice(1_000, 2)?.drop_highest(1)?.largest_set());
    assert_eq!(
        Pool::dice(100, 2)?.drop_highest(1)?.largest_set()?.len(),
        50
    );
    Ok(())
}

/// Regression test: each law on the way to a sum was measured alone, and not all that are held.
#[test]
fn replaced_dice_are_measured_together() -> Result<(), Error> {
    let pool = Pool::dice(10, 6)?;
    let thousand = |_: &i64| Dist::die(1_000);
    refused(pool.sum_with_within(thousand, 200_000));
    let sum = pool.sum_with_within(thousand, 2_000_000)?;
    assert_eq!(sum, Dist::ndice(10, 1_000)?);
    // The draws for dice that count alike depend on their number only.
    let spread = pool.positions(&[1, 0, 1, 1, 0, 0, 1, 1, 1, 1])?;
    let sum = spread.sum_with_within(thousand, 2_000_000)?;
    assert_eq!(sum, Dist::ndice(7, 1_000)?);
    let weighted = Pool::dice(3, 6)?.positions(&[1, -2, 3])?;
    let sum = weighted.sum_with(|&face| Ok(Dist::certain(face)))?;
    assert_eq!(sum, weighted.sum()?);
    Ok(())
}

/// A raised limit also holds for the mixtures of replaced dice.
#[test]
fn replaced_dice_keep_to_the_limit_that_is_set() -> Result<(), Error> {
    let coin = Pool::of(1, &Dist::die(2)?.to_f64());
    let large = Dist::die(2_500_000)?.to_f64();
    let draw = |_: &i64| Ok(large.clone());
    refused(coin.sum_with(draw));
    assert_eq!(coin.sum_with_within(draw, 1 << 28)?.len(), 2_500_000);
    Ok(())
}

/// Regression test: each die that was dropped moved all others.
#[test]
fn choices_among_very_many_runs() -> Result<(), Error> {
    let count = 300_000;
    let alternating: Vec<i64> = (0..count).map(|die| 1 + die % 2).collect();
    let pool = Pool::dice(count as u32, 6)?.positions(&alternating)?;
    // One die in the middle, which counts twice.
    let one = pool.drop_highest(150_000)?.highest(1)?;
    refused(one.largest_set());
    let last = one.drop_lowest(1)?;
    assert_eq!(last.sum()?, Dist::certain(0));
    Ok(())
}

/// Regression test: every pair of faces was a state, and 100 dice with 100 sides were given up after
/// much work.
#[test]
fn the_ends_of_many_dice() -> Result<(), Error> {
    let law = Pool::dice(100, 100)?.highest_and_lowest()?;
    assert_eq!(law.len(), 5_050);
    // Between 3 and 98, but not between 4 and 98, nor 3 and 97, unless between 4 and 97.
    let power = |faces: u32| BigUint::from(faces).pow(100);
    let ways = power(96) + power(94) - power(95) - power(95);
    let p = BigRational::new(ways.into(), power(100).into());
    assert_eq!(law.p(&(98, 3)), p);
    let dice = [Dist::die(30)?, Dist::ndice(2, 12)?, Dist::die(7)?];
    let pool = Pool::of(20, &dice[0])
        .with(9, &dice[1])?
        .with(1, &dice[2])?;
    let (law, floats) = (
        pool.highest_and_lowest()?,
        pool.to_f64().highest_and_lowest()?,
    );
    assert_eq!(law.map(|ends| ends.0), pool.at(29)?);
    assert_eq!(law.map(|ends| ends.1), pool.at(0)?);
    let (nearest, bound) = (law.to_f64(), floats.relative_error() + 1e-15);
    assert!(bound < 1e-12);
    for ends in nearest.outcomes() {
        let (p, found) = (nearest.p(ends), floats.p(ends));
        assert!((found - p).abs() <= p * bound, "{ends:?}");
    }
    for (dice, sides) in [(u32::MAX, 6), (2, 5_000)] {
        let refused = Pool::dice(dice, sides)?.highest_and_lowest();
        assert!(matches!(refused, Err(Error::TooLarge { .. })));
    }
    Ok(())
}
