//! Best play, by whichever solver can handle the book.

use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressStyle};
use num_rational::BigRational;
use oddsmith_gamebook::{
    Advice, BookGame, BookOdds, BookPlan, BookPolicy, BookSolver, Error, Fork, Journey, Move,
    Place, Valuation,
};
use oddsmith_mdp::{Float, Node, Phase, Policy, Solver};

use crate::seat::Seat;

/// The highest number of places solved one by one, before diagrams take over.
const PLACES: usize = 2_000_000;
/// The highest number of places that best play may reach.
const FOLLOWED: usize = 20_000_000;

/// Best play from a start.
pub(crate) enum Best {
    /// With the values of all places.
    Plan(Box<BookPlan<Float>>),
    /// For a book with too many places.
    Long(Box<Long>),
}

/// Best play by diagrams.
pub(crate) struct Long {
    game: BookGame,
    start: Place,
    by: By,
}

enum By {
    /// With the decision at each place.
    Policy(BookPolicy),
    /// With the values of most places.
    Odds(BookOdds),
}

impl Best {
    /// Solves a book for its hero: place by place, or by diagrams if there are too many places, if
    /// the book has cycles, or if play starts in the middle.
    pub(crate) fn of(seat: &Seat) -> Result<Self, Box<dyn std::error::Error>> {
        Best::by(seat, PLACES, |solver, start| {
            solver.policy(start).map(By::Policy)
        })
    }

    /// The same, but places can be asked for their values.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn with_odds(seat: &Seat) -> Result<Self, Box<dyn std::error::Error>> {
        Best::by(seat, PLACES, |solver, start| {
            solver.odds(start).map(By::Odds)
        })
    }

    fn by(
        seat: &Seat,
        places: usize,
        solve: impl FnOnce(&BookSolver<'_>, Place) -> Result<By, Error>,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        if !seat.is_in_the_middle() {
            match plan(seat, places) {
                // There are too many places; or the book has cycles, and diagrams take into account
                // that endless play is worth nothing; or a stat leaves its range where nothing reads
                // it any more, which diagrams ignore, or else report.
                Err(Error::TooManyPlaces { .. } | Error::WaysLeadBack { .. } | Error::Solve(_)) => {
                }
                plan => return Ok(Best::Plan(Box::new(plan?))),
            }
        }
        let game = seat.book.game(&seat.hero)?;
        let start = seat.start(&game)?;
        let solver = seat.limits()?.solver(&game);
        let by = behind_a_spinner("solving by diagrams", || solve(&solver, start))?;
        Ok(Best::Long(Box::new(Long { game, start, by })))
    }

    pub(crate) fn game(&self) -> &BookGame {
        match self {
            Best::Plan(plan) => plan.solution().game(),
            Best::Long(long) => &long.game,
        }
    }

    pub(crate) fn start(&self) -> Place {
        match self {
            Best::Plan(plan) => plan.start(),
            Best::Long(long) => long.start,
        }
    }

    /// The chance to win from the start.
    pub(crate) fn value(&self) -> f64 {
        match self {
            Best::Plan(plan) => plan.value(),
            Best::Long(long) => long.valuation().win(),
        }
    }

    /// Whether an error bound for the value is proven.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn is_proven(&self) -> bool {
        match self {
            Best::Plan(_) => true,
            Best::Long(long) => long.valuation().error().is_some(),
        }
    }

    /// The value of every route, if routes were distinguished.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn fork(&self) -> Option<&Fork> {
        match self {
            Best::Plan(_) => None,
            Best::Long(long) => long.valuation().fork(),
        }
    }

    /// All places that best play reaches.
    #[allow(dead_code, reason = "not every example follows it")]
    pub(crate) fn journey(&self) -> Result<Journey, Error> {
        self.game().follow(self, self.start(), FOLLOWED)
    }

    /// The value as a fraction.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn fraction(&self) -> Result<BigRational, Error> {
        let journey: Journey<BigRational> = self.game().follow(self, self.start(), FOLLOWED)?;
        Ok(journey.value().clone())
    }

    /// The chance to win from a place, if it is known.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn value_of(&self, place: &Place) -> Result<Option<f64>, Error> {
        Ok(match self {
            Best::Plan(plan) => Some(plan.solution().value_of(place)?),
            Best::Long(long) => match &long.by {
                By::Odds(odds) if odds.knows(place)? => Some(odds.value_of(place)?.win()),
                _ => (*place == long.start).then(|| self.value()),
            },
        })
    }

    /// The value of each option at a place, if it is known.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn advice(&self, place: &Place) -> Result<Option<Advice<f64>>, Error> {
        match self {
            Best::Plan(plan) => plan.advice(place),
            Best::Long(long) => match &long.by {
                By::Odds(odds) if long.knows_options(odds, place)? => odds.advice(place),
                _ => Ok(None),
            },
        }
    }

    /// The value of each option at a place; computed if necessary, and then kept.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn odds(&mut self, place: &Place) -> Result<Option<Advice<f64>>, Error> {
        let known = self.advice(place)?;
        match self {
            Best::Long(long) if known.is_none() => match &mut long.by {
                By::Odds(odds) => behind_a_spinner("weighing all options", || {
                    odds.add(place)?;
                    odds.advice(place)
                }),
                By::Policy(_) => Ok(None),
            },
            _ => Ok(known),
        }
    }

    /// The decision at a place, if it was computed.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn decision(&self, place: &Place) -> Result<Option<Move>, Error> {
        match self {
            Best::Plan(plan) => Ok(plan.solution().decision(place)?),
            Best::Long(long) => match &long.by {
                By::Policy(policy) => match policy.decision(place) {
                    Err(Error::NotReached { .. }) => Ok(None),
                    decided => decided,
                },
                By::Odds(odds) if odds.knows(place)? => odds.decision(place),
                By::Odds(_) => Ok(None),
            },
        }
    }
}

