//! The duel fought to the end.

use std::fmt;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use oddsmith_dice::{Dist, Weight};

use super::hits::Hits;
use super::number::Number;
use super::pursuit::{Pursuit, error_bound, input_error, split};
use super::report::percent;
use super::{Duel, Winner, work};
use crate::Error;

/// How a duel ends; see [`Duel::ending`].
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Duel, Fighter, Winner};
///
/// let (fang, claw) = (Dist::from_weights([(0, 1), (1, 1)])?, Dist::die(2)?);
/// let duel = Duel::new(Fighter::new(2, fang)?, Fighter::new(1, claw)?);
/// let ending = duel.ending()?;
/// assert_eq!(ending.chance(Winner::First).to_string(), "5/8");
/// assert_eq!(ending.left(Winner::First)?.p(&1).to_string(), "1/5");
/// assert_eq!(ending.expected_rounds().to_string(), "5/4");
/// let says = "the first wins with 62.50 %, the second with 37.50 %; 1.25 rounds on average";
/// assert_eq!(ending.to_string(), says);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "Dist<(Winner, i64), W>: serde::Serialize, W::Ratio: oddsmith_mdp::written::Written"
    ))
)]
pub struct Ending<W: Weight = BigUint> {
    #[cfg_attr(feature = "serde", serde(rename = "ends"))]
    law: Dist<(Winner, i64), W>,
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    expected_rounds: W::Ratio,
    relative_error: f64,
}

impl<W: Number> Ending<W> {
    pub(super) fn new(
        law: Dist<(Winner, i64), W>,
        expected_rounds: W::Ratio,
        relative_error: f64,
    ) -> Self {
        Ending {
            law,
            expected_rounds,
            relative_error,
        }
    }

    /// Returns the chance of this winner: W∞ for the first side, L∞ for the second.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let ending = Duel::new(rat.clone(), rat).ending()?;
    /// assert_eq!(ending.chance(Winner::First).to_string(), "2/3"); // 1/2 + 1/8 + 1/32 + ⋯
    /// assert_eq!(ending.chance(Winner::Second).to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "win")]
    #[must_use]
    pub fn chance(&self, winner: Winner) -> W::Ratio {
        self.law.probability(|&(by, _)| by == winner)
    }

    /// Returns the joint distribution of the winner and the winner's hit points at the end,
    /// including temporary ones.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let knight = Fighter::new(3, Dist::certain(2))?.temporary(1)?;
    /// let ogre = Fighter::new(4, Dist::die(2)?)?; // fells nobody in one turn, and falls in the second
    /// let ending = Duel::new(knight, ogre).ending()?;
    /// assert_eq!(ending.law().support(), [(Winner::First, 2), (Winner::First, 3)]);
    /// assert_eq!(ending.law().p(&(Winner::First, 3)).to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn law(&self) -> &Dist<(Winner, i64), W> {
        &self.law
    }

    /// Returns the distribution of the winner's hit points at the end, given who wins.
    ///
    /// # Errors
    /// [`Error::Dice`] with [`ImpossibleCondition`](oddsmith_dice::Error::ImpossibleCondition) if
    /// this side cannot win, or, in floats, if its chance is lost below about 1e-300.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let miner = Fighter::new(3, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let wasp = Fighter::new(1, Dist::certain(1))?; // loses with 1/2 + 1/4 + 1/8
    /// let ending = Duel::new(miner, wasp).ending()?;
    /// assert_eq!(ending.left(Winner::First)?.p(&3).to_string(), "4/7");
    /// assert_eq!(ending.left(Winner::Second)?.support(), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn left(&self, winner: Winner) -> Result<Dist<i64, W>, Error> {
        let wins = self.law.given(|&(by, _)| by == winner)?;
        Ok(wins.map(|&(_, points)| points))
    }

    /// Returns the expected number of rounds begun: Σ C_n from n = 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let ending = Duel::new(rat.clone(), rat).ending()?;
    /// assert_eq!(ending.expected_rounds().to_string(), "4/3"); // one in four goes on
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn expected_rounds(&self) -> &W::Ratio {
        &self.expected_rounds
    }

    /// Returns a bound on the relative error of a chance or of the mean number of rounds; 0 if they
    /// are exact. Floats below about 1e-300 may be lost in addition. The bound counts the roundings
    /// of the duel and the relative errors of the given distributions. The
    /// [`relative_error`](Dist::relative_error) of the distribution itself only counts what is done
    /// with it afterwards.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(9, Dist::die(6)?)?;
    /// let duel = Duel::new(rat.clone(), rat);
    /// assert_eq!(duel.ending()?.relative_error(), 0.0);
    /// assert!(duel.to_f64().ending()?.relative_error() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }
}

