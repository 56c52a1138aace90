//! Generated distributions compared with enumeration in fractions.

use crate::exact::number;
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_dice::{DifferenceTable, Dist, Error, IntoRatio, Ties};
use quickcheck::{Arbitrary, Gen, TestResult, quickcheck};
use std::collections::BTreeMap;

/// The oracle: plain outcomes and fractions.
type Plain<T> = BTreeMap<T, BigRational>;

/// A small distribution: faces near zero, far apart or random, weights small or large.
#[derive(Clone, Debug)]
struct Law(Vec<(i64, u64)>);

impl Arbitrary for Law {
    fn arbitrary(g: &mut Gen) -> Self {
        let faces = 1 + usize::arbitrary(g) % 6;
        let stride = *g.choose(&[1, 1, 1, 5, 1_000_000_007, 1 << 40]).unwrap();
        let heavy = *g.choose(&[3, 100, u64::MAX]).unwrap();
        let face = |g: &mut Gen| {
            let weight = u64::arbitrary(g) % heavy + u64::from(heavy < 10);
            (i64::from(i8::arbitrary(g) % 12) * stride, weight)
        };
        let mut law: Vec<_> = (0..faces).map(|_| face(g)).collect();
        law[0].1 = law[0].1.max(1);
        Law(law)
    }
}

impl Law {
    fn dist(&self) -> Dist<i64> {
        Dist::from_weights(self.0.iter().copied()).unwrap()
    }

    fn plain(&self) -> Plain<i64> {
        let total: BigRational = self.0.iter().map(|&(_, w)| number(w)).sum();
        collect(self.0.iter().map(|&(x, w)| (x, number(w) / &total)))
    }
}

fn collect<T: Ord>(pairs: impl IntoIterator<Item = (T, BigRational)>) -> Plain<T> {
    let mut law = Plain::new();
    for (x, p) in pairs {
        *law.entry(x).or_insert_with(BigRational::zero) += p;
    }
    law.retain(|_, p| !p.is_zero());
    law
}

fn pairs(a: &Plain<i64>, b: &Plain<i64>) -> Vec<(i64, i64, BigRational)> {
    a.iter()
        .flat_map(|(x, p)| b.iter().map(move |(y, q)| (*x, *y, p * q)))
        .collect()
}

/// The invariants of the type, and each probability.
#[track_caller]
fn same<T: Ord + Clone + std::fmt::Debug>(dist: &Dist<T>, plain: &Plain<T>) -> bool {
    assert!(dist.support().is_sorted_by(|a, b| a < b));
    assert!(dist.weights().all(|weight| !weight.is_zero()));
    assert_eq!(dist.weights().sum::<BigUint>(), *dist.total());
    let found: Plain<T> = dist.outcomes().map(|x| (x.clone(), dist.p(x))).collect();
    assert_eq!(&found, plain);
    true
}

