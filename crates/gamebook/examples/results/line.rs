//! A line of a file of results, as every example reads it.

/// Of a whole line: section, hero, chance, error and seconds; or section, hero, a choice and what
/// is needed there, what its ways are worth, and seconds.
const FIELDS: usize = 5;
/// The digits that tell two states of a book apart.
pub(crate) const PRINT: usize = 16;
/// Sums of floats may be so much above what is certain.
const ROUNDED: f64 = 1e-9;

/// What a line of a file of results is.
#[allow(dead_code, reason = "not every example asks for everything")]
pub(crate) enum Line<'t> {
    /// Of which book, and its print.
    Heading(&'t str, &'t str),
    Result(Found<'t>),
    Ways(Needed<'t>),
    /// The beginning of a result, where a sweep was stopped, or nothing.
    Part,
    Strange,
}

/// What was found of a hero.
#[allow(dead_code, reason = "not every example asks for everything")]
pub(crate) struct Found<'t> {
    pub(crate) section: &'t str,
    pub(crate) hero: &'t str,
    pub(crate) chance: f64,
    /// How far the chance may be off, if that is known.
    pub(crate) error: Option<f64>,
}

impl<'t> Line<'t> {
    pub(crate) fn of(line: &'t str) -> Self {
        let heading = line.strip_prefix("# ");
        if let Some((book, print)) = heading.and_then(|words| words.rsplit_once(' '))
            && book.contains(':')
            && print.len() == PRINT
        {
            return Line::Heading(book, print);
        }
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            [""] => return Line::Part,
            [section, ..] if section.parse::<u32>().is_err() => return Line::Strange,
            _ if fields.len() < FIELDS => return Line::Part,
            _ => {}
        }
        match (found(&fields), needed(&fields)) {
            (Some(found), _) => Line::Result(found),
            (None, Some(needed)) => Line::Ways(needed),
            (None, None) => Line::Strange,
        }
    }
}

/// Which ways a hero needs.
#[allow(dead_code, reason = "not every example asks for everything")]
pub(crate) struct Needed<'t> {
    pub(crate) section: &'t str,
    pub(crate) hero: &'t str,
    /// Sections, or [`UNKNOWN`].
    pub(crate) ways: &'t str,
}

/// No way is proven to be needed.
pub(crate) const UNKNOWN: &str = "?";

/// Such as `74:95`, of a choice in section 74.
fn needed<'t>(fields: &[&'t str]) -> Option<Needed<'t>> {
    let [section, hero, needed, _, _] = *fields else {
        return None;
    };
    let (fork, ways) = needed.split_once(':')?;
    let number = |word: &str| word.parse::<u32>().is_ok();
    let sound = number(fork) && (ways == UNKNOWN || ways.split(' ').all(number));
    sound.then_some(Needed {
        section,
        hero,
        ways,
    })
}

/// A result with a chance that is one, and an error that is one or unknown.
fn found<'t>(fields: &[&'t str]) -> Option<Found<'t>> {
    let [section, hero, chance, error, _] = *fields else {
        return None;
    };
    let chance: f64 = chance.parse().ok()?;
    let error: Option<f64> = match error {
        "?" => None,
        error => Some(error.parse().ok()?),
    };
    let sound = (0.0..=1.0 + ROUNDED).contains(&chance) && error.is_none_or(|error| error >= 0.0);
    sound.then_some(Found {
        section,
        hero,
        chance,
        error,
    })
}
