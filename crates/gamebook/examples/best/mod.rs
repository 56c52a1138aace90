//! Best play, whoever finds it.

use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressStyle};
use num_rational::BigRational;
use oddsmith_gamebook::{
    Advice, BookGame, BookOdds, BookPlan, BookPolicy, Error, Fork, Journey, Move, Place,
};
use oddsmith_mdp::{Float, Node, Phase, Policy, Solver};

use crate::seat::Seat;

/// Places that are looked at one by one, before diagrams take over.
const PLACES: usize = 2_000_000;
/// Places that best play may come to.
const FOLLOWED: usize = 20_000_000;

/// Best play from a start.
pub(crate) enum Best {
    /// With the values of all places.
    Plan(Box<BookPlan<Float>>),
    /// Of a book with too many places, with what is decided at each.
    Policy(Box<Decided>),
    /// Of such a book, with what is known of each.
    #[allow(dead_code, reason = "not every example asks for it")]
    Odds(Box<Asked>),
}

/// Best play without the values of all places.
pub(crate) struct Decided {
    game: BookGame,
    start: Place,
    policy: BookPolicy,
}

/// Best play with the values of most places.
pub(crate) struct Asked {
    game: BookGame,
    start: Place,
    odds: BookOdds,
}

impl Best {
    /// Of a book and its hero: place by place, or by diagrams if there are too many of them,
    /// if ways lead back, or if it is to start at a section in the middle.
    #[allow(dead_code, reason = "not every example follows best play")]
    pub(crate) fn of(seat: &Seat) -> Result<Self, Box<dyn std::error::Error>> {
        Best::by(seat, |game, start| {
            let solver = seat.limits()?.solver(&game);
            let policy = behind_a_spinner("solving by diagrams", || solver.policy(start))?;
            let decided = Decided {
                game: game.clone(),
                start,
                policy,
            };
            Ok(Best::Policy(Box::new(decided)))
        })
    }

