//! Bookmarks: places by names, which an app can keep in a file or make up for a reader who has
//! played so far without it.

use std::collections::{BTreeMap, BTreeSet};

use crate::book_game::ARRIVING;
use crate::compiled::Scene;
use crate::outset::not_on_sheet;
use crate::{BookGame, Error, Place};

/// A [`Place`] by names: the section, the stats, and what is held.
///
/// A `Place` is packed and means nothing without its [`BookGame`]. A bookmark can be kept: with the
/// feature `serde` it is written as
/// `{"book":"bridge","section":12,"stats":{"luck":8},"holds":["rope"]}`. It stays valid if other
/// sections or the order of the sheet change. In a fight, a game, or a section of several parts it
/// also records the progress, as numbers that are valid as long as that section does not change. A
/// bookmark does not contain the hero: keep the [`Character`](crate::Character) too.
///
/// A bookmark can also be built from where a reader is: [at](Bookmark::at) a section, with the
/// sheet as it is now.
///
/// # Examples
/// A reader who has just arrived at section 2 with 3 points of LUCK left:
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, BookSolver, Bookmark};
///
/// let book = Book::builder().luck(1, 2, 3).luck(2, 4, 3).lost(3).won(4).build()?;
/// let game = book.game(&Hero::new(7, 14, 7)?)?;
/// let odds = BookSolver::new(&game).odds(game.start())?;
///
/// let place = game.open(&Bookmark::at(2).stat("luck", 3))?;
/// assert!((odds.value_of(&place)?.win() - 3.0 / 36.0).abs() < 1e-12);
/// assert_eq!(game.open(&game.bookmark(&place)?)?, place);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Bookmark {
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    book: Option<String>,
    section: u32,
    /// 0 for the section itself; its parts follow in the order in which they are compiled.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    part: u32,
    /// The progress within the part; `None` if the arrival is still to come.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    step: Option<u32>,
    /// Whether the hero is dead.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    dead: bool,
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "BTreeMap::is_empty",
            deserialize_with = "crate::serde::each_once"
        )
    )]
    stats: BTreeMap<String, i16>,
    /// The current caps of stats whose caps may change.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "BTreeMap::is_empty",
            deserialize_with = "crate::serde::each_once"
        )
    )]
    caps: BTreeMap<String, i16>,
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "BTreeSet::is_empty")
    )]
    holds: BTreeSet<String>,
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for that")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for that")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Bookmark {
    /// Creates a bookmark on arrival at a section, before anything happens there. Nothing is held,
    /// and the stats are those that the hero begins with, unless they are set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Bookmark};
    ///
    /// let game = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// assert_eq!(game.open(&Bookmark::at(2))?, game.start_at(2)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at(section: u32) -> Self {
        Bookmark {
            book: None,
            section,
            part: 0,
            step: None,
            dead: false,
            stats: BTreeMap::new(),
            caps: BTreeMap::new(),
            holds: BTreeSet::new(),
        }
    }

    /// Sets the current value of a stat.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Bookmark};
    ///
    /// let game = Book::builder().won(1).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// let wounded = game.open(&Bookmark::at(1).stat("stamina", 3))?;
    /// assert_eq!(game.describe(&wounded), "section 1 (skill 7, stamina 3, luck 8)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stat(mut self, stat: impl Into<String>, value: i16) -> Self {
        self.stats.insert(stat.into(), value);
        self
    }

    /// Sets the current cap of a stat that something in the book [raises](crate::Effect::RaiseCap).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Bookmark, Cap, Character, Effect, Manuscript, Passage, Section, Stat};
    ///
    /// let mut book = Manuscript::new("shrine");
    /// book.sheet.stats.push(Stat { cap: Some(Cap::At(3)), ..Stat::new("faith", 2) });
    /// let blessed = Effect::RaiseCap([("faith".to_owned(), 1)].into());
    /// book.sections = vec![
    ///     Section::new(1, Passage { effects: vec![blessed], ..Passage::to(2) }),
    ///     Section::new(2, Passage::won()),
    /// ];
    /// let hero = Character::new().stat("skill", 7).stat("stamina", 14).stat("luck", 8);
    /// let game = Book::new(book)?.game(hero)?;
    /// let place = game.open(&Bookmark::at(2).stat("faith", 3).cap("faith", 4))?;
    /// assert!(game.describe(&place).ends_with("faith 3 of 4)"));
    /// assert!(game.open(&Bookmark::at(2).cap("luck", 9)).is_err()); // nothing raises that
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn cap(mut self, stat: impl Into<String>, value: i16) -> Self {
        self.caps.insert(stat.into(), value);
        self
    }

    /// Adds an item that is held, or a flag that is set.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Bookmark, Character, Item, Manuscript, Passage, Section};
    ///
    /// let mut book = Manuscript::new("cave");
    /// book.sheet.items = vec![Item::new("lantern"), Item::new("rope")];
    /// book.sections = vec![Section::new(1, Passage::won())];
    /// let hero = Character::new().stat("skill", 7).stat("stamina", 14).stat("luck", 8);
    /// let game = Book::new(book)?.game(hero.item("lantern"))?;
    /// let place = game.open(&Bookmark::at(1).holding("rope"))?;
    /// assert_eq!([game.has(&place, "rope"), game.has(&place, "lantern")], [true, false]);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn holding(mut self, name: impl Into<String>) -> Self {
        self.holds.insert(name.into());
        self
    }

    /// Returns the number of the section.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Bookmark;
    /// assert_eq!(Bookmark::at(40).section(), 40);
    /// ```
    #[must_use]
    pub fn section(&self) -> u32 {
        self.section
    }
}

