//! Limits of the solver, and why it stops.

/// Limits of a solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) regions: usize,
    pub(crate) bytes: usize,
    /// Of one stat, as far as values are distinguished.
    pub(crate) values: usize,
    /// Through a ring.
    pub(crate) sweeps: usize,
    /// Of a ring that is solved sheet by sheet.
    pub(crate) sheets: usize,
}

/// With less memory than this, hardly any of it is not counted.
const LITTLE: usize = 1 << 28;
/// Of what is above that, the part that is left for what is not counted, which are memos between
/// walks, buffers, and the unused ends of allocations.
const UNCOUNTED: usize = 12;
/// The most memory that is left for that: what was measured with limits of a few gigabytes.
const MOST_UNCOUNTED: usize = 1 << 26;

impl Limits {
    /// The limits for what is counted, so that all memory together is within these limits.
    pub(crate) fn counted(self) -> Self {
        let uncounted = self.bytes.saturating_sub(LITTLE) / UNCOUNTED;
        Limits {
            bytes: self.bytes - uncounted.min(MOST_UNCOUNTED),
            ..self
        }
    }
}

/// The most values of a stat. Positions on lanes are 16-bit words, one of which stands for
/// [lost](crate::solver::tables::LOST).
pub(crate) const MOST_VALUES: usize = u16::MAX as usize;

/// Why a walk has stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Halt {
    /// A stat, or its cap, leaves the range of 16 bits.
    Range { stat: usize },
    /// A region was needed that has not been explored.
    Unexplored,
    /// A stat has too many values in a scene.
    Values {
        stat: usize,
        scene: u32,
        limit: usize,
    },
    /// Too many regions.
    Regions,
    /// Too many rounds may follow the round of a fight that is the start.
    Rounds,
    /// Too many steps through one scene, or too deep a recursion.
    Effort,
    /// Too much memory.
    Bytes,
    /// Too much memory, but the start is known to be worth from `least` to `most`.
    Between { least: f64, most: f64 },
    /// A fight has too many different rounds.
    Fight,
    /// A test has no rolls at all.
    NoRoll { dice: u8, value: i32 },
    /// A ring converges too slowly.
    Sweeps,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_much_memory_is_left_for_what_is_not_counted() {
        let counted = |bytes: usize| {
            let limits = Limits {
                regions: 1,
                bytes,
                values: 2,
                sweeps: 3,
                sheets: 4,
            };
            limits.counted().bytes
        };
        let mib = |count: usize| count << 20;
        for little in [0, 10, mib(1), mib(256)] {
            assert_eq!(counted(little), little);
        }
        assert_eq!(counted(mib(640)), mib(608));
        assert_eq!(counted(mib(1_024)), mib(960));
        assert_eq!(counted(usize::MAX), usize::MAX - mib(64));
    }
}
