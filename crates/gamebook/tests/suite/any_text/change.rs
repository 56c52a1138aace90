//! Random changes to texts, from a seed.

use serde_json::{Value, json};

use super::seeds;

/// Random numbers from a seed: the sequence `splitmix64` of Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014, doi:10.1145/2660193.2660195.
#[derive(Clone, Debug)]
pub(crate) struct Rolls(pub(crate) u64);

impl Rolls {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The books to be changed, and the parts of the short ones with the names of their fields.
#[derive(Debug)]
pub(crate) struct Changes {
    books: Vec<Value>,
    parts: Vec<(String, Value)>,
}

const NUMBERS: [i64; 20] = [
    0,
    1,
    2,
    3,
    6,
    -1,
    -3,
    20,
    21,
    100,
    255,
    256,
    1_000,
    10_000,
    10_001,
    32_767,
    -32_768,
    65_535,
    4_294_967_295,
    i64::MAX,
];

const TEXTS: [&str; 24] = [
    "6d100",
    "-10000*6d100+10000",
    "0d6",
    "1d0",
    "7d6",
    "2d6",
    "1d2-1",
    "d",
    "",
    "stamina",
    "skill",
    "luck",
    "gold",
    "meals",
    "lamp",
    "rope",
    "blade",
    "silver",
    "seen",
    "at_once",
    "one_of",
    "marked",
    "below",
    "initial",
];

impl Changes {
    pub(crate) fn new() -> Self {
        let mut books = seeds::books();
        let mut parts = Vec::new();
        let short = books.len() - 1;
        for book in &mut books[..short] {
            visit(book, "", &mut |name, part| {
                parts.push((name.to_owned(), part.clone()));
            });
        }
        Changes { books, parts }
    }

    /// A text that was a book before the changes.
    pub(crate) fn text(&self, rolls: &mut Rolls) -> Vec<u8> {
        // The last book is long.
        let last = self.books.len() - 1;
        let number = if rolls.below(100) == 0 {
            last
        } else {
            rolls.below(last)
        };
        let mut book = self.books[number].clone();
        for _ in 0..rolls.one_of(&[0, 1, 1, 2, 2, 3, 5]) {
            self.change(&mut book, rolls);
        }
        let toml = rolls.below(3) == 0;
        let text = toml.then(|| toml::to_string(&book).ok()).flatten();
        let mut text = text.unwrap_or_else(|| book.to_string()).into_bytes();
        if rolls.below(6) == 0 {
            for _ in 0..=rolls.below(3) {
                scramble(&mut text, rolls);
            }
        }
        text
    }

    /// Changes a part of a book: replaces it by another part or a strange number, wraps it, or
    /// removes it.
    fn change(&self, book: &mut Value, rolls: &mut Rolls) {
        let mut size = 0;
        visit(book, "", &mut |_, _| size += 1);
        let place = rolls.below(size);
        let mut at = 0;
        visit(book, "", &mut |name, part| {
            if at == place {
                let other = self.part(name, rolls);
                replace(part, &other, rolls);
            }
            at += 1;
        });
    }

    /// A part of one of the short books, usually of this name, so that it may fit.
    fn part(&self, name: &str, rolls: &mut Rolls) -> Value {
        let any = rolls.below(6) == 0;
        let fits = |part: &&(String, Value)| any || part.0 == name;
        let count = self.parts.iter().filter(fits).count();
        let part = self.parts.iter().filter(fits).nth(rolls.below(count));
        part.map_or(Value::Null, |(_, part)| part.clone())
    }
}

/// All parts and the names of their fields, the outermost last: then inner parts are not visited
/// again when an outer one grows.
fn visit(value: &mut Value, name: &str, see: &mut impl FnMut(&str, &mut Value)) {
    match value {
        // The items of a list of passages may fit into another list.
        Value::Array(list) => list.iter_mut().for_each(|value| visit(value, name, see)),
        Value::Object(fields) => fields
            .iter_mut()
            .for_each(|(name, value)| visit(value, name, see)),
        _ => {}
    }
    see(name, value);
}

fn replace(part: &mut Value, other: &Value, rolls: &mut Rolls) {
    match part {
        Value::Number(_) if rolls.below(2) > 0 => *part = rolls.below(30).into(),
        Value::Number(_) if rolls.below(3) > 0 => *part = rolls.one_of(&NUMBERS).into(),
        Value::String(_) if rolls.below(3) > 0 => *part = rolls.one_of(&TEXTS).into(),
        Value::Array(list) if !list.is_empty() && rolls.below(3) > 0 => {
            let place = rolls.below(list.len());
            match rolls.below(4) {
                0 => drop(list.remove(place)),
                1 => list.push(other.clone()),
                2 => list.push(list[place].clone()),
                // Up to the maximum number of steps in a list, and beyond.
                _ => {
                    let times = rolls.one_of(&[2, 5, 20, 130]);
                    let one = list[place].clone();
                    list.extend(std::iter::repeat_n(one, times));
                }
            }
        }
        Value::Object(fields) if rolls.below(2) > 0 => match rolls.below(3) {
            0 => {
                let names: Vec<String> = fields.keys().cloned().collect();
                if !names.is_empty() {
                    fields.remove(&names[rolls.below(names.len())]);
                }
            }
            1 => {
                if let Value::Object(more) = other {
                    fields.extend(more.clone());
                }
            }
            _ => *part = around(part.clone(), rolls),
        },
        _ if rolls.below(2) > 0 => *part = around(part.clone(), rolls),
        _ => *part = other.clone(),
    }
}

/// Wraps a part, up to many times.
fn around(mut part: Value, rolls: &mut Rolls) -> Value {
    let kind = rolls.below(9);
    for _ in 0..rolls.one_of(&[1, 1, 1, 1, 1, 2, 2, 3, 4, 8, 14, 100]) {
        // Built by hand, since the macro would serialize every part again.
        part = match kind {
            0 => table([("not", part)]),
            1 => table([("all", list([part]))]),
            2 => table([("any", list([json!({ "flag": "seen" }), part]))]),
            3 => {
                let fields = [("times", 20.into()), ("effects", list([part]))];
                table([("repeat", table(fields))])
            }
            4 => {
                let drawn = table([("weight", 1.into()), ("effects", list([part]))]);
                table([("random", list([drawn, json!({ "weight": 3 })]))])
            }
            5 => {
                let fields = [("if", json!({ "has": "lamp" })), ("then", list([part]))];
                table([("when", table(fields))])
            }
            6 => table([("choice", list([part]))]),
            7 => table([("shop", table([("leave", part)]))]),
            _ => list([part]),
        };
    }
    part
}

fn list<const N: usize>(parts: [Value; N]) -> Value {
    Value::Array(parts.into())
}

fn table<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    Value::Object(fields.into_iter().collect())
}

/// Changes arbitrary bytes.
fn scramble(text: &mut Vec<u8>, rolls: &mut Rolls) {
    if text.is_empty() {
        return;
    }
    let at = rolls.below(text.len());
    let end = (at + 1 + rolls.below(30)).min(text.len());
    match rolls.below(6) {
        0 => text[at] = rolls.below(256) as u8,
        1 => drop(text.drain(at..end)),
        2 => {
            let again = text[at..end].to_vec();
            text.splice(at..at, again);
        }
        3 => text[at] = rolls.one_of(b"{}[]\",:=.-0123456789 \n#e"),
        4 => text.truncate(at),
        _ => {
            let open = rolls.one_of(b"[{(\"");
            let times = rolls.one_of(&[2, 50, 300, 5_000]);
            text.splice(at..at, std::iter::repeat_n(open, times));
        }
    }
}
