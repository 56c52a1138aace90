//! Games with simultaneous decisions: compared with a simple recursion over the kernels of
//! matrices, closed forms, the theorems of the field and RISK.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use crate::bets::{Bluff, Pennies, encloses, ratio};
use crate::meetings::{Kind, Meetings};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use oddsmith_mdp::{MatrixGame, Meeting, Simultaneous, Solver, Strategy};
use quickcheck::{TestResult, quickcheck};

quickcheck! {
    fn as_the_kernels_say(game: Meetings) -> bool {
        let values = game.values();
        let exact = Solver::exact().solve_simultaneous(&game, 0).unwrap();
        let float = Solver::float().solve_simultaneous(&game, 0).unwrap();
        exact.value() == values[0]
            && exact.states().all(|(&state, value)| {
                let error = BigRational::from_float(float.error(&state).unwrap()).unwrap();
                let near = BigRational::from_float(float.value_of(&state).unwrap()).unwrap();
                value == values[state]
                    && encloses(float.enclosure(&state).unwrap(), &value)
                    && encloses(exact.enclosure(&state).unwrap(), &value)
                    && near <= &value + &error
                    && near >= &value - &error
            })
    }

    fn both_secure_the_value(game: Meetings) -> bool {
        let solution = Solver::exact().solve_simultaneous(&game, 0).unwrap();
        let mut states = solution.states();
        states.all(|(state, value)| {
            let met = solution.equilibrium(state).unwrap();
            let Some(columns) = met.payoffs.first().map(Vec::len) else {
                return true;
            };
            let dot = |a: &[BigRational], b: &[BigRational]| -> BigRational {
                a.iter().zip(b).map(|(a, b)| a * b).sum()
            };
            let row = met.row_strategy.iter().sum::<BigRational>().is_one()
                && (0..columns).all(|column| {
                    let column: Vec<_> = met.payoffs.iter().map(|row| row[column].clone()).collect();
                    dot(&met.row_strategy, &column) >= value
                });
            let column = met.column_strategy.iter().sum::<BigRational>().is_one()
                && met.payoffs.iter().all(|row| dot(row, &met.column_strategy) <= value);
            let saddles = MatrixGame::new(met.payoffs.clone()).unwrap().saddle_points();
            let mixed = solution.mixed_states().any(|mixed| mixed == state);
            row && column && saddles == met.saddle_points && mixed == saddles.is_empty()
        })
    }

    fn equilibrium_policies_are_not_exploitable(game: Meetings) -> bool {
        let solution = Solver::exact().solve_simultaneous(&game, 0).unwrap();
        let row = |state: &usize, _: &[usize]| {
            Strategy::new(solution.equilibrium(state)?.row_strategy)
        };
        let column = |state: &usize, _: &[usize]| {
            Strategy::new(solution.equilibrium(state)?.column_strategy)
        };
        let value = solution.value();
        solution.secured_by_row(row).unwrap() == value
            && solution.conceded_by_column(column).unwrap() == value
            && solution.expected(row, column).unwrap() == value
    }

    fn no_policy_does_better(game: Meetings, picks: Vec<usize>) -> bool {
        let solution = Solver::exact().solve_simultaneous(&game, 0).unwrap();
        let float = Solver::float().solve_simultaneous(&game, 0).unwrap();
        let pick = |state: &usize, actions: &[usize]| {
            let pick = picks.get(*state).copied().unwrap_or(*state);
            Strategy::pure(pick % actions.len(), actions.len())
        };
        let low = solution.secured_by_row(pick).unwrap();
        let between = solution.expected(pick, pick).unwrap();
        let high = solution.conceded_by_column(pick).unwrap();
        let near = |float: f64, exact: &BigRational| (float - exact.to_f64().unwrap()).abs() < 1e-12;
        low <= solution.value() && solution.value() <= high
            && low <= between && between <= high
            && near(float.secured_by_row(pick).unwrap(), &low)
            && near(float.expected(pick, pick).unwrap(), &between)
            && near(float.conceded_by_column(pick).unwrap(), &high)
    }

    fn seats_scales_and_labels(game: Meetings) -> bool {
        let value = |game: &Meetings| {
            Solver::exact().solve_simultaneous(game, 0).unwrap().value()
        };
        let plain = value(&game);
        value(&game.swapped()) == -plain.clone()
            && value(&game.scored(|score| 3 * score + 7)) == &plain * ratio(3, 1) + ratio(7, 1)
            && value(&game.reversed()) == plain
    }

    fn deciding_first_and_seen_is_no_better(game: Meetings) -> bool {
        let value = |game: &Meetings| {
            Solver::exact().solve_simultaneous(game, 0).unwrap().value()
        };
        let (first, last) = (value(&game.in_turn()), -value(&game.swapped().in_turn()));
        let at_once = value(&game);
        let pure = Solver::exact().solve_simultaneous(&game, 0).unwrap().pure_everywhere();
        first <= at_once && at_once <= last && (!pure || first == at_once)
    }

    fn games_in_turn_are_special_cases(game: Meetings) -> bool {
        let game = game.in_turn();
        let at_once = Solver::exact().solve_simultaneous(&game, 0).unwrap();
        let in_turn = Solver::exact().solve(&game, 0).unwrap();
        at_once.pure_everywhere()
            && at_once.len() == in_turn.len()
            && at_once.states().all(|(state, value)| in_turn.value_of(state) == Ok(value))
    }

    fn floats_enclose_the_value_of_a_matrix(entries: Vec<f64>, columns: usize) -> TestResult {
        let columns = 1 + columns % 5;
        let entries: Vec<f64> = entries
            .into_iter()
            .filter(|entry| entry.abs() < 1e280)
            .take(5 * columns)
            .collect();
        let rows: Vec<Vec<f64>> = entries.chunks_exact(columns).map(<[_]>::to_vec).collect();
        if rows.is_empty() {
            return TestResult::discard();
        }
        let found = MatrixGame::solve_f64(rows.clone()).unwrap();
        let exact = rows.iter().map(|row| {
            row.iter().map(|&entry| BigRational::from_float(entry).unwrap()).collect::<Vec<_>>()
        });
        let value = MatrixGame::new(exact).unwrap().value().unwrap();
        let float = |x| BigRational::from_float(x).unwrap();
        let size = entries.iter().fold(0.0, |size, entry| f64::max(size, entry.abs()));
        TestResult::from_bool(
            float(found.lower) <= value
                && value <= float(found.upper)
                && found.upper - found.lower <= 1e-12 * size + f64::MIN_POSITIVE * 4.0,
        )
    }
}

