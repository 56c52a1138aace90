//! Reads a book from files in TOML or JSON, depending on the file name.

use std::error::Error;

use oddsmith_gamebook::{Book, Bookmark};

/// A book, changed by a variant if one is given.
pub(crate) fn book(file: &str, variant: Option<&str>) -> Result<Book, Box<dyn Error>> {
    let given = text(file)?;
    let book = match file.ends_with(".toml") {
        true => Book::from_toml(&given, file)?,
        false => Book::from_json(&given, file)?,
    };
    let Some(file) = variant else {
        return Ok(book);
    };
    let given = text(file)?;
    Ok(match file.ends_with(".toml") {
        true => book.variant_from_toml(&given, file)?,
        false => book.variant_from_json(&given, file)?,
    })
}

/// A bookmark in JSON.
#[allow(dead_code, reason = "not every example has one")]
pub(crate) fn bookmark(file: &str) -> Result<Bookmark, Box<dyn Error>> {
    let read = serde_json::from_str(&text(file)?);
    Ok(read.map_err(|error| format!("{file}: {error}"))?)
}

fn text(file: &str) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))
}
