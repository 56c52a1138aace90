//! Tabular Q-learning by a reader of a book who observes the whole state or only the section.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};
use oddsmith_gamebook::{BookGame, Error, Finding, Move, Place, Reader};
use oddsmith_mdp::{Exploration, Policy, Rate};
use rand::Rng;
use rustc_hash::FxBuildHasher;

/// What the learner uses as the state of the game.
///
/// The source learns "a value for each state-action combination" and says that "the game 'only' has
/// around 400 chapters with only a few (if any) choices per chapter": so many pairs fit into a
/// small table, and a state seems to be a chapter. But the value of an option depends on what the
/// reader carries; with that included, there are as many states as in the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The section alone: states are aggregated, and what the sheet decides appears to be random.
    Section,
    /// The section and the sheet.
    Place,
}

/// A state as the learner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum View {
    Section(u32, bool),
    Place(Place),
}

impl Seen {
    fn view(self, place: &Place) -> View {
        match self {
            Seen::Section => View::Section(place.section(), place.is_inside()),
            Seen::Place => View::Place(*place),
        }
    }
}

/// The learner's parameters; by default those of Table 1 in the source.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    pub(crate) seen: Seen,
    /// α.
    pub(crate) rate: Rate,
    /// The discount factor, which is λ in the source and usually γ.
    pub(crate) discount: f64,
    /// Q₀.
    pub(crate) initial: f64,
    pub(crate) exploration: Exploration,
    /// Options that are never taken, by section and label.
    pub(crate) dropped: BTreeSet<(u32, String)>,
    /// The highest number of states kept; nothing is learned in other states.
    pub(crate) max_states: usize,
    /// The longest game, in moves.
    pub(crate) max_moves: u64,
}

impl Parameters {
    pub(crate) fn table_1(seen: Seen) -> Self {
        Parameters {
            seen,
            rate: Rate::Constant(0.5),
            discount: 0.9,
            initial: 1.0,
            exploration: Exploration::Greedy,
            dropped: BTreeSet::new(),
            max_states: 8_000_000,
            max_moves: 1_000_000,
        }
    }
}

/// The source's "remove all actions that bypass an essential item": the options that provably lose,
/// except those of the sections kept as a control.
pub(crate) fn surely_lost<'f>(
    findings: impl IntoIterator<Item = &'f Finding>,
    kept: &[u32],
) -> BTreeSet<(u32, String)> {
    let lost = findings.into_iter().filter_map(|finding| match finding {
        Finding::SurelyLost {
            section, option, ..
        } => (!kept.contains(section)).then(|| (*section, option.clone())),
        _ => None,
    });
    lost.collect()
}

/// The estimate of a move, by the number of the move among all that were met.
#[derive(Clone, Copy, Debug)]
struct Slot {
    estimate: f64,
    visits: u32,
    action: u16,
}

/// The number of the move for a chance event.
const CHANCE: u16 = u16::MAX;

/// A move whose estimate is watched: of all places of a section, the one learned last.
#[derive(Clone, Debug)]
struct Watched {
    section: u32,
    label: String,
    estimate: f64,
}

/// A reader who learns.
pub(crate) struct Learner<'g> {
    game: &'g BookGame,
    reader: Reader<'g>,
    parameters: Parameters,
    table: IndexMap<View, Vec<Slot>, FxBuildHasher>,
    actions: IndexSet<Move, FxBuildHasher>,
    watched: Vec<Watched>,
    games: u64,
    won: u64,
    moves: u64,
    /// The slots of the open options, and the numbers of their moves.
    open: Vec<(usize, usize)>,
}

impl<'g> Learner<'g> {
    pub(crate) fn new(game: &'g BookGame, parameters: Parameters) -> Result<Self, Error> {
        Ok(Learner {
            game,
            reader: Reader::new(game)?,
            parameters,
            table: IndexMap::default(),
            actions: IndexSet::default(),
            watched: Vec::new(),
            games: 0,
            won: 0,
            moves: 0,
            open: Vec::new(),
        })
    }

