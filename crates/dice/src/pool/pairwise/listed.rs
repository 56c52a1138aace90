//! Opposed pools by a list of all sorted rolls: for bonuses that change the order of the dice,
//! where only the full rolls determine which dice meet.

use super::prepared::{Opposed, Side};
use super::ranks::Ranks;
use crate::power::check_size;
use crate::{Dist, Error, Evaluator, Weight};

/// The reading of the kept faces and of how often each counts.
struct Faces;

impl Evaluator<i64> for Faces {
    type State = Vec<(i64, i64)>;
    type Outcome = Vec<(i64, i64)>;

    fn start(&self) -> Self::State {
        Vec::new()
    }

    fn next(&self, faces: &Self::State, face: &i64, counts: &[i64]) -> Self::State {
        let mut faces = faces.clone();
        if counts[0] != 0 {
            faces.push((*face, counts[0]));
        }
        faces
    }

    fn finish(&self, faces: &Self::State) -> Self::State {
        let mut faces = faces.clone();
        faces.sort_unstable_by(|a, b| b.cmp(a));
        faces
    }
}

impl<W: Weight> Side<W> {
    /// The values of the dice by rank, bonuses included.
    fn values(&self, opposed: &Opposed<W>, limit: u64) -> Result<Dist<Vec<i64>, W>, Error> {
        // A list of faces holds as many dice as take part, a number that is not limited elsewhere.
        let operation = || format!("listing the rolls of {} dice", self.dice);
        let words = u128::from(self.dice);
        check_size(operation, self.pool.sorted_rolls(), words, limit)?;
        let (low, high) = self.range().unwrap_or((0, 0));
        let law = self.pool.evaluate_within(&Faces, limit)?;
        Ok(law.map(|faces| {
            let dice = faces
                .iter()
                .flat_map(|&(face, count)| (0..count).map(move |_| face));
            let mut values: Vec<i64> = dice.collect();
            for (value, bonus) in values.iter_mut().zip(&self.bonus) {
                *value = value.saturating_add(*bonus);
                if opposed.pairing.clamped {
                    *value = (*value).clamp(low, high);
                }
            }
            if opposed.pairing.sorted_again {
                values.sort_unstable_by(|a, b| b.cmp(a));
            }
            values.truncate(opposed.pairs as usize);
            values
        }))
    }
}

/// The distribution of the pairs won and drawn.
pub(super) fn listed<W: Weight>(
    opposed: &Opposed<W>,
    limit: u64,
) -> Result<Dist<(u32, u32), W>, Error> {
    let attack = opposed.attack.values(opposed, limit)?;
    let defence = opposed.defence.values(opposed, limit)?;
    let ranks = Ranks {
        ties: opposed.pairing.ties,
        extra: Vec::new(),
    };
    // A pair of rolls takes one word per die, since it is copied.
    let each = u128::from(opposed.pairs) * 2 + 6;
    let words = attack.len() as u128 * defence.len() as u128 * each;
    if words > u128::from(limit) {
        return Err(Error::TooLarge {
            operation: format!("comparing {} with {} rolls", attack.len(), defence.len()),
            words,
            limit,
        });
    }
    let both = attack.joint_within(&defence, limit)?;
    Ok(both.map(|(attack, defence)| ranks.of_rolls(attack, defence)))
}
