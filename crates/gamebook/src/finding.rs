//! What an author should know about a book that works.

use std::collections::BTreeSet;
use std::fmt;

use crate::{Book, Section};

/// Something that is allowed, but hardly meant.
///
/// # Examples
/// See [`Book::findings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Finding {
    /// No way leads from the start to this section.
    Unreachable {
        /// The section.
        section: u32,
    },
    /// This section can be reached and is no ending, but every way from it is
    /// lost.
    Hopeless {
        /// The section.
        section: u32,
    },
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
                    "section {section} is lost: no way from it leads to a victory"
                )
            }
        }
    }
}

impl Book {
    /// What an author should know, in the order of the sections: those that
    /// nothing leads to, and those from which everything leads to defeat.
    ///
    /// Links are followed whatever the hero: a fight counts as possible to win
    /// and a test as possible to pass.
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
            } else if !hopeful.contains(&section) && *what != Section::Lost {
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
            if *section == Section::Won {
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
