//! Must-haves: what must be held to win.

use crate::compiled::{Compiled, CompiledWare, Op, Scene, Test, Way};
use crate::solver::reach::rings_backwards;

/// By scene, the items and flags without which nobody wins from there; all bits if nobody wins at
/// all.
///
/// A bit is needed if every way on needs it and cannot bring it. The sets are the largest solution,
/// so going round in cycles helps nobody.
pub(crate) fn must_haves(book: &Compiled) -> Vec<u128> {
    let mut needed = vec![u128::MAX; book.scenes.len()];
    for ring in rings_backwards(book) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &number in &ring {
                let bits = scene(book, number, &needed);
                changed |= std::mem::replace(&mut needed[number], bits) != bits;
            }
        }
    }
    needed
}

fn scene(book: &Compiled, number: usize, needed: &[u128]) -> u128 {
    let way = |way: &Way| needed[way.to as usize] & !gained(book, way.effects);
    match &book.scenes[number] {
        Scene::Ending(won) => {
            if *won {
                0
            } else {
                u128::MAX
            }
        }
        Scene::Dead => u128::MAX,
        Scene::Turn(on) => way(on),
        Scene::Choice(options) | Scene::First(options) => {
            let ways = options.iter().map(|option| {
                way(&option.way)
                    | option
                        .condition
                        .map_or(0, |condition| asked(book, condition))
            });
            let mut all = ways.fold(u128::MAX, |all, way| all & way);
            if book.refresh.get(number) == Some(&true) {
                for refreshment in &book.refreshments {
                    all &= !gained(book, refreshment.effects);
                }
            }
            all
        }
        Scene::Test {
            success, failure, ..
        } => way(success) & way(failure),
        Scene::Random(branches) => {
            let branches = branches.iter().filter(|(weight, _)| *weight > 0);
            branches.fold(u128::MAX, |all, (_, on)| all & way(on))
        }
        Scene::Game { round, after, .. } => {
            let brought = round.iter().map(|(_, list)| gained(book, *list));
            way(after) & !brought.fold(0, |all, bits| all | bits)
        }
        Scene::Shop { sells, leave, .. } => {
            let bits = sells.iter().map(|(ware, ..)| match ware {
                CompiledWare::Bit(bit) => *bit,
                CompiledWare::Stat(_) => 0,
            });
            way(leave) & !bits.fold(0, |all, bit| all | bit)
        }
        Scene::Fight {
            fight,
            victory,
            flee,
            tolls,
        } => {
            let marks = book.fights[*fight as usize].marks.iter();
            let others = flee.iter().chain(tolls);
            let others = others.fold(u128::MAX, |all, one| all & way(one));
            way(victory) & others & !marks.fold(0, |all, mark| all | mark)
        }
    }
}

/// Bits that must be held for a condition.
pub(crate) fn asked(book: &Compiled, condition: u32) -> u128 {
    match &book.conditions[condition as usize] {
        Test::Has(mask) if mask.count_ones() == 1 => *mask,
        Test::Holds(mask, count) if mask.count_ones() == u32::from(*count) => *mask,
        Test::All(all) => all.iter().fold(0, |bits, one| bits | asked(book, *one)),
        _ => 0,
    }
}

/// Bits that a list of effects may gain.
pub(crate) fn gained(book: &Compiled, list: u32) -> u128 {
    book.bits_by(list, |op| match op {
        Op::Gain(mask) => *mask,
        _ => 0,
    })
}
