//! Books with several mistakes: each is told, in order, and no more than that.

use crate::generated::Generated;
use crate::properties::drawn;
use oddsmith_gamebook::{
    Book, Character, Effect, Enemy, Error, Fight, Manuscript, Passage, Play, RandomLoss, Section,
    Variant, WeightedEffects,
};

fn mistakes(book: Manuscript) -> (Vec<Error>, usize) {
    match Book::new(book) {
        Ok(_) => (Vec::new(), 0),
        Err(Error::Mistakes { errors, more }) => (errors, more),
        Err(only) => (vec![only], 0),
    }
}

/// An effect with a mistake, and what is said of it when it stands at `field` of a section.
fn mistaken(kind: u8, number: u32, field: &str) -> (Effect, Error) {
    let place = format!("section {number}");
    let unknown = |field: String, kind: &'static str, id: &str| Error::Unknown {
        place: place.clone(),
        field,
        kind,
        id: id.to_owned(),
        hint: None,
    };
    let beyond = |field: String, given: i64, least: i64, most: i64| Error::OutOfRange {
        place: place.clone(),
        field,
        given,
        least,
        most,
    };
    match kind % 5 {
        0 => {
            let field = format!("{field}.gain");
            let gain = Effect::Gain("zeppelin".to_owned());
            (gain, unknown(field, "item", "zeppelin"))
        }
        1 => {
            let field = format!("{field}.change");
            let change = Effect::change("gravitation", 1);
            (change, unknown(field, "stat", "gravitation"))
        }
        2 => {
            let field = format!("{field}.lose_random.count");
            let loss = RandomLoss {
                count: 9,
                tag: None,
            };
            (Effect::LoseRandom(loss), beyond(field, 9, 1, 3))
        }
        3 => {
            let branch = WeightedEffects {
                weight: 0,
                effects: Vec::new(),
            };
            let invalid = Error::Invalid {
                place,
                field: format!("{field}.random"),
                problem: "at least one weight must be positive",
            };
            (Effect::Random(vec![branch]), invalid)
        }
        _ => {
            let field = format!("{field}.set_flag");
            let set = Effect::SetFlag("horripilation".to_owned());
            (set, unknown(field, "flag", "horripilation"))
        }
    }
}

/// Mistakes in books at random are found where they were put, and nothing else is found.
#[test]
fn every_mistake_is_found() {
    fn property(generated: Generated, put: Vec<(usize, u8, bool)>, astray: bool) -> bool {
        let mut book = generated.manuscript.clone();
        let mut expected: Vec<(usize, bool, Error)> = Vec::new();
        for (at, kind, leaving) in put {
            let index = at % book.sections.len();
            let section = &mut book.sections[index];
            let (name, effects) = match leaving {
                true => ("leave", &mut section.leave),
                false => ("effects", &mut section.passage.effects),
            };
            let field = format!("{name}[{}]", effects.len());
            let (effect, error) = mistaken(kind, section.number, &field);
            effects.push(effect);
            expected.push((index, !leaving, error));
        }
        // What is left is looked at before what is played; a list in its own order.
        expected.sort_by_key(|(index, later, _)| (*index, *later));
        let mut expected: Vec<Error> = expected.into_iter().map(|(.., error)| error).collect();
        if astray {
            book.start = 77_777;
            expected.push(Error::MissingStart { start: 77_777 });
        }
        let told = expected.len().min(100);
        let more = expected.split_off(told).len();
        mistakes(book) == (expected, more)
    }
    drawn(300).quickcheck(property as fn(Generated, Vec<(usize, u8, bool)>, bool) -> bool);
}

/// Nobody reads a million lines; how many there are is told.
#[test]
fn a_hundred_mistakes_are_kept() {
    let mut book = Manuscript::new("long");
    book.sections = (1..=1_000)
        .map(|number| Section::new(number, Passage::to(number + 5_000)))
        .collect();
    let (errors, more) = mistakes(book.clone());
    assert_eq!((errors.len(), more), (100, 900));
    let said = Book::new(book).unwrap_err().to_string();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 101);
    assert_eq!(
        lines[99],
        "section 100: to: section 5100 is not in the book"
    );
    assert_eq!(lines[100], "and 900 more mistakes");
    let mut shorter = Manuscript::new("shorter");
    shorter.sections = (1..=101)
        .map(|number| Section::new(number, Passage::to(number + 5_000)))
        .collect();
    let said = Book::new(shorter).unwrap_err().to_string();
    assert!(said.ends_with("\nand 1 more mistake"), "{said}");
}

