//! Exact probability distributions of dice: parse the notation of players or build a roll in code,
//! and get fractions.
//!
//! ```
//! use oddsmith_dice::{Dist, Pool};
//!
//! let strength = Dist::parse("4d6kh3")?; // four dice, keep the three highest
//! assert_eq!(strength.p(&18).to_string(), "7/432");
//! assert_eq!(strength.mean().to_string(), "15869/1296");
//!
//! let largest_set = Pool::dice(10, 10)?.largest_set()?;
//! assert_eq!(largest_set.at_least(&5).to_string(), "204353/12500000");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![doc = include_str!("../docs/pmf.svg")]
//!
//! # Overview
//!
//! * [`Dist<T>`](Dist) is a probability distribution: outcomes in ascending order, an integer
//!   weight for each (its number of ways), and their total. Fractions appear only when you ask for
//!   one, as a [`BigRational`] in lowest terms; nothing is ever rounded. In the names
//!   of functions, such as [`Notation::law`], a distribution is called a *law*.
//! * [`Pool`] is dice rolled together and not yet added. It says which of them are kept, and its
//!   *readings* are sums, successes, sets, runs and hands. An [`Evaluator`] of ten lines computes
//!   any other.
//! * [`Notation`] is the [language players type](notation): a tree that prints back, with a cost
//!   that is known before anything is computed.
//! * [`Chain`] rolls until something happens.
//! * [`Contest`] compares two distributions: win, draw, lose, with a choice of rules for ties.
//!   [`Ranking`] compares many, and [`DifferenceTable`] two for every advantage at once.
//! * [`FloatDist<T>`](FloatDist), which is `Dist<T, f64>`, is the float twin with the same methods,
//!   except constructors such as [`die`](Dist::die): build the exact distribution, then call
//!   [`to_f64`](Dist::to_f64). It counts its own roundings and states a bound on its error,
//!   [`relative_error`](Dist::relative_error).
//! * [`Numeric`] is the trait of outcomes that are numbers, so that their distribution has a mean:
//!   integers of any width, `bool`, fractions.
//! * [`IntoRatio`] is the trait of values that are read as rational numbers: `3`, `(1, 3)`,
//!   `"1/3"`, `"0.25"`.
//!
//! # Table of contents
//!
//! | Question | Answer |
//! |---|---|
//! | Where does a distribution come from? | [`die`](Dist::die), [`ndice`](Dist::ndice), [`faces`](Dist::faces), [`loaded`](Dist::loaded), [`fudge`](Dist::fudge), [`coin`](Dist::coin), [`certain`](Dist::certain), [`uniform`](Dist::uniform), [`bernoulli`](Dist::bernoulli), [`from_weights`](Dist::from_weights), [`from_probabilities`](Dist::from_probabilities), [`mixture`](Dist::mixture), [`from_parts`](Dist::from_parts) |
//! | Dice as players write them | [`Dist::parse`]`("4d6kh3 + 2")`, [`Notation`], and the whole [language](notation) |
//! | Sums | [`matfold`](Dist::matfold) (`+`), [`difference`](Dist::difference) (`-`), [`repeat`](Dist::repeat), [`sum`](Dist::sum), [`weighted_sum`](Dist::weighted_sum) |
//! | Other arithmetic | [`product`](Dist::product), [`divide`](Dist::divide), [`maximum`](Dist::maximum), [`minimum`](Dist::minimum), [`absolute`](Dist::absolute), [`clamp`](Dist::clamp) |
//! | One roll, changed | [`shift`](Dist::shift), [`scale`](Dist::scale), [`negate`](Dist::negate), [`map`](Dist::map), [`replace`](Dist::replace), [`narrow`](Dist::narrow) |
//! | Rolled again | [`reroll`](Dist::reroll), [`reroll_forever`](Dist::reroll_forever), [`explode`](Dist::explode), [`explode_once`](Dist::explode_once), [`explode_forever`](Dist::explode_forever), [`explode_mean`](Dist::explode_mean) |
//! | Rolls that depend on rolls | [`and_then`](Dist::and_then), [`joint`](Dist::joint), [`given`](Dist::given), [`substitute`](Dist::substitute) |
//! | What does it tell? | [`update`](Dist::update), [`posterior`](Dist::posterior), [`posterior_given`](Dist::posterior_given) |
//! | Two readings of one roll | [`readings`](Dist::readings), [`first`](Dist::first), [`second`](Dist::second), [`swap`](Dist::swap), [`conditional`](Dist::conditional), [`independent`](Dist::independent), [`covariance`](Dist::covariance), [`correlation`](Dist::correlation), [`squared_correlation`](Dist::squared_correlation) |
//! | Which dice count? | [`Pool`], [`highest`](Pool::highest), [`lowest`](Pool::lowest), [`drop_highest`](Pool::drop_highest), [`drop_lowest`](Pool::drop_lowest), [`middle`](Pool::middle), [`positions`](Pool::positions), [`deck`](Pool::deck) |
//! | What do they show? | [`sum`](Pool::sum), [`count`](Pool::count), [`distinct`](Pool::distinct), [`largest_set`](Pool::largest_set), [`sets_at_least`](Pool::sets_at_least), [`matching_sets`](Pool::matching_sets), [`longest_run`](Pool::longest_run), [`has_straight`](Pool::has_straight), [`hand`](Pool::hand), [`at`](Pool::at), [`highest_and_lowest`](Pool::highest_and_lowest), [`rolls`](Pool::rolls) |
//! | Pools rolled again | [`sum_with`](Pool::sum_with), [`reroll_all`](Pool::reroll_all), [`reroll_lowest`](Pool::reroll_lowest), [`explode_into_pool`](Pool::explode_into_pool) |
//! | Anything else of a roll | [`Evaluator`], [`evaluate`](Pool::evaluate), [`Pools`], [`Both`] |
//! | One pool against another | [`pairwise`](Pool::pairwise), [`Pairing`] |
//! | How likely? | [`p`](Dist::p), [`at_least`](Dist::at_least), [`at_most`](Dist::at_most), [`less`](Dist::less), [`more`](Dist::more), [`probability`](Dist::probability), [`pmf`](Dist::pmf), [`cdf`](Dist::cdf) |
//! | How much? | [`mean`](Dist::mean), [`variance`](Dist::variance), [`standard_deviation`](Dist::standard_deviation), [`moment`](Dist::moment), [`central_moment`](Dist::central_moment), [`expectation`](Dist::expectation), [`median`](Dist::median), [`quantile`](Dist::quantile), [`mode`](Dist::mode), [`modes`](Dist::modes) |
//! | Do observations fit? | [`goodness_of_fit`](Dist::goodness_of_fit) |
//! | As text | `Display`, [`table`](Dist::table), [`to_csv`](Dist::to_csv), [`csv_of`](Dist::csv_of) |
//! | What shape? | [`skewness`](Dist::skewness), [`excess_kurtosis`](Dist::excess_kurtosis), [`mean_absolute_deviation`](Dist::mean_absolute_deviation), [`interquartile_range`](Dist::interquartile_range), [`factorial_moment`](Dist::factorial_moment), [`generating_function`](Dist::generating_function), [`entropy`](Dist::entropy), [`perplexity`](Dist::perplexity) |
//! | The best of several copies? | [`maximum_of`](Dist::maximum_of), [`minimum_of`](Dist::minimum_of), [`order_statistic`](Dist::order_statistic), [`expected_maximum`](Dist::expected_maximum), [`expected_minimum`](Dist::expected_minimum) |
//! | How long until? | [`until`](Dist::until), [`Waiting`], [`rolls_to_reach`](Dist::rolls_to_reach), [`sum_on_reaching`](Dist::sum_on_reaching), [`rolls_and_sum_on_reaching`](Dist::rolls_and_sum_on_reaching), [`rolls_to_reach_by`](Dist::rolls_to_reach_by), [`Chain`] |
//! | Who wins? | [`versus`](Dist::versus), [`dominates`](Dist::dominates), [`total_variation`](Dist::total_variation), [`DifferenceTable`] |
//! | Who of many? | [`Ranking`], [`roll_off`](Ranking::roll_off), [`places`] |
//! | How far apart? | [`kolmogorov`](Dist::kolmogorov), [`kullback_leibler`](Dist::kullback_leibler), [`dominates_second_order`](Dist::dominates_second_order) |
//! | The numbers inside | [`support`](Dist::support), [`iter`](Dist::iter), [`total`](Dist::total), [`into_parts`](Dist::into_parts), [`lowest_terms`](Dist::lowest_terms) |
//! | Exact or float | [`to_f64`](Dist::to_f64), [`to_exact`](Dist::to_exact), [`from_float_weights`](Dist::from_float_weights), [`Weight`] |
//!
//! # Cookbook
//!
//! Count successes: of ten-sided dice, 7 and more count, 10 counts twice, and 1 takes one away:
//!
//! ```
//! use oddsmith_dice::Pool;
//!
//! let successes = Pool::dice(8, 10)?.count(|&face| match face {
//!     10 => 2,
//!     7.. => 1,
//!     1 => -1,
//!     _ => 0,
//! })?;
//! assert_eq!(successes.mean().to_string(), "16/5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! "Explode, then keep" is not "keep, then explode": the order of the calls decides.
//!
//! ```
//! use oddsmith_dice::{Dist, Pool};
//!
//! let d6 = Dist::die(6)?;
//! let exploding = d6.explode(2, |&face| face == 6)?;
//! let explode_then_keep = Pool::of(4, &exploding).highest(3)?.sum()?;
//! let keep_then_explode = Pool::dice(4, 6)?.highest(3)?.sum_with(|&face| match face {
//!     6 => d6.explode(1, |&face| face == 6)?.shift(6),
//!     _ => Ok(Dist::certain(face)),
//! })?;
//! assert_eq!(explode_then_keep, Dist::parse("4d6!2kh3")?);
//! assert_eq!(keep_then_explode, Dist::parse("4d6kh3!2")?);
//! assert_eq!(keep_then_explode.mean().to_string(), "232715/15552"); // 14.963
//! assert!(keep_then_explode.mean() < explode_then_keep.mean()); // 14.965
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Dice against dice, highest against highest, as in RISK:
//!
//! ```
//! use oddsmith_dice::{Pairing, Pool, TieTo};
//!
//! let (attack, defence) = (Pool::dice(3, 6)?, Pool::dice(2, 6)?);
//! let throw = attack.pairwise(&defence, &Pairing::new().ties(TieTo::Defender))?;
//! assert_eq!(throw.probability(|pairs| pairs.won == 2).to_string(), "1445/3888");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How long does it take, and how does it end?
//!
//! ```
//! use oddsmith_dice::{Chain, Dist, Step};
//!
//! let turns = Dist::die(6)?.rolls_to_reach(20)?;
//! assert_eq!(turns.p(&4).to_string(), "35/648");
//!
//! // Craps: the first roll may decide; if not, it is the point, to be rolled before a 7.
//! let roll = Dist::ndice(2, 6)?;
//! let craps = Chain::explore((0, 0), |&(point, last)| {
//!     let again = |point| Step::Go(roll.map(|&sum| (point, sum)));
//!     Ok(match (point, last) {
//!         (0, 0) => again(0),
//!         (0, 2 | 3 | 12) => Step::Stop(false),
//!         (0, 7 | 11) => Step::Stop(true),
//!         (0, point) => again(point),
//!         (_, 7) => Step::Stop(false),
//!         _ if last == point => Step::Stop(true),
//!         _ => again(point),
//!     })
//! })?;
//! assert_eq!(craps.outcome()?.p(&true).to_string(), "244/495");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Four dice that each, on a six, are rolled again and added, at most three times:
//!
//! ```
//! use oddsmith_dice::Dist;
//!
//! let ace = Dist::die(6)?.explode(3, |&face| face == 6)?;
//! assert_eq!(ace.at_least(&19).to_string(), "1/216");
//! assert_eq!(ace.repeat(4)?.mean().to_string(), "1813/108");
//! assert_eq!(ace, Dist::parse("1d6!3")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sums of unlike dice. A sum can overflow, so it is a `Result`. One question mark at the end is
//! enough if a number stands next to the first distribution, since Rust does not allow us to define
//! `+ 3` for a `Result`:
//!
//! ```
//! use oddsmith_dice::Dist;
//!
//! let (d6, d8, d12) = (Dist::die(6)?, Dist::die(8)?, Dist::die(12)?);
//! let damage = (&d6 + 3 + &d8 + &d12)?;
//! assert_eq!(damage.mean().to_string(), "35/2");
//! assert_eq!((3 + &d6 + &d8 + &d12)?, damage);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An attack that hits on 8 or more of a twenty-sided die, 20 counting double:
//!
//! ```
//! use oddsmith_dice::Dist;
//!
//! let damage = Dist::ndice(2, 6)?;
//! let attack = Dist::die(20)?.and_then(|&roll| match roll {
//!     20 => damage.repeat(2),
//!     8.. => Ok(damage.clone()),
//!     _ => Ok(Dist::certain(0)),
//! })?;
//! assert_eq!(attack.mean().to_string(), "49/10");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The attack round of Fighting Fantasy, a point of SKILL ahead:
//!
//! ```
//! use oddsmith_dice::DifferenceTable;
//!
//! let round = DifferenceTable::new(2, 6)?;
//! assert_eq!(round.counts(1).map(|count| count.to_string()), ["721", "140", "435"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A table for display:
//!
//! ```
//! use oddsmith_dice::Dist;
//!
//! let table = "\
//! 2  1/9  11.11 %  ████████
//! 3  2/9  22.22 %  ████████████████
//! 4  1/3  33.33 %  ████████████████████████
//! 5  2/9  22.22 %  ████████████████
//! 6  1/9  11.11 %  ████████";
//! assert_eq!(Dist::ndice(2, 3)?.to_string(), table);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! * `serde`: a distribution is written as a list of pairs, `[[2, "1/36"], [3, "1/18"], …]`. When
//!   it is read, probabilities must be at least zero and sum to one, and outcomes must be distinct.
//!   Floats may sum to within 10⁻⁶ of one, and are divided by their sum. [`Contest`], [`Ranking`],
//!   [`DifferenceTable`], [`GoodnessOfFit`] and [`Waiting`] can be written only. Off by default.
//! * `rand`: outcomes drawn with a generator of random numbers, without bias: `Sampler`,
//!   [`Dist`]`::sampler`. Off by default.
//! * `plot`: charts as SVG, of one distribution or of several overlaid: `Chart`. Off by default.
//!
//! # Minimum Rust version
//!
//! 1.88.
//!
//! # Should I be using this crate?
//!
//! Yes, for exact distributions of dice. It does not handle continuous distributions or the
//! statistics of data, and it draws nothing except with the feature `rand`. All outcomes are kept
//! in memory, so it does not suit distributions with many millions of outcomes. For decisions,
//! where a player chooses after seeing a roll, use `oddsmith-mdp`.
//!
//! The crate reads no files, prints nothing and starts no threads, and the same input gives the
//! same output, bit for bit. An operation that could exceed a stated memory limit returns an
//! [`Error`] before any work. The limit is on what is stored; products of large integers need up to
//! five times as much for a moment, see [`DEFAULT_LIMIT`]. There are exceptions. Some operations
//! measure their size as they work and stop with an error at the limit, which may take seconds:
//! [`Chain`], [`sum_on_reaching`](Dist::sum_on_reaching),
//! [`rolls_to_reach_by`](Dist::rolls_to_reach_by),
//! [`expected_rolls_to_reach`](Dist::expected_rolls_to_reach), every reading of a [`Pool`] by an
//! [`Evaluator`], such as [`matching_sets`](Pool::matching_sets) and [`hand`](Pool::hand), and
//! [`pairwise`](Pool::pairwise), above all if dice are [sorted again](Pairing::sorted_again). A list of
//! observations ([`goodness_of_fit`](Dist::goodness_of_fit)) is read to its end, so it must be
//! finite.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod arithmetic;
mod bayes;
mod change;
mod condition;
mod construct;
mod contest;
mod csv;
mod die;
mod difference_table;
mod display;
mod dist;
mod distance;
mod entropy;
mod error;
mod explode;
mod faces;
mod float;
mod geometric;
mod goodness;
mod joint;
mod kronecker;
pub mod linear;
mod marginal;
mod mixture;
mod moment;
pub mod notation;
mod numeric;
mod order_statistic;
#[cfg(feature = "plot")]
mod plot;
mod pool;
mod power;
mod rank;
mod ratio;
mod recurrence;
mod reduce;
mod reroll;
mod rounding;
mod runs;
#[cfg(feature = "rand")]
mod sample;
#[cfg(feature = "serde")]
mod serde;
mod shape;
mod sum;
mod tail;
mod until;
mod weight;

