//! The error type.

use crate::Side;

/// The error type of this crate.
///
/// # Examples
/// ```
/// use oddsmith_risk::{Error, Side, Throw};
///
/// let error = Throw::new(0, 2).unwrap_err();
/// assert_eq!(error, Error::NoDice { side: Side::Attacker });
/// assert_eq!(error.to_string(), "the attacker must throw at least 1 die, got 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A side without dice.
    #[error("the {side} must throw at least 1 die, got 0")]
    NoDice {
        /// The side without dice.
        side: Side,
    },
    /// A die without sides.
    #[error("the {side}'s dice must have at least 1 side, got 0")]
    NoSides {
        /// The side whose dice have no sides.
        side: Side,
    },
    /// A side without units.
    #[error("the {side} must start with at least 1 unit, got 0")]
    NoUnits {
        /// The side without units.
        side: Side,
    },
    /// A list of battles, armies or the like that is empty.
    #[error("{what} needs at least 1 {needed}, got none")]
    NoBattles {
        /// What was asked for.
        what: &'static str,
        /// What is missing.
        needed: &'static str,
    },
    /// More battles in a row than are computed, or an infinite iterator of them.
    #[error("the battles of {what} exceed the limit of {limit}")]
    TooManyBattles {
        /// What was asked for.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
    },
    /// A second defence die for zero defenders.
    #[error("two defence dice need at least 1 defender (2 by the standard rules), got 0")]
    NoDefenders,
    /// Too few troops in a territory to attack from it.
    #[error(
        "a territory must hold at least 2 troops to attack, since one stays behind, got {troops}"
    )]
    Garrison {
        /// The troops given.
        troops: u32,
    },
    /// A throw that would take longer than allowed. It is rejected before any work.
    #[error(
        "{attack} dice against {defence} need about {work} steps, which exceeds the limit of {limit}; use fewer \
         dice or sides, or raise it where there is `max_work` or a `_within` twin"
    )]
    TooLarge {
        /// The attacker's dice.
        attack: u32,
        /// The defender's dice.
        defence: u32,
        /// An estimate of the steps.
        work: u128,
        /// The limit.
        limit: u64,
    },
    /// All throws of a battle together, if they would take longer than allowed. They are rejected
    /// before any work.
    #[error(
        "all throws of these rules up to {attack} dice against {defence} need about {work} steps together, which \
         exceeds the limit of {limit}; lower `max_dice` or the sides of the rules, or raise it where there is \
         `max_work` or a `_within` twin"
    )]
    ThrowsTooLarge {
        /// The attacker's dice at which the limit was passed.
        attack: u32,
        /// The defender's dice.
        defence: u32,
        /// An estimate of the steps up to there.
        work: u128,
        /// The limit.
        limit: u64,
    },
    /// A throw of a battle whose counts do not fit into 64 bits.
    #[error(
        "a throw of {attack} dice against {defence} has more than 2^64 rolls, too many for a battle; \
         lower `max_dice` or the sides of the rules"
    )]
    TooManyRolls {
        /// The attacker's dice.
        attack: u32,
        /// The defender's dice.
        defence: u32,
    },
    /// A model compared with no battle at all.
    #[error("no armies to compare; both ranges must contain at least 1 number")]
    NoArmies,
    /// A fraction of the binomial model that would take longer than allowed. It is rejected before
    /// any work.
    #[error(
        "the binomial model of {attackers} attackers against {defenders} needs about {work} steps as a fraction, \
         which exceeds the limit of {limit}; raise it with `win_within`, or use `win_f64`"
    )]
    BinomialTooLarge {
        /// The attackers.
        attackers: u32,
        /// The defenders.
        defenders: u32,
        /// An estimate of the steps.
        work: u128,
        /// The limit.
        limit: u64,
    },
    /// A distribution to be balanced that contains an outcome in which neither side is gone, or
    /// both are.
    #[error(
        "a battle that ends with {attackers} attackers and {defenders} defenders has no winner; \
         only battles fought to the end can be balanced"
    )]
    Undecided {
        /// The attackers left.
        attackers: u32,
        /// The defenders left.
        defenders: u32,
    },
    /// A parameter of balanced outcomes that is out of its range.
    #[error("{name} must be {allowed}, got {value}")]
    BadBalance {
        /// The parameter.
        name: &'static str,
        /// The value given.
        value: f64,
        /// The values allowed.
        allowed: &'static str,
    },
    /// A battle, or a table of battles, that would take longer than allowed. It is rejected before
    /// any work.
    #[error(
        "{what}: {attackers} attackers against {defenders} need about {work} steps, which exceeds the limit of \
         {limit}; use fewer units or `win_estimate`, or raise it where there is `max_work` or a `_within` twin"
    )]
    BattleTooLarge {
        /// What was asked for.
        what: &'static str,
        /// The attackers.
        attackers: u32,
        /// The defenders.
        defenders: u32,
        /// The steps: states, or words of all states.
        work: u128,
        /// The limit.
        limit: u64,
    },
    /// Reinforcements that make the defenders more than can be counted.
    #[error(
        "{defenders} defenders and {reinforcements} reinforcements exceed the limit of 4294967295"
    )]
    TooManyDefenders {
        /// The defenders before.
        defenders: u32,
        /// The reinforcements.
        reinforcements: u32,
    },
    /// A table for which there is not enough memory.
    #[error("a table of {bytes} bytes exceeds the available memory")]
    NoMemory {
        /// Its size.
        bytes: u128,
    },
    /// Rows of a battle that take more memory than allowed, whatever the machine has, because there
    /// are very many units on one side. The battle is rejected before any work, whatever the limit
    /// on steps.
    #[error(
        "{attackers} attackers against {defenders} need {bytes} bytes at once, which exceeds the fixed limit of \
         {limit}; use fewer units, or use an estimate"
    )]
    RowsTooLarge {
        /// The attackers.
        attackers: u32,
        /// The defenders.
        defenders: u32,
        /// The size of the rows.
        bytes: u128,
        /// The limit, a gigabyte.
        limit: u64,
    },
    /// A battle as a game with more states than a machine word can number. It is rejected before
    /// any work.
    #[error(
        "a game of {attackers} attackers against {defenders} has {states} states, which exceeds the \
         fixed limit of {limit}; use smaller forces, or use `win_estimate` for the chance alone"
    )]
    TooManyForces {
        /// The attackers.
        attackers: u32,
        /// The defenders.
        defenders: u32,
        /// The states of all forces up to these.
        states: u128,
        /// The largest number of states that can be numbered.
        limit: usize,
    },
    /// A rule by which the attackers stop before they start.
    #[error(
        "a rule that stops at {units} attackers needs more attackers than that, got {attackers}"
    )]
    Floor {
        /// The number of attackers at which the rule stops.
        units: u32,
        /// The attackers given.
        attackers: u32,
    },
    /// A probability that is not from 0 to 1.
    #[error("a probability must be between 0 and 1, got {given}")]
    Chance {
        /// The value given.
        given: num_rational::BigRational,
    },
    /// A chance that no force up to a limit reaches.
    #[error("{}", out_of_reach(*side, *opponents, chance, *most))]
    OutOfReach {
        /// The side whose force is sought.
        side: Side,
        /// The units of the other side.
        opponents: u32,
        /// The chance wanted.
        chance: num_rational::BigRational,
        /// The largest force that the limit allows.
        most: u32,
    },
    /// A chance that no force reaches, however large.
    #[error("no force of any size for the {side} has a chance of {chance} against {opponents}")]
    NoForce {
        /// The side whose force is sought.
        side: Side,
        /// The units of the other side.
        opponents: u32,
        /// The chance wanted.
        chance: num_rational::BigRational,
    },
    /// A chance so near to the one wanted that only a fraction could decide whether it is reached.
    #[error(
        "whether {units} units give the {side} a chance of {chance} against {opponents} is too close to decide in \
         floats, and exceeds the limit as a fraction; change the chance slightly, or raise the limit"
    )]
    TooClose {
        /// The side whose force is sought.
        side: Side,
        /// The force in doubt.
        units: u32,
        /// The units of the other side.
        opponents: u32,
        /// The chance wanted.
        chance: num_rational::BigRational,
    },
    /// Numbers of dice that still change at large forces, so that large armies cannot be estimated.
    #[error(
        "throws change up to {attackers} attackers against {defenders} by these rules, too many for an estimate; \
         lower `second_defence_die_from` or `max_dice` of the rules, or use `Battle::win_f64`"
    )]
    Unsettled {
        /// The number of attackers from which on one more changes no throw.
        attackers: u32,
        /// The number of defenders from which on one more changes no throw.
        defenders: u32,
    },
    /// A bonus out of the supported range.
    #[error("the {side}'s bonus must be within ±2^32, got {given}")]
    Bonus {
        /// The side with the bonus.
        side: Side,
        /// The value given.
        given: i64,
    },
    /// A captured territory in which nobody stays.
    #[error("at least 1 unit must stay in territory {territory}, got 0")]
    NobodyStays {
        /// The territory, counted from 0.
        territory: usize,
    },
    /// A territory of a campaign, or an army of an assault, beyond the last one.
    #[error("there is no {what} {number}; there are {count}, counted from 0")]
    NotThere {
        /// What was asked for.
        what: &'static str,
        /// Its number, counted from 0.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// Reinforcements without borders.
    #[error("there are no borders to fortify; give at least 1 battle that the attacker can offer")]
    NoBorders,
    /// A solution in turn of a game in which both sides decide at once.
    #[error(
        "both sides declare their dice at once, so there are no turns; choose another timing, or use \
         `Solver::solve_simultaneous`"
    )]
    AtOnce,
    /// A figure that cannot be drawn.
    #[error("cannot draw the figure: {reason}")]
    Plot {
        /// The reason, and what is possible.
        reason: String,
    },
    /// The battle could not be solved.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),
    /// A distribution could not be formed.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}

