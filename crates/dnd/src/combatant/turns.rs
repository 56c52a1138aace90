//! What a creature does in its turns.

use num_rational::BigRational;
use oddsmith_dice::Dist;

use super::Combatant;
use crate::{Attack, Error, Recharge, RechargeTurn, SaveEffect, Turn};

/// What a multiattack can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named<'a> {
    Attack(&'a Attack),
    Effect(&'a SaveEffect),
}

impl<'a> Named<'a> {
    fn name(self) -> &'a str {
        match self {
            Named::Attack(attack) => attack.name(),
            Named::Effect(effect) => effect.name(),
        }
    }
}

impl Combatant {
    /// Returns its ordinary turn: the multiattack, or its first attack once, with its riders; or
    /// its first effect if it has no attack.
    ///
    /// # Errors
    /// [`Error::NoAttacks`] if it has no attack and no effect.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints, Target};
    ///
    /// let bite = Attack::new("Bite")?.damage("6 piercing".parse()?); // hits AC 11 half the time
    /// let wolf = Combatant::new("Wolf", 13, HitPoints::fixed(11)?)?.attack(bite);
    /// assert_eq!(wolf.turn()?.mean(&Target::new(11))?.to_string(), "3");
    /// let frenzied = wolf.multiattack(["Bite", "Bite", "Bite"])?;
    /// assert_eq!(frenzied.turn()?.mean(&Target::new(11))?.to_string(), "9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turn(&self) -> Result<Turn, Error> {
        let mut turn = Turn::new();
        if self.multiattack.is_empty() {
            turn = match (self.attacks.first(), self.effects.first()) {
                (Some(attack), _) => turn.attack(attack.clone()),
                (None, Some(effect)) => turn.effect(effect.clone()),
                (None, None) => {
                    return Err(Error::NoAttacks {
                        name: self.name.clone(),
                    });
                }
            };
        }
        for name in &self.multiattack {
            turn = match self.named_action(name)? {
                Named::Attack(attack) => turn.attack(attack.clone()),
                Named::Effect(effect) => turn.effect(effect.clone()),
            };
        }
        self.check_riders()?;
        for rider in &self.riders {
            turn = turn.rider(rider.clone());
        }
        Ok(turn)
    }

    /// Returns the distribution of the damage of an ordinary turn against another creature.
    ///
    /// # Errors
    /// [`Error::NoAttacks`], and those of [`Turn::law`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints};
    ///
    /// let scimitar = Attack::new("Scimitar")?.to_hit(4).damage("1d6 + 2 slashing".parse()?);
    /// let goblin = Combatant::new("Goblin", 15, HitPoints::fixed(7)?)?.attack(scimitar);
    /// let law = goblin.turn_against(&goblin)?;
    /// assert_eq!(law.p(&0).to_string(), "1/2");
    /// assert_eq!(law.at_least(&7).to_string(), "23/120"); // fells the other: 9/20 · 1/3 + 1/20 · 5/6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turn_against(&self, other: &Combatant) -> Result<Dist<i64>, Error> {
        self.turn()?.law(&other.target)
    }

    /// Returns [`turn_against`](Combatant::turn_against) in floats;
    /// [`relative_error`](Dist::relative_error) bounds the error.
    ///
    /// # Errors
    /// As for [`turn_against`](Combatant::turn_against).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints};
    ///
    /// let wolf = Combatant::new("Wolf", 13, HitPoints::fixed(11)?)?
    ///     .attack(Attack::new("Bite")?.to_hit(4).damage("2d4 + 2 piercing".parse()?));
    /// let law = wolf.turn_against_f64(&wolf)?;
    /// assert_eq!(law.p(&0), 0.4); // 1 to 8
    /// assert!(law.relative_error() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turn_against_f64(&self, other: &Combatant) -> Result<Dist<i64, f64>, Error> {
        self.turn()?.law_f64(&other.target)
    }

    /// Returns the mean damage of an ordinary turn against another creature.
    ///
    /// # Errors
    /// As for [`turn_against`](Combatant::turn_against).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints};
    ///
    /// let wolf = Combatant::new("Wolf", 13, HitPoints::fixed(11)?)?
    ///     .attack(Attack::new("Bite")?.to_hit(4).damage("2d4 + 2 piercing".parse()?));
    /// assert_eq!(wolf.mean_against(&wolf)?.to_string(), "89/20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean_against(&self, other: &Combatant) -> Result<BigRational, Error> {
        self.turn()?.mean(&other.target)
    }

    /// Returns the distribution of the damage of its turn with this number, counted from 1, if it
    /// uses an action that recharges whenever it is available. Turns are independent, and all from
    /// the second on are alike.
    ///
    /// # Errors
    /// As for [`turn_against`](Combatant::turn_against).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints, Recharge};
    ///
    /// let rock = Attack::new("Rock")?.damage("6 bludgeoning".parse()?); // hits AC 11 half the time
    /// let giant = Combatant::new("Giant", 11, HitPoints::fixed(52)?)?
    ///     .recharging(Recharge::on(4)?, rock.into());
    /// assert_eq!(giant.turn_number(1, &giant)?.p(&6).to_string(), "1/2");
    /// assert_eq!(giant.turn_number(2, &giant)?.p(&6).to_string(), "1/4"); // there on 4 to 6
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turn_number(&self, number: u32, other: &Combatant) -> Result<Dist<i64>, Error> {
        match &self.recharge {
            None => self.turn_against(other),
            Some((recharge, with)) => self
                .recharging_turn(*recharge, with)?
                .law(&other.target, number),
        }
    }

    /// Returns [`turn_number`](Combatant::turn_number) in floats;
    /// [`relative_error`](Dist::relative_error) bounds the error.
    ///
    /// # Errors
    /// As for [`turn_against`](Combatant::turn_against).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints, Recharge};
    ///
    /// let rock = Attack::new("Rock")?.to_hit(10).damage("6 bludgeoning".parse()?);
    /// let giant = Combatant::new("Giant", 1, HitPoints::fixed(52)?)?
    ///     .recharging(Recharge::on(6)?, rock.into());
    /// let law = giant.turn_number_f64(2, &giant)?;
    /// assert!((law.p(&6) - 19.0 / 120.0).abs() <= law.relative_error() * law.p(&6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turn_number_f64(&self, number: u32, other: &Combatant) -> Result<Dist<i64, f64>, Error> {
        match &self.recharge {
            None => self.turn_against_f64(other),
            Some((recharge, with)) => self
                .recharging_turn(*recharge, with)?
                .law_f64(&other.target, number),
        }
    }

    /// Returns its turns if it uses its action whenever it is available.
    fn recharging_turn(&self, recharge: Recharge, with: &Turn) -> Result<RechargeTurn, Error> {
        let without = self.turn_or_wait()?;
        Ok(RechargeTurn::new(recharge, with.clone(), without))
    }

    /// Returns its ordinary turn. A creature that has nothing but an action that recharges waits
    /// for it.
    pub(crate) fn turn_or_wait(&self) -> Result<Turn, Error> {
        let idle = self.attacks.is_empty() && self.effects.is_empty();
        match idle && self.recharge.is_some() {
            true => Ok(Turn::new()),
            false => self.turn(),
        }
    }

    /// Returns the attack or effect with this name.
    pub(super) fn named_action(&self, name: &str) -> Result<Named<'_>, Error> {
        let attacks = self.attacks.iter().map(Named::Attack);
        let effects = self.effects.iter().map(Named::Effect);
        let mut named = attacks.chain(effects).filter(|one| one.name() == name);
        let first = named.next().ok_or_else(|| Error::UnknownAttack {
            name: self.name.clone(),
            given: name.to_owned(),
        })?;
        match named.all(|other| other == first) {
            true => Ok(first),
            false => Err(Error::AmbiguousAttack {
                name: self.name.clone(),
                given: name.to_owned(),
            }),
        }
    }
}
