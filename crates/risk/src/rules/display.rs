//! Rules as one line of text.

use std::fmt;

use super::{Reading, Rules};

/// ```
/// use oddsmith_risk::Rules;
///
/// let rules = Rules::uk_1990().hero_attacks();
/// assert_eq!(
///     rules.to_string(),
///     "at most 3 dice against 2, six-sided; ties to the defender; two defence dice from 3 defenders; \
///      attack bonus +1"
/// );
/// ```
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "at most {} {} against {}, ",
            self.max_attack,
            if self.max_attack == 1 { "die" } else { "dice" },
            self.max_defence
        )?;
        match (self.attack_sides, self.defence_sides) {
            (6, 6) => write!(f, "six-sided")?,
            (attack, defence) if attack == defence => write!(f, "of {attack} sides")?,
            (attack, defence) => write!(f, "of {attack} against {defence} sides")?,
        }
        write!(f, "; ties to the {}", self.ties_to)?;
        if !self.defence_may_outnumber {
            write!(f, "; the defender never throws more dice than the attacker")?;
        }
        if self.max_defence > 1 && self.second_defence_die_from > 2 {
            let from = self.second_defence_die_from;
            write!(f, "; two defence dice from {from} defenders")?;
        }
        for (name, bonus) in [
            ("attack", &self.attack_bonus),
            ("defence", &self.defence_bonus),
        ] {
            // A list may be longer than any throw; trailing zeros are left out.
            let Some(last) = bonus.iter().rposition(|&points| points != 0) else {
                continue;
            };
            write!(f, "; {name} bonus ")?;
            for (rank, points) in bonus.iter().take(last + 1).enumerate() {
                let separator = if rank == 0 { "" } else { ", " };
                write!(f, "{separator}{points:+}")?;
            }
        }
        match self.reading {
            Reading::Unclamped => Ok(()),
            Reading::Clamped => write!(f, "; clamped"),
            Reading::Sorted => write!(f, "; sorted again"),
            Reading::ClampedAndSorted => write!(f, "; clamped and sorted again"),
        }
    }
}
