//! The Combat Results Table: what a round costs each side.

use std::fmt;

use crate::Error;

#[cfg(feature = "serde")]
mod written;

/// What a round costs one side. A cell of the table has two of these.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::Loss;
///
/// assert_eq!(Loss::Points(4).leaves(6), 2);
/// assert_eq!(Loss::Points(8).leaves(6), 0);
/// assert_eq!(Loss::Killed.leaves(60), 0);
/// assert_eq!(Loss::Killed.to_string(), "K");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// This many points of ENDURANCE.
    Points(u8),
    /// Death at once, whatever ENDURANCE was left: `K`.
    Killed,
}

impl Loss {
    /// Returns the ENDURANCE left of this much, never below 0.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Loss;
    /// assert_eq!(Loss::Points(5).leaves(20), 15);
    /// assert_eq!((Loss::Points(5).leaves(3), Loss::Killed.leaves(20)), (0, 0));
    /// ```
    #[must_use]
    pub fn leaves(self, endurance: u16) -> u16 {
        self.dealt(1, 0, endurance)
    }

    /// Returns what is left of `endurance` if points count `factor` times and `extra` more are
    /// lost. Doubling does not change death at once.
    pub(crate) fn dealt(self, factor: u16, extra: u16, endurance: u16) -> u16 {
        match self {
            Loss::Points(points) => endurance
                .saturating_sub(u16::from(points).saturating_mul(factor))
                .saturating_sub(extra),
            Loss::Killed => 0,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loss::Points(points) => write!(f, "{points}"),
            Loss::Killed => write!(f, "K"),
        }
    }
}

/// A cell of the table: what the foe loses and what Lone Wolf loses.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{Exchange, Loss};
///
/// let exchange = Exchange { foe: Loss::Points(11), hero: Loss::Points(1) };
/// assert_eq!(exchange.to_string(), "11/1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exchange {
    /// What the foe loses.
    pub foe: Loss,
    /// What Lone Wolf loses.
    pub hero: Loss,
}

impl Exchange {
    fn is_idle(self) -> bool {
        self.foe == Loss::Points(0) && self.hero == Loss::Points(0)
    }
}

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.foe, self.hero)
    }
}

/// The number of columns of the table.
const COLUMNS: usize = 13;

/// The Combat Results Table: thirteen columns of ten exchanges.
///
/// The combat ratio (COMBAT SKILL minus that of the foe) selects the column, and a random number
/// from 0 to 9 the exchange in it. Columns are numbered from −6 (a ratio of −11 or less) over 0 (a
/// ratio of 0) to 6 (11 or more). Exchanges are listed in the order of the printed table, for the
/// numbers 1, 2, …, 9, 0, so that they get better for Lone Wolf.
///
/// Every exchange costs some side something, so every combat ends.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::{CombatTable, Loss};
///
/// let table = CombatTable::standard();
/// assert_eq!(CombatTable::column(-3), -2); // ratios -3 and -4
/// assert_eq!(table.round(2)[0].to_string(), "4/5"); // random number 1
/// assert_eq!(table.exchange(8, 0)?.foe, Loss::Killed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CombatTable {
    columns: [[Exchange; 10]; COLUMNS],
}

