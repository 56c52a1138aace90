//! A battle with a choice of dice as a game for solvers.

use num_traits::ToPrimitive;

use super::sight::Sight;
use super::{DiceGame, Timing};
use crate::chain::Outcomes;
use crate::rows::Size;
use crate::{DEFAULT_WORK, Error, Forces, Rules};

/// A [`DiceGame`] for solvers. The attacker is the row player, or the player who maximises; actions
/// are numbers of dice.
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
    pub(super) timing: Timing,
    pub(super) rules: Rules,
    pub(super) forces: Forces,
    pub(super) limit: u64,
    /// Indexed by the attacker's dice, then the defender's, each minus one.
    pub(super) throws: Vec<Vec<Vec<Step>>>,
    /// What a defender sees who chooses after the throw.
    pub(super) sight: Sight,
}

/// An outcome: the units lost by attacker and defender, and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) attackers: u32,
    pub(super) defenders: u32,
    pub(super) weight: u64,
}

/// The work for a pair of numbers of dice in one state, in the steps of a battle, since the solver
/// has to find its states first.
const CHOICE: u128 = 64;

impl DiceChoiceGame {
    pub(super) fn new(battle: &DiceGame) -> Result<Self, Error> {
        let (rules, timing) = (&battle.rules, battle.timing);
        let size = Size::new(battle.attackers, battle.defenders);
        let (attack, defence) = rules.dice(battle.attackers, battle.defenders);
        let states = (u128::from(size.attackers) + 1) * (u128::from(size.defenders) + 1);
        let choices = states
            .saturating_mul(attack.into())
            .saturating_mul(defence.into())
            .saturating_mul(CHOICE);
        size.check_work("a choice of dice", choices, battle.limit)?;
        // A small limit must not exclude the throws of the standard box.
        let limit = battle.limit.max(DEFAULT_WORK);
        let mut work = 0;
        let mut throws = Vec::new();
        for attack in 1..=attack {
            let mut row = Vec::new();
            for defence in 1..=defence {
                let dice = (attack, defence);
                row.push(steps(&Outcomes::new(rules, dice, &mut work, limit)?)?);
            }
            throws.push(row);
        }
        let sight = match timing {
            Timing::AfterTheThrow => Sight::new(rules, attack, defence, limit)?,
            _ => Sight::default(),
        };
        Ok(DiceChoiceGame {
            timing,
            rules: rules.clone(),
            forces: battle.forces(),
            limit: battle.limit,
            throws,
            sight,
        })
    }

    /// Returns who declares first.
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
        // At most the total.
        weight: outcome.weight.to_u64().unwrap_or(0),
    };
    Ok(throw.list.iter().map(step).collect())
}
