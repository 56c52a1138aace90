//! The linter: options that cost more than a hero may have, where a floor keeps what is lacking.

use std::collections::BTreeMap;

use crate::generated::Generated;
use crate::properties::drawn;
use crate::words::{choice, go, purse, with, won};
use oddsmith_gamebook::{
    Book, Branch, Cap, Choice, Condition, Effect, Finding, Manuscript, Passage, Play, Section,
};
use oddsmith_mdp::{AtRandom, Solver};
use quickcheck::{Arbitrary, Gen, TestResult};

/// A purse with this much gold, and with a floor of 0.
fn floored(gold: i16, sections: Vec<Section>) -> Manuscript {
    let mut book = purse(gold, sections);
    for stat in &mut book.sheet.stats {
        if stat.id == "gold" {
            stat.floor = Some(0);
        }
    }
    book
}

fn pay(gold: i16, to: u32) -> Choice {
    with(to, vec![Effect::change("gold", -gold)])
}

#[track_caller]
fn check(book: &Manuscript, expected: &[&str]) {
    let lint = Book::new(book.clone()).unwrap().lint();
    let findings = lint.findings().iter();
    let findings = findings.filter(|finding| finding.kind() == "unguarded");
    let found: Vec<String> = findings.map(ToString::to_string).collect();
    assert_eq!(found, expected, "{lint}");
}

fn takes(option: &str, amount: u32) -> String {
    format!(
        "section 1: {option} takes {amount} gold, also from a hero who may have less; if it is a price, ask for it with `if`"
    )
}

#[test]
fn a_price_without_a_condition() {
    let bridge = |option| floored(10, vec![choice(1, vec![option, go(2)]), won(2)]);
    let label =
        |option: &Choice| format!("choice[0] \"{}\"", option.label.clone().unwrap_or_default());
    let dear = pay(11, 2);
    check(&bridge(dear.clone()), &[&takes(&label(&dear), 11)]);
    check(&bridge(pay(10, 2)), &[]);
    // The condition that was forgotten, and one that asks for too little.
    let asks = |gold| dear.clone().when(Condition::at_least("gold", gold));
    check(&bridge(asks(11)), &[]);
    check(&bridge(asks(10)), &[&takes(&label(&dear), 11)]);
    // Without a floor this is a debt, and with a floor below 0 it is meant.
    for (floor, kind) in [(None, Some("may-fall-below-zero")), (Some(-5), None)] {
        let mut book = bridge(dear.clone());
        book.sheet.stats.last_mut().unwrap().floor = floor;
        let lint = Book::new(book).unwrap().lint();
        let kinds = lint.findings().iter().map(Finding::kind);
        let mut kinds = kinds.filter(|kind| ["may-fall-below-zero", "unguarded"].contains(kind));
        assert_eq!(kinds.next(), kind);
    }
}

/// In several parts, after a gain, after a gain that a cap cuts, and beside a loss by dice.
#[test]
fn a_price_in_parts() {
    let option = |effects| with(2, effects);
    let gold = |by| Effect::change("gold", by);
    let check = |effects: Vec<Effect>, cap: Option<i16>, amount: Option<u32>| {
        let mut book = floored(5, vec![choice(1, vec![option(effects), go(2)]), won(2)]);
        book.sheet.stats.last_mut().unwrap().cap = cap.map(Cap::At);
        let lint = Book::new(book).unwrap().lint();
        let found = lint.findings().iter().find_map(|finding| match finding {
            Finding::Unguarded { amount, field, .. } => {
                assert_eq!(finding.field(), Some(field.as_str()));
                Some(*amount)
            }
            _ => None,
        });
        assert_eq!(found, amount);
    };
    check(vec![gold(-3), gold(-2)], None, None);
    check(vec![gold(-3), gold(-3)], None, Some(6));
    check(vec![gold(4), gold(-9)], None, None);
    check(vec![gold(4), gold(-9)], Some(8), Some(9));
    let dice = Effect::change("gold", "-1d6".parse::<oddsmith_gamebook::Amount>().unwrap());
    check(vec![dice.clone()], None, None);
    check(vec![dice, gold(-1)], None, Some(1));
    check(vec![Effect::change("stamina", -50)], None, None);
}

