//! Small, difficult books that use the whole format, and heroes for them.
//!
//! A [`Generated`] book has 6 to 14 sections. Its links lead to higher numbers, so that every
//! adventure ends; in one of five books, a few choices also lead back. Numbers are small, so that
//! every state can be solved in fractions within milliseconds.

mod draw;
mod sheet;
pub(crate) mod simpler;

use oddsmith_gamebook::{Book, Character, Manuscript};
use quickcheck::{Arbitrary, Gen};

use draw::sometimes;

/// A hero for a generated book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rolled {
    pub(crate) skill: i16,
    pub(crate) stamina: i16,
    pub(crate) luck: i16,
    pub(crate) gold: i16,
    /// STAMINA lost before the start.
    pub(crate) wounds: i16,
    /// The item chosen at the start, if there is a choice.
    pub(crate) chosen: Option<String>,
    /// An item lost before the start.
    pub(crate) lost: Option<String>,
}

impl Rolled {
    pub(crate) fn character(&self) -> Character {
        let hero = Character::new()
            .stat("skill", self.skill)
            .stat("stamina", self.stamina)
            .stat("luck", self.luck)
            .stat("gold", self.gold)
            .now("stamina", self.stamina - self.wounds);
        let hero = self.chosen.iter().fold(hero, |hero, item| hero.item(item));
        self.lost.iter().fold(hero, |hero, item| hero.without(item))
    }
}

/// A book, and a hero who can play it.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    pub(crate) manuscript: Manuscript,
    pub(crate) hero: Rolled,
    /// Whether readers can return to the same place: by links that lead back, or by buying back
    /// items at the price they were sold for.
    pub(crate) cyclic: bool,
}

impl Generated {
    fn draw(g: &mut Gen, cyclic: bool) -> Self {
        let (sheet, hero) = sheet::sheet_and_hero(g, cyclic);
        let manuscript = draw::manuscript(g, sheet, cyclic);
        Generated {
            manuscript,
            hero,
            cyclic,
        }
    }

    pub(crate) fn book(&self) -> Book {
        Book::new(self.manuscript.clone()).unwrap()
    }

    pub(crate) fn hero(&self) -> Character {
        self.hero.character()
    }

    /// The same book, with its sections renumbered and reordered.
    pub(crate) fn renumbered(&self, to: impl Fn(u32) -> u32) -> Generated {
        let mut book = self.manuscript.clone();
        book.start = to(book.start);
        for section in &mut book.sections {
            section.number = to(section.number);
            simpler::retarget(&mut section.passage, &to);
        }
        book.sections.reverse();
        Generated {
            manuscript: book,
            ..self.clone()
        }
    }
}

impl Arbitrary for Generated {
    fn arbitrary(g: &mut Gen) -> Self {
        let cyclic = sometimes(g, 1, 5);
        Generated::draw(g, cyclic)
    }

    /// Books with something left out; the rest is a valid book again.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let (left, right) = (self.clone(), self.clone());
        let books = simpler::manuscripts(&self.manuscript).into_iter();
        let books = books.map(move |manuscript| Generated {
            manuscript,
            ..left.clone()
        });
        let heroes = simpler::heroes(&self.hero).into_iter();
        let heroes = heroes.map(move |hero| Generated {
            hero,
            ..right.clone()
        });
        let all = books.chain(heroes);
        Box::new(all.filter(|simpler| {
            Book::new(simpler.manuscript.clone())
                .is_ok_and(|book| book.game(simpler.hero()).is_ok())
        }))
    }
}

/// A [`Generated`] book without a cycle.
#[derive(Clone, Debug)]
pub(crate) struct Acyclic(pub(crate) Generated);

impl Arbitrary for Acyclic {
    fn arbitrary(g: &mut Gen) -> Self {
        Acyclic(Generated::draw(g, false))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Acyclic))
    }
}
