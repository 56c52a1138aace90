//! Reads and writes books as text.

mod words;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::book::check_format;
use crate::{Book, Error, Manuscript};
use words::worded;

/// The part of a text that is read to find the section of an error.
#[derive(Deserialize)]
struct Numbers {
    #[serde(default)]
    sections: Vec<Numbered>,
}

#[derive(Deserialize)]
struct Numbered {
    number: Option<i64>,
}

/// The beginning of every text of a format.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// Turns a place such as `sections[3].decision.then` into one with the number of the section.
fn place(path: &str, text: &str) -> String {
    // The path is "." at the root. It ends in "?" where a name is expected and missing.
    let path = match path {
        "." | "?" => "",
        path => path.strip_suffix(".?").unwrap_or(path),
    };
    let within = path.strip_prefix("sections[");
    if let Some((index, field)) = within.and_then(|rest| rest.split_once(']'))
        && let Ok(index) = index.parse::<usize>()
        && let Ok(numbers) = serde_json::from_str::<Numbers>(text)
        && let Some(number) = numbers.sections.get(index).and_then(|found| found.number)
    {
        let field = field.trim_start_matches('.');
        return match field {
            "" => format!("section {number}"),
            _ => format!("section {number}: {field}"),
        };
    }
    match path {
        "" => "the book".to_owned(),
        _ => path.to_owned(),
    }
}

fn read(text: &str) -> Result<Manuscript, Error> {
    // Some editors put a byte order mark at the beginning.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut deserializer);
    let manuscript = read.map_err(|error| {
        // Reports another format or a later version if that is the reason.
        if let Ok(Head { format, version }) = serde_json::from_str(text)
            && let Err(foreign) = check_format(&format, version)
        {
            return foreign;
        }
        let sound = serde_json::from_str::<IgnoredAny>(text).is_ok();
        let (path, message) = (error.path().to_string(), error.inner().to_string());
        // A path of a hundred fields says no more than the number of the section.
        let within = match message.starts_with("recursion limit") {
            true => path.find(']').map_or(&*path, |at| &path[..=at]),
            false => &path,
        };
        Error::Read {
            message: worded(&message, &path, sound),
            place: place(within, text),
        }
    })?;
    deserializer.end().map_err(|error| Error::Read {
        place: "after the book".to_owned(),
        message: worded(&error.to_string(), "", false),
    })?;
    Ok(manuscript)
}

impl Book {
    /// Reads a book from JSON. `file` is its name in errors.
    ///
    /// # Errors
    /// [`Error::InFile`], which contains the reason: [`Error::Read`] with section and field if the
    /// text does not follow the format; otherwise the errors of [`Book::new`], each of several
    /// [mistakes](Error::Mistakes) with the file.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Book;
    ///
    /// let text = r#"{"format": "oddsmith-lonewolf", "version": 1, "id": "bridge",
    ///     "start": 1, "won": 2, "sections": [
    ///         {"number": 1, "decision": {"then": {"goto": 2}}},
    ///         {"number": 2, "decision": {"then": "won"}}]}"#;
    /// assert_eq!(Book::from_json(text, "bridge.json")?.len(), 2);
    ///
    /// let error = Book::from_json(&text.replace("goto", "go"), "bridge.json").unwrap_err();
    /// let says = error.to_string();
    /// assert!(says.starts_with("bridge.json: section 1: decision.then"), "{says}");
    /// assert!(says.contains("unknown outcome `go`, expected one of `goto`"), "{says}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &str, file: &str) -> Result<Self, Error> {
        read(text)
            .and_then(Book::new)
            .map_err(|error| error.in_file(file))
    }

    /// Returns the book as JSON, with one line per section.
    ///
    /// # Errors
    /// None that can occur.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Book;
    /// let book = Book::fire_on_the_water()?;
    /// assert_eq!(Book::from_json(&book.to_json()?, "again")?, book);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> Result<String, Error> {
        let failed = |error: serde_json::Error| Error::Read {
            place: "the book".to_owned(),
            message: error.to_string(),
        };
        let head = Manuscript {
            sections: Vec::new(),
            ..self.manuscript().clone()
        };
        let head = serde_json::to_string_pretty(&head).map_err(failed)?;
        let lines = self.manuscript().sections.iter().map(serde_json::to_string);
        let lines: Vec<String> = lines.collect::<Result<_, _>>().map_err(failed)?;
        // The list of sections comes last.
        let head = head.strip_suffix("[]\n}").unwrap_or(&head);
        Ok(format!("{head}[\n    {}\n  ]\n}}\n", lines.join(",\n    ")))
    }

    /// Returns "Fire on the Water", the second book of the series, without its prose. It has 391
    /// sections, 54 of which are the combats and rests of other sections.
    ///
    /// # Errors
    /// None that can occur.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_lonewolf::Book;
    ///
    /// let book = Book::fire_on_the_water()?;
    /// assert_eq!((book.len(), book.manuscript().won), (391, 350));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fire_on_the_water() -> Result<Self, Error> {
        let text = include_str!("../books/fire_on_the_water.json");
        Book::from_json(text, "fire_on_the_water.json")
    }
}
