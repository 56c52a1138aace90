//! A battle to the end.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_mdp::{Boxed, Game, Grid, Indexed, Node, Number, Solution, Solver};

use crate::pairs::Pairs;
use crate::{DEFAULT_WORK, Error, Rules, Side};

/// Attackers against defenders, throw after throw with as many dice as the
/// rules allow, until one side is gone.
///
/// **Convention.** `attackers` counts the units that may attack; the one that
/// has to stay behind is not among them. This is the convention of J. A.
/// Osborne, "Markov chains for the RISK board game revisited" (2003), and of
/// Georgiou; who counts all troops of the territory uses
/// [`on_board`](Battle::on_board).
///
/// # Examples
/// ```
/// use oddsmith_risk::Battle;
///
/// let battle = Battle::new(3, 2)?;
/// assert_eq!(battle.win()?.to_string(), "6610505/10077696");
/// assert_eq!(format!("{:.4}", Battle::new(86, 100)?.win_f64()?), "0.4980");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Battle {
    attackers: u32,
    defenders: u32,
    rules: Rules,
}

impl Battle {
    /// So many units that may attack against so many defenders, by the standard
    /// rules.
    ///
    /// # Errors
    /// [`Error::NoUnits`] for a zero.
    ///
    /// # Examples
    /// See [`Battle`].
    pub fn new(attackers: u32, defenders: u32) -> Result<Self, Error> {
        let both = [(attackers, Side::Attacker), (defenders, Side::Defender)];
        if let Some((_, side)) = both.into_iter().find(|&(units, _)| units == 0) {
            return Err(Error::NoUnits { side });
        }
        Ok(Battle {
            attackers,
            defenders,
            rules: Rules::standard(),
        })
    }

    /// So many troops in the attacking territory, one of which stays behind.
    ///
    /// # Errors
    /// [`Error::Garrison`] for fewer than 2 troops, [`Error::NoUnits`] without
    /// defenders.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(Battle::on_board(4, 2)?, Battle::new(3, 2)?);
    /// assert!(Battle::on_board(1, 2).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_board(troops: u32, defenders: u32) -> Result<Self, Error> {
        match troops {
            0 | 1 => Err(Error::Garrison { troops }),
            _ => Battle::new(troops - 1, defenders),
        }
    }

    /// The same battle by other rules.
    ///
    /// # Examples
    /// Zombies win ties:
    /// ```
    /// use oddsmith_risk::{Battle, Rules, Side};
    ///
    /// let zombies = Rules::standard().ties_to(Side::Attacker);
    /// assert_eq!(Battle::new(1, 1)?.rules(zombies).win()?.to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// The forces at the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Forces};
    ///
    /// assert_eq!(Battle::new(3, 2)?.forces(), Forces { attackers: 3, defenders: 2 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn forces(&self) -> Forces {
        Forces {
            attackers: self.attackers,
            defenders: self.defenders,
        }
    }

    /// The chance that the attackers win, as a fraction.
    ///
    /// # Errors
    /// As for [`solve`](Battle::solve).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let even = Battle::new(5, 5)?;
    /// assert_eq!(even.win()?.to_string(), "1599054692224736155/3158920892214411264");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(&self) -> Result<BigRational, Error> {
        Ok(self.solve(Solver::exact())?.value())
    }

    /// The chance that the attackers win, as a float. Its error bound is that
    /// of [`solve`](Battle::solve) with [`Solver::float`].
    ///
    /// # Errors
    /// As for [`solve`](Battle::solve).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(format!("{:.6}", Battle::new(100, 100)?.win_f64()?), "0.824363");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self) -> Result<f64, Error> {
        Ok(self.solve(Solver::float())?.value())
    }

    /// The whole battle, solved: the chance to win from every smaller one, and
    /// by its forecast what is left and how long it takes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] and [`Error::TooManyRolls`] for throws of too many
    /// dice; the solver's limits on states and memory as [`Error::Solve`].
    ///
    /// # Complexity
    /// O(A·D) states of a few outcomes each for A attackers and D defenders.
    /// Exact values grow with A + D digits.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::{Battle, Forces};
    ///
    /// let battle = Battle::new(10, 8)?;
    /// let solution = battle.solve(Solver::float())?;
    /// assert_eq!(format!("{:.4}", solution.value()), "0.7240");
    /// assert!(solution.error(&battle.forces())? < 1e-13);
    /// let later = Forces { attackers: 3, defenders: 3 };
    /// assert_eq!(format!("{:.4}", solution.value_of(&later)?), "0.4703");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve<N: Number>(
        &self,
        solver: Solver<'_, N>,
    ) -> Result<Solution<'static, BattleGame, N, Boxed>, Error> {
        Ok(solver.solve_indexed_owned(self.game()?, self.forces())?)
    }

    /// The battle as a game for a solver. Nobody decides anything in it: both
    /// sides throw all the dice they may, to the end.
    ///
    /// # Errors
    /// As for [`solve`](Battle::solve), but for the solver's limits.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Indexed, Solver};
    /// use oddsmith_risk::Battle;
    ///
    /// let battle = Battle::new(2, 1)?;
    /// let game = battle.game()?;
    /// assert_eq!(game.size(), 6); // 0 to 2 attackers, 0 or 1 defender
    /// let solution = Solver::exact().solve(&game, battle.forces())?;
    /// assert_eq!(solution.value().to_string(), "1955/2592");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self) -> Result<BattleGame, Error> {
        let grid = Grid::new([0..=self.attackers.into(), 0..=self.defenders.into()])?;
        let columns = self.defenders.min(self.rules.max_defence);
        let mut throws = Vec::new();
        let mut work = 0_u128;
        for attackers in 1..=self.attackers.min(self.rules.max_attack) {
            for defenders in 1..=columns {
                let (attack, defence) = self.rules.dice(attackers, defenders);
                // One limit for all throws together.
                let left = u128::from(DEFAULT_WORK).saturating_sub(work);
                let left = u64::try_from(left).unwrap_or(DEFAULT_WORK);
                let pairs = Pairs::new([attack, defence], &self.rules, left)
                    .map_err(|error| error.after(work))?;
                work += pairs.work();
                let law = pairs.law()?.lowest_terms();
                let many = Error::TooManyRolls { attack, defence };
                law.total().to_u64().ok_or(many)?;
                let outcomes = law.iter().filter_map(|(&won, weight)| {
                    Some((attack.min(defence) - won, won, weight.to_u64()?))
                });
                throws.push(outcomes.collect());
            }
        }
        Ok(BattleGame {
            grid,
            columns,
            rows: self.attackers.min(self.rules.max_attack),
            throws,
        })
    }
}

