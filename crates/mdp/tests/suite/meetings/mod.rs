//! Random games with simultaneous decisions, and a simple way to solve them.

use num_rational::BigRational;
use oddsmith_mdp::{Game, Meeting, Node, Simultaneous};
use quickcheck::{Arbitrary, Gen};

use crate::kernels::kernels;

/// Where a cell may lead, with weights.
pub(crate) type Outcomes = Vec<(usize, u64)>;

/// The contents of a state of a random game.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    End(i64),
    Chance(Outcomes),
    Rows(Vec<Outcomes>),
    Columns(Vec<Outcomes>),
    Matrix(Vec<Vec<Outcomes>>),
}

/// Each state leads to higher ones only; the last one ends.
#[derive(Clone, Debug)]
pub(crate) struct Meetings(pub(crate) Vec<Kind>);

impl Meetings {
    /// The cells of a state, row by row; none where it ends.
    fn cells(&self, state: usize) -> Vec<Vec<Outcomes>> {
        match &self.0[state] {
            Kind::End(_) => Vec::new(),
            Kind::Chance(outcomes) => vec![vec![outcomes.clone()]],
            Kind::Rows(rows) => rows.iter().map(|cell| vec![cell.clone()]).collect(),
            Kind::Columns(columns) => vec![columns.clone()],
            Kind::Matrix(rows) => rows.clone(),
        }
    }

    /// The values of all states, by the kernels of their matrices.
    pub(crate) fn values(&self) -> Vec<BigRational> {
        let integer = |n: i64| BigRational::from_integer(n.into());
        let mut values = vec![integer(0); self.0.len()];
        for state in (0..self.0.len()).rev() {
            if let Kind::End(score) = self.0[state] {
                values[state] = integer(score);
                continue;
            }
            let worth = |cell: &Outcomes| {
                let total: u64 = cell.iter().map(|outcome| outcome.1).sum();
                let sum: BigRational = cell
                    .iter()
                    .map(|&(target, weight)| &values[target] * integer(weight as i64))
                    .sum();
                sum / integer(total as i64)
            };
            let matrix = self.cells(state);
            let matrix: Vec<Vec<BigRational>> = matrix
                .iter()
                .map(|row| row.iter().map(worth).collect())
                .collect();
            values[state] = kernels(&matrix).value;
        }
        values
    }

    /// The game with other scores.
    pub(crate) fn scored(&self, score: impl Fn(i64) -> i64) -> Self {
        let mut game = self.clone();
        for kind in &mut game.0 {
            if let Kind::End(old) = kind {
                *old = score(*old);
            }
        }
        game
    }

    /// The game with rows and columns in the opposite order.
    pub(crate) fn reversed(&self) -> Self {
        let mut game = self.clone();
        for kind in &mut game.0 {
            match kind {
                Kind::Rows(cells) | Kind::Columns(cells) => cells.reverse(),
                Kind::Matrix(rows) => {
                    rows.reverse();
                    rows.iter_mut().for_each(|row| row.reverse());
                }
                _ => {}
            }
        }
        game
    }

    /// The game with the players exchanged.
    pub(crate) fn swapped(&self) -> Self {
        let mut game = self.scored(|score| -score);
        for kind in &mut game.0 {
            *kind = match kind.clone() {
                Kind::Rows(cells) => Kind::Columns(cells),
                Kind::Columns(cells) => Kind::Rows(cells),
                Kind::Matrix(rows) => Kind::Matrix(
                    (0..rows[0].len())
                        .map(|column| rows.iter().map(|row| row[column].clone()).collect())
                        .collect(),
                ),
                other => other,
            };
        }
        game
    }

    /// The game in which the row player decides first and openly: each matrix is split up.
    pub(crate) fn in_turn(&self) -> Self {
        let mut game = self.clone();
        for state in 0..self.0.len() {
            if let Kind::Matrix(rows) = &self.0[state] {
                let seen = rows.iter().map(|row| {
                    game.0.push(Kind::Columns(row.clone()));
                    vec![(game.0.len() - 1, 1)]
                });
                game.0[state] = Kind::Rows(seen.collect());
            }
        }
        game
    }
}

impl Simultaneous for Meetings {
    type State = usize;
    type Row = usize;
    type Column = usize;

    fn expand(&self, &state: &usize, meeting: &mut Meeting<Self>) {
        let mut write = |row: Option<usize>, column: Option<usize>, outcomes: &Outcomes| {
            let mut cell = match (row, column) {
                (Some(row), Some(column)) => meeting.cell(row, column),
                (Some(row), None) => meeting.row(row),
                (None, Some(column)) => meeting.column(column),
                (None, None) => meeting.chance(),
            };
            for &(target, weight) in outcomes {
                cell.to(target, weight);
            }
        };
        match &self.0[state] {
            Kind::End(score) => meeting.end(*score),
            Kind::Chance(cell) => write(None, None, cell),
            Kind::Rows(cells) => {
                let cells = cells.iter().enumerate();
                cells.for_each(|(row, cell)| write(Some(row), None, cell));
            }
            Kind::Columns(cells) => {
                let cells = cells.iter().enumerate();
                cells.for_each(|(column, cell)| write(None, Some(column), cell));
            }
            Kind::Matrix(rows) => {
                for (row, cells) in rows.iter().enumerate() {
                    for (column, cell) in cells.iter().enumerate() {
                        write(Some(row), Some(column), cell);
                    }
                }
            }
        }
    }
}

/// The same as a game in turn; it has no matrices.
impl Game for Meetings {
    type State = usize;
    type Action = usize;

    fn expand(&self, &state: &usize, node: &mut Node<Self>) {
        let cells = match &self.0[state] {
            Kind::End(score) => return node.end(*score),
            Kind::Matrix(_) => return,
            Kind::Chance(outcomes) => {
                let mut chance = node.chance();
                for &(target, weight) in outcomes {
                    chance.to(target, weight);
                }
                return;
            }
            Kind::Columns(cells) => {
                node.opponent();
                cells
            }
            Kind::Rows(cells) => cells,
        };
        for (action, cell) in cells.iter().enumerate() {
            let mut choice = node.choice(action);
            for &(target, weight) in cell {
                choice.to(target, weight);
            }
        }
    }
}

impl Arbitrary for Meetings {
    fn arbitrary(g: &mut Gen) -> Self {
        let below = |g: &mut Gen, limit: usize| usize::arbitrary(g) % limit;
        let states = 1 + below(g, 14);
        let kinds = (0..states).map(|state| {
            let left = states - 1 - state;
            if left == 0 || below(g, 5) == 0 || left < 4 && below(g, 2) == 0 {
                return Kind::End(i64::arbitrary(g).rem_euclid(9) - 4);
            }
            let cell = |g: &mut Gen| -> Outcomes {
                (0..1 + below(g, 3))
                    .map(|_| (state + 1 + below(g, left), 1 + below(g, 6) as u64))
                    .collect()
            };
            let cells = |g: &mut Gen, count: usize| (0..count).map(|_| cell(g)).collect();
            let count = 1 + below(g, 3);
            match below(g, 7) {
                0 => Kind::Chance(cell(g)),
                1 => Kind::Rows(cells(g, count)),
                2 => Kind::Columns(cells(g, count)),
                _ => {
                    let columns = 1 + below(g, 3);
                    Kind::Matrix((0..count).map(|_| cells(g, columns)).collect())
                }
            }
        });
        Meetings(kinds.collect())
    }
}
