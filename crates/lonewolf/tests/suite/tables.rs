//! Books with other combat tables, compared with recursions that share nothing with the solvers.

use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use oddsmith_lonewolf::{
    ActionChart, Adventure, Book, BookSolver, Chance, CombatTable, Decision, Exchange, Foe, Item,
    Loss, Manuscript, Outcome, Rules, Section,
};
use oddsmith_mdp::Solver;

/// A table of coin tosses for three points.
fn coin() -> CombatTable {
    let exchange = |foe, hero| Exchange {
        foe: Loss::Points(foe),
        hero: Loss::Points(hero),
    };
    let column = std::array::from_fn(|number| match number % 2 {
        0 => exchange(3, 0),
        _ => exchange(0, 3),
    });
    CombatTable::new([column; 13]).unwrap()
}

/// A combat that may be evaded after one round; a hero who evades wins with four tenths.
fn ambush(foe: Foe) -> Book {
    let line = |numbers, then| Chance { numbers, then };
    let escape = vec![line(4, Outcome::Goto(3)), line(6, Outcome::Lost)];
    let won = Outcome::Goto(3);
    let (after, to) = (1, 2);
    let decisions = [
        Decision::Evade {
            after,
            to,
            foe,
            won,
        },
        Decision::Then(Outcome::Random(escape)),
        Decision::Then(Outcome::Won),
    ];
    let sections = (1..).zip(decisions);
    let sections = sections.map(|(number, decision)| Section { number, decision });
    Book::new(Manuscript::new("ambush", 1, 3, sections.collect())).unwrap()
}

/// The chance to win from a state of the combat, by plain recursion.
fn recursive(
    table: &CombatTable,
    ratio: i64,
    at: (u16, u16, bool),
    known: &mut HashMap<(u16, u16, bool), BigRational>,
) -> BigRational {
    if let Some(value) = known.get(&at) {
        return value.clone();
    }
    let (hero, foe, may_evade) = at;
    let ten = BigRational::from_integer(10.into());
    let (mut stand, mut flee) = (BigRational::zero(), BigRational::zero());
    for number in 0..10 {
        let exchange = table.exchange(ratio, number).unwrap();
        let (hero, foe) = (exchange.hero.leaves(hero), exchange.foe.leaves(foe));
        if hero == 0 {
            continue;
        }
        flee += BigRational::new(4.into(), 100.into());
        stand += match foe {
            0 => BigRational::from_integer(1.into()),
            _ => recursive(table, ratio, (hero, foe, true), known),
        } / &ten;
    }
    let value = if may_evade { stand.max(flee) } else { stand };
    known.insert(at, value.clone());
    value
}

/// Regression: books were solved with the standard table regardless of the rules.
#[test]
fn a_book_is_solved_by_the_table_of_its_rules() {
    let tables = [CombatTable::standard(), CombatTable::printed(), coin()];
    let mut lower = 0;
    for (ratio, endurance, foe) in [
        (0, 12, 20),
        (2, 5, 22),
        (4, 5, 23),
        (6, 5, 26),
        (-3, 14, 11),
    ] {
        let book = ambush(Foe::new("Giak", 15, foe));
        let hero = ActionChart::new(15 + ratio, i64::from(endurance)).unwrap();
        let hero = hero.item(Item::Axe).unwrap();
        let mut values = Vec::new();
        // One solver for all tables: nothing of the previous table is reused.
        let mut solver = BookSolver::new(&book);
        for table in tables {
            let rules = Rules::printed().fight_by(table);
            solver = solver.rules(rules);
            let mut solved = solver.solve(&hero).unwrap();
            let start = (endurance, u16::from(foe), false);
            let value = recursive(&table, ratio, start, &mut HashMap::new());
            assert_eq!(solved.exact().unwrap(), value, "{ratio}");
            let float = value.to_f64().unwrap();
            assert!((solved.win() - float).abs() <= solved.error(), "{ratio}");
            let start = solved.start();
            let advice = solved.advice(&start).unwrap();
            assert!((advice[0].win - float).abs() < 1e-12, "{ratio}");
            let game = Adventure::new(&book, &hero, rules);
            let direct = Solver::exact().solve(&game, game.start()).unwrap();
            assert_eq!(direct.value(), value, "{ratio}");
            values.push(value);
        }
        // In the printed table, the foe loses less in four cells of the columns from 0 on.
        assert!(values[1] <= values[0], "{ratio}");
        assert!(values[1] == values[0] || ratio >= 0, "{ratio}");
        lower += u8::from(values[1] < values[0]);
        assert_ne!(values[2], values[0], "{ratio}");
    }
    assert!(lower >= 2, "the table in print matters {lower} times");
}

/// Floats are within their stated error, 1.01 · 13 · (e + 1) · 2⁻⁵³ of the exact value.
#[test]
fn floats_of_combats_keep_to_their_bound() -> Result<(), Box<dyn std::error::Error>> {
    use oddsmith_lonewolf::Combat;
    for ratio in [-12, -5, 0, 3, 11] {
        for (hero, foe) in [(1, 1), (5, 30), (30, 5), (40, 41), (99, 140)] {
            for table in [CombatTable::standard(), CombatTable::printed()] {
                let combat = Combat::new(20 + ratio, hero, 20, foe)?.table(table);
                for combat in [combat.clone(), combat.enemy_mindblast(2)] {
                    let exact = combat.win()?;
                    let float = combat.win_f64()?;
                    let off = BigRational::from_float(float).ok_or("no number")? - &exact;
                    let k = 13.0 * (hero + foe + 1) as f64;
                    let bound = BigRational::from_float(1.01 * k * (f64::EPSILON / 2.0));
                    let bound = bound.ok_or("no number")? * &exact;
                    assert!(
                        off <= bound && -off <= bound,
                        "{ratio} {hero} {foe}: {float}"
                    );
                }
            }
        }
    }
    Ok(())
}
