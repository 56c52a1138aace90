//! Maps for the terminal, read back and compared with the tables they show.

use oddsmith_fightingfantasy::{
    Advantage, Decision, Error, Extent, HeatMap, LuckMap, LuckTable, Objective, Rules,
};

const PAPER: Extent = Extent {
    hero: 24,
    foe: 24,
    luck: 12,
};

fn table(skill_difference: i64, extent: Extent) -> LuckTable {
    LuckTable::optimal(
        &Rules::standard(),
        skill_difference,
        extent,
        Advantage::Strict,
    )
    .unwrap()
}

/// The rows of cells, from STAMINA 1 of the foe upwards, of a map with a title.
fn rows(text: &str, foes: u16) -> Vec<String> {
    let lines = text.lines().skip(2).take(usize::from(foes));
    let mut rows: Vec<String> = lines
        .map(|line| line.get(3..).unwrap_or("").to_owned())
        .collect();
    rows.reverse();
    rows
}

#[test]
fn a_small_map_is_drawn_to_the_letter() {
    let extent = Extent {
        hero: 6,
        foe: 5,
        luck: 7,
    };
    let map = HeatMap::of_table(&table(0, extent), 7).unwrap();
    let expected = "\
SKILL difference 0, LUCK 7

 5 ░3░2▒3▒▒▓3▓▓
 4 ░3▒1▓3▓3▓3▓3
 3 ░3▒1▓3▓3▓3█3
 2 ▒▒▓2▓▓██████
 1 ▒▒▓2▓▓██████
      2   4   6
foe's STAMINA upwards, hero's to the right
LUCK: 1 after won and lost rounds, 2 after lost ones, 3 after won ones, blank never
victory: 0 % |  ░░▒▒▓▓██| 100 %";
    assert_eq!(map.to_string(), expected);
}

#[test]
fn every_cell_shows_its_decision_and_its_shade() {
    let table = table(-2, PAPER);
    for luck in [0, 5, 12] {
        let text = HeatMap::of_table(&table, luck).unwrap().to_string();
        for (foe, row) in (1..).zip(rows(&text, 24)) {
            let cells: Vec<char> = row.chars().chain(std::iter::repeat(' ')).take(48).collect();
            for (hero, cell) in (1..).zip(cells.chunks(2)) {
                let chance = table.win(hero, foe, luck).unwrap();
                let shade = [' ', '░', '▒', '▓', '█'][((chance * 5.0) as usize).min(4)];
                let label = match table.decision(hero, foe, luck).unwrap().label() {
                    ' ' => shade,
                    label => label,
                };
                assert_eq!(cell, [shade, label], "{hero} against {foe}, LUCK {luck}");
            }
        }
    }
}

#[test]
fn a_map_and_a_table_draw_the_same() {
    let map = LuckMap::float(&Rules::standard(), 1, PAPER, Advantage::Strict).unwrap();
    for luck in 0..=12 {
        let of_map = HeatMap::of_map(&map, luck).unwrap();
        assert_eq!(of_map, HeatMap::of_table(&table(1, PAPER), luck).unwrap());
    }
}

#[test]
fn colour_changes_the_shades_and_nothing_else() {
    let map = HeatMap::of_table(&table(-3, PAPER), 12).unwrap();
    let coloured = map.clone().colour(true).to_string();
    let mut stripped = String::new();
    for (number, piece) in coloured.split('\u{1b}').enumerate() {
        let text = if number == 0 {
            Some(piece)
        } else {
            piece.split_once('m').map(|(_, t)| t)
        };
        stripped.push_str(text.unwrap());
    }
    let labels = |text: &str| -> String { text.chars().filter(|c| "123\n".contains(*c)).collect() };
    let last = |text: &str| text.rfind('\n').unwrap();
    let plain = map.to_string();
    assert_eq!(
        labels(&stripped[..last(&stripped)]),
        labels(&plain[..last(&plain)])
    );
    // Every coloured line resets its colours.
    let open = coloured.lines().filter(|line| line.contains("[48"));
    assert!(open.clone().count() == 25 && open.clone().all(|line| line.contains("\u{1b}[0m")));
    // From violet to yellow, ten colours in the scale.
    let scale = coloured.lines().last().unwrap();
    assert_eq!(scale.matches("[48;5;").count(), 10);
    assert!(scale.starts_with("victory: 0 % |\u{1b}[48;5;53;38;5;231m  "));
}

