//! Shops in which the order of deals makes no difference.

use crate::apply::Caps;
use crate::compiled::{Compiled, CompiledWare, Scene};
use crate::place::Held;
use crate::solver::reach::rings_backwards;

/// By scene, whether it is a shop that sells several items and buys none, or the other way round,
/// and that nobody comes back to. Then each item changes hands once; of a stat, or on a cycle, a
/// hero might want more.
///
/// What can be bought in one order can be bought in any, since all of it is paid for in the end,
/// and sales bring the same in any order. The exception is money that is cut. A floor above 0 gives
/// back a part of each price. A hero who starts with more than the cap, or with less than the
/// floor, gains from the first deal. Later nobody has such a sum who did not start with it, since
/// every change of money cuts it, as long as its cap stays the same.
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
