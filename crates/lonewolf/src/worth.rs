//! The value of each item and discipline of a hero.

use std::fmt;

use crate::{ActionChart, BookSolver, Discipline, Error, Item};

/// Something a hero has: a discipline, or all he carries of an item.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Discipline, Item, Possession};
///
/// let sword: Possession = Item::ShortSword.into();
/// assert_eq!((sword, sword.to_string()), (Possession::Item(Item::ShortSword), "short sword".to_owned()));
/// assert_eq!(Possession::from(Discipline::SixthSense).to_string(), "sixth sense");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Possession {
    /// A discipline.
    Discipline(Discipline),
    /// All of an item: every Crown, every Meal.
    Item(Item),
}

impl From<Discipline> for Possession {
    fn from(discipline: Discipline) -> Self {
        Possession::Discipline(discipline)
    }
}

impl From<Item> for Possession {
    fn from(item: Item) -> Self {
        Possession::Item(item)
    }
}

impl fmt::Display for Possession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Possession::Discipline(discipline) => discipline.fmt(f),
            Possession::Item(item) => item.fmt(f),
        }
    }
}

/// The chance to win with something and without it.
///
/// # Examples
/// A hero with Tracking finds the way; one without it finds it with five of the ten numbers:
/// ```
/// use oddsmith_lonewolf::{ActionChart, BookSolver, Case, Chance, Condition, Discipline, Outcome};
/// # use oddsmith_lonewolf::{Book, Decision, Manuscript, Section};
///
/// let [found, lost] = [Outcome::Goto(2), Outcome::Lost].map(|then| Chance { numbers: 5, then });
/// let tracker = Condition::Discipline(Discipline::Tracking);
/// let forest = Outcome::Branch(vec![
///     Case { condition: tracker, then: Outcome::Goto(2) },
///     Case { condition: Condition::Always, then: Outcome::Random(vec![found, lost]) },
/// ]);
/// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
/// # let sections = vec![section(1, forest), section(2, Outcome::Won)];
/// # let book = Book::new(Manuscript::new("forest", 1, 2, sections))?;
/// let hero = ActionChart::new(10, 20)?.discipline(Discipline::Tracking)?;
/// let worth = BookSolver::new(&book).worth(&hero)?[0];
/// assert_eq!(worth.possession, Discipline::Tracking.into());
/// assert_eq!((worth.with, worth.without), (1.0, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Worth {
    /// What is with the hero or not.
    pub possession: Possession,
    /// The chance to win of the hero as he is, 0 to 1.
    pub with: f64,
    /// His chance to win if he does not have it at the beginning, 0 to 1; everything else is the
    /// same.
    pub without: f64,
}

impl Worth {
    /// Returns by how much it raises the chance to win. The gain is negative if it does harm: a
    /// book can send a hero with a discipline along a worse path, and where what is found must be
    /// taken, another item in its place can be better than room for it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Item, Worth};
    ///
    /// let shield = Worth { possession: Item::Shield.into(), with: 0.75, without: 0.5 };
    /// assert_eq!(shield.gain(), 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn gain(&self) -> f64 {
        self.with - self.without
    }
}

impl BookSolver<'_> {
    /// Returns which disciplines and items matter: for everything the hero has, his chance to win
    /// without it. The most valuable comes first. Equal ones are in the order disciplines, items,
    /// each as declared.
    ///
    /// Each is taken away alone and at the beginning; the hero may find another one. If two things
    /// need each other, such as a weapon and Weaponskill in it, each counts in full, so gains do
    /// not add up. The Backpack cannot be taken away.
    ///
    /// # Errors
    /// [`Error::Limit`] if one hero alone needs more tables than are
    /// [allowed](BookSolver::max_tables). Before this happens, what was computed for other heroes
    /// is forgotten.
    ///
    /// # Complexity
    /// One more solution for each possession; the solutions share what they have in common.
    ///
    /// # Examples
    /// A hero with Animal Kinship need not fight where most adventures end; Tracking is worth
    /// nothing to this hero:
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Discipline, Item, Rules};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    /// let hero = ActionChart::new(10, 20)?
    ///     .disciplines(&[
    ///         Discipline::Weaponskill(Item::Sword),
    ///         Discipline::Tracking,
    ///         Discipline::Healing,
    ///         Discipline::Mindshield,
    ///         Discipline::Mindblast,
    ///         Discipline::AnimalKinship,
    ///     ])?
    ///     .item(Item::Sword)?
    ///     .item(Item::Shield)?
    ///     .gold(15)?;
    /// let worth = solver.worth(&hero)?;
    /// assert_eq!(worth.len(), 9);
    /// assert_eq!(worth[0].possession, Discipline::AnimalKinship.into());
    /// assert!((worth[0].with - 0.830_172_855_180_8).abs() < 1e-12);
    /// assert_eq!(format!("{:.4}", worth[0].without), "0.0406");
    /// assert_eq!(worth[7].possession, Discipline::Tracking.into());
    /// assert_eq!(worth[7].gain(), 0.0);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn worth(&mut self, hero: &ActionChart) -> Result<Vec<Worth>, Error> {
        let with = self.win_afresh(hero)?;
        let known = hero.known().map(Possession::Discipline);
        let carried = Item::ALL
            .iter()
            .copied()
            .filter(|&item| item != Item::Backpack && hero.count(item) > 0);
        let mut all = Vec::new();
        for possession in known.chain(carried.map(Possession::Item)) {
            all.push(Worth {
                possession,
                with,
                without: self.win_afresh(&hero.without(possession))?,
            });
        }
        // The sort is stable, so equal ones keep their order.
        all.sort_by(|a, b| a.without.total_cmp(&b.without));
        Ok(all)
    }

    /// Returns the chance to win. What was computed before is forgotten if there is no room.
    fn win_afresh(&mut self, hero: &ActionChart) -> Result<f64, Error> {
        let shared = self.effort().evaluated > 0;
        match self.win(hero) {
            Err(Error::Limit { .. }) if shared => {
                self.clear();
                self.win(hero)
            }
            win => win,
        }
    }
}
