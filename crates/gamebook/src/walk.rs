//! The walk-through: one line of best play, from the start to an ending.

use std::fmt;

use num_traits::{FromPrimitive, One, ToPrimitive, Zero};
use oddsmith_mdp::{Node, Number};

use crate::plan::percent;
use crate::{BookPlan, Error, Place, Section, Turn};

/// What happens in a section on a walk through the book.
///
/// # Examples
/// See [`WalkThrough`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deed {
    /// The reader takes this option.
    Turn(Turn),
    /// Dice decide.
    Chance,
    /// LUCK is tested.
    Luck,
    /// SKILL is tested.
    Skill,
    /// A foe is fought.
    Fight,
    /// The adventure has succeeded.
    Won,
    /// The adventure has failed.
    Lost,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Turn(turn) => f.write_str(turn.label()),
            Deed::Chance => f.write_str("chance decides"),
            Deed::Luck => f.write_str("test LUCK"),
            Deed::Skill => f.write_str("test SKILL"),
            Deed::Fight => f.write_str("fight"),
            Deed::Won => f.write_str("victory"),
            Deed::Lost => f.write_str("defeat"),
        }
    }
}

/// One section of a walk through the book.
///
/// # Examples
/// See [`WalkThrough`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step<V> {
    /// Where the reader is.
    pub place: Place,
    /// What happens there.
    pub deed: Deed,
    /// The chance that best play comes to this very place.
    pub reached: V,
    /// The chance to win from here.
    pub value: V,
}

/// A line of best play: at choices the best option, and where chance moves, the
/// outcome that the largest share of the victories goes on with (of equal ones
/// the first). Where nothing can be won any more, the likeliest outcome.
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Foe, Hero};
/// use oddsmith_gamebook::{Book, Deed};
///
/// let book = Book::builder()
///     .choice(1, [("bribe the guard", 2), ("fight him", 3)])
///     .chance(2, [(4, 1), (5, 3)])
///     .fight(3, Foe::new(7, 2)?, 4)
///     .won(4)
///     .lost(5)
///     .build()?;
/// let walk = book.solve(&Hero::new(7, 2, 7)?)?.walkthrough()?;
/// assert_eq!(walk.steps().len(), 3);
/// assert_eq!((&walk.steps()[2].deed, walk.steps()[2].reached.to_string()), (&Deed::Won, "1/2".into()));
/// assert_eq!(walk.to_string(), "\
/// section 1 (STAMINA 2, LUCK 7): fight him [reached 100.00 %, won from here 50.00 %]
/// section 3 (STAMINA 2, LUCK 7): fight [reached 100.00 %, won from here 50.00 %]
/// section 4 (STAMINA 2, LUCK 7): victory [reached 50.00 %, won from here 100.00 %]
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WalkThrough<V> {
    steps: Vec<Step<V>>,
}

impl<V> WalkThrough<V> {
    /// The sections passed; the last one is the ending.
    ///
    /// # Examples
    /// See [`WalkThrough`].
    #[must_use]
    pub fn steps(&self) -> &[Step<V>] {
        &self.steps
    }
}

/// One line a section, probabilities as percent.
impl<V: ToPrimitive> fmt::Display for WalkThrough<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Step {
            place,
            deed,
            reached,
            value,
        } in &self.steps
        {
            let (reached, value) = (percent(reached), percent(value));
            writeln!(
                f,
                "{place}: {deed} [reached {reached}, won from here {value}]"
            )?;
        }
        Ok(())
    }
}

impl<N: Number> BookPlan<N> {
    /// A walk through the book by best play.
    ///
    /// # Errors
    /// Only those of a game that answers differently from when it was solved.
    ///
    /// # Complexity
    /// One pass over the outcomes of best play.
    ///
    /// # Examples
    /// See [`WalkThrough`].
    pub fn walkthrough(&self) -> Result<WalkThrough<N::Value>, Error> {
        let forecast = self.solution().forecast()?;
        let mut steps = Vec::new();
        let mut place = Some(self.start());
        while let Some(here) = place {
            // The rounds of one fight are one step, unless they end in death.
            if here.foe == 0 || here.stamina == 0 {
                steps.push(Step {
                    place: here,
                    deed: self.deed(&here)?,
                    reached: forecast.chance(&here)?,
                    value: self.solution().value_of(&here)?,
                });
            }
            place = self.next(&here)?;
        }
        Ok(WalkThrough { steps })
    }

    fn deed(&self, place: &Place) -> Result<Deed, Error> {
        if place.stamina == 0 {
            return Ok(Deed::Lost);
        }
        Ok(
            match self.solution().game().book().section(place.section)? {
                Section::Won => Deed::Won,
                Section::Lost => Deed::Lost,
                Section::Choice(_) => match self.solution().decision(place)? {
                    Some(turn) => Deed::Turn(turn),
                    None => Deed::Chance,
                },
                Section::Chance(_) => Deed::Chance,
                Section::Luck { .. } => Deed::Luck,
                Section::Skill { .. } => Deed::Skill,
                Section::Fight { .. } => Deed::Fight,
            },
        )
    }

    /// The place that the walk goes on with; `None` at an ending.
    pub(crate) fn next(&self, place: &Place) -> Result<Option<Place>, Error> {
        let node = Node::of(self.solution().game(), place)?;
        let decision = self.solution().decision(place)?;
        let taken = (0..node.len()).find(|&choice| node.action(choice) == decision.as_ref());
        let mut best: Option<(N::Value, u64, Place)> = None;
        for &(to, weight) in node.outcomes(taken.unwrap_or(0)) {
            let ways = N::Value::from_u64(weight).unwrap_or_else(N::Value::one);
            let share = ways * self.solution().value_of(&to)?;
            let better = match &best {
                None => true,
                Some((most, heaviest, _)) => {
                    share > *most || (most.is_zero() && share.is_zero() && weight > *heaviest)
                }
            };
            if better {
                best = Some((share, weight, to));
            }
        }
        Ok(best.map(|(_, _, to)| to))
    }
}
