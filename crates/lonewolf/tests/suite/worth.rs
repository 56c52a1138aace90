//! The worth of each possession, compared with heroes built without it.
#![cfg(feature = "serde")]

use oddsmith_lonewolf::{
    ActionChart, Book, BookSolver, Discipline, Error, Item, Possession, Rules,
};

const DISCIPLINES: [Discipline; 5] = [
    Discipline::Hunting,
    Discipline::SixthSense,
    Discipline::Mindshield,
    Discipline::Mindblast,
    Discipline::Weaponskill(Item::ShortSword),
];
const ITEMS: [(Item, u8); 3] = [(Item::Gold, 15), (Item::Meal, 2), (Item::ShortSword, 1)];

/// The hero, built without one of these possessions.
fn hero_but(missing: Option<Possession>) -> ActionChart {
    let mut hero = ActionChart::new(15, 25).unwrap();
    for discipline in DISCIPLINES {
        if missing != Some(discipline.into()) {
            hero = hero.discipline(discipline).unwrap();
        }
    }
    for (item, count) in ITEMS {
        if missing != Some(item.into()) {
            hero = hero.items(item, count).unwrap();
        }
    }
    hero
}

#[test]
fn every_chance_is_that_of_a_hero_built_without_it() {
    let book = Book::fire_on_the_water().unwrap();
    let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    let all = solver.worth(&hero_but(None)).unwrap();
    let mut found: Vec<Possession> = all.iter().map(|worth| worth.possession).collect();
    let mut expected: Vec<Possession> = DISCIPLINES.map(Possession::from).to_vec();
    expected.extend(ITEMS.map(|(item, _)| Possession::from(item)));
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    for worth in &all {
        assert!((worth.with - 0.277_973_289_004_5).abs() < 1e-12);
        let mut alone = BookSolver::new(&book).rules(Rules::yardstick());
        let without = alone.win(&hero_but(Some(worth.possession))).unwrap();
        assert_eq!(worth.without.to_bits(), without.to_bits(), "{worth:?}");
    }
    let descending = all.windows(2).all(|pair| pair[0].gain() >= pair[1].gain());
    assert!(descending, "{all:?}");
    assert_eq!(all[7].possession, Discipline::SixthSense.into());
}

#[test]
fn a_discipline_can_do_harm() {
    // A hero with Sixth Sense is sent to 96 from 122, and to 42 from 2.
    let book = Book::fire_on_the_water().unwrap();
    for rules in [Rules::yardstick(), Rules::printed()] {
        let mut solver = BookSolver::new(&book).rules(rules);
        let with = solver.win(&hero_but(None)).unwrap();
        let sense = Discipline::SixthSense.into();
        let gain = with - solver.win(&hero_but(None).without(sense)).unwrap();
        assert!((gain + 0.014_63).abs() < 1e-5, "{gain}");
    }
}

#[test]
fn who_has_nothing_has_nothing_to_lose() {
    let book = Book::fire_on_the_water().unwrap();
    let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    let hero = ActionChart::new(15, 25).unwrap();
    assert_eq!(solver.worth(&hero).unwrap(), []);
}

#[test]
fn what_is_not_there_cannot_be_taken_away() {
    let hero = hero_but(None);
    let strange = [
        Possession::Item(Item::Sword),
        Possession::Item(Item::Backpack),
        Possession::Discipline(Discipline::Healing),
        Possession::Discipline(Discipline::Weaponskill(Item::Sword)),
        // Weaponskill in an item that is not a weapon.
        Possession::Discipline(Discipline::Weaponskill(Item::Meal)),
    ];
    for possession in strange {
        assert_eq!(hero.without(possession), hero, "{possession}");
    }
}

#[test]
fn armour_takes_its_endurance_with_it() {
    let hero = ActionChart::new(15, 25).unwrap();
    let hero = hero.item(Item::BodyArmor).unwrap();
    let left = |current: i64| {
        let wounded = hero.clone().wounded(current).unwrap();
        wounded.without(Item::BodyArmor.into()).current()
    };
    assert_eq!(hero.without(Item::BodyArmor.into()).current(), 25);
    assert_eq!((left(29), left(26), left(25), left(3)), (25, 25, 25, 3));
}

#[test]
fn room_is_made_before_a_limit_is_an_error() {
    let book = Book::fire_on_the_water().unwrap();
    let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    let all = solver.worth(&hero_but(None)).unwrap();
    let total = solver.effort().evaluated;
    // The most expensive hero alone needs fewer tables than all together.
    let alone = |missing| {
        let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
        solver.win(&hero_but(missing)).unwrap();
        solver.effort().evaluated
    };
    let taken = all.iter().map(|worth| alone(Some(worth.possession)));
    let most = taken.max().unwrap().max(alone(None));
    assert!(most < total, "{most} {total}");

    let mut narrow = BookSolver::new(&book)
        .rules(Rules::yardstick())
        .max_tables(most);
    assert_eq!(narrow.worth(&hero_but(None)).unwrap(), all);
    let mut tight = BookSolver::new(&book)
        .rules(Rules::yardstick())
        .max_tables(most / 10);
    let error = tight.worth(&hero_but(None)).unwrap_err();
    assert_eq!(error, Error::Limit { limit: most / 10 });
}
