//! When does it pay to solve no more of a game than the answer needs?

use std::hint::black_box;

use criterion::BenchmarkId;
use oddsmith_mdp::{Error, Lazy, Solver};

#[path = "../crates/mdp/tests/suite/family/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod family;

use family::{Book, Tree, Waived};

fn main() -> Result<(), Error> {
    let mut c = oddsmith_benches::criterion();
    let mut group = c.benchmark_group("Books, unlimited gold as relaxation");
    for book in Book::instances() {
        let (start, gold) = (book.start(), Waived::gold(book));
        let solution = Lazy::exact()
            .range(0, 1)
            .solve_relaxed(&book, &gold, start)?;
        let states = solution.eager_states(usize::MAX)?;
        let part = format!("{} of {states} states", solution.effort().expanded);
        group.bench_function(BenchmarkId::new("eager, exact", &part), |b| {
            b.iter(|| Solver::exact().solve(black_box(&book), start));
        });
        group.bench_function(BenchmarkId::new("eager, certify", &part), |b| {
            b.iter(|| Solver::certified().certify(black_box(&book), start));
        });
        group.bench_function(BenchmarkId::new("lazy, exact", &part), |b| {
            b.iter(|| {
                Lazy::exact()
                    .range(0, 1)
                    .solve_relaxed(black_box(&book), &gold, start)
            });
        });
        group.bench_function(BenchmarkId::new("lazy, exact, no bounds", &part), |b| {
            b.iter(|| Lazy::exact().solve(black_box(&book), start));
        });
    }
    group.finish();
    let mut group = c.benchmark_group("Trees with skewed dice");
    for weights in [
        [60, 20, 10, 5, 3, 2],
        [27, 9, 3, 1, 1, 1],
        [90, 4, 3, 1, 1, 1],
    ] {
        let tree = Tree {
            seed: 1,
            moves: 4,
            weights,
        };
        let dice = format!("{weights:?}");
        group.bench_function(BenchmarkId::new("eager, exact", &dice), |b| {
            b.iter(|| Solver::exact().solve(black_box(&tree), (0, 0)));
        });
        for windows in [false, true] {
            let name = if windows { "lazy, windows" } else { "lazy" };
            group.bench_function(BenchmarkId::new(name, &dice), |b| {
                b.iter(|| {
                    let lazy = Lazy::exact().range(0, 1).windows(windows);
                    lazy.solve(black_box(&tree), (0, 0))
                });
            });
        }
    }
    group.finish();
    c.final_summary();
    Ok(())
}
