//! Errors: what can be wrong with a book, and in which section.

use thiserror::Error as ThisError;

use crate::Progress;
use crate::solver::limits::MOST_VALUES;

/// The error type of this crate.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, Error};
///
/// let error = Book::builder().choice(1, [("go in", 7)]).build().unwrap_err();
/// assert_eq!(error, Error::MissingTarget { section: 1, field: "choice[0].to".into(), target: 7 });
/// assert_eq!(error.to_string(), "section 1: choice[0].to: section 7 is not in the book");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a book: a syntax error, an unknown field, or a value of the wrong type.
    #[error(
        "{file}: {}{field}: {message}",
        section.map(|section| format!("section {section}: ")).unwrap_or_default()
    )]
    Read {
        /// The name of the file, as given.
        file: String,
        /// The section, if the error is in one.
        section: Option<u32>,
        /// The path to the field.
        field: String,
        /// What is wrong with it.
        message: String,
    },

    /// The text has the right format, but its content is not a valid book.
    #[error("{file}: {error}")]
    InFile {
        /// The name of the file, as given.
        file: String,
        /// What is wrong. It is not a `source`, as the message already contains it.
        error: Box<Error>,
    },

    /// The book, or the hero, has several mistakes. A single one is told by its own variant.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Error};
    ///
    /// let mistaken = Book::builder().choice(1, [("left", 2), ("right", 3)]).won(2).start(9).build();
    /// let Err(Error::Mistakes { errors, more: 0 }) = mistaken else { panic!("3 and 9 are missing") };
    /// assert_eq!(errors[0].to_string(), "section 1: choice[1].to: section 3 is not in the book");
    /// assert_eq!(errors[1], Error::MissingStart { start: 9 });
    /// ```
    #[error("{}", one_a_line(errors, *more))]
    Mistakes {
        /// The first hundred mistakes, in the order of the manuscript: the sheet, then section by
        /// section. In books read from a file each is an [`InFile`](Error::InFile).
        errors: Vec<Error>,
        /// How many more there are.
        more: usize,
    },

    /// The file has another format, or a later version of this one.
    #[error("expected format \"{needed}\", version 1, got \"{format}\", version {version}")]
    Format {
        /// The format it claims.
        format: String,
        /// The version.
        version: u32,
        /// The format needed.
        needed: &'static str,
    },

    /// The book has no sections.
    #[error("the book is empty: it needs at least one section")]
    NoSections,

    /// Two sections have the same number.
    #[error("section {section} is defined twice; every section needs its own number")]
    DuplicateSection {
        /// The number.
        section: u32,
    },

    /// Two stats, items or flags have the same name.
    #[error("\"{id}\" is used for two entries of the sheet; every entry needs its own name")]
    DuplicateName {
        /// The name.
        id: String,
    },

    /// A section leads to one that does not exist.
    #[error("section {section}: {field}: section {target} is not in the book")]
    MissingTarget {
        /// The section with the link.
        section: u32,
        /// The path to the link within the section.
        field: String,
        /// The section it leads to.
        target: u32,
    },

    /// The start section does not exist.
    #[error("the book starts at section {start}, which is not in the book")]
    MissingStart {
        /// The number given.
        start: u32,
    },

    /// Play can come back to the same place with the same sheet.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Error};
    /// use oddsmith_mdp::Solver;
    ///
    /// let book = Book::builder().choice(1, [("the cellar", 2), ("on", 3)]).choice(2, [("back", 1)]);
    /// let book = book.luck(3, 4, 5).won(4).lost(5).build()?;
    /// let hero = Hero::new(7, 14, 7)?;
    /// assert!(matches!(book.solve(&hero).err(), Some(Error::WaysLeadBack { .. })));
    /// let plan = book.solve_with(&hero, Solver::exact().allow_cycles())?;
    /// assert_eq!(plan.value().to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error(
        "the book has a cycle: {}; solve it with `Book::solve_with` and `Solver::exact().allow_cycles()`, or with `BookSolver`",
        path.join(" -> ")
    )]
    WaysLeadBack {
        /// The places of a cycle, with the first repeated at the end; the middle of a long one is
        /// left out.
        path: Vec<String>,
    },

    /// A name is not on the sheet.
    #[error(
        "{place}: {field}: there is no {kind} \"{id}\" on the sheet{}",
        hint.as_ref().map(|hint| format!(": {hint}")).unwrap_or_default()
    )]
    Unknown {
        /// The section, or the part of the sheet.
        place: String,
        /// The path to the field.
        field: String,
        /// What it was looked up as: a stat, an item, a flag, a tag.
        kind: &'static str,
        /// The name.
        id: String,
        /// What may have been meant: a similar name, or something else with this name.
        hint: Option<String>,
    },

    /// Something is inconsistent.
    #[error("{place}: {field}: {problem}")]
    Invalid {
        /// The section, or the part of the sheet.
        place: String,
        /// The path to the field.
        field: String,
        /// What is wrong, and what would be right.
        problem: &'static str,
    },

    /// A number is out of its range.
    #[error("{place}: {field} must be between {least} and {most}, got {given}")]
    OutOfRange {
        /// The section, the part of the sheet, or the hero.
        place: String,
        /// The path to the field.
        field: String,
        /// The number.
        given: i64,
        /// The lowest allowed value.
        least: i64,
        /// The highest allowed value.
        most: i64,
    },

    /// A text is neither a number nor dice.
    #[error(
        "\"{text}\" is not an amount; write a whole number between -10000 and 10000, or up to six dice with up to 100 sides, such as 2d6, 1d6+3, -1d6 or -3*1d6"
    )]
    BadAmount {
        /// The text.
        text: String,
    },

    /// The sheet has more entries than the packed form holds.
    #[error("the sheet has {given} {what}, which exceeds the limit of {limit}")]
    SheetTooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many are possible.
        limit: usize,
    },

    /// The variant is for another book.
    #[error("this is a variant of \"{of}\", but the book is \"{book}\"")]
    WrongBook {
        /// The book the variant is for.
        of: String,
        /// The book given.
        book: String,
    },

    /// The bookmark belongs to another book.
    #[error("this is a bookmark of \"{of}\", but the book is \"{book}\"")]
    OtherBook {
        /// The book the bookmark is for.
        of: String,
        /// The book given.
        book: String,
    },

    /// The requested section does not exist.
    #[error("section {section} is not in the book")]
    NoSuchSection {
        /// The number given.
        section: u32,
    },

    /// The requested option is not open.
    #[error("section {section} has no open option {option}; open options: {}", open.join(", "))]
    NoSuchOption {
        /// The section.
        section: u32,
        /// The requested option.
        option: String,
        /// The open options.
        open: Vec<String>,
    },

    /// The hero has no value for a stat that is rolled.
    #[error("the hero has no {stat}; it is rolled ({dice}), so give the rolled value")]
    MissingStat {
        /// The stat.
        stat: String,
        /// The dice.
        dice: String,
    },

    /// The hero holds none, or more than one, of the items to choose from at the start.
    #[error("the hero must start with exactly one of: {}", items.join(", "))]
    MissingChoice {
        /// The items.
        items: Vec<String>,
    },

    /// The hero holds an item and is also said to be without it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Character, Error, Item, Manuscript, Passage, Section};
    ///
    /// let mut book = Manuscript::new("a rope");
    /// book.sheet.items.push(Item::new("rope"));
    /// book.sections.push(Section::new(1, Passage::won()));
    /// let hero = Character::new().stat("skill", 7).stat("stamina", 14).stat("luck", 7);
    /// let error = Book::new(book)?.game(hero.item("rope").without("rope")).err();
    /// assert_eq!(error, Some(Error::HeldAndNot { item: "rope".into() }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error("the hero is given \"{item}\" and also said to be without it; remove one of the two")]
    HeldAndNot {
        /// The item.
        item: String,
    },

    /// The chance to win is not between 0 and 1.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Error};
    ///
    /// let book = Book::builder().won(1).build()?;
    /// let hero = Hero::new(7, 14, 7)?;
    /// let percent = book.difficulty(&hero, 42.0).err();
    /// assert_eq!(percent, Some(Error::NotAChance { given: "42".into() }));
    /// assert!(book.difficulty(&hero, f64::NAN).is_err());
    /// assert!(book.difficulty(&hero, 1.0).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error("the chance to win must be between 0 and 1, got {given}")]
    NotAChance {
        /// The value given.
        given: String,
    },

    /// The hero has something that is not on the sheet.
    #[error(
        "the hero has \"{id}\", which is not on the sheet of this book; the sheet has {}",
        listed(known)
    )]
    NotOnSheet {
        /// The name.
        id: String,
        /// The stats of the sheet, and what can be held.
        known: Vec<String>,
    },

    /// The book has too many places to visit each of them.
    #[error(
        "the number of places with different sheets exceeds the limit of {limit}; raise it with \
         `BookSolver::max_places`, or with `Book::solve_with` and the solver's `max_states`, or use \
         `BookSolver::solve`, which handles many at once, in floats with an error bound"
    )]
    TooManyPlaces {
        /// The limit in force.
        limit: usize,
    },

    /// The policy reaches more places than allowed.
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Error, FollowLimits};
    /// # use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let limits = FollowLimits::default().max_places(2);
    /// let error = book.follow_within::<f64>(&Hero::new(7, 14, 7)?, AtRandom, limits).unwrap_err();
    /// assert_eq!(error, Error::JourneyTooLarge { limit: 2 });
    /// assert_eq!(error.to_string(), "the number of places that this policy reaches exceeds \
    ///     the limit of 2; raise it with `FollowLimits::max_places`");
    /// # Ok::<(), Error>(())
    /// ```
    #[error(
        "the number of places that this policy reaches exceeds the limit of {limit}; \
         raise it with `FollowLimits::max_places`"
    )]
    JourneyTooLarge {
        /// The limit in force.
        limit: usize,
    },

    /// More places lead back to each other than allowed.
    ///
    /// # Examples
    /// Two coins, either of which may lead back to the other:
    /// ```
    /// # use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Error, FollowLimits};
    /// # use oddsmith_mdp::AtRandom;
    ///
    /// let book = Book::builder().chance(1, [(2, 1), (3, 1)]).chance(2, [(1, 1), (4, 1)]).won(3).lost(4).build()?;
    /// let limits = FollowLimits::default().max_ring(1);
    /// let error = book.follow_within::<f64>(&Hero::new(7, 14, 7)?, AtRandom, limits).err();
    /// let Some(Error::RingTooLarge { ring, places, .. }) = error else { return Err("a ring".into()) };
    /// assert_eq!((ring, places), (2, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error(
        "{ring} of the {places} places reached lead back to each other, one of them {place}, which exceeds the limit \
         of {limit}; raise it with `FollowLimits::max_ring`, or use floats, which have no limit unless it is set"
    )]
    RingTooLarge {
        /// One of the places.
        place: String,
        /// How many places lead back to each other.
        ring: usize,
        /// How many places are reached in all.
        places: usize,
        /// The limit in force.
        limit: usize,
    },

    /// The habit has not been evaluated.
    #[error("the chance to win of the reader \"{habit}\" has not been evaluated")]
    NotEvaluated {
        /// The habit.
        habit: crate::Habit,
    },

    /// The picture has more points than allowed.
    #[error(
        "the number of points in the picture exceeds the limit of {limit}; raise it with `BookGraph::max_points`"
    )]
    PictureTooLarge {
        /// The limit in force.
        limit: usize,
    },

    /// The requested error is not above 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Error};
    ///
    /// let book = Book::builder().won(1).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let solved = BookSolver::new(&game).approximate(game.start(), -0.1);
    /// assert_eq!(solved, Err(Error::ErrorNotPositive { error: -0.1 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error("the error must be above 0, got {error}")]
    ErrorNotPositive {
        /// The error given.
        error: f64,
    },

    /// The book exceeds a limit of [`BookSolver`](crate::BookSolver).
    ///
    /// # Examples
    /// ```
    /// # use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Error};
    ///
    /// let book = Book::builder().luck(1, 2, 4).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let error = BookSolver::new(&game).max_regions(1).solve(game.start()).unwrap_err();
    /// assert!(matches!(error, Error::BookTooLarge { what: "regions", limit: 1, .. }));
    /// assert_eq!(error.to_string(), "the number of regions exceeds the limit of 1, at section 1, \
    ///     with 1 region found; raise it with `BookSolver::max_regions`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error(
        "the number of {what} exceeds the limit of {limit}, {progress}{}",
        helps(what, *limit, stat, between)
    )]
    BookTooLarge {
        /// What there is too much of.
        what: &'static str,
        /// The limit in force.
        limit: usize,
        /// How far the solver got.
        progress: Progress,
        /// If a stat has too many values, its name.
        stat: Option<String>,
        /// If one of several routes was solved before the limit was reached: a lower and an upper
        /// bound on the value of the start.
        between: Option<(f64, f64)>,
    },

    /// The book has something that [`BookSolver`](crate::BookSolver) cannot handle.
    ///
    /// # Examples
    /// A thief who takes any three of a hundred things:
    /// ```
    /// use oddsmith_gamebook::{BookSolver, Error};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # use oddsmith_gamebook::{Book, Effect, Item, Manuscript, Passage, RandomLoss, Section};
    ///
    /// # let mut book = Manuscript::new("thief");
    /// # book.sheet.items = (0..100).map(|item| Item::new(format!("thing{item}"))).collect();
    /// # book.sheet.initial_items = (0..100).map(|item| format!("thing{item}")).collect();
    /// # let theft = Effect::LoseRandom(RandomLoss { count: 3, tag: None });
    /// # book.sections = vec![Section::new(1, Passage { effects: vec![theft], ..Passage::won() })];
    /// # let game = Book::new(book)?.game(&Hero::new(7, 14, 7)?)?;
    /// let Err(Error::NotFollowed { section, problem }) = BookSolver::new(&game).solve(game.start()) else {
    ///     return Err("161,700 sheets".into());
    /// };
    /// assert_eq!((section, problem.as_str()), (1, "more than 100,000 outcomes are possible on arrival"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error("from section {section} on, {problem}")]
    NotFollowed {
        /// The last section before the problem that does more than lead on; others are passed
        /// through.
        section: u32,
        /// What the problem is.
        problem: String,
    },

    /// [Rules](crate::Rules) passed in have no rolls for a test.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use oddsmith_fightingfantasy::{Hero, RoundOdds};
    /// use oddsmith_gamebook::{Book, BookSolver, Error, FightingFantasy, Rules};
    ///
    /// #[derive(Debug)]
    /// struct Broken(FightingFantasy);
    /// impl Rules for Broken {
    ///     fn test(&self, _dice: u8, _value: i32) -> (u64, u64) {
    ///         (0, 0)
    ///     }
    ///     fn round(&self, difference: i32) -> RoundOdds {
    ///         self.0.round(difference)
    ///     }
    /// }
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?.with_rules(Arc::new(Broken(FightingFantasy::default())));
    /// let error = BookSolver::new(&game).solve(game.start());
    /// assert_eq!(error, Err(Error::NoRoll { section: 1, dice: 2, value: 8 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error(
        "section {section}: under the given rules, no roll of {dice} dice against {value} passes or fails; `Rules::test` must count at least one roll"
    )]
    NoRoll {
        /// The section of the test.
        section: u32,
        /// The number of dice.
        dice: u8,
        /// The value they are rolled against.
        value: i32,
    },

    /// A stat, or its cap, may leave the range of a sheet.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Amount, Book, BookSolver, Effect, Error, Manuscript, Passage, RepeatedEffects, Section, Stat};
    ///
    /// let mut treasure = Manuscript::new("treasure");
    /// treasure.sheet.stats.push(Stat::new("gold", 0));
    /// let coins = vec![Effect::change("gold", 10_000)];
    /// let chests = RepeatedEffects { times: 4, condition: None, effects: coins };
    /// let found = Passage { effects: vec![Effect::Repeat(chests)], ..Passage::to(3) };
    /// treasure.sections = vec![Section::new(1, Passage::to(2)), Section::new(2, found), Section::new(3, Passage::won())];
    /// let game = Book::new(treasure)?.game(&Hero::new(7, 14, 7)?)?;
    /// let error = BookSolver::new(&game).solve(game.start()).unwrap_err();
    /// assert_eq!(error, Error::StatOverflows { section: 1, stat: "gold".into() });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error(
        "from section {section} on, {stat} may leave the range from -32768 to 32767; give it a cap and a floor or, if its \
         cap is raised repeatedly, put a condition on the increase"
    )]
    StatOverflows {
        /// The last section before the problem that does more than lead on; others are passed
        /// through.
        section: u32,
        /// The stat.
        stat: String,
    },

    /// The place cannot be reached, or a [policy](crate::BookPolicy::decision) does not come there.
    ///
    /// # Examples
    /// Nothing leads back to the start:
    /// ```
    /// use oddsmith_gamebook::{Book, BookSolver, Error};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("a", 2), ("b", 3)]).choice(2, [("c", 3), ("d", 4)]);
    /// let game = book.won(3).lost(4).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let policy = BookSolver::new(&game).policy(game.start_at(2)?)?;
    /// assert_eq!(policy.decision(&game.start()), Err(Error::NotReached { section: 1 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[error("section {section} is not reached with this sheet")]
    NotReached {
        /// The section.
        section: u32,
    },

    /// An error of the combat rules.
    #[error(transparent)]
    Combat(#[from] oddsmith_fightingfantasy::Error),

    /// The book could not be solved, or the solution does not contain the place.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),
}

