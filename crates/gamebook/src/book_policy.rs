//! The decisions of best play, wherever it may arrive.

use std::sync::Arc;

use oddsmith_mdp::{Node, Policy};

use crate::amid_fight::Rounds;
use crate::battle::Progress;
use crate::bout::Standing;
use crate::compiled::{Arms, CompiledFight, Scene};
use crate::solver::decisions::Kind;
use crate::solver::decisions::answers::{Answers, Round};
use crate::solver::decisions::taken::Taken;
use crate::solver::reach::rings_backwards;
use crate::solver::reduction::{Left, Reduced};
use crate::solver::tables::course::Key;
use crate::valuation::Valuation;
use crate::{BookGame, Compiled, Error, Move, Place};

/// What to do wherever best play may arrive, as found by
/// [`BookSolver::policy`](crate::BookSolver::policy).
///
/// It is a [`Policy`], so a long book can be [followed](BookGame::follow), simulated and reported
/// on like a short one. Only the places that best play reaches are visited, and only there it is
/// certain that something was [decided](crate::BookSolver::decide_onwards).
///
/// Among options of equal value, the policy takes the first one in the book. It eats or buys
/// nothing that gains nothing, and it goes round no cycle for ever. (Values whose relative
/// difference is less than 10⁻¹³ count as equal. If options on a cycle differ by less than that
/// without being equal, the policy may fail to leave it.) Where victory is out of reach, any option
/// is as good as the first. There the policy takes the first option, or on a cycle of sections one
/// that leads out of it, or leaves the decision to chance.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Book, BookSolver};
///
/// let book = Book::builder()
///     .choice(1, [("bridge", 2), ("ford", 3)])
///     .fight(2, Foe::new(7, 2)?, 4)
///     .luck(3, 4, 5)
///     .won(4)
///     .lost(5)
///     .build()?;
/// let hero = Hero::new(7, 2, 8)?;
/// let game = book.game(&hero)?;
/// let policy = BookSolver::new(&game).policy(game.start())?;
/// let journey = book.follow_exact(&hero, &policy)?;
/// assert_eq!(journey.value().to_string(), "13/18");
/// assert_eq!(journey.visits(3)?.to_string(), "1"); // the ford
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookPolicy {
    game: BookGame,
    valuation: Valuation,
    known: Arc<Decided>,
}

/// All decisions, and what is needed to look them up.
#[derive(Debug)]
struct Decided {
    left: Left,
    rings: Rings,
    answers: Answers,
    /// Of the fight that is going on at the start.
    rounds: Rounds,
}

/// What is known of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The action with this number is best.
    Action(usize),
    /// Nobody wins from here.
    Lost,
    /// Best play does not come here, unless all is lost.
    Unsettled,
    /// Nobody comes here.
    Unknown,
}

impl BookPolicy {
    pub(crate) fn new(
        game: &BookGame,
        valuation: Valuation,
        (reduced, answers, rounds): (Reduced<'_>, Answers, Rounds),
    ) -> Self {
        let known = Decided {
            left: reduced.into(),
            rings: Rings::new(&game.compiled),
            answers,
            rounds,
        };
        BookPolicy {
            game: game.clone(),
            valuation,
            known: Arc::new(known),
        }
    }

    /// Returns the value of best play from the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let policy = BookSolver::new(&game).policy(game.start())?;
    /// assert_eq!(policy.valuation().win(), 21.0 / 36.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn valuation(&self) -> &Valuation {
        &self.valuation
    }

    /// Returns what to do at a place, or `None` if there is nothing to decide.
    ///
    /// # Errors
    /// [`Error::NotReached`] if nobody gets to the place from the start, or if its decisions were
    /// not computed since [best play](crate::BookSolver::decide_onwards) does not come there. This
    /// is always so behind a [deferred](crate::BookSolver::put_off) risk and on a
    /// [route](crate::BookSolver::tell_apart) that is not worth taking. [`Error::Solve`] if the
    /// place is malformed.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("bridge", 2), ("ford", 3)])
    ///     .fight(2, Foe::new(7, 2)?, 4)
    ///     .luck(3, 4, 5)
    ///     .won(4)
    ///     .lost(5)
    ///     .build()?;
    /// let game = book.game(&Hero::new(7, 2, 8)?)?;
    /// let policy = BookSolver::new(&game).policy(game.start())?;
    /// let ford = policy.decision(&game.start())?.ok_or("a choice")?;
    /// assert_eq!(ford.to_string(), "ford: turn to 3");
    /// assert_eq!(policy.decision(&game.start_at(3)?)?, None); // a test of LUCK
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision(&self, place: &Place) -> Result<Option<Move>, Error> {
        let node = Node::of(&self.game, place)?;
        let actions: Vec<Move> = (0..node.len())
            .filter_map(|choice| node.action(choice).cloned())
            .collect();
        if actions.is_empty() {
            return Ok(None);
        }
        if actions.len() > 1 && self.answer(place, &actions) == Answer::Unsettled {
            return Err(Error::NotReached {
                section: place.section,
            });
        }
        let mut weights = vec![0; actions.len()];
        self.weigh(place, &actions, &mut weights);
        let taken = weights.iter().position(|weight| *weight > 0);
        let taken = taken.ok_or(Error::NotReached {
            section: place.section,
        })?;
        Ok(actions.get(taken).cloned())
    }

