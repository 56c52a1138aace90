//! The binomial model of a battle: the same chance for every pair, to the end.

use std::ops::RangeInclusive;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Pow, ToPrimitive, Zero};
use oddsmith_dice::IntoRatio;
use oddsmith_mdp::Solver;

use crate::{Battle, DEFAULT_WORK, Error, Forces, Losses, Rules, Side};

/// Georgiou's Model 2 (section 6). Every pair of dice costs the defender a unit with the same
/// chance P_A, and the attacker a unit otherwise, independently of what came before. Of A + D − 1
/// pairs, the attackers must win at least D.
///
/// The model is exact where every throw is one die against one, and nowhere else. With more dice,
/// the pairs of a throw depend on each other, and towards the end fewer dice are left.
/// [`error`](BinomialModel::error) computes its error.
///
/// # Examples
/// A hero in the attack: P_A = 7/12 with one die each, which the paper takes for the attacker's
/// best choice (its Table 5). Three dice would win more often:
/// ```
/// use oddsmith_risk::{Battle, BinomialModel, Rules};
///
/// let model = BinomialModel::new((7, 12))?;
/// assert_eq!(format!("{:.4}", model.win_f64(10, 10)?), "0.7707"); // Table 5: 77,08%
/// let battle = Battle::new(10, 10)?;
/// let hero = Rules::standard().hero_attacks();
/// let one_die = battle.clone().rules(hero.clone().max_dice(1, 1)?);
/// assert_eq!(model.win(10, 10)?, one_die.win()?); // exactly
/// assert_eq!(format!("{:.4}", battle.rules(hero).win_f64()?), "0.8751");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "Model 2")]
pub struct BinomialModel {
    share: BigRational,
}

