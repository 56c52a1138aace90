//! Theorems on kept dice, reference values, rolls and rerolls by enumeration, bad input and
//! extremes.

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_dice::{
    Dist, Error, Hand, LargestSet, LongestRun, Pool, Rolls, SetsAtLeast, Straight, SumOfFaces,
};
use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::Value;

/// One to twelve dice with up to three distributions.
#[derive(Clone, Debug)]
struct Throw(Vec<(u32, Dist<i64>)>);

impl Arbitrary for Throw {
    fn arbitrary(g: &mut Gen) -> Self {
        let die = |g: &mut Gen| {
            let faces = 1 + i64::from(u8::arbitrary(g) % 12);
            let loaded = bool::arbitrary(g);
            let face = |face| (face, if loaded { u8::arbitrary(g) % 4 } else { 1 });
            let faces: Vec<_> = (1..=faces).map(face).chain([(1, 1)]).collect();
            (
                1 + u32::from(u8::arbitrary(g) % 4),
                Dist::from_weights(faces).unwrap(),
            )
        };
        let laws = 1 + u8::arbitrary(g) % 3;
        Throw((0..laws).map(|_| die(g)).collect())
    }
}

impl Throw {
    fn dice(&self) -> Vec<Dist<i64>> {
        let each = self.0.iter();
        each.flat_map(|(count, die)| std::iter::repeat_n(die.clone(), *count as usize))
            .collect()
    }

    fn pool(&self) -> Pool {
        Pool::mixed(self.dice())
    }

    fn keep(&self, k: u8) -> (u32, u32) {
        let n = self.dice().len() as u32;
        let k = u32::from(k) % (n + 1);
        (k, n - k)
    }
}

quickcheck! {
    fn highest_and_lowest_share_the_mean(throw: Throw, k: u8) -> bool {
        let (k, rest) = throw.keep(k);
        let high = throw.pool().highest(k).unwrap().sum().unwrap();
        let low = throw.pool().lowest(rest).unwrap().sum().unwrap();
        high.mean() + low.mean() == throw.pool().sum().unwrap().mean()
    }

    fn dropping_is_keeping(throw: Throw, k: u8) -> bool {
        let (k, rest) = throw.keep(k);
        let pool = throw.pool();
        pool.clone().highest(k).unwrap().sum() == pool.clone().drop_lowest(rest).unwrap().sum()
            && pool.clone().lowest(k).unwrap().sum() == pool.drop_highest(rest).unwrap().sum()
    }

    fn positions_share_the_mean(throw: Throw) -> bool {
        let n = throw.dice().len() as u32;
        let means: BigRational = (0..n).map(|i| throw.pool().at(i).unwrap().mean()).sum();
        means == throw.pool().sum().unwrap().mean()
    }

    fn the_order_of_dice_is_nothing(throw: Throw, k: u8) -> bool {
        let (k, _) = throw.keep(k);
        let mut dice = throw.dice();
        dice.reverse();
        let other = Pool::mixed(dice).highest(k).unwrap();
        let pool = throw.pool().highest(k).unwrap();
        pool.sum() == other.sum() && pool.hand() == other.hand()
    }

    fn turning_all_faces_round_turns_the_sum_round(throw: Throw, k: u8) -> bool {
        let (k, _) = throw.keep(k);
        let turned = throw.dice().into_iter().map(|die| die.negate().unwrap());
        let low = Pool::mixed(turned.collect::<Vec<_>>()).lowest(k).unwrap().sum().unwrap();
        low.negate().unwrap() == throw.pool().highest(k).unwrap().sum().unwrap()
    }

    fn kept_sums_agree_with_the_engine(throw: Throw, k: u8) -> bool {
        let (k, _) = throw.keep(k);
        for pool in [throw.pool().highest(k), throw.pool().lowest(k), throw.pool().middle(k)] {
            let pool = pool.unwrap();
            let engine = pool.evaluate(&SumOfFaces).unwrap();
            assert_eq!(pool.sum().unwrap().map(|&sum| i128::from(sum)), engine);
        }
        true
    }

    fn the_highest_is_below_a_face_if_all_dice_are(throw: Throw) -> bool {
        let highest = throw.pool().highest(1).unwrap().sum().unwrap();
        highest.outcomes().all(|face| {
            let all: BigRational = throw.dice().iter().map(|die| die.at_most(face)).product();
            highest.at_most(face) == all
        })
    }

    /// A face appears unless all dice miss it.
    fn mean_of_distinct_faces(throw: Throw) -> bool {
        let missed = |face: i64| -> BigRational {
            let miss = throw.dice().into_iter().map(|die| BigRational::one() - die.p(&face));
            miss.product()
        };
        let mean: BigRational = (1..=12).map(|face| BigRational::one() - missed(face)).sum();
        throw.pool().distinct().unwrap().mean() == mean
    }

    fn worth_of_the_face_is_the_sum(throw: Throw, k: u8) -> bool {
        let (k, _) = throw.keep(k);
        let pool = throw.pool().highest(k).unwrap();
        pool.count(|&face| face) == pool.sum()
    }

    fn one_reading_in_terms_of_another(throw: Throw) -> bool {
        let pool = throw.pool();
        let (sets, hand) = (pool.matching_sets().unwrap(), pool.hand().unwrap());
        assert_eq!(sets.map(|sets| sets.len() as i64), pool.distinct().unwrap());
        assert_eq!(sets.map(|sets| sets[0]), pool.largest_set().unwrap());
        assert_eq!(sets.map(|sets| sets.iter().filter(|&&n| n > 1).count() as i64),
            pool.sets_at_least(2).unwrap());
        let run = pool.longest_run().unwrap();
        assert_eq!(run.map(|&run| run >= 3), pool.has_straight(3).unwrap());
        hand.probability(|hand| hand.in_sequence().is_none() && hand.sets()[0] == 1)
            + hand.probability(|hand| hand.in_sequence().is_some())
            == pool.largest_set().unwrap().p(&1)
    }
}

