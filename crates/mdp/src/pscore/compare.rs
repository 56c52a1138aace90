//! Comparing two actions about which little is known: as published, and soundly.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use oddsmith_dice::IntoRatio;

use super::{PScore, Thunk, afford};
use crate::Error;
use crate::score::compare;

/// Compares by `scoreCompare` exactly as published. **Unsound:** it may return the wrong order. For
/// a reliable answer use [`compare_by_bounds`].
///
/// This is the rule of "Solving a gamebook: a smarter solver", clause by clause. It takes the mean
/// so far, s / p, for a bound on the expected score, both from above (`sa > sb / pb`) and from
/// below (`sa / pa > sb + (1 - pb) * smax`). It is neither: the expected score lies between s and
/// s + (1 − p) · smax. No order of the outcomes corrects this.
///
/// It errs in 9 to 10 % of random decisions between two actions of 3 to 8 outcomes, the likeliest
/// first, with weights of 1 to 100 and scores uniform on [0, 1]. If the outcomes are in random
/// order, it errs in 13 to 17 %. (These are results for 4,000 decisions each in this crate's
/// tests.) It is not even transitive.
///
/// # Errors
/// [`Error::NothingSeen`] if the rule divides by a probability of 0; those of [`Thunk::force`];
/// [`Error::Dice`] for an `smax` that is too long, as for [`compare_by_bounds`].
///
/// # Examples
/// It can be wrong in three ways. First, `sa > sb / pb`: 1/100 is preferred to an action worth 2/5.
/// ```
/// use oddsmith_mdp::{PScore, compare_by_bounds, score_compare};
///
/// let a = PScore::known([((1, 1), (1, 100))])?;
/// let b = PScore::known([((3, 5), 0), ((2, 5), 1)])?;
/// assert!(score_compare(1, &a, &b)?.is_gt()); // wrong
/// assert!(compare_by_bounds(1, &a, &b)?.is_lt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// Second, `sa / pa > sb + (1 - pb) * smax`: 3/5 is preferred to 47/50.
/// ```
/// # use oddsmith_mdp::{PScore, compare_by_bounds, score_compare};
/// let a = PScore::known([((3, 5), 1), ((2, 5), 0)])?;
/// let b = PScore::known([((3, 5), (9, 10)), ((2, 5), (1, 1))])?;
/// assert!(score_compare(1, &a, &b)?.is_gt()); // wrong
/// assert!(compare_by_bounds(1, &a, &b)?.is_lt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// Third, the same with many small outcomes: 1/10 is preferred to 999/1000.
/// ```
/// # use oddsmith_mdp::{PScore, compare_by_bounds, score_compare};
/// let a = PScore::known((0..10).map(|k| ((1, 10), i32::from(k == 0))))?;
/// let b = PScore::known((0..10).map(|k| ((1, 10), if k == 0 { (99, 100) } else { (1, 1) })))?;
/// assert!(score_compare(1, &a, &b)?.is_gt()); // wrong
/// assert!(compare_by_bounds(1, &a, &b)?.is_lt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "scoreCompare")]
pub fn score_compare(
    smax: impl IntoRatio,
    a: &Thunk<'_>,
    b: &Thunk<'_>,
) -> Result<Ordering, Error> {
    published(&smax.into_ratio()?, a.force()?, b.force()?)
}

/// Compares by the published rule, but passes over approximations until they know at least the
/// probability `skip` (the source's author used 1/2).
///
/// **Unsound:** this only limits the loss to (1 − skip) · smax. With 1/2, it errs in 4 to 6 % of
/// the decisions described at [`score_compare`], and in 5 to 8 % in random order.
///
/// # Errors
/// The same as for [`score_compare`], and [`Error::BadParameter`] unless 0 ≤ `skip` ≤ 1.
///
/// # Examples
/// ```
/// use oddsmith_mdp::{PScore, score_compare, score_compare_skipping};
///
/// let a = PScore::known((0..10).map(|k| ((1, 10), i32::from(k == 0))))?;
/// let b = PScore::known((0..10).map(|k| ((1, 10), if k == 0 { (99, 100) } else { (1, 1) })))?;
/// assert!(score_compare(1, &a, &b)?.is_gt()); // 1/10 over 999/1000
/// assert!(score_compare_skipping(1, (1, 2), &a, &b)?.is_lt());
///
/// let a = PScore::known([((3, 5), 1), ((2, 5), 0)])?;
/// let b = PScore::known([((3, 5), (9, 10)), ((2, 5), (1, 1))])?;
/// assert!(score_compare_skipping(1, (1, 2), &a, &b)?.is_gt()); // 3/5 over 47/50
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn score_compare_skipping(
    smax: impl IntoRatio,
    skip: impl IntoRatio,
    a: &Thunk<'_>,
    b: &Thunk<'_>,
) -> Result<Ordering, Error> {
    let skip = skip.into_ratio()?;
    if skip.is_negative() || compare(&skip, &BigRational::one()).is_gt() {
        return Err(Error::BadParameter {
            parameter: "the probability to skip",
            given: skip.to_string(),
            allowed: "between 0 and 1",
        });
    }
    let (a, b) = (passing(a, &skip)?, passing(b, &skip)?);
    published(&smax.into_ratio()?, a, b)
}

