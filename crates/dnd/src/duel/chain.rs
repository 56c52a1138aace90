//! The duel as one absorbing Markov chain, for turns with phases and for healing.

use num_traits::{FromPrimitive, One};
use oddsmith_dice::{Chain, Dist, Step};

use super::ending::Ending;
use super::fighter::Fighter;
use super::number::Number;
use super::{Duel, Winner};
use crate::Error;

/// The next turn, or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Moment {
    /// Hit points and initial phases are rolled.
    Roll,
    Turn {
        /// 0 for the first side, 1 for the second.
        side: usize,
        points: [i64; 2],
        phases: [usize; 2],
    },
    Over(Winner, i64),
}

pub(super) fn ending<N: Number>(duel: &Duel<N>) -> Result<Ending<N>, Error> {
    let sides = [&duel.first, &duel.second];
    let states = sides.map(|side| {
        let points = u128::from(side.ceiling().unsigned_abs());
        points.saturating_mul(side.phases().len() as u128)
    });
    let states = states[0].saturating_mul(states[1]).saturating_mul(2);
    // A state keeps its row; an entry takes six words, as elsewhere.
    let entries = sides.map(|side| side.phases().iter().map(|p| p.damage().len()).max());
    let entries = entries.into_iter().flatten().max().unwrap_or(1) as u128;
    let words = states.saturating_mul(entries).saturating_mul(6);
    if words > u128::from(duel.limit) {
        return Err(Error::DuelTooLarge {
            hit_points: sides[0].ceiling().max(sides[1].ceiling()),
            words,
            limit: duel.limit,
        });
    }
    let begun = |points, phases| Moment::Turn {
        side: 0,
        points,
        phases,
    };
    let chance = |side: &&Fighter<N>| side.roll().is_some() || side.first_phase().is_some();
    let rolls = sides.iter().any(chance);
    let start = match rolls {
        true => Moment::Roll,
        false => begun(sides.map(Fighter::standing), [0, 0]),
    };
    let builder = Chain::builder()
        .max_states(usize::MAX)
        .max_words(duel.limit);
    let chain = builder.explore(start, |moment| match *moment {
        Moment::Over(winner, left) => Ok(Step::Stop((winner, left))),
        Moment::Roll => {
            let points = sides[0].standing_law().joint(&sides[1].standing_law())?;
            let phases = sides[0]
                .first_phase_law()
                .joint(&sides[1].first_phase_law())?;
            let law = points.joint(&phases)?;
            let start = |&(points, phases): &((i64, i64), (usize, usize))| {
                begun(points.into(), phases.into())
            };
            Ok(Step::Go(law.map(start)))
        }
        Moment::Turn {
            side,
            points,
            phases,
        } => turn(sides, side, points, phases).map(Step::Go),
    })?;
    if let Some(state) = chain.endless_state() {
        return Err(Error::NeverEnds {
            state: describe(state),
        });
    }
    let law = chain.outcome()?;
    // Steps are turns. If the first side wins, the last of n rounds has only one.
    let mut turns = chain.expected_steps()?;
    if rolls {
        turns -= N::Ratio::one();
    }
    let first_wins = law.probability(|&(winner, _)| winner == Winner::First);
    // The last step of the chain is the one that fells.
    let two = N::Ratio::from_u8(2).unwrap_or_else(|| N::ratio(&N::unit(), &N::unit()));
    let rounds = (turns + first_wins) / two;
    let relative_error = match N::EXACT {
        true => 0.0,
        false => chain.visits()?.relative_error().max(law.relative_error()) * 2.0 + 1e-15,
    };
    Ok(Ending::new(law, rounds, relative_error))
}

fn turn<N: Number>(
    sides: [&Fighter<N>; 2],
    side: usize,
    points: [i64; 2],
    phases: [usize; 2],
) -> Result<Dist<Moment, N>, oddsmith_dice::Error> {
    let (own, other) = (sides[side], 1 - side);
    let phase = &own.phases()[phases[side]];
    let least = points[other];
    let damage = phase.damage().map(|&damage| damage.min(least));
    let act = |left: i64, damage: i64, next: usize| {
        if damage >= least {
            let winner = [Winner::First, Winner::Second][side];
            return Moment::Over(winner, left);
        }
        let (mut points, mut phases) = (points, phases);
        points[side] = left;
        points[other] -= damage;
        phases[side] = next;
        Moment::Turn {
            side: other,
            points,
            phases,
        }
    };
    let left = match own.healing() {
        Some(law) => law.map(|&by| own.healed(points[side], by)),
        None => damage.map(|_| points[side]),
    };
    let blow = left.joint(&damage)?.joint(phase.next())?;
    Ok(blow.map(|&((left, damage), next)| act(left, damage, next)))
}

fn describe(state: &Moment) -> String {
    match state {
        // The roll leads to every initial state, so it goes on forever only if all of them do; the
        // end never does.
        Moment::Roll | Moment::Over(..) => {
            "neither side can ever fall, whatever is rolled at the start".to_owned()
        }
        Moment::Turn { points, .. } => format!(
            "neither side can ever fall from {} against {} hit points",
            points[0], points[1]
        ),
    }
}
