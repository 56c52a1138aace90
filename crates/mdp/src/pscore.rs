//! Scores computed outcome by outcome, as far as a comparison needs them.

mod compare;

use std::cell::{Cell, OnceCell};
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use oddsmith_dice::IntoRatio;

use crate::score::compare;
use crate::{Error, Score};

pub use compare::{compare_by_bounds, score_compare, score_compare_skipping};

/// The default of [`PScore::chain_within`]. Before the limit is found to be exceeded, each outcome
/// takes some 200 bytes.
const MAX_OUTCOMES: usize = 1 << 20;

/// The maximum work for all links of a chain: the number of outcomes times the square of the number
/// of words of their common denominator or of a numerator, since each link is a fraction reduced to
/// lowest terms.
const MAX_WORK: u128 = 1 << 28;

/// Returns an error if numbers of this many bits are too long for the links of this many outcomes.
/// Called before the numbers are created.
fn afford(what: &str, outcomes: usize, bits: u64) -> Result<(), Error> {
    let words = u128::from(bits.div_ceil(64));
    let limit = (MAX_WORK / (outcomes as u128).max(1)).isqrt();
    if words <= limit {
        return Ok(());
    }
    Err(oddsmith_dice::Error::TooLarge {
        operation: format!("{what} of {outcomes} outcomes of an action"),
        words,
        limit: limit as u64,
    }
    .into())
}

/// Makes `common` a multiple of the denominator of one of this many outcomes, if that can be
/// afforded. Returns the factor by which it was multiplied, or `None` if it already was a multiple.
fn widen(
    common: &mut BigInt,
    denominator: &BigInt,
    outcomes: usize,
) -> Result<Option<BigInt>, Error> {
    let afford = |bits| afford("a common denominator", outcomes, bits);
    afford(denominator.bits())?;
    let mut more = None;
    if !common.is_multiple_of(denominator) {
        // The remainder is taken first, since a greatest common divisor takes a step for each bit
        // of the longer number.
        let factor = denominator / (&*common % denominator).gcd(denominator);
        afford(common.bits() + factor.bits() - 1)?;
        *common *= &factor;
        more = Some(factor);
    }
    afford(common.bits())?;
    Ok(more)
}

/// What is known about an action's expected score after some of its outcomes: a chain of
/// approximations that ends in certainty.
///
/// The data type of "Solving a gamebook: a smarter solver",
/// field by field:
///
/// ```text
/// data PScore = Approximate { _proba  :: !Proba
///                           , _pscore :: !Rational
///                           , _next   :: PScore }
///             | Certain !Rational
/// ```
///
/// A link is created on demand and then kept. A [`Thunk`] is a `PScore` that may not have been
/// computed yet. Forcing a thunk computes the score of one outcome.
///
/// # Examples
/// The chain of the source, for the expected roll of a die:
/// ```
/// use oddsmith_mdp::PScore;
///
/// let die = PScore::known((1..=6).map(|pips| ((1, 6), pips)))?;
/// assert_eq!(die.forced(), 0);
/// if let PScore::Approximate { proba, pscore, next } = die.force()? {
///     assert_eq!((proba.to_string(), pscore.to_string()), ("1/6".into(), "1/6".into()));
///     next.force()?;
/// }
/// assert_eq!(die.forced(), 2);
/// assert_eq!(die.value()?.to_string(), "7/2");
/// assert_eq!(die.forced(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "Proba")]
#[derive(Debug)]
pub enum PScore<'a> {
    /// Some outcomes are still unknown.
    Approximate {
        /// The probability of the known outcomes, below 1.
        proba: BigRational,
        /// Their share of the expected score: Σ probability · score.
        pscore: BigRational,
        /// The link after this one, which knows one more outcome.
        next: Thunk<'a>,
    },
    /// The expected score.
    Certain(BigRational),
}

