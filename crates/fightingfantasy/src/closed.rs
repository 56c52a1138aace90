//! The chance to win without LUCK, in closed form: equations (6)–(8) of the paper.

mod histories;
mod hypergeometric;
mod race;

use num_rational::BigRational;

use crate::number::MAX_WORK;
use crate::{Error, RoundOdds};

pub(crate) use histories::binomial;
pub use histories::histories;
use race::Race;

/// A duel in which LUCK is never used. Its chance of victory has a closed form.
///
/// The hero needs σ_o = ⌈s_o / 2⌉ won rounds before σ_h = ⌈s_h / 2⌉ lost ones, and draws only take
/// time. So the chance is the tail of a negative binomial distribution,
///
/// v_p = ρ_w^σ_o · Σ_{l < σ_h} C(σ_o − 1 + l, l) ρ_l^l,
///
/// which equations (7) and (8) of the paper expand ([`win_by_histories`](Self::win_by_histories),
/// [`win_hypergeometric`](Self::win_hypergeometric)). The paper prints σ = ⌊s / 2⌋. However, its
/// own remark that s = 2n is the same as s = 2n − 1 requires ⌈s / 2⌉, which also follows from
/// counting rounds.
///
/// [`damage`](Self::damage) changes the damage of a round, and [`max_work`](Self::max_work) the
/// limit on the work.
///
/// ```
/// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
///
/// let duel = WithoutLuck::new(RoundOdds::standard(-3));
/// assert_eq!(duel.win(1, 1)?.to_string(), "103/596");
/// // The White Dragon: 15/22 against a hero of 12/24.
/// assert_eq!(format!("{:.3e}", duel.win_f64(24, 22)?), "4.409e-4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithoutLuck {
    odds: RoundOdds,
    hit: u16,
    wound: u16,
    max_work: u64,
}

