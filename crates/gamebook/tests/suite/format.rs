//! The format: the short example book, its constructs compared with hand-computed values, and texts
//! that are not books.
#![cfg(feature = "toml")]

use oddsmith_gamebook::{Book, Character, Error, Fights, Finding, FirstOption};
use oddsmith_mdp::Solver;

fn salt_lantern() -> Book {
    Book::salt_lantern().unwrap()
}

fn hero(skill: i16, stamina: i16, luck: i16) -> Character {
    Character::new()
        .stat("skill", skill)
        .stat("stamina", stamina)
        .stat("luck", luck)
}

#[test]
fn folded_fights_and_rounds_are_worth_the_same() {
    let book = salt_lantern();
    for (item, expected) in [("tonic", "0.453230006129"), ("tallow", "0.171007450286")] {
        let hero = hero(7, 7, 6).item(item);
        let game = book.game(&hero).unwrap();
        let rounds = book.game(&hero).unwrap().fights(Fights::Rounds);
        let folded = Solver::certified().solve(&game, game.start()).unwrap();
        let (lower, upper) = folded.enclosure(&game.start()).unwrap();
        assert_eq!(format!("{lower:.12}"), expected, "{} states", folded.len());
        let rounds = Solver::certified().solve(&rounds, rounds.start()).unwrap();
        assert!(rounds.len() > folded.len());
        let start = game.start();
        let (low, up) = rounds.enclosure(&start).unwrap();
        assert!(upper - lower < 1e-12 && up - low < 1e-12);
        assert!(low <= upper && lower <= up);
    }
}

/// The certified and the exact value agree, and the best first step depends on the hero.
#[test]
fn our_book_for_three_heroes() {
    let book = salt_lantern();
    let mut found = Vec::new();
    for (skill, stamina, luck, item) in
        [(7, 4, 6, "tonic"), (7, 3, 6, "tallow"), (8, 2, 7, "tonic")]
    {
        let plan = book.solve(hero(skill, stamina, luck).item(item)).unwrap();
        let first = plan.first_choice().unwrap().unwrap();
        found.push(format!("{:.10} {}", plan.value_f64(), first.label()));
    }
    let expected = [
        "0.3930465079 call the ferry",
        "0.1203365200 go to the market first",
        "0.4859697608 call the ferry",
    ];
    assert_eq!(found, expected);
}

#[test]
fn our_book_has_no_findings_but_its_bad_end() {
    let findings = salt_lantern().findings();
    assert!(
        findings
            .iter()
            .all(|f| matches!(f, Finding::Hopeless { .. })),
        "{findings:?}"
    );
    assert_eq!(salt_lantern().len(), 44);
}

#[test]
fn texts_and_back() {
    let book = salt_lantern();
    assert_eq!(
        Book::from_toml(&book.to_toml().unwrap(), "again").unwrap(),
        book
    );
    assert_eq!(
        Book::from_json(&book.to_json().unwrap(), "again").unwrap(),
        book
    );
}

/// A book of these sections, with gold, meals, some items and a flag.
fn book(sections: &str) -> Result<Book, Error> {
    let sheet = r#"
        format = "oddsmith-gamebook"
        version = 1
        id = "test"
        start = 1
        [sheet]
        stats = [
            { id = "skill", initial = 7, cap = "initial" },
            { id = "stamina", initial = 6, cap = "initial", floor = 0 },
            { id = "luck", initial = 7, cap = "initial", floor = 0 },
            { id = "gold", initial = 3, floor = 0 },
            { id = "meals", initial = 1, floor = 0 },
        ]
        items = [
            { id = "rope" },
            { id = "bell", tags = ["silver"] },
            { id = "cup", tags = ["silver"] },
            { id = "sword", slot = { id = "hand", priority = 2 }, modifiers = { skill = 2 } },
            { id = "stick", slot = { id = "hand", priority = 1 }, modifiers = { skill = -3 } },
            { id = "helmet", attack = 1 },
            { id = "leech", after_fight = { stamina = 1 } },
        ]
        flags = ["mark"]
        refreshments = [
            { label = "eat", if = { at_least = { meals = 1 } }, effects = [{ change = { meals = -1, stamina = 4 } }] },
        ]
    "#;
    Book::from_toml(&format!("{sheet}\n{sections}"), "test.toml")
}

