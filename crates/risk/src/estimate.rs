//! Armies too large to be followed throw by throw.

use std::fmt;

use crate::chain::{self, Chain};
use crate::normal::{cumulative, quantile};
use crate::rows::{self, Size};
use crate::stop_rule::Frontier;
use crate::{Battle, Error, Rules};

/// The chance to win a large battle by the central limit theorem, with proven bounds. It is
/// returned by [`win_estimate`].
///
/// # Examples
/// A small battle is followed throw by throw, and the bounds almost coincide:
/// ```
/// use oddsmith_risk::{Rules, win_estimate};
///
/// let duel = win_estimate(1, 1, &Rules::standard())?;
/// assert_eq!(format!("{:.4}", duel.chance()), "0.4167"); // 5/12
/// assert!(duel.upper() - duel.lower() < 1e-12);
/// assert_eq!(duel.to_string(), "41.67 %, between 41.66 % and 41.67 %");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Estimate {
    chance: f64,
    lower: f64,
    upper: f64,
}

impl Estimate {
    /// Returns the estimate. Its error decreases with the number of units; see [`win_estimate`] for
    /// measurements.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, win_estimate};
    ///
    /// let estimate = win_estimate(86, 100, &Rules::standard())?;
    /// assert_eq!(format!("{:.3}", estimate.chance()), "0.498"); // exactly 0.4980
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn chance(&self) -> f64 {
        self.chance
    }

    /// Returns a proven lower bound on the chance.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{Rules, win_estimate};
    ///
    /// let estimate = win_estimate(860, 1000, &Rules::standard())?;
    /// assert_eq!(format!("{:.2}", estimate.lower()), "0.50"); // the true chance is 0.5508
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// Returns a proven upper bound on the chance.
    ///
    /// # Examples
    /// The dice have no faces to win with, so the chance is proven to be 0:
    /// ```
    /// use oddsmith_risk::{Rules, win_estimate};
    ///
    /// let blank = Rules::standard().sides(1, 6)?;
    /// assert_eq!(win_estimate(1_000_000, 1, &blank)?.upper(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn upper(&self) -> f64 {
        self.upper
    }
}

/// The constant of the Berry–Esseen theorem for equal distributions: I. Shevtsova, "On the absolute
/// constants in the Berry–Esseen inequality and its structural and nonuniform improvements" (2013).
const BERRY_ESSEEN: f64 = 0.4690;

/// How many units in hand are tried for bounding the end of a battle.
const MARGIN: u32 = 80;

/// Armies are large from this many times the forces at which dice change last.
const NEAR: u32 = 4;

/// Dice that change only up to this many units make almost no difference to any estimate.
const FEW: u32 = 64;

/// Battles with at most this many states may be followed throw by throw.
const MOST_STATES: u64 = 1 << 28;

/// Battles with so few states take about as long as the two by which an estimate is adjusted.
const FEW_STATES: u128 = 1 << 16;

/// The number of throws of the smaller battle by which the estimate is adjusted.
const MODEL: f64 = 100.0;