#[test]
fn the_generator_reaches_mixed_states_behind_mixed_states() {
    // A fixed seed: rare cases must not make the test fail at random.
    let mut g = quickcheck::Gen::from_size_and_seed(20, 1);
    let mut deepest = 0;
    for _ in 0..4_000 {
        let game = <Meetings as quickcheck::Arbitrary>::arbitrary(&mut g);
        let solution = Solver::exact().solve_simultaneous(&game, 0).unwrap();
        deepest = deepest.max(solution.mixed_states().count());
    }
    assert!(deepest >= 3, "{deepest}");
}

/// M. Dresher's inspection game: the days left and the inspections left.
struct Inspection;

impl Simultaneous for Inspection {
    type State = Result<(u32, u32), i32>;
    type Row = bool;
    type Column = bool;

    fn expand(&self, state: &Self::State, meeting: &mut Meeting<Self>) {
        match *state {
            Err(score) => meeting.end(score),
            Ok((0, _)) => meeting.end(0),
            Ok((days, left)) => {
                for looks in [false, true] {
                    if looks && left == 0 {
                        continue;
                    }
                    let caught = if looks { 1 } else { -1 };
                    meeting.cell(looks, true).to(Err(caught), 1);
                    let left = left - u32::from(looks);
                    meeting.cell(looks, false).to(Ok((days - 1, left)), 1);
                }
            }
        }
    }
}

fn binomial(n: u32, k: u32) -> BigInt {
    (0..k).fold(BigInt::one(), |product, i| {
        product * (i64::from(n) - i64::from(i)) / (i64::from(i) + 1)
    })
}

#[test]
fn inspections_have_a_closed_form() {
    for days in 1..=12 {
        for left in 0..=days {
            let start = Ok((days, left));
            let exact = Solver::exact()
                .solve_simultaneous(&Inspection, start)
                .unwrap();
            let sum: BigInt = (0..=left).map(|i| binomial(days, i)).sum();
            let closed = -BigRational::new(binomial(days - 1, left), sum);
            assert_eq!(exact.value(), closed, "{days} {left}");
            let float = Solver::float()
                .solve_simultaneous(&Inspection, start)
                .unwrap();
            assert!(encloses(float.enclosure(&start).unwrap(), &closed));
            assert_eq!(float.pure_everywhere(), exact.pure_everywhere());
        }
    }
}

