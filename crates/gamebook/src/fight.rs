//! A fight without LUCK, many rounds at a time.

use oddsmith_fightingfantasy::{Damage, Foe, RoundOdds};

use crate::Error;

/// The rounds of a fight that hurt somebody: won `win` times out of
/// `win + lose`, drawn ones left out.
///
/// What is left after k of them is a law of at most k + 2 outcomes, which is
/// written down at once instead of walking through k rounds. All its weights
/// are counts out of (win + lose)^k, so k is as large as 64 bits allow: six for
/// the most awkward odds, the whole fight for simple ones. Being a handful of
/// binomial coefficients, the law is cheaper to make again than to look up; the
/// solver keeps the states it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bout {
    win: u64,
    lose: u64,
}

/// What is left of the hero and of the foe, and in how many ways.
pub(crate) type Left = (u16, u16, u64);

impl Bout {
    pub(crate) fn new(skill: i32, foe: Foe) -> Result<Self, Error> {
        let difference = i64::from(skill) - i64::from(foe.skill());
        let (win, lose) = RoundOdds::standard(difference).decisive_counts()?;
        Ok(Bout { win, lose })
    }

    /// What follows when the hero has `hero` STAMINA left and the foe `foe`,
    /// both at least 1: the end of the fight, or the state after as many rounds
    /// as fit.
    pub(crate) fn after(self, hero: u16, foe: u16) -> Vec<Left> {
        let (hit, wound) = (Damage::HIT.plain, Damage::WOUND.plain);
        let hits = u32::from(foe.div_ceil(hit));
        let wounds = u32::from(hero.div_ceil(wound));
        let rounds = self.rounds(hits + wounds - 1);
        let left = |won: u32, lost: u32, weight: Option<u64>| {
            // At most 63 rounds are fought.
            let hero = hero.saturating_sub(wound * lost as u16);
            let foe = foe.saturating_sub(hit * won as u16);
            weight
                .filter(|weight| *weight > 0)
                .map(|weight| (hero, foe, weight))
        };
        let mut outcomes = Vec::new();
        // The last round decides: it is not among those that may be arranged.
        for lost in 0..wounds.min((rounds + 1).saturating_sub(hits)) {
            let ways = self.ways(hits, lost, hits + lost - 1, lost, rounds);
            outcomes.extend(left(hits, lost, ways));
        }
        for won in 0..hits.min((rounds + 1).saturating_sub(wounds)) {
            let ways = self.ways(won, wounds, wounds + won - 1, won, rounds);
            outcomes.extend(left(won, wounds, ways));
        }
        for won in 0..hits.min(rounds + 1) {
            let lost = rounds - won;
            if lost < wounds {
                outcomes.extend(left(won, lost, self.ways(won, lost, rounds, won, rounds)));
            }
        }
        outcomes
    }

    /// How many rounds fit into 64 bits, but not more than `wanted`.
    fn rounds(self, wanted: u32) -> u32 {
        let fit = (1..=63).take_while(|&k| (self.win + self.lose).checked_pow(k).is_some());
        (fit.count() as u32).min(wanted)
    }

    /// The ways to win `won` and lose `lost` rounds, arranged in `n choose k`
    /// orders, the remaining ones up to `rounds` being free. `None` never
    /// happens: it would be more ways than all.
    fn ways(self, won: u32, lost: u32, n: u32, k: u32, rounds: u32) -> Option<u64> {
        if (self.win == 0 && won > 0) || (self.lose == 0 && lost > 0) {
            return Some(0);
        }
        let free = rounds - won - lost;
        let orders = (0..u64::from(k)).try_fold(1_u128, |product, i| {
            // Divisible: the product so far is n choose i, times n - i.
            product
                .checked_mul(u128::from(u64::from(n) - i))
                .map(|product| product / u128::from(i + 1))
        })?;
        self.win
            .checked_pow(won)?
            .checked_mul(self.lose.checked_pow(lost)?)?
            .checked_mul((self.win + self.lose).checked_pow(free)?)?
            .checked_mul(u64::try_from(orders).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same law, a round at a time.
    fn walk(bout: Bout, hero: u16, foe: u16, rounds: u32) -> Vec<Left> {
        if rounds == 0 || hero == 0 || foe == 0 {
            return vec![(hero, foe, (bout.win + bout.lose).pow(rounds))];
        }
        let won = walk(bout, hero, foe.saturating_sub(2), rounds - 1);
        let lost = walk(bout, hero.saturating_sub(2), foe, rounds - 1);
        let won = won.into_iter().map(|(h, f, ways)| (h, f, ways * bout.win));
        let lost = lost
            .into_iter()
            .map(|(h, f, ways)| (h, f, ways * bout.lose));
        won.chain(lost).collect()
    }

    fn tidy(law: Vec<Left>) -> Vec<Left> {
        let mut tidy: Vec<Left> = Vec::new();
        let mut law = law;
        law.sort_unstable();
        for (hero, foe, ways) in law {
            match tidy.last_mut() {
                Some(last) if (last.0, last.1) == (hero, foe) => last.2 += ways,
                _ => tidy.push((hero, foe, ways)),
            }
        }
        tidy.retain(|&(_, _, ways)| ways > 0);
        tidy
    }

    #[test]
    fn folded_rounds_are_the_rounds() {
        for skill in [-12, -10, -9, -3, -1, 0, 1, 4, 8, 9, 10, 11] {
            let bout = Bout::new(skill, Foe::new(0, 1).unwrap()).unwrap();
            for hero in 1..=9_u16 {
                for foe in 1..=9_u16 {
                    let needed = u32::from(foe.div_ceil(2) + hero.div_ceil(2)) - 1;
                    let rounds = bout.rounds(needed);
                    let expected = tidy(walk(bout, hero, foe, rounds));
                    assert_eq!(
                        tidy(bout.after(hero, foe)),
                        expected,
                        "{bout:?} {hero} {foe}"
                    );
                }
            }
        }
    }

    #[test]
    fn weights_add_up_to_all_ways() {
        for skill in -12..=12 {
            let bout = Bout::new(skill, Foe::new(0, 1).unwrap()).unwrap();
            for (hero, foe) in [(1, 1), (24, 24), (100, 3), (2, 200), (u16::MAX, u16::MAX)] {
                let needed = u32::from(foe.div_ceil(2)) + u32::from(hero.div_ceil(2)) - 1;
                let rounds = bout.rounds(needed);
                let law = bout.after(hero, foe);
                let sum: u64 = law.iter().map(|(_, _, ways)| ways).sum();
                assert_eq!(
                    sum,
                    (bout.win + bout.lose).pow(rounds),
                    "{bout:?} {hero} {foe}"
                );
                assert!(law.len() as u32 <= rounds + 2);
            }
        }
    }

    /// The most awkward odds: 1 : 1291.
    #[test]
    fn six_rounds_fit_at_least() {
        let fewest = (-12..=12).map(|skill| {
            let bout = Bout::new(skill, Foe::new(0, 1).unwrap()).unwrap();
            bout.rounds(100)
        });
        assert_eq!(fewest.min(), Some(6));
    }
}
