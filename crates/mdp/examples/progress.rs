//! A progress bar on a game of a million states:
//! `cargo run --release -p oddsmith-mdp --example progress`.
//!
//! Pig with a time limit: roll a die as often as you like; a 1 loses the points of the turn, and
//! holding keeps them. How likely are 250 points within 30 turns?
#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressStyle};
use oddsmith_mdp::{Game, Node, Phase, Solver};

const GOAL: u16 = 250;
const TURNS: u8 = 30;

struct Pig;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Score {
    turns_left: u8,
    kept: u16,
    at_stake: u16,
}

impl Game for Pig {
    type State = Score;
    type Action = &'static str;

    fn expand(&self, &now: &Score, node: &mut Node<Self>) {
        if now.kept >= GOAL || now.turns_left == 0 {
            return node.end(now.kept >= GOAL);
        }
        let next_turn = |kept: u16| Score {
            turns_left: now.turns_left - 1,
            kept: kept.min(GOAL),
            at_stake: 0,
        };
        if now.at_stake > 0 {
            let hold = next_turn(now.kept + now.at_stake);
            node.choice("hold").to(hold, 1);
        }
        // With enough points at stake there is no reason to roll.
        if now.kept + now.at_stake < GOAL {
            let mut roll = node.choice("roll");
            roll.to(next_turn(now.kept), 1);
            for pips in 2..=6 {
                let at_stake = now.at_stake + pips;
                roll.to(Score { at_stake, ..now }, 1);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // While states are being found, their total is unknown.
    let counter = ProgressStyle::with_template("{spinner} {msg}: {human_pos} states")?;
    let share = ProgressStyle::with_template("{msg}: {wide_bar} {human_pos} of {human_len}")?;
    let bar = ProgressBar::no_length().with_style(counter);
    let start = Score {
        turns_left: TURNS,
        kept: 0,
        at_stake: 0,
    };
    let mut phase = Phase::Exploring;
    let solver = Solver::float().observe(|progress| {
        if progress.phase != phase {
            phase = progress.phase;
            bar.set_style(share.clone());
        }
        bar.set_message(progress.phase.to_string());
        if let Some(total) = progress.total {
            bar.set_length(total as u64);
        }
        bar.set_position(progress.done as u64);
        ControlFlow::Continue(())
    });
    let solution = solver.solve(&Pig, start)?;
    bar.finish_and_clear();

    println!(
        "{GOAL} points within {TURNS} turns: {:.6} ± {:.0e}, of {} states",
        solution.value(),
        solution.error(&start)?,
        solution.len(),
    );
    let at_stake = |at_stake| Score { at_stake, ..start };
    for points in [18, 20, 22, 24, 26] {
        let decision = solution.decision(&at_stake(points))?;
        println!(
            "  {points} at stake in the first turn: {}",
            decision.unwrap_or("?")
        );
    }
    Ok(())
}
