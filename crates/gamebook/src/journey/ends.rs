//! How journeys end, and with what sheet.

use std::collections::BTreeMap;

use crate::{Error, Fate, Journey, Place, Probability};

impl<V: Probability> Journey<V> {
    /// Iterates over the places where the journey ends, in ascending order, with the fate and the
    /// probability of each.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Fate};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// let (place, fate, chance) = journey.ends().next().ok_or("an end")?;
    /// assert_eq!((place.section(), fate, chance.to_string()), (2, Fate::Won, "7/12".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ends(&self) -> impl Iterator<Item = (&Place, Fate, &V)> {
        let ends = self.ends.iter().filter(|(_, chance)| !chance.is_zero());
        ends.map(|(place, chance)| (place, self.fate(place), chance))
    }

    /// Returns the probabilities of all endings, by section: in victory, in defeat, dead, stuck, or
    /// going round for ever from there on.
    ///
    /// A hero who is killed by the effects of leaving a section has died in it. One who is killed
    /// by the effects of arriving has died in the next section.
    ///
    /// # Examples
    /// Two ways into the pit are one ending:
    /// ```
    /// use oddsmith_gamebook::{Book, Fate};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().chance(1, [(2, 1), (4, 1)]).chance(2, [(3, 1), (4, 1)]).won(3).lost(4).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.endings(), [(3, Fate::Won, 0.25), (4, Fate::Lost, 0.75)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn endings(&self) -> Vec<(u32, Fate, V)> {
        let mut endings: BTreeMap<(u32, Fate), V> = BTreeMap::new();
        for (place, fate, chance) in self.ends() {
            let sum = endings.entry((place.section(), fate));
            *sum.or_insert_with(V::zero) += chance.clone();
        }
        let endings = endings.into_iter();
        endings
            .map(|((at, fate), sum)| (at, fate, super::chance(sum)))
            .collect()
    }

    /// Returns where readers fail: by section, the probability of dying, being stuck or losing
    /// there, or of going round for ever from there on, the largest first.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().fight(1, Foe::new(7, 2)?, 2).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 2, 7)?, oddsmith_mdp::AtRandom)?;
    /// let deaths: Vec<_> = journey.deaths().iter().map(|(at, p)| format!("{at}: {p}")).collect();
    /// assert_eq!(deaths, ["1: 1/2", "4: 5/24"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn deaths(&self) -> Vec<(u32, V)> {
        let mut deaths: BTreeMap<u32, V> = BTreeMap::new();
        for (section, fate, chance) in self.endings() {
            if fate != Fate::Won {
                *deaths.entry(section).or_insert_with(V::zero) += chance;
            }
        }
        let deaths = deaths.into_iter();
        let mut deaths: Vec<(u32, V)> = deaths.map(|(at, sum)| (at, super::chance(sum))).collect();
        // The sort is stable, so ties stay in the order of the sections.
        deaths.sort_by(|(_, one), (_, other)| {
            let order = other.partial_cmp(one);
            order.unwrap_or(std::cmp::Ordering::Equal)
        });
        deaths
    }

    /// Returns the distribution of a property of the place where the journey ends.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// let sections = journey.ends_by(|end| end.section());
    /// assert_eq!(sections[&3].to_string(), "5/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ends_by<K: Ord>(&self, key: impl Fn(&Place) -> K) -> BTreeMap<K, V> {
        self.law(key, |_| true)
    }

    /// Returns the distribution of a property of the place where the journey ends, given victory;
    /// empty if victory is impossible.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().fight(1, Foe::new(7, 2)?, 2).chance(2, [(3, 1), (4, 2)]).won(3).won(4).build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 4, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.value().to_string(), "3/4");
    /// assert_eq!(journey.victories_by(|end| end.section())[&4].to_string(), "2/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn victories_by<K: Ord>(&self, key: impl Fn(&Place) -> K) -> BTreeMap<K, V> {
        let mut law = self.law(key, |fate| fate == Fate::Won);
        let won = law.values().fold(V::zero(), |sum, p| sum + p.clone());
        if !won.is_zero() {
            law.values_mut().for_each(|p| *p /= won.clone());
        }
        law
    }

    fn law<K: Ord>(
        &self,
        key: impl Fn(&Place) -> K,
        wanted: impl Fn(Fate) -> bool,
    ) -> BTreeMap<K, V> {
        let mut law = BTreeMap::new();
        for (place, _, chance) in self.ends().filter(|(_, fate, _)| wanted(*fate)) {
            *law.entry(key(place)).or_insert_with(V::zero) += chance.clone();
        }
        law.values_mut()
            .for_each(|sum| *sum = super::chance(sum.clone()));
        law
    }

    /// Returns the distribution of a stat at the end.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the stat is not on the sheet.
    ///
    /// # Examples
    /// A test of LUCK is made one time in four, and costs a point:
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().chance(1, [(2, 1), (3, 3)]).luck(2, 3, 3).won(3).build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 14, 9)?, oddsmith_mdp::AtRandom)?;
    /// let luck = journey.stat_at_end("luck")?;
    /// assert_eq!((luck[&8].to_string(), luck[&9].to_string()), ("1/4".into(), "3/4".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stat_at_end(&self, stat: &str) -> Result<BTreeMap<i16, V>, Error> {
        let number = self.stat(stat)?;
        Ok(self.ends_by(|end| end.held.stats[number]))
    }

    /// Returns the distribution of a stat at the end, given victory.
    ///
    /// # Errors
    /// The same as for [`stat_at_end`](Journey::stat_at_end).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().fight(1, Foe::new(7, 2)?, 2).won(2).build()?;
    /// let journey = book.follow_exact(&Hero::new(7, 4, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.stat_at_end("stamina")?[&4].to_string(), "1/2");
    /// let winners = journey.stat_in_victory("stamina")?;
    /// assert_eq!((winners[&2].to_string(), winners[&4].to_string()), ("1/3".into(), "2/3".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stat_in_victory(&self, stat: &str) -> Result<BTreeMap<i16, V>, Error> {
        let number = self.stat(stat)?;
        Ok(self.victories_by(|end| end.held.stats[number]))
    }

    /// Returns the probability that an item is held, or a flag set, at the end.
    ///
    /// # Errors
    /// [`Error::Unknown`] if it is not on the sheet.
    ///
    /// # Examples
    /// One of two chests is opened at random, and the sword is in the left one:
    /// ```
    /// use oddsmith_gamebook::{Choice, Effect, Passage};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_gamebook::{Book, Item, Manuscript, Play, Section};
    ///
    /// let found = Passage { effects: vec![Effect::Gain("sword".into())], ..Passage::won() };
    /// let chests = vec![Choice::new("left", found), Choice::new("right", Passage::won())];
    /// # let mut book = Manuscript::new("chests");
    /// # book.sheet.items = vec![Item::new("sword")];
    /// # book.sections = vec![Section::new(1, Play::Choice(chests).into())];
    /// # let journey = Book::new(book)?.follow_exact(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.holds_at_end("sword")?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn holds_at_end(&self, name: &str) -> Result<V, Error> {
        let bit = self.bit(name)?;
        let law = self.ends_by(|end| end.held.items & bit != 0);
        Ok(law.get(&true).cloned().unwrap_or_else(V::zero))
    }

    /// Returns the probability that an item is held, or a flag set, at the end, given victory; 0 if
    /// victory is impossible.
    ///
    /// # Errors
    /// The same as for [`holds_at_end`](Journey::holds_at_end).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Branch, Choice, Condition, Effect, Item, Manuscript, Passage, Play, Section};
    ///
    /// let mut book = Manuscript::new("attic");
    /// book.sheet.items = vec![Item::new("key")];
    /// let found = Passage { effects: vec![Effect::Gain("key".into())], ..Passage::to(2) };
    /// let search = vec![Branch { weight: 1, passage: found }, Branch { weight: 3, passage: Passage::to(2) }];
    /// book.sections = vec![
    ///     Section::new(1, Play::Random(search).into()),
    ///     Section::new(2, Play::First(vec![
    ///         Choice::new("", Passage::won()).when(Condition::Has("key".into())),
    ///         Choice::new("", Passage::lost()),
    ///     ]).into()),
    /// ];
    /// let journey = Book::new(book)?.follow_exact(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert_eq!(journey.holds_at_end("key")?.to_string(), "1/4");
    /// assert_eq!(journey.holds_in_victory("key")?.to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn holds_in_victory(&self, name: &str) -> Result<V, Error> {
        let bit = self.bit(name)?;
        let law = self.victories_by(|end| end.held.items & bit != 0);
        Ok(law.get(&true).cloned().unwrap_or_else(V::zero))
    }

    fn stat(&self, id: &str) -> Result<usize, Error> {
        let number = self.game.compiled.stat_named(id);
        number.ok_or_else(|| unknown("stat", id))
    }

    fn bit(&self, id: &str) -> Result<u128, Error> {
        let bit = self.game.compiled.bit_named(id);
        bit.ok_or_else(|| unknown("item or flag", id))
    }
}

fn unknown(kind: &'static str, id: &str) -> Error {
    Error::Unknown {
        place: "the end of the journey".to_owned(),
        field: kind.to_owned(),
        kind,
        id: id.to_owned(),
        hint: None,
    }
}
