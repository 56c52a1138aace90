//! The distribution of a round of a fight, and of all rounds folded into one.

use std::ops::Mul;

use num_bigint::BigUint;
use num_traits::Zero;
use oddsmith_fightingfantasy::RoundOdds;

use crate::spread::Spread;
use crate::{Enemy, Hazard};

/// Foes who are fought together, and how.
#[derive(Clone, Debug)]
pub(crate) struct Bout {
    pub(crate) foes: Vec<BoutFoe>,
    /// Whether the foes behind the first attack, too.
    pub(crate) at_once: bool,
    /// The STAMINA that the hero's hits take.
    pub(crate) hit: u16,
}

#[derive(Clone, Debug)]
pub(crate) struct BoutFoe {
    pub(crate) stamina: u16,
    pub(crate) damage: u16,
    pub(crate) hazard: Option<Hazard>,
    pub(crate) odds: RoundOdds,
}

/// The first foe who stands, its STAMINA, and the hero's. The hero is dead at 0. All foes have
/// fallen if `foe` is past the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Standing {
    pub(crate) foe: u16,
    pub(crate) stamina: u16,
    pub(crate) hero: u16,
}

/// The most states of a fight that is folded.
const MOST_FOLDED: usize = 100_000;
/// The most words of weights of a fight that is folded.
const MOST_WORDS: u64 = 4_000_000;
/// The most STAMINA of a hero whose fight is folded.
const MOST_STAMINA: u16 = 250;

impl BoutFoe {
    pub(crate) fn new(foe: &Enemy, odds: RoundOdds) -> Self {
        BoutFoe {
            stamina: foe.stamina,
            damage: foe.damage,
            hazard: foe.hazard,
            odds,
        }
    }
}

impl Bout {
    /// The distribution after a round, without draws that change nothing, since they are fought
    /// again. `None` if the round can never change anything.
    pub(crate) fn round(&self, now: Standing) -> Option<Spread<Standing>> {
        let mut law = self.round_or_draw(now)?;
        let draws = law.outcomes.iter().position(|(to, _)| *to == now);
        if let Some(draws) = draws {
            law.total -= law.outcomes.remove(draws).1;
        }
        (!law.outcomes.is_empty()).then_some(law)
    }

    /// The distribution after a round, including draws that change nothing, which matter where
    /// rounds are counted.
    pub(crate) fn round_or_draw(&self, now: Standing) -> Option<Spread<Standing>> {
        let first = usize::from(now.foe);
        let foe = self.foes.get(first)?;
        let others = if self.at_once {
            &self.foes[first + 1..]
        } else {
            &[]
        };
        // With the usual rules, 64-bit words suffice, which is checked with the book. Rules that
        // are passed in may count rolls more finely.
        Some(match rolls(foe, others) {
            Some(_) => self.fought::<u64>(now, foe, others),
            None => self.fought::<BigUint>(now, foe, others),
        })
    }

    fn fought<W: Weight>(
        &self,
        now: Standing,
        foe: &BoutFoe,
        others: &[BoutFoe],
    ) -> Spread<Standing> {
        let (win, draw, lose) = foe.odds.counts();
        let hurt = |hero: u16, damage: u16| hero.saturating_sub(damage);
        let mut after: Vec<(u16, u16, W)> = vec![
            (now.stamina.saturating_sub(self.hit), now.hero, win.into()),
            (now.stamina, now.hero, draw.into()),
            (now.stamina, hurt(now.hero, foe.damage), lose.into()),
        ];
        for other in others {
            let (win, draw, lose) = other.odds.counts();
            after = split(&after, win + draw, lose, |_, hero| hurt(hero, other.damage));
        }
        let own = foe.hazard.map(|hazard| (hazard, true));
        let theirs = others.iter().filter_map(|other| other.hazard);
        for (hazard, own) in own.into_iter().chain(theirs.map(|hazard| (hazard, false))) {
            let (hits, of) = (u64::from(hazard.chance), u64::from(hazard.of));
            after = split(&after, of - hits, hits, |stamina, hero| {
                // A fallen foe does nothing.
                if own && stamina == 0 {
                    hero
                } else {
                    hurt(hero, hazard.damage)
                }
            });
        }
        let next = after.into_iter().map(|(stamina, hero, weight)| {
            let fallen = stamina == 0 && hero > 0;
            let next = usize::from(now.foe) + usize::from(fallen);
            let stamina = match self.foes.get(next) {
                Some(next) if fallen => next.stamina,
                _ => stamina,
            };
            let foe = next as u16;
            (Standing { foe, stamina, hero }, weight.into())
        });
        Spread::wide(next)
    }

