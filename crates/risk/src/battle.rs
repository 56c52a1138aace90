//! A battle to the end.

#[cfg(feature = "serde")]
mod parts;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_mdp::{Boxed, Game, Grid, Indexed, Node, Number, Solution, Solver};

use crate::chain::Chain;
use crate::radix::Radix;
use crate::stop_rule::Frontier;
use crate::{DEFAULT_WORK, Error, Rules, Side, StopRule, exact, logarithm, rows};

/// Attackers against defenders, throw after throw with as many dice as the
/// rules allow, until one side is gone or a [`StopRule`] breaks off.
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
    /// So many units that may attack against so many defenders, by the standard
    /// rules.
    ///
    /// # Errors
    /// [`Error::NoUnits`] for a zero.
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

    /// The same battle, broken off where the rule says so. To win is then to
    /// conquer before that.
    ///
    /// # Errors
    /// [`Error::Floor`] if the attackers are too few for a single throw.
    ///
    /// # Examples
    /// Two attackers who never risk the last one win by the first throw or not at all:
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

    /// How many steps an answer may take: states, or for fractions 64-bit words
    /// of all states, and more of them where a state takes longer, as
    /// [laws of throws](Battle::throws_needed_f64) and [odds](StopRule::below_odds) do;
    /// [`DEFAULT_WORK`] unless set. A larger battle is refused
    /// before any work. (A [`Solver`] has limits of its own.) So is, with
    /// [`Error::RowsTooLarge`], one whose rows take more than a gigabyte: some forty
    /// million defenders. The throws of the rules, by themselves, may take as many steps,
    /// but never fewer than [`DEFAULT_WORK`].
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
    /// [`Error::BattleTooLarge`] beyond [`max_work`](Battle::max_work);
    /// [`Error::TooLarge`] for throws of too many dice.
    ///
    /// # Complexity
    /// O(A·D) states for A attackers and D defenders, with numbers of up to
    /// O(A + D) digits, O(D) of them in memory. No greatest common divisor is
    /// taken: the denominators are products of known primes.
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

    /// The chance that the attackers win, as a float with a relative error of
    /// at most [`relative_error`](Battle::relative_error).
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
        self.last_of_rows("the chance to win", rows::won, 0.0)
    }

    /// The chance that the attackers do not win, as a float with a relative
    /// error of at most [`relative_error`](Battle::relative_error): also where
    /// it is small, and one less the chance to win has no digits left.
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
        self.last_of_rows("the chance to lose", |a, d| 1.0 - rows::won(a, d), 0.0)
    }

    /// The chance that the attackers do not win, as a fraction: one less
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

    /// A bound on the relative error of [`win_f64`](Battle::win_f64),
    /// [`lose_f64`](Battle::lose_f64) and
    /// [`expected_throws_f64`](Battle::expected_throws_f64).
    ///
    /// It counts roundings along the longest battle, 4·(A + D)·2⁻⁵³ or little
    /// more. Chances below 10⁻²⁸⁰ may be taken for 0, which is an absolute error
    /// of (A + D)·10⁻²⁸⁰ at most: for such chances see
    /// [`ln_win`](Battle::ln_win).
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

    /// The natural logarithm of the chance that the attackers win, for chances
    /// of any size; −∞ if they cannot.
    ///
    /// Its absolute error is at most [`relative_error`](Battle::relative_error)
    /// and two units in its last place.
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Complexity
    /// O(A·D) time, O(D) memory; some three times as long as
    /// [`win_f64`](Battle::win_f64), which is asked first.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let hopeless = Battle::new(1, 1000)?;
    /// assert_eq!(hopeless.win_f64()?, 0.0); // 1.3e-594 is none
    /// assert_eq!(format!("{:.6}", hopeless.ln_win()?), "-1367.452746");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ln_win(&self) -> Result<f64, Error> {
        self.ln(true)
    }

    /// The natural logarithm of the chance that the attackers do not win.
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let sure = Battle::new(1000, 1)?;
    /// assert_eq!(format!("{:.4}", sure.ln_lose()?), "-1077.2404");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ln_lose(&self) -> Result<f64, Error> {
        self.ln(false)
    }

    /// The decimal logarithm of the chance that the attackers win; see
    /// [`ln_win`](Battle::ln_win).
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(format!("{:.6}", Battle::new(1, 1000)?.log10_win()?), "-593.877182");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log10_win(&self) -> Result<f64, Error> {
        Ok(self.ln_win()? * std::f64::consts::LOG10_E)
    }

    /// The decimal logarithm of the chance that the attackers do not win; see
    /// [`ln_lose`](Battle::ln_lose).
    ///
    /// # Errors
    /// As for [`win`](Battle::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(format!("{:.4}", Battle::new(1000, 1)?.log10_lose()?), "-467.8396");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log10_lose(&self) -> Result<f64, Error> {
        Ok(self.ln_lose()? * std::f64::consts::LOG10_E)
    }

    fn ln(&self, victory: bool) -> Result<f64, Error> {
        let [this, other] = match victory {
            true => [Self::win_f64, Self::lose_f64],
            false => [Self::lose_f64, Self::win_f64],
        };
        let chance = this(self)?;
        if chance > 0.5 {
            // Close to 1 the other one has the digits.
            return Ok((-other(self)?).ln_1p());
        }
        if chance > 1e-200 {
            return Ok(chance.ln());
        }
        let (chain, frontier) = self.chain()?;
        logarithm::ln(&chain, &frontier, self.size(), victory)
    }

    /// The throws alone.
    pub(crate) fn throws(&self) -> Result<Chain, Error> {
        // Few steps are no reason to refuse the throws of the box.
        let limit = self.limit.max(DEFAULT_WORK);
        Chain::within(self.attackers, self.defenders, &self.rules, limit)
    }

    /// The throws, and where the stop rule says so.
    pub(crate) fn chain(&self) -> Result<(Chain, Frontier), Error> {
        let (attackers, defenders) = (self.attackers, self.defenders);
        let chain = self.throws()?;
        let frontier = self
            .stop
            .frontier(&chain, attackers, defenders, self.limit)?;
        Ok((chain, frontier))
    }

    /// The same, refused where the states alone are too many: before the throws are made.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`]; those of [`chain`](Battle::chain).
    pub(crate) fn chain_within(&self, what: &'static str) -> Result<(Chain, Frontier), Error> {
        self.size().check(what, self.limit)?;
        self.chain()
    }

    /// The same with the primes of fractions, whose words count.
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

    /// The same battle against so many defenders more.
    ///
    /// # Errors
    /// [`Error::BattleTooLarge`] where there is no such number.
    pub(crate) fn reinforced(&self, more: u32) -> Result<Self, Error> {
        let mut battle = self.clone();
        let defenders = u64::from(self.defenders) + u64::from(more);
        battle.defenders = u32::try_from(defenders).map_err(|_| Error::BattleTooLarge {
            what: "a reinforced battle",
            attackers: self.attackers,
            defenders: u32::MAX,
            work: u128::from(self.attackers) * u128::from(defenders),
            limit: self.limit,
        })?;
        Ok(battle)
    }

    pub(crate) fn its_rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// The whole battle, solved: the chance to win from every smaller one, and
    /// by its forecast what is left and how long it takes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] and [`Error::TooManyRolls`] for throws of too many
    /// dice; [`Error::TooManyForces`] for more states than have numbers; the solver's limits
    /// on states and memory as [`Error::Solve`].
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
    /// sides throw all the dice they may, to the end or as the [`StopRule`] says.
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

/// The units still fighting: the states of a [`BattleGame`].
///
/// # Examples
/// ```
/// use oddsmith_risk::{Battle, Forces};
///
/// let taken = Forces { attackers: 1, defenders: 0 };
/// assert_eq!(Battle::new(1, 1)?.survivors()?.ends().p(&taken).to_string(), "5/12");
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

impl Forces {
    /// What to say where the states of a game, so many for each pair of forces up to these,
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

/// A [`Battle`] as a game: each state leads to those after one throw, and a
/// battle without defenders left is worth 1.
///
/// # Examples
/// It holds all smaller battles, too:
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
        // A larger battle may have throws that this one has not: rather no way
        // on, which the solver reports, than a wrong number.
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
            // Found to fit when the game was made.
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

    // Whatever lies outside has no number within.
    #[inline]
    fn stands_for(&self, _: usize, _: &Forces) -> bool {
        true
    }
}
