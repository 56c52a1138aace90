//! Sections, and what they ask of the reader.

use indexmap::IndexSet;

use crate::{Condition, Effect, Fight, Shop, Trial, Wager};

/// One numbered section of a book.
///
/// In a file it is one table, with the entries of its [`Passage`].
///
/// # Order of play
///
/// 1. On arrival, the `effects` happen. A hero whose life is then 0 or less is dead. (The same
///    holds after refreshments, after a deal in a shop, and after a round of a game.)
/// 2. The `play` follows. At a choice, those options are open whose conditions hold now. Where the
///    [rules](crate::RefreshAt) allow it, any number of [refreshments](crate::Refreshment) may be
///    taken before choosing. After each, the options are evaluated again.
/// 3. The effects of the option, branch, victory or failure happen, then those of `leave`. A hero
///    who is still alive turns to the next section. `leave` is skipped where the adventure ends,
///    and after running from a fight or breaking it off, whatever is played after that. Life is not
///    checked between these effects and `leave`, but it is checked before anything that is played
///    within the section, and before an ending.
///
/// A reader for whom no option is open is stuck, which counts as lost.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Passage, Play, Section};
///
/// let section = Section::new(26, Passage::to(296));
/// assert_eq!((section.number, section.targets()), (26, vec![296]));
/// assert_eq!(section.passage.play, Play::Turn(296));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::wire::SectionWire",
        into = "crate::wire::SectionWire"
    )
)]
pub struct Section {
    /// Its number.
    pub number: u32,
    /// A short name.
    pub label: Option<String>,
    /// The prose, which has no meaning to the solver.
    pub text: Option<String>,
    /// Whether refreshments may be taken here, if that differs from the rules. It applies to the
    /// choice that the section is: a choice within something else offers none. In any case, as many
    /// options must be open as [`RuleSet::refresh_options`](crate::RuleSet::refresh_options)
    /// requires.
    pub refresh: Option<bool>,
    /// What happens on arrival, and what is played.
    pub passage: Passage,
    /// Effects on leaving the section.
    pub leave: Vec<Effect>,
}

impl Section {
    /// Creates a section without a name, with this passage only.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Passage, Section};
    /// let last = Section::new(400, Passage::won());
    /// assert_eq!((last.number, last.label, last.leave.len()), (400, None, 0));
    /// assert_eq!(last.passage, Passage::won());
    /// ```
    #[must_use]
    pub fn new(number: u32, passage: Passage) -> Self {
        Section {
            number,
            label: None,
            text: None,
            refresh: None,
            passage,
            leave: Vec::new(),
        }
    }

    /// Returns the sections it may lead to, each once, in the order of their first mention.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    ///
    /// let roads = [("west", 12), ("east", 7), ("back", 12)];
    /// let book = Book::builder().choice(1, roads).won(7).lost(12).build()?;
    /// assert_eq!(book.section(1)?.targets(), [12, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn targets(&self) -> Vec<u32> {
        let mut targets = IndexSet::new();
        self.passage.visit(&mut |passage| {
            if let Play::Turn(to) = passage.play {
                targets.insert(to);
            }
        });
        targets.into_iter().collect()
    }
}

/// Effects, followed by something to play.
///
/// In a file it is a table: `effects`, if any, and exactly one of `to`, `choice`, `test`, `fight`,
/// `shop`, `game`, `random`, `first` and `ending`.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Effect, Ending, Passage, Play};
///
/// let paid = Passage { effects: vec![Effect::change("gold", -3)], ..Passage::to(37) };
/// assert_eq!(paid.play, Play::Turn(37));
/// assert_eq!(Passage::won().play, Play::Ending(Ending::Won));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::wire::PassageWire",
        into = "crate::wire::PassageWire"
    )
)]
pub struct Passage {
    /// What happens first.
    pub effects: Vec<Effect>,
    /// What is played then.
    pub play: Play,
}

impl From<Play> for Passage {
    fn from(play: Play) -> Self {
        Passage {
            effects: Vec::new(),
            play,
        }
    }
}

impl Passage {
    /// Creates the passage "turn to section …".
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Passage, Play};
    /// let on = Passage::to(181);
    /// assert_eq!((on.effects.len(), on.play), (0, Play::Turn(181)));
    /// ```
    #[must_use]
    pub fn to(section: u32) -> Self {
        Play::Turn(section).into()
    }

    /// Creates a passage in which the adventure succeeds.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Ending, Passage, Play};
    /// assert_eq!(Passage::won().play, Play::Ending(Ending::Won));
    /// ```
    #[must_use]
    pub fn won() -> Self {
        Play::Ending(Ending::Won).into()
    }

    /// Creates a passage in which the adventure fails.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Ending, Passage, Play};
    /// assert_eq!(Passage::lost().play, Play::Ending(Ending::Lost));
    /// ```
    #[must_use]
    pub fn lost() -> Self {
        Play::Ending(Ending::Lost).into()
    }

    /// Visits this passage and all passages within it, outermost first.
    pub(crate) fn visit<'p>(&'p self, see: &mut impl FnMut(&'p Passage)) {
        // An explicit stack, since books nest as deep as their readers allow.
        let mut waiting = vec![self];
        while let Some(passage) = waiting.pop() {
            see(passage);
            let inner = passage.play.inner();
            waiting.extend(inner.into_iter().rev());
        }
    }
}

