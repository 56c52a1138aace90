//! W, C and L round by round.

use std::ops::Index;

use ndarray::Array2;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use oddsmith_dice::{Dist, Steps, Weight};

use super::Duel;
use super::number::Number;
use super::partdist::{first_attack_matrix, second_attack_matrix};
use super::pursuit::{self, Pursuit};
use crate::Error;

/// The state of a duel after a round: v_n = (W_n, C_n, L_n) in Jørgensen's section 2.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Duel, Fighter};
///
/// let brawler = Fighter::new(2, Dist::from_weights([(0, 1), (1, 1)])?)?;
/// let rounds = Duel::new(brawler.clone(), brawler).rounds(2)?;
/// let last = &rounds[2];
/// assert_eq!(last.number(), 2);
/// assert_eq!(last.first_fells().to_string(), "1/4"); // w_2
/// assert_eq!(last.second_fells().to_string(), "1/4"); // k_2
/// assert_eq!(last.matrix()[[2, 1]].to_string(), "3/16"); // the first misses, the second fells
/// assert_eq!(last.state()[1].to_string(), "9/16"); // C_2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Round<W: Weight = BigUint> {
    number: u64,
    state: [W::Ratio; 3],
    fells: [W::Ratio; 2],
}

/// `{"number":2,"won":"1/4","open":"9/16","lost":"3/16","first_fells":"1/4","second_fells":"1/4"}`.
#[cfg(feature = "serde")]
impl<W: Weight> serde::Serialize for Round<W>
where
    W::Ratio: oddsmith_mdp::written::Written,
{
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use oddsmith_mdp::written::Value;
        use serde::ser::SerializeStruct;

        let [won, open, lost] = &self.state;
        let [first, second] = &self.fells;
        let mut written = serializer.serialize_struct("Round", 6)?;
        written.serialize_field("number", &self.number)?;
        written.serialize_field("won", &Value(won))?;
        written.serialize_field("open", &Value(open))?;
        written.serialize_field("lost", &Value(lost))?;
        written.serialize_field("first_fells", &Value(first))?;
        written.serialize_field("second_fells", &Value(second))?;
        written.end()
    }
}

