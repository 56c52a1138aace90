//! Views of planes, run by run: maps are evaluated once for all planes of a table, and adjacent
//! positions are copied together.

use crate::solver::tables::{LANES, LIFE, LOST};

/// Adjacent positions, and what they see of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    seen: Seen,
    len: usize,
}

/// What the positions of a run see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// Nothing.
    Lost,
    /// All of them the same position.
    One(usize),
    /// Adjacent positions, from this one on.
    Row(usize),
}

impl Run {
    fn one(place: Option<usize>, len: usize) -> Self {
        let seen = match place {
            None => Seen::Lost,
            Some(place) if len == 1 => Seen::Row(place),
            Some(place) => Seen::One(place),
        };
        Run { seen, len }
    }

    /// The only position that is seen, if there is just one.
    fn only(self) -> Option<usize> {
        match self.seen {
            Seen::One(place) => Some(place),
            Seen::Row(place) if self.len == 1 => Some(place),
            _ => None,
        }
    }

    /// The union of both, if they form one run.
    fn joined(self, next: Run) -> Option<Run> {
        let seen = match (self.seen, next.seen) {
            (Seen::Lost, Seen::Lost) => Seen::Lost,
            (Seen::Row(from), Seen::Row(to)) if from + self.len == to => Seen::Row(from),
            _ => Seen::One(self.only().filter(|only| next.only() == Some(*only))?),
        };
        let len = self.len + next.len;
        Some(Run { seen, len })
    }

    /// The range of positions that are seen.
    fn span(self) -> (usize, usize) {
        match self.seen {
            Seen::Lost => (0, 0),
            Seen::One(place) => (place, place + 1),
            Seen::Row(from) => (from, from + self.len),
        }
    }

    /// Appends what is seen of a plane. `value` gives the value of its entries.
    fn append<T>(self, plane: &[T], value: impl Fn(&T) -> f64, out: &mut Vec<f64>) {
        match self.seen {
            Seen::Lost => out.resize(out.len() + self.len, 0.0),
            Seen::One(place) => out.resize(out.len() + self.len, value(&plane[place])),
            Seen::Row(from) => out.extend(plane[from..from + self.len].iter().map(value)),
        }
    }
}

/// All positions of a plane, as runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Runs(Vec<Run>);

impl Runs {
    /// Builds the runs for some maps, which are empty where everything is at the first position.
    /// `wide` are the lengths of what is seen, `lens` those of the view.
    pub(crate) fn new(
        maps: [&[u16]; LANES],
        straight: [bool; LANES],
        wide: [usize; LANES],
        lens: [usize; LANES],
    ) -> Self {
        let strides = [0, wide[2] * wide[3], wide[3], 1];
        let place = |lane: usize, at: usize| match maps[lane] {
            [] => Some(0),
            map => match map[at] {
                LOST => None,
                place => Some(usize::from(place) * strides[lane]),
            },
        };
        // Row by row, along the last lane that makes a difference, which most looks leave
        // unchanged.
        let row = (LIFE..LANES).rev().find(|lane| lens[*lane] > 1);
        let row = row.unwrap_or(LIFE);
        let behind: Option<usize> = (row + 1..LANES).map(|lane| place(lane, 0)).sum();
        let rows = |lane: usize| if lane < row { lens[lane] } else { 1 };
        let plus = |base: Option<usize>, lane: usize, at: usize| match lane < row {
            true => base.zip(place(lane, at)).map(|(base, place)| base + place),
            false => base,
        };
        let mut runs = Runs::default();
        for first in 0..rows(1) {
            let first = plus(behind, 1, first);
            for second in 0..rows(2) {
                let base = plus(first, 2, second);
                match (base, maps[row]) {
                    (Some(base), []) => runs.push(Run::one(Some(base), lens[row])),
                    (Some(base), _) if straight[row] && strides[row] == 1 => runs.push(Run {
                        seen: Seen::Row(base),
                        len: lens[row],
                    }),
                    (Some(base), map) => {
                        for at in 0..map.len() {
                            runs.push(Run::one(place(row, at).map(|place| base + place), 1));
                        }
                    }
                    (None, _) => runs.push(Run::one(None, lens[row])),
                }
            }
        }
        runs
    }

    fn push(&mut self, run: Run) {
        let both = self.0.last().and_then(|last| last.joined(run));
        match (self.0.last_mut(), both) {
            (Some(last), Some(both)) => *last = both,
            _ => self.0.push(run),
        }
    }

    /// Appends what is seen of a plane. `value` gives the value of its entries.
    pub(crate) fn append<T>(
        &self,
        plane: &[T],
        value: impl Fn(&T) -> f64 + Copy,
        out: &mut Vec<f64>,
    ) {
        self.0.iter().for_each(|run| run.append(plane, value, out));
    }

