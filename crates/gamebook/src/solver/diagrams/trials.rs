//! Property tests of diagrams and gates, sheet by sheet.

use num_rational::BigRational;
use quickcheck::{Arbitrary, Gen, QuickCheck};
use rustc_hash::FxHashMap;

use crate::solver::diagrams::gates::{Gate, Gates, Known, NO, YES};
use crate::solver::diagrams::{Diagram, Diagrams};
use crate::solver::induction::directed::Towards;
use crate::solver::tables::coarse::Grain;
use crate::solver::tables::shape::Shape;
use crate::solver::tables::{FLAT, LANES};

const BITS: u8 = 7;
const SHEETS: usize = 1 << BITS;

/// A number for each sheet: usually few different ones, and zero without certain bits.
#[derive(Clone, Debug)]
pub(crate) struct Worths(Vec<u8>);

/// A set of sheets.
#[derive(Clone, Debug)]
pub(crate) struct Sheets(u128);

impl Arbitrary for Worths {
    fn arbitrary(g: &mut Gen) -> Self {
        let most = *g.choose(&[1, 2, 9]).unwrap_or(&1);
        let needed = usize::arbitrary(g) & usize::arbitrary(g) & usize::arbitrary(g);
        let needed = needed % SHEETS;
        // These bits make no difference.
        let blind = usize::arbitrary(g) & usize::arbitrary(g);
        let all: Vec<u8> = (0..SHEETS).map(|_| u8::arbitrary(g) % (most + 1)).collect();
        let worth = |sheet: usize| match sheet & needed == needed {
            true => all[sheet & !(blind & !needed)],
            false => 0,
        };
        Worths((0..SHEETS).map(worth).collect())
    }
}

impl Arbitrary for Sheets {
    fn arbitrary(g: &mut Gen) -> Self {
        let one = u128::arbitrary(g);
        Sheets(match u8::arbitrary(g) % 4 {
            0 => u128::MAX,
            1 => one & u128::arbitrary(g) & u128::arbitrary(g),
            2 => one | u128::arbitrary(g),
            _ => one,
        })
    }
}

impl Sheets {
    pub(crate) fn gate(&self, gates: &mut Gates) -> Gate {
        self.from(0, 0, gates)
    }

    fn from(&self, bit: u8, sheet: usize, gates: &mut Gates) -> Gate {
        if bit == BITS {
            return if self.holds(sheet) { YES } else { NO };
        }
        let without = self.from(bit + 1, sheet, gates);
        let with = self.from(bit + 1, sheet | 1 << bit, gates);
        gates.node(bit, without, with)
    }

    fn holds(&self, sheet: usize) -> bool {
        self.0 >> sheet & 1 == 1
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = usize> {
        (0..SHEETS).filter(|sheet| self.holds(*sheet))
    }

    fn known(&self, gates: &mut Gates) -> Known {
        let all = SHEETS as u128 - 1;
        let and = |bits, sheet| bits & sheet as u128;
        let or = |bits, sheet| bits | sheet as u128;
        Known {
            must: self.all().fold(all, and),
            may: self.all().fold(0, or),
            care: self.gate(gates),
        }
    }
}

impl Worths {
    pub(crate) fn diagram(&self, diagrams: &mut Diagrams) -> Diagram {
        self.from(0, 0, diagrams)
    }

    /// This for sheets with the first value of life, `other` for those with the second.
    pub(crate) fn by_life(&self, other: &Worths, diagrams: &mut Diagrams) -> Diagram {
        let lens = [1, 2, 1, 1];
        let mut leaves = Vec::new();
        for sheet in 0..SHEETS {
            let mut both = vec![self.at(sheet), other.at(sheet)];
            leaves.push(diagrams.tables.leaf(&Shape::full(lens), &mut both));
        }
        node(0, 0, diagrams, &mut |_, sheet| {
            Diagrams::leaf(leaves[sheet])
        })
    }

    pub(crate) fn at(&self, sheet: usize) -> f64 {
        f64::from(self.0[sheet]) / 16.0
    }

