//! Reports on a book, in Markdown.

use std::fmt;

use crate::fork::between;
use crate::plan::percent;
use crate::section::shown;
use crate::{
    Comparison, Deed, Difficulty, Fate, Finding, Fork, Journey, Lint, LintSearch, Probability,
};

/// The default number of rows in the table of failures.
const MOST_DEATHS: usize = 15;

/// A report on a book and a hero as a Markdown document: the chance to win, the difficulty, the
/// routes at a fork, the walk-through, must-haves, where readers fail, what winners hold, visits,
/// and the findings of the linter.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Report};
///
/// let book = Book::builder().choice(1, [("stairs", 2), ("well", 3)]).luck(2, 4, 5).skill(3, 4, 5).won(4).lost(5).build()?;
/// let hero = Hero::new(9, 14, 7)?;
/// let plan = book.solve(&hero)?;
/// let journey = book.follow_exact(&hero, plan.solution().policy())?;
/// let difficulty = book.difficulty(&hero, plan.value())?;
/// let lint = book.lint();
/// let report = Report::new(&journey).title("The Cellar").difficulty(&difficulty).lint(&lint).to_markdown();
/// assert!(report.starts_with("\
/// ## The Cellar
///
/// Hero: skill 9, stamina 14, luck 7.
///
/// **Chance to win: 83.33 %**
///
/// ### Difficulty
///
/// | reader | chance to win |
/// |---|---:|
/// | best play | 83.33 % |
/// | at random | 70.83 % |
/// | avoiding fights | 70.83 % |
/// | first option | 58.33 % |
///
/// ### Walk-through
///
/// The likeliest line to a victory. Reached: with the same stats and items, by any line.
///
/// | | section | what to do | this line | reached | won from here |
/// |---:|---:|---|---:|---:|---:|
/// | 1 | 1 | well | 100.00 % | 100.00 % | 83.33 % |
/// | 2 | 3 | test skill | 100.00 % | 100.00 % | 83.33 % |
/// | 3 | 4 | victory | 83.33 % | 83.33 % | 100.00 % |
/// "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report<'a, V = f64> {
    journey: &'a Journey<V>,
    title: Option<String>,
    difficulty: Option<&'a Difficulty<V>>,
    fork: Option<&'a Fork>,
    lint: Option<&'a Lint>,
    comparisons: Vec<&'a Comparison<V>>,
    deaths: usize,
}

impl<'a, V: Probability> Report<'a, V> {
    /// Creates a report on a journey, which is that of best play unless the title says otherwise.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Report};
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert!(Report::new(&journey).to_string().contains("**Chance to win: 58.33 %**"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(journey: &'a Journey<V>) -> Self {
        Report {
            journey,
            title: None,
            difficulty: None,
            fork: None,
            lint: None,
            comparisons: Vec::new(),
            deaths: MOST_DEATHS,
        }
    }

    /// Sets a title, in place of the book's.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Report};
    /// # use oddsmith_fightingfantasy::Hero;
    /// let book = Book::builder().won(1).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// assert!(Report::new(&journey).to_markdown().starts_with("# book\n"));
    /// assert!(Report::new(&journey).title("The Cave").to_markdown().starts_with("# The Cave\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Adds how hard the book is.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Difficulty, Habit, Report};
    /// # use oddsmith_fightingfantasy::Hero;
    /// # let book = Book::builder().won(1).build()?;
    /// # let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// let difficulty = Difficulty::new(0.75, [(Habit::AtRandom, Ok(0.25))]);
    /// let report = Report::new(&journey).difficulty(&difficulty).to_markdown();
    /// assert!(report.contains("| best play | 75.00 % |\n| at random | 25.00 % |\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn difficulty(mut self, difficulty: &'a Difficulty<V>) -> Self {
        self.difficulty = Some(difficulty);
        self
    }

    /// Adds what each route is worth, where a long book forks.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver, Report};
    /// let book = Book::builder().choice(1, [("stairs", 2), ("well", 3)]).luck(2, 4, 5).skill(3, 4, 5).won(4).lost(5).build()?;
    /// let game = book.game(&Hero::new(9, 14, 7)?)?;
    /// let policy = BookSolver::new(&game).tell_apart(0.0).policy(game.start())?;
    /// let journey = game.follow::<f64>(&policy, game.start(), 100)?;
    /// let fork = policy.valuation().fork().ok_or("two ways")?;
    /// let report = Report::new(&journey).fork(fork).to_markdown();
    /// assert!(report.contains("\
    /// | route | only this route | without it |
    /// |---|---:|---:|
    /// | stairs (2) | at most 58.34 % | 83.33 % |
    /// | well (3) | 83.33 % | at most 58.34 % |
    /// "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fork(mut self, fork: &'a Fork) -> Self {
        self.fork = Some(fork);
        self
    }