/// A [`PScore`] that is computed when it is first requested, and not before.
///
/// # Examples
/// ```
/// use std::cell::Cell;
/// use oddsmith_mdp::PScore;
///
/// let computed = Cell::new(0);
/// let fight = PScore::chain([(3, 5), (2, 5)].map(|p| {
///     let computed = &computed;
///     (p, move || {
///         computed.set(computed.get() + 1);
///         Ok(computed.get())
///     })
/// }))?;
/// assert_eq!(computed.get(), 0);
/// fight.force()?;
/// fight.force()?;
/// assert_eq!(computed.get(), 1);
/// assert_eq!(fight.value()?.to_string(), "7/5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Thunk<'a> {
    link: OnceCell<Result<Box<PScore<'a>>, Box<Error>>>,
    /// The data from which the link is made. It moves on to the link's successor.
    rest: Cell<Option<Box<Rest<'a>>>>,
    /// The outcome that the link will add.
    outcome: usize,
    /// Bounds on what the unknown outcomes add to the expected score, if bounds were given.
    remaining: Option<Box<Bounds>>,
}

/// The lowest and the highest possible value of a quantity.
type Bounds = (BigRational, BigRational);

/// Computes the score of the outcome with this number.
type Producer<'a> = Box<dyn FnMut(usize) -> Result<Score, Error> + 'a>;

/// The outcomes that are not known yet, and the sums over those that are.
struct Rest<'a> {
    outcomes: Vec<Outcome>,
    produce: Producer<'a>,
    /// The sum of all weights. These are integers until the fields of a link are created, since
    /// each sum of fractions would take a greatest common divisor.
    total: BigInt,
    /// The sum of the known weights.
    seen: BigInt,
    /// The sum of weight · score over these, times the common denominator of the scores; and that
    /// denominator.
    scored: BigInt,
    denominator: BigInt,
}

struct Outcome {
    /// The probability of the outcome times the sum of all weights.
    weight: BigInt,
    /// The lowest and the highest score that it may have.
    bounds: Option<Bounds>,
}

/// Returns bounds on what outcomes with bounds add to the expected score. The sums are integers
/// until the end, since sums of fractions would take a greatest common divisor each.
fn remaining(outcomes: &[Outcome], total: &BigInt, fine: &BigInt) -> Option<Box<Bounds>> {
    let (mut lows, mut highs) = (BigInt::zero(), BigInt::zero());
    for Outcome { weight, bounds } in outcomes {
        let (low, high) = bounds.as_ref()?;
        lows += weight * low.numer() * (fine / low.denom());
        highs += weight * high.numer() * (fine / high.denom());
    }
    let [low, high] = [lows, highs].map(|sum| BigRational::new(sum, total * fine));
    Some(Box::new((low, high)))
}

impl<'a> PScore<'a> {
    /// Creates a chain from the outcomes of an action, in this order: the probability of each, and
    /// a closure that computes its score. No score is computed yet, and that of an outcome of
    /// probability 0 never is.
    ///
    /// Scores must be 0 or more, like those of the source. Otherwise use
    /// [`chain_bounded`](PScore::chain_bounded).
    ///
    /// # Errors
    /// [`Error::BadProbabilities`] if a probability is negative or they do not add up to 1;
    /// [`Error::TooManyOutcomes`] for more than 2²⁰ outcomes, which take some 240 MB
    /// ([`chain_within`](PScore::chain_within) sets another limit); [`Error::Dice`] with
    /// [`TooLarge`](oddsmith_dice::Error::TooLarge) if their common denominator is so long that the
    /// number of outcomes times the square of its number of 64-bit words exceeds 2²⁸.
    ///
    /// # Examples
    /// The caller sets the order. It is a good one to start with the likeliest outcome.
    /// ```
    /// use oddsmith_mdp::{Error, PScore};
    /// let fight = [((2, 3), 9), ((1, 3), 0)].map(|(p, score)| (p, move || Ok(score)));
    /// assert_eq!(PScore::chain(fight)?.value()?.to_string(), "6"); // 2/3 · 9
    ///
    /// let short = PScore::chain([(1, 2), (1, 3)].map(|p| (p, || Ok(1))));
    /// assert!(matches!(short, Err(Error::BadProbabilities { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chain<P, F, S>(outcomes: impl IntoIterator<Item = (P, F)>) -> Result<Thunk<'a>, Error>
    where
        P: IntoRatio,
        F: FnOnce() -> Result<S, Error> + 'a,
        S: Into<Score>,
    {
        PScore::chain_within(outcomes, MAX_OUTCOMES)
    }

