//! A file of results: what it holds already need not be found again.

pub(crate) mod line;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::Write;

use line::{Found, Line, Needed, PRINT, UNKNOWN};
use oddsmith_gamebook::Book;

/// Errors of what is solved as closely as floats can are far below this.
const EXACT: f64 = 1e-6;

/// A file of lines of results, below one that says of which book.
pub(crate) struct Results {
    #[allow(dead_code, reason = "not every example asks for everything")]
    pub(crate) known: Known,
    pub(crate) file: File,
}

/// What lines of results say; of a hero the last one counts.
pub(crate) struct Known {
    /// By section and hero, if the chance is known closely enough, what it is at least.
    #[allow(dead_code, reason = "not every example asks for everything")]
    pub(crate) least: BTreeMap<String, f64>,
    /// By section and hero, if the ways were looked at, whether one is proven to be needed.
    #[allow(dead_code, reason = "not every example asks for everything")]
    pub(crate) ways: BTreeMap<String, bool>,
    /// There is a line that says of which book.
    headed: bool,
}

impl Results {
    /// Opens or creates a file of what a book is worth under a name of its own: that of its
    /// variant, say. What is further off than `within` counts as unknown.
    pub(crate) fn open(
        path: &str,
        book: &Book,
        name: &str,
        within: Option<f64>,
    ) -> Result<Self, Box<dyn Error>> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|error| format!("{path}: {error}"))?,
        };
        let heading = Heading::of(book, name)?;
        let known = Known::read(path, &text, &heading, within)?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.map_err(|error| format!("{path}: {error}"))?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file)?;
        }
        if !known.headed {
            writeln!(file, "# {} {}", heading.name, heading.print)?;
        }
        Ok(Results { known, file })
    }
}

/// By section and hero, what best play wins at least, as a sweep of a book has found.
#[allow(dead_code, reason = "not every example asks for everything")]
pub(crate) fn swept(path: &str, book: &Book) -> Result<BTreeMap<String, f64>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(Known::read(path, &text, &Heading::of(book, "")?, None)?.least)
}

impl Known {
    fn read(
        path: &str,
        text: &str,
        heading: &Heading,
        within: Option<f64>,
    ) -> Result<Self, String> {
        let mut known = Known {
            least: BTreeMap::new(),
            ways: BTreeMap::new(),
            headed: false,
        };
        for line in lines(path, text)? {
            match line {
                Line::Heading(of, print) => {
                    heading.check(path, of, print)?;
                    known.headed |= of == heading.name;
                }
                Line::Result(Found {
                    section,
                    hero,
                    chance,
                    error: Some(error),
                }) if error <= within.unwrap_or(EXACT) => {
                    let least = (chance - error).clamp(0.0, 1.0);
                    known.least.insert(format!("{section}\t{hero}"), least);
                }
                Line::Ways(needed) => {
                    let Needed {
                        section,
                        hero,
                        ways,
                    } = needed;
                    let line = format!("{section}\t{hero}");
                    known.ways.insert(line, ways != UNKNOWN);
                }
                // A line that was cut off is found again.
                Line::Result(..) | Line::Part | Line::Strange => {}
            }
        }
        Ok(known)
    }
}

/// What results are of: the name and the print of a book.
struct Heading {
    id: String,
    name: String,
    print: String,
}

impl Heading {
    fn of(book: &Book, name: &str) -> Result<Self, Box<dyn Error>> {
        let id = book.id().to_owned();
        Ok(Heading {
            name: format!("{id}:{name}"),
            id,
            print: fingerprint(&book.to_json()?),
        })
    }

    /// An error for the results of another book, or of this one before it was changed.
    fn check(&self, path: &str, of: &str, print: &str) -> Result<(), String> {
        if of == self.name && print != self.print {
            let message = "holds results of this book from before it was changed";
            return Err(format!("{path} {message}; name another file"));
        }
        if !of.starts_with(&format!("{}:", self.id)) {
            let other = of.trim_end_matches(':');
            let message = format!("{path} holds results of {other}");
            return Err(format!("{message}; name another file"));
        }
        Ok(())
    }
}

/// The lines of a text, or an error for that of another file, which nothing may be added to.
/// Headings are not asked for: older results have none.
fn lines<'t>(path: &str, text: &'t str) -> Result<Vec<Line<'t>>, String> {
    let lines: Vec<Line<'_>> = text.lines().map(Line::of).collect();
    let strange = lines.iter().position(|line| matches!(line, Line::Strange));
    if let Some(line) = strange {
        let line = line + 1;
        return Err(format!(
            "{path}: line {line} is not a result of a sweep; name another file"
        ));
    }
    let whole =
        |line: &Line<'_>| matches!(line, Line::Heading(..) | Line::Result(..) | Line::Ways(..));
    match text.trim().is_empty() || lines.iter().any(whole) {
        true => Ok(lines),
        false => Err(format!(
            "{path} holds no result of a sweep; name another file"
        )),
    }
}

/// Tells two states of a book apart (FNV-1a).
fn fingerprint(text: &str) -> String {
    let print = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |print: u64, byte| {
            (print ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("{print:0PRINT$x}")
}
