//! Several potions that can be drunk at any choice, in any order or never, in addition to meals:
//! each can be used once, and options may ask for it.

use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookSolver, Cap, Character, Choice, Condition, Effect, Enemy, Fight, Item, Manuscript,
    Passage, Play, RefreshAt, Refreshment, Section, Stat, Trial,
};
use oddsmith_mdp::Solver;

/// For this many potions.
const POTIONS: [&str; 3] = ["strength", "health", "venom"];

fn refreshments() -> Vec<Refreshment> {
    let drink = |potion: &str, effects: Vec<Effect>| Refreshment {
        label: potion.into(),
        condition: Some(Condition::Has(potion.into())),
        effects: [vec![Effect::Lose(potion.into())], effects].concat(),
    };
    let meal = vec![Effect::change("meals", -1), Effect::change("stamina", 4)];
    vec![
        drink("strength", vec![Effect::change("skill", 2)]),
        drink("health", vec![Effect::Restore("stamina".into())]),
        drink("venom", vec![Effect::change("stamina", -3)]),
        Refreshment {
            label: "a meal".into(),
            condition: Some(Condition::at_least("meals", 1)),
            effects: meal,
        },
    ]
}

fn fight(skill: i16, stamina: u16, victory: u32) -> Section {
    let foe = Fight::new([Enemy::new(skill, stamina)], Passage::to(victory));
    Section::new(victory - 1, Play::Fight(Box::new(foe)).into())
}

/// Three choices, with fights between them; a healer exchanges healing potions for LUCK, and a hero
/// who still has the venom at the end may poison the last foe instead of fighting.
fn book(held: &[&str]) -> Book {
    let mut book = Manuscript::new("potions");
    book.rules.refresh = RefreshAt::Choices;
    book.rules.refresh_options = 1;
    book.sheet.stats[0].cap = None;
    book.sheet.stats.push(Stat {
        cap: Some(Cap::At(1)),
        floor: Some(0),
        ..Stat::new("meals", 1)
    });
    book.sheet.items = POTIONS.map(Item::new).to_vec();
    book.sheet.initial_items = held.iter().map(|item| (*item).to_owned()).collect();
    book.sheet.refreshments = refreshments();
    let mut healer = Passage::to(5);
    healer.effects = vec![Effect::Lose("health".into()), Effect::change("luck", 2)];
    let healer = Choice::new("healer", healer).when(Condition::Has("health".into()));
    let poison = Choice::new("poison him", Passage::to(9)).when(Condition::Has("venom".into()));
    let luck = Trial::new("luck", Passage::won(), Passage::lost());
    let choice = |options| Play::Choice(options).into();
    book.sections = vec![
        Section::new(1, choice(vec![Choice::new("on", Passage::to(2))])),
        fight(8, 6, 3),
        Section::new(3, choice(vec![healer, Choice::new("on", Passage::to(4))])),
        fight(7, 4, 5),
        Section::new(
            5,
            choice(vec![poison, Choice::new("fight him", Passage::to(6))]),
        ),
        fight(9, 8, 7),
        Section::new(7, Passage::won()),
        Section::new(9, Play::Test(Box::new(luck)).into()),
    ];
    Book::new(book).unwrap()
}

#[test]
fn potions_are_drunk_one_after_another() {
    let mut worth = Vec::new();
    for held in 0..8 {
        let potions = POTIONS.iter().enumerate();
        let potions = potions.filter(|(number, _)| held >> number & 1 == 1);
        let potions: Vec<&str> = potions.map(|(_, potion)| *potion).collect();
        let book = book(&potions);
        for (skill, stamina, luck) in [(7, 8, 7), (9, 5, 9)] {
            let hero = Character::new().stat("skill", skill).stat("luck", luck);
            let game = book.game(hero.stat("stamina", stamina)).unwrap();
            let plan = Solver::exact().solve(&game, game.start()).unwrap();
            let exact = plan.value().to_f64().unwrap();
            let solver = BookSolver::new(&game);
            let valuation = solver.solve(game.start()).unwrap();
            let off = (valuation.win() - exact).abs();
            assert!(
                off <= valuation.error().unwrap(),
                "{potions:?}: {valuation}"
            );
            let policy = solver.policy(game.start()).unwrap();
            let followed = Solver::exact().evaluate(&game, &policy, game.start());
            let followed = followed.unwrap().value().to_f64().unwrap();
            assert!(
                (followed - exact).abs() < 1e-12,
                "{potions:?}: {followed} {exact}"
            );
            let within = solver.approximate(game.start(), 1e-3).unwrap();
            let (least, most) = within.enclosure().unwrap();
            assert!(least <= exact && exact <= most, "{potions:?}");
            worth.push(exact);
        }
    }
    // One more potion never hurts, since nobody has to drink it.
    for held in 0..8 {
        for more in (0..3)
            .map(|bit| held | 1 << bit)
            .filter(|more| *more != held)
        {
            assert!(
                worth[2 * held] < worth[2 * more],
                "{held} {more}: {worth:?}"
            );
        }
    }
}
