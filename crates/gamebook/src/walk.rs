//! The walk-through: the likeliest line of play to a victory.

use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{Num, ToPrimitive, Zero};
use oddsmith_mdp::{Line, Node, Number, Policy};

use crate::compiled::Scene;
use crate::plan::percent;
use crate::{BookGame, BookPlan, Error, Move, Place};

/// What happens in a section of a walk-through.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Book, Deed};
///
/// let book = Book::builder().fight(1, Foe::new(7, 2)?, 2).luck(2, 3, 4).won(3).lost(4).build()?;
/// let walk = book.solve(&Hero::new(7, 2, 7)?)?.walkthrough()?;
/// let deeds: Vec<&Deed> = walk.steps().iter().map(|step| &step.deed).collect();
/// assert_eq!(deeds, [&Deed::Fight, &Deed::Test("luck".into()), &Deed::Won]);
/// assert_eq!(deeds[1].to_string(), "test luck");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deed {
    /// The reader makes this decision.
    Decide(Move),
    /// Dice decide.
    Chance,
    /// There is a single, certain way on.
    GoOn,
    /// A stat is tested.
    Test(Arc<str>),
    /// There is a fight.
    Fight,
    /// Dice or another game are played.
    Game,
    /// The adventure has succeeded.
    Won,
    /// The adventure has failed.
    Lost,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Their labels name only what is traded.
            Deed::Decide(decided @ (Move::Buy(_) | Move::Sell(_))) => decided.fmt(f),
            Deed::Decide(decided) => f.write_str(decided.label()),
            Deed::GoOn => f.write_str("go on"),
            Deed::Chance => f.write_str("chance decides"),
            Deed::Test(stat) => write!(f, "test {stat}"),
            Deed::Fight => f.write_str("fight"),
            Deed::Game => f.write_str("play"),
            Deed::Won => f.write_str("victory"),
            Deed::Lost => f.write_str("defeat"),
        }
    }
}

/// One section of a walk-through.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::Book;
///
/// let book = Book::builder().chance(1, [(2, 3), (4, 1)]).luck(2, 3, 4).won(3).lost(4).build()?;
/// let walk = book.solve(&Hero::new(7, 14, 9)?)?.walkthrough()?;
/// let test = &walk.steps()[1];
/// assert_eq!(test.words, "section 2 (skill 7, stamina 14, luck 9)");
/// assert_eq!((test.line.to_string(), test.value.to_string()), ("3/4".into(), "5/6".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step<V> {
    /// Where the reader is.
    pub place: Place,
    /// The place in words.
    pub words: String,
    /// What happens there.
    pub deed: Deed,
    /// The probability that play follows the line up to here.
    pub line: V,
    /// The probability that play arrives at this place, by any line.
    pub reached: V,
    /// The chance to win from here.
    pub value: V,
}

/// The likeliest line of play to a victory. Of all paths of places from the start to a victory, it
/// is the one with the highest product of probabilities. Where victory is impossible, it is the
/// likeliest line to any ending. Ties are always broken in the same way; in floats, lines that
/// differ only by rounding may be confused.
///
/// Leaving a fight with 3 STAMINA is another line than leaving it with 4. Each step therefore tells
/// how likely the line is [up to it](Step::line), and how likely play arrives with the [same
/// sheet](Step::reached) by any line.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Book, Deed};
///
/// let book = Book::builder()
///     .choice(1, [("bribe the guard", 2), ("fight him", 3)])
///     .chance(2, [(4, 1), (5, 3)])
///     .fight(3, Foe::new(7, 2)?, 4)
///     .won(4)
///     .lost(5)
///     .build()?;
/// let walk = book.solve(&Hero::new(7, 2, 7)?)?.walkthrough()?;
/// assert_eq!(walk.steps().len(), 3);
/// assert_eq!((&walk.steps()[2].deed, walk.steps()[2].reached.to_string()), (&Deed::Won, "1/2".into()));
/// assert_eq!(walk.to_string(), "\
/// section 1 (skill 7, stamina 2, luck 7): fight him [this line 100.00 %, reached 100.00 %, won from here 50.00 %]
/// section 3 (skill 7, stamina 2, luck 7): fight [this line 100.00 %, reached 100.00 %, won from here 50.00 %]
/// section 4 (skill 7, stamina 2, luck 7): victory [this line 50.00 %, reached 50.00 %, won from here 100.00 %]
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// The door that most victories go through leads to ten rooms, so the likeliest line takes the
/// other one:
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::Book;
///
/// let rooms = (10..20).map(|room| (room, 1));
/// let mut book = Book::builder().chance(1, [(2, 6), (3, 4)]).chance(2, rooms).choice(3, [("go on", 99)]).won(99);
/// for room in 10..20 {
///     book = book.choice(room, [("go on", 99)]);
/// }
/// let walk = book.build()?.solve(&Hero::new(7, 14, 7)?)?.walkthrough()?;
/// let sections: Vec<u32> = walk.steps().iter().map(|step| step.place.section()).collect();
/// assert_eq!(sections, [1, 3, 99]);
/// let end = &walk.steps()[2];
/// assert_eq!((end.line.to_string(), end.reached.to_string()), ("2/5".into(), "1".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WalkThrough<V> {
    steps: Vec<Step<V>>,
}

