//! Following a policy in fractions and in floats.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};

use num_rational::BigRational;
use num_traits::{FromPrimitive, NumAssign, ToPrimitive};
use oddsmith_mdp::{Error, Policy, Solver};

use super::marked::{Marked, Marking, Stage};
use crate::walk::{Step, steps, way};
use crate::{BookGame, Place};

/// The numbers of a [`Journey`](crate::Journey): fractions
/// ([`BigRational`](num_rational::BigRational)) or floats (`f64`).
///
/// It is sealed: what it is made of may change.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Error, Probability};
/// use oddsmith_mdp::AtRandom;
///
/// fn lucky<V: Probability>(book: &Book) -> Result<V, Error> {
///     let journey = book.follow_up_to::<V>(&Hero::new(7, 14, 7)?, AtRandom, 1_000)?;
///     Ok(journey.value().clone())
/// }
/// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
/// assert_eq!(lucky::<num_rational::BigRational>(&book)?.to_string(), "7/12");
/// assert!((lucky::<f64>(&book)? - 7.0 / 12.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Probability:
    Clone
    + Debug
    + Display
    + PartialOrd
    + NumAssign
    + FromPrimitive
    + ToPrimitive
    + sealed::Sealed
    + 'static
{
}

impl Probability for f64 {}
impl Probability for BigRational {}

pub(crate) mod sealed {
    use super::{BookGame, Error, Followed, Place, Policy};

    pub trait Sealed: Sized {
        /// Follows a policy from a place through at most so many places.
        #[doc(hidden)]
        fn follow(
            game: &BookGame,
            policy: &dyn Policy<BookGame>,
            start: Place,
            limit: usize,
        ) -> Result<Followed<Self>, Error>;

        /// The chance of a policy to win from a place, and nothing else.
        #[doc(hidden)]
        fn chance(
            game: &BookGame,
            policy: &dyn Policy<BookGame>,
            start: Place,
            limit: usize,
        ) -> Result<Self, Error>;
    }
}

/// All that is kept of a policy followed.
#[derive(Debug)]
pub struct Followed<V> {
    pub(crate) value: V,
    /// A bound on the absolute error of the value.
    pub(crate) error: f64,
    /// A bound on the relative error of all other chances.
    pub(crate) relative_error: f64,
    pub(crate) places: usize,
    pub(crate) visits: BTreeMap<u32, V>,
    pub(crate) ends: BTreeMap<Place, V>,
    pub(crate) steps: Vec<Step<V>>,
}