impl CombatTable {
    /// Returns the table of the program behind "Solving a gamebook". All published figures are
    /// based on it, and so are books here unless their [rules](crate::Rules::fight_by) name another
    /// one.
    ///
    /// For the random number 7, four of its columns differ from the [printed
    /// table](CombatTable::printed), each in favour of Lone Wolf: those of ratios 0 to 6.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::CombatTable;
    ///
    /// let points = CombatTable::standard().round(0).map(|exchange| exchange.to_string());
    /// assert_eq!(points.join(" "), "3/5 4/4 5/4 6/3 7/2 8/2 10/1 10/0 11/0 12/0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn standard() -> Self {
        CombatTable { columns: STANDARD }
    }

    /// Returns the table printed in the books. With the random number 7, the foe loses one point
    /// less than by the [standard table](CombatTable::standard) at ratios from 0 to 4, and two less
    /// at 5 and 6.
    ///
    /// To solve a book by it, use [`Rules::fight_by`](crate::Rules::fight_by).
    ///
    /// # Examples
    /// A single [combat](crate::Combat::table):
    /// ```
    /// use oddsmith_lonewolf::{Combat, CombatTable};
    ///
    /// let points = CombatTable::printed().round(0).map(|exchange| exchange.to_string());
    /// assert_eq!(points.join(" "), "3/5 4/4 5/4 6/3 7/2 8/2 9/1 10/0 11/0 12/0");
    ///
    /// let combat = Combat::new(15, 12, 15, 20)?;
    /// assert_eq!(format!("{:.4}", combat.clone().win_f64()?), "0.8421");
    /// assert_eq!(format!("{:.4}", combat.table(CombatTable::printed()).win_f64()?), "0.8373");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn printed() -> Self {
        let mut columns = STANDARD;
        for (column, foe) in (6..).zip([9, 10, 11, 12]) {
            columns[column][6].foe = Loss::Points(foe);
        }
        CombatTable { columns }
    }

    /// Creates a table from columns −6 to 6, each with the exchanges for the random numbers 1, 2,
    /// …, 9, 0.
    ///
    /// # Errors
    /// [`Error::IdleExchange`] for an exchange that costs nobody anything.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{Combat, CombatTable, Exchange, Loss};
    ///
    /// // Every round is the toss of a coin for one point.
    /// let [hit, wound] = [(1, 0), (0, 1)].map(|(foe, hero)| Exchange {
    ///     foe: Loss::Points(foe),
    ///     hero: Loss::Points(hero),
    /// });
    /// let column = [hit, wound, hit, wound, hit, wound, hit, wound, hit, wound];
    /// let coin = CombatTable::new([column; 13])?;
    /// let combat = Combat::new(10, 2, 10, 1)?.table(coin);
    /// assert_eq!(combat.win()?.to_string(), "3/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(columns: [[Exchange; 10]; COLUMNS]) -> Result<Self, Error> {
        for (column, exchanges) in (-6..).zip(&columns) {
            for (number, exchange) in (1..).zip(exchanges) {
                if exchange.is_idle() {
                    return Err(Error::IdleExchange {
                        column,
                        number: number % 10,
                    });
                }
            }
        }
        Ok(CombatTable { columns })
    }

    /// Returns the column of a combat ratio. Two neighbouring ratios share a column, but 0 has its
    /// own, and everything beyond ±10 is in the last one.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::CombatTable;
    ///
    /// let columns = [-11, -10, -9, -2, -1, 0, 1, 2, 3, 10, 11].map(CombatTable::column);
    /// assert_eq!(columns, [-6, -5, -5, -1, -1, 0, 1, 1, 2, 5, 6]);
    /// assert_eq!(CombatTable::column(i64::MIN), -6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn column(ratio: i64) -> i8 {
        let ratio = ratio.clamp(-11, 11);
        // Rounds away from zero, so that 1 and 2 share a column.
        let column = (ratio + ratio.signum()) / 2;
        column as i8
    }

    /// Returns the ten equally likely exchanges of a round at this combat ratio, for the random
    /// numbers 1, 2, …, 9, 0.
    ///
    /// # Examples
    /// What the ten numbers cost Lone Wolf at a ratio of 0:
    /// ```
    /// use oddsmith_lonewolf::CombatTable;
    ///
    /// let table = CombatTable::standard();
    /// let lost = table.round(0).map(|exchange| 99 - exchange.hero.leaves(99));
    /// assert_eq!(lost, [5, 4, 4, 3, 2, 2, 1, 0, 0, 0]);
    /// ```
    #[must_use]
    pub fn round(&self, ratio: i64) -> &[Exchange; 10] {
        let place = i64::from(Self::column(ratio)) + 6;
        &self.columns[place as usize]
    }

    /// Returns the exchanges of a column, −6 to 6.
    pub(crate) fn column_at(&self, column: i8) -> &[Exchange; 10] {
        &self.columns[(column.clamp(-6, 6) + 6) as usize]
    }

    /// Returns the exchange for a combat ratio and a random number.
    ///
    /// # Errors
    /// [`Error::RandomNumber`] for a number above 9.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::{CombatTable, Error};
    ///
    /// let table = CombatTable::standard();
    /// assert_eq!(table.exchange(0, 1)?.to_string(), "3/5");
    /// assert_eq!(table.exchange(0, 0)?.to_string(), "12/0"); // 0 stands last in the table
    /// assert_eq!(table.exchange(0, 10), Err(Error::RandomNumber { given: 10 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exchange(&self, ratio: i64, number: u8) -> Result<Exchange, Error> {
        match number {
            0 => Ok(self.round(ratio)[9]),
            1..=9 => Ok(self.round(ratio)[usize::from(number) - 1]),
            _ => Err(Error::RandomNumber { given: number }),
        }
    }
}