    fn from(&self, bit: u8, sheet: usize, diagrams: &mut Diagrams) -> Diagram {
        node(bit, sheet, diagrams, &mut |diagrams, sheet| {
            let table = diagrams.tables.table([1; LANES], &[self.at(sheet)]);
            Diagrams::leaf(diagrams.tables.view(table, [FLAT; LANES]))
        })
    }
}

/// A diagram with the given leaf for every sheet.
fn node(
    bit: u8,
    sheet: usize,
    diagrams: &mut Diagrams,
    leaf: &mut dyn FnMut(&mut Diagrams, usize) -> Diagram,
) -> Diagram {
    if bit == BITS {
        return leaf(diagrams, sheet);
    }
    let kids = [sheet, sheet | 1 << bit].map(|sheet| node(bit + 1, sheet, diagrams, leaf));
    diagrams.node(bit, &kids)
}

pub(crate) fn value(diagrams: &Diagrams, diagram: Diagram, sheet: usize) -> f64 {
    diagrams.value(diagram, |bit| sheet >> bit & 1, [0; LANES])
}

pub(crate) fn check<A: quickcheck::Testable>(property: A) {
    QuickCheck::new().tests(500).quickcheck(property);
}

#[test]
fn the_fewest_and_the_most_held() {
    fn same(sheets: Sheets, bits: u8) -> bool {
        let mut gates = Gates::new();
        let gate = sheets.gate(&mut gates);
        let bits = u128::from(bits) % SHEETS as u128;
        let counts = sheets.all();
        let counts: Vec<u32> = counts
            .map(|sheet| (sheet as u128 & bits).count_ones())
            .collect();
        let fewest = counts.iter().min().copied().unwrap_or(0);
        let most = counts.iter().max().copied().unwrap_or(0);
        gates.held(gate, bits) == (fewest, most)
    }
    check(same as fn(Sheets, u8) -> bool);
}

/// One thing of each of twenty pairs, where the second ones are asked after all first ones: a
/// million nodes.
#[test]
fn conditions_take_no_more_than_they_may() {
    let mut gates = Gates::new();
    let pairs = |gates: &mut Gates| {
        (0..20).fold(YES, |all, bit| {
            let (first, second) = (gates.node(bit, NO, YES), gates.node(bit + 20, NO, YES));
            let pair = gates.or(first, second);
            gates.and(all, pair)
        })
    };
    gates.limit(1 << 20);
    pairs(&mut gates);
    assert!(gates.is_full() && gates.bytes() < 1 << 21);
    // What was made before then is valid.
    gates.limit(1 << 30);
    gates.rest();
    let all = pairs(&mut gates);
    assert!(!gates.is_full());
    let (first, second) = (0x55555, 0xaaaaa << 20);
    assert!(gates.opens(all, first | second));
    assert!(!gates.opens(all, (first | second) & !4) && !gates.opens(all, first));
}

#[test]
fn kept_gates_are_the_same_and_all_others_are_gone() {
    fn same(wanted: Vec<Sheets>, others: Vec<Sheets>) -> bool {
        let (mut gates, mut only, mut store) = (Gates::new(), Gates::new(), Gates::new());
        let all = |sheets: &[Sheets], gates: &mut Gates| -> Vec<Gate> {
            sheets.iter().map(|sheets| sheets.gate(gates)).collect()
        };
        all(&others, &mut gates);
        let before = all(&wanted, &mut gates);
        // Copies are interned with what is there.
        all(&others, &mut store);
        let mut copied = before.clone();
        store.copy(&gates, copied.iter_mut());
        let interned = copied == all(&wanted, &mut store);
        let mut kept = before.clone();
        gates.keep(kept.iter_mut());
        all(&wanted, &mut only);
        let alone = gates.bytes() == only.bytes();
        let opens = wanted.iter().zip(&kept).all(|(sheets, gate)| {
            (0..SHEETS).all(|sheet| gates.opens(*gate, sheet as u128) == sheets.holds(sheet))
        });
        let mut pairs: Vec<(Gate, Gate)> = before.into_iter().zip(kept).collect();
        pairs.sort_unstable();
        interned && alone && opens && pairs.is_sorted_by_key(|pair| pair.1)
    }
    check(same as fn(Vec<Sheets>, Vec<Sheets>) -> bool);
}

#[test]
fn what_is_fitted_is_the_same_where_anybody_cares() {
    fn same(worths: Worths, sheets: Sheets) -> bool {
        let mut diagrams = Diagrams::new(1 << 30);
        let gate = sheets.gate(&mut diagrams.gates);
        let whole = worths.diagram(&mut diagrams);
        let fitted = diagrams.fit(whole, gate);
        let mut all = sheets.all();
        all.all(|sheet| value(&diagrams, fitted, sheet) == value(&diagrams, whole, sheet))
    }
    check(same as fn(Worths, Sheets) -> bool);
}

#[test]
fn who_may_want_more_than_before_and_no_less_than_behind() {
    fn same(most: Worths, before: Worths, behind: Worths) -> bool {
        let mut diagrams = Diagrams::new(1 << 30);
        let parts = [&most, &before, &behind].map(|part| part.diagram(&mut diagrams));
        let gate = diagrams.exceeds(parts[0], parts[1], parts[2]);
        (0..SHEETS).all(|sheet| {
            let [most, before, behind] = [&most, &before, &behind].map(|part| part.0[sheet]);
            let wanted = most > 0 && most > before && most >= behind;
            diagrams.gates.opens(gate, sheet as u128) == wanted
        })
    }
    check(same as fn(Worths, Worths, Worths) -> bool);
}

/// A directed mixture never errs to the wrong side, and a mixture of equal parts is exact.
#[test]
fn what_is_rounded_one_way_is_beyond_no_fraction() {
    fn same(worths: (Worths, Worths, Worths), weights: (u8, u8, u8)) -> bool {
        let mut diagrams = Diagrams::new(1 << 30);
        let worths = [worths.0, worths.1, worths.2];
        let weights = [weights.0, weights.1, weights.2].map(|weight| u64::from(weight) + 1);
        let total: u64 = weights.iter().sum();
        let whole = worths.each_ref().map(|part| part.diagram(&mut diagrams));
        let parts: Vec<(u64, Diagram)> = weights.into_iter().zip(whole).collect();
        let [up, down] = [Towards::Up, Towards::Down].map(|towards| {
            diagrams.turn(towards);
            diagrams.mix(YES, &parts, total)
        });
        (0..SHEETS).all(|sheet| {
            let kinds = worths.each_ref().map(|part| u64::from(part.0[sheet]));
            let sum: u64 = weights.iter().zip(kinds).map(|(w, k)| w * k).sum();
            let truth = BigRational::new(sum.into(), (16 * total).into());
            let [up, down] = [up, down].map(|one| value(&diagrams, one, sheet));
            let equal = kinds.iter().all(|kind| *kind == kinds[0]);
            let [most, least] = [up, down].map(BigRational::from_float);
            most.is_some_and(|most| most >= truth)
                && least.is_some_and(|least| least <= truth)
                && up - down < 1e-14
                && (!equal || up == down)
        })
    }
    check(same as fn((Worths, Worths, Worths), (u8, u8, u8)) -> bool);
}

/// The greatest excess of one diagram over another, and one steadied by the other, for all possible
/// sheets; copies equal their originals.
#[test]
fn what_is_compared_where_anybody_cares() {
    fn same(now: Worths, before: Worths, sheets: Sheets) -> bool {
        let mut others = Diagrams::new(1 << 30);
        let parts = [&now, &before].map(|part| part.diagram(&mut others));
        let mut diagrams = Diagrams::new(1 << 30);
        let care = sheets.gate(&mut diagrams.gates);
        let mut memo = FxHashMap::default();
        let [first, second] = parts.map(|part| diagrams.copied(&others, part, &mut memo));
        // Slightly less than before.
        let hardly = diagrams.revalued(second, &|value| value * (1.0 - 1e-15));
        let over = diagrams.over(first, second, care);
        let steadied = diagrams.steadied(first, second, care);
        let stayed = diagrams.steadied(hardly, second, care);
        let mut most = 0.0_f64;
        let same = sheets.all().all(|sheet| {
            let [first, second] = parts.map(|part| value(&others, part, sheet));
            most = most.max(first - second);
            value(&diagrams, steadied, sheet) == first && value(&diagrams, stayed, sheet) == second
        });
        same && over == most
    }
    check(same as fn(Worths, Worths, Sheets) -> bool);
}

/// The value before one, two or three losses: exact, bounded, and with some bits blurred after it,
/// also if the first sheets are unrestricted.
#[test]
fn losses_cost_no_less_than_is_said() {
    fn same(worths: Worths, sheets: Sheets, bits: (u8, u8, u8), times: u8) -> bool {
        let mut diagrams = Diagrams::new(1 << 30);
        let (pool, vague, told) = bits;
        let vague = u128::from(vague) % SHEETS as u128;
        let pool = u128::from(pool) % SHEETS as u128;
        let mut known = vec![sheets.known(&mut diagrams.gates)];
        let times = usize::from(times % 3);
        for _ in 0..times {
            let before = known[known.len() - 1];
            known.push(diagrams.gates.lose_one(before, pool));
        }
        let after = diagrams.gates.lose_one(known[times], pool);
        let whole = worths.diagram(&mut diagrams);
        let fitted = diagrams.fit(whole, after.care);
        let (mut exact, mut most, mut blurred) = (fitted, fitted, fitted);
        let mut values: Vec<f64> = worths
            .0
            .iter()
            .map(|worth| f64::from(*worth) / 16.0)
            .collect();
        for known in known.iter().rev() {
            let mask = pool & known.may;
            let Some(lost) = diagrams.lose_one(exact, mask, *known) else {
                return false;
            };
            let Some(vaguely) = diagrams.lose_blurred(blurred, mask, *known, vague) else {
                return false;
            };
            (exact, blurred) = (lost, vaguely);
            most = diagrams.lose_at_most(most, mask, *known, told.into());
            values = (0..SHEETS)
                .map(|sheet| {
                    let bits: Vec<usize> = (0..BITS)
                        .map(|bit| 1 << bit)
                        .filter(|bit| sheet as u128 & pool & *bit as u128 != 0)
                        .collect();
                    match bits.len() {
                        0 => values[sheet],
                        count => {
                            let lost = bits.iter().map(|bit| values[sheet & !bit]);
                            lost.sum::<f64>() / count as f64
                        }
                    }
                })
                .collect();
        }
        let mut all = sheets.all();
        all.all(|sheet| {
            let exact = value(&diagrams, exact, sheet);
            let most = value(&diagrams, most, sheet);
            let blurred = value(&diagrams, blurred, sheet);
            (exact - values[sheet]).abs() < 1e-14
                && most > exact - 1e-14
                && blurred > exact - 1e-14
                && (vague != 0 || blurred < exact + 1e-14)
        })
    }
    check(same as fn(Worths, Sheets, (u8, u8, u8), u8) -> bool);
}

/// A sword is worth half of a victory and a rope nothing. With both, a thief takes the sword half
/// of the time. The blurred bound may assume that the thief takes a rope.
#[test]
fn a_thief_takes_his_share_of_what_matters() {
    let mut diagrams = Diagrams::new(1 << 20);
    let (sword, rope) = (1_usize, 2_usize);
    let worth = |sheet: usize| if sheet & sword == sword { 16 } else { 8 };
    let after = Worths((0..SHEETS).map(worth).collect()).diagram(&mut diagrams);
    let pool = (sword | rope) as u128;
    let known = Sheets(0b1111).known(&mut diagrams.gates);
    let exact = diagrams.lose_one(after, pool, known);
    let clear = diagrams.lose_blurred(after, pool, known, 0);
    let vague = diagrams.lose_blurred(after, pool, known, rope as u128);
    let most = diagrams.lose_at_most(after, pool, known, 0);
    let told = diagrams.lose_at_most(after, pool, known, sword as u128);
    let worths = |diagram: Option<Diagram>| {
        let diagram = diagram.unwrap_or(Diagram::MAX);
        [0, sword, rope, sword | rope].map(|sheet| value(&diagrams, diagram, sheet))
    };
    assert_eq!(worths(exact), [0.5, 0.5, 0.5, 0.75]);
    assert_eq!(worths(clear), worths(exact));
    // Whether there is a rope is not known.
    assert_eq!(worths(vague), [0.5, 0.75, 0.5, 0.75]);
    // Nobody is lost without the sword.
    assert_eq!(worths(Some(most)), [0.5, 1.0, 0.5, 1.0]);
    // If the cost is told, at least half of the sword is lost, since there may be a rope.
    let near = worths(Some(told)).map(|worth| (worth * 1e9).round() / 1e9);
    assert_eq!(near, [0.5, 0.75, 0.5, 0.75]);
}

/// If all sheets can occur, losing blurred bits costs each other bit exactly its share, with as
/// many blurred bits as possible or with none.
#[test]
fn what_is_lost_where_little_is_told_apart() {
    fn same(worths: Worths, pool: u8, vague: u8) -> bool {
        let mut diagrams = Diagrams::new(1 << 30);
        let (pool, vague) = (usize::from(pool) % SHEETS, usize::from(vague) % SHEETS);
        let all = Sheets(u128::MAX);
        let known = all.known(&mut diagrams.gates);
        let after = worths.diagram(&mut diagrams);
        let lost = diagrams.lose_blurred(after, pool as u128, known, vague as u128);
        let Some(lost) = lost else {
            return false;
        };
        let best = |sheet: usize| {
            let others = all.all().filter(|other| (sheet ^ other) & !vague == 0);
            let worths = others.map(|other| f64::from(worths.0[other]) / 16.0);
            worths.fold(0.0, f64::max)
        };
        all.all().all(|sheet| {
            let clear = (0..BITS).map(|bit| 1_usize << bit);
            let clear: Vec<usize> = clear
                .filter(|bit| sheet & pool & !vague & bit != 0)
                .collect();
            let rest: f64 = clear.iter().map(|bit| best(sheet & !bit)).sum();
            let mean = |vaguely: u32| match vaguely as usize + clear.len() {
                0 => best(sheet),
                count => (f64::from(vaguely) * best(sheet) + rest) / count as f64,
            };
            let most = mean(0).max(mean((pool & vague).count_ones()));
            (value(&diagrams, lost, sheet) - most).abs() < 1e-14
        })
    }
    check(same as fn(Worths, u8, u8) -> bool);
}

/// Tables of values that are often nearly the same.
#[derive(Clone, Debug)]
struct Alike(Vec<[u8; 6]>);

impl Arbitrary for Alike {
    fn arbitrary(g: &mut Gen) -> Self {
        let first: [u8; 6] = std::array::from_fn(|_| u8::arbitrary(g) % 200);
        let near = |g: &mut Gen| match u8::arbitrary(g) % 4 {
            0 => [0; 6],
            1 => std::array::from_fn(|_| u8::arbitrary(g)),
            _ => first.map(|value| value + u8::arbitrary(g) % 20),
        };
        Alike((0..40).map(|_| near(g)).collect())
    }
}

#[test]
fn what_is_taken_for_a_table_is_on_one_side_of_it_and_close() {
    fn holds(tables: Alike, up: bool, turning: bool, row: u16) -> bool {
        const GRAIN: f64 = 0.05;
        let mut diagrams = Diagrams::new(1 << 30);
        let towards = if up { Towards::Up } else { Towards::Down };
        let grain = Grain {
            towards,
            size: GRAIN,
            closely: false,
        };
        diagrams.tables.coarsen(grain, row.into());
        diagrams.turning(turning);
        tables.0.iter().all(|values| {
            let values = values.map(|value| f64::from(value) / 255.0);
            let leaf = diagrams
                .tables
                .leaf(&Shape::full([1, 2, 3, 1]), &mut values.to_vec());
            let diagram = Diagrams::leaf(leaf);
            (0..6).all(|place| {
                let taken = diagrams.value(diagram, |_| 0, [0, place / 3, place % 3, 0]);
                let off = if up {
                    taken - values[place]
                } else {
                    values[place] - taken
                };
                (0.0..=GRAIN + 1e-12).contains(&off) && taken <= 1.0
            })
        })
    }
    check(holds as fn(Alike, bool, bool, u16) -> bool);
}

#[test]
fn few_tables_are_kept_where_many_are_nearly_the_same() {
    let mut diagrams = Diagrams::new(1 << 30);
    let grain = Grain {
        towards: Towards::Down,
        size: 0.01,
        closely: false,
    };
    diagrams.tables.coarsen(grain, 1);
    for step in 0..10_000 {
        let value = 0.5 + 1e-5 * f64::from(step);
        let mut values = vec![value, value / 2.0, value / 3.0];
        diagrams
            .tables
            .leaf(&Shape::full([1, 3, 1, 1]), &mut values);
    }
    // From 0.5 to 0.6 in steps of nearly a hundredth, plus the initial tables.
    let kept = diagrams.tables.len();
    assert!((10..20).contains(&kept), "{kept}");
}
