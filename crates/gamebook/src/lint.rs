//! The linter: what can be proven about a book without solving it.

mod below_zero;
mod cycles;
mod flow;
pub(crate) mod graph;
mod idle;
mod known;
mod needs;
mod options;
mod prices;
mod reads;
mod search;
mod trials;
mod watch;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;

pub(crate) use graph::components;
pub use search::LintSearch;

use crate::compiled::{Compiled, Scene};
use crate::{Book, Character, Error, Finding};
use below_zero::Debts;
use flow::{Edge, Flow, STAY};
use known::{Known, Sheets};
use needs::Needs;
use search::Search;
use trials::Worn;

/// The findings of the linter.
///
/// Its text form has one line about the book, then one for each finding.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Book, Lint};
///
/// let book = Book::builder().choice(1, [("jump", 2), ("climb", 3)]).lost(2).won(3).won(4).build()?;
/// let lint: Lint = book.lint();
/// assert_eq!(lint.to_string(), "\
/// 3 of 4 sections can be reached; findings: 2
/// surely-lost: section 1: choice[0] \"jump\" always loses
/// unreachable: section 4 cannot be reached from the start
/// ");
/// # Ok::<(), oddsmith_gamebook::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    findings: Vec<Finding>,
    pub(crate) sections: usize,
    reachable: usize,
    can_be_won: bool,
    search: Option<LintSearch>,
}

impl Lint {
    /// Returns the findings. Stuck readers come first, if a [search](Book::lint_up_to) has found
    /// any. Then follow all other findings by section, those about items and flags in the order of
    /// the sheet, and cycles by their first section.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Finding};
    /// let book = Book::builder().choice(1, [("on", 2)]).choice(2, [("on", 3)]).won(3).won(4).build()?;
    /// let (must, never) = (Finding::MustPass { section: 2 }, Finding::Unreachable { section: 4 });
    /// assert_eq!(book.lint().findings(), [must, never]);
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns how many sections may be reached, as far as the bounds tell.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().choice(1, [("on", 2)]).won(2).lost(3).build()?;
    /// assert_eq!(book.lint().reachable(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reachable(&self) -> usize {
        self.reachable
    }

    /// Returns whether the bounds leave a way to victory. If false, nobody ever wins.
    ///
    /// # Examples
    /// A book that only goes round:
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().choice(1, [("east", 2), ("west", 3)]);
    /// let book = book.choice(2, [("back", 1)]).choice(3, [("back", 1)]).won(4).build()?;
    /// assert!(!book.lint().can_be_won());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn can_be_won(&self) -> bool {
        self.can_be_won
    }

    /// Returns how far the [search](Book::lint_up_to) for stuck readers and debts got, or `None` if
    /// there was none.
    ///
    /// # Examples
    /// Only a search for one hero visits places:
    /// ```
    /// use oddsmith_gamebook::{Book, LintSearch};
    /// # use oddsmith_fightingfantasy::Hero;
    /// let book = Book::builder().choice(1, [("on", 2)]).won(2).build()?;
    /// assert_eq!(book.lint().search(), None);
    /// let lint = book.lint_up_to(Hero::new(7, 14, 7)?, 100)?;
    /// assert_eq!(lint.search(), Some(LintSearch::Complete { places: 0 })); // the bounds show it
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn search(&self) -> Option<LintSearch> {
        self.search
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lint {
            findings,
            sections,
            reachable,
            ..
        } = self;
        writeln!(
            f,
            "{reachable} of {sections} sections can be reached; findings: {}",
            findings.len()
        )?;
        if !self.can_be_won {
            writeln!(f, "nobody can win")?;
        }
        match self.search {
            Some(LintSearch::Unknown { places }) => writeln!(
                f,
                "the search stopped after {places} places: more readers may get stuck or into debt; raise the limit of `Book::lint_up_to`"
            )?,
            Some(LintSearch::NotFollowed { places, section }) => writeln!(
                f,
                "the search visited {places} places, but more readers may get stuck or into debt: in section {section}, a stat leaves the range from -32768 to 32767 (give it a cap and a floor or, if its cap is raised repeatedly, put a condition on the increase), or too many outcomes are possible at once"
            )?,
            Some(LintSearch::Complete { places }) => writeln!(
                f,
                "nobody who lives on gets stuck or into debt, except where a finding says so ({places} places visited)"
            )?,
            None => {}
        }
        for finding in findings {
            writeln!(f, "{}: {finding}", finding.kind())?;
        }
        Ok(())
    }
}

