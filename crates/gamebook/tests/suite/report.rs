//! The parts of reports, for a book with every construct.
#![cfg(feature = "toml")]

use num_rational::BigRational;
use oddsmith_gamebook::{
    Book, Character, Choice, Comparison, Fate, FirstOption, Habit, Journey, Manuscript, Passage,
    Play, Report, Section,
};
use oddsmith_mdp::{AtRandom, Simulator, Solver};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn lantern() -> Book {
    Book::salt_lantern().unwrap()
}

fn hero() -> Character {
    hero_of_three().item("tonic")
}

fn hero_of_three() -> Character {
    let hero = Character::new().stat("skill", 9).stat("stamina", 14);
    hero.stat("luck", 9)
}

#[test]
fn a_report_of_the_salt_lantern() {
    let book = lantern();
    let plan = book.solve_with(hero(), Solver::float()).unwrap();
    let journey = book.follow(hero(), plan.solution().policy()).unwrap();
    assert!((journey.value() - plan.value()).abs() <= journey.error() + 1e-15);
    let difficulty = book.difficulty(hero(), plan.value()).unwrap();
    let lint = book.lint_up_to(hero(), 1_000).unwrap();
    let compared = Comparison::new(("best", plan.value()), ("none", 0.0));
    let report = Report::new(&journey)
        .difficulty(&difficulty)
        .lint(&lint)
        .comparison(&compared)
        .to_markdown();
    let heads: Vec<&str> = report
        .lines()
        .filter(|line| line.starts_with('#'))
        .collect();
    assert_eq!(
        heads,
        [
            "# The Salt Lantern",
            "## Difficulty",
            "## Comparison",
            "## Walk-through",
            "## What every victory needs",
            "## Where readers fail",
            "## What winners have at the end",
            "## Visits",
            "## Findings",
        ]
    );
    assert!(report.contains("**Chance to win: 95.77 %**"));
    assert!(report.contains("| at random | 26.69 % |"));
    assert!(report.contains("- sections to pass: 14, 22, 24, 26, 30\n"));
    assert!(
        report.contains("Hero: skill 9, stamina 14, luck 9, gold 2, meals 1; oilskin, tonic.\n")
    );
    // Every row of a table has as many cells as its header.
    let mut cells = None;
    for line in report.lines() {
        let bars = line.replace("\\|", "").matches('|').count();
        if line.starts_with('|') {
            assert_eq!(*cells.get_or_insert(bars), bars, "{line}");
        } else {
            cells = None;
        }
    }
}

#[test]
fn a_report_of_a_book_that_nobody_wins() {
    let book = Book::builder().choice(1, [("on", 2)]).lost(2).build();
    let book = book.unwrap();
    let journey = book.follow(hero_of_three(), AtRandom).unwrap();
    let report = Report::new(&journey).lint(&book.lint()).to_markdown();
    let needs = "## What every victory needs\n\nNo way through the book leads to a victory.\n\n";
    assert!(report.contains(needs), "{report}");
    let walk = "\n\nNo line to a victory was found; this is the likeliest to any end. Reached: ";
    assert!(report.contains(walk), "{report}");
}

#[test]
fn a_report_of_readers_who_go_round_for_ever() {
    let book = Book::builder()
        .choice(1, [("on", 2)])
        .choice(2, [("back", 1), ("out", 3)]);
    let book = book.won(3).build().unwrap();
    let journey = book.follow(hero_of_three(), FirstOption).unwrap();
    let report = Report::new(&journey).to_markdown();
    assert!(
        !report.contains("The likeliest line to a victory"),
        "{report}"
    );
    let head = "The chance to die, get stuck, lose or go round forever, by section.";
    assert!(report.contains(head), "{report}");
    assert!(report.contains(" | endless | 100.00 % |\n"), "{report}");
}

/// Needs that the linter cannot prove are not denied.
#[test]
fn what_no_victory_is_known_to_need() {
    let book = Book::builder().won(1).build().unwrap();
    let journey = book.follow(hero_of_three(), AtRandom).unwrap();
    let report = Report::new(&journey).lint(&book.lint()).to_markdown();
    let needs =
        "- items and flags to have at some point: none found\n- sections to pass: none found\n";
    assert!(report.contains(needs), "{report}");
}

#[test]
fn exact_and_float_journeys_agree() {
    let book = lantern();
    let plan = book.solve(hero()).unwrap();
    let exact = book.follow_exact(hero(), plan.solution().policy()).unwrap();
    let float = book.follow(hero(), plan.solution().policy()).unwrap();
    assert_eq!(*exact.value(), plan.value());
    assert_eq!(exact.walkthrough(), &plan.walkthrough().unwrap());
    for (section, chance) in float.visited() {
        let exact = num_traits::ToPrimitive::to_f64(&exact.visits(section).unwrap()).unwrap();
        let bound = float.relative_error() + 1e-15;
        assert!((chance - exact).abs() <= exact * bound, "section {section}");
    }
    let sum: BigRational = exact.endings().into_iter().map(|(.., p)| p).sum();
    assert!(num_traits::One::is_one(&sum));
}

