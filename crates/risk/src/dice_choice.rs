//! How many dice to throw: battles in which both sides decide that.

mod expand;
mod fractions;
#[cfg(feature = "serde")]
mod parts;
mod plan;
mod seeing;
mod sight;
mod state;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_mdp::{
    Explored, Number, SimultaneousNumber, SimultaneousSolution, Solution, Solver, Strategy,
};

pub use plan::{DiceAdvice, DicePlan, Reply};
pub use state::DiceState;

use crate::chain::Outcomes;
use crate::rows::Size;
use crate::{DEFAULT_WORK, Error, Forces, Rules, Side};
use sight::Sight;

/// Who says first how many dice he throws.
///
/// # Examples
/// The choice is worth most to who makes it last, and knows most:
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
    /// Both at the same time, neither knowing the other's number.
    AtOnce,
    /// The attacker; the defender answers before any die is thrown. Georgiou's
    /// section 7.1, and most editions.
    #[default]
    AttackerFirst,
    /// The defender; the attacker answers.
    DefenderFirst,
    /// The attacker, who also throws at once: the defender chooses with the
    /// attacker's dice on the table, as in some European editions.
    #[doc(alias = "reactive")]
    AfterTheThrow,
}

/// A battle to the end in which both sides choose how many dice they throw, up
/// to what the rules allow, each for the chance to win.
///
/// A defender who may not throw more dice than the attacker
/// ([`Rules::georgiou`]) and names more throws as many as he may: that matters
/// where he decides before the attacker, or at the same time.
///
/// # Examples
/// Behind a hero and a fortress the defender does better with one die:
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
}

/// A fixed number of dice, whatever the forces.
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
    /// One.
    One,
    /// All that the rules allow.
    Most,
}