#[test]
fn races_of_pennies_are_fractions_of_fractions() {
    // One round left: the matcher wins with v = 1/2, and at 2 to 1 [[1, 0], [0, 1/2]] has the value
    // 1/3.
    let check = |state, value: BigRational| {
        let solution = Solver::exact().solve_simultaneous(&Pennies, state).unwrap();
        assert_eq!(solution.value(), value, "{state:?}");
        let float = Solver::float().solve_simultaneous(&Pennies, state).unwrap();
        assert!(encloses(float.enclosure(&state).unwrap(), &value));
    };
    check((1, 1), ratio(1, 2));
    check((2, 1), ratio(1, 3));
    // [[1, v(1, 1)], [v(1, 1), 1]]
    check((1, 2), ratio(3, 4));
    // [[v(0, 2), v(2, 1)], [v(2, 1), v(1, 2)]] = [[1, 1/3], [1/3, 3/4]]
    check(
        (2, 2),
        (ratio(3, 4) - ratio(1, 9)) / (ratio(7, 4) - ratio(2, 3)),
    );
}

#[test]
fn one_card_poker_bluffs_one_time_in_three() {
    let solution = Solver::exact().solve_simultaneous(&Bluff, None).unwrap();
    assert_eq!(solution.value(), ratio(1, 3));
    let bet = solution.equilibrium(&None).unwrap();
    assert_eq!(bet.p_row(&"bluff"), ratio(1, 3));
    assert_eq!(bet.p_column(&"call"), ratio(2, 3));
    assert_eq!(bet.p_row(&"sleep"), BigRational::zero());
    let float = Solver::float().solve_simultaneous(&Bluff, None).unwrap();
    let bet = float.equilibrium(&None).unwrap();
    assert!((bet.p_row(&"bluff") - 1.0 / 3.0).abs() < 1e-15);
}

/// Goofspiel: prizes appear at random, both bid a card at once, and both lose ties. Cards as sets
/// of bits: own, the other's, prizes; the current prize; the lead.
struct Goofspiel;

impl Simultaneous for Goofspiel {
    type State = (u32, u32, u32, Option<u32>, i32);
    type Row = u32;
    type Column = u32;

    fn expand(
        &self,
        &(own, other, prizes, shown, lead): &Self::State,
        meeting: &mut Meeting<Self>,
    ) {
        let cards = |set: u32| (0..32).filter(move |&card| set & 1 << card != 0);
        match shown {
            None if prizes == 0 => meeting.end(lead),
            None => {
                let mut turn = meeting.chance();
                for prize in cards(prizes) {
                    turn.to((own, other, prizes & !(1 << prize), Some(prize), lead), 1);
                }
            }
            Some(prize) => {
                for a in cards(own) {
                    for b in cards(other) {
                        let sign = (a > b) as i32 - (a < b) as i32;
                        let lead = lead + sign * (prize as i32 + 1);
                        let next = (own & !(1 << a), other & !(1 << b), prizes, None, lead);
                        meeting.cell(a, b).to(next, 1);
                    }
                }
            }
        }
    }
}

#[test]
fn goofspiel_is_fair() {
    let start = (0b1111, 0b1111, 0b1111, None, 0);
    let exact = Solver::exact()
        .solve_simultaneous(&Goofspiel, start)
        .unwrap();
    assert!(exact.value().is_zero());
    let float = Solver::float()
        .solve_simultaneous(&Goofspiel, start)
        .unwrap();
    let mut unequal = 0;
    for (&(own, other, prizes, shown, lead), value) in exact.states() {
        let mirror = (other, own, prizes, shown, -lead);
        assert_eq!(exact.value_of(&mirror).unwrap(), -value.clone());
        let state = (own, other, prizes, shown, lead);
        assert!(encloses(float.enclosure(&state).unwrap(), &value));
        unequal += usize::from(own != other && !value.is_zero());
    }
    assert!(unequal > 100 && exact.mixed_states().count() > 10);
}

/// RISK in which both choose their dice at once.
struct Risk {
    /// By the dice of attacker and defender minus one: the number of throws in which the defender
    /// loses 0, 1, 2.
    throws: Vec<Vec<[u64; 3]>>,
    /// Whether the defender may not throw more dice than the attacker.
    no_more: bool,
}

