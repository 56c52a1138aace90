//! How long does the exact distribution of a sum of dice take?

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use oddsmith_dice::{Dist, Error};

fn ndice(c: &mut Criterion) {
    let mut group = c.benchmark_group("ndice");
    for (count, sides) in [
        (10, 6),
        (100, 6),
        (1_000, 6),
        (3_000, 6),
        (10_000, 6),
        (30, 20),
        (100, 100),
    ] {
        let id = BenchmarkId::from_parameter(format!("{count}d{sides}"));
        group.bench_function(id, |b| b.iter(|| Dist::ndice(black_box(count), sides)));
    }
    group.finish();
}

fn repeat(c: &mut Criterion) -> Result<(), Error> {
    let mut group = c.benchmark_group("repeat");
    // Two of the faces are rerolled, so there is no closed form.
    let loaded = Dist::from_weights(
        [1_u32, 1, 4, 4, 4, 4]
            .into_iter()
            .zip(1_i64..)
            .map(|(w, x)| (x, w)),
    )?;
    let float = Dist::die(6)?.to_f64();
    for count in [10, 100, 1_000] {
        group.bench_function(BenchmarkId::new("loaded d6, exact", count), |b| {
            b.iter(|| loaded.repeat(black_box(count)));
        });
        group.bench_function(BenchmarkId::new("d6, float", count), |b| {
            b.iter(|| float.repeat(black_box(count)));
        });
    }
    group.finish();
    Ok(())
}

fn questions(c: &mut Criterion) -> Result<(), Error> {
    let law = Dist::ndice(100, 6)?;
    c.bench_function("100d6: mean, variance, tail, quantile", |b| {
        b.iter(|| {
            let law = black_box(&law);
            (
                law.mean(),
                law.variance(),
                law.at_least(&400),
                law.quantile((1, 20)).ok(),
            )
        });
    });
    let (three, four) = (Dist::ndice(30, 6)?, Dist::ndice(25, 8)?);
    c.bench_function("30d6 against 25d8", |b| {
        b.iter(|| three.versus(black_box(&four)))
    });
    Ok(())
}

fn main() -> Result<(), Error> {
    let mut c = oddsmith_benches::criterion();
    ndice(&mut c);
    repeat(&mut c)?;
    questions(&mut c)?;
    c.final_summary();
    Ok(())
}