#[test]
fn other_objectives_have_another_scale() {
    let kept = Objective::stamina_kept();
    let solver = oddsmith_mdp::Solver::exact();
    let extent = Extent {
        hero: 8,
        foe: 3,
        luck: 3,
    };
    let map = LuckMap::solve_with(
        solver,
        &Rules::standard(),
        10,
        extent,
        Advantage::Strict,
        kept,
    )
    .unwrap();
    let text = HeatMap::of_map(&map, 3).unwrap().to_string();
    // With SKILL 10 higher no round is lost, so all of 8 STAMINA is kept.
    assert!(
        text.ends_with("\nSTAMINA kept in victory: 0 |  ░░▒▒▓▓██| 8"),
        "{text}"
    );
    assert_eq!(rows(&text, 3)[0], "  ░2░░▒▒▓▓▓▓████");
}

/// Regression test: values from 0 to 1 were labelled as chances of victory, whatever the objective.
#[test]
fn scales_name_what_is_fought_for() {
    let scale = |objective| {
        let solver = oddsmith_mdp::Solver::float();
        let extent = Extent {
            hero: 2,
            foe: 8,
            luck: 0,
        };
        let (rules, strict) = (Rules::standard(), Advantage::Strict);
        // So weak that almost nothing is ever left.
        let map = LuckMap::solve_with(solver, &rules, -8, extent, strict, objective).unwrap();
        let text = HeatMap::of_map(&map, 0).unwrap().to_string();
        text.lines().last().unwrap().to_owned()
    };
    let chance = |name: &str| format!("{name}: 0 % |  ░░▒▒▓▓██| 100 %");
    let mean = |name: &str| format!("{name}: 0 |  ░░▒▒▓▓██| 1");
    assert_eq!(scale(Objective::victory()), chance("victory"));
    assert_eq!(scale(Objective::survival()), chance("survival"));
    let spare = Objective::stamina_at_least(2);
    assert_eq!(scale(spare), chance("victory with STAMINA to spare"));
    let spare = Objective::luck_at_least(0);
    assert_eq!(scale(spare), chance("victory with LUCK to spare"));
    let kept = Objective::stamina_kept();
    assert_eq!(scale(kept), mean("STAMINA kept in victory"));
    let left = Objective::stamina_of_survivor();
    assert_eq!(scale(left), mean("STAMINA of a survivor"));
    assert_eq!(scale(Objective::luck_kept()), mean("LUCK kept in victory"));
    let custom = Objective::of(|end| end.is_success());
    assert_eq!(scale(custom), mean("worth"));
}

#[test]
fn axes_fit_any_extent() {
    let blank = |_, _| Ok((0.0, Decision::default()));
    let line = |hero, foe| {
        let text = HeatMap::from_fn(hero, foe, blank).unwrap().to_string();
        text.lines().nth(usize::from(foe)).unwrap().to_owned()
    };
    assert_eq!(line(1, 1), "    1");
    assert_eq!(line(5, 1), "      2   4");
    assert!(line(102, 1).ends_with("  98 100 102"));
    assert!(line(1200, 2).ends_with("  1197  1200"));
    let tall = HeatMap::from_fn(1, 100, blank).unwrap().to_string();
    assert!(tall.starts_with("100\n 99\n"), "{tall}");
}

