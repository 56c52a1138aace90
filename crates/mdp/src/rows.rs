//! Rows stored in memory, one after another.

use crate::limits::UNSEEN;
use crate::model::{Row, Span};
use crate::odds::{Amount, Odds, OddsIndex, OddsPool};
use crate::page::{Full, Page};
use crate::{Error, Game, Node, Player, Score};

/// The rows of many states in a few long lists.
///
/// A pass over all of them reads memory in order, and there is no allocation per state: eight bytes
/// per state, eight per choice, four per outcome. Weights are shared by all choices with the same
/// weights, and scores by ends that are found one after the other.
#[derive(Debug, Default)]
pub struct Rows {
    places: Vec<Place>,
    /// The choices. An additional one at the end tells where the outcomes end.
    spans: Vec<Span>,
    targets: Vec<u32>,
    odds: OddsPool,
    scores: Vec<Score>,
    /// Whether a choice that leads somewhere pays.
    pays: bool,
}

/// Where the row of a state is stored. A final state has no choice; `first` is then the index of
/// its score.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: u32,
    choices: u16,
    player: Player,
}

/// Rows, and what is needed only while they are written.
#[derive(Debug, Default)]
pub(crate) struct RowsWriter {
    rows: Rows,
    index: OddsIndex,
    /// The number of outcomes at the last check of memory.
    looked: usize,
}

impl RowsWriter {
    /// Returns the rows in no more memory than needed.
    pub(crate) fn finish(self) -> Rows {
        self.rows
    }

    /// Returns an error if the rows of this many states take more than the limit. It is called for
    /// every state and checks now and then.
    #[inline]
    pub(crate) fn check_room(&mut self, states: usize, max_bytes: u128) -> Result<(), Error> {
        let outcomes = self.rows.targets.len();
        if !states.is_multiple_of(4096) && outcomes - self.looked < UNSEEN {
            return Ok(());
        }
        self.looked = outcomes;
        self.check_all(states, max_bytes)
    }

    /// The same for all states, once they are written.
    pub(crate) fn check_all(&self, states: usize, max_bytes: u128) -> Result<(), Error> {
        let needed = self.rows.bytes();
        if needed > max_bytes {
            return Err(Error::TooMuchMemory {
                what: "their outcomes",
                states,
                needed,
                limit: max_bytes,
            });
        }
        Ok(())
    }

    /// Returns the number of outcomes stored.
    #[inline]
    pub(crate) fn outcomes(&self) -> usize {
        self.rows.targets.len()
    }

    /// Returns the rows written so far.
    #[inline]
    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Reserves an entry for one more state, whose row follows later.
    #[inline]
    pub(crate) fn reserve(&mut self) {
        self.rows.places.push(Place {
            first: 0,
            choices: 0,
            player: Player::Max,
        });
    }

    /// Writes the row of a final state.
    pub(crate) fn put_score(&mut self, number: usize, score: &Score) -> Result<(), Full> {
        let rows = &mut self.rows;
        // Most games have few scores and repeat them.
        let known = rows.scores.iter().rev().take(8).position(|s| s == score);
        let place = match known {
            Some(back) => rows.scores.len() - 1 - back,
            None => {
                rows.scores.push(score.clone());
                rows.scores.len() - 1
            }
        };
        rows.places[number].first = u32::try_from(place).map_err(|_| Full)?;
        Ok(())
    }