    /// The same, to be asked what places are worth.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn with_odds(seat: &Seat) -> Result<Self, Box<dyn std::error::Error>> {
        Best::by(seat, |game, start| {
            let solver = seat.limits()?.solver(&game);
            let odds = behind_a_spinner("solving by diagrams", || solver.odds(start))?;
            let asked = Asked {
                game: game.clone(),
                start,
                odds,
            };
            Ok(Best::Odds(Box::new(asked)))
        })
    }

    fn by(
        seat: &Seat,
        diagrams: impl FnOnce(BookGame, Place) -> Result<Self, Box<dyn std::error::Error>>,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        if !seat.words.has("section") {
            match plan(seat) {
                // Where ways lead back, endless play is worth nothing; diagrams know that.
                // And a stat may leave its range where nothing asks for it any more, which is
                // nothing to diagrams, or they name it.
                Err(Error::Solve(
                    oddsmith_mdp::Error::TooManyStates { .. }
                    | oddsmith_mdp::Error::Cycle { .. }
                    | oddsmith_mdp::Error::NeverEnds { .. }
                    | oddsmith_mdp::Error::DeadEnd { .. }
                    | oddsmith_mdp::Error::Refused { .. }
                    | oddsmith_mdp::Error::NoOutcome { .. },
                )) => {}
                plan => return Ok(Best::Plan(Box::new(plan?))),
            }
        }
        let game = seat.book.game(&seat.hero)?;
        let start = seat.start(&game)?;
        diagrams(game, start)
    }

    pub(crate) fn game(&self) -> &BookGame {
        match self {
            Best::Plan(plan) => plan.solution().game(),
            Best::Policy(solved) => &solved.game,
            Best::Odds(asked) => &asked.game,
        }
    }

    pub(crate) fn start(&self) -> Place {
        match self {
            Best::Plan(plan) => plan.start(),
            Best::Policy(solved) => solved.start,
            Best::Odds(asked) => asked.start,
        }
    }

    /// The chance to win from the start.
    pub(crate) fn value(&self) -> f64 {
        match self {
            Best::Plan(plan) => plan.value(),
            Best::Policy(solved) => solved.policy.valuation().win(),
            Best::Odds(asked) => asked.odds.valuation().win(),
        }
    }

    /// Whether it is proven how far that may be off.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn is_proven(&self) -> bool {
        match self {
            Best::Plan(_) => true,
            Best::Policy(solved) => solved.policy.valuation().error().is_some(),
            Best::Odds(asked) => asked.odds.valuation().error().is_some(),
        }
    }

    /// What every way is worth, if ways were told apart.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn fork(&self) -> Option<&Fork> {
        match self {
            Best::Plan(_) => None,
            Best::Policy(solved) => solved.policy.valuation().fork(),
            Best::Odds(asked) => asked.odds.valuation().fork(),
        }
    }

    /// All that best play comes to.
    #[allow(dead_code, reason = "not every example follows it")]
    pub(crate) fn journey(&self) -> Result<Journey, Error> {
        self.game().follow(self, self.start(), FOLLOWED)
    }

    /// What it is worth, as a fraction.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn fraction(&self) -> Result<BigRational, Error> {
        let journey: Journey<BigRational> = self.game().follow(self, self.start(), FOLLOWED)?;
        Ok(journey.value().clone())
    }

    /// The chance to win from a place, where that is known.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn value_of(&self, place: &Place) -> Result<Option<f64>, Error> {
        Ok(match self {
            Best::Plan(plan) => Some(plan.solution().value_of(place)?),
            Best::Policy(solved) if *place == solved.start => Some(self.value()),
            Best::Policy(_) => None,
            Best::Odds(asked) if asked.odds.knows(place)? => {
                Some(asked.odds.value_of(place)?.win())
            }
            Best::Odds(_) => None,
        })
    }

    /// What each option at a place is worth, where that is known.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn advice(&self, place: &Place) -> Result<Option<Advice<f64>>, Error> {
        match self {
            Best::Plan(plan) => plan.advice(place),
            Best::Policy(_) => Ok(None),
            Best::Odds(asked) if !asked.knows_options(place)? => Ok(None),
            Best::Odds(asked) => asked.odds.advice(place),
        }
    }

    /// What each option at a place is worth, if need be worked out, and then kept.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn odds(&mut self, place: &Place) -> Result<Option<Advice<f64>>, Error> {
        match self {
            Best::Odds(asked) if !asked.knows_options(place)? => {
                behind_a_spinner("weighing all options", || {
                    asked.odds.add(place)?;
                    asked.odds.advice(place)
                })
            }
            _ => self.advice(place),
        }
    }

    /// What to do at a place, where that was worked out.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) fn decision(&self, place: &Place) -> Result<Option<Move>, Error> {
        match self {
            Best::Plan(plan) => Ok(plan.solution().decision(place)?),
            Best::Policy(solved) => match solved.policy.decision(place) {
                Err(Error::NotReached { .. }) => Ok(None),
                decided => decided,
            },
            Best::Odds(asked) if asked.odds.knows(place)? => asked.odds.decision(place),
            Best::Odds(_) => Ok(None),
        }
    }
}

impl Asked {
    /// Whether it is known what all options may lead to.
    fn knows_options(&self, place: &Place) -> Result<bool, Error> {
        let node = Node::of(&self.game, place)?;
        for choice in 0..node.len() {
            for (to, _) in node.wide_outcomes(choice) {
                if !self.odds.knows(to)? {
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
            Best::Policy(solved) => solved.policy.weigh(place, moves, weights),
            Best::Odds(asked) => asked.odds.weigh(place, moves, weights),
        }
    }
}

/// What takes time, with something that moves on the terminal meanwhile.
fn behind_a_spinner<T>(message: &'static str, work: impl FnOnce() -> T) -> T {
    let bar = ProgressBar::new_spinner();
    bar.set_message(message);
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    let done = work();
    bar.finish_and_clear();
    done
}

/// The book solved place by place, with a bar on the terminal while that takes time.
fn plan(seat: &Seat) -> Result<BookPlan<Float>, Error> {
    // While places are being found nobody knows how many there are.
    let counter = ProgressStyle::with_template("{spinner} {msg}: {human_pos} places");
    let share = ProgressStyle::with_template("{msg}: {wide_bar} {human_pos} of {human_len}");
    let bar = ProgressBar::no_length();
    if let Ok(counter) = counter {
        bar.set_style(counter);
    }
    let mut phase = Phase::Exploring;
    let solver = Solver::float().max_states(PLACES).observe(|progress| {
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
