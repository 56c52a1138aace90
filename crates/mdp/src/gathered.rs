//! Several starts at once: all states that any of them leads to.

use crate::{Game, Node};

/// A game with an additional first state, `None`, from which chance leads to each of several
/// starts. Solving it solves all states that any of them leads to. The value of the additional
/// state has no meaning.
#[derive(Debug)]
pub(crate) struct Gathered<G: Game> {
    game: G,
    starts: Vec<G::State>,
}

impl<G: Game> Gathered<G> {
    pub(crate) fn new(game: G, starts: Vec<G::State>) -> Self {
        Gathered { game, starts }
    }

    pub(crate) fn starts(&self) -> usize {
        self.starts.len()
    }
}

impl<G: Game> Game for Gathered<G> {
    type State = Option<G::State>;
    type Action = G::Action;

    fn describe(&self, state: &Option<G::State>) -> String {
        match state {
            Some(state) => self.game.describe(state),
            None => "before the starts".into(),
        }
    }

    fn expand(&self, state: &Option<G::State>, node: &mut Node<Self>) {
        let Some(state) = state else {
            // No limit applies to what does not belong to the game and already exists.
            node.most = usize::MAX;
            let mut chance = node.chance();
            for start in &self.starts {
                chance.to(Some(start.clone()), 1);
            }
            return;
        };
        let Some(inner) = node.inner_going_on(&self.game, state) else {
            return;
        };
        node.choices_of(&inner, |state| Some(state.clone()));
    }
}
