//! The duel as a game for one player: its situations and their outcomes.

use oddsmith_mdp::{Choice, Game, Law, Node};

use super::{Habit, MOST_RESOURCES, Tactics};
use crate::{Error, Fighter, Outcome, Target};

/// A decision. The numbers are indices into the lists of the [`Tactics`].
///
/// # Examples
/// There is time for one attack, and only the second way to make it does enough damage:
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Act, Attack, Fighter, TacticalDuel, Tactics, Target};
///
/// let [jab, swing] = [Attack::new("Jab")?.to_hit(9), Attack::new("Swing")?];
/// let options = [jab.damage("1".parse()?), swing.damage("2".parse()?)];
/// # let tactics = Tactics::new().attacks(1, options);
/// # let foe = Fighter::new(2, Dist::certain(1))?;
/// let duel = TacticalDuel::new(1, tactics, foe, Target::new(11))?;
/// assert_eq!(duel.best()?.decision(&duel.start())?, Some(Act::Attack(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Act {
    /// Attack in this way.
    Attack(usize),
    /// Use this smite.
    Smite(usize),
    /// Use no smite.
    Hold,
    /// Use this healing.
    Heal(usize),
}

/// The stage of a turn.
///
/// # Examples
/// A hit for 1 has been rolled, and the foe has 2 hit points left:
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Act, Outcome, Situation, Stage, TacticalDuel, Target};
/// # use oddsmith_dnd::{Attack, Fighter, Smite, Tactics};
///
/// # let slap = Attack::new("Slap")?.damage("1".parse()?);
/// # let tactics = Tactics::new().attacks(1, [slap]).smite(Smite::new("Smite", 1, "1".parse()?)?);
/// # let foe = Fighter::new(2, Dist::certain(1))?;
/// let plan = TacticalDuel::new(1, tactics, foe, Target::new(11))?.best()?;
/// let stage = Stage::Rolled { attack: 0, option: 0, outcome: Outcome::Hit };
/// let now = Situation { stage, ..Situation::new(1, 2, [1]) };
/// assert_eq!(plan.decision(&now)?, Some(Act::Smite(0)));
/// assert_eq!(plan.value_of(&now)?.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Stage {
    /// Before the attack with this number, counted from 0, in the player's turn.
    Attack(usize),
    /// After the roll of an attack.
    Rolled {
        /// The number of the attack, counted from 0.
        attack: usize,
        /// The way it was made.
        option: usize,
        /// The outcome of the roll.
        outcome: Outcome,
    },
    /// Before the foe's turn.
    Foe,
    /// The foe has fallen.
    Won,
    /// Only the foe still stands.
    Lost,
}

/// Everything that a decision can depend on.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{Situation, Stage};
///
/// let fresh = Situation::new(40, 59, [2]);
/// assert_eq!(fresh.stage, Stage::Attack(0));
/// assert_eq!(fresh.uses, [2, 0, 0, 0]);
/// let wounded = Situation { own: 10, ..fresh };
/// assert_eq!((wounded.own, wounded.foe), (10, 59));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Situation {
    /// The player's hit points.
    pub own: i64,
    /// The foe's hit points.
    pub foe: i64,
    /// The uses left, first of smites and then of healings.
    pub uses: [u8; 4],
    /// The [phase](crate::Phase) of the foe's next turn.
    pub foe_phase: usize,
    /// The stage of the turn.
    pub stage: Stage,
    /// Whether a smite that can be used once a turn has been used.
    pub smitten: bool,
    /// Whether the bonus action has been used for healing.
    pub healed: bool,
}

impl Situation {
    /// Creates the start of a turn with these hit points and uses. Uses that are not given are 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Situation;
    ///
    /// let now = Situation::new(7, 15, [2, 1]);
    /// assert_eq!((now.own, now.foe, now.uses), (7, 15, [2, 1, 0, 0]));
    /// assert_eq!((now.foe_phase, now.smitten, now.healed), (0, false, false));
    /// ```
    #[must_use]
    pub fn new(own: i64, foe: i64, uses: impl IntoIterator<Item = u8>) -> Self {
        let mut left = [0; MOST_RESOURCES];
        for (place, uses) in left.iter_mut().zip(uses) {
            *place = uses;
        }
        Situation {
            own,
            foe,
            uses: left,
            foe_phase: 0,
            stage: Stage::Attack(0),
            smitten: false,
            healed: false,
        }
    }

    /// All victories are one situation, and so are all defeats.
    fn over(stage: Stage) -> Self {
        Situation {
            stage,
            ..Situation::new(0, 0, [])
        }
    }
}

