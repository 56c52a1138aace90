//! Maps of STAMINA against STAMINA, as text for a terminal.

use std::fmt;

use oddsmith_mdp::Number;

use crate::objective::Measure;
use crate::{Decision, Error, LuckMap, LuckTable, Objective};

/// The largest number of cells that still make a readable picture.
const MAX_CELLS: usize = 1 << 20;

/// More than the error bound of any chance of this crate, and less than any picture shows.
const ROUNDING: f64 = 1e-9;

/// The shades from lowest to highest where there is no colour.
const BLOCKS: [char; 5] = [' ', '░', '▒', '▓', '█'];

/// Ten of the 256 colours of a terminal, in the order of viridis. Each is lighter than the one
/// before, so that they can be told apart even by colour-blind readers.
const COLOURS: [u8; 10] = [53, 55, 24, 30, 36, 71, 77, 113, 148, 220];

/// The number of colours, from the first, that take white letters. The others take black ones.
const DARK_COLOURS: usize = 4;

/// The policy and the chance of victory for every STAMINA of the hero and the
/// foe, at one SKILL difference and one LUCK: a panel of the paper's Fig. 4.
///
/// `Display` draws it for a terminal, in blocks or, on request, in 256 colours. The feature `plot`
/// draws it as SVG. The hero's STAMINA grows to the right, and the foe's upwards. Each cell has the
/// label of its [`Decision`] and a shade for the chance of victory, or for the worth by another
/// [`Objective`].
///
/// # Examples
/// ```
/// use oddsmith_fightingfantasy::{Advantage, Extent, HeatMap, LuckTable, Rules};
///
/// let table = LuckTable::optimal(&Rules::standard(), -3, Extent::default(), Advantage::Strict)?;
/// let map = HeatMap::of_table(&table, 12)?.cropped(12, 6)?;
/// let lines: Vec<String> = map.to_string().lines().map(String::from).collect();
/// assert_eq!(lines, [
///     "SKILL difference -3, LUCK 12",
///     "",
///     " 6    2 2 2░1░1░1░1░3▒3▒3▒3",
///     " 5    2 2 2░1░1░1░1░1▒1▒3▒1",
///     " 4  3░1▒1▒1▒1▒3▓3▓3▓3▓3▓3▓3",
///     " 3  3░1▒1▒1▒1▒1▓3▓3▓3▓3▓3▓3",
///     " 2   ░2▒2▒2▒2▓2▓2▓2▓2▓2▓2▓2",
///     " 1   ░2▒2▒2▒2▓2▓2▓2▓2▓2▓2▓2",
///     "      2   4   6   8  10  12",
///     "foe's STAMINA upwards, hero's to the right",
///     "LUCK: 1 after won and lost rounds, 2 after lost ones, 3 after won ones, blank never",
///     "victory: 0 % |  ░░▒▒▓▓██| 100 %",
/// ]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// The highest STAMINA of the hero and the foe; the lowest is 1.
    hero: u16,
    foe: u16,
    /// By the foe's STAMINA, then by the hero's.
    cells: Vec<Cell>,
    title: String,
    measure: Measure,
    colour: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cell {
    pub(crate) value: f64,
    pub(crate) decision: Decision,
}

