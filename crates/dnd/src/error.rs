//! The error type.

/// The error type of this crate.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{AttackRoll, Error};
///
/// let error = AttackRoll::new(15, 4).critical_from(1).unwrap_err();
/// assert_eq!(error, Error::CriticalRange { given: 1 });
/// assert_eq!(
///     error.to_string(),
///     "the lowest critical roll must be between 2 and 20, got 1; a natural 1 always misses"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that a twenty-sided die cannot show.
    #[error("a number on a d20 must be between 1 and 20, got {given}")]
    Natural {
        /// The number given.
        given: u32,
    },
    /// A critical range that does not start at 2 to 20.
    #[error(
        "the lowest critical roll must be between 2 and 20, got {given}; a natural 1 always misses"
    )]
    CriticalRange {
        /// The number given.
        given: u32,
    },
    /// Damage dice that can show less than 0.
    #[error("damage dice must show 0 or more, got {outcome}; give a penalty as flat damage")]
    NegativeDice {
        /// The lowest outcome.
        outcome: i64,
    },
    /// A target that cannot be attacked.
    #[error("a target behind total cover cannot be attacked; leave it out or give it less cover")]
    TotalCover,
    /// A blank name.
    #[error("{what} needs a name that is not blank")]
    NoName {
        /// What has no name.
        what: &'static str,
    },
    /// Text that is not the damage of a stat block.
    #[error("cannot parse {text:?} as damage such as \"2d6 + 3 slashing plus 1d6 fire\": {reason}")]
    DamageText {
        /// The text given, cut after 64 characters.
        text: String,
        /// The reason.
        reason: String,
    },
    /// A type of damage that almost equals one of the rules.
    #[error(
        "{given:?} is not a damage type of the rules; did you mean \"{meant}\"? a custom type needs a less similar name"
    )]
    MisspeltType {
        /// The name given, in lower case.
        given: String,
        /// The type of the rules.
        meant: crate::DamageType,
    },
    /// A number in front of dice, as stat blocks print it, that is not their average.
    #[error(
        "the average in front of {dice} must be {average} (rounded down), got {given}; correct the dice or the average"
    )]
    Average {
        /// The dice, cut after 64 characters.
        dice: String,
        /// The number in front of them, cut after 64 characters.
        given: String,
        /// Their mean, rounded down.
        average: String,
    },
    /// More uses of a spell in a row than are supported.
    #[error("{given} uses in a row exceed the limit of {limit}")]
    TooManyCasts {
        /// The number given.
        given: u64,
        /// The number allowed.
        limit: u64,
    },
    /// More attacks in a turn than are supported.
    #[error("a turn of {given} attacks exceeds the limit of {limit}")]
    TooManyAttacks {
        /// The number given.
        given: u64,
        /// The number allowed.
        limit: u64,
    },
    /// More turns or phases of one fighter than are supported.
    #[error("the different turns or phases of a fighter exceed the limit of {limit}")]
    TooManyPhases {
        /// The number allowed.
        limit: usize,
    },
    /// More riders in a turn than are supported.
    #[error("a turn with {given} riders exceeds the limit of {limit}; each may double the work")]
    TooManyRiders {
        /// The number given.
        given: usize,
        /// The number allowed.
        limit: usize,
    },
    /// A rider that is read with neither damage nor `savage`.
    #[error("the rider {name:?} has no effect; give it `damage` or make it `savage`")]
    IdleRider {
        /// Its name.
        name: String,
    },
    /// A recharge range that is not on a d6.
    #[error("the lowest d6 roll that recharges must be between 1 and 6, got {given}")]
    RechargeRange {
        /// The number given.
        given: u32,
    },
    /// A table without armour classes.
    #[error("the armour classes of a table must go from low to high, got {low} to {high}")]
    NoRows {
        /// The lower end given.
        low: i64,
        /// The upper end given.
        high: i64,
    },
    /// A table of more armour classes than are supported.
    #[error("a table of {given} armour classes exceeds the limit of {limit}")]
    TooManyRows {
        /// The number given.
        given: u128,
        /// The number allowed.
        limit: u64,
    },
    /// A creature without hit points.
    #[error("hit points must be 1 or more, got at most {given}")]
    HitPoints {
        /// The number given, or the most that the dice can show.
        given: i64,
    },
    /// A creature that can neither attack nor use an effect.
    #[error("{name} has no attack; add one with `attack`, or an effect with `effect`")]
    NoAttacks {
        /// Its name.
        name: String,
    },
    /// A multiattack with an attack or effect that the creature does not have.
    #[error("{name} has no attack named {given:?}; add it with `attack` first")]
    UnknownAttack {
        /// The name of the creature.
        name: String,
        /// The name of the attack or effect.
        given: String,
    },
    /// A multiattack with a name that several different attacks or effects have.
    #[error("{name} has different attacks named {given:?}; give each its own name")]
    AmbiguousAttack {
        /// The name of the creature.
        name: String,
        /// The name of the attack or effect.
        given: String,
    },
    /// A chart that cannot be drawn.
    #[error("cannot draw the figure: {reason}")]
    Plot {
        /// The reason, with the numbers.
        reason: String,
    },
    /// A fighter who has fallen before the duel begins.
    #[error("a fighter must have at least 1 hit point, got {given}")]
    NoHitPoints {
        /// The number given.
        given: i64,
    },
    /// Temporary hit points below 0 or out of range.
    #[error(
        "temporary hit points must be 0 or more and fit 64 bits when added to the maximum, got {given}"
    )]
    TemporaryHitPoints {
        /// The number of temporary hit points.
        given: i64,
    },
    /// A maximum below the hit points.
    #[error("the maximum must be at least the {hit_points} hit points at the start, got {maximum}")]
    BelowHitPoints {
        /// The hit points.
        hit_points: i64,
        /// The maximum given.
        maximum: i64,
    },
    /// Temporary hit points of a fighter who can be healed from the start.
    #[error(
        "temporary hit points and healing need a fighter who starts at the maximum of {maximum} hit points, got {hit_points}; start at the maximum, or leave out the maximum, the healing or the temporary hit points"
    )]
    TemporaryBelowMaximum {
        /// The hit points.
        hit_points: i64,
        /// The maximum.
        maximum: i64,
    },
    /// Rolled hit points of a fighter who heals.
    #[error(
        "rolled hit points ({least} to {most}) cannot be healed, since their maximum varies; give a number, such as the average"
    )]
    RolledAndHealed {
        /// The least number that can be rolled.
        least: i64,
        /// The largest number that can be rolled.
        most: i64,
    },
    /// Rolled hit points that differ from another number given.
    #[error(
        "the hit points of a fighter who rolls them must be the highest roll, {most}, got {hit_points}"
    )]
    NotTheMostRolled {
        /// The other number.
        hit_points: i64,
        /// The largest number that can be rolled.
        most: i64,
    },
    /// A turn that could heal its target.
    #[error(
        "the damage of a turn must be 0 or more, got {outcome}; apply `max(0)` to each attack first"
    )]
    NegativeDamage {
        /// The lowest outcome.
        outcome: i64,
    },
    /// Healing that could do damage.
    #[error("healing must be 0 or more, got {outcome}")]
    NegativeHealing {
        /// The lowest outcome.
        outcome: i64,
    },
    /// A fighter without turns.
    #[error(
        "a fighter needs at least 1 turn, got none; for one who does nothing, give a certain 0"
    )]
    NoTurns,
    /// A phase that leads beyond the list.
    #[error("there is no phase {given}; there are {phases}, counted from 0")]
    NoSuchPhase {
        /// The index given.
        given: usize,
        /// The number of phases.
        phases: usize,
    },
    /// A duel that may go on forever.
    #[error("the duel may never end: {state}")]
    NeverEnds {
        /// The reason.
        state: String,
    },
    /// A duel that would need more memory than allowed. It is rejected before any work.
    #[error(
        "a duel over {hit_points} hit points needs about {words} 64-bit words, which exceeds the limit of {limit}; use fewer hit points, raise it with `max_words`, or, if it is in fractions, use floats"
    )]
    DuelTooLarge {
        /// The largest number of hit points of a side.
        hit_points: i64,
        /// An upper estimate, in 64-bit words.
        words: u128,
        /// The limit, in 64-bit words.
        limit: u64,
    },
    /// A duel that would need more memory than the machine has, although it is within the limit.
    #[error(
        "a duel over {hit_points} hit points needs about {words} 64-bit words, which exceeds the available memory; use fewer hit points, or, if it is in fractions, floats"
    )]
    NoMemory {
        /// The largest number of hit points of a side.
        hit_points: i64,
        /// An upper estimate, in 64-bit words.
        words: u128,
    },
    /// A table of more rounds than fit. It is rejected before any work.
    #[error(
        "a table of {rounds} rounds needs about {words} 64-bit words, which exceeds the limit of {limit}; raise it with `max_words`, ask for fewer rounds, compute only the ending, or, if it is in fractions, use floats"
    )]
    TooManyRounds {
        /// The number of rounds requested.
        rounds: u64,
        /// An upper estimate, in 64-bit words.
        words: u128,
        /// The limit, in 64-bit words.
        limit: u64,
    },
    /// Tactics without an attack.
    #[error(
        "there is nothing to decide; give the tactics at least 1 attack, and at least 1 way to make it"
    )]
    NothingToDecide,
    /// Tactics with more of something than is supported.
    #[error("tactics with {given} {what} exceed the limit of {limit}; each multiplies the work")]
    TooManyTactics {
        /// What there is too much of.
        what: &'static str,
        /// The number given.
        given: usize,
        /// The number allowed.
        limit: usize,
    },
    /// More uses than can be counted.
    #[error("{given} uses exceed the limit of 255")]
    TooManyUses {
        /// The number given.
        given: u32,
    },
    /// A foe whose hit points do not only decrease, or who begins in another phase.
    #[error(
        "decisions need a foe with fixed hit points and no healing, whose first turn is in phase 0, but {reason}"
    )]
    UnfitFoe {
        /// What is different about this foe.
        reason: &'static str,
    },
    /// A creature with tactics whose stat block has features that decisions do not take into
    /// account.
    #[error(
        "{name} {what}, which decisions do not support; leave it out of the stat block, or duel without tactics"
    )]
    NotInTactics {
        /// The name of the creature.
        name: String,
        /// The feature.
        what: &'static str,
    },
    /// A habit, or another choice, that refers to something that does not exist.
    #[error("there is no {what} {given}; there are {count}, counted from 0")]
    NoSuchOption {
        /// What it refers to.
        what: &'static str,
        /// The number given.
        given: usize,
        /// How many there are.
        count: usize,
    },
    /// More states than allowed. They are counted before any is visited.
    #[error(
        "up to {states} states must be solved, which exceeds the limit of {limit}; raise it with `max_states`, or use fewer hit points, creatures or uses"
    )]
    TooManyStates {
        /// An upper estimate.
        states: u128,
        /// The limit.
        limit: usize,
    },
    /// A side without creatures.
    #[error("both sides of an encounter need at least 1 creature")]
    EmptySide,
    /// Creatures whose initiative has more orders than are supported.
    #[error(
        "rolling initiative for {given} creatures exceeds the limit of {limit}; give an `order`"
    )]
    TooManyToRoll {
        /// The number given.
        given: usize,
        /// The number allowed.
        limit: usize,
    },
    /// More creatures than are supported.
    #[error("{given} creatures exceed the limit of {limit}")]
    TooManyCreatures {
        /// The number given.
        given: usize,
        /// The number allowed.
        limit: usize,
    },
    /// A creature that does not do the same in every turn.
    #[error(
        "{name} {what}, which encounters do not support; leave it out of the stat block, or use a duel"
    )]
    NotInEncounter {
        /// The name of the creature.
        name: String,
        /// The feature.
        what: &'static str,
    },
    /// An order that does not contain each creature once.
    #[error("an order of initiative must contain each number from 0 to {} once, got {given:?}", count.saturating_sub(1))]
    BadOrder {
        /// The order given.
        given: Vec<usize>,
        /// The number of creatures.
        count: usize,
    },
    /// Hit points that creatures cannot have.
    #[error("the hit points of all creatures must be between 0 and {most:?}, got {given:?}")]
    BadHitPoints {
        /// The hit points given.
        given: Vec<i64>,
        /// The hit points of all creatures at the start.
        most: Vec<i64>,
    },
    /// A question that depends on the order of initiative.
    #[error("the best target depends on who acts next; give the order of initiative with `order`")]
    OrderNeeded,
    /// A serialized roll that needs a number which no armour class and bonus give.
    #[error(
        "the number needed on a roll must follow from some armour class and bonus, got {given}"
    )]
    Needed {
        /// The number given.
        given: i128,
    },
    /// Decisions could not be solved.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),
    /// A distribution could not be formed.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}
