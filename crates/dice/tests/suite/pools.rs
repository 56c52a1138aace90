//! The engine behind pools, compared with an enumeration of all rolls.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use oddsmith_dice::{Dist, Error, Evaluator, Order, Pool, Pools};
use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::Value;
use std::collections::BTreeMap;

/// Faces with the counts of all pools: all the information that an evaluator gets.
type Record = Vec<(i64, Vec<i64>)>;

/// Records everything, so that every error of the engine shows.
struct Recorder(Order);

impl Evaluator<i64> for Recorder {
    type State = Record;
    type Outcome = Record;

    fn start(&self) -> Record {
        Vec::new()
    }

    fn next(&self, record: &Record, face: &i64, counts: &[i64]) -> Record {
        let mut record = record.clone();
        record.push((*face, counts.to_vec()));
        record
    }

    fn finish(&self, record: &Record) -> Record {
        let mut record = record.clone();
        match self.0 {
            Order::Ascending => assert!(record.is_sorted()),
            Order::Descending => assert!(record.is_sorted_by(|a, b| a > b)),
            Order::Any => {}
        }
        record.sort();
        record
    }

    fn order(&self) -> Order {
        self.0
    }
}

/// Forgets almost everything, so that states with different remaining dice merge.
struct Digest(Order);

impl Evaluator<i64> for Digest {
    type State = i64;
    type Outcome = i64;

    fn start(&self) -> i64 {
        0
    }

    fn next(&self, digest: &i64, face: &i64, counts: &[i64]) -> i64 {
        let terms = counts.iter().zip([1, 3]);
        (digest + terms.map(|(count, k)| k * face * count).sum::<i64>()).rem_euclid(5)
    }

    fn finish(&self, digest: &i64) -> i64 {
        *digest
    }

    fn order(&self) -> Order {
        self.0
    }
}

/// Weighted dice or cards, in the simplest form.
#[derive(Clone, Debug)]
enum Content {
    Dice(Vec<Vec<(i64, u64)>>),
    Deck(Vec<i64>, usize),
}

#[derive(Clone, Debug)]
struct Case {
    content: Content,
    multiplicities: Option<Vec<i64>>,
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, n: u64| u64::arbitrary(g) % n;
        let content = if below(g, 4) == 0 {
            let cards = 1 + below(g, 8);
            let drawn = below(g, cards.min(6) + 1) as usize;
            Content::Deck((0..cards).map(|_| below(g, 4) as i64).collect(), drawn)
        } else {
            let kinds: Vec<Vec<(i64, u64)>> = (0..1 + below(g, 3))
                .map(|_| {
                    let fair = bool::arbitrary(g);
                    let faces = 1 + below(g, 6) as i64;
                    let start = below(g, 3) as i64;
                    let weight = |g: &mut Gen| if fair { 1 } else { 1 + below(g, 4) };
                    (start..start + faces)
                        .map(|face| (face, weight(g)))
                        .collect()
                })
                .collect();
            let dice = below(g, 6);
            Content::Dice(
                (0..dice)
                    .map(|_| g.choose(&kinds).unwrap().clone())
                    .collect(),
            )
        };
        let size = match &content {
            Content::Dice(dice) => dice.len(),
            Content::Deck(_, drawn) => *drawn,
        };
        let one = |g: &mut Gen| *g.choose(&[-1, 0, 0, 0, 1, 1, 2]).unwrap();
        let multiplicities = match below(g, 4) {
            0 => None,
            1 => {
                let low = below(g, size as u64 + 1) as usize;
                Some((0..size).map(|i| i64::from(i < low)).collect())
            }
            2 => {
                let low = below(g, size as u64 + 1) as usize;
                Some((0..size).map(|i| i64::from(i >= low)).collect())
            }
            _ => Some((0..size).map(|_| one(g)).collect()),
        };
        Case {
            content,
            multiplicities,
        }
    }
}

impl Case {
    fn size(&self) -> usize {
        match &self.content {
            Content::Dice(dice) => dice.len(),
            Content::Deck(_, drawn) => *drawn,
        }
    }

