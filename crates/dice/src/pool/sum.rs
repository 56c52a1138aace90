//! The sum of the kept dice of a pool.

mod dropped;
mod equal;
pub(crate) mod exact;
pub(crate) mod float;
mod mixed;
mod positions;
mod replaced;
pub(crate) mod size;
mod words;

use crate::pool::{Run, Source};
use crate::power::{check_size, check_words, fair};
use crate::rounding::Roundings;
use crate::{DEFAULT_LIMIT, Dist, Error, Evaluator, Pool, Weight};
use num_bigint::BigUint;
use num_integer::Integer;
use size::{Highest, Size};

/// Dice of one distribution, with the weight of each step of the grid, the last one not zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lot<W> {
    weights: Vec<W>,
    total: W,
    count: u32,
    /// The roundings in each weight over the total.
    roundings: u64,
}

/// The origin of the faces, in steps of a grid.
#[derive(Clone, Debug)]
enum Grid<W> {
    Dice(Vec<Lot<W>>),
    Deck { cards: Vec<u64>, drawn: u32 },
}

/// Which of the sorted dice are summed.
#[derive(Clone, Debug)]
enum Kept {
    /// This many from the top; for dice only.
    Highest(u32),
    /// Each with its multiplicity, lowest first.
    Positions(Vec<i64>),
}

impl Kept {
    fn multiplicities(&self, dice: u32) -> Vec<i64> {
        match self {
            Kept::Positions(multiplicities) => multiplicities.clone(),
            Kept::Highest(k) => (0..dice).map(|die| i64::from(die >= dice - k)).collect(),
        }
    }
}

/// A request for a sum of kept dice, on a grid that fits the limit.
#[derive(Clone, Debug)]
pub struct Request<W> {
    grid: Grid<W>,
    kept: Kept,
    /// Whether float dice are fair and best counted: as integers, of which each is rounded once.
    counted: bool,
}

/// The weights of neighbouring sums, in steps.
#[derive(Clone, Debug)]
pub struct Answer<W> {
    first: i64,
    weights: Vec<W>,
    total: W,
    roundings: Roundings,
}

/// The reading of the sum of the faces of the kept dice, each as often as its position counts.
///
/// The result is an `i128`, since the sum of two dice may not fit into `i64` and a reading cannot
/// fail; [`narrow`](Dist::narrow) converts it. [`Pool::sum`] gives the same distribution in `i64`,
/// and faster. Use this reading for sums combined with other readings, or for several pools at
/// once, which are added.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Both, LargestSet, Pool, SumOfFaces};
///
/// let pool = Pool::dice(3, 6)?;
/// let law = pool.evaluate(&Both(SumOfFaces, LargestSet))?;
/// assert_eq!(law.p(&(12, 3)).to_string(), "1/216"); // 4, 4, 4
/// assert_eq!(law.p(&(12, 1)).to_string(), "1/12"); // 1 5 6, 2 4 6, 3 4 5
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SumOfFaces;

impl Evaluator<i64> for SumOfFaces {
    type State = i128;
    type Outcome = i128;

    fn start(&self) -> i128 {
        0
    }

    fn next(&self, sum: &i128, face: &i64, counts: &[i64]) -> i128 {
        counts.iter().fold(*sum, |sum, &count| {
            sum + i128::from(count) * i128::from(*face)
        })
    }

    fn finish(&self, sum: &i128) -> i128 {
        *sum
    }
}

