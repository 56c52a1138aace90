//! The throws of a battle: which one occurs at which forces, and its outcomes.

use std::collections::{BTreeSet, HashMap};

use num_bigint::BigUint;
use num_traits::Zero;
use oddsmith_dice::Dist;

use crate::pairs::Pairs;
use crate::rows::Size;
use crate::{DEFAULT_WORK, Error, Rules};

/// All throws that may occur in a battle.
///
/// The number of dice thrown depends on the forces only while these are small. From `rows`
/// attackers and from `columns` defenders on, up to the forces of the battle, one more unit changes
/// nothing. So a few throws serve battles of any size.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    rows: u32,
    columns: u32,
    /// The number of the throw in `throws`, row by row.
    cells: Vec<usize>,
    throws: Vec<Outcomes>,
}

/// Throws that were computed before by the same rules. Successive battles have throws in common,
/// and huge dice take seconds. The map is only looked up and never iterated, so no answer depends
/// on its order.
pub(crate) type Made<'r> = HashMap<(&'r Rules, (u32, u32)), Outcomes>;

/// The largest number of forces at which throws may be told apart.
const MOST_CELLS: u64 = 1 << 24;

/// The outcomes of one throw.
#[derive(Clone, Debug)]
pub(crate) struct Outcomes {
    dice: (u32, u32),
    /// By the number of pairs that the attacker wins, fewest first.
    pub(crate) list: Vec<Outcome>,
    /// The total weight, in lowest terms.
    pub(crate) total: BigUint,
}

/// An outcome of a throw.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// Units lost.
    pub(crate) attackers: u32,
    pub(crate) defenders: u32,
    pub(crate) weight: BigUint,
    /// The weight divided by the total, rounded once.
    pub(crate) chance: f64,
}

impl Outcome {
    /// Returns whether it may occur, however seldom.
    pub(crate) fn possible(&self) -> bool {
        !self.weight.is_zero()
    }
}

impl Outcomes {
    /// # Errors
    /// [`Error::TooLarge`].
    pub(crate) fn new(
        rules: &Rules,
        dice: (u32, u32),
        work: &mut u128,
        limit: u64,
    ) -> Result<Self, Error> {
        let left = left(limit, *work);
        let pairs =
            Pairs::new([dice.0, dice.1], rules, left).map_err(|error| error.after(*work))?;
        *work += pairs.work();
        Ok(Outcomes::of(&pairs.law()?.lowest_terms(), dice))
    }

    /// Creates outcomes that are not those of a throw by the rules.
    pub(crate) fn listed(list: Vec<Outcome>) -> Self {
        Outcomes {
            dice: (1, 1),
            total: list.iter().map(|outcome| &outcome.weight).sum(),
            list,
        }
    }

    fn of(law: &Dist<u32>, dice: (u32, u32)) -> Self {
        let float = law.to_f64();
        let outcome = |(&won, weight): (&u32, &BigUint)| Outcome {
            attackers: dice.0.min(dice.1) - won,
            defenders: won,
            weight: weight.clone(),
            chance: float.p(&won),
        };
        Outcomes {
            dice,
            list: law.iter().map(outcome).collect(),
            total: law.total().clone(),
        }
    }

    /// Returns the chances by pairs won if the throw has `N - 1` pairs.
    pub(crate) fn chances<const N: usize>(&self) -> Option<[f64; N]> {
        let mut chances = [0.0; N];
        for outcome in &self.list {
            *chances.get_mut(outcome.defenders as usize)? = outcome.chance;
        }
        (self.pairs() as usize + 1 == N).then_some(chances)
    }

    pub(crate) fn too_many_rolls(&self) -> Error {
        Error::TooManyRolls {
            attack: self.dice.0,
            defence: self.dice.1,
        }
    }

    /// Returns whether the throw may cost the defender such a number of units.
    pub(crate) fn may(&self, number: impl Fn(u32) -> bool) -> bool {
        let mut possible = self.list.iter().filter(|way| way.possible());
        possible.any(|way| number(way.defenders))
    }

    /// Returns how many units are lost.
    pub(crate) fn pairs(&self) -> u32 {
        self.dice.0.min(self.dice.1)
    }
}

impl Chain {
    /// Computes the throws of all battles up to these forces, in at most [`DEFAULT_WORK`] steps.
    ///
    /// # Errors
    /// As for [`within`](Chain::within).
    pub(crate) fn new(attackers: u32, defenders: u32, rules: &Rules) -> Result<Self, Error> {
        Chain::within(attackers, defenders, rules, DEFAULT_WORK)
    }

