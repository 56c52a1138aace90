//! Refreshments within a table: the order in which positions look back, such that usually a single
//! pass suffices.

use crate::solver::tables::best::{below, is_set, larger};

/// Adjacent positions that look back at adjacent positions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    /// The refreshment.
    hole: usize,
    here: usize,
    there: usize,
    len: usize,
    /// By position, all ones where it looks back, otherwise zero; empty if all do. A few positions
    /// do not look back, such as those without provisions, and long runs are worth some useless
    /// look-ups.
    open: Vec<u64>,
}

/// The most adjacent positions that are looked up in vain.
const WIDEST_GAP: usize = 2;

/// Where refreshments lead in one plane of a table.
#[derive(Debug, Default)]
pub(crate) struct Eating {
    runs: Vec<Run>,
    /// Whether whatever a position looks back at is final before it, so one pass suffices.
    once: bool,
}

impl Eating {
    /// `ways` has the number of a refreshment, the position, and where it looks back, sorted by
    /// position for each refreshment; `plane` is the number of positions.
    pub(crate) fn new(ways: &[(usize, usize, usize)], plane: usize) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for &(hole, here, there) in ways {
            match runs.last_mut() {
                Some(run) if (hole, here, there) == run.next() => run.len += 1,
                _ => runs.push(Run {
                    hole,
                    here,
                    there,
                    len: 1,
                    open: Vec::new(),
                }),
            }
        }
        let mut runs = joined(runs);
        // After a refreshment there is more of what comes first, such as life, and less of what
        // comes last.
        runs.sort_by_key(|run| std::cmp::Reverse(run.here));
        let once = in_order(&runs, plane);
        Eating { runs, once }
    }

    /// Whether a refreshment that is not shut gains something.
    pub(crate) fn is_wanted(&self, values: &[f64], shut: impl Fn(usize) -> bool) -> bool {
        let mut open = self.runs.iter().filter(|run| !shut(run.hole));
        open.any(|run| run.is_wanted(&values[run.here..], &values[run.there..]))
    }

    /// Applies refreshments that are not shut, as often as they gain something. Returns whether any
    /// did.
    pub(crate) fn eat(&self, values: &mut [f64], shut: impl Fn(usize) -> bool) -> bool {
        let mut ever = false;
        loop {
            let mut raised = false;
            for run in &self.runs {
                if !shut(run.hole) {
                    raised |= run.eat(values);
                }
            }
            ever |= raised;
            if !raised || self.once {
                return ever;
            }
        }
    }
}

impl Run {
    /// The position after the last one.
    fn next(&self) -> (usize, usize, usize) {
        (self.hole, self.here + self.len, self.there + self.len)
    }

    /// Whether it looks back at none of its own positions.
    fn is_apart(&self) -> bool {
        self.here.abs_diff(self.there) >= self.len
    }

    /// The union of both runs, if the next one begins shortly after this one and looks back as far.
    fn joined(&self, next: &Run) -> Option<Run> {
        let gap = next.here.checked_sub(self.here + self.len)?;
        let same = self.hole == next.hole && next.here - self.here + self.there == next.there;
        if !same || gap > WIDEST_GAP {
            return None;
        }
        let places = |run: &Run| match run.open.is_empty() {
            true => vec![u64::MAX; run.len],
            false => run.open.clone(),
        };
        let mut open = places(self);
        open.resize(self.len + gap, 0);
        open.extend(places(next));
        let both = Run {
            len: open.len(),
            open,
            ..*self
        };
        // Runs that do not overlap what they look back at are fast, and must stay so.
        (both.is_apart() == self.is_apart() && both.is_apart() == next.is_apart()).then_some(both)
    }

    /// The positions, and where they look back.
    fn ways(&self) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        let open = |at: usize| self.open.get(at).is_none_or(|open| *open != 0);
        let places = (0..self.len).filter(move |at| open(*at));
        places.map(|at| (self.here + at, self.there + at))
    }

    /// Applies the run; returns whether any value has risen.
    fn eat(&self, values: &mut [f64]) -> bool {
        let (here, there) = (
            self.here..self.here + self.len,
            self.there..self.there + self.len,
        );
        if !self.is_apart() {
            // A change may affect positions that look back at it. Usually there is none.
            let wanted = self.is_wanted(&values[here.start..], &values[there.start..]);
            if wanted {
                for (here, there) in self.ways() {
                    values[here] = larger(values[here], values[there]);
                }
            }
            return wanted;
        }
        let (before, after) = values.split_at_mut(here.start.max(there.start));
        match here.start < there.start {
            true => self.raise(&mut before[here], &after[..self.len]),
            false => self.raise(&mut after[..self.len], &before[there]),
        }
    }

    /// Writes the maximum; returns whether any value has risen.
    fn raise(&self, values: &mut [f64], others: &[f64]) -> bool {
        let mut raised = 0;
        let mut raise = |value: &mut f64, other: f64| {
            raised |= below(*value, other);
            *value = larger(*value, other);
        };
        let places = values.iter_mut().zip(others);
        match self.open.is_empty() {
            true => places.for_each(|(value, other)| raise(value, *other)),
            false => places.zip(&self.open).for_each(|((value, other), open)| {
                raise(value, masked(*other, *open));
            }),
        }
        is_set(raised)
    }

    /// Whether any of the other values is greater.
    fn is_wanted(&self, values: &[f64], others: &[f64]) -> bool {
        let places = values[..self.len].iter().zip(&others[..self.len]);
        let bits = match self.open.is_empty() {
            true => places.fold(0, |bits, (value, other)| bits | below(*value, *other)),
            false => places
                .zip(&self.open)
                .fold(0, |bits, ((value, other), open)| {
                    bits | below(*value, masked(*other, *open))
                }),
        };
        is_set(bits)
    }
}