impl Book {
    /// Proves what can be proven about the book without solving it, for all heroes that its sheet
    /// allows.
    ///
    /// The linter is an abstract interpreter. For every section it computes bounds on what can be
    /// held there: intervals for stats, and for items and flags what may and what must be held. The
    /// bounds never exclude a possible hero, so whatever they exclude is impossible, and a finding
    /// is a proof. There are exceptions. [`Finding::MayBeStuck`] and [`Finding::MayFallBelowZero`]
    /// say that there was no proof; [`Book::lint_up_to`] settles them for one hero.
    /// [`Finding::Cycle`] proves that nobody goes round for ever, if something bounds the cycle, but
    /// not that somebody can go round at all.
    ///
    /// As to chance, the linter only checks whether any roll passes or fails a test, and whether
    /// any blow of the hero can land in a fight. It does so by the rules of the book; [other
    /// rules](crate::BookGame::with_rules) may allow what these do not. (Links to sections that do
    /// not exist are [errors](Error::MissingTarget).)
    ///
    /// # Complexity
    /// A few passes over the links, and at most one or two for each item or flag that makes a
    /// difference to something.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Choice, Condition, Effect, Item, Manuscript, Passage, Play, Section};
    ///
    /// let mut book = Manuscript::new("cellar");
    /// book.sheet.items = vec![Item::new("key"), Item::new("spoon")];
    /// let key = Passage { effects: vec![Effect::Gain("key".into())], ..Passage::to(2) };
    /// let key = Choice::new("take the key", key);
    /// let spoon = Passage { effects: vec![Effect::Gain("spoon".into())], ..Passage::to(2) };
    /// let spoon = Choice::new("take the spoon", spoon);
    /// let open = Choice::new("unlock the door", Passage::to(3)).when(Condition::Has("key".into()));
    /// let dig = Choice::new("dig", Passage::lost());
    /// book.sections = vec![
    ///     Section::new(1, Play::Choice(vec![key, spoon]).into()),
    ///     Section::new(2, Play::Choice(vec![open, dig]).into()),
    ///     Section::new(3, Passage::won()),
    /// ];
    /// let lint = Book::new(book)?.lint();
    /// assert_eq!(lint.to_string(), "\
    /// 3 of 3 sections can be reached; findings: 5
    /// surely-lost: section 1: choice[1] \"take the spoon\" always loses: every victory after it needs key
    /// must-pass: every victory passes section 2
    /// surely-lost: section 2: choice[1] \"dig\" always loses
    /// must-have: nobody can win without ever having had key
    /// unread: spoon makes no difference to anything
    /// ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lint(&self) -> Lint {
        let compiled = self.compile();
        let sheet = &self.manuscript().sheet;
        let bits = |items: &mut dyn Iterator<Item = &String>| {
            let all: BTreeSet<&str> = items.map(String::as_str).collect();
            let bits = compiled.bits.iter().enumerate();
            bits.filter(|(_, name)| all.contains(&***name))
                .fold(0, |mask, (bit, _)| mask | 1_u128 << bit)
        };
        let certain = bits(&mut sheet.initial_items.iter());
        let perhaps = bits(&mut sheet.initial_choices.iter().flatten());
        let worn = Worn::of(&compiled);
        let rules = (&compiled, &worn, self.rules().test);
        let (sheets, known) = Sheets::all_heroes(rules, certain, perhaps);
        let analysis = Analysis::new(sheets, known, self.arrival(&compiled));
        analysis.lint(self, &analysis.debts(), &options::paths(self))
    }

    /// Proves what can be proven for this hero, and searches at most `limit` places for stuck
    /// readers and for stats that fall below 0. Since the bounds start from one hero, they exclude
    /// more than for all heroes.
    ///
    /// Every [`Finding::MayBeStuck`] that the search settles either becomes a [`Finding::Stuck`]
    /// with a shortest way there, or is dropped. In the same way, a [`Finding::MayFallBelowZero`]
    /// becomes a [`Finding::FallsBelowZero`] or is dropped. If the limit is reached first, or
    /// something cannot be followed, the unsettled ones stay, and [`Lint::search`] says so.
    ///
    /// # Errors
    /// The errors of [`BookGame::new`](crate::BookGame::new).
    ///
    /// # Complexity
    /// The same as for [`Book::lint`], plus the places within the limit, or no places if the bounds
    /// leave nothing to settle. The ways to all that is found have at most a million deeds together,
    /// or as many as there may be places if that is more.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Book, Choice, Condition, Enemy, Fight, Finding};
    /// use oddsmith_gamebook::{Manuscript, Passage, Play, Section, LintSearch};
    ///
    /// let mut book = Manuscript::new("ford");
    /// let fight = Fight::new([Enemy::new(7, 2)], Passage::to(2));
    /// let swim = Choice::new("swim", Passage::won()).when(Condition::at_least("stamina", 3));
    /// book.sections = vec![
    ///     Section::new(1, Play::Fight(Box::new(fight)).into()),
    ///     Section::new(2, Play::Choice(vec![swim]).into()),
    /// ];
    /// let book = Book::new(book)?;
    /// let lint = book.lint_up_to(Hero::new(7, 4, 7)?, 1_000)?;
    /// let way = vec![(1, "fight".to_owned())];
    /// assert!(lint.findings().contains(&Finding::Stuck { section: 2, way }));
    /// assert_eq!(lint.search(), Some(LintSearch::Complete { places: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    /// Only whoever has found the purse can buy the boat, but for less than it costs:
    /// ```
    /// # use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, Choice, Condition, Effect, Finding, Item};
    /// # use oddsmith_gamebook::{Manuscript, Passage, Play, Section, Stat};
    ///
    /// let found = vec![Effect::Gain("purse".into()), Effect::change("gold", 5)];
    /// let search = Choice::new("search", Passage { effects: found, ..Passage::to(2) });
    /// let paid = vec![Effect::change("gold", -7)];
    /// let buy = Choice::new("buy", Passage { effects: paid, ..Passage::won() });
    /// let options = vec![buy.when(Condition::Has("purse".into())), Choice::new("swim", Passage::won())];
    /// # let mut book = Manuscript::new("ford");
    /// # book.sheet.stats.push(Stat::new("gold", 1));
    /// # book.sheet.items.push(Item::new("purse"));
    /// # book.sections = vec![
    /// #     Section::new(1, Play::Choice(vec![search, Choice::new("go on", Passage::to(2))]).into()),
    /// #     Section::new(2, Play::Choice(options).into()),
    /// # ];
    /// # let book = Book::new(book)?;
    /// let lint = book.lint_up_to(Hero::new(7, 14, 7)?, 1_000)?;
    /// let debt = lint.findings().iter().find(|finding| finding.kind() == "falls-below-zero");
    /// assert_eq!(
    ///     debt.map(|debt| debt.to_string()).as_deref(),
    ///     Some("section 2: choice[0] can take gold below 0; path: 1, search: turn to 2; 2, buy"),
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lint_up_to(&self, hero: impl Into<Character>, limit: usize) -> Result<Lint, Error> {
        let game = self.game(hero)?;
        let compiled = &game.compiled;
        let worn = Worn::of(compiled);
        let rules = (&**compiled, &worn, self.rules().test);
        let (sheets, known) = Sheets::one_hero(rules, &game.caps, &game.start().held);
        let analysis = Analysis::new(sheets, known, self.arrival(compiled));
        let (suspects, debts) = (analysis.suspects(), analysis.debts());
        let paths = options::paths(self);
        let mut lint = analysis.lint(self, &debts, &paths);
        let ends: Vec<usize> = suspects.iter().chain(&debts.made_in).copied().collect();
        let search = Search {
            game: &game,
            suspects: &suspects,
            debts: &debts,
            steps: analysis.steps(),
            leads: &analysis.leads(&ends),
        };
        let (found, state) = search.run(limit)?;
        let settled = matches!(state, LintSearch::Complete { .. });
        lint.search = Some(state);
        lint.findings = analysis.settle(lint.findings, found, settled, &paths);
        // Other heroes may have the item from the start.
        let sheet = self.sheet();
        let chosen = sheet.initial_choices.iter().flatten();
        let brought: BTreeSet<&String> = sheet.initial_items.iter().chain(chosen).collect();
        lint.findings.retain(|finding| match finding {
            Finding::Unobtainable { item } => !brought.contains(item),
            _ => true,
        });
        Ok(lint)
    }

    fn arrival(&self, compiled: &Compiled) -> u32 {
        compiled.arrivals[compiled.start as usize]
    }
}

