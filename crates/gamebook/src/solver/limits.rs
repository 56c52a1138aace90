//! How far a solver may go, and why it stopped.

/// Limits of a solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) regions: usize,
    pub(crate) bytes: usize,
    /// That one stat may have, as far as they are told apart.
    pub(crate) values: usize,
    /// Through regions that lead to each other.
    pub(crate) sweeps: usize,
    /// Of a ring that is solved sheet by sheet.
    pub(crate) sheets: usize,
}

/// No stat may have more values than that: places of lanes are words of 16 bits, and one of
/// them stands for what is [lost](crate::solver::tables::LOST).
pub(crate) const MOST_VALUES: usize = u16::MAX as usize;

/// Why a walk has stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Halt {
    /// A stat, or its cap, leaves the range of 16 bits.
    Range { stat: usize },
    /// What is asked for was not explored.
    Unexplored,
    /// A stat has too many values in a scene.
    Values {
        stat: usize,
        scene: u32,
        limit: usize,
    },
    /// Too many regions.
    Regions,
    /// Too many rounds that may follow the one of a fight that goes on.
    Rounds,
    /// Too many steps through one scene, or too deep.
    Effort,
    /// Too much memory.
    Bytes,
    /// Too much memory, when the start was known to be worth from one to the other.
    Between { least: f64, most: f64 },
    /// A fight with too many different rounds.
    Fight,
    /// A test of so many dice that no roll passes, and none fails.
    NoRoll { dice: u8, value: i32 },
    /// What leads back to itself is approached too slowly.
    Sweeps,
}
