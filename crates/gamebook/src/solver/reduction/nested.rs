//! Choices within choices: who may go on to a choice that leads to all that another option
//! leads to need not take that other option.
//!
//! "By the harbour, or on along the street", and farther along the street "by the harbour, or
//! into the tavern": to go on is worth at least as much as the harbour, whoever asks.

use rustc_hash::FxHashSet;

use crate::compiled::{Compiled, CompiledOption, Op, Scene, Way};
use crate::solver::reach::fork::Apart;

/// So many scenes are looked at for one option, else all would be in a book of choices alone.
const FARTHEST: usize = 64;

/// Options that nobody need take, by scene and number.
#[derive(Debug)]
pub(crate) struct Nested<'b> {
    book: &'b Compiled,
    options: FxHashSet<(u32, usize)>,
}

impl<'b> Nested<'b> {
    /// One after the other, each by what is left of all others: so the worths that are left
    /// also solve the equations of the whole book, and the least solution is the same.
    pub(crate) fn new(book: &'b Compiled, apart: Apart) -> Self {
        let mut nested = Nested {
            book,
            options: FxHashSet::default(),
        };
        for (number, scene) in (0..).zip(&book.scenes) {
            let Scene::Choice(options) = scene else {
                continue;
            };
            // Ways that are told apart may be left out.
            if apart == Apart::Fork(number) {
                continue;
            }
            for (place, option) in options.iter().enumerate() {
                let option = Link {
                    number: place,
                    condition: option.condition,
                    way: option.way,
                };
                if nested.leads(number, option, apart) {
                    nested.options.insert((number, place));
                }
            }
        }
        nested
    }

    pub(crate) fn contains(&self, scene: u32, option: usize) -> bool {
        self.options.contains(&(scene, option))
    }

    /// Whether another way leads from a scene, with nothing but choices, to where an option of
    /// it leads, or to the same option elsewhere.
    fn leads(&self, from: u32, option: Link, apart: Apart) -> bool {
        let same = |link: &Link| {
            let open = link.condition.is_none() || link.condition == option.condition;
            open && link.way == option.way
        };
        let mut links = self.links(from);
        links.retain(|link| link.number != option.number);
        let mut scenes: Vec<u32> = Vec::new();
        let mut at = 0;
        loop {
            if links.iter().any(same) {
                return true;
            }
            let free = links.iter().filter(|link| self.is_free(link));
            for link in free {
                if scenes.len() < FARTHEST && !scenes.contains(&link.way.to) {
                    scenes.push(link.way.to);
                }
            }
            let Some(&scene) = scenes.get(at) else {
                return self.is_plain(option.way) && scenes.contains(&option.way.to);
            };
            at += 1;
            // No road leads twice through the scene, and where ways are told apart each has
            // a worth of its own.
            links = match scene == from || apart == Apart::Fork(scene) {
                true => Vec::new(),
                false => self.links(scene),
            };
        }
    }

    /// What one may choose in a scene besides what it is about.
    fn links(&self, scene: u32) -> Vec<Link> {
        let only = |way: &Way| Link {
            number: 0,
            condition: None,
            way: *way,
        };
        match &self.book.scenes[scene as usize] {
            Scene::Turn(way) | Scene::Shop { leave: way, .. } => vec![only(way)],
            Scene::Choice(options) => {
                let options = options.iter().enumerate();
                let options = options.filter(|(number, _)| !self.contains(scene, *number));
                let link = |(number, option): (usize, &CompiledOption)| Link {
                    number,
                    condition: option.condition,
                    way: option.way,
                };
                options.map(link).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether anybody may go that way, just as he is.
    fn is_free(&self, link: &Link) -> bool {
        link.condition.is_none() && self.is_plain(link.way)
    }

    /// Whether a way changes nothing: whoever is at a choice is alive.
    fn is_plain(&self, way: Way) -> bool {
        let ops = self.book.effects[way.effects as usize].iter();
        ops.into_iter()
            .all(|op| matches!(op, Op::Survive | Op::Depart))
    }
}

/// What may be chosen in a scene, and where it leads.
#[derive(Clone, Copy, Debug)]
struct Link {
    number: usize,
    condition: Option<u32>,
    way: Way,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Book;

    /// By section and option.
    fn left_out(book: &Book, apart: Apart) -> Vec<(u32, usize)> {
        let book = book.compile();
        let nested = Nested::new(&book, apart);
        let mut options: Vec<(u32, usize)> = nested.options.into_iter().collect();
        options.sort_unstable();
        let number = |scene: u32| book.numbers[scene as usize];
        options
            .into_iter()
            .map(|(scene, option)| (number(scene), option))
            .collect()
    }

    #[test]
    fn who_may_go_later_need_not_go_now() -> Result<(), crate::Error> {
        let book = Book::builder()
            .choice(1, [("harbour", 5), ("street", 2), ("test", 4)])
            .choice(2, [("tavern", 6), ("lane", 3)])
            .choice(3, [("harbour", 5), ("tavern", 6)])
            .luck(4, 5, 6)
            .luck(5, 8, 9)
            .luck(6, 9, 8)
            .won(8)
            .lost(9)
            .build()?;
        // By way of 2 and 3 to 5; by way of 3 to 6.
        assert_eq!(left_out(&book, Apart::Nothing), [(1, 0), (2, 0)]);
        // Section 5 is another one by way of each option of 2, and of 1.
        assert_eq!(left_out(&book, Apart::Fork(1)), []);
        assert_eq!(left_out(&book, Apart::Fork(0)), [(2, 0)]);
        Ok(())
    }

    #[test]
    fn one_of_two_that_lead_to_each_other_stays() -> Result<(), crate::Error> {
        let book = Book::builder()
            .choice(1, [("on", 2), ("in", 3)])
            .choice(2, [("back", 1), ("in", 3), ("in again", 3)])
            .luck(3, 4, 5)
            .won(4)
            .lost(5)
            .build()?;
        assert_eq!(left_out(&book, Apart::Nothing), [(1, 1), (2, 1)]);
        Ok(())
    }
}