    /// An estimate of the words that the weights of all folded distributions take. There are `rows`
    /// times `most` distributions of up to `most` weights each, which grow with every round.
    fn folded_words(&self, rows: u64, most: u64) -> u64 {
        let bits = self.foes.iter().map(|foe| {
            let (win, draw, lose) = foe.odds.counts();
            let of = foe.hazard.map_or(1, |hazard| u64::from(hazard.of));
            u64::from((win + draw + lose).ilog2() + of.max(1).ilog2()) + 1
        });
        let bits: u64 = if self.at_once {
            bits.sum()
        } else {
            bits.max().unwrap_or(0)
        };
        // On average half of all outcomes, after half of all rounds.
        let words = 1 + (rows + most) * bits / 128;
        rows * most * (most + 1) / 2 * words
    }

    /// The distribution of the STAMINA left after the whole fight (0 is death), for a hero with up
    /// to `most` STAMINA; entry h is for a hero with STAMINA h. `None` if that takes too much work.
    ///
    /// A fight that cannot end is lost.
    pub(crate) fn fold(&self, most: u16) -> Option<Vec<Spread<u16>>> {
        let rows: usize = self.foes.iter().map(|foe| usize::from(foe.stamina)).sum();
        if most > MOST_STAMINA || rows * usize::from(most) > MOST_FOLDED {
            return None;
        }
        if self.folded_words(rows as u64, most.into()) > MOST_WORDS {
            return None;
        }
        let width = usize::from(most) + 1;
        // By foe, then by its STAMINA and the hero's. A round leads to a later foe, or to less
        // STAMINA.
        let mut folded: Vec<Vec<Spread<u16>>> = vec![Vec::new(); self.foes.len() + 1];
        folded[self.foes.len()] = (0..=most).map(Spread::certain).collect();
        for (number, foe) in self.foes.iter().enumerate().rev() {
            let mut rows = vec![Spread::certain(0); (usize::from(foe.stamina) + 1) * width];
            for stamina in 1..=foe.stamina {
                for hero in 1..=most {
                    let now = Standing {
                        foe: number as u16,
                        stamina,
                        hero,
                    };
                    let Some(law) = self.round(now) else { continue };
                    let law = law.followed(|to| {
                        if to.hero == 0 {
                            Spread::certain(0)
                        } else if to.foe == now.foe {
                            rows[usize::from(to.stamina) * width + usize::from(to.hero)].clone()
                        } else {
                            let next = usize::from(to.foe);
                            let row = self
                                .foes
                                .get(next)
                                .map_or(0, |foe| usize::from(foe.stamina));
                            folded[next][row * width + usize::from(to.hero)].clone()
                        }
                    });
                    rows[usize::from(stamina) * width + usize::from(hero)] = law;
                }
            }
            folded[number] = rows;
        }
        let full = self.foes.first().map_or(0, |foe| usize::from(foe.stamina));
        let first = folded.swap_remove(0);
        Some(first.into_iter().skip(full * width).take(width).collect())
    }
}

/// In how many ways a round can be rolled; `None` if that exceeds 64 bits.
fn rolls(foe: &BoutFoe, others: &[BoutFoe]) -> Option<u64> {
    let mut foes = std::iter::once(foe).chain(others);
    foes.try_fold(1_u64, |all, foe| {
        let (win, draw, lose) = foe.odds.counts();
        let of = foe.hazard.map_or(1, |hazard| hazard.of.into());
        all.checked_mul(win + draw + lose)?.checked_mul(of)
    })
}

