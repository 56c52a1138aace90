//! The plan of a solved book.

use std::fmt;

use num_traits::{Num, ToPrimitive};
use oddsmith_mdp::{Appraisal, Exact, Node, Number, Solution, Solver};

use crate::explanation::{Explanation, Outcome};
use crate::journey::chance;
use crate::journey::marked::{Marked, Marking, Stage};
use crate::{BookGame, Error, Move, Place};

/// The best way to play a book: its value, and what to do wherever the reader may arrive.
///
/// `N` is [`Exact`] or [`Float`](oddsmith_mdp::Float).
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::Book;
///
/// let book = Book::builder()
///     .choice(1, [("bridge", 2), ("ford", 3)])
///     .fight(2, Foe::new(7, 2)?, 4)
///     .luck(3, 4, 5)
///     .won(4)
///     .lost(5)
///     .build()?;
/// // One blow decides the fight; LUCK 8 passes 26 times in 36.
/// let plan = book.solve(&Hero::new(7, 2, 8)?)?;
/// assert_eq!(plan.value().to_string(), "13/18");
/// let first = plan.first_choice()?.ok_or("a choice")?;
/// assert_eq!((first.label(), first.target()), ("ford", Some(3)));
/// assert_eq!(plan.visits(2)?.to_string(), "0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BookPlan<N: Number = Exact> {
    solution: Solution<'static, BookGame, N>,
    start: Place,
}

impl<N: Number> BookPlan<N> {
    pub(crate) fn new(solution: Solution<'static, BookGame, N>, start: Place) -> Self {
        BookPlan { solution, start }
    }