    /// Appends what is seen of a plane that is stored in `out` itself, from a position on.
    pub(crate) fn append_from(&self, from: usize, out: &mut Vec<f64>) {
        for run in &self.0 {
            match run.seen {
                Seen::Lost => out.resize(out.len() + run.len, 0.0),
                Seen::One(place) => out.resize(out.len() + run.len, out[from + place]),
                Seen::Row(row) => out.extend_from_within(from + row..from + row + run.len),
            }
        }
    }

    /// The ranges that are seen, run by run, without a range that lies within the previous one.
    pub(crate) fn spans(&self) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        let mut last = (0, 0);
        self.0.iter().filter_map(move |run| {
            let span = run.span();
            if last.0 <= span.0 && span.1 <= last.1 {
                return None;
            }
            last = span;
            Some(span)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::QuickCheck;

    /// The number of positions of the lane that is seen, and where each position of the view sees
    /// it.
    type Lane = (u8, Vec<u8>);

    /// By lane, a map, empty where everything is at the first position, and the width of what it
    /// sees.
    fn lane(lane: &Lane, number: usize) -> (Vec<u16>, usize) {
        let wide = 1 + usize::from(lane.0 % 6);
        let place = |place: &u8| match usize::from(place % 16) {
            0 => LOST,
            place => (place % wide) as u16,
        };
        let map: Vec<u16> = match (lane.0 / 6 + number as u8) % 3 {
            0 => Vec::new(),
            1 => (0..wide as u16).collect(),
            _ => lane.1.iter().map(place).collect(),
        };
        match map.is_empty() {
            true => (map, 1),
            false => (map, wide),
        }
    }

    #[test]
    fn runs_see_what_maps_see() {
        fn property(life: Lane, second: Lane, third: Lane) -> bool {
            let lanes = [lane(&life, 0), lane(&second, 1), lane(&third, 2)];
            let [first, second, third] = lanes.each_ref().map(|(map, _)| &map[..]);
            let wide = [1, lanes[0].1, lanes[1].1, lanes[2].1];
            // Where one lane makes no difference, others may still distinguish some positions.
            let flat = 1 + life.1.len() % 3;
            let len = |map: &[u16]| if map.is_empty() { flat } else { map.len() };
            let lens = [1, len(first), len(second), len(third)];
            let maps = [&[][..], first, second, third];
            let straight = maps.map(|map| {
                let mut places = map.iter().enumerate();
                places.all(|(at, place)| at == usize::from(*place))
            });
            let plane: Vec<f64> = (1..=wide.iter().product())
                .map(|at: usize| at as f64)
                .collect();
            let place = |map: &[u16], at: usize| match map.get(at) {
                None => Some(0),
                Some(&LOST) => None,
                Some(place) => Some(usize::from(*place)),
            };
            let mut seen = Vec::new();
            for a in 0..lens[1] {
                for b in 0..lens[2] {
                    for c in 0..lens[3] {
                        let places = place(first, a).zip(place(second, b)).zip(place(third, c));
                        let value = |((a, b), c)| plane[(a * wide[2] + b) * wide[3] + c];
                        seen.push(places.map_or(0.0, value));
                    }
                }
            }
            let runs = Runs::new(maps, straight, wide, lens);
            let mut out = vec![7.0];
            runs.append(&plane, |value| *value, &mut out);
            let mut behind = [&[7.0], &plane[..]].concat();
            runs.append_from(1, &mut behind);
            if behind[1 + plane.len()..] != out[1..] {
                return false;
            }
            let mut all: Vec<f64> = runs
                .spans()
                .flat_map(|(from, to)| &plane[from..to])
                .copied()
                .collect();
            let mut wanted: Vec<f64> = seen.iter().copied().filter(|value| *value > 0.0).collect();
            for values in [&mut all, &mut wanted] {
                values.sort_unstable_by(f64::total_cmp);
                values.dedup();
            }
            out[0] == 7.0 && out[1..] == seen && all == wanted
        }
        QuickCheck::new()
            .tests(5_000)
            .quickcheck(property as fn(Lane, Lane, Lane) -> bool);
    }

    #[test]
    fn what_lies_next_to_each_other_is_one_run() {
        // More than 6 counts as 6; each has 11 positions.
        let life: Vec<u16> = vec![4, 5, 6, 6, 6];
        let meals: Vec<u16> = (0..11).collect();
        let maps = [&[][..], &life, &meals, &[]];
        let runs = Runs::new(
            maps,
            [true, false, true, true],
            [1, 7, 11, 1],
            [1, 5, 11, 1],
        );
        assert_eq!(runs.0.len(), 3);
        assert_eq!(runs.spans().collect::<Vec<_>>(), [(44, 77)]);
    }
}