    fn pool(&self) -> Pool {
        let pool = match &self.content {
            Content::Dice(dice) => Pool::mixed(
                dice.iter()
                    .map(|die| Dist::from_weights(die.iter().copied()).unwrap())
                    .collect::<Vec<_>>(),
            ),
            Content::Deck(cards, drawn) => {
                Pool::deck(cards.iter().map(|&card| (card, 1)), *drawn as u32).unwrap()
            }
        };
        match &self.multiplicities {
            Some(multiplicities) => pool.positions(multiplicities).unwrap(),
            None => pool,
        }
    }

    fn faces(&self) -> Vec<i64> {
        match &self.content {
            Content::Dice(dice) => dice.iter().flatten().map(|face| face.0).collect(),
            Content::Deck(cards, _) => cards.clone(),
        }
    }

    /// Every roll, sorted, with its ways.
    fn rolls(&self) -> Vec<(Vec<i64>, u64)> {
        let mut rolls = vec![(Vec::new(), 1)];
        match &self.content {
            Content::Dice(dice) => {
                for die in dice {
                    rolls = rolls
                        .iter()
                        .flat_map(|(roll, ways)| {
                            die.iter().map(move |(face, weight)| {
                                ([roll.as_slice(), &[*face]].concat(), ways * weight)
                            })
                        })
                        .collect();
                }
            }
            Content::Deck(cards, drawn) => {
                for card in cards {
                    let with: Vec<_> = rolls
                        .iter()
                        .map(|(hand, ways)| ([hand.as_slice(), &[*card]].concat(), *ways))
                        .collect();
                    rolls.extend(with);
                }
                rolls.retain(|roll| roll.0.len() == *drawn);
            }
        }
        for roll in &mut rolls {
            roll.0.sort_unstable();
        }
        rolls
    }

    fn count(&self, roll: &[i64], face: i64) -> i64 {
        let ones = vec![1; roll.len()];
        let multiplicities = self.multiplicities.as_ref().unwrap_or(&ones);
        let counted = roll
            .iter()
            .zip(multiplicities)
            .filter(|(shown, _)| **shown == face);
        counted.map(|(_, multiplicity)| multiplicity).sum()
    }
}

/// The expected records, by listing all rolls of all pools.
fn enumerate(cases: &[Case]) -> BTreeMap<Record, BigUint> {
    let mut faces: Vec<i64> = cases.iter().flat_map(Case::faces).collect();
    faces.sort_unstable();
    faces.dedup();
    let mut all = vec![(
        faces
            .iter()
            .map(|&face| (face, Vec::new()))
            .collect::<Record>(),
        1_u64,
    )];
    for case in cases {
        let rolls = case.rolls();
        all = all
            .iter()
            .flat_map(|(record, ways)| {
                rolls.iter().map(move |(roll, more)| {
                    let mut record = record.clone();
                    for (face, counts) in &mut record {
                        counts.push(case.count(roll, *face));
                    }
                    (record, ways * more)
                })
            })
            .collect();
    }
    let mut law = BTreeMap::new();
    for (record, ways) in all {
        *law.entry(record).or_insert_with(BigUint::default) += ways;
    }
    law
}

#[track_caller]
fn check(cases: &[Case]) {
    let pools: Vec<Pool> = cases.iter().map(Case::pool).collect();
    let expected = enumerate(cases);
    let total: BigUint = expected.values().sum();
    let floats: Vec<Pool<i64, f64>> = pools.iter().map(Pool::to_f64).collect();
    for order in [Order::Ascending, Order::Descending, Order::Any] {
        let law = Pools::new(pools.iter().collect::<Vec<_>>())
            .evaluate(&Recorder(order))
            .unwrap();
        assert_eq!(law.total(), &total, "{order:?} {cases:?}");
        let found: BTreeMap<Record, BigUint> = law
            .iter()
            .map(|(record, ways)| (record.clone(), ways.clone()))
            .collect();
        assert_eq!(found, expected, "{order:?} {cases:?}");

        let float = Pools::new(floats.iter().collect::<Vec<_>>())
            .evaluate(&Recorder(order))
            .unwrap();
        close(&law, &float);
        let digest = Pools::new(pools.iter().collect::<Vec<_>>())
            .evaluate(&Digest(order))
            .unwrap();
        assert_eq!(digest, law.map(digest_of), "{order:?} {cases:?}");
        close(
            &digest,
            &Pools::new(floats.iter().collect::<Vec<_>>())
                .evaluate(&Digest(order))
                .unwrap(),
        );
    }
}

