//! The lines of the files.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Dialect;
use super::decimal::parse;
use crate::Error;

/// One line of the transitions.
pub(super) struct Transition {
    pub(super) state: usize,
    pub(super) choice: usize,
    pub(super) next: usize,
    pub(super) chance: BigRational,
}

/// The transitions of a model, by states and choices.
pub(super) struct Transitions {
    pub(super) dialect: Dialect,
    /// Whether the lines name choices, as those of a Markov chain do not.
    pub(super) chosen: bool,
    pub(super) states: usize,
    pub(super) lines: Vec<Transition>,
}

/// Returns an error that states where a file cannot be read.
fn bad(file: &'static str, line: usize, what: impl Into<String>) -> Error {
    Error::BadText {
        file,
        line: line + 1,
        what: what.into(),
    }
}

/// Returns the nonempty lines with their numbers.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(str::trim).enumerate();
    lines.filter(|(_, line)| !line.is_empty())
}

pub(super) fn transitions(text: &str) -> Result<Transitions, Error> {
    let bad = |line, what: String| bad("transitions", line, what);
    let mut lines = numbered(text);
    let Some((first, header)) = lines.next() else {
        return Err(bad(0, "the text is empty".to_owned()));
    };
    let counts: Option<Vec<usize>> = header.split_whitespace().map(|w| w.parse().ok()).collect();
    // (dialect, whether there are choices, [states, transitions])
    let mut announced = None;
    let (dialect, chosen, counts) = match (header.to_ascii_lowercase().as_str(), counts.as_deref())
    {
        ("mdp", _) => (Dialect::Storm, true, None),
        ("dtmc", _) => (Dialect::Storm, false, None),
        (_, Some(&[states, choices, transitions])) => {
            announced = Some(choices);
            (Dialect::Prism, true, Some([states, transitions]))
        }
        (_, Some(&[states, transitions])) => (Dialect::Prism, false, Some([states, transitions])),
        _ => {
            return Err(bad(
                first,
                format!("the first line must be `mdp`, `dtmc` or counts, got \"{header}\""),
            ));
        }
    };
    let limit = u32::MAX as usize;
    let mut read = Vec::new();
    for (number, line) in lines {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        // An action, which is a name: a number would be that of a model of the other kind.
        let wanted = if chosen { 4 } else { 3 };
        if dialect == Dialect::Prism
            && words.len() == wanted + 1
            && !words[wanted].starts_with(|c: char| c.is_ascii_digit())
        {
            words.pop();
        }
        let (state, choice, next, chance) = match (chosen, words.as_slice()) {
            (true, &[state, choice, next, chance]) => (state, choice, next, chance),
            (false, &[state, next, chance]) => (state, "0", next, chance),
            _ => {
                let wanted = if chosen {
                    "state, choice, next state"
                } else {
                    "state, next state"
                };
                return Err(bad(
                    number,
                    format!("a line must be {wanted} and probability, got \"{line}\""),
                ));
            }
        };
        let index = |word: &str| {
            let index = word.parse::<usize>().ok().filter(|&index| index < limit);
            index.ok_or_else(|| bad(number, format!("\"{word}\" is not a number below 2^32 - 1")))
        };
        let chance = parse(chance)
            .filter(|chance| !chance.is_negative())
            .ok_or_else(|| bad(number, format!("\"{chance}\" is not a probability")))?;
        let line = Transition {
            state: index(state)?,
            choice: index(choice)?,
            next: index(next)?,
            chance,
        };
        if let Some([states, _]) = counts
            && line.state.max(line.next) >= states
        {
            let state = line.state.max(line.next);
            return Err(bad(
                number,
                format!("state {state} is not one of the {states} announced states"),
            ));
        }
        read.push(line);
    }
    let states = match counts {
        Some([states, transitions]) if transitions == read.len() => states,
        Some([_, transitions]) => {
            return Err(bad(
                first,
                format!(
                    "the header announces {transitions} transitions, got {}",
                    read.len()
                ),
            ));
        }
        None => {
            let last = read.iter().map(|line| line.state.max(line.next)).max();
            last.map_or(0, |last| last + 1)
        }
    };
    // A count in a header must not be enough to fill the memory.
    if states > 1 && states > read.len().saturating_mul(2).saturating_add(1) {
        return Err(bad(
            first,
            format!("most of the {states} announced states have no transition"),
        ));
    }
    read.sort_by_key(|line| (line.state, line.choice, line.next));
    let choices = read.chunk_by(|a, b| (a.state, a.choice) == (b.state, b.choice));
    let choices = choices.count();
    if let Some(announced) = announced.filter(|announced| *announced != choices) {
        return Err(bad(
            first,
            format!("the header announces {announced} choices, got {choices}"),
        ));
    }
    check(&mut read)?;
    Ok(Transitions {
        dialect,
        chosen,
        states,
        lines: read,
    })
}

