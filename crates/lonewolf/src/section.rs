//! The content of a section: decisions, outcomes, conditions, effects.

use crate::{Discipline, Foe, Item, Slot};

/// A section: its number and what can be done there.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Decision, Outcome, Section};
///
/// let section = Section { number: 7, decision: Decision::Then(Outcome::Goto(16)) };
/// assert_eq!(section.number, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Section {
    /// Its number, by which other sections refer to it; not 0.
    pub number: u16,
    /// What can be done there.
    pub decision: Decision,
}

/// What the player decides before chance takes over.
///
/// # Examples
/// There is a dagger here, and then there are two doors, one of which is for trackers only:
/// ```
/// use oddsmith_lonewolf::{Branch, Condition, Decision, Discipline, Item, Outcome};
///
/// let door = |number| Decision::Then(Outcome::Goto(number));
/// let tracker = Condition::Discipline(Discipline::Tracking);
/// let doors = Decision::Choose(vec![
///     Branch::to(door(2)),
///     Branch::to(Decision::When { condition: tracker, decision: Box::new(door(3)) }),
/// ]);
/// let decision = Decision::Take { item: Item::Dagger, count: 1, next: Box::new(doors) };
/// assert!(matches!(decision, Decision::Take { count: 1, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Decision {
    /// One of several options.
    Choose(Vec<Branch>),
    /// An option that is open only under a condition.
    When {
        /// The condition.
        #[cfg_attr(feature = "serde", serde(rename = "if"))]
        condition: Condition,
        /// The option.
        decision: Box<Decision>,
    },
    /// Some of an item can be found here.
    Take {
        /// The item.
        item: Item,
        /// How many there are: at most 50 Crowns or 15 of anything else.
        count: u8,
        /// What follows.
        next: Box<Decision>,
    },
    /// One of an item is for sale.
    Buy {
        /// The item.
        item: Item,
        /// The price in Gold Crowns, at most 50.
        price: u8,
        /// What follows.
        next: Box<Decision>,
    },
    /// Somebody buys one of an item other than the Backpack.
    Sell {
        /// The item.
        item: Item,
        /// What he pays, in Gold Crowns. Crowns beyond 50 in the belt pouch are lost.
        price: u8,
        /// What follows.
        next: Box<Decision>,
    },
    /// Healing potions may be drunk first.
    Rest(Box<Decision>),
    /// A combat that may be evaded after some rounds, at the cost of one more, in which both sides
    /// may lose ENDURANCE. Whether this is decided before or during the combat depends on the
    /// [rules](crate::Rules::evade_in_combat).
    Evade {
        /// The number of rounds that must be fought.
        after: u8,
        /// The section to which evading leads.
        to: u16,
        /// The foe.
        foe: Foe,
        /// What follows a victory.
        won: Outcome,
    },
    /// The Cartwheel: a spin loses one Crown with seven of the ten numbers, wins four with two and
    /// seven with one. If it was one option of a choice, the other options are gone once it is
    /// chosen: however the wheel turns, one of its two sections follows.
    Cartwheel {
        /// The fare for going on, in Gold Crowns, where fares are enforced.
        fare: u8,
        /// The section that follows.
        to: u16,
        /// The section for a hero who cannot pay.
        broke: u16,
    },
    /// Nothing is decided, except whether to drink a potion of strength before a combat.
    Then(Outcome),
}

/// One of several options.
///
/// # Examples
/// A bridge, which seven of the ten numbers lead over, and a path that leads to defeat:
/// ```
/// use oddsmith_lonewolf::{ActionChart, BookSolver, Branch, Chance, Decision, Outcome};
/// # use oddsmith_lonewolf::{Book, Manuscript, Section};
///
/// let chance = |numbers, then| Chance { numbers, then };
/// let bridge = Outcome::Random(vec![chance(7, Outcome::Goto(2)), chance(3, Outcome::Lost)]);
/// let label = Some("cross the bridge".to_owned());
/// let fork = Decision::Choose(vec![
///     Branch::to(Decision::Then(Outcome::Goto(3))),
///     Branch { label, decision: Decision::Then(bridge) },
/// ]);
/// # let section = |number, decision| Section { number, decision };
/// # let [won, lost] = [Outcome::Won, Outcome::Lost].map(Decision::Then);
/// # let sections = vec![section(1, fork), section(2, won), section(3, lost)];
/// # let book = Book::new(Manuscript::new("bridge", 1, 2, sections))?;
/// # let mut solver = BookSolver::new(&book);
/// # let mut solved = solver.solve(&ActionChart::new(10, 20)?)?;
/// # let start = solved.start();
/// let advice = solved.advice(&start)?;
/// assert_eq!((advice[0].act.to_string().as_str(), advice[0].win), ("cross the bridge", 0.7));
/// assert_eq!((advice[1].act.to_string().as_str(), advice[1].win), ("turn to 3", 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Branch {
    /// The author's name for the option; not blank. If two options that can be chosen at once have
    /// the same label, they are identified by their [numbers](crate::Act::Option).
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub label: Option<String>,
    /// The option.
    pub decision: Decision,
}