impl Risk {
    fn new(bonus: [u32; 2], no_more: bool) -> Self {
        let throw = |dice: [u32; 2]| {
            let mut counts = [0; 3];
            for code in 0..6_u32.pow(dice[0] + dice[1]) {
                let faces = (0..dice[0] + dice[1]).map(|die| code / 6_u32.pow(die) % 6);
                let faces: Vec<u32> = faces.collect();
                let (own, other) = faces.split_at(dice[0] as usize);
                let side = |faces: &[u32], bonus: u32| {
                    let mut faces = faces.to_vec();
                    faces.sort_unstable_by(|a, b| b.cmp(a));
                    faces[0] += bonus;
                    faces
                };
                let pairs = side(own, bonus[0]).into_iter().zip(side(other, bonus[1]));
                counts[pairs.filter(|(own, other)| own > other).count()] += 1;
            }
            counts
        };
        let throws = (1..=3).map(|a| (1..=2).map(|d| throw([a, d])).collect());
        Risk {
            throws: throws.collect(),
            no_more,
        }
    }
}

impl Simultaneous for Risk {
    type State = (u32, u32);
    type Row = u32;
    type Column = u32;

    fn expand(&self, &(units, against): &(u32, u32), meeting: &mut Meeting<Self>) {
        if units == 0 || against == 0 {
            return meeting.end(against == 0);
        }
        for a in 1..=units.min(3) {
            for d in 1..=against.min(2) {
                // Announcing more than the attacker equals announcing as many.
                let dice = if self.no_more { d.min(a) } else { d };
                let counts = self.throws[a as usize - 1][dice as usize - 1];
                let compared = a.min(dice);
                let mut cell = meeting.cell(a, d);
                for lost in 0..=compared {
                    let next = (units - (compared - lost), against - lost);
                    cell.to(next, counts[lost as usize]);
                }
            }
        }
    }
}

#[test]
fn risk_needs_no_mixing() {
    let data = include_str!("../data/risk_dice.txt");
    let lines = data.lines().filter(|line| !line.starts_with('#'));
    let mut seen = 0;
    for (bonus, rule) in [
        ([0, 0], "std"),
        ([0, 0], "source"),
        ([1, 0], "std"),
        ([1, 0], "source"),
    ] {
        let game = Risk::new(bonus, rule == "source");
        let exact = Solver::exact().solve_simultaneous(&game, (15, 15)).unwrap();
        let float = Solver::float().solve_simultaneous(&game, (15, 15)).unwrap();
        assert!(exact.pure_everywhere() && float.pure_everywhere());
        for line in lines.clone() {
            let words: Vec<&str> = line.split(' ').collect();
            let number = |word: usize| words[word].parse::<u32>().unwrap();
            if [number(0), number(1)] != bonus || words[2] != rule {
                continue;
            }
            let state = (number(3), number(4));
            let value: BigRational = words[5].parse().unwrap();
            assert_eq!(exact.value_of(&state).unwrap(), value, "{line}");
            assert!(encloses(float.enclosure(&state).unwrap(), &value), "{line}");
            seen += 1;
        }
        // One die against two, if the defender may not throw more.
        let two = exact.equilibrium(&(2, 2)).unwrap();
        let best = if rule == "source" { 1 } else { 2 };
        assert_eq!(two.row_support(), [&best]);
    }
    assert_eq!(seen, 180);
}

#[test]
fn states_are_explained() {
    let solution = Solver::exact().solve_simultaneous(&Bluff, None).unwrap();
    assert_eq!(
        solution.equilibrium(&None).unwrap().to_string(),
        "None is worth 1/3 = 0.3333333333333333; both mix\n\
         \x20              \"call\"  \"fold\"\n\
         \x20                 2/3     1/3\n\
         \"honest\"  2/3     1/2       0\n\
         \"bluff\"   1/3       0       1\n"
    );
    assert_eq!(
        solution.equilibrium(&Some(2)).unwrap().to_string(),
        "Some(2) is worth 2\n"
    );
    let game = Meetings(vec![
        Kind::Columns(vec![vec![(1, 1)], vec![(2, 1)]]),
        Kind::Rows(vec![vec![(2, 1)], vec![(3, 1)]]),
        Kind::End(1),
        Kind::End(2),
    ]);
    let solution = Solver::exact().solve_simultaneous(&game, 0).unwrap();
    assert_eq!(
        solution.equilibrium(&0).unwrap().to_string(),
        "0 is worth 1; the column player decides\n0  1\n0  1\n2  1\n"
    );
    assert_eq!(
        solution.equilibrium(&1).unwrap().to_string(),
        "1 is worth 2; the row player decides\n0  0  1\n1  1  2\n"
    );
}