impl WithoutLuck {
    /// Creates a duel with these round odds, in which a round takes 2 STAMINA, as by the standard
    /// rules.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
    ///
    /// let duel = WithoutLuck::new(RoundOdds::standard(0));
    /// assert_eq!(duel.win(4, 2)?.to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(odds: RoundOdds) -> Self {
        Self {
            odds,
            hit: 2,
            wound: 2,
            max_work: MAX_WORK,
        }
    }

    /// Sets the STAMINA lost by the foe in a won round (`hit`) and by the hero in a lost one
    /// (`wound`).
    ///
    /// A damage of 0 makes such a round a draw.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
    ///
    /// let duel = WithoutLuck::new(RoundOdds::standard(0)).damage(3, 1);
    /// // One hit before two wounds.
    /// assert_eq!(duel.win(2, 3)?.to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn damage(self, hit: u16, wound: u16) -> Self {
        Self { hit, wound, ..self }
    }

    /// Sets the limit on the work of one answer: terms of the sum times bits of its numbers.
    ///
    /// The default is 2³⁷, some seconds. A term of a float answer counts as 4096 bits. The limit is
    /// checked before the sum is started.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{Error, RoundOdds, WithoutLuck};
    ///
    /// let duel = WithoutLuck::new(RoundOdds::standard(0)).max_work(1_000_000);
    /// assert_eq!(duel.win(24, 24)?.to_string(), "1/2");
    /// let error = duel.win(2_000, 2_000).unwrap_err();
    /// assert_eq!(error, Error::TooLarge { terms: 3_000, bits: 4_000, limit: 1_000_000 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_work(self, max_work: u64) -> Self {
        Self { max_work, ..self }
    }

    /// Returns P(victory), exact, for the STAMINA of the hero and of the foe.
    ///
    /// # Errors
    ///
    /// [`Error::NoStamina`] for STAMINA 0, [`Error::NeverEnding`] if every round is a draw, and
    /// [`Error::TooLarge`] beyond [`max_work`](Self::max_work). The default limit allows the
    /// standard round with STAMINA 65 000 against 65 000.
    ///
    /// # Complexity
    ///
    /// σ_h terms. Each takes a few passes over a number of (σ_h + σ_o) · log₂(win + lose) bits.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
    ///
    /// let duel = WithoutLuck::new(RoundOdds::standard(-2));
    /// assert_eq!(duel.win(3, 2)?, duel.win(4, 1)?);
    /// assert_eq!(duel.win(1, 1)?.to_string(), "310/1171");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "victory")]
    pub fn win(&self, hero_stamina: u32, foe_stamina: u32) -> Result<BigRational, Error> {
        self.race(hero_stamina, foe_stamina)?.exact(self.max_work)
    }

    /// Returns P(defeat), exact. It is 1 minus the chance of victory, computed as a sum of its own.
    ///
    /// # Errors
    ///
    /// The same as for [`win`](Self::win).
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
    ///
    /// let duel = WithoutLuck::new(RoundOdds::standard(0));
    /// assert_eq!(duel.defeat(4, 2)?.to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn defeat(&self, hero_stamina: u32, foe_stamina: u32) -> Result<BigRational, Error> {
        self.race(hero_stamina, foe_stamina)?
            .reversed()
            .exact(self.max_work)
    }

    /// Returns P(victory) as a float with a relative error of at most 2⁻⁵² (one unit in the last
    /// place).
    ///
    /// The sum is that of [`win`](Self::win). Its terms are positive, and its numbers have 106 bits
    /// and a separate exponent, so nothing cancels, overflows or underflows on the way, whatever
    /// the STAMINA. Only the answer may be too small: below 2⁻¹⁰²² ≈ 2.2e-308 the error is at most
    /// 2⁻¹⁰⁷⁴, and the answer may be 0. [`ln_win`](Self::ln_win) has no such limit.
    ///
    /// # Errors
    ///
    /// The same as for [`win`](Self::win). The default limit allows 33 million lost rounds.
    ///
    /// # Complexity
    ///
    /// σ_h terms of some 100 ns each.
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
    ///
    /// let duel = WithoutLuck::new(RoundOdds::standard(-9));
    /// assert_eq!(duel.win_f64(1, 1)?, 1.0 / 1292.0);
    /// assert_eq!(duel.win_f64(1, 192)?, 2.0835248697519228e-299);
    /// assert_eq!(WithoutLuck::new(RoundOdds::standard(0)).win_f64(5_000, 5_000)?, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self, hero_stamina: u32, foe_stamina: u32) -> Result<f64, Error> {
        Ok(self
            .race(hero_stamina, foe_stamina)?
            .rounded(self.max_work)?
            .to_f64())
    }

    /// Returns P(defeat) as a float with a relative error of at most 2⁻⁵², even where victory is
    /// all but certain.
    ///
    /// # Errors
    ///
    /// The same as for [`win_f64`](Self::win_f64).
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
    ///
    /// let duel = WithoutLuck::new(RoundOdds::standard(9));
    /// assert_eq!(duel.win_f64(24, 1)?, 1.0);
    /// assert_eq!(format!("{:.2e}", duel.defeat_f64(24, 1)?), "4.62e-38");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn defeat_f64(&self, hero_stamina: u32, foe_stamina: u32) -> Result<f64, Error> {
        Ok(self
            .race(hero_stamina, foe_stamina)?
            .reversed()
            .rounded(self.max_work)?
            .to_f64())
    }

    /// Returns ln P(victory) with a relative error of at most 2⁻⁵⁰, or −∞ if the chance is zero.
    ///
    /// The result is valid for chances far below the smallest float. Near certainty it is ln(1 −
    /// P(defeat)), with a P(defeat) that is itself right to the last bit. The bound assumes that
    /// the platform's `ln` and `ln_1p` are right to within one unit in the last place. A P(defeat)
    /// below 2⁻¹⁰²² is rounded as in [`win_f64`](Self::win_f64).
    ///
    /// # Errors
    ///
    /// The same as for [`win_f64`](Self::win_f64).
    ///
    /// ```
    /// use oddsmith_fightingfantasy::{RoundOdds, WithoutLuck};
    ///
    /// let hopeless = WithoutLuck::new(RoundOdds::standard(-9));
    /// assert_eq!(hopeless.win_f64(1, 5_000)?, 0.0);
    /// assert_eq!(format!("{:.6}", hopeless.ln_win(1, 5_000)?), "-17909.866711");
    /// let sure = WithoutLuck::new(RoundOdds::standard(9));
    /// assert_eq!(format!("{:.2e}", sure.ln_win(24, 1)?), "-4.62e-38");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ln_win(&self, hero_stamina: u32, foe_stamina: u32) -> Result<f64, Error> {
        let race = self.race(hero_stamina, foe_stamina)?;
        let victory = race.rounded(self.max_work)?;
        if victory.is_below_half() {
            return Ok(victory.ln());
        }
        let defeat = race.reversed().rounded(self.max_work)?.to_f64();
        // Adding zero turns the −0 of a certain victory into 0.
        Ok((-defeat).ln_1p() + 0.0)
    }

    fn race(&self, hero_stamina: u32, foe_stamina: u32) -> Result<Race, Error> {
        check_stamina(hero_stamina, foe_stamina)?;
        let (win, lose) = self.effective_odds()?.decisive_counts()?;
        let (wins, losses) = self.rounds(hero_stamina, foe_stamina);
        Ok(Race::new(win, lose, wins, losses))
    }

    /// The odds, with rounds that do no damage counted as draws.
    fn effective_odds(&self) -> Result<RoundOdds, Error> {
        let (win, draw, lose) = self.odds.counts();
        let (win, no_hit) = if self.hit == 0 { (0, win) } else { (win, 0) };
        let (lose, no_wound) = if self.wound == 0 {
            (0, lose)
        } else {
            (lose, 0)
        };
        RoundOdds::new(win, draw + no_hit + no_wound, lose)
    }

    /// (σ_o, σ_h): the number of won rounds that kill the foe, and of lost rounds that kill the
    /// hero.
    fn rounds(&self, hero_stamina: u32, foe_stamina: u32) -> (u64, u64) {
        let rounds =
            |stamina: u32, damage: u16| u64::from(stamina.div_ceil(u32::from(damage.max(1))));
        (
            rounds(foe_stamina, self.hit),
            rounds(hero_stamina, self.wound),
        )
    }
}

