//! The chance to win as a fraction.

use num_rational::BigRational;
use rustc_hash::FxHashMap;

use super::{Key, Solved, Weighed, relative, underflow};
use crate::fraction::Fraction;
use crate::situation::Situation;
use crate::spread::Spreader;
use crate::{Act, Error};

/// Where an option leads to.
type Law = Vec<(Situation, Fraction)>;

impl Solved<'_, '_> {
    /// Returns the chance to win as a fraction.
    ///
    /// Floats tell which decisions may be best. Only those, which are few, are followed exactly. At
    /// the Cartwheel under [`Rules::gamble_freely`](crate::Rules), floats alone decide where to
    /// stop; the fraction is then that of this policy.
    ///
    /// # Errors
    /// [`Error::Limit`].
    ///
    /// # Complexity
    /// Proportional to the number of situations that best play and its equals can reach, with
    /// integers of as many digits as random numbers can be drawn.
    ///
    /// # Examples
    /// Seven of the ten numbers lead over a bridge, and then over another one:
    /// ```
    /// use oddsmith_lonewolf::{ActionChart, BookSolver};
    /// # use oddsmith_lonewolf::{Book, Chance, Decision, Manuscript, Outcome, Section};
    /// # let chance = |numbers, then| Chance { numbers, then };
    /// # let bridge = |to| vec![chance(7, Outcome::Goto(to)), chance(3, Outcome::Lost)];
    /// # let section = |number, outcome| Section { number, decision: Decision::Then(outcome) };
    /// # let bridges = [1, 2].map(|number| section(number, Outcome::Random(bridge(number + 1))));
    /// # let sections = bridges.into_iter().chain([section(3, Outcome::Won)]).collect();
    /// # let book = Book::new(Manuscript::new("bridges", 1, 3, sections))?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(10, 20)?)?;
    /// assert_eq!(solved.exact()?.to_string(), "49/100");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact(&mut self) -> Result<BigRational, Error> {
        let start = self.start;
        self.exact_from(&start)
    }

    /// Returns the chance to win from any situation as a fraction. See [`exact`](Solved::exact).
    ///
    /// # Errors
    /// As for [`win_from`](Solved::win_from).
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use oddsmith_lonewolf::{ActionChart, Book, BookSolver};
    ///
    /// let book = Book::fire_on_the_water()?;
    /// let mut solver = BookSolver::new(&book);
    /// let mut solved = solver.solve(&ActionChart::new(19, 29)?)?;
    /// let start = solved.start();
    /// assert_eq!(solved.exact_from(&start)?, solved.exact()?);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact_from(&mut self, situation: &Situation) -> Result<BigRational, Error> {
        self.check(situation)?;
        /// A situation whose outcomes are being evaluated one after the other.
        struct Open {
            key: Key,
            laws: Vec<Law>,
            children: Vec<Situation>,
        }
        let mut values: FxHashMap<Key, Fraction> = FxHashMap::default();
        let mut stack = Vec::new();
        let root = self.key(situation)?;
        if root.is_some() {
            stack.push(*situation);
        }
        let mut open: Vec<Open> = Vec::new();
        loop {
            if let Some(at) = stack.pop() {
                if let Some(key) = self.key(&at)?
                    && !values.contains_key(&key)
                {
                    if values.len() + open.len() >= self.limit() {
                        let limit = self.limit();
                        return Err(Error::Limit { limit });
                    }
                    // Floats may have lost what is very unlikely.
                    let laws = self.exact_laws(&at)?;
                    let children = laws.iter().flatten().map(|(to, _)| *to).collect();
                    open.push(Open {
                        key,
                        laws,
                        children,
                    });
                }
                continue;
            }
            let Some(top) = open.last_mut() else { break };
            if let Some(child) = top.children.pop() {
                stack.push(child);
                continue;
            }
            let Some(Open { key, laws, .. }) = open.pop() else {
                break;
            };
            let value = self.exact_of(laws, &values)?;
            values.insert(key, value);
        }
        Ok(match root {
            None => Fraction::from_ratio(&BigRational::from_integer(
                u8::from(situation.is_won()).into(),
            ))
            .ratio(),
            Some(key) => values.get(&key).map(Fraction::ratio).unwrap_or_default(),
        })
    }

    /// Returns what identifies a situation that is not over. Outside combat, situations with one
    /// result and one ENDURANCE have one value.
    fn key(&mut self, situation: &Situation) -> Result<Option<Key>, Error> {
        if situation.is_over() {
            return Ok(None);
        }
        let (result, _) = self
            .solver
            .result(&self.setting, situation.step, &situation.sheet)?;
        let &Situation {
            endurance,
            foe,
            rounds,
            ..
        } = situation;
        Ok(Some((result, endurance, foe, rounds)))
    }

    /// Returns the options that floats cannot distinguish from the best one.
    fn contenders(&mut self, situation: &Situation) -> Result<Vec<Weighed>, Error> {
        let mut all = self.weigh(situation)?;
        let (value, roundings) = self.solver.value(&self.setting, situation)?;
        // One more step was evaluated here; it has few roundings.
        let roundings = roundings.saturating_add(2_000);
        let least = value * (1.0 - 2.0 * relative(roundings)) - 2.0 * underflow(roundings);
        all.retain(|option| option.advice.win >= least);
        Ok(all)
    }

    /// Where each option that may be best leads to.
    fn exact_laws(&mut self, at: &Situation) -> Result<Vec<Law>, Error> {
        let best = self.contenders(at)?;
        let plan = self.plan(at);
        let laws = best.iter().map(|option| {
            let laws = &mut self.solver.laws;
            let mut spreader = Spreader::new(&self.setting, laws, &plan, option.plays.as_deref());
            match (option.place, &plan.skirmish) {
                (Some(place), _) => {
                    let node = &plan.options[place].node;
                    spreader.spread(node, at.endurance, &Fraction::one());
                }
                (None, Some(skirmish)) => {
                    let evades = option.advice.act == Act::Evade;
                    spreader.round(skirmish, evades, at, &Fraction::one());
                }
                (None, None) => {}
            }
            spreader.found
        });
        Ok(laws.collect())
    }

    /// The highest value of these options, given the values of what they lead to.
    fn exact_of(
        &mut self,
        laws: Vec<Law>,
        values: &FxHashMap<Key, Fraction>,
    ) -> Result<Fraction, Error> {
        let mut highest = Fraction::zero();
        for law in laws {
            let mut sum = Fraction::zero();
            for (to, weight) in law {
                match self.key(&to)? {
                    None if to.is_won() => sum.add(&weight),
                    None => {}
                    Some(key) => {
                        if let Some(value) = values.get(&key) {
                            sum.add(&weight.times(value));
                        }
                    }
                }
            }
            if sum.compare(&highest).is_gt() {
                highest = sum;
            }
        }
        Ok(highest.trimmed())
    }
}