    /// Returns the approximate memory of the decisions, in bytes.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Book, BookSolver};
    ///
    /// let book = Book::builder().choice(1, [("a", 2), ("b", 3)]).won(2).lost(3).build()?;
    /// let game = book.game(&Hero::new(7, 14, 7)?)?;
    /// let policy = BookSolver::new(&game).policy(game.start())?;
    /// assert!(policy.bytes() < 100_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        let rounds = self.known.rounds.capacity() * size_of::<(Place, (Move, bool))>();
        self.known.answers.bytes() + rounds
    }

    /// What is known of a place with these moves. A fight that is going on at the start may be
    /// fought again later. Then the decision is that of any such fight, which is known not to go
    /// round for ever.
    fn answer(&self, place: &Place, moves: &[Move]) -> Answer {
        let answer = self.looked_up(place);
        let round = self.known.rounds.get(place);
        let round = round.filter(|(_, wins)| match answer {
            Answer::Action(_) => false,
            // Rounds that are never reached again look lost.
            Answer::Lost => *wins,
            Answer::Unknown | Answer::Unsettled => true,
        });
        let taken = round.and_then(|(taken, _)| moves.iter().position(|known| known == taken));
        taken.map_or(answer, Answer::Action)
    }

    fn looked_up(&self, place: &Place) -> Answer {
        let book = &self.game.compiled;
        let number = place.scene as usize;
        let Some(scene) = book.scenes.get(number) else {
            return Answer::Unknown;
        };
        if place.is_arriving() {
            return Answer::Unknown;
        }
        if self.known.left.is_lost(place) {
            return Answer::Lost;
        }
        if let Some(taken) = self.singly(place) {
            return action(taken, book, place);
        }
        let inside = matches!(scene, Scene::Fight { .. }) && place.step != 0;
        let gone = match inside {
            true => self.marked(scene, place) & self.known.left.needs[number].bits,
            false => 0,
        };
        // The fallen foes may or may not have been marked before the fight. The rest of the fight
        // is the same either way, but perhaps only one of the two cases was solved.
        let (mut marks, mut unsettled) = (gone, false);
        loop {
            let mut before = *place;
            before.held.items &= !marks;
            match self.look(scene, &before, inside) {
                Answer::Unsettled => unsettled = true,
                Answer::Unknown => {}
                answer => return answer,
            }
            if marks == 0 {
                break;
            }
            marks = (marks - 1) & gone;
        }
        match unsettled {
            true => Answer::Unsettled,
            false => Answer::Unknown,
        }
    }

    /// The decision if the sheets were solved one by one. Then the marks of fallen foes are as they
    /// are.
    fn singly(&self, place: &Place) -> Option<Taken> {
        let (_, at) = self.known.left.seed(&self.game.compiled, place)?;
        self.known.answers.singly(place, &at)
    }

    /// The marks of the foes that have fallen in the fight that is going on.
    fn marked(&self, scene: &Scene, place: &Place) -> u128 {
        let Scene::Fight { fight, .. } = scene else {
            return 0;
        };
        let fight = &self.game.compiled.fights[*fight as usize];
        if fight.drawn() {
            return 0;
        }
        let fallen = usize::from(Progress::unpack(place.step).foe);
        let marks = fight.marks.iter().take(fallen);
        let marks = marks.skip(fight.first().foe.into());
        marks.fold(0, |all, mark| all | mark) & place.held.items
    }

    /// What is known of a place, given its sheet on entering the region.
    fn look(&self, scene: &Scene, place: &Place, inside: bool) -> Answer {
        let (book, known) = (&self.game.compiled, &*self.known);
        let Some((mut region, at)) = known.left.seed(book, place) else {
            return Answer::Unknown;
        };
        if matches!(scene, Scene::Game { .. }) {
            region.step = place.step;
        }
        let answers = &known.answers;
        let round = match scene {
            Scene::Fight { fight, .. } => self.round(*fight, place),
            _ => None,
        };
        let Some(found) = answers.covered(region, &at, inside, round) else {
            return Answer::Unknown;
        };
        if !answers.settled(found, &at) {
            return Answer::Unsettled;
        }
        let option = |kind| answers.option(found, &at, kind);
        let taken = match scene {
            Scene::Choice(_) => match option(Kind::Refreshment) {
                Some(eaten) if eaten > 0 => Some(Taken::Refreshment(eaten - 1)),
                _ => option(Kind::Option).map(Taken::Option),
            },
            Scene::Shop { .. } => option(Kind::Option).map(Taken::Option),
            Scene::Game { .. } => option(Kind::Round).map(Taken::Turn),
            Scene::Fight { .. } => {
                let turns = round.and_then(|round| answers.turns(found, &at, round));
                turns.map(|turns| Taken::Turn(turns.into()))
            }
            _ => None,
        };
        taken.map_or(Answer::Lost, |taken| action(taken, book, place))
    }

    /// The round of a fight at a place.
    fn round(&self, number: u32, place: &Place) -> Option<Round> {
        let book = &self.game.compiled;
        let fight = &book.fights[number as usize];
        let progress = match place.step {
            0 => Progress::begin(fight.first()),
            step => Progress::unpack(step),
        };
        let drawn = fight.drawn();
        let hero = place.held.stats[usize::from(book.life)];
        let standing = Standing {
            foe: if drawn { 0 } else { progress.foe },
            stamina: progress.stamina,
            hero: u16::try_from(hero).ok()?,
        };
        let luck = book.battle_luck.map(|stat| {
            let luck = place.held.stats[usize::from(stat)];
            (luck, book.effective(stat, &place.held) - i32::from(luck))
        });
        let (luck, bonus) = (luck.map_or(0, |luck| luck.0), luck.map(|luck| luck.1));
        Some(Round {
            fight: number,
            only: if drawn { progress.foe } else { u16::MAX },
            arms: self.arms(fight, place),
            bonus,
            key: Key {
                standing,
                counted: progress.counted,
                luck,
                struck: progress.struck,
            },
        })
    }

    /// The arms for a fight, with the SKILL of the region, which is capped where more of it is
    /// worth the same.
    fn arms(&self, fight: &CompiledFight, place: &Place) -> Arms {
        let book = &self.game.compiled;
        let mut arms = book.arms(fight, &place.held);
        if let Some(skill) = book.skill {
            let stat = usize::from(skill);
            let value = place.held.stats[stat];
            let needs = &self.known.left.needs[place.scene as usize];
            arms.attack += i32::from(needs.cut(stat, value)) - i32::from(value);
        }
        arms
    }

    /// Weighs the moves where all is lost: on to some ending, and out of cycles.
    fn give_up(&self, place: &Place, weights: &mut [u64]) {
        let (book, rings) = (&self.game.compiled, &self.known.rings);
        let number = place.scene as usize;
        let ring = rings.of.get(number).copied().flatten();
        match &book.scenes[number] {
            // In a game of another book, moves may be others than here.
            Scene::Shop { .. } | Scene::Game { .. } => weigh(weights, 0),
            Scene::Choice(options) => {
                let open = options
                    .iter()
                    .filter(|option| book.open(option.condition, &place.held))
                    .map(|option| option.way.to as usize);
                let open: Vec<usize> = open.collect();
                let leads_on =
                    |to: &usize| rings.ends[*to] && (ring.is_none() || rings.of[*to] != ring);
                match open.iter().position(leads_on) {
                    Some(first) => weigh(weights, first),
                    None if ring.is_none() => weigh(weights, 0),
                    // With a single way on, a meal may make the difference.
                    None if open.len() == 1 => weights.fill(1),
                    None => weights
                        .iter_mut()
                        .take(open.len())
                        .for_each(|weight| *weight = 1),
                }
            }
            _ if ring.is_some() => weights.fill(1),
            _ => weigh(weights, 0),
        }
    }
}