/// Comparing each of a hundred unknown names with thousands of long ones took twenty seconds.
#[test]
fn hints_for_hundreds_of_long_names_end() {
    let name = |number: usize| format!("{number:06}{}", "x".repeat(90));
    let mut book = Manuscript::new("long");
    book.sheet.flags = (0..8_000).map(name).collect();
    let unknown = (0..90).map(|number| format!("{}y", name(number)));
    let effects = unknown.map(Effect::SetFlag).collect();
    let play = Passage {
        effects,
        ..Passage::won()
    };
    book.sections = vec![Section::new(1, play)];
    let (errors, _) = mistakes(book);
    let hinted = errors
        .iter()
        .filter(|error| error.to_string().contains("did you mean"));
    let hinted = hinted.count();
    // The first of them are helped.
    assert!((1..10).contains(&hinted), "{hinted} of {}", errors.len());
}

/// A sheet without SKILL is one mistake, not one for every fight.
#[test]
fn what_all_fights_lack_is_told_once() {
    let fight = |to| Play::Fight(Box::new(Fight::new([Enemy::new(5, 5)], Passage::to(to))));
    let mut book = Manuscript::new("rats");
    book.sheet.stats.retain(|stat| stat.id != "skill");
    book.sections = vec![
        Section::new(1, fight(2).into()),
        Section::new(2, fight(3).into()),
        Section::new(3, Passage::won()),
    ];
    let (errors, _) = mistakes(book);
    let said: Vec<String> = errors.iter().map(Error::to_string).collect();
    assert_eq!(
        said,
        ["section 1: fight (by rules.skill): there is no stat \"skill\" on the sheet"]
    );
}

/// The mistakes of a file are lines as compilers write them.
#[test]
#[cfg(feature = "serde")]
fn a_file_with_mistakes() {
    let text = r#"{"format": "oddsmith-gamebook", "version": 1, "id": "t", "start": 2,
        "sheet": {"stats": [{"id": "stamina", "initial": 5}]},
        "sections": [{"number": 1, "leave": [{"gain": "lamp"}], "to": 3}]}"#;
    let error = Book::from_json(text, "t.json").unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.json: section 1: leave[0].gain: there is no item \"lamp\" on the sheet\n\
         t.json: section 1: to: section 3 is not in the book\n\
         t.json: the book starts at section 2, which is not in the book"
    );
}

/// Nesting beyond the limit is one mistake, and what lies below is not looked at.
#[test]
fn too_deep_is_one_mistake() {
    let mut effect = Effect::Gain("zeppelin".to_owned());
    for _ in 0..200 {
        effect = Effect::Random(vec![WeightedEffects {
            weight: 1,
            effects: vec![effect],
        }]);
    }
    let mut book = Manuscript::new("deep");
    let mut section = Section::new(1, Passage::won());
    section.leave = vec![effect];
    book.sections = vec![section];
    let (errors, more) = mistakes(book);
    assert_eq!((errors.len(), more), (1, 0));
    let said = errors[0].to_string();
    assert!(said.ends_with("are nested more than 30 deep"), "{said}");
}

/// All that a variant replaces without need, too.
#[test]
fn a_variant_with_mistakes() {
    let mut book = Manuscript::new("cave");
    book.sections = vec![Section::new(1, Passage::won())];
    let sections = [1, 7, 1, 8].map(|number| Section::new(number, Passage::lost()));
    let variant = Variant {
        sections: sections.into(),
        ..Variant::new("dark", "cave")
    };
    let error = book.varied(variant).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 3, "{error}");
    assert!(lines[0].starts_with("section 7: number: "), "{error}");
    assert!(lines[1].starts_with("section 1 "), "{error}");
    assert!(lines[2].starts_with("section 8: number: "), "{error}");
}

/// Regression test: they were told one at a time.
#[cfg(feature = "serde")]
#[test]
fn all_mistakes_of_a_hero_are_told() {
    let thieves = Book::city_of_thieves().unwrap();
    let told = |hero: Character, begins: &[&str]| {
        let told: Vec<String> = match thieves.game(hero) {
            Err(Error::Mistakes { errors, more: 0 }) => {
                errors.iter().map(Error::to_string).collect()
            }
            Err(only) => vec![only.to_string()],
            Ok(_) => Vec::new(),
        };
        let same = told
            .iter()
            .zip(begins)
            .all(|(told, begins)| told.starts_with(begins));
        assert!(same && told.len() == begins.len(), "{told:?}");
    };
    let potions = "the hero must start with exactly one of";
    let missing = ["skill", "stamina", "luck"].map(|stat| format!("the hero has no {stat};"));
    let [skill, stamina, luck] = &missing;
    told(Character::new(), &[skill, stamina, luck, potions]);
    let hero = Character::new().stat("skill", 9).stat("luck", 9);
    let sound = hero.clone().stat("stamina", 12).item("luck_potion");
    told(sound.clone(), &[]);
    // A misspelt stat or potion is not missing as well.
    told(
        hero.stat("stamnia", 12).item("luck_poison"),
        &["the hero has \"stamnia\"", "the hero has \"luck_poison\""],
    );
    told(
        sound
            .item("stamina_potion")
            .without("luck_potion")
            .now("Gold", 3),
        &[
            "the hero has \"Gold\"",
            "the hero is given \"luck_potion\" and also said to be without it",
            potions,
        ],
    );
}
