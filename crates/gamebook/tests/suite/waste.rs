//! Moves that only use something up: they are left out where more of it is never worse, and only
//! there.

use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Choice, Condition, ConditionalEffects, Effect, Ending, Error,
    Manuscript, Passage, Play, RefreshAt, Refreshment, RepeatedEffects, Section, Stat, Trial,
    Wager, WeightedEffects,
};
use oddsmith_mdp::Solver;

use crate::pieces::{after, choice, random, rolled};

/// A hero with full STAMINA and three meals, who may eat at every choice.
fn fed(sections: Vec<(u32, Play)>) -> BookGame {
    let mut book = Manuscript::new("meals");
    book.rules.refresh = RefreshAt::Choices;
    book.sheet.stats.push(Stat {
        floor: Some(0),
        ..Stat::new("meals", 3)
    });
    book.sheet.refreshments.push(Refreshment {
        label: "eat".into(),
        condition: Some(Condition::at_least("meals", 1)),
        effects: vec![Effect::change("meals", -1), Effect::change("stamina", 4)],
    });
    let sections = sections.into_iter();
    book.sections
        .extend(sections.map(|(number, play)| Section::new(number, play.into())));
    Book::new(book).unwrap().game(rolled(7, 14, 7)).unwrap()
}

/// The chance to win, the places, and the places without waste.
fn places(game: &BookGame) -> (String, usize, usize) {
    let solved = |leave_out| {
        let reduced = game.reduced().leave_out_waste(leave_out);
        let start = reduced.place(game.start());
        let solver = Solver::exact().allow_cycles();
        let solution = solver.solve(&reduced, start).unwrap();
        (solution.value(), solution.len())
    };
    let ((value, all), (same, few)) = (solved(false), solved(true));
    assert_eq!(value, same);
    let exact = BookSolver::new(game).solve_exact(game.start()).unwrap();
    assert_eq!(value, exact);
    (value.to_string(), all, few)
}

fn end(won: bool) -> Play {
    Play::Ending(if won { Ending::Won } else { Ending::Lost })
}

/// The way on needs two meals.
fn toll() -> Choice {
    Choice::new("share two meals", Passage::to(2)).when(Condition::at_least("meals", 2))
}

#[test]
fn nobody_eats_at_full_stamina() {
    let give_up = Choice::new("give up", Passage::to(4));
    let game = fed(vec![
        (1, Play::Choice(vec![toll(), give_up])),
        (2, random(&[(1, Passage::to(3)), (2, Passage::to(4))])),
        (3, end(true)),
        (4, end(false)),
    ]);
    // Section 1 with two meals or more, or with less; section 2; and two ends.
    assert_eq!(places(&game), ("1/3".into(), 5, 4));
}

/// Whoever has something left to eat is robbed, or whatever else may happen.
fn hunger_pays(second: Play) -> (String, usize, usize) {
    let on = Choice::new("on", Passage::to(2));
    let game = fed(vec![
        (
            1,
            Play::Choice(vec![on, Choice::new("give up", Passage::to(4))]),
        ),
        (2, second),
        (3, end(true)),
        (4, end(false)),
    ]);
    places(&game)
}

#[test]
fn who_has_nothing_is_not_robbed() {
    let fed = Condition::at_least("meals", 1);
    let hungry = Condition::Not(Box::new(fed.clone()));
    let robbed = Choice::new("robbed", Passage::to(4)).when(fed.clone());
    let cases = vec![robbed, Choice::otherwise(Passage::to(3))];
    assert_eq!(hunger_pays(Play::First(cases)).0, "1");

    let beg = Choice::new("beg", Passage::to(3)).when(hungry.clone());
    let options = vec![beg, Choice::new("wait", Passage::to(4))];
    assert_eq!(hunger_pays(Play::Choice(options)).0, "1");

    let either = Condition::Any(vec![hungry, Condition::at_least("luck", 12)]);
    let all = Condition::All(vec![either, Condition::at_least("stamina", 1)]);
    let beg = Choice::new("beg", Passage::to(3)).when(all);
    let options = vec![beg, Choice::new("wait", Passage::to(4))];
    assert_eq!(hunger_pays(Play::Choice(options)).0, "1");
}

#[test]
fn effects_and_tests_may_spare_who_has_nothing() {
    let fed = Condition::at_least("meals", 1);
    let beaten = Effect::change("stamina", -20);
    let robbed = Effect::When(ConditionalEffects {
        condition: fed.clone(),
        then: vec![beaten.clone()],
        otherwise: vec![],
    });
    assert_eq!(hunger_pays(choice(vec![after(vec![robbed], 3)])).0, "1");

    let robbed = Effect::Repeat(RepeatedEffects {
        times: 1,
        condition: Some(fed.clone()),
        effects: vec![beaten.clone()],
    });
    assert_eq!(hunger_pays(choice(vec![after(vec![robbed], 3)])).0, "1");

    // Two dice always exceed 0, but may not exceed 3.
    let heavy = Trial::new("meals", Passage::to(4), Passage::to(3));
    assert_eq!(hunger_pays(Play::Test(Box::new(heavy))).0, "1");

    let wager = Wager {
        rounds: 1,
        condition: Some(fed),
        free: false,
        round: vec![WeightedEffects {
            weight: 1,
            effects: vec![beaten],
        }],
        after: Passage::to(3),
    };
    assert_eq!(hunger_pays(Play::Game(Box::new(wager))).0, "1");
}

/// If there is nothing but waste, it is not left out.
#[test]
fn a_lap_that_costs_a_meal_is_all_there_is() {
    let lap = after(vec![Effect::change("meals", -1)], 1);
    let out = Choice::new("out", Passage::to(3)).when(Condition::at_least("meals", 9));
    let game = fed(vec![
        (1, Play::Choice(vec![Choice::new("lap", lap), out])),
        (3, end(true)),
    ]);
    for (leave_out, prune) in [(true, true), (true, false), (false, true), (false, false)] {
        let solver = BookSolver::new(&game).leave_out_waste(leave_out);
        let endless = solver.prune(prune).solve_exact(game.start());
        assert!(matches!(endless, Err(Error::Solve(_))), "{endless:?}");
    }
}
