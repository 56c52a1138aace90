//! How does the general solver scale with the size of the game?

use std::hint::black_box;

use criterion::BenchmarkId;
use oddsmith_mdp::{Error, Game, Node, Solver};

/// Pig for one player: reach a target within a number of turns; a 1 loses the points of the turn.
struct Pig {
    target: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Score {
    turns: u16,
    banked: u16,
    turn: u16,
}

impl Game for Pig {
    type State = Score;
    type Action = &'static str;

    fn expand(
        &self,
        &Score {
            turns,
            banked,
            turn,
        }: &Score,
        node: &mut Node<Self>,
    ) {
        if banked + turn >= self.target {
            return node.end(1);
        }
        if turns == 0 {
            return node.end(0);
        }
        let after = |banked| Score {
            turns: turns - 1,
            banked,
            turn: 0,
        };
        if turn > 0 {
            node.choice("hold").to(after(banked + turn), 1);
        }
        let mut roll = node.choice("roll");
        roll.to(after(banked), 1);
        for pips in 2..=6 {
            let turn = turn + pips;
            roll.to(
                Score {
                    turns,
                    banked,
                    turn,
                },
                1,
            );
        }
    }
}

fn main() -> Result<(), Error> {
    let mut c = oddsmith_benches::criterion();
    let mut group = c.benchmark_group("Pig for one");
    for (target, turns) in [(25, 4), (50, 8), (100, 8)] {
        let pig = Pig { target };
        let start = Score {
            turns,
            banked: 0,
            turn: 0,
        };
        let states = Solver::float().solve(&pig, start)?.len();
        group.bench_function(BenchmarkId::new("float", format!("{states} states")), |b| {
            b.iter(|| Solver::float().solve(black_box(&pig), start));
        });
        group.bench_function(BenchmarkId::new("exact", format!("{states} states")), |b| {
            b.iter(|| Solver::exact().solve(black_box(&pig), start));
        });
    }
    group.finish();
    c.final_summary();
    Ok(())
}
