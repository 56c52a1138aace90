//! Reference values computed independently: every problem of `data/dice.json`, outcome by outcome,
//! and the rounds of `data/round.json`.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_dice::{DifferenceTable, Dist, Error, Ties};
use serde_json::Value;
use std::collections::HashMap;

type Law = Result<Dist<i64>, Error>;

fn problems() -> HashMap<String, Value> {
    let data: Value = serde_json::from_str(include_str!("../data/dice.json")).unwrap();
    let problems = data["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 34);
    let id = |problem: &Value| problem["id"].as_str().unwrap().to_owned();
    problems
        .iter()
        .map(|problem| (id(problem), problem.clone()))
        .collect()
}

/// Compares total, outcomes and weights in lowest terms.
#[track_caller]
fn check_law<T: Ord>(problem: &Value, dist: Dist<T>, show: impl Fn(&T) -> Value) {
    let dist = dist.lowest_terms();
    assert_eq!(
        dist.total().to_string(),
        problem["denominator"],
        "{}",
        problem["id"]
    );
    let found: Vec<Value> = dist
        .iter()
        .map(|(x, weight)| vec![show(x), weight.to_string().into()].into())
        .collect();
    assert_eq!(Value::from(found), problem["outcomes"], "{}", problem["id"]);
}

#[track_caller]
fn check(problem: &Value, dist: Dist<i64>) {
    check_law(problem, dist.clone(), |&x| x.into());
    assert_eq!(
        dist.mean().to_string(),
        problem["mean"],
        "{}",
        problem["id"]
    );
    assert_eq!(
        dist.variance().to_string(),
        problem["variance"],
        "{}",
        problem["id"]
    );
    let modes: Vec<i64> = dist.modes().into_iter().copied().collect();
    assert_eq!(Value::from(modes), problem["mode"], "{}", problem["id"]);
}

/// Sorted faces of a pool, one die at a time.
fn pool(n: u32, sides: u32) -> Result<Dist<Vec<i64>>, Error> {
    let die = Dist::die(sides)?;
    let mut pool = Dist::certain(Vec::new());
    for _ in 0..n {
        pool = pool.joint(&die)?.map(|(faces, face)| {
            let mut faces = faces.clone();
            faces.insert(faces.partition_point(|x| x <= face), *face);
            faces
        });
    }
    Ok(pool)
}

fn highest(n: u32, sides: u32, keep: usize) -> Law {
    Ok(pool(n, sides)?.map(|faces| faces.iter().rev().take(keep).sum()))
}

fn lowest(n: u32, sides: u32, keep: usize) -> Law {
    Ok(pool(n, sides)?.map(|faces| faces.iter().take(keep).sum()))
}

fn exploding(extra: u32) -> Law {
    Dist::die(6)?.and_then(|&face| match face {
        6 if extra > 0 => exploding(extra - 1)?.shift(6),
        _ => Ok(Dist::certain(face)),
    })
}

/// The size of each set of equal faces.
fn sets(faces: &[i64]) -> Vec<i64> {
    faces
        .chunk_by(|a, b| a == b)
        .map(|set| set.len() as i64)
        .collect()
}

/// The largest set of ten dice by binomials, one face at a time: (dice left, largest set).
fn largest_set(n: u32, sides: u32) -> Law {
    let mut state = Dist::certain((n, 0));
    for left in (1..=sides).rev() {
        state = state.and_then(|&(dice, largest)| {
            let here = Dist::bernoulli((1, left))?
                .map(|&hit| i64::from(hit))
                .repeat(dice)?;
            Ok(here.map(|&set| (dice - set as u32, largest.max(set))))
        })?;
    }
    Ok(state.map(|&(_, largest)| largest))
}

/// Pairs won by the attacker, ties to the defender; `hero` is added to the highest die.
fn throw(attack: u32, defence: u32, hero: i64) -> Law {
    let pairs = pool(attack, 6)?.joint(&pool(defence, 6)?)?;
    Ok(pairs.map(|(attack, defence)| {
        let plus = std::iter::once(hero).chain(std::iter::repeat(0));
        let attack = attack
            .iter()
            .rev()
            .zip(plus)
            .map(|(face, plus)| face + plus);
        attack
            .zip(defence.iter().rev())
            .filter(|(a, d)| a > *d)
            .count() as i64
    }))
}

/// Whether the attacker takes the territory.
fn battle(attackers: u32, defenders: u32) -> Result<Dist<bool>, Error> {
    let mut throws = HashMap::new();
    let mut known: HashMap<(u32, u32), Dist<bool>> = HashMap::new();
    for a in 0..=attackers {
        for d in 0..=defenders {
            let end = if d == 0 {
                Dist::certain(true)
            } else if a == 0 {
                Dist::certain(false)
            } else {
                let (attack, defence) = (a.min(3), d.min(2));
                let lost = attack.min(defence);
                if let std::collections::hash_map::Entry::Vacant(entry) =
                    throws.entry((attack, defence))
                {
                    entry.insert(throw(attack, defence, 0)?);
                }
                let next = throws[&(attack, defence)].and_then(|&won| {
                    let won = won as u32;
                    Ok(known[&(a - (lost - won), d - won)].clone())
                })?;
                next.lowest_terms()
            };
            known.insert((a, d), end);
        }
    }
    Ok(known[&(attackers, defenders)].clone())
}

fn sign(first: &Dist<i64>, second: &Dist<i64>) -> Law {
    let difference = first.difference(second)?.map(|x| x.signum());
    let contest = first.versus(second);
    // The same distribution by the other algorithm.
    assert_eq!(difference.p(&1), contest.win());
    assert_eq!(difference.p(&0), contest.draw());
    assert_eq!(difference.p(&-1), contest.lose());
    Ok(difference)
}

fn integer_law(id: &str) -> Law {
    let d6 = Dist::die(6)?;
    match id {
        "2d6" => Dist::ndice(2, 6),
        "2d6+5" => Dist::ndice(2, 6)? + 5,
        "3d6" => Dist::ndice(3, 6),
        "4dF" => Dist::uniform([-1, 0, 1])?.repeat(4),
        "2d6-2d6" => Dist::ndice(2, 6)? - Dist::ndice(2, 6)?,
        "ff_2d6+10_vs_2d6+8" => sign(
            &Dist::ndice(2, 6)?.shift(10)?,
            &Dist::ndice(2, 6)?.shift(8)?,
        ),
        "100d6" => {
            let recurrence = Dist::ndice(100, 6)?;
            let halves = Dist::ndice(50, 6)?;
            assert_eq!(d6.repeat(100)?, recurrence);
            assert_eq!(halves.matfold(&halves)?, recurrence);
            Ok(recurrence)
        }
        "4d6kh3" => highest(4, 6, 3),
        "4d6kl3" => lowest(4, 6, 3),
        "10d6kh4" => highest(10, 6, 4),
        "adv_d20" => highest(2, 20, 1),
        "dis_d20" => lowest(2, 20, 1),
        "halfling_d20" => {
            let d20 = Dist::die(20)?;
            d20.and_then(|&face| {
                if face == 1 {
                    Dist::die(20)
                } else {
                    Ok(Dist::certain(face))
                }
            })
        }
        "gwf2014_2d6" => d6
            .and_then(|&face| {
                if face <= 2 {
                    Dist::die(6)
                } else {
                    Ok(Dist::certain(face))
                }
            })?
            .repeat(2),
        "explode_d6_depth10" => exploding(10),
        "50d6_ge5" => d6.map(|&face| i64::from(face >= 5)).repeat(50),
        "10d10_largest_set" => largest_set(10, 10),
        "6d6_distinct" => Ok(pool(6, 6)?.map(|faces| sets(faces).len() as i64)),
        "risk_1v1" => throw(1, 1, 0),
        "risk_2v1" => throw(2, 1, 0),
        "risk_3v1" => throw(3, 1, 0),
        "risk_1v2" => throw(1, 2, 0),
        "risk_2v2" => throw(2, 2, 0),
        "risk_3v2" => throw(3, 2, 0),
        "risk_3v2_attack_hero" => throw(3, 2, 1),
        "opposed_3d6_vs_2d6" => sign(&Dist::ndice(3, 6)?, &Dist::ndice(2, 6)?),
        "mixture_1/3_d6_2/3_d8" => Dist::mixture([("1/3", Dist::die(6)?), ("2/3", Dist::die(8)?)]),
        "(1d3)d3" => Dist::die(3)?.and_then(|&n| Dist::ndice(n as u32, 3)),
        "floor(3d6/2)" => Ok(Dist::ndice(3, 6)?.map(|sum| sum.div_euclid(2))),
        "max(0,2d6-5)" => Ok((Dist::ndice(2, 6)? - 5)?.map(|&sum| sum.max(0))),
        "d6*d6" => Ok(d6.joint(&d6)?.map(|(a, b)| a * b)),
        other => panic!("the corpus has a problem that this test does not know: {other}"),
    }
}

#[test]
fn every_problem_of_the_corpus() {
    for (id, problem) in problems() {
        match id.as_str() {
            "risk_battle_5v5" => check_law(&problem, battle(5, 5).unwrap(), |&x| x.into()),
            "risk_battle_10v10" => check_law(&problem, battle(10, 10).unwrap(), |&x| x.into()),
            "joint_4d6_high_low" => {
                let ends = pool(4, 6).unwrap().map(|faces| vec![faces[3], faces[0]]);
                check_law(&problem, ends, |x| x.clone().into());
            }
            _ => check(&problem, integer_law(&id).unwrap()),
        }
    }
}

#[test]
fn largest_set_agrees_with_the_pool() -> Result<(), Error> {
    let enumerated = pool(5, 6)?.map(|faces| *sets(faces).iter().max().unwrap());
    assert_eq!(largest_set(5, 6)?, enumerated);
    Ok(())
}

#[test]
fn a_thousand_dice() -> Result<(), Error> {
    let data: Value = serde_json::from_str(include_str!("../data/dice.json")).unwrap();
    let expected = &data["hashed"][0];
    assert_eq!(expected["id"], "1000d6");
    let roll = Dist::ndice(1000, 6)?;
    assert_eq!(roll.support().first(), Some(&1000));
    assert_eq!(roll.support().last(), Some(&6000));
    assert_eq!(roll.total(), &BigUint::from(6u32).pow(1000));
    assert_eq!(roll.weights().sum::<BigUint>(), *roll.total());

    let at = roll.support().binary_search(&3500).unwrap();
    let weight = roll.weights().nth(at).unwrap();
    assert_eq!(weight.to_string(), expected["weight_at_3500"]);

    let tail = roll.at_least(&3600);
    let digits = expected["P(>=3600)"]
        .as_str()
        .unwrap()
        .trim_end_matches('.');
    assert!(tail.to_string().starts_with(digits));
    let float = expected["P(>=3600)_float"].as_f64().unwrap();
    assert_eq!(tail.to_f64(), Some(float));
    let twin = roll.to_f64();
    assert!((twin.at_least(&3600) - float).abs() <= twin.relative_error() * float);

    let written: String = roll
        .iter()
        .map(|(x, weight)| format!("{x}:{weight}\n"))
        .collect();
    assert_eq!(sha256::hex(written.as_bytes()), expected["sha256"]);
    Ok(())
}

#[test]
fn fighting_fantasy_rounds() -> Result<(), Error> {
    let data: Value = serde_json::from_str(include_str!("../data/round.json")).unwrap();
    let rounds = data["round"].as_object().unwrap();
    assert_eq!(rounds.len(), 25);
    let table = DifferenceTable::new(2, 6)?;
    let roll = Dist::ndice(2, 6)?;
    for (d, expected) in rounds {
        let d: i64 = d.parse().unwrap();
        let expected: Vec<BigRational> = (0..3)
            .map(|i| expected[i].as_str().unwrap().parse().unwrap())
            .collect();
        assert_eq!(
            vec![table.win(d), table.draw(d), table.lose(d)],
            expected,
            "{d}"
        );
        let contest = roll.shift(d)?.versus(&roll);
        assert_eq!(
            vec![contest.win(), contest.draw(), contest.lose()],
            expected,
            "{d}"
        );
    }
    Ok(())
}

/// The winner of ties decides a RISK throw of one die each: 15/36 and 21/36.
#[test]
fn risk_throw_as_a_contest() -> Result<(), Error> {
    let die = Dist::die(6)?;
    let contest = die.versus(&die).with_ties(Ties::Lose)?;
    assert_eq!(contest.win(), throw(1, 1, 0)?.p(&1));
    Ok(())
}

/// FIPS 180-4 in its shortest form, which avoids a dependency for one test.
mod sha256 {
    fn fraction_bits(root: fn(f64) -> f64, count: usize) -> Vec<u32> {
        let prime = |n: &u32| (2..*n).all(|d| !n.is_multiple_of(d));
        (2..)
            .filter(prime)
            .take(count)
            .map(|p| (root(f64::from(p)).fract() * 4294967296.0) as u32)
            .collect()
    }

    pub(super) fn hex(message: &[u8]) -> String {
        let constants = fraction_bits(f64::cbrt, 64);
        let mut hash = fraction_bits(f64::sqrt, 8);
        let mut bytes = message.to_vec();
        bytes.push(0x80);
        bytes.resize(bytes.len().next_multiple_of(64), 0);
        if message.len() % 64 >= 56 {
            bytes.resize(bytes.len() + 64, 0);
        }
        let end = bytes.len() - 8;
        bytes[end..].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
        for block in bytes.chunks(64) {
            let mut w: Vec<u32> = block
                .chunks(4)
                .map(|word| word.iter().fold(0, |n, &b| n << 8 | u32::from(b)))
                .collect();
            for i in 16..64 {
                let (a, b) = (w[i - 15], w[i - 2]);
                let low = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
                let high = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
                w.push(
                    w[i - 16]
                        .wrapping_add(low)
                        .wrapping_add(w[i - 7])
                        .wrapping_add(high),
                );
            }
            let mut s = hash.clone();
            for i in 0..64 {
                let big = s[4].rotate_right(6) ^ s[4].rotate_right(11) ^ s[4].rotate_right(25);
                let choice = s[4] & s[5] ^ !s[4] & s[6];
                let one = [s[7], big, choice, constants[i], w[i]]
                    .into_iter()
                    .fold(0, u32::wrapping_add);
                let small = s[0].rotate_right(2) ^ s[0].rotate_right(13) ^ s[0].rotate_right(22);
                let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2];
                s.rotate_right(1);
                s[4] = s[4].wrapping_add(one);
                s[0] = one.wrapping_add(small).wrapping_add(majority);
            }
            hash.iter_mut()
                .zip(s)
                .for_each(|(h, s)| *h = h.wrapping_add(s));
        }
        hash.iter().map(|word| format!("{word:08x}")).collect()
    }

    #[test]
    fn of_abc() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(b"abc"), expected);
    }
}
