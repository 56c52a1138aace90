//! Results as JSON for other programs.
#![cfg(feature = "serde")]

use num_rational::BigRational;
use oddsmith_fightingfantasy::{Foe, Hero};
use oddsmith_gamebook::{
    Book, BookSolver, Character, Comparison, Difficulty, Error, Evaluation, Explanation, Finding,
    FollowLimits, Habit, Journey, LintSearch, Move, Place, Played,
};
use serde_json::{Value, json};

fn bridge_or_ford() -> (Book, Hero) {
    let book = Book::builder()
        .choice(1, [("bridge", 2), ("ford", 3)])
        .fight(2, Foe::new(7, 2).unwrap(), 4)
        .luck(3, 4, 5)
        .won(4)
        .lost(5);
    (book.build().unwrap(), Hero::new(7, 2, 8).unwrap())
}

fn written(result: &impl serde::Serialize) -> Value {
    serde_json::to_value(result).unwrap()
}

const SHEET: &str = "(skill 7, stamina 2, luck 8)";

#[test]
fn advice_says_what_each_option_is_worth() {
    let (book, hero) = bridge_or_ford();
    let plan = book.solve(hero).unwrap();
    let advice = plan.first_choice().unwrap().unwrap();
    let option = |label, to, value, gap, best| {
        json!({
            "action": {"kind": "turn", "label": label, "to": to},
            "value": value, "gap": gap, "optimal": best, "decided": best,
        })
    };
    assert_eq!(
        written(&advice),
        json!({
            "section": 1,
            "place": format!("section 1 {SHEET}"),
            "options": [
                option("bridge", 2, "1/2", "2/9", false),
                option("ford", 3, "13/18", "0", true),
            ],
        })
    );
}

#[test]
fn explanations_say_what_each_option_may_lead_to() {
    let (book, hero) = bridge_or_ford();
    let plan = book.solve(hero).unwrap();
    let why: Explanation<BigRational> = plan.explain(&plan.start()).unwrap().unwrap();
    let place = |section: u32, value| {
        json!([{
            "section": section, "place": format!("section {section} {SHEET}"),
            "chance": "1", "value": value,
        }])
    };
    assert_eq!(
        written(&why),
        json!({
            "advice": written(why.advice()),
            "outcomes": [place(2, "1/2"), place(3, "13/18")],
        })
    );
    assert_eq!(written(&why.outcomes(1)), place(3, "13/18"));
}

#[test]
fn what_a_way_of_playing_is_worth_is_a_fraction_or_a_number_with_its_error() {
    let (book, hero) = bridge_or_ford();
    let game = book.game(hero).unwrap();
    let ford = |_: &Place, _: &[Move]| 1;
    let limits = FollowLimits::default();
    let exact: Evaluation<BigRational> = game.evaluate(ford, game.start(), limits).unwrap();
    let all = json!({"value": "13/18", "error": 0.0, "places": 4});
    assert_eq!(written(&exact), all);
    let float: Evaluation = game.evaluate(ford, game.start(), limits).unwrap();
    let all = json!({"value": float.value(), "error": float.error(), "places": 4});
    assert_eq!(written(&float), all);
    let played = Played::new(30, 11).unwrap();
    let all = json!({"games": 30, "won": 11, "unended": 0});
    assert_eq!(written(&played), all);
}

#[test]
fn journeys_say_where_they_come_to_in_fractions_or_floats() {
    let (book, hero) = bridge_or_ford();
    let plan = book.solve(hero).unwrap();
    let policy = || plan.solution().policy();
    let exact: Journey<BigRational> = book.follow_exact(hero, policy()).unwrap();
    let step = |section: u32, deed, reached, value| {
        json!({
            "section": section, "place": format!("section {section} {SHEET}"),
            "deed": deed, "line": reached, "reached": reached, "value": value,
        })
    };
    let ford = json!({"decide": {"kind": "turn", "label": "ford", "to": 3}});
    let walk = json!([
        step(1, ford, "1", "13/18"),
        step(3, json!({"test": "luck"}), "1", "13/18"),
        json!({
            "section": 4, "place": "section 4 (skill 7, stamina 2, luck 7)",
            "deed": "won", "line": "13/18", "reached": "13/18", "value": "1",
        }),
    ]);
    assert_eq!(
        written(&exact),
        json!({
            "value": "13/18",
            "error": 0.0,
            "places": 4,
            "visits": {"1": "1", "3": "1", "4": "13/18", "5": "5/18"},
            "endings": [
                {"section": 4, "fate": "won", "chance": "13/18"},
                {"section": 5, "fate": "lost", "chance": "5/18"},
            ],
            "walkthrough": walk,
        })
    );
    let float = written(&book.follow(hero, policy()).unwrap());
    assert!((float["value"].as_f64().unwrap() - 13.0 / 18.0).abs() < 1e-15);
    assert!((float["visits"]["5"].as_f64().unwrap() - 5.0 / 18.0).abs() < 1e-15);
}

#[test]
fn valuations_say_how_far_they_may_be_off() {
    let (book, hero) = bridge_or_ford();
    let game = book.game(hero).unwrap();
    let valuation = BookSolver::new(&game).solve(game.start()).unwrap();
    let value = written(&valuation);
    assert_eq!(value["win"].as_f64(), Some(valuation.win()));
    assert_eq!(value["error"].as_f64(), valuation.error());
    assert_eq!(value["regions"], 3);
    assert_eq!(value.as_object().unwrap().len(), 6);
    let apart = BookSolver::new(&game).tell_apart(0.0);
    let value = written(&apart.solve(game.start()).unwrap());
    assert_eq!(value["fork"]["section"], 1);
    let [bridge, ford] = &value["fork"]["ways"].as_array().unwrap()[..] else {
        panic!("two ways: {value}");
    };
    assert_eq!(
        (&bridge["label"], &bridge["to"]),
        (&json!("bridge"), &json!(2))
    );
    assert_eq!(bridge["without"], ford["alone"]);
}

