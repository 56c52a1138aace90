//! Tables that are written as tables.

use serde_json::Value;

/// The path to a list that was read as a table, field by field in the order of their names here:
/// a number too many or too few would mean something else without a word.
///
/// `written` is what the text says, `read` what it was taken for, written again.
pub(super) fn listed(written: &Value, read: &Value) -> Option<String> {
    match (written, read) {
        (Value::Array(_), Value::Object(_)) => Some(String::new()),
        (Value::Array(written), Value::Array(read)) => {
            let mut pairs = written.iter().zip(read).enumerate();
            pairs.find_map(|(place, (written, read))| {
                Some(joined(&format!("[{place}]"), &listed(written, read)?))
            })
        }
        (Value::Object(written), Value::Object(read)) => {
            written.iter().find_map(|(name, value)| {
                // What is as usual is not written again.
                Some(joined(name, &listed(value, read.get(name)?)?))
            })
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
