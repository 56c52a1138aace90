//! The chance to win with LUCK that does not run out: equations (9)–(15) of the paper, and their
//! counterparts for defensive use.

mod published;
mod race;
mod strings;

use num_bigint::BigUint;
use num_integer::Integer;
use num_rational::BigRational;
use oddsmith_dice::IntoRatio;

use crate::closed::check_stamina;
use crate::criterion::probability;
use crate::number::MAX_WORK;
use crate::{Damage, Error, RoundOdds};

pub use published::PublishedEquation;
use race::Race;
use strings::Blow;

/// The rounds in which LUCK is tested.
///
/// ```
/// use oddsmith_fightingfantasy::{ConstantLuck, RoundOdds, Use};
///
/// let duel = ConstantLuck::new(RoundOdds::standard(0), (1, 1))?;
/// // Four points of the foe in one lucky hit; two of the hero in two lucky wounds.
/// assert_eq!(duel.win(Use::Offensive, 2, 4)?.to_string(), "1/2");
/// assert_eq!(duel.win(Use::Defensive, 2, 4)?.to_string(), "1/2");
/// assert_eq!(duel.win(Use::Both, 2, 4)?.to_string(), "3/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Use {
    /// After every won round, and never after a lost one.
    Offensive,
    /// After every lost round, and never after a won one.
    Defensive,
    /// After every round that is not a draw.
    Both,
}

/// A duel in which LUCK is tested by a fixed rule, and every test succeeds with the same chance q.
///
/// The damage of won and of lost rounds does not depend on their order. A victory is therefore a
/// string of hits of which the last kills the foe, and a string of wounds that the hero survives,
/// interleaved in any way that ends with a hit:
///
/// v_p = Σ_w Σ_l C(w − 1 + l, l) · F(w) · S(l),
///
/// where F(w) is the chance that w won rounds form a string of hits of which exactly the last kills
/// the foe, and S(l) the chance that l lost rounds form a string of wounds that the hero survives.
///
/// Offensive use is the case of the paper. F(w) sums over the strings of A (lucky, 4 points) and B
/// (unlucky, 1 point) of equation (9) with the five endings of (14), and S(l) = ρ_l^l for l < σ_h:
///
/// v_p = P(s_o − 4; ρ_w q) + P(s_o − 3; ρ_w q) + P(s_o − 2; ρ_w q) + P(s_o − 1; ρ_w q) + P(s_o − 1; ρ_w (1 − q)),
/// P(n; p_f) = p_f Σ_k (n − 3k)! / (k! (n − 4k)!) · (ρ_w q)^k (ρ_w (1 − q))^(n − 4k) · Σ_{l < σ_h} C(n − 3k + l, l) ρ_l^l,
///
/// with P(n; p_f) = 0 for n < 0, k up to ⌊n / 4⌋ and σ_h = ⌈s_h / 2⌉. Equations (11) and (15) of
/// the paper lack the factor p_w of the won rounds; [`as_published`](Self::as_published) computes
/// them as printed.
///
/// Defensive use has only F(σ_o) = ρ_w^σ_o, and S(l) = ρ_l^l Σ C(l, c) q^c (1 − q)^(l − c) over 3l
/// − 2c < s_h.
///
/// ```
/// use oddsmith_fightingfantasy::{ConstantLuck, RoundOdds, Use, lucky_chance};
///
/// // STAMINA 2 against 1: whoever wins the first round that is not a draw wins the duel.
/// let duel = ConstantLuck::new(RoundOdds::standard(-6), lucky_chance(5))?;
/// assert_eq!(duel.win(Use::Offensive, 2, 1)?.to_string(), "35/1261");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConstantLuck {
    odds: RoundOdds,
    q: BigRational,
    hit: Damage,
    wound: Damage,
    max_work: u64,
}

