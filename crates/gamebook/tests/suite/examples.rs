//! The parts of the examples that read their input.
#![cfg(feature = "toml")]

#[path = "../../examples/heroes/mod.rs"]
#[allow(dead_code, reason = "not everything is tested here")]
mod heroes;
#[path = "../../examples/results/mod.rs"]
#[allow(dead_code, reason = "not everything is tested here")]
mod results;
#[path = "../../examples/words/mod.rs"]
#[allow(dead_code, reason = "not everything is tested here")]
mod words;

use std::path::PathBuf;

use oddsmith_gamebook::{Book, Manuscript, Passage, Section, Stat};
use results::Results;
use words::{Program, Words};

const PROGRAM: Program<'_> = Program {
    name: "test",
    usage: "BOOK",
    files: 1,
    flags: &["json"],
    valued: &["section", "gib", "svg", "within"],
    repeated: &["from", "now"],
};

fn read(line: &str) -> Result<Words, String> {
    PROGRAM.read(line.split_whitespace().map(String::from))
}

#[track_caller]
fn refused(line: &str, message: &str) {
    assert_eq!(read(line).unwrap_err(), message);
}

#[test]
fn words_are_told_apart() {
    let words = read("a=b.toml luck=8 tonic --now luck=-3 --from 7 --json --from 8").unwrap();
    assert_eq!(words.files, ["a=b.toml"]);
    assert_eq!(words.stats, [("luck".to_owned(), 8)]);
    assert_eq!(words.now, [("luck".to_owned(), -3)]);
    assert_eq!(words.items, ["tonic"]);
    assert_eq!(words.numbers::<u32>("from"), Ok(vec![7, 8]));
    assert!(words.has("json") && !words.has("svg"));
    assert_eq!(words.number::<u32>("section"), Ok(None));
}

#[test]
fn nothing_is_given_twice() {
    refused("book luck=8 luck=7", "luck is given twice");
    refused("book luck=8 skill=7 luck=8", "luck is given twice");
    refused("book tonic tonic", "tonic is given twice");
    refused("book --json --json", "--json is given twice");
    refused("book --section 3 --section 4", "--section is given twice");
    refused(
        "book --now gold=1 --now gold=2",
        "--now gold is given twice",
    );
    refused("book --from 1 --from 1", "--from 1 is given twice");
    let from = read("book --from 1 --from 01")
        .unwrap()
        .numbers::<u32>("from");
    assert_eq!(from.unwrap_err(), "--from 1, 01: a value is given twice");
    // The initial value of a stat is independent of its current value.
    assert!(read("book gold=1 --now gold=2").is_ok());
}

#[test]
fn no_option_is_lost() {
    refused("book --jsn", "unknown option --jsn");
    refused("book --svg", "--svg needs a value");
    refused("book --svg --json", "--svg needs a value");
    let words = read("book --json --svg x.svg").unwrap();
    assert_eq!(words.excludes("within", &["json"], "is short"), Ok(()));
    assert_eq!(
        words.excludes("json", &["section", "svg"], "is a text"),
        Err("--json is a text; leave out --svg or --json".into())
    );
}

#[test]
fn numbers_that_do_not_fit_are_told_with_their_option() {
    let section = |value: &str| {
        let words = read(&format!("book --section {value}")).unwrap();
        words.number::<u32>("section")
    };
    assert_eq!(section("4294967295"), Ok(Some(u32::MAX)));
    for value in ["4294967296", "99999999999", "99999999999999999999999"] {
        let message = format!("--section is too large, got {value:?}");
        assert_eq!(section(value), Err(message));
    }
    for value in ["-1", "one", "1.5"] {
        let message = format!("--section must be a whole number, got {value:?}");
        assert_eq!(section(value), Err(message));
    }
    refused(
        "book luck=32768",
        "luck=32768: the value must be between -32768 and 32767",
    );
    refused(
        "book luck=",
        "luck=: expected STAT=VALUE with a whole number",
    );
    for value in ["0", "1", "nan", "inf", "little"] {
        let words = read(&format!("book --within {value}")).unwrap();
        let message = format!("--within must be a number between 0 and 1, got {value:?}");
        assert_eq!(words.within(), Err(message));
    }
}

#[test]
fn memory_does_not_wrap_around() {
    let bytes = |line: &str| read(line).unwrap().bytes();
    assert_eq!(bytes("book"), Ok(4 << 30));
    assert_eq!(bytes("book --gib 1"), Ok(1 << 30));
    assert_eq!(bytes("book --gib 0.75"), Ok(3 << 28));
    assert_eq!(bytes("book --gib 17179869184"), Ok(usize::MAX));
    for value in ["-1", "nan", "inf", "much"] {
        let message = format!("--gib must be a number of GiB, 0 or more, got {value:?}");
        assert_eq!(bytes(&format!("book --gib {value}")), Err(message));
    }
}