    /// Computes the throws of all battles up to these forces.
    ///
    /// # Errors
    /// [`Error::TooLarge`] and [`Error::ThrowsTooLarge`] if they take more than `limit` steps
    /// together, [`Error::BattleTooLarge`] if the number of dice changes at too many forces.
    pub(crate) fn within(
        attackers: u32,
        defenders: u32,
        rules: &Rules,
        limit: u64,
    ) -> Result<Self, Error> {
        Chain::again(attackers, defenders, rules, limit, &mut Made::new())
    }

    /// Does the same if some throws were computed before. They still count, so that what is
    /// rejected does not depend on what was computed earlier.
    ///
    /// # Errors
    /// As for [`within`](Chain::within).
    pub(crate) fn again<'r>(
        attackers: u32,
        defenders: u32,
        rules: &'r Rules,
        limit: u64,
        made: &mut Made<'r>,
    ) -> Result<Self, Error> {
        let (rows, columns) = settled(rules, attackers.max(1), defenders.max(1));
        // Not all of them are different throws, but all take memory.
        Size::new(rows, columns).check("the throws at all forces", MOST_CELLS)?;
        let mut chain = Chain {
            rows,
            columns,
            cells: Vec::new(),
            throws: Vec::new(),
        };
        chain.refuse(rules, limit)?;
        let mut work = 0;
        for attackers in 1..=rows {
            for defenders in 1..=columns {
                let dice = rules.dice(attackers, defenders);
                // The latest ones are the likeliest.
                let known = chain.throws.iter().rposition(|throw| throw.dice == dice);
                let number = match known {
                    Some(number) => number,
                    None => {
                        let throw = match made.get(&(rules, dice)) {
                            Some(throw) => throw.clone(),
                            None => {
                                let throw = Outcomes::new(rules, dice, &mut work, limit)?;
                                made.insert((rules, dice), throw.clone());
                                throw
                            }
                        };
                        chain.throws.push(throw);
                        chain.throws.len() - 1
                    }
                };
                chain.cells.push(number);
            }
        }
        Ok(chain)
    }

    /// Checks before the first throw is computed whether all of them are too much work.
    fn refuse(&self, rules: &Rules, limit: u64) -> Result<(), Error> {
        let (mut met, mut last, mut work) = (BTreeSet::new(), None, 0_u128);
        for attackers in 1..=self.rows {
            for defenders in 1..=self.columns {
                let dice = rules.dice(attackers, defenders);
                // Neighbours are mostly alike.
                if last.replace(dice) == Some(dice) || !met.insert(dice) {
                    continue;
                }
                let pairs = Pairs::new([dice.0, dice.1], rules, left(limit, work));
                work += pairs.map_err(|error| error.after(work))?.work();
            }
        }
        Ok(())
    }

    /// Creates throws that do not belong to any forces.
    pub(crate) fn of(throws: Vec<Outcomes>) -> Self {
        Chain {
            rows: 1,
            columns: 1,
            cells: vec![0],
            throws,
        }
    }

    /// Returns the throw at these forces, neither of which is 0.
    #[inline]
    pub(crate) fn at(&self, attackers: u32, defenders: u32) -> &Outcomes {
        &self.throws[self.number(attackers, defenders)]
    }

    /// Returns its number.
    #[inline]
    pub(crate) fn number(&self, attackers: u32, defenders: u32) -> usize {
        let row = attackers.clamp(1, self.rows) - 1;
        let column = defenders.clamp(1, self.columns) - 1;
        self.cells[row as usize * self.columns as usize + column as usize]
    }

    /// Returns all different throws.
    pub(crate) fn throws(&self) -> &[Outcomes] {
        &self.throws
    }

    /// Returns whether every throw may cost the attacker all its pairs, so that no battle is won
    /// with certainty.
    pub(crate) fn never_sure(&self) -> bool {
        self.throws.iter().all(|throw| throw.may(|won| won == 0))
    }

    /// Returns for 0, 1, 2, … defenders, up to this many or as far as throws differ, whether some
    /// number of attackers may win because throws lead from them to none.
    pub(crate) fn beatable(&self, defenders: u32) -> Vec<bool> {
        let mut beatable = vec![true];
        for left in 1..=defenders.min(self.columns) {
            let mut throws = (1..=self.rows).map(|attackers| self.at(attackers, left));
            let falls = |lost: u32| (1..=left).contains(&lost) && beatable[(left - lost) as usize];
            let may_fall = throws.any(|throw| throw.may(falls));
            beatable.push(may_fall);
        }
        beatable
    }

    /// Returns the numbers of attackers and defenders from which on the throw is always the same.
    pub(crate) fn settled(&self) -> (u32, u32) {
        (self.rows, self.columns)
    }

    /// Returns the largest number of units that one throw costs.
    pub(crate) fn reach(&self) -> usize {
        let most = self.throws.iter().map(Outcomes::pairs).max();
        most.unwrap_or(1) as usize
    }

    /// Returns the same battles with the sides exchanged: a win there is a loss here.
    pub(crate) fn reversed(&self) -> Chain {
        let mut chain = self.clone();
        (chain.rows, chain.columns) = (self.columns, self.rows);
        chain.cells.clear();
        for row in 1..=chain.rows {
            for column in 1..=chain.columns {
                chain.cells.push(self.number(column, row));
            }
        }
        for throw in &mut chain.throws {
            throw.dice = (throw.dice.1, throw.dice.0);
            throw.list.reverse();
            for outcome in &mut throw.list {
                std::mem::swap(&mut outcome.attackers, &mut outcome.defenders);
            }
        }
        chain
    }
}