impl<W: Number> Round<W> {
    /// Returns n, the number of the round; 0 is before the first round.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::die(2)?)?;
    /// let rounds = Duel::new(rat.clone(), rat).rounds(3)?;
    /// assert_eq!((rounds[0].number(), rounds[3].number()), (0, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns W_n, the chance that the first side has won by now.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let rounds = Duel::new(rat.clone(), rat).rounds(2)?;
    /// assert_eq!(rounds[1].won().to_string(), "1/2");
    /// assert_eq!(rounds[2].won().to_string(), "5/8"); // 1/2 + 1/4 · 1/2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn won(&self) -> &W::Ratio {
        &self.state[0]
    }

    /// Returns C_n, the chance that nobody has won by now.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let rounds = Duel::new(rat.clone(), rat).rounds(2)?;
    /// assert_eq!(rounds[0].open().to_string(), "1");
    /// assert_eq!(rounds[2].open().to_string(), "1/16"); // four misses
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn open(&self) -> &W::Ratio {
        &self.state[1]
    }

    /// Returns L_n, the chance that the second side has won by now.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let rounds = Duel::new(rat.clone(), rat).rounds(2)?;
    /// assert_eq!(rounds[1].lost().to_string(), "1/4"); // a miss and a hit
    /// assert_eq!(rounds[2].lost().to_string(), "5/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lost(&self) -> &W::Ratio {
        &self.state[2]
    }

    /// Returns w_n, the chance that the first side's turn of this round fells the second, given
    /// that its earlier turns have not, whatever the second side has done. It is 0 if they must
    /// have.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let axe = Fighter::new(9, Dist::certain(1))?; // never misses
    /// let wolf = Fighter::new(2, Dist::from_weights([(0, 1), (3, 1)])?)?;
    /// let rounds = Duel::new(axe, wolf).rounds(2)?;
    /// assert_eq!(rounds[1].first_fells().to_string(), "0"); // 1 of 2 hit points
    /// assert_eq!(rounds[2].first_fells().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first_fells(&self) -> &W::Ratio {
        &self.fells[0]
    }

    /// Returns k_n, the same chance for the second side's turn.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let round = &Duel::new(rat.clone(), rat).rounds(1)?[1];
    /// assert_eq!(round.second_fells().to_string(), "1/2");
    /// assert_eq!(round.lost().to_string(), "1/4"); // only half of its turns are taken
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn second_fells(&self) -> &W::Ratio {
        &self.fells[1]
    }

    /// Returns (W, C, L) as a vector.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let rounds = Duel::new(rat.clone(), rat).to_f64().rounds(1)?;
    /// assert_eq!(rounds[0].state().to_vec(), [0.0, 1.0, 0.0]);
    /// assert_eq!(rounds[1].state().to_vec(), [0.5, 0.25, 0.25]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state(&self) -> ndarray::Array1<W::Ratio> {
        ndarray::Array1::from(self.state.to_vec())
    }

    /// Returns M_n Y_n, which takes the state before the round to the state after it.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let rounds = Duel::new(rat.clone(), rat).to_f64().rounds(2)?;
    /// let matrix = rounds[2].matrix();
    /// assert_eq!(matrix.column(1).to_vec(), [0.5, 0.25, 0.25]); // what becomes of C
    /// assert_eq!(matrix.dot(&rounds[1].state()), rounds[2].state());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn matrix(&self) -> Array2<W::Ratio> {
        // `dot` is not used, since it requires `Copy` numbers, which fractions are not.
        let (first, second) = (
            first_attack_matrix(&self.fells[0]),
            second_attack_matrix(&self.fells[1]),
        );
        Array2::from_shape_fn((3, 3), |(i, j)| {
            let terms = (0..3).map(|k| second[[i, k]].clone() * first[[k, j]].clone());
            terms.fold(W::Ratio::zero(), |sum, term| sum + term)
        })
    }
}

/// A table of [`Round`]s from the beginning; `rounds[n]` is after n rounds.
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Duel, Fighter};
///
/// let brawler = Fighter::new(2, Dist::from_weights([(0, 1), (1, 1)])?)?;
/// let rounds = Duel::new(brawler.clone(), brawler).rounds(20)?;
/// let (least, most) = rounds.bracket(); // of 16/27
/// assert!(least.to_string().parse::<f64>().is_err()); // exact fractions
/// assert!(least < most);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "W::Ratio: oddsmith_mdp::written::Written"))
)]
pub struct Rounds<W: Weight = BigUint> {
    #[cfg_attr(feature = "serde", serde(rename = "rounds"))]
    rows: Vec<Round<W>>,
    relative_error: f64,
}