    /// Does the same as [`chain`](PScore::chain), with at most `limit` outcomes.
    ///
    /// # Errors
    /// The same as for [`chain`](PScore::chain).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Error, PScore};
    /// let endless = std::iter::repeat((0, || Ok(1)));
    /// let error = PScore::chain_within(endless, 1_000).err();
    /// assert_eq!(error, Some(Error::TooManyOutcomes { limit: 1_000 }));
    /// ```
    pub fn chain_within<P, F, S>(
        outcomes: impl IntoIterator<Item = (P, F)>,
        limit: usize,
    ) -> Result<Thunk<'a>, Error>
    where
        P: IntoRatio,
        F: FnOnce() -> Result<S, Error> + 'a,
        S: Into<Score>,
    {
        let outcomes = outcomes.into_iter().map(|(p, score)| (p, None, score));
        Thunk::read(outcomes, limit)
    }

    /// Does the same as [`chain`](PScore::chain), with the lowest and the highest score that each
    /// outcome may have: (probability, low, high, score).
    ///
    /// These bounds replace 0 and the maximum in [`compare_by_bounds`], and scores may be negative.
    ///
    /// # Errors
    /// The same as for [`chain`](PScore::chain), with the common denominator of all bounds and the
    /// numerator of each limited like that of the probabilities. [`Error::BadParameter`] if a lower
    /// bound exceeds the upper one.
    ///
    /// # Examples
    /// Here the bounds alone decide:
    /// ```
    /// use oddsmith_mdp::{PScore, compare_by_bounds};
    /// let safe = PScore::chain_bounded([(1, 3, 4, || Ok(3))])?;
    /// let wild = [(-9, 5), (-3, 0)].map(|(low, high)| ((1, 2), low, high, move || Ok(low)));
    /// let wild = PScore::chain_bounded(wild)?;
    /// assert!(compare_by_bounds(5, &safe, &wild)?.is_gt()); // 3 at least, 5/2 at most
    /// assert_eq!(safe.forced() + wild.forced(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chain_bounded<P, L, H, F, S>(
        outcomes: impl IntoIterator<Item = (P, L, H, F)>,
    ) -> Result<Thunk<'a>, Error>
    where
        P: IntoRatio,
        L: IntoRatio,
        H: IntoRatio,
        F: FnOnce() -> Result<S, Error> + 'a,
        S: Into<Score>,
    {
        let outcomes = outcomes.into_iter().map(|(p, low, high, score)| {
            let bounds = low
                .into_ratio()
                .and_then(|low| Ok((low, high.into_ratio()?)));
            (p, Some(bounds), score)
        });
        Thunk::read(outcomes, MAX_OUTCOMES)
    }

    /// Creates a chain of scores that are already known: (probability, score). Its links are
    /// nevertheless created one by one.
    ///
    /// # Errors
    /// The same as for [`chain`](PScore::chain).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::PScore;
    /// let coin = PScore::known([("0.5", 0), ("0.5", 3)])?;
    /// assert_eq!(coin.value()?.to_string(), "3/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn known<P, S>(outcomes: impl IntoIterator<Item = (P, S)>) -> Result<Thunk<'a>, Error>
    where
        P: IntoRatio,
        S: Into<Score> + 'a,
    {
        PScore::chain(
            outcomes
                .into_iter()
                .map(|(p, score)| (p, move || Ok(score))),
        )
    }
}

