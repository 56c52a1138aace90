//! A solved melee: its value, the decisions, and the reasons for them.

use std::fmt;

use num_traits::ToPrimitive;
use oddsmith_mdp::{Appraisal, Boxed, Number, Readable, Solution};

use super::game::MeleeGame;
use super::state::{MeleeAction, MeleePhase, MeleeState};
use crate::{Decision, Error};

/// A solved melee: its value, the targets to attack, and the use of LUCK.
///
/// # Examples
/// The first foe never wins a round, so the hero attacks the second:
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
/// let pair = [Foe::new(-10, 2)?, Foe::new(10, 2)?];
/// let plan = Melee::at_once(Hero::new(10, 2, 12)?, pair)?.best()?;
/// assert_eq!(plan.target(), Some(1));
/// // LUCK 12 cannot fail, and after a wound there is another even round.
/// assert_eq!(plan.decision().map(|luck| luck.label()), Some('2'));
/// assert_eq!(plan.value().to_string(), "3/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MeleePlan<N: Number> {
    solution: Solution<'static, MeleeGame, N, Boxed>,
    start: MeleeState,
}

impl<N: Number> MeleePlan<N> {
    pub(super) fn new(solution: Solution<'static, MeleeGame, N, Boxed>, start: MeleeState) -> Self {
        MeleePlan { solution, start }
    }

    /// Returns the value of the melee: the chance of victory, unless another objective is set.
    ///
    /// # Examples
    /// Two rounds must be won before two are lost:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let pair = [Foe::new(8, 2)?, Foe::new(8, 2)?];
    /// let plan = Melee::in_turn(Hero::new(8, 4, 0)?, pair)?.best()?;
    /// assert_eq!(plan.value().to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "win")]
    pub fn value(&self) -> N::Value {
        self.solution.value()
    }

    /// Returns [`value`](MeleePlan::value) as a float.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let three = [Foe::new(8, 2)?; 3];
    /// let plan = Melee::in_turn(Hero::new(8, 2, 0)?, three)?.best()?;
    /// assert_eq!(plan.value_f64(), 0.125); // three even rounds
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value_f64(&self) -> f64 {
        self.value().to_f64().unwrap_or(f64::NAN)
    }

