//! What the starts are worth by each of the streets alone, and without it.

use super::{Size, Street, Task};
use crate::solver::induction::Induction;
use crate::solver::limits::Halt;

/// What a start is worth between.
pub(crate) type Between = (f64, f64);

/// One of the streets, and what the starts are worth by it and by the others.
pub(crate) struct Parted {
    pub(crate) way: u32,
    /// By start, if no other street may be taken.
    pub(crate) alone: Vec<Between>,
    /// By start, if this one may not be taken.
    pub(crate) without: Vec<Between>,
}

impl Task<'_> {
    /// By what is known of the streets.
    pub(super) fn parted(&self, streets: &[Street], size: &mut Size) -> Result<Vec<Parted>, Halt> {
        let mut parted = Vec::new();
        for street in streets {
            let way = street.way;
            parted.push(Parted {
                way,
                alone: self.between(streets, &|one| one.way == way, size)?,
                without: self.between(streets, &|one| one.way != way, size)?,
            });
        }
        Ok(parted)
    }

    /// What the starts are worth between if some of the streets may be taken.
    fn between(
        &self,
        streets: &[Street],
        open: &dyn Fn(&Street) -> bool,
        size: &mut Size,
    ) -> Result<Vec<Between>, Halt> {
        let most = self.ahead(streets, open, size)?;
        let solved = streets
            .iter()
            .all(|street| street.solved() || !open(street));
        let least = match solved {
            true => None,
            false => Some(self.ahead(streets, |one| open(one) && one.solved(), size)?),
        };
        Ok(self.bounds(least.as_ref().unwrap_or(&most), &most))
    }

    fn bounds(&self, least: &Induction<'_>, most: &Induction<'_>) -> Vec<Between> {
        let starts = self.starts.iter();
        let between = starts.map(|(region, at)| {
            let least = least.value(region, at).map(|(value, off)| value - off);
            let most = most.value(region, at).filter(|_| most.proven());
            let most = most.map(|(value, off)| value + off);
            (least.unwrap_or(0.0).max(0.0), most.unwrap_or(1.0).min(1.0))
        });
        between.collect()
    }
}
