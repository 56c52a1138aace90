//! What to do at a place, by its number in the book: what is open differs from sheet to sheet.

use crate::compiled::{Compiled, CompiledWare, Scene};
use crate::place::Place;

/// What is done at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// An option of a choice; in a shop 0 is to leave, then come its wares and what it buys.
    Option(usize),
    Refreshment(usize),
    /// What is asked in a game or in a fight, by its number there.
    Turn(usize),
}

impl Taken {
    /// What the action with this number is.
    pub(crate) fn of(book: &Compiled, place: &Place, action: usize) -> Option<Self> {
        match open(book, place) {
            None => Some(Taken::Turn(action)),
            Some(open) => open.get(action).copied(),
        }
    }

    /// Its number among the actions of a place; `None` if it is not open there.
    pub(crate) fn action(self, book: &Compiled, place: &Place) -> Option<usize> {
        match (self, open(book, place)) {
            (Taken::Turn(action), None) => Some(action),
            (_, open) => open?.iter().position(|one| *one == self),
        }
    }
}

/// What is open in a choice or in a shop, in the order of its actions.
fn open(book: &Compiled, place: &Place) -> Option<Vec<Taken>> {
    let held = &place.held;
    let holds = |condition: Option<u32>| condition.is_none_or(|one| book.holds(one, held));
    match book.scenes.get(place.scene as usize)? {
        Scene::Choice(options) => {
            let open = (0..options.len()).filter(|one| holds(options[*one].condition));
            let ready = |one: &usize| holds(book.refreshments[*one].condition);
            let refreshments = (0..book.refreshments.len()).filter(ready);
            let refreshments = refreshments.map(Taken::Refreshment);
            Some(open.map(Taken::Option).chain(refreshments).collect())
        }
        Scene::Shop { sells, buys, .. } => {
            let purse = book.money.map(|money| held.stats[usize::from(money)]);
            let sold = |one: &usize| {
                let (ware, price, _) = &sells[*one];
                let new = match ware {
                    CompiledWare::Bit(bit) => held.items & bit == 0,
                    CompiledWare::Stat(_) => true,
                };
                new && purse.is_some_and(|purse| *price <= purse)
            };
            let sold = (0..sells.len()).filter(sold);
            let bought =
                (0..buys.len()).filter(|one| purse.is_some() && held.items & buys[*one].0 != 0);
            let wares = sold.chain(bought.map(|one| sells.len() + one));
            let deals = wares.map(|ware| Taken::Option(ware + 1));
            Some([Taken::Option(0)].into_iter().chain(deals).collect())
        }
        _ => None,
    }
}
