//! Cycles of sections, and what bounds them.

use std::collections::BTreeSet;

use super::flow::{Edge, STAY};
use super::graph;
use super::known::LOWEST;
use crate::compiled::Compiled;

/// The strongly connected components of the scenes that have a cycle, as the numbers of the edges
/// within each.
pub(super) fn cycles(book: &Compiled, edges: &[Edge], among: &[usize]) -> Vec<Vec<usize>> {
    // Only the scenes among them count: there may be as many cycles as scenes.
    let ends = among
        .iter()
        .flat_map(|&edge| [edges[edge].from, edges[edge].to]);
    let scenes: Vec<usize> = ends.collect::<BTreeSet<_>>().into_iter().collect();
    let place = |scene: usize| scenes.partition_point(|&other| other < scene);
    let mut next = vec![Vec::new(); scenes.len()];
    for &edge in among {
        next[place(edges[edge].from)].push(place(edges[edge].to));
    }
    let components = graph::components(&next);
    let mut component = vec![0; scenes.len()];
    for (number, places) in components.iter().enumerate() {
        for &place in places {
            component[place] = number;
        }
    }
    let mut within = vec![Vec::new(); components.len()];
    for &number in among {
        let edge = &edges[number];
        let [from, to] = [edge.from, edge.to].map(|scene| component[place(scene)]);
        if from == to {
            within[from].push(number);
        }
    }
    // Meals alone are not a cycle, nor are the rounds of a fight.
    let goes_round = |edge: &Edge| edge.slot != STAY && !book.is_amid_a_fight(edge.from);
    within.retain(|within| within.iter().any(|&edge| goes_round(&edges[edge])));
    within
}

/// What is used up on a cycle: stats, items and flags of which each lap takes some and nothing
/// gives any back, or, once these are gone, what the remaining laps take. `None` if some lap takes
/// nothing.
///
/// This is a lexicographic ranking. It is found by repeatedly removing steps that can be taken only
/// finitely often, until no cycle is left.
pub(super) fn bound(
    book: &Compiled,
    edges: &[Edge],
    within: Vec<usize>,
) -> Option<BTreeSet<String>> {
    let mut takes = BTreeSet::new();
    let mut waiting = vec![within];
    while let Some(within) = waiting.pop() {
        // What bounds only meals is named only if meals give back what bounds the laps.
        let taken = take(book, edges, &within, false).or_else(|| take(book, edges, &within, true));
        let (name, left) = taken?;
        takes.insert(name);
        waiting.extend(cycles(book, edges, &left));
    }
    Some(takes)
}

/// Something that cannot grow within the cycle, and the steps that do not use it up.
fn take(
    book: &Compiled,
    edges: &[Edge],
    within: &[usize],
    meals: bool,
) -> Option<(String, Vec<usize>)> {
    let all = || within.iter().map(|&edge| &edges[edge]);
    let without = |uses: &dyn Fn(&Edge) -> bool| {
        let useful = |edge: &Edge| uses(edge) && (meals || edge.slot != STAY);
        let left = within.iter().copied().filter(|&edge| !uses(&edges[edge]));
        all().any(useful).then(|| left.collect::<Vec<usize>>())
    };
    for (stat, compiled) in book.stats.iter().enumerate() {
        let uses = |edge: &Edge| edge.after.rise[stat] < 0 && edge.before.low[stat] > LOWEST;
        if all().all(|edge| edge.after.rise[stat] <= 0)
            && let Some(left) = without(&uses)
        {
            return Some((compiled.id.to_string(), left));
        }
    }
    let gained = all().fold(0, |bits, edge| bits | edge.after.gained);
    let lost = all().fold(0, |bits, edge| bits | edge.after.lost);
    for (place, name) in book.bits.iter().enumerate() {
        let bit = 1_u128 << place;
        let spends = |edge: &Edge| edge.before.must & !edge.after.may & bit != 0;
        let marks = |edge: &Edge| edge.after.must & !edge.before.may & bit != 0;
        let left = match (gained & bit != 0, lost & bit != 0) {
            (false, true) => without(&spends),
            (true, false) => without(&marks),
            _ => None,
        };
        if let Some(left) = left {
            return Some((name.to_string(), left));
        }
    }
    None
}
