//! Check that tables are written as tables.

use serde_json::Value;

/// The path to a list that was read as a table, field by field. One entry too many or too few in it
/// would silently mean something else.
///
/// `written` is the text as it is; `read` is the value it was read as, written again.
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
                // Defaults are not written again.
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
