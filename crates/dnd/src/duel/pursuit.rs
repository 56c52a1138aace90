//! The turns of one side against the hit points of the other.
//!
//! As long as a target stands, nothing it does changes what is done to it. A duel therefore
//! consists of two independent pursuits: the chance that both stand after a round is the product of
//! two numbers.

use oddsmith_dice::Dist;

use super::fighter::Fighter;
use super::number::Number;
use crate::Error;

/// The weights of damage, and of the next phase.
#[derive(Clone, Debug)]
struct Blow<N> {
    damage: Vec<(usize, N)>,
    next: Vec<(usize, N)>,
}

/// The weights of the hit points left, by the phase of the attacker.
#[derive(Clone, Debug)]
pub(super) struct Pursuit<N: Number> {
    /// `left[phase][hit points]`, with hit points from 0, where nobody stands; empty for phases that
    /// the attacker cannot be in now.
    left: Vec<Vec<N>>,
    /// The length of the lists that are not empty.
    size: usize,
    /// The sum of the weights at the start.
    start: N,
    blows: Vec<Blow<N>>,
    /// The factor by which a turn multiplies the total.
    turn: N,
    /// The part of this factor that is due to the next phase.
    phase: N,
    /// The distribution of healing, and its total.
    healing: Option<(Vec<(i64, N)>, N)>,
    target: Fighter<N>,
    /// The binary exponent by which the weights have been lifted.
    lifted: u64,
    /// The largest relative error of the distributions given.
    input_error: f64,
}

/// The effect of one turn.
pub(super) struct Turned<N> {
    /// The weight of falling in this turn.
    pub(super) fallen: N,
    /// The factor by which the total was multiplied; 1 in floats.
    pub(super) factor: N,
}

impl<N: Number> Pursuit<N> {
    /// Creates a pursuit before its first turn, with memory for this many turns.
    pub(super) fn new(
        attacker: &Fighter<N>,
        target: &Fighter<N>,
        turns: u64,
        limit: u64,
    ) -> Result<Self, Error> {
        room(attacker, target, turns, limit)?;
        let points = target.ceiling();
        let phases = attacker.phases();
        let damages: Vec<_> = phases.iter().map(|p| N::over_total(p.damage())).collect();
        let nexts: Vec<_> = phases.iter().map(|p| N::over_total(p.next())).collect();
        let (damage_total, damage_factors) = N::harmonise(&totals(&damages));
        let (next_total, next_factors) = N::harmonise(&totals(&nexts));
        let healing = target.healing().map(N::over_total);
        let ceiling = points as usize;
        let blows = damages.into_iter().zip(nexts).enumerate();
        let blows = blows.map(|(at, ((damage, _), (next, _)))| {
            // All damage that fells at once is the same.
            let mut lumped: Vec<(usize, N)> = Vec::new();
            for (outcome, weight) in damage {
                let outcome = outcome.min(points) as usize;
                let weight = weight.times(&damage_factors[at]);
                match lumped.last_mut() {
                    Some((last, sum)) if *last == outcome => sum.add(&weight),
                    _ => lumped.push((outcome, weight)),
                }
            }
            let next = next.into_iter();
            Blow {
                damage: lumped,
                next: next
                    .map(|(to, w)| (to, w.times(&next_factors[at])))
                    .collect(),
            }
        });
        let blows = blows.collect();
        let size = ceiling + 1;
        let mut left = vec![Vec::new(); phases.len()];
        let (standing, mut start) = target.start();
        match attacker.first_phase() {
            None => left[0] = standing,
            Some(law) => {
                let (pairs, total) = N::over_total(law);
                for (phase, chance) in pairs {
                    let weights = standing.iter().map(|weight| weight.times(&chance));
                    left[phase] = weights.collect();
                }
                start = start.times(&total);
            }
        }
        Ok(Pursuit {
            left,
            size,
            start,
            blows,
            turn: damage_total.times(&next_total),
            phase: next_total,
            healing,
            target: target.clone(),
            lifted: 0,
            input_error: input_error(attacker).max(input_error(target)),
        })
    }

    /// Lifts weights that are too small for floats, and their sum. Whoever still stands after many
    /// turns is unlikely, but what happens to him then need not be.
    pub(super) fn lift(&mut self, standing: &mut N) {
        self.lifted += N::lift(&mut self.left, standing);
    }