/// All rolls of `n` dice of `sides` sides, sorted.
fn rolls(n: usize, sides: i64) -> Vec<Vec<i64>> {
    let mut rolls = vec![Vec::new()];
    for _ in 0..n {
        let longer = rolls.iter().flat_map(|roll: &Vec<i64>| {
            (1..=sides).map(|face| {
                let mut roll = roll.clone();
                roll.insert(roll.partition_point(|x| *x <= face), face);
                roll
            })
        });
        rolls = longer.collect();
    }
    rolls
}

fn kept(roll: &[i64], k: usize) -> i64 {
    roll.iter().rev().take(k).sum()
}

/// Rolls of equal weight, one after another until the event fails.
fn rerolled(all: &[Vec<i64>], times: u32, event: &dyn Fn(&[i64]) -> bool, k: usize) -> Dist<i64> {
    let one = Dist::uniform(all.to_vec()).unwrap();
    one.and_then(|roll| match times {
        1.. if event(roll) => Ok(rerolled(all, times - 1, event, k)),
        _ => Ok(Dist::certain(kept(roll, k))),
    })
    .unwrap()
}

quickcheck! {
    fn whole_pools_rolled_again(n: u8, sides: u8, times: u8, k: u8) -> bool {
        let (n, sides) = (u32::from(n % 4), u32::from(sides % 4) + 1);
        let (times, k) = (u32::from(times % 4), u32::from(k) % (n + 1));
        let all = rolls(n as usize, sides.into());
        let pool = Pool::dice(n, sides).unwrap().highest(k).unwrap();
        // The event depends on the kept dice, like any reading.
        let event = |roll: &[i64]| {
            let kept = &roll[roll.len() - k as usize..];
            kept.windows(2).any(|pair| pair[0] + 1 == pair[1])
        };
        let found = pool.reroll_all(times, &Straight(2), &SumOfFaces).unwrap();
        let expected = rerolled(&all, times, &event, k as usize);
        assert_eq!(found, expected.map(|&sum| i128::from(sum)));
        let twin = pool.to_f64().reroll_all(times, &Straight(2), &SumOfFaces).unwrap();
        within(&twin, &found);
        match pool.reroll_all_forever(&Straight(2), &SumOfFaces) {
            Ok(law) => {
                let many = pool.reroll_all(200, &Straight(2), &SumOfFaces).unwrap();
                let distance = law.total_variation(&many);
                distance < BigRational::new(1.into(), 1_000_000.into())
            }
            Err(error) => matches!(error, Error::ImpossibleCondition { .. }),
        }
    }

    fn lowest_bad_dice_rolled_again(n: u8, k: u8, bad: u8, keep: u8) -> bool {
        let (n, k, bad) = (u32::from(n % 5), u32::from(k % 5), i64::from(bad % 5));
        let keep = u32::from(keep) % (n + 1);
        let parts = rolls(n as usize, 4).into_iter().map(|roll| {
            let again = roll.iter().filter(|face| **face <= bad).count().min(k as usize);
            let rest = roll[again..].to_vec();
            let fresh = Dist::uniform(rolls(again, 4)).unwrap();
            let law = fresh.map(|fresh| {
                let mut dice: Vec<i64> = rest.iter().chain(fresh).copied().collect();
                dice.sort_unstable();
                dice.split_off((n - keep) as usize)
            });
            (1, law)
        });
        let expected = Dist::mixture(parts.collect::<Vec<_>>()).unwrap();
        let pool = Pool::dice(n, 4).unwrap().highest(keep).unwrap();
        let found = pool.reroll_lowest(k, |face| *face <= bad, &Rolls).unwrap();
        within(&pool.to_f64().reroll_lowest(k, |face| *face <= bad, &Rolls).unwrap(), &found);
        found == expected
    }

    fn dice_that_add_dice(n: u8, m: u8, depth: u8, keep: u8) -> bool {
        let (n, m, depth) = (u32::from(n % 3), u32::from(m % 2), u32::from(depth % 3));
        let keep = u32::from(keep) % (n + m + 1);
        // Dice one after another, each with its contribution.
        fn chain(sides: i64, depth: u32) -> Dist<Vec<i64>> {
            Dist::uniform(1..=sides).unwrap().and_then(|&face| {
                let last = Dist::certain(vec![face]);
                match depth {
                    1.. if face == 3 => Ok(chain(sides, depth - 1).map(|more| [&more[..], &[face]].concat())),
                    _ => Ok(last),
                }
            }).unwrap()
        }
        let mut dice = Dist::certain(Vec::new());
        for die in 0..n + m {
            let sides = if die < n { 3 } else { 4 };
            dice = dice.joint(&chain(sides, depth)).unwrap().map(|(a, b)| {
                let mut all = [&a[..], &b[..]].concat();
                all.sort_unstable();
                all
            });
        }
        let expected = dice.map(|dice| kept(dice, keep as usize));
        let pool = Pool::dice(n, 3).unwrap().with(m, &Dist::die(4).unwrap()).unwrap();
        let explodes = |face: &i64| *face == 3;
        let found = pool
            .explode_into_pool(depth, explodes, |pool| pool.highest(keep)?.sum())
            .unwrap();
        let twin = pool.to_f64()
            .explode_into_pool(depth, explodes, |pool| pool.highest(keep)?.sum())
            .unwrap();
        within(&twin, &found);
        found == expected
    }
}

