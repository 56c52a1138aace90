//! Games with simultaneous decisions: weights of any length, the states reached by best play, and
//! matrices that are hard for floats.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use crate::bets::{Bluff, ratio};
use num_bigint::BigUint;
use num_rational::BigRational;
use oddsmith_dice::Dist;
use oddsmith_mdp::{Error, Law, MatrixGame, Meeting, Score, Simultaneous, Solver, Strategy};
use quickcheck::{TestResult, quickcheck};

/// A matrix of cells that end at once, or may stay if only one side decides.
struct Cells {
    columns: usize,
    /// For each cell the weights of 0, 1, 2, …, and of staying.
    cells: Vec<(Vec<u8>, u8)>,
    factor: BigUint,
}

impl Cells {
    fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    fn stays(&self) -> bool {
        self.rows() == 1 || self.columns == 1
    }
}

impl Simultaneous for Cells {
    type State = Option<usize>;
    type Row = usize;
    type Column = usize;

    fn expand(&self, state: &Option<usize>, meeting: &mut Meeting<Self>) {
        if let Some(score) = *state {
            return meeting.end(score as i64);
        }
        for (place, (weights, staying)) in self.cells.iter().enumerate() {
            let (row, column) = (place / self.columns, place % self.columns);
            let mut cell = match (self.rows(), self.columns) {
                (1, 1) => meeting.chance(),
                (1, _) => meeting.column(column),
                (_, 1) => meeting.row(row),
                _ => meeting.cell(row, column),
            };
            let narrow = self.factor == BigUint::from(1_u8);
            let mut to = |state, weight: u8| {
                if narrow {
                    cell.to(state, weight.into());
                } else {
                    cell.to_wide(state, &self.factor * weight);
                }
            };
            to(Some(99), 1);
            for (score, &weight) in weights.iter().enumerate() {
                to(Some(score), weight);
            }
            if self.stays() {
                to(None, *staying);
            }
        }
    }
}

quickcheck! {
    /// Multiplying the weights by 2¹⁰⁰ gives the same odds.
    fn wide_weights_weigh_as_narrow_ones(cells: Vec<(Vec<u8>, u8)>, columns: u8) -> TestResult {
        let columns = 1 + usize::from(columns) % 4;
        let mut cells = cells;
        cells.truncate(cells.len() / columns * columns);
        if cells.is_empty() {
            return TestResult::discard();
        }
        let mut game = Cells { columns, cells, factor: BigUint::from(1_u8) };
        let narrow = Solver::exact().solve_simultaneous(&game, None).unwrap();
        let reach = narrow.reach().unwrap();
        let (value, states) = (narrow.value(), narrow.len());
        let reach: Vec<_> = reach.iter().map(|&(state, p)| (*state, p)).collect();
        game.factor = BigUint::from(1_u8) << 100_u32;
        let wide = Solver::exact().solve_simultaneous(&game, None).unwrap();
        assert_eq!((wide.value(), wide.len()), (value.clone(), states));
        for (&(state, p), (same, q)) in wide.reach().unwrap().iter().zip(reach) {
            assert!(*state == same && (p - q).abs() < 1e-14);
        }
        let float = Solver::float().solve_simultaneous(&game, None).unwrap();
        let (low, high) = float.enclosure(&None).unwrap();
        let bound = |float| BigRational::from_float(float).unwrap();
        assert!(bound(low) <= value && value <= bound(high) && high - low < 1e-10);
        let met = wide.equilibrium(&None).unwrap();
        assert_eq!(met.value, value);
        TestResult::passed()
    }

    /// The probabilities of all ends sum to one, and give the value.
    fn reach_makes_the_value(cells: Vec<(Vec<u8>, u8)>, columns: u8) -> TestResult {
        let columns = 1 + usize::from(columns) % 4;
        let mut cells = cells;
        cells.truncate(cells.len() / columns * columns);
        if cells.is_empty() {
            return TestResult::discard();
        }
        let game = Cells { columns, cells, factor: BigUint::from(1_u8) };
        let float = Solver::float().solve_simultaneous(&game, None).unwrap();
        let reach = float.reach().unwrap();
        let ends = || reach.iter().filter_map(|&(state, p)| Some(((*state)? as f64, p)));
        let all: f64 = ends().map(|(_, p)| p).sum();
        let value: f64 = ends().map(|(score, p)| score * p).sum();
        TestResult::from_bool((all - 1.0).abs() < 1e-12 && (value - float.value()).abs() < 1e-9)
    }
}

