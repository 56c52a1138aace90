//! All uses of money, solved by diagrams and state by state: what is held, earned and lost, the
//! price of meals, and conditions on eating.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_gamebook::{
    Book, BookSolver, Cap, Character, Choice, Condition, Effect, Enemy, Fight, Goods, Journey,
    Manuscript, Passage, Play, RefreshAt, Refreshment, Section, Shop, Stat, Trial,
};
use oddsmith_mdp::Solver;

/// The highest number of places followed.
const LIMIT: usize = 100_000;

fn stat(id: &str, initial: i16, cap: i16) -> Stat {
    Stat {
        cap: Some(Cap::At(cap)),
        floor: Some(0),
        ..Stat::new(id, initial)
    }
}

fn with(mut passage: Passage, effects: Vec<Effect>) -> Passage {
    passage.effects.extend(effects);
    passage
}

fn fight(skill: i16, stamina: u16, victory: Passage) -> Play {
    Play::Fight(Box::new(Fight::new([Enemy::new(skill, stamina)], victory)))
}

/// A gamble, a shop, a fight that pays, a toll; money is called `money`, and a meal has the given
/// condition and effects.
fn book(money: &str, condition: Option<Condition>, meal: Vec<Effect>) -> Manuscript {
    let mut book = Manuscript::new("money");
    book.rules.money = money.into();
    book.rules.refresh = RefreshAt::Choices;
    book.rules.refresh_options = 1;
    book.sheet.stats.push(stat("gold", 4, 9));
    book.sheet.stats.push(stat("meals", 2, 2));
    let left = Condition::at_least("meals", 1);
    let condition = condition.map_or(left.clone(), |more| Condition::All(vec![left, more]));
    book.sheet.refreshments = vec![Refreshment {
        label: "a meal".into(),
        condition: Some(condition),
        effects: [vec![Effect::change("meals", -1)], meal].concat(),
    }];
    let won = with(Passage::to(2), vec![Effect::change(money, 2)]);
    let lost = with(Passage::to(2), vec![Effect::change(money, -1)]);
    let shop = Shop {
        sells: vec![Goods::stat("meals", 3)],
        buys: vec![],
        leave: Passage::to(4),
    };
    let spoils = with(Passage::to(5), vec![Effect::change(money, 3)]);
    let toll = with(Passage::to(6), vec![Effect::change(money, -5)]);
    let choice = |options| Play::Choice(options).into();
    let luck = Trial::new("luck", won, lost);
    book.sections = vec![
        Section::new(
            1,
            choice(vec![
                Choice::new("gamble", Passage::to(7)),
                Choice::new("on", Passage::to(2)),
            ]),
        ),
        Section::new(7, Play::Test(Box::new(luck)).into()),
        Section::new(
            2,
            choice(vec![
                Choice::new("shop", Passage::to(3)),
                Choice::new("on", Passage::to(4)),
            ]),
        ),
        Section::new(3, Play::Shop(Box::new(shop)).into()),
        Section::new(4, fight(7, 6, spoils).into()),
        Section::new(
            5,
            choice(vec![
                Choice::new("pay", toll).when(Condition::at_least(money, 5)),
                Choice::new("fight", Passage::to(8)),
            ]),
        ),
        Section::new(8, fight(8, 4, Passage::to(6)).into()),
        Section::new(
            6,
            choice(vec![
                Choice::new("leave", Passage::to(9)),
                Choice::new("stay", Passage::lost()),
            ]),
        ),
        Section::new(9, fight(6, 6, Passage::won()).into()),
    ];
    book
}

fn agrees(book: Manuscript) {
    let book = Book::new(book).unwrap();
    let mut different = Vec::new();
    for stamina in [2, 5, 8, 12] {
        let hero = Character::new().stat("skill", 7).stat("stamina", stamina);
        let game = book.game(hero.stat("luck", 8)).unwrap();
        let plan = Solver::exact().allow_cycles().solve(&game, game.start());
        let exact = plan.unwrap().value().to_f64().unwrap();
        let solver = BookSolver::new(&game);
        let solved = solver.solve(game.start()).unwrap().win();
        assert!(
            (solved - exact).abs() < 1e-12,
            "{stamina}: {solved} {exact}"
        );
        let policy = solver.policy(game.start()).unwrap();
        let journey: Journey<BigRational> = game.follow(&policy, game.start(), LIMIT).unwrap();
        let followed = journey.value().to_f64().unwrap();
        assert!(
            (followed - exact).abs() < 1e-12,
            "{stamina}: {followed} {exact}"
        );
        different.push(exact);
    }
    assert!(
        different.is_sorted_by(|one, other| one < other),
        "{different:?}"
    );
}

fn fed() -> Vec<Effect> {
    vec![Effect::change("stamina", 4)]
}

#[test]
fn money_that_is_not_eaten() {
    agrees(book("gold", None, fed()));
}

/// Places with little money have no place to look back at.
#[test]
fn meals_for_the_rich() {
    agrees(book("gold", Some(Condition::at_least("gold", 4)), fed()));
}

#[test]
fn meals_for_the_poor() {
    let rich = Condition::at_least("gold", 4);
    agrees(book("gold", Some(Condition::Not(Box::new(rich))), fed()));
}

#[test]
fn meals_that_cost_money() {
    let cost = Effect::change("gold", -2);
    agrees(book(
        "gold",
        Some(Condition::at_least("gold", 2)),
        [vec![cost], fed()].concat(),
    ));
}

/// Money is a lane of the tables, and so is life: one stat cannot be both.
#[test]
fn who_pays_with_life() {
    agrees(book("stamina", None, fed()));
}

#[test]
fn who_pays_with_luck() {
    agrees(book("luck", None, fed()));
    let mut book = book("luck", None, fed());
    book.rules.luck_in_battle = true;
    agrees(book);
}