/// The maximum length of a common denominator, in bits. It is recomputed for every fraction whose
/// denominator does not divide it.
const MAX_BITS: u64 = 1 << 15;

/// Returns the least common denominator, or `None` if it is too long.
pub(super) fn common_denominator<'f>(
    fractions: impl Iterator<Item = &'f BigRational>,
) -> Option<BigInt> {
    let mut common = BigInt::one();
    for fraction in fractions {
        let denominator = fraction.denom();
        let over = &common % denominator;
        if !over.is_zero() {
            // Both numbers are mostly short.
            common *= denominator / over.gcd(denominator);
        }
        if common.bits() > MAX_BITS {
            return None;
        }
    }
    Some(common)
}

/// Returns the sum of fractions, or `None` if their common denominator is too long.
pub(super) fn sum<'f>(
    fractions: impl Iterator<Item = &'f BigRational> + Clone,
) -> Option<BigRational> {
    let common = common_denominator(fractions.clone())?;
    let parts = fractions.map(|fraction| fraction.numer() * (&common / fraction.denom()));
    Some(BigRational::new(parts.sum(), common))
}

/// Checks that choices are numbered from 0 and that their probabilities add up to one. Drops
/// outcomes of probability zero.
fn check(lines: &mut Vec<Transition>) -> Result<(), Error> {
    let bad = |what: String| Err(Error::BadFiles { what });
    let near = BigRational::new(BigInt::one(), BigInt::from(1_000_000));
    for of in lines.chunk_by(|a, b| a.state == b.state) {
        let state = of[0].state;
        for (place, choice) in of.chunk_by(|a, b| a.choice == b.choice).enumerate() {
            if choice[0].choice != place {
                return bad(format!(
                    "state {state} has no choice {place}, but higher ones"
                ));
            }
            let Some(sum) = sum(choice.iter().map(|line| &line.chance)) else {
                return bad(format!(
                    "the probabilities of choice {place} of state {state} must have a common denominator below 2^{MAX_BITS}"
                ));
            };
            if (&sum - BigRational::one()).abs() > near {
                return bad(format!(
                    "the probabilities of choice {place} of state {state} must sum to 1, got {}",
                    sum.to_f64().unwrap_or(f64::INFINITY)
                ));
            }
        }
    }
    lines.retain(|line| !line.chance.is_zero());
    Ok(())
}

pub(super) fn labels(
    text: &str,
    dialect: Dialect,
    states: usize,
) -> Result<BTreeMap<String, Vec<usize>>, Error> {
    let bad = |line, what: String| bad("labels", line, what);
    let mut lines = numbered(text);
    let mut names: Vec<String> = Vec::new();
    match dialect {
        Dialect::Prism => {
            let Some((first, header)) = lines.next() else {
                return Err(bad(0, "the text is empty".to_owned()));
            };
            for (place, word) in header.split_whitespace().enumerate() {
                let name = word.split_once('=').and_then(|(number, name)| {
                    let name = name.strip_prefix('"')?.strip_suffix('"')?;
                    (number.parse() == Ok(place)).then_some(name)
                });
                match name {
                    Some(name) => names.push(name.to_owned()),
                    None => {
                        return Err(bad(
                            first,
                            format!("a label must be written {place}=\"name\", got {word}"),
                        ));
                    }
                }
            }
        }
        Dialect::Storm => {
            let (mut declared, mut last) = (false, None);
            for (number, line) in lines.by_ref() {
                last = Some((number, line));
                match (declared, line) {
                    (false, "#DECLARATION") => declared = true,
                    (false, _) => return Err(bad(number, "#DECLARATION is missing".to_owned())),
                    (true, "#END") => break,
                    (true, line) => names.extend(line.split_whitespace().map(str::to_owned)),
                }
            }
            // All further lines would be names.
            if let Some((number, line)) = last
                && line != "#END"
            {
                return Err(bad(number, "#END is missing".to_owned()));
            }
        }
    }
    let mut borne: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
    let numbers: BTreeMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    for (number, line) in lines {
        let (state, rest) = match (dialect, line.split_once(':')) {
            (Dialect::Prism, Some(parts)) => parts,
            (Dialect::Prism, None) => return Err(bad(number, "a colon is missing".to_owned())),
            (Dialect::Storm, _) => line.split_once(char::is_whitespace).unwrap_or((line, "")),
        };
        let state = state
            .trim()
            .parse::<usize>()
            .ok()
            .filter(|&state| state < states);
        let state =
            state.ok_or_else(|| bad(number, format!("\"{line}\" does not begin with a state")))?;
        for word in rest.split_whitespace() {
            let label = match dialect {
                Dialect::Prism => word.parse().ok().filter(|&label| label < names.len()),
                Dialect::Storm => numbers.get(word).copied(),
            };
            let label = label.ok_or_else(|| bad(number, format!("\"{word}\" is not a label")))?;
            borne[label].push(state);
        }
    }
    let mut labels = BTreeMap::new();
    for (name, mut states) in names.into_iter().zip(borne) {
        states.sort_unstable();
        states.dedup();
        if labels.contains_key(&name) {
            return Err(bad(0, format!("label \"{name}\" is declared twice")));
        }
        labels.insert(name, states);
    }
    Ok(labels)
}