impl<W: Weight> Pool<i64, W> {
    /// Returns the distribution of the sum of the kept dice, each as often as its position counts.
    ///
    /// # Errors
    ///
    /// [`Error::OutcomeOverflow`] if a sum does not fit into `i64`; [`Error::TooLarge`], before any
    /// work, if the result or the intermediate data would need more than [`DEFAULT_LIMIT`] words,
    /// or if more than 256 times as many words would be processed; [`Error::TooManyStates`] if
    /// faces are far apart.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Pool;
    ///
    /// let strength = Pool::dice(4, 6)?.highest(3)?.sum()?;
    /// assert_eq!(strength.mean().to_string(), "15869/1296");
    /// assert_eq!(strength.p(&18).to_string(), "7/432");
    ///
    /// let middle = Pool::dice(3, 20)?.middle(1)?.sum()?;
    /// assert_eq!(middle.at_least(&11).to_string(), "1/2");
    ///
    /// let spread = Pool::dice(2, 6)?.positions(&[-1, 1])?.sum()?; // high − low
    /// assert_eq!(spread.p(&0).to_string(), "1/6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// With n dice of s evenly spaced faces, k of them kept, and weights of w words:
    ///
    /// * all dice kept: [`repeat`](Dist::repeat) for each distribution, then
    ///   [`matfold`](Dist::matfold). Sorting does not change a sum.
    /// * the k highest or lowest of equal dice: O(s²·k²·w) additions, by Horner's rule over the
    ///   powers of the generating function above the last face kept. For fair dice a product is a
    ///   sliding window; others take O(s) times as much, as do all in floats. There, fair dice are
    ///   counted in integers and each weight is rounded once, unless that takes longer.
    /// * all but d lowest or highest of equal dice, where k ≥ 64·d: a recurrence for the k-th power
    ///   above each face, and a product with a polynomial of d·s terms.
    /// * the k highest or lowest of unequal dice: O(s²·n·k²·w), by a polynomial for each number of
    ///   dice above the last face kept.
    /// * other positions, and decks: O(s²·n³·w) products for equal dice, by a polynomial for each
    ///   number of dice placed; for unequal ones the numbers of dice of each distribution multiply.
    /// * faces far apart: the engine of [`evaluate`](Pool::evaluate), with the sum as the state.
    ///
    /// The first kernel that applies is used. All are tested against the engine, which takes eight
    /// times as long for 20d10 keep highest 7.
    pub fn sum(&self) -> Result<Dist<i64, W>, Error> {
        self.sum_within(DEFAULT_LIMIT)
    }

    /// Like [`sum`](Self::sum), within `limit` 64-bit words.
    ///
    /// # Errors
    ///
    /// The same as for [`sum`](Self::sum).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Error, Pool};
    ///
    /// let pool = Pool::dice(20, 10)?.highest(7)?;
    /// assert!(matches!(pool.sum_within(100), Err(Error::TooLarge { .. })));
    /// assert_eq!(pool.sum_within(10_000)?.len(), 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum_within(&self, limit: u64) -> Result<Dist<i64, W>, Error> {
        let runs = self.runs();
        let kept: Vec<&Run> = runs.iter().filter(|run| run.dice > 0).collect();
        if kept.iter().all(|run| run.multiplicity == 0) {
            return Ok(Dist::point(0));
        }
        if let ([run], Source::Dice(groups)) = (kept.as_slice(), &self.source) {
            let mut sum = Dist::point(0);
            for group in groups {
                let count = small(group.count, limit)?;
                let dice = group.die.repeat_within(count, limit)?;
                sum = sum.matfold_within(&dice, limit)?;
            }
            return match run.multiplicity {
                1 => Ok(sum),
                multiplicity => sum.scale(multiplicity),
            };
        }
        let Some(grid) = Spacing::of(&self.source) else {
            return self.sum_by_states(limit);
        };
        if grid.top == 0 {
            // Dice with one face between them are a constant, however many there are.
            let counts = kept
                .iter()
                .map(|run| i128::from(run.dice) * i128::from(run.multiplicity));
            let sum = i128::from(grid.min).saturating_mul(counts.sum());
            return narrowed(Dist::point(sum), || self.overflow());
        }
        let (low, high) = (kept[0], kept[kept.len() - 1]);
        let is_dice = matches!(self.source, Source::Dice(_));
        let (mirrored, part) = match (kept.len(), low.multiplicity, high.multiplicity) {
            (2, 0, _) if is_dice => (false, high),
            // The lowest dice are the highest after all faces are mirrored.
            (2, _, 0) if is_dice => (true, low),
            _ => {
                // The list has one number per die, so its size is checked before it is built.
                check_size(|| self.operation(), self.size().into(), 0, limit)?;
                let each = |run: &Run| std::iter::repeat_n(run.multiplicity, run.dice as usize);
                let multiplicities = runs.iter().flat_map(each).collect();
                return grid.sum(self, false, Kept::Positions(multiplicities), limit);
            }
        };
        let k = Kept::Highest(small(part.dice, limit)?);
        let sum = grid.sum(self, mirrored, k, limit)?;
        match part.multiplicity {
            1 => Ok(sum),
            multiplicity => sum.scale(multiplicity),
        }
    }

    /// Computes the sum by the engine, with the sum as the state. Time and memory depend on the
    /// number of sums, not on their distance.
    fn sum_by_states(&self, limit: u64) -> Result<Dist<i64, W>, Error> {
        let law = self.evaluate_within(&SumOfFaces, limit)?;
        narrowed(law, || self.overflow())
    }

    fn operation(&self) -> String {
        format!("the sum of dice kept from {}", self.size())
    }

    fn overflow(&self) -> Error {
        let (min, max) = extremes(&self.source);
        Error::OutcomeOverflow {
            operation: "×",
            left: if min.unsigned_abs() > max.unsigned_abs() {
                min
            } else {
                max
            },
            right: self.multiplicity(),
        }
    }
}

