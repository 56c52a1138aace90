//! Comparisons of two heroes or two options.

use std::fmt;

use crate::plan::percent;
use crate::{Advice, Error, Move, Probability};

/// Two chances side by side.
///
/// # Examples
/// What two points of LUCK are worth, by any solver:
/// ```
/// use num_rational::BigRational;
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::{Book, Comparison, Error};
///
/// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
/// let best = |hero: Hero| -> Result<BigRational, Error> { Ok(book.solve(hero)?.value()) };
/// let heroes = [("LUCK 9", Hero::new(7, 14, 9)?), ("LUCK 7", Hero::new(7, 14, 7)?)];
/// let luck = Comparison::of(heroes, best)?;
/// assert_eq!(luck.difference().to_string(), "1/4"); // 30 and 21 of 36
/// assert_eq!(luck.ratio().ok_or("none")?.to_string(), "10/7");
/// assert_eq!(luck.to_string(), "LUCK 9: 83.33 %; LUCK 7: 58.33 %; difference 25.00 %, ratio 1.429");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<V = f64> {
    names: [String; 2],
    values: [V; 2],
}

impl<V: Probability> Comparison<V> {
    /// Creates a comparison of two named values.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Comparison;
    /// let streets = Comparison::new(("Key Street", 0.5), ("Clock Street", 0.25));
    /// assert_eq!((streets.difference(), streets.ratio()), (0.25, Some(2.0)));
    /// ```
    pub fn new(one: (impl Into<String>, V), other: (impl Into<String>, V)) -> Self {
        Comparison {
            names: [one.0.into(), other.0.into()],
            values: [one.1, other.1],
        }
    }

    /// Computes the values of two heroes, or of any two other things, and compares them.
    ///
    /// # Errors
    /// The errors of `value`.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Comparison};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let chance = |luck| book.solve(Hero::new(7, 14, luck)?).map(|plan| plan.value());
    /// let luck = Comparison::of([("LUCK 8", 8), ("LUCK 6", 6)], chance)?;
    /// assert_eq!(luck.values().each_ref().map(ToString::to_string), ["13/18", "5/12"]); // 26 and 15 of 36
    /// # Ok::<(), oddsmith_gamebook::Error>(())
    /// ```
    pub fn of<T, E>(
        things: [(&str, T); 2],
        mut value: impl FnMut(T) -> Result<V, E>,
    ) -> Result<Self, E> {
        let [(one, first), (other, second)] = things;
        Ok(Comparison::new(
            (one, value(first)?),
            (other, value(second)?),
        ))
    }

    /// Returns the names.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Comparison;
    /// assert_eq!(Comparison::new(("a", 0.5), ("b", 0.25)).names(), ["a", "b"]);
    /// ```
    #[must_use]
    pub fn names(&self) -> [&str; 2] {
        [&self.names[0], &self.names[1]]
    }

    /// Returns the values.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Comparison;
    /// assert_eq!(Comparison::new(("a", 0.5), ("b", 0.25)).values(), &[0.5, 0.25]);
    /// ```
    #[must_use]
    pub fn values(&self) -> &[V; 2] {
        &self.values
    }

    /// Returns the first value minus the second.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Comparison;
    /// assert_eq!(Comparison::new(("stairs", 0.25), ("well", 0.75)).difference(), -0.5);
    /// ```
    #[must_use]
    pub fn difference(&self) -> V {
        self.values[0].clone() - self.values[1].clone()
    }

    /// Returns the first value divided by the second, or `None` if the second is 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Comparison;
    /// assert_eq!(Comparison::new(("well", 0.75), ("stairs", 0.25)).ratio(), Some(3.0));
    /// assert_eq!(Comparison::new(("well", 0.75), ("pit", 0.0)).ratio(), None);
    /// ```
    #[must_use]
    pub fn ratio(&self) -> Option<V> {
        let [one, other] = &self.values;
        (!other.is_zero()).then(|| one.clone() / other.clone())
    }
}

