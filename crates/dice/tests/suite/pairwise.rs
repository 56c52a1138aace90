//! Opposed pools compared with an enumeration of all rolls of both, by every algorithm.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use oddsmith_dice::{Dist, Error, Pairing, Pairs, Pool, TieTo};
use quickcheck::{Arbitrary, Gen, QuickCheck};
use serde_json::Value;
use std::collections::BTreeMap;

/// One side: weighted dice or a deck, and the multiplicities of its sorted positions, lowest first.
#[derive(Clone, Debug)]
struct Army {
    dice: Vec<Vec<(i64, u64)>>,
    deck: Option<Vec<i64>>,
    multiplicities: Vec<i64>,
    bonus: Vec<i64>,
}

#[derive(Clone, Debug)]
struct War {
    armies: [Army; 2],
    ties: TieTo,
    clamped: bool,
    sorted_again: bool,
    lowest_first: bool,
}

fn below(g: &mut Gen, n: u64) -> u64 {
    u64::arbitrary(g) % n
}

impl Arbitrary for Army {
    fn arbitrary(g: &mut Gen) -> Self {
        let kinds: Vec<Vec<(i64, u64)>> = (0..1 + below(g, 2))
            .map(|_| {
                let start = below(g, 3) as i64;
                let fair = bool::arbitrary(g);
                let weight = |g: &mut Gen| if fair { 1 } else { 1 + below(g, 3) };
                (start..start + 1 + below(g, 4) as i64)
                    .map(|face| (face, weight(g)))
                    .collect()
            })
            .collect();
        let size = below(g, 6).min(4) as usize;
        let dice: Vec<_> = (0..size)
            .map(|_| g.choose(&kinds).unwrap().clone())
            .collect();
        let more = below(g, 3);
        let deck = (below(g, 5) == 0).then(|| {
            (0..1 + size as u64 + more)
                .map(|_| below(g, 4) as i64)
                .collect()
        });
        let multiplicities = match below(g, 3) {
            0 => vec![1; size],
            1 => (0..size).map(|i| i64::from(2 * i >= size)).collect(),
            _ => (0..size).map(|_| below(g, 3) as i64).collect(),
        };
        let bonus = match below(g, 3) {
            0 => Vec::new(),
            1 => vec![below(g, 5) as i64 - 2; below(g, 6) as usize],
            _ => (0..below(g, 4)).map(|_| below(g, 5) as i64 - 2).collect(),
        };
        Army {
            dice,
            deck,
            multiplicities,
            bonus,
        }
    }
}

impl Arbitrary for War {
    fn arbitrary(g: &mut Gen) -> Self {
        War {
            armies: [Army::arbitrary(g), Army::arbitrary(g)],
            ties: *g
                .choose(&[TieTo::Attacker, TieTo::Defender, TieTo::Nobody])
                .unwrap(),
            clamped: below(g, 3) == 0,
            sorted_again: below(g, 3) == 0,
            lowest_first: below(g, 3) == 0,
        }
    }
}

impl Army {
    fn pool(&self) -> Pool {
        let pool = match &self.deck {
            Some(cards) => {
                let drawn = self.multiplicities.len() as u32;
                Pool::deck(cards.iter().map(|&card| (card, 1)), drawn).unwrap()
            }
            None => Pool::mixed(
                self.dice
                    .iter()
                    .map(|die| Dist::from_weights(die.iter().copied()).unwrap())
                    .collect::<Vec<_>>(),
            ),
        };
        if self.multiplicities.iter().all(|&m| m == 1) {
            return pool;
        }
        pool.positions(&self.multiplicities).unwrap()
    }

    /// Sorted rolls, lowest first.
    fn rolls(&self) -> Vec<(Vec<i64>, u64)> {
        let mut rolls = vec![(Vec::new(), 1)];
        if let Some(cards) = &self.deck {
            for &card in cards {
                let with = rolls
                    .iter()
                    .map(|(hand, ways)| ([hand.as_slice(), &[card]].concat(), *ways));
                let with: Vec<_> = with.collect();
                rolls.extend(with);
            }
            rolls.retain(|roll| roll.0.len() == self.multiplicities.len());
        } else {
            for die in &self.dice {
                let with = |(roll, ways): &(Vec<i64>, u64)| {
                    let (roll, ways) = (roll.clone(), *ways);
                    let next = die
                        .iter()
                        .map(move |(face, w)| ([roll.as_slice(), &[*face]].concat(), ways * w));
                    next.collect::<Vec<_>>()
                };
                rolls = rolls.iter().flat_map(with).collect();
            }
        }
        for roll in &mut rolls {
            roll.0.sort_unstable();
        }
        rolls
    }

