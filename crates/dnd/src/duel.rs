//! Two fighters who take turns until one falls.

mod chain;
mod ending;
mod fighter;
mod hits;
mod number;
mod partdist;
mod pursuit;
mod race;
mod report;
mod rounds;
mod stat_blocks;
mod work;

use std::fmt;

use ndarray::Array2;
use num_bigint::BigUint;
use oddsmith_dice::{DEFAULT_LIMIT, Dist, Steps, Weight};

pub use ending::Ending;
pub use fighter::{Fighter, Phase};
pub use number::Number;
pub use partdist::{first_attack_matrix, lumped, partdist, second_attack_matrix};
pub use report::DuelReport;
pub use rounds::{Round, Rounds};

#[cfg(doc)]
use crate::Combatant;
use crate::{Error, Initiative};

/// The side that is left standing.
///
/// # Examples
/// ```
/// use oddsmith_dnd::Winner;
///
/// assert_eq!(Winner::First.other(), Winner::Second);
/// assert_eq!(Winner::First.to_string(), "the first");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Winner {
    /// The fighter given first.
    First,
    /// The fighter given second.
    Second,
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Winner::First => "the first",
            Winner::Second => "the second",
        })
    }
}

impl Winner {
    /// Returns the side that falls.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dnd::Winner;
    ///
    /// assert_eq!(Winner::Second.other(), Winner::First);
    /// ```
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Winner::First => Winner::Second,
            Winner::Second => Winner::First,
        }
    }
}

/// A duel: both fighters take turns until one has no hit points left.
///
/// The first fighter acts first. A round is one turn of each; the second does not act if the first
/// has felled it. [`to_f64`](Duel::to_f64) returns the duel in floats.
///
/// The model is that of F. M. Jørgensen, "How the probability code works" (2019). There the duel is
/// followed for some rounds; [`ending`](Duel::ending) follows it to the end.
///
/// # Examples
/// The example of the source, as a mirror match: 2d6 + 5, +7 against AC 18.
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Duel, Fighter, Winner, activate};
///
/// let turn = activate(&Dist::ndice(2, 6)?, 5, 18, 7)?;
/// let fighter = Fighter::new(40, turn)?;
/// let duel = Duel::new(fighter.clone(), fighter);
/// let rounds = duel.rounds(10)?;
/// assert_eq!(rounds[2].won().to_string(), "1233407/671846400"); // in two rounds
/// let ending = duel.to_f64().ending()?;
/// assert!((ending.chance(Winner::First) - 0.553_813_628_438_088_9).abs() < 1e-14);
/// assert!((ending.expected_rounds() - 5.729_413_379_561_995).abs() < 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Duel<W: Weight = BigUint> {
    first: Fighter<W>,
    second: Fighter<W>,
    /// The names of both, for reports.
    names: Option<[String; 2]>,
    limit: u64,
}

