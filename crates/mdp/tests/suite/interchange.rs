//! Interfaces to other programs: model files, graphs, records.

use crate::paid;
use crate::table::Table;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use oddsmith_mdp::{
    Dialect, Error, Explicit, ExplicitReader, Game, Node, Numerals, Record, Solver,
};
use quickcheck::{TestResult, quickcheck};

/// The value of a game after a round trip through model checker files.
fn by_files(game: &Table, dialect: Dialect, numerals: Numerals) -> Result<BigRational, Error> {
    let explicit = Explicit::of(&Solver::exact().solve(game, game.start)?)?;
    let transitions = explicit.transitions(dialect, numerals);
    let rewards = explicit.state_rewards(dialect, numerals);
    let labels = explicit.labels(dialect);
    let reader = ExplicitReader::new(&transitions).labels(&labels);
    let read = reader.state_rewards(&rewards).read()?;
    assert_eq!(read.start, explicit.start());
    assert_eq!(read.table.len(), explicit.len());
    assert_eq!(read.labels["over"], [explicit.over()]);
    Ok(Solver::exact()
        .solve_table(&read.table, read.start)?
        .value())
}

fn solved(game: &Table) -> Option<BigRational> {
    let solution = Solver::exact().solve(game, game.start).ok()?;
    Some(solution.value())
}

quickcheck! {
    /// Two players, weights of any length, and choices that pay.
    fn rewards_and_players_come_back(game: paid::Paid) -> TestResult {
        let Ok(solution) = Solver::exact().solve(&game, game.start()) else {
            return TestResult::discard();
        };
        let explicit = Explicit::of(&solution).unwrap();
        for dialect in [Dialect::Prism, Dialect::Storm] {
            let transitions = explicit.transitions(dialect, Numerals::Fractions);
            let labels = explicit.labels(dialect);
            let states = explicit.state_rewards(dialect, Numerals::Fractions);
            let paid = explicit.transition_rewards(dialect, Numerals::Fractions);
            let reader = ExplicitReader::new(&transitions).labels(&labels).opponent("opponent");
            let read = reader.state_rewards(&states).transition_rewards(&paid).read().unwrap();
            let back = Solver::exact().solve_table(&read.table, read.start).unwrap();
            assert_eq!(back.value(), solution.value());
        }
        TestResult::passed()
    }

    fn fractions_come_back_exactly(game: Table) -> TestResult {
        let Some(value) = solved(&game) else { return TestResult::discard() };
        for dialect in [Dialect::Prism, Dialect::Storm] {
            assert_eq!(by_files(&game, dialect, Numerals::Fractions), Ok(value.clone()));
        }
        TestResult::passed()
    }

    fn decimals_come_back_nearly(game: Table) -> TestResult {
        let Some(value) = solved(&game) else { return TestResult::discard() };
        let back = by_files(&game, Dialect::Prism, Numerals::Decimals);
        let miss = back.map(|back| (back - &value).abs().to_f64());
        let size = value.to_f64().map_or(1.0, |value| value.abs().max(1.0));
        TestResult::from_bool(matches!(miss, Ok(Some(miss)) if miss < 1e-9 * size))
    }

    fn announced_counts_are_those_of_the_lines(game: Table) -> TestResult {
        let Ok(solution) = Solver::exact().solve(&game, game.start) else {
            return TestResult::discard();
        };
        let Ok(explicit) = Explicit::of(&solution) else { return TestResult::failed() };
        let text = explicit.transitions(Dialect::Prism, Numerals::Decimals);
        let mut lines = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let Some(header) = lines.next() else { return TestResult::failed() };
        let lines: Vec<_> = lines.collect();
        let mut choices: Vec<_> = lines.iter().map(|line| (line[0], line[1])).collect();
        choices.dedup();
        let counts = [explicit.len(), choices.len(), lines.len()];
        TestResult::from_bool(header == counts.map(|count| count.to_string()))
    }

    fn a_picture_shows_every_state(game: Table) -> TestResult {
        let Ok(solution) = Solver::exact().solve(&game, game.start) else {
            return TestResult::discard();
        };
        let text = solution.dot().max_states(usize::MAX).to_text().unwrap_or_default();
        let nodes = text.lines().filter(|line| line.starts_with("  s") && !line.contains("->"));
        TestResult::from_bool(nodes.count() == solution.len())
    }

    fn a_record_plays_as_the_solution(game: Table) -> TestResult {
        let Ok(solution) = Solver::exact().solve(&game, game.start) else {
            return TestResult::discard();
        };
        let Ok(record) = solution.record() else { return TestResult::failed() };
        let evaluated = Solver::exact().evaluate(&game, &record, *record.start());
        TestResult::from_bool(evaluated.map(|e| e.value()) == Ok(solution.value()))
    }
}

