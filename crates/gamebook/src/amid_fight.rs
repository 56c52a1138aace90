//! Values and decisions in the middle of a fight.
//!
//! Diagrams hold the value of a fight for a hero who begins it, not the values of its rounds. The
//! rounds that may follow one of them are few compared with a book, and lead to few places after
//! the fight. Those places are solved by diagrams, and the rounds one by one, as a small game.

use indexmap::{IndexMap, IndexSet};
use oddsmith_mdp::{Game, Node, Solver};

use crate::book_solver::BookSolver;
use crate::compiled::Scene;
use crate::solver::effort::Effort;
use crate::solver::limits::Halt;
use crate::sought::{Solved, Sought};
use crate::{BookGame, Error, Move, Place, Valuation};

/// The decision in each round of a fight that has begun, and whether it can win.
pub(crate) type Rounds = IndexMap<Place, (Move, bool)>;

impl BookSolver<'_> {
    /// Does the same as [`seek`](BookSolver::seek), but starts may lie in the middle of fights.
    pub(crate) fn seek_anywhere(
        &self,
        starts: &[Place],
        sought: Sought,
    ) -> Result<(Solved<'_>, Rounds), Error> {
        let decide = matches!(sought, Sought::Decisions);
        let mut solved = Solved::default();
        let (valuations, rounds) = self.worth_anywhere(starts, decide, |outside| {
            solved = self.seek(outside, sought)?;
            Ok(std::mem::take(&mut solved.valuations))
        })?;
        solved.valuations = valuations;
        Ok((solved, rounds))
    }

    /// The values of places, some of which may lie in the middle of fights, given the values of the
    /// places outside them (`worth`). With `decide`, also the decisions in the rounds to come.
    pub(crate) fn worth_anywhere(
        &self,
        starts: &[Place],
        decide: bool,
        worth: impl FnOnce(&[Place]) -> Result<Vec<Valuation>, Error>,
    ) -> Result<(Vec<Valuation>, Rounds), Error> {
        let (inside, others): (Vec<Place>, Vec<Place>) =
            starts.iter().partition(|place| is_round(self.game, place));
        if inside.is_empty() {
            return Ok((worth(starts)?, Rounds::default()));
        }
        let (rounds, mut outside) = self.rounds(&inside)?;
        outside.extend(others);
        let outside: Vec<Place> = outside.into_iter().collect();
        let valuations = worth(&outside)?;
        let mut off = valuations.iter().map(|valuation| valuation.error);
        let off = off.try_fold(0.0, |most, error| Some(f64::max(most, error?)));
        let size = valuations.first().map(|valuation| valuation.size);
        let worth: IndexMap<Place, Valuation> = outside.into_iter().zip(valuations).collect();
        let fight = Ongoing {
            game: self.game,
            starts: &inside,
            worth: &worth,
        };
        let solver = Solver::float().allow_cycles().max_states(usize::MAX);
        let solver = solver.max_bytes(self.bytes() as u128);
        let solution = solver.solve(&fight, None).map_err(|error| match error {
            oddsmith_mdp::Error::TooMuchMemory { .. } => self.stopped(Halt::Bytes, inside[0]),
            error => error.into(),
        })?;
        let mut found = Vec::with_capacity(starts.len());
        for start in starts {
            found.push(match worth.get(start) {
                Some(valuation) => valuation.clone(),
                None => {
                    let state = Some(*start);
                    let rounding = solution.error(&state)?;
                    Valuation {
                        win: solution.value_of(&state)?.min(1.0),
                        error: off.map(|off| (off + rounding).next_up()),
                        size: size.unwrap_or_default(),
                        fork: None,
                    }
                }
            });
        }
        let mut moves = Rounds::default();
        if decide {
            for round in rounds {
                let state = Some(round);
                if let Some(best) = solution.decision(&state)? {
                    moves.insert(round, (best, solution.value_of(&state)? > 0.0));
                }
            }
        }
        Ok((found, moves))
    }

    /// The rounds that may follow some rounds, and the places outside that they lead to.
    pub(crate) fn rounds(
        &self,
        starts: &[Place],
    ) -> Result<(IndexSet<Place>, IndexSet<Place>), Error> {
        let mut rounds: IndexSet<Place> = starts.iter().copied().collect();
        let mut after = IndexSet::new();
        let mut looked = 0;
        while let Some(&place) = rounds.get_index(looked) {
            looked += 1;
            if rounds.len() > self.settings.limits.regions {
                return Err(self.stopped(Halt::Rounds, place));
            }
            if (rounds.len() + after.len()) * LISTED > self.bytes() {
                return Err(self.stopped(Halt::Bytes, place));
            }
            let node = Node::of(self.game, &place).map_err(|error| match error {
                oddsmith_mdp::Error::Refused { why, .. } => Error::NotFollowed {
                    section: place.section,
                    problem: why,
                },
                error => error.into(),
            })?;
            for choice in 0..node.len() {
                for (to, _) in node.wide_outcomes(choice) {
                    match is_round(self.game, to) {
                        true => rounds.insert(*to),
                        false => after.insert(*to),
                    };
                }
            }
        }
        Ok((rounds, after))
    }

    /// The error of the section where a fight goes on.
    fn stopped(&self, halt: Halt, place: Place) -> Error {
        let effort = Effort::default();
        effort.begin(place.scene);
        self.failed(halt, place, &effort)
    }
}

/// The bytes of a place in a set.
const LISTED: usize = size_of::<Place>() + 24;

/// Whether a place is in the middle of a fight.
pub(crate) fn is_round(game: &BookGame, place: &Place) -> bool {
    let scene = game.compiled.scenes.get(place.scene as usize);
    place.is_inside() && matches!(scene, Some(Scene::Fight { .. }))
}

/// The rest of some fights, as a game that ends where they end.
struct Ongoing<'a> {
    game: &'a BookGame,
    starts: &'a [Place],
    worth: &'a IndexMap<Place, Valuation>,
}

impl Game for Ongoing<'_> {
    /// `None` leads to all starts.
    type State = Option<Place>;
    type Action = Move;

    fn expand(&self, state: &Option<Place>, node: &mut Node<Self>) {
        let Some(place) = state else {
            let mut starts = node.chance();
            for start in self.starts {
                starts.to(Some(*start), 1);
            }
            return;
        };
        if let Some(valuation) = self.worth.get(place) {
            return node.end(valuation.win);
        }
        if let Some(round) = node.inner(self.game, place) {
            node.choices_of(&round, |to| Some(*to));
        }
    }

    fn describe(&self, state: &Option<Place>) -> String {
        state.map_or_else(String::new, |place| self.game.describe(&place))
    }
}
