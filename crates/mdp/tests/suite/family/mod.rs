//! Families of games to measure lazy search: gamebooks, and trees with skewed dice.

use oddsmith_mdp::{Game, Node, Relaxation};

/// The finaliser of splitmix64.
fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A gamebook: chapters with this many sections each, and a hero with STAMINA, provisions and gold.
///
/// The contents of a section are derived from its number. One can fight or sneak past its foe, both
/// of which cost STAMINA by the dice; in one section out of `toll` one can pay instead; and one can
/// eat, which restores four points. Foes carry gold. Reaching the end alive wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Book {
    pub(crate) seed: u64,
    pub(crate) chapters: u8,
    pub(crate) sections: u8,
    pub(crate) toll: u64,
    /// If waived, meals cost no provisions, or tolls no gold, and the state does not count them.
    pub(crate) meals: bool,
    pub(crate) gold: bool,
}

/// The most STAMINA, the most gold.
const FULL: u8 = 20;
const PURSE: u8 = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hero {
    pub(crate) chapter: u8,
    pub(crate) section: u8,
    pub(crate) stamina: u8,
    pub(crate) meals: u8,
    pub(crate) gold: u8,
}

impl Book {
    pub(crate) fn new(seed: u64, chapters: u8, sections: u8, toll: u64) -> Self {
        Book {
            seed,
            chapters,
            sections,
            toll,
            meals: true,
            gold: true,
        }
    }

    /// The six instances that are measured.
    pub(crate) fn instances() -> [Book; 6] {
        [
            Book::new(1, 10, 6, 3),
            Book::new(2, 10, 6, 4),
            Book::new(3, 16, 6, 4),
            Book::new(4, 16, 10, 5),
            Book::new(5, 24, 10, 5),
            Book::new(6, 24, 16, 6),
        ]
    }

    pub(crate) fn start(self) -> Hero {
        Hero {
            chapter: 0,
            section: 0,
            stamina: FULL,
            meals: 6,
            gold: 4,
        }
    }
}

/// The STAMINA lost, with probabilities in 64ths: a foe of this strength loses six rounds, and each
/// point of strength shifts the odds.
fn wounds(strength: u64) -> [(u8, u64); 7] {
    match strength {
        0 => [(0, 24), (2, 22), (4, 11), (6, 4), (8, 1), (10, 1), (12, 1)],
        1 => [(0, 12), (2, 20), (4, 17), (6, 9), (8, 4), (10, 1), (12, 1)],
        2 => [(0, 5), (2, 12), (4, 17), (6, 15), (8, 9), (10, 4), (12, 2)],
        _ => [(0, 1), (2, 5), (4, 10), (6, 15), (8, 15), (10, 11), (12, 7)],
    }
}

impl Game for Book {
    type State = Hero;
    type Action = &'static str;

    fn expand(&self, hero: &Hero, node: &mut Node<Self>) {
        if hero.stamina == 0 || hero.chapter == self.chapters {
            return node.end(hero.stamina > 0);
        }
        let here = mix(self.seed ^ mix(u64::from(hero.chapter) << 8 | u64::from(hero.section)));
        // There is gold in reachable sections without a foe.
        let to = |way: u64, lost: u8, gold: u8| {
            let stamina = hero.stamina.saturating_sub(lost);
            Hero {
                chapter: if stamina > 0 {
                    hero.chapter + 1
                } else {
                    self.chapters
                },
                section: if stamina > 0 {
                    (mix(here ^ way) % u64::from(self.sections)) as u8
                } else {
                    0
                },
                stamina,
                meals: if stamina > 0 { hero.meals } else { 0 },
                gold: if self.gold && stamina > 0 {
                    gold.min(PURSE)
                } else {
                    0
                },
            }
        };
        let mut fight = node.choice("fight");
        for (lost, weight) in wounds(here >> 8 & 3) {
            fight.to(to(1, lost, hero.gold + (here >> 12 & 3) as u8), weight);
        }
        let luck = 15 + (here >> 16 & 15);
        let mut sneak = node.choice("sneak");
        sneak.to(to(2, 0, hero.gold), luck);
        for (lost, weight) in [(4, 3), (6, 2), (9, 1)] {
            sneak.to(to(3, lost, hero.gold), (36 - luck) * weight);
        }
        let price = 2 + (here >> 24 & 3) as u8;
        if (here >> 32).is_multiple_of(self.toll) && (hero.gold >= price || !self.gold) {
            node.choice("pay")
                .to(to(4, 0, hero.gold.saturating_sub(price)), 1);
        }
        if (hero.meals > 0 || !self.meals) && hero.stamina < FULL {
            node.choice("eat").to(
                Hero {
                    stamina: (hero.stamina + 4).min(FULL),
                    meals: hero.meals.saturating_sub(1),
                    ..*hero
                },
                1,
            );
        }
    }
}

/// The book with unlimited provisions, or gold.
pub(crate) struct Waived(pub(crate) Book);

impl Waived {
    pub(crate) fn meals(book: Book) -> Self {
        Waived(Book {
            meals: false,
            ..book
        })
    }

    pub(crate) fn gold(book: Book) -> Self {
        Waived(Book {
            gold: false,
            ..book
        })
    }
}

impl Relaxation<Book> for Waived {
    type Relaxed = Book;

    fn game(&self) -> &Book {
        &self.0
    }

    fn relax(&self, hero: &Hero) -> Hero {
        Hero {
            meals: if self.0.meals { hero.meals } else { 0 },
            gold: if self.0.gold { hero.gold } else { 0 },
            ..*hero
        }
    }
}

/// A tree with this many moves: three choices with six outcomes each of skewed dice, and scores
/// between 0 and 1 at its leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree {
    pub(crate) seed: u64,
    pub(crate) moves: u8,
    pub(crate) weights: [u64; 6],
}

impl Game for Tree {
    /// The number of moves made, and the index of the state at this depth.
    type State = (u8, u64);
    type Action = u8;

    fn expand(&self, &(depth, place): &(u8, u64), node: &mut Node<Self>) {
        if depth == self.moves {
            return node.end(((mix(self.seed ^ mix(place)) >> 44) as i64, 1 << 20));
        }
        for action in 0..3_u8 {
            let mut choice = node.choice(action);
            for (outcome, weight) in (0..).zip(self.weights) {
                choice.to(
                    (depth + 1, place * 18 + u64::from(action) * 6 + outcome),
                    weight,
                );
            }
        }
    }
}