/// Writes one line per column, beginning with its ratios.
///
/// # Examples
/// ```
/// use oddsmith_lonewolf::CombatTable;
///
/// let table = CombatTable::standard().to_string();
/// let lines: Vec<&str> = table.lines().collect();
/// assert_eq!(lines.len(), 14);
/// assert_eq!(lines[0], "      ratio      1      2      3      4      5      6      7      8      9      0");
/// assert_eq!(lines[8], "     1 or 2    4/5    5/4    6/3    7/3    8/2    9/2   11/1   11/0   12/0   14/0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for CombatTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>11}", "ratio")?;
        for number in 1..=10 {
            write!(f, " {:>6}", number % 10)?;
        }
        for (column, exchanges) in (-6..).zip(&self.columns) {
            writeln!(f)?;
            write!(f, "{:>11}", ratios(column))?;
            for exchange in exchanges {
                write!(f, " {:>6}", exchange.to_string())?;
            }
        }
        Ok(())
    }
}

/// Returns the combat ratios that share a column, in words.
fn ratios(column: i8) -> String {
    match column {
        -6 => "-11 or less".into(),
        6 => "11 or more".into(),
        0 => "0".into(),
        1.. => format!("{} or {}", 2 * column - 1, 2 * column),
        _ => format!("{} or {}", 2 * column, 2 * column + 1),
    }
}

/// Stands for `K` in the numbers below.
const K: u8 = u8::MAX;

const STANDARD: [[Exchange; 10]; COLUMNS] = [
    column(
        [0, 0, 0, 0, 1, 2, 3, 4, 5, 6],
        [K, K, 8, 8, 7, 6, 5, 4, 3, 0],
    ),
    column(
        [0, 0, 0, 1, 2, 3, 4, 5, 6, 7],
        [K, 8, 7, 7, 6, 6, 5, 4, 3, 0],
    ),
    column(
        [0, 0, 1, 2, 3, 4, 5, 6, 7, 8],
        [8, 7, 6, 6, 5, 5, 4, 3, 2, 0],
    ),
    column(
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [6, 6, 5, 5, 4, 4, 3, 2, 0, 0],
    ),
    column(
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        [6, 5, 5, 4, 4, 3, 2, 1, 0, 0],
    ),
    column(
        [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        [5, 5, 4, 4, 3, 2, 2, 1, 0, 0],
    ),
    column(
        [3, 4, 5, 6, 7, 8, 10, 10, 11, 12],
        [5, 4, 4, 3, 2, 2, 1, 0, 0, 0],
    ),
    column(
        [4, 5, 6, 7, 8, 9, 11, 11, 12, 14],
        [5, 4, 3, 3, 2, 2, 1, 0, 0, 0],
    ),
    column(
        [5, 6, 7, 8, 9, 10, 12, 12, 14, 16],
        [4, 3, 3, 2, 2, 2, 1, 0, 0, 0],
    ),
    column(
        [6, 7, 8, 9, 10, 11, 14, 14, 16, 18],
        [4, 3, 3, 2, 2, 1, 0, 0, 0, 0],
    ),
    column(
        [7, 8, 9, 10, 11, 12, 14, 16, 18, K],
        [4, 3, 2, 2, 2, 1, 0, 0, 0, 0],
    ),
    column(
        [8, 9, 10, 11, 12, 14, 16, 18, K, K],
        [3, 3, 2, 2, 2, 1, 0, 0, 0, 0],
    ),
    column(
        [9, 10, 11, 12, 14, 16, 18, K, K, K],
        [3, 2, 2, 2, 1, 1, 0, 0, 0, 0],
    ),
];

/// Creates a column from two rows: what the foe loses and what Lone Wolf loses.
const fn column(foe: [u8; 10], hero: [u8; 10]) -> [Exchange; 10] {
    let nothing = Exchange {
        foe: Loss::Points(0),
        hero: Loss::Points(0),
    };
    let mut exchanges = [nothing; 10];
    let mut place = 0;
    while place < exchanges.len() {
        exchanges[place] = Exchange {
            foe: loss(foe[place]),
            hero: loss(hero[place]),
        };
        place += 1;
    }
    exchanges
}

const fn loss(points: u8) -> Loss {
    match points {
        K => Loss::Killed,
        _ => Loss::Points(points),
    }
}