    /// The values of the kept positions, in the order in which they are compared.
    fn values(&self, roll: &[i64], war: &War) -> Vec<i64> {
        let kept = roll.iter().zip(&self.multiplicities);
        let mut values: Vec<i64> = kept
            .flat_map(|(&face, &m)| vec![face; m as usize])
            .collect();
        if !war.lowest_first {
            values.reverse();
        }
        let faces: Vec<i64> = match &self.deck {
            Some(cards) => cards.clone(),
            None => self.dice.iter().flatten().map(|face| face.0).collect(),
        };
        for (value, bonus) in values.iter_mut().zip(&self.bonus) {
            *value += bonus;
        }
        if war.clamped
            && let (Some(low), Some(high)) = (faces.iter().min(), faces.iter().max())
        {
            values
                .iter_mut()
                .for_each(|value| *value = (*value).clamp(*low, *high));
        }
        if war.sorted_again {
            values.sort_unstable();
            if !war.lowest_first {
                values.reverse();
            }
        }
        values
    }
}

impl War {
    fn pairing(&self) -> Pairing {
        let [attack, defence] = &self.armies;
        let mut pairing = Pairing::new().ties(self.ties);
        pairing = pairing
            .attack_bonus(attack.bonus.clone())
            .defence_bonus(defence.bonus.clone());
        if self.clamped {
            pairing = pairing.clamped();
        }
        if self.sorted_again {
            pairing = pairing.sorted_again();
        }
        if self.lowest_first {
            pairing = pairing.lowest_first();
        }
        pairing
    }

    fn enumerate(&self) -> BTreeMap<Pairs, BigUint> {
        let [attack, defence] = &self.armies;
        let mut law = BTreeMap::new();
        let theirs = defence.rolls();
        for (roll, ways) in attack.rolls() {
            let ours = attack.values(&roll, self);
            for (their_roll, more) in &theirs {
                let mut pairs = Pairs {
                    won: 0,
                    drawn: 0,
                    lost: 0,
                };
                for (a, d) in ours.iter().zip(defence.values(their_roll, self)) {
                    match (*a - d, self.ties) {
                        (1.., _) | (0, TieTo::Attacker) => pairs.won += 1,
                        (0, TieTo::Nobody) => pairs.drawn += 1,
                        _ => pairs.lost += 1,
                    }
                }
                *law.entry(pairs).or_insert_with(BigUint::default) += ways * more;
            }
        }
        law
    }
}

/// Many more cases than usual, since there are many algorithms.
#[test]
fn every_way_of_pairing() {
    fn holds(war: War) -> bool {
        let expected = war.enumerate();
        let [attack, defence] = war.armies.each_ref().map(Army::pool);
        let law = attack.pairwise(&defence, &war.pairing()).unwrap();
        let found: BTreeMap<Pairs, BigUint> = law.iter().map(|(p, w)| (*p, w.clone())).collect();
        assert_eq!(found, expected, "{war:?}");
        assert_eq!(law.total(), &expected.values().sum::<BigUint>());

        let float = attack
            .to_f64()
            .pairwise(&defence.to_f64(), &war.pairing())
            .unwrap();
        assert_eq!(float.support(), law.support());
        let bound = float.relative_error();
        assert!(bound < 1e-12);
        for pairs in law.outcomes() {
            let p = law.p(pairs).to_f64().unwrap();
            assert!((float.p(pairs) - p).abs() <= (bound + f64::EPSILON) * p);
        }
        true
    }
    QuickCheck::new()
        .tests(1000)
        .quickcheck(holds as fn(War) -> bool);
}

#[test]
fn the_generator_takes_every_road() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    let wars: Vec<War> = (0..10_000).map(|_| War::arbitrary(&mut g)).collect();
    let some = |test: &dyn Fn(&War) -> bool| wars.iter().filter(|war| test(war)).count() > 20;
    let big = |war: &War| {
        war.armies
            .iter()
            .all(|army| army.multiplicities.iter().sum::<i64>() > 1)
    };
    let plain = |war: &War| {
        war.armies
            .iter()
            .all(|army| army.bonus.iter().all(|&b| b == 0))
    };
    assert!(some(&|war| big(war)
        && plain(war)
        && war.ties == TieTo::Nobody));
    assert!(some(&|war| big(war)
        && war.armies[0].bonus.len() > 1
        && !war.clamped
        && !war.sorted_again));
    assert!(some(&|war| big(war)
        && war.armies[0].bonus.len() > 1
        && war.sorted_again
        && !war.clamped));
    assert!(some(&|war| big(war)
        && war.clamped
        && war.armies[1].bonus.len() > 3));
    assert!(some(&|war| war.armies[0].deck.is_some()
        && war.lowest_first
        && big(war)));
}

