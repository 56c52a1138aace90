//! Shops in which it makes no difference what is bought first, or sold.

use crate::apply::Caps;
use crate::compiled::{Compiled, CompiledWare, Scene};
use crate::place::Held;
use crate::solver::reach::rings_backwards;

/// By scene, whether it is a shop that sells several items and buys none, or the other way
/// round. Each item changes hands once: of a stat, or where one comes back, one may want more.
///
/// What can be bought in one order can be bought in any, as it is all paid for in the end, and what
/// is sold brings as much. That is not so where money is cut: a floor above 0 gives back a part of
/// each price, and who begins with more than his purse takes, or with less than nothing, has
/// something to gain from the first deal. Nobody has either who did not `start` so, as all that
/// changes money cuts it, if the cap stays where it is.
pub(crate) fn in_any_order<'p>(
    book: &Compiled,
    caps: &Caps,
    mut starts: impl Iterator<Item = &'p Held>,
) -> Vec<bool> {
    let mut any = vec![false; book.scenes.len()];
    let Some(purse) = book.money.map(usize::from) else {
        return any;
    };
    let (money, cap) = (&book.stats[purse], caps[purse]);
    let within = |held: &Held| {
        let money_held = held.stats[purse];
        money.floor.is_none_or(|floor| floor <= money_held)
            && cap.is_none_or(|cap| money_held <= cap)
    };
    let uncut = money.raised.is_none() && money.floor.is_none_or(|floor| floor <= 0);
    if !uncut || !starts.all(within) {
        return any;
    }
    for ring in rings_backwards(book) {
        if let [scene] = ring[..]
            && let Scene::Shop { sells, buys, leave } = &book.scenes[scene]
            && leave.to as usize != scene
        {
            let items = |(ware, ..): &(CompiledWare, _, _)| matches!(ware, CompiledWare::Bit(_));
            any[scene] = match sells.is_empty() {
                true => buys.len() > 1,
                false => buys.is_empty() && sells.len() > 1 && sells.iter().all(items),
            };
        }
    }
    any
}
