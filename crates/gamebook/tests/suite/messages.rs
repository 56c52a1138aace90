//! Errors for texts that are not books: where the mistake is, and what can be written.
#![cfg(feature = "toml")]

use oddsmith_gamebook::Book;

/// A book of one section that contains the given text after its number.
fn json(section: &str) -> String {
    format!(
        r#"{{"format": "oddsmith-gamebook", "version": 1, "id": "t", "start": 1,
        "sheet": {{"stats": [{{"id": "stamina", "initial": 5}}], "items": [{{"id": "rope"}}]}},
        "sections": [{{"number": 1, {section}}}]}}"#
    )
}

fn toml(section: &str) -> String {
    format!(
        "format = 'oddsmith-gamebook'\nversion = 1\nid = 't'\nstart = 1\n[sheet]\n\
        stats = [{{ id = 'skill', initial = 5 }}, {{ id = 'stamina', initial = 5 }}]\nitems = [{{ id = 'rope' }}]\n\
        [[sections]]\nnumber = 1\n{section}"
    )
}

#[track_caller]
fn in_json(section: &str, expected: &str) {
    let error = Book::from_json(&json(section), "t").unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with(expected), "{error}");
}

#[track_caller]
fn in_toml(section: &str, expected: &str) {
    toml_is_no_book(section, &format!("{expected} at line 10"));
}

/// The same, where the text can be read and what it says does not fit.
#[track_caller]
fn toml_is_no_book(section: &str, expected: &str) {
    let error = Book::from_toml(&toml(section), "t").unwrap_err();
    assert_eq!(error.to_string(), expected);
}

/// "Variant" means a kind of file here.
#[test]
fn what_is_unknown_is_named() {
    in_json(
        r#""ending": "win""#,
        "t: section 1: ending: unknown value `win`, expected `won` or `lost` at line 3",
    );
    in_toml(
        "ending = 'win'",
        "t: section 1: ending: unknown value `win`, expected `won` or `lost`",
    );
    in_json(
        r#""effects": [{"gian": "rope"}], "ending": "won""#,
        "t: section 1: effects[0]: unknown effect `gian`, expected one of `change`,",
    );
    in_toml(
        "choice = [{ if = 'rope', to = 1 }]",
        "t: section 1: choice[0].if: unknown condition `rope`, expected one of `has`, `flag`, \
        `at_least`, `holds`, `not`, `all`, `any`",
    );
}

