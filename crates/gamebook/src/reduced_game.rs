//! A game that merges places of equal value.

use oddsmith_mdp::{Game, Node};

use crate::compiled::{Compiled, CompiledOption, Scene};
use crate::place::{Held, STATS};
use crate::solver::reduction::live::Needs;
use crate::solver::reduction::supplies::supplies;
use crate::solver::reduction::{LeftOut, Reduced};
use crate::{BookGame, Move, Place};

/// A [`BookGame`] with fewer places: only those entries of a sheet are kept that something may
/// still read.
///
/// Dead items, flags and raised caps, which nothing reads any more, are forgotten. Stats are cut
/// where more of them, or less, is worth the same. A hero who lacks what every victory needs has
/// lost. These are the reductions of [`BookSolver`](crate::BookSolver) that concern a single sheet.
/// Forced moves without chance are contracted, except that one of the sections stays a place if
/// such moves alone can come back to it. None of this changes a value or a choice, so any solver
/// can take this game and has less to do: in fractions, certified, lazily, or with a policy of your
/// own.
///
/// At a place of this game, a stat that nothing reads is 0, and an item that nothing reads is not
/// held. [`place`](ReducedGame::place) maps a place of the book to its representative. What is held
/// at the end is forgotten, too, and sections that are only passed do not appear. A road whose only
/// loss is money that nobody asks for becomes a cycle; use
/// [`allow_cycles`](oddsmith_mdp::Solver::allow_cycles).
///
/// # Complexity
/// The liveness analysis takes a few passes over the book. Each place then takes a few steps more
/// than in [`BookGame`].
///
/// # Examples
/// A reader who comes by way of the tower has a lantern that nothing asks for:
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Effect, Item, Play};
/// use oddsmith_mdp::Solver;
///
/// let roads = Book::builder().choice(1, [("tower", 2), ("road", 2)]);
/// let mut manuscript = roads.luck(2, 3, 4).won(3).lost(4).build()?.manuscript().clone();
/// manuscript.sheet.items.push(Item::new("lantern"));
/// if let Play::Choice(roads) = &mut manuscript.sections[0].passage.play {
///     roads[0].passage.effects.push(Effect::Gain("lantern".to_owned()));
/// }
/// let game = Book::new(manuscript)?.game(&Hero::new(7, 14, 7)?)?;
/// let reduced = game.reduced();
/// let all = Solver::exact().solve(&game, game.start())?;
/// let few = Solver::exact().solve(&reduced, reduced.place(game.start()))?;
/// assert_eq!((all.value().to_string(), few.value().to_string()), ("7/12".into(), "7/12".into()));
/// assert_eq!((all.len(), few.len()), (7, 4)); // sections 2 to 4 are there twice, or once
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReducedGame {
    game: BookGame,
    /// By scene.
    needs: Vec<Needs>,
    /// By scene, the items and flags without which nobody wins.
    needed: Vec<u128>,
    /// By scene, whether a forced move is made at once. No such scene leads back to itself by
    /// forced moves alone.
    passed: Vec<bool>,
    /// By stat, whether it may be used up for nothing without being missed, if such moves are left
    /// out.
    supplies: Option<[bool; STATS]>,
}

impl BookGame {
    /// Returns the same game with fewer places, by merging those of equal value.
    ///
    /// # Examples
    /// After the fight, the remaining STAMINA makes no difference:
    /// ```
    /// # use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::Solver;
    ///
    /// let book = Book::builder().fight(1, Foe::new(7, 4)?, 2).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let game = book.game(&Hero::new(7, 8, 7)?)?;
    /// let reduced = game.reduced();
    /// let all = Solver::exact().solve(&game, game.start())?;
    /// let few = Solver::exact().solve(&reduced, reduced.place(game.start()))?;
    /// assert_eq!(all.value(), few.value());
    /// assert_eq!((all.len(), few.len()), (14, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reduced(&self) -> ReducedGame {
        let all = LeftOut {
            waste: false,
            ..LeftOut::ALL
        };
        ReducedGame::new(self, all)
    }
}

impl ReducedGame {
    pub(crate) fn new(game: &BookGame, left_out: LeftOut) -> Self {
        let Reduced { live, needed, .. } = Reduced::new(game, left_out);
        ReducedGame {
            needs: live.scenes,
            needed,
            passed: Vec::new(),
            supplies: None,
            game: game.clone(),
        }
        .contract(left_out.contract)
        .leave_out_waste(left_out.waste)
    }

