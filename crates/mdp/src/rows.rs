//! Rows kept in memory, one behind the other.

use crate::limits::UNSEEN;
use crate::model::{Row, Span};
use crate::odds::{Amount, Odds, OddsIndex, OddsPool};
use crate::page::{Full, Page};
use crate::{Error, Game, Node, Player, Score};

/// The rows of many states in a few long lists, so that a pass over all of them
/// reads memory in order and nothing is allocated a state: eight bytes a state,
/// eight a choice, four an outcome. Weights are shared by all choices alike.
#[derive(Debug, Default)]
pub struct Rows {
    places: Vec<Place>,
    /// One after the last says where the outcomes end.
    spans: Vec<Span>,
    targets: Vec<u32>,
    odds: OddsPool,
    scores: Vec<Score>,
}

/// Where a state's row lies. An ended state has no choice; `first` is then the
/// place of its score.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: u32,
    choices: u16,
    player: Player,
}

/// Rows and what is needed while they are written only.
#[derive(Debug, Default)]
pub(crate) struct RowsWriter {
    rows: Rows,
    index: OddsIndex,
    /// How many outcomes there were when memory was looked at.
    looked: usize,
}

impl RowsWriter {
    /// What was written, in no more memory than needed.
    pub(crate) fn finish(self) -> Rows {
        self.rows
    }

    /// Refuses to go on where the rows of so many states take more than this; asked
    /// of every state, looks now and then.
    #[inline]
    pub(crate) fn check_room(&mut self, states: usize, max_bytes: u128) -> Result<(), Error> {
        let outcomes = self.rows.targets.len();
        if !states.is_multiple_of(4096) && outcomes - self.looked < UNSEEN {
            return Ok(());
        }
        self.looked = outcomes;
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

    /// How many outcomes are kept.
    #[inline]
    pub(crate) fn outcomes(&self) -> usize {
        self.rows.targets.len()
    }

    /// What was written so far.
    #[inline]
    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Makes room for one more state, whose row follows later.
    #[inline]
    pub(crate) fn reserve(&mut self) {
        self.rows.places.push(Place {
            first: 0,
            choices: 0,
            player: Player::Max,
        });
    }

    /// The row of a state in which the game ends.
    pub(crate) fn put_score(&mut self, number: usize, score: &Score) -> Result<(), Full> {
        let rows = &mut self.rows;
        // A game has few scores, mostly, and repeats them.
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

    /// The row of a state that goes on.
    #[inline]
    pub(crate) fn put(&mut self, number: usize, row: &Row<'_>) -> Result<(), Full> {
        let rows = &mut self.rows;
        // What ended the last row begins this one.
        rows.spans.pop();
        let first = u32::try_from(rows.spans.len()).map_err(|_| Full)?;
        for choice in 0..row.len() {
            let start = u32::try_from(rows.targets.len()).map_err(|_| Full)?;
            let odds = match row.choice(choice) {
                None => 0,
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

    /// The page's row, or its score.
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

    /// Whether some value may be below zero: some choice pays, or some score is.
    pub(crate) fn may_be_negative(&self) -> bool {
        let below = |score: &Score| score.sign() == std::cmp::Ordering::Less;
        self.odds.pays() || self.scores.iter().any(below)
    }

    /// What they take, about.
    fn bytes(&self) -> u128 {
        let lists = size_of::<Place>() * self.places.len()
            + size_of::<Span>() * self.spans.len()
            + size_of::<u32>() * self.targets.len();
        lists as u128 + self.odds.bytes()
    }

    /// The row of a state.
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

    /// The states that any choice of a state can lead to, one after the other.
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

    /// (choices, outcomes) of all states together.
    pub(crate) fn totals(&self) -> (usize, usize) {
        (self.spans.len().saturating_sub(1), self.targets.len())
    }
}

/// Writes a row of a table on a page as `expand` would.
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
        let Some((targets, odds)) = row.choice(number) else {
            written.to(own, 1);
            continue;
        };
        if let Some(reward) = row.reward(number) {
            written.reward(reward.score.clone());
        }
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
