//! The number of throws that a battle takes.

use num_rational::BigRational;
use oddsmith_dice::Dist;

use crate::chain::Chain;
use crate::forward::{self, ByThrows, Counted, Floats, Probabilities};
use crate::radix::Radix;
use crate::rows::{Size, room};
use crate::stop_rule::Frontier;
use crate::{Battle, Error, exact, rows};

/// The distribution of a state is a block of memory that is allocated, filled and freed. By
/// measurement this takes some 15 steps for the standard throw with three outcomes.
const STEPS_AN_OUTCOME: u128 = 5;

/// The work for pushing a number to two outcomes, by a throw of one pair.
const STEPS_A_NUMBER: u128 = 4;

/// What the limit on steps may be too low for.
const LAW: &str = "the distribution of throws";

/// Returns an upper bound on how many numbers the distributions of throws of all states hold
/// together, beyond one each.
///
/// While both armies are large, all throws compare m pairs, so the units lost determine the number
/// of throws. If the dice of one side have changed already, s units lost since then took s/m to s
/// throws. In such a line of states, s varies by the losses of the other army, which is half of
/// that army on average. Where the number of pairs changes from line to line, the units lost in
/// earlier lines also took more or fewer throws.
fn spread(chain: &Chain, size: Size) -> u128 {
    let (rows, columns) = chain.settled();
    let pairs = chain.reach() as u32;
    let strip = |settled: u32, units: u32, at: &dyn Fn(u32) -> u32| {
        // The line without units is one of them; there the battle is over.
        let (lines, units) = (u128::from(settled), u128::from(units));
        let alike = (2..settled).all(|line| at(line) == at(1));
        let before = if alike { pairs.into() } else { lines };
        let sum = lines * units * (units + before) / 2;
        sum / u128::from(pairs) * u128::from(pairs - 1)
    };
    strip(rows, size.defenders, &|row| chain.at(row, columns).pairs())
        + strip(columns, size.attackers, &|column| {
            chain.at(rows, column).pairs()
        })
}

impl Battle {
    /// Returns the distribution of the number of throws until the battle is over, in fractions.
    ///
    /// # Errors
    /// As for [`survivors`](Battle::survivors).
    ///
    /// # Complexity
    /// As for [`survivors`](Battle::survivors), times the number of different numbers of throws by
    /// which a state can be reached. It is one, except where a throw costs fewer units than at the
    /// start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// // One against two: over at once, unless the first defender falls.
    /// let throws = Battle::new(1, 2)?.throws_needed()?;
    /// assert_eq!(throws.p(&1).to_string(), "161/216");
    /// assert_eq!(throws.max(), &2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "rounds")]
    pub fn throws_needed(&self) -> Result<Dist<u32>, Error> {
        const WHAT: &str = "the exact distribution of throws";
        let (chain, frontier) = self.chain_within(WHAT)?;
        let (radix, size) = (Radix::new(&chain), self.size());
        let numbers = size.work().saturating_add(spread(&chain, size));
        let work = exact::work(&chain, &radix, size, numbers, 0);
        size.check_work(WHAT, work, self.limit())?;
        self.count_throws(&radix, &chain, &frontier)
    }

