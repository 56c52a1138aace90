//! What can go wrong, and what to do about it.

use num_bigint::BigUint;
use num_rational::BigRational;
use thiserror::Error as ThisError;

/// Every error of this crate.
///
/// ```
/// use oddsmith_fightingfantasy::{Error, RoundOdds, win_without_luck};
///
/// let odds = RoundOdds::standard(0);
/// let error = win_without_luck(&odds, 0, 5).unwrap_err();
/// assert_eq!(error, Error::NoStamina { who: "hero" });
/// assert_eq!(error.to_string(), "the hero has STAMINA 0: a duel starts with at least 1 on both sides");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A fighter starts without STAMINA.
    #[error("the {who} has STAMINA 0: a duel starts with at least 1 on both sides")]
    NoStamina {
        /// `"hero"` or `"foe"`.
        who: &'static str,
    },

    /// All three counts of an attack round are zero.
    #[error("an attack round needs an outcome: give a positive count of wins, draws or losses")]
    NoRounds,

    /// The counts of an attack round have no total in 64 bits.
    #[error(
        "{win} wins, {draw} draws and {lose} losses add up to more than {max}: divide the counts by a common factor",
        max = u64::MAX
    )]
    CountsOverflow {
        /// The count of won rounds.
        win: u64,
        /// The count of drawn rounds.
        draw: u64,
        /// The count of lost rounds.
        lose: u64,
    },

    /// A count of a table of differences does not fit into 64 bits.
    #[error("{count} ways to {outcome} a round are more than {max}: use fewer dice", max = u64::MAX)]
    CountTooBig {
        /// `"win"`, `"draw"` or `"lose"`.
        outcome: &'static str,
        /// The count.
        count: BigUint,
    },

    /// No round can hurt anybody, so that the duel has no end.
    #[error(
        "no round ever takes STAMINA from anyone, so the duel never ends: a win or a loss must be possible and do damage"
    )]
    NeverEnding,

    /// A probability outside 0..=1.
    #[error("the probability {given} is not within 0..=1")]
    Probability {
        /// What was given.
        given: BigRational,
    },

    /// The sum would take longer than allowed.
    #[error(
        "a sum of {terms} terms of {bits} bits takes {terms} x {bits} steps, more than the {limit} allowed: \
         shrink the numbers, ask for the float if there is one, or raise the limit with `max_work`"
    )]
    TooLarge {
        /// How many terms the sum has.
        terms: u128,
        /// How many bits its numbers have in the end; a float term counts as 4096.
        bits: u128,
        /// The limit on the product of the two.
        limit: u64,
    },

    /// A fighter's STAMINA is negative or too large.
    #[error("the {who}'s STAMINA must be 1 to {limit}, not {given}")]
    Stamina {
        /// `"hero"` or `"foe"`.
        who: &'static str,
        /// What was given.
        given: i64,
        /// The highest possible.
        limit: u16,
    },

    /// The hero's LUCK is negative or too large.
    #[error("LUCK must be 0 to {limit}, not {given}")]
    Luck {
        /// What was given.
        given: i64,
        /// The highest possible.
        limit: u16,
    },

    /// A blow takes nothing even without LUCK, so that a round may change nothing.
    #[error(
        "the {who}'s plain blow takes 0 STAMINA: where LUCK can be used it must take at least 1"
    )]
    Harmless {
        /// `"hero"` or `"foe"`.
        who: &'static str,
    },

    /// Sudden death after no lost round at all.
    #[error(
        "sudden death after 0 lost rounds would end the fight before it begins: ask for at least 1"
    )]
    SuddenDeathAtOnce,

    /// Evaluating all heuristics would take longer than allowed.
    #[error(
        "{heuristics} heuristics on {states} states with values of {bits} bits take more than the {limit} steps \
         allowed: lower LUCK or STAMINA (a `HeuristicMap` also takes a limit, `with_max_work`)"
    )]
    TooManyHeuristics {
        /// How many strategies with their thresholds there are.
        heuristics: u64,
        /// On how many states each is evaluated.
        states: u128,
        /// The length of a value.
        bits: u128,
        /// The limit on the work.
        limit: u64,
    },

    /// A policy would be compared with the best use of LUCK on more states than allowed.
    #[error(
        "{states} states, for each of {lucks} initial LUCKs, are more than the {limit} in all on which a policy \
         is compared with the best use of LUCK: narrow the range of SKILL differences, or lower STAMINA or LUCK"
    )]
    TooManyStarts {
        /// How many states there are over all SKILL differences.
        states: u128,
        /// With how many LUCKs a duel may begin.
        lucks: u32,
        /// How many states times initial LUCKs are allowed.
        limit: u64,
    },

    /// A range of SKILL differences in which there is none.
    #[error(
        "there is no SKILL difference from {first} to {last}: the first must not be above the last"
    )]
    NoSkillDifference {
        /// The first.
        first: i64,
        /// The last.
        last: i64,
    },

    /// A table of floats was asked for under rules it does not know.
    #[error(
        "a `LuckTable` knows no sudden death, escape or last round: use a `LuckMap` or a `Duel`"
    )]
    SpecialRules,

    /// A box of states that is too large to be gone through.
    #[error(
        "{states} states are more than the {limit} allowed here: shrink the numbers, \
         or solve the `game()` with limits of your own"
    )]
    TooManyStates {
        /// How many states there are.
        states: usize,
        /// How many are allowed.
        limit: usize,
    },

    /// A state that a table does not cover.
    #[error("STAMINA {hero} against {foe} with LUCK {luck} lies outside the table")]
    OutsideTable {
        /// The hero's STAMINA.
        hero: u16,
        /// The foe's STAMINA.
        foe: u16,
        /// The hero's LUCK.
        luck: u16,
    },

    /// Too many dice for an attack round.
    #[error(
        "an attack round with {count} dice of {sides} sides for each has more than 2^64 rolls: use fewer dice"
    )]
    TooManyAttackDice {
        /// How many dice each of the two rolls.
        count: u32,
        /// How many sides each of them has.
        sides: u32,
    },

    /// Too many dice to test LUCK with.
    #[error(
        "a test of LUCK with {count} dice of {sides} sides has more than 2^64 rolls: use fewer dice"
    )]
    TooManyLuckDice {
        /// How many dice.
        count: u32,
        /// How many sides each.
        sides: u32,
    },

    /// A map or figure that cannot be drawn.
    #[error("this cannot be drawn: {reason}")]
    Plot {
        /// Why, with the numbers.
        reason: String,
    },

    /// A melee without foes.
    #[error("a melee needs at least one foe")]
    NoFoes,

    /// More foes than a melee has room for.
    #[error(
        "a melee has room for {limit} foes, and more were given: split it, or fight some of them later"
    )]
    TooManyFoes {
        /// The highest possible.
        limit: usize,
    },

    /// Rules that have no meaning together in a melee.
    #[error("a melee does not know {rule}: {reason}")]
    MeleeRules {
        /// The combination.
        rule: &'static str,
        /// Why, and what to do instead.
        reason: &'static str,
    },

    /// A round against several foes has too many rolls.
    #[error(
        "a round against {foes} foes with these dice has more than 2^64 equally likely rolls: use fewer foes or dice"
    )]
    MeleeRollsOverflow {
        /// How many foes.
        foes: usize,
    },

    /// A foe that cannot be attacked.
    #[error(
        "foe {target} (numbered from 0) cannot be attacked in this state: {state}; name one that stands, before a round, and the first of them if they come in order"
    )]
    NoSuchTarget {
        /// The number given.
        target: usize,
        /// The state.
        state: String,
    },

    /// The fight could not be solved, or the solution knows nothing of a state.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),

    /// An error of the distributions below.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}