/// Estimates the chance that this many attackers win against this many defenders, in a time that
/// does not depend on the size of the armies.
///
/// **The estimate.** While both armies are large the throws are alike: the defender loses W units
/// and the attacker m − W, where W has mean ω and standard deviation σ. After n = (A + D)/m throws
/// all units together would be gone. The attackers win if the defender's losses reach D by then,
/// which has nearly the chance Φ(z), z = (ωn − D)/(σ√n). The end of a battle, where dice change,
/// and the skewness of the losses shift z by s/(σ√n), where s depends on z and, to second order, on
/// 1/√n. It is taken from two battles with the same z, of 100 and 400 throws, computed throw by
/// throw.
///
/// **The bounds** are proven. For the free walk they use the Berry–Esseen theorem, C·ρ/(σ³√n) with
/// C = 0.469. For the end they use the exact chances of a side with k units in hand against one
/// whose dice have changed, with the best k. They are wide, of the order of 1/√n.
///
/// **Measured** against the exact chain, by the standard rules with every number of attackers from
/// 0.8 to 1.2 times that of an even battle, the error of the estimate was at most 0.0003 against
/// 100 defenders, 0.00005 against 300, 0.00007 against 1000, 0.00006 against 3000 and 0.00004
/// against 10000. It depends on how near the two smaller battles come to the same z in whole units,
/// so it falls slowly and not evenly. The bounds are at most 0.12 apart against 1000 defenders and
/// 0.05 against 10000.
///
/// **A side that cannot win**, whatever the dice show, because its opponent's last units cannot be
/// taken, has the chance 0. This is proven, so the bounds are the same. If they can be taken, but
/// almost never, then for armies so unequal that Φ(z) is within 10⁻⁶ of 0 or 1 the estimate is Φ(z)
/// alone, without the end of the battle.
///
/// **Forces near those at which dice change** are not large armies. If rules tell throws apart up
/// to some thousands of units (a second die from 2,000 defenders on), battles of less than four
/// times as many are followed throw by throw. So are, by the standard rules, small battles in which
/// a side has only a handful of units. Dice that change beyond the forces of the battle change
/// nothing.
///
/// Below some thousands of units, [`Battle::win_f64`] is exact and fast enough.
///
/// # Errors
/// [`Error::NoUnits`] if either number is zero; [`Error::TooLarge`] and [`Error::ThrowsTooLarge`]
/// for throws of too many dice; [`Error::Unsettled`] if dice change up to forces that are too large
/// to be followed.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Battle, Rules, win_estimate};
///
/// let rules = Rules::standard();
/// let large = win_estimate(42_700, 50_000, &rules)?;
/// assert_eq!(format!("{:.3}", large.chance()), "0.535");
/// assert!(large.lower() < large.chance() && large.chance() < large.upper());
///
/// let exact = Battle::new(860, 1000)?.win_f64()?;
/// assert!((win_estimate(860, 1000, &rules)?.chance() - exact).abs() < 1e-4);
///
/// // A second defence die that comes too late for this battle:
/// let single = Rules::standard().max_dice(3, 1)?;
/// let late = Rules::standard().second_defence_die_from(u32::MAX)?;
/// assert_eq!(win_estimate(5_000, 10_000, &late)?, win_estimate(5_000, 10_000, &single)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn win_estimate(attackers: u32, defenders: u32, rules: &Rules) -> Result<Estimate, Error> {
    Battle::new(attackers, defenders)?;
    let size = Size::new(attackers, defenders);
    let (rows, columns) = chain::settled(rules, attackers, defenders);
    let unsettled = |error| match error {
        Error::BattleTooLarge { .. } | Error::RowsTooLarge { .. } => Error::Unsettled {
            attackers: rows,
            defenders: columns,
        },
        error => error,
    };
    let chain = Chain::new(attackers, defenders, rules).map_err(unsettled)?;
    let reversed = chain.reversed();
    let sure = match (cannot_win(&chain), cannot_win(&reversed)) {
        (true, _) => Some(0.0),
        (false, true) => Some(1.0),
        (false, false) => None,
    };
    if let Some(chance) = sure {
        return Ok(Estimate {
            chance,
            lower: chance,
            upper: chance,
        });
    }
    let near = attackers / NEAR < rows || defenders / NEAR < columns;
    let estimate = match near && (rows.max(columns) > FEW || size.work() <= FEW_STATES) {
        true => followed(&chain, size),
        false => estimated(&chain, &reversed, [attackers, defenders].map(f64::from)),
    };
    estimate.map_err(unsettled)
}

/// Estimates a battle of large armies.
fn estimated(chain: &Chain, reversed: &Chain, units: [f64; 2]) -> Result<Estimate, Error> {
    let walk = Walk::new(chain);
    let lower = walk.bound(chain, units)?;
    let other = Walk::new(reversed);
    let upper = 1.0 - other.bound(reversed, [units[1], units[0]])?;
    let chance = walk.chance(chain, units)?.clamp(lower, upper);
    Ok(Estimate {
        chance,
        lower,
        upper,
    })
}

/// Follows a battle throw by throw.
fn followed(chain: &Chain, size: Size) -> Result<Estimate, Error> {
    size.check("a battle instead of an estimate", MOST_STATES)?;
    let mut win = 0.0;
    let frontier = Frontier::default();
    rows::sweep(chain, &frontier, size, rows::won, 0.0, |_, row| {
        win = row.last().copied().unwrap_or(0.0);
        true
    })?;
    let units = f64::from(size.attackers) + f64::from(size.defenders);
    let error = rows::relative_error(size, 4) * win + rows::NOTHING * units;
    Ok(Estimate {
        chance: win,
        lower: (win - error).max(0.0),
        upper: (win + error).min(1.0),
    })
}

/// Returns whether no number of attackers can win against any number of defenders, up to those of
/// the battle.
///
/// The last throw of a battle that is won takes all remaining defenders, no more than one throw
/// costs. So it is enough that no throw against so few can do this, with any number of attackers.
fn cannot_win(chain: &Chain) -> bool {
    let takes = |attackers, defenders| {
        let throw = chain.at(attackers, defenders);
        throw.may(|won| won == defenders)
    };
    let few = chain.reach() as u32;
    !(1..=chain.settled().0).any(|attackers| (1..=few).any(|left| takes(attackers, left)))
}

/// The losses of the defender if all throws were those of large armies.
struct Walk {
    pairs: f64,
    mean: f64,
    deviation: f64,
    /// The third absolute central moment divided by the cube of the deviation.
    skew: f64,
}

impl Walk {
    fn new(chain: &Chain) -> Self {
        let throw = chain.at(u32::MAX, u32::MAX);
        let moment = |value: &dyn Fn(f64) -> f64| -> f64 {
            let terms = throw.list.iter();
            let terms = terms.map(|outcome| outcome.chance * value(f64::from(outcome.defenders)));
            terms.sum()
        };
        let mean = moment(&|won| won);
        let deviation = moment(&|won| (won - mean).powi(2)).sqrt();
        let third = moment(&|won| (won - mean).abs().powi(3));
        Walk {
            pairs: throw.pairs().into(),
            mean,
            deviation,
            skew: third / deviation.powi(3),
        }
    }