/// The analysis of a book.
struct Analysis<'c> {
    sheets: Sheets<'c>,
    /// What may be held before the first section is read, whose effects may take it away.
    brought: u128,
    start: Option<Known>,
    order: Vec<usize>,
    flow: Flow,
    edges: Vec<Edge>,
    wins: Vec<usize>,
    /// Steps (from, to) on which everybody dies on arrival. For a hero who dies in the first
    /// section, both are that section.
    fatal: BTreeSet<(usize, usize)>,
    /// What may be held by heroes who die of effects, at that moment.
    buried: u128,
    needs: Needs,
}

impl<'c> Analysis<'c> {
    fn new(sheets: Sheets<'c>, brought: Known, arrival: u32) -> Self {
        let buried = Cell::new(0);
        let watched = Sheets {
            buried: Some(&buried),
            ..sheets
        };
        let start = watched.run(arrival, brought);
        let order = sheets.order();
        let flow = sheets.flow(start, &order, &BTreeSet::new(), false);
        let mut edges = Vec::new();
        let (mut wins, mut fatal) = (Vec::new(), BTreeSet::new());
        for (scene, known) in flow.scenes.iter().enumerate() {
            let Some(known) = known else { continue };
            watched.edges(scene, known, &mut fatal, |edge| edges.push(edge));
            buried.set(buried.get() | watched.inside(scene, known).may);
            if matches!(sheets.book.scenes[scene], Scene::Ending(true)) {
                wins.push(scene);
            }
        }
        if start.is_none() {
            let first = sheets.book.start as usize;
            fatal.insert((first, first));
        }
        let needs = needs::needs(&edges, &flow, &order, &wins);
        Analysis {
            sheets,
            brought: brought.may,
            start,
            order,
            flow,
            edges,
            wins,
            fatal,
            buried: buried.get(),
            needs,
        }
    }