quickcheck! {
    fn weights(law: Law) -> bool {
        same(&law.dist(), &law.plain())
    }

    fn matfold(a: Law, b: Law) -> bool {
        let sums = pairs(&a.plain(), &b.plain()).into_iter().map(|(x, y, p)| (x + y, p));
        same(&a.dist().matfold(&b.dist()).unwrap(), &collect(sums))
    }

    fn difference(a: Law, b: Law) -> bool {
        let sums = pairs(&a.plain(), &b.plain()).into_iter().map(|(x, y, p)| (x - y, p));
        same(&a.dist().difference(&b.dist()).unwrap(), &collect(sums))
    }

    fn joint(a: Law, b: Law) -> bool {
        let both = pairs(&a.plain(), &b.plain()).into_iter().map(|(x, y, p)| ((x, y), p));
        same(&a.dist().joint(&b.dist()).unwrap(), &collect(both))
    }

    fn repeat(a: Law, n: u8) -> bool {
        let n = u32::from(n % 6);
        let mut sum = collect([(0, BigRational::one())]);
        for _ in 0..n {
            sum = collect(pairs(&sum, &a.plain()).into_iter().map(|(x, y, p)| (x + y, p)));
        }
        same(&a.dist().repeat(n).unwrap(), &sum)
    }

    fn ndice(n: u8, sides: u8) -> bool {
        let (n, sides) = (n % 6, i64::from(sides % 9) + 1);
        let face = number(1) / number(sides);
        let die: Plain<i64> = (1..=sides).map(|x| (x, face.clone())).collect();
        let mut sum = collect([(0, BigRational::one())]);
        for _ in 0..n {
            sum = collect(pairs(&sum, &die).into_iter().map(|(x, y, p)| (x + y, p)));
        }
        same(&Dist::ndice(n.into(), sides as u32).unwrap(), &sum)
    }

    fn map(a: Law, modulus: u8) -> bool {
        let f = |x: i64| x.rem_euclid(i64::from(modulus) + 1);
        same(&a.dist().map(|&x| f(x)), &collect(a.plain().into_iter().map(|(x, p)| (f(x), p))))
    }

    fn scale_and_shift(a: Law, k: i8, s: i8) -> bool {
        let (k, s) = (i64::from(k), i64::from(s));
        let dist = a.dist().scale(k).unwrap().shift(s).unwrap();
        same(&dist, &collect(a.plain().into_iter().map(|(x, p)| (k * x + s, p))))
    }

    fn and_then(a: Law, b: Law, c: Law) -> bool {
        let dist = a.dist().and_then(|x| if x % 2 == 0 { b.dist().shift(*x) } else { Ok(c.dist()) });
        let (b, c) = (b.plain(), c.plain());
        let plain = a.plain().into_iter().flat_map(|(x, p)| {
            let next = if x % 2 == 0 { &b } else { &c };
            let shift = if x % 2 == 0 { x } else { 0 };
            next.iter().map(|(y, q)| (y + shift, &p * q)).collect::<Vec<_>>()
        });
        same(&dist.unwrap(), &collect(plain))
    }

    fn mixture(parts: Vec<(Law, u8, u8)>) -> TestResult {
        let parts: Vec<_> = parts.into_iter().take(5).collect();
        let weight = |n: u8, d: u8| number(n) / number(u16::from(d) + 1);
        let total: BigRational = parts.iter().map(|&(_, n, d)| weight(n, d)).sum();
        let mixed = Dist::mixture(parts.iter().map(|(law, n, d)| (weight(*n, *d), law.dist())));
        if parts.is_empty() {
            return TestResult::from_bool(mixed == Err(Error::EmptySupport));
        }
        if total.is_zero() {
            return TestResult::from_bool(mixed == Err(Error::ZeroTotal { outcomes: parts.len() }));
        }
        let plain = parts.iter().flat_map(|(law, n, d)| {
            let share = weight(*n, *d) / &total;
            law.plain().into_iter().map(move |(x, p)| (x, p * &share))
        });
        TestResult::from_bool(same(&mixed.unwrap(), &collect(plain)))
    }

    fn given(a: Law, floor: i8) -> bool {
        let event = |x: &i64| *x >= i64::from(floor);
        let kept: Plain<i64> = a.plain().into_iter().filter(|(x, _)| event(x)).collect();
        let chance: BigRational = kept.values().sum();
        match a.dist().given(event) {
            Ok(dist) => same(&dist, &kept.into_iter().map(|(x, p)| (x, p / &chance)).collect()),
            Err(error) => {
                kept.is_empty() && error == Error::ImpossibleCondition { outcomes: a.plain().len() }
            }
        }
    }

    fn tails(a: Law, x: i8) -> bool {
        let (dist, plain, x) = (a.dist(), a.plain(), i64::from(x));
        let sum = |event: &dyn Fn(i64) -> bool| -> BigRational {
            plain.iter().filter(|(y, _)| event(**y)).map(|(_, p)| p).sum()
        };
        dist.p(&x) == sum(&|y| y == x)
            && dist.at_least(&x) == sum(&|y| y >= x)
            && dist.at_most(&x) == sum(&|y| y <= x)
            && dist.less(&x) == sum(&|y| y < x)
            && dist.more(&x) == sum(&|y| y > x)
            && dist.probability(|y| y % 3 == 0) == sum(&|y| y % 3 == 0)
            && dist.cdf().all(|(x, p)| p == sum(&|y| y <= *x))
    }

    fn quantile(a: Law, numerator: u8, denominator: u8) -> bool {
        let denominator = denominator.max(1);
        let p = (numerator % denominator, denominator).into_ratio().unwrap();
        let mut sum = BigRational::zero();
        let plain = a.plain();
        let first = plain.iter().find(|(_, q)| {
            sum += *q;
            sum >= p
        });
        a.dist().quantile(p).unwrap() == first.unwrap().0
    }

    fn modes(a: Law) -> bool {
        let plain = a.plain();
        let most = plain.values().max().unwrap();
        let modes: Vec<i64> = plain.iter().filter(|(_, p)| *p == most).map(|(x, _)| *x).collect();
        let dist = a.dist();
        dist.modes().into_iter().copied().eq(modes.iter().copied()) && *dist.mode() == modes[0]
    }

    fn moments(a: Law, k: u8) -> bool {
        let (dist, plain, k) = (a.dist(), a.plain(), u32::from(k % 6));
        let mean = |f: &dyn Fn(i64) -> BigRational| -> BigRational {
            plain.iter().map(|(x, p)| f(*x) * p).sum()
        };
        let power = |x: BigRational| (0..k).fold(BigRational::one(), |product, _| product * &x);
        let centre = mean(&|x| number(x));
        let seventh = |x: i64| number(x) / number(x.rem_euclid(7) + 1);
        dist.mean() == centre
            && dist.moment(k).unwrap() == mean(&|x| power(number(x)))
            && dist.central_moment(k).unwrap() == mean(&|x| power(number(x) - &centre))
            && dist.variance() == mean(&|x| (number(x) - &centre) * (number(x) - &centre))
            && dist.expectation(|x| seventh(*x)) == mean(&seventh)
    }

    fn versus(a: Law, b: Law) -> bool {
        let all = pairs(&a.plain(), &b.plain());
        let sum = |event: &dyn Fn(i64, i64) -> bool| -> BigRational {
            all.iter().filter(|(x, y, _)| event(*x, *y)).map(|(_, _, p)| p).sum()
        };
        let contest = a.dist().versus(&b.dist());
        let (win, draw, lose) = (sum(&|x, y| x > y), sum(&|x, y| x == y), sum(&|x, y| x < y));
        let split = contest.with_ties(Ties::Split).unwrap();
        let half = &draw / number(2);
        let reroll = match contest.with_ties(Ties::Reroll) {
            Ok(reroll) => reroll.win() == &win / (&win + &lose),
            Err(error) => draw.is_one() && error == Error::AlwaysTied,
        };
        [contest.win(), contest.draw(), contest.lose()] == [win.clone(), draw.clone(), lose.clone()]
            && split.win() == &win + &half
            && split.lose() == &lose + &half
            && contest.with_ties(Ties::Win).unwrap().win() == win + &draw
            && contest.with_ties(Ties::Lose).unwrap().lose() == lose + &draw
            && reroll
    }

    fn dominance(a: Law, b: Law) -> bool {
        let (p, q) = (a.plain(), b.plain());
        let tail = |law: &Plain<i64>, t: i64| -> BigRational { law.range(t..).map(|(_, p)| p).sum() };
        let all = p.keys().chain(q.keys()).all(|&t| tail(&p, t) >= tail(&q, t));
        a.dist().dominates(&b.dist()) == all
    }

    fn total_variation(a: Law, b: Law) -> bool {
        let (p, q) = (a.plain(), b.plain());
        // The best event is the set of outcomes that are more likely under the first.
        let zero = BigRational::zero();
        let gain = p.iter().map(|(x, p)| p - q.get(x).unwrap_or(&zero)).filter(|d| *d > zero);
        a.dist().total_variation(&b.dist()) == gain.sum()
    }

    fn difference_table(a: Law, b: Law, d: i8) -> bool {
        let (table, d) = (DifferenceTable::between(&a.dist(), &b.dist()).unwrap(), i64::from(d));
        let sum = |event: &dyn Fn(i64) -> bool| -> BigRational {
            let all = pairs(&a.plain(), &b.plain());
            all.into_iter().filter(|(x, y, _)| event(x + d - y)).map(|(_, _, p)| p).sum()
        };
        table.win(d) == sum(&|x| x > 0)
            && table.draw(d) == sum(&|x| x == 0)
            && table.lose(d) == sum(&|x| x < 0)
            && table.counts(d).iter().sum::<BigUint>() == *table.total()
    }
}

/// The generator covers the cases that use other algorithms.
#[test]
fn the_generator_reaches_the_hard_cases() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = Gen::from_size_and_seed(100, 1);
    let laws: Vec<Law> = (0..500).map(|_| Law::arbitrary(&mut g)).collect();
    let reached = |case: &dyn Fn(&Dist<i64>) -> bool| laws.iter().any(|law| case(&law.dist()));
    assert!(reached(&|dist| dist.len() == 1), "a certain law");
    assert!(
        reached(&|dist| dist.total().bits() > 64),
        "a total of two words"
    );
    assert!(
        reached(&|dist| dist.max().abs_diff(*dist.min()) > 1 << 41),
        "faces far apart"
    );
    assert!(
        reached(&|dist| dist.len() > 3 && dist.max() - dist.min() < 20),
        "a dense law"
    );
    assert!(
        laws.iter().any(|law| law.0.len() > law.dist().len()),
        "merged or zero weights"
    );
}
