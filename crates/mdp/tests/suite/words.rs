//! Messages describe states in the game's own words.

use num_bigint::BigUint;
use num_rational::BigRational;
use oddsmith_mdp::{
    Error, Game, Horizon, Lazy, Meeting, Node, Objective, Readable, Score, Simultaneous, Solver,
    Staged, Table,
};

/// A ladder of three rungs; each step falls to the ground half of the time.
struct Ladder;

impl Game for Ladder {
    type State = u8;
    type Action = &'static str;

    fn expand(&self, &rung: &u8, node: &mut Node<Self>) {
        match rung {
            2 => node.end(1),
            3 => node.end(0),
            _ => {
                node.choice("step").to(rung + 1, 1).to(3, 1);
            }
        }
    }

    fn describe(&self, rung: &u8) -> String {
        match rung {
            3 => "the ground".into(),
            _ => format!("rung {rung}"),
        }
    }
}

#[test]
fn explanations_tell_states_in_words() -> Result<(), Error> {
    let solution = Solver::exact().solve(&Ladder, 0)?;
    let explanation = solution.explain(&1)?;
    assert_eq!((explanation.state, &explanation.words[..]), (1, "rung 1"));
    assert_eq!(
        explanation.to_string(),
        "rung 1 is worth 1/2 = 0.5\n\
         + \"step\": 1/2 = 0.5; best\n    \
         1/2 = 0.5 to rung 2, worth 1\n    \
         1/2 = 0.5 to the ground, worth 0\n"
    );
    let both = Solver::exact().lexicographic(&Ladder, 0, [Objective::score()])?;
    let text = both.explain(&1)?.to_string();
    assert!(text.starts_with("rung 1 is worth "), "{text}");
    Ok(())
}

/// Matching pennies for one point each round, up to a limit; states beyond it are refused.
struct Rounds {
    most: u8,
    /// The state after the last round.
    then: u8,
}

impl Simultaneous for Rounds {
    type State = u8;
    type Row = bool;
    type Column = bool;

    fn expand(&self, &round: &u8, meeting: &mut Meeting<Self>) {
        if round > self.most {
            // The first reason counts, whatever else is written.
            meeting.end(0);
            meeting.end(0);
            meeting.refuse("the book has no more pages");
            return meeting.refuse("and no other book either");
        }
        let next = if round == self.most {
            self.then
        } else {
            round + 1
        };
        for own in [false, true] {
            for other in [false, true] {
                meeting.cell(own, other).to(next, 1);
            }
        }
    }

    fn describe(&self, round: &u8) -> String {
        format!("round {round}")
    }
}

fn refused(then: u8) -> String {
    let game = Rounds { most: 2, then };
    let solved = Solver::exact().solve_simultaneous(&game, 0);
    solved.map_or_else(
        |error| error.to_string(),
        |solution| format!("{solution:?}"),
    )
}

#[test]
fn simultaneous_games_refuse_in_words() {
    let said = "the game refuses state round 9: the book has no more pages";
    assert_eq!(refused(9), said);
    let round = refused(0);
    assert!(
        round.contains("round 0") && round.contains("round 2"),
        "{round}"
    );
    let stays = refused(2);
    assert!(stays.contains("round 2"), "{stays}");
}

#[test]
fn meetings_tell_states_in_words() -> Result<(), Error> {
    struct Toss;
    impl Simultaneous for Toss {
        type State = Option<bool>;
        type Row = bool;
        type Column = bool;
        fn expand(&self, state: &Option<bool>, meeting: &mut Meeting<Self>) {
            if let Some(won) = *state {
                return meeting.end(won);
            }
            for own in [false, true] {
                for other in [false, true] {
                    meeting.cell(own, other).to(Some(own == other), 1);
                }
            }
        }
        fn describe(&self, state: &Option<bool>) -> String {
            state.map_or("the toss", |_| "an end").into()
        }
    }
    let solution = Solver::exact().solve_simultaneous(&Toss, Some(true))?;
    let unknown = solution.equilibrium(&None).map(|met| met.words);
    assert_eq!(
        unknown.map_err(|error| error.to_string()),
        Err(
            "the solution does not contain state the toss; it is not in the table or box, not reachable from \
             the start, or, with `certify` or `Lazy`, avoided by best play"
                .into()
        )
    );
    let solution = Solver::exact().solve_simultaneous(&Toss, None)?;
    let met = solution.equilibrium(&None)?;
    assert_eq!(met.words, "the toss");
    assert!(
        met.to_string()
            .starts_with("the toss is worth 1/2 = 0.5; both mix\n")
    );
    Ok(())
}

fn power(exponent: i32) -> BigRational {
    BigRational::from_integer(10.into()).pow(exponent)
}

/// Regression test: they were written as infinite, or as zero.
#[test]
fn numbers_beyond_floats_are_readable() {
    let third = power(0) / BigRational::from_integer(3.into());
    for (number, written) in [
        (power(400) * &third, "3.3333333333333333e399"),
        (power(-400), "1e-400"),
        (-power(-400) * &third, "-3.3333333333333333e-401"),
        (third.clone(), "1/3 = 0.3333333333333333"),
    ] {
        assert_eq!(Readable(&number).to_string(), written);
    }
    let rest = BigUint::from(10_u8).pow(400) - 1_u8;
    let needle = Table::from_fn(3, |state, row| match state {
        0 => {
            row.choice().to(1, 1).to_wide(2, rest.clone());
        }
        1 => row.end(power(800) * &third),
        _ => row.end(0),
    });
    let needle = needle.unwrap();
    let solution = Solver::exact().solve_table(&needle, 0).unwrap();
    let told = solution.explain(&0).unwrap().to_string();
    assert!(
        told.starts_with("0 is worth 3.3333333333333333e399\n"),
        "{told}"
    );
    let outcome = "1e-400 to 1, worth 3.3333333333333333e799\n";
    assert!(told.contains(outcome), "{told}");
    let line = solution
        .likeliest_line_to(|&end| end == 1)
        .unwrap()
        .unwrap()
        .to_string();
    assert!(line.contains("reached with 1e-400\n"), "{line}");
}

#[test]
fn bounds_that_are_no_numbers_are_told_as_given() {
    let bounds = |_: &u8| (Score::from(f64::NAN), Score::from((1, 2)));
    let error = Lazy::exact().bounds(bounds).solve(&Ladder, 0).err();
    assert_eq!(
        error,
        Some(Error::BadBound {
            state: "rung 0".into(),
            lower: "no number".into(),
            upper: "1/2".into(),
        })
    );
}

/// Regression test: it said "1 steps".
#[test]
fn a_single_step_is_told_as_one() {
    let table = Table::from_fn(1, |_, row| row.end(0)).unwrap();
    let game = Horizon::new(&table);
    let told = [0, 1, 2].map(|left| game.describe(&Staged::new(left, 0)));
    let expected = [
        "0 with 0 steps left",
        "0 with 1 step left",
        "0 with 2 steps left",
    ];
    assert_eq!(told, expected);
}
