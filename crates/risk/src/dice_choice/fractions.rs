//! The plan in fractions, computed state by state on a grid.
//!
//! This is a special-purpose kernel beside the general solver, with which it is tested to agree.
//! Forty against forty take a hundredth of the time, because the denominators are products of known
//! primes ([`Radix`]), so no payoff needs a greatest common divisor.

use std::cmp::Ordering;

use num_rational::BigRational;

use super::{DiceAdvice, DiceChoiceGame, DicePlan, Timing, seeing};
use crate::chain::{Chain, Outcomes};
use crate::radix::{Exact, Radix};
use crate::rows::{Size, filled};
use crate::{DEFAULT_WORK, Error, Forces, exact};

/// The best numbers of dice, and their value.
type Decision = (Exact, Vec<u32>, Vec<u32>, Vec<(u32, u32)>);

/// Returns `None` if some state needs a mixed strategy, whose value has other denominators.
///
/// # Errors
/// [`Error::BattleTooLarge`] if all numbers together have more words than allowed.
pub(super) fn plan(game: &DiceChoiceGame) -> Result<Option<DicePlan<BigRational>>, Error> {
    let size = Size::new(game.forces.attackers, game.forces.defenders);
    if game.timing == Timing::AfterTheThrow {
        return seeing::plan(game, size);
    }
    let kernel = Kernel::new(game, size)?;
    let mut powers = Vec::new();
    let met = kernel.met(size)?;
    fill(game, size, &met, |forces, values| {
        let payoffs = kernel.payoffs(forces, values, size);
        let (value, attack, defence, saddle_points) = kernel.decide(&payoffs, forces)?;
        let mut most = game.rules.dice(forces.attackers, forces.defenders);
        if let (Timing::AttackerFirst, Some(&best)) = (game.timing, attack.last()) {
            most.1 = game.rules.defence_dice_against(best, forces.defenders);
        }
        let advice = DiceAdvice {
            forces,
            value: kernel.radix.fraction_with(&value, &mut powers),
            attack,
            defence,
            saddle_points,
            replies: Vec::new(),
            most,
            mixed: false,
        };
        Some((value, advice))
    })
}

/// Returns the plan of all states that can occur, those later in the battle first. `decide` is
/// given the values up to that of its own state, which is the last one and still to be found. If it
/// finds none, there is no plan.
pub(super) fn fill(
    game: &DiceChoiceGame,
    size: Size,
    met: &[bool],
    mut decide: impl FnMut(Forces, &[Exact]) -> Option<(Exact, DiceAdvice<BigRational>)>,
) -> Result<Option<DicePlan<BigRational>>, Error> {
    let mut values = filled(size.cells(), Exact::default())?;
    let mut all = Vec::new();
    for attackers in 0..=size.attackers {
        for defenders in 0..=size.defenders {
            let cell = attackers as usize * size.stride() + defenders as usize;
            if attackers == 0 || defenders == 0 {
                values[cell].count = u32::from(defenders == 0).into();
                continue;
            }
            if !met[cell] {
                continue;
            }
            let forces = Forces {
                attackers,
                defenders,
            };
            let Some((value, advice)) = decide(forces, &values[..=cell]) else {
                return Ok(None);
            };
            values[cell] = value;
            all.push(advice);
        }
    }
    Ok(Some(DicePlan {
        timing: game.timing,
        all,
    }))
}

/// Returns which states a battle can reach, if `throws` gives the throws of each.
pub(super) fn met(
    chain: &Chain,
    size: Size,
    throws: impl Fn(Forces, &mut dyn FnMut(usize)),
) -> Result<Vec<bool>, Error> {
    let mut met = filled(size.cells(), false)?;
    if let Some(start) = met.last_mut() {
        *start = true;
    }
    for attackers in (1..=size.attackers).rev() {
        for defenders in (1..=size.defenders).rev() {
            let cell = attackers as usize * size.stride() + defenders as usize;
            if !met[cell] {
                continue;
            }
            let forces = Forces {
                attackers,
                defenders,
            };
            throws(forces, &mut |throw| {
                for outcome in &chain.throws()[throw].list {
                    let lost = outcome.attackers as usize * size.stride();
                    met[cell - lost - outcome.defenders as usize] = true;
                }
            });
        }
    }
    Ok(met)
}

/// # Errors
/// [`Error::BattleTooLarge`] if all numbers together, for this many choices in a state, have more
/// words than allowed.
pub(super) fn numbers(
    chain: &Chain,
    radix: &Radix,
    size: Size,
    choices: u128,
    limit: u64,
) -> Result<(), Error> {
    let work = exact::work(chain, radix, size, size.work(), 0);
    size.check_work("a plan of dice", work.saturating_mul(choices), limit)
}

/// How much longer the general solver takes for a word: in turn, and by matrices.
pub(super) const IN_TURN: u128 = 1;
pub(super) const BY_MATRICES: u128 = 64;

/// # Errors
/// [`Error::BattleTooLarge`] if a solver that takes this long for a word takes longer than allowed.
pub(super) fn fits(game: &DiceChoiceGame, steps: u128) -> Result<(), Error> {
    let size = Size::new(game.forces.attackers, game.forces.defenders);
    let (rows, columns) = game.rules.dice(size.attackers, size.defenders);
    let chain = Chain::of(throws(game, rows, columns)?);
    let radix = Radix::new(&chain);
    // A defender who sees the throw has a choice for each.
    let seen = game.sight.thrown.iter().map(Vec::len).sum::<usize>() as u128;
    let choices = (u128::from(rows) * u128::from(columns)).saturating_add(seen);
    numbers(
        &chain,
        &radix,
        size,
        choices.saturating_mul(steps),
        game.limit,
    )
}