impl BookGame {
    /// Returns a bookmark at a place, with the name of the book. [`open`](BookGame::open) turns it
    /// back into the place.
    ///
    /// # Errors
    /// [`Error::NotReached`], or an error of [`open`](BookGame::open), for a place that is not in
    /// this book.
    ///
    /// # Examples
    /// In the middle of a fight, after the first wound:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Book, Fights};
    /// use oddsmith_mdp::Node;
    ///
    /// let book = Book::builder().fight(1, Foe::new(8, 9)?, 2).won(2).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?.fights(Fights::Rounds);
    /// let round = Node::of(&game, &game.start())?;
    /// let (wounded, _) = &round.outcomes(0)[1];
    /// let bookmark = game.bookmark(wounded)?;
    /// assert_eq!(game.open(&bookmark)?, *wounded);
    /// assert_eq!(game.describe(wounded), "section 1 (skill 7, stamina 12, luck 7; foe, stamina 9)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bookmark(&self, place: &Place) -> Result<Bookmark, Error> {
        let compiled = &self.compiled;
        let section = place.section;
        let scene = place.scene as usize;
        let not_here = || Error::NotReached { section };
        let dead = matches!(compiled.scenes.get(scene), Some(Scene::Dead));
        let part = match dead {
            true => 0,
            false => {
                let mut parts = self.parts(section).enumerate();
                let part = parts.find(|(_, part)| *part == scene);
                part.ok_or_else(not_here)?.0 as u32
            }
        };
        let step = match place.step {
            _ if dead => Some(0),
            ARRIVING => None,
            // Nobody arrives at a part, and at some sections nothing happens on arrival.
            0 if part > 0 || *place == self.arrive(place.scene, place.held) => None,
            step => Some(step),
        };
        let stats = compiled.stats.iter().zip(place.held.stats);
        let caps = compiled.stats.iter().filter_map(|stat| {
            let cap = place.held.stats[usize::from(stat.raised?)];
            Some((stat.id.to_string(), cap))
        });
        let bookmark = Bookmark {
            book: Some(self.book().id().to_owned()),
            section,
            part,
            step,
            dead,
            stats: stats
                .map(|(stat, value)| (stat.id.to_string(), value))
                .collect(),
            caps: caps.collect(),
            holds: compiled
                .names_of(place.held.items)
                .map(str::to_owned)
                .collect(),
        };
        // A bookmark that cannot be opened comes from a place of another book.
        match self.open(&bookmark)? == *place {
            true => Ok(bookmark),
            false => Err(not_here()),
        }
    }

    /// Returns the place of a bookmark. Stats may be beyond their floors and caps, as those of a
    /// hero at the start may.
    ///
    /// # Errors
    /// - [`Error::OtherBook`] if the bookmark names another book.
    /// - [`Error::NoSuchSection`] if the section is not in the book.
    /// - [`Error::NotOnSheet`] if a stat, an item or a flag is not on the sheet.
    /// - [`Error::Invalid`] for a cap that nothing raises, a part that the section does not have,
    ///   or progress that a fight or a game cannot have.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Bookmark, Error};
    ///
    /// let game = Book::builder().won(1).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// let refused = game.open(&Bookmark::at(1).holding("lamp"));
    /// assert!(matches!(refused, Err(Error::NotOnSheet { id, .. }) if id == "lamp"));
    /// assert_eq!(game.open(&Bookmark::at(7)), Err(Error::NoSuchSection { section: 7 }));
    /// assert_eq!(game.open(&Bookmark::at(1))?, game.start());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(&self, bookmark: &Bookmark) -> Result<Place, Error> {
        if let Some(of) = &bookmark.book
            && of != self.book().id()
        {
            return Err(Error::OtherBook {
                of: of.clone(),
                book: self.book().id().to_owned(),
            });
        }
        let compiled = &self.compiled;
        let unknown = |id: &str| not_on_sheet(self.book(), compiled, id);
        let invalid = |field: &str, problem| Error::Invalid {
            place: "the bookmark".to_owned(),
            field: field.to_owned(),
            problem,
        };
        let mut place = self.start_at(bookmark.section)?;
        for (id, value) in &bookmark.stats {
            let number = compiled.stat_named(id).ok_or_else(|| unknown(id))?;
            place.held.stats[number] = *value;
        }
        for (id, value) in &bookmark.caps {
            let number = compiled.stat_named(id).ok_or_else(|| unknown(id))?;
            let raised = compiled.stats[number].raised.ok_or_else(|| {
                let field = format!("caps.{id}");
                invalid(&field, "nothing in this book changes this cap")
            })?;
            place.held.stats[usize::from(raised)] = *value;
        }
        place.held.items = 0;
        for name in &bookmark.holds {
            place.held.items |= compiled.bit_named(name).ok_or_else(|| unknown(name))?;
        }
        if bookmark.dead {
            return match (bookmark.part, bookmark.step) {
                (0, None | Some(0)) => Ok(self.death(&place, place.held)),
                _ => Err(invalid(
                    "dead",
                    "a dead hero has no part or step within a section",
                )),
            };
        }
        let scene = self
            .parts(bookmark.section)
            .nth(bookmark.part as usize)
            .ok_or_else(|| invalid("part", "the section has no part with this number"))?;
        if bookmark.part == 0 && bookmark.step.is_none() {
            return Ok(self.arrive(scene as u32, place.held));
        }
        place.scene = scene as u32;
        place.step = bookmark.step.unwrap_or(0);
        match self.is_moment(&place) {
            true => Ok(place),
            false => Err(invalid(
                "step",
                "no fight or game in this part is ever at this step",
            )),
        }
    }

    /// The scenes of a section: itself, then its parts.
    fn parts(&self, section: u32) -> impl Iterator<Item = usize> + '_ {
        let scenes = self.compiled.numbers.iter().zip(&self.compiled.scenes);
        let scenes = scenes.enumerate();
        let here = scenes.filter(move |(_, (number, scene))| {
            **number == section && !matches!(scene, Scene::Dead)
        });
        here.map(|(scene, _)| scene)
    }

    /// Whether a fight or a game may be at the step of a place. Nothing else has steps.
    fn is_moment(&self, place: &Place) -> bool {
        match self.compiled.scenes.get(place.scene as usize) {
            _ if place.step == 0 => true,
            Some(Scene::Game { rounds, .. }) => place.step <= u32::from(*rounds),
            Some(Scene::Fight { fight, .. }) => self.may_be(*fight, place.step),
            _ => false,
        }
    }
}