#[track_caller]
fn within<T: Ord + Clone + std::fmt::Debug>(twin: &Dist<T, f64>, exact: &Dist<T>) {
    assert_eq!(twin.support(), exact.support());
    for outcome in exact.outcomes() {
        let p = exact.to_f64().p(outcome);
        // One more rounding for the nearest double of the exact value.
        let bound = (twin.relative_error() + f64::EPSILON) * p;
        assert!((twin.p(outcome) - p).abs() <= bound, "{outcome:?}: {p}");
    }
}

/// Many dice in floats: coefficients beyond the range of doubles, and every kernel.
#[test]
fn float_twins_of_many_dice() -> Result<(), Error> {
    let die = Dist::from_weights([(1, 1), (2, 5), (4, 2), (7, 3)])?;
    let many = Pool::of(1500, &Dist::die(3)?);
    let pools = [
        Pool::dice(40, 6)?.highest(11)?,
        Pool::dice(40, 6)?.lowest(35)?,
        Pool::of(25, &die).highest(12)?,
        Pool::of(25, &die).middle(5)?,
        Pool::of(5, &die).with(6, &Dist::die(10)?)?.highest(4)?,
        Pool::of(5, &die).with(6, &Dist::die(10)?)?.lowest(8)?,
        Pool::of(4, &die).with(4, &Dist::die(5)?)?.middle(3)?,
        many.clone().highest(2)?,
        many.lowest(1)?,
    ];
    for pool in pools {
        let (exact, twin) = (pool.sum()?, pool.to_f64().sum()?);
        let bound = twin.relative_error();
        assert!(bound < 1e-10, "{bound}");
        for (outcome, p) in twin.iter().map(|(x, _)| (x, twin.p(x))) {
            let true_p = exact.to_f64().p(outcome);
            // Below that, doubles lose digits, as the bound states.
            if true_p > 1e-290 {
                assert!((p - true_p).abs() <= (bound + f64::EPSILON) * true_p);
            }
        }
    }
    Ok(())
}

