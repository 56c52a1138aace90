//! What the starts are worth by each of the streets alone, and without it.

use rustc_hash::FxHashMap;

use super::{Size, Street, Task};
use crate::solver::limits::Halt;

/// What a start is worth between.
pub(crate) type Between = (f64, f64);

/// One of the streets, and what a start is worth by it and by the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parted {
    pub(crate) way: u32,
    /// If no other street may be taken.
    pub(crate) alone: Between,
    /// If this one may not be taken.
    pub(crate) without: Between,
}

/// By streets that may be taken, what the starts are worth by what is known of these.
type Worths = FxHashMap<Vec<u32>, Vec<Between>>;

impl Task<'_> {
    /// By start, the streets, by what is known of them.
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

    /// The same, or nothing if that is too much: all that was asked for is known without it.
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

    /// What the starts are worth between if some of the streets may be taken, each of which is
    /// worth what is known of it. The same ones may be left for several reasons.
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
            // What was approached without being enclosed is no less than that, and may be more.
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
