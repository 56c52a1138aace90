//! The law of the damage of one attack, from its roll and its damage.

use oddsmith_dice::Dist;

use crate::{AttackRoll, Damage, Error, Outcome};

/// The law of the damage of one attack: 0 for a miss, dice and flat damage for
/// a hit, doubled dice and flat damage for a critical hit.
///
/// Attacks of one turn are independent as long as nothing else is said: their
/// damage is the sum, [`matfold`](Dist::matfold) or `+`.
///
/// # Errors
/// [`Error::Dice`] if the damage does not fit 64 bits or the law memory.
///
/// # Complexity
/// That of doubling the dice: for dice that show n different numbers some O(n²)
/// products at most, and one pass over 3n outcomes.
///
/// # Examples
/// Damage per round (DPR) against armour, with and without advantage:
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

/// `activate(D, F, AC, atk)` of F. M. Jørgensen, "How the probability code
/// works" (2019), section 3.2: the law M·Z + H·shift(D, F) +
/// C·shift(matfold(D, D), F) of the damage of one attack with dice D, flat
/// damage F and a bonus `atk` against an armour class `ac`.
///
/// Three things are to be known about it. The section's example is spoken of
/// with an attack bonus of 5 and computed with 7. All of D is doubled by a
/// critical hit, so D must be dice only; [`Damage`] keeps the rest apart. And a
/// negative F would heal, as published; here damage stops at 0.
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
