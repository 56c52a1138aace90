//! The Action Chart: Lone Wolf as he is when an adventure begins.

use std::fmt;

use crate::sheet::{self, Sheet};
use crate::{Discipline, Error, Item, Possession, Slot};

/// A checked Action Chart: COMBAT SKILL, ENDURANCE, Kai disciplines, and what is carried.
///
/// Every hero has a Backpack. ENDURANCE is the full value without what is worn: a chainmail
/// waistcoat adds 4 to it, a helmet 2.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{ActionChart, Discipline, Item};
///
/// let hero = ActionChart::new(15, 25)?
///     .discipline(Discipline::Hunting)?
///     .discipline(Discipline::Weaponskill(Item::ShortSword))?
///     .item(Item::ShortSword)?
///     .items(Item::Meal, 2)?
///     .gold(15)?;
/// assert_eq!(hero.count(Item::Meal), 2);
/// assert_eq!(
///     hero.to_string(),
///     "COMBAT SKILL 15, ENDURANCE 25; hunting, weaponskill in short sword; \
///      15 gold, 2 meal, short sword"
/// );
/// assert!(hero.clone().items(Item::Meal, 7).is_err()); // nine articles
/// assert!(hero.discipline(Discipline::Hunting).is_err()); // twice
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::ChartParts", into = "parts::ChartParts")
)]
pub struct ActionChart {
    combat_skill: u8,
    endurance: u8,
    current: Option<u8>,
    sheet: Sheet,
}

/// The form of a chart that serde reads and writes.
#[cfg(feature = "serde")]
mod parts {
    use std::collections::BTreeMap;

    use super::ActionChart;
    use crate::{Discipline, Error, Item};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct ChartParts {
        combat_skill: i64,
        endurance: i64,
        /// The current ENDURANCE, if some is lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        current: Option<i64>,
        #[serde(default)]
        disciplines: Vec<Discipline>,
        /// How many of each item there are.
        #[serde(default, deserialize_with = "crate::counts::each_once")]
        items: BTreeMap<Item, u8>,
    }

    impl From<ActionChart> for ChartParts {
        fn from(chart: ActionChart) -> Self {
            ChartParts {
                combat_skill: chart.combat_skill.into(),
                endurance: chart.endurance.into(),
                current: chart.current.map(i64::from),
                disciplines: chart.known().collect(),
                items: chart.carried().collect(),
            }
        }
    }

    impl TryFrom<ChartParts> for ActionChart {
        type Error = Error;

        fn try_from(parts: ChartParts) -> Result<Self, Error> {
            let chart = ActionChart::new(parts.combat_skill, parts.endurance)?;
            let chart = chart.disciplines(&parts.disciplines)?;
            let mut items = parts.items.into_iter();
            let chart = items.try_fold(chart, |chart, (item, count)| chart.items(item, count))?;
            match parts.current {
                Some(left) => chart.wounded(left),
                None => Ok(chart),
            }
        }
    }
}

/// The limit on COMBAT SKILL and ENDURANCE: twice what any series of books leads to.
const LIMIT: u8 = 100;

