//! The best choice at all forces of a battle.

use std::fmt;
use std::sync::Arc;

use num_traits::ToPrimitive;
use oddsmith_mdp::{Encounter, SimultaneousNumber, SimultaneousSolution};

use super::{DiceChoiceGame, DiceState, Timing};
use crate::table::right;
use crate::{Error, Forces, Side};

/// The best numbers of dice at all forces of a battle, with their values. `V` is a fraction or a
/// float, depending on the solver's numbers.
///
/// `Display` writes a map with the attackers as rows and the defenders as columns. Each cell has
/// the attacker's and the defender's dice; of several equally good numbers the greatest is shown. A
/// cell is `mix` if a side has to randomise.
///
/// # Examples
/// A hero in the attack, by Georgiou's rules. The paper says that one die is best, because of a
/// game value that is too low by half for two pairs of dice. In this map, that is true with two or
/// more attackers against two defenders, with two attackers against more, and with six against
/// three:
/// ```
/// use oddsmith_risk::{DiceGame, Rules};
///
/// let hero = Rules::georgiou().hero_attacks();
/// let plan = DiceGame::new(6, 5)?.rules(hero).plan()?;
/// let map: Vec<String> = plan.to_string().lines().map(String::from).collect();
/// assert_eq!(map, [
///     "A\\D   1   2   3   4   5",
///     "  1 1v1 1v1 1v1 1v1 1v1",
///     "  2 2v1 1v1 1v1 1v1 1v1",
///     "  3 3v1 1v1 3v2 3v2 3v2",
///     "  4 3v1 1v1 3v2 3v2 3v2",
///     "  5 3v1 1v1 3v2 3v2 3v2",
///     "  6 3v1 1v1 1v1 3v2 3v2",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: oddsmith_mdp::written::Written"))
)]
pub struct DicePlan<V> {
    pub(super) timing: Timing,
    /// By attackers, then defenders.
    #[cfg_attr(feature = "serde", serde(rename = "advice"))]
    pub(super) all: Vec<DiceAdvice<V>>,
}

/// The best choice at certain forces.
///
/// # Examples
/// ```
/// use oddsmith_risk::{DiceGame, Forces, Timing};
///
/// let plan = DiceGame::new(3, 2)?.timing(Timing::AtOnce).plan()?;
/// let start = plan.advice(Forces { attackers: 3, defenders: 2 }).ok_or("the start")?;
/// assert_eq!(start.value.to_string(), "6610505/10077696");
/// assert_eq!(start.saddle_points, [(3, 2)]); // dice against dice
/// assert_eq!(start.most, (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: oddsmith_mdp::written::Written"))
)]
#[non_exhaustive]
pub struct DiceAdvice<V> {
    /// The forces.
    pub forces: Forces,
    /// The attacker's chance to win if both play best.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    pub value: V,
    /// The attacker's best numbers of dice, fewest first. If a mixed strategy is needed, these are
    /// the numbers that one optimal strategy uses. In floats, one best number may stand for
    /// several.
    pub attack: Vec<u32>,
    /// The defender's best numbers of dice. If the defender answers, these are the best against the
    /// attacker's best choice. If he sees the throw, the list is empty; see
    /// [`replies`](DiceAdvice::replies).
    pub defence: Vec<u32>,
    /// If both declare at once: the pairs of the attacker's and the defender's dice for which
    /// neither can improve alone. In floats there is at most one.
    pub saddle_points: Vec<(u32, u32)>,
    /// If the defender sees the throw: his best answers to the faces of the attacker's largest
    /// number of dice.
    pub replies: Vec<Reply>,
    /// The largest numbers of dice that the rules allow.
    pub most: (u32, u32),
    /// Whether a side has to randomise.
    pub mixed: bool,
}

/// The answer of a defender who sees the attacker's throw.
///
/// # Examples
/// Two against two: the defender throws one die against any two high ones.
/// ```
/// use oddsmith_risk::{DiceGame, Forces, Timing};
///
/// let seeing = DiceGame::new(2, 2)?.timing(Timing::AfterTheThrow);
/// let plan = seeing.plan()?;
/// let start = plan.advice(Forces { attackers: 2, defenders: 2 }).ok_or("the start")?;
/// let one: Vec<&[i64]> = start.replies.iter().filter(|r| r.dice == [1]).map(|r| &*r.faces).collect();
/// assert_eq!(one, [[6, 6], [6, 5], [6, 4], [5, 5], [5, 4], [4, 4]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Reply {
    /// The attacker's faces, highest first, including bonuses.
    #[cfg_attr(feature = "serde", serde(serialize_with = "faces"))]
    pub faces: Arc<[i64]>,
    /// The best numbers of dice, fewest first.
    pub dice: Vec<u32>,
}