    /// Returns the distribution of the number of throws in floats, with the error bound of
    /// [`Survivors::relative_error`](crate::Survivors::relative_error).
    ///
    /// # Errors
    /// As for [`survivors`](Battle::survivors). Each state keeps a distribution of its own, which
    /// counts as 5 steps for each outcome of a throw and 4 for each number of throws beyond the
    /// first. 7,000 against 7,000 fit; 50,000 against 500 do not.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// let throws = Battle::new(100, 100)?.throws_needed_f64()?;
    /// assert_eq!((throws.min(), throws.median(), throws.max()), (&50, &92, &149));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn throws_needed_f64(&self) -> Result<Dist<u32, f64>, Error> {
        let (chain, frontier) = self.chain_within(LAW)?;
        self.throws_needed_by(&chain, &frontier)
    }

    /// Does the same by throws that have been computed.
    pub(crate) fn throws_needed_by(
        &self,
        chain: &Chain,
        frontier: &Frontier,
    ) -> Result<Dist<u32, f64>, Error> {
        let size = self.size();
        // If there is no memory for the rows, no limit on the steps helps.
        room::<ByThrows<f64>>(chain, size)?;
        let outcomes = chain.reach() as u128 + 1;
        let work = (STEPS_AN_OUTCOME * outcomes)
            .saturating_mul(size.work())
            .saturating_add(STEPS_A_NUMBER * spread(chain, size));
        size.check_work(LAW, work, self.limit())?;
        self.count_throws(&Floats(chain), chain, frontier)
    }

    fn count_throws<P: Probabilities>(
        &self,
        amounts: &P,
        chain: &Chain,
        frontier: &Frontier,
    ) -> Result<Dist<u32, P::Weight>, Error> {
        let mut sums: Vec<P::Amount> = Vec::new();
        let counted = Counted(amounts);
        forward::push(&counted, chain, frontier, self.size(), |_, end| {
            let ByThrows {
                first,
                amounts: parts,
            } = end;
            if sums.len() < first + parts.len() {
                sums.resize(first + parts.len(), P::Amount::default());
            }
            for (sum, part) in sums[first..].iter_mut().zip(&parts) {
                amounts.add(sum, part);
            }
        })?;
        amounts.law((0..).zip(sums).collect())
    }

    /// Returns the expected number of throws of the battle, as a fraction.
    ///
    /// # Errors
    /// As for [`survivors`](Battle::survivors).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(Battle::new(1, 2)?.expected_throws()?.to_string(), "271/216");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_throws(&self) -> Result<BigRational, Error> {
        let (chain, frontier, radix) = self.in_fractions("the exact number of throws")?;
        let size = self.size();
        let mut mean = BigRational::default();
        let nothing = |_, _| 0;
        exact::sweep(
            &chain,
            &radix,
            &frontier,
            size,
            nothing,
            true,
            |attackers, row| {
                if let (true, Some(last)) = (attackers == size.attackers, row.last()) {
                    mean = radix.fraction(last);
                }
                true
            },
        )?;
        Ok(mean)
    }

    /// Returns the expected number of throws of the battle, as a float with a relative error of at
    /// most [`relative_error`](Battle::relative_error).
    ///
    /// # Errors
    /// As for [`win_f64`](Battle::win_f64).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_risk::Battle;
    ///
    /// assert_eq!(format!("{:.2}", Battle::new(10, 8)?.expected_throws_f64()?), "7.08");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_throws_f64(&self) -> Result<f64, Error> {
        let (chain, frontier) = self.chain_within("the number of throws")?;
        self.expected_throws_by(&chain, &frontier)
    }

    /// Does the same by throws that have been computed.
    pub(crate) fn expected_throws_by(
        &self,
        chain: &Chain,
        frontier: &Frontier,
    ) -> Result<f64, Error> {
        rows::last(chain, frontier, self.size(), |_, _| 0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    /// The numbers that are actually kept, counted at every state.
    #[track_caller]
    fn check(rules: &Rules, attackers: u32, defenders: u32) -> Result<(), Error> {
        let chain = Chain::new(attackers, defenders, rules)?;
        let (floats, size) = (Floats(&chain), Size::new(attackers, defenders));
        let kept = std::cell::Cell::new(0);
        let seen = Seen(Counted(&floats), &kept);
        forward::push(&seen, &chain, &Frontier::default(), size, |_, _| ())?;
        let bound = spread(&chain, size);
        let told = format!(
            "{rules}, {attackers}x{defenders}: {} of {bound}",
            kept.get()
        );
        assert!(kept.get() <= bound, "{told}");
        assert!(bound <= 4 * kept.get() + 4_000, "{told}");
        Ok(())
    }

    /// Distributions that count the numbers they hold beyond the first when they are read.
    struct Seen<'a>(Counted<'a, Floats<'a>>, &'a std::cell::Cell<u128>);

    impl forward::Amounts for Seen<'_> {
        type Amount = ByThrows<f64>;

        fn one(&self) -> Self::Amount {
            self.0.one()
        }

        fn is_zero(&self, amount: &Self::Amount) -> bool {
            let beyond = amount.amounts.len().saturating_sub(1) as u128;
            self.1.set(self.1.get() + beyond);
            self.0.is_zero(amount)
        }

        fn add(&self, sum: &mut Self::Amount, amount: &Self::Amount) {
            self.0.add(sum, amount);
        }

        fn add_product(
            &self,
            sum: &mut Self::Amount,
            throw: usize,
            outcome: usize,
            amount: &Self::Amount,
        ) {
            self.0.add_product(sum, throw, outcome, amount);
        }
    }

    #[test]
    fn laws_of_throws_spread_no_further_than_is_counted() -> Result<(), Error> {
        for (attackers, defenders) in [(200, 200), (500, 40), (40, 500)] {
            check(&Rules::standard(), attackers, defenders)?;
            check(&Rules::georgiou(), attackers, defenders)?;
            check(&Rules::uk_1990(), attackers, defenders)?;
            check(&Rules::standard().max_dice(3, 3)?, attackers, defenders)?;
            check(&Rules::standard().max_dice(1, 1)?, attackers, defenders)?;
            let late = Rules::standard().second_defence_die_from(20)?;
            check(&late, attackers, defenders)?;
        }
        Ok(())
    }
}
