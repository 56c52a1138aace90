//! Reading and writing books: JSON, and TOML with the feature `toml`.

#[cfg(feature = "toml")]
mod lines;
mod tables;
mod unique;
mod words;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::manuscript::{FORMAT, VARIANT, check_format};
use crate::{Book, Error, Manuscript, Variant};
use unique::Unique;
use words::worded;

/// The section numbers of a text, for the location of errors.
#[derive(Deserialize)]
struct Numbers {
    #[serde(default)]
    sections: Vec<Numbered>,
}

#[derive(Deserialize)]
struct Numbered {
    number: Option<i64>,
}

/// What every text of a format begins with.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// The error that explains why a text cannot be read, if it has another format or a later version.
fn foreign(head: Option<Head>, needed: &'static str, file: &str) -> Option<Error> {
    let head = head?;
    let checked = check_format(&head.format, head.version, needed);
    in_file(checked, file).err()
}

/// An error at a path such as `sections[3].choice[0].to`.
fn located(file: &str, path: &str, message: String, numbers: Option<Numbers>) -> Error {
    // The path is "." at the root, and ends in "?" where a name is missing.
    let path = match path {
        "." | "?" => "",
        path => path.strip_suffix(".?").unwrap_or(path),
    };
    let mut field = path;
    let mut section = None;
    if let Some(rest) = path.strip_prefix("sections[")
        && let Some((index, rest)) = rest.split_once(']')
        && let Ok(index) = index.parse::<usize>()
    {
        let numbered = numbers.as_ref().and_then(|all| all.sections.get(index));
        section = numbered
            .and_then(|section| section.number)
            .and_then(|number| u32::try_from(number).ok());
        if section.is_some() {
            field = rest.trim_start_matches('.');
        }
    }
    Error::Read {
        file: file.to_owned(),
        section,
        // The root itself, or the section itself, lacks something.
        field: match field {
            "" => "as a whole",
            field => field,
        }
        .to_owned(),
        message,
    }
}

/// The text without a byte order mark, which some editors write.
fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Checks that all tables of a text were written as tables.
fn check_tables<T: Serialize>(
    read: &T,
    written: Option<serde_json::Value>,
    file: &str,
    numbers: impl FnOnce() -> Option<Numbers>,
) -> Result<(), Error> {
    let both = written.zip(serde_json::to_value(read).ok());
    match both.and_then(|(written, read)| tables::mistaken(&written, &read)) {
        None => Ok(()),
        Some((path, wrong)) => Err(located(file, &path, wrong.to_owned(), numbers())),
    }
}

