//! Fights: against whom, in which order, and whether one may run.

use crate::{Effect, Passage};

/// A fight to the death, unless the hero may run, or it is broken off.
///
/// Rounds are fought by the book's [`Rules`](crate::Rules) with the hero's attack:
/// SKILL with all worn modifiers, and the attack bonuses of items. What is worn adds
/// nothing to STAMINA here. Blows, hazards and running take from STAMINA what they take: no
/// cap cuts it, and no floor saves from death. Nothing is eaten or drunk in a fight. Where
/// no round can hurt anybody it never ends: whoever fights on in it is dead, unless rounds are
/// counted until it may be left, or a [toll](Toll) makes a difference.
///
/// When it is over and the hero lives, whether the foes fell or the hero ran, the
/// `after_fight` changes of the items that work apply once: first of those worn, in the
/// order of the names of their slots, then of those without a slot, in the order of the
/// sheet. Who is still alive then goes on with the passage.
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
    /// Who is fought, at least one.
    pub foes: Vec<Enemy>,
    /// How they come.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub order: FightOrder,
    /// Added to the hero's attack in this fight.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub attack: i16,
    /// How the hero may run, or must, if at all.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub escape: Option<Escape>,
    /// What happens again and again while it lasts.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub toll: Option<Toll>,
    /// What follows when all foes have fallen.
    pub victory: Passage,
}

impl Fight {
    /// A fight against one foe, or several in turn, from which nobody runs.
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

/// How several foes come: `"in_turn"`, `"at_once"` or `"one_of"`.
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
    /// All at once, five at most. A round is an exchange with the first who stands, in
    /// which either can be hurt; then each of the others attacks with new dice on both
    /// sides, and only the hero can be hurt, also in the round in which the first
    /// falls. Then the next is the first.
    AtOnce,
    /// One of them, each with the same chance.
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
    /// A name to show.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub label: Option<String>,
    /// SKILL.
    pub skill: i16,
    /// STAMINA, at least 1.
    pub stamina: u16,
    /// What its hits take; 2 unless said otherwise.
    #[cfg_attr(
        feature = "serde",
        serde(
            default = "crate::defaults::two",
            skip_serializing_if = "crate::defaults::is_two"
        )
    )]
    pub damage: u16,
    /// What it does besides.
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
    /// A foe whose hits take 2.
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

/// Fire, poison, breath: after each round in which neither the hero nor this foe has
/// died, the hero is hurt `chance` times in `of`. A foe that waits for its turn does
/// nothing.
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
    /// So many times,
    pub chance: u16,
    /// of so many; at most 1,000.
    pub of: u16,
    /// The STAMINA it takes.
    pub damage: u16,
}

/// How the hero may run from a fight, or how it is broken off before anybody falls.
///
/// Running is offered at the end of every round as soon as `after` rounds, or wounds, or hits have
/// been [counted](FightCount), if the hero has more STAMINA than it costs. They are counted anew
/// for each foe of a fight in turn, so that nobody runs when one has fallen and the next has not
/// yet come, and over the whole of a fight at once. Running costs STAMINA, then comes the
/// passage. Who fights on where no round can change anything has lost.
///
/// If the escape is `forced` there is nothing to decide: the fight is over at the end of the round
/// in which `after` is reached, if the hero lives and a foe stands (in turn, the same foe). Who has
/// no more STAMINA than it costs dies.
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
/// // Two rounds must be won, each of which is as likely lost.
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
    /// So many of these are enough, 1 to 100: `3` is the end of the third round, or of that in which
    /// somebody is hurt for the third time.
    pub after: u16,
    /// Whether one must.
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
    /// What follows. The effects of leaving the section are not applied, whatever is
    /// played before it is left.
    pub flee: Passage,
}

impl Escape {
    /// One may run after so many rounds, at no cost.
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

/// Effects that happen after every round of a fight, or after those in which somebody is hurt.
///
/// They happen at the end of each round that [counts](FightCount), if the hero lives, a foe still
/// stands and the fight is not broken off. Then the fight goes on with what the sheet says: who has
/// lost SKILL attacks with less, and who has no STAMINA left after all of them is dead. One may run
/// after them, if at all.
///
/// What happens just then is known of every [`Place`](crate::Place) that follows: the fight goes on as a part of
/// its section, with foes as they stand. A fight may stand in 1,000 ways at most: so many are the STAMINA of all
/// foes together, times one more than `after` if it has an escape.
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
/// // As strong as it, the hero would win half of all fights else.
/// # let Play::Fight(fight) = &mut book.sections[0].passage.play else { return Ok(()) };
/// fight.toll = None;
/// assert_eq!(Book::new(book)?.solve(&hero)?.value().to_string(), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Toll {
    /// After which rounds.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "crate::defaults::is_default")
    )]
    pub count: FightCount,
    /// What happens, one after the other.
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
    /// Rounds that were fought, drawn ones, too.
    #[default]
    Rounds,
    /// Rounds in which the hero has lost STAMINA, whatever has taken it.
    Wounds,
    /// Rounds in which the first foe who stands has lost STAMINA.
    Hits,
}
