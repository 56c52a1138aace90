//! How long do pool evaluations take: user-defined ones, kept dice, opposed pools?

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use oddsmith_dice::{Dist, Error, Evaluator, Pairing, Pool, Pools};

/// The size of the largest set of equal faces.
struct LargestSet;

impl Evaluator<i64> for LargestSet {
    type State = i64;
    type Outcome = i64;

    fn start(&self) -> i64 {
        0
    }

    fn next(&self, largest: &i64, _: &i64, counts: &[i64]) -> i64 {
        counts[0].max(*largest)
    }

    fn finish(&self, largest: &i64) -> i64 {
        *largest
    }
}

/// The longest run of consecutive faces.
struct LongestRun;

impl Evaluator<i64> for LongestRun {
    /// The run that ends at the previous face, and the longest run.
    type State = (i64, i64);
    type Outcome = i64;

    fn start(&self) -> (i64, i64) {
        (0, 0)
    }

    fn next(&self, &(run, longest): &(i64, i64), _: &i64, counts: &[i64]) -> (i64, i64) {
        let run = if counts[0] > 0 { run + 1 } else { 0 };
        (run, longest.max(run))
    }

    fn finish(&self, &(_, longest): &(i64, i64)) -> i64 {
        longest
    }
}

/// Dice that two pools have in common.
struct Common;

impl Evaluator<i64> for Common {
    type State = i64;
    type Outcome = i64;

    fn start(&self) -> i64 {
        0
    }

    fn next(&self, common: &i64, _: &i64, counts: &[i64]) -> i64 {
        common + counts[0].min(counts[1])
    }

    fn finish(&self, common: &i64) -> i64 {
        *common
    }
}

fn evaluators(c: &mut Criterion) {
    let mut group = c.benchmark_group("evaluate");
    for count in [5, 10, 20, 50, 100, 200] {
        group.bench_function(BenchmarkId::new("largest set, d10", count), |b| {
            b.iter(|| Pool::dice(black_box(count), 10)?.evaluate(&LargestSet));
        });
        group.bench_function(BenchmarkId::new("longest run, d6", count), |b| {
            b.iter(|| Pool::dice(black_box(count), 6)?.evaluate(&LongestRun));
        });
        group.bench_function(BenchmarkId::new("longest run, d6, float", count), |b| {
            b.iter(|| {
                Pool::dice(black_box(count), 6)?
                    .to_f64()
                    .evaluate(&LongestRun)
            });
        });
    }
    group.bench_function("dice in common, 10d6 and 10d6", |b| {
        b.iter(|| {
            let (left, right) = (Pool::dice(10, 6)?, Pool::dice(black_box(10), 6)?);
            Pools::new([&left, &right]).evaluate(&Common)
        });
    });
    group.bench_function("suits, 13 cards of 52", |b| {
        b.iter(|| Pool::deck((0..4).map(|suit| (suit, 13)), black_box(13))?.evaluate(&LargestSet));
    });
    group.finish();
}

/// `count` dice, no two alike.
fn mixed(count: u32) -> Result<Pool, Error> {
    let dice: Result<Vec<_>, Error> = (0..count).map(|i| Dist::die(4 + i)).collect();
    Ok(Pool::mixed(dice?))
}

fn kept(c: &mut Criterion) {
    let mut group = c.benchmark_group("sum of kept dice");
    for (count, sides, k) in [(20, 10, 7), (100, 20, 50)] {
        group.bench_function(format!("{count}d{sides}kh{k}"), |b| {
            b.iter(|| Pool::dice(black_box(count), sides)?.highest(k)?.sum());
        });
    }
    group.bench_function("15 unlike dice, kh5", |b| {
        b.iter(|| mixed(black_box(15))?.highest(5)?.sum());
    });
    group.bench_function("100d20, middle 50", |b| {
        b.iter(|| Pool::dice(black_box(100), 20)?.middle(50)?.sum());
    });
    for count in [5, 10, 20, 50, 100, 200] {
        group.bench_function(BenchmarkId::new("d6, higher half", count), |b| {
            b.iter(|| Pool::dice(black_box(count), 6)?.highest(count / 2)?.sum());
        });
    }
    group.finish();
}

fn opposed(c: &mut Criterion) {
    let mut group = c.benchmark_group("pairwise");
    for (attack, defence) in [(3, 2), (12, 11), (40, 40)] {
        group.bench_function(format!("{attack}d6 against {defence}d6"), |b| {
            b.iter(|| {
                let (attack, defence) =
                    (Pool::dice(black_box(attack), 6)?, Pool::dice(defence, 6)?);
                attack.pairwise(&defence, &Pairing::new())
            });
        });
    }
    let general = Pairing::new().attack_bonus([1]);
    group.bench_function("12d6 against 11d6, 1 more on the highest", |b| {
        b.iter(|| Pool::dice(black_box(12), 6)?.pairwise(&Pool::dice(11, 6)?, &general));
    });
    group.finish();
}

fn main() -> Result<(), Error> {
    let mut c = oddsmith_benches::criterion();
    evaluators(&mut c);
    kept(&mut c);
    opposed(&mut c);
    c.final_summary();
    Ok(())
}