impl HeatMap {
    /// Creates the map of a table at one LUCK.
    ///
    /// # Errors
    /// [`Error::OutsideTable`] if LUCK is beyond the table's, and [`Error::Plot`] for more than 2²⁰
    /// cells.
    ///
    /// # Examples
    /// One hit decides. The hero can survive no wound, or one, or two:
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, HeatMap, LuckTable, Rules};
    /// let extent = Extent { hero: 6, foe: 2, luck: 0 };
    /// let table = LuckTable::optimal(&Rules::standard(), 0, extent, Advantage::Strict)?;
    /// let map = HeatMap::of_table(&table, 0)?.to_string();
    /// // 1/2, 3/4 and 7/8, without LUCK.
    /// assert_eq!(map.lines().nth(2), Some(" 2 ▒▒▒▒▓▓▓▓████"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_table(table: &LuckTable, luck: u16) -> Result<Self, Error> {
        let extent = table.extent();
        let map = Self::from_fn(extent.hero, extent.foe, |hero, foe| {
            let value = table.win(hero, foe, luck)?;
            Ok((value, table.decision(hero, foe, luck)?))
        })?;
        Ok(map.title(standard_title(table.skill_difference(), luck)))
    }

    /// Creates the map of a [`LuckMap`] at one LUCK. Unlike a table, it supports special rules and
    /// other objectives.
    ///
    /// # Errors
    /// [`Error::Solve`] if LUCK is beyond the extent of the map; otherwise the same as for
    /// [`of_table`](HeatMap::of_table).
    ///
    /// # Examples
    /// Two rounds lost in succession are fatal, so no STAMINA raises the chance of victory above 80
    /// %:
    /// ```
    /// use oddsmith_fightingfantasy::{Advantage, Extent, HeatMap, LuckMap, Rules, SuddenDeath};
    ///
    /// let crypt = Rules::standard().sudden_death(SuddenDeath::after(2));
    /// let extent = Extent { hero: 8, foe: 4, luck: 9 };
    /// let map = LuckMap::float(&crypt, 0, extent, Advantage::Strict)?;
    /// let picture = HeatMap::of_map(&map, 9)?.to_string();
    /// let top = picture.lines().nth(2);
    /// assert_eq!(top, Some(" 4 ▒3▓1▓3▓3▓3▓3▓3▓3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_map<N: Number>(map: &LuckMap<N>, luck: u16) -> Result<Self, Error> {
        let extent = map.solution().game().extent();
        let drawn = Self::from_fn(extent.hero, extent.foe, |hero, foe| {
            let value = map.win_f64(hero, foe, luck)?;
            Ok((value, map.decision(hero, foe, luck)?))
        })?;
        let drawn = drawn.objective(map.solution().game().objective());
        Ok(drawn.title(standard_title(map.skill_difference(), luck)))
    }

    /// Creates a map of any values and decisions for STAMINA 1 to `hero` against 1 to `foe`. The
    /// values are taken as chances of victory, unless another [objective](HeatMap::objective) is
    /// set or they lie outside 0 to 1 by more than roundings (10⁻⁹).
    ///
    /// # Errors
    /// Those of `cell`; [`Error::NoStamina`] for a STAMINA of 0; [`Error::Plot`] for more than 2²⁰
    /// cells, and for a value that is not a finite number.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, HeatMap};
    /// let map = HeatMap::from_fn(3, 1, |hero, _| Ok((f64::from(hero) / 3.0, Decision::default())))?;
    /// assert_eq!(map.to_string().lines().next(), Some(" 1 ░░▓▓██"));
    /// assert!(HeatMap::from_fn(3, 0, |_, _| Ok((0.0, Decision::default()))).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fn(
        hero: u16,
        foe: u16,
        cell: impl Fn(u16, u16) -> Result<(f64, Decision), Error>,
    ) -> Result<Self, Error> {
        check_stamina(hero, foe)?;
        let size = usize::from(hero) * usize::from(foe);
        if size > MAX_CELLS {
            let reason = format!("{hero} x {foe} cells exceed the limit of {MAX_CELLS}");
            return Err(Error::Plot { reason });
        }
        let mut cells = Vec::with_capacity(size);
        for foe in 1..=foe {
            for hero in 1..=hero {
                let (value, decision) = cell(hero, foe)?;
                if !value.is_finite() {
                    let reason = format!(
                        "values must be finite, got {value} at STAMINA {hero} against {foe}"
                    );
                    return Err(Error::Plot { reason });
                }
                cells.push(Cell { value, decision });
            }
        }
        Ok(HeatMap {
            hero,
            foe,
            cells,
            title: String::new(),
            measure: Measure::VICTORY,
            colour: false,
        })
    }

    /// Limits the map to STAMINA up to these values.
    ///
    /// # Errors
    /// [`Error::NoStamina`] if one of them is 0.
    ///
    /// # Examples
    /// A limit beyond the map has no effect:
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, HeatMap};
    /// let map = HeatMap::from_fn(3, 2, |hero, _| Ok((f64::from(hero) / 3.0, Decision::default())))?;
    /// let corner = map.cropped(2, 99)?.to_string();
    /// let rows: Vec<&str> = corner.lines().take(2).collect();
    /// assert_eq!(rows, [" 2 ░░▓▓", " 1 ░░▓▓"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cropped(mut self, hero: u16, foe: u16) -> Result<Self, Error> {
        check_stamina(hero, foe)?;
        let (hero, foe) = (hero.min(self.hero), foe.min(self.foe));
        let rows = self.cells.chunks(usize::from(self.hero));
        self.cells = rows
            .take(usize::from(foe))
            .flat_map(|row| &row[..usize::from(hero)])
            .copied()
            .collect();
        (self.hero, self.foe) = (hero, foe);
        Ok(self)
    }

    /// Sets the line above the map. There is none if the title is empty.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, HeatMap};
    /// let map = HeatMap::from_fn(1, 1, |_, _| Ok((0.5, Decision::default())))?.title("A coin");
    /// assert_eq!(map.to_string().lines().next(), Some("A coin"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the objective that the values measure, which names the scale.
    /// [`of_map`](HeatMap::of_map) sets it already.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, HeatMap, Objective};
    /// let half = || HeatMap::from_fn(1, 1, |_, _| Ok((0.5, Decision::default())));
    /// let scale = |map: HeatMap| map.to_string().lines().last().map(String::from);
    /// let alive = scale(half()?.objective(&Objective::survival()));
    /// assert_eq!(alive.as_deref(), Some("survival: 0 % |  ░░▒▒▓▓██| 100 %"));
    /// let kept = scale(half()?.objective(&Objective::luck_kept()));
    /// assert_eq!(kept.as_deref(), Some("LUCK kept in victory: 0 |  ░░▒▒▓▓██| 1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn objective(mut self, objective: &Objective) -> Self {
        self.measure = objective.measure();
        self
    }

    /// Enables ten colours instead of five shades, by ANSI escapes for terminals of 256 colours.
    /// The default is off: only the caller knows whether the output is a terminal and whether its
    /// user wants colour (`NO_COLOR`).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_fightingfantasy::{Decision, HeatMap};
    /// let decide = |hero, _| Ok((f64::from(hero) / 2.0, Decision::default()));
    /// let map = HeatMap::from_fn(2, 1, decide)?.colour(true);
    /// let first = map.to_string().lines().next().map(String::from);
    /// // Green for a half, yellow for a certain victory.
    /// let row = " 1 \u{1b}[48;5;71;38;5;16m  \u{1b}[48;5;220;38;5;16m  \u{1b}[0m";
    /// assert_eq!(first.as_deref(), Some(row));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn colour(mut self, colour: bool) -> Self {
        self.colour = colour;
        self
    }

    #[cfg(feature = "plot")]
    pub(crate) fn title_text(&self) -> &str {
        &self.title
    }

    /// The highest STAMINA of the hero and the foe.
    #[cfg(feature = "plot")]
    pub(crate) fn size(&self) -> (u16, u16) {
        (self.hero, self.foe)
    }

    /// The values at the two ends of the scale: 0 and 1, or beyond them if a value is. Chances may
    /// be beyond by their roundings.
    pub(crate) fn scale(&self) -> (f64, f64) {
        let slack = match self.measure.chance {
            true => ROUNDING,
            false => 0.0,
        };
        let values = self.cells.iter().map(|cell| cell.value);
        let beyond = values.filter(|value| !(-slack..=1.0 + slack).contains(value));
        beyond.fold((0.0, 1.0), |(low, high), value| {
            (value.min(low), value.max(high))
        })
    }

    /// What the values measure on this scale. It is not a chance if the scale goes beyond 0 and 1.
    pub(crate) fn measure(&self, scale: (f64, f64)) -> Measure {
        match self.measure.chance && scale != (0.0, 1.0) {
            true => Measure::WORTH,
            false => self.measure,
        }
    }

    /// The rows of cells, for the foe's STAMINA from 1 up.
    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = (u16, &[Cell])> {
        let rows = self.cells.chunks(usize::from(self.hero));
        rows.enumerate().map(|(above, row)| (above as u16 + 1, row))
    }

    /// Writes a row of cells. The label is the second character of its cell, since the numbers
    /// below are right-aligned.
    fn draw_row(
        &self,
        f: &mut fmt::Formatter<'_>,
        cells: &[Cell],
        scale: (f64, f64),
    ) -> fmt::Result {
        if !self.colour {
            let mut row = String::with_capacity(2 * cells.len());
            for cell in cells {
                let block = BLOCKS[level(cell.value, scale, BLOCKS.len())];
                row.push(block);
                row.push(match cell.decision.label() {
                    ' ' => block,
                    label => label,
                });
            }
            return match row.trim_end() {
                "" => Ok(()),
                row => write!(f, " {row}"),
            };
        }
        f.write_str(" ")?;
        let mut current = None;
        for cell in cells {
            let step = level(cell.value, scale, COLOURS.len());
            if current.replace(step) != Some(step) {
                paint(f, step)?;
            }
            write!(f, " {}", cell.decision.label())?;
        }
        f.write_str(PLAIN)
    }

    fn draw_scale(&self, f: &mut fmt::Formatter<'_>, (low, high): (f64, f64)) -> fmt::Result {
        let Measure { name, chance } = self.measure((low, high));
        if chance {
            write!(f, "{name}: 0 % |")?;
        } else {
            write!(f, "{name}: {} |", short(low))?;
        }
        if self.colour {
            for step in 0..COLOURS.len() {
                paint(f, step)?;
                f.write_str("  ")?;
            }
            f.write_str(PLAIN)?;
        } else {
            for block in BLOCKS {
                write!(f, "{block}{block}")?;
            }
        }
        if chance {
            f.write_str("| 100 %")
        } else {
            write!(f, "| {}", short(high))
        }
    }
}