/// RISK throws computed by an independent program.
#[test]
fn reference_throws() {
    let data: Value = serde_json::from_str(include_str!("../data/dice.json")).unwrap();
    let problems = data["problems"].as_array().unwrap();
    let mut checked = 0;
    for problem in problems {
        let id = problem["id"].as_str().unwrap();
        let Some(dice) = id
            .strip_prefix("risk_")
            .filter(|id| id.as_bytes()[1] == b'v')
        else {
            continue;
        };
        let count = |at: usize| u32::from(dice.as_bytes()[at] - b'0');
        let mut pairing = Pairing::new();
        if id.ends_with("_attack_hero") {
            pairing = pairing.attack_bonus([1]);
        }
        let (attack, defence) = (
            Pool::dice(count(0), 6).unwrap(),
            Pool::dice(count(2), 6).unwrap(),
        );
        let law = attack.pairwise(&defence, &pairing).unwrap();
        let law = law.map(|pairs| i64::from(pairs.won)).lowest_terms();
        assert_eq!(law.total().to_string(), problem["denominator"], "{id}");
        let found: Vec<Value> = law
            .iter()
            .map(|(x, w)| Value::from(vec![Value::from(*x), w.to_string().into()]))
            .collect();
        assert_eq!(Value::from(found), problem["outcomes"], "{id}");
        checked += 1;
    }
    assert_eq!(checked, 7);
}

/// Exchanging the sides changes nothing else.
#[test]
fn twelve_against_eleven_from_both_sides() {
    let (twelve, eleven) = (Pool::dice(12, 6).unwrap(), Pool::dice(11, 6).unwrap());
    let law = twelve.pairwise(&eleven, &Pairing::new()).unwrap();
    assert_eq!(law.total().to_string(), "789730223053602816");
    let all = Pairs {
        won: 11,
        drawn: 0,
        lost: 0,
    };
    assert_eq!(law.p(&all).to_string(), "121562361639311/7312316880125952");
    let turned = eleven
        .pairwise(&twelve, &Pairing::new().ties(TieTo::Attacker))
        .unwrap();
    let back = turned.map(|p| Pairs {
        won: p.lost,
        drawn: p.drawn,
        lost: p.won,
    });
    assert_eq!(back, law);
    let drawn = twelve
        .pairwise(&eleven, &Pairing::new().ties(TieTo::Nobody))
        .unwrap();
    let lost = drawn.map(|p| Pairs {
        won: p.won,
        drawn: 0,
        lost: p.lost + p.drawn,
    });
    assert_eq!(lost, law);
}

#[test]
fn bad_input_and_extremes() {
    let dice = |n| Pool::dice(n, 6).unwrap();
    let plain = Pairing::new();
    let nothing = dice(0).pairwise(&dice(3), &plain).unwrap();
    assert_eq!(
        nothing.support(),
        [Pairs {
            won: 0,
            drawn: 0,
            lost: 0
        }]
    );
    let minus = dice(2).positions(&[1, -1]).unwrap();
    let refused = minus.pairwise(&dice(2), &plain);
    assert_eq!(refused, Err(Error::NegativePosition { multiplicity: -1 }));
    for many in [u32::MAX, 100_000] {
        let refused = dice(many).pairwise(&dice(many), &plain);
        assert!(
            matches!(refused, Err(Error::TooLarge { .. })),
            "{refused:?}"
        );
        let refused = dice(many).to_f64().pairwise(&dice(many).to_f64(), &plain);
        assert!(
            matches!(refused, Err(Error::TooLarge { .. })),
            "{refused:?}"
        );
        let listed = plain.clone().attack_bonus([0, 1]).sorted_again();
        assert!(dice(many).pairwise(&dice(3), &listed).is_err());
    }
    // Bonuses at the ends of the range give an error, without wrapping or panicking.
    for end in [i64::MIN, i64::MAX] {
        for both in [[end, -1, 0], [end, 1, end], [1, end, 0]] {
            for pairing in [
                plain.clone(),
                plain.clone().clamped(),
                plain.clone().sorted_again(),
                plain.clone().lowest_first(),
            ] {
                let pairing = pairing.attack_bonus(both).defence_bonus([-1, 1]);
                let result = dice(3).pairwise(&dice(3), &pairing);
                assert!(
                    result.is_ok() || matches!(result, Err(Error::OutcomeOverflow { .. })),
                    "{result:?}"
                );
            }
        }
    }
    // A bonus that decides everything.
    let sure = plain.attack_bonus([6, 6, 6]);
    assert_eq!(
        dice(3).pairwise(&dice(4), &sure).unwrap().support(),
        [Pairs {
            won: 3,
            drawn: 0,
            lost: 0
        }]
    );
}

/// Regression test: the faces of absent dice moved the limits to which bonuses are clamped.
#[test]
fn dice_that_are_not_there_do_not_count() {
    let (d6, d8) = (Dist::die(6).unwrap(), Dist::die(8).unwrap());
    let pairing = Pairing::new().attack_bonus([1]).clamped();
    let defence = Pool::dice(2, 6).unwrap();
    let two = Pool::of(2, &d6);
    let law = two.pairwise(&defence, &pairing).unwrap();
    let won = law.probability(|pairs| pairs.won == 2);
    assert_eq!(won.to_string(), "355/1296");
    for padded in [
        two.clone().with(0, &d8).unwrap(),
        Pool::of(0, &d8).with(2, &d6).unwrap(),
    ] {
        assert_eq!(padded.pairwise(&defence, &pairing).unwrap(), law);
        assert_eq!(padded.size(), 2);
    }
    assert_eq!(Pool::of(0, &d8).size(), 0);
}
