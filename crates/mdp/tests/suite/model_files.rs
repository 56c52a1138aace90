//! Model files that are damaged, long, or crafted to take for ever.

use oddsmith_mdp::{Dialect, Error, Explicit, ExplicitReader, Numerals, Solver, Table};
use quickcheck::quickcheck;

/// The files of a small model: transitions, labels, rewards of states and of transitions.
fn files(dialect: Dialect) -> [String; 4] {
    let table = Table::from_fn(6, |state, row| match state {
        0..2 => row.end((state as i64, 3)),
        4 => {
            row.opponent().choice().to(0, 1).to(3, 2).reward(-2);
            row.choice().to(1, 5).to(2, 7);
        }
        _ => {
            row.choice().to(state - 1, 1).to(state - 2, 6);
            row.choice().to(0, 1).reward((1, 7));
        }
    })
    .unwrap();
    let explicit = Explicit::of(&Solver::exact().solve_table(&table, 5).unwrap()).unwrap();
    [
        explicit.transitions(dialect, Numerals::Fractions),
        explicit.labels(dialect),
        explicit.state_rewards(dialect, Numerals::Decimals),
        explicit.transition_rewards(dialect, Numerals::Fractions),
    ]
}

/// The text that damage inserts.
const PIECES: [&str; 16] = [
    "0",
    "9",
    "-",
    "/",
    "e",
    ".",
    " ",
    "\n",
    "#",
    "\"",
    ":",
    "999999999999",
    "1e400",
    "mdp",
    "é",
    "1/3 1/7",
];

/// Removes, repeats or replaces a random part.
fn damaged(text: &str, place: usize, kind: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    let place = place % (letters.len() + 1);
    let (before, after) = letters.split_at(place);
    let (before, after): (String, String) = (before.iter().collect(), after.iter().collect());
    match kind % 20 {
        16 => before,
        17 => after,
        18 => format!("{before}{before}{after}"),
        19 => before + after.get(1..).unwrap_or_default(),
        piece => format!("{before}{}{after}", PIECES[piece]),
    }
}

quickcheck! {
    /// A damaged file is either read or rejected.
    fn damaged_files_never_panic(damage: Vec<(u8, u16, u8)>, storm: bool) -> bool {
        let dialect = if storm { Dialect::Storm } else { Dialect::Prism };
        let mut files = files(dialect);
        for &(file, place, kind) in damage.iter().take(4) {
            let text = &mut files[usize::from(file) % 4];
            *text = damaged(text, place.into(), kind.into());
        }
        let [transitions, labels, states, paid] = &files;
        let reader = ExplicitReader::new(transitions).labels(labels).opponent("opponent");
        let by_label = reader.won("won").read();
        let by_rewards = reader.state_rewards(states).transition_rewards(paid).read();
        for read in [by_label, by_rewards].into_iter().flatten() {
            let solver = Solver::exact().allow_cycles();
            // Some never end; none may panic.
            let _ = solver.solve_table(&read.table, read.start);
        }
        true
    }
}

#[track_caller]
fn check(transitions: &str, expected: &str) {
    let reader = ExplicitReader::new(transitions).state_rewards("");
    let error = reader.read().err().map(|error| error.to_string());
    assert!(
        error.as_ref().is_some_and(|error| error.contains(expected)),
        "{error:?}"
    );
}