fn rolled(dice: &str) -> Book {
    let mut book = Manuscript::new("rolled");
    for stat in &mut book.sheet.stats {
        stat.initial = "7".parse().unwrap();
    }
    let dice: oddsmith_gamebook::Amount = dice.parse().unwrap();
    book.sheet.stats.push(Stat::new("gold", dice));
    book.sections.push(Section::new(1, Passage::won()));
    Book::new(book).unwrap()
}

#[test]
fn heroes_are_those_that_can_be_rolled() {
    let hero = "book skill=7 stamina=14 luck=7";
    let all = |dice: &str| {
        let heroes = heroes::all(&rolled(dice), &read(hero).unwrap(), None).unwrap();
        let names = heroes.iter().map(|(name, _)| {
            let gold = name.strip_prefix("skill=7 stamina=14 luck=7 gold=");
            gold.unwrap().parse().unwrap()
        });
        names.collect::<Vec<i16>>()
    };
    assert_eq!(all("3*1d2"), [3, 6]);
    assert_eq!(all("1d3+1"), [2, 3, 4]);
    assert_eq!(all("-2*1d2"), [-4, -2]);
    assert_eq!(all("0*2d6"), [0]);
    let large = rolled("10000*1d6");
    let error = heroes::all(&large, &read(hero).unwrap(), None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "gold may be 40000, but must be between -32768 and 32767; give gold=VALUE"
    );
    let given = read(&format!("{hero} gold=10000")).unwrap();
    assert_eq!(heroes::all(&large, &given, None).unwrap().len(), 1);
}

/// Opens a file with this text, and returns its text afterwards; `name` is that of the test.
fn opened(name: &str, text: &str) -> (Result<usize, String>, String) {
    let file: PathBuf = [env!("CARGO_TARGET_TMPDIR"), name].iter().collect();
    std::fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    let book = Book::builder().won(1).build().unwrap();
    let opened = Results::open(path, &book, "", None);
    let known = opened.map(|results| results.known.least.len());
    let known = known.map_err(|error| error.to_string().replace(path, "FILE"));
    (known, std::fs::read_to_string(&file).unwrap())
}

#[test]
fn results_are_not_added_to_other_files() {
    for (text, line) in [
        ("format = \"oddsmith-gamebook\"\nversion = 1\n", 1),
        ("{\n  \"id\": \"book\"\n}\n", 1),
        ("# Notes\n", 1),
        ("#!/bin/sh\n", 1),
        ("1\tluck=7\t0.5\t1e-12\t0.1\nnotes\n", 2),
        ("1\tluck=7\thalf\t1e-12\t0.1\n", 1),
        ("1\t2\t3\t4\t5\t6\n", 1),
        ("yardstick\t15\t25\thunting\t0.04\n", 1),
    ] {
        let message = format!("FILE: line {line} is not a result of a sweep; name another file");
        assert_eq!(
            opened("other_file.tsv", text),
            (Err(message), text.to_owned())
        );
    }
    let message = "FILE holds no result of a sweep; name another file";
    let numbers = "12\n13\n";
    let found = opened("numbers.tsv", numbers);
    assert_eq!(found, (Err(message.into()), numbers.to_owned()));
}

#[test]
fn results_are_read_with_a_heading_and_without() {
    let (known, begun) = opened("headings.tsv", "");
    assert_eq!((known, begun.lines().count()), (Ok(0), 1));
    assert_eq!(opened("headings.tsv", &begun), (Ok(0), begun.clone()));
    let lines = "1\tluck=7\t0.5\t1e-12\t0.1\n1\tluck=8\t0.5\t?\t0.1\n";
    let with = format!("{begun}{lines}");
    assert_eq!(opened("headings.tsv", &with), (Ok(1), with.clone()));
    let without = opened("headings.tsv", lines);
    assert_eq!(without, (Ok(1), format!("{lines}{begun}")));
}

#[test]
fn a_result_that_was_cut_off_is_no_hindrance() {
    let begun = opened("cut_off.tsv", "").1;
    let line = "95\tluck=7 tonic\t0.5\t1e-12\t0.1";
    for end in 1..line.len() {
        let text = format!("{begun}{}", &line[..end]);
        let (known, after) = opened("cut_off.tsv", &text);
        assert!(known.is_ok(), "{text}: {known:?}");
        assert_eq!(after, format!("{text}\n"));
        assert!(opened("cut_off.tsv", &format!("{after}{line}\n")).0.is_ok());
    }
}