    /// Returns the chance to win from the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// assert_eq!(book.solve(&Hero::new(7, 14, 9)?)?.value().to_string(), "5/6"); // 30/36
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "win")]
    pub fn value(&self) -> N::Value {
        chance(self.solution.value())
    }

    /// Returns [`value`](BookPlan::value) as a float.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().chance(1, [(2, 3), (3, 1)]).won(2).lost(3).build()?;
    /// assert_eq!(book.solve(&Hero::new(7, 14, 7)?)?.value_f64(), 0.75);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value_f64(&self) -> f64 {
        self.value().to_f64().unwrap_or(f64::NAN)
    }

    /// Returns a bound on the absolute rounding error of [`value`](BookPlan::value); 0 in
    /// fractions.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    /// use oddsmith_mdp::Solver;
    ///
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// let hero = Hero::new(7, 14, 9)?;
    /// let plan = book.solve_with(&hero, Solver::float())?;
    /// assert!((plan.value() - 5.0 / 6.0).abs() <= plan.error() && plan.error() < 1e-14);
    /// assert_eq!(book.solve(&hero)?.error(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> f64 {
        // The start always has a value.
        self.solution.error(&self.start).unwrap_or(f64::INFINITY)
    }

    /// Returns the place the adventure starts in.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let plan = Book::builder().won(1).build()?.solve(&Hero::new(7, 14, 8)?)?;
    /// assert_eq!(plan.start(), plan.solution().game().start());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> Place {
        self.start
    }

    /// Returns what to do at a place, and by what margin it is best, or `None` if there is nothing
    /// to choose. An option that only stays at the place has the value of the place.
    ///
    /// # Errors
    /// [`Error::Solve`] for a place that cannot be reached from the start.
    ///
    /// # Examples
    /// There is a choice at the river and none on the bridge:
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("bridge", 2), ("ford", 4)]).chance(2, [(3, 1), (4, 2)]);
    /// let plan = book.won(3).lost(4).build()?.solve(&Hero::new(7, 14, 7)?)?;
    /// let river = plan.advice(&plan.start())?.ok_or("a choice")?;
    /// assert_eq!((river.label(), river.lead().to_string()), ("bridge", "1/3".into()));
    /// let bridge = plan.solution().game().start_at(2)?;
    /// assert_eq!(plan.advice(&bridge)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advice(&self, place: &Place) -> Result<Option<Advice<N::Value>>, Error> {
        let options = self.options(place)?;
        let options = options.into_iter().map(|(option, _)| option);
        Ok(self.advised(place, options.collect()))
    }

    /// Returns what to do at a place, by what margin it is best, and what every option may lead to,
    /// or `None` if there is nothing to choose.
    ///
    /// # Errors
    /// [`Error::Solve`] for a place that cannot be reached from the start.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("bridge", 2), ("ford", 4)]).chance(2, [(3, 1), (4, 2)]);
    /// let plan = book.won(3).lost(4).build()?.solve(&Hero::new(7, 14, 7)?)?;
    /// let why = plan.explain(&plan.start())?.ok_or("a choice")?;
    /// let [bridge, ford] = [0, 1].map(|option| why.outcomes(option)[0].value.to_string());
    /// assert_eq!((bridge.as_str(), ford.as_str()), ("1/3", "0"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, place: &Place) -> Result<Option<Explanation<N::Value>>, Error> {
        let explained = self.solution.explain(place)?;
        let (mut options, mut outcomes) = (Vec::new(), Vec::new());
        for (option, known) in self.options(place)? {
            let prospect = known.and_then(|number| explained.prospects.get(number));
            let found = prospect.iter().flat_map(|prospect| &prospect.outcomes);
            let found = found.map(|outcome| Outcome {
                place: outcome.state,
                words: outcome.words.clone(),
                chance: outcome.chance.clone(),
                value: outcome.value.clone(),
            });
            outcomes.push(found.collect());
            options.push(option);
        }
        let advice = self.advised(place, options);
        Ok(advice.map(|advice| Explanation { advice, outcomes }))
    }

    fn advised(
        &self,
        place: &Place,
        options: Vec<Appraisal<Move, N::Value>>,
    ) -> Option<Advice<N::Value>> {
        (options.len() > 1).then(|| Advice {
            place: *place,
            words: self.solution.game().describe(place),
            options,
        })
    }

    /// The options at a place, each with its number in the solution.
    fn options(&self, place: &Place) -> Result<Vec<Numbered<N::Value>>, Error> {
        let node = Node::of(self.solution.game(), place)?;
        // The solver drops options that certainly lead back to the same place.
        let mut known = self.solution.choices(place)?.into_iter().enumerate();
        let mut options = Vec::new();
        for choice in 0..node.len() {
            let back = node.wide_outcomes(choice).all(|(to, _)| to == place);
            let appraised = match node.action(choice).filter(|_| back) {
                Some(action) => {
                    let value = self.solution.value_of(place)?;
                    let gap = value.clone() - value.clone();
                    Some((Appraisal::new(action.clone(), value, gap, true), None))
                }
                None => known.next().map(|(number, option)| (option, Some(number))),
            };
            options.extend(appraised);
        }
        Ok(options)
    }

    /// Returns what to do at the first choice of best play, or `None` if there is none on the way.
    /// Where chance moves before it, the way is that of the [walk-through](BookPlan::walkthrough).
    ///
    /// # Errors
    /// None, unless the game answers differently from when it was solved.
    ///
    /// # Examples
    /// The first section asks nothing of the reader:
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("on", 2)]).choice(2, [("up", 3), ("down", 4)]).won(3).lost(4);
    /// let plan = book.build()?.solve(&Hero::new(7, 14, 7)?)?;
    /// let first = plan.first_choice()?.ok_or("a choice")?;
    /// assert_eq!((first.place().section(), first.label()), (2, "up"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_choice(&self) -> Result<Option<Advice<N::Value>>, Error> {
        for passed in self.way()? {
            if let Some(advice) = self.advice(&passed.place)? {
                return Ok(Some(advice));
            }
        }
        Ok(None)
    }

    /// Returns all reachable places at the beginning of a section, in ascending order, with the
    /// chance to win from each.
    ///
    /// # Errors
    /// [`Error::NoSuchSection`] if the book has no such section.
    ///
    /// # Examples
    /// The best choice can depend on what a fight has left:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder()
    ///     .fight(1, Foe::new(7, 2)?, 2)
    ///     .choice(2, [("fight on", 3), ("jump", 4)])
    ///     .fight(3, Foe::new(7, 2)?, 5)
    ///     .chance(4, [(5, 5), (6, 3)])
    ///     .won(5)
    ///     .lost(6)
    ///     .build()?;
    /// let plan = book.solve(&Hero::new(7, 4, 7)?)?;
    /// let mut found = Vec::new();
    /// for (place, value) in plan.places(2)? {
    ///     let advice = plan.advice(&place)?.ok_or("a choice")?;
    ///     let place = plan.solution().game().describe(&place);
    ///     found.push(format!("{place}: {value}, {} by {}", advice.label(), advice.lead()));
    /// }
    /// assert_eq!(found, [
    ///     "section 2 (skill 7, stamina 2, luck 7): 5/8, jump by 1/8",
    ///     "section 2 (skill 7, stamina 4, luck 7): 3/4, fight on by 1/8",
    /// ]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn places(&self, section: u32) -> Result<Vec<(Place, N::Value)>, Error> {
        let scene = self.solution.game().start_at(section)?.scene;
        let states = self.solution.states();
        let mut places: Vec<_> = states
            .filter(|(place, _)| place.scene == scene && place.step == 0)
            .map(|(place, value)| (place, chance(value)))
            .collect();
        places.sort_by_key(|(place, _)| *place);
        Ok(places)
    }

    /// Returns the probability that best play arrives at a section, at least once.
    ///
    /// # Errors
    /// [`Error::NoSuchSection`] if the book has no such section.
    ///
    /// # Complexity
    /// One pass over the outcomes of best play up to the section.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().fight(1, Foe::new(7, 2)?, 2).luck(2, 3, 4).won(3).lost(4).build()?;
    /// let plan = book.solve(&Hero::new(7, 2, 7)?)?;
    /// assert_eq!(plan.visits(2)?.to_string(), "1/2");
    /// assert_eq!(plan.visits(4)?.to_string(), "5/24"); // 1/2 · 15/36; the other half died in 1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visits(&self, section: u32) -> Result<N::Value, Error> {
        let game = self.solution.game();
        game.start_at(section)?;
        let marked = Marked::until(game, section);
        let policy = self.solution.policy();
        let begin = Stage::arrival(self.start);
        // Each place occurs at most twice: on arrival, and later within the section.
        let states = self.solution.len().saturating_mul(2);
        let solver = Solver::<N>::default()
            .max_states(states)
            .max_outcomes(usize::MAX)
            .max_bytes(u128::MAX);
        let evaluation = solver.evaluate(&marked, Marking(&policy), begin)?;
        Ok(chance(evaluation.value()))
    }

    /// Returns the underlying solution.
    ///
    /// # Examples
    /// How the adventure ends, and with how much STAMINA:
    /// ```
    /// use oddsmith_fightingfantasy::{Foe, Hero};
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().fight(1, Foe::new(7, 2)?, 2).won(2).build()?;
    /// let plan = book.solve(&Hero::new(7, 4, 7)?)?;
    /// let game = plan.solution().game();
    /// let left = plan.solution().forecast()?.ends_by(|end| game.stat(end, "stamina"))?;
    /// assert_eq!([0, 2, 4].map(|s| left.p(&Some(s)).to_string()), ["1/4", "1/4", "1/2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn solution(&self) -> &Solution<'static, BookGame, N> {
        &self.solution
    }
}

