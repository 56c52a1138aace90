//! The possible positions of the outcomes of a sum, computed before any weight is multiplied.

use std::cmp::Reverse;

/// Disjoint runs of consecutive integers in ascending order, each with its first and last number.
/// No two runs touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Runs(Vec<(i128, i128)>);

/// The largest number of runs that an estimate keeps, since sums of runs take quadratic time.
const MOST: usize = 128;

impl Runs {
    /// The runs of ascending numbers. Gaps shorter than `gap` are filled.
    pub(crate) fn of(numbers: impl IntoIterator<Item = i128>, gap: i128) -> Self {
        let mut runs: Vec<(i128, i128)> = Vec::new();
        for number in numbers {
            match runs.last_mut() {
                Some((_, last)) if number - *last <= gap => *last = number,
                _ => runs.push((number, number)),
            }
        }
        Runs(runs)
    }

    /// A single run from the first number to the last.
    pub(crate) fn whole(self) -> Self {
        let ends = self.0.first().zip(self.0.last());
        Runs(
            ends.map(|(first, last)| (first.0, last.1))
                .into_iter()
                .collect(),
        )
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (i128, i128)> + '_ {
        self.0.iter().copied()
    }

    /// The number of runs.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The number of integers in the runs.
    pub(crate) fn size(&self) -> u128 {
        let lengths = self.iter().map(|(first, last)| last.abs_diff(first) + 1);
        lengths.fold(0, u128::saturating_add)
    }

    /// All sums of a number of `self` and a number of `other`.
    pub(crate) fn sum(&self, other: &Runs) -> Runs {
        fn all(few: &[(i128, i128)], many: &[(i128, i128)]) -> Runs {
            match few {
                [] => Runs(Vec::new()),
                [(first, last)] => {
                    let mut sums = Runs(Vec::with_capacity(many.len()));
                    many.iter()
                        .for_each(|run| sums.put((run.0 + first, run.1 + last)));
                    sums
                }
                _ => {
                    let (low, high) = few.split_at(few.len() / 2);
                    all(low, many).union(&all(high, many))
                }
            }
        }
        if self.0.len() <= other.0.len() {
            all(&self.0, &other.0)
        } else {
            all(&other.0, &self.0)
        }
    }

    /// All numbers of either operand.
    pub(crate) fn union(&self, other: &Runs) -> Runs {
        let mut both = Runs(Vec::with_capacity(self.0.len() + other.0.len()));
        let (mut left, mut right) = (self.iter().peekable(), other.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let next = if a <= b { left.next() } else { right.next() };
            next.into_iter().for_each(|run| both.put(run));
        }
        left.chain(right).for_each(|run| both.put(run));
        both
    }

    /// Adds a run that does not begin before the last one.
    fn put(&mut self, run: (i128, i128)) {
        match self.0.last_mut() {
            Some((_, last)) if run.0 <= *last + 1 => *last = run.1.max(*last),
            _ => self.0.push(run),
        }
    }

    /// A superset in few runs: the narrowest gaps are filled.
    pub(crate) fn coarse(self) -> Runs {
        if self.0.len() <= MOST {
            return self;
        }
        let mut gaps: Vec<_> = (1..self.0.len())
            .map(|at| (Reverse(self.0[at].0 - self.0[at - 1].1), at))
            .collect();
        gaps.sort_unstable();
        let mut kept: Vec<usize> = gaps[..MOST - 1].iter().map(|&(_, at)| at).collect();
        kept.sort_unstable();
        let mut runs = Vec::with_capacity(MOST);
        let mut start = 0;
        for end in kept.into_iter().chain([self.0.len()]) {
            runs.push((self.0[start].0, self.0[end - 1].1));
            start = end;
        }
        Runs(runs)
    }

    /// A superset of all sums of `n` numbers.
    pub(crate) fn times(&self, n: u32) -> Runs {
        let (mut square, mut sum) = (self.clone().coarse(), Runs(vec![(0, 0)]));
        let mut rest = n;
        while rest > 0 {
            if rest % 2 == 1 {
                sum = sum.sum(&square).coarse();
            }
            rest /= 2;
            if rest > 0 {
                square = square.sum(&square).coarse();
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use std::collections::BTreeSet;

    fn runs(numbers: &BTreeSet<i16>) -> Runs {
        Runs::of(numbers.iter().map(|&x| x.into()), 1)
    }

    fn numbers(runs: &Runs) -> Vec<i128> {
        runs.iter().flat_map(|(first, last)| first..=last).collect()
    }

    quickcheck! {
        fn sums_and_unions(a: BTreeSet<i16>, b: BTreeSet<i16>) -> bool {
            let all = a.iter().flat_map(|&x| b.iter().map(move |&y| i128::from(x) + i128::from(y)));
            let sums: BTreeSet<i128> = all.collect();
            let either: BTreeSet<i128> = a.union(&b).map(|&x| x.into()).collect();
            let (a, b) = (runs(&a), runs(&b));
            numbers(&a.sum(&b)).into_iter().eq(sums)
                && numbers(&a.union(&b)).into_iter().eq(either.iter().copied())
                && a.union(&b).size() == either.len() as u128
        }
    }

    #[test]
    fn a_coarse_set_keeps_the_widest_gaps() {
        let set = Runs::of((0..1000).map(|x| x * x), 1);
        let coarse = set.clone().coarse();
        assert_eq!((set.count(), coarse.count()), (999, MOST));
        assert_eq!(coarse.iter().last(), Some((999 * 999, 999 * 999)));
        assert_eq!(coarse.sum(&set).size(), coarse.union(&set).sum(&set).size());
    }

    #[test]
    fn multiples_of_two_scales() {
        let set = Runs::of((0..10).chain([1_000_000]), 1);
        let sums = set.times(100);
        assert_eq!(sums.count(), 101);
        assert_eq!(
            sums.size(),
            (0..=100).map(|ones| 9 * ones + 1).sum::<u128>()
        );
        assert_eq!(set.times(0).size(), 1);
    }
}
