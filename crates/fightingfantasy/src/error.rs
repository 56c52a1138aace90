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
/// assert_eq!(error.to_string(), "the hero's STAMINA must be at least 1, got 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A fighter starts without STAMINA.
    #[error("the {who}'s STAMINA must be at least 1, got 0")]
    NoStamina {
        /// `"hero"` or `"foe"`.
        who: &'static str,
    },

    /// All three counts of an attack round are zero.
    #[error("an attack round needs a positive count of wins, draws or losses, got none")]
    NoRounds,

    /// The sum of the counts of an attack round does not fit into 64 bits.
    #[error(
        "{win} wins, {draw} draws and {lose} losses exceed the limit of {max} in all; divide the counts by a common factor",
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
    #[error("{count} ways to {outcome} a round exceed the limit of {max}; use fewer dice", max = u64::MAX)]
    CountTooBig {
        /// `"win"`, `"draw"` or `"lose"`.
        outcome: &'static str,
        /// The count.
        count: BigUint,
    },

    /// No round can hurt anybody, so the duel never ends.
    #[error(
        "no round ever takes STAMINA, so the duel never ends; a win or a loss must be possible and do damage"
    )]
    NeverEnding,

    /// A probability is outside 0..=1.
    #[error("a probability must be between 0 and 1, got {given}")]
    Probability {
        /// The value given.
        given: BigRational,
    },

    /// The sum would take longer than allowed.
    #[error(
        "a sum of {terms} terms of {bits} bits needs {terms} x {bits} steps, which exceeds the limit of {limit}; \
         raise it with `max_work`, use smaller numbers, or use floats if available"
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
    #[error("the {who}'s STAMINA must be between 1 and {limit}, got {given}")]
    Stamina {
        /// `"hero"` or `"foe"`.
        who: &'static str,
        /// The value given.
        given: i64,
        /// The highest value allowed.
        limit: u16,
    },

    /// The hero's LUCK is negative or too large.
    #[error("LUCK must be between 0 and {limit}, got {given}")]
    Luck {
        /// The value given.
        given: i64,
        /// The highest value allowed.
        limit: u16,
    },

    /// A blow takes nothing when LUCK is not tested, so a round may change nothing.
    #[error("the {who}'s blow must take at least 1 STAMINA when LUCK is not tested, got 0")]
    Harmless {
        /// `"hero"` or `"foe"`.
        who: &'static str,
    },

    /// Sudden death is set to occur after 0 lost rounds.
    #[error("sudden death must come after at least 1 lost round, got 0")]
    SuddenDeathAtOnce,

    /// Evaluating all heuristics would take longer than allowed.
    #[error(
        "the steps of {heuristics} heuristics on {states} states with values of {bits} bits exceed the limit of \
         {limit}; lower LUCK or STAMINA, or raise the limit with `HeuristicMap::with_max_work`"
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

    /// Evaluating all heuristics of a duel would take longer than allowed.
    #[error(
        "{heuristics} heuristics on {states} states each exceed the limit of {limit} in all for a duel; lower \
         LUCK or STAMINA"
    )]
    DuelTooLong {
        /// The number of strategies, each counted with every threshold.
        heuristics: u64,
        /// The number of states each of them is evaluated on.
        states: u128,
        /// The limit on the product of the two.
        limit: u64,
    },

    /// A policy is to be compared with the best use of LUCK on more states than allowed.
    #[error(
        "{states} states for each of {lucks} values of initial LUCK exceed the limit of {limit} in all for \
         comparing a policy with the best use of LUCK; narrow the range of SKILL differences, or lower STAMINA or LUCK"
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
    #[error("a range of SKILL differences must go from low to high, got {first} to {last}")]
    NoSkillDifference {
        /// The first SKILL difference.
        first: i64,
        /// The last SKILL difference.
        last: i64,
    },

    /// A table of floats does not support these special rules.
    #[error(
        "a `LuckTable` does not support sudden death, escape or a last round; use a `LuckMap` or a `Duel`"
    )]
    SpecialRules,

    /// The box of states is too large to be explored.
    #[error(
        "{states} states exceed the limit of {limit}; use smaller numbers, \
         or solve the `game()` with your own limits"
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
        "an attack round with {count} dice of {sides} sides for each side has more than 2^64 rolls; use fewer dice"
    )]
    TooManyAttackDice {
        /// The number of dice each side rolls.
        count: u32,
        /// The number of sides of each die.
        sides: u32,
    },

    /// A test of LUCK has too many dice.
    #[error(
        "a test of LUCK with {count} dice of {sides} sides has more than 2^64 rolls; use fewer dice"
    )]
    TooManyLuckDice {
        /// The number of dice.
        count: u32,
        /// The number of sides of each die.
        sides: u32,
    },

    /// A map or figure cannot be drawn.
    #[error("cannot draw the figure: {reason}")]
    Plot {
        /// The reason, with the numbers involved.
        reason: String,
    },

    /// A melee has no foes.
    #[error("a melee needs at least 1 foe, got none")]
    NoFoes,

    /// A melee has more foes than it has room for.
    #[error(
        "the foes of a melee exceed the limit of {limit}; split it, or fight some of them later"
    )]
    TooManyFoes {
        /// The highest number of foes.
        limit: usize,
    },

    /// A rule, or a combination of rules, is not supported in a melee.
    #[error("a melee does not support {rule}: {reason}")]
    MeleeRules {
        /// The rule or combination.
        rule: &'static str,
        /// The reason, and what to do instead.
        reason: &'static str,
    },

    /// A round against several foes has too many rolls.
    #[error(
        "a round against {foes} foes with these dice has more than 2^64 equally likely rolls; use fewer foes or dice"
    )]
    MeleeRollsOverflow {
        /// The number of foes.
        foes: usize,
    },

    /// This foe cannot be attacked.
    #[error(
        "foe {target} (counted from 0) cannot be attacked in the state {state}; before a round, choose a foe who still stands, or the first of them if they fight in turn"
    )]
    NoSuchTarget {
        /// The number given.
        target: usize,
        /// The state.
        state: String,
    },

    /// The fight could not be solved, or the solution does not cover a state.
    #[error("{0}{hint}", hint = whose_limit(.0))]
    Solve(oddsmith_mdp::Error),

    /// An error of the underlying distributions.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}

// Written out, since a source would repeat the message.
impl From<oddsmith_mdp::Error> for Error {
    fn from(error: oddsmith_mdp::Error) -> Self {
        Self::Solve(error)
    }
}

/// Where to set a limit that the message of a solver names.
fn whose_limit(error: &oddsmith_mdp::Error) -> &'static str {
    use oddsmith_mdp::Error as Solve;
    match error {
        Solve::TooManyStates { limit } if *limit >= u32::MAX as usize => "",
        Solve::TooManyStates { .. }
        | Solve::TooMuchMemory { .. }
        | Solve::CycleTooLarge { .. }
        | Solve::FractionsOutgrow { .. }
        | Solve::FractionTooLong { .. } => {
            ", a setting of the solver of `best_luck_with`, `best_with` or `solve_with`"
        }
        _ => "",
    }
}
