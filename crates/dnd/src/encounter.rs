//! Fights of more than two: a party against its foes.

mod bounds;
mod focus;
mod melee;
mod order;
mod supported;

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_dice::Dist;
use oddsmith_mdp::{Cyclic, Exact, Float, Solution, Solver};

pub use focus::Focus;
use melee::{Attacked, Melee};
use supported::{MOST_CREATURES, MOST_ROLLED, crowded, plain_turn, rolled};

use crate::listed::listed;
use crate::turn::Leg;
use crate::{Combatant, Error};

/// The default of [`Encounter::max_states`].
const MAX_STATES: usize = 2_000_000;
/// The limit for all fights together, in multiples of that for one. Four creatures have 24 orders
/// of initiative, so what can be solved in one order can be solved in all. For more creatures, or
/// several orders of killing, only smaller fights can: the time is that of all fights together.
const TOGETHER: usize = 32;

/// A fight of a party against foes, attack by attack, until one side has fallen.
///
/// Creatures act in the order of initiative and have average hit points. Each attack of a turn
/// targets a standing creature of the other side; if one falls, the next attack targets another.
/// The [`Focus`] of the side chooses the target. An [effect](Combatant::effect) hits one creature,
/// as an attack does, whatever its area. Creatures are numbered in the order given, the party
/// first.
///
/// For one creature on each side, use a [`Duel`](crate::Duel), which is far faster.
///
/// # Examples
/// A fighter meets two goblins:
/// ```
/// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
///
/// let sword = Attack::new("Longsword")?.to_hit(5).damage("1d8 + 3 slashing".parse()?);
/// let fighter = Combatant::new("Fighter", 16, HitPoints::fixed(12)?)?.attack(sword).initiative(1);
/// let scimitar = Attack::new("Scimitar")?.to_hit(4).damage("1d6 + 2 slashing".parse()?);
/// let goblin = Combatant::new("Goblin", 15, HitPoints::fixed(7)?)?.attack(scimitar).initiative(2);
///
/// let encounter = Encounter::new([fighter], [goblin.clone(), goblin])?;
/// assert_eq!(encounter.states(), 13 * 8 * 8 * 3);
/// assert_eq!(format!("{:.4}", encounter.win_f64()?), "0.3871");
/// let first = encounter.order([0, 1, 2])?;
/// assert_eq!(format!("{:.4}", first.win_f64()?), "0.5013");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Encounter {
    creatures: Vec<Creature>,
    /// How many of the creatures are the party.
    party: usize,
    /// The focus of the party and of the foes.
    focus: [Focus; 2],
    /// `None` if initiative is rolled.
    order: Option<Vec<usize>>,
    max_states: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct Creature {
    name: String,
    hit_points: i64,
    initiative: i64,
    /// Its attacks on each creature, the first attack last; empty for its own side.
    legs: Vec<Vec<Leg>>,
}

