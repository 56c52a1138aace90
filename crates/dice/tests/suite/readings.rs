//! All readings of a pool, compared with an enumeration of all rolls, and their float counterparts
//! within the bound.

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{FromPrimitive, Zero};
use oddsmith_dice::{
    Both, Dist, Distinct, Error, Evaluator, Hand, HighestAndLowest, LargestSet, LongestRun, Order,
    Pool, Rolls, Successes, SumOfFaces,
};
use quickcheck::{Arbitrary, Gen, quickcheck};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A pool as given to the library, and all that the oracle needs to know about it.
#[derive(Clone, Debug)]
struct Case {
    source: Source,
    /// One for each die, lowest first.
    multiplicities: Vec<i64>,
    kept: Kept,
}

#[derive(Clone, Debug)]
enum Source {
    /// Faces with their weights, die by die.
    Dice(Vec<Vec<(i64, u32)>>),
    Deck(Vec<(i64, u32)>, u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kept {
    All,
    Highest(u32),
    Lowest(u32),
    Middle(u32),
    Positions,
}

/// The largest number of rolls that are listed.
const MOST: usize = 1_500;

fn die(g: &mut Gen) -> Vec<(i64, u32)> {
    let sides = 1 + i64::from(u8::arbitrary(g) % 6);
    let loaded = u8::arbitrary(g).is_multiple_of(3);
    let stride = *g.choose(&[1, 1, 1, 1, 2, 3, 1_000_000_000]).unwrap();
    let first = *g.choose(&[1, 1, 1, 0, -2, -7]).unwrap();
    (0..sides)
        .filter_map(|side| {
            let weight = if loaded {
                u32::from(u8::arbitrary(g) % 4)
            } else {
                1
            };
            let kept = weight > 0 || side == 0;
            kept.then_some((first + side * stride, weight.max(1)))
        })
        .collect()
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut size = usize::from(u8::arbitrary(g) % 7);
        let source = match u8::arbitrary(g) % 5 {
            0 => {
                let cards: Vec<_> = die(g)
                    .into_iter()
                    .map(|(face, count)| (face, count + u32::from(u8::arbitrary(g) % 3)))
                    .collect();
                let all: u32 = cards.iter().map(|card| card.1).sum();
                size = size.min(all as usize).min(4);
                Source::Deck(cards, size as u32)
            }
            kind => {
                let model = die(g);
                let mut dice = Vec::new();
                let mut rolls = 1;
                for _ in 0..size {
                    let die = if kind < 3 { model.clone() } else { die(g) };
                    rolls *= die.len();
                    if rolls <= MOST {
                        dice.push(die);
                    }
                }
                size = dice.len();
                Source::Dice(dice)
            }
        };
        let k = u32::arbitrary(g) % (size as u32 + 1);
        let kept = match u8::arbitrary(g) % 8 {
            0 => Kept::All,
            1 | 2 => Kept::Highest(k),
            3 | 4 => Kept::Lowest(k),
            5 => Kept::Middle(k),
            _ => Kept::Positions,
        };
        let k = k as usize;
        let dropped = size - k;
        let multiplicity = |g: &mut Gen, place: usize| match kept {
            Kept::All => 1,
            Kept::Highest(_) => i64::from(place >= dropped),
            Kept::Lowest(_) => i64::from(place < k),
            Kept::Middle(_) => {
                let low = dropped.div_ceil(2);
                i64::from((low..low + k).contains(&place))
            }
            Kept::Positions => *g.choose(&[0, 0, 1, 1, 1, 2, -1, -2]).unwrap(),
        };
        let multiplicities = (0..size).map(|place| multiplicity(g, place)).collect();
        Case {
            source,
            multiplicities,
            kept,
        }
    }
}

impl Case {
    fn pool(&self) -> Pool {
        let pool = match &self.source {
            Source::Deck(cards, drawn) => Pool::deck(cards.iter().copied(), *drawn).unwrap(),
            Source::Dice(dice) => Pool::mixed(
                dice.iter()
                    .map(|die| Dist::from_weights(die.clone()).unwrap())
                    .collect::<Vec<_>>(),
            ),
        };
        match self.kept {
            Kept::All => pool,
            Kept::Highest(k) => pool.highest(k).unwrap(),
            Kept::Lowest(k) => pool.lowest(k).unwrap(),
            Kept::Middle(k) => pool.middle(k).unwrap(),
            Kept::Positions => pool.positions(&self.multiplicities).unwrap(),
        }
    }

