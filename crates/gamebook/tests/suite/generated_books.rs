//! Books that use the whole format: changes that do not affect their value, and whether the
//! generator covers what it should.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::generated::{Acyclic, Generated};
use crate::properties::drawn;
use num_rational::BigRational;
use num_traits::{One, Zero};
use oddsmith_gamebook::Fights;
use oddsmith_mdp::Solver;
use quickcheck::{Arbitrary, Gen, TestResult};

/// The highest number of states solved.
const LIMIT: usize = 30_000;

/// The chance to win by the state-by-state solver; `None` beyond the limit, or if some readers can
/// never leave a cycle.
fn direct(generated: &Generated, fights: Fights) -> Option<BigRational> {
    let game = generated
        .book()
        .game(generated.hero())
        .unwrap()
        .fights(fights);
    let solver = Solver::exact().max_states(LIMIT);
    let value = if generated.cyclic {
        let solver = solver.allow_cycles();
        solver.solve(&game, game.start()).map(|plan| plan.value())
    } else {
        solver.solve(&game, game.start()).map(|plan| plan.value())
    };
    match value {
        Ok(value) => Some(value),
        Err(oddsmith_mdp::Error::TooManyStates { .. }) => None,
        Err(oddsmith_mdp::Error::EndlessCycle { .. } | oddsmith_mdp::Error::NeverEnds { .. })
            if generated.cyclic =>
        {
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn holds_or_too_large(holds: Option<bool>) -> TestResult {
    holds.map_or_else(TestResult::discard, TestResult::from_bool)
}

#[test]
fn fights_are_worth_the_same_in_one_move_and_by_rounds() {
    fn same(generated: Generated) -> TestResult {
        let folded = direct(&generated, Fights::Folded);
        let rounds = direct(&generated, Fights::Rounds);
        holds_or_too_large(folded.zip(rounds).map(|(folded, rounds)| folded == rounds))
    }
    drawn(300).quickcheck(same as fn(Generated) -> TestResult);
}

#[test]
fn numbers_of_sections_have_no_meaning() {
    fn same(generated: Generated, shift: u32) -> TestResult {
        // 17 is a prime above the number of sections; the start can be anywhere.
        let (factor, shift) = (1 + shift % 16, shift / 16 % 17);
        let renumbered = generated.renumbered(|number| (number * factor + shift) % 17);
        let value = direct(&generated, Fights::Folded);
        if generated.cyclic {
            let game = renumbered.book().game(renumbered.hero()).unwrap();
            let solver = Solver::exact().max_states(LIMIT).allow_cycles();
            let other = solver
                .solve(&game, game.start())
                .ok()
                .map(|plan| plan.value());
            return holds_or_too_large(value.map(|value| other == Some(value)));
        }
        let other = renumbered
            .book()
            .solve_with(renumbered.hero(), Solver::exact().max_states(LIMIT));
        let other = other.ok().map(|plan| plan.value());
        holds_or_too_large(value.map(|value| other == Some(value)))
    }
    drawn(200).quickcheck(same as fn(Generated, u32) -> TestResult);
}

#[test]
fn without_cycles_it_does_not_matter_whether_they_are_allowed() {
    fn same(Acyclic(generated): Acyclic) -> TestResult {
        let game = generated.book().game(generated.hero()).unwrap();
        let solver = || Solver::exact().max_states(LIMIT);
        let plain = match solver().solve(&game, game.start()) {
            Ok(plan) => plan.value(),
            Err(oddsmith_mdp::Error::TooManyStates { .. }) => return TestResult::discard(),
            Err(error) => panic!("{error}"),
        };
        let cyclic = solver().allow_cycles().solve(&game, game.start()).unwrap();
        TestResult::from_bool(plain == cyclic.value())
    }
    drawn(100).quickcheck(same as fn(Acyclic) -> TestResult);
}

/// Shrinking gives a valid book for its hero.
#[test]
fn simpler_books_are_books() {
    fn simpler(generated: Generated) -> bool {
        generated.shrink().take(40).all(|simpler| {
            simpler.book().game(simpler.hero()).is_ok()
                && (simpler.manuscript != generated.manuscript || simpler.hero != generated.hero)
        })
    }
    drawn(40).quickcheck(simpler as fn(Generated) -> bool);
}

/// Shrinking ends, at a book that cannot be simplified.
#[test]
fn shrinking_ends() {
    let mut generator = Gen::new(30);
    for _ in 0..5 {
        let mut generated = Generated::arbitrary(&mut generator);
        let mut steps = 0;
        while let Some(simpler) = generated.shrink().next() {
            generated = simpler;
            steps += 1;
            assert!(steps < 10_000);
        }
        assert_eq!(generated.manuscript.sections.len(), 1);
    }
}

/// The generator must cover what the tests are about.
#[test]
fn generated_books_are_interesting() {
    // Fixed cases, so that rare ones do not fail by chance.
    let mut generator = Gen::from_size_and_seed(30, 1);
    let (mut between, mut sure, mut hopeless, mut unknown, mut cyclic) = (0, 0, 0, 0, 0);
    for _ in 0..500 {
        let generated = Generated::arbitrary(&mut generator);
        cyclic += u32::from(generated.cyclic);
        match direct(&generated, Fights::Folded) {
            None => unknown += 1,
            Some(value) if value.is_zero() => hopeless += 1,
            Some(value) if value.is_one() => sure += 1,
            Some(_) => between += 1,
        }
    }
    println!(
        "{between} between, {sure} sure, {hopeless} hopeless, {unknown} unknown; {cyclic} cyclic"
    );
    assert!(between > 150, "{between} of 500 between 0 and 1");
    assert!(unknown < 50, "{unknown} of 500 not solved");
    assert!((20..200).contains(&cyclic), "{cyclic} of 500 with cycles");
}

#[cfg(feature = "toml")]
mod texts {
    use std::collections::{BTreeMap, BTreeSet};

    use oddsmith_gamebook::Book;
    use serde_json::Value;

    use super::*;

    #[test]
    fn texts_and_back() {
        fn same(generated: Generated) -> bool {
            let book = generated.book();
            let json = book.to_json().unwrap();
            let toml = book.to_toml().unwrap();
            Book::from_json(&json, "book").unwrap() == book
                && Book::from_toml(&toml, "book").unwrap() == book
        }
        drawn(200).quickcheck(same as fn(Generated) -> bool);
    }

    /// The names of fields, and texts from a fixed list, with a number for each.
    fn collect<'v>(value: &'v Value, each: &mut impl FnMut(&'v str)) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    each(name);
                    collect(value, each);
                }
            }
            Value::Array(list) => list.iter().for_each(|value| collect(value, each)),
            Value::String(text) => each(text),
            _ => {}
        }
    }

    /// Every field of the schema and every value of an enumeration occurs in 500 books, except
    /// those that are only displayed or only in variants.
    #[test]
    fn every_construct_occurs() {
        let text = include_str!("../../schema/oddsmith-gamebook-1.schema.json");
        let schema: Value = serde_json::from_str(text).unwrap();
        let mut words = BTreeSet::new();
        fn named<'v>(value: &'v Value, words: &mut BTreeSet<&'v str>) {
            if let Value::Object(fields) = value {
                for (name, value) in fields {
                    match (name.as_str(), value) {
                        ("properties", Value::Object(properties)) => {
                            words.extend(properties.keys().map(String::as_str));
                        }
                        ("enum", Value::Array(list)) => {
                            words.extend(list.iter().filter_map(Value::as_str));
                        }
                        _ => {}
                    }
                    named(value, words);
                }
            } else if let Value::Array(list) = value {
                list.iter().for_each(|value| named(value, words));
            }
        }
        named(&schema, &mut words);
        for shown in ["text", "title"] {
            assert!(words.remove(shown));
        }
        assert!(words.len() > 90, "{words:?}");
        let mut count: BTreeMap<String, u32> = BTreeMap::new();
        // Fixed cases, so that rare ones do not fail by chance.
        let mut generator = Gen::from_size_and_seed(30, 1);
        for _ in 0..500 {
            let generated = Generated::arbitrary(&mut generator);
            let json: Value = serde_json::from_str(&generated.book().to_json().unwrap()).unwrap();
            let mut found = BTreeSet::new();
            collect(&json, &mut |word| {
                found.insert(word.to_owned());
            });
            for word in found {
                *count.entry(word).or_insert(0) += 1;
            }
        }
        for word in words {
            let times = count.get(word).copied().unwrap_or(0);
            // Fields that are left out if they have the default value occur in every book all the
            // same.
            let default = ["in_turn", "oddsmith-gamebook-variant", "of"].contains(&word);
            assert!(times >= 10 || default, "{word}: {times} of 500 books");
        }
    }
}
