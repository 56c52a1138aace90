//! The arguments of a command line: files, a hero's stats and items, and options, each given once.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::num::IntErrorKind;
use std::process::ExitCode;

/// The bytes of a GiB.
const GIB: f64 = (1 << 30) as f64;

/// A program, described by its arguments.
pub(crate) struct Program<'p> {
    pub(crate) name: &'p str,
    /// The usage, shown on request and after wrong arguments.
    pub(crate) usage: &'p str,
    /// The number of leading arguments, options aside, that name files.
    pub(crate) files: usize,
    /// Options without a value.
    pub(crate) flags: &'p [&'p str],
    /// Options with a value.
    pub(crate) valued: &'p [&'p str],
    /// Options with a value that may be given several times; `now` is one for stats.
    pub(crate) repeated: &'p [&'p str],
}

/// The given arguments.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(crate) files: Vec<String>,
    /// `STAT=VALUE`.
    pub(crate) stats: Vec<(String, i16)>,
    /// `--now STAT=VALUE`.
    pub(crate) now: Vec<(String, i16)>,
    /// All other arguments that are not options.
    pub(crate) items: Vec<String>,
    options: Vec<(String, Option<String>)>,
}

impl Program<'_> {
    /// Runs the program with the arguments of the command line, and reports errors.
    pub(crate) fn main(&self, run: impl FnOnce(Words) -> Result<(), Box<dyn Error>>) -> ExitCode {
        let words: Vec<OsString> = std::env::args_os().skip(1).collect();
        let usage = format!("usage: {} {}", self.name, self.usage);
        if words.iter().any(|word| word == "--help" || word == "-h") {
            // If the output is closed early, that is no error.
            let _ = writeln!(io::stdout(), "{usage}");
            return ExitCode::SUCCESS;
        }
        let words = words.into_iter().map(|word| {
            let text = word.into_string();
            text.map_err(|word| format!("{}: not valid Unicode", word.display()))
        });
        let words: Result<Vec<String>, String> = words.collect();
        let words = words.and_then(|words| self.read(words));
        match words.map_err(Box::from).and_then(run) {
            Ok(()) => ExitCode::SUCCESS,
            // The reader, such as `head`, has closed the output, which is no error.
            Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{}: {error}", self.name);
                match error.downcast_ref() {
                    // The usage does not help with an invalid book, or one that cannot be solved; a
                    // higher limit may.
                    Some(error) => self.hint(error),
                    None => eprintln!("{usage}"),
                }
                ExitCode::FAILURE
            }
        }
    }

    /// Names the option that raises a limit, since the solver names its own method.
    fn hint(&self, error: &oddsmith_gamebook::Error) {
        let option = match error {
            oddsmith_gamebook::Error::BookTooLarge { what: "bytes", .. } => "gib",
            oddsmith_gamebook::Error::BookTooLarge {
                what: "values of a stat",
                ..
            } => "values",
            _ => return,
        };
        if self.valued.contains(&option) {
            eprintln!("{}: with this program, use --{option}", self.name);
        }
    }

    pub(crate) fn read(&self, words: impl IntoIterator<Item = String>) -> Result<Words, String> {
        let mut given = Words::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if let Some(name) = word.strip_prefix("--") {
                let value = if self.flags.contains(&name) {
                    None
                } else if self.valued.contains(&name) || self.repeated.contains(&name) {
                    // An option in place of the value would be lost silently.
                    let value = words.next().filter(|value| !value.starts_with("--"));
                    Some(value.ok_or(format!("{word} needs a value"))?)
                } else {
                    return Err(format!("unknown option {word}"));
                };
                match value {
                    Some(value) if name == "now" => given.now.push(stat(&value)?),
                    value => given.options.push((name.to_owned(), value)),
                }
            } else if given.files.len() < self.files {
                given.files.push(word);
            } else if word.contains('=') {
                given.stats.push(stat(&word)?);
            } else {
                given.items.push(word);
            }
        }
        self.once(&given)?;
        Ok(given)
    }

    /// Rejects two values for the same thing, since neither has precedence.
    fn once(&self, given: &Words) -> Result<(), String> {
        let ids = given.stats.iter().map(|(id, _)| id.clone());
        let now = given.now.iter().map(|(id, _)| format!("--now {id}"));
        let options = given.options.iter().map(|(name, value)| match value {
            Some(value) if self.repeated.contains(&&**name) => format!("--{name} {value}"),
            _ => format!("--{name}"),
        });
        let items = given.items.iter().cloned();
        for words in [
            ids.collect(),
            now.collect(),
            items.collect(),
            options.collect::<Vec<_>>(),
        ] {
            if let Some(twice) = twice(&words) {
                return Err(format!("{twice} is given twice"));
            }
        }
        Ok(())
    }
}