/// Sections 8 and 9 are victory and defeat.
#[track_caller]
fn check(sections: &str, hero: Character, expected: &str) {
    let ends =
        "[[sections]]\nnumber = 8\nending = \"won\"\n[[sections]]\nnumber = 9\nending = \"lost\"\n";
    let book = book(&format!("{sections}\n{ends}")).unwrap();
    for fights in [Fights::Folded, Fights::Rounds] {
        let game = book.game(&hero).unwrap().fights(fights);
        let solution = Solver::exact()
            .allow_cycles()
            .solve(&game, game.start())
            .unwrap();
        assert_eq!(solution.value().to_string(), expected, "{fights:?}");
    }
}

/// Checks a book of one section with this play.
#[track_caller]
fn check_one(play: &str, hero: Character, expected: &str) {
    check(&format!("[[sections]]\nnumber = 1\n{play}"), hero, expected);
}

fn anyone() -> Character {
    Character::new()
}

/// Wins if the condition holds after the effects.
#[track_caller]
fn check_effects(effects: &str, condition: &str, hero: Character, expected: &str) {
    let play =
        format!("effects = [{effects}]\nfirst = [{{ if = {condition}, to = 8 }}, {{ to = 9 }}]");
    check_one(&play, hero, expected);
}

#[test]
fn conditions() {
    let held = || anyone().item("bell").item("cup").item("mark");
    check_effects("", "{ has = 'bell' }", held(), "1");
    check_effects("", "{ has = 'rope' }", held(), "0");
    check_effects("", "{ flag = 'mark' }", held(), "1");
    check_effects("", "{ at_least = { gold = 3, meals = 1 } }", held(), "1");
    check_effects("", "{ at_least = { gold = 3, meals = 2 } }", held(), "0");
    check_effects("", "{ holds = { tag = 'silver', count = 2 } }", held(), "1");
    check_effects("", "{ holds = { tag = 'silver', count = 3 } }", held(), "0");
    check_effects(
        "",
        "{ not = { all = [{ has = 'bell' }, { has = 'rope' }] } }",
        held(),
        "1",
    );
    check_effects(
        "",
        "{ any = [{ has = 'rope' }, { has = 'cup' }] }",
        held(),
        "1",
    );
    check_effects("", "{ any = [] }", held(), "0");
    check_effects("", "{ all = [] }", held(), "1");
}

#[test]
fn effects() {
    let gold = |n: i16| format!("{{ at_least = {{ gold = {n} }} }}");
    check_effects(
        "{ change = { gold = -9 } }, { change = { gold = 1 } }",
        &gold(1),
        anyone(),
        "1",
    );
    check_effects("{ change = { gold = -9 } }", &gold(1), anyone(), "0");
    check_effects("{ change = { gold = '1d6' } }", &gold(8), anyone(), "1/3"); // 5 or 6
    check_effects("{ set = { gold = '2d6' } }", &gold(11), anyone(), "1/12");
    check_effects(
        "{ change = { stamina = 3 } }",
        "{ at_least = { stamina = 7 } }",
        anyone(),
        "0",
    );
    let raised = "{ raise_cap = { stamina = 2 } }, { restore = 'stamina' }";
    check_effects(raised, "{ at_least = { stamina = 8 } }", anyone(), "1");
    check_effects(
        "{ gain = 'rope' }, { lose = 'rope' }",
        "{ has = 'rope' }",
        anyone(),
        "0",
    );
    check_effects("{ set_flag = 'mark' }", "{ flag = 'mark' }", anyone(), "1");
    check_effects(
        "{ set_flag = 'mark' }, { clear_flag = 'mark' }",
        "{ flag = 'mark' }",
        anyone(),
        "0",
    );
    let silver = || anyone().item("bell").item("cup").item("rope");
    check_effects(
        "{ lose_tagged = 'silver' }",
        "{ has = 'cup' }",
        silver(),
        "0",
    );
    check_effects(
        "{ lose_tagged = 'silver' }",
        "{ has = 'rope' }",
        silver(),
        "1",
    );
    check_effects(
        "{ lose_random = { count = 1 } }",
        "{ has = 'cup' }",
        silver(),
        "2/3",
    );
    check_effects(
        "{ lose_random = { count = 2 } }",
        "{ has = 'cup' }",
        silver(),
        "1/3",
    );
    check_effects(
        "{ lose_random = { count = 3 } }",
        "{ has = 'cup' }",
        silver(),
        "0",
    );
    check_effects(
        "{ lose_random = { count = 1, tag = 'silver' } }",
        "{ has = 'cup' }",
        silver(),
        "1/2",
    );
    // Flags are not items.
    check_effects(
        "{ lose_random = { count = 3 } }",
        "{ flag = 'mark' }",
        silver().item("mark"),
        "1",
    );
    let random = "{ random = [{ weight = 3, effects = [{ gain = 'rope' }] }, { weight = 2 }] }";
    check_effects(random, "{ has = 'rope' }", anyone(), "3/5");
    let when =
        "{ when = { if = { at_least = { gold = 4 } }, then = [], else = [{ gain = 'rope' }] } }";
    check_effects(when, "{ has = 'rope' }", anyone(), "1");
    // At most three tosses, while there is gold: all are lost with probability 1/8.
    let tosses =
        "{ random = [{ weight = 1, effects = [{ change = { gold = -1 } }] }, { weight = 1 }] }";
    let repeat = format!(
        "{{ repeat = {{ times = 3, while = {{ at_least = {{ gold = 1 }} }}, effects = [{tosses}] }} }}"
    );
    check_effects(&repeat, &gold(1), anyone(), "7/8");
    // The hero is dead after the effects, whatever comes next.
    check_effects(
        "{ change = { stamina = -6 } }",
        "{ all = [] }",
        anyone(),
        "0",
    );
    check_effects(
        "{ change = { stamina = '-1*1d6' } }",
        "{ all = [] }",
        anyone(),
        "5/6",
    );
}