// The two kinds of solutions, with cycles and without, share no trait that can be named
// here, and neither do the numbers they are solved in: so the four ways through them are
// written as one text.
macro_rules! follow {
    ($value:ty, $solver:expr) => {
        impl sealed::Sealed for $value {
            fn follow(
                game: &BookGame,
                policy: &dyn Policy<BookGame>,
                start: Place,
                limit: usize,
            ) -> Result<Followed<Self>, Error> {
                let stage = |arrived| {
                    move |place: &Place| Stage {
                        place: *place,
                        arrived,
                    }
                };
                let begin = stage(true)(&start);
                let marked = Marked { game, until: None };
                let policy = Marking(policy);
                let solver = || $solver.max_states(limit);
                let solved = solver().evaluate(&marked, policy, begin);
                let cyclic = matches!(solved, Err(Error::Cycle { .. }));
                let (mut followed, mut visits) = if cyclic {
                    let solution = solver().allow_cycles().evaluate(&marked, policy, begin)?;
                    let often = solution.visits()?;
                    let ends = often.ends_by(|stage| stage.place)?;
                    // Here a place may be come to in both ways by one reader.
                    let plain = solver().allow_cycles().evaluate(game, policy, start)?;
                    let ever = plain.visits()?;
                    let chance = |place: &Place| ever.chance(place);
                    let steps = line(game, policy, start, |p| plain.value_of(p), chance)?;
                    let visits = arrivals(game, solution.states(), |at| often.chance(at))?;
                    let followed = Followed {
                        value: solution.value(),
                        error: solution.error(&begin)?,
                        relative_error: often.relative_error(),
                        places: plain.len(),
                        visits: BTreeMap::new(),
                        ends: ends.outcomes().map(|at| (*at, ends.p(at))).collect(),
                        steps,
                    };
                    (followed, visits)
                } else {
                    let solution = solved?;
                    let forecast = solution.forecast()?;
                    let ends = forecast.ends_by(|stage| stage.place)?;
                    // A place is come to in one way by a reader, if at all.
                    let value = |place: &Place| {
                        let arrived = solution.value_of(&stage(true)(place));
                        arrived.or_else(|_| solution.value_of(&stage(false)(place)))
                    };
                    let chance = |place: &Place| {
                        let ways =
                            [true, false].map(|arrived| forecast.chance(&stage(arrived)(place)));
                        match ways {
                            [Ok(one), Ok(other)] => Ok(one + other),
                            [one, other] => one.or(other),
                        }
                    };
                    let steps = line(game, policy, start, value, chance)?;
                    let visits = arrivals(game, solution.states(), |at| forecast.chance(at))?;
                    let followed = Followed {
                        value: solution.value(),
                        error: solution.error(&begin)?,
                        relative_error: forecast.relative_error(),
                        places: solution.len(),
                        visits: BTreeMap::new(),
                        ends: ends.outcomes().map(|at| (*at, ends.p(at))).collect(),
                        steps,
                    };
                    (followed, visits)
                };
                for (section, chance) in &mut visits {
                    if chance.is_some() {
                        continue;
                    }
                    let marked = Marked {
                        game,
                        until: Some(*section),
                    };
                    let (ever, error) = if cyclic {
                        let solver = solver().allow_cycles();
                        let solution = solver.evaluate(&marked, policy, begin)?;
                        (solution.value(), solution.error(&begin)?)
                    } else {
                        let solution = solver().evaluate(&marked, policy, begin)?;
                        (solution.value(), solution.error(&begin)?)
                    };
                    let float = ever.to_f64().unwrap_or(0.0);
                    *chance = Some(ever);
                    if error > 0.0 {
                        followed.relative_error = followed.relative_error.max(error / float);
                    }
                }
                followed.visits = visits
                    .into_iter()
                    .filter_map(|(section, chance)| Some((section, chance?)))
                    .collect();
                Ok(followed)
            }

            fn chance(
                game: &BookGame,
                policy: &dyn Policy<BookGame>,
                start: Place,
                limit: usize,
            ) -> Result<Self, Error> {
                let solver = || $solver.max_states(limit);
                match solver().evaluate(game, Marking(policy), start) {
                    Err(Error::Cycle { .. }) => {
                        let solver = solver().allow_cycles();
                        let solution = solver.evaluate(game, Marking(policy), start)?;
                        Ok(solution.value())
                    }
                    solved => Ok(solved?.value()),
                }
            }
        }
    };
}

follow!(f64, Solver::float());
follow!(BigRational, Solver::exact());

/// By section, the chance to come to it; `None` for those that one reader may come to more than
/// once.
fn arrivals<V: NumAssign>(
    game: &BookGame,
    states: impl Iterator<Item = (Stage, V)>,
    chance: impl Fn(&Stage) -> Result<V, Error>,
) -> Result<BTreeMap<u32, Option<V>>, Error> {
    let stages: Vec<Stage> = states.map(|(stage, _)| stage).collect();
    let arrived = || stages.iter().filter(|stage| stage.arrived);
    let visited: BTreeSet<u32> = arrived().map(|stage| stage.place.section).collect();
    let again = game.sections_on_cycles(&visited);
    let mut arrivals: BTreeMap<u32, Option<V>> = BTreeMap::new();
    for stage in arrived() {
        let section = stage.place.section;
        if again.contains(&section) {
            arrivals.insert(section, None);
            continue;
        }
        // A reader comes in one of these ways, if at all.
        let sum = arrivals.entry(section).or_insert_with(|| Some(V::zero()));
        if let Some(sum) = sum {
            *sum += chance(stage)?;
        }
    }
    Ok(arrivals)
}

/// The steps of the walk from a place.
fn line<V: Probability>(
    game: &BookGame,
    policy: Marking<'_>,
    start: Place,
    value: impl Fn(&Place) -> Result<V, Error>,
    chance: impl Fn(&Place) -> Result<V, Error>,
) -> Result<Vec<Step<V>>, Error> {
    let way = way(game, &policy, start, &value)?;
    steps(game, way, value, chance)
}
