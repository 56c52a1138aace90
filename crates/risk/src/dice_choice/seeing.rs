//! The plan in fractions for a defender who sees the throw; see [`fractions`](super::fractions).

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigUint;
use num_rational::BigRational;

use super::fractions::{fill, met, numbers, worth};
use super::{DiceAdvice, DiceChoiceGame, DicePlan, Reply};
use crate::chain::{Chain, Outcome, Outcomes};
use crate::radix::{Exact, Radix};
use crate::rows::Size;
use crate::{Error, Forces};

/// # Errors
/// [`Error::BattleTooLarge`] if all numbers together have more words than allowed.
pub(super) fn plan(
    game: &DiceChoiceGame,
    size: Size,
) -> Result<Option<DicePlan<BigRational>>, Error> {
    let kernel = Kernel::new(game, size)?;
    let mut powers = Vec::new();
    let met = kernel.met(size)?;
    fill(game, size, &met, |forces, values| {
        let most = game.rules.dice(forces.attackers, forces.defenders);
        let mut worth = Vec::new();
        let mut replies = Vec::new();
        for thrown in kernel.thrown.iter().take(most.0 as usize) {
            let (value, answers) = kernel.after(thrown, forces, values, size);
            worth.push(value);
            // The answers to the most dice are kept.
            replies = answers;
        }
        let mut value = Exact::default();
        for candidate in &worth {
            if kernel.radix.compare(candidate, &value) == Ordering::Greater {
                value = candidate.clone();
            }
        }
        let advice = DiceAdvice {
            forces,
            value: kernel.radix.fraction_with(&value, &mut powers),
            attack: kernel.equal(&worth, &value),
            defence: Vec::new(),
            saddle_points: Vec::new(),
            replies,
            most,
            mixed: false,
        };
        Some((value, advice))
    })
}

/// What this many attacking dice may show.
struct Thrown {
    /// The number of the throw whose outcomes are the faces.
    roll: usize,
    /// The faces, with the number of the defender's throw for each number of his dice.
    faces: Vec<(Arc<[i64]>, Vec<usize>)>,
}

struct Kernel<'a> {
    game: &'a DiceChoiceGame,
    chain: Chain,
    radix: Radix,
    /// By the attacker's dice.
    thrown: Vec<Thrown>,
}

impl<'a> Kernel<'a> {
    fn new(game: &'a DiceChoiceGame, size: Size) -> Result<Self, Error> {
        let columns = game.rules.dice(size.attackers, size.defenders).1;
        let mut throws = Vec::new();
        let mut thrown = Vec::new();
        for seen in &game.sight.thrown {
            let mut faces = Vec::new();
            for (shown, _) in seen {
                let mut numbers = Vec::new();
                for dice in 1..=columns {
                    let answers = game.sight.answers(shown, dice);
                    let lost = answers.len() as u32;
                    let outcomes = (0..)
                        .zip(answers)
                        .map(|(won, &rolls)| (lost - 1 - won, won, rolls));
                    numbers.push(throws.len());
                    throws.push(weighed(outcomes));
                }
                faces.push((shown.clone(), numbers));
            }
            thrown.push(Thrown {
                roll: throws.len(),
                faces,
            });
            throws.push(weighed(seen.iter().map(|&(_, rolls)| (0, 0, rolls))));
        }
        let choices = throws.len() as u128;
        let chain = Chain::of(throws);
        let radix = Radix::new(&chain);
        numbers(&chain, &radix, size, choices, game.limit)?;
        Ok(Kernel {
            game,
            chain,
            radix,
            thrown,
        })
    }

    /// Returns the numbers of the throws with which the defender may answer.
    fn answers<'n>(&self, forces: Forces, faces: &[i64], numbers: &'n [usize]) -> &'n [usize] {
        let rules = &self.game.rules;
        let may = rules.defence_dice_against(faces.len() as u32, forces.defenders);
        numbers.get(..may as usize).unwrap_or(numbers)
    }

    /// Returns which states the battle can reach.
    fn met(&self, size: Size) -> Result<Vec<bool>, Error> {
        met(&self.chain, size, |forces, throws| {
            let most = self.game.rules.dice(forces.attackers, forces.defenders).0;
            let thrown = self.thrown.iter().take(most as usize);
            for (faces, numbers) in thrown.flat_map(|thrown| &thrown.faces) {
                for &number in self.answers(forces, faces, numbers) {
                    throws(number);
                }
            }
        })
    }

    /// Returns the value of such a throw, and the best answers to it.
    fn after(
        &self,
        thrown: &Thrown,
        forces: Forces,
        values: &[Exact],
        size: Size,
    ) -> (Exact, Vec<Reply>) {
        let mut sum = Exact::default();
        let mut replies = Vec::new();
        for (place, (faces, numbers)) in thrown.faces.iter().enumerate() {
            let answers = self.answers(forces, faces, numbers);
            let answers: Vec<Exact> = answers
                .iter()
                .map(|&throw| worth(&self.chain, &self.radix, throw, values, size))
                .collect();
            let Some(first) = answers.first() else {
                continue;
            };
            let least = answers.iter().fold(first, |least, answer| {
                match self.radix.compare(answer, least) {
                    Ordering::Less => answer,
                    _ => least,
                }
            });
            self.radix.add_product(&mut sum, thrown.roll, place, least);
            replies.push(Reply {
                faces: faces.clone(),
                dice: self.equal(&answers, least),
            });
        }
        (sum, replies)
    }

    /// Returns the numbers of dice that have this value.
    fn equal(&self, worth: &[Exact], to: &Exact) -> Vec<u32> {
        let numbered = worth.iter().zip(1..);
        numbered
            .filter(|(value, _)| self.radix.compare(value, to) == Ordering::Equal)
            .map(|(_, dice)| dice)
            .collect()
    }
}

/// Creates a throw with these outcomes: the units lost by attacker and defender, and the rolls.
fn weighed(outcomes: impl Iterator<Item = (u32, u32, u64)>) -> Outcomes {
    let list: Vec<Outcome> = outcomes
        .filter(|&(_, _, rolls)| rolls > 0)
        .map(|(attackers, defenders, rolls)| Outcome {
            attackers,
            defenders,
            weight: BigUint::from(rolls),
            // Fractions do not use it.
            chance: f64::NAN,
        })
        .collect();
    Outcomes::listed(list)
}