#[test]
fn tests_count_what_is_worn() {
    let play = "test = { stat = 'skill', success = { to = 8 }, failure = { to = 9 } }";
    check_one(play, anyone(), "7/12"); // 21 of 36
    check_one(play, anyone().item("sword"), "5/6"); // 9: 30 of 36
    // The stick has priority in the hand: 4.
    check_one(play, anyone().item("sword").item("stick"), "1/6");
    let add =
        "test = { stat = 'skill', dice = 1, add = 4, success = { to = 8 }, failure = { to = 9 } }";
    check_one(add, anyone(), "1/2"); // one die, at most 3
}

/// Equal odds: one blow of either side decides, or two.
#[test]
fn fights() {
    let fight = |rest: &str| {
        format!("fight = {{ foes = [{{ skill = 7, stamina = 2{rest}, victory = {{ to = 8 }} }}")
    };
    let two = || anyone().now("stamina", 2);
    check_one(&fight(" }]"), two(), "1/2");
    check_one(&fight(" }]"), two().now("stamina", 4), "3/4");
    check_one(&fight(", damage = 4 }]"), two().now("stamina", 4), "1/2");
    check_one(&fight(" }, { skill = 7, stamina = 2 }]"), two(), "1/4");
    check_one(
        &fight(" }, { skill = 7, stamina = 2 }], order = 'one_of'"),
        two(),
        "1/2",
    );
    // Breath that always hits, after drawn rounds: 575 of 1296.
    let breath = ", hazard = { chance = 1, of = 1, damage = 2 } }]";
    check_one(&fight(breath), two(), "575/1296");
    // A helmet adds to the attack, but not to tests.
    check_one(&fight(" }], attack = -1"), two().item("helmet"), "1/2");
}

/// A leech restores one point after the fight; so the second foe needs two wounds.
#[test]
fn after_a_fight() {
    let fights = "fight = { foes = [{ skill = 7, stamina = 2, mark = 'mark' }], victory = { to = 2 } }
        [[sections]]
        number = 2
        first = [{ if = { all = [{ flag = 'mark' }, { at_least = { stamina = 3 } }] }, to = 8 }, { to = 9 }]";
    check_one(fights, anyone().now("stamina", 2), "0");
    check_one(fights, anyone().now("stamina", 2).item("leech"), "1/2");
}

/// A hero who falls to the second foe has felled the first one, and has its flag.
#[test]
fn marks_of_who_dies_later_in_a_fight() {
    let text = "[[sections]]
        number = 1
        fight = { foes = [{ skill = 7, stamina = 2, mark = 'mark' }, { skill = 7, stamina = 2 }], victory = { to = 8 } }
        [[sections]]
        number = 8
        ending = 'won'";
    let hero = anyone().now("stamina", 2);
    let journey = book(text).unwrap().follow_exact(hero, FirstOption).unwrap();
    assert_eq!(journey.value().to_string(), "1/4");
    assert_eq!(journey.holds_at_end("mark").unwrap().to_string(), "1/2");
}

