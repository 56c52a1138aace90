//! Scores computed outcome by outcome, as far as a comparison needs them.

mod compare;

use std::cell::{Cell, OnceCell};
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use oddsmith_dice::IntoRatio;

use crate::{Error, Score};

pub use compare::{compare_by_bounds, score_compare, score_compare_skipping};

/// Default of [`PScore::chain_within`].
const MAX_OUTCOMES: usize = 1 << 24;

/// The most that all links of a chain may take: outcomes times the square of the words of
/// their common denominator, or of a numerator, as each link is a fraction brought to lowest
/// terms.
const MAX_WORK: u128 = 1 << 28;

/// Refuses a number of so many bits in the links of so many outcomes, before they are made.
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

/// Makes `common` a multiple of the denominator of one of so many outcomes, if they can be
/// afforded, and says by what it was multiplied, unless it was one before.
fn widen(
    common: &mut BigInt,
    denominator: &BigInt,
    outcomes: usize,
) -> Result<Option<BigInt>, Error> {
    let afford = |bits| afford("a common denominator", outcomes, bits);
    afford(denominator.bits())?;
    let mut more = None;
    if !common.is_multiple_of(denominator) {
        // One reduction comes first: a greatest common divisor takes a step for each bit of the
        // longer number.
        let factor = denominator / (&*common % denominator).gcd(denominator);
        afford(common.bits() + factor.bits() - 1)?;
        *common *= &factor;
        more = Some(factor);
    }
    afford(common.bits())?;
    Ok(more)
}

/// What is known of an action's expected score after some of its outcomes: a
/// chain of approximations that ends in certainty.
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
/// A link is made when it is asked for, and then kept: a [`Thunk`] is a
/// `PScore` not yet looked at. Forcing one computes the score of one outcome.
///
/// # Examples
/// The source's chain, the expected roll of a die:
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
        /// The probability of the outcomes that are known, below 1.
        proba: BigRational,
        /// Their share of the expected score: Σ probability · score.
        pscore: BigRational,
        /// What follows when one more outcome is known.
        next: Thunk<'a>,
    },
    /// The expected score.
    Certain(BigRational),
}

/// A [`PScore`] that is computed when it is first asked for, and only then.
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
    /// What the link is to be made of; it moves on to the link's successor.
    rest: Cell<Option<Box<Rest<'a>>>>,
    /// The outcome that the link will know.
    outcome: usize,
    /// Bounds on what the unknown outcomes add to the expected score, where
    /// they were given.
    remaining: Option<Box<Bounds>>,
}

/// The lowest and the highest that something can be.
type Bounds = (BigRational, BigRational);

/// Computes the score of the outcome with this number.
type Producer<'a> = Box<dyn FnMut(usize) -> Result<Score, Error> + 'a>;

/// The outcomes that are not known yet, and the sums over those that are.
struct Rest<'a> {
    outcomes: Vec<Outcome>,
    produce: Producer<'a>,
    /// Sum of all weights: integers until the fields of a link are made, since
    /// each sum of fractions would take a greatest common divisor.
    total: BigInt,
    /// Sum of the weights that are known.
    seen: BigInt,
    /// Sum of weight · score over these, times the common denominator of the
    /// scores; and that denominator.
    scored: BigInt,
    denominator: BigInt,
}

struct Outcome {
    /// Its probability times the sum of all weights.
    weight: BigInt,
    /// The lowest and the highest score that it may have.
    bounds: Option<Bounds>,
}

