//! "Fire on the Water" by the yardstick rules: the chances of eight heroes, as computed by the
//! program of the author of "Solving a gamebook".
#![cfg(feature = "serde")]

use num_rational::BigRational;
use num_traits::ToPrimitive;
use oddsmith_lonewolf::{ActionChart, Book, BookSolver, Discipline, Item, Rules};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    heroes: Vec<Hero>,
}

#[derive(Deserialize)]
struct Hero {
    character: Character,
    score: f64,
    ratio: String,
    states: usize,
}

#[derive(Deserialize)]
struct Character {
    endurance: i64,
    skill: i64,
    disciplines: Vec<String>,
    items: Vec<String>,
    gold: u8,
}

impl Character {
    fn chart(&self) -> ActionChart {
        let mut chart = ActionChart::new(self.skill, self.endurance).unwrap();
        for discipline in &self.disciplines {
            chart = chart.discipline(discipline.parse().unwrap()).unwrap();
        }
        for item in &self.items {
            chart = chart.item(item.parse().unwrap()).unwrap();
        }
        chart.gold(self.gold).unwrap()
    }
}

fn heroes() -> Vec<Hero> {
    let vectors: Vectors = serde_json::from_str(include_str!("../data/heroes.json")).unwrap();
    vectors.heroes
}

#[track_caller]
fn close(ours: f64, theirs: f64) {
    assert!(
        (ours - theirs).abs() <= 1e-12 * theirs.max(1e-6),
        "{ours} and not {theirs}"
    );
}

#[test]
fn every_hero_wins_as_often_as_published() {
    let book = Book::fire_on_the_water().unwrap();
    for Hero {
        character,
        score,
        states,
        ..
    } in heroes()
    {
        let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
        let solved = solver.solve(&character.chart()).unwrap();
        close(solved.win(), score);
        assert!(solved.error() < 1e-12);
        // Fifty times fewer tables than the other program has states.
        assert!(50 * solver.effort().evaluated < states);
    }
}

#[test]
fn exact_chances_agree_with_the_floats_and_with_those_published() {
    let book = Book::fire_on_the_water().unwrap();
    let mut same = 0;
    for Hero {
        character, ratio, ..
    } in heroes()
    {
        let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
        let mut solved = solver.solve(&character.chart()).unwrap();
        let exact = solved.exact().unwrap();
        let float = exact.to_f64().unwrap();
        assert!((solved.win() - float).abs() <= solved.error());
        let published: BigRational = ratio.parse().unwrap();
        close(float, published.to_f64().unwrap());
        same += usize::from(published == exact);
    }
    // The others hold floating-point constants of the Cartwheel.
    assert_eq!(same, 2);
}

/// One solver for all heroes with the same COMBAT SKILL and ENDURANCE gives the same results as one
/// solver for each, and computes fewer tables.
#[test]
fn heroes_share_what_is_known() {
    let book = Book::fire_on_the_water().unwrap();
    let mut together = BookSolver::new(&book).rules(Rules::yardstick());
    let mut apart = 0;
    for hero in heroes().iter().filter(|hero| hero.character.skill == 10) {
        let chart = hero.character.chart();
        let mut alone = BookSolver::new(&book).rules(Rules::yardstick());
        assert_eq!(alone.win(&chart).unwrap(), together.win(&chart).unwrap());
        apart += alone.effort().evaluated;
    }
    assert!(together.effort().evaluated < apart);
}

/// The chances along best play add up to the chance to win, and to one at the start.
#[test]
fn best_play_wins_as_often_as_it_should() {
    let book = Book::fire_on_the_water().unwrap();
    for hero in heroes().iter().take(3) {
        let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
        let mut solved = solver.solve(&hero.character.chart()).unwrap();
        let journey = solved.journey().unwrap();
        close(journey.won(), solved.win());
        assert_eq!(journey.visits()[&1], 1.0);
        assert!(
            journey
                .visits()
                .values()
                .all(|&p| p > 0.0 && p <= 1.0 + 1e-12)
        );
        let last = journey.line().last().unwrap();
        assert!(last.win > 0.999 && last.situation.section() == 225);
        let product: f64 = journey.line().iter().map(|stop| stop.chance).product();
        assert_eq!(product, journey.line_chance());
    }
}