impl Ending {
    /// Returns the same in floats.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let ending = Duel::new(rat.clone(), rat).ending()?.to_f64();
    /// assert_eq!(ending.chance(Winner::First), 2.0 / 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> Ending<f64> {
        let expected_rounds = self.expected_rounds.to_f64().unwrap_or(f64::INFINITY);
        // Every weight is rounded once, and a chance is a sum of weights over the total.
        let roundings = self.law.len() as f64 + 4.0;
        Ending::new(self.law.to_f64(), expected_rounds, roundings * f64::EPSILON)
    }
}

/// The weights so far, by the winner and his hit points left.
struct Ends<N> {
    /// By the winner's hit points.
    won: [Vec<N>; 2],
    rounds: N,
    total: N,
}

impl<N: Number> Ends<N> {
    fn over(&mut self, factor: &N) {
        for weight in self.won.iter_mut().flatten() {
            if !weight.vanishes() {
                *weight = weight.times(factor);
            }
        }
        self.rounds = self.rounds.times(factor);
        self.total = self.total.times(factor);
    }

    fn add(&mut self, winner: usize, points: usize, weight: &N) {
        self.won[winner][points].add(weight);
    }
}

pub(super) fn by_hits<N: Number>(duel: &Duel<N>) -> Result<Ending<N>, Error> {
    let sides = [&duel.first, &duel.second];
    let opening = sides.map(|side| side.phases().len() - 1);
    let opening = opening[0].max(opening[1]) as u64;
    work::opening(sides, opening, duel.limit)?;
    // Each side is identified by what is done to the other.
    let mut pursuits = [
        Pursuit::new(sides[0], sides[1], opening, duel.limit)?,
        Pursuit::new(sides[1], sides[0], opening, duel.limit)?,
    ];
    let mut ends = Ends {
        won: sides.map(|side| vec![N::nothing(); side.standing() as usize + 1]),
        rounds: N::nothing(),
        total: pursuits[0].start().times(pursuits[1].start()),
    };
    // Turns that are not repeated forever are followed one by one, without healing.
    for _ in 0..opening {
        let before = pursuits[1].left();
        ends.rounds
            .add(&pursuits[0].standing().times(&pursuits[1].standing()));
        let first = pursuits[0].turn();
        let second = pursuits[1].turn();
        ends.over(&first.factor.times(&second.factor));
        for (points, weight) in before.iter().enumerate() {
            let weight = weight.times(&second.factor);
            ends.add(0, points, &weight.times(&first.fallen));
        }
        for (points, weight) in pursuits[0].left().iter().enumerate() {
            ends.add(1, points, &weight.times(&second.fallen));
        }
    }

    let starts = pursuits.map(|pursuit| pursuit.left());
    let open = starts
        .iter()
        .all(|start| start.iter().any(|weight| !weight.vanishes()));
    let mut roundings = opening;
    if open {
        roundings += race(duel, starts, &mut ends)?;
    }

    let [first, second] = ends.won;
    let pair = |winner| move |(points, weight): (usize, N)| ((winner, points as i64), weight);
    let first = first.into_iter().enumerate().map(pair(Winner::First));
    let second = second.into_iter().enumerate().map(pair(Winner::Second));
    let expected_rounds = N::ratio(&ends.rounds, &ends.total);
    let law = N::law(first.chain(second).collect(), ends.total)?;
    let relative_error = match N::EXACT {
        true => 0.0,
        false => {
            let input = sides.map(input_error);
            let outcomes = sides.map(|side| {
                let laws = side.phases().iter().map(|phase| phase.damage().len());
                laws.max().unwrap_or(0) as u64
            });
            let points = sides.map(|side| side.standing().unsigned_abs());
            // A hit takes a product and a sum over the outcomes. A step of the race takes three
            // products and two sums, with numbers that are sums over the outcomes.
            let step = 3 * (outcomes[0] + outcomes[1]) + 20;
            let sums = roundings + points[0] + points[1] + step;
            let all = (roundings + 4).saturating_mul(step).saturating_add(sums);
            error_bound(all, 8 * (roundings + 4), input[0].max(input[1]))
        }
    };
    Ok(Ending::new(law, expected_rounds, relative_error))
}