/// Returns the throws of all pairs of numbers of dice.
fn throws(game: &DiceChoiceGame, rows: u32, columns: u32) -> Result<Vec<Outcomes>, Error> {
    let limit = game.limit.max(DEFAULT_WORK);
    let (mut throws, mut work) = (Vec::new(), 0);
    for attack in 1..=rows {
        for defence in 1..=columns {
            let dice = (attack, defence);
            throws.push(Outcomes::new(&game.rules, dice, &mut work, limit)?);
        }
    }
    Ok(throws)
}

/// Returns the value of a throw in the state whose value is the last one.
pub(super) fn worth(
    chain: &Chain,
    radix: &Radix,
    throw: usize,
    values: &[Exact],
    size: Size,
) -> Exact {
    let cell = values.len() - 1;
    let mut sum = Exact::default();
    for (number, outcome) in chain.throws()[throw].list.iter().enumerate() {
        let lost = outcome.attackers as usize * size.stride();
        let value = &values[cell - lost - outcome.defenders as usize];
        radix.add_product(&mut sum, throw, number, value);
    }
    sum
}

struct Kernel<'a> {
    game: &'a DiceChoiceGame,
    chain: Chain,
    radix: Radix,
    /// The number of different numbers of defence dice.
    columns: u32,
}

impl<'a> Kernel<'a> {
    fn new(game: &'a DiceChoiceGame, size: Size) -> Result<Self, Error> {
        let (rows, columns) = game.rules.dice(size.attackers, size.defenders);
        let chain = Chain::of(throws(game, rows, columns)?);
        let radix = Radix::new(&chain);
        let choices = u128::from(rows) * u128::from(columns);
        numbers(&chain, &radix, size, choices, game.limit)?;
        Ok(Kernel {
            game,
            chain,
            radix,
            columns,
        })
    }

    /// Returns the number of the throw. A defender who declares more dice than he may throw throws
    /// fewer.
    fn throw(&self, forces: Forces, attack: u32, defence: u32) -> usize {
        let rules = &self.game.rules;
        let defence = defence.min(rules.defence_dice_against(attack, forces.defenders));
        ((attack - 1) * self.columns + defence - 1) as usize
    }

    /// Returns which states the battle can reach.
    fn met(&self, size: Size) -> Result<Vec<bool>, Error> {
        met(&self.chain, size, |forces, throws| {
            let (attack, defence) = self.game.rules.dice(forces.attackers, forces.defenders);
            for attack in 1..=attack {
                for defence in 1..=defence {
                    throws(self.throw(forces, attack, defence));
                }
            }
        })
    }

    /// Returns the value of each pair of numbers of dice. The last of `values` is that of this
    /// state.
    fn payoffs(&self, forces: Forces, values: &[Exact], size: Size) -> Vec<Vec<Exact>> {
        let (attack, defence) = self.game.rules.dice(forces.attackers, forces.defenders);
        let worth = |attack: u32, defence: u32| {
            let throw = self.throw(forces, attack, defence);
            worth(&self.chain, &self.radix, throw, values, size)
        };
        (1..=attack)
            .map(|attack| {
                (1..=defence)
                    .map(|defence| worth(attack, defence))
                    .collect()
            })
            .collect()
    }

    fn decide(&self, payoffs: &[Vec<Exact>], forces: Forces) -> Option<Decision> {
        // What each row guarantees, and what each column concedes.
        let secured: Vec<&Exact> = payoffs
            .iter()
            .filter_map(|row| self.best(row.iter(), Ordering::Less))
            .collect();
        let columns = payoffs.first().map_or(0, Vec::len);
        let conceded: Vec<&Exact> = (0..columns)
            .filter_map(|column| {
                let column = payoffs.iter().map(|row| &row[column]);
                self.best(column, Ordering::Greater)
            })
            .collect();
        let most = self.best(secured.iter().copied(), Ordering::Greater)?;
        let least = self.best(conceded.iter().copied(), Ordering::Less)?;
        let equal = |list: &[&Exact], to: &Exact| -> Vec<u32> {
            let best = list.iter().zip(1..);
            best.filter(|(value, _)| self.radix.compare(value, to) == Ordering::Equal)
                .map(|(_, dice)| dice)
                .collect()
        };
        match self.game.timing {
            Timing::AttackerFirst => {
                let attack = equal(&secured, most);
                let best = *attack.last()?;
                let may = self.game.rules.defence_dice_against(best, forces.defenders);
                let row: Vec<&Exact> = payoffs.get(best as usize - 1)?.iter().collect();
                let defence = equal(row.get(..may as usize)?, most);
                // As pairs with the answer of the next state.
                let value = most.clone();
                Some((value, attack, defence, Vec::new()))
            }
            Timing::DefenderFirst => {
                let defence = equal(&conceded, least);
                let best = *defence.last()? as usize - 1;
                let column: Vec<&Exact> = payoffs.iter().filter_map(|row| row.get(best)).collect();
                Some((least.clone(), equal(&column, least), defence, Vec::new()))
            }
            _ => {
                if self.radix.compare(most, least) != Ordering::Equal {
                    return None;
                }
                let (attack, defence) = (equal(&secured, most), equal(&conceded, least));
                let saddles = attack
                    .iter()
                    .flat_map(|&attack| defence.iter().map(move |&defence| (attack, defence)));
                let saddles = saddles.collect();
                Some((most.clone(), attack, defence, saddles))
            }
        }
    }

    fn best<'e>(
        &self,
        mut values: impl Iterator<Item = &'e Exact>,
        better: Ordering,
    ) -> Option<&'e Exact> {
        let first = values.next()?;
        Some(values.fold(first, |best, value| {
            match self.radix.compare(value, best) == better {
                true => value,
                false => best,
            }
        }))
    }
}
