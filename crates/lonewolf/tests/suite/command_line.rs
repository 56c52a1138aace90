//! The command line of the examples `lone_wolf_solve` and `lone_wolf_play`.
#![cfg(feature = "serde")]

use oddsmith_lonewolf::{CombatTable, Rules};

#[path = "../../examples/seat/mod.rs"]
#[allow(dead_code, reason = "what the examples alone need")]
mod seat;

use seat::Seat;

fn taken(words: &str) -> Result<Seat, String> {
    let words = format!("skill=15 endurance=25 sword {words}");
    let words = words.split_whitespace().map(str::to_owned);
    Seat::of(words, &["limit"], &["exact"]).map_err(|error| error.to_string())
}

/// Regression: the printed table could not be selected.
#[test]
fn combats_may_be_by_the_printed_table() {
    for (words, rules, name) in [
        ("", Rules::printed(), "printed"),
        ("table=standard", Rules::printed(), "printed"),
        (
            "table=printed",
            Rules::printed().fight_by(CombatTable::printed()),
            "printed, combats by the printed table",
        ),
        (
            "rules=yardstick --exact table=printed",
            Rules::yardstick().fight_by(CombatTable::printed()),
            "yardstick, combats by the printed table",
        ),
        (
            "table=standard rules=yardstick",
            Rules::yardstick(),
            "yardstick",
        ),
    ] {
        let seat = taken(words).unwrap();
        assert_eq!((seat.rules, &*seat.rules_name), (rules, name), "{words}");
    }
}

#[test]
fn a_table_that_there_is_not_is_refused() {
    for (words, told) in [
        (
            "table=red",
            "the table must be standard or printed, got \"red\"",
        ),
        ("table=", "the table must be standard or printed, got \"\""),
        (
            "table=printed table=standard",
            "table is given twice; give it once",
        ),
        (
            "rules=red",
            "rules must be printed or yardstick, got \"red\"",
        ),
    ] {
        assert_eq!(taken(words).err().as_deref(), Some(told));
    }
}

/// Regression test: these caused a panic.
#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStringExt;

    let words = [b"sword".to_vec(), b"skill=\xff".to_vec()].map(std::ffi::OsString::from_vec);
    let text = seat::unicode(words.into_iter());
    assert_eq!(text, Err("\"skill=\\xFF\" is not Unicode text".to_owned()));
}
