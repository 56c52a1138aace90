//! The walk-through: one line of best play, from the start to an ending.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{FromPrimitive, Num, NumAssign, ToPrimitive};
use oddsmith_mdp::{Node, Number, Policy};

use crate::compiled::Scene;
use crate::plan::percent;
use crate::{BookGame, BookPlan, Error, Move, Place};

/// What happens in a section on a walk through the book.
///
/// # Examples
/// See [`WalkThrough`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deed {
    /// The reader decides for this.
    Decide(Move),
    /// Dice decide.
    Chance,
    /// There is one way on, for certain.
    GoOn,
    /// A stat is tested.
    Test(Arc<str>),
    /// There is a fight.
    Fight,
    /// Dice are played, or the like.
    Game,
    /// The adventure has succeeded.
    Won,
    /// The adventure has failed.
    Lost,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Their labels are what is traded, and no more.
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

/// One section of a walk through the book.
///
/// # Examples
/// See [`WalkThrough`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step<V> {
    /// Where the reader is.
    pub place: Place,
    /// The place in words.
    pub words: String,
    /// What happens there.
    pub deed: Deed,
    /// The chance that best play comes to this very place.
    pub reached: V,
    /// The chance to win from here.
    pub value: V,
}

/// A line of best play: at choices the best option, and where chance moves, the
/// outcome that the largest share of the victories goes on with (of equal ones
/// the first; in floats, roundings can make equal ones differ). Where nothing can be won any more, the likeliest outcome.
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
/// section 1 (skill 7, stamina 2, luck 7): fight him [reached 100.00 %, won from here 50.00 %]
/// section 3 (skill 7, stamina 2, luck 7): fight [reached 100.00 %, won from here 50.00 %]
/// section 4 (skill 7, stamina 2, luck 7): victory [reached 50.00 %, won from here 100.00 %]
/// ");
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

    /// The sections passed; the last one is the ending.
    ///
    /// # Examples
    /// See [`WalkThrough`].
    #[must_use]
    pub fn steps(&self) -> &[Step<V>] {
        &self.steps
    }
}

/// One line a section, probabilities as percent.
impl<V: ToPrimitive + Num + PartialOrd> fmt::Display for WalkThrough<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Step {
            words,
            deed,
            reached,
            value,
            ..
        } in &self.steps
        {
            let (reached, value) = (percent(reached), percent(value));
            writeln!(
                f,
                "{words}: {deed} [reached {reached}, won from here {value}]"
            )?;
        }
        Ok(())
    }
}