/// Returns the number of bits of the longer part of a fraction.
fn length(ratio: &BigRational) -> u64 {
    ratio.numer().bits().max(ratio.denom().bits())
}

/// Returns the first link that knows at least the probability `skip`.
fn passing<'t, 'a>(thunk: &'t Thunk<'a>, skip: &BigRational) -> Result<&'t PScore<'a>, Error> {
    let mut link = thunk.force()?;
    while let PScore::Approximate { proba, next, .. } = link
        && compare(proba, skip).is_lt()
    {
        link = next.force()?;
    }
    Ok(link)
}

fn published(
    smax: &BigRational,
    mut a: &PScore<'_>,
    mut b: &PScore<'_>,
) -> Result<Ordering, Error> {
    use PScore::{Approximate, Certain};
    let mean = |s: &BigRational, p: &BigRational| {
        if p.is_zero() {
            return Err(Error::NothingSeen);
        }
        Ok(s / p)
    };
    let highest = |s: &BigRational, p: &BigRational| s + (BigRational::one() - p) * smax;
    let (mut links, bits) = (0, length(smax));
    loop {
        match (a, b) {
            (Certain(sa), Certain(sb)) => return Ok(compare(sa, sb)),
            (
                Certain(sa),
                Approximate {
                    proba,
                    pscore,
                    next,
                },
            ) => {
                if compare(sa, pscore).is_lt() {
                    return Ok(Ordering::Less);
                }
                if compare(sa, &mean(pscore, proba)?).is_gt() {
                    return Ok(Ordering::Greater);
                }
                b = next.force()?;
            }
            (
                Approximate {
                    proba,
                    pscore,
                    next,
                },
                Certain(sb),
            ) => {
                if compare(sb, pscore).is_lt() {
                    return Ok(Ordering::Greater);
                }
                if compare(sb, &mean(pscore, proba)?).is_gt() {
                    return Ok(Ordering::Less);
                }
                a = next.force()?;
            }
            (
                Approximate {
                    proba: pa,
                    pscore: sa,
                    next: na,
                },
                Approximate {
                    proba: pb,
                    pscore: sb,
                    next: nb,
                },
            ) => {
                links += 1;
                afford("the highest score", links, bits)?;
                if compare(&mean(sa, pa)?, &highest(sb, pb)).is_gt() {
                    return Ok(Ordering::Greater);
                }
                if compare(&mean(sb, pb)?, &highest(sa, pa)).is_gt() {
                    return Ok(Ordering::Less);
                }
                if compare(pa, pb).is_gt() {
                    b = nb.force()?;
                } else {
                    a = na.force()?;
                }
            }
        }
    }
}

