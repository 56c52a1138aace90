//! One part of the damage of an attack: its dice, its type, its rules.

use oddsmith_dice::Dist;

use crate::weapon_dice::WeaponDice;
use crate::{CriticalRule, DamageType, Error, GreatWeaponFighting, Outcome};

/// Every part has its own rules, so parts can be combined without loss.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) of: Option<DamageType>,
    pub(crate) dice: WeaponDice,
    /// The sum of 64-bit numbers that are given one after another.
    pub(crate) flat: i128,
    pub(crate) undoubled: Option<Dist<i64>>,
    pub(crate) on_critical: Option<Dist<i64>>,
    pub(crate) brutal: u64,
    pub(crate) critical: CriticalRule,
    pub(crate) style: Option<GreatWeaponFighting>,
    pub(crate) on_miss: Option<Dist<i64>>,
    /// Damage on a miss in addition to other; at least 0.
    pub(crate) graze: i64,
}

impl Part {
    /// Returns the dice rolled after this outcome, without the flat damage. `savage` keeps the
    /// better of two rolls of the weapon's dice.
    pub(super) fn rolled(&self, outcome: Outcome, savage: bool) -> Result<Dist<i64>, Error> {
        let mut weapon = match outcome {
            Outcome::Miss => {
                let grazed = Dist::certain(self.graze);
                return Ok(match &self.on_miss {
                    Some(rolled) => rolled.matfold(&grazed)?,
                    None => grazed,
                });
            }
            Outcome::Hit => self.dice.law(1, self.style)?,
            Outcome::Critical => self.dice.critical(self.critical, self.style)?,
        };
        let critical = outcome == Outcome::Critical && self.critical != CriticalRule::Normal;
        if critical && self.brutal > 0 {
            let more = self.dice.more(self.brutal, self.style)?;
            weapon = weapon.matfold(&more)?;
        }
        if savage {
            weapon = weapon.maximum(&weapon);
        }
        let on_critical = self.on_critical.as_ref().filter(|_| critical);
        for dice in self.undoubled.iter().chain(on_critical) {
            weapon = weapon.matfold(dice)?;
        }
        Ok(weapon)
    }
}