/// A way to attack.
#[derive(Clone, Debug)]
struct Strike {
    /// The damage without any smite.
    whole: Law<i64>,
    outcomes: Law<Outcome>,
    /// The damage after an outcome: without a smite, then with each one.
    after: [Vec<Law<i64>>; 3],
    /// The damage of a miss, if it is always the same.
    miss: Option<i64>,
}

/// The game of a player who decides against a foe who does not.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    tactics: Tactics,
    /// A player with a habit decides only whether to give up.
    habit: Option<Habit>,
    /// Whether the player can give up before each turn.
    gives_up: bool,
    strikes: Vec<Strike>,
    healing: Vec<Law<i64>>,
    /// The damage and the next phase, by the phase.
    foe: Vec<Law<(i64, usize)>>,
    maximum: i64,
}

impl Contest {
    pub(super) fn new(
        tactics: &Tactics,
        foe: &Fighter,
        target: &Target,
        maximum: i64,
    ) -> Result<Self, Error> {
        tactics.check()?;
        let mut strikes = Vec::new();
        for option in &tactics.options {
            let (counts, total) = option.counts_against(target)?;
            let pairs = Outcome::ALL.into_iter().zip(counts);
            let outcomes = oddsmith_dice::Dist::from_parts(pairs, total)?;
            let mut after = [Vec::new(), Vec::new(), Vec::new()];
            let mut plain = Vec::new();
            for outcome in Outcome::ALL {
                let bare = option.strike(target, outcome, &[], false)?;
                after[outcome as usize].push(Law::new(&lumped(&bare, foe.standing())));
                plain.push(bare);
                if outcome == Outcome::Miss {
                    continue;
                }
                for smite in &tactics.smites {
                    let law = option.strike(target, outcome, &[&smite.damage], false)?;
                    after[outcome as usize].push(Law::new(&lumped(&law, foe.standing())));
                }
            }
            let whole = outcomes.and_then(|&outcome| Ok(plain[outcome as usize].clone()))?;
            strikes.push(Strike {
                whole: Law::new(&lumped(&whole, foe.standing())),
                outcomes: Law::new(&outcomes),
                miss: match plain[0].support() {
                    [certain] => Some(*certain),
                    _ => None,
                },
                after,
            });
        }
        let phases = foe.phases().iter();
        let turns = phases.map(|phase| Ok(lumped(phase.damage(), maximum).joint(phase.next())?));
        let turns = turns.collect::<Result<Vec<_>, Error>>()?;
        let healing = tactics.healing.iter();
        Ok(Contest {
            strikes,
            healing: healing.map(|h| Law::new(&h.hit_points)).collect(),
            foe: turns.iter().map(Law::new).collect(),
            maximum,
            tactics: tactics.clone(),
            habit: None,
            gives_up: false,
        })
    }

    /// Returns the game of a player who keeps to a habit, which may never end the fight.
    pub(super) fn kept_to(mut self, habit: Habit) -> Self {
        self.habit = Some(habit);
        self.ending()
    }

    /// Returns the same fight with an end.
    ///
    /// It may be that no decision ever ends the fight, but a game has to end. So before each turn
    /// the player may give up. This is worth as little as a fight without end, and never more than
    /// going on.
    pub(super) fn ending(mut self) -> Self {
        self.gives_up = true;
        self
    }

    /// Returns whether this smite can follow a hit here.
    fn may_smite(&self, now: &Situation, smite: usize) -> bool {
        now.uses[smite] > 0 && !(now.smitten && self.tactics.smites[smite].once_a_turn)
    }

    fn struck(&self, now: &Situation, attack: usize, damage: i64) -> Situation {
        if damage >= now.foe {
            return Situation::over(Stage::Won);
        }
        let next = Situation {
            foe: now.foe - damage,
            ..*now
        };
        match attack + 1 < self.tactics.number as usize {
            true => Situation {
                stage: Stage::Attack(attack + 1),
                ..next
            },
            false => foes_turn(next),
        }
    }

    /// Returns whether this healing can be used at the start of a turn.
    fn may_heal(&self, now: &Situation, at: usize) -> bool {
        now.own < self.maximum
            && now.uses[self.tactics.smites.len() + at] > 0
            && !(now.healed && self.tactics.healing[at].bonus_action)
    }