pub use arithmetic::Rounding;
pub use contest::{Contest, Ties};
pub use difference_table::DifferenceTable;
pub use display::Table;
pub use dist::{Dist, Iter};
pub use error::Error;
pub use float::FloatDist;
pub use goodness::{Cell, GoodnessOfFit};
pub use notation::Notation;
pub use numeric::Numeric;
#[cfg(feature = "plot")]
pub use plot::Chart;
pub use pool::{
    Both, Distinct, Evaluator, Hand, HandOfDice, HighestAndLowest, LargestSet, LongestRun,
    MatchingSets, Order, Pairing, Pairs, Pool, Pools, Rolls, RunSoFar, Sequence, SetsAtLeast,
    Straight, Successes, SumOfFaces, TieTo,
};
pub use power::DEFAULT_LIMIT;
pub use rank::{Best, Ranking, places};
pub use ratio::IntoRatio;
#[cfg(feature = "rand")]
pub use sample::Sampler;
pub use sum::Operand;
pub use until::{Chain, ChainBuilder, Step, Steps, Visits, Waiting};
pub use weight::Weight;

/// The numbers in results, and the trait whose `to_f64` rounds them.
#[doc(no_inline)]
pub use num_bigint::{BigInt, BigUint};
#[doc(no_inline)]
pub use num_rational::BigRational;
#[doc(no_inline)]
pub use num_traits::ToPrimitive;

/// The README's examples, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
