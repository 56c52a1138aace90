//! Changes to dice that are kept.

use super::dice::Change;
use super::law::{changed, explode_forever};
use super::mixture::plus;
use crate::{DEFAULT_LIMIT, Dist, Error, Weight};

type Law<W> = Result<Dist<i64, W>, Error>;

/// A change to kept dice.
pub(super) struct After<'a, W: Weight> {
    change: &'a Change,
    /// The distribution of a die before this change.
    fresh: Dist<i64, W>,
    /// What further rolls add to a face, or replace it by if it is rolled again. This is the same
    /// for all faces, and is computed when the first of them needs it.
    more: Option<Dist<i64, W>>,
    /// The result for a face that is rolled again here, after all later changes: also the same for
    /// all faces.
    settled: Option<Dist<i64, W>>,
}

impl<'a, W: Weight> After<'a, W> {
    pub(super) fn all(
        die: &Dist<i64, W>,
        changes: &'a [Change],
        limit: u64,
    ) -> Result<Vec<After<'a, W>>, Error> {
        let mut all: Vec<After<W>> = Vec::with_capacity(changes.len());
        for change in changes {
            let fresh = match all.last() {
                Some(last) => {
                    let before = std::slice::from_ref(last.change);
                    changed(last.fresh.clone(), before, limit)?
                }
                None => die.clone(),
            };
            all.push(After {
                change,
                fresh,
                more: None,
                settled: None,
            });
        }
        Ok(all)
    }

    /// Whether a die that shows this face is rolled once more.
    fn touches(&self, face: i64) -> bool {
        match self.change {
            Change::Explode { depth: 0, .. } | Change::Reroll { times: Some(0), .. } => false,
            Change::Explode { on, .. } | Change::ExplodeForever { on } => match on {
                Some(faces) => faces.contains(face),
                None => face == *self.fresh.max(),
            },
            Change::Reroll { on, .. } => on.contains(face),
        }
    }

    fn replaces(&self) -> bool {
        matches!(self.change, Change::Reroll { .. })
    }

    fn more(&mut self, limit: u64) -> Result<&Dist<i64, W>, Error> {
        let more = match self.more.take() {
            Some(more) => more,
            None => {
                let again = |&face: &i64| self.touches(face);
                let fresh = &self.fresh;
                match self.change {
                    Change::Explode { depth, .. } => {
                        fresh.explode_within(depth.saturating_sub(1), again, limit)
                    }
                    Change::ExplodeForever { .. } => {
                        explode_forever(fresh, |face| self.touches(face))
                    }
                    Change::Reroll {
                        times: Some(times), ..
                    } => fresh.reroll_within(times.saturating_sub(1), again, limit),
                    Change::Reroll { times: None, .. } => fresh.reroll_forever(again),
                }?
            }
        };
        Ok(self.more.insert(more))
    }

    /// Changes what shows. All faces that are rolled on are treated together, since what comes next
    /// is independent of them.
    fn apply(&mut self, shown: Dist<i64, W>, limit: u64) -> Law<W> {
        let part = |pairs: Vec<(i64, W)>| {
            let (outcomes, weights) = pairs.into_iter().unzip();
            Dist {
                outcomes,
                weights,
                total: shown.total.clone(),
                roundings: shown.roundings,
            }
        };
        let pairs = shown.outcomes.into_iter().zip(shown.weights);
        let (again, stays): (Vec<_>, Vec<_>) = pairs.partition(|&(face, _)| self.touches(face));
        // Both keep the total of the whole.
        let (again, stays) = (part(again), part(stays));
        if again.outcomes.is_empty() {
            return Ok(stays);
        }
        let replaces = self.replaces();
        let more = self.more(limit)?;
        let changed = if replaces {
            let mut chance = W::nothing();
            again.weights.iter().for_each(|weight| chance.add(weight));
            let of_faces = again.roundings.sum(again.len());
            Dist {
                outcomes: more.outcomes.clone(),
                weights: more.weights.iter().map(|w| w.times(&chance)).collect(),
                total: again.total.times(&more.total),
                roundings: of_faces.product(more.roundings, 1),
            }
        } else {
            again.matfold_within(more, limit.max(DEFAULT_LIMIT))?
        };
        Ok(plus(stays, changed))
    }
}

/// The result for a die that shows `face` after the changes made to it once it was kept.
///
/// The first roll is known and the later ones are not: a die that is rolled again has used one of
/// its times, and one that explodes one level of its depth.
pub(super) fn after<W: Weight>(face: i64, changes: &mut [After<'_, W>], limit: u64) -> Law<W> {
    let first = changes.iter().position(|change| change.touches(face));
    let Some((change, later)) = first.and_then(|first| changes[first..].split_first_mut()) else {
        return Ok(Dist::point(face));
    };
    if let Some(settled) = &change.settled {
        return Ok(settled.clone());
    }
    let replaces = change.replaces();
    let more = change.more(limit)?;
    let shown = if replaces {
        more.clone()
    } else {
        more.shift(face)?
    };
    let settled = later
        .iter_mut()
        .try_fold(shown, |shown, change| change.apply(shown, limit))?;
    if replaces {
        change.settled = Some(settled.clone());
    }
    Ok(settled)
}
