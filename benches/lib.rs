//! Benchmarks of the Oddsmith crates, one file per question; the results are in
//! `docs/performance.md`.

use std::time::Duration;

use criterion::Criterion;

/// Criterion with the settings of all benches: short runs, since the times differ by orders of
/// magnitude.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20)
        .configure_from_args()
}
