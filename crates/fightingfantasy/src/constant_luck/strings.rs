//! Strings of blows against one fighter: the A and B of equation (9).

use std::collections::BTreeMap;

use crate::number::Number;

/// One of the outcomes of a blow.
pub(super) struct Blow<N> {
    pub(super) weight: N,
    pub(super) damage: u32,
}

/// The weights of all strings of blows against one fighter, by length.
pub(super) struct Strings<N> {
    /// By length from 0: the weight of the strings that leave the fighter standing. Never empty.
    pub(super) standing: Vec<N>,
    /// By length from `first_fall`: the weight of the strings whose last blow, and no earlier one,
    /// kills the fighter.
    pub(super) felling: Vec<N>,
    /// The least number of blows that can kill; at least 1.
    pub(super) first_fall: u64,
}

impl<N: Number> Strings<N> {
    /// `blows` must have positive weight and damage, and `stamina` must be positive.
    ///
    /// The strings are built blow by blow, by the STAMINA left, instead of by the multinomial
    /// coefficients (9) of each length. The numbers are the same, but this takes only sums of
    /// nonnegative terms, and works for any damage.
    pub(super) fn new(blows: &[Blow<N>], stamina: u32) -> Self {
        let mut strings = Self {
            standing: vec![N::from(1)],
            felling: Vec::new(),
            first_fall: 1,
        };
        let Some(greatest) = blows.iter().map(|blow| blow.damage).max() else {
            return strings;
        };
        strings.first_fall = stamina.div_ceil(greatest).into();
        let mut row = BTreeMap::from([(stamina, N::from(1))]);
        for length in 1_u64.. {
            let mut next = BTreeMap::new();
            let mut fall = N::from(0);
            for (&left, weight) in &row {
                for blow in blows {
                    let mut weight = weight.clone();
                    weight *= &blow.weight;
                    match left.checked_sub(blow.damage) {
                        None | Some(0) => fall += &weight,
                        Some(left) => *next.entry(left).or_insert_with(|| N::from(0)) += &weight,
                    }
                }
            }
            if length >= strings.first_fall {
                strings.felling.push(fall);
            }
            if next.is_empty() {
                break;
            }
            let mut standing = N::from(0);
            for weight in next.values() {
                standing += weight;
            }
            strings.standing.push(standing);
            row = next;
        }
        strings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    #[test]
    fn weights_are_the_multinomials_of_equation_9() {
        // A takes 4 with weight 100, and B takes 1 with weight 1, so the hundreds count the As.
        let blow = |weight: u32, damage| Blow {
            weight: BigUint::from(weight),
            damage,
        };
        let strings = Strings::new(&[blow(100, 4), blow(1, 1)], 6);
        let values =
            |weights: &[BigUint]| weights.iter().map(ToString::to_string).collect::<Vec<_>>();
        // "", then A B, AB BA BB, BBB, BBBB, BBBBB.
        assert_eq!(
            values(&strings.standing),
            ["1", "101", "201", "1", "1", "1"]
        );
        assert_eq!(strings.first_fall, 2);
        // AA, then ABA ABB BAA BAB BBA, BBBA, BBBBA, BBBBBA BBBBBB.
        assert_eq!(
            values(&strings.felling),
            ["10000", "20300", "100", "100", "101"]
        );
    }
}