    /// The sorted dice of every roll, and its number of ways.
    fn rolls(&self) -> Vec<(Vec<i64>, u64)> {
        let mut rolls = vec![(Vec::new(), 1)];
        match &self.source {
            Source::Dice(dice) => {
                for die in dice {
                    let longer = rolls.iter().flat_map(|(roll, ways)| {
                        die.iter().map(move |&(face, weight)| {
                            let mut roll: Vec<i64> = roll.clone();
                            roll.push(face);
                            (roll, ways * u64::from(weight))
                        })
                    });
                    rolls = longer.collect();
                }
            }
            Source::Deck(cards, drawn) => {
                // Hands as sets of card numbers.
                let all: Vec<i64> = cards
                    .iter()
                    .flat_map(|&(face, count)| std::iter::repeat_n(face, count as usize))
                    .collect();
                rolls = (0_u64..1 << all.len())
                    .filter(|hand| hand.count_ones() == *drawn)
                    .map(|hand| {
                        let cards = all.iter().enumerate();
                        let held = cards.filter(|(card, _)| hand >> card & 1 == 1);
                        (held.map(|(_, face)| *face).collect(), 1)
                    })
                    .collect();
            }
        }
        rolls.iter_mut().for_each(|(roll, _)| roll.sort_unstable());
        rolls
    }

    /// The distribution of a function of the faces and their counts.
    fn read<U: Ord>(&self, read: impl Fn(&Shown) -> U) -> Dist<U> {
        let rolls = self.rolls();
        let total: u64 = rolls.iter().map(|(_, ways)| ways).sum();
        let pairs = rolls.into_iter().map(|(dice, ways)| {
            let shown = Shown::new(dice, &self.multiplicities);
            (read(&shown), BigUint::from(ways))
        });
        Dist::from_parts(pairs, total.into()).unwrap()
    }
}

/// One roll as the oracle sees it.
struct Shown {
    sum: i64,
    /// Faces with a count above zero.
    counts: BTreeMap<i64, i64>,
    net: BTreeMap<i64, i64>,
    /// Dice whose multiplicity is not zero, sorted.
    kept: Vec<i64>,
}

impl Shown {
    fn new(dice: Vec<i64>, multiplicities: &[i64]) -> Self {
        let mut net: BTreeMap<i64, i64> = BTreeMap::new();
        for (face, multiplicity) in dice.iter().zip(multiplicities) {
            *net.entry(*face).or_default() += multiplicity;
        }
        let kept = dice.iter().zip(multiplicities).filter(|(_, m)| **m != 0);
        let mut counts = net.clone();
        counts.retain(|_, count| *count > 0);
        Shown {
            sum: dice.iter().zip(multiplicities).map(|(x, m)| x * m).sum(),
            kept: kept.map(|(face, _)| *face).collect(),
            counts,
            net,
        }
    }

    fn sets(&self) -> Vec<i64> {
        let mut sets: Vec<i64> = self.counts.values().copied().collect();
        sets.sort_unstable_by(|a, b| b.cmp(a));
        sets
    }

    fn run(&self) -> i64 {
        let faces: Vec<i64> = self.counts.keys().copied().collect();
        let runs = faces.chunk_by(|a, b| a + 1 == *b);
        runs.map(|run| run.len() as i64).max().unwrap_or(0)
    }

    fn hand(&self) -> Hand {
        let sets = self.sets();
        let single = sets.iter().all(|&size| size == 1);
        if single && sets.len() >= 3 && self.run() == sets.len() as i64 {
            return Hand::straight(sets.len() as u32);
        }
        Hand::of(sets.into_iter().map(|size| size as u64).collect::<Vec<_>>())
    }

    fn ends(&self) -> Option<(i64, i64)> {
        let low = self.counts.first_key_value()?.0;
        let high = self.counts.last_key_value()?.0;
        Some((*high, *low))
    }

