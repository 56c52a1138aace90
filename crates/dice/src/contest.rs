//! Comparison of two independent outcomes: win, draw and loss.

use crate::rounding::Roundings;
use crate::tail::capped;
use crate::{Dist, Error, Weight};
use num_bigint::BigUint;
use std::cmp::Ordering;
use std::fmt;

/// The comparison of two independent outcomes, with the weights of a win, a draw and a loss.
///
/// Created by [`Dist::versus`]; a win is a win of the first. As for [`Dist`], two contests are
/// equal if their probabilities are.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Dist, Ties};
///
/// let duel = Dist::die(6)?.versus(&Dist::die(6)?);
/// assert_eq!(duel.win().to_string(), "5/12");
/// assert_eq!(duel.with_ties(Ties::Split)?.win().to_string(), "1/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Contest<W = BigUint> {
    win: W,
    draw: W,
    lose: W,
    total: W,
    roundings: Roundings,
}

/// How a tie is decided, from the point of view of the first of the two.
///
/// # Examples
///
/// ```
/// use oddsmith_dice::{Dist, Ties};
///
/// // In RISK the defender wins ties.
/// let throw = Dist::die(6)?.versus(&Dist::die(6)?).with_ties(Ties::Lose)?;
/// assert_eq!(throw.lose().to_string(), "7/12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// A tie is won.
    Win,
    /// A tie is lost.
    Lose,
    /// Half of the ties are won, half are lost.
    Split,
    /// A tie is rolled again until it is broken.
    Reroll,
}

impl<T: Ord, W: Weight> Dist<T, W> {
    /// Compares with an independent outcome of `other`; the higher one wins.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let (hero, foe) = (Dist::ndice(2, 6)?.shift(10)?, Dist::ndice(2, 6)?.shift(8)?);
    /// let round = hero.versus(&foe);
    /// assert_eq!(round.win().to_string(), "287/432");
    /// assert_eq!(round.draw().to_string(), "125/1296");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a + b) for a and b outcomes: one ordered pass over both.
    #[must_use]
    pub fn versus(&self, other: &Dist<T, W>) -> Contest<W> {
        let (mut win, mut draw, mut lose) = (W::nothing(), W::nothing(), W::nothing());
        let (mut below, mut other_below) = (W::nothing(), W::nothing());
        let (mut mine, mut theirs) = (self.iter().peekable(), other.iter().peekable());
        loop {
            let order = match (mine.peek(), theirs.peek()) {
                (Some((x, _)), Some((y, _))) => x.cmp(y),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            let a = mine.next_if(|_| order.is_le()).map(|(_, weight)| weight);
            let b = theirs.next_if(|_| order.is_ge()).map(|(_, weight)| weight);
            if let Some(a) = a {
                win.add(&a.times(&other_below));
            }
            if let Some(b) = b {
                lose.add(&b.times(&below));
            }
            if let (Some(a), Some(b)) = (a, b) {
                draw.add(&a.times(b));
            }
            if let Some(a) = a {
                below.add(a);
            }
            if let Some(b) = b {
                other_below.add(b);
            }
        }
        let terms = self.len().saturating_add(other.len());
        Contest {
            win,
            draw,
            lose,
            total: self.total.times(&other.total),
            roundings: self.roundings.product(other.roundings, terms),
        }
    }

    /// Returns whether this distribution has first-order stochastic dominance over the other, in
    /// its weak form: P(X ≥ t) ≥ P(Y ≥ t) for every t, with X the outcome of this distribution and
    /// Y that of the other. Every distribution dominates itself.
    ///
    /// In floats, the answer is that of the doubles: distributions that differ by less than their
    /// [`relative_error`](Self::relative_error) may give either result.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let advantage = Dist::die(20)?.joint(&Dist::die(20)?)?.map(|(a, b)| *a.max(b));
    /// assert!(advantage.dominates(&Dist::die(20)?));
    /// assert_eq!(advantage.mean().to_string(), "553/40");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a + b) for a and b outcomes.
    #[must_use]
    pub fn dominates(&self, other: &Dist<T, W>) -> bool {
        // Cumulated from the top, so that the tails themselves are compared.
        let (mut tail, mut other_tail) = (W::nothing(), W::nothing());
        let mut mine = self.iter().rev().peekable();
        for (y, weight) in other.iter().rev() {
            while let Some((_, weight)) = mine.next_if(|(x, _)| *x >= y) {
                tail.add(weight);
            }
            other_tail.add(weight);
            if tail.times(&other.total) < other_tail.times(&self.total) {
                return false;
            }
        }
        true
    }

    /// Returns the total variation distance: the largest difference between the probabilities of
    /// any event under the two distributions, ½ Σ |p(x) − q(x)|.
    ///
    /// In floats, differences cancel: the absolute error is at most the sum of the two
    /// [`relative_error`](Self::relative_error)s.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(6)?.total_variation(&Dist::die(8)?).to_string(), "1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    ///
    /// O(a + b) for a and b outcomes.
    #[must_use]
    pub fn total_variation(&self, other: &Dist<T, W>) -> W::Ratio {
        let mut distance = W::nothing();
        let (mut mine, mut theirs) = (self.iter().peekable(), other.iter().peekable());
        loop {
            let order = match (mine.peek(), theirs.peek()) {
                (Some((x, _)), Some((y, _))) => x.cmp(y),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            let scaled = |weight: Option<(&T, &W)>, total: &W| {
                weight.map_or_else(W::nothing, |(_, weight)| weight.times(total))
            };
            let p = scaled(mine.next_if(|_| order.is_le()), &other.total);
            let q = scaled(theirs.next_if(|_| order.is_ge()), &self.total);
            distance.add(&p.distance(&q));
        }
        let total = self.total.times(&other.total);
        let mut twice = total.clone();
        twice.add(&total);
        W::ratio(&distance, &twice)
    }
}

impl<W: Weight> Contest<W> {
    /// Returns the probability that the first is higher.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(8)?.versus(&Dist::die(6)?).win().to_string(), "9/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win(&self) -> W::Ratio {
        W::ratio(capped(&self.win, &self.total), &self.total)
    }

    /// Returns the probability that both are equal.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(8)?.versus(&Dist::die(6)?).draw().to_string(), "1/8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn draw(&self) -> W::Ratio {
        W::ratio(capped(&self.draw, &self.total), &self.total)
    }