/// The value where a position looks back, otherwise zero, which is never greater.
fn masked(value: f64, open: u64) -> f64 {
    f64::from_bits(value.to_bits() & open)
}

/// Merges runs where possible.
fn joined(runs: Vec<Run>) -> Vec<Run> {
    let mut all: Vec<Run> = Vec::new();
    for run in runs {
        let both = all.last().and_then(|last| last.joined(&run));
        match (all.last_mut(), both) {
            (Some(last), Some(both)) => *last = both,
            _ => all.push(run),
        }
    }
    all
}

/// Whether nothing that a run looks back at is changed after it.
fn in_order(runs: &[Run], plane: usize) -> bool {
    // By position, the last run that changes it.
    let mut last = vec![None; plane];
    for (number, run) in runs.iter().enumerate() {
        for (here, _) in run.ways() {
            last[here] = Some(number);
        }
    }
    runs.iter().enumerate().all(|(number, run)| {
        run.ways().all(|(here, there)| {
            let last = last[there];
            here == there || last < Some(number) || (last == Some(number) && there < here)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::QuickCheck;

    /// The refreshment, the position, and where it looks back.
    type Ways = Vec<(usize, usize, usize)>;

    /// Repeats until nothing changes, in any order.
    fn slowly(ways: &Ways, shut: &[bool], values: &mut [f64]) -> bool {
        let before = values.to_vec();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(hole, here, there) in ways {
                if !shut[hole] && values[there] > values[here] {
                    values[here] = values[there];
                    changed = true;
                }
            }
        }
        values != before
    }

    /// What lanes lead to: this much more of the first, up to the top, for one of the second.
    fn meal(hole: usize, lens: (usize, usize), more: usize) -> Ways {
        let places = (0..lens.0).flat_map(|first| (1..lens.1).map(move |second| (first, second)));
        let way = |(first, second): (usize, usize)| {
            let fed = (first + more).min(lens.0 - 1);
            (hole, first * lens.1 + second, fed * lens.1 + second - 1)
        };
        places.map(way).collect()
    }

    #[test]
    fn a_meal_takes_one_pass() {
        let ways = meal(0, (14, 11), 4);
        let eating = Eating::new(&ways, 154);
        assert!(eating.once);
        // With one life there are three rows of meals before the last one.
        let mut values = vec![0.0; 154];
        values[13 * 11 + 7] = 0.5;
        assert!(eating.eat(&mut values, |_| false));
        assert_eq!(
            [values[10], values[11 + 10], values[11 + 9]],
            [0.0, 0.5, 0.0]
        );
        let again = values.clone();
        assert!(!eating.eat(&mut values, |_| false));
        assert_eq!(values, again);
    }

    #[test]
    fn meals_beside_each_other_may_take_more() {
        let mut ways = meal(0, (9, 4), 3);
        ways.extend(meal(1, (9, 4), 5));
        assert!(!Eating::new(&ways, 36).once);
    }

    #[test]
    fn eats_as_often_as_one_place_after_the_other() {
        fn property(lens: (u8, u8), meals: Vec<u8>, odd: Ways, seeds: Vec<u8>) -> bool {
            let lens = (1 + usize::from(lens.0 % 9), 1 + usize::from(lens.1 % 7));
            let plane = lens.0 * lens.1;
            let mut ways: Ways = Vec::new();
            let meals = &meals[..meals.len().min(3)];
            for (hole, more) in meals.iter().enumerate() {
                ways.extend(meal(hole, lens, usize::from(more % 6)));
            }
            // And arbitrary ways.
            let odd = odd.into_iter().take(9);
            ways.extend(odd.map(|(_, here, there)| (3, here % plane, there % plane)));
            let eating = Eating::new(&ways, plane);
            let seed = |at: usize| seeds.get(at % seeds.len().max(1)).copied().unwrap_or(7);
            let value = |at: usize| f64::from(seed(at) ^ at as u8);
            let mut values: Vec<f64> = (0..plane).map(value).collect();
            let shut: Vec<bool> = (0..4).map(|hole| seed(hole + 5) % 5 == 0).collect();
            let mut slow = values.clone();
            let ever = eating.eat(&mut values, |hole| shut[hole]);
            ever == slowly(&ways, &shut, &mut slow) && values == slow
        }
        type Property = fn((u8, u8), Vec<u8>, Ways, Vec<u8>) -> bool;
        QuickCheck::new()
            .tests(2_000)
            .quickcheck(property as Property);
    }
}
