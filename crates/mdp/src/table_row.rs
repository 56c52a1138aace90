//! One row of a table while it is being written.

use std::sync::Arc;

use num_bigint::BigUint;

use crate::odds::Wide;
use crate::page::Page;
use crate::reward::Reward;
use crate::{Error, Law, Player, Score};

/// The page on which the choices of one state of a [`Table`](crate::Table) or a
/// [`Generated`](crate::Generated) game are written.
///
/// Call [`end`](TableRow::end) once, or call [`choice`](TableRow::choice) for every choice, each
/// followed by its outcomes.
///
/// # Examples
/// Rows written by a function, for a coin that wins with probability 2/3:
/// ```
/// use oddsmith_mdp::{Solver, Table, TableRow};
///
/// fn coin(state: usize, row: &mut TableRow<'_>) {
///     match state {
///         0 | 1 => row.end(state),
///         _ => {
///             row.choice().to(0, 1).to(1, 2);
///         }
///     }
/// }
/// let table = Table::from_fn(3, coin)?;
/// assert_eq!(Solver::exact().solve_table(&table, 2)?.value().to_string(), "2/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableRow<'p> {
    page: &'p mut Page,
    number: usize,
    len: usize,
    tidy: bool,
    /// The key of the odds of the choice being written, and where its outcomes begin.
    open: Option<(u32, usize)>,
    total: u64,
    staying: u64,
    /// The outcomes of the choice being written, if their weights are wide.
    wide: Option<Vec<(u32, BigUint)>>,
    /// The reward of the choice being written.
    reward: Option<Score>,
    /// Outcomes must be below this number, which is zero before the first choice.
    allowed: usize,
    fault: Option<Error>,
}

impl<'p> TableRow<'p> {
    #[inline]
    pub(crate) fn new(page: &'p mut Page, number: usize, len: usize, tidy: bool) -> Self {
        page.clear();
        TableRow {
            page,
            number,
            len,
            tidy,
            open: None,
            total: 0,
            staying: 0,
            wide: None,
            reward: None,
            allowed: 0,
            fault: None,
        }
    }