    /// Returns what may be done before an attack, or after its roll.
    fn acts(&self, now: &Situation) -> impl Iterator<Item = Act> {
        let rolled = matches!(now.stage, Stage::Rolled { .. });
        let all = |count: usize, here: bool| 0..if here { count } else { 0 };
        let options = all(self.strikes.len(), !rolled);
        let healings = all(self.healing.len(), now.stage == Stage::Attack(0));
        let smites = all(self.tactics.smites.len(), rolled);
        let healings = healings.filter(|&at| self.may_heal(now, at));
        let smites = smites.filter(|&smite| self.may_smite(now, smite));
        options
            .map(Act::Attack)
            .chain(healings.map(Act::Heal))
            .chain(rolled.then_some(Act::Hold))
            .chain(smites.map(Act::Smite))
    }

    /// Writes the outcomes of an act.
    fn act(&self, now: &Situation, act: Act, mut choice: Choice<'_, Self>) {
        match (act, now.stage) {
            (Act::Attack(option), Stage::Attack(attack)) => {
                self.attack(now, attack, option, choice);
            }
            (Act::Heal(at), _) => self.heal(now, at, choice),
            (
                act,
                Stage::Rolled {
                    attack,
                    option,
                    outcome,
                },
            ) => {
                let laws = &self.strikes[option].after[outcome as usize];
                let (mut after, mut law) = (*now, &laws[0]);
                if let Act::Smite(smite) = act {
                    after.uses[smite] -= 1;
                    after.smitten |= self.tactics.smites[smite].once_a_turn;
                    law = &laws[1 + smite];
                }
                choice.roll(law, |&damage| self.struck(&after, attack, damage));
            }
            // Not to act in one's own turn is to give up.
            _ => {
                choice.to(Situation::over(Stage::Lost), 1);
            }
        }
    }

    fn attack(&self, now: &Situation, attack: usize, option: usize, mut choice: Choice<'_, Self>) {
        let strike = &self.strikes[option];
        let mut smites = 0..self.tactics.smites.len();
        if !smites.any(|smite| self.may_smite(now, smite)) {
            choice.roll(&strike.whole, |&damage| self.struck(now, attack, damage));
            return;
        }
        choice.roll(&strike.outcomes, |&outcome| match (outcome, strike.miss) {
            (Outcome::Miss, Some(damage)) => self.struck(now, attack, damage),
            _ => Situation {
                stage: Stage::Rolled {
                    attack,
                    option,
                    outcome,
                },
                ..*now
            },
        });
    }

    fn heal(&self, now: &Situation, at: usize, mut choice: Choice<'_, Self>) {
        let healing = &self.tactics.healing[at];
        let mut next = *now;
        next.uses[self.tactics.smites.len() + at] -= 1;
        next.healed = healing.bonus_action;
        if !healing.bonus_action {
            next = foes_turn(next);
        }
        choice.roll(&self.healing[at], |&by| Situation {
            own: now.own.saturating_add(by).min(self.maximum),
            ..next
        });
    }
}

/// Returns the situation after the player's turn, with what ends with the turn reset.
fn foes_turn(now: Situation) -> Situation {
    Situation {
        stage: Stage::Foe,
        smitten: false,
        healed: false,
        ..now
    }
}

/// All damage that fells at once is the same.
fn lumped(law: &oddsmith_dice::Dist<i64>, most: i64) -> oddsmith_dice::Dist<i64> {
    law.map(|&damage| damage.min(most))
}

impl Game for Contest {
    type State = Situation;
    type Action = Act;

    fn expand(&self, now: &Situation, node: &mut Node<Self>) {
        match now.stage {
            Stage::Won => node.end(true),
            Stage::Lost => node.end(false),
            Stage::Foe => {
                node.chance()
                    .roll(&self.foe[now.foe_phase], |&(damage, phase)| {
                        if damage >= now.own {
                            return Situation::over(Stage::Lost);
                        }
                        Situation {
                            own: now.own - damage,
                            foe_phase: phase,
                            stage: Stage::Attack(0),
                            ..*now
                        }
                    });
            }
            Stage::Rolled {
                attack,
                option,
                outcome: Outcome::Miss,
            } => {
                let law = &self.strikes[option].after[Outcome::Miss as usize][0];
                node.chance()
                    .roll(law, |&damage| self.struck(now, attack, damage));
            }
            Stage::Attack(_) | Stage::Rolled { .. } => {
                match self.habit {
                    None => {
                        for act in self.acts(now) {
                            self.act(now, act, node.choice(act));
                        }
                    }
                    Some(habit) => {
                        let act = habit.decides(self.maximum, now, self.acts(now));
                        self.act(now, act, node.choice(act));
                    }
                }
                if self.gives_up && now.stage == Stage::Attack(0) {
                    self.act(now, Act::Hold, node.choice(Act::Hold));
                }
            }
        }
    }
}
