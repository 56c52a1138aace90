//! The graph of a book: its sections and the links between them.

mod colour;
mod dot;
#[cfg(feature = "plot")]
mod layout;
#[cfg(feature = "plot")]
mod svg;

use std::collections::BTreeMap;
use std::fmt;

use indexmap::{IndexMap, IndexSet};

use crate::section::{Ending, Play, shown};
use crate::{Book, Journey, Passage, Probability, Section};

/// The graph of a book, to be drawn: a node for each section, an arrow for each link.
///
/// As in Figure S5 of "City of Thieves solved", sections with a fight are red circles, those with a
/// test of LUCK blue, and those with a test of SKILL green. Endings are octagons, and whatever may
/// end in victory has a double line. With [`visits`](BookGraph::visits), a section is the lighter,
/// the more readers visit it. The colours are those of viridis, which keep their order for
/// colour-blind readers and in grey. Sections that nobody visits are not filled.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::Book;
///
/// let book = Book::builder().fight(1, Foe::new(7, 2)?, 2).luck(2, 3, 4).won(3).lost(4).build()?;
/// let journey = book.follow(&Hero::new(7, 2, 7)?, oddsmith_mdp::AtRandom)?;
/// assert_eq!(book.graph().visits(&journey).edge_labels().to_dot(), r##"digraph {
///   node [fontname="sans-serif" style=filled fillcolor=white];
///   s1 [label="1" shape=circle color="#d62728" penwidth=3 fillcolor="#fde725" tooltip="section 1, fight, 100.00 %"];
///   s2 [label="2" shape=circle color="#1f77b4" penwidth=3 fillcolor="#21918c" fontcolor=white tooltip="section 2, test of luck, 50.00 %"];
///   s3 [label="3" shape=doubleoctagon fillcolor="#365d8c" fontcolor=white tooltip="section 3, victory, 29.17 %"];
///   s4 [label="4" shape=octagon fillcolor="#3f4686" fontcolor=white tooltip="section 4, defeat, 20.83 %"];
///   s1 -> s2 [label="victory"];
///   s2 -> s3 [label="success"];
///   s2 -> s4 [label="failure"];
/// }
/// "##);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookGraph<'b> {
    book: &'b Book,
    /// By section; `None` if no journey is given.
    visits: Option<BTreeMap<u32, f64>>,
    edge_labels: bool,
    #[cfg(feature = "plot")]
    max_points: usize,
}

impl Book {
    /// Returns the graph of the book.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).luck(2, 4, 3).lost(3).won(4).build()?;
    /// let arrows = book.graph().to_dot().matches(" -> ").count();
    /// assert_eq!(arrows, 4); // two from each
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn graph(&self) -> BookGraph<'_> {
        BookGraph {
            book: self,
            visits: None,
            edge_labels: false,
            #[cfg(feature = "plot")]
            max_points: svg::MOST_POINTS,
        }
    }
}

impl BookGraph<'_> {
    /// Colours the sections by the probability that this journey visits them.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().chance(1, [(2, 3), (3, 1)]).won(2).lost(3).build()?;
    /// let journey = book.follow(&Hero::new(7, 14, 7)?, oddsmith_mdp::AtRandom)?;
    /// let dot = book.graph().visits(&journey).to_dot();
    /// assert!(dot.contains("tooltip=\"section 2, victory, 75.00 %\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn visits<V: Probability>(mut self, journey: &Journey<V>) -> Self {
        let visits = journey.visited();
        let visits = visits.map(|(at, chance)| (at, chance.to_f64().unwrap_or(0.0)));
        self.visits = Some(visits.collect());
        self
    }

    /// Labels each arrow with what leads there.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().choice(1, [("left", 2), ("right", 3)]).won(2).lost(3).build()?;
    /// let dot = book.graph().edge_labels().to_dot();
    /// assert!(dot.contains("s1 -> s2 [label=\"left\"];\n  s1 -> s3 [label=\"right\"];"));
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn edge_labels(mut self) -> Self {
        self.edge_labels = true;
        self
    }

    /// The links in the order of the book: from, to, and what leads there.
    fn links(&self) -> Vec<(u32, u32, String)> {
        let sections = self.book.sections();
        sections
            .flat_map(|(from, section)| {
                let links = links(&section.passage).into_iter();
                links.map(move |(to, labels)| {
                    (from, to, labels.into_iter().collect::<Vec<_>>().join(" / "))
                })
            })
            .collect()
    }

    /// The name of a section, its kind, and the probability of a visit.
    fn words(&self, number: u32, section: &Section) -> String {
        let mut words = format!("section {number}");
        if let Some(label) = shown(section.label.as_deref()) {
            words += &format!(" \"{label}\"");
        }
        words += &format!(", {}", self.book.kind_of(section));
        if let Some(visits) = &self.visits {
            let chance = visits.get(&number).unwrap_or(&0.0);
            words += &format!(", {}", crate::plan::percent(chance));
        }
        words
    }

    /// The probability of a visit, for the colour; `None` if there is none.
    fn shade(&self, number: u32) -> Option<f64> {
        self.visits.as_ref()?.get(&number).copied()
    }
}