/// So few dropped dice that another kernel is used.
#[test]
fn all_but_one_of_many_dice() -> Result<(), Error> {
    let loaded = Dist::from_weights([(1, 3), (2, 1), (4, 2)])?;
    for pool in [Pool::dice(70, 6)?, Pool::of(65, &loaded)] {
        for pool in [pool.clone().drop_lowest(1)?, pool.drop_highest(1)?] {
            let engine = pool.evaluate(&SumOfFaces)?;
            assert_eq!(pool.sum()?.map(|&sum| i128::from(sum)), engine);
        }
    }
    Ok(())
}

#[test]
fn reference_values() -> Result<(), Error> {
    let data: Value = serde_json::from_str(include_str!("../data/dice.json")).unwrap();
    let problems = data["problems"].as_array().unwrap();
    let law = |id: &str| -> Dist<String> {
        let problem = problems.iter().find(|problem| problem["id"] == id).unwrap();
        let pairs = problem["outcomes"].as_array().unwrap().iter().map(|pair| {
            let weight: BigUint = pair[1].as_str().unwrap().parse().unwrap();
            (pair[0].to_string(), weight)
        });
        let total = problem["denominator"].as_str().unwrap().parse().unwrap();
        Dist::from_parts(pairs, total).unwrap()
    };
    let check = |id: &str, found: Dist<i64>| {
        assert_eq!(found.map(ToString::to_string), law(id), "{id}");
    };
    check("4d6kh3", Pool::dice(4, 6)?.highest(3)?.sum()?);
    check("4d6kl3", Pool::dice(4, 6)?.lowest(3)?.sum()?);
    check("10d6kh4", Pool::dice(10, 6)?.highest(4)?.sum()?);
    check("adv_d20", Pool::dice(2, 20)?.highest(1)?.sum()?);
    check("dis_d20", Pool::dice(2, 20)?.lowest(1)?.sum()?);
    check("10d10_largest_set", Pool::dice(10, 10)?.largest_set()?);
    check("6d6_distinct", Pool::dice(6, 6)?.distinct()?);
    check(
        "50d6_ge5",
        Pool::dice(50, 6)?.count(|&face| i64::from(face >= 5))?,
    );
    let ends = Pool::dice(4, 6)?.highest_and_lowest()?;
    let ends = ends.map(|(high, low)| format!("[{high},{low}]"));
    assert_eq!(ends, law("joint_4d6_high_low"));
    Ok(())
}

#[test]
fn no_dice_at_all() -> Result<(), Error> {
    for pool in [
        Pool::dice(0, 6)?,
        Pool::dice(5, 6)?.highest(0)?,
        Pool::dice(5, 6)?.middle(0)?,
    ] {
        assert_eq!(pool.sum()?, Dist::certain(0));
        assert_eq!(pool.count(|_| 1)?, Dist::certain(0));
        assert_eq!(pool.sum_with(|_| Dist::die(4))?, Dist::certain(0));
        assert_eq!(pool.distinct()?, Dist::certain(0));
        assert_eq!(pool.largest_set()?, Dist::certain(0));
        assert_eq!(pool.longest_run()?, Dist::certain(0));
        assert_eq!(pool.matching_sets()?, Dist::certain(vec![]));
        assert_eq!(pool.hand()?, Dist::certain(Hand::of([])));
        assert_eq!(pool.rolls()?, Dist::certain(vec![]));
        assert_eq!(pool.has_straight(0)?, Dist::certain(true));
        assert_eq!(pool.has_straight(1)?, Dist::certain(false));
        let none = Error::NoSuchPosition {
            position: 0,
            kept: 0,
        };
        assert_eq!(pool.at(0), Err(none.clone()));
        assert_eq!(pool.highest_and_lowest(), Err(none));
    }
    assert_eq!(
        Pool::dice(5, 6)?.evaluate(&SetsAtLeast(0))?,
        Dist::certain(6)
    );
    Ok(())
}