impl DiceGame {
    /// So many units that may attack against so many defenders, by the standard
    /// rules; the attacker declares first.
    ///
    /// # Errors
    /// [`Error::NoUnits`] for a zero.
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
        })
    }

    /// The same battle by other rules.
    ///
    /// # Examples
    /// Coins instead of dice: the attacker wins by 2 against 1 alone.
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

    /// Who decides first.
    ///
    /// # Examples
    /// The defender sees the throw, and answers high dice with one:
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

    /// The state before anything is decided.
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

    /// The forces at the start.
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

    /// The game for a solver: for
    /// [`solve_simultaneous`](Solver::solve_simultaneous) whatever the timing, and
    /// for all other methods unless both decide at once.
    ///
    /// # Errors
    /// [`Error::TooLarge`] and [`Error::TooManyRolls`] for throws of too many
    /// dice, [`Error::BattleTooLarge`] for more than
    /// [`DEFAULT_WORK`](crate::DEFAULT_WORK) / 64 pairs of choices.
    ///
    /// # Examples
    /// The matrix of a state, if both declare at once: what each pair of numbers
    /// of dice is worth.
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

    /// The game solved with the decisions in turn, as [`Solver::solve`] does it:
    /// with forecasts and explanations.
    ///
    /// # Errors
    /// As for [`game`](DiceGame::game); [`Error::AtOnce`] for
    /// [`Timing::AtOnce`]; the solver's as [`Error::Solve`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::DiceGame;
    ///
    /// let battle = DiceGame::new(3, 2)?;
    /// let solution = battle.solve(Solver::exact())?;
    /// assert_eq!(solution.value().to_string(), "6610505/10077696");
    /// assert_eq!(solution.decision(&battle.start())?, Some(3)); // dice
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve<N: Number>(
        &self,
        solver: Solver<'_, N>,
    ) -> Result<Solution<'static, DiceChoiceGame, N, Explored<DiceChoiceGame>>, Error> {
        if self.timing == Timing::AtOnce {
            return Err(Error::AtOnce);
        }
        Ok(solver.solve_owned(self.game()?, self.start())?)
    }

    /// The attacker's chance to win if both play best, as a fraction.
    ///
    /// # Errors
    /// As for [`game`](DiceGame::game); the solver's as [`Error::Solve`].
    ///
    /// # Examples
    /// By Georgiou's rules two against two is better attacked with one die:
    /// ```
    /// use oddsmith_risk::{Battle, DiceGame, Rules};
    ///
    /// let rules = Rules::georgiou();
    /// assert_eq!(DiceGame::new(2, 2)?.rules(rules.clone()).win()?.to_string(), "12925/31104");
    /// assert_eq!(Battle::new(2, 2)?.rules(rules).win()?.to_string(), "235/648"); // less
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(&self) -> Result<BigRational, Error> {
        if self.timing != Timing::AtOnce {
            // Looks at no matrices: seven times as fast and more.
            return Ok(self.solve(Solver::exact())?.value());
        }
        let game = self.game()?;
        // The whole plan, where nobody has to choose at random, takes a quarter of the time that
        // matrix games take.
        if let Ok(Some(plan)) = fractions::plan(&game)
            && let Some(start) = plan.advice(game.forces)
        {
            return Ok(start.value.clone());
        }
        let solution = Solver::exact().solve_simultaneous(&game, self.start())?;
        Ok(solution.value())
    }

    /// The attacker's chance to win if both play best, as a float: the middle of
    /// [`win_bounds`](DiceGame::win_bounds).
    ///
    /// # Error bound
    /// With A attackers, D defenders and t outcomes of a throw, the absolute error is at most
    /// (A + D)·(2t + 16)·2⁻⁵²: nobody throws more often, and a throw of t outcomes widens the
    /// enclosure of a chance by so much and no more. By the standard rules t is 3. Where the
    /// defender sees the throw, its sorted faces, 56 of three dice, are counted too.
    ///
    /// Where both declare at once, and one side does best to leave it to chance, there is no
    /// such bound beforehand; [`win_bounds`](DiceGame::win_bounds) are right there as well.
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

    /// Bounds of the attacker's chance to win if both play best, lower and upper: the fraction
    /// lies between them, whatever was rounded.
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

    /// What to do at all forces up to these, and what it is worth, in fractions.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win), [`Error::BattleTooLarge`] for numbers of too
    /// many words.
    ///
    /// # Complexity
    /// A sum for each pair of choices at each forces, with numbers of O(A + D)
    /// digits; where the defender sees the throw, for each sorted throw and answer. No
    /// greatest common divisor is taken, unless a side has to choose at random: then it
    /// is [`plan_by`](DiceGame::plan_by) in fractions, a hundred times as long.
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
        match fractions::plan(&self.game()?)? {
            Some(plan) => Ok(plan),
            None => self.plan_by(Solver::exact()),
        }
    }

    /// What to do at all forces up to these, by a solver: in floats, or with limits.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::Solver;
    /// use oddsmith_risk::{DiceGame, Forces};
    ///
    /// let plan = DiceGame::new(10, 10)?.plan_by(Solver::float())?;
    /// let advice = plan.advice(Forces { attackers: 10, defenders: 10 }).ok_or("the start")?;
    /// assert_eq!(format!("{:.4}", advice.value), "0.5676");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_by<N: SimultaneousNumber>(
        &self,
        solver: Solver<'_, N>,
    ) -> Result<DicePlan<N::Value>, Error> {
        let game = self.game()?;
        let solution = solver.solve_simultaneous(&game, self.start())?;
        DicePlan::of(&game, &solution)
    }

    /// The attacker's chance to win if `side` always throws so many dice and the
    /// other side answers as best it can.
    ///
    /// # Errors
    /// As for [`win`](DiceGame::win).
    ///
    /// # Examples
    /// A defender who throws one die each time, against one attacker:
    /// ```
    /// use oddsmith_risk::{DiceGame, DicePolicy, Side};
    ///
    /// let win = DiceGame::new(1, 2)?.win_against(Side::Defender, DicePolicy::One)?;
    /// assert_eq!(win.to_string(), "25/144"); // (5/12)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_against(&self, side: Side, policy: DicePolicy) -> Result<BigRational, Error> {
        let game = self.game()?;
        let solution = Solver::exact().solve_simultaneous(&game, self.start())?;
        against(&solution, side, policy)
    }

    /// [`win_against`](DiceGame::win_against) as a float.
    ///
    /// # Error bound
    /// An absolute error of at most (A + D)·(2t + 16)·2⁻⁵², as of
    /// [`win_f64`](DiceGame::win_f64), and whatever the [`Timing`]: against a side that declares
    /// so many dice for certain nothing is left to chance.
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

    /// What it costs `side` to throw always so many dice, if the other side
    /// answers as best it can: a loss in the chance to win.
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
        self.price_by(Solver::exact(), side, policy)
    }

    /// [`price`](DiceGame::price) as a float: the difference of
    /// [`win_f64`](DiceGame::win_f64) and
    /// [`win_against_f64`](DiceGame::win_against_f64). A price of nothing may come out as some
    /// 10⁻¹⁶ less or more.
    ///
    /// # Error bound
    /// The absolute errors of both, and 2⁻⁵³ for the difference.
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
        self.price_by(Solver::float(), side, policy)
    }

    fn price_by<N: SimultaneousNumber>(
        &self,
        solver: Solver<'_, N>,
        side: Side,
        policy: DicePolicy,
    ) -> Result<N::Value, Error>
    where
        N::Value: std::ops::Sub<Output = N::Value>,
    {
        let game = self.game()?;
        let solution = solver.solve_simultaneous(&game, self.start())?;
        let (best, fixed) = (solution.value(), against(&solution, side, policy)?);
        Ok(match side {
            Side::Attacker => best - fixed,
            Side::Defender => fixed - best,
        })
    }
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

