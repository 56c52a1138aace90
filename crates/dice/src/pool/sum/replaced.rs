//! The sum of kept dice, each replaced by a draw from the distribution of its face.

use crate::pool::Source;
use crate::power::{OVERHEAD, check_size, check_words};
use crate::rounding::Roundings;
use crate::shape::nth_power;
use crate::{DEFAULT_LIMIT, Dist, Error, Pool, Weight};

impl<T: Ord + Clone, W: Weight> Pool<T, W> {
    /// Returns the distribution of the sum of the kept dice where each is replaced by an
    /// independent draw from the distribution of its face: keep, then explode (or reroll, or look
    /// up in a table). A die that counts twice is drawn once and counted twice.
    ///
    /// "Explode, then keep" is different, and is a pool of exploding dice. The three highest of
    /// four dice:
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Pool};
    ///
    /// let die = Dist::die(6)?;
    /// let exploding = die.explode(1, |&face| face == 6)?; // a 6 is rolled on, once
    ///
    /// // Keep three, then roll on with the sixes among them.
    /// let sum = Pool::dice(4, 6)?.highest(3)?.sum_with(|&face| match face {
    ///     6 => die.shift(6),
    ///     _ => Ok(Dist::certain(face)),
    /// })?;
    /// assert_eq!(sum.mean().to_string(), "12593/864"); // 14.5752
    ///
    /// // Roll on with every six, then keep the three highest dice.
    /// let other = Pool::of(4, &exploding).highest(3)?.sum()?;
    /// assert_eq!(other.mean().to_string(), "24483053/1679616"); // 14.5766
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first error of `law`; [`Error::OutcomeOverflow`]; [`Error::TooLarge`] beyond
    /// [`DEFAULT_LIMIT`] words.
    ///
    /// # Complexity
    ///
    /// With n dice, O(f·n²) products of distributions as large as the result, where f is the number
    /// of faces. With several distributions of dice, the n of each multiply. n distributions are
    /// held at a time and, if the kept dice count differently often, n² for the draws of one face.
    pub fn sum_with(
        &self,
        law: impl FnMut(&T) -> Result<Dist<i64, W>, Error>,
    ) -> Result<Dist<i64, W>, Error> {
        self.sum_with_within(law, DEFAULT_LIMIT)
    }

    /// Like [`sum_with`](Self::sum_with), within `limit` 64-bit words.
    ///
    /// # Errors
    ///
    /// The same as for [`sum_with`](Self::sum_with).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Pool};
    ///
    /// let pool = Pool::dice(3, 6)?.highest(2)?;
    /// let dice = |&face: &i64| Dist::die(face as u32);
    /// assert!(pool.sum_with_within(dice, 10).is_err());
    /// assert_eq!(pool.sum_with_within(dice, 10_000)?.max(), &12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum_with_within(
        &self,
        mut law: impl FnMut(&T) -> Result<Dist<i64, W>, Error>,
        limit: u64,
    ) -> Result<Dist<i64, W>, Error> {
        let operation = || format!("the sum of draws for {} dice", self.size());
        let size = self.size();
        check_size(
            operation,
            u128::from(size).saturating_mul(size.into()),
            0,
            limit,
        )?;
        let each = |run: crate::pool::Run| std::iter::repeat_n(run.multiplicity, run.dice as usize);
        let multiplicities: Vec<i64> = self.runs().into_iter().flat_map(each).collect();

        // States are the numbers of dice of each law that show at most the face, as in
        // `positions.rs`. Each holds the law of their sum. In floats, this is the conditional law
        // given that number, so the step to the next face is a mixture of laws over how many dice
        // show it. In integers, it is the number of ways of each sum, over the total of all dice
        // from the start: conditional probabilities would have a different total for every face,
        // and their product would grow as the factorial of the number of sides.
        let shares = shares(&self.source);
        let product = shares.iter().map(|share| share.count as u128 + 1);
        let states = product.fold(1, u128::saturating_mul);
        check_size(operation, states, 0, limit)?;
        let mut table: Vec<Option<Dist<i64, W>>> = vec![None; states as usize];
        let mut start = Dist::<i64, W>::point(0);
        if W::EXACT {
            for share in &shares {
                start.total = start.total.times(&share.most_ways(limit)?);
            }
        }
        table[0] = Some(start);
        let mut held = 0;
        for face in self.faces() {
            let mut draws = Draws::new(law(face)?, &multiplicities, limit);
            let mut stride = 1;
            for share in &shares {
                let laws = share.split(face, limit)?;
                for state in (0..table.len()).rev() {
                    let dice = state / stride % (share.count + 1);
                    // There is no law, since the face is on none of these dice.
                    let Some(split) = laws.get(dice) else {
                        continue;
                    };
                    let before = |&here: &i64| table[state - here as usize * stride].as_ref();
                    // There are too few faces up to here for the dice of other laws. Such a state
                    // has no ways, and gets no probability.
                    let lacking = split.outcomes().filter(|here| before(here).is_none());
                    let lacking = lacking.count();
                    let tolerated = if W::EXACT { split.len() - 1 } else { 0 };
                    if dice == 0 || lacking > tolerated {
                        continue;
                    }
                    let split = match lacking {
                        0 => split,
                        _ => &only(split, |here| before(here).is_some())?,
                    };
                    let placed = placed(&shares, state);
                    let next = |here: &i64| {
                        let draws = draws.sum(placed - *here as usize, placed)?;
                        match before(here) {
                            Some(rest) => rest.matfold_within(draws, limit),
                            None => Err(Error::EmptySupport),
                        }
                    };
                    let next = split.and_then_within(next, limit.max(DEFAULT_LIMIT))?;
                    held += size_of_law(&next);
                    let before = table[state].replace(next);
                    held -= before.as_ref().map_or(0, size_of_law);
                    check_words(operation, held + draws.held, limit)?;
                }
                stride *= share.count + 1;
            }
        }
        let mut law = table.pop().flatten().ok_or(Error::EmptySupport)?;
        if W::EXACT {
            law.total = W::nothing();
            law.weights.iter().for_each(|ways| law.total.add(ways));
        }
        Ok(law)
    }
}