/// No effect, condition or ware is a bare name.
#[test]
fn what_can_be_written_is_said() {
    let effect = "an effect, which is a table with exactly one entry, such as `change`";
    let condition = "a condition, which is a table with exactly one entry, such as `has`";
    let ware = "a table with exactly one entry, `item` or `stat`";
    for (value, at) in [
        ("\"gain\"", ".gain"),
        ("3", ""),
        ("{}", ""),
        (r#"{"gain": "rope", "lose": "rope"}"#, ""),
    ] {
        let said = format!("t: section 1: effects[0]{at}: expected {effect} at line 3");
        in_json(&format!(r#""effects": [{value}], "ending": "won""#), &said);
    }
    for (value, at) in [
        ("'gain'", ".gain"),
        ("3", ""),
        ("{}", ""),
        ("{ gain = 'rope', lose = 'rope' }", ""),
    ] {
        let said = format!("t: section 1: effects[0]{at}: expected {effect}");
        in_toml(&format!("effects = [{value}]\nending = 'won'"), &said);
    }
    in_json(
        r#""choice": [{"if": {"not": {"has": "rope", "flag": "a"}}, "to": 1}]"#,
        &format!("t: section 1: choice[0].if.not: expected {condition}"),
    );
    in_toml(
        "choice = [{ if = { all = [{}] }, to = 1 }]",
        &format!("t: section 1: choice[0].if.all[0]: expected {condition}"),
    );
    in_json(
        r#""shop": {"sells": [{"ware": {}, "price": 1}], "leave": {"to": 1}}"#,
        &format!("t: section 1: shop.sells[0].ware: expected {ware}"),
    );
    in_json(
        r#""ending": 3"#,
        "t: section 1: ending: expected `won` or `lost` at line 3",
    );
    in_toml(
        "ending = 3",
        "t: section 1: ending: expected `won` or `lost`",
    );
}

#[test]
fn a_trailing_comma_is_in_a_field() {
    in_json(
        r#""ending": "won","#,
        "t: sections[0]: trailing comma at line 3",
    );
    let change = r#""effects": [{"change": {"stamina": 1,}}], "ending": "won""#;
    in_json(
        change,
        "t: sections[0].effects[0].change: trailing comma at line 3",
    );
    let error = Book::from_json("{\"format\": \"a\",}", "t").unwrap_err();
    assert_eq!(
        error.to_string(),
        "t: as a whole: trailing comma at line 1 column 16"
    );
}

/// The range is that of the check for numbers that fit their type.
#[test]
fn a_number_beyond_its_type_is_told_the_range_of_its_field() {
    let foe = |stamina: i32| {
        format!(
            "fight = {{ foes = [{{ skill = 1, stamina = {stamina} }}], victory = {{ to = 1 }} }}"
        )
    };
    in_toml(
        &foe(70_000),
        "t: section 1: fight.foes[0].stamina: invalid value: integer `70000`, expected a whole \
        number between 1 and 1000",
    );
    toml_is_no_book(
        &foe(2_000),
        "t: section 1: fight.foes[0].stamina must be between 1 and 1000, got 2000",
    );
    in_toml(
        "test = { stat = 'stamina', dice = 300, success = { to = 1 }, failure = { to = 1 } }",
        "t: section 1: test.dice: invalid value: integer `300`, expected a whole number between 1 and 6",
    );
    in_toml(
        "choice = [{ if = { at_least = { stamina = 40000 } }, to = 1 }]",
        "t: section 1: choice[0].if.at_least.stamina: invalid value: integer `40000`, expected a \
        whole number between -10000 and 10000",
    );
}

/// Some editors write a byte order mark.
#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let marked = |text: String| format!("\u{feff}{text}");
    assert_eq!(
        Book::from_json(&marked(json(r#""ending": "won""#)), "t")
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        Book::from_toml(&marked(toml("ending = 'won'")), "t")
            .unwrap()
            .len(),
        1
    );
}

/// Regression: of two numbers for one stat, the last one counted silently.
#[test]
fn a_table_names_every_stat_once() {
    in_json(
        r#""effects": [{"change": {"stamina": 1, "stamina": 2}}], "ending": "won""#,
        "t: section 1: effects[0].change: duplicate field `stamina` at line 3",
    );
    in_json(
        r#""choice": [{"if": {"at_least": {"stamina": 1, "stamina": 2}}, "to": 1}]"#,
        "t: section 1: choice[0].if.at_least: duplicate field `stamina` at line 3",
    );
    let text = json(r#""ending": "won""#);
    let twice = r#"{"id": "rope", "modifiers": {"stamina": 1, "stamina": 2}}"#;
    let text = text.replace(r#"{"id": "rope"}"#, twice);
    let error = Book::from_json(&text, "t").unwrap_err().to_string();
    let expected = "t: sheet.items[0].modifiers: duplicate field `stamina` at line 2";
    assert!(error.starts_with(expected), "{error}");
    // The TOML parser reports this itself.
    let error = toml("effects = [{ change = { stamina = 1, stamina = 2 } }]\nending = 'won'");
    let error = Book::from_toml(&error, "t").unwrap_err().to_string();
    assert!(
        error.contains("duplicate key `stamina` at line 10"),
        "{error}"
    );
}

/// Regression test: only JSON refused these.
#[test]
fn a_table_is_no_name() {
    let told = "expected a name, not a table";
    toml_is_no_book(
        "ending = { won = {} }",
        &format!("t: section 1: ending: {told}"),
    );
    let foe = "foes = [{ skill = 1, stamina = 2 }], victory = { to = 1 }";
    toml_is_no_book(
        &format!("fight = {{ order = {{ at_once = {{}} }}, {foe} }}"),
        &format!("t: section 1: fight.order: {told}"),
    );
    // What can be written is told.
    in_json(
        r#""fight": {"foes": [{"skill": 1, "stamina": 2}], "victory": {"to": 1},
            "escape": {"count": 2, "after": 1, "flee": {"to": 1}}}"#,
        "t: section 1: fight.escape.count: expected `rounds`, `wounds` or `hits`",
    );
}

/// Regression: the line was that of the list around it.
#[test]
fn the_line_of_a_part_without_a_play() {
    toml_is_no_book(
        "choice = [\n  { label = 'go', to = 1 },\n  { label = 'stay' },\n]",
        "t: section 1: choice[1]: expected exactly one of these fields: to, choice, test, fight, \
         shop, game, random, first, ending at line 12",
    );
    toml_is_no_book(
        "[[sections.random]]\nweight = 1\nto = 1\n[[sections.random]]\nweight = 1\nto = 1\nending = 'won'",
        "t: section 1: random[1]: expected exactly one of these fields: to, choice, test, fight, \
         shop, game, random, first, ending at line 13",
    );
}

/// Regression: lists were read field by field, in an undocumented order.
#[test]
fn a_list_is_no_table() {
    let told = "expected a table with named fields, not a list";
    in_json(
        r#""fight": {"foes": [["guard", 7, 6]], "victory": {"to": 1}}"#,
        &format!("t: section 1: fight.foes[0]: {told}"),
    );
    toml_is_no_book(
        "effects = [{ when = [{ has = 'rope' }, [], []] }]\nending = 'won'",
        &format!("t: section 1: effects[0].when: {told}"),
    );
    let text = toml("ending = 'won'").replace("{ id = 'rope' }", "['rope']");
    let error = Book::from_toml(&text, "t").unwrap_err().to_string();
    assert_eq!(error, format!("t: sheet.items[0]: {told}"));
    let book = Book::from_toml(&toml("ending = 'won'"), "t").unwrap();
    // All changes of rules have defaults, so nothing was missing from an empty list.
    let variant = |rules: &str| {
        let text = format!(
            r#"{{"format": "oddsmith-gamebook-variant", "version": 1, "id": "v", "of": "t", "rules": {rules}}}"#
        );
        book.variant_from_json(&text, "v.json")
            .map_err(|error| error.to_string())
    };
    assert!(variant("{}").is_ok());
    let told = "v.json: rules: invalid type: list, expected a table with named fields at line 1";
    assert!(variant("[]").is_err_and(|error| error.starts_with(told)));
}

/// Sheets that contradict themselves.
#[test]
fn sheets_that_contradict_themselves() {
    let check = |from: &str, to: &str, expected: &str| {
        let text = toml("ending = 'won'").replace(from, to);
        let error = Book::from_toml(&text, "t").unwrap_err().to_string();
        assert_eq!(error, expected);
    };
    let sheet = "items = [{ id = 'rope' }]";
    let twice = "an item can be in one list only, and once";
    check(
        sheet,
        "items = [{ id = 'rope' }]\ninitial_choices = [['rope', 'rope']]",
        &format!("t: the sheet: initial_choices[0]: {twice}"),
    );
    check(
        sheet,
        "items = [{ id = 'rope' }, { id = 'lamp' }]\ninitial_choices = [['rope', 'lamp'], ['lamp']]",
        &format!("t: the sheet: initial_choices[1]: {twice}"),
    );
    check(
        "{ id = 'rope' }",
        "{ id = 'rope', slot = { id = 'belt', priority = 20000 } }",
        "t: the sheet: items[0].slot.priority must be between -10000 and 10000, got 20000",
    );
}

/// Regression tests: these said that -32768 would do, and that a whole number was expected instead
/// of 40000; and `at` was unknown, where `at` was expected.
#[test]
fn ranges_on_the_sheet_are_those_of_the_check() {
    let sheet = |more: &str| {
        let text = toml("ending = 'won'").replace("items = [{ id = 'rope' }]", more);
        Book::from_toml(&text, "t").unwrap_err().to_string()
    };
    let error = sheet("items = [{ id = 'rope', slot = { id = 'belt', priority = 40000 } }]");
    assert!(
        error.contains("expected a whole number between -10000 and 10000"),
        "{error}"
    );
    let cap = |cap: &str| {
        let text = json(r#""ending": "won""#);
        let text = text.replace(r#""initial": 5"#, &format!(r#""initial": 5, "cap": {cap}"#));
        Book::from_json(&text, "t").unwrap_err().to_string()
    };
    let error = cap("40000");
    assert!(
        error.contains("a whole number between -10000 and 10000, \"initial\""),
        "{error}"
    );
    let error = cap(r#"{"at": 9, "at": 10}"#);
    assert!(error.contains("duplicate field `at`"), "{error}");
}

/// The TOML parser presents a date as a table with a special name.
#[test]
fn dates_are_no_values() {
    let said = "dates and times are not supported; put text in quotes";
    for (text, field) in [
        ("test = 2026-01-01", "test"),
        ("choice = [2026-01-01]", "choice[0]"),
        (
            "effects = [{ change = 2026-01-01 }]\nto = 1",
            "effects[0].change",
        ),
        ("fight = 12:00:00", "fight"),
    ] {
        in_toml(text, &format!("t: section 1: {field}: {said}"));
    }
    in_toml(
        "text = 2026-01-01",
        "t: section 1: text: invalid type: table, expected a string",
    );
}

/// Regression: `null` is neither in the format nor in the schema, but was ignored.
#[test]
fn null_is_no_value() {
    let said = "null is not supported; leave the field out at line 3";
    for (section, field) in [
        (r#""text": null, "ending": "won""#, "text"),
        (r#""refresh": null, "ending": "won""#, "refresh"),
        (
            r#""choice": [{"label": "go", "if": null, "to": 1}]"#,
            "choice[0].if",
        ),
    ] {
        in_json(section, &format!("t: section 1: {field}: {said}"));
    }
    let text = json(r#""ending": "won""#).replace(r#""id": "t","#, r#""id": "t", "title": null,"#);
    let error = Book::from_json(&text, "t").unwrap_err().to_string();
    let said = "t: title: null is not supported; leave the field out at line 1";
    assert!(error.starts_with(said), "{error}");
}

#[test]
fn as_many_can_be_held_as_is_said() {
    in_json(
        r#""choice": [{"label": "go", "if": {"holds": {"tag": "x", "count": -1}}, "to": 1}]"#,
        "t: section 1: choice[0].if.holds.count: invalid value: integer `-1`, expected a whole number between 0 and 10000",
    );
}

/// Regression: whole numbers beyond 64 bits were reported with their Rust type.
#[test]
fn numbers_of_any_size_are_told_without_a_type() {
    let long = format!("1{}", "0".repeat(38));
    for number in [
        "18446744073709551616",
        "-9223372036854775809",
        &long,
        &format!("2{long}"),
    ] {
        let check = |from: &str, to: &str, field: &str, wanted: &str| {
            let text = toml("ending = 'won'");
            let line = text.split(from).next().unwrap().split('\n').count();
            let text = text.replacen(from, &format!("{to}{number}"), 1);
            let error = Book::from_toml(&text, "t").unwrap_err().to_string();
            let said = match number.len() {
                // The parser only says that the number is too large.
                40.. => "integer number overflowed".to_owned(),
                _ => format!("invalid value: integer `{number}`, expected {wanted}"),
            };
            assert_eq!(error, format!("t: {field}: {said} at line {line}"));
        };
        let whole = "a whole number between 0 and 4294967295";
        check("number = 1", "number = ", "sections[0].number", whole);
        check("start = 1", "start = ", "start", whole);
        check("version = 1", "version = ", "version", whole);
        let amount = "a whole number between -10000 and 10000, or dice such as \"2d6+1\"";
        check(
            "initial = 5",
            "initial = ",
            "sheet.stats[0].initial",
            amount,
        );
        let weight = "ending = 'won'";
        let random = format!("random = [{{ weight = {number}, to = 1 }}]");
        let text = toml(weight).replace(weight, &random);
        let error = Book::from_toml(&text, "t").unwrap_err().to_string();
        assert!(!error.contains("128"), "{error}");
    }
}
