//! Findings: what the author of a valid book should know.

use std::collections::BTreeSet;
use std::fmt;

use crate::section::{Ending, Play};
use crate::{Book, Section};

/// Something in a book that is valid but hardly intended, or worth knowing.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, Finding};
///
/// let book = Book::builder().choice(1, [("on", 2)]).choice(2, [("back", 1), ("out", 3)]).won(3).build()?;
/// let lap = Finding::Cycle { sections: vec![1, 2], bounded_by: vec![] };
/// assert_eq!(book.lint().findings().last(), Some(&lap));
/// assert_eq!(lap.to_string(), "sections 1 and 2 form a cycle; no bound was found");
/// # Ok::<(), oddsmith_gamebook::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Finding {
    /// No way leads from the start to this section.
    Unreachable {
        /// The section.
        section: u32,
    },
    /// This section can be reached and is not an ending, but every way from it loses.
    Hopeless {
        /// The section.
        section: u32,
    },
    /// This section is not an ending, but nothing leads from it to another section or an ending.
    DeadEnd {
        /// The section.
        section: u32,
    },
    /// No hero who comes here can meet the condition of this option or case.
    NeverOpen {
        /// The section.
        section: u32,
        /// The path to the option within the section.
        field: String,
        /// The option's label.
        option: String,
        /// What the heroes lack: an item, a flag, or a stat that is never high enough; the first
        /// one if several are needed. `None` if there is no single such thing, such as where any of
        /// several would do.
        lacks: Option<String>,
    },
    /// The condition of this case can be met, but only by heroes for whom an earlier case applies.
    Shadowed {
        /// The section.
        section: u32,
        /// The path to the case within the section.
        field: String,
        /// The case's label.
        option: String,
    },
    /// Every hero who takes this option loses.
    SurelyLost {
        /// The section.
        section: u32,
        /// The path to the option within the section.
        field: String,
        /// The option's label.
        option: String,
        /// What every victory after it needs and nobody can have there; `None` if no victory
        /// follows at all.
        lacks: Option<String>,
    },
    /// It could not be proven that every hero who comes here finds an open option.
    MayBeStuck {
        /// The section.
        section: u32,
    },
    /// A hero can come here for whom no option is open.
    Stuck {
        /// The section.
        section: u32,
        /// A shortest way that can be followed: sections, and what is done in each.
        way: Vec<(u32, String)>,
    },
    /// Every victory passes this section, which is neither the start nor an ending.
    MustPass {
        /// The section.
        section: u32,
    },
    /// Every winner has held this item or had this flag; without it nobody wins.
    MustHave {
        /// The item or flag.
        item: String,
    },
    /// Nobody can ever hold this item or have this flag.
    Unobtainable {
        /// The item or flag.
        item: String,
    },
    /// This item or flag can be had but makes no difference to anything. No condition asks for it
    /// where readers come, nobody buys it, and it has no effect, since nobody comes to a fight or a
    /// test in which its bonuses would count. (A hero who has it cannot buy it.)
    Unread {
        /// The item or flag.
        item: String,
        /// Whether a thief who takes [anything](crate::Effect::LoseRandom) may take it instead of
        /// something else: the one difference that it may make.
        shields: bool,
    },
    /// The bounds allow a way round among these sections. It is not proven that anybody can take
    /// it, since what it takes may never come together.
    Cycle {
        /// The sections, ascending.
        sections: Vec<u32>,
        /// Stats, items and flags that are used up, which proves that nobody goes round for ever.
        /// Empty if none was found.
        bounded_by: Vec<String>,
    },
    /// This field of a section never takes effect: a `refresh` where the section is not a choice,
    /// a `leave` where nobody turns from the section to another one except by leaving a fight
    /// before its end, a branch of weight 0, or a hazard with a chance of 0.
    NoEffect {
        /// The section.
        section: u32,
        /// The path to the field within the section.
        field: String,
    },
    /// Dice do not decide this test: everybody who comes to it passes, or nobody does.
    Foregone {
        /// The section.
        section: u32,
        /// The path to the test within the section.
        field: String,
        /// Whether it is passed.
        passed: bool,
    },
    /// Nobody who comes to this fight can win it, since a foe is too strong to be hit, or hits take
    /// nothing.
    Unwinnable {
        /// The section.
        section: u32,
        /// The path to the fight within the section.
        field: String,
    },
    /// No proof was found that this step never takes a stat from 0 or more to less than 0: it may
    /// take more gold than the hero has. Stats with a floor do not count, nor do SKILL and LUCK, and
    /// STAMINA, without which the hero is dead. If there is no such finding, no other stat of a
    /// hero who lives on ever falls below 0. Debts that are meant get a floor below 0, such as
    /// −10000.
    MayFallBelowZero {
        /// The section.
        section: u32,
        /// The path to the step within the section: `effects` for those on arrival. A step includes
        /// the effects on leaving the section and, after a fight, those of items. A refreshment is
        /// `sheet.refreshments[0]` and so on, and told once, for the first section.
        field: String,
        /// The stat.
        stat: String,
    },
    /// This option of a choice takes a fixed amount of a stat with a floor, and it was not proven
    /// that everybody who may choose it has as much: the floor would keep what is lacking. If it is
    /// a price, the option should ask for it with a condition. SKILL, LUCK and STAMINA do not
    /// count, nor what is lost on arrival, by chance, in a repetition or on a condition. If there is
    /// no such finding, every option takes in full what it takes by a `change` of its own from a stat
    /// with a floor of 0 or more.
    Unguarded {
        /// The section.
        section: u32,
        /// The path to the option within the section.
        field: String,
        /// The option's label.
        option: String,
        /// The stat.
        stat: String,
        /// The amount.
        amount: u32,
    },
    /// On this step, a stat of a hero falls from 0 or more to less than 0. ([`Book::lint_up_to`]
    /// proves that somebody can come there. That hero may be dead at the end of the step.)
    FallsBelowZero {
        /// The section; for a refreshment, the one in which the way ends.
        section: u32,
        /// The path to the step, as for [`MayFallBelowZero`](Finding::MayFallBelowZero).
        field: String,
        /// The stat.
        stat: String,
        /// A shortest way that can be followed: sections, and what is done in each, the step
        /// included. Empty if the effects on arrival at the first section do it.
        way: Vec<(u32, String)>,
    },
}

