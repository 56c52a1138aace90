//! The course of a fight, from its first round to all its ends.

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::directed::Towards;
use super::extent::Span;
use super::table::ROUNDING;
use crate::bout::{Bout, Standing};

/// Where a round may lead.
#[derive(Clone, Copy, Debug)]
enum To {
    Row(u32),
    /// With so much STAMINA left.
    Won(u16),
    Lost,
}

/// The hero with some STAMINA before a round.
#[derive(Clone, Debug)]
struct Row {
    outcomes: Vec<(f64, To)>,
    /// From the foe with this number, with so much left.
    flight: Option<(usize, u16)>,
}

/// All rounds of a fight, later ones first.
#[derive(Debug)]
pub(crate) struct Course {
    rows: Vec<Row>,
    /// By the hero's STAMINA.
    first: Vec<Option<u32>>,
    /// By what is known before a round, its row.
    numbers: FxHashMap<Key, u32>,
    /// How far rounding may take any value.
    pub(crate) error: f64,
}

/// How a fight stands, and rounds fought as far as they count for running.
pub(crate) type Key = (Standing, u16);

/// Is told by row what fighting on and what running is worth.
pub(crate) type EachRow<'e> = &'e mut dyn FnMut(usize, &[f64], &[f64]);

impl Course {
    /// Of a hero with up to `most` STAMINA; who may run from round `escape.0` on, for the
    /// STAMINA `escape.1`. `None` if there is too much to remember. To [`keep`] is to know
    /// rows by what is known before a round.
    ///
    /// [`keep`]: Course::numbers
    pub(crate) fn new(
        bout: &Bout,
        most: u16,
        escape: Option<(u16, u16)>,
        (limit, keep): (usize, bool),
    ) -> Option<Self> {
        let mut course = Course {
            rows: Vec::new(),
            first: vec![None],
            numbers: FxHashMap::default(),
            error: 0.0,
        };
        let mut known: FxHashMap<Key, u32> = FxHashMap::default();
        let mut errors: Vec<f64> = Vec::new();
        let stamina = bout.foes.first().map_or(0, |foe| foe.stamina);
        for hero in 1..=most {
            let start = (
                Standing {
                    foe: 0,
                    stamina,
                    hero,
                },
                0,
            );
            let mut stack = vec![start];
            while let Some(&now) = stack.last() {
                if known.contains_key(&now) {
                    stack.pop();
                    continue;
                }
                let law = law(bout, now, escape);
                let open = law
                    .iter()
                    .filter_map(|(_, to)| *to)
                    .filter(|(to, _)| to.hero > 0 && usize::from(to.foe) < bout.foes.len());
                let open: Vec<Key> = open.filter(|to| !known.contains_key(to)).collect();
                if !open.is_empty() {
                    stack.extend(open);
                    continue;
                }
                let mut error = 0.0_f64;
                let outcomes: Vec<(f64, To)> = law
                    .iter()
                    .map(|&(chance, to)| {
                        let to = match to {
                            None => To::Lost,
                            Some((to, _)) if to.hero == 0 => To::Lost,
                            Some((to, _)) if usize::from(to.foe) == bout.foes.len() => {
                                To::Won(to.hero)
                            }
                            Some(to) => To::Row(known[&to]),
                        };
                        if let To::Row(row) = to {
                            error = error.max(errors[row as usize]);
                        }
                        (chance, to)
                    })
                    .collect();
                let (standing, rounds) = now;
                let flight =
                    escape.filter(|(after, cost)| rounds >= *after && standing.hero > *cost);
                errors.push(error + ROUNDING * (outcomes.len() + 3) as f64);
                known.insert(now, course.rows.len() as u32);
                course.rows.push(Row {
                    outcomes,
                    flight: flight.map(|(_, cost)| (standing.foe.into(), standing.hero - cost)),
                });
                if course.rows.len() > limit {
                    return None;
                }
                stack.pop();
            }
            course.first.push(Some(known[&start]));
        }
        course.error = errors.into_iter().fold(0.0, f64::max);
        if keep {
            course.numbers = known;
        }
        Some(course)
    }

    /// The most STAMINA that it knows about.
    pub(crate) fn most(&self) -> u16 {
        (self.first.len() - 1) as u16
    }

    /// How many rounds there are that differ.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// How many rows there are for a hero with no more than the most STAMINA in `life`:
    /// those with more come later.
    pub(crate) fn rows_to(&self, life: Span) -> usize {
        let most = self.first.get(life.hi.max(0) as usize).copied().flatten();
        most.map_or(0, |last| last as usize + 1)
    }

