//! The tail of a negative binomial distribution, as a race between won and lost rounds.

use num_bigint::BigUint;
use num_rational::BigRational;

use crate::Error;
use crate::number::{FLOAT_BITS, Number, check_work, fraction, power};
use crate::scaled::Scaled;

/// A race to `wins` won rounds or `losses` lost ones, whichever come first, with odds of `win` to
/// `lose` in each round.
#[derive(Debug, Clone, Copy)]
pub(super) struct Race {
    win: u64,
    pub(super) lose: u64,
    pub(super) wins: u64,
    pub(super) losses: u64,
}

impl Race {
    /// `win` and `lose` must be in lowest terms and not both zero, and `wins` and `losses`
    /// positive.
    pub(super) fn new(win: u64, lose: u64, wins: u64, losses: u64) -> Self {
        // If one side cannot win a round, a race of one round has the same result and only one
        // term.
        let (wins, losses) = if win == 0 || lose == 0 {
            (1, 1)
        } else {
            (wins, losses)
        };
        Self {
            win,
            lose,
            wins,
            losses,
        }
    }

    pub(super) fn reversed(self) -> Self {
        Self {
            win: self.lose,
            lose: self.win,
            wins: self.losses,
            losses: self.wins,
        }
    }

    /// The sum cannot overflow, since it is at most the total of a [`RoundOdds`].
    pub(super) fn total(&self) -> u64 {
        self.win + self.lose
    }

    /// An upper bound on the number of rounds: one more than the longest race has.
    pub(super) fn rounds(&self) -> u128 {
        u128::from(self.wins + self.losses)
    }

    /// The number of bits of the denominator of the answer.
    pub(super) fn bits(&self) -> u128 {
        self.rounds() * u128::from(self.total().ilog2() + 1)
    }

    pub(super) fn exact(self, max_work: u64) -> Result<BigRational, Error> {
        check_work(
            u128::from(self.losses) + self.rounds(),
            self.bits(),
            max_work,
        )?;
        let total = BigUint::from(self.total());
        let sum = first_to(
            &self.win.into(),
            &self.lose.into(),
            &total,
            self.wins,
            self.losses,
        );
        Ok(fraction(sum, &total, self.wins + self.losses - 1))
    }

    pub(super) fn rounded(self, max_work: u64) -> Result<Scaled, Error> {
        check_work(self.losses.into(), FLOAT_BITS, max_work)?;
        let total = self.total().into();
        let (win, lose) = (
            Scaled::ratio(&self.win.into(), &total),
            Scaled::ratio(&self.lose.into(), &total),
        );
        Ok(first_to(
            &win,
            &lose,
            &Scaled::from(1),
            self.wins,
            self.losses,
        ))
    }
}

/// win^wins · Σ_{l < losses} C(wins − 1 + l, l) lose^l total^(losses − 1 − l). Divided by
/// total^(wins + losses − 1), this is the chance to win `wins` rounds before losing `losses`.
fn first_to<N: Number>(win: &N, lose: &N, total: &N, wins: u64, losses: u64) -> N {
    let mut term = N::from(1);
    let mut sum = N::from(1);
    for lost in 1..losses {
        term *= lose;
        term *= wins - 1 + lost;
        // Division leaves no remainder: the term is C(wins − 1 + lost, lost) · lose^lost.
        term /= lost;
        sum *= total;
        sum += &term;
    }
    sum *= &power(win, wins);
    sum
}