fn from_json<T: DeserializeOwned + Serialize>(
    text: &str,
    file: &str,
    needed: &'static str,
) -> Result<T, Error> {
    let text = unmarked(text);
    let failed = |error: serde_path_to_error::Error<serde_json::Error>| {
        if let Some(foreign) = foreign(serde_json::from_str(text).ok(), needed, file) {
            return foreign;
        }
        let numbers = serde_json::from_str(text).ok();
        let sound = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        let path = error.path().to_string();
        let message = worded(&error.inner().to_string(), &path, sound);
        located(file, &path, message, numbers)
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(failed)?;
    let end = deserializer.end();
    end.map_err(|error| located(file, "", error.to_string(), None))?;
    let mut again = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize::<_, Unique>(&mut again).map_err(failed)?;
    let written = serde_json::from_str(text).ok();
    check_tables(&value, written, file, || serde_json::from_str(text).ok())?;
    Ok(value)
}

#[cfg(feature = "toml")]
fn from_toml<T: DeserializeOwned + Serialize>(
    text: &str,
    file: &str,
    needed: &'static str,
) -> Result<T, Error> {
    let text = unmarked(text);
    let numbers = || toml::from_str(text).ok();
    let deserializer = toml::Deserializer::parse(text).map_err(|error| {
        let message = match error.message() {
            "duplicate key" => {
                let name = error.span().and_then(|span| text.get(span));
                format!("duplicate key `{}`", name.unwrap_or_default().trim())
            }
            message => message.trim().replace('\n', " "),
        };
        located(
            file,
            "",
            format!("{message} at line {}", lines::line(text, &error, None)),
            None,
        )
    })?;
    let value = serde_path_to_error::deserialize(deserializer).map_err(|error| {
        if let Some(foreign) = foreign(toml::from_str(text).ok(), needed, file) {
            return foreign;
        }
        let path = error.path().to_string();
        let message = worded(error.inner().message(), &path, true);
        let line = lines::line(text, error.inner(), Some(error.path()));
        let message = format!("{message} at line {line}");
        located(file, words::place(&path), message, numbers())
    })?;
    let written = toml::from_str(text).ok();
    check_tables(&value, written, file, numbers)?;
    Ok(value)
}

fn in_file<T>(result: Result<T, Error>, file: &str) -> Result<T, Error> {
    let named = |error| Error::InFile {
        file: file.to_owned(),
        error: Box::new(error),
    };
    result.map_err(|error| match error {
        Error::Mistakes { errors, more } => Error::Mistakes {
            errors: errors.into_iter().map(named).collect(),
            more,
        },
        error => named(error),
    })
}

impl Book {
    /// Reads a book from JSON. `file` is its name in errors.
    ///
    /// # Errors
    /// [`Error::Read`] if the text does not have the format; [`Error::InFile`] if its parts do not
    /// fit together, or [`Error::Mistakes`] with several of these.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    ///
    /// let text = r#"{"format": "oddsmith-gamebook", "version": 1, "id": "door", "start": 1,
    ///     "sheet": {"stats": [{"id": "stamina", "initial": 5}]},
    ///     "sections": [
    ///         {"number": 1, "choice": [{"label": "knock", "to": 2}, {"label": "leave", "ending": "lost"}]},
    ///         {"number": 2, "ending": "won"}
    ///     ]}"#;
    /// assert_eq!(Book::from_json(text, "door.json")?.len(), 2);
    /// let error = Book::from_json(&text.replace("\"to\"", "\"too\""), "door.json").unwrap_err();
    /// assert!(error.to_string().starts_with("door.json: section 1: choice[0].too: unknown field"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &str, file: &str) -> Result<Self, Error> {
        in_file(Book::new(from_json(text, file, FORMAT)?), file)
    }

    /// Reads a book from TOML. `file` is its name in errors.
    ///
    /// # Errors
    /// The same as for [`from_json`](Book::from_json).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    ///
    /// let text = r#"
    ///     format = "oddsmith-gamebook"
    ///     version = 1
    ///     id = "end"
    ///     start = 4
    ///     sheet = { stats = [{ id = "stamina", initial = 5 }] }
    ///     [[sections]]
    ///     number = 4
    ///     ending = "won"
    /// "#;
    /// assert_eq!(Book::from_toml(text, "end.toml")?.start(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "toml")]
    #[cfg_attr(docsrs, doc(cfg(feature = "toml")))]
    pub fn from_toml(text: &str, file: &str) -> Result<Self, Error> {
        in_file(Book::new(from_toml(text, file, FORMAT)?), file)
    }

    /// Applies a variant, given as JSON, to the book. `file` is the variant's name in errors.
    ///
    /// # Errors
    /// The same as for [`from_json`](Book::from_json) and [`Manuscript::varied`].
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    ///
    /// let book = Book::builder().lost(1).build()?;
    /// let text = r#"{"format": "oddsmith-gamebook-variant", "version": 1, "id": "kind",
    ///     "of": "book", "sections": [{"number": 1, "ending": "won"}]}"#;
    /// let kind = book.variant_from_json(text, "kind.json")?;
    /// assert_eq!((book.id(), kind.id()), ("book", "kind"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn variant_from_json(&self, text: &str, file: &str) -> Result<Self, Error> {
        self.varied(from_json(text, file, VARIANT)?, file)
    }

    /// Applies a variant, given as TOML, to the book. `file` is the variant's name in errors.
    ///
    /// # Errors
    /// The same as for [`variant_from_json`](Book::variant_from_json).
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::{Book, Passage};
    ///
    /// let book = Book::builder().lost(1).build()?;
    /// let text = r#"
    ///     format = "oddsmith-gamebook-variant"
    ///     version = 1
    ///     id = "kind"
    ///     of = "book"
    ///     sections = [{ number = 1, ending = "won" }]
    /// "#;
    /// let kind = book.variant_from_toml(text, "kind.toml")?;
    /// assert_eq!(kind.section(1)?.passage, Passage::won());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "toml")]
    #[cfg_attr(docsrs, doc(cfg(feature = "toml")))]
    pub fn variant_from_toml(&self, text: &str, file: &str) -> Result<Self, Error> {
        self.varied(from_toml(text, file, VARIANT)?, file)
    }

    fn varied(&self, variant: Variant, file: &str) -> Result<Self, Error> {
        let varied = self.manuscript().clone().varied(variant);
        in_file(varied.and_then(Book::new), file)
    }

    /// Writes the book as JSON, one line per section.
    ///
    /// # Errors
    /// None in practice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// assert_eq!(Book::from_json(&book.to_json()?, "again")?, book);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> Result<String, Error> {
        let failed = |error: serde_json::Error| located("", "", error.to_string(), None);
        let head = Manuscript {
            sections: Vec::new(),
            ..self.manuscript().clone()
        };
        let head = serde_json::to_string_pretty(&head).map_err(failed)?;
        let lines: Result<Vec<String>, _> = self
            .sections()
            .map(|(_, section)| serde_json::to_string(section))
            .collect();
        let lines = lines.map_err(failed)?.join(",\n    ");
        // The list of sections comes last.
        let head = head.strip_suffix("[]\n}").unwrap_or(&head);
        Ok(format!("{head}[\n    {lines}\n  ]\n}}\n"))
    }

    /// Writes the book as TOML.
    ///
    /// # Errors
    /// None in practice.
    ///
    /// # Examples
    /// ```
    /// use oddsmith_gamebook::Book;
    /// let book = Book::builder().luck(1, 2, 3).won(2).lost(3).build()?;
    /// assert_eq!(Book::from_toml(&book.to_toml()?, "again")?, book);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "toml")]
    #[cfg_attr(docsrs, doc(cfg(feature = "toml")))]
    pub fn to_toml(&self) -> Result<String, Error> {
        let text = toml::to_string(self.manuscript());
        text.map_err(|error| located("", "", error.to_string(), None))
    }
}
