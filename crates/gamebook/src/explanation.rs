//! Explanations of advice: what each option may lead to.

use std::fmt;

use num_traits::{Num, ToPrimitive};

use crate::plan::percent;
use crate::{Advice, Place};

/// What to do at a place, and why: for each option, the places it may lead to with their
/// probabilities and values.
///
/// Created by [`BookPlan::explain`](crate::BookPlan::explain), or for long books by
/// [`BookSolver::explain`](crate::BookSolver::explain).
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::Book;
///
/// let book = Book::builder()
///     .choice(1, [("the bridge", 2), ("the ford", 3)])
///     .luck(2, 4, 5)
///     .skill(3, 4, 5)
///     .won(4)
///     .lost(5)
///     .build()?;
/// let plan = book.solve(&Hero::new(7, 14, 8)?)?;
/// let why = plan.explain(&plan.start())?.ok_or("a choice")?;
/// assert_eq!(why.to_string(), "\
/// section 1 (skill 7, stamina 14, luck 8)
///   the bridge: turn to 2, 72.22 %
///     section 2 (skill 7, stamina 14, luck 8), worth 72.22 %
///   the ford: turn to 3, 13.89 points less
///     section 3 (skill 7, stamina 14, luck 8), worth 58.33 %
/// ");
/// assert_eq!(why.outcomes(0)[0].value.to_string(), "13/18");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<V> {
    pub(crate) advice: Advice<V>,
    /// By option.
    pub(crate) outcomes: Vec<Vec<Outcome<V>>>,
}

/// A place that an option may lead to.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::Book;
/// # use oddsmith_fightingfantasy::Hero;
///
/// let book = Book::builder().choice(1, [("test it", 2), ("go", 4)]).luck(2, 3, 4).won(3).lost(4).build()?;
/// let plan = book.solve(&Hero::new(7, 14, 9)?)?;
/// let why = plan.explain(&plan.start())?.ok_or("a choice")?;
/// let tested = &why.outcomes(0)[0];
/// assert_eq!(tested.words, "section 2 (skill 7, stamina 14, luck 9)");
/// assert_eq!((tested.chance.to_string(), tested.value.to_string()), ("1".into(), "5/6".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome<V> {
    /// The place.
    pub place: Place,
    /// The place in words.
    pub words: String,
    /// The probability of the place.
    pub chance: V,
    /// The chance to win by best play from there. Where the option leads back to its own place,
    /// this is the value of taking the option again and again.
    pub value: V,
}

impl<V> Explanation<V> {
    /// Returns the options, with their values and gaps.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().choice(1, [("a", 2), ("b", 3)]).won(2).lost(3).build()?;
    /// let plan = book.solve(&Hero::new(7, 14, 8)?)?;
    /// let why = plan.explain(&plan.start())?.ok_or("a choice")?;
    /// assert_eq!(Some(why.advice()), plan.first_choice()?.as_ref());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn advice(&self) -> &Advice<V> {
        &self.advice
    }

    /// Returns what an option may lead to, the likeliest first. The option is given by its number
    /// in [`Advice::options`]. The result is empty for an unknown number, and for an option that
    /// only leads back.
    ///
    /// # Examples
    /// An option that is followed by chance:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::{Amount, Book, Choice, Effect, Manuscript, Passage, Play, Section};
    ///
    /// let mut book = Manuscript::new("ice");
    /// let slip = Passage { effects: vec![Effect::change("stamina", "-1d6".parse::<Amount>()?)], ..Passage::to(2) };
    /// let options = vec![Choice::new("run", slip), Choice::new("walk", Passage::to(3))];
    /// book.sections = vec![
    ///     Section::new(1, Play::Choice(options).into()),
    ///     Section::new(2, Passage::won()),
    ///     Section::new(3, Passage::lost()),
    /// ];
    /// let plan = Book::new(book)?.solve(&Hero::new(7, 3, 8)?)?;
    /// let why = plan.explain(&plan.start())?.ok_or("a choice")?;
    /// let [dead, hurt, worse] = why.outcomes(0) else {
    ///     return Err("three ways to slip".into());
    /// };
    /// assert_eq!((dead.chance.to_string(), dead.value.to_string()), ("2/3".into(), "0".into()));
    /// assert_eq!((hurt.chance.to_string(), hurt.value.to_string()), ("1/6".into(), "1".into()));
    /// assert_eq!(worse.value.to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcomes(&self, option: usize) -> &[Outcome<V>] {
        self.outcomes.get(option).map_or(&[], Vec::as_slice)
    }
}

/// The most outcomes listed, unless there is only one more.
const LISTED: usize = 6;

/// Writes the [advice](Advice), the option decided for first, and below each option what it may
/// lead to. Of more than seven places, six are listed.
impl<V: ToPrimitive + Num + PartialOrd> fmt::Display for Explanation<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.advice.words)?;
        for option in self.advice.order() {
            self.advice.write_option(option, f)?;
            let outcomes = self.outcomes(option);
            let listed = match outcomes.len() {
                few if few <= LISTED + 1 => few,
                _ => LISTED,
            };
            for outcome in &outcomes[..listed] {
                let (words, worth) = (&outcome.words, percent(&outcome.value));
                match outcomes.len() {
                    1 => writeln!(f, "    {words}, worth {worth}")?,
                    _ => writeln!(
                        f,
                        "    {}: {words}, worth {worth}",
                        percent(&outcome.chance)
                    )?,
                }
            }
            if outcomes.len() > listed {
                writeln!(f, "    … and {} more", outcomes.len() - listed)?;
            }
        }
        Ok(())
    }
}