#[allow(dead_code, reason = "not every example asks for everything")]
impl Words {
    /// Whether an option was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(given, _)| given == name)
    }

    /// The value of an option.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut options = self.options.iter();
        let (_, value) = options.find(|(given, _)| given == name)?;
        value.as_deref()
    }

    /// The value of an option that is a whole number.
    pub(crate) fn number<N: TryFrom<u64>>(&self, name: &str) -> Result<Option<N>, String> {
        let value = self.text(name);
        value.map(|value| number(name, value)).transpose()
    }

    /// All values of an option that may be given several times, each a whole number.
    pub(crate) fn numbers<N: TryFrom<u64> + PartialEq>(
        &self,
        name: &str,
    ) -> Result<Vec<N>, String> {
        let options = self.options.iter().filter(|(given, _)| given == name);
        let values: Vec<&str> = options.filter_map(|(_, value)| value.as_deref()).collect();
        let numbers = values.iter().map(|value| number(name, value));
        let numbers: Vec<N> = numbers.collect::<Result<_, _>>()?;
        // The same number can be written in two ways, such as 7 and 07.
        match twice(&numbers) {
            Some(_) => Err(format!(
                "--{name} {}: a value is given twice",
                values.join(", ")
            )),
            None => Ok(numbers),
        }
    }

    /// The allowed error: `--within ERROR`.
    pub(crate) fn within(&self) -> Result<Option<f64>, String> {
        let Some(value) = self.text("within") else {
            return Ok(None);
        };
        match value.parse() {
            Ok(error) if error > 0.0 && error < 1.0 => Ok(Some(error)),
            _ => Err(format!(
                "--within must be a number between 0 and 1, got {value:?}"
            )),
        }
    }

    /// The memory limit in bytes: `--gib N` (default: 4), which may be a fraction.
    pub(crate) fn bytes(&self) -> Result<usize, String> {
        let Some(value) = self.text("gib") else {
            return Ok(4 << 30);
        };
        match value.parse::<f64>() {
            // No machine has more bytes than a `usize` counts.
            Ok(gib) if (0.0..f64::INFINITY).contains(&gib) => Ok((gib * GIB) as usize),
            _ => Err(format!(
                "--gib must be a number of GiB, 0 or more, got {value:?}"
            )),
        }
    }

    /// Gives an error if an option is given together with one that it makes ineffective.
    pub(crate) fn excludes(&self, name: &str, others: &[&str], why: &str) -> Result<(), String> {
        match others.iter().find(|other| self.has(other)) {
            Some(other) if self.has(name) => {
                Err(format!("--{name} {why}; leave out --{other} or --{name}"))
            }
            _ => Ok(()),
        }
    }
}

/// The first value that occurs again.
fn twice<T: PartialEq>(all: &[T]) -> Option<&T> {
    let mut numbered = all.iter().enumerate();
    let again = numbered.find(|(number, each)| all[..*number].contains(each))?;
    Some(again.1)
}

fn number<N: TryFrom<u64>>(name: &str, value: &str) -> Result<N, String> {
    let read = value.parse::<u64>();
    let what = match read.map(N::try_from) {
        Ok(Ok(number)) => return Ok(number),
        Err(error) if *error.kind() != IntErrorKind::PosOverflow => "must be a whole number",
        _ => "is too large",
    };
    Err(format!("--{name} {what}, got {value:?}"))
}

fn stat(word: &str) -> Result<(String, i16), String> {
    let wrong = || format!("{word}: expected STAT=VALUE with a whole number");
    let (id, value) = word.split_once('=').ok_or_else(wrong)?;
    let value: i64 = value.parse().map_err(|_| wrong())?;
    let held = i16::try_from(value);
    let held = held.map_err(|_| format!("{word}: the value must be between -32768 and 32767"))?;
    match id.is_empty() {
        true => Err(wrong()),
        false => Ok((id.to_owned(), held)),
    }
}

/// Gives an error if an output file is also an input file, which would be lost.
#[allow(dead_code, reason = "not every example writes files")]
pub(crate) fn spared(written: &str, read: &[&str]) -> Result<(), String> {
    let Ok(path) = std::fs::canonicalize(written) else {
        return Ok(());
    };
    let same = |file: &&str| std::fs::canonicalize(file).is_ok_and(|file| file == path);
    match read.iter().any(same) {
        true => Err(format!(
            "{written} is an input file and would be overwritten; name another file"
        )),
        false => Ok(()),
    }
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
