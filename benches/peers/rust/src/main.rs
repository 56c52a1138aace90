//! The problems that xdy's language can express (it sorts dice of one kind only, and does not
//! explode them), timed in the same way as in `../ours.rs`: one line of JSON each.

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use xdy::{Budget, Distribution, Evaluator, Unobserved, compile};

const PROBLEMS: [(&str, &str); 5] = [
    ("100d6", "100D6"),
    ("1000d6", "1000D6"),
    ("20d10, keep highest 7", "20D10 drop lowest 13"),
    ("100d20, keep highest 50", "100D20 drop lowest 50"),
    // The time is spent in reading the distribution.
    ("30d20, at least 350", "30D20"),
];

fn solve(source: &str) -> Distribution {
    let evaluator = Evaluator::new(compile(black_box(source)).expect("it compiles"));
    let plan = evaluator
        .plan_distribution([])
        .expect("it takes no arguments");
    plan.build(Budget::UNLIMITED, &Unobserved)
        .expect("there is no limit")
}

fn main() {
    for (problem, source) in PROBLEMS {
        let mut times = Vec::new();
        let start = Instant::now();
        while times.len() < 7
            || (start.elapsed() < Duration::from_millis(500) && times.len() < 5000)
        {
            let begin = Instant::now();
            black_box(solve(source));
            times.push(begin.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        let seconds = times[times.len() / 2];
        let law = solve(source);
        let mut text = String::new();
        for (outcome, weight) in law.iter() {
            let outcome = match problem.ends_with("at least 350") {
                true => i32::from(outcome >= 350),
                false => outcome,
            };
            let comma = if text.is_empty() { "" } else { "," };
            let _ = write!(text, "{comma}[{outcome},\"{weight}\"]");
        }
        println!("{{\"problem\":\"{problem}\",\"seconds\":{seconds:e},\"law\":[{text}]}}");
    }
}