#[test]
fn bad_input_is_refused() {
    let blank = |_, _| Ok((0.0, Decision::default()));
    assert_eq!(
        HeatMap::from_fn(0, 1, blank),
        Err(Error::NoStamina { who: "hero" })
    );
    assert_eq!(
        HeatMap::from_fn(1, 0, blank),
        Err(Error::NoStamina { who: "foe" })
    );
    let map = HeatMap::from_fn(2, 2, blank).unwrap();
    assert_eq!(
        map.clone().cropped(0, 1),
        Err(Error::NoStamina { who: "hero" })
    );
    assert_eq!(map.clone().cropped(9, 9), Ok(map));

    let error = HeatMap::from_fn(u16::MAX, u16::MAX, blank).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot draw the figure: 65535 x 65535 cells exceed the limit of 1048576"
    );
    for value in [f64::NAN, f64::INFINITY] {
        let error = HeatMap::from_fn(2, 1, |_, _| Ok((value, Decision::default()))).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "cannot draw the figure: values must be finite, got {value} at STAMINA 1 against 1"
            )
        );
    }
    let error = HeatMap::of_table(&table(0, PAPER), 13).unwrap_err();
    assert_eq!(
        error,
        Error::OutsideTable {
            hero: 1,
            foe: 1,
            luck: 13
        }
    );
    // The largest numbers have a scale, too.
    let huge = |hero, _| {
        Ok((
            [-f64::MAX, f64::MAX][usize::from(hero - 1)],
            Decision::default(),
        ))
    };
    let text = HeatMap::from_fn(2, 1, huge).unwrap().to_string();
    assert!(text.starts_with(" 1   ██\n"), "{text}");
}

/// Regression test: tiny values were written with 300 zeros, as were huge ones.
#[test]
fn scales_have_exponents() {
    let scale = |highest: f64| {
        let decide = |_, _| Ok((highest, Decision::default()));
        let map = HeatMap::from_fn(1, 1, decide).unwrap();
        map.to_string().lines().last().unwrap().to_owned()
    };
    assert_eq!(scale(1e300), "worth: 0 |  ░░▒▒▓▓██| 1e300");
    assert_eq!(scale(-2.5e-300), "victory: 0 % |  ░░▒▒▓▓██| 100 %");
    assert_eq!(scale(-2.5e-5), "worth: -2.5e-5 |  ░░▒▒▓▓██| 1");
    assert_eq!(scale(24.0), "worth: 0 |  ░░▒▒▓▓██| 24");
}

/// Regression test: a chance that was rounded to more than 1 changed the scale of its map.
#[test]
fn chances_up_to_rounding_have_the_scale_of_chances() {
    let decide = |hero, _| {
        let value = if hero == 1 { -1e-17 } else { 1.0 + 2e-16 };
        Ok((value, Decision::default()))
    };
    let map = HeatMap::from_fn(2, 1, decide).unwrap();
    let text = map.to_string();
    assert!(text.starts_with(" 1   ██\n"), "{text}");
    assert!(text.ends_with("victory: 0 % |  ░░▒▒▓▓██| 100 %"));
    // Of other numbers, everything counts.
    let kept = map.objective(&Objective::stamina_kept()).to_string();
    assert!(kept.ends_with("| 1.0000000000000002"), "{kept}");
}

/// Regression test: with more than 2^53 rolls, their counts and the sum of these are rounded apart.
#[test]
fn no_chance_of_a_table_is_above_one() {
    let rules = Rules::standard().attack_dice(1, 4_000_000_007);
    let extent = Extent {
        hero: 60,
        foe: 2,
        luck: 2,
    };
    let mut most = 0.0_f64;
    for difference in (0..3_000_000_000).step_by(50_000_017) {
        let table = LuckTable::optimal(&rules, difference, extent, Advantage::Strict).unwrap();
        for (hero, foe, luck) in extent.states() {
            most = most.max(table.win(hero, foe, luck).unwrap());
        }
    }
    assert_eq!(most, 1.0);
}