impl Finding {
    /// Returns the kind of finding, in one word.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Finding;
    /// let finding = Finding::Unread { item: "spoon".into(), shields: false };
    /// assert_eq!((finding.kind(), finding.item()), ("unread", Some("spoon")));
    /// assert!(finding.sections().is_empty());
    /// ```
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Finding::Unreachable { .. } => "unreachable",
            Finding::Hopeless { .. } => "hopeless",
            Finding::DeadEnd { .. } => "dead-end",
            Finding::NeverOpen { .. } => "never-open",
            Finding::Shadowed { .. } => "shadowed",
            Finding::SurelyLost { .. } => "surely-lost",
            Finding::MayBeStuck { .. } => "may-be-stuck",
            Finding::Stuck { .. } => "stuck",
            Finding::MustPass { .. } => "must-pass",
            Finding::MustHave { .. } => "must-have",
            Finding::Unobtainable { .. } => "unobtainable",
            Finding::Unread { .. } => "unread",
            Finding::Cycle { .. } => "cycle",
            Finding::NoEffect { .. } => "no-effect",
            Finding::Foregone { .. } => "foregone",
            Finding::Unwinnable { .. } => "unwinnable",
            Finding::MayFallBelowZero { .. } => "may-fall-below-zero",
            Finding::FallsBelowZero { .. } => "falls-below-zero",
            Finding::Unguarded { .. } => "unguarded",
        }
    }

    /// Returns the sections it is about.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Finding;
    /// let lap = Finding::Cycle { sections: vec![3, 7], bounded_by: vec!["gold".into()] };
    /// assert_eq!(lap.sections(), [3, 7]);
    /// assert_eq!(lap.to_string(), "sections 3 and 7 form a cycle, bounded by gold");
    /// ```
    #[must_use]
    pub fn sections(&self) -> &[u32] {
        match self {
            Finding::Unreachable { section }
            | Finding::Hopeless { section }
            | Finding::DeadEnd { section }
            | Finding::NeverOpen { section, .. }
            | Finding::Shadowed { section, .. }
            | Finding::SurelyLost { section, .. }
            | Finding::MayBeStuck { section }
            | Finding::Stuck { section, .. }
            | Finding::MustPass { section }
            | Finding::NoEffect { section, .. }
            | Finding::Foregone { section, .. }
            | Finding::Unwinnable { section, .. }
            | Finding::MayFallBelowZero { section, .. }
            | Finding::Unguarded { section, .. }
            | Finding::FallsBelowZero { section, .. } => std::slice::from_ref(section),
            Finding::Cycle { sections, .. } => sections,
            Finding::MustHave { .. } | Finding::Unobtainable { .. } | Finding::Unread { .. } => &[],
        }
    }

    /// Returns the item or flag that it is about, or that is lacking.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Finding;
    /// assert_eq!(Finding::MustHave { item: "key".into() }.item(), Some("key"));
    /// assert_eq!(Finding::DeadEnd { section: 3 }.item(), None);
    /// ```
    #[must_use]
    pub fn item(&self) -> Option<&str> {
        match self {
            Finding::MustHave { item }
            | Finding::Unobtainable { item }
            | Finding::Unread { item, .. } => Some(item),
            Finding::NeverOpen { lacks, .. } | Finding::SurelyLost { lacks, .. } => {
                lacks.as_deref()
            }
            _ => None,
        }
    }

    /// Returns the path to the field within the section, or to a refreshment of the sheet.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().choice(1, [("jump", 2), ("climb", 3)]).lost(2).won(3).build()?;
    /// let lint = book.lint();
    /// let jump = &lint.findings()[0];
    /// assert_eq!((jump.kind(), jump.field()), ("surely-lost", Some("choice[0]")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Finding::NeverOpen { field, .. }
            | Finding::Shadowed { field, .. }
            | Finding::SurelyLost { field, .. }
            | Finding::NoEffect { field, .. }
            | Finding::Foregone { field, .. }
            | Finding::Unwinnable { field, .. }
            | Finding::MayFallBelowZero { field, .. }
            | Finding::FallsBelowZero { field, .. }
            | Finding::Unguarded { field, .. } => Some(field),
            _ => None,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Unreachable { section } => {
                write!(f, "section {section} cannot be reached from the start")
            }
            Finding::Hopeless { section } => {
                write!(
                    f,
                    "section {section} is lost: no path from it leads to a victory"
                )
            }
            Finding::DeadEnd { section } => {
                write!(f, "section {section} is a dead end but not an ending")
            }
            Finding::NeverOpen {
                section,
                field,
                option,
                lacks,
            } => {
                write!(f, "section {section}: {field} \"{option}\" is never open")?;
                match lacks {
                    Some(lacks) => write!(f, ": nobody who gets there has the {lacks} it needs"),
                    None => Ok(()),
                }
            }
            Finding::Shadowed {
                section,
                field,
                option,
            } => {
                write!(f, "section {section}: {field}")?;
                if !option.is_empty() {
                    write!(f, " \"{option}\"")?;
                }
                write!(
                    f,
                    " is never reached: one of the cases before it always holds"
                )
            }
            Finding::SurelyLost {
                section,
                field,
                option,
                lacks,
            } => {
                write!(f, "section {section}: {field} \"{option}\" always loses")?;
                match lacks {
                    Some(lacks) => write!(f, ": every victory after it needs {lacks}"),
                    None => Ok(()),
                }
            }
            Finding::MayBeStuck { section } => {
                write!(f, "section {section}: a reader may find no option open")
            }
            Finding::Stuck { section, way } => {
                write!(f, "section {section}: a reader can get stuck")?;
                path(way, f)
            }
            Finding::MustPass { section } => write!(f, "every victory passes section {section}"),
            Finding::MustHave { item } => {
                write!(f, "nobody can win without ever having had {item}")
            }
            Finding::Unobtainable { item } => write!(f, "{item} cannot be obtained"),
            Finding::Unread { item, shields } => match shields {
                false => write!(f, "{item} makes no difference to anything"),
                true => write!(
                    f,
                    "{item} makes no difference, except that it may be lost at random instead of another item"
                ),
            },
            Finding::Cycle {
                sections,
                bounded_by,
            } => {
                match &sections[..] {
                    [only] => write!(f, "section {only} leads back to itself")?,
                    _ => write!(f, "sections {} form a cycle", listed(sections))?,
                }
                if bounded_by.is_empty() {
                    return f.write_str("; no bound was found");
                }
                write!(f, ", bounded by {}", listed(bounded_by))
            }
            Finding::NoEffect { section, field } => {
                write!(f, "section {section}: {field} has no effect: ")?;
                match &**field {
                    "refresh" => f.write_str("the section is not a choice"),
                    "leave" => f.write_str("nobody turns from it to another section"),
                    _ => f.write_str("its chance is 0"),
                }
            }
            Finding::Foregone {
                section,
                field,
                passed,
            } => {
                let who = if *passed { "everybody" } else { "nobody" };
                write!(
                    f,
                    "section {section}: {who} who reaches the {field} passes it"
                )
            }
            Finding::Unwinnable { section, field } => {
                write!(
                    f,
                    "section {section}: nobody who reaches the {field} wins it"
                )
            }
            Finding::MayFallBelowZero {
                section,
                field,
                stat,
            } => write!(f, "section {section}: {field} may take {stat} below 0"),
            Finding::Unguarded {
                section,
                field,
                option,
                stat,
                amount,
            } => write!(
                f,
                "section {section}: {field} \"{option}\" takes {amount} {stat}, also from a hero who may have less; if it is a price, ask for it with `if`"
            ),
            Finding::FallsBelowZero {
                section,
                field,
                stat,
                way,
            } => {
                write!(f, "section {section}: {field} can take {stat} below 0")?;
                path(way, f)
            }
        }
    }
}

