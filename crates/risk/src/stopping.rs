//! When to stop an attack: best play of an attacker who may stop.

#[cfg(feature = "serde")]
mod parts;

use std::fmt;

use ndarray::Array2;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_dice::IntoRatio;
use oddsmith_mdp::{Boxed, Game, Grid, Indexed, Node, Number, Score, Solution, Solver};

use crate::chain::Chain;
use crate::radix::Radix;
use crate::rows::Size;
use crate::{Battle, Error, Forces, exact};

/// The attacker's decision before a throw.
///
/// # Examples
/// A throw for a territory worth T is worth 5/12·(T + 1) − 7/12, which is no better than stopping
/// if T is 2/5.
/// ```
/// use oddsmith_mdp::Solver;
/// use oddsmith_risk::{Attack, Battle, Standing, Stopping};
///
/// let duel = Stopping::new(Battle::new(1, 1)?, "0.4")?.solve_with(Solver::exact())?;
/// assert_eq!(duel.decision(&Standing::fighting(1, 1))?, Some(Attack::Stop));
/// assert_eq!(duel.value().to_string(), "0");
/// assert_eq!(Attack::Stop.to_string(), "stop");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Attack {
    /// Keep what is left. This comes first, so that ties are decided in its favour.
    Stop,
    /// Throw all dice that the rules allow.
    Throw,
}

/// A state of the battle, that is, of a [`StoppingGame`].
///
/// # Examples
/// ```
/// use oddsmith_mdp::Solver;
/// use oddsmith_risk::{Battle, Standing, Stopping};
///
/// let solution = Stopping::new(Battle::new(2, 1)?, 10)?.solve_with(Solver::exact())?;
/// let stopped = Standing { stopped: true, ..Standing::fighting(2, 1) };
/// assert_eq!(solution.value_of(&stopped)?.to_string(), "1"); // two less one, and nothing taken
/// assert_eq!(stopped.to_string(), "2 against 1, stopped");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Standing {
    /// Units that may attack.
    pub attackers: u32,
    /// Units that defend.
    pub defenders: u32,
    /// Whether the attack has been stopped.
    pub stopped: bool,
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Attack::Stop => "stop",
            Attack::Throw => "throw",
        })
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} against {}", self.attackers, self.defenders)?;
        match self.stopped {
            true => f.write_str(", stopped"),
            false => Ok(()),
        }
    }
}

impl Standing {
    /// Creates the state with these forces, not stopped.
    ///
    /// # Examples
    /// ```
    /// assert!(!oddsmith_risk::Standing::fighting(3, 2).stopped);
    /// ```
    #[must_use]
    pub fn fighting(attackers: u32, defenders: u32) -> Self {
        Standing {
            attackers,
            defenders,
            stopped: false,
        }
    }
}

/// A battle in which the attacker may stop before every throw. He maximises the expectation of
///
/// > T·\[the territory is taken\] + attackers left − defenders left
///
/// where the territory is worth T units. Both sides throw all the dice they may.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Solver;
/// use oddsmith_risk::{Attack, Battle, Standing, Stopping};
///
/// let stopping = Stopping::new(Battle::new(3, 3)?, 10)?; // a territory worth ten units
/// let solution = stopping.solve_with(Solver::exact())?;
/// assert_eq!(solution.decision(&Standing::fighting(3, 3))?, Some(Attack::Throw));
/// let bad = Standing::fighting(1, 3);
/// assert_eq!(solution.decision(&bad)?, Some(Attack::Stop));
/// assert_eq!(solution.value_of(&bad)?.to_string(), "-2"); // one attacker less three defenders
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::StoppingParts", into = "parts::StoppingParts")
)]
pub struct Stopping {
    battle: Battle,
    territory: BigRational,
}

