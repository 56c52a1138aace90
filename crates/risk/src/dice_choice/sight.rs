//! What a defender sees who chooses after the throw, and the effect of his dice then.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::pairs::multichoose;
use crate::{Error, Reading, Rules, Side};

/// The attacker's throws as the defender sees them.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    /// By the attacker's dice minus one: the faces, highest first, and the number of rolls that
    /// show them.
    pub(super) thrown: Vec<Vec<(Arc<[i64]>, u64)>>,
    /// By the faces, then by the defender's dice minus one: the number of his rolls with which 0,
    /// 1, 2, … pairs go to the attacker.
    answers: BTreeMap<Arc<[i64]>, Vec<Vec<u64>>>,
}

/// The work for comparing two sorted throws, in steps of a battle, including the search for both.
const COMPARISON: u128 = 64;

impl Sight {
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooManyRolls`].
    pub(super) fn new(rules: &Rules, attack: u32, defence: u32, limit: u64) -> Result<Self, Error> {
        check(rules, attack, defence, limit)?;
        let mut sight = Sight::default();
        let own: Vec<_> = (1..=defence)
            .map(|dice| sorted(rules, Side::Defender, dice))
            .collect();
        for dice in 1..=attack {
            // Ranks beyond the defender's dice have no opponent.
            let mut seen: BTreeMap<Arc<[i64]>, u64> = BTreeMap::new();
            for (mut faces, rolls) in sorted(rules, Side::Attacker, dice) {
                faces.truncate(defence as usize);
                *seen.entry(faces.into()).or_default() += rolls;
            }
            for faces in seen.keys() {
                if sight.answers.contains_key(faces) {
                    continue;
                }
                let answers = own.iter().map(|own| won(rules, faces, own)).collect();
                sight.answers.insert(faces.clone(), answers);
            }
            sight.thrown.push(seen.into_iter().rev().collect());
        }
        Ok(sight)
    }

    /// Returns how many rolls of this many defence dice give the attacker 0, 1, 2, … pairs against
    /// these faces. The result is empty for faces that do not occur.
    pub(super) fn answers(&self, faces: &[i64], dice: u32) -> &[u64] {
        let answers = self.answers.get(faces);
        let of_dice = answers.and_then(|answers| answers.get(dice as usize - 1));
        of_dice.map_or(&[], Vec::as_slice)
    }
}

/// # Errors
/// [`Error::TooLarge`] before any work, and [`Error::TooManyRolls`].
fn check(rules: &Rules, attack: u32, defence: u32, limit: u64) -> Result<(), Error> {
    let few = |sides: u32, dice: u32| u64::from(sides).checked_pow(dice).is_some();
    if !few(rules.attack_sides, attack) || !few(rules.defence_sides, defence) {
        return Err(Error::TooManyRolls { attack, defence });
    }
    let all = |sides: u32, dice: u32| -> u128 {
        let throws = (1..=dice).map(|dice| multichoose(sides, dice));
        throws.fold(0, u128::saturating_add)
    };
    let work = all(rules.attack_sides, attack)
        .saturating_mul(all(rules.defence_sides, defence))
        .saturating_mul(COMPARISON);
    match work <= u128::from(limit) {
        true => Ok(()),
        false => Err(Error::TooLarge {
            attack,
            defence,
            work,
            limit,
        }),
    }
}

/// Returns all sorted throws of a side as they are compared, with the number of rolls of each.
fn sorted(rules: &Rules, side: Side, dice: u32) -> Vec<(Vec<i64>, u64)> {
    let (sides, bonus) = match side {
        Side::Attacker => (rules.attack_sides, &rules.attack_bonus),
        Side::Defender => (rules.defence_sides, &rules.defence_bonus),
    };
    let sides = i64::from(sides);
    let mut throws = Vec::new();
    descend(sides, dice, 1, &mut Vec::new(), &mut throws);
    let clamped = matches!(rules.reading, Reading::Clamped | Reading::ClampedAndSorted);
    let again = matches!(rules.reading, Reading::Sorted | Reading::ClampedAndSorted);
    for (faces, _) in &mut throws {
        for (face, points) in faces.iter_mut().zip(bonus) {
            *face = face.saturating_add(*points);
            if clamped {
                *face = (*face).clamp(1, sides);
            }
        }
        if again {
            faces.sort_by(|a, b| b.cmp(a));
        }
    }
    throws
}

/// Adds the throws of `left` more dice with faces up to `highest`.
fn descend(
    highest: i64,
    left: u32,
    rolls: u64,
    faces: &mut Vec<i64>,
    throws: &mut Vec<(Vec<i64>, u64)>,
) {
    if left == 0 {
        throws.push((faces.clone(), rolls));
        return;
    }
    if highest == 1 {
        let all = faces.len() + left as usize;
        let mut lowest = faces.clone();
        lowest.resize(all, 1);
        throws.push((lowest, rolls));
        return;
    }
    let length = faces.len();
    // Puts as many dice as possible on the highest face first. The faces are a loop, so that the
    // recursion is as deep as the number of dice and not of sides. The product counts rolls of
    // these dice, which are few enough.
    for face in (2..=highest).rev() {
        for shown in (1..=left).rev() {
            faces.resize(length + shown as usize, face);
            let ways = rolls * choose(left, shown);
            descend(face - 1, left - shown, ways, faces, throws);
            faces.truncate(length);
        }
    }
    descend(1, left, rolls, faces, throws);
}

/// At most the number of rolls of dice with two sides or more.
fn choose(of: u32, some: u32) -> u64 {
    let mut ways = 1_u128;
    for k in 1..=u128::from(some.min(of - some)) {
        ways = ways * (u128::from(of) + 1 - k) / k;
    }
    u64::try_from(ways).unwrap_or(u64::MAX)
}

fn won(rules: &Rules, faces: &[i64], own: &[(Vec<i64>, u64)]) -> Vec<u64> {
    let pairs = own.first().map_or(0, |(own, _)| own.len().min(faces.len()));
    let mut rolls = vec![0; pairs + 1];
    for (own, count) in own {
        let both = faces.iter().zip(own);
        let won = both
            .filter(|(attack, defence)| match rules.ties_to {
                Side::Attacker => attack >= defence,
                Side::Defender => attack > defence,
            })
            .count();
        rolls[won] += count;
    }
    rolls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DEFAULT_WORK;

    /// Added up over all of the attacker's throws, the answers are the distribution of the throw.
    #[track_caller]
    fn check_law(rules: &Rules, attack: u32, defence: u32) {
        let sight = Sight::new(rules, attack, defence, DEFAULT_WORK).expect("small throws");
        let throw = crate::Throw::new(attack, defence).expect("dice");
        // Most pairs for the attacker first.
        let law = throw.rules(rules.clone()).counts().expect("small throws");
        let mut counts = vec![num_bigint::BigUint::default(); law.len()];
        for (faces, rolls) in &sight.thrown[attack as usize - 1] {
            for (won, answers) in sight.answers(faces, defence).iter().enumerate() {
                counts[won] += u128::from(*rolls) * u128::from(*answers);
            }
        }
        counts.reverse();
        assert_eq!(counts, law, "{rules:?}");
    }

    #[test]
    fn answers_add_up_to_the_law_of_a_throw() -> Result<(), Error> {
        let bonuses = Rules::standard()
            .attack_bonus([-1, 2, 3])
            .defence_bonus([-2, 1]);
        for rules in [
            Rules::standard(),
            Rules::standard().hero_attacks().fortress(),
            Rules::standard().ties_to(Side::Attacker).sides(4, 7)?,
            bonuses.clone(),
            bonuses.clone().reading(Reading::Clamped),
            bonuses.clone().reading(Reading::Sorted),
            bonuses.reading(Reading::ClampedAndSorted),
        ] {
            for (attack, defence) in [(1, 1), (1, 2), (2, 1), (3, 2), (2, 3), (4, 3)] {
                check_law(&rules, attack, defence);
            }
        }
        Ok(())
    }

    #[test]
    fn too_many_throws_are_refused_at_once() -> Result<(), Error> {
        let million = Rules::standard().sides(1_000_000, 1_000_000)?;
        let refused = Sight::new(&million, 2, 2, DEFAULT_WORK);
        assert!(matches!(refused, Err(Error::TooLarge { .. })));
        let refused = Sight::new(&million, 9, 2, DEFAULT_WORK);
        assert!(matches!(refused, Err(Error::TooManyRolls { .. })));
        Ok(())
    }
}