    /// Sets whether to contract forced moves: what is the only thing to do, without chance, is done
    /// at once. The default is true.
    ///
    /// # Examples
    /// Four sections in a row are one place, or four:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::Solver;
    ///
    /// let turns = (1..=4).fold(Book::builder(), |book, at| book.choice(at, [("on", at + 1)]));
    /// let game = turns.luck(5, 6, 7).won(6).lost(7).build()?.game(&Hero::new(7, 14, 7)?)?;
    /// let places = |contract: bool| {
    ///     let reduced = game.reduced().contract(contract);
    ///     Ok::<_, oddsmith_mdp::Error>(Solver::exact().solve(&reduced, reduced.place(game.start()))?.len())
    /// };
    /// assert_eq!((places(true)?, places(false)?), (3, 7)); // a test and two ends
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contract(mut self, contract: bool) -> Self {
        self.passed = match contract {
            true => passed(&self.game.compiled),
            false => Vec::new(),
        };
        self
    }

    /// Sets whether to leave out moves that come back to the same choice with nothing changed but
    /// less of a supply, such as a meal at full STAMINA. The default is false.
    ///
    /// A supply is a stat of which more is never worse, because it is only added to, set, and
    /// required by options. So no value changes, but such moves are no longer listed, even if they
    /// do no harm.
    ///
    /// # Examples
    /// A hero with full STAMINA may eat up to five meals before a fight, or keep them:
    /// ```
    /// use oddsmith_gamebook::{Book, Character, Condition, Effect, Manuscript, Refreshment, Stat};
    /// # use oddsmith_gamebook::{Choice, Enemy, Fight, Passage, Play, Section};
    /// use oddsmith_mdp::Solver;
    ///
    /// let mut book = Manuscript::new("provisions");
    /// book.sheet.stats.push(Stat { floor: Some(0), ..Stat::new("provisions", 5) });
    /// book.sheet.refreshments.push(Refreshment {
    ///     label: "eat".into(),
    ///     condition: Some(Condition::at_least("provisions", 1)),
    ///     effects: vec![Effect::change("provisions", -1), Effect::change("stamina", 4)],
    /// });
    /// # book.rules.refresh_options = 1;
    /// # let fight = |to| Play::Fight(Box::new(Fight::new([Enemy::new(7, 2)], to)));
    /// # let on = |to| Play::Choice(vec![Choice::new("fight", fight(to).into())]);
    /// # book.sections = vec![Section::new(1, on(Passage::to(2)).into()), Section::new(2, on(Passage::won()).into())];
    /// let game = Book::new(book)?.game(Character::new().stat("skill", 7).stat("stamina", 4).stat("luck", 7))?;
    /// let places = |leave_out: bool| {
    ///     let reduced = game.reduced().leave_out_waste(leave_out);
    ///     let solution = Solver::exact().solve(&reduced, reduced.place(game.start()))?;
    ///     Ok::<_, oddsmith_mdp::Error>((solution.value(), solution.len()))
    /// };
    /// let ((value, all), (same, fewer)) = (places(false)?, places(true)?);
    /// assert_eq!((value, all, fewer), (same, 26, 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn leave_out_waste(mut self, leave_out: bool) -> Self {
        self.supplies = leave_out.then(|| supplies(&self.game.compiled));
        self
    }

    /// Returns the original game.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let game = Book::builder().won(1).build()?.game(&Hero::new(7, 14, 8)?)?;
    /// assert_eq!(game.reduced().game().start(), game.start());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn game(&self) -> &BookGame {
        &self.game
    }

    /// Returns the representative of a place, which stands for all places that differ only in what
    /// nothing reads and so have the same value. In the middle of a fight, and before arrival, each
    /// place represents itself.
    ///
    /// # Examples
    /// Nothing reads SKILL, and of STAMINA only whether any is left:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 8)?)?;
    /// let place = game.reduced().place(game.start());
    /// assert_eq!(game.describe(&place), "section 1 (skill 0, stamina 1, luck 8)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn place(&self, place: Place) -> Place {
        let mut place = self.essence(place);
        while let Some(next) = self.forced(&place) {
            place = self.essence(next);
        }
        place
    }

    /// The place without what nothing reads.
    fn essence(&self, place: Place) -> Place {
        let scene = place.scene as usize;
        let book = &self.game.compiled;
        let (Some(needs), Some(needed)) = (self.needs.get(scene), self.needed.get(scene)) else {
            return place;
        };
        let rest = &book.scenes[scene];
        let between = matches!(rest, Scene::Game { .. }) && !place.is_arriving();
        if !place.begins() && !between {
            return place;
        }
        let held = needs.essence(book, &place.held);
        match rest {
            Scene::Ending(_) | Scene::Dead => Place { held, ..place },
            // A bit may be needed although nothing reads it, since it is taken away first. Holding
            // it does not help then, so the hero has lost in any case.
            _ if needed & !held.items == 0 => Place { held, ..place },
            _ => self.essence(self.game.death(&place, held)),
        }
    }

    /// Whether a place is in a fight that goes on for ever with nothing changed, which is lost. In
    /// the book, what a toll gives may be a change once, even if nothing reads it.
    fn never_changes(&self, place: &Place, whole: &Node<BookGame>) -> bool {
        let scene = self.game.compiled.scenes.get(place.scene as usize);
        let mut next = whole.wide_outcomes(0);
        matches!(scene, Some(Scene::Fight { .. }))
            && whole.len() == 1
            && next.all(|(to, _)| self.place(*to) == *place)
    }

    /// Whether a choice comes back with nothing changed but less of some supplies. Whatever can be
    /// done with less of a supply can be done with more, and so at once.
    fn is_wasted(&self, place: &Place, whole: &Node<BookGame>, choice: usize) -> bool {
        let Some(supplies) = self.supplies else {
            return false;
        };
        let mut next = whole.wide_outcomes(choice);
        let (Some((to, _)), None) = (next.next(), next.next()) else {
            return false;
        };
        let poorer = self.place(*to);
        let stats = poorer.held.stats.iter().zip(place.held.stats);
        let mut stats = stats.zip(supplies);
        let held = Held {
            stats: place.held.stats,
            ..poorer.held
        };
        poorer != *place
            && Place { held, ..poorer } == *place
            && stats.all(|((less, more), supply)| *less == more || supply && *less < more)
    }

    /// The next place, if it is certain and there is nothing to decide.
    fn forced(&self, place: &Place) -> Option<Place> {
        if !place.begins() || self.passed.get(place.scene as usize) != Some(&true) {
            return None;
        }
        let book = &self.game.compiled;
        let held = &place.held;
        let open = |options: &[CompiledOption]| {
            let open = options.iter();
            let mut open = open.filter(|option| book.open(option.condition, held));
            (open.next().map(|option| option.way), open.next().is_none())
        };
        let way = match book.scenes.get(place.scene as usize)? {
            Scene::Turn(way) => *way,
            Scene::First(cases) => open(cases).0?,
            Scene::Choice(options) => match open(options) {
                (Some(way), true) if book.refreshing(place.scene, held, 1).next().is_none() => way,
                _ => return None,
            },
            _ => return None,
        };
        let places = self.game.go(place, place.held, way).ok()?;
        match places.outcomes[..] {
            [(next, _)] => Some(next),
            _ => None,
        }
    }
}