/// The units still fighting: the states of a [`BattleGame`].
///
/// # Examples
/// See [`Battle::solve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Forces {
    /// Units that may attack.
    pub attackers: u32,
    /// Units that defend.
    pub defenders: u32,
}

/// A [`Battle`] as a game: each state leads to those after one throw, and a
/// battle without defenders left is worth 1.
///
/// # Examples
/// See [`Battle::game`].
#[derive(Clone, Debug)]
pub struct BattleGame {
    grid: Grid<2>,
    rows: u32,
    columns: u32,
    /// The throws of one attacker or more, row by row: what the attacker and
    /// the defender lose, and how often.
    throws: Vec<Vec<(u32, u32, u64)>>,
}

impl Game for BattleGame {
    type State = Forces;
    type Action = ();

    fn expand(&self, &forces: &Forces, node: &mut Node<Self>) {
        // A larger battle may have throws that this one has not: rather no way
        // on, which the solver reports, than a wrong number.
        if self.index(&forces) == usize::MAX {
            return;
        }
        let (row, column) = (
            forces.attackers.min(self.rows),
            forces.defenders.min(self.columns),
        );
        if row == 0 || column == 0 {
            return node.end(forces.defenders == 0);
        }
        let throw = (row - 1) as usize * self.columns as usize + (column - 1) as usize;
        let mut throws = node.chance();
        for &(attackers, defenders, weight) in self.throws.get(throw).into_iter().flatten() {
            let after = Forces {
                attackers: forces.attackers - attackers,
                defenders: forces.defenders - defenders,
            };
            throws.to(after, weight);
        }
    }
}

impl Indexed for BattleGame {
    fn size(&self) -> usize {
        self.grid.len()
    }

    fn index(&self, forces: &Forces) -> usize {
        let point = [forces.attackers.into(), forces.defenders.into()];
        self.grid.index(point).unwrap_or(usize::MAX)
    }

    fn state(&self, index: usize) -> Forces {
        let [attackers, defenders] = self.grid.point(index).map(|units| units as u32);
        Forces {
            attackers,
            defenders,
        }
    }
}
