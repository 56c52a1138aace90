//! How many dice to throw: battles in which both sides decide that.

mod expand;
mod fractions;
mod game;
#[cfg(feature = "serde")]
mod parts;
mod plan;
mod seeing;
mod sight;
mod state;

use num_rational::BigRational;
use oddsmith_mdp::{
    Exact, Explored, Number, SimultaneousNumber, SimultaneousSolution, Solution, Solver, Strategy,
};

pub use game::DiceChoiceGame;
pub use plan::{DiceAdvice, DicePlan, Reply};
pub use state::DiceState;

use crate::{DEFAULT_WORK, Error, Forces, Rules, Side};

/// Who is first to declare how many dice he throws.
///
/// # Examples
/// The choice is worth most to the side that makes it last and knows most:
/// ```
/// use oddsmith_risk::{DiceGame, Timing};
///
/// let win = |timing| DiceGame::new(5, 5)?.timing(timing).win_f64();
/// assert_eq!(format!("{:.4}", win(Timing::AtOnce)?), "0.5062");
/// assert_eq!(format!("{:.4}", win(Timing::AfterTheThrow)?), "0.4316");
/// # Ok::<(), oddsmith_risk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Timing {
    /// Both declare at the same time, without knowing the other's number.
    AtOnce,
    /// The attacker declares first; the defender answers before any die is thrown. This is
    /// Georgiou's section 7.1, and the rule of most editions.
    #[default]
    AttackerFirst,
    /// The defender declares first; the attacker answers.
    DefenderFirst,
    /// The attacker declares first and throws at once. The defender chooses with the attacker's
    /// dice on the table, as in some European editions.
    #[doc(alias = "reactive")]
    AfterTheThrow,
}

/// A battle to the end in which both sides choose how many dice they throw, up to what the rules
/// allow. Each maximises his chance to win.
///
/// If a defender who may not throw more dice than the attacker ([`Rules::georgiou`]) declares more,
/// he throws as many as he may. This matters where he declares before the attacker, or at the same
/// time.
///
/// # Examples
/// Against a hero, a defender in a fortress does better with one die:
/// ```
/// use oddsmith_risk::{DiceGame, Forces, Rules, Side};
///
/// let rules = Rules::standard().hero_defends().fortress();
/// let plan = DiceGame::new(10, 10)?.rules(rules).plan()?;
/// let start = plan.advice(Forces { attackers: 10, defenders: 10 }).ok_or("the start")?;
/// assert_eq!((&start.attack[..], &start.defence[..]), (&[3][..], &[1][..]));
/// // At each of the 81 forces of two or more on both sides.
/// assert_eq!(plan.where_max_is_not_optimal(Side::Defender).len(), 81);
/// assert_eq!(plan.where_max_is_not_optimal(Side::Attacker).len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "parts::DiceGameParts", into = "parts::DiceGameParts")
)]
pub struct DiceGame {
    attackers: u32,
    defenders: u32,
    rules: Rules,
    timing: Timing,
    limit: u64,
}

/// A fixed policy for the number of dice, whatever the forces.
///
/// # Examples
/// ```
/// use oddsmith_risk::{DiceGame, DicePolicy, Side};
///
/// let battle = DiceGame::new(2, 1)?;
/// let win = |policy| battle.win_against(Side::Attacker, policy).map(|win| win.to_string());
/// assert_eq!(win(DicePolicy::One)?, "95/144"); // 1 − (7/12)²
/// assert_eq!(win(DicePolicy::Most)?, "1955/2592");
/// # Ok::<(), oddsmith_risk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum DicePolicy {
    /// One die.
    One,
    /// As many dice as the rules allow.
    Most,
}