    /// Returns the binary exponent by which the weights have been lifted.
    pub(super) fn lifted(&self) -> u64 {
        self.lifted
    }

    /// Heals the target; returns the factor of the total.
    pub(super) fn heal(&mut self) -> N {
        let Some((law, total)) = &self.healing else {
            return N::unit();
        };
        for left in self.left.iter_mut().filter(|left| !left.is_empty()) {
            let mut healed = vec![N::nothing(); left.len()];
            for (points, weight) in left.iter().enumerate().skip(1) {
                if !weight.vanishes() {
                    for (by, chance) in law {
                        let to = self.target.healed(points as i64, *by) as usize;
                        healed[to].add(&weight.times(chance));
                    }
                }
            }
            *left = healed;
        }
        total.clone()
    }

    /// Takes the attacker's turn.
    pub(super) fn turn(&mut self) -> Turned<N> {
        let mut fallen = N::nothing();
        let mut after: Vec<Vec<N>> = vec![Vec::new(); self.left.len()];
        let phases = self.left.iter().zip(&self.blows);
        for (left, blow) in phases.filter(|(left, _)| !left.is_empty()) {
            let mut wounded = vec![N::nothing(); self.size];
            for (points, weight) in left.iter().enumerate().skip(1) {
                if weight.vanishes() {
                    continue;
                }
                let (mut alive, mut deadly) = (blow.damage.iter(), N::nothing());
                for (damage, chance) in alive.by_ref() {
                    if *damage >= points {
                        deadly = chance.clone();
                        break;
                    }
                    wounded[points - damage].add(&weight.times(chance));
                }
                alive.for_each(|(_, chance)| deadly.add(chance));
                fallen.add(&weight.times(&deadly));
            }
            for (to, chance) in &blow.next {
                after[*to].resize(self.size, N::nothing());
                for (sum, weight) in after[*to].iter_mut().zip(&wounded) {
                    if !weight.vanishes() {
                        sum.add(&weight.times(chance));
                    }
                }
            }
        }
        self.left = after;
        Turned {
            // The next phase does not matter to those who fell, but they are counted over the same
            // total.
            fallen: fallen.times(&self.phase),
            factor: self.turn.clone(),
        }
    }

    /// Returns the weights of the hit points left, whatever the phase.
    pub(super) fn left(&self) -> Vec<N> {
        let mut sum = vec![N::nothing(); self.size];
        for left in &self.left {
            for (sum, weight) in sum.iter_mut().zip(left) {
                sum.add(weight);
            }
        }
        sum
    }

    /// Returns the total of the weights at the start.
    pub(super) fn start(&self) -> &N {
        &self.start
    }

    /// Returns the number of bits by which the total grows in a turn.
    pub(super) fn growth(&self) -> u64 {
        let healing = self.healing.as_ref().map_or(0, |(_, total)| total.length());
        if N::EXACT {
            self.turn.length() + healing
        } else {
            0
        }
    }

    /// Returns a bound on the relative error of sums of the weights after this many turns; 0 if
    /// they are exact.
    pub(super) fn relative_error(&self, turns: u64) -> f64 {
        if N::EXACT {
            return 0.0;
        }
        let damages = self.blows.iter().map(|blow| blow.damage.len()).max();
        let healings = self.healing.as_ref().map_or(0, |(law, _)| law.len() + 2);
        // A product and sums for damage, for the next phase and for healing, each weight first
        // divided by its total.
        let terms = damages.unwrap_or(0) + self.blows.len() + healings + 6;
        let each = (terms as u64).saturating_mul(turns);
        let sums = (self.left.len() * self.size) as u64;
        // Before any turn: rolled hit points and the initial phase, each divided by its total, and
        // their product.
        let factors = turns.saturating_mul(3).saturating_add(2);
        let each = each.saturating_add(3);
        error_bound(each.saturating_add(sums), factors, self.input_error)
    }

    /// Returns the weight of standing.
    pub(super) fn standing(&self) -> N {
        let mut sum = N::nothing();
        for weight in self.left.iter().flatten() {
            sum.add(weight);
        }
        sum
    }
}