/// Writes one line, with probabilities as percent, and the ratio if it is finite as a float.
impl<V: Probability> fmt::Display for Comparison<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.names.iter().zip(&self.values) {
            write!(f, "{name}: {}; ", percent(value))?;
        }
        write!(f, "difference {}", percent(&self.difference()))?;
        match self.ratio().and_then(|ratio| ratio.to_f64()) {
            // A tiny ratio must not show as zero.
            Some(hardly) if hardly < 0.000_5 && !self.values[0].is_zero() => {
                f.write_str(", ratio < 0.001")
            }
            Some(ratio) if ratio.is_finite() => write!(f, ", ratio {ratio:.3}"),
            _ => Ok(()),
        }
    }
}

/// Selects an option of a choice by its label, or by the section it turns to.
///
/// # Examples
/// ```
/// use oddsmith_gamebook::{Move, Pick};
/// assert!(Pick::from("run").is(&Move::Run));
/// assert!(!Pick::from(17).is(&Move::Run));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// The option's label.
    Label(String),
    /// The section it turns to.
    Target(u32),
}

impl Pick {
    /// Returns whether it selects this move.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Pick};
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("climb", 2), ("swim", 3)]).won(2).lost(3).build()?;
    /// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
    /// let advice = plan.first_choice()?.ok_or("a choice")?;
    /// let climb = &advice.options()[0].action;
    /// assert_eq!([Pick::from("climb"), Pick::from(2), Pick::from(3)].map(|pick| pick.is(climb)), [true, true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is(&self, what: &Move) -> bool {
        match self {
            Pick::Label(label) => what.label() == label,
            Pick::Target(target) => what.target() == Some(*target),
        }
    }
}

impl From<&str> for Pick {
    fn from(label: &str) -> Self {
        Pick::Label(label.to_owned())
    }
}

impl From<u32> for Pick {
    fn from(target: u32) -> Self {
        Pick::Target(target)
    }
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pick::Label(label) => write!(f, "\"{label}\""),
            Pick::Target(target) => write!(f, "turn to {target}"),
        }
    }
}

impl<V: Probability> Advice<V> {
    /// Compares two of the options, each given by its label or by the section it turns to. If
    /// several match, the first is taken.
    ///
    /// # Errors
    /// [`Error::NoSuchOption`] if no option matches.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder()
    ///     .choice(1, [("avoid the monster", 2), ("fight it", 3)])
    ///     .chance(2, [(5, 8), (6, 2)])
    ///     .chance(3, [(4, 9), (6, 1)])
    ///     .chance(4, [(5, 9), (6, 1)])
    ///     .won(5)
    ///     .lost(6)
    ///     .build()?;
    /// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
    /// let advice = plan.first_choice()?.ok_or("a choice")?;
    /// let compared = advice.compare("fight it", 2)?;
    /// assert_eq!(compared.difference().to_string(), "1/100"); // 81/100 and 4/5
    /// let error = advice.compare("fly", 2).unwrap_err();
    /// assert_eq!(error.to_string(), "section 1 has no open option \"fly\"; open options: \
    ///     avoid the monster: turn to 2, fight it: turn to 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compare(
        &self,
        one: impl Into<Pick>,
        other: impl Into<Pick>,
    ) -> Result<Comparison<V>, Error> {
        let find = |pick: Pick| {
            let mut options = self.options().iter();
            let found = options.find(|option| pick.is(&option.action));
            let found = found.map(|option| (option.action.to_string(), option.value.clone()));
            found.ok_or_else(|| Error::NoSuchOption {
                section: self.place().section(),
                option: pick.to_string(),
                open: self
                    .options()
                    .iter()
                    .map(|option| option.action.to_string())
                    .collect(),
            })
        };
        Ok(Comparison::new(find(one.into())?, find(other.into())?))
    }
}