    /// The findings about a book. `paths` are the paths of the scenes within their sections.
    fn lint(&self, book: &Book, debts: &Debts, paths: &[String]) -> Lint {
        let compiled = self.sheets.book;
        let sections = compiled.sections();
        let mut findings = self.section_findings(book, debts, paths);
        // The sort is stable, so within a section the checks stay in order.
        findings.sort_by_key(|finding| finding.sections().first().copied());
        findings.extend(self.item_findings());
        let all: Vec<usize> = (0..self.edges.len()).collect();
        for within in cycles::cycles(compiled, &self.edges, &all) {
            let ends = within.iter().map(|&edge| self.edges[edge].from);
            let numbers: BTreeSet<u32> = ends.map(|scene| compiled.numbers[scene]).collect();
            let bounded_by = cycles::bound(compiled, &self.edges, within).unwrap_or_default();
            findings.push(Finding::Cycle {
                sections: numbers.into_iter().collect(),
                bounded_by: bounded_by.into_iter().collect(),
            });
        }
        let alive = self.flow.scenes[..sections].iter().flatten();
        let fatal = self.fatal_arrivals();
        let fatal = fatal.iter().filter(|scene| **scene < sections);
        Lint {
            findings,
            sections,
            reachable: alive.count() + fatal.count(),
            can_be_won: self.can_be_won(),
            search: None,
        }
    }

    /// The scenes where everybody who arrives dies on arrival.
    fn fatal_arrivals(&self) -> BTreeSet<usize> {
        let arrivals = self.fatal.iter().map(|(_, to)| *to);
        arrivals
            .filter(|scene| self.flow.scenes[*scene].is_none())
            .collect()
    }