/// Compares two expected scores correctly, and computes no more outcomes than this takes.
///
/// Let s be the sum over the known outcomes and p their probability. Then the expected score lies
/// between s and s + (1 − p) · `smax`. If each outcome has [its own bounds](PScore::chain_bounded),
/// it lies between s + Σ p·low and s + Σ p·high, summed over the unknown ones. As long as the two
/// intervals overlap, the wider one is narrowed by one outcome (that of the first action, if they
/// are equally wide). What was computed earlier is used at no cost. Scores are reported as equal
/// only when everything that matters is known.
///
/// # Errors
/// [`Error::ScoreOutOfBounds`] for a score above `smax` or outside its own bounds;
/// [`Error::BadParameter`] for a negative `smax`; [`Error::Dice`] with
/// [`TooLarge`](oddsmith_dice::Error::TooLarge) for one whose squared number of words, times the
/// number of outcomes considered, exceeds 2²⁸; and those of [`Thunk::force`].
///
/// # Complexity
/// One step for each link of both chains that is known or becomes known.
///
/// # Examples
/// One outcome of each action decides:
/// ```
/// use oddsmith_mdp::{PScore, compare_by_bounds};
///
/// let good = PScore::known([((7, 10), 1), ((2, 10), 0), ((1, 10), 1)])?;
/// let bad = PScore::known([((7, 10), 0), ((2, 10), 1), ((1, 10), 0)])?;
/// assert!(compare_by_bounds(1, &good, &bad)?.is_gt()); // 7/10.. against ..3/10
/// assert_eq!((good.forced(), bad.forced()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare_by_bounds(
    smax: impl IntoRatio,
    a: &Thunk<'_>,
    b: &Thunk<'_>,
) -> Result<Ordering, Error> {
    let smax = smax.into_ratio()?;
    afford("the highest score", 1, length(&smax))?;
    if smax.is_negative() {
        return Err(Error::BadParameter {
            parameter: "the highest score",
            given: smax.to_string(),
            allowed: "0 or more",
        });
    }
    let (mut a, mut b) = (View::of(a, &smax), View::of(b, &smax));
    while a.known() {
        a.advance()?;
    }
    while b.known() {
        b.advance()?;
    }
    loop {
        let ((a_low, a_high), (b_low, b_high)) = (a.bounds(), b.bounds());
        if compare(&a_low, &b_high).is_gt() {
            return Ok(Ordering::Greater);
        }
        if compare(&a_high, &b_low).is_lt() {
            return Ok(Ordering::Less);
        }
        let (a_width, b_width) = (a_high - a_low, b_high - b_low);
        if a_width.is_zero() && b_width.is_zero() {
            return Ok(Ordering::Equal);
        }
        if compare(&a_width, &b_width).is_ge() {
            a.advance()?;
        } else {
            b.advance()?;
        }
    }
}

/// How much of a chain has been considered.
struct View<'t, 'a> {
    /// The next link to be considered, or `None` at the end.
    thunk: Option<&'t Thunk<'a>>,
    proba: BigRational,
    pscore: BigRational,
    smax: &'t BigRational,
    /// The number of links considered.
    links: usize,
}

impl<'t, 'a> View<'t, 'a> {
    fn of(thunk: &'t Thunk<'a>, smax: &'t BigRational) -> Self {
        View {
            thunk: Some(thunk),
            proba: BigRational::zero(),
            pscore: BigRational::zero(),
            smax,
            links: 0,
        }
    }

    fn known(&self) -> bool {
        self.thunk.is_some_and(|thunk| thunk.peek().is_some())
    }

    fn bounds(&self) -> (BigRational, BigRational) {
        let s = &self.pscore;
        match self.thunk {
            None => (s.clone(), s.clone()),
            Some(thunk) => match thunk.remaining.as_deref() {
                Some((low, high)) => (s + low, s + high),
                None => (
                    s.clone(),
                    s + (BigRational::one() - &self.proba) * self.smax,
                ),
            },
        }
    }

    fn advance(&mut self) -> Result<(), Error> {
        let Some(thunk) = self.thunk else {
            return Ok(());
        };
        if thunk.remaining.is_none() {
            self.links += 1;
            afford("the highest score", self.links, length(self.smax))?;
        }
        let (proba, pscore, next) = match thunk.force()? {
            PScore::Approximate {
                proba,
                pscore,
                next,
            } => (proba.clone(), pscore, Some(next)),
            PScore::Certain(score) => (BigRational::one(), score, None),
        };
        let (share, gain) = (&proba - &self.proba, pscore - &self.pscore);
        if thunk.remaining.is_none() && compare(&gain, &(&share * self.smax)).is_gt() {
            return Err(Error::ScoreOutOfBounds {
                outcome: thunk.outcome,
                score: (gain / share).to_string(),
                low: "0".to_owned(),
                high: self.smax.to_string(),
            });
        }
        (self.proba, self.pscore, self.thunk) = (proba, pscore.clone(), next);
        Ok(())
    }
}