impl DiceGame {
    /// Creates a game by the standard rules from the number of units that may attack and the number
    /// of defenders; the attacker declares first.
    ///
    /// # Errors
    /// [`Error::NoUnits`] if either number is zero.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::DiceGame;
    ///
    /// assert_eq!(DiceGame::new(1, 2)?.win()?.to_string(), "275/2592"); // 55/216 · 5/12
    /// assert!(DiceGame::new(0, 2).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(attackers: u32, defenders: u32) -> Result<Self, Error> {
        for (units, side) in [(attackers, Side::Attacker), (defenders, Side::Defender)] {
            if units == 0 {
                return Err(Error::NoUnits { side });
            }
        }
        Ok(DiceGame {
            attackers,
            defenders,
            rules: Rules::standard(),
            timing: Timing::default(),
            limit: DEFAULT_WORK,
        })
    }

    /// Sets the rules.
    ///
    /// # Examples
    /// With coins instead of dice, the attacker wins only with 2 against 1:
    /// ```
    /// use oddsmith_risk::{DiceGame, Rules};
    ///
    /// let coins = Rules::standard().sides(2, 2)?;
    /// assert_eq!(DiceGame::new(1, 1)?.rules(coins).win()?.to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Sets who declares first.
    ///
    /// # Examples
    /// The defender sees the throw and answers high dice with one die:
    /// ```
    /// use oddsmith_risk::{DiceGame, Timing};
    ///
    /// let battle = DiceGame::new(2, 2)?; // 0.3627, if he does not
    /// let seeing = battle.timing(Timing::AfterTheThrow);
    /// assert_eq!(format!("{:.4}", seeing.win_f64()?), "0.3433");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }

    /// Limits the number of steps that an answer may take. The default is [`DEFAULT_WORK`].
    ///
    /// A pair of numbers of dice at some forces takes 64 steps, and in fractions one for each 64-bit
    /// word of its outcomes; by matrix games, 64 for each word. A larger game is rejected before any
    /// work. (A [`Solver`] that is passed in has limits of its own.) The throws of the rules by
    /// themselves may take as many steps as the limit, but never fewer than [`DEFAULT_WORK`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, Error};
    ///
    /// let small = DiceGame::new(20, 20)?.max_work(10_000);
    /// assert!(matches!(small.plan(), Err(Error::BattleTooLarge { limit: 10_000, .. })));
    /// assert!(small.max_work(1_000_000).plan().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_work(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// Returns the state before anything is decided.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, DiceState, Forces};
    ///
    /// let start = DiceGame::new(3, 2)?.start();
    /// assert_eq!(start, DiceState::Before(Forces { attackers: 3, defenders: 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> DiceState {
        DiceState::Before(self.forces())
    }

    /// Returns the forces at the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, Forces};
    ///
    /// assert_eq!(DiceGame::new(3, 2)?.forces(), Forces { attackers: 3, defenders: 2 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn forces(&self) -> Forces {
        Forces {
            attackers: self.attackers,
            defenders: self.defenders,
        }
    }

    /// Returns the game for a solver. [`solve_simultaneous`](Solver::solve_simultaneous) takes it
    /// with any timing, all other methods unless both decide at once.
    ///
    /// # Errors
    /// [`Error::ThrowsTooLarge`] and [`Error::TooManyRolls`] for throws of too many dice,
    /// [`Error::BattleTooLarge`] for more pairs of choices than [`max_work`](DiceGame::max_work)
    /// allows.
    ///
    /// # Examples
    /// The matrix of a state if both declare at once, with the value of each pair of numbers of
    /// dice:
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::{DiceGame, Timing};
    ///
    /// let battle = DiceGame::new(2, 2)?.timing(Timing::AtOnce);
    /// let game = battle.game()?;
    /// let solution = Solver::exact().solve_simultaneous(&game, battle.start())?;
    /// let first = solution.equilibrium(&battle.start())?;
    /// let worth: Vec<String> = first.payoffs.iter().flatten().map(|w| format!("{w}")).collect();
    /// assert_eq!(worth[3], "235/648"); // two against two
    /// assert_eq!(first.saddle_points, [(1, 1)]); // counted from 0
    /// assert_eq!(first.dominated_columns(), [&1]); // one die is never better for the defender
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self) -> Result<DiceChoiceGame, Error> {
        DiceChoiceGame::new(self)
    }

    /// Solves the game with the decisions in turn by [`Solver::solve`], which also gives forecasts
    /// and explanations.
    ///
    /// # Errors
    /// As for [`game`](DiceGame::game); [`Error::AtOnce`] for [`Timing::AtOnce`]; errors of the
    /// solver as [`Error::Solve`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::DiceGame;
    ///
    /// let battle = DiceGame::new(3, 2)?;
    /// let solution = battle.solve_with(Solver::exact())?;
    /// assert_eq!(solution.value().to_string(), "6610505/10077696");
    /// assert_eq!(solution.decision(&battle.start())?, Some(3)); // dice
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_with<N: Number>(
        &self,
        solver: Solver<'_, N>,
    ) -> Result<Solution<'static, DiceChoiceGame, N, Explored<DiceChoiceGame>>, Error> {
        if self.timing == Timing::AtOnce {
            return Err(Error::AtOnce);
        }
        Ok(solver.solve_owned(self.game()?, self.start())?)
    }

    /// Returns the attacker's chance to win if both play best, as a fraction.
    ///
    /// # Errors
    /// As for [`game`](DiceGame::game), and [`Error::BattleTooLarge`] for numbers of too many words;
    /// errors of the solver as [`Error::Solve`].
    ///
    /// # Examples
    /// By Georgiou's rules, it is better to attack with one die in two against two:
    /// ```
    /// use oddsmith_risk::{Battle, DiceGame, Rules};
    ///
    /// let rules = Rules::georgiou();
    /// assert_eq!(DiceGame::new(2, 2)?.rules(rules.clone()).win()?.to_string(), "12925/31104");
    /// assert_eq!(Battle::new(2, 2)?.rules(rules).win()?.to_string(), "235/648"); // less
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(&self) -> Result<BigRational, Error> {
        let game = self.game()?;
        if self.timing != Timing::AtOnce {
            // This considers no matrices, and computes no other forces' fractions.
            fractions::fits(&game, fractions::IN_TURN)?;
            return Ok(Solver::exact().solve(&game, self.start())?.value());
        }
        // If nobody has to randomise, the whole plan takes a fraction of the time of matrix games.
        if let Some(plan) = fractions::plan(&game)?
            && let Some(start) = plan.advice(game.forces)
        {
            return Ok(start.value.clone());
        }
        Ok(self.solved(&game)?.value())
    }

    /// Solves the game in fractions by the general solver, unless that takes too long.
    fn solved<'g>(
        &self,
        game: &'g DiceChoiceGame,
    ) -> Result<SimultaneousSolution<'g, DiceChoiceGame, Exact>, Error> {
        fractions::fits(game, fractions::BY_MATRICES)?;
        Ok(Solver::exact().solve_simultaneous(game, self.start())?)
    }

    /// Returns the attacker's chance to win if both play best, as a float: the midpoint of
    /// [`win_bounds`](DiceGame::win_bounds).
    ///
    /// # Error bound
    /// For A attackers, D defenders and t outcomes of a throw, the absolute error is at most (A +
    /// D)·(2t + 16)·2⁻⁵². There are at most A + D throws, and a throw of t outcomes widens the
    /// enclosure of a chance by at most (2t + 16)·2⁻⁵². By the standard rules t is 3. If the
    /// defender sees the throw, the attacker's sorted faces also count as outcomes; three dice
    /// have 56.
    ///
    /// If both declare at once and one side does best to randomise, there is no such bound in
    /// advance. [`win_bounds`](DiceGame::win_bounds) holds in this case as well.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win).
    ///
    /// # Examples
    /// ```
    /// let win = oddsmith_risk::DiceGame::new(2, 1)?.win_f64()?;
    /// assert_eq!(format!("{win:.4}"), "0.7542"); // 1955/2592
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self) -> Result<f64, Error> {
        let game = self.game()?;
        let solution = Solver::float().solve_simultaneous(&game, self.start())?;
        Ok(solution.value())
    }

    /// Returns a lower and an upper bound on the attacker's chance to win if both play best. The
    /// exact value lies between them, whatever the rounding errors.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, Timing};
    ///
    /// let battle = DiceGame::new(2, 1)?.timing(Timing::AtOnce);
    /// let (lower, upper) = battle.win_bounds()?;
    /// let exact = 1955.0 / 2592.0;
    /// assert!(lower < exact && exact < upper && upper - lower < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_bounds(&self) -> Result<(f64, f64), Error> {
        let game = self.game()?;
        let solution = Solver::float().solve_simultaneous(&game, self.start())?;
        Ok(solution.enclosure(&self.start())?)
    }

    /// Returns the best choice at all forces up to these and its value, in fractions.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win), and [`Error::BattleTooLarge`] for numbers of too many words.
    ///
    /// # Complexity
    /// One sum for each pair of choices at each forces, with numbers of O(A + D) digits; if the
    /// defender sees the throw, one sum for each sorted throw and answer. No greatest common
    /// divisors are computed unless a side has to randomise. In that case the plan is
    /// [`plan_with`](DiceGame::plan_with) in fractions, which takes a hundred times as long.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, Forces};
    ///
    /// let plan = DiceGame::new(2, 1)?.plan()?;
    /// assert_eq!(plan.iter().count(), 2); // two attackers, or one
    /// let start = plan.advice(Forces { attackers: 2, defenders: 1 }).ok_or("the start")?;
    /// assert_eq!((&start.attack[..], start.value.to_string()), (&[2][..], "1955/2592".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self) -> Result<DicePlan<BigRational>, Error> {
        let game = self.game()?;
        match fractions::plan(&game)? {
            Some(plan) => Ok(plan),
            None => DicePlan::of(&game, &self.solved(&game)?),
        }
    }

    /// Returns the best choice at all forces up to these, by a given solver: in floats, or with
    /// limits.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::{DiceGame, Forces};
    ///
    /// let plan = DiceGame::new(10, 10)?.plan_with(Solver::float())?;
    /// let advice = plan.advice(Forces { attackers: 10, defenders: 10 }).ok_or("the start")?;
    /// assert_eq!(format!("{:.4}", advice.value), "0.5676");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_with<N: SimultaneousNumber>(
        &self,
        solver: Solver<'_, N>,
    ) -> Result<DicePlan<N::Value>, Error> {
        let game = self.game()?;
        let solution = solver.solve_simultaneous(&game, self.start())?;
        DicePlan::of(&game, &solution)
    }

    /// Returns the attacker's chance to win if `side` always throws this many dice and the other
    /// side responds as well as possible.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win).
    ///
    /// # Examples
    /// A defender who always throws one die, against one attacker:
    /// ```
    /// use oddsmith_risk::{DiceGame, DicePolicy, Side};
    ///
    /// let win = DiceGame::new(1, 2)?.win_against(Side::Defender, DicePolicy::One)?;
    /// assert_eq!(win.to_string(), "25/144"); // (5/12)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_against(&self, side: Side, policy: DicePolicy) -> Result<BigRational, Error> {
        let game = self.game()?;
        against(&self.solved(&game)?, side, policy)
    }

    /// Returns [`win_against`](DiceGame::win_against) as a float.
    ///
    /// # Error bound
    /// The absolute error is at most (A + D)·(2t + 16)·2⁻⁵², as for [`win_f64`](DiceGame::win_f64),
    /// whatever the [`Timing`]: against a side whose number of dice is certain, nobody randomises.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, DicePolicy, Side};
    ///
    /// let battle = DiceGame::new(10, 10)?;
    /// let one = battle.win_against_f64(Side::Defender, DicePolicy::One)?;
    /// assert_eq!(format!("{one:.4}"), "0.8889"); // against one die
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_against_f64(&self, side: Side, policy: DicePolicy) -> Result<f64, Error> {
        let game = self.game()?;
        let solution = Solver::float().solve_simultaneous(&game, self.start())?;
        against(&solution, side, policy)
    }

    /// Returns what it costs `side` to always throw this many dice, as a loss in the chance to win,
    /// if the other side responds as well as possible.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win).
    ///
    /// # Examples
    /// ```
    /// use num_traits::ToPrimitive;
    /// use oddsmith_risk::{DiceGame, DicePolicy, Side};
    ///
    /// let battle = DiceGame::new(10, 10)?;
    /// let one = battle.price(Side::Defender, DicePolicy::One)?;
    /// assert_eq!(one.to_f64().map(|price| format!("{price:.4}")), Some("0.3213".into()));
    /// assert_eq!(battle.price(Side::Defender, DicePolicy::Most)?.to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "exploitability")]
    pub fn price(&self, side: Side, policy: DicePolicy) -> Result<BigRational, Error> {
        let game = self.game()?;
        price(&self.solved(&game)?, side, policy)
    }

    /// Returns [`price`](DiceGame::price) as a float: the difference of
    /// [`win_f64`](DiceGame::win_f64) and [`win_against_f64`](DiceGame::win_against_f64). A price
    /// of zero may be returned as about ±10⁻¹⁶.
    ///
    /// # Error bound
    /// The sum of the absolute errors of both, and 2⁻⁵³ for the difference.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, DicePolicy, Side};
    ///
    /// let battle = DiceGame::new(10, 10)?;
    /// let one = battle.price_f64(Side::Defender, DicePolicy::One)?;
    /// assert_eq!(format!("{one:.4}"), "0.3213");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn price_f64(&self, side: Side, policy: DicePolicy) -> Result<f64, Error> {
        let game = self.game()?;
        let solution = Solver::float().solve_simultaneous(&game, self.start())?;
        price(&solution, side, policy)
    }
}

fn price<N: SimultaneousNumber>(
    solution: &SimultaneousSolution<'_, DiceChoiceGame, N>,
    side: Side,
    policy: DicePolicy,
) -> Result<N::Value, Error>
where
    N::Value: std::ops::Sub<Output = N::Value>,
{
    let (best, fixed) = (solution.value(), against(solution, side, policy)?);
    Ok(match side {
        Side::Attacker => best - fixed,
        Side::Defender => fixed - best,
    })
}

fn against<N: SimultaneousNumber>(
    solution: &SimultaneousSolution<'_, DiceChoiceGame, N>,
    side: Side,
    policy: DicePolicy,
) -> Result<N::Value, Error> {
    let play = |_: &DiceState, dice: &[u32]| {
        let index = match policy {
            DicePolicy::One => 0,
            DicePolicy::Most => dice.len().saturating_sub(1),
        };
        Strategy::pure(index, dice.len())
    };
    Ok(match side {
        Side::Attacker => solution.secured_by_row(play)?,
        Side::Defender => solution.conceded_by_column(play)?,
    })
}