/// A number at a scale, by its exponent where it would take too many digits.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 || (1e-4..1e6).contains(&value.abs()) {
        return value.to_string();
    }
    let rounded = format!("{value:.3e}").parse().unwrap_or(value);
    format!("{rounded:e}")
}

/// The escape that resets all colours.
const PLAIN: &str = "\u{1b}[0m";

fn paint(f: &mut fmt::Formatter<'_>, step: usize) -> fmt::Result {
    let ink = if step < DARK_COLOURS { 231 } else { 16 };
    write!(f, "\u{1b}[48;5;{};38;5;{ink}m", COLOURS[step])
}

fn standard_title(skill_difference: i64, luck: u16) -> String {
    format!("SKILL difference {skill_difference}, LUCK {luck}")
}

fn check_stamina(hero: u16, foe: u16) -> Result<(), Error> {
    for (who, stamina) in [("hero", hero), ("foe", foe)] {
        if stamina == 0 {
            return Err(Error::NoStamina { who });
        }
    }
    Ok(())
}

/// The index of the equal part of the scale, out of `steps`, in which the value lies.
pub(crate) fn level(value: f64, (low, high): (f64, f64), steps: usize) -> usize {
    // The terms are halved, because the range of two finite numbers may not be finite.
    let share = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
    ((share * steps as f64) as usize).min(steps - 1)
}

impl fmt::Display for HeatMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.title.is_empty() {
            writeln!(f, "{}\n", self.title)?;
        }
        let scale = self.scale();
        let margin = self.foe.to_string().len().max(2);
        for (foe, cells) in self.rows().rev() {
            write!(f, "{foe:margin$}")?;
            self.draw_row(f, cells, scale)?;
            writeln!(f)?;
        }
        // Every number takes the width of this many cells, including a blank before it.
        let every = if self.hero < 1000 { 2 } else { 3 };
        write!(f, "{:margin$} ", "")?;
        if self.hero < every {
            write!(f, " 1")?;
        }
        for hero in (every..=self.hero).step_by(usize::from(every)) {
            write!(f, "{hero:width$}", width = 2 * usize::from(every))?;
        }
        writeln!(f, "\nfoe's STAMINA upwards, hero's to the right")?;
        writeln!(
            f,
            "LUCK: 1 after won and lost rounds, 2 after lost ones, 3 after won ones, blank never"
        )?;
        self.draw_scale(f, scale)
    }
}
