//! Published numbers: the Combat Results Table, and the table of a first fight
//! in "Solving a gamebook: a smarter solver".

use std::collections::BTreeMap;

use num_rational::BigRational;
use oddsmith_lonewolf::{Combat, CombatTable, Error};
use oddsmith_mdp::Solver;

/// The lines of a data file, without comments.
fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#'))
}

#[test]
fn the_combat_results_table_is_the_published_one() {
    let table = CombatTable::standard();
    let mut columns = 0;
    for line in lines(include_str!("../data/combat_results.txt")) {
        let (column, cells) = line.split_once(':').unwrap();
        let column: i8 = column.trim().parse().unwrap();
        let ratios: Vec<i64> = (-15..=15)
            .filter(|&ratio| CombatTable::column(ratio) == column)
            .collect();
        assert!(!ratios.is_empty(), "no ratio leads to column {column}");
        for ratio in ratios {
            let round = table.round(ratio).map(|exchange| exchange.to_string());
            assert_eq!(round.join(" "), cells.trim(), "ratio {ratio}");
        }
        columns += 1;
    }
    assert_eq!(columns, 13);
}

/// In the program that the published numbers come from, the foe loses more at random number 7 than
/// in the books; there is no other difference.
#[test]
fn four_cells_of_the_table_in_print_are_others() -> Result<(), Error> {
    let (standard, printed) = (CombatTable::standard(), CombatTable::printed());
    let mut others = Vec::new();
    for ratio in [-11, -9, -7, -5, -3, -1, 0, 1, 3, 5, 7, 9, 11] {
        for number in 0..10 {
            let (one, other) = (
                standard.exchange(ratio, number)?,
                printed.exchange(ratio, number)?,
            );
            if one != other {
                others.push(format!("{ratio} {number}: {other} for {one}"));
            }
        }
    }
    let expected = [
        "0 7: 9/1 for 10/1",
        "1 7: 10/1 for 11/1",
        "3 7: 11/1 for 12/1",
        "5 7: 12/0 for 14/0",
    ];
    assert_eq!(others, expected);
    Ok(())
}

/// The rule for columns as in the source of the table: beyond ±10 the last one; otherwise a
/// negative ratio minus one, or another one plus one, halved towards zero.
#[test]
fn columns_are_those_of_the_published_rule() {
    for ratio in -40..=40 {
        let expected = match ratio {
            ..=-11 => -6,
            -10..0 => (ratio - 1) / 2,
            0..=10 => (ratio + 1) / 2,
            _ => 6,
        };
        assert_eq!(i64::from(CombatTable::column(ratio)), expected);
    }
}

#[test]
fn random_numbers_find_their_exchange() {
    let table = CombatTable::standard();
    for ratio in -12..=12 {
        let looked_up = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(|n| table.exchange(ratio, n).unwrap());
        assert_eq!(&looked_up, table.round(ratio));
    }
}

/// One line of the first fight: ENDURANCE left, percent, and cumulated percent, both in hundredths.
fn first_fight() -> Vec<(i64, i64, i64)> {
    let hundredths = |text: &str| text.replace('.', "").parse::<i64>().unwrap();
    lines(include_str!("../data/first_fight.txt"))
        .map(|line| {
            let mut fields = line.split_whitespace();
            let endurance = fields.next().unwrap().parse().unwrap();
            let percent = hundredths(fields.next().unwrap());
            (endurance, percent, hundredths(fields.next().unwrap()))
        })
        .collect()
}

/// Rounds to hundredths of a percent.
fn rounded(probability: &BigRational) -> BigRational {
    (probability * BigRational::from_integer(10_000.into())).round()
}

#[track_caller]
fn check_first_fight(combat: &Combat) {
    let published = first_fight();
    let lines = combat.odds().unwrap().by_likelihood().unwrap();
    assert_eq!(lines.len(), published.len());
    for (line, (endurance, percent, cumulated)) in lines.iter().zip(published) {
        assert_eq!(line.endurance, endurance);
        assert_eq!(
            rounded(&line.probability),
            BigRational::from_integer(percent.into())
        );
        assert_eq!(
            rounded(&line.cumulated),
            BigRational::from_integer(cumulated.into())
        );
    }
}

/// All 26 lines, in order, to the last digit, including the cumulated ones.
#[test]
fn the_first_fight_is_25_against_25_at_a_ratio_of_1_or_2() {
    check_first_fight(&Combat::new(17, 25, 16, 25).unwrap());
    check_first_fight(&Combat::new(18, 25, 16, 25).unwrap());
    // A foe who loses double has twice the ENDURANCE, or one point less.
    check_first_fight(&Combat::new(17, 25, 16, 49).unwrap().double_damage());
    check_first_fight(&Combat::new(17, 25, 16, 50).unwrap().double_damage());
}

/// No other column and ENDURANCEs come within one and a half percentage points. The source lists
/// nothing above 25, and its lines add up to 100.00 %.
#[test]
fn no_other_fight_comes_near_the_first() {
    let published: BTreeMap<i64, f64> = first_fight()
        .into_iter()
        .map(|(endurance, percent, _)| (endurance, percent as f64 / 100.0))
        .collect();
    let mut distances = Vec::new();
    for column in -6..=6_i32 {
        let skill = 20 + 2 * column;
        for endurance in 25..=28 {
            for foe in 1..=60 {
                let combat = Combat::new(skill, endurance, 20, foe).unwrap();
                assert_eq!(i32::from(CombatTable::column(combat.ratio())), column);
                let left = combat
                    .odds_with(Solver::float())
                    .unwrap()
                    .endurance_left()
                    .unwrap();
                let distance = (0..=endurance)
                    .map(|e| (100.0 * left.p(&e) - published.get(&e).unwrap_or(&0.0)).abs())
                    .fold(0.0, f64::max);
                distances.push((distance, column, endurance, foe));
            }
        }
    }
    distances.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!(
        (distances[0].1, distances[0].2, distances[0].3),
        (1, 25, 25)
    );
    assert!(distances[0].0 < 0.005, "{:?}", distances[0]);
    assert_eq!(
        (distances[1].1, distances[1].2, distances[1].3),
        (3, 25, 43)
    );
    assert!(distances[1].0 > 1.5, "{:?}", distances[1]);
}