/// What to do at a choice.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::Hero;
/// use oddsmith_gamebook::Book;
///
/// let book = Book::builder()
///     .choice(1, [("left", 2), ("middle", 3), ("right", 4)])
///     .chance(2, [(5, 1), (6, 1)])
///     .chance(3, [(5, 3), (6, 1)])
///     .lost(4)
///     .won(5)
///     .lost(6)
///     .build()?;
/// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
/// let advice = plan.first_choice()?.ok_or("a choice")?;
/// assert_eq!((advice.label(), advice.lead().to_string()), ("middle", "1/4".into()));
/// assert_eq!(advice.to_string(), "\
/// section 1 (skill 7, stamina 14, luck 7)
///   middle: turn to 3, 75.00 %
///   left: turn to 2, 25.00 points less
///   right: turn to 4, 75.00 points less
/// ");
/// // For other programs, with the feature `serde`:
/// # #[cfg(feature = "serde")] {
/// let json = serde_json::to_value(&advice)?;
/// assert_eq!(json["options"][1]["action"], serde_json::json!({"kind": "turn", "label": "middle", "to": 3}));
/// assert_eq!(json["options"][1]["value"], "3/4");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Advice<V> {
    place: Place,
    /// The place in words.
    pub(crate) words: String,
    /// At least two options.
    options: Vec<Appraisal<Move, V>>,
}