/// Games played by the rules, with the decisions of the solver, are won as often as predicted.
#[test]
fn games_played_by_its_advice_agree() {
    let book = Book::fire_on_the_water().unwrap();
    let chart = heroes()[5].character.chart();
    let mut solver = BookSolver::new(&book).rules(Rules::yardstick());
    let mut solved = solver.solve(&chart).unwrap();
    let game = oddsmith_lonewolf::Adventure::new(&book, &chart, Rules::yardstick());
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as f64 / (1u64 << 53) as f64
    };
    let games = 3_000;
    let mut won = 0;
    for _ in 0..games {
        let mut now = game.start();
        while !now.is_won() && !now.is_lost() {
            let page = oddsmith_mdp::Node::of(&game, &now).unwrap();
            let best = solved.advice(&now).unwrap();
            let act = &best[0].act;
            let place = (0..page.len()).find(|&place| page.action(place) == Some(act));
            let place = place.unwrap();
            let total = page.wide_total(place).to_f64().unwrap();
            let mut left = draw() * total;
            for (to, weight) in page.wide_outcomes(place) {
                now = *to;
                left -= weight.to_f64().unwrap();
                if left < 0.0 {
                    break;
                }
            }
        }
        won += usize::from(now.is_won());
    }
    let share = won as f64 / f64::from(games);
    let p = solved.win();
    let deviation = (p * (1.0 - p) / f64::from(games)).sqrt();
    assert!((share - p).abs() < 4.0 * deviation, "{share} and not {p}");
}

/// More freedom is never worse; and the rules of the book are applied in order.
#[test]
fn freedom_does_not_hurt() {
    let book = Book::fire_on_the_water().unwrap();
    for hero in heroes().iter().take(3) {
        let chart = hero.character.chart();
        let win = |rules| BookSolver::new(&book).rules(rules).win(&chart).unwrap();
        let base = win(Rules::yardstick());
        for free in [
            Rules::yardstick().take_freely(true),
            Rules::yardstick().trade_freely(true),
            Rules::yardstick().drink_freely(true),
            Rules::yardstick().gamble_freely(true),
            Rules::yardstick().drink_before_evasion(true),
        ] {
            assert!(win(free) >= base * (1.0 - 1e-12), "{free:?}");
        }
        assert!(win(Rules::yardstick().enforce_fares(true)) <= base * (1.0 + 1e-12));
    }
}

/// Laumspur with a full Backpack: nothing is carried beyond the limit.
#[test]
fn nobody_carries_too_much() {
    let book = Book::fire_on_the_water().unwrap();
    let chart = ActionChart::new(15, 25)
        .unwrap()
        .disciplines(&[Discipline::Camouflage, Discipline::Tracking])
        .unwrap()
        .items(Item::Meal, 6)
        .unwrap()
        .item(Item::Laumspur)
        .unwrap();
    for rules in [Rules::yardstick(), Rules::printed()] {
        let mut solver = BookSolver::new(&book).rules(rules);
        let mut solved = solver.solve(&chart).unwrap();
        for stop in solved.journey().unwrap().line() {
            let articles: u8 = Item::ALL
                .iter()
                .filter(|item| item.slot() == oddsmith_lonewolf::Slot::Backpack)
                .map(|&item| stop.situation.count(item))
                .sum();
            // A potion is given at section 40 even if there is no room.
            assert!(articles <= 9, "{}", stop.situation);
        }
    }
}

/// Deciding during the combat whether to evade helps some of the heroes and harms none; floats and
/// fractions agree there too.
#[test]
fn evading_when_it_is_best_is_never_worse() {
    let book = Book::fire_on_the_water().unwrap();
    let mut better = 0;
    for Hero { character, .. } in heroes() {
        let chart = character.chart();
        let before = BookSolver::new(&book)
            .rules(Rules::yardstick())
            .win(&chart)
            .unwrap();
        let mut solver = BookSolver::new(&book).rules(Rules::yardstick().evade_in_combat(true));
        let mut solved = solver.solve(&chart).unwrap();
        let (win, error) = (solved.win(), solved.error());
        assert!(win + error >= before, "{win} and {before}");
        better += usize::from(win > before + 1e-10);
        if win > 1e-3 {
            let exact = solved.exact().unwrap().to_f64().unwrap();
            assert!((win - exact).abs() <= error);
            assert!((solved.journey().unwrap().won() - win).abs() < 1e-12);
        }
    }
    assert_eq!(better, 4);
}
