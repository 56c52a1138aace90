//! The distribution of the damage of one attack, from its attack roll and its damage.

use oddsmith_dice::Dist;

use crate::{AttackRoll, Damage, Error, Outcome};

/// Returns the distribution of the damage of one attack: 0 for a miss, dice and flat damage for a
/// hit, doubled dice and flat damage for a critical hit.
///
/// Attacks of one turn are independent unless something else is specified. Their total damage is
/// the sum, [`matfold`](Dist::matfold) or `+`.
///
/// # Errors
/// [`Error::Dice`] if the damage does not fit 64 bits or the distribution does not fit in memory.
///
/// # Complexity
/// That of doubling the dice: for dice that show n different numbers at most about O(n²) products,
/// and one pass over 3n outcomes.
///
/// # Examples
/// Damage per round (DPR) against two armour classes, with and without advantage:
/// ```
/// use oddsmith_dnd::{AttackRoll, D20, Damage, attack_damage};
///
/// let longbow = Damage::dice(1, 8)?.flat(4);
/// let dpr = |ac, die| Ok::<_, oddsmith_dnd::Error>(
///     attack_damage(&AttackRoll::new(ac, 9).die(die), &longbow)?.mean().to_string(),
/// );
/// assert_eq!([dpr(15, D20::Plain)?, dpr(20, D20::Plain)?], ["33/5", "179/40"].map(String::from));
/// assert_eq!(dpr(20, D20::Advantage)?, "5451/800");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn attack_damage(roll: &AttackRoll, damage: &Damage) -> Result<Dist<i64>, Error> {
    let [miss, hit, critical] = Outcome::ALL;
    let laws = [damage.law(miss)?, damage.law(hit)?, damage.law(critical)?];
    Ok(roll
        .law()?
        .and_then(|&outcome| Ok(laws[outcome as usize].clone()))?)
}

/// Computes `activate(D, F, AC, atk)` of F. M. Jørgensen, "How the probability code works" (2019),
/// section 3.2: the distribution M·Z + H·shift(D, F) + C·shift(matfold(D, D), F) of the damage of
/// one attack with dice D, flat damage F and attack bonus `atk` against armour class `ac`.
///
/// Note three things. The text of the section's example has an attack bonus of 5, but its
/// computation has 7. A critical hit doubles all of D, so D must be dice only; [`Damage`] keeps the
/// rest separate. And as published, a negative F would heal; here damage is at least 0.
///
/// # Errors
/// As for [`attack_damage`]; [`Error::NegativeDice`] if D can be negative.
///
/// # Examples
/// 2d6 + 5 against AC 18:
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::activate;
///
/// let d = Dist::ndice(2, 6)?;
/// let law = activate(&d, 5, 18, 7)?;
/// assert_eq!(law.p(&12).to_string(), "491/6480");
/// assert_eq!(law.mean().to_string(), "127/20");
/// assert_eq!(activate(&d, 5, 18, 5)?.mean().to_string(), "103/20"); // the text's bonus
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn activate(dice: &Dist<i64>, flat: i64, ac: i64, atk: i64) -> Result<Dist<i64>, Error> {
    attack_damage(
        &AttackRoll::new(ac, atk),
        &Damage::new(dice.clone())?.flat(flat),
    )
}