/// An option, with its number in the solution if it has one.
type Numbered<V> = (Appraisal<Move, V>, Option<usize>);

impl Advice<f64> {
    /// From options with values and error bounds; at least one.
    pub(crate) fn of(game: &BookGame, place: Place, options: Vec<(Move, f64, f64)>) -> Self {
        let best = options.iter().map(|option| option.1).fold(0.0, f64::max);
        let off = options.iter().filter(|option| option.1 == best);
        let off = off.map(|option| option.2).fold(0.0, f64::max);
        let appraised = options.into_iter().map(|(action, value, error)| {
            let gap = best - value;
            Appraisal::new(action, value, gap, gap <= error + off)
        });
        let mut advice = Advice {
            place,
            words: game.describe(&place),
            options: appraised.collect(),
        };
        if let Some(first) = advice.options.iter_mut().find(|option| option.optimal) {
            first.decided = true;
        }
        advice
    }
}

impl<V> Advice<V> {
    /// The numbers of the options in the order of display: the one decided for comes first.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.options.len()).collect();
        order.sort_by_key(|number| !self.options[*number].decided);
        order
    }

    /// Whether several options are best.
    pub(crate) fn is_tie(&self) -> bool {
        self.options.iter().filter(|option| option.optimal).count() > 1
    }

    /// The number of the first best option with this action.
    pub(crate) fn number(&self, action: &Move) -> Option<usize> {
        let mut options = self.options.iter();
        options.position(|option| option.optimal && option.action == *action)
    }

    /// Decides for the option with this number, if it is one of the best.
    pub(crate) fn decide(&mut self, number: usize) {
        if !self.options.get(number).is_some_and(|one| one.optimal) {
            return;
        }
        for (other, option) in self.options.iter_mut().enumerate() {
            option.decided = other == number;
        }
    }
}

impl<V: Clone + PartialOrd + std::ops::Sub<Output = V>> Advice<V> {
    /// Returns the place of the choice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().choice(1, [("a", 2), ("b", 2)]).won(2).build()?;
    /// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
    /// let advice = plan.first_choice()?.ok_or("a choice")?;
    /// assert_eq!(advice.place(), plan.start());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns all options in the order of the book, with their values and their gaps to the best
    /// one.
    ///
    /// # Examples
    /// Ties are marked as ties:
    /// ```
    /// use oddsmith_fightingfantasy::Hero;
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().choice(1, [("a", 2), ("b", 2)]).won(2).build()?;
    /// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
    /// let advice = plan.first_choice()?.ok_or("a choice")?;
    /// assert_eq!(advice.options().iter().filter(|option| option.optimal).count(), 2);
    /// assert_eq!((advice.label(), advice.lead().to_string()), ("a", "0".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn options(&self) -> &[Appraisal<Move, V>] {
        &self.options
    }

    /// Returns the label of the option decided for.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("a coin", 2), ("luck", 3)]).chance(2, [(4, 1), (5, 1)]).luck(3, 4, 5);
    /// let book = book.won(4).lost(5).build()?;
    /// let label = |luck| -> Result<_, Box<dyn std::error::Error>> {
    ///     let plan = book.solve(Hero::new(7, 14, luck)?)?;
    ///     Ok(plan.first_choice()?.ok_or("a choice")?.label().to_owned())
    /// };
    /// assert_eq!((label(6)?, label(7)?), ("a coin".into(), "luck".into())); // 15 and 21 of 36
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn label(&self) -> &str {
        self.best().action.label()
    }

    /// Returns the section it turns to, if it is a plain option.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    /// let book = Book::builder().choice(1, [("left", 22), ("right", 333)]).lost(22).won(333).build()?;
    /// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
    /// assert_eq!(plan.first_choice()?.ok_or("a choice")?.target(), Some(333));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn target(&self) -> Option<u32> {
        self.best().action.target()
    }

    /// Returns by how much the option decided for beats every other; 0 if another is as good.
    ///
    /// # Examples
    /// Only the second best option counts:
    /// ```
    /// use oddsmith_gamebook::Book;
    /// # use oddsmith_fightingfantasy::Hero;
    ///
    /// let book = Book::builder().choice(1, [("up", 2), ("down", 3), ("back", 5)]);
    /// let book = book.chance(2, [(4, 2), (5, 1)]).chance(3, [(4, 1), (5, 1)]).won(4).lost(5).build()?;
    /// let plan = book.solve(&Hero::new(7, 14, 7)?)?;
    /// let lead = plan.first_choice()?.ok_or("a choice")?.lead();
    /// assert_eq!(lead.to_string(), "1/6"); // 2/3 − 1/2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lead(&self) -> V {
        let best = self.best();
        let others = self.options.iter().filter(|option| !option.decided);
        let second = others.fold(
            None,
            |second: Option<&Appraisal<Move, V>>, next| match second {
                Some(second) if second.value >= next.value => Some(second),
                _ => Some(next),
            },
        );
        // A tie may be decided for a value that is lower by a rounding.
        let second = second.filter(|second| second.value < best.value);
        best.value.clone() - second.unwrap_or(best).value.clone()
    }

    /// The option decided for. The solver decides for one wherever there are options.
    fn best(&self) -> &Appraisal<Move, V> {
        let decided = self.options.iter().find(|option| option.decided);
        decided.unwrap_or(&self.options[0])
    }
}