/// Hopeless against the giant, but running is possible after the first round, for 1.
#[test]
fn running() {
    let fight = "fight = { foes = [{ skill = 30, stamina = 20 }], escape = { after = 1, cost = 1, flee = { to = 8 } }, victory = { to = 9 } }";
    check_one(fight, anyone().now("stamina", 4), "1");
    check_one(fight, anyone().now("stamina", 3), "0"); // running would kill
    check_one(fight, anyone().now("stamina", 2), "0");
    let late = fight.replace("after = 1", "after = 2");
    check_one(&late, anyone().now("stamina", 6), "1");
    check_one(&late, anyone().now("stamina", 5), "0");
    // Leaving is not running away, so there is nothing to pay.
    let leaving = format!("leave = [{{ change = {{ stamina = -6 }} }}]\n{fight}");
    check_one(&leaving, anyone().now("stamina", 4), "1");
    check_one(
        "leave = [{ change = { stamina = -6 } }]\nto = 8",
        anyone(),
        "0",
    );
}

#[test]
fn shops() {
    let shop = "shop = { sells = [{ ware = { item = 'rope' }, price = 3 }, { ware = { stat = 'meals' }, price = 2 }], \
        buys = [{ ware = { item = 'bell' }, price = 2 }], leave = { to = 2 } }\n[[sections]]\nnumber = 2\n";
    let asks =
        |condition: &str| format!("{shop}first = [{{ if = {condition}, to = 8 }}, {{ to = 9 }}]");
    check_one(&asks("{ has = 'rope' }"), anyone(), "1");
    check_one(&asks("{ has = 'rope' }"), anyone().now("gold", 2), "0");
    check_one(
        &asks("{ has = 'rope' }"),
        anyone().now("gold", 2).item("bell"),
        "1",
    );
    check_one(&asks("{ at_least = { meals = 3 } }"), anyone(), "0");
    check_one(
        &asks("{ at_least = { meals = 3 } }"),
        anyone().item("bell"),
        "1",
    );
    check_one(
        &asks("{ all = [{ has = 'rope' }, { has = 'bell' }] }"),
        anyone().now("gold", 2).item("bell"),
        "0",
    );
}

#[test]
fn games() {
    let game = "game = { rounds = 2, while = { at_least = { gold = 1 } }, free = true, round = [\
        { weight = 1, effects = [{ change = { gold = 1 } }] }, { weight = 2, effects = [{ change = { gold = -1 } }] }], after = { to = 2 } }\n\
        [[sections]]\nnumber = 2\n";
    let asks = |gold: i16| {
        format!(
            "{game}first = [{{ if = {{ at_least = {{ gold = {gold} }} }}, to = 8 }}, {{ to = 9 }}]"
        )
    };
    check_one(&asks(3), anyone(), "1"); // do not play
    check_one(&asks(4), anyone(), "1/3"); // win once and stop
    check_one(&asks(5), anyone(), "1/9");
    check_one(
        &asks(3).replace("free = true", "free = false"),
        anyone(),
        "5/9",
    ); // 1/9 + 4/9
    // One loses the last piece, which ends the game.
    check_one(
        &asks(1).replace("free = true", "free = false"),
        anyone().now("gold", 1),
        "1/3",
    );
}

#[test]
fn refreshments() {
    let hungry = || anyone().now("stamina", 1);
    let asks = |more: &str| {
        format!(
            "choice = [{{ label = 'a', to = 2 }}, {{ label = 'b', to = 9{more} }}]\n[[sections]]\nnumber = 2\neffects = [{{ change = {{ stamina = -4 }} }}]\nto = 8"
        )
    };
    check_one(&asks(""), hungry(), "1"); // ate: 5 - 4
    check_one(&format!("refresh = false\n{}", asks("")), hungry(), "0");
    check_one(&asks(", if = { has = 'rope' }"), hungry(), "0"); // one open option is no choice
    check_one(&asks(""), hungry().now("meals", 0), "0");
}

/// A hero who tests life itself, and pays with the last point of it, does not reach the spring.
#[test]
fn a_test_may_cost_the_life() {
    let won = |stamina: i16| {
        let text = r#"{"format": "oddsmith-gamebook", "version": 1, "id": "t", "start": 1,
            "rules": {"luck": "stamina"}, "sheet": {"stats": [{"id": "stamina", "initial": "1d6"}]},
            "sections": [
                {"number": 1, "test": {"stat": "stamina", "success": {"to": 2}, "failure": {"to": 2}}},
                {"number": 2, "effects": [{"change": {"stamina": 5}}], "ending": "won"}
            ]}"#;
        let hero = Character::new().stat("stamina", stamina);
        let book = Book::from_json(text, "t.json").unwrap();
        book.solve(hero).unwrap().value().to_string()
    };
    assert_eq!([won(1), won(2)], ["0", "1"]);
}

