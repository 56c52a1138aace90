//! Duels between creatures with stat blocks.

use std::collections::BTreeMap;

use oddsmith_dice::Dist;

use super::fighter::MOST_PHASES;
use super::{Duel, Fighter, Phase};
use crate::{Combatant, Error, Initiative, RechargeTurn, Target, Turn};

/// The limit on uses of legendary resistance, which is more than anything in the game has.
const MOST_USES: u32 = 255;

impl Combatant {
    /// Returns this creature as a side of a duel against another: its hit points, fixed or rolled,
    /// its regeneration, and what its turns do to the other.
    ///
    /// It uses an action that recharges whenever it can. The other turns failed saving throws into
    /// successes as long as it has [legendary resistance](Combatant::legendary_resistance) left.
    /// The turns of this creature are then in [phases](Fighter::in_phases), by the uses left. If
    /// these can run out in the first turn, the phase of that turn is random, too
    /// ([`Fighter::begins`]).
    ///
    /// # Errors
    /// Those of [`turn_against`](Combatant::turn_against); [`Error::RolledAndHealed`] if it
    /// regenerates and its hit points are rolled; [`Error::TooManyUses`] for more than 255 uses of
    /// legendary resistance, and [`Error::TooManyPhases`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints};
    ///
    /// let wolf = Combatant::new("Wolf", 13, HitPoints::rolled("2d8 + 2")?)?
    ///     .attack(Attack::new("Bite")?.to_hit(4).damage("2d4 + 2 piercing".parse()?));
    /// let fighter = wolf.fighter_against(&wolf)?;
    /// assert_eq!(fighter.roll().map(|law| law.mean().to_string()), Some("11".into()));
    /// assert_eq!(fighter.phases()[0].damage().mean().to_string(), "89/20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fighter_against(&self, other: &Combatant) -> Result<Fighter, Error> {
        let rolled = self.hit_points().law()?;
        let (begins, phases) = self.phases_against(other)?;
        let mut fighter = Fighter::in_phases(*rolled.max(), phases)?.rolled(rolled)?;
        fighter = fighter.begins(begins)?;
        if self.regenerates() > 0 {
            fighter = fighter.heals(Dist::certain(self.regenerates()))?;
        }
        Ok(fighter)
    }

    /// Returns the duel of the two creatures, in which this one acts first. For initiative, see
    /// [`initiative_against`](Combatant::initiative_against).
    ///
    /// # Errors
    /// Those of [`fighter_against`](Combatant::fighter_against), for either creature.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, HitPoints, Winner};
    ///
    /// let slash = Attack::new("Scimitar")?.to_hit(4).damage("1d6 + 2 slashing".parse()?);
    /// let goblin = Combatant::new("Goblin", 15, HitPoints::rolled("2d6")?)?.attack(slash);
    /// let ending = goblin.duel(&goblin)?.ending()?;
    /// assert_eq!(format!("{:.4}", ending.to_f64().chance(Winner::First)), "0.5815");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn duel(&self, other: &Combatant) -> Result<Duel, Error> {
        let duel = Duel::new(self.fighter_against(other)?, other.fighter_against(self)?);
        Ok(duel.names(self.name(), other.name()))
    }

    /// Returns the initiative of the two creatures by their bonuses, for [`Duel::ending_by`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Combatant, HitPoints};
    ///
    /// let cat = Combatant::new("Cat", 12, HitPoints::fixed(2)?)?.initiative(2);
    /// let rat = Combatant::new("Rat", 10, HitPoints::fixed(1)?)?;
    /// assert_eq!(cat.initiative_against(&rat).first()?.to_string(), "247/400");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn initiative_against(&self, other: &Combatant) -> Initiative {
        Initiative::new(self.initiative_bonus(), other.initiative_bonus())
    }

    /// Returns the distribution of the phase of the first turn, and all phases.
    fn phases_against(&self, other: &Combatant) -> Result<(Dist<usize>, Vec<Phase>), Error> {
        let target = other.target();
        let uses = other.legendary_resistances();
        let ordinary = self.turn_or_wait()?;
        let recharge = self.recharge().map(|(chain, turn)| (chain, turn.clone()));
        let throws = recharge.as_ref().map(|(_, turn)| turn.throws());
        let throws = throws.unwrap_or(0).max(ordinary.throws());
        if uses == 0 || throws == 0 {
            let Some((chain, with)) = recharge else {
                let only = Phase::new(ordinary.law(target)?);
                return Ok((Dist::certain(0), vec![only]));
            };
            // Turns are independent, and all from the second on are alike.
            let turn = RechargeTurn::new(chain, with, ordinary);
            let (first, later) = (turn.law(target, 1)?, turn.law(target, 2)?);
            let next = |damage, to| Phase::new(damage).then(Dist::certain(to));
            return Ok((Dist::certain(0), vec![next(first, 1), next(later, 1)]));
        }
        let (ready, first) = match &recharge {
            Some((chain, with)) => (chain.start(false)?, with),
            None => (Dist::certain(true), &ordinary),
        };
        // Each use takes one or several phases.
        if uses > MOST_USES {
            return Err(Error::TooManyUses { given: uses });
        }
        Resisted {
            turns: [first, &ordinary],
            ready,
            target,
            laws: BTreeMap::new(),
        }
        .phases(uses)
    }
}

