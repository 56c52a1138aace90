//! Rolling until something happens, which event comes first, and whether observations fit.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use oddsmith_dice::{Best, Chain, Dist, Error, Ranking, Step, Weight};
use std::hint::black_box;

/// The pass line; the state is the point, the last roll.
fn craps<W: Weight>(roll: &Dist<i64, W>) -> Result<Chain<(i64, i64), bool, W>, Error> {
    Chain::explore((0, 0), |&(point, last)| {
        Ok(match (point, last) {
            (0, 0) => Step::Go(roll.map(|&sum| (0, sum))),
            (0, 7 | 11) => Step::Stop(true),
            (0, 2 | 3 | 12) => Step::Stop(false),
            (0, point) => Step::Go(roll.map(|&sum| (point, sum))),
            (point, last) if last == point => Step::Stop(true),
            (_, 7) => Step::Stop(false),
            (point, _) => Step::Go(roll.map(|&sum| (point, sum))),
        })
    })
}

/// From half of a number of coins to all or none, staking one at a time on 18 of 37.
fn ruin<W: Weight>(coins: i64, spin: &Dist<i64, W>) -> Result<Chain<i64, i64, W>, Error> {
    Chain::explore(coins / 2, |&has| {
        Ok(if has == 0 || has == coins {
            Step::Stop(has)
        } else {
            Step::Go(spin.shift(has)?)
        })
    })
}

fn coupons(kinds: u32) -> Result<Chain<u32, ()>, Error> {
    Chain::explore(0, |&seen| {
        Ok(if seen == kinds {
            Step::Stop(())
        } else {
            Step::Go(Dist::from_weights([
                (seen, seen),
                (seen + 1, kinds - seen),
            ])?)
        })
    })
}

fn reaching(c: &mut Criterion) {
    let mut group = c.benchmark_group("rolls_of_a_d6_to_reach");
    for target in [20, 100, 1000] {
        group.bench_with_input(BenchmarkId::new("exact", target), &target, |b, &target| {
            let die = Dist::die(6);
            b.iter(|| {
                die.as_ref()
                    .map(|die| die.rolls_to_reach(black_box(target)))
            });
        });
        group.bench_with_input(BenchmarkId::new("float", target), &target, |b, &target| {
            let die = Dist::die(6).map(|die| die.to_f64());
            b.iter(|| {
                die.as_ref()
                    .map(|die| die.rolls_to_reach(black_box(target)))
            });
        });
    }
    group.finish();
}

fn cycles(c: &mut Criterion) {
    let roll = Dist::ndice(2, 6);
    c.bench_function("does_the_shooter_pass_at_craps", |b| {
        b.iter(|| {
            roll.clone()
                .and_then(|roll| craps(black_box(&roll))?.outcome())
        });
    });
    let mut group = c.benchmark_group("how_long_to_collect_all_coupons");
    for kinds in [6, 50, 365] {
        group.bench_with_input(BenchmarkId::from_parameter(kinds), &kinds, |b, &kinds| {
            b.iter(|| coupons(black_box(kinds)).and_then(|chain| chain.expected_steps()));
        });
    }
    group.finish();
    let mut group = c.benchmark_group("is_the_gambler_ruined");
    group.sample_size(10);
    for coins in [10, 100, 1000] {
        let spin = Dist::from_weights([(-1, 19), (1, 18)]);
        let exact = spin.clone();
        group.bench_with_input(BenchmarkId::new("exact", coins), &coins, |b, &coins| {
            b.iter(|| {
                exact
                    .clone()
                    .and_then(|spin| ruin(black_box(coins), &spin)?.outcome())
            });
        });
        let float = spin.map(|spin| spin.to_f64());
        group.bench_with_input(BenchmarkId::new("float", coins), &coins, |b, &coins| {
            b.iter(|| {
                float
                    .clone()
                    .and_then(|spin| ruin(black_box(coins), &spin)?.outcome())
            });
        });
    }
    group.finish();
}

fn contests(c: &mut Criterion) {
    let mut group = c.benchmark_group("who_is_first_of_so_many_d20");
    for contestants in [2, 10, 50] {
        let laws = Dist::die(20).map(|die| vec![die; contestants]);
        group.bench_function(BenchmarkId::from_parameter(contestants), |b| {
            b.iter(|| {
                laws.as_ref()
                    .map(|laws| Ranking::new(black_box(laws), Best::Highest))
            });
        });
    }
    group.finish();
    let mut group = c.benchmark_group("who_wins_the_roll_off_of_so_many_d20");
    for contestants in [3, 6] {
        let laws = Dist::die(20).map(|die| vec![die; contestants]);
        group.bench_function(BenchmarkId::from_parameter(contestants), |b| {
            b.iter(|| {
                laws.as_ref()
                    .map(|laws| Ranking::roll_off(black_box(laws), Best::Highest))
            });
        });
    }
    group.finish();
}

fn observations(c: &mut Criterion) {
    let mut group = c.benchmark_group("do_a_million_observations_fit");
    for dice in [2, 100] {
        let law = Dist::ndice(dice, 6);
        let mean = i64::from(dice) * 7 / 2;
        group.bench_function(BenchmarkId::new("dice", dice), |b| {
            b.iter(|| {
                let law = law.clone()?;
                law.goodness_of_fit([(mean, black_box(500_000)), (mean + 1, 500_000)])
                    .map(|fit| fit.p_value())
            });
        });
    }
    group.finish();
}

criterion_group!(chains, reaching, cycles, contests, observations);
criterion_main!(chains);