impl<W: Number> Rounds<W> {
    /// Returns the rounds in order, from 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let brawler = Fighter::new(2, Dist::die(2)?)?;
    /// let rounds = Duel::new(brawler.clone(), brawler).rounds(2)?;
    /// let won: Vec<String> = rounds.iter().map(|round| round.won().to_string()).collect();
    /// assert_eq!(won, ["0", "1/2", "3/4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> std::slice::Iter<'_, Round<W>> {
        self.rows.iter()
    }

    /// Returns the state after this many rounds, or `None` beyond the table. `rounds[n]` returns
    /// the same and panics beyond the table, as for slices.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let brawler = Fighter::new(2, Dist::die(2)?)?;
    /// let rounds = Duel::new(brawler.clone(), brawler).rounds(2)?;
    /// assert_eq!(rounds.get(1), Some(&rounds[1]));
    /// assert_eq!(rounds.get(3), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, round: usize) -> Option<&Round<W>> {
        self.rows.get(round)
    }

    /// Returns the number of rows, which is one more than the number of rounds.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::die(2)?)?;
    /// assert_eq!(Duel::new(rat.clone(), rat).rounds(10)?.len(), 11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "row 0 is always there")]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the table as an array, with one row for each round from 0 and the columns W, C, L.
    /// These are the curves of the source's figure.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let brawler = Fighter::new(2, Dist::die(2)?)?;
    /// let table = Duel::new(brawler.clone(), brawler).to_f64().rounds(2)?.table();
    /// assert_eq!(table.dim(), (3, 3));
    /// assert_eq!(table.row(1).to_vec(), [0.5, 0.25, 0.25]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn table(&self) -> Array2<W::Ratio> {
        Array2::from_shape_fn((self.rows.len(), 3), |(row, column)| {
            self.rows[row].state[column].clone()
        })
    }

    /// Returns W_n and W_n + C_n for the last round. Since W_n ≤ W∞ ≤ W_n + C_n, the chance that
    /// the first side wins lies between them, if the duel ends.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let brawler = Fighter::new(2, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let (least, most) = Duel::new(brawler.clone(), brawler).rounds(2)?.bracket();
    /// assert_eq!(least.to_string(), "1/4");
    /// assert_eq!(most.to_string(), "13/16"); // and W∞ = 16/27
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bracket(&self) -> (W::Ratio, W::Ratio) {
        match self.rows.last() {
            Some(last) => {
                let most = last.won().clone() + last.open().clone();
                let one = W::Ratio::one();
                (last.won().clone(), if most > one { one } else { most })
            }
            None => (W::Ratio::zero(), W::Ratio::one()),
        }
    }

    /// Returns the first round after which the chance that the duel goes on is below this one, or
    /// `None` if the table does not reach that far.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, activate};
    ///
    /// let fighter = Fighter::new(40, activate(&Dist::ndice(2, 6)?, 5, 18, 7)?)?;
    /// let rounds = Duel::new(fighter.clone(), fighter).to_f64().rounds(40)?;
    /// assert_eq!(rounds.settled_below(&1e-3), Some(14));
    /// assert_eq!(rounds.settled_below(&1e-6), Some(21));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn settled_below(&self, chance: &W::Ratio) -> Option<u64> {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.open() < chance);
        row.map(Round::number)
    }

    /// Returns a bound on the relative error of a number of the table; 0 if they are exact. In
    /// addition, floats below about 1e-300 may be lost.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let duel = Duel::new(Fighter::new(9, Dist::die(6)?)?, Fighter::new(9, Dist::die(6)?)?);
    /// assert_eq!(duel.rounds(9)?.relative_error(), 0.0);
    /// assert!(duel.to_f64().rounds(9)?.relative_error() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }
}

impl<W: Number> Index<usize> for Rounds<W> {
    type Output = Round<W>;

    fn index(&self, round: usize) -> &Round<W> {
        &self.rows[round]
    }
}

fn pursuits<N: Number>(duel: &Duel<N>, count: u64) -> Result<[Pursuit<N>; 2], Error> {
    let limit = duel.limit;
    let sides = [(&duel.first, &duel.second), (&duel.second, &duel.first)];
    // If not even one round is possible, there are too many hit points.
    for (attacker, target) in sides {
        pursuit::room(attacker, target, count.min(1), limit)?;
    }
    let [first, second] = sides.map(|(attacker, target)| {
        Pursuit::new(attacker, target, count, limit).map_err(|error| match error {
            Error::DuelTooLarge { words, .. } => Error::TooManyRounds {
                rounds: count,
                words,
                limit,
            },
            error => error,
        })
    });
    let (first, second) = (first?, second?);
    // The table itself: five fractions per row.
    let bits = if N::EXACT {
        first.growth() + second.growth()
    } else {
        0
    };
    let longest = u128::from(bits) * u128::from(count) / 64;
    let table = (longest + 6).saturating_mul(5).saturating_mul(count.into());
    // In each round, all hit points meet all possible outcomes.
    let met = sides.map(|(attacker, target)| {
        let phases = attacker.phases().iter();
        let blows: usize = phases
            .map(|phase| phase.damage().len() + phase.next().len())
            .sum();
        let healed = target.healing().map_or(0, Dist::len);
        let points = u128::from(target.ceiling().unsigned_abs()) + 1;
        points.saturating_mul((blows + healed) as u128)
    });
    let work = met[0].saturating_add(met[1]).saturating_mul(count.into());
    let work = work.saturating_mul(longest + 1);
    let words = table.max(work / OPERATIONS_A_WORD);
    if words > u128::from(limit) {
        return Err(Error::TooManyRounds {
            rounds: count,
            words,
            limit,
        });
    }
    Ok([first, second])
}