    /// Writes the row of a state that is not final.
    #[inline]
    pub(crate) fn put(&mut self, number: usize, row: &Row<'_>) -> Result<(), Full> {
        let rows = &mut self.rows;
        // The end of the last row is the beginning of this one.
        rows.spans.pop();
        let first = u32::try_from(rows.spans.len()).map_err(|_| Full)?;
        for choice in 0..row.len() {
            let start = u32::try_from(rows.targets.len()).map_err(|_| Full)?;
            let odds = match row.choice(choice) {
                // Nobody gains by it, but a policy may take it, and then it pays each time. There are
                // no weights to share, so any key will do.
                None => match row.reward(choice) {
                    None => 0,
                    Some(reward) => self.index.paid(&mut rows.odds, 0, reward).ok_or(Full)?,
                },
                Some((targets, odds)) => {
                    rows.targets.extend_from_slice(targets);
                    let key = match odds {
                        Odds::Narrow { .. } => match row.words(choice, targets.len()) {
                            Some(words) => self.index.narrow(&mut rows.odds, words),
                            None => None,
                        },
                        Odds::Wide(wide) => self.index.wide(&mut rows.odds, wide),
                    };
                    let key = key.ok_or(Full)?;
                    match row.reward(choice) {
                        None => key,
                        Some(reward) => {
                            rows.pays = true;
                            let paid = self.index.paid(&mut rows.odds, key, reward);
                            paid.ok_or(Full)?
                        }
                    }
                }
            };
            rows.spans.push(Span { start, odds });
        }
        let start = u32::try_from(rows.targets.len()).map_err(|_| Full)?;
        rows.spans.push(Span { start, odds: 0 });
        rows.places[number] = Place {
            first,
            choices: row.len() as u16,
            player: row.player,
        };
        Ok(())
    }

    /// Writes the row of the page, or its score.
    #[inline]
    pub(crate) fn put_page(
        &mut self,
        number: usize,
        page: &Page,
        score: Option<&Score>,
    ) -> Result<(), Full> {
        match score {
            Some(score) => self.put_score(number, score),
            None => self.put(number, &page.row(None)),
        }
    }
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns whether a value may be below zero, since a choice that leads somewhere pays or a score
    /// is negative.
    pub(crate) fn may_be_negative(&self) -> bool {
        let below = |score: &Score| score.sign() == std::cmp::Ordering::Less;
        self.pays || self.scores.iter().any(below)
    }

    /// Returns the approximate size in bytes.
    fn bytes(&self) -> u128 {
        let lists = size_of::<Place>() * self.places.len()
            + size_of::<Span>() * self.spans.len()
            + size_of::<u32>() * self.targets.len()
            + size_of::<Score>() * self.scores.len();
        lists as u128 + self.odds.bytes()
    }

    /// Returns the row of a state.
    #[inline]
    pub(crate) fn row(&self, number: usize) -> Row<'_> {
        let place = self.places[number];
        let first = place.first as usize;
        if place.choices == 0 {
            return Row::ended(&self.scores[first], &self.odds);
        }
        let spans = &self.spans[first..first + usize::from(place.choices) + 1];
        Row::going_on(place.player, spans, &self.targets, &self.odds)
    }

    /// Iterates over the states that any choice of a state can lead to.
    #[inline]
    pub(crate) fn successors(&self, number: usize) -> &[u32] {
        let place = self.places[number];
        if place.choices == 0 {
            return &[];
        }
        let first = place.first as usize;
        let last = first + usize::from(place.choices);
        &self.targets[self.spans[first].start as usize..self.spans[last].start as usize]
    }

    /// Returns the numbers of choices and of outcomes of all states together.
    pub(crate) fn totals(&self) -> (usize, usize) {
        (self.spans.len().saturating_sub(1), self.targets.len())
    }
}

/// Writes a row of a table on a page, as `expand` would.
pub(crate) fn write_node<G: Game<State = usize, Action = usize> + ?Sized>(
    row: &Row<'_>,
    own: usize,
    node: &mut Node<G>,
) {
    if let Some(score) = row.score {
        return node.end(score.clone());
    }
    node.set_player(row.player);
    for number in 0..row.len() {
        let mut written = node.choice(number);
        if let Some(reward) = row.reward(number) {
            written.reward(reward.score.clone());
        }
        let Some((targets, odds)) = row.choice(number) else {
            written.to(own, 1);
            continue;
        };
        let mut to = |target: usize, weight: Amount<'_>| {
            match weight {
                Amount::Small(weight) => written.to(target, weight),
                Amount::Big(weight) => written.to_wide(target, weight.clone()),
            };
        };
        for (outcome, &target) in targets.iter().enumerate() {
            to(target as usize, odds.weight(outcome));
        }
        to(own, odds.staying());
    }
}
