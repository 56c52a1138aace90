//! Every way through a book leads forwards.

use std::collections::BTreeMap;

use crate::{Error, Section};

/// Looks for a circle among the links, all of which exist.
///
/// Depth first with an explicit stack, so that a book of a million sections in
/// a row is no deep recursion.
pub(crate) fn check(sections: &BTreeMap<u32, Section>) -> Result<(), Error> {
    // Missing: not met. False: on the way. True: nothing behind it turns back.
    let mut done: BTreeMap<u32, bool> = BTreeMap::new();
    for &root in sections.keys() {
        let mut way = Vec::new();
        enter(root, sections, &mut done, &mut way);
        while let Some((section, targets)) = way.last_mut() {
            let Some(target) = targets.pop() else {
                done.insert(*section, true);
                way.pop();
                continue;
            };
            if done.get(&target) == Some(&false) {
                let path = way.iter().map(|(section, _)| *section);
                let mut path: Vec<u32> = path.skip_while(|section| *section != target).collect();
                path.push(target);
                return Err(Error::Cycle { path });
            }
            enter(target, sections, &mut done, &mut way);
        }
    }
    Ok(())
}

/// Steps into a section that has not been met, its targets still to be tried.
fn enter(
    number: u32,
    sections: &BTreeMap<u32, Section>,
    done: &mut BTreeMap<u32, bool>,
    way: &mut Vec<(u32, Vec<u32>)>,
) {
    if let Some(section) = sections.get(&number)
        && !done.contains_key(&number)
    {
        let mut targets = section.targets();
        targets.reverse();
        done.insert(number, false);
        way.push((number, targets));
    }
}
