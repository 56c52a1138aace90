//! Places by names: the same place is restored, also from a file and with another order of the
//! sheet; bookmarks that fit no book are rejected, and nothing panics.

use std::collections::BTreeMap;

use oddsmith_gamebook::{
    Book, BookSolver, Bookmark, Enemy, Error, Escape, Fight, FightCount, Fights, Item, Manuscript,
    Passage, Play, Section,
};
use oddsmith_mdp::{Node, Solver};
use quickcheck::TestResult;

use crate::foreign_places::{LIMIT, game, places};
use crate::generated::Generated;
use crate::pieces::rolled;
use crate::properties::drawn;

/// The number of places of a book that solvers evaluate.
const SOLVED: usize = 5;

#[test]
fn every_place_comes_back() {
    fn back(generated: Generated, luck: bool) -> TestResult {
        for fights in [Fights::Folded, Fights::Rounds] {
            let game = game(&generated, luck).fights(fights);
            let Some(places) = places(&game) else {
                return TestResult::discard();
            };
            for place in places {
                let bookmark = game.bookmark(&place).unwrap();
                assert_eq!(bookmark.section(), place.section());
                assert_eq!(game.open(&bookmark), Ok(place), "{bookmark:?}");
                #[cfg(feature = "serde")]
                {
                    let text = serde_json::to_string(&bookmark).unwrap();
                    assert_eq!(serde_json::from_str::<Bookmark>(&text).unwrap(), bookmark);
                }
            }
        }
        TestResult::passed()
    }
    drawn(200).quickcheck(back as fn(Generated, bool) -> TestResult);
}

/// A sheet in another order has other bits, but the same names.
#[test]
fn outlives_another_order_of_the_sheet() {
    let game = |items: [&str; 3]| {
        let mut book = Manuscript::new("sheet");
        book.sheet.items = items.map(Item::new).to_vec();
        book.sheet.stats.reverse();
        if items[0] == "rope" {
            book.sheet.stats.reverse();
        }
        book.sections = vec![Section::new(1, Passage::won())];
        Book::new(book).unwrap().game(rolled(7, 14, 8)).unwrap()
    };
    let (before, after) = (
        game(["rope", "lamp", "key"]),
        game(["key", "rope", "lantern"]),
    );
    let bookmark = Bookmark::at(1)
        .stat("luck", 3)
        .holding("rope")
        .holding("key");
    let place = before.open(&bookmark).unwrap();
    let moved = after.open(&before.bookmark(&place).unwrap()).unwrap();
    assert_ne!(place, moved);
    for name in ["rope", "key"] {
        assert!(before.has(&place, name) && after.has(&moved, name));
    }
    assert_eq!(after.stat(&moved, "luck"), Some(3));
    let lamp = before.open(&Bookmark::at(1).holding("lamp")).unwrap();
    let gone = after.open(&before.bookmark(&lamp).unwrap());
    let said = gone.unwrap_err().to_string();
    assert!(
        said.contains("\"lamp\"") && said.contains("lantern"),
        "{said}"
    );
}

/// Bookmarks that can be written but fit no book.
#[test]
fn what_there_is_not_is_refused() {
    let book = Book::builder()
        .luck(1, 2, 3)
        .won(2)
        .lost(3)
        .build()
        .unwrap();
    let game = book.game(rolled(7, 14, 8)).unwrap();
    let refused = |bookmark: Bookmark| game.open(&bookmark).unwrap_err().to_string();
    assert_eq!(refused(Bookmark::at(9)), "section 9 is not in the book");
    let said = refused(Bookmark::at(1).stat("lick", 3));
    assert!(said.contains("\"lick\"") && said.contains("luck"), "{said}");
    let said = refused(Bookmark::at(1).cap("luck", 3));
    assert_eq!(
        said,
        "the bookmark: caps.luck: nothing in this book changes this cap"
    );
    let other = Book::new({
        let mut book = Manuscript::new("other");
        book.sections = vec![Section::new(1, Passage::won())];
        book
    });
    let other = other.unwrap().game(rolled(7, 14, 8)).unwrap();
    let bookmark = other.bookmark(&other.start()).unwrap();
    let error = game.open(&bookmark).unwrap_err();
    assert!(matches!(error, Error::OtherBook { .. }), "{error}");
    // A place of a longer book.
    let longer = Book::builder().luck(1, 2, 3).won(2).lost(3).won(4).build();
    let longer = longer.unwrap().game(rolled(7, 14, 8)).unwrap();
    let fourth = longer.start_at(4).unwrap();
    assert!(game.bookmark(&fourth).is_err());
}

#[cfg(feature = "serde")]
mod as_text {
    use super::*;

