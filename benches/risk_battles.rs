//! How long battles of RISK take: tables, single battles, survivors, campaigns.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use oddsmith_mdp::Solver;
use oddsmith_risk::{
    Battle, Campaign, DiceGame, Error, Rules, Stopping, Timing, attackers_for, win_estimate,
    win_matrix, win_matrix_f64,
};
use std::hint::black_box;

fn tables(c: &mut Criterion) {
    let rules = Rules::standard();
    let mut group = c.benchmark_group("all_battles_up_to");
    for most in [100, 1000] {
        group.bench_with_input(BenchmarkId::new("float", most), &most, |b, &most| {
            b.iter(|| win_matrix_f64(black_box(most), most, &rules));
        });
    }
    group.bench_function(BenchmarkId::new("exact", 100), |b| {
        b.iter(|| win_matrix(black_box(100), 100, &rules));
    });
    group.finish();
}

fn single(c: &mut Criterion) {
    let mut group = c.benchmark_group("one_battle_of_n_against_n");
    for units in [100, 1000, 10_000] {
        group.bench_with_input(BenchmarkId::new("float", units), &units, |b, &units| {
            b.iter(|| Battle::new(black_box(units), units)?.win_f64());
        });
    }
    // The same with the general solver.
    group.bench_function(BenchmarkId::new("float_by_solver", 1000), |b| {
        b.iter(|| {
            let solution = Battle::new(black_box(1000), 1000)?.solve_with(Solver::float())?;
            Ok::<f64, Error>(solution.value())
        });
    });
    group.bench_function(BenchmarkId::new("exact", 100), |b| {
        b.iter(|| Battle::new(black_box(100), 100)?.win());
    });
    group.bench_function(BenchmarkId::new("logarithm", 1000), |b| {
        b.iter(|| Battle::new(black_box(100), 1000)?.ln_win());
    });
    group.bench_function(BenchmarkId::new("estimate", 50_000), |b| {
        b.iter(|| win_estimate(black_box(42_700), 50_000, &Rules::standard()));
    });
    group.bench_function(BenchmarkId::new("attackers_for", 1000), |b| {
        b.iter(|| attackers_for(black_box(1000), (1, 2), &Rules::standard()));
    });
    group.finish();
}

fn survivors(c: &mut Criterion) {
    let mut group = c.benchmark_group("survivors_of_n_against_n");
    for units in [100, 300] {
        group.bench_with_input(BenchmarkId::new("float", units), &units, |b, &units| {
            b.iter(|| Battle::new(black_box(units), units)?.survivors_f64());
        });
    }
    group.bench_function(BenchmarkId::new("exact", 100), |b| {
        b.iter(|| Battle::new(black_box(100), 100)?.survivors());
    });
    group.bench_function(BenchmarkId::new("throws", 100), |b| {
        b.iter(|| Battle::new(black_box(100), 100)?.throws_needed_f64());
    });
    group.finish();
}

fn decisions(c: &mut Criterion) {
    c.bench_function("stopping_40_against_40_exact", |b| {
        b.iter(|| {
            let stopping = Stopping::new(Battle::new(black_box(40), 40)?, 10)?;
            Ok::<_, Error>(stopping.solve_with(Solver::exact())?.value())
        });
    });
    c.bench_function("campaign_of_17_against_3_2_1", |b| {
        b.iter(|| Campaign::new(black_box(17), [3, 2, 1])?.outlook());
    });
    c.bench_function("best_order_of_seven", |b| {
        b.iter(|| Campaign::new(black_box(50), [8, 7, 6, 5, 4, 3, 2])?.best_order());
    });
}

fn numbers_of_dice(c: &mut Criterion) {
    let mut group = c.benchmark_group("dice_game_40_against_40_exact");
    let timings = [
        ("at_once", Timing::AtOnce),
        ("attacker_first", Timing::AttackerFirst),
        ("defender_first", Timing::DefenderFirst),
    ];
    for (name, timing) in timings {
        group.bench_function(BenchmarkId::new("value", name), |b| {
            b.iter(|| DiceGame::new(black_box(40), 40)?.timing(timing).win());
        });
        group.bench_function(BenchmarkId::new("plan", name), |b| {
            b.iter(|| DiceGame::new(black_box(40), 40)?.timing(timing).plan());
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = oddsmith_benches::criterion();
    targets = tables, single, survivors, decisions, numbers_of_dice
}
criterion_main!(benches);