fn digest_of(record: &Record) -> i64 {
    let digest = Digest(Order::Any);
    record
        .iter()
        .fold(0, |state, (face, counts)| digest.next(&state, face, counts))
}

/// The float distribution has the same support, and satisfies its stated bound.
#[track_caller]
fn close<T: Ord + Clone + std::fmt::Debug>(exact: &Dist<T>, float: &Dist<T, f64>) {
    assert_eq!(exact.support(), float.support());
    let bound = float.relative_error();
    assert!(bound < 1e-10, "{bound}");
    for x in exact.outcomes() {
        let p = exact.p(x).to_f64().unwrap();
        // One more rounding: that of the exact probability.
        assert!(
            (float.p(x) - p).abs() <= (bound + f64::EPSILON) * p,
            "{x:?}: {p} {}",
            float.p(x)
        );
    }
}

quickcheck! {
    fn one_pool(case: Case) -> bool {
        check(&[case]);
        true
    }

    fn two_pools(left: Case, right: Case) -> bool {
        // Few enough pairs of rolls to list.
        if left.rolls().len() * right.rolls().len() <= 20_000 {
            check(&[left, right]);
        }
        true
    }

    fn choices_are_positions(case: Case, k: u32) -> bool {
        let pool = Case { multiplicities: None, ..case.clone() }.pool();
        let size = case.size();
        let k = k as usize % (size + 1);
        let same = |pool: Result<Pool, Error>, counts: &dyn Fn(usize) -> bool| {
            let multiplicities = (0..size).map(|i| i64::from(counts(i))).collect();
            let expected = Case { multiplicities: Some(multiplicities), ..case.clone() };
            let recorder = Recorder(Order::Any);
            pool.unwrap().evaluate(&recorder) == expected.pool().evaluate(&recorder)
        };
        let k32 = k as u32;
        let low = (size - k).div_ceil(2);
        same(pool.clone().highest(k32), &|i| i >= size - k)
            && same(pool.clone().lowest(k32), &|i| i < k)
            && same(pool.clone().drop_highest(k32), &|i| i < size - k)
            && same(pool.clone().drop_lowest(k32), &|i| i >= k)
            && same(pool.middle(k32), &|i| (low..low + k).contains(&i))
    }
}

/// The generator covers the cases that use other algorithms of the engine.
#[test]
fn the_generator_reaches_the_hard_cases() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    let cases: Vec<Case> = (0..1000).map(|_| Case::arbitrary(&mut g)).collect();
    let reached = |test: &dyn Fn(&Case) -> bool| cases.iter().any(test);
    assert!(reached(&|case| case.size() == 0));
    assert!(reached(
        &|case| matches!(&case.content, Content::Deck(cards, drawn) if cards.len() == *drawn)
    ));
    assert!(reached(&|case| match &case.content {
        Content::Dice(dice) =>
            dice.len() > 3 && dice.iter().any(|die| die.last() != dice[0].last()),
        Content::Deck(..) => false,
    }));
    assert!(reached(
        &|case| matches!(&case.multiplicities, Some(m) if m.len() > 3 && m[0] == 0 && m.contains(&-1))
    ));
    assert!(reached(
        &|case| matches!(&case.multiplicities, Some(m) if m.len() > 3 && m.iter().all(|m| *m == 0))
    ));
}

/// The lowest and the highest kept face.
struct HighLow;

impl Evaluator<i64> for HighLow {
    type State = Option<(i64, i64)>;
    type Outcome = Option<(i64, i64)>;

    fn start(&self) -> Self::State {
        None
    }

    fn next(&self, &ends: &Self::State, &face: &i64, counts: &[i64]) -> Self::State {
        if counts[0] == 0 {
            return ends;
        }
        let (high, low) = ends.unwrap_or((face, face));
        Some((high.max(face), low.min(face)))
    }

    fn finish(&self, ends: &Self::State) -> Self::Outcome {
        *ends
    }
}

/// The joint distribution of the highest and the lowest of 4d6, computed independently.
#[test]
fn reference_high_and_low() {
    let data: Value = serde_json::from_str(include_str!("../data/dice.json")).unwrap();
    let problems = data["problems"].as_array().unwrap();
    let problem = problems
        .iter()
        .find(|problem| problem["id"] == "joint_4d6_high_low")
        .unwrap();
    let law = Pool::dice(4, 6).unwrap().evaluate(&HighLow).unwrap();
    assert_eq!(law.total().to_string(), problem["denominator"]);
    let pair = |(ends, ways): (&Option<(i64, i64)>, &BigUint)| {
        let (high, low) = ends.unwrap();
        Value::from(vec![Value::from(vec![high, low]), ways.to_string().into()])
    };
    let found: Vec<Value> = law.iter().map(pair).collect();
    assert_eq!(Value::from(found), problem["outcomes"]);
}

