//! A battle to the end.

#[cfg(feature = "serde")]
mod parts;

use std::fmt;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_mdp::{Boxed, Game, Grid, Indexed, Node, Number, Solution, Solver};

use crate::chain::Chain;
use crate::radix::Radix;
use crate::stop_rule::Frontier;
use crate::{DEFAULT_WORK, Error, Rules, Side, StopRule, exact, rows};

/// A battle of attackers against defenders. Both sides throw as many dice as the rules allow, again
/// and again, until one side is gone or a [`StopRule`] breaks off.
///
/// **Convention.** `attackers` counts the units that may attack; the one that has to stay behind is
/// not included. This is the convention of J. A. Osborne, "Markov chains for the RISK board game
/// revisited" (2003), and of Georgiou. To count all troops of the territory, use
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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::BattleParts", into = "parts::BattleParts")
)]
pub struct Battle {
    attackers: u32,
    defenders: u32,
    rules: Rules,
    stop: StopRule,
    limit: u64,
}

impl Battle {
    /// Creates a battle by the standard rules from the number of units that may attack and the
    /// number of defenders.
    ///
    /// # Errors
    /// [`Error::NoUnits`] if either number is zero.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(Battle::new(1, 1)?.win()?.to_string(), "5/12"); // 15 of 36 rolls
    /// assert!(Battle::new(1, 0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(attackers: u32, defenders: u32) -> Result<Self, Error> {
        let both = [(attackers, Side::Attacker), (defenders, Side::Defender)];
        if let Some((_, side)) = both.into_iter().find(|&(units, _)| units == 0) {
            return Err(Error::NoUnits { side });
        }
        Ok(Battle {
            attackers,
            defenders,
            rules: Rules::standard(),
            stop: StopRule::never(),
            limit: DEFAULT_WORK,
        })
    }

    /// Creates a battle from the number of troops in the attacking territory, one of which stays
    /// behind.
    ///
    /// # Errors
    /// [`Error::Garrison`] for fewer than 2 troops, [`Error::NoUnits`] if there are no defenders.
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

    /// Sets the rules.
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

    /// Sets a rule by which the attackers break off. To win then means to conquer before that.
    ///
    /// # Errors
    /// [`Error::Floor`] if there are too few attackers for a single throw.
    ///
    /// # Examples
    /// Two attackers who never risk the last one win with the first throw or not at all:
    /// ```
    /// use oddsmith_risk::{Battle, StopRule};
    ///
    /// let careful = Battle::new(2, 1)?.stop(StopRule::at_units(1))?;
    /// assert_eq!(careful.win()?.to_string(), "125/216");
    /// assert!(Battle::new(2, 1)?.stop(StopRule::at_units(2)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stop(mut self, rule: StopRule) -> Result<Self, Error> {
        if rule.units() >= self.attackers {
            return Err(Error::Floor {
                units: rule.units(),
                attackers: self.attackers,
            });
        }
        self.stop = rule;
        Ok(self)
    }

    /// Limits the number of steps that an answer may take. The default is [`DEFAULT_WORK`].
    ///
    /// A step is a state, or for fractions a 64-bit word of a state. States that take longer count
    /// as more steps, as those of [distributions of throws](Battle::throws_needed_f64) and
    /// [odds](StopRule::below_odds) do. A larger battle is rejected before any work. (A [`Solver`]
    /// has its own limits.) A battle whose rows take more than a gigabyte, with some forty million
    /// defenders, is also rejected, with [`Error::RowsTooLarge`]. The throws of the rules by
    /// themselves may take as many steps as the limit, but never fewer than [`DEFAULT_WORK`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Battle, Error};
    ///
    /// let small = Battle::new(100, 100)?.max_work(10_000);
    /// assert!(matches!(small.win_f64(), Err(Error::BattleTooLarge { work: 10_201, .. })));
    /// assert!(small.max_work(10_201).win_f64().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_work(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// Returns the forces at the start.
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

    /// Returns the chance that the attackers win, as a fraction.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] beyond [`max_work`](Battle::max_work); [`Error::ThrowsTooLarge`] for
    /// throws of too many dice.
    ///
    /// # Complexity
    /// O(A·D) states for A attackers and D defenders, with numbers of up to O(A + D) digits, O(D)
    /// of which are in memory at a time. No greatest common divisors are computed: the denominators
    /// are products of known primes.
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
        let (chain, frontier, radix) = self.in_fractions("the exact chance to win")?;
        let size = self.size();
        let mut win = BigRational::default();
        exact::sweep(
            &chain,
            &radix,
            &frontier,
            size,
            exact::won,
            false,
            |attackers, row| {
                if let (true, Some(last)) = (attackers == size.attackers, row.last()) {
                    win = radix.fraction(last);
                }
                true
            },
        )?;
        Ok(win)
    }

    /// Returns the chance that the attackers win, as a float with a relative error of at most
    /// [`relative_error`](Battle::relative_error).
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Complexity
    /// O(A·D) time, O(D) memory.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let battle = Battle::new(100, 100)?;
    /// assert_eq!(format!("{:.6}", battle.win_f64()?), "0.824363");
    /// assert!(battle.relative_error() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self) -> Result<f64, Error> {
        let (chain, frontier) = self.chain_within("the chance to win")?;
        self.win_by(&chain, &frontier)
    }

    /// Returns the chance that the attackers do not win, as a float with a relative error of at
    /// most [`relative_error`](Battle::relative_error). This also holds where the chance is so
    /// small that one minus the chance to win has no accurate digits.
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let sure = Battle::new(1000, 10)?;
    /// assert_eq!(sure.win_f64()?, 1.0);
    /// assert_eq!(format!("{:.4e}", sure.lose_f64()?), "8.4354e-252");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lose_f64(&self) -> Result<f64, Error> {
        let (chain, frontier) = self.chain_within("the chance to lose")?;
        self.lose_by(&chain, &frontier)
    }

    /// Returns [`win_f64`](Battle::win_f64) by throws that have been computed, which for large dice
    /// takes most of the time.
    pub(crate) fn win_by(&self, chain: &Chain, frontier: &Frontier) -> Result<f64, Error> {
        rows::last(chain, frontier, self.size(), rows::won, 0.0)
    }

    /// Returns [`lose_f64`](Battle::lose_f64) by throws that have been computed.
    pub(crate) fn lose_by(&self, chain: &Chain, frontier: &Frontier) -> Result<f64, Error> {
        let lost = |attackers, defenders| 1.0 - rows::won(attackers, defenders);
        rows::last(chain, frontier, self.size(), lost, 0.0)
    }

    /// Returns the chance that the attackers do not win, as a fraction: one minus
    /// [`win`](Battle::win).
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(Battle::new(1, 1)?.lose()?.to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lose(&self) -> Result<BigRational, Error> {
        Ok(BigRational::from_integer(1.into()) - self.win()?)
    }

    /// Returns a bound on the relative error of [`win_f64`](Battle::win_f64),
    /// [`lose_f64`](Battle::lose_f64) and [`expected_throws_f64`](Battle::expected_throws_f64).
    ///
    /// It counts the roundings along the longest battle and is 4·(A + D)·2⁻⁵³ or little more.
    /// Chances below 10⁻²⁸⁰ may be replaced by 0, which is an absolute error of at most (A +
    /// D)·10⁻²⁸⁰. For such chances, use [`ln_win`](Battle::ln_win).
    ///
    /// # Examples
    /// ```
    /// let even = oddsmith_risk::Battle::new(1000, 1000)?;
    /// assert_eq!(format!("{:.1e}", even.relative_error()), "8.9e-13"); // 8000 / 2⁵³
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        rows::relative_error(self.size(), 4)
    }

    /// Returns the throws alone.
    pub(crate) fn throws(&self) -> Result<Chain, Error> {
        // A small limit must not exclude the throws of the standard box.
        let limit = self.limit.max(DEFAULT_WORK);
        Chain::within(self.attackers, self.defenders, &self.rules, limit)
    }

    /// Returns the throws, and where the stop rule breaks off.
    pub(crate) fn chain(&self) -> Result<(Chain, Frontier), Error> {
        let (attackers, defenders) = (self.attackers, self.defenders);
        let chain = self.throws()?;
        let frontier = self
            .stop
            .frontier(&chain, attackers, defenders, self.limit)?;
        Ok((chain, frontier))
    }

    /// Returns [`chain`](Battle::chain), but fails before the throws are computed if there are too
    /// many states.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`], and those of [`chain`](Battle::chain).
    pub(crate) fn chain_within(&self, what: &'static str) -> Result<(Chain, Frontier), Error> {
        self.size().check(what, self.limit)?;
        self.chain()
    }

    /// Returns the same with the primes of the fractions, whose words count as steps.
    ///
    /// # Errors
    /// As for [`chain_within`](Battle::chain_within).
    pub(crate) fn in_fractions(
        &self,
        what: &'static str,
    ) -> Result<(Chain, Frontier, Radix), Error> {
        let (chain, frontier) = self.chain_within(what)?;
        let radix = Radix::new(&chain);
        exact::check(&chain, &radix, self.size(), what, self.limit)?;
        Ok((chain, frontier, radix))
    }

    /// Returns the same battle with this many more defenders.
    ///
    /// # Errors
    /// [`Error::TooManyDefenders`] if there are more than can be counted.
    pub(crate) fn reinforced(&self, more: u32) -> Result<Self, Error> {
        let mut battle = self.clone();
        let defenders = u64::from(self.defenders) + u64::from(more);
        battle.defenders = u32::try_from(defenders).map_err(|_| Error::TooManyDefenders {
            defenders: self.defenders,
            reinforcements: more,
        })?;
        Ok(battle)
    }

    pub(crate) fn its_rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Solves the whole battle. The solution has the chance to win from every smaller battle, and
    /// its forecast has what is left and how long it takes.
    ///
    /// # Errors
    /// [`Error::ThrowsTooLarge`] and [`Error::TooManyRolls`] for throws of too many dice;
    /// [`Error::TooManyForces`] for more states than can be numbered; the solver's limits on states
    /// and memory as [`Error::Solve`].
    ///
    /// # Complexity
    /// O(A·D) states with a few outcomes each, for A attackers and D defenders. Exact values have
    /// O(A + D) digits.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::{Battle, Forces};
    ///
    /// let battle = Battle::new(10, 8)?;
    /// let solution = battle.solve_with(Solver::float())?;
    /// assert_eq!(format!("{:.4}", solution.value()), "0.7240");
    /// assert!(solution.error(&battle.forces())? < 1e-13);
    /// let later = Forces { attackers: 3, defenders: 3 };
    /// assert_eq!(format!("{:.4}", solution.value_of(&later)?), "0.4703");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with<N: Number>(
        &self,
        solver: Solver<'_, N>,
    ) -> Result<Solution<'static, BattleGame, N, Boxed>, Error> {
        Ok(solver.solve_indexed_owned(self.game()?, self.forces())?)
    }

    /// Returns the battle as a game for a solver. It has no decisions: both sides throw all the
    /// dice they may, to the end or as the [`StopRule`] says.
    ///
    /// # Errors
    /// As for [`solve_with`](Battle::solve_with), except for the solver's limits.
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
        let ranges = [0..=self.attackers.into(), 0..=self.defenders.into()];
        let grid = Grid::new(ranges).map_err(|_| self.forces().too_many(1))?;
        let (chain, frontier) = self.chain()?;
        for throw in chain.throws() {
            throw.total.to_u64().ok_or(throw.too_many_rolls())?;
        }
        Ok(BattleGame {
            grid,
            chain,
            frontier,
        })
    }
}

