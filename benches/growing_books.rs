//! How do time and memory grow with the length of a book?

use std::error::Error;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use oddsmith_gamebook::{Book, BookSolver, Character};
use oddsmith_mdp::Solver;

#[path = "../crates/gamebook/tests/suite/gamblers/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod gamblers;
#[path = "../crates/gamebook/tests/suite/growing/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod growing;
#[path = "../crates/gamebook/tests/suite/pieces/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod pieces;

const SEED: u64 = 7;
const STAKES: [i16; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

fn growth(c: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let mut group = c.benchmark_group("growth");
    for sections in [100, 300, 1_000, 3_000, 10_000] {
        let book = Book::new(growing::growing(sections, SEED))?;
        let text = book.to_json()?;
        group.throughput(Throughput::Elements(sections.into()));
        group.bench_function(BenchmarkId::new("load", sections), |b| {
            b.iter(|| Book::from_json(black_box(&text), "growing.json"));
        });
        group.bench_function(BenchmarkId::new("compile", sections), |b| {
            b.iter(|| black_box(&book).compile());
        });
        group.bench_function(BenchmarkId::new("lint", sections), |b| {
            b.iter(|| black_box(&book).lint());
        });
    }
    for sections in [20, 40, 100, 300, 600] {
        let book = Book::new(growing::growing(sections, SEED))?;
        let game = book.game(growing::hero())?;
        group.throughput(Throughput::Elements(sections.into()));
        group.bench_function(BenchmarkId::new("diagrams", sections), |b| {
            b.iter(|| BookSolver::new(black_box(&game)).solve(game.start()));
        });
    }
    // If tools are left behind, only the length grows.
    for sections in [100, 300, 1_000, 3_000, 10_000] {
        let manuscript = growing::growing_with(sections, SEED, growing::Tools::Left);
        let book = Book::new(manuscript)?;
        let game = book.game(growing::hero())?;
        group.throughput(Throughput::Elements(sections.into()));
        group.bench_function(BenchmarkId::new("diagrams, tools left", sections), |b| {
            b.iter(|| BookSolver::new(black_box(&game)).solve(game.start()));
        });
    }
    // State by state, only the shortest books can be solved in reasonable time.
    for sections in [20, 30, 40] {
        let book = Book::new(growing::growing(sections, SEED))?;
        group.throughput(Throughput::Elements(sections.into()));
        group.bench_function(BenchmarkId::new("direct, float", sections), |b| {
            b.iter(|| black_box(&book).solve_with(growing::hero(), Solver::float()));
        });
    }
    group.finish();
    Ok(())
}

/// Rings with few sheets, sheet by sheet and, where that does not take too long, by iteration.
fn rings(c: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let mut group = c.benchmark_group("gamblers");
    let mut ring = |name: &str, most: i16, manuscript, sheets: usize| {
        let game = Book::new(manuscript)?.game(pieces::rolled(7, 12, 7))?;
        group.bench_function(BenchmarkId::new(name, most), |b| {
            let solver = BookSolver::new(black_box(&game)).sheet_by_sheet(sheets);
            b.iter(|| solver.solve(game.start()));
        });
        Ok::<(), Box<dyn Error>>(())
    };
    for most in [10, 100, 500, 2_000] {
        let book = gamblers::gambler(most / 2, most, (18, 19));
        ring("one by one", most, book, 50_000)?;
    }
    for most in [20, 60, 200, 1_000] {
        let book = gamblers::brawler(most / 2, most);
        ring("one by one, with STAMINA", most, book, 50_000)?;
    }
    for most in [20, 60] {
        let book = gamblers::brawler(most / 2, most);
        ring("going round, with STAMINA", most, book, 0)?;
    }
    // The player chooses among stakes that are powers of two; the smallest one is best.
    for most in [64, 512] {
        let book = Book::new(gamblers::player(most / 2, most, (19, 18), &STAKES))?;
        let game = book.game(pieces::rolled(7, 12, 7))?;
        group.bench_function(BenchmarkId::new("stakes", most), |b| {
            b.iter(|| BookSolver::new(black_box(&game)).policy(game.start()));
        });
    }
    group.finish();
    Ok(())
}

fn city_of_thieves(c: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let text = include_str!("../crates/gamebook/books/city_of_thieves.json");
    let book = Book::from_json(text, "city_of_thieves.json")?;
    let hero = |skill, stamina, luck| {
        Character::new()
            .stat("skill", skill)
            .stat("stamina", stamina)
            .stat("luck", luck)
            .item("dexterity_potion")
    };
    let game = book.game(hero(9, 16, 9))?;
    let mut group = c.benchmark_group("city of thieves");
    group.bench_function("read", |b| {
        b.iter(|| Book::from_json(black_box(text), "city_of_thieves.json"));
    });
    group.bench_function("lint", |b| b.iter(|| black_box(&book).lint()));
    group.finish();
    let mut group = c.benchmark_group("city of thieves, by diagrams");
    for section in [21, 4, 20, 7, 3] {
        let start = game.start_at(section)?;
        group.bench_function(BenchmarkId::new("from section", section), |b| {
            b.iter(|| BookSolver::new(black_box(&game)).solve(start));
        });
    }
    group.sample_size(10);
    for section in [20, 1] {
        let weak = book.game(hero(6, 2, 9))?;
        let start = weak.start_at(section)?;
        group.bench_function(BenchmarkId::new("in fractions", section), |b| {
            b.iter(|| BookSolver::new(black_box(&weak)).solve_exact(start));
        });
    }
    // The whole book, for the median hero and for one who almost never wins; for the latter also
    // between two bounds.
    let whole = |game| BookSolver::new(game).max_bytes(8 << 30).solve(game.start());
    let median = book.game(hero(6, 7, 9))?;
    let game = book.game(hero(4, 2, 7))?;
    for (name, game) in [("6/7/9", &median), ("4/2/7", &game)] {
        group.bench_function(BenchmarkId::new("from section 1", name), |b| {
            b.iter(|| whole(black_box(game)));
        });
    }
    for error in [0.01, 0.000_1] {
        group.bench_function(BenchmarkId::new("within", error), |b| {
            b.iter(|| BookSolver::new(black_box(&game)).approximate(game.start(), error));
        });
    }
    group.finish();
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut c = oddsmith_benches::criterion();
    growth(&mut c)?;
    rings(&mut c)?;
    city_of_thieves(&mut c)?;
    c.final_summary();
    Ok(())
}