/// A [`DiceGame`] for solvers: the attacker is the row player, or the player who
/// maximises; actions are numbers of dice.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Solver;
/// use oddsmith_risk::DiceGame;
///
/// let game = DiceGame::new(5, 5)?.game()?; // smaller battles too
/// let solution = Solver::exact().solve(&game, DiceGame::new(1, 1)?.start())?;
/// assert_eq!(solution.value().to_string(), "5/12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DiceChoiceGame {
    timing: Timing,
    rules: Rules,
    forces: Forces,
    /// By the attacker's dice, then the defender's, less one.
    throws: Vec<Vec<Vec<Step>>>,
    /// For a defender who sees the throw.
    sight: Sight,
}

/// One outcome: units lost by attacker and defender, and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    attackers: u32,
    defenders: u32,
    weight: u64,
}

/// What a pair of dice numbers at one state takes, in the steps of a battle: the
/// solver has to find its states first.
const CHOICE: u128 = 64;

impl DiceChoiceGame {
    fn new(battle: &DiceGame) -> Result<Self, Error> {
        let (rules, timing) = (&battle.rules, battle.timing);
        let size = Size::new(battle.attackers, battle.defenders);
        let (attack, defence) = rules.dice(battle.attackers, battle.defenders);
        let states = (u128::from(size.attackers) + 1) * (u128::from(size.defenders) + 1);
        let choices = states
            .saturating_mul(attack.into())
            .saturating_mul(defence.into())
            .saturating_mul(CHOICE);
        size.check_work("a choice of dice", choices, DEFAULT_WORK)?;
        let mut work = 0;
        let mut throws = Vec::new();
        for attack in 1..=attack {
            let mut row = Vec::new();
            for defence in 1..=defence {
                let dice = (attack, defence);
                row.push(steps(&Outcomes::new(
                    rules,
                    dice,
                    &mut work,
                    DEFAULT_WORK,
                )?)?);
            }
            throws.push(row);
        }
        let sight = match timing {
            Timing::AfterTheThrow => Sight::new(rules, attack, defence)?,
            _ => Sight::default(),
        };
        Ok(DiceChoiceGame {
            timing,
            rules: rules.clone(),
            forces: battle.forces(),
            throws,
            sight,
        })
    }

    /// Who decides first.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{DiceGame, Timing};
    /// assert_eq!(DiceGame::new(2, 2)?.game()?.timing(), Timing::AttackerFirst);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn timing(&self) -> Timing {
        self.timing
    }
}

fn steps(throw: &Outcomes) -> Result<Vec<Step>, Error> {
    throw.total.to_u64().ok_or(throw.too_many_rolls())?;
    let step = |outcome: &crate::chain::Outcome| Step {
        attackers: outcome.attackers,
        defenders: outcome.defenders,
        // No more than the total.
        weight: outcome.weight.to_u64().unwrap_or(0),
    };
    Ok(throw.list.iter().map(step).collect())
}
