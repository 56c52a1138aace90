//! A book, a hero and rules from the command line.

use std::collections::{BTreeSet, VecDeque};
use std::error::Error;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::ExitCode;

use oddsmith_lonewolf::{ActionChart, Book, CombatTable, Discipline, Item, Rules};

/// The arguments: a file, or none for the built-in book; `skill=`, `endurance=`, `gold=`, `rules=`
/// and `table=`; names of disciplines and items; and options that begin with `--`.
pub(crate) struct Seat {
    pub(crate) book: Book,
    pub(crate) hero: ActionChart,
    pub(crate) rules: Rules,
    /// `printed` or `yardstick`, and the combat table unless it is the standard one.
    pub(crate) rules_name: String,
    /// The remaining options, with their values.
    options: Vec<(String, Option<String>)>,
}

const USAGE: &str = "[BOOK.json] skill=N endurance=N [left=N] [gold=N] \
    [rules=printed|yardstick] [table=standard|printed] [DISCIPLINE | ITEM | ITEM=COUNT | weaponskill=WEAPON]...";

/// Ends a program: prints the error, if any, and the usage. If a reader such as `head` closes the
/// output early, that is no error.
pub(crate) fn exit(program: &str, options: &str, result: Result<(), Box<dyn Error>>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    let io = error.downcast_ref::<std::io::Error>();
    if io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    eprintln!("{program}: {error}");
    eprintln!("usage: {program} {USAGE} {options}");
    ExitCode::FAILURE
}

/// The arguments as text; others are refused.
pub(crate) fn unicode(words: impl Iterator<Item = OsString>) -> Result<Vec<String>, String> {
    let words = words.map(OsString::into_string);
    let text = words.map(|word| word.map_err(|word| format!("{word:?} is not Unicode text")));
    text.collect()
}

impl Seat {
    /// Reads the command line; `valued` names the options with a value, `plain` those without.
    pub(crate) fn take(valued: &[&str], plain: &[&str]) -> Result<Self, Box<dyn Error>> {
        Seat::of(unicode(std::env::args_os().skip(1))?, valued, plain)
    }

    /// Reads the given arguments.
    pub(crate) fn of(
        words: impl IntoIterator<Item = String>,
        valued: &[&str],
        plain: &[&str],
    ) -> Result<Self, Box<dyn Error>> {
        let mut words: VecDeque<String> = words.into_iter().collect();
        let (mut file, mut skill, mut endurance, mut left) = (None, None, None, None);
        let (mut disciplines, mut items) = (Vec::new(), Vec::new());
        let (mut rules, mut table, mut options) = ("printed", "standard", Vec::new());
        let mut once = Once::default();
        while let Some(word) = words.pop_front() {
            if let Some(name) = word.strip_prefix("--") {
                let value = if valued.contains(&name) {
                    Some(words.pop_front().ok_or(format!("--{name} needs a value"))?)
                } else if plain.contains(&name) {
                    None
                } else {
                    return Err(format!("unknown option --{name}").into());
                };
                once.more(&format!("--{name}"))?;
                options.push((name.to_owned(), value));
                continue;
            }
            if let Some((name @ ("skill" | "endurance" | "left" | "rules" | "table"), _)) =
                word.split_once('=')
            {
                once.more(name)?;
            }
            match word.split_once('=') {
                Some(("skill", value)) => skill = Some(whole(&word, value)?),
                Some(("endurance", value)) => endurance = Some(whole(&word, value)?),
                Some(("left", value)) => left = Some(whole(&word, value)?),
                Some(("rules", "printed")) => rules = "printed",
                Some(("rules", "yardstick")) => rules = "yardstick",
                Some(("rules", other)) => {
                    let wrong = format!("rules must be printed or yardstick, got {other:?}");
                    return Err(wrong.into());
                }
                Some(("table", "standard")) => table = "standard",
                Some(("table", "printed")) => table = "printed",
                Some(("table", other)) => {
                    let wrong = format!("the table must be standard or printed, got {other:?}");
                    return Err(wrong.into());
                }
                Some(("weaponskill", weapon)) => {
                    disciplines.push(Discipline::Weaponskill(weapon.parse()?));
                }
                Some((name, count)) => {
                    let item: Item = name.parse()?;
                    once.more(item.name())?;
                    let count = u8::try_from(whole(&word, count)?);
                    items.push((
                        item,
                        count.map_err(|_| format!("{word}: the count must be between 0 and 50"))?,
                    ));
                }
                None if word.ends_with(".json") || word.contains('/') => {
                    once.more("a book")?;
                    file = Some(word);
                }
                // The name of a weapon alone stands for the weapon; Weaponskill has a form of its
                // own.
                None => match (word.parse::<Item>(), word.parse::<Discipline>()) {
                    (Ok(item), _) => {
                        once.more(item.name())?;
                        items.push((item, 1));
                    }
                    (_, Ok(discipline)) => disciplines.push(discipline),
                    _ => return Err(unknown(&word).into()),
                },
            }
        }
        let (Some(skill), Some(endurance)) = (skill, endurance) else {
            return Err("skill and endurance are missing; give skill=N (10 to 19) and endurance=N (20 to 29)".into());
        };
        let mut hero = ActionChart::new(skill, endurance)?.disciplines(&disciplines)?;
        for (item, count) in items {
            hero = hero.items(item, count)?;
        }
        if let Some(left) = left {
            hero = hero.wounded(left)?;
        }
        let book = match file {
            None => Book::fire_on_the_water()?,
            Some(file) => read(&file)?,
        };
        let by_rules = match rules {
            "yardstick" => Rules::yardstick(),
            _ => Rules::printed(),
        };
        let (rules, rules_name) = match table {
            "printed" => (
                by_rules.fight_by(CombatTable::printed()),
                format!("{rules}, combats by the printed table"),
            ),
            _ => (by_rules, rules.to_owned()),
        };
        Ok(Seat {
            book,
            hero,
            rules,
            rules_name,
            options,
        })
    }

    /// The title of the book.
    pub(crate) fn title(&self) -> &str {
        let manuscript = self.book.manuscript();
        manuscript.title.as_deref().unwrap_or(&manuscript.id)
    }

    /// Whether an option was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(given, _)| given == name)
    }

    /// The value of an option that takes a number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, String> {
        let given = self.options.iter().find(|(given, _)| given == name);
        let Some((_, Some(value))) = given else {
            return Ok(None);
        };
        let number = value.parse();
        number
            .map(Some)
            .map_err(|_| format!("--{name} must be a whole number, got {value:?}"))
    }
}

/// The arguments so far. Each can be given only once, so it is always clear which one counts.
#[derive(Default)]
struct Once(BTreeSet<String>);

impl Once {
    fn more(&mut self, name: &str) -> Result<(), String> {
        match self.0.insert(name.to_owned()) {
            true => Ok(()),
            false => Err(format!("{name} is given twice; give it once")),
        }
    }
}

fn whole(word: &str, value: &str) -> Result<i64, String> {
    value
        .parse()
        .map_err(|_| format!("{word}: expected a whole number"))
}

fn read(file: &str) -> Result<Book, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    Book::from_json(&text, file).map_err(|error| error.to_string())
}

fn unknown(word: &str) -> String {
    let disciplines = Discipline::PLAIN.map(|known| known.to_string().replace(' ', "_"));
    let items: Vec<&str> = Item::ALL.iter().map(|item| item.name()).collect();
    format!(
        "{word:?} is neither a discipline nor an item\ndisciplines: {}, weaponskill=WEAPON\n\
         items: {}",
        disciplines.join(", "),
        items.join(", ")
    )
}
