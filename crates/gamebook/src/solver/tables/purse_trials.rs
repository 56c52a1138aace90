//! Property tests of tables and diagrams, position by position: money by classes, and results for
//! possible sheets only.

use quickcheck::{Arbitrary, Gen};

use crate::solver::diagrams::gates::YES;
use crate::solver::diagrams::trials::{Sheets, Worths, check, value};
use crate::solver::diagrams::{Diagram, Diagrams};
use crate::solver::tables::LANES;
use crate::solver::tables::shape::Shape;

/// The numbers of values of money, life, and another lane.
const LENS: [usize; LANES] = [6, 2, 2, 1];
const PLACES: usize = 24;

/// The value of each position; usually somewhat more money makes no difference.
#[derive(Clone, Debug)]
struct Purses([u8; PLACES]);

impl Arbitrary for Purses {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut row = [0; 4];
        let mut all = [0; PLACES];
        let steps = u8::arbitrary(g) % 4;
        for plane in all.chunks_mut(4) {
            if u8::arbitrary(g) % 4 <= steps {
                row = std::array::from_fn(|_| u8::arbitrary(g) % 3 * 5);
            }
            plane.copy_from_slice(&row);
        }
        Purses(all)
    }
}

impl Purses {
    fn values(&self) -> Vec<f64> {
        let values = self.0.iter();
        values.map(|value| f64::from(*value) / 16.0).collect()
    }

    fn diagram(&self, diagrams: &mut Diagrams) -> Diagram {
        let tables = &mut diagrams.tables;
        Diagrams::leaf(tables.leaf(&Shape::full(LENS), &mut self.values()))
    }
}

fn at(diagrams: &Diagrams, diagram: Diagram, place: usize) -> f64 {
    diagrams.value(diagram, |_| 0, [place / 4, place / 2 % 2, place % 2, 0])
}

#[test]
fn money_by_classes_is_worth_what_each_sum_is() {
    fn same(all: (Purses, Purses, Purses), weights: (u8, u8), richer: u8) -> bool {
        let mut diagrams = Diagrams::new(1 << 30);
        let all = [all.0, all.1, all.2];
        let parts = all.each_ref().map(|one| one.diagram(&mut diagrams));
        let values = all.each_ref().map(Purses::values);
        let best = |place: usize| {
            values
                .iter()
                .fold(0.0, |best: f64, one| best.max(one[place]))
        };
        let direct = Purses(std::array::from_fn(|place| (16.0 * best(place)) as u8));
        let direct = direct.diagram(&mut diagrams);
        let weights = [weights.0, weights.1].map(|weight| u64::from(weight) + 1);
        let total = weights[0] + weights[1];
        let mixture = [(weights[0], parts[0]), (weights[1], parts[1])];
        // This much more money, up to the maximum.
        let richer = u16::from(richer % 6);
        let to: Vec<Option<u16>> = (0..6).map(|sum| Some(5.min(sum + richer))).collect();
        let mut found = [
            diagrams.best_of(YES, &parts),
            diagrams.best(parts[0], parts[1]),
            diagrams.mix(YES, &mixture, total),
            diagrams.shift_lane(parts[2], 0, &to),
        ];
        let one = found[0] == direct;
        let holds = |diagrams: &Diagrams, found: [Diagram; 4]| {
            (0..PLACES).all(|place| {
                let [a, b, c] = values.each_ref().map(|one| one[place]);
                let [best, both, mixed, shifted] = found.map(|one| at(diagrams, one, place));
                let mixture = weights[0] as f64 * a + weights[1] as f64 * b;
                let there = (place / 4 + usize::from(richer)).min(5) * 4 + place % 4;
                best == a.max(b).max(c)
                    && both == a.max(b)
                    && (mixed - mixture / total as f64).abs() < 1e-14
                    && shifted == values[2][there]
            })
        };
        let before = holds(&diagrams, found);
        diagrams.collect(found.iter_mut());
        one && before && holds(&diagrams, found)
    }
    check(same as fn((Purses, Purses, Purses), (u8, u8), u8) -> bool);
}

#[test]
fn a_test_of_a_lane_is_worth_what_it_is_for_each_value() {
    fn same(parts: (Purses, Purses), weights: [(u8, u8); 2], last: bool, alike: bool) -> bool {
        let mut diagrams = Diagrams::new(1 << 30);
        let mut parts = [parts.0, parts.1];
        // What follows may be the same for all values, as if it were not a lane.
        for place in 0..PLACES {
            let first = if last {
                place / 2 * 2
            } else {
                place / 4 * 4 + place % 2
            };
            parts[0].0[place] = parts[0].0[if alike { first } else { place }];
        }
        let lane = if last { 2 } else { 1 };
        let weights = weights.map(|(pass, fail)| [u64::from(pass), u64::from(fail) + 1]);
        let totals = weights.map(|weights| weights[0] + weights[1]);
        let weighed: Vec<(Vec<u64>, Diagram)> = (0..2)
            .map(|part| {
                let diagram = parts[part].diagram(&mut diagrams);
                (weights.map(|weights| weights[part]).to_vec(), diagram)
            })
            .collect();
        let mixed = diagrams.mix_by_value(YES, lane, &weighed, &totals);
        let values = parts.each_ref().map(Purses::values);
        let plain = diagrams.mix(YES, &[(1, weighed[0].1), (1, weighed[1].1)], 2);
        (0..PLACES).all(|place| {
            let value = if last { place % 2 } else { place / 2 % 2 };
            let [pass, fail] = weights[value].map(|weight| weight as f64 / totals[value] as f64);
            let by_value = pass * values[0][place] + fail * values[1][place];
            let half = (values[0][place] + values[1][place]) / 2.0;
            (at(&diagrams, mixed, place) - by_value).abs() < 1e-14
                && at(&diagrams, plain, place) == half
        })
    }
    check(same as fn((Purses, Purses), [(u8, u8); 2], bool, bool) -> bool);
}

#[test]
fn what_is_best_for_some_sheets_is_best_for_them() {
    fn same(worths: (Worths, Worths, Worths), sheets: Sheets, weight: u8) -> bool {
        let mut diagrams = Diagrams::new(1 << 30);
        let care = sheets.gate(&mut diagrams.gates);
        let worths = [worths.0, worths.1, worths.2];
        let parts = worths.each_ref().map(|part| part.diagram(&mut diagrams));
        let best = diagrams.best_of(care, &parts);
        let better = diagrams.best_for(care, parts[0], parts[1]);
        let mixture = [(weight.into(), parts[0]), (256, parts[1])];
        let mixed = diagrams.mix(care, &mixture, 256 + u64::from(weight));
        let whole = diagrams.mix(YES, &mixture, 256 + u64::from(weight));
        sheets.all().all(|sheet| {
            let [a, b, c] = parts.map(|part| value(&diagrams, part, sheet));
            value(&diagrams, best, sheet) == a.max(b).max(c)
                && value(&diagrams, better, sheet) == a.max(b)
                && value(&diagrams, mixed, sheet) == value(&diagrams, whole, sheet)
        })
    }
    check(same as fn((Worths, Worths, Worths), Sheets, u8) -> bool);
}