impl BookGame {
    /// What happens at a place if this is decided there.
    pub(crate) fn deed(&self, place: &Place, decision: Option<Move>) -> Deed {
        if let Some(decided) = decision {
            return Deed::Decide(decided);
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
    /// A walk through the book by best play.
    ///
    /// # Errors
    /// Those of a game that answers differently from when it was solved, and
    /// [`ForecastOfCycles`](oddsmith_mdp::Error::ForecastOfCycles) for a book solved with
    /// cycles allowed: a [`Journey`](crate::Journey) by its policy has the walk-through.
    ///
    /// # Complexity
    /// One pass over the outcomes of best play.
    ///
    /// # Examples
    /// See [`WalkThrough`].
    pub fn walkthrough(&self) -> Result<WalkThrough<N::Value>, Error> {
        let forecast = self.solution().forecast()?;
        let value = |place: &Place| self.solution().value_of(place);
        let reached = |place: &Place| forecast.chance(place);
        let steps = steps(self.solution().game(), self.way()?, value, reached)?;
        Ok(WalkThrough { steps })
    }

    /// The way of the [`walkthrough`](Self::walkthrough).
    pub(crate) fn way(&self) -> Result<Way, Error> {
        let solution = self.solution();
        let policy = solution.policy();
        let value = |place: &Place| solution.value_of(place);
        Ok(way(solution.game(), &policy, self.start(), value)?)
    }
}

/// The steps of a walk: the arrival at a section, and the rounds of a fight or a game, are none
/// of their own.
pub(crate) fn steps<V>(
    game: &BookGame,
    way: Way,
    value: impl Fn(&Place) -> Result<V, oddsmith_mdp::Error>,
    reached: impl Fn(&Place) -> Result<V, oddsmith_mdp::Error>,
) -> Result<Vec<Step<V>>, oddsmith_mdp::Error> {
    let places = way.into_iter().filter(|(here, _)| here.begins());
    let steps = places.map(|(here, decision)| {
        Ok(Step {
            place: here,
            words: game.describe(&here),
            deed: game.deed(&here, decision),
            reached: reached(&here)?,
            value: value(&here)?,
        })
    });
    steps.collect()
}

/// The places that a walk comes to, each with what is decided there.
pub(crate) type Way = Vec<(Place, Option<Move>)>;

/// The walk from a place: at every step the outcome, of whatever the policy may do, that
/// the largest share of the victories goes on with; where nothing can be won any more,
/// the likeliest.
///
/// No place is passed twice. Where there is no other way on, as behind a door that only
/// leads back, the walk steps back and takes the next best outcome, so that it comes to
/// an ending wherever the policy does.
pub(crate) fn way<V: Clone + NumAssign + PartialOrd + FromPrimitive + ToPrimitive>(
    game: &BookGame,
    policy: &impl Policy<BookGame>,
    start: Place,
    value: impl Fn(&Place) -> Result<V, oddsmith_mdp::Error>,
) -> Result<Way, oddsmith_mdp::Error> {
    let mut way = vec![(start, None)];
    let mut passed = BTreeSet::from([start]);
    while let Some((here, decision)) = way.last_mut() {
        let node = Node::of(game, here)?;
        if node.is_empty() {
            break;
        }
        let actions: Vec<Move> = (0..node.len())
            .filter_map(|choice| node.action(choice).cloned())
            .collect();
        let mut weights = vec![1; node.len()];
        if !actions.is_empty() {
            weights.fill(0);
            policy.weigh(here, &actions, &mut weights);
        }
        let all: BigUint = weights.iter().map(|&weight| BigUint::from(weight)).sum();
        let mut best: Option<(Share<V>, usize, Place)> = None;
        for choice in (0..node.len()).filter(|&choice| weights[choice] > 0) {
            let total = node.wide_total(choice) * &all;
            for (to, weight) in node.wide_outcomes(choice) {
                if passed.contains(to) || weight == BigUint::ZERO {
                    continue;
                }
                let weight = weight * weights[choice];
                let part = BigRational::new(weight.into(), total.clone().into());
                let share = Share::new(part, value(to)?);
                if best.as_ref().is_none_or(|(most, ..)| share.exceeds(most)) {
                    best = Some((share, choice, *to));
                }
            }
        }
        if let Some((_, choice, to)) = best {
            *decision = node.action(choice).cloned();
            passed.insert(to);
            way.push((to, None));
        } else {
            way.pop();
        }
    }
    Ok(way)
}

/// How much of the victories goes on with an outcome.
struct Share<V> {
    part: BigRational,
    value: V,
    /// Their product, within a few roundings if it is not far below the smallest normal
    /// float.
    float: f64,
}

impl<V: Clone + NumAssign + PartialOrd + FromPrimitive + ToPrimitive> Share<V> {
    fn new(part: BigRational, value: V) -> Self {
        let float = part.to_f64().unwrap_or(0.0) * value.to_f64().unwrap_or(0.0);
        Share { part, value, float }
    }

    /// Whether it goes before another one that was there first.
    fn exceeds(&self, other: &Self) -> bool {
        let most = self.float.max(other.float);
        // Fractions of thousands of digits are multiplied only where roundings, which
        // make equal shares differ, could decide.
        if most > 1e-250 && (self.float - other.float).abs() > 1e-12 * most {
            return self.float > other.float;
        }
        let (mine, others) = (self.exactly(), other.exactly());
        mine > others || (mine.is_zero() && others.is_zero() && self.part > other.part)
    }

    /// The product in the numbers of the values: exact in fractions.
    fn exactly(&self) -> V {
        let number = |digits: &BigInt| {
            let base = V::from_u64(1 << 32).unwrap_or_else(V::zero);
            let digits = digits.iter_u32_digits().rev();
            digits.fold(V::zero(), |mut number, digit| {
                number *= base.clone();
                number += V::from_u32(digit).unwrap_or_else(V::zero);
                number
            })
        };
        let part = number(self.part.numer()) / number(self.part.denom());
        // Both are infinite in floats, where they have more than three hundred digits.
        let part = match part.to_f64() {
            Some(float) if float.is_finite() => part,
            _ => {
                let float = self.part.to_f64().and_then(V::from_f64);
                float.unwrap_or_else(V::zero)
            }
        };
        part * self.value.clone()
    }
}