/// The words of a distribution, counted as for [`DEFAULT_LIMIT`].
fn size_of_law<W: Weight>(law: &Dist<i64, W>) -> u128 {
    law.len() as u128 * (law.total.words(1) + OVERHEAD)
}

/// A distribution of the possible outcomes, with their weights and the total unchanged.
fn only<W: Weight>(
    law: &Dist<i64, W>,
    holds: impl Fn(&i64) -> bool,
) -> Result<Dist<i64, W>, Error> {
    let pairs = law.iter().filter(|(outcome, _)| holds(outcome));
    let pairs = pairs.map(|(&outcome, weight)| (outcome, weight.clone()));
    Dist::gather(pairs.collect(), law.total.clone(), law.roundings)
}

/// The number of dice placed in a state in mixed radix.
fn placed<T, W>(shares: &[Share<'_, T, W>], mut state: usize) -> usize {
    let digits = shares.iter().map(|share| {
        let digit = state % (share.count + 1);
        state /= share.count + 1;
        digit
    });
    digits.sum()
}

/// The dice of one distribution, or all cards that are drawn.
struct Share<'a, T, W> {
    count: usize,
    faces: Faces<'a, T, W>,
}

enum Faces<'a, T, W> {
    Die(&'a Dist<T, W>),
    Cards(&'a [(T, u64)]),
}

fn shares<T, W>(source: &Source<T, W>) -> Vec<Share<'_, T, W>> {
    match source {
        Source::Dice(groups) => {
            let rolled = groups.iter().filter(|group| group.count > 0);
            let shares = rolled.map(|group| Share {
                count: group.count as usize,
                faces: Faces::Die(&group.die),
            });
            shares.collect()
        }
        Source::Deck(deck) => vec![Share {
            count: deck.drawn as usize,
            faces: Faces::Cards(&deck.cards),
        }],
    }
}

impl<T: Ord + Clone, W: Weight> Share<'_, T, W> {
    /// For each number of dice that show at most the face, the distribution of how many of them
    /// show exactly it: as probabilities or, in integers, as ways over a total of one. Empty for a
    /// number that is impossible, or if no die has the face.
    fn split(&self, face: &T, limit: u64) -> Result<Vec<Dist<i64, W>>, Error> {
        if W::EXACT {
            return self.ways(face, limit);
        }
        let most = self.count as u32;
        match &self.faces {
            Faces::Die(die) if die.outcomes.binary_search(face).is_ok() => {
                let shows = die.given(|other| other <= face)?;
                let shows = shows.map(|other| i64::from(other == face));
                let laws = (0..=most).map(|dice| shows.repeat_within(dice, limit));
                laws.collect()
            }
            Faces::Die(_) => Ok(Vec::new()),
            Faces::Cards(cards) => {
                let to = cards.partition_point(|(other, _)| other <= face);
                let Some(((_, here), below)) = cards[..to].split_last() else {
                    return Ok(Vec::new());
                };
                let below: u64 = below.iter().map(|(_, count)| count).sum();
                hypergeometric(*here, below, most, limit)
            }
        }
    }

    /// C(c, i) · ways(face)ⁱ for i of c dice; for cards C(cards of the face, i), where the factor
    /// of the others is already included.
    fn ways(&self, face: &T, limit: u64) -> Result<Vec<Dist<i64, W>>, Error> {
        let most = self.count as u32;
        let law = |ways: Vec<W>| {
            let pairs = (0..).zip(ways).collect();
            Dist::gather(pairs, W::unit(), Roundings::default())
        };
        match &self.faces {
            Faces::Die(die) => {
                let Ok(place) = die.outcomes.binary_search(face) else {
                    return Ok(Vec::new());
                };
                let one = &die.weights[place];
                let mut powers = vec![W::unit()];
                for dice in 0..self.count {
                    powers.push(powers[dice].times(one));
                }
                let mut choices = vec![W::unit()];
                let mut laws = Vec::with_capacity(self.count + 1);
                for _ in 0..=most {
                    let ways = choices.iter().zip(&powers);
                    laws.push(law(ways.map(|(ways, power)| ways.times(power)).collect())?);
                    one_more(&mut choices, most);
                }
                Ok(laws)
            }
            Faces::Cards(cards) => {
                let Ok(place) = cards.binary_search_by(|(other, _)| other.cmp(face)) else {
                    return Ok(Vec::new());
                };
                let ways = chosen(cards[place].1, most, limit)?;
                (0..=self.count)
                    .map(|drawn| law(ways.iter().take(drawn + 1).cloned().collect()))
                    .collect()
            }
        }
    }

    /// All ways of all dice, or the largest number of ways for any number of cards up to those
    /// drawn.
    fn most_ways(&self, limit: u64) -> Result<W, Error> {
        match &self.faces {
            Faces::Die(die) => Ok(nth_power(&die.total, self.count as u64)),
            Faces::Cards(cards) => {
                let all = cards
                    .iter()
                    .fold(0, |sum: u64, card| sum.saturating_add(card.1));
                let ways = chosen(all, self.count as u32, limit)?;
                let middle = (all / 2).min(self.count as u64) as usize;
                Ok(ways.get(middle).cloned().unwrap_or_else(W::unit))
            }
        }
    }
}