impl Error {
    /// The error of a solver that visits every place.
    pub(crate) fn of_places(error: oddsmith_mdp::Error) -> Self {
        match error {
            oddsmith_mdp::Error::TooManyStates { limit } => Error::TooManyPlaces { limit },
            oddsmith_mdp::Error::Cycle { path } => Error::WaysLeadBack { path },
            error => error.into(),
        }
    }
}

/// All mistakes, each on a line of its own as compilers write them.
fn one_a_line(errors: &[Error], more: usize) -> String {
    let lines = errors.iter().map(Error::to_string);
    let rest = match more {
        0 => None,
        1 => Some("and 1 more mistake".to_owned()),
        more => Some(format!("and {more} more mistakes")),
    };
    lines.chain(rest).collect::<Vec<_>>().join("\n")
}

/// Advice in the message: the method that raises the limit, and for a stat more than that.
fn helps(what: &str, limit: usize, stat: &Option<String>, between: &Option<(f64, f64)>) -> String {
    let method = match what {
        "values of a stat" => "max_values",
        "regions" | "rounds of a fight" => "max_regions",
        "bytes" => "max_bytes",
        "sweeps through a ring of sections" => "max_sweeps",
        _ => return String::new(),
    };
    let Some(stat) = stat else {
        let mut helps = format!("; raise it with `BookSolver::{method}`");
        if let Some((least, most)) = between {
            helps += &format!(" (the chance to win is between {least} and {most})");
        }
        return helps;
    };
    let mut helps = format!("; give {stat} a cap and a floor with fewer values between them");
    if limit < MOST_VALUES {
        helps += &format!(", or raise the limit with `BookSolver::{method}`");
    }
    helps
}

/// Names, but no more than anybody reads.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 24;
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
}
