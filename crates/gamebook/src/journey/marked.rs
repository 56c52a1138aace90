//! A book whose places record whether they are an arrival.

use std::fmt;

use oddsmith_mdp::{Game, Node, Policy};

use crate::{BookGame, Move, Place};

/// A place, and whether its section has just been turned to.
///
/// This makes a visit a state: a hero who eats, trades or fights in a section stays in it and does
/// not arrive again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Stage {
    pub(crate) place: Place,
    pub(crate) arrived: bool,
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.place, f)
    }
}

/// The game of a book with arrivals marked.
pub(crate) struct Marked<'g> {
    game: &'g BookGame,
    /// If given, the game ends with score 1 on arrival at this section, and with 0 wherever the book
    /// ends.
    until: Option<u32>,
}

impl<'g> Marked<'g> {
    /// The game up to the ends of the book.
    pub(crate) fn to_the_end(game: &'g BookGame) -> Self {
        Marked { game, until: None }
    }

    /// The game up to the first arrival at this section.
    pub(crate) fn until(game: &'g BookGame, section: u32) -> Self {
        let until = Some(section);
        Marked { game, until }
    }
}

impl Game for Marked<'_> {
    type State = Stage;
    type Action = Move;

    fn expand(&self, stage: &Stage, node: &mut Node<Self>) {
        if stage.arrived && self.until == Some(stage.place.section) {
            return node.end(true);
        }
        if let (Some(section), Some(traps)) = (self.until, self.game.traps())
            && let Some(sections) = traps.sections(&stage.place)
        {
            return node.end(sections.contains(&section));
        }
        let Some(inner) = node.inner(self.game, &stage.place) else {
            return;
        };
        if let Some(score) = inner.score() {
            return match self.until {
                Some(_) => node.end(false),
                None => node.end(score.clone()),
            };
        }
        node.choices_of(&inner, |place| stage.next(place));
    }

    fn describe(&self, stage: &Stage) -> String {
        self.game.describe(&stage.place)
    }
}

impl Stage {
    pub(crate) fn new(place: Place, arrived: bool) -> Self {
        Stage { place, arrived }
    }

    /// The stage of a reader who has just turned to the section of this place.
    pub(crate) fn arrival(place: Place) -> Self {
        Stage::new(place, true)
    }

    fn next(&self, place: &Place) -> Stage {
        // A loop at a place stays one state, which the solver eliminates.
        if *place == self.place {
            return *self;
        }
        Stage::new(*place, place.section != self.place.section)
    }
}

/// A policy of the book, as a policy of the marked book.
#[derive(Clone, Copy)]
pub(crate) struct Marking<'p>(pub(crate) &'p dyn Policy<BookGame>);

impl Policy<Marked<'_>> for Marking<'_> {
    fn weigh(&self, stage: &Stage, actions: &[Move], weights: &mut [u64]) {
        self.0.weigh(&stage.place, actions, weights);
    }
}

impl Policy<BookGame> for Marking<'_> {
    fn weigh(&self, place: &Place, actions: &[Move], weights: &mut [u64]) {
        self.0.weigh(place, actions, weights);
    }
}
