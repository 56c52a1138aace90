//! What can go wrong, and what to do about it.

/// Every error of this crate.
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
    /// A number that a twenty-sided die does not show.
    #[error("a twenty-sided die shows 1 to 20, not {given}")]
    Natural {
        /// What was given.
        given: u32,
    },
    /// A critical range that starts nowhere on the die.
    #[error("a critical hit starts at a natural 2 to 20, not {given}: a natural 1 always misses")]
    CriticalRange {
        /// What was given.
        given: u32,
    },
    /// Damage dice that can show less than nothing.
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
    /// A name without letters.
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
        /// Why not.
        reason: String,
    },
    /// A type of damage that is almost one of the rules.
    #[error(
        "{given:?} is no type of damage of the rules: did you mean \"{meant}\"? A type of your own needs a name that is less like it"
    )]
    MisspeltType {
        /// The name given, in lower case.
        given: String,
        /// The type of the rules.
        meant: crate::DamageType,
    },
    /// A number in front of dice, as stat blocks print it, that is not their mean.
    #[error(
        "{dice} is {average} on average, rounded down, and not {given}: correct the dice or the number in front of them"
    )]
    Average {
        /// The dice, cut after 64 characters.
        dice: String,
        /// The number in front of them, cut as well.
        given: String,
        /// Their mean, rounded down.
        average: String,
    },
    /// More uses of a spell, one after the other, than are computed.
    #[error("at most {limit} uses one after the other are computed, not {given}")]
    TooManyCasts {
        /// How many were given.
        given: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// More attacks in a turn than are computed.
    #[error("a turn has at most {limit} attacks, not {given}")]
    TooManyAttacks {
        /// How many were given.
        given: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// More turns of one fighter, or phases of it, than are told apart.
    #[error("a fighter has at most {limit} different turns or phases")]
    TooManyPhases {
        /// How many are allowed.
        limit: usize,
    },
    /// More riders in a turn than are computed.
    #[error("a turn has at most {limit} riders, not {given}: each may double the work")]
    TooManyRiders {
        /// How many were given.
        given: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// A rider that changes nothing.
    #[error("the rider {name:?} does nothing: give it `damage`, or let it be `savage`")]
    IdleRider {
        /// Its name.
        name: String,
    },
    /// A recharge range that is not on a d6.
    #[error("an action recharges on a number of a d6 and more, 1 to 6, not {given}")]
    RechargeRange {
        /// What was given.
        given: u32,
    },
    /// A table without armour classes.
    #[error("a table goes from a low to a high armour class, but {low} is more than {high}")]
    NoRows {
        /// The low end given.
        low: i64,
        /// The high end given.
        high: i64,
    },
    /// A table of more armour classes than are computed.
    #[error("a table has at most {limit} armour classes, not {given}")]
    TooManyRows {
        /// How many were given.
        given: u128,
        /// How many are allowed.
        limit: u64,
    },
    /// A creature that is dead from the start.
    #[error("hit points are 1 or more, but these are {given} at most")]
    HitPoints {
        /// What was given, or the most that the dice can show.
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
        /// Its name.
        name: String,
        /// The name given.
        given: String,
    },
    /// A multiattack with a name that several different attacks or effects have.
    #[error("{name} has different attacks of the name {given:?}: give each its own name")]
    AmbiguousAttack {
        /// Its name.
        name: String,
        /// The name given.
        given: String,
    },
    /// A chart that cannot be drawn.
    #[error("this cannot be drawn: {reason}")]
    Plot {
        /// Why, with the numbers.
        reason: String,
    },
    /// A fighter that has fallen before the duel begins.
    #[error("a fighter has at least 1 hit point, not {given}")]
    NoHitPoints {
        /// What was given.
        given: i64,
    },
    /// Temporary hit points below 0 or out of range.
    #[error(
        "temporary hit points are 0 or more and fit 64 bits together with the maximum of the others, but there are {given}"
    )]
    TemporaryHitPoints {
        /// How many there are.
        given: i64,
    },
    /// A maximum that is already exceeded.
    #[error("the maximum of hit points is at least the {hit_points} there are, not {maximum}")]
    BelowHitPoints {
        /// The hit points there are.
        hit_points: i64,
        /// The maximum given.
        maximum: i64,
    },
    /// Temporary hit points of one who can be healed from the start.
    #[error(
        "temporary hit points of one who is healed from {hit_points} to a maximum of {maximum}: which of them a blow takes is followed only from the maximum on; start there, or leave one of the three out"
    )]
    TemporaryBelowMaximum {
        /// The hit points there are.
        hit_points: i64,
        /// The maximum.
        maximum: i64,
    },
    /// Hit points that are rolled, of one who heals.
    #[error(
        "hit points that are rolled, {least} to {most}, cannot be healed too: the maximum would be another every time; take a number, such as the average"
    )]
    RolledAndHealed {
        /// The least that can be rolled.
        least: i64,
        /// The most.
        most: i64,
    },
    /// Hit points that are rolled, and another number beside.
    #[error(
        "of hit points that are rolled there are {most} at most, and {hit_points} are given beside: give the same number"
    )]
    NotTheMostRolled {
        /// The number beside.
        hit_points: i64,
        /// The most that can be rolled.
        most: i64,
    },
    /// A turn that can heal its target.
    #[error(
        "a turn deals damage of 0 or more, but this one can deal {outcome}: take `max(0)` of each attack first"
    )]
    NegativeDamage {
        /// The lowest outcome.
        outcome: i64,
    },
    /// Healing that can hurt.
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
        /// The position given.
        given: usize,
        /// How many phases there are.
        phases: usize,
    },
    /// A duel that may go on for ever.
    #[error("the duel may never end: {state}")]
    NeverEnds {
        /// Why.
        state: String,
    },
    /// A duel that would need more memory than allowed; refused before any work.
    #[error(
        "a duel over {hit_points} hit points needs about {words} words of 64 bits, more than the limit of {limit}: raise it with `max_words`, or, if these are fractions, compute in floats"
    )]
    DuelTooLarge {
        /// The most hit points of a side.
        hit_points: i64,
        /// An upper estimate, in 64-bit words.
        words: u128,
        /// The limit in force, in 64-bit words.
        limit: u64,
    },
    /// A duel that would need more memory than the machine has, below the limit.
    #[error(
        "a duel over {hit_points} hit points needs about {words} words of 64 bits, and there is no memory for them: take fewer hit points, or compute in floats"
    )]
    NoMemory {
        /// The most hit points of a side.
        hit_points: i64,
        /// An upper estimate, in 64-bit words.
        words: u128,
    },
    /// A table of more rounds than fit; refused before any work.
    #[error(
        "a table of {rounds} rounds needs about {words} words of 64 bits, more than the limit of {limit}: ask for fewer, compute in floats, or ask for the ending"
    )]
    TooManyRounds {
        /// The rounds asked for.
        rounds: u64,
        /// An upper estimate, in 64-bit words.
        words: u128,
        /// The limit in force, in 64-bit words.
        limit: u64,
    },
    /// Tactics without an attack.
    #[error(
        "there is nothing to decide: give the tactics 1 attack or more, and 1 way or more to make it"
    )]
    NothingToDecide,
    /// Tactics with more of something than is computed.
    #[error("tactics have at most {limit} {what}, not {given}: each multiplies the work")]
    TooManyTactics {
        /// What there is too much of.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// More uses than are counted.
    #[error("at most 255 uses are counted, not {given}")]
    TooManyUses {
        /// What was given.
        given: u32,
    },
    /// A foe whose hit points do not only go down.
    #[error(
        "decisions are made against a foe with a number of hit points that does not heal, and a first turn in phase 0: {reason}"
    )]
    UnfitFoe {
        /// What this one does.
        reason: &'static str,
    },
    /// A creature with tactics that has more in its stat block than decisions follow.
    #[error(
        "{name} {what}, which decisions do not follow: leave it out of the stat block, or let it duel without tactics"
    )]
    NotInTactics {
        /// Its name.
        name: String,
        /// What it does.
        what: &'static str,
    },
    /// A habit that names what the tactics do not have.
    #[error("{what} number {given} is not among the {count} there are (from 0)")]
    NoSuchOption {
        /// What is named.
        what: &'static str,
        /// Which was given.
        given: usize,
        /// How many there are.
        count: usize,
    },
    /// More states than allowed; counted before any of them was looked at.
    #[error(
        "up to {states} states would have to be solved, more than the limit of {limit}: raise it with `max_states`, or take fewer hit points, creatures or uses"
    )]
    TooManyStates {
        /// An upper estimate.
        states: u128,
        /// The limit in force.
        limit: usize,
    },
    /// A side without creatures.
    #[error("both sides of an encounter need at least 1 creature")]
    EmptySide,
    /// Creatures whose initiative has more orders than are solved.
    #[error("initiative is rolled for at most {limit} creatures, not for {given}: give an `order`")]
    TooManyToRoll {
        /// How many were given.
        given: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// More creatures than are computed.
    #[error("at most {limit} creatures are possible here, not {given}")]
    TooManyCreatures {
        /// How many were given.
        given: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// A creature with more than the same turn every time.
    #[error(
        "{name} {what}, which encounters do not know: leave it out of the stat block, or let it duel"
    )]
    NotInEncounter {
        /// Its name.
        name: String,
        /// What it does.
        what: &'static str,
    },
    /// An order that is not one of all creatures.
    #[error("an order of initiative has each number from 0 to {} once, unlike {given:?}", count.saturating_sub(1))]
    BadOrder {
        /// What was given.
        given: Vec<usize>,
        /// How many creatures there are.
        count: usize,
    },
    /// Hit points of creatures that they cannot have.
    #[error("hit points {given:?} cannot come up where all creatures have {most:?} at first")]
    BadHitPoints {
        /// What was given.
        given: Vec<i64>,
        /// The hit points of all creatures at the start.
        most: Vec<i64>,
    },
    /// A question that depends on the order of initiative.
    #[error("whom to attack depends on who acts next: give the order of initiative with `order`")]
    OrderNeeded,
    /// A roll that was read and needs what no armour class and bonus make.
    #[error("a roll needs {given}, beyond what any armour class and bonus come to")]
    Needed {
        /// What was given.
        given: i128,
    },
    /// Decisions could not be solved.
    #[error(transparent)]
    Solve(#[from] oddsmith_mdp::Error),
    /// A law could not be formed.
    #[error(transparent)]
    Dice(#[from] oddsmith_dice::Error),
}
