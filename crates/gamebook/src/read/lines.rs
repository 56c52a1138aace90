//! The lines of a TOML text.

use serde_path_to_error::{Path, Segment};
use toml::de::{DeTable, DeValue};

/// The line of an error at a path, from 1.
///
/// What is wrong with a value as a whole, such as a part with nothing to play, is found only when
/// all of it has been read, and the parser then names the list around it. So the value at the path
/// is looked up, too; what is inside begins later than what is around it.
pub(super) fn line(text: &str, error: &toml::de::Error, path: Option<&Path>) -> usize {
    let named = error.span().map_or(0, |span| span.start);
    let found = path.and_then(|path| begin(text, path)).unwrap_or(0);
    let before = text.bytes().take(named.max(found));
    1 + before.filter(|byte| *byte == b'\n').count()
}

/// Where the innermost value begins that is on a path, in bytes.
fn begin(text: &str, path: &Path) -> Option<usize> {
    let whole = DeTable::parse(text).ok()?;
    let mut begin = whole.span().start;
    let whole = DeValue::Table(whole.into_inner());
    let mut value = &whole;
    for segment in path {
        let inner = match segment {
            Segment::Map { key } => value.get(key.as_str()),
            Segment::Seq { index } => value.get(*index),
            Segment::Enum { .. } | Segment::Unknown => None,
        };
        let Some(inner) = inner else { break };
        begin = inner.span().start;
        value = inner.get_ref();
    }
    Some(begin)
}