#[test]
fn whoever_is_stuck_has_lost() {
    check_one(
        "choice = [{ if = { has = 'rope' }, to = 8 }]",
        anyone(),
        "0",
    );
}

/// A lap that changes nothing is solved as a cycle, and never chosen forever.
#[test]
fn circles() {
    let lap = "choice = [{ label = 'wait', to = 2 }, { label = 'go', to = 3 }]\n[[sections]]\nnumber = 2\nto = 1\n\
        [[sections]]\nnumber = 3\nrandom = [{ weight = 1, to = 8 }, { weight = 1, to = 1 }, { weight = 2, ending = 'lost' }]";
    check_one(lap, anyone(), "1/3");
}

#[track_caller]
fn refused(sections: &str, words: &[&str]) {
    let error = book(sections).unwrap_err().to_string();
    assert!(error.starts_with("test.toml: "), "{error}");
    for word in words {
        assert!(error.contains(word), "no {word} in: {error}");
    }
}

#[test]
fn mistakes_name_file_section_and_field() {
    let one = |play: &str| format!("[[sections]]\nnumber = 5\n{play}");
    refused(
        "[[sections]]\nnumber = 'a'\nto = 1",
        &["sections[0].number"],
    );
    refused(&one("too = 1"), &["section 5", "too", "unknown field"]);
    refused(
        &one("to = 1\nending = 'won'"),
        &["section 5", "exactly one of"],
    );
    refused(&one(""), &["section 5", "exactly one of"]);
    refused(
        &one("to = 7"),
        &["section 5: to: section 7 is not in the book"],
    );
    refused(&one("ending = 'won'"), &["starts at section 1"]);
    refused(&one("ending = 'drawn'"), &["section 5", "drawn", "won"]);
    refused(
        &one("choice = [{ if = { has = 'sowrd' }, to = 5 }]"),
        &["section 5", "choice[0].if.has", "item \"sowrd\""],
    );
    refused(
        &one("effects = [{ change = { gold = '9x' } }]\nto = 5"),
        &["section 5", "effects[0].change.gold", "9x"],
    );
    refused(
        &one("effects = [{ gian = 'rope' }]\nto = 5"),
        &["section 5", "effects[0]", "gian"],
    );
    refused(
        &one("shop = { sells = [{ ware = { item = 'rope' }, price = -1 }], leave = { to = 5 } }"),
        &["section 5", "shop.sells[0].price", "-1"],
    );
    refused(
        &one(
            "shop = { sells = [{ ware = { item = 'rope' }, price = 1 }], buys = [{ ware = { item = 'rope' }, price = 2 }], leave = { to = 5 } }",
        ),
        &["section 5", "shop.buys[0]", "endless money"],
    );
    refused(
        &one("fight = { foes = [], victory = { to = 5 } }"),
        &["section 5", "fight.foes: a fight needs at least one foe"],
    );
    refused(
        &one("fight = { foes = [{ skill = 1, stamina = 0 }], victory = { to = 5 } }"),
        &["fight.foes[0].stamina must be between 1 and 1000, got 0"],
    );
    refused(
        &one("first = [{ if = { has = 'rope' }, to = 5 }]"),
        &["section 5: first[0].if: the last of \"first\""],
    );
    refused(
        &one("test = { stat = 'charm', success = { to = 5 }, failure = { to = 5 } }"),
        &["section 5", "test.stat", "charm"],
    );
    refused(
        &one("effects = [{ raise_cap = { gold = 1 } }]\nto = 5"),
        &["section 5", "no cap"],
    );
    refused(
        &format!("{}\n{}", one("to = 5"), one("to = 5")),
        &["section 5 is defined twice"],
    );
    refused("", &["sections"]);
    refused("= 3", &["test.toml"]);
    refused(
        "[[sections]]\nnumber = 5\nrandom = [3]",
        &["section 5: random[0]", "expected a table"],
    );
    let nothing = Book::from_json("{}", "t.json").unwrap_err().to_string();
    assert!(
        nothing.starts_with("t.json: as a whole: missing field"),
        "{nothing}"
    );
    let comma = Book::from_json("[1,,2]", "t.json").unwrap_err().to_string();
    assert!(!comma.contains("entry"), "{comma}");
}

