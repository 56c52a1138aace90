//! Benchmarks of the Oddsmith crates, one file a question; the figures are in
//! `docs/performance.md`.

use std::time::Duration;

use criterion::Criterion;

/// Criterion as all benches use it: short, since the quantities differ by
/// orders of magnitude and not by percents.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20)
        .configure_from_args()
}
