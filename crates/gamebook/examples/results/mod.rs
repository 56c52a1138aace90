//! A results file; what it already holds is not computed again.

pub(crate) mod line;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::Write;

use line::{Found, Line, Needed, PRINT, UNKNOWN};
use oddsmith_gamebook::Book;

/// The errors of values solved as closely as floats allow are far below this.
const EXACT: f64 = 1e-6;

/// A file of result lines, below a heading that names the book.
pub(crate) struct Results {
    #[allow(dead_code, reason = "not every example asks for everything")]
    pub(crate) known: Known,
    pub(crate) file: File,
}

/// The results of the lines; if a hero has several, the last one counts.
pub(crate) struct Known {
    /// By section and hero, a lower bound on the chance, if the chance is known closely enough.
    #[allow(dead_code, reason = "not every example asks for everything")]
    pub(crate) least: BTreeMap<String, f64>,
    /// By section and hero, if the routes were examined, whether one is proven to be needed.
    #[allow(dead_code, reason = "not every example asks for everything")]
    pub(crate) ways: BTreeMap<String, bool>,
    /// Whether there is a heading with the book.
    headed: bool,
}

impl Results {
    /// Opens or creates a file with results of a book under a name, such as that of its variant.
    /// Results with an error above `within` count as unknown.
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

/// By section and hero, a lower bound on the chance of best play, from a sweep of a book.
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
                // An incomplete line is computed again.
                Line::Result(..) | Line::Part | Line::Strange => {}
            }
        }
        Ok(known)
    }
}

/// The heading of results: the name and the fingerprint of a book.
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

    /// Gives an error for results of another book, or of this one before it was changed.
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

/// The lines of a text, or an error if the file is not a results file and nothing may be added to
/// it. A heading is not required, since older results have none.
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

/// Distinguishes two versions of a book (FNV-1a).
fn fingerprint(text: &str) -> String {
    let print = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |print: u64, byte| {
            (print ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("{print:0PRINT$x}")
}