/// The largest set.
struct Largest;

impl Evaluator<i64> for Largest {
    type State = i64;
    type Outcome = i64;

    fn start(&self) -> i64 {
        0
    }

    fn next(&self, largest: &i64, _: &i64, counts: &[i64]) -> i64 {
        *largest.max(&counts[0])
    }

    fn finish(&self, largest: &i64) -> i64 {
        *largest
    }
}

/// The number of different faces: few states, so that large pools are quick to read.
struct Distinct;

impl Evaluator<i64> for Distinct {
    type State = i64;
    type Outcome = i64;

    fn start(&self) -> i64 {
        0
    }

    fn next(&self, distinct: &i64, _: &i64, counts: &[i64]) -> i64 {
        distinct + i64::from(counts[0] > 0)
    }

    fn finish(&self, distinct: &i64) -> i64 {
        *distinct
    }
}

/// Every integer width, on both sides of each step: the number of rolls with k of six faces is C(6,
/// k) Σ (−1)ʲ C(k, j) (k − j)ⁿ.
#[test]
fn numbers_of_every_width() {
    let binomial = |n: u32, k: u32| (0..k).fold(1, |c, j| c * (n - j) / (j + 1));
    for dice in [
        6, 24, 25, 49, 50, 99, 100, 148, 149, 222, 223, 297, 298, 396, 397,
    ] {
        let law = Pool::dice(dice, 6).unwrap().evaluate(&Distinct).unwrap();
        assert_eq!(law.total(), &BigUint::from(6_u32).pow(dice));
        assert_eq!(law.len(), 6);
        for (k, ways) in (1_u32..).zip(law.weights()) {
            let term = |j: u32| BigUint::from(k - j).pow(dice) * binomial(k, j);
            let plus: BigUint = (0..=k).filter(|j| j % 2 == 0).map(term).sum();
            let minus: BigUint = (0..=k).filter(|j| j % 2 == 1).map(term).sum();
            assert_eq!(
                *ways,
                (plus - minus) * binomial(6, k),
                "{dice} dice, {k} faces"
            );
        }
        close(
            &law,
            &Pool::dice(dice, 6)
                .unwrap()
                .to_f64()
                .evaluate(&Distinct)
                .unwrap(),
        );
    }
}

/// Five cards of 52: one pair or better, by the number of ranks.
#[test]
fn a_hand_of_cards() {
    let hand = Pool::deck((2..=14).map(|rank| (rank, 4)), 5).unwrap();
    let law = hand.evaluate(&Largest).unwrap();
    assert_eq!(law.total(), &2_598_960_u32.into());
    let counts: Vec<String> = law.weights().map(ToString::to_string).collect();
    // No pair; one or two pairs; three of a kind or a full house; four of a kind.
    assert_eq!(counts, ["1317888", "1221792", "58656", "624"]);
    close(&law, &hand.to_f64().evaluate(&Largest).unwrap());
    // All cards, which leaves nothing to chance, and none.
    let whole = Pool::deck([(1, 3), (2, 5)], 8).unwrap();
    assert_eq!(whole.evaluate(&Largest).unwrap().support(), [5]);
    let none = Pool::deck([(1, 3)], 0).unwrap();
    assert_eq!(none.evaluate(&Largest).unwrap().support(), [0]);
    // The largest possible deck.
    let huge = Pool::deck([(1, u32::MAX), (2, u32::MAX)], 20).unwrap();
    let law = huge.evaluate(&Largest).unwrap();
    close(&law, &huge.to_f64().evaluate(&Largest).unwrap());
}

#[test]
fn a_pool_of_nothing() {
    for pool in [
        Pool::dice(0, 6).unwrap(),
        Pool::mixed([]),
        Pool::dice(3, 6).unwrap().highest(0).unwrap(),
    ] {
        let law = pool.evaluate(&Largest).unwrap();
        assert_eq!(law.support(), [0]);
        assert_eq!(pool.to_f64().evaluate(&Largest).unwrap().support(), [0]);
    }
    let no_pools: [&Pool; 0] = [];
    let law = Pools::new(no_pools).evaluate(&HighLow).unwrap();
    assert_eq!(law.support(), [None]);
}

