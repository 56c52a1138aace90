//! What does it cost to solve games with simultaneous decisions: dice shared out in secret, and one
//! large matrix?

use std::hint::black_box;

use criterion::BenchmarkId;
use oddsmith_mdp::{Error, MatrixGame, Meeting, Simultaneous, Solver};

/// Rounds of a battle: each side decides in secret how many of its armies fight, at least one. An
/// army that meets another one fells it or falls by the toss of a coin that is loaded for the
/// larger party; the side with armies left wins.
struct Battle;

impl Simultaneous for Battle {
    type State = (u32, u32);
    type Row = u32;
    type Column = u32;

    fn expand(&self, &(own, other): &(u32, u32), meeting: &mut Meeting<Self>) {
        if own == 0 || other == 0 {
            return meeting.end(own > 0);
        }
        for attack in 1..=own {
            for defence in 1..=other {
                let fallen = attack.min(defence);
                meeting
                    .cell(attack, defence)
                    .to((own, other - fallen), (attack * attack).into())
                    .to((own - fallen, other), (2 * defence).into());
            }
        }
    }
}

fn main() -> Result<(), Error> {
    let mut c = oddsmith_benches::criterion();
    let mut group = c.benchmark_group("Battle");
    for armies in [6, 12, 40] {
        let solution = Solver::float().solve_simultaneous(&Battle, (armies, armies))?;
        let mixed = solution.mixed_states().count();
        let size = format!("{} states, {mixed} mixed", solution.len());
        group.bench_function(BenchmarkId::new("float", &size), |b| {
            b.iter(|| Solver::float().solve_simultaneous(black_box(&Battle), (armies, armies)));
        });
        // The fractions of mixed states grow with every round.
        if armies <= 6 {
            group.bench_function(BenchmarkId::new("exact", &size), |b| {
                b.iter(|| Solver::exact().solve_simultaneous(black_box(&Battle), (armies, armies)));
            });
        }
    }
    group.finish();
    let mut group = c.benchmark_group("Matrix of small integers");
    for size in [10_i64, 20, 40] {
        let entry = |row: i64, column: i64| (row * row * 31 + column * 17 + row * column * 7) % 101;
        let rows = || (0..size).map(move |row| (0..size).map(move |column| entry(row, column)));
        let game = MatrixGame::new(rows())?;
        group.bench_function(BenchmarkId::new("exact", size), |b| {
            b.iter(|| black_box(&game).solve());
        });
        group.bench_function(BenchmarkId::new("float", size), |b| {
            b.iter(|| MatrixGame::solve_f64(rows().map(|row| row.map(|entry| entry as f64))));
        });
    }
    group.finish();
    c.final_summary();
    Ok(())
}
