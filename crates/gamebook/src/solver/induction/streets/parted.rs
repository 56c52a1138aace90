//! The values of the starts by each street alone, and without it.

use rustc_hash::FxHashMap;

use super::{Size, Street, Task};
use crate::solver::limits::Halt;

/// A lower and an upper bound.
pub(crate) type Between = (f64, f64);

/// A street, with bounds on the value of a start by it and without it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parted {
    pub(crate) way: u32,
    /// If no other street may be taken.
    pub(crate) alone: Between,
    /// If this street may not be taken.
    pub(crate) without: Between,
}

/// By sets of streets, bounds on the values of the starts.
type Worths = FxHashMap<Vec<u32>, Vec<Between>>;

impl Task<'_> {
    /// By start, the bounds for all streets, from what is known of them.
    pub(super) fn parted(
        &self,
        streets: &[Street],
        size: &mut Size,
    ) -> Result<Vec<Vec<Parted>>, Halt> {
        let mut worths = Worths::default();
        let mut between = |open: &dyn Fn(&Street) -> bool| {
            let most = self.worth(streets, open, &mut worths, size)?;
            let solved = |street: &Street| open(street) && street.solved();
            let least = self.worth(streets, &solved, &mut worths, size)?;
            let both = least.into_iter().zip(most);
            Ok::<Vec<Between>, Halt>(both.map(|(least, most)| (least.0, most.1)).collect())
        };
        let mut parted = vec![Vec::new(); self.starts.len()];
        for &Street { way, .. } in streets {
            let alone = between(&|one| one.way == way)?;
            let without = between(&|one| one.way != way)?;
            for (start, (alone, without)) in parted.iter_mut().zip(alone.into_iter().zip(without)) {
                start.push(Parted {
                    way,
                    alone,
                    without,
                });
            }
        }
        Ok(parted)
    }

    /// The same, or nothing if it takes too much: it is not needed for anything else.
    pub(super) fn parted_if_possible(
        &self,
        streets: &[Street],
        size: &mut Size,
    ) -> Result<Vec<Vec<Parted>>, Halt> {
        match self.parted(streets, size) {
            Err(Halt::Bytes | Halt::Sweeps) => Ok(Vec::new()),
            parted => parted,
        }
    }

    /// Bounds on the values of the starts if only some of the streets may be taken, from what is
    /// known of these. The same set may occur several times, so results are memoized.
    fn worth(
        &self,
        streets: &[Street],
        open: &dyn Fn(&Street) -> bool,
        worths: &mut Worths,
        size: &mut Size,
    ) -> Result<Vec<Between>, Halt> {
        let ways = streets.iter().filter(|street| open(street));
        let ways: Vec<u32> = ways.map(|street| street.way).collect();
        if let Some(known) = worths.get(&ways) {
            return Ok(known.clone());
        }
        let ahead = self.ahead(streets, open, size)?;
        let between = self.starts.iter().map(|(region, at)| {
            let worth = ahead.value(region, at);
            let least = worth.map_or(0.0, |(value, off)| (value - off).max(0.0));
            // A value that was approached without being enclosed is a lower bound only.
            let most = worth.filter(|_| ahead.proven());
            (
                least,
                most.map_or(1.0, |(value, off)| (value + off).min(1.0)),
            )
        });
        let between: Vec<Between> = between.collect();
        worths.insert(ways, between.clone());
        Ok(between)
    }
}
