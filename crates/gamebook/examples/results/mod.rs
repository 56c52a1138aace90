//! A file of results: what it holds already need not be found again.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::Write;

use oddsmith_gamebook::Book;

/// Errors of what is solved as closely as floats can are far below this.
const EXACT: f64 = 1e-6;
/// Of a whole line: section, hero, chance, error and seconds.
const FIELDS: usize = 5;
/// The digits that tell two states of a book apart.
const PRINT: usize = 16;

/// Lines of section, hero, chance, error and seconds, below one that says of which book.
pub(crate) struct Results {
    /// By section and hero, what is known closely enough.
    pub(crate) known: BTreeSet<String>,
    pub(crate) file: File,
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
        only_results(path, &text)?;
        let id = book.id();
        let heading = format!("# {id}:{name}");
        let print = fingerprint(&book.to_json()?);
        let mut written = false;
        for line in text.lines().filter(|line| line.starts_with("# ")) {
            let Some((known, known_print)) = line.rsplit_once(' ') else {
                continue;
            };
            if known == heading && known_print != print {
                let message = "holds what this book was worth before it was changed";
                return Err(format!("{path} {message}: name another file").into());
            }
            if !known.starts_with(&format!("# {id}:")) {
                let other = known.trim_start_matches("# ").trim_end_matches(':');
                return Err(format!("{path} holds results of {other}: name another file").into());
            }
            written |= known == heading;
        }
        // A line that was cut off is found again.
        let whole = text.lines().map(|line| line.split('\t').collect());
        let whole = whole.filter(|fields: &Vec<&str>| fields.len() == FIELDS);
        let close = whole.filter(|fields| {
            let error = fields[3].parse::<f64>();
            error.is_ok_and(|error| error <= within.unwrap_or(EXACT))
        });
        let known = close.map(|fields| format!("{}\t{}", fields[0], fields[1]));
        let known = known.collect();
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.map_err(|error| format!("{path}: {error}"))?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file)?;
        }
        if !written {
            writeln!(file, "{heading} {print}")?;
        }
        Ok(Results { known, file })
    }
}

/// What a line of a file of results is.
#[derive(PartialEq)]
enum Line {
    /// A heading or a result.
    Whole,
    /// The beginning of a result, where a sweep was stopped, or nothing.
    Part,
    /// Neither.
    Strange,
}

impl Line {
    fn of(line: &str) -> Self {
        let heading = line.strip_prefix("# ");
        let heading = heading.and_then(|words| words.rsplit_once(' '));
        if heading.is_some_and(|(book, print)| book.contains(':') && print.len() == PRINT) {
            return Line::Whole;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let float = |field: &str| field.parse::<f64>().is_ok();
        match fields[..] {
            [""] => Line::Part,
            [section, ..] if section.parse::<u32>().is_err() => Line::Strange,
            [_, _, chance, error, _] if float(chance) && (error == "?" || float(error)) => {
                Line::Whole
            }
            _ if fields.len() < FIELDS => Line::Part,
            _ => Line::Strange,
        }
    }
}

/// An error for the text of another file, which nothing may be added to. Headings are not
/// asked for: older results have none.
fn only_results(path: &str, text: &str) -> Result<(), String> {
    let lines: Vec<Line> = text.lines().map(Line::of).collect();
    if let Some(line) = lines.iter().position(|line| *line == Line::Strange) {
        let line = line + 1;
        return Err(format!(
            "{path}: line {line} is no result of a sweep: name another file"
        ));
    }
    match text.trim().is_empty() || lines.contains(&Line::Whole) {
        true => Ok(()),
        false => Err(format!(
            "{path} holds no result of a sweep: name another file"
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
