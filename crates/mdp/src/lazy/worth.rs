//! What choices are worth, and which of them to force next.

use super::interval::{Interval, mean, seen_by};
use super::met::{Known, OPEN};
use crate::Player;
use crate::odds::Odds;

/// Of more choices than these only those are read again that look most promising.
pub(super) const WIDE: usize = 256;

/// What one choice is worth, as the player sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub(super) choice: u32,
    pub(super) value: Interval,
    /// The upper end before it was cut to what the state is known to be worth at most.
    pub(super) most: f64,
    pub(super) complete: bool,
}

/// Which choice to force, and what else there is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    /// The state is worth at least this, and at most that.
    pub(super) lowest: f64,
    pub(super) most: f64,
    pub(super) target: Worth,
    /// The upper end of the next promising choice.
    pub(super) second: f64,
    /// The highest lower end of the other choices.
    pub(super) beaten: f64,
}

impl Worth {
    #[inline]
    pub(super) fn read(
        known: &[Known],
        choice: usize,
        player: Player,
        targets: &[u32],
        odds: &Odds<'_>,
    ) -> Self {
        let mut complete = true;
        let outcomes = targets.iter().map(|&target| {
            let known = &known[target as usize];
            complete &= known.mark < OPEN;
            &known.value
        });
        let value = seen_by(player, mean(outcomes, odds));
        Worth {
            choice: choice as u32,
            value,
            most: value[1],
            complete,
        }
    }
}

/// Whether a choice that is worth this at most need not be looked into, as another is worth
/// `lowest` at least: it is no better, or not even as good, if `ties` are asked for.
#[inline]
pub(super) fn beaten(most: f64, lowest: f64, ties: bool) -> bool {
    most < lowest || (most == lowest && !ties)
}

/// The choice with the highest lower end; of equals the first one that is known
/// in full.
pub(super) fn best(worths: &[Worth]) -> usize {
    (1..worths.len()).fold(0, |best, next| {
        let (old, new) = (&worths[best], &worths[next]);
        let better = new.value[0] > old.value[0]
            || (new.value[0] == old.value[0] && new.complete && !old.complete);
        if better { next } else { best }
    })
}

/// Of the choices that the best does not beat and that are not known in full, the
/// one with the highest upper end; and the next highest such end.
pub(super) fn most_promising(worths: &[Worth], best: usize, ties: bool) -> Option<(Worth, f64)> {
    let lower = worths[best].value[0];
    let mut found: Option<(Worth, f64)> = None;
    for (place, &worth) in worths.iter().enumerate() {
        if worth.complete || (place != best && beaten(worth.value[1], lower, ties)) {
            continue;
        }
        found = Some(match found {
            None => (worth, f64::NEG_INFINITY),
            Some((old, _)) if worth.value[1] > old.value[1] => (worth, old.value[1]),
            Some((old, second)) => (old, second.max(worth.value[1])),
        });
    }
    found
}

/// A state of so many choices that to read all of them again for each that is forced would take
/// the square of their number.
///
/// Bounds only come closer, so that those read before hold still. Only the choice that looks
/// most promising by them is read again, until one that was read looks so.
#[derive(Debug)]
pub(super) struct Wide {
    worths: Vec<Worth>,
    /// The choices that were not known in full, the most promising last: of equals the first.
    open: Vec<u32>,
    best: usize,
    /// What those that are known in full are worth at most.
    most: f64,
    /// Whether those that may be as good as the best are not beaten.
    ties: bool,
}

impl Wide {
    pub(super) fn new(worths: Vec<Worth>, best: usize, ties: bool) -> Self {
        let complete = worths.iter().filter(|worth| worth.complete);
        let most = complete.fold(f64::NEG_INFINITY, |most, worth| most.max(worth.most));
        let open = worths.iter().filter(|worth| !worth.complete);
        let mut wide = Wide {
            open: open.map(|worth| worth.choice).collect(),
            worths,
            best,
            most,
            ties,
        };
        let worths = &wide.worths;
        wide.open.sort_unstable_by(|&a, &b| {
            let [one, other] = [a, b].map(|choice| worths[choice as usize].value[1]);
            one.total_cmp(&other).then(b.cmp(&a))
        });
        wide
    }

    /// The choice to be read again; `None` if the best beats it.
    pub(super) fn most_promising(&mut self) -> Option<usize> {
        let last = *self.open.last()? as usize;
        let [most, lowest] = [self.worths[last].value[1], self.worths[self.best].value[0]];
        if beaten(most, lowest, self.ties) && last != self.best {
            return None;
        }
        self.open.pop();
        Some(last)
    }

    /// What that choice is worth by now, and what to do if it still looks most promising.
    pub(super) fn put(&mut self, worth: Worth) -> Option<Next> {
        let choice = worth.choice as usize;
        self.worths[choice] = worth;
        if worth.value[0] > self.worths[self.best].value[0] {
            self.best = choice;
        }
        if worth.complete {
            self.most = self.most.max(worth.most);
            return None;
        }
        let place = self.open.partition_point(|&other| {
            let upper = self.worths[other as usize].value[1];
            upper < worth.value[1] || (upper == worth.value[1] && other > worth.choice)
        });
        self.open.insert(place, worth.choice);
        let lowest = self.worths[self.best].value[0];
        let no_more = beaten(worth.value[1], lowest, self.ties) && choice != self.best;
        if place + 1 < self.open.len() || no_more {
            return None;
        }
        let second = place.checked_sub(1).map(|second| self.open[second]);
        let second = second.map(|second| self.worths[second as usize].value[1]);
        Some(Next {
            lowest,
            most: self.most.max(worth.most),
            target: worth,
            second: second.unwrap_or(f64::NEG_INFINITY),
            // The others are worth less than the best, if it is not one of them.
            beaten: match choice == self.best {
                true => f64::NEG_INFINITY,
                false => lowest,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(choice: u32, value: Interval) -> Worth {
        Worth {
            choice,
            value,
            most: value[1],
            complete: value[0] == value[1],
        }
    }

    #[test]
    fn what_is_read_again_is_what_looks_most_promising() {
        let worths = vec![
            worth(0, [0.0, 0.5]),
            worth(1, [0.1, 0.9]),
            worth(2, [0.3, 0.3]),
            worth(3, [0.0, 0.9]),
        ];
        let mut wide = Wide::new(worths, 2, false);
        assert_eq!(wide.most_promising(), Some(1));
        // It has turned out worse: the next one is read.
        assert!(wide.put(worth(1, [0.2, 0.4])).is_none());
        assert_eq!(wide.most_promising(), Some(3));
        let next = wide.put(worth(3, [0.0, 0.8])).map(|next| {
            let Next {
                lowest,
                most,
                second,
                beaten,
                ..
            } = next;
            (next.target.choice, lowest, most, second, beaten)
        });
        assert_eq!(next, Some((3, 0.3, 0.8, 0.5, 0.3)));
        // Known in full, and better than all others may be.
        assert_eq!(wide.most_promising(), Some(3));
        assert!(wide.put(worth(3, [0.6, 0.6])).is_none());
        assert_eq!(wide.most_promising(), None);
    }
}
