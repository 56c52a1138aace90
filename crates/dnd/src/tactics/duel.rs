//! A duel in which one side decides.

use std::fmt;
use std::ops::RangeInclusive;

use num_rational::BigRational;
use oddsmith_mdp::{Cyclic, Exact, Float, Number, Solver};

use super::contest::Contest;
use super::{BattlePlan, Habit, HealWhen, Situation, SmiteWhen, Stage, Tactics};
use crate::dpr::rows;
use crate::{Combatant, Error, Fighter, Target};

/// The default of [`TacticalDuel::max_states`].
const MAX_STATES: usize = 2_000_000;
/// The limit for all fights of a table together, in multiples of that for one.
const TOGETHER: usize = 32;

/// A duel in which one side has [`Tactics`] and the other always does the same. It answers which
/// decisions win most often, and how often fixed ones do.
///
/// A decision takes into account both hit points, the uses left, and the stage of the turn. A side
/// with 0 hit points has lost. The side with tactics acts first, unless
/// [`acts_second`](TacticalDuel::acts_second) is called.
///
/// # Examples
/// Two attacks with a greatsword against an ogre with 30 hit points left. −5 to hit for +10 damage
/// is worth it as long as a plain hit is unlikely to be enough:
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Act, Attack, Fighter, Habit, TacticalDuel, Tactics, Target};
///
/// let sword = Attack::new("Greatsword")?.to_hit(5).damage("2d6 + 3 slashing".parse()?);
/// let tactics = Tactics::new().attacks(2, [sword.clone(), sword.power_attack()]);
/// let club = Attack::new("Greatclub")?.to_hit(6).damage("2d8 + 4 bludgeoning".parse()?);
/// let ogre = Fighter::new(30, club.law(&Target::new(18))?)?;
/// let duel = TacticalDuel::new(20, tactics, ogre, Target::new(11))?;
///
/// let plan = duel.best_f64()?;
/// let (plain, power) = (Habit::default(), Habit { attack: 1, ..Habit::default() });
/// assert_eq!(format!("{:.4}", plan.value()), "0.9016");
/// assert_eq!(plan.ranges(&duel.start()), [(1..=16, Act::Attack(0)), (17..=30, Act::Attack(1))]);
/// assert_eq!(format!("{:.4}", duel.fixed_f64(&plain)?), "0.8578");
/// assert_eq!(format!("{:.4}", duel.fixed_f64(&power)?), "0.8805");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TacticalDuel {
    hit_points: i64,
    tactics: Tactics,
    foe: Fighter,
    target: Target,
    second: bool,
    max_states: usize,
}

/// The value of decisions against one armour class: a row of [`TacticalDuel::by_ac`].
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
///
/// let [jab, swing] = [Attack::new("Jab")?.to_hit(5), Attack::new("Swing")?];
/// let options = [jab.damage("1".parse()?), swing.damage("2".parse()?)];
/// let foe = Fighter::new(1, Dist::certain(1))?; // leaves time for one attack
/// let duel = TacticalDuel::new(1, Tactics::new().attacks(1, options), foe, Target::new(11))?;
/// let row = &duel.by_ac(16..=16)?[0];
/// assert_eq!((row.ac, row.best), (16, 0.5));
/// assert_eq!(row.by_attack, [0.5, 0.25]); // jabs alone, and swings alone
/// let says = "AC 16: 50.00 % with the best decisions; 50.00 %, 25.00 % with one attack alone";
/// assert_eq!(row.to_string(), says);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AcOdds {
    /// The armour class.
    pub ac: i64,
    /// The chance to win with the best decisions. A fight that never ends is not won.
    pub best: f64,
    /// The chance to win if the same way to attack is always used, for each way, with the best
    /// habits otherwise.
    pub by_attack: Vec<f64>,
}

impl fmt::Display for AcOdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let best = 100.0 * self.best;
        write!(f, "AC {}: {best:.2} % with the best decisions", self.ac)?;
        for (place, chance) in self.by_attack.iter().enumerate() {
            let comma = if place == 0 { ";" } else { "," };
            write!(f, "{comma} {:.2} %", 100.0 * chance)?;
        }
        match self.by_attack.is_empty() {
            true => Ok(()),
            false => f.write_str(" with one attack alone"),
        }
    }
}