/// The kind of a section, as it appears to the reader.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, SectionKind};
///
/// let book = Book::builder().skill(1, 2, 3).choice(2, [("up", 4), ("down", 3)]).lost(3).won(4).build()?;
/// let kinds: Vec<String> = (1..=4).map(|at| book.kind(at).map(|kind| kind.to_string())).collect::<Result<_, _>>()?;
/// assert_eq!(kinds, ["test of skill", "choice", "defeat", "victory"]);
/// assert!(SectionKind::Fight < SectionKind::Skill && SectionKind::Skill < SectionKind::Choice);
/// # Ok::<(), oddsmith_gamebook::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SectionKind {
    /// There is a fight.
    Fight,
    /// LUCK is tested.
    Luck,
    /// SKILL is tested.
    Skill,
    /// Another stat is tested.
    Test,
    /// Something is bought or sold.
    Shop,
    /// Dice or another game are played.
    Game,
    /// Chance decides.
    Random,
    /// The reader chooses.
    Choice,
    /// There is nothing to do but turn to the next section.
    Plain,
    /// The adventure succeeds.
    Won,
    /// The adventure fails.
    Lost,
}

impl fmt::Display for SectionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SectionKind::Fight => "fight",
            SectionKind::Luck => "test of luck",
            SectionKind::Skill => "test of skill",
            SectionKind::Test => "test",
            SectionKind::Shop => "shop",
            SectionKind::Game => "game",
            SectionKind::Random => "chance",
            SectionKind::Choice => "choice",
            SectionKind::Plain => "page",
            SectionKind::Won => "victory",
            SectionKind::Lost => "defeat",
        })
    }
}

impl Book {
    /// Returns the kind of a section. If its parts are of several kinds, the first in the order of
    /// [`SectionKind`] counts.
    ///
    /// # Errors
    /// [`Error::NoSuchSection`](crate::Error::NoSuchSection) if the book has no such section.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, SectionKind};
    /// let book = Book::builder().luck(7, 400, 3).won(400).lost(3).build()?;
    /// assert_eq!(book.kind(7)?, SectionKind::Luck);
    /// assert_eq!(book.kind(400)?.to_string(), "victory");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kind(&self, section: u32) -> Result<SectionKind, crate::Error> {
        Ok(self.kind_of(self.section(section)?))
    }

    pub(crate) fn kind_of(&self, section: &Section) -> SectionKind {
        match section.passage.play {
            Play::Ending(Ending::Won) => return SectionKind::Won,
            Play::Ending(Ending::Lost) => return SectionKind::Lost,
            _ => {}
        }
        let rules = self.rules();
        let mut kind = SectionKind::Plain;
        section.passage.visit(&mut |passage| {
            kind = kind.min(match &passage.play {
                Play::Fight(_) => SectionKind::Fight,
                Play::Test(test) if test.stat == rules.luck => SectionKind::Luck,
                Play::Test(test) if test.stat == rules.skill => SectionKind::Skill,
                Play::Test(_) => SectionKind::Test,
                Play::Shop(_) => SectionKind::Shop,
                Play::Game(_) => SectionKind::Game,
                Play::Random(_) => SectionKind::Random,
                Play::Choice(_) => SectionKind::Choice,
                Play::Turn(_) | Play::First(_) | Play::Ending(_) => SectionKind::Plain,
            });
        });
        kind
    }
}

/// Whether the adventure may end in victory in this section.
fn wins(section: &Section) -> bool {
    let mut wins = false;
    section.passage.visit(&mut |passage| {
        wins |= passage.play == Play::Ending(Ending::Won);
    });
    wins
}

/// The sections that a passage may lead to, in the order they are named, each with what leads
/// there.
fn links(passage: &Passage) -> IndexMap<u32, IndexSet<String>> {
    let mut links: IndexMap<u32, IndexSet<String>> = IndexMap::new();
    let mut waiting = vec![(passage, String::new())];
    while let Some((passage, label)) = waiting.pop() {
        if let Play::Turn(to) = passage.play {
            let labels = links.entry(to).or_default();
            if !label.is_empty() {
                labels.insert(label);
            }
            continue;
        }
        let labels = inner_labels(&passage.play);
        let inner = passage.play.inner().into_iter().zip(labels);
        let inner: Vec<_> = inner
            .map(|(inner, own)| match (label.is_empty(), own.is_empty()) {
                (true, _) => (inner, own),
                (false, true) => (inner, label.clone()),
                (false, false) => (inner, format!("{label}, {own}")),
            })
            .collect();
        waiting.extend(inner.into_iter().rev());
    }
    links
}

/// Labels for the passages directly within.
fn inner_labels(play: &Play) -> Vec<String> {
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    match play {
        Play::Turn(_) | Play::Ending(_) => Vec::new(),
        Play::Choice(options) | Play::First(options) => {
            let labels = options.iter().map(|option| shown(option.label.as_deref()));
            let labels = labels.map(Option::unwrap_or_default);
            labels.map(str::to_owned).collect()
        }
        Play::Test(_) => named(&["success", "failure"]),
        Play::Fight(_) => named(&["victory", "flight"]),
        Play::Shop(_) | Play::Game(_) => named(&[""]),
        Play::Random(branches) => {
            let total: u64 = branches.iter().map(|branch| u64::from(branch.weight)).sum();
            let weights = branches.iter().map(|branch| branch.weight);
            weights
                .map(|weight| format!("{weight} in {total}"))
                .collect()
        }
    }
}