/// Takes a move, if there is one with this number.
fn weigh(weights: &mut [u64], number: usize) {
    if let Some(weight) = weights.get_mut(number) {
        *weight = 1;
    }
}

impl Policy<BookGame> for BookPolicy {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        if let [weight] = weights {
            *weight = 1;
            return;
        }
        if weights.is_empty() || moves.len() != weights.len() {
            return;
        }
        match self.answer(place, moves) {
            Answer::Action(action) => {
                if let Some(weight) = weights.get_mut(action) {
                    *weight = 1;
                }
            }
            Answer::Lost | Answer::Unsettled => self.give_up(place, weights),
            Answer::Unknown => {}
        }
    }
}

impl Policy<BookGame> for &BookPolicy {
    fn weigh(&self, place: &Place, moves: &[Move], weights: &mut [u64]) {
        (**self).weigh(place, moves, weights);
    }
}

/// A decision as an action of the place.
fn action(taken: Taken, book: &Compiled, place: &Place) -> Answer {
    let action = taken.action(book, place);
    action.map_or(Answer::Unknown, Answer::Action)
}

/// The cycles of links.
#[derive(Debug)]
struct Rings {
    /// By scene, the cycle it belongs to, if any.
    of: Vec<Option<usize>>,
    /// By scene, whether links lead from it to an ending.
    ends: Vec<bool>,
}

impl Rings {
    fn new(book: &Compiled) -> Self {
        let next = |scene: usize| book.scenes[scene].targets().into_iter();
        let mut rings = Rings {
            of: vec![None; book.scenes.len()],
            ends: vec![false; book.scenes.len()],
        };
        for (ring, scenes) in rings_backwards(book).into_iter().enumerate() {
            let ends = scenes.iter().any(|scene| {
                matches!(book.scenes[*scene], Scene::Ending(_))
                    || next(*scene).any(|to| rings.ends[to])
            });
            for &scene in &scenes {
                rings.ends[scene] = ends;
                if scenes.len() > 1 || next(scene).any(|to| to == scene) {
                    rings.of[scene] = Some(ring);
                }
            }
        }
        rings
    }
}