impl ConstantLuck {
    /// Creates a duel with these round odds by the standard damage, in which a test of LUCK
    /// succeeds with chance `q`.
    ///
    /// # Errors
    ///
    /// [`Error::Probability`] if `q` is not within 0..=1, [`Error::Dice`] if it is not a number.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, RoundOdds};
    ///
    /// let duel = ConstantLuck::new(RoundOdds::standard(-4), "0.25")?;
    /// assert_eq!(duel.q().to_string(), "1/4");
    /// assert!(ConstantLuck::new(RoundOdds::standard(-4), (4, 3)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(odds: RoundOdds, q: impl IntoRatio) -> Result<Self, Error> {
        let q = probability(q)?;
        Ok(Self {
            odds,
            q,
            hit: Damage::HIT,
            wound: Damage::WOUND,
            max_work: MAX_WORK,
        })
    }

    /// Sets other damage.
    ///
    /// Any numbers are allowed. A blow of 0 has the same effect as a draw, so LUCK may prevent a
    /// wound altogether.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, Damage, RoundOdds, Use};
    ///
    /// let duel = ConstantLuck::new(RoundOdds::new(1, 0, 1)?, (1, 2))?.damage(Damage::HIT, Damage::new(2, 0, 2));
    /// // Half of the lost rounds do not count.
    /// assert_eq!(duel.win(Use::Defensive, 1, 1)?.to_string(), "2/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn damage(self, hit: Damage, wound: Damage) -> Self {
        Self { hit, wound, ..self }
    }

    /// Sets the limit on the work of one answer: terms of the sums times bits of their numbers.
    ///
    /// The default is 2³⁷, some seconds, and some 200 megabytes. A term of a float answer counts as
    /// 4096 bits. The limit is checked before the sums are started.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, Error, RoundOdds, Use};
    ///
    /// let duel = ConstantLuck::new(RoundOdds::standard(0), (1, 2))?.max_work(10);
    /// assert!(matches!(duel.win(Use::Both, 24, 24), Err(Error::TooLarge { limit: 10, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_work(self, max_work: u64) -> Self {
        Self { max_work, ..self }
    }

    /// Returns the chance that a test succeeds.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, RoundOdds, lucky_chance};
    ///
    /// let duel = ConstantLuck::new(RoundOdds::standard(0), lucky_chance(7))?;
    /// assert_eq!(duel.q().to_string(), "7/12");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn q(&self) -> &BigRational {
        &self.q
    }

    /// Returns P(victory), exact, for the STAMINA of the hero and of the foe.
    ///
    /// # Errors
    ///
    /// [`Error::NoStamina`] for STAMINA 0, [`Error::NeverEnding`] if no round can hurt anyone, and
    /// [`Error::TooLarge`] beyond [`max_work`](Self::max_work). The default limit allows STAMINA of
    /// some 1000 against 1000.
    ///
    /// # Complexity
    ///
    /// With M the largest number of hits and N the largest number of wounds in a duel: M² + N² +
    /// M·N terms of (M + N) · log₂((win + lose) · denominator of q) bits.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, RoundOdds, Use, lucky_chance, win_without_luck};
    ///
    /// let odds = RoundOdds::standard(-4);
    /// let duel = ConstantLuck::new(odds, lucky_chance(12))?;
    /// assert_eq!(duel.win(Use::Offensive, 2, 8)?.to_string(), "3969/369664");
    /// assert_eq!(win_without_luck(&odds, 2, 8)?.to_string(), "15752961/136651472896");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(
        &self,
        used: Use,
        hero_stamina: u32,
        foe_stamina: u32,
    ) -> Result<BigRational, Error> {
        self.race(used, hero_stamina, foe_stamina)?
            .exact(self.max_work)
    }

    /// Returns P(defeat), exact. It is 1 minus the chance of victory, computed as a sum of its own.
    ///
    /// # Errors
    ///
    /// The same as for [`win`](Self::win).
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, RoundOdds, Use};
    ///
    /// let duel = ConstantLuck::new(RoundOdds::standard(0), (1, 1))?;
    /// assert_eq!(duel.defeat(Use::Both, 2, 4)?.to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn defeat(
        &self,
        used: Use,
        hero_stamina: u32,
        foe_stamina: u32,
    ) -> Result<BigRational, Error> {
        self.race(used, hero_stamina, foe_stamina)?
            .reversed()
            .exact(self.max_work)
    }

    /// Returns P(victory) as a float with a relative error of at most 2⁻⁵² (one unit in the last
    /// place).
    ///
    /// The sums are those of [`win`](Self::win). Their terms are positive, and their numbers have
    /// 106 bits and a separate exponent. Below 2⁻¹⁰²² the error is at most 2⁻¹⁰⁷⁴, and the answer
    /// may be 0.
    ///
    /// # Errors
    ///
    /// The same as for [`win`](Self::win).
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, RoundOdds, Use};
    ///
    /// let duel = ConstantLuck::new(RoundOdds::standard(-6), (5, 18))?;
    /// assert_eq!(duel.win_f64(Use::Offensive, 2, 1)?, 35.0 / 1261.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self, used: Use, hero_stamina: u32, foe_stamina: u32) -> Result<f64, Error> {
        self.race(used, hero_stamina, foe_stamina)?
            .rounded(self.max_work)
    }

    /// Returns P(defeat) as a float with a relative error of at most 2⁻⁵², even where victory is
    /// all but certain.
    ///
    /// # Errors
    ///
    /// The same as for [`win`](Self::win).
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{ConstantLuck, RoundOdds, Use};
    ///
    /// let duel = ConstantLuck::new(RoundOdds::standard(0), (1, 1))?;
    /// assert_eq!(duel.defeat_f64(Use::Both, 2, 4)?, 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn defeat_f64(&self, used: Use, hero_stamina: u32, foe_stamina: u32) -> Result<f64, Error> {
        self.race(used, hero_stamina, foe_stamina)?
            .reversed()
            .rounded(self.max_work)
    }

    fn race(&self, used: Use, hero_stamina: u32, foe_stamina: u32) -> Result<Race, Error> {
        check_stamina(hero_stamina, foe_stamina)?;
        let (win, lose) = self.odds.decisive_counts()?;
        let lucky = self.q.numer().magnitude();
        let all = self.q.denom().magnitude();
        let blows = |ways: u64, damage: Damage, tested: bool| {
            let kinds = if tested {
                vec![
                    (lucky * ways, damage.lucky),
                    ((all - lucky) * ways, damage.unlucky),
                ]
            } else {
                vec![(all * ways, damage.plain)]
            };
            // A blow that cannot occur or does no damage would only add rounds without effect.
            let kinds = kinds
                .into_iter()
                .filter(|(weight, damage)| weight.bits() > 0 && *damage > 0);
            kinds
                .map(|(weight, damage)| Blow {
                    weight,
                    damage: damage.into(),
                })
                .collect::<Vec<_>>()
        };
        let mut hits = blows(win, self.hit, used != Use::Defensive);
        let mut wounds = blows(lose, self.wound, used != Use::Offensive);
        let common = hits
            .iter()
            .chain(&wounds)
            .fold(BigUint::ZERO, |common, blow| common.gcd(&blow.weight));
        if common.bits() == 0 {
            return Err(Error::NeverEnding);
        }
        for blow in hits.iter_mut().chain(&mut wounds) {
            blow.weight /= &common;
        }
        let total = hits.iter().chain(&wounds).map(|blow| &blow.weight).sum();
        Ok(Race {
            hits,
            wounds,
            total,
            hero_stamina,
            foe_stamina,
        })
    }
}
