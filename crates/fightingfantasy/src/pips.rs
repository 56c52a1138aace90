//! The number of rolls of some dice with a sum up to a bound, without a table of all sums.

use num_bigint::BigInt;
use num_integer::binomial;
use num_traits::{One, ToPrimitive, Zero};

/// Fair dice whose number of rolls fits into 64 bits.
///
/// A table of all sums would have as many entries as the dice have pips, billions for dice with as
/// many sides. Computing one count takes a sum of at most as many terms as there are dice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pips {
    count: u32,
    sides: u32,
    rolls: u64,
}

impl Pips {
    /// `None` if the number of rolls does not fit into 64 bits, or for dice without sides.
    pub(crate) fn new(count: u32, sides: u32) -> Option<Self> {
        if sides == 0 {
            return None;
        }
        let rolls = match sides {
            1 => 1,
            _ => u64::from(sides).checked_pow(count)?,
        };
        Some(Pips {
            count,
            sides,
            rolls,
        })
    }

    pub(crate) fn rolls(self) -> u64 {
        self.rolls
    }

    /// The number of rolls whose sum is at most t = `pips`. For n dice of s sides it is Σₖ (−1)ᵏ
    /// C(n, k) C(t − ks, n), by inclusion and exclusion of dice that exceed s.
    ///
    /// # Complexity
    /// O(n²) products of numbers of n words, for at most 64 dice with more than one side.
    pub(crate) fn at_most(self, pips: i128) -> u64 {
        let (dice, sides) = (i128::from(self.count), i128::from(self.sides));
        if pips < dice {
            return 0;
        }
        if pips >= dice * sides {
            return self.rolls;
        }
        let dice = BigInt::from(dice);
        let mut sum = BigInt::zero();
        let (mut ways, mut left) = (BigInt::one(), pips);
        for over in 0..=self.count {
            let Some(rest) = Some(left).filter(|left| *left >= i128::from(self.count)) else {
                break;
            };
            let term = &ways * binomial(BigInt::from(rest), dice.clone());
            match over % 2 {
                0 => sum += term,
                _ => sum -= term,
            }
            ways = ways * (self.count - over) / (over + 1);
            left -= sides;
        }
        // The sum counts a part of the rolls, so it fits.
        sum.to_u64().unwrap_or(self.rolls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oddsmith_dice::Dist;

    #[test]
    fn counts_are_those_of_the_law() {
        for (count, sides) in [
            (0, 6),
            (1, 1),
            (40, 1),
            (1, 20),
            (2, 6),
            (5, 4),
            (12, 6),
            (64, 2),
        ] {
            let law = Dist::ndice(count, sides).unwrap();
            let pips = Pips::new(count, sides);
            if count == 64 {
                assert!(pips.is_none());
                continue;
            }
            let pips = pips.unwrap();
            assert_eq!(law.total().to_u64(), Some(pips.rolls()));
            let (mut so_far, mut rolls) = (0, law.iter().peekable());
            for most in -3..=i64::from(count * sides) + 3 {
                if let Some((_, ways)) = rolls.next_if(|(shown, _)| **shown == most) {
                    so_far += ways.to_u64().unwrap();
                }
                assert_eq!(pips.at_most(most.into()), so_far, "{count}d{sides} {most}");
            }
        }
    }

    #[test]
    fn dice_of_billions_of_sides() {
        let two = Pips::new(2, u32::MAX).unwrap();
        assert_eq!(two.rolls(), 18_446_744_065_119_617_025);
        assert_eq!(two.at_most(1_000_001), 500_000_500_000);
        // The upper half mirrors the lower one.
        let most = 2 * i128::from(u32::MAX);
        assert_eq!(two.rolls() - two.at_most(most - 1_000_000), 500_000_500_000);
        assert!(Pips::new(3, u32::MAX).is_none() && Pips::new(1, 0).is_none());
        assert_eq!(Pips::new(u32::MAX, 1).unwrap().at_most(u32::MAX.into()), 1);
    }
}
