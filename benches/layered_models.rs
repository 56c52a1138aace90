//! What does a layered model cost, stored, generated and hashed, for every type of number, and how
//! does that scale?

use std::hint::black_box;

use criterion::BenchmarkId;
use oddsmith_mdp::{Error, Solver};

#[path = "../crates/mdp/tests/suite/layered/mod.rs"]
mod layered;

use layered::Layered;

fn main() -> Result<(), Error> {
    let mut c = oddsmith_benches::criterion();
    let mut group = c.benchmark_group("layered model");
    for states in [10_000, 100_000, 1_000_000] {
        let model = Layered::new(states, 100, 1);
        let id = |what| BenchmarkId::new(what, format!("{states} states"));
        group.bench_function(id("build the table"), |b| {
            b.iter(|| black_box(model).table())
        });
        let table = model.table()?;
        group.bench_function(id("stored, float"), |b| {
            b.iter(|| {
                Solver::float()
                    .solve_table(black_box(&table), 0)
                    .map(|s| s.value())
            });
        });
        group.bench_function(id("stored, certified"), |b| {
            b.iter(|| {
                Solver::certified()
                    .solve_table(black_box(&table), 0)
                    .map(|s| s.value())
            });
        });
        group.bench_function(id("stored, exact"), |b| {
            b.iter(|| {
                Solver::exact()
                    .solve_table(black_box(&table), 0)
                    .map(|s| s.value())
            });
        });
        group.bench_function(id("stored, certify"), |b| {
            b.iter(|| {
                Solver::certified()
                    .certify_table(black_box(&table), 0)
                    .map(|s| s.value())
            });
        });
        drop(table);
        let generated = model.generated()?;
        group.bench_function(id("generated, float"), |b| {
            b.iter(|| {
                Solver::float()
                    .solve_table(black_box(&generated), 0)
                    .map(|s| s.value())
            });
        });
        group.bench_function(id("generated, certified"), |b| {
            b.iter(|| {
                Solver::certified()
                    .solve_table(black_box(&generated), 0)
                    .map(|s| s.value())
            });
        });
        let start = model.start();
        group.bench_function(id("hashed, float"), |b| {
            b.iter(|| {
                Solver::float()
                    .solve(black_box(&model), start)
                    .map(|s| s.value())
            });
        });
    }
    group.finish();
    c.final_summary();
    Ok(())
}
