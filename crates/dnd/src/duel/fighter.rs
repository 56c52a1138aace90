//! One side of a duel: its hit points and its turns.

use num_bigint::BigUint;
use oddsmith_dice::{Dist, Weight};

use super::number::Number;
use crate::Error;

/// The limit on the turns, or phases, of one fighter; an iterator of them may be infinite.
pub(super) const MOST_PHASES: usize = 10_000;

/// What a fighter does in one turn, and which turn may come next.
///
/// # Examples
/// A dragon whose breath recharges on a 5 or 6, rolled at the start of a turn:
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Fighter, Phase};
///
/// let recharge = Dist::from_weights([(0, 2), (1, 4)])?; // phase 0 again with 2 in 6
/// let breath = Phase::new(Dist::ndice(6, 6)?).then(recharge.clone());
/// let bite = Phase::new(Dist::die(10)?).then(recharge);
/// let dragon = Fighter::in_phases(75, [breath, bite])?;
/// assert_eq!(dragon.phases().len(), 2);
/// assert_eq!(dragon.phases()[0].next().p(&1).to_string(), "2/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Phase<W: Weight = BigUint> {
    damage: Dist<i64, W>,
    next: Dist<usize, W>,
}

impl<W: Weight> Phase<W> {
    /// Creates a phase from the distribution of the damage of a turn. The next turn is in phase 0,
    /// unless [`then`](Phase::then) is called.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Phase;
    ///
    /// let slam = Phase::new(Dist::die(6)?);
    /// assert_eq!(slam.damage().mean().to_string(), "7/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(damage: Dist<i64, W>) -> Self {
        // A distribution with one outcome, in whichever number type this is.
        let next = damage.map(|_| 0);
        Phase { damage, next }
    }

    /// Sets the distribution of the phase of the next turn, as indices into the list of phases.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Phase;
    ///
    /// let charge = Phase::new(Dist::certain(9)).then(Dist::die(2)?.map(|&face| face as usize));
    /// assert_eq!(charge.next().p(&1).to_string(), "1/2"); // phase 1 or 2 comes next
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn then(mut self, next: Dist<usize, W>) -> Self {
        self.next = next;
        self
    }

    /// Returns the distribution of the damage.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Phase;
    ///
    /// assert_eq!(Phase::new(Dist::ndice(6, 6)?).damage().max(), &36);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn damage(&self) -> &Dist<i64, W> {
        &self.damage
    }

    /// Returns the distribution of the next phase.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Phase;
    ///
    /// let slam = Phase::new(Dist::die(6)?);
    /// assert_eq!(slam.next().support(), [0]); // unless it says otherwise
    /// assert_eq!(slam.then(Dist::certain(3)).next().support(), [3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn next(&self) -> &Dist<usize, W> {
        &self.next
    }

    /// Returns whether the next phase is certain to be this one.
    pub(super) fn leads_only_to(&self, phase: usize) -> bool {
        self.next.support() == [phase]
    }
}

/// One side of a [`Duel`](crate::Duel): its hit points, and the distribution of the damage of its
/// turn against this particular opponent.
///
/// A turn is everything the fighter does before the other acts; the distribution for two attacks is
/// that of their sum. Damage is 0 or more.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Fighter, activate};
///
/// let turn = activate(&Dist::ndice(2, 6)?, 5, 18, 7)?; // 2d6 + 5, +7 against AC 18
/// let fighter = Fighter::new(40, turn)?.temporary(5)?;
/// assert_eq!(fighter.hit_points(), 40);
/// assert_eq!(fighter.standing(), 45);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fighter<W: Weight = BigUint> {
    /// If hit points are rolled, the largest possible number.
    hit_points: i64,
    rolled: Option<Dist<i64, W>>,
    maximum: i64,
    temporary: i64,
    healing: Option<Dist<i64, W>>,
    phases: Vec<Phase<W>>,
    /// The phase of the first turn, if that is not 0.
    begins: Option<Dist<usize, W>>,
}