impl TacticalDuel {
    /// Creates a duel of a creature with these hit points and tactics against a foe. The foe's
    /// turns are those against this creature, and the foe is attacked as `target`.
    ///
    /// # Errors
    /// [`Error::NoHitPoints`]; [`Error::UnfitFoe`] for a foe who heals, whose hit points are
    /// rolled, or who [begins](Fighter::begins) in a phase other than 0; [`Error::NothingToDecide`]
    /// and [`Error::TooManyTactics`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Error, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Slap")?.damage("1".parse()?)]);
    /// let foe = Fighter::new(1, Dist::certain(1))?; // 1 hit point a turn
    /// let duel = |own| TacticalDuel::new(own, tactics.clone(), foe.clone(), Target::new(11));
    /// assert_eq!(duel(3)?.best()?.value().to_string(), "7/8"); // three times to hit
    /// assert_eq!(duel(0), Err(Error::NoHitPoints { given: 0 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        hit_points: i64,
        tactics: Tactics,
        foe: Fighter,
        target: Target,
    ) -> Result<Self, Error> {
        if hit_points < 1 {
            return Err(Error::NoHitPoints { given: hit_points });
        }
        tactics.check()?;
        foe.fit_for_decisions()?;
        Ok(TacticalDuel {
            hit_points,
            tactics,
            foe,
            target,
            second: false,
            max_states: MAX_STATES,
        })
    }

    /// Lets the foe act first.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Slap")?.damage("1".parse()?)]);
    /// let foe = Fighter::new(1, Dist::certain(1))?;
    /// let duel = TacticalDuel::new(1, tactics, foe, Target::new(11))?;
    /// assert_eq!(duel.best()?.value().to_string(), "1/2");
    /// assert_eq!(duel.acts_second().best()?.value().to_string(), "0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn acts_second(mut self) -> Self {
        self.second = true;
        self
    }

    /// Limits the number of states. The default is 2 million. All fights of
    /// [`by_ac`](TacticalDuel::by_ac) and [`best_habit`](TacticalDuel::best_habit) together may have
    /// 32 times as many.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Error, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Slap")?.damage("1".parse()?)]);
    /// let giant = Fighter::new(500, Dist::certain(1))?;
    /// let duel = TacticalDuel::new(500, tactics, giant, Target::new(11))?;
    /// assert_eq!(duel.states(), 500_002);
    /// assert!(matches!(duel.max_states(1_000).best(), Err(Error::TooManyStates { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_states(mut self, limit: usize) -> Self {
        self.max_states = limit;
        self
    }

    /// Returns an upper bound on the number of states.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(2, [Attack::new("Slap")?]);
    /// let foe = Fighter::new(20, Dist::die(4)?)?;
    /// let duel = TacticalDuel::new(10, tactics, foe, Target::new(11))?;
    /// assert_eq!(duel.states(), 602); // 10 · 20 hit points, 2 attacks and the foe; won, lost
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn states(&self) -> u128 {
        let tactics = &self.tactics;
        let both = u128::from(self.hit_points.unsigned_abs())
            .saturating_mul(u128::from(self.foe.standing().unsigned_abs()));
        let uses = tactics.smites.iter().map(|smite| smite.uses);
        let uses = uses.chain(tactics.healing.iter().map(|healing| healing.uses));
        let uses = uses.fold(1_u128, |all, uses| all.saturating_mul(u128::from(uses) + 1));
        let phases = self.foe.phases().len() as u128;
        // An attack, and its roll for each way to make it.
        let rolls = match tactics.smites.is_empty() {
            true => 0,
            false => 3 * tactics.options.len() as u128,
        };
        let once = u128::from(tactics.smites.iter().any(|smite| smite.once_a_turn)) + 1;
        let healed = u128::from(tactics.healing.iter().any(|healing| healing.bonus_action)) + 1;
        let stages = u128::from(tactics.number) * (1 + rolls) * once * healed + 1;
        let all = both.saturating_mul(uses).saturating_mul(phases);
        all.saturating_mul(stages).saturating_add(2)
    }

    /// Computes the best decisions in fractions.
    ///
    /// # Errors
    /// [`Error::TooManyStates`], before any work; [`Error::Solve`] if a situation can occur in
    /// which neither side can ever fall, whatever is decided.
    ///
    /// # Complexity
    /// For each situation the outcomes of each choice. Rounds in which nothing happens lead back to
    /// the same situation and are solved as small systems of equations.
    ///
    /// # Examples
    /// A smite is kept for a critical hit as long as the foe is far from falling:
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Habit, Smite, SmiteWhen, TacticalDuel, Tactics, Target};
    ///
    /// let sword = Attack::new("Sword")?.to_hit(5).damage("1d4".parse()?);
    /// let smite = Smite::new("Divine Smite", 1, "1d4 radiant".parse()?)?;
    /// let tactics = Tactics::new().attacks(1, [sword]).smite(smite);
    /// let foe = Fighter::new(9, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let duel = TacticalDuel::new(3, tactics, foe, Target::new(12))?;
    ///
    /// let best = duel.best()?;
    /// let (habit, value) = duel.best_habit()?;
    /// assert_eq!(habit.smite, SmiteWhen::OnHit);
    /// assert!(best.value() > value);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best(&self) -> Result<BattlePlan<Exact>, Error> {
        self.best_with(Solver::exact())
    }

    /// Computes the best decisions in floats.
    ///
    /// # Errors
    /// As for [`best`](TacticalDuel::best).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Slap")?.damage("1".parse()?)]);
    /// let foe = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let plan = TacticalDuel::new(1, tactics, foe, Target::new(11))?.best_f64()?;
    /// assert!((plan.value() - 2.0 / 3.0).abs() < 1e-15); // 1/2 + 1/8 + 1/32 + ⋯
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_f64(&self) -> Result<BattlePlan<Float>, Error> {
        self.best_with(Solver::float())
    }

    /// Computes the best decisions with a given solver, and so with its numbers, its limits and its
    /// observer. At most [`max_states`](TacticalDuel::max_states) states are solved, whatever the
    /// solver allows.
    ///
    /// # Errors
    /// As for [`best`](TacticalDuel::best), and the solver's limits as [`Error::Solve`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Error, Fighter, TacticalDuel, Tactics, Target};
    /// use oddsmith_mdp::Solver;
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Slap")?.damage("1".parse()?)]);
    /// let foe = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let duel = TacticalDuel::new(1, tactics, foe, Target::new(11))?;
    /// assert_eq!(duel.best_with(Solver::exact().max_bytes(1 << 20))?.value().to_string(), "2/3");
    /// assert!(matches!(duel.best_with(Solver::exact().max_bytes(1)), Err(Error::Solve(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_with<N>(&self, solver: Solver<'_, N>) -> Result<BattlePlan<N>, Error>
    where
        Cyclic<N>: Number,
    {
        let contest = self.contest()?;
        let solver = solver_within(solver, self.max_states);
        let solution = solver.solve_owned(contest, self.start())?;
        Ok(BattlePlan::new(
            solution,
            self.tactics.clone(),
            self.start(),
            self.foe.standing(),
        ))
    }

    /// Returns the chance to win with a habit. A fight that never ends is not won.
    ///
    /// # Errors
    /// As for [`best`](TacticalDuel::best), except that fights that never end are allowed;
    /// [`Error::NoSuchOption`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Habit, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Slap")?.damage("1".parse()?)]);
    /// let foe = Fighter::new(2, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let duel = TacticalDuel::new(2, tactics, foe, Target::new(11))?;
    /// assert_eq!(duel.fixed(&Habit::default())?.to_string(), "16/27");
    /// assert!(duel.fixed(&Habit { attack: 1, ..Habit::default() }).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fixed(&self, habit: &Habit) -> Result<BigRational, Error> {
        self.evaluate(Solver::exact(), habit)
    }

    /// Returns [`fixed`](TacticalDuel::fixed) as a float.
    ///
    /// # Errors
    /// As for [`fixed`](TacticalDuel::fixed).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Habit, TacticalDuel, Tactics, Target};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let tactics = Tactics::new().attacks(1, [slap.clone(), slap.to_hit(5)]);
    /// let foe = Fighter::new(1, Dist::certain(1))?; // leaves time for one attack
    /// let duel = TacticalDuel::new(1, tactics, foe, Target::new(11))?;
    /// assert_eq!(duel.fixed_f64(&Habit::default())?, 0.5);
    /// assert_eq!(duel.fixed_f64(&Habit { attack: 1, ..Habit::default() })?, 0.75);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fixed_f64(&self, habit: &Habit) -> Result<f64, Error> {
        self.evaluate(Solver::float(), habit)
    }

    fn evaluate<N>(
        &self,
        solver: Solver<'_, N>,
        habit: &Habit,
    ) -> Result<<Cyclic<N> as Number>::Value, Error>
    where
        Cyclic<N>: Number,
    {
        let count = self.tactics.options.len();
        if habit.attack >= count {
            return Err(Error::NoSuchOption {
                what: "way to attack",
                given: habit.attack,
                count,
            });
        }
        let contest = self.contest()?.kept_to(*habit);
        let solver = solver_within(solver, self.max_states);
        Ok(solver.solve(&contest, self.start())?.value())
    }

    /// Returns all habits that are possible with these tactics.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Smite, TacticalDuel, Tactics, Target};
    ///
    /// let sword = Attack::new("Sword")?.damage("1d8".parse()?);
    /// let tactics = Tactics::new()
    ///     .attacks(1, [sword.clone(), sword.power_attack()])
    ///     .smite(Smite::new("Divine Smite", 1, "2d8 radiant".parse()?)?);
    /// let duel = TacticalDuel::new(9, tactics, Fighter::new(9, Dist::die(4)?)?, Target::new(9))?;
    /// assert_eq!(duel.habits().len(), 6); // two attacks, three times to smite
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn habits(&self) -> Vec<Habit> {
        let smites = match self.tactics.smites.is_empty() {
            true => &[SmiteWhen::Never][..],
            false => &[SmiteWhen::Never, SmiteWhen::OnCritical, SmiteWhen::OnHit],
        };
        let heals = match self.tactics.healing.is_empty() {
            true => &[HealWhen::Never][..],
            false => &[HealWhen::Never, HealWhen::AtHalf],
        };
        let mut habits = Vec::new();
        for attack in 0..self.tactics.options.len() {
            for &smite in smites {
                habits.extend(heals.iter().map(|&heal| Habit {
                    attack,
                    smite,
                    heal,
                }));
            }
        }
        habits
    }

    /// Returns the best habit, the first one if several are equally good, and the chance to win
    /// with it: 0 if the fight never ends with any.
    ///
    /// # Errors
    /// As for [`best`](TacticalDuel::best), except that fights that never end are allowed. The fights
    /// of all habits together may have 32 times as many states as one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let tactics = Tactics::new().attacks(1, [slap.clone(), slap.to_hit(5)]);
    /// let foe = Fighter::new(1, Dist::certain(1))?; // leaves time for one attack
    /// let (habit, value) = TacticalDuel::new(1, tactics, foe, Target::new(11))?.best_habit()?;
    /// assert_eq!((habit.attack, value.to_string()), (1, "3/4".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_habit(&self) -> Result<(Habit, BigRational), Error> {
        self.fits(self.habits().len())?;
        best_of(self.habits(), |habit| self.fixed(habit))
    }

    /// Returns [`best_habit`](TacticalDuel::best_habit) in floats.
    ///
    /// # Errors
    /// As for [`best_habit`](TacticalDuel::best_habit).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let sword = Attack::new("Sword")?.to_hit(9).damage("1d8".parse()?);
    /// let tactics = Tactics::new().attacks(1, [sword.clone(), sword.power_attack()]);
    /// let duel = TacticalDuel::new(9, tactics, Fighter::new(9, Dist::die(4)?)?, Target::new(9))?;
    /// assert_eq!(duel.best_habit_f64()?.0.attack, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_habit_f64(&self) -> Result<(Habit, f64), Error> {
        self.fits(self.habits().len())?;
        best_of(self.habits(), |habit| self.fixed_f64(habit))
    }

    /// Returns the chances to win by the foe's armour class, with the best decisions and with each
    /// way to attack used all the time. The break-even point is where the best way changes.
    ///
    /// Mean damage has another break-even point, since damage beyond a foe's last hit point is
    /// wasted; see [`break_even`](crate::break_even).
    ///
    /// # Errors
    /// [`Error::NoRows`] and [`Error::TooManyRows`] for the armour classes; as for
    /// [`best`](TacticalDuel::best), except that fights that never end are allowed. All fights
    /// together, one for each habit and one for the best decisions in each row, may have 32 times as
    /// many states as one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, TacticalDuel, Tactics, Target};
    ///
    /// let sword = Attack::new("Greatsword")?.to_hit(7).damage("2d6 + 4 slashing".parse()?);
    /// let tactics = Tactics::new().attacks(1, [sword.clone(), sword.power_attack()]);
    /// let foe = Fighter::new(45, Dist::die(6)?)?;
    /// let duel = TacticalDuel::new(12, tactics, foe, Target::new(15))?;
    /// let table = duel.by_ac(18..=22)?;
    /// let power: Vec<i64> = table
    ///     .iter()
    ///     .filter(|row| row.by_attack[1] > row.by_attack[0])
    ///     .map(|row| row.ac)
    ///     .collect();
    /// assert_eq!(power, [18, 19, 20, 21]); // the mean breaks even at 18
    /// assert!(table.iter().all(|row| row.best + 1e-12 >= row.by_attack[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_ac(&self, acs: RangeInclusive<i64>) -> Result<Vec<AcOdds>, Error> {
        let count = rows(&acs)?;
        let habits = self.habits();
        // In each row, all habits are followed, and the best decisions found.
        self.fits(count.saturating_mul(habits.len() + 1))?;
        let row = |ac: i64| {
            let mut duel = self.clone();
            duel.target = duel.target.with_ac(ac);
            let mut by_attack = vec![0.0_f64; self.tactics.options.len()];
            for habit in &habits {
                let value = &mut by_attack[habit.attack];
                *value = value.max(duel.fixed_f64(habit)?);
            }
            // One armour class that nothing hits must not prevent the results for all others.
            let contest = duel.contest()?.ending();
            let solver = solver_within(Solver::float(), self.max_states);
            Ok(AcOdds {
                ac,
                best: solver.solve(&contest, duel.start())?.value(),
                by_attack,
            })
        };
        acs.map(row).collect()
    }

    /// Returns the situation at the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Attack, Fighter, Situation, TacticalDuel, Tactics, Target};
    ///
    /// let tactics = Tactics::new().attacks(1, [Attack::new("Slap")?]);
    /// let duel = TacticalDuel::new(5, tactics, Fighter::new(7, Dist::die(4)?)?, Target::new(9))?;
    /// assert_eq!(duel.start(), Situation::new(5, 7, []));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> Situation {
        let smites = self.tactics.smites.iter().map(|smite| smite.uses);
        let healing = self.tactics.healing.iter().map(|healing| healing.uses);
        // No more than 255, as their constructors check.
        let uses = smites.chain(healing).map(|uses| uses as u8);
        let start = Situation::new(self.hit_points, self.foe.standing(), uses);
        Situation {
            stage: match self.second {
                true => Stage::Foe,
                false => Stage::Attack(0),
            },
            ..start
        }
    }

    /// Rejects this many fights if they have too many states together.
    fn fits(&self, fights: usize) -> Result<(), Error> {
        let (states, limit) = (self.states(), self.max_states);
        let all = states.saturating_mul(fights as u128);
        let together = limit.saturating_mul(TOGETHER);
        // A single fight that is too large says so itself.
        match states <= limit as u128 && all > together as u128 {
            true => Err(Error::TooManyStates {
                states: all,
                limit: together,
            }),
            false => Ok(()),
        }
    }

    fn contest(&self) -> Result<Contest, Error> {
        let (states, limit) = (self.states(), self.max_states);
        if states > limit as u128 {
            return Err(Error::TooManyStates { states, limit });
        }
        Contest::new(&self.tactics, &self.foe, &self.target, self.hit_points)
    }
}

