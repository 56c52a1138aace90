//! The distribution of the damage that a creature takes from one hit.

use oddsmith_dice::Dist;

use super::{Damage, Part};
use crate::{DamageType, Defenses, Error, Outcome};

/// One hit: the damage of an attack, what is added to it this time, and the target's defences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blow<'a> {
    damage: &'a Damage,
    target: &'a Defenses,
    /// Damage added by riders.
    riders: &'a [&'a Damage],
    /// Whether the better of two rolls of the weapon's dice counts.
    savage: bool,
    /// Whether a saving throw halves it.
    halved: bool,
    /// The bonus of a power attack to the weapon's flat damage.
    power: i64,
}

/// The parts of one type; the weapon's is marked.
type Marked<'a> = Vec<(bool, &'a Part)>;

impl<'a> Blow<'a> {
    pub(crate) fn new(damage: &'a Damage, target: &'a Defenses) -> Self {
        Blow {
            damage,
            target,
            riders: &[],
            savage: false,
            halved: false,
            power: 0,
        }
    }

    pub(crate) fn riders(mut self, riders: &'a [&'a Damage], savage: bool) -> Self {
        self.riders = riders;
        self.savage = savage;
        self
    }

    pub(crate) fn halved(mut self) -> Self {
        self.halved = true;
        self
    }

    pub(crate) fn power(mut self, bonus: i64) -> Self {
        self.power = bonus;
        self
    }

    pub(crate) fn law(self, outcome: Outcome) -> Result<Dist<i64>, Error> {
        let outcome = match outcome {
            Outcome::Critical if !self.target.allow_critical_hits() => Outcome::Hit,
            outcome => outcome,
        };
        // Resistance halves the sum of a type, so parts are first added up by type. Riders without
        // a type have that of the weapon.
        let weapon = self.damage.weapon_type();
        let own = self
            .damage
            .parts
            .iter()
            .map(|part| (part.of.as_ref(), part));
        let riders = self.riders.iter().flat_map(|rider| &rider.parts);
        let ridden = riders.map(|part| (part.of.as_ref().or(weapon), part));
        let mut types: Vec<(Option<&DamageType>, Marked<'_>)> = Vec::new();
        for (place, (of, part)) in own.chain(ridden).enumerate() {
            let part = (place == 0, part);
            match types.iter_mut().find(|group| group.0 == of) {
                Some((_, parts)) => parts.push(part),
                None => types.push((of, vec![part])),
            }
        }
        let mut sum: Option<Dist<i64>> = None;
        for (of, parts) in types {
            let law = self.of_type(outcome, of, &parts)?;
            sum = Some(match sum {
                Some(sum) => sum.matfold(&law)?,
                None => law,
            });
        }
        Ok(sum.unwrap_or_else(|| Dist::certain(0)))
    }

    /// Returns the damage taken of one type; the weapon's part is marked.
    fn of_type(
        self,
        outcome: Outcome,
        of: Option<&DamageType>,
        parts: &[(bool, &Part)],
    ) -> Result<Dist<i64>, Error> {
        let taking = self.target.of(of);
        let mut dice: Option<Dist<i64>> = None;
        // Nobody adds enough numbers of 64 bits to overflow 128.
        let mut flat: i128 = 0;
        for &(weapon, part) in parts {
            let rolled = part.rolled(outcome, weapon && self.savage)?;
            dice = Some(match dice {
                Some(dice) => dice.matfold(&rolled)?,
                None => rolled,
            });
            if outcome != Outcome::Miss {
                let power = if weapon { self.power } else { 0 };
                flat = flat.saturating_add(part.flat.saturating_add(power.into()));
            }
        }
        let dice = dice.unwrap_or_else(|| Dist::certain(0));
        let halves = if self.halved { 2 } else { 1 };
        let taken = dice.map(|&rolled| {
            let dealt = flat.saturating_add(rolled.into()).max(0) / halves;
            taking.taken(dealt)
        });
        Ok(taken.narrow()?)
    }
}