impl BinomialModel {
    /// Creates a model in which the attacker wins each pair with this chance.
    ///
    /// # Errors
    /// [`Error::Dice`] if it is not a number from 0 to 1.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BinomialModel;
    ///
    /// let paper = BinomialModel::new("0.51975")?; // as rounded for Table 3
    /// assert_eq!(format!("{:.4}", paper.win_f64(3, 3)?), "0.5370");
    /// assert!(BinomialModel::new((3, 2)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(share: impl IntoRatio) -> Result<Self, Error> {
        let share = share.into_ratio()?;
        if share < BigRational::zero() || share > BigRational::one() {
            return Err(oddsmith_dice::Error::NotAProbability { value: share }.into());
        }
        Ok(BinomialModel { share })
    }

    /// Creates a model in which the attacker wins each pair as often as in throws with these
    /// losses. This is the share P_A, not halved as in the paper.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{BinomialModel, Throw};
    ///
    /// let model = BinomialModel::of(&Throw::new(3, 2)?.expected_losses()?);
    /// assert_eq!(model.share().to_string(), "2797/5184");
    /// // Asymptotically right, and too high for small battles: the chain has 0.8244.
    /// assert_eq!(format!("{:.4}", model.win_f64(100, 100)?), "0.8684");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(losses: &Losses) -> Self {
        BinomialModel {
            share: losses.attacker_share(),
        }
    }

    /// Returns P_A, the chance that the attacker wins a pair.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(oddsmith_risk::BinomialModel::new("0.25")?.share().to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "P_A")]
    pub fn share(&self) -> &BigRational {
        &self.share
    }

    /// Returns the chance that this many attackers eliminate this many defenders.
    ///
    /// # Errors
    /// [`Error::NoUnits`] if either number is zero, [`Error::BinomialTooLarge`] if the fraction
    /// would take more than [`DEFAULT_WORK`] steps.
    ///
    /// # Complexity
    /// O(min(A, D)) products of a number of (A + D)·log₂ q bits by a small one, for P_A = p/q, and
    /// one reduction.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BinomialModel;
    ///
    /// let third = BinomialModel::new((1, 3))?; // Table 11: 70,37%
    /// assert_eq!(third.win(3, 1)?.to_string(), "19/27");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win(&self, attackers: u32, defenders: u32) -> Result<BigRational, Error> {
        self.win_within(attackers, defenders, DEFAULT_WORK)
    }

    /// Returns [`win`](BinomialModel::win) with a given limit on the steps. A step is the
    /// multiplication of a 64-bit word, or what takes as long.
    ///
    /// # Errors
    /// As for [`win`](BinomialModel::win).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::{BinomialModel, Error};
    ///
    /// let even = BinomialModel::new((1, 2))?;
    /// assert!(matches!(even.win_within(500, 500, 1000), Err(Error::BinomialTooLarge { .. })));
    /// assert_eq!(even.win(500, 500)?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_within(
        &self,
        attackers: u32,
        defenders: u32,
        limit: u64,
    ) -> Result<BigRational, Error> {
        check_units(attackers, defenders)?;
        let whole = self.share.denom().magnitude();
        let won = self.share.numer().magnitude();
        let pairs = u64::from(attackers - 1) + u64::from(defenders);
        let bits = u128::from(pairs) * u128::from(whole.bits());
        let words = 1 + bits / 64;
        // The products, and the reduction, which takes one step for each bit and word.
        let work = u128::from(attackers.min(defenders)) * words * 4 + bits * words * 2;
        if work > u128::from(limit) {
            return Err(Error::BinomialTooLarge {
                attackers,
                defenders,
                work,
                limit,
            });
        }
        let lost = whole - won;
        // The shorter sum: over the pairs that the other side wins before the last pair decides.
        let win = if attackers <= defenders {
            decided(won, defenders, &lost, attackers, whole)
        } else {
            let all: BigUint = Pow::pow(whole, pairs);
            all - decided(&lost, attackers, won, defenders, whole)
        };
        Ok(BigRational::new(
            win.into(),
            BigInt::from(Pow::pow(whole, pairs)),
        ))
    }

    /// Returns [`win`](BinomialModel::win) as a float, for armies of any size.
    ///
    /// The relative error is at most 16·(A + D)·2⁻⁵³. A chance below 10⁻²⁹⁰ may be returned as
    /// less, or as 0.
    ///
    /// # Errors
    /// [`Error::NoUnits`] if either number is zero.
    ///
    /// # Complexity
    /// O(√(A + D)) terms around the most likely number of pairs won; the others vanish.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::BinomialModel;
    ///
    /// let model = BinomialModel::new((2797, 5184))?;
    /// assert_eq!(format!("{:.4}", model.win_f64(86, 100)?), "0.5193");
    /// assert_eq!(format!("{:.4}", model.win_f64(1_000_000, 1_171_000)?), "0.6840");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_f64(&self, attackers: u32, defenders: u32) -> Result<f64, Error> {
        check_units(attackers, defenders)?;
        let pairs = u64::from(attackers - 1) + u64::from(defenders);
        if self.share.is_zero() || self.share.is_one() {
            return Ok(f64::from(u8::from(self.share.is_one())));
        }
        let odds = &self.share / (BigRational::one() - &self.share);
        // The terms are relative to the greatest one, C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ at its mode, so that
        // nothing underflows that matters. Their sum is the scale.
        let up = odds.to_f64().unwrap_or(f64::INFINITY);
        let mode = BigRational::from_integer((pairs + 1).into()) * &self.share;
        let mode = mode.to_integer().to_u64().unwrap_or(pairs).min(pairs);
        let defenders = u64::from(defenders);
        let (mut below, mut above) = (0.0, 0.0);
        let mut count = |k: u64, term: f64| {
            if k < defenders {
                below += term;
            } else {
                above += term;
            }
        };
        count(mode, 1.0);
        // Subnormal terms are no smaller for a factor above 1/2: stop before.
        let mut term = 1.0;
        for k in mode..pairs {
            term *= (pairs - k) as f64 / (k + 1) as f64 * up;
            if term < f64::MIN_POSITIVE {
                break;
            }
            count(k + 1, term);
        }
        term = 1.0;
        for k in (1..=mode).rev() {
            term *= k as f64 / (pairs - k + 1) as f64 / up;
            if term < f64::MIN_POSITIVE {
                break;
            }
            count(k - 1, term);
        }
        Ok(above / (below + above))
    }

    /// Compares the model with the battle fought by these rules, over all armies of these sizes.
    ///
    /// # Errors
    /// [`Error::NoUnits`] for a range that starts at zero, [`Error::NoArmies`] for an empty range,
    /// and the errors of [`Battle::solve_with`].
    ///
    /// # Complexity
    /// One battle of the largest armies, in floats, and O(√(A + D)) terms for each cell.
    ///
    /// # Examples
    /// All 182 cells of Table 3: two errors that partly cancel.
    /// ```
    /// use oddsmith_risk::{BinomialModel, Rules};
    ///
    /// let paper = BinomialModel::new("0.51975")?;
    /// let error = paper.error(&Rules::standard(), 3..=15, 2..=15)?;
    /// assert_eq!(error.cells, 182);
    /// assert_eq!(format!("{:.4} {:.4}", error.mean, error.mean_absolute), "0.0056 0.0155");
    /// assert_eq!(format!("{:.4}", error.greatest), "0.0667");
    /// assert_eq!((error.at.attackers, error.at.defenders), (3, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn error(
        &self,
        rules: &Rules,
        attackers: RangeInclusive<u32>,
        defenders: RangeInclusive<u32>,
    ) -> Result<ModelError, Error> {
        let win = |at: Forces| self.win_f64(at.attackers, at.defenders);
        ModelError::of(win, rules, attackers, defenders)
    }
}

