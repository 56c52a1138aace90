//! Rewords the messages of the JSON reader for authors: without Rust types, and with what can be
//! written instead.

/// What is expected, in words other than those of Rust.
const WORDS: [(&str, &str); 6] = [
    ("a sequence", "a list"),
    ("a map", "a table"),
    ("a string", "text"),
    ("a boolean", "`true` or `false`"),
    ("struct ", "a table"),
    ("struct variant ", "a table"),
];

/// What was found, likewise.
const FOUND: [(&str, &str); 2] = [(": sequence", ": list"), (": map", ": table")];

/// The possible names, by the first of them.
const NAMES: [(&str, &str); 10] = [
    ("one of `choose`", "decision"),
    ("one of `goto`", "outcome"),
    ("one of `always`", "condition"),
    ("one of `damage`", "effect"),
    ("one of `gold`", "item"),
    ("one of `camouflage`", "discipline"),
    ("one of `pouch`", "slot"),
    ("one of `password`", "knowledge"),
    ("`fares` or", "rule"),
    ("`may_hunt` or", "name"),
];

/// Rewords what the reader says of the field at a path. `sound` says whether the text is valid JSON
/// at all, so that the error is not a bracket but a value.
pub(super) fn worded(message: &str, path: &str, sound: bool) -> String {
    // The reader also adds the position.
    let (message, place) = match message.rfind(" at line ") {
        Some(at) => message.split_at(at),
        None => (message, ""),
    };
    let said = if sound {
        said_of_entries(message, path)
    } else {
        said_of_brackets(message)
    };
    let said = said.unwrap_or_else(|| match message.strip_prefix("unknown variant ") {
        Some(rest) => format!("unknown {} {rest}", named(rest)),
        None => typed(message, path),
    });
    format!("{said}{place}")
}

/// Returns the kind of an unknown name, given the possible names.
fn named(rest: &str) -> &'static str {
    let known = rest.split_once(", expected ").map_or("", |parts| parts.1);
    let meant = NAMES.iter().find(|(first, _)| known.starts_with(first));
    meant.map_or("name", |(_, meant)| meant)
}

/// Rewords a message about text that is not JSON.
fn said_of_brackets(message: &str) -> Option<String> {
    let within = message.strip_prefix("EOF while parsing ");
    match (within, message) {
        (Some(within), _) => {
            let within = match within {
                "a list" => "a list",
                "an object" => "a table",
                "a string" => "a text",
                _ => return Some("the text ends too early".to_owned()),
            };
            Some(format!("the text ends inside {within}"))
        }
        (None, "expected value" | "expected ident") => {
            Some("expected text in quotes, a number, a table or a list".to_owned())
        }
        (None, "key must be a string") => Some("expected a name in quotes".to_owned()),
        (None, "trailing characters") => Some("expected the end of the text".to_owned()),
        (None, "recursion limit exceeded") => {
            Some("brackets must not be nested more than 127 deep".to_owned())
        }
        _ => None,
    }
}

/// Rewords a message that there is not exactly one name, or one entry, and says what there should
/// be.
fn said_of_entries(message: &str, path: &str) -> Option<String> {
    let last = name(path);
    match message {
        // By now the name is a part of the path.
        "invalid type: unit variant, expected newtype variant"
        | "invalid type: unit variant, expected struct variant" => Some(format!(
            "the name alone is not enough; write a table with this entry, {{\"{last}\": ...}}"
        )),
        "expected value" => Some(format!("expected {}", wanted(path))),
        // Nested too deeply, or one book after another.
        "recursion limit exceeded" | "trailing characters" => said_of_brackets(message),
        _ if message.ends_with(", expected unit") => {
            Some(format!("write the name alone, without a table: \"{last}\""))
        }
        _ => None,
    }
}

/// Returns what is expected at a path.
fn wanted(path: &str) -> &'static str {
    match name(path) {
        "decision" | "next" | "rest" => {
            "a decision, which is a table with exactly one entry, such as `then`"
        }
        "then" | "won" => {
            "an outcome, which is `lost`, `won`, or a table with exactly one entry, such as `goto`"
        }
        "if" | "not" | "all" | "any" => {
            "a condition, which is `always`, or a table with exactly one entry, such as `discipline`"
        }
        "effects" => {
            "an effect, which is `full_heal`, `half_heal`, `no_healing`, or a table with exactly one entry, such as `damage`"
        }
        "discipline" => "a discipline, which is a name, or a table with the entry `weaponskill`",
        "item" | "weaponskill" => "the name of an item, such as `short_sword`",
        "lose_all" => "`pouch`, `backpack`, `weapons` or `special`",
        "knows" | "learn" => "`password`, `secret`, `name` or `way`",
        "rule" => "`fares` or `purse_cut`",
        "eat" => "`may_hunt` or `no_hunting`",
        _ => "a name, or a table with exactly one entry",
    }
}

/// Returns the last field of a path, without its index in a list.
fn name(path: &str) -> &str {
    let last = path.rsplit('.').next().unwrap_or(path);
    last.split('[').next().unwrap_or(last)
}

/// Rewords types where a message ends with what was expected.
fn typed(message: &str, path: &str) -> String {
    const EXPECTED: &str = ", expected ";
    let Some((found, wanted)) = message.rsplit_once(EXPECTED) else {
        return message.to_owned();
    };
    let said = WORDS.iter().find(|(word, _)| match word.ends_with(' ') {
        true => wanted.starts_with(word),
        false => wanted == *word,
    });
    let wanted = match (range(wanted, path), said) {
        (Some((least, most)), _) if least == most => format!("the number {least}"),
        (Some((least, most)), _) => format!("a whole number between {least} and {most}"),
        (None, Some((_, said))) => (*said).to_owned(),
        (None, None) => wanted.to_owned(),
    };
    let kind = FOUND.iter().find(|(kind, _)| found.ends_with(kind));
    match kind {
        // A list of too few things where a table is expected.
        _ if found.starts_with("invalid length") => format!("invalid type: list{EXPECTED}{wanted}"),
        Some((kind, said)) => {
            let found = found.strip_suffix(kind).unwrap_or(found);
            format!("{found}{said}{EXPECTED}{wanted}")
        }
        None => format!("{found}{EXPECTED}{wanted}"),
    }
}

/// Returns the range of values for a field of this type. For most fields it is narrower than the
/// type, since the check of the whole book would reject other values next.
fn range(kind: &str, path: &str) -> Option<(i64, i64)> {
    match (kind, name(path)) {
        // The version.
        ("u32", _) => Some((1, 1)),
        ("u16", _) => Some((1, u16::MAX.into())),
        ("i8", _) => Some((i8::MIN.into(), i8::MAX.into())),
        ("u8", "numbers") => Some((1, 10)),
        ("u8", "endurance") => Some((1, 100)),
        ("u8", "combat_skill") => Some((0, 100)),
        ("u8", "count") if path.ends_with("take.count") => Some((1, 50)),
        ("u8", "count") if path.ends_with("item.count") => Some((1, 50)),
        ("u8", "count") => Some((1, 100)),
        ("u8", "price") if path.ends_with("sell.price") => Some((0, u8::MAX.into())),
        ("u8", "price" | "fare") => Some((0, 50)),
        ("u8", _) => Some((0, u8::MAX.into())),
        _ => None,
    }
}