impl<V> WalkThrough<V> {
    pub(crate) fn new(steps: Vec<Step<V>>) -> Self {
        WalkThrough { steps }
    }

    /// Returns the steps: the sections passed, the last of which is the ending.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("pit", 5), ("stairs", 7)]).lost(5).choice(7, [("on", 9)]).won(9);
    /// let walk = book.build()?.solve(&Hero::new(7, 14, 7)?)?.walkthrough()?;
    /// let sections = walk.steps().iter().map(|step| step.place.section());
    /// assert_eq!(sections.collect::<Vec<_>>(), [1, 7, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn steps(&self) -> &[Step<V>] {
        &self.steps
    }
}

/// Writes one line per section, with probabilities as percent.
impl<V: ToPrimitive + Num + PartialOrd> fmt::Display for WalkThrough<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Step {
            words,
            deed,
            line,
            reached,
            value,
            ..
        } in &self.steps
        {
            let (line, reached, value) = (percent(line), percent(reached), percent(value));
            writeln!(
                f,
                "{words}: {deed} [this line {line}, reached {reached}, won from here {value}]"
            )?;
        }
        Ok(())
    }
}

impl BookGame {
    /// Whether the adventure has succeeded at a place.
    pub(crate) fn is_won(&self, place: &Place) -> bool {
        let scene = &self.compiled.scenes[place.scene as usize];
        matches!(scene, Scene::Ending(true))
    }

    /// What happens at a place, given the decision if there is one.
    pub(crate) fn deed(&self, place: &Place, decision: Option<Move>) -> Deed {
        if let Some(decided) = decision {
            return Deed::Decide(decided);
        }
        if self.traps().is_some_and(|traps| traps.contains(place)) {
            return Deed::Lost;
        }
        let compiled = &self.compiled;
        match &compiled.scenes[place.scene as usize] {
            Scene::Ending(true) => Deed::Won,
            Scene::Ending(false) | Scene::Dead | Scene::Choice(_) => Deed::Lost,
            Scene::Test { stat, .. } => Deed::Test(compiled.stats[usize::from(*stat)].id.clone()),
            Scene::Fight { .. } => Deed::Fight,
            Scene::Game { .. } => Deed::Game,
            Scene::Turn(_) | Scene::First(_) | Scene::Shop { .. } | Scene::Random(_) => {
                match Node::of(self, place) {
                    Ok(node) if node.len() == 1 && node.wide_outcomes(0).count() == 1 => Deed::GoOn,
                    _ => Deed::Chance,
                }
            }
        }
    }
}

impl<N: Number> BookPlan<N> {
    /// Computes the likeliest line of best play to a victory.
    ///
    /// # Errors
    /// [`Error::Solve`] if cycles were allowed, and the equations of a component need more memory
    /// than the solver was allowed to use.
    ///
    /// # Complexity
    /// One pass over the outcomes of best play. If cycles were allowed, one elimination of equations
    /// for each component, and one more for each step within one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().choice(1, [("pit", 3), ("stairs", 2)]).won(2).lost(3).build()?;
    /// let walk = book.solve(&Hero::new(7, 14, 7)?)?.walkthrough()?;
    /// assert_eq!(walk.to_string(), "\
    /// section 1 (skill 7, stamina 14, luck 7): stairs [this line 100.00 %, reached 100.00 %, won from here 100.00 %]
    /// section 2 (skill 7, stamina 14, luck 7): victory [this line 100.00 %, reached 100.00 %, won from here 100.00 %]
    /// ");
    ///
    /// // A bridge may be tried again and again, and one fall in two is the last.
    /// use oddsmith_mdp::Solver;
    /// let book = Book::builder().chance(1, [(2, 1), (3, 1)]).won(2).chance(3, [(1, 1), (4, 1)]).lost(4);
    /// let plan = book.build()?.solve_with(&Hero::new(7, 14, 7)?, Solver::exact().allow_cycles())?;
    /// let last = plan.walkthrough()?.steps().last().ok_or("an ending")?.clone();
    /// assert_eq!((last.line.to_string(), last.reached.to_string()), ("1/2".into(), "2/3".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walkthrough(&self) -> Result<WalkThrough<N::Value>, Error> {
        let solution = self.solution();
        let (game, way) = (solution.game(), self.way()?);
        let value = |place: &Place| solution.value_of(place);
        let steps = match solution.forecast() {
            Ok(forecast) => steps(game, way, value, |place| forecast.chance(place)),
            Err(oddsmith_mdp::Error::ForecastOfCycles) => {
                let visits = solution.visits()?;
                steps(game, way, value, |place| visits.chance(place))
            }
            Err(error) => Err(error),
        }?;
        Ok(WalkThrough { steps })
    }

    /// The line of the [`walkthrough`](Self::walkthrough).
    pub(crate) fn way(&self) -> Result<Way<N::Value>, Error> {
        let solution = self.solution();
        let policy = solution.policy();
        let find = |wanted: &dyn Fn(&Place) -> bool| solution.likeliest_line_to(wanted);
        Ok(way(solution.game(), &policy, |place| *place, find)?)
    }
}

