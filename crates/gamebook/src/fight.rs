//! Fights: the foes, their order, and whether the hero may run.

use crate::{Effect, Passage};

/// A fight to the death, unless the hero runs or it is broken off.
///
/// Rounds are fought by the book's [`Rules`](crate::Rules) with the hero's attack: SKILL with all
/// worn modifiers, plus the attack bonuses of items. Modifiers of STAMINA do not count. Blows,
/// hazards and running take their full STAMINA: no cap cuts it, and no floor prevents death.
/// Nothing is eaten or drunk in a fight.
///
/// A fight in which no round can hurt anybody never ends. A hero who fights on in it is dead,
/// unless rounds are counted towards an escape, or a [toll](Toll) makes a difference.
///
/// When the fight is over and the hero lives, whether the foes fell or the hero ran, the
/// `after_fight` changes of all working items apply once: first those of worn items, in the order
/// of the names of their slots, then those of items without a slot, in the order of the sheet. A
/// hero who is still alive goes on with the passage.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Enemy, Fight, FightOrder, Passage};
///
/// let fight = Fight::new([Enemy::new(4, 5), Enemy::new(5, 5)], Passage::to(198));
/// assert_eq!((fight.foes.len(), fight.order), (2, FightOrder::InTurn));
/// let pack = Fight { order: FightOrder::AtOnce, ..fight };
/// assert_eq!(pack.victory, Passage::to(198));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Fight {
    /// The foes; at least one.
    pub foes: Vec<Enemy>,
    /// The order in which they fight.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub order: FightOrder,
    /// A bonus to the hero's attack in this fight.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub attack: i16,
    /// How the hero may or must run, if at all.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub escape: Option<Escape>,
    /// What happens repeatedly during the fight.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub toll: Option<Toll>,
    /// What follows when all foes have fallen.
    pub victory: Passage,
}

impl Fight {
    /// Creates a fight against one foe, or several in turn, without an escape.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Enemy, Fight, FightOrder, Passage};
    /// let rats = Fight::new([Enemy::new(5, 4), Enemy::new(6, 3)], Passage::to(33));
    /// assert_eq!((rats.foes[1].skill, rats.order), (6, FightOrder::InTurn));
    /// assert_eq!((rats.attack, rats.escape, rats.toll), (0, None, None));
    /// ```
    #[must_use]
    pub fn new(foes: impl IntoIterator<Item = Enemy>, victory: Passage) -> Self {
        Fight {
            foes: foes.into_iter().collect(),
            order: FightOrder::InTurn,
            attack: 0,
            escape: None,
            toll: None,
            victory,
        }
    }
}

/// The order of several foes: `"in_turn"`, `"at_once"` or `"one_of"`.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::FightOrder;
/// assert_eq!(FightOrder::default(), FightOrder::InTurn);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FightOrder {
    /// One after the other.
    #[default]
    InTurn,
    /// All at once, five at most. A round begins with an exchange with the first foe who stands, in
    /// which either side can be hurt. Then each of the others attacks with new dice on both sides,
    /// and only the hero can be hurt. This also happens in the round in which the first foe falls;
    /// then the next foe is the first.
    AtOnce,
    /// One of them, each with the same probability.
    OneOf,
}

/// A foe in a fight.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Enemy;
/// let snakes = Enemy { damage: 4, ..Enemy::new(5, 5) };
/// assert_eq!((snakes.skill, snakes.stamina, snakes.damage), (5, 5, 4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Enemy {
    /// The name to display.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub label: Option<String>,
    /// Its SKILL.
    pub skill: i16,
    /// Its STAMINA, at least 1.
    pub stamina: u16,
    /// The STAMINA that its hits take; 2 by default.
    #[cfg_attr(
        feature = "serde",
        serde(
            default = "crate::defaults::two",
            skip_serializing_if = "crate::defaults::is_two"
        )
    )]
    pub damage: u16,
    /// Additional harm that it does.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub hazard: Option<Hazard>,
    /// The flag that is set when it falls.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub mark: Option<String>,
}

impl Enemy {
    /// Creates a foe whose hits take 2.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Enemy;
    /// let ogre = Enemy::new(8, 10);
    /// assert_eq!((ogre.skill, ogre.stamina, ogre.damage), (8, 10, 2));
    /// assert_eq!((ogre.hazard, ogre.mark), (None, None));
    /// ```
    #[must_use]
    pub fn new(skill: i16, stamina: u16) -> Self {
        Enemy {
            label: None,
            skill,
            stamina,
            damage: 2,
            hazard: None,
            mark: None,
        }
    }
}

/// Fire, poison, breath: after each round in which neither the hero nor this foe has died, the hero
/// is hurt `chance` times in `of`. A foe that waits for its turn does nothing.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Hazard;
/// let breath = Hazard { chance: 3, of: 6, damage: 2 };
/// assert_eq!(breath.of, 6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Hazard {
    /// How many times,
    pub chance: u16,
    /// out of how many; at most 1,000.
    pub of: u16,
    /// The STAMINA it takes.
    pub damage: u16,
}