impl Error {
    /// Returns the same error with the sides exchanged, for battles followed from the other side.
    pub(crate) fn exchanged(mut self) -> Self {
        if let Error::BattleTooLarge {
            attackers,
            defenders,
            ..
        }
        | Error::RowsTooLarge {
            attackers,
            defenders,
            ..
        } = &mut self
        {
            std::mem::swap(attackers, defenders);
        }
        self
    }

    /// Returns the same error after this many steps were spent on other throws under one limit.
    pub(crate) fn after(self, steps: u128) -> Self {
        match self {
            Error::TooLarge {
                attack,
                defence,
                work,
                limit,
            } if steps > 0 => Error::ThrowsTooLarge {
                attack,
                defence,
                work: work.saturating_add(steps),
                limit: limit.saturating_add(u64::try_from(steps).unwrap_or(u64::MAX)),
            },
            other => other,
        }
    }
}

fn out_of_reach(
    side: Side,
    opponents: u32,
    chance: &num_rational::BigRational,
    most: u32,
) -> String {
    match most {
        0 => format!(
            "the limit allows no force at all for the {side} against {opponents}; raise the limit, or use fewer opponents"
        ),
        _ => format!(
            "no force of up to {most} units for the {side} has a chance of {chance} against {opponents}; ask for \
             less, or raise the limit"
        ),
    }
}