/// Converts sums to `i64`, if all fit.
pub(crate) fn narrowed<W: Weight>(
    law: Dist<i128, W>,
    overflow: impl FnOnce() -> Error,
) -> Result<Dist<i64, W>, Error> {
    law.narrow().map_err(|_| overflow())
}

fn small(dice: u64, limit: u64) -> Result<u32, Error> {
    u32::try_from(dice).map_err(|_| Error::TooLarge {
        operation: format!("a sum of {dice} dice"),
        words: dice.into(),
        limit,
    })
}

/// The lowest and the highest of all faces; 0 and 0 without faces.
fn extremes<W: Weight>(source: &Source<i64, W>) -> (i64, i64) {
    let (lows, highs): (Vec<i64>, Vec<i64>) = match source {
        Source::Dice(groups) => {
            let rolled = groups.iter().filter(|group| group.count > 0);
            rolled
                .map(|group| (*group.die.min(), *group.die.max()))
                .unzip()
        }
        Source::Deck(deck) => deck.cards.iter().map(|&(face, _)| (face, face)).unzip(),
    };
    let low = lows.into_iter().min().unwrap_or(0);
    (low, highs.into_iter().max().unwrap_or(0))
}

/// Faces as multiples of a step.
struct Spacing {
    min: i64,
    max: i64,
    step: u64,
    /// The number of steps from the lowest to the highest face.
    top: u64,
    /// An upper bound on the number of different faces.
    faces: u64,
}

impl Spacing {
    /// The grid of the faces, or `None` if most of it is empty.
    fn of<W: Weight>(source: &Source<i64, W>) -> Option<Self> {
        let (min, max) = extremes(source);
        let (mut step, mut faces) = (0_u64, 0_u64);
        let mut see = |face: i64| {
            step = step.gcd(&face.abs_diff(min));
            faces += 1;
        };
        match source {
            Source::Dice(groups) => groups
                .iter()
                .filter(|group| group.count > 0)
                .flat_map(|group| group.die.outcomes())
                .for_each(|&face| see(face)),
            Source::Deck(deck) => deck.cards.iter().for_each(|&(face, _)| see(face)),
        }
        let step = step.max(1);
        let top = max.abs_diff(min) / step;
        (top / 16 <= faces).then_some(Spacing {
            min,
            max,
            step,
            top,
            faces,
        })
    }

    fn sum<W: Weight>(
        &self,
        pool: &Pool<i64, W>,
        mirrored: bool,
        kept: Kept,
        limit: u64,
    ) -> Result<Dist<i64, W>, Error> {
        let count = match &kept {
            &Kept::Highest(k) => i128::from(k),
            Kept::Positions(multiplicities) => multiplicities.iter().map(|&m| i128::from(m)).sum(),
        };
        let (origin, step) = if mirrored {
            (self.max, -i128::from(self.step))
        } else {
            (self.min, i128::from(self.step))
        };
        let start = i128::from(origin) * count;
        let overflow = || pool.overflow();
        let counted = self.check(&pool.source, &kept, &pool.operation(), limit)?;
        let request = Request {
            grid: self.grid(&pool.source, mirrored, limit)?,
            kept,
            counted,
        };
        let answer = W::kept_sum(&request);
        let mut law = Dist {
            outcomes: Vec::with_capacity(answer.weights.len()),
            weights: Vec::with_capacity(answer.weights.len()),
            total: answer.total,
            roundings: answer.roundings,
        };
        for (place, weight) in (i128::from(answer.first)..).zip(answer.weights) {
            if !weight.vanishes() {
                law.outcomes.push(start + step * place);
                law.weights.push(weight);
            }
        }
        if mirrored {
            law.outcomes.reverse();
            law.weights.reverse();
        }
        narrowed(law, overflow)
    }