/// The number of operations on words that are allowed for each word of the limit, as in the chains
/// of `oddsmith-dice`.
pub(super) const OPERATIONS_A_WORD: u128 = 256;

/// A row without `partdist` is a product over all rounds before it, so row n has n²/2 times the
/// bits that a round adds, and is reduced by a number of the same length.
fn products_fit(count: u64, growth: u64, limit: u64) -> Result<(), Error> {
    let (rounds, words) = (u128::from(count), u128::from(growth).div_ceil(64));
    let last = rounds.saturating_mul(rounds) * u128::from(growth) / 128;
    let held = last.saturating_mul(rounds).saturating_mul(5) / 3;
    let work = last.saturating_mul(last).saturating_mul(rounds) / 5;
    let words_needed = held
        .max(work / OPERATIONS_A_WORD)
        .saturating_mul(words.min(1));
    match words_needed > u128::from(limit) {
        true => Err(Error::TooManyRounds {
            rounds: count,
            words: words_needed,
            limit,
        }),
        false => Ok(()),
    }
}

/// What happens in one round, as weights over the total after it.
struct Played<N> {
    /// The weights that the first side's turn fells, and that the second's does.
    ends: [N; 2],
    /// The weight that both stand.
    open: N,
    /// The factor of the total of W, C and L.
    factor: N,
    /// The numerators and denominators of w_n and k_n.
    fells: [(N, N); 2],
}

/// The rounds of a duel, one after another.
struct Play<N: Number> {
    pursuits: [Pursuit<N>; 2],
    /// Sums of weights: S_A(n − 1), that the second side stands, and S_B(n − 1).
    standing: [N; 2],
    /// In the first round, the side that acts first has nothing to heal yet. The second side heals
    /// before its turn and is attacked before.
    first_round: bool,
}

impl<N: Number> Play<N> {
    fn new(pursuits: [Pursuit<N>; 2]) -> Self {
        Play {
            standing: [0, 1].map(|side| pursuits[side].start().clone()),
            pursuits,
            first_round: true,
        }
    }

    /// Returns the total of the weights before the first round.
    fn total(&self) -> N {
        self.standing[0].times(&self.standing[1])
    }

    fn round(&mut self) -> Played<N> {
        for (pursuit, standing) in self.pursuits.iter_mut().zip(&mut self.standing) {
            pursuit.lift(standing);
        }
        let [first, second] = &mut self.pursuits;
        let healed = match std::mem::take(&mut self.first_round) {
            true => N::unit(),
            false => first.heal(),
        };
        let attack = first.turn();
        let factor = healed.times(&attack.factor);
        let healed = second.heal();
        let answer = second.turn();
        let answer_factor = healed.times(&answer.factor);
        let now = [first.standing(), second.standing()];
        let before = std::mem::replace(&mut self.standing, now.clone());
        // The first side wins against a second side that has not acted in this round.
        let won = attack.fallen.times(&before[1]).times(&answer_factor);
        let lifted = first.lifted() + second.lifted();
        Played {
            ends: [won, now[0].times(&answer.fallen)].map(|weight| weight.unlifted(lifted)),
            open: now[0].times(&now[1]).unlifted(lifted),
            fells: [
                (attack.fallen, before[0].times(&factor)),
                (answer.fallen, before[1].times(&answer_factor)),
            ],
            factor: factor.times(&answer_factor),
        }
    }
}