impl Branch {
    /// Creates an option without a label.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Branch, Decision, Outcome};
    /// let door = Branch::to(Decision::Then(Outcome::Goto(2)));
    /// assert_eq!((door.label, door.decision), (None, Decision::Then(Outcome::Goto(2))));
    /// ```
    #[must_use]
    pub fn to(decision: Decision) -> Self {
        Branch {
            label: None,
            decision,
        }
    }
}

/// What happens: chance and effects. A hero who has no ENDURANCE left when an outcome begins is
/// dead.
///
/// # Examples
/// A wound, and then three chances in ten, for a hero with ENDURANCE 20:
/// ```
#[doc = include_str!("../docs/first_section.txt")]
/// use oddsmith_lonewolf::{Chance, Effect, Outcome};
///
/// let trap = |wound| Outcome::Do {
///     effects: vec![Effect::Damage(wound)],
///     then: Box::new(Outcome::Random(vec![
///         Chance { numbers: 3, then: Outcome::Goto(2) },
///         Chance { numbers: 7, then: Outcome::Lost },
///     ])),
/// };
/// assert_eq!(win(trap(19), &hero, Rules::printed())?, 0.3);
/// assert_eq!(win(trap(20), &hero, Rules::printed())?, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Outcome {
    /// Turn to a section.
    Goto(u16),
    /// The adventure ends in failure.
    Lost,
    /// The adventure ends in success.
    Won,
    /// A random number decides.
    Random(Vec<Chance>),
    /// The first case whose condition holds. The last case, and no other, is [`Condition::Always`].
    Branch(Vec<Case>),
    /// Effects, in order.
    Do {
        /// The effects, one after the other. ENDURANCE 0 is the end, whatever comes next.
        effects: Vec<Effect>,
        /// What follows.
        then: Box<Outcome>,
    },
    /// A combat.
    Fight {
        /// The foe.
        foe: Foe,
        /// What follows a victory.
        won: Box<Outcome>,
    },
}

/// A row of a random table.
///
/// # Examples
/// The rows of a table must have ten numbers together:
/// ```
/// use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
///
/// let chance = |numbers, then| Chance { numbers, then };
/// let table = Outcome::Random(vec![chance(7, Outcome::Won), chance(2, Outcome::Lost)]);
/// let section = Section { number: 1, decision: Decision::Then(table) };
/// let error = Book::new(Manuscript::new("bridge", 1, 1, vec![section])).unwrap_err();
/// let words = "section 1: its random table has 9 numbers; it needs ten, and at least one in each line";
/// assert_eq!(error.to_string(), words);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Chance {
    /// How many of the ten random numbers lead here.
    pub numbers: u8,
    /// What follows.
    pub then: Outcome,
}

/// A case of an [`Outcome::Branch`].
///
/// # Examples
/// A hero without a dagger does not get through:
/// ```
#[doc = include_str!("../docs/first_section.txt")]
/// use oddsmith_lonewolf::{Case, Condition, Item, Outcome};
///
/// let armed = Condition::Item { item: Item::Dagger, count: 1 };
/// let cases = vec![
///     Case { condition: armed, then: Outcome::Goto(2) },
///     Case { condition: Condition::Always, then: Outcome::Lost },
/// ];
/// assert_eq!(win(Outcome::Branch(cases.clone()), &hero, Rules::printed())?, 0.0);
/// let hero = hero.item(Item::Dagger)?;
/// assert_eq!(win(Outcome::Branch(cases), &hero, Rules::printed())?, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Case {
    /// The condition.
    #[cfg_attr(feature = "serde", serde(rename = "if"))]
    pub condition: Condition,
    /// What follows.
    pub then: Outcome,
}

/// A question about Lone Wolf or about the [`Rules`](crate::Rules).
///
/// # Examples
/// A hero with 20 Crowns, and one with fewer:
/// ```
#[doc = include_str!("../docs/first_section.txt")]
/// use oddsmith_lonewolf::{Case, Condition, Item, Outcome};
///
/// let poor = Condition::Not(Box::new(Condition::Item { item: Item::Gold, count: 20 }));
/// let toll = Outcome::Branch(vec![
///     Case { condition: poor, then: Outcome::Lost },
///     Case { condition: Condition::Always, then: Outcome::Goto(2) },
/// ]);
/// assert_eq!(win(toll.clone(), &hero.clone().gold(20)?, Rules::printed())?, 1.0);
/// assert_eq!(win(toll, &hero.gold(19)?, Rules::printed())?, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Condition {
    /// Always true.
    Always,
    /// He has a discipline.
    Discipline(Discipline),
    /// He has at least this many of an item.
    Item {
        /// The item.
        item: Item,
        /// The number, from 1 to what can be held under any rules: 50 Crowns, 15 of an article, two
        /// of a weapon, or one of a Special Item.
        count: u8,
    },
    /// He has learnt something.
    Knows(Knowledge),
    /// The rules are in force in this respect.
    Rule(RuleName),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// At least one of these holds.
    Any(Vec<Condition>),
    /// All of these hold.
    All(Vec<Condition>),
}