    /// Returns a lower bound on P(losses of n throws ≥ least).
    fn at_least(&self, least: f64, n: f64) -> f64 {
        if n <= 0.0 || self.deviation == 0.0 {
            return f64::from(u8::from(n >= 0.0 && self.mean * n >= least));
        }
        let root = n.sqrt();
        let normal = cumulative((self.mean * n - least) / (self.deviation * root));
        normal - BERRY_ESSEEN * self.skew / root - 1e-12
    }

    /// Returns a lower bound on the chance that the attackers win.
    ///
    /// Let c be the largest number of defenders at which the dice change, and suppose that n throws
    /// of large armies would cost at least D − c defenders, where n·m ≤ A − k + D − c. Then they
    /// cost at most A − k attackers. So when at most c defenders were left, at least k attackers
    /// were, all throws had been those of large armies, and the rest is won with at least the
    /// chance of the worst such state. Among the chances of k or more attackers against c or fewer
    /// defenders, the smallest is in the first rows, since each later chance is a mean of chances
    /// of these and of later rows with fewer defenders.
    fn bound(&self, chain: &Chain, [attackers, defenders]: [f64; 2]) -> Result<f64, Error> {
        let (rows, columns) = chain.settled();
        let few = columns - 1;
        let reach = chain.reach() as u32;
        let size = Size::new(rows.saturating_add(MARGIN + reach), few);
        size.check("the bounds of an estimate", 1 << 24)?;
        let mut worst = Vec::new();
        rows::sweep(
            chain,
            &Frontier::default(),
            size,
            rows::won,
            0.0,
            |_, row| {
                worst.push(row.iter().fold(1.0, |worst: f64, &win| worst.min(win)));
                true
            },
        )?;
        let rounding = 1.0 - rows::relative_error(size, 4);
        let mut bound = 0.0_f64;
        for k in rows..=rows + MARGIN {
            let left = f64::from(few);
            if f64::from(k) > attackers || left > defenders {
                break;
            }
            let window = worst.iter().skip(k as usize).take(reach as usize);
            let end = window.fold(1.0, |worst: f64, &win| worst.min(win)) * rounding;
            let n = ((attackers - f64::from(k) + defenders - left) / self.pairs).floor();
            bound = bound.max(self.at_least(defenders - left, n) * end);
        }
        Ok(bound)
    }

    fn chance(&self, chain: &Chain, [attackers, defenders]: [f64; 2]) -> Result<f64, Error> {
        let n = (attackers + defenders) / self.pairs;
        if self.deviation == 0.0 {
            return Ok(f64::from(u8::from(self.mean * n >= defenders)));
        }
        let z = self.score(n, defenders);
        let plain = cumulative(z);
        if !(1e-6..=1.0 - 1e-6).contains(&plain) {
            return Ok(plain);
        }
        let settled = f64::from(chain.settled().0) + f64::from(chain.settled().1);
        let small = MODEL.max(settled);
        // How a battle ends depends on whether its units are whole throws.
        let rest = (attackers + defenders) % self.pairs;
        let (root, shift) = self.model(chain, small * self.pairs + rest, z)?;
        let (other_root, other_shift) = self.model(chain, 4.0 * small * self.pairs + rest, z)?;
        // The shift as a function of 1/√n, through both.
        let slope = (other_shift - shift) / (other_root.recip() - root.recip());
        let shift = shift + slope * (n.sqrt().recip() - root.recip());
        Ok(cumulative(z + shift / n.sqrt()))
    }

    /// (ωn − D)/(σ√n).
    fn score(&self, n: f64, defenders: f64) -> f64 {
        (self.mean * n - defenders) / (self.deviation * n.sqrt())
    }

    /// Computes a battle of this many units with the same z, or as near to it as whole units allow.
    /// Returns √n, and the shift of z there times √n.
    fn model(&self, chain: &Chain, units: f64, z: f64) -> Result<(f64, f64), Error> {
        let throws = units / self.pairs;
        let fewer = (self.mean * throws - z * self.deviation * throws.sqrt()).round();
        let fewer = fewer.clamp(1.0, units - 1.0);
        let size = Size::new((units - fewer) as u32, fewer as u32);
        size.check("the model of an estimate", MOST_STATES)?;
        let (frontier, mut win) = (Frontier::default(), 0.0);
        rows::sweep(chain, &frontier, size, rows::won, 0.0, |_, row| {
            win = row.last().copied().unwrap_or(0.0);
            true
        })?;
        let root = throws.sqrt();
        Ok((root, (quantile(win) - self.score(throws, fewer)) * root))
    }
}

/// Bounds are rounded outwards.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower = (1e4 * self.lower).floor() / 100.0;
        let upper = (1e4 * self.upper).ceil() / 100.0;
        write!(
            f,
            "{:.2} %, between {lower:.2} % and {upper:.2} %",
            100.0 * self.chance
        )
    }
}