#[test]
fn what_happens_at_the_table() {
    let book = lantern();
    let journey: Journey = book.follow(hero(), AtRandom).unwrap();
    let games = 40_000;
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let game = journey.game();
    let simulator = Simulator::new(game, AtRandom);
    let simulation = simulator.run(&game.start(), games, &mut rng).unwrap();
    assert!(simulation.z_score(*journey.value()).abs() < 4.0);
    let near = |count: u64, chance: f64| {
        let error = (chance * (1.0 - chance) / games as f64).sqrt();
        (count as f64 / games as f64 - chance).abs() <= 4.5 * error + 1e-12
    };
    for (section, chance) in journey.deaths() {
        let ends = journey.ends();
        let failed: Vec<_> = ends
            .filter(|(place, fate, _)| place.section() == section && *fate != Fate::Won)
            .map(|(place, ..)| *place)
            .collect();
        let count = simulation.count(|end| failed.contains(end));
        assert!(near(count, chance), "section {section}");
    }
    let charm = simulation.count(|end| game.has(end, "charm"));
    assert!(near(charm, journey.holds_at_end("charm").unwrap()));
}

#[test]
fn readers_without_a_plan_are_worse_off() {
    let book = lantern();
    let plan = book.solve_with(hero(), Solver::float()).unwrap();
    let difficulty = book.difficulty(hero(), plan.value()).unwrap();
    for habit in Habit::ALL {
        let chance = difficulty.chance(habit).unwrap();
        assert!((0.0..plan.value()).contains(chance), "{habit}: {chance}");
    }
}

/// Regression: a chance of 10⁻⁴⁰⁰ was shown as 0, and one just as close to 1 as 100 %.
#[test]
fn hardly_ever_is_not_never_however_small() {
    let mut book = Book::builder();
    for section in 1..=400 {
        book = book.chance(section, [(section + 1, 1), (1_000, 9)]);
    }
    let hero = hero_of_three();
    let slim = book.clone().won(401).lost(1_000).build().unwrap();
    let told = |book: &Book| {
        let journey = book.follow_exact(hero.clone(), AtRandom).unwrap();
        Report::new(&journey).to_markdown()
    };
    assert!(
        told(&slim).contains("**Chance to win: < 0.01 %**"),
        "{}",
        told(&slim)
    );
    let safe = book.lost(401).won(1_000).build().unwrap();
    assert!(
        told(&safe).contains("**Chance to win: > 99.99 %**"),
        "{}",
        told(&safe)
    );
}

/// Ratios that do not fit into floats, and differences of almost 1.
#[test]
fn chances_that_are_far_apart() {
    let float = |one: f64, other: f64| Comparison::new(("a", one), ("b", other)).to_string();
    assert_eq!(
        float(0.5, 1e-320),
        "a: 50.00 %; b: < 0.01 %; difference 50.00 %"
    );
    let almost = "a: < 0.01 %; b: 100.00 %; difference < -99.99 %, ratio < 0.001";
    assert_eq!(float(1e-9, 1.0), almost);
    let other_way = float(1.0, 1e-9);
    assert!(
        other_way.ends_with("; difference > 99.99 %, ratio 1000000000.000"),
        "{other_way}"
    );
    let nothing = "a: 0.00 %; b: 100.00 %; difference -100.00 %, ratio 0.000";
    assert_eq!(float(0.0, 1.0), nothing);
    let fraction =
        |digits: usize| -> BigRational { format!("1/1{}", "0".repeat(digits)).parse().unwrap() };
    let exact =
        |one: usize, other: usize| Comparison::new(("a", fraction(one)), ("b", fraction(other)));
    assert_eq!(
        exact(1, 400).to_string(),
        "a: 10.00 %; b: < 0.01 %; difference 10.00 %"
    );
    assert_eq!(exact(400, 0).to_string(), almost);
}

/// A blank label is kept in the file, but treated as missing wherever it would be shown.
#[test]
fn blank_labels_are_shown_as_none() {
    for blank in ["", " \t"] {
        let mut book = Manuscript::new("blanks");
        let go = Choice::new(blank, Passage::to(2));
        book.sections = vec![
            Section::new(1, Play::Choice(vec![go]).into()),
            Section::new(2, Passage::won()),
        ];
        book.sections[1].label = Some(blank.to_owned());
        let book = Book::new(book).unwrap();
        let journey = book.follow(hero_of_three(), AtRandom).unwrap();
        let report = Report::new(&journey).to_markdown();
        assert!(
            report.contains("| 1 | 1 | turn to 2 | 100.00 % |"),
            "{report}"
        );
        assert!(
            report.contains("\n| 2 | victory | 100.00 % |\n"),
            "{report}"
        );
        let dot = book.graph().edge_labels().to_dot();
        assert!(dot.contains("tooltip=\"section 2, victory\""), "{dot}");
        assert!(dot.contains("s1 -> s2;\n"), "{dot}");
        for again in [
            Book::from_json(&book.to_json().unwrap(), "again").unwrap(),
            Book::from_toml(&book.to_toml().unwrap(), "again").unwrap(),
        ] {
            assert_eq!(again, book);
        }
    }
}