/// The difference between a model's chances to win and the true ones.
///
/// # Examples
/// One die against one in every throw: right for a single attacker, too low for two.
/// ```
/// use oddsmith_risk::{BinomialModel, Rules};
///
/// let error = BinomialModel::new((5, 12))?.error(&Rules::standard(), 1..=2, 1..=1)?;
/// assert_eq!((error.cells, error.at.attackers, error.at.defenders), (2, 2, 1));
/// assert_eq!(format!("{:.4}", error.greatest), "-0.0945"); // 95/144 less 1955/2592
/// assert_eq!(format!("{:.4}", error.mean), "-0.0473"); // half of it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ModelError {
    /// The number of battles compared.
    pub cells: usize,
    /// The mean of the model's chance minus the true one.
    pub mean: f64,
    /// The mean absolute value of that difference.
    pub mean_absolute: f64,
    /// The difference with the greatest absolute value, with its sign.
    pub greatest: f64,
    /// The forces at which it occurs; the first of equal ones.
    pub at: Forces,
}

impl ModelError {
    /// Compares chances to win with those of battles by these rules.
    pub(crate) fn of(
        win: impl Fn(Forces) -> Result<f64, Error>,
        rules: &Rules,
        attackers: RangeInclusive<u32>,
        defenders: RangeInclusive<u32>,
    ) -> Result<Self, Error> {
        if attackers.is_empty() || defenders.is_empty() {
            return Err(Error::NoArmies);
        }
        check_units(*attackers.start(), *defenders.start())?;
        let largest = Battle::new(*attackers.end(), *defenders.end())?.rules(rules.clone());
        let solution = largest.solve_with(Solver::float())?;
        let mut error = ModelError {
            cells: 0,
            mean: 0.0,
            mean_absolute: 0.0,
            greatest: 0.0,
            at: Forces {
                attackers: *attackers.start(),
                defenders: *defenders.start(),
            },
        };
        for attackers in attackers {
            for defenders in defenders.clone() {
                let at = Forces {
                    attackers,
                    defenders,
                };
                let off = win(at)? - solution.value_of(&at)?;
                error.cells += 1;
                error.mean += off;
                error.mean_absolute += off.abs();
                if off.abs() > error.greatest.abs() {
                    (error.greatest, error.at) = (off, at);
                }
            }
        }
        error.mean /= error.cells as f64;
        error.mean_absolute /= error.cells as f64;
        Ok(error)
    }
}

/// Returns the chance to win this many pairs before the other side has won so many, multiplied by
/// `whole` to the power of all pairs but one. It is the sum over the pairs j that the other side
/// has won by then, C(wins − 1 + j, j) wonʷⁱⁿˢ lostʲ, brought to one denominator by Horner's rule.
fn decided(won: &BigUint, wins: u32, lost: &BigUint, others: u32, whole: &BigUint) -> BigUint {
    let mut sum = BigUint::zero();
    let mut term = BigUint::one();
    for pairs in 0..others {
        sum = sum * whole + &term;
        term = term * lost * (u64::from(wins) + u64::from(pairs)) / (pairs + 1);
    }
    let first: BigUint = Pow::pow(won, wins);
    sum * first
}

fn check_units(attackers: u32, defenders: u32) -> Result<(), Error> {
    let both = [(attackers, Side::Attacker), (defenders, Side::Defender)];
    match both.into_iter().find(|&(units, _)| units == 0) {
        Some((_, side)) => Err(Error::NoUnits { side }),
        None => Ok(()),
    }
}
