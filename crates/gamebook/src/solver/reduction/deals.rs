//! Shops in which it makes no difference what is bought first, or sold.

use crate::compiled::{Compiled, CompiledWare, Scene};
use crate::solver::reach::rings_backwards;

/// By scene, whether it is a shop that sells several items and buys none, or the other way
/// round, and that nobody comes back to. However much is bought of a stat, and as often as one
/// comes back, one may want more.
///
/// What has been bought in any order can be bought in any other: all of it is paid for in the
/// end. That is so as far as no [cut](crate::solver::walk::trade) comes between.
pub(crate) fn in_any_order(book: &Compiled) -> Vec<bool> {
    let mut any = vec![false; book.scenes.len()];
    // Prices may not lead to where money is cut.
    let floor = book.money.map(|money| &book.stats[usize::from(money)]);
    if floor.is_none_or(|money| money.floor.is_some_and(|floor| floor > 0)) {
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