#[test]
fn all_dice_kept_is_the_plain_sum() -> Result<(), Error> {
    let pool = Pool::dice(30, 6)?;
    let sum = Dist::ndice(30, 6)?;
    assert_eq!(pool.sum()?, sum);
    assert_eq!(pool.clone().highest(30)?.sum()?, sum);
    assert_eq!(pool.clone().lowest(30)?.sum()?, sum);
    assert_eq!(pool.clone().positions(&[1; 30])?.sum()?, sum);
    assert_eq!(pool.positions(&[-2; 30])?.sum()?, sum.scale(-2)?);
    Ok(())
}

#[test]
fn sums_beyond_64_bits_are_refused() -> Result<(), Error> {
    let far = Dist::uniform([i64::MIN, 0, i64::MAX])?;
    let two = Pool::of(2, &far);
    assert!(matches!(two.sum(), Err(Error::OutcomeOverflow { .. })));
    let doubled = two.clone().positions(&[0, 2])?.sum();
    assert!(matches!(doubled, Err(Error::OutcomeOverflow { .. })));
    assert_eq!(two.clone().highest(1)?.sum()?.max(), &i64::MAX);
    assert_eq!(
        two.clone().lowest(1)?.sum()?.p(&i64::MIN).to_string(),
        "5/9"
    );
    assert_eq!(
        two.evaluate(&SumOfFaces)?.max(),
        &(2 * i128::from(i64::MAX))
    );
    let worth = Pool::dice(3, 6)?.highest(2)?.count(|_| i64::MAX);
    assert!(matches!(worth, Err(Error::OutcomeOverflow { .. })));
    // Each outcome fits, but the product of the extreme outcomes with the dice would not.
    let near = Dist::uniform([i64::MAX - 1, i64::MAX])?;
    let spread = Pool::of(2, &near).positions(&[-1, 1])?.sum()?;
    assert_eq!(spread.support(), [0, 1]);
    Ok(())
}

#[test]
fn far_faces_take_the_engine() -> Result<(), Error> {
    let far = Dist::uniform([1, 2, 1_000_000_007])?;
    let sum = Pool::of(5, &far).highest(2)?.sum()?;
    assert_eq!(sum.len(), 6);
    assert_eq!(sum.p(&2).to_string(), "1/243");
    Ok(())
}

#[test]
fn too_many_dice_are_refused_before_any_work() -> Result<(), Error> {
    let refused = |law: Result<Dist<i64>, Error>| {
        assert!(
            matches!(
                law,
                Err(Error::TooLarge { .. } | Error::TooManyStates { .. })
            ),
            "{law:?}"
        );
    };
    let huge = Pool::dice(u32::MAX, 6)?;
    for k in [1, 2, u32::MAX - 1] {
        refused(huge.clone().highest(k)?.sum());
        refused(huge.clone().lowest(k)?.sum());
        refused(huge.clone().middle(k)?.sum());
        refused(huge.clone().highest(k)?.count(|&face| face % 2));
        refused(
            huge.clone()
                .highest(k)?
                .sum_with(|&face| Ok(Dist::certain(face))),
        );
    }
    refused(huge.sum());
    refused(huge.distinct());
    refused(huge.longest_run());
    refused(huge.at(7));
    refused(huge.reroll_lowest(1, |&face| face == 1, &LargestSet));
    refused(huge.explode_into_pool(3, |&face| face == 6, |pool| pool.sum()));
    refused(Pool::dice(5000, 100)?.highest(2500)?.sum());
    let twice = huge.clone().with(u32::MAX, &Dist::die(6)?)?;
    refused(twice.highest(2)?.sum());
    refused(Pool::dice(2, 6)?.reroll_all(u32::MAX, &Straight(2), &LongestRun));
    // A single face takes no work, however many dice there are.
    let certain = Pool::of(u32::MAX, &Dist::certain(3)).highest(2)?;
    assert_eq!(certain.sum()?, Dist::certain(6));
    Ok(())
}

