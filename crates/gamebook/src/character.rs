//! The hero who plays a book.

use std::collections::BTreeMap;

use oddsmith_fightingfantasy::Hero;

/// A hero as rolled: the values of the stats that are rolled, and what is chosen at the start.
/// Stats with a fixed initial value may be omitted.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Character;
///
/// let hero = Character::new().stat("skill", 6).stat("stamina", 7).item("luck_potion").now("stamina", 3);
/// assert_eq!(hero.initial("stamina"), Some(7));
/// ```
/// With the feature `serde`, heroes can be deserialized. A misspelt field is rejected, and so is a
/// stat that occurs twice:
/// ```
/// # #[cfg(feature = "serde")] {
/// use oddsmith_gamebook::Character;
///
/// let text = r#"{"stats": {"skill": 6, "stamina": 7}, "items": ["luck_potion"]}"#;
/// let hero: Character = serde_json::from_str(text)?;
/// assert_eq!(hero, Character::new().stat("skill", 6).stat("stamina", 7).item("luck_potion"));
/// assert!(serde_json::from_str::<Character>(&text.replace("items", "item")).is_err());
/// assert!(serde_json::from_str::<Character>(&text.replace("stamina", "skill")).is_err());
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Character {
    // Wider than a sheet, since a `Hero` may be that strong. `BookGame::new` rejects what a sheet
    // cannot hold.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serde::each_once"))]
    pub(crate) stats: BTreeMap<String, i32>,
    #[cfg_attr(
        feature = "serde",
        serde(
            skip_serializing_if = "BTreeMap::is_empty",
            deserialize_with = "crate::serde::each_once"
        )
    )]
    pub(crate) now: BTreeMap<String, i16>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub(crate) items: Vec<String>,
    #[cfg_attr(
        feature = "serde",
        serde(rename = "without", skip_serializing_if = "Vec::is_empty")
    )]
    pub(crate) lost: Vec<String>,
}

impl Character {
    /// Creates a hero without any values.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_gamebook::Character::new().initial("skill"), None);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Character::default()
    }

    /// Sets the initial value of a stat, which is also its cap if the sheet says so. Any value is
    /// allowed, whatever the dice of the sheet.
    ///
    /// # Examples
    /// No dice roll SKILL 20:
    /// ```
    /// use oddsmith_gamebook::{Book, Character};
    /// let book = Book::builder().won(1).build()?;
    /// let game = book.game(Character::new().stat("skill", 20).stat("stamina", 14).stat("luck", 7))?;
    /// assert_eq!(game.stat(&game.start(), "skill"), Some(20));
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn stat(mut self, stat: impl Into<String>, initial: i16) -> Self {
        self.stats.insert(stat.into(), initial.into());
        self
    }

    /// Sets the current value of a stat, while its cap stays the same.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Character};
    /// # let book = Book::builder().won(1).build()?;
    /// let hero = Character::new().stat("skill", 7).stat("stamina", 14).stat("luck", 7);
    /// let hurt = hero.now("stamina", 3);
    /// let game = book.game(&hurt)?;
    /// assert_eq!((game.stat(&game.start(), "stamina"), hurt.initial("stamina")), (Some(3), Some(14)));
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn now(mut self, stat: impl Into<String>, value: i16) -> Self {
        self.now.insert(stat.into(), value);
        self
    }

    /// Adds an item, or sets a flag.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Character, Item};
    /// # use oddsmith_gamebook::{Manuscript, Passage, Section};
    ///
    /// # let mut book = Manuscript::new("cave");
    /// # book.sections = vec![Section::new(1, Passage::won())];
    /// book.sheet.items = vec![Item::new("lantern"), Item::new("rope")];
    /// let hero = Character::new().stat("skill", 7).stat("stamina", 14).stat("luck", 7).item("rope");
    /// let game = Book::new(book)?.game(hero)?;
    /// assert_eq!(["lantern", "rope"].map(|item| game.has(&game.start(), item)), [false, true]);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn item(mut self, item: impl Into<String>) -> Self {
        self.items.push(item.into());
        self
    }

    /// Removes an item that heroes start with.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Character, Choice, Condition, Passage, Play};
    /// # use oddsmith_gamebook::{Item, Manuscript, Section};
    /// # let mut book = Manuscript::new("shield");
    /// # book.sheet.items.push(Item::new("shield"));
    /// # book.sheet.initial_items.push("shield".into());
    /// # let held = Choice::new("hold it", Passage::won()).when(Condition::Has("shield".into()));
    /// # book.sections.push(Section::new(1, Play::First(vec![held, Choice::otherwise(Passage::lost())]).into()));
    /// # let book = Book::new(book)?;
    /// let hero = Character::new().stat("skill", 7).stat("stamina", 14).stat("luck", 7);
    /// assert_eq!(book.solve(&hero)?.value().to_string(), "1");
    /// assert_eq!(book.solve(hero.without("shield"))?.value().to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without(mut self, item: impl Into<String>) -> Self {
        self.lost.push(item.into());
        self
    }

    /// Returns the initial value given for a stat, which may be more than a sheet can hold.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Character;
    /// let giant = Character::from(Hero::new(9, 60_000, 7)?);
    /// assert_eq!((giant.initial("stamina"), giant.initial("gold")), (Some(60_000), None));
    /// # Ok::<(), oddsmith_fightingfantasy::Error>(())
    /// ```
    #[must_use]
    pub fn initial(&self, stat: &str) -> Option<i32> {
        self.stats.get(stat).copied()
    }
}

/// Converts a hero of Fighting Fantasy, with the stats `skill`, `stamina` and `luck`. Values beyond
/// 16 bits are kept; [`BookGame::new`](crate::BookGame::new) rejects them.
impl From<Hero> for Character {
    fn from(hero: Hero) -> Self {
        let stats = [
            ("skill", hero.skill()),
            ("stamina", hero.stamina().into()),
            ("luck", hero.luck().into()),
        ];
        Character {
            stats: stats.map(|(id, value)| (id.to_owned(), value)).into(),
            ..Character::default()
        }
    }
}

impl From<&Hero> for Character {
    fn from(hero: &Hero) -> Self {
        Character::from(*hero)
    }
}

impl From<&Character> for Character {
    fn from(hero: &Character) -> Self {
        hero.clone()
    }
}