/// The type of roll counts: 64-bit words, or big integers, which are several times as slow.
trait Weight: Clone + From<u64> + Into<BigUint> + Mul<Output = Self> + Zero {}

impl Weight for u64 {}
impl Weight for BigUint {}

/// Splits each outcome in two: spared and hurt. A dead hero is not hurt again.
fn split<W: Weight>(
    after: &[(u16, u16, W)],
    spared: u64,
    hit: u64,
    hurt: impl Fn(u16, u16) -> u16,
) -> Vec<(u16, u16, W)> {
    let both = after.iter().flat_map(|(stamina, hero, weight)| {
        let (stamina, hero) = (*stamina, *hero);
        let hurt = if hero == 0 { 0 } else { hurt(stamina, hero) };
        let times = |by: u64| weight.clone() * W::from(by);
        [(stamina, hero, times(spared)), (stamina, hurt, times(hit))]
    });
    both.filter(|(_, _, weight)| !weight.is_zero()).collect()
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;

    fn bout(difference: i64, stamina: u16) -> Bout {
        Bout {
            foes: vec![BoutFoe::new(
                &Enemy::new(0, stamina),
                RoundOdds::standard(difference),
            )],
            at_once: false,
            hit: 2,
        }
    }

    fn chance(law: &Spread<u16>, left: u16) -> String {
        let found = law.outcomes.iter().find(|(stamina, _)| *stamina == left);
        let weight = found.map_or_else(Default::default, |(_, weight)| weight.clone());
        BigRational::new(weight.into(), law.total.clone().into()).to_string()
    }

    #[test]
    fn an_even_fight_to_two_blows() {
        let law = &bout(0, 4).fold(4).unwrap()[4];
        assert_eq!(
            [4, 2, 0].map(|left| chance(law, left)),
            ["1/4", "1/4", "1/2"]
        );
    }

    /// The first round decides: 575 of 1,150 decisive rolls kill the foe; else the breath follows.
    #[test]
    fn breath_comes_after_rounds_that_nobody_dies_in() {
        let mut breath = bout(0, 2);
        breath.foes[0].hazard = Some(Hazard {
            chance: 1,
            of: 2,
            damage: 2,
        });
        // The hero dies at the first loss, or of the breath after a draw.
        let law = &breath.fold(2).unwrap()[2];
        // x = 575/1296 + 146/1296 · 1/2 · x
        assert_eq!(chance(law, 2), "575/1223");
    }

    /// Two foes at once, one blow each: the second attacks even while the first falls.
    #[test]
    fn the_second_of_two_attacks_in_every_round() {
        let foe = || BoutFoe::new(&Enemy::new(0, 2), RoundOdds::new(1, 0, 1).unwrap());
        let pair = Bout {
            foes: vec![foe(), foe()],
            at_once: true,
            hit: 2,
        };
        let law = &pair.fold(4).unwrap()[4];
        // Round 1: the first foe falls (1/2) or hurts (1/2), and the other hurts with 1/2. Hurt
        // twice, the hero is dead. The hero faces a single foe with 4 left (1/4) or with 2 left
        // (1/4), or both with 2 left (1/4). From both with 2 left, the first falls and the hero is
        // unhurt with 1/4, else dies.
        let p4 = 1.0 / 4.0 / 2.0;
        let p2 = 1.0 / 4.0 / 4.0 + 1.0 / 4.0 / 2.0 + 1.0 / 4.0 / 4.0 / 2.0;
        assert_eq!(chance(law, 4), "1/8");
        assert_eq!(p4, 0.125);
        assert_eq!(chance(law, 2), "7/32");
        assert_eq!(p2, 7.0 / 32.0);
    }

    #[test]
    fn a_fight_without_end_is_lost() {
        let mut never = bout(-20, 2);
        never.foes[0].damage = 0;
        assert_eq!(chance(&never.fold(5).unwrap()[5], 0), "1");
    }
}
