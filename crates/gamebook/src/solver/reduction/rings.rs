//! Markers: bits that distinguish the laps of a ring of scenes.

use std::sync::Arc;

use crate::compiled::{Compiled, CompiledWare, Scene, Test};
use crate::solver::reach::rings_backwards;
use crate::solver::reduction::must::gained;

/// A shop that both sells and buys more wares than this has one region for everybody.
const MOST_TRADED: u32 = 8;

/// By scene, the bits that are both set and asked within its ring of scenes. A reader who comes
/// round again with other markers is in another region. Outside of rings, the wares that a shop
/// both sells and buys.
pub(crate) fn markers(book: &Compiled) -> Vec<u128> {
    let mut markers = vec![0; book.scenes.len()];
    for (scene, markers) in book.scenes.iter().zip(&mut markers) {
        if let Scene::Shop { sells, buys, .. } = scene {
            *markers = traded(sells, buys);
        }
    }
    for ring in rings_backwards(book) {
        if ring.len() < 2 {
            continue;
        }
        let mut set = 0;
        let mut read = 0;
        for &scene in &ring {
            let (gains, reads) = bits(book, &book.scenes[scene]);
            set |= gains;
            read |= reads;
        }
        for &scene in &ring {
            markers[scene] |= set & read;
        }
    }
    markers
}

/// The wares that a shop both sells and buys. A hero who sells one is richer but does not have it
/// any more; in a single region, he would seem to be able to sell it for ever. Too many wares are
/// not distinguished.
fn traded(sells: &[(CompiledWare, i16, Arc<str>)], buys: &[(u128, i16, Arc<str>)]) -> u128 {
    let bought = buys.iter().fold(0, |all, ware| all | ware.0);
    let both = sells.iter().fold(0, |all, (ware, ..)| match ware {
        CompiledWare::Bit(bit) => all | bit & bought,
        CompiledWare::Stat(_) => all,
    });
    match both.count_ones() {
        0..=MOST_TRADED => both,
        _ => 0,
    }
}

fn bits(book: &Compiled, scene: &Scene) -> (u128, u128) {
    match scene {
        Scene::Choice(options) | Scene::First(options) => {
            options.iter().fold((0, 0), |(set, read), option| {
                let asks = option
                    .condition
                    .map_or(0, |condition| asked(book, condition));
                (set | gained(book, option.way.effects), read | asks)
            })
        }
        Scene::Turn(way) | Scene::Shop { leave: way, .. } | Scene::Game { after: way, .. } => {
            (gained(book, way.effects), 0)
        }
        Scene::Test {
            success, failure, ..
        } => (
            gained(book, success.effects) | gained(book, failure.effects),
            0,
        ),
        Scene::Random(branches) => {
            let gains = branches.iter().map(|(_, way)| gained(book, way.effects));
            (gains.fold(0, |all, bits| all | bits), 0)
        }
        Scene::Fight {
            fight,
            victory,
            flee,
            tolls,
        } => {
            let marks = book.fights[*fight as usize].marks.iter();
            let marks = marks.fold(0, |all, mark| all | mark);
            let others = flee.iter().chain(tolls);
            let others = others.fold(0, |all, way| all | gained(book, way.effects));
            (gained(book, victory.effects) | others | marks, 0)
        }
        Scene::Ending(_) | Scene::Dead => (0, 0),
    }
}

/// Bits that a condition reads.
pub(crate) fn asked(book: &Compiled, condition: u32) -> u128 {
    match &book.conditions[condition as usize] {
        Test::Has(mask) | Test::Holds(mask, _) => *mask,
        Test::AtLeast(..) => 0,
        Test::Not(not) => asked(book, *not),
        Test::All(all) | Test::Any(all) => all.iter().fold(0, |bits, one| bits | asked(book, *one)),
    }
}