impl ActionChart {
    /// Creates a hero with this COMBAT SKILL and this ENDURANCE, without disciplines, who owns
    /// nothing but a Backpack.
    ///
    /// # Errors
    /// [`Error::CombatSkill`] unless COMBAT SKILL is 0 to 100, [`Error::Endurance`] unless
    /// ENDURANCE is 1 to 100.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Error};
    ///
    /// assert_eq!(ActionChart::new(10, 20)?.endurance(), 20);
    /// let error = ActionChart::new(10, -3).unwrap_err();
    /// assert_eq!(error, Error::Endurance { who: "Lone Wolf", given: -3, limit: 100 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(combat_skill: i64, endurance: i64) -> Result<Self, Error> {
        let within = |given: i64| u8::try_from(given).ok().filter(|&given| given <= LIMIT);
        let skill = within(combat_skill).ok_or(Error::CombatSkill {
            given: combat_skill,
            limit: LIMIT,
        })?;
        let endurance =
            within(endurance)
                .filter(|&endurance| endurance > 0)
                .ok_or(Error::Endurance {
                    who: "Lone Wolf",
                    given: endurance,
                    limit: LIMIT.into(),
                })?;
        let mut sheet = Sheet::empty();
        sheet.put(Item::Backpack, 1);
        Ok(ActionChart {
            combat_skill: skill,
            endurance,
            current: None,
            sheet,
        })
    }

    /// Adds a discipline.
    ///
    /// # Errors
    /// [`Error::DisciplineTwice`] if the hero already has the discipline, or if it is a second
    /// Weaponskill. [`Error::NoWeapon`] for Weaponskill in an item that is not a weapon, in the
    /// Sommerswerd or in the Magic Spear.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Discipline, Error, Item};
    ///
    /// let hero = ActionChart::new(10, 20)?.discipline(Discipline::Weaponskill(Item::Axe))?;
    /// assert!(hero.has(Discipline::Weaponskill(Item::Axe)));
    /// let given = Discipline::Weaponskill(Item::Sword); // a second skill
    /// assert_eq!(hero.discipline(given), Err(Error::DisciplineTwice { given }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn discipline(mut self, discipline: Discipline) -> Result<Self, Error> {
        let known = match discipline {
            Discipline::Weaponskill(weapon) if !weapon.can_be_trained() => {
                return Err(Error::NoWeapon { given: weapon });
            }
            Discipline::Weaponskill(_) => self.sheet.0[sheet::WEAPONSKILL] > 0,
            _ => self.sheet.has_discipline(discipline),
        };
        if known {
            return Err(Error::DisciplineTwice { given: discipline });
        }
        self.sheet.learn_discipline(discipline);
        Ok(self)
    }

    /// Adds several disciplines.
    ///
    /// # Errors
    /// As for [`discipline`](ActionChart::discipline).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Discipline};
    ///
    /// let hero = ActionChart::new(10, 20)?.disciplines(&[Discipline::Healing, Discipline::Tracking])?;
    /// assert_eq!(hero.known().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn disciplines(self, disciplines: &[Discipline]) -> Result<Self, Error> {
        disciplines
            .iter()
            .try_fold(self, |chart, &discipline| chart.discipline(discipline))
    }

    /// Adds one item.
    ///
    /// # Errors
    /// As for [`items`](ActionChart::items).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Item};
    ///
    /// let hero = ActionChart::new(10, 20)?.item(Item::Dagger)?.item(Item::Meal)?.item(Item::Meal)?;
    /// assert_eq!((hero.count(Item::Dagger), hero.count(Item::Meal)), (1, 2));
    /// assert!(hero.item(Item::Axe)?.item(Item::Sword).is_err()); // a third weapon
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn item(self, item: Item) -> Result<Self, Error> {
        self.items(item, 1)
    }

    /// Adds a number of items of one kind. Every chart already has a Backpack, which may be named
    /// again.
    ///
    /// # Errors
    /// [`Error::TooMany`] if they do not fit. The limits are eight articles, two weapons and 50
    /// Crowns. [`Error::OnlyOne`] for more than one of a Special Item.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Error, Item, Slot};
    ///
    /// let error = ActionChart::new(10, 20)?.items(Item::Meal, 11).unwrap_err();
    /// assert_eq!(error, Error::TooMany { slot: Slot::Backpack, given: 11, limit: 8 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn items(mut self, item: Item, count: u8) -> Result<Self, Error> {
        if item == Item::Backpack && count == 1 {
            return Ok(self);
        }
        let slot = item.slot();
        let held = match sheet::sum_of(item) {
            Some(sum) => self.sheet.0[sum],
            None => self.sheet.count(item),
        };
        let given = u16::from(held) + u16::from(count);
        match slot.limit() {
            Some(limit) if given > limit.into() => {
                return Err(Error::TooMany { slot, given, limit });
            }
            None if given > 1 => return Err(Error::OnlyOne { item, given }),
            _ => {}
        }
        self.sheet.put(item, count);
        Ok(self)
    }

    /// Sets the number of Gold Crowns.
    ///
    /// # Errors
    /// [`Error::TooMany`] above 50.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Item};
    ///
    /// let hero = ActionChart::new(10, 20)?.gold(15)?.gold(7)?;
    /// assert_eq!(hero.count(Item::Gold), 7); // and not 22
    /// assert!(hero.gold(51).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gold(mut self, crowns: u8) -> Result<Self, Error> {
        self.sheet.0[Item::Gold.index()] = 0;
        self.items(Item::Gold, crowns)
    }

    /// Sets the current ENDURANCE of a hero who has lost some of it before the book begins.
    ///
    /// # Errors
    /// [`Error::Endurance`] unless it is from 1 to the hero's full ENDURANCE with what he wears
    /// now.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::ActionChart;
    ///
    /// let hero = ActionChart::new(10, 20)?.wounded(7)?;
    /// assert_eq!((hero.endurance(), hero.current()), (20, 7));
    /// assert!(hero.wounded(21).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wounded(mut self, left: i64) -> Result<Self, Error> {
        let full = self.full();
        let current = u8::try_from(left)
            .ok()
            .filter(|left| (1..=full).contains(left));
        self.current = Some(current.ok_or(Error::Endurance {
            who: "Lone Wolf",
            given: left,
            limit: full.into(),
        })?);
        Ok(self)
    }

    /// Returns the same hero without one discipline, or without any of one item.
    ///
    /// If he loses his armour, his ENDURANCE is at most what he can have without it. The Backpack
    /// and what he does not have cannot be taken away.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Discipline, Item};
    ///
    /// let hero = ActionChart::new(10, 20)?
    ///     .discipline(Discipline::Healing)?
    ///     .items(Item::Meal, 2)?
    ///     .item(Item::Helmet)?;
    /// assert_eq!(hero.without(Item::Meal.into()).count(Item::Meal), 0);
    /// assert!(!hero.without(Discipline::Healing.into()).has(Discipline::Healing));
    /// assert_eq!((hero.current(), hero.without(Item::Helmet.into()).current()), (22, 20));
    /// assert_eq!(hero.without(Item::Backpack.into()), hero);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without(&self, possession: Possession) -> Self {
        let mut chart = self.clone();
        match possession {
            Possession::Item(Item::Backpack) => {}
            Possession::Item(item) => {
                chart.sheet.remove(item);
                let full = chart.full();
                chart.current = chart.current.map(|current| current.min(full));
            }
            Possession::Discipline(discipline) => {
                if self.has(discipline) {
                    chart.sheet.unlearn_discipline(discipline);
                }
            }
        }
        chart
    }

    /// Returns COMBAT SKILL, without what is carried.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::ActionChart;
    /// assert_eq!(ActionChart::new(12, 20)?.combat_skill(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn combat_skill(&self) -> u8 {
        self.combat_skill
    }

    /// Returns full ENDURANCE, without what is worn.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Item};
    /// assert_eq!(ActionChart::new(10, 20)?.item(Item::BodyArmor)?.endurance(), 20); // not 24
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn endurance(&self) -> u8 {
        self.endurance
    }

    /// Returns the ENDURANCE he begins with, including what is worn.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Item};
    /// assert_eq!(ActionChart::new(10, 20)?.item(Item::Helmet)?.current(), 22);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn current(&self) -> u8 {
        self.current.unwrap_or(self.full())
    }

    /// Returns how many of an item he has.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Item};
    ///
    /// let hero = ActionChart::new(10, 20)?.items(Item::Meal, 3)?;
    /// assert_eq!([Item::Meal, Item::Backpack, Item::Sword].map(|item| hero.count(item)), [3, 1, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn count(&self, item: Item) -> u8 {
        self.sheet.count(item)
    }

    /// Returns whether he has a discipline.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Discipline};
    /// assert!(!ActionChart::new(10, 20)?.has(Discipline::Healing));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn has(&self, discipline: Discipline) -> bool {
        self.sheet.has_discipline(discipline)
    }

    /// Returns his disciplines, Weaponskill last.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Discipline, Item};
    ///
    /// let (skill, plain) = (Discipline::Weaponskill(Item::Axe), Discipline::Tracking);
    /// let hero = ActionChart::new(10, 20)?.disciplines(&[skill, plain])?;
    /// assert_eq!(hero.known().collect::<Vec<_>>(), [plain, skill]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn known(&self) -> impl Iterator<Item = Discipline> + '_ {
        let plain = Discipline::PLAIN.into_iter();
        let skills = Item::weapons().map(Discipline::Weaponskill);
        plain
            .chain(skills)
            .filter(|&discipline| self.has(discipline))
    }

    /// Returns the items he carries and the number of each, in the order of [`Item::ALL`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, Item};
    ///
    /// let hero = ActionChart::new(10, 20)?.items(Item::Meal, 2)?;
    /// assert_eq!(hero.carried().collect::<Vec<_>>(), [(Item::Meal, 2), (Item::Backpack, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn carried(&self) -> impl Iterator<Item = (Item, u8)> + '_ {
        let all = Item::ALL.iter().map(|&item| (item, self.count(item)));
        all.filter(|&(_, count)| count > 0)
    }

    fn full(&self) -> u8 {
        self.endurance + 4 * self.count(Item::BodyArmor) + 2 * self.count(Item::Helmet)
    }

    pub(crate) fn sheet(&self) -> Sheet {
        self.sheet
    }
}

impl fmt::Display for ActionChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "COMBAT SKILL {}, ENDURANCE ", self.combat_skill)?;
        match self.current() == self.full() {
            true => write!(f, "{}; ", self.endurance)?,
            false => write!(f, "{} of {}; ", self.current(), self.full())?,
        }
        let known: Vec<String> = self.known().map(|known| known.to_string()).collect();
        match known.is_empty() {
            true => write!(f, "no disciplines; ")?,
            false => write!(f, "{}; ", known.join(", "))?,
        }
        let carried = Item::ALL.iter().filter(|&&item| item != Item::Backpack);
        let carried: Vec<String> = carried
            .filter_map(|&item| match (self.count(item), item.slot()) {
                (0, _) => None,
                (1, Slot::Backpack | Slot::Weapons | Slot::Special) => Some(item.to_string()),
                (count, _) => Some(format!("{count} {item}")),
            })
            .collect();
        match carried.is_empty() {
            true => write!(f, "nothing"),
            false => write!(f, "{}", carried.join(", ")),
        }
    }
}
