//! A turn against a target with legendary resistance.

use std::collections::BTreeMap;

use oddsmith_dice::Dist;

use super::plan::{Plan, Strike};
use super::{Action, Turn};
use crate::save_effect::joint_fits;
use crate::{Error, Outcome, SaveEffect, Target};

/// The uses of legendary resistance left, and the damage.
type Joint = Dist<(u32, i64)>;

impl Turn {
    /// Returns the joint distribution of the uses of legendary resistance left and the damage of
    /// this turn, to a target that has this many `uses` and turns failed saving throws into
    /// successes as long as it can.
    ///
    /// # Errors
    /// As for [`law`](Turn::law); [`Error::Dice`] if the joint distribution does not fit in memory.
    ///
    /// # Complexity
    /// `uses` + 1 convolutions for each effect of the turn, and the distribution of its attacks. If
    /// hits require saving throws, as many for each attack and each set of riders that can be left
    /// before it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Ability, Attack, SaveEffect, Target, Turn};
    ///
    /// let hold = SaveEffect::new("Blight", Ability::Constitution, 11)?.damage("8 necrotic".parse()?);
    /// let turn = Turn::new().attack(Attack::new("Claw")?.damage("2".parse()?)).effect(hold);
    /// let law = turn.against_legendary_resistance(&Target::new(12), 1)?;
    /// assert_eq!(law.first().p(&0).to_string(), "1/2"); // spent on a failure
    /// assert_eq!(law.second().max(), &6); // half of 8, and 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn against_legendary_resistance(
        &self,
        target: &Target,
        uses: u32,
    ) -> Result<Dist<(u32, i64)>, Error> {
        self.few_enough()?;
        if self.saves_on_hits() {
            return Plan::one_by_one(self)?.resisted(target, uses, self.throws());
        }
        // The attacks are independent of the saving throws, so they have a distribution of their
        // own.
        let (attacks, effects) = self.apart();
        let attacks = attacks.law(target)?;
        saved(attacks.map(|&damage| (uses, damage)), effects, target)
    }
}

impl Plan<'_> {
    /// Computes the rest of the turn from each node on, for all uses that can be left before it,
    /// since both the number of saving throws and the damage depend on the hits.
    fn resisted(&self, target: &Target, uses: u32, throws: u64) -> Result<Joint, Error> {
        // More uses than saving throws make no difference.
        let most = u64::from(uses).min(throws) as u32;
        let mut rests: Vec<Vec<Joint>> = Vec::with_capacity(self.nodes.len());
        let mut held = 0_u128;
        for node in &self.nodes {
            let mut rest = Vec::with_capacity(most as usize + 1);
            for left in 0..=most {
                let then = |law: Joint, next: Option<usize>| match next {
                    Some(next) => followed(law, |left| Ok(rests[next][left as usize].clone())),
                    None => Ok(law),
                };
                let law = match self.action(node.action) {
                    Action::Effect(effect) => {
                        let one = effect.against_legendary_resistance(target, left, 1)?;
                        then(one, node.branches[0].1)?
                    }
                    Action::Attack(_) => {
                        let mut parts = Vec::with_capacity(3);
                        for (strike, next) in node.branches {
                            let law = self.resisted_strike(self.strikes[strike], target, left)?;
                            parts.push(then(law, next)?);
                        }
                        let outcomes = self.outcomes(node.action, target)?;
                        outcomes.and_then(|&outcome| Ok(parts[outcome as usize].clone()))?
                    }
                };
                held = held.saturating_add(law.len() as u128);
                joint_fits(held, 1, law.total().bits().into())?;
                rest.push(law);
            }
            rests.push(rest);
        }
        let whole = rests.pop().and_then(|mut rest| rest.pop());
        let law = whole.unwrap_or_else(|| Dist::certain((most, 0)));
        Ok(law.map(|&(left, damage)| (left + (uses - most), damage)))
    }

    /// Computes one outcome of an attack, and the saving throws that it requires.
    fn resisted_strike(&self, strike: Strike, target: &Target, left: u32) -> Result<Joint, Error> {
        let (blow, saves) = self.before_saves(strike, target)?;
        let law = blow.map(|&damage| (left, damage));
        match strike.outcome {
            Outcome::Miss => Ok(law),
            _ => saved(law, saves, target),
        }
    }
}

/// Computes the saving throws against these effects, one after another.
fn saved<'e>(
    law: Joint,
    effects: impl IntoIterator<Item = &'e SaveEffect>,
    target: &Target,
) -> Result<Joint, Error> {
    effects.into_iter().try_fold(law, |law, effect| {
        followed(law, |left| {
            effect.against_legendary_resistance(target, left, 1)
        })
    })
}

/// Adds the damage of what follows, which depends on the uses that are left.
fn followed(law: Joint, by: impl Fn(u32) -> Result<Joint, Error>) -> Result<Joint, Error> {
    let mut parts = BTreeMap::new();
    for left in law.first().outcomes() {
        parts.insert(*left, by(*left)?);
    }
    let most = parts.values().map(Dist::len).max().unwrap_or(1);
    let bits = u128::from(law.total().bits());
    joint_fits(law.len() as u128, most, bits)?;
    // Sums that do not fit are rejected, so all are formed before any is used.
    let most = parts.values().flat_map(Dist::outcomes);
    let most = most.map(|&(_, damage)| damage).max().unwrap_or(0);
    let so_far = law.outcomes().map(|&(_, so_far)| so_far).max().unwrap_or(0);
    if so_far.checked_add(most).is_none() {
        return Err(Error::Dice(oddsmith_dice::Error::OutcomeTooLarge {
            outcome: i128::from(so_far) + i128::from(most),
        }));
    }
    Ok(law.and_then(|(left, so_far)| {
        let one = &parts[left];
        Ok(one.map(|(left, damage)| (*left, so_far + damage)))
    })?)
}