    fn can_be_won(&self) -> bool {
        let start = self.sheets.book.start as usize;
        let needed = self.needs.scenes[start].zip(self.flow.scenes[start].as_ref());
        needed.is_some_and(|(needed, known)| needed & !known.may == 0)
    }

    fn section_findings(&self, book: &Book, debts: &Debts, paths: &[String]) -> Vec<Finding> {
        let compiled = self.sheets.book;
        let sections = compiled.sections();
        let mut findings = Vec::new();
        let must_pass = self.must_pass();
        let goes_on = self.goes_on();
        let fatal = self.fatal_arrivals();
        let suspects: BTreeSet<u32> = self
            .suspects()
            .into_iter()
            .map(|scene| compiled.numbers[scene])
            .collect();
        for scene in 0..sections {
            let section = compiled.numbers[scene];
            let ending = matches!(compiled.scenes[scene], Scene::Ending(_));
            let written = book.get(section);
            let idle = written.map(idle::idle).unwrap_or_default().into_iter();
            let idle = idle.map(|field| Finding::NoEffect { section, field });
            if self.flow.scenes[scene].is_none() {
                if !fatal.contains(&scene) {
                    findings.push(Finding::Unreachable { section });
                    continue;
                }
                if !ending {
                    // Everybody who comes there dies on arrival.
                    findings.push(Finding::Hopeless { section });
                }
                findings.extend(idle);
                continue;
            }
            if !ending && !goes_on[scene] {
                findings.push(Finding::DeadEnd { section });
            } else if !ending && self.needs.scenes[scene].is_none() {
                findings.push(Finding::Hopeless { section });
            }
            if suspects.contains(&section) {
                findings.push(Finding::MayBeStuck { section });
            }
            if !ending && must_pass[scene] && scene != compiled.start as usize {
                findings.push(Finding::MustPass { section });
            }
            findings.extend(idle);
        }
        findings.extend(self.option_findings(paths));
        findings.extend(self.foregone(paths));
        findings.extend(self.unguarded(paths));
        let debts = debts.all.iter();
        findings.extend(debts.map(|debt| self.may_fall(debt, paths)));
        findings
    }

    /// By section, whether anything leads out of it, dead or alive.
    fn goes_on(&self) -> Vec<bool> {
        let compiled = self.sheets.book;
        let sections = compiled.sections();
        let place = |scene: usize| {
            let numbers = &compiled.numbers[..sections];
            numbers.binary_search(&compiled.numbers[scene]).ok()
        };
        let mut goes_on = vec![false; sections];
        let steps = self.edges.iter().map(|edge| (edge.from, edge.to));
        for (from, to) in steps.chain(self.fatal.iter().copied()) {
            let out = place(from) != place(to) || matches!(compiled.scenes[to], Scene::Ending(_));
            if let (true, Some(from)) = (out, place(from)) {
                goes_on[from] = true;
            }
        }
        goes_on
    }

    /// By scene, whether every victory passes it: the dominators of a node behind all victories,
    /// over the steps that are not lost.
    fn must_pass(&self) -> Vec<bool> {
        let count = self.flow.scenes.len();
        let mut next = vec![Vec::new(); count + 1];
        for (edge, lost) in self.edges.iter().zip(&self.needs.lost) {
            if !lost && edge.slot != STAY {
                next[edge.from].push(edge.to);
            }
        }
        for &won in &self.wins {
            next[won].push(count);
        }
        let mut passed = vec![false; count];
        for scene in graph::passed(&next, self.sheets.book.start as usize, count) {
            passed[scene] = true;
        }
        passed
    }

    /// The scenes from which one of these may be reached, as far as the bounds tell.
    fn leads(&self, to: &[usize]) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.flow.scenes.len()];
        for edge in &self.edges {
            before[edge.to].push(edge.from);
        }
        let mut leads = vec![false; self.flow.scenes.len()];
        let mut waiting = to.to_vec();
        while let Some(scene) = waiting.pop() {
            if !std::mem::replace(&mut leads[scene], true) {
                waiting.extend(&before[scene]);
            }
        }
        leads
    }
}
