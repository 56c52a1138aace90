//! Benchmarks of the Oddsmith crates.