impl<'a> Thunk<'a> {
    fn read<P, F, S>(
        given: impl Iterator<Item = (P, Option<Result<Bounds, oddsmith_dice::Error>>, F)>,
        limit: usize,
    ) -> Result<Self, Error>
    where
        P: IntoRatio,
        F: FnOnce() -> Result<S, Error> + 'a,
        S: Into<Score>,
    {
        let (mut sum, mut total) = (BigInt::zero(), BigInt::one());
        let mut probabilities = Vec::new();
        // The common denominator of all bounds.
        let mut fine = BigInt::one();
        let mut outcomes: Vec<Outcome> = Vec::new();
        let mut scores = Vec::new();
        for (probability, bounds, score) in given {
            let probability = probability.into_ratio()?;
            let bad = |what| Err(Error::BadProbabilities { what });
            let number = outcomes.len() + 1;
            // Before an error message is built: writing a very long number takes as long as
            // computing it.
            afford(
                "the numerator of a probability",
                number,
                probability.numer().bits(),
            )?;
            if probability.is_negative() {
                return bad(format!("got {probability} for outcome {}", outcomes.len()));
            }
            if let Some(more) = widen(&mut total, probability.denom(), number)? {
                sum *= more;
            }
            sum += probability.numer() * (&total / probability.denom());
            if sum > total {
                let sum = BigRational::new(sum, total);
                return bad(format!(
                    "got a sum of {sum} up to outcome {}",
                    outcomes.len()
                ));
            }
            if outcomes.len() == limit {
                return Err(Error::TooManyOutcomes { limit });
            }
            let bounds = bounds.transpose()?;
            if let Some((low, high)) = &bounds {
                for bound in [low, high] {
                    afford("the numerator of a bound", number, bound.numer().bits())?;
                }
                if compare(low, high).is_gt() {
                    return Err(Error::BadParameter {
                        parameter: "the high bound of an outcome",
                        given: format!("{high} with a low bound of {low}"),
                        allowed: "at least the low bound",
                    });
                }
                for bound in [low, high] {
                    widen(&mut fine, bound.denom(), number)?;
                }
            }
            outcomes.push(Outcome {
                weight: BigInt::zero(),
                bounds,
            });
            probabilities.push(probability);
            scores.push(Some(score));
        }
        if sum != total {
            return Err(Error::BadProbabilities {
                what: format!("got a sum of {}", BigRational::new(sum, total)),
            });
        }
        for (outcome, probability) in outcomes.iter_mut().zip(probabilities) {
            outcome.weight = probability.numer() * (&total / probability.denom());
        }
        // A bound that came early was checked against a small number of outcomes.
        for (low, high) in outcomes
            .iter()
            .filter_map(|outcome| outcome.bounds.as_ref())
        {
            for bound in [low, high] {
                let bits = bound.numer().bits();
                afford("the numerator of a bound", outcomes.len(), bits)?;
            }
        }
        let remaining = remaining(&outcomes, &total, &fine);
        let produce = move |outcome: usize| {
            let score = scores.get_mut(outcome).and_then(Option::take);
            let score = score.ok_or(Error::NotAvailable { outcome })?;
            Ok(score()?.into())
        };
        let rest = Rest {
            outcomes,
            produce: Box::new(produce),
            total,
            seen: BigInt::zero(),
            scored: BigInt::zero(),
            denominator: BigInt::one(),
        };
        Ok(Thunk::new(Box::new(rest), 0, remaining))
    }

    fn new(rest: Box<Rest<'a>>, outcome: usize, remaining: Option<Box<Bounds>>) -> Self {
        Thunk {
            link: OnceCell::new(),
            rest: Cell::new(Some(rest)),
            outcome,
            remaining,
        }
    }

    /// Returns the link, and computes it if this is the first time.
    ///
    /// # Errors
    /// - Whatever the closure for the outcome's score returns.
    /// - [`Error::NegativeScore`] or [`Error::ScoreOutOfBounds`] for a score outside its bounds,
    ///   and [`Error::NoScore`] for one that is not a number.
    /// - [`Error::Dice`] if the common denominator of the scores, or one of their numerators, is
    ///   too long (see [`PScore::chain`]).
    /// - [`Error::NotAvailable`] if the computation requests this very link.
    ///
    /// An error is kept like a link.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::PScore;
    /// let treasure = PScore::known([((1, 4), 8), ((3, 4), 1)])?;
    /// if let PScore::Approximate { proba, pscore, .. } = treasure.force()? {
    ///     assert_eq!((proba.to_string(), pscore.to_string()), ("1/4".into(), "2".into()));
    /// }
    /// assert_eq!(treasure.forced(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn force(&self) -> Result<&PScore<'a>, Error> {
        if self.link.get().is_none() {
            let outcome = self.outcome;
            let Some(rest) = self.rest.take() else {
                return Err(Error::NotAvailable { outcome });
            };
            let made = rest.step(outcome, self.remaining.clone());
            // Nothing else can have set it, since there was only one `rest`.
            let _ = self.link.set(made.map(Box::new).map_err(Box::new));
        }
        match self.link.get() {
            Some(Ok(link)) => Ok(link),
            Some(Err(error)) => Err((**error).clone()),
            None => Err(Error::NotAvailable {
                outcome: self.outcome,
            }),
        }
    }

    /// Returns the link if it has been computed.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::PScore;
    /// let coin = PScore::known([((1, 2), 0), ((1, 2), 3)])?;
    /// assert!(coin.peek().is_none());
    /// coin.force()?;
    /// assert!(matches!(coin.peek(), Some(PScore::Approximate { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn peek(&self) -> Option<&PScore<'a>> {
        self.link.get()?.as_deref().ok()
    }

    /// Returns the number of computed links of the chain that begins here.
    ///
    /// # Complexity
    /// One step per link.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::PScore;
    /// let coin = PScore::known([((1, 2), 4), ((1, 2), 6)])?;
    /// assert_eq!(coin.forced(), 0);
    /// coin.value()?;
    /// assert_eq!(coin.forced(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn forced(&self) -> usize {
        let mut count = 0;
        let mut link = self.peek();
        while let Some(known) = link {
            count += 1;
            link = match known {
                PScore::Approximate { next, .. } => next.peek(),
                PScore::Certain(_) => None,
            };
        }
        count
    }

    /// Returns the expected score. This forces the whole chain.
    ///
    /// # Errors
    /// The same as for [`force`](Thunk::force).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::PScore;
    /// let fight = PScore::known([((1, 3), 3), ((2, 3), 6)])?;
    /// assert_eq!(fight.value()?.to_string(), "5"); // 1 + 4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&self) -> Result<BigRational, Error> {
        let mut link = self.force()?;
        loop {
            match link {
                PScore::Approximate { next, .. } => link = next.force()?,
                PScore::Certain(score) => return Ok(score.clone()),
            }
        }
    }
}

