//! The error type.

/// The error type of this crate.
///
/// # Examples
/// ```
/// use oddsmith_dnd::{AttackRoll, Error};
///
/// let error = AttackRoll::new(15, 4).critical_from(1).unwrap_err();
/// assert_eq!(error, Error::CriticalRange { given: 1 });
/// assert_eq!(error.to_string(), "a critical hit starts at a natural 2 to 20, not 1: a natural 1 always misses");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that a twenty-sided die cannot show.
    #[error("a twenty-sided die shows 1 to 20, not {given}")]
    Natural {
        /// The number given.
        given: u32,
    },
    /// A critical range that does not start at 2 to 20.
    #[error("a critical hit starts at a natural 2 to 20, not {given}: a natural 1 always misses")]
    CriticalRange {
        /// The number given.
        given: u32,
    },
    /// Damage dice that can show less than 0.
    #[error(
        "damage dice show 0 or more, but these can show {outcome}: give a penalty as flat damage"
    )]
    NegativeDice {
        /// The lowest outcome.
        outcome: i64,
    },
    /// A target that cannot be attacked.
    #[error("a target behind total cover cannot be attacked: leave it out, or give it less cover")]
    TotalCover,
    /// A blank name.
    #[error("{what} needs a name, so that others can speak of it")]
    NoName {
        /// What has no name.
        what: &'static str,
    },
    /// Text that is not the damage of a stat block.
    #[error("{text:?} is not damage such as \"2d6 + 3 slashing plus 1d6 fire\": {reason}")]
    DamageText {
        /// The text given, cut after 64 characters.
        text: String,
        /// The reason.
        reason: String,
    },
    /// A type of damage that almost equals one of the rules.
    #[error(
        "{given:?} is no type of damage of the rules: did you mean \"{meant}\"? A type of your own needs a name that is less like it"
    )]
    MisspeltType {
        /// The name given, in lower case.
        given: String,
        /// The type of the rules.
        meant: crate::DamageType,
    },
    /// A number in front of dice, as stat blocks print it, that is not their average.
    #[error(
        "{dice} is {average} on average, rounded down, and not {given}: correct the dice or the number in front of them"
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
    #[error("at most {limit} uses one after the other are computed, not {given}")]
    TooManyCasts {
        /// The number given.
        given: u64,
        /// The number allowed.
        limit: u64,
    },
    /// More attacks in a turn than are supported.
    #[error("a turn has at most {limit} attacks, not {given}")]
    TooManyAttacks {
        /// The number given.
        given: u64,
        /// The number allowed.
        limit: u64,
    },
    /// More turns or phases of one fighter than are supported.
    #[error("a fighter has at most {limit} different turns or phases")]
    TooManyPhases {
        /// The number allowed.
        limit: usize,
    },
    /// More riders in a turn than are supported.
    #[error("a turn has at most {limit} riders, not {given}: each may double the work")]
    TooManyRiders {
        /// The number given.
        given: usize,
        /// The number allowed.
        limit: usize,
    },
    /// A rider that would change nothing.
    #[error("the rider {name:?} does nothing: give it `damage`, or let it be `savage`")]
    IdleRider {
        /// Its name.
        name: String,
    },
    /// A recharge range that is not on a d6.
    #[error("an action recharges on a number of a d6 and more, 1 to 6, not {given}")]
    RechargeRange {
        /// The number given.
        given: u32,
    },
    /// A table without armour classes.
    #[error("a table goes from a low to a high armour class, but {low} is more than {high}")]
    NoRows {
        /// The lower end given.
        low: i64,
        /// The upper end given.
        high: i64,
    },
    /// A table of more armour classes than are supported.
    #[error("a table has at most {limit} armour classes, not {given}")]
    TooManyRows {
        /// The number given.
        given: u128,
        /// The number allowed.
        limit: u64,
    },
    /// A creature without hit points.
    #[error("hit points are 1 or more, but these are {given} at most")]
    HitPoints {
        /// The number given, or the most that the dice can show.
        given: i64,
    },
    /// A creature that can neither attack nor use an effect.
    #[error("{name} has no attack: give it one with `attack`, or an effect with `effect`")]
    NoAttacks {
        /// Its name.
        name: String,
    },
    /// A multiattack with an attack or effect that the creature does not have.
    #[error("{name} has no attack of the name {given:?}: add it with `attack` first")]
    UnknownAttack {
        /// The name of the creature.
        name: String,
        /// The name of the attack or effect.
        given: String,
    },
    /// A multiattack with a name that several different attacks or effects have.
    #[error("{name} has different attacks of the name {given:?}: give each its own name")]
    AmbiguousAttack {
        /// The name of the creature.
        name: String,
        /// The name of the attack or effect.
        given: String,
    },
    /// A chart that cannot be drawn.
    #[error("this cannot be drawn: {reason}")]
    Plot {
        /// The reason, with the numbers.
        reason: String,
    },
    /// A fighter who has fallen before the duel begins.
    #[error("a fighter has at least 1 hit point, not {given}")]
    NoHitPoints {
        /// The number given.
        given: i64,
    },
    /// Temporary hit points below 0 or out of range.
    #[error(
        "temporary hit points are 0 or more and fit 64 bits together with the maximum of the others, but there are {given}"
    )]
    TemporaryHitPoints {
        /// The number of temporary hit points.
        given: i64,
    },
    /// A maximum below the hit points.
    #[error("the maximum of hit points is at least the {hit_points} there are, not {maximum}")]
    BelowHitPoints {
        /// The hit points.
        hit_points: i64,
        /// The maximum given.
        maximum: i64,
    },
    /// Temporary hit points of a fighter who can be healed from the start.
    #[error(
        "temporary hit points of one who is healed from {hit_points} to a maximum of {maximum}: which of them a blow takes is followed only from the maximum on; start there, or leave one of the three out"
    )]
    TemporaryBelowMaximum {
        /// The hit points.
        hit_points: i64,
        /// The maximum.
        maximum: i64,
    },
    /// Rolled hit points of a fighter who heals.
    #[error(
        "hit points that are rolled, {least} to {most}, cannot be healed too: the maximum would be another every time; take a number, such as the average"
    )]
    RolledAndHealed {
        /// The least number that can be rolled.
        least: i64,
        /// The largest number that can be rolled.
        most: i64,
    },
    /// Rolled hit points that differ from another number given.
    #[error(
        "of hit points that are rolled there are {most} at most, and {hit_points} are given beside: give the same number"
    )]
    NotTheMostRolled {
        /// The other number.
        hit_points: i64,
        /// The largest number that can be rolled.
        most: i64,
    },
    /// A turn that could heal its target.
    #[error(
        "a turn deals damage of 0 or more, but this one can deal {outcome}: take `max(0)` of each attack first"
    )]
    NegativeDamage {
        /// The lowest outcome.
        outcome: i64,
    },
    /// Healing that could do damage.
    #[error("healing is 0 or more, but this can be {outcome}")]
    NegativeHealing {
        /// The lowest outcome.
        outcome: i64,
    },
    /// A fighter without turns.
    #[error(
        "a fighter needs at least 1 turn, but none was given: for one who does nothing give a certain 0"
    )]
    NoTurns,
    /// A phase that leads beyond the list.
    #[error(
        "phases are numbered from 0, and there are {phases}: none can be followed by phase {given}"
    )]
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
        "a duel over {hit_points} hit points needs about {words} words of 64 bits, more than the limit of {limit}: raise it with `max_words`, or, if these are fractions, compute in floats"
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
        "a duel over {hit_points} hit points needs about {words} words of 64 bits, and there is no memory for them: take fewer hit points, or compute in floats"
    )]
    NoMemory {
        /// The largest number of hit points of a side.
        hit_points: i64,
        /// An upper estimate, in 64-bit words.
        words: u128,
    },
    /// A table of more rounds than fit. It is rejected before any work.
    #[error(
        "a table of {rounds} rounds needs about {words} words of 64 bits, more than the limit of {limit}: ask for fewer, compute in floats, or ask for the ending"
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
        "there is nothing to decide: give the tactics 1 attack or more, and 1 way or more to make it"
    )]
    NothingToDecide,
    /// Tactics with more of something than is supported.
    #[error("tactics have at most {limit} {what}, not {given}: each multiplies the work")]
    TooManyTactics {
        /// What there is too much of.
        what: &'static str,
        /// The number given.
        given: usize,
        /// The number allowed.
        limit: usize,
    },
    /// More uses than can be counted.
    #[error("at most 255 uses are counted, not {given}")]
    TooManyUses {
        /// The number given.
        given: u32,
    },
    /// A foe whose hit points do not only decrease, or who begins in another phase.
    #[error(
        "decisions are made against a foe with a number of hit points that does not heal, and a first turn in phase 0: {reason}"
    )]
    UnfitFoe {
        /// What is different about this foe.
        reason: &'static str,
    },
    /// A creature with tactics whose stat block has features that decisions do not take into
    /// account.
    #[error(
        "{name} {what}, which decisions do not follow: leave it out of the stat block, or let it duel without tactics"
    )]
    NotInTactics {
        /// The name of the creature.
        name: String,
        /// The feature.
        what: &'static str,
    },
    /// A habit, or another choice, that refers to something that does not exist.
    #[error("{what} number {given} is not among the {count} there are (from 0)")]
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
        "up to {states} states would have to be solved, more than the limit of {limit}: raise it with `max_states`, or take fewer hit points, creatures or uses"
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
    #[error("initiative is rolled for at most {limit} creatures, not for {given}: give an `order`")]
    TooManyToRoll {
        /// The number given.
        given: usize,
        /// The number allowed.
        limit: usize,
    },
    /// More creatures than are supported.
    #[error("at most {limit} creatures are possible here, not {given}")]
    TooManyCreatures {
        /// The number given.
        given: usize,
        /// The number allowed.
        limit: usize,
    },
    /// A creature that does not do the same in every turn.
    #[error(
        "{name} {what}, which encounters do not know: leave it out of the stat block, or let it duel"
    )]
    NotInEncounter {
        /// The name of the creature.
        name: String,
        /// The feature.
        what: &'static str,
    },
    /// An order that does not contain each creature once.
    #[error("an order of initiative has each number from 0 to {} once, unlike {given:?}", count.saturating_sub(1))]
    BadOrder {
        /// The order given.
        given: Vec<usize>,
        /// The number of creatures.
        count: usize,
    },
    /// Hit points that creatures cannot have.
    #[error("hit points {given:?} cannot come up where all creatures have {most:?} at first")]
    BadHitPoints {
        /// The hit points given.
        given: Vec<i64>,
        /// The hit points of all creatures at the start.
        most: Vec<i64>,
    },
    /// A question that depends on the order of initiative.
    #[error("whom to attack depends on who acts next: give the order of initiative with `order`")]
    OrderNeeded,
    /// A serialized roll that needs a number which no armour class and bonus give.
    #[error("a roll needs {given}, beyond what any armour class and bonus come to")]
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