#[test]
fn comparisons_leave_out_a_ratio_to_nothing() {
    let half = Comparison::new(("a", 0.5), ("b", 0.25));
    assert_eq!(
        written(&half),
        json!({"names": ["a", "b"], "values": [0.5, 0.25], "difference": 0.25, "ratio": 2.0})
    );
    let nothing = Comparison::new(("a", 0.5), ("b", 0.0));
    assert_eq!(written(&nothing).get("ratio"), None);
}

#[test]
fn difficulties_keep_what_went_wrong() {
    let error = Error::NoSections;
    let text = error.to_string();
    let habits = [(Habit::AtRandom, Ok(0.25)), (Habit::Avoiding, Err(error))];
    assert_eq!(
        written(&Difficulty::new(0.5, habits)),
        json!({
            "best": 0.5,
            "habits": [
                {"habit": "at random", "chance": 0.25},
                {"habit": "avoiding fights", "error": text},
            ],
        })
    );
    // The advice must be a method of those who asked for a difficulty.
    let error = Error::JourneyTooLarge { limit: 5 };
    let value = written(&Difficulty::new(0.5, [(Habit::AtRandom, Err(error))]));
    assert_eq!(
        value["habits"][0]["error"],
        "the number of places that this reader can reach exceeds the limit of 5; raise it with \
         `Book::difficulty_up_to`"
    );
}

#[test]
fn findings_have_their_kinds_and_come_back() {
    let (book, hero) = bridge_or_ford();
    let lint = book.lint_up_to(hero, 100).unwrap();
    let value = written(&lint);
    assert_eq!(
        (&value["sections"], &value["reachable"]),
        (&json!(5), &json!(5))
    );
    assert_eq!(value["search"], json!({"complete": {"places": 0}}));
    let search: LintSearch = serde_json::from_value(value["search"].clone()).unwrap();
    assert_eq!(Some(search), lint.search());
    let (places, section) = (7, 3);
    let broken = LintSearch::NotFollowed { places, section };
    for (search, kind) in [
        (LintSearch::Unknown { places }, "unknown"),
        (broken, "not-followed"),
    ] {
        let value = written(&search);
        assert_eq!(value[kind]["places"], 7);
        assert_eq!(serde_json::from_value::<LintSearch>(value).unwrap(), search);
    }
    let all = [
        Finding::Unreachable { section: 3 },
        Finding::Hopeless { section: 3 },
        Finding::DeadEnd { section: 3 },
        Finding::NeverOpen {
            section: 3,
            field: "choice[0]".into(),
            option: "fly".into(),
            lacks: None,
        },
        Finding::Shadowed {
            section: 3,
            field: "first[1]".into(),
            option: String::new(),
        },
        Finding::SurelyLost {
            section: 3,
            field: "choice[0]".into(),
            option: "fly".into(),
            lacks: Some("wings".into()),
        },
        Finding::MayBeStuck { section: 3 },
        Finding::Stuck {
            section: 3,
            way: vec![(1, "on".into())],
        },
        Finding::MustPass { section: 3 },
        Finding::MustHave { item: "key".into() },
        Finding::Unobtainable { item: "key".into() },
        Finding::Unread {
            item: "key".into(),
            shields: true,
        },
        Finding::Cycle {
            sections: vec![3, 7],
            bounded_by: vec!["gold".into()],
        },
        Finding::NoEffect {
            section: 3,
            field: "leave".into(),
        },
        Finding::Foregone {
            section: 3,
            field: "test".into(),
            passed: true,
        },
        Finding::Unwinnable {
            section: 3,
            field: "fight".into(),
        },
        Finding::MayFallBelowZero {
            section: 3,
            field: "choice[0]".into(),
            stat: "gold".into(),
        },
        Finding::FallsBelowZero {
            section: 3,
            field: "choice[0]".into(),
            stat: "gold".into(),
            way: vec![(1, "pay".into())],
        },
    ];
    for finding in all {
        let value = written(&finding);
        assert_eq!(value["kind"], finding.kind());
        assert_eq!(serde_json::from_value::<Finding>(value).unwrap(), finding);
    }
}

#[test]
fn heroes_are_read_and_typos_refused() {
    let text =
        r#"{"stats": {"skill": 9, "stamina": 14}, "items": ["rope"], "without": ["shield"]}"#;
    let hero: Character = serde_json::from_str(text).unwrap();
    let same = Character::new().stat("skill", 9).stat("stamina", 14);
    let same = same.item("rope").without("shield");
    assert_eq!(hero, same);
    let back = serde_json::to_string(&hero.now("stamina", 3)).unwrap();
    assert!(back.contains(r#""now":{"stamina":3}"#), "{back}");
    assert_eq!(
        serde_json::from_str::<Character>(&back).unwrap(),
        same.now("stamina", 3)
    );
    for table in ["stats", "now"] {
        let twice = format!(r#"{{"{table}": {{"skill": 9, "luck": 8, "skill": 12}}}}"#);
        let error = serde_json::from_str::<Character>(&twice).unwrap_err();
        assert!(
            error.to_string().contains("skill is given twice"),
            "{error}"
        );
        let list = format!(r#"{{"{table}": [9, 8]}}"#);
        let error = serde_json::from_str::<Character>(&list).unwrap_err();
        assert!(error.to_string().contains("by stat"), "{error}");
    }
    let error = serde_json::from_str::<Character>(r#"{"stat": {"skill": 9}}"#).unwrap_err();
    assert!(
        error.to_string().contains("unknown field `stat`"),
        "{error}"
    );
}