    fn rolls(&self) -> Vec<i64> {
        let each = self.counts.iter();
        each.flat_map(|(&face, &count)| std::iter::repeat_n(face, count as usize))
            .collect()
    }
}

/// The exact result, and the float result within its stated bound.
#[track_caller]
fn same<U, E>(
    case: &Case,
    found: impl Fn(&Pool) -> Result<Dist<U>, Error>,
    twin: impl Fn(&Pool<i64, f64>) -> Result<Dist<U, f64>, E>,
    read: impl Fn(&Shown) -> U,
) -> bool
where
    U: Ord + Clone + Debug,
    E: Debug,
{
    let pool = case.pool();
    let expected = case.read(read);
    assert_eq!(found(&pool).unwrap(), expected);
    close(&twin(&pool.to_f64()).unwrap(), &expected);
    true
}

#[track_caller]
fn close<U: Ord + Clone + Debug>(twin: &Dist<U, f64>, exact: &Dist<U>) {
    assert_eq!(twin.support(), exact.support());
    let bound = BigRational::from_f64(twin.relative_error()).unwrap();
    for outcome in exact.outcomes() {
        let p = exact.p(outcome);
        let error = BigRational::from_f64(twin.p(outcome)).unwrap() - &p;
        let error = if error < BigRational::zero() {
            -error
        } else {
            error
        };
        assert!(
            error <= &bound * &p,
            "{outcome:?}: {error} of {p}, bound {bound}"
        );
    }
}

fn worth(face: &i64) -> i64 {
    match face {
        6.. => 2,
        1 => -1,
        4 | 5 => 1,
        _ => 0,
    }
}

quickcheck! {
    fn sum(case: Case) -> bool {
        same(&case, Pool::sum, Pool::sum, |roll| roll.sum)
            && same(
                &case,
                |pool| pool.evaluate(&SumOfFaces),
                |pool| pool.evaluate(&SumOfFaces),
                |roll| i128::from(roll.sum),
            )
    }

    fn count(case: Case) -> bool {
        let count = |roll: &Shown| roll.net.iter().map(|(face, count)| worth(face) * count).sum();
        same(&case, |pool| pool.count(worth), |pool| pool.count(worth), count)
            && case.pool().evaluate(&Successes(worth)) == Ok(case.read(|roll| i128::from(count(roll))))
    }

    fn sets(case: Case, k: u8) -> bool {
        let k = u32::from(k % 4) + 1;
        let large = |roll: &Shown| roll.counts.values().filter(|n| **n >= i64::from(k)).count();
        same(&case, Pool::distinct, Pool::distinct, |roll| roll.counts.len() as i64)
            && same(&case, Pool::largest_set, Pool::largest_set, |roll| {
                roll.sets().first().copied().unwrap_or(0)
            })
            && same(
                &case,
                |pool| pool.sets_at_least(k),
                |pool| pool.sets_at_least(k),
                |roll| large(roll) as i64,
            )
            && same(&case, Pool::matching_sets, Pool::matching_sets, Shown::sets)
    }

    fn runs(case: Case, k: u8) -> bool {
        let k = u32::from(k % 6);
        same(&case, Pool::longest_run, Pool::longest_run, Shown::run)
            && same(
                &case,
                |pool| pool.has_straight(k),
                |pool| pool.has_straight(k),
                |roll| roll.run() >= i64::from(k),
            )
    }

    fn hand(case: Case) -> bool {
        same(&case, Pool::hand, Pool::hand, Shown::hand)
    }

    fn rolls(case: Case) -> bool {
        same(&case, Pool::rolls, Pool::rolls, Shown::rolls)
    }

    fn at(case: Case, position: u8) -> bool {
        let kept = case.multiplicities.iter().filter(|m| **m != 0).count();
        let position = u32::from(position) % 7;
        if position as usize >= kept {
            let refused = Error::NoSuchPosition { position, kept: kept as u64 };
            return case.pool().at(position) == Err(refused);
        }
        same(&case, |pool| pool.at(position), |pool| pool.at(position), |roll| {
            roll.kept[position as usize]
        })
    }

    fn highest_and_lowest(case: Case) -> bool {
        let ends = case.read(Shown::ends);
        let found = case.pool().evaluate(&HighestAndLowest).unwrap();
        assert_eq!(found, ends);
        match case.pool().highest_and_lowest() {
            Ok(law) => {
                close(&case.pool().to_f64().highest_and_lowest().unwrap(), &law);
                law.map(|ends| Some(*ends)) == ends
            }
            Err(_) => ends.p(&None) > BigRational::zero(),
        }
    }

    fn joint_readings(case: Case) -> bool {
        let reading = Both(Both(SumOfFaces, LargestSet), Both(LongestRun, Distinct));
        let expected = case.read(|roll| {
            let set = roll.sets().first().copied().unwrap_or(0);
            ((i128::from(roll.sum), set), (roll.run(), roll.counts.len() as i64))
        });
        let found = case.pool().evaluate(&reading).unwrap();
        // The marginals equal the separate readings.
        assert_eq!(found.map(|x| x.0.1), case.pool().largest_set().unwrap());
        assert_eq!(found.map(|x| x.1.0), case.pool().longest_run().unwrap());
        found == expected
    }

    fn readings_of_opposite_order_can_be_joined(case: Case) -> bool {
        let found = case.pool().evaluate(&Both(Rolls, Ordered(Order::Descending))).unwrap();
        let expected = case.read(|roll| {
            let mut seen: Vec<i64> = roll.counts.keys().copied().collect();
            seen.reverse();
            (roll.rolls(), seen)
        });
        let either = case.pool().evaluate(&Both(Ordered(Order::Ascending), Distinct)).unwrap();
        either == case.read(|roll| {
            (roll.counts.keys().copied().collect::<Vec<_>>(), roll.counts.len() as i64)
        }) && found == expected
    }

    fn sum_with(case: Case) -> bool {
        // The face itself, or 5 more with a weight that depends on the face.
        let law = |&face: &i64| Dist::from_weights([(face, 1), (face + 5, (face.rem_euclid(3)) as u32)]);
        let expected = case.read(|roll| roll.sum);
        let certain = case.pool().sum_with(|&face| Ok(Dist::certain(face))).unwrap();
        assert_eq!(certain, expected);
        // By enumeration: the sum of the draws of each roll.
        let rolls = case.rolls();
        let parts = rolls.into_iter().map(|(dice, ways)| {
            let mut sum = Dist::certain(0);
            for (face, &multiplicity) in dice.iter().zip(&case.multiplicities) {
                let draw = law(face).unwrap().scale(multiplicity).unwrap();
                sum = sum.matfold(&draw).unwrap();
            }
            (ways, sum)
        });
        let parts: Vec<_> = parts.take(300).collect();
        if parts.len() == 300 {
            return true;
        }
        let expected = Dist::mixture(parts).unwrap();
        let pool = case.pool();
        let float = pool.to_f64().sum_with(|face| Ok(law(face)?.to_f64())).unwrap();
        close(&float, &expected);
        pool.sum_with(law) == Ok(expected)
    }
}

/// Faces in the order in which they were seen.
struct Ordered(Order);

impl Evaluator<i64> for Ordered {
    type State = Vec<i64>;
    type Outcome = Vec<i64>;

