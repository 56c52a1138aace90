//! Changed books from a seed, without libFuzzer: `changed [inputs] [seed]`. Prints statistics, and
//! the inputs that took long.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[path = "../../tests/suite/any_text/mod.rs"]
mod any_text;

use any_text::{Changes, Rolls, never_panics};

/// Inputs that take longer are written down.
const LONG: Duration = Duration::from_millis(500);

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let inputs = numbers.next().and_then(Result::ok).unwrap_or(10_000);
    let seed = numbers.next().and_then(Result::ok).unwrap_or(1);
    let changes = Changes::new();
    let mut count = BTreeMap::new();
    let begun = Instant::now();
    let mut panics = 0;
    for input in 0..inputs {
        // Every input by its own number, so that one can be run again alone.
        let mut rolls = Rolls(seed.wrapping_mul(1 << 40).wrapping_add(input << 8));
        let text = changes.text(&mut rolls);
        let start = Instant::now();
        match std::panic::catch_unwind(|| never_panics(&text)) {
            Ok(reached) => *count.entry(reached).or_insert(0_u64) += 1,
            Err(_) => {
                panics += 1;
                println!("input {input} panics: {}", String::from_utf8_lossy(&text));
            }
        }
        if start.elapsed() > LONG {
            println!(
                "input {input} takes {:?}: {}",
                start.elapsed(),
                String::from_utf8_lossy(&text)
            );
        }
        if (input + 1) % 10_000 == 0 {
            println!("{} inputs, {:.0?}: {count:?}", input + 1, begun.elapsed());
        }
    }
    println!("{inputs} inputs, seed {seed}, {panics} panics: {count:?}");
    if panics > 0 {
        std::process::exit(1);
    }
}