/// Like [`choose`], for numbers of cards that may be too large.
fn chosen<W: Weight>(cards: u64, most: u32, limit: u64) -> Result<Vec<W>, Error> {
    let work = u128::from(cards).saturating_mul(most.into());
    check_size(|| format!("draws from {cards} cards"), work, 0, limit)?;
    Ok(choose(cards, most))
}

/// The distribution of the number of `here` cards among the cards drawn, for each number up to
/// `most` that can be drawn.
fn hypergeometric<W: Weight>(
    here: u64,
    below: u64,
    most: u32,
    limit: u64,
) -> Result<Vec<Dist<i64, W>>, Error> {
    let cards = here.saturating_add(below);
    let work = u128::from(cards).saturating_mul(most.into());
    check_size(|| format!("draws from {cards} cards"), work, 0, limit)?;
    let (here, below, all) = (choose(here, most), choose(below, most), choose(cards, most));
    let laws = all.into_iter().enumerate().map(|(drawn, total)| {
        let kinds = here.iter().enumerate().take(drawn + 1);
        let ways = |(shown, ways): (usize, &W)| {
            let others = below.get(drawn - shown)?;
            Some((shown as i64, ways.times(others)))
        };
        let pairs = kinds.filter_map(ways).collect();
        let roundings = Roundings {
            weights: cards.saturating_mul(2).saturating_add(1),
            total: cards,
        };
        Dist::gather(pairs, total, roundings)
    });
    laws.collect()
}

/// C(n, i) for i up to `most` and n, by additions: in floats with at most one rounding per card.
fn choose<W: Weight>(n: u64, most: u32) -> Vec<W> {
    let mut row = vec![W::unit()];
    for _ in 0..n {
        one_more(&mut row, most);
    }
    row
}

/// The next row of Pascal's triangle, up to `most`.
fn one_more<W: Weight>(row: &mut Vec<W>, most: u32) {
    if row.len() <= most as usize {
        row.push(W::nothing());
    }
    for i in (1..row.len()).rev() {
        let (left, right) = row.split_at_mut(i);
        right[0].add(&left[i - 1]);
    }
}

/// The sums of draws from one distribution for neighbouring positions.
struct Draws<W> {
    law: Dist<i64, W>,
    /// The multiplicities that are not 0, lowest position first, and the number of them before each
    /// position.
    counting: Vec<i64>,
    before: Vec<usize>,
    /// Whether they are all the same. The sums then depend on their number only.
    uniform: bool,
    /// For each first of them, the sums of 0, 1, 2, … draws from there on.
    sums: Vec<Vec<Dist<i64, W>>>,
    /// The words of these sums.
    held: u128,
    limit: u64,
}

impl<W: Weight> Draws<W> {
    fn new(law: Dist<i64, W>, multiplicities: &[i64], limit: u64) -> Self {
        let mut before = vec![0];
        let mut counting = Vec::new();
        for &multiplicity in multiplicities {
            if multiplicity != 0 {
                counting.push(multiplicity);
            }
            before.push(counting.len());
        }
        Draws {
            law,
            uniform: counting.windows(2).all(|pair| pair[0] == pair[1]),
            sums: vec![vec![Dist::point(0)]; counting.len() + 1],
            counting,
            before,
            held: 0,
            limit,
        }
    }

    fn sum(&mut self, from: usize, to: usize) -> Result<&Dist<i64, W>, Error> {
        let (first, last) = (self.before[from], self.before[to]);
        let draws = last - first;
        let first = if self.uniform { 0 } else { first };
        while self.sums[first].len() <= draws {
            let sums = &mut self.sums[first];
            let last = &sums[sums.len() - 1];
            let next = match self.counting[first + sums.len() - 1] {
                1 => last.matfold_within(&self.law, self.limit)?,
                multiplicity => last.matfold_within(&self.law.scale(multiplicity)?, self.limit)?,
            };
            self.held += size_of_law(&next);
            sums.push(next);
        }
        Ok(&self.sums[first][draws])
    }
}
