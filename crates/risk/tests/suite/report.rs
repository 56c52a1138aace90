//! Reports and tables: their numbers equal those of the underlying functions.

use oddsmith_risk::{
    Battle, BattleConfiguration, Error, Rules, StopRule, Table, Throw, win_matrix_f64,
};

/// For two pairs, the paper's counts and shares are half of the true ones; for one pair they are
/// correct.
#[test]
fn lines_as_on_the_papers_console() {
    for configuration in BattleConfiguration::ALL {
        let report = configuration.rules().report().unwrap().to_string();
        for line in configuration.output().unwrap().lines {
            let printed = line.to_string();
            if line.defence == 1 {
                assert!(report.contains(printed.trim_end()), "{printed}\n{report}");
            } else {
                let first = &line.entries[0];
                assert!(report.contains(&format!("({}/", first.count)), "{printed}");
            }
        }
    }
}

#[test]
fn battles_of_all_kinds_have_a_report() {
    let hopeless = Rules::standard().sides(1, 6).unwrap();
    let text = Battle::new(3, 1)
        .unwrap()
        .rules(hopeless)
        .report()
        .unwrap()
        .to_string();
    assert!(
        text.contains("Att wins=0.000%  Def holds=100.000%"),
        "{text}"
    );
    let sure = Rules::standard().sides(6, 1).unwrap().attack_bonus([9]);
    let text = Battle::new(3, 1)
        .unwrap()
        .rules(sure)
        .report()
        .unwrap()
        .to_string();
    assert!(
        text.contains("Att wins=100.000%  Def holds=0.000%"),
        "{text}"
    );
    let careful = Battle::new(10, 8)
        .unwrap()
        .stop(StopRule::at_units(3))
        .unwrap();
    let left = careful.survivors_f64().unwrap();
    let text = careful.report().unwrap().to_string();
    assert!(
        text.contains(&format!("broken off={:.3}%", 100.0 * left.broken_off())),
        "{text}"
    );
    // A side that stops at two units is never beaten: nobody holds the territory, but it may not be
    // taken.
    let never = Battle::new(10, 8).unwrap().stop(StopRule::at_units(2));
    let text = never.unwrap().report().unwrap().to_string();
    assert!(
        text.contains("Def holds=0.000%  broken off=35.884%"),
        "{text}"
    );
    assert!(text.contains("; if it is not taken 3.359"), "{text}");
    let small = Battle::new(1, 20).unwrap().report().unwrap().to_string();
    assert!(small.contains("e-"), "{small}");
}

#[test]
fn tables_hold_what_they_are_made_of() {
    let win = win_matrix_f64(12, 9, &Rules::standard()).unwrap();
    let table = Table::percent(&win, 40);
    let csv = table.to_csv();
    for (attackers, line) in csv.lines().enumerate().skip(1) {
        for (defenders, cell) in line.split(',').enumerate().skip(1) {
            let percent: f64 = cell.parse().unwrap();
            assert_eq!(percent, 100.0 * win[[attackers, defenders]]);
        }
    }
    // The same cells in all three formats.
    let cells = |text: &str, bars: &[char]| -> Vec<String> {
        let cells = text.split(|c: char| c.is_whitespace() || bars.contains(&c));
        cells
            .filter(|cell| !cell.is_empty() && !cell.contains("---"))
            .map(String::from)
            .collect()
    };
    let plain = cells(&table.to_string(), &[]);
    assert_eq!(cells(&csv, &[',']), plain);
    assert_eq!(cells(&table.to_markdown(), &['|']), plain);
}

#[test]
fn odd_tables() {
    let none: [(u8, [u8; 0]); 0] = [];
    let empty = Table::new("a", [1], none);
    assert_eq!(empty.to_markdown(), "| a | 1 |\n|---:|---:|\n");
    assert_eq!(empty.to_csv(), "a,1\r\n");
    let ragged = Table::new("", ["x|y"], [("r", vec!["1", "2\n3"]), ("s", vec![])]);
    assert_eq!(
        ragged.to_markdown(),
        "|  | x\\|y |  |\n|---:|---:|---:|\n| r | 1 | 2 3 |\n| s |  |  |\n"
    );
    assert_eq!(ragged.to_csv(), ",x|y,\r\nr,1,\"2\n3\"\r\ns,,\r\n");
}

#[test]
fn too_many_throws_for_a_report() {
    let many = Rules::standard().max_dice(u32::MAX, u32::MAX).unwrap();
    assert!(matches!(many.report(), Err(Error::ThrowsTooLarge { .. })));
    let large = Throw::new(u32::MAX, u32::MAX).unwrap();
    assert!(large.report().is_err());
    assert!(Table::of_throw(&large).is_err());
    assert!(Battle::new(u32::MAX, u32::MAX).unwrap().report().is_err());
}
