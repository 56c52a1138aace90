//! Chains compared with elimination in fractions, and with published answers.

#![allow(
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]

use crate::exact::{Number, near, number};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_dice::{Chain, Dist, Error, IntoRatio, Step, Steps, Weight};
use quickcheck::{Arbitrary, Gen, TestResult, quickcheck};
use std::collections::BTreeMap;

/// A chain as a table: the row of each state, or nothing if it stops.
#[derive(Clone, Debug)]
struct Table(Vec<Vec<(usize, u64)>>);

impl Arbitrary for Table {
    fn arbitrary(g: &mut Gen) -> Self {
        let states = 1 + usize::arbitrary(g) % 9;
        let heavy = *g.choose(&[1, 6, 1000, u64::MAX]).unwrap();
        // Forward chains, chains with few ways back, and any chains.
        let back = *g.choose(&[0, 10, 100]).unwrap();
        let row = |g: &mut Gen, at: usize| {
            let mut row = Vec::new();
            for _ in 0..u8::arbitrary(g) % 4 {
                let any = usize::arbitrary(g) % (states + 1);
                let ahead = at + 1 + usize::arbitrary(g) % (states + 1 - at);
                let weight = u64::arbitrary(g) % heavy + 1;
                let jumps = u8::arbitrary(g) % 100 < back;
                row.push((if jumps { any } else { ahead }, weight));
            }
            row
        };
        let rows = (0..states).map(|at| row(g, at)).collect();
        Table(rows)
    }
}

impl Table {
    /// The row as a distribution; without one, and beyond the table, the chain stops.
    fn row(&self, at: usize) -> Option<Dist<usize>> {
        let row = self.0.get(at)?;
        Dist::from_weights(row.iter().copied()).ok()
    }

    fn chain(&self) -> Chain<usize, usize> {
        let step = |&at: &usize| {
            Ok(match self.row(at) {
                Some(law) => Step::Go(law),
                None => Step::Stop(at % 3),
            })
        };
        Chain::explore(0, step).unwrap()
    }

    fn float_chain(&self) -> Chain<usize, usize, f64> {
        let step = |&at: &usize| {
            Ok(match self.row(at) {
                Some(law) => Step::Go(law.to_f64()),
                None => Step::Stop(at % 3),
            })
        };
        Chain::explore(0, step).unwrap()
    }

    /// Every state that can be reached, with its row in fractions.
    fn reached(&self) -> BTreeMap<usize, Vec<(usize, Number)>> {
        let mut rows = BTreeMap::new();
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            if rows.contains_key(&at) {
                continue;
            }
            let law = self.row(at);
            let row: Vec<_> = law
                .iter()
                .flat_map(|law| law.outcomes().map(|to| (*to, law.p(to))))
                .collect();
            stack.extend(row.iter().map(|way| way.0));
            rows.insert(at, row);
        }
        rows
    }

    /// Expected visits and the expected sum of visits weighted by the steps so far, by
    /// Gauss–Jordan elimination in fractions: `None` if the system is singular.
    fn visits(&self, source: &BTreeMap<usize, Number>) -> Option<BTreeMap<usize, Number>> {
        let rows = self.reached();
        let states: Vec<usize> = rows.keys().copied().collect();
        let n = states.len();
        let place = |state: usize| states.binary_search(&state).unwrap();
        // v − v P = source, a column each.
        let mut system = vec![vec![Number::zero(); n + 1]; n];
        for (i, equation) in system.iter_mut().enumerate() {
            equation[i] += Number::one();
            equation[n] = source.get(&states[i]).cloned().unwrap_or_default();
        }
        for (from, row) in &rows {
            for (to, p) in row {
                system[place(*to)][place(*from)] -= p;
            }
        }
        for i in 0..n {
            let pivot = (i..n).find(|&k| !system[k][i].is_zero())?;
            system.swap(i, pivot);
            let inverse = system[i][i].recip();
            system[i].iter_mut().for_each(|x| *x *= &inverse);
            let row = system[i].clone();
            for (k, other) in system.iter_mut().enumerate() {
                if k != i && !other[i].is_zero() {
                    let factor = other[i].clone();
                    for (x, y) in other.iter_mut().zip(&row) {
                        *x -= &factor * y;
                    }
                }
            }
        }
        Some(
            states
                .into_iter()
                .zip(system.into_iter().map(|row| row[n].clone()))
                .collect(),
        )
    }
}

