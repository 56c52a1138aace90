//! Who wins a duel, with how much left, and when: by hit points.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use oddsmith_dice::Dist;
use oddsmith_dnd::{Duel, Error, Fighter, activate};
use std::hint::black_box;

/// 2d6 + 5, +7 against AC 18: a hit does at least 7.
fn greatsword() -> Result<Dist<i64>, Error> {
    activate(&Dist::ndice(2, 6)?, 5, 18, 7)
}

/// Three attacks of 1d8, +6 against AC 15: a turn can do anything between 1 and 48, so there may be
/// as many hits as hit points.
fn three_weak_attacks() -> Result<Dist<i64>, Error> {
    Ok(activate(&Dist::die(8)?, 0, 15, 6)?.repeat(3)?)
}

fn mirror(turn: Result<Dist<i64>, Error>, hit_points: i64) -> Result<Duel, Error> {
    let fighter = Fighter::new(hit_points, turn?)?;
    Ok(Duel::new(fighter.clone(), fighter))
}

fn to_the_end(c: &mut Criterion) {
    for (name, turn) in [
        ("ending_of_2d6_plus_5", greatsword as fn() -> _),
        ("ending_of_three_1d8", three_weak_attacks),
    ] {
        let mut group = c.benchmark_group(name);
        group.sample_size(10);
        for hit_points in [30, 100, 200] {
            let duel = mirror(turn(), hit_points);
            group.bench_with_input(BenchmarkId::new("exact", hit_points), &duel, |b, duel| {
                b.iter(|| duel.as_ref().map(|duel| black_box(duel).ending()));
            });
            let duel = duel.as_ref().map(Duel::to_f64);
            group.bench_with_input(BenchmarkId::new("float", hit_points), &duel, |b, duel| {
                b.iter(|| duel.as_ref().map(|duel| black_box(duel).ending()));
            });
        }
        group.finish();
    }
}

fn round_by_round(c: &mut Criterion) {
    let mut group = c.benchmark_group("rounds_of_2d6_plus_5_at_40");
    for rounds in [10, 30] {
        let duel = mirror(greatsword(), 40);
        group.bench_with_input(BenchmarkId::new("exact", rounds), &duel, |b, duel| {
            b.iter(|| duel.as_ref().map(|duel| duel.rounds(black_box(rounds))));
        });
        let duel = duel.as_ref().map(Duel::to_f64);
        group.bench_with_input(BenchmarkId::new("float", rounds), &duel, |b, duel| {
            b.iter(|| duel.as_ref().map(|duel| duel.rounds(black_box(rounds))));
        });
    }
    group.finish();
}

fn with_regeneration(c: &mut Criterion) {
    let mut group = c.benchmark_group("ending_against_regeneration_2");
    group.sample_size(10);
    for hit_points in [10, 20] {
        let duel = mirror(greatsword(), hit_points).and_then(|duel| {
            let troll = duel.second().clone().heals(Dist::certain(2))?;
            Ok(Duel::new(duel.first().clone(), troll))
        });
        group.bench_with_input(BenchmarkId::new("exact", hit_points), &duel, |b, duel| {
            b.iter(|| duel.as_ref().map(|duel| black_box(duel).ending()));
        });
    }
    group.finish();
}

criterion_group!(benches, to_the_end, round_by_round, with_regeneration);
criterion_main!(benches);
