//! Meaningless books are rejected, and the error names the place.

use oddsmith_gamebook::{
    Book, Cap, Effect, Enemy, Fight, FightOrder, Goods, Hazard, Manuscript, Passage, Play, Section,
    Shop, Stat, Ware,
};

fn book(passage: Passage) -> Manuscript {
    let mut book = Manuscript::new("test");
    book.sheet.stats.push(Stat::new("gold", 5));
    book.sections = vec![Section::new(1, passage), Section::new(2, Passage::won())];
    book
}

fn after(effect: Effect) -> Manuscript {
    book(Passage {
        effects: vec![effect],
        ..Passage::to(2)
    })
}

#[track_caller]
fn refused(book: Manuscript, message: &str) {
    assert_eq!(Book::new(book).unwrap_err().to_string(), message);
}

/// Regression: such books could be written, but not read again.
#[test]
fn amounts_made_in_code_are_those_that_a_text_can_say() {
    for (number, taken) in [(10_000, true), (10_001, false), (-10_000, true)] {
        let mut rich = book(Passage::to(2));
        rich.sheet.stats.push(Stat::new("jewels", number));
        assert_eq!(Book::new(rich).is_ok(), taken, "{number}");
        let changed = after(Effect::change("gold", number));
        assert_eq!(Book::new(changed).is_ok(), taken, "{number}");
    }
    let range = "must be between -10000 and 10000, got";
    let mut rich = book(Passage::to(2));
    rich.sheet.stats.push(Stat::new("jewels", 20_000));
    refused(rich, &format!("the sheet: stats[4].initial {range} 20000"));
    refused(
        after(Effect::change("gold", 12_345)),
        &format!("section 1: effects[0].change.gold {range} 12345"),
    );
    let set = Effect::Set([("gold".to_owned(), i16::MIN.into())].into());
    refused(
        after(set),
        &format!("section 1: effects[0].set.gold {range} -32768"),
    );
    // Dice were valid, whatever their sum is.
    let dice = Effect::Change([("gold".to_owned(), "10000*6d100".parse().unwrap())].into());
    assert!(Book::new(after(dice)).is_ok());
}

#[test]
fn a_book_has_a_name() {
    for id in ["", " \t"] {
        let mut nameless = book(Passage::to(2));
        nameless.id = id.to_owned();
        refused(nameless, "the book: id: it must not be blank");
    }
}

#[test]
fn effects_on_no_stat_are_none() {
    let nothing = "it must name at least one stat";
    refused(
        after(Effect::Change([].into())),
        &format!("section 1: effects[0].change: {nothing}"),
    );
    refused(
        after(Effect::Set([].into())),
        &format!("section 1: effects[0].set: {nothing}"),
    );
    refused(
        after(Effect::RaiseCap([].into())),
        &format!("section 1: effects[0].raise_cap: {nothing}"),
    );
}

/// Regression: the ware had two prices, and the two deals could not be distinguished.
#[test]
fn a_ware_has_one_price() {
    let shop = |sells: Vec<Goods>, buys: Vec<Goods>| {
        let leave = Passage::to(2);
        let mut book = book(Play::Shop(Box::new(Shop { sells, buys, leave })).into());
        book.sheet.stats.push(Stat::new("meals", 0));
        book.sheet.items.push(oddsmith_gamebook::Item::new("rope"));
        book
    };
    let rope = |price| Goods::item("rope", price);
    let meals = |price| Goods {
        ware: Ware::Stat("meals".to_owned()),
        price,
    };
    let twice = "it is in the list already";
    refused(
        shop(vec![rope(3), meals(1), rope(2)], vec![]),
        &format!("section 1: shop.sells[2]: {twice}"),
    );
    refused(
        shop(vec![meals(1), meals(1)], vec![]),
        &format!("section 1: shop.sells[1]: {twice}"),
    );
    refused(
        shop(vec![], vec![rope(1), rope(2)]),
        &format!("section 1: shop.buys[1]: {twice}"),
    );
    assert!(Book::new(shop(vec![rope(3), meals(1)], vec![rope(2)])).is_ok());
}

#[test]
fn a_fight_has_at_least_one_foe_and_not_too_many() {
    let fight = |foes: usize, order| {
        let fight = Fight {
            order,
            ..Fight::new(vec![Enemy::new(5, 4); foes], Passage::to(2))
        };
        book(Play::Fight(Box::new(fight)).into())
    };
    for order in [FightOrder::InTurn, FightOrder::AtOnce, FightOrder::OneOf] {
        refused(
            fight(0, order),
            "section 1: fight.foes: a fight needs at least one foe",
        );
        assert!(Book::new(fight(5, order)).is_ok());
    }
    for order in [FightOrder::InTurn, FightOrder::OneOf] {
        assert!(Book::new(fight(100, order)).is_ok());
        refused(
            fight(101, order),
            "section 1: fight.foes: a fight has at most 100 foes",
        );
    }
    refused(
        fight(6, FightOrder::AtOnce),
        "section 1: fight.foes: at most 5 foes can attack at once",
    );
}

/// As documented in the format: the weights of a round are counted in 64-bit words.
#[test]
fn hazards_of_all_foes_at_once_are_as_fine_as_a_round_can_be_counted() {
    let hazards = |foes: &[u16]| {
        let foe = |of: &u16| Enemy {
            hazard: Some(Hazard {
                chance: 1,
                of: *of,
                damage: 1,
            }),
            ..Enemy::new(5, 4)
        };
        let foes: Vec<Enemy> = foes.iter().map(foe).collect();
        let fight = Fight {
            order: FightOrder::AtOnce,
            ..Fight::new(foes, Passage::to(2))
        };
        book(Play::Fight(Box::new(fight)).into())
    };
    for foes in [
        &[5; 5][..],
        &[6, 6, 6, 6, 3],
        &[1_000, 5, 1, 1, 1],
        &[50; 4],
        &[1_000; 3],
    ] {
        assert!(Book::new(hazards(foes)).is_ok(), "{foes:?}");
    }
    for foes in [&[6; 5][..], &[1_000, 6, 1, 1, 1], &[51; 4]] {
        refused(
            hazards(foes),
            "section 1: fight: the hazards of foes who attack at once have too many combinations",
        );
    }
}

/// The cap is applied first, and then the floor.
#[test]
fn a_floor_above_the_cap_has_the_last_word() {
    let mut deep = after(Effect::change("gold", 1));
    deep.sheet.stats.push(Stat {
        cap: Some(Cap::At(2)),
        floor: Some(4),
        ..Stat::new("fame", 9)
    });
    deep.sections[0].passage.effects = vec![Effect::change("fame", 0)];
    let hero = oddsmith_gamebook::Character::new();
    let hero = hero.stat("skill", 7).stat("stamina", 9).stat("luck", 7);
    let game = Book::new(deep).unwrap().game(hero).unwrap();
    let node = oddsmith_mdp::Node::of(&game, &game.start()).unwrap();
    let (after, _) = &node.outcomes(0)[0];
    assert_eq!(game.stat(after, "fame"), Some(4));
}
