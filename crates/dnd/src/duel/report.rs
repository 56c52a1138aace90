//! A duel as text.

use std::fmt;

use ndarray::Array2;

use super::{Duel, Ending, Winner};
use crate::{Error, Initiative};

/// A duel in words and a table; see [`Duel::report`].
///
/// # Examples
/// ```
/// use oddsmith_dice::Dist;
/// use oddsmith_dnd::{Duel, DuelReport, Fighter};
///
/// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
/// let report: DuelReport = Duel::new(rat.clone(), rat).report(3)?;
/// let lines: Vec<String> = report.to_string().lines().map(str::to_owned).collect();
/// assert_eq!(lines.len(), 7); // a heading, three rounds, and how it ends
/// assert_eq!(lines[1], "    1   50.00 %   25.00 %   25.00 %");
/// assert_eq!(lines[6], "1.3 rounds on average");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DuelReport {
    names: [String; 2],
    /// The columns W, C and L.
    table: Array2<f64>,
    ending: Ending<f64>,
    /// Whether each side can hurt the other at all.
    hurts: [bool; 2],
}

impl Duel {
    /// Returns a readable report of W, C and L for this many rounds, and of how the duel ends,
    /// computed in floats.
    ///
    /// # Errors
    /// Those of [`rounds`](Duel::rounds) and [`ending`](Duel::ending).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let brawler = Fighter::new(2, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let report = Duel::new(brawler.clone(), brawler).report(2)?.names("Jack", "Jill");
    /// assert_eq!(
    ///     report.to_string(),
    ///     "round         W         C         L\n    \
    ///          1    0.00 %  100.00 %    0.00 %\n    \
    ///          2   25.00 %   56.25 %   18.75 %\n\
    ///      Jack wins with 59.26 %, with 1.4 hit points left on average\n\
    ///      Jill wins with 40.74 %, with 1.3 hit points left on average\n\
    ///      3.0 rounds on average\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self, rounds: u64) -> Result<DuelReport, Error> {
        let float = self.to_f64();
        Ok(DuelReport {
            names: self.called(),
            table: float.rounds(rounds)?.table(),
            ending: float.ending()?,
            hurts: self.hurts(),
        })
    }

    /// Returns the same report if initiative decides who acts first.
    ///
    /// # Errors
    /// As for [`report`](Duel::report).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter, Initiative};
    ///
    /// let brawler = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?;
    /// let report = Duel::new(brawler.clone(), brawler).report_by(&Initiative::new(0, 0), 1)?;
    /// assert!(report.to_string().contains("1   37.50 %   25.00 %   37.50 %"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report_by(&self, initiative: &Initiative, rounds: u64) -> Result<DuelReport, Error> {
        let float = self.to_f64();
        Ok(DuelReport {
            names: self.called(),
            table: float.table_by(initiative, rounds)?,
            ending: float.ending_by(initiative)?,
            hurts: self.hurts(),
        })
    }

    /// What a report calls both sides. Two of one name are told apart.
    fn called(&self) -> [String; 2] {
        match &self.names {
            None => ["The first".to_owned(), "The second".to_owned()],
            Some([first, second]) if first == second => {
                [format!("The first {first}"), format!("The second {second}")]
            }
            Some(names) => names.clone(),
        }
    }

    fn hurts(&self) -> [bool; 2] {
        [&self.first, &self.second].map(|fighter| {
            let mut phases = fighter.phases().iter();
            phases.any(|phase| *phase.damage().max() > 0)
        })
    }
}

impl DuelReport {
    /// Sets the names of the first and the second fighter.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_dice::Dist;
    /// use oddsmith_dnd::{Duel, Fighter};
    ///
    /// let rat = Fighter::new(1, Dist::from_weights([(0, 1), (1, 1)])?)?; // hits half the time
    /// let report = Duel::new(rat.clone(), rat).report(1)?;
    /// assert!(report.to_string().contains("\nThe first wins with 66.67 %"));
    /// assert!(report.names("Tom", "Jerry").to_string().contains("\nJerry wins with 33.33 %"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn names(mut self, first: impl Into<String>, second: impl Into<String>) -> Self {
        self.names = [first.into(), second.into()];
        self
    }
}

impl fmt::Display for DuelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "round {:>9} {:>9} {:>9}", "W", "C", "L")?;
        for (round, row) in self.table.rows().into_iter().enumerate().skip(1) {
            write!(f, "{round:>5}")?;
            for chance in row {
                write!(f, " {:>7.2} %", 100.0 * chance)?;
            }
            writeln!(f)?;
        }
        let sides = [Winner::First, Winner::Second].into_iter().zip(self.hurts);
        for (name, (winner, hurts)) in self.names.iter().zip(sides) {
            let chance = percent(self.ending.chance(winner));
            match self.ending.left(winner) {
                Ok(left) => writeln!(
                    f,
                    "{name} wins with {chance}, with {:.1} hit points left on average",
                    left.mean()
                )?,
                Err(_) if !hurts => writeln!(f, "{name} never wins")?,
                // A chance too small for floats may still be one.
                Err(_) => writeln!(f, "{name} wins with less than {:.0e} %", 100.0 * LOST)?,
            }
        }
        writeln!(f, "{:.1} rounds on average", self.ending.expected_rounds())
    }
}

/// Smaller chances may be 0 in floats.
const LOST: f64 = 1e-300;

/// Writes a percentage with two decimals, or with three digits where there would be only zeros.
pub(super) fn percent(chance: f64) -> String {
    match chance == 0.0 || chance >= 1e-4 {
        true => format!("{:.2} %", 100.0 * chance),
        false => format!("{:.2e} %", 100.0 * chance),
    }
}