/// Returns the lines of a file of rewards after checking and removing its header.
fn reward_lines<'t>(
    file: &'static str,
    text: &'t str,
    dialect: Dialect,
    states: usize,
) -> Result<impl Iterator<Item = (usize, Vec<&'t str>)>, Error> {
    let mut lines = numbered(text).filter(|(_, line)| !line.starts_with('#'));
    if dialect == Dialect::Prism {
        let header = lines.next();
        let (first, header) = header.ok_or_else(|| bad(file, 0, "the text is empty"))?;
        let counts: Option<Vec<usize>> = header
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect();
        if !matches!(counts.as_deref(), Some(&[announced, _, ..]) if announced == states) {
            return Err(bad(
                file,
                first,
                format!("\"{header}\" does not begin with the number of states, {states}"),
            ));
        }
    }
    Ok(lines.map(|(number, line)| (number, line.split_whitespace().collect())))
}

pub(super) fn state_rewards(
    text: &str,
    dialect: Dialect,
    states: usize,
) -> Result<BTreeMap<usize, BigRational>, Error> {
    const FILE: &str = "state rewards";
    let mut rewards = BTreeMap::new();
    for (number, words) in reward_lines(FILE, text, dialect, states)? {
        let read = match words.as_slice() {
            &[state, reward] => index(state, states).zip(parse(reward)),
            _ => None,
        };
        let Some((state, reward)) = read else {
            let line = words.join(" ");
            return Err(bad(
                FILE,
                number,
                format!("\"{line}\" is not a state and a reward"),
            ));
        };
        if !reward.is_zero() && rewards.insert(state, reward).is_some() {
            return Err(bad(FILE, number, format!("state {state} has two rewards")));
        }
    }
    Ok(rewards)
}

pub(super) fn transition_rewards(
    text: &str,
    (dialect, chosen): (Dialect, bool),
    states: usize,
) -> Result<BTreeMap<(usize, usize, usize), BigRational>, Error> {
    const FILE: &str = "transition rewards";
    let mut rewards = BTreeMap::new();
    for (number, words) in reward_lines(FILE, text, dialect, states)? {
        let place = |words: [&str; 3]| {
            let choice = words[1].parse().ok()?;
            Some((index(words[0], states)?, choice, index(words[2], states)?))
        };
        let read = match (chosen, words.as_slice()) {
            (true, &[state, choice, next, reward]) => {
                place([state, choice, next]).zip(parse(reward))
            }
            // A Markov chain has no choices.
            (false, &[state, next, reward]) => place([state, "0", next]).zip(parse(reward)),
            _ => None,
        };
        let Some((place, reward)) = read else {
            let what = format!("\"{}\" is not a transition and a reward", words.join(" "));
            return Err(bad(FILE, number, what));
        };
        if !reward.is_zero() && rewards.insert(place, reward).is_some() {
            return Err(bad(FILE, number, "this transition has two rewards"));
        }
    }
    Ok(rewards)
}

/// Parses the number of one of this many states.
fn index(word: &str, states: usize) -> Option<usize> {
    word.parse().ok().filter(|&state| state < states)
}
