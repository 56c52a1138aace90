//! The points that are drawn for a distribution, cut and thinned out to what a page can show.

use crate::{Dist, Weight};

/// The function that is drawn for a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Mass,
    AtMost,
    AtLeast,
}

impl Reading {
    pub(super) fn name(self) -> &'static str {
        match self {
            Reading::Mass => "P(X = x)",
            Reading::AtMost => "P(X ≤ x)",
            Reading::AtLeast => "P(X ≥ x)",
        }
    }
}

/// The height of the function at every outcome of a distribution.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Series {
    pub(super) name: String,
    /// All outcomes and their probabilities.
    outcomes: Vec<(i64, f64)>,
    /// The points that are drawn.
    pub(super) points: Vec<(f64, f64)>,
    /// The height left of the first point.
    before: f64,
    /// The height right of the last point.
    after: f64,
}

impl Series {
    pub(super) fn new<T, W>(name: String, law: &Dist<T, W>, reading: Reading) -> Self
    where
        T: Copy + Into<i64>,
        W: Weight,
    {
        let mut outcomes: Vec<(i64, f64)> = Vec::with_capacity(law.len());
        let mut sum = W::nothing();
        let mut push = |outcome: &T, weight: &W| {
            let height = if reading == Reading::Mass {
                W::nearest(weight, law.total())
            } else {
                sum.add(weight);
                W::nearest(law.capped(&sum), law.total())
            };
            outcomes.push(((*outcome).into(), height));
        };
        if reading == Reading::AtLeast {
            law.iter()
                .rev()
                .for_each(|(outcome, weight)| push(outcome, weight));
            outcomes.reverse();
        } else {
            law.iter()
                .for_each(|(outcome, weight)| push(outcome, weight));
        }
        // A type may order its outcomes differently from their numbers.
        outcomes.sort_by_key(|&(outcome, _)| outcome);
        let (before, after) = match reading {
            Reading::Mass => (0.0, 0.0),
            Reading::AtMost => (0.0, 1.0),
            Reading::AtLeast => (1.0, 0.0),
        };
        Series {
            name,
            outcomes,
            points: Vec::new(),
            before,
            after,
        }
    }

    /// The part from `low` to `high`.
    pub(super) fn within(&self, low: i64, high: i64) -> Series {
        let start = self.outcomes.partition_point(|&(x, _)| x < low);
        let end = self.outcomes.partition_point(|&(x, _)| x <= high);
        let (left, rest) = self.outcomes.split_at(start);
        let (inside, right) = rest.split_at(end.saturating_sub(start));
        let height = |point: Option<&(i64, f64)>, end: f64| point.map_or(end, |p| p.1);
        let (before, after) = if self.before == 1.0 {
            // P(X ≥ x) to the right of an outcome is that of the next outcome.
            let after = height(right.first(), self.after);
            (height(inside.first(), after), after)
        } else if self.after == 1.0 {
            (height(left.last(), self.before), self.after)
        } else {
            (self.before, self.after)
        };
        Series {
            name: self.name.clone(),
            outcomes: inside.to_vec(),
            points: inside
                .iter()
                .map(|&(x, height)| (x as f64, height))
                .collect(),
            before,
            after,
        }
    }

    /// Keeps one point for each of this many columns of pixels.
    pub(super) fn thinned(mut self, reading: Reading, columns: usize) -> Series {
        let [Some(&(first, _)), Some(&(last, _))] = [self.points.first(), self.points.last()]
        else {
            return self;
        };
        if self.points.len() <= columns {
            return self;
        }
        let column = |x: f64| ((x - first) / (last - first) * columns as f64) as usize;
        let groups = self.points.chunk_by(|a, b| column(a.0) == column(b.0));
        let of = |group: &[(f64, f64)]| match reading {
            Reading::Mass => group.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)),
            Reading::AtMost => group.last().copied(),
            Reading::AtLeast => group.first().copied(),
        };
        self.points = groups.filter_map(of).collect();
        self
    }

    /// Returns the corners of the steps from one end of the chart to the other.
    pub(super) fn steps(&self, reading: Reading, (left, right): (f64, f64)) -> Vec<(f64, f64)> {
        let mut corners = vec![(left, self.before)];
        let mut height = self.before;
        for &(x, next) in &self.points {
            corners.extend([(x, height), (x, next)]);
            height = next;
        }
        if reading == Reading::AtLeast {
            // P(X ≥ x) keeps its value up to and including x, and falls after it.
            corners.truncate(1);
            for (place, &(x, level)) in self.points.iter().enumerate() {
                let next = self.points.get(place + 1).map_or(self.after, |next| next.1);
                corners.extend([(x, level), (x, next)]);
            }
            height = self.after;
        }
        corners.push((right, height));
        corners
    }
}

/// The part of the greatest height below which a difference is not visible.
const FLAT: f64 = 0.0005;

/// The range of outcomes worth showing for all distributions together.
pub(super) fn range(laws: &[Series]) -> (i64, i64) {
    let ends = |laws: &[&[(i64, f64)]]| {
        let low = laws.iter().filter_map(|law| law.first()).map(|end| end.0);
        let high = laws.iter().filter_map(|law| law.last()).map(|end| end.0);
        (low.min().unwrap_or(0), high.max().unwrap_or(0))
    };
    let whole: Vec<&[(i64, f64)]> = laws.iter().map(|law| law.outcomes.as_slice()).collect();
    let (low, high) = ends(&whole);
    if high.abs_diff(low) <= 100 {
        return (low, high);
    }
    let highest = whole
        .iter()
        .copied()
        .flatten()
        .fold(0.0, |most: f64, point| most.max(point.1));
    let cut: Vec<&[(i64, f64)]> = laws
        .iter()
        .map(|law| {
            let near = |height: f64, end: f64| (height - end).abs() < FLAT * highest;
            let points = law.outcomes.as_slice();
            let start = points.iter().take_while(|p| near(p.1, law.before)).count();
            let (_, points) = points.split_at(start);
            let end = points
                .iter()
                .rev()
                .take_while(|p| near(p.1, law.after))
                .count();
            points.split_at(points.len() - end).0
        })
        .collect();
    if cut.iter().all(|law| law.is_empty()) {
        return (low, high);
    }
    ends(&cut)
}

/// The greatest height.
pub(super) fn highest(laws: &[Series]) -> f64 {
    let points = laws.iter().flat_map(|law| &law.points);
    points.fold(0.0, |most: f64, point| most.max(point.1))
}

/// The smallest distance between neighbouring points of a distribution.
pub(super) fn gap(laws: &[Series]) -> f64 {
    let gaps = laws
        .iter()
        .flat_map(|law| law.points.windows(2).map(|pair| pair[1].0 - pair[0].0));
    let least = gaps.filter(|&gap| gap > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}