#[test]
fn a_wide_law_is_rolled_in_a_cell() {
    struct Sum(Law<i64>);
    impl Simultaneous for Sum {
        type State = Option<i64>;
        type Row = char;
        type Column = char;
        fn expand(&self, state: &Option<i64>, meeting: &mut Meeting<Self>) {
            if let Some(pips) = *state {
                return meeting.end(pips);
            }
            // Thirty dice have 6^30 results.
            meeting.cell('a', 'x').roll(&self.0, |&pips| Some(pips));
            meeting
                .cell('a', 'y')
                .to(Some(0), 1)
                .roll(&self.0, |_| Some(210));
            meeting.cell('b', 'x').to(Some(104), 1);
            meeting.cell('b', 'y').to(Some(106), 1);
        }
    }
    let game = Sum(Law::new(&Dist::ndice(30, 6).unwrap()));
    let exact = Solver::exact().solve_simultaneous(&game, None).unwrap();
    // 105 beats 104 in the first column; nearly 210 beats 106 in the second.
    assert_eq!(exact.value(), ratio(105, 1));
    let float = Solver::float().solve_simultaneous(&game, None).unwrap();
    let (low, high) = float.enclosure(&None).unwrap();
    assert!(low <= 105.0 && 105.0 <= high && high - low < 1e-10);
    let page = Meeting::of(&game, &None).unwrap();
    assert!(page.outcomes(0, 0).is_empty());
    assert_eq!(page.wide_outcomes(0, 0).count(), 151);
    assert_eq!(page.wide_outcomes(1, 1).count(), 1);
    assert_eq!(
        page.wide_outcomes(1, 2).count() + page.wide_outcomes(7, 0).count(),
        0
    );
    assert!(page.outcomes(0, 2).is_empty());
}

#[test]
fn weights_too_far_apart_for_floats_are_refused() {
    struct Far;
    impl Simultaneous for Far {
        type State = u8;
        type Row = char;
        type Column = char;
        fn expand(&self, &state: &u8, meeting: &mut Meeting<Self>) {
            if state > 0 {
                return meeting.end(state);
            }
            let much = BigUint::from(1_u8) << 3_000_u32;
            meeting.row('a').to_wide(1, much).to(2, 1);
        }
    }
    let error = Solver::float().solve_simultaneous(&Far, 0).err();
    let (state, action) = ("0".into(), "'a'".into());
    assert_eq!(error, Some(Error::WeightsBeyondFloat { state, action }));
    let exact = Solver::exact().solve_simultaneous(&Far, 0).unwrap();
    assert!(exact.value() > ratio(1, 1));
    // States whose probability underflows are not reached in floats.
    assert_eq!(exact.reach().unwrap(), [(&0, 1.0), (&1, 1.0)]);
}

#[test]
fn where_a_bluff_leads() {
    // Bluff one time in three, call two times in three.
    let solution = Solver::exact().solve_simultaneous(&Bluff, None).unwrap();
    let met = solution.equilibrium(&None).unwrap();
    assert_eq!(
        (met.p_row(&"bluff"), met.p_column(&"call")),
        (ratio(1, 3), ratio(2, 3))
    );
    let reach = solution.reach().unwrap();
    assert_eq!(reach[0], (&None, 1.0));
    let of = |gain| {
        let mut found = reach.iter().filter(|(state, _)| **state == Some(gain));
        found.next().map_or(0.0, |found| found.1)
    };
    for (gain, chance) in [(2, 6.0), (1, 4.0), (-1, 6.0), (-2, 2.0)] {
        assert!((of(gain) - chance / 18.0).abs() < 1e-15, "{gain}");
    }
}

