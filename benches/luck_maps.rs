//! How long does it take to find the optimal use of LUCK, for one duel and for all?

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use oddsmith_fightingfantasy::{
    Advantage, Duel, Error, Extent, Foe, Hero, LuckMap, LuckTable, Rules,
};

/// Every SKILL difference at which a round is not certain.
const DIFFERENCES: std::ops::RangeInclusive<i64> = -10..=10;

fn full_map(c: &mut Criterion) {
    let rules = Rules::standard();
    let mut group = c.benchmark_group("full map, 314,496 decisions");
    group.bench_function("float kernel", |b| {
        b.iter(|| {
            DIFFERENCES
                .map(|difference| {
                    LuckTable::optimal(&rules, difference, Extent::default(), Advantage::Published)
                })
                .collect::<Result<Vec<_>, _>>()
        });
    });
    group.bench_function("float solver", |b| {
        b.iter(|| {
            DIFFERENCES
                .map(|difference| {
                    LuckMap::float(&rules, difference, Extent::default(), Advantage::Published)
                })
                .collect::<Result<Vec<_>, _>>()
        });
    });
    group.bench_function("exact", |b| {
        b.iter(|| {
            DIFFERENCES
                .map(|difference| {
                    LuckMap::exact(&rules, difference, Extent::default(), Advantage::Strict)
                })
                .collect::<Result<Vec<_>, _>>()
        });
    });
    group.finish();
}

fn growth(c: &mut Criterion) {
    let rules = Rules::standard();
    let mut group = c.benchmark_group("one SKILL difference");
    for (stamina, luck) in [
        (24, 12),
        (24, 50),
        (100, 12),
        (100, 50),
        (400, 12),
        (400, 50),
    ] {
        let extent = Extent {
            hero: stamina,
            foe: stamina,
            luck,
        };
        let id = |kind| BenchmarkId::new(kind, format!("STAMINA {stamina}, LUCK {luck}"));
        group.bench_function(id("float kernel"), |b| {
            b.iter(|| LuckTable::optimal(&rules, black_box(-1), extent, Advantage::Strict));
        });
        if stamina <= 100 {
            group.bench_function(id("exact"), |b| {
                b.iter(|| LuckMap::exact(&rules, black_box(-1), extent, Advantage::Strict));
            });
        }
    }
    group.finish();
}

fn one_duel(c: &mut Criterion) -> Result<(), Error> {
    let duel = Duel::new(Hero::new(12, 24, 12)?, Foe::new(15, 22)?);
    c.bench_function("White Dragon, exact", |b| {
        b.iter(|| black_box(&duel).best_luck())
    });
    c.bench_function("White Dragon, float", |b| {
        b.iter(|| black_box(&duel).best_luck_f64())
    });
    Ok(())
}

fn main() -> Result<(), Error> {
    let mut c = oddsmith_benches::criterion();
    full_map(&mut c);
    growth(&mut c);
    one_duel(&mut c)?;
    c.final_summary();
    Ok(())
}