/// The steps of a line. Arrivals, rounds of a fight or a game, and the rest of a fight after a toll
/// are not steps of their own.
pub(crate) fn steps<V>(
    game: &BookGame,
    way: Way<V>,
    value: impl Fn(&Place) -> Result<V, oddsmith_mdp::Error>,
    reached: impl Fn(&Place) -> Result<V, oddsmith_mdp::Error>,
) -> Result<Vec<Step<V>>, oddsmith_mdp::Error> {
    let passed = way.into_iter().filter(|passed| {
        let place = &passed.place;
        place.begins() && !game.compiled.is_amid_a_fight(place.scene as usize)
    });
    let steps = passed.map(|passed| {
        let here = passed.place;
        Ok(Step {
            place: here,
            words: game.describe(&here),
            deed: game.deed(&here, passed.decision),
            line: passed.line,
            reached: reached(&here)?,
            value: value(&here)?,
        })
    });
    steps.collect()
}

/// A place on a line.
#[derive(Debug)]
pub(crate) struct Passed<V> {
    pub(crate) place: Place,
    decision: Option<Move>,
    /// The probability that play follows the line up to here.
    line: V,
}

/// The places of a line, from the start to an ending.
pub(crate) type Way<V> = Vec<Passed<V>>;

/// The likeliest line of a policy to a victory, or to any ending where victory is impossible.
/// `find` searches for the likeliest line to an ending of some kind, and `place` maps a state to
/// its place.
pub(crate) fn way<S, A, V>(
    game: &BookGame,
    policy: &impl Policy<BookGame>,
    place: impl Fn(&S) -> Place,
    find: impl Fn(&dyn Fn(&S) -> bool) -> Result<Option<Line<S, A, V>>, oddsmith_mdp::Error>,
) -> Result<Way<V>, oddsmith_mdp::Error> {
    let won = find(&|state| game.is_won(&place(state)))?;
    let line = match won {
        Some(line) => Some(line),
        None => find(&|_| true)?,
    };
    let Some(line) = line else {
        return Ok(Vec::new());
    };
    let steps = line.steps.into_iter();
    let steps = steps.map(|step| (step.state, step.probability));
    let passed = |(state, line)| Passed {
        place: place(&state),
        decision: None,
        line,
    };
    let end = (line.end, line.probability);
    let mut way: Way<V> = steps.chain([end]).map(passed).collect();
    for number in 1..way.len() {
        let (here, to) = (way[number - 1].place, way[number].place);
        way[number - 1].decision = decision(game, policy, &here, &to)?;
    }
    Ok(way)
}

/// The decision of a policy that leads from one place to the next. Of several options that may lead
/// there, it is the likeliest; of equally likely ones, the first.
fn decision(
    game: &BookGame,
    policy: &impl Policy<BookGame>,
    here: &Place,
    to: &Place,
) -> Result<Option<Move>, oddsmith_mdp::Error> {
    let node = Node::of(game, here)?;
    let weights = weights(&node, policy, here);
    let mut best: Option<(BigRational, Move)> = None;
    for (choice, weight) in weights.into_iter().enumerate() {
        let Some(action) = node.action(choice) else {
            continue;
        };
        let outcomes = node.wide_outcomes(choice).filter(|(place, _)| *place == to);
        let leading: BigUint = outcomes.map(|(_, weight)| weight).sum();
        let part = BigRational::new((leading * weight).into(), node.wide_total(choice).into());
        if !part.is_zero() && best.as_ref().is_none_or(|(most, _)| part > *most) {
            best = Some((part, action.clone()));
        }
    }
    Ok(best.map(|(_, action)| action))
}

/// By choice of a node, the weight that a policy gives it; 1 each where nothing is decided.
pub(crate) fn weights(
    node: &Node<BookGame>,
    policy: &(impl Policy<BookGame> + ?Sized),
    here: &Place,
) -> Vec<u64> {
    let actions: Vec<Move> = (0..node.len())
        .filter_map(|choice| node.action(choice).cloned())
        .collect();
    let mut weights = vec![u64::from(actions.is_empty()); node.len()];
    if !actions.is_empty() {
        policy.weigh(here, &actions, &mut weights);
    }
    weights
}
