//! One row while it is being written: the choices of a state in numbers.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigUint;
use num_integer::Integer;

use crate::model::{Row, Span};
use crate::odds::{Odds, OddsPool, Wide};
use crate::reward::Reward;
use crate::{Error, Game, Node, Player, Score};

/// A row that is overwritten for every state.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) score: Option<Score>,
    pub(crate) player: Player,
    /// One entry for each choice, and an additional one once the page is [closed](Page::close).
    spans: Vec<Span>,
    targets: Vec<u32>,
    odds: OddsPool,
    /// Whether any choice leads somewhere.
    leads: bool,
}

/// There are more outcomes or weights than 32 bits can number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full;

impl Full {
    /// Returns the corresponding error, if there are this many states or this many were met.
    #[cold]
    pub(crate) fn among(self, states: usize) -> Error {
        Error::NumbersExhausted { states }
    }
}

impl Page {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.score = None;
        self.player = Player::Max;
        self.spans.clear();
        self.targets.clear();
        self.odds.clear();
        self.leads = false;
    }

    /// Writes the content of `node`. `number` gives the number of each outcome, and `own` is the
    /// number of the state.
    ///
    /// With `tidy`, equal outcomes of a choice are merged, and its weights are divided by their
    /// greatest common divisor.
    #[inline]
    pub(crate) fn write<G: Game + ?Sized>(
        &mut self,
        node: &Node<G>,
        own: u32,
        tidy: bool,
        state: impl Fn() -> String,
        mut number: impl FnMut(&G::State) -> Result<u32, Error>,
    ) -> Result<(), Error> {
        self.clear();
        if node.score().is_some() {
            return Ok(());
        }
        self.player = node.player();
        if node.len() > usize::from(u16::MAX) {
            return Err(Error::TooManyChoices {
                state: state(),
                choices: node.len(),
            });
        }
        let full = |Full| Error::Malformed {
            state: state(),
            what: "it has 2^32 outcomes or more",
        };
        for choice in 0..node.len() {
            if let Some(wide) = node.wide(choice) {
                let mut targets = Vec::with_capacity(wide.weights().len());
                for successor in node.states(choice) {
                    targets.push(number(successor)?);
                }
                self.wide(own, &targets, &wide.shared()).map_err(full)?;
                continue;
            }
            let key = self.begin().map_err(full)?;
            let start = self.targets.len();
            let mut staying = 0;
            for (successor, weight) in node.outcomes(choice) {
                let successor = number(successor)?;
                if successor == own {
                    staying += weight;
                } else {
                    self.targets.push(successor);
                    self.odds.push(*weight);
                }
            }
            let words = self.odds.last(key);
            words[0] = node.total(choice) - staying;
            words[1] = staying;
            self.finish(key, start, tidy);
        }
        for (choice, reward) in &node.rewards {
            self.pay(*choice, &Reward::new(reward)).map_err(full)?;
        }
        self.close();
        if !self.leads {
            return Err(Error::NeverEnds { state: state() });
        }
        match self.endless_gain() {
            None => Ok(()),
            Some(choice) => Err(Error::EndlessGain {
                state: state(),
                action: node.label(choice),
            }),
        }
    }

    /// Adds a reward to a finished choice.
    #[cold]
    pub(crate) fn pay(&mut self, choice: usize, reward: &Reward) -> Result<(), Full> {
        if let Some(span) = self.spans.get_mut(choice)
            && reward.score.sign() != Ordering::Equal
        {
            span.odds = self.odds.pay(span.odds, reward.clone()).ok_or(Full)?;
        }
        Ok(())
    }

    /// Returns a choice that certainly leads back to its state and pays the player who decides.
    #[inline]
    pub(crate) fn endless_gain(&self) -> Option<usize> {
        match self.odds.pays() {
            true => self.find_endless_gain(),
            false => None,
        }
    }

    #[cold]
    fn find_endless_gain(&self) -> Option<usize> {
        let wanted = match self.player {
            Player::Max => Ordering::Greater,
            Player::Min => Ordering::Less,
        };
        self.spans.windows(2).position(|pair| {
            let reward = self.odds.reward(pair[0].odds);
            pair[0].start == pair[1].start && reward.is_some_and(|r| r.score.sign() == wanted)
        })
    }

    /// Begins a choice with narrow odds.
    #[inline(always)]
    pub(crate) fn begin(&mut self) -> Result<u32, Full> {
        let start = u32::try_from(self.targets.len()).map_err(|_| Full)?;
        let key = self.odds.begin().ok_or(Full)?;
        self.spans.push(Span { start, odds: key });
        Ok(key)
    }

    /// Adds an outcome to the choice begun last.
    #[inline]
    pub(crate) fn push(&mut self, target: u32, weight: u64) {
        self.targets.push(target);
        self.odds.push(weight);
    }

    /// Adds outcomes to the choice begun last.
    #[inline(always)]
    pub(crate) fn extend(&mut self, targets: &[u32], weights: &[u64]) {
        self.targets.extend_from_slice(targets);
        self.odds.extend(weights);
    }

    /// Returns the leaving weight, the staying weight, and the weights of the choice begun last.
    #[inline]
    pub(crate) fn words(&mut self, key: u32) -> &mut [u64] {
        self.odds.last(key)
    }

    /// Ends the choice begun last, whose outcomes begin at `start`.
    #[inline(always)]
    pub(crate) fn finish(&mut self, key: u32, start: usize, tidy: bool) {
        self.leads |= self.targets.len() > start;
        if tidy {
            self.tidy(key, start);
        }
    }

    fn tidy(&mut self, key: u32, start: usize) {
        let outcomes = merge(&mut self.targets[start..], self.odds.last(key));
        self.targets.truncate(start + outcomes);
        self.odds.truncate(key, outcomes);
    }

    /// Returns where the outcomes of the choice begun last begin.
    pub(crate) fn last_start(&self) -> Option<usize> {
        self.spans.last().map(|span| span.start as usize)
    }

    /// Removes the outcomes of the choice begun last from the page.
    pub(crate) fn take(&mut self) -> (Vec<u32>, Vec<u64>) {
        let Some(span) = self.spans.last() else {
            return (Vec::new(), Vec::new());
        };
        let targets = self.targets.split_off(span.start as usize);
        let weights = self.odds.last(span.odds)[2..].to_vec();
        self.odds.truncate(span.odds, 0);
        (targets, weights)
    }

    /// Removes the choice begun last, which has no outcomes, from the page.
    pub(crate) fn withdraw(&mut self, key: u32) {
        self.spans.pop();
        self.odds.withdraw(key);
    }

    /// Writes a whole choice with wide odds. `targets` is as long as the weights, and may contain
    /// `own` and other targets repeatedly.
    pub(crate) fn wide(&mut self, own: u32, targets: &[u32], wide: &Arc<Wide>) -> Result<(), Full> {
        let start = u32::try_from(self.targets.len()).map_err(|_| Full)?;
        let mut sorted = targets.to_vec();
        sorted.sort_unstable();
        let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        let odds = if distinct && sorted.binary_search(&own).is_err() {
            self.targets.extend_from_slice(targets);
            Arc::clone(wide)
        } else {
            sorted.dedup();
            sorted.retain(|&target| target != own);
            let mut weights = vec![BigUint::ZERO; sorted.len()];
            let mut staying = wide.staying.clone();
            for (target, weight) in targets.iter().zip(&wide.weights) {
                match sorted.binary_search(target) {
                    Ok(place) => weights[place] += weight,
                    Err(_) => staying += weight,
                }
            }
            self.targets.extend_from_slice(&sorted);
            Arc::new(Wide::new(weights, staying))
        };
        self.leads |= self.targets.len() > start as usize;
        let odds = self.odds.push_wide(odds).ok_or(Full)?;
        self.spans.push(Span { start, odds });
        Ok(())
    }

    /// Copies a whole choice with distinct outcomes from elsewhere.
    pub(crate) fn copy(
        &mut self,
        targets: impl Iterator<Item = u32>,
        odds: Odds<'_>,
        reward: Option<&Reward>,
    ) -> Result<(), Full> {
        match odds {
            Odds::Narrow {
                weights,
                leaving,
                staying,
            } => {
                let key = self.begin()?;
                for (target, &weight) in targets.zip(weights) {
                    self.push(target, weight);
                }
                self.words(key)[..2].copy_from_slice(&[leaving, staying]);
            }
            Odds::Wide(wide) => {
                let start = u32::try_from(self.targets.len()).map_err(|_| Full)?;
                let odds = self.odds.push_wide(Arc::clone(wide)).ok_or(Full)?;
                self.targets.extend(targets);
                self.spans.push(Span { start, odds });
            }
        }
        self.leads = true;
        match reward {
            Some(reward) => self.pay(self.spans.len() - 1, reward),
            None => Ok(()),
        }
    }

    /// Writes a choice that is not worth taking, which keeps its place.
    pub(crate) fn nothing(&mut self) -> Result<(), Full> {
        self.begin().map(|_| ())
    }

    /// Ends the page after all choices have been written.
    #[inline]
    pub(crate) fn close(&mut self) {
        if !self.spans.is_empty() {
            let start = self.targets.len() as u32;
            self.spans.push(Span { start, odds: 0 });
        }
    }

    /// Returns the lowest and the highest number of an outcome. The former exceeds the latter if
    /// there are none.
    #[inline]
    pub(crate) fn range(&self) -> (u32, u32) {
        let targets = self.targets.iter();
        targets.fold((u32::MAX, 0), |(low, high), &target| {
            (low.min(target), high.max(target))
        })
    }

    /// Returns whether any choice leads somewhere.
    pub(crate) fn leads(&self) -> bool {
        self.leads
    }

    /// Returns the number of choices of a page that is not closed yet.
    pub(crate) fn choices(&self) -> usize {
        self.spans.len()
    }

    /// Returns the row, once it is written and closed.
    #[inline]
    pub(crate) fn row<'a>(&'a self, score: Option<&'a Score>) -> Row<'a> {
        match score.or(self.score.as_ref()) {
            Some(score) => Row::ended(score, &self.odds),
            None => Row::going_on(self.player, &self.spans, &self.targets, &self.odds),
        }
    }
}