#[test]
fn unlike_dice_are_not_rerolled_by_rank() -> Result<(), Error> {
    let unlike = |law: Result<Dist<i64>, Error>| matches!(law, Err(Error::UnlikeDice { .. }));
    let mixed = Pool::dice(2, 6)?.with(1, &Dist::die(8)?)?;
    assert!(unlike(mixed.reroll_lowest(
        1,
        |&face| face == 1,
        &LargestSet
    )));
    let cards = Pool::deck([(1, 2), (2, 2)], 2)?;
    assert!(unlike(cards.reroll_lowest(
        1,
        |&face| face == 1,
        &LargestSet
    )));
    assert!(unlike(cards.explode_into_pool(
        1,
        |&face| face == 1,
        |pool| pool.sum()
    )));
    Ok(())
}

#[test]
fn hands_are_ordered() {
    let ascending = [
        Hand::of([]),
        Hand::of([1, 1, 1, 1, 1]),
        Hand::of([2, 1, 1, 1]),
        Hand::of([2, 2, 1]),
        Hand::of([3, 1, 1]),
        Hand::straight(5),
        Hand::straight(u32::MAX),
        Hand::of([3, 2]),
        Hand::of([4, 1]),
        Hand::of([5]),
        Hand::of([5, 2]),
        Hand::of([u64::MAX]),
    ];
    assert!(ascending.is_sorted_by(|a, b| a < b));
    // Regression test: a straight of no dice beat three of a kind.
    for dice in 0..3_u32 {
        let rolled = Pool::dice(dice, 1_000_000).unwrap().hand().unwrap();
        assert_eq!(rolled.min(), &Hand::straight(dice));
        assert_eq!(Hand::straight(dice).in_sequence(), None);
    }
    let names: Vec<String> = ascending.iter().map(ToString::to_string).collect();
    assert_eq!(names[0], "nothing");
    assert_eq!(names[10], "5 + 2 of a kind");
    assert_eq!(format!("{:>10}", Hand::straight(5)), "  straight");
}

/// A deck drawn completely has one sum, and half a deck mirrors the other half.
#[test]
fn decks() -> Result<(), Error> {
    let cards: Vec<(i64, u32)> = (1..=10).map(|face| (face, 4)).collect();
    assert_eq!(Pool::deck(cards.clone(), 40)?.sum()?, Dist::certain(220));
    let (five, rest) = (
        Pool::deck(cards.clone(), 5)?,
        Pool::deck(cards.clone(), 35)?,
    );
    assert_eq!(five.sum()?, Dist::certain(220).difference(&rest.sum()?)?);
    let best = Pool::deck(cards, 5)?.highest(2)?.sum()?;
    // C(40, 5) hands, minus those without two tens.
    assert_eq!(best.total(), &BigUint::from(658_008u32));
    let none = BigRational::new(376_992.into(), 658_008.into());
    let one = BigRational::new((4 * 58_905).into(), 658_008.into());
    assert_eq!(best.p(&20), BigRational::one() - none - one);
    assert!(best.p(&1).is_zero());
    Ok(())
}

/// Regression test: the square was converted to a double before taking the root: 0 for 2⁻⁵⁵⁰, and
/// infinity for 2⁵⁵⁰ without an error.
#[test]
fn roots_of_squares_that_are_no_doubles() -> Result<(), Error> {
    let rare = |bits: u32| {
        let total = BigUint::one() << bits;
        Dist::from_parts([(0i64, &total - 1u32), (1, BigUint::one())], total)
    };
    let law = rare(1100)?;
    assert_eq!(law.standard_deviation(), 2f64.powi(-550));
    assert_eq!(law.skewness()?, 2f64.powi(550));
    let odd = rare(1101)?;
    let root = 2f64.sqrt();
    assert!((odd.skewness()? / 2f64.powi(550) / root - 1.0).abs() < 1e-15);
    // A result beyond the range of doubles is an error, not infinity.
    assert!(matches!(
        rare(3000)?.skewness(),
        Err(Error::FloatOverflow { .. })
    ));
    // Two coins that fall 0 and 0 a little more often than they should.
    let half = BigUint::one() << 998u32;
    let law = Dist::from_parts(
        [
            ((0i64, 0i64), &half + 1u32),
            ((0, 1), half.clone()),
            ((1, 0), half.clone()),
            ((1, 1), half.clone()),
        ],
        &half * 4u32 + 1u32,
    )?;
    assert!((law.correlation()? / 2f64.powi(-1000) - 1.0).abs() < 1e-12);
    Ok(())
}