    fn grid<W: Weight>(
        &self,
        source: &Source<i64, W>,
        mirrored: bool,
        limit: u64,
    ) -> Result<Grid<W>, Error> {
        let place = |face: i64| {
            let end = if mirrored { self.max } else { self.min };
            (face.abs_diff(end) / self.step) as usize
        };
        let groups = match source {
            Source::Deck(deck) => {
                let mut cards = vec![0; self.top as usize + 1];
                deck.cards
                    .iter()
                    .for_each(|&(face, count)| cards[place(face)] = count);
                let drawn = small(deck.drawn, limit)?;
                return Ok(Grid::Deck { cards, drawn });
            }
            Source::Dice(groups) => groups,
        };
        let lots = groups.iter().filter(|group| group.count > 0).map(|group| {
            let die = &group.die;
            let last = place(*die.min()).max(place(*die.max()));
            let mut weights = vec![W::nothing(); last + 1];
            die.iter()
                .for_each(|(&face, weight)| weights[place(face)] = weight.clone());
            let roundings = die.roundings.weights.saturating_add(die.roundings.total);
            Ok(Lot {
                weights,
                total: die.total.clone(),
                count: small(group.count, limit)?,
                roundings: roundings.saturating_add(1),
            })
        });
        Ok(Grid::Dice(lots.collect::<Result<_, Error>>()?))
    }

    /// Refuses a request that takes too much memory or too much time, and returns whether float dice
    /// are best counted.
    fn check<W: Weight>(
        &self,
        source: &Source<i64, W>,
        kept: &Kept,
        operation: &str,
        limit: u64,
    ) -> Result<bool, Error> {
        let operation = || operation.to_owned();
        let (top, faces) = (u128::from(self.top), u128::from(self.faces));
        let groups = match source {
            Source::Dice(groups) => groups.as_slice(),
            Source::Deck(_) => &[],
        };
        let groups: Vec<_> = groups.iter().filter(|group| group.count > 0).collect();
        // The grid itself, with a list of weights for each distribution.
        check_size(
            operation,
            top.saturating_mul(groups.len() as u128),
            0,
            limit,
        )?;
        let (counts, words) = match source {
            Source::Dice(_) => (
                groups
                    .iter()
                    .map(|group| small(group.count, limit))
                    .collect::<Result<Vec<_>, Error>>()?,
                groups
                    .iter()
                    .map(|group| group.die.total.words(group.count))
                    .sum::<u128>(),
            ),
            Source::Deck(deck) => (vec![small(deck.drawn, limit)?], u128::from(deck.drawn) + 1),
        };
        let mut counted = false;
        let size = match kept {
            &Kept::Highest(k) => {
                let highest = Highest {
                    counts: &counts,
                    k: k.into(),
                    top,
                    faces,
                };
                let fair = groups.iter().all(|group| self.is_fair(&group.die));
                if W::EXACT {
                    highest.in_integers(fair, words)
                } else {
                    let floats = highest.in_floats();
                    let words = groups
                        .iter()
                        .map(|group| BigUint::from(group.die.len()).words(group.count))
                        .sum();
                    let integers = highest.in_integers(true, words);
                    counted = fair && integers.processed < floats.processed;
                    if counted { integers } else { floats }
                }
            }
            Kept::Positions(multiplicities) => {
                let dice: u128 = counts.iter().map(|&count| u128::from(count)).sum();
                check_size(operation, dice.saturating_mul(dice), 0, limit)?;
                let held = positions::size(&counts, multiplicities, self.top);
                let most = counts.iter().max().map_or(0, |&count| u128::from(count));
                let rounds = faces
                    .saturating_mul(most)
                    .saturating_mul(counts.len() as u128);
                // Factors grow with the number of dice as well.
                let processed = held.saturating_mul(rounds);
                Size::of(held, processed.saturating_mul(words.div_ceil(2)), words)
            }
        };
        check_words(operation, size.needed(), limit)?;
        Ok(counted)
    }

    /// Whether a die shows all steps from its lowest to its highest face, with equal weights.
    fn is_fair<W: Weight>(&self, die: &Dist<i64, W>) -> bool {
        let steps = die.max().abs_diff(*die.min()) / self.step;
        die.len() as u64 == steps.saturating_add(1) && fair(&die.weights).is_some()
    }
}