#[test]
fn absurd_pools_are_refused_at_once() {
    let many = Pool::dice(u32::MAX, 6).unwrap();
    let highest = many.clone().highest(1).unwrap();
    let mixed = Pool::mixed(
        (1..60)
            .map(|sides| Dist::die(sides).unwrap())
            .collect::<Vec<_>>(),
    );
    let faces = Pool::dice(2, 100_000).unwrap();
    let loose = Pools::new([&many, &highest]).evaluate(&Largest);
    assert!(matches!(loose, Err(Error::TooLarge { .. })), "{loose:?}");
    for pool in [many, highest, mixed] {
        for result in [
            pool.evaluate(&Largest).map(|_| ()),
            pool.to_f64().evaluate(&Largest).map(|_| ()),
        ] {
            assert!(matches!(result, Err(Error::TooLarge { .. })), "{result:?}");
        }
    }
    assert_eq!(faces.evaluate(&Largest).unwrap().len(), 2);
    // The states are not known beforehand: the scan stops and reports where.
    let crowd = Pool::dice(60, 30).unwrap();
    let stopped = crowd.evaluate_within(&Recorder(Order::Any), 1 << 20);
    let Err(Error::TooManyStates {
        face,
        faces: 30,
        states,
        words,
        limit,
    }) = stopped
    else {
        panic!("{stopped:?}");
    };
    assert!(face > 1 && face < 30 && states > 0 && words > limit.into());
    // Few states but much work: the products count as well.
    let three = [Pool::dice(80, 6).unwrap(), Pool::dice(80, 6).unwrap()];
    let stopped =
        Pools::new(three.iter().collect::<Vec<_>>()).evaluate_within(&Digest(Order::Any), 1 << 19);
    assert!(
        matches!(stopped, Err(Error::TooManyStates { .. })),
        "{stopped:?}"
    );
}

#[test]
fn bad_input() {
    let pool = || Pool::dice(4, 6).unwrap();
    let refused = |result: Result<Pool, Error>| result.map(|pool| pool.size()).unwrap_err();
    assert_eq!(refused(Pool::dice(4, 0)), Error::NoSides);
    assert_eq!(
        refused(pool().highest(5)),
        Error::TooFewDice { asked: 5, kept: 4 }
    );
    let kept = pool().lowest(2).unwrap();
    assert_eq!(
        refused(kept.clone().drop_lowest(3)),
        Error::TooFewDice { asked: 3, kept: 2 }
    );
    assert_eq!(
        refused(kept.clone().middle(u32::MAX)),
        Error::TooFewDice {
            asked: u32::MAX.into(),
            kept: 2
        }
    );
    assert_eq!(
        refused(pool().positions(&[1; 5])),
        Error::WrongPositions { given: 5, dice: 4 }
    );
    assert_eq!(
        refused(pool().positions(&[i64::MAX, 0, 0, 1])),
        Error::MultiplicityOverflow
    );
    assert!(matches!(
        refused(kept.with(1, &Dist::die(6).unwrap())),
        Error::FixedPool { .. }
    ));
    let deck = Pool::deck([(1, 2)], 1).unwrap();
    assert!(matches!(
        refused(deck.with(1, &Dist::die(6).unwrap())),
        Error::FixedPool { .. }
    ));
    assert_eq!(refused(Pool::deck([], 0)), Error::EmptyDeck);
    assert_eq!(refused(Pool::deck([(1, 0)], 0)), Error::EmptyDeck);
    assert_eq!(
        refused(Pool::deck([(1, 2), (3, 4)], 7)),
        Error::OverdrawnDeck { drawn: 7, cards: 6 }
    );
}

/// Multiplicities at the ends of the range.
#[test]
fn a_die_that_counts_very_often() {
    let pool = Pool::dice(2, 6)
        .unwrap()
        .positions(&[-1, i64::MAX - 1])
        .unwrap();
    let law = pool.evaluate(&Largest).unwrap();
    assert_eq!(law.support(), [i64::MAX - 2, i64::MAX - 1]);
    assert_eq!(law.p(&(i64::MAX - 2)).to_string(), "1/6");
}