/// Turns with saving throws against a creature with legendary resistance.
///
/// How many uses a turn takes and how much damage it does depend on each other if the uses can run
/// out in that turn, while the next phase of a fighter may not depend on damage. A phase therefore
/// says how many uses there *will* be after the turn. Given that, what follows does not depend on
/// the damage.
struct Resisted<'a> {
    /// The turn with the action that recharges, and the turn without it.
    turns: [&'a Turn; 2],
    ready: Dist<bool>,
    target: &'a Target,
    /// The uses left and the damage of a turn, by the turn and the number of uses before it.
    laws: BTreeMap<(usize, u32), Dist<(u32, i64)>>,
}

/// Which turn is taken, with how many uses before it and after it.
type Key = (usize, u32, u32);

impl Resisted<'_> {
    /// Returns the distribution for a turn and a number of uses, computing it once.
    fn law(&mut self, turn: usize, uses: u32) -> Result<Dist<(u32, i64)>, Error> {
        if let Some(known) = self.laws.get(&(turn, uses)) {
            return Ok(known.clone());
        }
        let law = self.turns[turn].against_legendary_resistance(self.target, uses)?;
        self.laws.insert((turn, uses), law.clone());
        Ok(law)
    }

    /// Returns the distribution of the next turn's key.
    fn next(&mut self, uses: u32) -> Result<Dist<Key>, Error> {
        let laws = [0, 1].map(|turn| {
            let law = self.law(turn, uses)?;
            Ok::<_, Error>(law.map(|&(left, _)| (turn, uses, left)))
        });
        let [with, without] = laws;
        let (with, without) = (with?, without?);
        Ok(self.ready.and_then(|&ready| match ready {
            true => Ok(with.clone()),
            false => Ok(without.clone()),
        })?)
    }

    fn phases(mut self, uses: u32) -> Result<(Dist<usize>, Vec<Phase>), Error> {
        let mut known: BTreeMap<Key, usize> = BTreeMap::new();
        let mut keys: Vec<Key> = Vec::new();
        let mut phases = Vec::new();
        let opening = self.turns[0];
        // As long as the uses suffice, the damage does not depend on how many are used, unless more
        // saving throws go with more damage. One phase then stands for all of them, and is certain
        // to be the first.
        let whole = opening.throws() <= u64::from(uses) && !opening.saves_on_hits();
        let mut number = |key: Key, keys: &mut Vec<Key>| {
            *known.entry(key).or_insert_with(|| {
                keys.push(key);
                keys.len() - usize::from(!whole)
            })
        };
        let first = self.law(0, uses)?;
        let mut begins = Dist::certain(0);
        if whole {
            let mut nexts = BTreeMap::new();
            for left in first.first().outcomes() {
                nexts.insert(*left, self.next(*left)?);
            }
            let left = first.map(|&(left, _)| left);
            let after = left.and_then(|left| Ok(nexts[left].clone()))?;
            let next = after.map(|&key| number(key, &mut keys));
            phases.push(Phase::new(first.map(|&(_, damage)| damage)).then(next));
        } else {
            begins = first.map(|&(left, _)| number((0, uses, left), &mut keys));
        }
        while let Some(&(turn, before, after)) = keys.get(phases.len() - usize::from(whole)) {
            if keys.len() > MOST_PHASES {
                return Err(Error::TooManyPhases { limit: MOST_PHASES });
            }
            let law = self.law(turn, before)?;
            let damage = law.given(|&(left, _)| left == after)?;
            let next = self.next(after)?.map(|&key| number(key, &mut keys));
            phases.push(Phase::new(damage.map(|&(_, damage)| damage)).then(next));
        }
        Ok((begins, phases))
    }
}