impl Encounter {
    /// Creates an encounter of the party and the foes. By default everybody attacks the creature
    /// listed first, and initiative is rolled.
    ///
    /// # Errors
    /// [`Error::EmptySide`]; [`Error::TooManyCreatures`] for more than 8 in all;
    /// [`Error::NotInEncounter`] for creatures that regenerate, recharge or have legendary
    /// resistance; those of [`Combatant::turn_against`], also for all attacks together.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, Error, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(1)?)?.attack(slap);
    /// let outnumbered = Encounter::new([imp.clone()], [imp.clone(), imp.clone()])?;
    /// assert_eq!(outnumbered.win()?.to_string(), "1/9"); // a third each of 4/21, 2/21 and 1/21
    /// assert_eq!(Encounter::new([imp], []), Err(Error::EmptySide));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        party: impl IntoIterator<Item = Combatant>,
        foes: impl IntoIterator<Item = Combatant>,
    ) -> Result<Self, Error> {
        let (mut all, of_party) = listed(party, MOST_CREATURES);
        let (foes, of_foes) = listed(foes, MOST_CREATURES);
        if of_party == 0 || of_foes == 0 {
            return Err(Error::EmptySide);
        }
        crowded(of_party.saturating_add(of_foes), MOST_CREATURES)?;
        let party = all.len();
        all.extend(foes);
        // What all creatures may do to all others is kept together.
        let mut used = 0;
        let mut creature = |(at, one): (usize, &Combatant)| {
            let turn = plain_turn(one)?;
            let legs =
                all.iter()
                    .enumerate()
                    .map(|(to, other)| match (at < party) == (to < party) {
                        true => Ok(Vec::new()),
                        false => turn.legs(other.target(), &mut used),
                    });
            Ok(Creature {
                name: one.name().to_owned(),
                hit_points: one.hit_points().average()?,
                initiative: one.initiative_bonus(),
                legs: legs.collect::<Result<_, Error>>()?,
            })
        };
        let creatures = all.iter().enumerate().map(&mut creature);
        Ok(Encounter {
            creatures: creatures.collect::<Result<_, Error>>()?,
            party,
            focus: [Focus::FirstListed, Focus::FirstListed],
            order: None,
            max_states: MAX_STATES,
        })
    }

    /// Sets how the party chooses targets. Places in a [`Focus::Order`] count only the foes,
    /// from 0.
    ///
    /// # Errors
    /// [`Error::NoSuchOption`] for a place that no foe has.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, Focus, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(2)?)?.attack(slap);
    /// let fight = Encounter::new([imp.clone()], [imp.clone(), imp])?.order([0, 1, 2])?;
    /// assert_eq!(fight.target(0, &[2, 2, 2])?, Some(1)); // the first foe
    /// let fight = fight.party_focus(Focus::Order(vec![1]))?; // place 1 of the foes
    /// assert_eq!(fight.target(0, &[2, 2, 2])?, Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn party_focus(mut self, focus: Focus) -> Result<Self, Error> {
        focus.check(self.creatures.len() - self.party)?;
        self.focus[0] = focus;
        Ok(self)
    }

    /// Sets how the foes choose targets.
    ///
    /// # Errors
    /// As for [`party_focus`](Encounter::party_focus).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, Focus, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(4)?)?.attack(slap);
    /// let fight = Encounter::new([imp.clone(), imp.clone()], [imp])?.order([0, 1, 2])?;
    /// assert_eq!(fight.target(2, &[4, 1, 4])?, Some(0)); // the first of the party
    /// let cruel = fight.foes_focus(Focus::Weakest)?;
    /// assert_eq!(cruel.target(2, &[4, 1, 4])?, Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn foes_focus(mut self, focus: Focus) -> Result<Self, Error> {
        focus.check(self.party)?;
        self.focus[1] = focus;
        Ok(self)
    }

    /// Sets the order of initiative: the numbers of all creatures in the order in which they act.
    ///
    /// # Errors
    /// [`Error::BadOrder`] unless each number occurs once.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?); // hits AC 11 half the time
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(1)?)?.attack(slap);
    /// let fight = Encounter::new([imp.clone()], [imp])?;
    /// assert_eq!(fight.clone().order([1, 0])?.win()?.to_string(), "1/3"); // 1/4 + 1/16 + ⋯
    /// assert!(fight.order([0, 0]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn order(mut self, order: impl IntoIterator<Item = usize>) -> Result<Self, Error> {
        let count = self.creatures.len();
        let order: Vec<usize> = order.into_iter().take(count + 1).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..count) {
            return Err(Error::BadOrder {
                given: order,
                count,
            });
        }
        self.order = Some(order);
        Ok(self)
    }

    /// Limits the states of one fight, as [`states`](Encounter::states) counts them. The default is
    /// two million. In a given order, two fighters with 24 hit points fit against three goblins with 7
    /// if they attack once a turn, but not if they attack twice. If initiative is rolled, and for
    /// [`kill_orders`](Encounter::kill_orders), all fights together may have 32 times as many.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, Error, HitPoints};
    ///
    /// let club = Attack::new("Club")?.to_hit(2).damage("1d4 bludgeoning".parse()?);
    /// let ogre = Combatant::new("Ogre", 11, HitPoints::fixed(59)?)?.attack(club);
    /// let war = Encounter::new(vec![ogre.clone(); 3], vec![ogre; 3])?;
    /// assert_eq!(war.states(), 60_u128.pow(6) * 6);
    /// assert!(matches!(war.win(), Err(Error::TooManyStates { states: 279_936_000_000, .. })));
    ///
    /// let sword = Attack::new("Sword")?.to_hit(5).damage("1d8+3 slashing".parse()?);
    /// let fighter = Combatant::new("Fighter", 16, HitPoints::fixed(24)?)?.attack(sword);
    /// let knife = Attack::new("Knife")?.to_hit(4).damage("1d6+2 slashing".parse()?);
    /// let goblin = Combatant::new("Goblin", 15, HitPoints::fixed(7)?)?.attack(knife);
    /// let once = Encounter::new(vec![fighter.clone(); 2], vec![goblin.clone(); 3])?;
    /// assert_eq!(once.states(), 1_600_000); // 25² · 8³ hit points, 5 attacks
    /// let twice = vec![fighter.multiattack(["Sword", "Sword"])?; 2];
    /// let twice = Encounter::new(twice, vec![goblin; 3])?.order([0, 1, 2, 3, 4])?;
    /// assert!(matches!(twice.win_f64(), Err(Error::TooManyStates { states: 2_240_000, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_states(mut self, limit: usize) -> Self {
        self.max_states = limit;
        self
    }

    /// Returns an upper bound on the states of a fight: all hit points, times all attacks.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(3)?)?.attack(slap);
    /// let hero = imp.clone().multiattack(["Slap", "Slap"])?;
    /// let fight = Encounter::new([hero], [imp.clone(), imp])?;
    /// assert_eq!(fight.states(), 256); // 4 · 4 · 4 hit points, 2 + 1 + 1 attacks
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn states(&self) -> u128 {
        let points = self.creatures.iter().map(|one| one.hit_points);
        let points = points.map(|points| u128::from(points.unsigned_abs()) + 1);
        let attacks = self.creatures.iter().map(|one| {
            let legs = one.legs.iter().map(Vec::len).max();
            legs.unwrap_or(0) as u128
        });
        let attacks = attacks.sum::<u128>();
        points.fold(attacks, u128::saturating_mul)
    }

    /// Returns the chance that the party wins, as a fraction.
    ///
    /// # Errors
    /// [`Error::TooManyStates`], before any work; [`Error::TooManyToRoll`] for more than 6
    /// creatures that roll initiative; [`Error::Solve`] if it may come to that nobody can hurt anybody.
    ///
    /// # Complexity
    /// The outcomes of all states of a fight, for each order of initiative.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// // Even odds to hit for 1, and 1 hit point each.
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(1)?)?.attack(slap);
    /// let fair = Encounter::new([imp.clone()], [imp.clone()])?;
    /// assert_eq!(fair.win()?.to_string(), "1/2");
    /// assert_eq!(fair.order([0, 1])?.win()?.to_string(), "2/3");
    /// let outnumbered = Encounter::new([imp.clone()], [imp.clone(), imp])?;
    /// assert_eq!(outnumbered.order([0, 1, 2])?.win()?.to_string(), "4/21");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "victory")]
    pub fn win(&self) -> Result<BigRational, Error> {
        self.fits(1)?;
        let mut sum = BigRational::default();
        for (chance, order) in self.orders()? {
            let melee = self.melee(&order)?;
            sum += chance * self.exact(&melee)?.value();
        }
        Ok(sum)
    }

    /// Returns [`win`](Encounter::win) as a float. It and the exact chance both lie between
    /// [`win_bounds`](Encounter::win_bounds), which are usually a few roundings apart for each
    /// attack of a fight.
    ///
    /// # Errors
    /// As for [`win`](Encounter::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(2)?)?.attack(slap);
    /// let fight = Encounter::new([imp.clone()], [imp])?;
    /// assert!((fight.win_f64()? - 0.5).abs() < 1e-15);
    /// assert!((fight.order([0, 1])?.win_f64()? - 16.0 / 27.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self) -> Result<f64, Error> {
        self.fits(1)?;
        let mut sum = 0.0;
        for (chance, order) in self.orders()? {
            let melee = self.melee(&order)?;
            sum += chance.to_f64().unwrap_or(0.0) * self.float(&melee)?.value();
        }
        // Chances that sum to 1 may be rounded to more.
        Ok(sum.min(1.0))
    }

    /// Returns the joint distribution of the hit points of all creatures at the end.
    ///
    /// # Errors
    /// As for [`win`](Encounter::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(1)?)?.attack(slap);
    /// let fight = Encounter::new([imp.clone()], [imp.clone(), imp])?.order([0, 1, 2])?;
    /// let left = fight.hit_points_left()?;
    /// assert_eq!(left.p(&vec![1, 0, 0]), fight.win()?);
    /// assert_eq!(left.p(&vec![0, 1, 1]).to_string(), "3/7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hit_points_left(&self) -> Result<Dist<Vec<i64>>, Error> {
        self.fits(1)?;
        let mut parts = Vec::new();
        for (chance, order) in self.orders()? {
            let melee = self.melee(&order)?;
            let solution = self.exact(&melee)?;
            let ends = solution.visits()?.ends_by(|end| melee.points(end))?;
            parts.push((chance, ends));
        }
        Ok(Dist::mixture(parts)?)
    }

    /// Returns the same in floats, and a bound on the relative error of each chance. Chances below
    /// 10⁻²⁹⁰ are not covered; those below the range of floats are left out.
    ///
    /// With [`Focus::Best`], roundings may decide between equally good targets; the distribution is
    /// that of the targets chosen.
    ///
    /// # Errors
    /// As for [`win`](Encounter::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(1)?)?.attack(slap);
    /// let fight = Encounter::new([imp.clone()], [imp.clone(), imp])?.order([0, 1, 2])?;
    /// let (left, error) = fight.hit_points_left_f64()?;
    /// assert!((left.p(&vec![0, 1, 1]) - 3.0 / 7.0).abs() < 1e-15);
    /// assert!(error < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hit_points_left_f64(&self) -> Result<(Dist<Vec<i64>, f64>, f64), Error> {
        self.fits(1)?;
        let orders = match &self.order {
            Some(order) => Dist::certain(order.clone()),
            None => self.initiative()?,
        };
        let (orders, mut parts, mut error) = (orders.to_f64(), BTreeMap::new(), 0.0_f64);
        for order in orders.outcomes() {
            let melee = self.melee(order)?;
            let solution = self.float(&melee)?;
            let visits = solution.visits()?;
            error = error.max(visits.relative_error());
            parts.insert(order, visits.ends_by(|end| melee.points(end))?);
        }
        let left = orders.and_then(|order| Ok(parts[order].clone()))?;
        // The distribution counts how its parts were put together, and not their earlier errors:
        // one of each weight, and one of their sum, by which it was divided.
        let behind = 2.0 * error * (1.0 + 2.0 * error);
        // Factors multiply: (1 + b)(1 + r) − 1 is less than this.
        let error = (behind + left.relative_error()) * (1.0 + behind);
        Ok((left, error))
    }

    /// Returns the party's chance with each order of killing the foes, the best order first.
    ///
    /// # Errors
    /// As for [`win`](Encounter::win), and [`Error::TooManyCreatures`] for more
    /// than 6 foes.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let hero = Combatant::new("Hero", 11, HitPoints::fixed(3)?)?.attack(slap.clone());
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(1)?)?.attack(slap.clone());
    /// let brute = Combatant::new("Brute", 11, HitPoints::fixed(2)?)?.attack(slap);
    /// let fight = Encounter::new([hero], [brute, imp])?.order([0, 1, 2])?;
    /// let orders = fight.kill_orders()?;
    /// assert_eq!(orders[0].0, [1, 0]); // the one who falls sooner does not hit back
    /// assert!(orders[0].1 > orders[1].1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kill_orders(&self) -> Result<Vec<(Vec<usize>, BigRational)>, Error> {
        let mut orders = self.by_kill_order(Encounter::win)?;
        orders.sort_by(|a, b| b.1.cmp(&a.1));
        Ok(orders)
    }

    /// Returns [`kill_orders`](Encounter::kill_orders) in floats. Orders whose chances differ only
    /// by rounding may change places. Each chance is the [`win_f64`](Encounter::win_f64) of the
    /// party with [that order](Focus::Order), and the same [`win_bounds`](Encounter::win_bounds)
    /// apply.
    ///
    /// # Errors
    /// As for [`kill_orders`](Encounter::kill_orders).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let hero = Combatant::new("Hero", 11, HitPoints::fixed(3)?)?.attack(slap.clone());
    /// let imp = Combatant::new("Imp", 11, HitPoints::fixed(1)?)?.attack(slap.clone());
    /// let brute = Combatant::new("Brute", 11, HitPoints::fixed(2)?)?.attack(slap);
    /// let fight = Encounter::new([hero], [brute, imp])?.order([0, 1, 2])?;
    /// let orders = fight.kill_orders_f64()?;
    /// assert_eq!(orders[0].0, [1, 0]);
    /// assert!(orders[0].1 > orders[1].1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kill_orders_f64(&self) -> Result<Vec<(Vec<usize>, f64)>, Error> {
        let mut orders = self.by_kill_order(Encounter::win_f64)?;
        orders.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(orders)
    }

    /// Returns the chance with each order of killing, in the order of their numbers.
    fn by_kill_order<V>(
        &self,
        victory: impl Fn(&Encounter) -> Result<V, Error>,
    ) -> Result<Vec<(Vec<usize>, V)>, Error> {
        let foes = self.creatures.len() - self.party;
        crowded(foes, MOST_ROLLED)?;
        self.fits((1..=foes as u128).product())?;
        let orders = order::permutations(&(0..foes).collect::<Vec<_>>());
        let fights = orders.into_iter().map(|order| {
            let fight = self.clone().party_focus(Focus::Order(order.clone()))?;
            Ok((order, victory(&fight)?))
        });
        fights.collect()
    }

    /// Returns the target of a creature's first attack in its turn, given the hit points of all and
    /// the order of initiative that was set: the best target if the focus of its side is
    /// [`Focus::Best`], otherwise the one it selects. `None` if the creature is down or the fight
    /// is over.
    ///
    /// # Errors
    /// As for [`win`](Encounter::win); [`Error::OrderNeeded`] if initiative is rolled;
    /// [`Error::NoSuchOption`] if there is no such creature; [`Error::BadHitPoints`] unless each
    /// number is from 0 to the creature's hit points; [`Error::Solve`] for hit points that cannot
    /// occur at that moment.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, Focus, HitPoints};
    ///
    /// let slap = Attack::new("Slap")?.damage("1".parse()?);
    /// let hero = Combatant::new("Hero", 11, HitPoints::fixed(3)?)?.attack(slap.clone());
    /// let brute = Combatant::new("Brute", 11, HitPoints::fixed(2)?)?.attack(slap);
    /// let fight = Encounter::new([hero], [brute.clone(), brute])?
    ///     .order([0, 1, 2])?
    ///     .party_focus(Focus::Best)?;
    /// assert_eq!(fight.target(0, &[3, 2, 1])?, Some(2)); // the wounded one
    /// assert_eq!(fight.target(0, &[3, 0, 0])?, None); // it is over
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn target(&self, creature: usize, points: &[i64]) -> Result<Option<usize>, Error> {
        let order = self.order.as_ref().ok_or(Error::OrderNeeded)?;
        let count = self.creatures.len();
        let Some(turn) = order.iter().position(|&at| at == creature) else {
            return Err(Error::NoSuchOption {
                what: "creature",
                given: creature,
                count,
            });
        };
        let own = self.creatures.iter().map(|one| one.hit_points);
        let fits = own
            .clone()
            .zip(points)
            .all(|(own, now)| (0..=own).contains(now));
        if points.len() != count || !fits {
            return Err(Error::BadHitPoints {
                given: points.to_vec(),
                most: own.collect(),
            });
        }
        if points[creature] == 0 {
            return Ok(None);
        }
        let melee = self.melee(order)?;
        let now = melee.turn(turn, points);
        match melee.attacked(&now) {
            Attacked::Nobody => Ok(None),
            Attacked::Certain(target) => Ok(Some(target)),
            Attacked::Best(_) => Ok(self.float(&melee)?.decision(&now)?),
        }
    }

    /// Returns the distribution of the order of initiative, whatever order was set: a d20 and a
    /// bonus each. Of equal results, the higher bonus acts first; equal bonuses roll again.
    ///
    /// # Errors
    /// [`Error::TooManyToRoll`] for more than 6 creatures.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let cat = Combatant::new("Cat", 12, HitPoints::fixed(2)?)?.attack(Attack::new("Claw")?);
    /// let three = Encounter::new([cat.clone()], [cat.clone(), cat.clone()])?;
    /// assert_eq!(three.initiative()?.p(&vec![2, 0, 1]).to_string(), "1/6");
    /// let two = Encounter::new([cat.clone().initiative(3)], [cat.initiative(1)])?;
    /// assert_eq!(two.initiative()?.p(&vec![0, 1]).to_string(), "247/400");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn initiative(&self) -> Result<Dist<Vec<usize>>, Error> {
        rolled(self.creatures.len())?;
        let bonuses: Vec<i64> = self.creatures.iter().map(|one| one.initiative).collect();
        let orders = order::initiative(&bonuses);
        Ok(Dist::from_weights(orders)?)
    }

    /// Returns the names, in the order of the numbers.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::{Attack, Combatant, Encounter, HitPoints};
    ///
    /// let cat = Combatant::new("Cat", 12, HitPoints::fixed(2)?)?.attack(Attack::new("Claw")?);
    /// assert_eq!(Encounter::new([cat.clone()], [cat])?.names(), ["Cat", "Cat"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.creatures.iter().map(|one| one.name.as_str()).collect()
    }

    /// Returns every order of initiative with its chance.
    fn orders(&self) -> Result<Vec<(BigRational, Vec<usize>)>, Error> {
        if let Some(order) = &self.order {
            return Ok(vec![(BigRational::new(1.into(), 1.into()), order.clone())]);
        }
        let law = self.initiative()?;
        Ok(law
            .outcomes()
            .map(|order| (law.p(order), order.clone()))
            .collect())
    }

    /// Checks the size of this many fights, each for every order of initiative.
    fn fits(&self, fights: u128) -> Result<(), Error> {
        let count = self.creatures.len();
        let orders = match self.order {
            Some(_) => 1,
            None => {
                rolled(count)?;
                (1..=count as u128).product()
            }
        };
        let (states, limit) = (self.states(), self.max_states);
        let all = states.saturating_mul(orders).saturating_mul(fights);
        let together = limit.saturating_mul(TOGETHER);
        match states > limit as u128 {
            true => Err(Error::TooManyStates { states, limit }),
            false if all > together as u128 => Err(Error::TooManyStates {
                states: all,
                limit: together,
            }),
            false => Ok(()),
        }
    }

    fn melee(&self, order: &[usize]) -> Result<Melee, Error> {
        // No solver numbers more states, and hit points then fit 32 bits.
        let limit = self.max_states.min(u32::MAX as usize);
        let states = self.states();
        if states > limit as u128 {
            return Err(Error::TooManyStates { states, limit });
        }
        Ok(Melee::new(self, order))
    }

    fn exact<'m>(&self, melee: &'m Melee) -> Result<Solution<'m, Melee, Cyclic<Exact>>, Error> {
        let solver = Solver::exact().allow_cycles().max_states(usize::MAX);
        Ok(solver.solve(melee, melee.start())?)
    }

    fn float<'m>(&self, melee: &'m Melee) -> Result<Solution<'m, Melee, Cyclic<Float>>, Error> {
        let solver = Solver::float().allow_cycles().max_states(usize::MAX);
        Ok(solver.solve(melee, melee.start())?)
    }
}