    fn start(&self) -> Vec<i64> {
        Vec::new()
    }

    fn next(&self, seen: &Vec<i64>, face: &i64, counts: &[i64]) -> Vec<i64> {
        let mut seen = seen.clone();
        seen.extend((counts[0] > 0).then_some(*face));
        seen
    }

    fn finish(&self, seen: &Vec<i64>) -> Vec<i64> {
        seen.clone()
    }

    fn order(&self) -> Order {
        self.0
    }
}

/// Every kind of pool and of kept positions occurs, and none too often.
#[test]
fn the_generator_reaches_all_cases() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    let cases: Vec<Case> = (0..2000).map(|_| Case::arbitrary(&mut g)).collect();
    let laws = |case: &Case| match &case.source {
        Source::Dice(dice) => {
            let mut dice = dice.clone();
            dice.sort();
            dice.dedup();
            dice.len()
        }
        Source::Deck(..) => 0,
    };
    let seen = |test: &dyn Fn(&Case) -> bool| cases.iter().filter(|case| test(case)).count();
    let part = |case: &Case| {
        let kept: i64 = case.multiplicities.iter().sum();
        0 < kept && kept < case.multiplicities.len() as i64
    };
    for (laws_wanted, kept) in [(0, "deck"), (1, "equal"), (2, "mixed")] {
        let kind = |case: &Case| laws(case).min(2) == laws_wanted;
        for wanted in [
            |kept: Kept| matches!(kept, Kept::Highest(_)),
            |kept: Kept| matches!(kept, Kept::Lowest(_)),
            |kept: Kept| matches!(kept, Kept::Middle(_)),
            |kept: Kept| kept == Kept::Positions,
        ] {
            let count = seen(&|case| kind(case) && wanted(case.kept) && part(case));
            assert!(count > 2, "{kept}: {count}");
        }
    }
}