impl Stopping {
    /// Creates a battle for a territory that is worth this many units, which may be a fraction,
    /// zero or negative. The battle's own [`StopRule`](crate::StopRule), if it has one, is ignored,
    /// since stopping is the decision here.
    ///
    /// # Errors
    /// [`Error::Dice`] if the value is not a finite number.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Stopping};
    ///
    /// assert!(Stopping::new(Battle::new(3, 2)?, "4.5").is_ok());
    /// assert!(Stopping::new(Battle::new(3, 2)?, "inf").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(battle: Battle, territory: impl IntoRatio) -> Result<Self, Error> {
        let territory = territory.into_ratio()?;
        Ok(Stopping { battle, territory })
    }

    /// Returns the battle that may be stopped.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Stopping};
    ///
    /// let stopping = Stopping::new(Battle::on_board(4, 2)?, 10)?;
    /// assert_eq!(stopping.battle().forces().attackers, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn battle(&self) -> &Battle {
        &self.battle
    }

    /// Returns the value of the territory, in units.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Stopping};
    ///
    /// let stopping = Stopping::new(Battle::new(3, 2)?, "4.5")?;
    /// assert_eq!(stopping.territory().to_string(), "9/2");
    /// assert_eq!(stopping.battle(), &Battle::new(3, 2)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn territory(&self) -> &BigRational {
        &self.territory
    }

    /// Computes best play from all forces up to those of the battle.
    ///
    /// # Errors
    /// As for [`Battle::solve_with`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::{Attack, Battle, Standing, Stopping};
    ///
    /// let solution = Stopping::new(Battle::new(1, 1)?, 2)?.solve_with(Solver::exact())?;
    /// assert_eq!(solution.value().to_string(), "2/3"); // 5/12 · 3 − 7/12
    /// assert_eq!(solution.decision(&Standing::fighting(1, 1))?, Some(Attack::Throw));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with<N: Number>(
        &self,
        solver: Solver<'_, N>,
    ) -> Result<Solution<'static, StoppingGame, N, Boxed>, Error> {
        let Forces {
            attackers,
            defenders,
        } = self.battle.forces();
        let start = Standing::fighting(attackers, defenders);
        Ok(solver.solve_indexed_owned(self.game()?, start)?)
    }

    /// Returns where to throw on, as a table: `map[[a, d]]` is for `a` attackers against `d`
    /// defenders, up to those of the battle. An entry is `false` where throwing on is no better
    /// than stopping, and where the battle is over (row and column 0).
    ///
    /// # Errors
    /// As for [`Battle::solve_with`] in exact numbers, and [`Error::BattleTooLarge`] beyond
    /// [`max_work`](Battle::max_work) of the battle. For its limit, a 64-bit word of a state counts
    /// as 4 steps.
    ///
    /// # Complexity
    /// That of one exact solution of the whole game.
    ///
    /// # Examples
    /// For a territory worth four units:
    /// ```
    /// use oddsmith_risk::{Battle, Stopping, Table};
    ///
    /// let map = Stopping::new(Battle::new(4, 3)?, 4)?.action_map()?;
    /// assert!(map[[3, 1]] && !map[[1, 2]]);
    /// let table = Table::of_matrix(&map, |&throw| if throw { "go" } else { "" }.to_owned());
    /// assert_eq!(
    ///     table.to_markdown().lines().nth(2),
    ///     Some("| 1 | go |  |  |")
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "critical")]
    pub fn action_map(&self) -> Result<Array2<bool>, Error> {
        let Forces {
            attackers,
            defenders,
        } = self.battle.forces();
        let game = self.game()?;
        let all = Size::new(attackers, defenders);
        let words = exact::work(&game.chain, &Radix::new(&game.chain), all, all.work(), 0);
        let steps = words.saturating_mul(STEPS_A_WORD);
        all.check_work("a map of where to stop", steps, self.battle.limit())?;
        let start = Standing::fighting(attackers, defenders);
        let solution = Solver::exact().solve_indexed(&game, start)?;
        let size = (attackers as usize + 1, defenders as usize + 1);
        let mut map = Array2::from_elem(size, false);
        for ((attackers, defenders), throw) in map.indexed_iter_mut() {
            if attackers > 0 && defenders > 0 {
                // No larger than the forces of the battle.
                let standing = Standing::fighting(attackers as u32, defenders as u32);
                *throw = solution.decision(&standing)? == Some(Attack::Throw);
            }
        }
        Ok(map)
    }

    /// Returns the decisions as a game for a solver.
    ///
    /// # Errors
    /// As for [`Battle::game`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::{Battle, Standing, Stopping};
    ///
    /// let game = Stopping::new(Battle::new(2, 1)?, 0)?.game()?;
    /// let solution = Solver::exact().solve(&game, Standing::fighting(2, 1))?;
    /// assert_eq!(solution.value().to_string(), "125/108"); // against 1 if he stops
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self) -> Result<StoppingGame, Error> {
        let Forces {
            attackers,
            defenders,
        } = self.battle.forces();
        let ranges = [0..=attackers.into(), 0..=defenders.into(), 0..=1];
        let grid = Grid::new(ranges).map_err(|_| self.battle.forces().too_many(2))?;
        let chain = self.battle.throws()?;
        for throw in chain.throws() {
            throw.total.to_u64().ok_or(throw.too_many_rolls())?;
        }
        Ok(StoppingGame {
            grid,
            chain,
            territory: self.territory.clone(),
        })
    }
}