/// Computes the race of two sides with the same turns forever, from these weights of hit points of
/// the second side, then of the first. See [`super::race`]. Returns the number of hits.
fn race<N: Number>(duel: &Duel<N>, starts: [Vec<N>; 2], ends: &mut Ends<N>) -> Result<u64, Error> {
    let turn = |fighter: &super::Fighter<N>, target: &super::Fighter<N>| {
        let last = &fighter.phases()[fighter.phases().len() - 1];
        split(last.damage(), target.standing())
    };
    let (first_hits, first_hit, first_miss) = turn(&duel.first, &duel.second);
    let (second_hits, second_hit, second_miss) = turn(&duel.second, &duel.first);
    if first_hit.vanishes() && second_hit.vanishes() {
        return Err(Error::NeverEnds {
            state: "neither side's repeated turn can deal damage".to_owned(),
        });
    }
    let race = N::race([first_hit, second_hit], [first_miss, second_miss]);
    work::race(&race, [&first_hits, &second_hits], &starts, duel.limit)?;
    let [start_second, start_first] = starts;
    let first = Hits::new(start_second, &first_hits, duel.limit)?;
    let second = Hits::new(start_first, &second_hits, duel.limit)?;
    let (n, m) = (first.left.len(), second.left.len());
    // The first side's hits are counted by the hits it has taken, and vice versa.
    let won = race.fatal_first(&first.fatal, m);
    let lost = race.fatal_second(&second.fatal, n);
    let rounds = race.fatal_first(&first.standing, m);

    // The common total: one step for each level of hits, on both sides.
    let mut factor = N::unit();
    for (side, levels) in [(0, n), (1, m)] {
        for _ in 0..levels {
            factor = factor.times(&race.step[side]);
        }
    }
    ends.over(&factor);

    let mut sum = N::nothing();
    for (standing, rounds) in second.standing.iter().zip(&rounds) {
        sum = sum.times(&race.step[1]);
        sum.add(&standing.times(rounds));
    }
    ends.rounds.add(&sum.times(&race.round));
    for (winner, hits, met) in [(0, &second, &won), (1, &first, &lost)] {
        let law = hits.mixed(met, &race.step[1 - winner]);
        for (points, weight) in law.iter().enumerate() {
            ends.add(winner, points, &weight.times(&race.won[winner]));
        }
    }
    Ok((n + m) as u64)
}

/// Mixes two endings by the probability of `coin`. In the second one, the sides have exchanged
/// names.
pub(super) fn mixed<N: Number>(
    first: &Ending<N>,
    second: &Ending<N>,
    coin: &Dist<bool, N>,
) -> Result<Ending<N>, Error> {
    let (chance, rest) = (coin.p(&true), coin.p(&false));
    let expected_rounds =
        first.expected_rounds.clone() * chance + second.expected_rounds.clone() * rest;
    let renamed = second.law.map(|&(winner, left)| (winner.other(), left));
    let law = coin.and_then(|&as_given| match as_given {
        true => Ok(first.law.clone()),
        false => Ok(renamed.clone()),
    })?;
    // The coin, the products and the sum, and the division by the total.
    let relative_error = match N::EXACT {
        true => 0.0,
        false => first.relative_error.max(second.relative_error) * 1.01 + 8.0 * f64::EPSILON,
    };
    Ok(Ending::new(law, expected_rounds, relative_error))
}

impl<W: Number> fmt::Display for Ending<W>
where
    W::Ratio: ToPrimitive,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let float = |ratio: &W::Ratio| ratio.to_f64().unwrap_or(f64::NAN);
        let [first, second] =
            [Winner::First, Winner::Second].map(|winner| percent(float(&self.chance(winner))));
        write!(
            f,
            "the first wins with {first}, the second with {second}; {:.2} rounds on average",
            float(&self.expected_rounds)
        )
    }
}