impl Long {
    fn valuation(&self) -> &Valuation {
        match &self.by {
            By::Policy(policy) => policy.valuation(),
            By::Odds(odds) => odds.valuation(),
        }
    }

    /// Whether the values of all outcomes of all options are known.
    fn knows_options(&self, odds: &BookOdds, place: &Place) -> Result<bool, Error> {
        let node = Node::of(&self.game, place)?;
        for choice in 0..node.len() {
            for (to, _) in node.wide_outcomes(choice) {
                if !odds.knows(to)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl Policy<BookGame> for &Best {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        match self {
            Best::Plan(plan) => {
                let policy: &dyn Policy<BookGame> = &plan.solution().policy();
                policy.weigh(place, moves, weights);
            }
            Best::Long(long) => match &long.by {
                By::Policy(policy) => policy.weigh(place, moves, weights),
                By::Odds(odds) => odds.weigh(place, moves, weights),
            },
        }
    }
}

/// Runs a long computation and shows a spinner meanwhile.
fn behind_a_spinner<T>(message: &'static str, work: impl FnOnce() -> T) -> T {
    let bar = ProgressBar::new_spinner();
    bar.set_message(message);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    let done = work();
    bar.finish_and_clear();
    done
}

/// Solves the book place by place and shows a progress bar meanwhile.
fn plan(seat: &Seat, places: usize) -> Result<BookPlan<Float>, Error> {
    // The number of places is unknown until all are found.
    let counter = ProgressStyle::with_template("{spinner} {msg}: {human_pos} places");
    let share = ProgressStyle::with_template("{msg}: {wide_bar} {human_pos} of {human_len}");
    let bar = ProgressBar::no_length();
    if let Ok(counter) = counter {
        bar.set_style(counter);
    }
    let mut phase = Phase::Exploring;
    let solver = Solver::float().max_states(places).observe(|progress| {
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
    let plan = seat.book.solve_with(&seat.hero, solver);
    bar.finish_and_clear();
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;
    use oddsmith_gamebook::{Book, Character};

    fn seat(book: Book) -> Seat {
        Seat {
            book,
            hero: Character::new()
                .stat("skill", 7)
                .stat("stamina", 14)
                .stat("luck", 9),
            words: Words::default(),
        }
    }

    fn long(seat: &Seat, places: usize) -> Option<f64> {
        let policy = |solver: &BookSolver<'_>, start| solver.policy(start).map(By::Policy);
        match Best::by(seat, places, policy) {
            Ok(best @ Best::Long(_)) => Some(best.value()),
            _ => None,
        }
    }

    #[test]
    fn a_book_with_too_many_places_is_solved_by_diagrams() -> Result<(), Error> {
        // 30 of 36 rolls are at most 9.
        let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
        let seat = seat(book);
        assert_eq!(long(&seat, 3), None);
        assert!(long(&seat, 2).is_some_and(|win| (win - 30.0 / 36.0).abs() < 1e-12));
        Ok(())
    }

    #[test]
    fn a_book_that_leads_back_is_solved_by_diagrams() -> Result<(), Error> {
        let book = Book::builder()
            .choice(1, [("in", 2), ("on", 3)])
            .choice(2, [("out", 1)])
            .won(3)
            .build()?;
        assert_eq!(long(&seat(book), PLACES), Some(1.0));
        Ok(())
    }
}
