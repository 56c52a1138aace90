//! The command line: known names, each given once.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

/// The commands, with the names and the number of files that each takes.
const COMMANDS: [(&str, &[&str], usize); 4] = [
    (
        "learn",
        &[
            "hero",
            "see",
            "explore",
            "patient",
            "all_options",
            "max_states",
            "max_places",
            "games",
            "seed",
        ],
        0,
    ),
    (
        "heroes",
        &[
            "see",
            "explore",
            "patient",
            "all_options",
            "max_states",
            "every",
            "games",
            "seed",
        ],
        0,
    ),
    ("test", &[], 1),
    ("plot", &["optimum", "title", "show"], 1),
];

#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) command: &'static str,
    pub(crate) files: Vec<String>,
    named: BTreeMap<String, String>,
}

impl Arguments {
    pub(crate) fn read(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut words = words.into_iter();
        let first = words.next().unwrap_or_default();
        let known = COMMANDS.iter().find(|(name, ..)| *name == first);
        let Some((command, names, count)) = known else {
            return Err("usage: q_learner learn|heroes|test|plot [FILE] [NAME=VALUE …]".into());
        };
        let (mut files, mut named) = (Vec::new(), BTreeMap::new());
        for word in words {
            let Some((name, value)) = word.split_once('=') else {
                files.push(word);
                continue;
            };
            if !names.contains(&name) {
                let known = match names.len() {
                    0 => "no names".to_owned(),
                    _ => names.join(", "),
                };
                return Err(format!("{word}: {command} takes {known}"));
            }
            if named.insert(name.to_owned(), value.to_owned()).is_some() {
                return Err(format!("{name} is given twice"));
            }
        }
        match (files.get(*count), files.len() == *count) {
            (Some(file), _) => Err(format!("{file}: unexpected argument for {command}")),
            (None, false) => Err(format!("{command} needs a file")),
            (None, true) => Ok(Arguments {
                command,
                files,
                named,
            }),
        }
    }

    /// The value of a name, if it was given.
    pub(crate) fn find<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, String> {
        let Some(text) = self.named.get(name) else {
            return Ok(None);
        };
        let value = text.parse();
        value
            .map(Some)
            .map_err(|error| format!("{name}={text}: {error}"))
    }

    pub(crate) fn get<T: FromStr<Err: Display>>(
        &self,
        name: &str,
        default: T,
    ) -> Result<T, String> {
        Ok(self.find(name)?.unwrap_or(default))
    }

    /// The value of a name that takes a chance.
    pub(crate) fn chance(&self, name: &str) -> Result<Option<f64>, String> {
        match self.find(name)? {
            Some(chance) if !(0.0..=1.0).contains(&chance) => Err(format!(
                "{name} must be a number between 0 and 1, got {chance}"
            )),
            chance => Ok(chance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, String> {
        Arguments::read(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn nothing_that_is_said_is_lost() {
        for (line, message) in [
            ("learn gamse=10", "gamse=10: learn takes hero, see, "),
            ("learn games=1 games=2", "games is given twice"),
            ("learn 100", "100: unexpected argument for learn"),
            ("heroes max_places=3", "max_places=3: heroes takes see, "),
            ("test a.csv games=1", "games=1: test takes no names"),
            ("test a.csv b.csv", "b.csv: unexpected argument for test"),
            ("plot", "plot needs a file"),
            ("lern", "usage: q_learner "),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
        let plot = read("plot a.csv title=x=y").unwrap();
        assert_eq!(
            (plot.command, &plot.files[..]),
            ("plot", &["a.csv".to_owned()][..])
        );
        assert_eq!(plot.get("title", String::new()), Ok("x=y".into()));
    }

    #[test]
    fn values_are_told_with_their_names() {
        let many = read("learn games=many explore=0.5").unwrap();
        let error = many.get("games", 1_u64).unwrap_err();
        assert_eq!(error, "games=many: invalid digit found in string");
        assert_eq!(many.get("seed", 7_u64), Ok(7));
        assert_eq!(many.chance("explore"), Ok(Some(0.5)));
        for wrong in ["nan", "-1", "7", "inf"] {
            let error = read(&format!("learn explore={wrong}")).unwrap();
            let error = error.chance("explore").unwrap_err();
            assert!(
                error.starts_with("explore must be a number between 0 and 1"),
                "{error}"
            );
        }
    }
}