    /// Watches the estimate of an option.
    pub(crate) fn watch(&mut self, section: u32, label: &str) {
        self.watched.push(Watched {
            section,
            label: label.to_owned(),
            estimate: self.parameters.initial,
        });
    }

    /// The watched estimates, in the order in which they were added.
    pub(crate) fn watched(&self) -> impl Iterator<Item = f64> {
        self.watched.iter().map(|watched| watched.estimate)
    }

    /// The source's "chance to win": the estimate of the best move at the start.
    pub(crate) fn estimate(&self) -> f64 {
        let start = self.parameters.seen.view(&self.game.start());
        let slots = self.table.get(&start);
        let estimates = slots.into_iter().flatten().map(|slot| slot.estimate);
        let best = estimates.fold(f64::NEG_INFINITY, f64::max);
        if best.is_finite() {
            best
        } else {
            self.parameters.initial
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    pub(crate) fn won(&self) -> u64 {
        self.won
    }

    /// The number of moves in all games.
    pub(crate) fn moves(&self) -> u64 {
        self.moves
    }

    /// The number of states in the table.
    pub(crate) fn states(&self) -> usize {
        self.table.len()
    }

    /// Plays a game and learns from each move; returns whether it was won.
    ///
    /// Q(s, a) moves towards γ · max Q(s', ·) over the open options in s', or towards 1 or 0 at the
    /// end. A chance event (a test, a fight) is a state with a single action.
    pub(crate) fn play<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Result<bool, Error> {
        self.reader.restart()?;
        let mut last: Option<(usize, usize)> = None;
        for _ in 0..self.parameters.max_moves {
            let number = match self.reader.outcome() {
                Some(_) => None,
                None => self.look()?,
            };
            let Some((state, best)) = number else {
                // The book has ended, or only options that always lose are left.
                let won = self.reader.outcome() == Some(true);
                self.learn(last, f64::from(u8::from(won)));
                self.games += 1;
                self.won += u64::from(won);
                return Ok(won);
            };
            self.learn(last, self.parameters.discount * best);
            let (slot, number) = self.pick(state, best, rng);
            last = state.map(|state| (state, slot));
            self.moves += 1;
            self.reader.take(number, rng)?;
        }
        Err(Error::Solve(oddsmith_mdp::Error::TooManySteps {
            limit: self.parameters.max_moves,
            games: self.games,
            state: self.game.describe(self.reader.place()),
        }))
    }

    /// Finds the state and its open options: its number, if it is kept, and the highest estimate;
    /// `None` if only options that always lose are left.
    fn look(&mut self) -> Result<Option<(Option<usize>, f64)>, Error> {
        let Learner {
            reader,
            parameters,
            table,
            actions,
            open,
            ..
        } = self;
        open.clear();
        let place = reader.place();
        let view = parameters.seen.view(place);
        let state = match table.get_index_of(&view) {
            Some(state) => Some(state),
            None if table.len() >= parameters.max_states => None,
            None => Some(table.insert_full(view, Vec::new()).0),
        };
        let mut unknown = Vec::new();
        let slots = match state {
            Some(state) => &mut table[state],
            None => &mut unknown,
        };
        let mut best = f64::NEG_INFINITY;
        let mut meet = |action: u16, number: usize| {
            let known = slots.iter().position(|slot| slot.action == action);
            let slot = known.unwrap_or_else(|| {
                slots.push(Slot {
                    estimate: parameters.initial,
                    visits: 0,
                    action,
                });
                slots.len() - 1
            });
            best = f64::max(best, slots[slot].estimate);
            open.push((slot, number));
        };
        let moves = reader.moves();
        let mut hope = moves.is_empty();
        if hope {
            meet(CHANCE, 0);
        }
        let section = place.section();
        for (number, made) in moves.iter().enumerate() {
            if drops(&parameters.dropped, section, made) {
                continue;
            }
            hope |= !matches!(made, Move::Refresh(_));
            let action = match actions.get_index_of(made) {
                Some(action) => action,
                None => actions.insert_full(made.clone()).0,
            };
            meet(action as u16, number);
        }
        Ok(hope.then_some((state, best)))
    }

    fn drops(&self, section: u32, made: &Move) -> bool {
        drops(&self.parameters.dropped, section, made)
    }

    fn learn(&mut self, last: Option<(usize, usize)>, target: f64) {
        let Some((state, slot)) = last else { return };
        let Some((view, slots)) = self.table.get_index_mut(state) else {
            return;
        };
        let slot = &mut slots[slot];
        slot.visits = slot.visits.saturating_add(1);
        let rate = self.parameters.rate.at(slot.visits.into());
        slot.estimate = (1.0 - rate) * slot.estimate + rate * target;
        let (action, estimate) = (slot.action, slot.estimate);
        let section = match view {
            View::Section(section, _) => *section,
            View::Place(place) => place.section(),
        };
        for watched in &mut self.watched {
            if watched.section == section {
                let made = self.actions.get_index(action.into());
                if made.is_some_and(|made| made.label() == watched.label) {
                    watched.estimate = estimate;
                }
            }
        }
    }

    /// The slot and the number of the next move.
    fn pick<R: Rng + ?Sized>(
        &self,
        state: Option<usize>,
        best: f64,
        rng: &mut R,
    ) -> (usize, usize) {
        let [only] = self.open[..] else {
            if let Exploration::Random(share) = self.parameters.exploration {
                // A multiple of 2⁻⁵³, compared without rounding.
                let drawn = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                if drawn < share {
                    return self.open[below(rng, self.open.len())];
                }
            }
            // States that are not kept have no estimates.
            let Some(state) = state else {
                return self.open[below(rng, self.open.len())];
            };
            let slots = &self.table[state];
            let ties = || {
                self.open
                    .iter()
                    .filter(|(slot, _)| slots[*slot].estimate == best)
            };
            let drawn = match ties().count() {
                1 => 0,
                ties => below(rng, ties),
            };
            return ties().nth(drawn).copied().unwrap_or(self.open[0]);
        };
        only
    }
}

fn drops(dropped: &BTreeSet<(u32, String)>, section: u32, made: &Move) -> bool {
    let Move::Turn(turn) = made else { return false };
    let of_section = (section, String::new())..(section + 1, String::new());
    let mut of_section = dropped.range(of_section);
    of_section.any(|(_, label)| label == turn.label())
}

/// A number below `bound`, uniform to within 2⁻⁶⁴.
fn below<R: Rng + ?Sized>(rng: &mut R, bound: usize) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

/// The learned policy, without exploration: the first of the tried moves with the highest estimate,
/// or if none was tried, the first that is not dropped.
impl Policy<BookGame> for &Learner<'_> {
    fn weigh(&self, place: &Place, actions: &[Move], weights: &mut [u64]) {
        let section = place.section();
        let slots = self.table.get(&self.parameters.seen.view(place));
        let mut best: Option<(usize, f64)> = None;
        let mut first = None;
        for (number, made) in actions.iter().enumerate() {
            if self.drops(section, made) {
                continue;
            }
            first = first.or(Some(number));
            let action = self.actions.get_index_of(made).map(|action| action as u16);
            let slots = slots.into_iter().flatten();
            let mut tried = slots.filter(|slot| slot.visits > 0);
            let Some(slot) = tried.find(|slot| Some(slot.action) == action) else {
                continue;
            };
            if best.is_none_or(|(_, highest)| slot.estimate > highest) {
                best = Some((number, slot.estimate));
            }
        }
        let taken = best.map(|(number, _)| number).or(first).unwrap_or(0);
        if let Some(weight) = weights.get_mut(taken) {
            *weight = 1;
        }
    }
}

#[cfg(test)]
#[path = "learner_tests.rs"]
mod tests;