/// Something that Lone Wolf can learn.
///
/// # Examples
/// The hero learns the password, and the guard asks for it or for something else:
/// ```
#[doc = include_str!("../docs/first_section.txt")]
/// use oddsmith_lonewolf::{Case, Condition, Effect, Knowledge, Outcome};
///
/// let guard = |wanted| Outcome::Do {
///     effects: vec![Effect::Learn(Knowledge::Password)],
///     then: Box::new(Outcome::Branch(vec![
///         Case { condition: Condition::Knows(wanted), then: Outcome::Goto(2) },
///         Case { condition: Condition::Always, then: Outcome::Lost },
///     ])),
/// };
/// assert_eq!(win(guard(Knowledge::Password), &hero, Rules::printed())?, 1.0);
/// assert_eq!(win(guard(Knowledge::Name), &hero, Rules::printed())?, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Knowledge {
    /// A password.
    Password,
    /// A secret; for your own books.
    Secret,
    /// A name; for your own books.
    Name,
    /// A way; for your own books.
    Way,
}

/// A respect in which the [`Rules`](crate::Rules) may differ.
///
/// # Examples
/// A ferry that carries nobody where fares are enforced:
/// ```
#[doc = include_str!("../docs/first_section.txt")]
/// use oddsmith_lonewolf::{Case, Condition, Outcome, RuleName};
///
/// let ferry = Outcome::Branch(vec![
///     Case { condition: Condition::Rule(RuleName::Fares), then: Outcome::Lost },
///     Case { condition: Condition::Always, then: Outcome::Goto(2) },
/// ]);
/// assert_eq!(win(ferry.clone(), &hero, Rules::printed())?, 0.0);
/// assert_eq!(win(ferry, &hero, Rules::yardstick())?, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum RuleName {
    /// [`Rules::enforce_fares`](crate::Rules::enforce_fares).
    Fares,
    /// [`Rules::cut_purse`](crate::Rules::cut_purse).
    PurseCut,
}

/// A change on the Action Chart.
///
/// # Examples
/// Robbers take ten Crowns, and the ferry costs five more:
/// ```
#[doc = include_str!("../docs/first_section.txt")]
/// use oddsmith_lonewolf::{Case, Condition, Effect, Item, Outcome};
///
/// let fare = Condition::Item { item: Item::Gold, count: 5 };
/// let robbed = Outcome::Do {
///     effects: vec![Effect::Lose { item: Item::Gold, count: 10 }],
///     then: Box::new(Outcome::Branch(vec![
///         Case { condition: fare, then: Outcome::Goto(2) },
///         Case { condition: Condition::Always, then: Outcome::Lost },
///     ])),
/// };
/// assert_eq!(win(robbed.clone(), &hero.clone().gold(15)?, Rules::printed())?, 1.0);
/// assert_eq!(win(robbed, &hero.gold(14)?, Rules::printed())?, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Effect {
    /// This much ENDURANCE is lost.
    Damage(u8),
    /// This much ENDURANCE is restored.
    Heal(u8),
    /// All ENDURANCE is restored.
    FullHeal,
    /// Half of the missing ENDURANCE is restored, rounded down.
    HalfHeal,
    /// Some of an item are gained, up to 50 Crowns and one of a Special Item. The limits of eight
    /// articles and two weapons are not checked here. Of one kind of article, however, nobody gets
    /// more than 15, and of one kind of weapon no more than two. [Unless several can be
    /// carried](crate::Rules::carry_several), the limit is one for weapons and for potions other
    /// than laumspur.
    Gain {
        /// The item.
        item: Item,
        /// How many: 1 to 100.
        count: u8,
    },
    /// Some of an item are lost, or all if there are fewer.
    Lose {
        /// The item.
        item: Item,
        /// How many: 1 to 100.
        count: u8,
    },
    /// Everything in these slots is lost.
    LoseAll(Vec<Slot>),
    /// A Meal must be eaten; otherwise 3 ENDURANCE are lost.
    Eat(Wilds),
    /// Something is learnt.
    Learn(Knowledge),
    /// Healing has no effect in this section, as after a combat.
    NoHealing,
}

/// Whether Hunting spares a Meal.
///
/// # Examples
/// A hunter without a Meal, and with ENDURANCE 2 left:
/// ```
#[doc = include_str!("../docs/first_section.txt")]
/// use oddsmith_lonewolf::{Discipline, Effect, Outcome, Wilds};
///
/// let hungry = |wilds| Outcome::Do {
///     effects: vec![Effect::Damage(18), Effect::Eat(wilds)],
///     then: Box::new(Outcome::Goto(2)),
/// };
/// let hunter = hero.discipline(Discipline::Hunting)?;
/// assert_eq!(win(hungry(Wilds::MayHunt), &hunter, Rules::printed())?, 1.0);
/// assert_eq!(win(hungry(Wilds::NoHunting), &hunter, Rules::printed())?, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Wilds {
    /// There is game.
    MayHunt,
    /// There is none.
    NoHunting,
}