/// Regression: ways were looked up by the chances of any other book.
#[test]
fn ways_are_looked_up_by_the_chances_of_the_same_book() {
    let book = Book::builder().won(1).build().unwrap();
    let swept = |text: &str| {
        let file: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "swept.tsv"].iter().collect();
        std::fs::write(&file, text).unwrap();
        let path = file.to_str().unwrap();
        results::swept(path, &book).map_err(|error| error.to_string().replace(path, "FILE"))
    };
    let begun = opened("swept_begun.tsv", "").1;
    let known = "1\tluck=7\t0.5\t1e-12\t0.1\n1\tluck=8\t0.5\t?\t0.1\n1\tluck=9\t0.5\t0.1\t1\n";
    for heading in ["", &begun] {
        let least = swept(&format!("{heading}{known}")).unwrap();
        assert_eq!(least.len(), 1);
        assert!((least["1\tluck=7"] - 0.5).abs() < 1e-11);
    }
    let other = swept(&format!("# other: 0123456789abcdef\n{known}")).unwrap_err();
    assert_eq!(other, "FILE holds results of other; name another file");
    let print = begun.trim().rsplit(' ').next().unwrap();
    let changed = swept(&begun.replace(print, "0123456789abcdef")).unwrap_err();
    assert!(changed.contains("before it was changed"), "{changed}");
    assert!(
        swept("format = 1\n")
            .unwrap_err()
            .contains("not a result of a sweep")
    );
}

#[test]
fn looks_at_ways_are_told_from_chances() {
    let ways = "1\tluck=7\t74:95\t95:0.5 17:0.25\t0.1\n1\tluck=8\t74:?\t95:0.5\t0.1\n";
    let (known, text) = opened("ways.tsv", ways);
    assert_eq!((known, text.starts_with(ways)), (Ok(0), true));
    let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "ways.tsv"].iter().collect();
    let book = Book::builder().won(1).build().unwrap();
    let open = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let results = Results::open(path.to_str().unwrap(), &book, "ways", None).unwrap();
        let ways = results.known.ways;
        (ways.len(), ways.values().filter(|needed| !**needed).count())
    };
    assert_eq!(open(ways), (2, 1));
    // The last line of a hero counts.
    assert_eq!(
        open(&format!("{ways}1\tluck=8\t74:95 17\t95:0.5\t3\n")),
        (2, 0)
    );
    assert_eq!(open(ways.split_at(40).0), (1, 0));
}

#[test]
fn a_file_that_cannot_be_made_is_named() {
    let path = "/there/is/no/folder.tsv";
    let book = Book::builder().won(1).build().unwrap();
    let error = Results::open(path, &book, "", None).err().unwrap();
    assert!(error.to_string().starts_with(path), "{error}");
}

/// Regression: the first digits of a chance were taken for the whole number, and NaN for a bound.
#[test]
fn results_are_chances_with_errors_or_none() {
    let begun = opened("chances.tsv", "").1;
    let line = |chance: &str, error: &str| format!("{begun}95\tluck=7\t{chance}\t{error}\t0.1\n");
    for (chance, error) in [
        ("NaN", "-1"),
        ("0.5", "-1"),
        ("0.5", "NaN"),
        ("NaN", "0"),
        ("1.5", "0"),
        ("-0.1", "0"),
        ("inf", "0"),
    ] {
        let (known, _) = opened("chances.tsv", &line(chance, error));
        let message = "FILE: line 2 is not a result of a sweep; name another file";
        assert_eq!(known, Err(message.to_owned()), "{chance} {error}");
    }
    // A sum of floats may be slightly more than 1.
    for chance in ["0", "1", "8.1e-5", "1.0000000000000002"] {
        assert_eq!(
            opened("chances.tsv", &line(chance, "0")).0,
            Ok(1),
            "{chance}"
        );
    }
    assert_eq!(opened("chances.tsv", &line("0.5", "?")).0, Ok(0));
    let cut = format!("{begun}95\tluck=7\t8.1");
    assert_eq!(opened("chances.tsv", &cut).0, Ok(0));
}

/// Regression: a picture could overwrite the results, or the book, that it was drawn from.
#[test]
fn what_is_read_is_not_written_over() {
    let file = |name: &str| -> PathBuf { [env!("CARGO_TARGET_TMPDIR"), name].iter().collect() };
    let (read, written) = (file("read.toml"), file("read_svg.svg"));
    std::fs::write(&read, "").unwrap();
    let _ = std::fs::remove_file(&written);
    let roundabout = file("../tmp/./read.toml");
    let [read, written, roundabout] =
        [&read, &written, &roundabout].map(|file| file.to_str().unwrap());
    let lost = |file: &str| {
        Err(format!(
            "{file} is an input file and would be overwritten; name another file"
        ))
    };
    assert_eq!(words::spared(read, &[read]), lost(read));
    assert_eq!(words::spared(roundabout, &["none", read]), lost(roundabout));
    assert_eq!(words::spared(written, &[read]), Ok(()));
}