#[test]
fn sheets_must_fit() {
    let json = |sheet: &str| {
        let text = format!(
            r#"{{"format": "oddsmith-gamebook", "version": 1, "id": "t", "start": 1, "sheet": {sheet},
            "sections": [{{"number": 1, "ending": "won"}}]}}"#
        );
        Book::from_json(&text, "t.json")
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let stats = r#""stats": [{"id": "stamina", "initial": 5}]"#;
    assert!(json(r#"{"stats": []}"#).contains("no stat \"stamina\""));
    let tie = json(&format!(
        r#"{{{stats}, "items": [{{"id": "a", "slot": {{"id": "s", "priority": 1}}}}, {{"id": "b", "slot": {{"id": "s", "priority": 1}}}}]}}"#
    ));
    assert!(
        tie.contains("items[1]") && tie.contains("has the same priority"),
        "{tie}"
    );
    let wit = json(&format!(
        r#"{{{stats}, "items": [{{"id": "a", "modifiers": {{"wit": 1}}}}]}}"#
    ));
    assert!(
        wit.contains("items[0].modifiers: there is no stat \"wit\""),
        "{wit}"
    );
    let many = json(&format!(
        r#"{{{stats}, "items": [{{"id": "a", "after_fight": {{"stamina": 10001}}}}]}}"#
    ));
    assert!(
        many.contains("items[0].after_fight.stamina must be between -10000 and 10000, got 10001"),
        "{many}"
    );
    let rules = |rules: &str| json(&format!(r#"{{{stats}}}, "rules": {{{rules}}}"#));
    let one = rules(r#""skill": "stamina""#);
    assert!(one.contains("rules.skill: SKILL and STAMINA"), "{one}");
    let one = rules(r#""luck": "stamina", "luck_in_battle": true"#);
    assert!(one.contains("rules.luck: with LUCK in battle"), "{one}");
    let twice = json(&format!(r#"{{{stats}, "items": [{{"id": "stamina"}}]}}"#));
    assert!(
        twice.contains("\"stamina\" is used for two entries of the sheet"),
        "{twice}"
    );
    assert!(json(&format!(r#"{{{stats}, "colour": 1}}"#)).contains("sheet.colour: unknown field"));
    let two = json(&format!(
        r#"{{{stats}, "refreshments": [{{"label": "a", "effects": [{{"gain": "a", "lose": "b"}}]}}]}}"#
    ));
    assert!(
        two.contains(
            "refreshments[0].effects[0]: expected an effect, which is a table with exactly one entry"
        ),
        "{two}"
    );
    let later = r#"{"format": "oddsmith-gamebook", "version": 2, "id": "t", "start": 1, "sheet": {"stats": []}, "sections": []}"#;
    let later = Book::from_json(later, "t.json").unwrap_err().to_string();
    assert!(later.contains("version 2"), "{later}");
    // Other fields belong to the other format and are not checked.
    for text in [
        r#"{"format": "oddsmith-gamebook", "version": 2, "chapters": []}"#,
        r#"{"format": "riddles", "version": 1, "sections": {"1": "won"}}"#,
    ] {
        let error = Book::from_json(text, "later.json").unwrap_err().to_string();
        assert!(error.starts_with("later.json: expected format"), "{error}");
    }
    let error = Book::from_toml("format = \"riddles\"\nversion = 7\nname = 3", "later.toml");
    let error = error.unwrap_err().to_string();
    assert!(error.contains("\"riddles\", version 7"), "{error}");
    let empty = Book::from_json("{}", "t.json").unwrap_err().to_string();
    let expected = "t.json: as a whole: missing field `format`";
    assert!(empty.starts_with(expected), "{empty}");
}

#[test]
fn heroes_must_fit_the_sheet() {
    let book = salt_lantern();
    let error = |hero: Character| book.game(hero).map(|_| ()).unwrap_err().to_string();
    assert!(error(anyone()).contains("has no skill; it is rolled (1d6+6)"));
    assert!(error(hero(9, 9, 9)).contains("exactly one of: tonic, tallow"));
    assert!(error(hero(9, 9, 9).item("tonic").item("tallow")).contains("exactly one of"));
    assert!(error(hero(9, 9, 9).item("tonic").item("crown")).contains("\"crown\""));
    assert!(error(hero(9, 9, 9).item("tonic").stat("wit", 3)).contains("\"wit\""));
}