quickcheck! {
    fn chains_against_elimination_in_fractions(table: Table) -> TestResult {
        let chain = table.chain();
        let source = BTreeMap::from([(0, Number::one())]);
        let Some(visits) = table.visits(&source) else {
            // There is a closed set of states, so some state never stops.
            assert!(chain.endless_state().is_some());
            assert!(matches!(chain.outcome(), Err(Error::NeverStops { .. })));
            assert!(matches!(chain.expected_steps(), Err(Error::NeverStops { .. })));
            return TestResult::passed();
        };
        assert_eq!(chain.endless_state(), None);
        assert!(chain.stopping_probability().unwrap().is_one());
        let rows = table.reached();
        let moving = |state: &usize| !rows[state].is_empty();
        let found = chain.visits().unwrap();
        assert_eq!(chain.len(), rows.len());
        for (state, expected) in &visits {
            assert_eq!(found.of(state).as_ref(), Some(expected), "{state}");
        }
        let outcome = chain.outcome().unwrap();
        assert_eq!(outcome.weights().sum::<num_bigint::BigUint>(), *outcome.total());
        for end in 0..3 {
            let expected: Number = visits
                .iter()
                .filter(|(state, _)| !moving(state) && **state % 3 == end)
                .map(|(_, visits)| visits)
                .sum();
            assert_eq!(outcome.p(&end), expected);
        }
        let transient: BTreeMap<usize, Number> = visits.into_iter().filter(|v| moving(&v.0)).collect();
        let mean: Number = transient.values().sum();
        let again = table.visits(&transient).unwrap();
        let twice: Number = again.iter().filter(|v| moving(v.0)).map(|v| v.1).sum();
        assert_eq!(chain.expected_steps().unwrap(), mean);
        assert_eq!(chain.steps_variance().unwrap(), twice * number(2) - &mean - &mean * &mean);
        TestResult::passed()
    }

    fn float_chains_stay_within_their_bound(table: Table) -> TestResult {
        let (exact, float) = (table.chain(), table.float_chain());
        if exact.endless_state().is_some() {
            return TestResult::discard();
        }
        let (visits, float_visits) = (exact.visits().unwrap(), float.visits().unwrap());
        let bound = float_visits.relative_error();
        assert!(bound < 1e-11, "{bound}");
        for ((state, exact), (other, float)) in visits.iter().zip(float_visits.iter()) {
            assert_eq!(state, other);
            assert!(near(&exact, float, bound), "{state}: {float} is not {exact}");
        }
        let (law, float_law) = (exact.outcome().unwrap(), float.outcome().unwrap());
        let bound_of_law = float_law.relative_error();
        assert!(bound_of_law > 0.0 || law.len() == 1);
        for end in law.outcomes() {
            assert!(near(&law.p(end), float_law.p(end), bound_of_law));
        }
        assert!(near(&exact.expected_steps().unwrap(), float.expected_steps().unwrap(), bound));
        let (steps, float_steps) = (exact.steps(7).unwrap(), float.steps(7).unwrap());
        let bound = float_steps.relative_error();
        for n in steps.outcomes() {
            assert!(near(&steps.p(n), float_steps.p(n), bound));
        }
        TestResult::passed()
    }

    fn steps_against_powers_of_the_matrix(table: Table, horizon: u8) -> bool {
        let horizon = u64::from(horizon % 12);
        let rows = table.reached();
        let mut expected: BTreeMap<Steps, Number> = BTreeMap::new();
        let mut now = BTreeMap::from([(0, Number::one())]);
        for step in 0..=horizon {
            let mut next: BTreeMap<usize, Number> = BTreeMap::new();
            for (state, p) in &now {
                let key = if rows[state].is_empty() {
                    Steps::Exactly(step)
                } else if step == horizon {
                    Steps::MoreThan(horizon)
                } else {
                    for (to, q) in &rows[state] {
                        *next.entry(*to).or_default() += p * q;
                    }
                    continue;
                };
                *expected.entry(key).or_default() += p;
            }
            now = next;
        }
        let chain = table.chain();
        let law = chain.steps(horizon).unwrap();
        if let Ok(all) = chain.all_steps() {
            assert_eq!(all.mean(), chain.expected_steps().unwrap());
            assert_eq!(all.variance(), chain.steps_variance().unwrap());
            for n in 0..=horizon {
                assert_eq!(all.p(&(n as i64)), law.p(&Steps::Exactly(n)));
            }
        }
        law.outcomes().map(|n| (*n, law.p(n))).eq(expected)
    }
}