/// The work of the general solver for a word of a fraction, in steps of a battle.
const STEPS_A_WORD: u128 = 4;

/// [`Stopping`] as a game. Its states are [`Standing`]s and its actions [`Attack`]s.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Indexed;
/// use oddsmith_risk::{Battle, Standing, Stopping};
///
/// let game = Stopping::new(Battle::new(2, 1)?, 10)?.game()?;
/// assert_eq!(game.size(), 12); // 0 to 2 attackers, 0 or 1 defender, stopped or not
/// assert_eq!(game.state(11), Standing::fighting(2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StoppingGame {
    grid: Grid<3>,
    chain: Chain,
    territory: BigRational,
}

impl StoppingGame {
    fn worth(&self, standing: &Standing) -> Score {
        let left = i64::from(standing.attackers) - i64::from(standing.defenders);
        match standing.defenders == 0 {
            true => Score::from(BigRational::from_integer(left.into()) + &self.territory),
            false => Score::from(left),
        }
    }
}

impl Game for StoppingGame {
    type State = Standing;
    type Action = Attack;

    fn expand(&self, standing: &Standing, node: &mut Node<Self>) {
        if self.index(standing) == usize::MAX {
            return;
        }
        let &Standing {
            attackers,
            defenders,
            stopped,
        } = standing;
        if stopped || attackers == 0 || defenders == 0 {
            return node.end(self.worth(standing));
        }
        let stop = Standing {
            stopped: true,
            ..*standing
        };
        node.choice(Attack::Stop).to(stop, 1);
        let mut throws = node.choice(Attack::Throw);
        for outcome in &self.chain.at(attackers, defenders).list {
            let after =
                Standing::fighting(attackers - outcome.attackers, defenders - outcome.defenders);
            // Checked when the game was created.
            throws.to(after, outcome.weight.to_u64().unwrap_or(0));
        }
    }
}

impl Indexed for StoppingGame {
    fn size(&self) -> usize {
        self.grid.len()
    }

    fn index(&self, standing: &Standing) -> usize {
        let fights = i64::from(!standing.stopped);
        let point = [standing.attackers.into(), standing.defenders.into(), fights];
        self.grid.index(point).unwrap_or(usize::MAX)
    }

    fn state(&self, index: usize) -> Standing {
        let [attackers, defenders, fights] = self.grid.point(index);
        Standing {
            attackers: attackers as u32,
            defenders: defenders as u32,
            stopped: fights == 0,
        }
    }
}