/// Returns P(victory) without LUCK by the standard damage, exact. See [`WithoutLuck::win`].
///
/// # Errors
///
/// The same as for [`WithoutLuck::win`].
///
/// ```
/// use oddsmith_fightingfantasy::{RoundOdds, win_without_luck};
///
/// assert_eq!(win_without_luck(&RoundOdds::standard(0), 4, 2)?.to_string(), "3/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn win_without_luck(
    odds: &RoundOdds,
    hero_stamina: u32,
    foe_stamina: u32,
) -> Result<BigRational, Error> {
    WithoutLuck::new(*odds).win(hero_stamina, foe_stamina)
}

/// Returns P(victory) without LUCK by the standard damage, as a float with a relative error of at
/// most 2⁻⁵². See [`WithoutLuck::win_f64`].
///
/// # Errors
///
/// The same as for [`WithoutLuck::win_f64`].
///
/// ```
/// use oddsmith_fightingfantasy::{RoundOdds, win_without_luck_f64};
///
/// // The Hell Demon: 14/12 against a hero of 12/24.
/// let chance = win_without_luck_f64(&RoundOdds::standard(-2), 24, 12)?;
/// assert_eq!(format!("{chance:.4}"), "0.2815");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn win_without_luck_f64(
    odds: &RoundOdds,
    hero_stamina: u32,
    foe_stamina: u32,
) -> Result<f64, Error> {
    WithoutLuck::new(*odds).win_f64(hero_stamina, foe_stamina)
}

/// Returns ln P(victory) without LUCK by the standard damage. See [`WithoutLuck::ln_win`].
///
/// # Errors
///
/// The same as for [`WithoutLuck::ln_win`].
///
/// ```
/// use oddsmith_fightingfantasy::{RoundOdds, ln_win_without_luck};
///
/// assert_eq!(ln_win_without_luck(&RoundOdds::standard(0), 24, 24)?, 0.5_f64.ln());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ln_win_without_luck(
    odds: &RoundOdds,
    hero_stamina: u32,
    foe_stamina: u32,
) -> Result<f64, Error> {
    WithoutLuck::new(*odds).ln_win(hero_stamina, foe_stamina)
}

pub(crate) fn check_stamina(hero: u32, foe: u32) -> Result<(), Error> {
    match (hero, foe) {
        (0, _) => Err(Error::NoStamina { who: "hero" }),
        (_, 0) => Err(Error::NoStamina { who: "foe" }),
        _ => Ok(()),
    }
}