/// Regression tests: labels were lost, and a file of the other kind was read as something else.
#[test]
fn what_would_be_read_as_something_else_is_refused() {
    let labelled = |transitions: &str, labels: &str| {
        let reader = ExplicitReader::new(transitions).labels(labels).won("won");
        reader.read().err().map(|error| error.to_string())
    };
    let told = |error: Option<String>, expected: &str| {
        let error = error.unwrap_or_else(|| "no error".to_owned());
        assert!(error.contains(expected), "{error}");
    };
    let coin = "dtmc\n0 1 1\n1 1 1\n";
    told(
        labelled(coin, "#DECLARATION\ninit won\n0 init\n1 won\n"),
        "#END is missing",
    );
    told(
        labelled(coin, "#DECLARATION\nwon won\n#END\n1 won\n"),
        "label \"won\" is declared twice",
    );
    told(
        labelled("2 2\n0 1 1\n1 1 1\n", "0=\"won\" 1=\"won\"\n1: 0\n"),
        "label \"won\" is declared twice",
    );
    let won = "#DECLARATION\nwon\n#END\n1 won\n";
    assert_eq!(labelled(coin, won), None);
    // Lines with choices under the word for models without.
    told(
        labelled("dtmc\n0 0 1 1\n1 0 1 1\n", won),
        "a line must be state",
    );
    told(labelled("mdp\n0 1 1\n1 1 1\n", won), "a line must be state");
    let one = "0=\"won\"\n1: 0\n";
    told(
        labelled("2 2\n0 0 1 1\n1 0 1 1\n", one),
        "a line must be state",
    );
    assert_eq!(labelled("2 2\n0 1 1 on\n1 1 1 stay\n", one), None);
    assert_eq!(labelled("2 2 2\n0 0 1 1 on\n1 0 1 1\n", one), None);
    told(
        labelled("2 99 2\n0 0 1 1 on\n1 0 1 1\n", one),
        "the header announces 99 choices, got 2",
    );
    let paid = |rewards: &str| {
        let reader = ExplicitReader::new("mdp\n0 0 1 1\n1 0 1 1\n").transition_rewards(rewards);
        reader.read().err().map(|error| error.to_string())
    };
    assert_eq!(paid("0 0 1 7\n"), None);
    told(paid("0 1 7\n"), "is not a transition and a reward");
}

#[test]
fn denominators_without_end_are_refused() {
    // Probabilities over the odd numbers: their common denominator has more bits than there are
    // probabilities.
    let line = |n: u64| format!("0 0 {} 1/{}\n", n + 1, 2 * n + 60_001);
    let text: String = (0..30_000).map(line).collect();
    check(
        &format!("mdp\n{text}"),
        "must have a common denominator below 2^32768",
    );
    // A short text for many digits.
    check("mdp\n0 0 1 1e-5001\n", "is not a probability");
    check("mdp\n0 0 1 1e5001\n", "is not a probability");
    check("10 1 1\n0 0 1 1\n", "most of the 10 announced states");
    check(
        "mdp\n0 0 4294967294 1\n",
        "most of the 4294967295 announced states",
    );
    check("mdp\n0 0 4294967295 1\n", "is not a number below 2^32 - 1");
}

#[test]
fn long_chances_of_one_total_are_read() {
    let total = num_bigint::BigUint::from(7_u8).pow(2_000);
    let text = format!(
        "mdp\n0 0 1 1/{total}\n0 0 2 {}/{total}\n1 0 3 1\n2 0 3 1\n3 0 3 1\n",
        &total - 1_u8
    );
    let read = ExplicitReader::new(&text)
        .state_rewards("1 1\n")
        .read()
        .unwrap();
    let value = Solver::exact().solve_table(&read.table, 0).unwrap().value();
    assert_eq!(value.to_string(), format!("1/{total}"));
}

#[test]
fn rewards_of_what_cannot_happen_are_refused() {
    let transitions = "mdp\n0 0 1 1\n1 0 2 1\n2 0 2 1\n";
    let reader = ExplicitReader::new(transitions);
    assert!(reader.transition_rewards("0 0 1 5\n").read().is_ok());
    for astray in ["0 0 2 5\n", "0 1 1 5\n", "1 0 0 5\n"] {
        let error = reader.transition_rewards(astray).read().err();
        assert!(matches!(error, Some(Error::BadFiles { .. })), "{astray}");
    }
    // Nothing for nothing.
    assert!(reader.transition_rewards("0 0 2 0\n").read().is_ok());
}

#[test]
fn a_hundred_thousand_states_go_and_come_back() {
    let stair = Table::from_fn(100_000, |step, row| match step {
        0 | 1 => row.end(step),
        _ => {
            row.choice().to(step - 1, 1).to(step - 2, 2);
        }
    })
    .unwrap();
    let solution = Solver::float().solve_table(&stair, 99_999).unwrap();
    let explicit = Explicit::of(&solution).unwrap();
    let text = explicit.transitions(Dialect::Storm, Numerals::Fractions);
    let labels = explicit.labels(Dialect::Storm);
    let read = ExplicitReader::new(&text)
        .labels(&labels)
        .won("won")
        .read()
        .unwrap();
    assert_eq!((read.table.len(), read.start), (100_001, 99_999));
    let back = Solver::float()
        .solve_table(&read.table, read.start)
        .unwrap();
    assert_eq!(back.value().to_bits(), solution.value().to_bits());
}