/// What a section, or a part of one, asks of the reader.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Choice, Passage, Play};
/// let fork = Play::Choice(vec![Choice::new("left", Passage::to(2)), Choice::new("right", Passage::to(3))]);
/// assert!(matches!(fork, Play::Choice(options) if options.len() == 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Play {
    /// Turn to a section.
    Turn(u32),
    /// Choose one of the open options.
    Choice(Vec<Choice>),
    /// A test: dice against a stat.
    Test(Box<Trial>),
    /// A fight.
    Fight(Box<Fight>),
    /// Buying and selling.
    Shop(Box<Shop>),
    /// A game of several rounds.
    Game(Box<Wager>),
    /// One of several branches, drawn by weight.
    Random(Vec<Branch>),
    /// The first case whose condition holds. The last case has no condition, so one always applies.
    First(Vec<Choice>),
    /// The adventure is over.
    Ending(Ending),
}

impl Play {
    /// The passages directly within.
    pub(crate) fn inner(&self) -> Vec<&Passage> {
        match self {
            Play::Turn(_) | Play::Ending(_) => Vec::new(),
            Play::Choice(options) | Play::First(options) => {
                options.iter().map(|option| &option.passage).collect()
            }
            Play::Test(test) => vec![&test.success, &test.failure],
            Play::Fight(fight) => {
                let flee = fight.escape.as_ref().map(|escape| &escape.flee);
                std::iter::once(&fight.victory).chain(flee).collect()
            }
            Play::Shop(shop) => vec![&shop.leave],
            Play::Game(wager) => vec![&wager.after],
            Play::Random(branches) => branches.iter().map(|branch| &branch.passage).collect(),
        }
    }
}

/// How the adventure ends: `"won"` or `"lost"`.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Ending, Manuscript, Play, Section};
///
/// let chance = |ending| {
///     let mut manuscript = Manuscript::new("short");
///     manuscript.sections = vec![Section::new(1, Play::Ending(ending).into())];
///     Book::new(manuscript)?.solve(Hero::new(7, 14, 7)?).map(|plan| plan.value().to_string())
/// };
/// assert_eq!((chance(Ending::Won)?, chance(Ending::Lost)?), ("1".into(), "0".into()));
/// # Ok::<(), oddsmith_gamebook::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Ending {
    /// The adventure succeeds.
    Won,
    /// The adventure fails.
    Lost,
}

/// An option: "if you have …, you may …".
///
/// In a file it is one table, with the entries of its [`Passage`]: `{ label = "pay", if = {
/// at_least = { gold = 2 } }, to = 8 }`.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Choice, Condition, Passage};
/// let open = Choice::new("use the key", Passage::to(181)).when(Condition::Has("iron_key".into()));
/// assert!(open.condition.is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::wire::ChoiceWire", into = "crate::wire::ChoiceWire")
)]
pub struct Choice {
    /// What the reader does.
    pub label: Option<String>,
    /// When the option is open (`if` in a file); always if not given.
    pub condition: Option<Condition>,
    /// What follows.
    pub passage: Passage,
}

impl Choice {
    /// Creates an option that is always open.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Choice, Passage};
    /// let door = Choice::new("open the door", Passage::to(9));
    /// assert_eq!((door.label.as_deref(), door.condition), (Some("open the door"), None));
    /// assert_eq!(door.passage, Passage::to(9));
    /// ```
    #[must_use]
    pub fn new(label: impl Into<String>, passage: Passage) -> Self {
        Choice {
            label: Some(label.into()),
            condition: None,
            passage,
        }
    }

    /// Creates the last case of a [`Play::First`], without a label or a condition, which applies if
    /// no case before it does.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Choice, Condition, Manuscript, Passage, Play, Section};
    ///
    /// let lucky = Choice::new("lucky", Passage::won()).when(Condition::at_least("luck", 9));
    /// let mut book = Manuscript::new("gate");
    /// book.sections = vec![Section::new(1, Play::First(vec![lucky, Choice::otherwise(Passage::lost())]).into())];
    /// let book = Book::new(book)?;
    /// assert_eq!(book.solve(Hero::new(7, 14, 9)?)?.value().to_string(), "1");
    /// assert_eq!(book.solve(Hero::new(7, 14, 8)?)?.value().to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn otherwise(passage: Passage) -> Self {
        Choice {
            label: None,
            condition: None,
            passage,
        }
    }

    /// Opens the option only if this condition holds.
    ///
    /// # Examples
    /// A hero who cannot lift the stone has to go:
    /// ```
    /// use oddsmith_gamebook::{Choice, Condition, Passage};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_gamebook::{Book, Manuscript, Play, Section};
    ///
    /// let lift = Choice::new("lift the stone", Passage::won()).when(Condition::at_least("skill", 10));
    /// let options = vec![lift, Choice::new("go", Passage::lost())];
    /// # let mut book = Manuscript::new("stone");
    /// # book.sections = vec![Section::new(1, Play::Choice(options).into())];
    /// # let book = Book::new(book)?;
    /// let chance = |skill| book.solve(Hero::new(skill, 14, 7)?).map(|plan| plan.value().to_string());
    /// assert_eq!((chance(10)?, chance(9)?), ("1".into(), "0".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn when(mut self, condition: Condition) -> Self {
        self.condition = Some(condition);
        self
    }
}

/// One of several things that may happen by chance.
///
/// In a file it is one table, with the entries of its [`Passage`]: `{ weight = 3, to = 5 }`.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Branch, Passage};
/// let poisoned = Branch { weight: 1, passage: Passage::lost() };
/// assert_eq!(poisoned.weight, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::wire::BranchWire", into = "crate::wire::BranchWire")
)]
pub struct Branch {
    /// The weight, relative to the sum of all weights; may be 0.
    pub weight: u32,
    /// What follows.
    pub passage: Passage,
}

/// A label as it is displayed: a blank one counts as none.
pub(crate) fn shown(label: Option<&str>) -> Option<&str> {
    label.filter(|label| !label.trim().is_empty())
}