pub(super) fn with_partdist<N: Number>(duel: &Duel<N>, count: u64) -> Result<Rounds<N>, Error> {
    let mut play = Play::new(pursuits(duel, count)?);
    let mut total = play.total();
    let mut state = [N::nothing(), total.clone(), N::nothing()];
    let mut rows = Vec::new();
    let mut fells = [N::Ratio::zero(), N::Ratio::zero()];
    for number in 0..=count {
        if number > 0 {
            let round = play.round();
            for (at, more) in [(0, &round.ends[0]), (2, &round.ends[1])] {
                state[at] = state[at].times(&round.factor);
                state[at].add(more);
            }
            state[1] = round.open;
            total = total.times(&round.factor);
            fells = round.fells.map(|(part, whole)| chance(&part, &whole));
        }
        rows.push(Round {
            number,
            state: [0, 1, 2].map(|at| chance(&state[at], &total)),
            fells: fells.clone(),
        });
    }
    let [first, second] = &play.pursuits;
    let relative_error = first.relative_error(count) + second.relative_error(count);
    Ok(Rounds {
        rows,
        relative_error,
    })
}

/// The chance of a part. Floats may round a certain event to more than the whole.
fn chance<N: Number>(part: &N, whole: &N) -> N::Ratio {
    N::ratio(if part > whole { whole } else { part }, whole)
}

pub(super) fn lengths<N: Number>(duel: &Duel<N>, mut count: u64) -> Result<Dist<Steps, N>, Error> {
    let mut play = Play::new(pursuits(duel, count)?);
    let mut ended = Vec::new();
    let start = play.total();
    let mut open = start.clone();
    for _ in 0..count {
        let round = play.round();
        let [mut ends, lost] = round.ends;
        ends.add(&lost);
        open = round.open;
        ended.push((ends, round.factor));
    }
    // Everything over the total after the last round.
    let mut total = N::unit();
    let mut pairs = vec![(Steps::MoreThan(count), open)];
    for (ends, factor) in ended.into_iter().rev() {
        count -= 1;
        pairs.push((Steps::Exactly(count + 1), ends.times(&total)));
        total = total.times(&factor);
    }
    Ok(N::law(pairs, total.times(&start))?)
}

pub(super) fn without_partdist<N: Number>(duel: &Duel<N>, count: u64) -> Result<Rounds<N>, Error> {
    let [mut first, mut second] = pursuits(duel, count)?;
    products_fit(count, first.growth() + second.growth(), duel.limit)?;
    let mut state = [N::Ratio::zero(), N::Ratio::one(), N::Ratio::zero()];
    let mut rows = vec![Round {
        number: 0,
        state: state.clone(),
        fells: [N::Ratio::zero(), N::Ratio::zero()],
    }];
    let mut totals = [first.start().clone(), second.start().clone()];
    let mut fallen = [N::nothing(), N::nothing()];
    for number in 1..=count {
        let first_healed = match number {
            1 => N::unit(),
            _ => first.heal(),
        };
        let healed = [first_healed, second.heal()];
        let turns = [first.turn(), second.turn()];
        for side in [0, 1] {
            let factor = healed[side].times(&turns[side].factor);
            totals[side] = totals[side].times(&factor);
            fallen[side] = fallen[side].times(&factor);
            fallen[side].add(&turns[side].fallen);
        }
        // To fall by turn n is the same as to have taken enough damage in n turns. The error of
        // this method is to take it for the chance to fall in turn n.
        let stands = [
            chance(&first.standing(), &totals[0]),
            chance(&second.standing(), &totals[1]),
        ];
        let fells = [0, 1].map(|side| chance(&fallen[side], &totals[side]));
        let [won, open, lost] = state;
        let attacked = open.clone() * stands[0].clone();
        state = [
            won + open * fells[0].clone(),
            attacked.clone() * stands[1].clone(),
            lost + attacked * fells[1].clone(),
        ];
        rows.push(Round {
            number,
            state: state.clone(),
            fells,
        });
    }
    // A product over all rounds.
    let each = first.relative_error(count) + second.relative_error(count);
    let relative_error = match N::EXACT {
        true => 0.0,
        false => (each + f64::EPSILON * 8.0) * (count as f64 + 1.0) * 1.01,
    };
    Ok(Rounds {
        rows,
        relative_error,
    })
}
