//! The rules of a choice of dice, for simultaneous games and games in turn.

use oddsmith_mdp::{Game, Meeting, Node, Simultaneous};

use super::{DiceChoiceGame, DiceState, Timing};
use crate::{Forces, Side};

/// Who decides in a state, and among how many dice.
enum Turn {
    Over(bool),
    Both {
        attack: u32,
        defence: u32,
    },
    One {
        side: Side,
        most: u32,
    },
    /// Not a state of this game.
    None,
}

impl DiceChoiceGame {
    fn turn(&self, state: &DiceState) -> Turn {
        let forces = match state {
            DiceState::Before(forces)
            | DiceState::Declared { forces, .. }
            | DiceState::Thrown { forces, .. } => *forces,
        };
        let Forces {
            attackers,
            defenders,
        } = forces;
        if attackers > self.forces.attackers || defenders > self.forces.defenders {
            return Turn::None;
        }
        let (attack, defence) = self.rules.dice(attackers, defenders);
        let answer = |dice| self.rules.defence_dice_against(dice, defenders);
        match (state, self.timing) {
            (DiceState::Before(_), _) if attackers == 0 || defenders == 0 => {
                Turn::Over(defenders == 0)
            }
            _ if attackers == 0 || defenders == 0 => Turn::None,
            (DiceState::Before(_), Timing::AtOnce) => Turn::Both { attack, defence },
            (DiceState::Before(_), Timing::DefenderFirst) => Turn::One {
                side: Side::Defender,
                most: defence,
            },
            (DiceState::Before(_), _) => Turn::One {
                side: Side::Attacker,
                most: attack,
            },
            (&DiceState::Declared { dice, .. }, Timing::AttackerFirst)
                if (1..=attack).contains(&dice) =>
            {
                Turn::One {
                    side: Side::Defender,
                    most: answer(dice),
                }
            }
            (&DiceState::Declared { dice, .. }, Timing::DefenderFirst)
                if (1..=defence).contains(&dice) =>
            {
                Turn::One {
                    side: Side::Attacker,
                    most: attack,
                }
            }
            // The faces are cut off at the number of dice that the defender can ever have, which
            // tells how many of them he may have here.
            (DiceState::Thrown { faces, .. }, Timing::AfterTheThrow) if !faces.is_empty() => {
                Turn::One {
                    side: Side::Defender,
                    most: answer(faces.len() as u32),
                }
            }
            _ => Turn::None,
        }
    }

    /// Returns where it leads if the side to move takes this many dice, or the attacker and the
    /// defender if both move.
    fn outcomes(
        &self,
        state: &DiceState,
        (attack, defence): (u32, u32),
        mut to: impl FnMut(DiceState, u64),
    ) {
        let mut throw = |forces: Forces, attack: u32, defence: u32| {
            let defence = defence.min(self.rules.defence_dice_against(attack, forces.defenders));
            let throws = self.throws.get(attack as usize - 1);
            let throw = throws.and_then(|throws| throws.get(defence as usize - 1));
            for step in throw.into_iter().flatten() {
                to(after(forces, step.attackers, step.defenders), step.weight);
            }
        };
        match (state, self.timing) {
            (&DiceState::Before(forces), Timing::AtOnce) => throw(forces, attack, defence),
            (&DiceState::Declared { forces, dice }, Timing::AttackerFirst) => {
                throw(forces, dice, defence);
            }
            (&DiceState::Declared { forces, dice }, _) => throw(forces, attack, dice),
            (&DiceState::Before(forces), Timing::AfterTheThrow) => {
                let thrown = self.sight.thrown.get(attack as usize - 1);
                for (faces, rolls) in thrown.into_iter().flatten() {
                    let faces = faces.clone();
                    to(DiceState::Thrown { forces, faces }, *rolls);
                }
            }
            (&DiceState::Before(forces), _) => {
                let dice = attack.max(defence);
                to(DiceState::Declared { forces, dice }, 1);
            }
            (DiceState::Thrown { forces, faces }, _) => {
                let answers = self.sight.answers(faces, defence);
                for (won, &rolls) in (0..).zip(answers) {
                    let lost = answers.len() as u32 - 1 - won;
                    to(after(*forces, lost, won), rolls);
                }
            }
        }
    }
}

fn after(forces: Forces, attackers: u32, defenders: u32) -> DiceState {
    DiceState::Before(Forces {
        attackers: forces.attackers - attackers,
        defenders: forces.defenders - defenders,
    })
}

/// The attacker chooses rows and the defender columns, with any [`Timing`].
///
/// # Examples
/// One attacker has one row; two defenders have two columns, one die or two:
/// ```
/// use oddsmith_mdp::Solver;
/// use oddsmith_risk::{DiceGame, Timing};
///
/// let battle = DiceGame::new(1, 2)?.timing(Timing::AtOnce);
/// let game = battle.game()?;
/// let solution = Solver::exact().solve_simultaneous(&game, battle.start())?;
/// let first = solution.equilibrium(&battle.start())?;
/// let worth: Vec<String> = first.payoffs[0].iter().map(|w| format!("{w}")).collect();
/// assert_eq!(worth, ["25/144", "275/2592"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Simultaneous for DiceChoiceGame {
    type State = DiceState;
    type Row = u32;
    type Column = u32;

    fn expand(&self, state: &DiceState, meeting: &mut Meeting<Self>) {
        match self.turn(state) {
            Turn::Over(won) => meeting.end(won),
            Turn::Both { attack, defence } => {
                for attack in 1..=attack {
                    for defence in 1..=defence {
                        let mut cell = meeting.cell(attack, defence);
                        self.outcomes(state, (attack, defence), |state, weight| {
                            cell.to(state, weight);
                        });
                    }
                }
            }
            Turn::One { side, most } => {
                for dice in 1..=most {
                    let (mut cell, dice) = match side {
                        Side::Attacker => (meeting.row(dice), (dice, 0)),
                        Side::Defender => (meeting.column(dice), (0, dice)),
                    };
                    self.outcomes(state, dice, |state, weight| {
                        cell.to(state, weight);
                    });
                }
            }
            // A dead end, which the solver reports.
            Turn::None => {}
        }
    }
}

/// The defender is the opponent. States in which both decide at once are dead ends;
/// [`DiceGame::solve_with`](crate::DiceGame::solve_with) rejects them.
///
/// # Examples
/// ```
/// use oddsmith_mdp::Solver;
/// use oddsmith_risk::{DiceGame, DiceState};
///
/// let battle = DiceGame::new(2, 1)?;
/// let game = battle.game()?;
/// let solution = Solver::exact().solve(&game, battle.start())?;
/// let declared = DiceState::Declared { forces: battle.forces(), dice: 1 };
/// assert_eq!(solution.value_of(&declared)?.to_string(), "95/144"); // 1 − (7/12)²
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Game for DiceChoiceGame {
    type State = DiceState;
    type Action = u32;

    fn expand(&self, state: &DiceState, node: &mut Node<Self>) {
        match self.turn(state) {
            Turn::Over(won) => node.end(won),
            Turn::One { side, most } => {
                if side == Side::Defender {
                    node.opponent();
                }
                for dice in 1..=most {
                    let mut choice = node.choice(dice);
                    let dice = match side {
                        Side::Attacker => (dice, 0),
                        Side::Defender => (0, dice),
                    };
                    self.outcomes(state, dice, |state, weight| {
                        choice.to(state, weight);
                    });
                }
            }
            Turn::Both { .. } | Turn::None => {}
        }
    }
}
