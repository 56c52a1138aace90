//! How long a battle takes.

use num_rational::BigRational;
use oddsmith_dice::Dist;

use crate::forward::{self, ByThrows, Counted, Floats, Probabilities};
use crate::radix::Radix;
use crate::{Battle, Error, exact, rows};

impl Battle {
    /// The law of the number of throws until the battle is over, in fractions.
    ///
    /// # Errors
    /// As for [`survivors`](Battle::survivors).
    ///
    /// # Complexity
    /// As for [`survivors`](Battle::survivors), times the different numbers of
    /// throws by which a state can be reached: one, but for those where a throw
    /// costs fewer units than at the start.
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
        let (chain, _) = self.chain()?;
        let radix = Radix::new(&chain);
        exact::check(
            &chain,
            &radix,
            self.size(),
            "the exact law of throws",
            self.limit(),
        )?;
        self.count_throws(&radix)
    }

    /// The law of the number of throws, in floats, with the error bound of
    /// [`Survivors::relative_error`](crate::Survivors::relative_error).
    ///
    /// # Errors
    /// As for [`survivors`](Battle::survivors).
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
        let (chain, _) = self.chain()?;
        self.size().check("the law of throws", self.limit())?;
        self.count_throws(&Floats(&chain))
    }

    fn count_throws<P: Probabilities>(&self, amounts: &P) -> Result<Dist<u32, P::Weight>, Error> {
        let (chain, frontier) = self.chain()?;
        let mut sums: Vec<P::Amount> = Vec::new();
        let counted = Counted(amounts);
        forward::push(&counted, &chain, &frontier, self.size(), |_, end| {
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

    /// How many throws the battle takes on average, as a fraction.
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
        let (chain, frontier) = self.chain()?;
        let radix = Radix::new(&chain);
        let (size, limit) = (self.size(), self.limit());
        exact::check(&chain, &radix, size, "the exact number of throws", limit)?;
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

    /// How many throws the battle takes on average, as a float with a relative
    /// error of at most [`relative_error`](Battle::relative_error).
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
        self.last_of_rows("the number of throws", |_, _| 0.0, 1.0)
    }

    /// The number of the whole battle.
    pub(crate) fn last_of_rows(
        &self,
        what: &'static str,
        end: impl Fn(u32, u32) -> f64 + Copy,
        step: f64,
    ) -> Result<f64, Error> {
        let size = self.size();
        size.check(what, self.limit())?;
        let (chain, frontier) = self.chain()?;
        let mut last = 0.0;
        rows::sweep(&chain, &frontier, size, end, step, |_, row| {
            last = row.last().copied().unwrap_or(0.0);
            true
        })?;
        Ok(last)
    }
}