    /// Returns an upper bound on the absolute error of [`value`](MeleePlan::value), computed from
    /// the numbers that were rounded. It is 0 for exact numbers.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// use oddsmith_mdp::Solver;
    /// let three = [Foe::new(8, 2)?; 3];
    /// let melee = Melee::in_turn(Hero::new(8, 2, 0)?, three)?;
    /// let plan = melee.best_with(Solver::float())?;
    /// assert!((plan.value() - 0.125).abs() <= plan.error() && plan.error() < 1e-14);
    /// assert_eq!(melee.best()?.error(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> f64 {
        // The start is always covered by the solution.
        self.solution.error(&self.start).unwrap_or(f64::INFINITY)
    }

    /// Returns the value in the middle of the fight, in this state.
    ///
    /// # Errors
    /// [`Error::Solve`] for a state outside the game, such as one with more STAMINA or LUCK than at
    /// the start.
    ///
    /// # Examples
    /// One foe of two has fallen, and the next blow kills:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee, MeleeState};
    /// let pair = [Foe::new(8, 6)?, Foe::new(9, 6)?];
    /// let plan = Melee::at_once(Hero::new(9, 14, 0)?, pair)?.best()?;
    /// assert_eq!(plan.value_at(&MeleeState::new(2, &[0, 2], 0)?)?.to_string(), "1/2");
    /// assert!(plan.value_at(&MeleeState::new(2, &[0, 2], 1)?).is_err()); // there was no LUCK
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_at(&self, state: &MeleeState) -> Result<N::Value, Error> {
        Ok(self.solution.value_of(state)?)
    }

    /// Returns the first target, numbered from 0 as listed, or `None` if it is best to run at once,
    /// or the melee is over.
    ///
    /// # Examples
    /// The dangerous foe first, where the hero may choose:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let (hero, pair) = (Hero::new(10, 2, 0)?, [Foe::new(-10, 2)?, Foe::new(10, 2)?]);
    /// assert_eq!(Melee::at_once(hero, pair)?.best()?.target(), Some(1));
    /// assert_eq!(Melee::in_turn(hero, pair)?.best()?.target(), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn target(&self) -> Option<usize> {
        self.target_at(&self.start).unwrap_or_default()
    }

    /// Returns the target in the round that starts in this state, or `None` if it is best to run or
    /// the melee is over.
    ///
    /// # Errors
    /// [`Error::Solve`] for a state outside the game, such as one with more STAMINA or LUCK than at
    /// the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee, MeleeState};
    /// let pair = [Foe::new(8, 6)?, Foe::new(7, 6)?];
    /// let plan = Melee::at_once(Hero::new(9, 14, 5)?, pair)?.best()?;
    /// assert_eq!(plan.target(), Some(0));
    /// assert_eq!(plan.target_at(&MeleeState::new(9, &[6, 2], 4)?)?, Some(1));
    /// assert_eq!(plan.target_at(&MeleeState::new(9, &[0, 0], 4)?)?, None);
    /// assert!(plan.target_at(&MeleeState::new(9, &[7, 7], 4)?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn target_at(&self, state: &MeleeState) -> Result<Option<usize>, Error> {
        let decision = self.solution.decision(state)?;
        let game = self.solution.game();
        Ok(match decision {
            Some(MeleeAction::Attack(target)) => Some(usize::from(target)),
            None if state.phase == MeleePhase::Round && game.end(state).is_none() => {
                // There is no choice: only one foe can be attacked.
                game.targets(state).iter().next()
            }
            _ => None,
        })
    }

    /// Returns the decision on LUCK in the first exchange with the first target, or `None` as for
    /// [`decision_at`](MeleePlan::decision_at).
    ///
    /// # Examples
    /// A lucky hit kills, and the hero survives a lucky wound:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let foes = [Foe::new(10, 4)?, Foe::new(6, 4)?];
    /// let plan = Melee::in_turn(Hero::new(10, 2, 12)?, foes)?.best()?;
    /// assert_eq!(plan.decision().map(|luck| luck.label()), Some('1'));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        self.decision_at(&self.start).unwrap_or_default()
    }

    /// Returns the decision on LUCK in the exchange with the target chosen in this state. The
    /// result is `None` if it depends on the hero's single roll against all foes, or if there is no
    /// target. An outcome that the exchange cannot have counts as one without LUCK.
    ///
    /// # Errors
    /// [`Error::Solve`] for a state outside the game, such as one with more STAMINA or LUCK than at
    /// the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee, MeleeState};
    /// let pair = [Foe::new(8, 6)?, Foe::new(7, 6)?];
    /// let plan = Melee::at_once(Hero::new(9, 14, 9)?, pair)?.best()?;
    /// let decision = plan.decision_at(&MeleeState::new(2, &[4, 0], 9)?)?;
    /// assert_eq!(decision.map(|decision| decision.label()), Some('1'));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decision_at(&self, state: &MeleeState) -> Result<Option<Decision>, Error> {
        let Some(target) = self.target_at(state)? else {
            return Ok(None);
        };
        // Whether LUCK is tested on any such blow, and whether on all.
        let (mut hit, mut wound) = ((false, true), (false, true));
        for blow in self.solution.game().first_blows(state, target)? {
            let kind = match blow.by {
                None => &mut hit,
                Some(by) if by == target => &mut wound,
                Some(_) => continue,
            };
            let tests = self.tests_luck(&blow.state)?;
            *kind = (kind.0 | tests, kind.1 & tests);
        }
        let clear = |(any, all): (bool, bool)| !any || all;
        Ok((clear(hit) && clear(wound)).then_some(Decision {
            after_win: hit.0,
            after_loss: wound.0,
        }))
    }

    /// Returns whether to test LUCK on the blow of this state.
    ///
    /// # Errors
    /// [`Error::Solve`] for a state outside the game, such as one with more STAMINA or LUCK than at
    /// the start.
    ///
    /// # Examples
    /// A wound by the second foe, after a draw in the exchange with the first:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee, MeleeState};
    /// let pair = [Foe::new(8, 6)?, Foe::new(7, 6)?];
    /// let plan = Melee::at_once(Hero::new(9, 14, 9)?, pair)?.best()?;
    /// let last = MeleeState::new(2, &[4, 4], 9)?;
    /// let blows = plan.solution().game().first_blows(&last, 0)?;
    /// assert_eq!(blows[2].by, Some(1));
    /// assert!(plan.tests_luck(&blows[2].state)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tests_luck(&self, state: &MeleeState) -> Result<bool, Error> {
        Ok(self.solution.decision(state)? == Some(MeleeAction::TestLuck))
    }

    /// Returns the value, the value of each target, and for each first blow of the round the values
    /// of saving and testing LUCK.
    ///
    /// # Errors
    /// None, except for a game that answers differently from when it was solved.
    ///
    /// # Examples
    /// The second foe is harmless, so only the first matters:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let pair = [Foe::new(12, 2)?, Foe::new(-10, 2)?];
    /// let plan = Melee::at_once(Hero::new(12, 2, 7)?, pair)?.best()?;
    /// assert_eq!(plan.explain()?.to_string(), "\
    /// STAMINA 2 against 2 and 2, LUCK 7: worth 31/48 = 0.6458333333333334
    ///   attack #1 31/48 = 0.6458333333333334, best
    ///   attack #2 30401/62208 = 0.48869920267489714, 9775/62208 = 0.1571341306584362 less
    /// if the hero hits #1:
    ///   save LUCK 1, best
    ///   test LUCK 481/576 = 0.8350694444444444, 95/576 = 0.16493055555555555 less
    /// if #1 wounds the hero:
    ///   test LUCK 7/24 = 0.2916666666666667, best
    ///   save LUCK 0, 7/24 = 0.2916666666666667 less
    /// ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self) -> Result<MeleeExplanation<N>, Error> {
        self.explain_at(&self.start)
    }

    /// Returns the same in the middle of the fight, for the round that starts in this state.
    ///
    /// # Errors
    /// As for [`value_at`](MeleePlan::value_at).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee, MeleeState};
    /// let pair = [Foe::new(8, 6)?, Foe::new(9, 6)?];
    /// let plan = Melee::at_once(Hero::new(9, 14, 7)?, pair)?.best()?;
    /// let why = plan.explain_at(&MeleeState::new(2, &[0, 2], 7)?)?.to_string();
    /// let lines: Vec<&str> = why.lines().take(3).collect();
    /// assert_eq!(lines[0], "STAMINA 2 against 0 and 2, LUCK 7: worth 31/48 = 0.6458333333333334");
    /// assert_eq!(lines[1..], ["if the hero hits #2:", "  save LUCK 1, best"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_at(&self, state: &MeleeState) -> Result<MeleeExplanation<N>, Error> {
        let start = state.at(MeleePhase::Round);
        let mut blows = Vec::new();
        if let Some(target) = self.target_at(&start)? {
            for blow in self.solution.game().first_blows(&start, target)? {
                let mut situation = match blow.by {
                    None => format!("if the hero hits #{}", target + 1),
                    Some(by) => format!("if #{} wounds the hero", by + 1),
                };
                if let Some(roll) = blow.roll {
                    situation += &format!(" with a roll of {roll}");
                }
                let choices = self.solution.choices(&blow.state)?;
                blows.push(BlowReasons { situation, choices });
            }
        }
        Ok(MeleeExplanation {
            start,
            value: self.value_at(&start)?,
            targets: self.solution.choices(&start)?,
            blows,
        })
    }

    /// Returns the solution behind the plan, with values, gaps, ties and distributions.
    ///
    /// # Examples
    /// The distribution of the STAMINA left of 6 after two weak foes in turn:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
    /// let pair = [Foe::new(7, 2)?, Foe::new(7, 2)?];
    /// let plan = Melee::in_turn(Hero::new(7, 6, 0)?, pair)?.best()?;
    /// let left = plan.solution().forecast()?.ends_by(|end| end.hero)?;
    /// assert_eq!(left.p(&6).to_string(), "1/4");
    /// assert_eq!(left.p(&4).to_string(), "1/4");
    /// assert_eq!(left.p(&2).to_string(), "3/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn solution(&self) -> &Solution<'static, MeleeGame, N, Boxed> {
        &self.solution
    }
}