impl<'a> Rest<'a> {
    /// Computes the link that knows one more outcome.
    fn step(
        mut self: Box<Self>,
        outcome: usize,
        mut remaining: Option<Box<Bounds>>,
    ) -> Result<PScore<'a>, Error> {
        let Some(Outcome { weight, bounds }) = self.outcomes.get(outcome) else {
            return Err(Error::NotAvailable { outcome });
        };
        if !weight.is_zero() {
            let score = (self.produce)(outcome)?;
            let score = score.to_ratio().ok_or(Error::NoScore { outcome })?;
            // Every later link is reduced to lowest terms with it.
            let all = self.outcomes.len();
            afford("the numerator of a score", all, score.numer().bits())?;
            match bounds {
                Some((low, high))
                    if compare(&score, low).is_lt() || compare(&score, high).is_gt() =>
                {
                    return Err(Error::ScoreOutOfBounds {
                        outcome,
                        score: score.to_string(),
                        low: low.to_string(),
                        high: high.to_string(),
                    });
                }
                None if score.is_negative() => {
                    return Err(Error::NegativeScore { outcome, score });
                }
                _ => {}
            }
            if let (Some((low, high)), Some(remaining)) = (bounds, &mut remaining) {
                let (lows, highs) = &mut **remaining;
                let probability = BigRational::new(weight.clone(), self.total.clone());
                *lows -= &probability * low;
                *highs -= probability * high;
            }
            // Limited separately, like that of the weights. The denominator of a link is the
            // product of both, at most twice as long.
            if let Some(more) = widen(&mut self.denominator, score.denom(), all)? {
                self.scored *= more;
            }
            self.scored += weight * score.numer() * (&self.denominator / score.denom());
            self.seen += weight;
        }
        let pscore = BigRational::new(self.scored.clone(), &self.denominator * &self.total);
        if self.seen == self.total {
            return Ok(PScore::Certain(pscore));
        }
        Ok(PScore::Approximate {
            proba: BigRational::new(self.seen.clone(), self.total.clone()),
            pscore,
            next: Thunk::new(self, outcome + 1, remaining),
        })
    }
}

/// Drops the chain link by link. By default, dropping a million nested links would overflow the
/// stack.
impl Drop for Thunk<'_> {
    fn drop(&mut self) {
        let mut link = self.link.take();
        while let Some(Ok(known)) = link {
            link = match *known {
                PScore::Approximate { mut next, .. } => next.link.take(),
                PScore::Certain(_) => None,
            };
        }
    }
}

/// Does not show the links that follow, of which there may be a million.
impl fmt::Debug for Thunk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.link.get() {
            None => "unforced",
            Some(Ok(_)) => "forced",
            Some(Err(_)) => "failed",
        })
    }
}
