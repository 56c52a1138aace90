//! How long do the closed forms take?

use std::hint::black_box;

use criterion::BenchmarkId;
use oddsmith_fightingfantasy::{
    ConstantLuck, Error, RoundOdds, Use, win_without_luck, win_without_luck_f64,
};

fn main() -> Result<(), Error> {
    let mut c = oddsmith_benches::criterion();
    let odds = RoundOdds::standard(-1);
    let mut group = c.benchmark_group("victory without LUCK");
    for stamina in [24, 100, 400, 1_000] {
        group.bench_function(BenchmarkId::new("exact", stamina), |b| {
            b.iter(|| win_without_luck(&odds, black_box(stamina), stamina));
        });
    }
    for stamina in [24, 1_000, 5_000] {
        group.bench_function(BenchmarkId::new("float", stamina), |b| {
            b.iter(|| win_without_luck_f64(&odds, black_box(stamina), stamina));
        });
    }
    group.finish();
    let constant = ConstantLuck::new(odds, (5, 12))?;
    c.bench_function("constant LUCK, both ways, 24 against 24, exact", |b| {
        b.iter(|| constant.win(Use::Both, black_box(24), 24));
    });
    c.final_summary();
    Ok(())
}
