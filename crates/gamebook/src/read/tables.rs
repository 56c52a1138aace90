//! Check that tables are written as tables, and names as names.

use serde_json::Value;

/// The path to a list that was read as a table, field by field, or to a table that was read as a
/// name, and what is wrong with it. One entry too many or too few in such a list would silently mean
/// something else, and only some parsers accept such a table.
///
/// `written` is the text as it is; `read` is the value it was read as, written again.
pub(super) fn mistaken(written: &Value, read: &Value) -> Option<(String, &'static str)> {
    let named = |name: &str, found: Option<(String, &'static str)>| {
        found.map(|(path, wrong)| (joined(name, &path), wrong))
    };
    match (written, read) {
        (Value::Array(_), Value::Object(_)) => Some((
            String::new(),
            "expected a table with named fields, not a list",
        )),
        (Value::Object(_), Value::String(_)) => {
            Some((String::new(), "expected a name, not a table"))
        }
        (Value::Array(written), Value::Array(read)) => {
            let mut pairs = written.iter().zip(read).enumerate();
            pairs.find_map(|(place, (written, read))| {
                named(&format!("[{place}]"), mistaken(written, read))
            })
        }
        (Value::Object(written), Value::Object(read)) => {
            // Defaults are not written again.
            let mut pairs = written
                .iter()
                .filter_map(|(name, value)| Some((name, value, read.get(name)?)));
            pairs.find_map(|(name, value, read)| named(name, mistaken(value, read)))
        }
        _ => None,
    }
}

fn joined(name: &str, path: &str) -> String {
    match path.chars().next() {
        None | Some('[') => format!("{name}{path}"),
        Some(_) => format!("{name}.{path}"),
    }
}