/// The scenes that may be contracted: on every cycle of turns and choices, at least one is not.
/// However many laps play makes, it stops there each time.
fn passed(book: &Compiled) -> Vec<bool> {
    let ways = |scene: &Scene| match scene {
        Scene::Turn(way) => vec![way.to as usize],
        Scene::First(options) | Scene::Choice(options) => {
            let ways = options.iter().map(|option| option.way.to as usize);
            ways.collect()
        }
        _ => Vec::new(),
    };
    let next: Vec<Vec<usize>> = book.scenes.iter().map(ways).collect();
    let mut passed = vec![true; next.len()];
    // Depth first: a back edge leads to a scene whose search is still open.
    let mut looked = vec![0; next.len()];
    let mut open = vec![false; next.len()];
    for first in 0..next.len() {
        let mut road = vec![first];
        while let Some(&scene) = road.last() {
            match next[scene].get(looked[scene]) {
                Some(&to) => {
                    open[scene] = true;
                    looked[scene] += 1;
                    passed[to] &= !open[to];
                    if looked[to] == 0 {
                        road.push(to);
                    }
                }
                None => {
                    open[scene] = false;
                    road.pop();
                }
            }
        }
    }
    passed
}

impl Game for ReducedGame {
    type State = Place;
    type Action = Move;

    fn expand(&self, place: &Place, node: &mut Node<Self>) {
        let Some(whole) = node.inner(&self.game, place) else {
            return;
        };
        if let Some(score) = whole.score() {
            return node.end(score.clone());
        }
        if self.never_changes(place, &whole) {
            let dead = self.game.death(place, place.held);
            node.chance().to(self.place(dead), 1);
            return;
        }
        let all = 0..whole.len();
        let mut useful: Vec<usize> = all.clone().collect();
        useful.retain(|choice| !self.is_wasted(place, &whole, *choice));
        if useful.is_empty() {
            // Nobody wins then.
            useful.extend(all);
        }
        for choice in useful {
            node.choice_of(&whole, choice, |to| self.place(*to));
        }
    }

    fn describe(&self, place: &Place) -> String {
        self.game.describe(place)
    }
}
