//! The errors of this crate, each with a way to fix it.

use num_bigint::BigUint;
use num_rational::BigRational;
use thiserror::Error as ThisError;

/// The errors of this crate.
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

    /// The sum of the counts of an attack round does not fit into 64 bits.
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

    /// No round can hurt anybody, so the duel never ends.
    #[error(
        "no round ever takes STAMINA from anyone, so the duel never ends: a win or a loss must be possible and do damage"
    )]
    NeverEnding,

    /// A probability is outside 0..=1.
    #[error("the probability {given} is not within 0..=1")]
    Probability {
        /// The value given.
        given: BigRational,
    },

    /// The sum would take longer than allowed.
    #[error(
        "a sum of {terms} terms of {bits} bits takes {terms} x {bits} steps, more than the {limit} allowed: \
         shrink the numbers, ask for the float if there is one, or raise the limit with `max_work`"
    )]
    TooLarge {
        /// The number of terms in the sum.
        terms: u128,
        /// The number of bits its numbers have in the end. A float term counts as 4096.
        bits: u128,
        /// The limit on the product of the two.
        limit: u64,
    },

    /// A fighter's STAMINA is negative or too large.
    #[error("the {who}'s STAMINA must be 1 to {limit}, not {given}")]
    Stamina {
        /// `"hero"` or `"foe"`.
        who: &'static str,
        /// The value given.
        given: i64,
        /// The highest value allowed.
        limit: u16,
    },

    /// The hero's LUCK is negative or too large.
    #[error("LUCK must be 0 to {limit}, not {given}")]
    Luck {
        /// The value given.
        given: i64,
        /// The highest value allowed.
        limit: u16,
    },

    /// A blow takes nothing when LUCK is not tested, so a round may change nothing.
    #[error(
        "the {who}'s plain blow takes 0 STAMINA: where LUCK can be used it must take at least 1"
    )]
    Harmless {
        /// `"hero"` or `"foe"`.
        who: &'static str,
    },

    /// Sudden death is set to occur after 0 lost rounds.
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
        /// The number of strategies, each counted with every threshold.
        heuristics: u64,
        /// The number of states each of them is evaluated on.
        states: u128,
        /// The number of bits of a value.
        bits: u128,
        /// The limit on the work.
        limit: u64,
    },

    /// A policy is to be compared with the best use of LUCK on more states than allowed.
    #[error(
        "{states} states, for each of {lucks} initial LUCKs, are more than the {limit} in all on which a policy \
         is compared with the best use of LUCK: narrow the range of SKILL differences, or lower STAMINA or LUCK"
    )]
    TooManyStarts {
        /// The number of states over all SKILL differences.
        states: u128,
        /// The number of values of LUCK a duel may begin with.
        lucks: u32,
        /// The limit on the product of the two.
        limit: u64,
    },

    /// A range of SKILL differences is empty.
    #[error(
        "there is no SKILL difference from {first} to {last}: the first must not be above the last"
    )]
    NoSkillDifference {
        /// The first SKILL difference.
        first: i64,
        /// The last SKILL difference.
        last: i64,
    },

    /// A table of floats does not support these special rules.
    #[error(
        "a `LuckTable` knows no sudden death, escape or last round: use a `LuckMap` or a `Duel`"
    )]
    SpecialRules,

    /// The box of states is too large to be explored.
    #[error(
        "{states} states are more than the {limit} allowed here: shrink the numbers, \
         or solve the `game()` with limits of your own"
    )]
    TooManyStates {
        /// The number of states.
        states: usize,
        /// The number of states allowed.
        limit: usize,
    },

    /// A table does not cover this state.
    #[error("STAMINA {hero} against {foe} with LUCK {luck} lies outside the table")]
    OutsideTable {
        /// The hero's STAMINA.
        hero: u16,
        /// The foe's STAMINA.
        foe: u16,
        /// The hero's LUCK.
        luck: u16,
    },

    /// An attack round has too many dice.
    #[error(
        "an attack round with {count} dice of {sides} sides for each has more than 2^64 rolls: use fewer dice"
    )]
    TooManyAttackDice {
        /// The number of dice each side rolls.
        count: u32,
        /// The number of sides of each die.
        sides: u32,
    },

    /// A test of LUCK has too many dice.
    #[error(
        "a test of LUCK with {count} dice of {sides} sides has more than 2^64 rolls: use fewer dice"
    )]
    TooManyLuckDice {
        /// The number of dice.
        count: u32,
        /// The number of sides of each die.
        sides: u32,
    },

    /// A map or figure cannot be drawn.
    #[error("this cannot be drawn: {reason}")]
    Plot {
        /// The reason, with the numbers involved.
        reason: String,
    },

    /// A melee has no foes.
    #[error("a melee needs at least one foe")]
    NoFoes,

    /// A melee has more foes than it has room for.
    #[error(
        "a melee has room for {limit} foes, and more were given: split it, or fight some of them later"
    )]
    TooManyFoes {
        /// The highest number of foes.
        limit: usize,
    },

    /// A rule, or a combination of rules, is not supported in a melee.
    #[error("a melee does not know {rule}: {reason}")]
    MeleeRules {
        /// The rule or combination.
        rule: &'static str,
        /// The reason, and what to do instead.
        reason: &'static str,
    },

    /// A round against several foes has too many rolls.
    #[error(
        "a round against {foes} foes with these dice has more than 2^64 equally likely rolls: use fewer foes or dice"
    )]
    MeleeRollsOverflow {
        /// The number of foes.
        foes: usize,
    },

    /// This foe cannot be attacked.
    #[error(
        "foe {target} (numbered from 0) cannot be attacked in this state: {state}; name one that stands, before a round, and the first of them if they come in order"
    )]
    NoSuchTarget {
        /// The number given.
        target: usize,
        /// The state.
        state: String,
    },

    /// The fight could not be solved, or the solution does not cover a state.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),

    /// An error of the underlying distributions.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}