    /// The row of what is known before a round, if rows were kept.
    pub(crate) fn row(&self, key: &Key) -> Option<usize> {
        self.numbers.get(key).map(|row| *row as usize)
    }

    /// Forgets where rounds lead.
    pub(crate) fn rest(&mut self) {
        self.rows = Vec::new();
    }

    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        let outcomes: usize = self.rows.iter().map(|row| row.outcomes.len()).sum();
        64 * self.rows.len() + 16 * outcomes + 8 * self.first.len() + 20 * self.numbers.capacity()
    }

    /// What the fight is worth for each STAMINA in `life`: `ends[0]` after victory, then
    /// after flight from each foe, by STAMINA from 1 on, `width` values each.
    /// `each` is told, by row from which one may run, what fighting on and what running is
    /// worth.
    pub(crate) fn run(
        &self,
        life: Span,
        width: usize,
        ends: &[Vec<f64>],
        each: EachRow<'_>,
    ) -> Vec<f64> {
        let count = self.rows_to(life);
        let mut rows = vec![0.0; count * width];
        for (number, row) in self.rows[..count].iter().enumerate() {
            let (done, rest) = rows.split_at_mut(number * width);
            let out = &mut rest[..width];
            for &(chance, to) in &row.outcomes {
                let from = match to {
                    To::Lost => continue,
                    To::Won(left) => &ends[0][(usize::from(left) - 1) * width..][..width],
                    To::Row(row) => &done[row as usize * width..][..width],
                };
                for (out, from) in out.iter_mut().zip(from) {
                    *out += chance * from;
                }
            }
            if let Some((foe, left)) = row.flight {
                let from = &ends[1 + foe][(usize::from(left) - 1) * width..][..width];
                each(number, out, from);
                for (out, from) in out.iter_mut().zip(from) {
                    *out = out.max(*from);
                }
            }
        }
        let mut values = Vec::with_capacity(life.len() * width);
        for hero in life.values() {
            let first = self.first.get(hero.max(0) as usize).copied().flatten();
            match first {
                Some(row) => values.extend_from_slice(&rows[row as usize * width..][..width]),
                None => values.resize(values.len() + width, 0.0),
            }
        }
        values
    }

    /// What a run has come out as, rounded one way: nobody leaves a fight with more STAMINA
    /// than before, so that it is worth no more than the best end with as much.
    pub(crate) fn rounded(
        &self,
        mut values: Vec<f64>,
        life: Span,
        width: usize,
        ends: &[Vec<f64>],
        towards: Towards,
    ) -> Vec<f64> {
        if towards == Towards::Nearest {
            return values;
        }
        // Each round rounds by a part of what it is: some of them, by a little more.
        let off = 2.0 * self.error;
        let mut most = vec![0.0_f64; width];
        let mut left = 0;
        for (hero, row) in life.values().zip(values.chunks_mut(width)) {
            while left < hero.max(0) as usize {
                for end in ends {
                    let end = &end[left * width..][..width];
                    for (most, end) in most.iter_mut().zip(end) {
                        *most = most.max(*end);
                    }
                }
                left += 1;
            }
            for (value, most) in row.iter_mut().zip(&most) {
                *value = towards.round(*value, off, 0.0, *most);
            }
        }
        values
    }
}

/// Where a round leads, by chances that sum to 1; draws that change nothing are fought
/// again. Where nothing can change any more the hero has lost, or runs.
fn law(bout: &Bout, now: Key, escape: Option<(u16, u16)>) -> Vec<(f64, Option<Key>)> {
    let (standing, rounds) = now;
    let counted = escape.map_or(0, |escape| escape.0);
    let law = match bout.round(standing) {
        law if rounds < counted || (law.is_some() && escape.is_some()) => {
            bout.round_or_draw(standing)
        }
        law => law,
    };
    let Some(law) = law else {
        return vec![(1.0, None)];
    };
    let next = law.outcomes.into_iter().map(|(to, weight)| {
        let anew = to.foe > standing.foe && !bout.at_once;
        let rounds = if anew { 0 } else { counted.min(rounds + 1) };
        ((to, rounds), weight)
    });
    let next: Vec<_> = next.filter(|(to, _)| *to != now).collect();
    let total: f64 = next
        .iter()
        .map(|(_, weight)| weight.to_f64().unwrap_or(0.0))
        .sum();
    let chance = |weight: &num_bigint::BigUint| weight.to_f64().unwrap_or(0.0) / total;
    next.iter()
        .map(|(to, weight)| (chance(weight), Some(*to)))
        .collect()
}
