//! Tasks run by several threads, with a progress bar.

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use super::words::Words;

/// More threads than this are of no use.
const MOST_THREADS: usize = 1_024;

/// The number of threads: `--threads N` (default: 1).
pub(crate) fn threads(words: &Words) -> Result<usize, String> {
    match words.number("threads")?.unwrap_or(1) {
        0 => Err("--threads must be at least 1, got 0".into()),
        threads => Ok(MOST_THREADS.min(threads)),
    }
}

pub(crate) fn bar(tasks: usize) -> ProgressBar {
    let bar = ProgressBar::new(tasks as u64);
    match ProgressStyle::with_template("{wide_bar} {pos} of {len}, {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Runs all tasks on several threads, started in order, until the first error.
pub(crate) fn each<T: Sync>(
    tasks: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<(), String> + Sync,
) -> Result<(), Box<dyn Error>> {
    let next = AtomicUsize::new(0);
    let all = || {
        let mut tasks = std::iter::from_fn(|| tasks.get(next.fetch_add(1, Ordering::Relaxed)));
        tasks.try_for_each(&work)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(all)).collect();
        let mut results = workers.into_iter().map(|worker| worker.join());
        results
            .try_for_each(|result| result.unwrap_or_else(|_| Err("a thread has panicked".into())))
    })?;
    Ok(())
}