/// Blocks with one prime after the other, wide weights, dense and sparse: all large.
#[test]
fn a_dense_cycle_against_elimination() {
    for (states, heavy) in [(24, 7), (12, u64::MAX)] {
        let weight = |i: usize, j: usize| {
            let mixed = (i as u64 * 0x9E37_79B9 + j as u64 * 0x85EB_CA6B).wrapping_mul(0xC2B2_AE35);
            mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) % heavy
        };
        let row = |i: usize| {
            (0..=states)
                .map(|j| (j, weight(i, j) + u64::from(i + 1 == j)))
                .collect()
        };
        let table = Table((0..states).map(row).collect());
        let source = BTreeMap::from([(0, Number::one())]);
        let expected = table.visits(&source).unwrap();
        let chain = table.chain();
        let visits = chain.visits().unwrap();
        assert!(visits.iter().all(|(state, n)| n == expected[state]));
    }
}

fn craps<W: Weight>(roll: &Dist<i64, W>) -> Chain<(i64, i64), bool, W> {
    let step = |&(point, last): &(i64, i64)| {
        let go = |point: i64| Step::Go(roll.map(|&sum| (point, sum)));
        Ok(match (point, last) {
            (0, 0) => go(0),
            (0, 7 | 11) => Step::Stop(true),
            (0, 2 | 3 | 12) => Step::Stop(false),
            (0, point) => go(point),
            (point, last) if last == point => Step::Stop(true),
            (_, 7) => Step::Stop(false),
            (point, _) => go(point),
        })
    };
    Chain::explore((0, 0), step).unwrap()
}

#[test]
fn craps_pass_line() -> Result<(), Error> {
    let roll = Dist::ndice(2, 6)?;
    let chain = craps(&roll);
    assert_eq!(chain.outcome()?.p(&true).to_string(), "244/495");
    assert_eq!(chain.expected_steps()?.to_string(), "557/165");
    let float = craps(&roll.to_f64());
    let law = float.outcome()?;
    assert!(near(
        &(244, 495).into_ratio()?,
        law.p(&true),
        law.relative_error()
    ));
    assert!(law.relative_error() < 1e-12);
    Ok(())
}

/// The distribution of the largest set after rolling all dice but `kept` equal ones, by counting
/// all rolls; a larger set replaces the one kept.
fn keep_most(kept: usize) -> Dist<usize> {
    let rolled = 5 - kept;
    let rolls = (0..6usize.pow(rolled as u32)).map(|code| {
        let mut counts = [0; 6];
        // The kept dice show face 0.
        counts[0] = kept;
        let mut code = code;
        for _ in 0..rolled {
            counts[code % 6] += 1;
            code /= 6;
        }
        *counts.iter().max().unwrap()
    });
    Dist::uniform(rolls).unwrap()
}

/// P. J. Pantages and others: five of a kind in three rolls, and in as many as needed.
#[test]
fn yahtzee_keeping_the_most_common_face() -> Result<(), Error> {
    let laws: Vec<Dist<usize>> = (0..5).map(keep_most).collect();
    let three = Chain::explore((0, 3), |&(kept, rolls): &(usize, u32)| {
        Ok(match (kept, rolls) {
            (5, _) | (_, 0) => Step::Stop(kept),
            _ => Step::Go(laws[kept].map(|&kept| (kept, rolls - 1))),
        })
    })?;
    let yahtzee = three.outcome()?.p(&5);
    assert_eq!(yahtzee, (2_783_176, 60_466_176).into_ratio()?);
    let unlimited = Chain::explore(0, |&kept: &usize| {
        Ok(match kept {
            5 => Step::Stop(()),
            _ => Step::Go(laws[kept].clone()),
        })
    })?;
    assert_eq!(unlimited.expected_steps()?.to_string(), "191283/17248");
    // By plain powers of the matrix.
    let mut now = vec![number(0); 6];
    now[0] = number(1);
    for _ in 0..3 {
        let mut next = vec![number(0); 6];
        next[5] += &now[5];
        for (kept, p) in now.iter().take(5).enumerate() {
            for to in laws[kept].outcomes() {
                next[*to] += p * laws[kept].p(to);
            }
        }
        now = next;
    }
    assert_eq!(now[5], yahtzee);
    Ok(())
}

#[test]
fn the_ruin_of_a_gambler() -> Result<(), Error> {
    // Fair: k/n and k (n − k). Unfair: (1 − rᵏ)/(1 − rⁿ) with r = q/p.
    let play = |win: u32, lose: u32, start: i64, goal: i64| {
        Chain::explore(start, |&coins| {
            Ok(match coins {
                0 => Step::Stop(false),
                _ if coins == goal => Step::Stop(true),
                _ => Step::Go(Dist::from_weights([(coins - 1, lose), (coins + 1, win)])?),
            })
        })
    };
    let fair = play(1, 1, 30, 200)?;
    assert_eq!(fair.outcome()?.p(&true).to_string(), "3/20");
    assert_eq!(fair.expected_steps()?.to_string(), "5100");
    // Var = k (n − k) (k² + (n − k)² − 2) / 3.
    assert_eq!(
        fair.steps_variance()?,
        number(30 * 170 * (900 + 28_900 - 2) / 3)
    );
    let roulette = play(18, 19, 10, 40)?;
    let r = BigRational::new(19.into(), 18.into());
    let expected = (r.pow(10) - number(1)) / (r.pow(40) - number(1));
    assert_eq!(roulette.outcome()?.p(&true), expected);
    let mean = (number(10) - expected * number(40)) * number(37);
    assert_eq!(roulette.expected_steps()?, mean);
    Ok(())
}