/// Returns the number of bits by which weights grow in a turn; 0 in floats.
pub(super) fn grows<N: Number>(attacker: &Fighter<N>, target: &Fighter<N>) -> u64 {
    if !N::EXACT {
        return 0;
    }
    let phases = attacker.phases().iter();
    let damages: Vec<_> = phases.clone().map(|phase| phase.damage().total()).collect();
    let nexts: Vec<_> = phases.map(|phase| phase.next().total()).collect();
    let turn = N::harmonise(&damages).0.times(&N::harmonise(&nexts).0);
    let healing = target.healing().map_or(1, |law| law.total().length());
    // A total of one stays one in every turn.
    (turn.length() - 1) + (healing - 1)
}

/// Rejects a pursuit of this many turns if it would need more words of memory than allowed.
pub(super) fn room<N: Number>(
    attacker: &Fighter<N>,
    target: &Fighter<N>,
    turns: u64,
    limit: u64,
) -> Result<(), Error> {
    let phases = attacker.phases().iter();
    let grows = grows(attacker, target);
    let start = target.roll().map_or(1, |roll| roll.total().length());
    let phase = attacker.first_phase().map_or(0, |law| law.total().length());
    let start = start + if N::EXACT { phase } else { 0 };
    let bits = u128::from(grows) * u128::from(turns) + u128::from(start);
    let hit_points = target.ceiling();
    let words = (u128::from(hit_points.unsigned_abs()) + 1)
        .saturating_mul(phases.len() as u128)
        .saturating_mul(7 + bits / 64)
        .saturating_add(u128::from(turns) * 8);
    if words > u128::from(limit) {
        return Err(Error::DuelTooLarge {
            hit_points,
            words,
            limit,
        });
    }
    // A limit that was raised may exceed the memory there is. Trying to allocate costs nothing, and
    // tables that cannot be allocated must not end the program.
    let mut all: Vec<u64> = Vec::new();
    match usize::try_from(words).is_ok_and(|words| all.try_reserve_exact(words).is_ok()) {
        true => Ok(()),
        false => Err(Error::NoMemory { hit_points, words }),
    }
}

/// Returns the largest relative error of a fighter's distributions.
pub(super) fn input_error<N: Number>(fighter: &Fighter<N>) -> f64 {
    if N::EXACT {
        return 0.0;
    }
    let laws = fighter.phases().iter();
    let laws = laws.map(|p| p.damage().relative_error().max(p.next().relative_error()));
    let healing = fighter.healing().map(Dist::relative_error);
    let rolled = fighter.roll().map(Dist::relative_error);
    let begins = fighter.first_phase().map(Dist::relative_error);
    let starts = rolled.into_iter().chain(begins);
    laws.chain(healing).chain(starts).fold(0.0, f64::max)
}

/// Returns a bound on the relative error of a sum of positive terms after this many roundings, and
/// with this many factors that each have relative error `input`. See N. J. Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., lemma 3.1: (1 − u)⁻ᵏ ≤ exp(ku/(1 − u)).
pub(super) fn error_bound(roundings: u64, factors: u64, input: f64) -> f64 {
    let unit = f64::EPSILON / 2.0;
    let exponent = roundings as f64 * unit + factors as f64 * input;
    (exponent * (1.0 + 1e-6)).exp_m1() * (1.0 + 1e-6)
}

fn totals<T, N>(laws: &[(Vec<(T, N)>, N)]) -> Vec<&N> {
    laws.iter().map(|(_, total)| total).collect()
}

/// Splits a distribution into its positive part, lumped at `most`, and the weight of no damage.
pub(super) fn split<N: Number>(law: &Dist<i64, N>, most: i64) -> (Vec<(i64, N)>, N, N) {
    let (pairs, _) = N::over_total(law);
    let (mut miss, mut hit) = (N::nothing(), N::nothing());
    let mut hits: Vec<(i64, N)> = Vec::new();
    for (damage, weight) in pairs {
        if damage == 0 {
            miss = weight;
            continue;
        }
        hit.add(&weight);
        let damage = damage.min(most);
        match hits.last_mut() {
            Some((last, sum)) if *last == damage => sum.add(&weight),
            _ => hits.push((damage, weight)),
        }
    }
    N::given_a_hit(&mut hits, &hit);
    (hits, hit, miss)
}
