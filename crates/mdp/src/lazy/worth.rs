//! The values of choices, and which of them to force next.

use super::interval::{Interval, mean, seen_by};
use super::met::{Known, OPEN};
use crate::Player;
use crate::odds::Odds;

/// In a state with more choices than this, only the most promising ones are read again.
pub(super) const WIDE: usize = 256;

/// The value of one choice from the player's point of view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub(super) choice: u32,
    pub(super) value: Interval,
    /// The upper end before it was cut to the upper bound of the state.
    pub(super) most: f64,
    pub(super) complete: bool,
}

/// Which choice to force, and what is known about the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    /// The state is worth at least `lowest` and at most `most`.
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

/// Returns whether a choice that is worth at most `most` need not be evaluated, since another is
/// worth at least `lowest`: it is no better or, if `ties` are requested, not even as good.
#[inline]
pub(super) fn beaten(most: f64, lowest: f64, ties: bool) -> bool {
    most < lowest || (most == lowest && !ties)
}

/// Returns the choice with the highest lower end; of equals, the first one that is known
/// completely.
pub(super) fn best(worths: &[Worth]) -> usize {
    (1..worths.len()).fold(0, |best, next| {
        let (old, new) = (&worths[best], &worths[next]);
        let better = new.value[0] > old.value[0]
            || (new.value[0] == old.value[0] && new.complete && !old.complete);
        if better { next } else { best }
    })
}

/// Among the choices that the best one does not beat and that are not known completely, returns the
/// one with the highest upper end, and the next highest such end.
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

/// The order of the choices of a state that has very many. Reading all of them again for each one
/// that is forced would take the square of their number.
///
/// Bounds only get tighter, so bounds that were read earlier remain valid. Only the choice that
/// looks most promising by them is read again, until one that has been read remains the most
/// promising.
#[derive(Debug)]
pub(super) struct Wide {
    worths: Vec<Worth>,
    /// The choices that were not known completely, the most promising last; of equals, the first.
    open: Vec<u32>,
    best: usize,
    /// The highest upper end of the choices that are known completely.
    most: f64,
    /// Whether a choice that may be as good as the best is never beaten.
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

    /// Returns the choice to be read again, or `None` if the best one beats it.
    pub(super) fn most_promising(&mut self) -> Option<usize> {
        let last = *self.open.last()? as usize;
        let [most, lowest] = [self.worths[last].value[1], self.worths[self.best].value[0]];
        if beaten(most, lowest, self.ties) && last != self.best {
            return None;
        }
        self.open.pop();
        Some(last)
    }

    /// Takes the current bounds of that choice, and returns what to do if it still looks most
    /// promising.
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
            // If this choice is the best, the lower ends of the others are lower.
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
        // It turned out worse: the next one is read.
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
        // Known completely, and better than all others can be.
        assert_eq!(wide.most_promising(), Some(3));
        assert!(wide.put(worth(3, [0.6, 0.6])).is_none());
        assert_eq!(wide.most_promising(), None);
    }
}
