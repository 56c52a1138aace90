//! A line of a results file, as read by every example.

/// The fields of a complete line: section, hero, chance, error and seconds; or section, hero, a
/// choice and the routes needed there, the values of its routes, and seconds.
const FIELDS: usize = 5;
/// The digits of the fingerprint of a book.
pub(crate) const PRINT: usize = 16;
/// Sums of floats may exceed 1 by this much.
const ROUNDED: f64 = 1e-9;

/// The kinds of lines of a results file.
#[allow(dead_code, reason = "not every example asks for everything")]
pub(crate) enum Line<'t> {
    /// The book and its fingerprint.
    Heading(&'t str, &'t str),
    Result(Found<'t>),
    Ways(Needed<'t>),
    /// The beginning of a result, where a sweep was interrupted, or an empty line.
    Part,
    Strange,
}

/// The result for a hero.
#[allow(dead_code, reason = "not every example asks for everything")]
pub(crate) struct Found<'t> {
    pub(crate) section: &'t str,
    pub(crate) hero: &'t str,
    pub(crate) chance: f64,
    /// The error bound of the chance, if it is known.
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

/// The routes that a hero needs.
#[allow(dead_code, reason = "not every example asks for everything")]
pub(crate) struct Needed<'t> {
    pub(crate) section: &'t str,
    pub(crate) hero: &'t str,
    /// Sections, or [`UNKNOWN`].
    pub(crate) ways: &'t str,
}

/// No route is proven to be needed.
pub(crate) const UNKNOWN: &str = "?";

/// Parses a field such as `74:95`, for a choice in section 74.
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

/// Parses a result whose chance and error are valid; the error may be unknown.
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
