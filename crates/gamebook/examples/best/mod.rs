//! Best play, whoever finds it.

use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressStyle};
use oddsmith_gamebook::{Book, BookPlan, Character, Error};
use oddsmith_mdp::{Float, Phase, Solver};

/// The book solved for a hero, with a bar on the terminal while that takes time.
pub(crate) fn best(book: &Book, hero: &Character) -> Result<BookPlan<Float>, Error> {
    // While places are being found nobody knows how many there are.
    let counter = ProgressStyle::with_template("{spinner} {msg}: {human_pos} places");
    let share = ProgressStyle::with_template("{msg}: {wide_bar} {human_pos} of {human_len}");
    let bar = ProgressBar::no_length();
    if let Ok(counter) = counter {
        bar.set_style(counter);
    }
    let mut phase = Phase::Exploring;
    let solver = Solver::float().observe(|progress| {
        if progress.phase != phase {
            phase = progress.phase;
            if let Ok(share) = &share {
                bar.set_style(share.clone());
            }
        }
        bar.set_message(progress.phase.to_string());
        if let Some(total) = progress.total {
            bar.set_length(total as u64);
        }
        bar.set_position(progress.done as u64);
        ControlFlow::Continue(())
    });
    let plan = book.solve_with(hero, solver);
    bar.finish_and_clear();
    plan
}