#[test]
fn collecting_coupons() -> Result<(), Error> {
    for faces in [1, 2, 6, 100] {
        let chain = Chain::explore(0u32, |&seen| {
            Ok(match seen {
                _ if seen == faces => Step::Stop(()),
                _ => Step::Go(Dist::from_weights([
                    (seen, seen),
                    (seen + 1, faces - seen),
                ])?),
            })
        })?;
        let harmonic: Number = (1..=i64::from(faces)).map(|k| number(k).recip()).sum();
        assert_eq!(chain.expected_steps()?, harmonic * number(faces));
        let squares =
            (0..faces).map(|k| BigRational::new((k * faces).into(), (faces - k).pow(2).into()));
        assert_eq!(chain.steps_variance()?, squares.sum());
    }
    Ok(())
}

/// The mean waiting time of a pattern is the sum of |Σ|ᵏ over its self-overlaps of length
/// k (J. H. Conway's leading number, after M. Gardner, 1974).
#[test]
fn waiting_for_patterns() -> Result<(), Error> {
    let wait = |pattern: &str, letters: &str| {
        let chain = Chain::explore(String::new(), |seen| {
            if seen == pattern {
                return Ok(Step::Stop(()));
            }
            Ok(Step::Go(Dist::uniform(letters.chars().map(|letter| {
                let mut seen = format!("{seen}{letter}");
                while !pattern.starts_with(&seen) {
                    seen.remove(0);
                }
                seen
            }))?))
        })?;
        chain.expected_steps()
    };
    for (pattern, mean) in [("HH", 6), ("HT", 4), ("HTH", 10), ("HHH", 14), ("THTH", 20)] {
        assert_eq!(wait(pattern, "HT")?, number(mean), "{pattern}");
    }
    assert_eq!(
        wait("ABRACADABRA", "ABCDR")?,
        number(5i64.pow(11) + 5i64.pow(4) + 5)
    );
    Ok(())
}

/// A board of 100 squares with slides back and forth, d6, exact throw not needed: every
/// state below the last slide lies on one cycle.
fn board<W: Weight>(die: &Dist<i64, W>) -> Chain<i64, (), W> {
    let slides = BTreeMap::from([
        (1, 38),
        (4, 14),
        (9, 31),
        (16, 6),
        (21, 42),
        (28, 84),
        (36, 44),
        (47, 26),
        (49, 11),
        (51, 67),
        (56, 53),
        (62, 19),
        (64, 60),
        (71, 91),
        (80, 100),
        (87, 24),
        (93, 73),
        (95, 75),
        (98, 78),
    ]);
    Chain::explore(0, |&square| {
        if square == 100 {
            return Ok(Step::Stop(()));
        }
        Ok(Step::Go(die.map(|face| {
            // A throw beyond the end is lost.
            let next = if square + face > 100 {
                square
            } else {
                square + face
            };
            slides.get(&next).copied().unwrap_or(next)
        })))
    })
    .unwrap()
}

/// S. C. Althoen, L. King and K. Schilling, "How Long Is a Game of Snakes and Ladders?",
/// The Mathematical Gazette 77 (1993): 39.2 moves on the board of Milton Bradley.
#[test]
fn snakes_and_ladders() -> Result<(), Error> {
    let die = Dist::die(6)?;
    let (exact, float) = (board(&die), board(&die.to_f64()));
    let mean = exact.expected_steps()?;
    assert!((mean.to_f64().unwrap() - 39.2).abs() < 0.1, "{mean}");
    let bound = float.visits()?.relative_error();
    assert!(
        near(&mean, float.expected_steps()?, bound) && bound < 1e-9,
        "{bound}"
    );
    let variance = exact.steps_variance()?.to_f64().unwrap();
    assert!((float.steps_variance()? / variance - 1.0).abs() < 1e-10);
    // The shortest game.
    let shortest = exact.steps(7)?;
    assert_eq!(shortest.support(), [Steps::Exactly(7), Steps::MoreThan(7)]);
    assert_eq!(shortest.p(&Steps::Exactly(7)).to_string(), "47/31104");
    Ok(())
}