/// The units still fighting. These are the states of a [`BattleGame`].
///
/// # Examples
/// ```
/// use oddsmith_risk::{Battle, Forces};
///
/// let taken = Forces { attackers: 1, defenders: 0 };
/// assert_eq!(Battle::new(1, 1)?.survivors()?.ends().p(&taken).to_string(), "5/12");
/// assert_eq!(taken.to_string(), "1 against 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Forces {
    /// Units that may attack.
    pub attackers: u32,
    /// Units that defend.
    pub defenders: u32,
}

impl fmt::Display for Forces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} against {}", self.attackers, self.defenders)
    }
}

impl Forces {
    /// Returns the error for a game whose states, `each` for every pair of forces up to these,
    /// cannot be numbered.
    pub(crate) fn too_many(self, each: u128) -> Error {
        let pairs = (u128::from(self.attackers) + 1) * (u128::from(self.defenders) + 1);
        Error::TooManyForces {
            attackers: self.attackers,
            defenders: self.defenders,
            states: pairs * each,
            limit: usize::MAX,
        }
    }
}

/// A [`Battle`] as a game. Each state leads to those after one throw, and a battle without
/// defenders left is worth 1.
///
/// # Examples
/// It contains all smaller battles, too:
/// ```
/// use oddsmith_mdp::Solver;
/// use oddsmith_risk::{Battle, Forces};
///
/// let game = Battle::new(5, 5)?.game()?;
/// let solution = Solver::exact().solve(&game, Forces { attackers: 1, defenders: 1 })?;
/// assert_eq!(solution.value().to_string(), "5/12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BattleGame {
    grid: Grid<2>,
    chain: Chain,
    frontier: Frontier,
}

impl Game for BattleGame {
    type State = Forces;
    type Action = ();

    fn expand(&self, &forces: &Forces, node: &mut Node<Self>) {
        // A larger battle may have throws that this one does not. It then gets no successors, which
        // the solver reports, rather than a wrong number.
        if self.index(&forces) == usize::MAX {
            return;
        }
        let Forces {
            attackers,
            defenders,
        } = forces;
        if attackers == 0 || defenders == 0 || self.frontier.stops(attackers, defenders) {
            return node.end(defenders == 0);
        }
        let mut throws = node.chance();
        for outcome in &self.chain.at(attackers, defenders).list {
            let after = Forces {
                attackers: attackers - outcome.attackers,
                defenders: defenders - outcome.defenders,
            };
            // Checked when the game was created.
            throws.to(after, outcome.weight.to_u64().unwrap_or(0));
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

    // A state outside has no number inside.
    #[inline]
    fn stands_for(&self, _: usize, _: &Forces) -> bool {
        true
    }
}