/// Moves the outcomes of one choice to the front, with equal ones merged and the weights (including
/// staying) divided by their greatest common divisor: smaller denominators make all later numbers
/// shorter. Returns the number of outcomes left. `words` are leaving, staying and the weights.
#[inline]
fn merge(targets: &mut [u32], words: &mut [u64]) -> usize {
    let [leaving, staying, weights @ ..] = words else {
        return 0;
    };
    // For a handful of outcomes, a linear search is faster than sorting.
    let merged = if targets.len() > 16 {
        merge_sorted(targets, weights)
    } else {
        let mut merged = 0;
        for index in 0..targets.len() {
            let (target, weight) = (targets[index], weights[index]);
            match targets[..merged].iter().position(|&seen| seen == target) {
                Some(seen) => weights[seen] += weight,
                None => {
                    (targets[merged], weights[merged]) = (target, weight);
                    merged += 1;
                }
            }
        }
        merged
    };
    let weights = &mut weights[..merged];
    if *staying == 1 || weights.contains(&1) {
        return merged;
    }
    let mut divisor = *staying;
    for weight in weights.iter() {
        divisor = divisor.gcd(weight);
        if divisor == 1 {
            return merged;
        }
    }
    if divisor > 1 {
        weights.iter_mut().for_each(|weight| *weight /= divisor);
        *leaving /= divisor;
        *staying /= divisor;
    }
    merged
}

fn merge_sorted(targets: &mut [u32], weights: &mut [u64]) -> usize {
    let mut both: Vec<(u32, u64)> = targets
        .iter()
        .copied()
        .zip(weights.iter().copied())
        .collect();
    both.sort_unstable_by_key(|outcome| outcome.0);
    let mut merged = 0;
    for (target, weight) in both {
        if merged > 0 && targets[merged - 1] == target {
            weights[merged - 1] += weight;
        } else {
            (targets[merged], weights[merged]) = (target, weight);
            merged += 1;
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This was reported as memory that a higher `max_bytes` could provide.
    #[test]
    fn numbers_that_are_used_up_are_told_as_that() {
        let told = Full.among(7).to_string();
        assert_eq!(
            told,
            "the choices or outcomes of 7 states exceed the fixed limit of 2^32"
        );
    }
}
