//! Rewords the errors of the JSON and TOML parsers for authors: without Rust types, and with what
//! can be written instead.

use crate::amount::MOST;

/// Expectations in Rust terms, and how an author would say them.
const WORDS: [(&str, &str); 3] = [
    ("a sequence", "a list"),
    ("a map", "a table"),
    ("struct ", "a table"),
];

/// The TOML parser presents a date or a time as a table with this field.
const DATE: &str = "$__toml_private_datetime";

/// The path to a field, without the parts that only the parser sees.
#[cfg(feature = "toml")]
pub(super) fn place(path: &str) -> &str {
    match path.strip_suffix(DATE) {
        Some(outer) => outer.strip_suffix('.').unwrap_or(outer),
        None => path,
    }
}

/// Rewords a message about the field at a path. `sound` is whether the text has valid syntax, so
/// the error is in what is written.
pub(super) fn worded(message: &str, path: &str, sound: bool) -> String {
    if message.contains(DATE) || path.ends_with(DATE) {
        return "dates and times are not supported; put text in quotes".to_owned();
    }
    let message = message.trim().replace('\n', " ");
    // The JSON parser appends the position.
    let (message, place) = match message.rfind(" at line ") {
        Some(at) => message.split_at(at),
        None => (&*message, ""),
    };
    if let Some(wanted) = wanted(message, path, sound) {
        return format!("expected {wanted}{place}");
    }
    match message.strip_prefix("unknown variant ") {
        // What serde calls a variant, authors call by other names; and a variant here is a kind of
        // file.
        Some(rest) => format!("unknown {} {rest}{place}", named(rest)),
        None => format!("{}{place}", typed(message, path)),
    }
}

/// The kind of an unknown name, judged by the known ones.
fn named(rest: &str) -> &'static str {
    let known = rest.split_once(", expected ").map_or("", |parts| parts.1);
    if known.starts_with("one of `change`") {
        "effect"
    } else if known.starts_with("one of `has`") {
        "condition"
    } else {
        "value"
    }
}

/// What should be there, if the message complains that there is not exactly one name or entry. Each
/// parser words this differently, and neither says what can be written.
fn wanted(message: &str, path: &str, sound: bool) -> Option<&'static str> {
    let alone = message == "invalid type: unit variant, expected newtype variant";
    let counted = message.starts_with("wanted exactly 1 element")
        || message == "wanted string or table"
        || message == "expected value" && sound;
    if !alone && !counted {
        return None;
    }
    let path = match path.rsplit_once('.') {
        // Here the path already includes the name as an entry.
        Some((outer, _)) if alone => outer,
        _ => path,
    };
    Some(match name(path) {
        "if" | "while" | "not" | "all" | "any" => {
            "a condition, which is a table with exactly one entry, such as `has`"
        }
        "effects" | "leave" | "then" | "else" => {
            "an effect, which is a table with exactly one entry, such as `change`"
        }
        "ware" => "a table with exactly one entry, `item` or `stat`",
        "ending" => "`won` or `lost`",
        "order" => "`in_turn`, `at_once` or `one_of`",
        "count" => "`rounds`, `wounds` or `hits`",
        "test" => "`at_most` or `below`",
        "refresh" => "`choices` or `marked`",
        "system" => "`fighting_fantasy`",
        _ => "a name, or a table with exactly one entry",
    })
}

/// The last field of a path, without an index.
fn name(path: &str) -> &str {
    let last = path.rsplit('.').next().unwrap_or(path);
    last.split('[').next().unwrap_or(last)
}

/// Replaces types by words, where a message ends with what was expected.
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
        (Some((least, most)), _) => format!("a whole number between {least} and {most}"),
        (None, Some((_, said))) => (*said).to_owned(),
        (None, None) => wanted.to_owned(),
    };
    let found = beyond(found).unwrap_or_else(|| found.to_owned());
    let (found, kind) = match found.strip_suffix(": sequence") {
        Some(found) => (found, ": list"),
        None => match found.strip_suffix(": map") {
            Some(found) => (found, ": table"),
            None => (&*found, ""),
        },
    };
    format!("{found}{kind}{EXPECTED}{wanted}")
}

/// Turns a type error about a whole number beyond 64 bits, which the parser passes on as another
/// type, into one about its value.
fn beyond(found: &str) -> Option<String> {
    let number = found.strip_prefix("invalid type: integer ")?;
    let number = ["i128", "u128"]
        .iter()
        .find_map(|kind| number.strip_suffix(kind))?;
    let number = number.strip_suffix(" as ")?;
    Some(format!("invalid value: integer {number}"))
}

/// The range of a field of this type. Most fields allow less than their type, and the check of the
/// book would reject the rest.
fn range(kind: &str, path: &str) -> Option<(i64, i64)> {
    let most = i64::from(MOST);
    match (kind, name(path)) {
        ("u32", _) => Some((0, u32::MAX.into())),
        ("u16", "stamina" | "of") => Some((1, 1_000)),
        ("u16", "damage" | "chance" | "cost") => Some((0, 1_000)),
        ("u16", "after" | "rounds") => Some((1, 100)),
        ("u16", "times") => Some((1, 20)),
        ("u16", "price") => Some((0, most)),
        ("u16", "count") if path.ends_with("lose_random.count") => Some((1, 3)),
        ("u16", "count") => Some((0, most)),
        ("u16", _) => Some((0, u16::MAX.into())),
        ("i16", _) => Some((-most, most)),
        // The dice of a test.
        ("u8", _) => Some((1, 6)),
        _ => None,
    }
}