    /// Adds must-haves and findings.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Report};
    /// let book = Book::builder().choice(1, [("jump", 2), ("climb", 3)]).lost(2).won(3).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// let lint = book.lint();
    /// let report = Report::new(&journey).lint(&lint).to_markdown();
    /// assert!(report.contains("- surely-lost: section 1: choice\\[0\\] \"jump\" always loses\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lint(mut self, lint: &'a Lint) -> Self {
        self.lint = Some(lint);
        self
    }

    /// Adds a comparison; may be called several times.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Comparison, Report};
    /// let book = Book::builder().won(1).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// let streets = Comparison::new(("Key Street", 0.5), ("Clock Street", 0.25));
    /// let report = Report::new(&journey).comparison(&streets).to_markdown();
    /// assert!(report.contains("| Key Street | 50.00 % |\n| Clock Street | 25.00 % |\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn comparison(mut self, comparison: &'a Comparison<V>) -> Self {
        self.comparisons.push(comparison);
        self
    }

    /// Sets the number of rows in the table of where readers die, are stuck, lose or go round for
    /// ever. The default is 15; the rest is summed up in one row.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Report};
    /// let book = Book::builder().chance(1, [(2, 1), (3, 2), (4, 1)]).won(2).lost(3).lost(4).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// let report = Report::new(&journey).deaths(1).to_markdown();
    /// assert!(report.contains("| 3 | lost | 50.00 % |\n| 1 more | | 25.00 % |\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn deaths(mut self, most: usize) -> Self {
        self.deaths = most;
        self
    }

    /// Returns the document. Nothing is written to a file.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Report};
    /// # use oddsmith_fightingfantasy::Hero;
    /// let book = Book::builder().chance(1, [(2, 3), (3, 1)]).won(2).lost(3).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// let report = Report::new(&journey).to_markdown();
    /// assert!(report.starts_with("# book\n\nHero: skill 7, stamina 14, luck 7.\n\n**Chance to win: 75.00 %**\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_markdown(&self) -> String {
        self.to_string()
    }

    fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.journey.game();
        let manuscript = game.book().manuscript();
        let own = manuscript.title.as_deref().unwrap_or(game.book().id());
        let title = self.title.as_deref().unwrap_or(own);
        let hero = escaped(&game.held_words(&self.journey.start()));
        let chance = percent(self.journey.value());
        writeln!(f, "# {}\n\nHero: {hero}.\n", escaped(title))?;
        let section = self.journey.start().section();
        if section != game.book().start() {
            writeln!(f, "From section {section} on.\n")?;
        }
        writeln!(f, "**Chance to win: {chance}**")
    }

    fn tables(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(difficulty) = self.difficulty {
            writeln!(
                f,
                "\n## Difficulty\n\n| reader | chance to win |\n|---|---:|"
            )?;
            for (name, chance) in difficulty.rows() {
                writeln!(f, "| {name} | {} |", escaped(&chance))?;
            }
        }
        if let Some(fork) = self.fork {
            writeln!(
                f,
                "\n## Routes at a fork\n\nAt section {}, which every victory passes.\n\n\
                 | route | only this route | without it |\n|---|---:|---:|",
                fork.section()
            )?;
            for way in fork.ways() {
                let (label, to) = (escaped(way.label()), way.target());
                let (alone, without) = (between(way.alone()), between(way.without()));
                writeln!(f, "| {label} ({to}) | {alone} | {without} |")?;
            }
        }
        if !self.comparisons.is_empty() {
            writeln!(f, "\n## Comparison")?;
        }
        for comparison in &self.comparisons {
            writeln!(f, "\n| | chance to win |\n|---|---:|")?;
            for (name, value) in comparison.names().iter().zip(comparison.values()) {
                writeln!(f, "| {} | {} |", escaped(name), percent(value))?;
            }
            writeln!(f, "| difference | {} |", percent(&comparison.difference()))?;
        }
        Ok(())
    }

    fn walkthrough(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.journey.walkthrough().steps();
        let line = match steps.last().map(|step| &step.deed) {
            Some(Deed::Won) => "The likeliest line to a victory.",
            _ => "No line to a victory was found; this is the likeliest to any end.",
        };
        writeln!(
            f,
            "\n## Walk-through\n\n{line} Reached: with the same stats and items, by any line.\n\n\
             | | section | what to do | this line | reached | won from here |"
        )?;
        writeln!(f, "|---:|---:|---|---:|---:|---:|")?;
        for (number, step) in (1..).zip(steps) {
            let (section, deed) = (step.place.section(), escaped(&step.deed.to_string()));
            let (line, reached) = (percent(&step.line), percent(&step.reached));
            let value = percent(&step.value);
            writeln!(
                f,
                "| {number} | {section} | {deed} | {line} | {reached} | {value} |"
            )?;
        }
        Ok(())
    }

    fn needs(&self, lint: &Lint, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n## What every victory needs\n")?;
        if !lint.can_be_won() {
            return writeln!(f, "No way through the book leads to a victory.");
        }
        let findings = lint.findings().iter();
        let has = |finding: &&Finding| matches!(finding, Finding::MustHave { .. });
        let items: Vec<String> = findings
            .clone()
            .filter(has)
            .filter_map(|finding| finding.item().map(escaped))
            .collect();
        let sections: Vec<String> = findings
            .filter(|finding| matches!(finding, Finding::MustPass { .. }))
            .flat_map(|finding| finding.sections().iter().map(u32::to_string))
            .collect();
        // The linter proves that these are needed, not that nothing else is.
        let found = |all: Vec<String>| match all.is_empty() {
            true => "none found".to_owned(),
            false => all.join(", "),
        };
        writeln!(
            f,
            "- items and flags to have at some point: {}",
            found(items)
        )?;
        writeln!(f, "- sections to pass: {}", found(sections))
    }

    fn ends(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends = self.journey.endings();
        ends.retain(|(_, fate, _)| *fate != Fate::Won);
        // The sort is stable, so ties stay in the order of the sections.
        ends.sort_by(|(.., one), (.., other)| {
            let order = other.partial_cmp(one);
            order.unwrap_or(std::cmp::Ordering::Equal)
        });
        if !ends.is_empty() {
            writeln!(
                f,
                "\n## Where readers fail\n\nThe chance to die, get stuck, lose or go round forever, by section.\n\n| section | how | chance |"
            )?;
            writeln!(f, "|---:|---|---:|")?;
        }
        let (named, others) = ends.split_at(self.deaths.min(ends.len()));
        for (section, fate, chance) in named {
            writeln!(f, "| {section} | {fate} | {} |", percent(chance))?;
        }
        if !others.is_empty() {
            let sum = others.iter().map(|(.., chance)| chance.clone());
            let sum = sum.fold(V::zero(), |sum, chance| sum + chance);
            writeln!(f, "| {} more | | {} |", others.len(), percent(&sum))?;
        }
        Ok(())
    }

    fn winners(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compiled = &self.journey.game().compiled;
        let law = self.journey.victories_by(|end| end.held);
        if law.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\n## What winners have at the end\n\n| | least | mean | most |"
        )?;
        writeln!(f, "|---|---:|---:|---:|")?;
        let numbers = |stat: usize| law.iter().map(move |(held, p)| (held.stats[stat], p));
        for (number, stat) in compiled.stats.iter().enumerate() {
            let least = numbers(number).map(|(value, _)| value).min().unwrap_or(0);
            let most = numbers(number).map(|(value, _)| value).max().unwrap_or(0);
            let mean: f64 = numbers(number)
                .map(|(value, p)| f64::from(value) * p.to_f64().unwrap_or(0.0))
                .sum();
            let name = escaped(&stat.id);
            writeln!(f, "| {name} | {least} | {mean:.2} | {most} |")?;
        }
        let mut head = true;
        for (bit, name) in compiled.bits.iter().enumerate() {
            let held = law.iter().filter(|(held, _)| held.items >> bit & 1 == 1);
            let chance = held.fold(V::zero(), |sum, (_, p)| sum + p.clone());
            if chance.is_zero() {
                continue;
            }
            if std::mem::take(&mut head) {
                writeln!(f, "\n| held by winners | chance |\n|---|---:|")?;
            }
            writeln!(f, "| {} | {} |", escaped(name), percent(&chance))?;
        }
        Ok(())
    }

    fn visits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let book = self.journey.game().book();
        writeln!(
            f,
            "\n## Visits\n\n| section | kind | visited |\n|---:|---|---:|"
        )?;
        for (number, chance) in self.journey.visited() {
            let Ok(section) = book.section(number) else {
                continue;
            };
            let mut what = book.kind_of(section).to_string();
            if let Some(label) = shown(section.label.as_deref()) {
                what = format!("{}, {what}", escaped(label));
            }
            writeln!(f, "| {number} | {what} | {} |", percent(chance))?;
        }
        let never = book.len() - self.journey.visited().count();
        writeln!(f, "\nSections never visited: {never} of {}.", book.len())
    }
}

impl<V: Probability> fmt::Display for Report<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head(f)?;
        self.tables(f)?;
        self.walkthrough(f)?;
        if let Some(lint) = self.lint {
            self.needs(lint, f)?;
        }
        self.ends(f)?;
        self.winners(f)?;
        self.visits(f)?;
        if let Some(lint) = self.lint {
            writeln!(f, "\n## Findings\n")?;
            for finding in lint.findings() {
                let words = escaped(&finding.to_string());
                writeln!(f, "- {}: {words}", finding.kind())?;
            }
            if lint.findings().is_empty() {
                writeln!(f, "None.")?;
            }
            match lint.search() {
                Some(LintSearch::Unknown { places }) => writeln!(
                    f,
                    "\nThe search for readers who get stuck, or into debt, stopped after {places} places."
                )?,
                Some(LintSearch::NotFollowed { section, .. }) => writeln!(
                    f,
                    "\nThe search for readers who get stuck, or into debt, could not follow section {section}."
                )?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// A text on one line, with Markdown markup escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' => {
                escaped.extend(['\\', letter]);
            }
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}