/// How the hero may run from a fight, or how it is broken off before either side falls.
///
/// Running is offered at the end of every round once `after` rounds, wounds or hits have been
/// [counted](FightCount), if the hero has more STAMINA than it costs. With foes in turn, the count
/// starts anew with each foe, so the hero cannot run when one has fallen and the next has not yet
/// come. With foes at once, it continues over the whole fight. Running costs STAMINA; then the
/// passage follows. A hero who fights on where no round can change anything has lost.
///
/// If the escape is `forced`, there is nothing to decide. The fight is over at the end of the round
/// in which `after` is reached, if the hero lives and a foe stands (in turn, the same foe). A hero
/// who has no more STAMINA than it costs dies.
///
/// # Examples
/// "If it wounds you, turn to 240", against a sting that does more harm than a fall from a wall:
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Enemy, Escape, FightCount, Fight, Manuscript, Passage, Play, Section};
///
/// let stung = Escape {
///     count: FightCount::Wounds,
///     forced: true,
///     ..Escape::new(1, Passage::lost())
/// };
/// let fight = Fight { escape: Some(stung), ..Fight::new([Enemy::new(7, 4)], Passage::won()) };
/// let mut book = Manuscript::new("sting");
/// book.sections.push(Section::new(1, Play::Fight(Box::new(fight)).into()));
/// let book = Book::new(book)?;
/// // Two rounds must be won, each at even odds.
/// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
/// assert_eq!(plan.value().to_string(), "1/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Escape {
    /// What is counted.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub count: FightCount,
    /// The count that suffices, 1 to 100. With `3`, the escape opens at the end of the third round,
    /// or of the round in which somebody is hurt for the third time.
    pub after: u16,
    /// Whether the hero must leave.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub forced: bool,
    /// The STAMINA it costs.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub cost: u16,
    /// What follows. The effects on leaving the section are not applied, whatever is played before
    /// it is left.
    pub flee: Passage,
}

impl Escape {
    /// Creates an escape that is open after this many rounds, at no cost.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Escape, FightCount, Passage};
    /// let run = Escape { cost: 2, ..Escape::new(3, Passage::to(333)) };
    /// assert_eq!((run.after, run.cost, run.forced), (3, 2, false));
    /// assert_eq!(run.count, FightCount::Rounds);
    /// ```
    #[must_use]
    pub fn new(after: u16, flee: Passage) -> Self {
        Escape {
            count: FightCount::Rounds,
            after,
            forced: false,
            cost: 0,
            flee,
        }
    }
}

/// Effects after every round of a fight, or after every round in which somebody is hurt.
///
/// They happen at the end of each round that [counts](FightCount), if the hero lives, a foe still
/// stands and the fight is not broken off. The fight then goes on with the new sheet: a hero who
/// has lost SKILL attacks with less, and one who has no STAMINA left after all effects is dead.
/// Running, if possible, comes after them.
///
/// After a toll, the fight continues as a part of its section, with the foes as they stand, so a
/// [`Place`](crate::Place) there records how it stands. A fight may have at most 1,000 such states:
/// the STAMINA of all foes together, times `after` + 1 if there is an escape.
///
/// # Examples
/// A slime that eats away a point of SKILL with every wound:
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Effect, Enemy, Fight, FightCount, Manuscript, Passage, Play, Section, Toll};
///
/// let eaten = Toll {
///     count: FightCount::Wounds,
///     effects: vec![Effect::change("skill", -1)],
/// };
/// let fight = Fight { toll: Some(eaten), ..Fight::new([Enemy::new(9, 6)], Passage::won()) };
/// let mut book = Manuscript::new("slime");
/// book.sections.push(Section::new(1, Play::Fight(Box::new(fight)).into()));
/// let hero = Hero::new(9, 6, 7)?;
/// let plan = Book::new(book.clone())?.solve(&hero)?;
/// assert_eq!(plan.value().to_string(), "1522442456389495349/4961056614452999552");
/// // With equal strength, the hero would otherwise win half of all fights.
/// # let Play::Fight(fight) = &mut book.sections[0].passage.play else { return Ok(()) };
/// fight.toll = None;
/// assert_eq!(Book::new(book)?.solve(&hero)?.value().to_string(), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Toll {
    /// After which rounds they happen.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub count: FightCount,
    /// The effects, in order.
    pub effects: Vec<Effect>,
}

/// What is counted until a fight [may be left](Escape), or for a [toll](Toll): `"rounds"`,
/// `"wounds"` or `"hits"`.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::FightCount;
/// assert_eq!(FightCount::default(), FightCount::Rounds);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FightCount {
    /// Rounds fought, including draws.
    #[default]
    Rounds,
    /// Rounds in which the hero has lost STAMINA, from whatever cause.
    Wounds,
    /// Rounds in which the first foe who stands has lost STAMINA.
    Hits,
}