impl<W: Number> Duel<W> {
    /// Creates a duel between these two; the first acts first.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let slayer = Fighter::new(1, Dist::certain(1))?; // never misses
    /// let duel = Duel::new(slayer.clone(), slayer);
    /// assert_eq!(duel.ending()?.chance(Winner::First).to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(first: Fighter<W>, second: Fighter<W>) -> Self {
        Duel {
            first,
            second,
            names: None,
            limit: DEFAULT_LIMIT,
        }
    }

    /// Sets the names of both, which a [report](Duel::report) uses. Duels of creatures with
    /// [stat blocks](Combatant::duel) have theirs.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let duel = Duel::new(rat.clone(), rat).names("Tom", "Jerry");
    /// assert!(duel.report(1)?.to_string().contains("\nJerry wins with 33.33 %"));
    /// assert!(duel.swapped().report(1)?.to_string().contains("\nTom wins with 33.33 %"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn names(mut self, first: impl Into<String>, second: impl Into<String>) -> Self {
        self.names = Some([first.into(), second.into()]);
        self
    }

    /// Limits the memory of the duel, in words of 64 bits, and its time: 256 operations on words for
    /// each. The default is [`DEFAULT_LIMIT`]. A computation that needs more of either is rejected
    /// before it starts.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let giant = Fighter::new(500, Dist::die(6)?)?;
    /// let duel = Duel::new(giant.clone(), giant).max_words(1_000);
    /// assert!(duel.ending().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "limit")]
    pub fn max_words(mut self, words: u64) -> Self {
        self.limit = words;
        self
    }

    /// Returns the fighter who acts first.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let duel = Duel::new(Fighter::new(3, Dist::die(4)?)?, Fighter::new(7, Dist::die(4)?)?);
    /// assert_eq!(duel.first().hit_points(), 3);
    /// assert_eq!(duel.swapped().first().hit_points(), 7);
    /// assert_eq!(duel.second().hit_points(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first(&self) -> &Fighter<W> {
        &self.first
    }

    /// Returns the fighter who acts second.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let duel = Duel::new(Fighter::new(52, Dist::die(12)?)?, Fighter::new(59, Dist::die(8)?)?);
    /// assert_eq!(duel.second().hit_points(), 59);
    /// assert_eq!(duel.second().phases()[0].damage().max(), &8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn second(&self) -> &Fighter<W> {
        &self.second
    }

    /// Returns the duel in which the other fighter acts first and is [`Winner::First`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let cat = Fighter::new(2, Dist::certain(1))?; // never misses
    /// let duel = Duel::new(cat, rat).swapped();
    /// assert_eq!(duel.second().hit_points(), 2);
    /// assert_eq!(duel.ending()?.chance(Winner::Second).to_string(), "1"); // the cat
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn swapped(&self) -> Self {
        Duel {
            first: self.second.clone(),
            second: self.first.clone(),
            names: self.names.clone().map(|[first, second]| [second, first]),
            limit: self.limit,
        }
    }

    /// Returns W, C and L after every round up to `count`, where C is the chance that the duel goes
    /// on: Jørgensen's sections 2 and 4.
    ///
    /// Round 0 is the beginning, so row n is v_n. Since the sides do not interfere with each other,
    /// C_n = S_A(n) S_B(n), where S(n) is the chance that n turns do not fell the target. Each side
    /// is followed separately, through its survivors.
    ///
    /// # Errors
    /// Before any work, if the [limit](Duel::max_words) is exceeded: [`Error::TooManyRounds`], or
    /// [`Error::DuelTooLarge`] if not even one round is possible.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let brawler = Fighter::new(2, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let rounds = Duel::new(brawler.clone(), brawler).rounds(3)?;
    /// assert_eq!(rounds.len(), 4);
    /// assert_eq!(rounds[2].won().to_string(), "1/4");
    /// assert_eq!(rounds[2].open().to_string(), "9/16");
    /// assert_eq!(rounds[2].lost().to_string(), "3/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    /// O(rounds · hit points · outcomes) on numbers that grow with the rounds, and one fraction in
    /// lowest terms for each row and column.
    pub fn rounds(&self, count: u64) -> Result<Rounds<W>, Error> {
        rounds::with_partdist(self, count)
    }

    /// Returns the same without `partdist`. Damage is added up as if everybody had stood until now,
    /// so survivors are credited with damage that would have felled them. Jørgensen's section 4.1
    /// warns of this; the method shows how large the error is.
    ///
    /// The matrices are then built with w_n = P(n turns deal at least the hit points), and C_n = Π
    /// S_A(m) S_B(m).
    ///
    /// # Errors
    /// As for [`rounds`](Duel::rounds), and sooner: exact rows are products over all rounds before
    /// them, and about 200 rounds are the limit.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, activate};
    ///
    /// let fighter = Fighter::new(40, activate(&Dist::ndice(2, 6)?, 5, 18, 7)?)?;
    /// let duel = Duel::new(fighter.clone(), fighter).to_f64();
    /// let (right, wrong) = (duel.rounds(10)?, duel.rounds_without_partdist(10)?);
    /// assert!((wrong[10].won() - 0.594_410_778_782_669_3).abs() < 1e-12);
    /// assert!(wrong[10].won() - right[10].won() > 0.05); // five points too many
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rounds_without_partdist(&self, count: u64) -> Result<Rounds<W>, Error> {
        rounds::without_partdist(self, count)
    }

    /// Returns the distribution of the number of rounds of the duel: exactly 1 to `count`, or more.
    ///
    /// # Errors
    /// As for [`rounds`](Duel::rounds).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::{Dist, Steps};
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let brawler = Fighter::new(2, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let lengths = Duel::new(brawler.clone(), brawler).lengths(2)?;
    /// assert_eq!(lengths.support(), [Steps::Exactly(2), Steps::MoreThan(2)]);
    /// assert_eq!(lengths.p(&Steps::Exactly(2)).to_string(), "7/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lengths(&self, count: u64) -> Result<Dist<Steps, W>, Error> {
        rounds::lengths(self, count)
    }

    /// Returns how the duel ends if it is fought to the end: the joint distribution of the winner
    /// and his hit points left, and the length of the duel.
    ///
    /// Without healing and with turns in a fixed order, the sides are computed separately: first
    /// the hits of each side, then the race between the hits. Otherwise the duel is an absorbing
    /// Markov chain over both hit points and phases. That takes far longer and is meant for small
    /// duels.
    ///
    /// # Errors
    /// [`Error::NeverEnds`] if the duel may go on forever, [`Error::DuelTooLarge`] beyond the
    /// [limit](Duel::max_words), and the errors of [`Chain`](oddsmith_dice::Chain).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let claw = Fighter::new(3, Dist::from_weights([(0, 1), (1, 1)])?)?; // 1 of 3, half the time
    /// let ending = Duel::new(claw.clone(), claw).ending()?;
    /// assert_eq!(ending.chance(Winner::First).to_string(), "46/81");
    /// assert_eq!(ending.law().p(&(Winner::First, 3)).to_string(), "2/27");
    /// assert_eq!(ending.expected_rounds().to_string(), "380/81");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Complexity
    /// If up to n hits of the first and m of the second side may be needed, with h hit points and s
    /// outcomes: O((n + m) h s) for the hits, O(n m) for the race, O((n + m) h) for the
    /// distribution, all on numbers of O(n + m) words.
    #[doc(alias = "win")]
    pub fn ending(&self) -> Result<Ending<W>, Error> {
        if self.first.in_order() && self.second.in_order() && !self.heals() {
            ending::by_hits(self)
        } else {
            chain::ending(self)
        }
    }

    /// Returns how the duel ends if initiative decides who acts first. The fighters keep their
    /// names: [`Winner::First`] is the one given first, whoever acts first.
    ///
    /// # Errors
    /// As for [`ending`](Duel::ending).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Initiative, Winner};
    ///
    /// let slayer = Fighter::new(5, Dist::die(4)?.shift(10)?)?; // whoever acts first wins
    /// let duel = Duel::new(slayer.clone(), slayer);
    /// let initiative = Initiative::new(3, 1);
    /// let ending = duel.ending_by(&initiative)?;
    /// assert_eq!(ending.chance(Winner::First).to_string(), "247/400");
    /// assert_eq!(duel.to_f64().ending_by(&initiative)?.chance(Winner::First), 0.6175);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ending_by(&self, initiative: &Initiative) -> Result<Ending<W>, Error> {
        let coin = W::twin(initiative.law()?);
        ending::mixed(&self.ending()?, &self.swapped().ending()?, &coin)
    }

    /// Returns W, C and L after every round up to `count` if initiative decides who acts first.
    /// There is one row for each round from 0, and W is that of the fighter given first.
    ///
    /// The table is the mixture of two tables. No matrices M_n and Y_n lead from row to row here,
    /// since the information about who acts first changes on the way.
    ///
    /// # Errors
    /// As for [`rounds`](Duel::rounds).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Initiative};
    ///
    /// let brawler = Fighter::new(2, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let table = Duel::new(brawler.clone(), brawler).table_by(&Initiative::new(0, 0), 2)?;
    /// assert_eq!(table.dim(), (3, 3));
    /// assert_eq!(table[[2, 0]], table[[2, 2]]); // neither is better
    /// assert_eq!(table[[2, 1]].to_string(), "9/16");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn table_by(&self, initiative: &Initiative, count: u64) -> Result<Array2<W::Ratio>, Error> {
        let coin = W::twin(initiative.law()?);
        let (chance, rest) = (coin.p(&true), coin.p(&false));
        let (given, swapped) = (
            self.rounds(count)?.table(),
            self.swapped().rounds(count)?.table(),
        );
        Ok(Array2::from_shape_fn(given.dim(), |(row, column)| {
            // W of one side is L of the other.
            let sum = given[[row, column]].clone() * chance.clone()
                + swapped[[row, 2 - column]].clone() * rest.clone();
            // Floats may round a certain event to more than that.
            let one: W::Ratio = num_traits::One::one();
            if sum > one { one } else { sum }
        }))
    }

    #[cfg(feature = "serde")]
    pub(crate) fn given_names(&self) -> Option<&[String; 2]> {
        self.names.as_ref()
    }

    pub(crate) fn heals(&self) -> bool {
        self.first.healing().is_some() || self.second.healing().is_some()
    }
}

impl Duel {
    /// Returns the same duel in floats.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Winner};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let duel = Duel::new(rat.clone(), rat).to_f64();
    /// assert_eq!(duel.rounds(1)?[1].won(), &0.5);
    /// assert!((duel.ending()?.chance(Winner::First) - 2.0 / 3.0).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> Duel<f64> {
        Duel {
            first: self.first.to_f64(),
            second: self.second.to_f64(),
            names: self.names.clone(),
            limit: self.limit,
        }
    }
}
