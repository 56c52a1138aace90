//! Decisions by their number in the book, since what is open differs from sheet to sheet.

use crate::compiled::{Compiled, Scene};
use crate::place::Place;

/// What is done at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// An option of a choice. In a shop, 0 is to leave; then follow the wares it sells, and those
    /// it buys.
    Option(usize),
    Refreshment(usize),
    /// The number of a decision in a game or a fight.
    Turn(usize),
}

impl Taken {
    /// The decision for the action with this number.
    pub(crate) fn of(book: &Compiled, place: &Place, action: usize) -> Option<Self> {
        match open(book, place) {
            None => Some(Taken::Turn(action)),
            Some(open) => open.get(action).copied(),
        }
    }

    /// The number of this decision among the actions of a place; `None` if it is not open there.
    pub(crate) fn action(self, book: &Compiled, place: &Place) -> Option<usize> {
        match (self, open(book, place)) {
            (Taken::Turn(action), None) => Some(action),
            (_, open) => open?.iter().position(|one| *one == self),
        }
    }
}

/// What is open at a choice or in a shop, in the order of the actions.
fn open(book: &Compiled, place: &Place) -> Option<Vec<Taken>> {
    let held = &place.held;
    match book.scenes.get(place.scene as usize)? {
        Scene::Choice(options) => {
            let open = (0..options.len()).filter(|one| book.open(options[*one].condition, held));
            let ready = |one: &usize| book.open(book.refreshments[*one].condition, held);
            let refreshments = (0..book.refreshments.len()).filter(ready);
            let refreshments = refreshments.map(Taken::Refreshment);
            Some(open.map(Taken::Option).chain(refreshments).collect())
        }
        Scene::Shop { sells, buys, .. } => {
            let deals = book.deals(sells, buys, held).into_iter();
            let deals = deals.map(|deal| Taken::Option(deal + 1));
            Some([Taken::Option(0)].into_iter().chain(deals).collect())
        }
        _ => None,
    }
}
