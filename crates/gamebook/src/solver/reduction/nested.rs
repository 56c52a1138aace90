//! Dominated options. If one option leads to a choice that offers everything another option leads
//! to, the other need not be taken. Turns, and ways out of shops, count as choices with one option.
//!
//! "By the harbour, or on along the street", and farther along the street "by the harbour, or into
//! the tavern": going on is worth at least as much as the harbour, for everybody.

use rustc_hash::FxHashSet;

use crate::compiled::{Compiled, CompiledOption, Op, Scene, Way};
use crate::solver::reach::fork::Apart;
use crate::solver::reach::rings_backwards;

/// The most scenes searched for one option; otherwise a book of nothing but choices would be
/// searched completely.
const FARTHEST: usize = 64;

/// Dominated options, by scene and number.
#[derive(Debug, Default)]
pub(crate) struct Nested {
    options: FxHashSet<(u32, usize)>,
}

impl Nested {
    /// Where routes are told `apart`, each has a value of its own, and may be left out.
    pub(crate) fn new(book: &Compiled, apart: Apart) -> Self {
        let mut search = Search {
            book,
            apart,
            ring: vec![0; book.scenes.len()],
            left_out: Nested::default(),
        };
        for (number, ring) in rings_backwards(book).into_iter().enumerate() {
            ring.into_iter()
                .for_each(|scene| search.ring[scene] = number);
        }
        for (number, scene) in (0..).zip(&book.scenes) {
            if matches!(scene, Scene::Choice(_)) && apart != Apart::Fork(number) {
                search.choice(number);
            }
        }
        search.left_out
    }

    pub(crate) fn contains(&self, scene: u32, option: usize) -> bool {
        self.options.contains(&(scene, option))
    }
}

struct Search<'b> {
    book: &'b Compiled,
    apart: Apart,
    /// By scene, the number of its strongly connected component.
    ring: Vec<usize>,
    left_out: Nested,
}

impl Search<'_> {
    /// Tests one option after another, each against the remaining ones.
    fn choice(&mut self, scene: u32) {
        let mut links = self.links(scene);
        let mut place = 0;
        while place < links.len() {
            let option = links.remove(place);
            if self.leads(scene, &links, option) {
                self.left_out.options.insert((scene, option.number));
            } else {
                links.insert(place, option);
                place += 1;
            }
        }
    }

    /// Whether one of these links leads, by free choices only, to where an option leads, or to the
    /// same option elsewhere.
    fn leads(&self, from: u32, links: &[Link], option: Link) -> bool {
        let same = |link: &Link| {
            let open = link.condition.is_none() || link.condition == option.condition;
            open && link.way == option.way
        };
        let plain = self.is_plain(option.way);
        let mut scenes: Vec<u32> = Vec::new();
        let mut links = links.to_vec();
        let mut at = 0;
        loop {
            if links.iter().any(same) {
                return true;
            }
            for link in links {
                if scenes.len() >= FARTHEST {
                    break;
                }
                if self.is_free(&link) && !scenes.contains(&link.way.to) {
                    scenes.push(link.way.to);
                }
            }
            let Some(&scene) = scenes.get(at) else {
                return plain && scenes.contains(&option.way.to);
            };
            at += 1;
            // Rings are iterated. Each scene of a ring keeps its own ways out of it, since
            // iteration would take longer otherwise.
            let round = self.ring[scene as usize] == self.ring[from as usize];
            links = match round || self.apart == Apart::Fork(scene) {
                true => Vec::new(),
                false => self.links(scene),
            };
        }
    }

    /// The ways on from a scene that can be taken without its play.
    fn links(&self, scene: u32) -> Vec<Link> {
        match &self.book.scenes[scene as usize] {
            Scene::Turn(way) | Scene::Shop { leave: way, .. } => vec![Link {
                number: 0,
                condition: None,
                way: *way,
            }],
            Scene::Choice(options) => {
                let options = options.iter().enumerate();
                let options = options.filter(|(number, _)| !self.left_out.contains(scene, *number));
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

    /// Whether anybody may take this link, without any change.
    fn is_free(&self, link: &Link) -> bool {
        link.condition.is_none() && self.is_plain(link.way)
    }

    /// Whether a way changes nothing. Everybody at a choice is alive.
    fn is_plain(&self, way: Way) -> bool {
        let mut ops = self.book.effects[way.effects as usize].iter();
        ops.all(|op| matches!(op, Op::Survive | Op::Depart))
    }
}

/// An option of a scene, and where it leads.
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
        // Section 5 differs by route: by way of each option of 2, and of 1.
        assert_eq!(left_out(&book, Apart::Fork(1)), []);
        assert_eq!(left_out(&book, Apart::Fork(0)), [(2, 0)]);
        Ok(())
    }

    #[test]
    fn each_of_two_that_lead_to_each_other_keeps_its_way_out() -> Result<(), crate::Error> {
        let book = Book::builder()
            .choice(1, [("on", 2), ("in", 3)])
            .choice(2, [("back", 1), ("in", 3), ("in again", 3)])
            .luck(3, 4, 5)
            .won(4)
            .lost(5)
            .build()?;
        assert_eq!(left_out(&book, Apart::Nothing), [(2, 1)]);
        Ok(())
    }
}
