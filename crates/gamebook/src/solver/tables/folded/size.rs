//! How tables are divided for folding.

use crate::solver::tables::folded::{OFFSET, SHORT};
use crate::solver::tables::{LANES, LIFE, LUCK, PURSE};

/// Parts with fewer positions save nothing.
const NARROWEST: usize = 4;
/// Tables whose parts have more positions are not folded.
const WIDEST: usize = u16::MAX as usize;

/// How a table is divided into planes, one for each class of money. A large plane has a part for
/// each value of the lane after life, if there is another lane after that. This is usually LUCK.
/// Refreshments hardly ever change it, so patterns lose nothing by the division, and are short and
/// few.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(super) planes: usize,
    /// The positions of a plane.
    pub(super) plane: usize,
    /// The parts of a plane. Its rows belong to them in turn.
    pub(super) parts: usize,
    /// The positions of a row.
    pub(super) row: usize,
    /// The distance of two positions of a part that differ by 1 in life.
    pub(super) life: usize,
}

impl Size {
    pub(crate) fn of(lens: [u16; LANES]) -> Self {
        let lens = lens.map(usize::from);
        let plane = lens[LIFE..].iter().product();
        let last = lens[LUCK + 1..].iter().product();
        let (parts, row, life) = match plane > SHORT && lens[LUCK] > 1 && last > 1 {
            true => (lens[LUCK], last, last),
            false => (1, plane, plane / lens[LIFE]),
        };
        Size {
            planes: lens[PURSE],
            plane,
            parts,
            row,
            life,
        }
    }

    /// The number of positions.
    pub(crate) fn volume(&self) -> usize {
        self.planes * self.plane
    }

    /// Whether such tables can be folded.
    pub(crate) fn folds(&self) -> bool {
        let part = self.part();
        let parts = self.planes * self.parts;
        (NARROWEST..=WIDEST).contains(&part) && parts * (part + 1) < 1 << OFFSET
    }

    /// The positions of a part.
    pub(super) fn part(&self) -> usize {
        self.plane / self.parts
    }

    /// Writes the parts of a plane one after another.
    pub(super) fn divide(&self, plane: &[f64], divided: &mut [f64]) {
        let part = self.part();
        let all = plane.chunks_exact(self.parts * self.row);
        for (number, rows) in all.enumerate() {
            for (row, part) in rows
                .chunks_exact(self.row)
                .zip(divided.chunks_exact_mut(part))
            {
                let to = &mut part[number * self.row..][..self.row];
                // In steps of fixed length, since rows are too short for a call.
                let (fours, rest) = row.as_chunks::<4>();
                let (to_fours, to_rest) = to.as_chunks_mut::<4>();
                for (to, four) in to_fours.iter_mut().zip(fours) {
                    *to = *four;
                }
                for (to, value) in to_rest.iter_mut().zip(rest) {
                    *to = *value;
                }
            }
        }
    }

    /// The positions of the rows of a part within its plane.
    pub(super) fn rows(&self, part: usize) -> impl Iterator<Item = usize> + use<> {
        let Size { parts, row, .. } = *self;
        (0..self.part() / row).map(move |number| (number * parts + part) * row)
    }
}