#[cfg(feature = "serde")]
quickcheck! {
    fn records_come_back_from_json(game: Table) -> TestResult {
        let Ok(exact) = Solver::exact().solve(&game, game.start) else {
            return TestResult::discard();
        };
        let (Ok(record), Ok(float)) = (exact.record(), Solver::float().solve(&game, game.start))
        else {
            return TestResult::failed();
        };
        let text = serde_json::to_string(&record).unwrap_or_default();
        let back = serde_json::from_str::<Record<usize, usize, BigRational>>(&text);
        assert!(back.is_ok_and(|back| back == record), "{text}");
        let Ok(record) = float.record() else { return TestResult::failed() };
        let text = serde_json::to_string(&record).unwrap_or_default();
        let back = serde_json::from_str::<Record<usize, usize, f64>>(&text);
        TestResult::from_bool(back.is_ok_and(|back| back == record))
    }
}

#[cfg(feature = "serde")]
#[test]
fn broken_records_are_refused() {
    type Known = Record<u8, u8, BigRational>;
    let recorded = |value: &str| {
        format!(r#"{{"value":"{value}","player":"max","decision":null,"optimal":[],"choice":0}}"#)
    };
    let file = |states: &str| format!(r#"{{"start":0,"states":[{states}]}}"#);
    let check = |text: &str, expected: &str| {
        let error = serde_json::from_str::<Known>(text).err();
        let error = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(expected), "{text}: {error}");
    };
    let one = recorded("1/2");
    assert!(serde_json::from_str::<Known>(&file(&format!("[0,{one}]"))).is_ok());
    check(&file(&format!("[0,{one}],[0,{one}]")), "recorded twice");
    check(&file(&format!("[1,{one}]")), "the start is not among");
    check(&file(""), "the start is not among");
    check(
        &file(&format!("[0,{}]", recorded("1/0"))),
        "\"1/0\" is not a fraction",
    );
    check(
        &file(&format!("[0,{}]", recorded("x"))),
        "\"x\" is not a fraction",
    );
    let both = one.replace("max", "both");
    check(
        &file(&format!("[0,{both}]")),
        "a player must be \"max\" or \"min\", got \"both\"",
    );
    let more = one.replace("}", ",\"more\":1}");
    check(&file(&format!("[0,{more}]")), "unknown field");
}

#[cfg(feature = "serde")]
#[test]
fn scores_and_matrices_come_back_from_json() {
    use oddsmith_mdp::{MatrixGame, Score};
    let scores = [Score::from((1, 3)), Score::from(-7), Score::from(0.1)];
    let text = serde_json::to_string(&scores).unwrap_or_default();
    assert!(text.starts_with(r#"["1/3","-7","#), "{text}");
    assert_eq!(serde_json::from_str::<[Score; 3]>(&text).ok(), Some(scores));
    // Regression test: parsing a fraction takes quadratic time, so this took hours.
    let long = format!("\"1/{}\"", "7".repeat(10_000_000));
    let error = serde_json::from_str::<Score>(&long)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("a fraction of 10000002 characters exceeds the limit of "),
        "{error}"
    );
    assert!(serde_json::from_str::<Score>("\"1_0/3\"").is_err());
    assert!(serde_json::to_string(&Score::from(f64::NAN)).is_err());

    let text = r#"[["3","-1"],["-1","1/2"]]"#;
    let game: MatrixGame = serde_json::from_str(text).expect("a matrix");
    assert_eq!(game.payoff(1, 1).map(|p| p.to_string()), Some("1/2".into()));
    assert_eq!(serde_json::to_string(&game).ok().as_deref(), Some(text));
    assert!(serde_json::from_str::<MatrixGame>(r#"[["1"],["1","2"]]"#).is_err());
    assert!(serde_json::from_str::<MatrixGame>("[]").is_err());
}

struct Quoted;

impl Game for Quoted {
    type State = &'static str;
    type Action = &'static str;
    fn expand(&self, &state: &&'static str, node: &mut Node<Self>) {
        match state {
            "a \"start\"\n" => {
                node.opponent();
                node.choice("say \"no\"").to("no", 1);
                node.choice("2 × \\").to("no", 1).to("yes", 2);
            }
            _ => node.end(state == "yes"),
        }
    }
}

#[test]
fn strange_names_are_written_so_that_others_read_them() {
    let solution = Solver::exact()
        .solve(&Quoted, "a \"start\"\n")
        .expect("solved");
    let text = solution.dot().to_text().expect("a picture");
    assert!(
        text.contains(r#"s0 [label="\"a \\\"start\\\"\\n\"\n0" shape=octagon];"#),
        "{text}"
    );
    assert!(text.contains(r#"label="say \"no\"""#), "{text}");
    assert!(text.contains(r#"label="2 × \\""#), "{text}");
    let named = solution
        .dot()
        .label(|state| (*state).to_owned())
        .to_text()
        .expect("a picture");
    assert!(named.contains(r#"s0 [label="a \"start\"\n\n0""#), "{named}");

    let explicit = Explicit::of(&solution).expect("written");
    let text = explicit.transitions(Dialect::Prism, Numerals::Fractions);
    assert_eq!(
        text,
        "4 5 6\n0 0 1 1 say___no_\n0 1 1 1/3 _2_____\n0 1 2 2/3 _2_____\n1 0 3 1 end\n2 0 3 1 end\n3 0 3 1 over\n"
    );
    assert!(
        explicit
            .labels(Dialect::Storm)
            .contains("0 init opponent\n")
    );
}

#[track_caller]
fn refused(transitions: &str, labels: &str, expected: &str) {
    let reader = ExplicitReader::new(transitions).labels(labels).won("won");
    let error = reader.read().err().map(|error| error.to_string());
    assert!(
        error
            .as_deref()
            .is_some_and(|error| error.contains(expected)),
        "{error:?}"
    );
}

const LABELS: &str = "#DECLARATION\ninit won\n#END\n0 init\n1 won\n";

#[test]
fn broken_files_are_refused_with_their_line() {
    refused("", LABELS, "line 1 of the transitions: the text is empty");
    refused(
        "nmdp\n",
        LABELS,
        "the first line must be `mdp`, `dtmc` or counts, got \"nmdp\"",
    );
    refused(
        "mdp\n0 0 1\n",
        LABELS,
        "line 2 of the transitions: a line must be state, choice, next state and probability, got \"0 0 1\"",
    );
    refused("dtmc\n0 1 x\n", LABELS, "\"x\" is not a probability");
    refused("dtmc\n0 1 -1\n", LABELS, "\"-1\" is not a probability");
    refused("dtmc\n0 1 1e999999999\n", LABELS, "is not a probability");
    refused(
        "dtmc\n0 99999999999 1\n",
        LABELS,
        "is not a number below 2^32 - 1",
    );
    refused(
        "dtmc\n0 1 0.4\n1 1 1\n",
        LABELS,
        "the probabilities of choice 0 of state 0 must sum to 1, got 0.4",
    );
    refused(
        "mdp\n0 1 1 1\n1 0 1 1\n",
        LABELS,
        "state 0 has no choice 0, but higher ones",
    );
    refused(
        "2 3\n0 1 1\n1 1 1\n",
        LABELS,
        "the header announces 3 transitions, got 2",
    );
    refused(
        "2 2 2\n0 0 1 1\n2 0 2 1\n",
        LABELS,
        "state 2 is not one of the 2 announced",
    );
    refused(
        "4000000000 1\n0 1 1\n",
        LABELS,
        "most of the 4000000000 announced states",
    );
    refused(
        "dtmc\n0 4294967294 1\n",
        LABELS,
        "most of the 4294967295 announced states",
    );
    let chain = "dtmc\n0 1 1\n1 1 1\n";
    refused(chain, "", "there is no label \"won\"; there are no labels");
    refused(chain, "init won\n", "#DECLARATION is missing");
    refused(
        chain,
        "#DECLARATION\nwon\n#END\n5 won\n",
        "line 4 of the labels",
    );
    refused(
        chain,
        "#DECLARATION\nwon\n#END\n1 lost\n",
        "\"lost\" is not a label",
    );
    refused(
        chain,
        "#DECLARATION\nwon init\n#END\n0 init\n1 init\n",
        "a game must have 1 start, got 2 states with the label",
    );
    refused(
        "2 2\n0 1 1\n1 1 1\n",
        "0=init\n",
        "must be written 0=\"name\", got 0=init",
    );
    refused(
        "2 2\n0 1 1\n1 1 1\n",
        "0=\"won\"\n1 0\n",
        "a colon is missing",
    );
}

#[test]
fn rewards_are_checked() {
    let chain = "2 2\n0 1 1\n1 1 1\n";
    let check = |rewards: &str, expected: &str| {
        let error = ExplicitReader::new(chain)
            .state_rewards(rewards)
            .read()
            .err();
        let error = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(expected), "{error}");
    };
    check(
        "3 1\n0 1\n",
        "\"3 1\" does not begin with the number of states, 2",
    );
    check("2 1\n0\n", "line 2 of the state rewards");
    check("2 1\n7 1\n", "\"7 1\" is not a state and a reward");
    check("2 2\n0 1\n0 2\n", "state 0 has two rewards");
    check("2 1\n1 5\n", "state 1 is never left and pays 5 for ever");
    let read = ExplicitReader::new(chain)
        .state_rewards("2 1\n0 2.5\n")
        .read()
        .expect("read");
    let value = Solver::exact()
        .solve_table(&read.table, 0)
        .expect("solved")
        .value();
    assert_eq!(value.to_string(), "5/2");
    let paid = |rewards: &'static str| ExplicitReader::new(chain).transition_rewards(rewards);
    let value = |rewards| {
        let read = paid(rewards).read()?;
        Ok::<_, Error>(
            Solver::exact()
                .solve_table(&read.table, 0)?
                .value()
                .to_string(),
        )
    };
    assert_eq!(value("2 2 1\n0 1 -1/3\n"), Ok("-1/3".into()));
    let error = |rewards| paid(rewards).read().err().map(|error| error.to_string());
    assert!(error("2 2 1\n0 5 1\n").is_some_and(|e| e.contains("is not a transition")));
    assert!(error("2 2 2\n0 1 1\n0 1 1\n").is_some_and(|e| e.contains("two rewards")));
    assert!(error("2 2 1\n1 1 1\n").is_some_and(|e| e.contains("pays 1 for ever")));
    let both = ExplicitReader::new(chain)
        .won("won")
        .labels("0=\"won\"\n")
        .state_rewards("2 0\n");
    assert!(both.read().is_err());
    assert!(ExplicitReader::new(chain).read().is_err());
}

#[test]
fn rounded_chances_are_shares_of_their_sum() {
    let thirds = "dtmc\n0 1 0.3333333\n0 2 0.3333333\n0 3 0.3333333\n1 1 1\n2 2 1\n3 3 1\n";
    let reader = ExplicitReader::new(thirds).labels(LABELS).won("won");
    let read = reader.read().expect("read");
    let value = Solver::exact()
        .solve_table(&read.table, 0)
        .expect("solved")
        .value();
    assert_eq!(value.to_string(), "1/3");
}

#[test]
fn states_without_transitions_end() {
    let read = ExplicitReader::new("dtmc\n0 1 0.5\n0 2 0.5\n")
        .labels(LABELS)
        .won("won")
        .read();
    let value = Solver::exact()
        .solve_table(&read.expect("read").table, 0)
        .expect("solved")
        .value();
    assert_eq!(value.to_string(), "1/2");
}

#[test]
fn a_solution_of_a_box_is_written_with_its_own_numbers() {
    let ladder = oddsmith_mdp::Table::from_fn(3, |state, row| match state {
        0 => row.end(1),
        _ => {
            row.choice().to(state - 1, 1).to(state, 1);
        }
    });
    let ladder = ladder.expect("a table");
    let solution = Solver::float().solve_table(&ladder, 2).expect("solved");
    let explicit = Explicit::of(&solution).expect("written");
    assert_eq!(explicit.start(), 2);
    let text = explicit.transitions(Dialect::Storm, Numerals::Decimals);
    assert_eq!(
        text,
        "mdp\n0 0 3 1\n1 0 0 0.5\n1 0 1 0.5\n2 0 1 0.5\n2 0 2 0.5\n3 0 3 1\n"
    );
}

/// Regression test: they were written as `inf` and 0, the first of which cannot be read, while the
/// second is a different game.
#[test]
fn what_is_beyond_floats_is_written_in_digits() {
    let power = |n: i32| num_rational::BigRational::from_integer(10.into()).pow(n);
    let scores = [
        power(350),
        -power(-350),
        power(-3),
        power(310) * power(-310),
    ];
    let weight = num_bigint::BigUint::from(10_u8).pow(360);
    let needle = oddsmith_mdp::Table::from_fn(5, |state, row| match state {
        0 => {
            row.choice()
                .to(1, 1)
                .to(2, 1)
                .to(3, 1)
                .to_wide(4, weight.clone());
            row.reward(power(320));
        }
        _ => row.end(scores[state - 1].clone()),
    });
    let needle = needle.expect("a table");
    let solution = Solver::exact().solve_table(&needle, 0).expect("solved");
    let explicit = Explicit::of(&solution).expect("written");
    let rewards = explicit.state_rewards(Dialect::Storm, Numerals::Decimals);
    assert_eq!(rewards, "1 1e350\n2 -1e-350\n3 0.001\n4 1\n");
    let text = explicit.transitions(Dialect::Storm, Numerals::Decimals);
    assert!(
        text.contains("0 0 1 1e-360\n") && text.contains("0 0 4 1\n"),
        "{text}"
    );
    let paid = explicit.transition_rewards(Dialect::Storm, Numerals::Decimals);
    assert!(paid.contains("0 0 4 1e320\n"), "{paid}");
    let reader = ExplicitReader::new(&text).state_rewards(&rewards);
    let read = reader.transition_rewards(&paid).read().expect("read");
    let back = Solver::exact().solve_table(&read.table, 0).expect("solved");
    let off = back.value() / solution.value() - power(0);
    assert!(off < power(-15) && off > -power(-15), "{off}");
}

/// Regression test: probabilities below 1e-384 and rewards above 1e416 were written but rejected
/// when read.
#[test]
fn what_is_far_beyond_floats_comes_back() {
    let power = |n: i32| num_rational::BigRational::from_integer(10.into()).pow(n);
    let (chance, most) = (power(-2000), power(2003));
    let weight = num_bigint::BigUint::from(10_u8).pow(2000) - 1_u8;
    let needle = oddsmith_mdp::Table::from_fn(3, |state, row| match state {
        0 => {
            row.choice().to(1, 1).to_wide(2, weight.clone());
        }
        1 => row.end(most.clone()),
        _ => row.end(0),
    });
    let needle = needle.expect("a table");
    let solution = Solver::exact().solve_table(&needle, 0).expect("solved");
    assert_eq!(solution.value(), &chance * &most);
    let explicit = Explicit::of(&solution).expect("written");
    for (numerals, small) in [
        (Numerals::Decimals, "0 0 1 1e-2000\n"),
        (Numerals::Fractions, "0 0 1 1/1000"),
    ] {
        let text = explicit.transitions(Dialect::Storm, numerals);
        assert!(text.contains(small), "{text}");
        let rewards = explicit.state_rewards(Dialect::Storm, numerals);
        let reader = ExplicitReader::new(&text).state_rewards(&rewards);
        let read = reader.read().expect("read");
        let back = Solver::exact().solve_table(&read.table, 0).expect("solved");
        let off = back.value() / solution.value() - power(0);
        assert!(off.abs() < power(-15), "{off}");
    }
}