/// Writes faces as a list.
#[cfg(feature = "serde")]
fn faces<S: serde::Serializer>(faces: &Arc<[i64]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(faces.iter())
}

impl<V: Clone + PartialOrd + ToPrimitive> DicePlan<V> {
    pub(super) fn of<N: SimultaneousNumber<Value = V>>(
        game: &DiceChoiceGame,
        solution: &SimultaneousSolution<'_, DiceChoiceGame, N>,
    ) -> Result<Self, Error> {
        let mut all = Vec::new();
        for (state, value) in solution.states() {
            if let DiceState::Before(forces) = *state
                && forces.attackers > 0
                && forces.defenders > 0
            {
                all.push(DiceAdvice::of(game, solution, forces, value)?);
            }
        }
        all.sort_by_key(|advice| advice.forces);
        Ok(DicePlan {
            timing: game.timing,
            all,
        })
    }

    /// Returns who declares first.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::{DiceGame, Timing};
    /// assert_eq!(DiceGame::new(1, 1)?.plan_with(Solver::float())?.timing(), Timing::AttackerFirst);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Returns the best choice at these forces, or `None` if the battle cannot reach them.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, Forces};
    ///
    /// let plan = DiceGame::new(2, 2)?.plan()?;
    /// let duel = plan.advice(Forces { attackers: 1, defenders: 1 }).ok_or("a smaller battle")?;
    /// assert_eq!(duel.value.to_string(), "5/12");
    /// assert_eq!(plan.advice(Forces { attackers: 3, defenders: 1 }), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn advice(&self, forces: Forces) -> Option<&DiceAdvice<V>> {
        let place = self
            .all
            .binary_search_by_key(&forces, |advice| advice.forces);
        self.all.get(place.ok()?)
    }

    /// Returns the best choice at all forces, by attackers, then defenders.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::DiceGame;
    ///
    /// let plan = DiceGame::new(4, 3)?.plan()?;
    /// assert_eq!(plan.iter().count(), 12);
    /// assert!(plan.iter().all(|advice| advice.attack.contains(&advice.most.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = &DiceAdvice<V>> {
        self.all.iter()
    }

    /// Returns the forces at which a side does better with fewer dice than it may throw, so that
    /// the greatest number is not among the best. If the defender sees the throw, these are the
    /// forces at which there are faces against which it is not.
    ///
    /// # Examples
    /// Only by the paper's rules, and only in two against two, where one die limits the defender to
    /// one:
    /// ```
    /// use oddsmith_risk::{DiceGame, Forces, Rules, Side};
    ///
    /// let plan = DiceGame::new(15, 15)?.rules(Rules::georgiou()).plan()?;
    /// let fewer = plan.where_max_is_not_optimal(Side::Attacker);
    /// let forces: Vec<Forces> = fewer.iter().map(|advice| advice.forces).collect();
    /// assert_eq!(forces, [Forces { attackers: 2, defenders: 2 }]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn where_max_is_not_optimal(&self, side: Side) -> Vec<&DiceAdvice<V>> {
        let fewer = |advice: &&DiceAdvice<V>| match side {
            Side::Attacker => !advice.attack.contains(&advice.most.0),
            Side::Defender if self.timing == Timing::AfterTheThrow => {
                let mut replies = advice.replies.iter();
                replies.any(|reply| !reply.dice.contains(&advice.most.1))
            }
            Side::Defender => !advice.defence.contains(&advice.most.1),
        };
        self.all.iter().filter(fewer).collect()
    }

    /// Returns whether no forces need a random choice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, Timing};
    ///
    /// let battle = DiceGame::new(10, 10)?.timing(Timing::AtOnce);
    /// assert!(battle.plan()?.pure_everywhere());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pure_everywhere(&self) -> bool {
        self.all.iter().all(|advice| !advice.mixed)
    }
}