/// Who is robbed, on arrival or by chance, pays no price.
#[test]
fn losses_are_not_prices() {
    let mut robbed = Passage::to(3);
    robbed.effects = vec![Effect::change("gold", -50)];
    let mut inn = Section::new(2, Passage::won());
    inn.passage.effects = vec![Effect::change("gold", -50)];
    let thief = Play::Random(vec![Branch {
        weight: 1,
        passage: robbed,
    }]);
    let thief = Choice {
        passage: thief.into(),
        ..go(2)
    };
    check(
        &floored(5, vec![choice(1, vec![go(2), thief]), inn, won(3)]),
        &[],
    );
}

#[test]
fn real_books_ask_for_every_price() {
    for book in [
        Book::city_of_thieves().unwrap(),
        Book::city_of_thieves_corrected().unwrap(),
        Book::salt_lantern().unwrap(),
    ] {
        let lint = book.lint();
        assert!(
            lint.findings()
                .iter()
                .all(|finding| finding.kind() != "unguarded")
        );
    }
}

/// What the beginning of an option takes for certain, by stat.
fn prices(option: &Choice) -> BTreeMap<&str, i16> {
    let mut prices = BTreeMap::new();
    for effect in &option.passage.effects {
        match effect {
            Effect::Change(stats) if stats.values().all(|by| by.is_fixed() && by.max() <= 0) => {
                for (stat, by) in stats {
                    *prices.entry(&**stat).or_insert(0) -= by.max() as i16;
                }
            }
            Effect::Gain(_) | Effect::Lose(_) => {}
            _ => break,
        }
    }
    prices
}

/// A condition for every price that is no finding, and the number of such conditions. They always
/// hold, so they change nothing.
fn guarded(generated: &Generated, findings: &[Finding]) -> (Manuscript, usize) {
    let mut book = generated.manuscript.clone();
    let mut guards = 0;
    let rules = &generated.manuscript.rules;
    let used = [&rules.stamina, &rules.skill, &rules.luck];
    for section in &mut book.sections {
        let number = section.number;
        let Play::Choice(options) = &mut section.passage.play else {
            continue;
        };
        for (slot, option) in options.iter_mut().enumerate() {
            let told = |id: &str| {
                findings.iter().any(|finding| {
                    let field = format!("choice[{slot}]");
                    matches!(finding, Finding::Unguarded { section, field: at, stat, .. }
                        if *section == number && *at == field && stat == id)
                })
            };
            let mut asked = Vec::new();
            for (id, price) in prices(option) {
                let stats = &generated.manuscript.sheet.stats;
                let stat = stats.iter().find(|stat| stat.id == id).unwrap();
                let own = !used.contains(&&stat.id);
                let floor = stat.floor.filter(|floor| own && *floor >= 0);
                if let (Some(floor), 1.., false) = (floor, price, told(id)) {
                    asked.push(Condition::at_least(id, floor + price));
                }
            }
            guards += asked.len();
            asked.extend(option.condition.take());
            if !asked.is_empty() {
                option.condition = Some(Condition::All(asked));
            }
        }
    }
    (book, guards)
}

/// The chance of random play, which comes to everything that anybody can come to.
fn random(book: Manuscript, generated: &Generated) -> Option<num_rational::BigRational> {
    let game = Book::new(book).unwrap().game(generated.hero()).unwrap();
    let solver = Solver::exact().max_states(20_000).allow_cycles();
    let evaluation = solver.evaluate(&game, AtRandom, game.start());
    Some(evaluation.ok()?.value())
}

#[test]
fn a_condition_for_what_is_no_finding_changes_nothing() {
    fn same(generated: Generated) -> TestResult {
        let lint = generated.book().lint_up_to(generated.hero(), 1).unwrap();
        let (book, guards) = guarded(&generated, lint.findings());
        let plain = random(generated.manuscript.clone(), &generated);
        match plain {
            Some(plain) if guards > 0 => {
                TestResult::from_bool(random(book, &generated) == Some(plain))
            }
            _ => TestResult::discard(),
        }
    }
    drawn(150).quickcheck(same as fn(Generated) -> TestResult);
}

/// Both prices that are findings and prices that are none must occur.
#[test]
fn generated_books_have_prices() {
    let mut generator = Gen::from_size_and_seed(30, 1);
    let (mut told, mut untold) = (0, 0);
    for _ in 0..500 {
        let generated = Generated::arbitrary(&mut generator);
        let lint = generated.book().lint_up_to(generated.hero(), 1).unwrap();
        let findings = lint.findings();
        told += findings
            .iter()
            .filter(|one| one.kind() == "unguarded")
            .count();
        untold += guarded(&generated, findings).1;
    }
    assert!(told >= 20 && untold >= 20, "{told} {untold}");
}
