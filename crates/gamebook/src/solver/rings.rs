//! Bits that tell the rounds of a ring of scenes apart.

use super::explore::ways;
use super::must::gained;
use crate::compiled::{Compiled, Scene, Test};

/// By scene, the bits that are both set and asked in the ring of scenes it belongs to: a
/// reader who comes round again is somewhere else by them. None outside of rings.
pub(crate) fn markers(book: &Compiled) -> Vec<u128> {
    let mut markers = vec![0; book.scenes.len()];
    for ring in rings(book) {
        let mut set = 0;
        let mut read = 0;
        for &scene in &ring {
            let (gains, reads) = bits(book, &book.scenes[scene as usize]);
            set |= gains;
            read |= reads;
        }
        for &scene in &ring {
            markers[scene as usize] = set & read;
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

/// The strongly connected components of two scenes or more, by Tarjan's algorithm.
fn rings(book: &Compiled) -> Vec<Vec<u32>> {
    let count = book.scenes.len();
    let next = |scene: u32| ways(&book.scenes[scene as usize]);
    components(count, next)
        .into_iter()
        .filter(|ring| ring.len() > 1)
        .collect()
}

/// The strongly connected components of a graph, each before those that lead to it.
pub(crate) fn components(count: usize, next: impl Fn(u32) -> Vec<u32>) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut number = vec![NEW; count];
    let mut low = vec![0; count];
    let mut open = vec![false; count];
    let (mut stack, mut found, mut counter) = (Vec::new(), Vec::new(), 0);
    for root in 0..count as u32 {
        if number[root as usize] != NEW {
            continue;
        }
        let mut path: Vec<(u32, Vec<u32>, usize)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                (number[node as usize], low[node as usize]) = (counter, counter);
                counter += 1;
                open[node as usize] = true;
                stack.push(node);
                path.push((node, next(node), 0));
            }
            let Some((node, ways, at)) = path.last_mut() else {
                break;
            };
            let node = *node as usize;
            if let Some(&to) = ways.get(*at) {
                *at += 1;
                if number[to as usize] == NEW {
                    enter = Some(to);
                } else if open[to as usize] {
                    low[node] = low[node].min(number[to as usize]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, ..)) = path.last() {
                low[*parent as usize] = low[*parent as usize].min(low[node]);
            }
            if low[node] == number[node] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    open[member as usize] = false;
                    component.push(member);
                    if member as usize == node {
                        break;
                    }
                }
                found.push(component);
            }
        }
    }
    found
}
