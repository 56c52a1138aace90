//! Bits that tell the rounds of a ring of scenes apart.

use super::explore::rings_backwards;
use super::must::gained;
use crate::compiled::{Compiled, Scene, Test};

/// By scene, the bits that are both set and asked in the ring of scenes it belongs to: a
/// reader who comes round again is somewhere else by them. None outside of rings.
pub(crate) fn markers(book: &Compiled) -> Vec<u128> {
    let mut markers = vec![0; book.scenes.len()];
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
            markers[scene] = set & read;
        }
    }
    markers
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
        } => {
            let marks = book.fights[*fight as usize].marks.iter();
            let marks = marks.fold(0, |all, mark| all | mark);
            let fled = flee.map_or(0, |flee| gained(book, flee.effects));
            (gained(book, victory.effects) | fled | marks, 0)
        }
        Scene::Ending(_) | Scene::Dead => (0, 0),
    }
}

fn asked(book: &Compiled, condition: u32) -> u128 {
    match &book.conditions[condition as usize] {
        Test::Has(mask) | Test::Holds(mask, _) => *mask,
        Test::AtLeast(..) => 0,
        Test::Not(not) => asked(book, *not),
        Test::All(all) | Test::Any(all) => all.iter().fold(0, |bits, one| bits | asked(book, *one)),
    }
}