/// Writes probabilities as percent and gaps as percentage points; the option decided for first, the
/// others in the order of the book.
impl<V: ToPrimitive + Num + PartialOrd> fmt::Display for Advice<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.words)?;
        let mut order = self.order().into_iter();
        order.try_for_each(|number| self.write_option(number, f))
    }
}

impl<V: ToPrimitive + Num + PartialOrd> Advice<V> {
    /// Writes the line of an option.
    pub(crate) fn write_option(&self, number: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let option = &self.options[number];
        let worth = match (option.decided, option.optimal) {
            (true, _) => percent(&option.value),
            (false, true) => format!("{}, just as good", percent(&option.value)),
            (false, false) => percent(&option.gap).replace('%', "points less"),
        };
        writeln!(f, "  {}, {worth}", option.action)
    }
}

/// Floats closer to 1 than this are taken for 1: so much may be lost by rounding.
const ROUNDED: f64 = 1e-12;

/// Whether numbers of this kind are rounded, as floats are.
fn are_rounded<V: Num>() -> bool {
    let half = |number: V| number / (V::one() + V::one());
    let tiny = (0..64).fold(V::one(), |tiny, _| half(tiny));
    V::one() + tiny == V::one()
}

/// Formats a probability, or a difference of two, as percent. A tiny positive number never shows as
/// 0 %, nor one just below 1 as 100 %, unless rounding may be all that is missing.
pub(crate) fn percent<V: ToPrimitive + Num + PartialOrd>(probability: &V) -> String {
    // A fraction may be closer to 0 or to 1 than any float.
    let (none, all) = (V::zero(), V::one());
    match probability.to_f64().unwrap_or(f64::NAN) {
        hardly if hardly < 0.000_05 && *probability > none => "< 0.01 %".to_owned(),
        hardly if hardly > -0.000_05 && *probability < none => "> -0.01 %".to_owned(),
        rounded if (rounded.abs() - 1.0).abs() < ROUNDED && are_rounded::<V>() => {
            format!("{:.2} %", 100.0 * rounded)
        }
        nearly if nearly >= 0.999_95 && *probability < all => "> 99.99 %".to_owned(),
        nearly if nearly <= -0.999_95 && *probability > V::zero() - V::one() => {
            "< -99.99 %".to_owned()
        }
        float => format!("{:.2} %", 100.0 * float),
    }
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;

    #[test]
    fn what_rounding_takes_from_certainty_does_not_show() {
        assert_eq!(percent(&(1.0 - 2.0 * f64::EPSILON)), "100.00 %");
        assert_eq!(percent(&(2.0 * f64::EPSILON - 1.0)), "-100.00 %");
        assert_eq!(percent(&(1.0 - 1e-9)), "> 99.99 %");
        assert_eq!(percent(&1e-15), "< 0.01 %");
        let nearly = BigRational::new((10_i64.pow(18) - 1).into(), 10_i64.pow(18).into());
        assert_eq!(percent(&nearly), "> 99.99 %");
    }
}