/// Returns what a limit for all throws together leaves after this many steps.
fn left(limit: u64, work: u128) -> u64 {
    u64::try_from(u128::from(limit).saturating_sub(work)).unwrap_or(limit)
}

/// Returns the numbers of attackers and defenders from which on the numbers of dice no longer
/// change, in battles of at most these forces.
///
/// More units never take dice away from a side, and the defender's dice depend on the attackers at
/// most through the attacker's dice. It is therefore enough to consider each side against all units
/// of the other.
pub(crate) fn settled(rules: &Rules, attackers: u32, defenders: u32) -> (u32, u32) {
    let most = rules.dice(attackers, defenders);
    let first = |all: u32, dice: &dyn Fn(u32) -> (u32, u32)| {
        let (mut below, mut enough) = (0, all);
        while enough - below > 1 {
            let middle = below + (enough - below) / 2;
            match dice(middle) == most {
                true => enough = middle,
                false => below = middle,
            }
        }
        enough
    };
    (
        first(attackers, &|attackers| rules.dice(attackers, defenders)),
        first(defenders, &|defenders| rules.dice(attackers, defenders)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rules: &Rules, expected: (u32, u32)) {
        assert_eq!(settled(rules, u32::MAX, u32::MAX), expected);
        let (most_attackers, most_defenders) = (2 * expected.0, 2 * expected.1);
        for most in 1..=most_attackers {
            alike(rules, most, most_defenders);
        }
        for most in 1..=most_defenders {
            alike(rules, most_attackers, most);
        }
    }

    /// Beyond the forces found, the dice are the same as at these.
    #[track_caller]
    fn alike(rules: &Rules, most_attackers: u32, most_defenders: u32) {
        let (rows, columns) = settled(rules, most_attackers, most_defenders);
        for attackers in 1..=most_attackers {
            for defenders in 1..=most_defenders {
                assert_eq!(
                    rules.dice(attackers, defenders),
                    rules.dice(attackers.min(rows), defenders.min(columns))
                );
            }
        }
    }

    #[test]
    fn dice_settle() -> Result<(), Error> {
        check(&Rules::standard(), (3, 2));
        check(&Rules::georgiou(), (3, 2));
        check(&Rules::standard().max_dice(1, 1)?, (1, 1));
        check(&Rules::georgiou().max_dice(2, 9)?, (2, 2));
        check(&Rules::standard().max_dice(2, 9)?, (2, 9));
        check(&Rules::uk_1990(), (3, 3));
        check(&Rules::standard().second_defence_die_from(7)?, (3, 7));
        check(&Rules::georgiou().second_defence_die_from(7)?, (3, 7));
        let never = Rules::standard().second_defence_die_from(u32::MAX)?;
        assert_eq!(settled(&never, 1_000, u32::MAX - 1), (3, 1));
        Ok(())
    }

    #[test]
    fn sides_exchanged() -> Result<(), Error> {
        let chain = Chain::new(9, 9, &Rules::standard())?;
        let reversed = chain.reversed();
        let there = &reversed.at(5, 7).list;
        let here = &chain.at(7, 5).list;
        assert_eq!(there.len(), 3);
        for (there, here) in there.iter().zip(here.iter().rev()) {
            assert_eq!(
                (there.attackers, there.defenders),
                (here.defenders, here.attackers)
            );
            assert_eq!(there.weight, here.weight);
        }
        assert_eq!(reversed.reversed().at(1, 9).list.len(), 2);
        Ok(())
    }
}