#[track_caller]
fn check_floats(rows: &[Vec<f64>]) {
    let exact = |entry: &f64| Score::from(*entry).to_ratio().unwrap();
    let fractions = rows
        .iter()
        .map(|row| row.iter().map(exact).collect::<Vec<_>>());
    let value = MatrixGame::new(fractions).unwrap().value().unwrap();
    let found = MatrixGame::solve_f64(rows.iter().map(|row| row.iter().copied())).unwrap();
    let bound = |float| BigRational::from_float(float).unwrap();
    assert!(
        bound(found.lower) <= value && value <= bound(found.upper),
        "{rows:?}"
    );
    let all = || rows.iter().flatten().copied();
    let most = all().fold(f64::MIN, f64::max);
    let range = most - all().fold(f64::MAX, f64::min);
    let size = all().fold(0.0, |size, entry| f64::max(size, entry.abs()));
    assert!(
        found.upper - found.lower <= 1e-12 * range + 1e-13 * size + 1e-300,
        "{rows:?}"
    );
    for side in [&found.row, &found.column] {
        let sum: f64 = side.iter().sum();
        assert!(
            (sum - 1.0).abs() < 1e-12 && side.iter().all(|&p| p >= 0.0),
            "{rows:?}"
        );
    }
}

#[test]
fn degenerate_matrices_are_enclosed() {
    let huge = 2.0_f64.powi(959);
    let tiny = f64::from_bits(1);
    for unit in [1.0, huge, -huge, tiny, f64::MIN_POSITIVE, 1e-200] {
        check_floats(&[vec![unit]]);
        check_floats(&vec![vec![unit; 3]; 3]);
        check_floats(&[vec![unit, -unit], vec![-unit, unit]]);
        check_floats(&[vec![unit, 0.0], vec![0.0, unit], vec![unit, 0.0]]);
        check_floats(&[vec![unit, 0.0, unit], vec![0.0, unit, 0.0]]);
        check_floats(&[
            vec![0.0, unit, -unit],
            vec![-unit, 0.0, unit],
            vec![unit, -unit, 0.0],
            vec![unit, -unit, 0.0],
        ]);
    }
    // Almost a saddle point.
    let above = 1.0_f64.next_up();
    check_floats(&[vec![above, 1.0], vec![1.0, above]]);
    check_floats(&[
        vec![1.0, above, 1.0],
        vec![above, 1.0, 1.0],
        vec![1.0, 1.0, above],
    ]);
    // Entries of many magnitudes.
    let mixed = |row: i32, column: i32| {
        f64::from((row * 7 + column * 5) % 11) * 10.0_f64.powi((row - column) * 9)
    };
    let rows = (0..6).map(|row| (0..6).map(|column| mixed(row, column)).collect());
    check_floats(&rows.collect::<Vec<Vec<f64>>>());
}

quickcheck! {
    fn matrices_of_few_values_are_enclosed(entries: Vec<u8>, columns: u8) -> TestResult {
        let columns = 1 + usize::from(columns) % 6;
        let values = [0.0, 1.0, 1.0_f64.next_up(), -1.0, 1e-9, 0.1];
        let row = |row: &[u8]| row.iter().map(|&entry| values[usize::from(entry) % 6]).collect();
        let rows: Vec<Vec<f64>> = entries.chunks_exact(columns).map(row).take(8).collect();
        if rows.is_empty() {
            return TestResult::discard();
        }
        check_floats(&rows);
        TestResult::passed()
    }
}

#[test]
fn many_rows_and_columns_are_named_fast() {
    struct Square(u32);
    impl Simultaneous for Square {
        type State = Option<i64>;
        type Row = u32;
        type Column = u32;
        fn expand(&self, state: &Option<i64>, meeting: &mut Meeting<Self>) {
            if let Some(score) = *state {
                return meeting.end(score);
            }
            for row in 0..self.0 {
                for column in 0..self.0 {
                    let score = i64::from(row.min(column));
                    meeting.cell(row, column).to(Some(score), 1);
                }
            }
        }
    }
    // The last row is best, and the first column is the best reply.
    let square = Square(400);
    let solution = Solver::exact().solve_simultaneous(&square, None).unwrap();
    assert_eq!(solution.value(), ratio(0, 1));
    assert!(solution.pure_everywhere());
    let even = |_: &Option<i64>, all: &[u32]| Strategy::new(vec![(1, all.len() as u64); all.len()]);
    assert!(solution.expected(even, even).unwrap() > ratio(132, 1));
}
