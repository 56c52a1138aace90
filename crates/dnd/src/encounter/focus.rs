//! The choice of targets.

use crate::Error;

/// How a side chooses the target of each attack.
///
/// # Examples
/// Two goblins choose between a wizard and a fighter who stands in front of him:
/// ```
/// use oddsmith_dnd::{Attack, Combatant, Encounter, Focus, HitPoints};
///
/// let slap = Attack::new("Slap")?.damage("1".parse()?);
/// let fighter = Combatant::new("Fighter", 11, HitPoints::fixed(4)?)?.attack(slap.clone());
/// let wizard = Combatant::new("Wizard", 11, HitPoints::fixed(2)?)?.attack(slap.clone());
/// let goblin = Combatant::new("Goblin", 11, HitPoints::fixed(3)?)?.attack(slap);
/// let fight = Encounter::new([fighter, wizard], [goblin.clone(), goblin])?.order([0, 2, 1, 3])?;
///
/// let plain = fight.win()?;
/// let cruel = fight.clone().foes_focus(Focus::Weakest)?.win()?;
/// let wise = fight.clone().foes_focus(Focus::Best)?.win()?;
/// assert!(wise <= cruel && cruel < plain);
/// assert!(fight.party_focus(Focus::Order(vec![2])).is_err()); // there are 0 and 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Focus {
    /// The creature that is listed first.
    #[default]
    FirstListed,
    /// The creature with the fewest hit points; of several the first listed.
    Weakest,
    /// The creature with the most hit points; of several the first listed.
    Strongest,
    /// The first of these that stands, by their places on the other side. Those not named come
    /// last, in the order listed.
    Order(Vec<usize>),
    /// The best target. If both sides choose so, each knows that the other does.
    Best,
}

impl Focus {
    pub(super) fn check(&self, count: usize) -> Result<(), Error> {
        let Focus::Order(order) = self else {
            return Ok(());
        };
        match order.iter().find(|&&place| place >= count) {
            Some(&given) => Err(Error::NoSuchOption {
                what: "creature of the other side",
                given,
                count,
            }),
            None => Ok(()),
        }
    }

    /// Returns which of these creatures, given as places with hit points, it chooses; `None` for
    /// the best.
    pub(super) fn chooses(&self, standing: &[(usize, u32)]) -> Option<usize> {
        let first = standing.first().map(|one| one.0);
        match self {
            Focus::Best => None,
            Focus::FirstListed => first,
            Focus::Weakest => standing.iter().min_by_key(|one| one.1).map(|one| one.0),
            Focus::Strongest => {
                let most = standing.iter().map(|one| one.1).max();
                standing
                    .iter()
                    .find(|one| Some(one.1) == most)
                    .map(|one| one.0)
            }
            Focus::Order(order) => {
                let stands = |place: &&usize| standing.iter().any(|one| one.0 == **place);
                order.iter().find(stands).copied().or(first)
            }
        }
    }
}