/// What outcomes with bounds add to the expected score at least and at most: integers until the
/// last, as sums of fractions would take a greatest common divisor each.
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
    /// A chain from the outcomes of an action, in this order: the probability
    /// of each, and a closure that computes its score. No score is computed
    /// yet; an outcome of probability 0 never is.
    ///
    /// Scores are 0 or more, as the source's are; otherwise use
    /// [`chain_bounded`](PScore::chain_bounded).
    ///
    /// # Errors
    /// [`Error::BadProbabilities`] if a probability is negative or they do not
    /// add up to 1, [`Error::TooManyOutcomes`] beyond 2²⁴ outcomes,
    /// [`Error::Dice`] around [`TooLarge`](oddsmith_dice::Error::TooLarge) if their
    /// common denominator would be so long that outcomes times the square of its
    /// words (of 64 bits) are more than 2²⁸.
    ///
    /// # Examples
    /// The order is the caller's, and the likeliest outcome first is a good one.
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

    /// As [`chain`](PScore::chain), but with at most `limit` outcomes.
    ///
    /// # Errors
    /// As for [`chain`](PScore::chain).
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

    /// As [`chain`](PScore::chain), with the lowest and the highest score that
    /// each outcome may have: (probability, low, high, score). They replace 0
    /// and the maximum in [`compare_by_bounds`], and scores may be negative.
    ///
    /// # Errors
    /// As for [`chain`](PScore::chain), the common denominator of all bounds and
    /// the numerator of each being limited like that of the probabilities, and [`Error::BadParameter`]
    /// if a low bound lies above the high one.
    ///
    /// # Examples
    /// Bounds alone decide here:
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

    /// A chain of scores that are known already: (probability, score). Its
    /// links are made one by one all the same.
    ///
    /// # Errors
    /// As for [`chain`](PScore::chain).
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
            // Before anything is said of it: digits without end take as long to write.
            afford(
                "the numerator of a probability",
                number,
                probability.numer().bits(),
            )?;
            if probability.is_negative() {
                return bad(format!("outcome {} has {probability}", outcomes.len()));
            }
            if let Some(more) = widen(&mut total, probability.denom(), number)? {
                sum *= more;
            }
            sum += probability.numer() * (&total / probability.denom());
            if sum > total {
                let sum = BigRational::new(sum, total);
                return bad(format!("up to outcome {} it is {sum}", outcomes.len()));
            }
            if outcomes.len() == limit {
                return Err(Error::TooManyOutcomes { limit });
            }
            let bounds = bounds.transpose()?;
            if let Some((low, high)) = &bounds {
                for bound in [low, high] {
                    afford("the numerator of a bound", number, bound.numer().bits())?;
                }
                if low > high {
                    return Err(Error::BadParameter {
                        parameter: "the high bound of an outcome",
                        given: format!("{high} over a low one of {low}"),
                        allowed: "the low bound or more",
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
                what: format!("they add up to {}", BigRational::new(sum, total)),
            });
        }
        for (outcome, probability) in outcomes.iter_mut().zip(probabilities) {
            outcome.weight = probability.numer() * (&total / probability.denom());
        }
        // An early bound was looked at when there were few.
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

    /// The link, computed if this is the first time.
    ///
    /// # Errors
    /// What the closure of the outcome's score returns; [`Error::NegativeScore`]
    /// or [`Error::ScoreOutOfBounds`] for a score outside its bounds,
    /// [`Error::Dice`] for scores whose common denominator, or one of whose numerators,
    /// is too long (as in [`PScore::chain`]),
    /// [`Error::NoScore`] for one that is no number, [`Error::NotAvailable`]
    /// if computing it asks for this very link. An error is kept like a link.
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
            // Nobody else can have set it: `rest` was there only once.
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

    /// The link, if it was computed before.
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

    /// How many links of the chain that begins here have been computed.
    ///
    /// # Complexity
    /// One step a link.
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

    /// The expected score: forces the whole chain.
    ///
    /// # Errors
    /// As for [`force`](Thunk::force).
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
    /// The link that knows one more outcome.
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
            // Every later link is brought to lowest terms with it.
            let all = self.outcomes.len();
            afford("the numerator of a score", all, score.numer().bits())?;
            match bounds {
                Some((low, high)) if score < *low || score > *high => {
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
            // By itself, as that of the weights was: a link's is the product of both, at most
            // twice as long.
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

/// Takes the chain apart link by link: left to itself, dropping a million links
/// within each other would overflow the stack.
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

/// Not the links behind: they may be a million.
impl fmt::Debug for Thunk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.link.get() {
            None => "unforced",
            Some(Ok(_)) => "forced",
            Some(Err(_)) => "failed",
        })
    }
}