/// A way through sections, after the finding it proves.
fn path(way: &[(u32, String)], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut between = "; path: ";
    // What is done three times or more in a row is written once, with the number of times.
    for laps in way.chunk_by(|one, other| one == other) {
        let times = if laps.len() > 2 { 1 } else { laps.len() };
        for (section, deed) in &laps[..times] {
            write!(f, "{between}{section}, {deed}")?;
            between = "; ";
        }
        if times < laps.len() {
            write!(f, " ({} times)", laps.len())?;
        }
    }
    Ok(())
}

/// "a, b and c".
fn listed<T: ToString>(all: &[T]) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    match all.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => all.concat(),
    }
}

impl Book {
    /// Does a first check, in the order of the sections: finds sections that nothing leads to, and
    /// sections from which everything leads to defeat. [`Book::lint`] finds more.
    ///
    /// It considers links only, for any hero. Every fight can be won, every test passed and every
    /// condition met; effects, items and stats are ignored. A section behind a door without a key
    /// is therefore [`Unreachable`](Finding::Unreachable) for [`Book::lint`] only. Only that method
    /// finds options that never open or always lose, stuck readers, what every victory needs, what
    /// makes no difference, and cycles.
    ///
    /// # Complexity
    /// One pass over the links.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Finding};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("left", 2), ("right", 5)])
    ///     .chance(2, [(3, 5), (4, 1)])
    ///     .lost(3)
    ///     .lost(4)
    ///     .won(5)
    ///     .won(6)
    ///     .build()?;
    /// let findings = book.findings();
    /// assert_eq!(findings, [Finding::Hopeless { section: 2 }, Finding::Unreachable { section: 6 }]);
    /// assert_eq!(findings[1].to_string(), "section 6 cannot be reached from the start");
    /// // The linter considers options, too.
    /// assert_eq!(book.lint().findings().iter().filter(|one| one.kind() == "surely-lost").count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut reached = BTreeSet::from([self.start()]);
        let mut waiting = vec![self.start()];
        while let Some(number) = waiting.pop() {
            let targets = self.get(number).map(Section::targets).unwrap_or_default();
            waiting.extend(targets.into_iter().filter(|&target| reached.insert(target)));
        }
        let hopeful = self.hopeful();
        let finding = |(section, what): (u32, &Section)| {
            if !reached.contains(&section) {
                Some(Finding::Unreachable { section })
            } else if !hopeful.contains(&section) && what.passage.play != Play::Ending(Ending::Lost)
            {
                Some(Finding::Hopeless { section })
            } else {
                None
            }
        };
        self.sections().filter_map(finding).collect()
    }

    /// The sections from which some way leads to a victory.
    fn hopeful(&self) -> BTreeSet<u32> {
        let mut back: Vec<(u32, u32)> = Vec::new();
        let mut waiting = Vec::new();
        for (number, section) in self.sections() {
            back.extend(section.targets().into_iter().map(|target| (target, number)));
            let mut wins = false;
            section.passage.visit(&mut |passage| {
                wins |= passage.play == Play::Ending(Ending::Won);
            });
            if wins {
                waiting.push(number);
            }
        }
        back.sort_unstable();
        let mut hopeful: BTreeSet<u32> = waiting.iter().copied().collect();
        while let Some(number) = waiting.pop() {
            let from = back.partition_point(|(target, _)| *target < number);
            let sources = back[from..]
                .iter()
                .take_while(|(target, _)| *target == number);
            waiting.extend(
                sources
                    .map(|(_, source)| *source)
                    .filter(|&source| hopeful.insert(source)),
            );
        }
        hopeful
    }
}