impl<W: Number> Fighter<W> {
    /// Creates a fighter with this many hit points, all of them left, and the same distribution of
    /// damage in every turn.
    ///
    /// # Errors
    /// [`Error::NoHitPoints`] below 1, [`Error::NegativeDamage`] if damage can be below 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Error, Fighter};
    ///
    /// assert!(Fighter::new(7, Dist::die(4)?).is_ok());
    /// assert_eq!(Fighter::new(0, Dist::die(4)?), Err(Error::NoHitPoints { given: 0 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(hit_points: i64, turn: Dist<i64, W>) -> Result<Self, Error> {
        Fighter::in_phases(hit_points, [Phase::new(turn)])
    }

    /// Creates a fighter with different turns at the beginning: the first turn, the second and so
    /// on. The last turn in the list is repeated forever.
    ///
    /// # Errors
    /// As for [`new`](Fighter::new), [`Error::NoTurns`] for an empty list, and
    /// [`Error::TooManyPhases`] for more than 10,000 turns or an infinite iterator.
    ///
    /// # Examples
    /// A breath weapon in the first turn, claws from then on:
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Fighter;
    ///
    /// let wyrmling = Fighter::opening(22, [Dist::ndice(5, 8)?, Dist::die(10)?])?;
    /// assert_eq!(wyrmling.phases()[1].next().support(), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn opening(
        hit_points: i64,
        turns: impl IntoIterator<Item = Dist<i64, W>>,
    ) -> Result<Self, Error> {
        let turns: Vec<_> = turns.into_iter().take(MOST_PHASES + 1).collect();
        let last = turns.len().saturating_sub(1);
        let phase = |(at, damage): (usize, Dist<i64, W>)| Phase {
            next: damage.map(|_| (at + 1).min(last)),
            damage,
        };
        Fighter::in_phases(hit_points, turns.into_iter().enumerate().map(phase))
    }

    /// Creates a fighter whose turns depend on a phase. The first turn is in phase 0, unless
    /// [`begins`](Fighter::begins) is called, and each phase says which may come next. The next
    /// phase does not depend on the damage.
    ///
    /// # Errors
    /// As for [`opening`](Fighter::opening), and [`Error::NoSuchPhase`] if a phase leads beyond the
    /// list.
    ///
    /// # Examples
    /// A boar charges once, and gores from then on:
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Phase};
    ///
    /// let charge = Phase::new(Dist::certain(9)).then(Dist::certain(1));
    /// let gore = Phase::new(Dist::certain(3)).then(Dist::certain(1));
    /// let boar = Fighter::in_phases(11, [charge, gore])?;
    /// let tree = Fighter::new(15, Dist::certain(0))?; // 9 + 3 + 3
    /// assert_eq!(Duel::new(boar, tree).ending()?.expected_rounds().to_string(), "3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_phases(
        hit_points: i64,
        phases: impl IntoIterator<Item = Phase<W>>,
    ) -> Result<Self, Error> {
        if hit_points < 1 {
            return Err(Error::NoHitPoints { given: hit_points });
        }
        let phases: Vec<_> = phases.into_iter().take(MOST_PHASES + 1).collect();
        if phases.is_empty() {
            return Err(Error::NoTurns);
        }
        if phases.len() > MOST_PHASES {
            return Err(Error::TooManyPhases { limit: MOST_PHASES });
        }
        for phase in &phases {
            nonnegative(&phase.damage)?;
            if *phase.next.max() >= phases.len() {
                return Err(Error::NoSuchPhase {
                    given: *phase.next.max(),
                    phases: phases.len(),
                });
            }
        }
        Ok(Fighter {
            hit_points,
            rolled: None,
            maximum: hit_points,
            temporary: 0,
            healing: None,
            phases,
            begins: None,
        })
    }

    /// Sets the distribution of the phase of the first turn, which is otherwise 0.
    ///
    /// # Errors
    /// [`Error::NoSuchPhase`] for a phase that the fighter does not have.
    ///
    /// # Examples
    /// A trap that is sprung at once half the time, or a turn later:
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Phase};
    ///
    /// let ticks = Phase::new(Dist::certain(0)).then(Dist::certain(1));
    /// let springs = Phase::new(Dist::certain(9)).then(Dist::certain(1));
    /// let trap = Fighter::in_phases(1, [ticks, springs])?.begins(Dist::uniform([0, 1])?)?;
    /// let mouse = Fighter::new(3, Dist::certain(0))?;
    /// assert_eq!(Duel::new(trap.clone(), mouse).ending()?.expected_rounds().to_string(), "3/2");
    /// assert!(trap.begins(Dist::certain(2)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begins(mut self, phase: Dist<usize, W>) -> Result<Self, Error> {
        let (given, phases) = (*phase.max(), self.phases.len());
        if given >= phases {
            return Err(Error::NoSuchPhase { given, phases });
        }
        self.begins = (given > 0).then_some(phase);
        Ok(self)
    }

    /// Sets a distribution from which the hit points are rolled; nobody knows the result.
    /// [`hit_points`](Fighter::hit_points) are then the largest possible number, and the maximum.
    ///
    /// # Errors
    /// [`Error::NoHitPoints`] if there can be fewer than 1, [`Error::TemporaryHitPoints`] if they
    /// overflow together with temporary ones, and [`Error::RolledAndHealed`] if the fighter heals,
    /// since the maximum up to which it heals would be different every time.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let cat = Fighter::new(1, Dist::bernoulli("1/2")?.map(|&hit| i64::from(hit)))?;
    /// let rolled = cat.clone().rolled(Dist::die(4)?)?;
    /// assert_eq!(rolled.hit_points(), 4);
    /// let ending = Duel::new(cat, rolled).ending()?; // 1 of 1 to 4, half the time
    /// assert_eq!(ending.chance(Winner::First).to_string(), "20/81"); // (2/3 + 2/9 + ⋯)/4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rolled(mut self, hit_points: Dist<i64, W>) -> Result<Self, Error> {
        let (least, most) = (*hit_points.min(), *hit_points.max());
        if least < 1 {
            return Err(Error::NoHitPoints { given: least });
        }
        self.hit_points = most;
        self.maximum = most;
        self.rolled = (least < most).then_some(hit_points);
        self.check()
    }

    /// Adds temporary hit points, which are lost first and never healed.
    ///
    /// # Errors
    /// [`Error::TemporaryHitPoints`] if there are fewer than 0, or more than fit 64 bits together
    /// with the maximum of the others; [`Error::TemporaryBelowMaximum`] if healing starts below the
    /// maximum.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Fighter;
    ///
    /// let warlock = Fighter::new(7, Dist::die(10)?)?.temporary(8)?;
    /// assert_eq!((warlock.hit_points(), warlock.standing()), (7, 15));
    /// assert!(warlock.temporary(-1).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn temporary(mut self, hit_points: i64) -> Result<Self, Error> {
        self.temporary = hit_points;
        self.check()
    }

    /// Sets the maximum up to which a wounded fighter can be healed.
    ///
    /// # Errors
    /// [`Error::BelowHitPoints`] if the maximum is below the hit points;
    /// [`Error::TemporaryHitPoints`] if it overflows together with temporary ones;
    /// [`Error::TemporaryBelowMaximum`] if it is above the hit points and there are both temporary
    /// hit points and healing.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Fighter;
    ///
    /// let troll = Fighter::new(20, Dist::die(12)?)?.maximum(84)?.heals(Dist::certain(10))?;
    /// assert_eq!(troll.hit_points(), 20);
    /// assert!(Fighter::new(20, Dist::die(12)?)?.maximum(19).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn maximum(mut self, maximum: i64) -> Result<Self, Error> {
        self.maximum = maximum;
        self.check()
    }

    /// Sets the healing at the start of each of its turns. For regeneration it is a constant. Hit
    /// points do not rise above their maximum; temporary ones are not affected.
    ///
    /// # Errors
    /// [`Error::NegativeHealing`] if healing can be negative; [`Error::RolledAndHealed`] if hit
    /// points are rolled; [`Error::TemporaryBelowMaximum`] if hit points are below the maximum and
    /// there are temporary ones.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let blow = Dist::from_weights([(0, 1), (3, 1)])?;
    /// let imp = Fighter::new(6, blow.clone())?;
    /// let plain = Duel::new(imp.clone(), imp.clone()).ending()?;
    /// assert_eq!(plain.chance(Winner::Second).to_string(), "11/27");
    /// let healed = imp.clone().heals(Dist::certain(1))?;
    /// let duel = Duel::new(imp, healed).ending()?;
    /// assert_eq!(duel.chance(Winner::Second).to_string(), "6185/8281");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heals(mut self, healing: Dist<i64, W>) -> Result<Self, Error> {
        if *healing.min() < 0 {
            return Err(Error::NegativeHealing {
                outcome: *healing.min(),
            });
        }
        self.healing = (*healing.max() > 0).then_some(healing);
        self.check()
    }

    /// Checks hit points, their maximum, temporary ones and healing against each other, so that
    /// they can be set in any order.
    fn check(self) -> Result<Self, Error> {
        let (hit_points, maximum) = (self.hit_points, self.maximum);
        if maximum < hit_points {
            return Err(Error::BelowHitPoints {
                hit_points,
                maximum,
            });
        }
        if self.temporary < 0 || maximum.checked_add(self.temporary).is_none() {
            return Err(Error::TemporaryHitPoints {
                given: self.temporary,
            });
        }
        if self.healing.is_none() {
            return Ok(self);
        }
        if let Some(rolled) = &self.rolled {
            return Err(Error::RolledAndHealed {
                least: *rolled.min(),
                most: *rolled.max(),
            });
        }
        // Hit points and temporary ones are followed as one number. This is correct as long as
        // healing starts where the temporary ones end.
        if self.temporary > 0 && maximum > hit_points {
            return Err(Error::TemporaryBelowMaximum {
                hit_points,
                maximum,
            });
        }
        Ok(self)
    }

    /// Returns the hit points at the start, without temporary ones.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Fighter;
    ///
    /// let goblin = Fighter::new(7, Dist::die(6)?)?;
    /// assert_eq!(goblin.clone().temporary(5)?.hit_points(), 7);
    /// assert_eq!(goblin.rolled(Dist::ndice(2, 6)?)?.hit_points(), 12); // the most there can be
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hit_points(&self) -> i64 {
        self.hit_points
    }

    /// Returns the damage that fells it: hit points and temporary hit points together.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Fighter;
    ///
    /// let goblin = Fighter::new(7, Dist::die(6)?)?;
    /// assert_eq!(goblin.standing(), 7);
    /// assert_eq!(goblin.temporary(5)?.standing(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standing(&self) -> i64 {
        self.hit_points + self.temporary
    }

    /// Returns the phases of its turns.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Fighter;
    ///
    /// let drake = Fighter::opening(22, [Dist::ndice(3, 6)?, Dist::die(10)?])?;
    /// let most: Vec<i64> = drake.phases().iter().map(|phase| *phase.damage().max()).collect();
    /// assert_eq!(most, [18, 10]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn phases(&self) -> &[Phase<W>] {
        &self.phases
    }

    pub(crate) fn healing(&self) -> Option<&Dist<i64, W>> {
        self.healing.as_ref()
    }

    /// Returns the distribution of the hit points, if they are rolled.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Fighter;
    ///
    /// let rat = Fighter::new(1, Dist::die(4)?)?;
    /// assert_eq!(rat.roll(), None);
    /// assert_eq!(rat.rolled(Dist::die(4)?)?.roll(), Some(&Dist::die(4)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn roll(&self) -> Option<&Dist<i64, W>> {
        self.rolled.as_ref()
    }

    /// Returns the distribution of the phase of its first turn, if that is not certain to be 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Fighter;
    ///
    /// let drake = Fighter::opening(22, [Dist::ndice(3, 6)?, Dist::die(10)?])?;
    /// assert_eq!(drake.first_phase(), None);
    /// let late = drake.begins(Dist::certain(1))?;
    /// assert_eq!(late.first_phase().map(|law| *law.max()), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first_phase(&self) -> Option<&Dist<usize, W>> {
        self.begins.as_ref()
    }

    /// Returns the distribution of the phase of its first turn.
    pub(super) fn first_phase_law(&self) -> Dist<usize, W> {
        match &self.begins {
            Some(law) => law.clone(),
            None => self.phases[0].next.map(|_| 0),
        }
    }

    /// Rejects fighters against whom decisions are not supported.
    pub(crate) fn fit_for_decisions(&self) -> Result<(), Error> {
        let reason = match () {
            () if self.rolled.is_some() => "this one rolls its hit points",
            () if self.healing.is_some() => "this one heals",
            () if self.begins.is_some() => "this one may start in another phase",
            () => return Ok(()),
        };
        Err(Error::UnfitFoe { reason })
    }

    /// Returns the weights of the total hit points at the start, from 0 to the maximum, and their
    /// sum.
    pub(super) fn start(&self) -> (Vec<W>, W) {
        let mut start = vec![W::nothing(); self.ceiling() as usize + 1];
        let Some(rolled) = &self.rolled else {
            start[self.standing() as usize] = W::unit();
            return (start, W::unit());
        };
        let (pairs, total) = W::over_total(rolled);
        for (points, weight) in pairs {
            start[(points + self.temporary) as usize] = weight;
        }
        (start, total)
    }

    /// Returns the distribution of the total hit points at the start.
    pub(super) fn standing_law(&self) -> Dist<i64, W> {
        match &self.rolled {
            Some(rolled) => rolled.map(|points| points + self.temporary),
            None => self.phases[0].damage.map(|_| self.standing()),
        }
    }

    /// Returns the temporary hit points, and the maximum up to which it heals.
    #[cfg(feature = "serde")]
    pub(crate) fn bounds(&self) -> (i64, i64) {
        (self.temporary, self.maximum)
    }

    /// Returns the largest number of hit points it can ever have.
    pub(super) fn ceiling(&self) -> i64 {
        match self.healing {
            Some(_) => self.standing().max(self.maximum),
            None => self.standing(),
        }
    }

    /// Returns the hit points after healing.
    pub(super) fn healed(&self, left: i64, by: i64) -> i64 {
        left.max(left.saturating_add(by).min(self.maximum))
    }

    /// Returns whether the turns come in order and the last one is repeated.
    pub(super) fn in_order(&self) -> bool {
        let last = self.phases.len() - 1;
        let mut phases = self.phases.iter().enumerate();
        self.begins.is_none() && phases.all(|(at, phase)| phase.leads_only_to((at + 1).min(last)))
    }
}

impl Fighter {
    /// Returns the same fighter in floats.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::Fighter;
    ///
    /// let fighter = Fighter::new(7, Dist::die(4)?)?.to_f64();
    /// assert_eq!(fighter.phases()[0].damage().p(&3), 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> Fighter<f64> {
        let phase = |phase: &Phase| Phase {
            damage: phase.damage.to_f64(),
            next: phase.next.to_f64(),
        };
        Fighter {
            hit_points: self.hit_points,
            rolled: self.rolled.as_ref().map(Dist::to_f64),
            maximum: self.maximum,
            temporary: self.temporary,
            healing: self.healing.as_ref().map(Dist::to_f64),
            phases: self.phases.iter().map(phase).collect(),
            begins: self.begins.as_ref().map(Dist::to_f64),
        }
    }
}

fn nonnegative<W: Weight>(damage: &Dist<i64, W>) -> Result<(), Error> {
    match *damage.min() {
        0.. => Ok(()),
        outcome => Err(Error::NegativeDamage { outcome }),
    }
}