    /// Returns the probability that the first is lower.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(8)?.versus(&Dist::die(6)?).lose().to_string(), "5/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lose(&self) -> W::Ratio {
        W::ratio(capped(&self.lose, &self.total), &self.total)
    }

    /// Returns the weights of win, draw and loss, over [`total`](Self::total).
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let duel = Dist::die(6)?.versus(&Dist::die(6)?);
    /// assert_eq!(duel.weights().map(|count| count.to_string()), ["15", "6", "15"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn weights(&self) -> [&W; 3] {
        [&self.win, &self.draw, &self.lose]
    }

    /// Returns the sum of the three weights.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// assert_eq!(Dist::die(6)?.versus(&Dist::die(6)?).total(), &36u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn total(&self) -> &W {
        &self.total
    }

    /// Returns the contest after ties are decided. Its [`draw`](Self::draw) is zero.
    ///
    /// # Errors
    ///
    /// [`Error::AlwaysTied`] for [`Ties::Reroll`] if every comparison is a tie.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::{Dist, Ties};
    ///
    /// let duel = Dist::die(8)?.versus(&Dist::die(6)?);
    /// assert_eq!(duel.with_ties(Ties::Win)?.win().to_string(), "11/16");
    /// assert_eq!(duel.with_ties(Ties::Lose)?.win().to_string(), "9/16");
    /// assert_eq!(duel.with_ties(Ties::Split)?.win().to_string(), "5/8");
    /// assert_eq!(duel.with_ties(Ties::Reroll)?.win().to_string(), "9/14");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_ties(&self, ties: Ties) -> Result<Self, Error> {
        let mut settled = self.clone();
        settled.draw = W::nothing();
        settled.roundings = self.roundings.sum(2);
        let double = |weight: &W| {
            let mut twice = weight.clone();
            twice.add(weight);
            twice
        };
        match ties {
            Ties::Win => settled.win.add(&self.draw),
            Ties::Lose => settled.lose.add(&self.draw),
            Ties::Split => {
                // Doubling everything keeps half a tie an integer.
                settled.win = double(&self.win);
                settled.win.add(&self.draw);
                settled.lose = double(&self.lose);
                settled.lose.add(&self.draw);
                settled.total = double(&self.total);
            }
            Ties::Reroll => {
                settled.total = self.win.clone();
                settled.total.add(&self.lose);
                settled.roundings.total = settled.roundings.weights;
                if settled.total.vanishes() {
                    return Err(Error::AlwaysTied);
                }
            }
        }
        Ok(settled)
    }

    /// Returns an upper bound on the relative error of [`win`](Self::win), [`draw`](Self::draw) and
    /// [`lose`](Self::lose), as [`Dist::relative_error`] does. It is zero for exact contests.
    ///
    /// # Examples
    ///
    /// ```
    /// use oddsmith_dice::Dist;
    ///
    /// let die = Dist::die(6)?;
    /// assert_eq!(die.versus(&die).relative_error(), 0.0);
    /// assert!(die.to_f64().versus(&die.to_f64()).relative_error() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        if W::EXACT {
            return 0.0;
        }
        self.roundings.relative_error(1)
    }
}

impl<W: Weight> PartialEq for Contest<W> {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = self.weights().into_iter().zip(other.weights());
        pairs.all(|(a, b)| a.times(&other.total) == b.times(&self.total))
    }
}

impl Eq for Contest {}

impl<W: Weight> fmt::Display for Contest<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (win, draw, lose) = (self.win(), self.draw(), self.lose());
        write!(f, "win {win}, draw {draw}, lose {lose}")
    }
}