impl<V: Clone + PartialOrd + ToPrimitive> DiceAdvice<V> {
    fn of<N: SimultaneousNumber<Value = V>>(
        game: &DiceChoiceGame,
        solution: &SimultaneousSolution<'_, DiceChoiceGame, N>,
        forces: Forces,
        value: V,
    ) -> Result<Self, Error> {
        let first = solution.equilibrium(&DiceState::Before(forces))?;
        let (mut attack, mut defence) = (rows(&first), columns(&first));
        let (most, most_defence) = game.rules.dice(forces.attackers, forces.defenders);
        let mut most = (most, most_defence);
        let mut replies = Vec::new();
        let answer = |dice: u32| {
            let declared = DiceState::Declared { forces, dice };
            solution.equilibrium(&declared)
        };
        match game.timing {
            Timing::AtOnce => {}
            Timing::AttackerFirst => {
                // More than he may throw against the attacker's best is not a choice.
                let best = attack.last().copied().unwrap_or(most.0);
                defence = columns(&answer(best)?);
                most.1 = game.rules.defence_dice_against(best, forces.defenders);
            }
            Timing::DefenderFirst => {
                attack = rows(&answer(defence.last().copied().unwrap_or(most.1))?);
            }
            Timing::AfterTheThrow => {
                for (faces, _) in game
                    .sight
                    .thrown
                    .get(most.0 as usize - 1)
                    .into_iter()
                    .flatten()
                {
                    let faces = faces.clone();
                    let thrown = DiceState::Thrown {
                        forces,
                        faces: faces.clone(),
                    };
                    let dice = columns(&solution.equilibrium(&thrown)?);
                    replies.push(Reply { faces, dice });
                }
            }
        }
        let pairs = first.saddle_points.iter().filter_map(|&(row, column)| {
            Some((*first.rows.get(row)?, *first.columns.get(column)?))
        });
        Ok(DiceAdvice {
            forces,
            value,
            saddle_points: pairs.collect(),
            mixed: !is_pure(&first),
            attack,
            defence,
            replies,
            most,
        })
    }
}

impl<V> DiceAdvice<V> {
    /// Writes the dice of both sides.
    pub(crate) fn cell(&self) -> String {
        match (self.attack.last(), self.defence.last()) {
            _ if self.mixed => "mix".to_owned(),
            (Some(attack), Some(defence)) => format!("{attack}v{defence}"),
            (Some(attack), None) => format!("{attack}v?"),
            _ => String::new(),
        }
    }
}

type Met<V> = Encounter<DiceState, u32, u32, V>;

/// Does without a zero to compare with, which `Encounter` requires.
fn is_pure<V>(met: &Met<V>) -> bool {
    met.payoffs.is_empty() || !met.saddle_points.is_empty()
}

fn rows<V: ToPrimitive>(met: &Met<V>) -> Vec<u32> {
    let saddles = met.saddle_points.iter().map(|&(row, _)| row);
    best(&met.rows, saddles.collect(), &met.row_strategy)
}

fn columns<V: ToPrimitive>(met: &Met<V>) -> Vec<u32> {
    let saddles = met.saddle_points.iter().map(|&(_, column)| column);
    best(&met.columns, saddles.collect(), &met.column_strategy)
}

/// Returns the dice of saddle points, or those that a mixed strategy uses.
fn best<V: ToPrimitive>(dice: &[u32], mut places: Vec<usize>, strategy: &[V]) -> Vec<u32> {
    if places.is_empty() {
        let thrown = strategy.iter().enumerate();
        let thrown = thrown.filter(|(_, p)| p.to_f64().is_some_and(|p| p > 0.0));
        places = thrown.map(|(place, _)| place).collect();
    }
    places.sort_unstable();
    places.dedup();
    places
        .iter()
        .filter_map(|&place| dice.get(place).copied())
        .collect()
}

impl<V> fmt::Display for DicePlan<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let forces = |advice: &DiceAdvice<V>| advice.forces;
        let columns = self.all.iter().map(|advice| forces(advice).defenders);
        let columns = columns.max().unwrap_or(0);
        let width = |number: u32| number.to_string().len();
        let wide = self.all.iter().map(|advice| advice.cell().len());
        let wide = wide.max().unwrap_or(0).max(width(columns)) + 1;
        let margin = self
            .all
            .last()
            .map_or(0, |last| width(forces(last).attackers));
        let margin = margin.max(3);
        write!(f, "{:>margin$}", "A\\D")?;
        for defenders in 1..=columns {
            write!(f, "{defenders:>wide$}")?;
        }
        for row in self
            .all
            .chunk_by(|a, b| forces(a).attackers == forces(b).attackers)
        {
            let Some(first) = row.first() else { continue };
            write!(f, "\n{:>margin$}", forces(first).attackers)?;
            // Forces that the battle cannot reach are left out.
            let mut before = 0;
            for advice in row {
                let column = forces(advice).defenders;
                let gap = wide * (column - before) as usize;
                f.write_str(&right(&advice.cell(), gap))?;
                before = column;
            }
        }
        Ok(())
    }
}