/// The evaluated actions of a state.
type Appraisals<N> = Vec<Appraisal<MeleeAction, <N as Number>::Value>>;

/// The reasons for the choice of the target and the use of LUCK in a round.
///
/// # Examples
/// Three even rounds:
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero, Melee};
/// let melee = Melee::in_turn(Hero::new(8, 2, 0)?, [Foe::new(8, 2)?; 3])?;
/// let why = melee.best()?.explain()?.to_string();
/// let first = why.lines().next();
/// assert_eq!(first, Some("STAMINA 2 against 2 and 2 and 2, LUCK 0: worth 1/8 = 0.125"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "N::Value: oddsmith_mdp::written::Written"))
)]
pub struct MeleeExplanation<N: Number> {
    start: MeleeState,
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "oddsmith_mdp::written::value::serialize")
    )]
    value: N::Value,
    targets: Appraisals<N>,
    blows: Vec<BlowReasons<N>>,
}

/// The reasons for the use of LUCK on one of the first blows.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "N::Value: oddsmith_mdp::written::Written"))
)]
struct BlowReasons<N: Number> {
    situation: String,
    choices: Appraisals<N>,
}

impl<N: Number> fmt::Display for MeleeExplanation<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let foes: Vec<String> = self.start.foes().iter().map(u16::to_string).collect();
        write!(
            f,
            "STAMINA {} against {}",
            self.start.hero,
            foes.join(" and ")
        )?;
        writeln!(
            f,
            ", LUCK {}: worth {}",
            self.start.luck,
            Readable(&self.value)
        )?;
        write_choices::<N>(f, &self.targets)?;
        for BlowReasons { situation, choices } in &self.blows {
            if !choices.is_empty() {
                writeln!(f, "{situation}:")?;
                write_choices::<N>(f, choices)?;
            }
        }
        Ok(())
    }
}

fn write_choices<N: Number>(f: &mut fmt::Formatter<'_>, choices: &Appraisals<N>) -> fmt::Result {
    let mut choices: Vec<_> = choices.iter().collect();
    choices.sort_by_key(|choice| !choice.decided);
    for choice in choices {
        write!(f, "  {} {}, ", choice.action, Readable(&choice.value))?;
        if choice.optimal {
            writeln!(f, "best")?;
        } else {
            writeln!(f, "{} less", Readable(&choice.gap))?;
        }
    }
    Ok(())
}