fn solver_within<'o, N>(solver: Solver<'o, N>, limit: usize) -> Solver<'o, Cyclic<N>>
where
    Cyclic<N>: Number,
{
    solver.allow_cycles().max_states(limit)
}

fn best_of<V: PartialOrd>(
    habits: Vec<Habit>,
    value: impl Fn(&Habit) -> Result<V, Error>,
) -> Result<(Habit, V), Error> {
    let mut best: Option<(Habit, V)> = None;
    for habit in habits {
        let value = value(&habit)?;
        if best.as_ref().is_none_or(|(_, most)| value > *most) {
            best = Some((habit, value));
        }
    }
    best.ok_or(Error::NothingToDecide)
}

impl Combatant {
    /// Creates a duel of this creature with tactics against another. Both have average hit points,
    /// and the other has the turns of a [`duel`](Combatant::duel). Attacks, effects and riders in
    /// this creature's own stat block are not used, since the tactics replace them; its legendary
    /// resistance is.
    ///
    /// # Errors
    /// [`Error::NotInTactics`] if it regenerates or has an action that recharges. The errors of
    /// [`TacticalDuel::new`], such as [`Error::UnfitFoe`] if the other regenerates, or if the
    /// other's first turn may require more saving throws than this creature can turn into successes
    /// (but it can turn some), or saving throws on a hit. The errors of
    /// [`fighter_against`](Combatant::fighter_against) for the other.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints, Smite, Tactics};
    ///
    /// let ogre = Combatant::new("Ogre", 11, HitPoints::rolled("7d10 + 21")?)?
    ///     .attack(Attack::new("Greatclub")?.to_hit(6).damage("2d8 + 4 bludgeoning".parse()?));
    /// let sword = Attack::new("Longsword")?.to_hit(7).damage("1d8 + 4 slashing".parse()?);
    /// let paladin = Combatant::new("Paladin", 18, HitPoints::fixed(44)?)?;
    /// let tactics = Tactics::new()
    ///     .attacks(2, [sword])
    ///     .smite(Smite::new("Divine Smite", 2, "2d8 radiant".parse()?)?);
    /// let duel = paladin.with_tactics(tactics, &ogre)?;
    /// assert_eq!((duel.start().own, duel.start().foe), (44, 59));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_tactics(&self, tactics: Tactics, foe: &Combatant) -> Result<TacticalDuel, Error> {
        self.fit_for_tactics()?;
        let fighter = foe.fighter_against(self)?;
        let (phases, begins) = (fighter.phases().to_vec(), fighter.first_phase().cloned());
        let mut fighter = Fighter::in_phases(foe.hit_points().average()?, phases)?;
        if let Some(phase) = begins {
            fighter = fighter.begins(phase)?;
        }
        let fighter = match foe.regenerates() {
            0 => fighter,
            by => fighter.heals(oddsmith_dice::Dist::certain(by))?,
        };
        let own = self.hit_points().average()?;
        TacticalDuel::new(own, tactics, fighter, foe.target().clone())
    }

    /// Rejects stat blocks with features that would change the numbers and are not taken into
    /// account. Tactics replace attacks and riders, but nothing in them replaces these features.
    fn fit_for_tactics(&self) -> Result<(), Error> {
        let what = match () {
            () if self.regenerates() > 0 => "regenerates",
            () if self.recharge().is_some() => "has an action that recharges",
            () => return Ok(()),
        };
        Err(Error::NotInTactics {
            name: self.name().to_owned(),
            what,
        })
    }
}