    #[test]
    fn is_short_and_has_names() {
        let book = Book::builder()
            .luck(1, 2, 3)
            .won(2)
            .lost(3)
            .build()
            .unwrap();
        let game = book.game(rolled(7, 14, 8)).unwrap();
        let bookmark = game.bookmark(&game.start()).unwrap();
        let text = r#"{"book":"book","section":1,"stats":{"luck":8,"skill":7,"stamina":14}}"#;
        assert_eq!(serde_json::to_string(&bookmark).unwrap(), text);
        let by_hand: Bookmark = serde_json::from_str(r#"{"section":1}"#).unwrap();
        assert_eq!(game.open(&by_hand), Ok(game.start()));
    }

    #[test]
    fn says_what_is_wrong() {
        for (text, said) in [
            (r#"{"section":1,"gold":3}"#, "unknown field `gold`"),
            (r#"{"stats":{}}"#, "missing field `section`"),
            (
                r#"{"section":1,"stats":{"luck":1,"luck":2}}"#,
                "luck is given twice",
            ),
            (r#"{"section":1,"stats":{"luck":40000}}"#, "expected i16"),
        ] {
            let error = serde_json::from_str::<Bookmark>(text)
                .unwrap_err()
                .to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    /// Regression test: more rounds were believed to have been counted than the hero needs to be
    /// driven off.
    #[test]
    fn counts_no_more_than_a_fight_can() {
        let escape = Escape {
            count: FightCount::Hits,
            forced: true,
            ..Escape::new(2, Passage::lost())
        };
        let fight = Fight {
            escape: Some(escape),
            ..Fight::new([Enemy::new(7, 10)], Passage::won())
        };
        let mut book = Manuscript::new("driven_off");
        book.sections = vec![Section::new(1, Play::Fight(Box::new(fight)).into())];
        let game = Book::new(book).unwrap().game(rolled(7, 14, 8)).unwrap();
        let opened = |so_far: u32, more: u32| {
            let step = 1_u32 << 31 | so_far << 12 | more | 4;
            let mark = serde_json::json!({ "section": 1, "step": step });
            game.open(&serde_json::from_value(mark).unwrap())
        };
        assert!(opened(0, 0).is_ok() && opened(1, 0).is_ok());
        // Two counts end the fight; no toll is taken, and a round that is counted is over.
        for (so_far, more) in [(2, 0), (5, 0), (1, 1 << 11), (1, 1 << 27)] {
            let refused = opened(so_far, more);
            assert!(
                matches!(refused, Err(Error::Invalid { .. })),
                "{so_far} {refused:?}"
            );
        }
    }

    /// Random bookmarks made of existing names: for those accepted, every method answers.
    #[test]
    fn no_bookmark_makes_anybody_panic() {
        fn answers(generated: Generated, luck: bool, draws: Vec<(u8, u8, u32, i16)>) -> TestResult {
            let game = game(&generated, luck).fights(Fights::Rounds);
            let Some(places) = places(&game) else {
                return TestResult::discard();
            };
            let marks: Vec<serde_json::Value> = places
                .iter()
                .map(|place| serde_json::to_value(game.bookmark(place).unwrap()).unwrap())
                .collect();
            let steps: Vec<u64> = marks
                .iter()
                .filter_map(|mark| mark["step"].as_u64())
                .collect();
            let solver = BookSolver::new(&game);
            let odds = solver.odds(game.start());
            let mut opened = 0;
            for (which, other, bits, value) in draws {
                let pick = |number: u8| usize::from(number) % marks.len();
                let mut mark = marks[pick(which)].clone();
                let from = &marks[pick(other)];
                // Swaps one or two fields with another place, flips a bit of the step, or sets a
                // stat to any value.
                for (bit, field) in ["section", "part", "step", "stats", "holds"]
                    .into_iter()
                    .enumerate()
                {
                    if bits >> bit & 1 == 1 && !from[field].is_null() {
                        mark[field] = from[field].clone();
                    }
                }
                if bits >> 5 & 3 == 0 && !steps.is_empty() {
                    let step = steps[bits as usize % steps.len()];
                    mark["step"] = (step ^ 1 << (bits >> 7 & 31)).into();
                }
                if bits >> 12 & 1 == 1 {
                    let stats: BTreeMap<String, i16> =
                        serde_json::from_value(mark["stats"].clone()).unwrap();
                    let changed = stats.keys().nth(bits as usize % stats.len());
                    // A hero with thousands of STAMINA has fights with as many rounds.
                    mark["stats"][changed.unwrap()] = (value % 40).into();
                }
                let mark: Bookmark = serde_json::from_value(mark).unwrap();
                let Ok(place) = game.open(&mark) else {
                    continue;
                };
                assert_eq!(game.open(&game.bookmark(&place).unwrap()), Ok(place));
                let _ = (Node::of(&game, &place), game.describe(&place));
                if opened < SOLVED {
                    opened += 1;
                    let one = solver.solve(place);
                    let _ = (solver.explain(place), solver.policy(place));
                    if let Ok(odds) = &odds {
                        let two = odds.value_of(&place);
                        if let (Ok(one), Ok(two)) = (&one, &two) {
                            assert!(
                                (one.win() - two.win()).abs() < 1e-9,
                                "{mark:?}: {one} {two}"
                            );
                        }
                        let _ = (odds.bounds(&place), odds.explain(&place));
                    }
                    let plain = Solver::float().max_states(LIMIT).allow_cycles();
                    if let (Ok(one), Ok(plain)) = (&one, plain.solve(&game, place)) {
                        let off = (one.win() - plain.value()).abs();
                        assert!(off < 1e-9, "{mark:?}: {one} {}", plain.value());
                    }
                }
            }
            TestResult::passed()
        }
        drawn(100)
            .quickcheck(answers as fn(Generated, bool, Vec<(u8, u8, u32, i16)>) -> TestResult);
    }
}