    /// Ends the game here with this score.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let over = Table::from_fn(1, |_, row| row.end((1, 3)))?;
    /// assert_eq!(Solver::exact().solve_table(&over, 0)?.value().to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn end(&mut self, score: impl Into<Score>) {
        if self.page.score.is_some() {
            self.malformed("it ends twice");
        }
        self.page.score = Some(score.into());
    }

    /// Leaves the decision to the opponent, who wants the lowest expected score.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     2 => {
    ///         row.opponent().choice().to(1, 1);
    ///         row.choice().to(0, 1).to(1, 3);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// let solution = Solver::exact().solve_table(&table, 2)?;
    /// assert_eq!(solution.value().to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn opponent(&mut self) -> &mut Self {
        self.page.player = Player::Min;
        self
    }

    /// Begins the next choice. Its number is the number of choices before it.
    ///
    /// # Examples
    /// The second choice is worth more than the first:
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     2 => {
    ///         row.choice().to(0, 1);
    ///         row.choice().to(1, 1);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// let solution = Solver::exact().solve_table(&table, 2)?;
    /// assert_eq!(solution.decision(&2)?, Some(1)); // counted from 0
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn choice(&mut self) -> &mut Self {
        self.close();
        match self.page.begin() {
            Ok(key) => {
                let start = self.page.last_start().unwrap_or(0);
                self.open = Some((key, start));
                self.allowed = self.len;
            }
            Err(_) => self.malformed("it has 2^32 outcomes or more"),
        }
        self
    }

    /// Adds the next choice with all of its outcomes at once. This does the same as
    /// [`choice`](TableRow::choice) and [`to`](TableRow::to), but faster. Slices of different
    /// lengths are an error.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     2 => {
    ///         row.choice_of(&[0, 1], &[1, 3]);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// assert_eq!(Solver::exact().solve_table(&table, 2)?.value().to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    // With known lengths, these are copies of a few known words.
    #[inline(always)]
    pub fn choice_of(&mut self, targets: &[u32], weights: &[u64]) -> &mut Self {
        self.choice();
        let (mut sum, mut plain) = (0_u64, targets.len() == weights.len());
        for (&target, &weight) in targets.iter().zip(weights) {
            let (more, over) = sum.overflowing_add(weight);
            sum = more;
            let target = target as usize;
            plain &= !over && weight > 0 && target != self.number && target < self.allowed;
        }
        if plain {
            self.total = sum;
            self.page.extend(targets, weights);
            return self;
        }
        self.one_by_one(targets, weights)
    }

    /// Handles zero weights, self-loops and errors.
    #[cold]
    fn one_by_one(&mut self, targets: &[u32], weights: &[u64]) -> &mut Self {
        if targets.len() != weights.len() {
            self.malformed("a choice needs as many weights as outcomes");
        }
        for (&target, &weight) in targets.iter().zip(weights) {
            self.to(target as usize, weight);
        }
        self
    }

    /// Adds the state with this number as an outcome of the choice begun last, with this weight.
    /// See [`Choice::to`](crate::Choice::to).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let table = Table::from_fn(4, |state, row| match state {
    ///     0 => {
    ///         row.choice().to(1, 1).to(3, 3).to(2, 0);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// let solution = Solver::exact().solve_table(&table, 0)?;
    /// assert_eq!(solution.value().to_string(), "5/2"); // (1 · 1 + 3 · 3) / 4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn to(&mut self, target: usize, weight: u64) -> &mut Self {
        if weight == 0 {
            return self;
        }
        if target >= self.allowed {
            return self.astray(target);
        }
        let Some(total) = self.total.checked_add(weight) else {
            return self.overflow(target, weight);
        };
        self.total = total;
        if target == self.number {
            self.staying += weight;
        } else {
            self.page.push(target as u32, weight);
        }
        self
    }

    /// Adds an outcome with a weight of any size. See [`Choice::to_wide`](crate::Choice::to_wide).
    ///
    /// # Examples
    /// ```
    /// use num_bigint::BigUint;
    /// use oddsmith_mdp::{Solver, Table};
    /// let much = BigUint::from(10_u8).pow(30);
    /// let table = Table::from_fn(3, |state, row| match state {
    ///     2 => {
    ///         row.choice().to(1, 1).to_wide(0, much.clone() - 1_u8);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// let solution = Solver::exact().solve_table(&table, 2)?;
    /// assert_eq!(solution.value().to_string(), format!("1/{much}"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_wide(&mut self, target: usize, weight: impl Into<BigUint>) -> &mut Self {
        let weight = weight.into();
        if weight == BigUint::ZERO {
            return self;
        }
        if target >= self.allowed {
            return self.astray(target);
        }
        self.widen().push((target as u32, weight));
        self
    }

    /// Lets chance move by a distribution. See [`Choice::roll`](crate::Choice::roll).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_mdp::{Law, Solver, Table};
    /// let two = Law::new(&Dist::ndice(2, 6)?);
    /// let table = Table::from_fn(13, |state, row| match state {
    ///     0 => {
    ///         row.choice().roll(&two, |&pips| pips as usize);
    ///     }
    ///     _ => row.end(state),
    /// })?;
    /// assert_eq!(Solver::exact().solve_table(&table, 0)?.value().to_string(), "7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn roll<T>(&mut self, law: &Law<T>, mut target: impl FnMut(&T) -> usize) -> &mut Self {
        match law.weights() {
            crate::law::Weights::Narrow(weights) => {
                for (outcome, &weight) in law.outcomes().iter().zip(weights) {
                    self.to(target(outcome), weight);
                }
            }
            crate::law::Weights::Wide(wide) => {
                for (outcome, weight) in law.outcomes().iter().zip(&wide.weights) {
                    self.to_wide(target(outcome), weight.clone());
                }
            }
        }
        self
    }

    /// Adds a reward that the choice begun last pays at once. See
    /// [`Choice::reward`](crate::Choice::reward).
    ///
    /// # Examples
    /// A coin is tossed until it shows heads. How many tosses are expected?
    /// ```
    /// use oddsmith_mdp::{Solver, Table};
    /// let table = Table::from_fn(2, |state, row| match state {
    ///     0 => {
    ///         row.choice().to(1, 1).to(0, 1).reward(1);
    ///     }
    ///     _ => row.end(0),
    /// })?;
    /// assert_eq!(Solver::exact().solve_table(&table, 0)?.value().to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reward(&mut self, reward: impl Into<Score>) -> &mut Self {
        if self.open.is_none() {
            self.malformed("a reward comes before the first choice");
            return self;
        }
        let reward = reward.into();
        if !reward.is_valid() {
            self.fault.get_or_insert_with(|| Error::BadReward {
                state: self.number.to_string(),
                action: (self.page.choices() - 1).to_string(),
            });
        }
        self.reward = Some(match self.reward.take() {
            Some(sum) => sum.plus(&reward),
            None => reward,
        });
        self
    }

    /// Returns the outcomes of this choice so far as wide ones, from now on with weights of any
    /// size.
    fn widen(&mut self) -> &mut Vec<(u32, BigUint)> {
        // No machine word fits any more, so narrow weights are handled one by one.
        self.total = u64::MAX;
        self.wide.get_or_insert_with(|| {
            let (targets, weights) = self.page.take();
            let pairs = targets.into_iter().zip(weights);
            let mut all: Vec<_> = pairs.map(|(t, w)| (t, BigUint::from(w))).collect();
            if self.staying > 0 {
                all.push((self.number as u32, BigUint::from(self.staying)));
            }
            all
        })
    }

    #[cold]
    fn overflow(&mut self, target: usize, weight: u64) -> &mut Self {
        if self.wide.is_some() {
            return self.to_wide(target, weight);
        }
        self.fault.get_or_insert_with(|| Error::WeightOverflow {
            state: self.number.to_string(),
            action: (self.page.choices() - 1).to_string(),
        });
        self
    }

    #[cold]
    fn astray(&mut self, target: usize) -> &mut Self {
        if self.open.is_none() {
            self.malformed("an outcome comes before the first choice");
            return self;
        }
        self.fault.get_or_insert_with(|| Error::UnknownIndex {
            state: self.number,
            choice: self.page.choices() - 1,
            target,
            states: self.len,
        });
        self
    }

    #[cold]
    fn malformed(&mut self, what: &'static str) {
        self.fault.get_or_insert_with(|| Error::Malformed {
            state: self.number.to_string(),
            what,
        });
    }

    /// Ends the choice being written.
    #[inline(always)]
    fn close(&mut self) {
        let Some((key, start)) = self.open else {
            return;
        };
        if self.total == 0 || self.wide.is_some() || self.reward.is_some() {
            self.close_uncommon(key, start);
        } else {
            self.close_narrow(key, start);
        }
        self.open = None;
        (self.total, self.staying) = (0, 0);
    }

    #[inline(always)]
    fn close_narrow(&mut self, key: u32, start: usize) {
        let words = self.page.words(key);
        words[0] = self.total - self.staying;
        words[1] = self.staying;
        self.page.finish(key, start, self.tidy);
    }

    /// Ends a choice without outcomes, with wide weights, or with a reward.
    #[inline(never)]
    fn close_uncommon(&mut self, key: u32, start: usize) {
        if self.total == 0 {
            self.fault.get_or_insert_with(|| Error::NoOutcome {
                state: self.number.to_string(),
                action: (self.page.choices() - 1).to_string(),
            });
        }
        if let Some(wide) = self.wide.take() {
            self.page.withdraw(key);
            let (targets, weights): (Vec<u32>, Vec<BigUint>) = wide.into_iter().unzip();
            let wide = Arc::new(Wide::new(weights, BigUint::ZERO));
            if self.page.wide(self.number as u32, &targets, &wide).is_err() {
                self.malformed("it has 2^32 outcomes or more");
            }
        } else {
            self.close_narrow(key, start);
        }
        if let Some(reward) = self.reward.take() {
            let choice = self.page.choices() - 1;
            if self.page.pay(choice, &Reward::new(&reward)).is_err() {
                self.malformed("it has 2^32 outcomes or more");
            }
        }
    }

    /// Checks the row. Returns the lowest and the highest number of an outcome; the former is above
    /// all numbers if there is none. To be called once. It takes a reference, since moving the
    /// whole writer would cost more than the checks.
    #[inline]
    pub(crate) fn finish(&mut self) -> Result<(u32, u32), Error> {
        self.close();
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let state = || self.number.to_string();
        let choices = self.page.choices();
        match &self.page.score {
            Some(_) if choices > 0 => {
                return Err(Error::Malformed {
                    state: state(),
                    what: "it ends and has choices",
                });
            }
            Some(score) if !score.is_valid() => return Err(Error::BadScore { state: state() }),
            Some(_) => return Ok((u32::MAX, 0)),
            None if choices == 0 => return Err(Error::DeadEnd { state: state() }),
            None if choices > usize::from(u16::MAX) => {
                return Err(Error::TooManyChoices {
                    state: state(),
                    choices,
                });
            }
            None if !self.page.leads() => return Err(Error::NeverEnds { state: state() }),
            None => {}
        }
        self.page.close();
        if let Some(choice) = self.page.endless_gain() {
            return Err(Error::EndlessGain {
                state: state(),
                action: choice.to_string(),
            });
        }
        Ok(self.page.range())
    }
}
