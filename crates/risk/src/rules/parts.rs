//! The form of rules that serde reads and writes.

use super::{Reading, Rules};
use crate::{Error, Side};

/// The setters take 32 bits, and every hero adds one.
const MOST_BONUS: u64 = 1 << 32;

/// Entries that are not given are as in the standard rules.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default, rename = "Rules", expecting = "rules")]
pub(super) struct RulesParts {
    max_dice: [u32; 2],
    sides: [u32; 2],
    ties_to: Side,
    defence_may_outnumber: bool,
    second_defence_die_from: u32,
    attack_bonus: Vec<i64>,
    defence_bonus: Vec<i64>,
    reading: Reading,
}

impl Default for RulesParts {
    fn default() -> Self {
        Rules::standard().into()
    }
}

impl From<Rules> for RulesParts {
    fn from(rules: Rules) -> Self {
        RulesParts {
            max_dice: [rules.max_attack, rules.max_defence],
            sides: [rules.attack_sides, rules.defence_sides],
            ties_to: rules.ties_to,
            defence_may_outnumber: rules.defence_may_outnumber,
            second_defence_die_from: rules.second_defence_die_from,
            attack_bonus: rules.attack_bonus,
            defence_bonus: rules.defence_bonus,
            reading: rules.reading,
        }
    }
}

impl TryFrom<RulesParts> for Rules {
    type Error = Error;

    fn try_from(parts: RulesParts) -> Result<Self, Error> {
        let ([attack, defence], [attack_sides, defence_sides]) = (parts.max_dice, parts.sides);
        let mut rules = Rules::standard()
            .max_dice(attack, defence)?
            .sides(attack_sides, defence_sides)?
            .ties_to(parts.ties_to)
            .defence_may_outnumber(parts.defence_may_outnumber)
            .second_defence_die_from(parts.second_defence_die_from)?
            .reading(parts.reading);
        for (side, bonus) in [
            (Side::Attacker, &parts.attack_bonus),
            (Side::Defender, &parts.defence_bonus),
        ] {
            if let Some(&given) = bonus
                .iter()
                .find(|points| points.unsigned_abs() > MOST_BONUS)
            {
                return Err(Error::Bonus { side, given });
            }
        }
        (rules.attack_bonus, rules.defence_bonus) = (parts.attack_bonus, parts.defence_bonus);
        Ok(rules)
    }
}
